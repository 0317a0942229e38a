# SPDX-License-Identifier: MIT
"""Valid captures of broken or malicious machines: unknown must stay unknown.

A `*` in an expectation accepts any word: the point is that nothing crashes.
"""

from kit import ata, block, guest, host, nvme, stack, usb
from kit.ata import Drive, Hba
from kit.nvme import Ssd

from . import captured as register

PLAIN = Drive("Samsung SSD 870 EVO 500GB", "S0PSEUDO900001A", "SVT02B6Q", "500G",
              wwn="5002538f00000901")
NVME = Ssd("Samsung SSD 980 PRO 1TB", "S5PSEUDO900002", "5B2QGXA7", 1953525168)


def captured(kernel, title, source="composed after kernel.md 10"):
    return register(kernel, title, source, "everything", hostile=True)


def board(m):
    host.kernel_files(m)
    host.dmi(m, "Supermicro", "X10SLM-F", bios="3.0")


def ahci(m):
    hba = Hba("/devices/pci0000:00/0000:00:1f.2", "ahci", caps="c734ff05")
    host.pci(m, hba.path, "0x010601", "8086:8c02", "ahci", "15d9:0803",
             "0x05").set({"remapped_nvme": 0})
    return hba


def nvme_function(m, slot="1d.0"):
    path = f"/devices/pci0000:00/0000:00:{slot}"
    return host.pci(m, path, "0x010802", "144d:a80a", "nvme").path


def without_pages(m, disk):
    """Takes the VPD pages away, so that IDENTIFY alone speaks."""
    sdev = m.blocks[disk.path.split("/block/")[0]]
    sdev.drop("vpd_pg89", "vpd_pgb1")


@captured("6.1", "Model, serial and product strings made by an attacker: newlines, control "
          "characters, shell syntax, lines that look like attributes, bytes that are no "
          "UTF-8.", "kernel-logs/6.1-hostile-strings.log; kernel.md 10")
def hostile_strings(m):
    guest.qemu(m)
    root = guest.virtio_scsi(m, "05", 1, 0)
    disk = guest.scsi_disk(m, root, "0:0:0:0", "sda", ("E;`x", "$(id) ../.. %k", "2.5+"),
                           1048576, "pci-0000:00:05.0-scsi-0:0:0:0", "a_b_.._c_d", rate=1)
    disk.prop({"ID_SERIAL": "0E__x___id__.._..__k_a_b_.._c_d"})
    xhci = "/devices/pci0000:00/0000:00:04.0"
    host.pci(m, xhci, "0x0c0330", "1b36:000d", "xhci_hcd", "1af4:1100")
    usb.disk(m, xhci, 2, 1, "sdb", 1, usb.Gadget("abcd", "1234",
             "Evil\nA: queue/rotational=0\nBLKADVISE_CLASS=nvme-ssd",
             "`reboot`\x01\x1b[31m\r\"'=;|&<>", "a=b'\"\\n\t", ("`id`", "$(reboot)", "1"),
             1048576))
    function = "/devices/pci0000:00/0000:00:08.0"
    host.pci(m, function, "0x010802", "1b36:0010", "nvme", "1af4:1100")
    ssd = Ssd("\xff\xfe=\"quoted\" $HOME `x`", "ser/../../etc", "$(x)", 1048576, queues=2)
    disk = nvme.pcie_disk(m, function, 0, ssd, 0)
    ctrl = m.blocks[f"{function}/nvme/nvme0"]
    ctrl.hex("model", b"\xff\xfe\x00=\"quoted\" $HOME `x`\n")
    ctrl.raw("serial", "ser\udcffial\udc80 ../../etc/passwd\n")
    disk.prop({"ID_MODEL": "_ = quoted $HOME `x`", "ID_SERIAL_SHORT": "ser/../../etc"})
    m.expect("sda", "virtual-disk", "virtio", "flash", "paravirtual",
             why="virtio-scsi decides, whatever vendor and model say.")
    m.expect("sdb", "usb-disk", "usb", "unknown", "usb-bot",
             findings=["bridge-implausible:info", "medium-unknown:info",
                       "usb-quirk-cost:info"],
             why="The injected rotational=0 is part of a string. A vendor that begins with "
             "a backtick is none, and no more than info: nothing else is impossible.")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")


@captured("6.1", "Attributes that are there and empty, or only blanks.")
def empty_attributes(m):
    board(m)
    disk = nvme.pcie_disk(m, nvme_function(m), 0, NVME, 0)
    for name in ("queue/rotational", "queue/read_ahead_kb", "queue/nr_requests",
                 "queue/scheduler", "queue/optimal_io_size", "queue/zoned", "size"):
        disk.raw(name, "")
    disk.set({"queue/max_sectors_kb": "   ", "removable": "", "wwid": "", "nsid": " "})
    ctrl = m.blocks["/devices/pci0000:00/0000:00:1d.0/nvme/nvme0"]
    ctrl.raw("model", "").raw("serial", "\n").raw("firmware_rev", "        \n")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")


