/* SPDX-License-Identifier: MIT */
/*
 * What was measured, brought to the disk that is there now: from which folder, to which
 * stacks on it, and what makes it stale that is in force below the disk. On a folder that
 * shows a disk with partitions, volumes on them, and an NVMe disk with two paths.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sysfs.h"
#include "measure/store.h"
#include "support.h"
#include "survey/survey.h"

#define SCSI "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0"
#define SDA SCSI "/block/sda"
#define VIRTUAL "/sys/devices/virtual/block/"
#define ID_32 "abcdefghijklmnopqrstuvwxyz012345"
#define SUBSYSTEM "/sys/devices/virtual/nvme-subsystem/nvme-subsys0"
#define HEAD SUBSYSTEM "/nvme0n1"
#define PATH_0 "/sys/devices/pci0/nvme/nvme0/nvme0c0n1"

static void put_link(const struct root *root, const char *path, const char *target)
{
	char folder[ROOT_PATH_MAX];

	(void)snprintf(folder, sizeof(folder), "%s", path);
	assert_true(path_up(folder));
	assert_int_equal(folder_make(root, folder), 0);
	assert_int_equal(symlink(target, folder_path_of(root, path)), 0);
}

static void put(const struct root *root, const char *disk, const char *name,
		const char *value)
{
	char path[ROOT_PATH_MAX];

	assert_int_equal(path_join(path, sizeof(path), disk, name), 0);
	folder_put(root, path, value);
}

/* /sys/block/NAME, and /sys/class/block/NAME, by which a name is looked up. */
static void put_block(const struct root *root, const char *syspath)
{
	char link[ROOT_PATH_MAX], target[ROOT_PATH_MAX];

	(void)snprintf(link, sizeof(link), "/sys/block/%s", path_name(syspath));
	(void)snprintf(target, sizeof(target), "..%s", syspath + strlen("/sys"));
	put_link(root, link, target);
	(void)snprintf(link, sizeof(link), "/sys/class/block/%s", path_name(syspath));
	(void)snprintf(target, sizeof(target), "../..%s", syspath + strlen("/sys"));
	put_link(root, link, target);
	(void)snprintf(link, sizeof(link), "%s/subsystem", syspath);
	put_link(root, link, "/sys/class/block");
}

static void put_disk(const struct root *root, const char *syspath)
{
	put_block(root, syspath);
	put(root, syspath, "size", "4194304\n");
	put(root, syspath, "queue/rotational", "0\n");
	put(root, syspath, "queue/read_ahead_kb", "128\n");
	put(root, syspath, "queue/max_sectors_kb", "1024\n");
	put(root, syspath, "queue/max_hw_sectors_kb", "1024\n");
}

/* @name stands on @below: a disk's or partition's folder. */
static void put_volume(const struct root *root, const char *name, const char *uuid,
		       const char *below)
{
	char syspath[256], link[512], target[ROOT_PATH_MAX];

	(void)snprintf(syspath, sizeof(syspath), VIRTUAL "%s", name);
	put_disk(root, syspath);
	put(root, syspath, "dm/name", name);
	put(root, syspath, "dm/uuid", uuid);
	(void)snprintf(link, sizeof(link), "%s/slaves/%s", syspath, path_name(below));
	(void)snprintf(target, sizeof(target), "../../../../%s",
		       below + strlen("/sys/devices/"));
	put_link(root, link, target);
	(void)snprintf(link, sizeof(link), "%s/holders/%s", below, name);
	put_link(root, link, "nowhere"); /* the name counts */
}

