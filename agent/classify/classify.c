/* SPDX-License-Identifier: MIT */
/*
 * The order of the questions: first what kind of thing sysfs shows (its parents'
 * subsystems), then how it hangs on the machine, then its medium, its NCQ, and last the
 * class, which sums them up. Names such as sda, udev's ID_BUS and PCI ids alone decide
 * nothing.
 */
#include <string.h>

#include "classify/rules.h"

void reason_add(struct disk_class *class, enum topic topic, const char *text,
		const enum fact facts[REASON_FACTS])
{
	struct reason *reason = NULL;

	if (class->n_reasons == REASONS_MAX)
		return;
	reason = &class->reasons[class->n_reasons++];
	reason->topic = topic;
	reason->text = text;
	memcpy(reason->facts, facts, sizeof(reason->facts));
}

/* What STACK_KIND alone decides. */
static const struct kind_row {
	const char *kind;
	enum transport transport;
	enum attachment attachment;
	bool remote;
	const char *text;
} kind_rows[] = {
	{ "dm", TRANSPORT_DM, ATTACHMENT_STACKED, false, "it has a dm folder" },
	{ "md", TRANSPORT_MD, ATTACHMENT_STACKED, false, "it has an md folder" },
	{ "bcache", TRANSPORT_BCACHE, ATTACHMENT_STACKED, false,
	  "it has a bcache folder" },
	{ "loop", TRANSPORT_LOOP, ATTACHMENT_STACKED, false, "it is a loop device" },
	{ "ram", TRANSPORT_RAM, ATTACHMENT_MEMORY, false,
	  "its major number is the RAM disk's" },
	{ "zram", TRANSPORT_ZRAM, ATTACHMENT_MEMORY, false, "it has zram's attributes" },
	{ "pmem", TRANSPORT_PMEM, ATTACHMENT_MEMORY, false,
	  "its parent is an nd device" },
	{ "nbd", TRANSPORT_NBD, ATTACHMENT_NETWORK, true, "its major number is nbd's" },
	{ "rbd", TRANSPORT_RBD, ATTACHMENT_NETWORK, true, "its parent is an rbd device" },
	{ "drbd", TRANSPORT_DRBD, ATTACHMENT_STACKED, true,
	  "its major number is drbd's" },
	{ "xen", TRANSPORT_XEN, ATTACHMENT_PARAVIRTUAL, false,
	  "its parent is a Xen device" },
	{ "hyperv", TRANSPORT_HYPERV, ATTACHMENT_PARAVIRTUAL, false,
	  "its path passes the Hyper-V bus" },
};

static bool rule_kind(const struct disk_facts *facts, struct disk_class *class)
{
	for (size_t i = 0; i < sizeof(kind_rows) / sizeof(kind_rows[0]); i++) {
		const struct kind_row *row = &kind_rows[i];

		if (!facts_is_text(facts, FACT_STACK_KIND, row->kind))
			continue;
		class->transport = row->transport;
		class->attachment = row->attachment;
		class->remote = row->remote;
		REASON(class, TOPIC_TRANSPORT, row->text, FACT_STACK_KIND);
		return true;
	}
	return false;
}

static void rule_nvme(const struct disk_facts *facts, struct disk_class *class)
{
	const char *transport = facts_text(facts, FACT_NVME_TRANSPORT);
	bool fabrics = transport && strcmp(transport, "pcie") != 0 &&
		       strcmp(transport, "apple-nvme") != 0;

	class->transport = TRANSPORT_NVME;
	REASON(class, TOPIC_TRANSPORT, "its controller is an NVMe device",
	       FACT_NVME_TRANSPORT);
	if (fabrics) {
		class->attachment = ATTACHMENT_NVME_FABRICS;
		class->remote = strcmp(transport, "loop") != 0;
		REASON(class, TOPIC_ATTACHMENT,
		       "the controller is reached over a network", FACT_NVME_TRANSPORT);
	} else if (facts_known(facts, FACT_PCI_ADDRESS)) {
		class->attachment = ATTACHMENT_NVME_PCIE;
		REASON(class, TOPIC_ATTACHMENT, "the controller is a PCI function",
		       FACT_PCI_ADDRESS, FACT_PCI_CLASS);
	} else if (transport) {
		class->attachment = ATTACHMENT_NVME_PLATFORM;
		REASON(class, TOPIC_ATTACHMENT,
		       "no PCI function stands above the controller",
		       FACT_NVME_TRANSPORT);
	}
}

static void rule_usb(const struct disk_facts *facts, struct disk_class *class)
{
	bool uas = facts_is_text(facts, FACT_USB_DRIVER, "uas");

	class->transport = TRANSPORT_USB;
	REASON(class, TOPIC_TRANSPORT, "its path passes a USB interface",
	       FACT_USB_DRIVER);
	if (!facts_known(facts, FACT_USB_DRIVER))
		return;
	class->attachment = uas ? ATTACHMENT_USB_UAS : ATTACHMENT_USB_BOT;
	REASON(class, TOPIC_ATTACHMENT,
	       uas ? "the interface is driven by uas, which has a command queue" :
		     "the interface is driven by usb-storage, one command at a time",
	       FACT_USB_DRIVER);
}

