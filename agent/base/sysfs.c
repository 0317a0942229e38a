/* SPDX-License-Identifier: MIT */
/*
 * Lookups in /sys/dev/block, /sys/class/block and slaves/. Kernel names hold '!' where
 * the node's name has '/'. slaves/ may name partitions, and a hostile tree may run in a
 * circle or without end.
 */
#include "base/sysfs.h"

#include <errno.h>
#include <string.h>

/* The folder that @link leads to, or its disk's if that is a partition. */
static int resolve_disk(const struct root *root, const char *link, char *buf, size_t size)
{
	char folder[ROOT_PATH_MAX], partition[ROOT_PATH_MAX];
	int r = root_target(root, link, folder, sizeof(folder));

	if (r < 0)
		return r;
	r = path_join(partition, sizeof(partition), folder, "partition");
	if (r < 0)
		return r;
	if (root_exists(root, partition))
		(void)path_up(folder);
	else if (!root_exists(root, folder))
		return -ENOENT;
	if (strlen(folder) >= size)
		return -ENAMETOOLONG;
	strcpy(buf, folder);
	return 0;
}

int sysfs_block_by_devnum(const struct root *root, unsigned int major, unsigned int minor,
			char *buf, size_t size)
{
	char link[64];
	int r = 0;

	(void)snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major, minor);
	r = resolve_disk(root, link, buf, size);
	return r == -ENOENT ? -ENODEV : r;
}

int sysfs_block_by_name(const struct root *root, const char *name, char *buf, size_t size)
{
	static const char *const folders[] = { "/sys/class/block", "/sys/block" };
	char link[ROOT_PATH_MAX], kernel_name[256];
	int r = -ENOENT;

	if (*name == '\0' || *name == '.' || strlen(name) >= sizeof(kernel_name))
		return -ENOENT;
	strcpy(kernel_name, name);
	for (char *p = kernel_name; *p; p++) {
		if (*p == '/')
			*p = '!';
	}
	for (size_t i = 0; i < ARRAY_SIZE(folders) && r == -ENOENT; i++) {
		r = path_join(link, sizeof(link), folders[i], kernel_name);
		if (r == 0)
			r = resolve_disk(root, link, buf, size);
	}
	return r;
}

struct descent {
	const struct root *root;
	struct names seen;
	struct names *leaves;
	bool incomplete;
};

static bool names_hold(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (strcmp(names->list[i], name) == 0)
			return true;
	}
	return false;
}

static int descend(struct descent *descent, const char *syspath, unsigned int depth);

static int descend_slave(struct descent *descent, const char *link, unsigned int depth)
{
	char folder[ROOT_PATH_MAX];

	if (resolve_disk(descent->root, link, folder, sizeof(folder)) < 0) {
		descent->incomplete = true;
		return 0;
	}
	return descend(descent, folder, depth);
}

static int descend(struct descent *descent, const char *syspath, unsigned int depth)
{
	_cleanup_names_ struct names slaves = { 0 };
	char path[ROOT_PATH_MAX], link[ROOT_PATH_MAX];
	int r = 0;

	if (depth > SYSFS_DEPTH_MAX || descent->leaves->n >= SYSFS_LEAVES_MAX) {
		descent->incomplete = true;
		return 0;
	}
	if (names_hold(&descent->seen, syspath))
		return 0;
	r = names_add(&descent->seen, syspath);
	if (r < 0)
		return r;
	r = path_join(path, sizeof(path), syspath, "slaves");
	if (r == 0)
		r = root_list(descent->root, path, &slaves);
	if (r == -ENOMEM)
		return r;
	if (r < 0 && r != -ENOENT && r != -ENOTDIR)
		descent->incomplete = true;
	r = 0;
	if (slaves.n == 0)
		return depth == 0 ? 0 : names_add(descent->leaves, syspath);
	for (size_t i = 0; r == 0 && i < slaves.n; i++) {
		if (path_join(link, sizeof(link), path, slaves.list[i]) < 0)
			descent->incomplete = true;
		else
			r = descend_slave(descent, link, depth + 1);
	}
	return r;
}

int sysfs_block_leaves(const struct root *root, const char *syspath, struct names *ret,
		      bool *ret_incomplete)
{
	struct names leaves = { 0 };
	struct descent descent = { .root = root, .leaves = &leaves };
	int r = descend(&descent, syspath, 0);

	names_done(&descent.seen);
	if (r < 0) {
		names_done(&leaves);
		return r;
	}
	*ret = leaves;
	*ret_incomplete = descent.incomplete;
	return 0;
}
