/* SPDX-License-Identifier: MIT */
/*
 * From class, settings and measurement to advice. Pure. Depth first, mode second: the
 * smallest depth within 95 % of the peak, not the largest; 1 where there is no queue;
 * nothing where nothing supports a number. Each value that a measurement gives comes with
 * its reasoning in figures.
 */
#pragma once

#include "policy/advice.h"
#include "policy/measurement.h"

#define KNEE_PERCENT 95 /* of the peak */
#define LATENCY_FACTOR 2 /* of the 99th percentile at depth 1 */
#define AREA_KB_MIN (256U << 10) /* read from less: a drive's cache may have answered */
#define AREA_KB_MIN_ROTATIONAL (1U << 20)

/* What a measurement says in a few figures; those that it cannot tell are 0. */
struct digest {
	uint64_t random_iops_qd1, random_iops_qd16, random_iops_peak;
	uint32_t knee_depth, latency_depth, largest_depth;
	uint32_t random_p50_us, random_p99_us; /* at depth 1, as engines compare */
	uint64_t sequential_kbps; /* the best of all */
	uint64_t random_write_iops, sequential_write_kbps;
	uint32_t journal_p99_us; /* of 4 KiB */
	uint64_t measured_at; /* of the newest point that counts */
	unsigned int limits; /* of random direct reads up to the peak */
	bool peak_is_open; /* still rising at the last depth, or only one was measured */
};

/*
 * Points that are stale (@stale), implausible, or answered by a cgroup's limit or a cache
 * do not count.
 */
void measurement_digest(const struct measurement *measurement, unsigned int stale,
			struct digest *ret);

/*
 * Puts what the measurement supports in the place of what the class gave. @advice comes
 * from policy_select(); depths stay within @device_depth (0: not known). Values from the
 * administrator's files (/etc, /run) stay. Sets random_from and scan_from with their
 * confidence, and for each value that it sets where ("measured") and why.
 */
void advise_measured(const struct disk_class *class,
		     const struct measurement *measurement, unsigned int stale,
		     uint64_t device_depth, struct advice *advice);

/*
 * The bounds within which a result of a disk of this class is plausible, with a margin:
 * beyond them something else answered (a cache, a simulator) or the class is wrong. False
 * if @point is outside; then @buf says by how much and why the bound is there.
 */
bool point_is_plausible(const struct point *point, const struct disk_class *class,
			char *buf, size_t size);
