/* SPDX-License-Identifier: MIT */
/*
 * SCSI hosts. A RAID controller shows volumes and, in pass-through, plain drives: a
 * drive is told by a SAS end device in its path or by the ATA translation's vendor.
 */
#include <string.h>

#include "classify/rules.h"

#define PCI_CLASS_RAID 0x0104U

/* Low-level drivers whose disks are volumes (scsi_host/proc_name). */
static const char *const raid_drivers[] = {
	"megaraid_sas", "megaraid", "aacraid", "hpsa", "smartpqi", "cciss", "arcmsr",
	"ips", "3w-9xxx", "3w-sas", "3w-xxxx", "gdth", "mpi3mr_raid", "stex", "hptiop",
	"pmcraid",
};

static bool is_raid_driver(const char *name)
{
	for (size_t i = 0; name && i < sizeof(raid_drivers) / sizeof(raid_drivers[0]);
	     i++) {
		if (strcmp(name, raid_drivers[i]) == 0)
			return true;
	}
	return false;
}

static bool is_raid_host(const struct disk_facts *facts)
{
	uint64_t class = 0;

	return is_raid_driver(facts_text(facts, FACT_PROC_NAME)) ||
	       is_raid_driver(facts_text(facts, FACT_HOST_DRIVER)) ||
	       (facts_number(facts, FACT_PCI_CLASS, &class) &&
		class >> 8 == PCI_CLASS_RAID);
}

/* A drive that the controller passes through as it is. */
static bool is_passed_through(const struct disk_facts *facts)
{
	return facts_is_text(facts, FACT_SCSI_TRANSPORT, "sas") ||
	       facts_is_text(facts, FACT_SCSI_VENDOR, "ATA") ||
	       facts_known(facts, FACT_ATA_ID_76);
}

static bool rule_network(const struct disk_facts *facts, struct disk_class *class)
{
	bool fc = facts_is_text(facts, FACT_SCSI_TRANSPORT, "fc");

	if (!fc && !facts_is_text(facts, FACT_SCSI_TRANSPORT, "iscsi"))
		return false;
	class->transport = fc ? TRANSPORT_FC : TRANSPORT_ISCSI;
	class->attachment = fc ? ATTACHMENT_HBA : ATTACHMENT_NETWORK;
	class->remote = true;
	REASON(class, TOPIC_TRANSPORT,
	       fc ? "its path passes a Fibre Channel remote port" :
		    "its path passes an iSCSI session",
	       FACT_SCSI_TRANSPORT);
	return true;
}

void rule_scsi(const struct disk_facts *facts, struct disk_class *class)
{
	bool sas = facts_is_text(facts, FACT_SCSI_TRANSPORT, "sas");

	if (rule_network(facts, class))
		return;
	if (facts_is_text(facts, FACT_PROC_NAME, "vmw_pvscsi") ||
	    facts_is_text(facts, FACT_HOST_DRIVER, "vmw_pvscsi")) {
		class->transport = TRANSPORT_SCSI;
		class->attachment = ATTACHMENT_PARAVIRTUAL;
		REASON(class, TOPIC_ATTACHMENT, "pvscsi is made for guests",
		       FACT_HOST_DRIVER);
		return;
	}
	class->transport = sas ? TRANSPORT_SAS : TRANSPORT_SCSI;
	REASON(class, TOPIC_TRANSPORT,
	       sas ? "its path passes a SAS end device"
		   : "it is a SCSI device of no transport class",
	       FACT_SCSI_TRANSPORT, FACT_PROC_NAME);
	if (is_raid_host(facts) && !is_passed_through(facts)) {
		class->attachment = ATTACHMENT_RAID_VOLUME;
		REASON(class, TOPIC_ATTACHMENT,
		       "a RAID controller's volume: the drives behind it do not show",
		       FACT_PROC_NAME, FACT_PCI_CLASS, FACT_SCSI_VENDOR);
		return;
	}
	class->attachment = ATTACHMENT_HBA;
	REASON(class, TOPIC_ATTACHMENT, "its host adapter shows the drive itself",
	       FACT_PROC_NAME, FACT_HOST_DRIVER);
}
