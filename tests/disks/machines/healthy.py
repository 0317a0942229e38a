# SPDX-License-Identifier: MIT
"""Healthy machines of bare metal: nothing at warn or above, on any disk or the machine.

Each has something that looks like a fault and is none."""

import functools

from kit import ata, block, host, nvme, stack, transport, usb
from kit.ata import Drive
from kit.nvme import Ssd

from . import captured
from .mmc import card, sd_status
from .usb import BOT_HDD, STICK, UAS_SSD, XHCI

FILLED = "all of it, after what such machines show"
healthy = functools.partial(captured, folder="healthy")

EVO_870 = Drive("Samsung SSD 870 EVO 1TB", "S6PSEUDO870001H", "SVT03B6Q", "1T",
                wwn="5002538f00000001")
RED_4T = Drive("WDC WD40EFRX-68N32N0", "WD-WCCPSEUDO02", "82.00A82", "4T", rpm=5400,
               physical=4096, wwn="50014ee000000002")
SN770 = Ssd("WD_BLACK SN770 1TB", "22PSEUDO0003", "731100WD", 1953525168, queues=16)
SPEED = {1: "1.5", 2: "3.0", 3: "6.0"}


def ata_log(m, function, drives, start=1.3):
    """The lines of a boot without trouble; `drives` is (ata, drive or None, speed)."""
    at = f"ahci {function}:"
    lines = [f"{at} version 3.0",
             f"{at} AHCI 0001.0301 32 slots {len(drives)} ports 6 Gbps "
             f"0x{(1 << len(drives)) - 1:x} impl SATA mode",
             f"{at} flags: 64bit ncq sntf pm led clo only pio slum part deso sadm sds "
             "apst "]
    for number, drive, speed in drives:
        if drive is None:
            lines.append(f"ata{number}: SATA link down (SStatus 4 SControl 300)")
            continue
        lines += [f"ata{number}: SATA link up {SPEED[speed]} Gbps (SStatus 1{speed}3 "
                  "SControl 300)",
                  f"ata{number}.00: ATA-10: {drive.model}, {drive.firmware}, max UDMA/133",
                  f"ata{number}.00: {drive.sectors} sectors, multi 16: LBA48 NCQ (depth "
                  "32), AA", f"ata{number}.00: configured for UDMA/133"]
    m.kernel_log(lines, start)


def nvme_disk(m, ssd=SN770, number=0, device=(16.0, 4, 16.0, 4), port=(16.0, 4, 16.0, 4),
              status="active", minor=None, **queue):
    bridge = f"/devices/pci0000:00/0000:00:06.{number}"
    host.bridge(m, bridge, "8086:464d", port).set({"power/runtime_status": status})
    function = f"{bridge}/0000:{number + 1:02x}:00.0"
    host.pci(m, function, "0x010802", "15b7:5017", "nvme", "15b7:5017",
             link=device).set({"power/runtime_status": status})
    disk = nvme.pcie_disk(m, function, number, ssd, number if minor is None else minor,
                          **queue)
    nvme.log_found(m, number, function.rsplit("/", 1)[1], ssd, 1.2 + number / 100)
    return disk


def expect_nvme(m, name="nvme0n1", findings=(), why=None):
    m.expect(name, "nvme-ssd", "nvme", "flash", "nvme-pcie", findings=findings, why=why)


def expect_sata(m, name, drive, findings=(), why=None):
    m.expect(name, "sata-ssd" if drive.rpm == 1 else "sata-hdd", "sata",
             "flash" if drive.rpm == 1 else "rotational", "ahci", "on", findings, why)


def sata(m, hba, drives, **queue):
    """Drives on the first ports, with their boot log and expectations."""
    disks = []
    for index, drive in enumerate(drives):
        name = f"sd{chr(ord('a') + index)}"
        values = {"read_ahead_kb": 512, **queue} if drive.rpm != 1 else queue
        disks.append(ata.disk(m, hba, name, hba.first + index, index, drive, **values))
        expect_sata(m, name, drive)
    ata_log(m, hba.path.rsplit("/", 1)[1],
            [(hba.first + index, drive, min(hba.gen, drive.gen))
             for index, drive in enumerate(drives)])
    return disks