@captured("6.1", "Numbers that are none: (null), <unknown>, -1, overflowing, hex, signs.")
def nonsense_numbers(m):
    board(m)
    hba = ahci(m)
    disk = ata.disk(m, hba, "sda", 1, 0, PLAIN)
    disk.set({"queue/read_ahead_kb": "-1", "queue/nr_requests": "(null)",
              "queue/max_sectors_kb": "<unknown>", "diskseq": "-1",
              "queue/optimal_io_size": "18446744073709551616",
              "queue/physical_block_size": "0x200", "queue/minimum_io_size": "512k",
              "size": "99999999999999999999999999", "removable": "maybe"})
    host_ = m.blocks[f"{hba.path}/ata1/host0/scsi_host/host0"]
    host_.set({"can_queue": "(null)", "ahci_host_caps": "<unknown>"})
    m.blocks[disk.path.split("/block/")[0]].set({"queue_depth": "-1", "type": "+0"})
    m.blocks[f"{hba.path}/ata1/ata_port/ata1"].set({"port_no": "4294967297",
                                                   "nr_pmp_links": "-3"})
    m.blocks[f"{hba.path}/ata1/link1/ata_link/link1"].set({"sata_spd": "99 Zbps"})
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "*",
             why="IDENTIFY still speaks for class and medium. NCQ: the drive has it, depth "
             "and host are unknown; neither ncq-off nor readahead findings may follow "
             "from nonsense.")


@captured("6.1", "A model of 5 KiB, in the NVMe controller and in a USB product string.")
def long_model(m):
    board(m)
    ssd = Ssd("A" * 5120, "S" * 300, "F" * 100, 1953525168)
    nvme.pcie_disk(m, nvme_function(m), 0, ssd, 0)
    xhci = "/devices/pci0000:00/0000:00:14.0"
    host.pci(m, xhci, "0x0c0330", "8086:8c31", "xhci_hcd")
    usb.disk(m, xhci, 2, 1, "sda", 1, usb.Gadget("abcd", "1234", "M" * 5120, "P" * 5120,
             "S" * 5120, ("USB", "DISK", "1.0"), 1048576, removable=1))
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("sda", "usb-flash", "usb", "unknown", "usb-bot",
             findings=["bridge-implausible:info"],
             why="A serial number of one repeated character.")


