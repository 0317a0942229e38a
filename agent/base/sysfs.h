/* SPDX-License-Identifier: MIT */
/*
 * How sysfs lays out block devices: from a device number or a kernel name to a folder,
 * from a partition to its disk, from a stacked device to what it stands on. Shared by
 * the agent and, compiled in, by the client library.
 */
#pragma once

#include "base/root.h"

#define SYSFS_LEAVES_MAX 256 /* leaves of one stack that are looked at */
#define SYSFS_DEPTH_MAX 16 /* levels of a stack that are descended */

/*
 * The folder of the whole disk for a device number: a partition leads to its disk.
 * -ENOENT (-ENODEV for a number that no block device has), -ENAMETOOLONG.
 */
int sysfs_block_by_devnum(const struct root *root, unsigned int major, unsigned int minor,
			char *buf, size_t size);

/* The folder for a kernel name ("sda", "sda1", "cciss!c0d0"). Errors as above. */
int sysfs_block_by_name(const struct root *root, const char *name, char *buf,
			size_t size);

/*
 * The folders of the disks at the bottom of a stack, each once; none for a disk that
 * stands on nothing. @ret_incomplete is set if the stack is too deep, too wide, runs
 * in a circle or changed while it was read. -ENOMEM.
 */
int sysfs_block_leaves(const struct root *root, const char *syspath, struct names *ret,
		      bool *ret_incomplete);

/*
 * The kernel names of all that stands on the disk or its partitions, directly or on each
 * other: each once, what is below before what stands on it. -ENOMEM.
 */
int sysfs_block_holders(const struct root *root, const char *syspath, struct names *ret);
