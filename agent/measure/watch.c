/* SPDX-License-Identifier: MIT */
/*
 * What else went on while a point was measured: whether the operations reached the disk,
 * who else used it, and whether the processors or a control group were the limit. Each
 * from counters before and after; a counter that cannot be read proves nothing.
 */
#include "measure/internal.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/parse.h"
#include "base/sysfs.h"

#define IDLE_PERCENT_MIN 5 /* of the machine; below that it had no time left */
#define BUSY_PERCENT_MAX 95 /* of the busiest thread */
#define TICKS_MIN 10 /* below that a share of the machine's time says nothing */
#define OTHERS_PERCENT_MAX 10
#define IO_MAX_PERCENT 90
#define LARGE_KB 64 /* from here on a disk's time is its bytes', not its operations' */

int parse_disk_stat(const char *text, struct disk_counters *ret)
{
	unsigned long long reads = 0, read_sectors = 0, writes = 0, write_sectors = 0;

	/* Documentation/block/stat.rst */
	if (sscanf(text, "%llu %*u %llu %*u %llu %*u %llu", &reads, &read_sectors,
		   &writes, &write_sectors) != 4)
		return -EINVAL;
	*ret = (struct disk_counters){ .reads = reads,
				       .read_sectors = read_sectors,
				       .writes = writes,
				       .write_sectors = write_sectors };
	return 0;
}

