/* SPDX-License-Identifier: MIT */
/*
 * Measurements from their beginning to their end, on a file on this machine's disk: which
 * points there are, that an interruption keeps what was measured, and that nothing is
 * left behind. No figure is looked at. Where /tmp does not lie on a disk that counts its
 * reads, these tests are skipped.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/sysfs.h"
#include "measure/plan.h"
#include "measure/target.h"
#include "support.h"

#define MIB (1ULL << 20)
#define FILE_MIB 64

/* What keep() and show() saw. */
struct witness {
	struct root *root;
	struct point points[POINTS_MAX];
	size_t n;
	size_t kept; /* calls */
	size_t stop_after; /* so many calls of keep(); 0: never */
	int keep_error; /* that keep() returns */
	atomic_bool stop;
	size_t names_max; /* in the folder, at any time */
	double fraction; /* the last */
	bool went_back;
};

static bool same_point(const struct point *a, const struct point *b)
{
	return a->work == b->work && a->mode == b->mode && a->hint == b->hint &&
	       a->block_kb == b->block_kb && a->depth == b->depth;
}

static int keep(const struct point *point, void *context)
{
	struct witness *witness = context;
	size_t i = 0;

	while (i < witness->n && !same_point(&witness->points[i], point))
		i++;
	assert_true(i < POINTS_MAX);
	assert_true(point->operations > 0 && point->duration_us > 0);
	assert_true(point->p50_us <= point->p99_us);
	if (i < witness->n) /* a later round adds to the earlier ones */
		assert_true(point->operations > witness->points[i].operations);
	witness->points[i] = *point;
	witness->n += i == witness->n;
	witness->kept++;
	witness->stop = witness->stop_after > 0 && witness->kept >= witness->stop_after;
	return witness->keep_error;
}

static void show(const struct measure_progress *progress, void *context)
{
	struct witness *witness = context;
	size_t names = folder_count(witness->root, "/");

	witness->names_max = names > witness->names_max ? names : witness->names_max;
	witness->went_back = witness->went_back || progress->fraction < witness->fraction;
	witness->fraction = progress->fraction;
	assert_non_null(progress->what);
	assert_true(progress->fraction >= 0 && progress->fraction <= 1);
}

/* --- the disk below /tmp ---------------------------------------------------------- */

static void find_disk(const struct root *root, char *buf, size_t size)
{
	_cleanup_root_ struct root *machine = NULL;
	_cleanup_(watched_done) struct watched watched = { 0 };
	struct stat st = { 0 };

	assert_int_equal(stat(folder_path_of(root, "/"), &st), 0);
	assert_int_equal(root_new("/", &machine), 0);
	if (major(st.st_dev) == 0 ||
	    sysfs_block_by_devnum(machine, major(st.st_dev), minor(st.st_dev), buf,
				  size) < 0) {
		print_message("/tmp has no disk of its own\n");
		skip();
	}
	watched_find(machine, buf, &watched);
	if (!watched.counts) {
		print_message("the disk below /tmp does not count\n");
		skip();
	}
}

static int make_file(const struct root *root)
{
	_cleanup_free_ char *buffer = malloc(MIB);
	uint64_t seed = 1;
	int fd = open(folder_path_of(root, "/file"), O_CREAT | O_RDWR | O_CLOEXEC, 0600);

	assert_non_null(buffer);
	assert_true(fd >= 0);
	for (unsigned int i = 0; i < FILE_MIB; i++) {
		for (size_t at = 0; at < MIB; at += sizeof(seed)) {
			uint64_t value = random_next(&seed);

			memcpy(buffer + at, &value, sizeof(value));
		}
		assert_int_equal(write(fd, buffer, MIB), MIB);
	}
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	return fd;
}

/* A request for the file, with the witness to look on. */
struct setting {
	struct witness witness;
	struct measure_request request;
	struct measure_report report;
	char path[ROOT_PATH_MAX], folder[ROOT_PATH_MAX], syspath[ROOT_PATH_MAX];
};

static struct setting *prepare(struct root *root, unsigned int budget_ms)
{
	static struct setting setting;

