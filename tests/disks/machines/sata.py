# SPDX-License-Identifier: MIT
"""SATA and PATA drives on libata controllers of real machines."""

from kit import ata, block, host
from kit.ata import Drive, Hba

from . import captured

LAYOUT = ("queue/, DMI, IDENTIFY frame and pseudonymous serial numbers, in the layout of "
          "kernel-logs/6.1-multi-device-full.log")

SAMSUNG_870 = Drive("Samsung SSD 870 EVO 500GB", "S0PSEUDO870001A", "SVT02B6Q",
                    "500G", wwn="5002538f00000a01")
SAMSUNG_860 = Drive("Samsung SSD 860 EVO 1TB", "S0PSEUDO860001B", "RVT04B6Q",
                    "1T", wwn="5002538e00000b02")
X25M = Drive("INTEL SSDSA2M080G2GC", "CVPSEUDO0025080BGN", "2CV102HD", "80G", gen=2,
             wwn="50015179000000c3")
WD_RED = Drive("WDC WD40EFRX-68N32N0", "WD-WCCPSEUDO01", "82.00A82", "4T", rpm=5400,
               physical=4096, wwn="50014ee0000000d4")
WD_BLACK = Drive("WDC WD5000AAKX-001CA0", "WD-WCAPSEUDO02", "15.01H15", "500G",
                 rpm=0, wwn="50014ee0000000d5")
SEAGATE_1T = Drive("ST1000DM003-1CH162", "Z1PSEUDO3", "CC47", "1T", rpm=7200,
                   physical=4096, wwn="5000c500000000e6")


@captured("6.1", "Intel desktop (Z170), SATA SSD and SATA hard disk on AHCI, healthy.",
          "controller and sysfs layout from kernel-logs/6.1-multi-device-full.log",
          LAYOUT)
def sata_ssd_ahci(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "Z170-A",
             "American Megatrends Inc.", "3802")
    hba = Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="eb36ff05",
              version="10301", lpm="med_power_with_dipm")
    host.pci(m, hba.path, "0x010601", "8086:a102", "ahci", "1043:8694",
             "0x31").set({"remapped_nvme": 0})
    sda = ata.disk(m, hba, "sda", 1, 0, SAMSUNG_870)
    block.partition(m, sda, 1, 2048, 1048576, props={"ID_FS_TYPE": "vfat"})
    block.partition(m, sda, 2, 1050624, 975720448, props={"ID_FS_TYPE": "ext4"})
    ata.disk(m, hba, "sdb", 2, 1, WD_RED)
    ata.empty_port(m, hba, 3, 2)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on")


@captured("5.15", "Desktop with one SATA hard disk on AHCI, kernel 5.15 (no vpd_pgb1).",
          "cases.jsonl b15-wdgold-ncq-starvation (drive kind); layout of the 6.1 log",
          LAYOUT)
def sata_hdd_ahci(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "OptiPlex 7010", "Dell Inc.", "0GY6Y8", "Dell Inc.",
             "A29")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="c730df03")
    host.pci(m, hba.path, "0x010601", "8086:1e02", "ahci", "1028:0577",
             "0x04").set({"remapped_nvme": 0})
    sda = ata.disk(m, hba, "sda", 1, 0, SEAGATE_1T)
    block.partition(m, sda, 1, 2048, 1953519616)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="IDENTIFY word 217 is 7200; sysfs has no vpd_pgb1 before about 6.0.")


def ich10_board(m):
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "EP45-UD3", bios_vendor=
             "Award Software International, Inc.", bios="F10")
    host.kernel_files(m)


@captured("6.1", "The seed of this project: Intel X25-M behind an ICH10R in IDE mode. "
          "The pair seed-ich10r-ahci is the same machine after the BIOS switch.",
          "report in design.md 1 (SSD in IDE mode, ICH10R, driver piix); PCI ids from "
          "kernel.md 3.3; ata_piix values from kernel-logs/6.1-multi-device-full.log "
          "(sdb)", LAYOUT)
