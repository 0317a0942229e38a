/* SPDX-License-Identifier: MIT */
/*
 * The PCIe link of a disk's function, compared with what both of its ends can; and NVMe
 * drives that the firmware put behind another function (Intel's RST remapping and VMD).
 */
#include "diagnose/internal.h"

#define GEN1_MTPS 2500U
#define GEN2_MTPS 5000U /* 8b/10b up to here, 128b/130b above */
#define GEN6_MTPS 64000U /* FLITs: 242 of 256 bytes are the link's user's */
#define WIDTH_MAX 32U	/* 255 is the kernel's "unknown" (include/linux/pci.h) */

struct link {
	uint64_t mtps;
	uint64_t width;
};

/* What of the transfers is left for data (PCI Express Base Specification 6.0). */
struct encoding {
	unsigned int data, of;
};

static struct encoding encoding_of(uint64_t mtps)
{
	if (mtps <= GEN2_MTPS)
		return (struct encoding){ 8, 10 };
	if (mtps < GEN6_MTPS)
		return (struct encoding){ 128, 130 };
	return (struct encoding){ 242, 256 };
}

/* MB/s, from megatransfers a second of one bit each. */
static uint64_t bandwidth(const struct link *link)
{
	struct encoding encoding = encoding_of(link->mtps);

	return link->mtps * link->width * encoding.data / encoding.of / 8;
}

/* "8.0 GT/s x4" */
static const char *describe(const struct link *link, char buf[48])
{
	(void)snprintf(buf, 48, "%" PRIu64 ".%" PRIu64 " GT/s x%" PRIu64,
		       link->mtps / 1000, link->mtps / 100 % 10, link->width);
	return buf;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What the PCI function is. */
static const char *noun(const struct subject *subject)
{
	return subject->class->transport == TRANSPORT_NVME ? "drive" : "controller";
}

/* The link of a guest's function is the hypervisor's invention. USB has its own speed. */
static bool has_pcie_link(const struct subject *subject)
{
	const struct disk_class *class = subject->class;
	const struct disk_facts *facts = own(subject);

	if (facts_is_set(facts, FACT_GUEST) || class->transport == TRANSPORT_USB ||
	    class->transport == TRANSPORT_MMC || class->transport == TRANSPORT_VIRTIO ||
	    class->attachment == ATTACHMENT_STACKED || is_no_real_disk(subject))
		return false;
	return facts_known(facts, FACT_LINK_SPEED) ||
	       facts_known(facts, FACT_LINK_WIDTH) ||
	       facts_known(facts, FACT_MAX_LINK_SPEED);
}

/* A width of 0 or 255, a speed of 0: the port answers, but says nothing. */
static bool is_nonsense(const struct subject *subject, struct finding *finding)
{
	static const enum fact widths[] = { FACT_LINK_WIDTH, FACT_MAX_LINK_WIDTH,
					    FACT_PORT_LINK_WIDTH };
	static const enum fact speeds[] = { FACT_LINK_SPEED, FACT_MAX_LINK_SPEED,
					    FACT_PORT_LINK_SPEED };

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		uint64_t width = number_of(subject, widths[i]);
		uint64_t speed = number_of(subject, speeds[i]);

		if (width >= 1 && width <= WIDTH_MAX && speed >= GEN1_MTPS &&
		    speed <= UINT32_MAX)
			continue;
		could_not_check(finding,
				"width %" PRIu64 " at %" PRIu64 " MT/s is no link", width,
				speed);
		return true;
	}
	return false;
}

struct links {
	struct link now, device, both; /* both: what device and port can together */
};

static bool read_links(const struct subject *subject, struct finding *finding,
		       struct links *ret)
{
	if (is_nonsense(subject, finding))
		return false;
	ret->now.mtps = number_of(subject, FACT_LINK_SPEED);
	ret->now.width = number_of(subject, FACT_LINK_WIDTH);
	ret->device.mtps = number_of(subject, FACT_MAX_LINK_SPEED);
	ret->device.width = number_of(subject, FACT_MAX_LINK_WIDTH);
	ret->both.mtps =
		least(ret->device.mtps, number_of(subject, FACT_PORT_LINK_SPEED));
	ret->both.width =
		least(ret->device.width, number_of(subject, FACT_PORT_LINK_WIDTH));
	return true;
}

