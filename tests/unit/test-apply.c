/* SPDX-License-Identifier: MIT */
/*
 * Writes and restores on a fake sysfs folder. The folder does not round or reset as a
 * kernel does; a test plays the kernel where it matters. A folder in the attribute's
 * place is a write that fails, a link to /dev/full one that fails in the store function.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "apply/apply.h"
#include "base/file.h"
#include "base/paths.h"
#include "support.h"

#define DISK_FOLDER "/sys/block/sda"
#define SCSI_FOLDER "/sys/devices/0:0:0:0"
#define READ_AHEAD_FILE DISK_FOLDER "/queue/read_ahead_kb"
#define SCHEDULER_FILE DISK_FOLDER "/queue/scheduler"
#define STATE_FILE PATH_STATE "/8:0"

struct scene {
	struct root *root;
	struct disk *disk;
	struct state_file file;
	struct applied applied;
};

static void scene_set(struct scene *scene, struct root *root)
{
	*scene = (struct scene){ .root = root };
	folder_put(root, READ_AHEAD_FILE, "128\n");
	folder_put(root, SCHEDULER_FILE, "[mq-deadline] none\n");
	folder_put(root, SCSI_FOLDER "/queue_depth", "32\n");
	scene->disk = calloc(1, sizeof(*scene->disk));
	assert_non_null(scene->disk);
	strcpy(scene->disk->syspath, DISK_FOLDER);
	give_sata_ssd(&scene->disk->facts);
	assert_int_equal(state_load(root, scene->disk, 1, &scene->file), 0);
}

static void scene_done(struct scene *scene)
{
	(void)disk_free(scene->disk);
}

#define _cleanup_scene_ _cleanup_(scene_done)

static int change(struct scene *scene, enum tunable tunable, const char *from,
		  const char *to)
{
	struct change change = { .tunable = tunable, .outcome = OUTCOME_CHANGE };

	strcpy(change.current, from);
	strcpy(change.target, to);
	return apply_change(scene->root, scene->disk, &change, &scene->file, 100,
			    &scene->applied);
}

static int restore(struct scene *scene, enum tunable tunable)
{
	return apply_restore(scene->root, scene->disk, tunable, &scene->file,
			     &scene->applied);
}

static const struct tunable_state *memory(const struct scene *scene, enum tunable tunable)
{
	return &scene->file.state.tunables[tunable];
}

static bool remembers(const struct scene *scene, const char *line)
{
	return strstr(folder_get(scene->root, STATE_FILE), line) != NULL;
}

static void test_change(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "512");
	assert_int_equal(scene.applied.error, 0);
	assert_string_equal(scene.applied.before, "128");
	assert_string_equal(scene.applied.wanted, "512");
	assert_string_equal(scene.applied.after, "512");
	assert_true(applied_took(&scene.applied));
	assert_true(remembers(&scene, "read_ahead_kb.initial=128\n"));
	assert_true(remembers(&scene, "read_ahead_kb.written=512\n"));
}

static void test_second_change_keeps_baseline(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "512", "64"), 0);
	assert_true(remembers(&scene, "read_ahead_kb.initial=128\n"));
	assert_true(remembers(&scene, "read_ahead_kb.written=64\n"));
}

/* The scheduler's file shows the choice in brackets. */
static void test_scheduler(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_SCHEDULER, "mq-deadline", "none"), 0);
	assert_true(
		applied_took(&scene.applied)); /* a plain file shows what was written */
	folder_put(scene.root, SCHEDULER_FILE, "mq-deadline none [bfq]\n");
	assert_int_equal(restore(&scene, TUNABLE_SCHEDULER), 1);
	assert_string_equal(scene.applied.before, "bfq");
	assert_true(scene.applied.left);

	assert_int_equal(change(&scene, TUNABLE_SCHEDULER, "mq-deadline", "none"), 0);
	folder_put(scene.root, SCHEDULER_FILE, "[mq-deadline] none bfq\n");
	assert_int_equal(restore(&scene, TUNABLE_SCHEDULER), 1);
	assert_string_equal(scene.applied.before, "mq-deadline");
	assert_false(scene.applied.left);
}