def seed_ich10r_ide(m):
    ich10_board(m)
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ata_piix", can_queue=1, gen=2,
              lpm="max_performance", segments=128)
    host.pci(m, hba.path, "0x01018f", "8086:3a20", "ata_piix", "1458:b002")
    second = Hba("/devices/pci0000:00/0000:00:1f.5", "ata_piix", can_queue=1, gen=2,
                 first=3, segments=128)
    host.pci(m, second.path, "0x010185", "8086:3a26", "ata_piix", "1458:b002")
    sda = ata.disk(m, hba, "sda", 1, 0, X25M)
    block.partition(m, sda, 1, 2048, 156299264, props={"ID_FS_TYPE": "ext4"})
    ata.disk(m, hba, "sdb", 2, 1, WD_BLACK, slot=1)
    ata.empty_port(m, second, 3, 2)
    m.expect("sda", "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn"],
             "A SATA drive (word 76) on ata_piix under class 0101: the host cannot queue.")
    m.expect("sdb", "sata-disk-ide", "sata", "unknown", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn", "medium-unknown:info"],
             "Word 217 is 0: the rotational flag is sd's default. A drive of 6 Gbps at 3: "
             "in IDE mode nothing tells what the port can, and without the kernel log "
             "(there is none here) why it is so slow could not be checked.")


@captured("6.1", "The machine of seed-ich10r-ide after the switch to AHCI in the BIOS.",
          "report in design.md 1; PCI ids from kernel.md 3.3; ahci values from "
          "kernel-logs/6.1-multi-device-full.log (sdc)", LAYOUT)
def seed_ich10r_ahci(m):
    ich10_board(m)
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="e722ff05", gen=2,
              version="10200")
    host.pci(m, hba.path, "0x010601", "8086:3a22", "ahci",
             "1458:b005").set({"remapped_nvme": 0})
    sda = ata.disk(m, hba, "sda", 1, 0, X25M)
    block.partition(m, sda, 1, 2048, 156299264, props={"ID_FS_TYPE": "ext4"})
    ata.disk(m, hba, "sdb", 2, 1, WD_BLACK)
    for number in range(3, 7):
        ata.empty_port(m, hba, number, number - 1)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info", "sata-port-limit:info"],
             "Word 217 is 0 and so is VPD 0xB1: the medium is not reported. The host's "
             "capabilities say 3 Gbps, the drive 6.")


@captured("5.10", "Dell Inspiron 6400 laptop: SATA SSD on the ICH7-M function in "
          "compatibility mode, optical PATA drive on the same chip; no AHCI option.",
          "cases.jsonl a01-ich7m-inspiron6400 (8086:27c4 rev 01, class 0101)", LAYOUT)
def ich7m_ide_laptop(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "MM061", "Dell Inc.", "0KD882", "Dell Inc.", "A17")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ata_piix", can_queue=1, gen=1,
              speed_known=False, lpm="", segments=128)
    host.pci(m, hba.path, "0x010180", "8086:27c4", "ata_piix", "1028:01bd", "0x01")
    ata.disk(m, hba, "sda", 1, 0, Drive("KINGSTON SA400S37240G", "50026PSEUDO77",
             "SBFK71E0", "240G", wwn="50026b7700000f01"))
    pata = ata.optical(m, hba, "sr0", 2, 1, "TSSTcorp DVD+-RW TS-L632D", "PSEUDO04",
                       sata=False)
    pata.prop({"ID_CDROM_DVD_RW": 1})
    m.expect("sda", "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn"])
    m.expect("sr0", "optical", "ata", "unknown", "pata",
             why="Optical drives take no part in NCQ and media findings; word 76 is 0.")


@captured("5.15", "Desktop with AMD SB750: BIOS left the function in IDE mode, the kernel "
          "switched it (quirk_amd_ide_mode), ahci is bound by the IDE id. Healthy. "
          "A PATA drive stays on pata_atiixp.",
          "kernel.md 0.4 and 3.3 (1002:4390 flipped to 0x010601)", LAYOUT)
