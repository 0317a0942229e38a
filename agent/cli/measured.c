/* SPDX-License-Identifier: MIT */
/*
 * A measurement for people: its points as tables, one for each work; the figures that
 * follow from them; and whether it still counts.
 */
#include <errno.h>
#include <inttypes.h>
#include <libsmartcols.h>
#include <string.h>
#include <time.h>

#include "cli/measure.h"

#define DAY 86400U

enum column {
	COLUMN_MODE,
	COLUMN_BLOCK,
	COLUMN_DEPTH,
	COLUMN_IOPS,
	COLUMN_RATE,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_MARKS,
	_COLUMN_MAX,
};

static const struct {
	const char *name;
	int flags;
} columns[] = {
	[COLUMN_MODE] = { "MODE", 0 },
	[COLUMN_BLOCK] = { "KB", SCOLS_FL_RIGHT },
	[COLUMN_DEPTH] = { "DEPTH", SCOLS_FL_RIGHT },
	[COLUMN_IOPS] = { "IOPS", SCOLS_FL_RIGHT },
	[COLUMN_RATE] = { "MB/S", SCOLS_FL_RIGHT },
	[COLUMN_P50] = { "P50_US", SCOLS_FL_RIGHT },
	[COLUMN_P99] = { "P99_US", SCOLS_FL_RIGHT },
	[COLUMN_MARKS] = { "MARKS", 0 },
};

/* What the marks of a table are made from. */
struct table {
	const struct measurement *measurement;
	unsigned int stale;
	struct digest digest;
};

static int by_kind(const void *a, const void *b)
{
	const struct point *x = *(const struct point *const *)a;
	const struct point *y = *(const struct point *const *)b;
	const int64_t differences[] = {
		(int64_t)x->work - (int64_t)y->work, (int64_t)x->mode - (int64_t)y->mode,
		(int64_t)x->hint - (int64_t)y->hint, (int64_t)x->block_kb - y->block_kb,
		(int64_t)x->depth - y->depth,
	};

	for (size_t i = 0; i < ARRAY_SIZE(differences); i++) {
		if (differences[i] != 0)
			return differences[i] < 0 ? -1 : 1;
	}
	return 0;
}

/* The direct reads that @point is to be compared with. */
static const struct point *direct_of(const struct table *table, const struct point *point)
{
	const struct measurement *measurement = table->measurement;

	for (size_t i = 0; i < measurement->n; i++) {
		const struct point *other = &measurement->points[i];

		if (other->work == point->work && other->mode == IO_MODE_DIRECT &&
		    other->block_kb == point->block_kb && other->depth == point->depth &&
		    point_counts(other, table->stale))
			return other;
	}
	return NULL;
}

static void add_mark(char *buf, size_t size, const char *format, ...) _printf_(3, 4);

static void add_mark(char *buf, size_t size, const char *format, ...)
{
	size_t len = strlen(buf);
	va_list args;

	if (len > 0 && len < size)
		len += (size_t)snprintf(buf + len, size - len, ", ");
	va_start(args, format);
	if (len < size)
		(void)vsnprintf(buf + len, size - len, format, args);
	va_end(args);
}

/* "[cpu,traffic]" */
static void add_limits(const struct point *point, char *buf, size_t size)
{
	char limits[128] = "";
	size_t len = 0;

	for (int i = 0; i < _LIMIT_MAX && len < sizeof(limits); i++) {
		if (point->limits & (1U << i))
			len += (size_t)snprintf(limits + len, sizeof(limits) - len,
						"%s%s", len ? "," : "",
						limit_to_string((enum limit)i));
	}
	if (len > 0)
		(void)snprintf(buf + strlen(buf), size - strlen(buf), "%s[%s]",
			       *buf ? " " : "", limits);
}

static void format_marks(const struct table *table, const struct point *point, char *buf,
			 size_t size)
{
	const struct digest *digest = &table->digest;
	const struct point *direct = NULL;

	*buf = '\0';
	if (!point_counts(point, table->stale))
		add_mark(buf, size, "stale");
	else if (point->work == WORK_RANDOM_READ && point->mode == IO_MODE_DIRECT) {
		if (point->depth == digest->knee_depth)
			add_mark(buf, size, "knee");
		if (point->depth == digest->latency_depth)
			add_mark(buf, size, "latency");
		if (point->depth == digest->largest_depth && digest->peak_is_open)
			add_mark(buf, size, "still rising");
	} else if (point->mode != IO_MODE_DIRECT) {
		direct = direct_of(table, point);
	}
	if (direct)
		add_mark(buf, size, "%.3g %% of direct",
			 100.0 * (double)point_kbps(point) / (double)point_kbps(direct));
	add_limits(point, buf, size);
}

