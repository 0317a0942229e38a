/* SPDX-License-Identifier: MIT */
/*
 * Advice for an engine: for random reads and for scans, with a working set that fits
 * into the page cache and one that exceeds it, a mode, a depth, a read size and a hint;
 * and a block size and a depth for a journal. docs/record.md is the reference.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"

enum io_mode {
	IO_MODE_DIRECT,
	IO_MODE_BUFFERED,
	IO_MODE_MMAP,
	_IO_MODE_MAX,
};

enum hint {
	HINT_NORMAL,
	HINT_RANDOM,
	HINT_SEQUENTIAL,
	HINT_WILLNEED,
	_HINT_MAX,
};

enum advice_source {
	ADVICE_FROM_CLASS,
	ADVICE_FROM_QUIRK,
	ADVICE_FROM_MEASURED,
	ADVICE_FROM_DECLARED,
	_ADVICE_FROM_MAX,
};

DECLARE_WORDS(io_mode, enum io_mode);
DECLARE_WORDS(hint, enum hint);
DECLARE_WORDS(advice_source, enum advice_source);

#define ADVICE_WHY_MAX 160

#define ADVICE_ROWS(ROW, workload, WORKLOAD, fit, FIT)                      \
	ROW(WORKLOAD##_##FIT##_IO_MODE, workload "_" fit "_io_mode", IO_MODE) \
	ROW(WORKLOAD##_##FIT##_DEPTH, workload "_" fit "_depth", NUMBER)      \
	ROW(WORKLOAD##_##FIT##_DEPTH_LATENCY, workload "_" fit "_depth_latency", NUMBER) \
	ROW(WORKLOAD##_##FIT##_READ_KB, workload "_" fit "_read_kb", NUMBER)  \
	ROW(WORKLOAD##_##FIT##_HINT, workload "_" fit "_hint", HINT)

/* Each key of advice: its identifier, its name in policy files, its type. */
#define ADVICE_KEYS(ROW)                                       \
	ADVICE_ROWS(ROW, "random", RANDOM, "fits", FITS)       \
	ADVICE_ROWS(ROW, "random", RANDOM, "exceeds", EXCEEDS) \
	ADVICE_ROWS(ROW, "scan", SCAN, "fits", FITS)           \
	ADVICE_ROWS(ROW, "scan", SCAN, "exceeds", EXCEEDS)     \
	ROW(JOURNAL_BLOCK_KB, "journal_block_kb", NUMBER)      \
	ROW(JOURNAL_DEPTH, "journal_depth", NUMBER)

enum advice_key {
#define ROW(id, name, type) ADVICE_##id,
	ADVICE_KEYS(ROW)
#undef ROW
	_ADVICE_MAX,
};

DECLARE_WORDS(advice_key, enum advice_key);

enum advice_type {
	ADVICE_TYPE_NUMBER,
	ADVICE_TYPE_IO_MODE,
	ADVICE_TYPE_HINT,
};

enum advice_type advice_key_type(enum advice_key key);

/* Depths count reads in flight at the disk and are capped by what it takes. */
bool advice_key_is_depth(enum advice_key key);

struct advice {
	bool known[_ADVICE_MAX];
	uint32_t value[_ADVICE_MAX]; /* a number, an io_mode or a hint */
	char where[_ADVICE_MAX][96]; /* "file:line" of the policy, or "measured" */
	char why[_ADVICE_MAX][ADVICE_WHY_MAX]; /* of a measured value: the figures */
	enum advice_source random_from, scan_from;
	bool random_confident, scan_confident;
};

/* Takes all depths out. */
void advice_drop_depths(struct advice *advice);

/* The value as text ("direct", "32"), or NULL if the key is not known. */
const char *advice_format(const struct advice *advice, enum advice_key key, char *buf,
			  size_t size);
