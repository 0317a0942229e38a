/* SPDX-License-Identifier: MIT */
/*
 * Checks of SATA links.
 */
#include <string.h>

#include "check-rows.h"

#define LOG { FACT_KERNEL_LOG, "/dev/kmsg" }
#define ROTATING { FACT_ATA_ID_217, "7200" }
#define SPEED(now) { FACT_SATA_SPD, now }
#define LIMIT(now) { FACT_SATA_SPD_LIMIT, now }
#define HOST_GEN2 { FACT_AHCI_HOST_CAPS, "0xe722ff05" }
#define HOST_GEN3 { FACT_AHCI_HOST_CAPS, "0xe732ff05" }
#define RESETS(n) { FACT_LOG_LINK_RESETS, n }
#define LATER(n) { FACT_LOG_LATER_RESETS, n }
#define FAILED(n) { FACT_LOG_LINK_FAILED, n }
#define FAULTS(n, bits) { FACT_LOG_LINK_FAULTS, n }, { FACT_LOG_SERROR, bits }

static const struct row fault_rows[] = {
	{ "garbled data, and a failed command", FINDING_SATA_LINK_FAULT, CHECK_FOUND,
	  SEVERITY_ERROR, { LOG, FAULTS("3", "UnrecovData 10B8B BadCRC"), FAILED("1"),
	  { FACT_LOG_OTHER_ERRORS, "1" } }, "10B8B BadCRC" },
	{ "the same with noncq", FINDING_SATA_LINK_FAULT, CHECK_FOUND, SEVERITY_ERROR,
	  { LOG, FAULTS("3", "BadCRC"), FAILED("3"), { FACT_LOG_OTHER_ERRORS, "3" },
	  { FACT_LIBATA_FORCE, "noncq" }, { FACT_QUEUE_DEPTH, "1" } },
	  "also without NCQ" },
	{ "a plug without contact, while commands run", FINDING_SATA_LINK_FAULT,
	  CHECK_FOUND, SEVERITY_ERROR, { LOG, FAULTS("1", "CommWake DevExch"),
	  FAILED("1"), { FACT_LOG_FPDMA_ERRORS, "1" } }, "connector" },
	{ "a link that came and went once, with a command", FINDING_SATA_LINK_FAULT,
	  CHECK_OK, 0, { LOG, FAULTS("1", "PHYRdyChg CommWake"), FAILED("1"),
	  { FACT_LOG_OTHER_ERRORS, "1" } }, NULL },
	{ "twice", FINDING_SATA_LINK_FAULT, CHECK_FOUND, SEVERITY_ERROR, { LOG,
	  FAULTS("2", "PHYRdyChg CommWake"), FAILED("2"),
	  { FACT_LINK_POWER, "max_performance" } }, "; that is cable" },
	{ "twice, and the link saves power", FINDING_SATA_LINK_FAULT, CHECK_FOUND,
	  SEVERITY_WARN, { LOG, FAULTS("2", "PHYRdyChg CommWake"), FAILED("2"),
	  { FACT_LINK_POWER, "med_power_with_dipm" } }, "power saving (med_power" },
	{ "garbled data on a link that saves power", FINDING_SATA_LINK_FAULT, CHECK_FOUND,
	  SEVERITY_ERROR, { LOG, FAULTS("1", "PHYRdyChg BadCRC"), FAILED("1"),
	  { FACT_LINK_POWER, "med_power_with_dipm" } }, "1 report in" },
	{ "garbled data, again and again", FINDING_SATA_LINK_FAULT, CHECK_FOUND,
	  SEVERITY_ERROR, { LOG, FAULTS("2", "BadCRC"), FAILED("0") },
	  "0 with failed commands" },
	{ "a link that comes and goes until its mode is lowered", FINDING_SATA_LINK_FAULT,
	  CHECK_FOUND, SEVERITY_ERROR, { LOG, FAULTS("6", "PHYRdyChg"), FAILED("0"),
	  { FACT_SPDN_CNT, "1" } }, "PHYRdyChg" },
	{ "a link that comes and goes until it is slowed down", FINDING_SATA_LINK_FAULT,
	  CHECK_FOUND, SEVERITY_ERROR, { LOG, FAULTS("6", "PHYRdyChg"), FAILED("0"),
	  { FACT_LOG_SPEED_DOWN, "limiting SATA link speed to 3.0 Gbps" } },
	  "PHYRdyChg" },
	{ "garbled data once", FINDING_SATA_LINK_FAULT, CHECK_OK, 0, { LOG, FAULTS("1",
	  "BadCRC"), FAILED("0") }, NULL },
	{ "plugged in", FINDING_SATA_LINK_FAULT, CHECK_OK, 0, { LOG, FAULTS("1",
	  "PHYRdyChg CommWake DevExch"), FAILED("0") }, NULL },
	{ "a bay in which drives are changed", FINDING_SATA_LINK_FAULT, CHECK_OK, 0,
	  { LOG, FAULTS("6", "PHYRdyChg 10B8B DevExch"), FAILED("0") }, NULL },
	{ "such a bay, and a command that failed at another time",
	  FINDING_SATA_LINK_FAULT, CHECK_OK, 0, { LOG, FAULTS("6", "PHYRdyChg DevExch"),
	  FAILED("0"), { FACT_LOG_OTHER_ERRORS, "1" }, { FACT_LOG_FPDMA_ERRORS, "1" } },
	  NULL },
	{ "bad sectors are no fault of the link", FINDING_SATA_LINK_FAULT, CHECK_OK, 0,
	  { LOG, { FACT_LOG_LINK_FAULTS, "0" }, FAILED("0"),
	  { FACT_LOG_FPDMA_ERRORS, "9" } }, NULL },
	{ "a silent log", FINDING_SATA_LINK_FAULT, CHECK_OK, 0, { LOG,
	  { FACT_LOG_LINK_FAULTS, "0" }, FAILED("0") }, NULL },
	{ "no log", FINDING_SATA_LINK_FAULT, CHECK_UNKNOWN, 0, { { 0 } }, NULL },
};

