/* SPDX-License-Identifier: MIT */
/*
 * What stands in the way of a measurement, from the texts of a machine that never was:
 * the disk's counters, the processors' time, and what control groups allow.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "measure/internal.h"
#include "support.h"

#define BIT(limit) (1U << LIMIT_##limit)
#define DISK "/sys/devices/pci0000:00/block/sda"

/* "reads read-sectors writes write-sectors" as the attribute has them. */
static void put_stat(const struct root *root, unsigned int reads,
		     unsigned int read_sectors, unsigned int writes,
		     unsigned int write_sectors)
{
	char text[128] = { 0 };

	(void)snprintf(text, sizeof(text), "%8u 7 %8u 1000 %8u 9 %8u 2000 0 5 5 0 0 0\n",
		       reads, read_sectors, writes, write_sectors);
	folder_put(root, DISK "/stat", text);
}

static void put_cpu(const struct root *root, unsigned int busy, unsigned int idle)
{
	char text[128] = { 0 };

	(void)snprintf(text, sizeof(text), "cpu  %u 0 0 %u 0 0 0 0 0 0\ncpu0 1 1 1 1\n",
		       busy, idle);
	folder_put(root, "/proc/stat", text);
}

static void put_cgroups(const struct root *root)
{
	folder_put(root, "/proc/self/cgroup",
		   "9:name=systemd:/a\n7:blkio,net_cls:/jobs/one\n3:cpu,cpuacct:/busy\n"
		   "0::/system.slice/engine.service\n");
	folder_put(root, "/proc/self/mountinfo",
		   "22 1 254:0 / / rw - ext4 /dev/vda rw\n"
		   "31 22 0:28 / /cg rw shared:3 - cgroup2 cgroup2 rw\n"
		   "32 22 0:29 /jobs /v1/blkio rw - cgroup cgroup rw,blkio,net_cls\n"
		   "33 22 0:30 / /v1/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
}

static void test_disk_stat(void **state)
{
	struct disk_counters counters = { 0 };

	assert_int_equal(parse_disk_stat(" 3586033    79179 99630226  2767368   592236  "
					 "1244875 109254520   420460 0 1 2 3 4 5 6 7 8\n",
					 &counters), 0);
	assert_int_equal(counters.reads, 3586033);
	assert_int_equal(counters.read_sectors, 99630226);
	assert_int_equal(counters.writes, 592236);
	assert_int_equal(counters.write_sectors, 109254520);
	assert_int_equal(parse_disk_stat("1 2 3 4 5 6\n", &counters), -EINVAL);
	assert_int_equal(parse_disk_stat("", &counters), -EINVAL);
	assert_int_equal(parse_disk_stat("(null)\n", &counters), -EINVAL);
	assert_int_equal(counters.reads, 3586033);
}

static void test_cpu_stat(void **state)
{
	uint64_t idle = 0, total = 0;

	assert_int_equal(parse_cpu_stat("cpu  10 1 5 100 20 2 3 4 9 9\ncpu0 1\n", &idle,
					&total), 0);
	assert_int_equal(idle, 120); /* waiting for a disk is idle */
	assert_int_equal(total, 145); /* a guest's time is in the user's already */
	assert_int_equal(parse_cpu_stat("cpu0 1 2 3 4 5 6 7 8\n", &idle, &total),
			 -EINVAL);
	assert_int_equal(parse_cpu_stat("cpu 1 2 3\n", &idle, &total), -EINVAL);
}

static void test_folders(void **state)
{
	_cleanup_names_ struct names unified = { 0 }, blkio = { 0 }, cpu = { 0 };
	_cleanup_names_ struct names none = { 0 };
	struct root *root = *state;

	assert_int_equal(cgroup_folders(root, NULL, &none), -ENOENT);
	put_cgroups(root);
	assert_int_equal(cgroup_folders(root, NULL, &unified), 0);
	assert_int_equal(unified.n, 3);
	assert_string_equal(unified.list[0], "/cg/system.slice/engine.service");
	assert_string_equal(unified.list[1], "/cg/system.slice");
	assert_string_equal(unified.list[2], "/cg");
	/* What is mounted begins below the top. */
	assert_int_equal(cgroup_folders(root, "blkio", &blkio), 0);
	assert_int_equal(blkio.n, 2);
	assert_string_equal(blkio.list[0], "/v1/blkio/one");
	assert_string_equal(blkio.list[1], "/v1/blkio");
	assert_int_equal(cgroup_folders(root, "cpu", &cpu), 0);
	assert_string_equal(cpu.list[0], "/v1/cpu/busy");
	assert_int_equal(cgroup_folders(root, "cp", &none), -ENOENT);
	assert_int_equal(cgroup_folders(root, "memory", &none), -ENOENT);
	assert_int_equal(none.n, 0);
}

/* A group outside of what this name space sees. */
static void test_folders_outside(void **state)
{
	_cleanup_names_ struct names names = { 0 };
	struct root *root = *state;

	put_cgroups(root);
	folder_put(root, "/proc/self/cgroup", "0::/../../other\n");
	assert_int_equal(cgroup_folders(root, NULL, &names), 0);
	assert_int_equal(names.n, 1);
	assert_string_equal(names.list[0], "/cg");
}

static void test_io_limits(void **state)
{
	struct io_limits limits = { 0 };
	struct root *root = *state;

	put_cgroups(root);
	cgroup_io_limits(root, "8:0", &limits);
	assert_int_equal(limits.read_iops | limits.read_kbps | limits.write_iops |
			 limits.write_kbps, 0);
	folder_put(root, "/cg/system.slice/engine.service/io.max",
		   "8:16 rbps=1024 wbps=max riops=1 wiops=max\n"
		   "8:0 rbps=20971520 wbps=max riops=max wiops=500\n");
	folder_put(root, "/cg/system.slice/io.max",
		   "8:0 rbps=10485760 wbps=max riops=4000 wiops=900\n");
	cgroup_io_limits(root, "8:0", &limits);
	assert_int_equal(limits.read_kbps, 10240);
	assert_int_equal(limits.read_iops, 4000);
	assert_int_equal(limits.write_iops, 500);
	assert_int_equal(limits.write_kbps, 0);
	folder_put(root, "/v1/blkio/blkio.throttle.read_iops_device",
		   "8:16 1\n8:0 300\n");
	folder_put(root, "/v1/blkio/one/blkio.throttle.write_bps_device",
		   "8:0 2048000\n");
	cgroup_io_limits(root, "8:0", &limits);
	assert_int_equal(limits.read_iops, 300);
	assert_int_equal(limits.write_kbps, 2000);
}

/* A stack is bound by what is below it, and a partition by its disk. */
static void test_stack_limits(void **state)
{
	_cleanup_(watched_done) struct watched stack = { 0 }, part = { 0 };
	struct root *root = *state;

	put_cgroups(root);
	folder_put(root, "/sys/devices/virtual/block/dm-0/dev", "254:0\n");
	folder_put(root, "/sys/devices/virtual/block/dm-0/slaves/.keep", "");
	assert_int_equal(unlink(folder_path_of(
				 root, "/sys/devices/virtual/block/dm-0/slaves/.keep")),
			 0);
	folder_put(root, DISK "/dev", "8:0\n");
	folder_put(root, DISK "/sda1/dev", "8:1\n");
	folder_put(root, DISK "/sda1/partition", "1\n");
	assert_int_equal(symlink("../../../../pci0000:00/block/sda/sda1",
				 folder_path_of(root, "/sys/devices/virtual/block/dm-0/"
						      "slaves/sda1")),
			 0);
	folder_put(root, "/cg/io.max",
		   "254:0 rbps=max wbps=max riops=5000 wiops=max\n"
		   "8:0 rbps=max wbps=max riops=300 wiops=70\n");
	watched_find(root, "/sys/devices/virtual/block/dm-0", &stack);
	assert_int_equal(stack.limits.read_iops, 300);
	assert_int_equal(stack.limits.write_iops, 70);
	watched_find(root, DISK "/sda1", &part);
	assert_int_equal(part.limits.read_iops, 300);
}

/* All of our threads together, on the processors that we may use. */
static void test_processors(void **state)
{
	_cleanup_(watched_done) struct watched watched = { 0 };
	struct watch watch = { 0 };
	struct run run = { .block_kb = 4, .depth = 8 };
	struct run_result result = { .operations = 100,
				     .duration_us = 1000000,
				     .cpu_us = 500000,
				     .cpu_all_us = 1890000 };

	watched_find(*state, NULL, &watched);
	assert_true(watched.processors > 0);
	watched.processors = 2;
	watch_begin(&watched, &watch);
	assert_int_equal(watch_end(&watch, &run, &result), 0);
	result.cpu_all_us = 1910000;
	assert_int_equal(watch_end(&watch, &run, &result), BIT(CPU));
	watched.processors = 3;
	assert_int_equal(watch_end(&watch, &run, &result), 0);
}

#define GIB (1ULL << 30)
#define MIB (1ULL << 20)

/* The lowest of what the machine and each control group have to spare. */
static void test_cache_room(void **state)
{
	struct root *root = *state;

	assert_int_equal(cache_room(root, 4 * GIB), 4 * GIB);
	put_cgroups(root);
	folder_put(root, "/proc/meminfo",
		   "MemTotal:       16777216 kB\nMemFree:        1 kB\n"
		   "MemAvailable:    8388608 kB\nBuffers: 5 kB\n");
	assert_int_equal(cache_room(root, 4 * GIB), GIB);
	assert_int_equal(cache_room(root, GIB / 2), GIB / 2);
	folder_put(root, "/cg/system.slice/engine.service/memory.max", "max\n");
	folder_put(root, "/cg/system.slice/engine.service/memory.current", "4096\n");
	assert_int_equal(cache_room(root, 4 * GIB), GIB);
	folder_put(root, "/cg/system.slice/memory.max", "1073741824\n");
	folder_put(root, "/cg/system.slice/memory.current", "536870912\n");
	assert_int_equal(cache_room(root, 4 * GIB), 128 * MIB);
	folder_put(root, "/proc/self/cgroup", "4:memory:/jobs\n0::/system.slice\n");
	folder_put(root, "/proc/self/mountinfo",
		   "31 22 0:28 / /cg rw shared:3 - cgroup2 cgroup2 rw\n"
		   "33 22 0:30 / /v1/memory rw - cgroup cgroup rw,memory\n");
	folder_put(root, "/v1/memory/jobs/memory.limit_in_bytes", "104857600\n");
	folder_put(root, "/v1/memory/jobs/memory.usage_in_bytes", "20971520\n");
	folder_put(root, "/v1/memory/memory.limit_in_bytes", "9223372036854771712\n");
	folder_put(root, "/v1/memory/memory.usage_in_bytes", "20971520\n");
	assert_int_equal(cache_room(root, 4 * GIB), 20 * MIB);
	/* More is used than the limit allows, which was lowered meanwhile. */
	folder_put(root, "/v1/memory/jobs/memory.limit_in_bytes", "10485760\n");
	assert_int_equal(cache_room(root, 4 * GIB), 0);
}

static void test_throttled(void **state)
{
	_cleanup_(watched_done) struct watched watched = { 0 };
	struct root *root = *state;

	put_cgroups(root);
	folder_put(root, "/cg/cpu.stat", "usage_usec 5\n");
	folder_put(root, "/cg/system.slice/cpu.stat", "nr_periods 9\nnr_throttled 4\n");
	folder_put(root, "/v1/cpu/busy/cpu.stat", "nr_periods 9\nnr_throttled 30\n");
	watched_find(root, NULL, &watched);
	assert_int_equal(watched.cpu_stat.n, 3);
	assert_int_equal(cgroup_throttled(root, &watched.cpu_stat), 34);
}

static void test_counts(void **state)
{
	struct root *root = *state;
	struct disk_counters counters = { 0 };
	_cleanup_(watched_done) struct watched none = { 0 }, off = { 0 }, on = { 0 };

	watched_find(root, DISK, &none);
	assert_false(none.counts);
	put_stat(root, 1, 8, 2, 16);
	folder_put(root, DISK "/queue/iostats", "0\n");
	watched_find(root, DISK, &off);
	assert_false(off.counts);
	assert_int_equal(watched_counters(&off, &counters), -ENODATA);
	folder_put(root, DISK "/queue/iostats", "1\n");
	watched_find(root, DISK, &on);
	assert_true(on.counts);
	assert_int_equal(watched_counters(&on, &counters), 0);
	assert_int_equal(counters.write_sectors, 16);
}

/* --- a run, and what the counters say after it ------------------------------------ */

struct seen {
	const char *name;
	enum work work;
	enum io_mode mode;
	uint32_t block_kb, depth;
	unsigned int operations; /* of ours, in one second */
	unsigned int reads, read_kb, writes, write_kb; /* of the disk */
	unsigned int busy, idle; /* ticks of the machine */
	unsigned int thread_percent;
	unsigned int throttled;
	unsigned int want; /* 1U << enum limit */
};

#define READ WORK_RANDOM_READ, IO_MODE_DIRECT
#define MAPPED WORK_RANDOM_READ, IO_MODE_MMAP
#define SCAN WORK_SEQUENTIAL_READ, IO_MODE_DIRECT
#define JOURNAL WORK_JOURNAL_WRITE, IO_MODE_DIRECT
#define CALM 50, 50, 50, 0 /* processors half idle, no quota */

static const struct seen seen_rows[] = {
	{ "quiet", READ, 4, 1, 1000, 1000, 4000, 0, 0, CALM, 0 },
	{ "those in flight at the end", READ, 4, 64, 1000, 1064, 4256, 0, 0, CALM, 0 },
	{ "others read", READ, 4, 1, 1000, 1300, 5200, 0, 0, CALM, BIT(TRAFFIC) },
	{ "others write", READ, 4, 1, 1000, 1000, 4000, 300, 1200, CALM, BIT(TRAFFIC) },
	{ "others scan", READ, 4, 1, 1000, 1020, 24000, 0, 0, CALM, BIT(TRAFFIC) },
	{ "a little else", READ, 4, 1, 1000, 1040, 4160, 9, 36, CALM, 0 },
	{ "split requests are no traffic", SCAN, 1024, 4, 500, 4000, 516000, 0, 0,
	  CALM, 0 },
	{ "others scan too", SCAN, 1024, 4, 500, 900, 900000, 0, 0, CALM, BIT(TRAFFIC) },
	{ "merged requests are no cache", SCAN, 1024, 1, 500, 125, 512000, 0, 0,
	  CALM, 0 },
	{ "a cache answers", READ, 4, 1, 1000, 400, 1600, 0, 0, CALM, BIT(CACHE) },
	{ "readahead is no traffic", MAPPED, 4, 1, 100, 900, 800000, 0, 0, CALM, 0 },
	{ "mapped, others write", MAPPED, 4, 1, 1000, 1000, 4000, 300, 1200,
	  CALM, BIT(TRAFFIC) },
	{ "mapped, and in memory already", MAPPED, 4, 1, 1000, 100, 400, 0, 0,
	  CALM, BIT(CACHE) },
	{ "a file system's own writes", JOURNAL, 4, 1, 300, 0, 0, 900, 9000, CALM, 0 },
	{ "a journal alone", JOURNAL, 4, 1, 300, 0, 0, 300, 1200, CALM, 0 },
	{ "a journal, others read", JOURNAL, 4, 1, 300, 200, 800, 300, 1200,
	  CALM, BIT(TRAFFIC) },
	{ "the machine is busy", READ, 4, 1, 1000, 1000, 4000, 0, 0, 196, 4, 50, 0,
	  BIT(CPU) },
	{ "too short for ticks", READ, 4, 1, 1000, 1000, 4000, 0, 0, 8, 0, 50, 0, 0 },
	{ "one thread is busy", READ, 4, 1, 1000, 1000, 4000, 0, 0, 50, 50, 97, 0,
	  BIT(CPU) },
	{ "a quota", READ, 4, 1, 1000, 1000, 4000, 0, 0, 50, 50, 50, 1, BIT(CPU_QUOTA) },
	{ "below io.max", READ, 4, 1, 1790, 1790, 7160, 0, 0, CALM, 0 },
	{ "at io.max", READ, 4, 1, 1810, 1810, 7240, 0, 0, CALM, BIT(IO_MAX) },
	{ "readahead reaches io.max", MAPPED, 4, 1, 300, 1900, 7600, 0, 0,
	  CALM, BIT(IO_MAX) },
};

static void check_seen(const struct root *root, const struct seen *row)
{
	_cleanup_(watched_done) struct watched watched = { 0 };
	struct watch watch = { 0 };
	struct run run = { .work = row->work,
			   .mode = row->mode,
			   .block_kb = row->block_kb,
			   .depth = row->depth };
	struct run_result result = { .operations = row->operations,
				     .duration_us = 1000000,
				     .cpu_us = row->thread_percent * 10000ULL };
	char text[64] = { 0 };

	put_stat(root, 5000, 70000, 6000, 80000);
	put_cpu(root, 300, 400);
	folder_put(root, "/cg/cpu.stat", "nr_throttled 7\n");
	watched_find(root, DISK, &watched);
	watch_begin(&watched, &watch);
	put_stat(root, 5000 + row->reads, 70000 + 2 * row->read_kb, 6000 + row->writes,
		 80000 + 2 * row->write_kb);
	put_cpu(root, 300 + row->busy, 400 + row->idle);
	(void)snprintf(text, sizeof(text), "nr_throttled %u\n", 7 + row->throttled);
	folder_put(root, "/cg/cpu.stat", text);
	ROW_INT(row->name, watch_end(&watch, &run, &result), row->want);
}

static void test_seen(void **state)
{
	struct root *root = *state;

	put_cgroups(root);
	folder_put(root, DISK "/dev", "8:0\n");
	folder_put(root, "/cg/io.max", "8:0 rbps=max wbps=max riops=2000 wiops=max\n");
	for (size_t i = 0; i < ARRAY_SIZE(seen_rows); i++)
		check_seen(root, &seen_rows[i]);
}

/* Nothing to be read is nothing to be said. */
static void test_blind(void **state)
{
	struct root *root = *state;
	_cleanup_(watched_done) struct watched watched = { 0 };
	struct watch watch = { 0 };
	struct run run = { .block_kb = 4, .depth = 1 };
	struct run_result result = { .operations = 100, .duration_us = 1000000 };

	watched_find(root, DISK, &watched);
	watch_begin(&watched, &watch);
	assert_int_equal(watch_end(&watch, &run, &result), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the disk's counters", test_disk_stat),
		TEST("the processors' time", test_cpu_stat),
		FOLDER_TEST("our control group and those above", test_folders),
		FOLDER_TEST("a group outside of the name space", test_folders_outside),
		FOLDER_TEST("limits of control groups", test_io_limits),
		FOLDER_TEST("limits of what is below a stack", test_stack_limits),
		FOLDER_TEST("processors that we may use", test_processors),
		FOLDER_TEST("what the page cache has room for", test_cache_room),
		FOLDER_TEST("held up by a quota", test_throttled),
		FOLDER_TEST("a disk that does not count", test_counts),
		FOLDER_TEST("what stood in the way of a run", test_seen),
		FOLDER_TEST("a machine that shows nothing", test_blind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
