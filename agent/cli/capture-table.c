/* SPDX-License-Identifier: MIT */
/*
 * The attributes that a capture holds. This is a whitelist: reading an attribute can
 * wake a device or worse, so nothing is read because it is there. What the probers of
 * facts/ read must be here, and what a person needs to understand a strange machine;
 * values that change by themselves are not, so that two captures can be compared.
 */
#include <string.h>

#include "cli/capture.h"

/* Besides these: all of queue/, mq/N/nr_tags, slaves/ and holders/ (capture-read.c). */
static const struct attribute block_attributes[] = {
	{ "alignment_offset", FIELD_PLAIN, 0 },
	{ "ana_state", FIELD_PLAIN, 0 },
	{ "bcache", FIELD_PLAIN, ATTRIBUTE_LINK },
	{ "bcache/cache_mode", FIELD_PLAIN, 0 },
	{ "bcache/dev", FIELD_PLAIN, ATTRIBUTE_LINK },
	{ "bcache/running", FIELD_PLAIN, 0 },
	{ "bcache/sequential_cutoff", FIELD_PLAIN, 0 },
	{ "bcache/state", FIELD_PLAIN, 0 },
	{ "cache_type", FIELD_PLAIN, 0 },
	{ "capability", FIELD_PLAIN, 0 },
	{ "comp_algorithm", FIELD_PLAIN, 0 },
	{ "csi", FIELD_PLAIN, 0 },
	{ "dev", FIELD_PLAIN, 0 },
	{ "device", FIELD_PLAIN, ATTRIBUTE_LINK },
	{ "discard_alignment", FIELD_PLAIN, 0 },
	{ "diskseq", FIELD_PLAIN, 0 },
	{ "disksize", FIELD_PLAIN, 0 },
	{ "dm/name", FIELD_NAME, 0 },
	{ "dm/rq_based_seq_io_merge_deadline", FIELD_PLAIN, 0 },
	{ "dm/suspended", FIELD_PLAIN, 0 },
	{ "dm/use_blk_mq", FIELD_PLAIN, 0 },
	{ "dm/uuid", FIELD_DM_UUID, 0 },
	{ "eui", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "events", FIELD_PLAIN, 0 },
	{ "events_async", FIELD_PLAIN, 0 },
	{ "events_poll_msecs", FIELD_PLAIN, 0 },
	{ "ext_range", FIELD_PLAIN, 0 },
	{ "force_ro", FIELD_PLAIN, 0 },
	{ "hidden", FIELD_PLAIN, 0 },
	{ "initstate", FIELD_PLAIN, 0 },
	{ "loop/autoclear", FIELD_PLAIN, 0 },
	{ "loop/backing_file", FIELD_NAME, 0 },
	{ "loop/dio", FIELD_PLAIN, 0 },
	{ "loop/offset", FIELD_PLAIN, 0 },
	{ "loop/partscan", FIELD_PLAIN, 0 },
	{ "loop/sizelimit", FIELD_PLAIN, 0 },
	{ "md/array_state", FIELD_PLAIN, 0 },
	{ "md/chunk_size", FIELD_PLAIN, 0 },
	{ "md/degraded", FIELD_PLAIN, 0 },
	{ "md/layout", FIELD_PLAIN, 0 },
	{ "md/level", FIELD_PLAIN, 0 },
	{ "md/metadata_version", FIELD_PLAIN, 0 },
	{ "md/raid_disks", FIELD_PLAIN, 0 },
	{ "md/uuid", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "metadata_bytes", FIELD_PLAIN, 0 },
	{ "nguid", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "nsid", FIELD_PLAIN, 0 },
	{ "partition", FIELD_PLAIN, 0 },
	{ "partscan", FIELD_PLAIN, 0 },
	{ "passthru_err_log_enabled", FIELD_PLAIN, 0 },
	{ "range", FIELD_PLAIN, 0 },
	{ "removable", FIELD_PLAIN, 0 },
	{ "ro", FIELD_PLAIN, 0 },
	{ "serial", FIELD_SERIAL, 0 },
	{ "size", FIELD_PLAIN, 0 },
	{ "start", FIELD_PLAIN, 0 },
	{ "uuid", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "wwid", FIELD_WWN, 0 },
};

