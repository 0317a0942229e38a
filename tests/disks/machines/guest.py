# SPDX-License-Identifier: MIT
"""Virtual machines and cloud instances."""

from kit import ata, block, guest, host, nvme, stack, usb
from kit.nvme import Ssd

from . import captured

LOG_6_1 = "kernel-logs/6.1-multi-device-full.log"
FILLED = "DMI, cpuinfo and pseudonymous identities; queue/ as the log shows it"


@captured("6.18", "The machine this corpus was composed on: Firecracker guest, virtio-blk "
          "with rotational=1 and the readahead of newer kernels. No DMI.",
          "live /sys/block/vda of that machine (6.18), serial replaced",
          "kernel release; nothing else")
def virtio_blk_6_18(m):
    host.kernel_files(m, "console=ttyS0 quiet reboot=k panic=1 nomodule", guest=True)
    guest.virtio_blk(m, "02", 1, "vda", 536870912, "PSEUDOBLK", modern=True,
                     scheduler="mq-deadline", known=("mq-deadline", "kyber", "bfq"),
                     mq=(1, 128), discard_granularity=4096, physical_block_size=4096,
                     discard_max_bytes=1073741824, discard_max_hw_bytes=1073741824)
    zram = block.disk(m, "/devices/virtual/block/zram0", 0, (253, 0), ext_range=1,
                      range=1)
    zram.set({"disksize": 0, "initstate": 0, "comp_algorithm": "[lzo-rle] lzo lz4 "})
    block.queue(m, zram, scheduler=None, logical_block_size=4096,
                max_hw_sectors_kb=124, optimal_io_size=4096, stable_writes=1,
                write_cache="write through", iostats=0)
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info", "readahead-false-rotational:warn"],
             why="8192 = 2 x max_sectors_kb 4096, from virtio's default rotational=1. "
             "mq-deadline, the kernel's default of one queue, is a change for the policy "
             "and no finding.")
    m.expect("zram0", "memory", "zram", "memory", "memory",
             why="Open: design.md names no attachment for memory disks.")


@captured("6.1", "QEMU guest with virtio-blk disks on 6.1, one with a serial.", LOG_6_1 +
          " (vda); cases.jsonl d13-hwameistor-ucloud-vdb", FILLED)
def virtio_blk_6_1(m):
    guest.qemu(m)
    disk = guest.virtio_blk(m, "06", 2, "vda", 41943040, "vblk1")
    block.partition(m, disk, 1, 2048, 41940992)
    guest.virtio_blk(m, "07", 3, "vdb", 629145600, "UCLOUD_DISK_PSEUDO01")
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info"])
    m.expect("vdb", "cloud-volume", "virtio", "unknown", "paravirtual",
             findings=["cloud-limits:info", "medium-unknown:info"],
             why="The serial number is UCloud's (d13).")


@captured("6.1", "QEMU guest with virtio-scsi: one disk says rotation_rate=1, one nothing.",
          LOG_6_1 + " (sda); cases.jsonl d10-rook-qemu-hdd", FILLED)
