/* SPDX-License-Identifier: MIT */
/*
 * Checks of ATA controllers and of NCQ: what they say of a disk, and which remedy they
 * choose.
 */
#include <string.h>

#include "check-rows.h"

#define IDE_MODE \
	{ FACT_HOST_DRIVER, "ata_piix" }, { FACT_PCI_CLASS, "0x01018f" }, \
	{ FACT_AHCI_HOST_CAPS, "?" }, { FACT_CAN_QUEUE, "1" }, { FACT_QUEUE_DEPTH, "1" }
#define PCI_IDS(vendor, device) { FACT_PCI_VENDOR, vendor }, { FACT_PCI_DEVICE, device }
#define NO_NCQ_HOST \
	{ FACT_HOST_DRIVER, "sata_sil" }, { FACT_PCI_CLASS, "0x018000" }, \
	{ FACT_AHCI_HOST_CAPS, "?" }, { FACT_CAN_QUEUE, "1" }, { FACT_QUEUE_DEPTH, "1" }
#define ROTATING { FACT_ATA_ID_217, "7200" }
#define LOG { FACT_KERNEL_LOG, "/dev/kmsg" }
#define NO_ERRORS { FACT_LOG_FPDMA_TIMEOUTS, "0" }, { FACT_LOG_FPDMA_ERRORS, "0" }

