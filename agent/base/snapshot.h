/* SPDX-License-Identifier: MIT */
/*
 * A captured machine: one text file that holds the parts of /sys, /proc and /etc which
 * this program reads, opened as a root. The blocks are those of umockdev-record:
 *
 *	P: /devices/...		a device, its folder below /sys
 *	N: sda			its node below /dev (a "=hex" tail is ignored)
 *	S: disk/by-id/...	a symbolic link to that node
 *	E: KEY=value		a udev property
 *	A: attr=value		an attribute; \n and \\ are escapes; attr may have folders
 *	H: attr=hex		a binary attribute
 *	L: name=target		a symbolic link
 *
 * and two of our own, to be stripped before the file feeds a umockdev test bed:
 *
 *	F: /path=content	a file outside the devices, escapes as in A:
 *	M: attr=0444		the mode of an attribute of this block
 *
 * "#" begins a comment line. Links that sysfs derives are derived here too: a block's
 * subsystem, /sys/class, /sys/bus, /sys/block and /sys/dev/block.
 */
#pragma once

#include "base/root.h"

/* Where and why a file could not be read. */
struct snapshot_error {
	unsigned int line; /* 0: no line in particular */
	const char *reason; /* static text */
};

/*
 * Opens the capture in the file @path as a root. On failure -EBADMSG with @ret_error
 * set for a malformed file, or the errno of reading it (@ret_error->reason is then
 * NULL). A file has at most 64 MiB and a line 1 MiB.
 */
int snapshot_open(const char *path, struct root **ret, struct snapshot_error *ret_error);

/* As snapshot_open(), from @text of @len bytes, which is copied. */
int snapshot_parse(const char *text, size_t len, struct root **ret,
		   struct snapshot_error *ret_error);

/* True if @root came from one of the two functions above. */
bool root_is_snapshot(const struct root *root);

/*
 * The udev property @key of the device whose folder is @syspath ("/sys/devices/...").
 * NULL if there is none; owned by the root.
 */
const char *snapshot_property(const struct root *root, const char *syspath,
			      const char *key);

/* The device folder for the node or link @node ("sda", "disk/by-id/..."), or NULL. */
const char *snapshot_node(const struct root *root, const char *node);
