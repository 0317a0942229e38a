/* SPDX-License-Identifier: MIT */
/*
 * Whether a measurement still counts: what makes it stale, what counts in part, and the
 * store that goes by that.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "measure/store.h"
#include "support.h"

static void fill(struct measurement *one)
{
	memset(one, 0, sizeof(*one));
	strcpy(one->identity.wwn, "0x5002538d4002af71");
	strcpy(one->identity.firmware, "A1");
	strcpy(one->identity.attachment, "ahci");
	strcpy(one->identity.class, "sata-ssd");
	strcpy(one->identity.members, "m");
	strcpy(one->identity.members_state, "s");
	one->identity.size_kb = 1000;
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		strcpy(one->settings[i], "1");
}

static void test_stale(void **state)
{
	static const struct {
		const char *text;
		enum stale stale;
		size_t offset;
		bool tells_absence; /* that it is gone is a change, too */
	} rows[] = {
#define OF(member) offsetof(struct measurement, member)
		{ "firmware: was A1, is X", STALE_FIRMWARE, OF(identity.firmware),
		  false },
		{ "attachment: was ahci, is X", STALE_ATTACHMENT, OF(identity.attachment),
		  false },
		{ "class: was sata-ssd, is X", STALE_CLASS, OF(identity.class), false },
		{ "members: was m, is X", STALE_MEMBERS, OF(identity.members), true },
		{ "members_state: was s, is X", STALE_MEMBERS_STATE,
		  OF(identity.members_state), false },
		{ "scheduler: was 1, is X", STALE_SCHEDULER, OF(settings[0]), false },
		{ "queue_depth: was 1, is X", STALE_QUEUE_DEPTH, OF(settings[1]), false },
		{ "nr_requests: was 1, is X", STALE_NR_REQUESTS, OF(settings[2]), false },
		{ "max_sectors_kb: was 1, is X", STALE_MAX_SECTORS, OF(settings[3]),
		  false },
		{ "read_ahead_kb: was 1, is X", STALE_READ_AHEAD, OF(settings[4]),
		  false },
	};
	struct measurement old, now;
	char text[256];

	(void)state;
	fill(&old);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fill(&now);
		strcpy((char *)&now + rows[i].offset, "X");
		ROW_INT(rows[i].text, measurement_stale(&old, &now), 1U << rows[i].stale);
		ROW_TEXT(rows[i].text,
			 measurement_describe_stale(&old, &now, 1U << rows[i].stale, text,
						    sizeof(text)),
			 rows[i].text);
		*((char *)&now + rows[i].offset) = '\0';
		ROW_INT(rows[i].text, measurement_stale(&old, &now) != 0,
			rows[i].tells_absence);
	}
	fill(&now);
	assert_int_equal(measurement_stale(&old, &now), 0);
	assert_string_equal(measurement_describe_stale(&old, &now, 0, text, 256), "");
	now.identity.size_kb = 2000;
	strcpy(now.settings[TUNABLE_SCHEDULER], "bfq");
	assert_string_equal(measurement_describe_stale(
				    &old, &now, measurement_stale(&old, &now), text, 256),
			    "size: was 1000 KB, is 2000 KB; scheduler: was 1, is bfq");
	assert_string_equal(
		measurement_describe_stale(&old, &now, 1U << STALE_SIZE, text, 10),
		"size: was");
}

static void test_counts(void **state)
{
	static const struct {
		const char *name;
		struct point point;
		bool counts;
	} rows[] = {
		{ "direct", { .mode = IO_MODE_DIRECT }, true },
		{ "mmap", { .mode = IO_MODE_MMAP }, false },
		{ "mmap random", { .mode = IO_MODE_MMAP, .hint = HINT_RANDOM }, true },
		{ "buffered", { .mode = IO_MODE_BUFFERED }, false },
		{ "buffered random",
		  { .mode = IO_MODE_BUFFERED, .hint = HINT_RANDOM },
		  true },
		{ "a scan",
		  { .work = WORK_SEQUENTIAL_READ,
		    .mode = IO_MODE_BUFFERED,
		    .hint = HINT_SEQUENTIAL },
		  false },
		{ "a journal",
		  { .work = WORK_JOURNAL_WRITE, .mode = IO_MODE_DIRECT },
		  true },
	};
	const unsigned int read_ahead = 1U << STALE_READ_AHEAD;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ROW_INT(rows[i].name, point_counts(&rows[i].point, 0), true);
		ROW_INT(rows[i].name, point_counts(&rows[i].point, read_ahead),
			rows[i].counts);
		for (unsigned int j = 0; j < STALE_READ_AHEAD; j++) {
			assert_false(point_counts(&rows[i].point, 1U << j));
			assert_false(point_counts(&rows[i].point, 1U << j | read_ahead));
		}
	}
}

