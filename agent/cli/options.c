/* SPDX-License-Identifier: MIT */
/*
 * The options, each in one row: its name, its letter, its bit, and where in struct
 * options its text or its flag goes.
 */
#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

#define LONG_ONLY 256 /* a row without a letter is this + its number to getopt */

#define FLAG(field) offsetof(struct options, field), false
#define TEXT(field) offsetof(struct options, field), true

static const struct {
	const char *name;
	char letter; /* '\0': none */
	unsigned int bit;
	size_t offset;
	bool is_text;
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
	{ "--help", 'h', OPTION_HELP, FLAG(help) },
	{ "--version", 0, OPTION_VERSION, FLAG(version) },
};

/* The same as getopt_long() wants it. @letters has room for three bytes a row. */
static void make_tables(struct option *names, char *letters)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		names[i] = (struct option){
			.name = rows[i].name + 2,
			.has_arg = rows[i].is_text ? required_argument : no_argument,
			.val = rows[i].letter ? rows[i].letter : LONG_ONLY + (int)i,
		};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].is_text)
			*letters++ = ':';
	}
	names[ARRAY_SIZE(rows)] = (struct option){ 0 };
	*letters = '\0';
}

static void take(struct options *options, size_t row, const char *text)
{
	void *field = (char *)options + rows[row].offset;

	options->given |= rows[row].bit;
	if (rows[row].is_text)
		*(const char **)field = text;
	else
		*(bool *)field = true;
}

int options_parse(int argc, char **argv, struct options *ret)
{
	struct option names[ARRAY_SIZE(rows) + 1];
	char letters[3 * ARRAY_SIZE(rows) + 1];
	int option = 0;

	make_tables(names, letters);
	while ((option = getopt_long(argc, argv, letters, names, NULL)) >= 0) {
		size_t row = 0;

		while (row < ARRAY_SIZE(rows) && names[row].val != option)
			row++;
		if (row == ARRAY_SIZE(rows)) /* '?': getopt has said what is wrong */
			return EXIT_CODE_USAGE;
		take(ret, row, optarg);
	}
	return EXIT_CODE_OK;
}

const char *options_stranger(const struct options *options, unsigned int known)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (options->given & rows[i].bit & ~known)
			return rows[i].name;
	}
	return NULL;
}
