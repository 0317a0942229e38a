/* SPDX-License-Identifier: MIT */
/*
 * Evidence: how the machine was booted and from which disk, functions and ports beside a
 * disk, the initramfs, and which kernel log is taken.
 */
#include <string.h>

#include "facts/evidence-internal.h"
#include "facts/module-list.h"
#include "support.h"

#define WANT_MAX 6

/* --- a machine of two SATA disks and a USB disk ------------------------------------- */

#define PCI "/devices/pci0000:00/0000:00:1f.2"
#define PORT(n) PCI "/ata" n
#define SDA PORT("1") "/host0/target0:0:0/0:0:0:0/block/sda"
#define SDB PORT("2") "/host1/target1:0:0/1:0:0:0/block/sdb"
#define USB "/devices/pci0000:00/0000:00:14.0/usb2/2-1"
#define SDC USB "/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdc"
#define DM0 "/devices/virtual/block/dm-0"
#define DM1 "/devices/virtual/block/dm-1"

/* clang-format off */
#define LINK(n, now, hw)                                              \
	"P: " PORT(n) "/ata_port/ata" n "\nE: SUBSYSTEM=ata_port\n\n" \
	"P: " PORT(n) "/link" n "/ata_link/link" n                    \
	"\nE: SUBSYSTEM=ata_link\nA: sata_spd_limit=" now             \
	"\\n\nA: hw_sata_spd_limit=" hw "\\n\n\n"

#define NUMBER(major, minor)                                      \
	"E: SUBSYSTEM=block\nE: MAJOR=" major "\nE: MINOR=" minor \
	"\nA: dev=" major ":" minor "\\n\n"

#define BLOCK(path, name, major, minor) \
	"P: " path "\nN: " name "\nE: DEVTYPE=disk\n" NUMBER(major, minor)

#define HOST(n, path)                                  \
	"P: " path "/host" n "\nE: SUBSYSTEM=scsi\n\n" \
	"P: " path "/host" n "/target" n ":0:0/" n ":0:0:0\nE: SUBSYSTEM=scsi\n\n"

#define FUNCTION(driver)                                            \
	"P: " PCI "\nE: SUBSYSTEM=pci\nA: class=0x010601\\n\n"       \
	"A: vendor=0x8086\\n\nA: device=0x2822\\n\n"                \
	"L: driver=../../../bus/pci/drivers/" driver "\n"

#define DISKS                                                                       \
	HOST("0", PORT("1")) HOST("1", PORT("2")) BLOCK(SDA, "sda", "8", "0") "\n"   \
	"P: " SDA "/sda2\nN: sda2\nE: DEVTYPE=partition\n" NUMBER("8", "2")          \
	"A: partition=2\\n\nL: holders/dm-0=/sys" DM0 "\n\n"                         \
	BLOCK(SDB, "sdb", "8", "16") "S: disk/by-id/ata-PSEUDO_B\n\n"                \
	"P: " USB "\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nA: idVendor=0bda\\n\n" \
	"A: idProduct=9210\\n\nA: uevent=DEVTYPE=usb_device\\n\n\n"                  \
	"P: " USB "/2-1:1.0\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_interface\n"           \
	"A: uevent=DEVTYPE=usb_interface\\n\n\n"                                     \
	HOST("6", USB "/2-1:1.0") BLOCK(SDC, "sdc", "8", "32") "\n"                  \
	BLOCK(DM0, "dm-0", "254", "0") "A: dm/name=crypt\\n\n"                       \
	"L: slaves/sda2=/sys" SDA "/sda2\nA: queue/read_ahead_kb=128\\n\n"           \
	"L: holders/dm-1=/sys" DM1 "\n\n"                                            \
	BLOCK(DM1, "dm-1", "254", "1") "A: dm/name=vg-root\\n\n"                     \
	"L: slaves/dm-0=/sys" DM0 "\nA: queue/read_ahead_kb=4096\\n\n\n"

#define MACHINE                                                         \
	FUNCTION("ahci") "A: remapped_nvme=0\\n\n\n"                      \
	LINK("1", "6.0 Gbps", "6.0 Gbps") LINK("2", "6.0 Gbps", "6.0 Gbps") DISKS
/* clang-format on */

/* A file line of a capture goes before the devices. */
#define ONLINE "F: /sys/devices/system/cpu/online=0-3,8\\n\n"

