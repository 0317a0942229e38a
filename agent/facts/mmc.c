/* SPDX-License-Identifier: MIT */
/*
 * eMMC and SD cards: the card's own attributes below its host controller
 * (drivers/mmc/core/mmc.c and sd.c).
 */
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (probe_find_ancestor(probe, "mmc", NULL, folder))
		facts_set_anchor(probe->facts, ANCHOR_MMC, folder);
}

static void derive(struct probe *probe)
{
	if (!facts_anchor(probe->facts, ANCHOR_MMC))
		return;
	probe_offer_fact(probe, FACT_MODEL, FACT_MMC_NAME);
	probe_offer_fact(probe, FACT_SERIAL, FACT_MMC_SERIAL);
	probe_offer_fact(probe, FACT_FIRMWARE, FACT_MMC_FWREV);
}

const struct prober mmc_prober = { .locate = locate, .derive = derive };
