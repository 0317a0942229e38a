/* SPDX-License-Identifier: MIT */
/*
 * From the words of a record to the enums and numbers that an engine acts on, and from
 * outcomes to words for its log. A word that is not in a table is no advice.
 */
#include "client/client.h"

#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"

/* Indexed by the public enums, whose 0 has no word. */
static const char *const io_modes[] = {
	[BLKADVISE_IO_DIRECT] = "direct",
	[BLKADVISE_IO_BUFFERED] = "buffered",
	[BLKADVISE_IO_MMAP] = "mmap",
};

static const char *const hints[] = {
	[BLKADVISE_HINT_NORMAL] = "normal",
	[BLKADVISE_HINT_RANDOM] = "random",
	[BLKADVISE_HINT_SEQUENTIAL] = "sequential",
	[BLKADVISE_HINT_WILLNEED] = "willneed",
};

static const char *const sources[] = {
	[BLKADVISE_FROM_CLASS] = "class",
	[BLKADVISE_FROM_QUIRK] = "quirk",
	[BLKADVISE_FROM_MEASURED] = "measured",
	[BLKADVISE_FROM_DECLARED] = "declared",
};

static const char *const confidences[] = {
	[BLKADVISE_CONFIDENCE_LOW] = "low",
	[BLKADVISE_CONFIDENCE_HIGH] = "high",
};

static const char *const workloads[] = {
	[BLKADVISE_RANDOM] = "RANDOM",
	[BLKADVISE_SCAN] = "SCAN",
};

static const char *const fits[] = {
	[BLKADVISE_FITS] = "FITS",
	[BLKADVISE_EXCEEDS] = "EXCEEDS",
};

static const char *const outcomes[] = {
	[BLKADVISE_OK] = "the disk has a record",
	[BLKADVISE_NO_RECORD] = "the disk has no record",
	[BLKADVISE_NOT_ALLOWED] = "no permission to read the disk's record",
	[BLKADVISE_UNKNOWN_FORMAT] = "the disk's record has an unknown format",
	[BLKADVISE_NO_SYSFS] = "sysfs is not available",
	[BLKADVISE_NO_DEVICE] = "no such block device",
	[BLKADVISE_NETWORK_FS] = "the file is on a network file system",
	[BLKADVISE_FUSE_FS] = "the file is on a FUSE file system",
	[BLKADVISE_MEMORY_FS] = "the file is in memory",
	[BLKADVISE_PSEUDO_FS] = "the file is on a pseudo file system",
	[BLKADVISE_LAYERED_FS] = "the file system does not show its disks",
	[BLKADVISE_UNKNOWN_FS] = "the file system has no device and is not known",
	[BLKADVISE_NO_VALUE] = "the record has no such value",
};

EXPORT const char *blkadvise_strerror(int code)
{
	if (code < 0)
		return code == INT_MIN ? "unknown error" : strerror(-code);
	return (size_t)code < ARRAY_SIZE(outcomes) ? outcomes[code] : "unknown outcome";
}

/* One workload, or one workload and one fit, in one record. */
struct section {
	const struct blkadvise_record *record;
	char prefix[32];
};

/* The value of "<section>_<name>", or NULL. */
static const char *section_text(const struct section *section, const char *name)
{
	char key[64]; /* all names are ours and short */

	(void)stpcpy(stpcpy(stpcpy(key, section->prefix), "_"), name);
	return blkadvise_text(section->record, key);
}

static unsigned int section_number(const struct section *section, const char *name)
{
	const char *text = section_text(section, name);
	uint64_t value = 0;

	return text && parse_u64(text, &value) == 0 && value <= UINT_MAX ?
		       (unsigned int)value :
		       0;
}

/* The index of the section's word in @table; 0 if it has none that is known. */
static unsigned int section_word(const struct section *section, const char *name,
				 const char *const *table, unsigned int n)
{
	const char *text = section_text(section, name);

	for (unsigned int i = 1; text && i < n; i++) {
		if (strcmp(table[i], text) == 0)
			return i;
	}
	return 0;
}

#define SECTION_WORD(section, name, table) \
	section_word(section, name, table, ARRAY_SIZE(table))

EXPORT int blkadvise_advice(const struct blkadvise_record *record,
			    enum blkadvise_workload workload, enum blkadvise_fit fit,
			    struct blkadvise_advice *ret_advice)
{
	struct section common = { .record = record }, section = { .record = record };
	struct blkadvise_advice advice = { 0 };
	bool empty = true;

	*ret_advice = advice;
	if ((size_t)workload >= ARRAY_SIZE(workloads) || (size_t)fit >= ARRAY_SIZE(fits))
		return BLKADVISE_NO_VALUE;
	(void)stpcpy(common.prefix, workloads[workload]);
	(void)stpcpy(stpcpy(stpcpy(section.prefix, workloads[workload]), "_"), fits[fit]);
	advice.io_mode =
		(enum blkadvise_io_mode)SECTION_WORD(&section, "IO_MODE", io_modes);
	advice.hint = (enum blkadvise_hint)SECTION_WORD(&section, "HINT", hints);
	advice.depth = section_number(&section, "DEPTH");
	advice.depth_latency = section_number(&section, "DEPTH_LATENCY");
	advice.read_kb = section_number(&section, "READ_KB");
	empty = !advice.io_mode && !advice.hint && !advice.depth &&
		!advice.depth_latency && !advice.read_kb;
	advice.source = (enum blkadvise_source)SECTION_WORD(&common, "FROM", sources);
	advice.confidence = (enum blkadvise_confidence)SECTION_WORD(&common, "CONFIDENCE",
								    confidences);
	*ret_advice = advice;
	return empty ? BLKADVISE_NO_VALUE : BLKADVISE_OK;
}
