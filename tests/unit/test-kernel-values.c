/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own values, formula by formula, each with values that it gives and values
 * next to them that it does not: those are somebody's wish and must stay.
 */
#include <string.h>

#include "policy/plan.h"
#include "support.h"

#define GIVEN_MAX 5

struct row {
	const char *name;
	enum tunable tunable;
	const char *value;
	bool explained;
	struct given given[GIVEN_MAX];
	const char *says;
};

#define READ_AHEAD TUNABLE_READ_AHEAD_KB
#define IO_OPT(value) { FACT_OPTIMAL_IO_SIZE, value }
#define RELEASE(value) { FACT_OSRELEASE, value }
#define ROTATIONAL { FACT_ROTATIONAL, "1" }, RELEASE("6.17.0-1-amd64")

static const struct row read_ahead_rows[] = {
	{ "the classical default", READ_AHEAD, "128", true, { { 0 } }, "classical" },
	{ "less than it", READ_AHEAD, "124", false, { { 0 } }, NULL },
	{ "more than it", READ_AHEAD, "132", false, { { 0 } }, NULL },
	{ "nothing", READ_AHEAD, "0", false, { { 0 } }, NULL },
	{ "not a number", READ_AHEAD, "128 junk", false, { { 0 } }, NULL },
	{ "negative", READ_AHEAD, "-128", false, { { 0 } }, NULL },
	{ "twice io_opt", READ_AHEAD, "512", true, { IO_OPT("262144") },
	  "optimal_io_size" },
	{ "once io_opt", READ_AHEAD, "256", false, { IO_OPT("262144") }, NULL },
	{ "more than twice io_opt", READ_AHEAD, "516", false, { IO_OPT("262144") },
	  NULL },
	{ "less than twice io_opt by a page", READ_AHEAD, "508", false,
	  { IO_OPT("262144") }, NULL },
	{ "less than twice io_opt by 56", READ_AHEAD, "456", false, { IO_OPT("262144") },
	  NULL },
	{ "a bridge's 65535 blocks, in pages of 4 KiB", READ_AHEAD, "65532", true,
	  { IO_OPT("33553920") }, "33553920" },
	{ "the same in pages of 16 KiB", READ_AHEAD, "65520", true,
	  { IO_OPT("33553920") }, "33553920" },
	{ "the same in pages of 64 KiB", READ_AHEAD, "65472", true,
	  { IO_OPT("33553920") }, "33553920" },
	{ "no whole page", READ_AHEAD, "65534", false, { IO_OPT("33553920") }, NULL },
	{ "128 stays explained beside io_opt", READ_AHEAD, "128", true,
	  { IO_OPT("4194304") }, "classical" },
	{ "twice max_sectors_kb if rotational", READ_AHEAD, "2560", true, { ROTATIONAL },
	  "max_sectors_kb" },
	{ "twice max_hw_sectors_kb if rotational", READ_AHEAD, "65532", true,
	  { ROTATIONAL }, "max_hw_sectors_kb" },
	{ "once max_sectors_kb if rotational", READ_AHEAD, "1280", false, { ROTATIONAL },
	  NULL },
	{ "twice max_sectors_kb and a page less", READ_AHEAD, "2556", false,
	  { ROTATIONAL }, NULL },
	{ "twice max_sectors_kb if not rotational", READ_AHEAD, "2560", false, { { 0 } },
	  NULL },
	{ "twice max_sectors_kb if unknown", READ_AHEAD, "2560", false,
	  { { FACT_ROTATIONAL, "?" }, RELEASE("6.17.0") }, NULL },
	{ "twice max_sectors_kb before 6.17", READ_AHEAD, "2560", false, { ROTATIONAL,
	  RELEASE("6.16.12+deb13-amd64") }, NULL },
	{ "twice max_hw_sectors_kb before 6.17", READ_AHEAD, "65532", false,
	  { ROTATIONAL, RELEASE("6.1.0") }, NULL },
	{ "twice max_sectors_kb of a release candidate", READ_AHEAD, "2560", true,
	  { ROTATIONAL, RELEASE("6.17-rc1") }, "6.17" },
	{ "twice max_sectors_kb of 7.0", READ_AHEAD, "2560", true, { ROTATIONAL,
	  RELEASE("7.0.1") }, NULL },
	{ "twice max_sectors_kb of 10.2", READ_AHEAD, "2560", true, { ROTATIONAL,
	  RELEASE("10.2") }, NULL },
	{ "twice max_sectors_kb of 5.19", READ_AHEAD, "2560", false, { ROTATIONAL,
	  RELEASE("5.19.0") }, NULL },
	{ "twice max_sectors_kb of an unknown kernel", READ_AHEAD, "2560", false,
	  { ROTATIONAL, RELEASE("?") }, NULL },
	{ "twice max_sectors_kb of a kernel without numbers", READ_AHEAD, "2560", false,
	  { ROTATIONAL, RELEASE("linux") }, NULL },
	{ "twice max_sectors_kb of half a number", READ_AHEAD, "2560", false,
	  { ROTATIONAL, RELEASE("7") }, NULL },
	{ "twice max_sectors_kb where io_opt is unknown", READ_AHEAD, "2560", true,
	  { ROTATIONAL, IO_OPT("?") }, NULL },
	{ "twice max_sectors_kb beside io_opt", READ_AHEAD, "2560", false, { ROTATIONAL,
	  IO_OPT("65536") }, NULL },
	{ "twice an unknown max_sectors_kb", READ_AHEAD, "2560", false, { ROTATIONAL,
	  { FACT_MAX_SECTORS_KB, "?" } }, NULL },
	{ "max_sectors_kb of 0", READ_AHEAD, "0", false, { ROTATIONAL,
	  { FACT_MAX_SECTORS_KB, "0" } }, NULL },
	{ "io_opt near the end of 64 bits", READ_AHEAD, "4", false,
	  { IO_OPT("18446744073709551615") }, NULL },
};

