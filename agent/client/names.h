/* SPDX-License-Identifier: MIT */
/*
 * Force-included before every source of the client library. Hidden visibility keeps
 * our own names out of the shared library, but not out of the static one: there a
 * parse_bool() or trim() of ours would meet an engine's. So each gets the public
 * prefix. tests/client/check-symbols.py finds the name that is missing here.
 */
#pragma once

/* base/root.h */
#define names_add blkadvise_priv_names_add
#define names_done blkadvise_priv_names_done
#define names_sort blkadvise_priv_names_sort
#define path_join blkadvise_priv_path_join
#define path_join_target blkadvise_priv_path_join_target
#define path_name blkadvise_priv_path_name
#define path_up blkadvise_priv_path_up
#define root_exists blkadvise_priv_root_exists
#define root_free blkadvise_priv_root_free
#define root_is_live blkadvise_priv_root_is_live
#define root_list blkadvise_priv_root_list
#define root_new blkadvise_priv_root_new
#define root_read blkadvise_priv_root_read
#define root_read_head blkadvise_priv_root_read_head
#define root_read_link blkadvise_priv_root_read_link
#define root_read_link_name blkadvise_priv_root_read_link_name
#define root_resolve blkadvise_priv_root_resolve
#define root_stat blkadvise_priv_root_stat
#define root_target blkadvise_priv_root_target

/* base/sysfs.h */
#define sysfs_block_by_devnum blkadvise_priv_sysfs_block_by_devnum
#define sysfs_block_by_name blkadvise_priv_sysfs_block_by_name
#define sysfs_block_leaves blkadvise_priv_sysfs_block_leaves

/* base/parse.h */
#define parse_bool blkadvise_priv_parse_bool
#define parse_devnum blkadvise_priv_parse_devnum
#define parse_hex blkadvise_priv_parse_hex
#define parse_milli blkadvise_priv_parse_milli
#define parse_u64 blkadvise_priv_parse_u64
#define trim blkadvise_priv_trim
#define trim_end blkadvise_priv_trim_end

/* client/client.h */
#define disk_compare_seq blkadvise_priv_disk_compare_seq
#define disk_read_devnum blkadvise_priv_disk_read_devnum
#define file_find_device blkadvise_priv_file_find_device
#define fs_outcome blkadvise_priv_fs_outcome
#define record_clear blkadvise_priv_record_clear
#define record_members blkadvise_priv_record_members
#define record_parse blkadvise_priv_record_parse
