# SPDX-License-Identifier: MIT
"""A capture read without the agent, and made into a tree of files for --root."""

import os
import re

SYSFS_BUSES = {"pci", "scsi", "usb", "virtio", "mmc", "nd", "vmbus", "xen", "platform",
               "rbd"}
UEVENT_KEYS = ["MAJOR", "MINOR", "DEVNAME", "DEVTYPE", "DISKSEQ", "PARTN", "NVME_TRTYPE",
               "PCI_CLASS", "PCI_ID", "PCI_SLOT_NAME"]
ESCAPES = {"n": b"\n", "r": b"\r", "t": b"\t", "b": b"\b", "f": b"\f", "v": b"\v"}


def unescape(text):
    """Undoes glib's strescape(); text is latin-1, one character a byte."""
    def one(match):
        code = match.group(1)
        if code[0] in "01234567":
            return chr(int(code, 8) & 0xff)
        return ESCAPES.get(code, code.encode("latin-1")).decode("latin-1")
    return re.sub(r"\\([0-7]{1,3}|.)", one, text).encode("latin-1")


class Block:
    def __init__(self, path):
        self.path = path
        self.nodes, self.symlinks = [], []
        self.props, self.attrs, self.links, self.modes = {}, {}, {}, {}


class Machine:
    """files: absolute path to bytes; blocks: devpath (with /sys) to Block."""

    def __init__(self, text):
        self.files, self.blocks = {}, {}
        block = None
        for line in text.decode("latin-1").split("\n"):
            letter, rest = line[:1], line[3:]
            name, _, value = rest.partition("=")
            if letter == "P":
                block = self.blocks["/sys" + rest] = Block("/sys" + rest)
            elif letter == "F":
                self.files[name] = unescape(value)
            elif letter == "N":
                block.nodes.append(name)
            elif letter == "S":
                block.symlinks.append(name)
            elif letter == "E":
                block.props[name] = value
            elif letter == "A":
                block.attrs[name] = unescape(value)
            elif letter == "H":
                block.attrs[name] = bytes.fromhex(value)
            elif letter == "L":
                block.links[name] = value
            elif letter == "M":
                block.modes[name] = int(value, 8)


def put(path, content, mode=0o444):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)


def link(path, target):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.lexists(path):
        os.symlink(target, path)


def link_to(root, path, target):
    """A relative link at root/path to root/target, as sysfs has them."""
    link(root + path, os.path.relpath(root + target, os.path.dirname(root + path)))


def uevent(block):
    lines = []
    for key in UEVENT_KEYS:
        value = block.props.get(key)
        if value is not None:
            lines.append(f"{key}={value.removeprefix('/dev/')}\n")
    return "".join(lines).encode("latin-1")


def put_block(root, block):
    folder = root + block.path
    os.makedirs(folder, exist_ok=True)
    for name, content in block.attrs.items():
        put(f"{folder}/{name}", content, block.modes.get(name, 0o644))
    for name, target in block.links.items():
        link(f"{folder}/{name}", target)
    if "uevent" not in block.attrs:
        put(f"{folder}/uevent", uevent(block), 0o644)
    for node in block.nodes:
        for symlink in block.symlinks:
            link_to(root, f"/dev/{symlink}", f"/dev/{node}")
    put_derived(root, block)


def put_derived(root, block):
    """What the driver core adds: subsystem, class and bus folders, numbers."""
    subsystem, name = block.props.get("SUBSYSTEM"), block.path.rsplit("/", 1)[1]
    if not subsystem:
        return
    if subsystem in SYSFS_BUSES:
        home, entry = f"/sys/bus/{subsystem}", f"/sys/bus/{subsystem}/devices/{name}"
    else:
        home, entry = f"/sys/class/{subsystem}", f"/sys/class/{subsystem}/{name}"
    os.makedirs(root + home, exist_ok=True)
    link_to(root, f"{block.path}/subsystem", home)
    link_to(root, entry, block.path)
    if subsystem != "block":
        return
    numbers = [block.props.get("MAJOR"), block.props.get("MINOR")]
    if None not in numbers:
        link_to(root, "/sys/dev/block/" + ":".join(numbers), block.path)
        if "dev" not in block.attrs:
            put(f"{root}{block.path}/dev", (":".join(numbers) + "\n").encode())
    if block.props.get("DEVTYPE") != "partition":
        link_to(root, f"/sys/block/{name}", block.path)


def materialise(machine, root):
    for path, content in machine.files.items():
        put(root + path, content)
    for block in machine.blocks.values():
        put_block(root, block)