def sb750_switched_by_kernel(m):
    host.kernel_files(m)
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "GA-MA790XT-UD4P")
    hba = Hba("/devices/pci0000:00/0000:00:11.0", "ahci", caps="f722ff05", gen=2,
              version="10100")
    host.pci(m, hba.path, "0x010601", "1002:4390", "ahci",
             "1458:b002").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, Drive("CT480BX500SSD1", "1909EPSEUDO05", "M6CR013",
             "480G", wwn="500a075100000f02"))
    legacy = Hba("/devices/pci0000:00/0000:00:14.1", "pata_atiixp", can_queue=1, first=5,
                 speed_known=False, lpm="", segments=128)
    host.pci(m, legacy.path, "0x01018a", "1002:439c", "pata_atiixp", "1458:5002")
    ata.disk(m, legacy, "sdb", 5, 4, Drive("ST3160815A", "9RPSEUDO06", "3.AAD", "160G",
             rpm=0, sata=False, gen=1, ncq=False, trim=False, udma=5))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on", ["sata-port-limit:info"],
             "The id is an IDE-mode id; class and driver say AHCI, and they count. The "
             "host has 3 Gbps.")
    m.expect("sdb", "pata-disk", "ata", "unknown", "pata", "unsupported",
             ["medium-unknown:info"],
             "A true PATA drive: word 76 is 0. No ata-ide-mode finding.")


@captured("6.1", "HP MicroServer-like AMD board: Samsung 860 EVO on an ATI (1002) AHCI "
          "function; the kernel's NO_NCQ_ON_ATI quirk leaves NCQ off.",
          "cases.jsonl b10-860evo-amd-noncq; kernel.md 2.3 (NO_NCQ_ON_ATI)", LAYOUT)
def sb700_samsung_860(m):
    host.kernel_files(m)
    host.dmi(m, "HP", "ProLiant MicroServer", "", "", "HP", "O41")
    hba = Hba("/devices/pci0000:00/0000:00:11.0", "ahci", caps="f722ff03", gen=2,
              version="10200")
    host.pci(m, hba.path, "0x010601", "1002:4391", "ahci", "103c:1609",
             "0x40").set({"remapped_nvme": 0})
    sda = ata.disk(m, hba, "sda", 1, 0, SAMSUNG_860, depth=1)
    block.partition(m, sda, 1, 2048, 1953519616)
    ata.disk(m, hba, "sdb", 2, 1, WD_RED)
    m.blocks[f"{hba.path}/ata1/link1/dev1.0/ata_device/dev1.0"].set(
        {"trim": "forced_unqueued"})
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-bad-pair:info", "ncq-off:info", "sata-port-limit:info"],
             "Drive and host can queue, the known pair does not; severity info.")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["sata-port-limit:info"])


@captured("6.1", "Desktop booted with libata.force=noncq for every port.",
          "kernel-logs/6.1-libata-force-noncq.log; cases.jsonl b13-armbian-meson64-global-noncq, "
          "b19-x250-ide-to-ahci-errors", LAYOUT)
def ahci_noncq_cmdline(m):
    host.kernel_files(m, "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet "
                         "libata.force=noncq")
    host.dmi(m, "LENOVO", "20CLS2RG00", "LENOVO", "20CLS2RG00", "LENOVO", "N10ET36W")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="c3343f02")
    host.pci(m, hba.path, "0x010601", "8086:9c83", "ahci", "17aa:2227",
             "0x03").set({"remapped_nvme": 0})
    sda = ata.disk(m, hba, "sda", 1, 0, Drive("Samsung SSD 840 EVO 250GB",
                   "S1PSEUDO840007C", "EXT0BB6Q", "250G", wwn="5002538500000f03"),
                   depth=1)
    block.partition(m, sda, 1, 2048, 488394752)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off", ["ncq-off:info"])


@captured("6.12", "Server where libata.force names two ports: 3 without NCQ, 4 slowed.",
          "kernel-logs/6.12-libata-force-noncq.log (sdb, sdc)", LAYOUT)