static const struct row controller_rows[] = {
	{ "an SSD in IDE mode", FINDING_ATA_IDE_MODE, CHECK_FOUND, SEVERITY_WARN,
	  { IDE_MODE }, "ata_piix" },
	{ "the controller and its sibling by name", FINDING_ATA_IDE_MODE, CHECK_FOUND,
	  SEVERITY_WARN, { IDE_MODE, PCI_IDS("0x8086", "0x3a20"), { FACT_CONTROLLER,
	  "Intel ICH10R" }, { FACT_AHCI_SIBLING, "8086:3a22" } },
	  "(Intel ICH10R, 8086:3a20, PCI class 0x01018f, driver ata_piix): one command "
	  "at a time, no NCQ; as AHCI it would be 8086:3a22" },
	{ "a sibling in RAID mode, too", FINDING_ATA_IDE_MODE, CHECK_FOUND, SEVERITY_WARN,
	  { IDE_MODE, { FACT_AHCI_SIBLING, "8086:3a22" }, { FACT_RAID_SIBLING,
	  "8086:2822" } }, "or as RAID, which is as good, 8086:2822" },
	{ "a controller without AHCI", FINDING_ATA_IDE_MODE, CHECK_FOUND, SEVERITY_WARN,
	  { IDE_MODE, { FACT_AHCI_SIBLING, "none" } }, "it has no AHCI mode" },
	{ "a controller with one id for both modes", FINDING_ATA_IDE_MODE, CHECK_FOUND,
	  SEVERITY_WARN, { IDE_MODE, { FACT_AHCI_SIBLING, "same" } }, "the same id" },
	{ "a rotating drive in IDE mode", FINDING_ATA_IDE_MODE, CHECK_FOUND,
	  SEVERITY_INFO, { IDE_MODE, ROTATING }, "0x01018f" },
	{ "a drive of unknown medium in IDE mode", FINDING_ATA_IDE_MODE, CHECK_FOUND,
	  SEVERITY_WARN, { IDE_MODE, { FACT_ATA_ID_217, "0" } }, "we do not know" },
	{ "AHCI", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { { 0 } }, NULL },
	{ "AHCI under the IDE class", FINDING_ATA_IDE_MODE, CHECK_OK, 0,
	  { { FACT_PCI_CLASS, "0x01018f" } }, NULL },
	{ "a PATA drive", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { IDE_MODE, { FACT_ATA_ID_76,
	  "0" } }, NULL },
	{ "a SATA drive at a bridge of an adapter that is no PCI function",
	  FINDING_ATA_IDE_MODE, CHECK_OK, 0, { { FACT_HOST_DRIVER, "pata_platform" },
	  { FACT_PCI_CLASS, "?" }, { FACT_PCI_ADDRESS, "?" } }, NULL },
	{ "IDE mode in a guest", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { IDE_MODE,
	  { FACT_GUEST, "1" } }, NULL },
	{ "no driver known", FINDING_ATA_IDE_MODE, CHECK_UNKNOWN, 0, { { FACT_HOST_DRIVER,
	  "?" } }, NULL },
	{ "no IDENTIFY known", FINDING_ATA_IDE_MODE, CHECK_UNKNOWN, 0, { IDE_MODE,
	  { FACT_ATA_ID_76, "?" } }, NULL },
	{ "no PCI class known", FINDING_ATA_IDE_MODE, CHECK_UNKNOWN, 0, { IDE_MODE,
	  { FACT_PCI_CLASS, "?" } }, NULL },
	{ "no ATA disk", FINDING_ATA_IDE_MODE, CHECK_NOT_APPLICABLE, 0, { { FACT_LIBATA,
	  "?" } }, NULL },
	{ "an optical drive in IDE mode", FINDING_ATA_IDE_MODE, CHECK_NOT_APPLICABLE, 0,
	  { IDE_MODE, { FACT_SCSI_TYPE, "5" } }, NULL },

	{ "a host without NCQ", FINDING_SATA_NO_NCQ, CHECK_FOUND, SEVERITY_INFO,
	  { NO_NCQ_HOST }, "sata_sil" },
	{ "an AHCI host without NCQ", FINDING_SATA_NO_NCQ, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_AHCI_HOST_CAPS, "0x0722ff05" }, { FACT_QUEUE_DEPTH, "1" } }, "ahci" },
	{ "a driver that cannot queue", FINDING_SATA_NO_NCQ, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_HOST_DRIVER, "sata_nv" }, { FACT_AHCI_HOST_CAPS, "?" },
	  { FACT_CAN_QUEUE, "32" }, { FACT_QUEUE_DEPTH, "1" },
	  { FACT_QUEUE_DEPTH_WRITABLE, "0" } }, "sata_nv" },
	{ "neither has NCQ", FINDING_SATA_NO_NCQ, CHECK_OK, 0, { NO_NCQ_HOST,
	  { FACT_ATA_ID_76, "0x0006" } }, NULL },
	{ "a host without NCQ, no IDENTIFY", FINDING_SATA_NO_NCQ, CHECK_UNKNOWN, 0,
	  { NO_NCQ_HOST, { FACT_ATA_ID_76, "?" } }, NULL },
	{ "a host with NCQ", FINDING_SATA_NO_NCQ, CHECK_OK, 0, { { 0 } }, NULL },
	{ "IDE mode is another thing", FINDING_SATA_NO_NCQ, CHECK_NOT_APPLICABLE, 0,
	  { IDE_MODE }, NULL },

	{ "RAID mode, driven as AHCI", FINDING_RAID_CLASS_AHCI, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_PCI_CLASS, "0x010400" } }, "may hide" },
	{ "RAID mode that hides nothing", FINDING_RAID_CLASS_AHCI, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_PCI_CLASS, "0x010400" }, { FACT_REMAPPED_NVME, "0" } },
	  "hides no NVMe" },
	{ "RAID mode that hides a drive", FINDING_RAID_CLASS_AHCI, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_PCI_CLASS, "0x010400" }, { FACT_REMAPPED_NVME, "1" } },
	  "nvme-remapped" },
	{ "RAID mode that the table knows", FINDING_RAID_CLASS_AHCI, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_PCI_CLASS, "0x010400" }, PCI_IDS("0x8086", "0x1e04"),
	  { FACT_CONTROLLER, "Intel 7 Series" }, { FACT_CONTROLLER_MODE, "raid" },
	  { FACT_AHCI_SIBLING, "8086:1e02" } }, "(Intel 7 Series, 8086:1e04, PCI class "
	  "0x010400) is in RAID mode (in AHCI mode it would be 8086:1e02)" },
	{ "a RAID class that is no mode", FINDING_RAID_CLASS_AHCI, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_PCI_CLASS, "0x010400" }, { FACT_AHCI_SIBLING,
	  "same" } }, "has the PCI class of a RAID controller" },
	{ "AHCI mode", FINDING_RAID_CLASS_AHCI, CHECK_OK, 0, { { 0 } }, NULL },
	{ "RAID mode, class unknown", FINDING_RAID_CLASS_AHCI, CHECK_UNKNOWN, 0,
	  { { FACT_PCI_CLASS, "?" } }, NULL },
	{ "AHCI that is no PCI function", FINDING_RAID_CLASS_AHCI, CHECK_NOT_APPLICABLE,
	  0, { { FACT_PCI_CLASS, "?" }, { FACT_PCI_ADDRESS, "?" } }, NULL },

	{ "emulated IDE", FINDING_EMULATED_IDE, CHECK_FOUND, SEVERITY_WARN, { IDE_MODE,
	  { FACT_GUEST, "1" }, { FACT_HYPERVISOR, "qemu" } }, "qemu" },
	{ "emulated IDE, hypervisor unknown", FINDING_EMULATED_IDE, CHECK_FOUND,
	  SEVERITY_WARN, { IDE_MODE, { FACT_GUEST, "1" } }, "unknown" },
	{ "emulated AHCI", FINDING_EMULATED_IDE, CHECK_OK, 0, { { FACT_GUEST, "1" },
	  { FACT_EMULATED, "1" } }, NULL },
	{ "IDE mode of real hardware", FINDING_EMULATED_IDE, CHECK_NOT_APPLICABLE, 0,
	  { IDE_MODE, { FACT_GUEST, "0" } }, NULL },
	{ "IDE mode, and nobody knows whether in a guest", FINDING_EMULATED_IDE,
	  CHECK_UNKNOWN, 0, { IDE_MODE }, NULL },
	{ "a guest's driver unknown", FINDING_EMULATED_IDE, CHECK_UNKNOWN, 0,
	  { { FACT_GUEST, "1" }, { FACT_HOST_DRIVER, "?" } }, NULL },
};

