/* SPDX-License-Identifier: MIT */
/*
 * How the engine comes to a mode and a depth: by the fixed threshold of an engine that
 * knows one kind of disk, by trying everything at each start, or from the record.
 */
#pragma once

#include "gather.h"

enum by { BY_THRESHOLD, BY_PROBE, BY_RECORD, _BY_MAX };
enum workload { WORKLOAD_RANDOM, WORKLOAD_SCAN, WORKLOAD_JOURNAL, _WORKLOAD_MAX };
enum fit { FIT_FITS, FIT_EXCEEDS, _FIT_MAX };

extern const char *const by_words[_BY_MAX];
extern const char *const workload_words[_WORKLOAD_MAX];
extern const char *const fit_words[_FIT_MAX];

struct question {
	enum by by;
	enum workload workload;
	enum fit fit; /* whether the page cache holds the table */
	const char *root; /* before /sys and /run; NULL: the usual place */
	double probe_seconds; /* of each gather that is a probe; 0: the usual time */
	uint64_t seed;
};

struct decision {
	enum io_mode mode;
	enum hint hint;
	enum io_engine engine;
	unsigned int depth;
	unsigned int threads; /* see struct gather */
	uint32_t read_kb; /* the block of scans and journals too */
	double seconds; /* until it was made */
	uint64_t reads; /* of the table, to make it */
	char from[160];
};

/* What the engine does where it has nothing better: direct reads, 16 at a time. */
struct decision decision_default(enum workload workload);

/* -EINVAL: a journal is not probed for; the errors of gather_run(). */
int decide(const char *path, const struct question *question, struct decision *ret);

/* --- decide-record.c ---------------------------------------------------------------- */

/* Never fails and never reads the table: without a record it is the default. */
void decide_by_record(const char *path, const struct question *question,
		      struct decision *ret);
