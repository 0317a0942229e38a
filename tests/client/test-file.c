/* SPDX-License-Identifier: MIT */
/*
 * From a file to a disk: files and folders, nodes, files to come, and what has no disk.
 * And what the functions make of no record at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "blkadvise.h"
#include "tree.h"

#define SDC "pci0/ata3/block/sdc"

static struct tree tree;

static int set_up(void **state)
{
	(void)state;
	tree_make(&tree);
	tree_device(&tree, "8:32", SDC, NULL);
	tree_partition(&tree, "8:33", SDC "/sdc1");
	tree_record(&tree, "8:32", "BLKADVISE_FORMAT=1\nBLKADVISE_NAME=sdc\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static void assert_is_sdc(const struct blkadvise_record *record)
{
	unsigned int major = ~0U, minor = ~0U;

	assert_int_equal(blkadvise_kind(record), BLKADVISE_KIND_DISK);
	assert_int_equal(blkadvise_devnum(record, &major, &minor), 0);
	assert_int_equal(major, 8);
	assert_int_equal(minor, 32);
	assert_string_equal(blkadvise_text(record, "NAME"), "sdc");
}

/* A file on a device that has a number; a container's folders may all be overlay. */
static const char *file_on_disk(struct stat *ret)
{
	static const char *const paths[] = { "/etc/hostname", "/etc/passwd", "/tmp",
					     "/var/tmp", "/" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (stat(paths[i], ret) == 0 && major(ret->st_dev) != 0)
			return paths[i];
	}
	return NULL;
}

