# SPDX-License-Identifier: MIT
"""Public reports: NCQ that is off, ought to be off, or is blamed for another fault."""

from kit import ata, block, host, log, transport
from kit.ata import Drive

from . import case
from .scsi import mpt3sas

FILLED = ("DMI strings beyond the report's, PCI ids, kernel version, queue/ and log lines "
          "in the formats of libata; serial numbers are pseudonyms")
EVO_840 = Drive("Samsung SSD 840 EVO 250GB", "S1PSEUDO840051C", "EXT0BB6Q", "250G",
                wwn="5002538500000f51")


def wd(model, serial, size="2T", rpm=7200, gen=3, firmware="01.01A01", **more):
    return Drive(model, f"WD-WCPSEUDO{serial}", firmware, size, rpm=rpm, gen=gen,
                 wwn=f"50014ee0000001{serial}", **more)


def boot_log(m, hba, ports, *drives):
    """drives: (ata, name, Drive, options of log.probe), one per port."""
    log.boot(m)
    m.kernel_log(log.ahci(hba, ports))
    for number, name, drive, options in drives:
        given = {"depth": hba.can_queue, "gen": min(hba.gen, drive.gen), **options}
        m.kernel_log(log.probe(number, drive, **given)
                     + log.attached(name, f"{number - 1}:0:0:0", drive),
                     start=1.5 + number / 2)


@case("4.18", "openSUSE desktop: CRC errors go on although NCQ is forced off.",
      "drive with firmware, link up 3.0 Gbps (SControl 300), the lines FORCE, LBA48 NCQ "
      "(not used), SError { UnrecovData 10B8B BadCRC }, READ DMA EXT, 488397168 sectors",
      "a host of 3 Gbps: the log's SControl 300 says that no limit was imposed; " + FILLED)
def b01_opensuse_840evo_noncq(m):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda2 quiet "
                         "libata.force=noncq")
    host.dmi(m, "Gigabyte Technology Co., Ltd.", "P55A-UD3")
    hba = ata.ahci(m, "8086:3b22", "1458:b005", gen=2)
    disk = ata.disk(m, hba, "sda", 1, 0, EVO_840, depth=1)
    block.partition(m, disk, 2, 2048, 488392704, props={"ID_FS_TYPE": "ext4"})
    boot_log(m, hba, 6, (1, "sda", EVO_840, {
        "depth": None, "before": ["ata1.00: FORCE: horkage modified (noncq)"]}))
    for start in (61.2, 340.7, 1207.1):
        m.kernel_log(log.fault(1, 0x10, 0, 0x280100, "READ DMA EXT",
                               "UnrecovData 10B8B BadCRC", after=[
                                   log.link_up(1, 2), "ata1.00: configured for UDMA/133"],
                               extra=["irq_stat 0x08000000, interface fatal error"]),
                     start=start)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-off:info", "sata-link-fault:error", "sata-port-limit:info"],
             "The errors are the link's and need no NCQ. Its 3 Gbps are the port's.")


@case("5.10", "Mellanox switch (SONiC): the vendor's kernel parameter leaves NCQ off.",
      "platform, NCQ off by kernel parameter",
      "the state after the change: the errors that led to it (WRITE and READ FPDMA QUEUED) "
      "are of boots before, no such command is sent now; drive, " + FILLED)
def b03_sonic_mellanox_noncq(m):
    host.kernel_files(m, "BOOT_IMAGE=/image-master/boot/vmlinuz root=/dev/sda3 rw "
                         "console=ttyS0,115200n8 libata.force=noncq")
    host.dmi(m, "Mellanox Technologies Ltd.", "MSN2700")
    hba = ata.ahci(m, "8086:1e03", "8086:7270")
    drive = Drive("StorFly VSF202PC016G-MLX2", "PSEUDO53", "0115-000", "80G",
                  wwn="5000000000000f53")
    ata.disk(m, hba, "sda", 1, 0, drive, depth=1)
    boot_log(m, hba, 6, (1, "sda", drive, {
        "depth": None, "before": ["ata1.00: FORCE: horkage modified (noncq)"]}))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off", ["ncq-off:info"],
             "A choice of the vendor: explained, left alone.")


