# SPDX-License-Identifier: MIT
"""Shingled and zoned drives."""

from kit import ata, host, nvme, transport
from kit.ata import Drive
from kit.nvme import Ssd

from . import captured
from .scsi import mpt3sas
from .stack import ahci, board

FILLED = "queue/, DMI and pseudonymous identities; layout of the 6.1 log"


@captured("6.1", "Drives of every shingled kind: host-managed SATA (class zac), "
          "host-aware, drive-managed that only the model shows, and a plain one.",
          "cases.jsonl b07-noncq-no-gain-smr, e07-smr-hm-deadline, j06-wd-efax-smr, "
          "j07-st5000lm000-smr", FILLED)
def smr_sata(m):
    board(m)
    hba = ahci(m)
    zones = {"nr_zones": 52156, "chunk_sectors": 524288, "max_open_zones": 128,
             "max_active_zones": 0, "zone_write_granularity": 4096}
    disk = ata.disk(m, hba, "sda", 1, 0, Drive("HGST HSH721414ALN6M0", "VFPSEUDO01",
                    "L4GMT240", "14T", rpm=7200, physical=4096, klass="zac",
                    wwn="5000cca200000b01"), **pick(zones))
    disk.set({f"queue/{name}": zones[name] for name in ("max_open_zones",
                                                       "max_active_zones")})
    ata.disk(m, hba, "sdb", 2, 1, Drive("ST8000AS0022-1WL17Z", "Z8PSEUDO02", "SN01", "8T",
             rpm=5980, physical=4096, zoned=1, wwn="5000c50000000b02"),
             nr_zones=29809, chunk_sectors=524288)
    ata.disk(m, hba, "sdc", 3, 2, Drive("ST6000AS0002-1YZ107", "Z4PSEUDO03", "AR15", "6T",
             rpm=5980, physical=4096, zoned=2, wwn="5000c50000000b03"))
    ata.disk(m, hba, "sdd", 4, 3, Drive("WDC WD40EFAX-68JH4N0", "WD-WXPSEUDO04",
             "82.00A82", "4T", rpm=5400, physical=4096, wwn="50014ee000000b04"))
    ata.disk(m, hba, "sde", 5, 4, Drive("ST5000LM000-2AN170", "WCPSEUDO05", "0001", "5T",
             rpm=5526, physical=4096, wwn="5000c50000000b05"))
    m.expect("sda", "zoned-hdd", "sata", "rotational", "ahci", "on",
             why="ata_device class zac, SCSI type 20, queue/zoned host-managed.")
    m.expect("sdb", "zoned-hdd", "sata", "rotational", "ahci", "on",
             why="Open: host-aware works as a plain disk too; queue/zoned says host-aware "
             "up to about 6.7, so it goes with the zoned ones.")
    for name in ("sdc", "sdd", "sde"):
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on",
                 ["smr-drive:warn"], "Drive-managed: zoned=none, a plain disk for the "
                 "kernel; the model tells (R48)." if name == "sdc" else None)


def pick(zones):
    return {name: value for name, value in zones.items()
            if name not in ("max_open_zones", "max_active_zones")}


@captured("6.12", "Host-managed SAS disk (type 20) and a zoned NVMe namespace.",
          "kernel.md 1.1 and 7 (csi); diagnosis-rules.md R32", FILLED)
def zoned_sas_nvme(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SSG-6029P", board="X11DPH-T", bios="3.4")
    root = mpt3sas(m)
    transport.sas_disk(m, root, 0, 0, "sda", ("HGST", "HSH721414AL42M0", "A250"),
                       27344764928, "5000cca200000c01", rate=7200, kind=0x14,
                       serial="PSEUDO06", physical_block_size=4096,
                       zoned="host-managed", nr_zones=52156, chunk_sectors=524288)
    port = "/devices/pci0000:64/0000:64:02.0"
    host.bridge(m, port, "8086:347a", (8.0, 4, 16.0, 4))
    host.pci(m, f"{port}/0000:65:00.0", "0x010802", "1b96:2600", "nvme",
             link=(8.0, 4, 8.0, 4))
    disk = nvme.pcie_disk(m, f"{port}/0000:65:00.0", 0, Ssd("WZS4C8T4TDSP303",
                          "A0PSEUDO07", "R2210000", 15002931888, logical=4096), 0,
                          scheduler="mq-deadline", zoned="host-managed", nr_zones=3688,
                          chunk_sectors=4194304, zone_append_max_bytes=524288)
    disk.set({"csi": 2})
    m.expect("sda", "zoned-hdd", "sas", "rotational", "hba")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             why="Zoned, but no hard disk. mq-deadline is what its zones need (R32), "
             "whatever other NVMe drives want.")