def drives(model, count, size, firmware, rpm=7200, **fields):
    return [Drive(model, f"PSEUDO{model[-4:]}{index:02d}", firmware, size, rpm=rpm,
                  physical=4096, wwn=f"5000c5000100{len(model):02x}{index:02x}", **fields)
            for index in range(count)]


@healthy("6.1", "Laptop on battery: the NVMe SSD sleeps, its link is down to 2.5 GT/s.",
         "kernel.md 7 (runtime power saving)", FILLED)
def laptop_nvme_asleep(m):
    host.kernel_files(m, efi=True, cpus=16)
    host.dmi(m, "LENOVO", "21CBCTO1WW", bios="N3AET80W")
    nvme_disk(m, device=(2.5, 4, 16.0, 4), port=(2.5, 4, 16.0, 4), status="suspended")
    expect_nvme(m, findings=["pcie-link-degraded:info"],
                why="Open: runtime_status is suspended, so the speed says nothing (R18): "
                "info of low confidence. That it could not be checked would be nearer.")


@healthy("6.1", "Desktop with a SATA SSD and a hard disk on AHCI and a clean kernel log.",
         "kernel-logs/6.1-multi-device-full.log (layout)", FILLED)
def desktop_clean_log(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME Z390-A",
             "American Megatrends Inc.", "2004")
    hba = ata.ahci(m, "8086:a352", "1043:8694", slot="17.0", lpm="med_power_with_dipm")
    sata(m, hba, [EVO_870, RED_4T])
    ata.empty_port(m, hba, 3, 2)


@healthy("6.12", "Desktop whose hard disk was plugged in while it ran: one PHYRdyChg with "
         "DevExch, no failed command.", "kernel.md 2; drivers/ata/libata-eh.c", FILLED)
def hot_plugged_sata(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Dell Inc.", "OptiPlex 7060", board="0C96W1", bios="1.13.1")
    hba = ata.ahci(m, "8086:a352", "1028:085a", slot="17.0", lpm="max_performance")
    sata(m, hba, [EVO_870, RED_4T])
    m.kernel_log([
        "ata2: exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen",
        "ata2: irq_stat 0x00000040, connection status changed",
        "ata2: SError: { PHYRdyChg CommWake DevExch }",
        "ata2: hard resetting link",
        "ata2: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
        "ata2.00: ATA-9: WDC WD40EFRX-68N32N0, 82.00A82, max UDMA/133",
        "ata2.00: 7814037168 sectors, multi 16: LBA48 NCQ (depth 32), AA",
        "ata2.00: configured for UDMA/133",
        "ata2: EH complete",
        "scsi 1:0:0:0: Direct-Access     ATA      WDC WD40EFRX-68N 0A82 PQ: 0 ANSI: 5",
        "sd 1:0:0:0: [sdb] Attached SCSI disk"], 3605.2)


@healthy("5.15", "AMD board with SB750 in IDE mode, which the kernel switched to AHCI.",
         "kernel.md 0.4 (quirk_amd_ide_mode)", FILLED)
def amd_sb7xx_switched(m):
    host.kernel_files(m, cpus=4)
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "GA-MA770T-UD3P",
             bios_vendor="Award Software International, Inc.", bios="F9")
    m.kernel_log(["pci 0000:00:11.0: set SATA to AHCI mode"], 0.3)
    hba = ata.ahci(m, "1002:4390", "1458:b002", slot="11.0", gen=2)
    drive = Drive("WDC WD10EZEX-08WN4A0", "WD-WCC6PSEUDO04", "01.01A01", "1T", rpm=7200,
                  gen=2, physical=4096, wwn="50014ee000000004")
    sata(m, hba, [drive])