@case("5.10", "Home NAS (RR loader): NCQ commands of two drives time out under load and one "
      "is expelled from its array.",
      "drive models, ata12: Emask 0x0 SAct 0x7e SErr 0x0 action 0x6 frozen, READ FPDMA "
      "QUEUED, Emask 0x4 (timeout)",
      "the same on ata11 (the report speaks of several drives), " + FILLED)
def b04_rr_synology_wd_noncq(m):
    host.kernel_files(m)
    host.dmi(m, "Default string", "Default string", board="X99")
    hba = ata.ahci(m, "8086:8d02", "8086:7270", first=9)
    drives = [wd("WDC WD20EFRX-68EUZN0", "55", rpm=5400, physical=4096),
              wd("WDC WD20EFRX-68EUZN0", "56", rpm=5400, physical=4096)]
    drives += [Drive("HGST HTS721010A9E630", f"JRPSEUDO5{n}", "JB0OA3J0", "1T", rpm=7200,
                     physical=4096, wwn=f"5000cca00000057{n}") for n in (7, 8)]
    names = {9: ("sdc", drives[2]), 10: ("sdd", drives[3]), 11: ("sde", drives[0]),
             12: ("sdf", drives[1])}
    for number, (name, drive) in names.items():
        ata.disk(m, hba, name, number, number - 1, drive)
    boot_log(m, hba, 6, *((number, *pair, {}) for number, pair in names.items()))
    for start, number in ((4102.3, 12), (4175.9, 11), (5311.0, 12), (5402.4, 12)):
        m.kernel_log(log.fault(number, 0x4, 0x7e, 0, "READ FPDMA QUEUED", after=[
            log.link_up(number, 3), f"ata{number}.00: configured for UDMA/133"]),
            start=start)
    for name in ("sdc", "sdd"):
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on")
    for name in ("sde", "sdf"):
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on",
                 ["ncq-queue-fault:warn"], "SErr 0x0: the link is clean, the queue is not."
                 if name == "sde" else None)


@case("4.18", "CentOS server: queue_depth 1 written by hand against NCQ timeouts of an "
      "SSD.",
      "SAct 0x6 SErr 0x0 action 0x6 frozen, WRITE FPDMA QUEUED, Emask 0x4 (timeout), "
      "default depth 31, queue_depth 1", "drive, " + FILLED)
def b06_queue_depth_1_centos(m):
    host.kernel_files(m)
    host.dmi(m, "FUJITSU", "PRIMERGY TX1310 M1", "FUJITSU", "D3219-A1")
    hba = ata.ahci(m, "8086:8c02", "1734:11e1", can_queue=31)
    drive = Drive("INTEL SSDSC2BB240G6", "BTPSEUDO5240AGN", "G2010150", "240G",
                  physical=4096, wwn="55cd2e4000000f59")
    ata.disk(m, hba, "sda", 1, 0, drive, depth=1)
    boot_log(m, hba, 6, (1, "sda", drive, {}))
    for start in (80211.4, 171904.8):
        m.kernel_log(log.fault(1, 0x4, 0x6, 0, "WRITE FPDMA QUEUED", after=[
            log.link_up(1, 3), "ata1.00: configured for UDMA/133"]), start=start)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-off:warn", "ncq-queue-fault:warn"],
             "Neither IDE mode nor the kernel: somebody wrote it, and no setting says so. "
             "R12 asks for more than one drive, to blame what they share; several timeouts "
             "of one are the same fault, with less known about its place.")


@case("4.18", "Seagate Archive drive (shingled, which sysfs does not show), on which NCQ "
      "was blamed for slow writes.",
      "drive model; NCQ is on and made no difference", FILLED)
