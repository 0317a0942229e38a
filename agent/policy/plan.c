/* SPDX-License-Identifier: MIT */
/*
 * One tunable after the other: is there a setting, may we, is it needed, whose is the
 * value that stands there. The first question that says no gives the outcome.
 */
#include "policy/plan.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/text.h"

#define ATA_MAX_QUEUE 32U
#define BLKDEV_MIN_RQ 4U /* nr_requests below is raised to it */

static const char *const owner_words[] = {
	[OWNER_UNKNOWN] = "unknown",
	[OWNER_KERNEL] = "kernel",
	[OWNER_BLKADVISE] = "blkadvise",
	[OWNER_UNDETERMINED] = "undetermined",
	[OWNER_ADMIN] = "admin",
};

static const char *const outcome_words[] = {
	[OUTCOME_NO_SETTING] = "no-setting",
	[OUTCOME_EQUAL] = "equal",
	[OUTCOME_CHANGE] = "change",
	[OUTCOME_ADMIN] = "admin",
	[OUTCOME_HELD] = "held",
	[OUTCOME_OFF] = "off",
	[OUTCOME_HANDS_OFF] = "hands-off",
	[OUTCOME_RIVAL] = "rival",
	[OUTCOME_REFUSED] = "refused",
	[OUTCOME_UNSUPPORTED] = "unsupported",
	[OUTCOME_UNKNOWN] = "unknown",
};

DEFINE_WORDS(owner, enum owner)
DEFINE_WORDS(outcome, enum outcome)

struct planning {
	const struct disk_facts *facts;
	const struct disk_class *class;
	const struct selection *selection;
	const struct disk_state *state;
	unsigned int page_kb;
};

static bool set_target(struct change *change, uint64_t number)
{
	(void)snprintf(change->target, sizeof(change->target), "%" PRIu64, number);
	return true;
}

/* The first scheduler of the wish list that the kernel offers for this disk. */
static bool target_scheduler(const struct planning *planning, const char *wish,
			     struct change *change)
{
	const char *list = facts_text(planning->facts, FACT_SCHEDULER_LIST);
	char text[64], *place = NULL;

	if (!list || facts_is_set(planning->facts, FACT_SCHEDULER_FIXED))
		return false;
	(void)snprintf(text, sizeof(text), "%s", wish);
	for (char *word = strtok_r(text, " ", &place); word;
	     word = strtok_r(NULL, " ", &place)) {
		if (word_in_list(word, list) && strlen(word) < sizeof(change->target)) {
			strcpy(change->target, word);
			return true;
		}
	}
	return false;
}

/* "device": what host and drive take. Only where NCQ is on: it is never switched on. */
static bool target_queue_depth(const struct planning *planning, const char *wish,
			       struct change *change)
{
	const struct disk_facts *facts = planning->facts;
	uint64_t can_queue = 0, word = 0, depth = 0, number = 0;

	if (facts_is_clear(facts, FACT_QUEUE_DEPTH_WRITABLE))
		return false;
	if (facts_is_set(facts, FACT_LIBATA) && planning->class->ncq != NCQ_ON)
		return false;
	if (!facts_number(facts, FACT_CAN_QUEUE, &can_queue) || can_queue == 0)
		return false;
	depth = can_queue;
	if (facts_is_set(facts, FACT_LIBATA)) {
		if (!facts_number(facts, FACT_ATA_ID_75, &word))
			return false;
		depth = depth < ATA_MAX_QUEUE ? depth : ATA_MAX_QUEUE;
		depth = (word & 0x1f) + 1 < depth ? (word & 0x1f) + 1 : depth;
	}
	if (strcmp(wish, "device") == 0)
		return facts_is_set(facts, FACT_LIBATA) && set_target(change, depth);
	if (parse_u64(wish, &number) < 0)
		return false;
	return set_target(change, number < depth ? number : depth);
}

/* "depth": at least as many requests as the disk takes commands. */
static bool target_nr_requests(const struct planning *planning, const char *wish,
			       struct change *change)
{
	const struct disk_facts *facts = planning->facts;
	bool none = facts_is_text(facts, FACT_SCHEDULER, "none");
	uint64_t current = 0, depth = 0, tags = 0;

