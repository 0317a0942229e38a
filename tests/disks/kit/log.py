# SPDX-License-Identifier: MIT
"""Lines of the kernel log as libata and sd print them.

The formats are those of drivers/ata/libata-core.c (ata_dev_configure,
sata_print_link_status), libata-eh.c (ata_eh_link_report) and drivers/scsi/sd.c.  What
a report quotes is given by its case; these functions print what stands around it.
"""

GBPS = {1: "1.5", 2: "3.0", 3: "6.0"}


def boot(m):
    """The first line, so that a log is never empty."""
    m.kernel_log([f"Linux version {m.files['/proc/sys/kernel/osrelease'].strip()}"],
                 start=0.0)


def ahci(hba, ports, mode="SATA"):
    """What ahci says of its function."""
    address = hba.path.rsplit("/", 1)[1]
    return [f"ahci {address}: AHCI 0001.{hba.version[1:]} 32 slots {ports} ports "
            f"{GBPS[hba.gen].removesuffix('.0')} Gbps 0x{(1 << ports) - 1:x} impl {mode} "
            "mode"]


def piix(hba, combined=""):
    address = hba.path.rsplit("/", 1)[1]
    lines = [f"ata_piix {address}: version 2.13"]
    if combined:
        lines.append(f"ata_piix {address}: MAP [ {combined} ]")
    return lines


def link_up(ata, gen, scontrol="300"):
    return f"ata{ata}: SATA link up {GBPS[gen]} Gbps (SStatus 1{gen}3 SControl {scontrol})"


def probe(ata, drive, depth=None, gen=None, device="00", scontrol="300", mode=None,
          before=()):
    """A drive that is found: link, identity, size with NCQ, transfer mode.

    depth: what the host allows, 0 for one without NCQ, None for "not used"; gen: the
    link's generation, None for hosts that cannot tell; before: lines between link and
    identity."""
    lines = [link_up(ata, gen, scontrol)] if gen else []
    lines += before
    dev = f"ata{ata}.{device}"
    lines.append(f"{dev}: ATA-{9 if drive.gen == 3 else 8}: {drive.model}, "
                 f"{drive.firmware}, max UDMA/133")
    ncq = ""
    if drive.ncq and depth is None:
        ncq = " NCQ (not used)"
    elif drive.ncq:
        ncq = (f" NCQ (depth {drive.depth})" if depth >= drive.depth
               else f" NCQ (depth {depth}/{drive.depth})")
        ncq += ", AA" if drive.gen == 3 and depth else ""
    lines.append(f"{dev}: {drive.sectors} sectors, multi 16: LBA48{ncq}")
    lines.append(f"{dev}: configured for {mode or 'UDMA/133'}")
    return lines


def attached(name, hctl, drive):
    """What SCSI and sd say of the drive."""
    rev = drive.firmware[4:8].strip() or drive.firmware[:4]
    return [f"scsi {hctl}: Direct-Access     ATA      {drive.model[:16]:16} {rev:4} "
            "PQ: 0 ANSI: 5",
            f"sd {hctl}: [{name}] {drive.sectors} 512-byte logical blocks",
            f"sd {hctl}: [{name}] Write Protect is off",
            f"sd {hctl}: [{name}] Write cache: enabled, read cache: enabled, doesn't "
            "support DPO or FUA",
            f"sd {hctl}: [{name}] Attached SCSI disk"]


# cmd and res of a failed command, by its name: opcode, tag and transfer.
TASKFILES = {
    "READ FPDMA QUEUED": ("60/08:{t:x}:00:08:00/00:00:00:00:00/40", "ncq dma 4096 in"),
    "WRITE FPDMA QUEUED": ("61/08:{t:x}:00:08:00/00:00:00:00:00/40", "ncq dma 4096 out"),
    "READ DMA": ("c8/00:08:00:08:00/00:00:00:00:00/e0", "dma 4096 in"),
    "WRITE DMA": ("ca/00:08:00:08:00/00:00:00:00:00/e0", "dma 4096 out"),
    "READ DMA EXT": ("25/00:08:00:08:00/00:00:00:00:00/e0", "dma 4096 in"),
    "WRITE DMA EXT": ("35/00:08:00:08:00/00:00:00:00:00/e0", "dma 4096 out"),
}
CAUSES = {0x4: "timeout", 0x10: "ATA bus error", 0x14: "ATA bus error",
          0x40: "internal error"}


def fault(ata, emask, sact, serr, command, names="", device="00", tag=1,
          action="0x6 frozen", extra=(), after=()):
    """A failed command: exception, SError, command, result, status, reset.

    after: the lines that follow the reset; extra: those behind the exception line."""
    dev, port = f"ata{ata}.{device}", f"ata{ata}"
    cmd, kind = TASKFILES[command]
    first = emask if emask != 0x4 else 0
    lines = [f"{dev}: exception Emask 0x{first:x} SAct 0x{sact:x} SErr 0x{serr:x} action "
             f"{action}", *[f"{dev}: {line}" for line in extra]]
    if names:
        lines.append(f"{port if device == '00' else dev}: SError: {{ {names} }}")
    lines += [f"{dev}: failed command: {command}",
              f"{dev}: cmd {cmd.format(t=tag << 3)} tag {tag} {kind}",
              f"         res 40/00:00:00:4f:c2/00:00:00:00:00/00 Emask 0x{emask:x} "
              f"({CAUSES[emask]})",
              f"{dev}: status: {{ DRDY }}",
              f"{port if device == '00' else dev}: hard resetting link"]
    return lines + [*after, f"{port}: EH complete"]