@healthy("6.1", "Office machine with Intel AMT: its IDE redirection function has class "
         "0101 and no disk.", "diagnosis-rules.md R2", FILLED)
def amt_redirection_unused(m):
    host.kernel_files(m, efi=True, cpus=4)
    host.dmi(m, "HP", "HP Compaq Elite 8300 SFF", board="3397", bios="K01 v02.99")
    host.pci(m, "/devices/pci0000:00/0000:00:16.2", "0x010185", "8086:1e3c",
             "ata_generic", "103c:3397", "0x04")
    hba = ata.ahci(m, "8086:1e02", "103c:3397", slot="1f.2")
    sata(m, hba, [EVO_870])


@healthy("5.10", "NAS with four hard disks on mq-deadline in a raid5.", "R30, R39", FILLED)
def nas_raid5(m):
    host.kernel_files(m, cpus=4)
    host.dmi(m, "ASUSTOR", "AS5304T", board="Celeron J4105")
    hba = ata.ahci(m, "8086:31e3", "1849:31e3", slot="12.0")
    four = drives("ST8000VN004-2M2101", 4, "8T", "SC60")
    parts = [block.partition(m, disk, 1, 2048, 15628050432)
             for disk in sata(m, hba, four)]
    stack.md(m, 0, "raid5", parts, 46883756544, 65536, minimum_io_size=65536,
             optimal_io_size=196608, rotational=1)
    m.expect("md0", "stacked", "md", "rotational", "stacked",
             why="384 KiB of readahead are two stripes.")


@healthy("6.1", "Server whose owner holds one hard disk at queue_depth 1.",
         "diagnosis-rules.md R13", FILLED)
def hdd_depth_one_by_choice(m):
    host.kernel_files(m, cpus=8)
    host.dmi(m, "Dell Inc.", "PowerEdge T340", board="07PF8T")
    hba = ata.ahci(m, "8086:a352", "1028:08d9", slot="17.0")
    gold = drives("WDC WD4003FRYZ-01F0DB0", 1, "4T", "01.01H01")[0]
    ata.disk(m, hba, "sda", 1, 0, gold, depth=1, read_ahead_kb=512)
    ata_log(m, "0000:00:17.0", [(1, gold, 3)])
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "off", ["ncq-off:info"],
             "The owner's choice for a mixed load (R13).")


@healthy("6.6", "Storage server: SAS SSDs and hard disks, some behind an expander.",
         "kernel.md 1.1 (end_device)", FILLED)
def storage_server_expander(m):
    host.kernel_files(m, efi=True, cpus=32)
    host.dmi(m, "Supermicro", "SSG-640SP-E1CR60", board="X12DSC-6", bios="1.4")
    function = "/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"
    host.bridge(m, "/devices/pci0000:3a/0000:3a:00.0", "8086:347a", (8.0, 8, 16.0, 16))
    host.pci(m, function, "0x010700", "1000:00ac", "mpt3sas", "15d9:1b82", "0x01",
             link=(8.0, 8, 8.0, 8), numa=0)
    root = transport.sas_host(m, function, 0, "mpt3sas", 9664)
    for index in range(8):
        name, flash = f"sd{'abcdefgh'[index]}", index < 2
        transport.sas_disk(
            m, root, 0, index, name, ("KIOXIA", "KPM6XRUG1T92", "0106") if flash
            else ("SEAGATE", "ST16000NM002G", "E004"), 3750748848 if flash
            else 31251759104, f"5000c500020000{index:02x}", rate=1 if flash else 7200,
            serial=f"PSEUDOH{index}", physical_block_size=4096,
            expander=None if flash else 0, read_ahead_kb=128 if flash else 512)
        m.expect(name, "sas-ssd" if flash else "sas-hdd", "sas",
                 "flash" if flash else "rotational", "hba")