/* The state cannot be saved: then nothing may be written. */
static void test_baseline_first(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	folder_put(scene.root, "/run", "a file where a folder should be");
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), -ENOTDIR);
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128\n");
}

static void test_attribute_gone(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(file_remove(scene.root, READ_AHEAD_FILE), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(scene.applied.error, -ENOENT);
	assert_string_equal(scene.applied.after, "");
	assert_false(applied_took(&scene.applied));
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_written);
	assert_int_equal(access(folder_path_of(scene.root, READ_AHEAD_FILE), F_OK), -1);
}

static void test_write_fails(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(file_remove(scene.root, READ_AHEAD_FILE), 0);
	assert_int_equal(
		symlink("/dev/full", folder_path_of(scene.root, READ_AHEAD_FILE)), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(scene.applied.error, -ENOSPC);
	assert_false(applied_took(&scene.applied));
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_written);

	assert_int_equal(folder_make(scene.root, SCSI_FOLDER "/folder"), 0);
	facts_set_anchor(&scene.disk->facts, ANCHOR_SCSI_DEVICE, SCSI_FOLDER "/folder");
	assert_int_equal(folder_make(scene.root, SCSI_FOLDER "/folder/queue_depth"), 0);
	assert_int_equal(change(&scene, TUNABLE_QUEUE_DEPTH, "32", "31"), 0);
	assert_int_equal(scene.applied.error, -EISDIR);
}

/* A kernel that takes the write and does nothing: here, an attribute that is /dev/null.
 */
static void test_no_effect(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(file_remove(scene.root, READ_AHEAD_FILE), 0);
	assert_int_equal(
		symlink("/dev/null", folder_path_of(scene.root, READ_AHEAD_FILE)), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(scene.applied.error, 0);
	assert_string_equal(scene.applied.after, "");
	assert_false(applied_took(&scene.applied));
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_written);
}

static void test_reassert_is_noted(void **state)
{
	_cleanup_scene_ struct scene scene;
	struct change again = { .tunable = TUNABLE_READ_AHEAD_KB,
				.outcome = OUTCOME_CHANGE,
				.reassert = true,
				.current = "128",
				.target = "512" };

	scene_set(&scene, *state);
	for (uint64_t now = 100; now < 103; now++)
		assert_int_equal(apply_change(scene.root, scene.disk, &again, &scene.file,
					      now, &scene.applied),
				 0);
	assert_true(remembers(&scene, "read_ahead_kb.reassert=100\n"));
	assert_int_equal(state_load(scene.root, scene.disk, 103, &scene.file), 0);
	assert_true(memory(&scene, TUNABLE_READ_AHEAD_KB)->rival);
}

static void test_restore(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_false(scene.applied.left);
	assert_true(applied_took(&scene.applied));
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128");
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_initial);
	assert_false(remembers(&scene, "read_ahead_kb"));
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 0);
}

static void test_restore_leaves(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	folder_put(scene.root, READ_AHEAD_FILE, "2048\n");
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_true(scene.applied.left);
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "2048\n");
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_initial);
}

/* A restore that fails may be tried again: the baseline stays. */
static void test_restore_fails(void **state)
{
	_cleanup_scene_ struct scene scene;
	struct rlimit old = { 0 }, none = { 0 };

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none.rlim_max = old.rlim_max;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(scene.applied.error, -EFBIG);
	assert_false(scene.applied.left);
	assert_true(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_initial);
	assert_true(remembers(&scene, "read_ahead_kb.initial=128\n"));
}

