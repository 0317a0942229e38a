/* SPDX-License-Identifier: MIT */
/*
 * libata. Whether a SATA drive sits behind a controller in IDE mode is told by the
 * driver that is bound and the class that the function has *now*: AMD's IDE ids are
 * switched to AHCI by the kernel (drivers/pci/quirks.c, quirk_amd_ide_mode), and
 * JMicron has AHCI functions with the IDE class code. NCQ is lost for many reasons;
 * they are asked in the order in which one makes the next meaningless.
 */
#include <string.h>

#include "classify/rules.h"

#define PCI_CLASS_IDE 0x0101U /* upper 16 of the 24 bits */
#define AHCI_CAP_NCQ (UINT64_C(1) << 30) /* AHCI 1.3.1, HBA capabilities, SNCQ */
#define IDENTIFY_NCQ 0x100U /* word 76 bit 8 */

bool is_sata_drive(const struct disk_facts *facts)
{
	uint64_t word = 0;

	if (facts_number(facts, FACT_ATA_ID_76, &word))
		return word != 0 && word != 0xffff;
	return facts_known(facts, FACT_SATA_SPD);
}

bool drive_has_ncq(const struct disk_facts *facts)
{
	uint64_t word = 0;

	return is_sata_drive(facts) && facts_number(facts, FACT_ATA_ID_76, &word) &&
	       (word & IDENTIFY_NCQ);
}

static bool is_ahci_driver(const char *driver)
{
	return strncmp(driver, "ahci", 4) == 0 || strcmp(driver, "acard-ahci") == 0 ||
	       strcmp(driver, "sata_highbank") == 0;
}

static bool is_ide_class(const struct disk_facts *facts)
{
	uint64_t class = 0;

	return facts_number(facts, FACT_PCI_CLASS, &class) && class >> 8 == PCI_CLASS_IDE;
}

static void rule_ide_driver(const struct disk_facts *facts, struct disk_class *class)
{
	if (facts_is_set(facts, FACT_GUEST)) {
		class->attachment = ATTACHMENT_EMULATED_IDE;
		REASON(class, TOPIC_ATTACHMENT,
		       "an IDE function in a guest is the hypervisor's", FACT_HOST_DRIVER,
		       FACT_PCI_CLASS, FACT_HYPERVISOR);
	} else if (is_sata_drive(facts) && is_ide_class(facts)) {
		class->attachment = ATTACHMENT_ATA_IDE_MODE;
		REASON(class, TOPIC_ATTACHMENT,
		       "the drive is SATA, but its controller function is in IDE mode "
		       "and bound "
		       "to an IDE driver",
		       FACT_ATA_ID_76, FACT_PCI_CLASS, FACT_HOST_DRIVER,
		       FACT_PCI_ADDRESS);
	} else {
		class->attachment = ATTACHMENT_PATA;
		class->confident &= facts_known(facts, FACT_ATA_ID_76);
		REASON(class, TOPIC_ATTACHMENT, "its host's driver is for parallel ATA",
		       FACT_HOST_DRIVER, FACT_ATA_ID_76);
	}
}

static void rule_sata_driver(const struct disk_facts *facts, struct disk_class *class,
			     const char *driver)
{
	bool ahci = is_ahci_driver(driver);
	uint64_t caps = 0;

	if (ahci && facts_number(facts, FACT_AHCI_HOST_CAPS, &caps) &&
	    !(caps & AHCI_CAP_NCQ)) {
		class->attachment = ATTACHMENT_SATA_NO_NCQ;
		REASON(class, TOPIC_ATTACHMENT,
		       "an AHCI host whose capabilities lack NCQ", FACT_HOST_DRIVER,
		       FACT_AHCI_HOST_CAPS);
	} else if (ahci && facts_is_set(facts, FACT_EMULATED)) {
		class->attachment = ATTACHMENT_EMULATED_AHCI;
		REASON(class, TOPIC_ATTACHMENT, "the disk's model is a hypervisor's",
		       FACT_MODEL, FACT_HOST_DRIVER);
	} else if (ahci) {
		class->attachment = ATTACHMENT_AHCI;
		REASON(class, TOPIC_ATTACHMENT, "its host's driver is ahci",
		       FACT_HOST_DRIVER, FACT_PCI_CLASS);
	} else if (facts_is_number(facts, FACT_CAN_QUEUE, 1)) {
		class->attachment = ATTACHMENT_SATA_NO_NCQ;
		REASON(class, TOPIC_ATTACHMENT,
		       "a native SATA host that takes one command", FACT_HOST_DRIVER,
		       FACT_CAN_QUEUE);
	} else {
		class->attachment = ATTACHMENT_HBA;
		REASON(class, TOPIC_ATTACHMENT, "a native SATA host that is not AHCI",
		       FACT_HOST_DRIVER, FACT_CAN_QUEUE);
	}
}

