# SPDX-License-Identifier: MIT
# One SSD on an IDE function and on AHCI: verdict, depth and journal advice change with it. In
# a guest the IDE function is the hypervisor's (emulated-ide); posing as bare metal it is what
# QEMU's IDENTIFY data say, a parallel ATA disk. The true case is a composed capture.
# Machines: ide-seed ahci-seed bare-metal-pose

name=$(disk VMSEED)
check "the disk is there" test -n "$name"
guest=no
grep -q '^flags.* hypervisor' /proc/cpuinfo && guest=yes

if grep -q libata.force /proc/cmdline; then
	skip "the seed story" "this boot is about the command line"
	exit 0
fi
case "$(driver "$name" | tr '\n' ' ')$guest" in
*ata_piix*yes)
	equal "attachment" emulated-ide "$(record "$name" ATTACHMENT)"
	equal "NCQ" unsupported "$(record "$name" NCQ)"
	equal "why" emulated-ide "$(record "$name" NCQ_REASON)"
	equal "finding" emulated-ide "$(record "$name" FINDINGS)"
	equal "depth" 1 "$(record "$name" RANDOM_EXCEEDS_DEPTH)"
	equal "journal blocks" 16 "$(record "$name" JOURNAL_BLOCK_KB)"
	equal "diagnose says so" 10 "$(blkadvise diagnose "$name" >/dev/null; echo $?)"
	;;
*ata_piix*no)
	equal "attachment" pata "$(record "$name" ATTACHMENT)"
	equal "class" pata-disk "$(record "$name" CLASS)"
	equal "NCQ" unsupported "$(record "$name" NCQ)"
	equal "depth" 1 "$(record "$name" RANDOM_EXCEEDS_DEPTH)"
	equal "journal blocks" 16 "$(record "$name" JOURNAL_BLOCK_KB)"
	equal "no finding: the drive says it is parallel ATA" "" "$(record "$name" FINDINGS)"
	;;
*ahci*)
	equal "attachment" emulated-ahci "$(record "$name" ATTACHMENT)"
	equal "NCQ" on "$(record "$name" NCQ)"
	equal "finding" "" "$(record "$name" FINDINGS)"
	equal "depth" 32 "$(record "$name" RANDOM_EXCEEDS_DEPTH)"
	equal "journal blocks" 4 "$(record "$name" JOURNAL_BLOCK_KB)"
	equal "mode" direct "$(record "$name" RANDOM_EXCEEDS_IO_MODE)"
	check "diagnose is silent" blkadvise diagnose "$name"
	;;
*)
	not_ok "a driver we know" "$(driver "$name")"
	;;
esac