static void test_capture(void **state)
{
	_cleanup_root_ struct root *capture = capture_of("P: /devices/x\nA: a=1\n");
	_cleanup_scene_ struct scene scene;
	struct change wish = { .tunable = TUNABLE_READ_AHEAD_KB, .current = "128" };

	scene_set(&scene, *state);
	strcpy(wish.target, "512");
	assert_int_equal(
		apply_change(capture, scene.disk, &wish, &scene.file, 1, &scene.applied),
		-EROFS);
}

/* The state as a writer left it that was killed with its write begun. */
static void begin_write(struct scene *scene, const char *to)
{
	struct tunable_state *slot = &scene->file.state.tunables[TUNABLE_READ_AHEAD_KB];

	slot->has_initial = slot->has_pending = true;
	strcpy(slot->initial, "128");
	strcpy(slot->pending, to);
	assert_int_equal(state_save(scene->root, &scene->file), 0);
}

static void look_again(struct scene *scene, uint64_t read_ahead_kb)
{
	facts_set_number(&scene->disk->facts, FACT_READ_AHEAD_KB, read_ahead_kb);
	assert_int_equal(state_load(scene->root, scene->disk, 1, &scene->file), 0);
}

/*
 * A writer that really is killed within its write: a pipe that nobody reads stands in the
 * attribute's place, so that opening it never returns.
 */
static void kill_writer(struct scene *scene, const char *from, const char *to)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	char line[64];
	pid_t child = 0;
	int tries = 5000;

	(void)snprintf(line, sizeof(line), "read_ahead_kb.pending=%s\n", to);
	(void)file_remove(scene->root, STATE_FILE);
	(void)file_remove(scene->root, READ_AHEAD_FILE);
	assert_int_equal(mkfifo(folder_path_of(scene->root, READ_AHEAD_FILE), 0600), 0);
	child = fork();
	if (child == 0)
		_exit(change(scene, TUNABLE_READ_AHEAD_KB, from, to) < 0);
	assert_true(child > 0);
	while (tries-- > 0 &&
	       (access(folder_path_of(scene->root, STATE_FILE), F_OK) < 0 ||
		!remembers(scene, line)))
		(void)nanosleep(&step, NULL);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(tries > 0);
	(void)file_remove(scene->root, READ_AHEAD_FILE);
}

static void test_killed_writer(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	kill_writer(&scene, "128", "512");
	folder_put(scene.root, READ_AHEAD_FILE, "512\n");
	look_again(&scene, 512);
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_false(scene.applied.left);
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128");
	assert_false(remembers(&scene, "read_ahead_kb"));
}

/*
 * The baseline stays the first value if the killed writer's went through; if it did not,
 * it is the value before the next write.
 */
static void test_apply_after_killed_writer(void **state)
{
	static const struct {
		const char *pending, *current, *initial;
	} rows[] = {
		{ "512", "512", "read_ahead_kb.initial=128\n" },
		{ "512", "128", "read_ahead_kb.initial=128\n" },
		{ "512", "8192", "read_ahead_kb.initial=8192\n" },
	};
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)file_remove(scene.root, STATE_FILE);
		assert_int_equal(state_load(scene.root, scene.disk, 1, &scene.file), 0);
		begin_write(&scene, rows[i].pending);
		folder_put(scene.root, READ_AHEAD_FILE, rows[i].current);
		look_again(&scene, strtoull(rows[i].current, NULL, 10));
		assert_int_equal(
			change(&scene, TUNABLE_READ_AHEAD_KB, rows[i].current, "64"), 0);
		assert_true(remembers(&scene, rows[i].initial));
		assert_true(remembers(&scene, "read_ahead_kb.written=64\n"));
		assert_false(remembers(&scene, "pending"));
	}
}

static void test_refused_is_remembered(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(file_remove(scene.root, READ_AHEAD_FILE), 0);
	assert_int_equal(
		symlink("/dev/full", folder_path_of(scene.root, READ_AHEAD_FILE)), 0);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	assert_false(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_pending);
	assert_int_equal(change(&scene, TUNABLE_SCHEDULER, "mq-deadline", "none"), 0);
	assert_true(remembers(&scene, "scheduler.asked=none\nscheduler.answer=none\n"));
	look_again(&scene, 128);
	assert_true(memory(&scene, TUNABLE_SCHEDULER)->has_asked);
}

