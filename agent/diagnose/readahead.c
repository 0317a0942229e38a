/* SPDX-License-Identifier: MIT */
/*
 * Readahead: where a value comes from, with the arithmetic that explains it. The rules
 * are those of block/blk-settings.c, blk_apply_bdi_limits(): the largest of 128 KiB, of
 * twice optimal_io_size and, since 6.17 for disks flagged rotational that have none, of
 * twice max_sectors_kb.
 */
#include "diagnose/readahead.h"

#define READ_AHEAD_LARGE_KB 4096U

#define COST_MEGABYTES \
	"reported of cloud disks: 50 to 500 times slower at random than with 128 KiB"

static const char *const by_apply[] = {
	"blkadvise plan {name}   (shows the value and where it is asked for)",
	"blkadvise apply {name}",
	"engines that stream ask for more themselves, by POSIX_FADV_SEQUENTIAL",
	NULL,
};

static const char *const by_hand[] = {
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   (until the next boot)",
	"to keep it, set read_ahead_kb=128 for this disk in a file of "
	"/etc/blkadvise/policy.d",
	"engines that stream ask for more themselves, by POSIX_FADV_SEQUENTIAL",
	NULL,
};

static const char *const by_hand_rotational[] = {
	"echo 0 > /sys/block/{name}/queue/rotational   (so that the kernel does not "
	"derive it again)",
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   (until the next boot)",
	"to keep both, write a udev rule, or set read_ahead_kb=128 for this disk in a "
	"file of /etc/blkadvise/policy.d",
	NULL,
};

static const char *const leave_stripes[] = {
	"leave it where large files are read from end to end",
	"for readers at random set a lower read_ahead_kb in a file of "
	"/etc/blkadvise/policy.d, or let them say MADV_RANDOM",
	NULL,
};

static const struct change *planned(const struct subject *subject)
{
	return subject->plan ? &subject->plan->changes[TUNABLE_READ_AHEAD_KB] : NULL;
}

bool read_ahead_counts(const struct subject *subject)
{
	return !is_no_real_disk(subject) && subject->class->class != CLASS_MEMORY &&
	       !facts_known(own(subject), FACT_HOLDERS) &&
	       !facts_is_set(own(subject), FACT_HIDDEN);
}

bool read_ahead_is_wished(const struct subject *subject)
{
	const struct change *change = planned(subject);

	return change && (change->outcome == OUTCOME_EQUAL ||
			  change->owner == OWNER_BLKADVISE);
}

bool is_striped(const struct subject *subject)
{
	uint64_t io_opt = number_of(subject, FACT_OPTIMAL_IO_SIZE);
	const struct disk *disk = subject->disk;
	bool leaf_has_it = false, volume = subject->class->class == CLASS_RAID_VOLUME;

	if (io_opt == IO_OPT_BOGUS)
		return false;
	for (size_t i = 0; i < disk->n_leaves; i++) {
		struct disk_class class = { 0 };

		classify_facts(&disk->leaves[i].facts, &class);
		volume |= class.class == CLASS_RAID_VOLUME;
		leaf_has_it |= facts_is_number(&disk->leaves[i].facts,
					       FACT_OPTIMAL_IO_SIZE, io_opt);
	}
	return volume || (subject->class->transport == TRANSPORT_MD && !leaf_has_it) ||
	       (disk->n_leaves > 0 && !leaf_has_it);
}

/* Whether `apply` would change it; if not, a person has to. */
static bool changes(const struct subject *subject)
{
	const struct change *change = planned(subject);

	return !change || change->outcome == OUTCOME_CHANGE;
}

static void check_from_io_opt(const struct subject *subject, struct finding *finding)
{
	uint64_t io_opt = number_of(subject, FACT_OPTIMAL_IO_SIZE);
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);
	uint64_t formula = io_opt / 512; /* 2 x io_opt / 1024 */
	const char *rounded = value == formula ? "" : " rounded to pages";

	if (value <= READ_AHEAD_LARGE_KB || read_ahead_is_wished(subject) ||
	    !read_ahead_is_rounded(value, formula))
		return;
	if (is_striped(subject)) {
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "read_ahead_kb %" PRIu64 " = 2 x optimal_io_size %" PRIu64
		      " / 1024%s: two stripes of the array, which suits large sequential "
		      "reads only",
		      value, io_opt, rounded);
		finding->remedy = leave_stripes;
		return;
	}
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
	      "read_ahead_kb %" PRIu64 " = 2 x optimal_io_size %" PRIu64
	      " / 1024%s: a small random read through the page cache may fetch megabytes",
	      value, io_opt, rounded);
	finding->cost = COST_MEGABYTES;
	finding->remedy = changes(subject) ? by_apply : by_hand;
}

