# SPDX-License-Identifier: MIT
"""USB sticks, enclosures and bridges."""

from kit import ata, block, host, scsi, usb
from kit.usb import Gadget

from . import captured

FILLED = ("queue/, DMI and pseudonymous identities, in the layout of "
          "kernel-logs/6.1-multi-device-full.log (sde: uas, sdf: usb-storage)")

XHCI = "/devices/pci0000:00/0000:00:14.0"

STICK = Gadget("0781", "5583", "SanDisk", "Ultra Fit", "4C53PSEUDO0001",
               ("SanDisk", "Ultra Fit", "1.00"), 120164352, removable=1)
UAS_SSD = Gadget("174c", "55aa", "ASMedia", "ASM1153E", "PSEUDO000002",
                 ("ASMT", "2115", "0"), 976773168, uas=True, depth=30, pgb1=1)
BOT_HDD = Gadget("0bc2", "ab24", "Seagate", "Backup+ SL", "NAPSEUDO03",
                 ("Seagate", "Backup+ SL", "0304"), 3907029167)


def desktop(m):
    host.kernel_files(m)
    host.dmi(m, "Intel(R) Client Systems", "NUC8i5BEH", "Intel Corporation", bios="0085")
    host.pci(m, XHCI, "0x0c0330", "8086:9ded", "xhci_hcd", "8086:2074", "0x30")


@captured("6.1", "Small desktop with a USB stick, a UAS enclosure with an SSD and a hard "
          "disk behind usb-storage.",
          "kernel-logs/6.1-multi-device-full.log (sde, sdf); kernel.md 1.2", FILLED)
def usb_stick_uas_bot(m):
    desktop(m)
    stick = usb.disk(m, XHCI, 2, 1, "sda", 2, STICK)
    block.partition(m, stick, 1, 32, 120164320)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, UAS_SSD)
    usb.disk(m, XHCI, 2, 3, "sdc", 4, BOT_HDD)
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot",
             why="Open (medium): removable=1 makes it a stick; its rotational=1 is sd's "
             "default, and no page backs a medium.")
    m.expect("sdb", "usb-ssd", "usb", "flash", "usb-uas",
             why="The bridge passes VPD 0xB1 on, rate 1.")
    m.expect("sdc", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "usb-quirk-cost:info"],
             why="usb-storage asks for no VPD pages: rotational=1 is a default. A drive "
             "at USB 3 speed that may be able to do uas (docs/findings.md).")


@captured("6.1", "UAS bridge that reports a hard disk's rate, and one that reports nothing.",
          "kernel.md 1.2 (rotational, VPD 0xB1)", FILLED)
def usb_uas_hdd(m):
    desktop(m)
    hdd = Gadget("152d", "0578", "JMicron", "External Disk 3.0", "PSEUDO000004",
                 ("JMicron", "Generic", "0508"), 7814037168, uas=True, depth=30,
                 pgb1=5400)
    mute = Gadget("0bda", "9210", "Realtek", "RTL9210", "PSEUDO000005",
                  ("Realtek", "RTL9210 NVME", "1.00"), 1953525168, uas=True, depth=29,
                  pgb1=0, speed=10000)
    usb.disk(m, XHCI, 2, 1, "sda", 2, hdd, physical_block_size=4096)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, mute)
    m.expect("sda", "usb-hdd", "usb", "rotational", "usb-uas")
    m.expect("sdb", "usb-disk", "usb", "unknown", "usb-uas",
             findings=["medium-unknown:info"],
             why="The page is there, its rate is 0: not reported.")


@captured("6.1", "USB bridges for which udev says ID_BUS=ata: the transport is USB all the "
          "same.", "kernel.md 0.14 and 1.3; cases.jsonl g03-jms567-speed", FILLED)
def usb_bridge_bus_ata(m):
    desktop(m)
    gadget = Gadget("152d", "0567", "JMicron", "USB to ATA/ATAPI Bridge",
                    "PSEUDO000006", ("JMicron", "", "0125"), 976773168)
    old = ata.Drive("ST9500325AS", "S2WPSEUDO7", "0002BSM1", "500G", rpm=0)
    usb.as_ata_bus(usb.disk(m, XHCI, 2, 1, "sda", 2, gadget), old)
    gadget = Gadget("174c", "1153", "ASMedia", "ASM1153", "PSEUDO000008",
                    ("ASMT", "ASM1153", "0"), 488397168)
    new = ata.Drive("Samsung SSD 850 EVO 250GB", "S2RPSEUDO9", "EMT02B6Q", "250G")
    usb.as_ata_bus(usb.disk(m, XHCI, 2, 2, "sdb", 3, gadget), new)
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "usb-quirk-cost:info"],
             why="ID_BUS=ata says what the bridge answered, not how the disk is attached; "
             "not a libata disk, so ncq=none.")
    m.expect("sdb", "usb-ssd", "usb", "flash", "usb-bot",
             findings=["usb-quirk-cost:info"],
             why="ata_id read IDENTIFY word 217 through the bridge: "
             "ID_ATA_ROTATION_RATE_RPM=0 says that nothing rotates.")


