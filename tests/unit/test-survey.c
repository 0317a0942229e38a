/* SPDX-License-Identifier: MIT */
/*
 * The layers together, on a folder that shows an NVMe disk with two paths: what is
 * written to the hidden path devices, what they take over from their head, and when
 * nothing is written at all, since a file or the memory cannot be understood. The folder
 * does not answer a write as a kernel does; only settings are used that do not mind.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/paths.h"
#include "support.h"
#include "survey/survey.h"

#define SUBSYSTEM "/sys/devices/virtual/nvme-subsystem/nvme-subsys0"
#define HEAD SUBSYSTEM "/nvme0n1"
#define PATH_0 "/sys/devices/pci0/nvme/nvme0/nvme0c0n1"
#define PATH_1 "/sys/devices/pci1/nvme/nvme1/nvme0c1n1"
#define POLICY "/etc/blkadvise/policy.d/50-test.policy"
#define STATE_OF_HEAD PATH_STATE "/259:2"
#define STATE_OF_PATH PATH_STATE "/nvme0c0n1"

static const char *const paths[] = { PATH_0, PATH_1 };

static void put_link(const struct root *root, const char *path, const char *target)
{
	char folder[ROOT_PATH_MAX];

	(void)snprintf(folder, sizeof(folder), "%s", path);
	assert_true(path_up(folder));
	assert_int_equal(folder_make(root, folder), 0);
	assert_int_equal(symlink(target, folder_path_of(root, path)), 0);
}

static void put_attribute(const struct root *root, const char *disk, const char *name,
			  const char *value)
{
	char path[ROOT_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", disk, name);
	folder_put(root, path, value);
}

static void put_disk(const struct root *root, const char *disk)
{
	char link[ROOT_PATH_MAX], target[ROOT_PATH_MAX];

	put_attribute(root, disk, "size", "2048\n");
	put_attribute(root, disk, "queue/rotational", "0\n");
	put_attribute(root, disk, "queue/read_ahead_kb", "128\n");
	put_attribute(root, disk, "queue/max_sectors_kb", "1024\n");
	put_attribute(root, disk, "queue/max_hw_sectors_kb", "1024\n");
	(void)snprintf(link, sizeof(link), "/sys/block/%s", path_name(disk));
	(void)snprintf(target, sizeof(target), "..%s", disk + strlen("/sys"));
	put_link(root, link, target);
	(void)snprintf(link, sizeof(link), "%s/subsystem", disk);
	put_link(root, link, "/sys/class/block");
}

static int machine_setup(void **state)
{
	struct root *root = NULL;

	if (folder_setup(state) < 0)
		return -1;
	root = *state;
	put_disk(root, HEAD);
	put_attribute(root, HEAD, "dev", "259:2\n");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		put_disk(root, paths[i]);
		put_attribute(root, paths[i], "hidden", "1\n");
		put_attribute(root, paths[i], "queue/nr_requests", "1023\n");
		put_attribute(root, paths[i], "queue/scheduler", "[none] mq-deadline\n");
		put_attribute(root, paths[i], "mq/0/nr_tags", "1023\n");
		put_attribute(root, paths[i], "mq/1/nr_tags", "1023\n");
	}
	put_link(root, SUBSYSTEM "/subsystem", "/sys/class/nvme-subsystem");
	put_link(root, SUBSYSTEM "/nvme0", "../../../pci0/nvme/nvme0");
	put_link(root, SUBSYSTEM "/nvme1", "../../../pci1/nvme/nvme1");
	folder_put(root, POLICY,
		   "[all]\nnr_requests=256\nmax_sectors_kb=512\nread_ahead_kb=256\n"
		   "Reason=a test\n");
	return 0;
}

#define MACHINE_TEST(name, function)                                 \
	{                                                            \
		name, function, machine_setup, folder_teardown, NULL \
	}

struct scene {
	struct root *root;
	struct context context;
	struct survey *survey;
	size_t handled;
	char log[4096]; /* the lines of all writes */
};

