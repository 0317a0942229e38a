# SPDX-License-Identifier: MIT
# The kernel command line: blkadvise.apply=0 keeps every tunable as it is, records are published
# all the same; libata.force=noncq is found as the reason why NCQ is off, and is left alone.
# Machines: ahci-seed

name=$(disk VMSEED)
mkdir -p /run/blkadvise/policy.d
printf '[all]\nread_ahead_kb=1024\nqueue_depth=device\n' >/run/blkadvise/policy.d/90-test.policy
event "$name"
if grep -q blkadvise.apply=0 /proc/cmdline; then
	check "switched off: nothing is written" \
		test "$(attr "$name" queue/read_ahead_kb)" != 1024
	check "but published" test -n "$(record "$name" CLASS)"
	check "plan says why" sh -c "blkadvise plan --verbose $name | grep -q blkadvise.apply=0"
else
	equal "without the switch it is written" 1024 "$(attr "$name" queue/read_ahead_kb)"
fi
if grep -q libata.force=noncq /proc/cmdline; then
	equal "NCQ is off" off "$(record "$name" NCQ)"
	equal "why" libata-force "$(record "$name" NCQ_REASON)"
	equal "finding" ncq-off "$(record "$name" FINDINGS)"
	equal "depth" 1 "$(record "$name" RANDOM_EXCEEDS_DEPTH)"
	equal "journal blocks" 16 "$(record "$name" JOURNAL_BLOCK_KB)"
	blkadvise apply --quiet "$name"
	equal "it is not switched on" 1 "$(attr "$name" device/queue_depth)"
else
	echo 1 >"/sys/block/$name/device/queue_depth"
	event "$name"
	equal "queue_depth 1: NCQ is off" off "$(record "$name" NCQ)"
	equal "why" queue-depth-1 "$(record "$name" NCQ_REASON)"
	equal "it is a warning" 10 "$(blkadvise diagnose "$name" >/dev/null; echo $?)"
	blkadvise apply --quiet "$name"
	equal "somebody switched it off: it stays off" 1 "$(attr "$name" device/queue_depth)"
	echo 32 >"/sys/block/$name/device/queue_depth"
	event "$name"
	equal "switched on by hand, it is on" on "$(record "$name" NCQ)"
fi
rm -r /run/blkadvise/policy.d
event "$name"
