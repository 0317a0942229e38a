/* SPDX-License-Identifier: MIT */
/*
 * Every fact that we know of a disk, one row each: the place where sysfs, /proc or
 * udev keeps it (anchor and attribute), and how its text becomes a value. Names are
 * the kernel's own attribute names wherever it has one. A row without an attribute is
 * worked out by a prober.
 *
 * FACT(identifier, name, type, anchor, attribute, parser)
 *
 * Sources: Documentation/ABI/stable/sysfs-block, ABI/testing/sysfs-ata,
 * ABI/testing/sysfs-bus-pci, ABI/testing/sysfs-class-mmc, ABI/stable/sysfs-class-nvme
 * and the drivers named in the probers.
 */

/* --- the block device itself ------------------------------------------------- */
FACT(NAME, "name", STRING, NONE, NULL, NONE)
FACT(DEV, "dev", STRING, DISK, "dev", TEXT)
FACT(DISKSEQ, "diskseq", NUMBER, DISK, "diskseq", DECIMAL)
FACT(SIZE, "size", NUMBER, DISK, "size", DECIMAL) /* sectors of 512 bytes */
FACT(REMOVABLE, "removable", FLAG, DISK, "removable", FLAG)
FACT(RO, "ro", FLAG, DISK, "ro", FLAG)
FACT(HIDDEN, "hidden", FLAG, DISK, "hidden", FLAG)
FACT(DEVICE_SUBSYSTEM, "device_subsystem", STRING, DEVICE, "subsystem", LINK)
FACT(DEVICE_DRIVER, "device_driver", STRING, DEVICE, "driver", LINK)
FACT(VIRTUAL, "virtual", FLAG, NONE, NULL, NONE) /* below /sys/devices/virtual */

/* --- its queue --------------------------------------------------------------- */
FACT(ROTATIONAL, "rotational", FLAG, DISK, "queue/rotational", FLAG)
FACT(SCHEDULER, "scheduler", STRING, DISK, "queue/scheduler", NONE)
FACT(SCHEDULER_LIST, "scheduler_list", STRING, DISK, "queue/scheduler", NONE)
FACT(SCHEDULER_FIXED, "scheduler_fixed", FLAG, DISK, "queue/scheduler", NONE)
FACT(NR_REQUESTS, "nr_requests", NUMBER, DISK, "queue/nr_requests", DECIMAL)
FACT(READ_AHEAD_KB, "read_ahead_kb", NUMBER, DISK, "queue/read_ahead_kb", DECIMAL)
FACT(MAX_SECTORS_KB, "max_sectors_kb", NUMBER, DISK, "queue/max_sectors_kb", DECIMAL)
FACT(MAX_HW_SECTORS_KB, "max_hw_sectors_kb", NUMBER, DISK, "queue/max_hw_sectors_kb",
     DECIMAL)
FACT(OPTIMAL_IO_SIZE, "optimal_io_size", NUMBER, DISK, "queue/optimal_io_size", DECIMAL)
FACT(MINIMUM_IO_SIZE, "minimum_io_size", NUMBER, DISK, "queue/minimum_io_size", DECIMAL)
FACT(LOGICAL_BLOCK_SIZE, "logical_block_size", NUMBER, DISK, "queue/logical_block_size",
     DECIMAL)
FACT(PHYSICAL_BLOCK_SIZE, "physical_block_size", NUMBER, DISK,
     "queue/physical_block_size", DECIMAL)
FACT(WRITE_CACHE, "write_cache", STRING, DISK, "queue/write_cache", TEXT)
FACT(FUA, "fua", FLAG, DISK, "queue/fua", FLAG)
FACT(ZONED, "zoned", STRING, DISK, "queue/zoned", TEXT)
FACT(DAX, "dax", FLAG, DISK, "queue/dax", FLAG)
FACT(ATOMIC_WRITE_MAX_BYTES, "atomic_write_max_bytes", NUMBER, DISK,
     "queue/atomic_write_max_bytes", DECIMAL)
FACT(HW_QUEUES, "hw_queues", NUMBER, DISK, "mq", NONE) /* folders in mq/ */
FACT(NR_TAGS, "nr_tags", NUMBER, DISK, "mq/0/nr_tags", DECIMAL)