/* Loads all files and surveys the head. */
static void look(struct scene *scene)
{
	context_done(&scene->context);
	(void)survey_free(scene->survey);
	scene->survey = NULL;
	assert_int_equal(
		context_load(scene->root, scene->root, NULL, NULL, &scene->context), 0);
	assert_int_equal(survey_disk(&scene->context, HEAD, &scene->survey), 0);
	assert_int_equal(scene->survey->n_paths, 2);
}

static void scene_done(struct scene *scene)
{
	context_done(&scene->context);
	(void)survey_free(scene->survey);
}

#define _cleanup_scene_ _cleanup_(scene_done)

static void note(const struct survey *survey, const struct applied *applied,
		 void *context)
{
	struct scene *scene = context;
	size_t len = strlen(scene->log);

	scene->handled++;
	assert_true(sizeof(scene->log) - len > 512);
	applied_format(survey->disk, applied, scene->log + len, 512);
	strcat(scene->log, "\n");
}

static int apply(struct scene *scene)
{
	scene->handled = 0;
	scene->log[0] = '\0';
	return survey_apply(&scene->context, &scene->survey, TUNABLE_SCHEDULER,
			    TUNABLE_READ_AHEAD_KB, note, scene);
}

static int restore(struct scene *scene, bool hold)
{
	scene->handled = 0;
	scene->log[0] = '\0';
	return survey_restore(&scene->context, &scene->survey, hold, note, scene);
}

static const char *value_of(const struct scene *scene, const char *disk, const char *name)
{
	char path[ROOT_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/queue/%s", disk, name);
	return folder_get(scene->root, path);
}

static enum outcome outcome_of(const struct survey *survey, enum tunable tunable)
{
	return survey->plan.changes[tunable].outcome;
}

/* The difference of the head's readahead, and those of both paths. */
static void expect_outcome(const struct scene *scene, enum outcome outcome)
{
	const struct survey *survey = scene->survey;

	assert_int_equal(outcome_of(survey, TUNABLE_READ_AHEAD_KB), outcome);
	for (size_t i = 0; i < survey->n_paths; i++) {
		assert_int_equal(outcome_of(survey->paths[i], TUNABLE_NR_REQUESTS),
				 outcome);
		assert_int_equal(outcome_of(survey->paths[i], TUNABLE_MAX_SECTORS_KB),
				 outcome);
	}
}

/* A plan's settings are those of the survey that it belongs to, wherever that lies. */
static void expect_own_settings(const struct survey *survey)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		if (survey->plan.changes[i].setting)
			assert_ptr_equal(survey->plan.changes[i].setting,
					 &survey->selection.settings[i]);
	}
	for (size_t i = 0; i < survey->n_paths; i++)
		expect_own_settings(survey->paths[i]);
}

static void test_apply_and_restore(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };

	look(&scene);
	expect_own_settings(scene.survey);
	expect_outcome(&scene, OUTCOME_CHANGE);
	assert_int_equal(outcome_of(scene.survey->paths[0], TUNABLE_READ_AHEAD_KB),
			 OUTCOME_HANDS_OFF);
	assert_int_equal(outcome_of(scene.survey, TUNABLE_MAX_SECTORS_KB),
			 OUTCOME_HANDS_OFF);
	assert_int_equal(apply(&scene), 5);
	expect_own_settings(scene.survey);
	assert_int_equal(scene.handled, 5);
	assert_non_null(strstr(scene.log, "disk=nvme0c1n1 setting=max_sectors_kb "
					  "old=1024 new=512 where=" POLICY
					  ":3 reason=\"a test\"\n"));
	assert_non_null(strstr(scene.log, "disk=nvme0n1 setting=read_ahead_kb old=128"));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		assert_string_equal(value_of(&scene, paths[i], "nr_requests"), "256");
		assert_string_equal(value_of(&scene, paths[i], "max_sectors_kb"), "512");
		assert_string_equal(value_of(&scene, paths[i], "read_ahead_kb"), "128\n");
	}
	assert_string_equal(value_of(&scene, HEAD, "read_ahead_kb"), "256");
	assert_string_equal(value_of(&scene, HEAD, "max_sectors_kb"), "1024\n");
	expect_outcome(&scene, OUTCOME_EQUAL);
	assert_int_equal(apply(&scene), 0);

	assert_int_equal(restore(&scene, true), 5);
	assert_int_equal(scene.handled, 5);
	assert_non_null(strstr(scene.log, "where=baseline"));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		assert_string_equal(value_of(&scene, paths[i], "nr_requests"), "1023");
		assert_string_equal(value_of(&scene, paths[i], "max_sectors_kb"), "1024");
	}
	assert_string_equal(value_of(&scene, HEAD, "read_ahead_kb"), "128");
	expect_outcome(&scene, OUTCOME_HELD);
	assert_int_equal(apply(&scene), 0);
	assert_int_equal(scene.handled, 0);
}

