# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by install.sh and tests/run.sh: installs those of the named Debian packages that are
# missing. Where no init system runs, the packages are kept from starting their daemons: a
# container must not get a udevd because somebody builds or tests something in it.

# install_packages PACKAGE...
install_packages() {
	if ! command -v apt-get >/dev/null; then
		echo "no apt-get here: taking it that these are installed: $*"
		return 0
	fi
	_missing=
	for _package in "$@"; do
		dpkg-query -W -f '${Status}' "$_package" 2>/dev/null | grep -q ' installed$' ||
			_missing="$_missing $_package"
	done
	[ -n "$_missing" ] || return 0
	printf '\n== installing%s\n' "$_missing"
	_policy=
	if [ ! -d /run/systemd/system ] && [ ! -e /usr/sbin/policy-rc.d ]; then
		_policy=/usr/sbin/policy-rc.d
		printf '#!/bin/sh\nexit 101\n' >"$_policy"
		chmod 755 "$_policy"
	fi
	apt-get update -q >/dev/null
	# shellcheck disable=SC2086 # a list of words
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
		$_missing >/dev/null
	_status=$?
	[ -z "$_policy" ] || rm -f "$_policy"
	return $_status
}
