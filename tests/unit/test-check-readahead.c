/* SPDX-License-Identifier: MIT */
/*
 * Checks of readahead.
 */
#include <string.h>

#include "check-rows.h"

#define READ_AHEAD(value) { FACT_READ_AHEAD_KB, value }
#define IO_OPT(value) { FACT_OPTIMAL_IO_SIZE, value }
#define BOGUS IO_OPT("33553920")
#define NEW_KERNEL { FACT_OSRELEASE, "6.18.1-arch1-1" }
#define FLAGGED { FACT_ROTATIONAL, "1" }
#define UNBACKED FLAGGED, { FACT_ATA_ID_217, "0" }, NEW_KERNEL
#define HDD FLAGGED, { FACT_ATA_ID_217, "7200" }
#define AZURE \
	{ FACT_STACK_KIND, "hyperv" }, { FACT_LIBATA, "?" }, FLAGGED, \
	{ FACT_ATA_ID_217, "?" }, { FACT_OSRELEASE, "6.17.0-1008-azure" }, \
	{ FACT_MAX_SECTORS_KB, "2048" }, { FACT_GUEST, "1" }, \
	{ FACT_EMULATED, "1" }
#define USB \
	{ FACT_LIBATA, "?" }, { FACT_USB_DRIVER, "usb-storage" }, FLAGGED, NEW_KERNEL, \
	{ FACT_ATA_ID_217, "?" }, { FACT_ATA_ID_76, "?" }
#define DM { FACT_STACK_KIND, "dm" }, { FACT_LIBATA, "?" }, { FACT_NAME, "dm-2" }
#define MD(level, disks) \
	{ FACT_STACK_KIND, "md" }, { FACT_LIBATA, "?" }, { FACT_NAME, "md0" }, \
	{ FACT_MD_LEVEL, level }, { FACT_MD_RAID_DISKS, disks }
#define RAID_VOLUME \
	{ FACT_LIBATA, "?" }, { FACT_PROC_NAME, "3w-9xxx" }, { FACT_ATA_ID_76, "?" }, \
	{ FACT_ATA_ID_217, "?" }
#define VIRTIO_LEAF \
	{ FACT_STACK_KIND, "xen" }, { FACT_LIBATA, "?" }, { FACT_ATA_ID_217, "?" }, \
	{ FACT_NAME, "vda" }, FLAGGED, NEW_KERNEL, { FACT_MAX_SECTORS_KB, "4096" }

static void wish(struct scene *scene, const char *value)
{
	struct setting *setting = &scene->selection.settings[TUNABLE_READ_AHEAD_KB];

	setting->present = true;
	strcpy(setting->value, value);
	strcpy(setting->where, "policy:1");
}

static void wish_128(struct scene *scene)
{
	wish(scene, "128");
}

static void wish_4096(struct scene *scene)
{
	wish(scene, "4096");
}

static void wish_16(struct scene *scene)
{
	wish(scene, "16");
}

static void remember(struct scene *scene, enum tunable tunable, const char *initial,
		     const char *written)
{
	struct tunable_state *memory = &scene->state.tunables[tunable];

	memory->has_initial = memory->has_written = true;
	strcpy(memory->initial, initial);
	strcpy(memory->written, written);
}

static void wrote_16(struct scene *scene)
{
	remember(scene, TUNABLE_READ_AHEAD_KB, "128", "16");
}

static void lowered_transfers(struct scene *scene)
{
	remember(scene, TUNABLE_MAX_SECTORS_KB, "1280", "512");
}

static void on_usb(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_USB_INTERFACE, "/sys/devices/x");
}

static void lost_a_leaf(struct scene *scene)
{
	scene->disk.leaves_incomplete = true;
}

#define FROM_IO_OPT FINDING_READAHEAD_FROM_IO_OPT
#define ROTATIONAL FINDING_READAHEAD_FALSE_ROTATIONAL
#define NOT_ON_TOP FINDING_READAHEAD_NOT_ON_TOP
#define UNFIT FINDING_READAHEAD_UNFIT
#define BELOW_STRIPE FINDING_READAHEAD_BELOW_STRIPE

