# SPDX-License-Identifier: MIT
"""SCSI hosts, targets and devices, and the properties udev derives from them."""

import re

from . import block, kernels


def clean(text):
    """udev's own cleaning: blanks to one underscore, foreign characters to `_`."""
    text = re.sub(r"\s+", "_", text.strip())
    return re.sub(r"[^A-Za-z0-9#+\-.:=@_]", "_", text)


def encoded(text, width):
    """udev's reversible *_ENC form of a padded identification string."""
    return "".join(char if re.match(r"[A-Za-z0-9#+\-.:=@_]", char)
                   else f"\\x{ord(char):02x}" for char in text.ljust(width))


def path_tag(id_path):
    return re.sub(r"[^A-Za-z0-9-]+", "_", id_path)


def host(machine, path, number, proc_name, can_queue, cmd_per_lun=0, unique_id=None,
         queues=1, attrs=None):
    """hostN and its class device; path is the parent of hostN."""
    root = f"{path}/host{number}"
    if root in machine.blocks:
        return root
    machine.add(root, "scsi").prop({"DEVTYPE": "scsi_host"})
    klass = machine.add(f"{root}/scsi_host/host{number}", "scsi_host")
    klass.set({"proc_name": proc_name, "can_queue": can_queue,
               "cmd_per_lun": cmd_per_lun, "active_mode": "Initiator",
               "unique_id": 0 if unique_id is None else unique_id,
               "host_busy": 0, "state": "running", "sg_tablesize": 168,
               "use_blk_mq": 1})
    if kernels.at_least(machine.kernel, "5.15"):
        klass.set({"nr_hw_queues": queues})
    klass.set(attrs or {})
    return root


def device(machine, parent, hctl, vendor, model, rev, depth, mode, driver="sd",
           kind=0, queue_type="simple", attrs=None):
    """Target and scsi_device below `parent`; returns the scsi_device's block."""
    target = f"{parent}/target{hctl.rsplit(':', 1)[0]}"
    machine.have(target, "scsi").prop({"DEVTYPE": "scsi_target"})
    sdev = machine.add(f"{target}/{hctl}", "scsi")
    sdev.prop({"DEVTYPE": "scsi_device"}).driver("scsi", driver)
    sdev.set({"vendor": vendor.ljust(8), "model": model.ljust(16), "rev": rev,
              "type": kind, "queue_depth": depth, "queue_type": queue_type,
              "scsi_level": 7, "state": "running", "device_blocked": 0,
              "timeout": 30, "eh_timeout": 10, "modalias": f"scsi:t-0x{kind:02x}"})
    if mode == "0644":
        sdev.set({"queue_ramp_up_period": 120000})
    sdev.mode("queue_depth", mode)
    return sdev.set(attrs or {})


def vpd_b1(rate, form=3, zoned=0):
    """VPD page 0xB1: medium rotation rate, form factor, zoned field."""
    page = bytearray(64)
    page[1], page[3] = 0xb1, 0x3c
    page[4:6] = rate.to_bytes(2, "big")
    page[7], page[8] = form, zoned << 4
    return bytes(page)


def set_vpd_b1(machine, sdev, rate, form=3, zoned=0):
    """vpd_pgb1 is in sysfs from 6.0 on."""
    if kernels.at_least(machine.kernel, "6.1"):
        sdev.hex("vpd_pgb1", vpd_b1(rate, form, zoned))


def sd(machine, sdev, name, size, removable=0, **queue):
    """The sdX below a scsi_device; `mq` gives (queues, tags)."""
    queues, tags = queue.pop("mq", (1, 32))
    disk = block.disk(machine, f"{sdev.path}/block/{name}", size,
                      block.sd_number(name), removable)
    disk.link("device", sdev.path)
    block.queue(machine, disk, **queue)
    return block.mq(disk, queues, tags)


def scsi_props(disk, vendor, model, rev, serial, id_path, wwn=None, bus="scsi",
               kind="disk"):
    """What 60-persistent-storage.rules gives a disk that scsi_id can ask."""
    joined = "_".join(part for part in (clean(vendor), clean(model)) if part)
    short = wwn.replace("0x", "3") if wwn else serial
    id_serial = short if wwn else f"0{joined}_{serial}"
    disk.prop({"ID_SCSI": 1, "ID_VENDOR": clean(vendor), "ID_MODEL": clean(model),
               "ID_VENDOR_ENC": encoded(vendor, 8), "ID_BUS": bus,
               "ID_MODEL_ENC": encoded(model, 16), "ID_REVISION": clean(rev),
               "ID_TYPE": kind, "ID_SERIAL": id_serial,
               "ID_SERIAL_SHORT": short[1:] if wwn else serial,
               "ID_SCSI_SERIAL": serial})
    disk.symlinks = [f"disk/by-id/{bus}-{id_serial}"]
    if wwn:
        disk.prop({"ID_WWN": wwn, "ID_WWN_WITH_EXTENSION": wwn})
        disk.symlinks.append(f"disk/by-id/wwn-{wwn}")
    add_path(disk, id_path)
    return disk


def add_path(disk, id_path):
    if id_path:
        disk.prop({"ID_PATH": id_path, "ID_PATH_TAG": path_tag(id_path)})
        disk.symlinks.append(f"disk/by-path/{id_path}")
    return disk


def address(path):
    """The PCI address at the end of a device path."""
    return path.rsplit("/", 1)[1]
