# SPDX-License-Identifier: MIT
"""Public reports about schedulers (e01 to e12 of cases.jsonl)."""

from kit import ata, guest, host, kernels, nvme, usb
from kit.ata import Drive
from kit.nvme import Ssd
from kit.usb import Gadget

from . import case
from .mmc import card, sd_status

FILLED = "controller, model, sizes and everything else"
XHCI = "/devices/pci0000:00/0000:00:14.0"
BFQ = {"scheduler": "bfq", "known": ("mq-deadline", "kyber", "bfq")}


def local_nvme(m, number=0, model="Samsung SSD 970 EVO Plus 1TB", gts=8.0, **queue):
    """An NVMe SSD at the full speed of drive and slot, each on a root port of its own."""
    port = f"/devices/pci0000:00/0000:00:1d.{number}"
    host.bridge(m, port, "8086:43b0", (gts, 4, gts, 4))
    function = f"{port}/0000:{number + 1:02x}:00.0"
    host.pci(m, function, "0x010802", "144d:a808", "nvme", "144d:a801",
             link=(gts, 4, gts, 4))
    return nvme.pcie_disk(m, function, number, Ssd(model, f"S4PSEUDO{number:02d}E",
                          "2B2QEXM7", 1953525168), number, **queue)


def expect_nvme(m, name="nvme0n1", findings=(), why=None):
    m.expect(name, "nvme-ssd", "nvme", "flash", "nvme-pcie", findings=findings, why=why)


@case("5.10", "Desktop with a kernel of its own: NVMe SSD, whose scheduler is none though "
      "bfq is built in.", "kernel release 5.14.6.ll43-0-lucjan, scheduler [none] bfq",
      FILLED)
def e01_nvme_no_bfq_default(m):
    host.kernel_files(m, efi=True)
    kernels.release(m, "5.14.6.ll43-0-lucjan")
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME Z490-P")
    local_nvme(m, known=("bfq",))
    expect_nvme(m, why="Nothing to report: none is right for NVMe.")


@case("6.6", "Laptop on CachyOS: SSD in a USB enclosure, set to bfq by the distribution's "
      "udev rule.", "SSD in a USB-SATA enclosure, scheduler bfq", FILLED)
def e03_cachyos_usb_ssd_bfq(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "LENOVO", "20XW0026GE", bios="N32ET75W")
    host.pci(m, XHCI, "0x0c0330", "8086:a0ed", "xhci_hcd", "17aa:22d5", "0x20")
    gadget = Gadget("174c", "55aa", "ASMedia", "ASM1153E", "PSEUDO000001",
                    ("ASMT", "2115", "0"), 976773168, uas=True, depth=30, pgb1=1)
    usb.disk(m, XHCI, 2, 1, "sda", 2, gadget, **BFQ)
    usb.log_found(m, 2, 1, "sda", 2, gadget)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["scheduler-unfit:warn"],
             why="246 random reads a second: the worst measured figure for a scheduler "
             "(R30: USB SSD not bfq).")


@case("6.6", "CachyOS before its change: SATA SSD on bfq, SD card on the kernel's "
      "default.", "SATA SSD on bfq, then mq-deadline; SD cards likewise",
      FILLED + "; the SD card is shown as after the change")
def e04_cachyos_mqdl_for_ssd(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "PRIME B360-PLUS")
    hba = ata.ahci(m, "8086:a352", "1043:8694", slot="17.0")
    ata.disk(m, hba, "sda", 1, 0, Drive("CT500MX500SSD1", "1903EPSEUDO02", "M3CR023",
             "500G", physical=4096, wwn="500a075100000e04"), **BFQ)
    port = "/devices/pci0000:00/0000:00:1d.0"
    host.bridge(m, port, "8086:a330", (2.5, 1, 8.0, 4))
    host.pci(m, f"{port}/0000:03:00.0", "0x080501", "1217:8621", "sdhci-pci",
             "1043:8621", link=(2.5, 1, 2.5, 1))
    card(m, f"{port}/0000:03:00.0", 0, "0001", "mmcblk0", "SD", 62333952, 0, None,
         {"name": "EB1QT", "manfid": "0x00001b", "serial": "0x0badc0e4",
          "ssr": sd_status(0)})
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             findings=["scheduler-unfit:info"],
             why="The class table (R30) has mq-deadline or none. No figure in the report, "
             "and bfq serves weights: info.")
    m.expect("mmcblk0", "sd-card", "mmc", "flash", "sd")


@case("6.17", "Fedora laptop with elevator=mq-deadline on the command line.",
      "command line elevator=mq-deadline; a kernel of November 2025", FILLED)
