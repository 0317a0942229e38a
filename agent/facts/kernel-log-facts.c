/* SPDX-License-Identifier: MIT */
/*
 * From what a log said to the facts of one disk. An ATA disk is found by its port and by
 * the device number behind it, which is the channel (the port of a multiplier) plus the
 * target of its SCSI address (drivers/ata/libata-core.c, ata_dev_printk()), unless the
 * log names another model there; a USB disk by the name of its USB device and by its
 * SCSI address.
 */
#include <ctype.h>
#include <inttypes.h>

#include "base/root.h"
#include "facts/kernel-log-internal.h"
#include "facts/kernel-log-serror.h"

#define SOURCE_MAX 100
#define SCSI_MODEL_LEN 16 /* of INQUIRY data */

const struct serror_name serror_names[] = {
	{ "RecovData", UINT32_C(1) << 0 },
	{ "RecovComm", UINT32_C(1) << 1 },
	{ "UnrecovData", SERROR_UNRECOV_DATA },
	{ "Persist", UINT32_C(1) << 9 },
	{ "Proto", UINT32_C(1) << 10 },
	{ "HostInt", UINT32_C(1) << 11 },
	{ "PHYRdyChg", SERROR_PHY_RDY_CHG },
	{ "PHYInt", UINT32_C(1) << 17 },
	{ "CommWake", SERROR_COMM_WAKE },
	{ "10B8B", SERROR_10B8B },
	{ "Dispar", SERROR_DISPAR },
	{ "BadCRC", SERROR_BAD_CRC },
	{ "Handshk", SERROR_HANDSHK },
	{ "LinkSeq", SERROR_LINK_SEQ },
	{ "TrStaTrns", SERROR_TR_STA_TRNS },
	{ "UnrecFIS", UINT32_C(1) << 25 },
	{ "DevExch", SERROR_DEV_EXCH },
	{ "ICRC", SERROR_ICRC },
	{ NULL, 0 },
};

struct target {
	const struct kernel_log *log;
	struct disk_facts *facts;
	char source[SOURCE_MAX];
};

static void set_number(const struct target *target, enum fact fact, uint64_t number)
{
	facts_set_number(target->facts, fact, number);
	facts_set_source(target->facts, fact, target->source);
}

static void set_text(const struct target *target, enum fact fact, const char *text)
{
	if (!text[0])
		return;
	facts_set_text(target->facts, fact, text);
	facts_set_source(target->facts, fact, target->source);
}

static const struct log_line *later(const struct log_line *a, const struct log_line *b)
{
	return a->number >= b->number ? a : b;
}

/* "begins 3 days after the boot": records that came before have been overwritten. */
static void set_log(const struct target *target)
{
	static const struct {
		uint64_t seconds;
		const char *unit;
	} units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" } };
	const struct kernel_log *log = target->log;
	uint64_t begin = kernel_log_begin(log);
	char text[FACT_TEXT_MAX];

	(void)snprintf(text, sizeof(text), "%s", log->name);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		uint64_t n = begin / units[i].seconds;

		if (n == 0)
			continue;
		(void)snprintf(text, sizeof(text),
			       "%.180s, begins %" PRIu64 " %s%s after the boot",
			       log->name, n, units[i].unit, n == 1 ? "" : "s");
		break;
	}
	facts_set_text(target->facts, FACT_KERNEL_LOG, text);
	facts_set_source(target->facts, FACT_KERNEL_LOG, target->source);
	if (log->has_start || log->has_stamp)
		set_number(target, FACT_LOG_PARTIAL, begin > 0);
}

static struct target target_of(const struct kernel_log *log, struct disk_facts *facts)
{
	struct target target = { .log = log, .facts = facts };

	(void)snprintf(target.source, sizeof(target.source), "%.*s", SOURCE_MAX - 1,
		       log->name);
	return target;
}

/* Channel, target and LUN of the disk's SCSI address. */
static bool scsi_address(const struct disk_facts *facts, struct scsi_log *ret)
{
	const char *folder = facts_anchor(facts, ANCHOR_SCSI_DEVICE);
	unsigned int host = 0, channel = 0, target = 0, lun = 0;

	if (!folder ||
	    sscanf(path_name(folder), "%u:%u:%u:%u", &host, &channel, &target, &lun) != 4)
		return false;
	*ret = (struct scsi_log){ .host = host,
				  .channel = (int)channel,
				  .target = (int)target,
				  .lun = (int)lun };
	return true;
}

