/* SPDX-License-Identifier: MIT */
/*
 * A program gets a process group of its own, so that what it started can be ended with
 * it. The terminal's Ctrl-C reaches our own group only, hence the handlers; the child is
 * not reaped before its group is dead, since until then nobody else can get its number.
 */
#include "cli/run-program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

#define PIECE 65536
#define MOST (256U << 20)
#define NAP_NS 5000000 /* between two looks whether the program has ended */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* The group that is to die with us; 0: none. One program runs at a time. */
static volatile sig_atomic_t running;

struct signals {
	struct sigaction actions[ARRAY_SIZE(ending)];
};

static void end_both(int number)
{
	if (running > 0)
		(void)kill(-(pid_t)running, SIGKILL);
	(void)signal(number, SIG_DFL);
	(void)raise(number); /* comes when this handler is through */
}

static void catch_signals(struct signals *saved)
{
	struct sigaction action = { .sa_handler = end_both };

	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		(void)sigaction(ending[i], NULL, &saved->actions[i]);
		if (saved->actions[i].sa_handler != SIG_IGN) /* nohup(1) */
			(void)sigaction(ending[i], &action, NULL);
	}
}

static void restore_signals(const struct signals *saved)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		(void)sigaction(ending[i], &saved->actions[i], NULL);
}

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In the child, with all signals blocked. */
static void run(const char *const argv[], int out, pid_t parent)
{
	static const char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
						   "LC_ALL=C", NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(127);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		(void)signal(ending[i], SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execve(argv[0], (char *const *)argv, (char *const *)environment);
	_exit(127);
}

static int read_until(int fd, int64_t deadline, output_handler handler, void *context)
{
	_cleanup_free_ char *piece = malloc(PIECE);
	size_t total = 0;

	while (piece && total < MOST) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		int64_t left = deadline - now_ms();
		ssize_t n = 0;

		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&wait, 1, (int)left) < 0 && errno != EINTR)
			return -errno;
		if (!(wait.revents & (POLLIN | POLLHUP | POLLERR)))
			continue;
		n = read(fd, piece, PIECE);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n == 0)
			return 0;
		if (n < 0)
			continue;
		handler(piece, (size_t)n, context);
		total += (size_t)n;
	}
	return piece ? -EFBIG : -ENOMEM;
}

int read_until_end(int fd, int timeout_ms, output_handler handler, void *context)
{
	return read_until(fd, now_ms() + timeout_ms, handler, context);
}

/* It may go on after it has closed what we read. Does not reap it. */
static int wait_until(pid_t pid, int64_t deadline)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	for (;;) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
			return errno == EINTR ? 0 : -errno;
		if (info.si_pid == pid)
			return 0;
		if (now_ms() >= deadline)
			return -ETIMEDOUT;
		(void)nanosleep(&nap, NULL);
	}
}

/* In the parent, with the child's number known to the handlers. */
static int follow(pid_t pid, int fd, int timeout_ms, output_handler handler,
		  void *context)
{
	int64_t deadline = now_ms() + timeout_ms;
	int status = 0, r = read_until(fd, deadline, handler, context);

	if (r == 0)
		r = wait_until(pid, deadline);
	(void)kill(-pid, SIGKILL);
	running = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (r == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
		r = -EIO;
	return r;
}

int run_program(const char *const argv[], int timeout_ms, output_handler handler,
		void *context)
{
	_cleanup_close_ int out = -1;
	struct signals saved;
	sigset_t all, before;
	int pipes[2], r = 0;
	pid_t pid = 0, parent = getpid();

	if (access(argv[0], X_OK) < 0)
		return -ENOENT;
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	out = pipes[0];
	catch_signals(&saved);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid == 0)
		run(argv, pipes[1], parent);
	r = pid < 0 ? -errno : 0;
	if (r == 0) {
		(void)setpgid(pid, pid); /* whoever is first */
		running = pid;
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(pipes[1]);
	if (r == 0)
		r = follow(pid, out, timeout_ms, handler, context);
	restore_signals(&saved);
	return r;
}
