# SPDX-License-Identifier: MIT
"""Servers: SAS and RAID controllers, Fibre Channel and iSCSI LUNs."""

from kit import ata, block, host, nvme, stack, transport
from kit.ata import Drive

from . import captured

FILLED = ("queue/, DMI, addresses and pseudonymous identities; sysfs layout from "
          "kernel.md 1.1")

SAS3008 = "/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"
SAS_SSD = ("KIOXIA", "KPM5XVUG960G", "B02B")
SAS_HDD = ("SEAGATE", "ST8000NM0075", "E004")
MICRON = Drive("Micron_5200_MTFDDAK960TDC", "1837PSEUDO01", "D1MU004", "960G",
               physical=4096, wwn="500a075100000a01")
WD_SATA = Drive("WDC WUH721414ALE6L4", "9JPSEUDO02", "LDGNW07G", "14T", rpm=7200,
                physical=4096, wwn="5000cca200000a02")


def mpt3sas(m, kernel_link=8.0):
    host.bridge(m, "/devices/pci0000:3a/0000:3a:00.0", "8086:2030",
                (kernel_link, 8, 8.0, 16))
    host.pci(m, SAS3008, "0x010700", "1000:0097", "mpt3sas", "15d9:0808", "0x02",
             link=(8.0, 8, 8.0, 8), numa=0)
    return transport.sas_host(m, SAS3008, 0, "mpt3sas", 9664)


def add_sas_disks(m, root):
    transport.sas_disk(m, root, 0, 0, "sda", SAS_SSD, 1875385008, "58ce38ee00000b01",
                       rate=1, serial="PSEUDO03", physical_block_size=4096)
    transport.sas_disk(m, root, 0, 1, "sdb", SAS_HDD, 15628053168, "5000c50000000b02",
                       rate=7200, serial="PSEUDO04", physical_block_size=4096)


@captured("6.1", "Storage server: SAS SSD, SAS hard disk, and SATA drives on an mpt3sas "
          "HBA, one behind an expander.",
          "kernel.md 1.1 (end_device, VPD 0x89); cases.jsonl d15-redhat-vpd-b1", FILLED)
