/* SPDX-License-Identifier: MIT */
/*
 * How the runner ends: by time, when it is stopped, and when something fails or is
 * refused. Runs that must come to an end by themselves would else take an hour.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "runner-file.h"

/* --- ends ------------------------------------------------------------------------- */

/* A disk that is slower than the run is long: all that was begun is waited for. */
static void test_at_least_one(void **state)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(*state, &ways[i], WORK_RANDOM_READ);
		struct run_result result = { 0 };
		int r = 0;

		watch_anew();
		run.duration_ms = 0;
		r = run_points(&run, &result);
		if (is_missing(&ways[i], r))
			continue;
		ROW_INT(ways[i].name, r, 0);
		ROW_INT(ways[i].name, result.operations, run.depth);
		check_result(ways[i].name, &run, &result);
	}
}

static atomic_bool stop;

static void set_stop(int number)
{
	stop = true;
}

static void check_stopped(const struct file *file, const struct way *way, enum work work)
{
	struct run run = run_of(file, way, work);
	struct run_result result = { .operations = 12345 };
	int r = 0;

	run.duration_ms = HOUR_MS;
	run.stop = &stop;
	r = run_points(&run, &result);
	if (is_missing(way, r))
		return;
	ROW_INT(way->name, r, -EINTR);
	ROW_INT(way->name, result.operations, 12345);
}

static void test_stopped_before(void **state)
{
	stop = true;
	for (size_t i = 0; i < WAYS; i++) {
		check_stopped(*state, &ways[i], WORK_RANDOM_READ);
		check_stopped(*state, &ways[i], WORK_SEQUENTIAL_READ);
	}
}

static void test_stopped_meanwhile(void **state)
{
	for (size_t i = 0; i < WAYS; i++) {
		watch_anew();
		stop = false;
		asked.stop = &stop;
		asked.stop_at = 100;
		check_stopped(*state, &ways[i], WORK_RANDOM_READ);
	}
}

static void test_stopped_by_signal(void **state)
{
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	struct sigaction action = { .sa_handler = set_stop }, old = { 0 };

	assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
	for (size_t i = 0; i < WAYS; i++) {
		stop = false;
		assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
		check_stopped(*state, &ways[i], WORK_RANDOM_READ);
	}
	assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
}

static bool is_full(void *context)
{
	return ++*(unsigned int *)context >= 3;
}

/* Through the page cache a run also ends when it has brought in enough. */
static void test_enough(void **state)
{
	for (size_t i = 0; i < WAYS * 2; i++) {
		const struct way *way = &ways[i / 2];
		struct run run = run_of(*state, way, WORK_RANDOM_READ);
		struct run_result result = { 0 };
		unsigned int looks = 0;

		if (way->mode == IO_MODE_DIRECT)
			continue;
		watch_anew();
		run.duration_ms = HOUR_MS;
		run.bytes_max = i % 2 ? 0 : 20 * PAGE;
		run.is_full = i % 2 ? is_full : NULL;
		run.context = &looks;
		ROW_INT(way->name, run_points(&run, &result), 0);
		ROW_INT(way->name, result.duration_us < HOUR_MS * 1000ULL, true);
		ROW_INT(way->name, result.operations, asked.calls);
		if (i % 2)
			ROW_INT(way->name, looks, 3);
		else
			ROW_INT(way->name,
				asked.calls >= 20 && asked.calls <= 20 + run.depth, true);
	}
}

/* Nothing ever comes back: a pipe that nobody writes to. */
static void test_hanging(void **state)
{
	struct file *file = *state;
	struct run run = run_of(file, way_uring, WORK_RANDOM_READ);
	struct target silent = file->target;
	struct run_result result = { .operations = 12345 };
	int ends[2] = { -1, -1 };
	int r = 0;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	silent.direct_fd = ends[0];
	run.target = &silent;
	run.depth = 4;
	run.patience_ms = 50;
	r = run_points(&run, &result);
	(void)close(ends[0]);
	(void)close(ends[1]);
	if (is_missing(way_uring, r))
		skip();
	assert_int_equal(r, -ETIMEDOUT);
	assert_int_equal(result.operations, 12345);
}

/* --- errors ----------------------------------------------------------------------- */

static void test_no_descriptor(void **state)
{
	struct file *file = *state;
	struct target *target = &file->target;
	int closed = fcntl(target->cached_fd, F_DUPFD_CLOEXEC, 100); /* not the ring's */

	assert_true(closed >= 100);
	(void)close(closed);
	for (size_t i = 0; i < WAYS * 2; i++) {
		const struct way *way = &ways[i / 2];
		struct run run = run_of(file, way, WORK_RANDOM_READ);
		struct target other = *target;
		struct run_result result = { 0 };
		int r = 0;

		other.cached_fd = other.direct_fd = i % 2 ? -1 : closed;
		run.target = &other;
		run.duration_ms = HOUR_MS;
		r = run_points(&run, &result);
		if (!is_missing(way, r))
			ROW_INT(way->name, r, -EBADF);
	}
}

/* The file is cut while it is read: an error of the read, and for mmap no SIGBUS. */
static void test_cut(void **state)
{
	struct sigaction before = { 0 }, after = { 0 };

	for (size_t i = 0; i < WAYS; i++) {
		struct file *file = *state;
		struct run run = run_of(file, &ways[i], WORK_RANDOM_READ);
		struct run_result result = { .operations = 12345 };
		int r = 0;

		watch_anew();
		file_fill(file);
		asked.fd = file->target.cached_fd;
		asked.cut_at = 100;
		run.duration_ms = HOUR_MS;
		assert_int_equal(sigaction(SIGBUS, NULL, &before), 0);
		r = run_points(&run, &result);
		assert_int_equal(sigaction(SIGBUS, NULL, &after), 0);
		assert_ptr_equal(before.sa_handler, after.sa_handler);
		if (is_missing(&ways[i], r))
			continue;
		ROW_INT(ways[i].name, r, -EIO);
		ROW_INT(ways[i].name, result.operations, 12345);
	}
}

