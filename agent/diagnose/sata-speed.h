/* SPDX-License-Identifier: MIT */
/*
 * The speed of a SATA link and what limits it: the two checks have one judgement, so that
 * they exclude each other. Internal to diagnose/.
 */
#pragma once

#include "diagnose/ata.h"

/* A SATA drive's link that is real: no hypervisor made it up. */
bool has_sata_link(const struct subject *subject);

void check_link_slow(const struct subject *subject, struct finding *finding);
void check_port_limit(const struct subject *subject, struct finding *finding);
