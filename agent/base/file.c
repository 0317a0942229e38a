/* SPDX-License-Identifier: MIT */
/*
 * Files under /run are small and rewritten whole. The temporary name holds the process
 * number, so that two writers do not meet in it; O_EXCL and O_NOFOLLOW keep out what
 * somebody else may have put there.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/snapshot.h"

static int full_path(const struct root *root, const char *path, char *buf, size_t size)
{
	int n = 0;

	if (root_is_snapshot(root))
		return -EROFS;
	n = snprintf(buf, size, "%s%s", root->prefix, path);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_new(const char *temporary, const char *text, size_t len, mode_t mode,
		     bool durable)
{
	_cleanup_close_ int fd = open(
		temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	int r = 0;

	if (fd < 0)
		return -errno;
	r = write_all(fd, text, len);
	if (r == 0 && fchmod(fd, mode) < 0) /* the umask had its say in open() */
		r = -errno;
	if (r == 0 && durable && fsync(fd) < 0)
		r = -errno;
	return r;
}

/* The new name is part of the folder. Not all file systems can do it: -EINVAL. */
static int sync_folder(const char *file)
{
	char folder[ROOT_PATH_MAX];
	const char *slash = strrchr(file, '/');

	(void)snprintf(folder, sizeof(folder), "%.*s",
		       slash && slash > file ? (int)(slash - file) : 1, file);

	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return fsync(fd) < 0 && errno != EINVAL ? -errno : 0;
}

static int replace(const struct root *root, const char *path, const char *text,
		   size_t len, mode_t mode, bool durable)
{
	char full[ROOT_PATH_MAX], temporary[ROOT_PATH_MAX + 32];
	int r = full_path(root, path, full, sizeof(full));

	if (r < 0)
		return r;
	(void)snprintf(temporary, sizeof(temporary), "%s.%ld.tmp", full, (long)getpid());
	r = write_new(temporary, text, len, mode, durable);
	if (r == -EEXIST) { /* left behind by a dead process of the same number */
		(void)unlink(temporary);
		r = write_new(temporary, text, len, mode, durable);
	}
	if (r == 0 && rename(temporary, full) < 0)
		r = -errno;
	if (r < 0 && r != -EEXIST)
		(void)unlink(temporary);
	return r == 0 && durable ? sync_folder(full) : r;
}

int file_replace(const struct root *root, const char *path, const char *text, size_t len,
		 mode_t mode)
{
	return replace(root, path, text, len, mode, false);
}

int file_replace_durable(const struct root *root, const char *path, const char *text,
			 size_t len, mode_t mode)
{
	return replace(root, path, text, len, mode, true);
}

int attribute_write(const struct root *root, const char *path, const char *text)
{
	char full[ROOT_PATH_MAX];
	size_t len = strlen(text);
	ssize_t n = 0;
	int r = full_path(root, path, full, sizeof(full));

	if (r < 0)
		return r;

	_cleanup_close_ int fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return -errno;
	n = write(fd, text, len);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

int folder_make(const struct root *root, const char *path)
{
	char full[ROOT_PATH_MAX];
	int r = full_path(root, path, full, sizeof(full));

	if (r < 0)
		return r;
	for (char *slash = strchr(full + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(full, 0755) == 0)
			(void)chmod(full, 0755); /* the umask had its say */
		else if (errno != EEXIST)
			return -errno;
		if (!slash)
			return 0;
		*slash = '/';
	}
}

int file_remove(const struct root *root, const char *path)
{
	char full[ROOT_PATH_MAX];
	int r = full_path(root, path, full, sizeof(full));

	if (r < 0)
		return r;
	return unlink(full) < 0 && errno != ENOENT ? -errno : 0;
}

/* Waits for the lock of an open file. */
static int wait_for_lock(int fd, unsigned int timeout_ms)
{
	const unsigned int step_ms = 10;

	for (unsigned int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0;
	     waited += step_ms) {
		struct timespec step = { .tv_nsec = step_ms * 1000000L };

		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (waited >= timeout_ms)
			return -ETIMEDOUT;
		(void)nanosleep(&step, NULL);
	}
	return 0;
}

bool file_is_locked(const struct root *root, const char *path, unsigned int timeout_ms)
{
	char full[ROOT_PATH_MAX];

	if (full_path(root, path, full, sizeof(full)) < 0)
		return false;

	_cleanup_close_ int fd = open(full, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && wait_for_lock(fd, timeout_ms) == -ETIMEDOUT;
}

int file_lock(const struct root *root, const char *path, unsigned int timeout_ms,
	      int *ret_fd)
{
	char full[ROOT_PATH_MAX];
	int r = full_path(root, path, full, sizeof(full));

	if (r < 0)
		return r;

	_cleanup_close_ int fd =
		open(full, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	r = wait_for_lock(fd, timeout_ms);
	if (r < 0)
		return r;
	*ret_fd = fd;
	fd = -1;
	return 0;
}