/* --- who it is: the best source of the transport, put together by the probers -- */
FACT(VENDOR, "vendor", STRING, NONE, NULL, NONE)
FACT(MODEL, "model", STRING, NONE, NULL, NONE)
FACT(SERIAL, "serial", STRING, NONE, NULL, NONE)
FACT(FIRMWARE, "firmware", STRING, NONE, NULL, NONE)
FACT(WWN, "wwn", STRING, NONE, NULL, NONE)

/* --- what no attribute tells: set by quirk files only ---------------------------- */
FACT(EMULATED, "emulated", FLAG, NONE, NULL, NONE) /* a hypervisor's make-believe disk */
FACT(CLOUD_VOLUME, "cloud_volume", FLAG, NONE, NULL, NONE) /* limits are provisioned */
FACT(NCQ_QUIRK, "ncq_quirk", FLAG, NONE, NULL, NONE) /* the kernel itself forgoes NCQ */
FACT(SMR, "smr", FLAG, NONE, NULL, NONE) /* shingled, and does not say so */
FACT(LPM_QUIRK, "lpm_quirk", FLAG, NONE, NULL, NONE) /* fails in link power saving */

/* --- the same for controllers (rules/controllers.d), read by diagnose only ---------- */
FACT(CONTROLLER, "controller", STRING, NONE, NULL, NONE) /* what makers call it */
FACT(CONTROLLER_MODE, "controller_mode", STRING, NONE, NULL, NONE) /* ide, raid, ahci */
FACT(AHCI_SIBLING, "ahci_sibling", STRING, NONE, NULL, NONE) /* 8086:3a22, same, none */
FACT(RAID_SIBLING, "raid_sibling", STRING, NONE, NULL, NONE)
FACT(DRIVER_NCQ, "driver_ncq", STRING, NONE, NULL, NONE) /* yes, no, or on what terms */
FACT(HOST_SPEED, "host_speed", MBPS, NONE, NULL, NONE) /* of every port, by data sheet */
FACT(MODE_REGISTER, "mode_register", STRING, NONE, NULL, NONE) /* 90.b=40, for setpci */

/* --- SCSI -------------------------------------------------------------------- */
FACT(SCSI_VENDOR, "scsi_vendor", STRING, SCSI_DEVICE, "vendor", TEXT)
FACT(SCSI_MODEL, "scsi_model", STRING, SCSI_DEVICE, "model", TEXT)
FACT(SCSI_REV, "scsi_rev", STRING, SCSI_DEVICE, "rev", TEXT)
FACT(SCSI_TYPE, "scsi_type", NUMBER, SCSI_DEVICE, "type", DECIMAL)
FACT(SCSI_WWID, "scsi_wwid", STRING, SCSI_DEVICE, "wwid", TEXT)
FACT(SCSI_STATE, "scsi_state", STRING, SCSI_DEVICE, "state", TEXT)
FACT(QUEUE_DEPTH, "queue_depth", NUMBER, SCSI_DEVICE, "queue_depth", DECIMAL)
FACT(QUEUE_DEPTH_WRITABLE, "queue_depth_writable", FLAG, SCSI_DEVICE, "queue_depth",
     WRITABLE)
FACT(NCQ_PRIO, "ncq_prio_enable", FLAG, SCSI_DEVICE, "ncq_prio_enable", PRESENT)
FACT(VPD_ROTATION, "medium_rotation_rate", NUMBER, SCSI_DEVICE, "vpd_pgb1", NONE)
FACT(CAN_QUEUE, "can_queue", NUMBER, SCSI_HOST, "can_queue", DECIMAL)
FACT(PROC_NAME, "proc_name", STRING, SCSI_HOST, "proc_name", TEXT)
FACT(AHCI_HOST_CAPS, "ahci_host_caps", HEX, SCSI_HOST, "ahci_host_caps", HEX)
FACT(LINK_POWER, "link_power_management_policy", STRING, SCSI_HOST,
     "link_power_management_policy", TEXT)
