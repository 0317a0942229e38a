# SPDX-License-Identifier: MIT
"""Public reports: links slower than they could be, and links that are as fast as they
can be."""

from kit import ata, block, host, log, nvme
from kit.ata import Drive, Hba
from kit.nvme import Ssd

from . import case

FILLED = ("DMI strings beyond the report's, PCI ids, kernel version, queue/ and log lines "
          "in libata's formats; serial numbers are pseudonyms")


@case("6.6", "Raspberry Pi 5 with a JMB535 port multiplier: an SSD whose link was slowed "
      "after its first IDENTIFY failed.",
      "board, JMB535, drive with firmware, link up 6.0 Gbps (SControl 300), failed to "
      "IDENTIFY (I/O error, err_mask=0x40), LBA48 NCQ (depth 32), AA, later limited",
      "the host (ASM1061 on the one Gen2 lane), the limit of 3.0 Gbps, " + FILLED)
def c01_jmb535_870qvo_downgrade(m):
    host.kernel_files(m, "console=ttyAMA10,115200 root=/dev/mmcblk0p2 rootwait", arm=True)
    port = "/devices/platform/axi/1000110000.pcie/pci0000:00/0000:00:00.0"
    host.bridge(m, port, "14e4:2712", (5.0, 1, 5.0, 1))
    hba = ata.ahci(m, "1b21:0612", "1b21:1060", "0000:01:00.0", bridge=port,
                   link=(5.0, 1, 5.0, 1))
    drive = Drive("Samsung SSD 870 QVO 8TB", "S5PSEUDO80", "SVQ02B6Q", "8T",
                  wwn="5002538f00000f80")
    ata.disk(m, hba, "sda", 1, 0, drive, pmp=1, pmp_links=5, speed=2, limit=2,
             device={"spdn_cnt": 1})
    log.boot(m)
    m.kernel_log(log.ahci(hba, 2) + [
        log.link_up(1, 3), "ata1.15: Port Multiplier 1.2, 0x197b:0x0325 r0, 5 ports, "
        "feat 0x5/0xf", "ata1.01: hard resetting link",
        "ata1.01: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
        "ata1.01: failed to IDENTIFY (I/O error, err_mask=0x40)",
        "ata1.15: hard resetting link", log.link_up(1, 3),
        "ata1.01: limiting SATA link speed to 3.0 Gbps", "ata1.01: hard resetting link",
        "ata1.01: SATA link up 3.0 Gbps (SStatus 123 SControl 320)"]
        + log.probe(1, drive, 32, device="01"))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             ["port-multiplier:info", "sata-link-slow:warn"],
             "The limit is below the drive's 6 Gbps and was imposed. One "
             "step down at boot, and stable since: warn, not error.")


@case("5.10", "Buffalo LS-CHLv2 NAS: sata_mv, link errors, and a limit of 1.5 Gbps imposed "
      "by the kernel.",
      "device, link up 1.5 Gbps (SStatus 113 SControl F310), SError { 10B8B Dispar }, READ "
      "FPDMA QUEUED ... ncq dma, edma_err_cause=00000020",
      "drive, counts of ata_device, " + FILLED)
