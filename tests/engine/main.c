/* SPDX-License-Identifier: MIT */
/*
 * A data engine as the reports have them, reduced to its reads: it gathers rows, scans,
 * writes a journal, and decides how, in one of three ways. One line of JSON a result.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "options.h"
#include "table.h"

#define DEFAULT_DEPTH 16
#define DEFAULT_GATHER_KB 4
#define DEFAULT_SCAN_KB 1024
#define DEFAULT_JOURNAL_KB 4

/* For -errno of what was tried with @path. */
static int complain(const char *path, int error)
{
	const char *text = strerror(-error);

	if (error == -EOPNOTSUPP)
		text = "the file system has no direct I/O";
	else if (error == -ENODATA)
		text = "there is no row in it";
	fprintf(stderr, "engine: %s: %s\n", path, text);
	return 1;
}

static double per_second(double amount, double seconds)
{
	return seconds > 0 ? amount / seconds : 0;
}

static void print_how(const struct gather *gather, const struct figures *figures)
{
	printf("\"mode\": \"%s\", \"hint\": \"%s\", \"engine\": \"%s\", "
	       "\"depth\": %u, \"in_flight\": %u, \"read_kb\": %u",
	       mode_words[gather->mode], hint_words[gather->hint],
	       engine_words[figures->engine], gather->depth, figures->in_flight,
	       gather->read_kb);
}

static void print_gather(const struct gather *gather, const struct figures *figures)
{
	printf("{\"rows\": %llu, \"seconds\": %.6f, \"rows_per_s\": %.1f, "
	       "\"p50_us\": %.3f, \"p99_us\": %.3f, \"bad\": %llu, \"cpu_s\": %.6f, "
	       "\"prefetch_s\": %.6f, ",
	       (unsigned long long)figures->rows, figures->seconds,
	       per_second((double)figures->rows, figures->seconds),
	       latencies_at(&figures->latencies, 50),
	       latencies_at(&figures->latencies, 99), (unsigned long long)figures->bad,
	       figures->cpu_seconds, figures->prefetch_seconds);
	print_how(gather, figures);
	printf("}");
}

static void print_scan(const struct gather *scan, const struct figures *figures)
{
	double mib = (double)figures->bytes / (double)MIB;

	printf("{\"mb\": %.3f, \"seconds\": %.6f, \"mb_per_s\": %.3f, \"rows\": %llu, "
	       "\"bad\": %llu, \"cpu_s\": %.6f, \"prefetch_s\": %.6f, ",
	       mib, figures->seconds, per_second(mib, figures->seconds),
	       (unsigned long long)figures->rows, (unsigned long long)figures->bad,
	       figures->cpu_seconds, figures->prefetch_seconds);
	print_how(scan, figures);
	printf("}");
}

static void print_journal(const struct journal *journal,
			  const struct journal_figures *figures)
{
	double mib = (double)figures->writes * journal->block_kb / 1024;

	printf("{\"writes\": %llu, \"seconds\": %.6f, \"writes_per_s\": %.1f, "
	       "\"mb_per_s\": %.3f, \"p50_us\": %.3f, \"p99_us\": %.3f, "
	       "\"cpu_s\": %.6f, \"block_kb\": %u, \"depth\": %u, "
	       "\"preallocated\": %s}",
	       (unsigned long long)figures->writes, figures->seconds,
	       per_second((double)figures->writes, figures->seconds),
	       per_second(mib, figures->seconds), latencies_at(&figures->latencies, 50),
	       latencies_at(&figures->latencies, 99), figures->cpu_seconds,
	       journal->block_kb, journal->depth,
	       journal->file_mib > 0 ? "true" : "false");
}

static void print_decision(const struct question *question,
			   const struct decision *decision)
{
	printf("{\"by\": \"%s\", \"workload\": \"%s\", \"fit\": \"%s\", "
	       "\"mode\": \"%s\", \"depth\": %u, \"engine\": \"%s\", \"hint\": \"%s\", "
	       "\"read_kb\": %u, ",
	       by_words[question->by], workload_words[question->workload],
	       fit_words[question->fit], mode_words[decision->mode], decision->depth,
	       engine_words[decision->engine], hint_words[decision->hint],
	       decision->read_kb);
	if (decision->threads > 0)
		printf("\"threads\": %u, ", decision->threads);
	printf("\"seconds\": %.6f, \"reads\": %llu, \"from\": \"%s\"}", decision->seconds,
	       (unsigned long long)decision->reads, decision->from);
}

/* What was decided comes first, if anything was; then the result, on the same line. */
static void print_begin(const struct options *options, const struct decision *decision)
{
	if (!decision)
		return;
	printf("{\"decision\": ");
	print_decision(&options->question, decision);
	printf(", \"result\": ");
}