	memset(&setting, 0, sizeof(setting));
	find_disk(root, setting.syspath, sizeof(setting.syspath));
	(void)snprintf(setting.path, sizeof(setting.path), "%s",
		       folder_path_of(root, "/file"));
	(void)snprintf(setting.folder, sizeof(setting.folder), "%s",
		       folder_path_of(root, "/"));
	setting.witness.root = root;
	setting.request = (struct measure_request){ .path = setting.path,
						    .syspath = setting.syspath,
						    .budget_ms = budget_ms,
						    .device_depth = 32,
						    .stop = &setting.witness.stop,
						    .keep = keep,
						    .show = show,
						    .context = &setting.witness };
	return &setting;
}

static const struct point *find(const struct witness *witness, enum work work,
				enum io_mode mode, enum hint hint, uint32_t depth)
{
	for (size_t i = 0; i < witness->n; i++) {
		const struct point *point = &witness->points[i];

		if (point->work == work && point->mode == mode && point->hint == hint &&
		    point->depth == depth)
			return point;
	}
	return NULL;
}

/* --- the tests -------------------------------------------------------------------- */

static void test_second(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1000);
	_cleanup_close_ int fd = make_file(root);
	const struct point *point = NULL;
	struct stat before = { 0 }, after = { 0 };

	assert_int_equal(fstat(fd, &before), 0);
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_int_equal(fstat(fd, &after), 0);
	assert_false(setting->report.interrupted);
	assert_int_equal(setting->report.area_kb, FILE_MIB * 1024);
	assert_string_equal(setting->report.refusal, "");
	point = find(&setting->witness, WORK_RANDOM_READ, IO_MODE_DIRECT, HINT_NORMAL, 1);
	assert_non_null(point);
	assert_int_equal(point->block_kb, 4);
	assert_true(point->measured_at > 0);
	for (size_t i = 0; i < setting->witness.n; i++)
		assert_true(setting->witness.points[i].work == WORK_RANDOM_READ ||
			    setting->witness.points[i].work == WORK_SEQUENTIAL_READ);
	/* Read only: not even when it was read is changed. */
	assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
	assert_memory_equal(&before.st_atim, &after.st_atim, sizeof(before.st_atim));
	assert_int_equal(before.st_blocks, after.st_blocks);
	assert_int_equal(setting->witness.names_max, 1);
	assert_false(setting->witness.went_back);
}

/* Of each kind something: the first steps of each phase have their share of the time. */
static void test_kinds(void **state)
{
	static const struct {
		enum work work;
		enum io_mode mode;
		enum hint hint;
	} kinds[] = {
		{ WORK_RANDOM_READ, IO_MODE_DIRECT, HINT_NORMAL },
		{ WORK_RANDOM_READ, IO_MODE_MMAP, HINT_NORMAL },
		{ WORK_RANDOM_READ, IO_MODE_MMAP, HINT_RANDOM },
		{ WORK_RANDOM_READ, IO_MODE_BUFFERED, HINT_NORMAL },
		{ WORK_RANDOM_READ, IO_MODE_BUFFERED, HINT_RANDOM },
		{ WORK_SEQUENTIAL_READ, IO_MODE_DIRECT, HINT_NORMAL },
		{ WORK_SEQUENTIAL_READ, IO_MODE_BUFFERED, HINT_SEQUENTIAL },
		{ WORK_SEQUENTIAL_READ, IO_MODE_MMAP, HINT_NORMAL },
		{ WORK_SEQUENTIAL_WRITE, IO_MODE_DIRECT, HINT_NORMAL },
		{ WORK_JOURNAL_WRITE, IO_MODE_DIRECT, HINT_NORMAL },
		{ WORK_RANDOM_WRITE, IO_MODE_DIRECT, HINT_NORMAL },
	};
	struct root *root = *state;
	struct setting *setting = prepare(root, 6000);

	setting->request.path = NULL;
	setting->request.write_folder = setting->folder;
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!find(&setting->witness, kinds[i].work, kinds[i].mode, kinds[i].hint,
			  1))
			fail_msg("no %s, %s, %s", work_to_string(kinds[i].work),
				 io_mode_to_string(kinds[i].mode),
				 hint_to_string(kinds[i].hint));
	}
	/* The file never had a name, and its room is free again. */
	assert_int_equal(setting->witness.names_max, 0);
	assert_int_equal(folder_count(root, "/"), 0);
	assert_int_equal(strncmp(setting->report.medium, "own file", 8), 0);
	assert_true(setting->report.area_kb >= 16 * 1024);
}

