/* SPDX-License-Identifier: MIT */
/*
 * A file of our own to write to. It never has a name where that can be avoided, so that
 * nothing remains whatever happens to us, and leaves room on the file system.
 */
#include "measure/target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>

#include "measure/plan.h"

#define OWN_BYTES_MAX (1ULL << 30)
#define CHUNK_BYTES (1U << 20)
#define SPARE_PERCENT 5 /* of the file system that stays free */
#define PATIENCE 3 /* times the budget, until TARGET_BYTES_MIN are written */

static int own_file(const char *folder)
{
	_cleanup_free_ char *path = NULL;
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	if (asprintf(&path, "%s/.blkadvise-XXXXXX", folder) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (unlink(path) < 0) {
		int r = -errno;

		(void)close(fd);
		return r;
	}
	return fd;
}

/* The same file once more, in another way: a file without a name has this path. */
static int reopen(int fd, int flags)
{
	char path[64] = { 0 };
	int again = -1;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, flags | O_CLOEXEC);
	return again < 0 ? -errno : again;
}

/* So that it can be tried how it may be read; what follows writes over it. */
static int write_something(int fd)
{
	_cleanup_free_ unsigned char *memory = aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);

	if (!memory)
		return -ENOMEM;
	memset(memory, 'x', CHUNK_BYTES);
	return pwrite(fd, memory, CHUNK_BYTES, 0) < 0 ? -errno : 0;
}

/* Before anything is made in it. */
static int judge_folder(const char *folder, struct measure_report *report)
{
	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *why = NULL, *name = NULL;

	if (fd < 0)
		return refuse(report, -errno, "%s: %s", folder, strerror(errno));
	name = fs_name(fd, &why);
	if (why)
		return refuse(report, -EOPNOTSUPP,
			      "%s lies on %s: %s, so that this would measure no disk",
			      folder, name, why);
	(void)snprintf(report->medium, sizeof(report->medium), "own file%s%s",
		       *name ? " on " : "", name);
	return 0;
}

static int open_own(const char *folder, struct measure_report *report,
		    struct target *target)
{
	struct stat st = { 0 };
	int r = judge_folder(folder, report);

	if (r < 0)
		return r;
	r = own_file(folder);
	if (r < 0)
		return refuse(report, r, "no file can be made in %s: %s", folder,
			      strerror(-r));
	target->cached_fd = r;
	if (fstat(target->cached_fd, &st) < 0)
		return refuse(report, -errno, "%s: %s", folder, strerror(errno));
	r = reopen(target->cached_fd, O_RDWR | O_DIRECT);
	if (r >= 0) {
		target->direct_fd = r;
		r = write_something(target->direct_fd);
	}
	if (r >= 0)
		r = direct_alignment(target->direct_fd, &st, &target->alignment);
	if (r == -EINVAL || r == -EOPNOTSUPP)
		return refuse(report, -EOPNOTSUPP,
			      "%s: its file system does not write directly", folder);
	if (r < 0)
		return refuse(report, r, "the file in %s cannot be written directly: %s",
			      folder, strerror(-r));
	r = reopen(target->cached_fd, O_RDWR | O_DIRECT | O_DSYNC);
	target->dsync_fd = r < 0 ? -1 : r;
	return 0;
}

static int find_room(const char *folder, int fd, struct measure_report *report,
		     uint64_t *ret)
{
	struct statvfs fs = { 0 };
	uint64_t free_bytes = 0, spare = 0, room = 0;

	if (fstatvfs(fd, &fs) < 0)
		return refuse(report, -errno, "%s: %s", folder, strerror(errno));
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	spare = (uint64_t)fs.f_blocks * fs.f_frsize / 100 * SPARE_PERCENT;
	room = free_bytes > spare ? free_bytes - spare : 0;
	room = room < free_bytes / 2 ? room : free_bytes / 2;
	room = room < OWN_BYTES_MAX ? room : OWN_BYTES_MAX;
	room = round_down(room, CHUNK_BYTES);
	if (room < TARGET_BYTES_MIN)
		return refuse(report, -ENOSPC,
			      "%s has too little room: a file of %llu MiB is needed, and "
			      "half of the free space and %d %% of all are left alone",
			      folder, TARGET_BYTES_MIN >> 20, SPARE_PERCENT);
	*ret = room;
	return 0;
}

/* No drive can compress it, and no two blocks are alike. */
static void fill_buffer(unsigned char *buffer, uint64_t *seed)
{
	for (size_t i = 0; i < CHUNK_BYTES; i += sizeof(uint64_t)) {
		uint64_t value = random_next(seed);

		memcpy(buffer + i, &value, sizeof(value));
	}
}

static void stamp_buffer(unsigned char *buffer, uint64_t at)
{
	for (size_t i = 0; i < CHUNK_BYTES; i += 512) {
		uint64_t value = at + i;

		memcpy(buffer + i, &value, sizeof(value));
	}
}

