# SPDX-License-Identifier: MIT
"""Healthy machines, continued: other programs at work, limits that are no faults,
networks of storage, and guests."""

from kit import ata, block, guest, host, kernels, nvme, stack, transport, usb
from kit.ata import Drive
from kit.nvme import Ssd
from kit.usb import Gadget

from . import captured
from .healthy import (EVO_870, FILLED, RED_4T, SN770, ata_log, expect_nvme, expect_sata,
                      healthy, nvme_disk, sata, usb_desktop)
from .reports_readahead import tuned
from .usb import BOT_HDD, XHCI

MEDIUM = ["medium-unknown:info"]
CLOUD = ["cloud-limits:info"]


@healthy("4.18", "RHEL 8 server with tuned running on a profile that leaves disks alone.",
         "peers.md 2.6 (network-latency sets no readahead)", FILLED)
def rhel8_tuned_without_disk(m):
    host.kernel_files(m, cpus=16)
    host.dmi(m, "HPE", "ProLiant DL360 Gen10", bios="U32")
    tuned(m, "network-latency-like", "[main]\nsummary=Low latency\n\n[sysctl]\n"
          "net.core.busy_read=50\nnet.core.busy_poll=50\nnet.ipv4.tcp_fastopen=3\n")
    nvme_disk(m, Ssd("VO001920KWVMT", "PSEUDOH00018", "HPK1", 3750748848,
                     max_hw_kb=256, volatile_cache=False), port=(8.0, 4, 8.0, 4),
              device=(8.0, 4, 8.0, 4))
    expect_nvme(m)


@healthy("6.17", "Fedora workstation with tuned's balanced profile, which sets the link "
         "power policy of SATA hosts and no more.", "peers.md 2.6 (balanced: alpm)", FILLED)
def fedora_tuned_balanced(m):
    host.kernel_files(m, efi=True, cpus=16)
    kernels.release(m, "6.17.7-300.fc43.x86_64")
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME Z690-P")
    tuned(m, "balanced", "[main]\nsummary=General non-specialized tuned profile\n\n[cpu]\n"
          "priority=10\ngovernor=schedutil|ondemand|powersave\n\n[scsi_host]\n"
          "alpm=med_power_with_dipm\n")
    nvme_disk(m)
    expect_nvme(m)
    hba = ata.ahci(m, "8086:7ae2", "1043:8694", slot="17.0", lpm="med_power_with_dipm")
    sata(m, hba, [EVO_870])


@healthy("6.1", "Laptop with TLP, which keeps the SATA link at med_power_with_dipm.",
         "diagnosis-rules.md R14", FILLED)
def tlp_laptop(m):
    host.kernel_files(m, efi=True, cpus=4)
    host.dmi(m, "LENOVO", "20HRCTO1WW", bios="N1MET70W")
    m.file("/etc/tlp.conf", "TLP_ENABLE=1\nSATA_LINKPWR_ON_AC=\"med_power_with_dipm\"\n"
           "SATA_LINKPWR_ON_BAT=\"med_power_with_dipm\"\n")
    m.file("/run/tlp/last_pwr", "1\n")
    hba = ata.ahci(m, "8086:9d03", "17aa:224e", slot="17.0", lpm="med_power_with_dipm")
    sata(m, hba, [EVO_870])


@healthy("6.1", "Server on a SAN: two paths below dm-multipath.", "R45", FILLED)
def san_multipath(m):
    host.kernel_files(m, cpus=32)
    host.dmi(m, "Lenovo", "ThinkSystem SR650", board="7X06CTO1WW")
    port = "/devices/pci0000:ae/0000:ae:00.0"
    host.bridge(m, port, "8086:2030", (8.0, 8, 8.0, 16))
    paths = []
    for number, name in ((1, "sda"), (2, "sdb")):
        function = f"{port}/0000:af:00.{number - 1}"
        host.pci(m, function, "0x0c0400", "1077:2261", "qla2xxx", "1077:02a8", "0x01",
                 link=(8.0, 8, 8.0, 8))
        root = transport.fc_host(m, function, number, "qla2xxx")
        disk = transport.fc_lun(m, root, number, 0, 1, name, ("PURE", "FlashArray", "8888"),
                                4294967296, "624a937000000000000000000000019a", rate=1,
                                read_ahead_kb=512)
        paths.append(disk.prop({"DM_MULTIPATH_DEVICE_PATH": 1}))
        m.expect(name, "san-lun", "fc", "flash", "hba")
    paths[1].symlinks = [link for link in paths[1].symlinks if "by-path" in link]
    stack.dm(m, 0, "mpatha", "mpath-3624a937000000000000000000000019a", paths, 4294967296,
             read_ahead_kb=512)
    m.expect("dm-0", "stacked", "dm", "flash", "stacked")


