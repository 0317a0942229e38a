/* SPDX-License-Identifier: MIT */
/*
 * What a disk is, in one word each: transport, medium, attachment, class, NCQ state.
 * Pure: facts in, words and reasons out. docs/record.md explains every word.
 */
#pragma once

#include "facts/disk.h"

enum transport {
	TRANSPORT_UNKNOWN,
	TRANSPORT_SATA,
	TRANSPORT_ATA,
	TRANSPORT_SAS,
	TRANSPORT_SCSI, /* parallel SCSI, RAID controllers, emulated hosts */
	TRANSPORT_FC,
	TRANSPORT_ISCSI,
	TRANSPORT_USB,
	TRANSPORT_NVME,
	TRANSPORT_VIRTIO,
	TRANSPORT_MMC,
	TRANSPORT_XEN,
	TRANSPORT_HYPERV,
	TRANSPORT_NBD,
	TRANSPORT_RBD,
	TRANSPORT_DRBD,
	TRANSPORT_PMEM,
	TRANSPORT_LOOP,
	TRANSPORT_RAM,
	TRANSPORT_ZRAM,
	TRANSPORT_DM,
	TRANSPORT_MD,
	TRANSPORT_BCACHE,
	_TRANSPORT_MAX,
};

enum medium {
	MEDIUM_UNKNOWN,
	MEDIUM_ROTATIONAL,
	MEDIUM_FLASH,
	MEDIUM_MEMORY,
	_MEDIUM_MAX,
};

enum attachment {
	ATTACHMENT_UNKNOWN,
	ATTACHMENT_AHCI,
	ATTACHMENT_ATA_IDE_MODE, /* a SATA drive behind an IDE-mode function */
	ATTACHMENT_PATA,
	ATTACHMENT_SATA_NO_NCQ, /* a native SATA host whose driver has no NCQ */
	ATTACHMENT_HBA,
	ATTACHMENT_RAID_VOLUME,
	ATTACHMENT_NVME_PCIE,
	ATTACHMENT_NVME_PLATFORM,
	ATTACHMENT_NVME_FABRICS,
	ATTACHMENT_USB_BOT,
	ATTACHMENT_USB_UAS,
	ATTACHMENT_EMMC,
	ATTACHMENT_SD,
	ATTACHMENT_PARAVIRTUAL,
	ATTACHMENT_EMULATED_IDE,
	ATTACHMENT_EMULATED_AHCI,
	ATTACHMENT_NETWORK,
	ATTACHMENT_STACKED,
	ATTACHMENT_MEMORY,
	_ATTACHMENT_MAX,
};

enum class {
	CLASS_UNKNOWN,
	CLASS_NVME_SSD,
	CLASS_SATA_SSD,
	CLASS_SATA_HDD,
	CLASS_SATA_DISK,
	CLASS_SATA_SSD_IDE,
	CLASS_SATA_HDD_IDE,
	CLASS_SATA_DISK_IDE,
	CLASS_PATA_DISK,
	CLASS_SAS_SSD,
	CLASS_SAS_HDD,
	CLASS_SAS_DISK,
	CLASS_RAID_VOLUME,
	CLASS_USB_SSD,
	CLASS_USB_HDD,
	CLASS_USB_DISK,
	CLASS_USB_FLASH,
	CLASS_EMMC,
	CLASS_SD_CARD,
	CLASS_VIRTUAL_DISK,
	CLASS_CLOUD_VOLUME,
	CLASS_SAN_LUN,
	CLASS_NETWORK_DISK,
	CLASS_ZONED_HDD,
	CLASS_STACKED,
	CLASS_MEMORY,
	CLASS_OPTICAL,
	_CLASS_MAX,
};

enum ncq {
	NCQ_UNKNOWN,
	NCQ_ON,
	NCQ_OFF, /* drive and host could */
	NCQ_UNSUPPORTED, /* drive or host cannot */
	NCQ_NONE, /* not an ATA disk */
	_NCQ_MAX,
};

enum ncq_reason {
	NCQ_REASON_NONE,
	NCQ_REASON_IDE_MODE,
	NCQ_REASON_EMULATED_IDE,
	NCQ_REASON_PATA,
	NCQ_REASON_DRIVER_WITHOUT_NCQ,
	NCQ_REASON_HOST_WITHOUT_NCQ,
	NCQ_REASON_DRIVE_WITHOUT_NCQ,
	NCQ_REASON_PORT_MULTIPLIER,
	NCQ_REASON_LIBATA_FORCE,
	NCQ_REASON_KERNEL_QUIRK,
	NCQ_REASON_EXCESSIVE_ERRORS, /* the kernel gave it up; only its log tells */
	NCQ_REASON_QUEUE_DEPTH_1, /* nothing explains it but a write to queue_depth */
	_NCQ_REASON_MAX,
};

enum topic {
	TOPIC_TRANSPORT,
	TOPIC_MEDIUM,
	TOPIC_ATTACHMENT,
	TOPIC_CLASS,
	TOPIC_NCQ,
	TOPIC_QUIRK,
	_TOPIC_MAX,
};

DECLARE_WORDS(transport, enum transport);
DECLARE_WORDS(medium, enum medium);
DECLARE_WORDS(attachment, enum attachment);
DECLARE_WORDS(class, enum class);
DECLARE_WORDS(ncq, enum ncq);
DECLARE_WORDS(ncq_reason, enum ncq_reason);
DECLARE_WORDS(topic, enum topic);

#define REASON_FACTS 4
#define REASONS_MAX 16

/* Why a word was chosen: a sentence, and the facts it stands on (_FACT_MAX ends). */
struct reason {
	enum topic topic;
	const char *text; /* static */
	enum fact facts[REASON_FACTS];
};

struct disk_class {
	enum transport transport;
	enum medium medium;
	enum attachment attachment;
	enum class class;
	enum ncq ncq;
	enum ncq_reason ncq_reason;
	bool confident; /* the class would stand up to a look at the hardware */
	bool remote; /* reads cross a network */
	struct reason reasons[REASONS_MAX];
	size_t n_reasons;
};

/*
 * Classifies @disk, whose facts have been corrected by the quirks. Never fails: what
 * the facts do not support is unknown, with the reason.
 */
void classify(const struct disk *disk, struct disk_class *ret);

/* As classify() for the facts of one disk that is no stack, or a stack's leaf. */
void classify_facts(const struct disk_facts *facts, struct disk_class *ret);

/* IDENTIFY word 76 says that the drive is SATA (neither 0 nor 0xffff). */
bool is_sata_drive(const struct disk_facts *facts);

/* A SATA drive whose word 76 says that it has NCQ. */
bool drive_has_ncq(const struct disk_facts *facts);

/*
 * What libata.force on the kernel command line says of this disk (ata_force_horkage() in
 * drivers/ata/libata-core.c): NCQ is switched off for it; and for every port.
 */
bool libata_force_noncq(const struct disk_facts *facts);
bool libata_force_noncq_everywhere(const struct disk_facts *facts);

/* The speed it allows this disk's link (ata_force_link_limits()), or 0 for any. */
uint64_t libata_force_mbps(const struct disk_facts *facts);
