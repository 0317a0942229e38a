/* SPDX-License-Identifier: MIT */
/*
 * IDENTIFY DEVICE data, which reaches us in two ways: libata's `id` attribute, and VPD
 * page 0x89 of a SATA drive behind a SCSI translation. Internal to facts/.
 */
#pragma once

#include "facts/probe.h"

#define IDENTIFY_WORDS 256

/* Sets the ata_id_* facts and offers model, serial, firmware and WWN. */
void identify_set_facts(struct probe *probe, const uint16_t words[IDENTIFY_WORDS]);
