/* SPDX-License-Identifier: MIT */
/*
 * A diagnosis for a person: worst first, one entry for the same fault of several disks,
 * one line for what is only explained, and what could not be checked never as "ok".
 */
#pragma once

#include "cli/groups.h"

struct report {
	const struct examined *examined; /* disks, their paths, the machine in the end */
	size_t n; /* of those */
	size_t n_disks;
	bool machine; /* the machine was looked at, too */
	enum severity least; /* what is less severe is not shown */
	bool verbose; /* evidence, confidence, what could not be checked, all of info */
	bool quiet; /* findings only */
};

/* Prints it to standard output. -ENOMEM. */
int report_print(const struct report *report);
