/* SPDX-License-Identifier: MIT */
/*
 * The kernel log of a capture: the lines that match capture-log-table.c, with their
 * times. A log as it is holds host names, addresses, serial numbers of everything that
 * was ever plugged in, and whatever programs write to /dev/kmsg.
 */
#include <errno.h>
#include <regex.h>
#include <string.h>

#include "base/parse.h"
#include "cli/capture.h"

#define LOG_MAX (256U << 10) /* bytes kept; the newest count */
#define LINE_MAX_LEN 1000
#define N_GROUPS 6
#define FACILITIES_FROM 8 /* of syslog's priorities; those below are the kernel's */

#define N "[0-9]+"
#define UPTIME "(\\[ *" N "\\." N "\\])"
#define ISO "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(Z|[+-][0-9:]{4,5})?"

/*
 * What may stand before the kernel's text. @uptime, @clock and @text are numbers of
 * groups; 0 is none.
 */
static const struct head {
	const char *first; /* characters that a line so begins with */
	const char *pattern;
	size_t uptime, clock, text;
} heads[] = {
	/* dmesg; <6> with --raw, [T1] with CONFIG_PRINTK_CALLER */
	{ "[<", "^(<" N ">)?" UPTIME "(\\[ *[TC]" N "\\])? ?(.*)$", 2, 0, 4 },
	/* dmesg -T */
	{ "[", "^(\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} " N "\\]) (.*)$",
	  0, 1, 2 },
	/* syslog, journalctl: some have both times */
	{ "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	  "^([A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}) [^ ]+ kernel: (" UPTIME " )?(.*)$", 3,
	  1, 4 },
	{ "0123456789", "^(" ISO ") [^ ]+ kernel: (" UPTIME " )?(.*)$", 4, 1, 5 },
};

struct log_filter {
	regex_t heads[ARRAY_SIZE(heads)];
	size_t n_heads;
	const struct log_pattern *patterns;
	regex_t *lines; /* one for each pattern */
	size_t n_lines;
	const struct pseudonyms *pseudonyms;
	char line[LINE_MAX_LEN + 1];
	size_t len; /* of the line so far; more than LINE_MAX_LEN: too long */
	bool begun; /* a line of the kernel's was there */
	FILE *out;
	char *kept;
	size_t n_kept;
};

struct log_filter *log_filter_free(struct log_filter *filter)
{
	if (!filter)
		return NULL;
	for (size_t i = 0; i < filter->n_heads; i++)
		regfree(&filter->heads[i]);
	for (size_t i = 0; i < filter->n_lines; i++)
		regfree(&filter->lines[i]);
	free(filter->lines);
	if (filter->out)
		(void)fclose(filter->out);
	free(filter->kept);
	free(filter);
	return NULL;
}

static int compile(const char *pattern, int flags, regex_t *ret)
{
	return regcomp(ret, pattern, REG_EXTENDED | flags) == 0 ? 0 : -ENOMEM;
}

/* "^head(tail|tail)$" */
static int compile_lines(const struct log_pattern *pattern, regex_t *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t size = strlen(pattern->head) + sizeof("^()$"), len = 0;

	for (const char *const *tail = pattern->tails; *tail; tail++)
		size += strlen(*tail) + 1;
	text = malloc(size);
	if (!text)
		return -ENOMEM;
	len = (size_t)snprintf(text, size, "^%s(", pattern->head);
	for (const char *const *tail = pattern->tails; *tail; tail++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
					tail == pattern->tails ? "" : "|", *tail);
	(void)snprintf(text + len, size - len, ")$");
	return compile(text, REG_NOSUB, ret);
}

static int compile_all(struct log_filter *filter)
{
	size_t n = 0;
	int r = 0;

	filter->patterns = capture_log_patterns(&n);
	filter->lines = calloc(n, sizeof(*filter->lines));
	if (!filter->lines)
		return -ENOMEM;
	for (; r == 0 && filter->n_heads < ARRAY_SIZE(heads); filter->n_heads += r == 0)
		r = compile(heads[filter->n_heads].pattern, 0,
			    &filter->heads[filter->n_heads]);
	for (; r == 0 && filter->n_lines < n; filter->n_lines += r == 0)
		r = compile_lines(&filter->patterns[filter->n_lines],
				  &filter->lines[filter->n_lines]);
	return r;
}

int log_filter_new(const struct pseudonyms *pseudonyms, struct log_filter **ret)
{
	struct log_filter *filter = calloc(1, sizeof(*filter));

	if (!filter)
		return -ENOMEM;
	filter->pseudonyms = pseudonyms;
	filter->out = open_memstream(&filter->kept, &filter->n_kept);
	if (!filter->out || compile_all(filter) < 0) {
		(void)log_filter_free(filter);
		return -ENOMEM;
	}
	*ret = filter;
	return 0;
}

