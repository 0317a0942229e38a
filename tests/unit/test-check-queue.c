/* SPDX-License-Identifier: MIT */
/*
 * Checks of transfers, of schedulers, and of who else writes the same attributes.
 */
#include <string.h>

#include "check-rows.h"

#define SCHEDULER(value) { FACT_SCHEDULER, value }
#define READ_AHEAD(value) { FACT_READ_AHEAD_KB, value }
#define RELEASE(value) { FACT_OSRELEASE, value }
#define HDD { FACT_ROTATIONAL, "1" }, { FACT_ATA_ID_217, "7200" }
#define NO_ATA { FACT_LIBATA, "?" }, { FACT_ATA_ID_217, "?" }, { FACT_ATA_ID_76, "?" }
#define DM { FACT_STACK_KIND, "dm" }, { FACT_LIBATA, "?" }, { FACT_SCHEDULER_FIXED, "1" }
#define MD { FACT_STACK_KIND, "md" }, { FACT_LIBATA, "?" }
#define RAID_VOLUME NO_ATA, { FACT_PROC_NAME, "megaraid_sas" }
#define XEN \
	NO_ATA, { FACT_STACK_KIND, "xen" }, { FACT_GUEST, "1" }, { FACT_ROTATIONAL, "0" }
#define HYPERV NO_ATA, { FACT_STACK_KIND, "hyperv" }, { FACT_ROTATIONAL, "1" }

static void give_anchor(struct scene *scene, enum anchor anchor)
{
	facts_set_anchor(&scene->disk.facts, anchor, "/sys/devices/x");
}

static void on_usb(struct scene *scene)
{
	give_anchor(scene, ANCHOR_USB_INTERFACE);
}

static void on_mmc(struct scene *scene)
{
	give_anchor(scene, ANCHOR_MMC);
}

static void on_nvme(struct scene *scene)
{
	give_anchor(scene, ANCHOR_NVME);
}

static void wish(struct scene *scene, enum tunable tunable, const char *value)
{
	struct setting *setting = &scene->selection.settings[tunable];

	setting->present = true;
	strcpy(setting->value, value);
	strcpy(setting->where, "10-balanced.policy:7");
}

static void remember(struct scene *scene, enum tunable tunable, const char *initial,
		     const char *written)
{
	struct tunable_state *memory = &scene->state.tunables[tunable];

	memory->has_initial = memory->has_written = true;
	strcpy(memory->initial, initial);
	strcpy(memory->written, written);
}

static void wish_none(struct scene *scene)
{
	wish(scene, TUNABLE_SCHEDULER, "none");
}

static void wish_128_sectors(struct scene *scene)
{
	wish(scene, TUNABLE_MAX_SECTORS_KB, "128");
}

#define UNFIT FINDING_SCHEDULER_UNFIT
#define ZONED FINDING_ZONED_SCHEDULER
#define ELEVATOR FINDING_ELEVATOR_IGNORED
#define TRANSFER FINDING_TRANSFER_SIZE_SMALL

#define USB(driver, rotational, rate) \
	{ FACT_LIBATA, "?" }, { FACT_USB_DRIVER, driver }, \
	{ FACT_ROTATIONAL, rotational }, { FACT_ATA_ID_217, "?" }, \
	{ FACT_VPD_ROTATION, rate }
#define NVME \
	NO_ATA, { FACT_NVME_TRANSPORT, "pcie" }, { FACT_HW_QUEUES, "8" }

