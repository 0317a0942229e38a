# SPDX-License-Identifier: MIT
"""USB: host controllers, devices, interfaces, and the SCSI disks behind them."""

import dataclasses

from . import kernels, scsi


@dataclasses.dataclass
class Gadget:
    """One USB mass storage device."""

    vendor_id: str
    product_id: str
    manufacturer: str
    product: str
    serial: str
    inquiry: tuple          # vendor, model, revision
    sectors: int
    uas: bool = False
    speed: int = 5000       # Mb/s: 480, 5000, 10000
    bcd: str = "0100"
    removable: int = 0
    depth: int = 1
    pgb1: int = None        # rotation rate in VPD 0xB1, None: no such page
    version: str = ""       # bcdUSB; "": that of a USB 3 device in its port


def root_hub(machine, function, bus, speed):
    path = f"{function}/usb{bus}"
    if path not in machine.blocks:
        machine.add(path, "usb").prop({"DEVTYPE": "usb_device"}).driver(
            "usb", "usb").set({
                "speed": speed, "idVendor": "1d6b", "bDeviceClass": "09",
                "idProduct": "0003" if speed >= 5000 else "0002",
                "manufacturer": "Linux xhci-hcd", "product": "xHCI Host Controller",
                "bcdDevice": "0601", "serial": scsi.address(function)})
    return path


def device(machine, function, bus, port, gadget):
    """usb_device and usb_interface; returns the interface's path."""
    hub = root_hub(machine, function, bus, gadget.speed)
    path = f"{hub}/{bus}-{port}"
    unit = machine.add(path, "usb").prop({"DEVTYPE": "usb_device"})
    unit.driver("usb", "usb").set({
        "speed": gadget.speed, "idVendor": gadget.vendor_id, "bDeviceClass": "00",
        "idProduct": gadget.product_id, "bcdDevice": gadget.bcd,
        "manufacturer": gadget.manufacturer, "product": gadget.product,
        "serial": gadget.serial, "bMaxPower": "896mA",
        "version": gadget.version or (" 3.10" if gadget.speed >= 5000 else " 2.10")})
    interface = machine.add(f"{path}/{bus}-{port}:1.0", "usb")
    interface.prop({"DEVTYPE": "usb_interface"})
    interface.driver("usb", "uas" if gadget.uas else "usb-storage")
    return interface.set({"bInterfaceClass": "08", "bInterfaceSubClass": "06",
                          "bInterfaceProtocol": "62" if gadget.uas else "50",
                          "bInterfaceNumber": "00"}).path


def disk(machine, function, bus, port, name, host, gadget, **queue):
    interface = device(machine, function, bus, port, gadget)
    driver = "uas" if gadget.uas else "usb-storage"
    parent = scsi.host(machine, interface, host,
                       "(null)" if gadget.uas else driver, gadget.depth)
    sdev = scsi.device(machine, parent, f"{host}:0:0:0", *gadget.inquiry,
                       gadget.depth, "0444",
                       queue_type="simple" if gadget.uas else "none")
    if gadget.pgb1 is not None:
        scsi.set_vpd_b1(machine, sdev, gadget.pgb1)
    if not gadget.uas:
        sdev.set({"max_sectors": 2048 if gadget.speed >= 5000 else 240})
    values = {"rotational": 0 if gadget.pgb1 == 1 else 1, "add_random": 1,
              "max_hw_sectors_kb": transfer_kb(gadget), "max_segments": 2048,
              "nr_requests": 2 * gadget.depth, "mq": (1, gadget.depth)}
    if not gadget.uas:
        values["write_cache"] = "write through"
    values.update(queue)
    unit = scsi.sd(machine, sdev, name, gadget.sectors, gadget.removable, **values)
    if gadget.removable:
        unit.set({"events": "media_change"})
    where = "pci" if ":" in scsi.address(function) else "platform"
    id_path = f"{where}-{scsi.address(function)}-usb-0:{port}:1.0-scsi-0:0:0:0"
    return props(unit, gadget, driver, id_path)


def transfer_kb(gadget):
    if gadget.uas:
        return 512
    return 1024 if gadget.speed >= 5000 else 120


def props(unit, gadget, driver, id_path):
    """What usb_id gives, twice: ID_* and ID_USB_*."""
    vendor, model, rev = (part.strip() for part in gadget.inquiry)
    if gadget.manufacturer and not vendor.strip():
        vendor = gadget.manufacturer
    short = scsi.clean(gadget.serial)
    serial = f"{scsi.clean(vendor)}_{scsi.clean(model)}_{short}-0:0"
    values = {"VENDOR": scsi.clean(vendor), "VENDOR_ENC": scsi.encoded(vendor, 8),
              "VENDOR_ID": gadget.vendor_id, "MODEL": scsi.clean(model),
              "MODEL_ENC": scsi.encoded(model, 16), "MODEL_ID": gadget.product_id,
              "REVISION": rev, "SERIAL": serial, "SERIAL_SHORT": short,
              "TYPE": "disk", "INSTANCE": "0:0"}
    for key, value in values.items():
        unit.prop({f"ID_{key}": value, f"ID_USB_{key}": value})
    unit.prop({"ID_BUS": "usb", "ID_USB_DRIVER": driver,
               "ID_USB_INTERFACE_NUM": "00",
               "ID_USB_INTERFACES": ":080662:" if gadget.uas else ":080650:"})
    unit.symlinks = [f"disk/by-id/usb-{serial}"]
    return scsi.add_path(unit, id_path)


