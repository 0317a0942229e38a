# SPDX-License-Identifier: MIT
# Stacked devices: a dm device gets a record when it is ready, with its members; a reload of its
# table that takes readahead back is put right; the disk below keeps its own record.
# Machines: all-disks

name=$(disk VMSATASSD)
sectors=$(attr "$name" size)
mkdir -p /run/blkadvise/policy.d
printf '[stack]\nMatch.class=stacked\nread_ahead_kb=2048\n' \
	>/run/blkadvise/policy.d/90-test.policy
check "a linear device" dmsetup create vmstack --table "0 $sectors linear /dev/$name 0"
settle
dm=$(basename "$(readlink -f /dev/mapper/vmstack)")
check "it has a record" wait_for test -s "/run/blkadvise/disks/$(attr "$dm" dev)"
equal "class" stacked "$(record "$dm" CLASS)"
equal "medium, from below" flash "$(record "$dm" MEDIUM)"
equal "members" "$(attr "$name" dev)" "$(record "$dm" MEMBERS)"
equal "advice, that of its one member" "$(record "$name" RANDOM_EXCEEDS_DEPTH)" \
	"$(record "$dm" RANDOM_EXCEEDS_DEPTH)"
equal "udev's database knows" stacked "$(prop "$dm" BLKADVISE_CLASS)"
equal "readahead on top" 2048 "$(attr "$dm" queue/read_ahead_kb)"
equal "the disk below has its own" 128 "$(attr "$name" queue/read_ahead_kb)"

echo "0 $sectors linear /dev/$name 0" | dmsetup reload vmstack
dmsetup suspend vmstack
dmsetup resume vmstack
settle
note "after the reload: $(attr "$dm" queue/read_ahead_kb)"
equal "readahead after the reload" 2048 "$(attr "$dm" queue/read_ahead_kb)"
equal "properties are kept" stacked "$(prop "$dm" BLKADVISE_CLASS)"

mkdir -p /tmp/mnt
modprobe ext4 2>/dev/null
mke2fs -q "/dev/mapper/vmstack" &&
	mount -t ext4 "/dev/mapper/vmstack" /tmp/mnt && touch /tmp/mnt/file
if grep -q ' /tmp/mnt ' /proc/mounts; then
	equal "advise by a file on it" "$(attr "$dm" dev)" \
		"$(blkadvise advise /tmp/mnt/file | sed -n 's/^BLKADVISE_DEVNUM=//p')"
	equal "with a prefix" "DATA_CLASS=stacked" \
		"$(blkadvise advise --env --prefix=DATA_ /tmp/mnt/new-file | grep CLASS=)"
	umount /tmp/mnt
else
	not_ok "advise by file" "no file system could be mounted"
fi
dev=$(attr "$dm" dev)
dmsetup remove vmstack
settle
check "its record goes with it" wait_for gone test -e "/run/blkadvise/disks/$dev"
check "the disk's stays" test -s "/run/blkadvise/disks/$(attr "$name" dev)"
rm -f /run/blkadvise/policy.d/90-test.policy

if command -v mdadm >/dev/null; then
	a=$(disk VMVSCSISSD) b=$(disk VMMPTSAS)
	mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --metadata=1.0 --assume-clean \
		"/dev/$a" "/dev/$b" >/dev/null 2>&1
	settle
	wait_for test -s "/run/blkadvise/disks/$(attr md0 dev)"
	equal "md: class" stacked "$(record md0 CLASS)"
	equal "md: both members" "2" "$(record md0 MEMBERS | tr , '\n' | grep -c :)"
	mdadm --stop /dev/md0 >/dev/null 2>&1
	mdadm --zero-superblock "/dev/$a" "/dev/$b" >/dev/null 2>&1
	settle
else
	skip "md" "no mdadm in this guest"
fi