static void test_store(void **state)
{
	struct root *root = *state;
	struct measurement now = { 0 }, got = { 0 };
	_cleanup_names_ struct names names = { 0 };
	struct point point = {
		.block_kb = 4, .depth = 1, .operations = 1, .duration_us = 1
	};
	char path[MEASUREMENT_PATH_MAX];

	fill(&now);
	assert_int_equal(store_list(root, &names), 0);
	assert_int_equal(names.n, 0);
	store_begin(root, &now, &got);
	assert_memory_equal(&got, &now, sizeof(now));
	assert_int_equal(measurement_add(&got, &point), 0);
	assert_int_equal(store_save(root, &got, true), 0);
	store_begin(root, &now, &got);
	assert_int_equal(got.n, 1); /* goes on */
	strcpy(now.settings[TUNABLE_SCHEDULER], "bfq");
	store_begin(root, &now, &got);
	assert_memory_equal(&got, &now, sizeof(now)); /* begins anew */
	measurement_path(&now.identity, path);
	folder_put(root, path, "broken\n");
	store_begin(root, &now, &got);
	assert_memory_equal(&got, &now, sizeof(now));
	folder_put(root, PATH_MEASUREMENTS "/0123456789abcdef.77.tmp", "");
	folder_put(root, PATH_MEASUREMENTS "/README", "");
	assert_int_equal(store_list(root, &names), 0);
	assert_int_equal(names.n, 1);
	assert_string_equal(names.list[0], path);
}

/* Points of another medium, or of much more or less of it, are not those of one curve. */
static void test_other_area(void **state)
{
	static const struct {
		const char *name, *medium;
		uint64_t area_kb;
		bool goes_on;
	} rows[] = {
		{ "the same", "disk node", 1000, true },
		{ "not known", "", 0, true },
		{ "a file", "file on ext4", 1000, false },
		{ "twice as much", "disk node", 2000, true },
		{ "half", "disk node", 500, true },
		{ "more", "disk node", 2002, false },
		{ "less", "disk node", 499, false },
	};
	struct root *root = *state;
	struct measurement kept, now, got;
	struct point point = {
		.block_kb = 4, .depth = 1, .operations = 1, .duration_us = 1
	};

	fill(&kept);
	strcpy(kept.medium, "disk node");
	kept.area_kb = 1000;
	assert_int_equal(measurement_add(&kept, &point), 0);
	assert_int_equal(store_save(root, &kept, false), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fill(&now);
		strcpy(now.medium, rows[i].medium);
		now.area_kb = rows[i].area_kb;
		store_begin(root, &now, &got);
		ROW_INT(rows[i].name, got.n, rows[i].goes_on ? 1 : 0);
		ROW_TEXT(rows[i].name, got.medium,
			 *now.medium ? now.medium : "disk node");
	}
}

static struct point read_of(enum work work, uint32_t depth, uint64_t at)
{
	return (struct point){ .work = work,
			       .block_kb = 4,
			       .depth = depth,
			       .operations = 1,
			       .duration_us = 1,
			       .measured_at = at };
}