@healthy("6.1", "Server with an iSCSI LUN at depth 32.", "R44", FILLED)
def iscsi_depth_32(m):
    host.kernel_files(m, cpus=8)
    host.dmi(m, "Dell Inc.", "PowerEdge R340", board="045M96")
    transport.iscsi_lun(m, 2, 1, "sda", ("LIO-ORG", "block0", "4.0"), 209715200,
                        "6001405000000000000000000000019b", rate=1, read_ahead_kb=512)
    m.expect("sda", "san-lun", "iscsi", "flash", "network")


@healthy("6.6", "Laptop with its NVMe SSD behind Intel VMD, driver bound.", "R42", FILLED)
def vmd_laptop(m):
    host.kernel_files(m, efi=True, cpus=12)
    host.dmi(m, "Dell Inc.", "Latitude 5430", board="0T3V6G", bios="1.18.0")
    vmd = "/devices/pci0000:00/0000:00:0e.0"
    host.pci(m, vmd, "0x010400", "8086:467f", "vmd", "1028:0b04")
    port = f"{vmd}/pci10000:e0/10000:e0:06.0"
    host.bridge(m, port, "8086:464d", (16.0, 4, 16.0, 4))
    host.pci(m, f"{port}/10000:e1:00.0", "0x010802", "15b7:5017", "nvme",
             link=(16.0, 4, 16.0, 4))
    nvme.pcie_disk(m, f"{port}/10000:e1:00.0", 0, SN770, 0)
    nvme.log_found(m, 0, "10000:e1:00.0", SN770)
    expect_nvme(m, findings=["vmd:info"], why="The driver is there: no more than a word.")


@healthy("6.12", "Desktop with a Gen5 drive in a Gen4 slot.", "R19", FILLED)
def gen5_drive_gen4_slot(m):
    host.kernel_files(m, efi=True, cpus=16)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME B650-PLUS")
    nvme_disk(m, Ssd("CT2000T705SSD3", "24PSEUDO0020", "PACR5111", 3907029168, queues=16),
              device=(16.0, 4, 32.0, 4))
    expect_nvme(m, findings=["pcie-slot-limit:info"])


@healthy("6.1", "Old server with ports of 3 Gbps: the SSD could do more.", "R16", FILLED)
def sata_ssd_3g_port(m):
    host.kernel_files(m, cpus=4)
    host.dmi(m, "Supermicro", "X8SIL", bios="1.2a")
    hba = ata.ahci(m, "8086:3b22", "15d9:0605", slot="1f.2", gen=2)
    for index, drive in enumerate((EVO_870, RED_4T)):
        name = ("sda", "sdb")[index]
        ata.disk(m, hba, name, index + 1, index, drive,
                 read_ahead_kb=128 if index == 0 else 512)
        expect_sata(m, name, drive, ["sata-port-limit:info"],
                    "All ports of this host end at 3 Gbps." if index == 0 else None)
    ata_log(m, "0000:00:1f.2", [(1, EVO_870, 2), (2, RED_4T, 2)])


@healthy("6.1", "Laptop after hibernation: links came up again, disks started, no command "
         "failed.", "drivers/ata/libata-eh.c, drivers/scsi/sd.c", FILLED)
def resumed_laptop(m):
    host.kernel_files(m, efi=True, cpus=4)
    host.dmi(m, "LENOVO", "20HRCTO1WW", bios="N1MET70W")
    hba = ata.ahci(m, "8086:9d03", "17aa:224e", slot="17.0", lpm="med_power_with_dipm")
    sata(m, hba, [EVO_870, RED_4T])
    m.kernel_log(["PM: hibernation: hibernation entry", "PM: hibernation: hibernation exit",
                  "sd 0:0:0:0: [sda] Starting disk", "sd 1:0:0:0: [sdb] Starting disk",
                  "ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
                  "ata1.00: supports DRM functions and may not be fully accessible",
                  "ata1.00: configured for UDMA/133",
                  "ata2: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
                  "ata2.00: configured for UDMA/133"], 5000.0)


@healthy("5.15", "Desktop with an SSD, a disc drive and a card reader that is empty.",
         "kernel.md 1.2 (sr, removable)", FILLED)
