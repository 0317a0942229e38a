/* SPDX-License-Identifier: MIT */
/*
 * Checks: what only a person or firmware can put right, and settings that have no
 * reason. Each check needs certain facts; without them the answer is "could not check"
 * and never "ok". docs/findings.md has an entry for every id. Pure.
 */
#pragma once

#include "classify/class.h"
#include "policy/plan.h"

/* Frozen. The order is that of docs/findings.md, and of printing within a severity. */
enum finding_id {
	FINDING_ATA_IDE_MODE,
	FINDING_SATA_NO_NCQ,
	FINDING_RAID_CLASS_AHCI,
	FINDING_EMULATED_IDE,
	FINDING_NCQ_OFF,
	FINDING_NCQ_BAD_PAIR,
	FINDING_NCQ_QUEUE_FAULT,
	FINDING_SATA_LINK_FAULT,
	FINDING_SATA_LINK_SLOW,
	FINDING_SATA_PORT_LIMIT,
	FINDING_UDMA_SLOW,
	FINDING_LINK_POWER_RISK,
	FINDING_PORT_MULTIPLIER,
	FINDING_PCIE_LINK_DEGRADED,
	FINDING_PCIE_SLOT_LIMIT,
	FINDING_NVME_REMAPPED,
	FINDING_VMD,
	FINDING_USB_SLOW_MODE,
	FINDING_USB_QUIRK_COST,
	FINDING_BRIDGE_IMPLAUSIBLE,
	FINDING_MEDIUM_UNKNOWN,
	FINDING_SMR_DRIVE,
	FINDING_SD_NO_COMMAND_QUEUE,
	FINDING_READAHEAD_FROM_IO_OPT,
	FINDING_IO_OPT_BOGUS,
	FINDING_READAHEAD_FALSE_ROTATIONAL,
	FINDING_READAHEAD_NOT_ON_TOP,
	FINDING_READAHEAD_UNFIT,
	FINDING_READAHEAD_BELOW_STRIPE,
	FINDING_TRANSFER_SIZE_SMALL,
	FINDING_SCHEDULER_UNFIT,
	FINDING_ZONED_SCHEDULER,
	FINDING_ELEVATOR_IGNORED,
	FINDING_SETTING_DRIFTED,
	FINDING_RIVAL_WRITER,
	FINDING_MIXED_STACK,
	FINDING_UNEQUAL_MEMBERS,
	FINDING_ISCSI_DEPTH_ONE,
	FINDING_SAN_DEPTH,
	FINDING_EMULATED_HBA,
	FINDING_SINGLE_QUEUE,
	FINDING_CLOUD_LIMITS,
	_FINDING_MAX,
};

DECLARE_WORDS(finding_id, enum finding_id);

enum severity {
	SEVERITY_INFO, /* a state explained: nothing has to be repaired */
	SEVERITY_WARN, /* a large loss that can be avoided */
	SEVERITY_ERROR, /* data or the device at risk, or a setting without effect */
	_SEVERITY_MAX,
};

DECLARE_WORDS(severity, enum severity);

/* How far the evidence carries. */
enum confidence {
	CONFIDENCE_LOW, /* it may be something else */
	CONFIDENCE_MEDIUM, /* the usual reason, not proven */
	CONFIDENCE_HIGH, /* the facts leave no other reading */
	_CONFIDENCE_MAX,
};

DECLARE_WORDS(confidence, enum confidence);

enum check_result {
	CHECK_NOT_APPLICABLE, /* not a question for this kind of disk */
	CHECK_OK, /* checked, and nothing is wrong */
	CHECK_FOUND,
	CHECK_UNKNOWN, /* could not be checked: a fact is missing */
	_CHECK_RESULT_MAX,
};

DECLARE_WORDS(check_result, enum check_result);

/* A fact as evidence: the disk's own, or that of a leaf below it. */
struct evidence_item {
	const struct disk_facts *facts; /* not owned */
	enum fact fact;
};

#define FINDING_EVIDENCE_MAX 10
#define FINDING_TEXT_MAX 400
#define FINDING_STEPS_MAX 8

struct finding {
	enum finding_id id;
	enum check_result result;
	enum fact missing; /* of CHECK_UNKNOWN: the fact; or _FACT_MAX, and a text */
	char text[FINDING_TEXT_MAX]; /* of CHECK_FOUND: what is the matter, one sentence;
					of CHECK_UNKNOWN: why, or "" */
	enum severity severity; /* this and the rest: of CHECK_FOUND */
	enum confidence confidence;
	struct evidence_item evidence[FINDING_EVIDENCE_MAX]; /* all of them known */
	size_t n_evidence;
	const char *cost; /* static template (finding_expand()), or NULL */
	char first_step[FINDING_TEXT_MAX]; /* a template made for this disk; or "" */
	const char *const *remedy; /* the further steps, static templates; NULL ends */
};

struct diagnosis {
	struct finding findings[_FINDING_MAX]; /* one for each check, in order of id */
};

/* What is looked at: a disk, or the machine as a whole. */
struct subject {
	const struct disk *disk; /* of the machine: its facts alone */
	const struct disk_class *class; /* NULL: this is the machine */
	const struct plan *plan; /* of a disk; may be NULL */
	const struct disk_state *state; /* of a disk; may be NULL */
};

/* Runs every check. @ret points into @subject->disk, which must live as long. */
void diagnose(const struct subject *subject, struct diagnosis *ret);

/* The ids that were found, comma separated, or "" into @buf; as many as fit. */
void diagnosis_list(const struct diagnosis *diagnosis, char *buf, size_t size);

/* The template of step @i of the remedy, or NULL behind the last one. */
const char *finding_step(const struct finding *finding, size_t i);

/*
 * Writes a cost or a step of a remedy to @buf, with "{name}" replaced by the fact of that
 * name ("echo 32 > /sys/block/{name}/device/queue_depth"); "{hex:name}" leaves its "0x"
 * out, "{path:name}" is the file where it was read. What is unknown becomes "?".
 */
void finding_expand(const char *template, const struct disk_facts *facts, char *buf,
		    size_t size);
