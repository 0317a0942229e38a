/* SPDX-License-Identifier: MIT */
/*
 * A made-up machine in a temporary folder: /sys with the links the kernel makes, and
 * /run/blkadvise/disks. Every function fails the test itself if it cannot do its work.
 */
#pragma once

#include <stddef.h>

#define TREE_PATH_MAX 256

struct tree {
	char path[TREE_PATH_MAX]; /* the root to hand to blkadvise_open_*_at() */
};

/* Makes the folder, readable for everybody, with an empty /sys/dev/block. */
void tree_make(struct tree *tree);

void tree_remove(struct tree *tree);

void tree_mkdir(const struct tree *tree, const char *path);

/* Writes @len bytes of @text to the file @path; its folder is made. */
void tree_write(const struct tree *tree, const char *path, const char *text, size_t len);

/*
 * A block device with the folder @folder below /sys/devices; @diskseq may be NULL. The
 * folder's parent tells a partition's disk.
 */
void tree_device(const struct tree *tree, const char *devnum, const char *folder,
		 const char *diskseq);

void tree_partition(const struct tree *tree, const char *devnum, const char *folder);

/* Makes slaves/ of @folder name @slave, both folders below /sys/devices. */
void tree_slave(const struct tree *tree, const char *folder, const char *slave);

void tree_record(const struct tree *tree, const char *devnum, const char *text);
