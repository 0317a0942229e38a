/* SPDX-License-Identifier: MIT */
/*
 * The record: one file per disk under /run/blkadvise/disks, named by device number,
 * that tells an engine what the disk is, what is in force, and how to read from it. The
 * reference is docs/record.md; a test holds it and this table together.
 */
#pragma once

#include "base/root.h"
#include "diagnose/check.h"
#include "policy/advise.h"
#include "policy/plan.h"

#define RECORD_PREFIX "BLKADVISE_"
#define RECORD_FORMAT 1
#define RECORD_MAX 16384 /* bytes of a record */

/* The keys in the order of the file. Advice keys stand between, as ADVICE_KEYS says. */
#define RECORD_KEYS_HEAD(ROW)                                                          \
	ROW(FORMAT) ROW(DEVNUM) ROW(DISKSEQ) ROW(GENERATION) ROW(PUBLISHED_AT)         \
	ROW(NAME) ROW(MODEL) ROW(SERIAL) ROW(WWN) ROW(FIRMWARE) ROW(ID_PATH)           \
	ROW(CLASS) ROW(TRANSPORT) ROW(MEDIUM) ROW(ATTACHMENT) ROW(NCQ)                 \
	ROW(NCQ_REASON) ROW(CLASS_CONFIDENCE) ROW(MEMBERS) ROW(REMOTE)                 \
	ROW(SCHEDULER) ROW(SCHEDULER_BY) ROW(QUEUE_DEPTH) ROW(QUEUE_DEPTH_BY)          \
	ROW(NR_REQUESTS) ROW(NR_REQUESTS_BY) ROW(MAX_SECTORS_KB) ROW(MAX_SECTORS_KB_BY) \
	ROW(READ_AHEAD_KB) ROW(READ_AHEAD_KB_BY)                                       \
	ROW(WRITE_CACHE) ROW(FUA) ROW(ATOMIC_WRITE_MAX_KB) ROW(NUMA_NODE)              \
	ROW(LOGICAL_BLOCK_SIZE) ROW(PHYSICAL_BLOCK_SIZE)                               \
	ROW(RANDOM_READ_IOPS_QD1) ROW(RANDOM_READ_IOPS_QD16) ROW(RANDOM_READ_IOPS_PEAK) \
	ROW(KNEE_DEPTH) ROW(RANDOM_READ_P50_US) ROW(RANDOM_READ_P99_US)                \
	ROW(SEQ_READ_KBPS) ROW(RANDOM_WRITE_IOPS) ROW(SEQ_WRITE_KBPS)                  \
	ROW(SYNC_WRITE_P99_US) ROW(MEASURED_AT)

#define RECORD_KEYS_TAIL(ROW)                                             \
	ROW(RANDOM_FROM) ROW(RANDOM_CONFIDENCE) ROW(SCAN_FROM) ROW(SCAN_CONFIDENCE) \
	ROW(POLICY) ROW(FINDINGS)

/* What a record is made of. All of it is the caller's. */
struct record_input {
	const struct disk *disk;
	const struct disk_class *class;
	const struct selection *selection;
	const struct disk_state *state;
	const struct diagnosis *diagnosis;
	const struct digest *measured; /* NULL if nothing was */
};

/*
 * Writes the record's lines to @buf without GENERATION and PUBLISHED_AT, which
 * record_publish() adds. -ENOSPC if they do not fit into @size bytes; -ENODATA if the
 * device has no device number.
 */
int record_format(const struct record_input *input, char *buf, size_t size);

/*
 * Publishes @text (of record_format()) for the device number @devnum. If the record that
 * stands there says the same, nothing is written and 0 is returned; else 1, and the
 * generation is one more than that record's. @now is the time in seconds since 1970.
 * The errors of file_replace().
 */
int record_publish(const struct root *root, const char *devnum, const char *text,
		   uint64_t now);

/*
 * Removes the record of @devnum. If @diskseq is not NULL, it is that of the disk which is
 * gone: a record with a larger one belongs to a disk that came after it and stays (a
 * smaller one is of the same disk, whose number rises when its medium changes). Returns 1
 * if the record was removed, 0 if there was none, 2 if it is another disk's.
 */
int record_withdraw(const struct root *root, const char *devnum, const char *diskseq);

/* Reads the record of @devnum; the errors of root_read(). */
int record_read(const struct root *root, const char *devnum, char *buf, size_t size);

/*
 * The value of @key (without prefix) in the record @text, copied to @buf. -ENOENT if it
 * has none.
 */
int record_get(const char *text, const char *key, char *buf, size_t size);
