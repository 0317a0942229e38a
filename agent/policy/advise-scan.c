/* SPDX-License-Identifier: MIT */
/*
 * What a measurement means for scans and for journals. A scan stays buffered whatever was
 * measured: the kernel reads ahead while the engine computes. Direct reads that are
 * faster are told in the reason.
 */
#include "policy/advise-internal.h"

#include <stdio.h>

#define DIRECT_GAIN_PERCENT 110	    /* of the buffered reads, or they are not told */
#define JOURNAL_KB_WITHOUT_QUEUE 16 /* the IDE-mode report: 88 MB/s, 35 in 4 KiB */

/* The best usable point of this work, mode and hint in bytes a second; NULL if none. */
static const struct point *best_of(const struct advising *advising, enum work work,
				   enum io_mode mode, enum hint hint)
{
	const struct point *best = NULL;

	for (size_t i = 0; i < advising->measurement->n; i++) {
		const struct point *point = &advising->measurement->points[i];

		if (point->work != work || point->mode != mode || point->hint != hint ||
		    !point_is_usable(point, advising->stale))
			continue;
		if (!best || point_kbps(point) > point_kbps(best))
			best = point;
	}
	return best;
}

static bool is_smaller(const struct point *a, const struct point *b)
{
	return a->depth != b->depth ? a->depth < b->depth : a->block_kb < b->block_kb;
}

/* The one with the smallest depth, then block, that reaches nearly as much as @best. */
static const struct point *smallest_near(const struct advising *advising,
					 const struct point *best)
{
	const struct point *smallest = best;

	for (size_t i = 0; i < advising->measurement->n; i++) {
		const struct point *point = &advising->measurement->points[i];

		if (point->work == best->work && point->mode == best->mode &&
		    point->hint == best->hint &&
		    point_is_usable(point, advising->stale) &&
		    reaches(point_kbps(point), point_kbps(best), KNEE_PERCENT) &&
		    is_smaller(point, smallest))
			smallest = point;
	}
	return smallest;
}

static void format_scan(const struct advising *advising, const struct point *chosen,
			const struct point *best, char *buf, size_t size)
{
	const struct point *direct =
		best_of(advising, WORK_SEQUENTIAL_READ, IO_MODE_DIRECT, HINT_NORMAL);
	char rate[RATE_TEXT_MAX], peak[RATE_TEXT_MAX];
	int n = snprintf(buf, size, "%s with reads of %u KiB at depth %u",
			 format_kbps(point_kbps(chosen), rate), chosen->block_kb,
			 chosen->depth);

	if (best != chosen)
		n += snprintf(buf + n, size - (size_t)n, ", %s at best",
			      format_kbps(point_kbps(best), peak));
	if (chosen->limits & 1U << LIMIT_CPU)
		n += snprintf(buf + n, size - (size_t)n, "; limited by the CPU");
	if (direct && reaches(point_kbps(direct), point_kbps(best), DIRECT_GAIN_PERCENT))
		(void)snprintf(buf + n, size - (size_t)n,
			       "; direct reads give %s (%u KiB, depth %u)",
			       format_kbps(point_kbps(direct), rate), direct->block_kb,
			       direct->depth);
}

static void advise_scan_mode(struct advising *advising)
{
	if (!is_mapped_memory(advising, ADVICE_SCAN_EXCEEDS_IO_MODE)) {
		advise_if_other(advising, ADVICE_SCAN_EXCEEDS_IO_MODE, IO_MODE_BUFFERED,
				"the kernel reads ahead while the reader works");
		advise_if_other(advising, ADVICE_SCAN_EXCEEDS_HINT, HINT_SEQUENTIAL,
				"larger readahead, and no more than that is read");
	}
	if (!is_mapped_memory(advising, ADVICE_SCAN_FITS_IO_MODE)) {
		advise_if_other(advising, ADVICE_SCAN_FITS_IO_MODE, IO_MODE_BUFFERED,
				"the kernel reads ahead while the reader works");
		advise_if_other(advising, ADVICE_SCAN_FITS_HINT, HINT_WILLNEED,
				"all of it will be read, and fits");
	}
}

