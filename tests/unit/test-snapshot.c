/* SPDX-License-Identifier: MIT */
/*
 * Captures: every malformed line is refused with its number and reason, every escape that
 * glib writes is undone, what sysfs derives is derived, and no truncation of a capture is
 * taken for a machine.
 */
#include <errno.h>
#include <string.h>

#include "base/snapshot.h"
#include "support.h"

static const struct {
	const char *text;
	unsigned int line;
	const char *reason;
} refused[] = {
	{ "", 0, "no device" },
	{ "\n\n\n", 3, "no device" },
	{ "# only a comment\n", 1, "no device" },
	{ "P: /devices/x", 1, "no newline" },
	{ "P: /devices/x\nA: a=1", 2, "no newline" },
	{ "nonsense\n", 1, "no line of a capture" },
	{ "P:/devices/x\n", 1, "no line of a capture" },
	{ "P\n", 1, "no line of a capture" },
	{ "P:\n", 1, "no line of a capture" },
	{ "\r\n", 1, "no line of a capture" },
	{ "X: what\n", 1, "unknown kind" },
	{ "P: /devices/x\nQ: what\n", 2, "unknown kind" },
	{ "A: a=1\n", 1, "before the P:" },
	{ "N: sda\n", 1, "before the P:" },
	{ "P: /devices/x\n\nE: A=1\n", 3, "before the P:" },
	{ "P: /devices/x\nP: /devices/y\n", 2, "inside a block" },
	{ "P: /sys/devices/x\n", 1, "clean path" },
	{ "P: devices/x\n", 1, "clean path" },
	{ "P: /devices/../x\n", 1, "clean path" },
	{ "P: /devices/./x\n", 1, "clean path" },
	{ "P: /devices//x\n", 1, "clean path" },
	{ "P: /devices/x/\n", 1, "clean path" },
	{ "P: /devices/\n", 1, "clean path" },
	{ "P: /devices/x\nN: \n", 2, "empty node" },
	{ "P: /devices/x\nN: =00\n", 2, "empty node" },
	{ "P: /devices/x\nE: A\n", 2, "no NAME=VALUE" },
	{ "P: /devices/x\nE: =1\n", 2, "no NAME=VALUE" },
	{ "P: /devices/x\nE: A=1\nE: A=2\n", 3, "stands twice" },
	{ "P: /devices/x\nA: a\n", 2, "no NAME=VALUE" },
	{ "P: /devices/x\nA: =1\n", 2, "no NAME=VALUE" },
	{ "P: /devices/x\nA: ../a=1\n", 2, "clean relative" },
	{ "P: /devices/x\nA: /a=1\n", 2, "clean relative" },
	{ "P: /devices/x\nA: a//b=1\n", 2, "clean relative" },
	{ "P: /devices/x\nA: a=\\q\n", 2, "unknown escape" },
	{ "P: /devices/x\nA: a=\\\n", 2, "unknown escape" },
	{ "P: /devices/x\nA: a=\\8\n", 2, "unknown escape" },
	{ "P: /devices/x\nA: a=1\n\nP: /devices/x\nA: a=2\n", 5, "stands twice" },
	{ "P: /devices/x\nA: a=1\nA: a/b=2\n", 2, "stands twice" },
	{ "P: /devices/x\nH: a=0\n", 2, "even number" },
	{ "P: /devices/x\nH: a=0g\n", 2, "even number" },
	{ "P: /devices/x\nH: a=00 01\n", 2, "even number" },
	{ "P: /devices/x\nH: a=0x\n", 2, "even number" },
	{ "P: /devices/x\nH: a=-1\n", 2, "even number" },
	{ "P: /devices/x\nL: a\n", 2, "no NAME=VALUE" },
	{ "P: /devices/x\nL: a=\n", 2, "empty link" },
	{ "P: /devices/x\nL: ../a=b\n", 2, "clean relative" },
	{ "P: /devices/x\nM: a=0444\n", 2, "has not given" },
	{ "P: /devices/x\nA: a=1\nM: a=44\n", 3, "octal mode" },
	{ "P: /devices/x\nA: a=1\nM: a=0888\n", 3, "octal mode" },
	{ "P: /devices/x\nA: a=1\nM: a=004444\n", 3, "octal mode" },
	{ "P: /devices/x\nA: a=1\nM: a=\n", 3, "octal mode" },
	{ "F: proc/cmdline=x\n", 1, "clean absolute" },
	{ "F: /proc/../etc=x\n", 1, "clean absolute" },
	{ "F: /proc/cmdline\n", 1, "no NAME=VALUE" },
	{ "F: /a=\\q\n", 1, "unknown escape" },
	{ "F: /a=1\nF: /a=2\n", 2, "stands twice" },
	{ "P: /devices/x\nE: SUBSYSTEM=a/b\n\n", 3, "not valid" },
	{ "P: /devices/x\nE: SUBSYSTEM=..\n\n", 3, "not valid" },
	{ "P: /devices/x\nE: MAJOR=8x\n\n", 3, "not valid" },
	{ "P: /devices/x\nE: MINOR=-1\n\n", 3, "not valid" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct snapshot_error error = { 0 };
		struct root *root = NULL;
		int r = snapshot_parse(refused[i].text, strlen(refused[i].text), &root,
				       &error);

		ROW_INT(refused[i].text, r, -EBADMSG);
		assert_null(root);
		ROW_INT(refused[i].text, error.line, refused[i].line);
		if (!strstr(error.reason, refused[i].reason))
			fail_msg("%s: \"%s\" does not say \"%s\"", refused[i].text,
				 error.reason, refused[i].reason);
	}
}

