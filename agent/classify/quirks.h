/* SPDX-License-Identifier: MIT */
/*
 * Quirks correct facts before anything is concluded from them: what a device claims
 * about itself and is known to be wrong, or what no attribute tells. The data are files
 * (rules/quirks/, docs in blkadvise.quirks(5)); a correction keeps its file and line.
 */
#pragma once

#include "base/ini.h"
#include "classify/match.h"

struct quirks;

/*
 * Reads all quirk files in the folders of @root, as ini_find_files() takes them. A file
 * with a problem is left out as a whole and the problems are added to @problems; the
 * others count. -ENOMEM and errors of reading folders. Release with quirks_free().
 */
int quirks_load(const struct root *root, const char *const folders[],
		struct ini_problems *problems, struct quirks **ret);

/* As quirks_load() for the one file @path; for `verify`. */
int quirks_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct quirks **ret);

struct quirks *quirks_free(struct quirks *quirks);

static inline void quirks_freep(struct quirks **quirks)
{
	(void)quirks_free(*quirks);
}

#define _cleanup_quirks_ _cleanup_(quirks_freep)

/* Corrects @facts by every quirk that matches, in the order of the files. Pure. */
void quirks_correct(const struct quirks *quirks, struct disk_facts *facts);

/* As above for a disk and the leaves below it. */
void quirks_correct_disk(const struct quirks *quirks, struct disk *disk);
