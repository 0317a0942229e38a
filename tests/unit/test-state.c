/* SPDX-License-Identifier: MIT */
/*
 * The memory of a disk: what is saved comes back, another disk under the same number
 * inherits nothing, rubbish is reported, what a later version wrote is passed over, a
 * write whose end nobody saw is adopted, and three re-assertions within an hour make a
 * rival.
 */
#include <errno.h>
#include <string.h>

#include "apply/state.h"
#include "base/file.h"
#include "base/paths.h"
#include "support.h"

#define DISK_FOLDER "/sys/block/sda"
#define FILE_8_0 PATH_STATE "/8:0"

static struct disk *new_disk(const struct root *root, const char *dev)
{
	struct disk *disk = calloc(1, sizeof(*disk));

	assert_non_null(disk);
	folder_put(root, DISK_FOLDER "/size", "1\n");
	strcpy(disk->syspath, DISK_FOLDER);
	facts_init(&disk->facts);
	facts_set_text(&disk->facts, FACT_NAME, "sda");
	if (dev)
		facts_set_text(&disk->facts, FACT_DEV, dev);
	return disk;
}

static void test_round_trip(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 }, again = { 0 };

	assert_int_equal(state_load(root, disk, 1000, &file), 0);
	assert_string_equal(file.key, "8:0");
	assert_true(file.inode > 0);
	file.state.held = true;
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		struct tunable_state *slot = &file.state.tunables[i];

		slot->has_initial = slot->has_written = slot->held = true;
		(void)snprintf(slot->initial, sizeof(slot->initial), "initial-%zu", i);
		(void)snprintf(slot->written, sizeof(slot->written), "written-%zu", i);
		slot->has_pending = slot->has_asked = slot->rival_told = true;
		(void)snprintf(slot->pending, sizeof(slot->pending), "pending-%zu", i);
		(void)snprintf(slot->asked, sizeof(slot->asked), "asked-%zu", i);
		(void)snprintf(slot->answer, sizeof(slot->answer), "answer-%zu", i);
		for (uint64_t when = 1; when <= REASSERTS_MAX; when++)
			state_note_reassert(&file, (enum tunable)i, 990 + when);
		slot->rival = true;
	}
	assert_int_equal(state_save(root, &file), 0);
	assert_int_equal(state_load(root, disk, 1000, &again), 0);
	assert_memory_equal(&file, &again, sizeof(file));
	assert_int_equal(folder_count(root, PATH_STATE), 1);
}

static void test_parts(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	char text[128];

	assert_int_equal(state_load(root, disk, 1, &file), 0);
	(void)snprintf(text, sizeof(text), "INODE=%llu\nscheduler.initial=none\n",
		       (unsigned long long)file.inode);
	assert_int_equal(state_save(root, &file), 0);
	folder_put(root, FILE_8_0, text);
	assert_int_equal(state_load(root, disk, 1, &file), 0);
	assert_true(file.state.tunables[TUNABLE_SCHEDULER].has_initial);
	assert_false(file.state.tunables[TUNABLE_SCHEDULER].has_written);
	assert_false(file.state.held);
	assert_false(file.state.tunables[TUNABLE_READ_AHEAD_KB].has_initial);
}

static void test_other_disk(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	ino_t inode = 0;

	assert_int_equal(state_load(root, disk, 1, &file), 0);
	inode = file.inode;
	file.inode++;
	file.state.held = true;
	assert_int_equal(state_save(root, &file), 0);
	assert_int_equal(state_load(root, disk, 1, &file), 0);
	assert_false(file.state.held);
	assert_int_equal(file.inode, inode);
}

static void test_garbage(void **state)
{
	static const char *const garbage[] = {
		"",
		"\n",
		"nonsense\n",
		"INODE=x\n",
		"INODE=-1\n",
		"INODE=\n",
		"INODE=1\nnonsense\n",
		"INODE=1\nread_ahead_kb.initial=\n",
		"INODE=1\nread_ahead_kb.initial=a b\n",
		"INODE=1\n\x01\x02\n",
		/* cut off, at the end and at the head */
		"INODE=1\nread_ahead_kb.ini",
		"INODE=1\nread_ahead_kb.initial=12",
		"INODE=1",
		"read_ahead_kb.initial=128\n",
	};
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");

	for (size_t i = 0; i < ARRAY_SIZE(garbage); i++) {
		struct state_file file;

		memset(&file, 0xa5, sizeof(file));
		folder_put(root, FILE_8_0, garbage[i]);
		ROW_INT(garbage[i], state_load(root, disk, 1, &file), -EBADMSG);
		ROW_TEXT(garbage[i], file.key, "8:0");
		ROW_INT(garbage[i], file.state.held, false);
		for (size_t k = 0; k < _TUNABLE_MAX; k++)
			ROW_INT(garbage[i], file.state.tunables[k].has_initial, false);
	}
}

