/* SPDX-License-Identifier: MIT */
/*
 * Between the files of `measure`: what a person named (measure-target.c), what came of a
 * measurement (measure-report.c), what is kept (measure-show.c), and the words for a
 * measurement that `show` and `explain` use as well (measured.c, json-measured.c).
 */
#pragma once

#include <json-c/json.h>

#include "cli/cli.h"
#include "measure/measure.h"

/* --- measure-target.c ----------------------------------------------------------------
 */

struct measure_target {
	char path[ROOT_PATH_MAX];    /* what is opened: a node, a file or a folder */
	char syspath[ROOT_PATH_MAX]; /* of the disk under it */
	const char *write_folder;    /* NULL: read only */
};

/*
 * Finds the disk under @word: a disk's name, else a path. NULL: the folder of --write.
 * Checks that what is written lies on the same disk. An exit code, after a message.
 */
int measure_target_find(const struct cli *cli, const char *word,
			struct measure_target *ret);

/* The node of the survey's disk. An exit code, after a message. */
int measure_target_of_disk(const struct cli *cli, const struct survey *survey,
			   struct measure_target *ret);

/* --- measure-report.c: one disk's run ------------------------------------------------
 */

struct measure_outcome {
	const struct cli *cli;
	const struct survey *survey; /* as the disk is advised now */
	const struct measure_target *target;
	const struct measurement *measurement;
	const struct measure_report *report;
	int error; /* of the measurement */
	bool kept;
	int keep_error; /* why it was not kept; 0 if there was nothing to keep */
	bool published;
};

/* To standard output, for a person. */
void measure_print(const struct measure_outcome *outcome);
struct json_object *json_from_outcome(const struct measure_outcome *outcome);

/* What would be measured, and why a disk is passed over. */
void measure_print_plan(const struct cli *cli, const struct survey *survey,
			const struct measure_target *target);
struct json_object *json_from_measure_plan(const struct cli *cli,
					   const struct survey *survey,
					   const struct measure_target *target);
struct json_object *json_from_skipped(const struct survey *survey, const char *reason);

/* The keys of advice that a measurement gave, with their reasoning. */
void measure_print_advice(const struct advice *advice);

/* --- measure-show.c ------------------------------------------------------------------
 */

int measure_show_kept(struct cli *cli);

/* --- measured.c ----------------------------------------------------------------------
 */

/* The points as a table. Those that do not count are marked. */
void measured_print_table(const struct measurement *measurement, unsigned int stale);

/* The figures in one or two lines behind @indent; nothing without points that count. */
void measured_print_figures(const struct measurement *measurement, unsigned int stale,
			    const char *indent);

/*
 * When it was measured, through what settings, and whether it is stale, why, and what
 * that means, behind @indent. Nothing if nothing was measured. With @age also how long
 * ago that was, by this machine's clock.
 */
void measured_print_state(const struct measured *measured, bool age, const char *indent);

/* "2026-11-30 23:10 UTC". */
const char *measured_time(uint64_t seconds, char *buf, size_t size);

/* --- json-measured.c -----------------------------------------------------------------
 */

/* Settings, figures and points. @now may be NULL: then nothing is said to be stale. */
struct json_object *json_from_measurement(const struct measurement *measurement,
					  const struct measurement *now,
					  unsigned int stale);

/* What was measured of a survey's disk, or NULL. */
struct json_object *json_from_measured(const struct measured *measured);

/* The keys of measured advice and their reasoning. */
struct json_object *json_from_reasoning(const struct advice *advice);
