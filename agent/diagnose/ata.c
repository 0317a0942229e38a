/* SPDX-License-Identifier: MIT */
/*
 * The mode of the controller above an ATA disk: IDE, emulated IDE, RAID, or a SATA host
 * that never learned to queue. Only the disk's own controller is judged: a function in
 * IDE mode without a disk below it is nobody's loss. What to do about IDE mode is in
 * ide-mode-remedy.c.
 */
#include "diagnose/ata.h"
#include "base/text.h"

#define PCI_CLASS_RAID 0x0104U /* upper 16 of the 24 bits */

/*
 * A PATA attachment is the answer only if the two facts are known that would have made it
 * IDE mode. Without a PCI function there is no such mode.
 */
static bool lacks_what_tells(const struct subject *subject, struct finding *finding)
{
	if (subject->class->attachment != ATTACHMENT_PATA)
		return false;
	if (lacks(subject, FACT_ATA_ID_76, finding))
		return true;
	return is_sata_drive(own(subject)) &&
	       facts_known(own(subject), FACT_PCI_ADDRESS) &&
	       lacks(subject, FACT_PCI_CLASS, finding);
}

/* What the table of controllers says of AHCI at this one. */
static void describe_sibling(const struct subject *subject, char *buf, size_t size)
{
	const char *sibling = text_of(subject, FACT_AHCI_SIBLING);
	const char *raid = text_of(subject, FACT_RAID_SIBLING);

	if (!*sibling)
		(void)snprintf(buf, size, "whether it has AHCI we do not know");
	else if (strcmp(sibling, "none") == 0)
		(void)snprintf(buf, size, "it has no AHCI mode");
	else if (strcmp(sibling, "same") == 0)
		(void)snprintf(buf, size, "as AHCI it would have the same id");
	else if (*raid)
		(void)snprintf(buf, size,
			       "as AHCI it would be %.32s, or as RAID, which is as good, "
			       "%.32s",
			       sibling, raid);
	else
		(void)snprintf(buf, size, "as AHCI it would be %.64s", sibling);
}

/* The controller by name and id, as far as known, each with a comma behind it. */
static void describe_controller(const struct subject *subject, char *buf, size_t size)
{
	const char *name = text_of(subject, FACT_CONTROLLER);
	char id[24] = "";

	if (facts_known(own(subject), FACT_PCI_VENDOR) &&
	    facts_known(own(subject), FACT_PCI_DEVICE))
		(void)snprintf(id, sizeof(id), "%04" PRIx64 ":%04" PRIx64 ", ",
			       number_of(subject, FACT_PCI_VENDOR) & 0xffff,
			       number_of(subject, FACT_PCI_DEVICE) & 0xffff);
	(void)snprintf(buf, size, "%.80s%s%s", name, *name ? ", " : "", id);
}

static void check_ide_mode(const struct subject *subject, struct finding *finding)
{
	const struct disk_class *class = subject->class;
	bool known = facts_known(own(subject), FACT_AHCI_SIBLING);
	char controller[128], sibling[128];

	if (lacks_what_tells(subject, finding) ||
	    class->attachment != ATTACHMENT_ATA_IDE_MODE)
		return;
	describe_controller(subject, controller, sizeof(controller));
	describe_sibling(subject, sibling, sizeof(sibling));
	found(finding, class->medium == MEDIUM_ROTATIONAL ? SEVERITY_INFO : SEVERITY_WARN,
	      known ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "a SATA drive runs behind a controller in IDE mode (%sPCI class "
	      "0x%06" PRIx64 ", driver %.32s): one command at a time, no NCQ; %s",
	      controller, number_of(subject, FACT_PCI_CLASS),
	      text_of(subject, FACT_HOST_DRIVER), sibling);
	finding->remedy = ide_mode_remedy(subject);
}

static bool is_native_sata(const struct subject *subject)
{
	enum attachment attachment = subject->class->attachment;

	return is_libata_disk(subject) &&
	       (attachment == ATTACHMENT_AHCI || attachment == ATTACHMENT_SATA_NO_NCQ ||
		attachment == ATTACHMENT_HBA);
}

