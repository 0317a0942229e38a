/* SPDX-License-Identifier: MIT */
/*
 * From a number to a disk and its record: partitions, stacks, and all that may be
 * missing or forbidden on the way.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "blkadvise.h"
#include "golden.h"
#include "tree.h"

#define SDA "pci0/ata1/block/sda"
#define SDB "pci0/ata2/block/sdb"
#define SDC "pci0/ata3/block/sdc"
#define DM "virtual/block/dm-0"
#define MD "virtual/block/md0"

static struct tree tree;

static int set_up(void **state)
{
	(void)state;
	tree_make(&tree);
	tree_device(&tree, "8:0", SDA, "9");
	tree_partition(&tree, "8:1", SDA "/sda1");
	tree_device(&tree, "8:16", SDB, "10");
	tree_partition(&tree, "259:3", SDB "/sdb1");
	tree_device(&tree, "8:32", SDC, NULL);
	tree_device(&tree, "253:0", DM, "20");
	tree_slave(&tree, DM, SDA "/sda1");
	tree_slave(&tree, DM, SDB);
	tree_device(&tree, "9:0", MD, "21");
	tree_partition(&tree, "259:0", MD "/md0p1");
	tree_slave(&tree, MD, DM);
	tree_slave(&tree, MD, SDC);
	tree_record(&tree, "8:0", GOLDEN_SATA_SSD);
	tree_record(&tree, "253:0", GOLDEN_STACK);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static struct blkadvise_record *open_number(unsigned int major, unsigned int minor,
					    int outcome)
{
	struct blkadvise_record *record = NULL;
	int r = blkadvise_open_devnum_at(tree.path, major, minor, &record);

	assert_int_equal(r, outcome);
	assert_non_null(record);
	return record;
}

static void assert_device(const struct blkadvise_record *record, enum blkadvise_kind kind,
			  unsigned int major, unsigned int minor)
{
	unsigned int found_major = ~0U, found_minor = ~0U;

	assert_int_equal(blkadvise_kind(record), kind);
	assert_int_equal(blkadvise_devnum(record, &found_major, &found_minor), 0);
	assert_int_equal(found_major, major);
	assert_int_equal(found_minor, minor);
}

static void assert_member(const struct blkadvise_record *record, size_t index,
			  unsigned int major, unsigned int minor)
{
	unsigned int found_major = ~0U, found_minor = ~0U;

	assert_int_equal(blkadvise_member(record, index, &found_major, &found_minor), 0);
	assert_int_equal(found_major, major);
	assert_int_equal(found_minor, minor);
}

static void a_partition_leads_to_its_disk(void **state)
{
	static const unsigned int numbers[][2] = { { 8, 0 }, { 8, 1 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct blkadvise_record *record =
			open_number(numbers[i][0], numbers[i][1], BLKADVISE_OK);

		assert_device(record, BLKADVISE_KIND_DISK, 8, 0);
		assert_int_equal(blkadvise_member_count(record), 0);
		assert_string_equal(blkadvise_text(record, "NAME"), "sda");
		blkadvise_close(record);
	}
}

static void a_stack_has_members_with_records(void **state)
{
	struct blkadvise_record *record = open_number(253, 0, BLKADVISE_OK);
	struct blkadvise_record *member = NULL;
	unsigned int major = 77, minor = 77;

	(void)state;
	assert_device(record, BLKADVISE_KIND_STACK, 253, 0);
	assert_int_equal(blkadvise_member_count(record), 2);
	assert_member(record, 0, 8, 0);
	assert_member(record, 1, 8, 16);
	assert_int_equal(blkadvise_member(record, 2, &major, &minor),
			 BLKADVISE_NO_DEVICE);
	assert_int_equal(major, 77);
	assert_int_equal(blkadvise_open_member(record, 0, &member), BLKADVISE_OK);
	assert_int_equal(blkadvise_open_member(record, 2, &member), BLKADVISE_NO_DEVICE);
	blkadvise_close(record);
	assert_string_equal(blkadvise_text(member, "CLASS"), "sata-ssd");
	blkadvise_close(member);
}

static void a_stack_without_a_record_still_shows_its_members(void **state)
{
	struct blkadvise_record *record = open_number(259, 0, BLKADVISE_NO_RECORD);
	struct blkadvise_record *member = NULL;

	(void)state;
	assert_device(record, BLKADVISE_KIND_STACK, 9, 0);
	assert_int_equal(blkadvise_member_count(record), 3);
	assert_member(record, 0, 8, 0);
	assert_member(record, 1, 8, 16);
	assert_member(record, 2, 8, 32);
	assert_null(blkadvise_key(record, 0));
	assert_int_equal(blkadvise_open_member(record, 1, &member), BLKADVISE_NO_RECORD);
	assert_device(member, BLKADVISE_KIND_DISK, 8, 16);
	blkadvise_close(member);
	blkadvise_close(record);
	/* What the kernel shows now counts more than what the agent saw then. */
	tree_record(&tree, "9:0", "BLKADVISE_FORMAT=1\nBLKADVISE_MEMBERS=1:1\n");
	record = open_number(9, 0, BLKADVISE_OK);
	assert_int_equal(blkadvise_member_count(record), 3);
	assert_member(record, 2, 8, 32);
	blkadvise_close(record);
}

