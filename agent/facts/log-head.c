/* SPDX-License-Identifier: MIT */
/*
 * The forms of a line, tried one after the other; each is matched as a whole or not at
 * all, so that a text in brackets is no time. A program that logs to the same place is
 * told by its name, where the kernel's would stand, or by its facility.
 */
#include "facts/log-head.h"

#include <stdlib.h>
#include <string.h>

#define FACILITY_SHIFT 3 /* of a record's first number; the kernel's facility is 0 */

static const char *skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * What follows @pattern in @text, or NULL: d is a digit, _ a digit or a blank, A and a
 * are letters; anything else is itself.
 */
static const char *match(const char *text, const char *pattern)
{
	for (; *pattern; pattern++, text++) {
		bool ok = *text == *pattern;

		if (*pattern == 'd')
			ok = is_digit(*text);
		else if (*pattern == '_')
			ok = is_digit(*text) || *text == ' ';
		else if (*pattern == 'A')
			ok = *text >= 'A' && *text <= 'Z';
		else if (*pattern == 'a')
			ok = *text >= 'a' && *text <= 'z';
		if (!ok)
			return NULL;
	}
	return text;
}

/* 1 to 12; 0 for what is no month. */
static uint64_t month_of(const char *name)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (uint64_t i = 0; i < 12; i++) {
		if (strncmp(names + 3 * i, name, 3) == 0)
			return i + 1;
	}
	return 0;
}

static uint64_t number_at(const char *text)
{
	return strtoull(text, NULL, 10);
}

static uint64_t seconds_of(uint64_t year, uint64_t month, uint64_t day, const char *time)
{
	return (((year * 12 + month) * 31 + day) * 24 + number_at(time)) * 3600 +
	       number_at(time + 3) * 60 + number_at(time + 6);
}

static void set_clock(struct log_head *head, uint64_t seconds, const char *clock,
		      const char *end)
{
	head->has_clock = true;
	head->clock_s = seconds;
	head->clock = clock;
	head->clock_len = (size_t)(end - clock);
}

/* "6,123,4567890,-;text". False if the line is none. */
static bool read_record(const char *line, struct log_head *head)
{
	const char *semicolon = strchr(line, ';');
	unsigned long long numbers[3] = { 0 };
	const char *place = line;
	char *end = NULL;

	for (size_t i = 0; semicolon && i < 3; i++) {
		if (!is_digit(*place))
			return false;
		numbers[i] = strtoull(place, &end, 10);
		if (*end != ',' || end > semicolon)
			return false;
		place = end + 1;
	}
	if (!semicolon)
		return false;
	head->is_foreign = numbers[0] >> FACILITY_SHIFT != 0;
	head->is_kernel = !head->is_foreign;
	head->has_uptime = true;
	head->uptime_us = numbers[2];
	head->text = semicolon + 1;
	return true;
}

/* "[   12.345678] ". NULL if it is none. */
static const char *read_uptime(const char *text, struct log_head *head)
{
	uint64_t seconds = 0, unit = 1000000;
	const char *p = NULL;

	if (*text != '[')
		return NULL;
	p = skip_blanks(text + 1);
	if (!is_digit(*p))
		return NULL;
	for (; is_digit(*p) && seconds < UINT32_MAX; p++)
		seconds = seconds * 10 + (uint64_t)(*p - '0');
	if (*p != '.' || !is_digit(p[1]))
		return NULL;
	seconds *= unit;
	for (p++; is_digit(*p); p++) {
		unit /= 10;
		seconds += unit * (uint64_t)(*p - '0');
	}
	if (*p != ']')
		return NULL;
	head->has_uptime = true;
	head->uptime_us = seconds;
	return p + 1;
}

/*
 * The message behind a time: a caller, "[    T1]" or "[C0]" of CONFIG_PRINTK_CALLER, may
 * come before it. One blank belongs to the stamps, more to the message.
 */
static const char *message_behind(const char *text)
{
	const char *p = skip_blanks(text);

	if (*p == '[') {
		p = skip_blanks(p + 1);
		if ((*p == 'T' || *p == 'C') && is_digit(p[1])) {
			for (p++; is_digit(*p); p++)
				;
			text = *p == ']' ? p + 1 : text;
		}
	}
	return *text == ' ' ? text + 1 : text;
}

/* "[Mon Nov 30 12:00:00 2020] " of dmesg -T. NULL if it is none. */
static const char *read_date(const char *text, struct log_head *head)
{
	const char *end = match(text, "[Aaa Aaa _d dd:dd:dd dddd]");
	uint64_t month = end ? month_of(text + 5) : 0;

	if (month == 0)
		return NULL;
	set_clock(head,
		  seconds_of(number_at(text + 21), month, number_at(text + 9), text + 12),
		  text, end);
	head->clock_bracketed = true;
	return end;
}