static const struct row value_rows[] = {
	{ "megabytes from io_opt", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { BOGUS, READ_AHEAD("65532") }, "65532 = 2 x optimal_io_size 33553920 / 1024 "
	  "rounded" },
	{ "the same in pages of 16 KiB", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { BOGUS, READ_AHEAD("65520") }, "65520 = 2 x" },
	{ "a provider's NVMe of 32 MiB", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { IO_OPT("33554432"), READ_AHEAD("65536") }, "33554432 / 1024:" },
	{ "two stripes of an array", FROM_IO_OPT, CHECK_FOUND, SEVERITY_INFO,
	  { IO_OPT("4194304"), READ_AHEAD("8192"), MD("raid6", "10") }, "stripes" },
	{ "two stripes of an array, seen through dm", FROM_IO_OPT, CHECK_FOUND,
	  SEVERITY_INFO, { IO_OPT("4194304"), READ_AHEAD("8192"), DM }, "stripes",
	  .leaves = { { { FACT_NAME, "sda" } }, { { FACT_NAME, "sdb" } } },
	  .n_leaves = 2 },
	{ "a leaf's own, seen through dm", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { IO_OPT("4194304"), READ_AHEAD("8192"), DM }, "megabytes",
	  .leaves = { { IO_OPT("4194304") } }, .n_leaves = 1 },
	{ "a leaf's own, seen through md", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { IO_OPT("33554432"), READ_AHEAD("65536"), MD("raid1", "2") }, "megabytes",
	  .leaves = { { IO_OPT("33554432") }, { IO_OPT("33554432") } }, .n_leaves = 2 },
	{ "a controller's stripes", FROM_IO_OPT, CHECK_FOUND, SEVERITY_INFO,
	  { IO_OPT("4194304"), READ_AHEAD("8192"), RAID_VOLUME }, "stripes" },
	{ "a controller's nonsense", FROM_IO_OPT, CHECK_FOUND, SEVERITY_WARN,
	  { BOGUS, READ_AHEAD("65532"), RAID_VOLUME }, "megabytes" },
	{ "4096 is not yet much", FROM_IO_OPT, CHECK_OK, 0,
	  { IO_OPT("2097152"), READ_AHEAD("4096") }, NULL },
	{ "megabytes from somebody", FROM_IO_OPT, CHECK_OK, 0, { BOGUS,
	  READ_AHEAD("8192") }, NULL },
	{ "no io_opt", FROM_IO_OPT, CHECK_OK, 0, { READ_AHEAD("8192") }, NULL },
	{ "no readahead known", FROM_IO_OPT, CHECK_UNKNOWN, 0, { BOGUS,
	  READ_AHEAD("?") }, NULL },
	{ "no io_opt known", FROM_IO_OPT, CHECK_UNKNOWN, 0, { IO_OPT("?") }, NULL },
	{ "a loop device's", FROM_IO_OPT, CHECK_NOT_APPLICABLE, 0, { BOGUS,
	  READ_AHEAD("65532"), { FACT_STACK_KIND, "loop" } }, NULL },
	{ "a member's, which does not count", FROM_IO_OPT, CHECK_NOT_APPLICABLE, 0,
	  { BOGUS, READ_AHEAD("65532"), { FACT_HOLDERS, "dm-0" } }, NULL },

	{ "65535 blocks, in use", FINDING_IO_OPT_BOGUS, CHECK_FOUND, SEVERITY_WARN,
	  { BOGUS, READ_AHEAD("65532") }, "derived from it all the same" },
	{ "65535 blocks, use unknown", FINDING_IO_OPT_BOGUS, CHECK_FOUND, SEVERITY_WARN,
	  { BOGUS, READ_AHEAD("?") }, "33553920" },
	{ "65535 blocks, not in use", FINDING_IO_OPT_BOGUS, CHECK_FOUND, SEVERITY_INFO,
	  { BOGUS }, "not derived" },
	{ "no io_opt", FINDING_IO_OPT_BOGUS, CHECK_OK, 0, { { 0 } }, NULL },
	{ "a stripe", FINDING_IO_OPT_BOGUS, CHECK_OK, 0, { IO_OPT("1048576") }, NULL },
	{ "io_opt unknown", FINDING_IO_OPT_BOGUS, CHECK_UNKNOWN, 0, { IO_OPT("?") },
	  NULL },
	{ "a stack of such a disk", FINDING_IO_OPT_BOGUS, CHECK_NOT_APPLICABLE, 0,
	  { BOGUS, DM }, NULL },

	{ "a false flag's readahead", ROTATIONAL, CHECK_FOUND, SEVERITY_INFO,
	  { UNBACKED, READ_AHEAD("2560") }, "2560 = 2 x max_sectors_kb 1280, since Linux "
	  "6.17" },
	{ "a false flag's, from the hardware's limit", ROTATIONAL, CHECK_FOUND,
	  SEVERITY_WARN, { UNBACKED, READ_AHEAD("65532") },
	  "2 x max_hw_sectors_kb 32767" },
	{ "a USB disk that may rotate", ROTATIONAL, CHECK_FOUND, SEVERITY_INFO,
	  { USB, READ_AHEAD("2560") }, "may be flash", .prepare = on_usb },
	{ "a USB stick", ROTATIONAL, CHECK_FOUND, SEVERITY_WARN,
	  { USB, { FACT_REMOVABLE, "1" }, READ_AHEAD("2560") }, "nothing backs",
	  .prepare = on_usb },
	{ "a USB stick of 512", ROTATIONAL, CHECK_FOUND, SEVERITY_INFO,
	  { USB, { FACT_REMOVABLE, "1" }, { FACT_MAX_SECTORS_KB, "256" },
	  READ_AHEAD("512") }, "nothing backs", .prepare = on_usb },
	{ "a USB stick of 240", ROTATIONAL, CHECK_OK, 0,
	  { USB, { FACT_REMOVABLE, "1" }, { FACT_MAX_SECTORS_KB, "120" },
	  READ_AHEAD("240") }, NULL, .prepare = on_usb },
	{ "a guest's disks of 6.17", ROTATIONAL, CHECK_FOUND, SEVERITY_WARN, { AZURE,
	  READ_AHEAD("4096") }, "4096 = 2 x max_sectors_kb 2048" },
	{ "a flash drive that is flagged", ROTATIONAL, CHECK_FOUND, SEVERITY_WARN,
	  { FLAGGED, NEW_KERNEL, READ_AHEAD("2560") }, "this is flash" },
	{ "a limit that we changed", ROTATIONAL, CHECK_FOUND, SEVERITY_INFO,
	  { UNBACKED, READ_AHEAD("2560"), { FACT_MAX_SECTORS_KB, "512" } },
	  "as it was (1280 KiB)", .prepare = lowered_transfers },
	{ "a stack over disks that may rotate", ROTATIONAL, CHECK_FOUND, SEVERITY_INFO,
	  { DM, NEW_KERNEL, FLAGGED, READ_AHEAD("2560") }, "2 x max_sectors_kb 1280",
	  .leaves = { { VIRTIO_LEAF, READ_AHEAD("8192") } }, .n_leaves = 1 },
	{ "a guest's stack", ROTATIONAL, CHECK_FOUND, SEVERITY_WARN,
	  { DM, NEW_KERNEL, FLAGGED, READ_AHEAD("2560"), { FACT_GUEST, "1" } },
	  "2 x max_sectors_kb 1280",
	  .leaves = { { VIRTIO_LEAF, READ_AHEAD("8192") } }, .n_leaves = 1 },
	{ "a stack over such disks that are set right", ROTATIONAL, CHECK_OK, 0,
	  { DM, NEW_KERNEL, FLAGGED, READ_AHEAD("2560") }, NULL,
	  .leaves = { { VIRTIO_LEAF } }, .n_leaves = 1 },
	{ "the policy wants just that", ROTATIONAL, CHECK_OK, 0, { AZURE,
	  READ_AHEAD("4096") }, NULL, .prepare = wish_4096 },
	{ "a true flag's readahead", ROTATIONAL, CHECK_OK, 0, { HDD, NEW_KERNEL,
	  READ_AHEAD("2560") }, NULL },
	{ "a kernel that derives none", ROTATIONAL, CHECK_OK, 0, { UNBACKED,
	  READ_AHEAD("2560"), { FACT_OSRELEASE, "6.12.0" } }, NULL },
	{ "a false flag beside an optimal_io_size", ROTATIONAL, CHECK_OK, 0, { UNBACKED,
	  READ_AHEAD("2560"), IO_OPT("65536") }, NULL },
	{ "no false flag", ROTATIONAL, CHECK_OK, 0, { NEW_KERNEL, READ_AHEAD("2560") },
	  NULL },
	{ "the classical readahead", ROTATIONAL, CHECK_OK, 0, { UNBACKED }, NULL },
	{ "somebody's readahead", ROTATIONAL, CHECK_OK, 0, { UNBACKED,
	  READ_AHEAD("1000") }, NULL },
	{ "kernel unknown", ROTATIONAL, CHECK_UNKNOWN, 0, { UNBACKED, READ_AHEAD("2560"),
	  { FACT_OSRELEASE, "?" } }, NULL },
	{ "flag unknown", ROTATIONAL, CHECK_UNKNOWN, 0, { { FACT_ROTATIONAL, "?" } },
	  NULL },
	{ "limit unknown", ROTATIONAL, CHECK_UNKNOWN, 0, { UNBACKED, READ_AHEAD("2560"),
	  { FACT_MAX_SECTORS_KB, "?" } }, NULL },
	{ "an optical drive", ROTATIONAL, CHECK_NOT_APPLICABLE, 0, { UNBACKED,
	  { FACT_SCSI_TYPE, "5" }, READ_AHEAD("2560") }, NULL },
};

