/* SPDX-License-Identifier: MIT */
/*
 * Latencies up to 31 ns have a bucket each, and every power of two above has 32.
 */
#include "clock.h"

#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#define SUB_BITS 5
#define SUB (1U << SUB_BITS)

uint64_t now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * NS_PER_S + (uint64_t)tv->tv_usec * 1000;
}

uint64_t cpu_ns(void)
{
	struct rusage usage = { 0 };

	(void)getrusage(RUSAGE_SELF, &usage);
	return timeval_ns(&usage.ru_utime) + timeval_ns(&usage.ru_stime);
}

static size_t bucket_of(uint64_t ns)
{
	unsigned int shift = 0;
	size_t bucket = 0;

	if (ns < SUB)
		return (size_t)ns;
	shift = 63 - SUB_BITS - (unsigned int)__builtin_clzll(ns);
	bucket = (size_t)(shift + 1) * SUB + ((ns >> shift) & (SUB - 1));
	return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

/* The middle of a bucket. */
static double bucket_ns(size_t bucket)
{
	size_t power = bucket / SUB;

	if (power == 0)
		return (double)bucket;
	return ((double)(SUB + bucket % SUB) + 0.5) * (double)(1ULL << (power - 1));
}

void latencies_add(struct latencies *latencies, uint64_t ns)
{
	latencies->counts[bucket_of(ns)]++;
	latencies->n++;
}

void latencies_merge(struct latencies *into, const struct latencies *from)
{
	for (size_t i = 0; i < LATENCY_BUCKETS; i++)
		into->counts[i] += from->counts[i];
	into->n += from->n;
}

double latencies_at(const struct latencies *latencies, unsigned int percent)
{
	uint64_t wanted = (latencies->n * percent + 99) / 100, seen = 0;

	for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
		seen += latencies->counts[i];
		if (seen > 0 && seen >= wanted)
			return bucket_ns(i) / 1000;
	}
	return 0;
}
