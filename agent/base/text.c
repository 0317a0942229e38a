/* SPDX-License-Identifier: MIT */
/*
 * Sanitising and matching of text, byte by byte and independent of the locale: the
 * same model string must give the same record on every machine.
 */
#include "base/text.h"

#include <string.h>

static bool is_safe_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr(".:_+-/,@", c));
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

size_t safe_value(const char *text, char *buf, size_t size)
{
	size_t len = strlen(text);
	size_t n = 0;

	while (len > 0 && is_blank(text[len - 1]))
		len--;
	while (len > 0 && is_blank(*text)) {
		text++;
		len--;
	}
	for (; n < len && n + 1 < size; n++)
		buf[n] = is_safe_char(text[n]) ? text[n] : '_';
	if (size > 0)
		buf[n] = '\0';
	return n;
}

bool is_safe_value(const char *text)
{
	if (*text == '\0')
		return false;
	for (; *text; text++) {
		if (!is_safe_char(*text))
			return false;
	}
	return true;
}

size_t printable(const char *text, char *buf, size_t size)
{
	size_t n = 0;

	for (; text[n] && n + 1 < size; n++) {
		unsigned char c = (unsigned char)text[n];

		buf[n] = (c < 0x20 || c > 0x7e) ? '?' : text[n];
	}
	if (size > 0)
		buf[n] = '\0';
	return n;
}

static char fold_char(char c, bool fold)
{
	return fold && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool glob_match(const char *pattern, const char *text, bool fold)
{
	const char *star = NULL; /* behind the last '*' seen */
	const char *retry = NULL; /* where that '*' stops matching, for now */

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern == '?' ||
			   (*pattern &&
			    fold_char(*pattern, fold) == fold_char(*text, fold))) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool word_in_list(const char *word, const char *list)
{
	size_t len = strlen(word);

	if (len == 0)
		return false;
	for (const char *p = list; (p = strstr(p, word)); p += len) {
		bool starts = p == list || p[-1] == ' ';
		bool ends = p[len] == '\0' || p[len] == ' ';

		if (starts && ends)
			return true;
	}
	return false;
}
