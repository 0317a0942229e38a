# SPDX-License-Identifier: MIT
# The administrator wins: a value written by hand, another udev rule's value, a hold and the off
# switches survive coldplug and change events. A second coldplug changes nothing at all.
# Machines: all-disks
# Timeout: 300

all_settings() {
	for _disk in /sys/block/[shvnm]*; do
		for _file in scheduler nr_requests max_sectors_kb read_ahead_kb; do
			echo "$_disk $_file $(cat "$_disk/queue/$_file" 2>/dev/null)"
		done
		echo "$_disk $(cat "$_disk/device/queue_depth" 2>/dev/null)"
	done
}

all_settings >/tmp/before
cat /run/blkadvise/disks/* >/tmp/records-before
udevadm trigger --type=all --action=add
settle
udevadm trigger --subsystem-match=block --action=change
settle
all_settings >/tmp/after
cat /run/blkadvise/disks/* >/tmp/records-after
check "a second coldplug changes no setting" diff /tmp/before /tmp/after
check "nor any record, generation included" diff /tmp/records-before /tmp/records-after

name=$(disk VMVIRTBLK)
echo 704 >"/sys/block/$name/queue/read_ahead_kb"
event "$name"
event "$name" add
equal "a value written by hand survives" 704 "$(attr "$name" queue/read_ahead_kb)"
equal "and is the administrator's" admin "$(record "$name" READ_AHEAD_KB_BY)"
blkadvise apply --quiet "$name"
equal "apply by hand leaves it, too" 704 "$(attr "$name" queue/read_ahead_kb)"
echo 128 >"/sys/block/$name/queue/read_ahead_kb"
event "$name"

mkdir -p /run/udev/rules.d
cat >/run/udev/rules.d/61-other.rules <<RULE
SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", ENV{ID_SERIAL}=="RULEDISK*", ATTR{queue/read_ahead_kb}="640"
RULE
cat >/run/udev/rules.d/61-switch.rules <<RULE
SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", ENV{ID_SERIAL}=="OFFDISK*", ENV{BLKADVISE_APPLY}="0"
RULE
udevadm control --reload
plug virtio-blk RULEDISK && wait_for disk RULEDISK
settle
rule=$(disk RULEDISK)
equal "another rule's readahead survives from the first event on" 640 \
	"$(attr "$rule" queue/read_ahead_kb)"
equal "and is not ours" admin "$(record "$rule" READ_AHEAD_KB_BY)"
unplug RULEDISK

streaming() {
	mkdir -p /run/blkadvise/policy.d
	printf '[all]\nread_ahead_kb=1024\n' >/run/blkadvise/policy.d/90-test.policy
}
streaming
plug virtio-blk OFFDISK && wait_for disk OFFDISK
settle
off=$(disk OFFDISK)
check "ENV{BLKADVISE_APPLY}=0 keeps us away" test "$(attr "$off" queue/read_ahead_kb)" != 1024
check "but not from publishing" test -n "$(record "$off" CLASS)"
unplug OFFDISK
rm -f /run/udev/rules.d/61-other.rules /run/udev/rules.d/61-switch.rules
udevadm control --reload

event "$name"
equal "a new policy is applied at the next event" 1024 "$(attr "$name" queue/read_ahead_kb)"
printf '[none]\nApply=no\n' >/run/blkadvise/policy.d/95-off.policy
echo 128 >"/sys/block/$name/queue/read_ahead_kb"
event "$name"
equal "Apply=no: nothing is written" 128 "$(attr "$name" queue/read_ahead_kb)"
rm /run/blkadvise/policy.d/95-off.policy
blkadvise hold "$name" read_ahead_kb >/dev/null
event "$name"
equal "a held setting is left alone" 128 "$(attr "$name" queue/read_ahead_kb)"
blkadvise hold --release "$name" read_ahead_kb >/dev/null
event "$name"
equal "released, it is set" 1024 "$(attr "$name" queue/read_ahead_kb)"
printf '[broken\nread_ahead_kb=lots\n' >/run/blkadvise/policy.d/96-broken.policy
equal "verify names file and line" "/run/blkadvise/policy.d/96-broken.policy:1" \
	"$(blkadvise verify | head -n 1 | cut -d : -f 1,2)"
echo 128 >"/sys/block/$name/queue/read_ahead_kb"
event "$name"
equal "with a broken file of the administrator's nothing is written" 128 \
	"$(attr "$name" queue/read_ahead_kb)"
check "but records are published" test -n "$(record "$name" CLASS)"
rm /run/blkadvise/policy.d/96-broken.policy
event "$name"
equal "mended, the policy counts again" 1024 "$(attr "$name" queue/read_ahead_kb)"
rm -f /run/blkadvise/policy.d/*.policy
event "$name"
equal "without them the balanced value returns" 128 "$(attr "$name" queue/read_ahead_kb)"

# The kernel's own reset is put right three times within an hour, then left and reported.
printf '[all]\nread_ahead_kb=1024\n' >/run/blkadvise/policy.d/90-test.policy
name=$(disk VMVSCSISSD)
event "$name"
for round in 1 2 3; do
	echo 128 >"/sys/block/$name/queue/read_ahead_kb"
	event "$name"
	equal "round $round: put right" 1024 "$(attr "$name" queue/read_ahead_kb)"
done
echo 128 >"/sys/block/$name/queue/read_ahead_kb"
event "$name"
equal "the fourth time it stays" 128 "$(attr "$name" queue/read_ahead_kb)"
check "and the rival is reported" sh -c "blkadvise plan $name | grep -q rival"
rm -f /run/blkadvise/policy.d/90-test.policy
