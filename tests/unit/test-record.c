/* SPDX-License-Identifier: MIT */
/*
 * The record as text and as a file. Whatever a disk says of itself, the text is a list of
 * known keys in a fixed order, each once, with values that need no quotes.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "publish/record.h"
#include "support.h"

#define ROW(id) #id,
#define ADVICE_ROW(id, name, type) #id,
static const char *const keys[] = {
	RECORD_KEYS_HEAD(ROW) ADVICE_KEYS(ADVICE_ROW) RECORD_KEYS_TAIL(ROW)
};
#undef ROW
#undef ADVICE_ROW

struct scene {
	struct disk disk;
	struct disk_class class;
	struct selection selection;
	struct disk_state state;
	struct diagnosis diagnosis;
	struct digest measured;
	struct record_input input;
};

/* A disk of which all is known, measured and found. */
static struct scene *new_scene(void)
{
	static const struct given list[] = {
		{ FACT_SERIAL, "S3Z8NB0K" },
		{ FACT_WWN, "0x5002538e40000000" },
		{ FACT_FIRMWARE, "RVT02B6Q" },
		{ FACT_ID_PATH, "pci-0000:00:1f.2-ata-1.0" },
		{ FACT_WRITE_CACHE, "write back" },
		{ FACT_FUA, "0" },
		{ FACT_ATOMIC_WRITE_MAX_BYTES, "16384" },
		{ FACT_NVME_NUMA_NODE, "0" },
		{ FACT_LOGICAL_BLOCK_SIZE, "512" },
		{ FACT_PHYSICAL_BLOCK_SIZE, "4096" },
		{ FACT_NAME, NULL },
	};
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	give_sata_ssd(&scene->disk.facts);
	give(&scene->disk.facts, list);
	scene->class = sata_ssd_class();
	scene->class.ncq = NCQ_OFF;
	scene->class.ncq_reason = NCQ_REASON_LIBATA_FORCE;
	scene->class.remote = true;
	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		scene->selection.advice.known[i] = true;
		scene->selection.advice.value[i] = 1;
	}
	strcpy(scene->selection.main_where,
	       "/usr/lib/blkadvise/policy.d/60-advice.policy:7");
	scene->diagnosis.findings[FINDING_ATA_IDE_MODE].result = CHECK_FOUND;
	scene->diagnosis.findings[FINDING_NCQ_OFF].result = CHECK_FOUND;
	scene->disk.leaves = calloc(2, sizeof(*scene->disk.leaves));
	assert_non_null(scene->disk.leaves);
	scene->disk.n_leaves = 2;
	facts_init(&scene->disk.leaves[0].facts);
	facts_init(&scene->disk.leaves[1].facts);
	facts_set_text(&scene->disk.leaves[0].facts, FACT_DEV, "8:0");
	facts_set_text(&scene->disk.leaves[1].facts, FACT_DEV, "8:16");
	scene->measured = (struct digest){
		.random_iops_qd1 = 9700,
		.random_iops_qd16 = 71000,
		.random_iops_peak = 97000,
		.knee_depth = 32,
		.random_p50_us = 99,
		.random_p99_us = 150,
		.sequential_kbps = 540000,
		.random_write_iops = 80000,
		.sequential_write_kbps = 500000,
		.journal_p99_us = 1500,
		.measured_at = 1700000000,
	};
	scene->input = (struct record_input){ &scene->disk,	 &scene->class,
					      &scene->selection, &scene->state,
					      &scene->diagnosis, &scene->measured };
	return scene;
}

static void free_scene(struct scene **scene)
{
	if (*scene)
		free((*scene)->disk.leaves);
	free(*scene);
}

#define _cleanup_scene_ _cleanup_(free_scene)

static size_t key_index(const char *key, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i]) == len && strncmp(keys[i], key, len) == 0)
			return i;
	}
	fail_msg("unknown key %.*s", (int)len, key);
	return 0;
}

/* Checks the form of @text; returns the number of lines. */
static size_t check_form(const char *text)
{
	size_t lines = 0, last = 0;

	for (const char *line = text; *line; lines++) {
		const char *end = strchr(line, '\n'), *equals = strchr(line, '=');
		char value[4096];
		size_t index = 0;

		assert_non_null(end);
		assert_true(equals && equals < end);
		assert_int_equal(strncmp(line, RECORD_PREFIX, strlen(RECORD_PREFIX)), 0);
		line += strlen(RECORD_PREFIX);
		index = key_index(line, (size_t)(equals - line));
		if (lines > 0 && index <= last)
			fail_msg("%s stands behind %s", keys[index], keys[last]);
		last = index;
		(void)snprintf(value, sizeof(value), "%.*s", (int)(end - equals - 1),
			       equals + 1);
		if (!is_safe_value(value))
			fail_msg("%s has the value \"%s\"", keys[index], value);
		line = end + 1;
	}
	return lines;
}

