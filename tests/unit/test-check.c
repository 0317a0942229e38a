/* SPDX-License-Identifier: MIT */
/*
 * Each check: something found, nothing wrong, and a fact missing. Then two properties
 * that hold for all: without a fact that it stands on, a finding becomes "could not
 * check" or does not apply, and never says something else; and no facts, however
 * senseless, bring a check down.
 */
#include <string.h>

#include "policy/check.h"
#include "support.h"

#define GIVEN_MAX 9

struct row {
	const char *name;
	enum finding_id id;
	enum check_result result;
	enum severity severity;
	struct given given[GIVEN_MAX];
	const char *says;
};

#define IDE_MODE \
	{ FACT_HOST_DRIVER, "ata_piix" }, { FACT_PCI_CLASS, "0x01018f" }, \
	{ FACT_AHCI_HOST_CAPS, "?" }, { FACT_CAN_QUEUE, "1" }, { FACT_QUEUE_DEPTH, "1" }
#define NO_NCQ_HOST \
	{ FACT_HOST_DRIVER, "sata_sil" }, { FACT_PCI_CLASS, "0x018000" }, \
	{ FACT_AHCI_HOST_CAPS, "?" }, { FACT_CAN_QUEUE, "1" }, { FACT_QUEUE_DEPTH, "1" }
#define BOGUS { FACT_OPTIMAL_IO_SIZE, "33553920" }
#define NEW_KERNEL { FACT_OSRELEASE, "6.18.1-arch1-1" }
#define UNBACKED \
	{ FACT_ROTATIONAL, "1" }, { FACT_ATA_ID_217, "0" }, NEW_KERNEL

