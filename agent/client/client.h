/* SPDX-License-Identifier: MIT */
/*
 * The inside of the client library: what a record holds, and the three steps that fill
 * it (from a file to a device number, from there to a disk, from there to a text).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "client/blkadvise.h"

#define EXPORT __attribute__((visibility("default")))

#define RECORD_SIZE_MAX (64 * 1024) /* bytes that are read; an agent's has about 3000 */
#define RECORD_KEYS_MAX 512 /* keys that are kept; an agent's has about 80 */

struct devnum {
	unsigned int major, minor;
};

struct entry {
	const char *key; /* without BLKADVISE_ */
	const char *value;
};

struct blkadvise_record {
	char *root; /* where its members are looked up */
	char *text; /* what the entries point into */
	struct entry *entries;
	size_t n_entries;
	struct devnum device;
	bool has_device;
	struct devnum *members;
	size_t n_members;
};

/*
 * The device number under the file @path, or @fd if @path is NULL: 0, an outcome, or
 * a negative errno of stat(2).
 */
int file_find_device(const char *path, int fd, struct devnum *ret);

/* The outcome for a file system that has no block device of its own, by its f_type. */
enum blkadvise_outcome fs_outcome(uint32_t type);

/*
 * Splits @text, @len bytes and a NUL, into entries; takes ownership of @text on
 * success. BLKADVISE_OK, BLKADVISE_UNKNOWN_FORMAT (without entries) or -ENOMEM.
 */
int record_parse(struct blkadvise_record *record, char *text, size_t len);

/* Forgets the entries, not the device. */
void record_clear(struct blkadvise_record *record);
