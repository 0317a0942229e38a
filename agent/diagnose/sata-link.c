/* SPDX-License-Identifier: MIT */
/*
 * The SATA link between drive and controller: faults, what they lead to, and what stands
 * in it. A fault shows in the kernel log by its SError bits (Serial ATA specification,
 * SError register; named as in drivers/ata/libata-eh.c). Some of those bits come with
 * every plugging in and every resume, so that alone they are no fault.
 */
#include "diagnose/sata-speed.h"

#define RESETS_MANY 3U
#define FAULTS_MANY 2U /* of bits that no plugging in explains */

#define REMEDY_LINK                                                                     \
	"reseat, then replace the cable; try another port, another slot of the "        \
	"backplane, another plug of the power supply",                                  \
		"smartctl -A /dev/{name}   # if attribute 199 (CRC errors) goes on "    \
		"rising, it is still the link",                                         \
		"then boot again: a link that the kernel slowed down stays slow until " \
		"then"

#define FOR_NOW "echo max_performance > {path:link_power_management_policy}   # for now"

static bool has_any(const struct subject *subject, const char *const *bits)
{
	for (; *bits; bits++) {
		if (strstr(text_of(subject, FACT_LOG_SERROR), *bits))
			return true;
	}
	return false;
}

/* A transfer came out garbled; ICRC is the drive's own word for it. */
static bool has_data_bits(const struct subject *subject)
{
	static const char *const bits[] = { "BadCRC",	   "10B8B",   "Dispar", "ICRC",
					    "UnrecovData", "Handshk", NULL };

	return has_any(subject, bits);
}

/* The link came up or went: also after plugging in, and on resume. */
static bool has_hotplug_bits(const struct subject *subject)
{
	static const char *const bits[] = { "DevExch", "PHYRdyChg", "CommWake", NULL };

	return has_any(subject, bits);
}

/* Nothing but the link's loss and its waking: power saving does both. */
static bool has_only_power_bits(const struct subject *subject)
{
	const char *text = text_of(subject, FACT_LOG_SERROR);

	if (!*text)
		return false;
	while (*text) {
		size_t len = strcspn(text, " ");

		if (len > 0 && !(len == 9 && strncmp(text, "PHYRdyChg", len) == 0) &&
		    !(len == 8 && strncmp(text, "CommWake", len) == 0))
			return false;
		text += len;
		text += strspn(text, " ");
	}
	return true;
}

static bool saves_power(const struct subject *subject)
{
	return facts_known(own(subject), FACT_LINK_POWER) &&
	       !facts_is_text(own(subject), FACT_LINK_POWER, "max_performance");
}

/* Errors were so many that the kernel slowed down the link, or the transfers on it. */
static bool is_given_up(const struct subject *subject)
{
	uint64_t limit = 0, hardware = UINT64_MAX;

	(void)facts_number(own(subject), FACT_HW_SATA_SPD_LIMIT, &hardware);
	return facts_known(own(subject), FACT_LOG_SPEED_DOWN) ||
	       facts_known(own(subject), FACT_LOG_MODE_DOWN) ||
	       number_of(subject, FACT_SPDN_CNT) > 0 ||
	       (facts_number(own(subject), FACT_SATA_SPD_LIMIT, &limit) &&
		limit < hardware);
}

/*
 * A command that failed at the same moment is proof; one that failed at another time may
 * have failed for any reason. Bits that power saving brings, too, must have come with
 * two. Without a failed command: several reports of garbled data that no plugging in
 * explains, or a link that the kernel itself gave up on.
 */
static bool is_link_fault(const struct subject *subject, uint64_t faults)
{
	if (faults == 0)
		return false;
	if (number_of(subject, FACT_LOG_LINK_FAILED) >=
	    (has_only_power_bits(subject) ? FAULTS_MANY : 1U))
		return true;
	if (has_data_bits(subject) && !has_hotplug_bits(subject))
		return faults >= FAULTS_MANY;
	return faults >= RESETS_MANY && is_given_up(subject);
}

static const char *const noncq_remedy[] = {
	REMEDY_LINK,
	"take noncq out of libata.force: it does not help against errors of the link, "
	"and "
	"costs the queue",
	NULL,
};

static const char *const awake_remedy[] = {
	FOR_NOW "; if the faults end, it was power saving",
	REMEDY_LINK,
	NULL,
};

