/* SPDX-License-Identifier: MIT */
/*
 * Which block comes next. Random blocks come in the order of a permutation, so that a run
 * reads none twice before it has read all: on a small target, repeated blocks would come
 * from a cache of ours or of the disk. The permutation is a Feistel network over the
 * numbers of the blocks (numbers that are no block are permuted again until they are
 * one), which needs no table, and which threads can share by a counter.
 */
#include "measure/runner.h"

#include <errno.h>

#include "base/cleanup.h"

#define ROUNDS 4
#define TRIES 64 /* blocks that are passed over for one that was not in the page cache */

uint64_t order_mix(uint64_t value)
{
	value += 0x9e3779b97f4a7c15;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return value ^ (value >> 31);
}

int order_begin(const struct run *run, struct order *ret)
{
	_cleanup_(blocks_done) struct blocks blocks = { 0 };
	unsigned int half_bits = 1;
	int r = blocks_count(run->target, run->block_kb * 1024, &blocks);

	if (r < 0)
		return r;
	if (blocks.n == 0)
		return -ENOSPC;
	while (half_bits < 31 && (blocks.n - 1) >> (2 * half_bits) != 0)
		half_bits++;
	ret->blocks = blocks;
	blocks.before = NULL;
	ret->random = run->work == WORK_RANDOM_READ || run->work == WORK_RANDOM_WRITE;
	ret->passes_over = ret->random && run->mode != IO_MODE_DIRECT;
	ret->first = run->seed % ret->blocks.n;
	ret->half_bits = half_bits;
	for (unsigned int i = 0; i < ROUNDS; i++)
		ret->keys[i] = order_mix(run->seed + i);
	atomic_store(&ret->next, 0);
	return 0;
}

void order_end(struct order *order)
{
	blocks_done(&order->blocks);
}

static uint64_t scramble(const struct order *order, uint64_t number)
{
	uint64_t mask = (1ULL << order->half_bits) - 1;
	uint64_t left = number >> order->half_bits, right = number & mask;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint64_t mixed = left ^ (order_mix(right ^ order->keys[i]) & mask);

		left = right;
		right = mixed;
	}
	return left << order->half_bits | right;
}

static uint64_t next_random(struct order *order)
{
	uint64_t number = atomic_fetch_add(&order->next, 1) % order->blocks.n;

	do {
		number = scramble(order, number);
	} while (number >= order->blocks.n);
	return blocks_offset(&order->blocks, number);
}

static bool was_resident(const struct order *order, uint64_t offset)
{
	for (uint64_t at = offset; at < offset + order->blocks.size; at += 4096)
		if (target_was_resident(order->blocks.target, at))
			return true;
	return false;
}

uint64_t order_next(struct order *order)
{
	uint64_t offset = 0;

	if (!order->random)
		return blocks_offset(&order->blocks,
				     (order->first + atomic_fetch_add(&order->next, 1)) %
					     order->blocks.n);
	for (unsigned int i = 0; i < TRIES; i++) {
		offset = next_random(order);
		if (!order->passes_over || !was_resident(order, offset))
			break;
	}
	return offset;
}
