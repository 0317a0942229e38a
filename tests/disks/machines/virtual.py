# SPDX-License-Identifier: MIT
"""Block devices without hardware of their own, and network block devices."""

from kit import ata, block, host

from . import captured
from .sata import SAMSUNG_870
from .stack import ahci, board

FILLED = "queue/ as the log shows it; sizes and names"
LOG = "kernel-logs/6.1-multi-device-full.log (loop0, ram0, zram0, nbd0)"
VIRTUAL = "/devices/virtual/block"


def loop(m, number, size, backing=None, **queue):
    disk = block.disk(m, f"{VIRTUAL}/loop{number}", size, (7, number), range=1,
                      events="media_change")
    if backing:
        disk.set({"loop/backing_file": backing, "loop/offset": 0, "loop/sizelimit": 0,
                  "loop/autoclear": 1, "loop/partscan": 0, "loop/dio": 0})
    values = {"scheduler": "none", "timeout": False, "max_hw_sectors_kb": 1280,
              "nr_requests": 128, "rotational": 1, "write_cache": "write through"}
    values.update(queue)
    block.queue(m, disk, **values)
    return block.mq(disk, 1, 128)


@captured("6.1", "Desktop with loop devices (one over a file, one free), a RAM disk and "
          "zram swap, beside a SATA SSD.", LOG, FILLED)
def loop_ram_zram(m):
    board(m)
    ata.disk(m, ahci(m), "sda", 1, 0, SAMSUNG_870)
    loop(m, 0, 131072, "/var/lib/snapd/snaps/core22_1.snap", rotational=0)
    loop(m, 1, 0)
    bio = {"scheduler": None, "iostats": 0, "rq_affinity": 0, "io_poll_delay": 0,
           "write_cache": "write through"}
    ram = block.disk(m, f"{VIRTUAL}/ram0", 32768, (1, 0), range=1)
    block.queue(m, ram, max_hw_sectors_kb=127, physical_block_size=4096, **bio)
    zram = block.disk(m, f"{VIRTUAL}/zram0", 8388608, (251, 0), range=1, ext_range=1)
    zram.set({"disksize": 4294967296, "initstate": 1,
              "comp_algorithm": "lzo lzo-rle lz4 [zstd] ", "backing_dev": "none"})
    block.queue(m, zram, logical_block_size=4096, max_hw_sectors_kb=124,
                optimal_io_size=4096, stable_writes=1, **bio)
    m.expect("sda", "sata-ssd", "sata", "flash", "ahci", "on")
    m.expect("loop0", "stacked", "loop", "unknown", "stacked",
             why="The medium is that of the disk below the file, which only the mount "
             "table tells; the flag alone is none (cases.jsonl d03).")
    m.expect("loop1", "stacked", "loop", "unknown", "stacked",
             why="Free: nothing below, rotational=1 is a default (d06-ohai-ram-loop-rot1).")
    m.expect("ram0", "memory", "ram", "memory", "memory",
             why="Open: design.md names no attachment for memory disks.")
    m.expect("zram0", "memory", "zram", "memory", "memory")


@captured("6.1", "Client with an nbd device (connected), a free one, and a Ceph rbd image.",
          LOG + "; kernel.md 1.1 (nbd, rbd); cases.jsonl h16-safetensors-network", FILLED)
def nbd_rbd(m):
    host.kernel_files(m)
    host.dmi(m, "Dell Inc.", "PowerEdge R640", board="0H28RR")
    for number, size in ((0, 209715200), (1, 0)):
        nbd = block.disk(m, f"{VIRTUAL}/nbd{number}", size, (43, 32 * number), range=32)
        if size:
            nbd.set({"pid": 1234, "backend": "example"})
        block.queue(m, nbd, nr_requests=256, max_hw_sectors_kb=32768, max_sectors_kb=128,
                    write_cache="write back" if size else "write through")
        block.mq(nbd, 1, 128)
        m.expect(f"nbd{number}", "network-disk", "nbd", "unknown", "network",
                 why="rotational=0 is nbd's default, and so is max_sectors_kb 128." if size
                 else "Free: no pid, size 0.")
    m.add("/devices/rbd/0", "rbd").set({
        "pool": "volumes", "name": "volume-pseudo", "image_id": "1f2e3d", "size":
        107374182400, "features": "0x3d", "cluster_fsid": "00000000-pseudo"})
    rbd = block.disk(m, "/devices/rbd/0/block/rbd0", 209715200, (252, 0))
    rbd.link("device", "/devices/rbd/0")
    block.queue(m, rbd, scheduler="none", nr_requests=128, max_hw_sectors_kb=4096,
                max_sectors_kb=4096, optimal_io_size=65536, minimum_io_size=65536)
    block.mq(rbd, 4, 128)
    m.expect("rbd0", "network-disk", "rbd", "unknown", "network")


@captured("6.1", "Server with persistent memory (pmem0, queue/dax 1).",
          "kernel.md 1.1 (pmem: parent subsystem nd, driver nd_pmem)", FILLED)
def pmem_server(m):
    host.kernel_files(m)
    host.dmi(m, "Intel Corporation", "S2600WFT")
    region = "/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0012:00/ndbus0/region0"
    space = m.add(f"{region}/namespace0.0", "nd").driver("nd", "nd_pmem")
    space.set({"mode": "fsdax", "size": 133175443456, "type": "4", "numa_node": 0})
    pmem = block.disk(m, f"{space.path}/block/pmem0", 256172032, (259, 0), range=0)
    pmem.link("device", space.path)
    block.queue(m, pmem, scheduler=None, dax=1, physical_block_size=4096, fua=1,
                max_hw_sectors_kb=127, write_cache="write through")
    m.expect("pmem0", "memory", "pmem", "memory", "memory",
             why="Open: `pmem` is no transport word of design.md, which leaves the list "
             "open; lsblk has none.")
