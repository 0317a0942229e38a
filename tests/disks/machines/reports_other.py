# SPDX-License-Identifier: MIT
"""Public reports about control groups, hidden, remote and cloud devices (i01 to j19 of
cases.jsonl), and which reports of e to j no capture can express."""

from kit import ata, block, guest, host, kernels, nvme, reports, stack, transport, usb
from kit.ata import Drive

from . import case
from .mmc import card, sd_status
from .reports_scheduler import expect_nvme, local_nvme
from .usb import STICK

FILLED = "sizes, identities and everything else"
CLOUD = ["cloud-limits:info"]
XHCI = "/devices/pci0000:00/0000:00:14.0"

CGROUP_ONLY = ("about files of control groups alone: no disk is named, and any would do. "
               "Checks of weights and limits (R55 to R58) are a later issue")
NO_ADDRESS = ("the notes name no public address, and a case must name its report; h03 and "
              "h04 hold the same kind of machine")
NO_BLOCK_DEVICE = "there is no block device: {}"

reports.NOT_EXPRESSED.update({
    "f10-nfs-ra-128": NO_BLOCK_DEVICE.format("an NFS mount has a readahead of its own, in "
                                             "/sys/class/bdi"),
    "h06-strata-direct-vs-mmap-warm": NO_ADDRESS,
    "h07-strata-ram-direct-mmap": NO_ADDRESS,
    "h09-strata-low-ram-mmap-swap": NO_ADDRESS,
    "h13-vllm-safetensors-lustre": NO_BLOCK_DEVICE.format("Lustre and NFS"),
    "h15-sglang-lustre-faults": NO_BLOCK_DEVICE.format("Lustre"),
    "h18-comfyui-netvol": NO_BLOCK_DEVICE.format("a network volume of Kubernetes"),
    "h19-efs-weights": NO_BLOCK_DEVICE.format("Amazon EFS, an NFS server"),
    "h21-lucene-throttle-nvme": "a default of the engine's changed; no disk and no machine "
                                "is described",
    "i01-bfq-weight-v1": CGROUP_ONLY,
    "i04-lxd-weight-missing": CGROUP_ONLY,
    "i06-only-bfq-weights": CGROUP_ONLY,
    "i07-systemd-20519": CGROUP_ONLY,
    "i09-docker-cli-bps-partition": CGROUP_ONLY,
    "i10-moby-partition-enodev": CGROUP_ONLY,
    "i12-pmss-v1-buffered": CGROUP_ONLY,
})


@case("6.6", "Machine with systemd 256: IODeviceWeight of an NVMe SSD (259:0) does not "
      "arrive in io.weight.", "kernel 6.10.3, device 259:0, an NVMe SSD", FILLED)
def i03_iodeviceweight_ignored(m):
    host.kernel_files(m, efi=True)
    kernels.release(m, "6.10.3-arch1-1")
    host.dmi(m, "Dell Inc.", "Precision 3660", board="0PRR48")
    local_nvme(m, gts=16.0)
    expect_nvme(m, why="The class is the report's. That a weight needs bfq or io.cost is "
                "a later check (R55), and weights stand in no file of the disk's.")


@case("5.10", "Server with md over hard disks on mq-deadline: weights of groups do "
      "nothing.", "md RAID over members on mq-deadline", FILLED + ", as the level")