static void format_cell(const struct table *table, const struct point *point,
			enum column column, char *buf, size_t size)
{
	uint64_t kbps = point_kbps(point);
	bool hinted = point->hint != HINT_NORMAL;

	switch (column) {
	case COLUMN_MODE:
		(void)snprintf(buf, size, "%s%s%s", io_mode_to_string(point->mode),
			       hinted ? " " : "",
			       hinted ? hint_to_string(point->hint) : "");
		break;
	case COLUMN_BLOCK:
		(void)snprintf(buf, size, "%" PRIu32, point->block_kb);
		break;
	case COLUMN_DEPTH:
		(void)snprintf(buf, size, "%" PRIu32, point->depth);
		break;
	case COLUMN_IOPS:
		(void)snprintf(buf, size, "%" PRIu64, point_iops(point));
		break;
	case COLUMN_RATE:
		(void)snprintf(buf, size, kbps < 100000 ? "%.1f" : "%.0f",
			       (double)kbps * 1024 / 1e6);
		break;
	case COLUMN_P50:
		(void)snprintf(buf, size, "%" PRIu32, point->p50_us);
		break;
	case COLUMN_P99:
		(void)snprintf(buf, size, "%" PRIu32, point->p99_us);
		break;
	case COLUMN_MARKS:
		format_marks(table, point, buf, size);
		break;
	case _COLUMN_MAX:
		break;
	}
}

static void add_line(struct libscols_table *lines, const struct table *table,
		     const struct point *point)
{
	struct libscols_line *line = scols_table_new_line(lines, NULL);
	char text[256] = "";

	for (int i = 0; line && i < _COLUMN_MAX; i++) {
		format_cell(table, point, (enum column)i, text, sizeof(text));
		(void)scols_line_set_data(line, (size_t)i, text);
	}
}

/* The table of one work, under its name. */
static void print_work(const struct table *table, const struct point *const points[],
		       size_t n)
{
	struct libscols_table *lines = scols_new_table();

	if (!lines)
		return;
	/* Where a line is too long the terminal breaks it better than a column does. */
	(void)scols_table_set_termforce(lines, SCOLS_TERMFORCE_NEVER);
	for (size_t i = 0; i < _COLUMN_MAX; i++)
		(void)scols_table_new_column(lines, columns[i].name, 0.1,
					     columns[i].flags);
	for (size_t i = 0; i < n; i++)
		add_line(lines, table, points[i]);
	cli_line("%s", work_to_string(points[0]->work));
	(void)scols_print_table(lines);
	scols_unref_table(lines);
}

void measured_print_table(const struct measurement *measurement, unsigned int stale)
{
	struct table table = { .measurement = measurement, .stale = stale };
	const struct point *points[POINTS_MAX];
	size_t n = 0;

	scols_init_debug(0);
	measurement_digest(measurement, stale, &table.digest);
	for (size_t i = 0; i < measurement->n; i++)
		points[i] = &measurement->points[i];
	qsort(points, measurement->n, sizeof(*points), by_kind);
	for (size_t i = 0; i < measurement->n; i += n) {
		for (n = 1; i + n < measurement->n; n++) {
			if (points[i + n]->work != points[i]->work)
				break;
		}
		print_work(&table, points + i, n);
	}
}

static void print_knee(const struct digest *digest, const char *indent)
{
	char latency[64] = "";

	if (digest->latency_depth > 0)
		(void)snprintf(latency, sizeof(latency), "; latency depth %" PRIu32,
			       digest->latency_depth);
	cli_line("%srandom reads: %" PRIu64 "/s at depth 1 (p50 %" PRIu32
		 " us, p99 %" PRIu32 " us), %" PRIu64 "/s at most%s; the knee is depth "
		 "%" PRIu32 "%s",
		 indent, digest->random_iops_qd1, digest->random_p50_us,
		 digest->random_p99_us, digest->random_iops_peak,
		 digest->peak_is_open ? ", and still rising" : "", digest->knee_depth,
		 latency);
}

static void print_rest(const struct digest *digest, const char *indent)
{
	char text[256] = "";

	if (digest->sequential_kbps > 0)
		add_mark(text, sizeof(text), "sequential reads %" PRIu64 " MB/s",
			 digest->sequential_kbps * 1024 / 1000000);
	if (digest->random_write_iops > 0)
		add_mark(text, sizeof(text), "random writes %" PRIu64 "/s",
			 digest->random_write_iops);
	if (digest->sequential_write_kbps > 0)
		add_mark(text, sizeof(text), "sequential writes %" PRIu64 " MB/s",
			 digest->sequential_write_kbps * 1024 / 1000000);
	if (digest->journal_p99_us > 0)
		add_mark(text, sizeof(text), "journal writes of 4 KiB p99 %" PRIu32 " us",
			 digest->journal_p99_us);
	if (*text)
		cli_line("%s%s", indent, text);
}