#define SCHEDULER TUNABLE_SCHEDULER
#define QUEUES(value) { FACT_HW_QUEUES, value }

static const struct row scheduler_rows[] = {
	{ "mq-deadline on one queue", SCHEDULER, "mq-deadline", true, { { 0 } },
	  "single" },
	{ "none on one queue", SCHEDULER, "none", false, { { 0 } }, NULL },
	{ "none on one queue without others", SCHEDULER, "none", true,
	  { { FACT_SCHEDULER_LIST, "none" } }, NULL },
	{ "none on one queue beside bfq only", SCHEDULER, "none", true,
	  { { FACT_SCHEDULER_LIST, "none bfq" } }, NULL },
	{ "none on a SCSI host's shared tags", SCHEDULER, "none", false, { QUEUES("8"),
	  { FACT_PROC_NAME, "mpt3sas" } }, NULL },
	{ "none on a SCSI host with tags for each queue", SCHEDULER, "none", true,
	  { QUEUES("8") }, "more than one hardware queue" },
	{ "mq-deadline there", SCHEDULER, "mq-deadline", false, { QUEUES("8") }, NULL },
	{ "none on shared tags without others", SCHEDULER, "none", true, { QUEUES("8"),
	  { FACT_SCHEDULER_LIST, "none bfq" } }, "where no scheduler" },
	{ "mq-deadline on a SCSI host's shared tags", SCHEDULER, "mq-deadline", true,
	  { QUEUES("8"), { FACT_HOST_DRIVER, "hisi_sas_v3_hw" } }, NULL },
	{ "none without mq", SCHEDULER, "none", true, { QUEUES("?") }, NULL },
	{ "cfq of old kernels", SCHEDULER, "cfq", true, { { 0 } }, NULL },
	{ "bfq", SCHEDULER, "bfq", false, { { 0 } }, NULL },
	{ "kyber", SCHEDULER, "kyber", false, { { 0 } }, NULL },
	{ "deadline", SCHEDULER, "deadline", false, { { 0 } }, NULL },
	{ "mq-deadline on a zoned disk's queues", SCHEDULER, "mq-deadline", true,
	  { QUEUES("4"), { FACT_ZONED, "host-managed" } }, NULL },
	{ "none on a zoned disk's queues, as since 6.10", SCHEDULER, "none", true,
	  { QUEUES("4"), { FACT_ZONED, "host-managed" } }, NULL },
	{ "none on a zoned disk's one queue", SCHEDULER, "none", false,
	  { { FACT_ZONED, "host-managed" } }, NULL },
	{ "mq-deadline without mq", SCHEDULER, "mq-deadline", true, { QUEUES("?") },
	  NULL },
};

