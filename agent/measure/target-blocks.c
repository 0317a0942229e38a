/* SPDX-License-Identifier: MIT */
/*
 * The blocks that a target is read in. A file may lie in pieces that are shorter than a
 * block: what is left of each piece is not read, and blocks that do not fit anywhere are
 * not made up, since the same place read again and again is no disk that is measured.
 */
#include <errno.h>
#include <stdlib.h>

#include "measure/internal.h"

int blocks_count(const struct target *target, uint32_t size, struct blocks *ret)
{
	uint64_t *before = NULL, n = 0;

	if (size == 0)
		return -EINVAL;
	before = calloc(target->n_extents + 1, sizeof(*before));
	if (!before)
		return -ENOMEM;
	for (size_t i = 0; i < target->n_extents; i++) {
		before[i] = n;
		n += target->extents[i].length / size;
	}
	*ret = (struct blocks){ .target = target,
				.size = size,
				.n = n,
				.before = before };
	return 0;
}

void blocks_done(struct blocks *blocks)
{
	free(blocks->before);
	blocks->before = NULL;
}

uint64_t blocks_offset(const struct blocks *blocks, uint64_t number)
{
	size_t low = 0, high = blocks->target->n_extents;

	/* The last extent with so many before it: those without a block come earlier. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (blocks->before[middle] <= number)
			low = middle;
		else
			high = middle;
	}
	return blocks->target->extents[low].start +
	       (number - blocks->before[low]) * blocks->size;
}
