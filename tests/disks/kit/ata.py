# SPDX-License-Identifier: MIT
"""libata: IDENTIFY data, ports, links, devices, and the disks on them.

The IDENTIFY frame follows what QEMU and common drives report; only the words the
agent reads are claims about the drive: 23-26, 27-46, 75-78, 83, 86, 106, 108-111,
169, 217.  Serial numbers and WWNs are pseudonyms.
"""

import dataclasses

from . import block, host, kernels, scsi

SECTORS = {"80G": 156301488, "120G": 234441648, "160G": 312581808,
           "240G": 468862128, "250G": 488397168, "256G": 500118192,
           "480G": 937703088, "500G": 976773168, "960G": 1875385008,
           "1T": 1953525168, "2T": 3907029168, "4T": 7814037168,
           "5T": 9767541168, "6T": 11721045168, "8T": 15628053168,
           "10T": 19532873728, "14T": 27344764928}


@dataclasses.dataclass
class Drive:
    """One ATA drive.  rpm: 1 flash, 0 not reported, else revolutions per minute."""

    model: str
    serial: str
    firmware: str
    size: str
    rpm: int = 1
    sata: bool = True
    gen: int = 3            # highest generation of the drive
    ncq: bool = True
    depth: int = 32
    physical: int = 512
    trim: bool = True
    wwn: str = ""
    udma: int = 6
    klass: str = "ata"
    zoned: int = 0          # VPD B1: 1 host-aware, 2 drive-managed

    @property
    def sectors(self):
        return SECTORS[self.size]

    @property
    def rotational(self):
        return 0 if self.rpm == 1 else 1


def text_words(text, count):
    raw = text.ljust(2 * count).encode("latin-1")
    return [raw[i] << 8 | raw[i + 1] for i in range(0, 2 * count, 2)]


def identify(drive, link_gen=0):
    """The 256 words of IDENTIFY DEVICE."""
    words = [0] * 256
    words[0:4] = 0x0040, 0x3fff, 0xc837, 0x0010
    words[6] = 0x003f
    words[10:20] = text_words(drive.serial.rjust(20), 10)
    words[23:27] = text_words(drive.firmware, 4)
    words[27:47] = text_words(drive.model, 20)
    words[47:51] = 0x8010, 0x4000, 0x2f00, 0x4000
    words[53:59] = 0x0007, 0x3fff, 0x0010, 0x003f, 0xfc10, 0x00fb
    words[59] = 0x0110
    words[60], words[61] = low_lba(drive.sectors)
    words[63:69] = 0x0007, 0x0003, 0x0078, 0x0078, 0x0078, 0x0078
    if drive.sata:
        words[75] = drive.depth - 1 if drive.ncq else 0
        words[76] = (2 << drive.gen) - 2 | (0x8500 if drive.ncq else 0x0400)
        words[77] = link_gen << 1
        words[78:80] = 0x0044, 0x0040
        words[222] = 0x10ff
    words[80:82] = (0x03fc, 0x0039) if drive.gen == 3 else (0x01fe, 0x0021)
    words[82:89] = (0x746b, 0x7d01, 0x4163, 0x7469, 0xbc01, 0x4163,
                    (1 << drive.udma + 8) | (1 << drive.udma + 1) - 1)
    words[93] = 0 if drive.sata else 0x600b
    for index in range(4):
        words[100 + index] = drive.sectors >> 16 * index & 0xffff
    if drive.physical == 4096:
        words[106] = 0x6003
    if drive.wwn:
        number = int(drive.wwn, 16)
        words[108:112] = [number >> shift & 0xffff for shift in (48, 32, 16, 0)]
        words[84] |= 0x0100
        words[87] |= 0x0100
    if drive.trim and drive.rpm == 1:
        words[69], words[105], words[169] = 0x4020, 0x0008, 0x0001
    words[217] = drive.rpm
    return with_checksum(words)


def low_lba(sectors):
    capped = min(sectors, 0x0fffffff)
    return capped & 0xffff, capped >> 16


def with_checksum(words):
    words[255] = 0x00a5
    total = sum(word & 0xff for word in words) + sum(word >> 8 for word in words)
    words[255] |= (-total & 0xff) << 8
    return words


def id_text(words):
    """The id attribute: eight words a line."""
    return "\n".join(" ".join(f"{word:04x}" for word in words[i:i + 8])
                     for i in range(0, 256, 8))


