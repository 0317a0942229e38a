/* SPDX-License-Identifier: MIT */
/*
 * What checks of ATA disks share: the words of IDENTIFY, and the remedy against IDE mode.
 * Internal to diagnose/.
 */
#pragma once

#include "diagnose/internal.h"

#define IDENTIFY_NCQ 0x100U /* word 76, bit 8 */

/* IDENTIFY word 76 of a SATA drive; parallel ones have 0 or all ones there. */
static inline bool is_sata_word(uint64_t word)
{
	return word != 0 && word != 0xffff;
}

/*
 * The steps against IDE mode that fit the facts: whether the controller has AHCI, how the
 * machine was booted, whether the initramfs is ready for the switch.
 */
const char *const *ide_mode_remedy(const struct subject *subject);
