#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Garbage in an attribute crashes nothing and makes no finding of severity error.

    test-garbage.py [CAPTURES]

Each attribute that the corpus knows is filled with each kind of garbage, in all blocks of
a capture that have it, on CAPTURES (2) captures each, the same ones in each run.
"""

import collections
import hashlib
import re
import sys

import corpus

HUGE = [b"18446744073709551615\\n", b"99999999999999999999999999\\n"]
GARBAGE = [b"", b" ", b"x" * 4096, b"-1\\n", b"(null)\\n", b"<unknown>\\n",
           b"\\377\\376\\001\\033[31m\\200", b"0\\n\\n1\\n", b"%s%n%s%n", *HUGE]
# What bridge-implausible looks at: there garbage is the finding.
GROUNDS = {("size", "bridge-implausible"), ("vendor", "bridge-implausible"),
           ("model", "bridge-implausible"), ("serial", "bridge-implausible"),
           ("idVendor", "bridge-implausible"), ("product", "bridge-implausible"),
           ("manufacturer", "bridge-implausible"), ("wwid", "bridge-implausible")}


def is_ground(kind, finding, value):
    """Whether it is no wonder that @value makes that finding."""
    if kind[1] == "remapped_nvme":
        return value in (b"1\\n", b"2\\n", b"3\\n")  # so many there can be
    return (kind[1], finding) in GROUNDS


def kind_of(capture, path):
    """The attribute's name, with its subsystem: what the rounds go over."""
    block = capture.block_of(path)
    if not block:
        return ("file", re.sub(r"/[0-9][^/]*/", "/N/", path))
    name = path.removeprefix(block + "/")
    return (capture.subsystems[block], re.sub(r"\d+", "N", name))


def kinds(sources):
    """(subsystem, attribute) to the captures that have it."""
    found = {}
    for source in sources:
        capture = corpus.Capture(source)
        for path in capture.places:
            if not isinstance(path, str) or path.startswith("/sys/class/dmi/"):
                continue
            if capture.lines[capture.places[path]][:1] != b"L":
                found.setdefault(kind_of(capture, path), set()).add(source)
    return found


def pick(kind, sources, n):
    """Some captures, always the same ones."""
    def order(source):
        return hashlib.sha256(f"{kind} {corpus.name_of(source)}".encode()).digest()
    return sorted(sources, key=order)[:n]


def others(capture, path):
    """Values of other attributes of that block, as the garbage that looks best."""
    block = capture.block_of(path)
    if not block:
        return []
    own = capture.value(path)
    values = sorted({capture.value(other) for other in capture.places
                     if isinstance(other, str) and other.startswith(block + "/")
                     and capture.lines[capture.places[other]][:1] == b"A"} - {own})
    return values[:: max(1, len(values) // 3)][:3]


def errors(disks):
    return {key for key, finding in corpus.findings(disks).items()
            if finding["severity"] == "error"}


def attempt(capture, before, kind, paths, value):
    """A list of complaints about one kind of garbage in one attribute."""
    try:
        disks = corpus.diagnose(capture.changed({path: value for path in paths}))
    except corpus.Failure as failure:
        return [str(failure)]
    new = errors(disks) - before
    return [f"{disk or 'the machine'}: {finding}" for disk, finding in sorted(new)
            if not is_ground(kind, finding, value)]


def examine(job):
    kind, source = job
    capture, complaints, counts = corpus.Capture(source), [], collections.Counter()
    try:
        before = errors(corpus.diagnose(b"\n".join(capture.lines)))
    except corpus.Failure as failure:
        return counts, [f"{corpus.name_of(source)}: {failure}"]
    paths = [path for path in capture.places if isinstance(path, str)
             and not path.startswith("/sys/class/dmi/") and kind_of(capture, path) == kind]
    for value in GARBAGE + others(capture, paths[0]):
        counts["rounds"] += 1
        complaints += [f"{corpus.name_of(source)}: {' '.join(kind)}={value[:40]!r}: {text}"
                       for text in attempt(capture, before, kind, paths, value)]
    return counts, complaints


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    jobs = [(kind, source) for kind, having in sorted(kinds(corpus.sources()).items())
            for source in pick(kind, having, n)]
    counts, complaints = corpus.each(examine, jobs)
    for complaint in complaints:
        print(complaint)
    print(f"{counts['rounds']} rounds of garbage, {len(complaints)} complaints")
    return 1 if complaints or counts["rounds"] < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
