/* SPDX-License-Identifier: MIT */
/*
 * Schedulers that do not suit the disk, that zoned disks cannot do without, or that the
 * command line asks for in vain. What the policy wishes is never a finding. What the
 * kernel chooses by itself (block/elevator.c, elevator_get_default()) is one in one case:
 * for a queue with several hardware queues it takes none, and a rotating drive behind
 * such a host has nobody who sorts its requests.
 */
#include "diagnose/internal.h"

/* dm, md and multipath heads have no queue to be scheduled (bio-based devices). */
static bool has_scheduler(const struct subject *subject)
{
	return is_single_disk(subject) &&
	       !facts_is_set(own(subject), FACT_SCHEDULER_FIXED) &&
	       !facts_is_set(own(subject), FACT_NVME_HEAD);
}

static bool is_zoned(const struct subject *subject)
{
	return facts_is_text(own(subject), FACT_ZONED, "host-managed") ||
	       facts_is_text(own(subject), FACT_ZONED, "host-aware");
}

static bool is_unzoned(const struct subject *subject)
{
	return has_scheduler(subject) && !is_zoned(subject);
}

/* Of one spindle: a controller's volume and a LUN have somebody else to sort for them. */
static bool is_rotating_drive(const struct subject *subject)
{
	enum class class = subject->class->class;

	return subject->class->medium == MEDIUM_ROTATIONAL &&
	       (class == CLASS_SATA_HDD || class == CLASS_SATA_HDD_IDE ||
		class == CLASS_SAS_HDD || class == CLASS_USB_HDD ||
		class == CLASS_PATA_DISK);
}

static bool is_usb_ssd(const struct subject *subject)
{
	return subject->class->class == CLASS_USB_SSD;
}

/* The flag is 1 by default behind a bridge: a 0 was told, or is somebody's claim. */
static bool is_usb_disk_said_flash(const struct subject *subject)
{
	return subject->class->class == CLASS_USB_DISK &&
	       facts_is_clear(own(subject), FACT_ROTATIONAL);
}

static bool is_flash(const struct subject *subject)
{
	enum class class = subject->class->class;

	return class == CLASS_SATA_SSD || class == CLASS_SATA_SSD_IDE ||
	       class == CLASS_SAS_SSD || class == CLASS_USB_FLASH ||
	       class == CLASS_EMMC || class == CLASS_SD_CARD;
}

static bool is_guests(const struct subject *subject)
{
	return subject->class->class == CLASS_VIRTUAL_DISK ||
	       subject->class->class == CLASS_CLOUD_VOLUME;
}

static bool is_guests_flagged_rotational(const struct subject *subject)
{
	return is_guests(subject) && facts_is_set(own(subject), FACT_ROTATIONAL);
}

/* Nobody set it; as far as the facts tell. */
static bool is_kernels_choice(const struct subject *subject)
{
	const char *value = text_of(subject, FACT_SCHEDULER);
	char explanation[160];

	return kernel_explains(own(subject), subject->class, TUNABLE_SCHEDULER, value,
			       explanation, sizeof(explanation));
}

/* With one hardware queue, or zones, mq-deadline is the kernel's own choice. */
static bool is_nvme_by_choice(const struct subject *subject)
{
	return subject->class->class == CLASS_NVME_SSD && !is_kernels_choice(subject);
}

static bool is_rotating_by_default(const struct subject *subject)
{
	return is_rotating_drive(subject) && number_of(subject, FACT_HW_QUEUES) > 1 &&
	       is_kernels_choice(subject);
}

#define WHO_SETS_IT \
	"grep -rs scheduler /etc/udev/rules.d /run/udev/rules.d /usr/lib/udev/rules.d " \
	"/etc/tuned /etc/tlp.conf /etc/tlp.d   # finds what sets it"
#define LEAVE_BFQ \
	"leave bfq where cgroups have io weights (io.bfq.weight) or ionice levels are " \
	"used: only bfq honours them"

static const char *const deadline[] = {
	"echo mq-deadline > /sys/block/{name}/queue/scheduler   # deadline on kernels "
	"before 5.0; bfq is as good a choice",
	WHO_SETS_IT,
	NULL,
};

static const char *const deadline_for_many_queues[] = {
	"echo mq-deadline > /sys/block/{name}/queue/scheduler   # until the next boot",
	"nobody set it: the kernel, since its host has several queues ({hw_queues}); to "
	"keep another, set scheduler=mq-deadline for this disk in a file of "
	"/etc/blkadvise/policy.d, or write a udev rule",
	NULL,
};

