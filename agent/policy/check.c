/* SPDX-License-Identifier: MIT */
/*
 * The checks, one function each, and the table that names them.
 */
#include "policy/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/plan.h"

#define IDENTIFY_NCQ 0x100U
#define IO_OPT_BOGUS 33553920U /* 65535 sectors of 512: a bridge's "no limit" */
#define READ_AHEAD_CLASSIC_KB 128U
#define READ_AHEAD_LARGE_KB 4096U

static const char *const finding_id_words[] = {
	[FINDING_ATA_IDE_MODE] = "ata-ide-mode",
	[FINDING_SATA_NO_NCQ] = "sata-no-ncq",
	[FINDING_EMULATED_IDE] = "emulated-ide",
	[FINDING_NCQ_OFF] = "ncq-off",
	[FINDING_READAHEAD_FROM_IO_OPT] = "readahead-from-io-opt",
	[FINDING_IO_OPT_BOGUS] = "io-opt-bogus",
	[FINDING_READAHEAD_FALSE_ROTATIONAL] = "readahead-false-rotational",
};

static const char *const severity_words[] = {
	[SEVERITY_INFO] = "info",
	[SEVERITY_WARN] = "warn",
	[SEVERITY_ERROR] = "error",
};

DEFINE_WORDS(finding_id, enum finding_id)
DEFINE_WORDS(severity, enum severity)

