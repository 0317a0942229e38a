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

bool facts_source(const struct disk_facts *facts, enum fact fact, char *buf, size_t size)
{
	enum anchor anchor = fact_anchor(fact);
	const char *folder = facts_anchor(facts, anchor);
	const char *attr = fact_attribute(fact);

	if (facts->source[fact])
		return (size_t)snprintf(buf, size, "%s",
					facts->pool + facts->source[fact]) < size;
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