/* A path that comes later has no memory of its own, and is held with its head. */
static void test_held_head(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };

	look(&scene);
	assert_int_equal(
		survey_hold(&scene.context, scene.survey, TUNABLE_NR_REQUESTS, true), 0);
	assert_int_equal(file_remove(scene.root, STATE_OF_PATH), 0);
	look(&scene);
	for (size_t i = 0; i < 2; i++) {
		const struct survey *path = scene.survey->paths[i];

		assert_int_equal(outcome_of(path, TUNABLE_NR_REQUESTS), OUTCOME_HELD);
		assert_int_equal(outcome_of(path, TUNABLE_MAX_SECTORS_KB),
				 OUTCOME_CHANGE);
	}
	assert_int_equal(survey_hold(&scene.context, scene.survey, _TUNABLE_MAX, true),
			 0);
	assert_int_equal(file_remove(scene.root, STATE_OF_PATH), 0);
	look(&scene);
	expect_outcome(&scene, OUTCOME_HELD);
	assert_int_equal(apply(&scene), 0);
	assert_int_equal(survey_hold(&scene.context, scene.survey, _TUNABLE_MAX, false),
			 0);
	look(&scene);
	expect_outcome(&scene, OUTCOME_CHANGE);
}

static const char *head_is_off(void *context, const char *syspath, const char *key)
{
	(void)context;
	return strcmp(syspath, HEAD) == 0 && strcmp(key, "BLKADVISE_APPLY") == 0 ? "0"
										 : NULL;
}

static void test_head_off(void **state)
{
	struct properties properties = { .get = head_is_off };
	_cleanup_scene_ struct scene scene = { .root = *state };

	assert_int_equal(
		context_load(scene.root, scene.root, NULL, &properties, &scene.context),
		0);
	assert_int_equal(survey_disk(&scene.context, HEAD, &scene.survey), 0);
	assert_int_equal(scene.survey->n_paths, 2);
	expect_outcome(&scene, OUTCOME_OFF);
	assert_string_equal(scene.survey->paths[1]->selection.apply_where,
			    "udev:BLKADVISE_APPLY=0");
	assert_int_equal(apply(&scene), 0);
}

