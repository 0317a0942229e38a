# SPDX-License-Identifier: MIT
"""What the host-side programs of the VM harness share: the place of the cache, cache
entries that appear complete or not at all, and "this cannot run here", which every program
reports on standard error with exit status 77, the one meson counts as skipped."""

import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUITES = {"bullseye": "5.10", "bookworm": "6.1", "trixie": "6.12", "forky": "7.2"}
DEFAULT_CACHE = "/var/cache/blkadvise-vm"


class CannotRun(Exception):
    """Something outside our control is missing: not a failure, a skip."""


def cache_dir(argument=None):
    return pathlib.Path(argument or os.environ.get("BLKADVISE_VM_CACHE") or DEFAULT_CACHE)


def need(*programs):
    missing = [p for p in programs if not find_program(p)]
    if missing:
        raise CannotRun("missing on this machine: " + ", ".join(missing))


def find_program(name):
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return shutil.which(name, path=path)


def run(*command, **kwargs):
    """Runs a command whose chatter is of interest only when it fails."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, **kwargs)
    if done.returncode:
        tail = "\n".join(done.stdout.splitlines()[-20:])
        raise RuntimeError(f"{command[0]} exited with {done.returncode}:\n{tail}")
    return done.stdout


def is_stamped(stamp_file, stamp):
    return stamp_file.is_file() and stamp_file.read_text() == stamp


@contextlib.contextmanager
def new_cache_entry(entry, stamp):
    """Yields an empty folder to fill, which becomes `entry` by a rename at the end; yields
    None where a finished entry with the same stamp is there already. One builder at a time."""
    stamp_file = entry / "stamp"
    if is_stamped(stamp_file, stamp):
        yield None
        return
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        lock = open(entry.parent / f".{entry.name}.lock", "w")
    except OSError as error:
        raise CannotRun(f"no cache: {error}; set BLKADVISE_VM_CACHE") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_stamped(stamp_file, stamp):  # by another, while we waited
            yield None
            return
        work = pathlib.Path(tempfile.mkdtemp(prefix=f".{entry.name}.", dir=entry.parent))
        try:
            work.chmod(0o755)
            yield work
            (work / "stamp").write_text(stamp)
            shutil.rmtree(entry, ignore_errors=True)
            work.rename(entry)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def mmdebstrap(suite, target, *options):
    """A suite that cannot be had (no network, no such suite) is a reason to skip."""
    need("mmdebstrap")
    # A testing suite's release file may be past its date on an archived mirror.
    options += ("--aptopt=Acquire::Check-Valid-Until \"false\"",)
    try:
        run("mmdebstrap", *options, suite, target)
    except RuntimeError as error:
        raise CannotRun(f"cannot get {suite}: {error}") from error


def main(function):
    try:
        sys.exit(function() or 0)
    except CannotRun as reason:
        print(f"{pathlib.Path(sys.argv[0]).name}: skipped: {reason}", file=sys.stderr)
        sys.exit(77)