static void check_link_fault(const struct subject *subject, struct finding *finding)
{
	uint64_t faults = number_of(subject, FACT_LOG_LINK_FAULTS);
	uint64_t failed = number_of(subject, FACT_LOG_LINK_FAILED);
	bool unqueued = number_of(subject, FACT_LOG_OTHER_ERRORS) > 0;
	bool forced = subject->class->ncq_reason == NCQ_REASON_LIBATA_FORCE;
	bool without_ncq = subject->class->ncq == NCQ_OFF && (forced || unqueued);
	bool sure = failed > 0 && has_data_bits(subject);
	bool asleep = has_only_power_bits(subject) && saves_power(subject);
	char cause[96] = "that is";

	if (!is_link_fault(subject, faults))
		return;
	if (asleep)
		(void)snprintf(cause, sizeof(cause),
			       "link power saving (%.30s) may be the reason, else it is",
			       text_of(subject, FACT_LINK_POWER));
	found(finding, asleep ? SEVERITY_WARN : SEVERITY_ERROR,
	      sure ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "the link to this drive fails: %" PRIu64
	      " report%s in the kernel log (SError %.80s), %" PRIu64
	      " with failed commands%s; %s cable, connector, backplane or power, and not "
	      "NCQ",
	      faults, faults == 1 ? "" : "s", text_of(subject, FACT_LOG_SERROR), failed,
	      without_ncq ? ", also without NCQ" : "", cause);
	if (without_ncq && forced)
		finding->remedy = noncq_remedy;
	else if (asleep)
		finding->remedy = awake_remedy;
}

/* ATA transfer modes at or below UDMA/33, as drivers/ata/libata-transport.c names them.
 */
static bool is_slow_mode(const char *mode)
{
	return strcmp(mode, "XFER_UDMA_2") == 0 || strcmp(mode, "XFER_UDMA_1") == 0 ||
	       strcmp(mode, "XFER_UDMA_0") == 0 ||
	       strncmp(mode, "XFER_MW_DMA", 11) == 0 ||
	       strncmp(mode, "XFER_SW_DMA", 11) == 0 || strncmp(mode, "XFER_PIO", 8) == 0;
}

static void check_udma(const struct subject *subject, struct finding *finding)
{
	const char *mode = text_of(subject, FACT_XFER_MODE);
	bool errors = number_of(subject, FACT_SPDN_CNT) > 0 ||
		      facts_known(own(subject), FACT_LOG_MODE_DOWN) ||
		      number_of(subject, FACT_ERING_ERRORS) > 0 ||
		      number_of(subject, FACT_LOG_LINK_RESETS) > 0;
	bool guest = facts_is_set(own(subject), FACT_GUEST);

	if (!is_sata_drive(own(subject)) || !is_slow_mode(mode))
		return;
	if (errors) {
		found(finding, guest ? SEVERITY_INFO : SEVERITY_WARN, CONFIDENCE_HIGH,
		      "the kernel lowered the transfer mode of this SATA drive to %.20s "
		      "after errors of its link",
		      mode);
		return;
	}
	if (lacks(subject, FACT_KERNEL_LOG, finding))
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_LOW,
	      "this SATA drive runs in transfer mode %.20s, and no error explains it: "
	      "the "
	      "drive, the firmware setup or libata.force may ask for it",
	      mode);
}

/*
 * Both allow DevSleep and let host and drive put the link to sleep
 * (drivers/ata/libahci.c, ahci_set_lpm()). The kernel's own default for laptops,
 * med_power_with_dipm, does not.
 */
static bool is_aggressive(const char *policy)
{
	return strcmp(policy, "min_power") == 0 ||
	       strcmp(policy, "min_power_with_partial") == 0;
}

/* A program that has one value for mains and another for battery: "X on mains, Y ...". */
static bool varies_with_power(const struct subject *subject)
{
	return strstr(text_of(subject, FACT_RIVAL_LINK_POWER), " on battery") != NULL;
}

static bool is_power_saving(const struct subject *subject)
{
	return strcmp(text_of(subject, FACT_LINK_POWER), "max_performance") != 0;
}

/*
 * A link that comes and goes without a failed command was plugged, as a rule; but if the
 * policy changes with the power source that may have done it.
 */
static bool has_resets(const struct subject *subject)
{
	uint64_t resets = number_of(subject, FACT_LOG_LINK_RESETS);

	if (varies_with_power(subject))
		resets += number_of(subject, FACT_LOG_PLUG_RESETS);
	return resets >= RESETS_MANY;
}