struct subject_row {
	const char *name;
	const char *capture;
	const char *disk; /* NULL: the machine */
	struct given want[WANT_MAX];
};

static void check_facts(const char *name, const struct disk_facts *facts,
			const struct given *want)
{
	for (size_t i = 0; i < WANT_MAX && want[i].value; i++) {
		char value[FACT_TEXT_MAX] = "?";

		(void)facts_format(facts, want[i].fact, value, sizeof(value));
		if (strcmp(value, want[i].value) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", name,
				 fact_to_string(want[i].fact), value, want[i].value);
	}
}

static struct disk *gather(const struct root *root, const char *path)
{
	struct evidence_source source = { 0 };
	_cleanup_evidence_ struct evidence *evidence = NULL;
	struct disk *disk = NULL;
	char syspath[ROOT_PATH_MAX];

	assert_int_equal(evidence_load(root, &source, &evidence), 0);
	if (!path) {
		assert_int_equal(machine_probe(root, &disk), 0);
		evidence_add_machine(evidence, disk);
		return disk;
	}
	(void)snprintf(syspath, sizeof(syspath), "/sys%s", path);
	assert_int_equal(disk_probe(root, syspath, NULL, &disk), 0);
	evidence_add(evidence, disk);
	return disk;
}

static void run_subjects(const struct subject_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_root_ struct root *root = capture_of(rows[i].capture);
		_cleanup_disk_ struct disk *disk = gather(root, rows[i].disk);

		check_facts(rows[i].name, &disk->facts, rows[i].want);
	}
}

#define MOUNT(dev, type, source) \
	"F: /proc/self/mountinfo=1 0 " dev " / / rw - " type " " source " rw\\n\n"

static const struct subject_row boot_rows[] = {
	{ "CPUs and no EFI",
	  ONLINE MACHINE,
	  NULL,
	  { { FACT_CPUS, "5" }, { FACT_EFI, "0" }, { FACT_RIVALS, "none" } } },
	{ "EFI",
	  ONLINE "F: /sys/firmware/efi/fw_platform_size=64\\n\n" MACHINE,
	  NULL,
	  { { FACT_EFI, "1" } } },
	{ "a capture from before there was evidence",
	  MACHINE,
	  NULL,
	  { { FACT_CPUS, "?" },
	    { FACT_EFI, "?" },
	    { FACT_RIVALS, "?" },
	    { FACT_KERNEL_LOG, "?" },
	    { FACT_VMD_UNBOUND, "?" } } },
	{ "nonsense for a list of CPUs",
	  "F: /sys/devices/system/cpu/online=0-99999999,x\\n\n" MACHINE,
	  NULL,
	  { { FACT_CPUS, "?" } } },
	{ "CPUs of a disk", ONLINE MACHINE, SDA, { { FACT_CPUS, "5" } } },
	{ "root on a partition",
	  MOUNT("8:2", "ext4", "/dev/sda2") MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "1" } } },
	{ "root elsewhere",
	  MOUNT("8:2", "ext4", "/dev/sda2") MACHINE,
	  SDB,
	  { { FACT_HOLDS_ROOT, "0" } } },
	{ "root on a stack",
	  MOUNT("254:1", "xfs", "/dev/mapper/vg-root") MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "1" } } },
	{ "the stack itself",
	  MOUNT("254:1", "xfs", "/dev/mapper/vg-root") MACHINE,
	  DM1,
	  { { FACT_HOLDS_ROOT, "1" } } },
	{ "what lies between",
	  MOUNT("254:1", "xfs", "/dev/mapper/vg-root") MACHINE,
	  DM0,
	  { { FACT_HOLDS_ROOT, "?" } } },
	{ "btrfs has a number of its own",
	  MOUNT("0:24", "btrfs", "/dev/sda2") MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "1" } } },
	{ "btrfs on a mapped device",
	  MOUNT("0:24", "btrfs", "/dev/mapper/vg-root") MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "1" } } },
	{ "root on a network",
	  MOUNT("0:24", "nfs", "server:/x") MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "?" } } },
	{ "a later mount covers an earlier one",
	  "F: /proc/self/mountinfo=1 0 8:16 / / rw - ext4 /dev/sdb rw\\n2 1 8:2 / / rw "
	  "shared:1 - ext4 /dev/sda2 rw\\n3 1 8:16 / /home rw - ext4 /dev/sdb "
	  "rw\\n\n" MACHINE,
	  SDB,
	  { { FACT_HOLDS_ROOT, "0" } } },
	{ "nonsense for mounts",
	  "F: /proc/self/mountinfo=\\n - \\n1 0 8:2 / / - \\nx\n" MACHINE,
	  SDA,
	  { { FACT_HOLDS_ROOT, "?" } } },
	{ "readahead of what stands on it",
	  MACHINE,
	  SDA,
	  { { FACT_HOLDER_READ_AHEAD_KB, "dm-0=128 dm-1=4096" } } },
	{ "nothing stands on it", MACHINE, SDB, { { FACT_HOLDER_READ_AHEAD_KB, "?" } } },
};

