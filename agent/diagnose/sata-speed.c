/* SPDX-License-Identifier: MIT */
/*
 * Why a SATA link is slower than its drive. The kernel leaves traces when it slows a link
 * down (sata_spd_limit below hw_sata_spd_limit, a line in its log;
 * drivers/ata/libata-eh.c, ata_eh_speed_down(): spdn_cnt counts what came to the transfer
 * mode instead); a port that can no more leaves others (the host's capabilities, its data
 * sheet, or the same limit on all its ports). Where there is neither, both readings stay
 * open, and we say so.
 */
#include "diagnose/sata-speed.h"

#define GENERATION_MBPS 1500U /* of the first; each next one is twice as fast */
#define IDENTIFY_GEN1 0x2U    /* word 76, bits 1 to 3: the generations the drive can */

enum limit {
	LIMIT_NONE,	  /* the drive's own speed */
	LIMIT_FORCED,	  /* libata.force */
	LIMIT_ERRORS,	  /* the kernel slowed it down */
	LIMIT_FIRMWARE,	  /* SControl held it back before the kernel came */
	LIMIT_HOST,	  /* no port of the host is faster */
	LIMIT_MULTIPLIER, /* what stands between may be slower than both */
	LIMIT_UNKNOWN,
};

bool has_sata_link(const struct subject *subject)
{
	enum attachment attachment = subject->class->attachment;

	return is_libata_disk(subject) && !facts_is_set(own(subject), FACT_EMULATED) &&
	       attachment != ATTACHMENT_EMULATED_IDE &&
	       attachment != ATTACHMENT_EMULATED_AHCI;
}

/* The fastest generation in the bits of IDENTIFY word 76; 0 if it names none. */
static uint64_t drive_mbps(uint64_t word)
{
	uint64_t best = 0;

	for (unsigned int i = 0; i < 3; i++) {
		if (word & (IDENTIFY_GEN1 << i))
			best = (uint64_t)GENERATION_MBPS << i;
	}
	return best;
}

/*
 * What the drive itself says of the link, in bits 3:1 of IDENTIFY word 77 (ACS-3; older
 * drives have 0 there), is another speed than the host's.
 */
static bool drive_disagrees(const struct subject *subject)
{
	uint64_t word = number_of(subject, FACT_ATA_ID_77);
	uint64_t generation = word == 0xffff ? 0 : word >> 1 & 0x7;

	return generation >= 1 && generation <= 3 &&
	       (uint64_t)GENERATION_MBPS << (generation - 1) !=
		       number_of(subject, FACT_SATA_SPD);
}

/*
 * What the fastest port of the host can: by the limits of all, by its capabilities (AHCI
 * 1.3.1, bits 23:20, ISS: 1, 2, 3), or by the data sheet. False if none says it.
 */
static bool host_mbps(const struct subject *subject, uint64_t *ret)
{
	uint64_t caps = 0, generation = 0;

	if (facts_number(own(subject), FACT_HOST_SPD_LIMIT, ret))
		return true;
	if (!facts_number(own(subject), FACT_AHCI_HOST_CAPS, &caps))
		return facts_number(own(subject), FACT_HOST_SPEED, ret);
	generation = caps >> 20 & 0xf;
	if (generation < 1 || generation > 3)
		return false;
	*ret = (uint64_t)GENERATION_MBPS << (generation - 1);
	return true;
}

/* At just that speed: a link that is slower was slowed down by something else. */
static bool is_forced(const struct subject *subject)
{
	uint64_t mbps = libata_force_mbps(own(subject));

	return mbps > 0 && number_of(subject, FACT_SATA_SPD) == mbps;
}

/* The kernel's own limit is below what the port had at the start. */
static bool is_slowed_down(const struct subject *subject)
{
	uint64_t limit = 0, hardware = UINT64_MAX;

	if (facts_known(own(subject), FACT_LOG_SPEED_DOWN))
		return true;
	(void)facts_number(own(subject), FACT_HW_SATA_SPD_LIMIT, &hardware);
	return facts_number(own(subject), FACT_SATA_SPD_LIMIT, &limit) &&
	       limit < hardware;
}

static enum limit find_limit(const struct subject *subject)
{
	uint64_t drive = drive_mbps(number_of(subject, FACT_ATA_ID_76));
	uint64_t speed = number_of(subject, FACT_SATA_SPD), limit = 0;

	if (number_of(subject, FACT_ATA_ID_76) == 0xffff || speed >= drive)
		return LIMIT_NONE;
	if (is_forced(subject))
		return LIMIT_FORCED;
	if (is_slowed_down(subject))
		return LIMIT_ERRORS;
	if (host_mbps(subject, &limit) && limit <= speed)
		return LIMIT_HOST;
	if (facts_number(own(subject), FACT_HW_SATA_SPD_LIMIT, &limit) && limit <= speed)
		return LIMIT_FIRMWARE;
	if (number_of(subject, FACT_NR_PMP_LINKS) > 0)
		return LIMIT_MULTIPLIER;
	return LIMIT_UNKNOWN;
}