static void look_at_cache(int fd, unsigned char *ret)
{
	void *map = mmap(NULL, FILE_MIB * MIB, PROT_READ, MAP_SHARED, fd, 0);

	assert_true(map != MAP_FAILED);
	assert_int_equal(mincore(map, FILE_MIB * MIB, ret), 0);
	assert_int_equal(munmap(map, FILE_MIB * MIB), 0);
}

static void test_cache(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1500);
	_cleanup_close_ int fd = make_file(root);
	size_t pages = FILE_MIB * MIB / page_bytes();
	_cleanup_free_ unsigned char *before = calloc(pages, 1);
	_cleanup_free_ unsigned char *after = calloc(pages, 1);
	_cleanup_free_ char *buffer = malloc(MIB);

	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
	for (unsigned int i = 0; i < FILE_MIB; i += i % 16 == 3 ? 13 : 1)
		assert_int_equal(pread(fd, buffer, MIB, (off_t)(i * MIB)), MIB);
	look_at_cache(fd, before);
	assert_true(before[0] & 1);
	assert_false(before[8 * MIB / page_bytes()] & 1);
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_non_null(find(&setting->witness, WORK_RANDOM_READ, IO_MODE_MMAP,
			     HINT_NORMAL, 1));
	look_at_cache(fd, after);
	for (size_t i = 0; i < pages; i++) {
		if ((before[i] & 1) != (after[i] & 1))
			fail_msg("page %zu: %d before, %d after", i, before[i] & 1,
				 after[i] & 1);
	}
}

/* Every other 256 KiB is a hole: no block of 1 MiB fits, and the rest is measured. */
static void test_pieces(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1500);
	_cleanup_close_ int fd = make_file(root);
	bool said = false;

	for (off_t at = 0; at < (off_t)(FILE_MIB * MIB); at += 512 * 1024) {
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at,
			      256 * 1024) < 0) {
			print_message("no holes can be made here\n");
			skip();
		}
	}
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_non_null(find(&setting->witness, WORK_RANDOM_READ, IO_MODE_DIRECT,
			     HINT_NORMAL, 1));
	assert_false(setting->report.complete);
	for (size_t i = 0; i < setting->witness.n; i++)
		assert_true(setting->witness.points[i].block_kb <= 256);
	for (size_t i = 0; i < setting->report.n_notes; i++)
		said = said || strstr(setting->report.notes[i], "in pieces");
	assert_true(said);
}

/* A disk that has read another GiB, for somebody else, each time that it is asked. */
static int read_busy(const struct root *root, const char *path, char *buf, size_t size,
		     size_t *ret_len)
{
	static unsigned long long reads;

	buf[0] = '\0';
	if (strcmp(path, "/sys/block/sda/stat") != 0)
		return -ENOENT;
	reads += 2048;
	(void)snprintf(buf, size, "%llu 0 %llu 0 0 0 0 0 0 0 0\n", reads, reads * 1024);
	if (ret_len)
		*ret_len = strlen(buf);
	return 0;
}

