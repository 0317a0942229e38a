/* SPDX-License-Identifier: MIT */
/*
 * Tables of the tunables and of the advice keys.
 */
#include "policy/tunable.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/advice.h"

static const char *const tunable_words[] = {
	[TUNABLE_SCHEDULER] = "scheduler",
	[TUNABLE_QUEUE_DEPTH] = "queue_depth",
	[TUNABLE_NR_REQUESTS] = "nr_requests",
	[TUNABLE_MAX_SECTORS_KB] = "max_sectors_kb",
	[TUNABLE_READ_AHEAD_KB] = "read_ahead_kb",
};

DEFINE_WORDS(tunable, enum tunable)

enum fact tunable_fact(enum tunable tunable)
{
	static const enum fact facts[] = {
		[TUNABLE_SCHEDULER] = FACT_SCHEDULER,
		[TUNABLE_QUEUE_DEPTH] = FACT_QUEUE_DEPTH,
		[TUNABLE_NR_REQUESTS] = FACT_NR_REQUESTS,
		[TUNABLE_MAX_SECTORS_KB] = FACT_MAX_SECTORS_KB,
		[TUNABLE_READ_AHEAD_KB] = FACT_READ_AHEAD_KB,
	};

	return facts[tunable];
}

bool tunable_is_number(enum tunable tunable)
{
	return tunable != TUNABLE_SCHEDULER;
}

static const char *const io_mode_words[] = {
	[IO_MODE_DIRECT] = "direct",
	[IO_MODE_BUFFERED] = "buffered",
	[IO_MODE_MMAP] = "mmap",
};

static const char *const hint_words[] = {
	[HINT_NORMAL] = "normal",
	[HINT_RANDOM] = "random",
	[HINT_SEQUENTIAL] = "sequential",
	[HINT_WILLNEED] = "willneed",
};

static const char *const advice_source_words[] = {
	[ADVICE_FROM_CLASS] = "class",
	[ADVICE_FROM_QUIRK] = "quirk",
	[ADVICE_FROM_MEASURED] = "measured",
	[ADVICE_FROM_DECLARED] = "declared",
};

static const char *const advice_key_words[] = {
#define ROW(id, name, type) [ADVICE_##id] = name,
	ADVICE_KEYS(ROW)
#undef ROW
};

static const enum advice_type advice_types[] = {
#define ROW(id, name, type) [ADVICE_##id] = ADVICE_TYPE_##type,
	ADVICE_KEYS(ROW)
#undef ROW
};

DEFINE_WORDS(io_mode, enum io_mode)
DEFINE_WORDS(hint, enum hint)
DEFINE_WORDS(advice_source, enum advice_source)
DEFINE_WORDS(advice_key, enum advice_key)

enum advice_type advice_key_type(enum advice_key key)
{
	return advice_types[key];
}

bool advice_key_is_depth(enum advice_key key)
{
	const char *name = advice_key_to_string(key);

	return advice_types[key] == ADVICE_TYPE_NUMBER && strstr(name, "_depth");
}

void advice_drop_depths(struct advice *advice)
{
	for (size_t i = 0; i < _ADVICE_MAX; i++)
		advice->known[i] &= !advice_key_is_depth((enum advice_key)i);
}

const char *advice_format(const struct advice *advice, enum advice_key key, char *buf,
			  size_t size)
{
	if (!advice->known[key])
		return NULL;
	switch (advice_types[key]) {
	case ADVICE_TYPE_IO_MODE:
		return io_mode_to_string((enum io_mode)advice->value[key]);
	case ADVICE_TYPE_HINT:
		return hint_to_string((enum hint)advice->value[key]);
	case ADVICE_TYPE_NUMBER:
		break;
	}
	(void)snprintf(buf, size, "%" PRIu32, advice->value[key]);
	return buf;
}