FACT(SCSI_TRANSPORT, "scsi_transport", STRING, NONE, NULL, NONE) /* sas, fc, iscsi */
FACT(MULTIPATH_MEMBER, "multipath_member", FLAG, NONE, NULL, NONE)

/* --- libata ------------------------------------------------------------------ */
FACT(LIBATA, "libata", FLAG, NONE, NULL, NONE) /* the path passes an ataN */
FACT(ATA_PORT_NO, "port_no", NUMBER, ATA_PORT, "port_no", DECIMAL)
FACT(ATA_PORT_ID, "ata_port", NUMBER, NONE, NULL, NONE) /* the N of ataN */
FACT(NR_PMP_LINKS, "nr_pmp_links", NUMBER, ATA_PORT, "nr_pmp_links", DECIMAL)
FACT(HW_SATA_SPD_LIMIT, "hw_sata_spd_limit", MBPS, ATA_LINK, "hw_sata_spd_limit", GBPS)
FACT(SATA_SPD_LIMIT, "sata_spd_limit", MBPS, ATA_LINK, "sata_spd_limit", GBPS)
FACT(SATA_SPD, "sata_spd", MBPS, ATA_LINK, "sata_spd", GBPS)
FACT(ATA_CLASS, "ata_class", STRING, ATA_DEVICE, "class", TEXT)
FACT(XFER_MODE, "xfer_mode", STRING, ATA_DEVICE, "xfer_mode", TEXT)
FACT(DMA_MODE, "dma_mode", STRING, ATA_DEVICE, "dma_mode", TEXT)
FACT(SPDN_CNT, "spdn_cnt", NUMBER, ATA_DEVICE, "spdn_cnt", DECIMAL)
FACT(ERING_ERRORS, "ering_errors", NUMBER, ATA_DEVICE, "ering", NONE)
FACT(ATA_TRIM, "trim", STRING, ATA_DEVICE, "trim", TEXT)
FACT(ATA_ID_75, "ata_id_75", HEX, ATA_DEVICE, "id", NONE) /* queue depth - 1 */
FACT(ATA_ID_76, "ata_id_76", HEX, ATA_DEVICE, "id", NONE) /* SATA capabilities */
FACT(ATA_ID_77, "ata_id_77", HEX, ATA_DEVICE, "id", NONE)
FACT(ATA_ID_217, "ata_id_217", HEX, ATA_DEVICE, "id", NONE) /* rotation rate */

/* --- PCI: the first function above the disk ------------------------------------ */
FACT(PCI_CLASS, "pci_class", HEX, PCI, "class", HEX)
FACT(PCI_VENDOR, "pci_vendor", HEX, PCI, "vendor", HEX)
FACT(PCI_DEVICE, "pci_device", HEX, PCI, "device", HEX)
FACT(PCI_SUBSYSTEM_VENDOR, "pci_subsystem_vendor", HEX, PCI, "subsystem_vendor", HEX)
FACT(PCI_SUBSYSTEM_DEVICE, "pci_subsystem_device", HEX, PCI, "subsystem_device", HEX)
FACT(PCI_DRIVER, "pci_driver", STRING, PCI, "driver", LINK)
FACT(PCI_ADDRESS, "pci_address", STRING, NONE, NULL, NONE)
FACT(RUNTIME_STATUS, "runtime_status", STRING, PCI, "power/runtime_status", TEXT)
FACT(BEHIND_VMD, "behind_vmd", FLAG, NONE, NULL, NONE) /* below driver vmd */
FACT(LINK_SPEED, "current_link_speed", MTPS, PCI, "current_link_speed", GTPS)
FACT(LINK_WIDTH, "current_link_width", NUMBER, PCI, "current_link_width", DECIMAL)
FACT(MAX_LINK_SPEED, "max_link_speed", MTPS, PCI, "max_link_speed", GTPS)
FACT(MAX_LINK_WIDTH, "max_link_width", NUMBER, PCI, "max_link_width", DECIMAL)
FACT(PORT_LINK_SPEED, "port_max_link_speed", MTPS, PCI_PORT, "max_link_speed", GTPS)
FACT(PORT_LINK_WIDTH, "port_max_link_width", NUMBER, PCI_PORT, "max_link_width", DECIMAL)
FACT(REMAPPED_NVME, "remapped_nvme", NUMBER, PCI, "remapped_nvme", DECIMAL)
FACT(HOST_DRIVER, "host_driver", STRING, HOST, "driver", LINK) /* PCI or not */