/* Where nothing was derived from it, only who formats the disk has to know. */
static void check_io_opt(const struct subject *subject, struct finding *finding)
{
	uint64_t value = 0;
	bool known = facts_number(own(subject), FACT_READ_AHEAD_KB, &value);
	bool used = !known || read_ahead_is_rounded(value, IO_OPT_BOGUS / 512);

	if (number_of(subject, FACT_OPTIMAL_IO_SIZE) == IO_OPT_BOGUS)
		found(finding, used ? SEVERITY_WARN : SEVERITY_INFO, CONFIDENCE_HIGH,
		      "optimal_io_size %u is 65535 blocks of 512 bytes, the largest "
		      "number that the device could name, and no size that it prefers%s",
		      IO_OPT_BOGUS,
		      used ? ": readahead is derived from it all the same" :
			     "; readahead is not derived from it (any more)");
}

/*
 * A stack, too, whose flag comes from its leaves; with stripes it has an io_opt. If its
 * leaves' readahead was lowered already, readahead-not-on-top says so.
 */
static void check_false_rotational(const struct subject *subject, struct finding *finding)
{
	static const enum fact limits[] = { FACT_MAX_SECTORS_KB, FACT_MAX_HW_SECTORS_KB };
	bool flash = subject->class->medium == MEDIUM_FLASH;
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);
	const struct change *change = planned(subject);
	char arithmetic[200] = "";

	if (!kernel_derives_readahead(own(subject)) || value <= READ_AHEAD_CLASSIC_KB ||
	    subject->class->medium == MEDIUM_ROTATIONAL ||
	    read_ahead_is_wished(subject) || read_ahead_tuned_leaf(subject))
		return;
	if (change && change->owner == OWNER_KERNEL) /* by a limit changed since */
		(void)snprintf(arithmetic, sizeof(arithmetic), "%s", change->explanation);
	for (size_t i = ARRAY_SIZE(limits); i-- > 0;) {
		uint64_t limit = number_of(subject, limits[i]);

		if (limit > 0 && limit <= UINT32_MAX &&
		    read_ahead_is_rounded(value, 2 * limit))
			(void)snprintf(arithmetic, sizeof(arithmetic),
				       "2 x %s %" PRIu64
				       ", since Linux 6.17 for disks flagged rotational",
				       fact_to_string(limits[i]), limit);
	}
	if (*arithmetic == '\0') {
		(void)(lacks(subject, FACT_MAX_SECTORS_KB, finding) ||
		       lacks(subject, FACT_MAX_HW_SECTORS_KB, finding));
		return;
	}
	found(finding, SEVERITY_WARN,
	      flash || subject->class->class == CLASS_VIRTUAL_DISK ||
			      subject->class->class == CLASS_CLOUD_VOLUME ?
		      CONFIDENCE_HIGH :
		      CONFIDENCE_MEDIUM,
	      "read_ahead_kb %" PRIu64 " = %s; %s, and each page fault of an mmap reader "
	      "may fetch that much",
	      value, arithmetic,
	      flash ? "this is flash" : "nothing backs that flag here");
	finding->remedy = changes(subject) ? by_apply : by_hand_rotational;
}

static bool is_single_disk(const struct subject *subject)
{
	return !is_no_real_disk(subject) &&
	       subject->class->attachment != ATTACHMENT_STACKED;
}

static const struct check list[] = {
	{
		.id = FINDING_READAHEAD_FROM_IO_OPT,
		.scope = SCOPE_DISK,
		.applies = read_ahead_counts,
		.requires = FACTS(FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE),
		.run = check_from_io_opt,
		.evidence = FACTS(FACT_READ_AHEAD_KB, FACT_OPTIMAL_IO_SIZE, FACT_MODEL,
				  FACT_HOLDER_READ_AHEAD_KB),
	},
	{
		.id = FINDING_IO_OPT_BOGUS,
		.scope = SCOPE_DISK,
		.applies = is_single_disk,
		.requires = FACTS(FACT_OPTIMAL_IO_SIZE),
		.run = check_io_opt,
		.evidence = FACTS(FACT_OPTIMAL_IO_SIZE, FACT_READ_AHEAD_KB, FACT_MODEL,
				  FACT_USB_DRIVER, FACT_USB_VENDOR, FACT_USB_PRODUCT),
		.cost = "partitions aligned to it do not start at a block of 4 KiB",
		.remedy = STEPS("ignore the value: align partitions to 1 MiB (fdisk and "
				"parted do so when they are told)",
				"set read_ahead_kb to 128 if it is derived from it "
				"(readahead-from-io-opt)"),
	},
	{
		.id = FINDING_READAHEAD_FALSE_ROTATIONAL,
		.scope = SCOPE_DISK,
		.applies = read_ahead_counts,
		.requires = FACTS(FACT_OSRELEASE, FACT_ROTATIONAL, FACT_READ_AHEAD_KB),
		.run = check_false_rotational,
		.evidence = FACTS(FACT_READ_AHEAD_KB, FACT_ROTATIONAL,
				  FACT_MAX_SECTORS_KB, FACT_MAX_HW_SECTORS_KB,
				  FACT_OPTIMAL_IO_SIZE, FACT_OSRELEASE,
				  FACT_HOLDER_READ_AHEAD_KB),
		.cost = "reported of cloud machines: builds hung for want of memory once "
			"128 had become 4096",
	},
};

const struct checks readahead_checks = { list, ARRAY_SIZE(list) };
