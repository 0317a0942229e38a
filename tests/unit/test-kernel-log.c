/* SPDX-License-Identifier: MIT */
/*
 * Kernel logs: every form in which a line may come, what USB says, where a log begins,
 * and logs that were made to do harm.
 */
#include <time.h>

#include "log-rows.h"

/* --- the forms of a line ---------------------------------------------------------- */

#define NCQ "ata3.00: NCQ disabled due to excessive errors"

static const struct {
	const char *name, *line;
	bool is_kernel, found;
} forms[] = {
	{ "record", "4,123,4567890,-;" NCQ, true, true },
	{ "record with a caller", "4,123,4567890,-,caller=T12;" NCQ, true, true },
	{ "record of a program", "30,123,4567890,-;" NCQ, false, false },
	{ "dictionary of a record", " SUBSYSTEM=scsi", false, false },
	{ "dmesg", "[   12.345678] " NCQ, true, true },
	{ "dmesg with a caller", "[   12.345678][   T12] " NCQ, true, true },
	{ "dmesg -T", "[Mon Nov 30 12:00:00 2020] " NCQ, true, true },
	{ "dmesg --raw", "<4>[   12.345678] " NCQ, true, true },
	{ "dmesg --decode", "kern  :warn  : [   12.345678] " NCQ, true, true },
	{ "dmesg in iso", "2020-11-30T12:00:00,123456+01:00 " NCQ, true, true },
	{ "no stamp", NCQ, true, true },
	{ "journal", "Nov 30 12:00:00 host kernel: " NCQ, true, true },
	{ "journal, monotonic", "[   12.345678] host kernel: " NCQ, true, true },
	{ "journal in iso", "2020-11-30T12:00:00+0100 host kernel: " NCQ, true, true },
	{ "journal in full", "Mon 2020-11-30 12:00:00 CET host kernel: " NCQ, true,
	  true },
	{ "syslog", "Nov 30 12:00:00 host kernel: [   12.345678] " NCQ, true, true },
	{ "host with a disk's name", "[    1.000000] sd kernel: " NCQ, true, true },
	{ "another program", "Nov 30 12:00:00 host smartd[12]: " NCQ, false, false },
	{ "a program that quotes", "Nov 30 12:00:00 host a[1]: kernel: " NCQ, false,
	  false },
	{ "another subsystem", "[   12.345678] EXT4-fs (sda1): " NCQ, true, false },
	{ "half a name", "[   12.345678] ata3.00 " NCQ, true, false },
	{ "prose", "It said that " NCQ, false, false },
	{ "a section of a file", "[global]", false, false },
	{ "a value of one", "[a.b] [1.2.3] c: d", false, false },
	{ "half a number", "[  12.] x", false, false },
	{ "no day of the week", "[Abc Xyz 30 12:00:00 2020] x", false, false },
	{ "a list of numbers", "1,2,3;4,5", false, false },
	{ "a date of a program", "Nov 30 12:00:00 host x", false, false },
	{ "the journal of a program", "[   12.345678] host smartd[12]: x", false, false },
	{ "the kernel's name alone", "kernel: " NCQ, true, true },
	{ "the kernel's name in prose", "the kernel: is one", false, false },
	{ "seconds before the boot", "[   -1.000000] x", false, false },
};

static void test_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		_cleanup_kernel_log_ struct kernel_log *log = NULL;
		struct disk_facts facts;
		char line[256];
		int len = snprintf(line, sizeof(line), "%s\r\n", forms[i].line);

		assert_int_equal(kernel_log_new("x", &log), 0);
		for (int k = 0; k < len; k++) /* pieces may be as small as they like */
			kernel_log_feed(log, line + k, 1);
		ROW_INT(forms[i].name, kernel_log_end(log), forms[i].is_kernel);
		make_disk(&facts, 3, NULL);
		kernel_log_add(log, &facts);
		ROW_INT(forms[i].name, facts_is_set(&facts, FACT_LOG_NCQ_DISABLED),
			forms[i].found);
	}
}

static void test_last_line_without_newline(void **state)
{
	_cleanup_kernel_log_ struct kernel_log *log = read_log(NCQ, strlen(NCQ));
	struct disk_facts facts;

	(void)state;
	make_disk(&facts, 3, NULL);
	kernel_log_add(log, &facts);
	assert_true(facts_is_set(&facts, FACT_LOG_NCQ_DISABLED));
}

/* --- USB -------------------------------------------------------------------------- */

