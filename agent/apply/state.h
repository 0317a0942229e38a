/* SPDX-License-Identifier: MIT */
/*
 * The memory of one disk as a file under /run/blkadvise/state: baseline, last writes,
 * holds. The file is bound to the inode number of the disk's sysfs folder, so that a
 * device number that goes to another disk does not inherit it.
 */
#pragma once

#include "facts/disk.h"
#include "policy/state.h"

#define REASSERTS_MAX 3 /* rounds within an hour after which a rival is assumed */
#define REASSERT_WINDOW_S 3600

struct state_file {
	char key[64]; /* "8:0", or a hidden path device's name */
	ino_t inode;
	struct disk_state state;
	bool settled; /* a pending write was settled in memory only, so far */
	uint64_t reasserts[_TUNABLE_MAX][REASSERTS_MAX]; /* seconds since boot; 0: none */
};

/*
 * Reads the memory of @disk; one that is missing, or is another disk's, is empty. A
 * file that makes no sense is empty as well, and -EBADMSG. @now is in seconds since
 * boot: it decides which tunables have a rival.
 */
int state_load(const struct root *root, const struct disk *disk, uint64_t now,
	       struct state_file *ret);

/* Writes it back. The errors of folder_make() and file_replace(). */
int state_save(const struct root *root, const struct state_file *file);

/* Forgets the disk with this key. */
int state_remove(const struct root *root, const char *key);

/* Takes the disk's lock, for helper, service and command alike. See file_lock(). */
int state_lock(const struct root *root, const char *key, unsigned int timeout_ms,
	       int *ret_fd);

/* Somebody is writing, and keeps on for @timeout_ms. Makes no file. */
bool state_is_locked(const struct root *root, const char *key, unsigned int timeout_ms);

/* The key of @disk. False if it has neither device number nor a usable name. */
bool state_key(const struct disk *disk, char *buf, size_t size);

/* Notes a re-assertion at @now. */
void state_note_reassert(struct state_file *file, enum tunable tunable, uint64_t now);
