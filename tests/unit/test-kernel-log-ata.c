/* SPDX-License-Identifier: MIT */
/*
 * What libata says in a kernel log: whose fault an error is (the link's, the queue's, the
 * medium's), whose disk it is, and what is no error at all.
 */
#include "log-rows.h"

static const struct case_row ata_cases[] = {
	{ .name = "a log that says nothing of it",
	  .port = 3,
	  .log = "[    1.000000] ata4: SATA link up 6.0 Gbps (SStatus 133 SControl "
		 "300)\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg" },
		    { FACT_LOG_NCQ_DISABLED, "0" },
		    { FACT_LOG_LINK_FAULTS, "0" },
		    { FACT_LOG_FPDMA_ERRORS, "0" },
		    { FACT_LOG_UNALIGNED, "0" },
		    { FACT_LOG_SERROR, "?" },
		    { FACT_LOG_LINK_UP, "?" },
		    { FACT_LOG_USB_RESETS, "?" } } },
	{ .name = "timeouts of queued commands, the link is silent",
	  .port = 3,
	  .log = QUEUE_FAULT QUEUE_FAULT,
	  .want = { { FACT_LOG_FPDMA_TIMEOUTS, "2" },
		    { FACT_LOG_FPDMA_ERRORS, "2" },
		    { FACT_LOG_FPDMA_DISKS, "1" },
		    { FACT_LOG_FPDMA_LINE,
		      "ata3.00: failed command: WRITE FPDMA QUEUED" },
		    { FACT_LOG_OTHER_ERRORS, "0" },
		    { FACT_LOG_LINK_FAULTS, "0" },
		    { FACT_LOG_LINK_RESETS, "2" },
		    { FACT_LOG_SERROR, "?" } } },
	{ .name = "the same of another port",
	  .port = 4,
	  .log = QUEUE_FAULT,
	  .want = { { FACT_LOG_FPDMA_ERRORS, "0" },
		    { FACT_LOG_FPDMA_DISKS, "1" },
		    { FACT_LOG_LINK_RESETS, "0" } } },
	{ .name = "several disks of the machine",
	  .port = 3,
	  .log = QUEUE_FAULT HEAD("ata7.00", "0x0", "0x6", "0x0", "0x6 frozen")
		  FAILED("ata7.00", "WRITE FPDMA QUEUED") CMD("ata7.00", "61", TIMEOUT),
	  .want = { { FACT_LOG_FPDMA_DISKS, "2" }, { FACT_LOG_FPDMA_TIMEOUTS, "1" } } },
	{ .name = "no result line: frozen without an error is a timeout",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x0", "0x6", "0x0", "0x6 frozen")
		  FAILED("ata3.00", "READ FPDMA QUEUED"),
	  .want = { { FACT_LOG_FPDMA_TIMEOUTS, "1" } } },
	{ .name = "a device error is no timeout",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x1", "0x7e", "0x0", "0x0")
		  FAILED("ata3.00", "READ FPDMA QUEUED")
			  CMD("ata3.00", "60", "0x1 (device error)"),
	  .want = { { FACT_LOG_FPDMA_TIMEOUTS, "0" },
		    { FACT_LOG_FPDMA_ERRORS, "1" },
		    { FACT_LOG_FPDMA_DISKS, "0" } } },
	{ .name = "a bad sector is nobody else's fault",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x0", "0x7e", "0x0", "0x0")
		  FAILED("ata3.00", "READ FPDMA QUEUED")
			  CMD("ata3.00", "60", "0x409 (media error) <F>"),
	  .want = { { FACT_LOG_FPDMA_ERRORS, "0" }, { FACT_LOG_LINK_FAULTS, "0" } } },
	{ .name = "a kernel that does not name commands",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x0", "0x7e", "0x0", "0x6 frozen")
		  CMD("ata3.00", "61", TIMEOUT) CMD("ata3.00", "35", TIMEOUT),
	  .want = { { FACT_LOG_FPDMA_TIMEOUTS, "1" }, { FACT_LOG_OTHER_ERRORS, "1" } } },
	{ .name = "the result in the same record",
	  .port = 3,
	  .log = "3,1,9000000,-;ata3.00: exception Emask 0x0 SAct 0x20 SErr 0x0 action "
		 "0x6 frozen\n3,2,9000001,-;ata3.00: failed command: READ FPDMA QUEUED\n"
		 "3,3,9000002,-;ata3.00: cmd 60/08:28:08:98:53/00:00:05:00:00/40 tag 5 "
		 "ncq dma 4096 in\\x0a         res 40/00:ff:00:00:00/00:00:00:00:00/00 "
		 "Emask 0x4 (timeout)\n",
	  .want = { { FACT_LOG_FPDMA_TIMEOUTS, "1" } } },
	{ .name = "checksums fail, without NCQ as well",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x10", "0x0", "0x280100", "0x6 frozen") SERROR(
		  "ata3", "UnrecovData 10B8B BadCRC") FAILED("ata3.00", "READ DMA EXT")
		  CMD("ata3.00", "25", "0x10 (ATA bus error)") RESET("ata3")
			  COMPLETE("ata3"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_SERROR, "UnrecovData 10B8B BadCRC" },
		    { FACT_LOG_LINK_LINE, "ata3: SError: { UnrecovData 10B8B BadCRC }" },
		    { FACT_LOG_OTHER_ERRORS, "1" },
		    { FACT_LOG_FPDMA_ERRORS, "0" },
		    { FACT_LOG_LINK_RESETS, "1" } } },
	{ .name = "bits without names",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x10", "0x6", "0x400000", "0x6"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_SERROR, "Handshk" },
		    { FACT_LOG_LINK_LINE, "ata3.00: exception Emask 0x10 SAct 0x6 SErr "
					  "0x400000 action 0x6" } } },
	{ .name = "names without a head",
	  .port = 3,
	  .log = SERROR("ata3", "UnrecovData Handshk")
		  FAILED("ata3.00", "WRITE FPDMA QUEUED"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_FPDMA_ERRORS, "1" },
		    { FACT_LOG_FPDMA_TIMEOUTS, "0" } } },
	{ .name = "plugged in",
	  .port = 3,
	  .log = PLUGGED,
	  .want = { { FACT_LOG_LINK_FAULTS, "0" },
		    { FACT_LOG_SERROR, "?" },
		    { FACT_LOG_LINK_LINE, "?" },
		    { FACT_LOG_LINK_RESETS, "0" },
		    { FACT_LOG_LINK_UP, "ata3: SATA link up 6.0 Gbps (SStatus 123 "
					"SControl 300)" } } },
	{ .name = "plugged in and out more often than people do",
	  .port = 3,
	  .log = PLUGGED PLUGGED PLUGGED PLUGGED PLUGGED,
	  .want = { { FACT_LOG_LINK_FAULTS, "5" },
		    { FACT_LOG_SERROR, "PHYRdyChg CommWake DevExch" },
		    { FACT_LOG_LINK_RESETS, "5" } } },
	{ .name = "five drives in ten minutes, by the time of day",
	  .port = 3,
	  .log = PLUG_AT("Nov 30 23:55:00 host kernel: ")
		  PLUG_AT("Nov 30 23:55:01 host kernel: ")
			  PLUG_AT("Nov 30 23:59:00 host kernel: ")
				  PLUG_AT("Nov 31 00:00:00 host kernel: ")
					  PLUG_AT("Nov 31 00:05:00 host kernel: "),
	  .want = { { FACT_LOG_LINK_FAULTS, "5" }, { FACT_LOG_LINK_RESETS, "5" } } },
	{ .name = "five drives, one a day",
	  .port = 3,
	  .log = PLUG_AT("[   10.0] ") PLUG_AT("[86410.0] ") PLUG_AT("[172810.0] ")
		  PLUG_AT("[259210.0] ") PLUG_AT("[345610.0] "),
	  .want = { { FACT_LOG_LINK_FAULTS, "0" },
		    { FACT_LOG_SERROR, "?" },
		    { FACT_LOG_LINK_LINE, "?" },
		    { FACT_LOG_LINK_RESETS, "0" },
		    { FACT_LOG_PLUG_RESETS, "5" } } },
	{ .name = "a day later a contact fails",
	  .port = 3,
	  .log = PLUG_AT("[   10.0] ") PLUG_AT("[86410.0] ") PLUG_AT("[86411.0] ")
		  PLUG_AT("[86412.0] ") PLUG_AT("[86413.0] ") PLUG_AT("[86414.0] ")
			  PLUG_AT("[86415.0] "),
	  .want = { { FACT_LOG_LINK_FAULTS, "6" },
		    { FACT_LOG_LINK_FAILED, "0" },
		    { FACT_LOG_PLUG_RESETS, "1" } } },
	{ .name = "nobody knows when",
	  .port = 3,
	  .log = PLUG_AT("") PLUG_AT("") PLUG_AT("") PLUG_AT("") PLUG_AT(""),
	  .want = { { FACT_LOG_LINK_FAULTS, "0" }, { FACT_LOG_PLUG_RESETS, "5" } } },
	{ .name = "a command fails, but not by the link",
	  .port = 3,
	  .log = QUEUE_FAULT PLUGGED HEAD("ata3", "0x10", "0x0", "0x280100", "0x6")
		  SERROR("ata3", "UnrecovData 10B8B BadCRC"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_LINK_FAILED, "0" },
		    { FACT_LOG_FPDMA_ERRORS, "1" } } },
	{ .name = "the same bits while a command was under way",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x10", "0x6", "0x4040000", "0xe frozen") SERROR(
		  "ata3", "CommWake DevExch") FAILED("ata3.00", "WRITE FPDMA QUEUED"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_LINK_FAILED, "1" },
		    { FACT_LOG_SERROR, "CommWake DevExch" },
		    { FACT_LOG_FPDMA_TIMEOUTS, "0" } } },
	{ .name = "the kernel slows down for it",
	  .port = 3,
	  .log = "[    9.0] ata3: limiting SATA link speed to 1.5 Gbps\n" HEAD(
		  "ata3", "0x10", "0x0", "0x10000", "0xe frozen")
		  SERROR("ata3", "PHYRdyChg") RESET("ata3") UP("ata3", "1.5")
			  COMPLETE("ata3"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_SPEED_DOWN, "ata3: limiting SATA link speed to 1.5 Gbps" },
		    { FACT_LOG_LINK_RESETS, "1" },
		    { FACT_LOG_LATER_RESETS, "0" } } },
	{ .name = "slowed down, and errors go on",
	  .port = 3,
	  .log = "[    9.0] ata3: limiting SATA link speed to 1.5 Gbps\n" HEAD(
		  "ata3", "0x10", "0x0", "0x10000", "0xe frozen") RESET("ata3")
		  COMPLETE("ata3") HEAD("ata3.00", "0x10", "0x6", "0x200000", "0x6")
			  FAILED("ata3.00", "READ FPDMA QUEUED") RESET("ata3")
				  COMPLETE("ata3"),
	  .want = { { FACT_LOG_LINK_RESETS, "2" }, { FACT_LOG_LATER_RESETS, "1" } } },
	{ .name = "comes and goes, no command fails",
	  .port = 3,
	  .log = HEAD("ata3", "0x10", "0x0", "0x10000", "0xe frozen") RESET("ata3")
		  COMPLETE("ata3"),
	  .want = { { FACT_LOG_LINK_RESETS, "0" }, { FACT_LOG_PLUG_RESETS, "1" } } },
	{ .name = "the drive's own word for a bad checksum",
	  .port = 3,
	  .log = HEAD("ata3.00", "0x0", "0x0", "0x0", "0x6") FAILED("ata3.00", "READ DMA")
		  CMD("ata3.00", "c8",
		      "0x10 (ATA bus error)") "[   10.2] ata3.00: error: { ICRC ABRT }\n",
	  .want = { { FACT_LOG_LINK_FAULTS, "1" },
		    { FACT_LOG_SERROR, "ICRC" },
		    { FACT_LOG_LINK_LINE, "ata3.00: error: { ICRC ABRT }" } } },
	{ .name = "a mode is lowered",
	  .port = 3,
	  .log = "[    9.0] ata3.00: limiting speed to UDMA/33:PIO4\n",
	  .want = { { FACT_LOG_SPEED_DOWN, "?" },
		    { FACT_LOG_MODE_DOWN, "ata3.00: limiting speed to UDMA/33:PIO4" },
		    { FACT_LOG_LATER_RESETS, "0" } } },
	{ .name = "a mode is lowered, and errors go on",
	  .port = 3,
	  .log = "[    9.0] ata3.00: limiting speed to UDMA/33:PIO4\n" QUEUE_FAULT
		  QUEUE_FAULT,
	  .want = { { FACT_LOG_SPEED_DOWN, "?" },
		    { FACT_LOG_LINK_RESETS, "2" },
		    { FACT_LOG_LATER_RESETS, "0" } } },
	{ .name = "a speed that somebody forced",
	  .port = 3,
	  .log = "[    1.0] ata3: FORCE: PHY spd limit set to 1.5Gbps\n"
		 "[    1.1] ata3.00: FORCE: horkage modified (noncq)\n",
	  .want = { { FACT_LOG_SPEED_DOWN, "?" }, { FACT_LOG_NCQ_DISABLED, "0" } } },
	{ .name = "it does not even say who it is",
	  .port = 3,
	  .log = "[    1.0] ata3.00: failed to IDENTIFY (I/O error, err_mask=0x40)\n",
	  .want = { { FACT_LOG_OTHER_ERRORS, "0" } } },
	{ .name = "the other device of a parallel port",
	  .port = 3,
	  .address = "2:0:1:0",
	  .log = "[    1.0] ata3.00: NCQ disabled due to excessive errors\n"
		 "[    1.0] ata3.01: limiting speed to UDMA/66:PIO4\n",
	  .want = { { FACT_LOG_NCQ_DISABLED, "0" },
		    { FACT_LOG_MODE_DOWN, "ata3.01: limiting speed to UDMA/66:PIO4" } } },
	{ .name = "behind a multiplier the channel counts",
	  .port = 3,
	  .address = "2:2:0:0",
	  .log = "[    1.0] ata3.01: hard resetting link\n"
		 "[    1.0] ata3.02: hard resetting link\n"
		 "[    1.1] ata3.02: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n"
		 "[    1.2] ata3.00: NCQ disabled due to excessive errors\n",
	  .want = { { FACT_LOG_LINK_RESETS, "0" },
		    { FACT_LOG_NCQ_DISABLED, "0" },
		    { FACT_LOG_LINK_UP, "ata3.02: SATA link up 3.0 Gbps (SStatus 123 "
					"SControl 320)" } } },
	{ .name = "what the multiplier itself suffers, all do",
	  .port = 3,
	  .address = "2:2:0:0",
	  .log = HEAD("ata3.15", "0x10", "0x6", "0x200000", "0x6 frozen"),
	  .want = { { FACT_LOG_LINK_FAULTS, "1" }, { FACT_LOG_SERROR, "BadCRC" } } },
	{ .name = "another drive in the same place",
	  .port = 3,
	  .log = "[    1.0] ata3.00: ATA-9: OLD DRIVE, FW1, max UDMA/133\n" QUEUE_FAULT
		 "[   20.0] ata3.00: NCQ disabled due to excessive errors\n"
		 "[   99.0] ata3.00: ATA-9: NEW DRIVE, FW1, max UDMA/133\n",
	  .want = { { FACT_LOG_FPDMA_ERRORS, "0" },
		    { FACT_LOG_NCQ_DISABLED, "0" },
		    { FACT_LOG_LINK_RESETS, "0" } } },
	{ .name = "the same drive again",
	  .port = 3,
	  .log = "[    1.0] ata3.00: ATA-9: OLD DRIVE, FW1, max UDMA/133\n" QUEUE_FAULT
		 "[   99.0] ata3.00: ATA-9: OLD DRIVE, FW1, max UDMA/133\n",
	  .want = { { FACT_LOG_FPDMA_ERRORS, "1" } } },
	{ .name = "the same drive again begins without limits",
	  .port = 3,
	  .log = MODEL(
		  "[    1.0] ",
		  "OLD DRIVE") "[    8.0] ata3.00: NCQ disabled due to "
			       "excessive errors\n"
			       "[    9.0] ata3: limiting SATA link speed to 1.5 Gbps\n"
			       "[    9.1] ata3.00: limiting speed to "
			       "UDMA/33:PIO4\n" QUEUE_FAULT QUEUE_FAULT PLUG_AT(
				       "[   98.0] ") MODEL("[   99.0] ", "OLD DRIVE"),
	  .want = { { FACT_LOG_NCQ_DISABLED, "0" },
		    { FACT_LOG_SPEED_DOWN, "?" },
		    { FACT_LOG_MODE_DOWN, "?" },
		    { FACT_LOG_LATER_RESETS, "0" },
		    { FACT_LOG_FPDMA_ERRORS, "2" },
		    { FACT_LOG_LINK_RESETS, "2" } } },
	{ .name = "a drive that is hard to find is slowed down before it is found",
	  .port = 3,
	  .log = "[    1.0] ata3: COMRESET failed (errno=-16)\n"
		 "[    2.0] ata3: limiting SATA link speed to 1.5 Gbps\n" UP(
			 "ata3", "1.5") MODEL("[    3.0] ", "OLD DRIVE"),
	  .want = { { FACT_LOG_SPEED_DOWN,
		      "ata3: limiting SATA link speed to 1.5 Gbps" } } },
	{ .name = "likewise where it is found again",
	  .port = 3,
	  .log = MODEL("[    1.0] ", "OLD DRIVE") HEAD("ata3", "0x10", "0x0", "0x4050000",
						       "0xe frozen")
		  RESET("ata3") "[   20.0] ata3: limiting SATA link speed to 1.5 "
				"Gbps\n" UP("ata3", "1.5")
					MODEL("[   21.0] ", "OLD DRIVE") COMPLETE("ata3"),
	  .want = { { FACT_LOG_SPEED_DOWN,
		      "ata3: limiting SATA link speed to 1.5 Gbps" } } },
	{ .name = "it is taken away",
	  .port = 3,
	  .log = MODEL("[    1.0] ",
		       "OLD DRIVE") "[    8.0] ata3.00: NCQ disabled due to "
				    "excessive errors\n" QUEUE_FAULT PLUG_AT(
					    "[   98.0] ") "[   99.0] ata3.00: detaching "
							  "(SCSI 5:0:0:0)\n",
	  .want = { { FACT_LOG_NCQ_DISABLED, "0" }, { FACT_LOG_FPDMA_ERRORS, "1" } } },
	{ .name = "a link behind a multiplier does not answer for the multiplier's",
	  .port = 3,
	  .address = "2:2:0:0",
	  .log = "[    1.0] ata3.15: Port Multiplier 1.1, 0x1095:0x3726 r23, 6 ports\n"
		 "[    2.0] ata3: limiting SATA link speed to 1.5 Gbps\n" HEAD(
			 "ata3.15", "0x10", "0x6", "0x200000", "0x6 frozen")
			 COMPLETE("ata3") "[    9.0] ata3.02: ATA-9: ANY, FW1, max "
					  "UDMA/133\n",
	  .want = { { FACT_LOG_SPEED_DOWN,
		      "ata3: limiting SATA link speed to 1.5 Gbps" } } },
	{ .name = "another boot in the same file",
	  .port = 3,
	  .log = QUEUE_FAULT
	  "[    0.000000] Linux version 6.1.0 (gcc) #1 SMP\n" UP("ata3", "6.0"),
	  .want = { { FACT_LOG_FPDMA_ERRORS, "0" }, { FACT_LOG_FPDMA_DISKS, "0" } } },
	{ .name = "a command that was not aligned",
	  .port = 3,
	  .log = "[  5.0] sd 5:0:0:0: [sda] tag#21 Add. Sense: Unaligned write command\n"
		 "[  5.1] sd 6:0:0:0: [sdb] tag#21 Add. Sense: Unaligned write command\n"
		 "[  5.2] sd 5:0:0:0: [sda] Add. Sense: Unaligned write command\n",
	  .want = { { FACT_LOG_UNALIGNED, "2" } } },
};