/* --- NVMe -------------------------------------------------------------------- */
FACT(NVME_TRANSPORT, "nvme_transport", STRING, NVME, "transport", TEXT)
FACT(NVME_MODEL, "nvme_model", STRING, NVME, "model", TEXT)
FACT(NVME_SERIAL, "nvme_serial", STRING, NVME, "serial", TEXT)
FACT(NVME_FIRMWARE, "firmware_rev", STRING, NVME, "firmware_rev", TEXT)
FACT(NVME_STATE, "nvme_state", STRING, NVME, "state", TEXT)
FACT(NVME_SQSIZE, "sqsize", NUMBER, NVME, "sqsize", DECIMAL) /* entries - 1 */
FACT(NVME_QUEUES, "queue_count", NUMBER, NVME, "queue_count", DECIMAL)
FACT(NVME_NUMA_NODE, "nvme_numa_node", NUMBER, NVME, "numa_node", DECIMAL)
FACT(NVME_WWID, "nvme_wwid", STRING, DISK, "wwid", TEXT)
FACT(NVME_HEAD, "nvme_multipath_head", FLAG, NONE, NULL, NONE)
FACT(NVME_PATHS, "nvme_paths", STRING, NONE, NULL, NONE) /* hidden path devices */

/* --- USB --------------------------------------------------------------------- */
FACT(USB_DRIVER, "usb_driver", STRING, USB_INTERFACE, "driver", LINK)
FACT(USB_SPEED, "usb_speed", MBPS, USB_DEVICE, "speed", MBPS)
FACT(USB_VERSION, "usb_version", STRING, USB_DEVICE, "version", TEXT) /* 3.20 */
FACT(USB_VENDOR, "idVendor", HEX, USB_DEVICE, "idVendor", HEX)
FACT(USB_PRODUCT, "idProduct", HEX, USB_DEVICE, "idProduct", HEX)
FACT(USB_BCD_DEVICE, "bcdDevice", HEX, USB_DEVICE, "bcdDevice", HEX)
FACT(USB_SERIAL, "usb_serial", STRING, USB_DEVICE, "serial", TEXT)

/* --- MMC and SD -------------------------------------------------------------- */
FACT(MMC_TYPE, "mmc_type", STRING, MMC, "type", TEXT) /* MMC or SD */
FACT(MMC_NAME, "mmc_name", STRING, MMC, "name", TEXT)
FACT(MMC_MANFID, "manfid", HEX, MMC, "manfid", HEX)
FACT(MMC_SERIAL, "mmc_serial", STRING, MMC, "serial", TEXT)
FACT(MMC_FWREV, "fwrev", STRING, MMC, "fwrev", TEXT)
FACT(MMC_CMDQ, "cmdq_en", FLAG, MMC, "cmdq_en", FLAG)
FACT(SD_APP_CLASS, "sd_app_class", NUMBER, MMC, "ssr", NONE) /* of A1, A2; 0: none */

/* --- virtio, Xen, Hyper-V ------------------------------------------------------ */
FACT(VIRTIO_DRIVER, "virtio_driver", STRING, VIRTIO, "driver", LINK)

/* --- stacks ------------------------------------------------------------------ */
FACT(STACK_KIND, "stack_kind", STRING, NONE, NULL, NONE) /* dm, md, bcache, loop ... */
FACT(DM_NAME, "dm_name", STRING, STACK, "dm/name", TEXT)
FACT(DM_UUID, "dm_uuid", STRING, STACK, "dm/uuid", TEXT)
FACT(DM_SUSPENDED, "dm_suspended", FLAG, STACK, "dm/suspended", FLAG)
FACT(MD_LEVEL, "md_level", STRING, STACK, "md/level", TEXT)
FACT(MD_CHUNK_SIZE, "md_chunk_size", NUMBER, STACK, "md/chunk_size", DECIMAL)
FACT(MD_RAID_DISKS, "raid_disks", NUMBER, STACK, "md/raid_disks", DECIMAL)
FACT(MD_ARRAY_STATE, "array_state", STRING, STACK, "md/array_state", TEXT)
FACT(BACKING_FILE, "backing_file", STRING, STACK, "loop/backing_file", TEXT)
FACT(SLAVES, "slaves", STRING, NONE, NULL, NONE) /* names, directly below */
FACT(HOLDERS, "holders", STRING, NONE, NULL, NONE) /* names, directly above */