static const struct row speed_rows[] = {
	{ "slowed down, an SSD", FINDING_SATA_LINK_SLOW, CHECK_FOUND, SEVERITY_WARN,
	  { SPEED("3000"), LIMIT("3000") }, "3.0 Gbps, where the drive has 6.0" },
	{ "slowed down, a rotating drive", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_INFO, { SPEED("1500"), LIMIT("1500"), ROTATING }, "1.5 Gbps" },
	{ "below what the port began with", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_WARN, { SPEED("1500"), LIMIT("1500"), { FACT_HW_SATA_SPD_LIMIT,
	  "3000" } }, "after errors" },
	{ "the log tells", FINDING_SATA_LINK_SLOW, CHECK_FOUND, SEVERITY_WARN,
	  { SPEED("3000"), LOG, { FACT_LOG_SPEED_DOWN, "limiting SATA link speed to 3.0 "
	  "Gbps" }, RESETS("2") }, "after errors" },
	{ "slowed down, and quiet since", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_WARN, { SPEED("3000"), LIMIT("3000"), LOG, RESETS("2"), LATER("0") },
	  "stable now" },
	{ "slowed down in two steps, one reset since", FINDING_SATA_LINK_SLOW,
	  CHECK_FOUND, SEVERITY_WARN, { SPEED("1500"), LIMIT("1500"), LOG, RESETS("3"),
	  LATER("1") }, "1.5 Gbps" },
	{ "resets go on", FINDING_SATA_LINK_SLOW, CHECK_FOUND, SEVERITY_ERROR,
	  { SPEED("3000"), LIMIT("3000"), LOG, RESETS("20"), LATER("8") },
	  "errors went on" },
	{ "errors at the lowest speed", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_ERROR, { SPEED("1500"), LIMIT("1500"), LOG, LATER("3") },
	  "errors went on" },
	{ "the same of a rotating drive", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_ERROR, { SPEED("1500"), LIMIT("1500"), LOG, LATER("3"), ROTATING },
	  "errors went on" },
	{ "slowed down, but in a guest", FINDING_SATA_LINK_SLOW, CHECK_FOUND,
	  SEVERITY_INFO, { SPEED("3000"), LIMIT("3000"), { FACT_GUEST, "1" } },
	  "3.0 Gbps" },
	{ "slowed down on purpose", FINDING_SATA_LINK_SLOW, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), LIMIT("3000"), { FACT_HW_SATA_SPD_LIMIT, "3000" },
	  { FACT_LIBATA_FORCE, "1:3.0Gbps" } }, "libata.force" },
	{ "slowed down below what libata.force allows", FINDING_SATA_LINK_SLOW,
	  CHECK_FOUND, SEVERITY_WARN, { SPEED("1500"), LIMIT("1500"),
	  { FACT_HW_SATA_SPD_LIMIT, "3000" }, { FACT_LIBATA_FORCE, "1:3.0Gbps" } },
	  "after errors" },
	{ "no trace of a reason", FINDING_SATA_LINK_SLOW, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), HOST_GEN3, LOG }, "no trace tells which" },
	{ "no trace, but no log either", FINDING_SATA_LINK_SLOW, CHECK_UNKNOWN, 0,
	  { SPEED("3000"), HOST_GEN3 }, NULL },
	{ "a mode that was lowered is no speed", FINDING_SATA_LINK_SLOW, CHECK_OK, 0,
	  { SPEED("1500"), { FACT_AHCI_HOST_CAPS, "?" }, { FACT_HOST_SPEED, "1500" },
	  LIMIT("?"), { FACT_SPDN_CNT, "1" }, LOG, { FACT_LOG_MODE_DOWN,
	  "limiting speed to UDMA/100:PIO4" } }, NULL },
	{ "full speed", FINDING_SATA_LINK_SLOW, CHECK_OK, 0, { SPEED("6000") }, NULL },
	{ "a drive of 3 Gbps", FINDING_SATA_LINK_SLOW, CHECK_OK, 0, { SPEED("3000"),
	  { FACT_ATA_ID_76, "0x0706" } }, NULL },
	{ "a drive set to 1.5 Gbps by its jumper", FINDING_SATA_LINK_SLOW, CHECK_OK, 0,
	  { SPEED("1500"), { FACT_ATA_ID_76, "0x0102" }, { FACT_HOST_SPEED, "1500" } },
	  NULL },
	{ "a drive that names no generation", FINDING_SATA_LINK_SLOW, CHECK_OK, 0,
	  { SPEED("1500"), { FACT_ATA_ID_76, "0x0100" } }, NULL },
	{ "the port's limit", FINDING_SATA_LINK_SLOW, CHECK_OK, 0, { SPEED("3000"),
	  HOST_GEN2 }, NULL },
	{ "QEMU's AHCI", FINDING_SATA_LINK_SLOW, CHECK_NOT_APPLICABLE, 0,
	  { SPEED("1500"), { FACT_GUEST, "1" }, { FACT_EMULATED, "1" } }, NULL },
	{ "no speed known", FINDING_SATA_LINK_SLOW, CHECK_UNKNOWN, 0, { { 0 } }, NULL },

	{ "a host of 3 Gbps", FINDING_SATA_PORT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), HOST_GEN2 }, "300 MB/s" },
	{ "every port has 3 Gbps", FINDING_SATA_PORT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), { FACT_AHCI_HOST_CAPS, "?" }, { FACT_HOST_SPD_LIMIT,
	  "3000" } },
	  "not faster" },
	{ "held back before the kernel came", FINDING_SATA_PORT_LIMIT, CHECK_FOUND,
	  SEVERITY_INFO, { SPEED("3000"), HOST_GEN3, LIMIT("3000"),
	  { FACT_HW_SATA_SPD_LIMIT, "3000" } }, "SControl" },
	{ "a chip of 3 Gbps", FINDING_SATA_PORT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), { FACT_AHCI_HOST_CAPS, "?" }, { FACT_HOST_SPEED, "3000" } },
	  "not faster" },
	{ "a chip of 1.5 Gbps, and a mode that was lowered", FINDING_SATA_PORT_LIMIT,
	  CHECK_FOUND, SEVERITY_INFO, { SPEED("1500"), { FACT_AHCI_HOST_CAPS, "?" },
	  { FACT_HOST_SPEED, "1500" }, { FACT_SPDN_CNT, "1" } }, "not faster" },
	{ "behind a multiplier", FINDING_SATA_PORT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	  { SPEED("3000"), HOST_GEN3, { FACT_NR_PMP_LINKS, "5" } }, "multiplier" },
	{ "slowed down at a host of 3 Gbps", FINDING_SATA_PORT_LIMIT, CHECK_OK, 0,
	  { SPEED("1500"), HOST_GEN2, LIMIT("1500") }, NULL },
	{ "below what its chip can", FINDING_SATA_PORT_LIMIT, CHECK_OK, 0,
	  { SPEED("1500"), { FACT_AHCI_HOST_CAPS, "?" }, { FACT_HOST_SPEED, "3000" } },
	  NULL },
	{ "no trace of a limit", FINDING_SATA_PORT_LIMIT, CHECK_OK, 0, { SPEED("3000"),
	  HOST_GEN3 }, NULL },
	{ "full speed, no limit", FINDING_SATA_PORT_LIMIT, CHECK_OK, 0, { SPEED("6000") },
	  NULL },
	{ "no IDENTIFY known", FINDING_SATA_PORT_LIMIT, CHECK_UNKNOWN, 0,
	  { SPEED("3000"), { FACT_ATA_ID_76, "?" } }, NULL },

	{ "UDMA/33 after speed-downs", FINDING_UDMA_SLOW, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_XFER_MODE, "XFER_UDMA_2" }, { FACT_SPDN_CNT, "2" } }, "XFER_UDMA_2" },
	{ "UDMA/33, and the log has the line", FINDING_UDMA_SLOW, CHECK_FOUND,
	  SEVERITY_WARN, { { FACT_XFER_MODE, "XFER_UDMA_2" }, LOG, RESETS("0"),
	  { FACT_LOG_MODE_DOWN, "limiting speed to UDMA/33:PIO4" } }, "after errors" },
	{ "PIO after errors", FINDING_UDMA_SLOW, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_XFER_MODE, "XFER_PIO_4" }, { FACT_ERING_ERRORS, "3" } }, "PIO" },
	{ "UDMA/33 after resets", FINDING_UDMA_SLOW, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_XFER_MODE, "XFER_UDMA_2" }, LOG, RESETS("2") }, "after errors" },
	{ "UDMA/33, and no errors", FINDING_UDMA_SLOW, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_XFER_MODE, "XFER_UDMA_2" }, LOG, RESETS("0") }, "no error explains" },
	{ "in a guest", FINDING_UDMA_SLOW, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_XFER_MODE, "XFER_MW_DMA_2" }, { FACT_ERING_ERRORS, "3" },
	  { FACT_GUEST, "1" } }, "MW_DMA" },
	{ "UDMA/133", FINDING_UDMA_SLOW, CHECK_OK, 0, { { FACT_XFER_MODE, "XFER_UDMA_6" },
	  { FACT_ERING_ERRORS, "3" } }, NULL },
	{ "a PATA drive behind a bridge", FINDING_UDMA_SLOW, CHECK_OK, 0,
	  { { FACT_XFER_MODE, "XFER_UDMA_2" }, { FACT_ATA_ID_76, "0" } }, NULL },
	{ "UDMA/33, no log", FINDING_UDMA_SLOW, CHECK_UNKNOWN, 0, { { FACT_XFER_MODE,
	  "XFER_UDMA_2" } }, NULL },
	{ "emulated IDE in PIO", FINDING_UDMA_SLOW, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_XFER_MODE, "XFER_PIO_4" }, { FACT_GUEST, "1" }, { FACT_HOST_DRIVER,
	  "ata_piix" }, { FACT_ERING_ERRORS, "3" } }, NULL },
};

