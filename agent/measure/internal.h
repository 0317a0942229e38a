/* SPDX-License-Identifier: MIT */
/*
 * Between the files of measure/: what is read from (target), how a number of operations
 * is kept in flight for a while (runner), how latencies are counted (histogram), and what
 * stood in the way (watch).
 */
#pragma once

#include "measure/measure.h"

/* --- histogram.c: latencies with a relative error of at most 1/32 ------------------- */

#define HISTOGRAM_BUCKETS (27 * 32)

struct histogram {
	uint32_t counts[HISTOGRAM_BUCKETS]; /* from 1 us to 2^31 us */
	uint64_t n;
};

void histogram_add(struct histogram *histogram, uint64_t us);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* The smallest value that @per_mille of all are not above; 0 if there are none. */
uint32_t histogram_at(const struct histogram *histogram, unsigned int per_mille);

/* --- target.c: what is read from or written to -------------------------------------- */

/* A stretch of the file that has data on the disk. */
struct extent {
	uint64_t start, length; /* bytes */
	uint64_t before; /* bytes in all extents before this one */
};

struct target {
	int direct_fd; /* O_DIRECT */
	int cached_fd; /* without; -1 if reads through the page cache are left out */
	int dsync_fd; /* O_DIRECT | O_DSYNC, writable; -1 unless it is our own file */
	bool own; /* a file of our own that vanishes with us */
	uint64_t size; /* bytes, of the part that is used */
	uint32_t alignment; /* of offsets and memory for direct reads */
	struct extent *extents; /* owned; all at least one block long */
	size_t n_extents;
	uint64_t usable; /* bytes in all extents */
	struct extent *areas; /* owned, of views: what mincore(2) was asked about */
	size_t n_areas;
	unsigned char *resident; /* owned: one byte a page of all areas */
	size_t n_pages;
	bool is_view; /* the file descriptors are another target's */
};

/* Opens request->path for reading. The errors of measure_run(), with the refusal set. */
int target_open(const struct measure_request *request, struct measure_report *report,
		struct target *ret);

/*
 * Makes a file without a name in request->write_folder and fills it for at most
 * @budget_ms, with direct writes of 1 MiB in sequence, the result of which goes to
 * *@ret_point. The file is on stable storage afterwards.
 */
int target_make(const struct measure_request *request, unsigned int budget_ms,
		struct measure_report *report, struct target *ret,
		struct point *ret_point);

void target_close(struct target *target);

/*
 * A part of @whole for reads through the page cache: at most @max_bytes, spread over all
 * of it, without what is in the page cache now. @readahead_kb: how far the kernel may
 * read beyond it. -ENODATA if too little is left; -EPERM if nothing tells what is in the
 * cache (mincore(2) is silent about files of others); -ENOMEM.
 */
int target_view(const struct target *whole, uint64_t max_bytes, uint64_t readahead_kb,
		struct target *ret);

/* Drops from the page cache what was not there at first. Does nothing but for views. */
void target_drop(const struct target *target);

/*
 * The same, for good: pages that are still being read cannot be dropped, so it looks
 * again for half a second at most.
 */
void target_drop_all(const struct target *target);

/* How much of a view is in the page cache now, in thousandths. */
unsigned int target_filled(const struct target *target);

/* Whether the page at @offset was in the page cache at first. */
bool target_was_resident(const struct target *target, uint64_t offset);

/* --- target-blocks.c: what of a target is read at once ----------------------------- */

/* The blocks of one size. Each lies within one extent, and none reaches into another. */
struct blocks {
	const struct target *target;
	uint32_t size; /* bytes, a multiple of the alignment */
	uint64_t n; /* 0 if all extents are shorter */
	uint64_t *before; /* owned: how many lie in the extents before each */
};

/* -ENOMEM; -EINVAL for nothing. */
int blocks_count(const struct target *target, uint32_t size, struct blocks *ret);
void blocks_done(struct blocks *blocks);

/* Where the @number th of them begins. */
uint64_t blocks_offset(const struct blocks *blocks, uint64_t number);

/* --- runner.c, with uring.c and threads.c ------------------------------------------- */

#define RUN_PATIENCE_MS 5000U

