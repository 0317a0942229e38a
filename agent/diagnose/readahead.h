/* SPDX-License-Identifier: MIT */
/*
 * What the checks of readahead share: whether a value is the one that counts, what is
 * much, and whether a stripe justifies it. Internal to diagnose/.
 */
#pragma once

#include "diagnose/internal.h"

#define READ_AHEAD_CLASSIC_KB 128U /* VM_READAHEAD_PAGES (include/linux/pagemap.h) */
#define READ_AHEAD_LARGE_KB 1024U  /* from here on it hurts readers at random */
#define READ_AHEAD_HUGE_KB 4096U   /* what profiles for throughput ask for */
#define IO_OPT_BOGUS 33553920U /* 65535 sectors of 512: a bridge's "no limit" */

/* A disk or stack, and no other device holds it as a whole: then that one's counts. */
bool read_ahead_counts(const struct subject *subject);

/*
 * The optimal_io_size may be a stripe: of an md array, of a controller's volume, or of
 * something between a stack and its leaves, none of which has that size.
 */
bool is_striped(const struct subject *subject);

/*
 * Of a dm device that is the top of its stack and has the kernel's readahead: a leaf
 * whose readahead somebody set to another value, in vain; or NULL.
 */
const struct disk *read_ahead_tuned_leaf(const struct subject *subject);