static const struct row scheduler_rows[] = {
	{ "a rotating drive without a scheduler", UNFIT, CHECK_FOUND, SEVERITY_WARN,
	  { HDD, SCHEDULER("none") }, "scheduler none on a rotating drive" },
	{ "a rotating drive at a host of many queues", UNFIT, CHECK_FOUND, SEVERITY_WARN,
	  { HDD, SCHEDULER("none"), { FACT_HW_QUEUES, "8" } }, "by the kernel's choice" },
	{ "a rotating drive with kyber", UNFIT, CHECK_FOUND, SEVERITY_INFO, { HDD,
	  SCHEDULER("kyber") }, "position" },
	{ "bfq behind a USB bridge", UNFIT, CHECK_FOUND, SEVERITY_WARN, { USB("uas", "0",
	  "1"), SCHEDULER("bfq") }, "USB bridge", .prepare = on_usb },
	{ "bfq on a USB disk said to be flash", UNFIT, CHECK_FOUND, SEVERITY_WARN,
	  { USB("uas", "0", "?"), SCHEDULER("bfq") }, "said", .prepare = on_usb },
	{ "bfq on a stick", UNFIT, CHECK_FOUND, SEVERITY_INFO, { USB("usb-storage", "1",
	  "?"), { FACT_REMOVABLE, "1" }, SCHEDULER("bfq") }, "flash",
	  .prepare = on_usb },
	{ "bfq on an SSD", UNFIT, CHECK_FOUND, SEVERITY_INFO, { SCHEDULER("bfq") },
	  "on flash" },
	{ "bfq on an SD card", UNFIT, CHECK_FOUND, SEVERITY_INFO, { NO_ATA,
	  { FACT_MMC_TYPE, "SD" }, SCHEDULER("bfq") }, "on flash", .prepare = on_mmc },
	{ "bfq on NVMe", UNFIT, CHECK_FOUND, SEVERITY_INFO, { NVME, SCHEDULER("bfq") },
	  "on NVMe", .prepare = on_nvme },
	{ "mq-deadline on NVMe of many queues", UNFIT, CHECK_FOUND, SEVERITY_INFO,
	  { NVME, SCHEDULER("mq-deadline") }, "on NVMe", .prepare = on_nvme },
	{ "bfq in a guest", UNFIT, CHECK_FOUND, SEVERITY_INFO, { XEN, SCHEDULER("bfq") },
	  "in a guest" },
	{ "noop on a guest's disk flagged rotational", UNFIT, CHECK_FOUND, SEVERITY_INFO,
	  { HYPERV, SCHEDULER("noop") }, "noop" },
	{ "mq-deadline on NVMe of one queue", UNFIT, CHECK_OK, 0, { NVME,
	  SCHEDULER("mq-deadline"), { FACT_HW_QUEUES, "1" } }, NULL,
	  .prepare = on_nvme },
	{ "none on NVMe", UNFIT, CHECK_OK, 0, { NVME, SCHEDULER("none") }, NULL,
	  .prepare = on_nvme },
	{ "none on a guest's disk flagged rotational", UNFIT, CHECK_OK, 0, { HYPERV,
	  SCHEDULER("none") }, NULL },
	{ "mq-deadline on an SSD", UNFIT, CHECK_OK, 0, { { 0 } }, NULL },
	{ "none on an SSD", UNFIT, CHECK_OK, 0, { SCHEDULER("none") }, NULL },
	{ "mq-deadline on a rotating drive", UNFIT, CHECK_OK, 0, { HDD }, NULL },
	{ "bfq on a rotating drive", UNFIT, CHECK_OK, 0, { HDD, SCHEDULER("bfq") },
	  NULL },
	{ "bfq on a USB disk of unknown medium", UNFIT, CHECK_OK, 0, { USB("uas", "1",
	  "?"), SCHEDULER("bfq") }, NULL, .prepare = on_usb },
	{ "none on a controller's volume", UNFIT, CHECK_OK, 0, { RAID_VOLUME,
	  SCHEDULER("none"), { FACT_ROTATIONAL, "1" } }, NULL },
	{ "mq-deadline on an SD card", UNFIT, CHECK_OK, 0, { NO_ATA, { FACT_MMC_TYPE,
	  "SD" } }, NULL, .prepare = on_mmc },
	{ "the policy wants none", UNFIT, CHECK_OK, 0, { HDD, SCHEDULER("none") }, NULL,
	  .prepare = wish_none },
	{ "scheduler unknown", UNFIT, CHECK_UNKNOWN, 0, { SCHEDULER("?") }, NULL },
	{ "dm has none", UNFIT, CHECK_NOT_APPLICABLE, 0, { DM, SCHEDULER("none") },
	  NULL },

	{ "host-managed without mq-deadline", ZONED, CHECK_FOUND, SEVERITY_ERROR, { HDD,
	  { FACT_ZONED, "host-managed" }, SCHEDULER("none") }, "scheduler none" },
	{ "host-managed with a scheduler we do not know", ZONED, CHECK_FOUND,
	  SEVERITY_WARN, { HDD, { FACT_ZONED, "host-managed" }, SCHEDULER("adios") },
	  "adios" },
	{ "host-aware without mq-deadline", ZONED, CHECK_FOUND, SEVERITY_INFO, { HDD,
	  { FACT_ZONED, "host-aware" }, SCHEDULER("none") }, "host-aware" },
	{ "host-managed with mq-deadline", ZONED, CHECK_OK, 0, { HDD, { FACT_ZONED,
	  "host-managed" } }, NULL },
	{ "host-managed with deadline of 4.16", ZONED, CHECK_OK, 0, { HDD, { FACT_ZONED,
	  "host-managed" }, SCHEDULER("deadline"), RELEASE("4.16.0") }, NULL },
	{ "host-managed since zone write plugging", ZONED, CHECK_OK, 0, { HDD,
	  { FACT_ZONED, "host-managed" }, SCHEDULER("none"), RELEASE("6.10.0") }, NULL },
	{ "zones unknown", ZONED, CHECK_UNKNOWN, 0, { { FACT_ZONED, "?" } }, NULL },
	{ "kernel without a number", ZONED, CHECK_UNKNOWN, 0, { HDD, { FACT_ZONED,
	  "host-managed" }, SCHEDULER("none"), RELEASE("linux") }, "no version" },
	{ "no zones", ZONED, CHECK_NOT_APPLICABLE, 0, { SCHEDULER("none") }, NULL },

	{ "elevator= on a new kernel", ELEVATOR, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_ELEVATOR, "mq-deadline" } }, "elevator=mq-deadline",
	  .machine = true },
	{ "elevator= on an old kernel", ELEVATOR, CHECK_OK, 0, { { FACT_ELEVATOR,
	  "noop" }, RELEASE("4.15.0-1092-azure") }, NULL, .machine = true },
	{ "elevator=, kernel unknown", ELEVATOR, CHECK_UNKNOWN, 0, { { FACT_ELEVATOR,
	  "noop" }, RELEASE("?") }, NULL, .machine = true },
	{ "no elevator=", ELEVATOR, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL,
	  .machine = true },

	{ "a limit that somebody lowered", TRANSFER, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_MAX_SECTORS_KB, "64" } }, "takes 32767" },
	{ "a limit that the drive asks for", TRANSFER, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_MAX_SECTORS_KB, "64" }, { FACT_OPTIMAL_IO_SIZE, "65536" } },
	  "the drive's own optimal_io_size" },
	{ "a limit below a small one of the hardware", TRANSFER, CHECK_FOUND,
	  SEVERITY_INFO, { NO_ATA, { FACT_STACK_KIND, "xen" }, { FACT_MAX_SECTORS_KB,
	  "32" }, { FACT_MAX_HW_SECTORS_KB, "256" } }, "takes 256" },
	{ "a rotating drive of 128", TRANSFER, CHECK_FOUND, SEVERITY_INFO, { HDD,
	  { FACT_MAX_SECTORS_KB, "128" }, { FACT_MAX_HW_SECTORS_KB, "128" } },
	  "limit of the hardware" },
	{ "a USB 3 bridge of 120", TRANSFER, CHECK_FOUND, SEVERITY_INFO,
	  { USB("usb-storage", "1", "?"), { FACT_USB_SPEED, "5000" },
	  { FACT_MAX_SECTORS_KB, "120" }, { FACT_MAX_HW_SECTORS_KB, "120" } },
	  "limit of the hardware", .prepare = on_usb },
	{ "an SSD of 32", TRANSFER, CHECK_FOUND, SEVERITY_INFO, { { FACT_MAX_SECTORS_KB,
	  "32" }, { FACT_MAX_HW_SECTORS_KB, "32" } }, "limit of the hardware" },
	{ "a USB 2 bridge of 120", TRANSFER, CHECK_OK, 0, { USB("usb-storage", "1", "?"),
	  { FACT_USB_SPEED, "480" }, { FACT_MAX_SECTORS_KB, "120" },
	  { FACT_MAX_HW_SECTORS_KB, "120" } }, NULL, .prepare = on_usb },
	{ "an NVMe drive of 128", TRANSFER, CHECK_OK, 0, { NVME, { FACT_MAX_SECTORS_KB,
	  "128" }, { FACT_MAX_HW_SECTORS_KB, "128" } }, NULL, .prepare = on_nvme },
	{ "a virtual disk of 44", TRANSFER, CHECK_OK, 0, { XEN, { FACT_MAX_SECTORS_KB,
	  "44" }, { FACT_MAX_HW_SECTORS_KB, "44" } }, NULL },
	{ "the usual limit", TRANSFER, CHECK_OK, 0, { { 0 } }, NULL },
	{ "the policy wants 128", TRANSFER, CHECK_OK, 0, { { FACT_MAX_SECTORS_KB,
	  "128" } }, NULL, .prepare = wish_128_sectors },
	{ "limit unknown", TRANSFER, CHECK_UNKNOWN, 0, { { FACT_MAX_SECTORS_KB, "?" } },
	  NULL },
	{ "the hardware's limit unknown", TRANSFER, CHECK_UNKNOWN, 0,
	  { { FACT_MAX_HW_SECTORS_KB, "?" } }, NULL },
	{ "nbd's own 128", TRANSFER, CHECK_NOT_APPLICABLE, 0, { { FACT_STACK_KIND,
	  "nbd" }, { FACT_LIBATA, "?" }, { FACT_MAX_SECTORS_KB, "128" } }, NULL },
	{ "a stack's", TRANSFER, CHECK_NOT_APPLICABLE, 0, { DM, { FACT_MAX_SECTORS_KB,
	  "64" } }, NULL },
};

