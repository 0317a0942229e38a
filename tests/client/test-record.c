/* SPDX-License-Identifier: MIT */
/*
 * What the getters make of a text: the golden records, and texts that no agent wrote.
 * All of it through the public functions, with the text in a file.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blkadvise.h"
#include "golden.h"
#include "tree.h"

#define RECORD_PATH "/run/blkadvise/disks/8:0"
#define N(array) (sizeof(array) / sizeof((array)[0]))

static struct tree tree;

static int set_up(void **state)
{
	(void)state;
	tree_make(&tree);
	tree_device(&tree, "8:0", "pci0/ata1/block/sda", "9");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static struct blkadvise_record *open_bytes(const char *text, size_t len, int outcome)
{
	struct blkadvise_record *record = NULL;

	tree_write(&tree, RECORD_PATH, text, len);
	assert_int_equal(blkadvise_open_devnum_at(tree.path, 8, 0, &record), outcome);
	assert_non_null(record);
	return record;
}

static void golden_record_gives_its_values(void **state)
{
	struct blkadvise_record *record =
		open_bytes(GOLDEN_SATA_SSD, strlen(GOLDEN_SATA_SSD), BLKADVISE_OK);
	uint64_t number = 7;
	int flag = -1;

	(void)state;
	assert_string_equal(blkadvise_text(record, "CLASS"), "sata-ssd");
	assert_string_equal(blkadvise_text(record, "BLKADVISE_CLASS"), "sata-ssd");
	assert_null(blkadvise_text(record, "CLAS"));
	assert_null(blkadvise_text(record, ""));
	assert_null(blkadvise_text(record, NULL));
	assert_int_equal(blkadvise_u64(record, "MODEL", &number), BLKADVISE_NO_VALUE);
	assert_int_equal(blkadvise_u64(record, "KNEE_DEPTH", &number),
			 BLKADVISE_NO_VALUE);
	assert_int_equal(number, 7);
	assert_int_equal(blkadvise_u64(record, "JOURNAL_BLOCK_KB", &number), 0);
	assert_int_equal(number, 16);
	assert_int_equal(blkadvise_bool(record, "CLASS", &flag), BLKADVISE_NO_VALUE);
	assert_int_equal(flag, -1);
	assert_int_equal(blkadvise_bool(record, "NCQ", &flag), 0);
	assert_int_equal(flag, 1);
	blkadvise_close(record);
}

static void keys_come_in_order(void **state)
{
	static const char text[] = "BLKADVISE_FORMAT=1\nBLKADVISE_B=2\nBLKADVISE_A=1\n"
				   "BLKADVISE_B=3\n";
	struct blkadvise_record *record =
		open_bytes(text, sizeof(text) - 1, BLKADVISE_OK);

	(void)state;
	assert_string_equal(blkadvise_key(record, 0), "FORMAT");
	assert_string_equal(blkadvise_key(record, 1), "B");
	assert_string_equal(blkadvise_key(record, 2), "A");
	assert_null(blkadvise_key(record, 3));
	assert_null(blkadvise_key(record, SIZE_MAX));
	assert_string_equal(blkadvise_text(record, "B"), "2");
	blkadvise_close(record);
}

static void golden_record_gives_advice(void **state)
{
	struct blkadvise_record *record =
		open_bytes(GOLDEN_SATA_SSD, strlen(GOLDEN_SATA_SSD), BLKADVISE_OK);
	struct blkadvise_advice advice;

	(void)state;
	assert_int_equal(blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS,
					  &advice),
			 0);
	assert_int_equal(advice.io_mode, BLKADVISE_IO_DIRECT);
	assert_int_equal(advice.hint, BLKADVISE_HINT_RANDOM);
	assert_int_equal(advice.depth, 32);
	assert_int_equal(advice.depth_latency, 8);
	assert_int_equal(advice.read_kb, 4);
	assert_int_equal(advice.source, BLKADVISE_FROM_MEASURED);
	assert_int_equal(advice.confidence, BLKADVISE_CONFIDENCE_HIGH);
	assert_int_equal(blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_FITS,
					  &advice),
			 0);
	assert_int_equal(advice.io_mode, BLKADVISE_IO_MMAP);
	assert_int_equal(advice.hint, BLKADVISE_HINT_WILLNEED);
	assert_int_equal(advice.depth, 0);
	assert_int_equal(blkadvise_advice(record, BLKADVISE_SCAN, BLKADVISE_EXCEEDS,
					  &advice),
			 0);
	assert_int_equal(advice.io_mode, BLKADVISE_IO_BUFFERED);
	assert_int_equal(advice.confidence, BLKADVISE_CONFIDENCE_LOW);
	assert_int_equal(blkadvise_advice(record, BLKADVISE_SCAN, BLKADVISE_FITS,
					  &advice),
			 BLKADVISE_NO_VALUE);
	assert_int_equal(advice.io_mode, BLKADVISE_IO_KEEP);
	assert_int_equal(advice.source, BLKADVISE_FROM_CLASS);
	assert_int_equal(blkadvise_advice(record, (enum blkadvise_workload)9,
					  BLKADVISE_FITS, &advice),
			 BLKADVISE_NO_VALUE);
	assert_int_equal(advice.source, BLKADVISE_FROM_UNKNOWN);
	blkadvise_close(record);
}

struct word_case {
	const char *key, *word;
	unsigned int mode, hint, source, confidence;
};

static void every_word_of_advice_is_known(void **state)
{
	static const struct word_case cases[] = {
		{ "SCAN_FITS_IO_MODE", "direct", BLKADVISE_IO_DIRECT, 0, 0, 0 },
		{ "SCAN_FITS_IO_MODE", "buffered", BLKADVISE_IO_BUFFERED, 0, 0, 0 },
		{ "SCAN_FITS_IO_MODE", "mmap", BLKADVISE_IO_MMAP, 0, 0, 0 },
		{ "SCAN_FITS_IO_MODE", "Direct", 0, 0, 0, 0 },
		{ "SCAN_FITS_IO_MODE", "uring", 0, 0, 0, 0 },
		{ "SCAN_FITS_HINT", "normal", 0, BLKADVISE_HINT_NORMAL, 0, 0 },
		{ "SCAN_FITS_HINT", "random", 0, BLKADVISE_HINT_RANDOM, 0, 0 },
		{ "SCAN_FITS_HINT", "sequential", 0, BLKADVISE_HINT_SEQUENTIAL, 0, 0 },
		{ "SCAN_FITS_HINT", "willneed", 0, BLKADVISE_HINT_WILLNEED, 0, 0 },
		{ "SCAN_FROM", "class", 0, 0, BLKADVISE_FROM_CLASS, 0 },
		{ "SCAN_FROM", "quirk", 0, 0, BLKADVISE_FROM_QUIRK, 0 },
		{ "SCAN_FROM", "measured", 0, 0, BLKADVISE_FROM_MEASURED, 0 },
		{ "SCAN_FROM", "declared", 0, 0, BLKADVISE_FROM_DECLARED, 0 },
		{ "SCAN_CONFIDENCE", "low", 0, 0, 0, BLKADVISE_CONFIDENCE_LOW },
		{ "SCAN_CONFIDENCE", "high", 0, 0, 0, BLKADVISE_CONFIDENCE_HIGH },
		{ "SCAN_CONFIDENCE", "unknown", 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct blkadvise_record *record = NULL;
		struct blkadvise_advice advice;
		char text[128];
		int len = snprintf(text, sizeof(text), "BLKADVISE_%s=%s\n", cases[i].key,
				   cases[i].word);

		record = open_bytes(text, (size_t)len, BLKADVISE_OK);
		(void)blkadvise_advice(record, BLKADVISE_SCAN, BLKADVISE_FITS, &advice);
		assert_int_equal(advice.io_mode, cases[i].mode);
		assert_int_equal(advice.hint, cases[i].hint);
		assert_int_equal(advice.source, cases[i].source);
		assert_int_equal(advice.confidence, cases[i].confidence);
		blkadvise_close(record);
	}
}

struct hostile_case {
	const char *name;
	const char *text;
	size_t len;
	int outcome;
	const char *k; /* what the key K then is */
};

