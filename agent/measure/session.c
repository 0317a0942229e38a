/* SPDX-License-Identifier: MIT */
/*
 * One run after the other: each is watched, judged, added to what earlier rounds gave,
 * and handed on at once, so that nothing is lost when the next one does not come.
 */
#include "measure/plan.h"

#include <errno.h>
#include <string.h>

#include "measure/target.h"

#define FILLED_RANDOM_MAX 250 /* thousandths of the view: then many reads hit the cache */
#define FILLED_SEQUENTIAL_MAX 900 /* then a scan begins anew in the cache */

static bool is_random(enum work work)
{
	return work == WORK_RANDOM_READ || work == WORK_RANDOM_WRITE;
}

void session_lacks(struct session *session)
{
	session->report->complete = false;
}

void session_show(struct session *session, const char *what)
{
	uint64_t elapsed = clock_us() - session->started_us;
	double fraction = (double)elapsed / (session->request->budget_ms * 1000.0);
	struct measure_progress progress = { .fraction = fraction < 1 ? fraction : 1,
					     .point = session->last,
					     .what = what };

	if (session->request->show)
		session->request->show(&progress, session->request->context);
}

static bool same_point(const struct point *point, const struct step *step)
{
	return point->work == step->work && point->mode == step->mode &&
	       point->hint == step->hint && point->block_kb == step->block_kb &&
	       point->depth == step->depth;
}

static struct collected *find_collected(const struct session *session,
					const struct step *step)
{
	for (size_t i = 0; i < session->n; i++) {
		if (same_point(&session->points[i].point, step))
			return &session->points[i];
	}
	return NULL;
}

const struct point *session_find(const struct session *session, const struct step *step)
{
	const struct collected *collected = find_collected(session, step);

	return collected ? &collected->point : NULL;
}

/* A point as it is now, perhaps not for the last time. */
static int hand_on(struct session *session, struct point *point)
{
	char why[MEASURE_MESSAGE_MAX] = { 0 };
	int r = 0;

	point->measured_at = (uint64_t)time(NULL);
	point->limits &= ~(1U << LIMIT_IMPLAUSIBLE);
	if (session->request->class &&
	    !point_is_plausible(point, session->request->class, why, sizeof(why))) {
		point->limits |= 1U << LIMIT_IMPLAUSIBLE;
		note(session->report, "%s", why);
	}
	session->last = point;
	r = session->request->keep
		    ? session->request->keep(point, session->request->context)
		    : 0;
	if (r < 0)
		return refuse(session->report, r, "a point could not be kept: %s",
			      strerror(-r));
	return 0;
}

int session_keep(struct session *session, const struct point *point)
{
	struct collected *collected = &session->points[session->n];

	if (session->n == POINTS_MAX)
		return 1;
	session->n++;
	*collected = (struct collected){ .point = *point };
	return hand_on(session, &collected->point);
}

static int collect(struct session *session, const struct step *step,
		   const struct run *run, const struct run_result *result,
		   unsigned int limits)
{
	struct collected *collected = find_collected(session, step);
	struct point *point = NULL;

	if (!collected && session->n == POINTS_MAX)
		return 1;
	if (!collected) {
		collected = &session->points[session->n++];
		*collected = (struct collected){ .point = { .work = step->work,
							    .mode = step->mode,
							    .hint = step->hint,
							    .engine = run->engine,
							    .block_kb = step->block_kb,
							    .depth = step->depth } };
	}
	point = &collected->point;
	point->operations += result->operations;
	point->duration_us += result->duration_us;
	histogram_merge(&collected->latencies, &result->latencies);
	point->p50_us = histogram_at(&collected->latencies, 500);
	point->p99_us = histogram_at(&collected->latencies, 990);
	point->limits |= limits;
	return hand_on(session, point);
}

/* What an error of a run means for the rest. As session_run(). */
static int judge_error(struct session *session, const struct step *step, int error)
{
	char what[96] = { 0 };

	if (error == -EINTR)
		return error;
	(void)step_describe(step, what, sizeof(what));
	session_lacks(session);
	if (error == -EAGAIN || error == -ENOMEM) {
		note(session->report, "%s left out: %s", what,
		     error == -ENOMEM ? "not enough memory" : "not enough threads");
		return 1;
	}
	/* A device that cannot be mapped, a file system without that kind of write. */
	if ((step->mode != IO_MODE_DIRECT || step->target->own) && error != -EIO &&
	    error != -ENODATA && error != -EILSEQ && error != -ENXIO &&
	    error != -ESHUTDOWN && error != -EROFS) {
		note(session->report, "%s left out: %s", what, strerror(-error));
		return 1;
	}
	return refuse(session->report, error, "%s failed: %s", what, strerror(-error));
}

