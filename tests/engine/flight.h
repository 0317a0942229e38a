/* SPDX-License-Identifier: MIT */
/*
 * Keeps a number of reads in flight, with a thread each or with one thread and io_uring.
 * What is read next and what it must say is the caller's: two functions.
 */
#pragma once

#include "clock.h"
#include "source.h"

#define DEPTH_MAX 1024

/* One of the reads in flight: the same one is used for read after read. */
struct read {
	uint64_t random; /* a number of its own, for next() to go on from */
	uint64_t row;
	uint64_t offset;
	size_t length; /* bytes to read; may reach over the end of the file */
	size_t needed; /* bytes without which it has failed */
	uint64_t started_ns;
	unsigned char *buf;
};

struct flight {
	const struct source *source;
	enum io_engine engine; /* threads or io_uring */
	unsigned int depth;
	size_t room; /* the longest read */
	uint64_t seed; /* of read->random */
	uint64_t limit_ns; /* no read begins later than this; 0: next() ends it */
	void *context;
	/* Fills @read in; false: no more. Several threads may be in it at once. */
	bool (*next)(void *context, struct read *read);
	/* How many rows are wrong in the @length bytes of @data that were read. */
	uint64_t (*check)(void *context, const struct read *read,
			  const unsigned char *data, size_t length);
};

/* What was read by one thread, or by all. */
struct tally {
	struct latencies latencies;
	uint64_t reads, bad;
};

struct flight_result {
	struct tally tally;
	uint64_t ns; /* from the first read to the last */
};

/*
 * -EIO for a read that was too short, and what read(2) says; -ENOSYS, -EPERM and -ENOMEM
 * of io_uring; -EAGAIN: no more threads; -ENOMEM.
 */
int flight_run(const struct flight *flight, struct flight_result *ret);

/* --- flight-uring.c ----------------------------------------------------------------- */

/* As flight_run(), for io_uring. */
int flight_run_uring(const struct flight *flight, struct flight_result *ret);

/* A buffer that direct I/O takes; NULL without memory. For free(3). */
unsigned char *aligned_buffer(size_t size);

/* --- threads.c ---------------------------------------------------------------------- */

/*
 * Calls @body in @n threads that begin together and waits for all. Returns the first
 * error of a body, or -EAGAIN or -ENOMEM if not all threads could be made; then none
 * begins. The time when they begin is in *@ret_start_ns before they do.
 */
int threads_run(unsigned int n, int (*body)(void *context, unsigned int index),
		void *context, uint64_t *ret_start_ns);
