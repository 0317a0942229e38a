/* SPDX-License-Identifier: MIT */
/*
 * Checks of USB bridges, of media, and of SD cards; and how the SD status is read.
 */
#include <string.h>

#include "check-rows.h"

#define LOG { FACT_KERNEL_LOG, "/dev/kmsg" }
#define USB(driver, speed) \
	{ FACT_NAME, "sdb" }, { FACT_USB_DRIVER, driver }, { FACT_USB_SPEED, speed }, \
	{ FACT_SIZE, "1953525168" }
#define SSD { FACT_VPD_ROTATION, "1" }
#define RESETS(n, line) { FACT_LOG_USB_RESETS, n }, { FACT_LOG_USB_LINE, line }
#define ABORT "sd 2:0:0:0: [sdb] tag#23 uas_eh_abort_handler 0 uas-tag 5 inflight: CMD"
#define RESET "usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd"

static void make_usb(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_USB_INTERFACE,
	  "/sys/devices/2-1:1.0");
	facts_set_anchor(&scene->disk.facts, ANCHOR_USB_DEVICE, "/sys/devices/2-1");
	facts_set_anchor(&scene->disk.facts, ANCHOR_SCSI_DEVICE, "/sys/devices/2:0:0:0");
}

#define ROW_USB(name, id, result, severity, says, ...) \
	{ name, id, result, severity, { __VA_ARGS__ }, says, .bare = true, \
	  .prepare = make_usb }
