/* SPDX-License-Identifier: MIT */
/*
 * What the disk is made of, and whether what it says of itself can be true: bridges that
 * make things up, media that nobody knows, drives and cards that hide a property.
 */
#include "diagnose/internal.h"

#include <ctype.h>

#define SECTOR 512U
/*
 * Above this a capacity is made up. One USB enclosure: 1 PiB; the largest hard disks of
 * 2025 have 36 TB, so that would be 30 of them, while a bridge was seen to report 129 PB.
 * A RAID volume: 64 PiB; the largest controllers take 240 drives, 9 PB.
 */
#define USB_SECTORS_MAX ((UINT64_C(1) << 50) / SECTOR)
#define RAID_SECTORS_MAX ((UINT64_C(1) << 56) / SECTOR)
#define SERIAL_MIN 4U /* a shorter one of one character may be a number */

#define CLASS_A2 2U

static bool is_bridge(const struct subject *subject)
{
	return (subject->class->transport == TRANSPORT_USB ||
		subject->class->attachment == ATTACHMENT_RAID_VOLUME) &&
	       !is_no_real_disk(subject);
}

/* "0000000000", or any other character alone. */
static bool is_repeated(const char *serial)
{
	size_t len = strlen(serial);

	return len >= SERIAL_MIN && strspn(serial, (char[]){ serial[0], '\0' }) == len;
}

/* No maker's name begins with anything but a letter or a digit. */
static bool is_shifted(const char *vendor)
{
	return *vendor && !isalnum((unsigned char)*vendor);
}

static const char *const serial_remedy[] = {
	"leave it; name this disk by the UUID of its file system, not by its serial "
	"number "
	"(/dev/disk/by-id)",
	NULL,
};

static void check_strings(const struct subject *subject, struct finding *finding)
{
	bool serial = is_repeated(text_of(subject, FACT_SERIAL));
	bool vendor = is_shifted(text_of(subject, FACT_SCSI_VENDOR));

	if (subject->class->transport != TRANSPORT_USB)
		return;
	if (serial && vendor) {
		found(finding, SEVERITY_ERROR, CONFIDENCE_MEDIUM,
		      "the bridge reports a vendor that is none (\"%.16s\") and a serial "
		      "number of one repeated character: what else it says may be made "
		      "up",
		      text_of(subject, FACT_SCSI_VENDOR));
	} else if (serial || vendor) {
		found(finding, SEVERITY_INFO, CONFIDENCE_LOW,
		      serial ? "the bridge reports a serial number of one repeated "
			       "character: other devices may have the same"
			     : "the bridge reports a vendor that begins like none: its "
			       "strings may be shifted");
		finding->remedy = serial_remedy;
	}
}

static void check_implausible(const struct subject *subject, struct finding *finding)
{
	bool usb = subject->class->transport == TRANSPORT_USB;
	uint64_t sectors = number_of(subject, FACT_SIZE);
	uint64_t terabytes = sectors / (UINT64_C(1000000000000) / SECTOR);

	if (sectors <= (usb ? USB_SECTORS_MAX : RAID_SECTORS_MAX)) {
		check_strings(subject, finding);
		return;
	}
	found(finding, SEVERITY_ERROR, CONFIDENCE_HIGH,
	      "the %s reports a capacity of %" PRIu64
	      " TB, more than there is: it gives wrong answers, and none of them can be "
	      "trusted; writes may go where there is nothing",
	      usb ? "USB bridge" : "RAID controller", terabytes);
}

/*
 * Where the medium decides what engines and policies do. Sticks, cards, zoned and remote
 * disks are what they are whatever they are made of. In a guest the policy is the same
 * for all; but file systems and engines believe the rotational flag, which is a default
 * there, so it is said, as info. Of cloud volumes only if the flag misleads.
 */
static bool medium_matters(const struct subject *subject)
{
	switch (subject->class->class) {
	case CLASS_SATA_DISK:
	case CLASS_SATA_DISK_IDE:
	case CLASS_PATA_DISK:
	case CLASS_SAS_DISK:
	case CLASS_RAID_VOLUME:
	case CLASS_USB_DISK:
	case CLASS_VIRTUAL_DISK:
	case CLASS_UNKNOWN:
		return true;
	case CLASS_CLOUD_VOLUME:
		return facts_is_set(own(subject), FACT_ROTATIONAL);
	case CLASS_NVME_SSD:
	case CLASS_SATA_SSD:
	case CLASS_SATA_HDD:
	case CLASS_SATA_SSD_IDE:
	case CLASS_SATA_HDD_IDE:
	case CLASS_SAS_SSD:
	case CLASS_SAS_HDD:
	case CLASS_USB_SSD:
	case CLASS_USB_HDD:
	case CLASS_USB_FLASH:
	case CLASS_EMMC:
	case CLASS_SD_CARD:
	case CLASS_SAN_LUN:
	case CLASS_NETWORK_DISK:
	case CLASS_ZONED_HDD:
	case CLASS_STACKED:
	case CLASS_MEMORY:
	case CLASS_OPTICAL:
	case _CLASS_MAX:
		break;
	}
	return false;
}

static const char *const guest_remedy[] = {
	"leave it if nothing here chooses by the rotational flag",
	"else on the host: rotation_rate=1 (QEMU scsi-hd, ide-hd; libvirt <target "
	"rotation_rate='1'/>) for flash",
	"or tell the consumer itself (Ceph: device class; btrfs: ssd or nossd)",
	NULL,
};