/* The value is back by itself: nothing to write, nothing that somebody else did. */
static void test_restore_at_baseline(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	folder_put(scene.root, READ_AHEAD_FILE, "128\n");
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_false(scene.applied.left);
	assert_true(applied_took(&scene.applied));
	assert_string_equal(scene.applied.before, "128");
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128\n");
	assert_false(remembers(&scene, "read_ahead_kb"));
}

static void test_restore_unreadable(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	scene.applied = (struct applied){ 0 };
	assert_int_equal(file_remove(scene.root, READ_AHEAD_FILE), 0);
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), -ENODATA);
	assert_string_equal(scene.applied.wanted, "");
	assert_true(memory(&scene, TUNABLE_READ_AHEAD_KB)->has_initial);
	assert_true(remembers(&scene, "read_ahead_kb.initial=128\n"));
	folder_put(scene.root, READ_AHEAD_FILE, "512\n");
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), 1);
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128");
}

/* The value is back though that cannot be noted: the caller learns both. */
static void test_restore_unsaved(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(change(&scene, TUNABLE_READ_AHEAD_KB, "128", "512"), 0);
	scene.applied = (struct applied){ 0 };
	assert_int_equal(file_remove(scene.root, STATE_FILE), 0);
	assert_int_equal(rmdir(folder_path_of(scene.root, PATH_STATE)), 0);
	folder_put(scene.root, PATH_STATE, "a file where a folder should be");
	assert_int_equal(restore(&scene, TUNABLE_READ_AHEAD_KB), -ENOTDIR);
	assert_true(applied_took(&scene.applied));
	assert_string_equal(scene.applied.wanted, "128");
	assert_string_equal(folder_get(scene.root, READ_AHEAD_FILE), "128");
}

static void test_announce(void **state)
{
	_cleanup_scene_ struct scene scene;

	scene_set(&scene, *state);
	assert_int_equal(apply_announce(scene.root, DISK_FOLDER), -ENOENT);
	folder_put(scene.root, DISK_FOLDER "/uevent", "MAJOR=8\n");
	assert_int_equal(apply_announce(scene.root, DISK_FOLDER), 0);
	assert_string_equal(folder_get(scene.root, DISK_FOLDER "/uevent"), "change");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("a change is written, read back, remembered", test_change),
		FOLDER_TEST("the baseline is the first value",
			    test_second_change_keeps_baseline),
		FOLDER_TEST("the scheduler in brackets", test_scheduler),
		FOLDER_TEST("no baseline, no write", test_baseline_first),
		FOLDER_TEST("an attribute that is gone", test_attribute_gone),
		FOLDER_TEST("a write that fails is data", test_write_fails),
		FOLDER_TEST("a write without effect", test_no_effect),
		FOLDER_TEST("re-assertions are counted", test_reassert_is_noted),
		FOLDER_TEST("restore", test_restore),
		FOLDER_TEST("restore leaves what others set", test_restore_leaves),
		FOLDER_TEST("a restore that fails keeps the baseline",
			    test_restore_fails),
		FOLDER_TEST("a capture cannot be written", test_capture),
		FOLDER_TEST("restoring after a killed writer", test_killed_writer),
		FOLDER_TEST("applying after a killed writer",
			    test_apply_after_killed_writer),
		FOLDER_TEST("what the kernel made of it", test_refused_is_remembered),
		FOLDER_TEST("restoring what is back already", test_restore_at_baseline),
		FOLDER_TEST("restoring what cannot be read", test_restore_unreadable),
		FOLDER_TEST("restoring where nothing can be saved", test_restore_unsaved),
		FOLDER_TEST("an event is announced", test_announce),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
