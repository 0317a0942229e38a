/* SPDX-License-Identifier: MIT */
/*
 * USB disks: whether the fast mode (uas, with a queue) works or only makes trouble, and
 * what quirk flags cost. A quirk is what its letters say and nothing else: most of them
 * have nothing to do with uas.
 */
#include "diagnose/internal.h"

#include "base/parse.h"

#define USB2_MBPS 480U
#define USB3_MBPS 5000U
#define RESETS_MANY 3U /* resume from suspend makes some, too */

/*
 * Documentation/admin-guide/kernel-parameters.txt, usb-storage.quirks;
 * include/linux/usb_usual.h, US_FL_*. What a flag costs, if anything.
 */
static const struct flag {
	char letter; /* '\0': the kernel's own list alone can set it */
	uint32_t bit;
	const char *meaning;
} flags[] = {
	{ 'u', 0x00800000, "no uas, so one command at a time" },
	{ 'm', 0x00000400, "at most 32 KiB a transfer" },
	{ 'g', 0x08000000, "at most 120 KiB a transfer with uas" },
	{ 't', 0x02000000, "no ATA commands, so no SMART and no TRIM" },
	{ '\0', 0x01000000, "no FUA, harmless" },
	{ 'f', 0x04000000, "no REPORT OPCODES, harmless" },
	{ 'k', 0x40000000, "no WRITE SAME, harmless" },
	{ 'j', 0x10000000, "no REPORT LUNS, harmless" },
	{ 'y', 0x20000000, "a flush after every write that asks for it" },
	{ '\0', 0x00400000, "READ CAPACITY(16) only, harmless" },
	{ 'c', 0x00000010, "capacity is one sector less" },
	{ 'h', 0x00001000, "capacity is even" },
	{ 'o', 0x00010000, "capacity is believed" },
	{ 'i', 0x00000800, "no driver at all" },
	{ 's', 0x00000001, "one LUN" },
	{ 'p', 0x00200000, "the write cache is taken to be on" },
	{ 'a', 0x00008000, "long sense data" },
	{ 'b', 0x00020000, "short sense data" },
	{ 'd', 0x00040000, "no READ DISC INFO" },
	{ 'e', 0x00080000, "no READ CAPACITY(16)" },
	{ 'l', 0x00000080, "the medium is not locked" },
	{ 'n', 0x00100000, "the first read is repeated" },
	{ 'r', 0x00000020, "residues are ignored" },
	{ 'w', 0x00000200, "write protection is not asked for" },
};

static bool is_usb(const struct subject *subject)
{
	return subject->class->transport == TRANSPORT_USB && !is_no_real_disk(subject);
}

static bool is_uas(const struct subject *subject)
{
	return strcmp(text_of(subject, FACT_USB_DRIVER), "uas") == 0;
}

/* The letters meant for this bridge that can be in force: under uas `u` is not. */
static void letters_in_force(const struct subject *subject, char buf[32])
{
	size_t len = 0;

	for (const char *letter = text_of(subject, FACT_USB_QUIRKS); *letter && len < 31;
	     letter++) {
		if (*letter != 'u' || !is_uas(subject))
			buf[len++] = *letter;
	}
	buf[len] = '\0';
}

static bool wants_no_uas(const struct subject *subject)
{
	return strchr(text_of(subject, FACT_USB_QUIRKS), 'u') != NULL;
}

/* A solid drive behind a bridge, or a hard disk; no stick, no card reader. */
static bool is_drive(const struct subject *subject)
{
	enum class class = subject->class->class;

	return class == CLASS_USB_SSD || class == CLASS_USB_HDD ||
	       class == CLASS_USB_DISK;
}

static const char *const quirk_missed_remedy[] = {
	"compare the ids of the quirk with lsusb (here {hex:idVendor}:{hex:idProduct}), "
	"four digits each, and the list with "
	"/sys/module/usb_storage/parameters/quirks",
	"usb-storage may be part of the initramfs: rebuild that after a change in "
	"/etc/modprobe.d; then plug the drive in again",
	NULL,
};

static const char *const slow_port_remedy[] = {
	"plug it into a USB 3 port, with a USB 3 cable and without a hub",
	"if port, cable and drive have USB 3 only by name, leave it",
	NULL,
};

static const char *const slow_bridge_remedy[] = {
	"leave it, or put the drive into an enclosure with USB 3",
	NULL,
};

static void uas_in_trouble(const struct subject *subject, struct finding *finding)
{
	uint64_t resets = number_of(subject, FACT_LOG_USB_RESETS);
	bool aborts = strstr(text_of(subject, FACT_LOG_USB_LINE), "uas_eh_") != NULL;

	if (resets == 0 || (!aborts && resets < RESETS_MANY))
		return;
	found(finding, aborts ? SEVERITY_WARN : SEVERITY_INFO,
	      aborts ? CONFIDENCE_HIGH : CONFIDENCE_LOW,
	      "the bridge is driven by uas, and %s (%" PRIu64 " in the kernel log): %s",
	      aborts ? "its commands are aborted" : "the device is reset", resets,
	      aborts ? "each stops the drive for up to 30 s"
		     : "resuming from suspend makes such resets, too; else cable, power "
		       "or "
		       "uas are at fault");
}

/*
 * What the device can: USB 3 devices say 2.10 in a USB 2 port, and 3.x else; devices of
 * USB 2 alone 2.00 or 2.01, few of them 2.10 (USB 3.2 specification, 9.6.1, bcdUSB).
 * False if that is not known.
 */