static const struct row depth_rows[] = {
	{ "the drive's and the host's", TUNABLE_QUEUE_DEPTH, "32", true, { { 0 } },
	  "lesser" },
	{ "one less", TUNABLE_QUEUE_DEPTH, "31", false, { { 0 } }, NULL },
	{ "one", TUNABLE_QUEUE_DEPTH, "1", false, { { 0 } }, NULL },
	{ "a host of 31", TUNABLE_QUEUE_DEPTH, "31", true, { { FACT_CAN_QUEUE, "31" } },
	  NULL },
	{ "a host of 1", TUNABLE_QUEUE_DEPTH, "1", true, { { FACT_CAN_QUEUE, "1" } },
	  NULL },
	{ "a drive of 16", TUNABLE_QUEUE_DEPTH, "16", true, { { FACT_ATA_ID_75, "15" } },
	  NULL },
	{ "a drive of 16 at 32", TUNABLE_QUEUE_DEPTH, "32", false, { { FACT_ATA_ID_75,
	  "15" } }, NULL },
	{ "word 75 has five bits", TUNABLE_QUEUE_DEPTH, "32", true, { { FACT_ATA_ID_75,
	  "0xffff" } }, NULL },
	{ "a host of 64", TUNABLE_QUEUE_DEPTH, "32", true, { { FACT_CAN_QUEUE, "64" } },
	  NULL },
	{ "not libata: nothing tells the driver's choice from a person's",
	  TUNABLE_QUEUE_DEPTH, "32", false, { { FACT_LIBATA, "?" } }, NULL },
};

#define REQUESTS TUNABLE_NR_REQUESTS

static const struct row requests_rows[] = {
	{ "twice the tags", REQUESTS, "64", true, { { 0 } }, "2 x min" },
	{ "once the tags with a scheduler", REQUESTS, "32", false, { { 0 } }, NULL },
	{ "twice 128 at most", REQUESTS, "256", true, { { FACT_NR_TAGS, "1024" } },
	  NULL },
	{ "twice more than 128", REQUESTS, "2048", false, { { FACT_NR_TAGS, "1024" } },
	  NULL },
	{ "the tags without scheduler", REQUESTS, "1023", true, { { FACT_NR_TAGS,
	  "1023" }, { FACT_SCHEDULER, "none" } }, "tags" },
	{ "256 without scheduler", REQUESTS, "256", false, { { FACT_NR_TAGS, "1023" },
	  { FACT_SCHEDULER, "none" } }, NULL },
	{ "128 before blk-mq", REQUESTS, "128", true, { { FACT_NR_TAGS, "?" } },
	  "before" },
	{ "256 before blk-mq", REQUESTS, "256", false, { { FACT_NR_TAGS, "?" } }, NULL },
	{ "a host of one command", REQUESTS, "2", true, { { FACT_NR_TAGS, "1" } }, NULL },
};

#define SECTORS TUNABLE_MAX_SECTORS_KB
#define HARDWARE(value) { FACT_MAX_HW_SECTORS_KB, value }

static const struct row sectors_rows[] = {
	{ "512 of old kernels", SECTORS, "512", true, { { 0 } }, "default" },
	{ "1280", SECTORS, "1280", true, { { 0 } }, NULL },
	{ "4096 of new kernels", SECTORS, "4096", true, { { 0 } }, NULL },
	{ "1024", SECTORS, "1024", false, { { 0 } }, NULL },
	{ "all of a large hardware limit", SECTORS, "32767", false, { { 0 } }, NULL },
	{ "all of a small hardware limit", SECTORS, "120", true, { HARDWARE("120") },
	  NULL },
	{ "less than a small hardware limit", SECTORS, "64", false, { HARDWARE("120") },
	  NULL },
	{ "an unknown hardware limit", SECTORS, "1280", false, { HARDWARE("?") }, NULL },
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		struct disk_facts facts;
		struct disk_class class = sata_ssd_class();
		char why[160] = "untouched";

		give_sata_ssd(&facts);
		give(&facts, row->given);
		ROW_INT(row->name,
			kernel_explains(&facts, &class, row->tunable, row->value, why,
					sizeof(why)),
			row->explained);
		if (!row->explained)
			ROW_TEXT(row->name, why, "untouched");
		if (row->says && !strstr(why, row->says))
			fail_msg("%s: \"%s\" does not say \"%s\"", row->name, why,
				 row->says);
	}
}