static int machine_setup(void **state)
{
	struct root *root = NULL;

	if (folder_setup(state) < 0)
		return -1;
	root = *state;
	put_disk(root, SDA);
	folder_put(root, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	put(root, SCSI, "vendor", "ATA\n");
	put(root, SCSI, "model", "A disk\n");
	put(root, SCSI, "wwid", "naa.5002538d4002af71\n");
	put_link(root, SCSI "/subsystem", "/sys/bus/scsi");
	put_link(root, SDA "/device", "../../../0:0:0:0");
	for (int i = 1; i <= 3; i++) {
		char partition[256];

		(void)snprintf(partition, sizeof(partition), SDA "/sda%d", i);
		put(root, partition, "partition", "1\n");
		put_block(root, partition);
	}
	put_volume(root, "dm-0", "LVM-" ID_32 ID_32 "\n", SDA "/sda1");
	put_volume(root, "dm-1", "CRYPT-LUKS2-0123456789-x\n", SDA "/sda2");
	put_volume(root, "dm-2", "LVM-" ID_32 ID_32 "-tpool\n", SDA);
	put_volume(root, "dm-3", "LVM-" ID_32 ID_32 "\n", VIRTUAL "dm-2");
	put_volume(root, "dm-4", "LVM-" ID_32 ID_32 "\n", VIRTUAL "dm-1");
	return 0;
}

#define MACHINE_TEST(name, function)                                 \
	{                                                            \
		name, function, machine_setup, folder_teardown, NULL \
	}

struct scene {
	struct context context;
	struct survey *survey;
};

static void scene_done(struct scene *scene)
{
	context_done(&scene->context);
	(void)survey_free(scene->survey);
	scene->survey = NULL;
}

#define _cleanup_scene_ _cleanup_(scene_done)

/* As the command sees it, or as the helper does, which reads the copies. */
static const struct measured *look(struct scene *scene, const struct root *root,
				   const char *syspath, bool in_event)
{
	scene_done(scene);
	assert_int_equal(context_load(root, root, NULL, NULL, &scene->context), 0);
	if (in_event)
		scene->context.measured_in = PATH_MEASUREMENTS_COPIES;
	assert_int_equal(survey_disk(&scene->context, syspath, &scene->survey), 0);
	assert_true(scene->survey->measured.identified);
	return &scene->survey->measured;
}

static void keep_one(const struct root *root, struct scene *scene, const char *syspath)
{
	static struct measurement one;

	one = look(scene, root, syspath, false)->now;
	for (uint32_t depth = 1; depth <= 4; depth *= 2) {
		struct point point = { .work = WORK_RANDOM_READ,
				       .mode = IO_MODE_DIRECT,
				       .block_kb = 4,
				       .depth = depth,
				       .operations = depth < 4 ? depth * 1000 : 2010,
				       .duration_us = 1000000,
				       .p50_us = 100,
				       .p99_us = 200,
				       .measured_at = 1700000000 };

		assert_int_equal(measurement_add(&one, &point), 0);
	}
	assert_int_equal(store_save(root, &one, true), 0);
}

static void test_folders(void **state)
{
	struct root *root = *state;
	_cleanup_scene_ struct scene scene = { 0 };
	char path[ROOT_PATH_MAX];

	assert_int_equal(look(&scene, root, SDA, false)->found, -ENOENT);
	keep_one(root, &scene, SDA);
	assert_int_equal(look(&scene, root, SDA, false)->found, 0);
	assert_int_equal(look(&scene, root, SDA, true)->found, -ENOENT);
	assert_int_equal(store_copy(root), 0);
	assert_int_equal(look(&scene, root, SDA, true)->found, 0);
	/* The original is gone by somebody's will: the copy is no answer for a person. */
	strcpy(path, look(&scene, root, SDA, false)->path);
	assert_int_equal(unlink(folder_path_of(root, path)), 0);
	assert_int_equal(look(&scene, root, SDA, false)->found, -ENOENT);
	/* The file system is not mounted: it is. */
	assert_int_equal(rmdir(folder_path_of(root, PATH_MEASUREMENTS)), 0);
	assert_int_equal(rmdir(folder_path_of(root, "/var/lib/blkadvise")), 0);
	assert_int_equal(look(&scene, root, SDA, false)->found, 0);
}

static void test_stacks(void **state)
{
	static const struct {
		const char *name;
		bool as_leaf;
	} rows[] = {
		{ "dm-0", true }, /* a volume on a partition */
		{ "dm-1", false }, /* encrypted */
		{ "dm-2", false }, /* a thin pool */
		{ "dm-3", false }, /* a volume in it */
		{ "dm-4", false }, /* a volume on what is encrypted */
	};
	struct root *root = *state;
	_cleanup_scene_ struct scene scene = { 0 };

	keep_one(root, &scene, SDA);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct measured *measured = NULL;
		const struct advice *advice = NULL;
		char syspath[ROOT_PATH_MAX];

		(void)snprintf(syspath, sizeof(syspath), VIRTUAL "%s", rows[i].name);
		measured = look(&scene, root, syspath, false);
		advice = &scene.survey->selection.advice;
		ROW_INT(rows[i].name, measured->found, 0);
		ROW_INT(rows[i].name, measured->of_leaf, true);
		ROW_INT(rows[i].name, measured->stale, 0);
		ROW_INT(rows[i].name, advice->random_from, ADVICE_FROM_MEASURED);
		ROW_INT(rows[i].name, advice->value[ADVICE_RANDOM_EXCEEDS_DEPTH], 2);
		ROW_INT(rows[i].name, advice->random_confident, rows[i].as_leaf);
	}
}