#define POLICY(policy) { FACT_LINK_POWER, policy }
#define PLUGS(n) { FACT_LOG_PLUG_RESETS, n }
#define TLP { FACT_RIVALS, "TLP" }
#define VARIES "max_performance on mains, min_power on battery"
static const struct row power_rows[] = {
	{ "a model that fails in it", FINDING_LINK_POWER_RISK, CHECK_FOUND, SEVERITY_WARN,
	  { POLICY("min_power"), { FACT_LPM_QUIRK, "1" } }, "of this model" },
	{ "the other one with DevSleep", FINDING_LINK_POWER_RISK, CHECK_FOUND,
	  SEVERITY_WARN, { POLICY("min_power_with_partial"), { FACT_LPM_QUIRK, "1" } },
	  "min_power_with_partial" },
	{ "aggressive, with resets", FINDING_LINK_POWER_RISK, CHECK_FOUND, SEVERITY_WARN,
	  { POLICY("min_power"), LOG, RESETS("4") }, "has resets" },
	{ "a model that fails, with resets, in a milder policy", FINDING_LINK_POWER_RISK,
	  CHECK_FOUND, SEVERITY_WARN, { POLICY("med_power_with_dipm"), LOG, RESETS("4"),
	  { FACT_LPM_QUIRK, "1" } }, "of this model" },
	{ "resets while a program changes it", FINDING_LINK_POWER_RISK, CHECK_FOUND,
	  SEVERITY_WARN, { POLICY("max_performance"), LOG, RESETS("9"), TLP,
	  { FACT_RIVAL_LINK_POWER, VARIES } }, "power source" },
	{ "the link comes and goes while a program changes it", FINDING_LINK_POWER_RISK,
	  CHECK_FOUND, SEVERITY_WARN, { POLICY("max_performance"), LOG, RESETS("0"),
	  PLUGS("3"), TLP, { FACT_RIVAL_LINK_POWER, VARIES } }, "power source" },
	{ "resets while a program saves power", FINDING_LINK_POWER_RISK, CHECK_FOUND,
	  SEVERITY_WARN, { POLICY("med_power_with_dipm"), LOG, RESETS("3"),
	  { FACT_RIVALS, "tuned" }, { FACT_RIVAL_LINK_POWER, "med_power_with_dipm" } },
	  "another program sets it" },
	{ "drives that are changed while a program saves power", FINDING_LINK_POWER_RISK,
	  CHECK_OK, 0, { POLICY("med_power_with_dipm"), LOG, RESETS("0"), PLUGS("3"),
	  { FACT_RIVALS, "tuned" }, { FACT_RIVAL_LINK_POWER, "med_power_with_dipm" } },
	  NULL },
	{ "a program that saves no power", FINDING_LINK_POWER_RISK, CHECK_OK, 0,
	  { POLICY("max_performance"), LOG, RESETS("9"), { FACT_RIVALS, "tuned" },
	  { FACT_RIVAL_LINK_POWER, "max_performance" } }, NULL },
	{ "drives that are changed, in an aggressive policy", FINDING_LINK_POWER_RISK,
	  CHECK_OK, 0, { POLICY("min_power"), LOG, RESETS("0"), PLUGS("9") }, NULL },
	{ "a program changes it, and no log", FINDING_LINK_POWER_RISK, CHECK_UNKNOWN, 0,
	  { POLICY("max_performance"), TLP, { FACT_RIVAL_LINK_POWER, VARIES } }, NULL },
	{ "a model that fails, but not in this policy", FINDING_LINK_POWER_RISK, CHECK_OK,
	  0, { POLICY("med_power_with_dipm"), { FACT_LPM_QUIRK, "1" } }, NULL },
	{ "the kernel's default for laptops, with resets", FINDING_LINK_POWER_RISK,
	  CHECK_OK, 0, { POLICY("med_power_with_dipm"), LOG, RESETS("4") }, NULL },
	{ "aggressive, and all is well", FINDING_LINK_POWER_RISK, CHECK_OK, 0,
	  { POLICY("min_power"), LOG, RESETS("0") }, NULL },
	{ "aggressive, no log", FINDING_LINK_POWER_RISK, CHECK_UNKNOWN, 0,
	  { POLICY("min_power") }, NULL },
	{ "no policy", FINDING_LINK_POWER_RISK, CHECK_UNKNOWN, 0, { { 0 } }, NULL },

	{ "a multiplier", FINDING_PORT_MULTIPLIER, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_NR_PMP_LINKS, "5" } }, "5 links" },
	{ "none", FINDING_PORT_MULTIPLIER, CHECK_OK, 0, { { FACT_NR_PMP_LINKS, "0" } },
	  NULL },
	{ "nobody knows", FINDING_PORT_MULTIPLIER, CHECK_UNKNOWN, 0, { { 0 } }, NULL },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(fault_rows, ARRAY_SIZE(fault_rows));
	run_rows(speed_rows, ARRAY_SIZE(speed_rows));
	run_rows(power_rows, ARRAY_SIZE(power_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(fault_rows, ARRAY_SIZE(fault_rows));
	run_properties(speed_rows, ARRAY_SIZE(speed_rows));
	run_properties(power_rows, ARRAY_SIZE(power_rows));
}

/* One judgement for two findings: never both, whatever the speeds and limits are. */
static void test_slow_or_limit(void **state)
{
	static const uint64_t speeds[] = { 0, 1500, 3000, 6000 };
	static const enum fact facts[] = { FACT_SATA_SPD, FACT_SATA_SPD_LIMIT,
					   FACT_HW_SATA_SPD_LIMIT, FACT_HOST_SPD_LIMIT };
	struct scene *scene = malloc(sizeof(*scene));
	struct subject subject = { 0 };

	(void)state;
	assert_non_null(scene);
	for (unsigned int n = 0; n < 4 * 4 * 4 * 4 * 3; n++) {
		const struct finding *findings = scene->diagnosis.findings;

		memset(scene, 0, sizeof(*scene));
		give_sata_ssd(&scene->disk.facts);
		for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
			uint64_t speed = speeds[n >> 2 * i & 3];

			if (speed)
				facts_set_number(&scene->disk.facts, facts[i], speed);
		}
		facts_set_number(&scene->disk.facts, FACT_SPDN_CNT, n >> 8);
		classify(&scene->disk, &scene->class);
		subject = (struct subject){ .disk = &scene->disk,
		  .class = &scene->class };
		diagnose(&subject, &scene->diagnosis);
		assert_false(findings[FINDING_SATA_LINK_SLOW].result == CHECK_FOUND &&
			     findings[FINDING_SATA_PORT_LIMIT].result == CHECK_FOUND);
	}
	free(scene);
}

