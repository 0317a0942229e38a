/* SPDX-License-Identifier: MIT */
/*
 * What a disk *is*, as far as sysfs and udev tell: typed values, each with a presence
 * bit. A fact that could not be read or made no sense is unknown, and unknown is a
 * cleared bit, never a special value. Nothing here infers, decides or writes.
 *
 * A disk_facts is one flat block of memory without pointers: it may be copied by
 * assignment, corrected, and thrown away.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/words.h"

enum fact_type {
	FACT_TYPE_NUMBER,
	FACT_TYPE_FLAG, /* 0 or 1 */
	FACT_TYPE_HEX,
	FACT_TYPE_MBPS, /* megabits a second */
	FACT_TYPE_MTPS, /* megatransfers a second */
	FACT_TYPE_STRING,
};

/* The folder, or the source, to which a fact's attribute belongs. */
enum anchor {
	ANCHOR_NONE,
	ANCHOR_DISK,
	ANCHOR_DEVICE, /* the parent that the block device's `device` link names */
	ANCHOR_SCSI_DEVICE,
	ANCHOR_SCSI_HOST,
	ANCHOR_HOST, /* the nearest folder above a SCSI host that has a driver */
	ANCHOR_ATA_PORT,
	ANCHOR_ATA_LINK,
	ANCHOR_ATA_DEVICE,
	ANCHOR_PCI,
	ANCHOR_PCI_PORT, /* the PCIe port above that function */
	ANCHOR_NVME,
	ANCHOR_USB_INTERFACE,
	ANCHOR_USB_DEVICE,
	ANCHOR_MMC,
	ANCHOR_VIRTIO,
	ANCHOR_STACK, /* the disk itself, if it hangs on no hardware */
	ANCHOR_DMI,
	ANCHOR_PROC,
	ANCHOR_UDEV,
	_ANCHOR_MAX,
};

enum fact {
#define FACT(id, name, type, anchor, attr, parser) FACT_##id,
#include "facts/fact-table.h"
#undef FACT
	_FACT_MAX,
};

#define FACTS_POOL_SIZE 12288
#define FACT_TEXT_MAX 256 /* longest text of one fact, with its NUL */

struct disk_facts {
	uint64_t known[(_FACT_MAX + 63) / 64];
	uint64_t value[_FACT_MAX]; /* a number, or a text's place in the pool */
	uint16_t corrected_by[_FACT_MAX]; /* place of "file:line"; 0: not corrected */
	uint16_t source[_FACT_MAX]; /* place of where it was read, if noted; or 0 */
	uint16_t anchor[_ANCHOR_MAX]; /* place of the folder's path; 0: none */
	uint16_t used;
	char pool[FACTS_POOL_SIZE];
};

/* Clears everything. A disk_facts must be initialised before any other call. */
void facts_init(struct disk_facts *facts);

DECLARE_WORDS(fact, enum fact);
enum fact_type fact_type(enum fact fact);

/* The anchor and, if it is one attribute's content, that attribute; else NULL. */
enum anchor fact_anchor(enum fact fact);
const char *fact_attribute(enum fact fact);

bool facts_known(const struct disk_facts *facts, enum fact fact);

/* A number of any numeric type. False, and @ret untouched, if the fact is unknown. */
bool facts_number(const struct disk_facts *facts, enum fact fact, uint64_t *ret);

/* A text, or NULL if unknown. Valid as long as @facts is and is not changed. */
const char *facts_text(const struct disk_facts *facts, enum fact fact);

/* Known and not 0; known and 0; known and this text; known and this number. */
bool facts_is_set(const struct disk_facts *facts, enum fact fact);
bool facts_is_clear(const struct disk_facts *facts, enum fact fact);
bool facts_is_text(const struct disk_facts *facts, enum fact fact, const char *text);
bool facts_is_number(const struct disk_facts *facts, enum fact fact, uint64_t number);

void facts_set_number(struct disk_facts *facts, enum fact fact, uint64_t number);

/*
 * Texts are trimmed and cut at FACT_TEXT_MAX - 1 bytes. An empty one, and one for
 * which the pool has no room, leave the fact unknown.
 */
void facts_set_text(struct disk_facts *facts, enum fact fact, const char *text);

void facts_clear(struct disk_facts *facts, enum fact fact);

/* The folder of @anchor, or NULL. */
const char *facts_anchor(const struct disk_facts *facts, enum anchor anchor);
void facts_set_anchor(struct disk_facts *facts, enum anchor anchor, const char *path);

/* Notes that the fact's value comes from the quirk at @where ("file:line"). */
void facts_set_corrected(struct disk_facts *facts, enum fact fact, const char *where);
const char *facts_corrected_by(const struct disk_facts *facts, enum fact fact);

/* Notes where a fact without an attribute was read: "/etc/tlp.conf:12", a log. */
void facts_set_source(struct disk_facts *facts, enum fact fact, const char *source);

/*
 * The value as people write it: "128", "0x010601", "6000", "1", a text. Returns
 * false if unknown.
 */
bool facts_format(const struct disk_facts *facts, enum fact fact, char *buf, size_t size);

/*
 * The path of the fact's attribute, or "udev:KEY", or what facts_set_source() noted, or
 * for a fact that was worked out the file or folder behind it; without an attribute also
 * the "file:line" of the quirk that set it. False if it has no single one.
 */
bool facts_source(const struct disk_facts *facts, enum fact fact, char *buf, size_t size);

/* Where the value comes from: the quirk that corrected it, else as facts_source(). */
bool facts_origin(const struct disk_facts *facts, enum fact fact, char *buf, size_t size);
