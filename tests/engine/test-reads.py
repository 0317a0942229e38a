#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The engine reads the right rows in every mode, with every engine and hint, and finds a
wrong one.

usage: test-reads.py ENGINE FOLDER
"""
import os
import sys

from engine_table import (HINTS, ROW, answer, engines, flip, folder_in, has_direct, modes,
                          refusal, row, rows_at_depth_one)

MIB = 1 << 20
TABLE_MIB = 8


def test_make(engine, path):
    """The table is what it is said to be, by a second implementation."""
    made = answer(engine, "make", path, TABLE_MIB)
    rows = TABLE_MIB * MIB // ROW
    assert made == {"rows": rows, "bytes": rows * ROW}, made
    assert os.path.getsize(path) == rows * ROW
    with open(path, "rb") as file:
        for number in (0, 1, 45, 46, 11650, rows - 1):
            file.seek(number * ROW)
            assert file.read(ROW) == row(number), number


def test_every_way(engine, path):
    """The file ends in the middle of a page, and so do the spans."""
    assert os.path.getsize(path) % 4096 != 0
    count = 0
    for kind in engines(engine, path):
        for mode in modes(path):
            for hint in HINTS:
                for seed, depth, span in ((1, 1, 8), (2, 4, 1), (3, 32, 3), (4, 7, 100)):
                    result = answer(engine, "gather", path, f"--mode={mode}",
                                    f"--engine={kind}", f"--hint={hint}", "--rows=300",
                                    f"--seed={seed}", f"--depth={depth}",
                                    f"--span-mb={span}", *["--drop"] * (seed == 2))
                    expected = "threads" if mode == "mmap" else kind
                    assert result["rows"] == 300 and result["bad"] == 0, result
                    assert (result["mode"], result["hint"], result["depth"]) == \
                        (mode, hint, depth), result
                    assert result["engine"] == expected, result
                    assert result["prefetch_s"] == 0 or hint == "willneed", result
                    count += 1
    print(f"{count} gathers")


def test_other_options(engine, path):
    for mode in modes(path):
        result = answer(engine, "gather", path, "--mode", mode, "--seconds", "0.05",
                        "--depth", 8, "--threads", 2, "--engine", "threads", "--warm")
        assert result["rows"] > 0 and result["bad"] == 0, result
        assert result["in_flight"] == 2 and result["depth"] == 8, result
        for read_kb in 8, 16, 1024:
            result = answer(engine, "gather", path, "--mode", mode, "--rows", 200,
                            "--read-kb", read_kb, "--depth", 3, "--verify")
            assert (result["rows"], result["bad"]) == (200, 0), result


def test_span(engine, path):
    """Rows that lie in the span as a whole are gathered, and no other."""
    rows = MIB // ROW
    chosen = list(rows_at_depth_one(5, rows, 300))
    for mode in modes(path):
        for number in chosen[7], rows - 1, rows:
            flip(path, number * ROW + 3)
            expected = chosen.count(number)
            result = answer(engine, "gather", path, f"--mode={mode}", "--span-mb=1",
                            "--rows=300", "--depth=1", "--seed=5", status=expected > 0)
            assert result["bad"] == expected, (number, result)
            flip(path, number * ROW + 3)


def gather_bad(engine, path, mode, rows, kind, *more):
    """How many of 2000 rows at depth 1 the engine calls wrong."""
    common = [engine, "gather", path, f"--mode={mode}", "--rows=2000", "--depth=1",
              "--seed=9", f"--engine={kind}", *more]
    chosen = list(rows_at_depth_one(9, rows, 2000))
    assert 0 in chosen and rows - 1 in chosen  # or this test would show nothing
    result = answer(*common, status=1)
    assert result["rows"] == 2000, result
    return result["bad"], chosen


def test_corrupted(engine, path):
    """A wrong byte in a row makes just that row wrong: the first, one on two pages (on
    either), the last, at the end of a file that ends within a row or with one."""
    for rest in 0, 37:
        rows = 100
        os.truncate(path, rows * ROW + rest)
        for kind in engines(engine, path):
            for mode in modes(path):
                for offset in 0, 4090, 4100, rows * ROW - 1:
                    flip(path, offset)
                    bad, chosen = gather_bad(engine, path, mode, rows, kind)
                    assert bad == chosen.count(offset // ROW) > 0, (mode, offset, bad)
                    flip(path, offset)
                result = answer(engine, "gather", path, f"--mode={mode}", "--rows=2000",
                                "--depth=1", "--seed=9")
                assert result["bad"] == 0, result


def test_whole_blocks(engine, path):
    """With --verify a direct read is checked with the rows around the one wanted."""
    if not has_direct(path):
        return
    os.truncate(path, 100 * ROW)
    flip(path, 50 * ROW + 1)
    bad, chosen = gather_bad(engine, path, "direct", 100, "threads", "--verify")
    flip(path, 50 * ROW + 1)
    assert bad > 2 * chosen.count(50), bad


def test_scan(engine, path):
    size = os.path.getsize(path)
    for kind in engines(engine, path):
        for mode in modes(path):
            for hint, depth, read_kb in (("normal", 1, 1024), ("random", 16, 4),
                                         ("sequential", 3, 64), ("willneed", 4, 256)):
                result = answer(engine, "scan", path, f"--mode={mode}", f"--hint={hint}",
                                f"--depth={depth}", f"--read-kb={read_kb}",
                                f"--engine={kind}", "--drop")
                assert result["bad"] == 0, result
                assert result["rows"] == size // ROW, result
                assert abs(result["mb"] - size / MIB) < 0.001, result
            result = answer(engine, "scan", path, f"--mode={mode}", "--mb=1")
            assert result["mb"] == 1 and result["rows"] == MIB // ROW, result


def test_scan_finds(engine, path):
    """Any byte, the partial row at the end included; what is beyond --mb is not read."""
    os.truncate(path, 3 * MIB + 37)
    for kind in engines(engine, path):
        for mode in modes(path):
            for offset in 0, 65535, 65536, MIB - 1, MIB, 3 * MIB - 1, 3 * MIB + 36:
                flip(path, offset)
                arguments = ["scan", path, f"--mode={mode}", "--depth=4", "--read-kb=64",
                             f"--engine={kind}"]
                assert answer(engine, *arguments, status=1)["bad"] == 1, (mode, offset)
                if offset >= MIB:
                    assert answer(engine, *arguments, "--mb=1")["bad"] == 0
                flip(path, offset)


def test_refusals(engine, path):
    missing = path + ".missing"
    for verb in "gather", "scan", "run":
        assert missing in refusal(engine, verb, missing)
    assert "no row" in refusal(engine, "gather", "/dev/null", "--mode=buffered")
    for wrong in (["--depth=0"], ["--depth=-1"], ["--depth=4x"], ["--depth=2000"],
                  ["--read-kb=6"], ["--mode=uring"], ["--hint="], ["--seconds=0"],
                  ["--seconds=nan"], ["--seconds=inf"], ["--rows=1e3"], ["--rows="],
                  ["more"]):
        refusal(engine, "gather", path, *wrong)
    refusal(engine, "measure", path)
    refusal(engine, "make", path)
    refusal(engine, "make", missing, "0")
    assert not os.path.exists(missing)


def test_without_direct(engine):
    """A file of sysfs has a size, but no direct I/O."""
    path = "/sys/kernel/uevent_seqnum"
    if not os.path.exists(path) or has_direct(path):
        print(f"{path}: not there, or direct I/O is: not tested")
        return
    for verb in "gather", "scan":
        assert "no direct I/O" in refusal(engine, verb, path, "--mode=direct")


def main():
    engine, place = sys.argv[1:]
    with folder_in(place) as folder:
        path = os.path.join(folder, "table")
        test_make(engine, path)
        test_every_way(engine, path)
        test_other_options(engine, path)
        test_span(engine, path)
        test_scan(engine, path)
        test_refusals(engine, path)
        test_without_direct(engine)
        test_scan_finds(engine, path)
        test_corrupted(engine, path)
        test_whole_blocks(engine, path)


if __name__ == "__main__":
    main()
