/* SPDX-License-Identifier: MIT */
/*
 * From a file to a device number. Most file systems give their block device's number
 * in st_dev; the others give an anonymous one (major 0), and what kind they are is all
 * that is said then. The mount table is not searched: it may hold a dead NFS server,
 * and its device numbers are not those that stat(2) gives on btrfs.
 */
#include "client/client.h"

#include <errno.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"

static const struct {
	uint32_t type;
	enum blkadvise_outcome outcome;
} fs_types[] = {
	{ 0x00006969, BLKADVISE_NETWORK_FS }, /* nfs */
	{ 0x0000517b, BLKADVISE_NETWORK_FS }, /* smb */
	{ 0xff534d42, BLKADVISE_NETWORK_FS }, /* cifs */
	{ 0xfe534d42, BLKADVISE_NETWORK_FS }, /* smb2 */
	{ 0x01021997, BLKADVISE_NETWORK_FS }, /* 9p */
	{ 0x00c36400, BLKADVISE_NETWORK_FS }, /* ceph */
	{ 0x0bd00bd0, BLKADVISE_NETWORK_FS }, /* lustre */
	{ 0x47504653, BLKADVISE_NETWORK_FS }, /* gpfs */
	{ 0x19830326, BLKADVISE_NETWORK_FS }, /* beegfs */
	{ 0x20030528, BLKADVISE_NETWORK_FS }, /* orangefs */
	{ 0x5346414f, BLKADVISE_NETWORK_FS }, /* openafs */
	{ 0x6b414653, BLKADVISE_NETWORK_FS }, /* afs */
	{ 0x73757245, BLKADVISE_NETWORK_FS }, /* coda */
	{ 0x786f4256, BLKADVISE_NETWORK_FS }, /* vboxsf */
	{ 0xbacbacbc, BLKADVISE_NETWORK_FS }, /* vmhgfs */
	{ 0x65735546, BLKADVISE_FUSE_FS }, /* fuse, virtiofs */
	{ 0x01021994, BLKADVISE_MEMORY_FS }, /* tmpfs, devtmpfs */
	{ 0x858458f6, BLKADVISE_MEMORY_FS }, /* ramfs, rootfs */
	{ 0x958458f6, BLKADVISE_MEMORY_FS }, /* hugetlbfs */
	{ 0x5345434d, BLKADVISE_MEMORY_FS }, /* secretmem */
	{ 0x00009fa0, BLKADVISE_PSEUDO_FS }, /* proc */
	{ 0x62656572, BLKADVISE_PSEUDO_FS }, /* sysfs */
	{ 0x0027e0eb, BLKADVISE_PSEUDO_FS }, /* cgroup */
	{ 0x63677270, BLKADVISE_PSEUDO_FS }, /* cgroup2 */
	{ 0x64626720, BLKADVISE_PSEUDO_FS }, /* debugfs */
	{ 0x74726163, BLKADVISE_PSEUDO_FS }, /* tracefs */
	{ 0x73636673, BLKADVISE_PSEUDO_FS }, /* securityfs */
	{ 0x62656570, BLKADVISE_PSEUDO_FS }, /* configfs */
	{ 0x00001cd1, BLKADVISE_PSEUDO_FS }, /* devpts */
	{ 0xcafe4a11, BLKADVISE_PSEUDO_FS }, /* bpf */
	{ 0x6165676c, BLKADVISE_PSEUDO_FS }, /* pstore */
	{ 0xde5e81e4, BLKADVISE_PSEUDO_FS }, /* efivarfs */
	{ 0x19800202, BLKADVISE_PSEUDO_FS }, /* mqueue */
	{ 0x42494e4d, BLKADVISE_PSEUDO_FS }, /* binfmt_misc */
	{ 0xf97cff8c, BLKADVISE_PSEUDO_FS }, /* selinuxfs */
	{ 0x00000187, BLKADVISE_PSEUDO_FS }, /* autofs */
	{ 0x6e736673, BLKADVISE_PSEUDO_FS }, /* nsfs */
	{ 0x50494446, BLKADVISE_PSEUDO_FS }, /* pidfs */
	{ 0x50495045, BLKADVISE_PSEUDO_FS }, /* pipefs */
	{ 0x534f434b, BLKADVISE_PSEUDO_FS }, /* sockfs */
	{ 0x09041934, BLKADVISE_PSEUDO_FS }, /* anon_inodefs */
	{ 0x444d4142, BLKADVISE_PSEUDO_FS }, /* dma-buf */
	{ 0x9123683e, BLKADVISE_LAYERED_FS }, /* btrfs */
	{ 0x794c7630, BLKADVISE_LAYERED_FS }, /* overlay */
	{ 0x61756673, BLKADVISE_LAYERED_FS }, /* aufs */
	{ 0x0000f15f, BLKADVISE_LAYERED_FS }, /* ecryptfs */
	{ 0x2fc12fc1, BLKADVISE_LAYERED_FS }, /* zfs */
	{ 0xca451a4e, BLKADVISE_LAYERED_FS }, /* bcachefs */
};

enum blkadvise_outcome fs_outcome(uint32_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(fs_types); i++) {
		if (fs_types[i].type == type)
			return fs_types[i].outcome;
	}
	return BLKADVISE_UNKNOWN_FS;
}

/* The folder that holds @path, as dirname(1) has it. NULL without memory. */
static char *folder_of(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	while (len > 1 && path[len - 1] == '/')
		len--;
	return len > 0 ? strndup(path, len) : strdup(".");
}

/* As fstat(2) if @path is NULL, else as stat(2). */
static int stat_file(const char *path, int fd, struct stat *ret)
{
	struct stat st = { 0 };

	if ((path ? stat(path, &st) : fstat(fd, &st)) < 0)
		return -errno;
	*ret = st;
	return 0;
}

static int devnum_of_stat(const char *path, int fd, const struct stat *st,
			  struct devnum *ret)
{
	dev_t dev = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev;
	struct statfs fs = { 0 };

	if (major(dev) == 0) {
		if ((path ? statfs(path, &fs) : fstatfs(fd, &fs)) < 0)
			return -errno;
		return (int)fs_outcome((uint32_t)fs.f_type);
	}
	*ret = (struct devnum){ .major = major(dev), .minor = minor(dev) };
	return BLKADVISE_OK;
}

int file_find_device(const char *path, int fd, struct devnum *ret)
{
	_cleanup_free_ char *folder = NULL;
	struct stat st = { 0 };
	int r = stat_file(path, fd, &st);

	/* A link to nowhere may lead to another disk than the folder it lies in. */
	if (r == -ENOENT && path && *path && lstat(path, &st) < 0) {
		folder = folder_of(path);
		if (!folder)
			return -ENOMEM;
		path = folder;
		r = stat_file(path, fd, &st);
	}
	return r < 0 ? r : devnum_of_stat(path, fd, &st, ret);
}
