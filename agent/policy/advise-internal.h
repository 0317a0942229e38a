/* SPDX-License-Identifier: MIT */
/*
 * What digest and advice share: which points count, and the curve of random direct reads
 * over the depth. Internal to policy/.
 */
#pragma once

#include "policy/advise.h"

#define MEASURED_WHERE "measured"

/* The points of random direct reads of one block size that count, by rising depth. */
struct curve {
	const struct point *at[POINTS_MAX];
	size_t n;
	uint32_t block_kb; /* 4, or else the smallest there is */
	const struct point *peak, *knee; /* NULL without points */
};

/* Advice that is being made. */
struct advising {
	const struct disk_class *class;
	const struct measurement *measurement;
	unsigned int stale;
	uint64_t device_depth; /* 0: not known */
	struct advice *advice;
	struct curve curve;
	struct digest digest;
	uint32_t depth; /* the knee, within what the device takes; 0: not known */
};

/*
 * The point says what the disk can do: it is not stale, and nothing else (a cgroup's
 * limit, a cache) answered in the disk's place.
 */
bool point_is_usable(const struct point *point, unsigned int stale);

void curve_find(const struct measurement *measurement, unsigned int stale,
		struct curve *ret);

/* The usable point with this work, mode, hint, block size and depth, or NULL. */
const struct point *find_point(const struct advising *advising, enum work work,
			       enum io_mode mode, enum hint hint, uint32_t block_kb,
			       uint32_t depth);

/* @percent of @part is as much as @whole_percent of @whole. */
static inline bool reaches(uint64_t part, uint64_t whole, unsigned int percent)
{
	if ((part | whole) >> 56) { /* so that no product overflows */
		part >>= 8;
		whole >>= 8;
	}
	return part * 100 >= whole * percent;
}

/*
 * Sets a value with its reason, unless the administrator's files gave one. Returns true
 * if it was set.
 */
bool advise_value(struct advising *advising, enum advice_key key, uint32_t value,
		  const char *why);

/* As advise_value(), but a value that is the same already keeps its source. */
void advise_if_other(struct advising *advising, enum advice_key key, uint32_t value,
		     const char *why);

/* As advise_value(), but a value that is known stays. */
void advise_if_unknown(struct advising *advising, enum advice_key key, uint32_t value,
		       const char *why);

/* Persistent memory that policy maps: @mode is the key of an I/O mode. It stays so. */
bool is_mapped_memory(const struct advising *advising, enum advice_key mode);

/* Some usable or implausible point of @work has this limit. */
bool work_has_limit(const struct advising *advising, enum work work, enum limit limit);

/* So little was read from that the figures may not be those of the disk as a whole. */
bool is_small_area(const struct advising *advising);

/* More operations in flight than were measured may give more. */
bool peak_is_open(const struct advising *advising);

uint32_t within_device(const struct advising *advising, uint32_t depth);

#define RATE_TEXT_MAX 24

/* "142/s", "12.0K/s", "1.12M/s"; "3.51 GB/s", "98.3 MB/s". Return @buf. */
const char *format_iops(uint64_t iops, char buf[RATE_TEXT_MAX]);
const char *format_kbps(uint64_t kbps, char buf[RATE_TEXT_MAX]);

void advise_scan(struct advising *advising);
void advise_journal(struct advising *advising);
