/* SPDX-License-Identifier: MIT */
/*
 * Disks across a network, where the limits are somebody else's: a session's depth, an
 * array's, a provider's.
 */
#include "diagnose/internal.h"

/* Drivers of Fibre Channel start with 30 and more (lpfc 30, qla2xxx 64). */
#define SAN_DEPTH_LOW 16U

static bool is_iscsi(const struct subject *subject)
{
	return subject->class->transport == TRANSPORT_ISCSI && !is_no_real_disk(subject);
}

static void check_iscsi(const struct subject *subject, struct finding *finding)
{
	if (number_of(subject, FACT_QUEUE_DEPTH) == 1)
		found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
		      "queue_depth 1 on an iSCSI LUN: each request waits for the round "
		      "trip of the one before");
}

static bool is_fc(const struct subject *subject)
{
	return subject->class->transport == TRANSPORT_FC && !is_no_real_disk(subject);
}

static void check_san(const struct subject *subject, struct finding *finding)
{
	uint64_t depth = number_of(subject, FACT_QUEUE_DEPTH);

	if (depth > 0 && depth <= SAN_DEPTH_LOW)
		found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
		      "queue_depth %" PRIu64
		      " on a Fibre Channel LUN: low on purpose where many hosts share "
		      "the ports of an array, or lowered by the kernel after the array "
		      "was full",
		      depth);
}

static bool may_be_cloud(const struct subject *subject)
{
	return !is_no_real_disk(subject) &&
	       (subject->class->class == CLASS_CLOUD_VOLUME ||
		(facts_is_set(own(subject), FACT_GUEST) &&
		 facts_known(own(subject), FACT_MODEL)));
}

static void check_cloud(const struct subject *subject, struct finding *finding)
{
	const char *model = facts_text(own(subject), FACT_MODEL);

	if (subject->class->class == CLASS_CLOUD_VOLUME)
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "a provider's volume (%.60s): its limits are bought, not found "
		      "out; a short measurement sees the burst that runs out",
		      model ? model : "by a quirk");
}

static const struct check list[] = {
	{
		.id = FINDING_ISCSI_DEPTH_ONE,
		.scope = SCOPE_DISK,
		.applies = is_iscsi,
		.requires = FACTS(FACT_QUEUE_DEPTH),
		.run = check_iscsi,
		.evidence = FACTS(FACT_QUEUE_DEPTH, FACT_CAN_QUEUE, FACT_SCSI_TRANSPORT,
				  FACT_MODEL),
		.cost = "with a round trip of 0.5 ms at most 2000 requests a second",
		.remedy =
			STEPS("echo 32 > /sys/block/{name}/device/queue_depth   # at "
			      "once, until the next login",
			      "iscsiadm -m node -T TARGET -o update -n "
			      "node.session.queue_depth -v 32",
			      "iscsiadm -m node -T TARGET -o update -n "
			      "node.session.cmds_max -v 128",
			      "log out of the session and in again, with nothing mounted",
			      "new sessions take both from /etc/iscsi/iscsid.conf: look "
			      "there for the 1"),
	},
	{
		.id = FINDING_SAN_DEPTH,
		.scope = SCOPE_DISK,
		.applies = is_fc,
		.requires = FACTS(FACT_QUEUE_DEPTH),
		.run = check_san,
		.evidence = FACTS(FACT_QUEUE_DEPTH, FACT_CAN_QUEUE, FACT_SCSI_TRANSPORT,
				  FACT_HOST_DRIVER, FACT_MODEL),
		.remedy =
			STEPS("leave it: the depth is the storage vendor's figure, which "
			      "follows from the number of volumes, paths and hosts",
			      "if reads are slow, ask whoever runs the array"),
	},
	{
		.id = FINDING_CLOUD_LIMITS,
		.scope = SCOPE_DISK,
		.applies = may_be_cloud,
		.requires = FACTS(FACT_NAME), /* what it is, quirks have told */
		.run = check_cloud,
		.evidence = FACTS(FACT_MODEL, FACT_SCSI_VENDOR, FACT_CLOUD_VOLUME),
		.cost = "reported: a short probe published 262 MB/s for a volume that "
			"was provisioned for 128 MB/s",
		.remedy = STEPS("leave it; give engines the limits that the provider "
				"declares for the volume and the machine type",
				"measure longer than any burst lasts, if at all"),
	},
};

const struct checks remote_checks = { list, ARRAY_SIZE(list) };
