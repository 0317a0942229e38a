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
#include "facts/log-head.h"

#define LOG_MAX (256U << 10) /* bytes kept; the newest count */
#define LINE_MAX_LEN 1000

struct log_filter {
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
	for (size_t i = 0; i < filter->n_lines; i++)
		regfree(&filter->lines[i]);
	free(filter->lines);
	if (filter->out)
		(void)fclose(filter->out);
	free(filter->kept);
	free(filter);
	return NULL;
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
	return regcomp(ret, text, REG_EXTENDED | REG_NOSUB) == 0 ? 0 : -ENOMEM;
}

static int compile_all(struct log_filter *filter)
{
	size_t n = 0;
	int r = 0;

	filter->patterns = capture_log_patterns(&n);
	filter->lines = calloc(n, sizeof(*filter->lines));
	if (!filter->lines)
		return -ENOMEM;
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

/*
 * The kernel's text in @line, and into @head what is to stand before it: its time, as
 * before, and no host's name. NULL if this is no line of the kernel's.
 */
static char *split_head(char *line, char *head, size_t size)
{
	struct log_head read;

	log_head_read(line, &read);
	head[0] = '\0';
	if (read.is_foreign)
		return NULL;
	if (read.has_uptime)
		(void)snprintf(head, size, "[%5llu.%06llu] ",
			       (unsigned long long)read.uptime_us / 1000000,
			       (unsigned long long)read.uptime_us % 1000000);
	else if (read.has_clock) /* dmesg's have brackets or a comma, and no host */
		(void)snprintf(head, size, "%.*s%s", (int)read.clock_len, read.clock,
			       read.clock_bracketed ||
					       memchr(read.clock, ',', read.clock_len) ?
				       " " :
				       " host kernel: ");
	return line + (read.text - line);
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
	char head[96], *text = split_head(line, head, sizeof(head));
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
		const char *newline = memchr(filter->kept + filter->n_kept - LOG_MAX - 1,
					     '\n', LOG_MAX);

		cut = newline ? (size_t)(newline + 1 - filter->kept) : filter->n_kept;
	}
	*ret = filter->kept + cut;
	*ret_len = filter->n_kept - cut;
	return 0;
}
