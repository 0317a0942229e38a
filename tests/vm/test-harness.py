#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the harness itself: that failures, hangs, crashes and silence are seen. The guest's
side runs here without a machine, against a plain file in place of its port. The tests that
boot one run only with BLKADVISE_VM_SLOW=1 in the environment."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import machines
import vm
from common import HERE, new_cache_entry
from results import Results

SELFTEST = HERE / "selftest"


def verdict(lines, expected=("one",), problem=None):
    out = []
    results = Results(expected, out.append)
    for line in lines:
        results.line(line)
    return results.close(problem), out


class ResultsTest(unittest.TestCase):
    GOOD = ["begin one 180", "ok works", "end one 0", "done"]

    def test_success(self):
        self.assertEqual(verdict(self.GOOD), (0, ["ok 1 - one: works", "1..1"]))

    def test_a_skip_is_no_failure(self):
        status, out = verdict(["begin one 180", "skip x # no such disk", "end one 0", "done"])
        self.assertEqual((status, out[0]), (0, "ok 1 - one: x # SKIP no such disk"))

    def test_failures(self):
        cases = {
            "a failed result": ["begin one 9", "not ok x # why", "end one 0", "done"],
            "no result": ["begin one 9", "end one 0", "done"],
            "exit status": ["begin one 9", "ok x", "end one 2", "done"],
            "no end of the scenario": ["begin one 9", "ok x"],
            "no end of the machine": self.GOOD[:-1],
            "a scenario that never ran": ["done"],
            "an unknown line": ["begin one 9", "ok x", "gibberish", "end one 0", "done"],
            "nothing at all": [],
        }
        for name, lines in cases.items():
            with self.subTest(name):
                self.assertEqual(verdict(lines)[0], 1)

    def test_a_problem_of_the_machine_is_a_failure(self):
        self.assertEqual(verdict(self.GOOD, problem="it did not switch off")[0], 1)

    def test_the_plan_counts_every_result(self):
        _, out = verdict(["begin one 9", "ok x"])
        self.assertEqual(out[-1], f"1..{sum(' - ' in line for line in out)}")


class GuestTest(unittest.TestCase):
    """guest/run-scenarios and guest/lib.sh under this machine's shell."""

    def run_guest(self, *names, timeout=30):
        with tempfile.TemporaryDirectory() as folder:
            channel, cmdline = pathlib.Path(folder, "channel"), pathlib.Path(folder, "cmdline")
            channel.touch()
            cmdline.write_text(f"quiet vm.scenarios={','.join(names)} vm.timeout={timeout}\n")
            environment = dict(os.environ, VM_CHANNEL=str(channel), VM_CMDLINE=str(cmdline),
                               VM_DIR=str(HERE / "guest"), VM_SCENARIOS=str(SELFTEST))
            subprocess.run([HERE / "guest/run-scenarios"], env=environment, timeout=60,
                           capture_output=True)
            return channel.read_text().splitlines()[1:]  # without "ready"

    def test_a_failure(self):
        self.assertEqual(self.run_guest("fail"), [
            "begin fail 30", "ok one thing works",
            "not ok another does not # want '1', got '2'", "end fail 0", "done"])

    def test_a_hang_is_killed_and_the_next_one_runs(self):
        began = time.monotonic()
        lines = self.run_guest("hang", "silent")
        self.assertLess(time.monotonic() - began, 20)
        self.assertIn("not ok in time # killed after 3 s", lines)
        self.assertEqual(lines[-3:], ["begin silent 30", "end silent 0", "done"])
        self.assertEqual(verdict(lines, ["hang", "silent"])[0], 1)

    def test_a_scenario_that_dies(self):
        self.assertIn("end broken 3", self.run_guest("broken"))

    def lib(self, script, channel):
        return subprocess.run(["sh", "-c", f'. "{HERE}/guest/lib.sh"\n{script}'], text=True,
                              env=dict(os.environ, VM_CHANNEL=str(channel)), capture_output=True)

    def test_results_are_one_line_each(self):
        with tempfile.NamedTemporaryFile("r") as channel:
            self.lib("check x sh -c 'printf \"a\\nb\\n\"; exit 4'", channel.name)
            lines = channel.read().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^not ok x # exit 4 from: .* a b$")

    def test_wait_for_gives_up(self):
        done = self.lib("WAIT=1 wait_for false && echo yes; wait_for true && echo no more", "x")
        self.assertEqual(done.stdout, "no more\n")


