/* SPDX-License-Identifier: MIT */
/*
 * A file for the tests of the runner, and functions of a target that see what is asked
 * for; they stand in for those of measure/target-*.c.
 */
#include "runner-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>

#include "base/cleanup.h"

static const struct extent stretches[] = {
	{ 8 * PAGE, 24 * PAGE },
	{ 48 * PAGE, 32 * PAGE },
};

/* --- a target that sees what is asked for ----------------------------------------- */

struct asked asked;

int blocks_count(const struct target *target, uint32_t size, struct blocks *ret)
{
	*ret = (struct blocks){ .target = target, .size = size };
	for (size_t i = 0; i < target->n_extents; i++)
		ret->n += target->extents[i].length / size;
	return 0;
}

void blocks_done(struct blocks *blocks)
{
	(void)blocks; /* nothing is owned here */
}

uint64_t blocks_offset(const struct blocks *blocks, uint64_t number)
{
	const struct target *target = blocks->target;
	uint32_t size = blocks->size;
	uint64_t call = atomic_fetch_add(&asked.calls, 1), left = number;

	if (number >= BLOCKS || number >= blocks->n) {
		asked.beyond = true; /* in another thread no test can fail */
		return 0;
	}
	atomic_fetch_add(&asked.seen[number], 1);
	if (call == asked.cut_at && ftruncate(asked.fd, 0) < 0)
		abort();
	if (call == asked.stop_at)
		*asked.stop = true;
	for (size_t i = 0; i < target->n_extents; i++) {
		uint64_t n = target->extents[i].length / size;

		if (left < n) {
			uint64_t offset = target->extents[i].start + left * size;

			if (call < LOG_MAX)
				asked.log[call] = offset;
			return offset;
		}
		left -= n;
	}
	return 0;
}

bool target_was_resident(const struct target *target, uint64_t offset)
{
	return asked.all_resident || (asked.odd_resident && offset / PAGE % 2 == 1);
}

void watch_anew(void)
{
	memset(&asked, 0, sizeof(asked));
	asked.cut_at = asked.stop_at = NEVER;
}

/* --- a file ----------------------------------------------------------------------- */

static int file_try(const char *folder, struct file *file)
{
	char path[128], self[32];
	struct target *target = &file->target;
	struct statfs fs = { 0 };

	(void)snprintf(path, sizeof(path), "%s/test-runner.XXXXXX", folder);
	target->cached_fd = mkstemp(path);
	if (target->cached_fd < 0)
		return -1;
	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", target->cached_fd);
	target->direct_fd = open(self, O_RDWR | O_DIRECT | O_CLOEXEC);
	target->dsync_fd = open(self, O_RDWR | O_DIRECT | O_DSYNC | O_CLOEXEC);
	(void)unlink(path);
	assert_int_equal(fstatfs(target->cached_fd, &fs), 0);
	file->in_memory = fs.f_type == TMPFS_MAGIC;
	return target->direct_fd >= 0 && target->dsync_fd >= 0 ? 0 : -1;
}

void file_fill(const struct file *file)
{
	unsigned char *page = aligned_alloc(PAGE, PAGE);

	assert_non_null(page);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		memset(page, (int)i + 1, PAGE);
		assert_int_equal(pwrite(file->target.direct_fd, page, PAGE, i * PAGE),
				 PAGE);
	}
	free(page);
	assert_int_equal(fsync(file->target.direct_fd), 0);
	(void)posix_fadvise(file->target.cached_fd, 0, 0, POSIX_FADV_DONTNEED);
}

int file_setup(void **state)
{
	struct file *file = calloc(1, sizeof(*file));

	assert_non_null(file);
	if (file_try(".", file) < 0 && file_try("/var/tmp", file) < 0)
		fail_msg("neither . nor /var/tmp takes O_DIRECT");
	memcpy(file->extents, stretches, sizeof(stretches));
	file->target.extents = file->extents;
	file->target.n_extents = 2;
	file->target.size = BLOCKS * PAGE;
	file->target.usable = USED * PAGE;
	file->target.alignment = PAGE;
	file->target.own = true;
	file_fill(file);
	watch_anew();
	asked.fd = file->target.cached_fd;
	*state = file;
	return 0;
}

int file_teardown(void **state)
{
	struct file *file = *state;

	(void)close(file->target.cached_fd);
	(void)close(file->target.direct_fd);
	(void)close(file->target.dsync_fd);
	free(file);
	return 0;
}

