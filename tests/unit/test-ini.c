/* SPDX-License-Identifier: MIT */
/*
 * The line reader and the search for files: what counts as a line, where a problem is
 * reported, and which of several files of one name is read.
 */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "support.h"

#define FILE_NAME "/etc/test.policy"

struct seen {
	char text[4096];
	int fail_at_line;
};

static int note_line(const struct ini_line *line, void *context,
		     struct ini_problems *problems)
{
	struct seen *seen = context;
	size_t len = strlen(seen->text);

	(void)problems;
	if (seen->fail_at_line == (int)line->line)
		return -EIO;
	(void)snprintf(seen->text + len, sizeof(seen->text) - len, "%u[%s]%s=%s;",
		       line->line, line->section, line->key ? line->key : "",
		       line->value ? line->value : "");
	return 0;
}

static const struct {
	const char *text, *seen, *problem; /* problem NULL: none */
} rows[] = {
	{ "", "", NULL },
	{ "# comment\n; comment\n\n   \n", "", NULL },
	{ "[a]\nK=v\n", "1[a]=;2[a]K=v;", NULL },
	{ "[a]\nK=v", "1[a]=;2[a]K=v;", NULL },
	{ "K=v\n", "1[]K=v;", NULL },
	{ "[a]\r\nK=v\r\n", "1[a]=;2[a]K=v;", NULL },
	{ "  [a]  \n  K  =  v w  \n", "1[a]=;2[a]K=v w;", NULL },
	{ "[a]\nK=a=b\n", "1[a]=;2[a]K=a=b;", NULL },
	{ "[a]\nK=\n", "1[a]=;2[a]K=;", NULL },
	{ "[a]\nK=v # no comment\n", "1[a]=;2[a]K=v # no comment;", NULL },
	{ "[a]\nK=1\n[b]\nK=2\n", "1[a]=;2[a]K=1;3[b]=;4[b]K=2;", NULL },
	{ "[]\n", "", FILE_NAME ":1: not a section head: []" },
	{ "\n[a\n", "", FILE_NAME ":2: not a section head: [a" },
	{ "[a] b\n", "", FILE_NAME ":1: not a section head: [a] b" },
	{ "[a]\nword\nK=v\n", "1[a]=;3[a]K=v;", FILE_NAME ":2: no Key=Value: word" },
	{ "[a]\n=v\n", "1[a]=;", FILE_NAME ":2: no Key=Value: =v" },
};

static void test_lines(void **state)
{
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ini_problems problems = { 0 };
		struct seen seen = { .fail_at_line = -1 };

		folder_put(root, FILE_NAME, rows[i].text);
		ROW_INT(rows[i].text,
			ini_read(root, FILE_NAME, note_line, &seen, &problems), 0);
		ROW_TEXT(rows[i].text, seen.text, rows[i].seen);
		ROW_INT(rows[i].text, problems.n, rows[i].problem != NULL);
		ROW_TEXT(rows[i].text, problem_text(&problems, 0),
			 rows[i].problem ? rows[i].problem : "");
		ini_problems_done(&problems);
		assert_int_equal(problems.n, 0);
	}
}

static void test_files(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct seen seen = { .fail_at_line = 2 };
	char *text = malloc(INI_FILE_MAX + 1);

	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), -ENOENT);
	assert_int_equal(ini_read(root, "/", note_line, &seen, &problems), -EISDIR);
	folder_put(root, FILE_NAME, "[a]\nK=v\nK=w\n");
	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), -EIO);
	assert_string_equal(seen.text, "1[a]=;");
	assert_int_equal(problems.n, 0);

	assert_non_null(text);
	memset(text, '\n', INI_FILE_MAX);
	text[INI_FILE_MAX] = '\0';
	folder_put(root, FILE_NAME, text);
	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), 0);
	assert_string_equal(problem_text(&problems, 0),
			    FILE_NAME ":0: larger than 262144 bytes");
	ini_problems_done(&problems);
	assert_int_equal(file_replace(root, FILE_NAME, "[a]\0\n", 5, 0644), 0);
	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), 0);
	assert_string_equal(problem_text(&problems, 0), FILE_NAME ":0: holds NUL bytes");
	ini_problems_done(&problems);
	free(text);
}

