# SPDX-License-Identifier: MIT
"""A machine whose every identity is known: SECRETS must not survive a capture of it."""

ATA_SERIAL, ATA_WWN = "WX-31A0 7PK9Q", "50014ee2b7c94f1d"
NVME_SERIAL, NVME_WWID_SERIAL = "S5GXNX0R612345K", "PHLJ8122QXY71P0C"
NGUID, EUI = "36344630526006480025384100000c1e", "0025384b11d0a7c2"
NQN_UUID, FS_UUID = "8d2c1f60-77aa-4d0e-9b1c-4f2e6a90d3b5", "c9e1b2a4-5d6f-4711-a0b9-1122aa44cc77"
PART_UUID, LUKS = "f00dd1e5-0a0b-4c0d-8e0f-9a8b7c6d5e4f", "4b3a2c1d0e9f48a7b6c5d4e3f2a1b0c9"
LVM_UUID = "qT3v9XkP1mZ7aB5nR8sD2fG4hJ6kL0wEyU1iO3pA5sD7fG9hJ2kL4zX6cV8bN0mQ"
MPATH = "600a0b80005ad1d7000008ce4a2c7f31"
MD_UUID, MD_HOST = "3f9a1c2e:77b04d5a:9e8c1f60:5a4b3c2d", "backuphost07"
USB_SERIAL, MMC_SERIAL, VIRTIO_SERIAL = "57584E314146", "0xd4c5b6a7", "vol0f3e9a8b7c6d5e4f3"
SAS_ADDRESS, IQN = "0x5000cca2661f93b9", "iqn.2019-07.net.ourcompany:store9"
BACKING = "/home/annabel/secret-plans2024.img"
FABRIC_NQN, FABRIC_IP = "nqn.2021-03.net.ourcompany:pool17", "198.51.100.23"
MAC, MACHINE_IP, OTHER_SERIAL = "52:54:00:ab:cd:ef", "203.0.113.77", "AA00011122233344"
VMBUS = "a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d"
SECRETS = ["WX-31A0 7PK9Q", ATA_WWN, NVME_SERIAL, NVME_WWID_SERIAL, NGUID, EUI, NQN_UUID,
           FS_UUID, PART_UUID, LUKS, LVM_UUID, MPATH, MD_UUID, MD_HOST, USB_SERIAL,
           MMC_SERIAL[2:], VIRTIO_SERIAL, SAS_ADDRESS[2:], "ourcompany", "annabel",
           "plans2024", FABRIC_IP, VMBUS, "topsecret", "gateway.example", MAC, MACHINE_IP,
           OTHER_SERIAL]


def identify(serial, wwn):
    words = [0] * 256
    raw = serial.rjust(20).encode()
    words[10:20] = [raw[i] << 8 | raw[i + 1] for i in range(0, 20, 2)]
    raw = "ROTATING DISK 2000".ljust(40).encode()
    words[27:47] = [raw[i] << 8 | raw[i + 1] for i in range(0, 40, 2)]
    words[76], words[87], words[217] = 0x850e, 0x4163, 7200
    words[108:112] = [int(wwn[i:i + 4], 16) for i in range(0, 16, 4)]
    raw = serial.ljust(20).encode()
    words[130:140] = [raw[i] | raw[i + 1] << 8 for i in range(0, 20, 2)]
    words[255] = 0xa5
    total = sum((word & 0xff) + (word >> 8) for word in words)
    words[255] |= (-total & 0xff) << 8
    return words


WORDS = identify(ATA_SERIAL, ATA_WWN)
ID = "\\n".join(" ".join(f"{word:04x}" for word in WORDS[i:i + 8])
                for i in range(0, 256, 8))
PAGE_89 = (bytes([0, 0x89, 2, 0x38]) + bytes(56)
           + b"".join(word.to_bytes(2, "little") for word in WORDS)).hex()
