# SPDX-License-Identifier: MIT
"""Captures as lines that can be taken away or changed, and what diagnose says of them."""

import collections
import glob
import json
import multiprocessing
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DISKS = os.path.join(HERE, "..", "disks")
COMMAND = os.environ.get("BLKADVISE", "blkadvise")
RULES = os.environ.get("BLKADVISE_RULES", os.path.join(HERE, "..", "..", "rules"))
SANITIZER = re.compile(rb"Sanitizer|runtime error:")
ALLOWED_CODES = (0, 10)


def sources():
    """Every capture of the corpus but the hostile ones, which have tests of their own."""
    found = [path for path in glob.glob(f"{DISKS}/**/*.capture", recursive=True)
             if "/hostile/" not in path]
    assert found, DISKS
    return sorted(found)


def name_of(source):
    return os.path.relpath(source, DISKS).removesuffix(".capture")


class Capture:
    """places: absolute path, or (path of a block, udev property), to the line's number."""

    def __init__(self, source):
        with open(source, "rb") as file:
            self.lines = file.read().split(b"\n")
        self.places, self.subsystems = {}, {}
        block = None
        for number, line in enumerate(self.lines):
            letter, name = line[:1], line[3:].partition(b"=")[0].decode("latin-1")
            if letter == b"P":
                block = f"/sys{name}"
            elif letter == b"F":
                self.places[name] = number
            elif letter in (b"A", b"H", b"L"):
                self.places[f"{block}/{name}"] = number
            elif letter == b"E":
                self.places[(block, name)] = number
                if name == "SUBSYSTEM":
                    self.subsystems[block] = line.partition(b"=")[2].decode("latin-1")
        for path in [path for path in self.places if isinstance(path, str)]:
            folder, _, name = path.rpartition("/")
            if self.subsystems.get(folder) == "dmi":
                self.places[f"/sys/class/dmi/id/{name}"] = self.places[path]

    def block_of(self, path):
        """The block that the attribute @path belongs to."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self.subsystems:
            folder = folder.rpartition("/")[0]
        return folder or None

    def value(self, path):
        return self.lines[self.places[path]].partition(b"=")[2]

    def without(self, places):
        """The capture without these lines, and without the modes of their attributes."""
        gone = {self.places[place] for place in places}
        for number in list(gone):
            mode = b"M: " + self.lines[number][3:].partition(b"=")[0] + b"="
            while self.lines[number]:  # an empty line ends the block
                number += 1
                if number < len(self.lines) and self.lines[number].startswith(mode):
                    gone.add(number)
        return b"\n".join(line for number, line in enumerate(self.lines)
                          if number not in gone)

    def changed(self, changes):
        """@changes: path to the new text behind '='; a binary attribute becomes a text."""
        lines = list(self.lines)
        for place, value in changes.items():
            number = self.places[place]
            head = lines[number].partition(b"=")[0]
            if head.startswith(b"H: "):
                head = b"A: " + head[3:]
            lines[number] = head + b"=" + value
        return b"\n".join(lines)


class Failure(Exception):
    pass


def run(text, *args, codes=ALLOWED_CODES):
    with tempfile.NamedTemporaryFile(prefix="blkadvise-property-") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([COMMAND, f"--rules={RULES}", f"--from={file.name}", *args],
                              capture_output=True, timeout=60, check=False)
    if done.returncode not in codes or SANITIZER.search(done.stderr):
        raise Failure(f"exit {done.returncode}: {done.stderr[-2000:]!r}")
    return done.stdout


def diagnose(text, *args):
    """The findings of each disk, and those of the machine under the name ""."""
    told = json.loads(run(text, "diagnose", "--all", "--json", *args).decode("latin-1"))
    disks = {disk["name"]: disk for disk in told["disks"]}
    if "machine" in told:
        disks[""] = told["machine"]
    return disks


def findings(disks, result="found"):
    """(disk, id) to finding."""
    return {(name, finding["id"]): finding for name, disk in disks.items()
            for finding in disk["findings"] if finding["result"] == result}


def each(work, items):
    """@work of each item, in several processes: the sum of counts, and all complaints."""
    counts, complaints = collections.Counter(), []
    with multiprocessing.Pool(min(4, os.cpu_count() or 1)) as pool:
        for some, more in pool.imap(work, items, chunksize=4):
            counts += some
            complaints += more
    return counts, complaints
