# SPDX-License-Identifier: MIT
"""Public reports: a rotational flag that lies, and what believed it."""

from kit import ata, block, guest, host, nvme, stack, transport
from kit.ata import Drive
from kit.nvme import Ssd

from . import case
from .virtual import VIRTUAL, loop

FILLED = ("DMI strings, PCI ids, kernel version, sizes and queue/ beyond the report's "
          "values; serial numbers are pseudonyms")
UNKNOWN = ["medium-unknown:info"]
SERVER_SSD = Drive("INTEL SSDSC2KB480G7", "PHPSEUDO91480BGN", "SCV10100", "480G",
                   physical=4096, wwn="55cd2e4000000f91")


def server(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R740xd", board="0YNX56", bios="2.10.2")


def megaraid(m, disks):
    """A PERC with one volume for each of `disks`, none of which has VPD 0xB1."""
    port = "/devices/pci0000:3a/0000:3a:00.0"
    host.bridge(m, port, "8086:2030", (8.0, 8, 8.0, 16))
    function = f"{port}/0000:3b:00.0"
    host.pci(m, function, "0x010400", "1000:0016", "megaraid_sas", "1028:1fcb", "0x01",
             link=(8.0, 8, 8.0, 8), numa=0)
    root = transport.scsi.host(m, function, 0, "megaraid_sas", 5053, 128)
    return [transport.raid_volume(m, root, f"0:2:{index}:0", name, (
        "DELL", "PERC H740P Mini", "5.16"), 937164800, 256,
        wwn=f"6d0946600000000000000000000000{index:02d}", serial=f"00PSEUDO92{index}")
            for index, name in enumerate(disks)]


def raid_expect(m, name, why=None):
    m.expect(name, "raid-volume", "scsi", "unknown", "raid-volume", findings=UNKNOWN,
             why=why)


@case("6.12", "NAS with an SSD that bcachefs still takes for a rotating disk, from an old "
      "superblock.", "device name, model, sysfs non-rotational",
      "the other disk, host, " + FILLED)
def d01_bcachefs_bx500_rot1(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "ASRock", "B550M-ITX/ac", bios="P2.30")
    hba = ata.ahci(m, "1022:7901", "1849:7901", "0000:02:00.1",
                   bridge="/devices/pci0000:00/0000:00:01.2")
    host.bridge(m, "/devices/pci0000:00/0000:00:01.2", "1022:1483", (8.0, 4, 8.0, 4))
    drive = Drive("CT480BX500SSD1", "2111EPSEUDO93", "M6CR061", "480G",
                  wwn="500a075100000f93")
    disk = ata.disk(m, hba, "sdh", 8, 7, drive)
    disk.prop({"ID_FS_TYPE": "bcachefs"})
    m.expect("sdh", "sata-ssd", "sata", "flash", "ahci", "on",
             why="The class is right and the superblock is not: what a consumer keeps on "
             "disk is not in sysfs.")


@case("6.12", "RHCOS guest on a newer kernel: optical and loop devices say rotational 0.",
      "loop0 0, loop1 0, sda 1, sr0 0", "hypervisor (QEMU), " + FILLED)
def d03_rhcos_sr0_rota0(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    root = guest.virtio_scsi(m, "07", 3, 0)
    guest.scsi_disk(m, root, "0:0:0:0", "sda", ("QEMU", "QEMU HARDDISK", "2.5+"),
                    251658240, "pci-0000:00:07.0-scsi-0:0:0:0", "PSEUDO94", rate=0)
    ata.optical(m, guest.qemu_ahci(m, "1f"), "sr0", 1, 1, "QEMU DVD-ROM", "QM00001")
    loop(m, 0, 0, rotational=0)
    loop(m, 1, 0, rotational=0)
    m.expect("sda", "virtual-disk", "virtio", "unknown", "paravirtual", findings=UNKNOWN)
    m.expect("sr0", "optical", "sata", "unknown", "emulated-ahci",
             why="Type before medium: rotational 0 makes no SSD of a disc drive (R22).")
    for name in ("loop0", "loop1"):
        m.expect(name, "stacked", "loop", "unknown", "stacked")


@case("4.18", "CoreOS server: an SSD passed through a RAID controller says rotational 1; "
      "the rule against it matches where it ought to assign.",
      "sda rotational 1, SSD behind a RAID controller", FILLED)
def d04_coreos_raid_passthrough(m):
    server(m)
    megaraid(m, ["sda"])
    m.disagree("the owner's word that this is an SSD is nowhere in sysfs: the rule never "
               "assigned it. A class that an operator declares is a matter of policy and "
               "quirk files, so the capture says raid-volume of unknown medium.")
    raid_expect(m, "sda", "A flag that the controller's silence gave (no VPD 0xB1).")


@case("4.18", "CentOS: RAM and loop devices say rotational 1.", "ram0 1, loop0 1",
      "a disk beside them, " + FILLED)
def d06_ohai_ram_loop_rot1(m):
    host.kernel_files(m)
    host.dmi(m, "HP", "ProLiant DL360 G7", bios="P68")
    hba = ata.ahci(m, "8086:3a22", "103c:330d", gen=2)
    ata.disk(m, hba, "sda", 1, 0, Drive("MB0500EBNCR", "9SPPSEUDO95", "HPG4", "500G",
             rpm=7200, gen=2, wwn="5000c50000000f95"))
    ram = block.disk(m, f"{VIRTUAL}/ram0", 32768, (1, 0), range=1)
    block.queue(m, ram, scheduler=None, rotational=1, max_hw_sectors_kb=512,
                write_cache="write through", physical_block_size=4096)
    loop(m, 0, 0, rotational=1)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on")
    m.expect("ram0", "memory", "ram", "memory", "memory",
             why="A RAM disk, whatever its flag says.")
    m.expect("loop0", "stacked", "loop", "unknown", "stacked")


@case("4.18", "CentOS host of Elasticsearch in Docker, which logs 'spins? [possibly]' of an "
      "SSD.", "sdb rotational 0 on host and in the container", "drives, host, " + FILLED)
def d07_es_docker_spins(m):
    server(m)
    hba = ata.ahci(m, "8086:a182", "1028:0715", "17.0")
    ata.disk(m, hba, "sda", 1, 0, Drive("ST1000NX0443", "W4PSEUDO96", "NB33", "1T",
             rpm=7200, wwn="5000c50000000f96"))
    disk = ata.disk(m, hba, "sdb", 2, 1, SERVER_SSD)
    block.partition(m, disk, 1, 2048, 937699328, props={"ID_FS_TYPE": "ext4"})
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on")
    m.expect("sdb", "sata-ssd", "sata", "flash", "ahci", "on",
             why="The disk is healthy: the engine could not map its mount to it.")


@case("5.4", "Ceph OSD on LVM over a RAID0 volume of a single SSD that says rotational 1.",
      "single-disk RAID0 of an SSD, /sys/block/dm-N/queue/rotational 1", FILLED)
def d09_ceph_raid0_ssd_rot1(m):
    server(m)
    disks = megaraid(m, ["sda"])
    stack.dm(m, 0, "ceph--pseudo-osd--block--pseudo", "LVM-PSEUDO97", disks, 937156608,
             rotational=1, props={"DM_VG_NAME": "ceph-pseudo",
                                  "DM_LV_NAME": "osd-block-pseudo"})
    raid_expect(m, "sda", "The volume's flag is untrusted, in either direction.")
    m.expect("dm-0", "stacked", "dm", "unknown", "stacked",
             why="As its leaf, which has the finding.")


@case("6.1", "LXD guest on QEMU: a virtio-scsi disk without rotation rate, Ceph's hdd.",
      "ID_MODEL QEMU_HARDDISK, revision 2.5+, virtio-scsi", FILLED)
def d10_rook_qemu_hdd(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    root = guest.virtio_scsi(m, "07", 6, 0)
    guest.scsi_disk(m, root, "0:0:0:1", "sda", ("QEMU", "QEMU HARDDISK", "2.5+"),
                    209715200, "pci-0000:00:07.0-scsi-0:0:0:1", "lxd_pseudo", rate=0)
    m.expect("sda", "virtual-disk", "virtio", "unknown", "paravirtual", findings=UNKNOWN)


@case("4.18", "CentOS 8 guest (sesdev): rotational is written as 0 and comes back as 1.",
      "emulated SATA or SCSI disk, rotational back at 1 after a rescan",
      "QEMU's AHCI, " + FILLED)
def d12_sesdev_rot_reset(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    drive = guest.qemu_drive("QM00003", 0, True)
    ata.disk(m, guest.qemu_ahci(m, "1f"), "sda", 1, 0, drive, max_hw_sectors_kb=128)
    m.expect("sda", "virtual-disk", "sata", "unknown", "emulated-ahci", "on",
             UNKNOWN, "We never write that flag, so nothing of ours drifted. 128 KiB at a "
             "time, by QEMU's model of a drive, cost nothing (R40b).")


@case("5.15", "UCloud instance: a virtio disk whose serial names the cloud's disk.",
      "vdb, serial UCLOUD_DISK_*, rotational 1, 322122547200 bytes, virtio3", FILLED)
def d13_hwameistor_ucloud_vdb(m):
    guest.qemu(m)
    guest.virtio_blk(m, "05", 2, "vda", 41943040, "UCLOUD_DISK_PSEUDO98")
    guest.virtio_blk(m, "06", 3, "vdb", 629145600, "UCLOUD_DISK_PSEUDO99")
    for name in ("vda", "vdb"):
        m.expect(name, "cloud-volume", "virtio", "unknown", "paravirtual",
                 findings=["cloud-limits:info", "medium-unknown:info"],
                 why="The serial is the provider's; the flag is virtio's default."
                 if name == "vda" else None)


@case("6.1", "Server whose controller implements no VPD page 0xB1: sda to sdc say "
      "rotational 1.", "sda to sdc rotational 1, page 0xB1 not supported", FILLED)
def d15_redhat_vpd_b1(m):
    server(m)
    megaraid(m, ["sda", "sdb", "sdc"])
    for name in ("sda", "sdb", "sdc"):
        raid_expect(m, name)


@case("5.15", "Nested guest (KubeVirt on LVM on NVMe) whose disks look like hard disks.",
      "virtio disks, NVMe below them on the host", FILLED)
def d16_kubevirt_rotation(m):
    host.kernel_files(m, "console=ttyS0 root=/dev/vda4 ro", guest=True)
    host.dmi(m, "Red Hat", "KubeVirt", "", "None", "SeaBIOS", "1.16.0-4.el9")
    for number, name in enumerate(("vda", "vdb")):
        guest.virtio_blk(m, f"{number + 6:02x}", number, name, 251658240)
        m.expect(name, "virtual-disk", "virtio", "unknown", "paravirtual",
                 findings=UNKNOWN)


@case("5.4", "Ceph server with bcache in front of a device that is an SSD itself.",
      "an SSD as backing device of bcache", "drives, NVMe cache, " + FILLED)
def d18_hotsos_ssd_bcache(m):
    server(m)
    hba = ata.ahci(m, "8086:a182", "1028:0715", "17.0")
    disk = ata.disk(m, hba, "sda", 1, 0, SERVER_SSD)
    port = "/devices/pci0000:64/0000:64:02.0"
    host.bridge(m, port, "8086:2032", (8.0, 4, 8.0, 4))
    host.pci(m, f"{port}/0000:65:00.0", "0x010802", "8086:0a54", "nvme", "1028:1f9b",
             link=(8.0, 4, 8.0, 4))
    cache = nvme.pcie_disk(m, f"{port}/0000:65:00.0", 0, Ssd(
        "Dell Express Flash NVMe P4500 1.0TB SFF", "PHPSEUDO9A1P0TGN", "QDV1DP13",
        1953525168, queues=64), 0)
    stack.bcache(m, 0, disk, cache, 937703072)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("bcache0", "stacked", "bcache", "flash", "stacked",
             findings=["mixed-stack:info"], why="Two kinds of flash, one in front of the "
             "other: mixed-stack names them; no id says that the cache is needless.")


@case("5.10", "Qubes AppVM: xvda says rotational 0, and its host keeps it on a USB hard "
      "disk.", "xvd* with rotational 0", FILLED)
def d19_qubes_xvd_rot0(m):
    host.kernel_files(m, "root=/dev/mapper/dmroot ro console=hvc0", guest=True)
    guest.xen_blk(m, "xvda", 51712, 20971520)
    m.expect("xvda", "virtual-disk", "xen", "unknown", "paravirtual",
             findings=UNKNOWN,
             why="rotational 0 is blkfront's default and no evidence of flash.")


@case("4.18", "ZFS mirror of an SSD to which a hard disk was attached.",
      "an SSD and a hard disk in one vdev", "drives, host, " + FILLED)
def d21_zfs_nonrot_stale(m):
    server(m)
    hba = ata.ahci(m, "8086:a182", "1028:0715", "17.0")
    hdd = Drive("ST1000NX0443", "W4PSEUDO9B", "NB33", "1T", rpm=7200,
                wwn="5000c50000000f9b")
    for number, (name, drive) in enumerate((("sda", SERVER_SSD), ("sdb", hdd)), 1):
        disk = ata.disk(m, hba, name, number, number - 1, drive)
        block.partition(m, disk, 1, 2048, 937683968,
                        props={"ID_FS_TYPE": "zfs_member", "ID_FS_LABEL": "tank"})
    m.disagree("the mixed mirror is ZFS's own and leaves no trace in sysfs (no holders, no "
               "slaves). Each disk is classed by itself; nothing can be said of the pool.")
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on")


@case("6.18", "Guest whose flash-backed virtio disk says rotational 1: what that costs.",
      "virtio-blk, flash taken for a rotating disk",
      "a Linux guest in the place of OSv, with the readahead that its kernel derives; "
      + FILLED)
def d22_osv_vdev_nonrot(m):
    guest.qemu(m)
    guest.virtio_blk(m, "06", 2, "vda", 209715200)
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info", "readahead-false-rotational:warn"],
             why="OSv aggregates up to 1 MiB for that flag, Linux since 6.17 reads 8192 "
             "KiB ahead: the same damage.")


@case("5.15", "Ceph OSD on LVM: several names of one dm device.",
      "/dev/mapper/osd.0-osd.0, /dev/dm-0, /dev/osd.0/osd.0", "the disk below, " + FILLED)
def d24_ceph_rota_lvm(m):
    server(m)
    hba = ata.ahci(m, "8086:a182", "1028:0715", "17.0")
    disk = ata.disk(m, hba, "sda", 1, 0, SERVER_SSD)
    top = stack.dm(m, 0, "osd.0-osd.0", "LVM-PSEUDO9C", [disk], 937697280, props={
        "DM_VG_NAME": "osd.0", "DM_LV_NAME": "osd.0"})
    top.symlinks.append("osd.0/osd.0")
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("dm-0", "stacked", "dm", "flash", "stacked",
             why="By its number, whatever it is called.")