/* Adds up what was said of the port and what of the device. */
static void add_device(struct ata_device_log *sum, const struct ata_device_log *device)
{
	uint32_t storm = device->storm;
	uint32_t moved = device->plug_resets < storm ? device->plug_resets : storm;

	sum->ncq_disabled |= device->ncq_disabled;
	sum->serror |= device->serror | (storm ? device->plug_serror : 0);
	sum->link_faults += device->link_faults + storm;
	sum->link_failed += device->link_failed;
	sum->resets += device->resets + moved;
	sum->plug_resets += device->plug_resets - moved;
	sum->later_resets += device->later_resets;
	sum->fpdma_timeouts += device->fpdma_timeouts;
	sum->fpdma_errors += device->fpdma_errors;
	sum->other_errors += device->other_errors;
	sum->link = *later(&sum->link, &device->link);
	if (storm)
		sum->link = *later(&sum->link, &device->plug);
	sum->fpdma = *later(&sum->fpdma, &device->fpdma);
	sum->speed_down.line = *later(&sum->speed_down.line, &device->speed_down.line);
	sum->mode_down.line = *later(&sum->mode_down.line, &device->mode_down.line);
	sum->link_up = *later(&sum->link_up, &device->link_up);
}

static void set_serror(const struct target *target, uint32_t serror)
{
	char text[FACT_TEXT_MAX] = "";
	size_t len = 0;

	for (size_t i = 0; serror_names[i].name; i++) {
		if (serror & serror_names[i].bit)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
						len ? " " : "", serror_names[i].name);
	}
	set_text(target, FACT_LOG_SERROR, text);
}

static uint64_t count_disks_with_timeouts(const struct kernel_log *log)
{
	uint64_t n = 0;

	for (size_t i = 0; i < log->n_devices; i++)
		n += log->devices[i].fpdma_timeouts > 0;
	return n;
}

static void set_sum(const struct target *target, const struct ata_device_log *sum)
{
	set_number(target, FACT_LOG_NCQ_DISABLED, sum->ncq_disabled);
	set_serror(target, sum->serror);
	set_number(target, FACT_LOG_LINK_FAULTS, sum->link_faults);
	set_text(target, FACT_LOG_LINK_LINE, sum->link.text);
	set_number(target, FACT_LOG_LINK_FAILED, sum->link_failed);
	set_number(target, FACT_LOG_FPDMA_TIMEOUTS, sum->fpdma_timeouts);
	set_number(target, FACT_LOG_FPDMA_ERRORS, sum->fpdma_errors);
	set_text(target, FACT_LOG_FPDMA_LINE, sum->fpdma.text);
	set_number(target, FACT_LOG_FPDMA_DISKS, count_disks_with_timeouts(target->log));
	set_number(target, FACT_LOG_OTHER_ERRORS, sum->other_errors);
	set_number(target, FACT_LOG_LINK_RESETS, sum->resets);
	set_number(target, FACT_LOG_PLUG_RESETS, sum->plug_resets);
	set_text(target, FACT_LOG_SPEED_DOWN, sum->speed_down.line.text);
	set_text(target, FACT_LOG_MODE_DOWN, sum->mode_down.line.text);
	set_number(target, FACT_LOG_LATER_RESETS, sum->later_resets);
	set_text(target, FACT_LOG_LINK_UP, sum->link_up.text);
}

/*
 * Letters and digits of a model, with one "_" for all else between them: udev replaces
 * what it does not like, and blanks are of different numbers. Returns the length.
 */
static size_t plain_model(const char *text, char buf[LOG_MODEL_MAX])
{
	size_t len = 0;
	bool gap = false;

	for (; *text && len < LOG_MODEL_MAX - 1; text++) {
		bool plain = isalnum((unsigned char)*text);

		if (plain && gap && len > 0)
			buf[len++] = '_';
		if (plain && len < LOG_MODEL_MAX - 1)
			buf[len++] = *text;
		gap = !plain;
	}
	buf[len] = '\0';
	return len;
}