static void test_readahead_above(void **state)
{
	struct root *root = *state;
	_cleanup_scene_ struct scene scene = { 0 };

	keep_one(root, &scene, SDA);
	put(root, SDA, "queue/read_ahead_kb", "256\n");
	assert_int_equal(look(&scene, root, SDA, false)->stale, 1U << STALE_READ_AHEAD);
	assert_int_equal(look(&scene, root, VIRTUAL "dm-0", false)->stale, 0);
	put(root, VIRTUAL "dm-0", "queue/read_ahead_kb", "4096\n");
	assert_int_equal(look(&scene, root, VIRTUAL "dm-0", false)->stale,
			 1U << STALE_READ_AHEAD);
}

static void test_leaf_of_stack(void **state)
{
	const unsigned int changed = 1U << STALE_MEMBERS_STATE;
	struct root *root = *state;
	_cleanup_scene_ struct scene scene = { 0 };

	put(root, SCSI, "rev", "A1\n");
	keep_one(root, &scene, VIRTUAL "dm-0");
	assert_false(look(&scene, root, VIRTUAL "dm-0", false)->of_leaf);
	assert_int_equal(scene.survey->measured.stale, 0);
	put(root, SDA, "queue/read_ahead_kb", "256\n");
	assert_int_equal(look(&scene, root, VIRTUAL "dm-0", false)->stale, 0);
	put(root, SCSI, "rev", "A2\n");
	assert_int_equal(look(&scene, root, VIRTUAL "dm-0", false)->stale, changed);
	put(root, SCSI, "rev", "A1\n");
	put(root, SDA, "queue/max_sectors_kb", "512\n");
	assert_int_equal(look(&scene, root, VIRTUAL "dm-0", false)->stale, changed);
}

static void test_paths(void **state)
{
	struct root *root = *state;
	_cleanup_scene_ struct scene scene = { 0 };

	put_disk(root, HEAD);
	put(root, HEAD, "dev", "259:2\n");
	put(root, HEAD, "wwid", "eui.0025388b71b2c3d4\n");
	put_disk(root, PATH_0);
	put(root, PATH_0, "hidden", "1\n");
	put(root, PATH_0, "queue/nr_requests", "1023\n");
	put_link(root, SUBSYSTEM "/subsystem", "/sys/class/nvme-subsystem");
	put_link(root, SUBSYSTEM "/nvme0", "../../../pci0/nvme/nvme0");
	keep_one(root, &scene, HEAD);
	assert_int_equal(scene.survey->n_paths, 1);
	assert_int_equal(look(&scene, root, HEAD, false)->stale, 0);
	put(root, PATH_0, "queue/nr_requests", "64\n");
	assert_int_equal(look(&scene, root, HEAD, false)->stale,
			 1U << STALE_MEMBERS_STATE);
}

static void test_holders(void **state)
{
	static const char *const above[] = { "dm-2", "dm-0", "dm-1", "dm-3", "dm-4" };
	struct root *root = *state;
	_cleanup_names_ struct names names = { 0 }, none = { 0 };

	assert_int_equal(sysfs_block_holders(root, SDA, &names), 0);
	assert_int_equal(names.n, ARRAY_SIZE(above));
	for (size_t i = 0; i < ARRAY_SIZE(above); i++)
		assert_string_equal(names.list[i], above[i]);
	assert_int_equal(sysfs_block_holders(root, VIRTUAL "dm-4", &none), 0);
	assert_int_equal(none.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		MACHINE_TEST("a person's folder and an event's", test_folders),
		MACHINE_TEST("stacks as fast as their disk", test_stacks),
		MACHINE_TEST("the readahead of a stack", test_readahead_above),
		MACHINE_TEST("what is in force on a member", test_leaf_of_stack),
		MACHINE_TEST("what is in force on a path", test_paths),
		MACHINE_TEST("what stands on a disk", test_holders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
