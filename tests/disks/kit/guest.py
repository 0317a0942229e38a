# SPDX-License-Identifier: MIT
"""Disks of virtual machines: virtio, Xen, Hyper-V, VMware, and emulated controllers."""

from . import ata, block, host, scsi


def qemu(m, machine="Standard PC (i440FX + PIIX, 1996)", cmdline=None):
    host.kernel_files(m, cmdline or "console=ttyS0 root=/dev/vda1 ro quiet", guest=True)
    host.dmi(m, "QEMU", machine, "", "", "SeaBIOS", "1.16.2-debian-1.16.2-1")


def virtio_function(m, slot, device, klass="0x010000", modern=False):
    path = f"/devices/pci0000:00/0000:00:{slot}.0"
    sub = f"1af4:{device}" if modern else {"1001": "1af4:0002"}.get(device, "1af4:0008")
    host.pci(m, path, klass, f"1af4:{device}", "virtio-pci", sub,
             "0x01" if modern else "0x00")
    return path


def virtio_device(m, path, number, device, driver):
    unit = m.add(f"{path}/virtio{number}", "virtio").driver("virtio", driver)
    return unit.set({"device": f"0x{device:04x}", "vendor": "0x1af4",
                     "status": "0x0000000f",
                     "modalias": f"virtio:d{device:08X}v00001AF4"})


def virtio_blk(m, slot, number, name, size, serial="", modern=False, **queue):
    index = ord(name[-1]) - ord("a")
    path = virtio_function(m, slot, "1042" if modern else "1001",
                           "0x018000" if modern else "0x010000", modern)
    unit = virtio_device(m, path, number, 2, "virtio_blk")
    disk = block.disk(m, f"{unit.path}/block/{name}", size, (254, 16 * index))
    disk.link("device", unit.path).set({"cache_type": "write back"})
    disk.raw("serial", serial)
    queues, tags = queue.pop("mq", (2, 256))
    values = {"scheduler": "none", "rotational": 1, "timeout": False,
              "max_hw_sectors_kb": 2147483647, "max_segments": 254, "nr_requests": 256,
              "max_segment_size": 4294967295}
    values.update(queue)
    block.queue(m, disk, **values)
    block.mq(disk, queues, tags, cpus=2)
    scsi.add_path(disk, f"pci-{scsi.address(path)}")
    disk.symlinks.append(f"disk/by-path/virtio-pci-{scsi.address(path)}")
    if serial:
        disk.prop({"ID_SERIAL": serial})
        disk.symlinks.append(f"disk/by-id/virtio-{serial}")
    return disk


def virtio_scsi(m, slot, number, host_number):
    """A virtio-scsi controller; returns the host's path."""
    path = virtio_function(m, slot, "1004")
    unit = virtio_device(m, path, number, 8, "virtio_scsi")
    return scsi.host(m, unit.path, host_number, "virtio_scsi", 256, 128, queues=2)


def scsi_disk(m, root, hctl, name, inquiry, size, id_path, serial, **options):
    """A SCSI disk of a hypervisor; rate is its VPD 0xB1, None: no such page."""
    rate, depth = options.pop("rate", None), options.pop("depth", 128)
    sdev = scsi.device(m, root, hctl, *inquiry, depth, options.pop("mode", "0644"))
    if rate is not None:
        scsi.set_vpd_b1(m, sdev, rate)
    values = {"scheduler": "none", "rotational": 0 if rate == 1 else 1,
              "nr_requests": 256, "mq": (2, 256)}
    values.update(options)
    disk = scsi.sd(m, sdev, name, size, **values)
    return scsi.scsi_props(disk, *inquiry, serial, id_path)


def qemu_piix(m, first=1):
    hba = ata.Hba("/devices/pci0000:00/0000:00:01.1", "ata_piix", can_queue=1,
                  first=first, speed_known=False, lpm="", segments=128)
    host.pci(m, hba.path, "0x010180", "8086:7010", "ata_piix", "1af4:1100")
    return hba


def qemu_ahci(m, slot="05", first=1):
    hba = ata.Hba(f"/devices/pci0000:00/0000:00:{slot}.0", "ahci", caps="c0141f05",
                  gen=1, version="10000", first=first)
    host.pci(m, hba.path, "0x010601", "8086:2922", "ahci", "1af4:1100",
             "0x02").set({"remapped_nvme": 0})
    return hba


def qemu_drive(serial, rpm, sata, model="QEMU HARDDISK"):
    """QEMU's ATA disk: the PIIX one has no SATA words, the AHCI one only NCQ."""
    return ata.Drive(model, serial, "2.5+", "80G", rpm=rpm, sata=sata, gen=1, ncq=sata,
                     udma=5)


def xen_blk(m, name, number, size, **queue):
    vbd = m.add(f"/devices/vbd-{number}", "xen").driver("xen", "vbd")
    vbd.set({"devtype": "vbd", "nodename": f"device/vbd/{number}", "modalias": "xen:vbd"})
    disk = block.disk(m, f"{vbd.path}/block/{name}", size, (202, number % 256))
    disk.link("device", vbd.path)
    values = {"scheduler": "mq-deadline", "timeout": False, "nr_requests": 64,
              "max_hw_sectors_kb": 128, "max_segments": 32}
    values.update(queue)
    block.queue(m, disk, **values)
    return block.mq(disk, 1, 32)


def hyperv_host(m, guid, number):
    """A storvsc channel below VMBus; returns the host's path."""
    bus = "/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00"
    unit = m.add(f"{bus}/{guid}", "vmbus").driver("vmbus", "hv_storvsc")
    unit.set({"class_id": "{ba6163d9-04a1-4d29-b605-72e2ffb1dc7f}",
              "device_id": f"{{{guid}}}", "vendor": "0x1414", "device": "0x0"})
    return scsi.host(m, unit.path, number, "storvsc_host", 9216, 2048, queues=2)
