# SPDX-License-Identifier: MIT
# On a real kernel: the fault is made, the finding appears; its remedy is applied, the finding
# goes away. What QEMU cannot show (an IDE-mode function with a SATA drive, link speeds, PCIe
# widths) is shown by composed captures only (tests/disks).
# Machines: all-disks
# Timeout: 900

newer_than() { # VERSION: the kernel is this one or newer
	test "$(printf '%s\n%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1"
}

set_queue() { # DISK ATTRIBUTE VALUE
	echo "$3" >"/sys/block/$1/queue/$2"
}

# --- readahead that kernels from 6.17 on derive from a flag that nothing backs
name=$(disk VMVIRTBLK)
equal "set by our policy: no finding" "" "$(finding "$name" readahead-false-rotational)"
blkadvise restore --quiet "$name"
if newer_than 6.17; then
	equal "the kernel's own readahead is found" warn \
		"$(finding "$name" readahead-false-rotational)"
	check "with the arithmetic" sh -c \
		"blkadvise diagnose $name | grep -q '2 x max_'"
else
	equal "this kernel derives none" "" "$(finding "$name" readahead-false-rotational)"
fi
blkadvise apply --quiet "$name"
equal "apply makes it go away" "" "$(finding "$name" readahead-false-rotational)"

# --- NCQ switched off by hand
name=$(disk VMSATASSD)
equal "NCQ is on" "" "$(finding "$name" ncq-off)"
echo 1 >"/sys/block/$name/device/queue_depth"
equal "queue_depth 1 is found" warn "$(finding "$name" ncq-off)"
echo 32 >"/sys/block/$name/device/queue_depth"
equal "switched on, it is gone" "" "$(finding "$name" ncq-off)"

# --- a scheduler that does not fit
name=$(disk VMUSBUAS)
modprobe bfq 2>/dev/null
if grep -q bfq "/sys/block/$name/queue/scheduler"; then
	equal "mq-deadline fits an SSD at USB" "" "$(finding "$name" scheduler-unfit)"
	set_queue "$name" scheduler bfq
	equal "bfq does not" warn "$(finding "$name" scheduler-unfit)"
	set_queue "$name" scheduler mq-deadline
	equal "set back, it is gone" "" "$(finding "$name" scheduler-unfit)"
else
	not_ok "a scheduler that does not fit" "no bfq here"
fi

# --- an optimal_io_size that is none, from a SCSI device that says so
if modprobe scsi_debug dev_size_mb=64 opt_blks=65535 physblk_exp=0 sector_size=512 2>/dev/null; then
	debug() { grep -l scsi_debug /sys/block/sd*/device/model | cut -d / -f 4; }
	wait_for debug
	settle
	name=$(debug)
	note "optimal_io_size $(attr "$name" queue/optimal_io_size)"
	if [ "$(attr "$name" queue/optimal_io_size)" = 33553920 ]; then
		equal "with our readahead the bogus size does no harm" info \
			"$(finding "$name" io-opt-bogus)"
		blkadvise restore --quiet "$name"
		equal "with the kernel's it does" warn "$(finding "$name" io-opt-bogus)"
		equal "and so does the readahead itself" warn \
			"$(finding "$name" readahead-from-io-opt)"
		blkadvise apply --quiet "$name"
		equal "apply puts the readahead right" "" \
			"$(finding "$name" readahead-from-io-opt)"
		equal "and the size does no harm again" info "$(finding "$name" io-opt-bogus)"
	else
		not_ok "a bogus optimal_io_size" "this kernel refuses it"
	fi
	echo 1 >"/sys/block/$name/device/delete"
	wait_for gone debug
	rmmod scsi_debug 2>/dev/null
else
	not_ok "a bogus optimal_io_size" "no scsi_debug here"
fi

# --- USB: bulk-only beside UAS, where the same finding is not
if plug usb-bot HOTBOT && wait_for disk HOTBOT; then
	settle
	equal "bulk-only: one command at a time" info "$(finding "$(disk HOTBOT)" usb-quirk-cost)"
	equal "UAS: nothing of the kind" "" "$(finding "$(disk VMUSBUAS)" usb-quirk-cost)"
	unplug HOTBOT
else
	not_ok "a bulk-only bridge" "it did not appear"
fi

# --- a guest's disk at emulated IDE; remedy: another bus, where the same finding is not
equal "emulated IDE is found" warn "$(finding "$(disk VMIDESSD)" emulated-ide)"
equal "on AHCI it is not" "" "$(finding "$(disk VMSATASSD)" emulated-ide)"

# --- readahead that was set below, where it does not count
name=$(disk VMVIRTBLK)
sectors=$(attr "$name" size)
dmsetup create vmtop --table "0 $sectors linear /dev/$name 0"
settle
top=$(basename "$(readlink -f /dev/mapper/vmtop)")
wait_for test -s "/run/blkadvise/disks/$(attr "$top" dev)"
equal "the agent has set the top, too" "" "$(finding "$top" readahead-not-on-top)"
blkadvise restore --quiet "$top"
mkdir -p /run/blkadvise/policy.d
printf '[all]\nread_ahead_kb=64\n' >/run/blkadvise/policy.d/90-test.policy
set_queue "$name" read_ahead_kb 64
equal "the disk below is set, where it does not count" warn "$(finding "$top" readahead-not-on-top)"
blkadvise apply --quiet "$top"
equal "set on top, it does" "" "$(finding "$top" readahead-not-on-top)"
rm -r /run/blkadvise/policy.d
dmsetup remove vmtop
set_queue "$name" read_ahead_kb 128
event "$name"

# --- drift: somebody changes what we set
name=$(disk VMVSCSISSD)
printf '[all]\nread_ahead_kb=1024\n' >/tmp/90-test.policy
mkdir -p /run/blkadvise/policy.d
cp /tmp/90-test.policy /run/blkadvise/policy.d/
blkadvise apply --quiet "$name"
equal "as set: no drift" "" "$(finding "$name" setting-drifted)"
set_queue "$name" read_ahead_kb 704
equal "changed by somebody: drifted" warn "$(finding "$name" setting-drifted)"
set_queue "$name" read_ahead_kb 1024
equal "set back, it is gone" "" "$(finding "$name" setting-drifted)"
rm -r /run/blkadvise/policy.d
event "$name"

# --- the verdicts travel
blkadvise capture --output=/tmp/machine.capture
blkadvise diagnose --json >/tmp/live.json
blkadvise --from=/tmp/machine.capture diagnose --json >/tmp/captured.json
ids() { grep -E '"(name|id|result|severity)":' "$1"; }
ids /tmp/live.json >/tmp/live.ids
ids /tmp/captured.json >/tmp/captured.ids
check "a capture gives the same verdicts" diff /tmp/live.ids /tmp/captured.ids

# --- without the emulated IDE disk this is a healthy machine
scsi_delete "$(disk VMIDESSD)"
wait_for gone disk VMIDESSD
equal "nothing to warn of on a healthy machine" "" "$(timeout 60 blkadvise --json diagnose |
	awk -F'"' '$2 == "id" { id = $4 } $2 == "severity" && $4 != "info" { print id }')"
scsi_rescan
