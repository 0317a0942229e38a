/* SPDX-License-Identifier: MIT */
/*
 * A disk with its facts, and for a stacked device also the facts of the disks at its
 * bottom. This is what the rest of the program is given.
 */
#pragma once

#include "base/root.h"
#include "facts/facts.h"

struct disk {
	char syspath[ROOT_PATH_MAX]; /* "/sys/devices/..." */
	struct disk_facts facts;
	struct disk *leaves; /* owned; leaves have none of their own */
	size_t n_leaves;
	bool leaves_incomplete; /* too many, too deep, or one vanished */
};

/*
 * Where udev properties come from: the environment of an event, the udev database, a
 * capture. Returns NULL for a property that is not there. The text need live only
 * until the next call.
 */
struct properties {
	const char *(*get)(void *context, const char *syspath, const char *key);
	void *context;
};

/*
 * Reads all facts of the block device whose folder is @syspath. Attributes that are
 * missing, vanish meanwhile or make no sense are unknown facts, not errors. -ENOENT if
 * there is no such folder, -ENODEV if it is a partition, -ENOMEM. Release with
 * disk_free(). @properties may be NULL.
 */
int disk_probe(const struct root *root, const char *syspath,
	       const struct properties *properties, struct disk **ret);

/*
 * The facts of the machine that belong to no disk (kernel, firmware, hypervisor, command
 * line), as those of a disk in "/sys". -ENOMEM.
 */
int machine_probe(const struct root *root, struct disk **ret);

struct disk *disk_free(struct disk *disk);

static inline void disk_freep(struct disk **disk)
{
	(void)disk_free(*disk);
}

#define _cleanup_disk_ _cleanup_(disk_freep)

/*
 * The folders of all block devices of the machine that are whole disks and not hidden,
 * in the order of their names' length, then of their names.
 */
int disk_list(const struct root *root, struct names *ret);

/* True for libata's drivers that know the taskfile interface only. */
bool is_ide_driver(const char *driver);

/* True for loop, ram and zram devices: they cost nothing and get nothing. */
bool disk_is_ignored(const struct disk_facts *facts);
