/* SPDX-License-Identifier: MIT */
/*
 * NCQ that is switched off though host and drive could, and queued commands that get
 * lost. For the former the reason is the finding: classify/ata.c asks for it in a fixed
 * order, and each has its own remedy.
 */
#include "diagnose/ata.h"

#define PCI_VENDOR_ATI 0x1002U

#define LEAVE_IF_ERRORS "if that was done against errors, leave it"
#define BACK_ON                                                                      \
	"echo 32 > /sys/block/{name}/device/queue_depth   # else; and read it back: a " \
	"kernel may accept the write and leave 1"

/* What the matter is, and what to do about it, by the reason why NCQ is off. */
static const struct ncq_words {
	const char *text;
	const char *const *remedy;
} ncq_off_words[_NCQ_REASON_MAX] = {
	[NCQ_REASON_LIBATA_FORCE] = {
		"NCQ is switched off for this port by libata.force on the kernel command "
		"line",
		STEPS(LEAVE_IF_ERRORS,
		      "else take noncq out of libata.force and boot again"),
	},
	[NCQ_REASON_KERNEL_QUIRK] = {
		"the kernel forgoes NCQ: this drive, here, is on its list of those that "
		"fail with it",
		STEPS("leave it; another controller, or a newer firmware of the drive, "
		      "may lift the restriction"),
	},
	[NCQ_REASON_PORT_MULTIPLIER] = {
		"NCQ is off behind a port multiplier: some multipliers have no NCQ, "
		"whatever host and drive have",
		STEPS("leave it, unless the multiplier is known to have NCQ",
		      "attach the drive to a port of its own if its speed matters"),
	},
	[NCQ_REASON_EXCESSIVE_ERRORS] = {
		"the kernel switched NCQ off after errors (\"NCQ disabled due to "
		"excessive errors\"); queue_depth does not show it",
		STEPS("find the cause of the errors first: see sata-link-fault and "
		      "ncq-queue-fault, and smartctl -x /dev/{name}",
		      "the next boot switches NCQ on again; a write of another depth to "
		      "queue_depth may do so, too: do not, while the errors last"),
	},
	[NCQ_REASON_QUEUE_DEPTH_1] = {
		"NCQ is off though drive and host could, and nothing we can see explains "
		"it: a write to queue_depth, a module option, or the kernel itself",
		STEPS("if it was switched off against errors, leave it: blkadvise never "
		      "switches NCQ on by itself",
		      BACK_ON),
	},
};

static const struct ncq_words forced_everywhere = {
	"NCQ is switched off for every port by libata.force=noncq on the kernel command "
	"line",
	STEPS("if one drive needs it, restrict it to that port: "
	      "libata.force={ata_port}.00:noncq for this one",
	      "if none does, take it out; it may come from the distribution: look in the "
	      "boot loader's configuration"),
};

static const char *const needless_remedy[] = {
	"repair the link first: see sata-link-fault",
	"then take noncq out of libata.force and boot again: it does not help against "
	"errors of the link",
	NULL,
};

static const char *const by_hand_against_errors[] = {
	"leave it while the errors come back: then it is a repair",
	"echo 32 > /sys/block/{name}/device/queue_depth   # else; and read it back",
	NULL,
};

static const char *const pair_kept_apart[] = {
	"leave NCQ off for this drive; if it is done on the command line, for this port "
	"alone: libata.force={ata_port}.00:noncq",
	"another controller lifts the restriction",
	NULL,
};

static const char *const look_again[] = {
	"leave it, and look again in a week",
	NULL,
};

static bool may_be_off(const struct subject *subject)
{
	return is_libata_disk(subject) && subject->class->ncq != NCQ_UNSUPPORTED;
}

static bool is_unexplained(const struct subject *subject)
{
	return subject->class->ncq_reason == NCQ_REASON_QUEUE_DEPTH_1;
}