/* Hosts, targets and devices alike. */
static const struct attribute scsi_attributes[] = {
	{ "access_state", FIELD_PLAIN, 0 },
	{ "device_blocked", FIELD_PLAIN, 0 },
	{ "dh_state", FIELD_PLAIN, 0 },
	{ "eh_timeout", FIELD_PLAIN, 0 },
	{ "hp_ssd_smart_path_enabled", FIELD_PLAIN, 0 },
	{ "max_sectors", FIELD_PLAIN, 0 },
	{ "modalias", FIELD_PLAIN, 0 },
	{ "model", FIELD_PUBLIC, 0 },
	{ "ncq_prio_enable", FIELD_PLAIN, ATTRIBUTE_PRESENCE },
	{ "ncq_prio_supported", FIELD_PLAIN, 0 },
	{ "preferred_path", FIELD_PLAIN, 0 },
	{ "queue_depth", FIELD_PLAIN, ATTRIBUTE_MODE },
	{ "queue_ramp_up_period", FIELD_PLAIN, 0 },
	{ "queue_type", FIELD_PLAIN, 0 },
	{ "raid_level", FIELD_PLAIN, 0 },
	{ "rev", FIELD_PUBLIC, 0 },
	{ "sas_address", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "sas_ncq_prio_enable", FIELD_PLAIN, 0 },
	{ "scsi_level", FIELD_PLAIN, 0 },
	{ "ssd_smart_path_enabled", FIELD_PLAIN, 0 },
	{ "state", FIELD_PLAIN, 0 },
	{ "timeout", FIELD_PLAIN, 0 },
	{ "type", FIELD_PLAIN, 0 },
	{ "unique_id", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "vendor", FIELD_PUBLIC, 0 },
	{ "vpd_pg80", FIELD_VPD_80, ATTRIBUTE_BINARY | ATTRIBUTE_DROPPED },
	{ "vpd_pg89", FIELD_VPD_89, ATTRIBUTE_BINARY },
	{ "vpd_pgb1", FIELD_PLAIN, ATTRIBUTE_BINARY },
	{ "wwid", FIELD_WWN, 0 },
};

static const struct attribute scsi_host_attributes[] = {
	{ "active_mode", FIELD_PLAIN, 0 },
	{ "ahci_host_cap2", FIELD_PLAIN, 0 },
	{ "ahci_host_caps", FIELD_PLAIN, 0 },
	{ "ahci_host_version", FIELD_PLAIN, 0 },
	{ "can_queue", FIELD_PLAIN, 0 },
	{ "cmd_per_lun", FIELD_PLAIN, 0 },
	{ "link_power_management_policy", FIELD_PLAIN, 0 },
	{ "link_power_management_supported", FIELD_PLAIN, 0 },
	{ "nr_hw_queues", FIELD_PLAIN, 0 },
	{ "proc_name", FIELD_PLAIN, 0 },
	{ "sg_tablesize", FIELD_PLAIN, 0 },
	{ "state", FIELD_PLAIN, 0 },
	{ "unique_id", FIELD_PLAIN, 0 },
	{ "use_blk_mq", FIELD_PLAIN, 0 },
};

static const struct attribute ata_port_attributes[] = {
	{ "idle_irq", FIELD_PLAIN, 0 },
	{ "nr_pmp_links", FIELD_PLAIN, 0 },
	{ "port_no", FIELD_PLAIN, 0 },
};

static const struct attribute ata_link_attributes[] = {
	{ "hw_sata_spd_limit", FIELD_PLAIN, 0 },
	{ "sata_spd", FIELD_PLAIN, 0 },
	{ "sata_spd_limit", FIELD_PLAIN, 0 },
};

