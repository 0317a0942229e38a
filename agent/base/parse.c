/* SPDX-License-Identifier: MIT */
/*
 * Scalar parsing without strtoul(): that one takes leading blanks, a sign, a prefix
 * and trailing rubbish, all of which occur in sysfs and none of which is a number.
 */
#include "base/parse.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Digits of @base from @text on. @ret_end points at the first other character. */
static int parse_digits(const char *text, unsigned int base, uint64_t *ret,
			const char **ret_end)
{
	const char *p = text;
	uint64_t value = 0;

	for (; digit_value(*p) < (int)base; p++) {
		uint64_t digit = (uint64_t)digit_value(*p);

		if (value > (UINT64_MAX - digit) / base)
			return -ERANGE;
		value = value * base + digit;
	}
	if (p == text)
		return -EINVAL;
	*ret = value;
	*ret_end = p;
	return 0;
}

static bool is_end(const char *p)
{
	return *p == '\0' || (p[0] == '\n' && p[1] == '\0');
}

static int parse_whole(const char *text, unsigned int base, uint64_t *ret)
{
	const char *end = NULL;
	uint64_t value = 0;
	int r = parse_digits(text, base, &value, &end);

	if (r < 0)
		return r;
	if (!is_end(end))
		return -EINVAL;
	*ret = value;
	return 0;
}

int parse_u64(const char *text, uint64_t *ret)
{
	return parse_whole(text, 10, ret);
}

int parse_hex(const char *text, uint64_t *ret)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	return parse_whole(text, 16, ret);
}

int parse_bool(const char *text, bool *ret)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {
		{ "1", true },	   { "yes", true }, { "true", true },
		{ "on", true },	   { "0", false },  { "no", false },
		{ "false", false }, { "off", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(text, words[i].word) == 0) {
			*ret = words[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

int parse_milli(const char *text, uint64_t *ret, const char **ret_rest)
{
	const char *p = NULL;
	uint64_t whole = 0, fraction = 0;
	uint64_t weight = 100;
	int r = parse_digits(text, 10, &whole, &p);

	if (r < 0)
		return r;
	if (whole > UINT64_MAX / 1000 - 1)
		return -ERANGE;
	if (p[0] == '.' && digit_value(p[1]) < 10) {
		for (p++; digit_value(*p) < 10; p++) {
			fraction += (uint64_t)digit_value(*p) * weight;
			weight /= 10;
		}
	}
	*ret = whole * 1000 + fraction;
	*ret_rest = p;
	return 0;
}

int parse_devnum(const char *text, unsigned int *ret_major, unsigned int *ret_minor)
{
	const char *p = NULL;
	uint64_t major = 0, minor = 0;
	int r = parse_digits(text, 10, &major, &p);

	if (r < 0)
		return r;
	if (*p != ':')
		return -EINVAL;
	r = parse_u64(p + 1, &minor);
	if (r < 0)
		return r;
	if (major > UINT_MAX || minor > UINT_MAX)
		return -ERANGE;
	*ret_major = (unsigned int)major;
	*ret_minor = (unsigned int)minor;
	return 0;
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

void trim_end(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && is_blank(text[len - 1]))
		len--;
	text[len] = '\0';
}

char *trim(char *text)
{
	trim_end(text);
	while (*text && is_blank(*text))
		text++;
	return text;
}