/* A reason of the table, and a remark on what the kernel log adds to it. */
static const char *remark_on_log(const struct subject *subject, struct finding *finding)
{
	bool forced = subject->class->ncq_reason == NCQ_REASON_LIBATA_FORCE;

	if (forced && number_of(subject, FACT_LOG_LINK_FAULTS) > 0) {
		finding->remedy = needless_remedy;
		return "; yet errors of the link go on without NCQ, so it is not their "
		       "cause";
	}
	if (!is_unexplained(subject))
		return "";
	if (!facts_known(own(subject), FACT_KERNEL_LOG))
		return " (the kernel log could not be read)";
	if (number_of(subject, FACT_LOG_FPDMA_ERRORS) == 0)
		return "";
	finding->remedy = by_hand_against_errors;
	return "; queued commands have failed, so somebody may have done it against that";
}

static void check_ncq_off(const struct subject *subject, struct finding *finding)
{
	const struct disk_class *class = subject->class;
	const struct ncq_words *words = &ncq_off_words[class->ncq_reason];
	bool forced = class->ncq_reason == NCQ_REASON_LIBATA_FORCE;
	bool warn = (is_unexplained(subject) ||
		     class->ncq_reason == NCQ_REASON_EXCESSIVE_ERRORS) &&
		    class->medium != MEDIUM_ROTATIONAL;
	bool sure =
		!is_unexplained(subject) || facts_known(own(subject), FACT_KERNEL_LOG);
	const char *remark = NULL;

	if (class->ncq != NCQ_OFF || !words->text)
		return;
	if (forced && libata_force_noncq_everywhere(own(subject)))
		words = &forced_everywhere;
	finding->remedy = words->remedy;
	remark = remark_on_log(subject, finding);
	found(finding, warn ? SEVERITY_WARN : SEVERITY_INFO,
	      sure ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM, "%s%s", words->text, remark);
}

static bool may_be_bad_pair(const struct subject *subject)
{
	return may_be_off(subject) && facts_known(own(subject), FACT_PCI_ADDRESS);
}

static const char *describe_pair(const struct subject *subject, bool errors)
{
	if (subject->class->ncq == NCQ_ON)
		return errors ? "on; queued commands have failed already" : "on";
	if (subject->class->ncq_reason == NCQ_REASON_LIBATA_FORCE)
		return "off by libata.force";
	return "off, as it should be";
}

/* Drives that fail with NCQ at any host are no pair: ncq-off has them. */
static void check_bad_pair(const struct subject *subject, struct finding *finding)
{
	bool errors = number_of(subject, FACT_LOG_FPDMA_ERRORS) > 0;
	bool on = subject->class->ncq == NCQ_ON;

	if (!facts_is_set(own(subject), FACT_NCQ_QUIRK) ||
	    number_of(subject, FACT_PCI_VENDOR) != PCI_VENDOR_ATI)
		return;
	found(finding, on && errors ? SEVERITY_ERROR : SEVERITY_INFO, CONFIDENCE_HIGH,
	      "%.40s at an ATI SATA controller (PCI vendor 1002): this pair is known to "
	      "lose queued commands, and NCQ is %s",
	      text_of(subject, FACT_MODEL), describe_pair(subject, errors));
	if (!on)
		finding->remedy = pair_kept_apart;
}

static bool is_conventional_libata_disk(const struct subject *subject)
{
	return is_libata_disk(subject) &&
	       (!facts_known(own(subject), FACT_ZONED) ||
		facts_is_text(own(subject), FACT_ZONED, "none"));
}

/*
 * SErr 0x0 is what tells a lost command from a bad cable: the link saw nothing wrong. On
 * several drives it is what they share.
 */
static const char *describe_cause(bool link, bool several)
{
	if (link)
		return "errors of the link are in the log, too, and may be the cause";
	if (several)
		return "the links reported no error (SErr 0x0), so look at what the "
		       "drives "
		       "share, controller and power, and not at cables";
	return "the link reported no error (SErr 0x0), so it is the queue, in the "
	       "drive's "
	       "firmware or the controller, and not the cable";
}

static void describe_faults(uint64_t timeouts, uint64_t unaligned, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	if (timeouts > 0)
		len = (size_t)snprintf(buf, size, "%" PRIu64 " timeout%s", timeouts,
				       timeouts == 1 ? "" : "s");
	if (unaligned > 0)
		(void)snprintf(buf + len, size - len, "%s%" PRIu64 " \"unaligned write\"",
			       len > 0 ? ", " : "", unaligned);
}

