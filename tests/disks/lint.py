#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks captures and expectations, composed or written by hand.

    lint.py [FILE.capture...]       default: all of this folder and of those below it

Each complaint names file and line; exit 1 where there is one.  What is checked
stands in README.md.  This is a second reader of the format, on purpose independent
of compose.py and of the agent's own.
"""

import glob
import os
import posixpath
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

WORDS = {
    "class": """nvme-ssd sata-ssd sata-hdd sata-disk sata-ssd-ide sata-hdd-ide
        sata-disk-ide pata-disk sas-ssd sas-hdd sas-disk raid-volume usb-ssd usb-hdd
        usb-disk usb-flash emmc sd-card virtual-disk cloud-volume san-lun network-disk
        zoned-hdd stacked memory optical unknown""",
    "transport": """sata ata sas fc iscsi usb nvme virtio mmc scsi xen hyperv nbd rbd
        loop ram zram pmem dm md bcache drbd unknown""",
    "medium": "rotational flash memory unknown",
    "attachment": """ahci ata-ide-mode pata sata-no-ncq hba raid-volume nvme-pcie
        nvme-platform nvme-fabrics usb-bot usb-uas emmc sd paravirtual emulated-ide
        emulated-ahci network stacked memory unknown""",
    "ncq": "on off unsupported none",
}
ORDER = [*WORDS, "findings"]

FINDINGS = set("""ata-ide-mode sata-no-ncq raid-class-ahci emulated-ide ncq-off ncq-bad-pair
    ncq-queue-fault sata-link-fault sata-link-slow sata-port-limit udma-slow
    link-power-risk port-multiplier pcie-link-degraded pcie-slot-limit nvme-remapped vmd
    usb-slow-mode usb-quirk-cost bridge-implausible medium-unknown smr-drive
    sd-no-command-queue readahead-from-io-opt io-opt-bogus readahead-false-rotational
    readahead-not-on-top readahead-unfit readahead-below-stripe transfer-size-small
    scheduler-unfit zoned-scheduler elevator-ignored setting-drifted rival-writer
    mixed-stack unequal-members iscsi-depth-one san-depth emulated-hba single-queue
    cloud-limits""".split())
SEVERITIES = {"info", "warn", "error"}
KMSG = re.compile(r"\[ *\d+\.\d{6}\] +\S")
CASE_HEAD = ("Source: cases.jsonl ", "Composed: ", "Report: http")


class Complaint(Exception):
    def __init__(self, line, text):
        super().__init__(text)
        self.line = line


def clean_path(path):
    return all(part not in ("", ".", "..") for part in path.split("/"))


def parse_line(number, line, block, files):
    letter, colon, rest = line[:1], line[1:3], line[3:]
    if colon != ": " or letter not in "PNSEAHLMF" or "\0" in line:
        raise Complaint(number, "no line of a capture")
    name, equals, value = rest.partition("=")
    if letter in "EAHLMF" and (not equals or not name):
        raise Complaint(number, "no NAME=VALUE")
    if letter == "F":
        if not name.startswith("/") or not clean_path(name[1:]) or name in files:
            raise Complaint(number, "F: path is not clean or stands twice")
        files.add(name)
        if name == "/dev/kmsg":
            check_kernel_log(number, value)
    elif letter in "AHL":
        if not clean_path(name) or name in block["attrs"]:
            raise Complaint(number, "attribute name is not clean or stands twice")
        if letter == "H" and not re.fullmatch("([0-9A-Fa-f]{2})*", value):
            raise Complaint(number, "H: needs pairs of hex digits")
        if letter == "A" and re.search(r"\\(?![n\\])", value.replace("\\\\", "")):
            raise Complaint(number, "only \\n and \\\\ are escapes")
        block["attrs"][name] = (letter, value, number)
    elif letter == "E":
        if name in block["props"]:
            raise Complaint(number, "property stands twice")
        block["props"][name] = value
    elif letter == "M" and (name not in block["attrs"]
                            or not re.fullmatch("0[0-7]{3}", value)):
        raise Complaint(number, "M: unknown attribute or no mode")


def check_kernel_log(number, value):
    """Lines as dmesg prints them, in the order of their stamps."""
    stamps = []
    for line in value.removesuffix("\\n").split("\\n"):
        if not KMSG.match(line):
            raise Complaint(number, f"no line of a kernel log: {line}")
        stamps.append(float(line[1:line.index("]")]))
    if stamps != sorted(stamps):
        raise Complaint(number, "the kernel log runs backwards")


def parse(text):
    """Blocks by path."""
    blocks, files, block = {}, set(), None
    if not text.endswith("\n"):
        raise Complaint(text.count("\n") + 1, "no newline at the end")
    for number, line in enumerate(text[:-1].split("\n"), 1):
        if line.startswith("#"):
            continue
        if not line:
            if block is None:
                raise Complaint(number, "empty line that ends no block")
            block = None
        elif line.startswith("P: "):
            path = line[3:]
            if block is not None or path in blocks:
                raise Complaint(number, "P: inside a block, or device stands twice")
            if not path.startswith("/devices/") or not clean_path(path[1:]):
                raise Complaint(number, "P: needs a clean path below /devices")
            block = blocks[path] = {"attrs": {}, "props": {}, "line": number}
        else:
            if block is None and not line.startswith("F: "):
                raise Complaint(number, "line outside a block")
            parse_line(number, line, block, files)
    return blocks


def check_links(blocks):
    """Links between devices must lead to a block, or to a folder above one."""
    known = set(blocks)
    for path, block in blocks.items():
        for name in block["attrs"]:
            known.add(posixpath.dirname(posixpath.join(path, name)))
    for path in list(known):
        while path != "/":
            path = posixpath.dirname(path)
            known.add(path)
    for path, block in blocks.items():
        for name, (letter, value, number) in block["attrs"].items():
            if letter != "L":
                continue
            folder = posixpath.dirname(posixpath.join("/sys", path[1:], name))
            target = posixpath.normpath(posixpath.join(folder, value))
            if not target.startswith("/sys/"):
                raise Complaint(number, "link leads out of /sys")
            if target.startswith("/sys/devices/") and target[4:] not in known:
                raise Complaint(number, f"link leads nowhere: {target}")


def check_names(blocks):
    """The folder of a class or bus holds each name once."""
    seen = set()
    for path, block in blocks.items():
        name = (block["props"].get("SUBSYSTEM"), posixpath.basename(path))
        if name in seen:
            raise Complaint(block["line"], f"{name[0]} has two devices {name[1]}")
        seen.add(name)


def disks_of(blocks):
    """Names of the whole disks that have a device number."""
    return {posixpath.basename(path) for path, block in blocks.items()
            if block["props"].get("SUBSYSTEM") == "block"
            and block["props"].get("DEVTYPE") == "disk" and "MAJOR" in block["props"]}


def check_findings(number, value, hostile):
    if value == "-" or value == "*" and hostile:
        return
    ids = []
    for word in value.split(","):
        name, _, severity = word.partition(":")
        if name not in FINDINGS or severity not in SEVERITIES:
            raise Complaint(number, f"no id:severity: {word}")
        ids.append(name)
    if ids != sorted(set(ids)):
        raise Complaint(number, f"findings are not sorted or stand twice: {value}")


def check_fields(number, fields, hostile):
    if [field.partition("=")[0] for field in fields] != ORDER:
        raise Complaint(number, "fields are not " + " ".join(ORDER))
    for field in fields:
        key, _, value = field.partition("=")
        if key == "findings":
            check_findings(number, value, hostile)
        elif value not in WORDS[key].split() and not (value == "*" and hostile):
            raise Complaint(number, f"{key}: unknown word: {value}")


def check_expectation(path, disks, hostile):
    seen = set()
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        disk, *fields = line.split(" ")
        if disk in seen or disk not in disks | {"machine"}:
            raise Complaint(number, f"{disk}: stands twice or is no disk of the capture")
        seen.add(disk)
        if disk == "machine":
            if len(fields) != 1 or not fields[0].startswith("findings="):
                raise Complaint(number, "the machine has findings and nothing else")
            check_findings(number, fields[0].removeprefix("findings="), hostile)
        else:
            check_fields(number, fields, hostile)
    if seen - {"machine"} != disks:
        raise Complaint(0, "no line for " + " ".join(sorted(disks - seen)))


def check_healthy(path):
    """A healthy machine has nothing worse than info."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("#") and re.search(":(warn|error)", line):
                raise Complaint(number, "a healthy machine has a finding above info")


