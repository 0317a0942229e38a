/* SPDX-License-Identifier: MIT */
/*
 * The entries of a capture as a tree: first in the order of the file, then sorted by
 * path, with the folders above each entry added and every path there once.
 */
#include "base/snapshot-parse.h"

#include <errno.h>
#include <string.h>

int snapshot_tree_add(struct snapshot_tree *tree, const char *path,
		      enum snapshot_type type, const char *content, size_t len,
		      unsigned int line)
{
	_cleanup_free_ char *path_copy = strdup(path);
	_cleanup_free_ char *copy = malloc(len + 1);

	if (!path_copy || !copy)
		return -ENOMEM;
	if (tree->n == tree->room) {
		size_t room = tree->room ? tree->room * 2 : 64;
		struct snapshot_entry *more =
			reallocarray(tree->entries, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		tree->entries = more;
		tree->room = room;
	}
	memcpy(copy, content, len);
	copy[len] = '\0';
	tree->entries[tree->n++] = (struct snapshot_entry){
		.path = steal(path_copy),
		.content = steal(copy),
		.len = len,
		.line = line,
		.mode = type == SNAPSHOT_FILE ? 0644 : 0755,
		.type = type,
	};
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct snapshot_entry *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void entry_done(struct snapshot_entry *entry)
{
	free(entry->path);
	free(entry->content);
}

/* Adds the folders above each entry. Duplicates go when the tree is sorted. */
static int add_folders(struct snapshot_tree *tree)
{
	size_t n = tree->n;
	const char *last = "";

	for (size_t i = 0; i < n; i++) {
		char path[ROOT_PATH_MAX];

		strcpy(path, tree->entries[i].path);
		while (path_up(path) && *path) {
			if (strcmp(path, last) == 0)
				break;
			if (snapshot_tree_add(tree, path, SNAPSHOT_FOLDER, "", 0, 0) < 0)
				return -ENOMEM;
		}
		last = tree->entries[tree->n - 1].path;
	}
	return 0;
}

/* Sorts; drops repeated folders; a file or link that stands twice is an error. */
static int sort_entries(struct snapshot_tree *tree, struct snapshot_error *ret_error)
{
	size_t kept = 0;

	if (tree->n == 0)
		return 0;
	qsort(tree->entries, tree->n, sizeof(*tree->entries), compare_entries);
	for (size_t i = 1; i < tree->n; i++) {
		struct snapshot_entry *a = &tree->entries[kept], *b = &tree->entries[i];

		if (strcmp(a->path, b->path) != 0) {
			kept++;
			if (kept != i) {
				tree->entries[kept] = *b;
				*b = (struct snapshot_entry){ 0 };
			}
			continue;
		}
		if (b->type != SNAPSHOT_FOLDER || a->type != SNAPSHOT_FOLDER) {
			ret_error->line = b->line ? b->line : a->line;
			ret_error->reason = "this path stands twice in the file";
			return -EBADMSG;
		}
		entry_done(b);
		*b = (struct snapshot_entry){ 0 };
	}
	tree->n = kept + 1;
	return 0;
}

int snapshot_tree_finish(struct snapshot_tree *tree, struct snapshot_error *ret_error)
{
	int r = add_folders(tree);

	return r < 0 ? r : sort_entries(tree, ret_error);
}

void snapshot_tree_done(struct snapshot_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		entry_done(&tree->entries[i]);
	for (size_t i = 0; i < tree->n_properties; i++) {
		free(tree->properties[i].syspath);
		free(tree->properties[i].key);
		free(tree->properties[i].value);
	}
	for (size_t i = 0; i < tree->n_nodes; i++) {
		free(tree->nodes[i].node);
		free(tree->nodes[i].syspath);
	}
	free(tree->entries);
	free(tree->properties);
	free(tree->nodes);
	*tree = (struct snapshot_tree){ 0 };
}