static bool is_known(const struct log_filter *filter, const char *text)
{
	for (size_t i = 0; i < filter->n_lines; i++) {
		const char *start = filter->patterns[i].start;

		if (strncmp(text, start, strlen(start)) == 0 &&
		    regexec(&filter->lines[i], text, 0, NULL, 0) == 0)
			return true;
	}
	return false;
}

static void copy_group(const char *line, const regmatch_t *group, char *buf, size_t size)
{
	if (group->rm_so >= 0)
		(void)snprintf(buf, size, "%.*s", (int)(group->rm_eo - group->rm_so),
			       line + group->rm_so);
}

/*
 * A record of /dev/kmsg: "priority,sequence,microseconds,flags;text". Programs write
 * there, too, under priorities of their own.
 */
static char *split_record(char *line, char *head, size_t size)
{
	char *semicolon = strchr(line, ';'), *place = NULL;
	const char *fields[3];
	uint64_t numbers[3];

	if (!semicolon)
		return NULL;
	*semicolon = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		fields[i] = strtok_r(i ? NULL : line, ",", &place);
		if (!fields[i] || parse_u64(fields[i], &numbers[i]) < 0)
			return NULL;
	}
	if (numbers[0] >= FACILITIES_FROM)
		return NULL;
	(void)snprintf(head, size, "[%5llu.%06llu] ",
		       (unsigned long long)numbers[2] / 1000000,
		       (unsigned long long)numbers[2] % 1000000);
	return semicolon + 1;
}

/*
 * The kernel's text in @line, and into @head what is to stand before it: its time, as
 * before, and no host's name. NULL if this is no line of the kernel's.
 */
static char *split_head(const struct log_filter *filter, char *line, char *head,
			size_t size)
{
	regmatch_t groups[N_GROUPS];

	head[0] = '\0';
	for (size_t i = 0; i < filter->n_heads; i++) {
		char uptime[32] = "", clock[48] = "";

		if (!*line || !strchr(heads[i].first, *line) ||
		    regexec(&filter->heads[i], line, N_GROUPS, groups, 0) != 0)
			continue;
		if (heads[i].uptime)
			copy_group(line, &groups[heads[i].uptime], uptime,
				   sizeof(uptime));
		if (heads[i].clock)
			copy_group(line, &groups[heads[i].clock], clock, sizeof(clock));
		if (*uptime || *clock == '[')
			(void)snprintf(head, size, "%s ", *uptime ? uptime : clock);
		else
			(void)snprintf(head, size, "%s host kernel: ", clock);
		return line + groups[heads[i].text].rm_so;
	}
	if (*line >= '0' && *line <= '9')
		return split_record(line, head, size);
	return line;
}

/* Of "Linux version 6.1.0 (builder@host) ..." the release. */
static void cut_version(char *text)
{
	static const char version[] = "Linux version ";
	size_t len = sizeof(version) - 1;

	if (strncmp(text, version, len) == 0)
		text[len + strcspn(text + len, " ")] = '\0';
}

/*
 * The first line of a log keeps its time, whatever it says: that tells whether the log
 * reaches back to the boot, and that there was one at all.
 */
static void filter_line(struct log_filter *filter, char *line)
{
	char head[96], *text = split_head(filter, line, head, sizeof(head));
	bool known = false;

	if (!text)
		return;
	trim_end(text);
	cut_version(text);
	known = is_known(filter, text);
	if (known) {
		pseudonym_replace(filter->pseudonyms, 0, false, text, strlen(text));
		(void)fprintf(filter->out, "%s%s\n", head, text);
	} else if (!filter->begun && head[0]) {
		(void)fprintf(filter->out, "%s-\n", head);
	}
	filter->begun |= known || head[0];
}

static void end_line(struct log_filter *filter)
{
	size_t len = filter->len;

	filter->len = 0;
	if (len > LINE_MAX_LEN || memchr(filter->line, '\0', len))
		return;
	filter->line[len] = '\0';
	filter_line(filter, filter->line);
}

void log_filter_feed(struct log_filter *filter, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			end_line(filter);
			continue;
		}
		if (filter->len < LINE_MAX_LEN)
			filter->line[filter->len] = text[i];
		filter->len += filter->len <= LINE_MAX_LEN;
	}
}

int log_filter_end(struct log_filter *filter, const char **ret, size_t *ret_len)
{
	size_t cut = 0;

	if (filter->len > 0)
		end_line(filter);
	if (fflush(filter->out) != 0)
		return -ENOMEM;
	if (filter->n_kept > LOG_MAX) {
		const char *newline =
			memchr(filter->kept + filter->n_kept - LOG_MAX - 1, '\n',
			       LOG_MAX);

		cut = newline ? (size_t)(newline + 1 - filter->kept) : filter->n_kept;
	}
	*ret = filter->kept + cut;
	*ret_len = filter->n_kept - cut;
	return 0;
}
