/* SPDX-License-Identifier: MIT */
/*
 * The container of facts: types are kept apart, texts are trimmed and cut, a full pool
 * leaves facts unknown and breaks none, a correction names its line.
 */
#include <string.h>

#include "support.h"

static void test_empty(void **state)
{
	struct disk_facts facts;
	char buf[64] = "old";
	uint64_t number = 7;

	(void)state;
	memset(&facts, 0xa5, sizeof(facts));
	facts_init(&facts);
	for (int i = 0; i < _FACT_MAX; i++) {
		enum fact fact = (enum fact)i;

		assert_false(facts_known(&facts, fact));
		assert_false(facts_number(&facts, fact, &number));
		assert_null(facts_text(&facts, fact));
		assert_false(facts_is_set(&facts, fact) || facts_is_clear(&facts, fact));
		assert_false(facts_format(&facts, fact, buf, sizeof(buf)));
		assert_null(facts_corrected_by(&facts, fact));
	}
	for (int i = 0; i < _ANCHOR_MAX; i++)
		assert_null(facts_anchor(&facts, (enum anchor)i));
	assert_int_equal(number, 7);
	assert_string_equal(buf, "old");
}

static void test_numbers(void **state)
{
	struct disk_facts facts;
	uint64_t number = 0;

	(void)state;
	facts_init(&facts);
	facts_set_number(&facts, FACT_SIZE, UINT64_MAX);
	facts_set_number(&facts, FACT_ROTATIONAL, 0);
	assert_true(facts_number(&facts, FACT_SIZE, &number));
	assert_int_equal(number, UINT64_MAX);
	assert_true(facts_is_number(&facts, FACT_SIZE, UINT64_MAX));
	assert_true(facts_is_clear(&facts, FACT_ROTATIONAL));
	assert_false(facts_is_set(&facts, FACT_ROTATIONAL));
	facts_set_text(&facts, FACT_ROTATIONAL, "1"); /* not its type */
	assert_true(facts_is_clear(&facts, FACT_ROTATIONAL));
	facts_set_number(&facts, FACT_MODEL, 1); /* nor this one's */
	assert_false(facts_known(&facts, FACT_MODEL));
	facts_clear(&facts, FACT_SIZE);
	assert_false(facts_known(&facts, FACT_SIZE));
	assert_true(facts_known(&facts, FACT_ROTATIONAL));
}

static void test_texts(void **state)
{
	struct disk_facts facts;
	char text[FACT_TEXT_MAX + 50];

	(void)state;
	facts_init(&facts);
	facts_set_text(&facts, FACT_MODEL, "  ATA SSD \n");
	assert_string_equal(facts_text(&facts, FACT_MODEL), "ATA SSD");
	assert_true(facts_is_text(&facts, FACT_MODEL, "ATA SSD"));
	assert_false(facts_is_text(&facts, FACT_MODEL, "ATA"));
	facts_set_text(&facts, FACT_MODEL, facts_text(&facts, FACT_MODEL) + 4);
	assert_string_equal(facts_text(&facts, FACT_MODEL), "SSD");
	facts_set_text(&facts, FACT_MODEL, " \t\n");
	assert_false(facts_known(&facts, FACT_MODEL));
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	facts_set_text(&facts, FACT_MODEL, text);
	assert_int_equal(strlen(facts_text(&facts, FACT_MODEL)), FACT_TEXT_MAX - 1);
}

static void test_pool_overflow(void **state)
{
	struct disk_facts facts;
	char text[FACT_TEXT_MAX];
	size_t known = 0;

	(void)state;
	facts_init(&facts);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < _FACT_MAX; i++)
			facts_set_text(&facts, (enum fact)i, text);
	}
	for (int i = 0; i < _FACT_MAX; i++) {
		known += facts_known(&facts, (enum fact)i);
		if (facts_text(&facts, (enum fact)i))
			assert_string_equal(facts_text(&facts, (enum fact)i), text);
	}
	assert_true(known < FACTS_POOL_SIZE / FACT_TEXT_MAX);
	assert_true(facts.used <= FACTS_POOL_SIZE);
	facts_set_anchor(&facts, ANCHOR_PCI, text);
	assert_null(facts_anchor(&facts, ANCHOR_PCI));
	facts_set_corrected(&facts, FACT_SIZE, text);
	assert_null(facts_corrected_by(&facts, FACT_SIZE));
	facts_set_number(&facts, FACT_SIZE, 5); /* numbers need no pool */
	assert_true(facts_is_number(&facts, FACT_SIZE, 5));
}

