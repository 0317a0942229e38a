/* SPDX-License-Identifier: MIT */
/*
 * Readahead: whether the value stands where it counts, and fits what is read there. The
 * page cache takes that of the device under the file system, whatever the devices below
 * have (mm/readahead.c).
 */
#include <stdlib.h>

#include "diagnose/readahead.h"

#define MEMBERS_MANY 4U
#define STRIPE_MAX (32U * 1024 * 1024) /* what NVMe's largest io_opt claims, and more */

/* Whether the kernel by itself would show this value, as far as the facts tell. */
static bool is_kernels(const struct disk_facts *facts, const struct disk_class *class)
{
	char value[FACT_TEXT_MAX] = "", explanation[200];

	return facts_format(facts, FACT_READ_AHEAD_KB, value, sizeof(value)) &&
	       kernel_explains(facts, class, TUNABLE_READ_AHEAD_KB, value, explanation,
			       sizeof(explanation));
}

/* The kernel would give it more than the classical value, and it does not have it. */
static bool was_lowered(const struct disk_facts *facts)
{
	uint64_t io_opt = 0, limit = 0;

	if (!facts_is_number(facts, FACT_READ_AHEAD_KB, READ_AHEAD_CLASSIC_KB))
		return false;
	if (facts_number(facts, FACT_OPTIMAL_IO_SIZE, &io_opt) && io_opt > 0)
		return io_opt / 512 > READ_AHEAD_CLASSIC_KB;
	return kernel_derives_readahead(facts) &&
	       facts_number(facts, FACT_MAX_SECTORS_KB, &limit) &&
	       limit > READ_AHEAD_CLASSIC_KB / 2;
}

static bool is_tuned_in_vain(const struct subject *subject, const struct disk *leaf)
{
	uint64_t top = number_of(subject, FACT_READ_AHEAD_KB), value = 0;
	uint64_t io_opt = number_of(subject, FACT_OPTIMAL_IO_SIZE);
	struct disk_class class = { 0 };

	if (!facts_number(&leaf->facts, FACT_READ_AHEAD_KB, &value) || value == top)
		return false;
	/* Stripes of its own give the stack a readahead that is not the leaf's. */
	if (io_opt > 0 && !facts_is_number(&leaf->facts, FACT_OPTIMAL_IO_SIZE, io_opt))
		return false;
	classify_facts(&leaf->facts, &class);
	if (was_lowered(&leaf->facts))
		return top >= READ_AHEAD_LARGE_KB;
	return !is_kernels(&leaf->facts, &class);
}

/* dm: md has stripes of its own. Swap is not read through the page cache. */
static bool is_top(const struct subject *subject)
{
	return read_ahead_counts(subject) && subject->class->transport == TRANSPORT_DM &&
	       !facts_is_text(own(subject), FACT_ID_FS_TYPE, "swap");
}

const struct disk *read_ahead_tuned_leaf(const struct subject *subject)
{
	if (!is_top(subject) || is_wished(subject, TUNABLE_READ_AHEAD_KB) ||
	    !is_kernels(own(subject), subject->class))
		return NULL;
	for (size_t i = 0; i < subject->disk->n_leaves; i++) {
		if (is_tuned_in_vain(subject, &subject->disk->leaves[i]))
			return &subject->disk->leaves[i];
	}
	return NULL;
}

