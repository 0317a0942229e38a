/* SPDX-License-Identifier: MIT */
/*
 * The options, each in one row: its name, its letter, its bit, and where in struct
 * options its text or its flag goes. --disk may be given several times and has a list.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "cli/cli.h"
#include "measure/measure.h"

#define BUDGET_MAX_S 600

#define LONG_ONLY 256 /* a row without a letter is this + its number to getopt */

#define FLAG(field) offsetof(struct options, field), TAKES_NOTHING
#define TEXT(field) offsetof(struct options, field), TAKES_TEXT

enum takes {
	TAKES_NOTHING,
	TAKES_TEXT,
	TAKES_DISK, /* the list */
};

static const struct {
	const char *name;
	char letter; /* '\0': none */
	unsigned int bit;
	size_t offset;
	enum takes takes;
} rows[] = {
	{ "--from", 0, OPTION_FROM, TEXT(from) },
	{ "--root", 0, OPTION_ROOT, TEXT(root) },
	{ "--rules", 0, OPTION_RULES, TEXT(rules) },
	{ "--json", 'j', OPTION_JSON, FLAG(json) },
	{ "--dry-run", 'n', OPTION_DRY_RUN, FLAG(dry_run) },
	{ "--all", 'a', OPTION_ALL, FLAG(all) },
	{ "--quiet", 'q', OPTION_QUIET, FLAG(quiet) },
	{ "--verbose", 'v', OPTION_VERBOSE, FLAG(verbose) },
	{ "--env", 0, OPTION_ENV, FLAG(env) },
	{ "--prefix", 0, OPTION_PREFIX, TEXT(prefix) },
	{ "--write-env", 0, OPTION_WRITE_ENV, TEXT(write_env) },
	{ "--release", 0, OPTION_RELEASE, FLAG(release) },
	{ "--output", 'o', OPTION_OUTPUT, TEXT(output) },
	{ "--severity", 0, OPTION_SEVERITY, TEXT(severity) },
	{ "--disk", 0, OPTION_DISK, 0, TAKES_DISK },
	{ "--kernel-log", 0, OPTION_KERNEL_LOG, TEXT(kernel_log) },
	{ "--show", 0, OPTION_SHOW, FLAG(show) },
	{ "--write", 0, OPTION_WRITE, TEXT(write) },
	{ "--budget", 0, OPTION_BUDGET, TEXT(budget) },
	{ "--threads", 0, OPTION_THREADS, FLAG(threads) },
	{ "--store", 0, OPTION_STORE, TEXT(store) },
	{ "--help", 'h', OPTION_HELP, FLAG(help) },
	{ "--version", 0, OPTION_VERSION, FLAG(version) },
};

/* The same as getopt_long() wants it. @letters has room for three bytes a row. */
static void make_tables(struct option *names, char *letters)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		names[i] = (struct option){
			.name = rows[i].name + 2,
			.has_arg = rows[i].takes ? required_argument : no_argument,
			.val = rows[i].letter ? rows[i].letter : LONG_ONLY + (int)i,
		};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].takes)
			*letters++ = ':';
	}
	names[ARRAY_SIZE(rows)] = (struct option){ 0 };
	*letters = '\0';
}

static void take(struct options *options, size_t row, char *text)
{
	void *field = (char *)options + rows[row].offset;

	options->given |= rows[row].bit;
	switch (rows[row].takes) {
	case TAKES_NOTHING:
		*(bool *)field = true;
		break;
	case TAKES_TEXT:
		*(const char **)field = text;
		break;
	case TAKES_DISK:
		options->disks[options->n_disks++] = text;
		break;
	}
}

static int check_values(struct options *options)
{
	uint64_t budget = MEASURE_BUDGET_MS / 1000;

	if (options->severity && severity_from_string(options->severity) < 0) {
		cli_error("--severity=%s: info, warn or error", options->severity);
		return EXIT_CODE_USAGE;
	}
	if (options->budget && (parse_u64(options->budget, &budget) < 0 || budget < 1 ||
				budget > BUDGET_MAX_S)) {
		cli_error("--budget=%s: seconds, from 1 to %d", options->budget,
			  BUDGET_MAX_S);
		return EXIT_CODE_USAGE;
	}
	options->budget_s = (unsigned int)budget;
	return EXIT_CODE_OK;
}

int options_parse(int argc, char **argv, struct options *ret)
{
	struct option names[ARRAY_SIZE(rows) + 1];
	char letters[3 * ARRAY_SIZE(rows) + 1];
	int option = 0;

	ret->disks = calloc((size_t)argc + 1, sizeof(*ret->disks));
	if (!ret->disks) {
		cli_error("%s", strerror(ENOMEM));
		return EXIT_CODE_FAILED;
	}
	make_tables(names, letters);
	while ((option = getopt_long(argc, argv, letters, names, NULL)) >= 0) {
		size_t row = 0;

		while (row < ARRAY_SIZE(rows) && names[row].val != option)
			row++;
		if (row == ARRAY_SIZE(rows)) /* '?': getopt has said what is wrong */
			return EXIT_CODE_USAGE;
		take(ret, row, optarg);
	}
	return check_values(ret);
}

void options_done(struct options *options)
{
	free(options->disks);
	options->disks = NULL;
}

const char *options_stranger(const struct options *options, unsigned int known)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (options->given & rows[i].bit & ~known)
			return rows[i].name;
	}
	return NULL;
}