static const struct row rows[] = {
	{ "an SSD in IDE mode", FINDING_ATA_IDE_MODE, CHECK_FOUND, SEVERITY_WARN,
	  { IDE_MODE }, "ata_piix" },
	{ "a rotating drive in IDE mode", FINDING_ATA_IDE_MODE, CHECK_FOUND,
	  SEVERITY_INFO, { IDE_MODE, { FACT_ATA_ID_217, "7200" } }, "0x01018f" },
	{ "AHCI", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { { 0 } }, NULL },
	{ "a PATA drive", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { IDE_MODE, { FACT_ATA_ID_76,
	  "0" } }, NULL },
	{ "IDE mode in a guest", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { IDE_MODE,
	  { FACT_GUEST, "1" } }, NULL },
	{ "no driver known", FINDING_ATA_IDE_MODE, CHECK_UNKNOWN, 0, { { FACT_HOST_DRIVER,
	  "?" } }, NULL },
	{ "no IDENTIFY known", FINDING_ATA_IDE_MODE, CHECK_UNKNOWN, 0, { IDE_MODE,
	  { FACT_ATA_ID_76, "?" } }, NULL },
	{ "no ATA disk", FINDING_ATA_IDE_MODE, CHECK_OK, 0, { { FACT_LIBATA, "?" } },
	  NULL },

	{ "a host without NCQ", FINDING_SATA_NO_NCQ, CHECK_FOUND, SEVERITY_INFO,
	  { NO_NCQ_HOST }, "sata_sil" },
	{ "neither has NCQ", FINDING_SATA_NO_NCQ, CHECK_OK, 0, { NO_NCQ_HOST,
	  { FACT_ATA_ID_76, "0x0006" } }, NULL },
	{ "a host without NCQ, no IDENTIFY", FINDING_SATA_NO_NCQ, CHECK_UNKNOWN, 0,
	  { NO_NCQ_HOST, { FACT_ATA_ID_76, "?" } }, NULL },
	{ "a host with NCQ", FINDING_SATA_NO_NCQ, CHECK_OK, 0, { { 0 } }, NULL },

	{ "emulated IDE", FINDING_EMULATED_IDE, CHECK_FOUND, SEVERITY_WARN, { IDE_MODE,
	  { FACT_GUEST, "1" }, { FACT_HYPERVISOR, "qemu" } }, "qemu" },
	{ "emulated IDE, hypervisor unknown", FINDING_EMULATED_IDE, CHECK_FOUND,
	  SEVERITY_WARN, { IDE_MODE, { FACT_GUEST, "1" } }, "unknown" },
	{ "IDE mode of real hardware", FINDING_EMULATED_IDE, CHECK_OK, 0, { IDE_MODE },
	  NULL },
	{ "a guest's driver unknown", FINDING_EMULATED_IDE, CHECK_UNKNOWN, 0,
	  { { FACT_GUEST, "1" }, { FACT_HOST_DRIVER, "?" } }, NULL },

	{ "NCQ off, and nothing tells why", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_WARN,
	  { { FACT_QUEUE_DEPTH, "1" } }, "nothing we can see" },
	{ "NCQ off on a rotating drive", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_ATA_ID_217, "7200" } },
	  "nothing we can see" },
	{ "NCQ switched off on the command line", FINDING_NCQ_OFF, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_QUEUE_DEPTH, "1" }, { FACT_LIBATA_FORCE, "noncq" } },
	  "libata.force" },
	{ "NCQ off by a quirk", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_NCQ_QUIRK, "1" } }, "forgoes" },
	{ "NCQ off behind a multiplier", FINDING_NCQ_OFF, CHECK_FOUND, SEVERITY_INFO,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_NR_PMP_LINKS, "5" }, { FACT_HOST_DRIVER,
	  "sata_sil24" } }, "multiplier" },
	{ "NCQ off behind a multiplier, where ahci keeps it", FINDING_NCQ_OFF,
	  CHECK_FOUND, SEVERITY_WARN, { { FACT_QUEUE_DEPTH, "1" }, { FACT_NR_PMP_LINKS,
	  "5" } }, "nothing we can see" },
	{ "NCQ on", FINDING_NCQ_OFF, CHECK_OK, 0, { { 0 } }, NULL },
	{ "no NCQ to switch off", FINDING_NCQ_OFF, CHECK_OK, 0, { IDE_MODE }, NULL },
	{ "queue_depth unknown", FINDING_NCQ_OFF, CHECK_UNKNOWN, 0, { { FACT_QUEUE_DEPTH,
	  "?" } }, NULL },
	{ "queue_depth 1, no IDENTIFY", FINDING_NCQ_OFF, CHECK_UNKNOWN, 0,
	  { { FACT_QUEUE_DEPTH, "1" }, { FACT_ATA_ID_76, "?" } }, NULL },

	{ "megabytes from io_opt", FINDING_READAHEAD_FROM_IO_OPT, CHECK_FOUND,
	  SEVERITY_WARN, { BOGUS, { FACT_READ_AHEAD_KB, "65532" } }, "65532" },
	{ "two stripes of an array", FINDING_READAHEAD_FROM_IO_OPT, CHECK_FOUND,
	  SEVERITY_INFO, { { FACT_OPTIMAL_IO_SIZE, "4194304" },
	  { FACT_READ_AHEAD_KB, "8192" }, { FACT_STACK_KIND, "md" } }, "stripes" },
	{ "4096 is not yet much", FINDING_READAHEAD_FROM_IO_OPT, CHECK_OK, 0,
	  { { FACT_OPTIMAL_IO_SIZE, "2097152" }, { FACT_READ_AHEAD_KB, "4096" } }, NULL },
	{ "megabytes from somebody", FINDING_READAHEAD_FROM_IO_OPT, CHECK_OK, 0, { BOGUS,
	  { FACT_READ_AHEAD_KB, "8192" } }, NULL },
	{ "no readahead known", FINDING_READAHEAD_FROM_IO_OPT, CHECK_UNKNOWN, 0, { BOGUS,
	  { FACT_READ_AHEAD_KB, "?" } }, NULL },
	{ "no io_opt known", FINDING_READAHEAD_FROM_IO_OPT, CHECK_UNKNOWN, 0,
	  { { FACT_OPTIMAL_IO_SIZE, "?" } }, NULL },
	{ "a loop device's", FINDING_READAHEAD_FROM_IO_OPT, CHECK_OK, 0, { BOGUS,
	  { FACT_READ_AHEAD_KB, "65532" }, { FACT_STACK_KIND, "loop" } }, NULL },

	{ "65535 blocks", FINDING_IO_OPT_BOGUS, CHECK_FOUND, SEVERITY_WARN, { BOGUS },
	  "33553920" },
	{ "no io_opt", FINDING_IO_OPT_BOGUS, CHECK_OK, 0, { { 0 } }, NULL },
	{ "a stripe", FINDING_IO_OPT_BOGUS, CHECK_OK, 0, { { FACT_OPTIMAL_IO_SIZE,
	  "1048576" } }, NULL },
	{ "io_opt unknown", FINDING_IO_OPT_BOGUS, CHECK_UNKNOWN, 0,
	  { { FACT_OPTIMAL_IO_SIZE, "?" } }, NULL },

	{ "a false flag's readahead", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_FOUND,
	  SEVERITY_WARN, { UNBACKED, { FACT_READ_AHEAD_KB, "2560" } }, "2560" },
	{ "a true flag's readahead", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_OK, 0,
	  { { FACT_ROTATIONAL, "1" }, { FACT_ATA_ID_217, "7200" }, { FACT_READ_AHEAD_KB,
	  "2560" }, NEW_KERNEL }, NULL },
	{ "a false flag's readahead, of a kernel that derives none",
	  FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_OK, 0, { UNBACKED,
	  { FACT_READ_AHEAD_KB, "2560" }, { FACT_OSRELEASE, "6.12.0" } }, NULL },
	{ "a false flag beside an optimal_io_size", FINDING_READAHEAD_FALSE_ROTATIONAL,
	  CHECK_OK, 0, { UNBACKED, { FACT_READ_AHEAD_KB, "2560" },
	  { FACT_OPTIMAL_IO_SIZE, "65536" } }, NULL },
	{ "no false flag", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_OK, 0, { NEW_KERNEL,
	  { FACT_READ_AHEAD_KB, "2560" } }, NULL },
	{ "kernel unknown", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_UNKNOWN, 0,
	  { UNBACKED, { FACT_READ_AHEAD_KB, "2560" }, { FACT_OSRELEASE, "?" } }, NULL },
	{ "a false flag, the classical readahead", FINDING_READAHEAD_FALSE_ROTATIONAL,
	  CHECK_OK, 0, { UNBACKED }, NULL },
	{ "a false flag, somebody's readahead", FINDING_READAHEAD_FALSE_ROTATIONAL,
	  CHECK_OK, 0, { UNBACKED, { FACT_READ_AHEAD_KB, "1000" } }, NULL },
	{ "flag unknown", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_UNKNOWN, 0,
	  { { FACT_ROTATIONAL, "?" } }, NULL },
	{ "an optical drive", FINDING_READAHEAD_FALSE_ROTATIONAL, CHECK_OK, 0, { UNBACKED,
	  { FACT_SCSI_TYPE, "5" }, { FACT_READ_AHEAD_KB, "2560" } }, NULL },
};

