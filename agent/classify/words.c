/* SPDX-License-Identifier: MIT */
/*
 * The words for people, records and policy files. Frozen once released.
 */
#include "base/cleanup.h"
#include "classify/class.h"

static const char *const transport_words[] = {
	[TRANSPORT_UNKNOWN] = "unknown", [TRANSPORT_SATA] = "sata",
	[TRANSPORT_ATA] = "ata",	 [TRANSPORT_SAS] = "sas",
	[TRANSPORT_SCSI] = "scsi",	 [TRANSPORT_FC] = "fc",
	[TRANSPORT_ISCSI] = "iscsi",	 [TRANSPORT_USB] = "usb",
	[TRANSPORT_NVME] = "nvme",	 [TRANSPORT_VIRTIO] = "virtio",
	[TRANSPORT_MMC] = "mmc",	 [TRANSPORT_XEN] = "xen",
	[TRANSPORT_HYPERV] = "hyperv",	 [TRANSPORT_NBD] = "nbd",
	[TRANSPORT_RBD] = "rbd",	 [TRANSPORT_DRBD] = "drbd",
	[TRANSPORT_PMEM] = "pmem",	 [TRANSPORT_LOOP] = "loop",
	[TRANSPORT_RAM] = "ram",	 [TRANSPORT_ZRAM] = "zram",
	[TRANSPORT_DM] = "dm",		 [TRANSPORT_MD] = "md",
	[TRANSPORT_BCACHE] = "bcache",
};

static const char *const medium_words[] = {
	[MEDIUM_UNKNOWN] = "unknown",
	[MEDIUM_ROTATIONAL] = "rotational",
	[MEDIUM_FLASH] = "flash",
	[MEDIUM_MEMORY] = "memory",
};

static const char *const attachment_words[] = {
	[ATTACHMENT_UNKNOWN] = "unknown",
	[ATTACHMENT_AHCI] = "ahci",
	[ATTACHMENT_ATA_IDE_MODE] = "ata-ide-mode",
	[ATTACHMENT_PATA] = "pata",
	[ATTACHMENT_SATA_NO_NCQ] = "sata-no-ncq",
	[ATTACHMENT_HBA] = "hba",
	[ATTACHMENT_RAID_VOLUME] = "raid-volume",
	[ATTACHMENT_NVME_PCIE] = "nvme-pcie",
	[ATTACHMENT_NVME_PLATFORM] = "nvme-platform",
	[ATTACHMENT_NVME_FABRICS] = "nvme-fabrics",
	[ATTACHMENT_USB_BOT] = "usb-bot",
	[ATTACHMENT_USB_UAS] = "usb-uas",
	[ATTACHMENT_EMMC] = "emmc",
	[ATTACHMENT_SD] = "sd",
	[ATTACHMENT_PARAVIRTUAL] = "paravirtual",
	[ATTACHMENT_EMULATED_IDE] = "emulated-ide",
	[ATTACHMENT_EMULATED_AHCI] = "emulated-ahci",
	[ATTACHMENT_NETWORK] = "network",
	[ATTACHMENT_STACKED] = "stacked",
	[ATTACHMENT_MEMORY] = "memory",
};

static const char *const class_words[] = {
	[CLASS_UNKNOWN] = "unknown",
	[CLASS_NVME_SSD] = "nvme-ssd",
	[CLASS_SATA_SSD] = "sata-ssd",
	[CLASS_SATA_HDD] = "sata-hdd",
	[CLASS_SATA_DISK] = "sata-disk",
	[CLASS_SATA_SSD_IDE] = "sata-ssd-ide",
	[CLASS_SATA_HDD_IDE] = "sata-hdd-ide",
	[CLASS_SATA_DISK_IDE] = "sata-disk-ide",
	[CLASS_PATA_DISK] = "pata-disk",
	[CLASS_SAS_SSD] = "sas-ssd",
	[CLASS_SAS_HDD] = "sas-hdd",
	[CLASS_SAS_DISK] = "sas-disk",
	[CLASS_RAID_VOLUME] = "raid-volume",
	[CLASS_USB_SSD] = "usb-ssd",
	[CLASS_USB_HDD] = "usb-hdd",
	[CLASS_USB_DISK] = "usb-disk",
	[CLASS_USB_FLASH] = "usb-flash",
	[CLASS_EMMC] = "emmc",
	[CLASS_SD_CARD] = "sd-card",
	[CLASS_VIRTUAL_DISK] = "virtual-disk",
	[CLASS_CLOUD_VOLUME] = "cloud-volume",
	[CLASS_SAN_LUN] = "san-lun",
	[CLASS_NETWORK_DISK] = "network-disk",
	[CLASS_ZONED_HDD] = "zoned-hdd",
	[CLASS_STACKED] = "stacked",
	[CLASS_MEMORY] = "memory",
	[CLASS_OPTICAL] = "optical",
};

static const char *const ncq_words[] = {
	[NCQ_UNKNOWN] = "unknown",
	[NCQ_ON] = "on",
	[NCQ_OFF] = "off",
	[NCQ_UNSUPPORTED] = "unsupported",
	[NCQ_NONE] = "none",
};

static const char *const ncq_reason_words[] = {
	[NCQ_REASON_NONE] = "none",
	[NCQ_REASON_IDE_MODE] = "ide-mode",
	[NCQ_REASON_EMULATED_IDE] = "emulated-ide",
	[NCQ_REASON_PATA] = "pata",
	[NCQ_REASON_DRIVER_WITHOUT_NCQ] = "driver-without-ncq",
	[NCQ_REASON_HOST_WITHOUT_NCQ] = "host-without-ncq",
	[NCQ_REASON_DRIVE_WITHOUT_NCQ] = "drive-without-ncq",
	[NCQ_REASON_PORT_MULTIPLIER] = "port-multiplier",
	[NCQ_REASON_LIBATA_FORCE] = "libata-force",
	[NCQ_REASON_KERNEL_QUIRK] = "kernel-quirk",
	[NCQ_REASON_EXCESSIVE_ERRORS] = "excessive-errors",
	[NCQ_REASON_QUEUE_DEPTH_1] = "queue-depth-1",
};

static const char *const topic_words[] = {
	[TOPIC_TRANSPORT] = "transport", [TOPIC_MEDIUM] = "medium",
	[TOPIC_ATTACHMENT] = "attachment", [TOPIC_CLASS] = "class",
	[TOPIC_NCQ] = "ncq",		 [TOPIC_QUIRK] = "quirk",
};

DEFINE_WORDS(transport, enum transport)
DEFINE_WORDS(medium, enum medium)
DEFINE_WORDS(attachment, enum attachment)
DEFINE_WORDS(class, enum class)
DEFINE_WORDS(ncq, enum ncq)
DEFINE_WORDS(ncq_reason, enum ncq_reason)
DEFINE_WORDS(topic, enum topic)
