#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh as a person runs it, on a copy of this machine: an overlay over / in a mount
# namespace of its own, with a /run of its own and /sys read-only. No udevd runs there, so it
# must publish and apply nothing. Installing twice, observing, uninstalling; in the end every
# file is gone and nothing of it has reached the machine.
#
# usage: test-install.sh SOURCE
set -eu

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
in_source() { inside sh -c "cd '$source' && BUILD_DIR=/var/tmp/install-build $*"; }

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
printf '[mine]\nMatch.class=sata-ssd\nread_ahead_kb=64\n' \
	>"$root/etc/blkadvise/policy.d/50-mine.policy"
check "it installs again" in_source ./install.sh --observe
check "observing" grep -q '^Mode=observe' "$root/etc/blkadvise/blkadvise.conf"
check "the administrator's policy stays" test -s "$root/etc/blkadvise/policy.d/50-mine.policy"
check "it explains its options" in_source ./install.sh --help
check "an unknown option is refused" sh -c "! chroot $root '$source/install.sh' --nonsense"
check "it uninstalls" in_source ./install.sh --uninstall
check "the administrator's policy stays again" \
	test -s "$root/etc/blkadvise/policy.d/50-mine.policy"
rm -f "$root/etc/blkadvise/policy.d/50-mine.policy"
left=$(find "$root/usr" "$root/etc" "$root/run" -name '*blkadvise*' ! -type d \
	! -path "$root$source/*" 2>/dev/null)
check "no file of it is left ($left)" test -z "$left"
check "no record either" test ! -e "$root/run/blkadvise"
check "uninstalling twice is refused" sh -c "! chroot $root '$source/install.sh' --uninstall"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