/* The problem's text is cut, its file is not. */
static void test_long_problem(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct seen seen = { .fail_at_line = -1 };
	char text[1024];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	folder_put(root, FILE_NAME, text);
	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), 0);
	assert_int_equal(problems.n, 1);
	assert_string_equal(problems.list[0].file, FILE_NAME);
	assert_true(strlen(problems.list[0].text) < 100);
	text[0] = '[';
	text[1022] = ']';
	folder_put(root, FILE_NAME, text);
	assert_int_equal(ini_read(root, FILE_NAME, note_line, &seen, &problems), 0);
	assert_int_equal(problems.n, 2);
	ini_problems_done(&problems);
}

static const char *const folders[] = { "/etc/p", "/run/p", "/usr/p", NULL };

static void expect_files(const struct root *root, const char *expected)
{
	_cleanup_names_ struct names names = { 0 };
	struct ini_problems problems = { 0 };
	char text[1024] = "";

	assert_int_equal(ini_find_files(root, folders, ".policy", &problems, &names), 0);
	assert_int_equal(problems.n, 0);
	for (size_t i = 0; i < names.n; i++) {
		strcat(text, names.list[i]);
		strcat(text, " ");
	}
	assert_string_equal(text, expected);
}

static void test_find(void **state)
{
	struct root *root = *state;

	expect_files(root, "");
	folder_put(root, "/usr/p/20-b.policy", "x");
	folder_put(root, "/usr/p/10-a.policy", "x");
	folder_put(root, "/usr/p/README", "x");
	folder_put(root, "/usr/p/.policy", "x");
	folder_put(root, "/usr/p/30-c.policy~", "x");
	expect_files(root, "/usr/p/10-a.policy /usr/p/20-b.policy ");
	folder_put(root, "/etc/p/15-mine.policy", "x");
	expect_files(root,
		     "/usr/p/10-a.policy /etc/p/15-mine.policy /usr/p/20-b.policy ");
	folder_put(root, "/run/p/20-b.policy", "x");
	expect_files(root,
		     "/usr/p/10-a.policy /etc/p/15-mine.policy /run/p/20-b.policy ");
	folder_put(root, "/etc/p/20-b.policy", "");
	expect_files(root, "/usr/p/10-a.policy /etc/p/15-mine.policy ");
	assert_int_equal(symlink("/dev/null", folder_path_of(root, "/etc/p/10-a.policy")),
			 0);
	expect_files(root, "/etc/p/15-mine.policy ");
	assert_int_equal(folder_make(root, "/usr/p/99-folder.policy"), 0);
	expect_files(root, "/etc/p/15-mine.policy /usr/p/99-folder.policy ");
}

/* What cannot be looked into may hold what matters: a problem, and the others count. */
static void test_folder_unreadable(void **state)
{
	struct root *root = *state;
	_cleanup_names_ struct names names = { 0 };
	struct ini_problems problems = { 0 };

	folder_put(root, "/etc/p", "a file where a folder should be");
	assert_int_equal(folder_make(root, "/run"), 0);
	assert_int_equal(symlink("p", folder_path_of(root, "/run/p")), 0);
	folder_put(root, "/usr/p/10-a.policy", "x");
	assert_int_equal(ini_find_files(root, folders, ".policy", &problems, &names), 0);
	assert_int_equal(names.n, 1);
	assert_string_equal(names.list[0], "/usr/p/10-a.policy");
	assert_int_equal(problems.n, 2);
	assert_string_equal(problem_text(&problems, 0),
			    "/etc/p:0: cannot be read: Not a directory");
	assert_string_equal(
		problem_text(&problems, 1),
		"/run/p:0: cannot be read: Too many levels of symbolic links");
	ini_problems_done(&problems);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("lines, and problems where they stand", test_lines),
		FOLDER_TEST("files that cannot be read", test_files),
		FOLDER_TEST("problems are cut", test_long_problem),
		FOLDER_TEST("order and masking", test_find),
		FOLDER_TEST("folders that cannot be read", test_folder_unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
