/* SPDX-License-Identifier: MIT */
/*
 * Programs that are run for what they print: that they end in time, with all that they
 * started, and also when a signal ends us.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/run-program.h"
#include "support.h"

#define SHELL "/bin/sh"
#define SOON_MS 300
#define LONG_MS 20000

struct printed {
	char text[256];
	size_t len, total;
};

static void keep(const char *text, size_t len, void *context)
{
	struct printed *printed = context;
	size_t room = sizeof(printed->text) - 1 - printed->len;
	size_t part = len < room ? len : room;

	memcpy(printed->text + printed->len, text, part);
	printed->len += part;
	printed->total += len;
}

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int run_shell(const char *script, int timeout_ms, struct printed *printed)
{
	const char *const argv[] = { SHELL, "-c", script, NULL };

	*printed = (struct printed){ .len = 0 };
	return run_program(argv, timeout_ms, keep, printed);
}

static const struct {
	const char *name, *script;
	int timeout_ms, result;
	const char *text;
} rows[] = {
	{ "all is well", "echo a; echo b", LONG_MS, 0, "a\nb\n" },
	{ "no input", "cat; echo a", LONG_MS, 0, "a\n" },
	{ "exit 1", "echo a; exit 1", LONG_MS, -EIO, "a\n" },
	{ "killed", "echo a; kill -9 $$", LONG_MS, -EIO, "a\n" },
	{ "too slow", "echo a; sleep 60", SOON_MS, -ETIMEDOUT, "a\n" },
	{ "closes its output and ends", "echo a; exec >&-; sleep 0.1", LONG_MS, 0,
	  "a\n" },
	{ "closes its output and goes on", "echo a; exec >&-; sleep 60", SOON_MS,
	  -ETIMEDOUT, "a\n" },
	{ "what it started keeps the output", "sleep 60 & echo a", SOON_MS, -ETIMEDOUT,
	  "a\n" },
	{ "what it started has no output", "sleep 60 >/dev/null & echo a", LONG_MS, 0,
	  "a\n" },
	{ "no complaints", "echo a >&2", LONG_MS, 0, "" },
	{ "its environment", "echo \"$HOME$LC_ALL\"", LONG_MS, 0, "C\n" },
};

static void test_results(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct printed printed;
		int64_t before = now_ms();
		int r = run_shell(rows[i].script, rows[i].timeout_ms, &printed);

		ROW_INT(rows[i].name, r, rows[i].result);
		assert_string_equal(printed.text, rows[i].text);
		if (now_ms() - before > SOON_MS + 5000)
			fail_msg("%s: it took too long", rows[i].name);
	}
}

static void test_no_such_program(void **state)
{
	const char *const argv[] = { "/no/such/program", NULL };
	struct printed printed = { .len = 0 };

	(void)state;
	assert_int_equal(run_program(argv, SOON_MS, keep, &printed), -ENOENT);
}

/* 1 MB, which comes in many pieces. */
static void test_much(void **state)
{
	struct printed printed;

	(void)state;
	assert_int_equal(run_shell("head -c 1000000 /dev/zero", LONG_MS, &printed), 0);
	assert_int_equal(printed.total, 1000000);
}

/* The process is gone: nobody has its number, or a corpse that waits for its parent. */
static bool is_gone(const char *number)
{
	char path[64], text[512] = "", *state = NULL;
	_cleanup_close_ int fd = -1;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", atoi(number));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return true;
	state = strrchr(text, ')');
	return state && (state[2] == 'Z' || state[2] == 'X');
}

static void assert_soon_gone(const char *number)
{
	const struct timespec nap = { .tv_nsec = 10000000 };

	for (size_t i = 0; i < 500; i++) {
		if (is_gone(number))
			return;
		(void)nanosleep(&nap, NULL);
	}
	fail_msg("process %s is still there", number);
}

static void test_grandchild(void **state)
{
	struct printed printed;

	(void)state;
	assert_int_equal(
		run_shell("sleep 60 >/dev/null 2>&1 & echo $!", LONG_MS, &printed), 0);
	assert_true(atoi(printed.text) > 1);
	assert_soon_gone(printed.text);
}

/* A child of ours runs the program, and gets the signal meanwhile. */
static void test_signal(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGKILL };
	const struct timespec nap = { .tv_nsec = 10000000 };
	const struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		char name[16], path[256], script[1024];
		struct printed printed;
		int status = 0;
		pid_t pid = 0;

		(void)snprintf(name, sizeof(name), "/pid%zu", i);
		(void)snprintf(path, sizeof(path), "%s", folder_path_of(root, name));
		(void)snprintf(script, sizeof(script),
			       "echo $$ >%s.new; mv %s.new %s; exec sleep 60", path, path,
			       path);
		pid = fork();
		if (pid == 0) {
			(void)run_shell(script, LONG_MS, &printed);
			_exit(0);
		}
		while (access(path, F_OK) < 0)
			(void)nanosleep(&nap, NULL);
		assert_int_equal(kill(pid, signals[i]), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		assert_soon_gone(folder_get(root, name));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("how a program ends", test_results),
		TEST("no such program", test_no_such_program),
		TEST("a program that prints much", test_much),
		TEST("what it started is gone, too", test_grandchild),
		FOLDER_TEST("a signal that ends us ends it", test_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
