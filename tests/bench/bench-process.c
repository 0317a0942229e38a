/* SPDX-License-Identifier: MIT */
/*
 * Whole processes against each other: they take turns for many rounds, so that what
 * else the machine does hits all of them, and the ratios hold where the times do not.
 * Prints medians and judges nothing.
 *
 * usage: bench-process ROUNDS NAME PROGRAM [ARGUMENT ...] [-- NAME PROGRAM ...] ...
 *
 * The first program is what the others are compared to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define CONTESTANTS_MAX 8
#define ROUNDS_MAX 2000
#define WARM_UP 3

struct contestant {
	const char *name;
	char **argv;
	double wall_us[ROUNDS_MAX], cpu_us[ROUNDS_MAX], ratio[ROUNDS_MAX];
	long peak_kb, faults;
	int status;
};

/* Splits @argv at "--", in place. */
static size_t parse(char **argv, struct contestant *contestants)
{
	size_t n = 0;

	while (*argv && n < CONTESTANTS_MAX && argv[1]) {
		contestants[n].name = argv[0];
		contestants[n].argv = argv + 1;
		n++;
		while (*argv && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv)
			*argv++ = NULL;
	}
	return n;
}

static int run_round(struct contestant *contestants, size_t n, size_t round)
{
	for (size_t i = 0; i < n; i++) {
		struct contestant *contestant = &contestants[i];
		struct run run = { 0 };
		int r = run_process(contestant->argv, &run);

		if (r < 0) {
			(void)fprintf(stderr, "%s: %s\n", contestant->name, strerror(-r));
			return r;
		}
		contestant->wall_us[round] = run.wall_us;
		contestant->cpu_us[round] = run.cpu_us;
		contestant->ratio[round] = run.wall_us / contestants[0].wall_us[round];
		contestant->faults = run.faults;
		contestant->status = run.status;
		if (run.peak_kb > contestant->peak_kb)
			contestant->peak_kb = run.peak_kb;
	}
	return 0;
}

static void print(struct contestant *contestants, size_t n, size_t rounds)
{
	printf("%-24s %9s %9s %9s %7s %9s %7s\n", "program", "median us", "least us",
	       "CPU us", "ratio", "peak KiB", "faults");
	for (size_t i = 0; i < n; i++) {
		struct contestant *contestant = &contestants[i];
		double wall = median(contestant->wall_us, rounds);

		printf("%-24s %9.0f %9.0f %9.0f %7.2f %9ld %7ld", contestant->name, wall,
		       contestant->wall_us[0], median(contestant->cpu_us, rounds),
		       median(contestant->ratio, rounds), contestant->peak_kb,
		       contestant->faults);
		if (contestant->status != 0)
			printf("  exit %d", contestant->status);
		printf("\n");
	}
	printf("%zu rounds, in turns; ratio: to %s; no peak can show less than the %ld "
	       "KiB of bench-process\n",
	       rounds, contestants[0].name, own_peak_kb());
}

int main(int argc, char *argv[])
{
	struct contestant *contestants = calloc(CONTESTANTS_MAX, sizeof(*contestants));
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	size_t n = 0;

	if (!contestants)
		return 1;
	if (argc > 3)
		n = parse(argv + 2, contestants);
	if (n == 0 || rounds < 1 || rounds > ROUNDS_MAX) {
		(void)fprintf(stderr, "usage: bench-process ROUNDS NAME PROGRAM ...\n");
		return 2;
	}
	for (size_t i = 0; i < (size_t)rounds + WARM_UP; i++) {
		if (run_round(contestants, n, i < WARM_UP ? 0 : i - WARM_UP) < 0)
			return 1;
	}
	print(contestants, n, (size_t)rounds);
	free(contestants);
	return 0;
}