struct run {
	const struct target *target;
	enum work work;
	enum io_mode mode;
	enum hint hint;
	enum io_engine engine;
	uint32_t block_kb;
	uint32_t depth;
	unsigned int duration_ms;
	unsigned int patience_ms; /* 0: RUN_PATIENCE_MS */
	uint64_t seed; /* of the order; sequences begin at seed % blocks */
	const atomic_bool *stop;
	/* Of threads only: they end after so many, or when that says so. */
	uint64_t bytes_max;
	bool (*is_full)(void *context); /* asked every few ms; may be NULL */
	void *context;
};

struct run_result {
	uint64_t operations, duration_us;
	struct histogram latencies; /* of all that were begun, n of them */
	uint64_t cpu_us, cpu_all_us; /* of our busiest thread, and of all of them */
};

/*
 * Keeps run->depth operations in flight for run->duration_ms or until run->bytes_max
 * (0: no bound) are under way, waits for them, and counts
 * those that were completed within it (at least one). -ENOSYS or -EPERM if the io_uring
 * engine is not to be had: try threads (-EPERM also if it would write and the target is
 * not our own). -EINVAL for a block size that does not fit the alignment, -ENOSPC for a
 * target without such a block. -ENOMEM; -EAGAIN (no threads); -EINTR if it was
 * stopped; -ETIMEDOUT if nothing came back for run->patience_ms after the time was over
 * (io_uring only: a thread in a read that hangs cannot be stopped); else the errno of a
 * read or write that failed.
 */
int run_points(const struct run *run, struct run_result *ret);

/* --- memory.c ----------------------------------------------------------------------- */

/*
 * How many bytes, up to @most, may be in the page cache for us: an eighth of what the
 * machine has to spare, and a quarter of what is left to our control groups.
 */
uint64_t cache_room(const struct root *root, uint64_t most);

/* --- watch.c, watch-cgroup.c: what else went on ------------------------------------- */

struct disk_counters {
	uint64_t reads, read_sectors, writes, write_sectors; /* sectors of 512 bytes */
};

/* The lowest limits that cgroups set for the disk; 0 for none. */
struct io_limits {
	uint64_t read_iops, read_kbps, write_iops, write_kbps;
};

/* What is looked at, found once. */
struct watched {
	const struct root *root;
	const char *syspath; /* NULL: no disk */
	bool counts; /* the disk has counters, and they are not switched off */
	struct names cpu_stat; /* cpu.stat of our cgroup and of those above */
	struct io_limits limits;
	unsigned int processors; /* that we may run on; 0: not known */
};

struct watch {
	const struct watched *watched;
	struct disk_counters disk; /* all before the run */
	uint64_t cpu_idle, cpu_total; /* of the machine, in ticks */
	uint64_t throttled; /* periods */
};

/* Never fails: what cannot be read is not looked at. */
void watched_find(const struct root *root, const char *syspath, struct watched *ret);
void watched_done(struct watched *watched);

/* -ENODATA if the disk does not count, -EINVAL for nonsense, or as root_read(). */
int watched_counters(const struct watched *watched, struct disk_counters *ret);

void watch_begin(const struct watched *watched, struct watch *ret);

/* Bits of enum limit, for a run with this result. */
unsigned int watch_end(const struct watch *watch, const struct run *run,
		       const struct run_result *result);

/* The disk's attribute "stat". -EINVAL. */
int parse_disk_stat(const char *text, struct disk_counters *ret);

/* The line "cpu" of /proc/stat. Waiting for a disk is idle. -EINVAL. */
int parse_cpu_stat(const char *text, uint64_t *ret_idle, uint64_t *ret_total);

/*
 * Appends the folder of our cgroup and those above it, up to the mount point, in the
 * hierarchy of a version 1 @controller, or of version 2 if it is NULL. -ENOENT if there
 * is no such hierarchy.
 */
int cgroup_folders(const struct root *root, const char *controller, struct names *ret);

/* Lowers *@limits to what the cgroups above us allow on the disk "major:minor". */
void cgroup_io_limits(const struct root *root, const char *devnum,
		      struct io_limits *limits);

/* Adds nr_throttled of each file. */
uint64_t cgroup_throttled(const struct root *root, const struct names *cpu_stat);
