# SPDX-License-Identifier: MIT
"""Public reports about USB modes and about queues (g01 to g18 of cases.jsonl)."""

from kit import ata, block, guest, host, kernels, nvme, transport, usb
from kit.ata import Drive
from kit.usb import Gadget

from . import case
from .reports_readahead import raspberry_pi_5
from .reports_scheduler import expect_nvme, local_nvme

FILLED = "host, sizes, identities and everything else"


def raspberry_pi_4(m, words="", release="5.10.52-v8+"):
    """Its USB 3 controller is a VL805 on PCI Express; it has no DMI."""
    host.kernel_files(m, f"console=tty1 root=/dev/mmcblk0p2 rootwait {words}".rstrip(),
                      arm=True)
    kernels.release(m, release)
    port = "/devices/platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0"
    host.bridge(m, port, "14e4:2711", (5.0, 1, 5.0, 1))
    host.pci(m, f"{port}/0000:01:00.0", "0x0c0330", "1106:3483", "xhci_hcd",
             link=(5.0, 1, 5.0, 1))
    return f"{port}/0000:01:00.0"


@case("5.4", "Raspberry Pi with an SSD behind a JMS578 on uas, which it resets again and "
      "again.", "bridge JMicron JMS578, host a Raspberry Pi, SSD, uas; remedy the quirk u",
      FILLED + ", as the lines of the kernel log")
def g01_jms578_uas(m):
    xhci = raspberry_pi_4(m, release="5.4.51-v8+")
    gadget = Gadget("152d", "0578", "JMicron", "JMS578", "PSEUDO000001",
                    ("JMicron", "Generic", "0209"), 976773168, uas=True, depth=30,
                    bcd="0209")
    drive = Drive("CT500MX500SSD1", "1903EPSEUDOG1", "M3CR023", "500G")
    usb.as_ata_bus(usb.disk(m, xhci, 2, 1, "sda", 0, gadget), drive)
    usb.log_found(m, 2, 1, "sda", 0, gadget)
    usb.log_aborts(m, 2, 1, "sda", 0, gadget, 4)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["usb-slow-mode:warn"])


@case("5.10", "Raspberry Pi with a JMS567: flags in the log that have nothing to do with "
      "UAS.", "JMicron JMS567 on USB 3, a line Quirks match that was taken for a ban of "
      "UAS", FILLED + ", as the flags 5000000 (BROKEN_FUA and NO_REPORT_OPCODES of the "
      "kernel's list)")
def g03_jms567_speed(m):
    xhci = raspberry_pi_4(m)
    gadget = Gadget("152d", "0567", "JMicron", "USB to ATA/ATAPI Bridge",
                    "PSEUDO000003", ("JMicron", "Generic", "0125"), 1953525168)
    usb.disk(m, xhci, 2, 1, "sda", 0, gadget)
    usb.log_found(m, 2, 1, "sda", 0, gadget, mask="5000000")
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["medium-unknown:info", "usb-quirk-cost:info"],
             why="The flags are shown with what they mean, and none of them costs speed or "
             "keeps uas off (R43: bit by bit).")


@case("4.18", "RockPro64 with a Samsung 840 Pro behind a JMS578 on uas: abort storms.",
      "board RockPro64, bridge JMS578, Samsung 840 Pro, uas_eh_abort_handler inflight: "
      "CMD OUT", FILLED + ", as the stamps")
def g04_rockpro64_jms578(m):
    host.kernel_files(m, "root=LABEL=linux-root rootwait console=ttyS2,1500000n8",
                      arm=True)
    kernels.release(m, "4.19.0-rockchip64")
    xhci = "/devices/platform/usb@fe900000/fe900000.dwc3/xhci-hcd.0.auto"
    m.add(xhci, "platform").driver("platform", "xhci-hcd")
    gadget = Gadget("152d", "0578", "JMicron", "USB to ATA/ATAPI Bridge",
                    "PSEUDO000004", ("JMicron", "Generic", "0209"), 250069680, uas=True,
                    depth=30, bcd="0209")
    drive = Drive("Samsung SSD 840 PRO Series", "S12RPSEUDO04", "DXM06B0Q", "120G")
    usb.as_ata_bus(usb.disk(m, xhci, 6, 1, "sda", 0, gadget), drive)
    usb.log_found(m, 6, 1, "sda", 0, gadget)
    usb.log_aborts(m, 6, 1, "sda", 0, gadget, 6)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["usb-slow-mode:warn"])


@case("5.4", "Node of a block chain: SATA SSD with NCQ and an NVMe SSD; the engine reads "
      "one block at a time.", "a SATA SSD at depth 32 and an NVMe SSD at depth 1", FILLED)