def c03_lschlv2_1p5g(m):
    host.kernel_files(m, "console=ttyS0,115200 root=/dev/sda2", arm=True)
    path = "/devices/platform/mbus@f1000000/mbus@f1000000:internal-regs/f1080000.sata"
    m.add(path, "platform").driver("platform", "sata_mv").set(
        {"modalias": "of:NsataT(null)Cmarvell,orion-sata"})
    hba = Hba(path, "sata_mv", can_queue=31, gen=2, lpm="")
    drive = Drive("ST1000DM003-9YN162", "Z1PSEUDO81", "CC4C", "1T", rpm=7200,
                  physical=4096, wwn="5000c50000000f81")
    disk = ata.disk(m, hba, "sda", 1, 0, drive, speed=1, limit=1,
                    device={"spdn_cnt": 2})
    disk.symlinks = [link for link in disk.symlinks if "by-path" not in link]
    disk.prop({"ID_PATH_ATA_COMPAT": None, "ID_PATH": "platform-f1080000.sata-ata-1.0",
               "ID_PATH_TAG": "platform-f1080000_sata-ata-1_0"})
    log.boot(m)
    m.kernel_log(["sata_mv f1080000.sata: slots 32 ports 1"]
                 + log.probe(1, drive, 31, 2, scontrol="F300")
                 + log.attached("sda", "0:0:0:0", drive))
    serror = {"emask": 0x10, "sact": 0x1, "serr": 0x180000, "names": "10B8B Dispar",
              "command": "READ FPDMA QUEUED", "tag": 0, "action": "0x6 frozen",
              "extra": ["edma_err_cause=00000020 pp_flags=00000003, dev error"]}
    m.kernel_log(log.fault(1, **serror, after=[
        "ata1: limiting SATA link speed to 1.5 Gbps", log.link_up(1, 1, "F310"),
        "ata1.00: configured for UDMA/133"]), start=131.5)
    m.expect("sda", "sata-hdd", "sata", "rotational", "hba", "on",
             ["sata-link-fault:error", "sata-link-slow:info"],
             "SControl ...310: imposed, not native. A hard disk still streams through 1.5 "
             "Gbps, so the speed is info; the fault is not. It has not fallen since.")


@case("5.10", "MacBook Air 6,1 with TLP: after resume on AC the link is at 1.5 Gbps and "
      "UDMA/33.",
      "machine, TLP, link up 1.5 Gbps (SStatus 113 SControl 310), configured for UDMA/33, "
      "SErr 0x10000 { PHYRdyChg }, suspend and resume on AC with max_performance",
      "drive, TLP's configuration (its defaults of that release), " + FILLED)
def c04_macbookair61_1p5g_udma33(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Apple Inc.", "MacBookAir6,1", board="Mac-35C1E88140C3E6CF", bios="MBA61")
    root = "/devices/pci0000:00/0000:00:1c.5"
    host.bridge(m, root, "8086:9c1a", (5.0, 2, 5.0, 2))
    hba = ata.ahci(m, "1b4b:9183", "1b4b:9183", "0000:04:00.0", bridge=root,
                   link=(5.0, 2, 5.0, 2), caps="c337ff00")
    drive = Drive("APPLE SSD TS0128F", "13PSEUDO82", "109L0804", "120G",
                  wwn="5000000000000f82")
    ata.disk(m, hba, "sda", 1, 0, drive, speed=1, limit=1, device={
        "spdn_cnt": 2, "dma_mode": "XFER_UDMA_2", "xfer_mode": "XFER_UDMA_2"})
    m.file("/run/tlp/last_pwr", "0\n")
    m.file("/etc/tlp.conf", "TLP_ENABLE=1\nSATA_LINKPWR_ON_AC=max_performance\n"
           "SATA_LINKPWR_ON_BAT=min_power\n")
    log.boot(m)
    m.kernel_log(log.ahci(hba, 1) + log.probe(1, drive, 32, 3)
                 + log.attached("sda", "0:0:0:0", drive))
    m.kernel_log(["PM: suspend entry (deep)", "PM: suspend exit"], start=1800.0)
    for start, gen, mode in ((1801.0, 3, "UDMA/133"), (1801.8, 3, "UDMA/133"),
                             (1802.6, 3, "UDMA/133"), (1803.4, 2, "UDMA/100"),
                             (1804.2, 2, "UDMA/100"), (1805.0, 1, "UDMA/33")):
        down = ([f"ata1: limiting SATA link speed to {log.GBPS[gen]} Gbps"]
                if start in (1803.4, 1805.0) else [])
        m.kernel_log(["ata1: exception Emask 0x10 SAct 0x0 SErr 0x10000 action 0xe frozen",
                      "ata1: irq_stat 0x00400000, PHY RDY changed",
                      "ata1: SError: { PHYRdyChg }", *down, "ata1: hard resetting link",
                      log.link_up(1, gen, {3: "300", 2: "320", 1: "310"}[gen]),
                      f"ata1.00: configured for {mode}", "ata1: EH complete"],
                     start=start)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             ["link-power-risk:warn", "sata-link-slow:warn", "udma-slow:warn"],
             "The power policy changes with AC, and the link was reset at that change "
             "(R14). PHYRdyChg alone, without a failed command, is no sata-link-fault "
             "(R11). Stable since the last step down: warn.")


