/* SPDX-License-Identifier: MIT */
/*
 * The three things that this engine does with a disk: it gathers rows at random, scans a
 * table in order, and writes a journal.
 */
#pragma once

#include "clock.h"
#include "source.h"

struct gather {
	enum io_mode mode;
	enum hint hint;
	enum io_engine engine;
	unsigned int depth; /* rows or blocks in flight */
	unsigned int threads; /* of that engine, if not as many as depth; 0: depth */
	uint32_t read_kb; /* a multiple of 4: the unit of direct reads, a scan's block */
	uint64_t rows; /* to gather; 0: until the time is over */
	double seconds; /* 0: until the rows are gathered */
	uint64_t span_mib; /* of the table from its beginning; 0: all */
	uint64_t seed;
	bool drop, warm; /* this file's pages, beforehand, in this order */
	bool whole; /* check all of what a direct read brought, not only the row */
};

/* Of a gather or a scan. */
struct figures {
	enum io_engine engine; /* the one that did it */
	unsigned int in_flight;
	uint64_t rows, reads, bytes, bad;
	double seconds; /* prefetching included */
	double prefetch_seconds;
	double cpu_seconds;
	struct latencies latencies;
};

/* The errors of source_open(), source_prefetch() and flight_run(). */
int gather_run(const char *path, const struct gather *gather, struct figures *ret);
int scan_run(const char *path, const struct gather *scan, struct figures *ret);

/* Drops and warms as the options say. The errors of file_drop() and file_warm(). */
int prepare_cache(const char *path, const struct gather *gather);

struct journal {
	uint32_t block_kb; /* a multiple of 4 */
	unsigned int depth; /* writes in flight */
	uint64_t writes; /* 0: until the time is over */
	double seconds; /* 0: until the writes are done */
	uint32_t file_mib; /* written beforehand, to be overwritten; 0: appended to */
};

struct journal_figures {
	uint64_t writes;
	double seconds, cpu_seconds;
	struct latencies latencies;
};

/*
 * In a file in @folder that nobody else sees. An appended journal ends at 1 GiB.
 * -EOPNOTSUPP: no direct I/O there; what open(2), write(2) and threads_run() say.
 */
int journal_run(const char *folder, const struct journal *journal,
		struct journal_figures *ret);
