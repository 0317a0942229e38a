/* SPDX-License-Identifier: MIT */
/*
 * What is measured, in the order of its use: how random reads grow with the depth; the
 * same reads in each mode, in turns, so that a disk that changes its mood does not
 * favour one of them; sequential reads; and writes, if there is a file of our own.
 */
#include "measure/plan.h"

#include <errno.h>

#include "measure/target.h"

#define SWEEP_GAIN_MIN 1.02 /* of a doubling; two in a row below it end the sweep */
#define SWEEP_DEPTH_MIN 64 /* up to here it is never ended for that */
#define SWEEP_DEPTH_CERTAIN 8 /* up to here a slow disk gets more time */
#define STEPS_MAX 16

static struct step random_read(const struct session *session, uint32_t depth)
{
	return (struct step){ .target = session->reads,
			      .work = WORK_RANDOM_READ,
			      .mode = IO_MODE_DIRECT,
			      .hint = HINT_NORMAL,
			      .block_kb = session->block_kb,
			      .depth = depth };
}

static double rate_of(const struct point *point)
{
	return (double)point->operations * 1e6 / (double)point->duration_us;
}

/* --- the sweep ---------------------------------------------------------------------- */

struct sweep {
	double best; /* operations a second, of all depths so far */
	unsigned int flat; /* doublings in a row that gained nothing */
	size_t n; /* depths that were measured */
};

/* Whether deeper is of no use any more. */
static bool sweep_is_over(struct sweep *sweep, const struct sweep_plan *plan,
			  const struct point *point)
{
	double rate = rate_of(point);
	unsigned int doublings = plan->factor / 2;

	sweep->flat = rate < sweep->best * SWEEP_GAIN_MIN ? sweep->flat + doublings : 0;
	if (rate > sweep->best)
		sweep->best = rate;
	return sweep->flat >= 2 && point->depth >= SWEEP_DEPTH_MIN;
}

/*
 * What the first reads of all took counts too: one that was held up by others must not
 * make the disk look too slow for the rest.
 */
static uint64_t sweep_duration(const struct session *session,
			       const struct sweep_plan *plan, const struct sweep *sweep,
			       uint32_t depth)
{
	double first = 1e6 / (double)session->read_us;

	return plan_duration(plan->slot_us,
			     depth <= SWEEP_DEPTH_CERTAIN ? STRETCH_ONCE : STRETCH, depth,
			     first > sweep->best ? first : sweep->best);
}

static int sweep_up(struct session *session, const struct sweep_plan *plan,
		    struct sweep *sweep)
{
	for (size_t i = 0; i < plan->n; i++) {
		struct step step = random_read(session, plan->depths[i]);
		uint64_t us = sweep_duration(session, plan, sweep, step.depth);
		int r = us > 0 ? session_run(session, &step, us) : 1;

		if (r < 0)
			return r;
		if (r > 0) { /* too slow for it, no threads, or no time */
			session_lacks(session);
			return 0;
		}
		sweep->n = i + 1;
		if (sweep_is_over(sweep, plan, session_find(session, &step)))
			return 0;
	}
	return 0;
}

/* Down again, so that what drifts with time does so for all depths alike. */
static int sweep_down(struct session *session, const struct sweep_plan *plan,
		      const struct sweep *sweep, uint64_t until_us)
{
	for (size_t i = sweep->n; i > 0; i--) {
		struct step step = random_read(session, plan->depths[i - 1]);
		uint64_t now = clock_us(), us = 0;
		int r = 0;

		us = now < until_us ? (until_us - now) / i : 0;
		us = us < plan->slot_us * 2 ? us : plan->slot_us * 2;
		us = plan_duration(us, STRETCH, step.depth,
				   rate_of(session_find(session, &step)));
		r = us > 0 ? session_run(session, &step, us) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

static int run_sweep(struct session *session, uint64_t until_us)
{
	struct sweep_plan plan = { 0 };
	struct sweep sweep = { 0 };
	uint64_t now = clock_us();
	int r = 0;

	plan_sweep(session->request->device_depth, until_us > now ? until_us - now : 0,
		   &plan);
	r = sweep_up(session, &plan, &sweep);
	if (r >= 0 && plan.rounds > 1)
		r = sweep_down(session, &plan, &sweep, until_us);
	return r;
}

/* The smallest depth of the sweep that comes near its peak. */
static uint32_t find_knee(const struct session *session)
{
	double peak = 0;
	uint32_t knee = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < session->n; i++) {
			const struct point *point = &session->points[i].point;

			if (point->work != WORK_RANDOM_READ ||
			    point->mode != IO_MODE_DIRECT)
				continue;
			if (pass == 0 && rate_of(point) > peak)
				peak = rate_of(point);
			if (pass == 1 && rate_of(point) * 100 >= peak * KNEE_PERCENT &&
			    (knee == 0 || point->depth < knee))
				knee = point->depth;
		}
	}
	return knee > 0 ? knee : 1;
}