static const struct attribute ata_device_attributes[] = {
	{ "class", FIELD_PLAIN, 0 },	 { "dma_mode", FIELD_PLAIN, 0 },
	{ "ering", FIELD_PLAIN, 0 },	 { "gscr", FIELD_PLAIN, 0 },
	{ "id", FIELD_IDENTIFY, 0 },	 { "pio_mode", FIELD_PLAIN, 0 },
	{ "spdn_cnt", FIELD_PLAIN, 0 },	 { "trim", FIELD_PLAIN, 0 },
	{ "xfer_mode", FIELD_PLAIN, 0 },
};

static const struct attribute pci_attributes[] = {
	{ "class", FIELD_PLAIN, 0 },
	{ "current_link_speed", FIELD_PLAIN, 0 },
	{ "current_link_width", FIELD_PLAIN, 0 },
	{ "device", FIELD_PLAIN, 0 },
	{ "enable", FIELD_PLAIN, 0 },
	{ "max_link_speed", FIELD_PLAIN, 0 },
	{ "max_link_width", FIELD_PLAIN, 0 },
	{ "modalias", FIELD_PLAIN, 0 },
	{ "numa_node", FIELD_PLAIN, 0 },
	{ "power/runtime_status", FIELD_PLAIN, 0 },
	{ "remapped_nvme", FIELD_PLAIN, 0 },
	{ "revision", FIELD_PLAIN, 0 },
	{ "subsystem_device", FIELD_PLAIN, 0 },
	{ "subsystem_vendor", FIELD_PLAIN, 0 },
	{ "vendor", FIELD_PLAIN, 0 },
};

static const struct attribute nvme_attributes[] = {
	{ "address", FIELD_ADDRESS, 0 },
	{ "cntlid", FIELD_PLAIN, 0 },
	{ "cntrltype", FIELD_PLAIN, 0 },
	{ "dctype", FIELD_PLAIN, 0 },
	{ "dev", FIELD_PLAIN, 0 },
	{ "device", FIELD_PLAIN, ATTRIBUTE_LINK },
	{ "firmware_rev", FIELD_PUBLIC, 0 },
	{ "hostid", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "hostnqn", FIELD_NQN, ATTRIBUTE_DROPPED },
	{ "kato", FIELD_PLAIN, 0 },
	{ "model", FIELD_PUBLIC, 0 },
	{ "numa_node", FIELD_PLAIN, 0 },
	{ "queue_count", FIELD_PLAIN, 0 },
	{ "serial", FIELD_SERIAL, 0 },
	{ "sqsize", FIELD_PLAIN, 0 },
	{ "state", FIELD_PLAIN, 0 },
	{ "subsysnqn", FIELD_NQN, 0 },
	{ "transport", FIELD_PLAIN, 0 },
};

/* Besides these: the links to its controllers. */
static const struct attribute nvme_subsystem_attributes[] = {
	{ "firmware_rev", FIELD_PUBLIC, 0 }, { "iopolicy", FIELD_PLAIN, 0 },
	{ "model", FIELD_PUBLIC, 0 },	     { "serial", FIELD_SERIAL, 0 },
	{ "subsysnqn", FIELD_NQN, 0 },	     { "subsystype", FIELD_PLAIN, 0 },
};

static const struct attribute usb_attributes[] = {
	{ "bDeviceClass", FIELD_PLAIN, 0 },
	{ "bInterfaceClass", FIELD_PLAIN, 0 },
	{ "bInterfaceNumber", FIELD_PLAIN, 0 },
	{ "bInterfaceProtocol", FIELD_PLAIN, 0 },
	{ "bInterfaceSubClass", FIELD_PLAIN, 0 },
	{ "bMaxPower", FIELD_PLAIN, 0 },
	{ "bcdDevice", FIELD_PLAIN, 0 },
	{ "idProduct", FIELD_PLAIN, 0 },
	{ "idVendor", FIELD_PLAIN, 0 },
	{ "manufacturer", FIELD_PUBLIC, 0 },
	{ "product", FIELD_PUBLIC, 0 },
	{ "serial", FIELD_SERIAL, 0 },
	{ "speed", FIELD_PLAIN, 0 },
	{ "version", FIELD_PLAIN, 0 },
};

