/* SPDX-License-Identifier: MIT */
/*
 * One run of a workload: looks whether it may be done at all, lets an engine keep the
 * depth for the time given, and makes the figures. An operation belongs to the run if it
 * was completed before the deadline, but the latencies are those of all that were begun:
 * leaving out what was still in flight would leave out the slow ones first.
 */
#include "measure/runner.h"

#include <errno.h>

#include "base/cleanup.h"

bool run_writes(const struct run *run)
{
	switch (run->work) {
	case WORK_RANDOM_READ:
	case WORK_SEQUENTIAL_READ:
		return false;
	case WORK_RANDOM_WRITE:
	case WORK_SEQUENTIAL_WRITE:
	case WORK_JOURNAL_WRITE:
	case _WORK_MAX:
		break;
	}
	return true;
}

int run_fd(const struct run *run)
{
	if (run->work == WORK_JOURNAL_WRITE)
		return run->target->dsync_fd;
	return run->mode == IO_MODE_DIRECT ? run->target->direct_fd :
					     run->target->cached_fd;
}

void runner_nap(void)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	(void)nanosleep(&nap, NULL);
}

void tally_add(struct tally *tally, const struct span *span, uint64_t began,
	       uint64_t ended)
{
	histogram_add(&tally->latencies, (ended - began + 500) / 1000);
	if (ended <= span->deadline) {
		tally->counted++;
		if (ended > tally->last)
			tally->last = ended;
	} else {
		tally->late++;
		if (ended > tally->latest)
			tally->latest = ended;
	}
}

void tally_merge(struct tally *into, const struct tally *from)
{
	into->counted += from->counted;
	into->late += from->late;
	if (from->last > into->last)
		into->last = from->last;
	if (from->latest > into->latest)
		into->latest = from->latest;
	if (from->cpu_ns > into->cpu_ns)
		into->cpu_ns = from->cpu_ns;
	into->cpu_all_ns += from->cpu_all_ns;
	histogram_merge(&into->latencies, &from->latencies);
}

/*
 * The run ends with the last operation that counts: what the slow disk has done of the
 * next ones must not count as idle time. But a disk that had stood still for long when
 * the deadline came is not to look fast: then it ends there.
 */
static void result_make(const struct run *run, const struct span *span,
			const struct tally *tally, struct run_result *ret)
{
	uint64_t n = tally->counted, end = tally->last;
	double mean_ns = 0;

	if (n == 0) {
		/* Slower than the run was long: all that was waited for. */
		n = tally->late;
		end = tally->latest;
	} else {
		mean_ns = (double)(end - span->start) * run->depth / (double)n;
		if ((double)(span->deadline - end) > 2 * mean_ns)
			end = span->deadline;
	}
	ret->operations = n;
	ret->duration_us = (end - span->start + 500) / 1000;
	if (ret->duration_us == 0)
		ret->duration_us = 1;
	ret->latencies = tally->latencies;
	ret->cpu_us = tally->cpu_ns / 1000;
	ret->cpu_all_us = tally->cpu_all_ns / 1000;
}

static int check(const struct run *run)
{
	uint64_t size = (uint64_t)run->block_kb * 1024;

	if (run->depth == 0 || size == 0 || size > 1U << 30)
		return -EINVAL;
	if (!run_writes(run))
		return run->mode == IO_MODE_DIRECT && run->target->alignment > 0 &&
				       size % run->target->alignment != 0 ?
			       -EINVAL :
			       0;
	if (!run->target->own)
		return -EPERM;
	return run->mode == IO_MODE_DIRECT ? 0 : -EINVAL;
}

int run_points(const struct run *run, struct run_result *ret)
{
	_cleanup_(buffers_free) struct buffers buffers = { 0 };
	_cleanup_free_ struct tally *tally = NULL;
	_cleanup_(order_end) struct order order = { 0 };
	struct span span = { 0 };
	int r = check(run);

	if (r == 0)
		r = order_begin(run, &order);
	if (r == 0)
		r = buffers_make(run, &buffers);
	if (r < 0)
		return r;
	tally = calloc(1, sizeof(*tally));
	if (!tally)
		return -ENOMEM;
	if (run->engine == IO_ENGINE_IO_URING && run->mode == IO_MODE_DIRECT)
		r = uring_run(run, &order, &buffers, &span, tally);
	else
		r = threads_run(run, &order, &buffers, &span, tally);
	if (r < 0)
		return r;
	result_make(run, &span, tally, ret);
	return 0;
}
