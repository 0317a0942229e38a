/* SPDX-License-Identifier: MIT */
/*
 * Checks of PCIe links, and of drives that hide behind other functions.
 */
#include <string.h>

#include "check-rows.h"

#define NVME \
	{ FACT_NAME, "nvme0n1" }, { FACT_NVME_TRANSPORT, "pcie" }, { FACT_PCI_ADDRESS, \
	"0000:01:00.0" }
#define NOW(speed, width) { FACT_LINK_SPEED, speed }, { FACT_LINK_WIDTH, width }
#define DEVICE(speed, width) { FACT_MAX_LINK_SPEED, speed }, \
	{ FACT_MAX_LINK_WIDTH, width }
#define PORT(speed, width) { FACT_PORT_LINK_SPEED, speed }, \
	{ FACT_PORT_LINK_WIDTH, width }
#define AWAKE { FACT_RUNTIME_STATUS, "active" }

static void make_nvme(struct scene *scene)
{
	facts_set_anchor(&scene->disk.facts, ANCHOR_NVME, "/sys/devices/nvme0");
}

#define PCIE(name, id, result, severity, says, ...) \
	{ name, id, result, severity, { NVME, __VA_ARGS__ }, says, .bare = true, \
	  .prepare = make_nvme }
static const struct row pcie_rows[] = {
	PCIE("narrower than both", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND, SEVERITY_WARN,
	     "5.0 GT/s x1, though drive and slot can both do 5.0 GT/s x4: about 500 "
	     "instead of 2000 MB/s", NOW("5000", "1"), DEVICE("8000", "4"),
	     PORT("5000", "4"), AWAKE),
	PCIE("slower than both", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND, SEVERITY_WARN,
	     "8.0 GT/s x4, though", NOW("8000", "4"), DEVICE("16000", "4"),
	     PORT("16000", "4"), AWAKE),
	PCIE("the slowest speed", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND, SEVERITY_INFO,
	     "only while idle", NOW("2500", "4"), DEVICE("16000", "4"), PORT("8000", "4"),
	     AWAKE),
	PCIE("asleep", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND, SEVERITY_INFO,
	     "saving power", NOW("2500", "4"), DEVICE("16000", "4"), PORT("8000", "4"),
	     { FACT_RUNTIME_STATUS, "suspended" }),
	PCIE("nobody knows whether awake", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND,
	     SEVERITY_INFO, "saving power", NOW("2500", "4"), DEVICE("16000", "4"),
	     PORT("8000", "4")),
	PCIE("full speed", FINDING_PCIE_LINK_DEGRADED, CHECK_OK, 0, NULL,
	     NOW("16000", "4"), DEVICE("16000", "4"), PORT("32000", "16"), AWAKE),
	PCIE("all that the slot has", FINDING_PCIE_LINK_DEGRADED, CHECK_OK, 0, NULL,
	     NOW("5000", "1"), DEVICE("8000", "4"), PORT("5000", "1"), AWAKE),
	PCIE("no port to compare with", FINDING_PCIE_LINK_DEGRADED, CHECK_UNKNOWN, 0,
	     NULL, NOW("5000", "1"), DEVICE("8000", "4"), AWAKE),
	PCIE("an unknown speed", FINDING_PCIE_LINK_DEGRADED, CHECK_UNKNOWN, 0, NULL,
	     { FACT_LINK_WIDTH, "1" }, DEVICE("8000", "4"), PORT("8000", "4"), AWAKE),
	PCIE("in a guest", FINDING_PCIE_LINK_DEGRADED, CHECK_NOT_APPLICABLE, 0, NULL,
	     NOW("2500", "1"), DEVICE("16000", "4"), PORT("16000", "32"), AWAKE,
	     { FACT_GUEST, "1" }),
	PCIE("no PCIe", FINDING_PCIE_LINK_DEGRADED, CHECK_NOT_APPLICABLE, 0, NULL, AWAKE),
	{ "a SATA card's link", FINDING_PCIE_LINK_DEGRADED, CHECK_FOUND, SEVERITY_INFO,
	  { NOW("5000", "1"), DEVICE("8000", "2"), PORT("8000", "2"), AWAKE }, "x2" },

	PCIE("one lane", FINDING_PCIE_SLOT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	     "5000 MT/s x 1 lane x 8/10 / 8 = 500 MB/s; the drive could do 8.0 GT/s x4, "
	     "3938 MB/s", NOW("5000", "1"), DEVICE("8000", "4"), PORT("5000", "1"),
	  AWAKE),
	PCIE("an older slot", FINDING_PCIE_SLOT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	     "8000 MT/s x 4 lanes x 128/130 / 8 = 3938 MB/s", NOW("8000", "4"),
	     DEVICE("16000", "4"), PORT("8000", "16"), AWAKE),
	PCIE("a slot of 64 GT/s", FINDING_PCIE_SLOT_LIMIT, CHECK_FOUND, SEVERITY_INFO,
	     "64000 MT/s x 2 lanes x 242/256 / 8 = 15125 MB/s; the drive could do 64.0 "
	     "GT/s x4, 30250 MB/s", NOW("64000", "2"), DEVICE("64000", "4"),
	     PORT("64000", "2"), AWAKE),
	PCIE("an older drive", FINDING_PCIE_SLOT_LIMIT, CHECK_OK, 0, NULL,
	     NOW("16000", "4"), DEVICE("16000", "4"), PORT("32000", "4"), AWAKE),
	PCIE("degraded is another finding", FINDING_PCIE_SLOT_LIMIT, CHECK_OK, 0, NULL,
	     NOW("2500", "1"), DEVICE("16000", "4"), PORT("8000", "4"), AWAKE),
	PCIE("no width known", FINDING_PCIE_SLOT_LIMIT, CHECK_UNKNOWN, 0, NULL,
	     { FACT_LINK_SPEED, "5000" }, DEVICE("8000", "4"), PORT("5000", "1")),

	PCIE("behind VMD", FINDING_VMD, CHECK_FOUND, SEVERITY_INFO, "VMD",
	  { FACT_BEHIND_VMD,
	     "1" }),
	PCIE("not behind VMD", FINDING_VMD, CHECK_OK, 0, NULL, { FACT_BEHIND_VMD, "0" }),
	PCIE("nobody knows where", FINDING_VMD, CHECK_UNKNOWN, 0, NULL, AWAKE),
	{ "no NVMe", FINDING_VMD, CHECK_NOT_APPLICABLE, 0, { { FACT_BEHIND_VMD, "1" } },
	  NULL },

	{ "hidden drives", FINDING_NVME_REMAPPED, CHECK_FOUND, SEVERITY_ERROR,
	  { { FACT_REMAPPED_TOTAL, "2" }, { FACT_REMAPPED_AT, "0000:00:17.0" } },
	  "0000:00:17.0", .bare = true, .machine = true },
	{ "no hidden drives", FINDING_NVME_REMAPPED, CHECK_OK, 0,
	  { { FACT_REMAPPED_TOTAL, "0" } }, NULL, .bare = true, .machine = true },
	{ "nobody knows of hidden drives", FINDING_NVME_REMAPPED, CHECK_UNKNOWN, 0,
	  { { 0 } }, NULL, .bare = true, .machine = true },
	{ "a disk does not know", FINDING_NVME_REMAPPED, CHECK_NOT_APPLICABLE, 0,
	  { { FACT_REMAPPED_TOTAL, "2" } }, NULL },
};

