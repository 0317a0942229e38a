/* SPDX-License-Identifier: MIT */
/*
 * The memory of a disk: what is saved comes back, another disk under the same number
 * inherits nothing, rubbish is reported and forgotten, and three re-assertions within an
 * hour make a rival.
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
		"nonsense\n",
		"INODE=x\n",
		"INODE=-1\n",
		"HELD=yes\n",
		"read_ahead_kb=1\n",
		"read_ahead_kb.initial=\n",
		"read_ahead_kb.initial=a b\n",
		"read_ahead_kb.initial=0123456789012345678901234567890123456789\n",
		"read_ahead_kb.color=1\n",
		"read_ahead_kb.held=2\n",
		"read_ahead_kb.reassert=soon\n",
		"no_such_tunable.initial=1\n",
		"INODE=1\n\x01\x02\n",
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
		{ "8:0", "sda", "8:0" },	      { NULL, "nvme0c0n1", "nvme0c0n1" },
		{ NULL, "../../etc/passwd", NULL },   { NULL, "a/b", NULL },
		{ NULL, ".hidden", NULL },	      { "8:0\n9", "sda", NULL },
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
	assert_int_equal(folder_count(root, PATH_STATE), 0);
	assert_int_equal(state_remove(root, "8:0"), 0);
	assert_int_equal(state_remove(root, "../disks/8:0"), -EINVAL);
	assert_int_equal(state_remove(root, ""), -EINVAL);
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
		FOLDER_TEST("garbage is -EBADMSG and forgotten", test_garbage),
		FOLDER_TEST("a file that is too large", test_too_large),
		FOLDER_TEST("three rounds in an hour make a rival", test_rivals),
		FOLDER_TEST("keys never leave the folder", test_keys),
		FOLDER_TEST("forgetting a disk", test_remove),
		FOLDER_TEST("one lock a disk", test_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
