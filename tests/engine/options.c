/* SPDX-License-Identifier: MIT */
/*
 * One table of options, each with the field that it fills in and the numbers that it
 * takes; the verbs look at those that mean something to them.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "flight.h"

const char options_help[] =
	"usage: engine make FILE SIZE_MB\n"
	"       engine gather FILE [--rows N] [--seconds S] [--span-mb M]\n"
	"              [--seed N] [--threads N] [--warm] [--verify] [HOW]\n"
	"       engine scan FILE [--mb M] [--threads N] [HOW]\n"
	"       engine journal FOLDER [--block-kb N] [--depth N] [--seconds S]\n"
	"              [--writes N] [--file-mb M]\n"
	"       engine decide FILE [QUESTION] [--drop] [--warm]\n"
	"       engine run FILE [QUESTION] [--drop] [--warm] [what else the work takes,\n"
	"              but HOW]\n"
	"HOW: --mode direct|buffered|mmap --engine threads|io_uring|auto --depth N\n"
	"     --hint normal|random|sequential|willneed --read-kb N --drop\n"
	"QUESTION: --by threshold|probe|record --workload random|scan|journal\n"
	"     --fit fits|exceeds --root ROOT --probe-seconds S --seed N\n";

enum type {
	TYPE_FLAG, /* bool */
	TYPE_U32,
	TYPE_U64,
	TYPE_SECONDS, /* double */
	TYPE_TEXT,
	TYPE_WORD, /* an enum: unsigned int */
};

struct option_row {
	const char *name;
	enum type type;
	size_t offset; /* in struct options */
	uint64_t min, max, unit; /* of numbers: a multiple of unit */
	const char *const *words;
	unsigned int n_words;
};

#define FIELD(field) offsetof(struct options, field)
#define FLAG(option, field) { option, TYPE_FLAG, FIELD(field), 0, 0, 0, NULL, 0 }
#define NUMBER(option, kind, field, least, most, step) \
	{ option, kind, FIELD(field), least, most, step, NULL, 0 }
#define WORD(option, field, table) \
	{ option, TYPE_WORD, FIELD(field), 0, 0, 0, table, ARRAY_SIZE(table) }

#define MANY (1ULL << 40)

static const struct option_row rows[] = {
	WORD("mode", gather.mode, mode_words),
	WORD("hint", gather.hint, hint_words),
	WORD("engine", gather.engine, engine_words),
	NUMBER("depth", TYPE_U32, gather.depth, 1, DEPTH_MAX, 1),
	NUMBER("threads", TYPE_U32, gather.threads, 1, DEPTH_MAX, 1),
	NUMBER("read-kb", TYPE_U32, gather.read_kb, 4, 16384, 4),
	NUMBER("rows", TYPE_U64, gather.rows, 1, MANY, 1),
	NUMBER("seconds", TYPE_SECONDS, gather.seconds, 0, 86400, 0),
	NUMBER("span-mb", TYPE_U64, gather.span_mib, 1, MANY >> 20, 1),
	NUMBER("mb", TYPE_U64, gather.span_mib, 1, MANY >> 20, 1),
	NUMBER("seed", TYPE_U64, gather.seed, 0, UINT64_MAX, 1),
	FLAG("drop", gather.drop),
	FLAG("warm", gather.warm),
	FLAG("verify", gather.whole),
	NUMBER("block-kb", TYPE_U32, journal.block_kb, 4, 16384, 4),
	NUMBER("writes", TYPE_U64, journal.writes, 1, MANY, 1),
	NUMBER("file-mb", TYPE_U32, journal.file_mib, 1, 65536, 1),
	WORD("by", question.by, by_words),
	WORD("workload", question.workload, workload_words),
	WORD("fit", question.fit, fit_words),
	NUMBER("probe-seconds", TYPE_SECONDS, question.probe_seconds, 0, 86400, 0),
	{ "root", TYPE_TEXT, FIELD(question.root), 0, 0, 0, NULL, 0 },
	FLAG("help", help),
};

static int parse_number(const char *text, uint64_t *ret)
{
	char *end = NULL;
	unsigned long long value = 0;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

static int parse_seconds(const char *text, double max, double *ret)
{
	char *end = NULL;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || !isfinite(value) || value <= 0 || value > max)
		return -EINVAL;
	*ret = value;
	return 0;
}

/* The number of @row in @field, of whatever width. */
static int set_number(const struct option_row *row, const char *text, void *field)
{
	uint64_t value = 0;
	int r = parse_number(text, &value);

	if (r < 0 || value < row->min || value > row->max || value % row->unit != 0)
		return -EINVAL;
	if (row->type == TYPE_U64)
		*(uint64_t *)field = value;
	else
		*(uint32_t *)field = (uint32_t)value;
	return 0;
}

static int set_field(const struct option_row *row, const char *text,
		     struct options *options)
{
	void *field = (char *)options + row->offset;
	int r = 0;

	switch (row->type) {
	case TYPE_FLAG:
		*(bool *)field = true;
		return 0;
	case TYPE_U32:
	case TYPE_U64:
		return set_number(row, text, field);
	case TYPE_SECONDS:
		return parse_seconds(text, (double)row->max, field);
	case TYPE_TEXT:
		*(const char **)field = text;
		return 0;
	case TYPE_WORD:
		r = word_index(row->words, row->n_words, text);
		if (r >= 0)
			*(unsigned int *)field = (unsigned int)r;
		return r < 0 ? r : 0;
	}
	return -EINVAL;
}

static int parse_arguments(int argc, char *argv[], struct options *options)
{
	int n = argc - optind, wanted = 2;
	int r = 0;

	if (options->help)
		return 0;
	if (n > 0 && strcmp(argv[optind], "make") == 0)
		wanted = 3;
	if (n != wanted) {
		fputs(options_help, stderr);
		return -EINVAL;
	}
	options->verb = argv[optind];
	options->path = argv[optind + 1];
	if (wanted == 2)
		return 0;
	r = parse_number(argv[optind + 2], &options->size_mib);
	if (r < 0 || options->size_mib == 0 || options->size_mib > MANY >> 20) {
		fprintf(stderr, "engine: %s: not a size\n", argv[optind + 2]);
		return -EINVAL;
	}
	return 0;
}

/* Options that mean the same to all. */
static void spread(struct options *options)
{
	if (options->gather.rows == 0 && options->journal.writes == 0 &&
	    options->gather.seconds <= 0)
		options->gather.seconds = 5;
	options->journal.depth = options->gather.depth;
	options->journal.seconds = options->gather.seconds;
	options->question.seed = options->gather.seed;
}

int options_parse(int argc, char *argv[], struct options *ret)
{
	struct option longs[ARRAY_SIZE(rows) + 1] = { 0 };
	struct options options = {
		.gather = { .engine = ENGINE_AUTO, .seed = 1 },
		.question = { .by = BY_RECORD, .fit = FIT_EXCEEDS },
	};
	int index = 0, c = 0, r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		longs[i].name = rows[i].name;
		longs[i].has_arg = rows[i].type == TYPE_FLAG ? no_argument :
							       required_argument;
	}
	while ((c = getopt_long(argc, argv, "", longs, &index)) != -1) {
		if (c != 0)
			return -EINVAL; /* getopt has said it */
		r = set_field(&rows[index], optarg, &options);
		if (r < 0) {
			fprintf(stderr, "engine: --%s: not a value: %s\n",
				rows[index].name, optarg);
			return -EINVAL;
		}
	}
	r = parse_arguments(argc, argv, &options);
	if (r < 0)
		return r;
	spread(&options);
	*ret = options;
	return 0;
}
