# SPDX-License-Identifier: MIT
# Proves the whole Debian: systemd brought everything up, our disks are there, and they come and
# go at run time, with their device units.
# Machines: debian-systemd

check "the system comes up" wait_for sh -c 'systemctl is-system-running | grep -qx running'
equal "no unit failed" "" "$(systemctl --failed --no-legend --plain | tr '\n' ' ')"
for serial in VMROOT VMIDESSD VMSATASSD VMSATAHDD VMNVME; do
	check "$serial is there" disk "$serial"
done
for kind in usb-storage usb-uas virtio-blk nvme virtio-scsi; do
	id=HOT$(echo "$kind" | tr -d -)
	check "plug $kind" plug "$kind" "$id"
	check "$kind appears" wait_for disk "$id"
	unit=dev-$(disk "$id").device
	check "its device unit is active" wait_for systemctl is-active "$unit"
	check "unplug $kind" unplug "$id"
	check "$kind disappears" wait_for gone disk "$id"
done
