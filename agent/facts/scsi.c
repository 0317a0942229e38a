/* SPDX-License-Identifier: MIT */
/*
 * SCSI devices and their hosts: SAS, FC, iSCSI, RAID volumes, USB and libata's disks
 * too. The transport is told by the folders that the kernel's transport classes put
 * into the path. VPD page 0xB1 (SBC) holds the medium rotation rate in bytes 4 and 5;
 * page 0x89 (SAT) holds IDENTIFY at byte 60, little-endian.
 */
#include <string.h>

#include "facts/ata-identify.h"
#include "facts/probe.h"

static void note_transport(struct probe *probe)
{
	static const struct {
		const char *folder, *transport;
	} signs[] = {
		{ "/end_device-", "sas" },
		{ "/rport-", "fc" },
		{ "/session", "iscsi" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (strstr(probe->hardware, signs[i].folder)) {
			facts_set_text(probe->facts, FACT_SCSI_TRANSPORT,
				       signs[i].transport);
			return;
		}
	}
}

/* The nearest folder above the host that has a driver: a PCI function or another. */
static void find_host(struct probe *probe, const char *host)
{
	char folder[ROOT_PATH_MAX], driver[64];

	strcpy(folder, host);
	while (path_up(folder) && strlen(folder) > strlen("/sys/devices/")) {
		if (probe_read_link(probe, folder, "driver", driver, sizeof(driver))) {
			facts_set_anchor(probe->facts, ANCHOR_HOST, folder);
			return;
		}
	}
}

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX], host[ROOT_PATH_MAX], class_folder[ROOT_PATH_MAX];
	uint64_t n = 0;

	if (!probe_find_ancestor(probe, "scsi", NULL, folder))
		return;
	facts_set_anchor(probe->facts, ANCHOR_SCSI_DEVICE, folder);
	note_transport(probe);
	if (!probe_find_folder(probe, "host", host, &n))
		return;
	find_host(probe, host);
	if (path_join(class_folder, sizeof(class_folder), host, "scsi_host") == 0 &&
	    path_join(folder, sizeof(folder), class_folder, path_name(host)) == 0)
		facts_set_anchor(probe->facts, ANCHOR_SCSI_HOST, folder);
}

static void read_vpd_rotation(struct probe *probe, const char *folder)
{
	char page[ROOT_ATTR_MAX + 1];
	size_t len = 0;

	if (!probe_read(probe, folder, "vpd_pgb1", page, sizeof(page), &len) || len < 6 ||
	    (unsigned char)page[1] != 0xb1)
		return;
	facts_set_number(probe->facts, FACT_VPD_ROTATION,
			 (uint64_t)(unsigned char)page[4] << 8 | (unsigned char)page[5]);
}

static void read_vpd_identify(struct probe *probe, const char *folder)
{
	unsigned char page[ROOT_ATTR_MAX + 1];
	static const enum fact facts[] = { FACT_ATA_ID_75, FACT_ATA_ID_76,
					   FACT_ATA_ID_77, FACT_ATA_ID_217 };
	uint16_t words[IDENTIFY_WORDS];
	char path[ROOT_PATH_MAX];
	size_t len = 0;

	if (facts_known(probe->facts, FACT_ATA_ID_76) ||
	    !probe_read(probe, folder, "vpd_pg89", (char *)page, sizeof(page), &len) ||
	    len < 60 + 2 * IDENTIFY_WORDS || page[1] != 0x89)
		return;
	for (size_t i = 0; i < IDENTIFY_WORDS; i++)
		words[i] = (uint16_t)(page[60 + 2 * i] | page[61 + 2 * i] << 8);
	identify_set_facts(probe, words);
	if (path_join(path, sizeof(path), folder, "vpd_pg89") < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		facts_set_source(probe->facts, facts[i], path);
}

/* "naa.5000c500..." as udev's ID_WWN writes it: 0x5000c500... */
static void offer_wwn(struct probe *probe)
{
	const char *wwid = facts_text(probe->facts, FACT_SCSI_WWID);
	char text[FACT_TEXT_MAX];

	if (!wwid || strncmp(wwid, "naa.", 4) != 0)
		return;
	(void)snprintf(text, sizeof(text), "0x%s", wwid + 4);
	probe_offer(probe, FACT_WWN, text);
}

static void derive(struct probe *probe)
{
	const char *folder = facts_anchor(probe->facts, ANCHOR_SCSI_DEVICE);

	if (!folder)
		return;
	read_vpd_rotation(probe, folder);
	read_vpd_identify(probe, folder);
	probe_offer_fact(probe, FACT_VENDOR, FACT_SCSI_VENDOR);
	probe_offer_fact(probe, FACT_MODEL, FACT_SCSI_MODEL);
	probe_offer_fact(probe, FACT_FIRMWARE, FACT_SCSI_REV);
	offer_wwn(probe);
}

const struct prober scsi_prober = { .locate = locate, .derive = derive };
