# SPDX-License-Identifier: MIT
"""The machine around the disks: DMI, kernel files, PCI functions and their ports."""

from . import kernels

X86_FLAGS = ("fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat "
             "pse36 clflush mmx fxsr sse sse2 ht syscall nx lm constant_tsc "
             "rep_good nopl nonstop_tsc cpuid pni ssse3 cx16 sse4_1 sse4_2 popcnt")
ARM_FLAGS = "fp asimd evtstrm aes pmull sha1 sha2 crc32 cpuid"


def kernel_files(machine, cmdline="BOOT_IMAGE=/boot/vmlinuz root=/dev/mapper/root "
                 "ro quiet", guest=False, efi=False, arm=False, cpus=0):
    """Command line, CPU flags (hypervisor for guests), kernel release, EFI; with
    `cpus` how many of them are online."""
    machine.file("/proc/cmdline", cmdline + "\n")
    flags = X86_FLAGS + (" hypervisor" if guest else " vmx")
    machine.file("/proc/cpuinfo", f"Features\t: {ARM_FLAGS}\n" if arm
                 else f"flags\t\t: {flags}\n")
    machine.file("/proc/sys/kernel/osrelease", kernels.RELEASE[machine.kernel] + "\n")
    if cpus:
        machine.file("/sys/devices/system/cpu/online",
                     f"0-{cpus - 1}\n" if cpus > 1 else "0\n")
    if efi:
        machine.file("/sys/firmware/efi/fw_platform_size", "64\n")


def dmi(machine, sys_vendor, product, board_vendor="", board="", bios_vendor="",
        bios=""):
    block = machine.add("/devices/virtual/dmi/id", "dmi")
    block.set({"sys_vendor": sys_vendor, "product_name": product,
               "board_vendor": board_vendor or sys_vendor,
               "board_name": board or product,
               "bios_vendor": bios_vendor or sys_vendor, "bios_version": bios})


def pci(machine, path, klass, ids, driver=None, subsystem=None, revision="0x00",
        link=None, numa=-1):
    """A PCI function.

    ids and subsystem are "vendor:device" in hex; link is (speed, width, maximal
    speed, maximal width) for PCI Express, speed in GT/s.
    """
    if path in machine.blocks:
        return machine.blocks[path]
    block = machine.add(path, "pci")
    vendor, device = ids.split(":")
    sub_vendor, sub_device = (subsystem or ids).split(":")
    block.set({"class": klass, "vendor": f"0x{vendor}", "device": f"0x{device}",
               "subsystem_vendor": f"0x{sub_vendor}", "enable": 1,
               "subsystem_device": f"0x{sub_device}", "revision": revision,
               "numa_node": numa, "power/runtime_status": "active",
               "modalias": modalias(klass, ids, subsystem or ids)})
    block.prop({"PCI_ID": ids.upper(), "PCI_CLASS": klass[2:].lstrip("0").upper(),
                "PCI_SLOT_NAME": path.rsplit("/", 1)[1]})
    if link:
        speed, width, max_speed, max_width = link
        block.set({"current_link_speed": speed_text(machine.kernel, speed),
                   "max_link_speed": speed_text(machine.kernel, max_speed),
                   "current_link_width": width, "max_link_width": max_width})
    if driver:
        block.driver("pci", driver)
    return block


def bridge(machine, path, ids, link, subsystem=None):
    """A PCI Express root port or switch port above a function."""
    return pci(machine, path, "0x060400", ids, "pcieport", subsystem, link=link)


def modalias(klass, ids, subsystem):
    vendor, device = ids.upper().split(":")
    sub_vendor, sub_device = subsystem.upper().split(":")
    return (f"pci:v0000{vendor}d0000{device}sv0000{sub_vendor}sd0000{sub_device}"
            f"bc{klass[2:4].upper()}sc{klass[4:6].upper()}i{klass[6:8].upper()}")


def speed_text(kernel, gts):
    """5.15 writes "8.0 GT/s PCIe", older kernels "8 GT/s"."""
    if kernels.at_least(kernel, "5.15"):
        return f"{gts:.1f} GT/s PCIe"
    return f"{gts:g} GT/s"