static const struct row ncq_rows[] = {
	{ "NCQ off, and nothing tells why", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_QUEUE_DEPTH, "1" } }, "the kernel log could not be read" },
	{ "NCQ off, and not even the log tells", FINDING_NCQ_OFF, CHECK_FOUND,
	  SEVERITY_WARN, { { FACT_QUEUE_DEPTH, "1" }, LOG, NO_ERRORS },
	  "nothing we can see" },
	{ "NCQ off by hand, with errors in the log", FINDING_NCQ_OFF, CHECK_FOUND,
	  SEVERITY_WARN, { { FACT_QUEUE_DEPTH, "1" }, LOG, { FACT_LOG_FPDMA_ERRORS,
	  "3" } }, "somebody may have done it" },
	{ "NCQ off on a rotating drive", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, ROTATING }, "nothing we can see" },
	{ "NCQ off for every port", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "noncqtrim,noncq" } },
	  "for every port" },
	{ "NCQ off for one port by its link", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "1.15:noncq" } },
	  "for this port" },
	{ "NCQ off for one port", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "1.00:noncq" } },
	  "for this port" },
	{ "noncq that does not help", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "noncq" }, LOG,
	  { FACT_LOG_LINK_FAULTS, "4" } }, "errors of the link go on" },
	{ "NCQ off by a quirk", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_NCQ_QUIRK, "1" } }, "forgoes" },
	{ "NCQ off behind a multiplier", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_NR_PMP_LINKS, "5" }, { FACT_HOST_DRIVER,
	  "sata_sil24" } }, "multiplier" },
	{ "NCQ off behind a multiplier, where ahci would keep it", FINDING_NCQ_OFF,
	  CHECK_FOUND, SEVERITY_INFO, { { FACT_QUEUE_DEPTH, "1" }, { FACT_NR_PMP_LINKS,
	  "5" } }, "some multipliers" },
	{ "given up by the kernel", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_WARN,
	  { LOG, { FACT_LOG_NCQ_DISABLED, "1" } }, "queue_depth does not show it" },
	{ "given up on a rotating drive", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { LOG, { FACT_LOG_NCQ_DISABLED, "1" }, ROTATING }, "after errors" },
	{ "NCQ on", FINDING_NCQ_OFF, CHECK_OK, 0, { { 0 } }, NULL },
	{ "NCQ on, and the log is silent", FINDING_NCQ_OFF, CHECK_OK, 0, { LOG,
	  { FACT_LOG_NCQ_DISABLED, "0" } }, NULL },
	{ "no NCQ to switch off", FINDING_NCQ_OFF, CHECK_NOT_APPLICABLE, 0, { IDE_MODE },
	  NULL },
	{ "queue_depth unknown", FINDING_NCQ_OFF, CHECK_UNKNOWN, 0, { { FACT_QUEUE_DEPTH,
	  "?" } }, NULL },
	{ "queue_depth 1, no IDENTIFY", FINDING_NCQ_OFF, CHECK_UNKNOWN, 0,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_ATA_ID_76, "?" } }, NULL },

	{ "a bad pair, NCQ off", FINDING_NCQ_BAD_PAIR, CHECK_FOUND, SEVERITY_INFO,
	  { PCI_IDS("0x1002", "0x4391"), { FACT_NCQ_QUIRK, "1" }, { FACT_QUEUE_DEPTH,
	  "1" } }, "as it should be" },
	{ "a bad pair, off by hand on an old kernel", FINDING_NCQ_BAD_PAIR, CHECK_FOUND,
	  SEVERITY_INFO, { PCI_IDS("0x1002", "0x4391"), { FACT_NCQ_QUIRK, "1" },
	  { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "1.00:noncq" } },
	  "libata.force" },
	{ "a bad pair, NCQ on, no errors", FINDING_NCQ_BAD_PAIR, CHECK_FOUND,
	  SEVERITY_INFO, { PCI_IDS("0x1002", "0x4391"), { FACT_NCQ_QUIRK, "1" } },
	  "NCQ is on" },
	{ "a bad pair, NCQ on, with errors", FINDING_NCQ_BAD_PAIR, CHECK_FOUND,
	  SEVERITY_ERROR, { PCI_IDS("0x1002", "0x4391"), { FACT_NCQ_QUIRK, "1" }, LOG,
	  { FACT_LOG_FPDMA_ERRORS, "2" } }, "have failed already" },
	{ "a drive that fails with NCQ anywhere", FINDING_NCQ_BAD_PAIR, CHECK_OK, 0,
	  { PCI_IDS("0x8086", "0xa102"), { FACT_NCQ_QUIRK, "1" }, { FACT_QUEUE_DEPTH,
	  "1" } }, NULL },
	{ "another drive at ATI", FINDING_NCQ_BAD_PAIR, CHECK_OK, 0, { PCI_IDS("0x1002",
	  "0x4391") }, NULL },
	{ "a pair of which the drive is not known", FINDING_NCQ_BAD_PAIR, CHECK_UNKNOWN,
	  0, { PCI_IDS("0x1002", "0x4391"), { FACT_MODEL, "?" } }, NULL },

	{ "timeouts, several", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND, SEVERITY_WARN, { LOG,
	  { FACT_LOG_FPDMA_TIMEOUTS, "3" } }, "SErr 0x0" },
	{ "timeouts on several drives", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND,
	  SEVERITY_WARN, { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "1" }, { FACT_LOG_FPDMA_DISKS,
	  "2" } }, "what the drives share" },
	{ "timeouts of a link that fails, too", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND,
	  SEVERITY_WARN, { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "3" }, { FACT_LOG_LINK_FAULTS,
	  "5" } }, "errors of the link" },
	{ "libata's unaligned writes", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND,
	  SEVERITY_WARN, { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "0" }, { FACT_LOG_UNALIGNED,
	  "6" } }, "unaligned" },
	{ "a single timeout", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND, SEVERITY_INFO, { LOG,
	  { FACT_LOG_FPDMA_TIMEOUTS, "1" }, { FACT_LOG_FPDMA_DISKS, "1" } }, "SErr 0x0" },
	{ "other drives' timeouts", FINDING_NCQ_QUEUE_FAULT, CHECK_OK, 0, { LOG,
	  NO_ERRORS, { FACT_LOG_FPDMA_DISKS, "2" } }, NULL },
	{ "a silent log", FINDING_NCQ_QUEUE_FAULT, CHECK_OK, 0, { LOG, NO_ERRORS },
	  NULL },
	{ "no log", FINDING_NCQ_QUEUE_FAULT, CHECK_UNKNOWN, 0, { { 0 } }, NULL },
	{ "unaligned writes of a zoned disk are its own", FINDING_NCQ_QUEUE_FAULT,
	  CHECK_NOT_APPLICABLE, 0, { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "0" },
	  { FACT_LOG_UNALIGNED, "6" }, { FACT_ZONED, "host-managed" } }, NULL },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(controller_rows, ARRAY_SIZE(controller_rows));
	run_rows(ncq_rows, ARRAY_SIZE(ncq_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(controller_rows, ARRAY_SIZE(controller_rows));
	run_properties(ncq_rows, ARRAY_SIZE(ncq_rows));
}

/* The remedy as people see it, its steps one behind the other. */
static void remedy_of(const struct row *row, char *buf, size_t size)
{
	struct scene *scene = malloc(sizeof(*scene));
	const char *const *step = NULL;
	size_t len = 0;

	assert_non_null(scene);
	scene_of_row(row, _FACT_MAX, scene);
	step = scene->diagnosis.findings[row->id].remedy;
	assert_non_null(step);
	for (; *step && len < size; step++) {
		char text[FINDING_TEXT_MAX];

		finding_expand(*step, &scene->disk.facts, text, sizeof(text));
		len += (size_t)snprintf(buf + len, size - len, "%s\n", text);
	}
	free(scene);
}

#define IDE(name, ...) \
	{ name, FINDING_ATA_IDE_MODE, CHECK_FOUND, SEVERITY_WARN, \
	  { IDE_MODE, __VA_ARGS__ } }
#define SIBLING { FACT_AHCI_SIBLING, "8086:27c5" }
#define REGISTER { FACT_MODE_REGISTER, "90.b=40" }

/* What a remedy must say, the second behind the first, and what it must not. */
static const struct {
	struct row row;
	const char *says, *then, *never;
} remedy_rows[] = {
	{ IDE("nothing known"), "make sure that the initramfs", "may not have it",
	  "setpci" },
	{ IDE("ready", SIBLING, { FACT_INITRAMFS_AHCI, "built-in" }),
	  "at boot (built-in)", "set the SATA mode to AHCI", "update-initramfs" },
	{ IDE("in the initramfs", SIBLING, { FACT_INITRAMFS_AHCI, "yes" }),
	  "at boot (yes)", "set the SATA mode to AHCI", "dracut" },
	{ IDE("missing, and root is here", SIBLING, { FACT_INITRAMFS_AHCI, "no" },
	      { FACT_HOLDS_ROOT, "1" }),
	  "first make the initramfs hold", "set the SATA mode to AHCI", "modprobe" },
	{ IDE("missing, and root may be here", SIBLING, { FACT_INITRAMFS_AHCI, "no" }),
	  "first make the initramfs hold", "set the SATA mode to AHCI", "modprobe" },
	{ IDE("missing, and root is elsewhere", SIBLING, { FACT_INITRAMFS_AHCI, "no" },
	      { FACT_HOLDS_ROOT, "0" }),
	  "set the SATA mode to AHCI", "modprobe ahci", "update-initramfs" },
	{ IDE("a chip whose register is known", SIBLING, REGISTER,
	      PCI_IDS("0x8086", "0x27c4")),
	  "set the SATA mode to AHCI", "setpci -d 8086:27c4 90.b=40", "boot by EFI" },
	{ IDE("Apple, booted as a BIOS does", SIBLING, { FACT_SYS_VENDOR, "Apple Inc." },
	      { FACT_EFI, "0" }),
	  "boot by EFI", "until then", "firmware setup" },
	{ IDE("Apple, a chip whose register is known", SIBLING,
	      { FACT_SYS_VENDOR, "Apple Computer, Inc." }, { FACT_EFI, "0" }, REGISTER,
	      PCI_IDS("0x8086", "0x2828")),
	  "boot by EFI", "setpci", "firmware setup" },
	{ IDE("Apple, booted by EFI", SIBLING, { FACT_SYS_VENDOR, "Apple Inc." },
	      { FACT_EFI, "1" }),
	  "set the SATA mode to AHCI", "until then", "boot by EFI" },
	{ IDE("no AHCI", { FACT_AHCI_SIBLING, "none" }), "add-in card", "until then",
	  "BIOS" },
	{ { "a guest of VMware", FINDING_EMULATED_IDE, CHECK_FOUND, SEVERITY_WARN,
	    { IDE_MODE, { FACT_GUEST, "1" }, { FACT_HYPERVISOR, "vmware" } } },
	  "pvscsi", "cache mode", "virtio" },
	{ { "a guest of nobody we know", FINDING_EMULATED_IDE, CHECK_FOUND, SEVERITY_WARN,
	    { IDE_MODE, { FACT_GUEST, "1" } } },
	  "virtio", "cache mode", "pvscsi" },
	{ { "noncq for all", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	    { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "noncq" } } },
	  "libata.force=1.00:noncq", "take it out", "echo" },
	{ { "noncq against a bad link", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	    { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "1:noncq" }, LOG,
	      { FACT_LOG_LINK_FAULTS, "1" } } },
	  "repair the link first", "take noncq out", "leave it" },
};

