# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The functions a scenario is written with. Results and requests go over the second serial port,
# which nothing else writes to, so kernel messages cannot disturb them; what a scenario prints
# goes to the console, for people.

: "${VM_CHANNEL:=/dev/ttyS1}"

# One message to the host: one line in one write, whatever the text holds.
emit() {
	printf '%s\n' "$(printf '%s' "$*" | tr '\n\r\t' '   ' | cut -c 1-1500)" >>"$VM_CHANNEL"
}

# -- results ----------------------------------------------------------------------------------

# A name must not hold " # ": what follows it is the detail.
ok() { emit "ok $1"; }
not_ok() { emit "not ok $1 # ${2-}"; }
skip() { emit "skip $1 # ${2-}"; }
note() { emit "note $*"; }

# check NAME COMMAND...: the command succeeds. Its output is the detail when it does not.
check() {
	_name=$1
	shift
	if _output=$("$@" 2>&1); then
		ok "$_name"
	else
		not_ok "$_name" "exit $? from: $* ... $_output"
	fi
}

# equal NAME WANT GOT
equal() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "want '$2', got '$3'"
	fi
}

# -- the host ---------------------------------------------------------------------------------

# host COMMAND...: the host carries the command out and its answer is printed. Commands:
# plug KIND ID [PROPERTY=VALUE...], unplug ID, qmp JSON, hmp TEXT. One at a time.
host() {
	emit "host $$ $*"
	# The answer to a scenario that was killed meanwhile may still be on its way.
	while IFS= read -r _reply <"$VM_CHANNEL"; do
		case $_reply in
		"$$ ok "*)
			printf '%s\n' "${_reply#"$$ ok "}"
			return 0
			;;
		"$$ "*)
			printf 'host %s: %s\n' "$*" "$_reply" >&2
			return 1
			;;
		esac
	done
	return 1
}

# plug KIND ID: a new 64 MiB disk with ID as its serial number. It returns when the guest may
# look for it: use wait_for. Kinds: usb-storage, usb-uas, virtio-blk, nvme, virtio-scsi.
plug() { host plug "$@" >/dev/null; }

# unplug ID returns when the guest has let go of the device.
unplug() { host unplug "$@" >/dev/null; }

# The emulated IDE and AHCI buses have no hotplug of their own; the guest can let go of a disk
# and find it again, which gives the same uevents.
scsi_delete() {
	_sys=$(readlink -f "/sys/block/$1/device") && echo 1 >"$_sys/delete"
}

scsi_rescan() {
	for _host in /sys/class/scsi_host/host*/scan; do
		echo '- - -' >"$_host"
	done
}

# -- waiting ----------------------------------------------------------------------------------

# wait_for COMMAND...: polls until it succeeds, 30 s at most (WAIT=SECONDS changes that).
wait_for() {
	_until=$(($(uptime_seconds) + ${WAIT:-30}))
	while ! "$@" >/dev/null 2>&1; do
		[ "$(uptime_seconds)" -lt "$_until" ] || return 1
		sleep 0.2
	done
}

# gone COMMAND...: the command fails; for wait_for.
gone() { ! "$@"; }

uptime_seconds() { cut -d . -f 1 /proc/uptime; }

settle() { udevadm settle --timeout="${WAIT:-30}"; }

# -- disks ------------------------------------------------------------------------------------

# disk SERIAL: the kernel's name of the whole disk with this serial number, from udev's
# database; fails where there is none. Serial numbers are the only names a scenario may use.
disk() {
	for _db in $(grep -lE "^E:ID_(SCSI_)?SERIAL(_SHORT)?=(.*_)?$1(_[0-9]+|-0:0)?\$" \
		/run/udev/data/b* 2>/dev/null); do
		_sys=/sys/dev/block/${_db##*/b}
		if [ -e "$_sys" ] && [ ! -e "$_sys/partition" ]; then
			basename "$(readlink -f "$_sys")"
			return 0
		fi
	done
	return 1
}

# prop DISK KEY: a property of udev's database, empty where there is none.
prop() { udevadm info --query=property --name="/dev/$1" | sed -n "s/^$2=//p"; }

# attr DISK NAME: a sysfs attribute, such as queue/read_ahead_kb; fails where there is none.
attr() { cat "/sys/block/$1/$2"; }

# driver DISK: the kernel drivers bound to the disk and its parents, nearest first.
driver() {
	_sys=$(readlink -f "/sys/block/$1/device")
	while [ "$_sys" != /sys/devices ] && [ "$_sys" != / ]; do
		[ -e "$_sys/driver" ] && basename "$(readlink -f "$_sys/driver")"
		_sys=$(dirname "$_sys")
	done
}

# -- what the program says ----------------------------------------------------------------------

# record DISK KEY: a value of the disk's record, empty where there is none.
record() {
	sed -n "s/^BLKADVISE_$2=//p" "/run/blkadvise/disks/$(attr "$1" dev)" 2>/dev/null
}

# finding DISK ID: the severity of that finding; nothing if it is not found.
finding() {
	timeout 60 blkadvise --json diagnose "$1" 2>/dev/null | awk -F'"' -v want="$2" \
		'$2 == "id" { id = $4 } $2 == "severity" && id == want { print $4 }'
}

# remembered DISK NAME: a line of the disk's memory, such as read_ahead_kb.initial.
remembered() { sed -n "s/^$2=//p" "/run/blkadvise/state/$(attr "$1" dev)" 2>/dev/null; }

# scheduler DISK: the active one.
scheduler() { sed -n 's/.*\[\(.*\)\].*/\1/p' "/sys/block/$1/queue/scheduler"; }

# event DISK [ACTION]: a synthetic event, and everything that follows from it.
event() {
	udevadm trigger --action="${2:-change}" "/sys/block/$1"
	settle
}