	if (!facts_known(facts, FACT_HW_QUEUES))
		return false;
	if (strcmp(wish, "depth") == 0) {
		if (!facts_number(facts, FACT_NR_REQUESTS, &current) ||
		    !facts_number(facts, FACT_QUEUE_DEPTH, &depth))
			return false;
		depth = depth > current ? depth : current;
	} else if (parse_u64(wish, &depth) < 0) {
		return false;
	} else if (depth < BLKDEV_MIN_RQ) {
		depth = BLKDEV_MIN_RQ;
	}
	if (none && facts_number(facts, FACT_NR_TAGS, &tags) && depth > tags)
		depth = tags;
	return set_target(change, depth);
}

static bool target_max_sectors(const struct planning *planning, const char *wish,
			       struct change *change)
{
	uint64_t number = 0, limit = 0;

	if (parse_u64(wish, &number) < 0 ||
	    !facts_number(planning->facts, FACT_MAX_HW_SECTORS_KB, &limit))
		return false;
	return set_target(change, number < limit ? number : limit);
}

static bool target_read_ahead(const struct planning *planning, const char *wish,
			      struct change *change)
{
	uint64_t number = 0;

	if (parse_u64(wish, &number) < 0)
		return false;
	return set_target(change, number - number % planning->page_kb);
}

static bool find_target(const struct planning *planning, struct change *change)
{
	const char *wish = change->setting->value;

	switch (change->tunable) {
	case TUNABLE_SCHEDULER:
		return target_scheduler(planning, wish, change);
	case TUNABLE_QUEUE_DEPTH:
		return target_queue_depth(planning, wish, change);
	case TUNABLE_NR_REQUESTS:
		return target_nr_requests(planning, wish, change);
	case TUNABLE_MAX_SECTORS_KB:
		return target_max_sectors(planning, wish, change);
	case TUNABLE_READ_AHEAD_KB:
		return target_read_ahead(planning, wish, change);
	case _TUNABLE_MAX:
		break;
	}
	return false;
}

static bool is_zoned(const struct disk_facts *facts)
{
	return facts_is_text(facts, FACT_ZONED, "host-managed") ||
	       facts_is_text(facts, FACT_ZONED, "host-aware");
}

static bool is_san(const struct disk_class *class)
{
	return class->transport == TRANSPORT_FC || class->transport == TRANSPORT_ISCSI;
}

static bool has_errors(const struct disk_facts *facts)
{
	return facts_is_set(facts, FACT_ERING_ERRORS);
}

/* Before the multipath device is there, udev's properties tell what will become of it. */
static bool is_multipath_member(const struct disk_facts *facts)
{
	return facts_is_set(facts, FACT_MULTIPATH_MEMBER) ||
	       facts_is_set(facts, FACT_DM_MULTIPATH_PATH) ||
	       facts_is_text(facts, FACT_ID_FS_TYPE, "mpath_member");
}

/* Why this kind of disk, or this tunable of it, is not touched; NULL if it may be. */
static const char *hands_off(const struct planning *planning, enum tunable tunable,
			     const char *target)
{
	const struct disk_facts *facts = planning->facts;
	bool read_ahead = tunable == TUNABLE_READ_AHEAD_KB;

	if (disk_is_ignored(facts))
		return "loop, ram and zram devices are left alone";
	if (is_multipath_member(facts))
		return "a path of a multipath device: only that device counts";
	if (read_ahead && facts_is_set(facts, FACT_HIDDEN))
		return "a hidden path device: the multipath head's readahead counts";
	if (read_ahead && facts_known(facts, FACT_HOLDERS))
		return "held by another device as a whole: that one's readahead counts";
	if (is_zoned(facts) &&
	    !(tunable == TUNABLE_SCHEDULER && strcmp(target, "mq-deadline") == 0))
		return "a zoned disk: nothing but mq-deadline is set";
	if (is_san(planning->class) && tunable == TUNABLE_QUEUE_DEPTH)
		return "a SAN's depth is its vendor's figure";
	if (planning->class->attachment == ATTACHMENT_STACKED && !read_ahead)
		return "a stacked device has only a readahead of its own";
	if (facts_is_set(facts, FACT_NVME_HEAD) && !read_ahead)
		return "a multipath head's queues are its path devices";
	if (has_errors(facts) && !read_ahead)
		return "the drive has an error history: only readahead is set";
	return NULL;
}

static void stop(struct change *change, enum outcome outcome, const char *why)
{
	change->outcome = outcome;
	(void)snprintf(change->obstacle, sizeof(change->obstacle), "%s", why);
}

