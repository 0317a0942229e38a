/* SPDX-License-Identifier: MIT */
/*
 * The runner: which blocks it asks for and in which order, that it touches those and no
 * others, and how latencies are counted. Nothing here depends on how fast the machine is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "runner-file.h"

static void test_random_order(void **state)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(*state, &ways[i], WORK_RANDOM_READ);
		struct run_result result = { 0 };
		int r = 0;

		watch_anew();
		r = run_points(&run, &result);
		if (is_missing(&ways[i], r))
			continue;
		ROW_INT(ways[i].name, r, 0);
		check_evenly(ways[i].name, USED);
		check_result(ways[i].name, &run, &result);
	}
}

/* Not one after the other, not the same for each seed, and the same for the same seed. */
static void test_seeds(void **state)
{
	struct run run = run_of(*state, way_threads, WORK_RANDOM_READ);
	uint64_t first[3][USED];
	unsigned int rising = 0;

	for (unsigned int i = 0; i < 3; i++) {
		struct order order = { 0 };

		run.seed = i == 1 ? 8 : 7;
		assert_int_equal(order_begin(&run, &order), 0);
		for (unsigned int k = 0; k < USED; k++)
			first[i][k] = order_next(&order);
	}
	assert_memory_equal(first[0], first[2], sizeof(first[0]));
	assert_memory_not_equal(first[0], first[1], sizeof(first[0]));
	for (unsigned int k = 1; k < USED; k++)
		rising += first[0][k] == first[0][k - 1] + PAGE;
	assert_true(rising < USED / 2);
}

/* A permutation of each number of blocks, the powers of two and their neighbours too. */
static void test_permutations(void **state)
{
	struct file *file = *state;
	struct run run = run_of(file, way_threads, WORK_RANDOM_READ);

	file->target.n_extents = 1;
	for (unsigned int n = 1; n <= BLOCKS; n++) {
		struct order order = { 0 };

		watch_anew();
		file->extents[0] = (struct extent){ 0, (uint64_t)n * PAGE };
		assert_int_equal(order_begin(&run, &order), 0);
		for (unsigned int k = 0; k < n; k++)
			(void)order_next(&order);
		for (unsigned int k = 0; k < n; k++)
			if (asked.seen[k] != 1)
				fail_msg("%u of %u: %u times", k, n, asked.seen[k]);
	}
}

static void test_sequential_order(void **state)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(*state, &ways[i], WORK_SEQUENTIAL_READ);
		struct run_result result = { 0 };
		bool one_thread = ways[i].engine == IO_ENGINE_IO_URING || run.depth == 1;
		int r = 0;

		run.seed = USED + 50; /* near the end, so that it wraps */
		run.block_kb = 8;
		watch_anew();
		r = run_points(&run, &result);
		if (is_missing(&ways[i], r))
			continue;
		ROW_INT(ways[i].name, r, 0);
		check_evenly(ways[i].name, 28);
		check_result(ways[i].name, &run, &result);
		for (uint64_t k = 0; k < asked.calls && k < LOG_MAX; k++) {
			uint64_t number = (USED + 50 + k) % 28;
			uint64_t want = number < 12 ? (8 + number * 2) * PAGE :
						      (48 + (number - 12) * 2) * PAGE;

			if (one_thread && ways[i].mode == IO_MODE_DIRECT)
				ROW_INT(ways[i].name, asked.log[k], want);
		}
	}
}

/* --- what is touched -------------------------------------------------------------- */

/* Which pages are in the page cache. */
static void resident_pages(const struct file *file, unsigned char pages[BLOCKS])
{
	void *map = mmap(NULL, BLOCKS * PAGE, PROT_READ, MAP_SHARED,
			 file->target.cached_fd, 0);

	assert_true(map != MAP_FAILED);
	assert_int_equal(mincore(map, BLOCKS * PAGE, pages), 0);
	(void)munmap(map, BLOCKS * PAGE);
}

static atomic_bool stop;

