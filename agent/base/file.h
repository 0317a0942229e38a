/* SPDX-License-Identifier: MIT */
/*
 * Writing files: whole-file replacement that a reader never sees half done, one-write
 * attribute stores, folders and locks. Paths are below a root's prefix; a capture
 * cannot be written (-EROFS).
 */
#pragma once

#include <sys/types.h>

#include "base/root.h"

/*
 * Replaces @path by a file with @len bytes of @text and @mode: a new file beside it,
 * then rename(2). On failure the old file stands and the new one is gone. -ENOSPC,
 * -EACCES, -EROFS, -ENOENT (no folder) and what else open, write and rename return.
 */
int file_replace(const struct root *root, const char *path, const char *text, size_t len,
		 mode_t mode);

/*
 * As file_replace(), and it is on the disk afterwards, file and folder: for what has to
 * outlast a crash. It waits for the disk.
 */
int file_replace_durable(const struct root *root, const char *path, const char *text,
			 size_t len, mode_t mode);

/*
 * Writes @text to the attribute @path in one write(2), as sysfs needs it. A short
 * write is -EIO. The errno of open (-EACCES for a mode without w, though root may
 * write anything else) or of the kernel's store function.
 */
int attribute_write(const struct root *root, const char *path, const char *text);

/* Makes @path and the folders above it (mode 0755) below the prefix. */
int folder_make(const struct root *root, const char *path);

/* Removes the file @path; one that is not there is no error. */
int file_remove(const struct root *root, const char *path);

/*
 * True if somebody holds the lock of file_lock() on @path and keeps it for the next
 * @timeout_ms. Makes no file.
 */
bool file_is_locked(const struct root *root, const char *path, unsigned int timeout_ms);

/*
 * Opens @path (made if need be, mode 0600) and takes an exclusive lock on it, waiting
 * at most @timeout_ms. -ETIMEDOUT. The lock ends when @ret_fd is closed.
 */
int file_lock(const struct root *root, const char *path, unsigned int timeout_ms,
	      int *ret_fd);