static const char *const not_bfq[] = {
	"echo mq-deadline > /sys/block/{name}/queue/scheduler",
	WHO_SETS_IT,
	LEAVE_BFQ,
	NULL,
};

static const char *const none_or_leave[] = {
	"leave it if it was chosen for latency under mixed load, and measured",
	"echo none > /sys/block/{name}/queue/scheduler   # else",
	LEAVE_BFQ,
	NULL,
};

/* The first row that is true of the disk and lists its scheduler is the finding. */
static const struct judgement {
	bool (*is)(const struct subject *subject);
	const char *schedulers;
	enum severity severity;
	enum confidence confidence;
	const char *text; /* after "scheduler X" */
	const char *cost;
	const char *const *remedy;
} judgements[] = {
	{ is_rotating_by_default, "none", SEVERITY_WARN, CONFIDENCE_HIGH,
	  "on a rotating drive, by the kernel's choice for a host of several queues: "
	  "nothing sorts its requests, and reads wait behind every large write",
	  "reported: a flood of writes starved all reads on rotating disks, none on SSDs",
	  deadline_for_many_queues },
	{ is_rotating_drive, "none noop", SEVERITY_WARN, CONFIDENCE_HIGH,
	  "on a rotating drive: nothing sorts its requests, and reads wait behind every "
	  "large write",
	  "reported: a flood of writes starved all reads on rotating disks, none on SSDs",
	  deadline },
	{ is_rotating_drive, "kyber", SEVERITY_INFO, CONFIDENCE_HIGH,
	  "on a rotating drive: it is made for fast devices and does not sort by "
	  "position",
	  NULL, deadline },
	{ is_usb_ssd, "bfq", SEVERITY_WARN, CONFIDENCE_HIGH,
	  "on an SSD behind a USB bridge: it idles between requests that the SSD would "
	  "answer at once",
	  "reported: 246 random reads a second, of 1.9 s each", not_bfq },
	{ is_usb_disk_said_flash, "bfq", SEVERITY_WARN, CONFIDENCE_MEDIUM,
	  "on a USB disk that is said not to rotate: it idles between requests that an "
	  "SSD would answer at once",
	  "reported: 246 random reads a second, of 1.9 s each", not_bfq },
	{ is_flash, "bfq", SEVERITY_INFO, CONFIDENCE_MEDIUM,
	  "on flash: fair between programs, at the price of throughput under load; the "
	  "kernel's own choice is mq-deadline",
	  NULL, not_bfq },
	{ is_guests, "bfq", SEVERITY_INFO, CONFIDENCE_LOW,
	  "in a guest: the host sorts the requests once more; little is won or lost",
	  NULL, none_or_leave },
	{ is_guests_flagged_rotational, "noop", SEVERITY_INFO, CONFIDENCE_LOW,
	  "on a virtual disk flagged rotational: if it does stand on rotating disks, "
	  "reads wait behind every large write",
	  "reported: a flood of writes starved all reads on a cloud's rotating disks",
	  deadline },
	{ is_nvme_by_choice, "bfq kyber mq-deadline", SEVERITY_INFO, CONFIDENCE_MEDIUM,
	  "on NVMe: not the kernel's choice, which is none, but somebody's; it costs CPU "
	  "and a lock for each request",
	  NULL, none_or_leave },
};

static void check_unfit(const struct subject *subject, struct finding *finding)
{
	const char *scheduler = text_of(subject, FACT_SCHEDULER);

	if (is_wished(subject, TUNABLE_SCHEDULER))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(judgements); i++) {
		const struct judgement *row = &judgements[i];

		if (!word_in_list(scheduler, row->schedulers) || !row->is(subject))
			continue;
		found(finding, row->severity, row->confidence, "scheduler %s %s",
		      scheduler, row->text);
		finding->cost = row->cost;
		finding->remedy = row->remedy;
		return;
	}
}

/* False, and "could not check", if the release is no version. */
static bool read_release(const struct subject *subject, struct finding *finding,
			 unsigned int *ret_version, unsigned int *ret_patch)
{
	const char *release = text_of(subject, FACT_OSRELEASE);

	if (sscanf(release, "%u.%u", ret_version, ret_patch) == 2)
		return true;
	could_not_check(finding, "osrelease \"%.60s\" is no version", release);
	return false;
}