static void test_nonsense(void **state)
{
	struct file *file = *state;
	struct run_result result = { 0 };

	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(file, &ways[i], WORK_RANDOM_READ);
		bool direct = ways[i].mode == IO_MODE_DIRECT;
		int r = 0;

		run.depth = 0;
		ROW_INT(ways[i].name, run_points(&run, &result), -EINVAL);
		run.depth = 1;
		run.block_kb = 0;
		ROW_INT(ways[i].name, run_points(&run, &result), -EINVAL);
		run.block_kb = 256;
		ROW_INT(ways[i].name, run_points(&run, &result), -ENOSPC);
		run.block_kb = 2;
		run.duration_ms = 0;
		r = direct ? run_points(&run, &result) : -EINVAL;
		ROW_INT(ways[i].name, r, -EINVAL);
	}
}

/* A hint is put on an open file of its own, and not on the caller's. */
static void test_hint_is_its_own(void **state)
{
	const struct file *file = *state;
	struct hinted hinted = { .fd = -1 };

	assert_int_equal(hinted_open(file->target.cached_fd, HINT_RANDOM, &hinted), 0);
	assert_int_not_equal(hinted.fd, file->target.cached_fd);
	assert_false(hinted.shared);
	hinted_close(&hinted);
	assert_int_equal(hinted.fd, -1);
}

/* --- what the kernel may refuse --------------------------------------------------- */

#define NO_FILTERS (-255)

/* The low half of the second argument. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OPCODE_ARGUMENT offsetof(struct seccomp_data, args[1])
#else
#define OPCODE_ARGUMENT (offsetof(struct seccomp_data, args[1]) + 4)
#endif

/* What the run says in a child with this filter. */
static int run_filtered(const struct run *run, struct sock_filter *filter, size_t n)
{
	const struct sock_fprog program = { (unsigned short)n, filter };
	struct run_result result = { 0 };
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
			_exit(-NO_FILTERS);
		_exit(-run_points(run, &result));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return -WEXITSTATUS(status);
}

/* The system calls @a and @b fail with @error. */
static int run_without(const struct run *run, unsigned int a, unsigned int b, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, a, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, b, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return run_filtered(run, filter, ARRAY_SIZE(filter));
}

static void test_no_io_uring(void **state)
{
	static const struct {
		const char *name;
		int error, want;
	} rows[] = {
		{ "not in this kernel", ENOSYS, -ENOSYS },
		{ "switched off", EPERM, -EPERM },
		{ "not allowed", EACCES, -EPERM },
		{ "no memory to lock", ENOMEM, -EPERM },
		{ "no flag is known", EINVAL, -ENOSYS },
		{ "no descriptor left", EMFILE, -EMFILE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run run = run_of(*state, way_uring, WORK_RANDOM_READ);
		int r = run_without(&run, SYS_io_uring_setup, SYS_io_uring_setup,
				    rows[i].error);

		if (r == NO_FILTERS)
			skip(); /* no filters in this kernel */
		ROW_INT(rows[i].name, r, rows[i].want);
		run.engine = IO_ENGINE_THREADS;
		ROW_INT(rows[i].name,
			run_without(&run, SYS_io_uring_setup, SYS_io_uring_setup,
				    rows[i].error), 0);
	}
}

/* Registering files and buffers spares work; it can do without. */
static void test_nothing_registered(void **state)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_register, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, OPCODE_ARGUMENT),
		/* The question for what the kernel knows is of the same call. */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IORING_REGISTER_PROBE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct run run = run_of(*state, way_uring, WORK_RANDOM_READ);
	struct run_result result = { 0 };
	int r = 0;

	if (is_missing(way_uring, run_points(&run, &result)))
		skip();
	r = run_filtered(&run, filter, ARRAY_SIZE(filter));
	if (r == NO_FILTERS)
		skip();
	assert_int_equal(r, 0);
	run.work = WORK_RANDOM_WRITE;
	assert_int_equal(run_filtered(&run, filter, ARRAY_SIZE(filter)), 0);
}

static void test_no_threads(void **state)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(*state, &ways[i], WORK_RANDOM_READ);
		int r = 0;

		if (run.engine != IO_ENGINE_THREADS)
			continue;
		r = run_without(&run, SYS_clone, SYS_clone3, EAGAIN);
		if (r == NO_FILTERS)
			skip();
		ROW_INT(ways[i].name, r, -EAGAIN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILE_TEST("no time at all", test_at_least_one),
		FILE_TEST("stopped before it began", test_stopped_before),
		FILE_TEST("stopped meanwhile", test_stopped_meanwhile),
		FILE_TEST("stopped by a signal", test_stopped_by_signal),
		FILE_TEST("enough was brought in", test_enough),
		FILE_TEST("a disk that hangs", test_hanging),
		FILE_TEST("no open file", test_no_descriptor),
		FILE_TEST("a file that is cut meanwhile", test_cut),
		FILE_TEST("runs that make no sense", test_nonsense),
		FILE_TEST("a hint goes with the run", test_hint_is_its_own),
		FILE_TEST("no io_uring", test_no_io_uring),
		FILE_TEST("nothing can be registered", test_nothing_registered),
		FILE_TEST("no threads", test_no_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
