/* SPDX-License-Identifier: MIT */
/*
 * The class: one word that people and policy files use, from all that was found.
 */
#include "base/cleanup.h"
#include "classify/rules.h"

static enum class by_medium(enum medium medium, enum class flash, enum class rotational,
			    enum class unknown)
{
	switch (medium) {
	case MEDIUM_FLASH:
		return flash;
	case MEDIUM_ROTATIONAL:
		return rotational;
	case MEDIUM_UNKNOWN:
	case MEDIUM_MEMORY:
	case _MEDIUM_MAX:
		break;
	}
	return unknown;
}

/* Removable and without a word about its medium: a stick or a card reader. */
static bool is_stick(const struct disk_facts *facts, const struct disk_class *class)
{
	return class->attachment == ATTACHMENT_USB_BOT &&
	       class->medium == MEDIUM_UNKNOWN && facts_is_set(facts, FACT_REMOVABLE);
}

static enum class class_of_usb(const struct disk_facts *facts,
			       const struct disk_class *class)
{
	if (is_stick(facts, class))
		return CLASS_USB_FLASH;
	return by_medium(class->medium, CLASS_USB_SSD, CLASS_USB_HDD, CLASS_USB_DISK);
}

static enum class class_of_hba(const struct disk_facts *facts,
			       const struct disk_class *class)
{
	if (class->transport == TRANSPORT_FC || class->transport == TRANSPORT_ISCSI)
		return CLASS_SAN_LUN;
	if (class->transport == TRANSPORT_SATA || is_sata_drive(facts))
		return by_medium(class->medium, CLASS_SATA_SSD, CLASS_SATA_HDD,
				 CLASS_SATA_DISK);
	return by_medium(class->medium, CLASS_SAS_SSD, CLASS_SAS_HDD, CLASS_SAS_DISK);
}

static enum class class_of_network(const struct disk_class *class)
{
	return class->transport == TRANSPORT_ISCSI ? CLASS_SAN_LUN : CLASS_NETWORK_DISK;
}

static enum class class_of_attachment(const struct disk_facts *facts,
				      const struct disk_class *class)
{
	switch (class->attachment) {
	case ATTACHMENT_AHCI:
	case ATTACHMENT_SATA_NO_NCQ:
		return by_medium(class->medium, CLASS_SATA_SSD, CLASS_SATA_HDD,
				 CLASS_SATA_DISK);
	case ATTACHMENT_ATA_IDE_MODE:
		return by_medium(class->medium, CLASS_SATA_SSD_IDE, CLASS_SATA_HDD_IDE,
				 CLASS_SATA_DISK_IDE);
	case ATTACHMENT_PATA:
		return CLASS_PATA_DISK;
	case ATTACHMENT_HBA:
		return class_of_hba(facts, class);
	case ATTACHMENT_RAID_VOLUME:
		return CLASS_RAID_VOLUME;
	case ATTACHMENT_NVME_PCIE:
	case ATTACHMENT_NVME_PLATFORM:
		return CLASS_NVME_SSD;
	case ATTACHMENT_NVME_FABRICS:
		return CLASS_NETWORK_DISK;
	case ATTACHMENT_USB_BOT:
	case ATTACHMENT_USB_UAS:
		return class_of_usb(facts, class);
	case ATTACHMENT_EMMC:
		return CLASS_EMMC;
	case ATTACHMENT_SD:
		return CLASS_SD_CARD;
	case ATTACHMENT_PARAVIRTUAL:
	case ATTACHMENT_EMULATED_IDE:
	case ATTACHMENT_EMULATED_AHCI:
		return CLASS_VIRTUAL_DISK;
	case ATTACHMENT_NETWORK:
		return class_of_network(class);
	case ATTACHMENT_STACKED:
		return CLASS_STACKED;
	case ATTACHMENT_MEMORY:
		return CLASS_MEMORY;
	case ATTACHMENT_UNKNOWN:
	case _ATTACHMENT_MAX:
		break;
	}
	return CLASS_UNKNOWN;
}

static bool is_zoned(const struct disk_facts *facts)
{
	return facts_is_text(facts, FACT_ZONED, "host-managed") ||
	       facts_is_text(facts, FACT_ZONED, "host-aware");
}

static bool is_made_up_by_hypervisor(const struct disk_facts *facts,
				     const struct disk_class *class)
{
	return facts_is_set(facts, FACT_EMULATED) && class->transport != TRANSPORT_NVME &&
	       class->transport != TRANSPORT_MMC && !facts_is_clear(facts, FACT_GUEST);
}

void rule_class(const struct disk_facts *facts, struct disk_class *class)
{
	if (facts_is_number(facts, FACT_SCSI_TYPE, 5)) {
		class->class = CLASS_OPTICAL;
		REASON(class, TOPIC_CLASS,
		       "its SCSI device type is that of an optical drive",
		       FACT_SCSI_TYPE);
	} else if (facts_is_set(facts, FACT_CLOUD_VOLUME)) {
		class->class = CLASS_CLOUD_VOLUME;
		REASON(class, TOPIC_CLASS, "its model is a cloud provider's volume",
		       FACT_MODEL, FACT_SCSI_VENDOR);
	} else if (is_made_up_by_hypervisor(facts, class)) {
		class->class = CLASS_VIRTUAL_DISK;
		REASON(class, TOPIC_CLASS, "its model is a hypervisor's", FACT_MODEL,
		       FACT_SCSI_VENDOR);
	} else if (is_zoned(facts) && class->medium != MEDIUM_FLASH &&
		   class->attachment != ATTACHMENT_STACKED) {
		class->class = CLASS_ZONED_HDD;
		REASON(class, TOPIC_CLASS, "it has zones that are written in order",
		       FACT_ZONED);
	} else {
		class->class = class_of_attachment(facts, class);
		REASON(class, TOPIC_CLASS, "from its attachment and medium");
	}
	if (class->class == CLASS_UNKNOWN)
		class->confident = false;
}
