#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Composes the corpus of captured machines.

    compose.py              writes every capture, expectation and README's tables
    compose.py NAME...      writes those only
    compose.py --check      compares instead of writing; exit 1 where files differ or a
                            public report is neither a case nor excused
    compose.py --list       prints name and title of every machine

The plain text files are what the tests read and what a reviewer reviews; this
program only saves typing.  A capture may as well be written or recorded by hand.
"""

import argparse
import glob
import os
import sys

import machines
from kit import capture, malformed, reports

HERE = os.path.dirname(os.path.abspath(__file__))
# The order of README's tables; files that are not named here follow.
GROUPS = ("sata", "faults", "nvme", "scsi", "usb", "mmc", "guest", "stack", "virtual",
          "zoned", "hostile")


def load():
    files = glob.glob(os.path.join(HERE, "machines", "[a-z]*.py"))
    names = {os.path.basename(path).removesuffix(".py") for path in files}
    for group in [name for name in GROUPS if name in names] + sorted(names - {*GROUPS}):
        __import__(f"machines.{group}")


def outputs(names):
    """Yields (path, bytes) of every file of the chosen machines."""
    for build in machines.BUILDERS:
        if names and build.name not in names:
            continue
        machine = build()
        base = os.path.join(HERE, machine.folder, machine.name)
        yield f"{base}.capture", machine.capture()
        yield f"{base}.expect", machine.expectation()
    if not names:
        yield os.path.join(HERE, "README.md"), readme()
    for name, data in malformed.files():
        if not names or name.removesuffix(".capture") in names:
            yield os.path.join(HERE, "hostile", name), data


def readme():
    """README.md with its tables, each of which stands between two marks."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    made = [build() for build in machines.BUILDERS]
    cases = sorted((one for one in made if one.folder == "cases"),
                   key=lambda one: one.name)
    for mark, head, rows in (
            ("machines", "capture | kernel | machine | source",
             [(one.name, one.kernel, one.title, one.source)
              for one in made if not one.folder]),
            ("healthy", "capture | kernel | machine | source",
             [(one.name, one.kernel, one.title, one.source)
              for one in made if one.folder == "healthy"]),
            ("cases", "capture | kernel | machine | from the report",
             [(one.name, one.kernel, one.title,
               one.source.removeprefix(f"cases.jsonl {one.name}: ")) for one in cases]),
            ("dissent", "case | why we expect something else",
             [(one.name, one.dissent) for one in cases if one.dissent]),
            ("not-expressed", "case | why no capture can express it",
             sorted(reports.NOT_EXPRESSED.items())),
            ("hostile", "capture | kernel | machine | source",
             [(one.name, one.kernel, one.title, one.source)
              for one in made if one.folder == "hostile"])):
        text = with_table(text, mark, head, rows)
    return text.encode()


def with_table(text, mark, head, rows):
    lines = [f"| {head} |", "|---" * (head.count("|") + 1) + "|"]
    lines += ["| " + " | ".join(cell(part) for part in row) + " |" for row in rows]
    begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
    before, rest = text.split(begin)
    return before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1]


def unaccounted():
    """The cases that are neither composed nor named as impossible."""
    composed = {build.name for build in machines.BUILDERS if build.folder == "cases"}
    return sorted(set(reports.URL) - composed - set(reports.NOT_EXPRESSED))


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
    for name in unaccounted() if options.check else ():
        print(f"{name}: neither composed nor in reports.NOT_EXPRESSED", file=sys.stderr)
        stale = 1
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
