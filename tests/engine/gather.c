/* SPDX-License-Identifier: MIT */
/*
 * Rows at random. A direct read covers the row with whole blocks, two where it lies on
 * two; the other modes read the row and nothing else. Every row is checked.
 */
#include "gather.h"

#include <stdatomic.h>
#include <string.h>

#include "base/cleanup.h"
#include "flight.h"
#include "table.h"

struct gathering {
	const struct gather *options;
	uint64_t rows; /* to choose from */
	atomic_ullong taken; /* rows that were begun, if they are counted */
};

static bool next_row(void *context, struct read *read)
{
	struct gathering *gathering = context;
	const struct gather *options = gathering->options;
	uint64_t block = options->read_kb * KIB, start = 0, end = 0;

	if (options->rows > 0 && atomic_fetch_add(&gathering->taken, 1) >= options->rows)
		return false;
	read->random = mix(read->random);
	read->row = (uint64_t)(((unsigned __int128)read->random * gathering->rows) >> 64);
	start = read->row * ROW_BYTES;
	end = start + ROW_BYTES;
	if (options->mode == MODE_DIRECT)
		read->offset = start / block * block;
	else
		read->offset = start;
	read->needed = (size_t)(end - read->offset);
	if (options->mode == MODE_DIRECT)
		read->length = (read->needed + block - 1) / block * block;
	else
		read->length = ROW_BYTES;
	return true;
}

static uint64_t check_row(void *context, const struct read *read,
			  const unsigned char *data, size_t length)
{
	const struct gathering *gathering = context;
	uint64_t start = read->row * ROW_BYTES;
	unsigned char row[ROW_BYTES];

	if (gathering->options->whole && gathering->options->mode == MODE_DIRECT)
		return table_check(read->offset, data, length);
	memcpy(row, data + (start - read->offset), ROW_BYTES);
	return table_check(start, row, ROW_BYTES);
}

int prepare_cache(const char *path, const struct gather *gather)
{
	uint64_t length = gather->span_mib > 0 ? gather->span_mib * MIB : UINT64_MAX;
	int r = gather->drop ? file_drop(path) : 0;

	if (r < 0)
		return r;
	return gather->warm ? file_warm(path, length) : 0;
}

static uint64_t seconds_to_ns(double seconds)
{
	return (uint64_t)(seconds * (double)NS_PER_S);
}

/* The rows that lie in the span as a whole. */
static uint64_t rows_in_span(const struct source *source, uint64_t span_mib)
{
	uint64_t rows = span_mib * MIB / ROW_BYTES;

	return rows == 0 || rows > source->rows ? source->rows : rows;
}

static int prefetch(const struct source *source, const struct gather *gather,
		    uint64_t length, double *ret_seconds)
{
	uint64_t start_ns = now_ns();
	int r = 0;

	if (gather->hint != HINT_WILLNEED)
		return 0;
	r = source_prefetch(source, length);
	*ret_seconds = (double)(now_ns() - start_ns) / (double)NS_PER_S;
	return r;
}

/* What is left of the time; a little, so that one read is made, if nothing is. */
static uint64_t time_left(const struct gather *gather, double gone)
{
	if (gather->seconds <= 0)
		return 0;
	return gather->seconds > gone ? seconds_to_ns(gather->seconds - gone) + 1 : 1;
}

static void fill_figures(const struct flight *flight, const struct flight_result *result,
			 struct figures *figures)
{
	figures->engine = flight->engine;
	figures->in_flight = flight->depth;
	figures->rows = figures->reads = result->tally.reads;
	figures->bytes = result->tally.reads * ROW_BYTES;
	figures->bad = result->tally.bad;
	figures->seconds = figures->prefetch_seconds +
			   (double)result->ns / (double)NS_PER_S;
	figures->latencies = result->tally.latencies;
}

int gather_run(const char *path, const struct gather *gather, struct figures *ret)
{
	_cleanup_(source_close) struct source source = SOURCE_NONE;
	struct gathering gathering = { .options = gather };
	struct flight_result result = { 0 };
	struct figures figures = { 0 };
	uint64_t cpu = 0;
	int r = source_open(path, gather->mode, gather->hint, &source);
	struct flight flight = {
		.source = &source,
		.engine = source_engine(gather->mode, gather->engine),
		.depth = gather->depth,
		.room = 2 * gather->read_kb * KIB,
		.seed = gather->seed,
		.context = &gathering,
		.next = next_row,
		.check = check_row,
	};

	if (r < 0)
		return r;
	gathering.rows = rows_in_span(&source, gather->span_mib);
	if (flight.engine == ENGINE_THREADS && gather->threads > 0)
		flight.depth = gather->threads;
	cpu = cpu_ns();
	r = prefetch(&source, gather, gathering.rows * ROW_BYTES,
		     &figures.prefetch_seconds);
	if (r < 0)
		return r;
	flight.limit_ns = time_left(gather, figures.prefetch_seconds);
	r = flight_run(&flight, &result);
	if (r < 0)
		return r;
	figures.cpu_seconds = (double)(cpu_ns() - cpu) / (double)NS_PER_S;
	fill_figures(&flight, &result, &figures);
	*ret = figures;
	return 0;
}
