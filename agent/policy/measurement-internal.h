/* SPDX-License-Identifier: MIT */
/*
 * Between the files measurement*.c: the texts of an identity, once for all who write,
 * read and compare them.
 */
#pragma once

#include "policy/measurement.h"

/* In the order of the file. Each is a key of it and a member of the structure. */
#define IDENTITY_TEXTS(ROW)                                                       \
	ROW(wwn) ROW(model) ROW(serial) ROW(firmware) ROW(attachment) ROW(class) \
	ROW(place) ROW(machine) ROW(members) ROW(members_state)

struct identity_text {
	const char *key;
	size_t offset, size;
};

#define IDENTITY_TEXT_ROW(member)                                   \
	{ #member, offsetof(struct measured_identity, member),       \
	  sizeof(((struct measured_identity *)NULL)->member) },
#define IDENTITY_TEXT_TABLE { IDENTITY_TEXTS(IDENTITY_TEXT_ROW) }

/*
 * Copies @text, which comes from a device, in the one form that a line of the file keeps
 * as it is: printable, without blanks at both ends, cut at @size - 1 bytes. A text in
 * this form stays the same. Returns @buf.
 */
char *canonical_text(const char *text, char *buf, size_t size);

/* True if canonical_text() changes nothing. */
bool is_canonical_text(const char *text);

/*
 * Where the disk is, in words that are the same after the next boot. False if nothing
 * tells that.
 */
bool place_of(const struct disk *disk, char *buf, size_t size);
