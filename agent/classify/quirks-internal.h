/* SPDX-License-Identifier: MIT */
/*
 * Quirks in memory, shared by the loader and the correction. Internal to classify/.
 */
#pragma once

#include "classify/quirks.h"

struct quirk_correction {
	enum fact fact;
	char *text; /* NULL: a number, or unknown */
	uint64_t number;
	bool unknown; /* the fact is cleared */
	unsigned int line;
};

struct quirk {
	char *file;
	unsigned int line;
	struct match *matches;
	size_t n_matches;
	struct quirk_correction *corrections;
	size_t n_corrections;
};

struct quirks {
	struct quirk *list;
	size_t n;
};
