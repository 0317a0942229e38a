/* SPDX-License-Identifier: MIT */
/*
 * Where files are read from. Every reader of /sys, /proc, /etc and /run takes a root
 * and paths that begin with '/': the live machine, a folder that holds a tree, or a
 * captured machine in memory (base/snapshot.h). The same code runs on all three, so
 * what a test proves on a capture holds for the machine.
 *
 * All functions return 0 or a negative errno and leave their outputs untouched on
 * failure, but for the buffer of root_read(), which is then an empty text. None logs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cleanup.h"

#define ROOT_PATH_MAX 1024 /* longest path, with its NUL; longer is -ENAMETOOLONG */
#define ROOT_ATTR_MAX 4096 /* a sysfs attribute has at most one page */

struct root;

/* Names in a folder, sorted, without "." and "..". */
struct names {
	char **list;
	size_t n;
};

struct root_ops {
	int (*read)(const struct root *root, const char *path, char *buf, size_t size,
		    size_t *ret_len);
	int (*read_link)(const struct root *root, const char *path, char *buf,
			 size_t size);
	int (*list)(const struct root *root, const char *path, struct names *ret);
	int (*stat)(const struct root *root, const char *path, mode_t *ret_mode,
		    ino_t *ret_ino);
	void (*free)(struct root *root);
};

struct root {
	const struct root_ops *ops;
	const char *prefix; /* folder roots: put before each path; else "" */
};

/*
 * A root whose paths begin below the folder @prefix; "/" or "" is the live machine.
 * Nothing is opened yet. -ENOMEM. Release with root_free().
 */
int root_new(const char *prefix, struct root **ret);

/* Takes NULL. Returns NULL. */
struct root *root_free(struct root *root);

static inline void root_freep(struct root **root)
{
	(void)root_free(*root);
}

#define _cleanup_root_ _cleanup_(root_freep)

/* True if the root is the machine that we run on, so that writing makes sense. */
bool root_is_live(const struct root *root);

/*
 * Reads the file @path into @buf and ends it with NUL. @ret_len (may be NULL) is the
 * number of bytes without that NUL; the content may hold NULs of its own. -ENOENT,
 * -EACCES, -EISDIR; -EFBIG if the file has more than @size - 1 bytes; whatever the
 * kernel's show function returns (-EINVAL, -EIO, -ENODEV). On failure @buf is "".
 */
int root_read(const struct root *root, const char *path, char *buf, size_t size,
	      size_t *ret_len);

/* As root_read(), but a longer file is cut at @size - 1 bytes. */
int root_read_head(const struct root *root, const char *path, char *buf, size_t size,
		   size_t *ret_len);

/* The target of the symbolic link @path as it is written. -EINVAL if it is no link. */
int root_read_link(const struct root *root, const char *path, char *buf, size_t size);

/* The last component of a link's target: a driver's or a subsystem's name. */
int root_read_link_name(const struct root *root, const char *path, char *buf,
			size_t size);

/*
 * The path a link of sysfs points to, made absolute: the target is joined to the
 * link's folder and "." and ".." are taken out. Sysfs links never pass other links.
 * If @path is a folder, that path itself. -ENOENT if nothing is there.
 */
int root_resolve(const struct root *root, const char *path, char *buf, size_t size);

/* As root_resolve(), but whether anything is there is the caller's to find out. */
int root_target(const struct root *root, const char *path, char *buf, size_t size);

/* The sorted names in the folder @path. Release with names_done(). */
int root_list(const struct root *root, const char *path, struct names *ret);

/* Follows links. Both outputs may be NULL. The inode number of a capture is 0. */
int root_stat(const struct root *root, const char *path, mode_t *ret_mode,
	      ino_t *ret_ino);

bool root_exists(const struct root *root, const char *path);

void names_done(struct names *names);

#define _cleanup_names_ _cleanup_(names_done)

/* Appends a copy of @name. -ENOMEM. */
int names_add(struct names *names, const char *name);

void names_sort(struct names *names);

/*
 * Writes "@folder/@name" to @buf. -ENAMETOOLONG if it does not fit. @buf may be
 * @folder.
 */
int path_join(char *buf, size_t size, const char *folder, const char *name);

/*
 * The path that a link at @link with the text @target means, with "." and ".." taken
 * out as text. -ENAMETOOLONG.
 */
int path_join_target(const char *link, const char *target, char *buf, size_t size);

/* Behind the last '/' of @path. */
const char *path_name(const char *path) _pure_;

/* Cuts the last component off, in place; false if there was none left to cut. */
bool path_up(char *path);
