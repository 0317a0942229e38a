/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose leaves do not match. What is slower or smaller holds up the rest: all
 * members of a striped array wait for the slowest, and where one is larger, its end is
 * read from it alone (drivers/md/raid0.c, zones).
 */
#include "diagnose/internal.h"

#define SIZE_TOLERANCE 10U /* per cent */

/* Speeds that one array should not have both of. */
enum tier {
	TIER_UNKNOWN,
	TIER_NVME,
	TIER_SSD,
	TIER_ROTATIONAL,
	TIER_IDE,
	TIER_USB,
	TIER_CARD,
	TIER_VOLUME,
	TIER_VIRTUAL,
	TIER_CLOUD,
	TIER_REMOTE,
	_TIER_MAX,
};

static enum tier tier_of(const struct disk_class *class)
{
	switch (class->class) {
	case CLASS_NVME_SSD:
		return TIER_NVME;
	case CLASS_SATA_SSD:
	case CLASS_SAS_SSD:
		return TIER_SSD;
	case CLASS_SATA_HDD:
	case CLASS_SAS_HDD:
	case CLASS_ZONED_HDD:
		return TIER_ROTATIONAL;
	case CLASS_SATA_SSD_IDE:
	case CLASS_SATA_HDD_IDE:
	case CLASS_SATA_DISK_IDE:
	case CLASS_PATA_DISK:
		return TIER_IDE;
	case CLASS_USB_SSD:
	case CLASS_USB_HDD:
	case CLASS_USB_DISK:
	case CLASS_USB_FLASH:
		return TIER_USB;
	case CLASS_EMMC:
	case CLASS_SD_CARD:
		return TIER_CARD;
	case CLASS_RAID_VOLUME:
		return TIER_VOLUME;
	case CLASS_VIRTUAL_DISK:
		return TIER_VIRTUAL;
	case CLASS_CLOUD_VOLUME:
		return TIER_CLOUD;
	case CLASS_SAN_LUN:
	case CLASS_NETWORK_DISK:
		return TIER_REMOTE;
	case CLASS_UNKNOWN:
	case CLASS_SATA_DISK:
	case CLASS_SAS_DISK:
	case CLASS_STACKED:
	case CLASS_MEMORY:
	case CLASS_OPTICAL:
	case _CLASS_MAX:
		break;
	}
	return TIER_UNKNOWN;
}

static void class_of(const struct subject *subject, size_t i, struct disk_class *ret)
{
	classify_facts(&subject->disk->leaves[i].facts, ret);
}

/* One may be what the other is: only its medium is not known. */
static bool may_be_alike(const struct disk_class *a, const struct disk_class *b)
{
	return a->class == b->class ||
	       (a->transport == b->transport && a->attachment == b->attachment &&
		a->remote == b->remote &&
		(a->medium == MEDIUM_UNKNOWN || b->medium == MEDIUM_UNKNOWN));
}

/* Two leaves that cannot be alike; false if there are none. */
static bool find_unlike(const struct subject *subject, size_t *ret_one, size_t *ret_other)
{
	struct disk_class one = { 0 }, other = { 0 };

	for (size_t i = 0; i < subject->disk->n_leaves; i++) {
		class_of(subject, i, &one);
		for (size_t k = i + 1; k < subject->disk->n_leaves; k++) {
			class_of(subject, k, &other);
			if (may_be_alike(&one, &other))
				continue;
			*ret_one = i;
			*ret_other = k;
			return true;
		}
	}
	return false;
}

static void show_leaf(const struct subject *subject, size_t i, struct finding *finding)
{
	const struct disk_facts *facts = &subject->disk->leaves[i].facts;

	add_evidence(finding, facts, FACT_NAME);
	add_evidence(finding, facts, FACT_MODEL);
	add_evidence(finding, facts, FACT_SIZE);
}

static const char *name_of(const struct subject *subject, size_t i)
{
	const char *name = facts_text(&subject->disk->leaves[i].facts, FACT_NAME);

	return name ? name : "?";
}

static const char *const use_flash_itself[] = {
	"use the SSD without bcache, which costs latency and CPU there and gains little",
	"leave it where the cache is much faster than the SSD behind it, and measured",
	NULL,
};

static const char *const measure_it[] = {
	"leave it: give engines what was measured on this device, not the figures of the "
	"disk below",
	NULL,
};