/* With the hint random nothing is read but what is asked for. */
static void test_touched(void **state)
{
	struct file *file = *state;
	unsigned char pages[BLOCKS];

	if (file->in_memory || sysconf(_SC_PAGESIZE) != PAGE) {
		print_message("a file in memory, or larger pages: nothing to see\n");
		skip();
	}
	for (size_t i = 0; i < WAYS; i++) {
		struct run run = run_of(file, &ways[i], WORK_RANDOM_READ);
		struct run_result result = { 0 };

		if (run.hint != HINT_RANDOM)
			continue;
		watch_anew();
		asked.odd_resident = true;
		file_fill(file);
		resident_pages(file, pages);
		for (unsigned int k = 0; k < BLOCKS; k++)
			ROW_INT(ways[i].name, pages[k] & 1, 0);
		/* It ends after a pass, however long that takes. */
		stop = false;
		run.stop = &stop;
		asked.stop = &stop;
		asked.stop_at = USED;
		run.duration_ms = HOUR_MS;
		ROW_INT(ways[i].name, run_points(&run, &result), -EINTR);
		resident_pages(file, pages);
		for (unsigned int k = 0; k < BLOCKS; k++)
			ROW_INT(ways[i].name, pages[k] & 1,
				page_is_inside(k) && k % 2 == 0);
	}
}

/* Where all was in the page cache, it reads that. */
static void test_all_resident(void **state)
{
	struct run run = run_of(*state, way_buffered, WORK_RANDOM_READ);
	struct run_result result = { 0 };

	asked.all_resident = true;
	assert_int_equal(run_points(&run, &result), 0);
	assert_true(result.operations >= 1);
	assert_true(asked.calls > result.latencies.n);
}

/* Each block asked for has new data, no two the same, and the rest is as it was. */
static void check_written(const char *name, const struct file *file)
{
	static unsigned char pages[BLOCKS][PAGE];
	unsigned int number = 0;

	(void)posix_fadvise(file->target.cached_fd, 0, 0, POSIX_FADV_DONTNEED);
	for (unsigned int k = 0; k < BLOCKS; k++) {
		bool written = page_is_inside(k) && asked.seen[number] > 0;

		number += page_is_inside(k);
		file_page(file, k, pages[k]);
		ROW_INT(name, page_is_constant(pages[k]), !written);
		if (!written)
			ROW_INT(name, pages[k][0], (unsigned char)(k + 1));
		for (unsigned int m = 0; m < k; m++)
			ROW_INT(name, memcmp(pages[k], pages[m], PAGE) != 0, true);
	}
}

static void test_writes(void **state)
{
	static const enum work works[] = { WORK_RANDOM_WRITE, WORK_SEQUENTIAL_WRITE,
					   WORK_JOURNAL_WRITE };

	for (size_t i = 0; i < WAYS * ARRAY_SIZE(works); i++) {
		const struct way *way = &ways[i / ARRAY_SIZE(works)];
		struct run run = run_of(*state, way, works[i % ARRAY_SIZE(works)]);
		struct run_result result = { 0 };
		int r = 0;

		if (way->mode != IO_MODE_DIRECT)
			continue;
		watch_anew();
		file_fill(*state);
		run.duration_ms = 2;
		r = run_points(&run, &result);
		if (is_missing(way, r))
			continue;
		ROW_INT(way->name, r, 0);
		check_evenly(way->name, USED);
		check_result(way->name, &run, &result);
		check_written(way->name, *state);
	}
}

