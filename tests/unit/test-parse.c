/* SPDX-License-Identifier: MIT */
/*
 * Strict parsing: what is a number, and all that looks like one and is none. A parser
 * that refuses leaves its output alone.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "support.h"

#define KEPT UINT64_C(4711)

struct number_row {
	const char *text;
	int r;
	uint64_t value; /* KEPT where it is refused */
};

static const struct number_row decimal_rows[] = {
	{ "0", 0, 0 },
	{ "128", 0, 128 },
	{ "128\n", 0, 128 },
	{ "007", 0, 7 },
	{ "18446744073709551615", 0, UINT64_MAX },
	{ "18446744073709551616", -ERANGE, KEPT },
	{ "99999999999999999999999999", -ERANGE, KEPT },
	{ "", -EINVAL, KEPT },
	{ "\n", -EINVAL, KEPT },
	{ "-1", -EINVAL, KEPT },
	{ "+1", -EINVAL, KEPT },
	{ " 1", -EINVAL, KEPT },
	{ "1 ", -EINVAL, KEPT },
	{ "1\n\n", -EINVAL, KEPT },
	{ "1\n2", -EINVAL, KEPT },
	{ "128 junk", -EINVAL, KEPT },
	{ "0x80", -EINVAL, KEPT },
	{ "1.5", -EINVAL, KEPT },
	{ "1e3", -EINVAL, KEPT },
	{ "12a", -EINVAL, KEPT },
	{ "(null)", -EINVAL, KEPT },
	{ "<unknown>", -EINVAL, KEPT },
	{ "\xd9\xa1", -EINVAL, KEPT },
};

static void test_decimal(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(decimal_rows); i++) {
		uint64_t value = KEPT;

		ROW_INT(decimal_rows[i].text, parse_u64(decimal_rows[i].text, &value),
			decimal_rows[i].r);
		ROW_INT(decimal_rows[i].text, value, decimal_rows[i].value);
	}
}

static const struct number_row hex_rows[] = {
	{ "0", 0, 0 },
	{ "0x0", 0, 0 },
	{ "0x010601", 0, 0x010601 },
	{ "0X1F\n", 0, 0x1f },
	{ "ff", 0, 0xff },
	{ "FF", 0, 0xff },
	{ "ffffffffffffffff", 0, UINT64_MAX },
	{ "0x10000000000000000", -ERANGE, KEPT },
	{ "0x", -EINVAL, KEPT },
	{ "x1", -EINVAL, KEPT },
	{ "0x0x1", -EINVAL, KEPT },
	{ "-0x1", -EINVAL, KEPT },
	{ "g", -EINVAL, KEPT },
	{ "", -EINVAL, KEPT },
	{ "0x1 ", -EINVAL, KEPT },
};

static void test_hex(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hex_rows); i++) {
		uint64_t value = KEPT;

		ROW_INT(hex_rows[i].text, parse_hex(hex_rows[i].text, &value),
			hex_rows[i].r);
		ROW_INT(hex_rows[i].text, value, hex_rows[i].value);
	}
}

static void test_bool(void **state)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };
	static const char *const neither[] = {
		"", "2", "Yes", "y", "yes ", "yes\n", "00"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		bool value = false;

		assert_int_equal(parse_bool(yes[i], &value), 0);
		assert_true(value);
		assert_int_equal(parse_bool(no[i], &value), 0);
		assert_false(value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(neither); i++) {
		bool value = true;

		ROW_INT(neither[i], parse_bool(neither[i], &value), -EINVAL);
		assert_true(value);
	}
}

static void test_milli(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
		const char *rest;
	} rows[] = {
		{ "16", 0, 16000, "" },
		{ "2.5 GT/s", 0, 2500, " GT/s" },
		{ "0.125", 0, 125, "" },
		{ "3.0Gbps\n", 0, 3000, "Gbps\n" },
		{ "8.", 0, 8000, "." },
		{ ".5", -EINVAL, KEPT, NULL },
		{ "", -EINVAL, KEPT, NULL },
		{ "-2.5", -EINVAL, KEPT, NULL },
		{ "Unknown", -EINVAL, KEPT, NULL },
		{ "18446744073709551615", -ERANGE, KEPT, NULL },
		{ "99999999999999999999", -ERANGE, KEPT, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *rest = NULL;
		uint64_t value = KEPT;

		ROW_INT(rows[i].text, parse_milli(rows[i].text, &value, &rest),
			rows[i].r);
		ROW_INT(rows[i].text, value, rows[i].value);
		if (rows[i].rest)
			ROW_TEXT(rows[i].text, rest, rows[i].rest);
		else
			assert_null(rest);
	}
}

static void test_devnum(void **state)
{
	static const char *const refused[] = {
		"",	"8",	"8:",	":0",	  "8:0:1",	  "8: 0", " 8:0",
		"a:b",	"8,0",	"-8:0",	"8:-1",	  "4294967296:0", "0:4294967296",
		"8:0 ", "0x8:0",
	};
	unsigned int major = 1, minor = 2;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		ROW_INT(refused[i], parse_devnum(refused[i], &major, &minor) < 0, true);
		ROW_INT(refused[i], major, 1);
		ROW_INT(refused[i], minor, 2);
	}
	assert_int_equal(parse_devnum("259:1048575\n", &major, &minor), 0);
	assert_int_equal(major, 259);
	assert_int_equal(minor, 1048575);
	assert_int_equal(parse_devnum("4294967295:0", &major, &minor), 0);
}

static void test_trim(void **state)
{
	static const struct {
		const char *text, *end, *both;
	} rows[] = {
		{ "", "", "" },
		{ "  \t\n", "", "" },
		{ " a b ", " a b", "a b" },
		{ "\x01" "a\x7f\x1f", "\x01" "a", "a" },
		{ "\xc3\xa4 ", "\xc3\xa4", "\xc3\xa4" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[16];

		strcpy(text, rows[i].text);
		trim_end(text);
		ROW_TEXT(rows[i].text, text, rows[i].end);
		strcpy(text, rows[i].text);
		ROW_TEXT(rows[i].text, trim(text), rows[i].both);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("decimal numbers", test_decimal),
		TEST("hexadecimal numbers", test_hex),
		TEST("words for a boolean", test_bool),
		TEST("thousandths", test_milli),
		TEST("device numbers", test_devnum),
		TEST("blanks at the ends", test_trim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