static const struct row usb_rows[] = {
	ROW_USB("aborted commands", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_WARN,
		"aborted", USB("uas", "5000"), SSD, LOG, RESETS("4", ABORT)),
	ROW_USB("a quirk that missed", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_WARN,
		"yet uas drives it", USB("uas", "5000"), SSD, { FACT_USB_QUIRKS, "u" }),
	ROW_USB("resets alone", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_INFO,
		"resuming from suspend", USB("uas", "5000"), SSD, LOG, RESETS("9",
		  RESET)),
	ROW_USB("a USB 3 bridge at USB 2", FINDING_USB_SLOW_MODE, CHECK_FOUND,
		SEVERITY_INFO, "port, cable or hub", USB("usb-storage", "480"), SSD,
		{ FACT_USB_VERSION, "2.10" }),
	ROW_USB("a bridge of USB 2", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_INFO,
		"in whatever port", USB("usb-storage", "480"), SSD,
		{ FACT_USB_VERSION, "2.00" }),
	ROW_USB("a bridge of USB 2 at 12 Mbit/s", FINDING_USB_SLOW_MODE, CHECK_FOUND,
		SEVERITY_INFO, "12 Mbit/s: about 1 MB/s", USB("usb-storage", "12"), SSD,
		{ FACT_USB_VERSION, "2.00" }),
	ROW_USB("a version that is none", FINDING_USB_SLOW_MODE, CHECK_FOUND,
		SEVERITY_INFO, "480 Mbit/s: about 40", USB("usb-storage", "480"), SSD,
		{ FACT_USB_VERSION, "2.x" }),
	ROW_USB("a USB 2 port", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_INFO,
		"480 Mbit/s", USB("usb-storage", "480"), SSD),
	ROW_USB("a USB 2 port, no log", FINDING_USB_SLOW_MODE, CHECK_FOUND, SEVERITY_INFO,
		"480 Mbit/s", USB("uas", "480"), SSD),
	ROW_USB("a stick at USB 2", FINDING_USB_SLOW_MODE, CHECK_OK, 0, NULL,
		USB("usb-storage", "480"), { FACT_REMOVABLE, "1" }),
	ROW_USB("uas, and all is well", FINDING_USB_SLOW_MODE, CHECK_OK, 0, NULL,
		USB("uas", "5000"), SSD, LOG, { FACT_LOG_USB_RESETS, "0" }),
	ROW_USB("uas after one resume", FINDING_USB_SLOW_MODE, CHECK_OK, 0, NULL,
		USB("uas", "5000"), SSD, LOG, RESETS("1", RESET)),
	ROW_USB("usb-storage after resumes", FINDING_USB_SLOW_MODE, CHECK_OK, 0, NULL,
		USB("usb-storage", "5000"), SSD, LOG, RESETS("9", RESET)),
	ROW_USB("a quirk that is no u", FINDING_USB_SLOW_MODE, CHECK_OK, 0, NULL,
		USB("uas", "5000"), SSD, { FACT_USB_QUIRKS, "ft" }, LOG,
		{ FACT_LOG_USB_RESETS, "0" }),
	ROW_USB("uas, no log", FINDING_USB_SLOW_MODE, CHECK_UNKNOWN, 0, NULL,
		USB("uas", "5000"), SSD),
	ROW_USB("no driver known", FINDING_USB_SLOW_MODE, CHECK_UNKNOWN, 0, NULL,
		USB("?", "5000"), SSD),
	ROW_USB("an empty card reader", FINDING_USB_SLOW_MODE, CHECK_NOT_APPLICABLE, 0,
		NULL, USB("usb-storage", "480"), { FACT_SIZE, "0" }),

	ROW_USB("no uas by quirk", FINDING_USB_QUIRK_COST, CHECK_FOUND, SEVERITY_INFO,
		"u: no uas, so one command at a time", USB("usb-storage", "5000"), SSD,
		{ FACT_USB_QUIRKS, "u" }),
	ROW_USB("flags of the kernel's list", FINDING_USB_QUIRK_COST, CHECK_FOUND,
		SEVERITY_INFO, "no FUA, harmless; f: no REPORT OPCODES, harmless",
		USB("uas", "5000"), SSD, { FACT_LOG_USB_QUIRK, "5000000" }),
	ROW_USB("a flag without a letter", FINDING_USB_QUIRK_COST, CHECK_FOUND,
		SEVERITY_INFO, "READ CAPACITY(16)", USB("usb-storage", "5000"), SSD,
		{ FACT_LOG_USB_QUIRK, "400000" }),
	ROW_USB("all letters", FINDING_USB_QUIRK_COST, CHECK_FOUND, SEVERITY_INFO,
		"u: no uas", USB("usb-storage", "5000"), SSD,
		{ FACT_USB_QUIRKS, "abcdefghijklmnoprstuwyz" },
		{ FACT_LOG_USB_QUIRK, "ffffffff" }),
	ROW_USB("a fast SSD at usb-storage", FINDING_USB_QUIRK_COST, CHECK_FOUND,
		SEVERITY_INFO, "many bridges of this speed have uas",
		USB("usb-storage", "5000"), SSD),
	ROW_USB("uas without quirks", FINDING_USB_QUIRK_COST, CHECK_OK, 0, NULL,
		USB("uas", "5000"), SSD),
	ROW_USB("a stick", FINDING_USB_QUIRK_COST, CHECK_OK, 0, NULL,
		USB("usb-storage", "5000"), { FACT_REMOVABLE, "1" }),
	ROW_USB("a USB 2 bridge", FINDING_USB_QUIRK_COST, CHECK_OK, 0, NULL,
		USB("usb-storage", "480"), SSD),
	ROW_USB("QEMU's USB disk", FINDING_USB_QUIRK_COST, CHECK_OK, 0, NULL,
		USB("usb-storage", "5000"), { FACT_EMULATED, "1" }),
	ROW_USB("a mask that is none", FINDING_USB_QUIRK_COST, CHECK_OK, 0, NULL,
		USB("uas", "5000"), SSD, { FACT_LOG_USB_QUIRK, "none" }),
	ROW_USB("quirks, no driver known", FINDING_USB_QUIRK_COST, CHECK_UNKNOWN, 0, NULL,
		USB("?", "5000"), { FACT_USB_QUIRKS, "u" }),
	{ "no USB", FINDING_USB_QUIRK_COST, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL },

	ROW_USB("129 PB", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_FOUND, SEVERITY_ERROR,
		"128746 TB", USB("usb-storage", "5000"), { FACT_SIZE,
		  "251458613520309" }),
	ROW_USB("strings that are none", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_FOUND,
		SEVERITY_ERROR, "a vendor that is none", USB("usb-storage", "5000"),
		{ FACT_SCSI_VENDOR, "?\x01" }, { FACT_SERIAL, "000000000000" }),
	ROW_USB("a serial number of zeros", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_FOUND,
		SEVERITY_INFO, "one repeated character", USB("usb-storage", "5000"),
		{ FACT_SCSI_VENDOR, "Generic" }, { FACT_SERIAL, "000000000000" }),
	ROW_USB("the largest hard disk", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_OK, 0, NULL,
		USB("uas", "5000"), { FACT_SIZE, "70312500000" }, { FACT_SERIAL,
		"0123456789AB" }, { FACT_SCSI_VENDOR, "WDC" }),
	ROW_USB("a serial number that is short", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_OK, 0,
		NULL, USB("uas", "5000"), { FACT_SERIAL, "0" }),
	ROW_USB("no size known", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_UNKNOWN, 0, NULL,
		USB("uas", "5000"), { FACT_SIZE, "?" }),
	{ "no bridge, whatever it says", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_NOT_APPLICABLE,
	  0, { { FACT_SIZE, "251458613520309" } }, NULL },
};

static void make_scsi(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_SCSI_DEVICE, "/sys/devices/0:2:0:0");
}

static void make_virtio(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_VIRTIO, "/sys/devices/virtio0");
}

