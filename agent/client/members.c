/* SPDX-License-Identifier: MIT */
/*
 * What a stack stands on. Most who open a record never ask, and the answer takes a walk
 * through sysfs that costs more than all the rest, so it is looked for at the first
 * question. That is the one thing in an open record that changes, and it changes once:
 * threads that ask at the same time each look, the first to be done leaves its list
 * behind and the others take that one.
 */
#include "client/client.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sysfs.h"

static const struct member_list nobody;

static struct member_list *alloc_members(size_t room)
{
	return calloc(1, sizeof(struct member_list) + room * sizeof(struct devnum));
}

/* What sysfs shows of the record's own disk. 0 or a negative errno. */
static int find_in_sysfs(const struct blkadvise_record *record, struct member_list **ret)
{
	_cleanup_names_ struct names leaves = { 0 };
	struct member_list *members = NULL;
	char folder[ROOT_PATH_MAX];
	bool incomplete = false;
	int r = sysfs_block_by_devnum(record->root, record->device.major,
				      record->device.minor, folder, sizeof(folder));

	if (r == 0 && disk_compare_seq(record, folder) == SEQ_OTHER)
		r = -ENODEV; /* meanwhile the number is another disk's */
	if (r == 0)
		r = sysfs_block_leaves(record->root, folder, &leaves, &incomplete);
	if (r < 0)
		return r;
	members = alloc_members(leaves.n);
	if (!members)
		return -ENOMEM;
	for (size_t i = 0; i < leaves.n; i++) {
		if (disk_read_devnum(record->root, leaves.list[i],
				     &members->list[members->n]) == 0)
			members->n++;
	}
	*ret = members;
	return 0;
}

/* Where sysfs shows no members, the agent may have known some. */
static int find_in_text(const struct blkadvise_record *record, struct member_list **ret)
{
	const char *text = blkadvise_text(record, "MEMBERS");
	struct member_list *members = NULL;

	if (!text)
		text = "";
	members = alloc_members(strlen(text) / 3 + 1); /* "8:0" is the shortest */
	if (!members)
		return -ENOMEM;
	for (size_t len = 0; *text; text += len + (text[len] == ',')) {
		struct devnum *member = &members->list[members->n];
		char part[32];

		len = strcspn(text, ",");
		if (len >= sizeof(part))
			continue;
		memcpy(part, text, len);
		part[len] = '\0';
		if (parse_devnum(part, &member->major, &member->minor) == 0)
			members->n++;
	}
	*ret = members;
	return 0;
}

static int find(const struct blkadvise_record *record, struct member_list **ret)
{
	_cleanup_free_ struct member_list *members = NULL;
	int r = find_in_sysfs(record, &members);

	if (r == -ENOMEM)
		return r;
	if (r < 0 || members->n == 0) {
		free(members);
		members = NULL;
		r = find_in_text(record, &members);
	}
	if (r < 0)
		return r;
	*ret = steal(members);
	return 0;
}

const struct member_list *record_members(const struct blkadvise_record *record)
{
	/* Records are never in constant memory: they come from open_record() only. */
	struct blkadvise_record *place = (struct blkadvise_record *)record;
	struct member_list *members = NULL, *found = NULL;

	if (!record || !record->has_device)
		return &nobody;
	members = atomic_load(&place->members);
	if (members)
		return members;
	if (find(record, &found) < 0)
		return &nobody;
	if (atomic_compare_exchange_strong(&place->members, &members, found))
		return found;
	free(found);
	return members;
}

EXPORT enum blkadvise_kind blkadvise_kind(const struct blkadvise_record *record)
{
	if (!record || !record->has_device)
		return BLKADVISE_KIND_UNKNOWN;
	return record_members(record)->n > 0 ? BLKADVISE_KIND_STACK :
					       BLKADVISE_KIND_DISK;
}

EXPORT size_t blkadvise_member_count(const struct blkadvise_record *record)
{
	return record_members(record)->n;
}

EXPORT int blkadvise_member(const struct blkadvise_record *record, size_t index,
			    unsigned int *ret_major, unsigned int *ret_minor)
{
	const struct member_list *members = record_members(record);

	if (index >= members->n)
		return BLKADVISE_NO_DEVICE;
	*ret_major = members->list[index].major;
	*ret_minor = members->list[index].minor;
	return BLKADVISE_OK;
}
