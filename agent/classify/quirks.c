/* SPDX-License-Identifier: MIT */
/*
 * Correction of facts. A quirk without a match would hit every disk; the loader does
 * not let one through.
 */
#include "classify/quirks-internal.h"

static bool quirk_matches(const struct quirk *quirk, const struct disk_facts *facts)
{
	for (size_t i = 0; i < quirk->n_matches; i++) {
		if (!match_test(&quirk->matches[i], facts, NULL))
			return false;
	}
	return quirk->n_matches > 0;
}

static void correct(const struct quirk *quirk, const struct quirk_correction *correction,
		    struct disk_facts *facts)
{
	char where[FACT_TEXT_MAX];

	if (correction->unknown)
		facts_clear(facts, correction->fact);
	else if (correction->text)
		facts_set_text(facts, correction->fact, correction->text);
	else
		facts_set_number(facts, correction->fact, correction->number);
	(void)snprintf(where, sizeof(where), "%s:%u", quirk->file, correction->line);
	facts_set_corrected(facts, correction->fact, where);
}

void quirks_correct(const struct quirks *quirks, struct disk_facts *facts)
{
	for (size_t i = 0; i < quirks->n; i++) {
		const struct quirk *quirk = &quirks->list[i];

		if (!quirk_matches(quirk, facts))
			continue;
		for (size_t k = 0; k < quirk->n_corrections; k++)
			correct(quirk, &quirk->corrections[k], facts);
	}
}

void quirks_correct_disk(const struct quirks *quirks, struct disk *disk)
{
	quirks_correct(quirks, &disk->facts);
	for (size_t i = 0; i < disk->n_leaves; i++)
		quirks_correct(quirks, &disk->leaves[i].facts);
}
