/* SPDX-License-Identifier: MIT */
/*
 * What an engine does with libblkadvise: it asks once for the disk under its table, and
 * takes over what it understands and can do, value by value. For everything else, and
 * where there is no record at all, it keeps its own default. No read of the table is
 * needed. Of ours, only this file includes the library's header.
 */
#include "decide.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <blkadvise.h>

#include "flight.h"

/* What this engine can do; advice beyond it is cut down to it. */
#define READ_KB_MAX 4096
#define READ_KB_UNIT 4

static bool take_mode(enum blkadvise_io_mode advised, enum io_mode *mode)
{
	switch (advised) {
	case BLKADVISE_IO_DIRECT:
		*mode = MODE_DIRECT;
		return true;
	case BLKADVISE_IO_BUFFERED:
		*mode = MODE_BUFFERED;
		return true;
	case BLKADVISE_IO_MMAP:
		*mode = MODE_MMAP;
		return true;
	case BLKADVISE_IO_KEEP:
		break;
	}
	return false;
}

static bool take_hint(enum blkadvise_hint advised, enum hint *hint)
{
	switch (advised) {
	case BLKADVISE_HINT_NORMAL:
		*hint = HINT_NORMAL;
		return true;
	case BLKADVISE_HINT_RANDOM:
		*hint = HINT_RANDOM;
		return true;
	case BLKADVISE_HINT_SEQUENTIAL:
		*hint = HINT_SEQUENTIAL;
		return true;
	case BLKADVISE_HINT_WILLNEED:
		*hint = HINT_WILLNEED;
		return true;
	case BLKADVISE_HINT_KEEP:
		break;
	}
	return false;
}

static bool take_depth(uint64_t advised, unsigned int *depth)
{
	if (advised == 0)
		return false;
	*depth = advised < DEPTH_MAX ? (unsigned int)advised : DEPTH_MAX;
	return true;
}

static bool take_read_kb(uint64_t advised, uint32_t *read_kb)
{
	if (advised == 0)
		return false;
	if (advised > READ_KB_MAX)
		advised = READ_KB_MAX;
	*read_kb = (uint32_t)((advised + READ_KB_UNIT - 1) / READ_KB_UNIT * READ_KB_UNIT);
	return true;
}

static const char *source_word(enum blkadvise_source source)
{
	switch (source) {
	case BLKADVISE_FROM_CLASS:
		return "class";
	case BLKADVISE_FROM_QUIRK:
		return "quirk";
	case BLKADVISE_FROM_MEASURED:
		return "measured";
	case BLKADVISE_FROM_DECLARED:
		return "declared";
	case BLKADVISE_FROM_UNKNOWN:
		break;
	}
	return "unknown source";
}

static void say(struct decision *decision, const char *text)
{
	size_t length = strlen(decision->from);

	(void)snprintf(decision->from + length, sizeof(decision->from) - length, "%s",
		       text);
}

/* A depth counts reads at the disk. A table that is cached has none: CPUs count. */
static unsigned int threads_for_cached(unsigned int depth)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 ? 2 * (unsigned int)cpus : depth;
}

static void take_advice(const struct blkadvise_record *record,
			const struct question *question, struct decision *decision)
{
	enum blkadvise_workload workload = question->workload == WORKLOAD_SCAN ?
						   BLKADVISE_SCAN :
						   BLKADVISE_RANDOM;
	enum blkadvise_fit fit = question->fit == FIT_FITS ? BLKADVISE_FITS :
							     BLKADVISE_EXCEEDS;
	struct blkadvise_advice advice;

	if (blkadvise_advice(record, workload, fit, &advice) != BLKADVISE_OK) {
		say(decision, "default: the record has no advice for this");
		return;
	}
	say(decision, "record: ");
	say(decision, source_word(advice.source));
	if (!take_mode(advice.io_mode, &decision->mode))
		say(decision, ", default mode");
	if (!take_depth(advice.depth, &decision->depth))
		say(decision, ", default depth");
	(void)take_hint(advice.hint, &decision->hint);
	(void)take_read_kb(advice.read_kb, &decision->read_kb);
	if (decision->mode != MODE_DIRECT && decision->hint == HINT_WILLNEED)
		decision->threads = threads_for_cached(decision->depth);
}

/* A journal writes directly; the record says how much at once, and how many at a time. */
static void take_journal(const struct blkadvise_record *record, struct decision *decision)
{
	uint64_t block_kb = 0, depth = 0;

	(void)blkadvise_u64(record, "JOURNAL_BLOCK_KB", &block_kb);
	(void)blkadvise_u64(record, "JOURNAL_DEPTH", &depth);
	if (block_kb == 0 && depth == 0) {
		say(decision, "default: the record has no advice for this");
		return;
	}
	say(decision, "record");
	if (!take_read_kb(block_kb, &decision->read_kb))
		say(decision, ", default block");
	if (!take_depth(depth, &decision->depth))
		say(decision, ", default depth");
}

void decide_by_record(const char *path, const struct question *question,
		      struct decision *ret)
{
	struct decision decision = decision_default(question->workload);
	struct blkadvise_record *record = NULL;
	int r = blkadvise_open_path_at(question->root, path, &record);

	decision.from[0] = '\0';
	if (r != BLKADVISE_OK) { /* worth a line in an engine's log, no more */
		say(&decision, "default: ");
		say(&decision, blkadvise_strerror(r));
	} else if (question->workload == WORKLOAD_JOURNAL) {
		take_journal(record, &decision);
	} else {
		take_advice(record, question, &decision);
	}
	blkadvise_close(record);
	*ret = decision;
}
