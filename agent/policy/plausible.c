/* SPDX-License-Identifier: MIT */
/*
 * Bounds of what a disk of a class can do: the line rate of its interface, and how fast
 * its medium answers one read. They are wide on purpose. A result beyond them is not a
 * good disk but another one: a cache answered, or the class is wrong. Classes behind
 * which anything may stand (a hypervisor, a network, a controller's cache) have none.
 */
#include "policy/advise.h"

#include <inttypes.h>
#include <stdio.h>

#define MARGIN_PERCENT 110
#define MB(n) ((n) * UINT64_C(1000000) / 1024) /* in KB */

/* 0: no bound. */
struct bound {
	uint64_t kbps; /* of all that the disk itself answers */
	const char *kbps_why;
	uint64_t iops_alone; /* random reads a second at depth 1 */
	uint32_t p50_us; /* of random reads, at least */
	const char *latency_why;
};

#define SATA .kbps = MB(600), .kbps_why = "6 Gbit/s in 8b/10b are 600 MB/s"
#define SAS .kbps = MB(4800), .kbps_why = "two ports of 22.5 Gbit/s"
#define USB .kbps = MB(2500), .kbps_why = "USB 3.2 has 20 Gbit/s"

/*
 * Half a turn at 15,000 a minute is 2 ms, without a seek: 500 reads a second. Writes go
 * into the drive's cache and have no such bound.
 */
#define ROTATES                                \
	.iops_alone = 1000, .p50_us = 500,     \
	.latency_why = "half a turn takes 2 ms at 15,000 a minute"

/* 4 KiB take 7 us on a SATA link, before the drive has done anything for them. */
#define FLASH                                     \
	.iops_alone = 100000, .p50_us = 10,       \
	.latency_why = "link, controller and flash need longer"

/*
 * Line rates: SATA 3.0; SAS-4; PCIe 6.0 x4 or 5.0 x8 (64 GT/s x 4); USB 3.2 Gen 2x2;
 * Ultra DMA 7 of CompactFlash; eMMC HS400 (JESD84-B51); SD UHS-III (sdcard.org, "Bus
 * Speed"; SD Express is NVMe). NVMe without flash: Optane P4800X, 9 us at the median and
 * 108.3K/s (anandtech.com/show/11209); its successor halves that.
 */
static const struct bound bounds[_CLASS_MAX] = {
	[CLASS_NVME_SSD] = { .kbps = MB(32000),
			     .kbps_why = "PCIe 6.0 x4 has 32 GB/s",
			     .iops_alone = 330000,
			     .p50_us = 3,
			     .latency_why = "no read comes back over PCIe faster" },
	[CLASS_SATA_SSD] = { SATA, FLASH },
	[CLASS_SATA_SSD_IDE] = { SATA, FLASH },
	[CLASS_SATA_HDD] = { SATA, ROTATES },
	[CLASS_SATA_HDD_IDE] = { SATA, ROTATES },
	[CLASS_SATA_DISK] = { SATA },
	[CLASS_SATA_DISK_IDE] = { SATA },
	[CLASS_PATA_DISK] = { .kbps = MB(167),
			      .kbps_why = "the fastest Ultra DMA mode has 167 MB/s" },
	[CLASS_SAS_SSD] = { SAS, FLASH },
	[CLASS_SAS_HDD] = { .kbps = MB(1200),
			    .kbps_why = "no head reads more than a part of 1.2 GB/s",
			    ROTATES },
	[CLASS_SAS_DISK] = { SAS },
	[CLASS_ZONED_HDD] = { .kbps = MB(1200),
			      .kbps_why = "no head reads more than a part of 1.2 GB/s",
			      ROTATES },
	[CLASS_USB_SSD] = { USB, FLASH },
	[CLASS_USB_HDD] = { USB, ROTATES },
	[CLASS_USB_DISK] = { USB },
	[CLASS_USB_FLASH] = { USB, FLASH },
	[CLASS_EMMC] = { .kbps = MB(400), .kbps_why = "HS400 has 400 MB/s", FLASH },
	[CLASS_SD_CARD] = { .kbps = MB(624), .kbps_why = "UHS-III has 624 MB/s", FLASH },
	/*
	 * virtual-disk, cloud-volume, san-lun, network-disk, raid-volume, stacked,
	 * memory, optical, unknown: none
	 */
};

/* Whether the disk answered each operation: the page cache can be faster. */
static bool is_disks_own(const struct point *point)
{
	return point->mode == IO_MODE_DIRECT || point->work == WORK_SEQUENTIAL_READ;
}

bool point_is_plausible(const struct point *point, const struct disk_class *class,
			char *buf, size_t size)
{
	const struct bound *bound = &bounds[class->class];
	uint64_t kbps = point_kbps(point), iops = point_iops(point);
	bool is_random = point->work == WORK_RANDOM_READ && point->mode == IO_MODE_DIRECT;
	const char *word = class_to_string(class->class);

	if (bound->kbps > 0 && is_disks_own(point) &&
	    kbps > bound->kbps * MARGIN_PERCENT / 100) {
		(void)snprintf(buf, size, "%" PRIu64 " MB/s is more than a %s can do: %s",
			       kbps * 1024 / 1000000, word, bound->kbps_why);
		return false;
	}
	if (bound->iops_alone > 0 && is_random && point->depth == 1 &&
	    iops > bound->iops_alone * MARGIN_PERCENT / 100) {
		(void)snprintf(buf, size,
			       "%" PRIu64
			       " reads/s one by one are more than a %s can do: %s",
			       iops, word, bound->latency_why);
		return false;
	}
	if (is_random && point->p50_us < bound->p50_us) {
		(void)snprintf(buf, size,
			       "half of the reads took at most %u us, less than a %s "
			       "needs: %s",
			       point->p50_us, word, bound->latency_why);
		return false;
	}
	return true;
}
