/* SPDX-License-Identifier: MIT */
/*
 * Checks: what only a person or firmware can put right, and settings that have no
 * reason. Each check needs certain facts; without them the answer is "could not check"
 * and never "ok". docs/findings.md has a page for every id. Pure.
 */
#pragma once

#include "classify/class.h"

enum finding_id {
	FINDING_ATA_IDE_MODE,
	FINDING_SATA_NO_NCQ,
	FINDING_EMULATED_IDE,
	FINDING_NCQ_OFF,
	FINDING_READAHEAD_FROM_IO_OPT,
	FINDING_IO_OPT_BOGUS,
	FINDING_READAHEAD_FALSE_ROTATIONAL,
	_FINDING_MAX,
};

DECLARE_WORDS(finding_id, enum finding_id);

enum severity {
	SEVERITY_INFO,
	SEVERITY_WARN,
	SEVERITY_ERROR,
	_SEVERITY_MAX,
};

DECLARE_WORDS(severity, enum severity);

enum check_result {
	CHECK_OK, /* checked, and nothing is wrong; or it does not apply to this disk */
	CHECK_FOUND,
	CHECK_UNKNOWN, /* could not be checked: a fact is missing */
};

#define FINDING_FACTS 5

struct finding {
	enum finding_id id;
	enum check_result result;
	enum severity severity; /* of CHECK_FOUND */
	enum fact evidence[FINDING_FACTS]; /* _FACT_MAX ends; of CHECK_UNKNOWN: what is
					      missing */
	char text[240]; /* what is the matter, one sentence */
	const char *remedy; /* static */
};

struct diagnosis {
	struct finding findings[_FINDING_MAX]; /* one for each check, in order of id */
};

void diagnose(const struct disk_facts *facts, const struct disk_class *class,
	      struct diagnosis *ret);

/* The ids that were found, comma separated, or "" into @buf. */
void diagnosis_list(const struct diagnosis *diagnosis, char *buf, size_t size);
