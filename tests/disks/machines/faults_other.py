# SPDX-License-Identifier: MIT
"""Faults that no public report of the notes has: settings, other programs, stacks, USB
modes, hidden and networked devices."""

from kit import ata, block, host, nvme, stack, usb
from kit.ata import Drive
from kit.nvme import Ssd
from kit.usb import Gadget

from . import captured
from .healthy import EVO_870, RED_4T, drives, expect_nvme, expect_sata, nvme_disk
from .reports_other import XHCI
from .reports_readahead import tuned
from .usb import STICK

FILLED = "all of it, after what such machines show"
POLICY = "rules/policy.d/10-balanced.policy"


def desktop(m, cpus=8):
    """A board with AHCI; returns the Hba."""
    host.kernel_files(m, efi=True, cpus=cpus)
    host.dmi(m, "Dell Inc.", "OptiPlex 7060", board="0C96W1", bios="1.13.1")
    return ata.ahci(m, "8086:a352", "1028:085a", slot="17.0")


@captured("6.12", "Laptop from whose initramfs the vmd driver is missing: the VMD function "
          "has no driver, and no internal disk is there.", "diagnosis-rules.md R42; "
          "drivers/pci/controller/vmd.c (8086:9a0b)", FILLED)
def vmd_without_driver(m):
    host.kernel_files(m, efi=True, cpus=8)
    host.dmi(m, "Dell Inc.", "Latitude 5521", board="0HG4D3", bios="1.10.0")
    host.pci(m, "/devices/pci0000:00/0000:00:0e.0", "0x010400", "8086:9a0b", None,
             "1028:0a6c")
    host.pci(m, XHCI, "0x0c0330", "8086:43ed", "xhci_hcd", "1028:0a6c")
    usb.disk(m, XHCI, 2, 1, "sda", 2, STICK)
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot")
    m.expect_machine(["vmd:error"])


@captured("6.1", "Server with a hard disk on none, a SATA SSD on none and a hard disk on "
          "bfq: only the first is wrong.", "diagnosis-rules.md R30, R31", FILLED)
def scheduler_none_on_hdd(m):
    hba = desktop(m)
    gold = drives("WDC WD4003FRYZ-01F0DB0", 1, "4T", "01.01H01")[0]
    for index, (drive, scheduler) in enumerate(((RED_4T, "none"), (EVO_870, "none"),
                                                (gold, "bfq"))):
        name = f"sd{'abc'[index]}"
        ata.disk(m, hba, name, index + 1, index, drive, scheduler=scheduler,
                 known=("mq-deadline", "bfq"))
        expect_sata(m, name, drive, ["scheduler-unfit:warn"] if index == 0 else [])


@captured("6.12", "Host-managed disk with scheduler none on 6.12, where the block layer "
          "keeps the order of writes itself.", "diagnosis-rules.md R32 (older kernels)",
          FILLED)
def zoned_none_on_6_12(m):
    hba = desktop(m)
    ata.disk(m, hba, "sda", 1, 0, Drive("HGST HSH721414ALN6M0", "VFPSEUDO43", "L4GMT240",
             "14T", rpm=7200, physical=4096, klass="zac", wwn="5000cca200000043"),
             scheduler="none")
    m.expect("sda", "zoned-hdd", "sata", "rotational", "ahci", "on")


@captured("6.1", "Desktop whose owner lowered max_sectors_kb of an SSD to 64.",
          "diagnosis-rules.md R40b", FILLED)
def max_sectors_lowered(m):
    ata.disk(m, desktop(m), "sda", 1, 0, EVO_870, max_sectors_kb=64)
    expect_sata(m, "sda", EVO_870, ["transfer-size-small:info"])


@captured("5.4", "USB disks with quirks in force: u for an SSD, m for a hard disk; and an "
          "SSD in a USB 2 port.", "diagnosis-rules.md R43; drivers/usb/storage/"
          "uas-detect.h (\"blacklisted\" up to 5.8)", FILLED)