static void expect(const char *text, const char *key, const char *value)
{
	char got[4096] = "";

	(void)record_get(text, key, got, sizeof(got));
	ROW_TEXT(key, got, value);
}

static void test_all_keys(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX];

	(void)state;
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	/* GENERATION and PUBLISHED_AT come with the file. */
	assert_int_equal(check_form(text), ARRAY_SIZE(keys) - 2);
	expect(text, "FORMAT", "1");
	expect(text, "DEVNUM", "8:0");
	expect(text, "DISKSEQ", "9");
	expect(text, "MODEL", "TEST_SSD_860");
	expect(text, "CLASS", "sata-ssd");
	expect(text, "NCQ", "off");
	expect(text, "NCQ_REASON", "libata-force");
	expect(text, "CLASS_CONFIDENCE", "high");
	expect(text, "MEMBERS", "8:0,8:16");
	expect(text, "REMOTE", "1");
	expect(text, "READ_AHEAD_KB", "128");
	expect(text, "READ_AHEAD_KB_BY", "kernel");
	expect(text, "WRITE_CACHE", "write_back");
	expect(text, "FUA", "0");
	expect(text, "ATOMIC_WRITE_MAX_KB", "16");
	expect(text, "RANDOM_EXCEEDS_IO_MODE", "buffered");
	expect(text, "RANDOM_EXCEEDS_DEPTH", "1");
	expect(text, "RANDOM_FROM", "class");
	expect(text, "RANDOM_READ_IOPS_QD1", "9700");
	expect(text, "RANDOM_READ_IOPS_QD16", "71000");
	expect(text, "RANDOM_READ_IOPS_PEAK", "97000");
	expect(text, "KNEE_DEPTH", "32");
	expect(text, "RANDOM_READ_P50_US", "99");
	expect(text, "RANDOM_READ_P99_US", "150");
	expect(text, "SEQ_READ_KBPS", "540000");
	expect(text, "RANDOM_WRITE_IOPS", "80000");
	expect(text, "SEQ_WRITE_KBPS", "500000");
	expect(text, "SYNC_WRITE_P99_US", "1500");
	expect(text, "MEASURED_AT", "1700000000");
	expect(text, "FINDINGS", "ata-ide-mode,ncq-off");
	expect(text, "POLICY", "/usr/lib/blkadvise/policy.d/60-advice.policy:7");
}

/* Where nothing tells whose a value is, it stands there without an owner. */
static void test_undetermined(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX], value[32];

	(void)state;
	facts_clear(&scene->disk.facts, FACT_LIBATA);
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	expect(text, "QUEUE_DEPTH", "32");
	assert_int_equal(record_get(text, "QUEUE_DEPTH_BY", value, sizeof(value)),
			 -ENOENT);
	expect(text, "NR_REQUESTS_BY", "kernel");
}

/* A figure that was not measured has no line, and without a measurement there is none. */
static void test_measured_in_part(void **state)
{
	static const char *const others[] = { "RANDOM_READ_IOPS_QD1", "KNEE_DEPTH",
					      "SYNC_WRITE_P99_US" };
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX], value[32];

	(void)state;
	scene->measured = (struct digest){ .sequential_kbps = 1, .measured_at = 2 };
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	expect(text, "SEQ_READ_KBPS", "1");
	expect(text, "MEASURED_AT", "2");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ROW_INT(others[i], record_get(text, others[i], value, sizeof(value)),
			-ENOENT);
	assert_int_equal(check_form(text), ARRAY_SIZE(keys) - 2 - 9);
	scene->input.measured = NULL;
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	assert_int_equal(check_form(text), ARRAY_SIZE(keys) - 2 - 11);
}

