/* SPDX-License-Identifier: MIT */
/*
 * A table in order: whoever is free takes the next block. With the hint willneed one more
 * thread runs ahead and asks for the file.
 */
#include "gather.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/cleanup.h"
#include "flight.h"
#include "table.h"

struct scanning {
	uint64_t length; /* bytes of the file to scan */
	uint64_t block;
	atomic_ullong next; /* offset */
	atomic_ullong checked; /* bytes */
};

static bool next_block(void *context, struct read *read)
{
	struct scanning *scanning = context;
	uint64_t offset = atomic_fetch_add(&scanning->next, scanning->block);

	if (offset >= scanning->length)
		return false;
	read->offset = offset;
	read->length = (size_t)scanning->block;
	read->needed = read->length;
	if (scanning->length - offset < read->needed)
		read->needed = (size_t)(scanning->length - offset);
	return true;
}

/* A row on two blocks that is wrong in both counts twice. */
static uint64_t check_block(void *context, const struct read *read,
			    const unsigned char *data, size_t length)
{
	struct scanning *scanning = context;

	(void)length;
	(void)atomic_fetch_add(&scanning->checked, read->needed);
	return table_check(read->offset, data, read->needed);
}

struct ahead {
	const struct source *source;
	uint64_t length;
	pthread_t thread;
	bool running;
	double seconds;
	int result;
};

static void *ahead_main(void *data)
{
	struct ahead *ahead = data;
	uint64_t start_ns = now_ns();

	ahead->result = source_prefetch(ahead->source, ahead->length);
	ahead->seconds = (double)(now_ns() - start_ns) / (double)NS_PER_S;
	return NULL;
}

static int ahead_start(struct ahead *ahead)
{
	int r = -pthread_create(&ahead->thread, NULL, ahead_main, ahead);

	ahead->running = r == 0;
	return r;
}

static void ahead_join(struct ahead *ahead)
{
	if (ahead->running)
		(void)pthread_join(ahead->thread, NULL);
	ahead->running = false;
}

static int scan_blocks(const struct gather *scan, const struct flight *flight,
		       struct scanning *scanning, struct figures *figures)
{
	_cleanup_(ahead_join) struct ahead ahead = {
		.source = flight->source, .length = scanning->length
	};
	struct flight_result result = { 0 };
	uint64_t cpu = cpu_ns(), start_ns = now_ns();
	int r = scan->hint == HINT_WILLNEED ? ahead_start(&ahead) : 0;

	if (r < 0)
		return r;
	r = flight_run(flight, &result);
	ahead_join(&ahead);
	if (r < 0 || ahead.result < 0)
		return r < 0 ? r : ahead.result;
	figures->seconds = (double)(now_ns() - start_ns) / (double)NS_PER_S;
	figures->prefetch_seconds = ahead.seconds;
	figures->cpu_seconds = (double)(cpu_ns() - cpu) / (double)NS_PER_S;
	figures->reads = result.tally.reads;
	figures->bad = result.tally.bad;
	figures->latencies = result.tally.latencies;
	return 0;
}

int scan_run(const char *path, const struct gather *scan, struct figures *ret)
{
	_cleanup_(source_close) struct source source = SOURCE_NONE;
	struct scanning scanning = { .block = scan->read_kb * KIB };
	struct figures figures = { 0 };
	int r = source_open(path, scan->mode, scan->hint, &source);
	struct flight flight = {
		.source = &source,
		.engine = source_engine(scan->mode, scan->engine),
		.depth = scan->depth,
		.room = scan->read_kb * KIB,
		.context = &scanning,
		.next = next_block,
		.check = check_block,
	};

	if (r < 0)
		return r;
	scanning.length = source.size;
	if (scan->span_mib > 0 && scan->span_mib * MIB < source.size)
		scanning.length = scan->span_mib * MIB;
	if (flight.engine == ENGINE_THREADS && scan->threads > 0)
		flight.depth = scan->threads;
	r = scan_blocks(scan, &flight, &scanning, &figures);
	if (r < 0)
		return r;
	figures.engine = flight.engine;
	figures.in_flight = flight.depth;
	figures.bytes = scanning.checked;
	figures.rows = scanning.checked / ROW_BYTES;
	*ret = figures;
	return 0;
}
