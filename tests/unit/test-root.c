/* SPDX-License-Identifier: MIT */
/*
 * One tree, once as a folder and once as a capture: both roots give the same answers, the
 * same errors included. The only difference that is meant is the inode number.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support.h"

#define DISK "/sys/devices/pci0/host0/block/sda"

static const char capture_text[] =
	"P: /devices/pci0\n"
	"E: SUBSYSTEM=pci\n"
	"A: uevent=DRIVER=ahci\\n\n"
	"L: driver=../../bus/pci/drivers/ahci\n"
	"\n"
	"P: /devices/pci0/host0/block/sda\n"
	"N: sda\n"
	"E: DEVTYPE=disk\n"
	"E: MAJOR=8\n"
	"E: MINOR=0\n"
	"E: SUBSYSTEM=block\n"
	"A: size=100\\n\n"
	"A: empty=\n"
	"A: queue/read_ahead_kb=128\\n\n"
	"A: readonly=1\\n\n"
	"H: binary=0001ff00\n"
	"L: device=../../../host0\n"
	"L: dangling=../nowhere\n"
	"L: loop=loop2\n"
	"L: loop2=loop\n"
	"L: self=.\n"
	"M: readonly=0444\n"
	"\n"
	"F: /proc/cmdline=quiet\\n\n";

struct roots {
	struct root *folder, *capture;
};

static void put_link(const struct root *root, const char *path, const char *target)
{
	char folder[ROOT_PATH_MAX];

	strcpy(folder, path);
	(void)path_up(folder);
	assert_int_equal(folder_make(root, folder), 0);
	assert_int_equal(symlink(target, folder_path_of(root, path)), 0);
}

/* The same tree as capture_text; sysfs's own links are relative and derived there. */
static void put_tree(const struct root *root)
{
	static const char binary[] = { 0x00, 0x01, (char)0xff, 0x00 };
	FILE *file = NULL;

	folder_put(root, "/sys/devices/pci0/uevent", "DRIVER=ahci\n");
	put_link(root, "/sys/devices/pci0/driver", "../../bus/pci/drivers/ahci");
	put_link(root, "/sys/devices/pci0/subsystem", "../../class/pci");
	folder_put(root, DISK "/size", "100\n");
	folder_put(root, DISK "/empty", "");
	folder_put(root, DISK "/queue/read_ahead_kb", "128\n");
	folder_put(root, DISK "/readonly", "1\n");
	folder_put(root, DISK "/uevent", "DEVTYPE=disk\n");
	folder_put(root, DISK "/dev", "8:0\n");
	assert_int_equal(chmod(folder_path_of(root, DISK "/readonly"), 0444), 0);
	put_link(root, DISK "/device", "../../../host0");
	put_link(root, DISK "/dangling", "../nowhere");
	put_link(root, DISK "/loop", "loop2");
	put_link(root, DISK "/loop2", "loop");
	put_link(root, DISK "/self", ".");
	put_link(root, DISK "/subsystem", "../../../../../class/block");
	put_link(root, "/sys/class/pci/pci0", "../../devices/pci0");
	put_link(root, "/sys/class/block/sda", "../../devices/pci0/host0/block/sda");
	put_link(root, "/sys/block/sda", "../devices/pci0/host0/block/sda");
	put_link(root, "/sys/dev/block/8:0", "../../devices/pci0/host0/block/sda");
	folder_put(root, "/proc/cmdline", "quiet\n");
	file = fopen(folder_path_of(root, DISK "/binary"), "we");
	assert_non_null(file);
	assert_int_equal(fwrite(binary, 1, sizeof(binary), file), sizeof(binary));
	assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
	struct roots *roots = calloc(1, sizeof(*roots));
	void *folder = NULL;

	assert_non_null(roots);
	assert_int_equal(folder_setup(&folder), 0);
	roots->folder = folder;
	put_tree(roots->folder);
	roots->capture = capture_of(capture_text);
	*state = roots;
	return 0;
}

static int teardown(void **state)
{
	struct roots *roots = *state;
	void *folder = roots->folder;
	int r = folder_teardown(&folder);

	(void)root_free(roots->capture);
	free(roots);
	return r;
}