static const struct attribute mmc_attributes[] = {
	{ "cid", FIELD_WWN, ATTRIBUTE_DROPPED },
	{ "cmdq_en", FIELD_PLAIN, 0 },
	{ "erase_size", FIELD_PLAIN, 0 },
	{ "fwrev", FIELD_PUBLIC, 0 },
	{ "hwrev", FIELD_PUBLIC, 0 },
	{ "manfid", FIELD_PLAIN, 0 },
	{ "name", FIELD_PUBLIC, 0 },
	{ "oemid", FIELD_PLAIN, 0 },
	{ "preferred_erase_size", FIELD_PLAIN, 0 },
	{ "serial", FIELD_WWN, 0 },
	{ "ssr", FIELD_PLAIN, 0 },
	{ "type", FIELD_PLAIN, 0 },
};

static const struct attribute virtio_attributes[] = {
	{ "device", FIELD_PLAIN, 0 },
	{ "modalias", FIELD_PLAIN, 0 },
	{ "status", FIELD_PLAIN, 0 },
	{ "vendor", FIELD_PLAIN, 0 },
};

static const struct attribute xen_attributes[] = {
	{ "devtype", FIELD_PLAIN, 0 },
	{ "modalias", FIELD_PLAIN, 0 },
};

static const struct attribute vmbus_attributes[] = {
	{ "class_id", FIELD_PLAIN, 0 },
	{ "device", FIELD_PLAIN, 0 },
	{ "vendor", FIELD_PLAIN, 0 },
};

static const struct attribute nd_attributes[] = {
	{ "mode", FIELD_PLAIN, 0 },
	{ "numa_node", FIELD_PLAIN, 0 },
	{ "size", FIELD_PLAIN, 0 },
	{ "type", FIELD_PLAIN, 0 },
};

static const struct attribute platform_attributes[] = {
	{ "modalias", FIELD_PLAIN, 0 },
};

/* No serial numbers, no UUID, no asset tag: the product is what counts. */
static const struct attribute dmi_attributes[] = {
	{ "bios_vendor", FIELD_PUBLIC, 0 },  { "bios_version", FIELD_PUBLIC, 0 },
	{ "board_name", FIELD_PUBLIC, 0 },   { "board_vendor", FIELD_PUBLIC, 0 },
	{ "product_name", FIELD_PUBLIC, 0 }, { "sys_vendor", FIELD_PUBLIC, 0 },
};

#define TABLE(name, list)                    \
	{                                    \
		name, list, ARRAY_SIZE(list) \
	}

static const struct {
	const char *subsystem;
	const struct attribute *attributes;
	size_t n;
} subsystems[] = {
	TABLE("block", block_attributes),
	TABLE("scsi", scsi_attributes),
	TABLE("scsi_host", scsi_host_attributes),
	TABLE("ata_port", ata_port_attributes),
	TABLE("ata_link", ata_link_attributes),
	TABLE("ata_device", ata_device_attributes),
	TABLE("pci", pci_attributes),
	TABLE("nvme", nvme_attributes),
	TABLE("nvme-subsystem", nvme_subsystem_attributes),
	TABLE("usb", usb_attributes),
	TABLE("mmc", mmc_attributes),
	TABLE("virtio", virtio_attributes),
	TABLE("xen", xen_attributes),
	TABLE("vmbus", vmbus_attributes),
	TABLE("nd", nd_attributes),
	TABLE("platform", platform_attributes),
	TABLE("dmi", dmi_attributes),
};

const struct attribute *capture_attributes(const char *subsystem, size_t *ret_n)
{
	for (size_t i = 0; i < ARRAY_SIZE(subsystems); i++) {
		if (strcmp(subsystems[i].subsystem, subsystem) == 0) {
			*ret_n = subsystems[i].n;
			return subsystems[i].attributes;
		}
	}
	*ret_n = 0;
	return NULL;
}