/* "3.0" of 3000. */
static const char *gbps(uint64_t mbps, char buf[24])
{
	(void)snprintf(buf, 24, "%" PRIu64 ".%" PRIu64, mbps / 1000, mbps / 100 % 10);
	return buf;
}

/*
 * Slowing down has an end: after at most two steps the link is at 1.5 Gbps. Resets that
 * come after the last step mean that it has not helped. One may be anything.
 */
static bool is_still_falling(const struct subject *subject)
{
	return number_of(subject, FACT_LOG_LATER_RESETS) > 1;
}

static const char *describe_course(const struct subject *subject)
{
	if (!facts_known(own(subject), FACT_KERNEL_LOG))
		return "";
	if (is_still_falling(subject))
		return ", and errors went on after that";
	if (facts_is_clear(own(subject), FACT_LOG_LATER_RESETS))
		return "; no reset since is in the log, so it is stable now";
	return "";
}

static void slowed_down(const struct subject *subject, struct finding *finding)
{
	bool rotational = subject->class->medium == MEDIUM_ROTATIONAL;
	enum severity severity = rotational ? SEVERITY_INFO : SEVERITY_WARN;
	char now[24], best[24];

	if (is_still_falling(subject))
		severity = SEVERITY_ERROR;
	if (facts_is_set(own(subject), FACT_GUEST))
		severity = SEVERITY_INFO;
	found(finding, severity,
	      drive_disagrees(subject) ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH,
	      "the kernel slowed the link of this drive down after errors: %s Gbps, "
	      "where "
	      "the drive has %s%s",
	      gbps(number_of(subject, FACT_SATA_SPD), now),
	      gbps(drive_mbps(number_of(subject, FACT_ATA_ID_76)), best),
	      describe_course(subject));
}

static const char *const forced_remedy[] = {
	"if it was done against errors of the link, leave it until cable and port are "
	"repaired",
	"then take the speed out of libata.force and boot again",
	NULL,
};

static const char *const unclear_remedy[] = {
	"find out what the port can do: the board's manual, or the first \"SATA link "
	"up\" "
	"in the kernel log after power-on",
	"if other ports are faster, move the drive there; if the port should be faster, "
	"change the cable",
	NULL,
};

void check_link_slow(const struct subject *subject, struct finding *finding)
{
	enum limit limit = find_limit(subject);
	char now[24], best[24];

	(void)gbps(number_of(subject, FACT_SATA_SPD), now);
	(void)gbps(drive_mbps(number_of(subject, FACT_ATA_ID_76)), best);
	if (limit == LIMIT_ERRORS) {
		slowed_down(subject, finding);
	} else if (limit == LIMIT_FORCED) {
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "libata.force on the kernel command line holds the link at %s "
		      "Gbps, "
		      "where the drive has %s",
		      now, best);
		finding->remedy = forced_remedy;
		add_evidence(finding, own(subject), FACT_LIBATA_FORCE);
	} else if (limit == LIMIT_UNKNOWN && !lacks(subject, FACT_KERNEL_LOG, finding)) {
		found(finding, SEVERITY_INFO,
		      drive_disagrees(subject) ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM,
		      "the link runs at %s Gbps, where the drive has %s: either the port "
		      "can no more, and all is well, or a bad cable or port kept the two "
		      "from agreeing on more; no trace tells which",
		      now, best);
		finding->remedy = unclear_remedy;
	}
}

void check_port_limit(const struct subject *subject, struct finding *finding)
{
	enum limit limit = find_limit(subject);
	const char *who = NULL;
	char now[24], best[24];

	if (limit == LIMIT_HOST)
		who = "the controller is not faster";
	else if (limit == LIMIT_FIRMWARE)
		who = "the port was held at that before the kernel came (SControl): by "
		      "the firmware, or it can no more";
	else if (limit == LIMIT_MULTIPLIER)
		who = "behind a port multiplier, which may be the slowest of the three";
	if (!who)
		return;
	found(finding, SEVERITY_INFO,
	      limit == LIMIT_HOST ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "the link runs at %s Gbps, where the drive has %s: %s. No fault, but a "
	      "ceiling of about %" PRIu64 " MB/s",
	      gbps(number_of(subject, FACT_SATA_SPD), now),
	      gbps(drive_mbps(number_of(subject, FACT_ATA_ID_76)), best), who,
	      number_of(subject, FACT_SATA_SPD) / 10); /* 8b/10b: ten bits a byte */
}