#define HOSTILE(name, text, outcome, k) { name, text, sizeof(text) - 1, outcome, k }

static const struct hostile_case hostile_cases[] = {
	HOSTILE("empty file", "", BLKADVISE_OK, NULL),
	HOSTILE("one newline", "\n", BLKADVISE_OK, NULL),
	HOSTILE("only NULs", "\0\0\0\0", BLKADVISE_OK, NULL),
	HOSTILE("no FORMAT", "BLKADVISE_K=v\n", BLKADVISE_OK, "v"),
	HOSTILE("a later FORMAT", "BLKADVISE_FORMAT=2\nBLKADVISE_K=v\n",
		BLKADVISE_UNKNOWN_FORMAT, NULL),
	HOSTILE("a FORMAT that is no number", "BLKADVISE_K=v\nBLKADVISE_FORMAT=x\n",
		BLKADVISE_UNKNOWN_FORMAT, NULL),
	HOSTILE("an empty FORMAT", "BLKADVISE_FORMAT=\nBLKADVISE_K=v\n", BLKADVISE_OK,
		"v"),
	HOSTILE("FORMAT twice", "BLKADVISE_FORMAT=1\nBLKADVISE_FORMAT=2\nBLKADVISE_K=v\n",
		BLKADVISE_OK, "v"),
	HOSTILE("the key twice", "BLKADVISE_K=a\nBLKADVISE_K=b\n", BLKADVISE_OK, "a"),
	HOSTILE("an empty value", "BLKADVISE_K=\n", BLKADVISE_OK, NULL),
	HOSTILE("an empty key", "BLKADVISE_=x\n", BLKADVISE_OK, NULL),
	HOSTILE("no equals sign", "BLKADVISE_K\nBLKADVISE_K=v\n", BLKADVISE_OK, "v"),
	HOSTILE("CRLF", "BLKADVISE_FORMAT=1\r\nBLKADVISE_K=v\r\n", BLKADVISE_OK, NULL),
	HOSTILE("no newline at the end", "BLKADVISE_K=32", BLKADVISE_OK, NULL),
	HOSTILE("a NUL in the value", "BLKADVISE_K=a\0b\n", BLKADVISE_OK, NULL),
	HOSTILE("a NUL in the key", "BLKADVISE_\0K=a\nBLKADVISE_K=v\n", BLKADVISE_OK,
		"v"),
	HOSTILE("an escape sequence", "BLKADVISE_K=\x1b[2J\n", BLKADVISE_OK, NULL),
	HOSTILE("a DEL", "BLKADVISE_K=a\x7f\n", BLKADVISE_OK, NULL),
	HOSTILE("bytes above ASCII", "BLKADVISE_K=\xc3\xa9\n", BLKADVISE_OK, NULL),
	HOSTILE("blanks around", " BLKADVISE_K=a\nBLKADVISE_K =b\n", BLKADVISE_OK, NULL),
	HOSTILE("lower case", "blkadvise_K=a\nBLKADVISE_k=b\n", BLKADVISE_OK, NULL),
	HOSTILE("another prefix", "K=a\nXBLKADVISE_K=b\n", BLKADVISE_OK, NULL),
	HOSTILE("the prefix twice", "BLKADVISE_BLKADVISE_K=a\n", BLKADVISE_OK, NULL),
	HOSTILE("equals signs in the value", "BLKADVISE_K=a=b==\n", BLKADVISE_OK,
		"a=b=="),
	HOSTILE("export", "export BLKADVISE_K=a\n", BLKADVISE_OK, NULL),
	HOSTILE("an old Mac file", "BLKADVISE_FORMAT=1\rBLKADVISE_K=v\r", BLKADVISE_OK,
		NULL),
	HOSTILE("a byte order mark", "\xef\xbb\xbf" "BLKADVISE_FORMAT=2\nBLKADVISE_K=v\n",
		BLKADVISE_OK, "v"),
};

