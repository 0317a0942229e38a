/* SPDX-License-Identifier: MIT */
/*
 * What was measured before, brought to the disk that is there now. A dm device on one
 * disk is advised as that disk is, so it has its measurement, too; an array of several
 * has only one of its own.
 */
#include <errno.h>
#include <string.h>

#include "base/sysfs.h"
#include "survey/internal.h"

#define KEPT_BELOW "/var/lib/blkadvise"

/* What is in force on the hidden paths of a multipath head, which have the queues. */
static void add_paths(const struct context *context, const struct disk *disk,
		      struct measurement *measurement)
{
	const char *paths = facts_text(&disk->facts, FACT_NVME_PATHS);
	char text[FACT_TEXT_MAX], *place = NULL;

	(void)snprintf(text, sizeof(text), "%s", paths ? paths : "");
	for (char *name = strtok_r(text, " ", &place); name;
	     name = strtok_r(NULL, " ", &place)) {
		_cleanup_disk_ struct disk *path = NULL;
		struct disk_class class = { 0 };
		char syspath[ROOT_PATH_MAX];

		if (sysfs_block_by_name(context->machine, name, syspath,
					sizeof(syspath)) < 0 ||
		    disk_probe(context->machine, syspath, context->properties, &path) < 0)
			continue; /* gone meanwhile */
		quirks_correct_disk(context->quirks, path);
		classify(path, &class);
		measurement_add_part(measurement, path, &class);
	}
}

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

/* Where the file system of the originals is not there, what they were copied to is. */
static int load(const struct context *context, struct measured *measured,
		struct ini_problems *problems)
{
	const struct root *root = context->measurements;
	int r = measurement_load(root, context->measured_in, &measured->now, problems,
				 &measured->kept, &measured->stale);

	if (r == -ENOENT && root == context->memory && !root_exists(root, KEPT_BELOW))
		r = measurement_load(root, PATH_MEASUREMENTS_COPIES, &measured->now,
				     problems, &measured->kept, &measured->stale);
	return r;
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
	add_paths(context, disk, &measured->now);
	measured->found = load(context, measured, &problems);
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

/* What is read through the stack sees the stack's readahead, never that of its disk. */
static unsigned int stale_above(const struct disk *stack, const struct measurement *kept,
				unsigned int stale)
{
	const char *was = kept->settings[TUNABLE_READ_AHEAD_KB];
	char is[FACT_TEXT_MAX] = "";

	if (!*was || !facts_format(&stack->facts, FACT_READ_AHEAD_KB, is, sizeof(is)))
		return stale;
	stale &= ~(1U << STALE_READ_AHEAD);
	return strcmp(was, is) == 0 ? stale : stale | 1U << STALE_READ_AHEAD;
}

/*
 * LVM names what it builds volumes of (of a thin, cached or compressed one, of an array)
 * by a word behind the id; kpartx's partitions begin with "part".
 */
static bool is_linear_uuid(const char *uuid)
{
	if (strncmp(uuid, "part", 4) == 0)
		return uuid[4 + strspn(uuid + 4, "0123456789")] == '-';
	return strncmp(uuid, "LVM-", 4) == 0 && !strchr(uuid + 4, '-');
}

/*
 * From @syspath down to the disk there are linear mappings alone, so that a read costs
 * what it costs the disk. Any other device (encryption, integrity, deduplication) may
 * take more, or answer by itself.
 */
static bool is_linear(const struct root *root, const char *syspath, unsigned int level)
{
	_cleanup_names_ struct names below = { 0 };
	char path[ROOT_PATH_MAX], uuid[256] = "";

	if (path_join(path, sizeof(path), syspath, "slaves") < 0 ||
	    root_list(root, path, &below) < 0 || below.n == 0)
		return true; /* the disk */
	if (level == 0 || path_join(path, sizeof(path), syspath, "dm/uuid") < 0 ||
	    root_read(root, path, uuid, sizeof(uuid), NULL) < 0 || !is_linear_uuid(uuid))
		return false;
	for (size_t i = 0; i < below.n; i++) {
		if (sysfs_block_by_name(root, below.list[i], path, sizeof(path)) < 0 ||
		    !is_linear(root, path, level - 1))
			return false;
	}
	return true;
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
	measured->stale = of_leaf->found == 0 ?
				  stale_above(disk, &of_leaf->kept, of_leaf->stale) :
				  of_leaf->stale;
	memcpy(measured->problem, of_leaf->problem, sizeof(measured->problem));
	measured->of_leaf = true;
	measured->as_leaf = is_linear(context->machine, disk->syspath, SYSFS_DEPTH_MAX);
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
	if (!measured->of_leaf || measured->as_leaf)
		return;
	if (survey->selection.advice.random_from == ADVICE_FROM_MEASURED)
		survey->selection.advice.random_confident = false;
	if (survey->selection.advice.scan_from == ADVICE_FROM_MEASURED)
		survey->selection.advice.scan_confident = false;
}