/* The reason that classification gave for the medium. */
static const char *medium_reason(const struct disk_class *class)
{
	for (size_t i = 0; i < class->n_reasons; i++) {
		if (class->reasons[i].topic == TOPIC_MEDIUM)
			return class->reasons[i].text;
	}
	return "no fact tells";
}

static void check_medium(const struct subject *subject, struct finding *finding)
{
	bool rotational = facts_is_set(own(subject), FACT_ROTATIONAL);
	enum class class = subject->class->class;

	if (subject->class->medium != MEDIUM_UNKNOWN || !medium_matters(subject))
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "flash or rotating, nothing tells: %s. Its flag says rotational=%d, and is "
	      "not "
	      "believed",
	      medium_reason(subject->class), rotational);
	if (class == CLASS_VIRTUAL_DISK || class == CLASS_CLOUD_VOLUME)
		finding->remedy = guest_remedy;
}

static bool may_be_shingled(const struct subject *subject)
{
	return is_single_disk(subject) && subject->class->medium != MEDIUM_FLASH &&
	       subject->class->class != CLASS_ZONED_HDD &&
	       subject->class->class != CLASS_VIRTUAL_DISK;
}

static void check_smr(const struct subject *subject, struct finding *finding)
{
	if (!facts_is_set(own(subject), FACT_SMR) ||
	    strcmp(text_of(subject, FACT_ZONED), "none") != 0)
		return;
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
	      "%.40s is shingled (drive-managed SMR) and hides it: once its cache is "
	      "full, "
	      "writes at random stall for seconds",
	      text_of(subject, FACT_MODEL));
}

static bool is_sd_card(const struct subject *subject)
{
	return subject->class->attachment == ATTACHMENT_SD && !is_no_real_disk(subject);
}

static void check_sd(const struct subject *subject, struct finding *finding)
{
	if (number_of(subject, FACT_SD_APP_CLASS) < CLASS_A2 ||
	    facts_is_set(own(subject), FACT_MMC_CMDQ))
		return;
	found(finding, SEVERITY_INFO,
	      facts_known(own(subject), FACT_MMC_CMDQ) ? CONFIDENCE_HIGH
						       : CONFIDENCE_MEDIUM,
	      "the card is of class A%" PRIu64
	      ", whose rate of small reads and writes needs "
	      "a command queue, and the host does not use one",
	      number_of(subject, FACT_SD_APP_CLASS));
}

static const struct check list[] = {
	{
		.id = FINDING_BRIDGE_IMPLAUSIBLE,
		.scope = SCOPE_DISK,
		.applies = is_bridge,
		.requires = FACTS(FACT_SIZE),
		.run = check_implausible,
		.evidence = FACTS(FACT_SIZE, FACT_SCSI_VENDOR, FACT_SCSI_MODEL,
				  FACT_USB_VENDOR, FACT_USB_PRODUCT, FACT_PROC_NAME,
				  FACT_LOG_USB_QUIRK),
		.cost = "data: what is written may be lost",
		.remedy =
			STEPS("do not write to it, and do not tune it",
			      "another port, cable and bridge; then compare the capacity "
			      "with the drive's label"),
	},
	{
		.id = FINDING_MEDIUM_UNKNOWN,
		.scope = SCOPE_DISK,
		.applies = is_single_disk,
		.requires = FACTS(FACT_ROTATIONAL),
		.run = check_medium,
		.evidence = FACTS(FACT_ROTATIONAL, FACT_MODEL, FACT_SCSI_VENDOR,
				  FACT_PROC_NAME, FACT_ATA_ID_217, FACT_USB_DRIVER,
				  FACT_VIRTIO_DRIVER, FACT_HYPERVISOR),
		.cost = "consumers that believe the flag choose settings for the wrong "
			"medium (Ceph, ZFS, btrfs, Lucene ask it once and remember)",
		.remedy =
			STEPS("if you know it, say so: a file in "
			      "/etc/blkadvise/quirks.d with Fact.medium_rotation_rate=1 "
			      "for flash, or a rate such as 7200 "
			      "(blkadvise.quirks(5))"),
	},
	{
		.id = FINDING_SMR_DRIVE,
		.scope = SCOPE_DISK,
		.applies = may_be_shingled,
		.requires = FACTS(FACT_MODEL, FACT_ZONED),
		.run = check_smr,
		.evidence = FACTS(FACT_MODEL, FACT_SMR, FACT_ZONED),
		.cost = "one mirror of such drives resilvered at 7.9 MB/s",
		.remedy = STEPS(
			"no engine that writes at random on it, and no member of an "
			"array: sequential writes, backups and archives",
			"NCQ and the scheduler are not to blame: leave them"),
	},
	{
		.id = FINDING_SD_NO_COMMAND_QUEUE,
		.scope = SCOPE_DISK,
		.applies = is_sd_card,
		.requires = FACTS(FACT_SD_APP_CLASS),
		.run = check_sd,
		.evidence = FACTS(FACT_SD_APP_CLASS, FACT_MMC_CMDQ, FACT_MMC_TYPE,
				  FACT_MODEL),
		.cost = "on one board the queue gave 2.5 times the random reads of 4 KiB "
			"and 4 times the writes",
		.remedy =
			STEPS("Raspberry Pi 5: dtparam=sd_cqe in config.txt; other hosts "
			      "and kernels may have none, then leave it"),
	},
};

const struct checks medium_checks = { list, ARRAY_SIZE(list) };
