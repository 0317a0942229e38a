/* SPDX-License-Identifier: MIT */
/*
 * A measurement: what `blkadvise measure` found out about one disk, kept as a small text
 * file under /var/lib/blkadvise/measurements until the disk, its place or its settings
 * change. It consists of points, each a workload in one mode at one depth. Making one is
 * measure/'s, what follows from one is policy/advise.h's. This file knows its form, whose
 * it is, and when it is stale. The format is in docs/measuring.md.
 */
#pragma once

#include "base/ini.h"
#include "classify/class.h"
#include "facts/disk.h"
#include "policy/advice.h"
#include "policy/tunable.h"

#define PATH_MEASUREMENTS "/var/lib/blkadvise/measurements"
/* Copies for udev's events, which must not wait for the file system of the former. */
#define PATH_MEASUREMENTS_COPIES "/run/blkadvise/measurements"
#define MEASUREMENT_PATH_MAX 96
#define MEASUREMENT_TEXT_MAX 32768 /* bytes of a file */
#define MEASUREMENT_FORMAT 1
#define POINTS_MAX 128

enum work {
	WORK_RANDOM_READ,
	WORK_SEQUENTIAL_READ,
	WORK_RANDOM_WRITE,
	WORK_SEQUENTIAL_WRITE,
	WORK_JOURNAL_WRITE, /* O_DIRECT and O_DSYNC, one by one, at rising offsets */
	_WORK_MAX,
};

enum io_engine {
	IO_ENGINE_IO_URING, /* one thread keeps the depth */
	IO_ENGINE_THREADS, /* as many threads as the depth, one call in each */
	_IO_ENGINE_MAX,
};

/* What stood in the way while a point was measured: bits of point.limits. */
enum limit {
	LIMIT_CPU, /* the processors, or the one that submits, had no time left */
	LIMIT_CPU_QUOTA, /* a cgroup's cpu.max */
	LIMIT_IO_MAX, /* a cgroup's io.max, or blkio.throttle */
	LIMIT_TRAFFIC, /* others used the disk */
	LIMIT_CACHE, /* not all operations reached the disk */
	LIMIT_IMPLAUSIBLE, /* beyond what a disk of this class can do */
	_LIMIT_MAX,
};

DECLARE_WORDS(work, enum work);
DECLARE_WORDS(io_engine, enum io_engine);
DECLARE_WORDS(limit, enum limit);

struct point {
	enum work work;
	enum io_mode mode;
	enum hint hint; /* HINT_NORMAL with IO_MODE_DIRECT */
	enum io_engine engine;
	uint32_t block_kb; /* of one operation */
	uint32_t depth; /* operations in flight */
	uint64_t operations; /* completed in @duration_us; at least 1 */
	uint64_t duration_us; /* at least 1 */
	uint32_t p50_us, p99_us; /* latency of one operation */
	uint64_t measured_at; /* seconds since 1970 */
	unsigned int limits; /* 1U << enum limit */
};

/* Whose measurement it is. An empty text: the disk does not say. */
struct measured_identity {
	char wwn[128], model[128], serial[128], firmware[64];
	char attachment[32], class[32];
	char place[128]; /* weak identities only: ID_PATH, else that in sysfs */
	char machine[40]; /* weak identities only: derived from /etc/machine-id */
	char members[40]; /* stacks: a hash over the identities of the leaves */
	char members_state[40]; /* their firmware, attachment, settings; of paths, too */
	uint64_t size_kb;
	bool weak;
};

struct measurement {
	struct measured_identity identity;
	char settings[_TUNABLE_MAX][64]; /* in force when it was measured; "" if none */
	char medium[64]; /* what was read from: "disk node", "file on ext4" */
	uint64_t area_kb; /* and how much of it; 0: not known */
	struct point points[POINTS_MAX];
	size_t n;
};

/*
 * Why a measurement does not count any more. With STALE_READ_AHEAD alone it counts in
 * part: direct reads, and those with the hint random, do not see the readahead.
 */
enum stale {
	STALE_FIRMWARE,
	STALE_SIZE,
	STALE_ATTACHMENT,
	STALE_CLASS,
	STALE_MEMBERS,
	STALE_MEMBERS_STATE,
	STALE_SCHEDULER,
	STALE_QUEUE_DEPTH,
	STALE_NR_REQUESTS,
	STALE_MAX_SECTORS,
	STALE_READ_AHEAD,
	_STALE_MAX,
};

DECLARE_WORDS(stale, enum stale);

/*
 * Who @disk is and what is in force on it, without points. @machine_id is the text of
 * /etc/machine-id or NULL; only a hash of it is kept, as machine-id(5) asks. A weak
 * identity is one that may come again on another machine or at another place: no WWN and
 * no serial number, or a hypervisor's or bridge's generic one, and every virtual disk and
 * cloud volume without a WWN. It is bound to place and machine. -ENODATA if nothing
 * identifies the disk. Pure.
 */
int measurement_identify(const struct disk *disk, const struct disk_class *class,
			 const char *machine_id, struct measurement *ret);

/* The file that a measurement of this identity is kept in, below PATH_MEASUREMENTS. */
void measurement_path(const struct measured_identity *identity,
		      char buf[MEASUREMENT_PATH_MAX]);

/*
 * Adds to members_state what is in force on @part, a device below the disk: a leaf of a
 * stack, or a hidden path. The order in which they are added does not matter. Not its
 * readahead, which nobody sees who reads through the disk.
 */
void measurement_add_part(struct measurement *measurement, const struct disk *part,
			  const struct disk_class *class);

/* Same disk (at the same place on the same machine, if weak), whatever has changed. */
bool measurement_is_of(const struct measured_identity *a,
		       const struct measured_identity *b);

/* Bits (1U << enum stale) by which @now, of measurement_identify(), differs from @old. */
unsigned int measurement_stale(const struct measurement *old,
			       const struct measurement *now);

/* Whether @point still counts with these bits set. */
bool point_counts(const struct point *point, unsigned int stale);

/* Says "firmware: was A, is B; ..." of the bits set. Returns @buf. */
const char *measurement_describe_stale(const struct measurement *old,
				       const struct measurement *now, unsigned int stale,
				       char *buf, size_t size);

/* The text of the file. -ENOSPC if it does not fit. */
int measurement_format(const struct measurement *measurement, char *buf, size_t size);

/*
 * Reads the file at @path. Broken lines are added to @problems and make it -EBADMSG (a
 * measurement is whole or none); unknown keys and words of a later version are passed
 * over. The errors of root_read(). In measurement-load.c, apart from what is pure.
 */
int measurement_load_file(const struct root *root, const char *path,
			  struct ini_problems *problems, struct measurement *ret);

/*
 * The measurement that is kept of @now's disk (of measurement_identify()) in @folder,
 * PATH_MEASUREMENTS or PATH_MEASUREMENTS_COPIES, with the bits of its staleness. -ENOENT
 * if there is none, or another disk's under the same name. Otherwise as
 * measurement_load_file().
 */
int measurement_load(const struct root *root, const char *folder,
		     const struct measurement *now, struct ini_problems *problems,
		     struct measurement *ret, unsigned int *ret_stale);

/*
 * Adds a point; one of the same work, mode, hint, block size and depth is replaced.
 * -ENOSPC if there are POINTS_MAX others.
 */
int measurement_add(struct measurement *measurement, const struct point *point);

/* Operations and KB a second, rounded; the first at least 1. */
uint64_t point_iops(const struct point *point);
uint64_t point_kbps(const struct point *point);