/* The drive's own word for the speed, and how far the evidence carries. */
static void test_confidence(void **state)
{
	static const struct {
		const char *name, *limit, *word, *log;
		enum confidence confidence;
	} rows[] = {
		{ "slowed down", "3000", "0x0004", "x", CONFIDENCE_HIGH },
		{ "slowed down, an older drive", "3000", "0", "x", CONFIDENCE_HIGH },
		{ "slowed down, says the host", "3000", "0x0006", "x",
		  CONFIDENCE_MEDIUM },
		{ "no trace", "?", "0x0004", "x", CONFIDENCE_MEDIUM },
		{ "no trace, no agreement", "?", "0x0006", "x", CONFIDENCE_LOW },
	};
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row row = { rows[i].name,
					 FINDING_SATA_LINK_SLOW,
					 CHECK_FOUND,
					 SEVERITY_WARN,
					 { SPEED("3000"), HOST_GEN3, LIMIT(rows[i].limit),
					   { FACT_ATA_ID_77, rows[i].word },
					   { FACT_KERNEL_LOG, rows[i].log } } };

		scene_of_row(&row, _FACT_MAX, scene);
		ROW_INT(row.name, scene->diagnosis.findings[row.id].confidence,
			rows[i].confidence);
	}
	free(scene);
}

