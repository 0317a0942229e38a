#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs blkadvise on this machine: what is needed to build it, the build, the files; then
# shows the plan, applies it, publishes, and ends with the table of disks and the findings.
#
#	./install.sh		all of that; a Mode= that is set already stays
#	./install.sh --observe	publish only: no tunable is written, now or later
#	./install.sh --uninstall	the rules first, then every value back, then the files
#
# Without a running udevd (a container) it publishes and applies nothing. It builds in
# build-install/, or in the folder that BUILD_DIR names.
set -eu
umask 022 # records and configuration are for everyone to read
cd "$(dirname "$0")"
export LC_ALL=C

packages='gcc libc6-dev meson ninja-build pkg-config libudev-dev libjson-c-dev libsmartcols-dev
	liburing-dev scdoc'
build=${BUILD_DIR:-build-install}
lib=/usr/lib/blkadvise
manifest=$lib/manifest
config=/etc/blkadvise/blkadvise.conf
units='blkadvise.service blkadvise-measurements.service'

. ./packages.sh

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
die() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

has_systemd() { [ -d /run/systemd/system ]; }
has_udevd() { [ -S /run/udev/control ] && udevadm control --ping --timeout=10 >/dev/null 2>&1; }

build_program() {
	step "building in $build/"
	again=
	[ ! -f "$build/build.ninja" ] || again=--reconfigure
	# shellcheck disable=SC2086 # nothing or one word
	meson setup $again "$build" --prefix=/usr --sysconfdir=/etc --buildtype=release \
		-Dtests=false >/dev/null ||
		die "the configuration failed; see $build/meson-logs/meson-log.txt"
	meson compile -C "$build" >"$build/compile.log" 2>&1 || {
		tail -n 30 "$build/compile.log" >&2
		die "the build failed"
	}
}