/* Whose the value is decides, once it is known to differ from the target. */
static void judge_difference(const struct planning *planning, struct change *change)
{
	const struct tunable_state *memory = &planning->state->tunables[change->tunable];

	if (memory->has_asked && strcmp(memory->asked, change->target) == 0 &&
	    strcmp(memory->answer, change->current) == 0) {
		stop(change, OUTCOME_REFUSED,
		     "the kernel was asked for it before, and did not take it");
	} else if (change->owner == OWNER_ADMIN ||
		   change->owner == OWNER_UNDETERMINED) {
		change->outcome = OUTCOME_ADMIN;
	} else if (change->owner == OWNER_KERNEL && memory->has_written &&
		   memory->rival) {
		stop(change, OUTCOME_RIVAL,
		     "set again three times within an hour and changed each time: "
		     "somebody else writes here");
	} else {
		change->reassert = change->owner == OWNER_KERNEL && memory->has_written;
		change->outcome = OUTCOME_CHANGE;
	}
}

/*
 * A switch of the scheduler resets nr_requests, and a change of a limit may raise
 * readahead: values that somebody set there are worth more than our wish here.
 */
static bool would_reset(const struct planning *planning, enum tunable tunable)
{
	enum tunable victim = tunable == TUNABLE_SCHEDULER ? TUNABLE_NR_REQUESTS :
							     TUNABLE_READ_AHEAD_KB;
	char explanation[160];

	if (tunable != TUNABLE_SCHEDULER && tunable != TUNABLE_MAX_SECTORS_KB)
		return false;
	return value_owner(planning->facts, planning->class, planning->state, victim,
			   explanation, sizeof(explanation)) == OWNER_ADMIN;
}

static void plan_tunable(const struct planning *planning, struct change *change)
{
	const struct selection *selection = planning->selection;
	const struct disk_state *state = planning->state;
	enum tunable tunable = change->tunable;
	const char *why = NULL;

	change->owner = value_owner(planning->facts, planning->class, state, tunable,
				    change->explanation, sizeof(change->explanation));
	if (change->owner != OWNER_UNKNOWN)
		(void)facts_format(planning->facts, tunable_fact(tunable),
				   change->current, sizeof(change->current));
	if (!selection->settings[tunable].present) {
		change->outcome = OUTCOME_NO_SETTING;
		return;
	}
	change->setting = &selection->settings[tunable];
	if (change->owner == OWNER_UNKNOWN) {
		stop(change, OUTCOME_UNKNOWN,
		     "the attribute is not there, or made no sense");
		return;
	}
	if (!find_target(planning, change)) {
		stop(change, OUTCOME_UNSUPPORTED, "this disk does not take the value");
		return;
	}
	if (strcmp(change->current, change->target) == 0) {
		change->outcome = OUTCOME_EQUAL;
		return;
	}
	why = hands_off(planning, tunable, change->target);
	if (why)
		stop(change, OUTCOME_HANDS_OFF, why);
	else if (!selection->apply)
		stop(change, OUTCOME_OFF, selection->apply_where);
	else if (state->unreadable)
		stop(change, OUTCOME_HELD,
		     "what is remembered of this disk cannot be read");
	else if (state->held || state->tunables[tunable].held)
		stop(change, OUTCOME_HELD,
		     "held by `blkadvise hold` or `restore`, until the next boot");
	else if (would_reset(planning, tunable))
		stop(change, OUTCOME_HANDS_OFF,
		     tunable == TUNABLE_SCHEDULER ?
			     "a switch would reset the nr_requests that somebody set" :
			     "a change may reset the read_ahead_kb that somebody set");
	else
		judge_difference(planning, change);
}

void plan_make(const struct disk_facts *facts, const struct disk_class *class,
	       const struct selection *selection, const struct disk_state *state,
	       unsigned int page_kb, struct plan *ret)
{
	struct planning planning = {
		.facts = facts,
		.class = class,
		.selection = selection,
		.state = state,
		.page_kb = page_kb > 0 ? page_kb : 4,
	};

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		ret->changes[i].tunable = (enum tunable)i;
		plan_tunable(&planning, &ret->changes[i]);
	}
}

size_t plan_count(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		n += plan->changes[i].outcome == OUTCOME_CHANGE;
	return n;
}
