# SPDX-License-Identifier: MIT
"""The test machines as one table. A disk is a name, which is also its serial number unless the
hardware has none, and the QEMU devices that make it; `{disk}` stands for its backing image, a
sparse throwaway file. Every disk has its own serial, so that scenarios never rely on sdX."""

import dataclasses

IMAGE_SIZE = "64M"


@dataclasses.dataclass(frozen=True)
class Disk:
    name: str
    devices: tuple
    size: str = IMAGE_SIZE


@dataclasses.dataclass(frozen=True)
class Machine:
    what: str
    disks: tuple
    devices: tuple = ()
    options: tuple = ()  # of QEMU
    append: tuple = ()  # arguments of the kernel
    memory: str = "1G"
    debian: bool = False  # boots a whole Debian from a disk instead of an initramfs


def disk(name, *devices, size=IMAGE_SIZE):
    return Disk(name, devices, size)


def ata(bus, serial, model, wwn, rate):
    return (f"ide-hd,drive={{disk}},bus={bus},serial={serial},model={model},wwn={wwn},"
            f"rotation_rate={rate}")


def scsi(bus, serial, product, wwn, *more):
    options = "".join("," + m for m in more)
    return (f"scsi-hd,drive={{disk}},bus={bus},serial={serial},vendor=VMTEST,product={product},"
            f"wwn={wwn},device_id={serial}{options}")


# The one SSD that moves from an IDE function to an AHCI one when a firmware setting changes.
SEED = ("VMSEED", "SEED SSD 840", "0x5000c50000000840", 1)

AHCI = "ich9-ahci,id=ahci"

NVME_MULTIPATH = (
    "nvme-subsys,id=subsys0,nqn=nqn.2019-08.org.qemu:vm-multipath",
    "nvme,id=path0,serial=VMNVMEMP,subsys=subsys0",
    "nvme,id=path1,serial=VMNVMEMP,subsys=subsys0",
    "nvme-ns,drive={disk},bus=path0,nsid=1,shared=on",
)

ALL_DISKS = (
    disk("VMIDESSD", ata("ide.0,unit=0", "VMIDESSD", "VM IDE SSD", "0x5000c50000000001", 1)),
    disk("VMIDECD", "ide-cd,drive={disk},bus=ide.1,unit=0,serial=VMIDECD,model=VM CDROM"),
    disk("VMSATASSD", ata("ahci.0", "VMSATASSD", "VM SATA SSD", "0x5000c50000000011", 1)),
    disk("VMSATAHDD", ata("ahci.1", "VMSATAHDD", "VM SATA HDD", "0x5000c50000000012", 7200)),
    disk("VMNVME", "nvme,drive={disk},serial=VMNVME"),
    disk("VMNVMEMP", *NVME_MULTIPATH),
    disk("VMVIRTBLK", "virtio-blk-pci,drive={disk},serial=VMVIRTBLK"),
    disk("VMVSCSISSD", scsi("vscsi.0", "VMVSCSISSD", "VSCSI_SSD", "0x5000c50000000021",
                            "rotation_rate=1")),
    disk("VMVSCSIHDD", scsi("vscsi.0", "VMVSCSIHDD", "VSCSI_HDD", "0x5000c50000000022",
                            "rotation_rate=7200")),
    disk("VMVSCSIRAW", scsi("vscsi.0", "VMVSCSIRAW", "VSCSI_RAW", "0x5000c50000000023")),
    disk("VMUSBBOT", "usb-storage,bus=xhci.0,drive={disk},serial=VMUSBBOT"),
    disk("VMUSBUAS", "usb-uas,id=uas,bus=xhci.0,serial=VMUSBUAS",
         scsi("uas.0", "VMUSBUAS", "UAS_SSD", "0x5000c50000000031", "rotation_rate=1")),
    disk("VMMEGASAS", "megasas,id=megasas",
         scsi("megasas.0", "VMMEGASAS", "MEGASAS_LD", "0x5000c50000000041")),
    disk("VMMPTSAS", "mptsas1068,id=mptsas",
         scsi("mptsas.0", "VMMPTSAS", "SAS_SSD", "0x5000c50000000051", "rotation_rate=1")),
    disk("VMLSI", "lsi53c895a,id=lsi", scsi("lsi.0", "VMLSI", "LSI_HDD", "0x5000c50000000061")),
    disk("VMPVSCSI", "pvscsi,id=pvscsi",
         scsi("pvscsi.0", "VMPVSCSI", "PVSCSI", "0x5000c50000000071")),
    # The serial number of QEMU's card is always 0xdeadbeef.
    disk("0xdeadbeef", "sdhci-pci", "sd-card,drive={disk}"),
)