def b07_noncq_no_gain_smr(m):
    host.kernel_files(m)
    host.dmi(m, "ASUS", "All Series", "ASUSTeK COMPUTER INC.", "H87M-PRO")
    hba = ata.ahci(m, "8086:8c02", "1043:8534")
    drive = Drive("ST6000AS0002-1YZ107", "Z4PSEUDO60", "AR15", "6T", rpm=5980,
                  physical=4096, wwn="5000c50000000f60")
    ata.disk(m, hba, "sda", 1, 0, drive)
    boot_log(m, hba, 6, (1, "sda", drive, {}))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on", ["smr-drive:warn"],
             "zoned says none: the model alone tells.")


@case("5.4", "ZFS server: 'Unaligned write command' on a SATA disk.",
      "sense 'Unaligned write command', NCQ timeouts suspected, no cure by NCQ off",
      "drives, the timeout's lines, " + FILLED)
def b09_zfs_unaligned_write(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLL-F", bios="3.0")
    hba = ata.ahci(m, "8086:8c02", "15d9:0804")
    drives = [Drive("ST8000VN0022-2EL112", f"ZAPSEUDO6{n}", "SC61", "8T", rpm=7200,
                    physical=4096, wwn=f"5000c5000000061{n}") for n in (1, 2)]
    for number, name in ((1, "sda"), (2, "sdb")):
        ata.disk(m, hba, name, number, number - 1, drives[number - 1])
    boot_log(m, hba, 6, (1, "sda", drives[0], {}), (2, "sdb", drives[1], {}))
    m.kernel_log(log.fault(2, 0x4, 0x3f0, 0, "WRITE FPDMA QUEUED", after=[
        log.link_up(2, 3), "ata2.00: configured for UDMA/133",
        "sd 1:0:0:0: [sdb] tag#4 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_SENSE",
        "sd 1:0:0:0: [sdb] tag#4 Sense Key : Illegal Request [current]",
        "sd 1:0:0:0: [sdb] tag#4 Add. Sense: Unaligned write command",
        "blk_update_request: I/O error, dev sdb, sector 7814035104 op 0x1:(WRITE) "
        "flags 0x700 phys_seg 1 prio class 0"]), start=90012.5)
    for name in ("sda", "sdb"):
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on",
                 ["ncq-queue-fault:warn"] if name == "sdb" else [],
                 "libata gives that sense for a command that timed out: it is one fault, "
                 "of the queue or what is below it, and no reason to switch NCQ off."
                 if name == "sdb" else None)


@case("4.18", "HP microserver (AMD): Samsung 860 EVO with NCQ off for that port.",
      "drive, host of AMD, kernel 4.18, libata.force=2.00:noncq",
      "PCI id 1002:4391, the other drive, " + FILLED)
def b10_860evo_amd_noncq(m):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro quiet "
                         "libata.force=2.00:noncq")
    host.dmi(m, "HP", "ProLiant MicroServer", "", "", "HP", "O41")
    hba = ata.ahci(m, "1002:4391", "103c:1609", "11.0", gen=2)
    red = wd("WDC WD10EFRX-68PJCN0", "63", "1T", rpm=5400, physical=4096)
    evo = Drive("Samsung SSD 860 EVO 1TB", "S3PSEUDO860064B", "RVT01B6Q", "1T",
                wwn="5002538e00000f64")
    ata.disk(m, hba, "sda", 1, 0, red)
    ata.disk(m, hba, "sdb", 2, 1, evo, depth=1)
    boot_log(m, hba, 6, (1, "sda", red, {}), (2, "sdb", evo, {
        "depth": None, "before": ["ata2.00: FORCE: horkage modified (noncq)"]}))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             ["sata-port-limit:info"], "A drive of 6 Gbps at a host of 3.")
    m.expect("sdb", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-bad-pair:info", "ncq-off:info", "sata-port-limit:info"],
             "Off on purpose, for one port, and this pair needs it.")


@case("4.18", "Laptop with a Crucial MX100 whose link is set to min_power.",
      "drive, policy min_power, drive drops off the link",
      "kernel without the drive's NOLPM entry, " + FILLED)