static void test_read_ahead(void **state)
{
	(void)state;
	check_rows(read_ahead_rows, ARRAY_SIZE(read_ahead_rows));
}

static void test_scheduler(void **state)
{
	(void)state;
	check_rows(scheduler_rows, ARRAY_SIZE(scheduler_rows));
}

/* One queue each is the kernel's rule; hosts with shared tags count as one. */
static void test_scheduler_of_many_queues(void **state)
{
	static const struct given list[] = {
		{ FACT_NAME, "nvme0n1" },
		{ FACT_HW_QUEUES, "8" },
		{ FACT_SCHEDULER, "mq-deadline" },
		{ FACT_SCHEDULER_LIST, "none mq-deadline" },
		{ FACT_NAME, NULL },
	};
	struct disk_facts facts;
	struct disk_class class = { .class = CLASS_NVME_SSD };
	char why[160];

	(void)state;
	facts_init(&facts);
	give(&facts, list);
	assert_false(kernel_explains(&facts, &class, SCHEDULER, "mq-deadline", why,
				     sizeof(why)));
	assert_true(kernel_explains(&facts, &class, SCHEDULER, "none", why, sizeof(why)));
	facts_set_number(&facts, FACT_HW_QUEUES, 1);
	assert_false(
		kernel_explains(&facts, &class, SCHEDULER, "none", why, sizeof(why)));
	facts_set_number(&facts, FACT_HW_QUEUES, 8);
	facts_set_text(&facts, FACT_PROC_NAME, "megaraid_sas");
	assert_true(kernel_explains(&facts, &class, SCHEDULER, "mq-deadline", why,
				    sizeof(why)));
	assert_false(
		kernel_explains(&facts, &class, SCHEDULER, "none", why, sizeof(why)));
}

static void test_queue_depth(void **state)
{
	(void)state;
	check_rows(depth_rows, ARRAY_SIZE(depth_rows));
}

static void test_nr_requests(void **state)
{
	(void)state;
	check_rows(requests_rows, ARRAY_SIZE(requests_rows));
}

static void test_max_sectors(void **state)
{
	(void)state;
	check_rows(sectors_rows, ARRAY_SIZE(sectors_rows));
}

static void test_garbage(void **state)
{
	static const char *const garbage[] = {
		"", "-1", "0x80", "(null)", "99999999999999999999", "128\n128", " 128",
	};

	(void)state;
	for (int tunable = 0; tunable < _TUNABLE_MAX; tunable++) {
		struct row row = { .tunable = (enum tunable)tunable };

		for (size_t i = 0; i < ARRAY_SIZE(garbage); i++) {
			row.name = row.value = garbage[i];
			check_rows(&row, 1);
		}
	}
}

static void test_owner(void **state)
{
	struct disk_facts facts;
	struct disk_class class = sata_ssd_class();
	struct disk_state memory = { 0 };
	struct tunable_state *slot = &memory.tunables[READ_AHEAD];
	char why[160] = "old";

	(void)state;
	facts_init(&facts);
	assert_int_equal(
		value_owner(&facts, &class, &memory, READ_AHEAD, why, sizeof(why)),
		OWNER_UNKNOWN);
	assert_string_equal(why, "");
	give_sata_ssd(&facts);
	assert_int_equal(
		value_owner(&facts, &class, &memory, READ_AHEAD, why, sizeof(why)),
		OWNER_KERNEL);
	slot->has_written = true;
	strcpy(slot->written, "128");
	assert_int_equal(
		value_owner(&facts, &class, &memory, READ_AHEAD, why, sizeof(why)),
		OWNER_BLKADVISE);
	facts_set_number(&facts, FACT_READ_AHEAD_KB, 300);
	assert_int_equal(
		value_owner(&facts, &class, &memory, READ_AHEAD, why, sizeof(why)),
		OWNER_ADMIN);
	assert_string_equal(why, "changed since blkadvise wrote 128");
}