void rule_ata(const struct disk_facts *facts, struct disk_class *class)
{
	const char *driver = facts_text(facts, FACT_HOST_DRIVER);
	bool sata = is_sata_drive(facts) || (driver && !is_ide_driver(driver));

	class->transport = sata ? TRANSPORT_SATA : TRANSPORT_ATA;
	REASON(class, TOPIC_TRANSPORT,
	       sata ? "its path passes an ATA port, and drive or host is SATA" :
		      "its path passes an ATA port, and neither drive nor host is SATA",
	       FACT_ATA_PORT_ID, FACT_ATA_ID_76, FACT_HOST_DRIVER);
	if (!driver) {
		class->confident = false;
		REASON(class, TOPIC_ATTACHMENT, "its host's driver is not known");
	} else if (is_ide_driver(driver)) {
		rule_ide_driver(facts, class);
	} else {
		rule_sata_driver(facts, class, driver);
	}
}

static void set_ncq(struct disk_class *class, enum ncq ncq, enum ncq_reason reason)
{
	class->ncq = ncq;
	class->ncq_reason = reason;
}

/* Host or drive cannot. False if both can, as far as is known. */
static bool rule_ncq_unsupported(const struct disk_facts *facts, struct disk_class *class)
{
	uint64_t caps = 0;

	if (class->attachment == ATTACHMENT_ATA_IDE_MODE) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_IDE_MODE);
		REASON(class, TOPIC_NCQ, "the IDE interface takes one command at a time",
		       FACT_HOST_DRIVER, FACT_QUEUE_DEPTH, FACT_CAN_QUEUE);
	} else if (class->attachment == ATTACHMENT_EMULATED_IDE) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_EMULATED_IDE);
		REASON(class, TOPIC_NCQ,
		       "an emulated IDE function takes one command at a time",
		       FACT_HOST_DRIVER, FACT_QUEUE_DEPTH);
	} else if (class->attachment == ATTACHMENT_PATA) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_PATA);
		REASON(class, TOPIC_NCQ, "parallel ATA has no NCQ", FACT_HOST_DRIVER);
	} else if (facts_number(facts, FACT_AHCI_HOST_CAPS, &caps) &&
		   !(caps & AHCI_CAP_NCQ)) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_HOST_WITHOUT_NCQ);
		REASON(class, TOPIC_NCQ, "bit 30 of the host's capabilities is 0",
		       FACT_AHCI_HOST_CAPS);
	} else if (class->attachment == ATTACHMENT_SATA_NO_NCQ ||
		   facts_is_number(facts, FACT_CAN_QUEUE, 1)) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_DRIVER_WITHOUT_NCQ);
		REASON(class, TOPIC_NCQ, "the host's driver takes one command at a time",
		       FACT_CAN_QUEUE, FACT_HOST_DRIVER);
	} else if (facts_known(facts, FACT_ATA_ID_76) && !drive_has_ncq(facts)) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_DRIVE_WITHOUT_NCQ);
		REASON(class, TOPIC_NCQ, "bit 8 of the drive's IDENTIFY word 76 is 0",
		       FACT_ATA_ID_76);
	} else {
		return false;
	}
	return true;
}

static bool is_behind_multiplier(const struct disk_facts *facts)
{
	uint64_t links = 0;

	return facts_number(facts, FACT_NR_PMP_LINKS, &links) && links > 0;
}

/*
 * After repeated errors the kernel stops queuing, says so in its log and nowhere else:
 * queue_depth stays as it was (drivers/ata/libata-eh.c, ata_eh_speed_down()).
 */
static bool is_given_up(const struct disk_facts *facts)
{
	return facts_is_set(facts, FACT_LOG_NCQ_DISABLED);
}

