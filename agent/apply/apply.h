/* SPDX-License-Identifier: MIT */
/*
 * Writes to /sys, and nowhere else in the program: one change at a time, the baseline
 * saved before, the value read back after.
 */
#pragma once

#include "apply/state.h"
#include "policy/plan.h"

struct applied {
	enum tunable tunable;
	char before[TUNABLE_VALUE_MAX];
	char wanted[TUNABLE_VALUE_MAX];
	char after[TUNABLE_VALUE_MAX]; /* as the kernel shows it; "" if unreadable */
	int error; /* of the write: 0 or a negative errno */
	bool left; /* restore: no longer the value that we wrote, so left alone */
	const struct setting *setting; /* NULL: a restore */
};

/* True if the write went through and the value is what was wanted. */
bool applied_took(const struct applied *applied);

/*
 * The log line of a write, in words and numbers that a program can take apart:
 * "disk=sda setting=read_ahead_kb old=8192 new=128 where=FILE:LINE reason=...".
 */
void applied_format(const struct disk *disk, const struct applied *applied, char *buf,
		    size_t size);

/*
 * Executes the one change @change (of outcome OUTCOME_CHANGE). The state is saved before
 * the write with the value that is lost by it, and after it with the one that it left.
 * Returns the error of saving, and then nothing was written; else 0, with the write's
 * own fate in @ret.
 */
int apply_change(const struct root *root, const struct disk *disk,
		 const struct change *change, struct state_file *file, uint64_t now,
		 struct applied *ret);

/* Has the kernel announce a change of the disk in @syspath. The errors of a write. */
int apply_announce(const struct root *root, const char *syspath);

/*
 * Writes the baseline's value of @tunable back if what stands there is what we wrote; a
 * value that came later is not ours to undo. 0 if there was nothing to do, 1 if there
 * was (its fate in @ret); -ENODATA if the value cannot be read, and then the baseline is
 * kept; or the error of saving the state, with the value's fate in @ret all the same.
 */
int apply_restore(const struct root *root, const struct disk *disk, enum tunable tunable,
		  struct state_file *file, struct applied *ret);