class HostTest(unittest.TestCase):
    def test_a_late_line_is_a_timeout(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            lines = vm.Lines(ours)
            theirs.sendall(b"one\r\ntw")
            self.assertEqual(lines.next(time.monotonic() + 5), "one")
            with self.assertRaises(TimeoutError):
                lines.next(time.monotonic() + 0.05)
            theirs.close()
            self.assertIsNone(lines.next(time.monotonic() + 5))

    def test_an_unfinished_cache_entry_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            entry = pathlib.Path(folder, "entry")
            with self.assertRaises(ZeroDivisionError):
                with new_cache_entry(entry, "a") as work:
                    self.assertIsNotNone(work)
                    _ = 1 / 0
            self.assertFalse(entry.exists())
            for stamp, fresh in (("a", True), ("a", False), ("b", True)):
                with new_cache_entry(entry, stamp) as work:
                    self.assertEqual(work is not None, fresh)
            self.assertEqual([p.name for p in entry.parent.iterdir() if p.name[0] != "."],
                             ["entry"])

    def test_serials_of_a_machine_differ(self):
        for name, machine in machines.MACHINES.items():
            serials = [disk.name for disk in machine.disks]
            self.assertEqual(len(serials), len(set(serials)), name)

    def test_an_unknown_suite_is_a_skip(self):
        done = subprocess.run([HERE / "fetch-kernel", "nosuch"], capture_output=True)
        self.assertEqual(done.returncode, 77)


@unittest.skipUnless(os.environ.get("BLKADVISE_VM_SLOW"), "boots machines: BLKADVISE_VM_SLOW=1")
class MachineTest(unittest.TestCase):
    def run_vm(self, *names, machine="ide-seed"):
        with tempfile.NamedTemporaryFile() as log:
            scenarios = [word for n in names for word in ("--scenario", str(SELFTEST / f"{n}.sh"))]
            done = subprocess.run([HERE / "run-vm", "--machine", machine, "--log", log.name,
                                   *scenarios], text=True, stdout=subprocess.PIPE)
        if done.returncode == 77:
            self.skipTest("no machine can be had here")
        return done.returncode, done.stdout

    def test_failures_and_a_hang(self):
        status, out = self.run_vm("fail", "hang", "silent", "broken")
        self.assertEqual(status, 1)
        for line in ("ok 1 - fail: one thing works", "not ok 2 - fail: another does not",
                     "not ok 4 - hang: in time", "silent: has results", "broken: exit status"):
            self.assertIn(line, out)
        self.assertNotIn("the machine reaches its end", out)

    def test_a_panic(self):
        status, out = self.run_vm("panic", "fail")
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - panic: ends", out)
        self.assertIn("fail: runs", out)
        self.assertIn("sysrq triggered crash", out)

    def test_a_killed_run_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.Popen(
                [HERE / "run-vm", "--machine", "ide-seed", "--log", f"{folder}/log",
                 "--scenario", str(SELFTEST / "fail.sh")],
                stdout=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=folder))
            while not pathlib.Path(folder, "log").exists() and run.poll() is None:
                time.sleep(0.2)
            time.sleep(8)
            run.terminate()
            self.assertNotEqual(run.wait(30), 0)
            self.assertEqual(os.listdir(folder), ["log"])
            used = subprocess.run(["pgrep", "-f", folder], capture_output=True, text=True)
            self.assertEqual(used.stdout, "")


if __name__ == "__main__":
    unittest.main()
