/* SPDX-License-Identifier: MIT */
/*
 * The advised hint for a program that cannot be changed: asks the kernel to read a file
 * into the page cache, without waiting for it. One call reads no more than the readahead
 * or the largest request of the disk (mm/readahead.c), so it asks in small steps.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP (128 * 1024)

static int ask(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	int r = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	for (off_t at = 0; r == 0 && at < st.st_size; at += STEP)
		r = -posix_fadvise(fd, at, STEP, POSIX_FADV_WILLNEED);
	(void)close(fd);
	return r;
}

int main(int argc, char *argv[])
{
	int r = argc == 2 ? ask(argv[1]) : -EINVAL;

	if (r < 0)
		fprintf(stderr, "willneed: %s\n", strerror(-r));
	return r < 0;
}
