/* SPDX-License-Identifier: MIT */
/*
 * From a measurement to advice: what it means for random reads, and what is common to all
 * workloads. docs/policy.md has the rules in words.
 */
#include "policy/advise-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UNASKED "readahead would read, and fill memory with, what is not asked for"
#define BUFFERED_GAIN_PERCENT 110 /* of the direct reads, or they stay direct */

const char *format_iops(uint64_t iops, char buf[RATE_TEXT_MAX])
{
	if (iops < 1000)
		(void)snprintf(buf, RATE_TEXT_MAX, "%" PRIu64 "/s", iops);
	else if (iops < 999950)
		(void)snprintf(buf, RATE_TEXT_MAX, "%.1fK/s", (double)iops / 1000);
	else
		(void)snprintf(buf, RATE_TEXT_MAX, "%.2fM/s", (double)iops / 1000000);
	return buf;
}

const char *format_kbps(uint64_t kbps, char buf[RATE_TEXT_MAX])
{
	double mbps = (double)kbps * 1024 / 1000000;

	if (mbps < 999.5)
		(void)snprintf(buf, RATE_TEXT_MAX, "%.3g MB/s", mbps);
	else
		(void)snprintf(buf, RATE_TEXT_MAX, "%.2f GB/s", mbps / 1000);
	return buf;
}

static bool is_administrators(const struct advice *advice, enum advice_key key)
{
	return advice->known[key] && (strncmp(advice->where[key], "/etc/", 5) == 0 ||
				      strncmp(advice->where[key], "/run/", 5) == 0);
}

bool advise_value(struct advising *advising, enum advice_key key, uint32_t value,
		  const char *why)
{
	struct advice *advice = advising->advice;
	const char *name = advice_key_to_string(key);

	if (is_administrators(advice, key))
		return false;
	advice->known[key] = true;
	advice->value[key] = value;
	strcpy(advice->where[key], MEASURED_WHERE);
	(void)snprintf(advice->why[key], ADVICE_WHY_MAX, "%s", why);
	if (strncmp(name, "random_", 7) == 0)
		advice->random_from = ADVICE_FROM_MEASURED;
	if (strncmp(name, "scan_", 5) == 0)
		advice->scan_from = ADVICE_FROM_MEASURED;
	return true;
}

void advise_if_other(struct advising *advising, enum advice_key key, uint32_t value,
		     const char *why)
{
	const struct advice *advice = advising->advice;

	if (!advice->known[key] || advice->value[key] != value)
		(void)advise_value(advising, key, value, why);
}

void advise_if_unknown(struct advising *advising, enum advice_key key, uint32_t value,
		       const char *why)
{
	if (!advising->advice->known[key])
		(void)advise_value(advising, key, value, why);
}

uint32_t within_device(const struct advising *advising, uint32_t depth)
{
	if (advising->device_depth > 0 && depth > advising->device_depth)
		return (uint32_t)advising->device_depth;
	return depth;
}

const struct point *find_point(const struct advising *advising, enum work work,
			       enum io_mode mode, enum hint hint, uint32_t block_kb,
			       uint32_t depth)
{
	for (size_t i = 0; i < advising->measurement->n; i++) {
		const struct point *point = &advising->measurement->points[i];

		if (point->work == work && point->mode == mode && point->hint == hint &&
		    point->block_kb == block_kb && point->depth == depth &&
		    point_is_usable(point, advising->stale))
			return point;
	}
	return NULL;
}

bool work_has_limit(const struct advising *advising, enum work work, enum limit limit)
{
	for (size_t i = 0; i < advising->measurement->n; i++) {
		const struct point *point = &advising->measurement->points[i];

		if (point->work == work && (point->limits & 1U << limit) &&
		    point_counts(point, advising->stale))
			return true;
	}
	return false;
}

