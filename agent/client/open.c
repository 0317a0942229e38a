/* SPDX-License-Identifier: MIT */
/*
 * From a device number to a disk to its record. Only whole disks and stacks have one, so
 * a record that bears the very number and the sequence number of the disk that has it
 * now is the one, and two small files have told it. Everything else takes the long way:
 * sysfs says which disk a partition is on; where sysfs says nothing, a record that bears
 * the very number is still good. Whatever is found on the way stays in the result, so
 * that a stack without a record shows its members.
 */
#include "client/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/sysfs.h"

#define DEVNUM_TEXT_MAX 24

static void closep(struct blkadvise_record **record)
{
	(void)blkadvise_close(*record);
}

#define _cleanup_record_ _cleanup_(closep)

/* Leaves half of ROOT_PATH_MAX to paths in sysfs, so that none is cut for the prefix. */
#define PREFIX_MAX 500

/* "<folder>/<major>:<minor>" */
static void devnum_path(const char *folder, struct devnum device, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s/%u:%u", folder, device.major, device.minor);
}

static int read_attribute(const struct root *root, const char *folder, const char *name,
			  char *buf, size_t size)
{
	char path[ROOT_PATH_MAX];
	int r = path_join(path, sizeof(path), folder, name);

	return r < 0 ? r : root_read(root, path, buf, size, NULL);
}

int disk_read_devnum(const struct root *root, const char *folder, struct devnum *ret)
{
	char text[64];
	int r = read_attribute(root, folder, "dev", text, sizeof(text));

	return r < 0 ? r : parse_devnum(text, &ret->major, &ret->minor);
}

enum seq disk_compare_seq(const struct blkadvise_record *record, const char *folder)
{
	uint64_t published = 0, current = 0;
	char text[32];

	if (blkadvise_u64(record, "DISKSEQ", &published) != BLKADVISE_OK ||
	    read_attribute(record->root, folder, "diskseq", text, sizeof(text)) < 0 ||
	    parse_u64(text, &current) < 0)
		return SEQ_UNKNOWN;
	return published == current ? SEQ_SAME : SEQ_OTHER;
}

/* 0 with the disk's folder, or BLKADVISE_NO_DEVICE or BLKADVISE_NO_SYSFS. */
static int find_disk(struct blkadvise_record *record, char *folder, size_t size)
{
	const struct root *root = record->root;
	int r = sysfs_block_by_devnum(root, record->device.major, record->device.minor,
				      folder, size);

	if (r == 0)
		r = disk_read_devnum(root, folder, &record->device);
	if (r == -ENODEV && root_exists(root, "/sys/dev/block"))
		return BLKADVISE_NO_DEVICE;
	if (r < 0)
		return BLKADVISE_NO_SYSFS;
	record->has_device = true;
	return BLKADVISE_OK;
}

/* The record that bears the number record->device. */
static int read_record(struct blkadvise_record *record)
{
	_cleanup_free_ char *text = malloc(RECORD_SIZE_MAX + 1);
	char path[sizeof(PATH_DISKS) + DEVNUM_TEXT_MAX], *shorter = NULL;
	size_t len = 0;
	int r = 0;

	if (!text)
		return -ENOMEM;
	devnum_path(PATH_DISKS, record->device, path, sizeof(path));
	r = root_read_head(record->root, path, text, RECORD_SIZE_MAX + 1, &len);
	if (r == -ENOENT || r == -ENOTDIR)
		return BLKADVISE_NO_RECORD;
	if (r == -EACCES || r == -EPERM)
		return BLKADVISE_NOT_ALLOWED;
	if (r < 0)
		return r;
	shorter = realloc(text, len + 1);
	if (shorter)
		text = shorter;
	r = record_parse(record, text, len);
	if (r >= 0)
		text = NULL; /* the record's now */
	return r;
}

