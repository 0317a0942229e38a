# SPDX-License-Identifier: MIT
# Measuring real drivers' disks: points are kept, the record carries what follows, a changed
# setting makes it stale for all to see, what cannot be measured is refused, nothing is left behind;
# and an engine takes its decision from the record without a read of the disk. How fast an
# emulated disk is says nothing, and is not looked at.
# Machines: all-disks
# Timeout: 900

# measured DISK: it is measured, and the record says so.
measured() {
	check "measure $1" blkadvise --quiet measure --budget=2 "$1"
	equal "its record is measured" measured "$(record "$1" RANDOM_FROM)"
	check "with a knee between 1 and $2" between "$(record "$1" KNEE_DEPTH)" 1 "$2"
	check "with a depth between 1 and $2" between "$(record "$1" RANDOM_EXCEEDS_DEPTH)" 1 "$2"
	check "the points are kept" sh -c "blkadvise measure --show $1 | grep -q random-read"
}

between() { [ "${1:-0}" -ge "$2" ] && [ "$1" -le "$3" ]; }

fails() { ! "$@"; }

# reads DISK: read operations that the disk has been asked for.
reads() { awk '{ print $1 }' "/sys/block/$1/stat"; }

modprobe ext4
modprobe null_blk nr_devices=1 queue_mode=2 irqmode=2 completion_nsec=100000 hw_queue_depth=16 \
	submit_queues=1 bs=4096 gb=1
wait_for test -b /dev/nullb0
settle

ssd=$(disk VMSATASSD)
measured "$ssd" 32
measured "$(disk VMNVME)" 1024
measured "$(disk VMVIRTBLK)" 1024

# Nothing tells one null_blk from another: what is measured is shown, and not kept.
check "a disk that cannot be told from others is not kept" sh -c \
	"! blkadvise measure --budget=1 nullb0 2>&1 | grep -q 'kept in'"
equal "nor published" "" "$(record nullb0 RANDOM_FROM | grep measured)"
mkdir -p /etc/blkadvise/quirks.d
cat >/etc/blkadvise/quirks.d/90-null.quirks <<QUIRK
[null]
Match.name=nullb0
Fact.emulated=1
Fact.model=VMNULL
Fact.serial=VMNULL0001
Fact.wwn=vm-null-disk-0001
Reason=a name of its own
QUIRK
measured nullb0 1024
rm /etc/blkadvise/quirks.d/90-null.quirks

# --- stale, and what becomes of the advice
was=$(scheduler "$ssd")
echo none >"/sys/block/$ssd/queue/scheduler"
event "$ssd"
equal "another scheduler: the advice is the class's" class "$(record "$ssd" RANDOM_FROM)"
equal "without a knee" "" "$(record "$ssd" KNEE_DEPTH)"
check "and it says why" sh -c "blkadvise measure --show $ssd | grep -q 'scheduler'"
echo "$was" >"/sys/block/$ssd/queue/scheduler"
event "$ssd"
equal "set back, it counts again" measured "$(record "$ssd" RANDOM_FROM)"
was=$(attr "$ssd" queue/read_ahead_kb)
echo 1024 >"/sys/block/$ssd/queue/read_ahead_kb"
event "$ssd"
check "another readahead is told" sh -c \
	"blkadvise measure --show $ssd | grep -q 'read_ahead_kb'"
equal "direct reads do not see it" measured "$(record "$ssd" RANDOM_FROM)"
echo "$was" >"/sys/block/$ssd/queue/read_ahead_kb"
event "$ssd"

# --- an event reads the copies alone: /var may be what it has to announce
mv /var/lib/blkadvise /var/lib/elsewhere
event "$ssd"
equal "without /var/lib an event knows" measured "$(record "$ssd" RANDOM_FROM)"
check "and so does publish" blkadvise publish --quiet
equal "which keeps what it knew" measured "$(record "$ssd" RANDOM_FROM)"
mv /var/lib/elsewhere /var/lib/blkadvise
mv /run/blkadvise/measurements /run/elsewhere
event "$ssd"
equal "without the copies it does not" class "$(record "$ssd" RANDOM_FROM)"
check "publish copies" blkadvise publish --quiet
check "all of it" diff -r /run/elsewhere /run/blkadvise/measurements
rm -r /run/elsewhere
event "$ssd"
equal "and then it does" measured "$(record "$ssd" RANDOM_FROM)"

# --- refused
dd if=/dev/zero of=/dev/shm/file bs=1M count=32 2>/dev/null
check "a file in memory is refused" fails blkadvise measure --budget=1 /dev/shm/file
rm /dev/shm/file
check "so is measuring in a udev event" fails env UDEV_LOG=3 SEQNUM=4711 ACTION=change \
	SUBSYSTEM=block "DEVPATH=/devices/virtual/block/nullb0" DEVTYPE=disk \
	blkadvise measure --budget=1 nullb0

# --- writing, and what it leaves
mkdir -p /mnt/measure
mkfs.ext4 -q "/dev/$ssd"
mount -t ext4 "/dev/$ssd" /mnt/measure
before=$(find /mnt/measure | sort; df -k /mnt/measure | tail -n 1 | awk '{ print $3 }')
check "measure --write" blkadvise --quiet measure --budget=4 --write=/mnt/measure
sync
equal "leaves nothing behind" "$before" \
	"$(find /mnt/measure | sort; df -k /mnt/measure | tail -n 1 | awk '{ print $3 }')"

# --- all disks
rmmod null_blk
settle
check "measure --all" blkadvise --quiet measure --all --budget=1
equal "a disk that had not been measured is" measured \
	"$(record "$(disk VMVSCSISSD)" RANDOM_FROM)"

# --- the engine
if command -v engine >/dev/null; then
	table=/mnt/measure/table
	check "the engine makes a table" engine make "$table" 16
	for mode in direct buffered mmap; do
		check "it reads right rows, $mode" engine gather "$table" --mode "$mode" \
			--depth 4 --rows 300 --verify --drop
	done
	echo 3 >/proc/sys/vm/drop_caches
	stat "$table" >/dev/null # its inode is needed to open it, whoever decides
	before=$(reads "$ssd")
	decision=$(engine decide "$table" --by record --workload random --fit exceeds)
	equal "it decides from the record without a read of the disk" "$before" "$(reads "$ssd")"
	note "$decision"
	equal "as measured" "$(record "$ssd" RANDOM_EXCEEDS_IO_MODE)" \
		"$(printf '%s' "$decision" | sed -n 's/.*"mode": "\([a-z]*\)".*/\1/p')"
	check "and reads right rows that way" engine run "$table" --by record --rows 300 --verify
else
	skip "the engine" "it was not built"
fi
umount /mnt/measure
