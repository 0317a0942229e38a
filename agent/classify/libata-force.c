/* SPDX-License-Identifier: MIT */
/*
 * libata.force on the kernel command line: a list of [PORT[.DEVICE]:]VALUE. It is read
 * as the kernel does (drivers/ata/libata-core.c, ata_parse_force_one()): an entry without
 * an id takes the last one given, a value may be shortened as long as it is one name's
 * beginning only, and an entry that cannot be read counts as if it were not there.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "classify/class.h"

#define HOST_LINK 15U /* added to the numbers of what hangs on no multiplier */
#define ANY UINT64_MAX

/* All values of the kernel's force_tbl[], since each may make a shortcut ambiguous. */
static const char *const names[] = { "40c",	    "80c",	     "short40c",
				     "unk",	    "ign",	     "sata",
				     "1.5Gbps",	    "3.0Gbps",	     "pio0",
				     "pio1",	    "pio2",	     "pio3",
				     "pio4",	    "pio5",	     "pio6",
				     "mwdma0",	    "mwdma1",	     "mwdma2",
				     "mwdma3",	    "mwdma4",	     "udma0",
				     "udma16",	    "udma/16",	     "udma1",
				     "udma25",	    "udma/25",	     "udma2",
				     "udma33",	    "udma/33",	     "udma3",
				     "udma44",	    "udma/44",	     "udma4",
				     "udma66",	    "udma/66",	     "udma5",
				     "udma100",	    "udma/100",	     "udma6",
				     "udma133",	    "udma/133",	     "udma7",
				     "nohrst",	    "nosrst",	     "norst",
				     "rstonce",	    "nodbdelay",     "dbdelay",
				     "external",    "noncq",	     "ncq",
				     "noncqtrim",   "ncqtrim",	     "noncqati",
				     "ncqati",	    "notrim",	     "trim",
				     "trim_zero",   "max_trim_128m", "nodma",
				     "dma",	    "atapi_dmadir",  "atapi_mod16_dma",
				     "nodmalog",    "dmalog",	     "noiddevlog",
				     "iddevlog",    "nologdir",	     "logdir",
				     "max_sec_128", "max_sec_1024",  "max_sec_lba48",
				     "nolpm",	    "lpm",	     "nosetxfer",
				     "setxfer",	    "dump_id",	     "nofua",
				     "fua",	    "disable" };

/* What entries are meant for: a port, and two numbers behind it that mean the same. */
struct place {
	uint64_t port, device, alias;
};

struct entry {
	uint64_t port, device; /* or ANY */
	const char *value;     /* one of @names */
};

/* The name that @text is, or alone begins; NULL if there is none or several. */
static const char *complete(const char *text)
{
	const char *match = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(text, names[i]) == 0)
			return names[i];
		if (strncasecmp(text, names[i], strlen(text)) != 0)
			continue;
		match = names[i];
		n++;
	}
	return n == 1 ? match : NULL;
}

/* Reads "1.00:noncq" or "noncq" into @entry, which holds the id of the entry before. */
static bool read_entry(char *text, struct entry *entry)
{
	struct entry read = *entry;
	char *value = strchr(text, ':'), *device = NULL;

	if (value) {
		*value++ = '\0';
		text = trim(text);
		device = strchr(text, '.');
		if (device)
			*device++ = '\0';
		read.device = ANY;
		if ((device && parse_u64(device, &read.device) < 0) ||
		    parse_u64(text, &read.port) < 0)
			return false;
	}
	read.value = complete(trim(value ? value : text));
	if (!read.value)
		return false;
	*entry = read;
	return true;
}

static bool is_meant(const struct entry *entry, const struct place *place)
{
	return (entry->port == ANY || entry->port == place->port) &&
	       (entry->device == ANY || entry->device == place->device ||
		entry->device == place->alias);
}

/* The last one of two values that is said of @place, or NULL. */
static const char *last_of(const struct disk_facts *facts, const struct place *place,
			   const char *one, const char *other)
{
	const char *force = facts_text(facts, FACT_LIBATA_FORCE), *last = NULL;
	struct entry entry = { .port = ANY, .device = ANY };
	char text[FACT_TEXT_MAX], *rest = text;

	(void)snprintf(text, sizeof(text), "%s", force ? force : "");
	while (rest) {
		char *part = strsep(&rest, ",");

		if (read_entry(part, &entry) && is_meant(&entry, place) &&
		    (strcmp(entry.value, one) == 0 || strcmp(entry.value, other) == 0))
			last = entry.value;
	}
	return last;
}

/*
 * Behind a multiplier the channel of the SCSI address H:C:T:L is the multiplier's port,
 * else the target is the device (drivers/ata/libata-scsi.c, ata_scsi_scan_host()). False
 * if the port is not known.
 */
static bool find_place(const struct disk_facts *facts, struct place *ret_device,
		       struct place *ret_link)
{
	const char *folder = facts_anchor(facts, ANCHOR_SCSI_DEVICE);
	unsigned int channel = 0, target = 0;
	bool behind = facts_is_set(facts, FACT_NR_PMP_LINKS);
	uint64_t port = 0;

	if (!facts_number(facts, FACT_ATA_PORT_ID, &port))
		return false;
	if (folder)
		(void)sscanf(path_name(folder), "%*u:%u:%u", &channel, &target);
	*ret_device = *ret_link = (struct place){ .port = port };
	ret_device->device = (uint64_t)channel + target;
	ret_device->alias = ret_device->device + (behind ? 0 : HOST_LINK);
	ret_link->device = ret_link->alias = behind ? channel : HOST_LINK;
	return true;
}

static bool says_noncq(const struct disk_facts *facts, const struct place *place)
{
	const char *last = last_of(facts, place, "noncq", "ncq");

	return last && strcmp(last, "noncq") == 0;
}

bool libata_force_noncq(const struct disk_facts *facts)
{
	struct place device = { 0 }, link = { 0 };

	return find_place(facts, &device, &link) && says_noncq(facts, &device);
}

bool libata_force_noncq_everywhere(const struct disk_facts *facts)
{
	/* a place that no entry with an id names */
	const struct place nowhere = { .port = ANY, .device = ANY, .alias = ANY };

	return says_noncq(facts, &nowhere);
}

uint64_t libata_force_mbps(const struct disk_facts *facts)
{
	struct place device = { 0 }, link = { 0 };
	const char *last = NULL;

	if (find_place(facts, &device, &link))
		last = last_of(facts, &link, "1.5Gbps", "3.0Gbps");
	if (!last)
		return 0;
	return strcmp(last, "1.5Gbps") == 0 ? 1500 : 3000;
}
