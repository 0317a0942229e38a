/* SPDX-License-Identifier: MIT */
/*
 * A measurement in a few figures. All that follows from random reads follows from one
 * curve: direct reads of one block size over the depth.
 */
#include "policy/advise-internal.h"

#define NOT_THE_DISK                                                      \
	(1U << LIMIT_CPU_QUOTA | 1U << LIMIT_IO_MAX | 1U << LIMIT_CACHE | \
	 1U << LIMIT_IMPLAUSIBLE)

bool point_is_usable(const struct point *point, unsigned int stale)
{
	return point_counts(point, stale) && !(point->limits & NOT_THE_DISK);
}

static bool is_on_curve(const struct point *point, unsigned int stale)
{
	return point->work == WORK_RANDOM_READ && point->mode == IO_MODE_DIRECT &&
	       point_is_usable(point, stale);
}

static uint32_t curve_block(const struct measurement *measurement, unsigned int stale)
{
	uint32_t block_kb = 0;

	for (size_t i = 0; i < measurement->n; i++) {
		const struct point *point = &measurement->points[i];

		if (!is_on_curve(point, stale))
			continue;
		if (point->block_kb == 4)
			return 4;
		if (block_kb == 0 || point->block_kb < block_kb)
			block_kb = point->block_kb;
	}
	return block_kb;
}

static void curve_insert(struct curve *curve, const struct point *point)
{
	size_t i = curve->n++;

	for (; i > 0 && curve->at[i - 1]->depth > point->depth; i--)
		curve->at[i] = curve->at[i - 1];
	curve->at[i] = point;
}

void curve_find(const struct measurement *measurement, unsigned int stale,
		struct curve *ret)
{
	struct curve curve = { .block_kb = curve_block(measurement, stale) };

	for (size_t i = 0; i < measurement->n; i++) {
		const struct point *point = &measurement->points[i];

		if (is_on_curve(point, stale) && point->block_kb == curve.block_kb)
			curve_insert(&curve, point);
	}
	for (size_t i = 0; i < curve.n; i++) {
		if (!curve.peak || point_iops(curve.at[i]) > point_iops(curve.peak))
			curve.peak = curve.at[i];
	}
	for (size_t i = 0; i < curve.n && !curve.knee; i++) {
		if (reaches(point_iops(curve.at[i]), point_iops(curve.peak),
			    KNEE_PERCENT))
			curve.knee = curve.at[i];
	}
	*ret = curve;
}

/* The largest depth of an unbroken run from 1; 0 if depth 1 was not measured. */
static uint32_t latency_depth(const struct curve *curve)
{
	uint32_t depth = 0;

	if (curve->at[0]->depth != 1)
		return 0;
	for (size_t i = 0; i < curve->n; i++) {
		if (curve->at[i]->p99_us >
		    (uint64_t)LATENCY_FACTOR * curve->at[0]->p99_us)
			break;
		depth = curve->at[i]->depth;
	}
	return depth;
}

/* The best is the last, and well above the one before: there may be more to come. */
static bool is_open(const struct curve *curve)
{
	const struct point *last = curve->at[curve->n - 1];

	if (curve->peak != last)
		return false;
	return curve->n == 1 || !reaches(point_iops(curve->at[curve->n - 2]),
					 point_iops(last), KNEE_PERCENT);
}

static void digest_curve(const struct curve *curve, struct digest *digest)
{
	if (curve->n == 0)
		return;
	for (size_t i = 0; i < curve->n; i++) {
		const struct point *point = curve->at[i];

		if (point->depth == 1) {
			digest->random_iops_qd1 = point_iops(point);
			digest->random_p50_us = point->p50_us;
			digest->random_p99_us = point->p99_us;
		}
		if (point->depth == 16)
			digest->random_iops_qd16 = point_iops(point);
		if (point->depth <= curve->peak->depth)
			digest->limits |= point->limits;
	}
	digest->random_iops_peak = point_iops(curve->peak);
	digest->knee_depth = curve->knee->depth;
	digest->largest_depth = curve->at[curve->n - 1]->depth;
	digest->latency_depth = latency_depth(curve);
	digest->peak_is_open = is_open(curve);
}

static void raise_to(uint64_t *best, uint64_t value)
{
	if (value > *best)
		*best = value;
}

static void digest_point(const struct point *point, struct digest *digest)
{
	raise_to(&digest->measured_at, point->measured_at);
	switch (point->work) {
	case WORK_RANDOM_READ: /* digest_curve() */
		break;
	case WORK_SEQUENTIAL_READ:
		raise_to(&digest->sequential_kbps, point_kbps(point));
		break;
	case WORK_RANDOM_WRITE:
		raise_to(&digest->random_write_iops, point_iops(point));
		break;
	case WORK_SEQUENTIAL_WRITE:
		raise_to(&digest->sequential_write_kbps, point_kbps(point));
		break;
	case WORK_JOURNAL_WRITE:
		if (point->block_kb == 4 && point->depth == 1)
			digest->journal_p99_us = point->p99_us;
		break;
	case _WORK_MAX:
		break;
	}
}

void measurement_digest(const struct measurement *measurement, unsigned int stale,
			struct digest *ret)
{
	struct digest digest = { 0 };
	struct curve curve;

	for (size_t i = 0; i < measurement->n; i++) {
		if (point_is_usable(&measurement->points[i], stale))
			digest_point(&measurement->points[i], &digest);
	}
	curve_find(measurement, stale, &curve);
	digest_curve(&curve, &digest);
	*ret = digest;
}