/* Of bcache a mix is the purpose, unless nothing rotates below it. */
static void check_bcache(const struct subject *subject, struct finding *finding)
{
	size_t unknown = 0;

	for (size_t i = 0; i < subject->disk->n_leaves; i++) {
		struct disk_class class = { 0 };

		class_of(subject, i, &class);
		if (class.medium == MEDIUM_ROTATIONAL || class.remote)
			return;
		unknown += class.medium != MEDIUM_FLASH;
	}
	if (unknown > 0) {
		could_not_check(finding, "the medium of a disk below it is not known");
		return;
	}
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "bcache over flash: its backing device (of %.60s) is no slow disk that a "
	      "cache would help, and every request pays for the layer",
	      text_of(subject, FACT_SLAVES));
	finding->remedy = use_flash_itself;
	for (size_t i = 0; i < subject->disk->n_leaves; i++)
		show_leaf(subject, i, finding);
}

static void check_drbd(const struct subject *subject, struct finding *finding)
{
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "drbd over %.32s: each request passes the replication, with or without a "
	      "peer, so the figures of the disk below are not those of this device",
	      name_of(subject, 0));
	finding->remedy = measure_it;
	finding->cost =
		"reported: 230000 random writes a second on the disk, 50000 to 60000 "
		"through drbd";
	show_leaf(subject, 0, finding);
}

static void check_mixed(const struct subject *subject, struct finding *finding)
{
	struct disk_class a = { 0 }, b = { 0 };
	size_t one = 0, other = 0;

	if (!find_unlike(subject, &one, &other)) {
		if (subject->disk->leaves_incomplete)
			could_not_check(finding, "not every disk below it is known");
		return;
	}
	class_of(subject, one, &a);
	class_of(subject, other, &b);
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "it stands on disks of different kinds (%.32s is %s, %.32s is %s): what is "
	      "read may come from any, and advice is for the slowest",
	      name_of(subject, one), class_to_string(a.class), name_of(subject, other),
	      class_to_string(b.class));
	show_leaf(subject, one, finding);
	show_leaf(subject, other, finding);
}

static void check_stack(const struct subject *subject, struct finding *finding)
{
	if (subject->disk->n_leaves == 0)
		could_not_check(finding, "no disk below it is known");
	else if (subject->class->transport == TRANSPORT_BCACHE)
		check_bcache(subject, finding);
	else if (subject->class->transport == TRANSPORT_DRBD)
		check_drbd(subject, finding);
	else
		check_mixed(subject, finding);
}

static size_t count_words(const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return n;
}

/*
 * The leaf that is of a speed which fewest are of; 0 <= leaf < n_leaves, or n_leaves if
 * all may be alike. @ret_like is one of the others.
 */
static size_t find_odd_leaf(const struct subject *subject, size_t *ret_like,
			    size_t *ret_n)
{
	size_t n_leaves = subject->disk->n_leaves;
	size_t n[_TIER_MAX] = { 0 }, last[_TIER_MAX] = { 0 };
	size_t most = TIER_UNKNOWN, odd = TIER_UNKNOWN;

	for (size_t i = 0; i < n_leaves; i++) {
		struct disk_class class = { 0 };
		enum tier tier = TIER_UNKNOWN;

		class_of(subject, i, &class);
		tier = tier_of(&class);
		n[tier]++;
		last[tier] = i;
	}
	for (size_t tier = TIER_UNKNOWN + 1; tier < _TIER_MAX; tier++) {
		if (n[tier] > 0 && (most == TIER_UNKNOWN || n[tier] > n[most]))
			most = tier;
	}
	for (size_t tier = TIER_UNKNOWN + 1; tier < _TIER_MAX; tier++) {
		if (n[tier] > 0 && tier != most &&
		    (odd == TIER_UNKNOWN || n[tier] < n[odd]))
			odd = tier;
	}
	if (odd == TIER_UNKNOWN)
		return n_leaves;
	*ret_like = last[most];
	*ret_n = n[odd];
	return last[odd];
}

/* More members than the array works with: a spare or a journal is of another kind. */
static bool may_be_extra(const struct subject *subject, size_t n)
{
	uint64_t members = 0;

	return facts_number(own(subject), FACT_MD_RAID_DISKS, &members) &&
	       count_words(text_of(subject, FACT_SLAVES)) >= members + n;
}

static void check_classes(const struct subject *subject, struct finding *finding)
{
	size_t like = 0, n = 0, odd = find_odd_leaf(subject, &like, &n);
	struct disk_class a = { 0 }, b = { 0 };

	if (odd == subject->disk->n_leaves || may_be_extra(subject, n))
		return;
	class_of(subject, like, &a);
	class_of(subject, odd, &b);
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
	      "a %s of unequal members (%.32s is %s, %.32s is %s): large reads and "
	      "writes go at the pace of the slowest",
	      text_of(subject, FACT_MD_LEVEL), name_of(subject, like),
	      class_to_string(a.class), name_of(subject, odd), class_to_string(b.class));
	show_leaf(subject, like, finding);
	show_leaf(subject, odd, finding);
}