def virtio_scsi_guest(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    root = guest.virtio_scsi(m, "07", 3, 0)
    inquiry = ("QEMU", "QEMU HARDDISK", "2.5+")
    for lun, (name, rate) in enumerate((("sda", 1), ("sdb", 0), ("sdc", 7200))):
        guest.scsi_disk(m, root, f"0:0:0:{lun}", name, inquiry, 1048576,
                        f"pci-0000:00:07.0-scsi-0:0:0:{lun}", f"vscsi{lun}", rate=rate)
    m.expect("sda", "virtual-disk", "virtio", "flash", "paravirtual",
             why="VPD 0xB1 rate 1 backs the medium, in guests too.")
    m.expect("sdb", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info"])
    m.expect("sdc", "virtual-disk", "virtio", "rotational", "paravirtual")


@captured("6.1", "QEMU guest on emulated PIIX IDE: two disks and a disc drive.", LOG_6_1 +
          " (sdb, sr0); kernel.md 3.5", FILLED)
def qemu_piix_ide(m):
    guest.qemu(m)
    hba = guest.qemu_piix(m)
    ata.disk(m, hba, "sda", 1, 0, guest.qemu_drive("QM00001", 0, False))
    ata.disk(m, hba, "sdb", 1, 0, guest.qemu_drive("QM00002", 1, False, "FooPATA"),
             slot=1)
    ata.optical(m, hba, "sr0", 2, 1, "QEMU DVD-ROM", "QM00003", sata=False)
    m.expect("sda", "virtual-disk", "ata", "unknown", "emulated-ide", "unsupported",
             ["emulated-ide:warn", "medium-unknown:info"],
             "Word 76 is 0, and a hypervisor runs us: never ata-ide-mode. Word 217 is 0.")
    m.expect("sdb", "virtual-disk", "ata", "flash", "emulated-ide", "unsupported",
             ["emulated-ide:warn"],
             "The model is the owner's invention; the PIIX function tells.")
    m.expect("sr0", "optical", "ata", "unknown", "emulated-ide",
             why="An optical drive on emulated IDE is no finding.")


@captured("6.1", "QEMU guest on ich9-ahci: flash by rotation_rate=1, and 7200 rpm.",
          LOG_6_1 + " (sdc, sdd)", FILLED)
def qemu_ahci_guest(m):
    guest.qemu(m)
    hba = guest.qemu_ahci(m, first=3)
    ata.disk(m, hba, "sda", 3, 3, guest.qemu_drive("QM00009", 1, True),
             max_hw_sectors_kb=128)
    ata.disk(m, hba, "sdb", 4, 4, guest.qemu_drive("QM00011", 7200, True),
             max_hw_sectors_kb=128)
    for number in range(5, 9):
        ata.empty_port(m, hba, number, number)
    m.expect("sda", "virtual-disk", "sata", "flash", "emulated-ahci", "on",
             why="128 KiB at a time, by QEMU's model of a drive, cost nothing (R40b).")
    m.expect("sdb", "virtual-disk", "sata", "rotational", "emulated-ahci", "on")


@captured("6.12", "QEMU guest on ich9-ahci booted with libata.force=3:noncq.",
          "kernel-logs/6.12-libata-force-noncq.log", FILLED)
def qemu_ahci_noncq(m):
    guest.qemu(m, cmdline="console=ttyS0 panic=5 quiet libata.force=3:noncq,4:1.5Gbps")
    piix = guest.qemu_piix(m)
    ata.disk(m, piix, "sda", 1, 0, guest.qemu_drive("QM00001", 0, False))
    hba = guest.qemu_ahci(m, "04", first=3)
    ata.disk(m, hba, "sdb", 3, 2, guest.qemu_drive("QM00005", 1, True), depth=1)
    ata.disk(m, hba, "sdc", 4, 3, guest.qemu_drive("QM00007", 0, True), limit=1,
             hw_limit=1)
    m.expect("sda", "virtual-disk", "ata", "unknown", "emulated-ide", "unsupported",
             ["emulated-ide:warn", "medium-unknown:info"])
    m.expect("sdb", "virtual-disk", "sata", "flash", "emulated-ahci", "off",
             ["ncq-off:info"])
    m.expect("sdc", "virtual-disk", "sata", "unknown", "emulated-ahci", "on",
             ["medium-unknown:info"],
             "Forced to 1.5 Gbps, but an emulated drive names no speed of its own.")


@captured("6.1", "QEMU guest with NVMe, UAS and usb-storage disks.", LOG_6_1 +
          " (nvme0n1, sde, sdf)", FILLED)
def qemu_nvme_usb(m):
    guest.qemu(m)
    function = "/devices/pci0000:00/0000:00:08.0"
    host.pci(m, function, "0x010802", "1b36:0010", "nvme", "1af4:1100", "0x02",
             link=(2.5, 1, 2.5, 1))
    nvme.pcie_disk(m, function, 0, Ssd("QEMU NVMe Ctrl", "nvme1", "7.2.22", 1048576,
                   wwid="nvme.1b36-6e766d6531-51454d55204e564d65204374726c-00000001",
                   queues=2, io_opt=512, nqn="nqn.2019-08.org.qemu:nvme1"), 0)
    xhci = "/devices/pci0000:00/0000:00:09.0"
    host.pci(m, xhci, "0x0c0330", "1b36:000d", "xhci_hcd", "1af4:1100", "0x01")
    disk = ("QEMU", "QEMU HARDDISK", "2.5+")
    usb.disk(m, xhci, 2, 2, "sda", 10, usb.Gadget("46f4", "0003", "QEMU",
             "USB Attached SCSI HBA", "PSEUDO02", disk, 1048576, uas=True, depth=14,
             pgb1=0))
    usb.disk(m, xhci, 2, 1, "sdb", 9, usb.Gadget("46f4", "0001", "QEMU",
             "QEMU USB HARDDRIVE", "USB1", disk, 1048576))
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("sda", "virtual-disk", "usb", "unknown", "usb-uas",
             findings=["medium-unknown:info"],
             why="Open (class): an emulated disk (vendor QEMU, model QEMU HARDDISK) on "
             "whatever bus.")
    m.expect("sdb", "virtual-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info"])


@captured("6.1", "KVM guest with real hardware passed through: an AHCI function with a "
          "Samsung SSD and an NVMe SSD, beside a virtio root disk.",
          "kernel.md 1.1; invented from the ordinary case of vfio-pci", FILLED)
def guest_passthrough(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    guest.virtio_blk(m, "02", 1, "vda", 41943040)
    hba = ata.Hba("/devices/pci0000:00/0000:00:06.0", "ahci", caps="eb36ff05",
                  version="10301")
    host.pci(m, hba.path, "0x010601", "8086:a282", "ahci", "1043:8694",
             "0x00").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, ata.Drive("Samsung SSD 870 QVO 2TB", "S5PSEUDO03",
             "SVQ02B6Q", "2T", wwn="5002538f00000c01"))
    port = "/devices/pci0000:00/0000:00:1c.0"
    host.bridge(m, port, "1b36:000c", (16.0, 4, 16.0, 32))
    host.pci(m, f"{port}/0000:01:00.0", "0x010802", "144d:a808", "nvme", "144d:a801",
             link=(8.0, 4, 8.0, 4))
    nvme.pcie_disk(m, f"{port}/0000:01:00.0", 0, Ssd("Samsung SSD 970 EVO Plus 1TB",
                   "S4PSEUDO04", "2B2QEXM7", 1953525168), 0)
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info"])
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             why="A guest, but neither function nor model is a hypervisor's: a real drive.")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")


