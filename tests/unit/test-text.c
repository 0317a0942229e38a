/* SPDX-License-Identifier: MIT */
/*
 * What leaves the program: values that need no quotes, lines that a terminal survives;
 * and the two ways in which texts are compared.
 */
#include <string.h>

#include "base/text.h"
#include "support.h"

static void test_safe_value(void **state)
{
	static const struct {
		const char *text, *safe;
	} rows[] = {
		{ "", "" },
		{ "   ", "" },
		{ "Samsung SSD 860", "Samsung_SSD_860" },
		{ "  padded   ", "padded" },
		{ "a  b", "a__b" },
		{ "A\nBLKADVISE_CLASS=x", "A_BLKADVISE_CLASS_x" },
		{ "$(reboot)", "__reboot_" },
		{ "\"';&|<>\\`*?[]{}~#!%^()", "______________________" },
		{ ".:_+-/,@", ".:_+-/,@" },
		{ "\xc3\xa4", "__" },
		{ "\x7f\x80\xff", "___" },
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ROW_INT(rows[i].text, safe_value(rows[i].text, buf, sizeof(buf)),
			strlen(rows[i].safe));
		ROW_TEXT(rows[i].text, buf, rows[i].safe);
		ROW_INT(rows[i].text, is_safe_value(buf), *buf != '\0');
	}
}

/* Every byte: it is kept, or becomes '_', and both functions agree on which. */
static void test_every_byte(void **state)
{
	(void)state;
	for (int byte = 1; byte < 256; byte++) {
		char text[4] = { 'x', (char)byte, 'x', '\0' }, safe[4], shown[4];

		assert_int_equal(safe_value(text, safe, sizeof(safe)), 3);
		assert_true(is_safe_value(safe));
		assert_int_equal(is_safe_value(text), strcmp(text, safe) == 0);
		assert_int_equal(printable(text, shown, sizeof(shown)), 3);
		if (byte >= 0x20 && byte <= 0x7e)
			assert_int_equal(shown[1], byte);
		else
			assert_int_equal(shown[1], '?');
	}
}

static void test_cut(void **state)
{
	char buf[8] = "#######";

	(void)state;
	assert_int_equal(safe_value("abcdef", buf, 4), 3);
	assert_string_equal(buf, "abc");
	assert_int_equal(buf[4], '#');
	assert_int_equal(safe_value("abcdef", buf, 1), 0);
	assert_string_equal(buf, "");
	buf[0] = '#';
	assert_int_equal(safe_value("abcdef", buf, 0), 0);
	assert_int_equal(printable("abcdef", buf, 0), 0);
	assert_int_equal(buf[0], '#');
	assert_int_equal(printable("abcdef", buf, 3), 2);
	assert_string_equal(buf, "ab");
}

static void test_glob(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches, folded;
	} rows[] = {
		{ "", "", true, true },
		{ "*", "", true, true },
		{ "?", "", false, false },
		{ "", "a", false, false },
		{ "abc", "abc", true, true },
		{ "abc", "ABC", false, true },
		{ "a*c", "abbbc", true, true },
		{ "a*c", "abbbcd", false, false },
		{ "*SSD*", "Samsung SSD 860", true, true },
		{ "*ssd*", "Samsung SSD 860", false, true },
		{ "S?D", "SSD", true, true },
		{ "*a*b*c", "xxaxxbxxc", true, true },
		{ "*a*b*c", "xxaxxcxxb", false, false },
		{ "**", "anything", true, true },
		{ "*?", "", false, false },
		{ "[ab]", "a", false, false },
		{ "[ab]", "[ab]", true, true },
		{ "\\*", "*", false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ROW_INT(rows[i].pattern, glob_match(rows[i].pattern, rows[i].text, false),
			rows[i].matches);
		ROW_INT(rows[i].pattern, glob_match(rows[i].pattern, rows[i].text, true),
			rows[i].folded);
	}
}

/* A pattern that makes a recursive matcher take years. */
static void test_glob_is_fast(void **state)
{
	char text[4097], pattern[201];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i < sizeof(pattern) - 1; i += 2) {
		pattern[i] = '*';
		pattern[i + 1] = 'a';
	}
	pattern[sizeof(pattern) - 2] = 'b';
	pattern[sizeof(pattern) - 1] = '\0';
	assert_false(glob_match(pattern, text, true));
}

static void test_word_in_list(void **state)
{
	static const struct {
		const char *word, *list;
		bool found;
	} rows[] = {
		{ "none", "none", true },
		{ "none", "mq-deadline none bfq", true },
		{ "bfq", "mq-deadline none bfq", true },
		{ "deadline", "mq-deadline none", false },
		{ "mq", "mq-deadline none", false },
		{ "", "mq-deadline", false },
		{ "none", "", false },
		{ "aa", "aaa aa", true },
		{ "a", "aa aaa", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ROW_INT(rows[i].word, word_in_list(rows[i].word, rows[i].list),
			rows[i].found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("values that need no quotes", test_safe_value),
		TEST("every byte", test_every_byte),
		TEST("cut to size", test_cut),
		TEST("patterns", test_glob),
		TEST("a hostile pattern takes no time", test_glob_is_fast),
		TEST("words in a list", test_word_in_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