/* A link of 3 Gbps whose limit is that of libata.force, or of something else. */
static void test_force(void **state)
{
	static const struct {
		const char *force;
		bool speed;
	} rows[] = {
		{ "3.0Gbps", true },
		{ "1:3.0", true },
		{ "1.15:3.0Gbps", true },
		{ "noncq,3.0Gbps", true },
		{ "1:1.5Gbps", false }, /* it is not that which came of it */
		{ "2:3.0Gbps", false },
		{ "1.00:3.0Gbps", false },
		{ "noncq", false },
		{ "2:noncq,3.0Gbps", false },
		{ "1:", false },
		{ "1:6.0Gbps", false },
	};
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row row = { rows[i].force,
					 FINDING_SATA_LINK_SLOW,
					 CHECK_FOUND,
					 SEVERITY_WARN,
					 { SPEED("3000"), LIMIT("3000"),
					   { FACT_LIBATA_FORCE, rows[i].force } } };
		const struct finding *finding = &scene->diagnosis.findings[row.id];

		scene_of_row(&row, _FACT_MAX, scene);
		ROW_INT(row.name, strstr(finding->text, "libata.force") != NULL,
			rows[i].speed);
	}
	free(scene);
}

static const char *power_source;

static void set_power_source(struct scene *scene)
{
	if (*power_source)
		facts_set_source(&scene->disk.facts, FACT_RIVAL_LINK_POWER, power_source);
}