def ahci_noncq_one_port(m):
    host.kernel_files(m, "console=ttyS0 panic=5 quiet libata.force=3:noncq,4:1.5Gbps")
    host.dmi(m, "Supermicro", "X11SSH-F", "Supermicro", "X11SSH-F",
             "American Megatrends Inc.", "2.4")
    hba = Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="eb34ff07",
              version="10301")
    host.pci(m, hba.path, "0x010601", "8086:a102", "ahci", "15d9:0884",
             "0x31").set({"remapped_nvme": 0})
    micron = "Micron_5300_MTFDDAK960TDT"
    for number, name in ((1, "sda"), (3, "sdb"), (4, "sdc")):
        ata.disk(m, hba, name, number, number - 1,
                 Drive(micron, f"2012PSEUDO{number:02d}", "D3MU001", "960G",
                       physical=4096, wwn=f"500a07510000010{number}"),
                 depth=1 if number == 3 else None,
                 **({"speed": 1, "limit": 1, "hw_limit": 1} if number == 4 else {}))
    ata.empty_port(m, hba, 2, 1)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-ssd", "sata", "flash", "ahci", "off", ["ncq-off:info"])
    m.expect("sdc", "sata-ssd", "sata", "flash", "ahci", "on", ["sata-link-slow:info"],
             "The port is slowed by the command line, NCQ is not touched. Deliberate, so "
             "info, as for ncq-off (R9); R15 gives warn to what errors imposed.")


@captured("5.4", "CentOS-like server: somebody wrote 1 to queue_depth of one SSD and of "
          "one hard disk.",
          "cases.jsonl b06-queue-depth-1-centos and b15-wdgold-ncq-starvation", LAYOUT)
def ahci_depth_one_by_hand(m):
    host.kernel_files(m)
    host.dmi(m, "FUJITSU", "PRIMERGY TX1310 M1", "FUJITSU", "D3219-A1")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="c734ff02")
    host.pci(m, hba.path, "0x010601", "8086:8c02", "ahci", "1734:11e1", "0x05")
    ata.disk(m, hba, "sda", 1, 0, Drive("INTEL SSDSC2BB240G6", "BTPSEUDO0240AGN",
             "G2010150", "240G", physical=4096, wwn="55cd2e4000000f04"), depth=1)
    ata.disk(m, hba, "sdb", 2, 1, Drive("WDC WD2005FBYZ-01YCBB2", "WD-WMCPSEUDO08",
             "RR07", "2T", rpm=7200, wwn="50014ee000000f05"), depth=1)
    ata.disk(m, hba, "sdc", 3, 2, Drive("WDC WD2005FBYZ-01YCBB2", "WD-WMCPSEUDO09",
             "RR07", "2T", rpm=7200, wwn="50014ee000000f06"))
    for name in ("sda", "sdb"):
        m.expect(name, "sata-ssd" if name == "sda" else "sata-hdd", "sata",
                 "flash" if name == "sda" else "rotational", "ahci", "off",
                 ["ncq-off:warn" if name == "sda" else "ncq-off:info"],
                 "R13: for the hard disk the finding is info only."
                 if name == "sdb" else "Nothing explains it.")
    m.expect("sdc", "sata-hdd", "sata", "rotational", "ahci", "on")


@captured("6.1", "Old PC with a Silicon Image 3114 card: SATA SSD, native SATA, no NCQ.",
          "kernel.md 3.2 (sata_sil has no NCQ); diagnosis-rules.md R5", LAYOUT)
def sata_sil_card(m):
    host.kernel_files(m)
    host.dmi(m, "MSI", "MS-7181")
    path = "/devices/pci0000:00/0000:00:1e.0/0000:04:09.0"
    host.pci(m, "/devices/pci0000:00/0000:00:1e.0", "0x060401", "8086:244e")
    hba = Hba(path, "sata_sil", can_queue=1, gen=1, lpm="", segments=128)
    host.pci(m, path, "0x018000", "1095:3114", "sata_sil", "1095:3114", "0x02")
    ata.disk(m, hba, "sda", 1, 0, Drive("KINGSTON SV300S37A120G", "50026PSEUDO10",
             "525ABBF0", "120G", wwn="50026b7200000f07"))
    m.expect("sda", "sata-ssd", "sata", "flash", "sata-no-ncq", "unsupported",
             ["sata-no-ncq:info", "sata-port-limit:info"],
             "A native SATA driver without NCQ: no BIOS setting helps, so not -ide. "
             "All chips of this driver have 1.5 Gbps.")


