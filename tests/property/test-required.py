#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A finding without a fact that it requires is "could not check", never "ok".

    test-required.py REQUIRES

REQUIRES prints the facts that each check requires. Each finding of each capture is taken
in turn, and of it each required fact: the line that the fact came from is removed. Where
the fact is then known from elsewhere, that goes, too. What comes from no line (a disk's
name, a place in the tree) stays.
"""

import collections
import re
import subprocess
import sys

import corpus

# Where a fact stands, too, if not where its path says: attributes on the way to the disk,
# or files.
ELSEWHERE = {"kernel_log": ["/dev/kmsg"], "model": ["model", "vpd_pg89", "id", "name"],
             "ata_id_76": ["vpd_pg89"], "ata_id_217": ["vpd_pg89"]}
SOURCE = re.compile(r"    (\S+) = .*   \((/\S+|udev:\S+)\)$")
TRIES = 5


def required_facts():
    """(scope, id) to the facts."""
    text = subprocess.run([sys.argv[1]], capture_output=True, check=True).stdout.decode()
    rows = [line.split() for line in text.splitlines()]
    return {(row[0], row[1]): row[2:] for row in rows}


def paths_of_facts(text):
    """(disk, fact) to path, as `show --verbose` has them."""
    found, disk = {}, None
    for line in corpus.run(text, "show", "--all", "--verbose").decode("latin-1").split("\n"):
        if line and not line.startswith(" "):
            disk = line.strip()
        match = SOURCE.match(line)
        if match:
            found[disk, match.group(1)] = match.group(2)
    return found


def above_class(folder):
    """@folder, or the one to which its class device belongs."""
    yield folder
    match = re.match(r"(.*?)(/dev[0-9.]+)?/(ata_device|nvme|scsi_device)/[^/]+$", folder)
    if match:
        yield match.group(1).rpartition("/")[0] if "/link" in match.group(1) else match.group(1)


class Case:
    """One finding of one disk of one capture."""

    def __init__(self, capture, disks, key):
        self.capture, self.disks, self.key = capture, disks, key

    def places(self, disks, text, fact):
        """Where @fact of the disk stands in the capture."""
        path = next((item.get("path") for item in self.finding(disks).get("evidence", [])
                     if item["fact"] == fact and "disk" not in item), None)
        path = path or paths_of_facts(text).get((self.key[0], fact))
        syspath = self.disks[self.key[0]].get("syspath", "")
        path = re.sub(r":\d+$", "", path or "")
        if path.startswith("udev:"):
            yield syspath, path.removeprefix("udev:")
        if fact == "model":
            yield syspath, "ID_MODEL"
        for place in self.capture.places:
            if isinstance(place, str) and self.is_at(place, path, syspath, fact):
                yield place

    def is_at(self, place, path, syspath, fact):
        """Whether @place is @path, below it, one of several, or one of ELSEWHERE."""
        folder, _, name = place.rpartition("/")
        if place == path or path and place.startswith(path + "/"):
            return True
        if "*" in path and name == path.rpartition("/")[2] and name != "driver":
            return True
        if place not in ELSEWHERE.get(fact, []) and name not in ELSEWHERE.get(fact, []):
            return False
        # class devices stand beside the chain, below a folder of it
        return place.startswith("/dev/") or any(
            syspath.startswith(above + "/") for above in above_class(folder))

    def finding(self, disks):
        return next(finding for finding in disks[self.key[0]]["findings"]
                    if finding["id"] == self.key[1])

    def take_away(self, fact):
        """"" if that could not be done, None if all is well, else a complaint."""
        disks, text, gone = self.disks, b"\n".join(self.capture.lines), set()
        for _ in range(TRIES):
            places = {place for place in self.places(disks, text, fact)
                      if place in self.capture.places} - gone
            if not places:
                return "" if self.knows(disks, fact) else self.judge(disks, fact)
            gone |= places
            text = self.capture.without(gone)
            disks = corpus.diagnose(text)
            if self.key[0] not in disks:
                return ""  # without that it is no disk
            if not self.knows(disks, fact):
                return self.judge(disks, fact)
        return ""

    def knows(self, disks, fact):
        disk = disks[self.key[0]]
        evidence = self.finding(disks).get("evidence", [])
        return (disk.get("facts", {}).get(fact) is not None
                or any(item["fact"] == fact and "disk" not in item for item in evidence))

    def judge(self, disks, fact):
        result = self.finding(disks)["result"]
        return (None if result == "could-not-check" else
                f"{self.key[0]}: {self.key[1]} without {fact}: {result}")


def examine(source):
    counts, complaints = collections.Counter(), []
    try:
        examine_all(source, counts, complaints)
    except corpus.Failure as failure:
        complaints.append(f"{corpus.name_of(source)}: {failure}")
    return counts, complaints


def examine_all(source, counts, complaints):
    capture = corpus.Capture(source)
    disks = corpus.diagnose(b"\n".join(capture.lines))
    for key in corpus.findings(disks):
        case = Case(capture, disks, key)
        scope = "disk" if key[0] else "machine"
        for fact in REQUIRED.get((scope, key[1]), []):
            complaint = case.take_away(fact)
            counts["kept" if complaint == "" else "taken"] += 1
            if complaint:
                complaints.append(f"{corpus.name_of(source)}: {complaint}")


REQUIRED = required_facts()


def main():
    counts, complaints = corpus.each(examine, corpus.sources())
    for complaint in complaints:
        print(complaint)
    print(f"{counts['taken']} required facts taken away, {counts['kept']} come from no "
          f"single line, {len(complaints)} complaints")
    if counts["taken"] < 20:
        print("too few to mean anything")
    return 1 if complaints or counts["taken"] < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