/* --- the machine --------------------------------------------------------------- */
FACT(GUEST, "guest", FLAG, NONE, NULL, NONE) /* a hypervisor runs us */
FACT(HYPERVISOR, "hypervisor", STRING, NONE, NULL, NONE)
FACT(SYS_VENDOR, "sys_vendor", STRING, DMI, "sys_vendor", TEXT)
FACT(PRODUCT_NAME, "product_name", STRING, DMI, "product_name", TEXT)
FACT(OSRELEASE, "osrelease", STRING, PROC, "sys/kernel/osrelease", TEXT)
FACT(LIBATA_FORCE, "libata_force", STRING, PROC, "cmdline", NONE)
FACT(CMDLINE_APPLY, "cmdline_apply", FLAG, PROC, "cmdline", NONE) /* blkadvise.apply= */
FACT(ELEVATOR, "elevator", STRING, PROC, "cmdline", NONE) /* elevator= */

/* --- udev's properties, which only enrich --------------------------------------- */
FACT(ID_PATH, "ID_PATH", STRING, UDEV, "ID_PATH", TEXT)
FACT(ID_MODEL, "ID_MODEL", STRING, UDEV, "ID_MODEL", TEXT)
FACT(ID_SERIAL, "ID_SERIAL", STRING, UDEV, "ID_SERIAL", TEXT)
FACT(ID_SERIAL_SHORT, "ID_SERIAL_SHORT", STRING, UDEV, "ID_SERIAL_SHORT", TEXT)
FACT(ID_WWN, "ID_WWN", STRING, UDEV, "ID_WWN", TEXT)
FACT(ID_REVISION, "ID_REVISION", STRING, UDEV, "ID_REVISION", TEXT)
FACT(ID_ROTATION, "ID_ATA_ROTATION_RATE_RPM", NUMBER, UDEV, "ID_ATA_ROTATION_RATE_RPM",
     DECIMAL) /* ata_id's word 217; 0 means flash */
FACT(ID_FS_TYPE, "ID_FS_TYPE", STRING, UDEV, "ID_FS_TYPE", TEXT)
FACT(DM_MULTIPATH_PATH, "DM_MULTIPATH_DEVICE_PATH", FLAG, UDEV,
     "DM_MULTIPATH_DEVICE_PATH", FLAG)
FACT(UDEV_APPLY, "BLKADVISE_APPLY", FLAG, UDEV, "BLKADVISE_APPLY", FLAG)

/* --- evidence: what is read for diagnose only (facts/evidence.h) -------------------- */
FACT(CPUS, "cpus", NUMBER, NONE, NULL, NONE) /* online */
FACT(EFI, "efi", FLAG, NONE, NULL, NONE) /* booted by EFI */
FACT(HOLDS_ROOT, "holds_root", FLAG, NONE, NULL, NONE) /* of the file system / */
FACT(INITRAMFS_AHCI, "initramfs_ahci", STRING, NONE, NULL, NONE) /* built-in, yes, no */
FACT(HOST_SPD_LIMIT, "host_spd_limit", MBPS, NONE, NULL, NONE) /* same on every port */
FACT(USB_QUIRKS, "usb_quirks", STRING, NONE, NULL, NONE) /* letters meant for this one */
FACT(REMAPPED_TOTAL, "remapped_nvme_total", NUMBER, NONE, NULL, NONE) /* all functions */
FACT(REMAPPED_AT, "remapped_nvme_at", STRING, NONE, NULL, NONE) /* their addresses */
FACT(VMD_UNBOUND, "vmd_without_driver", STRING, NONE, NULL, NONE) /* address, or none */
FACT(HOLDER_READ_AHEAD_KB, "holder_read_ahead_kb", STRING, NONE, NULL, NONE)