/* Of the machine, where another row of the table of checks answers for the same id. */
static const struct row machine_rows[] = {
	{ "VMD without a driver", FINDING_VMD, CHECK_FOUND, SEVERITY_ERROR,
	  { { FACT_VMD_UNBOUND, "0000:00:0e.0" } }, "0000:00:0e.0", .bare = true,
	  .machine = true },
	{ "no VMD without a driver", FINDING_VMD, CHECK_OK, 0,
	  { { FACT_VMD_UNBOUND, "none" } }, NULL, .bare = true, .machine = true },
	{ "nobody knows of VMD", FINDING_VMD, CHECK_UNKNOWN, 0, { { 0 } }, NULL,
	  .bare = true, .machine = true },
};

static void test_rows(void **state)
{
	(void)state;
	run_rows(pcie_rows, ARRAY_SIZE(pcie_rows));
	run_rows(machine_rows, ARRAY_SIZE(machine_rows));
}

static void test_properties(void **state)
{
	(void)state;
	run_properties(pcie_rows, ARRAY_SIZE(pcie_rows));
	run_properties(machine_rows, ARRAY_SIZE(machine_rows));
}

static void test_nonsense(void **state)
{
	static const struct row rows[] = {
		PCIE("width 255", FINDING_PCIE_LINK_DEGRADED, CHECK_UNKNOWN, 0, NULL,
		     NOW("8000", "255"), DEVICE("8000", "4"), PORT("8000", "4"), AWAKE),
		PCIE("width 0", FINDING_PCIE_LINK_DEGRADED, CHECK_UNKNOWN, 0, NULL,
		     NOW("8000", "0"), DEVICE("8000", "4"), PORT("8000", "4"), AWAKE),
		PCIE("speed 1", FINDING_PCIE_SLOT_LIMIT, CHECK_UNKNOWN, 0, NULL,
		     NOW("8000", "4"), DEVICE("1", "4"), PORT("8000", "4"), AWAKE),
	};
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		scene_of_row(&rows[i], _FACT_MAX, scene);
		ROW_INT(rows[i].name, scene->diagnosis.findings[rows[i].id].result,
			CHECK_UNKNOWN);
	}
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each check, by row", test_rows),
		TEST("no required fact, no answer", test_properties),
		TEST("links that say nothing of use", test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
