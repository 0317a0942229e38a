# SPDX-License-Identifier: MIT
"""Stacked devices: dm, md, bcache and what links them to their members."""

from . import block

FOLDER = "/devices/virtual/block"


def join(top, members):
    """The slaves/ and holders/ links of a stacked device."""
    name = top.path.rsplit("/", 1)[1]
    for member in members:
        top.link(f"slaves/{member.path.rsplit('/', 1)[1]}", member.path)
        member.link(f"holders/{name}", top.path)
    return top


def stacked(machine, name, number, size, members, **queue):
    """A bio-based device over `members`, as far as all kinds agree."""
    top = block.disk(machine, f"{FOLDER}/{name}", size, number, range=1)
    values = {"scheduler": None, "write_cache": "write back", "iostats": 1,
              "max_hw_sectors_kb": 32767}
    values.update(queue)
    block.queue(machine, top, **values)
    return join(top, members)


def dm(machine, minor, name, uuid, members, size, props=None, **queue):
    top = stacked(machine, f"dm-{minor}", (253, minor), size, members, **queue)
    top.set({"dm/name": name, "dm/uuid": uuid, "dm/suspended": 0,
             "dm/rq_based_seq_io_merge_deadline": 0, "dm/use_blk_mq": 1})
    top.prop({"DM_NAME": name, "DM_UUID": uuid, "DM_SUSPENDED": 0, "DM_ACTIVATION": 1,
              "DM_UDEV_PRIMARY_SOURCE_FLAG": 1, "DM_UDEV_RULES_VSN": 2,
              **(props or {})})
    top.symlinks = [f"disk/by-id/dm-name-{name}", f"disk/by-id/dm-uuid-{uuid}",
                    f"mapper/{name}"]
    return top


def md(machine, minor, level, members, size, chunk=0, **queue):
    top = stacked(machine, f"md{minor}", (9, minor), size, members, **queue)
    top.set({"md/level": level, "md/raid_disks": len(members), "md/chunk_size": chunk,
             "md/array_state": "clean",
             "md/metadata_version": "1.2", "md/degraded": 0})
    top.prop({"MD_LEVEL": level, "MD_DEVICES": len(members), "MD_METADATA": "1.2",
              "MD_UUID": f"00000000:00000000:00000000:{minor:08x}",
              "MD_NAME": f"host:{minor}"})
    top.symlinks = [f"disk/by-id/md-name-host:{minor}", f"md/{minor}"]
    return top


def bcache(machine, minor, backing, cache, size, **queue):
    """bcacheN over a backing disk and a cache; the backing disk has a bcache folder
    of its own, to which bcacheN's bcache link leads."""
    top = stacked(machine, f"bcache{minor}", (252, minor * 128), size,
                  [backing, cache], **queue)
    top.link("bcache", f"{backing.path}/bcache")
    backing.set({"bcache/state": "dirty", "bcache/running": 1, "bcache/label": "",
                 "bcache/cache_mode": "writethrough [writeback] writearound none",
                 "bcache/sequential_cutoff": "4.0M"})
    backing.link("bcache/dev", top.path)
    return top


def drbd(machine, minor, member, size, **queue):
    """drbdN over its local disk; what it writes goes to the peer, too."""
    top = stacked(machine, f"drbd{minor}", (147, minor), size, [member], **queue)
    top.symlinks = [f"drbd/by-disk/{member.path.rsplit('/', 1)[1]}"]
    return top
