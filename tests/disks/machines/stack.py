# SPDX-License-Identifier: MIT
"""Stacked devices: dm, md, bcache, loop."""

from kit import ata, block, host, nvme, stack
from kit.ata import Drive, Hba

from . import captured
from .nvme import SAMSUNG_980

FILLED = ("queue/, DMI, uuids and pseudonymous identities; stacks as in "
          "kernel-logs/6.1-nvme-multipath-sas-md-dm-overlay.log")


def board(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F", "Supermicro", "X10SLM-F",
             "American Megatrends Inc.", "3.0")


def ahci(m, first=1, slot="1f.2"):
    hba = Hba(f"/devices/pci0000:00/0000:00:{slot}", "ahci", caps="c734ff05",
              first=first)
    host.pci(m, hba.path, "0x010601", "8086:8c02", "ahci", "15d9:0803",
             "0x05").set({"remapped_nvme": 0})
    return hba


def sata(m, hba, count, rpm=1, size="960G"):
    """`count` equal drives with one partition each; returns the partitions."""
    found = []
    for index in range(count):
        flash = rpm == 1
        drive = Drive("SAMSUNG MZ7LH960HAJR-00005" if flash else "TOSHIBA MG06ACA800E",
                      f"S4PSEUDO{index:02d}", "HXT7904Q" if flash else "4303", size,
                      rpm=rpm, physical=512 if flash else 4096,
                      wwn=f"{'5002538e' if flash else '50000395'}0000{index:04x}")
        disk = ata.disk(m, hba, f"sd{chr(ord('a') + index)}", index + 1, index, drive)
        found.append(block.partition(m, disk, 1, 2048, drive.sectors - 4096))
    return found


@captured("6.1", "Laptop: NVMe partition, dm-crypt on it, two LVM volumes on that.",
          "cases.jsonl f04-dfinity-dm-ra (top of the stack governs)", FILLED)
def dm_crypt_lvm_nvme(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "LENOVO", "20XW0026GE", bios="N32ET75W")
    port = "/devices/pci0000:00/0000:00:1d.0"
    host.bridge(m, port, "8086:a0b0", (8.0, 4, 8.0, 4))
    host.pci(m, f"{port}/0000:04:00.0", "0x010802", "144d:a80a", "nvme",
             link=(8.0, 4, 16.0, 4))
    disk = nvme.pcie_disk(m, f"{port}/0000:04:00.0", 0, SAMSUNG_980, 0)
    part = block.partition(m, disk, 3, 2500608, 1951022080, dev=(259, 3))
    crypt = stack.dm(m, 0, "nvme0n1p3_crypt", "CRYPT-LUKS2-0pseudo0-nvme0n1p3_crypt",
                     [part], 1950989312, virt_boundary_mask=4095)
    for minor, (name, size) in enumerate((("root", 195309568), ("swap", 33554432)), 1):
        stack.dm(m, minor, f"vg0-{name}", f"LVM-pseudo{name}", [crypt], size,
                 {"DM_VG_NAME": "vg0", "DM_LV_NAME": name}, virt_boundary_mask=4095)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-slot-limit:info"],
             why="A drive of 16 GT/s below a port of 8 GT/s.")
    for name in ("dm-0", "dm-1", "dm-2"):
        m.expect(name, "stacked", "dm", "flash", "stacked")


@captured("6.1", "Server: md raid1 over two SATA SSDs, LVM on it.",
          "kernel-logs/6.1-nvme-multipath-sas-md-dm-overlay.log (md0)", FILLED)
