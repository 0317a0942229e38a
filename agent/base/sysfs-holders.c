/* SPDX-License-Identifier: MIT */
/*
 * From a disk upwards: what stands on it. holders/ leads up, in the folder of the disk
 * and in that of each of its partitions. Apart from the rest of sysfs.h, which the
 * client library has, too.
 */
#include <errno.h>
#include <string.h>

#include "base/sysfs.h"

static bool has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (strcmp(names->list[i], name) == 0)
			return true;
	}
	return false;
}

/* Adds what stands on the one device in @folder. -ENOMEM. */
static int add_holders(const struct root *root, const char *folder, struct names *names)
{
	_cleanup_names_ struct names holders = { 0 };
	char path[ROOT_PATH_MAX];
	int r = path_join(path, sizeof(path), folder, "holders");

	if (r == 0)
		r = root_list(root, path, &holders);
	for (size_t i = 0; r == 0 && i < holders.n; i++) {
		if (!has(names, holders.list[i]))
			r = names_add(names, holders.list[i]);
	}
	return r == -ENOMEM ? r : 0;
}

/* Of a whole disk and its partitions, which are folders in the disk's. -ENOMEM. */
static int add_disk_holders(const struct root *root, const char *syspath,
			    struct names *names)
{
	_cleanup_names_ struct names entries = { 0 };
	char folder[ROOT_PATH_MAX], number[ROOT_PATH_MAX];
	int r = add_holders(root, syspath, names);

	if (r == 0 && root_list(root, syspath, &entries) == -ENOMEM)
		r = -ENOMEM;
	for (size_t i = 0; r == 0 && i < entries.n; i++) {
		if (path_join(folder, sizeof(folder), syspath, entries.list[i]) == 0 &&
		    path_join(number, sizeof(number), folder, "partition") == 0 &&
		    root_exists(root, number))
			r = add_holders(root, folder, names);
	}
	return r;
}

int sysfs_block_holders(const struct root *root, const char *syspath, struct names *ret)
{
	struct names names = { 0 };
	int r = add_disk_holders(root, syspath, &names);

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		char folder[ROOT_PATH_MAX];

		if (sysfs_block_by_name(root, names.list[i], folder, sizeof(folder)) == 0)
			r = add_disk_holders(root, folder, &names);
	}
	if (r < 0) {
		names_done(&names);
		return r;
	}
	*ret = names;
	return 0;
}
