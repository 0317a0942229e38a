/* SPDX-License-Identifier: MIT */
/*
 * The layers in their order, once for helper and command: probe, correct, classify,
 * select, remember, plan, diagnose; then apply, restore, publish. It passes on what the
 * layers say; the one thing it decides is not to write where it cannot be sure.
 */
#pragma once

#include "apply/apply.h"
#include "classify/quirks.h"
#include "diagnose/check.h"
#include "facts/evidence.h"
#include "policy/advise.h"
#include "publish/record.h"

/* What is read once for all disks. */
struct context {
	const struct root *machine; /* /sys and /proc: live, a folder or a capture */
	const struct root *config; /* /etc, /run, /usr: live or a folder */
	const struct properties *properties;
	struct quirks *quirks;
	struct quirks *controllers; /* NULL unless evidence is wanted */
	struct evidence *evidence; /* likewise */
	struct policy *policy;
	struct config settings;
	struct ini_problems problems; /* of all files read */
	bool cautious; /* one of the administrator's files is broken: write nothing */
	char cautious_where[WHERE_MAX]; /* its file:line */
	unsigned int page_kb;
	const struct root *memory; /* has this machine's baselines; NULL: nothing has */
	const struct root *measurements; /* @memory, unless they are kept elsewhere */
	const char *measured_in; /* the folder there; in udev's events, of the copies */
};

/*
 * Reads configuration, quirks and policy. Files with problems are left out and listed in
 * @ret->problems. If @rules is not NULL, data files come from its folders policy.d and
 * quirks.d alone, which are outside of all roots. Negative only for errors that leave
 * nothing to work with (-ENOMEM). Release with context_done(); the roots and properties
 * stay the caller's.
 */
int context_load(const struct root *machine, const struct root *config, const char *rules,
		 const struct properties *properties, struct context *ret);

/* Reads the table of controllers, too. @rules and errors as above. */
int context_add_controllers(struct context *context, const char *rules);

/*
 * Adds what only a diagnosis for people needs: the table of controllers, and evidence,
 * for which see evidence_load(). From then on surveys know more than records say. @rules
 * as above. -ENOMEM.
 */
int context_add_evidence(struct context *context, const char *rules,
			 struct evidence_source *source);

void context_done(struct context *context);

#define _cleanup_context_ _cleanup_(context_done)

/* What was measured of the disk before, if anything. */
struct measured {
	struct measurement now; /* the disk's identity and settings, without points */
	bool identified; /* else nothing tells the disk from others: nothing is kept */
	struct measurement kept;
	int found; /* 0: @kept counts; -ENOENT: none; -EBADMSG: a broken file */
	unsigned int stale; /* bits of enum stale */
	bool of_leaf; /* of the one disk below this stack, which has none of its own */
	bool as_leaf; /* and the stack is a linear mapping, as fast as that disk is */
	char path[MEASUREMENT_PATH_MAX];
	char problem[MEASUREMENT_PATH_MAX + 192]; /* "file:line: text" if it is broken */
};

/* All that is known of one disk. */
struct survey {
	struct disk *disk;
	struct disk_class class;
	struct selection selection;
	struct state_file memory;
	struct plan plan;
	struct diagnosis diagnosis;
	struct measured measured;
	struct survey **paths; /* an NVMe multipath head's hidden path devices; owned */
	size_t n_paths;
};

/* The errors of disk_probe(). Release with survey_free(). */
int survey_disk(const struct context *context, const char *syspath, struct survey **ret);

/* The machine as a whole: what belongs to no disk. */
struct machine_survey {
	struct disk *machine;
	struct diagnosis diagnosis;
};

/* -ENOMEM. Release with machine_survey_done(). */
int survey_machine(const struct context *context, struct machine_survey *ret);

void machine_survey_done(struct machine_survey *survey);

struct survey *survey_free(struct survey *survey);

static inline void survey_freep(struct survey **survey)
{
	(void)survey_free(*survey);
}

#define _cleanup_survey_ _cleanup_(survey_freep)

/* Called for each write and each restored value. */
typedef void (*applied_handler)(const struct survey *survey,
				const struct applied *applied, void *context);

/*
 * Executes the plan of the disk (and of its paths), reading facts again after each write,
 * since one write changes what the next one finds. The caller holds the disk's lock. Only
 * tunables from @first on are looked at. Returns the number of writes, or the error that
 * ended it. *@survey is replaced by the state of things afterwards.
 */
int survey_apply(const struct context *context, struct survey **survey,
		 enum tunable first, enum tunable last, applied_handler handler,
		 void *handler_context);

/*
 * Returns every tunable that we wrote to its baseline, and holds the disk if @hold. As
 * survey_apply() otherwise.
 */
int survey_restore(const struct context *context, struct survey **survey, bool hold,
		   applied_handler handler, void *handler_context);

/*
 * Saves what became of a write whose writer was killed. To be called with the disk's
 * lock, before anything is written. The errors of state_save().
 */
int survey_settle(const struct context *context, struct survey *survey);

/*
 * Forgets what the kernel did not take, so that the next apply asks again; of the paths,
 * too. The errors of state_save().
 */
int survey_ask_again(const struct context *context, struct survey *survey);

/* Plans as `apply` by hand would: no hold, all refusals forgotten. In memory only. */
void survey_plan_as_if_free(const struct context *context, struct survey *survey);

/* Holds (or releases) the whole disk, or one tunable if @tunable is not _TUNABLE_MAX. */
int survey_hold(const struct context *context, struct survey *survey,
		enum tunable tunable, bool held);

/*
 * Publishes the disk's record below the config root. 1 if it was written, 0 if it says
 * the same already; -ENODATA if it has no device number, is of a kind without
 * records, or is empty, and then a record that was there is gone; -ENODEV if the disk is
 * gone; or what writing gave.
 */
int survey_publish(const struct context *context, const struct survey *survey);

/* The record's text as it would be published. Errors of record_format(). */
int survey_format_record(const struct survey *survey, char *buf, size_t size);

/*
 * Withdraws the records of disks that are gone, or whose number is another disk's by now,
 * and the memory of the former. With @dry_run it only looks. Adds the device numbers to
 * @ret. 0, or the first error; the others are withdrawn all the same.
 */
int survey_sweep_records(const struct context *context, bool dry_run, struct names *ret);
