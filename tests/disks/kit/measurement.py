# SPDX-License-Identifier: MIT
"""Made measurements: the files below /var/lib/blkadvise/measurements.

The format is docs/measuring.md's; agent/policy/measurement.c writes it and
agent/policy/measurement-identity.c names the file."""

FOLDER = "/var/lib/blkadvise/measurements"
MEASURED_AT = 1764547200


def point(work, mode, hint, block_kb, depth, rate, p50_us, p99_us, limits="-",
          engine="io_uring"):
    """One line; `rate` is operations in one second."""
    return (f"point={work} {mode} {hint} {engine} {block_kb} {depth} {rate} 1000000 "
            f"{p50_us} {p99_us} {MEASURED_AT} {limits}")


def direct(rows):
    """Random direct reads of 4 KiB: (depth, rate, p50, p99)."""
    return [point("random-read", "direct", "normal", 4, *row) for row in rows]


def arms(depth, rows):
    """The same reads otherwise: (mode, hint, rate, p50, p99)."""
    return [point("random-read", mode, hint, 4, depth, *row, engine="threads")
            for mode, hint, *row in rows]


def scans(rows):
    """(mode, hint, block_kb, depth, rate, p50, p99)."""
    return [point("sequential-read", *row, engine="threads") for row in rows]


def fnv(text):
    """FNV-1a, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"{value:016x}"


def hashed(*texts):
    """Over the texts, each with its NUL."""
    return fnv("".join(text + "\0" for text in texts))


def machine(machine_id):
    """What a weak identity says of the machine."""
    return fnv(f"blkadvise measurement\0{machine_id}")


def path(identity):
    """Where a measurement of this identity is kept."""
    if "wwn" in identity:
        return f"{FOLDER}/{hashed(identity['wwn'])}"
    keys = ["model", "serial"] + (["place", "machine"] if "weak" in identity else [])
    return f"{FOLDER}/{hashed(*(identity.get(key, '') for key in keys))}"


def keep(m, identity, settings, points):
    """Adds the file to the captured machine `m`."""
    m.file(path(identity), text(identity, settings, points))


def text(identity, settings, points):
    """The whole file; `identity` and `settings` in the order of the file."""
    lines = ["# What blkadvise measured of one disk. \"blkadvise measure --show\" "
             "prints it.", "format=1", "", "[disk]"]
    lines += [f"{key}={value}" for key, value in identity.items()]
    lines += ["", "[settings]"]
    lines += [f"{key}={value}" for key, value in settings.items()]
    lines += ["", "[points]", "# work mode hint engine block_kb depth operations "
              "duration_us p50_us p99_us measured_at limits"]
    return "\n".join(lines + points) + "\n"