/*
 * The short way: true with everything filled in, or false with nothing. A partition has
 * no sequence number of its own, so that one which was given a former disk's number is
 * not taken for that disk.
 */
static bool fill_directly(struct blkadvise_record *record)
{
	char folder[sizeof("/sys/dev/block/") + DEVNUM_TEXT_MAX];

	if (read_record(record) == BLKADVISE_OK) {
		devnum_path("/sys/dev/block", record->device, folder, sizeof(folder));
		record->has_device = disk_compare_seq(record, folder) == SEQ_SAME;
	}
	if (!record->has_device)
		record_clear(record);
	return record->has_device;
}

static int fill(struct blkadvise_record *record)
{
	char folder[ROOT_PATH_MAX];
	int found = find_disk(record, folder, sizeof(folder));
	int r = read_record(record);

	if (r == BLKADVISE_NO_RECORD && found != BLKADVISE_OK)
		return found;
	if (r != BLKADVISE_OK)
		return r;
	if (found == BLKADVISE_OK && disk_compare_seq(record, folder) == SEQ_OTHER) {
		record_clear(record);
		return BLKADVISE_NO_RECORD;
	}
	record->has_device = true;
	return BLKADVISE_OK;
}

/* @outcome is BLKADVISE_OK if @device is known. */
static int open_record(const char *root_prefix, int outcome, struct devnum device,
		       struct blkadvise_record **ret_record)
{
	_cleanup_record_ struct blkadvise_record *record = calloc(1, sizeof(*record));

	if (!root_prefix)
		root_prefix = "";
	if (strlen(root_prefix) > PREFIX_MAX)
		return -ENAMETOOLONG;
	if (!record || root_new(root_prefix, &record->root) < 0)
		return -ENOMEM;
	record->device = device;
	if (outcome == BLKADVISE_OK && !fill_directly(record))
		outcome = fill(record);
	if (outcome < 0)
		return outcome;
	*ret_record = steal(record);
	return outcome;
}

EXPORT int blkadvise_open_path_at(const char *root, const char *path,
				  struct blkadvise_record **ret_record)
{
	struct devnum device = { 0 };
	int r = 0;

	if (!path || !ret_record)
		return -EINVAL;
	r = file_find_device(path, -1, &device);
	return r < 0 ? r : open_record(root, r, device, ret_record);
}

EXPORT int blkadvise_open_fd_at(const char *root, int fd,
				struct blkadvise_record **ret_record)
{
	struct devnum device = { 0 };
	int r = 0;

	if (!ret_record)
		return -EINVAL;
	r = file_find_device(NULL, fd, &device);
	return r < 0 ? r : open_record(root, r, device, ret_record);
}

EXPORT int blkadvise_open_devnum_at(const char *root, unsigned int major,
				    unsigned int minor,
				    struct blkadvise_record **ret_record)
{
	struct devnum device = { .major = major, .minor = minor };

	if (!ret_record)
		return -EINVAL;
	return open_record(root, BLKADVISE_OK, device, ret_record);
}

EXPORT int blkadvise_open_path(const char *path, struct blkadvise_record **ret_record)
{
	return blkadvise_open_path_at(NULL, path, ret_record);
}

EXPORT int blkadvise_open_fd(int fd, struct blkadvise_record **ret_record)
{
	return blkadvise_open_fd_at(NULL, fd, ret_record);
}

EXPORT int blkadvise_open_devnum(unsigned int major, unsigned int minor,
				 struct blkadvise_record **ret_record)
{
	return blkadvise_open_devnum_at(NULL, major, minor, ret_record);
}

EXPORT int blkadvise_open_member(const struct blkadvise_record *record, size_t index,
				 struct blkadvise_record **ret_member)
{
	struct devnum member = { 0 };
	int r = blkadvise_member(record, index, &member.major, &member.minor);

	if (r != BLKADVISE_OK)
		return r;
	return blkadvise_open_devnum_at(record->root->prefix, member.major, member.minor,
					ret_member);
}