static void refuse_bytes(const char *text, size_t len, unsigned int line)
{
	struct snapshot_error error = { 0 };
	struct root *root = NULL;

	assert_int_equal(snapshot_parse(text, len, &root, &error), -EBADMSG);
	assert_int_equal(error.line, line);
	assert_non_null(error.reason);
}

static void test_refused_bytes(void **state)
{
	static const char nul[] = "P: /devices/x\nA: a=1\0002\n";
	const size_t len = 3U << 20;
	char *text = malloc(len + 1);

	(void)state;
	refuse_bytes(nul, sizeof(nul) - 1, 2);
	refuse_bytes("\0\n", 2, 1);
	assert_non_null(text);
	memset(text, 'x', len);
	memcpy(text, "P: /devices/x\nA: a=", 19);
	text[len - 1] = '\n';
	refuse_bytes(text, len, 2);
	memset(text, 'x', 2000);
	memcpy(text, "P: /devices/", 12);
	for (size_t i = 100; i < 1999; i += 100)
		text[i] = '/';
	text[1999] = '\n';
	refuse_bytes(text, 2000, 1);
	free(text);
}

static void test_escapes(void **state)
{
	static const char want[] = "\n\r\t\b\f\v\\\"|\x01\xff" "a";
	_cleanup_root_ struct root *root =
		capture_of("P: /devices/x\n"
			   "A: a=\\n\\r\\t\\b\\f\\v\\\\\\\"|\\1\\377a\n"
			   "A: nul=x\\0y\n"
			   "A: equals=a=b=c\n"
			   "A: octal=\\0601\n"
			   "H: hex=00fF10\n"
			   "F: /proc/x=a\\nb\n");
	char buf[64];
	size_t len = 0;

	(void)state;
	assert_int_equal(root_read(root, "/sys/devices/x/a", buf, sizeof(buf), &len), 0);
	assert_int_equal(len, sizeof(want) - 1);
	assert_memory_equal(buf, want, sizeof(want));
	assert_int_equal(root_read(root, "/sys/devices/x/nul", buf, sizeof(buf), &len),
			 0);
	assert_int_equal(len, 3);
	assert_memory_equal(buf, "x\0y", 4);
	assert_int_equal(root_read(root, "/sys/devices/x/equals", buf, sizeof(buf), &len),
			 0);
	assert_string_equal(buf, "a=b=c");
	assert_int_equal(root_read(root, "/sys/devices/x/octal", buf, sizeof(buf), &len),
			 0);
	assert_string_equal(buf, "01");
	assert_int_equal(root_read(root, "/sys/devices/x/hex", buf, sizeof(buf), &len),
			 0);
	assert_int_equal(len, 3);
	assert_memory_equal(buf, "\x00\xff\x10", 3);
	assert_int_equal(root_read(root, "/proc/x", buf, sizeof(buf), &len), 0);
	assert_string_equal(buf, "a\nb");
}

