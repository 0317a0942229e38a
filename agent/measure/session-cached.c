/* SPDX-License-Identifier: MIT */
/*
 * Runs through the page cache. Whatever is read stays there until it is dropped, and for
 * that a run may not last: once much of the view is in memory, reads are answered from
 * there, and more than the view would push out what others keep in memory. So a run ends
 * when it has brought in its part, by what it has asked for or by what the disk gave.
 */
#include <errno.h>

#include "measure/plan.h"
#include "measure/target.h"

#define FILLED_RANDOM_MAX 250 /* thousandths of the view: then many reads hit the cache */
#define FILLED_SEQUENTIAL_MAX 900 /* then a scan begins anew in the cache */

struct filling {
	const struct session *session;
	const struct target *view;
	struct disk_counters before;
	bool counts; /* the disk does, so that the pages need not be asked for */
	uint64_t bytes; /* that may be brought in */
	uint64_t others; /* bytes that were read for somebody else */
	unsigned int most; /* of the view, in thousandths */
};

/* What the disk has read, but for what was found to be for others. */
static bool bytes_since(const struct filling *filling, uint64_t *ret)
{
	struct disk_counters after = { 0 };

	if (!filling->counts ||
	    watched_counters(&filling->session->watched, &after) < 0)
		return false;
	*ret = (after.read_sectors - filling->before.read_sectors) * 512;
	*ret = *ret > filling->others ? *ret - filling->others : 0;
	return true;
}

/*
 * Thousandths of the view that were brought in. The disk's counters are at hand, and
 * asking for each page takes its time; but they count what others read, too.
 */
static unsigned int filled_now(const struct filling *filling)
{
	uint64_t bytes = 0, by_counters = 0, by_pages = 0;

	if (!bytes_since(filling, &bytes))
		return target_filled(filling->view);
	by_counters = bytes * 1000 / filling->view->usable;
	if (by_counters <= filling->most)
		return (unsigned int)by_counters;
	by_pages = target_filled(filling->view);
	return (unsigned int)(by_pages < by_counters ? by_pages : by_counters);
}

static bool is_full(void *context)
{
	struct filling *filling = context;
	uint64_t bytes = 0, ours = 0;

	if (!bytes_since(filling, &bytes) || bytes < filling->bytes)
		return false;
	ours = target_filled(filling->view) * filling->view->usable / 1000;
	if (ours >= filling->bytes)
		return true;
	filling->others += bytes - ours;
	return false;
}

static bool is_random(enum work work)
{
	return work == WORK_RANDOM_READ || work == WORK_RANDOM_WRITE;
}

static void begin(const struct session *session, const struct step *step,
		  struct filling *ret)
{
	*ret = (struct filling){ .session = session, .view = step->target };
	ret->most = is_random(step->work) ? FILLED_RANDOM_MAX : FILLED_SEQUENTIAL_MAX;
	ret->bytes = ret->view->usable / 1000 * ret->most;
	ret->counts = watched_counters(&session->watched, &ret->before) >= 0;
}

/* A run that has filled more than it should, by readahead, once more and shorter. */
int session_run_cached(struct session *session, const struct step *step, uint64_t us,
		       struct run *run, struct run_result *ret, unsigned int *ret_limits)
{
	unsigned int filled = 0, most = 0;
	int r = 0;

	for (unsigned int tries = 0; tries < 2; tries++) {
		struct filling filling = { 0 };
		struct cached_bound bound = { .is_full = is_full, .context = &filling };

		begin(session, step, &filling);
		bound.bytes = filling.bytes;
		r = session_run_once(session, step, us, &bound, run, ret, ret_limits);
		filled = r < 0 ? 0 : filled_now(&filling);
		most = filling.most + filling.most / 4; /* what was in flight */
		target_drop(step->target);
		if (r < 0 || filled <= most)
			return r;
		us = us < ret->duration_us ? us : ret->duration_us;
		us = us * most / (2ULL * filled);
		/* What is begun is waited for, and may fill as much by itself. */
		if (us < 1000 || us < ret->duration_us * step->depth / ret->operations)
			break;
	}
	if (filled > 2 * FILLED_RANDOM_MAX)
		*ret_limits |= 1U << LIMIT_CACHE;
	return r;
}
