/* SPDX-License-Identifier: MIT */
/*
 * Strict scalar parsing. The kernel prints "(null)", "<unknown>", "-1" and empty
 * lines where a number is expected, and a device may print anything: a text is a
 * number only if all of it is one. Nothing is skipped but one trailing newline,
 * which every sysfs attribute ends with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decimal digits only, no sign, no blanks. -EINVAL if @text is anything else,
 * -ERANGE if it does not fit. @ret is untouched on failure.
 */
int parse_u64(const char *text, uint64_t *ret);

/* Hexadecimal digits with an optional 0x. Errors as parse_u64(). */
int parse_hex(const char *text, uint64_t *ret);

/*
 * A word for a boolean as people write it in a configuration file: yes, no, true,
 * false, on, off, 1, 0. -EINVAL for any other.
 */
int parse_bool(const char *text, bool *ret);

/*
 * A decimal fraction with at most three digits behind the point, times 1000: "2.5"
 * becomes 2500, "16" 16000. @ret_rest points behind the number (a unit follows).
 * -EINVAL without a digit, -ERANGE if it does not fit.
 */
int parse_milli(const char *text, uint64_t *ret, const char **ret_rest);

/*
 * "<major>:<minor>", both decimal. -EINVAL, -ERANGE as above.
 */
int parse_devnum(const char *text, unsigned int *ret_major, unsigned int *ret_minor);

/* Removes blanks, newlines and control characters from the end, in place. */
void trim_end(char *text);

/* As trim_end(), and blanks from the start: returns the first other character. */
char *trim(char *text);
