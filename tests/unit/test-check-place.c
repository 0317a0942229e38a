/* SPDX-License-Identifier: MIT */
/*
 * Checks of where a disk stands: in a stack, across a network, in a guest.
 */
#include <string.h>

#include "check-rows.h"

#define NO_ATA \
	{ FACT_LIBATA, "?" }, { FACT_ATA_ID_217, "?" }, { FACT_ATA_ID_76, "?" }, \
	{ FACT_HOST_DRIVER, "?" }
#define SDB { FACT_NAME, "sdb" }
#define HDD { FACT_ROTATIONAL, "1" }, { FACT_ATA_ID_217, "7200" }
#define IDE \
	{ FACT_HOST_DRIVER, "ata_piix" }, { FACT_PCI_CLASS, "0x01018f" }, \
	{ FACT_AHCI_HOST_CAPS, "?" }, { FACT_CAN_QUEUE, "1" }, { FACT_QUEUE_DEPTH, "1" }
#define EBS { FACT_CLOUD_VOLUME, "1" }, { FACT_MODEL, "Amazon Elastic Block Store" }
#define SIZE(value) { FACT_SIZE, value }
#define STACK(kind, slaves) \
	{ FACT_STACK_KIND, kind }, { FACT_LIBATA, "?" }, { FACT_SLAVES, slaves }, \
	{ FACT_NAME, "stack0" }
#define MD(level, disks, slaves) \
	STACK("md", slaves), { FACT_MD_LEVEL, level }, { FACT_MD_RAID_DISKS, disks }

#define MIXED FINDING_MIXED_STACK
#define UNEQUAL FINDING_UNEQUAL_MEMBERS

static void lost_a_leaf(struct scene *scene)
{
	scene->disk.leaves_incomplete = true;
}