def md_raid1_two_ssd(m):
    board(m)
    members = sata(m, ahci(m), 2)
    array = stack.md(m, 0, "raid1", members, 1875118080)
    stack.dm(m, 0, "vg-data", "LVM-pseudodata", [array], 1875116032)
    for name in ("sda", "sdb"):
        m.expect(name, "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("md0", "stacked", "md", "flash", "stacked")
    m.expect("dm-0", "stacked", "dm", "flash", "stacked")


@captured("6.12", "md raid0: io_opt 1 MiB gives a readahead of 2048 KiB, the members stay "
          "at 128.", "kernel.md 4.1 [RUN]; kernel-logs/6.12-nvme-multipath-sas-md-dm-"
          "overlay.log (md: ra=2048 ioopt=1048576)", FILLED)
def md_raid0_io_opt(m):
    board(m)
    members = sata(m, ahci(m), 2)
    stack.md(m, 0, "raid0", members, 3750232064, 524288, minimum_io_size=524288,
             optimal_io_size=1048576, max_sectors_kb=1280)
    for name in ("sda", "sdb"):
        m.expect(name, "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("md0", "stacked", "md", "flash", "stacked",
             why="Derived from io_opt, a true stripe, and not above 4096 (R34).")


@captured("6.1", "md raid6 over ten hard disks on a wide stripe: readahead 8192 KiB.",
          "diagnosis-rules.md R34, R39; kernel.md 4.1", FILLED)
def md_raid6_wide(m):
    board(m)
    members = sata(m, ahci(m), 10, 7200, "8T")
    stack.md(m, 127, "raid6", members, 125021126656, 524288, minimum_io_size=524288,
             optimal_io_size=4194304, rotational=1)
    for index in range(10):
        m.expect(f"sd{chr(ord('a') + index)}", "sata-hdd", "sata", "rotational", "ahci",
                 "on")
    m.expect("md127", "stacked", "md", "rotational", "stacked",
             findings=["readahead-from-io-opt:info"],
             why="R34 (2 x io_opt, above 4096); but here io_opt is a true stripe, and a "
             "streaming owner wants it (R39): explained, not warned of.")


@captured("6.1", "md raid1 over an SSD and a hard disk (write-mostly).",
          "cases.jsonl d21-zfs-nonrot-stale (mixed mirror); diagnosis-rules.md R23", FILLED)
def md_raid1_mixed(m):
    board(m)
    hba = ahci(m)
    first = sata(m, hba, 1)[0]
    disk = ata.disk(m, hba, "sdb", 2, 1, Drive("ST1000NM0011", "Z1PSEUDO07", "SN03", "1T",
                    rpm=7200, wwn="5000c50000000a07"))
    second = block.partition(m, disk, 1, 2048, 1875380912)
    stack.md(m, 0, "raid1", [first, second], 1875118080, rotational=1)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on")
    m.expect("md0", "stacked", "md", "rotational", "stacked",
             findings=["mixed-stack:info"],
             why="Mixed leaves: the slowest counts (R23). Reads of a mirror need not wait "
             "for it, so R50 warns of striped levels only.")


@captured("6.1", "bcache: hard disk behind an NVMe cache. The backing disk has a bcache "
          "folder too and is no bcache device.",
          "kernel.md 1.1 (bcache), cases.jsonl d18-hotsos-ssd-bcache", FILLED)
def bcache_hdd_nvme(m):
    board(m)
    disk = ata.disk(m, ahci(m), "sda", 1, 0, Drive("ST4000VN008-2DR166", "ZGPSEUDO08",
                    "SC60", "4T", rpm=5980, physical=4096, wwn="5000c50000000a08"))
    port = "/devices/pci0000:00/0000:00:1c.4"
    host.bridge(m, port, "8086:8c18", (5.0, 4, 5.0, 4))
    host.pci(m, f"{port}/0000:03:00.0", "0x010802", "144d:a80a", "nvme",
             link=(5.0, 4, 16.0, 4))
    cache = nvme.pcie_disk(m, f"{port}/0000:03:00.0", 0, SAMSUNG_980, 0)
    cache = block.partition(m, cache, 1, 2048, 209715200, dev=(259, 1))
    stack.bcache(m, 0, disk, cache, 7814037152, rotational=1)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-slot-limit:info"])
    m.expect("bcache0", "stacked", "bcache", "rotational", "stacked",
             why="Mixed leaves: the slowest counts. The mix is what bcache is for.")


@captured("6.1", "A member of the array is behind an IDE-mode function: the finding is the "
          "member's, the array is as good as its weakest member.",
          "diagnosis-rules.md R1, R50; kernel.md 8 (combine)", FILLED)
def md_over_ide_mode(m):
    board(m)
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ata_piix", can_queue=1, gen=3,
              segments=128)
    host.pci(m, hba.path, "0x01018f", "8086:1c00", "ata_piix", "15d9:0624", "0x05")
    parts = []
    for slot, name in ((0, "sda"), (1, "sdb")):
        drive = Drive("INTEL SSDSC2CW240A3", f"CVPSEUDO{slot:02d}240CGN", "400i", "240G",
                      wwn=f"500151720000000{slot}")
        disk = ata.disk(m, hba, name, 1 + slot, slot, drive)
        parts.append(block.partition(m, disk, 1, 2048, 468858880))
    stack.md(m, 0, "raid1", parts, 468727616)
    for name in ("sda", "sdb"):
        m.expect(name, "sata-ssd-ide", "sata", "flash", "ata-ide-mode", "unsupported",
                 ["ata-ide-mode:warn"])
    m.expect("md0", "stacked", "md", "flash", "stacked")