@captured("5.10", "VirtualBox guest: disk on PIIX4 IDE, disk on the emulated ICH8M AHCI.",
          "cases.jsonl a10-boinc-vbox-piix4, a13-es-vbox-hostiocache", FILLED)
def virtualbox_ide_ahci(m):
    host.kernel_files(m, guest=True)
    host.dmi(m, "innotek GmbH", "VirtualBox", "Oracle Corporation", "VirtualBox",
             "innotek GmbH", "VirtualBox")
    hba = ata.Hba("/devices/pci0000:00/0000:00:01.1", "ata_piix", can_queue=1,
                  speed_known=False, lpm="", segments=128)
    host.pci(m, hba.path, "0x01018a", "8086:7111", "ata_piix", "0000:0000", "0x01")
    ata.disk(m, hba, "sda", 1, 0, ata.Drive("VBOX HARDDISK", "VB00PSEUDO-0001", "1.0",
             "80G", rpm=0, sata=False, gen=1, ncq=False, trim=False, udma=2))
    hba = ata.Hba("/devices/pci0000:00/0000:00:0d.0", "ahci", caps="c3141f1d", gen=2,
                  first=3, version="10100")
    host.pci(m, hba.path, "0x010601", "8086:2829", "ahci", "0000:0000",
             "0x02").set({"remapped_nvme": 0})
    ata.disk(m, hba, "sdb", 3, 2, ata.Drive("VBOX HARDDISK", "VB00PSEUDO-0002", "1.0",
             "80G", rpm=1, gen=2, trim=False))
    m.expect("sda", "virtual-disk", "ata", "unknown", "emulated-ide", "unsupported",
             ["emulated-ide:warn", "medium-unknown:info"])
    m.expect("sdb", "virtual-disk", "sata", "flash", "emulated-ahci", "on")


