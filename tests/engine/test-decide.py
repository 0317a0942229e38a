#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The engine decides from a record without reading the table, by probing with a choice that
it can carry out, and works with either.

usage: test-decide.py ENGINE FOLDER
"""
import os
import sys

from engine_table import HINTS, MODES, answer, folder_in, has_direct, refusal

HEAD = "BLKADVISE_FORMAT=1\nBLKADVISE_DISKSEQ=9\n"
MEASURED = HEAD + """BLKADVISE_RANDOM_FITS_IO_MODE=mmap
BLKADVISE_RANDOM_FITS_DEPTH=64
BLKADVISE_RANDOM_FITS_HINT=willneed
BLKADVISE_RANDOM_EXCEEDS_IO_MODE=direct
BLKADVISE_RANDOM_EXCEEDS_DEPTH=32
BLKADVISE_RANDOM_EXCEEDS_READ_KB=4
BLKADVISE_RANDOM_FROM=measured
BLKADVISE_SCAN_EXCEEDS_IO_MODE=buffered
BLKADVISE_SCAN_EXCEEDS_DEPTH=2
BLKADVISE_SCAN_EXCEEDS_READ_KB=128
BLKADVISE_SCAN_EXCEEDS_HINT=sequential
BLKADVISE_SCAN_FROM=class
BLKADVISE_JOURNAL_BLOCK_KB=16
BLKADVISE_JOURNAL_DEPTH=1
"""
RANDOM = HEAD + "BLKADVISE_RANDOM_EXCEEDS_"
NO_ADVICE = "default: the record has no advice for this"
NO_RECORD = "default: the disk has no record"

# Name, the record, workload, fit, and the answer: mode, depth, hint, read_kb, from.
CASES = [
    ("direct", MEASURED, "random", "exceeds", "direct 32 normal 4 record: measured"),
    ("mmap, fits", MEASURED, "random", "fits", "mmap 64 willneed 4 record: measured"),
    ("scan", MEASURED, "scan", "exceeds", "buffered 2 sequential 128 record: class"),
    ("journal", MEASURED, "journal", "exceeds", "direct 1 normal 16 record"),
    ("no advice for a scan that fits", MEASURED, "scan", "fits",
     f"direct 16 normal 1024 {NO_ADVICE}"),
    ("buffered", RANDOM + "IO_MODE=buffered\nBLKADVISE_RANDOM_EXCEEDS_HINT=random\n"
     "BLKADVISE_RANDOM_EXCEEDS_DEPTH=8\nBLKADVISE_RANDOM_FROM=quirk\n",
     "random", "exceeds", "buffered 8 random 4 record: quirk"),
    ("mode alone", RANDOM + "IO_MODE=mmap\n", "random", "exceeds",
     "mmap 16 normal 4 record: unknown source, default depth"),
    ("depth alone", RANDOM + "DEPTH=3\n", "random", "exceeds",
     "direct 3 normal 4 record: unknown source, default mode"),
    ("a depth beyond the engine's", RANDOM + "DEPTH=99999\n", "random", "exceeds",
     "direct 1024 normal 4 record: unknown source, default mode"),
    ("a read size beyond the engine's, and one between",
     RANDOM + "READ_KB=4294967295\n", "random", "exceeds",
     "direct 16 normal 4096 record: unknown source, default mode, default depth"),
    ("a read size between the engine's", RANDOM + "READ_KB=17\n", "random", "exceeds",
     "direct 16 normal 20 record: unknown source, default mode, default depth"),
    ("unknown words", RANDOM + "IO_MODE=uring\nBLKADVISE_RANDOM_EXCEEDS_HINT=maybe\n"
     "BLKADVISE_RANDOM_EXCEEDS_DEPTH=9\nBLKADVISE_RANDOM_FROM=guess\n",
     "random", "exceeds", "direct 9 normal 4 record: unknown source, default mode"),
    ("no numbers", RANDOM + "IO_MODE=direct\nBLKADVISE_RANDOM_EXCEEDS_DEPTH=-4\n"
     "BLKADVISE_RANDOM_EXCEEDS_READ_KB=big\n", "random", "exceeds",
     "direct 16 normal 4 record: unknown source, default depth"),
    ("nothing but a head", HEAD, "random", "exceeds", f"direct 16 normal 4 {NO_ADVICE}"),
    ("nothing for a journal", HEAD, "journal", "exceeds",
     f"direct 1 normal 4 {NO_ADVICE}"),
    ("half of a journal", HEAD + "BLKADVISE_JOURNAL_BLOCK_KB=8\n", "journal", "exceeds",
     "direct 1 normal 8 record, default depth"),
    ("no record", None, "random", "exceeds", f"direct 16 normal 4 {NO_RECORD}"),
    ("no record, scan", None, "scan", "exceeds", f"direct 16 normal 1024 {NO_RECORD}"),
    ("of an earlier disk", MEASURED.replace("SEQ=9", "SEQ=8"), "random", "exceeds",
     f"direct 16 normal 4 {NO_RECORD}"),
    ("a later format", MEASURED.replace("FORMAT=1", "FORMAT=2"), "random", "exceeds",
     "direct 16 normal 4 default: the disk's record has an unknown format"),
]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def make_root(root, path, record):
    """A machine on which the file @path is on a disk with this record."""
    device = os.stat(path).st_dev
    devnum = f"{os.major(device)}:{os.minor(device)}"
    write(f"{root}/sys/devices/pci0/block/sdc/dev", devnum + "\n")
    write(f"{root}/sys/devices/pci0/block/sdc/diskseq", "9\n")
    os.makedirs(f"{root}/sys/dev/block")
    os.symlink("../../devices/pci0/block/sdc", f"{root}/sys/dev/block/{devnum}")
    if record is not None:
        write(f"{root}/run/blkadvise/disks/{devnum}", record)


def text_of(decision):
    return "{mode} {depth} {hint} {read_kb} {from}".format_map(decision)


def test_record(engine, place, path):
    """The table is not read: a folder and a file that is not there give the same."""
    for name, record, workload, fit, expected in CASES:
        with folder_in(place) as root:
            make_root(root, path, record)
            for file in path, os.path.dirname(path), path + ".missing":
                decision = answer(engine, "decide", file, "--by=record", f"--root={root}",
                                  f"--workload={workload}", f"--fit={fit}")
                assert text_of(decision) == expected, (name, decision)
                assert decision["reads"] == 0, decision
                assert decision["seconds"] >= 0, decision
                assert (decision["by"], decision["workload"], decision["fit"]) == \
                    ("record", workload, fit), decision


def test_run_by_record(engine, place, path):
    """What was decided is what is done."""
    with folder_in(place) as root:
        make_root(root, path, MEASURED)
        common = ["--by=record", f"--root={root}"]
        if has_direct(path):
            both = answer(engine, "run", path, *common, "--rows=500")
            result = both["result"]
            assert (result["mode"], result["depth"]) == ("direct", 32), both
            assert (result["rows"], result["bad"]) == (500, 0), both
            both = answer(engine, "run", place, *common, "--workload=journal",
                          "--writes=5")
            assert both["result"]["writes"] == 5, both
            assert both["result"]["block_kb"] == 16, both
        both = answer(engine, "run", path, *common, "--fit=fits", "--rows=500", "--drop")
        result = both["result"]
        assert (result["mode"], result["hint"], result["bad"]) == ("mmap", "willneed", 0)
        assert result["in_flight"] == both["decision"]["threads"] <= 64, both
        assert result["in_flight"] == min(64, 2 * os.sysconf("SC_NPROCESSORS_ONLN")), both
        both = answer(engine, "run", path, *common, "--workload=scan")
        result = both["result"]
        assert (result["mode"], result["hint"]) == ("buffered", "sequential"), both
        assert (result["depth"], result["read_kb"]) == (2, 128), both
        assert result["rows"] == os.path.getsize(path) // 90, both


def check_probed(path, decision):
    assert decision["mode"] in MODES and decision["hint"] in HINTS, decision
    assert decision["mode"] != "direct" or has_direct(path), decision
    assert decision["reads"] > 0 and decision["seconds"] > 0, decision
    if decision["by"] == "threshold":
        rate = float(decision["from"].split()[1])
        assert decision["depth"] == 16 and decision["hint"] == "normal", decision
        if abs(rate - 15000) > 1:  # it is printed without its fraction
            assert decision["mode"] == ("direct" if rate > 15000 else "mmap"), decision
    else:
        assert decision["depth"] in (1, 4, 16, 64), decision
        assert decision["from"].startswith("probe: "), decision


def test_probed(engine, place, path):
    for by in "threshold", "probe":
        common = [f"--by={by}", "--probe-seconds=0.02"]
        check_probed(path, answer(engine, "decide", path, *common))
        both = answer(engine, "run", path, *common, "--rows=400")
        check_probed(path, both["decision"])
        for key in "mode", "depth", "hint", "engine", "read_kb":
            assert both["result"][key] == both["decision"][key], (key, both)
        assert (both["result"]["rows"], both["result"]["bad"]) == (400, 0), both
        both = answer(engine, "run", path, *common, "--workload=scan")
        check_probed(path, both["decision"])
        assert both["result"]["rows"] == os.path.getsize(path) // 90, both
        decision = answer(engine, "decide", place, *common, "--workload=journal")
        assert text_of(decision) == "direct 1 normal 4 default", decision
        assert decision["reads"] == 0, decision


def test_refusals(engine, path):
    refusal(engine, "decide", path + ".missing", "--by=probe")
    for wrong in "--by=guess", "--workload=write", "--fit=maybe", "--probe-seconds=-1":
        refusal(engine, "decide", path, wrong)


def main():
    engine, place = sys.argv[1:]
    with folder_in(place) as folder:
        path = os.path.join(folder, "table")
        answer(engine, "make", path, 8)
        test_probed(engine, folder, path)
        test_refusals(engine, path)
        if os.major(os.stat(path).st_dev) == 0:
            print("the build folder is on no device with a number: no records")
            return 77
        test_record(engine, folder, path)
        test_run_by_record(engine, folder, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
