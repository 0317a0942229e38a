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

# The scheduler. A switch resets nr_requests: a value that somebody set there prevents it.
name=$(disk VMSATASSD)
printf '[all]\nscheduler=none\n' >/run/blkadvise/policy.d/90-test.policy
echo 48 >"/sys/block/$name/queue/nr_requests"
event "$name"
equal "with nr_requests set by hand the scheduler stays" mq-deadline "$(scheduler "$name")"
equal "and nr_requests" 48 "$(attr "$name" queue/nr_requests)"
check "the plan says why" sh -c "blkadvise plan --verbose $name | grep -q nr_requests"
echo 64 >"/sys/block/$name/queue/nr_requests"
event "$name"
equal "without, the scheduler is switched" none "$(scheduler "$name")"
rm -f /run/blkadvise/policy.d/90-test.policy
blkadvise restore --quiet "$name"
equal "and returned" mq-deadline "$(scheduler "$name")"
equal "with the kernel's nr_requests" 64 "$(attr "$name" queue/nr_requests)"
blkadvise apply --quiet "$name"

# A writer that was killed between its write and its note of it: the value is ours all the same.
name=$(disk VMVIRTBLK)
blkadvise restore --quiet "$name"
before=$(attr "$name" queue/read_ahead_kb)
printf '[all]\nread_ahead_kb=448\n' >/run/blkadvise/policy.d/90-test.policy
blkadvise apply --quiet "$name"
state=/run/blkadvise/state/$(attr "$name" dev)
sed -i '/^read_ahead_kb.\(written\|asked\|answer\)/d' "$state"
echo read_ahead_kb.pending=448 >>"$state"
equal "after a killed write the value is ours" blkadvise \
	"$(blkadvise publish --quiet "$name"; record "$name" READ_AHEAD_KB_BY)"
blkadvise restore --quiet "$name"
equal "and is returned" "$before" "$(attr "$name" queue/read_ahead_kb)"
echo rubbish >>"$state"
check "a damaged memory is an error" sh -c "! blkadvise restore $name"
check "and is not overwritten" grep -q rubbish "$state"
event "$name"
equal "nothing is written then" "$before" "$(attr "$name" queue/read_ahead_kb)"
rm -f "$state" /run/blkadvise/policy.d/90-test.policy
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
