/* SPDX-License-Identifier: MIT */
/*
 * From made measurements to digest and advice, and the bounds of the classes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise-rows.h"
#include "support.h"

#define TEXT_MAX 8192

static void parse_point(char *line, struct point *ret)
{
	char *words[16] = { NULL }, *place = NULL;
	size_t n = 0;

	for (char *word = strtok_r(line, " ", &place); word && n < ARRAY_SIZE(words);
	     word = strtok_r(NULL, " ", &place))
		words[n++] = word;
	assert_true(n >= 8);
	*ret = (struct point){
		.work = (enum work)work_from_string(words[0]),
		.mode = (enum io_mode)io_mode_from_string(words[1]),
		.hint = (enum hint)hint_from_string(words[2]),
		.block_kb = (uint32_t)atoi(words[3]),
		.depth = (uint32_t)atoi(words[4]),
		.operations = (uint64_t)atoi(words[5]),
		.duration_us = 1000000,
		.p50_us = (uint32_t)atoi(words[6]),
		.p99_us = (uint32_t)atoi(words[7]),
		.measured_at = 1700000000,
	};
	for (size_t i = 8; i < n; i++) {
		int limit = limit_from_string(words[i]);

		assert_true(limit >= 0);
		ret->limits |= 1U << limit;
	}
}

static void parse_points(const char *text, struct measurement *ret)
{
	char lines[TEXT_MAX], *place = NULL;

	memset(ret, 0, sizeof(*ret));
	assert_true(strlen(text) < sizeof(lines));
	strcpy(lines, text);
	for (char *line = strtok_r(lines, "\n", &place); line;
	     line = strtok_r(NULL, "\n", &place))
		parse_point(line, &ret->points[ret->n++]);
}

static uint32_t parse_value(enum advice_key key, const char *value)
{
	switch (advice_key_type(key)) {
	case ADVICE_TYPE_IO_MODE:
		return (uint32_t)io_mode_from_string(value);
	case ADVICE_TYPE_HINT:
		return (uint32_t)hint_from_string(value);
	case ADVICE_TYPE_NUMBER:
		break;
	}
	return (uint32_t)atoi(value);
}

/* "key=value"; behind "/etc" or "/run" they are the administrator's. */
static void parse_given(const char *text, struct advice *ret)
{
	char words[TEXT_MAX], *place = NULL;
	char where[96] = "/usr/lib/blkadvise/policy.d/60-advice.policy:1";

	memset(ret, 0, sizeof(*ret));
	ret->random_confident = ret->scan_confident = true;
	assert_true(strlen(text) < sizeof(words));
	strcpy(words, text);
	for (char *word = strtok_r(words, " ", &place); word;
	     word = strtok_r(NULL, " ", &place)) {
		char *value = strchr(word, '=');
		int key = 0;

		if (!value) {
			(void)snprintf(where, sizeof(where),
				       "%s/blkadvise/policy.d/70-local.policy:1", word);
			continue;
		}
		*value++ = '\0';
		key = advice_key_from_string(word);
		assert_true(key >= 0);
		ret->known[key] = true;
		ret->value[key] = parse_value((enum advice_key)key, value);
		strcpy(ret->where[key], where);
	}
}

/* What was measured; the reasons of numbers of FITS are those of EXCEEDS. */
static void format_measured(const struct advice *advice, char *buf, size_t size)
{
	int n = snprintf(buf, size, "random %s %s, scan %s %s\n",
			 advice_source_to_string(advice->random_from),
			 advice->random_confident ? "high" : "low",
			 advice_source_to_string(advice->scan_from),
			 advice->scan_confident ? "high" : "low");

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		const char *name = advice_key_to_string((enum advice_key)i);
		char value[24];

		if (!advice->known[i] || strcmp(advice->where[i], "measured") != 0)
			continue;
		n += snprintf(
			buf + n, size - (size_t)n, "%s=%s", name,
			advice_format(advice, (enum advice_key)i, value, sizeof(value)));
		if (!strstr(name, "_fits_") ||
		    advice_key_type((enum advice_key)i) != ADVICE_TYPE_NUMBER)
			n += snprintf(buf + n, size - (size_t)n, ": %s", advice->why[i]);
		n += snprintf(buf + n, size - (size_t)n, "\n");
	}
}

static void test_rows(void **state)
{
	bool failed = false;

	(void)state;
	for (size_t i = 0; i < n_advise_rows; i++) {
		const struct advise_row *row = &advise_rows[i];
		struct disk_class class = { .class = row->class, .remote = row->remote };
		struct measurement measurement;
		struct advice advice;
		char got[TEXT_MAX];

		parse_points(row->points, &measurement);
		parse_given(row->given, &advice);
		advise_measured(&class, &measurement, row->stale, row->device_depth,
				&advice);
		format_measured(&advice, got, sizeof(got));
		if (strcmp(got, row->want) == 0)
			continue;
		failed = true;
		(void)fprintf(stderr, "%s: got\n%s\nnot\n%s\n", row->name, got,
			      row->want);
	}
	assert_false(failed);
}