static const struct row stack_rows[] = {
	{ "an SSD and a rotating drive", MIXED, CHECK_FOUND, SEVERITY_INFO, { STACK("dm",
	  "sda sdb") }, "sda is sata-ssd, sdb is sata-hdd",
	  .leaves = { { { 0 } }, { SDB, HDD } }, .n_leaves = 2 },
	{ "a provider's volume and a local disk", MIXED, CHECK_FOUND, SEVERITY_INFO,
	  { STACK("md", "sda sdb") }, "cloud-volume",
	  .leaves = { { { 0 } }, { SDB, EBS } }, .n_leaves = 2 },
	{ "one of them in IDE mode", MIXED, CHECK_FOUND, SEVERITY_INFO, { STACK("dm",
	  "sda sdb") }, "sata-ssd-ide", .leaves = { { { 0 } }, { SDB, IDE } },
	  .n_leaves = 2 },
	{ "bcache over flash", MIXED, CHECK_FOUND, SEVERITY_INFO, { STACK("bcache",
	  "sda") }, "bcache over flash", .leaves = { { { 0 } } }, .n_leaves = 1 },
	{ "drbd", MIXED, CHECK_FOUND, SEVERITY_INFO, { STACK("drbd", "sda") },
	  "drbd over sda", .leaves = { { { 0 } } }, .n_leaves = 1 },
	{ "the third differs from the second", MIXED, CHECK_FOUND, SEVERITY_INFO,
	  { STACK("dm", "sda sdb sdc") }, "sdb is sata-ssd, sdc is sata-hdd",
	  .leaves = { { { FACT_ATA_ID_217, "0" } }, { SDB }, { { FACT_NAME, "sdc" },
	  HDD } }, .n_leaves = 3 },
	{ "bcache as it is meant", MIXED, CHECK_OK, 0, { STACK("bcache", "sda sdb") },
	  NULL, .leaves = { { { 0 } }, { SDB, HDD } }, .n_leaves = 2 },
	{ "two alike", MIXED, CHECK_OK, 0, { STACK("dm", "sda sdb") }, NULL,
	  .leaves = { { { 0 } }, { SDB } }, .n_leaves = 2 },
	{ "one", MIXED, CHECK_OK, 0, { STACK("dm", "sda2") }, NULL,
	  .leaves = { { { 0 } } }, .n_leaves = 1 },
	{ "one may be what the other is", MIXED, CHECK_OK, 0, { STACK("dm", "sda sdb") },
	  NULL, .leaves = { { { 0 } }, { SDB, { FACT_ATA_ID_217, "0" } } },
	  .n_leaves = 2 },
	{ "a leaf is missing", MIXED, CHECK_UNKNOWN, 0, { STACK("dm", "sda sdb") },
	  "not every", .leaves = { { { 0 } } }, .n_leaves = 1, .prepare = lost_a_leaf },
	{ "no leaf", MIXED, CHECK_UNKNOWN, 0, { STACK("dm", "sda") }, "no disk" },
	{ "bcache over who knows what", MIXED, CHECK_UNKNOWN, 0, { STACK("bcache",
	  "sda") }, "medium", .leaves = { { { FACT_ATA_ID_217, "0" } } }, .n_leaves = 1 },
	{ "a disk", MIXED, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL },
	{ "a loop device", MIXED, CHECK_NOT_APPLICABLE, 0, { STACK("loop",
	  "sda") }, NULL },

	{ "raid5 of an SSD and rotating drives", UNEQUAL, CHECK_FOUND, SEVERITY_WARN,
	  { MD("raid5", "3", "sda sdb sdc") }, "sda is sata-ssd",
	  .leaves = { { { 0 } }, { SDB, HDD }, { { FACT_NAME, "sdc" }, HDD } },
	  .n_leaves = 3 },
	{ "raid0 of an IDE-mode port and another", UNEQUAL, CHECK_FOUND, SEVERITY_WARN,
	  { MD("raid0", "2", "sda sdb") }, "sata-ssd-ide",
	  .leaves = { { { 0 } }, { SDB, IDE } }, .n_leaves = 2 },
	{ "raid0 of unequal volumes", UNEQUAL, CHECK_FOUND, SEVERITY_WARN, { MD("raid0",
	  "2", "nvme1n1 nvme2n1") }, "nvme2n1 and nvme1n1",
	  .leaves = { { EBS, { FACT_NAME, "nvme1n1" }, SIZE("1048576000") },
	  { EBS, { FACT_NAME, "nvme2n1" }, SIZE("195312500") } }, .n_leaves = 2 },
	{ "raid10 of unequal volumes", UNEQUAL, CHECK_FOUND, SEVERITY_WARN, { MD("raid10",
	  "2", "nvme1n1 nvme2n1") }, "differ in size",
	  .leaves = { { EBS, { FACT_NAME, "nvme1n1" }, SIZE("1048576000") },
	  { EBS, { FACT_NAME, "nvme2n1" }, SIZE("195312500") } }, .n_leaves = 2 },
	{ "raid5 of unequal drives", UNEQUAL, CHECK_FOUND, SEVERITY_INFO, { MD("raid5",
	  "2", "sda sdb") }, "not used",
	  .leaves = { { HDD, SIZE("7814037168") }, { SDB, HDD, SIZE("15628053168") } },
	  .n_leaves = 2 },
	{ "members that differ by little", UNEQUAL, CHECK_OK, 0, { MD("raid0", "2",
	  "sda sdb") }, NULL, .leaves = { { SIZE("1000215216") }, { SDB,
	  SIZE("976773168") } }, .n_leaves = 2 },
	{ "SAS and SATA, both rotating", UNEQUAL, CHECK_OK, 0, { MD("raid6", "2",
	  "sda sdb") }, NULL, .leaves = { { HDD, SIZE("7814037168") }, { NO_ATA, SDB,
	  { FACT_SCSI_TRANSPORT, "sas" }, { FACT_VPD_ROTATION, "7200" },
	  { FACT_ROTATIONAL, "1" }, SIZE("7814037168") } }, .n_leaves = 2 },
	{ "an SSD as the journal of rotating drives", UNEQUAL, CHECK_OK, 0, { MD("raid5",
	  "2", "sda sdb sdc") }, NULL, .leaves = { { SIZE("1000") }, { SDB, HDD,
	  SIZE("1000") }, { { FACT_NAME, "sdc" }, HDD, SIZE("1000") } },
	  .n_leaves = 3 },
	{ "a mirror of an SSD and a rotating drive", UNEQUAL, CHECK_OK, 0, { MD("raid1",
	  "2", "sda sdb") }, NULL, .leaves = { { { 0 } }, { SDB, HDD } },
	  .n_leaves = 2 },
	{ "one whose medium is not known", UNEQUAL, CHECK_OK, 0, { MD("raid0", "2",
	  "sda sdb") }, NULL, .leaves = { { SIZE("1000") }, { SDB, { FACT_ATA_ID_217,
	  "0" }, SIZE("1000") } }, .n_leaves = 2 },
	{ "partitions of unequal disks", UNEQUAL, CHECK_UNKNOWN, 0, { MD("raid0", "2",
	  "sda1 sdb1") }, "partitions", .leaves = { { SIZE("1000215216") }, { SDB,
	  SIZE("500118192") } }, .n_leaves = 2 },
	{ "a size that is not known", UNEQUAL, CHECK_UNKNOWN, 0, { MD("raid0", "2",
	  "sda sdb") }, "size of a member", .leaves = { { { 0 } }, { SDB } },
	  .n_leaves = 2 },
	{ "a member is missing", UNEQUAL, CHECK_UNKNOWN, 0, { MD("raid0", "2",
	  "sda sdb") }, "not every", .leaves = { { SIZE("1000") } }, .n_leaves = 1,
	  .prepare = lost_a_leaf },
	{ "dm has no members", UNEQUAL, CHECK_NOT_APPLICABLE, 0, { STACK("dm",
	  "sda sdb") }, NULL, .leaves = { { { 0 } }, { SDB, HDD } }, .n_leaves = 2 },
};

