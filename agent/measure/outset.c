/* SPDX-License-Identifier: MIT */
/*
 * Who may measure now, and which disks are worth it.
 */
#include "measure/outset.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/parse.h"

#define STEP_MS 50U
#define PATH_TURN "/run/blkadvise/measure.lock"

bool measure_in_event(void)
{
	return getenv("ACTION") && getenv("DEVPATH") && getenv("SEQNUM");
}

void measure_turn_done(struct measure_turn *turn)
{
	if (turn->shared >= 0)
		(void)close(turn->shared);
	if (turn->own >= 0)
		(void)close(turn->own);
	*turn = (struct measure_turn){ -1, -1 };
}

/* Takes the lock of @fd, which is closed if it cannot be had. -EBUSY, -EINTR. */
static int take(int fd, unsigned int wait_ms, const atomic_bool *stop, int *ret_fd)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
	int r = 0;

	if (fd < 0)
		return 0;
	for (unsigned int waited = 0; r == 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
	     waited += STEP_MS) {
		if (errno != EWOULDBLOCK)
			break; /* no such locks: as good as none */
		if (*stop)
			r = -EINTR;
		else if (waited >= wait_ms)
			r = -EBUSY;
		else
			(void)nanosleep(&step, NULL);
	}
	if (r < 0)
		(void)close(fd);
	else
		*ret_fd = fd;
	return r;
}

static int open_below(const struct root *root, const char *path, int flags)
{
	char full[ROOT_PATH_MAX];
	int n = snprintf(full, sizeof(full), "%s%s", root->prefix, path);

	if (n < 0 || (size_t)n >= sizeof(full))
		return -1;
	return open(full, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

int measure_lock(const struct root *root, bool is_root, unsigned int wait_ms,
		 const atomic_bool *stop, struct measure_turn *ret)
{
	_cleanup_turn_ struct measure_turn turn = { -1, -1 };
	int r = 0;

	*ret = turn;
	if (is_root)
		r = take(open_below(root, PATH_TURN, O_RDWR | O_CREAT), wait_ms, stop,
			 &turn.own);
	if (r == 0)
		r = take(open_below(root, "/sys/block", O_RDONLY | O_DIRECTORY), wait_ms,
			 stop, &turn.shared);
	if (r == -EBUSY && turn.own >= 0 && wait_ms > 0)
		r = 0;
	if (r < 0)
		return r;
	*ret = turn;
	turn = (struct measure_turn){ -1, -1 };
	return 0;
}

/* Reading would wake it. A disk whose driver does not tell counts as awake. */
static bool is_asleep(const struct root *root, const struct disk *disk)
{
	char path[ROOT_PATH_MAX], status[32];

	return path_join(path, sizeof(path), disk->syspath,
			 "device/power/runtime_status") == 0 &&
	       root_read(root, path, status, sizeof(status), NULL) == 0 &&
	       strcmp(trim(status), "suspended") == 0;
}

static bool has_no_medium(const struct disk *disk)
{
	uint64_t size = 0;

	return facts_number(&disk->facts, FACT_SIZE, &size) && size == 0;
}

bool measure_passes_over(const struct root *root, const struct disk *disk,
			 const struct disk_class *class, char *buf, size_t size)
{
	const char *reason = NULL;

	if (disk_is_ignored(&disk->facts))
		reason = "loop, ram and zram devices are no disks";
	else if (class->class == CLASS_OPTICAL)
		reason = "an optical drive";
	else if (facts_is_set(&disk->facts, FACT_HIDDEN))
		reason = "a path of a disk with several";
	else if (has_no_medium(disk))
		reason = "no medium";
	else if (is_asleep(root, disk))
		reason = "asleep, and reading would wake it";
	else if (disk->n_leaves > 0 || disk->leaves_incomplete)
		reason = "a stack, and its disks are measured; name it to measure it";
	else
		return false;
	(void)snprintf(buf, size, "%s", reason);
	return true;
}