/* --- rounds of steps ---------------------------------------------------------------- */

struct steps {
	struct step list[STEPS_MAX];
	size_t n;
};

static void add_step(struct steps *steps, const struct step *step)
{
	for (size_t i = 0; i < steps->n; i++) {
		const struct step *other = &steps->list[i];

		if (other->work == step->work && other->mode == step->mode &&
		    other->hint == step->hint && other->block_kb == step->block_kb &&
		    other->depth == step->depth)
			return;
	}
	if (steps->n < STEPS_MAX)
		steps->list[steps->n++] = *step;
}

/*
 * How many a second to expect: what the step gave before. Else what it gave at depth 1,
 * and as much more as depth was worth to direct reads, unless it is much slower than
 * those: then readahead makes the disk read more than was asked for, and its bandwidth
 * may be used up. 0 if nothing is known.
 */
static double expected_rate(const struct session *session, const struct step *step)
{
	struct step alone = *step, direct = random_read(session, step->depth);
	struct step direct_alone = random_read(session, 1);
	const struct point *before = session_find(session, step);
	const struct point *one = NULL, *deep = NULL, *deep_one = NULL;
	double rate = 0;

	alone.depth = 1;
	one = before ? before : session_find(session, &alone);
	rate = one ? rate_of(one) : 0;
	deep = session_find(session, &direct);
	deep_one = session_find(session, &direct_alone);
	if (before || step->work != WORK_RANDOM_READ || !deep || !deep_one ||
	    rate * 2 < rate_of(deep_one))
		return rate;
	return rate * rate_of(deep) / rate_of(deep_one);
}

/* Where readahead makes each read a long one, many at once do not fit: then fewer. */
static int run_step(struct session *session, const struct step *step, uint64_t slot_us)
{
	struct step now = *step;
	unsigned int stretch = session_find(session, step) ? STRETCH : STRETCH_ONCE;
	uint64_t us = plan_duration(slot_us, stretch, now.depth,
				    expected_rate(session, &now));
	char what[96] = { 0 };

	(void)step_describe(step, what, sizeof(what));
	while (us == 0 && !session_find(session, &now) && now.depth >= 8) {
		now.depth /= 4;
		us = plan_duration(slot_us, STRETCH, now.depth,
				   expected_rate(session, &now));
	}
	if (us > 0 && now.depth != step->depth)
		note(session->report, "%s: too slow for the budget, measured at depth %u",
		     what, now.depth);
	if (us > 0)
		return session_run(session, &now, us);
	if (!session_find(session, &now)) {
		session_lacks(session);
		note(session->report, "%s left out: too slow for the budget", what);
	}
	return 1;
}

static int run_round(struct session *session, const struct steps *steps, uint64_t slot_us)
{
	int r = 0;

	for (size_t i = 0; i < steps->n && r >= 0; i++)
		r = run_step(session, &steps->list[i], slot_us);
	return r < 0 ? r : 0;
}

static int run_rounds(struct session *session, const struct steps *steps,
		      unsigned int most, uint64_t until_us)
{
	uint64_t now = clock_us(), slot = 0;
	unsigned int rounds = 0;
	int r = 0;

	if (steps->n == 0)
		return 0;
	if (now >= until_us) {
		session_lacks(session);
		return 0;
	}
	rounds = plan_rounds(steps->n, most, until_us - now, &slot);
	slot = slot > RUN_MS_MIN * 1000 ? slot : RUN_MS_MIN * 1000;
	for (unsigned int round = 0; round < rounds && r >= 0; round++) {
		now = clock_us();
		/* Slow steps took more than their slot. */
		if (round > 0 && now >= until_us)
			break;
		if (round > 0)
			slot = (until_us - now) / (steps->n * (rounds - round));
		r = run_round(session, steps, slot);
	}
	return r;
}

/* --- the arms ----------------------------------------------------------------------- */

