# SPDX-License-Identifier: MIT
# A disk that comes is classified, set and published; one that goes takes its record and its
# memory along. The values the kernel gave are remembered, with what they came from.
# Machines: all-disks
# Timeout: 300

for kind in virtio-blk nvme usb-storage usb-uas virtio-scsi; do
	id=PLUG$(echo "$kind" | tr -d -)
	check "plug $kind" plug "$kind" "$id"
	check "$kind appears" wait_for disk "$id"
	settle
	name=$(disk "$id")
	dev=$(attr "$name" dev)
	note "$kind: kernel gave $(remembered "$name" read_ahead_kb.initial), now $(
		attr "$name" queue/read_ahead_kb)"
	check "$kind has a record" test -s "/run/blkadvise/disks/$dev"
	equal "$kind: readahead" 128 "$(attr "$name" queue/read_ahead_kb)"
	equal "$kind: the record says so" 128 "$(record "$name" READ_AHEAD_KB)"
	equal "$kind: the record names this disk" "$id" "$(record "$name" SERIAL | grep -o "$id")"
	check "unplug $kind" unplug "$id"
	check "$kind disappears" wait_for gone disk "$id"
	settle
	check "$kind: its record is withdrawn" gone test -e "/run/blkadvise/disks/$dev"
	check "$kind: nothing is remembered" gone test -e "/run/blkadvise/state/$dev"
done

# 6.17 and later derive readahead from the rotational flag: see it explained and undone. What
# each disk came up with is twice its largest transfer, which differs between machines.
name=$(disk VMVIRTBLK)
if [ -n "$(remembered "$name" read_ahead_kb.initial)" ]; then
	equal "virtio came up with 8192" 8192 "$(remembered "$name" read_ahead_kb.initial)"
	equal "virtio-scsi rotational with 8192" 8192 \
		"$(remembered "$(disk VMVSCSIHDD)" read_ahead_kb.initial)"
	equal "bulk-only USB with 2048" 2048 \
		"$(remembered "$(disk VMUSBBOT)" read_ahead_kb.initial)"
	hdd=$(disk VMSATAHDD)
	equal "AHCI rotational with twice its max_sectors_kb" \
		$((2 * $(attr "$hdd" queue/max_sectors_kb))) \
		"$(remembered "$hdd" read_ahead_kb.initial)"
	plug usb-uas UASROT && wait_for disk UASROT
	settle
	equal "UAS with 1024" 1024 "$(remembered "$(disk UASROT)" read_ahead_kb.initial)"
	equal "UAS is set" 128 "$(attr "$(disk UASROT)" queue/read_ahead_kb)"
	unplug UASROT
	for serial in VMVIRTBLK VMVSCSIHDD VMSATAHDD VMUSBBOT; do
		equal "$serial is set" 128 "$(attr "$(disk "$serial")" queue/read_ahead_kb)"
		equal "$serial: by us" blkadvise "$(record "$(disk "$serial")" READ_AHEAD_KB_BY)"
	done
	blkadvise restore "$name" >/dev/null
	equal "restored, it is the kernel's again" 8192 "$(attr "$name" queue/read_ahead_kb)"
	check "the value is explained" sh -c \
		"blkadvise explain $name | grep -q '2 x max_sectors_kb (4096 KiB)'"
	equal "and found" medium-unknown,readahead-false-rotational "$(record "$name" FINDINGS)"
	blkadvise apply --quiet "$name"
	equal "put right, it is no finding" medium-unknown "$(record "$name" FINDINGS)"
else
	skip "the readahead of 6.17" "this kernel gives 128 by itself"
fi