static void rule_mmc(const struct disk_facts *facts, struct disk_class *class)
{
	class->transport = TRANSPORT_MMC;
	REASON(class, TOPIC_TRANSPORT, "its parent is an MMC card", FACT_MMC_TYPE);
	if (facts_is_text(facts, FACT_MMC_TYPE, "MMC"))
		class->attachment = ATTACHMENT_EMMC;
	else if (facts_is_text(facts, FACT_MMC_TYPE, "SD"))
		class->attachment = ATTACHMENT_SD;
	else
		return;
	REASON(class, TOPIC_ATTACHMENT, "the card's own type", FACT_MMC_TYPE);
}

static void rule_virtio(const struct disk_facts *facts, struct disk_class *class)
{
	(void)facts;
	class->transport = TRANSPORT_VIRTIO;
	class->attachment = ATTACHMENT_PARAVIRTUAL;
	REASON(class, TOPIC_TRANSPORT, "its path passes a virtio device",
	       FACT_VIRTIO_DRIVER);
	REASON(class, TOPIC_ATTACHMENT, "virtio is made for guests", FACT_VIRTIO_DRIVER);
}

/* Which rule speaks for a disk: the first whose folder stands above it. */
static const struct {
	enum anchor anchor;
	enum fact fact; /* or this fact is set */
	void (*rule)(const struct disk_facts *facts, struct disk_class *class);
} transport_rules[] = {
	{ ANCHOR_NVME, FACT_NVME_HEAD, rule_nvme },
	{ ANCHOR_USB_INTERFACE, _FACT_MAX, rule_usb },
	{ ANCHOR_MMC, _FACT_MAX, rule_mmc },
	{ ANCHOR_NONE, FACT_LIBATA, rule_ata },
	{ ANCHOR_VIRTIO, _FACT_MAX, rule_virtio },
	{ ANCHOR_SCSI_DEVICE, _FACT_MAX, rule_scsi },
};

static void rule_transport(const struct disk_facts *facts, struct disk_class *class)
{
	for (size_t i = 0; i < sizeof(transport_rules) / sizeof(transport_rules[0]);
	     i++) {
		enum fact fact = transport_rules[i].fact;

		if (facts_anchor(facts, transport_rules[i].anchor) ||
		    (fact != _FACT_MAX && facts_is_set(facts, fact))) {
			transport_rules[i].rule(facts, class);
			return;
		}
	}
	REASON(class, TOPIC_TRANSPORT,
	       "no folder above it belongs to a transport we know", FACT_DEVICE_SUBSYSTEM,
	       FACT_DEVICE_DRIVER);
}

void classify_facts(const struct disk_facts *facts, struct disk_class *ret)
{
	struct disk_class class = { .confident = true };

	if (!rule_kind(facts, &class))
		rule_transport(facts, &class);
	if (facts_is_set(facts, FACT_CLOUD_VOLUME))
		class.remote = true;
	rule_medium(facts, &class);
	rule_ncq(facts, &class);
	rule_class(facts, &class);
	*ret = class;
}

/* A stack is what its leaves are: the slowest medium, remote if any of them is. */
static void combine_leaves(const struct disk *disk, struct disk_class *class)
{
	size_t n[_MEDIUM_MAX] = { 0 };

	if (disk->n_leaves == 0) {
		if (class->medium == MEDIUM_UNKNOWN)
			REASON(class, TOPIC_MEDIUM, "no device below it is known",
			       FACT_SLAVES);
		return;
	}
	for (size_t i = 0; i < disk->n_leaves; i++) {
		struct disk_class leaf = { 0 };

		classify_facts(&disk->leaves[i].facts, &leaf);
		n[leaf.medium]++;
		class->remote |= leaf.remote;
		class->confident &= leaf.confident;
	}
	if (n[MEDIUM_ROTATIONAL] > 0) {
		class->medium = MEDIUM_ROTATIONAL;
		REASON(class, TOPIC_MEDIUM, "a disk below it is rotational", FACT_SLAVES);
	} else if (n[MEDIUM_FLASH] == disk->n_leaves && !disk->leaves_incomplete) {
		class->medium = MEDIUM_FLASH;
		REASON(class, TOPIC_MEDIUM, "every disk below it is flash", FACT_SLAVES);
	} else {
		class->medium = MEDIUM_UNKNOWN;
		REASON(class, TOPIC_MEDIUM, "not every disk below it is known",
		       FACT_SLAVES);
	}
	class->confident &= !disk->leaves_incomplete;
}

void classify(const struct disk *disk, struct disk_class *ret)
{
	struct disk_class class = { 0 };

	classify_facts(&disk->facts, &class);
	if (class.attachment == ATTACHMENT_STACKED)
		combine_leaves(disk, &class);
	*ret = class;
}
