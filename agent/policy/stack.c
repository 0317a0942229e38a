/* SPDX-License-Identifier: MIT */
/*
 * Advice for stacks. What an engine's reads meet in the end is a leaf, so a stack is
 * advised as its leaves are, if they are of one class, or as a remote one of them is: the
 * network is then the slowest part. Settings of a stack are its own.
 */
#include "policy/policy.h"

/* The leaf that speaks for the stack and its class, or NULL if none can. */
static const struct disk *speaking_leaf(const struct disk *disk, struct disk_class *ret)
{
	bool alike = disk->n_leaves > 0 && !disk->leaves_incomplete;
	struct disk_class first = { 0 };

	for (size_t i = 0; i < disk->n_leaves; i++) {
		struct disk_class class = { 0 };

		classify_facts(&disk->leaves[i].facts, &class);
		if (class.remote) {
			*ret = class;
			return &disk->leaves[i];
		}
		if (i == 0)
			first = class;
		alike &= class.class == first.class;
	}
	*ret = first;
	return alike ? &disk->leaves[0] : NULL;
}

void policy_select_stack_advice(const struct policy *policy, const struct disk *disk,
				const struct disk_class *class,
				struct selection *selection)
{
	const struct disk *leaf = NULL;
	struct disk_class leaf_class = { 0 };
	struct selection of_leaf = { 0 };

	if (class->attachment != ATTACHMENT_STACKED)
		return;
	leaf = speaking_leaf(disk, &leaf_class);
	if (!leaf)
		return;
	policy_select(policy, selection->profile, &leaf->facts, &leaf_class, &of_leaf);
	selection->advice = of_leaf.advice;
	if (disk->n_leaves > 1) /* how depths add up depends on the geometry */
		advice_drop_depths(&selection->advice);
}