#define DRIFTED FINDING_SETTING_DRIFTED
#define RIVAL FINDING_RIVAL_WRITER
#define TUNED_CONF "/usr/lib/tuned/throughput-performance/tuned.conf:26"
#define TUNED(value) { FACT_RIVALS, "tuned" }, { FACT_RIVAL_READ_AHEAD_KB, value }

static void wrote_512(struct scene *scene)
{
	wish(scene, TUNABLE_READ_AHEAD_KB, "512");
	remember(scene, TUNABLE_READ_AHEAD_KB, "256", "512");
	if (facts_known(&scene->disk.facts, FACT_RIVAL_READ_AHEAD_KB))
		facts_set_source(&scene->disk.facts, FACT_RIVAL_READ_AHEAD_KB,
				 TUNED_CONF);
}

static void wrote_512_held(struct scene *scene)
{
	wrote_512(scene);
	scene->state.tunables[TUNABLE_READ_AHEAD_KB].held = true;
}

static void wrote_512_wants_128(struct scene *scene)
{
	wrote_512(scene);
	wish(scene, TUNABLE_READ_AHEAD_KB, "128");
}

static void wrote_512_wants_nothing(struct scene *scene)
{
	remember(scene, TUNABLE_READ_AHEAD_KB, "256", "512");
}

