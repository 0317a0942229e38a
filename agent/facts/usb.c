/* SPDX-License-Identifier: MIT */
/*
 * USB storage: the interface's bound driver (usb-storage, uas, ums-*) and the device's
 * speed and ids. udev's ID_BUS is not asked: a bridge can make it say "ata".
 */
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (!probe_find_ancestor(probe, "usb", "usb_interface", folder))
		return;
	facts_set_anchor(probe->facts, ANCHOR_USB_INTERFACE, folder);
	if (probe_find_ancestor(probe, "usb", "usb_device", folder))
		facts_set_anchor(probe->facts, ANCHOR_USB_DEVICE, folder);
}

static void derive(struct probe *probe)
{
	if (facts_anchor(probe->facts, ANCHOR_USB_DEVICE))
		probe_offer_fact(probe, FACT_SERIAL, FACT_USB_SERIAL);
}

const struct prober usb_prober = { .locate = locate, .derive = derive };
