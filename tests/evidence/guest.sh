# SPDX-License-Identifier: MIT
# The simulated disks, one after the other: made, filled, measured, swept; and the reports of
# docs/evidence.md that need a disk which this machine does not have. Each line of results goes
# out as a note that begins with "J ". tests/evidence/run brings it here, with parameters.sh.
# Timeout: 5400

. /vm/evidence/parameters.sh # DISKS, REPORTS, ROUNDS
SCRATCH=/tmp/evidence
ENGINE=/usr/bin/engine
FIO_SECONDS=1
PERIOD=0.5
USUAL=128
READAHEADS='0 16 128 512 4096'
SPAN=64
. /vm/evidence/subject.sh

keep() { note "J $*"; }

readahead() { echo "$1" >"/sys/block/$NODE/queue/read_ahead_kb"; }

# in_group LIMIT COMMAND...: with at most this much memory, page cache and all. Each time in a
# new group, so that none begins with the pages of the one before.
in_group() {
	_group=/sys/fs/cgroup/room
	mkdir -p "$_group"
	echo "$1" >"$_group/memory.max"
	shift
	# shellcheck disable=SC2016 # the inner shell's
	sh -c 'echo $$ >/sys/fs/cgroup/room/cgroup.procs && exec "$@"' room "$@"
	_code=$?
	rmdir "$_group" 2>/dev/null
	return "$_code"
}

# The table has TABLE_MB: sixteen times what is left of this for the page cache.
TABLE_MB=640
in_room() { in_group 46M "$@"; }
LARGER_MB=160 # of the table, 1.75 times what is left of this
in_larger_room() { in_group 98M "$@"; }

# name_disk NAME: null_blk says nothing of itself, so nothing would tell one from another, and
# its class would be unknown. With this it has a name of its own and is what a guest has of a
# hypervisor, with what such a disk's class advises.
name_disk() {
	sed "s/@NAME@/$1/" /vm/evidence/simulated.quirks >"/etc/blkadvise/quirks.d/$1.quirks"
}

# make_disk NAME LATENCY_US DEPTH MBPS TABLE_MB: filled first, at the speed of memory; the rest is
# set with the power off, which leaves the data. (A disk that was throttled once must not become
# one that is not: the driver of 6.1 then stops a timer that it never made.)
make_disk() {
	NODE=$1
	name_disk "$1"
	_config=/sys/kernel/config/nullb/$NODE
	mkdir "$_config" || return 1
	for _pair in submit_queues=1 queue_mode=2 irqmode=0 hw_queue_depth=64 memory_backed=1 \
		"size=$(($5 + 160))" blocksize=4096 power=1; do
		echo "${_pair#*=}" >"$_config/${_pair%=*}"
	done
	settle
	FOLDER=/mnt/$NODE
	TABLE=$FOLDER/table
	mkdir -p "$FOLDER"
	mkfs.ext4 -q -b 4096 -m 0 -J size=8 -E lazy_itable_init=0,lazy_journal_init=0 "/dev/$NODE"
	mount -t ext4 "/dev/$NODE" "$FOLDER"
	"$ENGINE" make "$TABLE" "$5" >/dev/null
	umount "$FOLDER"
	echo 0 >"$_config/power"
	settle
	for _pair in irqmode=2 "completion_nsec=$(($2 * 1000))" "hw_queue_depth=$3" "mbps=$4" \
		power=1; do
		echo "${_pair#*=}" >"$_config/${_pair%=*}"
	done
	settle
	mount -t ext4 "/dev/$NODE" "$FOLDER"
	echo 3 >/proc/sys/vm/drop_caches
	keep "{\"kind\": \"disk\", \"disk\": \"$DISK\", \"latency_us\": $2, \"depth\": $3, \"mbps\": $4, \"table_mb\": $5}"
}

remove_disk() {
	umount "$FOLDER"
	echo 0 >"/sys/kernel/config/nullb/$NODE/power"
	rmdir "/sys/kernel/config/nullb/$NODE"
	settle
}

# --- one disk of the table of regret -----------------------------------------------------------

subject() { # NAME LATENCY_US DEPTH MBPS SCAN_MB WHAT ELSE
	DISK=$1
	SCAN=$5
	if ! make_disk "sim-$1" "$2" "$3" "$4" "$TABLE_MB"; then
		not_ok "$1" "it was not made"
		return
	fi
	show_record class
	class_decisions
	measure node --budget 10 "/dev/$NODE"
	measure write --budget 8 --write="$FOLDER"
	settle
	show_record measured
	regret
	case $6 in *beyond*) beyond ;; esac
	case $6 in *fio*) agreement ;; esac
	remove_disk
	ok "$1"
}

