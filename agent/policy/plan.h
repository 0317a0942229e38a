/* SPDX-License-Identifier: MIT */
/*
 * The plan: what there is, what there ought to be, and what is to be done about it, for
 * each tunable. Pure: the same facts, policy and state give the same plan, so `plan`
 * shows exactly what `apply` does.
 */
#pragma once

#include "policy/policy.h"
#include "policy/state.h"

/* Whose doing the current value is. */
enum owner {
	OWNER_UNKNOWN,
	OWNER_KERNEL, /* a formula of the kernel explains it */
	OWNER_BLKADVISE, /* our last write left it */
	OWNER_UNDETERMINED, /* the driver or a person: nothing tells; never changed */
	OWNER_ADMIN, /* neither: a person, or another program */
	_OWNER_MAX,
};

DECLARE_WORDS(owner, enum owner);

enum outcome {
	OUTCOME_NO_SETTING, /* the policy says nothing of it */
	OUTCOME_EQUAL, /* it is what it ought to be */
	OUTCOME_CHANGE, /* to be written */
	OUTCOME_ADMIN, /* set by somebody else: left alone */
	OUTCOME_HELD, /* held by command */
	OUTCOME_OFF, /* switched off for this disk or machine */
	OUTCOME_HANDS_OFF, /* this kind of disk is not touched */
	OUTCOME_RIVAL, /* somebody keeps changing it: no longer contested */
	OUTCOME_REFUSED, /* written before, and the kernel kept or made another value */
	OUTCOME_UNSUPPORTED, /* the kernel offers no such value here */
	OUTCOME_UNKNOWN, /* the current value, or what it ought to be, is not known */
	_OUTCOME_MAX,
};

DECLARE_WORDS(outcome, enum outcome);

struct change {
	enum tunable tunable;
	enum outcome outcome;
	enum owner owner;
	bool reassert; /* our value was taken back by the kernel */
	char current[TUNABLE_VALUE_MAX]; /* "" if unknown */
	char target[TUNABLE_VALUE_MAX]; /* "" if there is none */
	char explanation[160]; /* why the current value is what it is */
	char obstacle[160]; /* why it is not touched; "" if it is, or need not be */
	const struct setting *setting; /* of the selection; NULL if none */
};

struct plan {
	struct change changes[_TUNABLE_MAX]; /* in the order of writing */
};

/*
 * Plans for one disk. @page_kb is the size of a page in KiB (read_ahead_kb is rounded
 * down to whole pages). @plan keeps pointers into @selection.
 */
void plan_make(const struct disk_facts *facts, const struct disk_class *class,
	       const struct selection *selection, const struct disk_state *state,
	       unsigned int page_kb, struct plan *ret);

/* Number of changes to be written. */
size_t plan_count(const struct plan *plan);

/*
 * Whether a formula of the kernel explains the value. @ret_explanation (of @size bytes)
 * is set to the arithmetic if so.
 */
bool kernel_explains(const struct disk_facts *facts, const struct disk_class *class,
		     enum tunable tunable, const char *value, char *ret_explanation,
		     size_t size);

/*
 * True if read_ahead_kb shows @value where a formula gives @kb: it shows whole pages, of
 * 4, 16 or 64 KiB, and the formula may not give whole ones.
 */
bool read_ahead_is_rounded(uint64_t value, uint64_t kb);

/*
 * True if this kernel derives readahead from max_sectors_kb for this disk: since 6.17,
 * for a rotational flag without an optimal_io_size (block/blk-settings.c).
 */
bool kernel_derives_readahead(const struct disk_facts *facts);

/* Who set the current value, and why it is what it is. */
enum owner value_owner(const struct disk_facts *facts, const struct disk_class *class,
		       const struct disk_state *state, enum tunable tunable,
		       char *ret_explanation, size_t size);