/* A package that was put back to an older version must not lose the baseline. */
static void test_later_version(void **state)
{
	static const char *const lines =
		"VERSION=7\n"
		"INODE.GENERATION=3\n"
		"HELD=maybe\n"
		"read_ahead_kb=1\n"
		"read_ahead_kb.color=1\n"
		"read_ahead_kb.held=2\n"
		"read_ahead_kb.reassert=soon\n"
		"scheduler.initial=0123456789012345678901234567890123456789\n"
		"wbt_lat_usec.initial=75000\n"
		"read_ahead_kb.written=512\n"
		"read_ahead_kb.initial=128\n";
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	const struct tunable_state *slot = &file.state.tunables[TUNABLE_READ_AHEAD_KB];
	char text[1024];

	assert_int_equal(state_load(root, disk, 1, &file), 0);
	(void)snprintf(text, sizeof(text), "INODE=%llu\n%s",
		       (unsigned long long)file.inode, lines);
	folder_put(root, FILE_8_0, text);
	assert_int_equal(state_load(root, disk, 1, &file), 0);
	assert_true(slot->has_initial);
	assert_string_equal(slot->initial, "128");
	assert_true(slot->has_written);
	assert_string_equal(slot->written, "512");
	assert_false(slot->held);
	assert_false(slot->rival);
	assert_false(file.state.held);
	assert_false(file.state.tunables[TUNABLE_SCHEDULER].has_initial);
}

/* What a killed writer left behind. */
static void test_pending(void **state)
{
	static const struct {
		const char *name;
		const char *written, *pending, *current; /* NULL: none, unknown */
		bool adopted;
	} rows[] = {
		{ "the write went through", NULL, "512", "512", true },
		{ "it did not", NULL, "512", "128", false },
		{ "the kernel made another value of it", NULL, "510", "508", false },
		{ "the second write went through", "512", "64", "64", true },
		{ "the second write did not", "512", "64", "512", false },
		{ "the value cannot be read", NULL, "512", NULL, false },
		{ "nothing was begun", "512", NULL, "512", false },
	};
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct state_file file = { 0 };
		struct tunable_state *slot = &file.state.tunables[TUNABLE_READ_AHEAD_KB];
		const char *written = rows[i].adopted ? rows[i].pending : rows[i].written;
		const struct given now[] = {
			{ FACT_READ_AHEAD_KB, rows[i].current ? rows[i].current : "?" },
			{ FACT_NAME, NULL },
		};

		give(&disk->facts, now);
		(void)file_remove(root, FILE_8_0);
		assert_int_equal(state_load(root, disk, 1, &file), 0);
		slot->has_initial = true;
		strcpy(slot->initial, "128");
		slot->has_written = rows[i].written != NULL;
		strcpy(slot->written, rows[i].written ? rows[i].written : "");
		slot->has_pending = rows[i].pending != NULL;
		strcpy(slot->pending, rows[i].pending ? rows[i].pending : "");
		assert_int_equal(state_save(root, &file), 0);
		memset(&file, 0, sizeof(file));
		assert_int_equal(state_load(root, disk, 1, &file), 0);
		ROW_TEXT(rows[i].name, slot->initial, "128");
		ROW_INT(rows[i].name, slot->has_written, written != NULL);
		ROW_TEXT(rows[i].name, slot->written, written ? written : "");
		/* settled once, unless the value cannot be read */
		ROW_INT(rows[i].name, slot->has_pending,
			rows[i].pending && !rows[i].current);
		ROW_INT(rows[i].name, file.settled,
			rows[i].pending && rows[i].current);
		ROW_INT(rows[i].name, slot->has_initial,
			slot->has_pending || slot->has_written);
	}
}

/* A rival is told once; when there is none any more, the next one is told again. */
static void test_rival_told(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	const struct tunable_state *slot = &file.state.tunables[TUNABLE_READ_AHEAD_KB];

	assert_int_equal(state_load(root, disk, 100, &file), 0);
	for (uint64_t when = 97; when < 100; when++)
		state_note_reassert(&file, TUNABLE_READ_AHEAD_KB, when);
	file.state.tunables[TUNABLE_READ_AHEAD_KB].rival_told = true;
	assert_int_equal(state_save(root, &file), 0);
	assert_int_equal(state_load(root, disk, 101, &file), 0);
	assert_true(slot->rival);
	assert_true(slot->rival_told);
	assert_int_equal(state_load(root, disk, 97 + REASSERT_WINDOW_S, &file), 0);
	assert_false(slot->rival);
	assert_false(slot->rival_told);
}