def i13_pmss_iocost_mdraid(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F")
    hba = ata.ahci(m, "8086:8c02", "15d9:0803")
    parts = []
    for index in range(4):
        name = f"sd{'abcd'[index]}"
        disk = ata.disk(m, hba, name, index + 1, index, Drive(
            "TOSHIBA MG06ACA800E", f"58PSEUDO{index:02d}", "4303", "8T", rpm=7200,
            physical=4096, wwn=f"50000395000001{index:02d}"))
        parts.append(block.partition(m, disk, 1, 2048, 15628050432))
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on")
    stack.md(m, 0, "raid5", parts, 46883756544, 524288, minimum_io_size=524288,
             optimal_io_size=1572864, rotational=1)
    m.expect("md0", "stacked", "md", "rotational", "stacked",
             why="Class and members are the report's; weights are a later check (R55). "
             "3072 KiB of readahead are two stripes.")


@case("6.6", "Server of Seastar: the engine throttles itself below what the drive gives.",
      "an NVMe SSD", FILLED)
def i15_seastar_overpessimistic_model(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Dell Inc.", "PowerEdge R660", board="0T0V1K")
    local_nvme(m, model="Dell Ent NVMe PM1743 RI 3.84TB", gts=32.0)
    expect_nvme(m, why="Nothing is wrong with the disk: the limit stands in the engine's "
                "own file (R58).")


def rst(m, log, remapped=None):
    """An Intel SATA function in RAID mode, which hides an NVMe drive."""
    hba = ata.Hba("/devices/pci0000:00/0000:00:17.0", "ahci", caps="c734ff02",
                  version="10301", lpm="med_power_with_dipm")
    host.pci(m, hba.path, "0x010400", "8086:282a", "ahci", "1028:0a1e",
             "0x10").set({"remapped_nvme": remapped})
    m.kernel_log(["ahci 0000:00:17.0: version 3.0"] + log + [
        "ahci 0000:00:17.0: AHCI 0001.0301 32 slots 2 ports 6 Gbps 0x3 impl RAID mode",
        "ahci 0000:00:17.0: flags: 64bit ncq sntf pm led clo only pio slum part deso "
        "sadm sds apst "], 1.1)
    return hba


FOUND_ONE = ["ahci 0000:00:17.0: Found 1 remapped NVMe devices.",
             "ahci 0000:00:17.0: Switch your BIOS from RAID to AHCI mode to use them."]


@case("5.4", "Laptop with Intel RST Premium: an NVMe SSD is hidden behind the SATA "
      "function, the system is on a hard disk there.", "Intel RST RAID mode, one NVMe "
      "drive remapped into the SATA controller", FILLED + "; the kernel (5.4) has the log "
      "line and no attribute remapped_nvme yet")
def j01_rst_remap(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Acer", "Aspire A515-52", board="Noll_WL")
    hba = rst(m, FOUND_ONE)
    ata.disk(m, hba, "sda", 1, 0, Drive("ST1000LM035-1RK172", "ZDEPSEUDO01", "SBM2", "1T",
             rpm=5400, physical=4096, wwn="5000c500000001a1"))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             findings=["raid-class-ahci:info"])
    m.expect_machine(["nvme-remapped:error"], "The log alone tells: 5.4 has no "
                     "remapped_nvme. The hidden SSD is no block device and has no line.")


@case("5.15", "Dell Latitude 7410 in RAID mode, booted from an installer's USB stick: no "
      "internal disk is there.", "Dell Latitude 7410; ahci 0000:00:17.0: Found 1 remapped "
      "NVMe devices. Switch your BIOS from RAID to AHCI mode to use them.", FILLED)
def j03_latitude7410_remap(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Dell Inc.", "Latitude 7410", board="0M5G57", bios="1.4.4")
    rst(m, FOUND_ONE, 1)
    host.pci(m, XHCI, "0x0c0330", "8086:02ed", "xhci_hcd", "1028:09cd")
    usb.disk(m, XHCI, 2, 1, "sda", 2, STICK)
    usb.log_found(m, 2, 1, "sda", 2, STICK)
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot")
    m.expect_machine(["nvme-remapped:error"])


@case("5.10", "Dell Latitude 5521: NVMe SSD behind Intel VMD.", "Dell Latitude 5521, VMD "
      "function 0000:00:0e.0 with driver vmd, 10000:e1:00.0 Toshiba 0116", FILLED)
def j04_latitude5521_vmd(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Dell Inc.", "Latitude 5521", board="0HG4D3", bios="1.10.0")
    vmd = "/devices/pci0000:00/0000:00:0e.0"
    host.pci(m, vmd, "0x010400", "8086:9a0b", "vmd", "1028:0a6c")
    port = f"{vmd}/pci10000:e0/10000:e0:06.0"
    host.bridge(m, port, "8086:9a09", (8.0, 4, 16.0, 4))
    function = f"{port}/10000:e1:00.0"
    host.pci(m, function, "0x010802", "1179:0116", "nvme", "1028:1ffc",
             link=(8.0, 4, 8.0, 4))
    nvme.pcie_disk(m, function, 0, nvme.Ssd("KXG60ZNV512G NVMe TOSHIBA 512GB",
                   "20PSEUDO0004", "10604107", 1000215216), 0)
    expect_nvme(m, findings=["vmd:info"])


@case("5.4", "Supermicro server with a WD Red EFAX (shingled) beside a drive that is not.",
      "WDC EFAX, control drive ST4000VN008-2DR166, Supermicro", FILLED + ", as 4 TB for "
      "the x of WDx0EFAX")
def j06_wd_efax_smr(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F")
    hba = ata.ahci(m, "8086:8c02", "15d9:0803")
    ata.disk(m, hba, "sda", 1, 0, Drive("WDC WD40EFAX-68JH4N0", "WD-WX1PSEUDO06",
             "82.00A82", "4T", rpm=5400, physical=4096, wwn="50014ee000000106"))
    ata.disk(m, hba, "sdb", 2, 1, Drive("ST4000VN008-2DR166", "ZGYPSEUDO06", "SC60", "4T",
             rpm=5980, physical=4096, wwn="5000c50000000106"))
    m.expect("sda", "sata-hdd", "sata", "rotational", "ahci", "on",
             findings=["smr-drive:warn"])
    m.expect("sdb", "sata-hdd", "sata", "rotational", "ahci", "on")


@case("5.4", "ZFS mirror of two ST5000LM000, shingled.", "ST5000LM000-2AN170, kernel "
      "5.4.47-1-lts", FILLED)
def j07_st5000lm000_smr(m):
    host.kernel_files(m)
    kernels.release(m, "5.4.47-1-lts")
    host.dmi(m, "ASRock", "J5005-ITX", board="J5005-ITX")
    hba = ata.ahci(m, "8086:31e3", "1849:31e3", slot="12.0")
    for index, name in enumerate(("sda", "sdb")):
        ata.disk(m, hba, name, index + 1, index, Drive(
            "ST5000LM000-2AN170", f"WCJPSEUDO{index:02d}", "0001", "5T", rpm=5526,
            physical=4096, wwn=f"5000c500000007{index:02d}"))
        m.expect(name, "sata-hdd", "sata", "rotational", "ahci", "on",
                 findings=["smr-drive:warn"])


def aws(m, kind="m6i.4xlarge"):
    host.kernel_files(m, guest=True, efi=True)
    host.dmi(m, "Amazon EC2", kind, bios="1.0")
    guest.ebs(m, "04", 0, 83886080, 0)
    m.expect("nvme0n1", "cloud-volume", "nvme", "unknown", "nvme-pcie", findings=CLOUD)


@case("5.15", "AWS instance whose EBS volume was probed for a few minutes: the burst was "
      "published.", "an EBS volume of 128 MB/s", FILLED)
def j09_ebs_iotune_burst(m):
    aws(m, "i4i.large")
    guest.ebs(m, "1e", 1, 1048576000, 1)
    m.expect("nvme1n1", "cloud-volume", "nvme", "unknown", "nvme-pcie", findings=CLOUD)


@case("5.4", "AWS instance: md raid0 over EBS volumes of 500 and 93.1 GB.",
      "nvme1n1 500G and nvme2n1 93.1G, md0 raid0 592.9G", FILLED)
def j10_cockroach_gp3_raid0(m):
    aws(m)
    members = [guest.ebs(m, "1e", 1, 1048576000, 1), guest.ebs(m, "1f", 2, 195312500, 2)]
    stack.md(m, 0, "raid0", members, 1243620864, 524288, minimum_io_size=524288,
             optimal_io_size=1048576, read_ahead_kb=2048)
    for name in ("nvme1n1", "nvme2n1"):
        m.expect(name, "cloud-volume", "nvme", "unknown", "nvme-pcie", findings=CLOUD)
    m.expect("md0", "stacked", "md", "unknown", "stacked",
             findings=["unequal-members:warn"])


@case("5.10", "Kubernetes node on AWS with a volume of the EBS driver.",
      "an EBS volume, readahead the kernel's", FILLED)
def j12_ebs_readahead_csi(m):
    aws(m)
    guest.ebs(m, "1e", 1, 209715200, 1)
    m.expect("nvme1n1", "cloud-volume", "nvme", "unknown", "nvme-pcie", findings=CLOUD,
             why="Nothing is wrong: a volume's readahead is set by a policy file that "
             "matches model, serial or path.")


@case("6.1", "Edge node: an iSCSI LUN whose session has queue_depth 1.",
      "node.session.queue_depth=1 left over", FILLED)
def j13_eve_iscsi_qd1(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge XR11", board="0P2RNT")
    transport.iscsi_lun(m, 2, 1, "sda", ("LIO-ORG", "volume0", "4.0"), 209715200,
                        "600140500000000000000000000001d3", rate=1, depth=1)
    m.expect("sda", "san-lun", "iscsi", "flash", "network",
             findings=["iscsi-depth-one:warn"])
    m.disagree("class network-block: an iSCSI LUN is a san-lun (classify/summary.c), "
               "which is REMOTE=1 as well. The finding is as there.")


@case("6.6", "Raspberry Pi 5 with an A2 card and no command queue.", "Sandisk Extreme "
      "U3, class A2, 64 GB; no sd_cqe", FILLED)
def j15_rpi_sd_cqe(m):
    host.kernel_files(m, "console=tty1 root=/dev/mmcblk0p2 rootwait", arm=True)
    kernels.release(m, "6.6.20+rpt-rpi-2712")
    slot = "/devices/platform/axi/1000fff000.mmc"
    m.add(slot, "platform").driver("platform", "sdhci-brcmstb")
    card(m, slot, 0, "aaaa", "mmcblk0", "SD", 124735488, 0, "platform-1000fff000.mmc",
         {"name": "SN64G", "manfid": "0x000003", "serial": "0x0badc015",
          "oemid": "0x5344", "ssr": sd_status(2)}, page_kb=16)
    m.expect("mmcblk0", "sd-card", "mmc", "flash", "sd",
             findings=["sd-no-command-queue:info"])


@case("5.10", "Rock 5 ITX with an A2 card on mq-deadline.", "kernel 5.10.160, Samsung EVO "
      "Plus A2 256 GB, mq-deadline", FILLED)
def j16_armbian_mmc_scheduler(m):
    host.kernel_files(m, "root=UUID=0 rootwait console=ttyS2,1500000", arm=True)
    kernels.release(m, "5.10.160-legacy-rk35xx")
    slot = "/devices/platform/fe2c0000.mmc"
    m.add(slot, "platform").driver("platform", "dwmmc_rockchip")
    card(m, slot, 1, "59b4", "mmcblk1", "SD", 501841920, 0, "platform-fe2c0000.mmc",
         {"name": "FF4QE", "manfid": "0x00001b", "serial": "0x0badc016",
          "oemid": "0x534d", "ssr": sd_status(2)})
    m.expect("mmcblk1", "sd-card", "mmc", "flash", "sd",
             findings=["sd-no-command-queue:info"],
             why="mq-deadline is right. That the card is A2 and has no command queue is "
             "the same here as in j15.")


@case("6.1", "Server with DRBD over a SAS SSD that gives 230,000 writes a second alone.",
      "drbd 9.2.2 over /dev/sdc, 230,000 IOPS", FILLED + ", as a SAS SSD for the device; "
      "sda and sdb are left out")
def j18_drbd_local_drop(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SSG-6029P", board="X11DPH-T", bios="3.4")
    function = "/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"
    host.bridge(m, "/devices/pci0000:3a/0000:3a:00.0", "8086:2030", (8.0, 8, 8.0, 16))
    host.pci(m, function, "0x010700", "1000:0097", "mpt3sas", "15d9:0808", "0x02",
             link=(8.0, 8, 8.0, 8), numa=0)
    root = transport.sas_host(m, function, 0, "mpt3sas", 9664)
    disk = transport.sas_disk(m, root, 0, 2, "sdc", ("SAMSUNG", "MZILT1T9HBJR/007",
                              "GXA0"), 3750748848, "5002538b00000118", rate=1,
                              serial="PSEUDO18", physical_block_size=4096)
    stack.drbd(m, 0, disk, 3750634360)
    m.expect("sdc", "sas-ssd", "sas", "flash", "hba")
    m.expect("drbd0", "stacked", "drbd", "flash", "stacked",
             findings=["mixed-stack:info"],
             why="The layer costs three quarters here; the leaf's figures are not its.")


@case("5.4", "Server with DRBD over md raid1 of two SSDs: the resync is slow by its own "
      "settings.", "drbd 8.4.11, two SSDs of 1 TB in raid1", FILLED)
def j19_drbd_sync_slow(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F")
    hba = ata.ahci(m, "8086:8c02", "15d9:0803")
    parts = []
    for index, name in enumerate(("sda", "sdb")):
        disk = ata.disk(m, hba, name, index + 1, index, Drive(
            "Samsung SSD 860 PRO 1TB", f"S42PSEUDO{index:02d}", "RVM01B6Q", "1T",
            wwn=f"5002538e000019{index:02d}"))
        parts.append(block.partition(m, disk, 1, 2048, 1953521664))
        m.expect(name, "sata-ssd", "sata", "flash", "ahci", "on")
    array = stack.md(m, 0, "raid1", parts, 1953389568)
    stack.drbd(m, 0, array, 1953329960)
    m.expect("md0", "stacked", "md", "flash", "stacked")
    m.expect("drbd0", "stacked", "drbd", "flash", "stacked",
             findings=["mixed-stack:info"],
             why="The resync is no matter of storage: no more than the word that drbd is a "
             "layer of its own.")
