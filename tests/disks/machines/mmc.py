# SPDX-License-Identifier: MIT
"""eMMC and SD cards."""

from kit import block, host, scsi

from . import captured

FILLED = ("queue/, CID-derived attributes and pseudonymous serial numbers, in the layout "
          "of kernel-logs/6.1-multi-device-full.log (mmcblk0)")


def sd_status(performance):
    """The SD status in hex; `performance`: 0 none, 1 A1, 2 A2 (bits 339:336)."""
    text = "0000000008000000040090000f05391e00080000000200fc00030000"
    return (text[:43] + str(performance) + text[44:]).ljust(128, "0")


def card(m, host_path, number, address, name, kind, size, minor, id_path=None, attrs=None,
         **queue):
    """mmc_host, card and its block device."""
    controller = f"{host_path}/mmc_host/mmc{number}"
    m.add(controller, "mmc_host")
    path = f"{controller}/mmc{number}:{address}"
    unit = m.add(path, "mmc").driver("mmc", "mmcblk")
    unit.set({"type": kind, "name": "QEMU!", "manfid": "0x000000", "oemid": "0x0000",
              "serial": "0x0000f5eD", "date": "01/2021", "hwrev": "0x0", "fwrev": "0x0",
              "preferred_erase_size": 4194304, "erase_size": 512, **(attrs or {})})
    disk = block.disk(m, f"{path}/block/mmcblk{number}", size, (179, minor), range=8)
    disk.link("device", path).set({"force_ro": 0})
    fill(m, disk, queue)
    disk.prop({"ID_NAME": scsi.clean(unit.get("name")),
               "ID_SERIAL": unit.get("serial")})
    disk.symlinks = [f"disk/by-id/mmc-{scsi.clean(unit.get('name'))}_"
                     f"{unit.get('serial')}"]
    return scsi.add_path(disk, id_path)


def fill(m, disk, queue):
    values = {"max_hw_sectors_kb": 512, "max_segments": 128, "nr_requests": 128,
              "write_cache": "write through", "discard_granularity": 512,
              "discard_max_bytes": 2199023255040, "discard_max_hw_bytes": 2199023255040}
    values.update(queue)
    tags = values.pop("tags", 64)
    block.queue(m, disk, **values)
    return block.mq(disk, 1, tags)


@captured("6.1", "Single-board computer: eMMC with command queue and its boot partition, "
          "an SD card (A2) without one.",
          "cases.jsonl j15-rpi-sd-cqe, j16-armbian-mmc-scheduler; kernel.md 1.1", FILLED)
def emmc_sd_board(m):
    host.kernel_files(m, arm=True)
    soc = "/devices/platform/fe2e0000.mmc"
    m.add(soc, "platform").driver("platform", "sdhci-dwcmshc")
    emmc = card(m, soc, 0, "0001", "mmcblk0", "MMC", 122142720, 0,
                "platform-fe2e0000.mmc", {"name": "A3A564", "manfid": "0x0000d6",
                "serial": "0x0badc0de", "cmdq_en": 1, "fwrev": "0x1100000000000000"},
                nr_requests=62, tags=31, write_cache="write back")
    block.partition(m, emmc, 1, 32768, 122109919)
    boot = block.disk(m, f"{emmc.path}/mmcblk0boot0", 8192, (179, 8), range=8, ro=1)
    boot.link("device", emmc.path).set({"force_ro": 1})
    fill(m, boot, {})
    slot = "/devices/platform/fe2c0000.mmc"
    m.add(slot, "platform").driver("platform", "dwmmc_rockchip")
    card(m, slot, 1, "aaaa", "mmcblk1", "SD", 124735488, 16, "platform-fe2c0000.mmc",
         {"name": "SN64G", "manfid": "0x000003", "serial": "0x0badc0df",
          "oemid": "0x5344", "ssr": sd_status(2)})
    m.expect("mmcblk0", "emmc", "mmc", "flash", "emmc",
             why="device/type MMC is a fact about the medium, not a bare flag.")
    m.expect("mmcblk0boot0", "emmc", "mmc", "flash", "emmc",
             why="A hardware partition: a disk of its own in mmcblk0's folder, whose "
             "device link leads to mmcblk0.")
    m.expect("mmcblk1", "sd-card", "mmc", "flash", "sd",
             findings=["sd-no-command-queue:info"],
             why="Class A2 promises what only a command queue gives, and Linux uses none "
             "here (R51).")


@captured("5.15", "Laptop with an SD card in a PCI reader: udev gives no ID_PATH.",
          "kernel-logs/6.1-multi-device-full.log (mmcblk0); kernel.md 1.3", FILLED)
def sd_card_pci(m):
    host.kernel_files(m)
    host.dmi(m, "LENOVO", "20Q0CTO1WW", bios="N2JET90W")
    port = "/devices/pci0000:00/0000:00:1d.0"
    host.bridge(m, port, "8086:9db0", (2.5, 1, 8.0, 4))
    host.pci(m, f"{port}/0000:3d:00.0", "0x080501", "1217:8621", "sdhci-pci",
             "17aa:2292", link=(2.5, 1, 2.5, 1))
    card(m, f"{port}/0000:3d:00.0", 0, "0001", "mmcblk0", "SD", 62333952, 0, None,
         {"name": "EB1QT", "manfid": "0x00001b", "serial": "0x0badc0e0",
          "ssr": sd_status(0)})
    m.expect("mmcblk0", "sd-card", "mmc", "flash", "sd",
             why="A card of no performance class has no queue to miss.")