/* A drive's own cache may answer from it, and heads that move have no way to go. */
bool is_small_area(const struct advising *advising)
{
	uint64_t area_kb = advising->measurement->area_kb;
	bool rotates = advising->class->medium == MEDIUM_ROTATIONAL;

	return area_kb > 0 &&
	       area_kb < (rotates ? AREA_KB_MIN_ROTATIONAL : AREA_KB_MIN);
}

bool is_mapped_memory(const struct advising *advising, enum advice_key mode)
{
	return advising->class->class == CLASS_MEMORY && advising->advice->known[mode] &&
	       advising->advice->value[mode] == IO_MODE_MMAP;
}

bool peak_is_open(const struct advising *advising)
{
	const struct digest *digest = &advising->digest;

	return digest->peak_is_open && (advising->device_depth == 0 ||
					advising->device_depth > digest->largest_depth);
}

/* "(1: 12.0K/s, 128: 67.9K/s)": where the curve begins and is highest, or ends. */
static void format_ends(const struct curve *curve, char *buf, size_t size)
{
	const struct point *first = curve->at[0], *peak = curve->peak;
	char low[RATE_TEXT_MAX], high[RATE_TEXT_MAX];

	if (first == peak)
		peak = curve->at[curve->n - 1];
	if (first == peak)
		(void)snprintf(buf, size, "(%u: %s)", first->depth,
			       format_iops(point_iops(first), low));
	else
		(void)snprintf(buf, size, "(%u: %s, %u: %s)", first->depth,
			       format_iops(point_iops(first), low), peak->depth,
			       format_iops(point_iops(peak), high));
}

static void format_depth(const struct advising *advising, char *buf, size_t size)
{
	const struct curve *curve = &advising->curve;
	char ends[64], peak[RATE_TEXT_MAX], cap[32] = "";

	format_ends(curve, ends, sizeof(ends));
	if (advising->device_depth == 1) {
		(void)snprintf(buf, size, "no queue: the disk takes one command %s",
			       ends);
		return;
	}
	if (curve->n == 1) {
		(void)snprintf(
			buf, size, "%s at depth %u, the only one that was measured",
			format_iops(point_iops(curve->peak), peak), curve->peak->depth);
		return;
	}
	if (advising->depth < curve->knee->depth)
		(void)snprintf(cap, sizeof(cap), "; the disk takes %u", advising->depth);
	(void)snprintf(
		buf, size, "%d %% of the peak of %s is reached at depth %u %s%s%s%s",
		KNEE_PERCENT, format_iops(point_iops(curve->peak), peak),
		curve->knee->depth, ends, cap,
		peak_is_open(advising) ? "; still rising" : "",
		advising->digest.limits & 1U << LIMIT_CPU ? "; limited by the CPU" : "");
}

/* Beyond the knee only the latency grows: an engine that fears it goes no further. */
static void advise_latency_depth(struct advising *advising)
{
	const struct curve *curve = &advising->curve;
	uint32_t depth = advising->digest.latency_depth;
	const struct point *point = NULL, *next = NULL;
	char why[ADVICE_WHY_MAX];
	int n = 0;

	if (depth == 0)
		return;
	if (depth > advising->depth)
		depth = advising->depth;
	for (size_t i = 0; i < curve->n && !next; i++) {
		if (curve->at[i]->depth > depth)
			next = curve->at[i];
		else
			point = curve->at[i];
	}
	n = snprintf(why, sizeof(why), "99 of 100 reads take at most %u us at depth %u",
		     point->p99_us, point->depth);
	if (point != curve->at[0])
		n += snprintf(why + n, sizeof(why) - (size_t)n, ", %u us at depth 1",
			      curve->at[0]->p99_us);
	if (next && advising->digest.latency_depth < advising->depth)
		(void)snprintf(why + n, sizeof(why) - (size_t)n, ", %u us at depth %u",
			       next->p99_us, next->depth);
	(void)advise_value(advising, ADVICE_RANDOM_EXCEEDS_DEPTH_LATENCY, depth, why);
	(void)advise_value(advising, ADVICE_RANDOM_FITS_DEPTH_LATENCY, depth, why);
}

