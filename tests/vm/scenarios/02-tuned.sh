# SPDX-License-Identifier: MIT
# A tuned that fights: its throughput profile raises the readahead that we have set. Diagnose
# names it; the remedy, a profile that leaves disks alone, makes the findings go away.
# Machines: debian-systemd
# Timeout: 600

ssd=$(disk VMSATASSD)
sysfs=/sys/block/$ssd/queue/read_ahead_kb
mkdir -p /run/blkadvise/policy.d
printf '[all]\nread_ahead_kb=512\n' >/run/blkadvise/policy.d/90-test.policy
event "$ssd"
equal "our readahead is in force" 512 "$(cat "$sysfs")"
equal "without tuned there is no rival" "" "$(finding "$ssd" rival-writer)"
equal "and no drift" "" "$(finding "$ssd" setting-drifted)"

check "tuned starts" systemctl start tuned
check "with its throughput profile" timeout 120 tuned-adm profile throughput-performance
raised() { test "$(cat "$sysfs")" -ge 4096; }
WAIT=60 wait_for raised
equal "tuned raised the readahead" 4096 "$(cat "$sysfs")"
equal "it is found as a rival" warn "$(finding "$ssd" rival-writer)"
equal "and the value as drifted" warn "$(finding "$ssd" setting-drifted)"
check "the evidence names tuned's file" sh -c \
	"blkadvise diagnose --verbose $ssd | grep -q 'throughput-performance/tuned.conf'"

# The remedy: the same profile without its disk part.
mkdir -p /etc/tuned/no-disks
printf '[main]\ninclude=throughput-performance\n[disk]\nenabled=false\n' \
	>/etc/tuned/no-disks/tuned.conf
check "a profile that leaves disks alone" timeout 120 tuned-adm profile no-disks
echo 512 >"$sysfs"
equal "the rival is gone" "" "$(finding "$ssd" rival-writer)"
equal "and so is the drift" "" "$(finding "$ssd" setting-drifted)"

systemctl stop tuned
rm -r /etc/tuned/no-disks /run/blkadvise/policy.d
event "$ssd"
equal "afterwards the balanced value is back" 128 "$(cat "$sysfs")"