static const struct row place_rows[] = {
	{ "the disk was set right, the stack was not", NOT_ON_TOP, CHECK_FOUND,
	  SEVERITY_WARN, { DM, NEW_KERNEL, FLAGGED, READ_AHEAD("8192"),
	  { FACT_MAX_SECTORS_KB, "4096" } }, "set to 128 on vda",
	  .leaves = { { VIRTIO_LEAF } }, .n_leaves = 1 },
	{ "the same by io_opt", NOT_ON_TOP, CHECK_FOUND, SEVERITY_WARN, { DM, BOGUS,
	  READ_AHEAD("65532") }, "still has the kernel's 65532",
	  .leaves = { { BOGUS } }, .n_leaves = 1 },
	{ "the disk was raised", NOT_ON_TOP, CHECK_FOUND, SEVERITY_WARN, { DM },
	  "set to 4096 on sda", .leaves = { { READ_AHEAD("4096") } }, .n_leaves = 1 },
	{ "the second of two disks was lowered", NOT_ON_TOP, CHECK_FOUND, SEVERITY_WARN,
	  { DM }, "set to 8 on sdb", .leaves = { { { 0 } }, { READ_AHEAD("8"),
	  { FACT_NAME, "sdb" } } }, .n_leaves = 2 },
	{ "nobody set anything", NOT_ON_TOP, CHECK_OK, 0, { DM }, NULL,
	  .leaves = { { { 0 } } }, .n_leaves = 1 },
	{ "nobody set anything, and the kernel gives megabytes", NOT_ON_TOP, CHECK_OK, 0,
	  { DM, NEW_KERNEL, FLAGGED, READ_AHEAD("2560") }, NULL,
	  .leaves = { { VIRTIO_LEAF, READ_AHEAD("8192") } }, .n_leaves = 1 },
	{ "both were set", NOT_ON_TOP, CHECK_OK, 0, { DM, READ_AHEAD("512") }, NULL,
	  .leaves = { { READ_AHEAD("512") } }, .n_leaves = 1 },
	{ "both were set, to different values", NOT_ON_TOP, CHECK_OK, 0, { DM,
	  READ_AHEAD("16") }, NULL, .leaves = { { READ_AHEAD("64") } }, .n_leaves = 1 },
	{ "the policy wants the stack as it is", NOT_ON_TOP, CHECK_OK, 0, { DM }, NULL,
	  .leaves = { { READ_AHEAD("64") } }, .n_leaves = 1, .prepare = wish_128 },
	{ "stripes of its own", NOT_ON_TOP, CHECK_OK, 0, { DM, IO_OPT("1048576"),
	  READ_AHEAD("2048") }, NULL, .leaves = { { HDD, READ_AHEAD("512") },
	  { HDD, READ_AHEAD("512") } }, .n_leaves = 2 },
	{ "one leaf is not known", NOT_ON_TOP, CHECK_UNKNOWN, 0, { DM }, "not every",
	  .leaves = { { { 0 } } }, .n_leaves = 1, .prepare = lost_a_leaf },
	{ "no leaf is known", NOT_ON_TOP, CHECK_UNKNOWN, 0, { DM }, "not every" },
	{ "a stack below another", NOT_ON_TOP, CHECK_NOT_APPLICABLE, 0, { DM,
	  { FACT_HOLDERS, "dm-3" } }, NULL, .leaves = { { READ_AHEAD("64") } },
	  .n_leaves = 1 },
	{ "swap", NOT_ON_TOP, CHECK_NOT_APPLICABLE, 0, { DM,
	  { FACT_ID_FS_TYPE, "swap" } }, NULL, .leaves = { { READ_AHEAD("64") } },
	  .n_leaves = 1 },
	{ "an array has its stripes", NOT_ON_TOP, CHECK_NOT_APPLICABLE, 0, { MD("raid0",
	  "2") }, NULL, .leaves = { { READ_AHEAD("64") } }, .n_leaves = 1 },
	{ "a disk is no stack", NOT_ON_TOP, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL },

	{ "a readahead of one page", UNFIT, CHECK_FOUND, SEVERITY_INFO,
	  { READ_AHEAD("4") }, "each small request" },
	{ "no readahead", UNFIT, CHECK_FOUND, SEVERITY_INFO, { READ_AHEAD("0") },
	  "each page" },
	{ "megabytes from somebody", UNFIT, CHECK_FOUND, SEVERITY_INFO,
	  { READ_AHEAD("4096") }, "no rule" },
	{ "megabytes from somebody, on a rotating drive", UNFIT, CHECK_FOUND,
	  SEVERITY_INFO, { HDD, READ_AHEAD("16384") }, "no rule" },
	{ "more than random engines need", UNFIT, CHECK_FOUND, SEVERITY_INFO,
	  { READ_AHEAD("256") }, "wants 16", .prepare = wish_16 },
	{ "a streamer's on a rotating drive", UNFIT, CHECK_OK, 0, { HDD,
	  READ_AHEAD("4096") }, NULL },
	{ "a little more than the classical value", UNFIT, CHECK_OK, 0,
	  { READ_AHEAD("1024") }, NULL },
	{ "the classical value", UNFIT, CHECK_OK, 0, { { 0 } }, NULL },
	{ "the classical value, which the policy will change", UNFIT, CHECK_OK, 0,
	  { { 0 } }, NULL, .prepare = wish_16 },
	{ "the policy's 16", UNFIT, CHECK_OK, 0, { READ_AHEAD("16") }, NULL,
	  .prepare = wish_16 },
	{ "our own 16", UNFIT, CHECK_OK, 0, { READ_AHEAD("16") }, NULL,
	  .prepare = wrote_16 },
	{ "the kernel's megabytes", UNFIT, CHECK_OK, 0, { BOGUS, READ_AHEAD("65532") },
	  NULL },
	{ "the kernel's for a rotating drive", UNFIT, CHECK_OK, 0, { HDD, NEW_KERNEL,
	  READ_AHEAD("65532") }, NULL },
	{ "an array's", UNFIT, CHECK_OK, 0, { MD("raid0", "8"), READ_AHEAD("16384") },
	  NULL },
	{ "a network disk's", UNFIT, CHECK_OK, 0, { { FACT_STACK_KIND, "rbd" },
	  { FACT_LIBATA, "?" }, READ_AHEAD("4096") }, NULL },
	{ "readahead unknown", UNFIT, CHECK_UNKNOWN, 0, { READ_AHEAD("?") }, NULL },
	{ "megabytes, kernel unknown", UNFIT, CHECK_UNKNOWN, 0, { READ_AHEAD("8192"),
	  { FACT_OSRELEASE, "?" } }, NULL },
	{ "megabytes, io_opt unknown", UNFIT, CHECK_UNKNOWN, 0, { READ_AHEAD("8192"),
	  IO_OPT("?") }, NULL },
	{ "a member's, which does not count", UNFIT, CHECK_NOT_APPLICABLE, 0,
	  { READ_AHEAD("4"), { FACT_HOLDERS, "md0" } }, NULL },

	{ "less than two stripes", BELOW_STRIPE, CHECK_FOUND, SEVERITY_INFO, { MD("raid5",
	  "4"), IO_OPT("1572864") }, "= 3072" },
	{ "less than two of a controller's", BELOW_STRIPE, CHECK_FOUND, SEVERITY_INFO,
	  { RAID_VOLUME, IO_OPT("1048576") }, "= 2048" },
	{ "less than two stripes, through dm", BELOW_STRIPE, CHECK_FOUND, SEVERITY_INFO,
	  { DM, IO_OPT("1048576") }, "= 2048", .leaves = { { { 0 } }, { { 0 } } },
	  .n_leaves = 2 },
	{ "a wide array without stripes told", BELOW_STRIPE, CHECK_FOUND, SEVERITY_INFO,
	  { MD("raid6", "10") }, "10 members" },
	{ "a small array without stripes told", BELOW_STRIPE, CHECK_OK, 0, { MD("raid5",
	  "4") }, NULL },
	{ "many mirrors", BELOW_STRIPE, CHECK_OK, 0, { MD("raid1", "6") }, NULL },
	{ "two stripes", BELOW_STRIPE, CHECK_OK, 0, { MD("raid5", "4"),
	  IO_OPT("1572864"), READ_AHEAD("3072") }, NULL },
	{ "two small stripes are less than 128", BELOW_STRIPE, CHECK_OK, 0, { MD("raid0",
	  "2"), IO_OPT("16384") }, NULL },
	{ "the policy wants it", BELOW_STRIPE, CHECK_OK, 0, { MD("raid5", "4"),
	  IO_OPT("1572864") }, NULL, .prepare = wish_128 },
	{ "no stripe but nonsense", BELOW_STRIPE, CHECK_OK, 0, { RAID_VOLUME, BOGUS },
	  NULL },
	{ "a leaf's size, not a stripe", BELOW_STRIPE, CHECK_OK, 0, { DM,
	  IO_OPT("1048576") }, NULL, .leaves = { { IO_OPT("1048576") } },
	  .n_leaves = 1 },
	{ "stripe unknown", BELOW_STRIPE, CHECK_UNKNOWN, 0, { MD("raid5", "4"),
	  IO_OPT("?") }, NULL },
	{ "a disk is no array", BELOW_STRIPE, CHECK_NOT_APPLICABLE, 0,
	  { IO_OPT("1048576") }, NULL },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(value_rows, ARRAY_SIZE(value_rows));
	run_rows(place_rows, ARRAY_SIZE(place_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(value_rows, ARRAY_SIZE(value_rows));
	run_properties(place_rows, ARRAY_SIZE(place_rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