/* What others read does not fill our part of the page cache. */
static void test_busy_disk(void **state)
{
	static const struct root_ops ops = { .read = read_busy };
	struct root busy = { .ops = &ops, .prefix = "" };
	struct root *root = *state;
	struct setting *setting = prepare(root, 1000);
	_cleanup_close_ int fd = make_file(root);
	struct session session = { .request = &setting->request,
				   .report = &setting->report,
				   .watched = { .root = &busy,
						.syspath = "/sys/block/sda",
						.counts = true } };
	struct step step = { .target = &session.view,
			     .work = WORK_RANDOM_READ,
			     .mode = IO_MODE_BUFFERED,
			     .hint = HINT_RANDOM,
			     .block_kb = 4,
			     .depth = 1 };
	struct run_result result = { 0 };
	struct run run = { 0 };
	unsigned int limits = 0;
	int r = 0;

	assert_int_equal(target_open(&setting->request, &setting->report, &session.whole),
			 0);
	assert_int_equal(target_view(&session.whole, 1ULL << 30, 128, &session.view), 0);
	r = session_run_cached(&session, &step, 50000, &run, &result, &limits);
	target_close(&session.view);
	target_close(&session.whole);
	assert_int_equal(r, 0);
	assert_int_equal(limits & 1U << LIMIT_CACHE, 0);
}

static void test_interrupted(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 60000);
	_cleanup_close_ int fd = make_file(root);

	setting->witness.stop_after = 3;
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_true(setting->report.interrupted);
	assert_false(setting->report.complete);
	assert_int_equal(setting->witness.n, 3);
	assert_string_equal(setting->report.refusal, "");
	/* At once: nothing is measured, and nothing is wrong. */
	setting->witness.stop = true;
	setting->witness.stop_after = 1;
	setting->witness.n = setting->witness.kept = 0;
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_true(setting->report.interrupted);
	assert_int_equal(setting->witness.n, 0);
}

static void test_keep_fails(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 60000);
	_cleanup_close_ int fd = make_file(root);

	setting->witness.keep_error = -EROFS;
	assert_int_equal(measure_run(&setting->request, &setting->report), -EROFS);
	assert_int_equal(setting->witness.kept, 1);
	assert_non_null(strstr(setting->report.refusal, "could not be kept"));
}

static void test_threads(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1000);
	_cleanup_close_ int fd = make_file(root);

	setting->request.no_io_uring = true;
	setting->witness.stop_after = 4;
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_true(setting->witness.n > 0);
	for (size_t i = 0; i < setting->witness.n; i++)
		assert_int_equal(setting->witness.points[i].engine, IO_ENGINE_THREADS);
}

/* While somebody else measures the disk there is nothing to do but to wait. */
static void test_one_at_a_time(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1000);
	_cleanup_close_ int fd = make_file(root);
	_cleanup_close_ int lock = open(setting->syspath, O_RDONLY | O_CLOEXEC);

	assert_true(lock >= 0);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	setting->witness.stop = true;
	assert_int_equal(measure_run(&setting->request, &setting->report), 0);
	assert_true(setting->report.interrupted);
	/* Not even the file was looked at. */
	assert_string_equal(setting->report.medium, "");
}

static void test_no_folder(void **state)
{
	struct root *root = *state;
	struct setting *setting = prepare(root, 1000);
	struct target target = { 0 };
	struct point point = { 0 };

	setting->request.path = NULL;
	assert_int_equal(measure_run(&setting->request, &setting->report), -EINVAL);
	assert_int_equal(target_make(&setting->request, 100, &setting->report, &target,
				     &point), -EINVAL);
	setting->request.write_folder = "/nowhere/at/all";
	assert_int_equal(measure_run(&setting->request, &setting->report), -ENOENT);
	assert_int_equal(folder_count(root, "/"), 0);
	assert_int_equal(setting->witness.kept, 0);
	setting->request.path = "/dev/null";
	setting->request.write_folder = NULL;
	assert_int_equal(measure_run(&setting->request, &setting->report), -EOPNOTSUPP);
	assert_non_null(strstr(setting->report.refusal, "/dev/null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("one second is enough for something", test_second),
		FOLDER_TEST("something of each kind", test_kinds),
		FOLDER_TEST("the page cache is left as it was", test_cache),
		FOLDER_TEST("a file in pieces", test_pieces),
		FOLDER_TEST("a disk that others use", test_busy_disk),
		FOLDER_TEST("an interruption keeps the points", test_interrupted),
		FOLDER_TEST("a point that cannot be kept", test_keep_fails),
		FOLDER_TEST("without io_uring", test_threads),
		FOLDER_TEST("one measurement at a time", test_one_at_a_time),
		FOLDER_TEST("nothing to measure", test_no_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
