/* SPDX-License-Identifier: MIT */
/*
 * Selection: walk the sections in order, let each that matches override. A first walk
 * finds the disk's profile, since a section may give one; the second takes settings.
 */
#include <inttypes.h>
#include <string.h>

#include "policy/policy-internal.h"

static bool section_matches(const struct section *section, const struct disk_facts *facts,
			    const struct disk_class *class)
{
	for (size_t i = 0; i < section->n_matches; i++) {
		if (!match_test(&section->matches[i], facts, class))
			return false;
	}
	return true;
}

static void write_where(char where[WHERE_MAX], const struct section *section,
			unsigned int line)
{
	(void)snprintf(where, WHERE_MAX, "%.80s:%u", section->file, line);
}

static void select_profile(const struct policy *policy, const struct disk_facts *facts,
			   const struct disk_class *class, struct selection *selection)
{
	for (size_t i = 0; i < policy->n; i++) {
		const struct section *section = &policy->list[i];

		if (!section->use_profile.present || section->profile.present ||
		    !section_matches(section, facts, class))
			continue;
		(void)snprintf(selection->profile, PROFILE_MAX, "%.31s",
			       section->use_profile.value);
		write_where(selection->profile_where, section, section->use_profile.line);
	}
}

static void take_settings(const struct section *section, struct selection *selection)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		struct setting *setting = &selection->settings[i];

		if (!section->settings[i].present)
			continue;
		setting->present = strcmp(section->settings[i].value, "keep") != 0;
		strcpy(setting->value, section->settings[i].value);
		write_where(setting->where, section, section->settings[i].line);
		setting->reason = section->reason;
		setting->source = section->source;
	}
	if (section->apply.present) {
		selection->apply = strcmp(section->apply.value, "yes") == 0;
		write_where(selection->apply_where, section, section->apply.line);
	}
}

static void take_advice(const struct section *section, struct advice *advice)
{
	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		if (!section->advice[i].present)
			continue;
		advice->known[i] = true;
		advice->value[i] = section->advice[i].value;
		write_where(advice->where[i], section, section->advice[i].line);
	}
}

bool policy_device_depth(const struct disk_facts *facts, const struct disk_class *class,
			 uint64_t *ret)
{
	uint64_t tags = 0, queues = 0;

	/* sqsize is the queue's entries less one, and one entry of a queue stays free. */
	if (class->transport == TRANSPORT_NVME)
		return facts_number(facts, FACT_NVME_SQSIZE, ret);
	if (class->attachment == ATTACHMENT_USB_BOT) {
		*ret = 1; /* bulk-only transport has no queue, whatever the file says */
		return true;
	}
	if (facts_number(facts, FACT_QUEUE_DEPTH, ret))
		return true;
	/* No more requests are with the driver at once than its queues have tags. */
	if (!facts_number(facts, FACT_NR_TAGS, &tags) || tags == 0 ||
	    !facts_number(facts, FACT_HW_QUEUES, &queues) || queues == 0)
		return false;
	*ret = tags * queues;
	return true;
}

/* No depth beyond what the disk takes; none at all where that is not known is kept. */
static void cap_depths(const struct disk_facts *facts, const struct disk_class *class,
		       struct advice *advice)
{
	uint64_t depth = 0;

	if (!policy_device_depth(facts, class, &depth) || depth == 0)
		return;
	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		if (advice->known[i] && advice_key_is_depth((enum advice_key)i) &&
		    advice->value[i] > depth)
			advice->value[i] = (uint32_t)depth;
	}
}

static void apply_switches(const struct disk_facts *facts, struct selection *selection)
{
	if (facts_is_clear(facts, FACT_UDEV_APPLY)) {
		selection->apply = false;
		strcpy(selection->apply_where, "udev:BLKADVISE_APPLY=0");
	}
	if (facts_is_clear(facts, FACT_CMDLINE_APPLY)) {
		selection->apply = false;
		strcpy(selection->apply_where, "/proc/cmdline:blkadvise.apply=0");
	}
}

void policy_select(const struct policy *policy, const char *profile,
		   const struct disk_facts *facts, const struct disk_class *class,
		   struct selection *ret)
{
	struct selection *selection = ret;

	memset(selection, 0, sizeof(*selection));
	selection->apply = true;
	(void)snprintf(selection->profile, PROFILE_MAX, "%s", profile);
	select_profile(policy, facts, class, selection);
	for (size_t i = 0; i < policy->n; i++) {
		const struct section *section = &policy->list[i];

		if ((section->profile.present &&
		     strcmp(section->profile.value, selection->profile) != 0) ||
		    !section_matches(section, facts, class))
			continue;
		take_settings(section, selection);
		take_advice(section, &selection->advice);
		write_where(selection->main_where, section, section->line);
	}
	selection->advice.random_from = selection->advice.scan_from = ADVICE_FROM_CLASS;
	selection->advice.random_confident = selection->advice.scan_confident =
		class->confident;
	cap_depths(facts, class, &selection->advice);
	apply_switches(facts, selection);
}

bool policy_is_empty(const struct policy *policy)
{
	return policy->n == 0;
}
