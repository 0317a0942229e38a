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

#include "base/parse.h"

#define STEP_MS 50U

bool measure_in_event(void)
{
	return getenv("ACTION") && getenv("DEVPATH") && getenv("SEQNUM");
}

int measure_lock(unsigned int wait_ms, const volatile bool *stop, int *ret_fd)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
	_cleanup_close_ int fd = open("/sys/block", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*ret_fd = -1;
	if (fd < 0)
		return 0;
	for (unsigned int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0;
	     waited += STEP_MS) {
		if (errno != EWOULDBLOCK)
			return 0;
		if (*stop)
			return -EINTR;
		if (waited >= wait_ms)
			return -EBUSY;
		(void)nanosleep(&step, NULL);
	}
	*ret_fd = fd;
	fd = -1;
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
