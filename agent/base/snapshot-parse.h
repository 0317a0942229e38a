/* SPDX-License-Identifier: MIT */
/*
 * The text of a capture turned into a sorted tree of paths. Internal to base/: the
 * format is described in base/snapshot.h.
 */
#pragma once

#include "base/snapshot.h"

#define SNAPSHOT_FILE_MAX (64U << 20)
#define SNAPSHOT_LINE_MAX (1U << 20)

enum snapshot_type {
	SNAPSHOT_FOLDER,
	SNAPSHOT_FILE,
	SNAPSHOT_LINK,
};

struct snapshot_entry {
	char *path;
	char *content; /* of a file, or a link's target; ends with NUL */
	size_t len;
	unsigned int line;
	mode_t mode;
	enum snapshot_type type;
};

struct snapshot_property_entry {
	char *syspath, *key, *value;
};

struct snapshot_node_entry {
	char *node, *syspath;
};

struct snapshot_tree {
	struct snapshot_entry *entries; /* sorted by path, each path once */
	size_t n, room;
	struct snapshot_property_entry *properties;
	size_t n_properties;
	struct snapshot_node_entry *nodes;
	size_t n_nodes;
};

/* -EBADMSG with @ret_error, or -ENOMEM. @tree must be zeroed; may be half built. */
int snapshot_tree_parse(struct snapshot_tree *tree, const char *text, size_t len,
			struct snapshot_error *ret_error);

/* Adds an entry from @line of the file. -ENOMEM. */
int snapshot_tree_add(struct snapshot_tree *tree, const char *path,
		      enum snapshot_type type, const char *content, size_t len,
		      unsigned int line);

/* Adds the folders above the entries and sorts. As snapshot_tree_parse(). */
int snapshot_tree_finish(struct snapshot_tree *tree, struct snapshot_error *ret_error);

void snapshot_tree_done(struct snapshot_tree *tree);