static void check_not_on_top(const struct subject *subject, struct finding *finding)
{
	const struct disk *leaf = read_ahead_tuned_leaf(subject);
	const char *name = leaf ? facts_text(&leaf->facts, FACT_NAME) : NULL;
	uint64_t value = 0;

	if (!leaf) {
		if (subject->disk->leaves_incomplete || subject->disk->n_leaves == 0)
			could_not_check(finding, "not every disk below it is known");
		return;
	}
	(void)facts_number(&leaf->facts, FACT_READ_AHEAD_KB, &value);
	found(finding, SEVERITY_WARN, CONFIDENCE_MEDIUM,
	      "read_ahead_kb was set to %" PRIu64
	      " on %.32s, without effect: the file system stands on this device, which "
	      "still has the kernel's %" PRIu64,
	      value, name ? name : "the disk below",
	      number_of(subject, FACT_READ_AHEAD_KB));
	add_evidence(finding, own(subject), FACT_READ_AHEAD_KB);
	add_evidence(finding, &leaf->facts, FACT_READ_AHEAD_KB);
	add_evidence(finding, &leaf->facts, FACT_ROTATIONAL);
	add_evidence(finding, &leaf->facts, FACT_OPTIMAL_IO_SIZE);
	add_evidence(finding, &leaf->facts, FACT_MAX_SECTORS_KB);
}

static const char *const rather_fadvise[] = {
	"keep it only if nothing on {name} is read from end to end: recovery, backup and "
	"compaction are",
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   # else; and let the engine "
	"say MADV_RANDOM or POSIX_FADV_RANDOM where it reads at random",
	"phases that stream ask by readahead(2) or POSIX_FADV_WILLNEED; "
	"POSIX_FADV_SEQUENTIAL only doubles what the device has",
	NULL,
};

static const char *const lower[] = {
	"keep it if {name} holds large files that are read from end to end",
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   # else; and remove what "
	"set it",
	"or let the engine say MADV_RANDOM or POSIX_FADV_RANDOM where it reads at random",
	NULL,
};

/* The facts that tell whether the kernel gave a large value. */
static bool lacks_origin(const struct subject *subject, struct finding *finding)
{
	return lacks(subject, FACT_OPTIMAL_IO_SIZE, finding) ||
	       lacks(subject, FACT_ROTATIONAL, finding) ||
	       lacks(subject, FACT_MAX_SECTORS_KB, finding) ||
	       lacks(subject, FACT_OSRELEASE, finding);
}

/* bcache and drbd take theirs from the disk below; md keeps its stripe. */
static bool may_be_large(const struct subject *subject)
{
	const struct disk_class *class = subject->class;

	return class->remote || class->transport == TRANSPORT_MD ||
	       class->transport == TRANSPORT_BCACHE ||
	       class->transport == TRANSPORT_DRBD || class->class == CLASS_RAID_VOLUME ||
	       (class->attachment == ATTACHMENT_STACKED && is_striped(subject));
}

static void check_large(const struct subject *subject, uint64_t value,
			struct finding *finding)
{
	bool rotational = subject->class->medium == MEDIUM_ROTATIONAL;
	const struct change *change = planned(subject, TUNABLE_READ_AHEAD_KB);
	uint64_t limit = rotational ? READ_AHEAD_HUGE_KB : READ_AHEAD_LARGE_KB;

	if (change && change->outcome == OUTCOME_ADMIN && value > READ_AHEAD_CLASSIC_KB &&
	    strtoull(change->target, NULL, 10) < READ_AHEAD_CLASSIC_KB) {
		found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
		      "read_ahead_kb %" PRIu64 " was set by a person or a program, where "
		      "the policy for readers at random wants %s",
		      value, change->target);
	} else if (value > limit && !may_be_large(subject)) {
		if (lacks_origin(subject, finding))
			return;
		found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
		      "read_ahead_kb %" PRIu64
		      " was set by a person or a program (no rule of the kernel gives "
		      "it): each page fault of an mmap reader may fetch that much",
		      value);
	}
	finding->remedy = lower;
	finding->cost = "reported of a B+tree read at random through mmap: without "
			"readahead 90 % fewer pages read, 80 % less latency";
}

static void check_unfit(const struct subject *subject, struct finding *finding)
{
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);

	if (is_wished(subject, TUNABLE_READ_AHEAD_KB) ||
	    is_kernels(own(subject), subject->class))
		return;
	if (value >= READ_AHEAD_CLASSIC_KB) {
		check_large(subject, value, finding);
		return;
	}
	found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
	      "read_ahead_kb %" PRIu64
	      " was set by a person or a program: it suits readers at random, and makes "
	      "every phase that reads from end to end wait for %s",
	      value, value == 0 ? "each page" : "each small request");
	finding->remedy = rather_fadvise;
	finding->cost = "reported: the replay of a journal at start became bound by the "
			"disk";
}

