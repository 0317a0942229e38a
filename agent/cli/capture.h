/* SPDX-License-Identifier: MIT */
/*
 * What the parts of `capture` share: a machine as blocks of lines, read first, with its
 * identities collected on the way, and written second, with pseudonyms in their place.
 * Internal to the verb.
 */
#pragma once

#include <stdio.h>

#include "base/root.h"
#include "facts/evidence.h"

/* What a value may reveal: decides what is collected from it and replaced in it. */
enum field {
	FIELD_PLAIN,  /* a number or word of the kernel's: written as it is */
	FIELD_PUBLIC, /* what makers call a model */
	FIELD_PATH,   /* where a disk is plugged in: may name WWNs and hosts */
	FIELD_LINKS,  /* links below /dev, between blanks */
	FIELD_SERIAL, /* identities, each with its own syntax */
	FIELD_NAME,
	FIELD_WWN,
	FIELD_DM_UUID,
	FIELD_NQN,
	FIELD_ADDRESS,
	FIELD_IDENTIFY, /* 256 words of IDENTIFY as text */
	FIELD_VPD_80,	/* SCSI unit serial number page */
	FIELD_VPD_89,	/* IDENTIFY in a SCSI page */
};

struct line {
	char letter;  /* as in base/snapshot.h */
	bool dropped; /* read for its identity, not written */
	enum field field;
	mode_t mode; /* 0: no M: line */
	char *name, *value;
	size_t len; /* of the value, which also ends with NUL */
};

struct block {
	char *syspath, *subsystem;
	struct line *lines;
	size_t n;
};

struct pseudonyms;
struct capture_measured;
struct context; /* survey/survey.h */

struct capture {
	const struct root *root;
	const struct root *memory; /* where baselines are; NULL: nowhere */
	const struct properties *properties; /* may be NULL */
	const char *(*ask_initramfs)(void *context); /* as in struct evidence_source */
	void *context;
	struct block *blocks;
	size_t n;
	struct pseudonyms *pseudonyms;
	struct capture_measured *measured; /* what was measured of some blocks */
	size_t n_measured;
};

/* --- capture-table.c, capture-properties.c: what is read ------------------------------
 */

enum attribute_flag {
	ATTRIBUTE_DROPPED = 1 << 0, /* only for its identity */
	ATTRIBUTE_BINARY = 1 << 1,
	ATTRIBUTE_LINK = 1 << 2,
	ATTRIBUTE_MODE = 1 << 3, /* always with its M: line */
	ATTRIBUTE_PRESENCE =
		1 << 4, /* that it exists counts, even if it cannot be read */
};

struct attribute {
	const char *name;
	enum field field;
	unsigned int flags;
};

/* The whitelist of a subsystem; @ret_n 0 if only links are read. */
const struct attribute *capture_attributes(const char *subsystem, size_t *ret_n);

/* udev properties of a block device. */
const struct attribute *capture_properties(size_t *ret_n);

/* --- capture-find.c, capture-read.c, capture-links.c
 * --------------------------------------------- */

/* The folders to be captured, sorted, each once. -ENOMEM. */
int capture_find(const struct root *root, struct names *ret);

/* Reads the folder @syspath; a folder that says nothing gives a block without lines. */
int capture_read(const struct capture *capture, const char *syspath, struct block *block);

/* The value of a line, or NULL. */
const char *block_value(const struct block *block, char letter, const char *name);

/* Appends a line with copies. -ENOMEM. */
int block_add(struct block *block, const struct line *line);

/* Nodes, links, properties, then attributes; by name, then by value. */
void block_sort(struct block *block);

void block_done(struct block *block);

/*
 * Adds the links below /dev to a block that has its DEVNAME. @devlinks: what udev says
 * of them, NULL to look there. -ENOMEM.
 */
int capture_add_links(const struct root *root, const char *devlinks, struct block *block);

/* --- capture-collect.c, capture-pseudonym.c ---------------------------------------- */

/* Remembers every identity that was read. -ENOMEM. */
int capture_collect(const struct capture *capture);

/*
 * Remembers @text as an identity of block @index; @letters is what pseudonyms that are
 * not hexadecimal begin with. One that is too common to be recognised elsewhere is
 * replaced in its own block only. Nothing that means "none" is remembered. -ENOMEM.
 */
int pseudonym_add(struct pseudonyms *pseudonyms, size_t index, const char *text,
		  size_t len, const char *letters);