def as_ata_bus(unit, drive):
    """Turns the properties into those of a bridge that ata_id could ask: systemd
    252 runs ata_id on non-removable USB disks, and usb_id then keeps ID_BUS."""
    serial = f"{scsi.clean(drive.model)}_{drive.serial}"
    for key in ("VENDOR", "VENDOR_ENC", "VENDOR_ID", "MODEL_ID", "INSTANCE"):
        unit.prop({f"ID_{key}": None})
    unit.prop({"ID_ATA": 1, "ID_BUS": "ata", "ID_TYPE": "disk", "ID_SERIAL": serial,
               "ID_MODEL": scsi.clean(drive.model),
               "ID_MODEL_ENC": scsi.encoded(drive.model, 40),
               "ID_REVISION": drive.firmware, "ID_SERIAL_SHORT": drive.serial,
               "ID_ATA_SATA": 1, "ID_ATA_WRITE_CACHE": 1})
    if drive.rpm:
        unit.prop({"ID_ATA_ROTATION_RATE_RPM":
                   0 if drive.rpm == 1 else drive.rpm})
    unit.symlinks.append(f"disk/by-id/ata-{serial}")
    return unit


def rate(machine, gadget):
    """The kernel's word for a device's speed; 5.11 dropped "Gen 1" from it."""
    if gadget.speed == 480:
        return "high-speed"
    if gadget.speed == 10000:
        return "SuperSpeed Plus Gen 2x1"
    old = not kernels.at_least(machine.kernel, "5.15")
    return "SuperSpeed Gen 1" if old else "SuperSpeed"


def log_found(machine, bus, port, name, host, gadget, start=2.0, mask=None,
              ignored=False):
    """What the kernel log says when a device is found.  `mask` is that of the line
    "Quirks match", `ignored` adds that UAS was told to keep off."""
    at = f"usb {bus}-{port}:"
    lines = [f"{at} new {rate(machine, gadget)} USB device number 2 using xhci_hcd",
             f"{at} New USB device found, idVendor={gadget.vendor_id}, "
             f"idProduct={gadget.product_id}, bcdDevice= {int(gadget.bcd[:2])}."
             f"{gadget.bcd[2:]}",
             f"{at} Product: {gadget.product}",
             f"{at} Manufacturer: {gadget.manufacturer}",
             f"{at} SerialNumber: {gadget.serial}"]
    if ignored:
        word = "ignored" if kernels.at_least(machine.kernel, "5.10") else "blacklisted"
        lines.append(f"{at} UAS is {word} for this device, using usb-storage instead")
    if gadget.uas:
        lines.append(f"scsi host{host}: uas")
    else:
        storage = f"usb-storage {bus}-{port}:1.0:"
        lines.append(f"{storage} USB Mass Storage device detected")
        if mask:
            lines.append(f"{storage} Quirks match for vid {gadget.vendor_id} pid "
                         f"{gadget.product_id}: {mask}")
        lines.append(f"scsi host{host}: usb-storage {bus}-{port}:1.0")
    vendor, model, rev = gadget.inquiry
    lines += [f"scsi {host}:0:0:0: Direct-Access     {vendor:8} {model:16} {rev:4} "
              "PQ: 0 ANSI: 6",
              f"sd {host}:0:0:0: [{name}] {gadget.sectors} 512-byte logical blocks",
              f"sd {host}:0:0:0: [{name}] Attached SCSI "
              f"{'removable ' if gadget.removable else ''}disk"]
    machine.kernel_log(lines, start)


def log_aborts(machine, bus, port, name, host, gadget, times, start=100.0):
    """Commands that uas gave up on, each ended by a reset of the device."""
    word = rate(machine, gadget)
    for index in range(times):
        tag = index + 3
        machine.kernel_log([
            f"sd {host}:0:0:0: [{name}] tag#{tag} uas_eh_abort_handler 0 uas-tag "
            f"{tag + 1} inflight: CMD OUT ",
            f"sd {host}:0:0:0: [{name}] tag#{tag} CDB: opcode=0x2a 2a 00 01 c0 08 00 00 "
            "04 00 00",
            f"scsi host{host}: uas_eh_device_reset_handler start",
            f"usb {bus}-{port}: reset {word} USB device number 2 using xhci_hcd",
            f"scsi host{host}: uas_eh_device_reset_handler success",
        ], start + 31 * index)
