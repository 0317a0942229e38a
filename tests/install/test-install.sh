#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh as a person runs it, on a copy of this machine: an overlay over / in a mount
# namespace of its own, with a /run of its own and /sys read-only. No udevd runs there, so it
# must publish and apply nothing. Installing under a strict umask, again and observing, again
# and still observing; uninstalling, at first with a disk that cannot be given back; in the end
# every file and folder is gone and nothing of it has reached the machine.
#
# usage: test-install.sh SOURCE
set -eu
umask 022

source=$(cd "$1" && pwd)
[ "$(id -u)" -eq 0 ] || { echo "needs root"; exit 77; }
if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
	place=$(mktemp -d)
	trap 'rmdir "$place"' EXIT
	IN_NAMESPACE=$place unshare -m --propagation private "$0" "$source"
	exit
fi
place=$IN_NAMESPACE
export root=$place/root

failed=0
passed=0
check() {
	name=$1
	shift
	if "$@" >"$place/output" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $name: $*"
		tail -n 20 "$place/output"
	fi
}
inside() { chroot "$root" "$@"; }
in_source() { inside sh -c "umask 077; cd '$source' && BUILD_DIR=/var/tmp/install-build $*"; }
nobody() { inside setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
refused() { ! "$@"; }
# Folders too, but the source, which may bear any name, and what stood there before.
ours() {
	find "$root/usr" "$root/etc" "$root/run" "$root/var/lib" -path "$root$source" -prune \
		-o -name '*blkadvise*' -print 2>/dev/null | sort
}
folders() { (cd "$root" && find usr etc -xdev -type d | sort); }

mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$root" ||
	{ echo "no overlay file system here"; exit 77; }
mount -t tmpfs tmpfs "$root/run"
mount -t proc proc "$root/proc"
mount --bind /sys "$root/sys"
mount -o remount,bind,ro "$root/sys"
mount --bind /dev "$root/dev"
mount --bind / "$root/mnt" # an overlay does not show its disk, the machine's own root does

ours >"$place/ours"
folders >"$place/folders"
# A build for another place must not be taken for ours.
inside meson setup /var/tmp/install-build "$source" --prefix=/opt/elsewhere --buildtype=debug \
	-Dtests=false >/dev/null 2>&1 || echo "no build for another place"

check "it installs" in_source ./install.sh
cp "$place/output" "$place/first"
check "it says that nothing is applied" grep -q "nothing is applied" "$place/first"
check "it ends with the table" grep -q "^NAME .*CLASS .*FINDINGS" "$place/first"
check "it names the findings" grep -q "^== findings" "$place/first"
disk=$(inside blkadvise list --json | sed -n 's/.*"devnum": *"\(.*\)".*/\1/p' | head -n 1)
check "there is a disk" test -n "$disk"
check "its record is published" test -s "$root/run/blkadvise/disks/$disk"
check "the advice under a file is found" inside blkadvise advise /mnt/etc/passwd
check "the rules are there" sh -c 'ls $root/*/udev/rules.d/90-blkadvise.rules \
	$root/usr/lib/udev/rules.d/90-blkadvise.rules 2>/dev/null | grep -q .'
check "the files are in order" inside blkadvise verify
check "the manual is there" sh -c 'ls $root/usr/share/man/man8/blkadvise.8*'
check "both units are there" sh -c 'for unit in blkadvise blkadvise-measurements; do
	ls $root/lib/systemd/system/$unit.service \
		$root/usr/lib/systemd/system/$unit.service 2>/dev/null | grep -q . || exit 1; done'
check "nothing went elsewhere" test ! -e "$root/opt/elsewhere"
check "the pages are there" sh -c 'cd $root/usr/share/doc/blkadvise && ls record.md \
	performance.md examples/reader.sh'
check "everybody may read the records" nobody cat "/run/blkadvise/disks/$disk"
check "everybody may read the configuration" nobody cat /etc/blkadvise/blkadvise.conf
check "everybody may list" nobody blkadvise list
check "everybody may look for mistakes" nobody blkadvise verify
check "everybody may read all of it" nobody sh -c 'grep -v "/$" /usr/lib/blkadvise/manifest |
	while read -r file; do [ -r "$file" ] || { echo "$file"; exit 1; }; done'
printf '[mine]\nMatch.class=sata-ssd\nread_ahead_kb=64\n' \
	>"$root/etc/blkadvise/policy.d/50-mine.policy"
old=/usr/lib/blkadvise/policy.d/15-old.policy # of an earlier version
touch "$root$old"
echo "$old" >>"$root/usr/lib/blkadvise/manifest"
check "it installs again" in_source ./install.sh --observe
check "what an earlier version had is gone" test ! -e "$root$old"
check "observing" grep -q '^Mode=observe' "$root/etc/blkadvise/blkadvise.conf"
check "and installs a third time" in_source ./install.sh
cp "$place/output" "$place/third"
check "still observing" grep -q '^Mode=observe' "$root/etc/blkadvise/blkadvise.conf"
check "and it says so" grep -q "Mode=observe was set before" "$place/third"
check "and promises no apply by hand" refused grep -q "does it by hand" "$place/third"
check "the administrator's policy stays" test -s "$root/etc/blkadvise/policy.d/50-mine.policy"
check "it explains its options" in_source ./install.sh --help
check "an unknown option is refused" sh -c "! chroot $root '$source/install.sh' --nonsense"

# What is remembered of this disk cannot be read, so nobody knows what to give back.
mkdir -p "$root/run/blkadvise/state"
mv "$root/run/blkadvise/state/$disk" "$place/memory" 2>/dev/null || :
mkdir "$root/run/blkadvise/state/$disk"
check "it does not uninstall" refused in_source ./install.sh --uninstall
cp "$place/output" "$place/stopped"
check "it says what to do" grep -q "run .*--uninstall. again" "$place/stopped"
check "the memory stays" test -d "$root/run/blkadvise/state/$disk"
check "the program stays" inside blkadvise --version
check "the rules are gone already" sh -c '! ls $root/*/udev/rules.d/*blkadvise* 2>/dev/null'
rmdir "$root/run/blkadvise/state/$disk"
check "it uninstalls" in_source ./install.sh --uninstall
check "the administrator's policy stays again" \
	test -s "$root/etc/blkadvise/policy.d/50-mine.policy"
rm -f "$root/etc/blkadvise/policy.d/50-mine.policy"
rmdir "$root/etc/blkadvise/policy.d" "$root/etc/blkadvise"
ours >"$place/left"
check "no file or folder of it is left" diff "$place/ours" "$place/left"
folders >"$place/left"
check "no other folder either" diff "$place/folders" "$place/left"
check "no record either" test ! -e "$root/run/blkadvise"
check "uninstalling twice is refused" sh -c "! chroot $root '$source/install.sh' --uninstall"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