static void hostile_records_cost_only_their_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(hostile_cases); i++) {
		const struct hostile_case *c = &hostile_cases[i];
		struct blkadvise_record *record = open_bytes(c->text, c->len, c->outcome);
		const char *k = blkadvise_text(record, "K");

		if ((k == NULL) != (c->k == NULL) || (k && strcmp(k, c->k) != 0))
			fail_msg("%s: K is %s", c->name, k ? k : "missing");
		assert_int_equal(blkadvise_kind(record), BLKADVISE_KIND_DISK);
		blkadvise_close(record);
	}
}

/* It could be listed, but blkadvise_text() would take the prefix off and miss it. */
static void a_key_with_the_prefix_twice_is_no_key(void **state)
{
	static const char text[] = "BLKADVISE_BLKADVISE_K=a\n";
	struct blkadvise_record *record =
		open_bytes(text, sizeof(text) - 1, BLKADVISE_OK);

	(void)state;
	assert_null(blkadvise_key(record, 0));
	blkadvise_close(record);
}

static void numbers_are_strict(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t value;
		unsigned int depth;
	} cases[] = {
		{ "0", true, 0, 0 },
		{ "32", true, 32, 32 },
		{ "4294967295", true, 4294967295U, 4294967295U },
		{ "4294967296", true, 4294967296U, 0 },
		{ "18446744073709551615", true, UINT64_MAX, 0 },
		{ "18446744073709551616", false, 0, 0 },
		{ "-1", false, 0, 0 },
		{ "+1", false, 0, 0 },
		{ "0x10", false, 0, 0 },
		{ "1e3", false, 0, 0 },
		{ "32 ", false, 0, 0 },
		{ " 32", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct blkadvise_advice advice;
		struct blkadvise_record *record = NULL;
		uint64_t value = 5;
		char text[128];
		int len = snprintf(text, sizeof(text), "BLKADVISE_SCAN_FITS_DEPTH=%s\n",
				   cases[i].text);
		int r = 0;

		record = open_bytes(text, (size_t)len, BLKADVISE_OK);
		r = blkadvise_u64(record, "SCAN_FITS_DEPTH", &value);
		assert_int_equal(r, cases[i].ok ? 0 : BLKADVISE_NO_VALUE);
		assert_true(value == (cases[i].ok ? cases[i].value : 5));
		(void)blkadvise_advice(record, BLKADVISE_SCAN, BLKADVISE_FITS, &advice);
		assert_int_equal(advice.depth, cases[i].depth);
		blkadvise_close(record);
	}
}