static bool is_degraded(const struct links *links)
{
	return links->now.mtps < links->both.mtps || links->now.width < links->both.width;
}

static const char *const sleeping_remedy[] = {
	"cat /sys/bus/pci/devices/{pci_address}/current_link_speed   # read it again "
	"while the drive works",
	"if it stays: reseat the drive, look at riser, adapter and bifurcation",
	NULL,
};

/*
 * A narrow link is never power saving. A slow one may be: some machines slow an idle link
 * down, to 2.5 GT/s, without the kernel's doing, and it need not be asleep for that; so
 * that is said with little confidence, and nobody is warned. Of functions other than
 * NVMe, which sit on the board or on cards of any kind, we do not know that the port's
 * word is meant.
 */
static void check_degraded(const struct subject *subject, struct finding *finding)
{
	bool awake = facts_is_text(own(subject), FACT_RUNTIME_STATUS, "active");
	bool nvme = subject->class->transport == TRANSPORT_NVME;
	enum confidence confidence = CONFIDENCE_MEDIUM;
	struct links links = { 0 };
	char now[48], both[48];
	const char *doubt = "";
	bool narrow = false;

	if (!read_links(subject, finding, &links) || !is_degraded(&links))
		return;
	narrow = links.now.width < links.both.width;
	if (!awake || (!narrow && links.now.mtps == GEN1_MTPS))
		confidence = CONFIDENCE_LOW;
	else if (narrow)
		confidence = CONFIDENCE_HIGH;
	if (confidence == CONFIDENCE_LOW) {
		finding->remedy = sleeping_remedy;
		doubt = awake ? "; unless it is slow only while idle"
			      : "; it may be saving power";
	}
	found(finding,
	      nvme && confidence != CONFIDENCE_LOW ? SEVERITY_WARN : SEVERITY_INFO,
	      confidence,
	      "the PCIe link runs at %s, though %s and slot can both do %s: about "
	      "%" PRIu64 " instead of %" PRIu64 " MB/s%s",
	      describe(&links.now, now), noun(subject), describe(&links.both, both),
	      bandwidth(&links.now), bandwidth(&links.both), doubt);
}

static void check_slot(const struct subject *subject, struct finding *finding)
{
	struct encoding encoding = { 0 };
	struct links links = { 0 };
	char device[48];

	if (!read_links(subject, finding, &links) || is_degraded(&links))
		return;
	if (links.both.mtps == links.device.mtps &&
	    links.both.width == links.device.width)
		return;
	encoding = encoding_of(links.now.mtps);
	found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
	      "the slot is the limit: %" PRIu64 " MT/s x %" PRIu64
	      " lane%s x %u/%u / 8 = %" PRIu64 " MB/s; the %s could do %s, %" PRIu64
	      " MB/s",
	      links.now.mtps, links.now.width, links.now.width == 1 ? "" : "s",
	      encoding.data, encoding.of, bandwidth(&links.now), noun(subject),
	      describe(&links.device, device), bandwidth(&links.device));
}

static void check_remapped(const struct subject *subject, struct finding *finding)
{
	const char *where = text_of(subject, FACT_REMAPPED_AT);
	uint64_t n = number_of(subject, FACT_REMAPPED_TOTAL);

	if (n == 0)
		return;
	found(finding, SEVERITY_ERROR, CONFIDENCE_HIGH,
	      "%" PRIu64
	      " NVMe %s hidden behind the SATA controller%s%.100s: the firmware is in "
	      "RAID mode (Intel RST), in which Linux cannot reach %s",
	      n, n == 1 ? "drive is" : "drives are", *where ? " " : "", where,
	      n == 1 ? "it" : "them");
}

static bool is_nvme(const struct subject *subject)
{
	return subject->class->attachment == ATTACHMENT_NVME_PCIE;
}

static void check_behind_vmd(const struct subject *subject, struct finding *finding)
{
	if (facts_is_set(own(subject), FACT_BEHIND_VMD))
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "this drive is behind Intel's VMD (%.32s): it is there only once "
		      "the "
		      "vmd driver is loaded",
		      text_of(subject, FACT_PCI_ADDRESS));
}

