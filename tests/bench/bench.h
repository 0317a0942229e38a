/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks share: a clock, medians, and processes that are started with
 * posix_spawn(3), so that nothing of the starter's memory counts as the child's.
 */
#pragma once

#include <stddef.h>

struct run {
	double wall_us; /* from posix_spawn() to the child's end */
	double cpu_us; /* user and system */
	long peak_kb; /* ru_maxrss */
	long faults; /* minor page faults */
	int status; /* as exit(3) had it; 128 and more: a signal */
};

double now_ns(void);

/* Sorts @values. */
double median(double *values, size_t n);

/* The peak of this program itself; 0 if /proc does not tell. */
long own_peak_kb(void);

/* Runs @argv with both outputs to /dev/null; 0 or a negative errno. */
int run_process(char *const argv[], struct run *ret);
