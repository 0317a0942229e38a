/* SPDX-License-Identifier: MIT */
/*
 * Between the files that plan and carry out a measurement: what is to be run and for how
 * long (plan), one run and what is kept of it (session), the parts of the whole
 * (phases), and what people are told (notes).
 */
#pragma once

#include <time.h>

#include "measure/internal.h"

#define RUN_MS_MIN 10 /* a shorter run says nothing */
#define RUN_OPERATIONS 30 /* that a point should have at least */
#define ARM_DEPTH_MAX 64 /* of threads, for reads through the page cache */
#define VIEW_BYTES_MAX (4ULL << 30)
#define VIEW_BYTES_MIN (8ULL << 20) /* less than that is a drive's own cache */
#define SWEEP_DEPTHS_MAX 16
#define STRETCH 3 /* times a slot, for a slow disk */
#define STRETCH_ONCE 8 /* for what would not be measured at all otherwise */

static inline uint64_t clock_us(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* splitmix64 */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* --- plan.c: pure ------------------------------------------------------------------- */

enum phase {
	PHASE_SWEEP, /* random reads, from depth 1 up */
	PHASE_ARMS, /* the same reads in each mode */
	PHASE_SEQUENTIAL,
	PHASE_WRITES,
	_PHASE_MAX,
};

/* When @phase should end, so that those behind it have their share. */
uint64_t plan_phase_end(enum phase phase, bool writes, uint64_t now, uint64_t deadline);

/*
 * The depths of a sweep: 1, and on in steps of @factor, up to and with what the device
 * takes (0: not known). Returns how many.
 */
size_t plan_depths(uint32_t device_depth, uint32_t factor,
		   uint32_t ret[SWEEP_DEPTHS_MAX]);

struct sweep_plan {
	uint32_t depths[SWEEP_DEPTHS_MAX];
	size_t n;
	uint32_t factor; /* from one depth to the next */
	unsigned int rounds;
	uint64_t slot_us; /* for one run */
};

/* Fewer depths and one round where time is short. */
void plan_sweep(uint32_t device_depth, uint64_t us, struct sweep_plan *ret);

/* How many rounds of @n runs fit, up to @most, and the time for one run. */
unsigned int plan_rounds(size_t n, unsigned int most, uint64_t us, uint64_t *ret_slot_us);

/*
 * How long to run at @depth, given that @per_second operations are done: more than
 * @slot_us if the disk is slow, up to @stretch times as much. 0 if even that would be
 * over before those in flight are.
 */
uint64_t plan_duration(uint64_t slot_us, unsigned int stretch, uint32_t depth,
		       double per_second);

/* --- session.c ---------------------------------------------------------------------- */

/* A workload to run. */
struct step {
	const struct target *target;
	enum work work;
	enum io_mode mode;
	enum hint hint;
	uint32_t block_kb, depth;
};

/* What came of a step in all rounds. */
struct collected {
	struct point point;
	struct histogram latencies;
};

struct session {
	const struct measure_request *request;
	struct measure_report *report;
	struct watched watched;
	struct target whole, view, own; /* as far as they are open */
	const struct target *reads; /* one of them */
	bool has_view, writes;
	enum io_engine engine; /* of direct reads and writes */
	uint64_t started_us, deadline_us, seed;
	uint64_t until_us; /* of the phase */
	uint64_t read_us; /* of one read, roughly */
	uint32_t block_kb; /* of a random read: 4, or what the disk can */
	char what[64]; /* is being done */
	const struct point *last;
	struct collected *points; /* POINTS_MAX, owned */
	size_t n;
};

/*
 * Runs a step and keeps the point. 1 if it was left out: there is a note, or no time. An
 * error, with the refusal set, ends the measurement; -EINTR if it was stopped.
 */
int session_run(struct session *session, const struct step *step, uint64_t duration_us);

/* When a run through the page cache is to end before its time. */
struct cached_bound {
	uint64_t bytes; /* that were asked for */
	bool (*is_full)(void *context);
	void *context;
};

/* One run, watched. @bound may be NULL. The errors of run_points(). */
int session_run_once(struct session *session, const struct step *step, uint64_t us,
		     const struct cached_bound *bound, struct run *run,
		     struct run_result *ret, unsigned int *ret_limits);

/* session-cached.c: the same through the page cache, which is as before afterwards. */
int session_run_cached(struct session *session, const struct step *step, uint64_t us,
		       struct run *run, struct run_result *ret, unsigned int *ret_limits);

/* Some reads that do not count: wakes the disk, and tells whether io_uring is there. */
int session_warm_up(struct session *session, uint64_t duration_us);

/* Keeps a point that was measured in another way. */
int session_keep(struct session *session, const struct point *point);

void session_show(struct session *session, const char *what);

/* NULL if there is none. */
const struct point *session_find(const struct session *session, const struct step *step);

/* Marks the measurement as one that lacks something. */
void session_lacks(struct session *session);

/* --- phases.c ----------------------------------------------------------------------- */

/* All that is planned, the most useful first. The errors of session_run(). */
int phases_run(struct session *session);

/* --- notes.c ------------------------------------------------------------------------ */

/* A few words: "random reads by mmap with the hint random, depth 4". Returns @buf. */
const char *step_describe(const struct step *step, char *buf, size_t size);

/* One note for each kind of limit that some point met. */
void notes_of_limits(const struct session *session);

/* --- probe.c ------------------------------------------------------------------------ */

/*
 * Reads a few blocks at random. -EOPNOTSUPP if the disk's counters do not show them; with
 * counters that stand still only a note is made. *@ret_us: what one read took.
 */
int probe_direct(const struct target *target, struct watched *watched,
		 unsigned int budget_ms, const atomic_bool *stop,
		 struct measure_report *report, uint64_t *ret_us);
