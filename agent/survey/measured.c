/* SPDX-License-Identifier: MIT */
/*
 * What was measured before, brought to the disk that is there now. A dm device on one
 * disk is advised as that disk is, so it has its measurement, too; an array of several
 * has only one of its own.
 */
#include <errno.h>
#include <string.h>

#include "survey/internal.h"

/* The id is needed for what is bound to its machine, and for stacks on such disks. */
static int identify(const struct context *context, const struct disk *disk,
		    const struct disk_class *class, struct measurement *ret)
{
	char machine_id[64];
	int r = measurement_identify(disk, class, NULL, ret);

	if (r < 0 || !context->memory || (!ret->identity.weak && disk->n_leaves == 0) ||
	    root_read(context->memory, "/etc/machine-id", machine_id, sizeof(machine_id),
		      NULL) < 0)
		return r;
	return measurement_identify(disk, class, machine_id, ret);
}

static void load_one(const struct context *context, const struct disk *disk,
		     const struct disk_class *class, struct measured *measured)
{
	_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };

	measured->found = -ENOENT;
	measured->identified = identify(context, disk, class, &measured->now) >= 0;
	if (!measured->identified)
		return;
	measurement_path(&measured->now.identity, measured->path);
	if (!context->measurements)
		return;
	measured->found = measurement_load(context->measurements, &measured->now,
					   &problems, &measured->kept, &measured->stale);
	if (problems.n == 0)
		return;
	if (problems.list[0].line > 0)
		(void)snprintf(measured->problem, sizeof(measured->problem), "%s:%u: %s",
			       problems.list[0].file, problems.list[0].line,
			       problems.list[0].text);
	else
		(void)snprintf(measured->problem, sizeof(measured->problem), "%s %s",
			       problems.list[0].file, problems.list[0].text);
}

void survey_load_measured(const struct context *context, struct survey *survey)
{
	const struct disk *disk = survey->disk;
	struct measured *measured = &survey->measured;
	struct disk_class class = { 0 };
	_cleanup_free_ struct measured *of_leaf = NULL;

	load_one(context, disk, &survey->class, measured);
	if (measured->found != -ENOENT || disk->n_leaves != 1 || disk->leaves_incomplete)
		return;
	of_leaf = calloc(1, sizeof(*of_leaf));
	if (!of_leaf)
		return;
	classify_facts(&disk->leaves[0].facts, &class);
	load_one(context, &disk->leaves[0], &class, of_leaf);
	if (of_leaf->found == -ENOENT)
		return;
	measured->kept = of_leaf->kept;
	measured->found = of_leaf->found;
	measured->stale = of_leaf->stale;
	memcpy(measured->problem, of_leaf->problem, sizeof(measured->problem));
	measured->of_leaf = true;
}

void survey_advise_measured(struct survey *survey)
{
	const struct measured *measured = &survey->measured;
	const struct disk *disk =
		measured->of_leaf ? &survey->disk->leaves[0] : survey->disk;
	struct disk_class class = survey->class;
	uint64_t depth = 0;

	if (measured->found != 0)
		return;
	if (measured->of_leaf)
		classify_facts(&disk->facts, &class);
	(void)policy_device_depth(&disk->facts, &class, &depth);
	advise_measured(&class, &measured->kept, measured->stale, depth,
			&survey->selection.advice);
}