static void wrote_two(struct scene *scene)
{
	wrote_512(scene);
	wish(scene, TUNABLE_SCHEDULER, "none");
	remember(scene, TUNABLE_SCHEDULER, "mq-deadline", "none");
}

static void cannot_remember(struct scene *scene)
{
	scene->state.unreadable = true;
}

static void wish_128(struct scene *scene)
{
	wish(scene, TUNABLE_READ_AHEAD_KB, "128");
	if (facts_known(&scene->disk.facts, FACT_RIVAL_READ_AHEAD_KB))
		facts_set_source(&scene->disk.facts, FACT_RIVAL_READ_AHEAD_KB,
				 TUNED_CONF);
}

static void wish_128_off(struct scene *scene)
{
	wish_128(scene);
	scene->selection.apply = false;
}

static void wish_128_held(struct scene *scene)
{
	wish_128(scene);
	scene->state.held = true;
}

static void wish_none_by_tlp(struct scene *scene)
{
	wish_none(scene);
	facts_set_source(&scene->disk.facts, FACT_RIVAL_SCHEDULER, "/etc/tlp.conf:104");
}

static void wish_both(struct scene *scene)
{
	wish_128(scene);
	wish(scene, TUNABLE_SCHEDULER, "mq-deadline");
}

static void fights(struct scene *scene)
{
	wish_128(scene);
	remember(scene, TUNABLE_READ_AHEAD_KB, "65532", "128");
	scene->state.tunables[TUNABLE_READ_AHEAD_KB].rival = true;
}

static void wish_none_by_tlp_called_tuned(struct scene *scene)
{
	wish_none(scene);
	facts_set_source(&scene->disk.facts, FACT_RIVAL_SCHEDULER,
			 "/etc/tlp.d/10-tuned.conf:3");
}

static void wish_none_by_saptune(struct scene *scene)
{
	wish_none(scene);
	facts_set_source(&scene->disk.facts, FACT_RIVAL_SCHEDULER,
			 "/etc/saptune/override/tuned:9");
}

static void wish_none_by_nobody(struct scene *scene)
{
	wish_none(scene);
	facts_set_source(&scene->disk.facts, FACT_RIVAL_SCHEDULER, "/opt/tlp/tuned:1");
}

