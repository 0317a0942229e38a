/* SPDX-License-Identifier: MIT */
/*
 * The inside of the client library: what a record holds, and the three steps that fill
 * it (from a file to a device number, from there to a disk, from there to a text).
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/root.h"
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
	uint32_t tag; /* of the key: see record.c */
};

struct member_list {
	size_t n;
	struct devnum list[];
};

struct blkadvise_record {
	struct root *root; /* where its members are looked up */
	char *text; /* what the entries point into */
	struct entry *entries;
	size_t n_entries;
	struct devnum device;
	bool has_device;
	struct member_list *_Atomic members; /* NULL: nobody has asked yet */
};

enum seq {
	SEQ_SAME,
	SEQ_OTHER, /* a device number may be given to another disk; DISKSEQ never is */
	SEQ_UNKNOWN, /* the record or the kernel has none */
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

/* The members, looked for now if nobody asked before; none without memory. Not NULL. */
const struct member_list *record_members(const struct blkadvise_record *record);

/* Whether the record was published of the disk that has the folder @folder now. */
enum seq disk_compare_seq(const struct blkadvise_record *record, const char *folder);

/* The number of the device that has the folder @folder. */
int disk_read_devnum(const struct root *root, const char *folder, struct devnum *ret);