static void test_nothing_known(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX];

	(void)state;
	facts_init(&scene->disk.facts);
	facts_set_text(&scene->disk.facts, FACT_DEV, "8:0");
	scene->disk.n_leaves = 0;
	scene->class = (struct disk_class){ 0 };
	scene->selection = (struct selection){ 0 };
	scene->diagnosis = (struct diagnosis){ 0 };
	scene->input.measured = NULL;
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	assert_string_equal(text, "BLKADVISE_FORMAT=1\nBLKADVISE_DEVNUM=8:0\n"
				  "BLKADVISE_CLASS=unknown\nBLKADVISE_MEDIUM=unknown\n"
				  "BLKADVISE_CLASS_CONFIDENCE=low\n");
	facts_clear(&scene->disk.facts, FACT_DEV);
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), -ENODATA);
}

/* Each fact alone: its absence takes away its own keys and no others. */
static void test_absence(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char all[RECORD_MAX], text[RECORD_MAX];
	struct disk_facts facts = scene->disk.facts;

	(void)state;
	assert_int_equal(record_format(&scene->input, all, sizeof(all)), 0);
	for (int i = 0; i < _FACT_MAX; i++) {
		size_t lines = 0;

		if (i == FACT_DEV)
			continue;
		scene->disk.facts = facts;
		facts_clear(&scene->disk.facts, (enum fact)i);
		assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
		lines = check_form(text);
		assert_true(lines == ARRAY_SIZE(keys) - 2 ||
			    lines == ARRAY_SIZE(keys) - 3 ||
			    lines == ARRAY_SIZE(keys) - 4);
		assert_null(strstr(text, "=-1\n"));
		assert_null(strstr(text, "=\n"));
	}
}

static void test_hostile(void **state)
{
	static const char *const hostile[] = {
		"A\nBLKADVISE_CLASS=nvme-ssd",
		"'\"$(reboot)`id`\\;&|<>",
		"\xff\xfe\xc3\xa4 \x01\x7f",
		"                 x                ",
		"%s%s%n",
	};
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hostile); i++) {
		for (int fact = 0; fact < _FACT_MAX; fact++) {
			if (facts_known(&scene->disk.facts, (enum fact)fact))
				facts_set_text(&scene->disk.facts, (enum fact)fact,
					       hostile[i]);
		}
		assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
		(void)check_form(text);
		expect(text, "CLASS", "sata-ssd");
	}
}

/* The full text fits into its own length and a NUL, and never writes beyond the size. */
static void test_no_room(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX];
	size_t len = 0;

	(void)state;
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	len = strlen(text);
	assert_int_equal(record_format(&scene->input, text, len + 1), 0);
	for (size_t size = 0; size <= len; size++) {
		memset(text, '#', sizeof(text));
		assert_int_equal(record_format(&scene->input, text, size), -ENOSPC);
		for (size_t i = size; i < size + 64; i++)
			assert_int_equal(text[i], '#');
	}
}

static void test_many_members(void **state)
{
	_cleanup_scene_ struct scene *scene = new_scene();
	char text[RECORD_MAX];

	(void)state;
	free(scene->disk.leaves);
	scene->disk.n_leaves = 400;
	scene->disk.leaves = calloc(scene->disk.n_leaves, sizeof(*scene->disk.leaves));
	assert_non_null(scene->disk.leaves);
	for (size_t i = 0; i < scene->disk.n_leaves; i++) {
		char dev[32];

		(void)snprintf(dev, sizeof(dev), "259:%zu", i + 1048000);
		facts_init(&scene->disk.leaves[i].facts);
		facts_set_text(&scene->disk.leaves[i].facts, FACT_DEV, dev);
	}
	assert_int_equal(record_format(&scene->input, text, sizeof(text)), 0);
	(void)check_form(text);
	assert_true(strlen(text) < sizeof(text));
}

#define TEXT_A                                                                           \
	"BLKADVISE_FORMAT=1\nBLKADVISE_DEVNUM=8:0\nBLKADVISE_DISKSEQ=9\nBLKADVISE_NAME=" \
	"a\n"
#define TEXT_B                                                                           \
	"BLKADVISE_FORMAT=1\nBLKADVISE_DEVNUM=8:0\nBLKADVISE_DISKSEQ=9\nBLKADVISE_NAME=" \
	"b\n"
#define FILE_8_0 PATH_DISKS "/8:0"