static void add_arms(const struct session *session, uint32_t depth, struct steps *steps)
{
	static const struct {
		enum io_mode mode;
		enum hint hint;
	} arms[] = {
		{ IO_MODE_DIRECT, HINT_NORMAL }, { IO_MODE_BUFFERED, HINT_RANDOM },
		{ IO_MODE_MMAP, HINT_NORMAL },	 { IO_MODE_MMAP, HINT_RANDOM },
		{ IO_MODE_BUFFERED, HINT_NORMAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(arms); i++) {
		struct step step = random_read(session, depth);

		step.target = &session->view;
		step.mode = arms[i].mode;
		step.hint = arms[i].hint;
		add_step(steps, &step);
	}
}

static int run_arms(struct session *session, uint32_t knee, uint64_t until_us)
{
	struct steps steps = { 0 };

	if (!session->has_view)
		return 0;
	add_arms(session, 1, &steps);
	add_arms(session, knee < ARM_DEPTH_MAX ? knee : ARM_DEPTH_MAX, &steps);
	return run_rounds(session, &steps, 3, until_us);
}

/* --- sequential reads --------------------------------------------------------------- */

static int run_sequential(struct session *session, uint64_t until_us)
{
	static const struct {
		enum io_mode mode;
		enum hint hint;
		uint32_t block_kb, depth;
	} table[] = {
		{ IO_MODE_DIRECT, HINT_NORMAL, 1024, 1 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 128, 1 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 1024, 1 },
		{ IO_MODE_DIRECT, HINT_NORMAL, 1024, 2 },
		{ IO_MODE_DIRECT, HINT_NORMAL, 1024, 4 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 256, 1 },
		{ IO_MODE_MMAP, HINT_NORMAL, 1024, 1 },
		{ IO_MODE_DIRECT, HINT_NORMAL, 1024, 8 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 256, 4 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 1024, 4 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 256, 16 },
		{ IO_MODE_BUFFERED, HINT_SEQUENTIAL, 1024, 16 },
	};
	struct steps steps = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		bool direct = table[i].mode == IO_MODE_DIRECT;
		struct step step = { .target = direct ? session->reads : &session->view,
				     .work = WORK_SEQUENTIAL_READ,
				     .mode = table[i].mode,
				     .hint = table[i].hint,
				     .block_kb = table[i].block_kb,
				     .depth = table[i].depth };

		if (direct || session->has_view)
			add_step(&steps, &step);
	}
	return run_rounds(session, &steps, 2, until_us);
}

/* --- writes ------------------------------------------------------------------------- */

static void add_write(const struct session *session, enum work work, uint32_t block_kb,
		      uint32_t depth, struct steps *steps)
{
	struct step step = { .target = &session->own,
			     .work = work,
			     .mode = IO_MODE_DIRECT,
			     .hint = HINT_NORMAL,
			     .block_kb = block_kb,
			     .depth = depth };

	if (block_kb * 1024 % session->own.alignment == 0)
		add_step(steps, &step);
}

static int run_writes(struct session *session, uint32_t knee, uint64_t until_us)
{
	static const uint32_t journal_kb[] = { 4, 8, 16, 32, 64 };
	struct steps steps = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(journal_kb) && session->own.dsync_fd >= 0; i++)
		add_write(session, WORK_JOURNAL_WRITE, journal_kb[i], 1, &steps);
	add_write(session, WORK_RANDOM_WRITE, session->block_kb, 1, &steps);
	add_write(session, WORK_RANDOM_WRITE, session->block_kb, 16, &steps);
	add_write(session, WORK_RANDOM_WRITE, session->block_kb, knee, &steps);
	add_write(session, WORK_SEQUENTIAL_WRITE, 1024, 4, &steps);
	return run_rounds(session, &steps, 2, until_us);
}

/* A phase may take somewhat more than its share, but not that of those behind it. */
static uint64_t phase_end(struct session *session, enum phase phase)
{
	uint64_t now = clock_us();
	uint64_t end = plan_phase_end(phase, session->writes, now, session->deadline_us);

	session->until_us = end > now ? end + (end - now) / 4 : end;
	if (session->until_us > session->deadline_us)
		session->until_us = session->deadline_us;
	return end;
}

int phases_run(struct session *session)
{
	uint32_t knee = 0;
	int r = run_sweep(session, phase_end(session, PHASE_SWEEP));

	if (r < 0)
		return r;
	knee = find_knee(session);
	r = run_arms(session, knee, phase_end(session, PHASE_ARMS));
	if (r >= 0)
		r = run_sequential(session, phase_end(session, PHASE_SEQUENTIAL));
	if (r >= 0 && session->writes)
		r = run_writes(session, knee, phase_end(session, PHASE_WRITES));
	return r;
}