/*
 * While the rate still rises the knee is a lower bound: a larger depth of the class
 * stays. One point alone has no knee. The latency, too, may stay low for longer.
 */
static void advise_depths(struct advising *advising)
{
	static const enum advice_key keys[] = { ADVICE_RANDOM_EXCEEDS_DEPTH,
						ADVICE_RANDOM_FITS_DEPTH };
	const struct advice *advice = advising->advice;
	bool is_open = peak_is_open(advising), rises = false;
	char why[ADVICE_WHY_MAX];

	if (is_open && advising->curve.n == 1)
		return;
	format_depth(advising, why, sizeof(why));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (is_open && advice->known[keys[i]] &&
		    advice->value[keys[i]] > advising->depth)
			rises = true;
		else
			(void)advise_value(advising, keys[i], advising->depth, why);
	}
	if (!rises || advising->digest.latency_depth < advising->digest.largest_depth)
		advise_latency_depth(advising);
}

/*
 * The direct point to which the buffered arm was measured at the same depth: the largest
 * depth up to the knee, else the smallest beyond it. NULL if there is no such arm.
 */
static const struct point *find_arms(const struct advising *advising,
				     const struct point **ret_buffered)
{
	const struct curve *curve = &advising->curve;
	const struct point *direct = NULL;

	for (size_t i = 0; i < curve->n; i++) {
		const struct point *buffered =
			find_point(advising, WORK_RANDOM_READ, IO_MODE_BUFFERED,
				   HINT_RANDOM, curve->block_kb, curve->at[i]->depth);

		if (!buffered || (direct && curve->at[i]->depth > advising->depth))
			continue;
		direct = curve->at[i];
		*ret_buffered = buffered;
	}
	return direct;
}

/*
 * What exceeds memory is never mapped: each page fault waits for one read and takes a
 * page from another. The arms may have been measured below the knee, since each buffered
 * read takes a thread: then buffered reads must beat the direct ones at the knee, too.
 */
static void advise_mode(struct advising *advising)
{
	const struct point *buffered = NULL, *direct = find_arms(advising, &buffered);
	enum io_mode mode = IO_MODE_DIRECT;
	const struct point *knee = advising->curve.knee;
	char why[ADVICE_WHY_MAX], first[RATE_TEXT_MAX], second[RATE_TEXT_MAX];
	char third[RATE_TEXT_MAX];
	int n = 0;

	if (!direct) {
		direct = knee;
		(void)snprintf(why, sizeof(why),
			       "direct reads give %s at depth %u; buffered ones were not "
			       "measured",
			       format_iops(point_iops(direct), first), direct->depth);
	} else {
		if (reaches(point_iops(buffered), point_iops(direct),
			    BUFFERED_GAIN_PERCENT) &&
		    reaches(point_iops(buffered), point_iops(knee),
			    BUFFERED_GAIN_PERCENT))
			mode = IO_MODE_BUFFERED;
		n = snprintf(why, sizeof(why),
			     "at depth %u direct reads give %s, buffered ones with the "
			     "hint random %s",
			     direct->depth, format_iops(point_iops(direct), first),
			     format_iops(point_iops(buffered), second));
		if (direct->depth < knee->depth)
			(void)snprintf(why + n, sizeof(why) - (size_t)n,
				       "; direct ones %s at depth %u",
				       format_iops(point_iops(knee), third), knee->depth);
	}
	(void)advise_value(advising, ADVICE_RANDOM_EXCEEDS_IO_MODE, mode, why);
}

/*
 * The same reads with and without the hint, through the cache or a mapping. On what
 * exceeds memory the hint is right even where readahead was faster: what was measured is
 * smaller than that, so that some of what was read ahead was asked for.
 */