static void test_writes_refused(void **state)
{
	struct file *file = *state;
	unsigned char page[PAGE];

	for (size_t i = 0; i < WAYS * _WORK_MAX; i++) {
		const struct way *way = &ways[i / _WORK_MAX];
		struct run run = run_of(file, way, (enum work)(i % _WORK_MAX));
		struct run_result result = { .operations = 12345 };

		if (run.work == WORK_RANDOM_READ || run.work == WORK_SEQUENTIAL_READ)
			continue;
		file->target.own = false;
		ROW_INT(way->name, run_points(&run, &result), -EPERM);
		file->target.own = true;
		if (way->mode != IO_MODE_DIRECT)
			ROW_INT(way->name, run_points(&run, &result), -EINVAL);
		ROW_INT(way->name, result.operations, 12345);
	}
	assert_int_equal(asked.calls, 0);
	for (unsigned int k = 0; k < BLOCKS; k++) {
		file_page(file, k, page);
		assert_true(page_is_constant(page) && page[0] == k + 1);
	}
}

/* --- latencies -------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void check_percentiles(const struct histogram *histogram, uint64_t *values,
			      size_t n)
{
	static const unsigned int at[] = { 0, 1, 10, 250, 500, 900, 990, 999, 1000 };

	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		size_t rank = (n * at[i] + 999) / 1000;
		uint64_t exact = values[rank > 0 ? rank - 1 : 0];
		uint64_t got = histogram_at(histogram, at[i]);

		if (got < exact || got - exact > exact / 32)
			fail_msg("%zu values, %u per mille: %llu, not %llu", n, at[i],
				 (unsigned long long)got, (unsigned long long)exact);
	}
}

static void test_percentiles(void **state)
{
	static uint64_t values[20000];
	static const size_t counts[] = { 1, 2, 3, 99, 100, 101, 20000 };

	for (unsigned int spread = 1; spread <= 30; spread++) {
		for (size_t c = 0; c < ARRAY_SIZE(counts); c++) {
			struct histogram whole = { 0 }, halves[2] = { 0 };

			for (size_t i = 0; i < counts[c]; i++) {
				uint64_t made = order_mix(i * 31 + spread);

				/* As many of each magnitude, up to 2^spread. */
				values[i] = 1 + (made >> 34) % (1U << (made % spread));
				histogram_add(&whole, values[i]);
				histogram_add(&halves[i % 2], values[i]);
			}
			histogram_merge(&halves[0], &halves[1]);
			assert_memory_equal(&halves[0], &whole, sizeof(whole));
			check_percentiles(&whole, values, counts[c]);
		}
	}
}

static void test_extremes(void **state)
{
	struct histogram histogram = { 0 };

	assert_int_equal(histogram_at(&histogram, 500), 0);
	histogram_add(&histogram, 0);
	assert_int_equal(histogram_at(&histogram, 0), 1);
	assert_int_equal(histogram_at(&histogram, 1000), 1);
	histogram_add(&histogram, UINT64_MAX);
	histogram_add(&histogram, 1ULL << 31);
	assert_int_equal(histogram_at(&histogram, 500), (1ULL << 31) - 1);
	assert_int_equal(histogram_at(&histogram, 300), 1);
	assert_int_equal(histogram.n, 3);
}

/* Each value by itself, where buckets begin and end. */
static void test_edges(void **state)
{
	for (unsigned int bit = 0; bit < 31; bit++) {
		for (int step = -2; step <= 2; step++) {
			uint64_t value = (1ULL << bit) + (uint64_t)step;
			struct histogram histogram = { 0 };

			if ((int64_t)value < 1)
				continue;
			histogram_add(&histogram, value);
			check_percentiles(&histogram, &value, 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("percentiles are exact to a 32nd", test_percentiles),
		TEST("an empty histogram, nothing, and for ever", test_extremes),
		TEST("the ends of buckets", test_edges),
		FILE_TEST("no block twice in a pass", test_random_order),
		FILE_TEST("an order for each seed", test_seeds),
		FILE_TEST("permutations of each length", test_permutations),
		FILE_TEST("a sequence, and from its end on again", test_sequential_order),
		FILE_TEST("nothing but the blocks asked for is read", test_touched),
		FILE_TEST("all was in the page cache", test_all_resident),
		FILE_TEST("nothing but the blocks asked for is written", test_writes),
		FILE_TEST("writes to what is not ours", test_writes_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