def vpd_89(words, product="libata", vendor="linux", rev="3.00"):
    """VPD page 0x89 (ATA information): IDENTIFY at bytes 60 to 571."""
    page = bytearray(60)
    page[0:4] = 0x00, 0x89, 0x02, 0x38
    page[8:16] = vendor.ljust(8).encode()
    page[16:32] = product.ljust(16).encode()
    page[32:36] = rev.encode()
    page[36], page[37], page[38], page[40] = 0x34, 0x80, 0x40, 0x01
    page[56] = 0xec
    return bytes(page) + b"".join(word.to_bytes(2, "little") for word in words)


@dataclasses.dataclass
class Hba:
    """A PCI function (or platform device) that libata drives."""

    path: str
    driver: str
    can_queue: int = 32
    caps: str = ""          # ahci_host_caps; empty for other drivers
    gen: int = 3            # highest generation of the port
    speed_known: bool = True
    lpm: str = "max_performance"
    first: int = 1          # number of the first ataN
    version: str = "10300"
    segments: int = 168
    numbers: dict = dataclasses.field(default_factory=dict)

    @property
    def ncq(self):
        return self.can_queue > 1


def ahci(machine, ids, subsystem=None, slot="1f.2", gen=3, klass="0x010601", bridge="",
         link=None, caps=None, **fields):
    """An AHCI function and its Hba, behind `bridge` (a path) or on bus 0."""
    path = (f"{bridge}/{slot}" if bridge else f"/devices/pci0000:00/0000:00:{slot}")
    hba = Hba(path, "ahci", caps=caps or f"c7{gen}4ff{gen:02x}", gen=gen,
              version=("10100", "10100", "10200", "10301")[gen], **fields)
    host.pci(machine, path, klass, ids, "ahci", subsystem, "0x05",
             link=link).set({"remapped_nvme": 0})
    return hba


def ide(machine, ids, subsystem=None, slot="1f.2", gen=2, klass="0x01018f",
        speed_known=False, driver="ata_piix", first=1):
    """A function in IDE mode.  Speed is known where the chip has SIDPR (ICH8 and
    later)."""
    path = f"/devices/pci0000:00/0000:00:{slot}"
    hba = Hba(path, driver, can_queue=1, gen=gen, speed_known=speed_known, first=first,
              lpm="max_performance" if speed_known else "", segments=128)
    host.pci(machine, path, klass, ids, driver, subsystem, "0x01")
    return hba


SPEED = {0: "<unknown>", 1: "1.5 Gbps", 2: "3.0 Gbps", 3: "6.0 Gbps"}


def port(machine, hba, ata, host, pmp_links=0):
    """ataN: port, host; returns the host's path."""
    root = f"{hba.path}/ata{ata}"
    if f"{root}/ata_port/ata{ata}" not in machine.blocks:
        machine.add(f"{root}/ata_port/ata{ata}", "ata_port").set(
            {"idle_irq": 0, "nr_pmp_links": pmp_links,
             "port_no": ata - hba.first + 1})
    extra = {"link_power_management_policy": hba.lpm if hba.lpm else None}
    if hba.caps:
        extra.update({"ahci_host_caps": hba.caps, "ahci_host_cap2": "4",
                      "ahci_host_version": hba.version, "ahci_port_cmd": "c017",
                      "em_message_type": "0"})
    if kernels.at_least(machine.kernel, "6.12") and hba.lpm:
        extra["link_power_management_supported"] = 1
    return scsi.host(machine, root, host, hba.driver, hba.can_queue,
                     unique_id=ata, attrs=extra)


def link(machine, hba, ata, speed, pmp=None, limit=0, hw_limit=0):
    name = f"link{ata}" if pmp is None else f"link{ata}.{pmp}"
    path = f"{hba.path}/ata{ata}/{name}/ata_link/{name}"
    if path not in machine.blocks:
        machine.add(path, "ata_link").set({
            "hw_sata_spd_limit": SPEED[hw_limit], "sata_spd_limit": SPEED[limit],
            "sata_spd": SPEED[speed if hba.speed_known else 0]})
    return name