def optical_and_empty_reader(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "HP", "HP EliteDesk 800 G4 SFF", board="83E1")
    hba = ata.ahci(m, "8086:a352", "103c:83e1", slot="17.0")
    sata(m, hba, [EVO_870])
    ata.optical(m, hba, "sr0", 2, 1, "HL-DT-ST DVDRW GUD1N", "PSEUDO23")
    m.kernel_log([
        "ata2.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen",
        "sr 1:0:0:0: [sr0] CDB: ",
        "Read(10): 28 00 00 01 2f 20 00 00 40 00",
        "ata2.00: cmd a0/01:00:00:00:00/00:00:00:00:00/a0 tag 3 dma 131072 in",
        "res 40/00:03:00:00:00/00:00:00:00:00/a0 Emask 0x4 (timeout)",
        "ata2.00: status: { DRDY }",
        "ata2: hard resetting link",
        "ata2: SATA link up 1.5 Gbps (SStatus 113 SControl 300)",
        "ata2.00: configured for UDMA/100",
        "ata2: EH complete"], 400.0)
    m.expect("sr0", "optical", "sata", "unknown", "ahci",
             why="A scratched disc makes the drive time out: no fault of any disk.")


def unplugged(ata_port):
    at = f"ata{ata_port}"
    return [f"{at}: exception Emask 0x10 SAct 0x0 SErr 0x4010000 action 0xe frozen",
            f"{at}: irq_stat 0x00400040, connection status changed",
            f"{at}: SError: {{ PHYRdyChg DevExch }}", f"{at}: hard resetting link",
            f"{at}: SATA link down (SStatus 0 SControl 300)", f"{at}.00: disable device",
            f"{at}: EH complete"]


def plugged(ata_port, drive):
    at = f"ata{ata_port}"
    return [f"{at}: exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen",
            f"{at}: irq_stat 0x00000040, connection status changed",
            f"{at}: SError: {{ PHYRdyChg CommWake DevExch }}", f"{at}: hard resetting link",
            f"{at}: link is slow to respond, please be patient (ready=0)",
            f"{at}: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
            f"{at}.00: ATA-9: {drive.model}, {drive.firmware}, max UDMA/133",
            f"{at}.00: {drive.sectors} sectors, multi 16: LBA48 NCQ (depth 32), AA",
            f"{at}.00: configured for UDMA/133", f"{at}: EH complete"]


@healthy("6.6", "Server with a hot-swap bay for backups: its hard disk comes and goes.",
         "drivers/ata/libata-eh.c", FILLED)
