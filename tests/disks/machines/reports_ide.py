# SPDX-License-Identifier: MIT
"""Public reports: controllers in IDE mode, real and emulated, and false alarms of it."""

from kit import ata, block, host, log
from kit.ata import Drive, Hba

from . import case

FILLED = ("drive, DMI strings beyond the report's, kernel version, queue/ and log lines in "
          "the formats of libata; serial numbers are pseudonyms")
UV400 = Drive("KINGSTON SUV400S37240G", "50026PSEUDO31", "0C3FD6SD", "240G",
              wwn="50026b7260000f31")
BARRACUDA = Drive("ST3250410AS", "6RPSEUDO32", "3.AAC", "250G", rpm=7200, gen=2,
                  wwn="5000c50000000f32")
TRAVELSTAR = Drive("HTS543216L9A300", "081PSEUDO33", "FB2OC40C", "160G", rpm=5400, gen=1,
                   wwn="5000cca500000f33")


def ide_log(m, hba, combined, *drives):
    """drives: (ata, name, hctl, Drive)."""
    log.boot(m)
    lines = log.piix(hba, combined)
    for number, name, hctl, drive in drives:
        lines += log.probe(number, drive, depth=0, gen=2 if hba.speed_known else None)
        lines += log.attached(name, hctl, drive)
    m.kernel_log(lines)


@case("5.10", "Dell Inspiron 6400 laptop: SATA SSD on the ICH7-M function in IDE mode, "
      "firmware without an AHCI option.",
      "machine, function 00:1f.2, id 8086:27c4 rev 01, class 0101, no BIOS option",
      FILLED)
def a01_ich7m_inspiron6400(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "MM061", "Dell Inc.", "0KD882", "Dell Inc.", "A17")
    hba = ata.ide(m, "8086:27c4", "1028:01bd", klass="0x010180")
    disk = ata.disk(m, hba, "sda", 1, 0, UV400)
    block.partition(m, disk, 1, 2048, 468858880, props={"ID_FS_TYPE": "ext4"})
    ide_log(m, hba, "P0 P2 IDE IDE", (1, "sda", "0:0:0:0", UV400))
    m.expect("sda", "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn"],
             "The sibling 27c5 is AHCI. ICH7-M cannot tell the link's speed.")


@case("5.10", "Apple Mac Pro (2006), booted through the BIOS emulation of its firmware: "
      "ESB2 in IDE mode.",
      "machine, legacy boot (no /sys/firmware/efi), IDE mode under it, AHCI under EFI",
      "PCI id 8086:2680 (the IDE id of that south bridge), " + FILLED)
def a03_macpro_esb2_csm(m):
    host.kernel_files(m)
    host.dmi(m, "Apple Computer, Inc.", "MacPro1,1", board="Mac-F4208DC8",
             bios="MP11.88Z.005C.B08.0707021221")
    hba = ata.ide(m, "8086:2680", "8086:7270")
    ata.disk(m, hba, "sda", 1, 0, BARRACUDA)
    ide_log(m, hba, "P0 P2 P1 P3", (1, "sda", "0:0:0:0", BARRACUDA))
    m.expect("sda", "sata-hdd-ide", "sata", "rotational", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:info"], "Info, since a hard disk loses little.")


@case("6.1", "MacBook 3,1 booted through BIOS compatibility: ICH8-M in IDE mode.",
      "machine, id 8086:2828 (AHCI: 2829), driver ata_piix, boot without EFI", FILLED)
def a04_macbook31_ich8m(m):
    host.kernel_files(m)
    host.dmi(m, "Apple Inc.", "MacBook3,1", board="Mac-F22788C8", bios="MB31.88Z")
    hba = ata.ide(m, "8086:2828", "8384:7680", speed_known=True)
    drive = Drive("Samsung SSD 850 EVO 500GB", "S2PSEUDO34", "EMT02B6Q", "500G", gen=2,
                  wwn="5002538d00000f34")
    ata.disk(m, hba, "sda", 1, 0, drive)
    ide_log(m, hba, "P0 P2 P1 P3", (1, "sda", "0:0:0:0", drive))
    m.expect("sda", "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn"])


@case("5.10", "HP dc5750 with ATI SB600, whose old firmware knows IDE mode only.",
      "machine, SB600, BIOS 786E3 without an AHCI option",
      "PCI id 1002:4380, its class and driver as kernels since 2.6.2x leave them, "
      + FILLED)