def usb_quirks_in_force(m):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz root=/dev/mapper/root ro "
                      "usb-storage.quirks=152d:0578:u,0bc2:ab24:m", cpus=8)
    host.dmi(m, "Intel(R) Client Systems", "NUC8i5BEH", "Intel Corporation", bios="0085")
    host.pci(m, XHCI, "0x0c0330", "8086:9ded", "xhci_hcd", "8086:2074", "0x30")
    ssd = Gadget("152d", "0578", "JMicron", "JMS578", "PSEUDO000044",
                 ("JMicron", "Generic", "0209"), 976773168, bcd="0209")
    hdd = Gadget("0bc2", "ab24", "Seagate", "Backup+ SL", "NAPSEUDO45",
                 ("Seagate", "Backup+ SL", "0304"), 3907029167)
    slow = Gadget("174c", "55aa", "ASMedia", "ASM1153E", "PSEUDO000046",
                  ("ASMT", "2115", "0"), 976773168, uas=True, depth=30, speed=480)
    drive = Drive("CT500MX500SSD1", "1903EPSEUDO44", "M3CR023", "500G")
    usb.as_ata_bus(usb.disk(m, XHCI, 2, 1, "sda", 2, ssd), drive)
    usb.log_found(m, 2, 1, "sda", 2, ssd, mask="800000", ignored=True)
    usb.disk(m, XHCI, 2, 2, "sdb", 3, hdd, max_hw_sectors_kb=32)
    usb.log_found(m, 2, 2, "sdb", 3, hdd, start=2.5, mask="400")
    usb.as_ata_bus(usb.disk(m, XHCI, 1, 3, "sdc", 4, slow), drive)
    usb.log_found(m, 1, 3, "sdc", 4, slow, start=3.0)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-bot", findings=["usb-quirk-cost:info"])
    m.expect("sdb", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "transfer-size-small:info",
                       "usb-quirk-cost:info"], why="64 sectors, which the letter m asks "
             "for, are 32 KiB.")
    m.expect("sdc", "usb-ssd", "usb", "flash", "usb-uas", findings=["usb-slow-mode:info"],
             why="480 Mbit/s.")


@captured("6.1", "Archive server whose owner set the readahead of a raid6 to 128.",
          "diagnosis-rules.md R39", FILLED)
def md_readahead_below_stripe(m):
    hba = desktop(m)
    parts = []
    for index, drive in enumerate(drives("TOSHIBA MG07ACA14TE", 6, "14T", "0101")):
        name = f"sd{'abcdef'[index]}"
        disk = ata.disk(m, hba, name, index + 1, index, drive)
        parts.append(block.partition(m, disk, 1, 2048, 27344760832))
        expect_sata(m, name, drive)
    stack.md(m, 0, "raid6", parts, 109379043328, 524288, minimum_io_size=524288,
             optimal_io_size=2097152, rotational=1, read_ahead_kb=128)
    m.expect("md0", "stacked", "md", "rotational", "stacked",
             findings=["readahead-below-stripe:info"],
             why="128 where two stripes of four data disks are 4096. For readers at "
             "random it is right: info.")


@captured("6.1", "Server whose raid5 has an SSD among hard disks.",
          "diagnosis-rules.md R23, R50", FILLED)
def md_raid5_odd_member(m):
    hba = desktop(m)
    parts = []
    three = [EVO_870, *drives("ST1000NM0008-2F2100", 2, "1T", "SN05")]
    for index, drive in enumerate(three):
        name = f"sd{'abc'[index]}"
        disk = ata.disk(m, hba, name, index + 1, index, drive)
        parts.append(block.partition(m, disk, 1, 2048, 1953521664))
        expect_sata(m, name, drive)
    stack.md(m, 0, "raid5", parts, 3906777088, 65536, minimum_io_size=65536,
             optimal_io_size=131072, rotational=1)
    m.expect("md0", "stacked", "md", "rotational", "stacked",
             findings=["mixed-stack:info", "unequal-members:warn"])


@captured("6.1", "Desktop with one LVM volume over an NVMe SSD and a hard disk.",
          "diagnosis-rules.md R23", FILLED)
def lvm_mixed(m):
    hba = desktop(m)
    slow = ata.disk(m, hba, "sda", 1, 0, RED_4T)
    fast = nvme_disk(m)
    parts = [block.partition(m, fast, 1, 2048, 1953521664, dev=(259, 1)),
             block.partition(m, slow, 1, 2048, 7814033408)]
    stack.dm(m, 0, "vg-home", "LVM-pseudomixed", parts, 9767546880, rotational=1)
    expect_sata(m, "sda", RED_4T)
    expect_nvme(m)
    m.expect("dm-0", "stacked", "dm", "rotational", "stacked",
             findings=["mixed-stack:info"])


