# SPDX-License-Identifier: MIT
"""Real machines with NVMe: local, behind VMD, multipath, fabrics, Apple."""

from kit import ata, block, host, nvme
from kit.nvme import Ssd

from . import captured

FILLED = ("queue/, DMI and pseudonymous identities, in the layout of "
          "kernel-logs/6.1-multi-device-full.log (nvme0n1)")

SAMSUNG_980 = Ssd("Samsung SSD 980 PRO 1TB", "S5PSEUDO980001A", "5B2QGXA7",
                  1953525168, max_hw_kb=512)
TERABYTE_4 = 7814037168


@captured("6.1", "Desktop (AMD B550) with an NVMe SSD at full link width, a SATA SSD and "
          "a disc drive.", "kernel.md 7 (link attributes)", FILLED)
def nvme_desktop(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Micro-Star International Co., Ltd.", "MS-7C91",
             board="MAG B550 TOMAHAWK (MS-7C91)", bios="A.F0")
    port = "/devices/pci0000:00/0000:00:01.2"
    host.bridge(m, port, "1022:1483", (16.0, 4, 16.0, 4))
    function = f"{port}/0000:01:00.0"
    host.pci(m, function, "0x010802", "144d:a80a", "nvme", "144d:a801",
             link=(16.0, 4, 16.0, 4))
    disk = nvme.pcie_disk(m, function, 0, SAMSUNG_980, 0)
    block.partition(m, disk, 1, 2048, 1048576, dev=(259, 1))
    block.partition(m, disk, 2, 1050624, 1952472064, dev=(259, 2))
    hub = "/devices/pci0000:00/0000:00:02.1"
    host.bridge(m, hub, "1022:1483", (8.0, 4, 16.0, 4))
    hba = ata.Hba(f"{hub}/0000:02:00.1", "ahci", caps="ef36ff03", version="10301",
                  lpm="med_power_with_dipm")
    host.pci(m, hba.path, "0x010601", "1022:43eb", "ahci", "1b21:1062",
             link=(8.0, 4, 8.0, 4)).set({"remapped_nvme": 0})
    ata.disk(m, hba, "sda", 1, 0, ata.Drive("CT1000MX500SSD1", "1821EPSEUDO02",
             "M3CR046", "1T", physical=4096, wwn="500a075100000b01"))
    ata.optical(m, hba, "sr0", 2, 1, "HL-DT-ST DVDRAM GH24NSD1", "PSEUDO03")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("sr0", "optical", "sata", "unknown", "ahci",
             why="ATAPI: no disk, so ncq=none; rotational=1 is sr's default.")


@captured("6.1", "Single-board computer: NVMe SSD on one Gen2 lane; the slot is the limit.",
          "cases.jsonl c07-rpi5-nvme-gen2x1", FILLED)
def nvme_gen2_one_lane(m):
    host.kernel_files(m, arm=True)
    port = "/devices/platform/axi/1000110000.pcie/pci0000:00/0000:00:00.0"
    host.bridge(m, port, "14e4:2712", (5.0, 1, 5.0, 1))
    function = f"{port}/0000:01:00.0"
    host.pci(m, function, "0x010802", "15b7:5030", "nvme", link=(5.0, 1, 8.0, 4))
    ssd = Ssd("WD Blue SN580 500GB", "23PSEUDO0004", "281010WD", 976773168, queues=4)
    nvme.pcie_disk(m, function, 0, ssd, 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["pcie-slot-limit:info"])


@captured("6.1", "Dell laptop: NVMe SSD behind Intel VMD (PCI domain 10000).",
          "cases.jsonl j04-latitude5521-vmd; kernel.md 3.4", FILLED)
def nvme_behind_vmd(m):
    host.kernel_files(m, efi=True)
    host.dmi(m, "Dell Inc.", "Latitude 5521", board="0HG4D3", bios="1.10.0")
    vmd = "/devices/pci0000:00/0000:00:0e.0"
    host.pci(m, vmd, "0x010400", "8086:9a0b", "vmd", "1028:0a6c")
    port = f"{vmd}/pci10000:e0/10000:e0:06.0"
    host.bridge(m, port, "8086:9a09", (8.0, 4, 16.0, 4))
    function = f"{port}/10000:e1:00.0"
    host.pci(m, function, "0x010802", "1179:0116", "nvme", "1028:1ffc",
             link=(8.0, 4, 8.0, 4))
    ssd = Ssd("KXG60ZNV512G NVMe TOSHIBA 512GB", "20PSEUDO0005", "10604107", 1000215216)
    nvme.pcie_disk(m, function, 0, ssd, 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             findings=["vmd:info"])


def multipath(m):
    """Two PCIe controllers of one subsystem: head nvme0n1, hidden c0 and c1."""
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "SYS-1029U", board="X11DPU")
    ssd = Ssd("HGST HUSMR7638BHP3Y1", "SDMPSEUDO006", "KMGNP010", 7501476528, queues=16,
              max_hw_kb=1024, volatile_cache=False)
    controllers = []
    for index, (slot, numa) in enumerate((("17:00.0", 0), ("b3:00.0", 1))):
        bus, rest = slot.split(":")
        root = f"/devices/pci0000:{int(bus, 16) - 1:02x}/0000:{int(bus, 16) - 1:02x}"
        port = f"{root}:00.0"
        host.bridge(m, port, "8086:2030", (8.0, 2, 8.0, 4))
        # A dual-port drive gives each port half of its lanes.
        function = f"{port}/0000:{bus}:{rest}"
        host.pci(m, function, "0x010802", "1c58:0023", "nvme", numa=numa,
                 link=(8.0, 2, 8.0, 2))
        controllers.append(nvme.controller(m, function, index, ssd, cntlid=index + 1,
                                           numa=numa))
    subsys = nvme.subsystem(m, 0, ssd, controllers)
    for index, ctrl in enumerate(controllers):
        nvme.namespace(m, ctrl.path, f"nvme0c{index}n1", ssd, index, hidden=True).set(
            {"ana_state": "optimized" if index == 0 else "non-optimized"})
    head = nvme.namespace(m, subsys, "nvme0n1", ssd, 2, scheduler=None)
    nvme.props(head, ssd, f"pci-{controllers[0].get('address')}-nvme-1")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             why="The head has no PCI parent; the controllers of its subsystem do. The "
             "hidden paths have no device number and no line here.")
    return head