static void test_cautious(void **state)
{
	static const struct {
		const char *path, *text; /* text NULL: a link to itself */
		const char
			*where; /* NULL: the files that can be understood are in force */
		bool problem;
	} rows[] = {
		{ "/etc/blkadvise/policy.d/60-mine.policy", "[a]\nApply=no\nReed=1\n",
		  "/etc/blkadvise/policy.d/60-mine.policy:3", true },
		{ "/run/blkadvise/quirks.d/60-mine.quirks", "[a]\nnonsense\n",
		  "/run/blkadvise/quirks.d/60-mine.quirks:2", true },
		{ BLKADVISE_LIBDIR "/policy.d/60-shipped.policy", "nonsense\n", NULL,
		  true },
		{ BLKADVISE_LIBDIR "/quirks.d/60-shipped.quirks", "nonsense\n", NULL,
		  true },
		{ "/etc/blkadvise/quirks.d", NULL, "/etc/blkadvise/quirks.d:0", true },
		{ "/run/blkadvise/policy.d", "a file where a folder should be",
		  "/run/blkadvise/policy.d:0", true },
		{ BLKADVISE_LIBDIR "/policy.d", NULL, NULL, true },
		{ PATH_CONFIG, "[blkadvise]\nMode=perhaps\n", PATH_CONFIG ":2", true },
		{ PATH_CONFIG, "[blkadvise]\nMode=observe\n", PATH_CONFIG ":Mode=observe",
		  false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *where = rows[i].where;
		_cleanup_scene_ struct scene scene = { .root = *state };
		bool cautious = where && rows[i].problem;

		(void)rmdir(folder_path_of(scene.root, BLKADVISE_LIBDIR "/policy.d"));
		if (rows[i].text)
			folder_put(scene.root, rows[i].path, rows[i].text);
		else
			put_link(scene.root, rows[i].path, path_name(rows[i].path));
		look(&scene);
		ROW_INT(rows[i].path, scene.context.problems.n > 0, rows[i].problem);
		ROW_INT(rows[i].path, scene.context.cautious, cautious);
		expect_outcome(&scene, where ? OUTCOME_OFF : OUTCOME_CHANGE);
		ROW_TEXT(rows[i].path, scene.survey->selection.apply_where,
			 where ? where : "");
		ROW_TEXT(rows[i].path, scene.survey->paths[0]->selection.apply_where,
			 where ? where : "");
		if (where)
			ROW_INT(rows[i].path, apply(&scene), 0);
		assert_int_equal(file_remove(scene.root, rows[i].path), 0);
	}
}

static void test_unreadable_memory(void **state)
{
	static const char *const damaged = "INODE=1\nread_ahead_kb.ini";
	_cleanup_scene_ struct scene scene = { .root = *state };

	folder_put(scene.root, STATE_OF_HEAD, damaged);
	folder_put(scene.root, STATE_OF_PATH, damaged);
	put_link(scene.root, PATH_STATE "/nvme0c1n1", "nvme0c1n1");
	look(&scene);
	assert_true(scene.survey->memory.state.unreadable);
	expect_outcome(&scene, OUTCOME_HELD);
	assert_int_equal(apply(&scene), 0);
	assert_int_equal(restore(&scene, true), -EBADMSG);
	assert_int_equal(survey_ask_again(&scene.context, scene.survey), -EBADMSG);
	for (int held = 0; held <= 1; held++) {
		assert_int_equal(
			survey_hold(&scene.context, scene.survey, _TUNABLE_MAX, held),
			-EBADMSG);
		assert_int_equal(survey_hold(&scene.context, scene.survey,
					     TUNABLE_READ_AHEAD_KB, held),
				 -EBADMSG);
	}
	assert_int_equal(scene.handled, 0);
	assert_string_equal(folder_get(scene.root, STATE_OF_HEAD), damaged);
	assert_string_equal(folder_get(scene.root, STATE_OF_PATH), damaged);
	assert_string_equal(value_of(&scene, HEAD, "read_ahead_kb"), "128\n");
}

/* A folder in the place of the temporary file: what is there can be read, not replaced.
 */
static void forbid_saving(const struct scene *scene, const char *file)
{
	char path[ROOT_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s.%ld.tmp", file, (long)getpid());
	assert_int_equal(folder_make(scene->root, path), 0);
}

static void test_restore_unsaved(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };
	char before[2048];

	look(&scene);
	assert_int_equal(apply(&scene), 5);
	(void)snprintf(before, sizeof(before), "%s",
		       folder_get(scene.root, STATE_OF_PATH));
	forbid_saving(&scene, STATE_OF_PATH);
	assert_int_equal(restore(&scene, true), -EEXIST);
	assert_int_equal(scene.handled, 5);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		assert_string_equal(value_of(&scene, paths[i], "nr_requests"), "1023");
		assert_string_equal(value_of(&scene, paths[i], "max_sectors_kb"), "1024");
	}
	assert_string_equal(value_of(&scene, HEAD, "read_ahead_kb"), "128");
	assert_string_equal(folder_get(scene.root, STATE_OF_PATH), before);
	assert_true(scene.survey->memory.state.held);
	assert_true(scene.survey->paths[0]->memory.state.held);
}

