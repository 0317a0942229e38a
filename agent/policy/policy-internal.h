/* SPDX-License-Identifier: MIT */
/*
 * Policy sections in memory, shared by the loader and the selection. Internal to
 * policy/.
 */
#pragma once

#include "policy/policy.h"

struct policy_line {
	bool present;
	unsigned int line;
	char value[64];
};

struct policy_advice {
	bool present;
	unsigned int line;
	uint32_t value;
};

struct section {
	char *file;
	unsigned int line;
	struct match *matches;
	size_t n_matches;
	struct policy_line profile; /* Profile=: only for disks with this profile */
	struct policy_line use_profile; /* UseProfile=: gives disks a profile */
	struct policy_line apply; /* "yes" or "no" */
	struct policy_line settings[_TUNABLE_MAX];
	struct policy_advice advice[_ADVICE_MAX];
	char *reason, *source;
};

struct policy {
	struct section *list;
	size_t n;
};
