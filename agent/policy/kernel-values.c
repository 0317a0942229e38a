/* SPDX-License-Identifier: MIT */
/*
 * The values that the kernel gives by itself, as formulas over facts. A value that one
 * of them explains may be changed; any other is somebody's wish. Sources: block/
 * blk-settings.c (blk_apply_bdi_limits, blk_queue_max_hw_sectors), block/blk-mq-sched.c
 * and block/elevator.c (defaults), drivers/ata/libata-scsi.c (queue depth), 4.18 to
 * 6.18.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "policy/plan.h"

#define READ_AHEAD_CLASSIC_KB 128U /* VM_READAHEAD_PAGES, VM_MAX_READAHEAD */
#define SCHED_TAGS_MAX 128U /* nr_requests = 2 * min(depth, 128) with a scheduler */
#define ATA_MAX_QUEUE 32U

/* BLK_DEF_MAX_SECTORS over the years: 512, 1280, then 4096 KiB. */
static const uint64_t max_sectors_defaults[] = { 512, 1280, 4096 };

_printf_(3, 4) static bool say(char *explanation, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(explanation, size, format, args);
	va_end(args);
	return true;
}

bool read_ahead_is_rounded(uint64_t value, uint64_t kb)
{
	static const uint64_t page_sizes[] = { 4, 16, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(page_sizes); i++) {
		if (value == kb - kb % page_sizes[i])
			return true;
	}
	return false;
}

static bool explains_twice(const struct disk_facts *facts, enum fact fact, uint64_t value,
			   char *explanation, size_t size)
{
	uint64_t limit = 0;

	if (!facts_number(facts, fact, &limit) || limit == 0 || limit > UINT32_MAX)
		return false;
	if (read_ahead_is_rounded(value, 2 * limit))
		return say(explanation, size,
			   "2 x %s (%" PRIu64 " KiB), the kernel's rule since "
			   "6.17 for disks flagged rotational",
			   fact_to_string(fact), limit);
	return false;
}

bool kernel_derives_readahead(const struct disk_facts *facts)
{
	const char *release = facts_text(facts, FACT_OSRELEASE);
	unsigned int version = 0, patch = 0;

	if (!release || sscanf(release, "%u.%u", &version, &patch) != 2)
		return false;
	return (version > 6 || (version == 6 && patch >= 17)) &&
	       facts_is_set(facts, FACT_ROTATIONAL) &&
	       !facts_is_set(facts, FACT_OPTIMAL_IO_SIZE);
}

static bool explains_read_ahead(const struct disk_facts *facts, uint64_t value,
				char *explanation, size_t size)
{
	uint64_t io_opt = 0;

	if (value == READ_AHEAD_CLASSIC_KB)
		return say(explanation, size, "the kernel's classical default");
	if (facts_number(facts, FACT_OPTIMAL_IO_SIZE, &io_opt) && io_opt > 0 &&
	    read_ahead_is_rounded(value, io_opt * 2 / 1024))
		return say(explanation, size,
			   "2 x optimal_io_size (%" PRIu64 " bytes), the kernel's rule",
			   io_opt);
	return kernel_derives_readahead(facts) &&
	       (explains_twice(facts, FACT_MAX_SECTORS_KB, value, explanation, size) ||
		explains_twice(facts, FACT_MAX_HW_SECTORS_KB, value, explanation, size));
}

/*
 * SCSI drivers whose hardware queues share one set of tags (Scsi_Host.host_tagset), for
 * which the kernel chooses as if there were one queue.
 */
static const char *const shared_tags_drivers[] = {
	"mpt3sas", "megaraid_sas", "smartpqi", "hisi_sas*", "ufshcd*", "ibmvfc",
};

static bool shares_tags(const struct disk_facts *facts)
{
	const char *host = facts_text(facts, FACT_PROC_NAME);
	const char *driver = facts_text(facts, FACT_HOST_DRIVER);

	for (size_t i = 0; i < ARRAY_SIZE(shared_tags_drivers); i++) {
		const char *pattern = shared_tags_drivers[i];

		if ((host && glob_match(pattern, host, false)) ||
		    (driver && glob_match(pattern, driver, false)))
			return true;
	}
	return false;
}

/*
 * elevator_get_default(): mq-deadline for one queue, or several with shared tags; else
 * none. Zoned disks got mq-deadline whatever their queues from 5.4 to 6.9, so there both
 * may be the kernel's.
 */
static bool has_default_scheduler(const struct disk_facts *facts)
{
	uint64_t queues = 0;

	return facts_number(facts, FACT_HW_QUEUES, &queues) &&
	       (queues == 1 || shares_tags(facts));
}

static bool is_zoned(const struct disk_facts *facts)
{
	const char *zoned = facts_text(facts, FACT_ZONED);

	return zoned && strcmp(zoned, "none") != 0;
}

static bool explains_scheduler(const struct disk_facts *facts, const char *value,
			       char *explanation, size_t size)
{
	const char *list = facts_text(facts, FACT_SCHEDULER_LIST);
	bool offered = list && word_in_list("mq-deadline", list);

	if (facts_is_set(facts, FACT_SCHEDULER_FIXED))
		return say(explanation, size, "this device has no queue of its own");
	if (strcmp(value, "mq-deadline") == 0)
		return (has_default_scheduler(facts) || is_zoned(facts) ||
			!facts_known(facts, FACT_HW_QUEUES)) &&
		       say(explanation, size,
			   "the kernel's default for a single hardware queue");
	if (strcmp(value, "cfq") == 0)
		return say(explanation, size, "the default of kernels before blk-mq");
	if (strcmp(value, "none") != 0)
		return false;
	if (offered && has_default_scheduler(facts))
		return false;
	return say(explanation, size,
		   "the kernel's default for more than one hardware queue, or "
		   "where no scheduler is built in");
}