/* One value that cannot be read does not keep the others from coming back. */
static void test_restore_unreadable(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };

	look(&scene);
	assert_int_equal(apply(&scene), 5);
	assert_int_equal(file_remove(scene.root, PATH_0 "/queue/nr_requests"), 0);
	assert_int_equal(restore(&scene, false), -ENODATA);
	assert_int_equal(scene.handled, 4);
	assert_string_equal(value_of(&scene, PATH_0, "max_sectors_kb"), "1024");
	assert_string_equal(value_of(&scene, HEAD, "read_ahead_kb"), "128");
	assert_non_null(strstr(folder_get(scene.root, STATE_OF_PATH),
			       "nr_requests.initial=1023\n"));
}

/* No baseline, no write, and nothing to report. */
static void test_apply_unsaved(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };

	look(&scene);
	forbid_saving(&scene, STATE_OF_HEAD);
	forbid_saving(&scene, STATE_OF_PATH);
	assert_int_equal(apply(&scene), -EEXIST);
	assert_int_equal(scene.handled, 0);
	assert_string_equal(value_of(&scene, PATH_0, "nr_requests"), "1023\n");
}

/* The kernel took the write and shows another value: asked for once, until told to. */
static void test_refused(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };
	char text[256], before[2048];
	struct stat st = { 0 };

	look(&scene);
	assert_int_equal(stat(folder_path_of(scene.root, PATH_0), &st), 0);
	(void)snprintf(text, sizeof(text),
		       "INODE=%llu\nHELD=1\nnr_requests.held=1\nnr_requests.asked=256\n"
		       "nr_requests.answer=1023\n",
		       (unsigned long long)st.st_ino);
	folder_put(scene.root, STATE_OF_PATH, text);
	look(&scene);
	survey_plan_as_if_free(&scene.context, scene.survey);
	expect_outcome(&scene, OUTCOME_CHANGE);
	assert_string_equal(folder_get(scene.root, STATE_OF_PATH), text);

	look(&scene);
	assert_int_equal(survey_hold(&scene.context, scene.survey, _TUNABLE_MAX, false),
			 0);
	look(&scene);
	assert_int_equal(outcome_of(scene.survey->paths[0], TUNABLE_NR_REQUESTS),
			 OUTCOME_REFUSED);
	assert_int_equal(outcome_of(scene.survey->paths[1], TUNABLE_NR_REQUESTS),
			 OUTCOME_CHANGE);
	(void)snprintf(before, sizeof(before), "%s",
		       folder_get(scene.root, STATE_OF_PATH));
	assert_non_null(strstr(before, "nr_requests.asked=256"));
	assert_int_equal(survey_ask_again(&scene.context, scene.survey), 0);
	expect_outcome(&scene, OUTCOME_CHANGE);
	assert_null(strstr(folder_get(scene.root, STATE_OF_PATH), "asked"));
	look(&scene);
	expect_outcome(&scene, OUTCOME_CHANGE);
}

/* A path that is gone by the time it is looked for is not one. */
static void test_path_gone(void **state)
{
	_cleanup_scene_ struct scene scene = { .root = *state };

	assert_int_equal(file_remove(scene.root, "/sys/block/nvme0c1n1"), 0);
	assert_int_equal(context_load(scene.root, scene.root, NULL, NULL, &scene.context),
			 0);
	assert_int_equal(survey_disk(&scene.context, HEAD, &scene.survey), 0);
	assert_int_equal(scene.survey->n_paths, 1);
	assert_int_equal(apply(&scene), 3);
	assert_string_equal(value_of(&scene, PATH_1, "nr_requests"), "1023\n");
	assert_null(survey_free(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST("apply and restore, with the paths", test_apply_and_restore),
		MACHINE_TEST("a held head holds its paths", test_held_head),
		MACHINE_TEST("a head that is off switches off its paths", test_head_off),
		MACHINE_TEST("files that cannot be understood", test_cautious),
		MACHINE_TEST("a memory that cannot be understood",
			     test_unreadable_memory),
		MACHINE_TEST("restoring where one file cannot be saved",
			     test_restore_unsaved),
		MACHINE_TEST("restoring where one value cannot be read",
			     test_restore_unreadable),
		MACHINE_TEST("no baseline, no write", test_apply_unsaved),
		MACHINE_TEST("what the kernel did not take", test_refused),
		MACHINE_TEST("a path that is gone", test_path_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