/*
 * Up to 6.9 only mq-deadline kept the order of writes within a zone (block/mq-deadline.c,
 * ELEVATOR_F_ZBD_SEQ_WRITE); from 6.10 on the block layer does (block/blk-zoned.c, zone
 * write plugging). Distributions may have that in older kernels.
 */
static void check_zoned(const struct subject *subject, struct finding *finding)
{
	const char *scheduler = text_of(subject, FACT_SCHEDULER);
	bool managed = facts_is_text(own(subject), FACT_ZONED, "host-managed");
	bool known = word_in_list(scheduler, "none noop kyber bfq cfq");
	unsigned int version = 0, patch = 0;

	if (!is_zoned(subject) || strcmp(scheduler, "mq-deadline") == 0 ||
	    strcmp(scheduler, "deadline") == 0 ||
	    !read_release(subject, finding, &version, &patch))
		return;
	if (version > 6 || (version == 6 && patch >= 10))
		return;
	if (managed)
		found(finding, known ? SEVERITY_ERROR : SEVERITY_WARN,
		      known && !strstr(text_of(subject, FACT_OSRELEASE), ".el") ?
			      CONFIDENCE_HIGH :
			      CONFIDENCE_MEDIUM,
		      "a host-managed zoned disk with scheduler %s: before Linux 6.10 "
		      "only mq-deadline keeps writes to a zone in order",
		      scheduler);
	else
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "a host-aware zoned disk with scheduler %s: writes out of order "
		      "are taken, but slow",
		      scheduler);
}

static bool may_be_zoned(const struct subject *subject)
{
	return has_scheduler(subject) &&
	       (is_zoned(subject) || !facts_known(own(subject), FACT_ZONED));
}

/* Kernels before 5.0 had it choose for queues that were not blk-mq yet. */
static void check_elevator(const struct subject *subject, struct finding *finding)
{
	unsigned int version = 0, patch = 0;

	if (!read_release(subject, finding, &version, &patch) || version < 5)
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "elevator=%.32s on the kernel command line has had no effect since Linux "
	      "5.0",
	      text_of(subject, FACT_ELEVATOR));
}

static bool has_elevator(const struct subject *subject)
{
	return facts_known(own(subject), FACT_ELEVATOR);
}

static const struct check list[] = {
	{
		.id = FINDING_SCHEDULER_UNFIT,
		.scope = SCOPE_DISK,
		.applies = is_unzoned,
		.requires = FACTS(FACT_SCHEDULER),
		.run = check_unfit,
		.evidence = FACTS(FACT_SCHEDULER, FACT_SCHEDULER_LIST, FACT_ROTATIONAL,
				  FACT_HW_QUEUES, FACT_MODEL),
	},
	{
		.id = FINDING_ZONED_SCHEDULER,
		.scope = SCOPE_DISK,
		.applies = may_be_zoned,
		.requires = FACTS(FACT_ZONED, FACT_SCHEDULER, FACT_OSRELEASE),
		.run = check_zoned,
		.evidence = FACTS(FACT_ZONED, FACT_SCHEDULER, FACT_SCHEDULER_LIST,
				  FACT_OSRELEASE),
		.cost = "writes that reach a zone out of order fail",
		.remedy = STEPS(
			"echo mq-deadline > /sys/block/{name}/queue/scheduler   # before "
			"anything is written",
			"at every boot by a udev rule that matches the attribute and no "
			"names (sd[a-z] misses sdaa): ACTION==\"add|change\", "
			"SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", "
			"ATTR{queue/zoned}==\"host-managed\", "
			"ATTR{queue/scheduler}=\"mq-deadline\""),
	},
	{
		.id = FINDING_ELEVATOR_IGNORED,
		.scope = SCOPE_MACHINE,
		.applies = has_elevator,
		.requires = FACTS(FACT_OSRELEASE),
		.run = check_elevator,
		.evidence = FACTS(FACT_ELEVATOR, FACT_OSRELEASE),
		.remedy =
			STEPS("remove it from the boot loader's configuration",
			      "if a scheduler other than the kernel's is wanted, set "
			      "scheduler= in a file of /etc/blkadvise/policy.d, or write "
			      "a udev rule"),
	},
};

const struct checks scheduler_checks = { list, ARRAY_SIZE(list) };