static const char *const paths[] = {
	DISK "/size",
	DISK "/empty",
	DISK "/binary",
	DISK "/readonly",
	DISK "/queue/read_ahead_kb",
	DISK "/queue",
	DISK "/uevent",
	DISK "/dev",
	DISK "/device",
	DISK "/device/block/sda/size",
	DISK "/self/self/size",
	DISK "/dangling",
	DISK "/loop",
	DISK "/loop/size",
	DISK "/no-such-attribute",
	DISK "/../sda/size",
	DISK "//size",
	"/sys/class/block/sda",
	"/sys/class/block/sda/size",
	"/sys/class/pci/pci0/uevent",
	"/sys/block/sda/queue/read_ahead_kb",
	"/sys/dev/block/8:0/size",
	"/sys/dev/block/8:16/size",
	"/sys/devices",
	"/sys/class",
	"/proc/cmdline",
	"/proc/version",
	"/no/such/folder",
};

static void test_read(void **state)
{
	const struct roots *roots = *state;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		char a[64] = "old", b[64] = "old";
		size_t a_len = 99, b_len = 99;
		int r = root_read(roots->folder, paths[i], a, sizeof(a), &a_len);

		ROW_INT(paths[i],
			root_read(roots->capture, paths[i], b, sizeof(b), &b_len), r);
		ROW_INT(paths[i], b_len, a_len);
		if (r == 0)
			ROW_INT(paths[i], memcmp(a, b, a_len + 1), 0);
		else
			ROW_INT(paths[i], a_len, 99);
	}
}

static void test_sizes(void **state)
{
	const struct roots *roots = *state;
	const struct root *both[] = { roots->folder, roots->capture };

	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		char buf[8] = "#######";
		size_t len = 0;

		strcpy(buf, "old");
		assert_int_equal(root_read(both[i], DISK "/size", buf, 4, NULL), -EFBIG);
		assert_string_equal(buf, "");
		strcpy(buf, "old");
		assert_int_equal(root_read(both[i], DISK "/none", buf, 4, NULL), -ENOENT);
		assert_string_equal(buf, "");
		assert_int_equal(root_read(both[i], DISK "/size", buf, 5, &len), 0);
		assert_string_equal(buf, "100\n");
		assert_int_equal(len, 4);
		assert_int_equal(root_read_head(both[i], DISK "/size", buf, 3, &len), 0);
		assert_string_equal(buf, "10");
		assert_int_equal(len, 2);
		assert_int_equal(root_read_head(both[i], DISK "/size", buf, 1, &len), 0);
		assert_string_equal(buf, "");
		assert_int_equal(root_read_head(both[i], DISK "/size", buf, 0, &len),
				 -EINVAL);
	}
}

static void test_stat(void **state)
{
	const struct roots *roots = *state;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		mode_t a = 0, b = 0;
		ino_t ino = 1;
		int r = root_stat(roots->folder, paths[i], &a, NULL);

		ROW_INT(paths[i], root_stat(roots->capture, paths[i], &b, &ino), r);
		ROW_INT(paths[i], b, a);
		ROW_INT(paths[i], ino, r == 0 ? 0 : 1);
		ROW_INT(paths[i], root_exists(roots->folder, paths[i]), r == 0);
		ROW_INT(paths[i], root_exists(roots->capture, paths[i]), r == 0);
	}
}

static void test_links(void **state)
{
	const struct roots *roots = *state;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		char a[ROOT_PATH_MAX] = "old", b[ROOT_PATH_MAX] = "old";
		int r = root_resolve(roots->folder, paths[i], a, sizeof(a));

		/* Links to links are not resolved, by contract: sysfs has none. */
		ROW_INT(paths[i], root_resolve(roots->capture, paths[i], b, sizeof(b)),
			r);
		ROW_TEXT(paths[i], b, a);
		r = root_read_link_name(roots->folder, paths[i], a, sizeof(a));
		ROW_INT(paths[i],
			root_read_link_name(roots->capture, paths[i], b, sizeof(b)), r);
		if (r == 0)
			ROW_TEXT(paths[i], b, a);
	}
	assert_int_equal(root_read_link_name(roots->capture, DISK "/subsystem",
					     (char[6]){ "" }, 6),
			 0);
	assert_int_equal(root_read_link_name(roots->capture, DISK "/subsystem",
					     (char[5]){ "" }, 5),
			 -EINVAL);
}