static bool explains_queue_depth(const struct disk_facts *facts, uint64_t value,
				 char *explanation, size_t size)
{
	uint64_t can_queue = 0, word = 0, depth = ATA_MAX_QUEUE;

	if (!facts_is_set(facts, FACT_LIBATA))
		return false;
	if (facts_number(facts, FACT_CAN_QUEUE, &can_queue) && can_queue < depth)
		depth = can_queue;
	if (facts_number(facts, FACT_ATA_ID_75, &word) && (word & 0x1f) + 1 < depth)
		depth = (word & 0x1f) + 1;
	return value == depth && say(explanation, size,
				     "the lesser of can_queue and the drive's own depth");
}

static bool explains_nr_requests(const struct disk_facts *facts, uint64_t value,
				 char *explanation, size_t size)
{
	uint64_t tags = 0;

	if (facts_is_set(facts, FACT_SCHEDULER_FIXED))
		return say(explanation, size,
			   "unused: this device has no queue of its own");
	if (!facts_number(facts, FACT_NR_TAGS, &tags))
		return value == 128 &&
		       say(explanation, size, "the default before blk-mq");
	if (facts_is_text(facts, FACT_SCHEDULER, "none"))
		return value == tags &&
		       say(explanation, size, "the hardware queue's tags");
	tags = tags < SCHED_TAGS_MAX ? tags : SCHED_TAGS_MAX;
	return value == 2 * tags &&
	       say(explanation, size,
		   "2 x min(hardware tags, 128), the kernel's default");
}

static bool explains_max_sectors(const struct disk_facts *facts, uint64_t value,
				 char *explanation, size_t size)
{
	uint64_t hw = 0;

	if (!facts_number(facts, FACT_MAX_HW_SECTORS_KB, &hw))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(max_sectors_defaults); i++) {
		uint64_t limit = max_sectors_defaults[i];

		if (value == (hw < limit ? hw : limit))
			return say(explanation, size,
				   "the kernel's default, at most max_hw_sectors_kb");
	}
	return false;
}

bool kernel_explains(const struct disk_facts *facts, const struct disk_class *class,
		     enum tunable tunable, const char *value, char *ret_explanation,
		     size_t size)
{
	uint64_t number = 0;

	(void)class;
	if (tunable_is_number(tunable) && parse_u64(value, &number) < 0)
		return false;
	switch (tunable) {
	case TUNABLE_SCHEDULER:
		return explains_scheduler(facts, value, ret_explanation, size);
	case TUNABLE_QUEUE_DEPTH:
		return explains_queue_depth(facts, number, ret_explanation, size);
	case TUNABLE_NR_REQUESTS:
		return explains_nr_requests(facts, number, ret_explanation, size);
	case TUNABLE_MAX_SECTORS_KB:
		return explains_max_sectors(facts, number, ret_explanation, size);
	case TUNABLE_READ_AHEAD_KB:
		return explains_read_ahead(facts, number, ret_explanation, size);
	case _TUNABLE_MAX:
		break;
	}
	return false;
}

/*
 * Readahead that the kernel derived from max_sectors_kb before we changed that: newer
 * kernels never lower it again.
 */
static bool explained_by_baseline(const struct disk_facts *facts,
				  const struct disk_state *state, const char *value,
				  char *explanation, size_t size)
{
	const struct tunable_state *memory = &state->tunables[TUNABLE_MAX_SECTORS_KB];
	uint64_t number = 0, limit = 0;

	return memory->has_initial && kernel_derives_readahead(facts) &&
	       parse_u64(value, &number) == 0 &&
	       parse_u64(memory->initial, &limit) == 0 &&
	       read_ahead_is_rounded(number, 2 * limit) &&
	       say(explanation, size, "2 x max_sectors_kb as it was (%s KiB)",
		   memory->initial);
}

enum owner value_owner(const struct disk_facts *facts, const struct disk_class *class,
		       const struct disk_state *state, enum tunable tunable,
		       char *ret_explanation, size_t size)
{
	const struct tunable_state *memory = &state->tunables[tunable];
	char current[FACT_TEXT_MAX];

	if (size > 0)
		ret_explanation[0] = '\0';
	if (!facts_format(facts, tunable_fact(tunable), current, sizeof(current)))
		return OWNER_UNKNOWN;
	if (memory->has_written && strcmp(memory->written, current) == 0) {
		(void)say(ret_explanation, size, "written by blkadvise");
		return OWNER_BLKADVISE;
	}
	if (kernel_explains(facts, class, tunable, current, ret_explanation, size))
		return OWNER_KERNEL;
	if (tunable == TUNABLE_READ_AHEAD_KB &&
	    explained_by_baseline(facts, state, current, ret_explanation, size))
		return OWNER_KERNEL;
	if (memory->has_written) {
		(void)say(ret_explanation, size, "changed since blkadvise wrote %s",
			  memory->written);
		return OWNER_ADMIN;
	}
	if (tunable == TUNABLE_QUEUE_DEPTH && !facts_is_set(facts, FACT_LIBATA)) {
		(void)say(ret_explanation, size,
			  "the driver's choice or a person's: nothing tells");
		return OWNER_UNDETERMINED;
	}
	(void)say(ret_explanation, size, "no rule of the kernel gives this value");
	return OWNER_ADMIN;
}