static const struct case_row usb_cases[] = {
	{ .name = "nothing",
	  .log = "[    1.0] usb 2-1: new SuperSpeed USB device number 2 using xhci_hcd\n",
	  .want = { { FACT_LOG_USB_RESETS, "0" },
		    { FACT_LOG_USB_LINE, "?" },
		    { FACT_LOG_USB_QUIRK, "?" },
		    { FACT_LOG_LINK_FAULTS, "?" } } },
	{ .name = "resets, of this one and of its neighbours",
	  .log = "[  1.0] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd\n"
		 "[  2.0] usb 2-1: reset SuperSpeed Plus Gen 2x1 USB device number 2 "
		 "using xhci_hcd\n"
		 "[  3.0] usb 2-1.1: reset high-speed USB device number 3 using "
		 "ehci-pci\n"
		 "[  4.0] usb 2-11: reset high-speed USB device number 4 using ehci-pci\n"
		 "[  5.0] usb 2-1: reset of something else\n",
	  .want = { { FACT_LOG_USB_RESETS, "2" },
		    { FACT_LOG_USB_LINE, "usb 2-1: reset SuperSpeed Plus Gen 2x1 USB "
					 "device number 2 using xhci_hcd" } } },
	{ .name = "commands that uas aborts",
	  .log = "[  1.0] sd 5:0:0:0: [sdf] tag#23 uas_eh_abort_handler 0 uas-tag 24 "
		 "inflight: CMD OUT\n"
		 "[  1.0] sd 6:0:0:0: [sdg] tag#23 uas_eh_abort_handler 0 uas-tag 24\n"
		 "[  1.1] scsi host5: uas_eh_abort_handler\n"
		 "[  1.2] scsi host5: uas_eh_device_reset_handler start\n"
		 "[  1.3] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd\n"
		 "[  1.4] scsi host5: uas_eh_device_reset_handler success\n",
	  .want = { { FACT_LOG_USB_RESETS, "2" },
		    { FACT_LOG_USB_LINE, "scsi host5: uas_eh_abort_handler" } } },
	{ .name = "with the colours of dmesg",
	  .log = "\033[32m[    1.3] \033[0m\033[33musb 2-1\033[0m: reset SuperSpeed USB "
		 "device number 2 using xhci_hcd\n",
	  .want = { { FACT_LOG_USB_RESETS, "1" } } },
	{ .name = "quirks of the kernel's",
	  .log = "[  1.0] usb-storage 2-1:1.0: USB Mass Storage device detected\n"
		 "[  1.0] usb-storage 2-1:1.0: Quirks match for vid 174c pid 55aa: "
		 "400000\n",
	  .want = { { FACT_LOG_USB_QUIRK, "400000" } } },
	{ .name = "uas is left out",
	  .log = "[  1.0] usb 2-1: UAS is ignored for this device, using usb-storage "
		 "instead\n",
	  .want = { { FACT_LOG_USB_QUIRK, "800000" } } },
	{ .name = "another device in the same socket",
	  .log = "[ 1.0] usb 2-1: New USB device found, idVendor=174c, idProduct=55aa\n"
		 "[ 1.1] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd\n"
		 "[ 2.0] usb 2-1: New USB device found, idVendor=0bda, idProduct=9210\n",
	  .want = { { FACT_LOG_USB_RESETS, "0" } } },
};

static void test_usb(void **state)
{
	(void)state;
	run_cases(usb_cases, ARRAY_SIZE(usb_cases));
}

/* --- the log as a whole ------------------------------------------------------------ */

static const struct case_row whole_cases[] = {
	{ .name = "from the boot on",
	  .port = 3,
	  .log = "[    0.000000] Linux version 6.1.0\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg" }, { FACT_LOG_PARTIAL, "0" } } },
	{ .name = "soon after the boot",
	  .port = 3,
	  .log = "[    9.000000] ata3: EH complete\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg" }, { FACT_LOG_PARTIAL, "0" } } },
	{ .name = "minutes after it",
	  .port = 3,
	  .log = "[  130.000000] ata3: EH complete\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg, begins 2 minutes after the boot" } } },
	{ .name = "an hour after it",
	  .port = 3,
	  .log = "6,123,3700000000,-;ata3: EH complete\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg, begins 1 hour after the boot" } } },
	{ .name = "days after it",
	  .port = 3,
	  .log = "[268450.500000] host kernel: ata3: EH complete\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg, begins 3 days after the boot" },
		    { FACT_LOG_PARTIAL, "1" } } },
	{ .name = "nobody can tell",
	  .port = 3,
	  .log = "Nov 30 12:00:00 host kernel: ata3: EH complete\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg" }, { FACT_LOG_PARTIAL, "?" } } },
	{ .name = "the boot is in it, behind an older one's end",
	  .port = 3,
	  .log = "[864000.000000] ata3: EH complete\n[    0.000000] Linux version 6.1\n",
	  .want = { { FACT_KERNEL_LOG, "/dev/kmsg" }, { FACT_LOG_PARTIAL, "0" } } },
};

static void test_whole(void **state)
{
	(void)state;
	run_cases(whole_cases, ARRAY_SIZE(whole_cases));
}