def b12_mx100_lpm(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "LENOVO", "20ALCTO1WW", bios="GIET87WW")
    hba = ata.ahci(m, "8086:9c03", "17aa:2214", lpm="min_power")
    drive = Drive("Crucial_CT512MX100SSD1", "14PSEUDO65", "MU01", "256G", physical=4096,
                  wwn="500a075100000f65")
    ata.disk(m, hba, "sda", 1, 0, drive)
    boot_log(m, hba, 4, (1, "sda", drive, {}))
    m.kernel_log(["ata1: SATA link down (SStatus 0 SControl 300)",
                  "ata1: hard resetting link", log.link_up(1, 3),
                  "ata1.00: configured for UDMA/133", "ata1: EH complete"], start=5120.4)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on", ["link-power-risk:warn"])


@case("5.10", "Armbian on an Amlogic board (meson64): noncq for all ports, by the "
      "distribution.",
      "family, libata.force=noncq in the command line of all boards",
      "board with an ASM1061, drives, " + FILLED)
def b13_armbian_meson64_global_noncq(m):
    host.kernel_files(m, "root=/dev/mmcblk0p1 rootwait console=ttyAML0,115200 "
                         "libata.force=noncq", arm=True)
    port = "/devices/platform/soc/fc000000.pcie/pci0000:00/0000:00:00.0"
    host.bridge(m, port, "16c3:abcd", (5.0, 1, 5.0, 1))
    hba = ata.ahci(m, "1b21:0612", "1b21:1060", "0000:01:00.0", bridge=port,
                   link=(5.0, 1, 5.0, 1))
    drives = [Drive("TOSHIBA HDWN180", f"YPSEUDO6{n}", "GX2M", "8T", rpm=7200,
                    physical=4096, wwn=f"500003900000066{n}") for n in (6, 7)]
    for number, name in ((1, "sda"), (2, "sdb")):
        ata.disk(m, hba, name, number, number - 1, drives[number - 1], depth=1)
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "off", ["ncq-off:info"])
    boot_log(m, hba, 2, *((n, f"sd{'ab'[n - 1]}", drives[n - 1], {
        "depth": None, "before": [f"ata{n}.00: FORCE: horkage modified (noncq)"]})
        for n in (1, 2)))


@case("5.4", "Server with WD Gold drives whose firmware starves random readers under NCQ; "
      "one was set to depth 1 as the cure.",
      "drive, queue_depth 1 as the cure, WD Green unaffected",
      "a second WD Gold left as it was, " + FILLED)
def b15_wdgold_ncq_starvation(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F", bios="3.0")
    hba = ata.ahci(m, "8086:8c02", "15d9:0803")
    gold = [wd("WDC WD2005FBYZ-01YCBB2", f"{n}", firmware="RR07") for n in (68, 69)]
    green = wd("WDC WD10EACS-00D6B0", "70", "1T", rpm=5400, gen=2)
    ata.disk(m, hba, "sda", 1, 0, gold[0])
    ata.disk(m, hba, "sdb", 2, 1, gold[1], depth=1)
    ata.disk(m, hba, "sdc", 3, 2, green)
    boot_log(m, hba, 6, (1, "sda", gold[0], {}), (2, "sdb", gold[1], {}),
             (3, "sdc", green, {}))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="Starvation is seen in latencies only, and the setting is a choice.")
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "off", ["ncq-off:info"],
             "Legitimate on a hard disk (R13): info and no more.")
    m.expect("sdc", "sata-hdd", "sata", "rotational", "ahci", "on")


@case("5.10", "Synology with a DX513: drives behind a port multiplier without NCQ, set to "
      "depth 1 after volumes crashed.",
      "enclosure, port multiplier, NCQ switched off as the cure",
      "AHCI host, drives, " + FILLED)