def hot_swap_bay(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Supermicro", "X11SSL-F")
    hba = ata.ahci(m, "8086:a102", "15d9:0884", slot="17.0")
    sata(m, hba, [EVO_870, RED_4T])
    for day in range(5):
        m.kernel_log(unplugged(2) + plugged(2, RED_4T), 86400.0 * (day + 1))


@healthy("5.15", "Desktop whose log is full of lines that sound bad: ACPI commands, logs "
         "that a drive lacks, a slow spin-up.", "drivers/ata/libata-core.c, libata-acpi.c",
         FILLED)
def noisy_boot_log(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "HP", "HP Z240 Tower Workstation", board="802F", bios="N51 Ver. 01.92")
    hba = ata.ahci(m, "8086:a102", "103c:802f", slot="17.0")
    sata(m, hba, [EVO_870, RED_4T])
    m.kernel_log([
        "ata1.00: ACPI cmd f5/00:00:00:00:00:a0(SECURITY FREEZE LOCK) filtered out",
        "ata1.00: ACPI cmd b1/c1:00:00:00:00:a0(DEVICE CONFIGURATION OVERLAY) filtered out",
        "ata1.00: supports DRM functions and may not be fully accessible",
        "ata1.00: disabling queued TRIM support",
        "ata2: link is slow to respond, please be patient (ready=0)",
        "ata2: COMRESET failed (errno=-16)",
        "ata2: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
        "ata2.00: READ LOG DMA EXT failed, trying PIO",
        "ata2.00: NCQ Send/Recv Log not supported",
        "ata2.00: configured for UDMA/133",
        "ata3: SATA link down (SStatus 4 SControl 300)"], 2.0)


@healthy("6.12", "openSUSE desktop: a hard disk of 3 Gbps on a port of 6, with bfq by the "
         "distribution's rule.", "R16, R30; peers.md 2.8", FILLED)
def suse_hdd_bfq(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME B360-PLUS")
    hba = ata.ahci(m, "8086:a352", "1043:8694", slot="17.0", lpm="med_power_with_dipm")
    old = Drive("WDC WD10EADS-00L5B1", "WD-WCAUPSEUDO24", "01.01A01", "1T", rpm=5400,
                gen=2, wwn="50014ee000000024")
    sata(m, hba, [old], scheduler="bfq", known=("mq-deadline", "bfq"))


@healthy("6.18", "Desktop on 6.18: the readahead of a true hard disk is the kernel's own.",
         "kernel.md 0.8 (2 x max_sectors for rotational disks)", FILLED)
def hdd_on_6_18(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Dell Inc.", "OptiPlex 7060", board="0C96W1", bios="1.13.1")
    hba = ata.ahci(m, "8086:a352", "1028:085a", slot="17.0")
    ata.disk(m, hba, "sda", 1, 0, EVO_870)
    ata.disk(m, hba, "sdb", 2, 1, RED_4T)
    ata_log(m, "0000:00:17.0", [(1, EVO_870, 3), (2, RED_4T, 3)])
    expect_sata(m, "sda", EVO_870)
    expect_sata(m, "sdb", RED_4T, why="8192 KiB follow from a flag that IDENTIFY backs: "
                "a change for the policy, and no finding.")


@healthy("6.18", "Small desktop on 6.18 with a stick in a USB 2 port and a hard disk whose "
         "bridge tells no medium.", "kernel.md 0.8 (2 x max_sectors for rotational disks); "
         "drivers/usb/storage/scsiglue.c (120 KiB for USB 2)", FILLED)
def usb_on_6_18(m):
    usb_desktop(m)
    stick = Gadget("0951", "1666", "Kingston", "DataTraveler 3.0", "60APSEUDO0031",
                   ("Kingston", "DataTraveler 3.0", "PMAP"), 60555264, speed=480,
                   removable=1)
    usb.disk(m, XHCI, 1, 1, "sda", 2, stick)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, BOT_HDD)
    usb.log_found(m, 1, 1, "sda", 2, stick)
    usb.log_found(m, 2, 2, "sdb", 3, BOT_HDD, start=2.5)
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot",
             why="240 KiB, twice what one transfer takes: not worth a word.")
    m.expect("sdb", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "readahead-false-rotational:info",
                       "usb-quirk-cost:info"],
             why="2048 KiB suit a disk that rotates, as this may.")


@healthy("6.1", "Laptop in Intel RAID mode with nothing hidden behind it.", "R6, R41",
         FILLED)
def intel_raid_mode_clean(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "HP", "HP Pavilion Laptop 15-cs0xxx", board="8416", bios="F.37")
    hba = ata.ahci(m, "8086:282a", "103c:8416", slot="17.0", klass="0x010400")
    ata.disk(m, hba, "sda", 1, 0, EVO_870)
    ata_log(m, "0000:00:17.0", [(1, EVO_870, 3)])
    expect_sata(m, "sda", EVO_870, ["raid-class-ahci:info"])


@captured("6.1", "Desktop with a hard disk that has a bad sector: its errors are the "
          "medium's, neither the link's nor the queue's.",
          "drivers/ata/libata-eh.c (AC_ERR_MEDIA)", FILLED)