@captured("6.1", "Silicon Image 3132 card: sata_sil24, NCQ with 31 tags.",
          "kernel.md 3.2 (sata_sil24 can_queue 31)", LAYOUT)
def sata_sil24_card(m):
    host.kernel_files(m)
    host.dmi(m, "ASUSTeK Computer INC.", "P5K")
    root = "/devices/pci0000:00/0000:00:1c.0"
    host.bridge(m, root, "8086:2940", (2.5, 1, 2.5, 1))
    hba = Hba(f"{root}/0000:02:00.0", "sata_sil24", can_queue=31, gen=2,
              lpm="max_performance")
    host.pci(m, hba.path, "0x018000", "1095:3132", "sata_sil24", "1095:7132", "0x01",
             link=(2.5, 1, 2.5, 1))
    ata.disk(m, hba, "sda", 1, 0, SEAGATE_1T)
    m.expect("sda", "sata-hdd", "sata", "rotational", "hba", "on",
             ["sata-port-limit:info"],
             "Open: design.md has no word for a native SATA host with NCQ that is not "
             "AHCI; `hba` is taken. All chips of this driver have 3 Gbps.")


@captured("6.1", "HP Pavilion laptop, SATA function locked in Intel RAID mode (8086:282a, "
          "class 0104) with driver ahci: fine for NCQ, no remapped NVMe.",
          "cases.jsonl a19-hp-pavilion-282a-raid; diagnosis-rules.md R6", LAYOUT)
def intel_raid_mode_ahci(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "HP", "HP Pavilion Gaming Laptop 15-dk0xxx", "HP", "85FB", "Insyde",
             "F.43")
    hba = Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="c734ff00",
              version="10301", lpm="med_power_with_dipm")
    host.pci(m, hba.path, "0x010400", "8086:282a", "ahci", "103c:85fb",
             "0x10").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, Drive("SAMSUNG MZ7LN256HAJQ-000H1", "S3PSEUDO256011D",
             "MVT24H0Q", "256G", wwn="5002538d00000f08"))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on", ["raid-class-ahci:info"])


@captured("6.1", "Dell laptop in RST mode: a SATA disk works, an NVMe drive is hidden "
          "behind the AHCI function (remapped_nvme 1).",
          "cases.jsonl j03-latitude7410-remap; kernel.md 3.4", LAYOUT)
def intel_rst_remapped(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Dell Inc.", "Latitude 7410", "Dell Inc.", "0M5G57", "Dell Inc.",
             "1.8.0")
    hba = Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="c734ff01",
              version="10301")
    host.pci(m, hba.path, "0x010400", "8086:282a", "ahci", "1028:09ce",
             "0x00").set({"remapped_nvme": 1})
    ata.disk(m, hba, "sda", 1, 0, SEAGATE_1T)
    m.expect_machine(["nvme-remapped:error"], "The hidden drive is no disk here.")
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["raid-class-ahci:info"])


@captured("6.1", "NAS with a five-bay enclosure: port multiplier with two disks on an "
          "AHCI port, one of them held at queue_depth 1.",
          "cases.jsonl b16-dx513-pmp-no-ncq; kernel.md 2.1 (PMP layout)", LAYOUT)
def port_multiplier(m):
    host.kernel_files(m)
    host.dmi(m, "Synology Inc.", "DS1513+")
    root = "/devices/pci0000:00/0000:00:03.0"
    host.bridge(m, root, "8086:0f4a", (5.0, 1, 5.0, 1))
    hba = Hba(f"{root}/0000:03:00.0", "ahci", caps="ff36ff07", first=3)
    host.pci(m, hba.path, "0x010601", "1b4b:9235", "ahci", "1b4b:9235", "0x11",
             link=(5.0, 1, 5.0, 2)).set({"remapped_nvme": 0})
    for bay, name in ((0, "sda"), (1, "sdb")):
        drive = Drive("HGST HDS721010CLA632", f"JPPSEUDO1{bay}", "JP4OA41A", "1T",
                      rpm=7200, gen=2, wwn=f"5000cca0000002{bay:02d}")
        ata.disk(m, hba, name, 6, 5, drive, pmp=bay, pmp_links=5, speed=2,
                 depth=1 if bay else 32)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["pcie-slot-limit:info", "port-multiplier:info"],
             "The card has two lanes, its slot one (R19).")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "off",
             ["ncq-off:info", "pcie-slot-limit:info", "port-multiplier:info"],
             "Behind a multiplier, which may be the reason (R9); a hard disk besides.")


