/* SPDX-License-Identifier: MIT */
/*
 * Flash or rotational. The queue's rotational flag is a claim that anybody can write,
 * and a driver's default where the device says nothing (sd and virtio_blk say 1, Xen
 * and nbd 0). What backs it: a nonzero IDENTIFY word 217 (1: not rotating, 0401h-FFFEh:
 * revolutions a minute), the same of VPD page 0xB1, a local NVMe namespace, an MMC card.
 */
#include "classify/rules.h"

static void set_medium(struct disk_class *class, enum medium medium, const char *text,
		       enum fact fact)
{
	class->medium = medium;
	REASON(class, TOPIC_MEDIUM, text, fact);
}

/* A rotation rate as ATA and SCSI define it. False if it says nothing. */
static bool rule_rate(const struct disk_facts *facts, struct disk_class *class,
		      enum fact fact)
{
	uint64_t rate = 0;

	if (!facts_number(facts, fact, &rate))
		return false;
	if (rate == 1)
		set_medium(class, MEDIUM_FLASH, "the drive says that nothing rotates",
			   fact);
	else if (rate >= 0x401 && rate <= 0xfffe)
		set_medium(class, MEDIUM_ROTATIONAL, "the drive says how fast it rotates",
			   fact);
	else
		return false;
	return true;
}

/* udev's ata_id asked the drive itself; it writes 0 for "nothing rotates". */
static bool rule_udev_rate(const struct disk_facts *facts, struct disk_class *class)
{
	uint64_t rate = 0;

	if (!facts_number(facts, FACT_ID_ROTATION, &rate))
		return false;
	if (rate == 0)
		set_medium(class, MEDIUM_FLASH,
			   "the drive told udev that nothing rotates", FACT_ID_ROTATION);
	else
		set_medium(class, MEDIUM_ROTATIONAL,
			   "the drive told udev how fast it rotates", FACT_ID_ROTATION);
	return true;
}

static void rule_nvme_medium(const struct disk_facts *facts, struct disk_class *class)
{
	if (class->attachment == ATTACHMENT_NVME_FABRICS ||
	    facts_is_set(facts, FACT_CLOUD_VOLUME))
		set_medium(class, MEDIUM_UNKNOWN,
			   "what stands behind the network does not show",
			   FACT_NVME_TRANSPORT);
	else if (facts_is_set(facts, FACT_ROTATIONAL))
		set_medium(class, MEDIUM_ROTATIONAL,
			   "a local NVMe namespace that says it rotates",
			   FACT_ROTATIONAL);
	else
		set_medium(class, MEDIUM_FLASH, "a local NVMe namespace",
			   FACT_NVME_TRANSPORT);
}

static const char *unbacked_text(const struct disk_class *class)
{
	switch (class->transport) {
	case TRANSPORT_SATA:
	case TRANSPORT_ATA:
		return "IDENTIFY word 217 says nothing, and the rotational flag is then "
		       "a default";
	case TRANSPORT_USB:
		return "behind a USB bridge the rotational flag is the driver's default";
	case TRANSPORT_VIRTIO:
	case TRANSPORT_XEN:
	case TRANSPORT_HYPERV:
		return "in a guest the rotational flag is the driver's default";
	case TRANSPORT_FC:
	case TRANSPORT_ISCSI:
	case TRANSPORT_NBD:
	case TRANSPORT_RBD:
	case TRANSPORT_DRBD:
		return "what stands behind the network does not show";
	case TRANSPORT_LOOP:
		return "it is what its backing file's disk is";
	case TRANSPORT_SAS:
		return "no VPD page 0xB1 to read (sysfs has it since about 6.0)";
	case TRANSPORT_SCSI:
		return "a controller's volume may be made of anything";
	case TRANSPORT_UNKNOWN:
	case TRANSPORT_NVME:
	case TRANSPORT_MMC:
	case TRANSPORT_PMEM:
	case TRANSPORT_RAM:
	case TRANSPORT_ZRAM:
	case TRANSPORT_DM:
	case TRANSPORT_MD:
	case TRANSPORT_BCACHE:
	case _TRANSPORT_MAX:
		break;
	}
	return "nothing backs the rotational flag";
}

void rule_medium(const struct disk_facts *facts, struct disk_class *class)
{
	if (class->attachment == ATTACHMENT_MEMORY) {
		set_medium(class, MEDIUM_MEMORY, "it is main memory", FACT_STACK_KIND);
	} else if (class->attachment == ATTACHMENT_STACKED) {
		class->medium = MEDIUM_UNKNOWN; /* its leaves will say */
	} else if (facts_is_number(facts, FACT_SCSI_TYPE, 5)) {
		set_medium(class, MEDIUM_UNKNOWN, "an optical drive's medium changes",
			   FACT_SCSI_TYPE);
	} else if (class->transport == TRANSPORT_NVME) {
		rule_nvme_medium(facts, class);
	} else if (class->transport == TRANSPORT_MMC) {
		set_medium(class, MEDIUM_FLASH, "MMC and SD cards are flash",
			   FACT_MMC_TYPE);
	} else if (rule_rate(facts, class, FACT_ATA_ID_217) ||
		   rule_rate(facts, class, FACT_VPD_ROTATION) ||
		   rule_udev_rate(facts, class)) {
		return;
	} else if (facts_is_set(facts, FACT_CLOUD_VOLUME)) {
		set_medium(class, MEDIUM_UNKNOWN,
			   "what stands behind the network does not show",
			   FACT_CLOUD_VOLUME);
	} else {
		set_medium(class, MEDIUM_UNKNOWN, unbacked_text(class), FACT_ROTATIONAL);
	}
}