/* The kernel log, as far as it speaks of this disk. KERNEL_LOG is which; no log, no
 * fact below. Counts are 0 where the log says nothing. */
FACT(KERNEL_LOG, "kernel_log", STRING, NONE, NULL, NONE)
FACT(LOG_PARTIAL, "log_partial", FLAG, NONE, NULL, NONE) /* begins after the boot */
FACT(LOG_NCQ_DISABLED, "log_ncq_disabled", FLAG, NONE, NULL, NONE) /* after errors */
FACT(LOG_SERROR, "log_serror", STRING, NONE, NULL, NONE) /* names of all bits seen */
FACT(LOG_LINK_FAULTS, "log_link_faults", NUMBER, NONE, NULL, NONE)
FACT(LOG_LINK_LINE, "log_link_line", STRING, NONE, NULL, NONE) /* the last such line */
FACT(LOG_LINK_FAILED, "log_link_failed", NUMBER, NONE, NULL, NONE) /* with a command */
FACT(LOG_FPDMA_TIMEOUTS, "log_fpdma_timeouts", NUMBER, NONE, NULL, NONE) /* SErr 0x0 */
FACT(LOG_FPDMA_ERRORS, "log_fpdma_errors", NUMBER, NONE, NULL, NONE) /* all reasons */
FACT(LOG_FPDMA_LINE, "log_fpdma_line", STRING, NONE, NULL, NONE) /* the last one */
FACT(LOG_FPDMA_DISKS, "log_fpdma_disks", NUMBER, NONE, NULL, NONE) /* of the machine */
FACT(LOG_OTHER_ERRORS, "log_other_errors", NUMBER, NONE, NULL, NONE) /* unqueued ones */
FACT(LOG_UNALIGNED, "log_unaligned", NUMBER, NONE, NULL, NONE) /* "Unaligned write" */
FACT(LOG_LINK_RESETS, "log_link_resets", NUMBER, NONE, NULL, NONE)
FACT(LOG_PLUG_RESETS, "log_plug_resets", NUMBER, NONE, NULL, NONE) /* no command failed */
FACT(LOG_SPEED_DOWN, "log_speed_down", STRING, NONE, NULL, NONE) /* the last such line */
FACT(LOG_MODE_DOWN, "log_mode_down", STRING, NONE, NULL, NONE) /* likewise, of UDMA */
FACT(LOG_LATER_RESETS, "log_later_resets", NUMBER, NONE, NULL, NONE) /* after that */
FACT(LOG_LINK_UP, "log_link_up", STRING, NONE, NULL, NONE) /* the last such line */
FACT(LOG_USB_RESETS, "log_usb_resets", NUMBER, NONE, NULL, NONE) /* and aborts of uas */
FACT(LOG_USB_LINE, "log_usb_line", STRING, NONE, NULL, NONE) /* the last one */
FACT(LOG_USB_QUIRK, "log_usb_quirk", STRING, NONE, NULL, NONE) /* mask the kernel used */

/* Programs that write the same attributes, and what they are configured to write. */
FACT(RIVALS, "rivals", STRING, NONE, NULL, NONE) /* those that are active, or "none" */
FACT(RIVAL_SCHEDULER, "rival_scheduler", STRING, NONE, NULL, NONE)
FACT(RIVAL_QUEUE_DEPTH, "rival_queue_depth", STRING, NONE, NULL, NONE)
FACT(RIVAL_NR_REQUESTS, "rival_nr_requests", STRING, NONE, NULL, NONE)
FACT(RIVAL_MAX_SECTORS_KB, "rival_max_sectors_kb", STRING, NONE, NULL, NONE)
FACT(RIVAL_READ_AHEAD_KB, "rival_read_ahead_kb", STRING, NONE, NULL, NONE)
FACT(RIVAL_LINK_POWER, "rival_link_power", STRING, NONE, NULL, NONE)