static void a_file_leads_to_its_disk(void **state)
{
	struct blkadvise_record *record = NULL;
	struct stat st = { 0 };
	const char *path = file_on_disk(&st);
	char number[32];
	int fd = -1;

	(void)state;
	if (!path)
		skip();
	(void)snprintf(number, sizeof(number), "%u:%u", major(st.st_dev),
		       minor(st.st_dev));
	tree_partition(&tree, number, SDC "/sdc2");
	assert_int_equal(blkadvise_open_path_at(tree.path, path, &record), BLKADVISE_OK);
	assert_is_sdc(record);
	blkadvise_close(record);
	fd = open(path, O_PATH | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(blkadvise_open_fd_at(tree.path, fd, &record), BLKADVISE_OK);
	assert_is_sdc(record);
	blkadvise_close(record);
	assert_int_equal(close(fd), 0);
}

static void a_block_node_stands_for_itself(void **state)
{
	struct blkadvise_record *record = NULL;
	char path[TREE_PATH_MAX + 16];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/node", tree.path);
	if (mknod(path, S_IFBLK | 0600, makedev(8, 33)) < 0)
		skip();
	assert_int_equal(blkadvise_open_path_at(tree.path, path, &record), BLKADVISE_OK);
	assert_is_sdc(record);
	blkadvise_close(record);
}

static void a_new_file_is_looked_up_by_its_folder(void **state)
{
	struct blkadvise_record *record = NULL;
	char path[TREE_PATH_MAX + 32];
	int here = blkadvise_open_path_at(tree.path, tree.path, &record);
	int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	blkadvise_close(record);
	record = NULL;
	assert_int_equal(chdir(tree.path), 0);
	(void)snprintf(path, sizeof(path), "%s/new", tree.path);
	assert_int_equal(blkadvise_open_path_at(tree.path, path, &record), here);
	blkadvise_close(record);
	assert_int_equal(blkadvise_open_path_at(tree.path, "new//", &record), here);
	blkadvise_close(record);
	record = NULL;
	assert_true(blkadvise_open_path_at(tree.path, "/blkadvise-no-such", &record) >=
		    0);
	blkadvise_close(record);
	record = NULL;
	assert_int_equal(blkadvise_open_path_at(tree.path, "new/new", &record), -ENOENT);
	assert_int_equal(blkadvise_open_path_at(tree.path, "", &record), -ENOENT);
	assert_int_equal(symlink("/proc/no/such", "dangling"), 0);
	assert_int_equal(blkadvise_open_path_at(tree.path, "dangling", &record), -ENOENT);
	assert_null(record);
	assert_int_equal(fchdir(fd), 0);
	assert_int_equal(close(fd), 0);
}

static void what_has_no_disk_says_why(void **state)
{
	struct blkadvise_record *record = NULL;
	int fds[2];

	(void)state;
	assert_int_equal(blkadvise_open_path_at(tree.path, "/proc/self/status", &record),
			 BLKADVISE_PSEUDO_FS);
	assert_int_equal(blkadvise_kind(record), BLKADVISE_KIND_UNKNOWN);
	assert_null(blkadvise_key(record, 0));
	blkadvise_close(record);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(blkadvise_open_fd(fds[0], &record), BLKADVISE_PSEUDO_FS);
	blkadvise_close(record);
	assert_int_equal(close(fds[0]) + close(fds[1]), 0);
	record = NULL;
	assert_int_equal(blkadvise_open_fd(fds[0], &record), -EBADF);
	assert_int_equal(blkadvise_open_path("/etc/passwd/x", &record), -ENOTDIR);
	assert_int_equal(blkadvise_open_path(NULL, &record), -EINVAL);
	assert_int_equal(blkadvise_open_path("/", NULL), -EINVAL);
	assert_int_equal(blkadvise_open_fd(0, NULL), -EINVAL);
	assert_int_equal(blkadvise_open_devnum(8, 0, NULL), -EINVAL);
	assert_null(record);
}

static void nothing_is_a_record_that_knows_nothing(void **state)
{
	struct blkadvise_advice advice;
	struct blkadvise_record *record = NULL;
	unsigned int number = 3;
	uint64_t value = 3;
	int flag = 3;

	(void)state;
	memset(&advice, 0xff, sizeof(advice));
	assert_int_equal(blkadvise_advice(NULL, BLKADVISE_SCAN, BLKADVISE_FITS, &advice),
			 BLKADVISE_NO_VALUE);
	assert_int_equal(advice.io_mode, BLKADVISE_IO_KEEP);
	assert_int_equal(advice.hint, BLKADVISE_HINT_KEEP);
	assert_int_equal(advice.depth, 0);
	assert_int_equal(advice.reserved[8], 0);
	assert_int_equal(blkadvise_kind(NULL), BLKADVISE_KIND_UNKNOWN);
	assert_int_equal(blkadvise_member_count(NULL), 0);
	assert_null(blkadvise_text(NULL, "CLASS"));
	assert_null(blkadvise_key(NULL, 0));
	assert_int_equal(blkadvise_u64(NULL, "X", &value), BLKADVISE_NO_VALUE);
	assert_int_equal(blkadvise_bool(NULL, "X", &flag), BLKADVISE_NO_VALUE);
	assert_int_equal(blkadvise_devnum(NULL, &number, &number), BLKADVISE_NO_DEVICE);
	assert_int_equal(blkadvise_member(NULL, 0, &number, &number),
			 BLKADVISE_NO_DEVICE);
	assert_int_equal(blkadvise_open_member(NULL, 0, &record), BLKADVISE_NO_DEVICE);
	assert_null(blkadvise_close(NULL));
	assert_true(value == 3 && flag == 3 && number == 3 && !record);
}

static void every_outcome_has_a_text(void **state)
{
	(void)state;
	for (int i = 0; i <= BLKADVISE_NO_VALUE; i++) {
		assert_non_null(blkadvise_strerror(i));
		assert_string_not_equal(blkadvise_strerror(i), "unknown outcome");
	}
	assert_string_equal(blkadvise_strerror(BLKADVISE_NO_VALUE + 1),
			    "unknown outcome");
	assert_string_equal(blkadvise_strerror(-ENOENT), strerror(ENOENT));
	assert_non_null(blkadvise_strerror(-2147483647 - 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_leads_to_its_disk),
		TEST(a_block_node_stands_for_itself),
		TEST(a_new_file_is_looked_up_by_its_folder),
		TEST(what_has_no_disk_says_why),
		TEST(nothing_is_a_record_that_knows_nothing),
		TEST(every_outcome_has_a_text),
	};

	return cmocka_run_group_tests_name("client-file", tests, NULL, NULL);
}
