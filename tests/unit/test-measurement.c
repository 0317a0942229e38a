/* SPDX-License-Identifier: MIT */
/*
 * The file of a measurement: what is written comes back, whatever a device calls itself;
 * a broken line is told with its number and leaves nothing; what a later version wrote is
 * passed over; no mutation crashes, or is read in part.
 */
#include <errno.h>
#include <string.h>

#include "measure/store.h"
#include "support.h"

#define FILE_PATH "/var/lib/blkadvise/measurements/0123456789abcdef"

static const char sound[] =
	"# a comment\n"
	"format=1\n"
	"\n"
	"[disk]\n"
	"wwn=0x5002538d4002af71\n"
	"model=Samsung SSD 850 PRO 256GB\n"
	"serial=S251NSAG400480W\n"
	"firmware=EXM02B6Q\n"
	"attachment=ahci\n"
	"class=sata-ssd\n"
	"size_kb=250059096\n"
	"[settings]\n"
	"scheduler=none\n"
	"[points]\n"
	"point=random-read direct normal io_uring 4 1 9000 1000000 100 210 1700000000 -\n"
	"point=random-read direct normal threads 4 2 17000 1000000 105 230 1700000001 "
	"cpu,traffic\n";

static struct point a_point(uint32_t depth)
{
	return (struct point){
		.work = WORK_RANDOM_READ,
		.mode = IO_MODE_DIRECT,
		.hint = HINT_NORMAL,
		.engine = IO_ENGINE_IO_URING,
		.block_kb = 4,
		.depth = depth,
		.operations = 1000,
		.duration_us = 500000,
		.p50_us = 80,
		.p99_us = 120,
		.measured_at = 1700000000,
	};
}

static void test_round_trip(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct measurement one = { 0 }, again = { 0 };

	strcpy(one.identity.wwn, "eui.0025388b71b2c3d4");
	strcpy(one.identity.model, "[disk] = # ; \"x\" \\ point=");
	strcpy(one.identity.serial, "#S1;=");
	strcpy(one.identity.firmware, "[2B]");
	strcpy(one.identity.attachment, "nvme-pcie");
	strcpy(one.identity.class, "nvme-ssd");
	strcpy(one.identity.place, "pci-0000:01:00.0-nvme-1");
	strcpy(one.identity.machine, "00112233445566778899aabbccddeeff");
	strcpy(one.identity.members, "0123456789abcdef");
	strcpy(one.identity.members_state, "fedcba9876543210");
	strcpy(one.medium, "own file on ext4");
	one.area_kb = 1048576;
	one.identity.size_kb = UINT64_MAX;
	one.identity.weak = true;
	for (unsigned int i = 0; i < _TUNABLE_MAX; i++)
		(void)snprintf(one.settings[i], sizeof(one.settings[i]), "value-%u", i);
	for (unsigned int i = 0; i < POINTS_MAX; i++) {
		struct point point = a_point(i + 1);

		point.work = (enum work)(i % _WORK_MAX);
		point.mode = (enum io_mode)(i % _IO_MODE_MAX);
		point.hint = (enum hint)(i % _HINT_MAX);
		point.engine = (enum io_engine)(i % _IO_ENGINE_MAX);
		point.limits = i % (1U << _LIMIT_MAX);
		assert_int_equal(measurement_add(&one, &point), 0);
	}
	assert_int_equal(store_save(root, &one, false), 0);

	char path[MEASUREMENT_PATH_MAX];

	measurement_path(&one.identity, path);
	assert_int_equal(measurement_load_file(root, path, &problems, &again), 0);
	assert_int_equal(problems.n, 0);
	assert_memory_equal(&one, &again, sizeof(one));
}

/* The longest file that can be is one that can be read. */
static void test_longest(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct measurement one = { 0 }, again = { 0 };
	char text[MEASUREMENT_TEXT_MAX];

	memset(one.identity.wwn, 'w', sizeof(one.identity.wwn) - 1);
	memset(one.identity.model, 'm', sizeof(one.identity.model) - 1);
	memset(one.identity.serial, 's', sizeof(one.identity.serial) - 1);
	memset(one.identity.place, 'p', sizeof(one.identity.place) - 1);
	for (unsigned int i = 0; i < POINTS_MAX; i++) {
		struct point point = a_point((1U << 20) - i);

		point.work = WORK_SEQUENTIAL_WRITE;
		point.mode = IO_MODE_BUFFERED;
		point.hint = HINT_SEQUENTIAL;
		point.block_kb = 1U << 20;
		point.operations = point.duration_us = 1ULL << 40;
		point.p50_us = point.p99_us = UINT32_MAX;
		point.measured_at = UINT64_MAX;
		point.limits = (1U << _LIMIT_MAX) - 1;
		assert_int_equal(measurement_add(&one, &point), 0);
	}
	assert_int_equal(measurement_format(&one, text, sizeof(text)), 0);
	folder_put(root, FILE_PATH, text);
	assert_int_equal(measurement_load_file(root, FILE_PATH, &problems, &again), 0);
	assert_memory_equal(&one, &again, sizeof(one));
	assert_int_equal(measurement_format(&one, text, 1000), -ENOSPC);
	assert_int_equal(measurement_format(&one, text, 0), -ENOSPC);
}

