# SPDX-License-Identifier: MIT
# A device that takes half a minute for each command: a switch of its scheduler waits for what
# is in flight, and udev must not. The event ends within the bound; a later one does not touch
# the stuck queue, other disks are not affected, and when the device answers all is well.
# Machines: all-disks
# Timeout: 300

check "scsi_debug" modprobe scsi_debug dev_size_mb=16 num_tgts=1 add_host=1 delay=0
modprobe bfq 2>/dev/null
modprobe kyber-iosched 2>/dev/null
settle
for sys in /sys/block/sd*; do
	grep -q scsi_debug "$sys/device/model" 2>/dev/null && name=${sys##*/}
done
check "it has a disk" test -n "$name"
check "which has a record" test -s "/run/blkadvise/disks/$(attr "$name" dev)"
echo 120 >"/sys/block/$name/device/timeout"
mkdir -p /run/blkadvise/policy.d
# Whatever scheduler it has, the policy wants another one that is there.
printf '[stuck]\nMatch.name=%s\nscheduler=none\n' "$name" \
	>/run/blkadvise/policy.d/90-test.policy
equal "it starts with mq-deadline" mq-deadline "$(scheduler "$name")"

# udev reads the disk as well: from the cache, which an open file keeps.
exec 9<"/dev/$name"
cat "/dev/$name" >/dev/null
hz=$(zcat /proc/config.gz 2>/dev/null | sed -n 's/^CONFIG_HZ=//p')
echo $((25 * ${hz:-250})) >/sys/bus/pseudo/drivers/scsi_debug/delay
dd if="/dev/$name" of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null &
reader=$!
sleep 1
from=$(uptime_seconds)
udevadm trigger --action=change "/sys/block/$name"
udevadm settle --timeout=40
took=$(($(uptime_seconds) - from))
note "the event took $took s, the device 25"
check "a read is still in flight" kill -0 "$reader"
check "udev is not held beyond the bound" test "$took" -le 8
from=$(uptime_seconds)
event "$(disk VMVIRTBLK)"
check "other disks are not affected" test $(($(uptime_seconds) - from)) -le 8
# udev's own probing would wait for this queue now, so our part of a second event stands alone.
as_udev() {
	sys=$(readlink -f "/sys/block/$name")
	env ACTION=change "DEVPATH=${sys#/sys}" SUBSYSTEM=block DEVTYPE=disk \
		"MAJOR=$(attr "$name" dev | cut -d : -f 1)" \
		"MINOR=$(attr "$name" dev | cut -d : -f 2)" /usr/lib/udev/blkadvise "$1"
}
from=$(uptime_seconds)
check "classify ends" as_udev classify
check "apply ends" as_udev apply
check "neither waits for the stuck queue" test $(($(uptime_seconds) - from)) -le 5
check "diagnose passes it over, and says so" sh -c \
	"timeout 20 blkadvise diagnose 2>&1 | grep -q '^blkadvise: $name: not looked at'"
check "the read was in flight all the time" kill -0 "$reader"
wait "$reader"
exec 9<&-
echo 0 >/sys/bus/pseudo/drivers/scsi_debug/delay
sleep 1
event "$name"
equal "when it answers again it is set" none "$(scheduler "$name")"
check "restore" blkadvise restore "$name"
equal "and it can be taken back" mq-deadline "$(scheduler "$name")"
rm -f /run/blkadvise/policy.d/90-test.policy
check "it can go" rmmod scsi_debug
settle
