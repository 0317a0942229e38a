#!/bin/sh
# SPDX-License-Identifier: MIT
# This machine's own disk, through a file. It runs in a mount namespace of its own, with an empty
# /run and /var/lib/blkadvise: what is measured and published vanishes with it. The readahead is
# set by nobody but, if APPLY is 1, by `blkadvise apply`, which the end of this script undoes.
#
# usage: host.sh FOLDER OUTPUT RULES     (as root; TABLE_MB, ROUNDS, APPLY from the environment)
# shellcheck disable=SC2034 # variables that subject.sh reads
set -eu

where=$1 output=$2 rules=$3
if [ -z "${EVIDENCE_INSIDE-}" ]; then
	EVIDENCE_INSIDE=1 exec unshare -m --propagation private "$0" "$@"
fi
here=$(cd "$(dirname "$0")" && pwd)
syspath=$(readlink -f "/sys/dev/block/$(mountpoint -d "$(df --output=target "$where" | tail -n 1)")")
[ ! -e "$syspath/partition" ] || syspath=$(dirname "$syspath")
NODE=$(basename "$syspath")
DISK=own-disk
SCRATCH=$(mktemp -d)
FOLDER=$where/evidence-folder
TABLE=$where/evidence-table
GROUP=
FIO_SECONDS=2
PERIOD=1
SPAN=64
SCAN=1024
USUAL=$(cat "/sys/block/$NODE/queue/read_ahead_kb")
READAHEADS=$USUAL
. "$here/subject.sh"

keep() { printf '%s\n' "$*" >>"$output"; }

# With the tree's own rules, which are nobody's in /etc or /run: those would stand above what was
# measured.
blkadvise() { command blkadvise --rules="$rules" "$@"; }

# Readahead: only what is in force.
readahead() { [ "$1" = "$(cat "/sys/block/$NODE/queue/read_ahead_kb")" ]; }

# --- less page cache than the table needs: cgroups of either version ----------------------------

find_group() {
	if [ -d /sys/fs/cgroup/memory ]; then
		GROUP=/sys/fs/cgroup/memory/evidence-room
		LIMIT=memory.limit_in_bytes
	else
		GROUP=/sys/fs/cgroup/evidence-room
		LIMIT=memory.max
	fi
}

in_group() {
	mkdir -p "$GROUP"
	echo "$1" >"$GROUP/$LIMIT"
	shift
	# shellcheck disable=SC2016 # the inner shell's
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$GROUP" "$@"
	_code=$?
	rmdir "$GROUP" 2>/dev/null || { sleep 0.2; rmdir "$GROUP" 2>/dev/null || :; }
	return "$_code"
}

in_room() { in_group "$((TABLE_MB / 16 + 8))M" "$@"; }
LARGER_MB=$TABLE_MB
in_larger_room() { in_group "$((TABLE_MB * 4 / 7))M" "$@"; }

# --- apply alone ---------------------------------------------------------------------------------

apply_gathers() { # WHEN
	for _depth in 1 16; do
		for _turn in 1 2 3; do
			take apply "\"when\": \"$1\", \"depth\": $_depth, \"round\": $_turn, \"readahead\": \"$(cat "/sys/block/$NODE/queue/read_ahead_kb")\"" \
				in_room "$ENGINE" gather "$TABLE" --mode mmap --hint normal \
				--depth "$_depth" --seconds 3 --drop
		done
	done
}

# Only the readahead: what apply would do to the scheduler is another matter.
report_apply() {
	mkdir -p "$SCRATCH/rules"
	cp -r "$rules"/. "$SCRATCH/rules/"
	cat >"$SCRATCH/rules/policy.d/90-readahead-alone.policy" <<-EOF
	[readahead-alone]
	scheduler=keep
	nr_requests=keep
	queue_depth=keep
	max_sectors_kb=keep
	Reason=one setting is shown alone
	EOF
	apply_gathers before
	applied=1
	command blkadvise --rules="$SCRATCH/rules" apply "$NODE"
	apply_gathers after
	put_back
	keep "{\"kind\": \"apply-end\", \"disk\": \"$DISK\", \"was\": \"$USUAL\", \"is\": \"$(cat "/sys/block/$NODE/queue/read_ahead_kb")\"}"
}

put_back() {
	[ -n "$applied" ] || return 0
	command blkadvise --rules="$SCRATCH/rules" restore "$NODE" || :
	[ "$(cat "/sys/block/$NODE/queue/read_ahead_kb")" = "$USUAL" ] ||
		echo "$USUAL" >"/sys/block/$NODE/queue/read_ahead_kb"
	applied=
}

clean() {
	put_back
	rm -rf "$SCRATCH" "$FOLDER" "$TABLE"
	rmdir "$GROUP" 2>/dev/null || :
}

applied=
trap clean EXIT
trap 'exit 130' INT TERM
find_group
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=755 tmpfs /var/lib/blkadvise 2>/dev/null ||
	mount -t tmpfs -o mode=755 tmpfs /var/lib
mkdir -p /run/blkadvise "$FOLDER"

"$ENGINE" make "$TABLE" "$TABLE_MB" >/dev/null
keep "{\"kind\": \"disk\", \"disk\": \"$DISK\", \"table_mb\": $TABLE_MB, \"readahead\": \"$USUAL\", \"kernel\": \"$(uname -r)\"}"
blkadvise publish "$NODE" >/dev/null
show_record class
"$ENGINE" gather "$TABLE" --rows 1 --drop >/dev/null
class_decisions
measure node --budget 10 "$TABLE"
measure write --budget 8 --write="$FOLDER"
show_record measured
set +e
regret
beyond
agreement
[ "${APPLY-}" != 1 ] || report_apply
set -e
