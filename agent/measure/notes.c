/* SPDX-License-Identifier: MIT */
/*
 * What people are told of a measurement beside its figures.
 */
#include "measure/plan.h"

#include "measure/target.h"

static const char *const work_names[_WORK_MAX] = {
	[WORK_RANDOM_READ] = "random reads",
	[WORK_SEQUENTIAL_READ] = "sequential reads",
	[WORK_RANDOM_WRITE] = "random writes",
	[WORK_SEQUENTIAL_WRITE] = "sequential writes",
	[WORK_JOURNAL_WRITE] = "journal writes",
};

const char *step_describe(const struct step *step, char *buf, size_t size)
{
	char mode[32] = { 0 }, hint[32] = { 0 };

	if (step->mode != IO_MODE_DIRECT)
		(void)snprintf(mode, sizeof(mode), ", %s", io_mode_to_string(step->mode));
	if (step->hint != HINT_NORMAL)
		(void)snprintf(hint, sizeof(hint), " %s", hint_to_string(step->hint));
	(void)snprintf(buf, size, "%s of %u KiB%s%s, depth %u", work_names[step->work],
		       step->block_kb, mode, hint, step->depth);
	return buf;
}

struct met {
	size_t points;
	uint32_t depth; /* the smallest of direct random reads that met it, or 0 */
};

static struct met find_met(const struct session *session, enum limit limit)
{
	struct met met = { 0 };

	for (size_t i = 0; i < session->n; i++) {
		const struct point *point = &session->points[i].point;

		if (!(point->limits & 1U << limit))
			continue;
		met.points++;
		if (point->work == WORK_RANDOM_READ && point->mode == IO_MODE_DIRECT &&
		    (met.depth == 0 || point->depth < met.depth))
			met.depth = point->depth;
	}
	return met;
}

static void note_limit(const struct session *session, enum limit limit,
		       const struct met *met)
{
	struct measure_report *report = session->report;
	const struct io_limits *io = &session->watched.limits;

	switch (limit) {
	case LIMIT_CPU:
		if (met->depth > 0)
			note(report, "the processors were the limit of random reads from "
			     "depth %u on, and of %zu of %zu points in all: the disk may "
			     "do more than these say", met->depth, met->points,
			     session->n);
		else
			note(report, "the processors were the limit of %zu of %zu "
			     "points: the disk may do more than these say", met->points,
			     session->n);
		return;
	case LIMIT_CPU_QUOTA:
		note(report, "a cgroup's cpu.max held up %zu of %zu points", met->points,
		     session->n);
		return;
	case LIMIT_IO_MAX:
		note(report, "a cgroup's limit was reached by %zu of %zu points, not the "
		     "disk's: reads %llu a second and %llu KB/s, writes %llu and %llu "
		     "(0: none)", met->points, session->n,
		     (unsigned long long)io->read_iops, (unsigned long long)io->read_kbps,
		     (unsigned long long)io->write_iops,
		     (unsigned long long)io->write_kbps);
		return;
	case LIMIT_TRAFFIC:
		note(report, "others used the disk during %zu of %zu points", met->points,
		     session->n);
		return;
	case LIMIT_CACHE:
		note(report, "a cache answered a good part of the reads of %zu of %zu "
		     "points: what is read from may be too small", met->points,
		     session->n);
		return;
	case LIMIT_IMPLAUSIBLE: /* has its note already */
	case _LIMIT_MAX:
		return;
	}
}

void notes_of_limits(const struct session *session)
{
	for (int limit = 0; limit < _LIMIT_MAX; limit++) {
		struct met met = find_met(session, (enum limit)limit);

		if (met.points > 0)
			note_limit(session, (enum limit)limit, &met);
	}
}