/* Who is told to set another policy, and whether there is one to leave at once. */
static void test_power_remedy(void **state)
{
	static const struct {
		const char *policy, *rivals, *where, *says, *never;
	} rows[] = {
		{ "min_power", "none", "", "udev rule", "TLP" },
		{ "min_power", "tuned", "/usr/lib/tuned/powersave/tuned.conf:9", "alpm=",
		  "TLP" },
		{ "min_power", "tuned, TLP", "/etc/tlp.d/10-tuned.conf:3",
		  "SATA_LINKPWR_ON_AC", "alpm" },
		{ "min_power", "TLP", "", "SATA_LINKPWR_ON_AC", "alpm" },
		{ "max_performance", "TLP", "/etc/tlp.conf:4", "SATA_LINKPWR_ON_AC",
		  "for now" },
	};
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row row = { rows[i].where,
					 FINDING_LINK_POWER_RISK,
					 CHECK_FOUND,
					 SEVERITY_WARN,
					 { POLICY(rows[i].policy), LOG, RESETS("9"),
					   { FACT_RIVALS, rows[i].rivals },
					   { FACT_RIVAL_LINK_POWER, VARIES } },
					 .prepare = set_power_source };
		const struct finding *finding = &scene->diagnosis.findings[row.id];
		char text[2 * FINDING_TEXT_MAX] = "";

		power_source = rows[i].where;
		scene_of_row(&row, _FACT_MAX, scene);
		assert_non_null(finding->remedy);
		for (size_t k = 0; finding->remedy[k]; k++)
			strncat(text, finding->remedy[k],
				sizeof(text) - strlen(text) - 1);
		ROW_INT(rows[i].says, strstr(text, rows[i].says) != NULL, true);
		ROW_INT(rows[i].never, strstr(text, rows[i].never) != NULL, false);
	}
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
		TEST("a link is slow or limited, never both", test_slow_or_limit),
		TEST("what the drive says of its link", test_confidence),
		TEST("speeds in libata.force", test_force),
		TEST("remedies for link power", test_power_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
