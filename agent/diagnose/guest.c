/* SPDX-License-Identifier: MIT */
/*
 * Guests whose host could give them a better disk: an emulated SCSI adapter in place of a
 * paravirtual one, one queue in place of one for each CPU. The second goes for NVMe over
 * a network, too.
 */
#include "diagnose/internal.h"

#define PCI_VENDOR_VMWARE 0x15adU
#define CPUS_MANY 4U

/* SCSI disks of a guest; what ATA controllers it has is asked elsewhere. */
static bool has_guest_hba(const struct subject *subject)
{
	return facts_is_set(own(subject), FACT_GUEST) && !is_no_real_disk(subject) &&
	       (subject->class->transport == TRANSPORT_SCSI ||
		subject->class->transport == TRANSPORT_SAS);
}

/* Drivers of the adapters that VMware emulates: LSI Logic parallel and SAS, BusLogic. */
static bool is_emulated_driver(const char *driver)
{
	static const char *const patterns[] = { "mptspi", "mptsas", "mptscsih",
						"buslogic", "lsi*" };

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		if (glob_match(patterns[i], driver, true))
			return true;
	}
	return false;
}

/* A real adapter may be passed through; the emulated ones have VMware's subsystem id. */
static bool is_passed_through(const struct subject *subject)
{
	return facts_known(own(subject), FACT_PCI_SUBSYSTEM_VENDOR) &&
	       !facts_is_number(own(subject), FACT_PCI_SUBSYSTEM_VENDOR,
				PCI_VENDOR_VMWARE) &&
	       !facts_is_set(own(subject), FACT_EMULATED);
}

static void check_hba(const struct subject *subject, struct finding *finding)
{
	const char *driver = text_of(subject, FACT_HOST_DRIVER);

	if (strcmp(text_of(subject, FACT_HYPERVISOR), "vmware") != 0 ||
	    !is_emulated_driver(driver) || is_passed_through(subject))
		return;
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
	      "VMware emulates a SCSI adapter for this disk (driver %.32s): it takes 32 "
	      "commands for each disk and costs CPU for each",
	      driver);
}

static bool may_have_queues(const struct subject *subject)
{
	return !is_no_real_disk(subject) &&
	       (subject->class->attachment == ATTACHMENT_NVME_FABRICS ||
		(subject->class->transport == TRANSPORT_VIRTIO &&
		 subject->class->attachment == ATTACHMENT_PARAVIRTUAL));
}

static const char *const more_nvme_queues[] = {
	"nvme connect ... --nr-io-queues={cpus}   # connect with more of them, and "
	"without a limit of 1 in /etc/nvme or in the target",
	"leave it where one CPU does all the reading",
	NULL,
};

static void check_queues(const struct subject *subject, struct finding *finding)
{
	uint64_t cpus = number_of(subject, FACT_CPUS);

	if (number_of(subject, FACT_HW_QUEUES) != 1 || cpus < CPUS_MANY)
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_MEDIUM,
	      "one hardware queue for %" PRIu64
	      " CPUs: all of them share its lock and its interrupt",
	      cpus);
	if (subject->class->attachment == ATTACHMENT_NVME_FABRICS)
		finding->remedy = more_nvme_queues;
}

static const struct check list[] = {
	{
		.id = FINDING_EMULATED_HBA,
		.scope = SCOPE_DISK,
		.applies = has_guest_hba,
		.requires = FACTS(FACT_HYPERVISOR, FACT_HOST_DRIVER),
		.run = check_hba,
		.evidence = FACTS(FACT_HYPERVISOR, FACT_HOST_DRIVER, FACT_PROC_NAME,
				  FACT_QUEUE_DEPTH, FACT_MODEL),
		.cost = "reported: database guests reached 60 to 70 percent of what the "
			"storage gave; pvscsi takes 64 commands for each disk, 254 at "
			"most",
		.remedy = STEPS(
			"make sure that the guest's initramfs holds vmw_pvscsi, and "
			"keeps the present driver for the way back",
			"shut the guest down and change the adapter's type to VMware "
			"Paravirtual (pvscsi); names by UUID stay valid",
			"verify: the driver is vmw_pvscsi, and queue_depth 64"),
	},
	{
		.id = FINDING_SINGLE_QUEUE,
		.scope = SCOPE_DISK,
		.applies = may_have_queues,
		.requires = FACTS(FACT_HW_QUEUES, FACT_CPUS),
		.run = check_queues,
		.evidence = FACTS(FACT_HW_QUEUES, FACT_CPUS, FACT_VIRTIO_DRIVER,
				  FACT_NVME_TRANSPORT),
		.remedy = STEPS(
			"on the host give the device as many queues as the guest has "
			"CPUs: num-queues= of virtio-blk-pci (num_queues= of "
			"virtio-scsi-pci), queues= in libvirt's <driver>",
			"leave it where a few thousand requests a second are enough"),
	},
};

const struct checks guest_checks = { list, ARRAY_SIZE(list) };
