# SPDX-License-Identifier: MIT
"""Machines whose disks were measured: what is kept of it counts, in part, or no more."""

from kit import measurement
from kit.measurement import arms, direct, point, scans

from . import captured, guest, nvme, sata, stack

FILLED = "the measurements: made, with figures of disks of this kind"
MACHINE_ID = "00000000000000000000000000005ebd"  # a pseudonym
SATA_SETTINGS = {"scheduler": "mq-deadline", "queue_depth": 32, "nr_requests": 64,
                 "max_sectors_kb": 1280, "read_ahead_kb": 128}
SATA_FLASH = (
    direct([(1, 9700, 95, 150), (2, 19000, 97, 160), (4, 36000, 100, 180),
            (8, 60000, 120, 220), (16, 81000, 180, 290), (32, 95000, 310, 640)]) +
    arms(32, [("buffered", "normal", 71000, 430, 980),
              ("buffered", "random", 72000, 430, 950),
              ("mmap", "normal", 6400, 4900, 7800),
              ("mmap", "random", 70000, 440, 990)]) +
    scans([("buffered", "normal", 1024, 1, 490, 1900, 3900),
           ("buffered", "sequential", 128, 1, 4100, 30, 900),
           ("buffered", "sequential", 256, 1, 2080, 60, 1400),
           ("direct", "normal", 1024, 1, 440, 2200, 2400),
           ("direct", "normal", 1024, 4, 530, 7500, 7900)]))


@captured("6.1", "sata-ssd-ahci after a measurement: the SSD's counts, the hard disk has "
          "got another firmware since.", "sata-ssd-ahci", FILLED)
def measured_sata(m):
    sata.sata_ssd_ahci(m)
    ssd, hdd = sata.SAMSUNG_870, sata.WD_RED
    journal = [point("journal-write", "direct", "normal", kb, 1, rate, p50, p99)
               for kb, rate, p50, p99 in ((4, 2100, 440, 1100), (8, 2000, 460, 1200),
                                          (16, 1800, 510, 1300), (32, 1500, 620, 1500),
                                          (64, 1100, 850, 2100))]
    writes = [point("random-write", "direct", "normal", 4, 32, 84000, 350, 1500),
              point("sequential-write", "direct", "normal", 1024, 4, 495, 8000, 11000)]
    measurement.keep(m, {"wwn": f"0x{ssd.wwn}", "model": ssd.model, "serial": ssd.serial,
                         "firmware": ssd.firmware, "attachment": "ahci",
                         "class": "sata-ssd", "size_kb": 976773168 // 2},
                     SATA_SETTINGS, SATA_FLASH + writes + journal)
    measurement.keep(m, {"wwn": f"0x{hdd.wwn}", "model": hdd.model, "serial": hdd.serial,
                         "firmware": "80.00A80", "attachment": "ahci",
                         "class": "sata-hdd", "size_kb": 7814037168 // 2},
                     SATA_SETTINGS,
                     direct([(1, 75, 13000, 24000), (4, 118, 33000, 71000),
                             (16, 171, 90000, 260000), (32, 195, 160000, 510000)]))


def keep_980(m):
    """An NVMe SSD that the CPU limits at large depths."""
    ssd = nvme.SAMSUNG_980
    deep = direct([(1, 16001, 63, 70), (2, 31900, 63, 71), (4, 63000, 63, 74),
                   (8, 124000, 63, 80), (16, 243331, 64, 90), (32, 440000, 70, 105),
                   (64, 713684, 80, 130), (128, 950000, 120, 240)])
    deep += [point("random-read", "direct", "normal", 4, depth, rate, p50, p99, "cpu")
             for depth, rate, p50, p99 in ((256, 1090009, 179, 400),
                                           (512, 1115626, 228, 900))]
    deep += arms(256, [("buffered", "normal", 90000, 2700, 9000),
                       ("buffered", "random", 115185, 2100, 8000),
                       ("mmap", "normal", 9000, 27000, 60000),
                       ("mmap", "random", 91000, 2600, 9000)])
    deep += scans([("buffered", "sequential", 128, 1, 21000, 20, 200),
                   ("buffered", "sequential", 256, 1, 11900, 30, 300),
                   ("buffered", "sequential", 1024, 1, 3050, 250, 600),
                   ("buffered", "sequential", 256, 4, 20500, 150, 500),
                   ("direct", "normal", 1024, 8, 6700, 1150, 1500)])
    measurement.keep(m, {"wwn": "eui.002538f767918206", "model": ssd.model,
                         "serial": ssd.serial, "firmware": ssd.firmware,
                         "attachment": "nvme-pcie", "class": "nvme-ssd",
                         "size_kb": 1953525168 // 2},
                     {"scheduler": "none", "nr_requests": 1023, "max_sectors_kb": 512,
                      "read_ahead_kb": 128}, deep)


@captured("6.1", "nvme-desktop after a measurement, limited by the CPU at large depths; "
          "the readahead of the SATA SSD was another one then.", "nvme-desktop", FILLED)
def measured_nvme(m):
    nvme.nvme_desktop(m)
    keep_980(m)
    measurement.keep(m, {"wwn": "0x500a075100000b01", "model": "CT1000MX500SSD1",
                         "serial": "1821EPSEUDO02", "firmware": "M3CR046",
                         "attachment": "ahci", "class": "sata-ssd",
                         "size_kb": 1953525168 // 2},
                     {**SATA_SETTINGS, "read_ahead_kb": 4096}, SATA_FLASH)


@captured("6.1", "dm-crypt-lvm-nvme after a measurement of its disk, which stands for what "
          "is stacked on it.", "dm-crypt-lvm-nvme", FILLED)
def measured_stack(m):
    stack.dm_crypt_lvm_nvme(m)
    keep_980(m)


@captured("6.18", "virtio-blk-6-18 after a measurement. A hypervisor's serial number is "
          "no identity: it is bound to its place and the machine.", "virtio-blk-6-18",
          FILLED)
def measured_virtio(m):
    guest.virtio_blk_6_18(m)
    m.file("/etc/machine-id", MACHINE_ID + "\n")
    reads = direct([(1, 12000, 80, 130), (2, 19500, 98, 170), (4, 28000, 140, 240),
                    (8, 36900, 210, 390), (16, 44600, 340, 700), (32, 55900, 560, 1200),
                    (64, 65500, 950, 2100), (128, 67900, 1800, 4400)])
    reads += arms(64, [("buffered", "normal", 150, 430000, 900000),
                       ("buffered", "random", 44000, 1400, 3000),
                       ("mmap", "normal", 142, 440000, 900000),
                       ("mmap", "random", 11200, 5600, 11000)])
    reads += scans([("buffered", "sequential", 256, 1, 4000, 100, 2000),
                    ("buffered", "sequential", 1024, 1, 1010, 400, 5000),
                    ("direct", "normal", 1024, 4, 1300, 3000, 5200)])
    measurement.keep(m, {"serial": "PSEUDOBLK", "attachment": "paravirtual",
                         "class": "virtual-disk", "place": "pci-0000:00:02.0",
                         "machine": measurement.machine(MACHINE_ID), "size_kb": 536870912 // 2, "weak": 1},
                     {"scheduler": "mq-deadline", "nr_requests": 256,
                      "max_sectors_kb": 4096, "read_ahead_kb": 8192}, reads)
