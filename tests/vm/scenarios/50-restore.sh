# SPDX-License-Identifier: MIT
# restore returns the values from before us and keeps them through events, until apply; the
# baseline is the first value seen, however often we wrote.
# Machines: all-disks

name=$(disk VMVIRTBLK)
initial=$(remembered "$name" read_ahead_kb.initial)
mkdir -p /run/blkadvise/policy.d
for value in 256 512 1024; do
	printf '[all]\nread_ahead_kb=%s\n' "$value" >/run/blkadvise/policy.d/90-test.policy
	event "$name"
	equal "the policy's value is set" "$value" "$(attr "$name" queue/read_ahead_kb)"
	: "${initial:=$(remembered "$name" read_ahead_kb.initial)}"
	equal "the baseline stays" "$initial" "$(remembered "$name" read_ahead_kb.initial)"
done
check "a dry run changes nothing" blkadvise restore --dry-run "$name"
equal "nothing" 1024 "$(attr "$name" queue/read_ahead_kb)"
check "restore" blkadvise restore "$name"
equal "the first value is back" "$initial" "$(attr "$name" queue/read_ahead_kb)"
event "$name"
event "$name" add
equal "and stays through events" "$initial" "$(attr "$name" queue/read_ahead_kb)"
equal "the record tells whose it is" kernel "$(record "$name" READ_AHEAD_KB_BY)"
check "apply" blkadvise apply "$name"
equal "sets it again" 1024 "$(attr "$name" queue/read_ahead_kb)"
rm -f /run/blkadvise/policy.d/90-test.policy
event "$name"

# The scheduler, and what a switch of it resets.
name=$(disk VMSATASSD)
printf '[all]\nscheduler=none\n' >/run/blkadvise/policy.d/90-test.policy
event "$name"
equal "the scheduler is switched" none "$(scheduler "$name")"
rm -f /run/blkadvise/policy.d/90-test.policy
blkadvise restore --quiet "$name"
equal "and returned" mq-deadline "$(scheduler "$name")"
blkadvise apply --quiet "$name"

check "restore of all disks" blkadvise restore
check "apply of all disks" blkadvise apply
as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
if command -v setpriv >/dev/null; then
	equal "apply needs root, and says so" 4 "$(as_user blkadvise apply 2>/dev/null; echo $?)"
	check "reading verbs do not" as_user blkadvise list
else
	skip "without root" "no setpriv in this guest"
fi
