/* SPDX-License-Identifier: MIT */
/*
 * How a check is written: a row of a table (what it needs, when it is a question at all,
 * what it shows) and a function that answers it. The engine asks in that order, so a
 * function finds its required facts known. Internal to diagnose/.
 */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "diagnose/check.h"

#define CHECK_FACTS_MAX 6

/* A list of facts in a row of the table; NO_FACTS for none. */
#define FACTS(...) { __VA_ARGS__, _FACT_MAX }
#define NO_FACTS { _FACT_MAX }

/* The steps of a remedy. */
#define STEPS(...) ((const char *const[]){ __VA_ARGS__, NULL })

enum scope {
	SCOPE_DISK = 1 << 0,
	SCOPE_MACHINE = 1 << 1,
};

struct check {
	enum finding_id id;
	unsigned int scope;
	/*
	 * Whether this is a question for the subject. Where the facts do not tell, true:
	 * the required facts then say what is missing.
	 */
	bool (*applies)(const struct subject *subject);
	enum fact requires[CHECK_FACTS_MAX]; /* all of them */
	void (*run)(const struct subject *subject, struct finding *finding);
	enum fact evidence[FINDING_EVIDENCE_MAX + 1]; /* of the disk's own, if known */
	const char *cost; /* template; what run() does not set itself */
	const char *const *remedy;
};

struct checks {
	const struct check *list;
	size_t n;
};

/* Each file's rows. */
extern const struct checks ata_checks, ncq_checks, sata_link_checks, pcie_checks,
	usb_checks, medium_checks, readahead_checks, readahead_place_checks,
	transfer_checks, scheduler_checks, writer_checks, stack_checks, remote_checks,
	guest_checks;

/* All of them, NULL ends. There is no other list, so that none forgets a file. */
const struct checks *const *all_checks(void);

/* The row of an id for disks or for the machine; or NULL. An id may have both. */
const struct check *check_of(enum finding_id id, enum scope scope);

/* The subject's own facts. */
static inline const struct disk_facts *own(const struct subject *subject)
{
	return &subject->disk->facts;
}

/* The number of a fact that is known, else 0: for required facts. */
uint64_t number_of(const struct subject *subject, enum fact fact);

/* The text of a fact, or "". */
const char *text_of(const struct subject *subject, enum fact fact);

/* Answers "found". Without this call the answer is "ok". */
void found(struct finding *finding, enum severity severity, enum confidence confidence,
	   const char *format, ...) _printf_(4, 5);

/* Answers "could not check" if @fact is not known: for facts that some cases need. */
bool lacks(const struct subject *subject, enum fact fact, struct finding *finding);

/* Answers "could not check" for a reason that is no fact of the disk's own. */
void could_not_check(struct finding *finding, const char *format, ...) _printf_(2, 3);

/* Adds evidence that is not in the row: a leaf's fact, or one that matters only now. */
void add_evidence(struct finding *finding, const struct disk_facts *facts,
		  enum fact fact);

/* The kernel's libata drives it, and it is no optical drive. */
bool is_libata_disk(const struct subject *subject);

/* loop, ram and zram devices, optical drives, and what has no capacity. */
bool is_no_real_disk(const struct subject *subject);

/* A real disk that is neither a stack of others nor memory. */
bool is_single_disk(const struct subject *subject);

/* An md array of a level that stripes: of those a large read takes all members. */
bool is_striped_level(const struct subject *subject);

/* The plan for @tunable, or NULL where there is none. */
const struct change *planned(const struct subject *subject, enum tunable tunable);

/* The policy wants just the value that is there, or we wrote it. */
bool is_wished(const struct subject *subject, enum tunable tunable);

/* Programs that write what we write. */
enum tool {
	TOOL_UNKNOWN,
	TOOL_TUNED,
	TOOL_TLP,
	TOOL_SAPTUNE,
	_TOOL_MAX,
};

/* As people write it; "another program" of TOOL_UNKNOWN. */
const char *tool_name(enum tool tool);

/*
 * Whose configuration the value of a fact FACT_RIVAL_* is from: by the folder of the
 * file, else the only one that is active.
 */
enum tool tool_of(const struct disk_facts *facts, enum fact rival);