def b16_dx513_pmp_no_ncq(m):
    host.kernel_files(m)
    host.dmi(m, "Synology Inc.", "DS1513+")
    root = "/devices/pci0000:00/0000:00:03.0"
    host.bridge(m, root, "8086:0f4a", (5.0, 1, 5.0, 1))
    hba = ata.ahci(m, "1b4b:9215", "1b4b:9215", "0000:03:00.0", bridge=root,
                   link=(5.0, 1, 5.0, 1), caps="ff36ff03")
    log.boot(m)
    m.kernel_log(log.ahci(hba, 4) + [
        log.link_up(1, 2), "ata1.15: Port Multiplier 1.1, 0x1095:0x3826 r0, 6 ports, "
        "feat 0x1/0x9"])
    for bay, name in enumerate(("sda", "sdb", "sdc")):
        drive = Drive("Hitachi HDS723030ALA640", f"MKPSEUDO7{bay}", "MKAOA580", "4T",
                      rpm=7200, gen=2, physical=4096, wwn=f"5000cca0000007{bay:02d}")
        ata.disk(m, hba, name, 1, 0, drive, pmp=bay, pmp_links=5, speed=2, depth=1)
        m.kernel_log(log.probe(1, drive, 32, device=f"{bay:02d}"), start=4.0 + bay)
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "off",
                 ["ncq-off:info", "port-multiplier:info"], "What counts is the least of "
                 "host, multiplier and drive; NCQ off is right behind this multiplier."
                 if bay == 0 else None)


@case("6.1", "Storage server with loaded hard disks that pause for seconds: ordinary "
      "firmware behaviour.",
      "drive kind (SATA and SAS hard disks), NCQ on", "drives, host, " + FILLED)
def b18_hdd_firmware_deadline(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SSG-5029P", board="X11SPI-TF", bios="3.4")
    hba = ata.ahci(m, "8086:a182", "15d9:0955", "17.0")
    drive = Drive("ST14000NM0018-2H4101", "ZHPSEUDO74", "SN02", "14T", rpm=7200,
                  physical=4096, wwn="5000c50000000f74")
    ata.disk(m, hba, "sda", 1, 1, drive)
    transport.sas_disk(m, mpt3sas(m), 0, 0, "sdb", ("SEAGATE", "ST8000NM0075", "E004"),
                       15628053168, "5000c50000000f75", rate=7200,
                       physical_block_size=4096)
    boot_log(m, hba, 8, (1, "sda", drive, {}))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="Latency of one to four seconds under load is no finding.")
    m.expect("sdb", "sas-hdd", "sas", "rotational", "hba")


@case("4.18", "ThinkPad X250: link errors on an 840 EVO, installed in IDE mode first, then "
      "NCQ forced off against them.",
      "machine, drive, libata.force=noncqtrim,noncq, the lines FORCE, 488397168 sectors, "
      "LBA48 NCQ (not used), SErr 0x4040000 { CommWake DevExch }",
      "the failed command is WRITE DMA here: the report's WRITE FPDMA QUEUED is of a boot "
      "with NCQ, and its errors went on without; " + FILLED)
def b19_x250_ide_to_ahci_errors(m):
    host.kernel_files(m, "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet "
                         "libata.force=noncqtrim,noncq")
    host.dmi(m, "LENOVO", "20CLS2RG00", "LENOVO", "20CLS2RG00", "LENOVO", "N10ET36W")
    hba = ata.ahci(m, "8086:9c83", "17aa:2227", caps="c3343f02")
    disk = ata.disk(m, hba, "sda", 2, 1, EVO_840, depth=1)
    block.partition(m, disk, 1, 2048, 488394752)
    boot_log(m, hba, 4, (2, "sda", EVO_840, {
        "depth": None, "before": ["ata2.00: FORCE: horkage modified (noncqtrim)",
                                  "ata2.00: FORCE: horkage modified (noncq)"]}))
    for start in (312.8, 1950.1):
        m.kernel_log(log.fault(2, 0x10, 0, 0x4040000, "WRITE DMA", "CommWake DevExch",
                               action="0xe frozen", after=[
                                   log.link_up(2, 3), "ata2.00: configured for UDMA/133"],
                               extra=["irq_stat 0x00000040, connection status changed"]),
                     start=start)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-off:info", "sata-link-fault:error"],
             "The connection changes: caddy or connector. noncq only hides a part.")