static void test_boot(void **state)
{
	(void)state;
	run_subjects(boot_rows, ARRAY_SIZE(boot_rows));
}

#define CMDLINE(text) "F: /proc/cmdline=ro " text " quiet\\n\n"
#define PARAMETER(text) "F: /sys/module/usb_storage/parameters/quirks=" text "\\n\n"

static const struct subject_row usb_rows[] = {
	{ "on the command line, without a zero",
	  CMDLINE("usb-storage.quirks=bda:9210:u") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "u" } } },
	{ "the kernel writes - and _ alike",
	  CMDLINE("usb_storage.quirks=0bda:9210:uf") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "uf" } } },
	{ "among others",
	  CMDLINE("usb-storage.quirks=174c:55aa:u,0bda:9210:t,bda:9210:u") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "t" } } },
	{ "for others only",
	  CMDLINE("usb-storage.quirks=174c:55aa:u") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "?" } } },
	{ "of the core, which is something else",
	  CMDLINE("usbcore.quirks=0bda:9210:k") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "?" } } },
	{ "written while running",
	  PARAMETER("0bda:9210:w") CMDLINE("usb-storage.quirks=bda:9210:u") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "w" } } },
	{ "nonsense",
	  PARAMETER("::::,0bda:,:9210:u,0bda:9210,") MACHINE,
	  SDC,
	  { { FACT_USB_QUIRKS, "?" } } },
	{ "not for disks of other kinds",
	  CMDLINE("usb-storage.quirks=bda:9210:u") MACHINE,
	  SDA,
	  { { FACT_USB_QUIRKS, "?" } } },
};

static void test_usb_quirks(void **state)
{
	(void)state;
	run_subjects(usb_rows, ARRAY_SIZE(usb_rows));
}

#define VMD(driver)                                                                    \
	"P: /devices/pci0000:00/0000:00:0e.0\nE: SUBSYSTEM=pci\nA: vendor=0x8086\\n\n" \
	"A: device=0x9a0b\\n\n" driver "\n"

static const struct subject_row host_rows[] = {
	{ "one limit of all ports", MACHINE, SDA, { { FACT_HOST_SPD_LIMIT, "6000" } } },
	{ "one port was slowed down",
	  FUNCTION("ahci") "\n" LINK("1", "1.5 Gbps", "6.0 Gbps")
		  LINK("2", "6.0 Gbps", "6.0 Gbps") DISKS,
	  SDA,
	  { { FACT_HOST_SPD_LIMIT, "?" } } },
	{ "ports differ",
	  FUNCTION("ahci") "\n" LINK("1", "3.0 Gbps", "3.0 Gbps")
		  LINK("2", "6.0 Gbps", "6.0 Gbps") DISKS,
	  SDA,
	  { { FACT_HOST_SPD_LIMIT, "?" } } },
	{ "no limit is known",
	  FUNCTION("ahci") "\n" LINK("1", "<unknown>", "<unknown>")
		  LINK("2", "<unknown>", "<unknown>") DISKS,
	  SDA,
	  { { FACT_HOST_SPD_LIMIT, "?" } } },
	{ "one port alone tells nothing of the host",
	  FUNCTION("ahci") "\n" LINK(
		  "1", "3.0 Gbps",
		  "3.0 Gbps") "P: " SDA "\nE: SUBSYSTEM=block\n\n" HOST("0", PORT("1")),
	  SDA,
	  { { FACT_HOST_SPD_LIMIT, "?" } } },
	{ "nothing is hidden",
	  ONLINE MACHINE,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "0" },
	    { FACT_REMAPPED_AT, "?" },
	    { FACT_VMD_UNBOUND, "none" } } },
	{ "nothing can hide where ahci drives nothing",
	  ONLINE FUNCTION("ata_piix") "\n" DISKS,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "0" }, { FACT_REMAPPED_AT, "?" } } },
	{ "no PCI at all",
	  ONLINE BLOCK("/devices/platform/x/block/sda", "sda", "8", "0") "\n",
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "0" }, { FACT_VMD_UNBOUND, "none" } } },
	{ "a kernel whose ahci does not say",
	  ONLINE FUNCTION("ahci") "\n" DISKS,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "?" } } },
	{ "more than one function can hide",
	  ONLINE FUNCTION("ahci") "A: remapped_nvme=4\\n\n\n" DISKS,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "?" } } },
	{ "an NVMe drive is hidden",
	  FUNCTION("ahci") "A: remapped_nvme=1\\n\n\n" DISKS,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "1" }, { FACT_REMAPPED_AT, "0000:00:1f.2" } } },
	{ "an old kernel says so in its log",
	  "F: /dev/kmsg=[    1.0] ahci 0000:00:1f.2: Found 1 remapped NVMe "
	  "devices.\\n\n" FUNCTION("ahci") "\n" DISKS,
	  NULL,
	  { { FACT_REMAPPED_TOTAL, "1" }, { FACT_REMAPPED_AT, "0000:00:1f.2" } } },
	{ "VMD with its driver",
	  ONLINE VMD("L: driver=../../../bus/pci/drivers/vmd\n") MACHINE,
	  NULL,
	  { { FACT_VMD_UNBOUND, "none" } } },
	{ "VMD without",
	  ONLINE VMD("") MACHINE,
	  NULL,
	  { { FACT_VMD_UNBOUND, "0000:00:0e.0" } } },
};

