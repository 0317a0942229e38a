/* SPDX-License-Identifier: MIT */
/*
 * From the bytes of a log to messages: lines, whatever stands before the message, and
 * which reader takes it. The forms are those of dmesg(1), of journalctl(1) -o short and
 * its relatives, of syslog files, and of the records of /dev/kmsg
 * (Documentation/ABI/testing/dev-kmsg).
 */
#include <errno.h>

#include "base/text.h"
#include "facts/kernel-log-internal.h"

#define STAMP_MAX 64	 /* longest "[...]" before a message */
#define FACILITY_SHIFT 3 /* of a record's first number; the kernel's facility is 0 */

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

static void note_stamp(struct kernel_log *log, uint64_t seconds)
{
	if (!log->has_stamp)
		log->first_stamp = seconds;
	log->has_stamp = true;
}

static const char *skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/*
 * Skips "[   12.345678]", "[Mon Nov 30 12:00:00 2020]" and a caller "[    T1]". Seconds
 * since boot are noted.
 */
static const char *skip_stamps(struct kernel_log *log, const char *text)
{
	for (;;) {
		const char *close = *text == '[' ? strchr(text, ']') : NULL;
		const char *rest = NULL;
		uint32_t seconds = 0;

		if (!close || close - text > STAMP_MAX)
			return text;
		if (log_number(skip_blanks(text + 1), &seconds, &rest) && *rest == '.')
			note_stamp(log, seconds);
		log->is_kernel = true;
		text = skip_blanks(close + 1);
	}
}

/*
 * A record of /dev/kmsg: "6,123,4567890,-;text". NULL if the line is none; "" if it is
 * one that a program wrote: systemd and others log there, too.
 */
static const char *skip_record_head(struct kernel_log *log, const char *text)
{
	const char *rest = NULL, *semicolon = strchr(text, ';');
	uint32_t priority = 0, sequence = 0;
	unsigned long long microseconds = 0;
	char *end = NULL;

	if (!semicolon || !log_number(text, &priority, &rest) || *rest != ',' ||
	    !log_number(rest + 1, &sequence, &rest) || *rest != ',')
		return NULL;
	microseconds = strtoull(rest + 1, &end, 10);
	if (end == rest + 1 || *end != ',')
		return NULL;
	if (priority >> FACILITY_SHIFT != 0)
		return "";
	note_stamp(log, microseconds / 1000000);
	log->is_kernel = true;
	return semicolon + 1;
}

/* "<6>" of dmesg --raw, "kern  :info  : " of dmesg --decode. */
static const char *skip_level(const char *text)
{
	const char *place = NULL;

	if (*text == '<' && (place = strchr(text, '>')) && place - text <= 4)
		return skip_blanks(place + 1);
	if (log_after(text, "kern ") && (place = strstr(text, ": [")))
		return place + 2;
	return text;
}

/*
 * The message of a line whose sender stands before the first ": ", if that is the kernel:
 * "Nov 30 12:00:00 host kernel: text". NULL if it is not.
 */
static const char *skip_sender(const char *text)
{
	static const char kernel[] = "kernel";
	const char *colon = strstr(text, ": ");
	size_t len = sizeof(kernel) - 1;

	if (!colon || (size_t)(colon - text) < len ||
	    strncmp(colon - len, kernel, len) != 0)
		return NULL;
	if (colon - len > text && colon[-(ptrdiff_t)len - 1] != ' ')
		return NULL;
	return colon + 2;
}

/* dmesg --time-format=iso: "2023-11-30T12:00:00,123456+01:00 text". */
static const char *skip_iso_time(const char *text)
{
	const char *blank = strchr(text, ' ');

	if (!blank || blank - text < 20 || text[4] != '-' || text[10] != 'T')
		return NULL;
	return blank + 1;
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
	const char *text = log->line, *rest = NULL;

	log->number++;
	rest = skip_record_head(log, text);
	if (!rest)
		rest = skip_stamps(log, skip_level(skip_blanks(text)));
	if (!read_message(log, rest)) {
		text = skip_sender(rest);
		if (text) {
			log->is_kernel = true;
			rest = skip_stamps(log, text);
		} else {
			rest = skip_iso_time(rest);
		}
		if (!rest || !read_message(log, rest))
			return;
	}
	log->is_kernel = true;
	if (*rest == 'L')
		start_over(log);
}

static void end_line(struct kernel_log *log)
{
	log->line[log->len] = '\0';
	for (char *nul = memchr(log->line, '\0', log->len); nul;
	     nul = memchr(nul, '\0', (size_t)(log->line + log->len - nul)))
		*nul++ = '?';
	if (log->len > 0 && log->line[log->len - 1] == '\r')
		log->line[log->len - 1] = '\0';
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