void file_page(const struct file *file, unsigned int number, unsigned char page[PAGE])
{
	assert_int_equal(pread(file->target.cached_fd, page, PAGE, number * PAGE), PAGE);
}

bool page_is_inside(unsigned int number)
{
	return (number >= 8 && number < 32) || (number >= 48 && number < 80);
}

bool page_is_constant(const unsigned char page[PAGE])
{
	return memcmp(page, page + 1, PAGE - 1) == 0;
}

/* --- ways to read ----------------------------------------------------------------- */

const struct way ways[WAYS] = {
	{ "direct, io_uring, 1", IO_MODE_DIRECT, HINT_NORMAL, IO_ENGINE_IO_URING, 1 },
	{ "direct, io_uring, 16", IO_MODE_DIRECT, HINT_NORMAL, IO_ENGINE_IO_URING, 16 },
	{ "direct, io_uring, 200", IO_MODE_DIRECT, HINT_NORMAL, IO_ENGINE_IO_URING, 200 },
	{ "direct, threads, 1", IO_MODE_DIRECT, HINT_NORMAL, IO_ENGINE_THREADS, 1 },
	{ "direct, threads, 16", IO_MODE_DIRECT, HINT_NORMAL, IO_ENGINE_THREADS, 16 },
	{ "buffered, normal", IO_MODE_BUFFERED, HINT_NORMAL, IO_ENGINE_THREADS, 4 },
	{ "buffered, random", IO_MODE_BUFFERED, HINT_RANDOM, IO_ENGINE_THREADS, 4 },
	{ "buffered, io_uring", IO_MODE_BUFFERED, HINT_RANDOM, IO_ENGINE_IO_URING, 4 },
	{ "buffered, sequential", IO_MODE_BUFFERED, HINT_SEQUENTIAL,
	  IO_ENGINE_THREADS, 2 },
	{ "buffered, willneed", IO_MODE_BUFFERED, HINT_WILLNEED, IO_ENGINE_THREADS, 2 },
	{ "mmap, normal", IO_MODE_MMAP, HINT_NORMAL, IO_ENGINE_THREADS, 4 },
	{ "mmap, random", IO_MODE_MMAP, HINT_RANDOM, IO_ENGINE_THREADS, 4 },
	{ "mmap, sequential", IO_MODE_MMAP, HINT_SEQUENTIAL, IO_ENGINE_THREADS, 2 },
	{ "mmap, willneed", IO_MODE_MMAP, HINT_WILLNEED, IO_ENGINE_THREADS, 1 },
};

const struct way *const way_uring = &ways[0];
const struct way *const way_threads = &ways[3];
const struct way *const way_buffered = &ways[6];

struct run run_of(const struct file *file, const struct way *way, enum work work)
{
	return (struct run){
		.target = &file->target, .work = work, .mode = way->mode,
		.hint = way->hint, .engine = way->engine, .depth = way->depth,
		.block_kb = 4, .duration_ms = 20, .seed = 7,
	};
}

bool is_missing(const struct way *way, int result)
{
	bool missing = way->engine == IO_ENGINE_IO_URING && way->mode == IO_MODE_DIRECT &&
		       (result == -ENOSYS || result == -EPERM);

	if (missing)
		print_message("no io_uring here (%d): left out: %s\n", result, way->name);
	return missing;
}

void check_evenly(const char *name, uint64_t blocks)
{
	uint32_t least = UINT32_MAX, most = 0;

	ROW_INT(name, asked.beyond, false);
	for (uint64_t i = 0; i < blocks; i++) {
		least = asked.seen[i] < least ? asked.seen[i] : least;
		most = asked.seen[i] > most ? asked.seen[i] : most;
	}
	if (most - least > 1)
		fail_msg("%s: one block %u times, another %u times", name, most, least);
}

void check_result(const char *name, const struct run *run,
		  const struct run_result *result)
{
	uint64_t all = result->latencies.n;

	ROW_INT(name, all, asked.calls);
	ROW_INT(name, result->operations >= 1 && result->operations <= all, true);
	ROW_INT(name, all - result->operations <= run->depth, true);
	ROW_INT(name, result->duration_us >= 1, true);
	ROW_INT(name, histogram_at(&result->latencies, 500) >= 1, true);
}