static void test_remedies(void **state)
{
	char text[4 * FINDING_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(remedy_rows); i++) {
		const char *name = remedy_rows[i].row.name, *first = NULL;

		remedy_of(&remedy_rows[i].row, text, sizeof(text));
		first = strstr(text, remedy_rows[i].says);
		if (!first || !strstr(first, remedy_rows[i].then))
			fail_msg("%s: \"%s\" does not say \"%s\", then \"%s\"", name,
			  text,
				 remedy_rows[i].says, remedy_rows[i].then);
		if (strstr(text, remedy_rows[i].never))
			fail_msg("%s: \"%s\" says \"%s\"", name, text,
				 remedy_rows[i].never);
	}
}

/* How far the evidence carries. */
static const struct {
	struct row row;
	enum confidence confidence;
} confidence_rows[] = {
	{ IDE("a sibling is known", SIBLING), CONFIDENCE_HIGH },
	{ IDE("there is none", { FACT_AHCI_SIBLING, "none" }), CONFIDENCE_HIGH },
	{ IDE("nobody knows"), CONFIDENCE_MEDIUM },
	{ { "no log", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_WARN,
	    { { FACT_QUEUE_DEPTH, "1" } } }, CONFIDENCE_MEDIUM },
	{ { "a log", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_WARN,
	    { { FACT_QUEUE_DEPTH, "1" }, LOG } }, CONFIDENCE_HIGH },
	{ { "on several drives", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND,
	    SEVERITY_WARN, { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "2" },
	    { FACT_LOG_FPDMA_DISKS, "2" } } }, CONFIDENCE_HIGH },
	{ { "on one", FINDING_NCQ_QUEUE_FAULT, CHECK_FOUND, SEVERITY_WARN,
	    { LOG, { FACT_LOG_FPDMA_TIMEOUTS, "2" } } }, CONFIDENCE_MEDIUM },
};

static void test_confidence(void **state)
{
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(confidence_rows); i++) {
		scene_of_row(&confidence_rows[i].row, _FACT_MAX, scene);
		ROW_INT(confidence_rows[i].row.name,
			scene->diagnosis.findings[confidence_rows[i].row.id].confidence,
			confidence_rows[i].confidence);
	}
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
		TEST("remedies that fit the facts", test_remedies),
		TEST("confidence", test_confidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