struct filling {
	struct target *target;
	unsigned char *buffer;
	uint64_t room, written;
	struct histogram latencies;
};

/* 1 if the disk is full: what is written will have to do. */
static int write_chunk(struct filling *filling)
{
	uint64_t before = clock_us();
	ssize_t n = 0;

	stamp_buffer(filling->buffer, filling->written);
	n = pwrite(filling->target->direct_fd, filling->buffer, CHUNK_BYTES,
		   (off_t)filling->written);
	if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		return 1;
	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	if (n != CHUNK_BYTES)
		return 1;
	histogram_add(&filling->latencies, clock_us() - before);
	filling->written += CHUNK_BYTES;
	return 0;
}

static int fill(struct filling *filling, unsigned int budget_ms,
		const atomic_bool *stop)
{
	uint64_t started = clock_us(), elapsed = 0;
	uint64_t budget = budget_ms * 1000ULL;
	int r = 0;

	while (r == 0 && filling->written < filling->room && !(stop && *stop)) {
		elapsed = clock_us() - started;
		if (elapsed >= budget * PATIENCE ||
		    (elapsed >= budget && filling->written >= TARGET_BYTES_MIN))
			break;
		r = write_chunk(filling);
	}
	if (r >= 0 && stop && *stop)
		return -EINTR;
	/* Only a failed write may have left something behind the last whole one. */
	if (r > 0 && ftruncate(filling->target->direct_fd, (off_t)filling->written) < 0)
		return -errno;
	if (r >= 0 && fdatasync(filling->target->direct_fd) < 0)
		return -errno;
	return r < 0 ? r : 0;
}

static void make_point(const struct filling *filling, uint64_t duration_us,
		       struct point *ret)
{
	*ret = (struct point){
		.work = WORK_SEQUENTIAL_WRITE,
		.mode = IO_MODE_DIRECT,
		.hint = HINT_NORMAL,
		.engine = IO_ENGINE_THREADS,
		.block_kb = CHUNK_BYTES / 1024,
		.depth = 1,
		.operations = filling->latencies.n,
		.duration_us = duration_us > 0 ? duration_us : 1,
		.p50_us = histogram_at(&filling->latencies, 500),
		.p99_us = histogram_at(&filling->latencies, 990),
	};
}

static int fill_target(const struct measure_request *request, unsigned int budget_ms,
		       struct measure_report *report, struct target *target,
		       struct point *ret_point)
{
	_cleanup_free_ unsigned char *buffer = aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);
	_cleanup_free_ struct filling *filling = calloc(1, sizeof(*filling));
	_cleanup_(extents_done) struct extents extents = { 0 };
	uint64_t seed = clock_us(), started = 0, elapsed = 0;
	int r = 0;

	if (!buffer || !filling)
		return refuse(report, -ENOMEM, "no memory");
	*filling = (struct filling){ .target = target, .buffer = buffer };
	fill_buffer(buffer, &seed);
	r = find_room(request->write_folder, target->cached_fd, report, &filling->room);
	if (r < 0)
		return r;
	started = clock_us();
	r = fill(filling, budget_ms, request->stop);
	elapsed = clock_us() - started;
	if (r < 0)
		return refuse(report, r, "writing in %s: %s", request->write_folder,
			      strerror(-r));
	if (filling->written < TARGET_BYTES_MIN)
		return refuse(report, -ENOSPC,
			      "only %llu MiB could be written in %s within %u ms, and "
			      "%llu are needed: free some room, or give a larger budget",
			      (unsigned long long)filling->written >> 20,
			      request->write_folder, budget_ms * PATIENCE,
			      TARGET_BYTES_MIN >> 20);
	make_point(filling, elapsed, ret_point);
	r = extents_add(&extents, 0, filling->written);
	if (r < 0)
		return refuse(report, r, "no memory");
	target->size = target->usable = filling->written;
	target->n_extents = extents.n;
	target->extents = steal(extents.list);
	return 0;
}

int target_make(const struct measure_request *request, unsigned int budget_ms,
		struct measure_report *report, struct target *ret,
		struct point *ret_point)
{
	_cleanup_(target_close) struct target target = { .direct_fd = -1,
							 .cached_fd = -1,
							 .dsync_fd = -1,
							 .own = true };
	int r = 0;

	if (!request->write_folder)
		return refuse(report, -EINVAL, "no folder to write in");
	r = open_own(request->write_folder, report, &target);
	if (r >= 0)
		r = fill_target(request, budget_ms, report, &target, ret_point);
	if (r < 0)
		return r;
	*ret = target;
	target = (struct target){ .direct_fd = -1, .cached_fd = -1, .dsync_fd = -1 };
	return 0;
}