/* What gave a value that stays is still told, and nothing else than advice is touched. */
static void test_untouched(void **state)
{
	struct disk_class class = { .class = CLASS_SATA_SSD };
	struct measurement measurement;
	struct advice before, after;

	(void)state;
	parse_given(LOCAL DEPTHS("32") "/etc journal_depth=3", &before);
	memcpy(&after, &before, sizeof(after)); /* with its padding */
	parse_points(DIRECT_32, &measurement);
	advise_measured(&class, &measurement, 1U << STALE_CLASS, 32, &after);
	assert_memory_equal(&before, &after, sizeof(after));
	measurement.n = 0;
	advise_measured(&class, &measurement, 0, 1, &after);
	assert_memory_equal(&before, &after, sizeof(after));
}

/* What little is read from may be a drive's cache: the figures stay, not the trust. */
static void test_small_area(void **state)
{
	static const struct {
		const char *name;
		enum medium medium;
		uint64_t area_kb;
		bool confident;
	} rows[] = {
		{ "not known", MEDIUM_ROTATIONAL, 0, true },
		{ "flash, enough", MEDIUM_FLASH, AREA_KB_MIN, true },
		{ "flash, less", MEDIUM_FLASH, AREA_KB_MIN - 1, false },
		{ "rotational, enough", MEDIUM_ROTATIONAL, AREA_KB_MIN_ROTATIONAL, true },
		{ "rotational, less", MEDIUM_ROTATIONAL, AREA_KB_MIN_ROTATIONAL - 1,
		  false },
	};
	struct measurement measurement;

	(void)state;
	parse_points(DIRECT_32 "sequential-read buffered sequential 256 1 2080 480 600\n",
		     &measurement);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct disk_class class = { .class = CLASS_SATA_SSD,
					    .medium = rows[i].medium };
		struct advice advice;

		measurement.area_kb = rows[i].area_kb;
		parse_given(LOCAL DEPTHS("4"), &advice);
		advise_measured(&class, &measurement, 0, 32, &advice);
		ROW_INT(rows[i].name, advice.value[ADVICE_RANDOM_EXCEEDS_DEPTH], 32);
		ROW_INT(rows[i].name, advice.random_confident, rows[i].confident);
		ROW_INT(rows[i].name, advice.scan_confident, rows[i].confident);
	}
}

static void test_digest(void **state)
{
	struct measurement measurement;
	struct digest digest;

	(void)state;
	parse_points(DIRECT_32 "sequential-read buffered sequential 256 1 2080 480 600\n"
			       "sequential-read direct normal 1024 4 530 7000 9000\n"
			       "random-write direct normal 4 1 20000 40 90\n"
			       "random-write direct normal 4 32 80000 300 900\n"
			       "sequential-write direct normal 1024 4 500 7000 9000\n"
			       "journal-write direct normal 4 1 900 1000 1500\n"
			       "journal-write direct normal 8 1 890 1000 1600\n",
		     &measurement);
	measurement.points[2].measured_at = 1700000009;
	measurement.points[0].limits = 1U << LIMIT_CPU;
	measurement_digest(&measurement, 0, &digest);
	assert_int_equal(digest.random_iops_qd1, 9700);
	assert_int_equal(digest.random_iops_qd16, 81000);
	assert_int_equal(digest.random_iops_peak, 95000);
	assert_int_equal(digest.knee_depth, 32);
	assert_int_equal(digest.latency_depth, 16);
	assert_int_equal(digest.largest_depth, 32);
	assert_int_equal(digest.random_p50_us, 95);
	assert_int_equal(digest.random_p99_us, 150);
	assert_int_equal(digest.sequential_kbps, 530 * 1024);
	assert_int_equal(digest.random_write_iops, 80000);
	assert_int_equal(digest.sequential_write_kbps, 500 * 1024);
	assert_int_equal(digest.journal_p99_us, 1500);
	assert_int_equal(digest.measured_at, 1700000009);
	assert_int_equal(digest.limits, 1U << LIMIT_CPU);
	assert_true(digest.peak_is_open);
}

/* What was not measured, or does not count, is 0. */
static void test_digest_gaps(void **state)
{
	struct measurement measurement;
	struct digest digest;

	(void)state;
	parse_points("random-read direct normal 4 2 9700 95 150\n"
		     "random-read direct normal 4 16 9700 95 150 cache\n"
		     "random-read buffered random 4 1 9700 95 150\n"
		     "journal-write direct normal 8 1 890 1000 1600\n",
		     &measurement);
	measurement_digest(&measurement, 0, &digest);
	assert_int_equal(digest.random_iops_qd1, 0);
	assert_int_equal(digest.random_iops_qd16, 0);
	assert_int_equal(digest.random_p50_us, 0);
	assert_int_equal(digest.latency_depth, 0);
	assert_int_equal(digest.journal_p99_us, 0);
	assert_int_equal(digest.sequential_kbps, 0);
	assert_int_equal(digest.knee_depth, 2);
	assert_int_equal(digest.largest_depth, 2);
	measurement_digest(&measurement, 1U << STALE_SIZE, &digest);
	assert_int_equal(digest.random_iops_peak, 0);
	assert_int_equal(digest.knee_depth, 0);
	assert_int_equal(digest.measured_at, 0);
	assert_false(digest.peak_is_open);
}

