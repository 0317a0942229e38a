# SPDX-License-Identifier: MIT
"""What differs between kernels: attribute lists, scheduler lines, readahead rules.

Sources: the lists of 6.1 and 6.12 machines under QEMU, /sys of a 6.18 machine, and
for 4.15, 4.18, 5.4, 5.10, 5.15, 6.6 the kernel sources (blk-sysfs.c, genhd.c).
"""

RELEASE = {
    "4.15": "4.15.0-1092-azure",
    "4.18": "4.18.0-80.11.2.el8_0.x86_64",
    "5.4": "5.4.0-216-generic",
    "5.10": "5.10.0-36-amd64",
    "5.15": "5.15.0-130-generic",
    "6.1": "6.1.0-57-amd64",
    "6.6": "6.6.0-generic",
    "6.12": "6.12.117+deb12-amd64",
    "6.17": "6.17.0-1008-azure",
    "6.18": "6.18.2-generic",
}

# Each kernel's queue/ folder, as what it has more than the one before it.
QUEUE = (
    ("4.15", """add_random chunk_sectors dax discard_granularity discard_max_bytes
        discard_max_hw_bytes discard_zeroes_data hw_sector_size io_poll
        io_poll_delay iostats logical_block_size max_discard_segments
        max_hw_sectors_kb max_integrity_segments max_sectors_kb max_segment_size
        max_segments minimum_io_size nomerges nr_requests optimal_io_size
        physical_block_size read_ahead_kb rotational rq_affinity scheduler
        wbt_lat_usec write_cache write_same_max_bytes write_zeroes_max_bytes
        zoned"""),
    ("4.18", "fua"),
    ("5.4", "io_timeout nr_zones"),
    ("5.10", "stable_writes zone_append_max_bytes"),
    ("5.15", "virt_boundary_mask zone_write_granularity"),
    ("6.1", "dma_alignment"),
    ("6.12", """atomic_write_boundary_bytes atomic_write_max_bytes
        atomic_write_unit_max_bytes atomic_write_unit_min_bytes"""),
    ("6.17", """iostats_passthrough max_write_streams write_stream_granularity
        write_zeroes_unmap_max_bytes write_zeroes_unmap_max_hw_bytes"""),
)

# 6.6 hides these from bio-based devices; older kernels show them without effect.
REQUEST_ONLY = {"scheduler", "nr_requests", "rq_affinity", "io_timeout",
                "wbt_lat_usec"}


def release(machine, text):
    """Names the kernel that a report names; its layout stays that of machine.kernel."""
    machine.file("/proc/sys/kernel/osrelease", text + "\n")


def number(kernel):
    return tuple(int(part) for part in kernel.split("."))


def at_least(kernel, other):
    return number(kernel) >= number(other)


def queue_names(kernel):
    names = set()
    for since, text in QUEUE:
        if at_least(kernel, since):
            names.update(text.split())
    return names


def scheduler_line(kernel, active, known):
    """The text of queue/scheduler: 6.6 reordered it and moved the blank."""
    others = [f"[{name}]" if name == active else name for name in known]
    if at_least(kernel, "6.6"):
        first = "[none]" if active == "none" else "none"
        return " ".join([first] + others) + " "
    if active == "none":
        return " ".join(["[none]"] + others) + " "
    chosen = [f"[{active}]"] + [name for name in known if name != active]
    return " ".join(chosen + ["none"])


def max_sectors_kb(kernel, max_hw_kb, io_opt=0):
    """The default transfer limit: 1280 KiB, 4096 from 6.17 on, or the optimum."""
    cap = 4096 if at_least(kernel, "6.17") else 1280
    if at_least(kernel, "6.12") and io_opt:
        cap = max(cap, io_opt // 1024)
    return min(max_hw_kb, cap)


def read_ahead_kb(kernel, io_opt, rotational, sectors_kb, page_kb=4):
    """The kernel's own readahead, after its rounding to pages."""
    if not at_least(kernel, "5.10"):
        return 128
    derived = 2 * io_opt // 1024
    if at_least(kernel, "6.17") and not io_opt and rotational:
        derived = 2 * sectors_kb
    return max(derived // page_kb * page_kb, 128)