def pcie_nvme(m, port, bridge_ids, bridge, function, ids, ssd, link, number=0, minor=0):
    """An NVMe SSD behind a port; bridge and link are (speed, width, maximal ones)."""
    host.bridge(m, port, bridge_ids, bridge)
    host.pci(m, f"{port}/{function}", "0x010802", ids, "nvme", link=link)
    return nvme.pcie_disk(m, f"{port}/{function}", number, ssd, minor)


@case("6.6", "StarFive VisionFive 2: an NVMe SSD for four Gen3 lanes in a slot with one "
      "Gen2 lane.",
      "board, drive, LnkCap 8GT/s x4, LnkSta 5GT/s x1 (downgraded)",
      "the port's own maximum, " + FILLED)
def c06_visionfive2_xg6_x1(m):
    host.kernel_files(m, "root=/dev/mmcblk1p4 rw console=ttyS0,115200", arm=True)
    pcie_nvme(m, "/devices/platform/soc/9c0000000.pcie/pci0001:00/0001:00:00.0",
              "1556:1111", (5.0, 1, 5.0, 1), "0001:01:00.0", "1179:011a",
              Ssd("KXG60ZNV512G TOSHIBA", "PSEUDO83", "AGGA4104", 1000215216, queues=4),
              (5.0, 1, 8.0, 4))
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-slot-limit:info"])


@case("6.6", "Raspberry Pi 5 with an M.2 HAT+: one Gen2 lane by design.",
      "board, LnkSta 5GT/s (downgraded) x1 (downgraded)",
      "drive, the port's maximum as the kernel sets it up, " + FILLED)
def c07_rpi5_nvme_gen2x1(m):
    host.kernel_files(m, "console=ttyAMA10,115200 root=/dev/nvme0n1p2 rootwait", arm=True)
    pcie_nvme(m, "/devices/platform/axi/1000110000.pcie/pci0000:00/0000:00:00.0",
              "14e4:2712", (5.0, 1, 5.0, 1), "0000:01:00.0", "1e4b:1202",
              Ssd("KINGSTON SNV2S500G", "50026PSEUDO84", "ELFK0S.6", 976773168,
                  queues=4), (5.0, 1, 8.0, 4))
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-slot-limit:info"])


@case("6.1", "FPGA board with an NVMe SSD that falls back to Gen1 although both ends can "
      "do more.",
      "board, LnkSta 2.5GT/s (downgraded) x4 (ok), limited by 8.0 GT/s x4, capable of "
      "16.0 GT/s x4", "drive, " + FILLED)
def c09_fpga_nvme_gen1(m):
    host.kernel_files(m, "console=ttyPS0,115200 root=/dev/mmcblk0p2 ro rootwait",
                      arm=True)
    pcie_nvme(m, "/devices/platform/axi/400000000.axi-pcie/pci0000:00/0000:00:00.0",
              "10ee:9134", (2.5, 4, 8.0, 4), "0000:01:00.0", "144d:a80a",
              Ssd("Samsung SSD 980 PRO 1TB", "S5PSEUDO85", "5B2QGXA7", 1953525168,
                  queues=4), (2.5, 4, 16.0, 4))
    log.boot(m)
    m.kernel_log(["pci 0000:01:00.0: 31.504 Gb/s available PCIe bandwidth, limited by "
                  "8.0 GT/s PCIe x4 link at 0000:00:00.0 (capable of 63.012 Gb/s with "
                  "16.0 GT/s PCIe x4 link)", "nvme nvme0: pci function 0000:01:00.0"])
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-link-degraded:info"],
             why="The case's right answer is a warning. We say info, with little "
             "confidence, and how to find out: full width at 2.5 GT/s is also what a "
             "machine shows that slows an idle link down, runtime_status (active) does "
             "not exclude that, and the report's own log has 8.0 GT/s when the drive was "
             "found.")


