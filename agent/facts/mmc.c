/* SPDX-License-Identifier: MIT */
/*
 * eMMC and SD cards: the card's own attributes below its host controller
 * (drivers/mmc/core/mmc.c and sd.c). An SD card's `ssr` is its SD status: 512 bits as
 * 128 hexadecimal digits, the highest bits first. Bits 339:336 are the application
 * performance class (SD Physical Layer Simplified Specification, "SD Status"): 0 none,
 * 1 A1, 2 A2.
 */
#include <string.h>

#include "base/parse.h"
#include "facts/probe.h"

#define SSR_DIGITS 128U
#define SSR_APP_PERF_CLASS_DIGIT ((511U - 339U) / 4) /* four bits a digit */

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (probe_find_ancestor(probe, "mmc", NULL, folder))
		facts_set_anchor(probe->facts, ANCHOR_MMC, folder);
}

static bool is_hex_number(const char *text, size_t len)
{
	return strlen(text) == len && strspn(text, "0123456789abcdefABCDEF") == len;
}

/* A status of zeros alone is one that the kernel could not read. */
static void read_sd_status(struct probe *probe, const char *folder)
{
	char text[ROOT_ATTR_MAX + 1];
	char digit[2] = "";
	uint64_t class = 0;
	char *status = NULL;

	if (!probe_read(probe, folder, "ssr", text, sizeof(text), NULL))
		return;
	status = trim(text);
	if (!is_hex_number(status, SSR_DIGITS) || strspn(status, "0") == SSR_DIGITS)
		return;
	digit[0] = status[SSR_APP_PERF_CLASS_DIGIT];
	if (parse_hex(digit, &class) == 0)
		facts_set_number(probe->facts, FACT_SD_APP_CLASS, class);
}

static void derive(struct probe *probe)
{
	const char *folder = facts_anchor(probe->facts, ANCHOR_MMC);

	if (!folder)
		return;
	read_sd_status(probe, folder);
	probe_offer_fact(probe, FACT_MODEL, FACT_MMC_NAME);
	probe_offer_fact(probe, FACT_SERIAL, FACT_MMC_SERIAL);
	probe_offer_fact(probe, FACT_FIRMWARE, FACT_MMC_FWREV);
}

const struct prober mmc_prober = { .locate = locate, .derive = derive };