def hdd_with_bad_sector(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Dell Inc.", "OptiPlex 7060", board="0C96W1", bios="1.13.1")
    hba = ata.ahci(m, "8086:a352", "1028:085a", slot="17.0")
    sata(m, hba, [RED_4T])
    for index in range(4):
        m.kernel_log([
            "ata1.00: exception Emask 0x0 SAct 0x80 SErr 0x0 action 0x0",
            "ata1.00: irq_stat 0x40000008", "ata1.00: failed command: READ FPDMA QUEUED",
            "ata1.00: cmd 60/08:38:c8:5a:0b/00:00:2e:00:00/40 tag 7 ncq dma 4096 in",
            "res 41/40:00:c8:5a:0b/00:00:2e:00:00/00 Emask 0x409 (media error) <F>",
            "ata1.00: status: { DRDY ERR }", "ata1.00: error: { UNC }",
            "ata1.00: configured for UDMA/133", "ata1: EH complete"], 700.0 + 4 * index)


@healthy("6.6", "AWS Nitro instance: EBS volumes and an instance store.", "R49", FILLED)
def aws_nitro_well(m):
    host.kernel_files(m, guest=True, efi=True, cpus=4)
    host.dmi(m, "Amazon EC2", "i4i.xlarge", bios="1.0")
    for slot, number, size in (("04", 0, 83886080), ("1e", 1, 1048576000)):
        guest.ebs(m, slot, number, size, number, ra=512)
        m.expect(f"nvme{number}n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
                 findings=CLOUD)
    function = "/devices/pci0000:00/0000:00:1f.0"
    host.pci(m, function, "0x010802", "1d0f:cd02", "nvme", "1d0f:cd02")
    nvme.pcie_disk(m, function, 2, Ssd("Amazon EC2 NVMe Instance Storage",
                   "AWSPSEUDO0000024", "0", 1831054688, max_hw_kb=256, queues=4), 2,
                   write_cache="write through", fua=0)
    expect_nvme(m, "nvme2n1")


@healthy("6.17", "Azure instance after the fix: a rule sets the readahead back to 128.",
         "cases.jsonl f01-azure-rota1-ra4096 (its remedy)", FILLED)
def azure_after_the_fix(m):
    guest.azure(m)
    for number, name in enumerate(("sda", "sdb")):
        guest.hyperv_disk(m, number, name, read_ahead_kb=128)
        m.expect(name, "virtual-disk", "hyperv", "unknown", "paravirtual",
                 findings=MEDIUM)
    guest.vmbus_nvme(m, "Microsoft NVMe Direct Disk v2", 0, "f98e", 251658240)
    expect_nvme(m)


@healthy("6.1", "Google Compute Engine: Persistent Disk and a local SSD.", "R49", FILLED)
def gce_well(m):
    host.kernel_files(m, guest=True, efi=True, cpus=4)
    host.dmi(m, "Google", "Google Compute Engine", bios="Google")
    root = guest.virtio_scsi(m, "03", 0, 0)
    guest.scsi_disk(m, root, "0:0:1:0", "sda", ("Google", "PersistentDisk", "1"),
                    20971520, "pci-0000:00:03.0-scsi-0:0:1:0", "persistent-disk-0",
                    rate=1, physical_block_size=4096, read_ahead_kb=512)
    function = "/devices/pci0000:00/0000:00:05.0"
    host.pci(m, function, "0x010802", "1ae0:001f", "nvme", "1af4:1100", "0x01")
    nvme.pcie_disk(m, function, 0, Ssd("nvme_card", "nvme_card-pseudo", "2", 786432000,
                   max_hw_kb=256, queues=4), 0)
    m.expect("sda", "cloud-volume", "virtio", "flash", "paravirtual",
             findings=["cloud-limits:info"])
    expect_nvme(m)


def virtio_guest(m):
    """virtio-blk with a queue for each CPU, virtio-scsi likewise."""
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)", cpus=2)
    disk = guest.virtio_blk(m, "03", 1, "vda", 83886080, modern=True, read_ahead_kb=128)
    block.partition(m, disk, 1, 2048, 83884032)
    root = guest.virtio_scsi(m, "04", 2, 0)
    guest.scsi_disk(m, root, "0:0:0:0", "sda", ("QEMU", "QEMU HARDDISK", "2.5+"), 1048576,
                    "pci-0000:00:04.0-scsi-0:0:0:0", "vscsi25", rate=1)
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual", findings=MEDIUM,
             why="rotational=1 is virtio's default and led to nothing.")
    m.expect("sda", "virtual-disk", "virtio", "flash", "paravirtual")


@healthy("6.1", "Guest with virtio disks on 6.1.",
         "kernel-logs/6.1-multi-device-full.log (vda, sda)", FILLED)
def virtio_guest_6_1(m):
    virtio_guest(m)


@healthy("6.12", "Guest with virtio disks on 6.12.",
         "kernel-logs/6.12-libata-force-noncq.log (layout)", FILLED)
def virtio_guest_6_12(m):
    virtio_guest(m)


@healthy("6.18", "Guest with virtio disks on 6.18, whose readahead a policy set back "
         "to 128.", "kernel.md 0.8; virtio-blk-6-18 before that", FILLED)
def virtio_guest_6_18(m):
    virtio_guest(m)