def a06_hp_dc5750_sb600(m):
    host.kernel_files(m)
    host.dmi(m, "Hewlett-Packard", "HP Compaq dc5750 Small Form Factor",
             bios="786E3 v01.51")
    hba = ata.ahci(m, "1002:4380", "103c:280a", "12.0", gen=2)
    ata.disk(m, hba, "sda", 1, 0, BARRACUDA)
    log.boot(m)
    m.kernel_log(log.ahci(hba, 4) + log.probe(1, BARRACUDA, 32, 2)
                 + log.attached("sda", "0:0:0:0", BARRACUDA))
    m.disagree("the report is of kernel 2.6.18. Since then quirk_amd_ide_mode "
               "(drivers/pci/quirks.c) switches this id to AHCI at boot, whatever the "
               "firmware left; the class in sysfs is 0x010601, ahci is bound and NCQ is on. "
               "By id alone this would be a false alarm (kernel.md 0.4).")
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on")


@case("5.15", "Lenovo IdeaPad S10e: the setup says AHCI, the function is in IDE mode.",
      "machine, ICH7 at 00:1f.2, IDE mode although the setup says AHCI",
      "PCI id 8086:27c4 (ICH7-M), " + FILLED)
def a07_ideapad_s10e_ich7(m):
    host.kernel_files(m)
    host.dmi(m, "LENOVO", "4068", board="MARIANA3A", bios="14CN60WW")
    hba = ata.ide(m, "8086:27c4", "17aa:3870", klass="0x01018f")
    ata.disk(m, hba, "sda", 1, 0, TRAVELSTAR)
    ide_log(m, hba, "P0 P2 IDE IDE", (1, "sda", "0:0:0:0", TRAVELSTAR))
    m.expect("sda", "sata-hdd-ide", "sata", "rotational", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:info"], "Class and driver count, no setup text does.")


def virtualbox(m, **options):
    host.kernel_files(m, guest=True, **options)
    host.dmi(m, "innotek GmbH", "VirtualBox", "Oracle Corporation", "VirtualBox",
             "innotek GmbH", "VirtualBox")


def vbox_ide(m, name="sda", slot=0):
    hba = Hba("/devices/pci0000:00/0000:00:01.1", "ata_piix", can_queue=1,
              speed_known=False, lpm="", segments=128)
    host.pci(m, hba.path, "0x01018a", "8086:7111", "ata_piix", "0000:0000", "0x01")
    ata.disk(m, hba, name, 1, 0, Drive("VBOX HARDDISK", f"VB00PSEUDO-004{slot}", "1.0",
             "80G", rpm=0, sata=False, gen=1, ncq=False, trim=False, udma=2), slot=slot)
    m.expect(name, "virtual-disk", "ata", "unknown", "emulated-ide", "unsupported",
             ["emulated-ide:warn", "medium-unknown:info"])


def vbox_ahci(m, name="sda", first=1, findings=("medium-unknown:info",), why=None):
    """VirtualBox's AHCI says 3 Gbps, its drive the same, and no rotation rate."""
    hba = ata.ahci(m, "8086:2829", "0000:0000", "0d.0", gen=2, caps="c3241f1d",
                   first=first)
    ata.disk(m, hba, name, first, first - 1, Drive("VBOX HARDDISK", "VB00PSEUDO-0044",
             "1.0", "80G", rpm=0, gen=2, trim=False))
    m.expect(name, "virtual-disk", "sata", "unknown", "emulated-ahci", "on", findings,
             why)


VBOX = "PCI ids, model and IDENTIFY of VirtualBox's disks, kernel version, queue/"


@case("5.10", "VirtualBox guest made by vboxwrapper: its disk on the emulated PIIX4.",
      "hypervisor, controller PIIX4", VBOX)
def a10_boinc_vbox_piix4(m):
    virtualbox(m)
    vbox_ide(m)


@case("4.18", "VirtualBox guest from a Packer image: the primary disk on emulated IDE.",
      "hypervisor, IDE as Packer's default", VBOX)
def a11_bento_vbox_ide(m):
    virtualbox(m)
    vbox_ide(m)


@case("5.10", "VirtualBox guest with a disk on PIIX4 and one on AHCI, of which a benchmark "
      "said that IDE is faster.",
      "hypervisor, both controllers (the host caches for one of them, which no guest "
      "sees)", VBOX)
def a13_es_vbox_hostiocache(m):
    virtualbox(m)
    vbox_ide(m)
    vbox_ahci(m, "sdb", 3, why="Nothing is concluded about the host's cache: the guest "
              "cannot see it (R8). R7 holds for the other disk all the same.")


@case("4.18", "VirtualBox guest on AHCI without host cache: 14 hours to provision.",
      "hypervisor, SATA controller", VBOX)
def a14_oracle_vagrant_14h(m):
    virtualbox(m)
    vbox_ahci(m, why="Every flush goes to the host's disk; nothing in the guest's sysfs "
              "says so, and NCQ is on. No alarm.")


@case("5.10", "ASUS P5G41TM-LX3: plain ICH7, whose silicon has no AHCI.",
      "board, chipset ICH7", "PCI id 8086:27c0, " + FILLED)
def a16_g41_ich7_p5g41t(m):
    host.kernel_files(m)
    host.dmi(m, "System manufacturer", "System Product Name", "ASUSTeK Computer INC.",
             "P5G41T-M LX3", "American Megatrends Inc.", "0401")
    hba = ata.ide(m, "8086:27c0", "1043:8179")
    ata.disk(m, hba, "sda", 1, 0, UV400)
    ata.disk(m, hba, "sdb", 2, 1, BARRACUDA)
    ide_log(m, hba, "P0 P2 P1 P3", (1, "sda", "0:0:0:0", UV400),
            (2, "sdb", "1:0:0:0", BARRACUDA))
    m.expect("sda", "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:warn"], "The remedy is another controller: 27c1 is not on "
             "plain ICH7, so no setup option can help.")
    m.expect("sdb", "sata-hdd-ide", "sata", "rotational", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:info"])


@case("5.10", "Sandy Bridge server board with the IDE redirection function of Intel AMT "
      "(class 0101, no disk) beside AHCI.",
      "function 00:16.2 8086:1c3c class 0101, 00:16.3 KT serial, platform C200",
      "AHCI function 8086:1c02 and its disk, " + FILLED)
def a17_ider_false_positive(m):
    host.kernel_files(m)
    host.dmi(m, "Intel Corporation", "S1200BTL", bios="S1200BT.86B.02.00.0035")
    host.pci(m, "/devices/pci0000:00/0000:00:16.2", "0x010185", "8086:1c3c",
             "ata_generic", "8086:3578", "0x04")
    host.pci(m, "/devices/pci0000:00/0000:00:16.3", "0x070002", "8086:1c3d", "serial",
             "8086:3578", "0x04")
    hba = ata.ahci(m, "8086:1c02", "8086:3578", first=3)
    drive = Drive("ST4000VN008-2DR166", "ZDPSEUDO36", "SC60", "4T", rpm=5980,
                  physical=4096, wwn="5000c50000000f36")
    ata.disk(m, hba, "sda", 3, 2, drive)
    log.boot(m)
    m.kernel_log(log.ahci(hba, 6) + log.probe(3, drive, 32, 3)
                 + log.attached("sda", "2:0:0:0", drive))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="Only the disk's own ancestor is judged (R2).")


