# SPDX-License-Identifier: MIT
"""SATA faults that only the kernel log shows, as they stand before anybody acted."""

from kit import ata, host, log
from kit.ata import Drive

from . import captured
from .reports_ncq import boot_log

FILLED = ("drive, DMI, queue/ and the lines around those named, in the formats of libata; "
          "serial numbers are pseudonyms")


def reset(number, gen):
    return [log.link_up(number, gen), f"ata{number}.00: configured for UDMA/133"]


@captured("5.10", "Mellanox switch before its vendor switched NCQ off: errors of the link.",
          "cases.jsonl b03-sonic-mellanox-noncq (the lines SError { UnrecovData Handshk } "
          "with WRITE FPDMA QUEUED, and SError { RecovComm HostInt PHYRdyChg CommWake 10B8B "
          "DevExch } with READ FPDMA QUEUED)", FILLED)
def link_fault_under_ncq(m):
    host.kernel_files(m)
    host.dmi(m, "Mellanox Technologies Ltd.", "MSN2700")
    hba = ata.ahci(m, "8086:1e03", "8086:7270")
    drive = Drive("StorFly VSF202PC016G-MLX2", "PSEUDO54", "0115-000", "80G",
                  wwn="5000000000000f54")
    ata.disk(m, hba, "sda", 1, 0, drive)
    boot_log(m, hba, 6, (1, "sda", drive, {}))
    m.kernel_log(log.fault(1, 0x10, 0x40, 0x400100, "WRITE FPDMA QUEUED",
                           "UnrecovData Handshk", tag=6, after=reset(1, 3)), start=9021.0)
    m.kernel_log(log.fault(1, 0x14, 0x1, 0x40d0802, "READ FPDMA QUEUED",
                           "RecovComm HostInt PHYRdyChg CommWake 10B8B DevExch",
                           action="0xe frozen", tag=0, after=reset(1, 3)), start=9077.4)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on", ["sata-link-fault:error"],
             "Cable, connector or power; NCQ is not to blame (R11).")


@captured("5.15", "Workstation whose kernel switched NCQ off for one SSD after errors, "
          "which queue_depth does not show.",
          "kernel.md 2.3 (NCQ disabled due to excessive errors, libata-eh.c)", FILLED)
def ahci_ncq_disabled_by_errors(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME X470-PRO")
    hba = ata.ahci(m, "1022:43c8", "1b21:1062", "0000:01:00.1",
                   bridge="/devices/pci0000:00/0000:00:01.3")
    host.bridge(m, "/devices/pci0000:00/0000:00:01.3", "1022:1453", (8.0, 4, 8.0, 4))
    drive = Drive("SanDisk SSD PLUS 480GB", "1830PSEUDO55", "UF4500RL", "480G",
                  wwn="5001b44000000f55")
    ata.disk(m, hba, "sda", 1, 0, drive)
    boot_log(m, hba, 8, (1, "sda", drive, {}))
    for start in (610.0, 655.0, 701.0):
        m.kernel_log(log.fault(1, 0x4, 0x3c0, 0, "WRITE FPDMA QUEUED", tag=6,
                               after=reset(1, 3)), start=start)
    m.kernel_log(["ata1.00: NCQ disabled due to excessive errors"]
                 + log.fault(1, 0x4, 0x3c0, 0, "WRITE FPDMA QUEUED", tag=7,
                             after=reset(1, 3)), start=745.0)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "off",
             ["ncq-off:warn", "ncq-queue-fault:warn"],
             "queue_depth is 32 all the same: the log alone tells (R9).")


@captured("5.4", "HP microserver (AMD) with a Samsung 870 and NCQ on: a kernel that does "
          "not know the pair yet.",
          "cases.jsonl b10-860evo-amd-noncq (FPDMA failures and bus resets); kernel.md 2.3 "
          "(NO_NCQ_ON_ATI)", FILLED)
def ati_samsung_ncq_on(m):
    host.kernel_files(m)
    host.dmi(m, "HP", "ProLiant MicroServer", "", "", "HP", "O41")
    hba = ata.ahci(m, "1002:4391", "103c:1609", "11.0", gen=2)
    drive = Drive("Samsung SSD 870 EVO 500GB", "S6PSEUDO870056D", "SVT01B6Q", "500G",
                  wwn="5002538f00000f56")
    ata.disk(m, hba, "sda", 1, 0, drive)
    boot_log(m, hba, 6, (1, "sda", drive, {}))
    for start in (501.0, 533.0):
        m.kernel_log(log.fault(1, 0x4, 0x7fffffff, 0, "READ FPDMA QUEUED",
                               after=reset(1, 2)), start=start)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             ["ncq-bad-pair:error", "ncq-queue-fault:warn", "sata-port-limit:info"],
             "The known pair, and commands fail already: error (R10).")
