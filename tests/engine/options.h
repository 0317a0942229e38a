/* SPDX-License-Identifier: MIT */
/*
 * The command line: a verb, a file or a folder, and options.
 */
#pragma once

#include "decide.h"

struct options {
	const char *verb, *path;
	uint64_t size_mib; /* of make */
	struct gather gather;
	struct journal journal;
	struct question question;
	bool help;
};

/* Says on stderr what is wrong: -EINVAL. */
int options_parse(int argc, char *argv[], struct options *ret);

extern const char options_help[];