@captured("4.18", "Industrial PC with a true PATA disk and a CompactFlash card on pata_via.",
          "kernel.md 1.1 (word 76 rule) and 3.2; IDENTIFY of FooPATA in the 6.1 log",
          LAYOUT)
def pata_disk(m):
    host.kernel_files(m)
    host.dmi(m, "VIA Technologies, Inc.", "VT8237")
    hba = Hba("/devices/pci0000:00/0000:00:0f.1", "pata_via", can_queue=1, lpm="",
              speed_known=False, segments=128)
    host.pci(m, hba.path, "0x01018a", "1106:0571", "pata_via", revision="0x06")
    ata.disk(m, hba, "sda", 1, 0, Drive("IC35L080AVVA07-0", "VNPSEUDO12", "VA4OA52A",
             "80G", rpm=0, sata=False, gen=1, ncq=False, trim=False, udma=5))
    ata.disk(m, hba, "sdb", 1, 0, Drive("TS8GCF300", "PSEUDO13", "20100827", "80G",
             rpm=1, sata=False, gen=1, ncq=False, trim=False, udma=4), slot=1)
    m.expect("sda", "pata-disk", "ata", "unknown", "pata", "unsupported",
             ["medium-unknown:info"])
    m.expect("sdb", "pata-disk", "ata", "flash", "pata", "unsupported",
             why="Word 217 is 1; the class list has one word for PATA whatever its medium.")


@captured("6.1", "MacBook 3,1 booted through BIOS compatibility: ICH8-M in IDE mode.",
          "cases.jsonl a04-macbook31-ich8m (8086:2828)", LAYOUT)
def macbook_ich8m_ide(m):
    host.kernel_files(m)
    host.dmi(m, "Apple Inc.", "MacBook3,1", board="Mac-F22788C8", bios="MB31.88Z")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ata_piix", can_queue=1, gen=2,
              segments=128)
    host.pci(m, hba.path, "0x01018f", "8086:2828", "ata_piix", "8384:7680", "0x03")
    ata.disk(m, hba, "sda", 1, 0, Drive("WDC WD2500BEVS-88UST0", "WD-WXPSEUDO20",
             "01.01A01", "250G", rpm=5400, gen=1, wwn="50014ee000000e20"))
    m.expect("sda", "sata-hdd-ide", "sata", "rotational", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:info"], "A hard disk: info.")


@captured("6.1", "Xeon desktop with an Intel AMT IDE-redirection function (class 0101, no "
          "disk below) beside a healthy AHCI function.",
          "cases.jsonl a17-ider-false-positive (8086:1c3c); diagnosis-rules.md R2", LAYOUT)
def amt_ide_redirection(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "Precision T1600", board="06NWYK", bios="A20")
    host.pci(m, "/devices/pci0000:00/0000:00:16.2", "0x010185", "8086:1c3c",
             "ata_generic", "1028:04b0", "0x04")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="e730ff63", first=3)
    host.pci(m, hba.path, "0x010601", "8086:1c02", "ahci", "1028:04b0",
             "0x04").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 3, 2, SAMSUNG_870)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             why="Judge only the disk's own ancestor.")


@captured("6.1", "JMicron card whose AHCI function carries the IDE class code.",
          "kernel.md 3.1 (ahci.c:453-455, JMicron 2362)", LAYOUT)