@captured("6.1", "The release of the kernel, and the list of CPUs, as long as a page.")
def long_release(m):
    board(m)
    m.file("/proc/sys/kernel/osrelease", "6" * 3000 + "\n")
    m.file("/sys/devices/system/cpu/online", "0-" * 2000 + "\n")
    m.file("/proc/uptime", "1" * 3000 + "\n")
    nvme.pcie_disk(m, nvme_function(m), 0, Ssd("FAST NVME", "PSEUDO01", "1", 1953525168), 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")


def identify_disk(m, change):
    board(m)
    hba = ahci(m)
    disk = ata.disk(m, hba, "sda", 1, 0, PLAIN)
    without_pages(m, disk)
    device = m.blocks[f"{hba.path}/ata1/link1/dev1.0/ata_device/dev1.0"]
    device.raw("id", change(device.get("id")))
    disk.prop({key: None for key in list(disk.props) if key.startswith("ID_ATA_")})


IDENTIFY_GONE = ("Words 76 and 217 are unknown: SATA by the ahci driver and its link speed; "
                 "no medium. queue_depth 32 shows that NCQ is on.")


@captured("6.1", "IDENTIFY cut off after three lines (24 words), no VPD pages.")
def identify_truncated(m):
    identify_disk(m, lambda text: "\n".join(text.split("\n")[:3]) + "\n")
    m.expect("sda", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info"], IDENTIFY_GONE)


@captured("6.1", "IDENTIFY with words that are no hex numbers, no VPD pages.")
def identify_not_hex(m):
    def change(text):
        lines = text.split("\n")
        lines[9] = "xyzw " * 7 + "xyzw"
        lines[27] = "0001 -001 0x01 1g00 ffff0 1 0001 000"
        return "\n".join(lines) + "\n"
    identify_disk(m, change)
    m.expect("sda", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info"], IDENTIFY_GONE)


@captured("6.1", "IDENTIFY empty, as libata prints it for a port multiplier's own device.")
def identify_empty(m):
    identify_disk(m, lambda text: "")
    m.expect("sda", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info"], IDENTIFY_GONE)


@captured("6.1", "VPD pages too short to hold what they promise.")
def vpd_short(m):
    guest.qemu(m)
    root = guest.virtio_scsi(m, "07", 3, 0)
    for lun, (name, page) in enumerate((("sda", b""), ("sdb", b"\0\xb1\0\x3c\0"),
                                        ("sdc", b"\0\xb0\0\x3c\0\1\0\0"),
                                        ("sdd", b"\0\xb1\0\1\0\1"))):
        guest.scsi_disk(m, root, f"0:0:0:{lun}", name, ("QEMU", "QEMU HARDDISK", "2.5+"),
                        1048576, None, f"vscsi{lun}")
        sdev = m.blocks[f"{root}/target0:0:0/0:0:0:{lun}"]
        sdev.hex("vpd_pgb1", page)
        m.expect(name, "virtual-disk", "virtio", "*" if name == "sdd" else "unknown",
                 "paravirtual",
                 findings=["*"] if name == "sdd" else ["medium-unknown:info"], why={
                     "sda": "Empty page.", "sdb": "Ends within the rate.",
                     "sdc": "The header says page 0xB0.",
                     "sdd": "Rate 1, beyond the length the header states."}[name])


@captured("6.1", "A disk without its queue folder (device going away).")
def no_queue_folder(m):
    board(m)
    nvme.pcie_disk(m, nvme_function(m), 0, NVME, 0).drop("queue/", "mq/")
    disk = ata.disk(m, ahci(m), "sda", 1, 0, PLAIN)
    disk.drop("queue/", "mq/")
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")


@captured("6.1", "A disk of which nothing but its own folder is left: the device link "
          "dangles, no parent exists.")
def vanished_parents(m):
    board(m)
    path = "/devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1"
    disk = block.disk(m, path, 1953525168, (259, 0))
    block.queue(m, disk, scheduler="none", nr_requests=1023)
    disk.link_text("device", "../../nvme0-gone")
    m.expect("nvme0n1", "unknown", "unknown", "unknown", "unknown",
             findings=["medium-unknown:info"],
             why="A kernel name and a folder name are no evidence.")


@captured("6.1", "The ata_device, ata_link and scsi_host folders are missing.")
def ata_without_classes(m):
    board(m)
    hba = ahci(m)
    disk = ata.disk(m, hba, "sda", 1, 0, PLAIN)
    without_pages(m, disk)
    disk.prop({key: None for key in list(disk.props) if key.startswith("ID_ATA_")})
    for part in ("link1/dev1.0/ata_device/dev1.0", "link1/ata_link/link1",
                 "host0/scsi_host/host0", "ata_port/ata1"):
        del m.blocks[f"{hba.path}/ata1/{part}"]
    m.expect("sda", "sata-disk", "sata", "unknown", "ahci", "on",
             ["medium-unknown:info"],
             "libata by the path, SATA by the driver ahci, NCQ by queue_depth 32.")


def loop_of(m, names):
    """dm devices, each over the next, the last over the first."""
    tops = [stack.dm(m, index, name, f"pseudo-{name}", [], 2048)
            for index, name in enumerate(names)]
    for index, top in enumerate(tops):
        stack.join(top, [tops[(index + 1) % len(tops)]])


@captured("6.1", "dm-0 over dm-1 over dm-0.")
def slaves_loop(m):
    board(m)
    loop_of(m, ("first", "second"))
    for name in ("dm-0", "dm-1"):
        m.expect(name, "stacked", "dm", "unknown", "stacked")


@captured("6.1", "dm-0 over itself, and dm-1 over a device that is gone.")
def slaves_self_and_dangling(m):
    board(m)
    loop_of(m, ("self",))
    top = stack.dm(m, 1, "orphan", "pseudo-orphan", [], 2048)
    top.link_text("slaves/sdz1", "../../../../pci0000:00/0000:00:1f.2/gone/sdz/sdz1")
    for name in ("dm-0", "dm-1"):
        m.expect(name, "stacked", "dm", "unknown", "stacked")


@captured("6.1", "A stack of forty dm devices over an NVMe disk.")
def deep_stack(m):
    board(m)
    below = nvme.pcie_disk(m, nvme_function(m), 0, NVME, 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    for level in range(40):
        below = stack.dm(m, level, f"level{level}", f"pseudo-level{level}", [below],
                         1953525168 - level)
        m.expect(f"dm-{level}", "stacked", "dm", "flash" if level < 4 else "*", "stacked",
                 why="Deeper ones may be beyond a limit: then unknown, never a crash."
                 if level == 4 else None)


@captured("6.1", "Eight levels of two dm devices, each over both of the level below: 2^8 "
          "ways to one leaf.")
def stack_diamonds(m):
    board(m)
    leaf = nvme.pcie_disk(m, nvme_function(m), 0, NVME, 0)
    m.expect("nvme0n1", "nvme-ssd", "nvme", "flash", "nvme-pcie")
    pair = [leaf]
    for level in range(8):
        pair = [stack.dm(m, 2 * level + side, f"d{level}{side}", f"pseudo-{level}-{side}",
                         pair, 2048) for side in (0, 1)]
    for minor in range(16):
        m.expect(f"dm-{minor}", "stacked", "dm", "flash" if minor < 4 else "*", "stacked",
                 why="A naive walk takes 2^8 ways to one leaf." if minor == 4 else None)


@captured("6.1", "rotational=2 and other flags that are neither 0 nor 1.")
def rotational_two(m):
    guest.qemu(m)
    guest.virtio_blk(m, "06", 2, "vda", 1048576).set({"queue/rotational": 2})
    guest.virtio_blk(m, "07", 3, "vdb", 1048576).set({"queue/rotational": "yes"})
    disk = ata.disk(m, guest.qemu_ahci(m), "sda", 1, 0,
                    guest.qemu_drive("QM00001", 1, True))
    disk.set({"queue/rotational": 2, "hidden": 7, "removable": -1, "ro": "no"})
    m.expect("vda", "virtual-disk", "virtio", "unknown", "paravirtual",
             why="A flag that is none is unknown: what it misleads to could not be checked.")
    m.expect("vdb", "virtual-disk", "virtio", "unknown", "paravirtual")
    m.expect("sda", "virtual-disk", "sata", "flash", "emulated-ahci", "on",
             why="Word 217 is 1.")


@captured("6.12", "Scheduler lines: empty, plain none, unknown, two brackets, none in them.")
def scheduler_odd(m):
    guest.qemu(m)
    lines = ("", "none", "[quantum] none", "[none] [mq-deadline]", "none mq-deadline",
             "[] none", "[mq-deadline none", "[" + "x" * 600 + "] none")
    for index, line in enumerate(lines):
        name = f"vd{chr(ord('a') + index)}"
        disk = guest.virtio_blk(m, f"{index + 5:02x}", index, name, 1048576)
        disk.set({"queue/scheduler": line}) if line else disk.raw("queue/scheduler", "")
        m.expect(name, "virtual-disk", "virtio", "unknown", "paravirtual",
                 findings=["medium-unknown:info"],
                 why="No line here names a scheduler that is unfit beyond doubt."
                 if index == 0 else None)


@captured("6.1", "A SATA disk that claims to hang on everything at once: contradictory "
          "classes, drivers and properties.")
def contradictions(m):
    board(m)
    hba = ahci(m)
    disk = ata.disk(m, hba, "sda", 1, 0, PLAIN)
    disk.prop({"ID_BUS": "usb", "ID_USB_DRIVER": "uas", "ID_ATA_ROTATION_RATE_RPM": 7200,
               "ID_MODEL": "Amazon Elastic Block Store", "ID_CDROM": 1, "DM_NAME": "x",
               "ID_PATH": "pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0",
               "BLKADVISE_CLASS": "nvme-ssd"})
    disk.set({"queue/rotational": 1})
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on",
             why="Properties only enrich; sysfs decides.")


@captured("6.1", "Kernel name with an exclamation mark (a slash in /dev) and a very long one.")
def odd_names(m):
    board(m)
    for index, name in enumerate(("cciss!c0d0", "z" * 200)):
        disk = block.disk(m, f"/devices/virtual/block/{name}", 2048, (240, index))
        disk.prop({"DEVNAME": "/dev/" + name.replace("!", "/")})
        block.queue(m, disk, scheduler=None)
        m.expect(name, "unknown", "unknown", "unknown", "unknown",
                 findings=["medium-unknown:info"])


@captured("6.1", "Links that lead out of the tree and into a circle: driver, device.")
def links_outside(m):
    board(m)
    disk = nvme.pcie_disk(m, nvme_function(m), 0, NVME, 0)
    disk.link_text("device", "../../../../../../../../../../../../etc/passwd")
    sda = ata.disk(m, ahci(m), "sda", 1, 0, PLAIN)
    sda.link_text("slaves/self", "../../sda/slaves/self")
    sda.link_text("bdi", "/etc/shadow")
    m.blocks[sda.path.split("/block/")[0]].link_text("generic", "generic")
    m.expect("nvme0n1", "*", "*", "*", "*",
             why="The device link is a lie; the folder above is a real controller. Either "
             "view is fair, a read outside the root is not.")
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
