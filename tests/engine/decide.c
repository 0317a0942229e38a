/* SPDX-License-Identifier: MIT */
/*
 * Two ways to find out by reading, both as engines have them: one gather against a fixed
 * limit, and a gather with every mode and depth.
 */
#include "decide.h"

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"

/* The rule: what direct reads at this depth must give, or the table is mapped. */
#define THRESHOLD_DEPTH 16
#define THRESHOLD_ROWS_PER_S 15000
#define THRESHOLD_SECONDS 0.5

#define PROBE_SECONDS 0.1

const char *const by_words[_BY_MAX] = {
	[BY_THRESHOLD] = "threshold",
	[BY_PROBE] = "probe",
	[BY_RECORD] = "record",
};

const char *const workload_words[_WORKLOAD_MAX] = {
	[WORKLOAD_RANDOM] = "random",
	[WORKLOAD_SCAN] = "scan",
	[WORKLOAD_JOURNAL] = "journal",
};

const char *const fit_words[_FIT_MAX] = {
	[FIT_FITS] = "fits",
	[FIT_EXCEEDS] = "exceeds",
};

static const struct {
	enum io_mode mode;
	enum hint hint;
} arms[] = {
	{ MODE_DIRECT, HINT_NORMAL },
	{ MODE_BUFFERED, HINT_RANDOM },
	{ MODE_MMAP, HINT_RANDOM },
	{ MODE_MMAP, HINT_NORMAL },
};

static const unsigned int probe_depths[] = { 1, 4, 16, 64 };

struct decision decision_default(enum workload workload)
{
	struct decision decision = {
		.mode = MODE_DIRECT,
		.hint = HINT_NORMAL,
		.engine = ENGINE_AUTO,
		.depth = 16,
		.read_kb = 4,
		.from = "default",
	};

	switch (workload) {
	case WORKLOAD_SCAN:
		decision.read_kb = 1024;
		break;
	case WORKLOAD_JOURNAL:
		decision.depth = 1;
		break;
	case WORKLOAD_RANDOM:
	case _WORKLOAD_MAX:
		break;
	}
	return decision;
}

/* Rows per second of a short gather, which is added to @decision's reads. */
static int try_gather(const char *path, const struct gather *gather,
		      struct decision *decision, double *ret_rate)
{
	struct figures figures = { 0 };
	int r = gather_run(path, gather, &figures);

	if (r < 0)
		return r;
	decision->reads += figures.reads;
	*ret_rate = (double)figures.rows / figures.seconds;
	return 0;
}

static int decide_by_threshold(const char *path, const struct question *question,
			       struct decision *decision)
{
	struct gather gather = {
		.mode = MODE_DIRECT,
		.engine = ENGINE_AUTO,
		.depth = THRESHOLD_DEPTH,
		.read_kb = 4,
		.seconds = question->probe_seconds > 0 ? question->probe_seconds :
							 THRESHOLD_SECONDS,
		.seed = question->seed,
	};
	double rate = 0;
	int r = try_gather(path, &gather, decision, &rate);

	if (r < 0 && r != -EOPNOTSUPP)
		return r;
	decision->mode = rate >= THRESHOLD_ROWS_PER_S ? MODE_DIRECT : MODE_MMAP;
	decision->hint = HINT_NORMAL;
	decision->depth = THRESHOLD_DEPTH;
	(void)snprintf(decision->from, sizeof(decision->from),
		       "threshold: %.0f rows/s, limit %d", rate, THRESHOLD_ROWS_PER_S);
	return 0;
}

/* Tries one arm; @*best becomes its rate and @decision the arm if that is the best. */
static int try_arm(const char *path, const struct gather *arm, struct decision *decision,
		   double *best)
{
	double rate = 0;
	int r = try_gather(path, arm, decision, &rate);

	if (r == -EOPNOTSUPP) /* no direct I/O: an arm less */
		return 0;
	if (r < 0 || rate <= *best)
		return r;
	*best = rate;
	decision->mode = arm->mode;
	decision->hint = arm->hint;
	decision->depth = arm->depth;
	return 0;
}

static int decide_by_probe(const char *path, const struct question *question,
			   struct decision *decision)
{
	double best = 0;
	uint64_t seed = question->seed;

	for (size_t i = 0; i < ARRAY_SIZE(arms); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(probe_depths); k++) {
			struct gather gather = {
				.mode = arms[i].mode,
				.hint = arms[i].hint,
				.engine = ENGINE_AUTO,
				.depth = probe_depths[k],
				.read_kb = 4,
				.seconds = question->probe_seconds > 0 ?
						   question->probe_seconds :
						   PROBE_SECONDS,
				.seed = ++seed,
			};
			int r = try_arm(path, &gather, decision, &best);

			if (r < 0)
				return r;
		}
	}
	(void)snprintf(decision->from, sizeof(decision->from), "probe: %.0f rows/s",
		       best);
	return 0;
}

static int decide_unclocked(const char *path, const struct question *question,
			    struct decision *decision)
{
	switch (question->by) {
	case BY_THRESHOLD:
		return decide_by_threshold(path, question, decision);
	case BY_PROBE:
		return decide_by_probe(path, question, decision);
	case BY_RECORD:
		decide_by_record(path, question, decision);
		return 0;
	case _BY_MAX:
		break;
	}
	return -EINVAL;
}

int decide(const char *path, const struct question *question, struct decision *ret)
{
	struct decision decision = decision_default(question->workload);
	uint64_t start_ns = now_ns();
	int r = 0;

	/* What it would read to learn how to write is not there yet. */
	if (question->workload != WORKLOAD_JOURNAL || question->by == BY_RECORD)
		r = decide_unclocked(path, question, &decision);
	if (r < 0)
		return r;
	decision.engine = source_engine(decision.mode, ENGINE_AUTO);
	decision.seconds = (double)(now_ns() - start_ns) / (double)NS_PER_S;
	*ret = decision;
	return 0;
}
