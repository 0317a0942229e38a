/* SPDX-License-Identifier: MIT */
/*
 * virtio devices, which carry a disk of their own (virtio_blk) or a SCSI host
 * (virtio_scsi). The `serial` attribute of a virtio disk is not read: it sends a request
 * to the host and waits for the answer (drivers/block/virtio_blk.c, serial_show). udev
 * has asked for it already, its ID_SERIAL will do.
 */
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (probe_find_ancestor(probe, "virtio", NULL, folder))
		facts_set_anchor(probe->facts, ANCHOR_VIRTIO, folder);
}

const struct prober virtio_prober = { .locate = locate };