static const char machine[] = "# a comment\n"
			      "F: /proc/cmdline=quiet\\n\n"
			      "P: /devices/x/block/sda\n"
			      "N: sda=ffff\n"
			      "S: disk/by-id/ata-X\n"
			      "E: DEVTYPE=disk\n"
			      "E: ID_MODEL=X\n"
			      "E: MAJOR=8\n"
			      "E: MINOR=0\n"
			      "E: SUBSYSTEM=block\n"
			      "A: size=1\\n\n"
			      "M: size=0444\n"
			      "\n"
			      "P: /devices/x/block/sda/sda1\n"
			      "N: sda1\n"
			      "E: DEVTYPE=partition\n"
			      "E: MAJOR=8\n"
			      "E: MINOR=1\n"
			      "E: SUBSYSTEM=block\n"
			      "A: partition=1\\n\n";

static void test_derived(void **state)
{
	_cleanup_root_ struct root *root = capture_of(machine);
	char buf[256];

	(void)state;
	assert_true(root_is_snapshot(root));
	assert_int_equal(root_read(root, "/sys/block/sda/dev", buf, sizeof(buf), NULL),
			 0);
	assert_string_equal(buf, "8:0\n");
	assert_int_equal(
		root_read(root, "/sys/dev/block/8:1/uevent", buf, sizeof(buf), NULL), 0);
	assert_string_equal(buf, "DEVTYPE=partition\n");
	assert_false(root_exists(root, "/sys/block/sda1"));
	assert_true(root_exists(root, "/sys/class/block/sda1"));
	assert_int_equal(root_read_link_name(root, "/sys/block/sda/subsystem", buf,
					     sizeof(buf)),
			 0);
	assert_string_equal(buf, "block");
}

static void test_properties(void **state)
{
	_cleanup_root_ struct root *root = capture_of(machine);

	(void)state;
	assert_string_equal(
		snapshot_property(root, "/sys/devices/x/block/sda", "ID_MODEL"), "X");
	assert_null(snapshot_property(root, "/sys/devices/x/block/sda", "ID_SERIAL"));
	assert_null(snapshot_property(root, "/sys/devices/x/block/sda/sda1", "ID_MODEL"));
	assert_string_equal(snapshot_node(root, "sda"), "/sys/devices/x/block/sda");
	assert_string_equal(snapshot_node(root, "disk/by-id/ata-X"),
			    "/sys/devices/x/block/sda");
	assert_null(snapshot_node(root, "sdb"));
}

/* Cut anywhere, it is refused, unless the cut falls behind a whole line. */
static void test_truncated(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(machine) - 1; len++) {
		struct snapshot_error error = { 0 };
		_cleanup_root_ struct root *root = NULL;
		int r = snapshot_parse(machine, len, &root, &error);

		if (len > 0 && machine[len - 1] != '\n')
			assert_int_equal(r, -EBADMSG);
		else
			assert_true(r == 0 || r == -EBADMSG);
	}
}

static void test_open(void **state)
{
	const struct root *folder = *state;
	struct snapshot_error error = { .line = 7, .reason = "old" };
	struct root *root = NULL;

	assert_int_equal(snapshot_open(folder_path_of(folder, "/none"), &root, &error),
			 -ENOENT);
	assert_null(error.reason);
	folder_put(folder, "/bad.capture", "P: /devices/x\nA: a\n");
	assert_int_equal(
		snapshot_open(folder_path_of(folder, "/bad.capture"), &root, &error),
		-EBADMSG);
	assert_int_equal(error.line, 2);
	assert_int_equal(snapshot_open(folder->prefix, &root, &error), -EISDIR);
	folder_put(folder, "/good.capture", machine);
	assert_int_equal(snapshot_open(folder_path_of(folder, "/good.capture"), &root,
				       &error),
			 0);
	assert_null(root_free(root));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every malformed line, with its number", test_refused),
		TEST("NUL bytes, long lines, long paths", test_refused_bytes),
		TEST("escapes and binary attributes", test_escapes),
		TEST("what sysfs derives", test_derived),
		TEST("properties and nodes", test_properties),
		TEST("a truncated capture", test_truncated),
		FOLDER_TEST("captures as files", test_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
