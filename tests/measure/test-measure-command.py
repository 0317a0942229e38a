#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What `measure` promises besides its figures, on a real file in the folder FOLDER: exit
codes, what it refuses, the members of its JSON, that what is kept is read again and added
to, that an interrupted run keeps its points, that of --write nothing remains, and that
progress is drawn on terminals alone. Nothing is kept but below FOLDER. No time and no
speed is looked at. What needs a disk that a file can be traced to is skipped by name where
there is none, as under a container's overlay.

usage: test-measure-command.py WHAT COMMAND REPOSITORY FOLDER

    refusals    what is not measured
    runs        what is; exit code 77 if no disk can be told for FOLDER
"""
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COMMAND = str(pathlib.Path(sys.argv[2]).resolve())
REPOSITORY = pathlib.Path(sys.argv[3]).resolve()
RULES = f"--rules={REPOSITORY / 'rules'}"
CAPTURE = f"--from={REPOSITORY / 'tests' / 'disks' / 'seed-ich10r-ahci.capture'}"
FILE_MB = 96
SKIPPED = 77
TRIES = 4
PATIENCE_S = 60
EVENT = {"ACTION": "add", "DEVPATH": "/devices/virtual/block/none", "SEQNUM": "1"}
POINT = {"work", "mode", "hint", "engine", "block_kb", "depth", "operations", "duration_us",
         "iops", "kbps", "p50_us", "p99_us", "measured_at", "limits", "counts"}
DISK = {"name", "devnum", "syspath", "target", "medium", "area_kb", "interrupted",
        "complete", "notes", "measurement", "reasoning", "kept", "published"}
problems = []
skipped = []


def check(condition, text):
    if not condition:
        problems.append(text)
    return bool(condition)


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if key not in EVENT}
    return {**kept, "LC_ALL": "C", **more}


def run_once(*words, cwd=None, **more):
    return subprocess.run([COMMAND, RULES, *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=cwd, timeout=PATIENCE_S * 3,
                          stdin=subprocess.DEVNULL, env=environment(**more), check=False)


def run(*words, **more):
    """The disk may be somebody else's for longer than the command waits for it."""
    for _ in range(TRIES):
        result = run_once(*words, **more)
        if "does not end" not in result.stderr:
            break
    return result


def refuses(code, text, *words, **more):
    """The command ends with this code and says this, and nothing on standard output."""
    result = run("measure", *words, **more)
    said = f"measure {' '.join(map(str, words))}: code {result.returncode}, {result.stderr!r}"
    check(result.returncode == code, f"{said}: not {code}")
    check(text in result.stderr, f"{said}: not {text!r}")
    check(not result.stdout, f"{said}: printed {result.stdout!r}")


def as_json(result):
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError as error:
        problems.append(f"no JSON: {error}: {result.stdout[:300]!r} {result.stderr[:300]!r}")
        return {}


def without_turns(text):
    """Somebody else may measure on this machine: then ours says that it waits."""
    return re.sub(r"blkadvise: another measurement is at work[^\n]*\n", "", text)


def kind(point):
    return tuple(point[key] for key in ("work", "mode", "hint", "block_kb", "depth"))


