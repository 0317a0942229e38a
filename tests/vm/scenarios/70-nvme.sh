# SPDX-License-Identifier: MIT
# NVMe: a controller reset, which older kernels use to take readahead back without any block
# event, is seen and put right; a multipath head is set, its hidden paths have no record.
# Machines: all-disks

name=$(disk VMNVME)
mkdir -p /run/blkadvise/policy.d
printf '[nvme]\nMatch.class=nvme-ssd\nread_ahead_kb=1024\n' \
	>/run/blkadvise/policy.d/90-test.policy
event "$name"
equal "readahead is set" 1024 "$(attr "$name" queue/read_ahead_kb)"
controller=$(readlink -f "/sys/block/$name/device")
is_set() { [ "$(attr "$name" queue/read_ahead_kb)" = 1024 ]; }
case $(uname -r) in
5.10.*) skip "a reset is put right" "this kernel does not announce one (no NVME_EVENT)" ;;
*)
	# Whatever this kernel loses in a reset: 128 is the value of its default.
	echo 128 >"/sys/block/$name/queue/read_ahead_kb"
	echo 1 >"$controller/reset_controller"
	check "it comes back" wait_for grep -q live "$controller/state"
	settle
	check "after a reset it is set again" wait_for is_set
	generation=$(record "$name" GENERATION)
	echo 1 >"$controller/reset_controller"
	wait_for grep -q live "$controller/state"
	sleep 3
	settle
	equal "a reset that changes nothing publishes nothing new" "$generation" \
		"$(record "$name" GENERATION)"
	;;
esac

head=$(disk VMNVMEMP)
event "$head"
equal "a multipath head is set" 1024 "$(attr "$head" queue/read_ahead_kb)"
equal "hidden paths are not listed" "" "$(blkadvise list --all | grep -o 'nvme[0-9]*c[0-9]*n[0-9]*')"
check "explain names the paths" sh -c "blkadvise explain --json $head | grep -q nvme_paths"
rm -f /run/blkadvise/policy.d/90-test.policy
event "$name"
event "$head"
equal "balanced again" 128 "$(attr "$name" queue/read_ahead_kb)"