static void check_no_ncq(const struct subject *subject, struct finding *finding)
{
	const struct disk_class *class = subject->class;
	bool lost = class->attachment == ATTACHMENT_SATA_NO_NCQ ||
		    class->ncq_reason == NCQ_REASON_DRIVER_WITHOUT_NCQ ||
		    class->ncq_reason == NCQ_REASON_HOST_WITHOUT_NCQ;

	if (class->ncq == NCQ_UNKNOWN && lacks(subject, FACT_QUEUE_DEPTH, finding))
		return;
	if (!lost || !drive_has_ncq(own(subject)))
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "the drive has NCQ, but its SATA controller (driver %.32s) has not: one "
	      "command at a time, whatever the firmware setup says",
	      text_of(subject, FACT_HOST_DRIVER));
}

static bool is_pci_libata_disk(const struct subject *subject)
{
	return is_libata_disk(subject) && facts_known(own(subject), FACT_PCI_ADDRESS);
}

static const char *describe_hidden(const struct subject *subject)
{
	if (facts_is_set(own(subject), FACT_REMAPPED_NVME))
		return ", but the mode hides an NVMe drive (see nvme-remapped)";
	if (facts_is_clear(own(subject), FACT_REMAPPED_NVME))
		return ", and it hides no NVMe drive";
	return "; such a mode may hide an NVMe drive";
}

/* A chip that has no other class is in no mode that the firmware could change. */
static void describe_raid(const struct subject *subject, char *buf, size_t size)
{
	const char *sibling = text_of(subject, FACT_AHCI_SIBLING);

	if (!facts_is_text(own(subject), FACT_CONTROLLER_MODE, "raid"))
		(void)snprintf(buf, size, "has the PCI class of a RAID controller");
	else if (!strchr(sibling, ':'))
		(void)snprintf(buf, size, "is in RAID mode");
	else
		(void)snprintf(buf, size,
			       "is in RAID mode (in AHCI mode it would be %.32s)",
			       sibling);
}

static void check_raid_class(const struct subject *subject, struct finding *finding)
{
	char controller[128], mode[96];

	if (number_of(subject, FACT_PCI_CLASS) >> 8 != PCI_CLASS_RAID ||
	    strncmp(text_of(subject, FACT_HOST_DRIVER), "ahci", 4) != 0)
		return;
	describe_controller(subject, controller, sizeof(controller));
	describe_raid(subject, mode, sizeof(mode));
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "the SATA controller (%sPCI class 0x%06" PRIx64
	      ") %s, and the kernel drives it as AHCI: NCQ and speed are the same%s",
	      controller, number_of(subject, FACT_PCI_CLASS), mode,
	      describe_hidden(subject));
}

#define EMULATED_PREPARE(driver)                                          \
	"make sure that the guest can boot from the new controller: its " \
	"initramfs must hold " driver ", and /etc/fstab must name UUIDs"
#define EMULATED_CACHE                                                        \
	"keep the host's cache mode as it is when comparing: a guest cannot " \
	"see it, and it makes more difference than the controller"

/* Where the hypervisor's name, or the lack of one, leads to other words. */
static const struct {
	const char *pattern;
	const char *const *remedy;
} emulated_remedies[] = {
	{ "vmware", STEPS(EMULATED_PREPARE("vmw_pvscsi"),
			  "on the host: attach the disk to a VMware Paravirtual "
			  "(pvscsi) controller, or at least to SATA",
			  EMULATED_CACHE) },
	{ "virtualbox",
	  STEPS(EMULATED_PREPARE("ahci"),
		"on the host: VBoxManage storagectl VM --name SATA --add "
		"sata --controller IntelAhci, then storageattach; in Packer "
		"hard_drive_interface = \"sata\"",
		EMULATED_CACHE) },
	{ "hyper-v", STEPS(EMULATED_PREPARE("hv_storvsc"),
			   "on the host: attach the disk to the SCSI controller; a boot "
			   "disk needs a machine of generation 2 for that",
			   EMULATED_CACHE) },
	{ "*", STEPS(EMULATED_PREPARE("virtio_blk or virtio_scsi"),
		     "on the host: attach the disk by virtio (libvirt: <target "
		     "bus='virtio'/>), or at least by AHCI",
		     EMULATED_CACHE) },
};