def sas_hba(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SSG-6029P", board="X11DPH-T", bios="3.4")
    root = mpt3sas(m)
    add_sas_disks(m, root)
    transport.sas_disk(m, root, 0, 2, "sdc", ("ATA", "Micron_5200_MTFD", "U004"),
                       MICRON.sectors, MICRON.wwn, rate=1, depth=32,
                       drive=MICRON, physical_block_size=4096)
    transport.sas_disk(m, root, 0, 3, "sdd", ("ATA", "WDC WUH721414AL", "W07G"),
                       WD_SATA.sectors, WD_SATA.wwn, rate=7200, depth=32, expander=0,
                       drive=WD_SATA, physical_block_size=4096)
    m.expect("sda", "sas-ssd", "sas", "flash", "hba")
    m.expect("sdb", "sas-hdd", "sas", "rotational", "hba")
    m.expect("sdc", "sata-ssd", "sas", "flash", "hba", "on",
             why="Open: a SATA drive (vendor ATA, VPD 0x89) on a SAS transport. The class "
             "names the drive, the transport the way; the HBA's firmware queues: word 76 "
             "has the bit and queue_depth is 32.")
    m.expect("sdd", "sata-hdd", "sas", "rotational", "hba", "on")


@captured("5.4", "The SAS disks of sas-hba on 5.4, whose sysfs has no vpd_pgb1.",
          "kernel.md 1.2 (vpd_pgb1 absent before about 6.0); diagnosis-rules.md R21",
          FILLED)
def sas_hba_5_4(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SSG-6029P", board="X11DPH-T", bios="3.4")
    add_sas_disks(m, mpt3sas(m))
    why = ("Open (medium): rotational is there, but no page or IDENTIFY word in sysfs "
           "backs it (R21).")
    for name in ("sda", "sdb"):
        m.expect(name, "sas-disk", "sas", "unknown", "hba",
                 findings=["medium-unknown:info"], why=why if name == "sda" else None)


@captured("6.1", "SAS disks whose firmware reports optimal_io_size 33553920; on one the "
          "owner has set the readahead back.",
          "cases.jsonl f16-libfdisk-33553920; diagnosis-rules.md R35", FILLED)
def sas_io_opt_bogus(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R740xd", board="00WGD1")
    root = mpt3sas(m)
    transport.sas_disk(m, root, 0, 0, "sda", SAS_HDD, 15628053168, "5000c50000000b05",
                       rate=7200, serial="PSEUDO05", optimal_io_size=33553920)
    transport.sas_disk(m, root, 0, 1, "sdb", SAS_HDD, 15628053168, "5000c50000000b06",
                       rate=7200, serial="PSEUDO06", optimal_io_size=33553920,
                       read_ahead_kb=128)
    transport.sas_disk(m, root, 0, 2, "sdc", SAS_HDD, 15628053168, "5000c50000000b07",
                       rate=7200, serial="PSEUDO07", optimal_io_size=1048576)
    m.expect("sda", "sas-hdd", "sas", "rotational", "hba",
             findings=["io-opt-bogus:warn", "readahead-from-io-opt:warn"])
    m.expect("sdb", "sas-hdd", "sas", "rotational", "hba",
             findings=["io-opt-bogus:info"],
             why="Nothing is derived from it any more.")
    m.expect("sdc", "sas-hdd", "sas", "rotational", "hba",
             why="2 x 1 MiB = 2048 KiB derives from io_opt but is not above 4096 (R34).")


@captured("6.1", "Dell server, PERC: two RAID volumes; only one answers VPD 0xB1.",
          "cases.jsonl d09-ceph-raid0-ssd-rot1 and d04-coreos-raid-passthrough; path of "
          "sda in kernel-logs/6.1-nvme-multipath-sas-md-dm-overlay.log", FILLED)
def megaraid_volumes(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R730xd", board="0WCJNT", bios="2.13.0")
    port = "/devices/pci0000:00/0000:00:01.0"
    host.bridge(m, port, "8086:6f02", (8.0, 8, 8.0, 8))
    function = f"{port}/0000:02:00.0"
    host.pci(m, function, "0x010400", "1000:005d", "megaraid_sas", "1028:1f49", "0x02",
             link=(8.0, 8, 8.0, 8), numa=0)
    root = transport.scsi.host(m, function, 0, "megaraid_sas", 924, 256)
    transport.raid_volume(m, root, "0:2:0:0", "sda", ("DELL", "PERC H730P Mini", "4.30"),
                          1170997248, 256, wwn="618e7280000000000000000000000c01",
                          serial="00PSEUDO08")
    transport.raid_volume(m, root, "0:2:1:0", "sdb", ("DELL", "PERC H730P Mini", "4.30"),
                          3749707776, 256, wwn="618e7280000000000000000000000c02",
                          serial="00PSEUDO09", rate=1)
    m.expect("sda", "raid-volume", "scsi", "unknown", "raid-volume",
             findings=["medium-unknown:info"],
             why="No VPD 0xB1: rotational=1 is sd's default and may hide SSDs. Open: "
             "design.md names no transport for RAID HBAs; `scsi` is taken.")
    m.expect("sdb", "raid-volume", "scsi", "flash", "raid-volume",
             why="A VPD 0xB1 page with rate 1 backs it.")


@captured("4.18", "HPE server on RHEL 8.0: smartpqi and hpsa logical volumes.",
          "kernel.md 1.1 (raid HBA); attributes of drivers/scsi/hpsa.c and smartpqi",
          FILLED)
def hpe_smart_array(m):
    host.kernel_files(m)
    host.dmi(m, "HPE", "ProLiant DL380 Gen10", bios="U30")
    port = "/devices/pci0000:5b/0000:5b:00.0"
    host.bridge(m, port, "8086:2030", (8.0, 8, 8.0, 8))
    pqi = f"{port}/0000:5c:00.0"
    host.pci(m, pqi, "0x010700", "9005:028f", "smartpqi", "103c:0654", "0x01",
             link=(8.0, 8, 8.0, 8))
    root = transport.scsi.host(m, pqi, 0, "smartpqi", 1014, 1014)
    transport.raid_volume(m, root, "0:1:0:0", "sda", ("HPE", "LOGICAL VOLUME", "1.98"),
                          1172058032, 1014, wwn="600508b1001c00000000000000000d01",
                          serial="PSEUDO10", mq=(8, 1014), scheduler="none",
                          device={"raid_level": "RAID-1", "lunid": "0x0100004000000000",
                                  "ssd_smart_path_enabled": 1})
    port = "/devices/pci0000:80/0000:80:02.0"
    host.bridge(m, port, "8086:2030", (8.0, 8, 8.0, 8))
    hpsa = f"{port}/0000:81:00.0"
    host.pci(m, hpsa, "0x010400", "103c:3239", "hpsa", "103c:21bd", "0x01",
             link=(8.0, 8, 8.0, 8))
    root = transport.scsi.host(m, hpsa, 1, "hpsa", 1013, 1013)
    transport.raid_volume(m, root, "1:1:0:0", "sdb", ("HP", "LOGICAL VOLUME", "6.68"),
                          7813971632, 1013, wwn="600508b1001c00000000000000000d02",
                          serial="PSEUDO11", mq=(1, 1013),
                          device={"raid_level": "RAID 5", "lunid": "0x0000004001000000",
                                  "hp_ssd_smart_path_enabled": 0})
    m.expect("sda", "raid-volume", "scsi", "unknown", "raid-volume",
             findings=["medium-unknown:info"],
             why="smartpqi's PCI class is 0107 (SAS): the driver and raid_level tell.")
    m.expect("sdb", "raid-volume", "scsi", "unknown", "raid-volume",
             findings=["medium-unknown:info"])


@captured("6.1", "Database server on a SAN: two paths to one flash LUN under "
          "dm-multipath, and a LUN without VPD 0xB1 at a deliberate depth of 4.",
          "kernel.md 1.1 (rport); cases.jsonl g12-svc-depth-4", FILLED)
def fc_san(m):
    host.kernel_files(m)
    host.dmi(m, "Lenovo", "ThinkSystem SR650", board="7X06CTO1WW")
    port = "/devices/pci0000:ae/0000:ae:00.0"
    host.bridge(m, port, "8086:2030", (8.0, 8, 8.0, 16))
    inquiry = ("PURE", "FlashArray", "8888")
    paths = []
    for number, name in ((1, "sda"), (2, "sdb")):
        function = f"{port}/0000:af:00.{number - 1}"
        host.pci(m, function, "0x0c0400", "1077:2261", "qla2xxx", "1077:02a8", "0x01",
                 link=(8.0, 8, 8.0, 8))
        root = transport.fc_host(m, function, number, "qla2xxx")
        paths.append(transport.fc_lun(m, root, number, 0, 1, name, inquiry, 4294967296,
                                      "624a9370000000000000000000000e01", rate=1,
                                      optimal_io_size=4194304))
    paths[1].symlinks = [link for link in paths[1].symlinks if "by-path" in link]
    root = transport.fc_host(m, f"{port}/0000:af:00.0", 1, "qla2xxx")
    transport.fc_lun(m, root, 1, 1, 0, "sdc", ("IBM", "2145", "0000"), 2147483648,
                     "60050768000000000000000000000e02", depth=4)
    stack.dm(m, 0, "mpatha", "mpath-3624a9370000000000000000000000e01", paths,
             4294967296, scheduler="none", optimal_io_size=4194304, timeout=False,
             rotational=0, nr_requests=128)
    for name in ("sda", "sdb"):
        m.expect(name, "san-lun", "fc", "flash", "hba",
                 why="The readahead of a path does not count: that of dm-0 does."
                 if name == "sda" else None)
    m.expect("sdc", "san-lun", "fc", "unknown", "hba", findings=["san-depth:info"],
             why="Depth 4 on FC can be deliberate (R45): no more than info, and none for "
             "the drivers' own 32.")
    m.expect("dm-0", "stacked", "dm", "flash", "stacked",
             findings=["readahead-from-io-opt:warn"],
             why="Every leaf is flash by VPD 0xB1; readahead 8192 = 2 x 4 MiB, on the top "
             "device, where it counts.")


@captured("6.1", "Edge node with iSCSI LUNs: LIO target with VPD 0xB1 rate 0, and one "
          "left at queue_depth 1.",
          "cases.jsonl j13-eve-iscsi-qd1; kernel.md 1.1 (session)", FILLED)
def iscsi_luns(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R340", board="045M96")
    transport.iscsi_lun(m, 2, 1, "sda", ("LIO-ORG", "block0", "4.0"), 209715200,
                        "60014050000000000000000000000f01", rate=0)
    transport.iscsi_lun(m, 3, 2, "sdb", ("LIO-ORG", "block1", "4.0"), 209715200,
                        "60014050000000000000000000000f02", rate=1, depth=1)
    m.expect("sda", "san-lun", "iscsi", "unknown", "network",
             why="The page is there, its rate is 0: not reported.")
    m.expect("sdb", "san-lun", "iscsi", "flash", "network",
             findings=["iscsi-depth-one:warn"], why="NCQ is no word for iSCSI.")


@captured("6.1", "Large storage server: two SATA boot SSDs in md raid1, twenty-six SAS hard "
          "disks behind an expander (names up to sdab), two NVMe caches.",
          "kernel.md 1.1; cases.jsonl e07-smr-hm-deadline (names beyond sdz)", FILLED)
def storage_server_large(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Supermicro", "SSG-640SP-E1CR60", board="X12DSC-6", bios="1.4")
    hba = ata.Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="c734ff07",
                  version="10301")
    host.pci(m, hba.path, "0x010601", "8086:a182", "ahci", "15d9:1b71",
             "0x09").set({"remapped_nvme": 0})
    parts = []
    for index, name in enumerate(("sda", "sdb")):
        drive = Drive("INTEL SSDSC2KB240G8", f"BTYFPSEUDO{index:02d}240AGN", "XCV10110",
                      "240G", physical=4096, wwn=f"55cd2e400000{index:04x}")
        disk = ata.disk(m, hba, name, index + 1, index, drive)
        parts.append(block.partition(m, disk, 1, 2048, 468858880))
        m.expect(name, "sata-ssd", "sata", "flash", "ahci", "on")
    stack.md(m, 0, "raid1", parts, 468727616)
    host.bridge(m, "/devices/pci0000:3a/0000:3a:00.0", "8086:347a", (8.0, 8, 16.0, 16))
    host.pci(m, SAS3008, "0x010700", "1000:00ac", "mpt3sas", "15d9:1b82", "0x01",
             link=(8.0, 8, 8.0, 8), numa=0)
    root = transport.sas_host(m, SAS3008, 8, "mpt3sas", 9664)
    for index in range(26):
        name = f"sd{chr(ord('c') + index)}" if index < 24 else f"sda{'ab'[index - 24]}"
        transport.sas_disk(m, root, 8, index, name, ("HGST", "HUH721010AL5200", "A3A0"),
                           19532873728, f"5000cca2660000{index:02x}", rate=7200,
                           expander=0, serial=f"PSEUDO{index:02d}",
                           physical_block_size=4096)
        m.expect(name, "sas-hdd", "sas", "rotational", "hba")
    for number in range(2):
        port = f"/devices/pci0000:64/0000:64:0{number + 2}.0"
        host.bridge(m, port, "8086:347a", (16.0, 4, 16.0, 4))
        host.pci(m, f"{port}/0000:{0x65 + number:02x}:00.0", "0x010802", "8086:0b60",
                 "nvme", "8086:8008", link=(16.0, 4, 16.0, 4), numa=0)
        nvme.pcie_disk(m, f"{port}/0000:{0x65 + number:02x}:00.0", number,
                       nvme.Ssd("INTEL SSDPF2KX038TZ", f"PHAXPSEUDO{number}", "9CV10200",
                                7501476528, queues=64, max_hw_kb=128,
                                volatile_cache=False), number)
        m.expect(f"nvme{number}n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("md0", "stacked", "md", "flash", "stacked")