/* Copied by assignment, the copy lives on its own. */
static void test_copy(void **state)
{
	struct disk_facts facts, copy;

	(void)state;
	give_sata_ssd(&facts);
	copy = facts;
	facts_init(&facts);
	assert_string_equal(facts_text(&copy, FACT_MODEL), "TEST SSD 860");
	assert_string_equal(facts_anchor(&copy, ANCHOR_DISK), "/sys/block/sda");
}

static void test_format(void **state)
{
	struct disk_facts facts;
	char buf[64];

	(void)state;
	give_sata_ssd(&facts);
	assert_true(facts_format(&facts, FACT_READ_AHEAD_KB, buf, sizeof(buf)));
	assert_string_equal(buf, "128");
	assert_true(facts_format(&facts, FACT_ATA_ID_76, buf, sizeof(buf)));
	assert_string_equal(buf, "0x850e");
	assert_true(facts_format(&facts, FACT_LIBATA, buf, sizeof(buf)));
	assert_string_equal(buf, "1");
	assert_true(facts_format(&facts, FACT_MODEL, buf, 5));
	assert_string_equal(buf, "TEST");
	facts_set_number(&facts, FACT_SATA_SPD, 6000);
	assert_true(facts_format(&facts, FACT_SATA_SPD, buf, sizeof(buf)));
	assert_string_equal(buf, "6000");
}

static void test_source(void **state)
{
	struct disk_facts facts;
	char buf[256];

	(void)state;
	give_sata_ssd(&facts);
	assert_true(facts_source(&facts, FACT_READ_AHEAD_KB, buf, sizeof(buf)));
	assert_string_equal(buf, "/sys/block/sda/queue/read_ahead_kb");
	assert_true(facts_source(&facts, FACT_QUEUE_DEPTH, buf, sizeof(buf)));
	assert_string_equal(buf, "/sys/devices/0:0:0:0/queue_depth");
	assert_true(facts_source(&facts, FACT_ID_PATH, buf, sizeof(buf)));
	assert_string_equal(buf, "udev:ID_PATH");
	assert_true(facts_source(&facts, FACT_LIBATA_FORCE, buf, sizeof(buf)));
	assert_string_equal(buf, "/proc/cmdline");
	assert_true(facts_source(&facts, FACT_SYS_VENDOR, buf, sizeof(buf)));
	assert_string_equal(buf, "/sys/class/dmi/id/sys_vendor");
	assert_false(facts_source(&facts, FACT_MODEL, buf, sizeof(buf)));
	assert_false(
		facts_source(&facts, FACT_CAN_QUEUE, buf, sizeof(buf))); /* no anchor */
	assert_false(facts_source(&facts, FACT_READ_AHEAD_KB, buf, 10));
}

