/* SPDX-License-Identifier: MIT */
/*
 * With threads: each has one read in flight, by pread(2) or by touching the mapping.
 */
#include "flight.h"

#include <errno.h>
#include <stdatomic.h>

#include "base/cleanup.h"
#include "table.h"

#define DIRECT_ALIGNMENT 4096

struct worker {
	struct read read;
	struct tally tally;
};

struct crew {
	const struct flight *flight;
	struct worker *workers;
	uint64_t start_ns;
	atomic_bool failed; /* one has; the others stop */
};

unsigned char *aligned_buffer(size_t size)
{
	size_t units = (size + DIRECT_ALIGNMENT - 1) / DIRECT_ALIGNMENT;

	return aligned_alloc(DIRECT_ALIGNMENT, units * DIRECT_ALIGNMENT);
}

/* Bytes that were read, with where they are; a mapping is read by who looks at it. */
static ssize_t read_once(const struct source *source, const struct read *read,
			 const unsigned char **ret_data)
{
	uint64_t rest = source->size - read->offset;
	ssize_t n = 0;

	if (source->map) {
		*ret_data = source->map + read->offset;
		return (ssize_t)(read->length < rest ? read->length : rest);
	}
	n = pread(source->fd, read->buf, read->length, (off_t)read->offset);
	*ret_data = read->buf;
	return n < 0 ? -errno : n;
}

static int worker_loop(struct crew *crew, struct worker *worker)
{
	const struct flight *flight = crew->flight;
	struct read *read = &worker->read;
	struct tally *tally = &worker->tally;
	uint64_t end_ns = flight->limit_ns ? crew->start_ns + flight->limit_ns :
					     UINT64_MAX;
	uint64_t now = now_ns();

	/* One is always read, so that a short time gives a result too. */
	while (!crew->failed && (now < end_ns || tally->reads == 0) &&
	       flight->next(flight->context, read)) {
		const unsigned char *data = NULL;
		ssize_t n = read_once(flight->source, read, &data);

		if (n < 0)
			return (int)n;
		if ((size_t)n < read->needed)
			return -EIO;
		read->started_ns = now;
		tally->bad += flight->check(flight->context, read, data, (size_t)n);
		tally->reads++;
		now = now_ns();
		latencies_add(&tally->latencies, now - read->started_ns);
	}
	return 0;
}

static int worker_run(void *context, unsigned int index)
{
	struct crew *crew = context;
	int r = worker_loop(crew, &crew->workers[index]);

	if (r < 0)
		crew->failed = true;
	return r;
}

static void workers_free(struct crew *crew)
{
	for (unsigned int i = 0; crew->workers && i < crew->flight->depth; i++)
		free(crew->workers[i].read.buf);
	free(crew->workers);
}

int flight_run(const struct flight *flight, struct flight_result *ret)
{
	_cleanup_(workers_free) struct crew crew = { .flight = flight };
	struct flight_result result = { 0 };
	int r = 0;

	if (flight->engine == ENGINE_URING)
		return flight_run_uring(flight, ret);
	crew.workers = calloc(flight->depth, sizeof(*crew.workers));
	if (!crew.workers)
		return -ENOMEM;
	for (unsigned int i = 0; i < flight->depth; i++) {
		crew.workers[i].read.random = mix(mix(flight->seed) + i);
		crew.workers[i].read.buf = aligned_buffer(flight->room);
		if (!crew.workers[i].read.buf)
			return -ENOMEM;
	}
	r = threads_run(flight->depth, worker_run, &crew, &crew.start_ns);
	if (r < 0)
		return r;
	result.ns = now_ns() - crew.start_ns;
	for (unsigned int i = 0; i < flight->depth; i++) {
		const struct tally *tally = &crew.workers[i].tally;

		latencies_merge(&result.tally.latencies, &tally->latencies);
		result.tally.reads += tally->reads;
		result.tally.bad += tally->bad;
	}
	*ret = result;
	return 0;
}
