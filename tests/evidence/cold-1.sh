# SPDX-License-Identifier: MIT
# The first of two boots: an SSD is measured, and what was kept of it goes out.
# Machines: ahci-seed
# Timeout: 300

SCRATCH=/tmp/evidence
. /vm/evidence/subject.sh
keep() { note "J $*"; }

mkdir -p "$SCRATCH"
DISK=cold-boot
NODE=$(disk VMSEED)
measure node --budget 5 "/dev/$NODE"
kept=$(ls /var/lib/blkadvise/measurements)
equal "one measurement is kept" 1 "$(echo "$kept" | wc -w)"
keep "{\"kind\": \"kept\", \"disk\": \"$DISK\", \"name\": \"$kept\"}"
keep_file kept "/var/lib/blkadvise/measurements/$kept"