@case("5.4", "Home server (i7-5820K): an NVMe SSD on an adapter in a PCIe 2.0 slot runs on "
      "one lane of four.",
      "processor, slot PCIe 2.0, device nvme2n1, four lanes expected, 373 MB/s measured",
      "the link attributes that this speed stands for, the two other drives, " + FILLED)
def c10_home_server_pcie2_nvme(m):
    host.kernel_files(m)
    host.dmi(m, "ASUS", "All Series", "ASUSTeK COMPUTER INC.", "X99-A", bios="3902")
    for index, port in enumerate(("02.0", "03.0")):
        pcie_nvme(m, f"/devices/pci0000:00/0000:00:{port}", "8086:2f04",
                  (8.0, 4, 8.0, 8), f"0000:0{index + 1}:00.0", "144d:a808",
                  Ssd("Samsung SSD 970 EVO Plus 1TB", f"S4PSEUDO8{index + 6}",
                      "2B2QEXM7", 1953525168, queues=12), (8.0, 4, 8.0, 4), index,
                  index)
        m.expect(f"nvme{index}n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    pcie_nvme(m, "/devices/pci0000:00/0000:00:1c.4", "8086:8d18", (5.0, 1, 5.0, 4),
              "0000:06:00.0", "144d:a808",
              Ssd("Samsung SSD 970 EVO Plus 1TB", "S4PSEUDO88", "2B2QEXM7", 1953525168,
                  queues=12), (5.0, 1, 8.0, 4), 2, 2)
    m.expect("nvme2n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-link-degraded:warn"],
             why="The slot's four lanes against one: contacts or bifurcation. That it is "
             "Gen2 is the slot's.")


@case("4.18", "PC with a KINGMAX SSD of 6 Gbps on a link of 3 Gbps.",
      "drive with firmware, SATA 6.0 Gb/s (current: 3.0 Gb/s)",
      "an AHCI host whose ports have 3 Gbps (the report does not name it), " + FILLED)
def c12_kingmax_sata2_port(m):
    host.kernel_files(m)
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "H55M-S2H")
    hba = ata.ahci(m, "8086:3b22", "1458:b005", gen=2)
    drive = Drive("KINGMAX SSD 120GB", "PSEUDO89", "M0116", "120G",
                  wwn="5000000000000f89")
    ata.disk(m, hba, "sda", 1, 0, drive)
    for number in (2, 3):
        ata.empty_port(m, hba, number, number - 1)
    log.boot(m)
    m.kernel_log(log.ahci(hba, 6) + log.probe(1, drive, 32, 2)
                 + log.attached("sda", "0:0:0:0", drive))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on", ["sata-port-limit:info"],
             "No limit was imposed, and the host's capabilities say 3 Gbps for all ports.")


@case("4.18", "VIA VT8237: a disk of 3 Gbps jumpered to 1.5, which is what this host needs.",
      "south bridge, drive series, jumper to 1.5 Gbps",
      "PCI id 1106:3149; a drive that tells its rotation rate, " + FILLED)
def c13_vt8237_no_negotiation(m):
    host.kernel_files(m)
    host.dmi(m, "ASUSTeK Computer INC.", "A8V-E SE")
    hba = Hba("/devices/pci0000:00/0000:00:0f.0", "sata_via", can_queue=1, gen=1, lpm="",
              segments=128)
    host.pci(m, hba.path, "0x010400", "1106:3149", "sata_via", "1043:80ed", "0x80")
    drive = Drive("ST3250824AS", "4NPSEUDO90", "3.AAG", "250G", rpm=7200, gen=1,
                  wwn="5000c50000000f90")
    disk = ata.disk(m, hba, "sda", 1, 0, drive)
    block.partition(m, disk, 1, 2048, 488394752)
    log.boot(m)
    m.kernel_log(["sata_via 0000:00:0f.0: routed to hard irq line 11"]
                 + log.probe(1, drive, 0, 1) + log.attached("sda", "0:0:0:0", drive))
    m.expect("sda", "sata-hdd", "sata", "rotational", "sata-no-ncq", "unsupported",
             ["sata-no-ncq:info"], "1.5 Gbps is right here: the jumper makes it the "
             "drive's own maximum. A drive that is missing cannot be captured.")