def files_below(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def write_random(path, megabytes):
    with open(path, "wb") as file:
        for _ in range(megabytes):
            file.write(os.urandom(1 << 20))
        os.fsync(file.fileno())


def test_usage(folder):
    refuses(2, "usage: blkadvise measure")
    refuses(2, "usage: blkadvise measure", "a", "b")
    for budget in ("0", "601", "x", "-1", "1.5", "", "10s"):
        refuses(2, "seconds, from 1 to 600", f"--budget={budget}", folder)
    refuses(2, "with --show only", CAPTURE, "sda")
    refuses(2, "with --show only", f"--root={folder}", "sda")
    refuses(2, "neither a disk nor --write", "--all", "sda")
    refuses(2, "neither a disk nor --write", "--all", f"--write={folder}")
    refuses(2, "measures nothing", "--show", "--budget=3")
    refuses(2, "measures nothing", "--show", f"--write={folder}")
    refuses(2, "does not take --env", "--env", folder)
    refuses(2, "not a folder", f"--write={folder}/not-there", folder)


def test_refusals(folder):
    refuses(3, "no such disk, file or folder", "no-such-disk")
    refuses(3, "no such disk, file or folder", folder / "no-such-file")
    refuses(3, "nothing to measure", "/proc/version")
    refuses(3, "neither a disk nor a file nor a folder", "/dev/null")
    for word in ("/proc/version", folder, "no-such-disk"):
        refuses(1, "udev event", word, **EVENT)
    result = run("measure", "--show", f"--store={folder}", **EVENT)
    check(result.returncode == 0, f"--show looks only, and may do so in an event: {result}")


def test_memory():
    shm = pathlib.Path("/dev/shm")
    if not shm.is_dir() or not os.access(shm, os.W_OK) or not shm.is_mount():
        skipped.append("memory: no /dev/shm")
        return
    with tempfile.TemporaryDirectory(dir=shm) as folder:
        path = pathlib.Path(folder) / "file"
        write_random(path, 1)
        refuses(3, "nothing to measure", path)
        refuses(3, "nothing to measure", f"--write={folder}")


def find_disk(folder):
    """The disk under the folder by its name; None if the command cannot tell."""
    result = run("measure", "--dry-run", "--json", folder)
    if result.returncode == 3:
        skipped.append(f"all that measures: {result.stderr.strip()}")
        return None
    check(result.returncode == 0, f"dry run: {result}")
    plan = as_json(result)
    check(plan.get("dry_run") is True, f"dry run: {plan}")
    disk = plan["disks"][0]
    check(disk["target"] == str(folder) and disk["budget_s"] == 10, f"dry run: {disk}")
    if "path" not in disk:
        skipped.append("all that measures: nothing identifies the disk")
        return None
    return disk["name"]


def test_small(folder):
    small = folder / "small"
    small.mkdir()
    refuses(1, "there is no file", small)
    (small / "file").write_bytes(b"x" * 4096)
    refuses(1, "too small", small / "file")
    refuses(1, "there is no file", small)
    with open(small / "holes", "wb") as file:
        file.truncate(1 << 30)
    refuses(1, "holes", small / "holes")


def test_names(folder, disk):
    """A word that names a disk means the disk, whatever lies in the current folder."""
    here = folder / "names"
    here.mkdir()
    (here / disk).write_bytes(b"x" * 4096)
    result = run("measure", "--dry-run", "--json", disk, cwd=here)
    if result.returncode == 0:
        target = as_json(result)["disks"][0]["target"]
        check(target.startswith("/dev/"), f"the disk, not the file: {target}")
    else:
        check("its node cannot be found" in result.stderr, f"no node: {result}")
    target = as_json(run("measure", "--dry-run", "--json", f"./{disk}", cwd=here))
    check(target["disks"][0]["target"] == f"./{disk}", f"the file: {target}")


def check_measurement(measurement):
    points = measurement["points"]
    check(points, "no points")
    for point in points:
        check(point.keys() == POINT, f"point: {point}")
        check(point["operations"] > 0 and point["duration_us"] > 0, f"empty: {point}")
        check(0 < point["p50_us"] <= point["p99_us"], f"percentiles: {point}")
    check(len({kind(point) for point in points}) == len(points), "a point is there twice")
    depths = {point["depth"] for point in points
              if point["work"] == "random-read" and point["mode"] == "direct"}
    check(1 in depths, f"depth 1 is missing: {depths}")
    knee = measurement["figures"].get("knee_depth")
    unusable = {"io-max", "cpu-quota", "cache", "implausible"}
    if knee is None: # all points were somebody else's limits
        check(all(unusable & set(point["limits"]) for point in points
                  if point["work"] == "random-read" and point["mode"] == "direct"),
              f"no knee: {measurement['figures']}")
    else:
        check(knee in depths, f"the knee {knee} is none of {depths}")
        check(measurement["figures"].get("latency_depth", 1) in depths, "latency depth")


def test_run(data, store):
    """Returns the points of two runs."""
    before = data.stat()
    result = run("measure", "--json", "--budget=1", f"--store={store}", data)
    check(result.returncode == 0, f"measure: {result}")
    check(not without_turns(result.stderr), f"no terminal, no progress: {result.stderr!r}")
    disk = as_json(result)["disks"][0]
    check(DISK <= disk.keys(), f"missing: {DISK - disk.keys()}")
    check(disk["kept"] and not disk["published"] and not disk["interrupted"],
          f"kept, and not published from a store: {disk}")
    check(disk["target"] == str(data), f"target: {disk['target']}")
    check(0 < disk["area_kb"] <= FILE_MB * 1024, f"area: {disk['area_kb']}")
    check_measurement(disk["measurement"])
    works = {point["work"] for point in disk["measurement"]["points"]}
    check(works == {"random-read", "sequential-read"}, f"reads only: {works}")
    check(files_below(store) == [pathlib.Path(disk.get("path", "none"))], f"kept: {files_below(store)}")
    after = data.stat()
    check((before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size),
          "the file was changed")

    second = run("measure", "--json", "--budget=1", "--threads", f"--store={store}", data)
    check(second.returncode == 0, f"again: {second}")
    both = as_json(second)["disks"][0]["measurement"]["points"]
    first = {kind(point) for point in disk["measurement"]["points"]}
    check(first <= {kind(point) for point in both}, "points of the first run are gone")
    check(any(point["engine"] == "threads" and point["mode"] == "direct"
              for point in both), "--threads was not used")
    return both


def test_show(store, disk, points):
    shown = as_json(run("measure", "--show", "--json", f"--store={store}"))
    names = [one["name"] for one in shown["disks"] if "measurement" in one]
    check(disk in names and not shown["absent"], f"--show: {names} {shown['absent']}")
    kept = next(one for one in shown["disks"] if one["name"] == disk)["measurement"]
    check(kept["points"] == points, "what is kept is not what was said")
    check(kept["stale"] == [], f"stale at once: {kept.get('stale_why')}")
    text = run("measure", "--show", f"--store={store}", disk)
    check(text.returncode == 0 and "it counts" in text.stdout and "P99_US" in text.stdout,
          f"--show in words: {text}")
    explained = run("explain", f"--store={store}", disk).stdout
    check("\n  measured\n" in explained and "because:" in explained,
          f"explain does not reason: {explained}")
    check("\n  measured\n" in run("show", f"--store={store}", disk).stdout, "show")
    listed = as_json(run("list", "--json", f"--store={store}", disk))["disks"][0]
    check(listed["measurement"]["points"] == points and listed["reasoning"], "list --json")
    record = run("advise", f"--store={store}", store).stdout
    check("BLKADVISE_RANDOM_READ_IOPS_QD1=" in record, f"advise: {record}")
    elsewhere = as_json(run("measure", "--show", "--json", f"--store={store}/nothing"))
    check(not elsewhere["absent"], f"an empty store: {elsewhere}")


def replace_line(path, key, value):
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines)
             if line.split("=")[0].strip() == key]
    check(found, f"no line {key} in {path}")
    for number in found:
        lines[number] = f"{key}={value}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_stale(store, disk, scratch):
    """Another readahead makes it stale in part, another scheduler as a whole."""
    for key, value, words, some in (("read_ahead_kb", "77", "stale in part", True),
                                    ("scheduler", "odd", "nothing of it counts", False)):
        copy = scratch / f"stale-{key}"
        shutil.copytree(store, copy)
        replace_line(files_below(copy)[0], key, value)
        text = run("measure", "--show", f"--store={copy}", disk)
        check(words in text.stdout and key in text.stdout, f"{key}: {text}")
        shown = as_json(run("measure", "--show", "--json", f"--store={copy}", disk))
        kept = shown["disks"][0]["measurement"]
        check(kept["stale"] == [key] and value in kept["stale_why"], f"{key}: {kept}")
        check(any(point["counts"] for point in kept["points"]) == some, f"{key}: counts")