def e06_elevator_cmdline_dead(m):
    host.kernel_files(m, "BOOT_IMAGE=(hd0,gpt2)/vmlinuz root=/dev/nvme0n1p3 ro "
                      "elevator=mq-deadline rhgb quiet", efi=True)
    kernels.release(m, "6.17.7-300.fc43.x86_64")
    host.dmi(m, "LENOVO", "21CBCTO1WW", bios="N3AET80W")
    local_nvme(m, gts=16.0)
    expect_nvme(m, why="The scheduler is none, as ever: the word has no effect.")
    m.expect_machine(["elevator-ignored:info"], "The kernel took no notice of it since "
                     "it has only multi-queue schedulers (5.0); R29.")


@case("4.18", "Storage server with host-managed drives: one beyond sdz missed the rule "
      "that sets mq-deadline.", "kernel 4.16 and later, queue/zoned host-managed, a rule "
      "for sd[a-z] that misses sdaa", FILLED + "; the drives between sda and sdaa are "
      "left out")
def e07_smr_hm_deadline(m):
    host.kernel_files(m)
    kernels.release(m, "4.18.20-generic")
    host.dmi(m, "Supermicro", "SSG-6049P-E1CR60", board="X11DSC+")
    hba = ata.ahci(m, "8086:a1d2", "15d9:0953", slot="11.5")
    for index, (name, scheduler) in enumerate((("sda", "mq-deadline"), ("sdaa", "none"))):
        ata.disk(m, hba, name, index + 1, index, Drive(
            "HGST HSH721414ALN6M0", f"VFPSEUDO{index:02d}", "L4GMT240", "14T", rpm=7200,
            physical=4096, klass="zac", wwn=f"5000cca2000000{index:02d}"),
            scheduler=scheduler)
    m.expect("sda", "zoned-hdd", "sata", "rotational", "ahci", "on")
    m.expect("sdaa", "zoned-hdd", "sata", "rotational", "ahci", "on",
             findings=["zoned-scheduler:error"],
             why="Before zone write plugging (6.10) only mq-deadline keeps the order of "
             "writes (R32). R31 (a hard disk with none) is contained in it.")


@case("4.18", "OpenShift node on AWS (Xen): EBS root volume as xvda, moved to bfq.",
      "xvda; scheduler before: [mq-deadline] kyber bfq none, after: bfq",
      FILLED + ", as the kernel release")
def e09_mco_xvda_bfq(m):
    host.kernel_files(m, "BOOT_IMAGE=/boot/vmlinuz console=ttyS0 quiet", guest=True)
    kernels.release(m, "4.18.0-80.11.2.el8_0.x86_64")
    host.dmi(m, "Xen", "HVM domU", bios="4.2.amazon")
    guest.xen_blk(m, "xvda", 51712, 251658240, **BFQ)
    m.expect("xvda", "virtual-disk", "xen", "unknown", "paravirtual",
             findings=["medium-unknown:info", "scheduler-unfit:info"],
             why="A guest's disk wants none (R30); the author measured no gain.")
    m.disagree("class cloud-block: nothing that blkfront shows names EBS, so it is a "
               "virtual-disk. The rest is as there.")


@case("4.15", "Azure node with a hard disk behind Hyper-V: the kernel's default is noop, "
      "large writes starve reads.", "kernel 4.15.0-1092-azure, hard disk, scheduler noop",
      FILLED)
def e10_azure_hdd_noop(m):
    guest.azure(m)
    disk = guest.hyperv_disk(m, 0, "sda", 8589934592)
    disk.set({"queue/scheduler": "[noop] deadline cfq "}).drop("mq/")
    m.expect("sda", "virtual-disk", "hyperv", "unknown", "paravirtual",
             findings=["medium-unknown:info", "scheduler-unfit:info"],
             why="rotational=1 is storvsc's default on a hard disk and on an SSD. noop on "
             "a disk that may be one that rotates is worth a word (R31).")
    m.disagree("class hdd, and a warning: the report knows from elsewhere that this is a "
               "hard disk. The guest cannot, since the flag is the same on nodes with an "
               "SSD, where none is right (R30): virtual-disk, and info.")


@case("6.6", "AKS node (D16ads v6): the OS disk is NVMe, and a unit writes to "
      "/sys/block/sda.", "the operating system's disk is nvme0n1; "
      "Standard_D16ads_v6", FILLED)
def e12_aks_hardcoded_sda(m):
    guest.azure(m)
    kernels.release(m, "6.8.0-1044-azure")
    guest.vmbus_nvme(m, "MSFT NVMe Accelerator v1.0", 0, "c05b", 268435456)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info"],
             why="The hard-coded name is the unit's fault (R33, udev-rule-fault, a later "
             "check); the disk is as it should be.")
