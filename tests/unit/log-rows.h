/* SPDX-License-Identifier: MIT */
/*
 * Tables of tests for kernel logs: a row is a log, a disk and the facts that it gets. And
 * what libata reports, in its own words, for logs to be made of.
 */
#pragma once

#include <string.h>

#include "facts/kernel-log.h"
#include "support.h"

#define EXPECTED_MAX 8

/* One disk, a log, and facts with the values they get; value NULL: stays unknown. */
struct case_row {
	const char *name;
	const char *log;
	struct given want[EXPECTED_MAX];
	unsigned int port;   /* of libata; 0: this is a USB disk, "2-1" */
	const char *address; /* NULL: "5:0:0:0" */
};

static inline void make_disk(struct disk_facts *facts, unsigned int port,
			     const char *address)
{
	char folder[64];

	facts_init(facts);
	(void)snprintf(folder, sizeof(folder), "/sys/devices/x/%s",
		       address ? address : "5:0:0:0");
	facts_set_anchor(facts, ANCHOR_SCSI_DEVICE, folder);
	if (port == 0) {
		facts_set_anchor(facts, ANCHOR_USB_DEVICE, "/sys/devices/x/2-1");
		return;
	}
	facts_set_number(facts, FACT_LIBATA, 1);
	facts_set_number(facts, FACT_ATA_PORT_ID, port);
}

static inline struct kernel_log *read_log(const char *text, size_t len)
{
	struct kernel_log *log = NULL;

	assert_int_equal(kernel_log_new("/dev/kmsg", &log), 0);
	kernel_log_feed(log, text, len);
	(void)kernel_log_end(log);
	return log;
}

static inline void check_facts(const char *name, const struct disk_facts *facts,
			       const struct given *want)
{
	for (size_t i = 0; i < EXPECTED_MAX && (want[i].value || want[i].fact); i++) {
		char value[FACT_TEXT_MAX] = "?";

		(void)facts_format(facts, want[i].fact, value, sizeof(value));
		if (strcmp(value, want[i].value) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", name,
				 fact_to_string(want[i].fact), value, want[i].value);
	}
}

static inline void run_cases(const struct case_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_kernel_log_ struct kernel_log *log =
			read_log(rows[i].log, strlen(rows[i].log));
		struct disk_facts facts;

		make_disk(&facts, rows[i].port, rows[i].address);
		kernel_log_add(log, &facts);
		check_facts(rows[i].name, &facts, rows[i].want);
	}
}

/* clang-format off */
#define HEAD(dev, emask, sact, serr, action)                                       \
	"[   10.000001] " dev ": exception Emask " emask " SAct " sact " SErr " serr \
	" action " action "\n"
#define SERROR(dev, bits) "[   10.000002] " dev ": SError: { " bits " }\n"
#define FAILED(dev, command) "[   10.000003] " dev ": failed command: " command "\n"
#define CMD(dev, opcode, result)                                                  \
	"[   10.000004] " dev ": cmd " opcode "/08:28:08:98:53/00:00:05:00:00/40 " \
	"tag 5 ncq dma 4096 in\n"                                                 \
	"                        res 40/00:ff:00:00:00/00:00:00:00:00/00 Emask "  \
	result "\n"
#define TIMEOUT "0x4 (timeout)"
#define RESET(dev) "[   10.000005] " dev ": hard resetting link\n"
#define COMPLETE(dev) "[   10.000006] " dev ": EH complete\n"
#define UP(dev, speed)                                                            \
	"[   10.000007] " dev ": SATA link up " speed " Gbps (SStatus 123 SControl " \
	"300)\n"
#define PLUGGED                                                            \
	HEAD("ata3", "0x10", "0x0", "0x4050000", "0xe frozen")             \
	"[   10.1] ata3: irq_stat 0x00000040, connection status changed\n" \
	SERROR("ata3", "PHYRdyChg CommWake DevExch") RESET("ata3")         \
	UP("ata3", "6.0") COMPLETE("ata3")
#define PLUG_AT(stamp)                                                     \
	stamp "ata3: exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen\n" \
	stamp "ata3: SError: { PHYRdyChg CommWake DevExch }\n"                \
	stamp "ata3: hard resetting link\n" stamp "ata3: EH complete\n"
#define MODEL(stamp, name) stamp "ata3.00: ATA-9: " name ", FW1, max UDMA/133\n"
#define QUEUE_FAULT                                                            \
	HEAD("ata3.00", "0x0", "0x7e", "0x0", "0x6 frozen")                    \
	FAILED("ata3.00", "READ FPDMA QUEUED") CMD("ata3.00", "60", TIMEOUT)   \
	FAILED("ata3.00", "WRITE FPDMA QUEUED") CMD("ata3.00", "61", TIMEOUT)  \
	RESET("ata3") UP("ata3", "6.0") COMPLETE("ata3")
/* clang-format on */