/* A run that ends at depth 4 has no peak at depth 64 of an earlier, faster day. */
static void test_finish(void **state)
{
	static struct measurement kept, fresh;

	(void)state;
	memset(&kept, 0, sizeof(kept));
	memset(&fresh, 0, sizeof(fresh));
	for (uint32_t depth = 1; depth <= 64; depth *= 2) {
		struct point point = read_of(WORK_RANDOM_READ, depth, 500);
		struct point write = read_of(WORK_RANDOM_WRITE, depth, 500);

		assert_int_equal(measurement_add(&kept, &point), 0);
		assert_int_equal(measurement_add(&kept, &write), 0);
	}
	for (uint32_t depth = 1; depth <= 4; depth *= 2) { /* the clock was set back */
		struct point point = read_of(WORK_RANDOM_READ, depth, 400);

		assert_int_equal(measurement_add(&fresh, &point), 0);
		store_add(&kept, &point);
	}
	assert_int_equal(kept.n, 14);
	store_finish(&kept, &fresh);
	assert_int_equal(kept.n, 7 + 3);
	for (size_t i = 0; i < kept.n; i++) {
		bool is_write = kept.points[i].work == WORK_RANDOM_WRITE;

		assert_int_equal(kept.points[i].measured_at, is_write ? 500 : 400);
	}
}

static void test_full(void **state)
{
	static struct measurement kept;
	struct point point = read_of(WORK_RANDOM_READ, 1000, 900);

	(void)state;
	memset(&kept, 0, sizeof(kept));
	for (uint32_t i = 0; i < POINTS_MAX; i++) {
		struct point old = read_of(WORK_RANDOM_WRITE, i + 1, i == 70 ? 1 : 500);

		assert_int_equal(measurement_add(&kept, &old), 0);
	}
	store_add(&kept, &point);
	assert_int_equal(kept.n, POINTS_MAX);
	for (size_t i = 0; i < kept.n; i++)
		assert_int_not_equal(kept.points[i].measured_at, 1);
	assert_int_equal(kept.points[POINTS_MAX - 1].measured_at, 900);
	assert_int_equal(kept.points[69].depth, 70);
	assert_int_equal(kept.points[70].depth, 72);
}

#define KEPT PATH_MEASUREMENTS "/0123456789abcdef"
#define COPY PATH_MEASUREMENTS_COPIES "/0123456789abcdef"
#define OLD_COPY PATH_MEASUREMENTS_COPIES "/00000000000000ff"

static void test_copies(void **state)
{
	struct root *root = *state;

	folder_put(root, OLD_COPY, "old");
	assert_int_equal(store_copy(root), 0);
	assert_string_equal(folder_get(root, OLD_COPY), "old"); /* not mounted */
	folder_put(root, KEPT, "one");
	folder_put(root, PATH_MEASUREMENTS_COPIES "/README", "");
	assert_int_equal(store_copy(root), 0);
	assert_string_equal(folder_get(root, COPY), "one");
	assert_false(root_exists(root, OLD_COPY));
	assert_true(root_exists(root, PATH_MEASUREMENTS_COPIES "/README"));
	folder_put(root, KEPT, "two");
	assert_int_equal(store_copy(root), 0);
	assert_string_equal(folder_get(root, COPY), "two");
	assert_int_equal(unlink(folder_path_of(root, KEPT)), 0);
	assert_int_equal(store_copy(root), 0);
	assert_false(root_exists(root, COPY));
}

/* Two disks under one name, as a hash or a maker may have it: each has its own or none.
 */
static void test_other_disk(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct measurement now = { 0 }, got = { .n = 77 };
	unsigned int stale = 99;

	fill(&now);
	strcpy(now.identity.serial, "ONE12345");
	assert_int_equal(store_save(root, &now, false), 0);
	strcpy(now.identity.serial, "TWO12345");
	assert_int_equal(measurement_load(root, PATH_MEASUREMENTS, &now, &problems, &got,
					  &stale),
			 -ENOENT);
	assert_int_equal(got.n, 77);
	assert_int_equal(stale, 99);
	strcpy(now.identity.serial, "ONE12345");
	strcpy(now.identity.firmware, "A2");
	assert_int_equal(measurement_load(root, PATH_MEASUREMENTS, &now, &problems, &got,
					  &stale),
			 0);
	assert_int_equal(stale, 1U << STALE_FIRMWARE);
	assert_string_equal(got.identity.firmware, "A1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("what makes it stale", test_stale),
		TEST("what counts in part", test_counts),
		FOLDER_TEST("the store", test_store),
		FOLDER_TEST("another medium, another area", test_other_area),
		TEST("a run stands alone", test_finish),
		TEST("no room", test_full),
		FOLDER_TEST("copies for events", test_copies),
		FOLDER_TEST("another disk under the same name", test_other_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