def test_absent(store, scratch):
    """What belongs to no disk is shown by model or place; what is broken is said."""
    copy = scratch / "absent"
    shutil.copytree(store, copy)
    kept = files_below(copy)[0]
    kept.rename(kept.with_name("0" * len(kept.stem) + kept.suffix))
    shown = as_json(run("measure", "--show", "--json", f"--store={copy}"))
    check(len(shown["absent"]) == 1 and shown["absent"][0]["points"], f"absent: {shown}")
    text = run("measure", "--show", f"--store={copy}")
    check(text.returncode == 0 and "not here now: " in text.stdout, f"absent: {text}")
    kept = files_below(copy)[0]
    kept.write_text("nonsense\n", encoding="utf-8")
    broken = run("measure", "--show", f"--store={copy}")
    check(broken.returncode == 1 and kept.name in broken.stderr, f"broken: {broken}")


def test_not_kept(data):
    """Figures are shown even if they cannot be kept; the message names the file."""
    result = run("measure", "--budget=1", "--store=/proc", data)
    check(result.returncode in (1, 4), f"not kept: {result}")
    check("random-read" in result.stdout and "P99_US" in result.stdout, f"not kept: {result}")
    check("not kept: /proc/var/lib/blkadvise/measurements/" in result.stderr,
          f"not kept: {result.stderr!r}")
    check("kept in" not in result.stdout, "it says that it was kept")
    quiet = run("measure", "--budget=1", "--quiet", "--store=/proc", data)
    check(quiet.returncode in (1, 4) and not quiet.stdout and "not kept" in quiet.stderr,
          f"--quiet: {quiet}")


@contextlib.contextmanager
def started(*words, stderr=subprocess.PIPE):
    with subprocess.Popen([COMMAND, RULES, "measure", *map(str, words)], text=True,
                          stdout=subprocess.PIPE, stderr=stderr,
                          stdin=subprocess.DEVNULL, env=environment()) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    problems.append(f"never: {what}")


