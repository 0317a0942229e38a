# SPDX-License-Identifier: MIT
"""NVMe controllers, subsystems, namespaces, multipath heads and hidden paths."""

import dataclasses

from . import block, kernels, scsi


@dataclasses.dataclass
class Ssd:
    """One NVMe subsystem with a single namespace."""

    model: str
    serial: str
    firmware: str
    sectors: int
    wwid: str = ""
    max_hw_kb: int = 512
    queues: int = 8
    sqsize: int = 1023
    logical: int = 512
    io_opt: int = 0
    nqn: str = ""
    volatile_cache: bool = True

    @property
    def subsysnqn(self):
        return self.nqn or ("nqn.2014.08.org.nvmexpress:"
                            f"pseudo:{self.serial.lower()}")


def controller(machine, parent, number, ssd, transport="pcie", address=None,
               state="live", cntlid=1, numa=-1, folder="nvme"):
    """nvmeN below a PCI function, a platform device or /devices/virtual."""
    path = f"{parent}/{folder}/nvme{number}" if folder else f"{parent}/nvme{number}"
    ctrl = machine.add(path, "nvme", f"nvme{number}")
    ctrl.prop({"DEVNAME": f"/dev/nvme{number}", "MAJOR": 246, "MINOR": number,
               "NVME_TRTYPE": transport})
    ctrl.set({"model": ssd.model.ljust(40), "serial": ssd.serial.ljust(20),
              "firmware_rev": ssd.firmware.ljust(8), "transport": transport,
              "address": address or scsi.address(parent), "state": state,
              "cntlid": cntlid, "dev": f"246:{number}", "subsysnqn": ssd.subsysnqn})
    if kernels.at_least(machine.kernel, "5.4"):
        ctrl.set({"numa_node": numa, "queue_count": ssd.queues + 1,
                  "sqsize": ssd.sqsize})
    if kernels.at_least(machine.kernel, "5.15"):
        ctrl.set({"kato": 0, "cntrltype": "io"})
    if kernels.at_least(machine.kernel, "6.1"):
        ctrl.set({"dctype": "none"})
    if folder:
        ctrl.link("device", parent)
    return ctrl


def subsystem(machine, number, ssd, controllers, iopolicy="numa"):
    path = f"/devices/virtual/nvme-subsystem/nvme-subsys{number}"
    block_ = machine.add(path, "nvme-subsystem")
    block_.set({"model": ssd.model.ljust(40), "serial": ssd.serial.ljust(20),
                "firmware_rev": ssd.firmware.ljust(8), "iopolicy": iopolicy,
                "subsysnqn": ssd.subsysnqn})
    if kernels.at_least(machine.kernel, "6.1"):
        block_.set({"subsystype": "nvm"})
    for ctrl in controllers:
        block_.link(scsi.address(ctrl.path), ctrl.path)
    return path


def namespace(machine, parent, name, ssd, minor, hidden=False, **queue):
    """A namespace below its controller or, for a head, below its subsystem."""
    disk = block.disk(machine, f"{parent}/{name}", ssd.sectors, (259, minor))
    disk.set({"range": 0, "nsid": 1, "wwid": ssd.wwid or f"eui.{pseudo_eui(ssd)}"})
    if kernels.at_least(machine.kernel, "6.12"):
        disk.set({"csi": 0, "metadata_bytes": 0, "nuse": ssd.sectors,
                  "passthru_err_log_enabled": "off"})
    disk.link("device", parent)
    fill_queue(machine, disk, ssd, queue)
    if hidden:
        disk.node = None
        disk.set({"hidden": 1}).drop("dev")
        disk.prop({"DEVNAME": None, "MAJOR": None, "MINOR": None})
    return disk


def fill_queue(machine, disk, ssd, given):
    values = {"scheduler": "none", "known": ("mq-deadline",),
              "max_hw_sectors_kb": ssd.max_hw_kb, "nr_requests": ssd.sqsize,
              "logical_block_size": ssd.logical, "virt_boundary_mask": 4095,
              "optimal_io_size": ssd.io_opt, "max_segments": 127,
              "max_segment_size": 4294967295, "discard_granularity": ssd.logical,
              "discard_max_bytes": 2199023255040, "max_discard_segments": 256,
              "discard_max_hw_bytes": 2199023255040, "dma_alignment": 3,
              "write_zeroes_max_bytes": 0}
    if not ssd.volatile_cache:
        values["write_cache"] = "write through"
    else:
        values["fua"] = 1
    values.update(given)
    block.queue(machine, disk, **values)
    if values["scheduler"] is not None:
        block.mq(disk, ssd.queues, ssd.sqsize)
    return disk


def pseudo_eui(ssd):
    """A pseudonymous EUI-64 that stays the same on every run."""
    total = 0
    for char in ssd.serial + ssd.model:
        total = (total * 131 + ord(char)) % (1 << 40)
    return f"002538{total:010x}"


def props(disk, ssd, id_path):
    """What 60-persistent-storage.rules gives: no ID_BUS, no ID_TYPE."""
    serial = f"{scsi.clean(ssd.model)}_{scsi.clean(ssd.serial)}"
    wwid = disk.get("wwid")
    disk.prop({"ID_MODEL": ssd.model, "ID_SERIAL_SHORT": ssd.serial,
               "ID_REVISION": ssd.firmware, "ID_NSID": 1, "ID_WWN": wwid,
               "ID_SERIAL": f"{serial}_1"})
    disk.symlinks = [f"disk/by-id/nvme-{wwid}", f"disk/by-id/nvme-{serial}",
                     f"disk/by-id/nvme-{serial}_1"]
    scsi.add_path(disk, id_path)
    return disk


def pcie_disk(machine, function, number, ssd, minor, subsystems=True, **queue):
    """The plain case: one controller, one namespace below it."""
    ctrl = controller(machine, function, number, ssd)
    if subsystems and kernels.at_least(machine.kernel, "5.4"):
        subsystem(machine, number, ssd, [ctrl])
    disk = namespace(machine, ctrl.path, f"nvme{number}n1", ssd, minor, **queue)
    return props(disk, ssd, f"pci-{scsi.address(function)}-nvme-1")


def log_found(machine, number, address, ssd, start=1.2):
    machine.kernel_log([f"nvme nvme{number}: pci function {address}",
                        f"nvme nvme{number}: {ssd.queues}/0/0 default/read/poll "
                        "queues"], start)