def qemu_guest(m):
    """Every emulated and paravirtual disk but PIIX IDE."""
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)", cpus=2)
    hba = guest.qemu_ahci(m, first=1)
    for index, rpm in enumerate((1, 7200)):
        ata.disk(m, hba, f"sd{'ab'[index]}", index + 1, index,
                 guest.qemu_drive(f"QM0000{index}", rpm, True), max_hw_sectors_kb=128,
                 read_ahead_kb=128)
    m.expect("sda", "virtual-disk", "sata", "flash", "emulated-ahci", "on")
    m.expect("sdb", "virtual-disk", "sata", "rotational", "emulated-ahci", "on")
    function = "/devices/pci0000:00/0000:00:08.0"
    host.pci(m, function, "0x010802", "1b36:0010", "nvme", "1af4:1100", "0x02",
             link=(2.5, 1, 2.5, 1))
    nvme.pcie_disk(m, function, 0, Ssd("QEMU NVMe Ctrl", "nvme1", "7.2.22", 1048576,
                   queues=2, io_opt=512), 0)
    expect_nvme(m)
    xhci = "/devices/pci0000:00/0000:00:09.0"
    host.pci(m, xhci, "0x0c0330", "1b36:000d", "xhci_hcd", "1af4:1100", "0x01")
    disk = ("QEMU", "QEMU HARDDISK", "2.5+")
    for port, (name, gadget) in enumerate((
            ("sdc", Gadget("46f4", "0003", "QEMU", "USB Attached SCSI HBA", "PSEUDO30",
                           disk, 1048576, uas=True, depth=14, pgb1=0)),
            ("sdd", Gadget("46f4", "0001", "QEMU", "QEMU USB HARDDRIVE", "USB30", disk,
                           1048576))), 1):
        usb.disk(m, xhci, 2, port, name, port + 8, gadget)
        m.expect(name, "virtual-disk", "usb", "unknown",
                 "usb-uas" if gadget.uas else "usb-bot", findings=MEDIUM)


@healthy("6.1", "QEMU guest with AHCI, NVMe and USB disks on 6.1.",
         "kernel-logs/6.1-multi-device-full.log (sdc, sdd, nvme0n1, sde, sdf)", FILLED)
def qemu_guest_6_1(m):
    qemu_guest(m)


@healthy("6.12", "QEMU guest with AHCI, NVMe and USB disks on 6.12.",
         "kernel-logs/6.12-knob-writes-and-uevents.log (layout)", FILLED)
def qemu_guest_6_12(m):
    qemu_guest(m)


@healthy("6.1", "VMware guest on pvscsi with scheduler none.", "R30, R46", FILLED)
def vmware_pvscsi(m):
    guest.vmware(m, "VMware20,1", cpus=4)
    guest.scsi_disk(m, guest.pvscsi(m), "0:0:0:0", "sda",
                    ("VMware", "Virtual disk", "2.0"), 83886080,
                    "pci-0000:03:00.0-scsi-0:0:0:0", "6000c29PSEUDO28", depth=64,
                    scheduler="none", mq=(1, 254))
    m.expect("sda", "virtual-disk", "scsi", "unknown", "paravirtual", findings=MEDIUM)


@healthy("6.6", "Hyper-V guest on a server of one's own.", "kernel.md 1.1", FILLED)
def hyperv_guest(m):
    guest.azure(m)
    guest.hyperv_disk(m, 0, "sda", 268435456)
    m.expect("sda", "virtual-disk", "hyperv", "unknown", "paravirtual", findings=MEDIUM)


@healthy("5.10", "Xen guest with scheduler none.", "kernel.md 1.1", FILLED)
def xen_guest_well(m):
    host.kernel_files(m, "root=/dev/xvda1 ro console=hvc0", guest=True, cpus=2)
    guest.xen_blk(m, "xvda", 51712, 41943040, scheduler="none", max_hw_sectors_kb=1024,
                  max_segments=256)
    m.expect("xvda", "virtual-disk", "xen", "unknown", "paravirtual", findings=MEDIUM)


@healthy("6.12", "Server where a drive of 1 TB stands beside a larger one in a dm linear "
         "volume, both SSDs.", "R23, R50 (of md only)", FILLED)
def lvm_over_two_ssd(m):
    host.kernel_files(m, cpus=8)
    host.dmi(m, "Dell Inc.", "PowerEdge R340", board="045M96")
    hba = ata.ahci(m, "8086:a352", "1028:08d9", slot="17.0")
    larger = Drive("Samsung SSD 870 EVO 2TB", "S6PSEUDO870029H", "SVT03B6Q", "2T",
                   wwn="5002538f00000029")
    parts = [block.partition(m, disk, 1, 2048, 1000000000)
             for disk in sata(m, hba, [EVO_870, larger])]
    stack.dm(m, 0, "vg-data", "LVM-pseudodata29", parts, 1999990784)
    m.expect("dm-0", "stacked", "dm", "flash", "stacked")
