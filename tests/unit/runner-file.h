/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the runner share: a file of two stretches with a hole between them,
 * a target that sees each block that is asked for, and the ways to read from it.
 */
#pragma once

#include <stdatomic.h>
#include <unistd.h>

#include "measure/runner.h"
#include "support.h"

#define PAGE 4096U
#define BLOCKS 96U /* pages of the file: 8 to 31 and 48 to 79 are the target's */
#define USED 56U /* of them */
#define HOUR_MS 3600000U /* a run that has to end by something else */
#define LOG_MAX 512U
#define NEVER UINT64_MAX

/* What blocks_offset() has been asked for since watch_anew(). */
struct asked {
	_Atomic uint64_t calls;
	_Atomic uint32_t seen[BLOCKS]; /* by number */
	_Atomic bool beyond; /* a number that is no block */
	uint64_t log[LOG_MAX]; /* the first offsets, in order */
	bool odd_resident, all_resident;
	uint64_t cut_at, stop_at; /* calls at which the file is cut, and *stop is set */
	atomic_bool *stop;
	int fd;
};

extern struct asked asked;

void watch_anew(void);

struct file {
	struct target target;
	struct extent extents[2];
	bool in_memory; /* a tmpfs: its pages are always resident */
};

/* Page n of the file is full of n + 1, and none of it is in the page cache. */
void file_fill(const struct file *file);
void file_page(const struct file *file, unsigned int number, unsigned char page[PAGE]);
bool page_is_inside(unsigned int number);
bool page_is_constant(const unsigned char page[PAGE]);

int file_setup(void **state);
int file_teardown(void **state);

#define FILE_TEST(name, function)                               \
	{                                                       \
		name, function, file_setup, file_teardown, NULL \
	}

struct way {
	const char *name;
	enum io_mode mode;
	enum hint hint;
	enum io_engine engine;
	uint32_t depth;
};

#define WAYS 14U
extern const struct way ways[WAYS];
extern const struct way *const way_uring; /* direct, depth 1 */
extern const struct way *const way_threads;
extern const struct way *const way_buffered; /* hint random */

/* A run of 20 ms. */
struct run run_of(const struct file *file, const struct way *way, enum work work);

/* True, and said, on a machine that has no io_uring: there is nothing to test there. */
bool is_missing(const struct way *way, int result);

/* Each block as often as each other one, but for the pass that was not finished. */
void check_evenly(const char *name, uint64_t blocks);
void check_result(const char *name, const struct run *run,
		  const struct run_result *result);
