/* SPDX-License-Identifier: MIT */
/*
 * What checks of ATA disks share: the remedy against IDE mode. Internal to diagnose/.
 */
#pragma once

#include "diagnose/internal.h"

/*
 * The steps against IDE mode that fit the facts: whether the controller has AHCI, how the
 * machine was booted, whether the initramfs is ready for the switch.
 */
const char *const *ide_mode_remedy(const struct subject *subject);