static void diagnose_facts(const struct disk_facts *facts, struct diagnosis *ret)
{
	struct disk_class class;

	classify_facts(facts, &class);
	diagnose(facts, &class, ret);
}

static void facts_of_row(const struct row *row, struct disk_facts *facts)
{
	give_sata_ssd(facts);
	give(facts, row->given);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct disk_facts facts;
		struct diagnosis diagnosis;
		const struct finding *finding = &diagnosis.findings[row->id];

		facts_of_row(row, &facts);
		diagnose_facts(&facts, &diagnosis);
		ROW_INT(row->name, finding->id, row->id);
		ROW_INT(row->name, finding->result, row->result);
		if (row->result == CHECK_FOUND) {
			ROW_INT(row->name, finding->severity, row->severity);
			ROW_INT(row->name, finding->remedy != NULL, true);
		}
		if (row->says && !strstr(finding->text, row->says))
			fail_msg("%s: \"%s\" does not say \"%s\"", row->name,
				 finding->text, row->says);
		if (row->result == CHECK_UNKNOWN)
			ROW_INT(row->name, facts_known(&facts, finding->evidence[0]),
				false);
	}
}

/* Every check has a row of each kind. */
static void test_rows_are_complete(void **state)
{
	bool seen[_FINDING_MAX][CHECK_UNKNOWN + 1] = { { false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		seen[rows[i].id][rows[i].result] = true;
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		for (size_t k = 0; k <= CHECK_UNKNOWN; k++)
			ROW_INT(finding_id_to_string((enum finding_id)i), seen[i][k],
				true);
	}
}

/*
 * Facts whose absence means something by itself: what backs the medium, what explains
 * that NCQ is off, and whether it is an array. By these a severity may well change.
 */
static bool may_change_severity(enum fact fact)
{
	static const enum fact facts[] = {
		FACT_ATA_ID_217,  FACT_VPD_ROTATION, FACT_ID_ROTATION, FACT_LIBATA_FORCE,
		FACT_ATA_PORT_ID, FACT_NCQ_QUIRK,    FACT_NR_PMP_LINKS, FACT_STACK_KIND,
		FACT_HOST_DRIVER,
	};

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (facts[i] == fact)
			return true;
	}
	return false;
}

