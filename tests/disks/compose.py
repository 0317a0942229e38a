#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Composes the corpus of captured machines.

    compose.py              writes every capture, expectation and README's tables
    compose.py NAME...      writes those only
    compose.py --check      compares instead of writing; exit 1 where files differ
    compose.py --list       prints name and title of every machine

The plain text files are what the tests read and what a reviewer reviews; this
program only saves typing.  A capture may as well be written or recorded by hand.
"""

import argparse
import os
import sys

import machines
from kit import capture, malformed

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = ("sata", "nvme", "scsi", "usb", "mmc", "guest", "stack", "virtual", "zoned",
          "hostile")


def load():
    for group in GROUPS:
        if os.path.exists(os.path.join(HERE, "machines", f"{group}.py")):
            __import__(f"machines.{group}")


def outputs(names):
    """Yields (path, bytes) of every file of the chosen machines."""
    for build in machines.BUILDERS:
        if names and build.name not in names:
            continue
        machine = build()
        folder = "hostile" if build.hostile else ""
        base = os.path.join(HERE, folder, machine.name)
        yield f"{base}.capture", machine.capture()
        yield f"{base}.expect", machine.expectation()
    if not names:
        yield os.path.join(HERE, "README.md"), readme()
    for name, data in malformed.files():
        if not names or name.removesuffix(".capture") in names:
            yield os.path.join(HERE, "hostile", name), data


def readme():
    """README.md with its tables of machines, which stand between two marks."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    for mark, hostile in (("machines", False), ("hostile", True)):
        rows = ["| capture | kernel | machine | source |", "|---|---|---|---|"]
        for build in machines.BUILDERS:
            if build.hostile == hostile:
                made = build()
                rows.append(f"| {made.name} | {made.kernel} | {cell(made.title)} | "
                            f"{cell(made.source)} |")
        begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
        head, rest = text.split(begin)
        text = head + begin + "\n".join(rows) + "\n" + end + rest.split(end)[1]
    return text.encode()


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def differs(path, data):
    try:
        with open(path, "rb") as file:
            return file.read() != data
    except FileNotFoundError:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    load()
    if options.list:
        for build in machines.BUILDERS:
            print(f"{build.name:32} {build().title}")
        return 0
    stale = 0
    for path, data in outputs(options.names):
        if not differs(path, data):
            continue
        if options.check:
            print(f"{os.path.relpath(path)}: differs from what compose.py composes",
                  file=sys.stderr)
            stale = 1
        else:
            capture.write(path, data)
    return stale


if __name__ == "__main__":
    sys.exit(main())