static void test_host(void **state)
{
	(void)state;
	run_subjects(host_rows, ARRAY_SIZE(host_rows));
}

/* --- the initramfs ------------------------------------------------------------------ */

#define RELEASE "F: /proc/sys/kernel/osrelease=6.1.0\\n\n"
#define IDE FUNCTION("ata_piix") "\n" DISKS

static const struct subject_row initramfs_rows[] = {
	{ "built in",
	  RELEASE "F: /lib/modules/6.1.0/modules.builtin=kernel/drivers/ata/libahci.ko\\n"
		  "kernel/drivers/ata/ahci.ko\\n\n" IDE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "built-in" } } },
	{ "in the initramfs",
	  RELEASE "F: /boot/initramfs.list=usr/lib/modules/6.1.0/kernel/drivers/ata/"
		  "ahci.ko.zst\\n\n" IDE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "yes" } } },
	{ "not in it",
	  RELEASE "F: /boot/initramfs.list=kernel/drivers/ata/libahci.ko\\n\n" IDE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "no" } } },
	{ "a list of nothing",
	  RELEASE "F: /boot/initramfs.list=\\n\n" IDE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "?" } } },
	{ "no list", RELEASE IDE, SDA, { { FACT_INITRAMFS_AHCI, "?" } } },
	{ "a release that leads elsewhere",
	  "F: /proc/sys/kernel/osrelease=../../x\\n\n" IDE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "?" } } },
	{ "no question where ahci drives already",
	  RELEASE "F: /boot/initramfs.list=kernel/drivers/ata/ahci.ko\\n\n" MACHINE,
	  SDA,
	  { { FACT_INITRAMFS_AHCI, "?" } } },
};

static void test_initramfs(void **state)
{
	(void)state;
	run_subjects(initramfs_rows, ARRAY_SIZE(initramfs_rows));
}