static bool has_usb_3(const struct subject *subject, bool *ret)
{
	const char *version = text_of(subject, FACT_USB_VERSION), *rest = NULL;
	uint64_t number = 0;

	if (parse_milli(version, &number, &rest) < 0 || *rest)
		return false;
	*ret = number >= 2100;
	return true;
}

static bool is_slow(const struct subject *subject)
{
	uint64_t speed = 0;

	return facts_number(own(subject), FACT_USB_SPEED, &speed) && speed <= USB2_MBPS &&
	       is_drive(subject) && !facts_is_set(own(subject), FACT_EMULATED);
}

/* In the wrong port, or no faster in any. */
static void explain_slow(const struct subject *subject, struct finding *finding)
{
	uint64_t speed = number_of(subject, FACT_USB_SPEED);
	bool usb_3 = false, known = has_usb_3(subject, &usb_3);
	const char *reason = "";

	finding->remedy = slow_port_remedy;
	if (known && usb_3) {
		reason = ", though its bridge seems to have USB 3: port, cable or hub "
			 "have not";
	} else if (known && speed == USB2_MBPS) {
		reason = ", since its bridge has USB 2 only, in whatever port";
		finding->remedy = slow_bridge_remedy;
	}
	found(finding, SEVERITY_INFO,
	      known && !usb_3 ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	      "the drive runs at %" PRIu64 " Mbit/s%s: about %u MB/s at best", speed,
	      reason, speed == USB2_MBPS ? 40U : 1U);
}

static void check_mode(const struct subject *subject, struct finding *finding)
{
	if (is_uas(subject) && wants_no_uas(subject)) {
		found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
		      "a quirk asks for this bridge without uas (usb-storage.quirks, "
		      "letters %.24s), yet uas drives it",
		      text_of(subject, FACT_USB_QUIRKS));
		finding->remedy = quirk_missed_remedy;
		return;
	}
	if (is_uas(subject))
		uas_in_trouble(subject, finding);
	if (finding->result == CHECK_FOUND)
		return;
	if (is_slow(subject))
		explain_slow(subject, finding);
	else if (is_uas(subject))
		(void)lacks(subject, FACT_LOG_USB_RESETS, finding);
}

/* Flags set by letters or in the mask, each once. */
static void list_flags(const char *letters, uint64_t mask, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		const struct flag *flag = &flags[i];
		char letter[8] = "";

		if (!(mask & flag->bit) &&
		    !(flag->letter && strchr(letters, flag->letter)))
			continue;
		if (flag->letter)
			(void)snprintf(letter, sizeof(letter), "%c: ", flag->letter);
		if (len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s%s",
						len ? "; " : "", letter, flag->meaning);
	}
}

/* The mask that the kernel logged when it bound usb-storage: "400000". */
static uint64_t logged_mask(const struct subject *subject)
{
	uint64_t mask = 0;

	(void)parse_hex(text_of(subject, FACT_LOG_USB_QUIRK), &mask);
	return mask;
}

static const char *const plain_bot_remedy[] = {
	"leave it; if the bridge has uas (lsusb -v: bInterfaceProtocol 98), see that the "
	"module uas is there and no quirk forbids it",
	NULL,
};

static void check_quirks(const struct subject *subject, struct finding *finding)
{
	char list[300], letters[32];

	letters_in_force(subject, letters);
	list_flags(letters, logged_mask(subject), list, sizeof(list));
	if (*list) {
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "quirk flags are set for this bridge (driver %.20s): %s",
		      text_of(subject, FACT_USB_DRIVER), list);
		return;
	}
	if (is_uas(subject) || !is_drive(subject) ||
	    facts_is_set(own(subject), FACT_EMULATED) ||
	    number_of(subject, FACT_USB_SPEED) < USB3_MBPS)
		return;
	found(finding, SEVERITY_INFO, CONFIDENCE_LOW,
	      "usb-storage drives this bridge, one command at a time; many bridges of "
	      "this "
	      "speed have uas, which queues commands");
	finding->remedy = plain_bot_remedy;
}

static const struct check list[] = {
	{
		.id = FINDING_USB_SLOW_MODE,
		.scope = SCOPE_DISK,
		.applies = is_usb,
		.requires = FACTS(FACT_USB_DRIVER),
		.run = check_mode,
		.evidence = FACTS(FACT_USB_DRIVER, FACT_USB_SPEED, FACT_USB_VERSION,
				  FACT_USB_VENDOR, FACT_USB_PRODUCT, FACT_USB_QUIRKS,
				  FACT_LOG_USB_RESETS, FACT_LOG_USB_LINE),
		.cost = "in one report uas at a bad bridge gave 50 to 100 kbit/s, "
			"usb-storage about 200 Mbit/s",
		.remedy = STEPS(
			"another cable, a port without a hub, enough power; a "
			"newer firmware of the bridge",
			"if it goes on: "
			"usb-storage.quirks={hex:idVendor}:{hex:idProduct}:u on the "
			"kernel command line; it costs the queue, one command at a "
			"time from then on"),
	},
	{
		.id = FINDING_USB_QUIRK_COST,
		.scope = SCOPE_DISK,
		.applies = is_usb,
		.requires = FACTS(FACT_USB_DRIVER),
		.run = check_quirks,
		.evidence = FACTS(FACT_USB_DRIVER, FACT_USB_QUIRKS, FACT_LOG_USB_QUIRK,
				  FACT_USB_VENDOR, FACT_USB_PRODUCT, FACT_USB_SPEED),
		.cost = "what the flags say; those called harmless cost nothing",
		.remedy = STEPS("leave it: such flags are there because the bridge fails "
				"without them"),
	},
};

const struct checks usb_checks = { list, ARRAY_SIZE(list) };