MULTIPATH = ("kernel-logs/{}-nvme-multipath-sas-md-dm-overlay.log (nvme0n1, nvme0c0n1, "
             "nvme0c1n1)")


@captured("6.1", "NVMe multipath on 6.1: the head's scheduler file exists and is dead.",
          MULTIPATH.format("6.1"), FILLED)
def nvme_multipath_6_1(m):
    multipath(m)


@captured("6.12", "NVMe multipath on 6.12: the head has no scheduler, no nr_requests.",
          MULTIPATH.format("6.12"), FILLED)
def nvme_multipath_6_12(m):
    multipath(m)


@captured("6.12", "Server with NVMe over TCP (nvme2n1) beside a local NVMe SSD.",
          "kernel.md 1.1 and 7 (nvme fabrics: transport tcp, /devices/virtual/"
          "nvme-fabrics/ctl)", FILLED)
def nvme_over_tcp(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R650", board="0PYXKY")
    port = "/devices/pci0000:64/0000:64:02.0"
    host.bridge(m, port, "8086:347a", (16.0, 4, 16.0, 4))
    function = f"{port}/0000:65:00.0"
    host.pci(m, function, "0x010802", "1e0f:0013", "nvme", "1028:2131",
             link=(16.0, 4, 16.0, 4))
    nvme.pcie_disk(m, function, 0, Ssd("Dell Ent NVMe CM6 RI 3.84TB", "Y1PSEUDO07",
                   "2.1.8", 7501476528, queues=64), 0)
    m.add("/devices/virtual/nvme-fabrics/ctl", "nvme-fabrics")
    ssd = Ssd("Linux", "2ePSEUDO08", "6.12.0", 2097152000, queues=8, sqsize=127,
              max_hw_kb=1024, nqn="nqn.2024-01.example:volume1")
    ctrl = nvme.controller(m, "/devices/virtual/nvme-fabrics/ctl", 2, ssd, "tcp",
                           "traddr=192.0.2.10,trsvcid=4420,src_addr=192.0.2.20",
                           folder="")
    subsys = nvme.subsystem(m, 2, ssd, [ctrl])
    nvme.namespace(m, ctrl.path, "nvme2c2n1", ssd, 3, hidden=True)
    head = nvme.namespace(m, subsys, "nvme2n1", ssd, 4, scheduler=None,
                          stable_writes=1)
    nvme.props(head, ssd, None)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("nvme2n1", "network-disk", "nvme", "unknown", "nvme-fabrics",
             why="rotational=0 is no evidence: the namespace is on another machine.")


@captured("6.1", "MacBook Air M1: Apple's NVMe is a platform device, without a PCI parent.",
          "design.md 3 (nvme-platform); drivers/nvme/host/apple.c (transport apple-nvme)",
          FILLED + "; 16 KiB pages")
def nvme_apple(m):
    host.kernel_files(m, arm=True)
    device = "/devices/platform/soc/27bcc0000.nvme"
    m.add(device, "platform").driver("platform", "nvme-apple").set(
        {"modalias": "of:NnvmeT(null)Capple,t8103-nvme-ans2Capple,nvme-ans2"})
    ssd = Ssd("APPLE SSD AP0512Q", "0bPSEUDO000009", "561.100.", 122138133 * 8,
              logical=4096, queues=1, sqsize=62, max_hw_kb=1020)
    ctrl = nvme.controller(m, device, 0, ssd, "apple-nvme", "27bcc0000.nvme")
    nvme.subsystem(m, 0, ssd, [ctrl])
    disk = nvme.namespace(m, ctrl.path, "nvme0n1", ssd, 0, page_kb=16,
                          scheduler="mq-deadline", nr_requests=126)
    nvme.props(disk, ssd, "platform-27bcc0000.nvme-nvme-1")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-platform",
             why="One queue, so the kernel's default is mq-deadline: a change for the "
             "policy and no finding.")


@captured("4.18", "RHEL 8.0 server, NVMe SSD on 4.18: no numa_node, queue_count or sqsize.",
          "kernel.md 7 (attributes by version, link speed strings)", FILLED)
def nvme_rhel_4_18(m):
    host.kernel_files(m)
    host.dmi(m, "HPE", "ProLiant DL380 Gen10", bios="U30")
    port = "/devices/pci0000:36/0000:36:00.0"
    host.bridge(m, port, "8086:2030", (8.0, 4, 8.0, 8))
    function = f"{port}/0000:37:00.0"
    host.pci(m, function, "0x010802", "8086:0a54", "nvme", "1590:0265",
             link=(8.0, 4, 8.0, 4), numa=0)
    nvme.pcie_disk(m, function, 0, Ssd("INTEL SSDPE2KX010T8", "PHPSEUDO10010GN",
                   "VDV10131", 1953525168, max_hw_kb=128, queues=8,
                   volatile_cache=False), 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie",
             why="128 KiB at a time (MDTS) cost an NVMe drive nothing (R40b).")
