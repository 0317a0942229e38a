/* SPDX-License-Identifier: MIT */
/*
 * The size of one transfer. A limit below the hardware's is a finding on every disk:
 * somebody lowered it, or sd.c took it from the drive's OPTIMAL TRANSFER LENGTH, as older
 * kernels do (drivers/scsi/sd.c, sd_revalidate_disk(), rw_max). One of the hardware's is
 * only where pieces are not in flight together, or each costs a seek or a round trip.
 * NVMe drives and virtual disks of 128 KiB, and USB 2 bridges of 120 KiB
 * (drivers/usb/storage/scsiglue.c), lose nothing that can be measured.
 */
#include "diagnose/internal.h"

#define SMALL_KB 128U
#define VERY_SMALL_KB 64U
#define DEFAULT_KB 1280U /* BLK_DEF_MAX_SECTORS of most kernels */
#define USB_SUPER_SPEED_MBPS 5000U

/*
 * A stack has the least of its leaves, which have findings of their own. nbd's driver
 * itself asks for 128 (drivers/block/nbd.c).
 */
static bool is_disk(const struct subject *subject)
{
	return is_single_disk(subject) && subject->class->transport != TRANSPORT_NBD;
}

/* The largest limit of the hardware that hurts this disk; 0: any is good enough. */
static uint64_t smallest_good_kb(const struct subject *subject)
{
	uint64_t speed = 0;

	switch (subject->class->class) {
	case CLASS_SATA_HDD:
	case CLASS_SAS_HDD:
	case CLASS_RAID_VOLUME:
	case CLASS_SAN_LUN:
	case CLASS_NETWORK_DISK:
		return SMALL_KB;
	case CLASS_USB_SSD:
	case CLASS_USB_HDD:
	case CLASS_USB_DISK:
	case CLASS_USB_FLASH:
		return facts_number(own(subject), FACT_USB_SPEED, &speed) &&
				       speed >= USB_SUPER_SPEED_MBPS ?
			       SMALL_KB :
			       0;
	case CLASS_SATA_SSD:
	case CLASS_SATA_DISK:
	case CLASS_SAS_SSD:
	case CLASS_SAS_DISK:
	case CLASS_NVME_SSD:
		return VERY_SMALL_KB;
	case CLASS_UNKNOWN:
	case CLASS_SATA_SSD_IDE:
	case CLASS_SATA_HDD_IDE:
	case CLASS_SATA_DISK_IDE:
	case CLASS_PATA_DISK:
	case CLASS_EMMC:
	case CLASS_SD_CARD:
	case CLASS_VIRTUAL_DISK:
	case CLASS_CLOUD_VOLUME:
	case CLASS_ZONED_HDD:
	case CLASS_STACKED:
	case CLASS_MEMORY:
	case CLASS_OPTICAL:
	case _CLASS_MAX:
		break;
	}
	return 0;
}

#define IF_REFUSED \
	"if the kernel refuses, the drive itself names the lower limit (VPD page 0xB0)"
#define LEAVE_IT \
	"leave it if it was lowered for latency, or for a drive that dislikes large " \
	"writes"

static const char *const raise_to_hw[] = {
	"echo {max_hw_sectors_kb} > /sys/block/{name}/queue/max_sectors_kb",
	IF_REFUSED,
	LEAVE_IT,
	NULL,
};

static const char *const raise_to_default[] = {
	"echo 1280 > /sys/block/{name}/queue/max_sectors_kb   # the kernel's own "
	"default; 4096 on newer kernels",
	IF_REFUSED,
	LEAVE_IT,
	NULL,
};

static const char *const live_with_it[] = {
	"nothing to raise: it is the limit of the hardware or its driver",
	"read in pieces of {max_hw_sectors_kb} KiB, several in flight",
	NULL,
};

static const char *const drives_own[] = {
	"leave it: the drive says that it prefers pieces of this size",
	"echo 1280 > /sys/block/{name}/queue/max_sectors_kb   # if you know better, "
	"and measure; the kernel may refuse",
	NULL,
};

/* The kernel took it from the drive, and nobody lowered it. */
static bool is_drives_own(const struct subject *subject, uint64_t limit)
{
	return limit <= UINT32_MAX &&
	       facts_is_number(own(subject), FACT_OPTIMAL_IO_SIZE, limit * 1024);
}

static void check_transfer(const struct subject *subject, struct finding *finding)
{
	uint64_t limit = number_of(subject, FACT_MAX_SECTORS_KB);
	uint64_t hw = number_of(subject, FACT_MAX_HW_SECTORS_KB);

	if (limit == 0 || hw == 0 || is_wished(subject, TUNABLE_MAX_SECTORS_KB))
		return;
	if (limit <= SMALL_KB && hw / 2 >= limit && is_drives_own(subject, limit)) {
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "max_sectors_kb is %" PRIu64
		      ", which the kernel took from the drive's own optimal_io_size: "
		      "larger reads are cut into pieces",
		      limit);
		finding->remedy = drives_own;
		add_evidence(finding, own(subject), FACT_OPTIMAL_IO_SIZE);
	} else if (limit <= SMALL_KB && hw / 2 >= limit) {
		found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
		      "max_sectors_kb is %" PRIu64 ", and the hardware takes %" PRIu64
		      ": larger reads are cut into pieces",
		      limit, hw);
		finding->remedy = hw < DEFAULT_KB ? raise_to_hw : raise_to_default;
	} else if (hw <= smallest_good_kb(subject)) {
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "max_hw_sectors_kb is %" PRIu64
		      ", the limit of the hardware: larger reads are cut into pieces",
		      hw);
		finding->remedy = live_with_it;
	}
}

static const struct check list[] = {
	{
		.id = FINDING_TRANSFER_SIZE_SMALL,
		.scope = SCOPE_DISK,
		.applies = is_disk,
		.requires = FACTS(FACT_MAX_SECTORS_KB, FACT_MAX_HW_SECTORS_KB),
		.run = check_transfer,
		.evidence = FACTS(FACT_MAX_SECTORS_KB, FACT_MAX_HW_SECTORS_KB,
				  FACT_USB_SPEED),
	},
};

const struct checks transfer_checks = { list, ARRAY_SIZE(list) };
