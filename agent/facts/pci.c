/* SPDX-License-Identifier: MIT */
/*
 * The PCI function to which the disk belongs: the first one above it. Behind Intel's
 * VMD that is still the NVMe function, not the VMD. The PCIe port above it has the same
 * link attributes, which tell what the slot allows.
 */
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX], subsystem[24];

	if (!probe_find_ancestor(probe, "pci", NULL, folder))
		return;
	facts_set_anchor(probe->facts, ANCHOR_PCI, folder);
	facts_set_text(probe->facts, FACT_PCI_ADDRESS, path_name(folder));
	facts_set_number(probe->facts, FACT_BEHIND_VMD,
			 probe_has_driver_above(probe, folder, "vmd"));
	if (path_up(folder) &&
	    probe_read_link(probe, folder, "subsystem", subsystem, sizeof(subsystem)) &&
	    probe_exists(probe, folder, "max_link_speed"))
		facts_set_anchor(probe->facts, ANCHOR_PCI_PORT, folder);
}

const struct prober pci_prober = { .locate = locate };