static void test_ata(void **state)
{
	(void)state;
	run_cases(ata_cases, ARRAY_SIZE(ata_cases));
}

/* --- a log of another machine, or of another boot ------------------------------  */

#define FOUND(model)                                                     \
	"[    1.0] ata3.00: ATA-10: " model ", 01.01A01, max UDMA/133\n" \
	"[    2.0] ata3.00: NCQ disabled due to excessive errors\n"

static const struct {
	const char *name, *log, *model;
	bool ours;
} drive_rows[] = {
	{ "the same", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO HDD10-08WN4A0", true },
	{ "padded", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO HDD10-08WN4A0    ", true },
	{ "another", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO SSD 850", false },
	{ "another of the family", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO HDD10-08WN4A1",
	  false },
	{ "a longer one", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO HDD10-08WN4A0X", false },
	{ "cut by SCSI", FOUND("PSEUDO HDD10-08WN4A0"), "PSEUDO HDD10-08W", true },
	{ "udev's spelling", FOUND("PSEUDO  HDD10-08(WN4A0)"), "PSEUDO_HDD10-08_WN4A0_",
	  true },
	{ "a comma in it", FOUND("PSEUDO, HDD10-08WN4A0"), "PSEUDO, HDD10-08WN4A0",
	  true },
	{ "cut at 40 bytes", FOUND("PSEUDO 0123456789012345678901234567890123456789"),
	  "PSEUDO 012345678901234567890123456789012", true },
	{ "the disk's is unknown", FOUND("PSEUDO HDD10-08WN4A0"), NULL, true },
	{ "the log names none",
	  "[    2.0] ata3.00: NCQ disabled due to excessive errors\n", "PSEUDO SSD 850",
	  true },
	{ "the log's is empty", FOUND(""), "PSEUDO SSD 850", true },
	{ "changed since the boot", FOUND("PSEUDO OLD") FOUND("PSEUDO HDD10-08WN4A0"),
	  "PSEUDO HDD10-08WN4A0", true },
	{ "another port's",
	  "[    1.0] ata4.00: ATA-10: OTHER, 1, max UDMA/133\n" FOUND(
		  "PSEUDO HDD10-08WN4A0"),
	  "PSEUDO HDD10-08WN4A0", true },
};

static void test_drives(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(drive_rows); i++) {
		_cleanup_kernel_log_ struct kernel_log *log =
			read_log(drive_rows[i].log, strlen(drive_rows[i].log));
		struct disk_facts facts;

		make_disk(&facts, 3, NULL);
		if (drive_rows[i].model)
			facts_set_text(&facts, FACT_MODEL, drive_rows[i].model);
		kernel_log_add(log, &facts);
		assert_true(facts_known(&facts, FACT_KERNEL_LOG));
		for (enum fact fact = 0; fact < _FACT_MAX; fact++) {
			if (strncmp(fact_to_string(fact), "log_", 4) == 0 &&
			    fact != FACT_LOG_PARTIAL && !drive_rows[i].ours)
				ROW_INT(drive_rows[i].name, facts_known(&facts, fact), 0);
		}
		ROW_INT(drive_rows[i].name, facts_is_set(&facts, FACT_LOG_NCQ_DISABLED),
			drive_rows[i].ours);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("what libata says", test_ata),
		TEST("whose drives a log tells of", test_drives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
