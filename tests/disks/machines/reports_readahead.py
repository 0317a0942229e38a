# SPDX-License-Identifier: MIT
"""Public reports about readahead (f01 to f19 of cases.jsonl)."""

from kit import ata, block, guest, host, kernels, scsi, stack, transport, usb
from kit.ata import Drive
from kit.usb import Gadget

from . import case
from .reports_scheduler import expect_nvme, local_nvme

FILLED = "sizes, identities and everything else"
FALSE_ROTATIONAL = ["medium-unknown:info", "readahead-false-rotational:warn"]


def tuned(m, profile, text, extra=()):
    """tuned, running, with this profile active."""
    m.file("/etc/tuned/active_profile", profile + "\n")
    m.file("/etc/tuned/profile_mode", "manual\n")
    m.file("/run/tuned/tuned.pid", "812\n")
    for name, content in ((profile, text), *extra):
        m.file(f"/usr/lib/tuned/{name}/tuned.conf", content)


NOT_CLOUD = ("class cloud-block: INQUIRY says Msft Virtual Disk, as every Hyper-V guest's "
             "does, so it is a virtual-disk. The finding is as there.")


def azure_runner(m):
    guest.azure(m)
    for number, name in enumerate(("sda", "sdb")):
        guest.hyperv_disk(m, number, name)
        m.expect(name, "virtual-disk", "hyperv", "unknown", "paravirtual",
                 findings=FALSE_ROTATIONAL,
                 why="4096 = 2 x max_sectors_kb 2048, optimal_io_size 0 and storvsc's "
                 "rotational=1." if number == 0 else None)
    m.disagree(NOT_CLOUD)


@case("6.17", "Azure runner on 6.17: readahead went from 128 to 4096.",
      "kernel 6.17, ROTA=1, read_ahead_kb 4096", FILLED)
def f01_azure_rota1_ra4096(m):
    azure_runner(m)


@case("6.17", "Azure node with remote NVMe: readahead 65536 from an optimal_io_size of "
      "32 MiB.", "model MSFT NVMe Accelerator v1.0, optimal_io_size 32 MiB, read_ahead_kb "
      "65536, io_timeout 240000 by a rule", FILLED)
def f03_azure_vm_utils_ra(m):
    guest.azure(m)
    guest.vmbus_nvme(m, "MSFT NVMe Accelerator v1.0", 0, "c05b", 62914560, 33554432,
                     io_timeout=240000)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info", "readahead-from-io-opt:warn"],
             why="65536 = 2 x 32 MiB.")


@case("6.18", "Guest of the Internet Computer: vda was set to 128, the devices on top of "
      "it kept their 8192.", "vda, dm-2 (store-crypt) and dm-4 (shared data); "
      "read_ahead_kb=128 had been applied to vda only",
      FILLED + "; that dm-2 and dm-4 read 8192 (peers.md, dfinity/ic PR 10315)")
def f04_dfinity_dm_ra(m):
    guest.qemu(m, "Standard PC (Q35 + ICH9, 2009)")
    disk = guest.virtio_blk(m, "03", 1, "vda", 209715200, modern=True, read_ahead_kb=128)
    for number, (minor, name) in enumerate(((2, "store-crypt"), (4, "store-shared--data")),
                                           1):
        part = block.partition(m, disk, number, 2048 + 100000000 * (number - 1),
                               100000000)
        stack.dm(m, minor, name, f"{'CRYPT-LUKS2-' if minor == 2 else 'LVM-'}pseudo{minor}",
                 [part], 99967232, rotational=1)
        m.expect(f"dm-{minor}", "stacked", "dm", "unknown", "stacked",
                 findings=["readahead-not-on-top:warn"],
                 why="8192 = 2 x max_sectors_kb 4096, by the flag that dm has from vda. "
                 "Here it counts, and vda's 128 is without effect (R37)." if minor == 2
                 else None)
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info"])


@case("5.4", "Server of an engine that maps its file (B+tree) and asks for no readahead "
      "by madvise.", "an SSD; the engine uses MADV_RANDOM", FILLED)