def g06_sata_qd1_vs_qd32(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Supermicro", "X11SSH-F")
    hba = ata.ahci(m, "8086:a102", "15d9:0884", slot="17.0")
    ata.disk(m, hba, "sda", 1, 0, Drive("Samsung SSD 860 EVO 2TB", "S4PSEUDO06",
             "RVT04B6Q", "2T", wwn="5002538e00000106"))
    local_nvme(m)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             why="NCQ is on: the depth is the engine's to use.")
    expect_nvme(m)


@case("6.17", "GB10 workstation: a drive of PCIe 4.0 in a slot of 5.0.",
      "Phison PS5027-E27T, PCIe 4.0 x4, Gen5 slot", FILLED)
def g07_gb10_qd_sweep(m):
    gb10(m, model="PHISON ESR01TBTCCZ-27J-2MS")
    expect_nvme(m, why="Slower than the slot is what the drive is: nothing is degraded "
                "and nothing is limited by the slot (R18, R19).")


def gb10(m, model="SAMSUNG MZALC4T0HBL1-00B07"):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz root=/dev/nvme0n1p2 ro quiet",
                      efi=True, arm=True)
    kernels.release(m, "6.17.0-1008-nvidia")
    host.dmi(m, "NVIDIA", "NVIDIA_DGX_Spark", board="P4242", bios_vendor="AMI")
    port = "/devices/pci0004:00/0004:00:00.0"
    host.bridge(m, port, "10de:22ce", (16.0, 4, 32.0, 4))
    function = f"{port}/0004:01:00.0"
    host.pci(m, function, "0x010802", "1987:5027", "nvme", link=(16.0, 4, 16.0, 4))
    ssd = nvme.Ssd(model, "PSEUDOGB10", "ERFM12.1", 1953525168, queues=20)
    nvme.pcie_disk(m, function, 0, ssd, 0)


def vmware_disk(m, root, name, hctl, depth, tags):
    function = "03" if root.split("/")[-2].startswith("0000:03") else "02"
    slot = "00" if function == "03" else "01"
    guest.scsi_disk(m, root, hctl, name, ("VMware", "Virtual disk", "2.0"), 209715200,
                    f"pci-0000:{function}:{slot}.0-scsi-{hctl}", f"6000c29PSEUDO{name}",
                    depth=depth, scheduler="mq-deadline", mq=(1, tags))


EMULATED = ["emulated-hba:warn", "medium-unknown:info"]


@case("5.4", "VMware guest with a disk on PVSCSI and one on the emulated LSI SAS adapter.",
      "PVSCSI: 254 commands for the adapter, 64 for a disk; LSI Logic SAS: 128 and 32",
      FILLED)
def g09_pvscsi_depths(m):
    guest.vmware(m)
    vmware_disk(m, guest.pvscsi(m), "sda", "0:0:0:0", 64, 254)
    vmware_disk(m, guest.lsi_sas(m), "sdb", "1:0:0:0", 32, 127)
    m.expect("sda", "virtual-disk", "scsi", "unknown", "paravirtual",
             findings=["medium-unknown:info"])
    m.expect("sdb", "virtual-disk", "scsi", "unknown", "hba", findings=EMULATED,
             why="32 commands, and no more can be had (R46).")


@case("6.1", "Database guest on vSphere 8 with the default adapter, LSI Logic SAS.",
      "vSphere 8.0, LSI Logic SAS", FILLED)
def g10_lsi_default_60pct(m):
    guest.vmware(m, "VMware20,1")
    vmware_disk(m, guest.lsi_sas(m, 0), "sda", "0:0:0:0", 32, 127)
    m.expect("sda", "virtual-disk", "scsi", "unknown", "hba", findings=EMULATED)


@case("6.1", "Server on a SAN of IBM SVC with four paths and a queue_depth of 4, as its "
      "formula asks for.", "SAN Volume Controller, 4 paths, queue depth 4",
      FILLED + "; one path is shown")
def g12_svc_depth_4(m):
    host.kernel_files(m)
    host.dmi(m, "IBM", "Flex System x240 M5", board="9532AC1")
    port = "/devices/pci0000:ae/0000:ae:00.0"
    host.bridge(m, port, "8086:2f08", (8.0, 8, 8.0, 16))
    function = f"{port}/0000:af:00.0"
    host.pci(m, function, "0x0c0400", "1077:2261", "qla2xxx", "1077:02a8", "0x01",
             link=(8.0, 8, 8.0, 8))
    root = transport.fc_host(m, function, 1, "qla2xxx")
    transport.fc_lun(m, root, 1, 0, 0, "sda", ("IBM", "2145", "0000"), 2147483648,
                     "60050768000000000000000000000d12", depth=4)
    m.expect("sda", "san-lun", "fc", "unknown", "hba",
             findings=["san-depth:info"],
             why="Low on purpose: a word of explanation and never a change (R45).")