@healthy("6.1", "Server with two NVMe SSDs in md raid1.", "kernel.md 8", FILLED)
def nvme_raid1(m):
    host.kernel_files(m, efi=True, cpus=32)
    host.dmi(m, "Dell Inc.", "PowerEdge R6515", board="0R4CNN")
    parts = []
    for number in range(2):
        ssd = Ssd("SAMSUNG MZQL21T9HCJR-00A07", f"S64PSEUDO{number:02d}", "GDC5602Q",
                  3750748848, queues=32, volatile_cache=False)
        disk = nvme_disk(m, ssd, number, minor=2 * number)
        parts.append(block.partition(m, disk, 1, 2048, 3750744064,
                                     dev=(259, 2 * number + 1)))
        expect_nvme(m, f"nvme{number}n1")
    stack.md(m, 1, "raid1", parts, 3750481920)
    m.expect("md1", "stacked", "md", "flash", "stacked")


@healthy("6.1", "Archive server: md raid6 over eight hard disks with the readahead of its "
         "stripe.", "diagnosis-rules.md R34, R39", FILLED)
def md_raid6_stripe(m):
    host.kernel_files(m, cpus=8)
    host.dmi(m, "Supermicro", "X11SSL-F")
    hba = ata.ahci(m, "8086:a102", "15d9:0884", slot="17.0")
    eight = drives("TOSHIBA MG07ACA14TE", 8, "14T", "0101")
    parts = [block.partition(m, disk, 1, 2048, 27344760832)
             for disk in sata(m, hba, eight)]
    stack.md(m, 127, "raid6", parts, 164068564992, 524288, minimum_io_size=524288,
             optimal_io_size=3145728, rotational=1)
    m.expect("md127", "stacked", "md", "rotational", "stacked",
             findings=["readahead-from-io-opt:info"],
             why="6144 KiB are two stripes of six data disks: explained, and meant.")


@healthy("6.12", "Laptop: LVM on dm-crypt on NVMe, all at 128.", "R37", FILLED)
def dm_crypt_lvm_laptop(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Dell Inc.", "XPS 13 9310", board="0MRT12")
    disk = nvme_disk(m, Ssd("PC711 NVMe SK hynix 1TB", "SJPSEUDO0011", "41002131",
                            1953525168), device=(8.0, 4, 8.0, 4))
    part = block.partition(m, disk, 3, 2500608, 1951022080, dev=(259, 3))
    crypt = stack.dm(m, 0, "luks", "CRYPT-LUKS2-0pseudoh-luks", [part], 1950989312,
                     virt_boundary_mask=4095)
    for minor, name in enumerate(("root", "home"), 1):
        stack.dm(m, minor, f"vg-{name}", f"LVM-pseudo{name}", [crypt], 195309568,
                 {"DM_VG_NAME": "vg", "DM_LV_NAME": name}, virt_boundary_mask=4095)
    expect_nvme(m)
    for minor in range(3):
        m.expect(f"dm-{minor}", "stacked", "dm", "flash", "stacked")


@healthy("6.6", "Workstation with btrfs over two SATA SSDs: there is no stack that sysfs "
         "shows.", "kernel.md 4.2 (private bdi)", FILLED)
def btrfs_two_disks(m):
    host.kernel_files(m, efi=True, cpus=12)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "ROG STRIX B550-F")
    hba = ata.ahci(m, "8086:a352", "1043:8694", slot="17.0", lpm="med_power_with_dipm")
    two = drives("CT2000MX500SSD1", 2, "2T", "M3CR046", 1)
    for disk in sata(m, hba, two):
        disk.prop({"ID_FS_TYPE": "btrfs", "ID_FS_UUID": "00000000-pseudo"})
    m.file("/proc/self/mountinfo",
           "28 1 0:25 /@ / rw,noatime shared:1 - btrfs /dev/sda rw,subvol=/@\n")


def usb_desktop(m, kernel_cpus=8):
    host.kernel_files(m, cpus=kernel_cpus)
    host.dmi(m, "Intel(R) Client Systems", "NUC8i5BEH", "Intel Corporation", bios="0085")
    host.pci(m, XHCI, "0x0c0330", "8086:9ded", "xhci_hcd", "8086:2074", "0x30")


