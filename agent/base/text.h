/* SPDX-License-Identifier: MIT */
/*
 * Text that came from a device came from an attacker: a model string may hold a
 * newline, a quote or half a UTF-8 character. Whatever leaves this program for a
 * file or a terminal passes through one of these two functions first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Longest value of a record or a udev property, without the final NUL. */
#define SAFE_VALUE_MAX 128

/*
 * Copies @text into @buf so that a shell, systemd, udev and a person can all read
 * it: everything but letters, digits and ".:_+-/,@" becomes '_'; blanks at both
 * ends go, runs of '_' that stand for several bytes stay as they are. Cuts at
 * @size - 1 bytes. Returns the length; 0 means that nothing is left.
 */
size_t safe_value(const char *text, char *buf, size_t size);

/*
 * Copies @text into @buf for a terminal: control characters and bytes above 0x7e
 * become '?'. Returns the length.
 */
size_t printable(const char *text, char *buf, size_t size);

/* True if @text consists of characters that safe_value() keeps, and is not empty. */
bool is_safe_value(const char *text);

/*
 * Shell pattern match with '*' and '?' only, case-insensitive if @fold. The whole of
 * @text must match. Runs in at most strlen(pattern) * strlen(text) steps.
 */
bool glob_match(const char *pattern, const char *text, bool fold);

/* True if @word stands in @list, a text of words separated by single blanks. */
bool word_in_list(const char *word, const char *list);
