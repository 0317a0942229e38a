/* SPDX-License-Identifier: MIT */
/*
 * The container of facts: presence bits, numbers, and texts in a pool that belongs to
 * the structure. The pool is large enough for every fact of real disks; what a hostile
 * device says beyond it is unknown.
 */
#include "facts/facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"

struct fact_info {
	const char *attr;
	enum fact_type type;
	enum anchor anchor;
};

static const struct fact_info fact_infos[] = {
#define FACT(id, name, type, anchor, attr, parser) \
	[FACT_##id] = { attr, FACT_TYPE_##type, ANCHOR_##anchor },
#include "facts/fact-table.h"
#undef FACT
};

static const char *const fact_words[] = {
#define FACT(id, name, type, anchor, attr, parser) [FACT_##id] = name,
#include "facts/fact-table.h"
#undef FACT
};

DEFINE_WORDS(fact, enum fact)

void facts_init(struct disk_facts *facts)
{
	memset(facts, 0, offsetof(struct disk_facts, pool));
	facts->pool[0] = '\0';
	facts->used = 1; /* place 0 means "none" */
}

enum fact_type fact_type(enum fact fact)
{
	return fact_infos[fact].type;
}

enum anchor fact_anchor(enum fact fact)
{
	return fact_infos[fact].anchor;
}

const char *fact_attribute(enum fact fact)
{
	return fact_infos[fact].attr;
}

bool facts_known(const struct disk_facts *facts, enum fact fact)
{
	return facts->known[fact / 64] >> (fact % 64) & 1;
}

static void set_known(struct disk_facts *facts, enum fact fact)
{
	facts->known[fact / 64] |= UINT64_C(1) << (fact % 64);
}

void facts_clear(struct disk_facts *facts, enum fact fact)
{
	facts->known[fact / 64] &= ~(UINT64_C(1) << (fact % 64));
	facts->value[fact] = 0;
	facts->corrected_by[fact] = 0;
	facts->source[fact] = 0;
}

bool facts_number(const struct disk_facts *facts, enum fact fact, uint64_t *ret)
{
	if (!facts_known(facts, fact) || fact_type(fact) == FACT_TYPE_STRING)
		return false;
	*ret = facts->value[fact];
	return true;
}

const char *facts_text(const struct disk_facts *facts, enum fact fact)
{
	if (!facts_known(facts, fact) || fact_type(fact) != FACT_TYPE_STRING)
		return NULL;
	return facts->pool + facts->value[fact];
}

bool facts_is_set(const struct disk_facts *facts, enum fact fact)
{
	uint64_t value = 0;

	return facts_number(facts, fact, &value) && value != 0;
}

bool facts_is_clear(const struct disk_facts *facts, enum fact fact)
{
	return facts_is_number(facts, fact, 0);
}

bool facts_is_text(const struct disk_facts *facts, enum fact fact, const char *text)
{
	const char *value = facts_text(facts, fact);

	return value && strcmp(value, text) == 0;
}

bool facts_is_number(const struct disk_facts *facts, enum fact fact, uint64_t number)
{
	uint64_t value = 0;

	return facts_number(facts, fact, &value) && value == number;
}

/* The place of a copy of @text in the pool; 0 if there is no room. */
static uint16_t pool_add(struct disk_facts *facts, const char *text, size_t len)
{
	uint16_t place = facts->used;

	if (len + 1 > (size_t)FACTS_POOL_SIZE - place)
		return 0;
	memcpy(facts->pool + place, text, len);
	facts->pool[place + len] = '\0';
	facts->used = (uint16_t)(place + len + 1);
	return place;
}

void facts_set_number(struct disk_facts *facts, enum fact fact, uint64_t number)
{
	if (fact_type(fact) == FACT_TYPE_STRING)
		return;
	facts->value[fact] = number;
	set_known(facts, fact);
}

void facts_set_text(struct disk_facts *facts, enum fact fact, const char *text)
{
	char copy[FACT_TEXT_MAX];
	const char *trimmed = NULL;
	uint16_t place = 0;

	if (fact_type(fact) != FACT_TYPE_STRING)
		return;
	(void)snprintf(copy, sizeof(copy), "%s", text);
	trimmed = trim(copy);
	if (*trimmed)
		place = pool_add(facts, trimmed, strlen(trimmed));
	facts_clear(facts, fact);
	if (place == 0)
		return;
	facts->value[fact] = place;
	set_known(facts, fact);
}

const char *facts_anchor(const struct disk_facts *facts, enum anchor anchor)
{
	return facts->anchor[anchor] ? facts->pool + facts->anchor[anchor] : NULL;
}

void facts_set_anchor(struct disk_facts *facts, enum anchor anchor, const char *path)
{
	facts->anchor[anchor] = pool_add(facts, path, strlen(path));
}

void facts_set_corrected(struct disk_facts *facts, enum fact fact, const char *where)
{
	facts->corrected_by[fact] = pool_add(facts, where, strlen(where));
}

const char *facts_corrected_by(const struct disk_facts *facts, enum fact fact)
{
	return facts->corrected_by[fact] ? facts->pool + facts->corrected_by[fact] : NULL;
}

void facts_set_source(struct disk_facts *facts, enum fact fact, const char *source)
{
	facts->source[fact] = pool_add(facts, source, strlen(source));
}

bool facts_format(const struct disk_facts *facts, enum fact fact, char *buf, size_t size)
{
	uint64_t value = facts->value[fact];

	if (!facts_known(facts, fact))
		return false;
	switch (fact_type(fact)) {
	case FACT_TYPE_NUMBER:
	case FACT_TYPE_MBPS:
	case FACT_TYPE_MTPS:
		(void)snprintf(buf, size, "%" PRIu64, value);
		break;
	case FACT_TYPE_FLAG:
		(void)snprintf(buf, size, "%d", value != 0);
		break;
	case FACT_TYPE_HEX:
		(void)snprintf(buf, size, "0x%0*" PRIx64, fact == FACT_PCI_CLASS ? 6 : 4,
			       value);
		break;
	case FACT_TYPE_STRING:
		(void)snprintf(buf, size, "%s", facts->pool + value);
		break;
	}
	return true;
}

/* The place of the fact's own attribute. */
static bool attribute_path(const struct disk_facts *facts, enum fact fact, char *buf,
			   size_t size)
{
	enum anchor anchor = fact_anchor(fact);
	const char *folder = facts_anchor(facts, anchor);
	const char *attr = fact_attribute(fact);

	if (!attr)
		return false;
	if (anchor == ANCHOR_UDEV)
		return (size_t)snprintf(buf, size, "udev:%s", attr) < size;
	if (anchor == ANCHOR_PROC)
		folder = "/proc";
	else if (anchor == ANCHOR_DMI)
		folder = "/sys/class/dmi/id";
	if (!folder)
		return false;
	return (size_t)snprintf(buf, size, "%s/%s", folder, attr) < size;
}

/*
 * Where a fact is from that a prober works out: as the prober's code has it, so that no
 * event pays for noting it. Either the fact that was taken over, if it has the same text,
 * or a file below an anchor; of several rows the first that fits, and the order is that
 * of trust. IDENTIFY is taken over by words, of which 76 is always there.
 */
static const struct derivation {
	enum fact fact, from; /* _FACT_MAX: the file of @anchor */
	enum anchor anchor;
	const char *file; /* "": the folder itself */
} derivations[] = {
#define FROM(fact, from)                                    \
	{                                                   \
		FACT_##fact, FACT_##from, ANCHOR_NONE, NULL \
	}
#define AT(fact, anchor, file)                                \
	{                                                     \
		FACT_##fact, _FACT_MAX, ANCHOR_##anchor, file \
	}
	FROM(MODEL, NVME_MODEL),
	FROM(MODEL, ATA_ID_76),
	FROM(MODEL, SCSI_MODEL),
	FROM(MODEL, MMC_NAME),
	FROM(MODEL, ID_MODEL),
	FROM(SERIAL, NVME_SERIAL),
	FROM(SERIAL, ATA_ID_76),
	FROM(SERIAL, USB_SERIAL),
	FROM(SERIAL, MMC_SERIAL),
	FROM(SERIAL, DM_UUID),
	FROM(SERIAL, ID_SERIAL_SHORT),
	FROM(SERIAL, ID_SERIAL),
	FROM(FIRMWARE, NVME_FIRMWARE),
	FROM(FIRMWARE, ATA_ID_76),
	FROM(FIRMWARE, SCSI_REV),
	FROM(FIRMWARE, MMC_FWREV),
	FROM(FIRMWARE, ID_REVISION),
	FROM(WWN, NVME_WWID),
	FROM(WWN, ID_WWN),
	FROM(WWN, ATA_ID_76),
	AT(WWN, SCSI_DEVICE, "wwid"), /* written in another way */
	FROM(VENDOR, SCSI_VENDOR),
	FROM(HYPERVISOR, SYS_VENDOR), /* by the table of facts/machine.c */
	AT(GUEST, PROC, "cpuinfo"),
	AT(NAME, DISK, ""),
	AT(VIRTUAL, DISK, ""),
	AT(STACK_KIND, DISK, ""),
	AT(SLAVES, DISK, "slaves"),
	AT(HOLDERS, DISK, "holders"),
	AT(MULTIPATH_MEMBER, DISK, "holders"),
	AT(NVME_HEAD, DISK, ""),
	AT(NVME_PATHS, NVME, ""),
	AT(SCSI_TRANSPORT, SCSI_DEVICE, ""),
	AT(LIBATA, ATA_PORT, ""),
	AT(ATA_PORT_ID, ATA_PORT, ""),
	AT(PCI_ADDRESS, PCI, ""),
	AT(BEHIND_VMD, PCI, ""),
#undef FROM
#undef AT
};

static bool derivation_fits(const struct disk_facts *facts, const struct derivation *row)
{
	const char *from = NULL;

	if (row->from == _FACT_MAX)
		return row->anchor == ANCHOR_PROC || facts_anchor(facts, row->anchor);
	if (!facts_known(facts, row->from))
		return false;
	from = facts_text(facts, row->from);
	return !from || row->fact == FACT_HYPERVISOR ||
	       strcmp(from, facts->pool + facts->value[row->fact]) == 0;
}

static bool derived_path(const struct disk_facts *facts, enum fact fact, char *buf,
			 size_t size)
{
	const char *folder = "/proc";

	for (size_t i = 0; i < ARRAY_SIZE(derivations); i++) {
		const struct derivation *row = &derivations[i];

		if (row->fact != fact || !derivation_fits(facts, row))
			continue;
		if (row->from != _FACT_MAX)
			return facts_source(facts, row->from, buf, size);
		if (row->anchor != ANCHOR_PROC)
			folder = facts_anchor(facts, row->anchor);
		return (size_t)snprintf(buf, size, "%s%s%s", folder,
					row->file[0] ? "/" : "", row->file) < size;
	}
	return false;
}

bool facts_source(const struct disk_facts *facts, enum fact fact, char *buf, size_t size)
{
	const char *quirk = facts_corrected_by(facts, fact);
	const char *noted =
		facts->source[fact] ? facts->pool + facts->source[fact] : NULL;

	/* What has no attribute has no other place than the quirk that set it. */
	if (quirk && !fact_attribute(fact))
		noted = quirk;
	if (noted)
		return (size_t)snprintf(buf, size, "%s", noted) < size;
	if (attribute_path(facts, fact, buf, size))
		return true;
	return facts_known(facts, fact) && derived_path(facts, fact, buf, size);
}

bool facts_origin(const struct disk_facts *facts, enum fact fact, char *buf, size_t size)
{
	const char *quirk = facts_corrected_by(facts, fact);

	if (quirk)
		return (size_t)snprintf(buf, size, "%s", quirk) < size;
	return facts_source(facts, fact, buf, size);
}