static void test_sound(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct measurement one = { 0 };

	folder_put(root, FILE_PATH, sound);
	assert_int_equal(measurement_load_file(root, FILE_PATH, &problems, &one), 0);
	assert_string_equal(one.identity.model, "Samsung SSD 850 PRO 256GB");
	assert_int_equal(one.identity.size_kb, 250059096);
	assert_false(one.identity.weak);
	assert_string_equal(one.settings[TUNABLE_SCHEDULER], "none");
	assert_int_equal(one.n, 2);
	assert_int_equal(one.points[1].engine, IO_ENGINE_THREADS);
	assert_int_equal(one.points[1].limits, 1U << LIMIT_CPU | 1U << LIMIT_TRAFFIC);
	assert_int_equal(one.points[1].p99_us, 230);
}

/* One replacement in the sound file, and the first problem that comes of it. */
static const struct {
	const char *name, *from, *to, *problem;
} broken[] = {
	{ "no format", "format=1\n", "",
	  FILE_PATH ":0: has no format, so it is no measurement" },
	{ "other format", "format=1", "format=2",
	  FILE_PATH ":2: format 2 is not one that this version knows" },
	{ "two formats", "format=1", "format=1\nformat=1",
	  FILE_PATH ":3: a second format" },
	{ "no number", " 9000 ", " 9e3 ",
	  FILE_PATH ":15: operations of a point makes no sense" },
	{ "negative", " 9000 ", " -1 ",
	  FILE_PATH ":15: operations of a point makes no sense" },
	{ "no operations", " 9000 ", " 0 ",
	  FILE_PATH ":15: operations of a point makes no sense" },
	{ "no duration", " 9000 1000000 ", " 9000 0 ",
	  FILE_PATH ":15: duration_us of a point makes no sense" },
	{ "no depth", "io_uring 4 1 ", "io_uring 4 0 ",
	  FILE_PATH ":15: depth of a point makes no sense" },
	{ "no block size", "io_uring 4 1 ", "io_uring 0 1 ",
	  FILE_PATH ":15: block_kb of a point makes no sense" },
	{ "latency too large", " 210 ", " 4294967296 ",
	  FILE_PATH ":15: p99_us of a point makes no sense" },
	{ "latencies the wrong way", " 100 210 ", " 210 100 ",
	  FILE_PATH ":15: p99_us of a point makes no sense" },
	{ "time too large", " 1700000000 ", " 18446744073709551616 ",
	  FILE_PATH ":15: measured_at of a point makes no sense" },
	{ "too few fields", " 1700000000 -", " 1700000000",
	  FILE_PATH ":15: a point has 12 fields" },
	{ "no fields",
	  "point=random-read direct normal io_uring 4 1 9000 1000000 100 210 "
	  "1700000000 -",
	  "point=", FILE_PATH ":15: a point has 12 fields" },
	{ "a point twice", "threads 4 2 ", "threads 4 1 ",
	  FILE_PATH ":16: a second point of the same kind" },
	{ "a key twice", "firmware=EXM02B6Q", "serial=X",
	  FILE_PATH ":8: a second serial" },
	{ "an empty value", "serial=S251NSAG400480W",
	  "serial=", FILE_PATH ":7: serial has no value" },
	{ "a byte", "serial=S251", "serial=\303\244",
	  FILE_PATH ":7: serial is not printable" },
	{ "too long", "attachment=ahci", "attachment=0123456789012345678901234567890123",
	  FILE_PATH ":9: attachment has more than 31 characters" },
	{ "no size", "size_kb=250059096", "size_kb=250G",
	  FILE_PATH ":11: not a size: 250G" },
	{ "size 0", "size_kb=250059096", "size_kb=0", FILE_PATH ":11: not a size: 0" },
	{ "weak?", "size_kb=250059096", "weak=2",
	  FILE_PATH ":11: weak is 1 or 0, and given once" },
	{ "weak without a place", "size_kb=250059096", "weak=1",
	  FILE_PATH ":0: does not say of which disk it is" },
	{ "a line", "[settings]", "[settings",
	  FILE_PATH ":12: not a section head: [settings" },
	{ "no key", "scheduler=none", "scheduler",
	  FILE_PATH ":13: no Key=Value: scheduler" },
	{ "a setting twice", "scheduler=none", "scheduler=none\nscheduler=none",
	  FILE_PATH ":14: a second scheduler" },
};