static void without_slaves_the_record_names_the_members(void **state)
{
	struct blkadvise_record *record = NULL;

	(void)state;
	tree_device(&tree, "253:1", "virtual/block/dm-1", "22");
	tree_record(&tree, "253:1",
		    "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=22\n"
		    "BLKADVISE_MEMBERS=8:0,,x,8:,:8,259:3,8:99999999999,1,2:3:4,"
		    "012345678901234567890123456789012345:1,1:1\n");
	record = open_number(253, 1, BLKADVISE_OK);
	assert_int_equal(blkadvise_member_count(record), 3);
	assert_member(record, 1, 259, 3);
	assert_member(record, 2, 1, 1);
	blkadvise_close(record);
}

static void a_broken_stack_is_what_is_left_of_it(void **state)
{
	struct blkadvise_record *record = NULL;

	(void)state;
	tree_device(&tree, "253:2", "virtual/block/dm-2", NULL);
	tree_slave(&tree, "virtual/block/dm-2", "virtual/block/gone");
	tree_slave(&tree, "virtual/block/dm-2", SDC);
	tree_slave(&tree, "virtual/block/dm-2", "virtual/block/dm-2"); /* a circle */
	record = open_number(253, 2, BLKADVISE_NO_RECORD);
	assert_int_equal(blkadvise_member_count(record), 1);
	assert_member(record, 0, 8, 32);
	blkadvise_close(record);
	tree_device(&tree, "253:3", "virtual/block/dm-3", NULL);
	tree_mkdir(&tree, "/sys/devices/virtual/block/dm-3/slaves");
	record = open_number(253, 3, BLKADVISE_NO_RECORD);
	assert_device(record, BLKADVISE_KIND_DISK, 253, 3);
	blkadvise_close(record);
}

static void an_unknown_number_is_no_device(void **state)
{
	struct blkadvise_record *record = open_number(8, 48, BLKADVISE_NO_DEVICE);
	unsigned int major = 5, minor = 5;

	(void)state;
	assert_int_equal(blkadvise_kind(record), BLKADVISE_KIND_UNKNOWN);
	assert_int_equal(blkadvise_devnum(record, &major, &minor), BLKADVISE_NO_DEVICE);
	assert_int_equal(major, 5);
	blkadvise_close(record);
	record = open_number(~0U, ~0U, BLKADVISE_NO_DEVICE);
	blkadvise_close(record);
}