/* Of two logs the one that reaches back farther is the better one. */
static void test_begin(void **state)
{
	static const struct {
		const char *log;
		uint64_t begin;
	} rows[] = {
		{ "[864000.000000] ata3: EH complete\n[864001.0] x\n", 864000 },
		{ "6,1,130000000,-;x\n", 130 },
		{ "[  119.000000] x\n", 0 },
		{ "[864000.000000] x\n[    0.000000] Linux version 6.1\n", 0 },
		{ "Nov 30 12:00:00 host kernel: x\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_kernel_log_ struct kernel_log *log =
			read_log(rows[i].log, strlen(rows[i].log));

		ROW_INT(rows[i].log, kernel_log_begin(log), rows[i].begin);
	}
}

static void test_remapped(void **state)
{
	static const char text[] =
		"[    1.0] ahci 0000:00:17.0: Found 2 remapped NVMe devices.\n"
		"[    1.1] ahci 0000:00:17.0: Switch your BIOS from RAID to AHCI mode to "
		"use them.\n";
	_cleanup_kernel_log_ struct kernel_log *log = read_log(text, strlen(text));
	struct disk_facts facts;

	(void)state;
	facts_init(&facts);
	kernel_log_add_machine(log, &facts);
	assert_true(facts_is_number(&facts, FACT_REMAPPED_TOTAL, 2));
	assert_true(facts_is_text(&facts, FACT_REMAPPED_AT, "0000:00:17.0"));

	facts_init(&facts); /* sysfs is believed first */
	facts_set_number(&facts, FACT_REMAPPED_TOTAL, 1);
	kernel_log_add_machine(log, &facts);
	assert_true(facts_is_number(&facts, FACT_REMAPPED_TOTAL, 1));
}

/* One function has room for three (drivers/ata/ahci.c, AHCI_MAX_REMAP). */
static void test_remapped_nonsense(void **state)
{
	static const char text[] =
		"[    1.0] ahci 0000:00:17.0: Found 4 remapped NVMe devices.\n";
	_cleanup_kernel_log_ struct kernel_log *log = read_log(text, strlen(text));
	struct disk_facts facts;

	(void)state;
	facts_init(&facts);
	kernel_log_add_machine(log, &facts);
	assert_false(facts_known(&facts, FACT_REMAPPED_TOTAL));
}

static void test_source(void **state)
{
	_cleanup_kernel_log_ struct kernel_log *log =
		read_log(QUEUE_FAULT, strlen(QUEUE_FAULT));
	struct disk_facts facts;
	char source[FACT_TEXT_MAX];

	(void)state;
	make_disk(&facts, 3, NULL);
	kernel_log_add(log, &facts);
	assert_true(facts_source(&facts, FACT_LOG_FPDMA_LINE, source, sizeof(source)));
	assert_string_equal(source, "/dev/kmsg");
}

/* --- logs that were made to do harm --------------------------------------------------
 */

/* Facts of a log are texts and numbers whatever the log is; nothing may be out of bounds.
 */
static void survive(const char *text, size_t len)
{
	_cleanup_kernel_log_ struct kernel_log *log = read_log(text, len);
	struct disk_facts facts;

	make_disk(&facts, 3, NULL);
	kernel_log_add(log, &facts);
	make_disk(&facts, 0, NULL);
	kernel_log_add(log, &facts);
	kernel_log_add_machine(log, &facts);
}

static void test_long_lines(void **state)
{
	size_t len = 1U << 20;
	_cleanup_free_ char *text = malloc(len + sizeof(NCQ) + 1);
	struct kernel_log *log = NULL;
	struct disk_facts facts;

	(void)state;
	assert_non_null(text);
	memset(text, 'a', len);
	memcpy(text, "[    1.0] ata3: SError: { ", 26);
	text[len] = '\n';
	memcpy(text + len + 1, NCQ, sizeof(NCQ) - 1);
	log = read_log(text, len + sizeof(NCQ));
	make_disk(&facts, 3, NULL);
	kernel_log_add(log, &facts);
	assert_true(facts_is_set(&facts, FACT_LOG_NCQ_DISABLED));
	(void)kernel_log_free(log);
}

static void test_any_bytes(void **state)
{
	static const char *const starts[] = {
		"ata3.00: ",
		"ata3.00: cmd ",
		"ata3: SError: {",
		"res ",
		"usb 2-1: ",
		"usb-storage 2-1:1.0: Quirks match for vid: ",
		"sd 5:0:0:0: ",
		"scsi host5: ",
		"ahci 0:: Found ",
		"6,1,2,-;",
		"[",
		"<",
		"kern : [",
		"ata3.00: ATA-",
		"ata3.00: exception Emask ",
		"x kernel: ",
		"",
	};
	uint32_t random = 12345;
	char text[4096];

	(void)state;
	for (size_t round = 0; round < 400; round++) {
		size_t len = 0;

		while (len < sizeof(text) - 64) {
			const char *start = starts[random % ARRAY_SIZE(starts)];

			memcpy(text + len, start, strlen(start));
			len += strlen(start);
			for (size_t i = random >> 8 & 31; i > 0 && len < sizeof(text);
			     i--) {
				random = random * 1664525 + 1013904223;
				text[len++] = (char)(random >> 24);
			}
			random = random * 1664525 + 1013904223;
			if (len < sizeof(text) && random & 0x10000)
				text[len++] = '\n';
		}
		survive(text, len);
	}
}

/* More ports, sockets and devices than there is room for. */
static void test_crowd(void **state)
{
	struct kernel_log *log = NULL;
	struct disk_facts facts;
	char line[128];

	(void)state;
	assert_int_equal(kernel_log_new("x", &log), 0);
	for (unsigned int i = 1; i < 3000; i++) {
		int len = snprintf(line, sizeof(line),
				   "ata%u.%02u: NCQ disabled due to excessive errors\n"
				   "usb 2-%u: reset SuperSpeed USB device number 2\n",
				   i, i % 15, i);

		kernel_log_feed(log, line, (size_t)len);
		len = snprintf(line, sizeof(line),
			       "sd %u:0:0:0: Add. Sense: Unaligned write command\n"
			       "ahci %u: Found 1 remapped NVMe devices.\n",
			       i, i);
		kernel_log_feed(log, line, (size_t)len);
	}
	assert_true(kernel_log_end(log));
	make_disk(&facts, 3, "2:0:3:0");
	kernel_log_add(log, &facts);
	assert_true(facts_is_set(&facts, FACT_LOG_NCQ_DISABLED));
	kernel_log_add_machine(log, &facts);
	(void)kernel_log_free(log);
}

/* Printed lines are safe for a terminal, and cut. */
static void test_printable(void **state)
{
	char text[2048] = "ata3: SError: { \033[31m\xff BadCRC ", *end = NULL;
	size_t start = strlen(text);
	struct kernel_log *log = NULL;
	struct disk_facts facts;

	(void)state;
	memset(text + start, 'x', 900);
	end = stpcpy(text + start + 900, "\nata3.00: failed command: READ DMA\n");
	log = read_log(text, (size_t)(end - text));
	make_disk(&facts, 3, NULL);
	kernel_log_add(log, &facts);
	assert_true(facts_is_number(&facts, FACT_LOG_LINK_FAULTS, 1));
	assert_int_equal(strlen(facts_text(&facts, FACT_LOG_LINK_LINE)),
			 FACT_TEXT_MAX - 1);
	for (const char *p = facts_text(&facts, FACT_LOG_LINK_LINE); *p; p++)
		assert_true(*p >= ' ' && *p < 0x7f);
	(void)kernel_log_free(log);
}

/* 5 MB of what a machine with a bad cable logs, and of what it logs otherwise. */
static void test_speed(void **state)
{
	static const char other[] =
		"[  100.000000] EXT4-fs (sda1): mounted filesystem with ordered data "
		"mode\n"
		"[  100.000001] audit: type=1400 audit(1.1:2): apparmor=\"STATUS\"\n";
	size_t want = 5U << 20, len = 0;
	struct timespec before, after;
	struct kernel_log *log = NULL;
	double seconds = 0;

	(void)state;
	assert_int_equal(kernel_log_new("x", &log), 0);
	(void)clock_gettime(CLOCK_MONOTONIC, &before);
	while (len < want) {
		kernel_log_feed(log, QUEUE_FAULT, strlen(QUEUE_FAULT));
		kernel_log_feed(log, other, strlen(other));
		len += strlen(QUEUE_FAULT) + strlen(other);
	}
	(void)kernel_log_end(log);
	(void)clock_gettime(CLOCK_MONOTONIC, &after);
	seconds = (double)(after.tv_sec - before.tv_sec) +
		  (double)(after.tv_nsec - before.tv_nsec) / 1e9;
	print_message("%zu bytes in %.3f s\n", len, seconds);
	assert_true(seconds < 1);
	(void)kernel_log_free(log);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a line is found in every form", test_forms),
		TEST("a last line without a newline counts",
		     test_last_line_without_newline),
		TEST("what USB and uas say", test_usb),
		TEST("where a log begins", test_whole),
		TEST("which log reaches back farther", test_begin),
		TEST("NVMe drives that firmware hides", test_remapped),
		TEST("more of them than one function can hide", test_remapped_nonsense),
		TEST("facts say where they are from", test_source),
		TEST("lines without end", test_long_lines),
		TEST("any bytes", test_any_bytes),
		TEST("more than there is room for", test_crowd),
		TEST("kept lines are safe to print", test_printable),
		TEST("a large log is read fast", test_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
