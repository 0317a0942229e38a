/* SPDX-License-Identifier: MIT */
/*
 * What we remember of one disk between events: the baseline (its values before our
 * first write), what our last write left, what is held. Data only; apply/state.c keeps
 * it in a file.
 */
#pragma once

#include "policy/tunable.h"

struct tunable_state {
	bool has_initial; /* part of the baseline */
	char initial[TUNABLE_VALUE_MAX];
	bool has_written;
	char written[TUNABLE_VALUE_MAX]; /* as the kernel showed it after our write */
	bool has_pending; /* a write was begun, and nothing is known of its end */
	char pending[TUNABLE_VALUE_MAX];
	bool has_asked; /* what we last asked for, and what stood there afterwards */
	char asked[TUNABLE_VALUE_MAX], answer[TUNABLE_VALUE_MAX];
	bool held; /* `blkadvise hold`: not ours to change */
	bool rival; /* we and somebody else keep changing it: stopped */
	bool rival_told; /* and that has been logged */
};

struct disk_state {
	bool unreadable; /* the memory is there but cannot be read: touch nothing */
	bool held; /* the whole disk, after `restore` or `hold` */
	struct tunable_state tunables[_TUNABLE_MAX];
};