static void test_publish(void **state)
{
	struct root *root = *state;
	struct stat st = { 0 };

	assert_int_equal(record_publish(root, "8:0", TEXT_A, 100), 1);
	assert_string_equal(
		folder_get(root, FILE_8_0),
		"BLKADVISE_FORMAT=1\nBLKADVISE_DEVNUM=8:0\nBLKADVISE_DISKSEQ=9\n"
		"BLKADVISE_GENERATION=1\nBLKADVISE_PUBLISHED_AT=100\n"
		"BLKADVISE_NAME=a\n");
	assert_int_equal(record_publish(root, "8:0", TEXT_A, 200), 0);
	expect(folder_get(root, FILE_8_0), "PUBLISHED_AT", "100");
	assert_int_equal(record_publish(root, "8:0", TEXT_B, 300), 1);
	expect(folder_get(root, FILE_8_0), "GENERATION", "2");
	expect(folder_get(root, FILE_8_0), "PUBLISHED_AT", "300");
	assert_int_equal(record_publish(root, "8:0", TEXT_A, 400), 1);
	expect(folder_get(root, FILE_8_0), "GENERATION", "3");
	assert_int_equal(stat(folder_path_of(root, FILE_8_0), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(folder_count(root, PATH_DISKS), 1);
}

static void test_publish_over_garbage(void **state)
{
	static const char *const garbage[] = {
		"", "nonsense", "BLKADVISE_GENERATION=x\n", "BLKADVISE_GENERATION=\n",
		"BLKADVISE_GENERATION", "\n\n\n",
	};
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(garbage); i++) {
		folder_put(root, FILE_8_0, garbage[i]);
		ROW_INT(garbage[i], record_publish(root, "8:0", TEXT_A, 1), 1);
		expect(folder_get(root, FILE_8_0), "GENERATION", "1");
	}
	assert_int_equal(record_publish(root, "../8:0", TEXT_A, 1), -EINVAL);
	assert_int_equal(record_publish(root, "", TEXT_A, 1), -EINVAL);
}

static void test_withdraw(void **state)
{
	struct root *root = *state;
	char before[512];

	assert_int_equal(record_withdraw(root, "8:0", NULL), 0);
	assert_int_equal(record_publish(root, "8:0", TEXT_A, 1), 1);
	(void)snprintf(before, sizeof(before), "%s", folder_get(root, FILE_8_0));
	assert_int_equal(record_withdraw(root, "8:0", "8"), 2); /* a later disk's */
	assert_string_equal(folder_get(root, FILE_8_0), before);
	assert_int_equal(record_withdraw(root, "8:16", "9"), 0);
	assert_int_equal(folder_count(root, PATH_DISKS), 1);
	/* The number of a disk rises when its medium changes: still the same disk. */
	assert_int_equal(record_withdraw(root, "8:0", "10"), 1);
	assert_int_equal(record_publish(root, "8:0", TEXT_A, 1), 1);
	assert_int_equal(record_withdraw(root, "8:0", "9"), 1);
	assert_int_equal(folder_count(root, PATH_DISKS), 0);
	assert_int_equal(record_publish(root, "8:0", TEXT_A, 1), 1);
	assert_int_equal(record_withdraw(root, "8:0", NULL), 1);
	folder_put(root, FILE_8_0, "BLKADVISE_FORMAT=1\n");
	assert_int_equal(record_withdraw(root, "8:0", "9"), 1);
	assert_int_equal(record_withdraw(root, "../8:0", NULL), -EINVAL);
}

static void test_get(void **state)
{
	char value[8] = "old";

	(void)state;
	assert_int_equal(record_get(TEXT_A, "NAME", value, sizeof(value)), 0);
	assert_string_equal(value, "a");
	assert_int_equal(record_get(TEXT_A, "NAM", value, sizeof(value)), -ENOENT);
	assert_int_equal(record_get(TEXT_A, "DISK", value, sizeof(value)), -ENOENT);
	assert_int_equal(record_get("", "NAME", value, sizeof(value)), -ENOENT);
	assert_int_equal(
		record_get("BLKADVISE_NAME=01234567", "NAME", value, sizeof(value)),
		-ENAMETOOLONG);
	assert_string_equal(value, "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every key once, in order, with a safe value", test_all_keys),
		TEST("a value of which nothing tells whose it is", test_undetermined),
		TEST("a disk that was measured in part", test_measured_in_part),
		TEST("a disk of which nothing is known", test_nothing_known),
		TEST("an absent fact is an absent key", test_absence),
		TEST("hostile texts stay values", test_hostile),
		TEST("no room is -ENOSPC", test_no_room),
		TEST("more members than fit", test_many_members),
		FOLDER_TEST("the generation rises with the content only", test_publish),
		FOLDER_TEST("a file that is no record is replaced",
			    test_publish_over_garbage),
		FOLDER_TEST("withdrawing, by disk sequence", test_withdraw),
		TEST("a key's value", test_get),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
