#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A capture carries what was measured of its disks: advice elsewhere is what it was there,
and nothing of the file tells whose disks they were.

    test-measurement.py

BLKADVISE names the command, BLKADVISE_RULES the folder of policy.d and quirks.d.
"""

import json
import os
import subprocess
import tempfile
import unittest

import identities
import machine

HERE = os.path.dirname(os.path.abspath(__file__))
DISKS = os.path.join(HERE, "..", "disks")
COMMAND = os.environ.get("BLKADVISE", "blkadvise")
RULES = os.environ.get("BLKADVISE_RULES", os.path.join(HERE, "..", "..", "rules"))
FOLDER = "/var/lib/blkadvise/measurements"
MACHINE_ID = "00112233445566778899aabbccddeeff"
POINTS = "".join(f"point=random-read direct normal io_uring 4 {depth} {depth * 7000} 1000000 "
                 f"100 {200 + depth} 1700000000 -\n" for depth in (1, 2, 4, 8, 16, 32))


def run(*args):
    done = subprocess.run([COMMAND, f"--rules={RULES}", *args], capture_output=True,
                          timeout=60, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{args}: exit {done.returncode}: {done.stderr!r}")
    return done.stdout


def disks(path):
    return json.loads(run(f"--from={path}", "show", "--all", "--json"))["disks"]


def told(path):
    """The advice of each disk, and what is said of its measurement, but for names."""
    for disk in disks(path):
        measured = disk.get("measurement") or {}
        kept = {key: value for key, value in measured.items()
                if key not in ("path", "identity", "settings", "stale_why")}
        yield disk["name"], disk.get("advice"), kept


def fnv(*texts):
    number = 0xcbf29ce484222325
    for text in texts:
        for byte in text.encode() + b"\0":
            number = (number ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return f"{number:016x}"


def machine_hash():
    number = int(fnv("blkadvise measurement"), 16)
    for byte in MACHINE_ID.encode():
        number = (number ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return f"{number:016x}"


def file_name(identity):
    if "wwn" in identity:
        return fnv(identity["wwn"])
    parts = [identity.get("model", ""), identity.get("serial", "")]
    return fnv(*parts, *([identity["place"], identity["machine"]]
                         if "weak" in identity else []))


def identity_of(disk, **more):
    """As the agent ought to see it."""
    facts = {name: str(fact.get("value", "") if isinstance(fact, dict) else fact)
             for name, fact in disk["facts"].items()}
    identity = {key: facts[key] for key in ("wwn", "model", "serial", "firmware")
                if key in facts}
    return identity | {"size_kb": str(int(facts["size"]) // 2)} | more


def measurement(identity, settings="", points=POINTS):
    lines = "".join(f"{key}={value}\n" for key, value in identity.items())
    return f"format=1\n[disk]\n{lines}[settings]\n{settings}[points]\n{points}"


class Measurement(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="blkadvise-capture-")
        self.addCleanup(holder.cleanup)
        self.source = os.path.join(holder.name, "source")
        self.out = os.path.join(holder.name, "out")

    def disk(self, source, name):
        self.base = f"{DISKS}/{source}.capture"
        return [disk for disk in disks(self.base) if disk["name"] == name][0]

    def carry(self, **files):
        """Captures the machine with these files; each name is one of a measurement."""
        with open(self.base, "rb") as file:
            text = file.read()
        files = {f"{FOLDER}/{name}": content for name, content in files.items()}
        files["/etc/machine-id"] = MACHINE_ID + "\n"
        lines = "".join("F: {}={}\n".format(path, content.replace("\n", "\\n"))
                        for path, content in files.items())
        with open(self.source, "wb") as file:
            file.write(lines.encode() + text)
        run(f"--from={self.source}", "capture", "-o", self.out)
        with open(self.out, "rb") as file:
            self.text = file.read()
        self.files = {path: content.decode() for path, content in
                      machine.Machine(self.text).files.items() if path.startswith(FOLDER)}
        self.assertEqual(list(told(self.source)), list(told(self.out)))
        self.assertNotIn(MACHINE_ID.encode(), self.text)

    def kept(self, name):
        return {disk["name"]: disk.get("measurement") for disk in disks(self.out)}[name]

    def test_by_name(self):
        disk = self.disk("sata-ssd-ahci", "sda")
        identity = identity_of(disk)
        self.assertIn("wwn", identity)
        self.carry(**{file_name(identity): measurement(identity)})
        self.assertEqual(1, len(self.files))
        self.assertNotIn(f"{FOLDER}/{file_name(identity)}", self.files)
        self.assertEqual(6, len(self.kept("sda")["points"]))
        self.assertEqual([], self.kept("sda")["stale"])
        self.assertNotIn(b"/etc/machine-id", self.text)
        secrets = [identity["wwn"][2:], identity["serial"], file_name(identity)]
        self.assertEqual([], identities.leaks(secrets, self.text))

    def test_staleness_travels(self):
        disk = self.disk("sata-ssd-ahci", "sda")
        identity = identity_of(disk) | {"firmware": "OLDER1", "size_kb": "7"}
        self.carry(**{file_name(identity): measurement(identity, "scheduler=odd\n")})
        self.assertEqual(["firmware", "size", "scheduler"], self.kept("sda")["stale"])

    def weak(self):
        disk = self.disk("virtio-blk-6-1", "vda")
        return identity_of(disk, weak="1", machine=machine_hash(),
                           place=disk["facts"]["ID_PATH"])

    def test_by_place(self):
        identity = self.weak()
        self.carry(**{file_name(identity): measurement(identity)})
        self.assertEqual(6, len(self.kept("vda")["points"]))
        self.assertIn(b"F: /etc/machine-id=00000000000000000000000000000001\\n\n", self.text)
        self.assertNotIn(machine_hash().encode(), self.text)
        self.assertNotIn(f"{FOLDER}/{file_name(identity)}", self.files)

    def test_other_machine(self):
        identity = self.weak() | {"machine": "0" * 16}
        self.carry(**{file_name(identity): measurement(identity)})
        self.assertEqual({}, self.files)
        self.assertNotIn(b"/etc/machine-id", self.text)

    def test_broken(self):
        identity = identity_of(self.disk("sata-ssd-ahci", "sda"))
        self.carry(**{file_name(identity): measurement(identity) + "point=SECRET4711"})
        self.assertEqual(["broken\n"], list(self.files.values()))

    def test_later_keys_stay_behind(self):
        identity = identity_of(self.disk("sata-ssd-ahci", "sda"))
        self.carry(**{file_name(identity): "by=SECRET4711\n" + measurement(
            identity | {"owner": "SECRET4711"}, "nickname=SECRET4711\n")})
        self.assertEqual(1, len(self.files))
        self.assertNotIn(b"SECRET4711", self.text)

    def test_secret_texts(self):
        identity = identity_of(self.disk("sata-ssd-ahci", "sda"))
        name = file_name(identity)
        identity["firmware"] = f"v-{identity['serial']}"
        self.carry(**{name: measurement(identity, f"scheduler={identity['serial']}\n")})
        self.assertEqual([], identities.leaks([identity["serial"]], self.text))

    def test_again(self):
        identity = self.weak()
        self.carry(**{file_name(identity): measurement(identity)})
        again = run(f"--from={self.out}", "capture")
        self.assertEqual(self.text.decode().split("\n"), again.decode().split("\n"))


if __name__ == "__main__":
    unittest.main()
