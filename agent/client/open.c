/* SPDX-License-Identifier: MIT */
/*
 * From a device number to a disk to its record. sysfs says which disk a partition is
 * on and what a stack stands on; where it says nothing, a record that bears the very
 * number is still good, because only whole disks and stacks have one. Whatever is found
 * on the way stays in the result, so that a stack without a record shows its members.
 */
#include "client/client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/root.h"
#include "base/sysfs.h"

static void closep(struct blkadvise_record **record)
{
	(void)blkadvise_close(*record);
}

#define _cleanup_record_ _cleanup_(closep)

/* Leaves half of ROOT_PATH_MAX to paths in sysfs, so that none is cut for the prefix. */
#define PREFIX_MAX 500

static int read_attribute(const struct root *root, const char *folder, const char *name,
			  char *buf, size_t size)
{
	char path[ROOT_PATH_MAX];
	int r = path_join(path, sizeof(path), folder, name);

	return r < 0 ? r : root_read(root, path, buf, size, NULL);
}

static int read_devnum(const struct root *root, const char *folder, struct devnum *ret)
{
	char text[64];
	int r = read_attribute(root, folder, "dev", text, sizeof(text));

	return r < 0 ? r : parse_devnum(text, &ret->major, &ret->minor);
}

/* Room for @n more, and for one at least. */
static struct devnum *alloc_members(size_t n)
{
	return calloc(n + 1, sizeof(struct devnum));
}

static int find_members(const struct root *root, const char *folder,
			struct blkadvise_record *record)
{
	_cleanup_names_ struct names leaves = { 0 };
	bool incomplete = false;
	int r = sysfs_block_leaves(root, folder, &leaves, &incomplete);

	if (r < 0)
		return r;
	record->members = alloc_members(leaves.n);
	if (!record->members)
		return -ENOMEM;
	for (size_t i = 0; i < leaves.n; i++) {
		struct devnum *member = &record->members[record->n_members];

		if (read_devnum(root, leaves.list[i], member) == 0)
			record->n_members++;
	}
	return 0;
}

/* Where sysfs shows no members, the agent may have known some. */
static int take_members_from_text(struct blkadvise_record *record)
{
	const char *text = blkadvise_text(record, "MEMBERS");
	_cleanup_free_ struct devnum *members = NULL;
	size_t n = 0;

	if (!text || record->n_members > 0)
		return 0;
	members = alloc_members(strlen(text) / 3); /* "8:0" is the shortest */
	if (!members)
		return -ENOMEM;
	for (size_t len = 0; *text; text += len + (text[len] == ',')) {
		char part[32];

		len = strcspn(text, ",");
		if (len >= sizeof(part))
			continue;
		memcpy(part, text, len);
		part[len] = '\0';
		if (parse_devnum(part, &members[n].major, &members[n].minor) == 0)
			n++;
	}
	free(record->members);
	record->members = steal(members);
	record->n_members = n;
	return 0;
}

/* 0 with the disk's folder, BLKADVISE_NO_DEVICE or BLKADVISE_NO_SYSFS, -ENOMEM. */
static int find_disk(const struct root *root, struct devnum device,
		     struct blkadvise_record *record, char *folder, size_t size)
{
	int r = sysfs_block_by_devnum(root, device.major, device.minor, folder, size);

	if (r == 0)
		r = read_devnum(root, folder, &record->device);
	if (r == -ENOMEM)
		return r;
	if (r == -ENODEV && root_exists(root, "/sys/dev/block"))
		return BLKADVISE_NO_DEVICE;
	if (r < 0)
		return BLKADVISE_NO_SYSFS;
	record->has_device = true;
	return find_members(root, folder, record);
}

static int read_record(const struct root *root, struct blkadvise_record *record)
{
	_cleanup_free_ char *text = malloc(RECORD_SIZE_MAX + 1);
	char path[sizeof(PATH_DISKS) + 32], *shorter = NULL;
	size_t len = 0;
	int r = 0;

	if (!text)
		return -ENOMEM;
	(void)snprintf(path, sizeof(path), PATH_DISKS "/%u:%u", record->device.major,
		       record->device.minor);
	r = root_read_head(root, path, text, RECORD_SIZE_MAX + 1, &len);
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

/* A device number may be given to another disk; its sequence number never is. */
static bool is_stale(const struct root *root, const char *folder,
		     const struct blkadvise_record *record)
{
	uint64_t published = 0, current = 0;
	char text[32];

	return blkadvise_u64(record, "DISKSEQ", &published) == BLKADVISE_OK &&
	       read_attribute(root, folder, "diskseq", text, sizeof(text)) == 0 &&
	       parse_u64(text, &current) == 0 && published != current;
}

static int fill(const struct root *root, struct devnum device,
		struct blkadvise_record *record)
{
	char folder[ROOT_PATH_MAX] = "";
	int found = 0, r = 0;

	record->device = device;
	found = find_disk(root, device, record, folder, sizeof(folder));
	if (found < 0)
		return found;
	r = read_record(root, record);
	if (r == BLKADVISE_NO_RECORD && found != BLKADVISE_OK)
		return found;
	if (r != BLKADVISE_OK)
		return r;
	if (found == BLKADVISE_OK && is_stale(root, folder, record)) {
		record_clear(record);
		return BLKADVISE_NO_RECORD;
	}
	record->has_device = true;
	return take_members_from_text(record);
}

/* @outcome is BLKADVISE_OK if @device is known. */
static int open_record(const char *root_prefix, int outcome, struct devnum device,
		       struct blkadvise_record **ret_record)
{
	_cleanup_record_ struct blkadvise_record *record = calloc(1, sizeof(*record));
	_cleanup_root_ struct root *root = NULL;

	if (!root_prefix)
		root_prefix = "";
	if (strlen(root_prefix) > PREFIX_MAX)
		return -ENAMETOOLONG;
	if (!record || root_new(root_prefix, &root) < 0)
		return -ENOMEM;
	record->root = strdup(root->prefix);
	if (!record->root)
		return -ENOMEM;
	if (outcome == BLKADVISE_OK)
		outcome = fill(root, device, record);
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
	return blkadvise_open_devnum_at(record->root, member.major, member.minor,
					ret_member);
}