static void print_end(const struct decision *decision)
{
	puts(decision ? "}" : "");
}

static int do_gather(const struct options *options, const struct decision *decision)
{
	struct gather gather = options->gather;
	struct figures figures = { 0 };
	int r = 0;

	if (gather.depth == 0)
		gather.depth = DEFAULT_DEPTH;
	if (gather.read_kb == 0)
		gather.read_kb = DEFAULT_GATHER_KB;
	r = gather_run(options->path, &gather, &figures);
	if (r < 0)
		return complain(options->path, r);
	print_begin(options, decision);
	print_gather(&gather, &figures);
	print_end(decision);
	return figures.bad > 0;
}

static int do_scan(const struct options *options, const struct decision *decision)
{
	struct gather scan = options->gather;
	struct figures figures = { 0 };
	int r = 0;

	if (scan.depth == 0)
		scan.depth = 1;
	if (scan.read_kb == 0)
		scan.read_kb = DEFAULT_SCAN_KB;
	r = scan_run(options->path, &scan, &figures);
	if (r < 0)
		return complain(options->path, r);
	print_begin(options, decision);
	print_scan(&scan, &figures);
	print_end(decision);
	return figures.bad > 0;
}

static int do_journal(const struct options *options, const struct decision *decision)
{
	struct journal journal = options->journal;
	struct journal_figures figures = { 0 };
	int r = 0;

	if (journal.depth == 0)
		journal.depth = 1;
	if (journal.block_kb == 0)
		journal.block_kb = DEFAULT_JOURNAL_KB;
	r = journal_run(options->path, &journal, &figures);
	if (r < 0)
		return complain(options->path, r);
	print_begin(options, decision);
	print_journal(&journal, &figures);
	print_end(decision);
	return 0;
}

static int verb_make(struct options *options)
{
	uint64_t table_rows = 0;
	int r = table_make(options->path, options->size_mib, &table_rows);

	if (r < 0)
		return complain(options->path, r);
	printf("{\"rows\": %llu, \"bytes\": %llu}\n", (unsigned long long)table_rows,
	       (unsigned long long)table_rows * ROW_BYTES);
	return 0;
}

static int verb_gather(struct options *options)
{
	int r = prepare_cache(options->path, &options->gather);

	return r < 0 ? complain(options->path, r) : do_gather(options, NULL);
}

static int verb_scan(struct options *options)
{
	int r = prepare_cache(options->path, &options->gather);

	return r < 0 ? complain(options->path, r) : do_scan(options, NULL);
}

static int verb_journal(struct options *options)
{
	return do_journal(options, NULL);
}

static int find_decision(const struct options *options, struct decision *ret)
{
	int r = 0;

	if (options->question.workload != WORKLOAD_JOURNAL)
		r = prepare_cache(options->path, &options->gather);
	if (r == 0)
		r = decide(options->path, &options->question, ret);
	return r;
}

static int verb_decide(struct options *options)
{
	struct decision decision;
	int r = find_decision(options, &decision);

	if (r < 0)
		return complain(options->path, r);
	print_decision(&options->question, &decision);
	puts("");
	return 0;
}

static int verb_run(struct options *options)
{
	struct gather *gather = &options->gather;
	struct decision decision;
	int r = find_decision(options, &decision);

	if (r < 0)
		return complain(options->path, r);
	gather->mode = decision.mode;
	gather->hint = decision.hint;
	gather->engine = decision.engine;
	gather->depth = options->journal.depth = decision.depth;
	gather->threads = decision.threads;
	gather->read_kb = options->journal.block_kb = decision.read_kb;
	switch (options->question.workload) {
	case WORKLOAD_RANDOM:
		return do_gather(options, &decision);
	case WORKLOAD_SCAN:
		return do_scan(options, &decision);
	case WORKLOAD_JOURNAL:
		return do_journal(options, &decision);
	case _WORKLOAD_MAX:
		break;
	}
	return 1;
}

static const struct {
	const char *name;
	int (*run)(struct options *options);
} verbs[] = {
	{ "make", verb_make },
	{ "gather", verb_gather },
	{ "scan", verb_scan },
	{ "journal", verb_journal },
	{ "decide", verb_decide },
	{ "run", verb_run },
};

int main(int argc, char *argv[])
{
	struct options options = { 0 };

	if (options_parse(argc, argv, &options) < 0)
		return 1;
	if (options.help) {
		fputs(options_help, stdout);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verbs[i].name, options.verb) == 0)
			return verbs[i].run(&options);
	}
	fprintf(stderr, "engine: %s: no such verb\n%s", options.verb, options_help);
	return 1;
}
