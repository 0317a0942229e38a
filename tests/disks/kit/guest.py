# SPDX-License-Identifier: MIT
"""Disks of virtual machines: virtio, Xen, Hyper-V, VMware, and emulated controllers."""

from . import ata, block, host, nvme, scsi


def qemu(m, machine="Standard PC (i440FX + PIIX, 1996)", cmdline=None, cpus=0):
    host.kernel_files(m, cmdline or "console=ttyS0 root=/dev/vda1 ro quiet", guest=True,
                      cpus=cpus)
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
    online = queue.pop("cpus", 2)
    values = {"scheduler": "none", "rotational": 1, "timeout": False,
              "max_hw_sectors_kb": 2147483647, "max_segments": 254, "nr_requests": 256,
              "max_segment_size": 4294967295}
    values.update(queue)
    block.queue(m, disk, **values)
    block.mq(disk, queues, tags, cpus=online)
    scsi.add_path(disk, f"pci-{scsi.address(path)}")
    disk.symlinks.append(f"disk/by-path/virtio-pci-{scsi.address(path)}")
    if serial:
        disk.prop({"ID_SERIAL": serial})
        disk.symlinks.append(f"disk/by-id/virtio-{serial}")
    return disk


def virtio_scsi(m, slot, number, host_number, queues=2):
    """A virtio-scsi controller; returns the host's path."""
    path = virtio_function(m, slot, "1004")
    unit = virtio_device(m, path, number, 8, "virtio_scsi")
    return scsi.host(m, unit.path, host_number, "virtio_scsi", 256, 128, queues=queues)


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


def vmware(m, product="VMware Virtual Platform", cpus=0):
    host.kernel_files(m, guest=True, cpus=cpus)
    host.dmi(m, "VMware, Inc.", product, "Intel Corporation",
             "440BX Desktop Reference Platform", "Phoenix Technologies LTD", "6.00")


def pvscsi(m, number=0):
    """VMware's paravirtual adapter; returns the host's path."""
    port = "/devices/pci0000:00/0000:00:15.0"
    host.bridge(m, port, "15ad:07a0", (5.0, 32, 5.0, 32))
    function = f"{port}/0000:03:00.0"
    host.pci(m, function, "0x010700", "15ad:07c0", "vmw_pvscsi", "15ad:07c0", "0x02",
             link=(5.0, 32, 5.0, 32))
    return scsi.host(m, function, number, "vmw_pvscsi", 254, 254)


def lsi_sas(m, number=1):
    """The emulated LSI SAS 1068 of VMware; returns the host's path."""
    host.pci(m, "/devices/pci0000:00/0000:00:11.0", "0x060401", "15ad:0790")
    function = "/devices/pci0000:00/0000:00:11.0/0000:02:01.0"
    host.pci(m, function, "0x010700", "1000:0054", "mptsas", "15ad:1976", "0x01")
    return scsi.host(m, function, number, "mptsas", 127, 7)


def azure(m):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Microsoft Corporation", "Virtual Machine", bios="Hyper-V UEFI Release")


def hyperv_disk(m, number, name, size=62914560, **queue):
    """One storvsc channel with one disk."""
    guid = f"f8b3781{number}-1e82-4818-a1c3-63d806ec15bb"
    root = hyperv_host(m, guid, number)
    values = {"depth": 2048, "max_hw_sectors_kb": 2048, "physical_block_size": 4096,
              "mq": (2, 9216)}
    values.update(queue)
    return scsi_disk(m, root, f"{number}:0:0:{number}", name,
                     ("Msft", "Virtual Disk", "1.0"), size,
                     f"acpi-VMBUS:00-vmbus-{guid.replace('-', '')}-lun-{number}",
                     f"PSEUDO{number:02d}", **values)


def ebs(m, slot, number, size, minor, ra=128, **queue):
    """An EBS volume of a Nitro instance."""
    path = f"/devices/pci0000:00/0000:00:{slot}.0"
    host.pci(m, path, "0x010802", "1d0f:8061", "nvme", "1d0f:8061")
    values = {"write_cache": "write through", "fua": 0, "read_ahead_kb": ra}
    values.update(queue)
    return nvme.pcie_disk(m, path, number, nvme.Ssd(
        "Amazon Elastic Block Store", f"volpseudo{number:08d}", "1.0", size,
        max_hw_kb=256, queues=2, sqsize=31), minor, **values)


def vmbus_nvme(m, model, number, domain, size, io_opt=0, **queue):
    """An NVMe function that Azure passes through its bus."""
    bus = "/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00"
    guid = f"00000000-0000-4000-8000-00000000{domain}"
    m.add(f"{bus}/{guid}", "vmbus").driver("vmbus", "hv_pci").set(
        {"class_id": "{44c4f61d-4444-4400-9d52-802e27ede19f}"})
    function = f"{bus}/{guid}/pci{domain}:00/{domain}:00:00.0"
    host.pci(m, function, "0x010802",
             f"1414:{'00a9' if 'Accelerator' in model else 'b111'}", "nvme", "1414:0000")
    return nvme.pcie_disk(m, function, number, nvme.Ssd(
        model, f"PSEUDO{number}", "v1.00000", size, io_opt=io_opt, max_hw_kb=256),
        number, **queue)


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