/* As above for an address in a network, which is recognised everywhere. */
int pseudonym_add_address(struct pseudonyms *pseudonyms, size_t index, const char *text,
			  size_t len);

/* As above for hexadecimal digits: 32 of them are two of 16, so that a prefix stays one.
 */
int pseudonym_add_hex(struct pseudonyms *pseudonyms, size_t index, const char *text,
		      size_t len);

/* As above for bytes that some attributes print as hexadecimal digits. */
int pseudonym_add_encoded(struct pseudonyms *pseudonyms, size_t index, const char *hex,
			  size_t len);

/* True if something remembered stands in @text. */
bool pseudonym_stands_in(const struct pseudonyms *pseudonyms, const char *text,
			 size_t len);

/*
 * Replaces in place what was remembered, wherever it stands in @text: with any blanks
 * and punctuation, in either case, percent or backslash encoded. @own: what is
 * replaced in block @index only, too.
 */
void pseudonym_replace(const struct pseudonyms *pseudonyms, size_t index, bool own,
		       char *text, size_t len);

struct pseudonyms *pseudonyms_new(void);
struct pseudonyms *pseudonyms_free(struct pseudonyms *pseudonyms);

/* --- capture-identify.c ----------------------------------------------------------- */

#define VPD_89_SIZE 572 /* header, signature, command and IDENTIFY */

/*
 * Serial number (20 bytes) and world wide name (16 digits) of IDENTIFY, given as the
 * text of an `id` attribute or as a VPD page. False if it is none.
 */
bool identify_names(const struct line *line, char serial[21], char wwn[17]);

/* Puts the two back, and clears what else may tell a drive from its like. */
void identify_rename(struct line *line, const char *serial, const char *wwn);

/* --- capture-log.c, capture-log-table.c --------------------------------------------- */

/* Lines of the kernel's, as extended regular expressions: "head(tail|tail)". */
struct log_pattern {
	const char *start; /* as text, of every line that can match */
	const char *head;
	const char *const *tails; /* NULL ends */
};

const struct log_pattern *capture_log_patterns(size_t *ret_n);

struct log_filter;

/* -ENOMEM. Release with log_filter_free(); @pseudonyms must live as long. */
int log_filter_new(const struct pseudonyms *pseudonyms, struct log_filter **ret);

struct log_filter *log_filter_free(struct log_filter *filter);

static inline void log_filter_freep(struct log_filter **filter)
{
	(void)log_filter_free(*filter);
}

#define _cleanup_log_filter_ _cleanup_(log_filter_freep)

/* The next @len bytes of a log; a piece may begin and end anywhere. */
void log_filter_feed(struct log_filter *filter, const char *text, size_t len);

/*
 * Ends the last line. @ret are the lines that match a pattern, with their times; if there
 * are too many, the last ones. Owned by the filter; "" if this was no kernel log.
 * -ENOMEM.
 */
int log_filter_end(struct log_filter *filter, const char **ret, size_t *ret_len);

/* --- capture-state.c ---------------------------------------------------------------- */

/* Writes what is remembered of each disk. */
void capture_write_states(const struct capture *capture, FILE *out);

/* --- capture-measurement.c ---------------------------------------------------------- */

/* Finds what was measured of each disk, before any of them is renamed. -ENOMEM. */
int capture_find_measured(struct capture *capture, const struct context *context);

/* Writes a machine-id if a measurement is bound to one. */
void capture_write_machine_id(const struct capture *capture, FILE *out);

/*
 * Writes the measurements, given @text, all the rest of the capture. -ENOMEM.
 */
int capture_write_measured(const struct capture *capture, const struct context *context,
			   const char *text, size_t len, FILE *out);

/* --- capture-boot.c ----------------------------------------------------------------- */

/* Writes what the machine was booted from. */
void capture_write_boot(const struct capture *capture, FILE *out);

/* --- capture-rivals.c --------------------------------------------------------------- */

/* Writes what other programs are configured to write to disks. */
void capture_write_rivals(const struct capture *capture, FILE *out);

/* --- capture-files.c, capture-write.c ---------------------------------------------- */

/* Writes one F: line. */
void capture_write_file(const char *path, const char *text, size_t len, FILE *out);

/* Writes the comment and the F: lines. */
void capture_write_files(const struct capture *capture, FILE *out);

/* Rewrites the blocks with pseudonyms and writes them. */
void capture_write_blocks(struct capture *capture, FILE *out);

/* Writes @text with the escapes of glib's strescape(). */
void capture_write_escaped(const char *text, size_t len, FILE *out);