# Of what `meson install` says on standard input: each file, and, with a slash at its end, each
# folder that is not there yet.
list_targets() {
	sed -n 's/^Installing symlink pointing to .* to \(.*\)$/\1/p
		s/^Installing \(.*\) to \(.*\)$/\2 \1/p' | while read -r to from; do
		[ -z "$from" ] || to=${to%/}/${from##*/}
		printf '%s\n' "$to"
		to=${to%/*}
		while [ -n "$to" ] && [ ! -d "$to" ]; do
			printf '%s/\n' "$to"
			to=${to%/*}
		done
	done
}

# The manifest is there before the files, so that half an installation can be taken back; it
# keeps the folders that an earlier one made.
install_files() {
	step "installing"
	list=$(mktemp)
	meson install -C "$build" --no-rebuild --dry-run | list_targets >"$list"
	[ -s "$list" ] || die "nothing to install: $build holds no build"
	[ -d "$lib" ] || printf '%s/\n' "$lib" >>"$list"
	mkdir -p "$lib"
	if [ -f "$manifest" ]; then
		grep '/$' "$manifest" >>"$list" || :
		cp "$manifest" "$list.old"
	fi
	# Until all is done the manifest names what was there and what comes.
	sort -u "$list" >"$list.new"
	[ ! -f "$list.old" ] || cat "$list.old" >>"$list"
	sort -u "$list" >"$manifest"
	# The rules come after what they call: no event finds half a helper.
	meson install -C "$build" --no-rebuild >"$list" || die "the installation failed"
	if [ -f "$list.old" ]; then # what an earlier version had and this one has not
		sort -u "$list.old" | comm -23 - "$list.new" |
			while read -r file; do remove_file "$file"; done
	fi
	cp "$list.new" "$manifest"
	rm -f "$list" "$list.old" "$list.new"
	ldconfig
	say "$(grep -vc '/$' "$manifest") files; listed in $manifest"
}

# The configuration is the administrator's: made once, and only Mode= is changed on request.
write_config() {
	mkdir -p /etc/blkadvise/policy.d /etc/blkadvise/quirks.d
	[ -e "$config" ] || cp "$lib/blkadvise.conf" "$config"
	[ "$mode" = observe ] || return 0
	if grep -q '^Mode=' "$config"; then
		sed -i 's/^Mode=.*/Mode=observe/' "$config"
	elif grep -q '^#Mode=' "$config"; then
		sed -i '0,/^#Mode=.*/s//Mode=observe/' "$config"
	else
		printf '\n[blkadvise]\nMode=observe\n' >>"$config"
	fi
	say "$config: Mode=observe"
}

start() {
	if has_systemd; then
		systemctl daemon-reload
		for unit in $units; do
			systemctl enable --quiet "$unit" || say "$unit: not enabled"
		done
	fi
	if has_udevd; then
		udevadm control --reload
	fi
}

# The configuration counts, not only the option: a plain install leaves an earlier --observe.
observes() {
	grep -qs '^[[:space:]]*Mode[[:space:]]*=[[:space:]]*observe[[:space:]]*$' "$config"
}

say_observing() {
	say "observing: no tunable is written."
	[ "$mode" = observe ] ||
		say "Mode=observe was set before and stays in force; an install does not change it."
	say "To end that, set Mode=apply in $config and run \`blkadvise apply\`."
}

run() {
	step "the plan"
	blkadvise plan
	if ! has_udevd || observes; then
		step "publishing"
		has_udevd || say "udevd does not run here (a container?): nothing is applied."
		if observes; then
			say_observing
		else
			say "\`blkadvise apply\` does it by hand, \`blkadvise restore\` takes it back."
		fi
		blkadvise publish || die "the records could not be written"
	else
		step "applying"
		blkadvise apply || say "some of it did not take: see above"
	fi
	if has_udevd; then # the properties in udev's database come from an event
		udevadm trigger --subsystem-match=block --action=change
		udevadm settle --timeout=30 || :
		# shellcheck disable=SC2086 # a list of words
		! has_systemd || systemctl start $units || :
	fi
	step "this machine's disks"
	blkadvise list
	step "findings"
	blkadvise diagnose || [ $? -eq 10 ]
}

remove_file() {
	case $1 in
	/*/) rmdir "$1" 2>/dev/null || : ;; # a folder, if nobody else uses it
	/*) [ ! -e "$1" ] && [ ! -L "$1" ] || rm -f "$1" ;;
	esac
}

# Without the program and its memory nobody could return what is left.
stop_uninstalling() {
	die "not every value could be returned, or noted as returned: see above.
The udev rules are gone, so nothing writes any more. The program and what it remembers
(/run/blkadvise/state) stay. Mend the cause, such as a full /run or a writer that is still at
work; try \`blkadvise restore\`; then run \`./install.sh --uninstall\` again. A boot
returns the kernel's own values as well."
}

uninstall() {
	[ -f "$manifest" ] || die "not installed by this script: no $manifest"
	step "removing the udev rules"
	grep '/rules\.d/.' "$manifest" | while read -r file; do remove_file "$file"; done
	if has_udevd; then
		udevadm control --reload
		udevadm settle --timeout=30 || : # events that were under way
	fi
	if has_systemd; then
		# shellcheck disable=SC2086 # a list of words
		systemctl disable --now --quiet $units 2>/dev/null || :
	fi
	step "returning every value"
	blkadvise restore || stop_uninstalling
	step "removing the files"
	# A configuration that only this script has touched goes as well.
	if sed 's/^Mode=observe$/#Mode=apply/' "$config" 2>/dev/null |
		cmp -s - "$lib/blkadvise.conf"; then
		rm -f "$config"
	fi
	list=$(mktemp)
	sort -r "$manifest" >"$list" # what is in a folder comes before it
	while read -r file; do remove_file "$file"; done <"$list"
	rm -f "$list"
	rm -rf "$lib" /run/blkadvise
	rmdir /etc/blkadvise/policy.d /etc/blkadvise/quirks.d /etc/blkadvise 2>/dev/null || :
	! has_systemd || systemctl daemon-reload
	ldconfig
	[ ! -d /etc/blkadvise ] || say "/etc/blkadvise holds files of yours and stays"
	say "blkadvise is gone; the packages that it was built with stay"
}

mode=apply
case ${1-} in
'') ;;
--observe) mode=observe ;;
--uninstall) mode=uninstall ;;
-h | --help)
	sed -n '3,11s/^# \{0,1\}//p' "$0"
	exit 0
	;;
*) die "unknown option: $1 (--observe, --uninstall, --help)" ;;
esac
[ "$(id -u)" -eq 0 ] || die "needs root"
if [ "$mode" = uninstall ]; then
	uninstall
else
	# shellcheck disable=SC2086 # a list of words
	install_packages $packages || die "these packages are needed: $packages"
	build_program
	install_files
	write_config
	start
	run
fi