@case("6.12", "Raspberry Pi with an NVMe SSD behind an RTL9210: a quirk on the command "
      "line, and yet uas is bound and resets.", "bridge 0bda:9210, usb-storage.quirks="
      "bda:9210:u, kernel 6.12.75+rpt-rpi-v8, uas_eh_abort_handler with resets, Crucial P3 "
      "2 TB", FILLED + ", as the stamps")
def g13_rtl9210_quirk_string(m):
    host.kernel_files(m, "console=tty1 root=/dev/sda2 rootwait usb-storage.quirks="
                      "bda:9210:u", arm=True)
    kernels.release(m, "6.12.75+rpt-rpi-v8")
    xhci = raspberry_pi_5(m)
    gadget = Gadget("0bda", "9210", "Realtek", "RTL9210B-CG", "PSEUDO000013",
                    ("Realtek", "CT2000P3SSD8", "1.00"), 3907029168, uas=True, depth=29,
                    pgb1=1, bcd="2001")
    usb.disk(m, xhci, 2, 1, "sda", 0, gadget)
    usb.log_found(m, 2, 1, "sda", 0, gadget)
    usb.log_aborts(m, 2, 1, "sda", 0, gadget, 3)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["usb-slow-mode:warn"],
             why="The command line means :u for this bridge, the bound driver is uas: "
             "intent and effect differ, and it resets (R43).")


@case("6.1", "Guest of OpenNebula: virtio disks with one queue for sixteen CPUs.",
      "virtio-blk and virtio-scsi without num-queues, a guest of many CPUs",
      FILLED + ": sixteen CPUs")
def g15_opennebula_queues(m):
    guest.qemu(m, "Standard PC (i440FX + PIIX, 1996)", cpus=16)
    guest.virtio_blk(m, "05", 2, "vda", 83886080, mq=(1, 256), cpus=16,
                     scheduler="mq-deadline")
    root = guest.virtio_scsi(m, "06", 3, 2, queues=1)
    guest.scsi_disk(m, root, "2:0:0:0", "sda", ("QEMU", "QEMU HARDDISK", "2.5+"),
                    209715200, "pci-0000:00:06.0-scsi-0:0:0:0", "vscsi15", rate=1,
                    mq=(1, 256), scheduler="mq-deadline")
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info", "single-queue:info"],
             why="mq-deadline is the kernel's default of one queue, no finding.")
    m.expect("sda", "virtual-disk", "virtio", "flash", "paravirtual",
             findings=["single-queue:info"])


@case("4.18", "Raspberry Pi 4 with a bridge that returns garbage: 129 PB, the vendor "
      "shifted.", "174c:55aa ASMT1153e, usb-storage, Quirks match 400000, "
      "251458613520309 blocks, kernel 4.19.83, true size 512 GB", FILLED)
def g16_usb_129pb(m):
    xhci = raspberry_pi_4(m, release="4.19.83-v7l+")
    gadget = Gadget("174c", "55aa", "ASMT", "ASMT1153e", "000000000000",
                    ("\x20ASMT", "2105", "0"), 251458613520309)
    usb.disk(m, xhci, 2, 1, "sda", 0, gadget)
    usb.log_found(m, 2, 1, "sda", 0, gadget, mask="400000")
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["bridge-implausible:error", "medium-unknown:info",
                       "usb-quirk-cost:info"], why="The mask 400000 is harmless.")
    m.disagree("class unknown: usb-disk says how it hangs on the machine and claims "
               "nothing about what is behind the bridge; bridge-implausible says the "
               "rest.")


@case("4.18", "Database server with spinning disks, whose probe drove the depth up "
      "without end.", "a hard disk (NCQ on)", FILLED)
def g18_scylla_hdd_iodepth(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R420", board="0VD50G")
    hba = ata.ahci(m, "8086:1d02", "1028:04dd")
    disk = ata.disk(m, hba, "sda", 1, 0, Drive("ST2000NM0033-9ZM175", "Z1XPSEUDO18",
                    "GA0A", "2T", rpm=7200, wwn="5000c50000000118"))
    block.partition(m, disk, 1, 2048, 3907026944)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             why="Nothing to report: the class caps the depth in the advice.")