def test_interrupt(data, scratch):
    store = scratch / "interrupted"
    with started("--json", "--budget=600", f"--store={store}", data) as process:
        wait_until(lambda: store.exists() and files_below(store), "a first point is kept")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_S)
    check(process.returncode == 130, f"interrupted: {process.returncode}")
    disk = json.loads(out)["disks"][0]
    check(disk["interrupted"] and not disk["complete"] and disk["kept"], f"said: {disk}")
    shown = as_json(run("measure", "--show", "--json", f"--store={store}", disk["name"]))
    check(shown["disks"][0]["measurement"]["points"] == disk["measurement"]["points"] != [],
          "the points are not kept")


def test_turns(data):
    """A second measurement waits for the first."""
    folder = os.open("/sys/block", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with started(data) as process:
            line = process.stderr.readline()
            check("another measurement is at work" in line, f"waits: {line!r}")
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=PATIENCE_S)
        check(process.returncode == 130 and not out, f"waited: {process.returncode} {out!r}")
    finally:
        os.close(folder)


def test_write(folder, store):
    here = folder / "writes"
    here.mkdir()
    sentinel = here / "sentinel"
    sentinel.write_bytes(b"stays as it is\n")
    before = (sorted(os.listdir(here)), sentinel.stat().st_mtime_ns)
    result = run("measure", "--json", "--budget=2", f"--store={store}", f"--write={here}")
    check(result.returncode == 0, f"--write: {result}")
    disk = as_json(result)["disks"][0]
    check(disk["write_folder"] == str(here), f"--write: {disk}")
    works = {point["work"] for point in disk["measurement"]["points"]}
    check({"journal-write", "random-write", "sequential-write"} & works, f"--write: {works}")
    check((sorted(os.listdir(here)), sentinel.stat().st_mtime_ns) == before and
          sentinel.read_bytes() == b"stays as it is\n", "something is left of --write")
    shm = pathlib.Path("/dev/shm")
    if shm.is_mount():
        refuses(3, "nothing to measure", f"--write={shm}", here)


def read_terminal(controller):
    text = b""
    with contextlib.suppress(OSError): # EIO when the other end is closed
        while chunk := os.read(controller, 4096):
            text += chunk
    return text


def test_progress(data, store):
    for words, shown in (((), True), (("--quiet",), False)):
        controller, terminal = pty.openpty()
        with started("--budget=1", f"--store={store}", *words, data,
                     stderr=terminal) as process:
            os.close(terminal)
            text = without_turns(read_terminal(controller).decode())
            out, _ = process.communicate(timeout=PATIENCE_S)
        os.close(controller)
        check(process.returncode == 0, f"on a terminal: {process.returncode} {text!r}")
        check(("\r" in text) == shown, f"progress {words}: {text!r}")
        check(("random-read" in out) == shown, f"figures {words}: {out!r}")
        if shown:
            check("%" in text and "\n" not in text, f"in place: {text!r}")
            check(text.endswith(" \r"), f"cleared at the end: {text[-40:]!r}")


def test_all():
    result = run("measure", "--all", "--dry-run", "--json")
    for disk in as_json(result)["disks"]:
        check(("skipped" in disk) != ("target" in disk), f"--all: {disk}")
        if disk["name"].startswith(("loop", "ram", "zram", "dm-", "md", "sr")):
            check("skipped" in disk, f"--all: {disk}")


def refusals(folder, _):
    test_usage(folder)
    test_refusals(folder)
    test_memory()
    test_all()


def runs(folder, scratch):
    disk = find_disk(folder)
    if not disk:
        return
    data, store = folder / "data", scratch / "store"
    write_random(data, FILE_MB)
    test_small(folder)
    test_names(folder, disk)
    points = test_run(data, store)
    test_show(store, disk, points)
    test_stale(store, disk, scratch)
    test_absent(store, scratch)
    test_not_kept(data)
    test_interrupt(data, scratch)
    test_turns(data)
    test_progress(data, store)
    test_write(folder, store)


def main():
    base = pathlib.Path(sys.argv[4]).resolve()
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base) as name:
        folder, scratch = pathlib.Path(name) / "files", pathlib.Path(name) / "kept"
        folder.mkdir()
        scratch.mkdir()
        {"refusals": refusals, "runs": runs}[sys.argv[1]](folder, scratch)
    for text in skipped:
        print(f"SKIPPED {text}")
    print("\n".join(problems) if problems else "no problems")
    if problems:
        return 1
    return SKIPPED if skipped and sys.argv[1] == "runs" else 0


if __name__ == "__main__":
    sys.exit(main())
