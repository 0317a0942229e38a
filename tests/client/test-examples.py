#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The readers of docs/examples give the same answer on the same tree.

usage: test-examples.py PROGRAM...
"""
import os
import shutil
import subprocess
import sys
import tempfile

RECORD = """BLKADVISE_FORMAT=1
BLKADVISE_DEVNUM=8:32
BLKADVISE_DISKSEQ=9
BLKADVISE_RANDOM_FITS_IO_MODE=mmap
BLKADVISE_RANDOM_EXCEEDS_IO_MODE=direct
BLKADVISE_RANDOM_EXCEEDS_DEPTH=32
BLKADVISE_RANDOM_EXCEEDS_DEPTH_LATENCY=8
BLKADVISE_RANDOM_EXCEEDS_HINT=random
"""
GOOD = "mode=direct depth=32 hint=random"
NONE = "mode=default"
KEEP = "mode=default depth=default hint=default"

# Name, what our file is on, the disk's record, the answer.
CASES = [
    ("disk", "disk", RECORD, GOOD),
    ("partition", "partition", RECORD, GOOD),
    ("stack", "stack", RECORD, GOOD),
    ("device that sysfs does not know", "nothing", RECORD, GOOD),
    ("no sysfs", "no sysfs", RECORD, GOOD),
    ("kernel without diskseq", "no diskseq", RECORD, GOOD),
    ("no record", "disk", None, NONE),
    ("no record of a stack", "stack", None, NONE),
    ("folder in place of a record", "disk", "folder", NONE),
    ("later format", "disk", RECORD.replace("FORMAT=1", "FORMAT=2"), NONE),
    ("stale record", "partition", RECORD.replace("SEQ=9", "SEQ=8"), NONE),
    ("no advice", "disk", "BLKADVISE_FORMAT=1\n", KEEP),
    ("unknown words", "disk",
     RECORD.replace("=direct", "=uring").replace("=random", "=maybe"),
     "mode=default depth=32 hint=default"),
    ("no number", "disk", RECORD.replace("=32", "=-1"),
     "mode=direct depth=default hint=random"),
    ("empty values", "disk", RECORD.replace("=direct", "=").replace("=32", "="),
     "mode=default depth=default hint=random"),
    ("cut in the middle", "disk", RECORD[:-3],
     "mode=direct depth=32 hint=default"),
    ("CRLF", "disk", RECORD.replace("\n", "\r\n")[len("BLKADVISE_FORMAT=1\r\n"):]
     .replace("BLKADVISE_DISKSEQ=9\r\n", ""), KEEP),
    ("keys twice", "disk", RECORD + RECORD.replace("=32", "=64"), GOOD),
    ("keys to come", "disk", "# comment\n\nFOO\n=\n" + RECORD + "BLKADVISE_X=y\n", GOOD),
]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="") as file:
        file.write(text)


def make_device(root, devnum, folder, attributes):
    full = f"{root}/sys/devices/{folder}"
    write(full + "/dev", devnum + "\n")
    for name, value in attributes.items():
        write(f"{full}/{name}", value + "\n")
    os.symlink(f"../../devices/{folder}", f"{root}/sys/dev/block/{devnum}")


def make_tree(root, kind, record, devnum):
    """@devnum is what our file is on; the record is that of its disk."""
    disk = devnum
    if kind != "no sysfs":
        os.makedirs(f"{root}/sys/dev/block")
    if kind == "disk":
        make_device(root, devnum, "pci0/block/sdc", {"diskseq": "9"})
    elif kind == "no diskseq":
        make_device(root, devnum, "pci0/block/sdc", {})
    elif kind == "partition":
        disk = "4095:32"
        make_device(root, disk, "pci0/block/sdc", {"diskseq": "9"})
        make_device(root, devnum, "pci0/block/sdc/sdc1", {"partition": "1"})
    elif kind == "stack":
        make_device(root, devnum, "virtual/block/dm-0", {"diskseq": "9"})
        make_device(root, "4095:32", "pci0/block/sdc", {"diskseq": "8"})
        os.makedirs(f"{root}/sys/devices/virtual/block/dm-0/slaves")
        os.symlink("../../../../pci0/block/sdc",
                   f"{root}/sys/devices/virtual/block/dm-0/slaves/sdc")
    path = f"{root}/run/blkadvise/disks/{disk}"
    if record == "folder":
        os.makedirs(path)
    elif record is not None:
        write(path, record)


def file_on_disk():
    for path in "/etc/hostname", "/etc/passwd", "/tmp", "/var/tmp", "/":
        if os.path.exists(path) and os.major(os.stat(path).st_dev) != 0:
            return path
    return None


def ask(program, path, root):
    result = subprocess.run([program, path, root], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        return f"exit {result.returncode}"
    return result.stdout.strip()


def check(name, programs, path, root, expected):
    failed = 0
    for program in programs:
        answer = ask(program, path, root)
        if answer != expected:
            print(f"{name}: {program} says '{answer}', not '{expected}'")
            failed += 1
    return failed


def main():
    programs = sys.argv[1:]
    path = file_on_disk()
    if not path:
        print("no file here is on a device with a number")
        return 77
    st = os.stat(path)
    devnum = f"{os.major(st.st_dev)}:{os.minor(st.st_dev)}"
    failed = 0
    for name, kind, record, expected in CASES:
        root = tempfile.mkdtemp(prefix="blkadvise-test-")
        try:
            make_tree(root, kind, record, devnum)
            failed += check(name, programs, path, root, expected)
            if os.path.isfile(path):
                new = os.path.join(os.path.dirname(path), "blkadvise-no-such-file")
                if os.stat(os.path.dirname(path)).st_dev == st.st_dev:
                    failed += check(name + ", new file", programs, new, root, expected)
        finally:
            shutil.rmtree(root)
    failed += check("a process", programs, "/proc/self", "", NONE)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