/*
 * True if the log names another drive here: it is another machine's, or from before the
 * drives were changed. What SCSI says of a model is cut at 16 bytes.
 */
static bool is_other_drive(const struct ata_device_log *device,
			   const struct disk_facts *facts)
{
	const char *model = facts_text(facts, FACT_MODEL);
	char ours[LOG_MODEL_MAX], theirs[LOG_MODEL_MAX];
	size_t len = 0;

	if (!model || !plain_model(device->model, theirs))
		return false;
	len = plain_model(model, ours);
	if (len == 0)
		return false;
	return strlen(model) <= SCSI_MODEL_LEN ? strncmp(ours, theirs, len) != 0
					       : strcmp(ours, theirs) != 0;
}

static void add_ata(const struct target *target)
{
	const struct kernel_log *log = target->log;
	struct ata_device_log sum = { 0 };
	struct scsi_log address = { 0 };
	uint64_t port = 0, unaligned = 0;
	bool known = scsi_address(target->facts, &address);

	if (!facts_number(target->facts, FACT_ATA_PORT_ID, &port))
		return;
	for (size_t i = 0; i < log->n_devices; i++) {
		const struct ata_device_log *device = &log->devices[i];
		bool own = known && device->device == address.channel + address.target;

		if (device->port != port || (!own && device->device != LOG_PORT_ITSELF))
			continue;
		if (own && is_other_drive(device, target->facts))
			return;
		add_device(&sum, device);
	}
	set_sum(target, &sum);
	for (size_t i = 0; known && i < log->n_scsi; i++) {
		const struct scsi_log *scsi = &log->scsi[i];

		if (scsi->host == address.host && scsi->channel == address.channel &&
		    scsi->target == address.target && scsi->lun == address.lun)
			unaligned += scsi->unaligned;
	}
	set_number(target, FACT_LOG_UNALIGNED, unaligned);
}

/* What uas could not finish says more than the reset that follows, and counts for both.
 */
static void add_usb(const struct target *target, const char *name)
{
	const struct kernel_log *log = target->log;
	const struct usb_log *usb = NULL;
	struct log_line line = { .number = 0 };
	struct scsi_log address = { 0 };
	uint64_t resets = 0, aborts = 0;

	for (size_t i = 0; i < log->n_usb && !usb; i++) {
		if (strcmp(log->usb[i].name, name) == 0)
			usb = &log->usb[i];
	}
	if (usb) {
		resets = usb->resets;
		set_text(target, FACT_LOG_USB_QUIRK, usb->quirk);
	}
	for (size_t i = 0; scsi_address(target->facts, &address) && i < log->n_scsi;
	     i++) {
		const struct scsi_log *scsi = &log->scsi[i];

		if (scsi->host != address.host ||
		    (scsi->channel >= 0 &&
		     (scsi->target != address.target || scsi->lun != address.lun)))
			continue;
		aborts += scsi->aborts;
		line = *later(&line, &scsi->line);
	}
	if (line.number == 0 && usb)
		line = usb->line;
	set_number(target, FACT_LOG_USB_RESETS, resets > aborts ? resets : aborts);
	set_text(target, FACT_LOG_USB_LINE, line.text);
}

void kernel_log_add(const struct kernel_log *log, struct disk_facts *facts)
{
	struct target target = target_of(log, facts);
	const char *usb = facts_anchor(facts, ANCHOR_USB_DEVICE);

	set_log(&target);
	if (facts_is_set(facts, FACT_LIBATA))
		add_ata(&target);
	else if (usb)
		add_usb(&target, path_name(usb));
}

/* sysfs tells of hidden NVMe devices too, from 5.15 on; then it is believed. */
void kernel_log_add_machine(const struct kernel_log *log, struct disk_facts *facts)
{
	struct target target = target_of(log, facts);

	set_log(&target);
	if (log->remapped_nvme == 0 || facts_known(facts, FACT_REMAPPED_TOTAL))
		return;
	set_number(&target, FACT_REMAPPED_TOTAL, log->remapped_nvme);
	set_text(&target, FACT_REMAPPED_AT, log->remapped_at);
}
