/* SPDX-License-Identifier: MIT */
/*
 * What is read from: where a file has data, which files and folders are refused and why,
 * what of the page cache is looked after, and the plan of what is read. Nothing is timed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "measure/plan.h"
#include "measure/target.h"
#include "support.h"

#define MIB (1ULL << 20)
#define TMPFS 0x01021994

static bool is_tmpfs(const char *path)
{
	struct statfs fs = { 0 };

	return statfs(path, &fs) >= 0 && fs.f_type == TMPFS;
}

/* Files here must lie on a disk; where /tmp is memory there is nothing to test. */
static void need_disk(const struct root *root)
{
	if (is_tmpfs(folder_path_of(root, "/"))) {
		print_message("/tmp is a tmpfs\n");
		skip();
	}
}

static int make_file(const struct root *root, const char *path)
{
	int fd = open(folder_path_of(root, path), O_CREAT | O_RDWR | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	return fd;
}

/* Data that is on the disk, from @start on. */
static void write_data(int fd, uint64_t start, uint64_t length)
{
	_cleanup_free_ char *buffer = malloc(MIB);

	assert_non_null(buffer);
	memset(buffer, 'x', MIB);
	for (uint64_t at = 0; at < length; at += MIB)
		assert_int_equal(pwrite(fd, buffer, MIB, (off_t)(start + at)), MIB);
	assert_int_equal(fsync(fd), 0);
}

static int open_target(const struct root *root, const char *path,
		       struct measure_report *report, struct target *ret)
{
	const char *full = folder_path_of(root, path);
	struct measure_request request = { .path = full };

	memset(report, 0, sizeof(*report));
	return target_open(&request, report, ret);
}

static void refused(const struct root *root, const char *path, int error, const char *why)
{
	struct measure_report report = { 0 };
	struct target target = { 0 };

	ROW_INT(path, open_target(root, path, &report, &target), error);
	if (!strstr(report.refusal, why))
		fail_msg("%s: \"%s\" does not say \"%s\"", path, report.refusal, why);
}

static void test_extents_add(void **state)
{
	_cleanup_(extents_done) struct extents extents = { 0 };

	assert_int_equal(extents_add(&extents, 4096, 8192), 0);
	assert_int_equal(extents_add(&extents, 8192, 12288), 0);
	assert_int_equal(extents_add(&extents, 12288, 12288), 0);
	for (uint64_t i = 2; i < 40; i++)
		assert_int_equal(extents_add(&extents, i * MIB, i * MIB + 4096), 0);
	assert_int_equal(extents.n, 39);
	assert_int_equal(extents.list[0].length, 8192);
	assert_int_equal(extents.list[38].start, 39 * MIB);
	assert_int_equal(extents.list[38].before, 8192 + 37 * 4096);
	assert_int_equal(extents.usable, 8192 + 38 * 4096);
}

static void check_blocks(const struct target *target, uint32_t size, const uint64_t *want,
			 uint64_t n)
{
	_cleanup_(blocks_done) struct blocks blocks = { 0 };

	assert_int_equal(blocks_count(target, size, &blocks), 0);
	assert_int_equal(blocks.n, n);
	for (uint64_t i = 0; i < n; i++)
		assert_int_equal(blocks_offset(&blocks, i), want[i]);
}

/* Each block lies within one extent, none reaches into another, and all are reached. */
static void test_blocks(void **state)
{
	struct extent list[] = { { 8192, 8192, 0 }, { 65536, 4096, 8192 },
				 { 131072, 20480, 12288 }, { 262144, 4096, 32768 } };
	struct target target = { .extents = list,
				 .n_extents = ARRAY_SIZE(list),
				 .usable = 36864,
				 .size = 1 << 20 };
	static const uint64_t small[] = { 8192, 12288, 65536, 131072, 135168,
					  139264, 143360, 147456, 262144 };
	static const uint64_t large[] = { 8192, 131072, 139264 };
	static const uint64_t larger[] = { 131072 };
	struct blocks none = { 0 };

	check_blocks(&target, 4096, small, ARRAY_SIZE(small));
	check_blocks(&target, 8192, large, ARRAY_SIZE(large));
	check_blocks(&target, 16384, larger, ARRAY_SIZE(larger));
	/* All extents are shorter: there is no such block, not one made up. */
	check_blocks(&target, 32768, NULL, 0);
	assert_int_equal(blocks_count(&target, 0, &none), -EINVAL);
}

static void test_sparse(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int fd = make_file(root, "/sparse");
	_cleanup_(target_close) struct target target = { .direct_fd = -1,
							 .cached_fd = -1,
							 .dsync_fd = -1 };
	struct measure_report report = { 0 };

	need_disk(root);
	assert_int_equal(ftruncate(fd, 200 * MIB), 0);
	write_data(fd, 10 * MIB, 12 * MIB);
	refused(root, "/sparse", -EOPNOTSUPP, "mostly holes");
	write_data(fd, 100 * MIB, 8 * MIB);
	assert_int_equal(open_target(root, "/sparse", &report, &target), 0);
	assert_int_equal(target.usable, 20 * MIB);
	assert_int_equal(target.n_extents, 2);
	assert_int_equal(target.extents[0].start, 10 * MIB);
	assert_int_equal(target.extents[1].start, 100 * MIB);
	assert_int_equal(target.extents[1].length, 8 * MIB);
	assert_int_equal(fcntl(target.direct_fd, F_GETFL) & (O_ACCMODE | O_DIRECT),
			 O_RDONLY | O_DIRECT);
	assert_int_equal(fcntl(target.cached_fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(target.dsync_fd, -1);
	assert_int_equal(strncmp(report.medium, "file", 4), 0);
}

static void test_refused(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int unwritten = make_file(root, "/unwritten");
	_cleanup_close_ int small = make_file(root, "/small");

	need_disk(root);
	write_data(small, 0, 15 * MIB);
	refused(root, "/small", -ENOSPC, "too small");
	refused(root, "/missing", -ENOENT, "No such file");
	assert_int_equal(mkfifo(folder_path_of(root, "/fifo"), 0600), 0);
	refused(root, "/fifo", -EOPNOTSUPP, "neither a disk");
	if (fallocate(unwritten, 0, 0, 64 * MIB) < 0) {
		print_message("no fallocate here\n");
		skip();
	}
	refused(root, "/unwritten", -EOPNOTSUPP, "never written");
}

static void test_memory(void **state)
{
	char path[] = "/dev/shm/blkadvise-unit-XXXXXX";
	struct measure_request request = { .path = path, .write_folder = "/dev/shm" };
	struct measure_report report = { 0 };
	struct target target = { 0 };
	struct point point = { 0 };
	int fd = is_tmpfs("/dev/shm") ? mkstemp(path) : -1;
	int r = 0, w = 0;

	if (fd < 0) {
		print_message("/dev/shm is no tmpfs\n");
		skip();
	}
	r = ftruncate(fd, 32 * MIB) < 0 ? 1 : target_open(&request, &report, &target);
	w = target_make(&request, 10, &report, &target, &point);
	(void)close(fd);
	(void)unlink(path);
	assert_int_equal(r, -EOPNOTSUPP);
	assert_int_equal(w, -EOPNOTSUPP);
	assert_non_null(strstr(report.refusal, "it lies in memory"));
}

static void test_folder(void **state)
{
	struct root *root = *state;
	_cleanup_free_ char *path = NULL, *again = NULL, *below = NULL;
	_cleanup_close_ int path_fd = -1, again_fd = -1, below_fd = -1;
	_cleanup_close_ int small = make_file(root, "/small");
	int fd = -1;

	assert_int_equal(ftruncate(small, 900 * MIB), 0); /* nothing but a hole */
	assert_int_equal(folder_choose(folder_path_of(root, "/"), &path, &path_fd),
			 -ENOENT);
	refused(root, "/", -ENOSPC, "--write");
	if (fallocate(small, 0, 0, 64 * MIB) < 0) {
		print_message("no fallocate here\n");
		skip();
	}
	assert_int_equal(folder_choose(folder_path_of(root, "/"), &path, &path_fd), 0);
	assert_string_equal(path, folder_path_of(root, "/small"));
	folder_put(root, "/a/b/note", "x");
	fd = make_file(root, "/a/b/large");
	assert_int_equal(fallocate(fd, 0, 0, 70 * MIB), 0);
	(void)close(fd);
	assert_int_equal(symlink("small", folder_path_of(root, "/a/link")), 0);
	assert_int_equal(folder_choose(folder_path_of(root, "/"), &again, &again_fd), 0);
	assert_string_equal(again, folder_path_of(root, "/a/b/large"));
	/* A link may lead anywhere: it stands for nothing in this folder. */
	assert_int_equal(fallocate(small, 0, 0, 80 * MIB), 0);
	assert_int_equal(symlink("../small", folder_path_of(root, "/a/up")), 0);
	assert_int_equal(folder_choose(folder_path_of(root, "/a"), &below, &below_fd), 0);
	assert_string_equal(below, folder_path_of(root, "/a/b/large"));
}

/* What is put in the file's place once it was found is not what is opened. */
static void test_folder_replaced(void **state)
{
	struct root *root = *state;
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = make_file(root, "/large");
	_cleanup_close_ int found = -1;
	struct stat want = { 0 }, got = { 0 };

	if (fallocate(fd, 0, 0, 64 * MIB) < 0) {
		print_message("no fallocate here\n");
		skip();
	}
	assert_int_equal(folder_choose(folder_path_of(root, "/"), &path, &found), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(fstat(fd, &want), 0);
	assert_int_equal(fstat(found, &got), 0);
	assert_int_equal(got.st_ino, want.st_ino);
	assert_true(fcntl(found, F_GETFL) & O_PATH);
}

/* A cluster is no alignment, and an odd one is no reason to have no memory. */
static void test_alignment(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int fd = make_file(root, "/file");
	_cleanup_close_ int direct = open(folder_path_of(root, "/file"),
					  O_RDONLY | O_DIRECT | O_CLOEXEC);
	static const uint32_t odd[] = { 512, 4096, 12288, 520, 32768 };
	static const uint32_t blocks[] = { 4096, 4096, 12288, 66560, 32768 };
	struct stat st = { 0 };

	need_disk(root);
	write_data(fd, 0, MIB);
	assert_true(direct >= 0);
	assert_int_equal(fstat(direct, &st), 0);
	st.st_blksize = 32768;
	assert_int_equal(tried_alignment(direct, &st), 4096);
	st.st_blksize = 1024;
	assert_int_equal(tried_alignment(direct, &st), 1024);
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		_cleanup_free_ void *memory = direct_memory(odd[i], blocks[i]);

		assert_int_equal(direct_block(odd[i]), blocks[i]);
		assert_non_null(memory);
	}
	/* What cannot be tried is taken at its word. */
	(void)close(direct);
	direct = open(folder_path_of(root, "/"), O_PATH | O_CLOEXEC);
	st.st_blksize = 32768;
	assert_int_equal(tried_alignment(direct, &st), 32768);
}

/* --- the page cache --------------------------------------------------------------- */

static void look_at_cache(int fd, size_t length, unsigned char *ret)
{
	void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);

	assert_true(map != MAP_FAILED);
	assert_int_equal(mincore(map, length, ret), 0);
	assert_int_equal(munmap(map, length), 0);
}

/* Leaves exactly the pages from @start on in the cache. */
static void bring_in(int fd, uint64_t start, uint64_t length)
{
	_cleanup_free_ char *buffer = malloc(MIB);

	assert_non_null(buffer);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
	for (uint64_t at = start; at < start + length; at += MIB)
		assert_int_equal(pread(fd, buffer, MIB, (off_t)at), MIB);
}

static void test_view(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int fd = make_file(root, "/file");
	_cleanup_(target_close) struct target whole = { .direct_fd = -1,
							.cached_fd = -1,
							.dsync_fd = -1 };
	_cleanup_(target_close) struct target view = whole, none = whole;
	size_t pages = 48 * MIB / page_bytes();
	_cleanup_free_ unsigned char *before = calloc(pages, 1);
	_cleanup_free_ unsigned char *after = calloc(pages, 1);
	struct measure_report report = { 0 };

	need_disk(root);
	write_data(fd, 0, 48 * MIB);
	bring_in(fd, 8 * MIB, 8 * MIB);
	assert_int_equal(open_target(root, "/file", &report, &whole), 0);
	look_at_cache(fd, 48 * MIB, before);
	assert_int_equal(target_view(&whole, 1ULL << 30, 128, &view), 0);
	assert_int_equal(view.usable, 40 * MIB);
	assert_int_equal(view.n_extents, 2);
	assert_false(target_was_resident(&view, 8 * MIB - 4096));
	assert_true(target_was_resident(&view, 8 * MIB));
	assert_true(target_was_resident(&view, 16 * MIB - 4096));
	assert_false(target_was_resident(&view, 16 * MIB));
	assert_int_equal(target_filled(&view), 0);
	bring_in(fd, 0, 0);
	bring_in(fd, 4 * MIB, 24 * MIB);
	assert_int_equal(target_filled(&view), 1000 * 16 / 40);
	target_drop(&view);
	look_at_cache(fd, 48 * MIB, after);
	assert_memory_equal(before, after, pages);
	bring_in(fd, 0, 48 * MIB);
	assert_int_equal(target_view(&whole, 1ULL << 30, 128, &none), -ENODATA);
}

/* Of a large file some stretches are taken, from all over it. */
static void test_view_part(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int fd = make_file(root, "/file");
	_cleanup_(target_close) struct target whole = { .direct_fd = -1,
							.cached_fd = -1,
							.dsync_fd = -1 };
	_cleanup_(target_close) struct target view = whole;
	struct measure_report report = { 0 };
	uint64_t last = 0;

	need_disk(root);
	write_data(fd, 0, 128 * MIB);
	bring_in(fd, 0, 0);
	assert_int_equal(open_target(root, "/file", &report, &whole), 0);
	assert_int_equal(target_view(&whole, 64 * MIB, 128, &view), 0);
	assert_int_equal(view.usable, 64 * MIB);
	assert_int_equal(view.n_extents, 64);
	for (size_t i = 0; i < view.n_extents; i++) {
		assert_int_equal(view.extents[i].start, i * 2 * MIB);
		last = view.extents[i].start + view.extents[i].length;
	}
	assert_int_equal(last, 127 * MIB);
	assert_int_equal(view.direct_fd, whole.direct_fd);
}

/* --- the probe -------------------------------------------------------------------- */

static void test_probe(void **state)
{
	struct root *root = *state;
	_cleanup_close_ int fd = make_file(root, "/file");
	_cleanup_(target_close) struct target target = { .direct_fd = -1,
							 .cached_fd = -1,
							 .dsync_fd = -1 };
	_cleanup_(watched_done) struct watched still = { 0 }, new = { 0 };
	struct measure_report report = { 0 };
	uint64_t us = 0;

	need_disk(root);
	write_data(fd, 0, 16 * MIB);
	assert_int_equal(open_target(root, "/file", &report, &target), 0);
	/* A disk that has worked before, and does not now. */
	folder_put(root, "/sys/block/sda/stat", "10 0 80 0 0 0 0 0 0 0 0\n");
	watched_find(root, "/sys/block/sda", &still);
	assert_int_equal(probe_direct(&target, &still, 60000, NULL, &report, &us),
			 -EOPNOTSUPP);
	assert_non_null(strstr(report.refusal, "only 0 of 64 reads reached sda"));
	assert_int_equal(us, 0);
	/* One that never counted anything proves nothing. */
	folder_put(root, "/sys/block/sda/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
	watched_find(root, "/sys/block/sda", &new);
	assert_int_equal(probe_direct(&target, &new, 60000, NULL, &report, &us), 0);
	assert_false(new.counts);
	assert_int_equal(report.n_notes, 1);
	assert_true(us > 0);
}

/* --- the plan --------------------------------------------------------------------- */

static void test_depths(void **state)
{
	static const struct {
		uint32_t device_depth, factor;
		uint32_t want[SWEEP_DEPTHS_MAX]; /* 0 ends them */
	} rows[] = {
		{ 32, 2, { 1, 2, 4, 8, 16, 32 } },
		{ 31, 2, { 1, 2, 4, 8, 16, 31 } },
		{ 1, 2, { 1 } },
		{ 3, 4, { 1, 3 } },
		{ 0, 2, { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 } },
		{ 4096, 4, { 1, 4, 16, 64, 256, 1024 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t depths[SWEEP_DEPTHS_MAX] = { 0 };
		size_t n = plan_depths(rows[i].device_depth, rows[i].factor, depths);

		assert_memory_equal(depths, rows[i].want, sizeof(depths));
		assert_true(n == SWEEP_DEPTHS_MAX || depths[n] == 0);
		assert_true(depths[n - 1] > 0);
	}
}

static void test_plan(void **state)
{
	struct sweep_plan plan = { 0 };
	uint64_t slot = 0;

	plan_sweep(0, 4000000, &plan);
	assert_int_equal(plan.factor, 2);
	assert_int_equal(plan.rounds, 2);
	assert_int_equal(plan.slot_us, 4000000 / 22);
	plan_sweep(0, 400000, &plan);
	assert_int_equal(plan.factor, 4);
	assert_int_equal(plan.n, 6);
	plan_sweep(0, 130000, &plan);
	assert_int_equal(plan.rounds, 1);
	assert_int_equal(plan_rounds(10, 3, 3000000, &slot), 3);
	assert_int_equal(slot, 100000);
	assert_int_equal(plan_rounds(10, 3, 300000, &slot), 1);
	assert_int_equal(slot, 30000);
	/* Fast: a slot; slow: enough for some operations; too deep for its rate: none. */
	assert_int_equal(plan_duration(100000, STRETCH, 1, 10000), 100000);
	assert_int_equal(plan_duration(100000, STRETCH, 1, 150), 200000);
	assert_int_equal(plan_duration(100000, STRETCH, 1, 1), 300000);
	assert_int_equal(plan_duration(100000, STRETCH, 16, 150), 213333);
	assert_int_equal(plan_duration(100000, STRETCH, 32, 150), 0);
	assert_int_equal(plan_duration(100000, STRETCH_ONCE, 32, 150), 426666);
	assert_int_equal(plan_duration(100000, STRETCH, 32, 0), 100000);
	/* Each phase leaves the others their share, the last one takes what is left. */
	assert_int_equal(plan_phase_end(PHASE_SWEEP, false, 100, 1000), 500);
	assert_int_equal(plan_phase_end(PHASE_SEQUENTIAL, false, 700, 1000), 1000);
	assert_int_equal(plan_phase_end(PHASE_SEQUENTIAL, true, 550, 1000), 750);
	assert_int_equal(plan_phase_end(PHASE_WRITES, true, 750, 1000), 1000);
	assert_int_equal(plan_phase_end(PHASE_ARMS, true, 1200, 1000), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("extents are joined and counted", test_extents_add),
		TEST("blocks lie in extents", test_blocks),
		FOLDER_TEST("a sparse file", test_sparse),
		FOLDER_TEST("files that are refused", test_refused),
		TEST("a file in memory is refused", test_memory),
		FOLDER_TEST("the largest file of a folder", test_folder),
		FOLDER_TEST("a file that is replaced", test_folder_replaced),
		FOLDER_TEST("alignment of direct reads", test_alignment),
		FOLDER_TEST("the page cache as it was found", test_view),
		FOLDER_TEST("stretches of a large file", test_view_part),
		FOLDER_TEST("reads that do not reach the disk", test_probe),
		TEST("depths of a sweep", test_depths),
		TEST("time for each part", test_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