def f06_boltdb_madv_random(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R230", board="0FRVY0")
    hba = ata.ahci(m, "8086:a102", "1028:06a5", slot="17.0")
    ata.disk(m, hba, "sda", 1, 0, Drive("INTEL SSDSC2BB480G7", "PHDVPSEUDO06480BGN",
             "N2010101", "480G", physical=4096, wwn="55cd2e4000000f06"))
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             why="read_ahead_kb is the classical 128: the engine's hint is the remedy, "
             "and nothing of the disk's.")


@case("4.18", "RHEL guest with a database: tuned's profile for guests sets 4 MiB of "
      "readahead.", "RHEL in a virtual machine, tuned sets the readahead to 4 MB",
      FILLED + ", as the kernel (the report has RHEL 7) and the profile's text")
def f07_mongodb_tuned_4mb(m):
    guest.qemu(m, "RHEL-AV", "BOOT_IMAGE=(hd0,msdos1)/vmlinuz root=/dev/vda1 ro quiet")
    guest.virtio_blk(m, "07", 2, "vda", 209715200, read_ahead_kb=4096)
    tuned(m, "virtual-guest", "[main]\nsummary=Optimize for running inside a virtual "
          "guest\ninclude=throughput-performance\n\n[sysctl]\nvm.dirty_ratio = 30\n",
          [("throughput-performance", "[main]\nsummary=Broadly applicable tuning\n\n"
            "[cpu]\ngovernor=performance\n\n[disk]\nreadahead=>4096\n")])
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             findings=["medium-unknown:info", "readahead-unfit:info",
                       "rival-writer:warn"],
             why="No rule of the kernel's gives 4096 on 4.18; tuned, by the profile that "
             "the active one includes, does.")


@case("4.18", "Server of a database that maps its files; the owner lowered the readahead "
      "to 100 sectors.", "blockdev --setra 100 (50 KiB; the kernel rounds to 48), "
      "documents of 512 bytes", FILLED + "; a disk of any class would do")
def f09_mongodb_high_ra_diagnose(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F")
    hba = ata.ahci(m, "8086:8c02", "15d9:0803")
    ata.disk(m, hba, "sda", 1, 0, Drive("ST1000NM0011", "Z1PSEUDO09", "SN03", "1T",
             rpm=7200, wwn="5000c50000000f09"), read_ahead_kb=48)
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             findings=["readahead-unfit:info"],
             why="Below 128: random readers gain, sequential phases need a hint (R38). "
             "That 48 KiB is still too much for documents of 512 bytes shows in the "
             "memory of the engine, which no file of the disk's has.")


@case("6.1", "Server of RavenDB: the readahead was lowered for random reads, recovery of "
      "the journal got slow.", "read_ahead_kb lowered for random access",
      FILLED + "; the value 16")