_printf_(3, 4) static void found(struct finding *finding, enum severity severity,
				 const char *format, ...)
{
	va_list args;

	finding->result = CHECK_FOUND;
	finding->severity = severity;
	va_start(args, format);
	(void)vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

/* Marks the check as impossible if @fact is unknown. */
static bool lacks(const struct disk_facts *facts, enum fact fact, struct finding *finding)
{
	if (facts_known(facts, fact))
		return false;
	finding->result = CHECK_UNKNOWN;
	finding->evidence[0] = fact;
	finding->evidence[1] = _FACT_MAX;
	return true;
}

static bool is_libata_disk(const struct disk_facts *facts)
{
	return facts_is_set(facts, FACT_LIBATA) &&
	       !facts_is_number(facts, FACT_SCSI_TYPE, 5);
}

static void check_ide_mode(const struct disk_facts *facts, const struct disk_class *class,
			   struct finding *finding)
{
	const char *driver = facts_text(facts, FACT_HOST_DRIVER);
	uint64_t pci_class = 0;

	if (!is_libata_disk(facts) || lacks(facts, FACT_HOST_DRIVER, finding))
		return;
	if (class->attachment == ATTACHMENT_PATA && lacks(facts, FACT_ATA_ID_76, finding))
		return;
	if (class->attachment != ATTACHMENT_ATA_IDE_MODE)
		return;
	(void)facts_number(facts, FACT_PCI_CLASS, &pci_class);
	found(finding, class->medium == MEDIUM_ROTATIONAL ? SEVERITY_INFO : SEVERITY_WARN,
	      "a SATA drive runs behind a controller in IDE mode (PCI class 0x%06" PRIx64
	      ", driver %s): one command at a time, no NCQ",
	      pci_class, driver);
}

static void check_no_ncq(const struct disk_facts *facts, const struct disk_class *class,
			 struct finding *finding)
{
	uint64_t word = 0;

	if (class->attachment != ATTACHMENT_SATA_NO_NCQ ||
	    lacks(facts, FACT_ATA_ID_76, finding))
		return;
	(void)facts_number(facts, FACT_ATA_ID_76, &word);
	if (word == 0xffff || !(word & IDENTIFY_NCQ))
		return;
	found(finding, SEVERITY_INFO,
	      "the drive has NCQ, but its SATA controller (driver %s) has not",
	      facts_text(facts, FACT_HOST_DRIVER));
}

static void check_emulated_ide(const struct disk_facts *facts,
			       const struct disk_class *class, struct finding *finding)
{
	const char *hypervisor = facts_text(facts, FACT_HYPERVISOR);

	if (!is_libata_disk(facts) || lacks(facts, FACT_HOST_DRIVER, finding))
		return;
	if (class->attachment == ATTACHMENT_EMULATED_IDE)
		found(finding, SEVERITY_WARN,
		      "this guest's disk is attached to an emulated IDE controller "
		      "(driver %s, "
		      "hypervisor %s): one command at a time",
		      facts_text(facts, FACT_HOST_DRIVER),
		      hypervisor ? hypervisor : "unknown");
}

/* What the matter is, and what to do about it, by the reason why NCQ is off. */
static const struct ncq_words {
	const char *text, *remedy;
} ncq_off_words[_NCQ_REASON_MAX] = {
	[NCQ_REASON_LIBATA_FORCE] = {
		"NCQ is switched off by libata.force on the kernel command line",
		"If that was done against errors, leave it; else take noncq out of "
		"libata.force and boot again.",
	},
	[NCQ_REASON_KERNEL_QUIRK] = {
		"the kernel forgoes NCQ: this drive, here, is on its list of those that "
		"fail with it",
		"Leave it. Another controller, or a newer firmware of the drive, may "
		"lift the restriction.",
	},
	[NCQ_REASON_PORT_MULTIPLIER] = {
		"NCQ is off behind this port multiplier",
		"Attach the drive to a port of its own if its speed matters.",
	},
	[NCQ_REASON_QUEUE_DEPTH_1] = {
		"NCQ is off though drive and host could, and nothing we can see explains "
		"it: a write to queue_depth, a module option, or the kernel itself",
		"blkadvise never switches NCQ on by itself. If it was switched off "
		"against errors, leave it; else write the drive's depth to "
		"device/queue_depth.",
	},
};

static void check_ncq_off(const struct disk_facts *facts, const struct disk_class *class,
			  struct finding *finding)
{
	bool unexplained = class->ncq_reason == NCQ_REASON_QUEUE_DEPTH_1;
	bool warn = unexplained && class->medium != MEDIUM_ROTATIONAL;

	if (!is_libata_disk(facts) || class->ncq == NCQ_UNSUPPORTED)
		return;
	if (lacks(facts, FACT_QUEUE_DEPTH, finding) ||
	    lacks(facts, FACT_ATA_ID_76, finding))
		return;
	if (class->ncq != NCQ_OFF || !ncq_off_words[class->ncq_reason].text)
		return;
	found(finding, warn ? SEVERITY_WARN : SEVERITY_INFO, "%s",
	      ncq_off_words[class->ncq_reason].text);
	finding->remedy = ncq_off_words[class->ncq_reason].remedy;
}

static void check_readahead_io_opt(const struct disk_facts *facts,
				   const struct disk_class *class,
				   struct finding *finding)
{
	bool array = class->transport == TRANSPORT_MD;
	uint64_t io_opt = 0, read_ahead = 0;

	if (disk_is_ignored(facts) || lacks(facts, FACT_READ_AHEAD_KB, finding) ||
	    lacks(facts, FACT_OPTIMAL_IO_SIZE, finding))
		return;
	(void)facts_number(facts, FACT_OPTIMAL_IO_SIZE, &io_opt);
	(void)facts_number(facts, FACT_READ_AHEAD_KB, &read_ahead);
	if (io_opt == 0 || read_ahead <= READ_AHEAD_LARGE_KB ||
	    read_ahead / 4 != io_opt * 2 / 1024 / 4)
		return;
	found(finding, array ? SEVERITY_INFO : SEVERITY_WARN,
	      "read_ahead_kb %" PRIu64 " = 2 x optimal_io_size %" PRIu64
	      "%s: every small random read through the page cache may pull in megabytes",
	      read_ahead, io_opt,
	      array ? " (two stripes of the array, as md means it)" : "");
}

static void check_io_opt(const struct disk_facts *facts, const struct disk_class *class,
			 struct finding *finding)
{
	(void)class;
	if (disk_is_ignored(facts) || lacks(facts, FACT_OPTIMAL_IO_SIZE, finding))
		return;
	if (facts_is_number(facts, FACT_OPTIMAL_IO_SIZE, IO_OPT_BOGUS))
		found(finding, SEVERITY_WARN,
		      "optimal_io_size %u is no size but the largest transfer the device "
		      "could name (65535 blocks): nothing should be derived from it",
		      IO_OPT_BOGUS);
}

static bool is_twice(const struct disk_facts *facts, enum fact fact, uint64_t value)
{
	uint64_t limit = 0;

	return facts_number(facts, fact, &limit) && limit > 0 &&
	       value / 4 == 2 * limit / 4;
}

static void check_readahead_rotational(const struct disk_facts *facts,
				       const struct disk_class *class,
				       struct finding *finding)
{
	uint64_t value = 0;

	if (disk_is_ignored(facts) || class->attachment == ATTACHMENT_STACKED ||
	    facts_is_number(facts, FACT_SCSI_TYPE, 5) ||
	    lacks(facts, FACT_OSRELEASE, finding) ||
	    lacks(facts, FACT_ROTATIONAL, finding) ||
	    lacks(facts, FACT_READ_AHEAD_KB, finding))
		return;
	(void)facts_number(facts, FACT_READ_AHEAD_KB, &value);
	if (!kernel_derives_readahead(facts) || class->medium == MEDIUM_ROTATIONAL ||
	    value <= READ_AHEAD_CLASSIC_KB)
		return;
	if (is_twice(facts, FACT_MAX_SECTORS_KB, value) ||
	    is_twice(facts, FACT_MAX_HW_SECTORS_KB, value))
		found(finding, SEVERITY_WARN,
		      "read_ahead_kb %" PRIu64
		      " comes from the rotational flag, which nothing "
		      "backs here: every mmap fault may read that much",
		      value);
}

static const struct check {
	void (*run)(const struct disk_facts *facts, const struct disk_class *class,
		    struct finding *finding);
	enum fact evidence[FINDING_FACTS];
	const char *remedy;
} checks[] = {
	[FINDING_ATA_IDE_MODE] = {
		check_ide_mode,
		{ FACT_HOST_DRIVER, FACT_PCI_CLASS, FACT_PCI_DEVICE, FACT_ATA_ID_76,
		  FACT_QUEUE_DEPTH },
		"Make sure that the initramfs holds the ahci driver, then set the SATA "
		"controller to AHCI in the firmware setup (BIOS), if it offers that; on "
		"Apple machines boot by EFI. Until then: one read at a time, larger "
		"journal blocks.",
	},
	[FINDING_SATA_NO_NCQ] = {
		check_no_ncq,
		{ FACT_HOST_DRIVER, FACT_CAN_QUEUE, FACT_ATA_ID_76, FACT_QUEUE_DEPTH,
		  _FACT_MAX },
		"Nothing to set: attach the drive to a controller with NCQ (AHCI) if its "
		"speed matters.",
	},
	[FINDING_EMULATED_IDE] = {
		check_emulated_ide,
		{ FACT_HOST_DRIVER, FACT_PCI_CLASS, FACT_HYPERVISOR, FACT_QUEUE_DEPTH,
		  _FACT_MAX },
		"On the host, attach the disk through virtio, pvscsi or at least AHCI.",
	},
	[FINDING_NCQ_OFF] = {
		check_ncq_off,
		{ FACT_QUEUE_DEPTH, FACT_LIBATA_FORCE, FACT_ATA_ID_76,
		  FACT_AHCI_HOST_CAPS, FACT_MODEL },
		NULL, /* by reason */
	},
	[FINDING_READAHEAD_FROM_IO_OPT] = {
		check_readahead_io_opt,
		{ FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE, _FACT_MAX, _FACT_MAX,
		  _FACT_MAX },
		"`blkadvise plan` shows what the policy makes of it (128 KiB for flash, "
		"md arrays keep their stripe); `blkadvise apply` sets it. Engines that "
		"stream ask for more by POSIX_FADV_SEQUENTIAL.",
	},
	[FINDING_IO_OPT_BOGUS] = {
		check_io_opt,
		{ FACT_OPTIMAL_IO_SIZE, FACT_READ_AHEAD_KB, FACT_MODEL, _FACT_MAX,
		  _FACT_MAX },
		"Ignore the value; align to physical_block_size instead, and watch that "
		"tools which format the disk do so too.",
	},
	[FINDING_READAHEAD_FALSE_ROTATIONAL] = {
		check_readahead_rotational,
		{ FACT_READ_AHEAD_KB, FACT_ROTATIONAL, FACT_MAX_SECTORS_KB,
		  FACT_OPTIMAL_IO_SIZE, _FACT_MAX },
		"`blkadvise apply` sets the classical 128 KiB, or what the policy says.",
	},
};

void diagnose(const struct disk_facts *facts, const struct disk_class *class,
	      struct diagnosis *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		struct finding *finding = &ret->findings[i];

		finding->id = (enum finding_id)i;
		finding->remedy = checks[i].remedy;
		memcpy(finding->evidence, checks[i].evidence, sizeof(finding->evidence));
		checks[i].run(facts, class, finding);
	}
}

void diagnosis_list(const struct diagnosis *diagnosis, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		if (diagnosis->findings[i].result != CHECK_FOUND || len >= size)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "," : "",
					finding_id_words[i]);
	}
}