/* A file may say anything: no rate is so large that its knee is not found. */
static void test_huge(void **state)
{
	struct disk_class class = { .class = CLASS_UNKNOWN };
	struct measurement measurement;
	struct digest digest;
	struct advice advice;

	(void)state;
	parse_points("random-read direct normal 4 1 9700 95 150\n"
		     "random-read direct normal 4 2 9700 95 150\n"
		     "sequential-read buffered sequential 256 1 2080 480 600\n",
		     &measurement);
	for (size_t i = 0; i < measurement.n; i++) {
		measurement.points[i].operations = UINT64_MAX - i;
		measurement.points[i].duration_us = 1;
	}
	measurement_digest(&measurement, 0, &digest);
	assert_int_equal(digest.knee_depth, 1);
	parse_given("", &advice);
	advise_measured(&class, &measurement, 0, 0, &advice);
	assert_int_equal(advice.value[ADVICE_RANDOM_EXCEEDS_DEPTH], 1);
	assert_int_equal(advice.value[ADVICE_SCAN_EXCEEDS_DEPTH], 1);
}

static const struct {
	const char *name, *point;
	enum class class;
	const char *problem; /* NULL: plausible */
} bounds[] = {
	{ "SATA at its line rate", "sequential-read direct normal 1024 4 560 7 9",
	  CLASS_SATA_SSD, NULL },
	{ "SATA beyond", "sequential-read buffered sequential 1024 4 700 7 9",
	  CLASS_SATA_SSD,
	  "734 MB/s is more than a sata-ssd can do: 6 Gbit/s in 8b/10b are 600 MB/s" },
	{ "at random, too", "random-read direct normal 4 32 400000 80 90", CLASS_SATA_SSD,
	  "1638 MB/s is more than a sata-ssd can do: 6 Gbit/s in 8b/10b are 600 MB/s" },
	{ "reads from the page cache are not the disk's",
	  "random-read mmap random 4 32 400000 1 2", CLASS_SATA_SSD, NULL },
	{ "rotating, short strokes", "random-read direct normal 4 1 480 2000 4000",
	  CLASS_SAS_HDD, NULL },
	{ "rotating, from a cache", "random-read direct normal 4 1 9000 110 200",
	  CLASS_SATA_HDD,
	  "9000 reads/s one by one are more than a sata-hdd can do: half a turn takes 2 "
	  "ms "
	  "at 15,000 a minute" },
	{ "rotating, half from a cache", "random-read direct normal 4 32 700 400 90000",
	  CLASS_SATA_HDD,
	  "half of the reads took at most 400 us, less than a sata-hdd needs: half a "
	  "turn "
	  "takes 2 ms at 15,000 a minute" },
	{ "writes go into the drive's cache",
	  "random-write direct normal 4 1 20000 50 90", CLASS_SATA_HDD, NULL },
	{ "3D XPoint", "random-read direct normal 4 1 108300 9 10", CLASS_NVME_SSD,
	  NULL },
	{ "3D XPoint, polled", "random-read direct normal 4 1 250000 4 5", CLASS_NVME_SSD,
	  NULL },
	{ "PCIe 6.0 x4", "sequential-read direct normal 1024 32 27000 900 1000",
	  CLASS_NVME_SSD, NULL },
	{ "nothing in a microsecond", "random-read direct normal 4 8 900000 1 2",
	  CLASS_NVME_SSD,
	  "half of the reads took at most 1 us, less than a nvme-ssd needs: no read "
	  "comes "
	  "back over PCIe faster" },
	{ "a hypervisor's disk may be anything",
	  "random-read direct normal 4 1 900000 1 2", CLASS_VIRTUAL_DISK, NULL },
	{ "so may what is not known", "random-read direct normal 4 1 900000 1 2",
	  CLASS_UNKNOWN, NULL },
	{ "a medium that is not known may be flash",
	  "random-read direct normal 4 1 9000 110 200", CLASS_SATA_DISK, NULL },
};

static void test_bounds(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		struct disk_class class = { .class = bounds[i].class };
		char line[128], problem[256] = "";
		struct point point;

		strcpy(line, bounds[i].point);
		parse_point(line, &point);
		ROW_INT(bounds[i].name,
			point_is_plausible(&point, &class, problem, sizeof(problem)),
			!bounds[i].problem);
		ROW_TEXT(bounds[i].name, problem,
			 bounds[i].problem ? bounds[i].problem : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("little was read from", test_small_area),
		TEST("made measurements give their advice", test_rows),
		TEST("without points that count nothing changes", test_untouched),
		TEST("the figures of a measurement", test_digest),
		TEST("figures that were not measured", test_digest_gaps),
		TEST("figures beyond all bounds", test_huge),
		TEST("what a class can do", test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
