/* SPDX-License-Identifier: MIT */
/*
 * What is known of file systems before the first read: some accept O_DIRECT and read
 * from somewhere else than a disk all the same. What is not known here shows in the
 * disk's counters.
 */
#include "measure/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>

#include "base/cleanup.h"

#define MIB_BYTES (1 << 20)

/* Magic numbers: include/uapi/linux/magic.h and the file systems' own sources. */
static const struct {
	uint32_t type;
	const char *name;
	const char *why; /* its reads are not direct, or no disk's; NULL: they may be */
} file_systems[] = {
	{ 0x0000ef53, "ext4", NULL },
	{ 0x58465342, "xfs", NULL },
	{ 0x9123683e, "btrfs", NULL },
	{ 0xf2f52010, "f2fs", NULL },
	{ 0x00004d44, "vfat", NULL },
	{ 0x2011bab0, "exfat", NULL },
	{ 0x7366746e, "ntfs3", NULL },
	{ 0xca451a4e, "bcachefs", NULL },
	{ 0x2fc12fc1, "zfs", NULL },
	{ 0x794c7630, "overlay", NULL },
	{ 0x65735546, "FUSE", "a program answers in the disk's place" },
	{ 0x00006969, "NFS", "a server answers" },
	{ 0x0000517b, "SMB", "a server answers" },
	{ 0xff534d42, "CIFS", "a server answers" },
	{ 0xfe534d42, "SMB", "a server answers" },
	{ 0x01021997, "9p", "a server answers" },
	{ 0x00c36400, "ceph", "servers answer" },
	{ 0x0bd00bd0, "lustre", "servers answer" },
	{ 0x47504653, "gpfs", "servers answer" },
	{ 0x19830326, "beegfs", "servers answer" },
	{ 0x20030528, "orangefs", "servers answer" },
	{ 0x786f4256, "vboxsf", "the host answers" },
	{ 0xbacbacbc, "vmhgfs", "the host answers" },
	{ 0x01021994, "tmpfs", "it lies in memory" },
	{ 0x858458f6, "ramfs", "it lies in memory" },
	{ 0x958458f6, "hugetlbfs", "it lies in memory" },
	{ 0x00009fa0, "proc", "the kernel answers" },
	{ 0x62656572, "sysfs", "the kernel answers" },
};

const char *fs_name(int fd, const char **ret_why)
{
	struct statfs fs = { 0 };

	*ret_why = NULL;
	if (fstatfs(fd, &fs) < 0)
		return "";
	for (size_t i = 0; i < ARRAY_SIZE(file_systems); i++) {
		if (file_systems[i].type == (uint32_t)fs.f_type) {
			*ret_why = file_systems[i].why;
			return file_systems[i].name;
		}
	}
	return "";
}

#ifdef STATX_DIOALIGN
/* 0: the kernel or the file system does not say. */
static int declared_alignment(int fd, uint32_t *ret)
{
	struct statx stx = { 0 };

	*ret = 0;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) < 0 ||
	    !(stx.stx_mask & STATX_DIOALIGN))
		return 0;
	if (stx.stx_dio_offset_align == 0 || stx.stx_dio_mem_align == 0)
		return -EOPNOTSUPP;
	*ret = stx.stx_dio_offset_align > stx.stx_dio_mem_align ?
		       stx.stx_dio_offset_align :
		       stx.stx_dio_mem_align;
	return 0;
}
#else
static int declared_alignment(int fd, uint32_t *ret)
{
	(void)fd;
	*ret = 0;
	return 0;
}
#endif

uint32_t direct_block(uint32_t alignment)
{
	uint32_t block = alignment > 0 ? alignment : 1;

	while (block < BLOCK_BYTES || block % 1024 != 0)
		block += alignment > 0 ? alignment : 1;
	return block;
}

void *direct_memory(uint32_t alignment, size_t size)
{
	size_t power = BLOCK_BYTES;

	while (power < alignment)
		power *= 2;
	return aligned_alloc(power, round_up(size, power));
}

/*
 * Whether the file takes a block of BLOCK_BYTES where nothing larger is aligned. One that
 * ends before that tells nothing.
 */
static bool takes_small_blocks(int fd)
{
	_cleanup_free_ unsigned char *memory = aligned_alloc(65536, 131072);

	return memory &&
	       pread(fd, memory + BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES) > 0;
}

/*
 * Where nothing is declared: what stat(2) calls a good size of a transfer is a block of
 * the file system on some, and a cluster of 32 KiB or more on others (vfat, exfat,
 * ntfs3), which take less all the same.
 */
uint32_t tried_alignment(int fd, const struct stat *st)
{
	if (st->st_blksize <= 0 || st->st_blksize > MIB_BYTES)
		return (uint32_t)BLOCK_BYTES;
	if ((uint64_t)st->st_blksize > BLOCK_BYTES && takes_small_blocks(fd))
		return (uint32_t)BLOCK_BYTES;
	return (uint32_t)st->st_blksize;
}

int direct_alignment(int fd, const struct stat *st, uint32_t *ret)
{
	uint32_t alignment = 0;
	int block = 0;
	int r = declared_alignment(fd, &alignment);

	if (r < 0)
		return r;
	if (alignment == 0 && S_ISBLK(st->st_mode) && ioctl(fd, BLKSSZGET, &block) >= 0)
		alignment = (uint32_t)block;
	/* No file system has blocks below the sectors of its disk. */
	else if (alignment == 0)
		alignment = tried_alignment(fd, st);
	if (alignment < 512)
		alignment = 512;
	*ret = alignment;
	return 0;
}