def ata_device(machine, hba, ata, link_name, dev_name, drive, words, attrs):
    path = f"{hba.path}/ata{ata}/{link_name}/{dev_name}/ata_device/{dev_name}"
    dev = machine.add(path, "ata_device")
    mode = f"XFER_UDMA_{drive.udma}"
    dev.set({"class": drive.klass, "pio_mode": "XFER_PIO_4", "dma_mode": mode,
             "xfer_mode": mode, "spdn_cnt": 0, "id": id_text(words),
             "ering": "[17179577.556000000]Unknown",
             "trim": "unqueued" if drive.trim and drive.rpm == 1 else "unsupported"})
    dev.raw("gscr", "").set(attrs or {})
    return dev


def disk(machine, hba, name, ata, host, drive, **options):
    """A drive on a port.  Options: slot (device number), pmp, pmp_links, depth
    (what queue_depth reads), limit and hw_limit (link), speed, device (attributes
    of ata_device), and attributes of queue/."""
    slot, pmp = options.pop("slot", 0), options.pop("pmp", None)
    speed = options.pop("speed", min(hba.gen, drive.gen) if drive.sata else 0)
    parent = port(machine, hba, ata, host, options.pop("pmp_links", 0))
    link_name = link(machine, hba, ata, speed, pmp, options.pop("limit", 0),
                     options.pop("hw_limit", 0))
    words = identify(drive, speed)
    dev_name = f"dev{ata}.{slot}" if pmp is None else f"dev{ata}.{pmp}.0"
    ata_device(machine, hba, ata, link_name, dev_name, drive, words,
               options.pop("device", None))
    depth = options.pop("depth", None) or (
        min(hba.can_queue, drive.depth) if hba.ncq and drive.ncq else 1)
    channel = 0 if pmp is None else pmp
    sdev = scsi_device(machine, hba, parent, f"{host}:{channel}:{slot}:0", drive,
                       depth, words)
    unit = scsi.sd(machine, sdev, name, drive.sectors,
                   **queue_of(hba, drive, options))
    props(unit, hba, drive, ata, slot if pmp is None else pmp, pmp is not None)
    return unit


def scsi_device(machine, hba, parent, hctl, drive, depth, words):
    rev = drive.firmware[4:8].strip() or drive.firmware[:4]
    kind = 0x14 if drive.klass == "zac" else 0
    sdev = scsi.device(machine, parent, hctl, "ATA", drive.model[:16], rev.ljust(4),
                       depth, "0644" if hba.ncq else "0444", kind=kind)
    sdev.set({"scsi_level": 6})
    if hba.ncq:
        sdev.set({"ncq_prio_enable": 0})
        if kernels.at_least(machine.kernel, "5.15"):
            sdev.set({"ncq_prio_supported": 0})
    sdev.set({"wwid": f"naa.{drive.wwn}" if drive.wwn
              else f"t10.ATA     {drive.model.ljust(40)}{drive.serial.rjust(20)}"})
    if kernels.at_least(machine.kernel, "5.10"):
        sdev.hex("vpd_pg89", vpd_89(words))
    scsi.set_vpd_b1(machine, sdev, drive.rpm, zoned=drive.zoned)
    return sdev


def queue_of(hba, drive, given):
    """What queue/ and mq/ show on such a port."""
    values = {"rotational": drive.rotational, "add_random": drive.rotational,
              "physical_block_size": drive.physical, "max_segments": hba.segments,
              "nr_requests": 2 * hba.can_queue, "mq": (1, hba.can_queue)}
    if drive.trim and drive.rpm == 1:
        values.update({"discard_granularity": drive.physical,
                       "discard_max_bytes": 2147450880,
                       "discard_max_hw_bytes": 2147450880})
    if drive.klass == "zac":
        values["zoned"] = "host-managed"
    elif drive.zoned == 1:
        values["zoned"] = "host-aware"
    values.update(given)
    return values


def props(unit, hba, drive, ata, device, behind_pmp=False):
    """What ata_id and path_id give."""
    number = ata - hba.first + 1
    last = f"{device}.0" if behind_pmp else f"{device}"
    drive_props(unit, drive, f"pci-{scsi.address(hba.path)}-ata-{number}.{last}")
    if not behind_pmp:
        unit.prop({"ID_PATH_ATA_COMPAT":
                   f"pci-{scsi.address(hba.path)}-ata-{number}"})