static void replaced(const char *from, const char *to, char *buf, size_t size)
{
	const char *p = strstr(sound, from);

	assert_non_null(p);
	(void)snprintf(buf, size, "%.*s%s%s", (int)(p - sound), sound, to,
		       p + strlen(from));
}

static void test_broken(void **state)
{
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
		struct measurement one = { .n = 77 };
		char text[4096];

		replaced(broken[i].from, broken[i].to, text, sizeof(text));
		folder_put(root, FILE_PATH, text);
		ROW_INT(broken[i].name,
			measurement_load_file(root, FILE_PATH, &problems, &one),
			-EBADMSG);
		ROW_INT(broken[i].name, problems.n, 1);
		ROW_TEXT(broken[i].name, problem_text(&problems, 0), broken[i].problem);
		ROW_INT(broken[i].name, one.n, 77);
	}
}

/* At each byte the file may end. Only where a whole line is missing is it a sound one. */
static void test_cut(void **state)
{
	struct root *root = *state;

	for (size_t len = 0; len < strlen(sound); len++) {
		_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
		struct measurement one = { .n = 77 };
		char text[sizeof(sound)] = "";
		int r = 0;

		memcpy(text, sound, len);
		folder_put(root, FILE_PATH, text);
		r = measurement_load_file(root, FILE_PATH, &problems, &one);
		if (r == 0)
			assert_int_equal(text[len - 1], '\n');
		else
			assert_int_equal(r, -EBADMSG);
		assert_int_equal(one.n == 77, r < 0);
		assert_int_equal(problems.n > 0, r < 0);
	}
}

static void test_missing(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct measurement one = { .n = 77 };
	static char large[MEASUREMENT_TEXT_MAX + 8];

	assert_int_equal(measurement_load_file(root, FILE_PATH, &problems, &one),
			 -ENOENT);
	assert_int_equal(problems.n, 0);
	memset(large, '#', sizeof(large) - 2);
	large[sizeof(large) - 2] = '\n';
	folder_put(root, FILE_PATH, large);
	assert_int_equal(measurement_load_file(root, FILE_PATH, &problems, &one),
			 -EBADMSG);
	assert_string_equal(problem_text(&problems, 0),
			    FILE_PATH ":0: larger than 32767 bytes");
	assert_int_equal(one.n, 77);
	ini_problems_done(&problems);
}

static void test_later_version(void **state)
{
	static const struct {
		const char *name, *from, *to;
		size_t points;
	} rows[] = {
		{ "a work", "point=random-read direct normal io",
		  "point=trim direct normal io", 1 },
		{ "a mode", "direct normal io_uring", "dax normal io_uring", 1 },
		{ "a hint", "direct normal io_uring", "direct noreuse io_uring", 1 },
		{ "an engine", "io_uring", "aio", 1 },
		{ "a limit", "cpu,traffic", "cpu,thermal", 1 },
		{ "a field", " 1700000000 -", " 1700000000 - 17", 2 },
		{ "a key of the disk", "class=sata-ssd", "class=sata-ssd\ncolour=red",
		  2 },
		{ "a setting", "scheduler=none", "scheduler=none\nwbt_lat_usec=75000",
		  2 },
		{ "a key of the points", "[points]", "[points]\nseed=1", 2 },
		{ "a section", "[points]", "[curves]\npoint=x\n[points]", 2 },
		{ "a key at the top", "format=1", "format=1\nby=2.0", 2 },
	};
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ini_problems problems = { 0 };
		struct measurement one = { 0 };
		char text[4096];

		replaced(rows[i].from, rows[i].to, text, sizeof(text));
		folder_put(root, FILE_PATH, text);
		ROW_INT(rows[i].name,
			measurement_load_file(root, FILE_PATH, &problems, &one), 0);
		ROW_INT(rows[i].name, one.n, rows[i].points);
	}
}

