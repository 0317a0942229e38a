# SPDX-License-Identifier: MIT
# Each kind of disk at once: class, transport, attachment and NCQ as udev's database and the
# record tell them, and the two agree. The settings in force are read back from /sys.
# Machines: all-disks
# Timeout: 240


# is SERIAL CLASS TRANSPORT MEDIUM ATTACHMENT NCQ
is() {
	name=$(disk "$1") || {
		not_ok "$1 is classified" "no such disk"
		return
	}
	want="$2 $3 $4 $5 $6"
	equal "$1 in udev's database" "$want" "$(prop "$name" BLKADVISE_CLASS) $(
		prop "$name" BLKADVISE_TRANSPORT) $(prop "$name" BLKADVISE_MEDIUM) $(
		prop "$name" BLKADVISE_ATTACHMENT) $(prop "$name" BLKADVISE_NCQ)"
	equal "$1 in its record" "$want" "$(record "$name" CLASS) $(record "$name" TRANSPORT) $(
		record "$name" MEDIUM) $(record "$name" ATTACHMENT) $(record "$name" NCQ)"
}

is VMIDESSD virtual-disk ata flash emulated-ide unsupported
is VMSATASSD virtual-disk sata flash emulated-ahci on
is VMSATAHDD virtual-disk sata rotational emulated-ahci on
is VMNVME nvme-ssd nvme flash nvme-pcie none
is VMNVMEMP nvme-ssd nvme flash nvme-pcie none
is VMVIRTBLK virtual-disk virtio unknown paravirtual none
# sysfs shows VPD page 0xB1, which tells the medium of a SCSI disk, since about 6.0.
if [ -e "/sys/block/$(disk VMVSCSISSD)/device/vpd_pgb1" ]; then
	is VMVSCSIHDD virtual-disk virtio rotational paravirtual none
	is VMVSCSISSD virtual-disk virtio flash paravirtual none
	is VMMPTSAS sas-ssd sas flash hba none
else
	is VMVSCSIHDD virtual-disk virtio unknown paravirtual none
	is VMVSCSISSD virtual-disk virtio unknown paravirtual none
	is VMMPTSAS sas-disk sas unknown hba none
fi
is VMVSCSIRAW virtual-disk virtio unknown paravirtual none
is VMUSBBOT virtual-disk usb unknown usb-bot none
is VMMEGASAS raid-volume scsi unknown raid-volume none
is VMLSI sas-disk scsi unknown hba none
is VMPVSCSI virtual-disk scsi unknown paravirtual none
is 0xdeadbeef sd-card mmc flash sd none

name=$(disk VMIDECD)
equal "the CD-ROM is optical" optical "$(prop "$name" BLKADVISE_CLASS)"
uas=$(disk VMUSBUAS)
equal "UAS is told from bulk-only" usb-uas "$(prop "$uas" BLKADVISE_ATTACHMENT)"

# What is in force, whatever the kernel came up with.
for serial in VMSATASSD VMVIRTBLK VMVSCSISSD VMNVME VMUSBBOT VMMEGASAS 0xdeadbeef; do
	name=$(disk "$serial")
	equal "$serial has the readahead of the policy" 128 "$(attr "$name" queue/read_ahead_kb)"
	equal "$serial: its record says so" 128 "$(record "$name" READ_AHEAD_KB)"
done
check "virtio: no scheduler" grep -q '\[none\]' "/sys/block/$(disk VMVIRTBLK)/queue/scheduler"
check "NVMe: no scheduler" grep -q '\[none\]' "/sys/block/$(disk VMNVME)/queue/scheduler"
check "SATA: mq-deadline" grep -q '\[mq-deadline\]' "/sys/block/$(disk VMSATASSD)/queue/scheduler"
equal "NCQ keeps its depth" 32 "$(attr "$(disk VMSATASSD)" device/queue_depth)"

# Partitions, loop, ram and zram devices cost nothing.
modprobe loop 2>/dev/null
modprobe zram 2>/dev/null
settle
check "loop devices have no record" gone ls /run/blkadvise/disks/7:0
equal "zram is not classified" "" "$(prop zram0 BLKADVISE_CLASS 2>/dev/null)"

check "the table lists them all" blkadvise list
check "each finding has its evidence" sh -c 'blkadvise diagnose; [ $? -le 10 ]'
check "the data files are in order" blkadvise verify
