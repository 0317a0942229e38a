/* SPDX-License-Identifier: MIT */
/*
 * Every outcome of a plan, each from a SATA SSD on which one or two things are different.
 * What is not said in a row is a disk that may be changed, seen for the first time.
 */
#include <string.h>

#include "policy/plan.h"
#include "support.h"

#define GIVEN_MAX 5

struct row {
	const char *name;
	enum tunable tunable;
	const char *wish; /* NULL: the policy says nothing */
	struct given given[GIVEN_MAX];
	enum outcome outcome;
	enum owner owner;
	const char *target; /* NULL: not looked at */
	const char *says; /* part of the explanation or the obstacle */
	const char *written; /* what our last write left */
	const char *asked; /* what it asked for, if that is another value */
	bool held, held_disk, unreadable, rival, off, reassert;
	enum transport transport; /* unless 0 */
	enum attachment attachment;
	enum ncq ncq;
};

#define READ_AHEAD TUNABLE_READ_AHEAD_KB
#define LOOP_DISK { FACT_STACK_KIND, "loop" }

static const struct row rows[] = {
	{ .name = "no setting", .tunable = READ_AHEAD, .outcome = OUTCOME_NO_SETTING,
	  .owner = OWNER_KERNEL, .target = "" },
	{ .name = "equal", .tunable = READ_AHEAD, .wish = "128", .outcome = OUTCOME_EQUAL,
	  .owner = OWNER_KERNEL, .target = "128" },
	{ .name = "equal after rounding to pages", .tunable = READ_AHEAD, .wish = "130",
	  .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL, .target = "128" },
	{ .name = "equal though held", .tunable = READ_AHEAD, .wish = "128",
	  .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL, .held = true },
	{ .name = "change at first sight of the kernel's default", .tunable = READ_AHEAD,
	  .wish = "512", .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL,
	  .target = "512", .says = "classical default" },
	{ .name = "change at first sight of twice optimal_io_size", .tunable = READ_AHEAD,
	  .wish = "128", .given = { { FACT_OPTIMAL_IO_SIZE, "33553920" },
	  { FACT_READ_AHEAD_KB, "65532" } }, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL, .target = "128", .says = "2 x optimal_io_size" },
	{ .name = "admin at first sight", .tunable = READ_AHEAD, .wish = "128",
	  .given = { { FACT_READ_AHEAD_KB, "300" } }, .outcome = OUTCOME_ADMIN,
	  .owner = OWNER_ADMIN, .says = "no rule of the kernel" },
	{ .name = "admin after our write", .tunable = READ_AHEAD, .wish = "128",
	  .given = { { FACT_READ_AHEAD_KB, "300" } }, .written = "128",
	  .outcome = OUTCOME_ADMIN, .owner = OWNER_ADMIN,
	  .says = "since blkadvise wrote 128" },
	{ .name = "our own value under a new policy", .tunable = READ_AHEAD, .wish = "64",
	  .given = { { FACT_READ_AHEAD_KB, "300" } }, .written = "300",
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_BLKADVISE, .target = "64" },
	{ .name = "asked for before, and the kernel made another value of it",
	  .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_READ_AHEAD_KB, "300" } },
	  .written = "300", .asked = "512", .outcome = OUTCOME_REFUSED,
	  .owner = OWNER_BLKADVISE, .target = "512", .says = "did not take it" },
	{ .name = "refused before, but another value is wished now",
	  .tunable = READ_AHEAD, .wish = "64", .given = { { FACT_READ_AHEAD_KB, "300" } },
	  .written = "300", .asked = "512", .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_BLKADVISE, .target = "64" },
	{ .name = "taken back by the kernel", .tunable = READ_AHEAD, .wish = "512",
	  .written = "512", .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL,
	  .target = "512", .reassert = true },
	{ .name = "rival", .tunable = READ_AHEAD, .wish = "512", .written = "512",
	  .rival = true, .outcome = OUTCOME_RIVAL, .owner = OWNER_KERNEL,
	  .says = "three times within an hour" },
	{ .name = "a rival's trace does not stop the first write", .tunable = READ_AHEAD,
	  .wish = "512", .rival = true, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "held setting", .tunable = READ_AHEAD, .wish = "512", .held = true,
	  .outcome = OUTCOME_HELD, .owner = OWNER_KERNEL },
	{ .name = "held disk", .tunable = READ_AHEAD, .wish = "512", .held_disk = true,
	  .outcome = OUTCOME_HELD, .owner = OWNER_KERNEL },
	{ .name = "a memory that cannot be read", .tunable = READ_AHEAD, .wish = "512",
	  .unreadable = true, .outcome = OUTCOME_HELD, .owner = OWNER_KERNEL,
	  .says = "cannot be read" },
	{ .name = "a memory that cannot be read, and nothing to change",
	  .tunable = READ_AHEAD, .wish = "128", .unreadable = true,
	  .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL },
	{ .name = "off", .tunable = READ_AHEAD, .wish = "512", .off = true,
	  .outcome = OUTCOME_OFF, .owner = OWNER_KERNEL, .says = "somewhere:1" },
	{ .name = "off comes before held", .tunable = READ_AHEAD, .wish = "512",
	  .off = true, .held = true, .outcome = OUTCOME_OFF, .owner = OWNER_KERNEL },
	{ .name = "unknown attribute", .tunable = READ_AHEAD, .wish = "128",
	  .given = { { FACT_READ_AHEAD_KB, "?" } }, .outcome = OUTCOME_UNKNOWN,
	  .owner = OWNER_UNKNOWN, .target = "" },

	{ .name = "hands off loop", .tunable = READ_AHEAD, .wish = "512",
	  .given = { LOOP_DISK }, .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL,
	  .says = "loop, ram and zram" },
	{ .name = "hands off ram", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_STACK_KIND, "ram" } }, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off zram", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_STACK_KIND, "zram" } }, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off a multipath path", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_MULTIPATH_MEMBER, "1" } }, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL, .says = "multipath" },
	{ .name = "hands off a path that udev names", .tunable = READ_AHEAD,
	  .wish = "512", .given = { { FACT_DM_MULTIPATH_PATH, "1" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "multipath" },
	{ .name = "hands off a path's scheduler, too", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .given = { { FACT_DM_MULTIPATH_PATH, "1" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "multipath" },
	{ .name = "but multipathd said no", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_DM_MULTIPATH_PATH, "0" } }, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off an mpath_member", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_ID_FS_TYPE, "mpath_member" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "multipath" },
	{ .name = "but not a file system", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_ID_FS_TYPE, "ext4" } }, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off a hidden path's readahead", .tunable = READ_AHEAD,
	  .wish = "512", .given = { { FACT_HIDDEN, "1" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "hidden" },
	{ .name = "but not its scheduler", .tunable = TUNABLE_SCHEDULER, .wish = "none",
	  .given = { { FACT_HIDDEN, "1" } }, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off the readahead of a held disk", .tunable = READ_AHEAD,
	  .wish = "512", .given = { { FACT_HOLDERS, "dm-0" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "held by" },
	{ .name = "but not its scheduler, either", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .given = { { FACT_HOLDERS, "md0" } },
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL },
	{ .name = "hands off a zoned disk's readahead", .tunable = READ_AHEAD,
	  .wish = "512", .given = { { FACT_ZONED, "host-managed" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "zoned" },
	{ .name = "hands off a zoned disk's scheduler", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .given = { { FACT_ZONED, "host-aware" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL },
	{ .name = "but a zoned disk gets mq-deadline", .tunable = TUNABLE_SCHEDULER,
	  .wish = "mq-deadline", .given = { { FACT_ZONED, "host-managed" },
	  { FACT_SCHEDULER, "none" }, { FACT_HW_QUEUES, "4" }, { FACT_NR_REQUESTS,
	  "32" } },
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL, .target = "mq-deadline" },
	{ .name = "hands off a Fibre Channel depth", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "16", .transport = TRANSPORT_FC, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL, .says = "SAN" },
	{ .name = "hands off an iSCSI depth", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "16", .transport = TRANSPORT_ISCSI, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL },
	{ .name = "but a SAN LUN's readahead is set", .tunable = READ_AHEAD,
	  .wish = "512", .transport = TRANSPORT_FC, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off a stack's scheduler", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .attachment = ATTACHMENT_STACKED, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL, .says = "only a readahead" },
	{ .name = "but a stack's readahead is set", .tunable = READ_AHEAD, .wish = "512",
	  .attachment = ATTACHMENT_STACKED, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off a multipath head's scheduler", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .given = { { FACT_NVME_HEAD, "1" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "path devices" },
	{ .name = "hands off with an error history", .tunable = TUNABLE_SCHEDULER,
	  .wish = "none", .given = { { FACT_ERING_ERRORS, "3" } },
	  .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL, .says = "error history" },
	{ .name = "but readahead despite errors", .tunable = READ_AHEAD, .wish = "512",
	  .given = { { FACT_ERING_ERRORS, "3" } }, .outcome = OUTCOME_CHANGE,
	  .owner = OWNER_KERNEL },
	{ .name = "hands off comes before off", .tunable = READ_AHEAD, .wish = "512",
	  .given = { LOOP_DISK }, .off = true, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL },

	{ .name = "first scheduler that there is", .tunable = TUNABLE_SCHEDULER,
	  .wish = "kyber bfq none", .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL,
	  .target = "bfq" },
	{ .name = "scheduler that is not listed", .tunable = TUNABLE_SCHEDULER,
	  .wish = "kyber", .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_KERNEL },
	{ .name = "a part of a name is no scheduler", .tunable = TUNABLE_SCHEDULER,
	  .wish = "deadline", .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_KERNEL },
	{ .name = "fixed scheduler", .tunable = TUNABLE_SCHEDULER, .wish = "none",
	  .given = { { FACT_SCHEDULER_FIXED, "1" } }, .outcome = OUTCOME_UNSUPPORTED,
	  .owner = OWNER_KERNEL },
	{ .name = "never out of bfq", .tunable = TUNABLE_SCHEDULER, .wish = "mq-deadline",
	  .given = { { FACT_SCHEDULER, "bfq" } }, .outcome = OUTCOME_ADMIN,
	  .owner = OWNER_ADMIN },

	{ .name = "queue_depth back to the device's", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "device", .given = { { FACT_QUEUE_DEPTH, "16" } }, .written = "16",
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_BLKADVISE, .target = "32" },
	{ .name = "queue_depth of somebody", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "device", .given = { { FACT_QUEUE_DEPTH, "16" } },
	  .outcome = OUTCOME_ADMIN, .owner = OWNER_ADMIN, .target = "32" },
	{ .name = "queue_depth is the drive's", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "device", .given = { { FACT_ATA_ID_75, "15" }, { FACT_QUEUE_DEPTH,
	  "16" } }, .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL, .target = "16" },
	{ .name = "queue_depth never above the device's", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "64", .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL, .target = "32" },
	{ .name = "NCQ is never switched on", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "device", .given = { { FACT_QUEUE_DEPTH, "1" } }, .ncq = NCQ_OFF,
	  .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_ADMIN },
	{ .name = "queue_depth that cannot be written", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "16", .given = { { FACT_QUEUE_DEPTH_WRITABLE, "0" } },
	  .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_KERNEL },
	{ .name = "\"device\" needs libata", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "device", .given = { { FACT_LIBATA, "0" } },
	  .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_UNDETERMINED },
	{ .name = "a driver's queue_depth is never written",
	  .tunable = TUNABLE_QUEUE_DEPTH, .wish = "16", .given = { { FACT_LIBATA, "0" } },
	  .outcome = OUTCOME_ADMIN, .owner = OWNER_UNDETERMINED, .target = "16",
	  .says = "nothing tells" },
	{ .name = "a driver's queue_depth may be the wished one",
	  .tunable = TUNABLE_QUEUE_DEPTH, .wish = "32", .given = { { FACT_LIBATA, "?" } },
	  .outcome = OUTCOME_EQUAL, .owner = OWNER_UNDETERMINED, .target = "32" },
	{ .name = "queue_depth without can_queue", .tunable = TUNABLE_QUEUE_DEPTH,
	  .wish = "16", .given = { { FACT_CAN_QUEUE, "?" } },
	  .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_KERNEL },

	{ .name = "nr_requests above the depth stays", .tunable = TUNABLE_NR_REQUESTS,
	  .wish = "depth", .outcome = OUTCOME_EQUAL, .owner = OWNER_KERNEL,
	  .target = "64" },
	{ .name = "nr_requests below the depth is raised", .tunable = TUNABLE_NR_REQUESTS,
	  .wish = "depth", .given = { { FACT_NR_REQUESTS, "20" }, { FACT_NR_TAGS,
	  "10" } }, .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL, .target = "32" },
	{ .name = "nr_requests has a floor", .tunable = TUNABLE_NR_REQUESTS, .wish = "1",
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL, .target = "4" },
	{ .name = "nr_requests without scheduler: at most the tags",
	  .tunable = TUNABLE_NR_REQUESTS, .wish = "256", .given = { { FACT_SCHEDULER,
	  "none" }, { FACT_NR_REQUESTS, "32" } }, .outcome = OUTCOME_EQUAL,
	  .owner = OWNER_KERNEL, .target = "32" },
	{ .name = "nr_requests of a bio-based device", .tunable = TUNABLE_NR_REQUESTS,
	  .wish = "64", .given = { { FACT_HW_QUEUES, "?" } },
	  .outcome = OUTCOME_UNSUPPORTED, .owner = OWNER_KERNEL },

	{ .name = "somebody's nr_requests outlives our scheduler",
	  .tunable = TUNABLE_SCHEDULER, .wish = "none", .given = { { FACT_NR_REQUESTS,
	  "1000" } }, .outcome = OUTCOME_HANDS_OFF, .owner = OWNER_KERNEL,
	  .says = "nr_requests" },
	{ .name = "somebody's nr_requests where nothing is to be switched",
	  .tunable = TUNABLE_SCHEDULER, .wish = "mq-deadline",
	  .given = { { FACT_NR_REQUESTS, "1000" } }, .outcome = OUTCOME_EQUAL,
	  .owner = OWNER_KERNEL },
	{ .name = "somebody's nr_requests does not stop a readahead",
	  .tunable = READ_AHEAD, .wish = "512", .given = { { FACT_NR_REQUESTS, "1000" } },
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL },
	{ .name = "somebody's readahead outlives our max_sectors_kb",
	  .tunable = TUNABLE_MAX_SECTORS_KB, .wish = "512",
	  .given = { { FACT_READ_AHEAD_KB, "300" } }, .outcome = OUTCOME_HANDS_OFF,
	  .owner = OWNER_KERNEL, .says = "read_ahead_kb" },
	{ .name = "somebody's readahead does not stop a scheduler",
	  .tunable = TUNABLE_SCHEDULER, .wish = "none", .given = { { FACT_READ_AHEAD_KB,
	  "300" } }, .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL },

	{ .name = "max_sectors_kb", .tunable = TUNABLE_MAX_SECTORS_KB, .wish = "512",
	  .outcome = OUTCOME_CHANGE, .owner = OWNER_KERNEL, .target = "512" },
	{ .name = "max_sectors_kb: at most the hardware's",
	  .tunable = TUNABLE_MAX_SECTORS_KB, .wish = "4096",
	  .given = { { FACT_MAX_HW_SECTORS_KB, "1280" } }, .outcome = OUTCOME_EQUAL,
	  .owner = OWNER_KERNEL, .target = "1280" },
	{ .name = "max_sectors_kb without the hardware's",
	  .tunable = TUNABLE_MAX_SECTORS_KB, .wish = "512",
	  .given = { { FACT_MAX_HW_SECTORS_KB, "?" } }, .outcome = OUTCOME_UNSUPPORTED,
	  .owner = OWNER_ADMIN },
};

static void plan_row(const struct row *row, struct change *ret)
{
	struct disk_facts facts;
	struct disk_class class = sata_ssd_class();
	struct selection selection = { .apply = !row->off, .apply_where = "somewhere:1" };
	struct disk_state state = { .held = row->held_disk,
				    .unreadable = row->unreadable };
	struct tunable_state *memory = &state.tunables[row->tunable];
	struct plan plan;

	give_sata_ssd(&facts);
	give(&facts, row->given);
	class.transport = row->transport ? row->transport : class.transport;
	class.attachment = row->attachment ? row->attachment : class.attachment;
	class.ncq = row->ncq ? row->ncq : class.ncq;
	if (row->wish) {
		selection.settings[row->tunable].present = true;
		strcpy(selection.settings[row->tunable].value, row->wish);
	}
	memory->held = row->held;
	memory->rival = row->rival;
	if (row->written) {
		memory->has_initial = memory->has_written = true;
		strcpy(memory->initial, "1");
		strcpy(memory->written, row->written);
		memory->has_asked = row->asked != NULL;
		strcpy(memory->asked, row->asked ? row->asked : "");
		strcpy(memory->answer, row->written);
	}
	plan_make(&facts, &class, &selection, &state, 4, &plan);
	*ret = plan.changes[row->tunable];
	ret->setting = NULL; /* its selection goes out of scope */
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		if (i != row->tunable)
			ROW_INT(row->name, plan.changes[i].outcome, OUTCOME_NO_SETTING);
	}
	ROW_INT(row->name, plan_count(&plan), row->outcome == OUTCOME_CHANGE);
}

/* Outcomes for which the plan says why the value is not touched. */
static bool is_obstacle(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_HELD:
	case OUTCOME_OFF:
	case OUTCOME_HANDS_OFF:
	case OUTCOME_RIVAL:
	case OUTCOME_REFUSED:
	case OUTCOME_UNSUPPORTED:
	case OUTCOME_UNKNOWN:
		return true;
	case OUTCOME_NO_SETTING:
	case OUTCOME_EQUAL:
	case OUTCOME_CHANGE:
	case OUTCOME_ADMIN:
	case _OUTCOME_MAX:
		break;
	}
	return false;
}

static void test_outcomes(void **state)
{
	bool seen[_OUTCOME_MAX] = { false };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct change change;

		plan_row(row, &change);
		ROW_TEXT(row->name, outcome_to_string(change.outcome),
			 outcome_to_string(row->outcome));
		ROW_TEXT(row->name, owner_to_string(change.owner),
			 owner_to_string(row->owner));
		ROW_INT(row->name, change.reassert, row->reassert);
		if (row->target)
			ROW_TEXT(row->name, change.target, row->target);
		if (row->says && !strstr(change.explanation, row->says) &&
		    !strstr(change.obstacle, row->says))
			fail_msg("%s: neither \"%s\" nor \"%s\" says \"%s\"", row->name,
				 change.explanation, change.obstacle, row->says);
		ROW_INT(row->name, *change.obstacle != '\0', is_obstacle(row->outcome));
		seen[row->outcome] = true;
	}
	for (int i = 0; i < _OUTCOME_MAX; i++)
		ROW_INT(outcome_to_string((enum outcome)i), seen[i], true);
}

static void test_nothing_known(void **state)
{
	struct disk_facts facts;
	struct disk_class class = { 0 };
	struct selection selection = { .apply = true };
	struct disk_state memory = { 0 };
	struct plan plan;

	(void)state;
	facts_init(&facts);
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		selection.settings[i].present = true;
		strcpy(selection.settings[i].value, "1");
	}
	plan_make(&facts, &class, &selection, &memory, 0, &plan);
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		assert_int_equal(plan.changes[i].outcome, OUTCOME_UNKNOWN);
		assert_int_equal(plan.changes[i].owner, OWNER_UNKNOWN);
		assert_string_equal(plan.changes[i].current, "");
	}
	assert_int_equal(plan_count(&plan), 0);
}

/* What is shown is what is done: the same input gives the same plan, in writing order. */
static void test_order(void **state)
{
	static const char *const order[] = {
		"scheduler",	  "queue_depth",   "nr_requests",
		"max_sectors_kb", "read_ahead_kb",
	};

	(void)state;
	assert_int_equal(ARRAY_SIZE(order), _TUNABLE_MAX);
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		assert_string_equal(tunable_to_string((enum tunable)i), order[i]);
}

static void test_large_pages(void **state)
{
	struct disk_facts facts;
	struct disk_class class = sata_ssd_class();
	struct selection selection = { .apply = true };
	struct disk_state memory = { 0 };
	struct plan plan;

	(void)state;
	give_sata_ssd(&facts);
	selection.settings[READ_AHEAD].present = true;
	strcpy(selection.settings[READ_AHEAD].value, "100");
	plan_make(&facts, &class, &selection, &memory, 64, &plan);
	assert_string_equal(plan.changes[READ_AHEAD].target, "64");
}

/*
 * What one write of ours does to another tunable's owner: our own nr_requests may be
 * reset by a switch, and our own max_sectors_kb left a readahead that is the kernel's.
 */
static void test_neighbours(void **state)
{
	static const struct given list[] = {
		{ FACT_OSRELEASE, "6.17.0" },	{ FACT_ROTATIONAL, "1" },
		{ FACT_MAX_SECTORS_KB, "512" }, { FACT_READ_AHEAD_KB, "2560" },
		{ FACT_NR_REQUESTS, "1000" },	{ FACT_NAME, NULL },
	};
	struct disk_facts facts;
	struct disk_class class = sata_ssd_class();
	struct selection selection = { .apply = true };
	struct disk_state memory = { 0 };
	struct tunable_state *slot = &memory.tunables[TUNABLE_NR_REQUESTS];
	struct plan plan;

	(void)state;
	give_sata_ssd(&facts);
	give(&facts, list);
	selection.settings[READ_AHEAD].present = true;
	strcpy(selection.settings[READ_AHEAD].value, "128");
	selection.settings[TUNABLE_SCHEDULER].present = true;
	strcpy(selection.settings[TUNABLE_SCHEDULER].value, "none");
	plan_make(&facts, &class, &selection, &memory, 4, &plan);
	assert_int_equal(plan.changes[TUNABLE_SCHEDULER].outcome, OUTCOME_HANDS_OFF);
	assert_int_equal(plan.changes[READ_AHEAD].outcome, OUTCOME_ADMIN);

	slot->has_initial = slot->has_written = true;
	strcpy(slot->initial, "64");
	strcpy(slot->written, "1000");
	slot = &memory.tunables[TUNABLE_MAX_SECTORS_KB];
	slot->has_initial = slot->has_written = true;
	strcpy(slot->initial, "1280");
	strcpy(slot->written, "512");
	plan_make(&facts, &class, &selection, &memory, 4, &plan);
	assert_int_equal(plan.changes[TUNABLE_SCHEDULER].outcome, OUTCOME_CHANGE);
	assert_int_equal(plan.changes[READ_AHEAD].outcome, OUTCOME_CHANGE);
	assert_non_null(strstr(plan.changes[READ_AHEAD].explanation, "as it was"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every outcome, by row", test_outcomes),
		TEST("a disk of which nothing is known", test_nothing_known),
		TEST("settings are written in the order of design 5.2", test_order),
		TEST("readahead is rounded to pages of 64 KiB", test_large_pages),
		TEST("what one tunable means for another", test_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