# What hotplug needs: a SCSI host and a USB host. PCI slots of the pc machine take the rest.
HOTPLUG_HOSTS = ("virtio-scsi-pci,id=vscsi", "qemu-xhci,id=xhci")

BOARD = (
    "-cpu", "max,-hypervisor",
    "-smbios", "type=0,vendor=American Megatrends Inc.,version=1503,date=03/04/2011",
    "-smbios", "type=1,manufacturer=ASUSTeK,product=P5Q-PRO,version=System Version",
    "-smbios", "type=2,manufacturer=ASUSTeK Computer INC.,product=P5Q-PRO,version=Rev 1.xx",
    "-smbios", "type=3,manufacturer=Chassis Manufacture",
)

MACHINES = {
    "all-disks": Machine("every kind of disk at once", ALL_DISKS, (AHCI, *HOTPLUG_HOSTS)),
    "ide-seed": Machine("an SSD on a PIIX IDE function, beside an empty AHCI one",
                        (disk("VMSEED", ata("ide.0,unit=0", *SEED)),), (AHCI, *HOTPLUG_HOSTS)),
    "ahci-seed": Machine("the same SSD on AHCI",
                         (disk("VMSEED", ata("ahci.0", *SEED)),), (AHCI, *HOTPLUG_HOSTS)),
    "bare-metal-pose": Machine("no hypervisor bit, SMBIOS of a real board, an SSD on IDE",
                               (disk("VMSEED", ata("ide.0,unit=0", *SEED)),),
                               (AHCI, *HOTPLUG_HOSTS), options=BOARD),
    "debian-systemd": Machine("a whole Debian 12 on virtio-blk, with a few data disks", (
        disk("VMIDESSD", ata("ide.0,unit=0", "VMIDESSD", "VM IDE SSD", "0x5000c50000000001", 1)),
        disk("VMSATASSD", ata("ahci.0", "VMSATASSD", "VM SATA SSD", "0x5000c50000000011", 1)),
        disk("VMSATAHDD", ata("ahci.1", "VMSATAHDD", "VM SATA HDD", "0x5000c50000000012", 7200)),
        disk("VMNVME", "nvme,drive={disk},serial=VMNVME"),
    ), (AHCI, *HOTPLUG_HOSTS), debian=True),
    "simulated": Machine("no hardware disk; room for simulated ones in memory", (),
                         memory="3G"),
}

# What `plug KIND ID` adds; {id} is the serial too. The first device is the one to unplug.
HOTPLUG = {
    "usb-storage": ("usb-storage,id={id},bus=xhci.0,drive={disk},serial={id}",),
    "usb-uas": ("usb-uas,id={id},bus=xhci.0,serial={id}",
                "scsi-hd,id={id}-lun,bus={id}.0,drive={disk},serial={id},device_id={id}"),
    "usb-bot": ("usb-bot,id={id},bus=xhci.0,serial={id}",
                "scsi-hd,id={id}-lun,bus={id}.0,drive={disk},serial={id},device_id={id},"
                "vendor=VMTEST,product=BRIDGE"),
    "virtio-blk": ("virtio-blk-pci,id={id},drive={disk},serial={id}",),
    "nvme": ("nvme,id={id},drive={disk},serial={id}",),
    "virtio-scsi": ("scsi-hd,id={id},bus=vscsi.0,drive={disk},serial={id},device_id={id}",),
}
# These show themselves to the guest only once their parts are there.
ATTACHED_LATE = ("usb-uas", "usb-bot")
