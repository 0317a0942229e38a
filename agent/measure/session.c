/* SPDX-License-Identifier: MIT */
/*
 * One run after the other: each is watched, judged, added to what earlier rounds gave,
 * and handed on at once, so that nothing is lost when the next one does not come.
 */
#include "measure/plan.h"

#include <errno.h>
#include <string.h>

#include "measure/target.h"

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
	if (error == -ETIMEDOUT)
		return refuse(session->report, error,
			      "%s: the disk stands still: nothing came back for %u s "
			      "after the time was over", what, RUN_PATIENCE_MS / 1000);
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

/* Reads through the page cache end when they have brought in enough. */
static void bound_run(struct run *run, const struct cached_bound *bound)
{
	if (!bound)
		return;
	run->bytes_max = bound->bytes;
	run->is_full = bound->is_full;
	run->context = bound->context;
}

int session_run_once(struct session *session, const struct step *step, uint64_t us,
		     const struct cached_bound *bound, struct run *run,
		     struct run_result *ret, unsigned int *ret_limits)
{
	struct watch watch = { 0 };
	int r = 0;

	make_run(session, step, us, run);
	bound_run(run, bound);
	watch_begin(&session->watched, &watch);
	r = run_points(run, ret);
	if (r < 0 && falls_back(session, run, r))
		return session_run_once(session, step, us, bound, run, ret, ret_limits);
	if (r >= 0)
		*ret_limits = watch_end(&watch, run, ret);
	return r;
}

/*
 * Whether there is enough to read or write in such blocks. A file in pieces may have few
 * places for long ones, and those come from the drive's own cache when they are read over
 * and over. As session_run().
 */
static int check_blocks(struct session *session, const struct step *step)
{
	_cleanup_(blocks_done) struct blocks blocks = { 0 };
	uint32_t size = step->block_kb * 1024;
	char what[96] = { 0 };
	int r = blocks_count(step->target, size, &blocks);

	if (r < 0)
		return judge_error(session, step, r);
	(void)step_describe(step, what, sizeof(what));
	if (step->mode == IO_MODE_DIRECT && size % step->target->alignment != 0) {
		session_lacks(session);
		note(session->report, "%s left out: direct blocks are multiples of %u "
		     "bytes here", what, step->target->alignment);
		return 1;
	}
	if (blocks.n * size >= VIEW_BYTES_MIN)
		return 0;
	session_lacks(session);
	note(session->report, "%s left out: what is read from lies in pieces, and only "
	     "%llu blocks of that size fit into them", what,
	     (unsigned long long)blocks.n);
	return 1;
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
	r = check_blocks(session, step);
	if (r != 0)
		return r;
	left = now < session->until_us ? session->until_us - now : 0;
	duration_us = duration_us < left ? duration_us : left;
	if (duration_us < RUN_MS_MIN * 1000) {
		if (!find_collected(session, step))
			session_lacks(session);
		return 1;
	}
	session_show(session, step_describe(step, session->what, sizeof(session->what)));
	if (step->mode == IO_MODE_DIRECT)
		r = session_run_once(session, step, duration_us, NULL, &run, &result,
				     &limits);
	else
		r = session_run_cached(session, step, duration_us, &run, &result,
				       &limits);
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
	r = session_run_once(session, &step, duration_us, NULL, &run, &result, &limits);
	return r < 0 ? judge_error(session, &step, r) : 0;
}