static void test_too_large(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	char text[8192];

	memset(text, '\n', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	folder_put(root, FILE_8_0, text);
	assert_int_equal(state_load(root, disk, 1, &file), -EFBIG);
	assert_string_equal(file.key, "8:0");
}

struct rival_row {
	const char *name;
	uint64_t when[4]; /* 0: none */
	uint64_t now;
	bool rival;
};

static const struct rival_row rival_rows[] = {
	{ "none", { 0 }, 5000, false },
	{ "two", { 4998, 4999 }, 5000, false },
	{ "three", { 4997, 4998, 4999 }, 5000, true },
	{ "three, the first just within the hour", { 1401, 4998, 4999 }, 5000, true },
	{ "three, the first an hour ago", { 1400, 4998, 4999 }, 5000, false },
	{ "four, the first long ago", { 10, 4997, 4998, 4999 }, 5000, true },
	{ "three long ago", { 1, 2, 3 }, 5000, false },
	{ "from the future", { 6000, 6001, 6002 }, 5000, false },
};

static void test_rivals(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");

	for (size_t i = 0; i < ARRAY_SIZE(rival_rows); i++) {
		const struct rival_row *row = &rival_rows[i];
		struct state_file file = { 0 };

		(void)file_remove(root, FILE_8_0);
		assert_int_equal(state_load(root, disk, row->now, &file), 0);
		for (size_t k = 0; k < ARRAY_SIZE(row->when); k++) {
			if (row->when[k])
				state_note_reassert(&file, TUNABLE_READ_AHEAD_KB,
						    row->when[k]);
		}
		assert_int_equal(state_save(root, &file), 0);
		assert_int_equal(state_load(root, disk, row->now, &file), 0);
		ROW_INT(row->name, file.state.tunables[TUNABLE_READ_AHEAD_KB].rival,
			row->rival);
		ROW_INT(row->name, file.state.tunables[TUNABLE_SCHEDULER].rival, false);
	}
}

static void test_keys(void **state)
{
	static const struct {
		const char *dev, *name, *key; /* key NULL: none */
	} rows[] = {
		{ "8:0", "sda", "8:0" },
		{ NULL, "nvme0c0n1", "nvme0c0n1" },
		{ NULL, "../../etc/passwd", NULL },
		{ NULL, "a/b", NULL },
		{ NULL, ".hidden", NULL },
		{ "8:0\n9", "sda", NULL },
		{ NULL, "cciss!c0d0", NULL },
	};
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_disk_ struct disk *disk = new_disk(root, rows[i].dev);
		char key[64] = "";

		facts_set_text(&disk->facts, FACT_NAME, rows[i].name);
		ROW_INT(rows[i].name, state_key(disk, key, sizeof(key)),
			rows[i].key != NULL);
		if (rows[i].key)
			ROW_TEXT(rows[i].name, key, rows[i].key);
		ROW_INT(rows[i].name, state_key(disk, key, 3), false);
	}
}

static void test_remove(void **state)
{
	struct root *root = *state;
	_cleanup_disk_ struct disk *disk = new_disk(root, "8:0");
	struct state_file file = { 0 };
	int lock = -1;

	assert_int_equal(state_lock(root, "8:0", 100, &lock), 0);
	assert_int_equal(state_load(root, disk, 1, &file), 0);
	assert_int_equal(state_save(root, &file), 0);
	assert_int_equal(folder_count(root, PATH_STATE), 2);
	(void)close(lock);
	assert_int_equal(state_remove(root, "8:0"), 0);
	assert_int_equal(folder_count(root, PATH_STATE), 1);
	assert_int_equal(state_remove(root, "8:0"), 0);
	assert_int_equal(state_remove(root, "../disks/8:0"), -EINVAL);
	assert_int_equal(state_remove(root, ""), -EINVAL);
}

/* Who waits for the lock while the disk is forgotten still waits for the same one. */
static void test_remove_under_lock(void **state)
{
	struct root *root = *state;
	int first = -1, second = -1;

	assert_int_equal(state_lock(root, "8:0", 0, &first), 0);
	assert_int_equal(state_remove(root, "8:0"), 0);
	assert_int_equal(state_lock(root, "8:0", 20, &second), -ETIMEDOUT);
	assert_true(state_is_locked(root, "8:0", 0));
	(void)close(first);
	assert_false(state_is_locked(root, "8:0", 0));
	assert_false(state_is_locked(root, "8:16", 0));
	assert_int_equal(folder_count(root, PATH_STATE), 1);
}

static void test_lock(void **state)
{
	struct root *root = *state;
	int first = -1, second = -1;

	assert_int_equal(state_lock(root, "8:0", 100, &first), 0);
	assert_int_equal(state_lock(root, "8:0", 20, &second), -ETIMEDOUT);
	assert_int_equal(second, -1);
	assert_int_equal(state_lock(root, "8:16", 20, &second), 0);
	(void)close(second);
	(void)close(first);
	assert_int_equal(state_lock(root, "8:0", 20, &first), 0);
	(void)close(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("what is saved comes back", test_round_trip),
		FOLDER_TEST("a file with some of the lines", test_parts),
		FOLDER_TEST("another disk under the number inherits nothing",
			    test_other_disk),
		FOLDER_TEST("garbage is -EBADMSG and empty", test_garbage),
		FOLDER_TEST("a later version's lines are passed over",
			    test_later_version),
		FOLDER_TEST("a write whose end nobody saw", test_pending),
		FOLDER_TEST("a rival is told once", test_rival_told),
		FOLDER_TEST("a file that is too large", test_too_large),
		FOLDER_TEST("three rounds in an hour make a rival", test_rivals),
		FOLDER_TEST("keys never leave the folder", test_keys),
		FOLDER_TEST("forgetting a disk", test_remove),
		FOLDER_TEST("forgetting a disk whose lock is held",
			    test_remove_under_lock),
		FOLDER_TEST("one lock a disk", test_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
