/* SPDX-License-Identifier: MIT */
/*
 * wait4(2) gives each child's own figures. The kernel hands the resident size before
 * exec on to the child's ru_maxrss, and posix_spawn(3) shares our memory until then, so
 * this program has to stay smaller than those it measures.
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

double now_ns(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Our own ru_maxrss may be that of who started us. */
long own_peak_kb(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	long peak = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "VmHWM: %ld kB", &peak) == 1)
			break;
	}
	if (file)
		(void)fclose(file);
	return peak;
}

static double microseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

static int spawn_silent(char *const argv[], pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	int r = posix_spawn_file_actions_init(&actions);

	if (r != 0)
		return -r;
	r = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
					     O_WRONLY, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO,
						     STDERR_FILENO);
	if (r == 0)
		r = posix_spawnp(ret, argv[0], &actions, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

int run_process(char *const argv[], struct run *ret)
{
	double start = now_ns();
	struct rusage usage = { 0 };
	int status = 0;
	pid_t pid = 0;
	int r = spawn_silent(argv, &pid);

	if (r < 0)
		return r;
	while (wait4(pid, &status, 0, &usage) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	*ret = (struct run){
		.wall_us = (now_ns() - start) / 1e3,
		.cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
		.peak_kb = usage.ru_maxrss,
		.faults = usage.ru_minflt,
		.status = WIFEXITED(status) ? WEXITSTATUS(status) :
					      128 + WTERMSIG(status),
	};
	return 0;
}
