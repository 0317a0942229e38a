# SPDX-License-Identifier: MIT
# Proves the harness itself, without the program under test: every disk of the machine has shown
# up under its serial number and on the driver it should have, and disks come and go at run time.
# Machines: all-disks

there() {
	name=$(disk "$1") || {
		not_ok "$1 is there" "not in udev's database"
		return
	}
	case " $(driver "$name" | tr '\n' ' ')" in
	*" $2 "*) ok "$1 is there" ;;
	*) not_ok "$1 is there" "want driver $2, got: $(driver "$name" | tr '\n' ' ')" ;;
	esac
}

there VMIDESSD ata_piix
there VMIDECD ata_piix
there VMSATASSD ahci
there VMSATAHDD ahci
there VMNVME nvme
there VMVIRTBLK virtio_blk
there VMVSCSISSD virtio_scsi
there VMVSCSIHDD virtio_scsi
there VMVSCSIRAW virtio_scsi
there VMUSBBOT usb-storage
there VMUSBUAS uas
there VMMEGASAS megaraid_sas
there VMMPTSAS mptsas
there VMLSI sym53c8xx
there VMPVSCSI vmw_pvscsi
there 0xdeadbeef mmcblk

multipath=$(disk VMNVMEMP)
check "the multipath namespace is there" test -n "$multipath"
equal "it has two paths" 2 "$(set -- /sys/class/nvme/nvme*/nvme*c*n1 && echo $#)"

check "plug with a property" plug virtio-scsi HOTSSD rotation_rate=1
check "it appears" wait_for disk HOTSSD
equal "the property has arrived" 0 "$(attr "$(disk HOTSSD)" queue/rotational)"
check "it goes" unplug HOTSSD
check "what the host cannot do is an error" gone plug floppy HOTFLOPPY

equal "an SSD is not rotational" 0 "$(attr "$(disk VMSATASSD)" queue/rotational)"
equal "a hard disk is" 1 "$(attr "$(disk VMSATAHDD)" queue/rotational)"

for kind in usb-storage usb-uas virtio-blk nvme virtio-scsi; do
	id=HOT$(echo "$kind" | tr -d -)
	check "plug $kind" plug "$kind" "$id"
	check "$kind appears" wait_for disk "$id"
	note "$kind is $(disk "$id"), driven by $(driver "$(disk "$id")" | tr '\n' ' ')"
	check "unplug $kind" unplug "$id"
	check "$kind disappears" wait_for gone disk "$id"
done

name=$(disk VMSATASSD)
check "delete a SATA disk" scsi_delete "$name"
check "it disappears" wait_for gone disk VMSATASSD
check "rescan" scsi_rescan
check "it is back" wait_for disk VMSATASSD

if command -v mdadm >/dev/null; then
	members="/dev/$(disk VMSATAHDD) /dev/$(disk VMLSI)"
	# shellcheck disable=SC2086 # two words
	check "make a RAID" mdadm --create /dev/md7 --run --level=1 --raid-devices=2 --metadata=1.2 \
		--assume-clean $members
	check "udev knows it" wait_for sh -c 'udevadm info -n md7 | grep -q MD_LEVEL=raid1'
	check "stop it" mdadm --stop /dev/md7
	# Or the next coldplug assembles it again.
	# shellcheck disable=SC2086
	check "forget it" mdadm --zero-superblock $members
else
	skip "RAID" "no mdadm"
fi
check "make a device-mapper device" dmsetup create vmtest \
	--table "0 1000 linear /dev/$(disk VMVSCSIRAW) 0"
check "udev knows it" wait_for test -e /dev/mapper/vmtest
check "remove it" dmsetup remove vmtest