/* The smallest and the largest leaf; false if a size is not known. */
static bool find_sizes(const struct subject *subject, size_t *ret_small,
		       size_t *ret_large, bool *ret_differ)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < subject->disk->n_leaves; i++) {
		uint64_t size = 0;

		if (!facts_number(&subject->disk->leaves[i].facts, FACT_SIZE, &size))
			return false;
		if (size < least) {
			least = size;
			*ret_small = i;
		}
		if (size >= most) {
			most = size;
			*ret_large = i;
		}
	}
	*ret_differ = most - least > most / 100 * SIZE_TOLERANCE;
	return true;
}

/* A member that is a partition may be as large as the others on a larger disk. */
static bool is_whole_disk(const struct subject *subject, size_t i)
{
	return word_in_list(name_of(subject, i), text_of(subject, FACT_SLAVES));
}

/*
 * The size decides how fast a provider's volume is, and of raid0 how much of the array
 * stands on all members. With the other levels it is only room that is lost.
 */
static void check_sizes(const struct subject *subject, struct finding *finding)
{
	struct disk_class class = { 0 };
	size_t small = 0, large = 0;
	bool differ = false, matters = false;

	if (!find_sizes(subject, &small, &large, &differ)) {
		could_not_check(finding, "the size of a member is not known");
		return;
	}
	if (!differ)
		return;
	if (!is_whole_disk(subject, small) || !is_whole_disk(subject, large)) {
		could_not_check(finding, "its members are partitions of disks that "
					 "differ in size, and theirs is not known");
		return;
	}
	class_of(subject, small, &class);
	matters = class.class == CLASS_CLOUD_VOLUME ||
		  facts_is_text(own(subject), FACT_MD_LEVEL, "raid0");
	found(finding, matters ? SEVERITY_WARN : SEVERITY_INFO,
	      matters ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "a %s whose members differ in size (%.32s and %.32s): %s",
	      text_of(subject, FACT_MD_LEVEL), name_of(subject, small),
	      name_of(subject, large),
	      matters ? "a part of it stands on the larger ones alone, or the smaller "
			"ones limit all" :
			"what the larger ones have more is not used");
	show_leaf(subject, small, finding);
	show_leaf(subject, large, finding);
}

/*
 * A raid1 of unlike members may be meant: md reads from the one that does not rotate
 * (drivers/md/raid1.c, read_balance()), and mixed-stack tells of it.
 */
static void check_members(const struct subject *subject, struct finding *finding)
{
	const struct disk *disk = subject->disk;

	if (!is_striped_level(subject))
		return;
	if (disk->n_leaves == 0 || disk->leaves_incomplete) {
		could_not_check(finding, "not every disk below it is known");
		return;
	}
	check_classes(subject, finding);
	if (finding->result == CHECK_OK)
		check_sizes(subject, finding);
}

static bool is_stack(const struct subject *subject)
{
	return !is_no_real_disk(subject) &&
	       subject->class->attachment == ATTACHMENT_STACKED;
}

static bool is_md(const struct subject *subject)
{
	return !is_no_real_disk(subject) && subject->class->transport == TRANSPORT_MD;
}

static const struct check list[] = {
	{
		.id = FINDING_MIXED_STACK,
		.scope = SCOPE_DISK,
		.applies = is_stack,
		.requires = FACTS(FACT_SLAVES),
		.run = check_stack,
		.evidence = FACTS(FACT_SLAVES, FACT_STACK_KIND, FACT_DM_NAME,
				  FACT_MD_LEVEL),
		.remedy =
			STEPS("leave it if it is meant so: a cache, or a raid1 whose "
			      "slower member is write-mostly",
			      "else put data for different needs on devices of one kind "
			      "each"),
	},
	{
		.id = FINDING_UNEQUAL_MEMBERS,
		.scope = SCOPE_DISK,
		.applies = is_md,
		.requires = FACTS(FACT_MD_LEVEL, FACT_SLAVES),
		.run = check_members,
		.evidence = FACTS(FACT_SLAVES, FACT_MD_LEVEL, FACT_MD_RAID_DISKS),
		.remedy = STEPS(
			"build the array of members of one kind and size",
			"of a provider's volumes: provision the same size and limits for "
			"each",
			"until then count with the weakest member's figures times the "
			"number of members"),
	},
};

const struct checks stack_checks = { list, ARRAY_SIZE(list) };
