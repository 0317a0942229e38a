/* SPDX-License-Identifier: MIT */
/*
 * How long it took: the clocks of time and of CPU, and the distribution of latencies with
 * a relative error of at most 1/32.
 */
#pragma once

#include <stdint.h>

#define NS_PER_S 1000000000ULL

#define LATENCY_BUCKETS (37 * 32)

struct latencies {
	uint64_t counts[LATENCY_BUCKETS];
	uint64_t n;
};

uint64_t now_ns(void);

/* User and system time of all threads of this process. */
uint64_t cpu_ns(void);

void latencies_add(struct latencies *latencies, uint64_t ns);
void latencies_merge(struct latencies *into, const struct latencies *from);

/* What @percent of all are not above, in us; 0 if there are none. */
double latencies_at(const struct latencies *latencies, unsigned int percent);