def jmicron_ahci_ide_class(m):
    host.kernel_files(m)
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "P35-DS4")
    root = "/devices/pci0000:00/0000:00:1c.4"
    host.bridge(m, root, "8086:2948", (2.5, 1, 2.5, 1))
    hba = Hba(f"{root}/0000:03:00.0", "ahci", caps="c722ff01", gen=2, version="10000")
    host.pci(m, hba.path, "0x010185", "197b:2362", "ahci", "1458:b000", "0x02",
             link=(2.5, 1, 2.5, 1)).set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, SEAGATE_1T)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["sata-port-limit:info"],
             "Class 0101 alone is no proof: the bound driver is ahci and NCQ is on. The "
             "host's capabilities say 3 Gbps.")


@captured("6.1", "VIA boards: VT8237 (sata_via, RAID class) and VT8251 (ahci without the "
          "NCQ capability bit).",
          "cases.jsonl c13-vt8237-no-negotiation; kernel.md 2.3, 3.2 (vt8251)", LAYOUT)
def via_no_ncq(m):
    host.kernel_files(m)
    host.dmi(m, "ASUSTeK Computer INC.", "A8V-VM")
    hba = Hba("/devices/pci0000:00/0000:00:0f.0", "sata_via", can_queue=1, gen=1, lpm="",
              segments=128)
    host.pci(m, hba.path, "0x010400", "1106:3149", "sata_via", "1043:80ed", "0x80")
    ata.disk(m, hba, "sda", 1, 0, SEAGATE_1T)
    hba = Hba("/devices/pci0000:00/0000:00:0f.1", "ahci", caps="83227f03", gen=2, first=3,
              version="10000")
    host.pci(m, hba.path, "0x010601", "1106:3349", "ahci", "1043:8297",
             "0x20").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sdb", 3, 2, SAMSUNG_870, depth=1)
    m.expect("sda", "sata-hdd", "sata", "rotational", "sata-no-ncq", "unsupported",
             ["sata-no-ncq:info", "sata-port-limit:info"], "R5: whatever the PCI class "
             "says. This driver's chips have 1.5 Gbps.")
    m.expect("sdb", "sata-ssd", "sata", "flash", "sata-no-ncq", "unsupported",
             ["sata-no-ncq:info", "sata-port-limit:info"],
             "Open: driver ahci, but ahci_host_caps lacks bit 30, so by "
             "the letter it is a native SATA host without NCQ.")


@captured("6.1", "SATA drives without NCQ of their own on a healthy AHCI port.",
          "kernel.md 2.3 (truth table: word 76 bit 8 clear)", LAYOUT)
def drive_without_ncq(m):
    host.kernel_files(m)
    host.dmi(m, "FUJITSU", "ESPRIMO P720", board="D3221-A1")
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="c734ff02")
    host.pci(m, hba.path, "0x010601", "8086:8c02", "ahci", "1734:11e1",
             "0x05").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, Drive("Maxtor 6Y120M0", "Y3PSEUDO21", "YAR51HW0",
             "120G", rpm=0, gen=1, ncq=False, trim=False))
    ata.disk(m, hba, "sdb", 2, 1, Drive("SATADOM-SV 3SE", "20PSEUDO22", "S140714", "80G",
             ncq=False))
    m.expect("sda", "sata-disk", "sata", "unknown", "ahci", "unsupported",
             ["medium-unknown:info"], "The drive cannot; the host could. No finding of "
             "NCQ.")
    m.expect("sdb", "sata-ssd", "sata", "flash", "ahci", "unsupported")


@captured("5.10", "ARM NAS: sata_mv and a generic AHCI controller, both platform devices "
          "without PCI; one link slowed to 1.5 Gbps after errors.",
          "cases.jsonl c03-lschlv2-1p5g; kernel.md 3.2 (sata_mv, ahci_*)", LAYOUT)
