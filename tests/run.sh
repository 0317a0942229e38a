#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what the tests need and runs all of them: a developer's build with warnings as
# errors, the same under AddressSanitizer and UndefinedBehaviorSanitizer, install.sh on a copy
# of this machine, and real kernels in virtual machines.
#
#	tests/run.sh		everything (about a quarter of an hour on two cores)
#	tests/run.sh --fast	without virtual machines
#
# Kernels are fetched once into $BLKADVISE_VM_CACHE (/var/cache/blkadvise-vm). One that cannot
# be had is skipped by name; 6.1 and a newer one have to run.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C

packages='gcc g++ libc6-dev meson ninja-build pkg-config libudev-dev libjson-c-dev
	libsmartcols-dev liburing-dev scdoc libcmocka-dev umockdev libumockdev-dev python3 python3-jsonschema
	util-linux binutils fdisk'
vm_packages='qemu-system-x86 seabios busybox-static dash kmod udev dmsetup cpio zstd xz-utils
	e2fsprogs mmdebstrap'
fast=
case ${1-} in
'') ;;
--fast) fast=1 ;;
*)
	sed -n '3,12s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac

[ -n "$fast" ] || packages="$packages $vm_packages"
. ./packages.sh

step() { printf '\n== %s (%s s)\n' "$*" "$(($(date +%s) - started))"; }
started=$(date +%s)
builds=${BUILD_ROOT:-build-tests}

if [ "$(id -u)" -eq 0 ]; then
	# shellcheck disable=SC2086 # lists of words
	install_packages $packages || { echo "these packages are needed: $packages"; exit 1; }
fi

# build FOLDER [OPTION OF meson setup]...: configures and compiles.
build() {
	folder=$builds/$1
	shift
	rm -rf "$folder"
	meson setup "$folder" --werror -Dtests=true "$@" >"$builds.log" 2>&1 ||
		{ cat "$builds.log"; exit 1; }
	meson compile -C "$folder" >"$builds.log" 2>&1 || { tail -n 60 "$builds.log"; exit 1; }
	rm -f "$builds.log"
}

# run FOLDER LOG [OPTION OF meson test]...: runs tests; remembers a failure and goes on.
failed=0
run() {
	folder=$builds/$1
	log=$2
	shift 2
	meson test -C "$folder" --no-rebuild --print-errorlogs --logbase "results-$log" "$@" ||
		failed=1
}

# insist NAME...: at least one of these tests has run and passed.
insist() {
	for name in "$@"; do
		grep -q "\"name\": \"[^\"]*$name\".*\"result\": \"OK\"" \
			"$builds/plain/meson-logs/results-vm.json" && return 0
	done
	echo "none of these has run: $*"
	failed=1
}

step "a developer's build"
build plain "-Dvm-tests=$([ -n "$fast" ] && echo false || echo true)"
step "tests"
run plain plain --no-suite vm
step "the same with sanitizers"
build sanitized -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debug
run sanitized sanitized --no-suite install --timeout-multiplier 4
if [ -z "$fast" ]; then
	step "virtual machines"
	run plain vm --suite vm
	insist "all disks on 6.1"
	insist "all disks on 7.2" "all disks on 6.12"
	insist "whole Debian"
fi
step "done"
python3 tests/count-results "$builds"/*/meson-logs/results-*.json || failed=1
exit "$failed"