def drive_props(unit, drive, id_path):
    """What ata_id gives for a drive that answers IDENTIFY, on whatever transport."""
    serial = f"{scsi.clean(drive.model)}_{drive.serial}"
    unit.prop({"ID_ATA": 1, "ID_TYPE": "disk", "ID_BUS": "ata",
               "ID_MODEL": scsi.clean(drive.model), "ID_SERIAL": serial,
               "ID_MODEL_ENC": scsi.encoded(drive.model, 40),
               "ID_REVISION": scsi.clean(drive.firmware),
               "ID_SERIAL_SHORT": drive.serial, "ID_ATA_WRITE_CACHE": 1,
               "ID_ATA_WRITE_CACHE_ENABLED": 1})
    if drive.sata:
        unit.prop({"ID_ATA_SATA": 1, "ID_ATA_SATA_SIGNAL_RATE_GEN1": 1})
        if drive.gen >= 2:
            unit.prop({"ID_ATA_SATA_SIGNAL_RATE_GEN2": 1})
    if drive.rpm:
        unit.prop({"ID_ATA_ROTATION_RATE_RPM": 0 if drive.rpm == 1 else drive.rpm})
    unit.symlinks = [f"disk/by-id/ata-{serial}"]
    if drive.wwn:
        unit.prop({"ID_WWN": f"0x{drive.wwn}",
                   "ID_WWN_WITH_EXTENSION": f"0x{drive.wwn}"})
        unit.symlinks.append(f"disk/by-id/wwn-0x{drive.wwn}")
    return scsi.add_path(unit, id_path)


def empty_port(machine, hba, ata, host):
    """A port without a drive."""
    port(machine, hba, ata, host)
    name = link(machine, hba, ata, 0)
    path = f"{hba.path}/ata{ata}/{name}/dev{ata}.0/ata_device/dev{ata}.0"
    machine.add(path, "ata_device").set({
        "class": "unknown", "pio_mode": "XFER_PIO_0", "dma_mode": "",
        "xfer_mode": "XFER_PIO_SLOW", "spdn_cnt": 0, "trim": "unsupported",
        "ering": "[17179577.560000000]Unknown"}).raw("gscr", "")


def optical(machine, hba, name, ata, host, model, serial, **options):
    """An ATAPI drive: sr, class atapi, queue_depth 1."""
    slot = options.pop("slot", 0)
    sata = options.pop("sata", True)
    parent = port(machine, hba, ata, host)
    link_name = link(machine, hba, ata, 1 if sata else 0)
    drive = Drive(model, serial, "1.00", "80G", rpm=0, sata=sata, gen=1, ncq=False,
                  trim=False, udma=5, klass="atapi")
    words = identify(drive, 1 if sata else 0)
    words[0], words[217] = 0x85c0, 0
    ata_device(machine, hba, ata, link_name, f"dev{ata}.{slot}", drive,
               with_checksum(words), None)
    vendor, product = model.split(" ", 1)
    sdev = scsi.device(machine, parent, f"{host}:0:{slot}:0", vendor, product[:16],
                       "1.00", 1, "0644" if hba.ncq else "0444", driver="sr", kind=5,
                       queue_type="none")
    rotational = 0 if kernels.at_least(machine.kernel, "6.12") else 1
    unit = block.disk(machine, f"{sdev.path}/block/{name}", 2097151,
                      (11, int(name[2:])), removable=1, ext_range=1, range=1, ro=1)
    unit.link("device", sdev.path).set({"events": "media_change eject_request"})
    block.queue(machine, unit, rotational=rotational, nr_requests=2 * hba.can_queue,
                max_hw_sectors_kb=128, write_cache="write through",
                logical_block_size=2048, **options)
    block.mq(unit, 1, hba.can_queue)
    unit.prop({"ID_CDROM": 1, "ID_CDROM_DVD": 1, "ID_ATA": 1, "ID_TYPE": "cd",
               "ID_BUS": "ata", "ID_MODEL": scsi.clean(model), "SYSTEMD_READY": 0,
               "ID_MODEL_ENC": scsi.encoded(model, 40), "ID_SERIAL_SHORT": serial,
               "ID_SERIAL": f"{scsi.clean(model)}_{serial}"})
    unit.symlinks = [f"disk/by-id/ata-{scsi.clean(model)}_{serial}"]
    scsi.add_path(unit, f"pci-{scsi.address(hba.path)}-ata-"
                        f"{ata - hba.first + 1}.{slot}")
    return unit