static void advise_hint(struct advising *advising)
{
	static const enum io_mode modes[] = { IO_MODE_BUFFERED, IO_MODE_MMAP };
	const struct curve *curve = &advising->curve;

	for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
		for (size_t i = curve->n; i > 0; i--) {
			const struct point *with = find_point(
				advising, WORK_RANDOM_READ, modes[m], HINT_RANDOM,
				curve->block_kb, curve->at[i - 1]->depth);
			const struct point *without = find_point(
				advising, WORK_RANDOM_READ, modes[m], HINT_NORMAL,
				curve->block_kb, curve->at[i - 1]->depth);
			char why[ADVICE_WHY_MAX], a[RATE_TEXT_MAX], b[RATE_TEXT_MAX];

			if (!with || !without)
				continue;
			(void)snprintf(why, sizeof(why),
				       "%s reads at depth %u give %s with it, %s without",
				       io_mode_to_string(modes[m]), with->depth,
				       format_iops(point_iops(with), a),
				       format_iops(point_iops(without), b));
			(void)advise_value(advising, ADVICE_RANDOM_EXCEEDS_HINT,
					   HINT_RANDOM,
					   point_iops(with) >= point_iops(without) ?
						   why :
						   UNASKED);
			return;
		}
	}
	advise_if_other(advising, ADVICE_RANDOM_EXCEEDS_HINT, HINT_RANDOM,
			"readahead would read what is not asked for");
}

/* What fits is read once; a measurement of the disk says nothing more of it. */
static void advise_fitting(struct advising *advising)
{
	const struct advice *advice = advising->advice;
	enum advice_key key = ADVICE_RANDOM_FITS_IO_MODE;

	if (advising->class->remote && advice->known[key] &&
	    advice->value[key] == IO_MODE_MMAP)
		(void)advise_value(advising, key, IO_MODE_BUFFERED,
				   "remote: each page fault is a round trip");
	advise_if_unknown(
		advising, key, advising->class->remote ? IO_MODE_BUFFERED : IO_MODE_MMAP,
		advising->class->remote ? "remote: each page fault is a round trip"
					: "read once, then served from memory");
	advise_if_unknown(advising, ADVICE_RANDOM_FITS_READ_KB, advising->curve.block_kb,
			  "the size that was measured");
	advise_if_unknown(advising, ADVICE_RANDOM_FITS_HINT, HINT_WILLNEED,
			  "all of it will be read once");
}

static void advise_random(struct advising *advising)
{
	if (advising->curve.n == 0)
		return;
	advise_depths(advising);
	advise_if_other(advising, ADVICE_RANDOM_EXCEEDS_READ_KB, advising->curve.block_kb,
			"the size that was measured");
	if (!is_mapped_memory(advising, ADVICE_RANDOM_EXCEEDS_IO_MODE)) {
		advise_mode(advising);
		advise_hint(advising);
	}
	advise_fitting(advising);
	if (advising->advice->random_from == ADVICE_FROM_MEASURED)
		advising->advice->random_confident =
			!(advising->digest.limits & 1U << LIMIT_TRAFFIC) &&
			!peak_is_open(advising) && !is_small_area(advising) &&
			!work_has_limit(advising, WORK_RANDOM_READ, LIMIT_IMPLAUSIBLE);
}

void advise_measured(const struct disk_class *class,
		     const struct measurement *measurement, unsigned int stale,
		     uint64_t device_depth, struct advice *advice)
{
	struct advising advising = { .class = class,
				     .measurement = measurement,
				     .stale = stale,
				     .device_depth = device_depth,
				     .advice = advice };

	curve_find(measurement, stale, &advising.curve);
	measurement_digest(measurement, stale, &advising.digest);
	if (advising.digest.measured_at == 0)
		return;
	advising.depth = within_device(&advising, advising.digest.knee_depth);
	advise_random(&advising);
	advise_scan(&advising);
	advise_journal(&advising);
}