static bool may_be_guest(const struct subject *subject)
{
	return is_libata_disk(subject) && !facts_is_clear(own(subject), FACT_GUEST);
}

static void check_emulated_ide(const struct subject *subject, struct finding *finding)
{
	const char *hypervisor = text_of(subject, FACT_HYPERVISOR);
	size_t i = 0;

	if (subject->class->attachment != ATTACHMENT_EMULATED_IDE) {
		if (subject->class->attachment == ATTACHMENT_ATA_IDE_MODE ||
		    subject->class->attachment == ATTACHMENT_PATA)
			(void)lacks(subject, FACT_GUEST, finding);
		return;
	}
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
	      "this guest's disk is attached to an emulated IDE controller (driver "
	      "%.32s, "
	      "hypervisor %.32s): one command at a time, each with several exits to the "
	      "host",
	      text_of(subject, FACT_HOST_DRIVER), *hypervisor ? hypervisor : "unknown");
	while (!glob_match(emulated_remedies[i].pattern, hypervisor, false))
		i++;
	finding->remedy = emulated_remedies[i].remedy;
}

static const struct check list[] = {
	{
		.id = FINDING_ATA_IDE_MODE,
		.scope = SCOPE_DISK,
		.applies = is_libata_disk,
		.requires = FACTS(FACT_HOST_DRIVER),
		.run = check_ide_mode,
		.evidence = FACTS(FACT_HOST_DRIVER, FACT_PCI_CLASS, FACT_PCI_DEVICE,
				  FACT_ATA_ID_76, FACT_QUEUE_DEPTH, FACT_AHCI_SIBLING,
				  FACT_RAID_SIBLING, FACT_EFI, FACT_INITRAMFS_AHCI,
				  FACT_HOLDS_ROOT),
		.cost = "random reads of 4 KiB at depth 32: 27.8 instead of 295.3 MB/s "
			"on "
			"one SSD; with one reader hardly anything",
	},
	{
		.id = FINDING_SATA_NO_NCQ,
		.scope = SCOPE_DISK,
		.applies = is_native_sata,
		.requires = FACTS(FACT_ATA_ID_76),
		.run = check_no_ncq,
		.evidence = FACTS(FACT_HOST_DRIVER, FACT_CAN_QUEUE, FACT_AHCI_HOST_CAPS,
				  FACT_DRIVER_NCQ, FACT_ATA_ID_76, FACT_QUEUE_DEPTH),
		.cost = "as in IDE mode where several reads are wanted at once; with one "
			"reader little",
		.remedy = STEPS("nothing to set: attach the drive to a controller with "
				"NCQ (AHCI) if its speed matters"),
	},
	{
		.id = FINDING_RAID_CLASS_AHCI,
		.scope = SCOPE_DISK,
		.applies = is_pci_libata_disk,
		.requires = FACTS(FACT_HOST_DRIVER, FACT_PCI_CLASS),
		.run = check_raid_class,
		.evidence = FACTS(FACT_PCI_CLASS, FACT_HOST_DRIVER, FACT_PCI_DEVICE,
				  FACT_CONTROLLER_MODE, FACT_AHCI_SIBLING,
				  FACT_QUEUE_DEPTH, FACT_REMAPPED_NVME),
		.cost = "none for this disk",
		.remedy = STEPS("leave it: nothing is to be gained for this disk"),
	},
	{
		.id = FINDING_EMULATED_IDE,
		.scope = SCOPE_DISK,
		.applies = may_be_guest,
		.requires = FACTS(FACT_HOST_DRIVER),
		.run = check_emulated_ide,
		.evidence = FACTS(FACT_HOST_DRIVER, FACT_PCI_CLASS, FACT_GUEST,
				  FACT_HYPERVISOR, FACT_QUEUE_DEPTH),
		.cost = "one command at a time bounds the rate: at 200 us for a read "
			"there are at most 5,000 a second",
	},
};

const struct checks ata_checks = { list, ARRAY_SIZE(list) };