static const char *power_risk(const struct subject *subject, bool aggressive)
{
	bool quirk = facts_is_set(own(subject), FACT_LPM_QUIRK);
	bool rival = facts_known(own(subject), FACT_RIVAL_LINK_POWER);

	if (quirk && aggressive)
		return "and drives of this model are known to fail in that";
	if (!has_resets(subject))
		return NULL;
	if (aggressive)
		return "and the kernel log has resets of this link";
	if (quirk && is_power_saving(subject))
		return "drives of this model are known to fail in link power saving, and "
		       "the kernel log has resets of this link";
	if (varies_with_power(subject))
		return "another program changes it with the power source, and the kernel "
		       "log has resets of this link";
	if (rival && is_power_saving(subject))
		return "another program sets it, and the kernel log has resets of this "
		       "link";
	return NULL;
}

#define BY_TUNED                                                                   \
	"for good: a tuned profile of your own with include= of the present one, " \
	"and in its [scsi_host] section alpm=max_performance"
#define BY_TLP                                                                   \
	"for good: in /etc/tlp.conf or a file of /etc/tlp.d the same value for " \
	"SATA_LINKPWR_ON_AC and SATA_LINKPWR_ON_BAT, med_power_with_dipm or "    \
	"max_performance; then run: tlp start"
#define BY_HAND                                                                     \
	"for good: a udev rule ACTION==\"add\", SUBSYSTEM==\"scsi_host\", "         \
	"KERNEL==\"host*\", ATTR{link_power_management_policy}=\"max_performance\"" \
	"; and look for a program that sets it"

static const struct {
	const char *const *saving, *const *off; /* with the policy in force */
} power_remedies[_TOOL_MAX] = {
	[TOOL_UNKNOWN] = { STEPS(BY_HAND, FOR_NOW), STEPS(BY_HAND) },
	[TOOL_TUNED] = { STEPS(BY_TUNED, FOR_NOW), STEPS(BY_TUNED) },
	[TOOL_TLP] = { STEPS(BY_TLP, FOR_NOW), STEPS(BY_TLP) },
	[TOOL_SAPTUNE] = { STEPS(BY_HAND, FOR_NOW), STEPS(BY_HAND) },
};

static void check_link_power(const struct subject *subject, struct finding *finding)
{
	const char *policy = text_of(subject, FACT_LINK_POWER);
	bool aggressive = is_aggressive(policy);
	bool rival = facts_known(own(subject), FACT_RIVAL_LINK_POWER);
	const char *risk = power_risk(subject, aggressive);
	enum tool tool =
		rival ? tool_of(own(subject), FACT_RIVAL_LINK_POWER) : TOOL_UNKNOWN;

	if (!risk) {
		if (aggressive || varies_with_power(subject))
			(void)lacks(subject, FACT_KERNEL_LOG, finding);
		return;
	}
	found(finding, SEVERITY_WARN,
	      facts_is_set(own(subject), FACT_LPM_QUIRK) ? CONFIDENCE_HIGH
							 : CONFIDENCE_MEDIUM,
	      "the power saving policy of this link is %.40s, %s", policy, risk);
	finding->remedy = is_power_saving(subject) ? power_remedies[tool].saving
						   : power_remedies[tool].off;
}

static void check_multiplier(const struct subject *subject, struct finding *finding)
{
	uint64_t links = number_of(subject, FACT_NR_PMP_LINKS);
	uint64_t speed = 0;
	char ceiling[64] = "";

	if (links == 0)
		return;
	if (facts_number(own(subject), FACT_SATA_SPD, &speed))
		(void)snprintf(ceiling, sizeof(ceiling),
			       " (this drive's own runs at %" PRIu64 " Mbit/s)", speed);
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "a port multiplier with %" PRIu64 " link%s stands between controller and "
	      "drive: its drives share one link%s, and it can no more than the least of "
	      "controller, multiplier and drive",
	      links, links == 1 ? "" : "s", ceiling);
}