/* What is sought is found however the list is cut. */
static void test_module_list(void **state)
{
	static const struct {
		const char *text;
		bool any, ahci;
	} rows[] = {
		{ "a/libahci.ko\nb/ahci.ko.zst\n", true, true },
		{ "a/libahci.ko\nb/ahci.k\n", true, false },
		{ "a/ahci.k", false, false },
		{ "/ahci.ko", true, true },
		{ "x.ko", true, false },
		{ "", false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = strlen(rows[i].text);

		for (size_t piece = 1; piece <= len + 1; piece++) {
			struct module_list list = { .any = false };

			for (size_t at = 0; at < len; at += piece)
				module_list_feed(&list, rows[i].text + at,
						 len - at < piece ? len - at : piece);
			ROW_INT(rows[i].text, list.any, rows[i].any);
			ROW_INT(rows[i].text, list.ahci, rows[i].ahci);
		}
	}
}

static const char *count_calls(void *context)
{
	(*(int *)context)++;
	return "no";
}

static void test_ask_initramfs(void **state)
{
	static const char *const captures[] = { MACHINE, IDE };
	static const int wanted[] = { 0, 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(captures); i++) {
		int calls = 0;
		struct evidence_source source = { .ask_initramfs = count_calls,
						  .context = &calls };
		_cleanup_root_ struct root *root = capture_of(captures[i]);
		_cleanup_evidence_ struct evidence *evidence = NULL;

		assert_int_equal(evidence_load(root, &source, &evidence), 0);
		for (int k = 0; k < 3; k++) {
			_cleanup_disk_ struct disk *disk = NULL;

			assert_int_equal(disk_probe(root, "/sys" SDB, NULL, &disk), 0);
			evidence_add(evidence, disk);
			assert_int_equal(
				facts_is_text(&disk->facts, FACT_INITRAMFS_AHCI, "no"),
				wanted[i]);
		}
		assert_int_equal(calls, wanted[i]);
	}
}

/* --- the kernel log ------------------------------------------------------------------
 */

static void test_log_of_root(void **state)
{
	_cleanup_root_ struct root *root =
		capture_of("F: /dev/kmsg=[    1.0] ata1.00: NCQ disabled due to "
			   "excessive errors\\n\n" MACHINE);
	_cleanup_disk_ struct disk *disk = gather(root, SDA);
	_cleanup_disk_ struct disk *other = gather(root, SDB);
	_cleanup_disk_ struct disk *stack = gather(root, DM1);

	(void)state;
	assert_true(facts_is_text(&disk->facts, FACT_KERNEL_LOG, "/dev/kmsg"));
	assert_true(facts_is_set(&disk->facts, FACT_LOG_NCQ_DISABLED));
	assert_true(facts_is_clear(&other->facts, FACT_LOG_NCQ_DISABLED));

	/* The leaves of a stack have evidence, too. */
	assert_int_equal(stack->n_leaves, 1);
	assert_true(facts_is_set(&stack->leaves[0].facts, FACT_LOG_NCQ_DISABLED));
	assert_false(facts_known(&stack->facts, FACT_LOG_NCQ_DISABLED));
}

/* A text that no kernel wrote is no log, and its silence is not "no errors". */
static void test_log_of_nobody(void **state)
{
	_cleanup_root_ struct root *root =
		capture_of("F: /dev/kmsg=[global]\\nhello\\nworld\\n\n" MACHINE);
	_cleanup_disk_ struct disk *disk = gather(root, SDA);

	(void)state;
	assert_false(facts_known(&disk->facts, FACT_KERNEL_LOG));
	assert_false(facts_known(&disk->facts, FACT_LOG_LINK_FAULTS));
}

static void test_log_given(void **state)
{
	static const char line[] = "ata1.00: NCQ disabled due to excessive errors\n";
	_cleanup_root_ struct root *root =
		capture_of("F: /dev/kmsg=[    1.0] ata1: EH complete\\n\n" MACHINE);
	struct evidence_source source = { 0 };
	_cleanup_evidence_ struct evidence *evidence = NULL;
	_cleanup_disk_ struct disk *disk = NULL;

	(void)state;
	assert_int_equal(kernel_log_new("/tmp/dmesg.txt", &source.log), 0);
	kernel_log_feed(source.log, line, strlen(line));
	assert_true(kernel_log_end(source.log));
	assert_int_equal(evidence_load(root, &source, &evidence), 0);
	assert_null(source.log);
	assert_int_equal(disk_probe(root, "/sys" SDA, NULL, &disk), 0);
	evidence_add(evidence, disk);
	assert_true(facts_is_text(&disk->facts, FACT_KERNEL_LOG, "/tmp/dmesg.txt"));
	assert_true(facts_is_set(&disk->facts, FACT_LOG_NCQ_DISABLED));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("CPUs, EFI, root disk, holders", test_boot),
		TEST("quirks of usb-storage that somebody asked for", test_usb_quirks),
		TEST("functions and ports beside the disk", test_host),
		TEST("whether the initramfs holds ahci", test_initramfs),
		TEST("a list that comes in pieces", test_module_list),
		TEST("a slow question is asked once, and only if it is one",
		     test_ask_initramfs),
		TEST("the root's own kernel log", test_log_of_root),
		TEST("a text that is no kernel log", test_log_of_nobody),
		TEST("a kernel log that is handed in", test_log_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