static void rule_given_up(struct disk_class *class)
{
	set_ncq(class, NCQ_OFF, NCQ_REASON_EXCESSIVE_ERRORS);
	REASON(class, TOPIC_NCQ,
	       "the kernel's log says that NCQ was disabled due to excessive errors",
	       FACT_LOG_NCQ_DISABLED, FACT_KERNEL_LOG, FACT_QUEUE_DEPTH);
}

/*
 * The order is that in which one cause makes the next meaningless. A multiplier comes
 * first: sata_sil24 drops NCQ behind some, and behind a multiplier without NCQ it has to
 * be switched off by hand or on the command line.
 */
static void rule_ncq_off(const struct disk_facts *facts, struct disk_class *class)
{
	if (is_behind_multiplier(facts)) {
		set_ncq(class, NCQ_OFF, NCQ_REASON_PORT_MULTIPLIER);
		REASON(class, TOPIC_NCQ,
		       "a port multiplier stands between host and drive",
		       FACT_NR_PMP_LINKS, FACT_HOST_DRIVER, FACT_QUEUE_DEPTH);
	} else if (libata_force_noncq(facts)) {
		set_ncq(class, NCQ_OFF, NCQ_REASON_LIBATA_FORCE);
		REASON(class, TOPIC_NCQ,
		       "libata.force on the kernel command line says noncq",
		       FACT_LIBATA_FORCE, FACT_ATA_PORT_ID, FACT_QUEUE_DEPTH);
	} else if (facts_is_set(facts, FACT_NCQ_QUIRK)) {
		set_ncq(class, NCQ_OFF, NCQ_REASON_KERNEL_QUIRK);
		REASON(class, TOPIC_NCQ,
		       "the kernel does not use NCQ with this drive here",
		       FACT_NCQ_QUIRK, FACT_MODEL, FACT_PCI_VENDOR, FACT_QUEUE_DEPTH);
	} else if (is_given_up(facts)) {
		rule_given_up(class);
	} else {
		set_ncq(class, NCQ_OFF, NCQ_REASON_QUEUE_DEPTH_1);
		REASON(class, TOPIC_NCQ,
		       "drive and host could, but queue_depth is 1 and nothing else "
		       "explains it",
		       FACT_QUEUE_DEPTH, FACT_ATA_ID_76, FACT_CAN_QUEUE,
		       FACT_AHCI_HOST_CAPS);
	}
}

void rule_ncq(const struct disk_facts *facts, struct disk_class *class)
{
	bool translated = class->transport == TRANSPORT_SAS && is_sata_drive(facts);
	uint64_t depth = 0;

	if (facts_is_number(facts, FACT_SCSI_TYPE, 5) ||
	    (!facts_is_set(facts, FACT_LIBATA) && !translated)) {
		class->ncq = NCQ_NONE;
		return;
	}
	if (rule_ncq_unsupported(facts, class))
		return;
	if (!facts_number(facts, FACT_QUEUE_DEPTH, &depth)) {
		REASON(class, TOPIC_NCQ, "queue_depth is not known", FACT_QUEUE_DEPTH);
	} else if (depth > 1 && is_given_up(facts)) {
		rule_given_up(class);
	} else if (depth > 1) {
		set_ncq(class, NCQ_ON, NCQ_REASON_NONE);
		REASON(class, TOPIC_NCQ, "the drive takes more than one command",
		       FACT_QUEUE_DEPTH, FACT_ATA_ID_76, FACT_CAN_QUEUE);
	} else if (!facts_known(facts, FACT_ATA_ID_76)) {
		REASON(class, TOPIC_NCQ, "queue_depth is 1, and IDENTIFY is not known",
		       FACT_QUEUE_DEPTH);
	} else if (facts_is_clear(facts, FACT_QUEUE_DEPTH_WRITABLE)) {
		set_ncq(class, NCQ_UNSUPPORTED, NCQ_REASON_DRIVER_WITHOUT_NCQ);
		REASON(class, TOPIC_NCQ,
		       "queue_depth cannot be written: the driver has no NCQ",
		       FACT_QUEUE_DEPTH_WRITABLE, FACT_QUEUE_DEPTH);
	} else {
		rule_ncq_off(facts, class);
	}
}