static void make_nvme(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_NVME, "/sys/devices/nvme0");
}

#define RAID { FACT_PROC_NAME, "megaraid_sas" }, { FACT_SCSI_VENDOR, "DELL" }
static const struct row medium_rows[] = {
	{ "a RAID volume of 1 PB", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_OK, 0, { RAID,
	  { FACT_SIZE, "1953125000000" } }, NULL, .bare = true, .prepare = make_scsi },
	{ "a RAID volume of 1 EB", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_FOUND,
	  SEVERITY_ERROR, { RAID, { FACT_SIZE, "1953125000000000" } }, "RAID controller",
	  .bare = true, .prepare = make_scsi },
	{ "a RAID volume of unknown size", FINDING_BRIDGE_IMPLAUSIBLE, CHECK_UNKNOWN, 0,
	  { RAID }, NULL, .bare = true, .prepare = make_scsi },

	{ "a RAID volume", FINDING_MEDIUM_UNKNOWN, CHECK_FOUND, SEVERITY_INFO, { RAID,
	  { FACT_ROTATIONAL, "1" } }, "rotational=1, and is not believed", .bare = true,
	  .prepare = make_scsi },
	{ "a SATA drive that says nothing", FINDING_MEDIUM_UNKNOWN, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_ATA_ID_217, "0" } }, "word 217 says nothing" },
	{ "a USB disk", FINDING_MEDIUM_UNKNOWN, CHECK_FOUND, SEVERITY_INFO, { USB("uas",
	  "5000"), { FACT_ROTATIONAL, "1" } }, "behind a USB bridge", .bare = true,
	  .prepare = make_usb },
	{ "a guest's disk", FINDING_MEDIUM_UNKNOWN, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_VIRTIO_DRIVER, "virtio_blk" }, { FACT_ROTATIONAL, "1" } },
	  "in a guest",
	  .bare = true, .prepare = make_virtio },
	{ "a cloud volume that misleads", FINDING_MEDIUM_UNKNOWN, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_VIRTIO_DRIVER, "virtio_blk" }, { FACT_ROTATIONAL, "1" },
	  { FACT_CLOUD_VOLUME, "1" } }, "behind the network", .bare = true,
	  .prepare = make_virtio },
	{ "a cloud volume", FINDING_MEDIUM_UNKNOWN, CHECK_OK, 0, { { FACT_NVME_TRANSPORT,
	  "pcie" }, { FACT_ROTATIONAL, "0" }, { FACT_CLOUD_VOLUME, "1" } }, NULL,
	  .bare = true, .prepare = make_nvme },
	{ "an SSD", FINDING_MEDIUM_UNKNOWN, CHECK_OK, 0, { { 0 } }, NULL },
	{ "a USB stick is one", FINDING_MEDIUM_UNKNOWN, CHECK_OK, 0, { USB("usb-storage",
	  "480"), { FACT_REMOVABLE, "1" }, { FACT_ROTATIONAL, "1" } }, NULL, .bare = true,
	  .prepare = make_usb },
	{ "no flag known", FINDING_MEDIUM_UNKNOWN, CHECK_UNKNOWN, 0, { { FACT_ROTATIONAL,
	  "?" } }, NULL },
	{ "an optical drive", FINDING_MEDIUM_UNKNOWN, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_SCSI_TYPE, "5" } }, NULL },
	{ "a loop device", FINDING_MEDIUM_UNKNOWN, CHECK_NOT_APPLICABLE, 0, { { FACT_NAME,
	  "loop0" }, { FACT_STACK_KIND, "loop" } }, NULL },

	{ "a shingled drive", FINDING_SMR_DRIVE, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_SMR, "1" }, { FACT_ATA_ID_217, "5400" } }, "shingled" },
	{ "a drive that is not", FINDING_SMR_DRIVE, CHECK_OK, 0, { { FACT_ATA_ID_217,
	  "5400" } }, NULL },
	{ "a shingled drive that says so", FINDING_SMR_DRIVE, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_SMR, "1" }, { FACT_ATA_ID_217, "5400" }, { FACT_ZONED,
	  "host-aware" } },
	  NULL },
	{ "flash", FINDING_SMR_DRIVE, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL },
	{ "no model known", FINDING_SMR_DRIVE, CHECK_UNKNOWN, 0, { { FACT_ATA_ID_217,
	  "5400" }, { FACT_MODEL, "?" } }, NULL },
};

static void make_mmc(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_MMC, "/sys/devices/mmc0:aaaa");
}

#define CARD(name, result, says, type, ...) \
	{ name, FINDING_SD_NO_COMMAND_QUEUE, result, SEVERITY_INFO, { { FACT_MMC_TYPE, \
	  type }, __VA_ARGS__ }, says, .bare = true, .prepare = make_mmc }