int parse_cpu_stat(const char *text, uint64_t *ret_idle, uint64_t *ret_total)
{
	/* user nice system idle iowait irq softirq steal */
	unsigned long long t[8] = { 0 };
	uint64_t total = 0;

	if (strncmp(text, "cpu ", 4) != 0 || /* not "cpu0" */
	    sscanf(text + 4, "%llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1],
		   &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		total += t[i];
	*ret_idle = t[3] + t[4];
	*ret_total = total;
	return 0;
}

static int read_attribute(const struct watched *watched, const char *name, char *buf,
			  size_t size)
{
	char path[ROOT_PATH_MAX] = { 0 };
	int r = path_join(path, sizeof(path), watched->syspath, name);

	return r < 0 ? r : root_read_head(watched->root, path, buf, size, NULL);
}

static void find_cpu_stat(struct watched *watched)
{
	_cleanup_names_ struct names folders = { 0 };
	char path[ROOT_PATH_MAX] = { 0 };

	(void)cgroup_folders(watched->root, NULL, &folders);
	(void)cgroup_folders(watched->root, "cpu", &folders);
	for (size_t i = 0; i < folders.n; i++) {
		if (path_join(path, sizeof(path), folders.list[i], "cpu.stat") >= 0 &&
		    root_exists(watched->root, path))
			(void)names_add(&watched->cpu_stat, path);
	}
}

/* A cpuset or taskset(1) may leave us fewer than the machine has. */
static unsigned int our_processors(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 0;
	return (unsigned int)CPU_COUNT(&set);
}

/* Limits are set on whole disks, and a partition has those of its own. */
static void take_limits_of(struct watched *watched, const char *syspath)
{
	char path[ROOT_PATH_MAX] = { 0 }, dev[32] = { 0 }, disk[ROOT_PATH_MAX] = { 0 };

	(void)snprintf(disk, sizeof(disk), "%s", syspath);
	if (path_join(path, sizeof(path), disk, "partition") >= 0 &&
	    root_exists(watched->root, path))
		(void)path_up(disk);
	if (path_join(path, sizeof(path), disk, "dev") < 0 ||
	    root_read_head(watched->root, path, dev, sizeof(dev), NULL) < 0)
		return;
	trim_end(dev);
	cgroup_io_limits(watched->root, dev, &watched->limits);
}

/*
 * What is read from a stack arrives at the disks below it, which have limits of their
 * own. The lowest is taken for all: how a stack spreads its reads is not known here.
 */
static void find_io_limits(struct watched *watched)
{
	_cleanup_names_ struct names leaves = { 0 };
	bool incomplete = false;

	take_limits_of(watched, watched->syspath);
	(void)sysfs_block_leaves(watched->root, watched->syspath, &leaves, &incomplete);
	for (size_t i = 0; i < leaves.n; i++)
		take_limits_of(watched, leaves.list[i]);
}

void watched_find(const struct root *root, const char *syspath, struct watched *ret)
{
	char text[512] = { 0 };
	struct disk_counters counters = { 0 };

	*ret = (struct watched){ .root = root,
				 .syspath = syspath,
				 .processors = our_processors() };
	find_cpu_stat(ret);
	if (!syspath)
		return;
	/* Without queue/iostats the counters stand still. */
	ret->counts = read_attribute(ret, "queue/iostats", text, sizeof(text)) < 0 ||
		      text[0] != '0';
	ret->counts = ret->counts &&
		      read_attribute(ret, "stat", text, sizeof(text)) >= 0 &&
		      parse_disk_stat(text, &counters) >= 0;
	find_io_limits(ret);
}

void watched_done(struct watched *watched)
{
	names_done(&watched->cpu_stat);
}

int watched_counters(const struct watched *watched, struct disk_counters *ret)
{
	char text[512] = { 0 };
	int r = watched->counts ? read_attribute(watched, "stat", text, sizeof(text)) :
				  -ENODATA;

	return r < 0 ? r : parse_disk_stat(text, ret);
}

static void read_cpu(const struct watched *watched, uint64_t *ret_idle,
		     uint64_t *ret_total)
{
	char text[256] = { 0 };

	if (root_read_head(watched->root, "/proc/stat", text, sizeof(text), NULL) >= 0)
		(void)parse_cpu_stat(text, ret_idle, ret_total);
}

void watch_begin(const struct watched *watched, struct watch *ret)
{
	*ret = (struct watch){ .watched = watched };
	ret->throttled = cgroup_throttled(watched->root, &watched->cpu_stat);
	read_cpu(watched, &ret->cpu_idle, &ret->cpu_total);
	(void)watched_counters(watched, &ret->disk);
}

static bool is_write(enum work work)
{
	switch (work) {
	case WORK_RANDOM_WRITE:
	case WORK_SEQUENTIAL_WRITE:
	case WORK_JOURNAL_WRITE:
		return true;
	case WORK_RANDOM_READ:
	case WORK_SEQUENTIAL_READ:
	case _WORK_MAX:
		return false;
	}
	return false;
}

/*
 * What a number of transfers costs a disk, in operations of 4 KiB: small ones by their
 * number, large ones by their bytes, since the kernel splits and merges those.
 */
static uint64_t cost_of(uint64_t operations, uint64_t kb, const struct run *run)
{
	return run->block_kb >= LARGE_KB ? kb / 4 : operations + kb / LARGE_KB;
}

/* What came to the disk while the run went on, against what the run did. */
static unsigned int compare_traffic(const struct disk_counters *before,
				    const struct disk_counters *after,
				    const struct run *run,
				    const struct run_result *result)
{
	bool writes = is_write(run->work);
	uint64_t read_kb = (after->read_sectors - before->read_sectors) / 2;
	uint64_t write_kb = (after->write_sectors - before->write_sectors) / 2;
	uint64_t reads = cost_of(after->reads - before->reads, read_kb, run);
	uint64_t writings = cost_of(after->writes - before->writes, write_kb, run);
	uint64_t own_kb = result->operations * run->block_kb;
	uint64_t own = cost_of(result->operations, own_kb, run);
	/* Those in flight at the end are not counted, but the disk did them. */
	uint64_t slack = 16 + 2 * cost_of(run->depth,
					  (uint64_t)run->depth * run->block_kb, run);
	uint64_t same = writes ? writings : reads, others = writes ? reads : writings;
	unsigned int limits = 0;

	if ((writes ? write_kb : read_kb) < own_kb / 2)
		limits |= 1U << LIMIT_CACHE;
	/* What the file system writes for a synchronous write is ours too. */
	if (run->work == WORK_JOURNAL_WRITE)
		own = same;
	else if (run->mode == IO_MODE_DIRECT)
		others += same > own ? same - own : 0;
	else
		own = same; /* with what was read ahead */
	if (others > own * OTHERS_PERCENT_MAX / 100 + slack)
		limits |= 1U << LIMIT_TRAFFIC;
	return limits;
}

static unsigned int compare_cpu(const struct watch *watch,
				const struct run_result *result)
{
	uint64_t idle = watch->cpu_idle, total = watch->cpu_total;
	uint64_t processors = watch->watched->processors;
	unsigned int limits = 0;

	read_cpu(watch->watched, &idle, &total);
	idle -= watch->cpu_idle;
	total -= watch->cpu_total;
	if (result->cpu_us * 100 > result->duration_us * BUSY_PERCENT_MAX ||
	    (processors > 0 &&
	     result->cpu_all_us * 100 >
		     result->duration_us * processors * BUSY_PERCENT_MAX) ||
	    (total >= TICKS_MIN && idle * 100 < total * IDLE_PERCENT_MIN))
		limits |= 1U << LIMIT_CPU;
	if (cgroup_throttled(watch->watched->root, &watch->watched->cpu_stat) >
	    watch->throttled)
		limits |= 1U << LIMIT_CPU_QUOTA;
	return limits;
}

/* Whether @amount in @us reaches @limit a second. */
static bool reaches(uint64_t amount, uint64_t us, uint64_t limit)
{
	double rate = us > 0 ? (double)amount * 1e6 / (double)us : 0;

	return limit > 0 && rate * 100 >= (double)limit * IO_MAX_PERCENT;
}

static unsigned int compare_limits(const struct io_limits *limits, const struct run *run,
				   const struct run_result *result, uint64_t read_ops,
				   uint64_t read_kb)
{
	bool writes = is_write(run->work);
	uint64_t iops = writes ? limits->write_iops : limits->read_iops;
	uint64_t kbps = writes ? limits->write_kbps : limits->read_kbps;
	uint64_t operations = result->operations, kb = operations * run->block_kb;

	/* Readahead uses a limit up with few reads of our own. */
	if (run->mode != IO_MODE_DIRECT) {
		operations = read_ops > 0 ? read_ops : operations;
		kb = read_kb > 0 ? read_kb : kb;
	}
	if (reaches(operations, result->duration_us, iops) ||
	    reaches(kb, result->duration_us, kbps))
		return 1U << LIMIT_IO_MAX;
	return 0;
}

unsigned int watch_end(const struct watch *watch, const struct run *run,
		       const struct run_result *result)
{
	struct disk_counters after = watch->disk;
	unsigned int limits = compare_cpu(watch, result);

	if (watched_counters(watch->watched, &after) >= 0)
		limits |= compare_traffic(&watch->disk, &after, run, result);
	return limits |
	       compare_limits(&watch->watched->limits, run, result,
			      after.reads - watch->disk.reads,
			      (after.read_sectors - watch->disk.read_sectors) / 2);
}