@captured("5.10", "VMware guest: pvscsi disk, and a disk on the emulated LSI SAS adapter.",
          "cases.jsonl g09-pvscsi-depths", FILLED)
def vmware_pvscsi_lsi(m):
    guest.vmware(m)
    guest.scsi_disk(m, guest.pvscsi(m), "0:0:0:0", "sda",
                    ("VMware", "Virtual disk", "2.0"), 83886080,
                    "pci-0000:03:00.0-scsi-0:0:0:0", "6000c29PSEUDO01", depth=64,
                    scheduler="mq-deadline", mq=(1, 254))
    guest.scsi_disk(m, guest.lsi_sas(m), "1:0:0:0", "sdb",
                    ("VMware", "Virtual disk", "1.0"), 209715200,
                    "pci-0000:02:01.0-scsi-1:0:0:0", "6000c29PSEUDO02",
                    depth=32, scheduler="mq-deadline", mq=(1, 127))
    m.expect("sda", "virtual-disk", "scsi", "unknown", "paravirtual",
             findings=["medium-unknown:info"],
             why="Open: design.md names no transport for VMware's SCSI; `scsi` is taken.")
    m.expect("sdb", "virtual-disk", "scsi", "unknown", "hba",
             findings=["emulated-hba:warn", "medium-unknown:info"],
             why="Open: design.md has no attachment emulated-hba. mq-deadline fits an "
             "emulated adapter with few commands (rules/policy.d).")


@captured("6.1", "Xen guest (PV): xvda and xvdb, rotational=0 whatever lies below.",
          "cases.jsonl d19-qubes-xvd-rot0; kernel.md 1.1", FILLED)
def xen_guest(m):
    host.kernel_files(m, "root=/dev/xvda3 ro console=hvc0", guest=True)
    for name, number in (("xvda", 51712), ("xvdb", 51728)):
        guest.xen_blk(m, name, number, 41943040)
        m.expect(name, "virtual-disk", "xen", "unknown", "paravirtual",
                 findings=["medium-unknown:info"],
                 why="rotational=0 is blkfront's default." if name == "xvda" else None)


@captured("6.17", "Azure instance: OS disk and temporary disk on storvsc; rotational=1 and "
          "the readahead of 6.17.",
          "cases.jsonl f01-azure-rota1-ra4096, f18-runner-build-hang", FILLED)
def azure_storvsc(m):
    guest.azure(m)
    for number, name in enumerate(("sda", "sdb")):
        guest.hyperv_disk(m, number, name)
        m.expect(name, "virtual-disk", "hyperv", "unknown", "paravirtual",
                 findings=["medium-unknown:info", "readahead-false-rotational:warn"],
                 why="Open (class): 4096 = 2 x max_sectors_kb. Nothing in the model names "
                 "a cloud volume, so it is a Hyper-V disk." if number == 0 else None)


@captured("6.17", "Azure v6 instance: remote disks as MSFT NVMe Accelerator with a 32 MiB "
          "optimal_io_size, a local NVMe disk.",
          "cases.jsonl f03-azure-vm-utils-ra, e12-aks-hardcoded-sda", FILLED)