/* Nothing tells the driver's choice from a person's, so neither is claimed. */
static void test_depth_owner(void **state)
{
	struct disk_facts facts;
	struct disk_class class = sata_ssd_class();
	struct disk_state memory = { 0 };
	struct tunable_state *slot = &memory.tunables[TUNABLE_QUEUE_DEPTH];
	char why[160];

	(void)state;
	give_sata_ssd(&facts);
	facts_clear(&facts, FACT_LIBATA);
	for (uint64_t depth = 1; depth <= 256; depth *= 2) {
		facts_set_number(&facts, FACT_QUEUE_DEPTH, depth);
		assert_int_equal(value_owner(&facts, &class, &memory, TUNABLE_QUEUE_DEPTH,
					     why, sizeof(why)),
				 OWNER_UNDETERMINED);
		assert_non_null(strstr(why, "nothing tells"));
	}
	slot->has_written = true;
	strcpy(slot->written, "256");
	assert_int_equal(value_owner(&facts, &class, &memory, TUNABLE_QUEUE_DEPTH, why,
				     sizeof(why)),
			 OWNER_BLKADVISE);
	facts_clear(&facts, FACT_QUEUE_DEPTH);
	assert_int_equal(value_owner(&facts, &class, &memory, TUNABLE_QUEUE_DEPTH, why,
				     sizeof(why)),
			 OWNER_UNKNOWN);
}

/* A lower max_sectors_kb of ours leaves the readahead that came from the old one. */
static void test_baseline_readahead(void **state)
{
	static const struct {
		const char *name, *release, *initial, *rotational, *read_ahead;
		enum owner owner;
	} rows[] = {
		{ "ours", "6.17.0", "1280", "1", "2560", OWNER_KERNEL },
		{ "ours, in pages of 64 KiB", "6.17.0", "1000", "1", "1984",
		  OWNER_KERNEL },
		{ "of the value that stands there now", "6.17.0", "1280", "1", "1024",
		  OWNER_KERNEL },
		{ "of neither", "6.17.0", "1280", "1", "2564", OWNER_ADMIN },
		{ "without a baseline", "6.17.0", NULL, "1", "2560", OWNER_ADMIN },
		{ "of a senseless baseline", "6.17.0", "x", "1", "2560", OWNER_ADMIN },
		{ "before 6.17", "6.16.0", "1280", "1", "2560", OWNER_ADMIN },
		{ "not rotational", "6.17.0", "1280", "0", "2560", OWNER_ADMIN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct given list[] = {
			RELEASE(rows[i].release), { FACT_ROTATIONAL, rows[i].rotational },
			{ FACT_MAX_SECTORS_KB, "512" },
			{ FACT_READ_AHEAD_KB, rows[i].read_ahead },
			{ FACT_NAME, NULL },
		};
		struct disk_facts facts;
		struct disk_class class = sata_ssd_class();
		struct disk_state memory = { 0 };
		struct tunable_state *slot = &memory.tunables[TUNABLE_MAX_SECTORS_KB];
		char why[160];

		give_sata_ssd(&facts);
		give(&facts, list);
		slot->has_initial = rows[i].initial != NULL;
		strcpy(slot->initial, rows[i].initial ? rows[i].initial : "1280");
		ROW_INT(rows[i].name,
			value_owner(&facts, &class, &memory, READ_AHEAD, why,
				    sizeof(why)),
			rows[i].owner);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("read_ahead_kb", test_read_ahead),
		TEST("scheduler", test_scheduler),
		TEST("scheduler of many queues", test_scheduler_of_many_queues),
		TEST("queue_depth", test_queue_depth),
		TEST("nr_requests", test_nr_requests),
		TEST("max_sectors_kb", test_max_sectors),
		TEST("garbage is never the kernel's", test_garbage),
		TEST("whose value it is", test_owner),
		TEST("a queue_depth of which nothing tells", test_depth_owner),
		TEST("readahead from a max_sectors_kb that we changed",
		     test_baseline_readahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
