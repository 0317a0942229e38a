/* SPDX-License-Identifier: MIT */
/*
 * Plans for a person: a line for each change, and one that sums up what is left alone.
 */
#pragma once

#include "cli/cli.h"

/* What the plans of some disks come to. */
struct tally {
	size_t disks, changes;
	size_t outcomes[_OUTCOME_MAX];
	char obstacles[_OUTCOME_MAX][160]; /* the first of each outcome */
};

/*
 * Prints what is to be written to the survey's disk and its paths, and what is somebody
 * else's; with --verbose all that is left alone. Adds to @tally.
 */
void plan_print(const struct cli *cli, const struct survey *survey, struct tally *tally);

/* A line for disks on which nothing is changed. Says so if something ought to be. */
void tally_print(const struct cli *cli, const struct tally *tally);

/* `apply --dry-run`. */
int plan_dry_apply(struct cli *cli);
