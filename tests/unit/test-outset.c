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

/* Only what must fail is asked for: the lock itself may be another test's. */
static void test_lock(void **state)
{
	static volatile bool run_on = false, stopped = true;
	_cleanup_close_ int first = -1;
	int second = 7;

	(void)state;
	if (measure_lock(20000, &run_on, &first) < 0 || first < 0)
		skip();
	assert_int_equal(measure_lock(0, &run_on, &second), -EBUSY);
	assert_int_equal(second, -1);
	assert_int_equal(measure_lock(100, &run_on, &second), -EBUSY);
	assert_int_equal(measure_lock(60000, &stopped, &second), -EINTR);
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
		TEST("a second measurement does not begin", test_lock),
		FOLDER_TEST("which disks --all passes over", test_passes_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