/* "Nov 30 12:00:00". NULL if it is none. */
static const char *read_syslog_time(const char *text, struct log_head *head)
{
	const char *end = match(text, "Aaa _d dd:dd:dd");
	uint64_t month = end ? month_of(text) : 0;

	if (month == 0)
		return NULL;
	set_clock(head, seconds_of(0, month, number_at(text + 4), text + 7), text, end);
	return end;
}

/*
 * "2020-11-30T12:00:00.123456+01:00", and "Mon 2020-11-30 12:00:00 CET" of journalctl -o
 * short-full. A comma before the fraction is dmesg's: there no host follows.
 */
static const char *read_iso_time(const char *text, struct log_head *head, bool *ret_dmesg)
{
	const char *day = match(text, "Aaa "), *end = NULL, *zone = NULL;
	bool full = day != NULL;

	day = full ? day : text;
	end = match(day, "dddd-dd-dd");
	if (!end || (*end != 'T' && *end != ' '))
		return NULL;
	end = match(end + 1, "dd:dd:dd");
	if (!end)
		return NULL;
	*ret_dmesg = *end == ',';
	if (*end == ',' || *end == '.') {
		for (end++; is_digit(*end); end++)
			;
	}
	zone = match(end, "+dd");
	zone = zone ? zone : match(end, "-dd");
	if (zone)
		end = match(*zone == ':' ? zone + 1 : zone, "dd");
	else if (*end == 'Z')
		end++;
	if (!end || *end != ' ')
		return NULL;
	set_clock(head,
		  seconds_of(number_at(day), number_at(day + 5), number_at(day + 8),
			     day + 11),
		  day, end);
	return full ? end + 1 + strcspn(end + 1, " ") : end;
}

/* "host kernel: ", "kernel: ". NULL if it is neither. */
static const char *skip_sender(const char *text)
{
	static const char kernel[] = "kernel: ";
	size_t len = sizeof(kernel) - 1;
	const char *blank = NULL;

	if (strncmp(text, kernel, len) == 0)
		return text + len;
	blank = strchr(text, ' ');
	if (!blank || blank == text || blank[-1] == ':' ||
	    strncmp(blank + 1, kernel, len) != 0)
		return NULL;
	return blank + 1 + len;
}

/* "host smartd[12]: " behind the journal's own time. */
static bool is_program(const char *text)
{
	const char *name = strchr(text, ' ');
	const char *pid = name ? strchr(name, '[') : NULL;

	if (!pid || pid == name + 1 || strcspn(name + 1, " :") < (size_t)(pid - name - 1))
		return false;
	for (pid++; is_digit(*pid); pid++)
		;
	return pid[-1] != '[' && strncmp(pid, "]: ", 3) == 0;
}

/* "<6>" of dmesg --raw, "kern  :info  : " of dmesg --decode. */
static const char *skip_level(const char *text)
{
	const char *place = NULL;

	if (*text == '<' && (place = strchr(text, '>')) && place - text <= 4)
		return skip_blanks(place + 1);
	if (strncmp(text, "kern ", 5) == 0 && (place = strstr(text, ": [")))
		return place + 2;
	return text;
}

/* Both times may follow: the kernel's own behind a syslog's. */
static void read_message(const char *text, struct log_head *head)
{
	const char *rest = read_uptime(text, head);

	head->is_kernel = true;
	head->text = rest ? message_behind(rest) : text;
}

void log_head_read(const char *line, struct log_head *ret)
{
	const char *text = skip_level(skip_blanks(line)), *rest = NULL;
	bool dmesg = false;

	*ret = (struct log_head){ .text = line };
	if (is_digit(*line) && read_record(line, ret))
		return;
	rest = read_uptime(text, ret);
	if (!rest)
		rest = read_date(text, ret);
	if (rest) {
		rest = message_behind(rest);
		text = skip_sender(rest);
		ret->is_foreign = !text && is_program(rest);
		ret->is_kernel = !ret->is_foreign;
		ret->text = text ? text : rest;
		return;
	}
	rest = read_syslog_time(text, ret);
	if (!rest)
		rest = read_iso_time(text, ret, &dmesg);
	if (rest && !dmesg) {
		text = skip_sender(skip_blanks(rest));
		ret->is_foreign = !text;
		if (text)
			read_message(text, ret);
		return;
	}
	if (rest) {
		ret->is_kernel = true;
		ret->text = message_behind(rest);
		return;
	}
	text = skip_sender(text);
	if (text)
		ret->text = text;
}