def arm_platform_sata(m):
    host.kernel_files(m, "console=ttyS0,115200 root=/dev/sda2", arm=True)
    path = "/devices/platform/mbus/mbus:internal-regs/f1080000.sata"
    m.add(path, "platform").driver("platform", "sata_mv").set(
        {"modalias": "of:NsataT(null)Cmarvell,orion-sata"})
    hba = Hba(path, "sata_mv", can_queue=31, gen=2, lpm="")
    sda = ata.disk(m, hba, "sda", 1, 0, Drive("WDC WD10EADS-00L5B1", "WD-WCPSEUDO23",
                   "01.01A01", "1T", rpm=5400, gen=2, wwn="50014ee000000e23"), speed=1,
                   limit=1, device={"spdn_cnt": 1})
    path = "/devices/platform/soc/f2540000.sata"
    m.add(path, "platform").driver("platform", "ahci").set(
        {"modalias": "of:NsataT(null)Cgeneric-ahci"})
    hba = Hba(path, "ahci_platform", caps="ef36ff81", first=2)
    sdb = ata.disk(m, hba, "sdb", 2, 1, SAMSUNG_860)
    for disk, name in ((sda, "f1080000.sata"), (sdb, "f2540000.sata")):
        disk.symlinks = [link for link in disk.symlinks if "by-path" not in link]
        disk.prop({"ID_PATH_ATA_COMPAT": None, "ID_PATH": f"platform-{name}-ata-1.0",
                   "ID_PATH_TAG": f"platform-{name.replace('.', '_')}-ata-1_0"})
    m.expect("sda", "sata-hdd", "sata", "rotational", "hba", "on",
             ["sata-link-slow:info"],
             "A native SATA host with NCQ that is not AHCI, as sata_sil24. The limit of "
             "1.5 Gbps was imposed; a hard disk, so info.")
    m.expect("sdb", "sata-ssd", "sata", "flash", "ahci", "on")


@captured("6.1", "MacBook Air 6,1 after resume: link stepped down to 1.5 Gbps, UDMA/33.",
          "cases.jsonl c04-macbookair61-1p5g-udma33", LAYOUT)
def macbook_air_slow_link(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Apple Inc.", "MacBookAir6,1", board="Mac-35C1E88140C3E6CF", bios="110.0")
    root = "/devices/pci0000:00/0000:00:1c.5"
    host.bridge(m, root, "8086:9c1a", (5.0, 2, 5.0, 2))
    hba = Hba(f"{root}/0000:04:00.0", "ahci", caps="c337ff00", lpm="max_performance")
    host.pci(m, hba.path, "0x010601", "1b4b:9183", "ahci", "1b4b:9183", "0x14",
             link=(5.0, 2, 5.0, 2)).set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, Drive("APPLE SSD TS0128F", "13PSEUDO24", "109L0804",
             "120G", wwn="5000000000000e24"), speed=1, limit=1,
             device={"spdn_cnt": 2, "dma_mode": "XFER_UDMA_2", "xfer_mode": "XFER_UDMA_2",
                     "ering": "[17184212.120000000]BusError\n"
                     "[17179577.556000000]Unknown"})
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             ["sata-link-slow:warn", "udma-slow:warn"],
             "Imposed: a limit of 1.5 Gbps, and a mode that was lowered twice (spdn_cnt), "
             "whatever the log says: there is none here.")


@captured("6.18", "SATA drives on 6.18, whose readahead follows the rotational flag.",
          "kernel.md 0.8, 4.1 (2 x max_sectors); vm-notes.md (AHCI rotational disks 8192)",
          LAYOUT)
def sata_readahead_6_18(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "Z170-A",
             "American Megatrends Inc.", "3802")
    hba = Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="eb36ff05",
              version="10301", lpm="med_power_with_dipm")
    host.pci(m, hba.path, "0x010601", "8086:a102", "ahci", "1043:8694",
             "0x31").set({"remapped_nvme": 0})
    for number, (name, drive) in enumerate((("sda", SAMSUNG_870), ("sdb", SEAGATE_1T),
                                            ("sdc", WD_BLACK)), 1):
        ata.disk(m, hba, name, number, number - 1, drive)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="8192 = 2 x 4096, and the disk does rotate: no finding.")
    m.expect("sdc", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info", "readahead-false-rotational:warn"],
             "The same 8192, but word 217 is 0: nothing backs the flag (R36 with R21), and "
             "nothing contradicts it, as old drives that rotate have 0 there, too.")