#define ISCSI FINDING_ISCSI_DEPTH_ONE
#define SAN FINDING_SAN_DEPTH
#define CLOUD FINDING_CLOUD_LIMITS
#define LUN(transport, depth) \
	NO_ATA, { FACT_SCSI_TRANSPORT, transport }, { FACT_QUEUE_DEPTH, depth }
#define GUEST { FACT_GUEST, "1" }

static const struct row remote_rows[] = {
	{ "iSCSI with a depth of 1", ISCSI, CHECK_FOUND, SEVERITY_WARN, { LUN("iscsi",
	  "1") }, "queue_depth 1" },
	{ "iSCSI with the usual depth", ISCSI, CHECK_OK, 0, { LUN("iscsi", "32") },
	  NULL },
	{ "iSCSI, depth unknown", ISCSI, CHECK_UNKNOWN, 0, { LUN("iscsi", "?") }, NULL },
	{ "a SATA disk with a depth of 1", ISCSI, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_QUEUE_DEPTH, "1" } }, NULL },

	{ "Fibre Channel with a depth of 4", SAN, CHECK_FOUND, SEVERITY_INFO, { LUN("fc",
	  "4") }, "queue_depth 4" },
	{ "Fibre Channel with the usual depth", SAN, CHECK_OK, 0, { LUN("fc", "32") },
	  NULL },
	{ "Fibre Channel, depth unknown", SAN, CHECK_UNKNOWN, 0, { LUN("fc", "?") },
	  NULL },
	{ "iSCSI is not asked", SAN, CHECK_NOT_APPLICABLE, 0, { LUN("iscsi", "4") },
	  NULL },

	{ "a provider's volume", CLOUD, CHECK_FOUND, SEVERITY_INFO, { NO_ATA, GUEST,
	  EBS }, "Amazon" },
	{ "a guest's disk that names no provider", CLOUD, CHECK_OK, 0, { NO_ATA, GUEST,
	  { FACT_MODEL, "Microsoft NVMe Direct Disk" } }, NULL },
	{ "a provider's volume by a quirk", CLOUD, CHECK_FOUND, SEVERITY_INFO, { NO_ATA,
	  GUEST, { FACT_CLOUD_VOLUME, "1" }, { FACT_MODEL, "?" } }, "by a quirk" },
	{ "a provider's volume without a name", CLOUD, CHECK_UNKNOWN, 0, { NO_ATA, GUEST,
	  EBS, { FACT_NAME, "?" } }, NULL },
	{ "a guest's disk without a model", CLOUD, CHECK_NOT_APPLICABLE, 0, { NO_ATA,
	  GUEST, { FACT_MODEL, "?" } }, NULL },
	{ "no guest", CLOUD, CHECK_NOT_APPLICABLE, 0, { { 0 } }, NULL },
};