/* 64 KiB are read, and of those the whole lines; at most 512 keys are kept. */
static void a_huge_record_is_cut(void **state)
{
	static char text[200 * 1024];
	struct blkadvise_record *record = NULL;
	size_t len = 0, n = 0;

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "BLKADVISE_K=", 12);
	record = open_bytes(text, sizeof(text), BLKADVISE_OK);
	assert_null(blkadvise_key(record, 0));
	blkadvise_close(record);
	memcpy(text + 60000, "\nBLKADVISE_L=1\nBLKADVISE_M=", 27);
	memcpy(text + 70000, "\nBLKADVISE_N=1\n", 15);
	record = open_bytes(text, sizeof(text), BLKADVISE_OK);
	assert_int_equal(strlen(blkadvise_text(record, "K")), 60000 - 12);
	assert_string_equal(blkadvise_key(record, 1), "L");
	assert_null(blkadvise_key(record, 2));
	blkadvise_close(record);
	for (size_t i = 0; len < sizeof(text) - 32; i++)
		len += (size_t)sprintf(text + len, "BLKADVISE_K%zu=%zu\n", i, i);
	record = open_bytes(text, len, BLKADVISE_OK);
	while (blkadvise_key(record, n))
		n++;
	assert_int_equal(n, 512);
	blkadvise_close(record);
}

static unsigned int random_below(unsigned int *seed, unsigned int limit)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (*seed >> 8) % limit;
}

static void mutate(char *text, size_t *len, unsigned int *seed)
{
	static const char bytes[] = "\n\r\0=_1289BLKADVISE:,\x7f\xff";
	unsigned int n = 1 + random_below(seed, 12);

	while (n-- > 0 && *len > 2) {
		size_t at = random_below(seed, (unsigned int)*len - 1);

		switch (random_below(seed, 4)) {
		case 0:
			text[at] = bytes[random_below(seed, sizeof(bytes) - 1)];
			break;
		case 1:
			text[at] = (char)random_below(seed, 256);
			break;
		case 2:
			memmove(text + at, text + at + 1, *len - at - 1);
			(*len)--;
			break;
		default:
			*len -= random_below(seed, 8) == 0 ? (*len - at) / 2 : 0;
			break;
		}
	}
}

/* With a sanitizer, this looks for crashes; without one, for broken promises. */
static void mutated_records_never_crash(void **state)
{
	unsigned int seed = 2040;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[] = GOLDEN_SATA_SSD GOLDEN_STACK;
		size_t len = sizeof(text) - 1;
		struct blkadvise_record *record = NULL;
		struct blkadvise_advice advice;
		const char *key = NULL;
		int r = 0;

		mutate(text, &len, &seed);
		tree_write(&tree, RECORD_PATH, text, len);
		r = blkadvise_open_devnum_at(tree.path, 8, 0, &record);
		assert_true(r == BLKADVISE_OK || r == BLKADVISE_UNKNOWN_FORMAT ||
			    r == BLKADVISE_NO_RECORD);
		if (r != BLKADVISE_OK)
			assert_null(blkadvise_key(record, 0));
		for (size_t i = 0; (key = blkadvise_key(record, i)); i++)
			assert_true(*blkadvise_text(record, key) != '\0');
		(void)blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS,
				       &advice);
		assert_in_range(advice.io_mode, 0, BLKADVISE_IO_MMAP);
		blkadvise_close(record);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_record_gives_its_values),
		cmocka_unit_test(keys_come_in_order),
		cmocka_unit_test(golden_record_gives_advice),
		cmocka_unit_test(every_word_of_advice_is_known),
		cmocka_unit_test(hostile_records_cost_only_their_lines),
		cmocka_unit_test(a_key_with_the_prefix_twice_is_no_key),
		cmocka_unit_test(numbers_are_strict),
		cmocka_unit_test(a_huge_record_is_cut),
		cmocka_unit_test(mutated_records_never_crash),
	};

	return cmocka_run_group_tests_name("client-record", tests, set_up, tear_down);
}
