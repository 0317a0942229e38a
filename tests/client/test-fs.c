/* SPDX-License-Identifier: MIT */
/*
 * The table of file systems, against the kernel's own names for their numbers. It is
 * not reachable through the public functions without mounting each of them, so this
 * test links the static library and looks inside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/statfs.h>

#include <linux/magic.h>

#include <cmocka.h>

#include "client/client.h"

static void the_table_knows_the_common_ones(void **state)
{
	static const struct {
		uint32_t type;
		enum blkadvise_outcome outcome;
	} cases[] = {
		{ NFS_SUPER_MAGIC, BLKADVISE_NETWORK_FS },
		{ V9FS_MAGIC, BLKADVISE_NETWORK_FS },
		{ 0xff534d42, BLKADVISE_NETWORK_FS },
		{ 0xfe534d42, BLKADVISE_NETWORK_FS },
		{ 0x65735546, BLKADVISE_FUSE_FS },
		{ TMPFS_MAGIC, BLKADVISE_MEMORY_FS },
		{ RAMFS_MAGIC, BLKADVISE_MEMORY_FS },
		{ HUGETLBFS_MAGIC, BLKADVISE_MEMORY_FS },
		{ PROC_SUPER_MAGIC, BLKADVISE_PSEUDO_FS },
		{ SYSFS_MAGIC, BLKADVISE_PSEUDO_FS },
		{ CGROUP2_SUPER_MAGIC, BLKADVISE_PSEUDO_FS },
		{ DEBUGFS_MAGIC, BLKADVISE_PSEUDO_FS },
		{ SOCKFS_MAGIC, BLKADVISE_PSEUDO_FS },
		{ ANON_INODE_FS_MAGIC, BLKADVISE_PSEUDO_FS },
		{ BTRFS_SUPER_MAGIC, BLKADVISE_LAYERED_FS },
		{ OVERLAYFS_SUPER_MAGIC, BLKADVISE_LAYERED_FS },
		{ ECRYPTFS_SUPER_MAGIC, BLKADVISE_LAYERED_FS },
		{ EXT4_SUPER_MAGIC, BLKADVISE_UNKNOWN_FS },
		{ 0, BLKADVISE_UNKNOWN_FS },
		{ UINT32_MAX, BLKADVISE_UNKNOWN_FS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(fs_outcome(cases[i].type), cases[i].outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_knows_the_common_ones),
	};

	return cmocka_run_group_tests_name("client-fs", tests, NULL, NULL);
}
