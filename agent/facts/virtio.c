/* SPDX-License-Identifier: MIT */
/*
 * virtio devices, which carry a disk of their own (virtio_blk) or a SCSI host
 * (virtio_scsi). The serial number of a virtio disk is whatever its host chose.
 */
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (probe_find_ancestor(probe, "virtio", NULL, folder))
		facts_set_anchor(probe->facts, ANCHOR_VIRTIO, folder);
}

static void derive(struct probe *probe)
{
	if (facts_anchor(probe->facts, ANCHOR_VIRTIO))
		probe_offer_fact(probe, FACT_SERIAL, FACT_VIRTIO_SERIAL);
}

const struct prober virtio_prober = { .locate = locate, .derive = derive };