def check_case_head(text):
    """A case says which report it is, what is from there, and what is not."""
    comments = "\n".join(line for line in text.split("\n") if line.startswith("# "))
    for label in CASE_HEAD:
        if f"\n# {label}" not in comments:
            raise Complaint(1, f"the head has no '{label}'")


def check(path):
    """Returns True if both files are right; prints the first complaint otherwise."""
    name = path
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
        blocks = parse(text)
        folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
        hostile = folder == "hostile"
        if not hostile:
            check_links(blocks)
            check_names(blocks)
        if folder == "cases":
            check_case_head(text)
        name = path.removesuffix(".capture") + ".expect"
        check_expectation(name, disks_of(blocks), hostile)
        if folder == "healthy":
            check_healthy(name)
    except Complaint as complaint:
        print(f"{os.path.relpath(name)}:{complaint.line}: {complaint}", file=sys.stderr)
        return False
    except OSError as error:
        print(f"{os.path.relpath(name)}: {error.strerror}", file=sys.stderr)
        return False
    return True


def main():
    chosen = sys.argv[1:]
    if not chosen:
        chosen = sorted(glob.glob(os.path.join(HERE, "**", "*.capture"),
                                  recursive=True))
        chosen = [path for path in chosen
                  if not os.path.basename(path).startswith("bad-")]
    return 0 if all([check(path) for path in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