static bool is_array(const struct subject *subject)
{
	return read_ahead_counts(subject) &&
	       (subject->class->transport == TRANSPORT_MD ||
		subject->class->class == CLASS_RAID_VOLUME ||
		(subject->class->transport == TRANSPORT_DM &&
		 !facts_is_clear(own(subject), FACT_OPTIMAL_IO_SIZE)));
}

static void check_below_stripe(const struct subject *subject, struct finding *finding)
{
	uint64_t io_opt = number_of(subject, FACT_OPTIMAL_IO_SIZE);
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);
	uint64_t members = number_of(subject, FACT_MD_RAID_DISKS);

	if (is_wished(subject, TUNABLE_READ_AHEAD_KB) || !is_striped(subject))
		return;
	if (io_opt > 0 && io_opt < STRIPE_MAX) {
		/* Pages may have rounded it down. */
		if (value >= io_opt / 512 || read_ahead_is_rounded(value, io_opt / 512))
			return;
		found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
		      "read_ahead_kb %" PRIu64 " is less than two stripes (2 x "
		      "optimal_io_size %" PRIu64 " / 1024 = %" PRIu64
		      "): one reader does not keep all members of the array busy",
		      value, io_opt, io_opt / 512);
	} else if (io_opt == 0 && is_striped_level(subject) && members > MEMBERS_MANY &&
		   value <= READ_AHEAD_CLASSIC_KB) {
		found(finding, SEVERITY_INFO, CONFIDENCE_LOW,
		      "read_ahead_kb %" PRIu64 " is little for an array of %" PRIu64
		      " members: one reader does not keep all of them busy",
		      value, members);
	}
}

static const struct check list[] = {
	{
		.id = FINDING_READAHEAD_NOT_ON_TOP,
		.scope = SCOPE_DISK,
		.applies = is_top,
		.requires = FACTS(FACT_READ_AHEAD_KB, FACT_OSRELEASE),
		.run = check_not_on_top,
		.evidence = FACTS(FACT_READ_AHEAD_KB, FACT_SLAVES, FACT_DM_NAME),
		.remedy =
			STEPS("blkadvise apply {name}   # sets it on {name} as well",
			      "or write the value to "
			      "/sys/block/{name}/queue/read_ahead_kb; LVM keeps it with "
			      "lvchange --readahead (in sectors of 512)",
			      "in udev rules match dm devices too, on ACTION add and "
			      "change: SUBSYSTEM==\"block\", KERNEL==\"dm-*\""),
	},
	{
		.id = FINDING_READAHEAD_UNFIT,
		.scope = SCOPE_DISK,
		.applies = read_ahead_counts,
		.requires = FACTS(FACT_READ_AHEAD_KB),
		.run = check_unfit,
		.evidence = FACTS(FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE,
				  FACT_MAX_SECTORS_KB, FACT_ROTATIONAL),
	},
	{
		.id = FINDING_READAHEAD_BELOW_STRIPE,
		.scope = SCOPE_DISK,
		.applies = is_array,
		.requires = FACTS(FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE),
		.run = check_below_stripe,
		.evidence = FACTS(FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE, FACT_MD_LEVEL,
				  FACT_MD_RAID_DISKS, FACT_MD_CHUNK_SIZE),
		.cost = "reported of a controller's array at 128: sequential reads up to "
			"twice as fast with more",
		.remedy =
			STEPS("where large files are read from end to end: blockdev "
			      "--setra (in sectors of 512 bytes), or read_ahead_kb= in a "
			      "file of /etc/blkadvise/policy.d; 8 to 16 MiB at most",
			      "leave it where engines read at random"),
	},
};

const struct checks readahead_place_checks = { list, ARRAY_SIZE(list) };