static void a_stale_record_is_none(void **state)
{
	static const struct {
		const char *text;
		int outcome;
	} cases[] = {
		{ "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=9\n", BLKADVISE_NO_RECORD },
		{ "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=10\n", BLKADVISE_OK },
		{ "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=x\n", BLKADVISE_OK },
		{ "BLKADVISE_FORMAT=1\n", BLKADVISE_OK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blkadvise_record *record = NULL;

		tree_record(&tree, "8:16", cases[i].text);
		record = open_number(259, 3, cases[i].outcome);
		assert_device(record, BLKADVISE_KIND_DISK, 8, 16);
		assert_true(!blkadvise_key(record, 0) == (cases[i].outcome != 0));
		blkadvise_close(record);
	}
	/* A kernel without diskseq. */
	tree_record(&tree, "8:32", "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=9\n");
	blkadvise_close(open_number(8, 32, BLKADVISE_OK));
}

static void a_partition_is_not_the_disk_that_had_its_number(void **state)
{
	static const char *const texts[] = {
		"BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=10\n",
		"BLKADVISE_FORMAT=1\nBLKADVISE_NAME=nvme0n1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct blkadvise_record *record = NULL;

		tree_record(&tree, "259:3", texts[i]);
		record = open_number(259, 3, BLKADVISE_NO_RECORD);
		assert_device(record, BLKADVISE_KIND_DISK, 8, 16);
		assert_null(blkadvise_key(record, 0));
		blkadvise_close(record);
	}
}

static void members_are_those_of_the_disk_that_was_opened(void **state)
{
	struct blkadvise_record *early = NULL, *late = NULL;

	(void)state;
	tree_record(&tree, "253:0",
		    "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=20\n"
		    "BLKADVISE_MEMBERS=1:1\n");
	early = open_number(253, 0, BLKADVISE_OK);
	late = open_number(253, 0, BLKADVISE_OK);
	assert_int_equal(blkadvise_member_count(early), 2);
	tree_write(&tree, "/sys/devices/" DM "/diskseq", "21\n", 3);
	assert_int_equal(blkadvise_member_count(early), 2);
	assert_device(late, BLKADVISE_KIND_STACK, 253, 0);
	assert_int_equal(blkadvise_member_count(late), 1);
	assert_member(late, 0, 1, 1);
	blkadvise_close(early);
	blkadvise_close(late);
}

static void a_later_format_is_refused(void **state)
{
	struct blkadvise_record *record = NULL;

	(void)state;
	tree_record(&tree, "8:32", "BLKADVISE_FORMAT=2\nBLKADVISE_CLASS=sata-ssd\n");
	record = open_number(8, 32, BLKADVISE_UNKNOWN_FORMAT);
	assert_device(record, BLKADVISE_KIND_DISK, 8, 32);
	assert_null(blkadvise_text(record, "CLASS"));
	blkadvise_close(record);
}

static void without_sysfs_the_number_itself_counts(void **state)
{
	struct tree bare;
	struct blkadvise_record *record = NULL;
	char sys[TREE_PATH_MAX + 16], away[TREE_PATH_MAX + 16];

	(void)state;
	tree_make(&bare);
	(void)snprintf(sys, sizeof(sys), "%s/sys", bare.path);
	(void)snprintf(away, sizeof(away), "%s/away", bare.path);
	assert_int_equal(rename(sys, away), 0);
	tree_record(&bare, "253:0", GOLDEN_STACK);
	assert_int_equal(blkadvise_open_devnum_at(bare.path, 253, 0, &record), 0);
	assert_device(record, BLKADVISE_KIND_STACK, 253, 0);
	assert_member(record, 1, 8, 16);
	blkadvise_close(record);
	assert_int_equal(blkadvise_open_devnum_at(bare.path, 8, 1, &record),
			 BLKADVISE_NO_SYSFS);
	assert_int_equal(blkadvise_kind(record), BLKADVISE_KIND_UNKNOWN);
	blkadvise_close(record);
	tree_remove(&bare);
}

static void what_is_no_file_is_an_error(void **state)
{
	struct blkadvise_record *record = NULL;

	(void)state;
	tree_mkdir(&tree, "/run/blkadvise/disks/8:32");
	assert_int_equal(blkadvise_open_devnum_at(tree.path, 8, 32, &record), -EISDIR);
	assert_null(record);
}

/* As nobody if we are root, since root may read everything. */
static int outcome_of_other_user(unsigned int major, unsigned int minor)
{
	struct blkadvise_record *record = NULL;
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
			_exit(99);
		_exit(blkadvise_open_devnum_at(tree.path, major, minor, &record) & 0x7f);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void not_allowed_is_not_no_record(void **state)
{
	char path[TREE_PATH_MAX + 64];

	(void)state;
	assert_int_equal(outcome_of_other_user(8, 0), BLKADVISE_OK);
	(void)snprintf(path, sizeof(path), "%s/run/blkadvise/disks/8:0", tree.path);
	assert_int_equal(chmod(path, 0000), 0);
	assert_int_equal(outcome_of_other_user(8, 1), BLKADVISE_NOT_ALLOWED);
	(void)snprintf(path, sizeof(path), "%s/run/blkadvise", tree.path);
	assert_int_equal(chmod(path, 0000), 0);
	assert_int_equal(outcome_of_other_user(253, 0), BLKADVISE_NOT_ALLOWED);
	assert_int_equal(chmod(path, 0755), 0);
}

static void a_root_may_be_long_but_not_too_long(void **state)
{
	struct blkadvise_record *record = NULL;
	char root[600];

	(void)state;
	assert_true(strlen(tree.path) < 450);
	memset(root, '/', sizeof(root));
	memcpy(root, tree.path, strlen(tree.path));
	root[500] = '\0';
	assert_int_equal(blkadvise_open_devnum_at(root, 8, 0, &record), BLKADVISE_OK);
	record = blkadvise_close(record);
	root[500] = '/';
	root[501] = '\0';
	assert_int_equal(blkadvise_open_devnum_at(root, 8, 0, &record), -ENAMETOOLONG);
	assert_null(record);
}

static void *read_often(void *argument)
{
	const struct blkadvise_record *record = argument;
	struct blkadvise_advice advice;
	uintptr_t wrong = 0;

	for (int i = 0; i < 2000; i++) {
		uint64_t depth = 0;
		unsigned int major = 0, minor = 0;

		wrong += blkadvise_u64(record, "RANDOM_EXCEEDS_DEPTH", &depth) != 0;
		wrong += depth != 2;
		wrong += blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS,
					  &advice) != 0;
		wrong += advice.io_mode != BLKADVISE_IO_BUFFERED;
		wrong += blkadvise_member(record, 1, &major, &minor) != 0;
		wrong += strcmp(blkadvise_text(record, "CLASS"), "stacked") != 0;
	}
	return (void *)wrong;
}

static void many_threads_read_one_record(void **state)
{
	struct blkadvise_record *record = open_number(253, 0, BLKADVISE_OK);
	pthread_t threads[8];

	(void)state;
	for (int i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_often, record),
				 0);
	for (int i = 0; i < 8; i++) {
		void *wrong = NULL;

		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	blkadvise_close(record);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_partition_leads_to_its_disk),
		TEST(a_stack_has_members_with_records),
		TEST(a_stack_without_a_record_still_shows_its_members),
		TEST(without_slaves_the_record_names_the_members),
		TEST(a_broken_stack_is_what_is_left_of_it),
		TEST(an_unknown_number_is_no_device),
		TEST(a_stale_record_is_none),
		TEST(a_partition_is_not_the_disk_that_had_its_number),
		TEST(members_are_those_of_the_disk_that_was_opened),
		TEST(a_later_format_is_refused),
		TEST(without_sysfs_the_number_itself_counts),
		TEST(what_is_no_file_is_an_error),
		TEST(not_allowed_is_not_no_record),
		TEST(a_root_may_be_long_but_not_too_long),
		TEST(many_threads_read_one_record),
	};

	return cmocka_run_group_tests_name("client-open", tests, NULL, NULL);
}