def azure_nvme(m):
    guest.azure(m)
    guest.vmbus_nvme(m, "MSFT NVMe Accelerator v1.0", 0, "c05b", 62914560, 33554432)
    guest.vmbus_nvme(m, "Microsoft NVMe Direct Disk v2", 1, "f98e", 251658240)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info", "readahead-from-io-opt:warn"],
             why="The model names a remote volume: its medium is not local. 65536 = "
             "2 x 32 MiB.")
    m.expect("nvme1n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             why="The local disk of the host.")


def aws_function(m, slot, device):
    path = f"/devices/pci0000:00/0000:00:{slot}.0"
    return host.pci(m, path, "0x010802", f"1d0f:{device}", "nvme", f"1d0f:{device}").path


@captured("6.1", "AWS Nitro instance: EBS root, an EBS data volume whose readahead a "
          "container set to 4, and an instance store.",
          "cases.jsonl f19-k8ssandra-setra8, j09-ebs-iotune-burst, "
          "j12-ebs-readahead-csi", FILLED)
def aws_nitro(m):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Amazon EC2", "i3en.xlarge", bios="1.0")
    disk = guest.ebs(m, "04", 0, 16777216, 0)
    block.partition(m, disk, 1, 24576, 16752607, dev=(259, 1))
    guest.ebs(m, "1e", 1, 1048576000, 2, ra=4)
    nvme.pcie_disk(m, aws_function(m, "1f", "cd01"), 2, Ssd(
        "Amazon EC2 NVMe Instance Storage", "AWSPSEUDO0000003", "0", 4882812500,
        max_hw_kb=128, queues=4), 3, write_cache="write through", fua=0)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info"],
             why="EBS is a volume over a network behind an NVMe function; st1 is a disk.")
    m.expect("nvme1n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info", "readahead-unfit:info"])
    m.expect("nvme2n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")


@captured("5.4", "AWS: md raid0 over two unequal EBS volumes.",
          "cases.jsonl j10-cockroach-gp3-raid0", FILLED)
def aws_raid0_unequal(m):
    host.kernel_files(m, guest=True)
    host.dmi(m, "Amazon EC2", "m6i.4xlarge", bios="1.0")
    first = guest.ebs(m, "1e", 1, 1048576000, 0)
    second = guest.ebs(m, "1f", 2, 195312500, 1)
    stack.md(m, 0, "raid0", [first, second], 1243620864, 524288,
             minimum_io_size=524288, optimal_io_size=1048576, read_ahead_kb=2048)
    for name in ("nvme1n1", "nvme2n1"):
        m.expect(name, "cloud-volume", "nvme", "unknown", "nvme-pcie",
                 findings=["cloud-limits:info"])
    m.expect("md0", "stacked", "md", "unknown", "stacked",
             findings=["unequal-members:warn"], why="Members of unknown medium.")


@captured("6.1", "Google Compute Engine: Persistent Disk on virtio-scsi and as NVMe, local "
          "SSD as NVMe.", "INQUIRY and model strings as Google documents them; layout of "
          + LOG_6_1, FILLED)
def google_pd(m):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Google", "Google Compute Engine", bios="Google")
    root = guest.virtio_scsi(m, "03", 0, 0)
    guest.scsi_disk(m, root, "0:0:1:0", "sda", ("Google", "PersistentDisk", "1"),
                    20971520, "pci-0000:00:03.0-scsi-0:0:1:0", "persistent-disk-0",
                    rate=1, physical_block_size=4096)
    for number, (slot, model, ids) in enumerate((("05", "nvme_card-pd", "1ae0:001f"),
                                                 ("06", "nvme_card", "1ae0:001f"))):
        function = f"/devices/pci0000:00/0000:00:{slot}.0"
        host.pci(m, function, "0x010802", ids, "nvme", "1af4:1100", "0x01")
        nvme.pcie_disk(m, function, number, Ssd(model, f"{model}-pseudo", "2",
                       786432000, max_hw_kb=128, queues=4), number)
    m.expect("sda", "cloud-volume", "virtio", "flash", "paravirtual",
             findings=["cloud-limits:info"],
             why="Open (medium): vendor Google, model PersistentDisk; VPD 0xB1 rate 1 "
             "backs flash.")
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info"],
             why="nvme_card-pd is a Persistent Disk: remote, no medium of its own.")
    m.expect("nvme1n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
