/* SPDX-License-Identifier: MIT */
/*
 * The form of a measurement: lines that base/ini.h reads, with texts from devices in a
 * form that comes back as it went.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "policy/measurement-internal.h"

static const char *const work_words[] = {
	[WORK_RANDOM_READ] = "random-read",
	[WORK_SEQUENTIAL_READ] = "sequential-read",
	[WORK_RANDOM_WRITE] = "random-write",
	[WORK_SEQUENTIAL_WRITE] = "sequential-write",
	[WORK_JOURNAL_WRITE] = "journal-write",
};

static const char *const io_engine_words[] = {
	[IO_ENGINE_IO_URING] = "io_uring",
	[IO_ENGINE_THREADS] = "threads",
};

static const char *const limit_words[] = {
	[LIMIT_CPU] = "cpu",	   [LIMIT_CPU_QUOTA] = "cpu-quota",
	[LIMIT_IO_MAX] = "io-max", [LIMIT_TRAFFIC] = "traffic",
	[LIMIT_CACHE] = "cache",   [LIMIT_IMPLAUSIBLE] = "implausible",
};

static const char *const stale_words[] = {
	[STALE_FIRMWARE] = "firmware",
	[STALE_SIZE] = "size",
	[STALE_ATTACHMENT] = "attachment",
	[STALE_CLASS] = "class",
	[STALE_MEMBERS] = "members",
	[STALE_MEMBERS_STATE] = "members_state",
	[STALE_SCHEDULER] = "scheduler",
	[STALE_QUEUE_DEPTH] = "queue_depth",
	[STALE_NR_REQUESTS] = "nr_requests",
	[STALE_MAX_SECTORS] = "max_sectors_kb",
	[STALE_READ_AHEAD] = "read_ahead_kb",
};

DEFINE_WORDS(work, enum work)
DEFINE_WORDS(io_engine, enum io_engine)
DEFINE_WORDS(limit, enum limit)
DEFINE_WORDS(stale, enum stale)

char *canonical_text(const char *text, char *buf, size_t size)
{
	while (*text && (unsigned char)*text <= ' ')
		text++;
	(void)printable(text, buf, size);
	trim_end(buf);
	return buf;
}

bool is_canonical_text(const char *text)
{
	for (const char *p = text; *p; p++) {
		if (*p < 0x20 || *p > 0x7e)
			return false;
	}
	return *text == '\0' || (text[0] != ' ' && text[strlen(text) - 1] != ' ');
}

struct text {
	char *buf;
	size_t size, len;
	bool cut;
};

_printf_(2, 3) static void append(struct text *text, const char *format, ...)
{
	va_list args;
	int n = 0;

	va_start(args, format);
	n = vsnprintf(text->buf + text->len, text->size - text->len, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= text->size - text->len)
		text->cut = true;
	else
		text->len += (size_t)n;
}

static void append_value(struct text *text, const char *key, const char *value)
{
	char canonical[ROOT_PATH_MAX];

	if (*canonical_text(value, canonical, sizeof(canonical)))
		append(text, "%s=%s\n", key, canonical);
}

static void append_identity(struct text *text, const struct measured_identity *identity)
{
	static const struct identity_text texts[] = IDENTITY_TEXT_TABLE;

	append(text, "\n[disk]\n");
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		append_value(text, texts[i].key,
			     (const char *)identity + texts[i].offset);
	if (identity->size_kb > 0)
		append(text, "size_kb=%" PRIu64 "\n", identity->size_kb);
	if (identity->weak)
		append(text, "weak=1\n");
}

static void append_limits(struct text *text, unsigned int limits)
{
	const char *before = " ";

	for (unsigned int i = 0; i < _LIMIT_MAX; i++) {
		if (!(limits & 1U << i))
			continue;
		append(text, "%s%s", before, limit_to_string((enum limit)i));
		before = ",";
	}
	append(text, "%s\n", *before == ' ' ? " -" : "");
}

static void append_point(struct text *text, const struct point *point)
{
	append(text, "point=%s %s %s %s", work_to_string(point->work),
	       io_mode_to_string(point->mode), hint_to_string(point->hint),
	       io_engine_to_string(point->engine));
	append(text, " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64, point->block_kb,
	       point->depth, point->operations, point->duration_us);
	append(text, " %" PRIu32 " %" PRIu32 " %" PRIu64, point->p50_us, point->p99_us,
	       point->measured_at);
	append_limits(text, point->limits);
}

int measurement_format(const struct measurement *measurement, char *buf, size_t size)
{
	struct text text = { .buf = buf, .size = size };

	append(&text,
	       "# What blkadvise measured of one disk. \"blkadvise measure --show\" "
	       "prints it.\nformat=%u\n",
	       MEASUREMENT_FORMAT);
	append_identity(&text, &measurement->identity);
	append(&text, "\n[settings]\n");
	for (unsigned int i = 0; i < _TUNABLE_MAX; i++)
		append_value(&text, tunable_to_string((enum tunable)i),
			     measurement->settings[i]);
	append(&text, "\n[medium]\n");
	append_value(&text, "what", measurement->medium);
	if (measurement->area_kb > 0)
		append(&text, "area_kb=%" PRIu64 "\n", measurement->area_kb);
	append(&text, "\n[points]\n# work mode hint engine block_kb depth operations "
		      "duration_us p50_us p99_us measured_at limits\n");
	for (size_t i = 0; i < measurement->n; i++)
		append_point(&text, &measurement->points[i]);
	return text.cut ? -ENOSPC : 0;
}

static bool is_same_kind(const struct point *a, const struct point *b)
{
	return a->work == b->work && a->mode == b->mode && a->hint == b->hint &&
	       a->block_kb == b->block_kb && a->depth == b->depth;
}

int measurement_add(struct measurement *measurement, const struct point *point)
{
	for (size_t i = 0; i < measurement->n; i++) {
		if (is_same_kind(&measurement->points[i], point)) {
			measurement->points[i] = *point;
			return 0;
		}
	}
	if (measurement->n >= POINTS_MAX)
		return -ENOSPC;
	measurement->points[measurement->n++] = *point;
	return 0;
}

/* @amount * 1000000 / @us, rounded. What does not fit becomes the largest number. */
static uint64_t per_second(uint64_t amount, uint64_t us)
{
	const uint64_t second = 1000000;
	uint64_t divisor = us > 0 ? us : 1;
	uint64_t whole = amount / divisor, rest = amount % divisor;

	if (whole >= UINT64_MAX / second)
		return UINT64_MAX;
	if (rest >= UINT64_MAX / second / 2) /* then so is the divisor: still exact */
		return whole * second + rest / (divisor / second);
	return whole * second + (rest * second + divisor / 2) / divisor;
}

uint64_t point_iops(const struct point *point)
{
	uint64_t iops = per_second(point->operations, point->duration_us);

	return iops > 0 ? iops : 1;
}

uint64_t point_kbps(const struct point *point)
{
	bool fits =
		point->block_kb == 0 || point->operations <= UINT64_MAX / point->block_kb;

	return per_second(fits ? point->operations * point->block_kb : UINT64_MAX,
			  point->duration_us);
}
