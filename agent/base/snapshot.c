/* SPDX-License-Identifier: MIT */
/*
 * A capture as a root: a sorted array of paths, searched by bisection. Nothing of it
 * ever touches the file system, so a hostile capture can name any path it likes.
 */
#include "base/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/snapshot-parse.h"

#define LINKS_MAX 40 /* as the kernel's own limit */

struct snapshot_root {
	struct root root;
	struct snapshot_tree tree;
};

static const struct root_ops snapshot_ops;

static const struct snapshot_root *snapshot_of(const struct root *root)
{
	return (const struct snapshot_root *)root;
}

/* First entry whose path is not less than @path. */
static size_t lower_bound(const struct snapshot_tree *tree, const char *path)
{
	size_t low = 0, high = tree->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(tree->entries[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct snapshot_entry *find(const struct snapshot_tree *tree,
					 const char *path)
{
	size_t i = lower_bound(tree, path);

	if (i < tree->n && strcmp(tree->entries[i].path, path) == 0)
		return &tree->entries[i];
	return NULL;
}

/*
 * One step of a path walk: appends the component at the head of @rest to @done. If
 * that is a link to be followed, @done becomes its target.
 */
static int walk_step(const struct snapshot_tree *tree, char *done, char *rest,
		     bool follow_last, unsigned int *links)
{
	const struct snapshot_entry *entry = NULL;
	size_t len = 0;
	char part[256];

	memmove(rest, rest + strspn(rest, "/"), strlen(rest + strspn(rest, "/")) + 1);
	len = strcspn(rest, "/");
	if (len == 0)
		return 0;
	if (len >= sizeof(part))
		return -ENAMETOOLONG;
	memcpy(part, rest, len);
	part[len] = '\0';
	memmove(rest, rest + len, strlen(rest + len) + 1);
	if (strcmp(part, "..") == 0)
		return path_up(done) ? 1 : -ENOENT;
	if (path_join(done, ROOT_PATH_MAX, done, part) < 0)
		return -ENAMETOOLONG;
	entry = find(tree, done);
	if (!entry)
		return -ENOENT;
	if (entry->type == SNAPSHOT_LINK && (follow_last || *rest)) {
		char target[ROOT_PATH_MAX];

		if (++*links > LINKS_MAX)
			return -ELOOP;
		if (path_join_target(done, entry->content, target, sizeof(target)) < 0)
			return -ENAMETOOLONG;
		if (strlen(target) + strlen(rest) >= ROOT_PATH_MAX)
			return -ENAMETOOLONG;
		memmove(rest + strlen(target), rest, strlen(rest) + 1);
		memcpy(rest, target, strlen(target));
		done[0] = '\0';
	}
	return 1;
}

static int walk(const struct root *root, const char *path, bool follow_last,
		const struct snapshot_entry **ret)
{
	const struct snapshot_tree *tree = &snapshot_of(root)->tree;
	char done[ROOT_PATH_MAX] = "", rest[ROOT_PATH_MAX];
	unsigned int links = 0;
	int r = 1;

	if (strlen(path) >= sizeof(rest))
		return -ENAMETOOLONG;
	strcpy(rest, path);
	while (r > 0)
		r = walk_step(tree, done, rest, follow_last, &links);
	if (r < 0)
		return r;
	*ret = find(tree, done);
	return *ret ? 0 : -ENOENT;
}

static int snapshot_read(const struct root *root, const char *path, char *buf,
			 size_t size, size_t *ret_len)
{
	const struct snapshot_entry *entry = NULL;
	size_t len = 0;
	int r = walk(root, path, true, &entry);

	if (r < 0)
		return r;
	if (entry->type != SNAPSHOT_FILE)
		return -EISDIR;
	len = entry->len < size ? entry->len : size;
	memcpy(buf, entry->content, len);
	*ret_len = len;
	return 0;
}

static int snapshot_read_link(const struct root *root, const char *path, char *buf,
			      size_t size)
{
	const struct snapshot_entry *entry = NULL;
	int r = walk(root, path, false, &entry);

	if (r < 0)
		return r;
	if (entry->type != SNAPSHOT_LINK)
		return -EINVAL;
	if (entry->len >= size)
		return -ENAMETOOLONG;
	memcpy(buf, entry->content, entry->len + 1);
	return 0;
}

static int snapshot_list(const struct root *root, const char *path, struct names *ret)
{
	const struct snapshot_tree *tree = &snapshot_of(root)->tree;
	const struct snapshot_entry *entry = NULL;
	char below[ROOT_PATH_MAX];
	size_t len = 0;
	int r = walk(root, path, true, &entry);

	if (r < 0)
		return r;
	if (entry->type != SNAPSHOT_FOLDER)
		return -ENOTDIR;
	r = path_join(below, sizeof(below), entry->path, "");
	if (r < 0)
		return r;
	len = strlen(below);
	for (size_t i = lower_bound(tree, below); i < tree->n; i++) {
		const char *name = tree->entries[i].path + len;

		if (strncmp(tree->entries[i].path, below, len) != 0)
			break;
		if (*name == '\0' || strchr(name, '/'))
			continue;
		r = names_add(ret, name);
		if (r < 0)
			return r;
	}
	return 0;
}

static int snapshot_stat(const struct root *root, const char *path, mode_t *ret_mode,
			 ino_t *ret_ino)
{
	const struct snapshot_entry *entry = NULL;
	int r = walk(root, path, true, &entry);

	if (r < 0)
		return r;
	*ret_mode = entry->mode | (entry->type == SNAPSHOT_FOLDER ? S_IFDIR : S_IFREG);
	*ret_ino = 0;
	return 0;
}

static void snapshot_free(struct root *root)
{
	struct snapshot_root *snapshot = (struct snapshot_root *)root;

	snapshot_tree_done(&snapshot->tree);
	free(snapshot);
}

static const struct root_ops snapshot_ops = {
	.read = snapshot_read,
	.read_link = snapshot_read_link,
	.list = snapshot_list,
	.stat = snapshot_stat,
	.free = snapshot_free,
};

bool root_is_snapshot(const struct root *root)
{
	return root->ops == &snapshot_ops;
}

int snapshot_parse(const char *text, size_t len, struct root **ret,
		   struct snapshot_error *ret_error)
{
	struct snapshot_root *snapshot = calloc(1, sizeof(*snapshot));
	int r = 0;

	if (!snapshot)
		return -ENOMEM;
	snapshot->root.ops = &snapshot_ops;
	snapshot->root.prefix = "";
	r = snapshot_tree_parse(&snapshot->tree, text, len, ret_error);
	if (r < 0) {
		snapshot_free(&snapshot->root);
		return r;
	}
	*ret = &snapshot->root;
	return 0;
}

int snapshot_open(const char *path, struct root **ret, struct snapshot_error *ret_error)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t len = 0, room = 0;

	*ret_error = (struct snapshot_error){ 0 };
	if (fd < 0)
		return -errno;
	for (;;) {
		ssize_t n = 0;

		if (len == room) {
			char *more = NULL;

			if (room >= SNAPSHOT_FILE_MAX)
				return -EFBIG;
			room = room ? room * 2 : 65536;
			more = realloc(text, room);
			if (!more)
				return -ENOMEM;
			text = more;
		}
		n = read(fd, text + len, room - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return snapshot_parse(text ? text : "", len, ret, ret_error);
}

const char *snapshot_property(const struct root *root, const char *syspath,
			      const char *key)
{
	const struct snapshot_tree *tree = &snapshot_of(root)->tree;

	for (size_t i = 0; i < tree->n_properties; i++) {
		const struct snapshot_property_entry *p = &tree->properties[i];

		if (strcmp(p->syspath, syspath) == 0 && strcmp(p->key, key) == 0)
			return p->value;
	}
	return NULL;
}

const char *snapshot_node(const struct root *root, const char *node)
{
	const struct snapshot_tree *tree = &snapshot_of(root)->tree;

	for (size_t i = 0; i < tree->n_nodes; i++) {
		if (strcmp(tree->nodes[i].node, node) == 0)
			return tree->nodes[i].syspath;
	}
	return NULL;
}