#define HBA FINDING_EMULATED_HBA
#define QUEUE FINDING_SINGLE_QUEUE
#define VMWARE(driver) \
	NO_ATA, GUEST, { FACT_HYPERVISOR, "vmware" }, { FACT_HOST_DRIVER, driver }, \
	{ FACT_EMULATED, "1" }
#define VIRTIO(queues, cpus) \
	NO_ATA, { FACT_VIRTIO_DRIVER, "virtio_blk" }, { FACT_HW_QUEUES, queues }, \
	{ FACT_CPUS, cpus }

static void on_virtio(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_VIRTIO, "/sys/devices/virtio0");
}

static void on_nvme(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_NVME, "/sys/devices/nvme0");
}

static const struct row guest_rows[] = {
	{ "VMware's LSI Logic parallel", HBA, CHECK_FOUND, SEVERITY_WARN,
	  { VMWARE("mptspi") }, "mptspi" },
	{ "VMware's LSI Logic SAS", HBA, CHECK_FOUND, SEVERITY_WARN, { VMWARE("mptsas"),
	  { FACT_SCSI_TRANSPORT, "sas" } }, "mptsas" },
	{ "VMware's BusLogic", HBA, CHECK_FOUND, SEVERITY_WARN, { VMWARE("BusLogic") },
	  "BusLogic" },
	{ "pvscsi", HBA, CHECK_OK, 0, { VMWARE("vmw_pvscsi") }, NULL },
	{ "an adapter passed through", HBA, CHECK_OK, 0, { VMWARE("mptsas"),
	  { FACT_EMULATED, "?" }, { FACT_PCI_SUBSYSTEM_VENDOR, "0x1000" } }, NULL },
	{ "the same driver in another guest", HBA, CHECK_OK, 0, { VMWARE("mptspi"),
	  { FACT_HYPERVISOR, "virtualbox" } }, NULL },
	{ "hypervisor unknown", HBA, CHECK_UNKNOWN, 0, { VMWARE("mptspi"),
	  { FACT_HYPERVISOR, "?" } }, NULL },
	{ "no guest", HBA, CHECK_NOT_APPLICABLE, 0, { NO_ATA, { FACT_GUEST, "0" },
	  { FACT_HOST_DRIVER, "mptsas" } }, NULL },
	{ "a guest's SATA disk", HBA, CHECK_NOT_APPLICABLE, 0, { GUEST }, NULL },

	{ "one queue for 16 CPUs", QUEUE, CHECK_FOUND, SEVERITY_INFO, { VIRTIO("1",
	  "16") }, "16 CPUs", .prepare = on_virtio },
	{ "one queue of NVMe over a network", QUEUE, CHECK_FOUND, SEVERITY_INFO, { NO_ATA,
	  { FACT_NVME_TRANSPORT, "tcp" }, { FACT_HW_QUEUES, "1" }, { FACT_CPUS, "8" } },
	  "8 CPUs", .prepare = on_nvme },
	{ "one queue for two CPUs", QUEUE, CHECK_OK, 0, { VIRTIO("1", "2") }, NULL,
	  .prepare = on_virtio },
	{ "a queue for each CPU", QUEUE, CHECK_OK, 0, { VIRTIO("16", "16") }, NULL,
	  .prepare = on_virtio },
	{ "CPUs unknown", QUEUE, CHECK_UNKNOWN, 0, { VIRTIO("1", "?") }, NULL,
	  .prepare = on_virtio },
	{ "queues unknown", QUEUE, CHECK_UNKNOWN, 0, { VIRTIO("?", "8") }, NULL,
	  .prepare = on_virtio },
	{ "a SATA disk has one", QUEUE, CHECK_NOT_APPLICABLE, 0, { { FACT_CPUS, "16" } },
	  NULL },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(stack_rows, ARRAY_SIZE(stack_rows));
	run_rows(remote_rows, ARRAY_SIZE(remote_rows));
	run_rows(guest_rows, ARRAY_SIZE(guest_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(stack_rows, ARRAY_SIZE(stack_rows));
	run_properties(remote_rows, ARRAY_SIZE(remote_rows));
	run_properties(guest_rows, ARRAY_SIZE(guest_rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