PAGE_80 = (bytes([0, 0x80, 0, 20]) + ATA_SERIAL.rjust(20).encode()).hex()
ATA = "/devices/pci0000:00/0000:00:1f.2/ata1"
SCSI = f"{ATA}/host0/target0:0:0/0:0:0:0"
FLAT = "WX-31A0_7PK9Q"
NVME = "/devices/pci0000:00/0000:01:00.0/nvme/nvme0"
BLOCKS = [
    ["/devices/pci0000:00/0000:00:1f.2", "E: SUBSYSTEM=pci", "A: class=0x010601\\n",
     "L: driver=../../../bus/pci/drivers/ahci"],
    [f"{ATA}/ata_port/ata1", "E: SUBSYSTEM=ata_port", "A: port_no=1\\n"],
    [f"{ATA}/link1/ata_link/link1", "E: SUBSYSTEM=ata_link", "A: sata_spd=6.0 Gbps\\n"],
    [f"{ATA}/link1/dev1.0/ata_device/dev1.0", "E: SUBSYSTEM=ata_device",
     "A: class=ata\\n", f"A: id={ID}\\n"],
    [f"{ATA}/host0/scsi_host/host0", "E: SUBSYSTEM=scsi_host", "A: can_queue=32\\n",
     "A: proc_name=ahci\\n"],
    [SCSI, "E: SUBSYSTEM=scsi", "E: DEVTYPE=scsi_device", "A: model=ROTATING DISK 20\\n",
     "A: vendor=ATA     \\n", "A: queue_depth=32\\n", "M: queue_depth=0644",
     f"A: wwid=t10.ATA     {'ROTATING DISK 2000'.ljust(40)}{ATA_SERIAL.rjust(20)}\\n",
     f"H: vpd_pg80={PAGE_80}", f"H: vpd_pg89={PAGE_89}", "H: vpd_pgb1=00B1003C1C20"],
    [f"{SCSI}/block/sda", "N: sda", f"S: disk/by-id/ata-ROTATING_DISK_2000_{FLAT}",
     f"S: disk/by-id/wwn-0x{ATA_WWN}", "S: disk/by-id/topsecret-1234567",
     f"S: disk/by-uuid/{FS_UUID}", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: DEVNAME=/dev/sda", "E: MAJOR=8", "E: MINOR=0", "E: ID_MODEL=ROTATING_DISK_2000",
     f"E: ID_SERIAL=ROTATING_DISK_2000_{FLAT}", f"E: ID_SERIAL_SHORT={FLAT}",
     f"E: ID_WWN=0x{ATA_WWN}", "E: OUR_INVENTORY=topsecret", "A: removable=0\\n",
     f"E: DEVLINKS=/dev/disk/by-id/ata-ROTATING_DISK_2000_{FLAT} "
     "/dev/disk/by-id/scsi-X_WX-31A0%207PK9Q /dev/disk/by-id/scsi-Y_WX-31A0\\x207PK9Q "
     f"/dev/disk/by-id/lvm-pv-uuid-{FS_UUID} /dev/disk/by-label/topsecret "
     f"/dev/disk/by-id/wwn-0x{ATA_WWN}", "A: queue/rotational=1\\n", "A: size=3907029168\\n",
     "L: device=../../../0:0:0:0"],
    [f"{SCSI}/block/sda/sda1", "N: sda1", "E: SUBSYSTEM=block", "E: DEVTYPE=partition",
     "E: MAJOR=8", "E: MINOR=1", f"E: ID_FS_UUID={FS_UUID}", "E: ID_FS_LABEL=topsecret",
     f"E: ID_PART_ENTRY_UUID={PART_UUID}", f"E: PARTUUID={PART_UUID}",
     f"E: DEVLINKS=/dev/disk/by-id/ata-ROTATING_DISK_2000_{FLAT}-part1 "
     f"/dev/disk/by-partuuid/{PART_UUID}", "A: partition=1\\n", "A: start=2048\\n"],
    [NVME, "E: SUBSYSTEM=nvme", f"A: serial={NVME_SERIAL.ljust(20)}\\n",
     "A: model=FAST DRIVE 1TB\\n", "A: transport=pcie\\n",
     f"A: subsysnqn=nqn.2014.08.org.nvmexpress:144d144d{NVME_SERIAL}  FAST DRIVE 1TB\\n"],
    [f"{NVME}/nvme0n1", "N: nvme0n1", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: MAJOR=259", "E: MINOR=0", f"A: wwid=eui.{NGUID}\\n", f"A: nguid={NGUID}\\n",
     "A: eui=" + " ".join(EUI[i:i + 2] for i in range(0, 16, 2)) + "\\n",
     f"E: ID_WWN=eui.{NGUID}", f"E: ID_SERIAL=FAST_DRIVE_1TB_{NVME_SERIAL}_1",
     f"E: ID_SERIAL_SHORT={NVME_SERIAL}", "A: queue/rotational=0\\n",
     f"E: DEVLINKS=/dev/disk/by-id/nvme-eui.{NGUID} /dev/disk/by-id/nvme-nvme.144d-"
     f"{NVME_SERIAL.encode().hex()}-464153-00000001 /dev/disk/by-id/nvme-eui.{EUI}"],
    ["/devices/pci0000:00/0000:02:00.0/nvme/nvme1", "E: SUBSYSTEM=nvme",
     "A: transport=pcie\\n", "A: model=OTHER\\n",
     f"A: subsysnqn=nqn.2014-08.org.nvmexpress:uuid:{NQN_UUID}\\n"],
    ["/devices/pci0000:00/0000:02:00.0/nvme/nvme1/nvme1n1", "E: SUBSYSTEM=block",
     "E: DEVTYPE=disk", "E: MAJOR=259", "E: MINOR=4",
     f"A: wwid=nvme.8086-{NVME_WWID_SERIAL.encode().hex()}-4f54484552-00000001\\n"],
    ["/devices/virtual/nvme-fabrics/ctl/nvme2", "E: SUBSYSTEM=nvme", "A: transport=tcp\\n",
     f"A: address=traddr={FABRIC_IP},trsvcid=4420,host_traddr={FABRIC_IP}\\n",
     f"A: subsysnqn={FABRIC_NQN}\\n", "A: model=Linux\\n"],
    ["/devices/virtual/nvme-subsystem/nvme-subsys2", "E: SUBSYSTEM=nvme-subsystem",
     f"A: subsysnqn={FABRIC_NQN}\\n", "L: nvme2=../../nvme-fabrics/ctl/nvme2"],
    ["/devices/virtual/block/dm-0", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: MAJOR=253", "E: MINOR=0", f"A: dm/name=luks-topsecret-{FS_UUID}\\n",
     f"A: dm/uuid=CRYPT-LUKS2-{LUKS}-luks-topsecret-{FS_UUID}\\n", "L: slaves/sda1=x",
     f"E: DM_NAME=luks-topsecret-{FS_UUID}", f"E: DEVLINKS=/dev/mapper/luks-topsecret-"
     f"{FS_UUID} /dev/disk/by-id/dm-uuid-CRYPT-LUKS2-{LUKS}-luks-topsecret-{FS_UUID}"],
    ["/devices/virtual/block/dm-1", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: MAJOR=253", "E: MINOR=1", "A: dm/name=topsecret-root\\n",
     f"A: dm/uuid=LVM-{LVM_UUID}\\n", "E: DM_VG_NAME=topsecret", "E: DM_LV_NAME=root",
     "E: DEVLINKS=/dev/mapper/topsecret-root /dev/topsecret/root "
     f"/dev/disk/by-id/dm-name-topsecret-root /dev/disk/by-id/dm-uuid-LVM-{LVM_UUID}"],
    ["/devices/virtual/block/dm-2", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: MAJOR=253", "E: MINOR=2", "A: dm/name=mpatha\\n", f"A: dm/uuid=mpath-3{MPATH}\\n",
     f"E: DM_UUID=mpath-3{MPATH}", f"E: DEVLINKS=/dev/disk/by-id/wwn-0x{MPATH}"],
    ["/devices/virtual/block/md127", "E: SUBSYSTEM=block", "E: DEVTYPE=disk",
     "E: MAJOR=9", "E: MINOR=127", "A: md/level=raid1\\n", f"E: MD_NAME={MD_HOST}:0",
     f"E: MD_UUID={MD_UUID}", f"E: DEVLINKS=/dev/disk/by-id/md-uuid-{MD_UUID} "
     f"/dev/disk/by-id/md-name-{MD_HOST}:0 /dev/md/{MD_HOST}"],
    ["/devices/virtual/block/loop0", "E: SUBSYSTEM=block", "E: DEVTYPE=disk", "E: MAJOR=7",
     "E: MINOR=0", f"A: loop/backing_file={BACKING}\\n"],
    ["/devices/pci0000:00/0000:00:14.0/usb1", "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device",
     "A: serial=0000:00:14.0\\n"],
    ["/devices/pci0000:00/0000:00:14.0/usb1/1-1", "E: SUBSYSTEM=usb",
     "E: DEVTYPE=usb_device", f"A: serial={USB_SERIAL}\\n", "A: product=Stick\\n",
     "A: idVendor=152d\\n", "A: idProduct=0578\\n"],
    ["/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0", "E: SUBSYSTEM=usb",
     "E: DEVTYPE=usb_interface", "L: driver=../../../../../../bus/usb/drivers/usb-storage"],
    ["/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0/host5/target5:0:0/5:0:0:0/block/sdb",
     "N: sdb", "E: SUBSYSTEM=block", "E: DEVTYPE=disk", "E: MAJOR=8", "E: MINOR=16",
     "E: ID_PATH=pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0",
     f"E: ID_SERIAL=Maker_Stick_{USB_SERIAL}-0:0", f"E: ID_SERIAL_SHORT={USB_SERIAL}"],
    ["/devices/platform/mmc0/mmc_host/mmc0/mmc0:0001", "E: SUBSYSTEM=mmc",
     f"A: serial={MMC_SERIAL}\\n", "A: name=SD32G\\n",
     f"A: cid=035344534433324780{MMC_SERIAL[2:]}0152\\n"],
    ["/devices/platform/mmc0/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "E: SUBSYSTEM=block",
     "E: DEVTYPE=disk", "E: MAJOR=179", "E: MINOR=0", f"E: ID_SERIAL={MMC_SERIAL}",
     f"E: DEVLINKS=/dev/disk/by-id/mmc-SD32G_{MMC_SERIAL}"],
    ["/devices/pci0000:00/0000:00:05.0/virtio2/block/vda", "E: SUBSYSTEM=block",
     "E: DEVTYPE=disk", "E: MAJOR=254", "E: MINOR=0", f"A: serial={VIRTIO_SERIAL}",
     f"E: DEVLINKS=/dev/disk/by-id/virtio-{VIRTIO_SERIAL}"],
    ["/devices/platform/host6/session1/target6:0:0/6:0:0:0/block/sdc", "E: SUBSYSTEM=block",
     "E: DEVTYPE=disk", "E: MAJOR=8", "E: MINOR=32",
     f"E: ID_PATH=ip-{FABRIC_IP}:3260-iscsi-{IQN}-lun-0",
     f"E: ID_PATH_TAG=ip-198_51_100_23_3260-iscsi-{IQN.replace('.', '_').replace(':', '_')}"
     "-lun-0"],
    ["/devices/pci0000:00/0000:03:00.0/host7/port-7:0/end_device-7:0/target7:0:0/7:0:0:0",
     "E: SUBSYSTEM=scsi", "E: DEVTYPE=scsi_device", f"A: sas_address={SAS_ADDRESS}\\n"],
    ["/devices/pci0000:00/0000:03:00.0/host7/port-7:0/end_device-7:0/target7:0:0/7:0:0:0"
     "/block/sdd", "E: SUBSYSTEM=block", "E: DEVTYPE=disk", "E: MAJOR=8", "E: MINOR=48",
     f"E: ID_PATH=pci-0000:03:00.0-sas-{SAS_ADDRESS}-lun-0"],
    [f"/devices/LNXSYSTM:00/VMBUS:00/{VMBUS}", "E: SUBSYSTEM=vmbus",
     "L: driver=../../../../bus/vmbus/drivers/hv_storvsc"],
    [f"/devices/LNXSYSTM:00/VMBUS:00/{VMBUS}/host8/target8:0:0/8:0:0:0/block/sde",
     "E: SUBSYSTEM=block", "E: DEVTYPE=disk", "E: MAJOR=8", "E: MINOR=64",
     f"E: ID_PATH=acpi-VMBUS:00-vmbus-{VMBUS.replace('-', '')}-lun-0"],
]
CMDLINE = (f"BOOT_IMAGE=/vmlinuz root=UUID={FS_UUID} ro quiet libata.force=1:noncq "
           f"ip=10.0.0.2::gateway.example:topsecret nvme_core.multipath=Y "
           f"cryptdevice=UUID={PART_UUID}:topsecret blkadvise.apply=0 luks.key=topsecret "
           f"elevator=deadline usb-storage.quirks=152d:0578:u "
           f"netconsole=@{MACHINE_IP}/eth0,@{FABRIC_IP}/{MAC} systemd.hostname={MD_HOST} "
           f"libata.topsecret@x=1 ahci.mobile_lpm_policy=1 vmd.topsecret/1")