/*
 * A single one may be a passing thing, several are not. "Unaligned write command" is
 * libata's word for a queued command that was lost, not for the drive's complaint.
 */
static void check_queue_fault(const struct subject *subject, struct finding *finding)
{
	uint64_t timeouts = number_of(subject, FACT_LOG_FPDMA_TIMEOUTS);
	uint64_t unaligned = number_of(subject, FACT_LOG_UNALIGNED);
	bool several = number_of(subject, FACT_LOG_FPDMA_DISKS) > 1;
	bool link = number_of(subject, FACT_LOG_LINK_FAULTS) > 0;
	bool once = timeouts + unaligned == 1 && !several;
	enum confidence confidence = several ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	char faults[96];

	if (timeouts == 0 && unaligned == 0)
		return;
	if (link || once || timeouts == 0)
		confidence = CONFIDENCE_LOW;
	describe_faults(timeouts, unaligned, faults, sizeof(faults));
	found(finding, once ? SEVERITY_INFO : SEVERITY_WARN, confidence,
	      "queued commands got no answer (%s)%s: %s", faults,
	      several ? ", on more than one drive" : "", describe_cause(link, several));
	if (once)
		finding->remedy = look_again;
}

static const struct check list[] = {
	{
		.id = FINDING_NCQ_OFF,
		.scope = SCOPE_DISK,
		.applies = may_be_off,
		.requires = FACTS(FACT_QUEUE_DEPTH, FACT_ATA_ID_76),
		.run = check_ncq_off,
		.evidence = FACTS(FACT_QUEUE_DEPTH, FACT_LIBATA_FORCE, FACT_ATA_ID_76,
				  FACT_AHCI_HOST_CAPS, FACT_NR_PMP_LINKS, FACT_MODEL,
				  FACT_LOG_NCQ_DISABLED, FACT_LOG_LINK_LINE,
				  FACT_RIVAL_QUEUE_DEPTH),
		.cost = "for an SSD what IDE mode costs at depth (27.8 instead of 295.3 "
			"MB/s on one); for a hard disk little with mq-deadline",
	},
	{
		.id = FINDING_NCQ_BAD_PAIR,
		.scope = SCOPE_DISK,
		.applies = may_be_bad_pair,
		.requires = FACTS(FACT_MODEL, FACT_PCI_VENDOR),
		.run = check_bad_pair,
		.evidence = FACTS(FACT_MODEL, FACT_PCI_VENDOR, FACT_NCQ_QUIRK,
				  FACT_QUEUE_DEPTH, FACT_LOG_FPDMA_ERRORS,
				  FACT_LOG_FPDMA_LINE),
		.cost = "with NCQ: failed commands and bus resets; without: one command "
			"at a time",
		.remedy = STEPS("echo 1 > /sys/block/{name}/device/queue_depth   # "
				"switches NCQ off for this drive until the next boot",
				"for good: libata.force={ata_port}.00:noncq on the "
				"kernel command line",
				"or attach it to another controller"),
	},
	{
		.id = FINDING_NCQ_QUEUE_FAULT,
		.scope = SCOPE_DISK,
		.applies = is_conventional_libata_disk,
		.requires = FACTS(FACT_KERNEL_LOG, FACT_LOG_FPDMA_TIMEOUTS),
		.run = check_queue_fault,
		.evidence = FACTS(FACT_LOG_FPDMA_TIMEOUTS, FACT_LOG_FPDMA_LINE,
				  FACT_LOG_FPDMA_DISKS, FACT_LOG_UNALIGNED,
				  FACT_LOG_SERROR, FACT_QUEUE_DEPTH),
		.cost = "each one stops the drive for 30 s and more; arrays expel it",
		.remedy =
			STEPS("look at the drive (smartctl -x /dev/{name}), for a newer "
			      "firmware of drive and controller, and at the power "
			      "supply",
			      "echo 1 > /sys/block/{name}/device/queue_depth   # if they "
			      "come back: for this drive alone, and not "
			      "libata.force=noncq for all"),
	},
};

const struct checks ncq_checks = { list, ARRAY_SIZE(list) };
