/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of a log to messages: lines, their times, and which reader takes what.
 */
#include <errno.h>

#include "base/text.h"
#include "facts/kernel-log-internal.h"
#include "facts/log-head.h"

#define LATE_SECONDS 120 /* a log that begins later has lost its beginning */

int kernel_log_new(const char *name, struct kernel_log **ret)
{
	_cleanup_kernel_log_ struct kernel_log *log = calloc(1, sizeof(*log));

	if (log)
		log->name = strdup(name);
	if (!log || !log->name)
		return -ENOMEM;
	*ret = steal(log);
	return 0;
}

struct kernel_log *kernel_log_free(struct kernel_log *log)
{
	if (log)
		free(log->name);
	free(log);
	return NULL;
}

void log_keep(const struct kernel_log *log, struct log_line *line, const char *text)
{
	(void)printable(text, line->text, sizeof(line->text));
	line->number = log->number;
}

bool log_number(const char *text, uint32_t *ret, const char **ret_rest)
{
	uint64_t value = 0;
	const char *p = text;

	while (*p >= '0' && *p <= '9' && value <= UINT32_MAX)
		value = value * 10 + (uint64_t)(*p++ - '0');
	if (p == text || value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	*ret_rest = p;
	return true;
}

bool log_hex_at(const char *text, const char *key, uint32_t *ret)
{
	const char *place = strstr(text, key);
	unsigned long long value = 0;
	char *end = NULL;

	if (!place)
		return false;
	place += strlen(key);
	value = strtoull(place, &end, 16);
	if (end == place || value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	return true;
}

uint64_t log_identity(const char *text, size_t len)
{
	uint64_t value = UINT64_C(14695981039346656037); /* FNV-1a */

	for (size_t i = 0; i < len && text[i]; i++)
		value = (value ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	return value ? value : 1;
}

/* Lines without a time belong to the one before. */
static void note_time(struct kernel_log *log, const struct log_head *head)
{
	if (head->has_uptime && !log->has_stamp)
		log->first_stamp = head->uptime_us / 1000000;
	log->has_stamp |= head->has_uptime;
	if (head->has_uptime)
		log->now = head->uptime_us / 1000000;
	else if (head->has_clock)
		log->now = head->clock_s;
	log->has_now |= head->has_uptime || head->has_clock;
}

static bool read_message(struct kernel_log *log, const char *text)
{
	switch (*text) {
	case 'a':
		return log_read_ata(log, text) || log_read_ahci(log, text);
	case 'u':
		return log_read_usb(log, text);
	case 's':
		return log_read_scsi(log, text);
	case 'r':
		if (!log_after(text, "res "))
			return false;
		log_read_ata_result(log, text);
		return true;
	case 'L':
		return log_after(text, "Linux version ") != NULL;
	}
	return false;
}

/* Another boot begins: what was before it is of no disk that is there now. */
static void start_over(struct kernel_log *log)
{
	log->n_ports = log->n_devices = log->n_usb = log->n_scsi = 0;
	log->has_last_port = false;
	log->remapped_nvme = 0;
	log->remapped_at[0] = '\0';
	log->has_start = true;
}

static void read_line(struct kernel_log *log)
{
	struct log_head head;
	const char *text = NULL;

	log->number++;
	log_head_read(log->line, &head);
	if (head.is_foreign)
		return;
	note_time(log, &head);
	log->is_kernel |= head.is_kernel;
	text = head.text + strspn(head.text, " \t");
	if (!read_message(log, text))
		return;
	log->is_kernel = true;
	if (*text == 'L')
		start_over(log);
}

/* `dmesg --color=always`: colours are no part of a message. */
static void strip_colours(char *line)
{
	char *to = line;

	for (const char *from = line; *from;) {
		size_t len = 0;

		if (from[0] == '\033' && from[1] == '[')
			len = 2 + strspn(from + 2, "0123456789;");
		if (len > 0 && from[len] == 'm')
			from += len + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

static void end_line(struct kernel_log *log)
{
	log->line[log->len] = '\0';
	for (char *nul = memchr(log->line, '\0', log->len); nul;
	     nul = memchr(nul, '\0', (size_t)(log->line + log->len - nul)))
		*nul++ = '?';
	if (log->len > 0 && log->line[log->len - 1] == '\r')
		log->line[log->len - 1] = '\0';
	strip_colours(log->line);
	read_line(log);
	log->len = 0;
}

void kernel_log_feed(struct kernel_log *log, const char *text, size_t len)
{
	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t part = newline ? (size_t)(newline - text) : len;
		size_t room = LOG_LINE_MAX - log->len;

		memcpy(log->line + log->len, text, part < room ? part : room);
		log->len += part < room ? part : room;
		if (newline) {
			end_line(log);
			part++;
		}
		text += part;
		len -= part;
	}
}

bool kernel_log_end(struct kernel_log *log)
{
	if (log->len > 0)
		end_line(log);
	log_end_ata(log);
	return log->is_kernel;
}

uint64_t kernel_log_begin(const struct kernel_log *log)
{
	bool late = !log->has_start && log->has_stamp && log->first_stamp >= LATE_SECONDS;

	return late ? log->first_stamp : 0;
}
