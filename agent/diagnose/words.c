/* SPDX-License-Identifier: MIT */
/*
 * The words of findings for people, records and JSON. The ids are frozen.
 */
#include "base/cleanup.h"
#include "diagnose/check.h"

static const char *const finding_id_words[] = {
	[FINDING_ATA_IDE_MODE] = "ata-ide-mode",
	[FINDING_SATA_NO_NCQ] = "sata-no-ncq",
	[FINDING_RAID_CLASS_AHCI] = "raid-class-ahci",
	[FINDING_EMULATED_IDE] = "emulated-ide",
	[FINDING_NCQ_OFF] = "ncq-off",
	[FINDING_NCQ_BAD_PAIR] = "ncq-bad-pair",
	[FINDING_NCQ_QUEUE_FAULT] = "ncq-queue-fault",
	[FINDING_SATA_LINK_FAULT] = "sata-link-fault",
	[FINDING_SATA_LINK_SLOW] = "sata-link-slow",
	[FINDING_SATA_PORT_LIMIT] = "sata-port-limit",
	[FINDING_UDMA_SLOW] = "udma-slow",
	[FINDING_LINK_POWER_RISK] = "link-power-risk",
	[FINDING_PORT_MULTIPLIER] = "port-multiplier",
	[FINDING_PCIE_LINK_DEGRADED] = "pcie-link-degraded",
	[FINDING_PCIE_SLOT_LIMIT] = "pcie-slot-limit",
	[FINDING_NVME_REMAPPED] = "nvme-remapped",
	[FINDING_VMD] = "vmd",
	[FINDING_USB_SLOW_MODE] = "usb-slow-mode",
	[FINDING_USB_QUIRK_COST] = "usb-quirk-cost",
	[FINDING_BRIDGE_IMPLAUSIBLE] = "bridge-implausible",
	[FINDING_MEDIUM_UNKNOWN] = "medium-unknown",
	[FINDING_SMR_DRIVE] = "smr-drive",
	[FINDING_SD_NO_COMMAND_QUEUE] = "sd-no-command-queue",
	[FINDING_READAHEAD_FROM_IO_OPT] = "readahead-from-io-opt",
	[FINDING_IO_OPT_BOGUS] = "io-opt-bogus",
	[FINDING_READAHEAD_FALSE_ROTATIONAL] = "readahead-false-rotational",
	[FINDING_READAHEAD_NOT_ON_TOP] = "readahead-not-on-top",
	[FINDING_READAHEAD_UNFIT] = "readahead-unfit",
	[FINDING_READAHEAD_BELOW_STRIPE] = "readahead-below-stripe",
	[FINDING_TRANSFER_SIZE_SMALL] = "transfer-size-small",
	[FINDING_SCHEDULER_UNFIT] = "scheduler-unfit",
	[FINDING_ZONED_SCHEDULER] = "zoned-scheduler",
	[FINDING_ELEVATOR_IGNORED] = "elevator-ignored",
	[FINDING_SETTING_DRIFTED] = "setting-drifted",
	[FINDING_RIVAL_WRITER] = "rival-writer",
	[FINDING_MIXED_STACK] = "mixed-stack",
	[FINDING_UNEQUAL_MEMBERS] = "unequal-members",
	[FINDING_ISCSI_DEPTH_ONE] = "iscsi-depth-one",
	[FINDING_SAN_DEPTH] = "san-depth",
	[FINDING_EMULATED_HBA] = "emulated-hba",
	[FINDING_SINGLE_QUEUE] = "single-queue",
	[FINDING_CLOUD_LIMITS] = "cloud-limits",
};

static const char *const severity_words[] = {
	[SEVERITY_INFO] = "info",
	[SEVERITY_WARN] = "warn",
	[SEVERITY_ERROR] = "error",
};

static const char *const confidence_words[] = {
	[CONFIDENCE_LOW] = "low",
	[CONFIDENCE_MEDIUM] = "medium",
	[CONFIDENCE_HIGH] = "high",
};

static const char *const check_result_words[] = {
	[CHECK_NOT_APPLICABLE] = "not-applicable",
	[CHECK_OK] = "ok",
	[CHECK_FOUND] = "found",
	[CHECK_UNKNOWN] = "could-not-check",
};

DEFINE_WORDS(finding_id, enum finding_id)
DEFINE_WORDS(severity, enum severity)
DEFINE_WORDS(confidence, enum confidence)
DEFINE_WORDS(check_result, enum check_result)