static const struct row writer_rows[] = {
	{ "the kernel took it back", DRIFTED, CHECK_FOUND, SEVERITY_WARN, { { 0 } },
	  "read_ahead_kb is 128 and no longer 512 (likely by the kernel: the kernel's "
	  "classical",
	  .prepare = wrote_512 },
	{ "tuned wrote another value", DRIFTED, CHECK_FOUND, SEVERITY_WARN,
	  { READ_AHEAD("4096"), TUNED("4096") }, "tuned is configured to write it, "
	  TUNED_CONF, .prepare = wrote_512 },
	{ "a person wrote another value", DRIFTED, CHECK_FOUND, SEVERITY_WARN,
	  { READ_AHEAD("1000"), TUNED("4096") }, "a person or another program",
	  .prepare = wrote_512 },
	{ "back to what it was, and not by restore", DRIFTED, CHECK_FOUND, SEVERITY_WARN,
	  { READ_AHEAD("256") }, "is 256", .prepare = wrote_512 },
	{ "two of them", DRIFTED, CHECK_FOUND, SEVERITY_WARN, { { 0 } },
	  "; read_ahead_kb is 128", .prepare = wrote_two },
	{ "two of them, one by a person", DRIFTED, CHECK_FOUND, SEVERITY_WARN,
	  { READ_AHEAD("1000") }, "; read_ahead_kb is 1000", .prepare = wrote_two },
	{ "as we wrote it", DRIFTED, CHECK_OK, 0, { READ_AHEAD("512") }, NULL,
	  .prepare = wrote_512 },
	{ "nothing written", DRIFTED, CHECK_OK, 0, { READ_AHEAD("1000") }, NULL },
	{ "held since", DRIFTED, CHECK_OK, 0, { { 0 } }, NULL,
	  .prepare = wrote_512_held },
	{ "the policy has changed", DRIFTED, CHECK_OK, 0, { { 0 } }, NULL,
	  .prepare = wrote_512_wants_128 },
	{ "the policy says nothing of it any more", DRIFTED, CHECK_OK, 0, { { 0 } }, NULL,
	  .prepare = wrote_512_wants_nothing },
	{ "the memory cannot be read", DRIFTED, CHECK_UNKNOWN, 0, { { 0 } },
	  "cannot be read", .prepare = cannot_remember },
	{ "a loop device", DRIFTED, CHECK_NOT_APPLICABLE, 0, { { FACT_STACK_KIND,
	  "loop" } }, NULL, .prepare = wrote_512 },

	{ "tuned wants megabytes", RIVAL, CHECK_FOUND, SEVERITY_WARN,
	  { READ_AHEAD("4096"), TUNED("4096") }, "tuned is active and sets read_ahead_kb "
	  "to 4096, " TUNED_CONF ", where the policy wants 128, 10-balanced.policy:7",
	  .prepare = wish_128 },
	{ "tuned wants megabytes where the policy wants nothing", RIVAL, CHECK_FOUND,
	  SEVERITY_WARN, { READ_AHEAD("4096"), TUNED("4096") }, "mmap" },
	{ "TLP wants another scheduler", RIVAL, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_RIVALS, "TLP" }, { FACT_RIVAL_SCHEDULER, "bfq" } },
	  "TLP is active and sets scheduler to bfq, /etc/tlp.conf:104",
	  .prepare = wish_none_by_tlp },
	{ "a file of TLP that is called tuned", RIVAL, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_RIVALS, "tuned, TLP" }, { FACT_RIVAL_SCHEDULER, "bfq" } },
	  "TLP is active and sets", .prepare = wish_none_by_tlp_called_tuned },
	{ "a file of saptune that is called tuned", RIVAL, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_RIVALS, "tuned, saptune" }, { FACT_RIVAL_SCHEDULER, "bfq" } },
	  "saptune is active and sets", .prepare = wish_none_by_saptune },
	{ "a file of nobody we know, while two are active", RIVAL, CHECK_FOUND,
	  SEVERITY_WARN, { { FACT_RIVALS, "tuned, TLP" }, { FACT_RIVAL_SCHEDULER,
	  "bfq" } }, "another program is active", .prepare = wish_none_by_nobody },
	{ "a file of nobody we know, while one is active", RIVAL, CHECK_FOUND,
	  SEVERITY_WARN, { { FACT_RIVALS, "saptune" }, { FACT_RIVAL_SCHEDULER,
	  "bfq" } }, "saptune is active", .prepare = wish_none_by_nobody },
	{ "TLP wants the same scheduler", RIVAL, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_RIVALS, "TLP" }, { FACT_RIVAL_SCHEDULER, "none" } }, "so does",
	  .prepare = wish_none_by_tlp },
	{ "the same scheduler, another readahead", RIVAL, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_RIVALS, "saptune" }, { FACT_RIVAL_SCHEDULER, "mq-deadline" },
	  { FACT_RIVAL_READ_AHEAD_KB, "256" } }, "read_ahead_kb to 256",
	  .prepare = wish_both },
	{ "they fight", RIVAL, CHECK_FOUND, SEVERITY_WARN, { READ_AHEAD("65532"),
	  { FACT_OPTIMAL_IO_SIZE, "33553920" }, TUNED("512") },
	  "sets read_ahead_kb to 512", .prepare = fights },
	{ "nobody else", RIVAL, CHECK_OK, 0, { { FACT_RIVALS, "none" } }, NULL,
	  .prepare = wish_128 },
	{ "tuned leaves disks alone", RIVAL, CHECK_OK, 0, { { FACT_RIVALS, "tuned" } },
	  NULL, .prepare = wish_128 },
	{ "tuned sets what the policy does not", RIVAL, CHECK_OK, 0, { TUNED("512") },
	  NULL },
	{ "tuned wants megabytes of an array", RIVAL, CHECK_OK, 0, { MD,
	  READ_AHEAD("8192"), TUNED("4096") }, NULL },
	{ "left to tuned by Apply=no", RIVAL, CHECK_OK, 0, { READ_AHEAD("4096"),
	  TUNED("4096") }, NULL, .prepare = wish_128_off },
	{ "left to tuned by hold", RIVAL, CHECK_OK, 0, { READ_AHEAD("4096"),
	  TUNED("4096") }, NULL, .prepare = wish_128_held },
	{ "rivals unknown", RIVAL, CHECK_UNKNOWN, 0, { { 0 } }, NULL,
	  .prepare = wish_128 },
	{ "a loop device has no rivals", RIVAL, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_STACK_KIND, "loop" }, TUNED("4096") }, NULL },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(scheduler_rows, ARRAY_SIZE(scheduler_rows));
	run_rows(writer_rows, ARRAY_SIZE(writer_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(scheduler_rows, ARRAY_SIZE(scheduler_rows));
	run_properties(writer_rows, ARRAY_SIZE(writer_rows));
}

static void test_without_memory(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct subject subject = { 0 };

	(void)state;
	assert_non_null(scene);
	scene_of_row(&writer_rows[0], _FACT_MAX, scene);
	subject.disk = &scene->disk;
	subject.class = &scene->class;
	diagnose(&subject, &scene->diagnosis);
	assert_int_equal(scene->diagnosis.findings[DRIFTED].result,
			 CHECK_NOT_APPLICABLE);
	free(scene);
}

/* What is left alone by apply is written by hand, and then accepted or defended. */
static void test_drift_remedy(void **state)
{
	static const struct {
		const char *name, *first, *last;
	} expected[] = {
		{ "the kernel took it back", "blkadvise apply {name}   # ",
		  "blkadvise diagnose --verbose {name}   # " },
		{ "a person wrote another value",
		  "echo 512 > /sys/block/{name}/queue/read_ahead_kb",
		  "blkadvise hold {name} read_ahead_kb   # " },
		{ "two of them, one by a person",
		  "echo none > /sys/block/{name}/queue/scheduler; "
		  "echo 512 > /sys/block/{name}/queue/read_ahead_kb",
		  "blkadvise restore {name}   # " },
	};
	struct scene *scene = calloc(1, sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct finding *finding = &scene->diagnosis.findings[DRIFTED];
		const struct row *row = writer_rows;
		const char *last = NULL;

		while (strcmp(row->name, expected[i].name) != 0)
			row++;
		scene_of_row(row, _FACT_MAX, scene);
		assert_memory_equal(finding_step(finding, 0), expected[i].first,
				    strlen(expected[i].first));
		for (size_t k = 0; finding_step(finding, k); k++)
			last = finding_step(finding, k);
		assert_memory_equal(last, expected[i].last, strlen(expected[i].last));
	}
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
		TEST("no memory, no drift", test_without_memory),
		TEST("what helps against drift", test_drift_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
