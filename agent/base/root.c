/* SPDX-License-Identifier: MIT */
/*
 * The part of a root that is the same for all, and the roots that are folders. Paths
 * are made by putting the prefix in front: for the live machine that leaves plain
 * absolute paths, which is what test beds that intercept open() rely on.
 */
#include "base/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

struct folder_root {
	struct root root;
	char prefix[];
};

static int folder_path(const struct root *root, const char *path, char *buf)
{
	size_t prefix_len = strlen(root->prefix);
	size_t len = strlen(path);

	if (prefix_len + len >= ROOT_PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(buf, root->prefix, prefix_len);
	memcpy(buf + prefix_len, path, len + 1);
	return 0;
}

/*
 * True if a file at @path that gave less than asked for has given all. That saves every
 * second read(2) of sysfs, whose attributes come whole, a page at a time if they are
 * binary. The files of /proc may stop anywhere.
 */
static bool is_whole(const char *path, size_t n)
{
	return n < ROOT_ATTR_MAX &&
	       (strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/run/", 5) == 0);
}

static int folder_read(const struct root *root, const char *path, char *buf, size_t size,
		       size_t *ret_len)
{
	char full[ROOT_PATH_MAX];
	size_t len = 0;
	int r = folder_path(root, path, full);

	if (r < 0)
		return r;

	_cleanup_close_ int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
		if (len < size && is_whole(path, (size_t)n))
			break;
	}
	*ret_len = len;
	return 0;
}

static int folder_read_link(const struct root *root, const char *path, char *buf,
			    size_t size)
{
	char full[ROOT_PATH_MAX];
	ssize_t n = 0;
	int r = folder_path(root, path, full);

	if (r < 0)
		return r;
	n = readlink(full, buf, size);
	if (n < 0)
		return -errno;
	if ((size_t)n >= size)
		return -ENAMETOOLONG;
	buf[n] = '\0';
	return 0;
}

static void closedir_p(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

static int folder_list(const struct root *root, const char *path, struct names *ret)
{
	char full[ROOT_PATH_MAX];
	int r = folder_path(root, path, full);

	if (r < 0)
		return r;

	_cleanup_(closedir_p) DIR *dir = opendir(full);

	if (!dir)
		return -errno;
	for (;;) {
		struct dirent *entry = NULL;

		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return -errno;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		r = names_add(ret, entry->d_name);
		if (r < 0)
			return r;
	}
}

static int folder_stat(const struct root *root, const char *path, mode_t *ret_mode,
		       ino_t *ret_ino)
{
	char full[ROOT_PATH_MAX];
	struct stat st = { 0 };
	int r = folder_path(root, path, full);

	if (r < 0)
		return r;
	if (stat(full, &st) < 0)
		return -errno;
	*ret_mode = st.st_mode;
	*ret_ino = st.st_ino;
	return 0;
}

static void folder_free(struct root *root)
{
	free(root);
}

static const struct root_ops folder_ops = {
	.read = folder_read,
	.read_link = folder_read_link,
	.list = folder_list,
	.stat = folder_stat,
	.free = folder_free,
};

int root_new(const char *prefix, struct root **ret)
{
	size_t len = strlen(prefix);
	struct folder_root *folder = NULL;

	while (len > 0 && prefix[len - 1] == '/')
		len--;
	folder = calloc(1, sizeof(*folder) + len + 1);
	if (!folder)
		return -ENOMEM;
	memcpy(folder->prefix, prefix, len);
	folder->root.ops = &folder_ops;
	folder->root.prefix = folder->prefix;
	*ret = &folder->root;
	return 0;
}

struct root *root_free(struct root *root)
{
	if (root)
		root->ops->free(root);
	return NULL;
}

bool root_is_live(const struct root *root)
{
	return root->ops == &folder_ops && root->prefix[0] == '\0';
}

int root_read_head(const struct root *root, const char *path, char *buf, size_t size,
		   size_t *ret_len)
{
	size_t len = 0;
	int r = 0;

	if (size == 0)
		return -EINVAL;
	r = root->ops->read(root, path, buf, size - 1, &len);
	buf[r < 0 ? 0 : len] = '\0';
	if (r < 0)
		return r;
	if (ret_len)
		*ret_len = len;
	return 0;
}

int root_read(const struct root *root, const char *path, char *buf, size_t size,
	      size_t *ret_len)
{
	size_t len = 0;
	int r = 0;

	if (size == 0)
		return -EINVAL;
	r = root->ops->read(root, path, buf, size, &len);
	if (r == 0 && len == size)
		r = -EFBIG;
	buf[r < 0 ? 0 : len] = '\0'; /* what was read of it is nobody's to see */
	if (r < 0)
		return r;
	if (ret_len)
		*ret_len = len;
	return 0;
}

int root_read_link(const struct root *root, const char *path, char *buf, size_t size)
{
	return root->ops->read_link(root, path, buf, size);
}

int root_read_link_name(const struct root *root, const char *path, char *buf, size_t size)
{
	char target[ROOT_PATH_MAX];
	const char *name = NULL;
	int r = root_read_link(root, path, target, sizeof(target));

	if (r < 0)
		return r;
	name = path_name(target);
	if (*name == '\0' || strlen(name) >= size)
		return -EINVAL;
	strcpy(buf, name);
	return 0;
}

int path_join_target(const char *link, const char *target, char *buf, size_t size)
{
	char path[ROOT_PATH_MAX] = "";

	if (target[0] != '/') {
		if (strlen(link) >= sizeof(path))
			return -ENAMETOOLONG;
		strcpy(path, link);
		(void)path_up(path);
	}
	while (*target) {
		char part[256];
		size_t len = strcspn(target, "/");

		if (len >= sizeof(part))
			return -ENAMETOOLONG;
		memcpy(part, target, len);
		part[len] = '\0';
		target += len + (target[len] == '/');
		if (len == 0 || strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0)
			(void)path_up(path);
		else if (path_join(path, sizeof(path), path, part) < 0)
			return -ENAMETOOLONG;
	}
	if (strlen(path) >= size)
		return -ENAMETOOLONG;
	strcpy(buf, path);
	return 0;
}

int root_target(const struct root *root, const char *path, char *buf, size_t size)
{
	char target[ROOT_PATH_MAX];
	int r = root_read_link(root, path, target, sizeof(target));

	if (r == -EINVAL)
		return path_join_target("/", path, buf, size);
	return r < 0 ? r : path_join_target(path, target, buf, size);
}

int root_resolve(const struct root *root, const char *path, char *buf, size_t size)
{
	char joined[ROOT_PATH_MAX];
	int r = root_target(root, path, joined, sizeof(joined));

	if (r < 0)
		return r;
	if (!root_exists(root, joined))
		return -ENOENT;
	if (strlen(joined) >= size)
		return -ENAMETOOLONG;
	strcpy(buf, joined);
	return 0;
}

int root_list(const struct root *root, const char *path, struct names *ret)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root->ops->list(root, path, &names);

	if (r < 0)
		return r;
	names_sort(&names);
	*ret = names;
	names = (struct names){ 0 };
	return 0;
}

int root_stat(const struct root *root, const char *path, mode_t *ret_mode, ino_t *ret_ino)
{
	mode_t mode = 0;
	ino_t ino = 0;
	int r = root->ops->stat(root, path, &mode, &ino);

	if (r < 0)
		return r;
	if (ret_mode)
		*ret_mode = mode;
	if (ret_ino)
		*ret_ino = ino;
	return 0;
}

bool root_exists(const struct root *root, const char *path)
{
	return root_stat(root, path, NULL, NULL) == 0;
}

void names_done(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
	*names = (struct names){ 0 };
}

int names_add(struct names *names, const char *name)
{
	_cleanup_free_ char *copy = strdup(name);
	char **list = NULL;

	if (!copy)
		return -ENOMEM;
	if ((names->n & (names->n - 1)) == 0) { /* grows by powers of two */
		size_t room = names->n ? names->n * 2 : 1;

		list = reallocarray(names->list, room, sizeof(*list));
		if (!list)
			return -ENOMEM;
		names->list = list;
	}
	names->list[names->n++] = steal(copy);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->n > 1)
		qsort(names->list, names->n, sizeof(*names->list), compare_names);
}

int path_join(char *buf, size_t size, const char *folder, const char *name)
{
	size_t folder_len = strlen(folder);
	size_t name_len = strlen(name);

	if (folder_len + 1 + name_len >= size)
		return -ENAMETOOLONG;
	if (buf != folder)
		memmove(buf, folder, folder_len);
	buf[folder_len] = '/';
	memcpy(buf + folder_len + 1, name, name_len + 1);
	return 0;
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool path_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return false;
	*slash = '\0';
	return true;
}