void advise_scan(struct advising *advising)
{
	const struct point *best = best_of(advising, WORK_SEQUENTIAL_READ,
					   IO_MODE_BUFFERED, HINT_SEQUENTIAL);
	const struct point *chosen = NULL;
	char why[ADVICE_WHY_MAX];
	uint32_t depth = 0;

	if (!best)
		return;
	chosen = smallest_near(advising, best);
	depth = within_device(advising, chosen->depth);
	format_scan(advising, chosen, best, why, sizeof(why));
	(void)advise_value(advising, ADVICE_SCAN_EXCEEDS_READ_KB, chosen->block_kb, why);
	(void)advise_value(advising, ADVICE_SCAN_FITS_READ_KB, chosen->block_kb, why);
	(void)advise_value(advising, ADVICE_SCAN_EXCEEDS_DEPTH, depth, why);
	(void)advise_value(advising, ADVICE_SCAN_FITS_DEPTH, depth, why);
	advise_scan_mode(advising);
	if (advising->advice->scan_from == ADVICE_FROM_MEASURED)
		advising->advice->scan_confident =
			!((best->limits | chosen->limits) & 1U << LIMIT_TRAFFIC) &&
			!is_small_area(advising) &&
			!work_has_limit(advising, WORK_SEQUENTIAL_READ,
					LIMIT_IMPLAUSIBLE);
}

/*
 * From journal writes. Where the largest block that was measured is the best, a larger
 * one may be better still: the class's stays if it is.
 */
static void advise_journal_block(struct advising *advising, const struct point *best)
{
	const struct advice *advice = advising->advice;
	const struct point *chosen = smallest_near(advising, best), *small = NULL;
	char why[ADVICE_WHY_MAX], rate[RATE_TEXT_MAX];
	uint32_t largest = 0;
	int n = 0;

	for (size_t i = 0; i < advising->measurement->n; i++) {
		const struct point *point = &advising->measurement->points[i];

		if (point->work != WORK_JOURNAL_WRITE || point->hint != best->hint ||
		    point->mode != best->mode || !point_is_usable(point, advising->stale))
			continue;
		if (point->block_kb > largest)
			largest = point->block_kb;
		if (!small || point->block_kb < small->block_kb)
			small = point;
	}
	if (chosen->block_kb == largest && advice->known[ADVICE_JOURNAL_BLOCK_KB] &&
	    advice->value[ADVICE_JOURNAL_BLOCK_KB] > largest)
		return;
	n = snprintf(why, sizeof(why), "%s in blocks of %u KiB",
		     format_kbps(point_kbps(chosen), rate), chosen->block_kb);
	if (small != chosen)
		n += snprintf(why + n, sizeof(why) - (size_t)n, ", %s in %u",
			      format_kbps(point_kbps(small), rate), small->block_kb);
	if (best != chosen)
		(void)snprintf(why + n, sizeof(why) - (size_t)n, ", %s in %u",
			       format_kbps(point_kbps(best), rate), best->block_kb);
	(void)advise_value(advising, ADVICE_JOURNAL_BLOCK_KB, chosen->block_kb, why);
}

void advise_journal(struct advising *advising)
{
	const struct advice *advice = advising->advice;
	const struct point *best =
		best_of(advising, WORK_JOURNAL_WRITE, IO_MODE_DIRECT, HINT_NORMAL);
	bool no_queue = advising->device_depth == 1 ||
			(advising->depth == 1 && !peak_is_open(advising));
	const char *why = advising->device_depth == 1
				  ? "no queue: the disk takes one command"
				  : "random reads gain nothing beyond depth 1";

	if (best)
		advise_journal_block(advising, best);
	else if (no_queue &&
		 (!advice->known[ADVICE_JOURNAL_BLOCK_KB] ||
		  advice->value[ADVICE_JOURNAL_BLOCK_KB] < JOURNAL_KB_WITHOUT_QUEUE))
		(void)advise_value(advising, ADVICE_JOURNAL_BLOCK_KB,
				   JOURNAL_KB_WITHOUT_QUEUE, why);
	if (no_queue)
		advise_if_other(advising, ADVICE_JOURNAL_DEPTH, 1, why);
}
