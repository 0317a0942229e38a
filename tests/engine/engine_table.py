# SPDX-License-Identifier: MIT
"""What the tests of the engine share: the table written down a second time, and a run of
the engine."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

ROW = 90
GOLDEN = 0x9E3779B97F4A7C15
FACTOR = 0xBF58476D1CE4E5B9
MASK = (1 << 64) - 1
MODES = ("direct", "buffered", "mmap")
HINTS = ("normal", "random", "sequential", "willneed")


def mix(x):
    x = (x + GOLDEN) & MASK
    x = ((x ^ x >> 30) * FACTOR) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def row(number):
    x, text = mix(number), b""
    for _ in range(12):
        x = (x + GOLDEN) & MASK
        text += (((x ^ x >> 32) * FACTOR) & MASK).to_bytes(8, "little")
    return text[:ROW]


def rows_at_depth_one(seed, rows, n):
    """The rows that the engine gathers, one at a time."""
    x = mix(mix(seed))
    for _ in range(n):
        x = mix(x)
        yield x * rows >> 64


def call(engine, *arguments):
    return subprocess.run([engine, *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def answer(engine, *arguments, status=0):
    """The result, of which there must be one line and nothing on stderr."""
    result = call(engine, *arguments)
    assert result.returncode == status, (arguments, result)
    assert result.stderr == "" and result.stdout.count("\n") == 1, (arguments, result)
    return json.loads(result.stdout)


def refusal(engine, *arguments):
    """What is said on stderr; there must be no result."""
    result = call(engine, *arguments)
    assert result.returncode == 1 and result.stdout == "", (arguments, result)
    assert result.stderr.startswith("engine: ") or "usage: " in result.stderr, result
    return result.stderr


@contextlib.contextmanager
def folder_in(place):
    folder = tempfile.mkdtemp(prefix="engine-test-", dir=place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def flip(path, offset):
    """Changes one byte; a second time changes it back."""
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 0x10]))
        file.flush()
        os.fsync(file.fileno())  # direct reads see the disk


def has_direct(path):
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_DIRECT))
    except OSError:
        return False
    return True


def engines(engine, path):
    """Those that this kernel lets us use."""
    result = call(engine, "gather", path, "--mode=buffered", "--engine=io_uring",
                  "--rows=1")
    if result.returncode == 0:
        return ("threads", "io_uring")
    known = ("Function not implemented", "Operation not permitted",
             "Cannot allocate memory")
    assert any(text in result.stderr for text in known), result
    print(f"without io_uring: {result.stderr.strip()}")
    return ("threads",)


def modes(path):
    if has_direct(path):
        return MODES
    print("without direct reads: the file system has none")
    return MODES[1:]