static void test_list(void **state)
{
	const struct roots *roots = *state;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_names_ struct names a = { 0 }, b = { 0 };
		int r = root_list(roots->folder, paths[i], &a);

		ROW_INT(paths[i], root_list(roots->capture, paths[i], &b), r);
		ROW_INT(paths[i], b.n, a.n);
		for (size_t k = 0; k < a.n; k++)
			ROW_TEXT(paths[i], b.list[k], a.list[k]);
	}
}

static void test_long_paths(void **state)
{
	const struct roots *roots = *state;
	const struct root *both[] = { roots->folder, roots->capture };
	char path[2 * ROOT_PATH_MAX], buf[8];

	for (size_t i = 0; i + 1 < sizeof(path); i += 2)
		memcpy(path + i, "/x", 2);
	path[sizeof(path) - 1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		struct names names = { 0 };

		assert_int_equal(root_read(both[i], path, buf, sizeof(buf), NULL),
				 -ENAMETOOLONG);
		assert_int_equal(root_list(both[i], path, &names), -ENAMETOOLONG);
		assert_false(root_exists(both[i], path));
		assert_true(root_resolve(both[i], path, buf, sizeof(buf)) < 0);
	}
}

static void test_live(void **state)
{
	const struct roots *roots = *state;
	_cleanup_root_ struct root *live = NULL, *slash = NULL;

	assert_int_equal(root_new("", &live), 0);
	assert_int_equal(root_new("///", &slash), 0);
	assert_true(root_is_live(live) && root_is_live(slash));
	assert_false(root_is_live(roots->folder) || root_is_live(roots->capture));
	assert_null(root_free(NULL));
}

static void test_paths(void **state)
{
	char buf[16] = "/a/b";

	(void)state;
	assert_int_equal(path_join(buf, sizeof(buf), buf, "c"), 0);
	assert_string_equal(buf, "/a/b/c");
	assert_int_equal(path_join(buf, sizeof(buf), buf, "123456789"), -ENAMETOOLONG);
	assert_string_equal(buf, "/a/b/c");
	assert_int_equal(path_join_target("/a/b/link", "../../x/./y", buf, sizeof(buf)),
			 0);
	assert_string_equal(buf, "/x/y");
	assert_int_equal(path_join_target("/a/link", "../../../..", buf, sizeof(buf)), 0);
	assert_string_equal(buf, "");
	assert_int_equal(path_join_target("/a/link", "/b//c/", buf, sizeof(buf)), 0);
	assert_string_equal(buf, "/b/c");
	assert_string_equal(path_name("/a/b"), "b");
	assert_string_equal(path_name("b"), "b");
	assert_string_equal(path_name("/a/"), "");
	strcpy(buf, "/a/b");
	assert_true(path_up(buf) && path_up(buf));
	assert_string_equal(buf, "");
	assert_false(path_up(buf));
}

static void test_names(void **state)
{
	_cleanup_names_ struct names names = { 0 };
	char name[16];

	(void)state;
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "%03d", (i * 37) % 100);
		assert_int_equal(names_add(&names, name), 0);
	}
	names_sort(&names);
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "%03d", i);
		assert_string_equal(names.list[i], name);
	}
}

#define BOTH_TEST(name, function) { name, function, setup, teardown, NULL }

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_TEST("reading gives the same on both", test_read),
		BOTH_TEST("sizes are held on both", test_sizes),
		BOTH_TEST("modes are the same on both", test_stat),
		BOTH_TEST("links lead to the same on both", test_links),
		BOTH_TEST("folders list the same on both", test_list),
		BOTH_TEST("paths that are too long", test_long_paths),
		BOTH_TEST("only one root is the live machine", test_live),
		TEST("paths as text", test_paths),
		TEST("lists of names", test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