void measured_print_figures(const struct measurement *measurement, unsigned int stale,
			    const char *indent)
{
	struct digest digest = { 0 };

	measurement_digest(measurement, stale, &digest);
	if (digest.knee_depth > 0)
		print_knee(&digest, indent);
	print_rest(&digest, indent);
}

const char *measured_time(uint64_t seconds, char *buf, size_t size)
{
	time_t when = (time_t)seconds;
	struct tm tm = { 0 };

	if (!gmtime_r(&when, &tm) || strftime(buf, size, "%Y-%m-%d %H:%M UTC", &tm) == 0)
		(void)snprintf(buf, size, "at %" PRIu64, seconds);
	return buf;
}

static const char *format_age(uint64_t then, char *buf, size_t size)
{
	time_t clock = time(NULL);
	uint64_t now = clock > 0 ? (uint64_t)clock : 0;
	uint64_t age = now > then ? now - then : 0;

	if (now < then)
		(void)snprintf(buf, size, ", in the future by this machine's clock");
	else if (age < 3600)
		(void)snprintf(buf, size, ", %" PRIu64 " min ago", age / 60);
	else if (age < 2 * DAY)
		(void)snprintf(buf, size, ", %" PRIu64 " h ago", age / 3600);
	else
		(void)snprintf(buf, size, ", %" PRIu64 " days ago", age / DAY);
	return buf;
}

static uint64_t newest(const struct measurement *measurement)
{
	uint64_t at = 0;

	for (size_t i = 0; i < measurement->n; i++) {
		if (measurement->points[i].measured_at > at)
			at = measurement->points[i].measured_at;
	}
	return at;
}

static void print_when(const struct measurement *kept, bool age, const char *indent)
{
	char settings[256] = "", when[64], ago[64] = "";
	uint64_t at = newest(kept);

	for (int i = 0; i < _TUNABLE_MAX; i++) {
		if (*kept->settings[i])
			add_mark(settings, sizeof(settings), "%s %s",
				 tunable_to_string((enum tunable)i), kept->settings[i]);
	}
	cli_line("%smeasured %s%s: %zu points, through %s", indent,
		 measured_time(at, when, sizeof(when)),
		 age ? format_age(at, ago, sizeof(ago)) : "", kept->n,
		 *settings ? settings : "no settings");
}

static void add_stale_words(unsigned int stale, char *buf, size_t size)
{
	for (int i = 0; i < _STALE_MAX; i++) {
		if (stale & (1U << i))
			add_mark(buf, size, "%s has changed",
				 stale_to_string((enum stale)i));
	}
}

static void print_stale(const struct measured *measured, const char *indent)
{
	char text[1024] = "";
	bool in_part = measured->stale == 1U << STALE_READ_AHEAD;

	if (measured->stale == 0) {
		cli_line("%sit counts: disk, place and settings are the same", indent);
		return;
	}
	if (measured->of_leaf) /* @now is the stack's: the words have to do */
		add_stale_words(measured->stale, text, sizeof(text));
	else
		(void)measurement_describe_stale(&measured->kept, &measured->now,
						 measured->stale, text, sizeof(text));
	cli_line("%sstale%s: %s", indent, in_part ? " in part" : "", text);
	if (in_part)
		cli_line("%s  direct reads and those with the hint random do not see the "
			 "readahead, and count; for the others measure again",
			 indent);
	else
		cli_line("%s  nothing of it counts, the advice is as if nothing had been "
			 "measured: measure again",
			 indent);
}

void measured_print_state(const struct measured *measured, bool age, const char *indent)
{
	if (measured->found == -ENOENT)
		return;
	if (measured->found < 0) {
		cli_line("%swhat was measured cannot be read (%s: %s): measure again",
			 indent, measured->path,
			 measured->found == -EBADMSG ? "it makes no sense"
						     : strerror(-measured->found));
		return;
	}
	print_when(&measured->kept, age, indent);
	if (measured->of_leaf)
		cli_line("%sthis is of the disk below%s", indent,
			 measured->as_leaf ? "" :
					     "; what lies between may cost more, so the "
					     "confidence is low");
	print_stale(measured, indent);
}