@captured("6.12", "Server with an NVMe namespace over TCP, one queue for 32 CPUs.",
          "diagnosis-rules.md R47", FILLED + "; without NVMe multipath, so that the queue "
          "is the disk's own")
def nvme_tcp_one_queue(m):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz root=/dev/nfs ro "
                      "nvme_core.multipath=N", cpus=32)
    host.dmi(m, "Dell Inc.", "PowerEdge R650", board="0PYXKY")
    m.add("/devices/virtual/nvme-fabrics/ctl", "nvme-fabrics")
    ssd = Ssd("Linux", "2ePSEUDO50", "6.12.0", 2097152000, queues=1, sqsize=127,
              max_hw_kb=1024, nqn="nqn.2024-01.example:volume2")
    ctrl = nvme.controller(m, "/devices/virtual/nvme-fabrics/ctl", 0, ssd, "tcp",
                           "traddr=192.0.2.10,trsvcid=4420,src_addr=192.0.2.20",
                           folder="")
    nvme.subsystem(m, 0, ssd, [ctrl])
    nvme.props(nvme.namespace(m, ctrl.path, "nvme0n1", ssd, 0, scheduler="none"), ssd,
               None)
    m.expect("nvme0n1", "network-disk", "nvme", "unknown", "nvme-fabrics",
             findings=["single-queue:info"])


@captured("6.1", "Server where tuned sets the scheduler that the policy sets, too.",
          f"diagnosis-rules.md R40; {POLICY}", FILLED)
def tuned_same_scheduler(m):
    ata.disk(m, desktop(m), "sda", 1, 0, EVO_870)
    tuned(m, "database", "[main]\nsummary=Of the owner's own\n\n[disk]\n"
          "devices=sd*\nelevator=mq-deadline\n")
    expect_sata(m, "sda", EVO_870, ["rival-writer:info"],
                "The same value: only a change of either makes them fight.")


@captured("6.1", "Laptop where TLP sets another scheduler than the policy.",
          f"diagnosis-rules.md R40; {POLICY}", FILLED)
def tlp_other_scheduler(m):
    ata.disk(m, desktop(m), "sda", 1, 0, EVO_870, scheduler="bfq",
             known=("mq-deadline", "bfq"))
    m.file("/etc/tlp.conf", "TLP_ENABLE=1\nDISK_DEVICES=\"sda\"\nDISK_IOSCHED=\"bfq\"\n")
    m.file("/run/tlp/last_pwr", "0\n")
    expect_sata(m, "sda", EVO_870, ["rival-writer:warn", "scheduler-unfit:info"])


@captured("5.15", "SAP server where saptune sets the scheduler and the readahead.",
          "diagnosis-rules.md R40; saptune-note(5)", FILLED)
def saptune_block(m):
    host.kernel_files(m, efi=True, cpus=64)
    host.dmi(m, "HPE", "ProLiant DL560 Gen10", bios="U34")
    m.file("/run/saptune/saved_state/1", "")
    m.file("/etc/sysconfig/saptune", "TUNE_FOR_SOLUTIONS=\"\"\nTUNE_FOR_NOTES=\"1984787\"\n"
           "NOTE_APPLY_ORDER=\"1984787\"\n")
    m.file("/var/lib/saptune/working/notes/1984787", "[version]\nVERSION=1\n\n[block]\n"
           "IO_SCHEDULER=noop, none\nREAD_AHEAD_KB=4096\n")
    nvme_disk(m, read_ahead_kb=4096)
    expect_nvme(m, findings=["readahead-unfit:info", "rival-writer:warn"],
                why="none is the policy's wish, too; 4096 is not.")


@captured("6.1", "Desktop where somebody changed the readahead after blkadvise had set it.",
          "diagnosis-rules.md R40; agent/apply/state.c (the memory of a disk)", FILLED)
def readahead_drifted(m):
    ata.disk(m, desktop(m), "sda", 1, 0, RED_4T, read_ahead_kb=256)
    m.file("/run/blkadvise/state/8:0", "INODE=0\nread_ahead_kb.initial=128\n"
           "read_ahead_kb.written=512\n")
    expect_sata(m, "sda", RED_4T, ["setting-drifted:warn"],
                "512 was written, 256 is there, and no rule of the kernel's gives it.")
