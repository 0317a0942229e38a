#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `blkadvise capture` writes says the same as the machine, and not whose it is.

    test-capture.py agreement|verdicts|identities|stability|hostile|output

BLKADVISE names the command, BLKADVISE_RULES the folder of policy.d and quirks.d.
"""

import glob
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import identities
import machine
import secretive

HERE = os.path.dirname(os.path.abspath(__file__))
DISKS = os.path.join(HERE, "..", "disks")
COMMAND = os.environ.get("BLKADVISE", "blkadvise")
RULES = os.environ.get("BLKADVISE_RULES", os.path.join(HERE, "..", "..", "rules"))
PARTS = ["name", "devnum", "profile", "members", "classification", "plan", "advice",
         "corrected_by"]
# Facts that pseudonyms stand for.
IDENTITY_FACTS = {"serial", "wwn", "scsi_wwid", "nvme_serial", "nvme_wwid", "usb_serial",
                  "mmc_serial", "virtio_serial", "dm_name", "dm_uuid", "backing_file",
                  "ID_SERIAL", "ID_SERIAL_SHORT", "ID_WWN", "ID_PATH"}
# Files named by people, which have other names in a capture.
GIVEN = re.compile(r"(?<=/tuned/)[^/]+(/[^/]+)?\.conf|(?<=/tlp\.d/)[^/:]+\.conf|"
                   r"(?<=/extra/)[^/:]+\.conf|(?<=/override/)[^/:]+")
GUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def run(*args, code=0):
    done = subprocess.run([COMMAND, f"--rules={RULES}", *args], capture_output=True,
                          timeout=60, check=False)
    if done.returncode != code:
        raise AssertionError(f"{args}: exit {done.returncode}, not {code}: {done.stderr!r}")
    return done.stdout


def captures(folder=DISKS):
    found = [path for path in sorted(glob.glob(f"{folder}/*.capture"))
             if not os.path.basename(path).startswith("bad-")]
    assert found, folder
    return found


def corpus():
    """Those of all folders but the broken ones."""
    return captures() + [path for folder in ("cases", "healthy") for path in
                         sorted(glob.glob(f"{DISKS}/{folder}/*.capture"))]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def survey(*args, verb="show"):
    """What the agent says of all disks, without what a capture must change."""
    text = GUID.sub("GUID", run(*args, verb, "--all", "--json").decode("latin-1"))
    for disk in json.loads(text)["disks"]:
        yield {part: disk.get(part) for part in PARTS} | {
            "findings": [verdict(finding) for finding in disk.get("findings", [])],
            "facts": {fact: value for fact, value in disk["facts"].items()
                      if fact not in IDENTITY_FACTS},
            "syspath": disk["syspath"]}


def verdict(finding):
    """A finding without paths, and without values that are identities."""
    kept = {key: finding.get(key) for key in
            ("id", "result", "severity", "confidence", "missing", "text", "cost", "remedy")}
    kept["evidence"] = [(item["fact"], item.get("disk"), item["value"])
                        for item in finding.get("evidence", [])
                        if item["fact"] not in IDENTITY_FACTS]
    return kept


class Folder(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="blkadvise-capture-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def tree(self, source):
        root = self.path(os.path.basename(source) + ".tree")
        machine.materialise(machine.Machine(read(source)), root)
        return root

    def same(self, before, after):
        for verb in "show", "list":
            self.assertEqual(list(survey(*before, verb=verb)),
                             list(survey(*after, verb=verb)))


class Agreement(Folder):
    """The machine and its capture are classified, planned and diagnosed alike."""

    def test_trees(self):
        for source in captures():
            with self.subTest(os.path.basename(source)):
                tree, out = self.tree(source), self.path("out.capture")
                run(f"--root={tree}", "capture", "-o", out)
                self.same([f"--root={tree}"], [f"--from={out}"])
                self.same_blocks(*(machine.Machine(read(path)).blocks
                                   for path in (source, out)))
                shutil.rmtree(tree)

    def test_properties(self):
        for source in captures():
            with self.subTest(os.path.basename(source)):
                out = self.path("out.capture")
                run(f"--from={source}", "capture", "-o", out)
                self.same([f"--from={source}"], [f"--from={out}"])

    def same_blocks(self, before, after):
        after = {GUID.sub("", path): block for path, block in after.items()}
        for path, block in before.items():
            captured = after.get(GUID.sub("", path))
            if block.modes or block.attrs.get("class", b"").startswith(b"0x01"):
                self.assertIsNotNone(captured, path)
                self.assertEqual(block.modes, captured.modes, path)


class Verdicts(Folder):
    """diagnose says of a capture what it says of the machine."""

    def verdicts(self, *args):
        done = subprocess.run([COMMAND, f"--rules={RULES}", *args, "diagnose", "--all",
                               "--json"], capture_output=True, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 10), done.stderr)
        text = GIVEN.sub("NAME.conf", done.stdout.decode("latin-1"))
        told = json.loads(text)
        for disk in [{"name": ""} | told["machine"], *told["disks"]]:
            yield disk["name"], [verdict(finding) for finding in disk["findings"]]

    def same(self, before, after):
        self.assertEqual(list(self.verdicts(*before)), list(self.verdicts(*after)))

    def test_captures(self):
        for source in corpus():
            with self.subTest(os.path.relpath(source, DISKS)):
                out = self.path("out.capture")
                run(f"--from={source}", "capture", "-o", out)
                self.same([f"--from={source}"], [f"--from={out}"])

    def test_trees(self):
        for source in corpus()[::7]:
            with self.subTest(os.path.relpath(source, DISKS)):
                tree, out = self.tree(source), self.path("out.capture")
                cpus = f"{tree}/sys/devices/system/cpu/online"
                if not os.path.exists(cpus):  # every machine has it; a capture may not
                    machine.put(cpus, b"0-3\n")
                for folder in ("etc", "usr"):  # so has it these
                    os.makedirs(f"{tree}/{folder}", exist_ok=True)
                run(f"--root={tree}", "capture", "-o", out)
                self.same([f"--root={tree}"], [f"--from={out}"])
                shutil.rmtree(tree)

    def test_live(self):
        if not os.path.isdir("/sys/block"):
            self.skipTest("no /sys")
        out = self.path("out.capture")
        run("capture", "-o", out)
        live, captured = list(self.verdicts()), list(self.verdicts(f"--from={out}"))
        for _, findings in live + captured:
            for finding in findings:  # the live log may have come from the journal
                finding["evidence"] = [item for item in finding["evidence"]
                                       if item[0] != "kernel_log"]
        self.assertEqual(live, captured)

    def test_log_of_a_file(self):
        source, log = f"{DISKS}/sata-ssd-ahci.capture", self.path("log")
        with open(log, "w", encoding="ascii") as file:
            file.write(secretive.log())
        out = run(f"--from={source}", "capture", f"--kernel-log={log}")
        self.assertIn(b"ata1.00: NCQ disabled due to excessive errors", out)
        self.assertEqual([], identities.leaks(secretive.SECRETS, out))
        run(f"--from={source}", "capture", "--kernel-log=/nowhere", code=1)

    def test_all_evidence(self):
        source, out = self.path("secretive.capture"), self.path("out.capture")
        with open(source, "wb") as file:
            file.write(secretive.text())
        run(f"--from={source}", "capture", "-o", out)
        self.same([f"--from={source}"], [f"--from={out}"])
        told = json.loads(run(f"--from={out}", "diagnose", "--json", code=10))
        facts = {disk["name"]: disk["facts"] for disk in told["disks"]}
        for disk, fact, value in (
                ("sda", "cpus", 8), ("sda", "log_ncq_disabled", True),
                ("sda", "log_link_faults", 1), ("sdb", "usb_quirks", "u"),
                ("sda", "holds_root", False), ("dm-1", "holds_root", True),
                ("sda", "rivals", "tuned, TLP, saptune"), ("sda", "rival_nr_requests", "1024"),
                ("sda", "rival_scheduler", "noop"), ("sdb", "rival_read_ahead_kb", "1024")):
            self.assertEqual(value, facts[disk].get(fact), (disk, fact))


class Identities(Folder):
    """Nothing tells one machine from another of its kind."""

    def test_corpus(self):
        telling = 0
        for source in corpus():
            with self.subTest(os.path.relpath(source, DISKS)):
                found = identities.originals(machine.Machine(read(source)))
                telling += len(found)
                out = run(f"--from={source}", "capture")
                self.assertEqual([], identities.leaks(found, out))
        self.assertGreater(telling, 100)

    def test_trees(self):
        for source in captures()[::4]:
            with self.subTest(os.path.basename(source)):
                found = identities.originals(machine.Machine(read(source)))
                out = run(f"--root={self.tree(source)}", "capture")
                self.assertEqual([], identities.leaks(found, out))

    def secretive(self):
        source = self.path("secretive.capture")
        with open(source, "wb") as file:
            file.write(secretive.text())
        return source

    def test_known_secrets(self):
        self.assertEqual(sorted(secretive.SECRETS),
                         identities.leaks(secretive.SECRETS, secretive.text()))
        source = self.secretive()
        self.assertEqual([], identities.leaks(secretive.SECRETS,
                                              run(f"--from={source}", "capture")))
        out = run(f"--root={self.tree(source)}", "capture")
        # without udev nobody says that this is a host's name
        self.assertEqual([], identities.leaks(secretive.SECRETS, out))

    def test_one_pseudonym_everywhere(self):
        blocks = machine.Machine(run(f"--from={self.secretive()}", "capture")).blocks
        disk = next(b for p, b in blocks.items() if p.endswith("/sda"))
        serial = disk.props["ID_SERIAL_SHORT"]
        self.assertRegex(serial, "^SE-RIA0_00001$|^SE-RIAL_[0-9]+$")
        self.assertEqual(f"ROTATING_DISK_2000_{serial}", disk.props["ID_SERIAL"])
        self.assertIn(f"disk/by-id/ata-ROTATING_DISK_2000_{serial}", disk.symlinks)
        device = next(b for b in blocks.values() if "id" in b.attrs)
        scsi = next(b for b in blocks.values() if "vpd_pg89" in b.attrs)
        texts = [identities.identify_words(device), identities.identify_words(scsi)]
        for words in texts:
            self.assertEqual(serial.replace("_", " "), words[20:40].decode().strip())
            self.assertEqual(disk.props["ID_WWN"], f"0x{words[216:224].hex()}")
            self.assertEqual(b"ROTATING DISK 2000", words[54:94].strip())
            self.assertEqual(0, sum(words) % 256)
        self.assertTrue(scsi.attrs["wwid"].decode().rstrip().endswith(
            serial.replace("_", " ")))
        self.assertNotIn("vpd_pg80", scsi.attrs)
        multipath = blocks["/sys/devices/virtual/block/dm-2"]
        number = multipath.props["DM_UUID"].removeprefix("mpath-3")
        self.assertEqual([f"disk/by-id/wwn-0x{number}"], multipath.symlinks)

    def test_what_stays(self):
        captured = machine.Machine(run(f"--from={self.secretive()}", "capture"))
        self.assertEqual(b"root=UUID= ro quiet libata.force=1:noncq "
                         b"nvme_core.multipath=Y blkadvise.apply=0 elevator=deadline "
                         b"usb-storage.quirks=152d:0578:u ahci.mobile_lpm_policy=1\n",
                         captured.files["/proc/cmdline"])
        hub = captured.blocks["/sys/devices/pci0000:00/0000:00:14.0/usb1"]
        self.assertEqual(b"0000:00:14.0\n", hub.attrs["serial"])
        paths = [b.props.get("ID_PATH") for b in captured.blocks.values()]
        self.assertIn("pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0", paths)
        dm = captured.blocks["/sys/devices/virtual/block/dm-0"]
        self.assertTrue(dm.attrs["dm/uuid"].startswith(b"CRYPT-LUKS2-"))
        self.assertTrue(captured.blocks["/sys/devices/virtual/block/dm-1"].attrs["dm/uuid"]
                        .startswith(b"LVM-"))

    def test_what_stays_of_files(self):
        files = machine.Machine(run(f"--from={self.secretive()}", "capture")).files
        self.assertEqual(b"1 0 253:1 / / rw - ext4 /dev/dm-1 rw\n",
                         files["/proc/self/mountinfo"])
        self.assertEqual(b"INODE=0\nread_ahead_kb.initial=128\nread_ahead_kb.written=512\n",
                         files["/run/blkadvise/state/8:0"])
        self.assertEqual(b"broken\n", files["/run/blkadvise/state/259:0"])
        self.assertEqual(b"usr/lib/modules/6.1.0/kernel/drivers/ata/ahci.ko\n",
                         files["/boot/initramfs.list"])
        self.assertEqual(b"name1\n", files["/etc/tuned/active_profile"])
        self.assertEqual([b"[main]", b"", b"include=throughput-performance,name2",
                          b"[variables]", b"", b"[name3]", b"type=disk", b"devices=sda,?",
                          b"elevator=none", b"readahead=>4096", b"[name4]", b"type=disk",
                          b"devices_udev_regex=?", b"readahead=8192", b"[sysfs]",
                          b"/sys/block/sdb/queue/read_ahead_kb=256", b""],
                         files["/etc/tuned/name1/tuned.conf"].split(b"\n"))
        self.assertEqual(b'DISK_DEVICES="sda nvme0n1 ?"\nDISK_IOSCHED="bfq kyber none"\n',
                         files["/etc/tlp.conf"])
        self.assertIn("/etc/saptune/extra/name1.conf".replace("name1", "name5"), files)

    def test_what_stays_of_the_log(self):
        files = machine.Machine(run(f"--from={self.secretive()}", "capture")).files
        lines = files["/dev/kmsg"].decode().splitlines()
        self.assertEqual("[    0.000000] Linux version 6.1.0", lines[0])
        self.assertEqual(len(secretive.LOG_STAYS) + 1, len(lines))
        for expected, line in zip(secretive.LOG_STAYS, lines[1:]):
            self.assertRegex(line, r"^(\[ +\d+\.000000\]|(Nov 30|2024-11-30T)[ 0-9:+]+ host "
                             r"kernel:) " + re.escape(expected) + "$")


class Stability(Folder):
    """A capture of a capture is that capture."""

    def again(self, source, first):
        with open(self.path("first"), "wb") as file:
            file.write(first)
        second = run(f"--from={self.path('first')}", "capture")
        self.assertEqual(first.decode("latin-1").split("\n"),
                         second.decode("latin-1").split("\n"), source)

    def test_captures(self):
        for source in corpus() + captures(f"{DISKS}/hostile"):
            with self.subTest(os.path.basename(source)):
                self.again(source, run(f"--from={source}", "capture"))

    def test_trees(self):
        for source in captures()[::4]:
            with self.subTest(os.path.basename(source)):
                self.again(source, run(f"--root={self.tree(source)}", "capture"))

    def test_secretive(self):
        source = self.path("secretive.capture")
        with open(source, "wb") as file:
            file.write(secretive.text())
        self.again(source, run(f"--from={source}", "capture"))

    def test_order(self):
        for source in captures():
            out = run(f"--from={source}", "capture").decode("latin-1")
            paths = re.findall("^P: (.*)$", out, re.MULTILINE)
            self.assertEqual(sorted(paths, key=lambda path: path.encode("latin-1")), paths)
            self.assertNotIn("\n\n", out[:out.index("P: ")])


class Hostile(Folder):
    """Text made by an attacker stays one value in one line."""

    def test_captures(self):
        for source in captures(f"{DISKS}/hostile"):
            with self.subTest(os.path.basename(source)):
                out = self.path("out.capture")
                run(f"--from={source}", "capture", "-o", out)
                self.same([f"--from={source}"], [f"--from={out}"])

    def test_strings(self):
        source = f"{DISKS}/hostile/hostile-strings.capture"
        out = self.path("out.capture")
        run(f"--root={self.tree(source)}", "capture", "-o", out)
        before, after = (machine.Machine(read(path)).blocks for path in (source, out))
        self.assertEqual(set(before), set(after))
        for path, block in before.items():
            for name in {"model", "vendor", "product", "manufacturer", "rev"} & set(block.attrs):
                self.assertEqual(block.attrs[name], after[path].attrs[name], path)

    def test_every_byte(self):
        text = bytes(range(1, 256))
        tree = self.tree(f"{DISKS}/nvme-desktop.capture")
        models = glob.glob(f"{tree}/sys/devices/pci*/*/*/nvme/nvme0/model")
        for name, value in ("text", text), ("nul", b"a\0b\n"):
            with self.subTest(name):
                machine.put(models[0], value)
                out = run(f"--root={tree}", "capture")
                self.assertNotRegex(out, rb"[\x00-\x08\x0b-\x1f\x7f-\xff]")
                found = [block.attrs["model"] for path, block in
                         machine.Machine(out).blocks.items() if path.endswith("/nvme/nvme0")]
                self.assertEqual([value], found)

    def test_serial_behind_nul(self):
        tree = self.tree(f"{DISKS}/nvme-desktop.capture")
        serials = glob.glob(f"{tree}/sys/devices/pci*/*/*/nvme/nvme0/serial")
        machine.put(serials[0], b"ONE123456\0TWO987654\n")
        out = run(f"--root={tree}", "capture")
        self.assertEqual([], identities.leaks(["ONE123456", "TWO987654"], out))

    def test_cannot_be_read_back(self):
        # sysfs has no such path; the capture must be refused, not written half
        source = f"{DISKS}/nvme-desktop.capture"
        long = "/".join(["x" * 200] * 4)
        text = read(source) + f"\nP: /devices/{long}/y\nE: SUBSYSTEM=block\n".encode()
        machine.materialise(machine.Machine(text), self.path("tree"))
        done = subprocess.run([COMMAND, f"--root={self.path('tree')}", "capture", "-o",
                               self.path("out")], capture_output=True, check=False)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn(b"cannot be read back: path too long", done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))


class Output(Folder):
    """Where it goes."""

    def setUp(self):
        super().setUp()
        self.source = f"--from={DISKS}/nvme-desktop.capture"
        self.text = run(self.source, "capture")

    def test_file(self):
        out = self.path("out")
        with open(out, "w", encoding="ascii") as file:
            file.write("old")
        os.chmod(out, 0o600)
        self.assertEqual(b"", run(self.source, "capture", f"--output={out}"))
        self.assertEqual(self.text, read(out))
        self.assertEqual(0o644, stat.S_IMODE(os.stat(out).st_mode))
        self.assertEqual(["out"], os.listdir(self.folder))

    def test_dash(self):
        self.assertEqual(self.text, run(self.source, "capture", "-o", "-"))

    def test_long_log(self):
        log = self.path("log")
        with open(log, "w", encoding="ascii") as file:
            for number in range(20000):
                file.write(f"[{number:5}.000000] ata1: hard resetting link\n")
        out = run(self.source, "capture", f"--kernel-log={log}")
        text = machine.Machine(out).files["/dev/kmsg"]
        self.assertTrue(text.startswith(b"[") and text.endswith(b"19999.000000] ata1: "
                                                                b"hard resetting link\n"))
        self.assertTrue(250 << 10 < len(text) <= 256 << 10, len(text))

    def test_special_file_stays(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        with subprocess.Popen([COMMAND, self.source, "capture", "-o", fifo]) as writer:
            self.assertEqual(self.text, read(fifo))
            self.assertEqual(0, writer.wait(timeout=60))
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_no_folder(self):
        run(self.source, "capture", "-o", self.path("none/out"), code=1)

    def test_live(self):
        if not os.path.isdir("/sys/block"):
            self.skipTest("no /sys")
        out = self.path("out")
        run("capture", "-o", out)
        live, captured = list(survey()), list(survey(f"--from={out}"))
        for disk in live + captured:
            for fact in "multipath_member", "inflight":
                # an empty holders/ cannot be told from none in a capture
                disk["facts"].pop(fact, None)
        self.assertEqual(live, captured)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(name.title() for name in sys.argv[1:])])
