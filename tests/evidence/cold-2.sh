# SPDX-License-Identifier: MIT
# The second boot: /var/lib/blkadvise has the measurement before udev finds the disk, as on a
# machine that was measured once. What does it cost the engine to know how to read? The disk's own
# counters tell.
# Machines: ahci-seed
# Timeout: 300

SCRATCH=/tmp/evidence
ENGINE=/usr/bin/engine
. /vm/evidence/subject.sh
keep() { note "J $*"; }

mkdir -p "$SCRATCH"
DISK=cold-boot
NODE=$(disk VMSEED)
check "publish, as blkadvise.service does it at boot" blkadvise publish --quiet
equal "what was measured is published" measured "$(record "$NODE" RANDOM_FROM)"
show_record boot

modprobe ext4
mkdir -p /mnt/cold
mkfs.ext4 -q "/dev/$NODE"
mount -t ext4 "/dev/$NODE" /mnt/cold
TABLE=/mnt/cold/table
"$ENGINE" make "$TABLE" 40 >/dev/null

# reads: what the disk has been asked for, in operations and in sectors of 512 bytes.
reads() { awk '{ print $1, $3 }' "/sys/block/$NODE/stat"; }

for turn in 1 2 3; do
	for by in record threshold probe; do
		umount /mnt/cold
		echo 3 >/proc/sys/vm/drop_caches
		mount -t ext4 "/dev/$NODE" /mnt/cold
		# To open the table needs its inode, whoever opens it and whatever it knows.
		stat "$TABLE" >/dev/null
		# shellcheck disable=SC2046 # two numbers each
		set -- $(reads)
		decision=$("$ENGINE" decide "$TABLE" --by "$by")
		# shellcheck disable=SC2046
		set -- "$@" $(reads)
		keep "{\"kind\": \"cold\", \"disk\": \"$DISK\", \"by\": \"$by\", \"round\": $turn, \"reads\": $(($3 - $1)), \"sectors\": $(($4 - $2)), \"got\": $decision}"
		[ "$by" != record ] || equal "by record: reads of the disk" 0 "$(($3 - $1))"
	done
done
umount /mnt/cold
