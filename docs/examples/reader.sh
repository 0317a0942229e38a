#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The advice for a file in POSIX sh and stat(1) of coreutils or busybox. Whatever is
# missing or not understood means: keep your default.
#
# usage: reader.sh FILE [ROOT]; ROOT is put before /sys and /run.
path=${1:?usage: reader.sh FILE [ROOT]} root=${2-}
[ -e "$path" ] || path=$(dirname -- "$path")

if [ -b "$path" ]; then
	dev=$(stat -L -c %t:%T -- "$path") || exit 1
	dev=$((0x${dev%:*})):$((0x${dev#*:}))
else
	n=$(stat -L -c %d -- "$path") || exit 1
	major=$((n >> 8 & 0xfff | n >> 32 & 0xfffff000))
	minor=$((n & 0xff | n >> 12 & 0xffffff00))
	dev=$major:$minor
fi

# A partition's folder lies in its disk's.
disk=$root/sys/dev/block/$dev
[ -e "$disk/partition" ] && disk=$disk/..
[ -r "$disk/dev" ] && dev=$(cat "$disk/dev")
record=$root/run/blkadvise/disks/$dev

# Whole lines only: read fails on one without a newline.
value() {
	while IFS= read -r line; do
		case $line in "BLKADVISE_$1="?*) echo "${line#*=}" && return ;; esac
	done <"$record"
}

default() {
	echo mode=default
	exit 0
}

if ! [ -f "$record" ] || ! [ -r "$record" ]; then default; fi
case $(value FORMAT) in '' | 1) ;; *) default ;; esac

# Another sequence number: left by a disk that was here before.
seq=$(value DISKSEQ) now=$(cat "$disk/diskseq" 2>/dev/null)
[ "${seq:-$now}" = "${now:-$seq}" ] || default

mode=$(value RANDOM_EXCEEDS_IO_MODE)
depth=$(value RANDOM_EXCEEDS_DEPTH)
hint=$(value RANDOM_EXCEEDS_HINT)
case $mode in direct | buffered | mmap) ;; *) mode=default ;; esac
case $depth in '' | *[!0-9]*) depth=default ;; esac
case $hint in normal | random | sequential | willneed) ;; *) hint=default ;; esac
echo "mode=$mode depth=$depth hint=$hint"
