/* SPDX-License-Identifier: MIT */
/*
 * How much an engine's question costs, against one stat(2) of the same path and against
 * lsblk(8). The "kernel" line is the least that any answer takes: that stat, and opening,
 * reading and closing the record and the disk's sequence number. All take turns; printed
 * are the medians of the rounds, and nothing is judged: the figures are the machine's.
 *
 * usage: bench-lookup FILE [ROOT]
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <blkadvise.h>

#include "bench.h"

#define ROUNDS 15
#define CALLS 2000
#define FILE_PATH_MAX 1024

static double time_stat(const char *path)
{
	double start = now_ns();
	struct stat st;

	for (int i = 0; i < CALLS; i++)
		(void)stat(path, &st);
	return (now_ns() - start) / CALLS;
}

static double time_lookup(const char *root, const char *path)
{
	double start = now_ns();

	for (int i = 0; i < CALLS; i++) {
		struct blkadvise_record *record = NULL;
		struct blkadvise_advice advice;

		(void)blkadvise_open_path_at(root, path, &record);
		(void)blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS,
				       &advice);
		(void)blkadvise_close(record);
	}
	return (now_ns() - start) / CALLS;
}

static void read_once(const char *path)
{
	char buf[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!read(fd, buf, sizeof(buf));
		(void)close(fd);
	}
}

static double time_kernel(const char *path, const char *record, const char *diskseq)
{
	double start = now_ns();
	struct stat st;

	for (int i = 0; i < CALLS; i++) {
		(void)stat(path, &st);
		read_once(record);
		read_once(diskseq);
	}
	return (now_ns() - start) / CALLS;
}

/* 0 if there is no lsblk. */
static double time_lsblk(void)
{
	char *argv[] = { (char[]){ "lsblk" }, (char[]){ "-J" }, NULL };
	struct run run = { 0 };

	return run_process(argv, &run) < 0 ? 0 : run.wall_us * 1e3;
}

/* Prints what is asked; gives the two files behind the answer. */
static void prepare(const char *root, const char *path, char *record_path, char *seq_path)
{
	struct blkadvise_record *record = NULL;
	int r = blkadvise_open_path_at(root, path, &record);
	unsigned int major = 0, minor = 0;
	size_t keys = 0;

	while (blkadvise_key(record, keys))
		keys++;
	(void)blkadvise_devnum(record, &major, &minor);
	printf("%s: %s, %zu keys\n", path, blkadvise_strerror(r), keys);
	(void)snprintf(record_path, FILE_PATH_MAX, "%s/run/blkadvise/disks/%u:%u",
		       root ? root : "", major, minor);
	(void)snprintf(seq_path, FILE_PATH_MAX, "%s/sys/dev/block/%u:%u/diskseq",
		       root ? root : "", major, minor);
	blkadvise_close(record);
}

static void print(double *stats, double *kernels, double *lookups, double *lsblks)
{
	double of_stat[ROUNDS], of_lsblk[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		of_stat[i] = lookups[i] / stats[i];
		of_lsblk[i] = lsblks[i] / lookups[i];
	}
	printf("stat        %8.2f us\n", median(stats, ROUNDS) / 1e3);
	printf("kernel      %8.2f us\n", median(kernels, ROUNDS) / 1e3);
	printf("lookup      %8.2f us, %.1f times a stat", median(lookups, ROUNDS) / 1e3,
	       median(of_stat, ROUNDS));
	printf(" (%.1f to %.1f)\n", of_stat[0], of_stat[ROUNDS - 1]); /* sorted now */
	if (median(lsblks, ROUNDS) > 0)
		printf("lsblk -J    %8.0f us, %.0f times a lookup\n",
		       median(lsblks, ROUNDS) / 1e3, median(of_lsblk, ROUNDS));
	else
		printf("lsblk -J    skipped: no lsblk here\n");
}

int main(int argc, char *argv[])
{
	const char *path = argc > 1 ? argv[1] : "/";
	const char *root = argc > 2 ? argv[2] : NULL;
	double stats[ROUNDS], kernels[ROUNDS], lookups[ROUNDS], lsblks[ROUNDS];
	char record_path[FILE_PATH_MAX], seq_path[FILE_PATH_MAX];

	prepare(root, path, record_path, seq_path);
	for (int i = 0; i < ROUNDS; i++) {
		stats[i] = time_stat(path);
		kernels[i] = time_kernel(path, record_path, seq_path);
		lookups[i] = time_lookup(root, path);
		lsblks[i] = time_lsblk();
	}
	print(stats, kernels, lookups, lsblks);
	return 0;
}