static const struct check list[] = {
	{
		.id = FINDING_SATA_LINK_FAULT,
		.scope = SCOPE_DISK,
		.applies = is_libata_disk,
		.requires = FACTS(FACT_KERNEL_LOG, FACT_LOG_LINK_FAULTS,
				  FACT_LOG_LINK_FAILED),
		.run = check_link_fault,
		.evidence = FACTS(
			FACT_LOG_LINK_FAULTS, FACT_LOG_LINK_FAILED, FACT_LOG_SERROR,
			FACT_LOG_LINK_LINE, FACT_LOG_OTHER_ERRORS, FACT_LOG_LINK_RESETS,
			FACT_LOG_SPEED_DOWN, FACT_LOG_MODE_DOWN, FACT_LIBATA_FORCE,
			FACT_LINK_POWER),
		.cost = "each failed command stops the drive for seconds; arrays expel "
			"it, file systems turn read-only",
		.remedy = STEPS(REMEDY_LINK),
	},
	{
		.id = FINDING_SATA_LINK_SLOW,
		.scope = SCOPE_DISK,
		.applies = has_sata_link,
		.requires = FACTS(FACT_SATA_SPD, FACT_ATA_ID_76),
		.run = check_link_slow,
		.evidence = FACTS(FACT_SATA_SPD, FACT_ATA_ID_76, FACT_ATA_ID_77,
				  FACT_SATA_SPD_LIMIT, FACT_HW_SATA_SPD_LIMIT,
				  FACT_LOG_SPEED_DOWN, FACT_LOG_LATER_RESETS,
				  FACT_LOG_LINK_UP, FACT_AHCI_HOST_CAPS),
		.cost = "ceilings: 6.0 Gbps about 600 MB/s, 3.0 about 300, 1.5 about "
			"150; "
			"hard disks hardly notice",
		.remedy = STEPS(REMEDY_LINK),
	},
	{
		.id = FINDING_SATA_PORT_LIMIT,
		.scope = SCOPE_DISK,
		.applies = has_sata_link,
		.requires = FACTS(FACT_SATA_SPD, FACT_ATA_ID_76),
		.run = check_port_limit,
		.evidence = FACTS(FACT_SATA_SPD, FACT_ATA_ID_76, FACT_HOST_SPD_LIMIT,
				  FACT_AHCI_HOST_CAPS, FACT_HOST_SPEED,
				  FACT_HW_SATA_SPD_LIMIT, FACT_SATA_SPD_LIMIT,
				  FACT_NR_PMP_LINKS, FACT_HOST_DRIVER),
		.cost = "for an SSD up to half or three quarters of its sequential rate; "
			"small reads lose little",
		.remedy =
			STEPS("leave it, or move the drive to a port of 6.0 Gbps if the "
			      "machine has one"),
	},
	{
		.id = FINDING_UDMA_SLOW,
		.scope = SCOPE_DISK,
		.applies = has_sata_link,
		.requires = FACTS(FACT_XFER_MODE, FACT_ATA_ID_76),
		.run = check_udma,
		.evidence = FACTS(FACT_XFER_MODE, FACT_SPDN_CNT, FACT_ERING_ERRORS,
				  FACT_LOG_MODE_DOWN, FACT_LOG_LINK_RESETS,
				  FACT_LIBATA_FORCE),
		.cost = "UDMA/33 means 33 MB/s where a bridge to parallel ATA obeys it; "
			"on "
			"a native link the mode is first of all a trace of errors",
		.remedy = STEPS("repair the link first: see sata-link-fault",
				"then boot again: the mode stays low until then"),
	},
	{
		.id = FINDING_LINK_POWER_RISK,
		.scope = SCOPE_DISK,
		.applies = has_sata_link,
		.requires = FACTS(FACT_LINK_POWER),
		.run = check_link_power,
		.evidence =
			FACTS(FACT_LINK_POWER, FACT_MODEL, FACT_LPM_QUIRK, FACT_RIVALS,
			      FACT_RIVAL_LINK_POWER, FACT_LOG_LINK_RESETS,
			      FACT_LOG_PLUG_RESETS, FACT_LOG_SERROR),
		.cost = "the drive may vanish while it is used; file systems turn "
			"read-only",
	},
	{
		.id = FINDING_PORT_MULTIPLIER,
		.scope = SCOPE_DISK,
		.applies = is_libata_disk,
		.requires = FACTS(FACT_NR_PMP_LINKS),
		.run = check_multiplier,
		.evidence = FACTS(FACT_NR_PMP_LINKS, FACT_SATA_SPD, FACT_QUEUE_DEPTH,
				  FACT_HOST_DRIVER),
		.cost = "the drives share one link's rate; a controller without "
			"FIS-based "
			"switching talks to one of them at a time",
		.remedy = STEPS("leave it for backups and media; for speed attach drives "
				"to ports of their own",
				"echo 1 > /sys/block/{name}/device/queue_depth   # if "
				"queued commands fail: some multipliers have no NCQ "
				"(SiI3826)"),
	},
};

const struct checks sata_link_checks = { list, ARRAY_SIZE(list) };