# What of the kernel log stays, and what does not. The times are put before, in all ways.
LOG_STAYS = [
    "ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
    "ata1.00: ATA-9: ROTATING DISK 2000, FW12, max UDMA/133",
    "ata1.00: 3907029168 sectors, multi 16: LBA48 NCQ (depth 32), AA",
    "ata1.00: exception Emask 0x10 SAct 0x7 SErr 0x280100 action 0x6 frozen",
    "ata1.00: irq_stat 0x08000000, interface fatal error",
    "ata1: SError: { UnrecovData 10B8B BadCRC }",
    "ata1.00: failed command: READ FPDMA QUEUED",
    "ata1.00: cmd 60/08:00:00:00:00/00:00:00:00:00/40 tag 0 ncq dma 4096 in",
    "         res 40/00:01:00:00:00/00:00:00:00:00/40 Emask 0x10 (ATA bus error)",
    "ata1.00: status: { DRDY }",
    "ata1: hard resetting link",
    "ata1: limiting SATA link speed to 3.0 Gbps",
    "ata1.00: NCQ disabled due to excessive errors",
    "ata1.00: configured for UDMA/133",
    "ata1: EH complete",
    "ahci 0000:00:17.0: Found 1 remapped NVMe devices.",
    "usb 1-1: New USB device found, idVendor=152d, idProduct=0578, bcdDevice= 1.00",
    "usb 1-1: reset high-speed USB device number 2 using xhci_hcd",
    "usb-storage 1-1:1.0: Quirks match for vid 152d pid 0578: 800000",
    "sd 5:0:0:0: [sdb] tag#1 uas_eh_abort_handler 0 uas-tag 2 inflight: CMD OUT",
    "scsi host5: uas_eh_device_reset_handler start",
    "sd 0:0:0:0: [sda] tag#3 Add. Sense: Unaligned write command",
    "nvme nvme0: I/O 12 QID 3 timeout, aborting",
    "blk_update_request: I/O error, dev sda, sector 2048 op 0x0:(READ) flags 0x0 "
    "phys_seg 1 prio class 0",
]
LOG_GOES = [
    f"Linux command line: {CMDLINE}",
    f"systemd[1]: Set hostname to <{MD_HOST}>.",
    f"usb 1-1: SerialNumber: {USB_SERIAL}",
    f"usb 1-2: SerialNumber: {OTHER_SERIAL}",
    "usb 1-1: Product: topsecret",
    f"e1000e 0000:00:19.0 eth0: (PCI Express:2.5GT/s:Width x1) {MAC}",
    f"scsi 0:0:0:0: Direct-Access     ATA      {OTHER_SERIAL} PQ: 0 ANSI: 5",
    f"EXT4-fs (dm-1): mounted filesystem {FS_UUID} r/w with ordered data mode",
    "md/raid1:md_topsecret: active with 2 out of 2 mirrors",
    "Buffer I/O error on dev topsecret-root, logical block 5, async page read",
    f"audit: type=1400 audit(1.2:3): apparmor=DENIED name={BACKING}",
    f"nvme nvme2: new ctrl: NQN \"{FABRIC_NQN}\", addr {FABRIC_IP}:4420",
    f"ata1: topsecret {OTHER_SERIAL}",
    f"sd 0:0:0:0: [sda] Serial {OTHER_SERIAL}",
    f"IN=eth0 OUT= MAC={MAC} SRC={MACHINE_IP} LEN=40",
]