@healthy("6.1", "Small desktop with an SSD in a UAS enclosure, reset once at resume.",
         "diagnosis-rules.md R43", FILLED)
def uas_ssd(m):
    usb_desktop(m)
    usb.disk(m, XHCI, 2, 1, "sda", 2, UAS_SSD)
    usb.log_found(m, 2, 1, "sda", 2, UAS_SSD)
    m.kernel_log(["PM: suspend entry (deep)", "PM: suspend exit",
                  "usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd"], 900.0)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             why="One reset after suspend, and no command was given up.")


@healthy("6.1", "The same desktop with a stick and a hard disk behind usb-storage.",
         "kernel.md 1.2", FILLED)
def usb_stick(m):
    usb_desktop(m)
    usb.disk(m, XHCI, 2, 1, "sda", 2, STICK)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, BOT_HDD)
    usb.log_found(m, 2, 1, "sda", 2, STICK)
    usb.log_found(m, 2, 2, "sdb", 3, BOT_HDD, start=2.5)
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot")
    m.expect("sdb", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "usb-quirk-cost:info"])


@healthy("6.1", "Single-board computer with an A1 card: no command queue, and none needed.",
         "diagnosis-rules.md R51", FILLED)
def sd_card_a1_board(m):
    host.kernel_files(m, "console=tty1 root=/dev/mmcblk0p2 rootwait", arm=True, cpus=4)
    slot = "/devices/platform/emmc2bus/fe340000.mmc"
    m.add(slot, "platform").driver("platform", "sdhci-iproc")
    disk = card(m, slot, 0, "aaaa", "mmcblk0", "SD", 62333952, 0, "platform-fe340000.mmc",
                {"name": "SC32G", "manfid": "0x000003", "serial": "0x0badc0a1",
                 "oemid": "0x5344", "ssr": sd_status(1)})
    block.partition(m, disk, 1, 8192, 524288)
    m.expect("mmcblk0", "sd-card", "mmc", "flash", "sd")


@healthy("5.10", "Phone-like board with eMMC and its command queue.",
         "diagnosis-rules.md R51", FILLED)
def emmc_board(m):
    host.kernel_files(m, "console=ttyMSM0 root=/dev/mmcblk0p30", arm=True, cpus=8)
    slot = "/devices/platform/soc@0/7c4000.mmc"
    m.add(slot, "platform").driver("platform", "sdhci_msm")
    card(m, slot, 0, "0001", "mmcblk0", "MMC", 122142720, 0, "platform-7c4000.mmc",
         {"name": "DV4064", "manfid": "0x000045", "serial": "0x0badc0a2", "cmdq_en": 1},
         nr_requests=64, tags=32, write_cache="write back")
    m.expect("mmcblk0", "emmc", "mmc", "flash", "emmc")


@healthy("6.6", "MacBook with Apple silicon: NVMe without a PCI parent, one queue.",
         "design.md 3 (nvme-platform)", FILLED)
def apple_m1(m):
    host.kernel_files(m, arm=True, cpus=8)
    device = "/devices/platform/soc/27bcc0000.nvme"
    m.add(device, "platform").driver("platform", "nvme-apple")
    ssd = Ssd("APPLE SSD AP0512Q", "0bPSEUDO000017", "874.0.0.", 122138133 * 8,
              logical=4096, queues=1, sqsize=62, max_hw_kb=1020)
    ctrl = nvme.controller(m, device, 0, ssd, "apple-nvme", "27bcc0000.nvme")
    nvme.subsystem(m, 0, ssd, [ctrl])
    disk = nvme.namespace(m, ctrl.path, "nvme0n1", ssd, 0, page_kb=16, scheduler="none")
    nvme.props(disk, ssd, "platform-27bcc0000.nvme-nvme-1")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-platform")