@captured("6.1", "umbrel-like home server: ASMedia bridge reports optimal_io_size "
          "33553920, the kernel derives read_ahead_kb 65532 from it.",
          "cases.jsonl f15-usb-bridge-ioopt-ra65520 and f16-libfdisk-33553920 (65520 "
          "there: 16 KiB pages)", FILLED)
def usb_io_opt_bogus(m):
    desktop(m)
    usb.disk(m, XHCI, 2, 1, "sda", 2, UAS_SSD, optimal_io_size=33553920,
             discard_max_bytes=0)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["io-opt-bogus:warn", "readahead-from-io-opt:warn"],
             why="2 x 33553920 rounded down to 4 KiB pages is 65532 KiB.")


@captured("6.18", "USB on 6.18: an enclosure whose readahead derives from its "
          "optimal_io_size, a stick and a disk whose readahead derives from a default "
          "rotational flag.",
          "kernel.md 0.8 and 4.1 (6.18 rules); vm-notes.md (uas 1024, usb-storage 2048)",
          FILLED)
def usb_readahead_6_18(m):
    desktop(m)
    wide = Gadget("0480", "a006", "TOSHIBA", "External USB 3.0", "20PSEUDO0010",
                  ("TOSHIBA", "External USB 3.0", "5438"), 7814037168, uas=True,
                  depth=30, pgb1=0)
    usb.disk(m, XHCI, 2, 1, "sda", 2, wide, optimal_io_size=4194304)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, STICK)
    mute = Gadget("2109", "0715", "VLI", "VL715", "PSEUDO000011",
                  ("VLI", "SSD", "1.00"), 976773168, uas=True, depth=30)
    usb.disk(m, XHCI, 2, 3, "sdc", 4, mute)
    usb.disk(m, XHCI, 2, 4, "sdd", 5, Gadget("174c", "225c", "ASMedia", "ASM225CM",
             "PSEUDO000012", ("ASMT", "SSD", "0"), 976773168, uas=True, depth=30,
             pgb1=1))
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-uas",
             findings=["medium-unknown:info", "readahead-from-io-opt:warn"],
             why="2 x 4 MiB = 8192 KiB.")
    m.expect("sdb", "usb-flash", "usb", "unknown", "usb-bot",
             findings=["readahead-false-rotational:warn"],
             why="2 x max_sectors_kb = 2048 because rotational=1, which nothing backs.")
    m.expect("sdc", "usb-disk", "usb", "unknown", "usb-uas",
             findings=["medium-unknown:info", "readahead-false-rotational:info"],
             why="2 x 512 KiB; but it may well rotate, so nobody is warned.")
    m.expect("sdd", "usb-ssd", "usb", "flash", "usb-uas",
             why="rotational=0 from VPD 0xB1: the kernel keeps 128 KiB.")


@captured("5.4", "USB 2.0 stick and a bridge with garbage: 129 PB, vendor string shifted.",
          "cases.jsonl g16-usb-129pb (174c:55aa, 251458613520309 blocks)", FILLED)
def usb_bridge_garbage(m):
    desktop(m)
    bad = Gadget("174c", "55aa", "ASMT", "ASMT1153e", "000000000000",
                 ("\x20ASMT", "2105", "0"), 251458613520309)
    usb.disk(m, XHCI, 2, 1, "sda", 2, bad)
    stick = Gadget("13fe", "4200", "Kingston", "DataTraveler", "07PSEUDO0013",
                   ("Kingston", "DataTraveler 2.0", "PMAP"), 15646720, speed=480,
                   removable=1, version=" 2.00")
    usb.disk(m, XHCI, 1, 2, "sdb", 3, stick)
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["bridge-implausible:error", "medium-unknown:info",
                       "usb-quirk-cost:info"],
             why="Nothing is derived from the size.")
    m.expect("sdb", "usb-flash", "usb", "unknown", "usb-bot",
             why="USB 2.0: 120 KiB at a time are enough for it (R40b).")


@captured("6.1", "Rugged PC with a card reader behind USB: two slots, one empty.",
          "kernel.md 1.3; layout of sdf in the 6.1 log", FILLED)
def usb_card_reader(m):
    desktop(m)
    reader = Gadget("0bda", "0329", "Generic", "USB3.0-CRW", "PSEUDO000014",
                    ("Generic-", "SD/MMC CRW", "1.00"), 124735488, removable=1)
    usb.disk(m, XHCI, 2, 1, "sda", 2, reader)
    parent = f"{XHCI}/usb2/2-1/2-1:1.0/host2"
    sdev = scsi.device(m, parent, "2:0:0:1", "Generic-", "Micro SD/M2", "1.00", 1,
                       "0444", queue_type="none")
    scsi.sd(m, sdev, "sdb", 0, 1, rotational=1, add_random=1, nr_requests=2,
            max_hw_sectors_kb=1024, mq=(1, 1), write_cache="write through")
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot")
    m.expect("sdb", "usb-flash", "usb", "unknown", "usb-bot",
             why="Empty slot: size 0, no udev identity at all.")
