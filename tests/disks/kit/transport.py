# SPDX-License-Identifier: MIT
"""SCSI transports other than libata and USB: SAS, Fibre Channel, iSCSI, RAID HBAs."""

from . import ata, kernels, scsi


def sas_host(machine, function, number, driver, can_queue):
    root = scsi.host(machine, function, number, driver, can_queue, 7)
    if f"{root}/sas_host/host{number}" not in machine.blocks:
        machine.add(f"{root}/sas_host/host{number}", "sas_host")
    return root


def end_device(machine, root, number, port, address, protocol="ssp", expander=None):
    """port and end device of a SAS disk; with `expander` behind that one."""
    if expander is None:
        path, end = f"{root}/port-{number}:{port}", f"end_device-{number}:{port}"
    else:
        path = (f"{root}/port-{number}:{expander}/expander-{number}:{expander}/"
                f"port-{number}:{expander}:{port}")
        end = f"end_device-{number}:{expander}:{port}"
    machine.add(f"{path}/{end}/sas_device/{end}", "sas_device").set(
        {"device_type": "end device", "sas_address": f"0x{address}",
         "phy_identifier": port, "target_port_protocols": protocol})
    machine.add(f"{path}/{end}/sas_end_device/{end}", "sas_end_device").set(
        {"ready_led_meaning": 0, "tlr_enabled": 0, "tlr_supported": 0})
    return f"{path}/{end}"


def sas_disk(machine, root, number, port, name, inquiry, sectors, wwn, **options):
    """A SAS disk, or a SATA disk behind the HBA's own translation.

    Options: rate (VPD 0xB1), drive (an ata.Drive, for VPD 0x89 and udev), depth,
    expander, kind, serial, and attributes of queue/."""
    drive, rate = options.pop("drive", None), options.pop("rate", None)
    depth, serial = options.pop("depth", 254), options.pop("serial", "PSEUDO")
    end = end_device(machine, root, number, port, wwn, "sata" if drive else "ssp",
                     options.pop("expander", None))
    sdev = scsi.device(machine, end, f"{number}:0:{port}:0", *inquiry, depth, "0644",
                       kind=options.pop("kind", 0))
    sdev.set({"wwid": f"naa.{wwn}", "sas_address": f"0x{wwn}"})
    if drive:
        sdev.set({"sas_ncq_prio_enable": 0})
        if kernels.at_least(machine.kernel, "5.10"):
            sdev.hex("vpd_pg89", ata.vpd_89(ata.identify(drive, drive.gen), "LSI SATL",
                                            "LSI", "0008"))
    if rate is not None:
        scsi.set_vpd_b1(machine, sdev, rate)
    values = {"rotational": 0 if rate == 1 else 1, "nr_requests": 256,
              "add_random": 0 if rate == 1 else 1, "max_hw_sectors_kb": 16383,
              "max_segments": 128, "mq": (1, 9664)}
    values.update(options)
    disk = scsi.sd(machine, sdev, name, sectors, **values)
    path = f"pci-{scsi.address(root.rsplit('/', 1)[0])}-sas-0x{wwn}-lun-0"
    if drive:
        return ata.drive_props(disk, drive, path)
    return scsi.scsi_props(disk, *inquiry, serial, path, f"0x{wwn}")



def raid_volume(machine, root, hctl, name, inquiry, sectors, depth, **options):
    """A logical volume of a RAID controller, addressed by host:channel:id:lun."""
    rate, wwn = options.pop("rate", None), options.pop("wwn")
    serial = options.pop("serial", "PSEUDO")
    sdev = scsi.device(machine, root, hctl, *inquiry, depth, "0644",
                       attrs=options.pop("device", None))
    sdev.set({"wwid": f"naa.{wwn}"})
    if rate is not None:
        scsi.set_vpd_b1(machine, sdev, rate)
    values = {"rotational": 0 if rate == 1 else 1, "nr_requests": 256,
              "add_random": 0 if rate == 1 else 1, "max_hw_sectors_kb": 1024,
              "write_cache": "write through", "mq": (1, 5093)}
    values.update(options)
    disk = scsi.sd(machine, sdev, name, sectors, **values)
    function = scsi.address(root.rsplit("/", 1)[0])
    return scsi.scsi_props(disk, *inquiry, serial, f"pci-{function}-scsi-{hctl}",
                           f"0x{wwn}")