static const struct row card_rows[] = {
	CARD("A2, no queue", CHECK_FOUND, "class A2", "SD", { FACT_SD_APP_CLASS, "2" }),
	CARD("A2, the queue is off", CHECK_FOUND, "class A2", "SD", { FACT_SD_APP_CLASS,
	     "2" }, { FACT_MMC_CMDQ, "0" }),
	CARD("A2 with a queue", CHECK_OK, NULL, "SD", { FACT_SD_APP_CLASS, "2" },
	     { FACT_MMC_CMDQ, "1" }),
	CARD("A1", CHECK_OK, NULL, "SD", { FACT_SD_APP_CLASS, "1" }),
	CARD("an old card", CHECK_OK, NULL, "SD", { FACT_SD_APP_CLASS, "0" }),
	CARD("no SD status", CHECK_UNKNOWN, NULL, "SD", { FACT_NAME, "mmcblk0" }),
	CARD("eMMC", CHECK_NOT_APPLICABLE, NULL, "MMC", { FACT_MMC_CMDQ, "0" }),
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(usb_rows, ARRAY_SIZE(usb_rows));
	run_rows(medium_rows, ARRAY_SIZE(medium_rows));
	run_rows(card_rows, ARRAY_SIZE(card_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(usb_rows, ARRAY_SIZE(usb_rows));
	run_properties(medium_rows, ARRAY_SIZE(medium_rows));
	run_properties(card_rows, ARRAY_SIZE(card_rows));
}

/* Flags that are not of uas are never said to be. */
static void test_flag_letters(void **state)
{
	static const char letters[] = "abcdefhijklmnoprstwyz";
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; letters[i]; i++) {
		const char text[] = { letters[i], '\0' };
		const struct row row = ROW_USB(text, FINDING_USB_QUIRK_COST, CHECK_FOUND,
					       SEVERITY_INFO, NULL,
					       USB("usb-storage", "480"),
					       { FACT_USB_QUIRKS, text });
		const struct finding *finding =
			&scene->diagnosis.findings[FINDING_USB_QUIRK_COST];

		scene_of_row(&row, _FACT_MAX, scene);
		if (strstr(finding->text, "uas"))
			fail_msg("%s: \"%s\"", text, finding->text);
	}
	free(scene);
}

#define SD_PATH "/devices/platform/mmc0/mmc_host/mmc0/mmc0:aaaa"
#define SD_CAPTURE(status)                                                          \
	"P: " SD_PATH "\nE: SUBSYSTEM=mmc\nA: type=SD\\n\nA: ssr=" status "\\n\n\n" \
	"P: " SD_PATH "/block/mmcblk0\nN: mmcblk0\nE: SUBSYSTEM=block\n"            \
	"E: DEVTYPE=disk\nA: dev=179:0\\n\nA: size=1000\\n\n"
#define ZEROS_16 "0000000000000000"
#define ZEROS_84 ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16 "0000"

/* Bits 339:336 of 512 are the 44th digit of 128. */
static void test_sd_status(void **state)
{
	static const struct {
		const char *name, *capture;
		int class; /* -1: unknown */
	} rows[] = {
		{ "A2, with other fields filled",
		  SD_CAPTURE("8000000008000000040090000f05391e000800000002"
			     "0000fc0003000000" ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16
			     "0000"), 2 },
		{ "neighbours only",
		  SD_CAPTURE("80000000080000000400900008000000000000000020"
						"2000" ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16
						ZEROS_16), 0 },
		{ "class 2", SD_CAPTURE("80000000080000000400900008000000000000000002"
					ZEROS_84), 2 },
		{ "class 1", SD_CAPTURE("80000000080000000400900008000000000000000001"
					ZEROS_84), 1 },
		{ "all zero", SD_CAPTURE("00000000000000000000000000000000000000000000"
					 ZEROS_84), -1 },
		{ "no number", SD_CAPTURE("8000000008000000040090000800000000000000000g"
					  ZEROS_84), -1 },
		{ "short", SD_CAPTURE("8000000008"), -1 },
		{ "empty", SD_CAPTURE(""), -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct root *root = capture_of(rows[i].capture);
		_cleanup_disk_ struct disk *disk = NULL;
		uint64_t class = 99;

		assert_int_equal(disk_probe(root, "/sys" SD_PATH "/block/mmcblk0", NULL,
					    &disk), 0);
		ROW_INT(rows[i].name,
			facts_number(&disk->facts, FACT_SD_APP_CLASS, &class),
			rows[i].class >= 0);
		if (rows[i].class >= 0)
			ROW_INT(rows[i].name, class, rows[i].class);
		(void)root_free(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
		TEST("a quirk is what its letter says", test_flag_letters),
		TEST("the class in an SD card's status", test_sd_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
