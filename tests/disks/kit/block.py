# SPDX-License-Identifier: MIT
"""Block devices: the disk's own attributes, its queue/ and mq/ folders, partitions."""

from . import kernels

# Defaults of every attribute of queue/; a disk states what it has otherwise.
QUEUE_DEFAULTS = {
    "add_random": 0, "chunk_sectors": 0, "dax": 0, "discard_granularity": 0,
    "discard_max_bytes": 0, "discard_max_hw_bytes": 0, "discard_zeroes_data": 0,
    "dma_alignment": 511, "fua": 0, "hw_sector_size": 512, "io_poll": 0,
    "io_poll_delay": -1, "iostats": 1, "io_timeout": 30000,
    "iostats_passthrough": 0, "logical_block_size": 512, "max_discard_segments": 1,
    "max_hw_sectors_kb": 32767, "max_integrity_segments": 0,
    "max_segment_size": 65536, "max_segments": 168, "max_write_streams": 0,
    "minimum_io_size": 512, "nomerges": 0, "nr_requests": 64, "nr_zones": 0,
    "optimal_io_size": 0, "physical_block_size": 512, "rotational": 0,
    "rq_affinity": 1, "stable_writes": 0, "virt_boundary_mask": 0,
    "write_cache": "write back", "write_same_max_bytes": 0,
    "write_stream_granularity": 0, "write_zeroes_max_bytes": 0,
    "write_zeroes_unmap_max_bytes": 0, "write_zeroes_unmap_max_hw_bytes": 0,
    "zone_append_max_bytes": 0, "zone_write_granularity": 0, "zoned": "none",
    "atomic_write_boundary_bytes": 0, "atomic_write_max_bytes": 0,
    "atomic_write_unit_max_bytes": 0, "atomic_write_unit_min_bytes": 0,
}

MQ_DEADLINE = {
    "async_depth": 48, "fifo_batch": 16, "front_merges": 1,
    "prio_aging_expire": 10000, "read_expire": 500, "write_expire": 5000,
    "writes_starved": 2,
}


def queue(machine, block, **given):
    """Fills queue/.  Beside attribute values it takes:

    scheduler: name, or None for a bio-based device; known: the loaded ones;
    page_kb: the machine's page size; timeout=False: driver without io_timeout.
    """
    kernel = machine.kernel
    scheduler = given.pop("scheduler", "mq-deadline")
    known = given.pop("known", ("mq-deadline",))
    page_kb = given.pop("page_kb", 4)
    timeout = given.pop("timeout", True)
    values = {**QUEUE_DEFAULTS, **given}
    derive(kernel, values, page_kb)
    names = kernels.queue_names(kernel)
    if scheduler is None:
        names -= {"io_timeout", "wbt_lat_usec"}
        if kernels.at_least(kernel, "6.6"):
            names -= kernels.REQUEST_ONLY
        values.setdefault("scheduler", "none")
        values["nr_requests"] = given.get("nr_requests", 128)
    else:
        values["scheduler"] = kernels.scheduler_line(kernel, scheduler, known)
        values.setdefault("wbt_lat_usec", 75000 if values["rotational"] else 2000)
    if not timeout:
        names.discard("io_timeout")
    block.set({f"queue/{name}": values[name] for name in sorted(names)})
    if scheduler == "mq-deadline":
        block.set({f"queue/iosched/{name}": value
                   for name, value in MQ_DEADLINE.items()
                   if kernels.at_least(kernel, "5.15")
                   or name not in ("async_depth", "prio_aging_expire")})
    return block


def derive(kernel, values, page_kb):
    """Adds the values that the kernel computes from others."""
    io_opt, logical = values["optimal_io_size"], values["logical_block_size"]
    values["hw_sector_size"] = logical
    values["physical_block_size"] = max(logical, values["physical_block_size"])
    values["minimum_io_size"] = max(values["minimum_io_size"],
                                    values["physical_block_size"])
    values.setdefault("max_sectors_kb", kernels.max_sectors_kb(
        kernel, values["max_hw_sectors_kb"], io_opt))
    values.setdefault("read_ahead_kb", kernels.read_ahead_kb(
        kernel, io_opt, values["rotational"], values["max_sectors_kb"], page_kb))


def mq(block, queues, tags, reserved=0, cpus=None):
    """Fills mq/: one folder per hardware queue."""
    cpus = cpus or max(queues, 4)
    for index in range(queues):
        mine = [str(cpu) for cpu in range(cpus) if cpu * queues // cpus == index]
        block.set({f"mq/{index}/cpu_list": ", ".join(mine),
                   f"mq/{index}/nr_tags": tags,
                   f"mq/{index}/nr_reserved_tags": reserved})
    return block


def disk(machine, path, size, number, removable=0, **attrs):
    """The block of a whole disk.  `size` in 512-byte sectors."""
    name = path.rsplit("/", 1)[1]
    block = machine.add(path, "block", name.replace("!", "/"))
    machine.diskseq += 1
    major, minor = number
    block.prop({"DEVNAME": f"/dev/{name}", "DEVTYPE": "disk", "MAJOR": major,
                "MINOR": minor})
    block.set({"alignment_offset": 0, "capability": 0, "dev": f"{major}:{minor}",
               "discard_alignment": 0, "events_poll_msecs": -1, "ext_range": 256,
               "hidden": 0, "range": 16, "removable": removable, "ro": 0,
               "size": size})
    block.raw("events", "").raw("events_async", "")
    if kernels.at_least(machine.kernel, "5.15"):
        block.set({"diskseq": machine.diskseq})
        block.prop({"DISKSEQ": machine.diskseq})
    if kernels.at_least(machine.kernel, "6.12"):
        block.set({"partscan": 1})
    block.set(attrs)
    return block


def partition(machine, disk_block, number, start, size, dev=None, props=None):
    """The block of a partition, with the properties it inherits from its disk."""
    base = disk_block.path.rsplit("/", 1)[1]
    name = f"{base}{'p' if base[-1].isdigit() else ''}{number}"
    block = machine.add(f"{disk_block.path}/{name}", "block", name)
    major, minor = dev or (disk_block.props["MAJOR"],
                           int(disk_block.props["MINOR"]) + number)
    inherited = {key: value for key, value in disk_block.props.items()
                 if key.startswith("ID_") or key == "DISKSEQ"}
    block.prop({**inherited, "DEVNAME": f"/dev/{name}", "DEVTYPE": "partition",
                "MAJOR": major, "MINOR": minor, "PARTN": number,
                "ID_PART_ENTRY_NUMBER": number, "ID_PART_ENTRY_OFFSET": start,
                "ID_PART_ENTRY_SCHEME": "gpt", "ID_PART_ENTRY_SIZE": size,
                "ID_PART_ENTRY_DISK": disk_block.get("dev"), **(props or {})})
    block.symlinks = [f"{link}-part{number}" for link in disk_block.symlinks
                      if "/by-id/" in link or "/by-path/" in link]
    block.set({"alignment_offset": 0, "dev": f"{major}:{minor}",
               "discard_alignment": 0, "partition": number, "ro": 0,
               "size": size, "start": start})
    return block


def sd_number(name):
    """Device number of an sdX: 16 minors each, majors 8, then 65 and up."""
    index = 0
    for letter in name[2:]:
        index = index * 26 + ord(letter) - ord("a") + 1
    index -= 1
    majors = (8, 65, 66, 67, 68, 69, 70, 71)
    return majors[index // 16], index % 16 * 16
