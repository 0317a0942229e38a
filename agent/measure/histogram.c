/* SPDX-License-Identifier: MIT */
/*
 * Latencies in buckets: the first 32 are a microsecond wide, after that each power of two
 * is divided into 32. So a bucket is never wider than a 32nd of what lies in it, and a
 * histogram of a second or of an hour takes the same few KB.
 */
#include "measure/internal.h"

#include <assert.h>

#define SUB_BITS 5 /* 32 buckets for a power of two */
#define SUB (1U << SUB_BITS)
#define VALUE_BITS 31

static_assert(HISTOGRAM_BUCKETS == (VALUE_BITS - SUB_BITS + 1) * SUB,
	      "each power of two has its buckets");

static unsigned int bucket_of(uint32_t us)
{
	unsigned int shift = 0;

	while (us >> shift >= 2 * SUB)
		shift++;
	return us < SUB ? us : SUB * (shift + 1) + (us >> shift) - SUB;
}

static uint32_t bucket_end(unsigned int bucket)
{
	unsigned int shift = bucket < SUB ? 0 : bucket / SUB - 1;
	uint32_t first = bucket < SUB ? bucket : bucket % SUB + SUB;

	return (uint32_t)((((uint64_t)first + 1) << shift) - 1);
}

/* What took less than a microsecond counts as one: 0 means that there is nothing. */
void histogram_add(struct histogram *histogram, uint64_t us)
{
	const uint64_t most = (1ULL << VALUE_BITS) - 1;
	uint32_t value = (uint32_t)(us < 1 ? 1 : us > most ? most : us);

	histogram->counts[bucket_of(value)]++;
	histogram->n++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->counts[i] += from->counts[i];
	into->n += from->n;
}

uint32_t histogram_at(const struct histogram *histogram, unsigned int per_mille)
{
	uint64_t wanted = (histogram->n * per_mille + 999) / 1000, seen = 0;

	if (histogram->n == 0)
		return 0;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->counts[i];
		if (seen > 0 && seen >= wanted)
			return bucket_end(i);
	}
	return bucket_end(HISTOGRAM_BUCKETS - 1);
}
