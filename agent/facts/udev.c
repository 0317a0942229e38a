/* SPDX-License-Identifier: MIT */
/*
 * udev's properties fill in what sysfs does not say. They are missing in containers,
 * under mdev and in a bare initramfs, so nothing is decided by them.
 */
#include "facts/probe.h"

static void derive(struct probe *probe)
{
	probe_offer_fact(probe, FACT_MODEL, FACT_ID_MODEL);
	probe_offer_fact(probe, FACT_SERIAL, FACT_ID_SERIAL_SHORT);
	probe_offer_fact(probe, FACT_SERIAL, FACT_ID_SERIAL);
	probe_offer_fact(probe, FACT_WWN, FACT_ID_WWN);
	probe_offer_fact(probe, FACT_FIRMWARE, FACT_ID_REVISION);
}

const struct prober udev_prober = { .derive = derive };
