#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs blkadvise on this machine: what is needed to build it, the build, the files; then
# shows the plan, applies it, publishes, and ends with the table of disks and the findings.
#
#	./install.sh		all of that
#	./install.sh --observe	publish only: no tunable is written, now or later
#	./install.sh --uninstall	the rules first, then every value back, then the files
#
# Without a running udevd (a container) it publishes and applies nothing.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C

packages='gcc libc6-dev meson ninja-build pkg-config libudev-dev libjson-c-dev libsmartcols-dev scdoc'
build=${BUILD_DIR:-build}
lib=/usr/lib/blkadvise
manifest=$lib/manifest
config=/etc/blkadvise/blkadvise.conf

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
	if [ -f "$build/build.ninja" ]; then
		meson setup --reconfigure "$build" -Dtests=false >/dev/null
	else
		meson setup "$build" --buildtype=release -Dtests=false >/dev/null ||
			die "the configuration failed; see $build/meson-logs/meson-log.txt"
	fi
	meson compile -C "$build" >"$build/compile.log" 2>&1 || {
		tail -n 30 "$build/compile.log" >&2
		die "the build failed"
	}
}

install_files() {
	step "installing"
	list=$(mktemp)
	# The rules come last: until then no event calls a helper that is not whole.
	meson install -C "$build" --no-rebuild >"$list" || die "the installation failed"
	mkdir -p "$lib"
	sed -n 's/^Installing symlink pointing to .* to \(.*\)$/\1/p
		s/^Installing \(.*\) to \(.*\)$/\2 \1/p' "$list" | while read -r to from; do
		if [ -n "$from" ]; then
			printf '%s/%s\n' "${to%/}" "${from##*/}"
		else
			printf '%s\n' "$to"
		fi
	done | sort -u >"$manifest"
	rm -f "$list"
	ldconfig
	say "$(wc -l <"$manifest") files; listed in $manifest"
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
		systemctl enable --quiet blkadvise.service || say "blkadvise.service: not enabled"
	fi
	if has_udevd; then
		udevadm control --reload
	fi
}

run() {
	step "the plan"
	blkadvise plan
	if ! has_udevd; then
		step "publishing"
		say "udevd does not run here (a container?): nothing is applied."
		say "\`blkadvise apply\` does it by hand, \`blkadvise restore\` takes it back."
		blkadvise publish || die "the records could not be written"
	elif [ "$mode" = observe ]; then
		step "publishing"
		say "observing: no tunable is written."
		blkadvise publish || die "the records could not be written"
	else
		step "applying"
		blkadvise apply || say "some of it did not take: see above"
		# The properties in udev's database come from an event.
		udevadm trigger --subsystem-match=block --action=change
		udevadm settle --timeout=30 || :
		! has_systemd || systemctl start blkadvise.service || :
	fi
	step "this machine's disks"
	blkadvise list
	step "findings"
	blkadvise diagnose || [ $? -eq 10 ]
}

remove_file() {
	case $1 in
	/*) [ ! -e "$1" ] && [ ! -L "$1" ] || rm -f "$1" ;;
	esac
}

uninstall() {
	[ -f "$manifest" ] || die "not installed by this script: no $manifest"
	step "removing the udev rules"
	grep '/rules\.d/' "$manifest" | while read -r file; do remove_file "$file"; done
	! has_udevd || udevadm control --reload
	if has_systemd; then
		systemctl disable --now --quiet blkadvise.service 2>/dev/null || :
	fi
	step "returning every value"
	blkadvise restore || say "some values could not be returned: see above"
	step "removing the files"
	# A configuration that only this script has touched goes as well.
	if sed 's/^Mode=observe$/#Mode=apply/' "$config" 2>/dev/null |
		cmp -s - "$lib/blkadvise.conf"; then
		rm -f "$config"
	fi
	while read -r file; do remove_file "$file"; done <"$manifest"
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
	sed -n '3,10s/^# \{0,1\}//p' "$0"
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
