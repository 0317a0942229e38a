#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The advice for a file with Python's standard library. Whatever is missing or not
understood means: keep your default.

usage: reader.py FILE [ROOT]; ROOT is put before /sys and /run.
"""
import os
import stat
import sys


def read(path):
    try:
        with open(path, encoding="ascii", errors="replace", newline="\n") as file:
            return file.read(65536)
    except OSError:
        return ""


def find_record(path, root):
    """The record's text; "" if the disk has none."""
    if not os.path.lexists(path):
        path = os.path.dirname(path.rstrip("/")) or "."
    st = os.stat(path)
    number = st.st_rdev if stat.S_ISBLK(st.st_mode) else st.st_dev
    dev = f"{os.major(number)}:{os.minor(number)}"
    disk = f"{root}/sys/dev/block/{dev}"
    if os.path.exists(disk + "/partition"):
        disk += "/.."  # a partition's folder lies in its disk's
    dev = read(disk + "/dev").strip() or dev
    return read(f"{root}/run/blkadvise/disks/{dev}"), read(disk + "/diskseq").strip()


def parse(text):
    values = {}
    for line in text.split("\n")[:-1]:  # whole lines only
        key, _, value = line.partition("=")
        if key.startswith("BLKADVISE_") and value:
            values.setdefault(key[len("BLKADVISE_"):], value)
    return values


def main():
    root = sys.argv[2] if len(sys.argv) > 2 else ""
    text, diskseq = find_record(sys.argv[1], root)
    values = parse(text)
    # Another sequence number: left by a disk that was here before.
    stale = diskseq and values.get("DISKSEQ", diskseq) != diskseq
    if not text or stale or values.get("FORMAT", "1") != "1":
        print("mode=default")
        return
    mode = values.get("RANDOM_EXCEEDS_IO_MODE")
    depth = values.get("RANDOM_EXCEEDS_DEPTH", "")
    hint = values.get("RANDOM_EXCEEDS_HINT")
    mode = mode if mode in ("direct", "buffered", "mmap") else "default"
    depth = depth if depth.isascii() and depth.isdecimal() else "default"
    hint = hint if hint in ("normal", "random", "sequential", "willneed") else "default"
    print(f"mode={mode} depth={depth} hint={hint}")


if __name__ == "__main__":
    main()