def fc_host(machine, function, number, driver):
    root = scsi.host(machine, function, number, driver, 2048, 3)
    if f"{root}/fc_host/host{number}" not in machine.blocks:
        machine.add(f"{root}/fc_host/host{number}", "fc_host").set(
            {"port_name": f"0x210000000000{number:04x}", "port_state": "Online",
             "speed": "16 Gbit", "port_type": "NPort (fabric via point-to-point)"})
    return root


def fc_lun(machine, root, number, target, lun, name, inquiry, sectors, wwn, **options):
    rport = f"{root}/rport-{number}:0-{target + 2}"
    label = rport.rsplit("/", 1)[1]
    if f"{rport}/fc_remote_ports/{label}" not in machine.blocks:
        machine.add(f"{rport}/fc_remote_ports/{label}", "fc_remote_ports").set(
            {"port_name": f"0x500000000000{target:04x}", "port_state": "Online",
             "roles": "FCP Target", "dev_loss_tmo": 60})
    hctl = f"{number}:0:{target}:{lun}"
    sdev = scsi.device(machine, rport, hctl, *inquiry, options.pop("depth", 32), "0644",
                       attrs={"wwid": f"naa.{wwn}", "access_state": "active/optimized",
                              "dh_state": "alua"})
    rate = options.pop("rate", None)
    if rate is not None:
        scsi.set_vpd_b1(machine, sdev, rate)
    values = {"rotational": 0 if rate == 1 else 1, "nr_requests": 256,
              "max_hw_sectors_kb": 32767, "mq": (8, 2048), "scheduler": "none"}
    values.update(options)
    disk = scsi.sd(machine, sdev, name, sectors, **values)
    function = scsi.address(root.rsplit("/", 1)[0])
    path = f"pci-{function}-fc-0x500000000000{target:04x}-lun-{lun}"
    return scsi.scsi_props(disk, *inquiry, wwn[:16], path, f"0x{wwn}")


def iscsi_lun(machine, number, session, name, inquiry, sectors, wwn, **options):
    """A LUN of a software iSCSI session: /devices/platform/hostN/sessionM."""
    root = scsi.host(machine, "/devices/platform", number, "iscsi_tcp", 113, 32)
    if f"{root}/iscsi_host/host{number}" not in machine.blocks:
        machine.add(f"{root}/iscsi_host/host{number}", "iscsi_host").set(
            {"initiatorname": "iqn.2024-01.example:host", "netdev": "eth0"})
    link = f"{root}/session{session}"
    machine.add(f"{link}/iscsi_session/session{session}", "iscsi_session").set(
        {"targetname": "iqn.2024-01.example:target1", "state": "LOGGED_IN"})
    machine.add(f"{link}/connection{session}:0/iscsi_connection/connection{session}:0",
                "iscsi_connection").set({"address": f"192.0.2.{30 + session}",
                                         "port": 3260})
    rate, depth = options.pop("rate", None), options.pop("depth", 32)
    sdev = scsi.device(machine, link, f"{number}:0:0:0", *inquiry, depth, "0644",
                       attrs={"wwid": f"naa.{wwn}"})
    if rate is not None:
        scsi.set_vpd_b1(machine, sdev, rate)
    values = {"rotational": 0 if rate == 1 else 1, "nr_requests": 226,
              "mq": (1, 113), "max_hw_sectors_kb": 32767}
    values.update(options)
    disk = scsi.sd(machine, sdev, name, sectors, **values)
    return scsi.scsi_props(
        disk, *inquiry, wwn[:16], f"ip-192.0.2.{30 + session}:3260-iscsi-"
        "iqn.2024-01.example:target1-lun-0", f"0x{wwn}")
