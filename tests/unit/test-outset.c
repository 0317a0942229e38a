/* SPDX-License-Identifier: MIT */
/*
 * What has to hold before a measurement begins: no udev event, no other measurement, and
 * a disk that is worth it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/outset.h"
#include "support.h"

#define SYSPATH "/sys/devices/virtual/block/disk"

/* One variable alone is what anybody may have set; all three are udevd's. */
static void test_event(void **state)
{
	static const char *const names[] = { "ACTION", "DEVPATH", "SEQNUM" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(unsetenv(names[i]), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_false(measure_in_event());
		assert_int_equal(setenv(names[i], "1", 1), 0);
	}
	assert_true(measure_in_event());
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(unsetenv(names[i]), 0);
		assert_false(measure_in_event());
		assert_int_equal(setenv(names[i], "1", 1), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(unsetenv(names[i]), 0);
}

static atomic_bool run_on = false, stopped = true;

static void folders_of_locks(const struct root *root)
{
	folder_put(root, "/sys/block/README", "");
	folder_put(root, "/run/blkadvise/README", "");
}

static void test_lock(void **state)
{
	const struct root *root = *state;

	for (int is_root = 0; is_root < 2; is_root++) {
		_cleanup_turn_ struct measure_turn first = { -1, -1 };
		struct measure_turn second = { 7, 7 };

		folders_of_locks(root);
		assert_int_equal(measure_lock(root, is_root, 0, &run_on, &first), 0);
		assert_true(first.shared >= 0);
		assert_int_equal(first.own >= 0, is_root);
		assert_int_equal(measure_lock(root, is_root, 0, &run_on, &second),
				 -EBUSY);
		assert_int_equal(second.shared, -1);
		assert_int_equal(second.own, -1);
		assert_int_equal(measure_lock(root, is_root, 100, &run_on, &second),
				 -EBUSY);
		assert_int_equal(measure_lock(root, is_root, 60000, &stopped, &second),
				 -EINTR);
		assert_int_equal(measure_lock(root, false, 0, &run_on, &second), -EBUSY);
	}
}

/* Anybody may hold the folder: root waits for it, and goes on. */
static void test_lock_of_user(void **state)
{
	const struct root *root = *state;
	_cleanup_turn_ struct measure_turn user = { -1, -1 }, roots = { -1, -1 };
	struct measure_turn other = { -1, -1 };

	folders_of_locks(root);
	assert_int_equal(measure_lock(root, false, 0, &run_on, &user), 0);
	assert_int_equal(measure_lock(root, true, 0, &run_on, &roots), -EBUSY);
	assert_int_equal(measure_lock(root, true, 100, &run_on, &roots), 0);
	assert_true(roots.own >= 0);
	assert_int_equal(roots.shared, -1);
	assert_int_equal(measure_lock(root, true, 100, &run_on, &other), -EBUSY);
}

/* Where nothing is installed there is no folder for root's lock, and none is made. */
static void test_lock_without_folder(void **state)
{
	const struct root *root = *state;
	_cleanup_turn_ struct measure_turn turn = { 7, 7 };

	assert_int_equal(measure_lock(root, true, 0, &run_on, &turn), 0);
	assert_int_equal(turn.own, -1);
	assert_int_equal(turn.shared, -1);
	assert_false(root_exists(root, "/run"));
}

struct row {
	const char *name;
	enum class class;
	const char *kind; /* of a stack or a virtual device */
	uint64_t size;
	const char *status; /* of its driver's power management */
	bool hidden, leaf, incomplete;
	const char *reason; /* NULL: it is measured */
};

static const struct row rows[] = {
	{ "a disk", CLASS_SATA_SSD, .size = 1000 },
	{ "one that is awake", CLASS_SATA_HDD, .size = 1000, .status = "active\n" },
	{ "one without power management", CLASS_SATA_HDD, .size = 1000,
	  .status = "unsupported\n" },
	{ "one that sleeps", CLASS_SATA_HDD, .size = 1000, .status = "suspended\n",
	  .reason = "asleep" },
	{ "a reader without a card", CLASS_SD_CARD, .reason = "no medium" },
	{ "a DVD drive", CLASS_OPTICAL, .size = 1000, .reason = "optical" },
	{ "a loop device", CLASS_STACKED, .kind = "loop", .size = 1, .reason = "loop" },
	{ "a zram device", CLASS_MEMORY, .kind = "zram", .size = 1000, .reason = "zram" },
	{ "a volume", CLASS_STACKED, .kind = "dm", .size = 1000, .leaf = true,
	  .reason = "a stack" },
	{ "one on too many", CLASS_STACKED, .kind = "dm", .size = 1, .incomplete = true,
	  .reason = "a stack" },
	{ "a hidden path", CLASS_NVME_SSD, .size = 1000, .hidden = true,
	  .reason = "a path" },
};

static void check_row(const struct root *root, const struct row *row)
{
	_cleanup_free_ struct disk *disk = calloc(1, sizeof(*disk));
	_cleanup_free_ struct disk *leaf = calloc(1, sizeof(*leaf));
	struct disk_class class = { .class = row->class };
	char reason[128] = "";
	bool passed = false;

	assert_non_null(disk);
	assert_non_null(leaf);
	facts_init(&disk->facts);
	strcpy(disk->syspath, SYSPATH);
	facts_set_number(&disk->facts, FACT_SIZE, row->size);
	if (row->kind)
		facts_set_text(&disk->facts, FACT_STACK_KIND, row->kind);
	if (row->hidden)
		facts_set_number(&disk->facts, FACT_HIDDEN, 1);
	disk->leaves = row->leaf ? leaf : NULL;
	disk->n_leaves = row->leaf;
	disk->leaves_incomplete = row->incomplete;
	folder_put(root, SYSPATH "/device/power/runtime_status",
		   row->status ? row->status : "");
	passed = measure_passes_over(root, disk, &class, reason, sizeof(reason));
	ROW_INT(row->name, passed, row->reason != NULL);
	if (row->reason && !strstr(reason, row->reason))
		fail_msg("%s: \"%s\" does not say \"%s\"", row->name, reason,
			 row->reason);
}

static void test_passes_over(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(*state, &rows[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a udev event is told by three variables", test_event),
		FOLDER_TEST("a second measurement does not begin", test_lock),
		FOLDER_TEST("a user's lock does not stop root", test_lock_of_user),
		FOLDER_TEST("no folder for the lock", test_lock_without_folder),
		FOLDER_TEST("which disks --all passes over", test_passes_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