def log():
    """Each line once, the heads taking turns."""
    heads = ["[{0:5}.000000] ", "6,{0},{0}000000,-;", "[{0:5}.000000][    T1] ",
             "Nov 30 18:20:{0:02} " + MD_HOST + " kernel: ",
             "2024-11-30T18:20:{0:02}+01:00 " + MD_HOST + " kernel: ",
             "Nov 30 18:20:{0:02} " + MD_HOST + " kernel: [{0:5}.000000] ",
             "[{0:5}.000000] " + MD_HOST + " kernel: "]
    lines = [f"[    0.000000] Linux version 6.1.0 (annabel@{MD_HOST}) (gcc topsecret) #1 SMP"]
    for number, line in enumerate(LOG_STAYS + LOG_GOES, 1):
        lines.append(heads[number % len(heads)].format(number) + line)
    lines += ["[   55.000000]  SUBSYSTEM=topsecret", " DEVICE=+topsecret",
              f"30,99,99000000,-;topsecretd[1]: {MD_HOST}",
              f"Nov 30 18:20:59 {MD_HOST} sshd[12]: Accepted password for annabel"]
    return "\n".join(lines) + "\n"


FILES = {
    "/proc/cmdline": CMDLINE + "\n",
    "/proc/sys/kernel/osrelease": "6.1.0\n",
    "/sys/devices/system/cpu/online": "0-7\n",
    "/sys/module/usb_storage/parameters/quirks": "152d:0578:u\n",
    f"/sys/fs/btrfs/{FS_UUID}/devices/sda1": "",
    "/sys/fs/btrfs/features/raid56": "",
    "/lib/modules/6.1.0/modules.builtin": "kernel/drivers/ata/libahci.ko\n"
                                          "kernel/drivers/net/topsecret.ko\n",
    "/boot/initramfs.list": "usr/lib/modules/6.1.0/kernel/drivers/ata/ahci.ko\n"
                            "etc/cryptsetup-keys.d/topsecret.key\n",
    "/proc/self/mountinfo":
        f"21 1 0:19 / /home/annabel rw - nfs4 gateway.example:/export/annabel rw,addr={FABRIC_IP}\n"
        "25 1 253:1 /@/topsecret / rw,relatime shared:1 - ext4 /dev/mapper/topsecret-root rw\n",
    "/dev/kmsg": log(),
    "/run/blkadvise/state/8:0": "INODE=0\nread_ahead_kb.initial=128\n"
                                "read_ahead_kb.written=512\nnote=topsecret\n",
    "/run/blkadvise/state/259:0": "INODE=0\nannabel was here\n",
    "/run/tuned/tuned.pid": "4711\n",
    "/etc/tuned/active_profile": "topsecret-db\n",
    "/etc/tuned/topsecret-db/tuned.conf":
        "[main]\nsummary=For annabel\ninclude=throughput-performance,annabel-base\n"
        "[variables]\nsecret=topsecret\n[annabel-disks]\ntype=disk\n"
        "devices=sda,topsecret\nelevator=none # for annabel\nreadahead=>4096\n"
        f"[other]\ntype=disk\ndevices_udev_regex=ID_SERIAL=.*{FLAT}\nreadahead=8192\n"
        "[sysfs]\n/sys/block/sdb/queue/read_ahead_kb=256\n/sys/topsecret=1\n",
    "/etc/tuned/annabel-base/tuned.conf": "[disk]\nreadahead=1024\n",
    "/usr/lib/tuned/throughput-performance/tuned.conf": "[disk]\nreadahead=>4096\n",
    "/run/tlp/last_pwr": "1\n",
    "/usr/share/tlp/defaults.conf": "TLP_ENABLE=1\n",
    "/etc/tlp.d/00-topsecret.conf": f'# {MD_HOST}\nSATA_LINKPWR_ON_BAT="med_power_with_dipm"\n',
    "/etc/tlp.conf": f'DISK_DEVICES="ata-ROTATING_DISK_2000_{FLAT} nvme0n1 {OTHER_SERIAL}"\n'
                     'DISK_IOSCHED="bfq kyber none"\nWIFI_DEVICE=topsecret\n',
    "/etc/sysconfig/saptune": 'TUNE_FOR_SOLUTIONS="HANA"\nTUNE_FOR_NOTES="topsecret-note"\n'
                              'NOTE_APPLY_ORDER="topsecret-note 1984787"\nSTAGING=annabel\n',
    "/run/saptune/saved_state/topsecret-note": "{\"annabel\": 1}\n",
    "/usr/share/saptune/notes/1984787": "[block]\nIO_SCHEDULER=noop, none\n",
    "/etc/saptune/extra/topsecret-note.conf":
        "[version]\nNAME=annabel\n[block:blkpat=topsecret]\nNRREQ=64\n[block]\n"
        "NRREQ=1024 # annabel\n",
}


def escape(content):
    return content.replace("\\", "\\\\").replace("\n", "\\n")


def text():
    blocks = "\n\n".join("\n".join([f"P: {block[0]}", *block[1:]]) for block in BLOCKS)
    files = "".join(f"F: {path}={escape(content)}\n" for path, content in FILES.items())
    return f"{files}\n{blocks}\n".encode()