@case("5.15", "HP Pavilion laptop whose SATA function is locked in Intel's RAID class.",
      "machine, 8086:282a, no BIOS option",
      "class 0x010400 and driver ahci of that id, no hidden NVMe drive, " + FILLED)
def a19_hp_pavilion_282a_raid(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "HP", "HP Pavilion Laptop 15-dk0xxx", board="85FB", bios="F.43")
    hba = ata.ahci(m, "8086:282a", "103c:85fb", "17.0", klass="0x010400")
    drive = Drive("ST1000LM049-2GH172", "WGSPSEUDO37", "RXM3", "1T", rpm=7200,
                  physical=4096, wwn="5000c50000000f37")
    ata.disk(m, hba, "sda", 1, 0, drive)
    log.boot(m)
    m.kernel_log(log.ahci(hba, 6, "RAID") + log.probe(1, drive, 32, 3)
                 + log.attached("sda", "0:0:0:0", drive))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["raid-class-ahci:info"], "RAID class with driver ahci is fine for NCQ.")


@case("5.4", "Shuttle board with Intel 945 in enhanced mode: SATA and PATA disks, each "
      "behind a function of its own.",
      "board, chipset, mode Enhanced (SATA + IDE)",
      "PCI ids of ICH7 (27c0 SATA, 27df PATA), " + FILLED)
def a20_shuttle945_enhanced(m):
    host.kernel_files(m)
    host.dmi(m, "Shuttle Inc", "SD30V10", board="FD30V10", bios="6.00 PG")
    pata = ata.ide(m, "8086:27df", "1297:d030", "1f.1", klass="0x01018a")
    sata = ata.ide(m, "8086:27c0", "1297:d030", "1f.2", klass="0x01018f", first=3)
    ata.disk(m, pata, "sda", 1, 0, Drive("Maxtor 6Y080P0", "Y2PSEUDO38", "YAR41BW0",
             "80G", rpm=0, sata=False, gen=1, ncq=False, trim=False, udma=5))
    ata.disk(m, sata, "sdb", 3, 2, BARRACUDA)
    ide_log(m, sata, "P0 P2 P1 P3", (3, "sdb", "2:0:0:0", BARRACUDA))
    m.expect("sda", "pata-disk", "ata", "unknown", "pata", "unsupported",
             ["medium-unknown:info"], "A true PATA disk (word 76 is 0): no finding about "
             "its mode. Function by function, never by chipset.")
    m.expect("sdb", "sata-hdd-ide", "sata", "rotational", "ata-ide-mode", "unsupported",
             ["ata-ide-mode:info"])
