#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The journal writes what it says, and leaves nothing behind, even if it is killed.

usage: test-journal.py ENGINE FOLDER
"""
import os
import subprocess
import sys
import time

from engine_table import answer, folder_in, has_direct, refusal


def test_counts(engine, folder):
    for depth in 1, 4:
        for more in ([], ["--file-mb=1"]):
            for block_kb in 4, 64:
                result = answer(engine, "journal", folder, "--writes=40",
                                f"--depth={depth}", f"--block-kb={block_kb}", *more)
                assert result["writes"] == 40, result
                assert (result["depth"], result["block_kb"]) == (depth, block_kb), result
                assert result["preallocated"] == bool(more), result
                assert os.listdir(folder) == [], os.listdir(folder)
    assert answer(engine, "journal", folder, "--seconds=0.05")["writes"] > 0


def file_of(process, folder):
    """The size of the nameless file in @folder that @process has open, or None."""
    fds = f"/proc/{process.pid}/fd"
    for fd in os.listdir(fds):
        try:
            if os.readlink(f"{fds}/{fd}").startswith(folder + "/"):
                return os.stat(f"{fds}/{fd}").st_size
        except OSError:
            pass  # closed in the meantime
    return None


def test_killed(engine, folder):
    with subprocess.Popen([engine, "journal", folder, "--writes=200000"],
                          stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not file_of(process, os.path.realpath(folder)):
            time.sleep(0.01)
        assert process.poll() is None, "it ended before it was killed"
        process.kill()
    assert os.listdir(folder) == [], os.listdir(folder)


def test_refusals(engine, folder):
    assert "No such file" in refusal(engine, "journal", folder + "/missing")
    refusal(engine, "journal", folder, "--block-kb=5")
    refusal(engine, "journal", "/proc", "--writes=1")


def main():
    engine, place = sys.argv[1:]
    if not has_direct(engine):
        print("the build folder's file system has no direct I/O")
        return 77
    with folder_in(place) as folder:
        test_counts(engine, folder)
        test_killed(engine, folder)
        test_refusals(engine, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
