/* SPDX-License-Identifier: MIT */
/*
 * Reading through the page cache: a mapping or a descriptor with a hint that ends with
 * the run, and page faults that may fail without ending the program.
 */
#include "measure/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int madvise_of(enum hint hint)
{
	switch (hint) {
	case HINT_NORMAL:
		return MADV_NORMAL;
	case HINT_RANDOM:
		return MADV_RANDOM;
	case HINT_SEQUENTIAL:
		return MADV_SEQUENTIAL;
	case HINT_WILLNEED:
		return MADV_WILLNEED;
	case _HINT_MAX:
		break;
	}
	return MADV_NORMAL;
}

static int fadvise_of(enum hint hint)
{
	switch (hint) {
	case HINT_NORMAL:
		return POSIX_FADV_NORMAL;
	case HINT_RANDOM:
		return POSIX_FADV_RANDOM;
	case HINT_SEQUENTIAL:
		return POSIX_FADV_SEQUENTIAL;
	case HINT_WILLNEED:
		return POSIX_FADV_WILLNEED;
	case _HINT_MAX:
		break;
	}
	return POSIX_FADV_NORMAL;
}

int mapping_make(const struct run *run, struct mapping *ret)
{
	size_t size = (size_t)run->target->size;
	void *start = MAP_FAILED;

	if (size != run->target->size)
		return -EFBIG; /* of 32 bits */
	start = mmap(NULL, size, PROT_READ, MAP_SHARED, run->target->cached_fd, 0);
	if (start == MAP_FAILED)
		return -errno;
	if (madvise(start, size, madvise_of(run->hint)) < 0) {
		int r = -errno;

		(void)munmap(start, size);
		return r;
	}
	ret->start = start;
	ret->size = size;
	return 0;
}

void mapping_free(struct mapping *mapping)
{
	if (mapping->start)
		(void)munmap((void *)mapping->start, mapping->size);
	mapping->start = NULL;
}

void mapping_touch(const struct mapping *mapping, uint64_t offset, uint32_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (uint64_t at = offset; at < offset + size && at < mapping->size; at += page)
		(void)*(const volatile unsigned char *)(mapping->start + at);
}

/*
 * A page beyond the end of a file that was cut meanwhile, and a page that the disk could
 * not deliver, are SIGBUS for the thread that asks for it.
 */
static __thread sigjmp_buf *bus_error_return;
static struct sigaction bus_error_before;

static void bus_error(int number)
{
	if (bus_error_return)
		siglongjmp(*bus_error_return, 1);
	/* Not ours: it comes again at once, to whoever was there before. */
	(void)sigaction(SIGBUS, &bus_error_before, NULL);
}

void bus_errors_begin(void)
{
	struct sigaction action = { .sa_handler = bus_error };

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGBUS, &action, &bus_error_before);
}

void bus_errors_end(void)
{
	(void)sigaction(SIGBUS, &bus_error_before, NULL);
}

int bus_errors_catch(void (*body)(void *), void *context)
{
	sigjmp_buf here;

	if (sigsetjmp(here, 1)) {
		bus_error_return = NULL;
		return -EIO;
	}
	bus_error_return = &here;
	body(context);
	bus_error_return = NULL;
	return 0;
}

/*
 * A hint belongs to the open file, not to the descriptor, so it needs an open file of its
 * own. Where the file may not be opened again (a hardened /proc, a permission that has
 * gone), the caller's has to do.
 */
int hinted_open(int fd, enum hint hint, struct hinted *ret)
{
	char path[32];
	int own = -1, r = 0;

	if (fd < 0)
		return -EBADF;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* With what the caller has asked for: not to leave a trace of reading. */
	own = open(path, O_RDONLY | O_CLOEXEC | (fcntl(fd, F_GETFL) & O_NOATIME));
	r = posix_fadvise(own >= 0 ? own : fd, 0, 0, fadvise_of(hint));
	if (r > 0) {
		if (own >= 0)
			(void)close(own);
		return -r;
	}
	ret->fd = own >= 0 ? own : fd;
	ret->shared = own < 0;
	return 0;
}

void hinted_close(struct hinted *hinted)
{
	if (hinted->fd < 0)
		return;
	if (hinted->shared)
		(void)posix_fadvise(hinted->fd, 0, 0, POSIX_FADV_NORMAL);
	else
		(void)close(hinted->fd);
	hinted->fd = -1;
}