def f12_ravendb_low_ra_recovery(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R650", board="0PYXKY")
    local_nvme(m, gts=16.0, read_ahead_kb=16)
    expect_nvme(m, findings=["readahead-unfit:info"], why="Below 128: phases that read "
                "in order need POSIX_FADV_SEQUENTIAL (R38).")


@case("4.18", "Server with a 3ware 9500S: a wide RAID volume at the classical readahead.",
      "3ware 9500S RAID, readahead 256 sectors (128 KiB)",
      FILLED + ", as the kernel (the report has RHEL 5) and optimal_io_size, a stripe of "
      "seven data disks of 64 KiB")
def f13_md_raid_3ware_ra(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X7DB8")
    function = "/devices/pci0000:00/0000:00:1e.0/0000:06:01.0"
    host.pci(m, "/devices/pci0000:00/0000:00:1e.0", "0x060401", "8086:244e")
    host.pci(m, function, "0x010400", "13c1:1002", "3w-9xxx", "13c1:1002")
    root = scsi.host(m, function, 0, "3w-9xxx", 254, 254)
    transport.raid_volume(m, root, "0:0:0:0", "sda", ("AMCC", "9500S-8    DISK", "2.08"),
                          5468584960, 254, wwn="600050e00000000000000000000000f1",
                          serial="PSEUDO13", max_hw_sectors_kb=128,
                          minimum_io_size=65536, optimal_io_size=458752)
    m.expect("sda", "raid-volume", "scsi", "unknown", "raid-volume",
             findings=["medium-unknown:info", "readahead-below-stripe:info",
                       "transfer-size-small:info"],
             why="128 KiB is less than two stripes of 448 KiB (R39); the driver takes 256 "
             "sectors at a time (R40b).")


@case("6.12", "Raspberry Pi with umbrelOS: the bridge's optimal_io_size is 33553920, the "
      "readahead 65520.", "optimal_io_size 33553920, read_ahead_kb 65520, ASMedia bridge, "
      "USB SSD", FILLED + ", as pages of 16 KiB, which give 65520")
def f15_usb_bridge_ioopt_ra65520(m):
    host.kernel_files(m, "console=tty1 root=/dev/sda2 rootwait", arm=True)
    kernels.release(m, "6.12.75+rpt-rpi-2712")
    xhci = raspberry_pi_5(m)
    gadget = Gadget("174c", "55aa", "ASMedia", "ASM1153E", "PSEUDO000015",
                    ("ASMT", "2115", "0"), 1953525168, uas=True, depth=30, pgb1=1)
    usb.disk(m, xhci, 2, 1, "sda", 0, gadget, optimal_io_size=33553920, page_kb=16)
    usb.log_found(m, 2, 1, "sda", 0, gadget)
    m.expect("sda", "usb-ssd", "usb", "flash", "usb-uas",
             findings=["io-opt-bogus:warn", "readahead-from-io-opt:warn"],
             why="2 x 33553920 rounded down to pages of 16 KiB is 65520 KiB.")


def raspberry_pi_5(m):
    """The USB host controllers of its I/O chip are platform devices."""
    path = ("/devices/platform/axi/1000120000.pcie/1f00200000.usb/xhci-hcd.0")
    m.add(path, "platform").driver("platform", "xhci-hcd")
    return path


@case("5.4", "Machine with a USB adapter that reports an optimal_io_size of 33553920; the "
      "kernel does not derive a readahead from it yet.", "optimal_io_size 33553920, a USB "
      "SATA adapter", FILLED)
def f16_libfdisk_33553920(m):
    host.kernel_files(m)
    xhci = "/devices/pci0000:00/0000:00:14.0"
    host.dmi(m, "Intel(R) Client Systems", "NUC8i5BEH", "Intel Corporation", bios="0085")
    host.pci(m, xhci, "0x0c0330", "8086:9ded", "xhci_hcd", "8086:2074", "0x30")
    usb.disk(m, xhci, 2, 1, "sda", 2, Gadget("152d", "0578", "JMicron",
             "USB to SATA Bridge", "PSEUDO000016", ("JMicron", "Generic", "0508"),
             976773168, uas=True, depth=30), optimal_io_size=33553920)
    m.expect("sda", "usb-disk", "usb", "unknown", "usb-uas",
             findings=["io-opt-bogus:info", "medium-unknown:info"],
             why="read_ahead_kb is 128, so no more than info; tools that align partitions are misled all the "
             "same.")


@case("6.17", "Azure runner on which builds hang: the face of f01.",
      "a runner image of March 2026 (kernel and readahead as in f01)", FILLED)
def f18_runner_build_hang(m):
    azure_runner(m)


@case("6.1", "Kubernetes node on AWS: a container set the readahead of an EBS volume "
      "to 8 sectors.", "EBS nvme1n1, blockdev --setra 8, read_ahead_kb 4", FILLED)
def f19_k8ssandra_setra8(m):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Amazon EC2", "m6i.4xlarge", bios="1.0")
    disk = guest.ebs(m, "04", 0, 83886080, 0)
    block.partition(m, disk, 1, 24576, 83861471, dev=(259, 1))
    guest.ebs(m, "1e", 1, 1048576000, 2, ra=4)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info"])
    m.expect("nvme1n1", "cloud-volume", "nvme", "unknown", "nvme-pcie",
             findings=["cloud-limits:info", "readahead-unfit:info"],
             why="4 KiB, as Cassandra's people advise; what else reads the volume in "
             "order needs a hint (R38).")