# --- the reports ---------------------------------------------------------------------------------

# timed KIND FIELDS COMMAND...: how long it takes.
timed() {
	_kind=$1
	_fields=$2
	shift 2
	_began=$(uptime_of)
	"$@" >/dev/null 2>&1
	_status=$?
	keep "{\"kind\": \"$_kind\", \"disk\": \"$DISK\", $_fields, \"status\": $_status, \"began\": $_began, \"ended\": $(uptime_of)}"
}

sort_plain() { gnusort "$FOLDER/text" -o /tmp/sorted; }

# To ask takes as long as the disk takes, since its queue fills up: so beside it.
sort_advised() {
	willneed "$FOLDER/text" &
	gnusort "$FOLDER/text" -o /tmp/sorted
	wait "$!"
}

sort_rounds() { # LOAD
	_turn=1
	while [ "$_turn" -le "$ROUNDS" ]; do
		for _arm in plain advised; do
			echo 3 >/proc/sys/vm/drop_caches
			timed sort "\"arm\": \"$_arm\", \"load\": $1, \"round\": $_turn" "sort_$_arm"
		done
		_turn=$((_turn + 1))
	done
}

# GNU sort on a disk of 80 MB/s, alone and beside four busy processes.
report_sort() {
	awk 'BEGIN { srand(7); for (i = 0; i < 600000; i++)
		printf "%08d a line of one hundred bytes, of which only the first few tell it from others in the file\n",
			int(rand() * 1e8) }' >"$FOLDER/text"
	sync
	export LC_ALL=C
	sort_rounds 0
	_busy=
	for _n in 1 2 3 4; do
		sh -c 'while :; do :; done' &
		_busy="$_busy $!"
	done
	sort_rounds 4
	# shellcheck disable=SC2086 # words
	kill $_busy
	rm "$FOLDER/text"
}

# A scan of what does not fit, by read and by mmap, with nothing said and with the hint.
report_scan() {
	SCAN=128
	_turn=1
	while [ "$_turn" -le "$ROUNDS" ]; do
		for _how in 'buffered normal' 'mmap normal' 'buffered sequential' 'mmap sequential'; do
			# shellcheck disable=SC2086 # words
			set -- $_how
			take scan-report "\"arm\": \"$1 $2\", \"round\": $_turn" \
				workload scan --mode "$1" --hint "$2" --read-kb 256
		done
		_turn=$((_turn + 1))
	done
}

# An index that is in the page cache, by pread and by mmap, one reader and two.
report_index() {
	_turn=1
	while [ "$_turn" -le "$ROUNDS" ]; do
		for _readers in 1 2; do
			for _mode in buffered mmap; do
				take index-report \
					"\"arm\": \"$_mode\", \"readers\": $_readers, \"round\": $_turn" \
					workload random-fits --mode "$_mode" --depth "$_readers"
			done
		done
		_turn=$((_turn + 1))
	done
}

report_journal() {
	_turn=1
	while [ "$_turn" -le "$ROUNDS" ]; do
		for _writers in 1 4; do
			for _kb in 4 8 16 32 64; do
				take journal-report "\"block_kb\": $_kb, \"writers\": $_writers, \"round\": $_turn" \
					workload journal --block-kb "$_kb" --depth "$_writers"
			done
		done
		_turn=$((_turn + 1))
	done
}

reports() {
	DISK=reports-80MB
	make_disk sim-reports 200 32 80 160 # MB
	report_scan
	report_index
	report_sort
	remove_disk
	DISK=ide-like
	make_disk sim-95us-1-178MB 95 1 178 32
	measure node --budget 5 "/dev/$NODE"
	measure write --budget 5 --write="$FOLDER"
	show_record measured
	report_journal
	remove_disk
	ok reports
}

mkdir -p "$SCRATCH" /etc/blkadvise/quirks.d
name_disk sim-example
blkadvise verify || not_ok "the quirk file" "see the console"
modprobe ext4
modprobe null_blk nr_devices=0
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
keep "{\"kind\": \"guest\", \"kernel\": \"$(uname -r)\", \"cpus\": $(grep -c ^processor /proc/cpuinfo), \"memory_kb\": $(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)}"
for line in $DISKS; do
	# shellcheck disable=SC2046 # words
	subject $(echo "$line" | tr ':' ' ')
done
[ -z "$REPORTS" ] || reports
ok "done"
