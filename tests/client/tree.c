/* SPDX-License-Identifier: MIT */
/*
 * Links are written as in sysfs, relative, so that the text of a link is what a reader
 * has to cope with.
 */
#include "tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(expression)                                            \
	do {                                                         \
		if (!(expression)) {                                 \
			perror("tree: " #expression);                \
			abort();                                     \
		}                                                    \
	} while (0)

#define ROOM 512

static void make_folders(const char *path)
{
	char part[ROOM];

	CHECK(snprintf(part, sizeof(part), "%s", path) < (int)sizeof(part));
	for (char *p = strchr(part + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		CHECK(mkdir(part, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	CHECK(mkdir(part, 0755) == 0 || errno == EEXIST);
}

void tree_make(struct tree *tree)
{
	const char *tmp = getenv("TMPDIR");

	CHECK(snprintf(tree->path, sizeof(tree->path), "%s/blkadvise-test-XXXXXX",
		       tmp && *tmp ? tmp : "/tmp") < (int)sizeof(tree->path));
	CHECK(mkdtemp(tree->path));
	CHECK(chmod(tree->path, 0755) == 0);
	tree_mkdir(tree, "/sys/dev/block");
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

void tree_remove(struct tree *tree)
{
	CHECK(nftw(tree->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0);
}

void tree_mkdir(const struct tree *tree, const char *path)
{
	char full[ROOM];

	CHECK(snprintf(full, sizeof(full), "%s%s", tree->path, path) < (int)sizeof(full));
	make_folders(full);
}

void tree_write(const struct tree *tree, const char *path, const char *text, size_t len)
{
	char full[ROOM];
	char *slash = NULL;
	FILE *file = NULL;

	CHECK(snprintf(full, sizeof(full), "%s%s", tree->path, path) < (int)sizeof(full));
	slash = strrchr(full, '/');
	*slash = '\0';
	make_folders(full);
	*slash = '/';
	(void)unlink(full); /* ext4 flushes a file that is truncated and written again */
	file = fopen(full, "we");
	CHECK(file);
	CHECK(fwrite(text, 1, len, file) == len);
	CHECK(fclose(file) == 0);
}

static void write_attribute(const struct tree *tree, const char *folder, const char *name,
			    const char *value)
{
	char path[ROOM], line[64];

	CHECK(snprintf(path, sizeof(path), "/sys/devices/%s/%s", folder, name) <
	      (int)sizeof(path));
	CHECK(snprintf(line, sizeof(line), "%s\n", value) < (int)sizeof(line));
	tree_write(tree, path, line, strlen(line));
}

void tree_device(const struct tree *tree, const char *devnum, const char *folder,
		 const char *diskseq)
{
	char link[ROOM], target[ROOM];

	write_attribute(tree, folder, "dev", devnum);
	if (diskseq)
		write_attribute(tree, folder, "diskseq", diskseq);
	CHECK(snprintf(link, sizeof(link), "%s/sys/dev/block/%s", tree->path,
		       devnum) > 0);
	CHECK(snprintf(target, sizeof(target), "../../devices/%s", folder) > 0);
	CHECK(symlink(target, link) == 0);
}

void tree_partition(const struct tree *tree, const char *devnum, const char *folder)
{
	tree_device(tree, devnum, folder, NULL);
	write_attribute(tree, folder, "partition", "1");
}

void tree_slave(const struct tree *tree, const char *folder, const char *slave)
{
	char link[ROOM], target[ROOM] = "../";
	const char *name = strrchr(slave, '/');

	CHECK(snprintf(link, sizeof(link), "/sys/devices/%s/slaves", folder) > 0);
	tree_mkdir(tree, link);
	for (const char *p = folder; p; p = strchr(p + 1, '/'))
		strcat(target, "../");
	strcat(target, slave);
	CHECK(snprintf(link, sizeof(link), "%s/sys/devices/%s/slaves/%s", tree->path,
		       folder, name ? name + 1 : slave) > 0);
	CHECK(symlink(target, link) == 0);
}

void tree_record(const struct tree *tree, const char *devnum, const char *text)
{
	char path[ROOM];

	CHECK(snprintf(path, sizeof(path), "/run/blkadvise/disks/%s", devnum) > 0);
	tree_write(tree, path, text, strlen(text));
}
