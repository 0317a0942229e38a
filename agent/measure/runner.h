/* SPDX-License-Identifier: MIT */
/*
 * Between the files of the runner: the order of blocks, the buffers, what was counted,
 * and the two engines.
 */
#pragma once

#include <stdatomic.h>
#include <time.h>

#include "measure/internal.h"

#define RUNNER_TRIES 100 /* repetitions of an operation that says EAGAIN, 1 ms apart */

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline bool run_is_stopped(const struct run *run)
{
	return run->stop && *run->stop;
}

bool run_writes(const struct run *run);

/* The descriptor for this work and mode; may be -1. */
int run_fd(const struct run *run);

/* So that an operation that is to be repeated does not keep a processor busy. */
void runner_nap(void);

/* --- runner-order.c: which block comes next --------------------------------------- */

struct order {
	struct blocks blocks;
	bool random, passes_over; /* blocks that were in the page cache at first */
	uint64_t first; /* of a sequence */
	unsigned int half_bits; /* of the permutation */
	uint64_t keys[4];
	_Atomic uint64_t next;
};

/* -ENOSPC if the target has no block of this size. -ENOMEM. */
int order_begin(const struct run *run, struct order *ret);
void order_end(struct order *order);

/* The offset of the next block. Several threads may ask. */
uint64_t order_next(struct order *order);

/* A number that looks random and depends on all bits of @value (splitmix64). */
uint64_t order_mix(uint64_t value);

/* --- runner-buffers.c: memory to read into and to write from ---------------------- */

struct buffers {
	void *map;
	size_t map_size;
	unsigned char *first; /* aligned */
	size_t stride; /* a multiple of the alignment */
};

/* One buffer for each operation in flight; filled for writing. -ENOMEM. */
int buffers_make(const struct run *run, struct buffers *ret);
void buffers_free(struct buffers *buffers);
unsigned char *buffers_at(const struct buffers *buffers, uint32_t slot);

/* Makes what is written differ from what was written before. */
void buffers_stamp(unsigned char *buffer, uint32_t size, uint64_t value);

/* --- what was counted ------------------------------------------------------------- */

/* Times are those of CLOCK_MONOTONIC in nanoseconds. */
struct span {
	uint64_t start, deadline;
};

struct tally {
	uint64_t counted, last; /* completed before the deadline, and the last of them */
	uint64_t late, latest; /* completed after it */
	uint64_t cpu_ns, cpu_all_ns; /* of the busiest thread, and of all together */
	struct histogram latencies; /* of all */
};

void tally_add(struct tally *tally, const struct span *span, uint64_t began,
	       uint64_t ended);
void tally_merge(struct tally *into, const struct tally *from);

/* --- the engines: keep the depth until the deadline, wait for what is in flight -- */

int uring_run(const struct run *run, struct order *order, const struct buffers *buffers,
	      struct span *ret_span, struct tally *ret);
int threads_run(const struct run *run, struct order *order, const struct buffers *buffers,
		struct span *ret_span, struct tally *ret);

/* --- runner-cached.c: through the page cache -------------------------------------- */

struct mapping {
	const unsigned char *start;
	size_t size;
};

/* Maps the file that is read from, with the hint. */
int mapping_make(const struct run *run, struct mapping *ret);
void mapping_free(struct mapping *mapping);

/* Has the kernel read each page of the block. */
void mapping_touch(const struct mapping *mapping, uint64_t offset, uint32_t size);

/*
 * Until bus_errors_end() a page that cannot be read ends @body of bus_errors_catch(),
 * which then returns -EIO, and not the program. One run at a time.
 */
void bus_errors_begin(void);
void bus_errors_end(void);
int bus_errors_catch(void (*body)(void *), void *context);

/* A descriptor with the hint on it, which ends with it. */
struct hinted {
	int fd;
	bool shared; /* the caller's own: the hint is to be taken back */
};

int hinted_open(int fd, enum hint hint, struct hinted *ret);
void hinted_close(struct hinted *hinted);