static void test_facts_taken_away(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];

		for (int fact = 0; fact < _FACT_MAX && row->result == CHECK_FOUND;
		     fact++) {
			struct disk_facts facts;
			struct diagnosis diagnosis;

			facts_of_row(row, &facts);
			facts_clear(&facts, (enum fact)fact);
			diagnose_facts(&facts, &diagnosis);
			if (diagnosis.findings[row->id].result == CHECK_FOUND &&
			    diagnosis.findings[row->id].severity != row->severity &&
			    !may_change_severity((enum fact)fact))
				fail_msg("%s: another severity without %s", row->name,
					 fact_to_string((enum fact)fact));
			if (strstr(diagnosis.findings[row->id].text, "(null)"))
				fail_msg("%s: (null) without %s", row->name,
					 fact_to_string((enum fact)fact));
		}
	}
}

/* Numbers that no formula may trust, in any fact, in every class. */
static void test_garbage(void **state)
{
	static const uint64_t numbers[] = { 0, 1, 0xffff, UINT32_MAX, UINT64_MAX };
	static const char *const texts[] = { "x", "%s%n", "\xff\xff", "host-managed" };

	(void)state;
	srand(20240601);
	for (int round = 0; round < 3000; round++) {
		struct disk_facts facts;
		struct disk_class class = { 0 };
		struct diagnosis diagnosis;
		char list[512];

		facts_init(&facts);
		for (int fact = 0; fact < _FACT_MAX; fact++) {
			if (rand() % 2)
				facts_set_number(&facts, (enum fact)fact,
						 numbers[rand() % 5]);
			if (rand() % 2)
				facts_set_text(&facts, (enum fact)fact,
					       texts[rand() % 4]);
		}
		if (round % 2) {
			classify_facts(&facts, &class);
		} else {
			class.attachment = (enum attachment)(rand() % _ATTACHMENT_MAX);
			class.ncq = (enum ncq)(rand() % _NCQ_MAX);
			class.ncq_reason = (enum ncq_reason)(rand() % _NCQ_REASON_MAX);
		}
		diagnose(&facts, &class, &diagnosis);
		diagnosis_list(&diagnosis, list, sizeof(list));
	}
}

static void test_list(void **state)
{
	struct diagnosis diagnosis = { 0 };
	char text[256], small[16];

	(void)state;
	diagnosis_list(&diagnosis, text, sizeof(text));
	assert_string_equal(text, "");
	diagnosis.findings[FINDING_NCQ_OFF].result = CHECK_FOUND;
	diagnosis.findings[FINDING_IO_OPT_BOGUS].result = CHECK_FOUND;
	diagnosis.findings[FINDING_ATA_IDE_MODE].result = CHECK_UNKNOWN;
	diagnosis_list(&diagnosis, text, sizeof(text));
	assert_string_equal(text, "ncq-off,io-opt-bogus");
	diagnosis_list(&diagnosis, small, sizeof(small));
	assert_true(strlen(small) < sizeof(small));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("each check is found, ok, and could not be made",
		     test_rows_are_complete),
		TEST("without a fact no finding becomes another", test_facts_taken_away),
		TEST("garbage brings no check down", test_garbage),
		TEST("the list of ids", test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