/* io_uring may be switched off (kernel.io_uring_disabled), filtered, or not built in. */
static bool falls_back(struct session *session, const struct run *run, int error)
{
	if (run->engine != IO_ENGINE_IO_URING || (error != -ENOSYS && error != -EPERM))
		return false;
	session->engine = IO_ENGINE_THREADS;
	note(session->report, "io_uring is not to be had here (%s): threads were used",
	     strerror(-error));
	return true;
}

static void make_run(struct session *session, const struct step *step, uint64_t us,
		     struct run *ret)
{
	*ret = (struct run){
		.target = step->target,
		.work = step->work,
		.mode = step->mode,
		.hint = step->hint,
		.engine = step->mode == IO_MODE_DIRECT ? session->engine
						       : IO_ENGINE_THREADS,
		.block_kb = step->block_kb,
		.depth = step->depth,
		.duration_ms = (unsigned int)(us / 1000),
		.seed = random_next(&session->seed),
		.stop = session->request->stop,
	};
}

/* One run, watched. */
static int run_watched(struct session *session, const struct step *step, uint64_t us,
		       struct run *run, struct run_result *ret, unsigned int *ret_limits)
{
	struct watch watch = { 0 };
	int r = 0;

	make_run(session, step, us, run);
	watch_begin(&session->watched, &watch);
	r = run_points(run, ret);
	if (r < 0 && falls_back(session, run, r))
		return run_watched(session, step, us, run, ret, ret_limits);
	if (r >= 0)
		*ret_limits = watch_end(&watch, run, ret);
	return r;
}

/* Thousandths of the view that the last run has filled. */
static unsigned int filled_since(const struct session *session, const struct step *step,
				 const struct disk_counters *before)
{
	struct disk_counters after = { 0 };
	uint64_t bytes = 0;

	/* The disk's counters are at hand; asking for each page takes its time. */
	if (watched_counters(&session->watched, &after) < 0)
		return target_filled(step->target);
	bytes = (after.read_sectors - before->read_sectors) * 512;
	return (unsigned int)(bytes * 1000 / step->target->usable);
}

/*
 * Reads through the page cache bring in more than was asked for. Once much of the view
 * is there, reads are answered from memory: then once more, and shorter.
 */
static int run_cached(struct session *session, const struct step *step, uint64_t us,
		      struct run *run, struct run_result *ret, unsigned int *ret_limits)
{
	unsigned int most =
		is_random(step->work) ? FILLED_RANDOM_MAX : FILLED_SEQUENTIAL_MAX;
	unsigned int filled = 0;
	int r = 0;

	for (unsigned int tries = 0; tries < 2; tries++) {
		struct disk_counters before = { 0 };

		(void)watched_counters(&session->watched, &before);
		r = run_watched(session, step, us, run, ret, ret_limits);
		filled = r < 0 ? 0 : filled_since(session, step, &before);
		target_drop(step->target);
		if (r < 0 || filled <= most)
			return r;
		us = us * most / (2ULL * filled);
		/* What is begun is waited for, and may fill as much by itself. */
		if (us < 1000 || us < ret->duration_us * step->depth / ret->operations)
			break;
	}
	if (filled > 2 * FILLED_RANDOM_MAX)
		*ret_limits |= 1U << LIMIT_CACHE;
	return r;
}

int session_run(struct session *session, const struct step *step, uint64_t duration_us)
{
	struct run_result result = { 0 };
	struct run run = { 0 };
	unsigned int limits = 0;
	uint64_t now = clock_us(), left = 0;
	int r = 0;

	if (session->request->stop && *session->request->stop)
		return -EINTR;
	left = now < session->until_us ? session->until_us - now : 0;
	duration_us = duration_us < left ? duration_us : left;
	if (duration_us < RUN_MS_MIN * 1000) {
		if (!find_collected(session, step))
			session_lacks(session);
		return 1;
	}
	session_show(session, step_describe(step, session->what, sizeof(session->what)));
	r = (step->mode == IO_MODE_DIRECT ? run_watched : run_cached)(
		session, step, duration_us, &run, &result, &limits);
	if (r < 0)
		return judge_error(session, step, r);
	return collect(session, step, &run, &result, limits);
}

int session_warm_up(struct session *session, uint64_t duration_us)
{
	struct step step = { .target = session->reads,
			     .work = WORK_RANDOM_READ,
			     .mode = IO_MODE_DIRECT,
			     .hint = HINT_NORMAL,
			     .block_kb = session->block_kb,
			     .depth = 4 };
	struct run_result result = { 0 };
	struct run run = { 0 };
	unsigned int limits = 0;
	int r = 0;

	session_show(session, "waking the disk");
	r = run_watched(session, &step, duration_us, &run, &result, &limits);
	return r < 0 ? judge_error(session, &step, r) : 0;
}