/* What a prober works out is from the file that it was worked out from. */
static void test_derived_source(void **state)
{
	static const struct {
		const char *name;
		struct given given[4];
		const char *source;
	} rows[] = {
		{ "NVMe", { { FACT_MODEL, "A" }, { FACT_NVME_MODEL, "A" } }, "/n/model" },
		{ "IDENTIFY, before what SCSI cut",
		  { { FACT_MODEL, "AB" },
		    { FACT_ATA_ID_76, "6" },
		    { FACT_SCSI_MODEL, "A" } },
		  "/a/id" },
		{ "SCSI", { { FACT_MODEL, "A" }, { FACT_SCSI_MODEL, "A" } }, "/s/model" },
		{ "udev only",
		  { { FACT_MODEL, "B" },
		    { FACT_SCSI_MODEL, "A" },
		    { FACT_ID_MODEL, "B" } },
		  "udev:ID_MODEL" },
		{ "the firmware",
		  { { FACT_HYPERVISOR, "qemu" }, { FACT_SYS_VENDOR, "QEMU" } },
		  "/sys/class/dmi/id/sys_vendor" },
		{ "the CPU", { { FACT_GUEST, "1" } }, "/proc/cpuinfo" },
		{ "a path", { { FACT_NAME, "sda" } }, "/d" },
		{ "a list", { { FACT_SLAVES, "sda" } }, "/d/slaves" },
		{ "a folder above", { { FACT_SCSI_TRANSPORT, "sas" } }, "/s" },
		{ "no anchor", { { FACT_ATA_PORT_ID, "1" } }, "?" },
		{ "nobody's", { { FACT_MODEL, "C" }, { FACT_SCSI_MODEL, "A" } }, "?" },
		{ "unknown", { { FACT_NAME, "?" } }, "?" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char source[64] = "?";
		struct disk_facts facts;

		facts_init(&facts);
		facts_set_anchor(&facts, ANCHOR_DISK, "/d");
		facts_set_anchor(&facts, ANCHOR_NVME, "/n");
		facts_set_anchor(&facts, ANCHOR_ATA_DEVICE, "/a");
		facts_set_anchor(&facts, ANCHOR_SCSI_DEVICE, "/s");
		give(&facts, rows[i].given);
		(void)facts_source(&facts, rows[i].given[0].fact, source, sizeof(source));
		ROW_TEXT(rows[i].name, source, rows[i].source);
	}
}

/* A quirk is the only place of what has no attribute, and no place of what has one. */
static void test_source_of_quirk(void **state)
{
	struct disk_facts facts;
	char source[64] = "?";

	(void)state;
	facts_init(&facts);
	facts_set_anchor(&facts, ANCHOR_DISK, "/d");
	facts_set_number(&facts, FACT_SMR, 1);
	facts_set_corrected(&facts, FACT_SMR, "x.quirks:3");
	assert_true(facts_source(&facts, FACT_SMR, source, sizeof(source)));
	assert_string_equal(source, "x.quirks:3");
	facts_set_number(&facts, FACT_ROTATIONAL, 1);
	facts_set_corrected(&facts, FACT_ROTATIONAL, "x.quirks:4");
	assert_true(facts_source(&facts, FACT_ROTATIONAL, source, sizeof(source)));
	assert_string_equal(source, "/d/queue/rotational"); /* where it is written */
	assert_true(facts_origin(&facts, FACT_ROTATIONAL, source, sizeof(source)));
	assert_string_equal(source, "x.quirks:4"); /* whose the value is */
}

static void test_correction(void **state)
{
	struct disk_facts facts;

	(void)state;
	give_sata_ssd(&facts);
	facts_set_number(&facts, FACT_ROTATIONAL, 1);
	facts_set_corrected(&facts, FACT_ROTATIONAL, "10-x.quirks:7");
	assert_string_equal(facts_corrected_by(&facts, FACT_ROTATIONAL), "10-x.quirks:7");
	assert_null(facts_corrected_by(&facts, FACT_MODEL));
	facts_clear(&facts, FACT_ROTATIONAL);
	assert_null(facts_corrected_by(&facts, FACT_ROTATIONAL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("nothing is known at first", test_empty),
		TEST("numbers", test_numbers),
		TEST("texts are trimmed and cut", test_texts),
		TEST("a full pool leaves facts unknown", test_pool_overflow),
		TEST("a copy stands alone", test_copy),
		TEST("values as people write them", test_format),
		TEST("where a fact comes from", test_source),
		TEST("where a fact comes from that was worked out", test_derived_source),
		TEST("where a fact comes from that a quirk set", test_source_of_quirk),
		TEST("a correction names its line", test_correction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