static void check_vmd_unbound(const struct subject *subject, struct finding *finding)
{
	const char *where = text_of(subject, FACT_VMD_UNBOUND);

	/* "0000:00:0e.0", or "none" */
	if (!strchr(where, ':'))
		return;
	found(finding, SEVERITY_ERROR, CONFIDENCE_HIGH,
	      "Intel's VMD at %.64s has no driver: whatever NVMe drives are behind it do "
	      "not "
	      "show",
	      where);
}

/* Exactly as many as there is room for, so without an end. */
#define LINK_FACTS                                                                      \
	{                                                                               \
		FACT_LINK_SPEED, FACT_LINK_WIDTH, FACT_MAX_LINK_SPEED,                  \
			FACT_MAX_LINK_WIDTH, FACT_PORT_LINK_SPEED, FACT_PORT_LINK_WIDTH \
	}

static const struct check list[] = {
	{
		.id = FINDING_PCIE_LINK_DEGRADED,
		.scope = SCOPE_DISK,
		.applies = has_pcie_link,
		.requires = LINK_FACTS,
		.run = check_degraded,
		.evidence = FACTS(FACT_LINK_SPEED, FACT_LINK_WIDTH, FACT_MAX_LINK_SPEED,
				  FACT_MAX_LINK_WIDTH, FACT_PORT_LINK_SPEED,
				  FACT_PORT_LINK_WIDTH, FACT_RUNTIME_STATUS),
		.cost = "a ceiling for large reads; small ones at random reach it with a "
			"fast drive only",
		.remedy = STEPS("reseat the drive, clean its contacts",
				"look at what is between: riser, adapter, retimer, and "
				"the firmware's bifurcation and link speed of the slot",
				"lspci -vv -s {pci_address}   # shows LnkSta against "
				"LnkCap"),
	},
	{
		.id = FINDING_PCIE_SLOT_LIMIT,
		.scope = SCOPE_DISK,
		.applies = has_pcie_link,
		.requires = LINK_FACTS,
		.run = check_slot,
		.evidence = FACTS(FACT_LINK_SPEED, FACT_LINK_WIDTH, FACT_MAX_LINK_SPEED,
				  FACT_MAX_LINK_WIDTH, FACT_PORT_LINK_SPEED,
				  FACT_PORT_LINK_WIDTH),
		.cost = "the ceiling above, for large reads; small ones lose little",
		.remedy = STEPS("leave it, or move the drive to a wider or faster slot",
				"boards with one lane may offer a faster setting "
				"(Raspberry Pi 5: dtparam=pciex1_gen=3)"),
	},
	{
		.id = FINDING_NVME_REMAPPED,
		.scope = SCOPE_MACHINE,
		.requires = FACTS(FACT_REMAPPED_TOTAL),
		.run = check_remapped,
		.evidence = FACTS(FACT_REMAPPED_TOTAL, FACT_REMAPPED_AT),
		.cost = "the drives cannot be used at all",
		.remedy =
			STEPS("before: save what is on them, and prepare other systems; "
			      "Windows must be told to load its AHCI driver, or it "
			      "does not boot; a RAID set of these drives is lost",
			      "set the SATA or storage mode to AHCI in the firmware "
			      "setup (BIOS), from \"RAID\", \"RST\" or \"Optane\""),
	},
	{
		.id = FINDING_VMD,
		.scope = SCOPE_DISK,
		.applies = is_nvme,
		.requires = FACTS(FACT_BEHIND_VMD),
		.run = check_behind_vmd,
		.evidence = FACTS(FACT_BEHIND_VMD, FACT_PCI_ADDRESS),
		.cost = "none worth mentioning",
		.remedy =
			STEPS("leave it, and keep the vmd driver in the initramfs if the "
			      "system boots from this drive"),
	},
	{
		.id = FINDING_VMD,
		.scope = SCOPE_MACHINE,
		.requires = FACTS(FACT_VMD_UNBOUND),
		.run = check_vmd_unbound,
		.evidence = FACTS(FACT_VMD_UNBOUND),
		.cost = "the drives cannot be used at all",
		.remedy = STEPS("modprobe vmd   # if the drives appear, add vmd to the "
				"initramfs (Debian: /etc/initramfs-tools/modules and "
				"update-initramfs -u; dracut --add-drivers vmd --force)",
				"or switch VMD off in the firmware setup: prepare other "
				"systems on these drives for that"),
	},
};

const struct checks pcie_checks = { list, ARRAY_SIZE(list) };
