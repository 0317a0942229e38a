/* SPDX-License-Identifier: MIT */
/*
 * Readahead: where a value comes from, with the arithmetic that explains it. The rules
 * are those of block/blk-settings.c, blk_apply_bdi_limits(): the largest of 128 KiB, of
 * twice optimal_io_size and, since 6.17 for disks flagged rotational that have none, of
 * twice max_sectors_kb.
 */
#include "diagnose/readahead.h"

#define READ_AHEAD_NOTICED_KB 256U /* less than that costs nothing worth a word */

#define COST_MEGABYTES \
	"reported of cloud disks: 50 to 500 times slower at random than with 128 KiB"

static const char *const by_apply[] = {
	"blkadvise plan {name}   # shows the value and where it is asked for",
	"blkadvise apply {name}",
	"engines that stream ask for more themselves, by POSIX_FADV_SEQUENTIAL",
	NULL,
};

static const char *const by_hand[] = {
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   # until the next boot",
	"to keep it, set read_ahead_kb=128 for this disk in a file of "
	"/etc/blkadvise/policy.d",
	"engines that stream ask for more themselves, by POSIX_FADV_SEQUENTIAL",
	NULL,
};

static const char *const by_hand_rotational[] = {
	"echo 0 > /sys/block/{name}/queue/rotational   # so that the kernel does not "
	"derive it again",
	"echo 128 > /sys/block/{name}/queue/read_ahead_kb   # until the next boot",
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

bool read_ahead_counts(const struct subject *subject)
{
	return !is_no_real_disk(subject) && subject->class->class != CLASS_MEMORY &&
	       !facts_known(own(subject), FACT_HOLDERS) &&
	       !facts_is_set(own(subject), FACT_HIDDEN);
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
	const struct change *change = planned(subject, TUNABLE_READ_AHEAD_KB);

	return !change || change->outcome == OUTCOME_CHANGE;
}

static void check_from_io_opt(const struct subject *subject, struct finding *finding)
{
	uint64_t io_opt = number_of(subject, FACT_OPTIMAL_IO_SIZE);
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);
	uint64_t formula = io_opt / 512; /* 2 x io_opt / 1024 */
	const char *rounded = value == formula ? "" : " rounded to pages";

	if (value <= READ_AHEAD_HUGE_KB || is_wished(subject, TUNABLE_READ_AHEAD_KB) ||
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
 * The flag tells nothing, since it is a default: in a guest, and of flash. Any other disk
 * of which nothing is known may well rotate, so only a huge value is worth a warning.
 */
static bool is_flag_empty(const struct subject *subject)
{
	enum class class = subject->class->class;

	return subject->class->medium == MEDIUM_FLASH || class == CLASS_USB_FLASH ||
	       class == CLASS_VIRTUAL_DISK || class == CLASS_CLOUD_VOLUME ||
	       (class == CLASS_STACKED && facts_is_set(own(subject), FACT_GUEST));
}

/* What the kernel worked the value out of; "" if it did not, or that is not known. */
static void explain_rotational(const struct subject *subject, char *buf, size_t size)
{
	static const enum fact limits[] = { FACT_MAX_SECTORS_KB, FACT_MAX_HW_SECTORS_KB };
	const struct change *change = planned(subject, TUNABLE_READ_AHEAD_KB);
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);

	buf[0] = '\0';
	if (change && change->owner == OWNER_KERNEL) /* by a limit changed since */
		(void)snprintf(buf, size, "%s", change->explanation);
	for (size_t i = ARRAY_SIZE(limits); i-- > 0;) {
		uint64_t limit = number_of(subject, limits[i]);

		if (limit > 0 && limit <= UINT32_MAX &&
		    read_ahead_is_rounded(value, 2 * limit))
			(void)snprintf(buf, size,
				       "2 x %s %" PRIu64
				       ", since Linux 6.17 for disks flagged rotational",
				       fact_to_string(limits[i]), limit);
	}
}

/*
 * A stack, too, whose flag comes from its leaves; with stripes it has an io_opt. If its
 * leaves' readahead was lowered already, readahead-not-on-top says so.
 */
static void check_false_rotational(const struct subject *subject, struct finding *finding)
{
	bool flash = subject->class->medium == MEDIUM_FLASH;
	bool empty = is_flag_empty(subject);
	uint64_t value = number_of(subject, FACT_READ_AHEAD_KB);
	bool much = value >= READ_AHEAD_HUGE_KB ||
		    (empty && value >= READ_AHEAD_LARGE_KB);
	char arithmetic[200] = "";

	if (!kernel_derives_readahead(own(subject)) || value < READ_AHEAD_NOTICED_KB ||
	    subject->class->medium == MEDIUM_ROTATIONAL ||
	    is_wished(subject, TUNABLE_READ_AHEAD_KB) || read_ahead_tuned_leaf(subject))
		return;
	explain_rotational(subject, arithmetic, sizeof(arithmetic));
	if (*arithmetic == '\0') {
		(void)(lacks(subject, FACT_MAX_SECTORS_KB, finding) ||
		       lacks(subject, FACT_MAX_HW_SECTORS_KB, finding));
		return;
	}
	found(finding, much ? SEVERITY_WARN : SEVERITY_INFO,
	      empty ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "read_ahead_kb %" PRIu64 " = %s; %s, and each page fault of an mmap reader "
	      "may fetch that much",
	      value, arithmetic,
	      flash   ? "this is flash"
	      : empty ? "nothing backs that flag here"
		      : "nothing backs that flag here, so it may be flash");
	finding->remedy = changes(subject) ? by_apply : by_hand_rotational;
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