static void test_too_many(void **state)
{
	struct root *root = *state;
	_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
	struct measurement one = { .n = 77 };
	static char text[MEASUREMENT_TEXT_MAX];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", sound);

	for (unsigned int i = 3; i <= POINTS_MAX + 1; i++)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len,
			"point=random-read direct normal threads 4 %u 1 1 1 "
			"1 1 -\n",
			i);
	folder_put(root, FILE_PATH, text);
	assert_int_equal(measurement_load_file(root, FILE_PATH, &problems, &one),
			 -EBADMSG);
	assert_string_equal(problem_text(&problems, 0),
			    FILE_PATH ":143: more than 128 points");
	assert_int_equal(one.n, 77);
}

static void test_add(void **state)
{
	struct measurement one = { 0 };
	struct point point = a_point(1);

	(void)state;
	for (uint32_t i = 1; i <= POINTS_MAX; i++) {
		point.depth = i;
		assert_int_equal(measurement_add(&one, &point), 0);
	}
	point.depth = POINTS_MAX + 1;
	assert_int_equal(measurement_add(&one, &point), -ENOSPC);
	point.depth = 5;
	point.engine = IO_ENGINE_THREADS;
	point.operations = 5;
	assert_int_equal(measurement_add(&one, &point), 0);
	assert_int_equal(one.n, POINTS_MAX);
	assert_int_equal(one.points[4].operations, 5);
	assert_int_equal(one.points[4].engine, IO_ENGINE_THREADS);
	assert_int_equal(one.points[3].operations, 1000);
}

static void test_rates(void **state)
{
	static const struct {
		const char *name;
		uint64_t operations, us;
		uint32_t block_kb;
		uint64_t iops, kbps;
	} rows[] = {
		{ "half a second", 1000, 500000, 4, 2000, 8000 },
		{ "rounded up", 2, 3000000, 4, 1, 3 },
		{ "rounded down", 10, 3000000, 1, 3, 3 },
		{ "at least one", 1, 3600000000, 4, 1, 0 },
		{ "odd", 12345, 1000001, 4, 12345, 49380 },
		{ "large", 1ULL << 40, 1ULL << 40, 1U << 20, 1000000, 1048576000000 },
		{ "beyond", UINT64_MAX, 1, 4, UINT64_MAX, UINT64_MAX },
		{ "no time", 1, 0, 1, 1000000, 1000000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct point point = { .operations = rows[i].operations,
				       .duration_us = rows[i].us,
				       .block_kb = rows[i].block_kb };

		ROW_INT(rows[i].name, point_iops(&point), rows[i].iops);
		ROW_INT(rows[i].name, point_kbps(&point), rows[i].kbps);
	}
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void mutate(char *text, size_t len, uint32_t *seed)
{
	static const char bytes[] = "\n=[]# ,-0194a\t\001\377";

	for (uint32_t i = 1 + next_random(seed) % 4; i > 0; i--)
		text[next_random(seed) % len] =
			bytes[next_random(seed) % (sizeof(bytes) - 1)];
}

/* A text that is taken is one that is written the same again. */
static void test_garbage(void **state)
{
	struct root *root = *state;
	struct measurement again = { 0 };
	uint32_t seed = 20261130;
	size_t taken = 0, refused = 0;

	for (unsigned int round = 0; round < 4000; round++) {
		_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
		struct measurement one = { .n = 77 };
		char text[MEASUREMENT_TEXT_MAX];
		int r = 0;

		strcpy(text, sound);
		mutate(text, strlen(sound), &seed);
		folder_put(root, FILE_PATH, text);
		r = measurement_load_file(root, FILE_PATH, &problems, &one);
		assert_true(r == 0 || r == -EBADMSG);
		assert_int_equal(problems.n > 0, r < 0);
		taken += r == 0;
		refused += r < 0;
		if (r < 0) {
			assert_int_equal(one.n, 77);
			continue;
		}
		assert_true(one.n <= 2);
		assert_int_equal(measurement_format(&one, text, sizeof(text)), 0);
		folder_put(root, FILE_PATH, text);
		memset(&again, 0xff, sizeof(again));
		assert_int_equal(
			measurement_load_file(root, FILE_PATH, &problems, &again), 0);
		assert_memory_equal(&one, &again, sizeof(one));
	}
	assert_true(taken > 100 && refused > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("what is written comes back", test_round_trip),
		FOLDER_TEST("the longest file", test_longest),
		FOLDER_TEST("a file as it should be", test_sound),
		FOLDER_TEST("broken lines are told", test_broken),
		FOLDER_TEST("a file that is cut off", test_cut),
		FOLDER_TEST("no file, and one too large", test_missing),
		FOLDER_TEST("what a later version wrote", test_later_version),
		FOLDER_TEST("too many points", test_too_many),
		TEST("points are added and replaced", test_add),
		TEST("operations and KB a second", test_rates),
		FOLDER_TEST("garbage", test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
