/* SPDX-License-Identifier: MIT */
/*
 * Replacing files: a reader sees the old content or the new one and nothing between, a
 * failure leaves the old one and nothing beside it. Locks are one at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support.h"

static void test_replace(void **state)
{
	struct root *root = *state;
	struct stat st = { 0 };
	mode_t mask = umask(0077);

	assert_int_equal(file_replace(root, "/a", "one", 3, 0644), 0);
	assert_int_equal(file_replace(root, "/a", "second", 6, 0644), 0);
	(void)umask(mask);
	assert_string_equal(folder_get(root, "/a"), "second");
	assert_int_equal(file_replace(root, "/a", "", 0, 0600), 0);
	assert_string_equal(folder_get(root, "/a"), "");
	assert_int_equal(stat(folder_path_of(root, "/a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(folder_count(root, "/"), 1);
	assert_int_equal(file_replace(root, "/none/a", "x", 1, 0644), -ENOENT);
	assert_int_equal(file_replace_durable(root, "/a", "kept", 4, 0644), 0);
	assert_string_equal(folder_get(root, "/a"), "kept");
	assert_int_equal(folder_count(root, "/"), 1);
	assert_int_equal(file_replace_durable(root, "/none/a", "x", 1, 0644), -ENOENT);
}

static void test_umask(void **state)
{
	struct root *root = *state;
	struct stat st = { 0 };
	mode_t mask = umask(0077);

	assert_int_equal(file_replace(root, "/a", "x", 1, 0644), 0);
	(void)umask(mask);
	assert_int_equal(stat(folder_path_of(root, "/a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
}

/* Engines without privileges read the records: each folder on the way lets them in. */
static void test_folder_umask(void **state)
{
	struct root *root = *state;
	struct stat st = { 0 };
	mode_t mask = umask(0077);

	assert_int_equal(folder_make(root, "/run/blkadvise/disks"), 0);
	(void)umask(mask);
	assert_int_equal(stat(folder_path_of(root, "/run"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(stat(folder_path_of(root, "/run/blkadvise"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(stat(folder_path_of(root, "/run/blkadvise/disks"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);

	/* One that stood there before keeps what its owner gave it. */
	assert_int_equal(chmod(folder_path_of(root, "/run/blkadvise"), 0700), 0);
	assert_int_equal(folder_make(root, "/run/blkadvise/disks"), 0);
	assert_int_equal(stat(folder_path_of(root, "/run/blkadvise"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void test_write_fails(void **state)
{
	struct root *root = *state;
	struct rlimit old = { 0 }, small = { 0 };
	char text[8192];

	memset(text, 'x', sizeof(text));
	assert_int_equal(file_replace(root, "/a", "old", 3, 0644), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ .rlim_cur = 4096, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(file_replace(root, "/a", text, sizeof(text), 0644), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_string_equal(folder_get(root, "/a"), "old");
	assert_int_equal(folder_count(root, "/"), 1);
}

/* A file system of one page, in a name space of our own. */
static void test_full_file_system(void **state)
{
	struct root *root = *state;
	char text[65536];

	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", root->prefix, "tmpfs", 0, "size=16k") < 0)
		skip();
	memset(text, 'x', sizeof(text));
	assert_int_equal(file_replace(root, "/a", "old", 3, 0644), 0);
	assert_int_equal(file_replace(root, "/a", text, sizeof(text), 0644), -ENOSPC);
	assert_string_equal(folder_get(root, "/a"), "old");
	assert_int_equal(folder_count(root, "/"), 1);
	assert_int_equal(file_replace(root, "/a", "new", 3, 0644), 0);
	assert_string_equal(folder_get(root, "/a"), "new");
	assert_int_equal(umount(root->prefix), 0);
}

/* The target is a folder: rename fails after the new file was written. */
static void test_rename_fails(void **state)
{
	struct root *root = *state;

	assert_int_equal(folder_make(root, "/a/b"), 0);
	assert_int_equal(file_replace(root, "/a", "x", 1, 0644), -EISDIR);
	assert_int_equal(folder_count(root, "/"), 1);
}

/* What a dead process of our number, or somebody else, left in the temporary's place. */
static void test_stale_temporary(void **state)
{
	struct root *root = *state;
	char name[64];

	(void)snprintf(name, sizeof(name), "/a.%ld.tmp", (long)getpid());
	folder_put(root, name, "stale");
	folder_put(root, "/victim", "untouched");
	assert_int_equal(file_replace(root, "/a", "new", 3, 0644), 0);
	assert_int_equal(symlink("victim", folder_path_of(root, name)), 0);
	assert_int_equal(file_replace(root, "/a", "newer", 5, 0644), 0);
	assert_string_equal(folder_get(root, "/a"), "newer");
	assert_string_equal(folder_get(root, "/victim"), "untouched");
	assert_int_equal(folder_count(root, "/"), 2);
}

#define ROUNDS 300

static void *replace_often(void *context)
{
	const struct root *root = context;
	char text[2][4096];

	memset(text[0], 'a', sizeof(text[0]));
	memset(text[1], 'b', sizeof(text[1]));
	for (int i = 0; i < ROUNDS; i++)
		(void)file_replace(root, "/a", text[i % 2], 2048 + 2048U * (i % 2), 0644);
	return NULL;
}

static void test_readers(void **state)
{
	struct root *root = *state;
	pthread_t writer;
	char text[8192];

	(void)replace_often(root);
	assert_int_equal(pthread_create(&writer, NULL, replace_often, root), 0);
	for (int i = 0; i < ROUNDS; i++) {
		size_t len = 0;

		assert_int_equal(root_read(root, "/a", text, sizeof(text), &len), 0);
		assert_int_equal(len, text[0] == 'a' ? 2048 : 4096);
		assert_int_equal(text[len - 1], text[0]);
	}
	assert_int_equal(pthread_join(writer, NULL), 0);
}

static void test_attribute(void **state)
{
	struct root *root = *state;

	assert_int_equal(attribute_write(root, "/a", "1"), -ENOENT);
	assert_int_equal(folder_count(root, "/"), 0);
	folder_put(root, "/a", "100\n");
	assert_int_equal(attribute_write(root, "/a", "1"), 0);
	assert_string_equal(folder_get(root, "/a"), "1");
	assert_int_equal(attribute_write(root, "/", "1"), -EISDIR);
}

static void test_folders(void **state)
{
	struct root *root = *state;

	assert_int_equal(folder_make(root, "/a/b/c"), 0);
	assert_int_equal(folder_make(root, "/a/b/c"), 0);
	assert_true(root_exists(root, "/a/b/c"));
	folder_put(root, "/a/file", "x");
	assert_int_equal(folder_make(root, "/a/file/b"), -ENOTDIR);
	assert_int_equal(file_remove(root, "/a/file"), 0);
	assert_int_equal(file_remove(root, "/a/file"), 0);
	assert_true(file_remove(root, "/a/b") < 0);
}

static void test_lock(void **state)
{
	struct root *root = *state;
	int first = -1, second = -1;

	assert_int_equal(file_lock(root, "/lock", 0, &first), 0);
	assert_int_equal(file_lock(root, "/lock", 0, &second), -ETIMEDOUT);
	assert_int_equal(file_lock(root, "/lock", 30, &second), -ETIMEDOUT);
	assert_int_equal(second, -1);
	assert_int_equal(fcntl(first, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	(void)close(first);
	assert_int_equal(file_lock(root, "/lock", 0, &second), 0);
	(void)close(second);
	assert_int_equal(file_lock(root, "/none/lock", 0, &first), -ENOENT);
	assert_int_equal(symlink("/etc/passwd", folder_path_of(root, "/link")), 0);
	assert_int_equal(file_lock(root, "/link", 0, &first), -ELOOP);
}

static void test_capture(void **state)
{
	_cleanup_root_ struct root *root = capture_of("P: /devices/x\nA: a=1\n");
	int lock = -1;

	(void)state;
	assert_int_equal(file_replace(root, "/a", "x", 1, 0644), -EROFS);
	assert_int_equal(attribute_write(root, "/sys/devices/x/a", "2"), -EROFS);
	assert_int_equal(folder_make(root, "/a"), -EROFS);
	assert_int_equal(file_remove(root, "/sys/devices/x/a"), -EROFS);
	assert_int_equal(file_lock(root, "/a", 0, &lock), -EROFS);
}

static void test_long_path(void **state)
{
	struct root *root = *state;
	char path[ROOT_PATH_MAX + 1];

	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(file_replace(root, path, "x", 1, 0644), -ENAMETOOLONG);
	assert_int_equal(folder_make(root, path), -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("a file is replaced", test_replace),
		FOLDER_TEST("the mode is meant", test_umask),
		FOLDER_TEST("the mode of folders, too", test_folder_umask),
		FOLDER_TEST("a write that fails leaves the old file", test_write_fails),
		FOLDER_TEST("a full file system leaves the old file",
			    test_full_file_system),
		FOLDER_TEST("a rename that fails leaves nothing", test_rename_fails),
		FOLDER_TEST("what stands in the temporary's place", test_stale_temporary),
		FOLDER_TEST("readers see whole files", test_readers),
		FOLDER_TEST("attributes are written, not made", test_attribute),
		FOLDER_TEST("folders and removal", test_folders),
		FOLDER_TEST("one lock at a time", test_lock),
		TEST("a capture is not written", test_capture),
		FOLDER_TEST("paths that are too long", test_long_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
