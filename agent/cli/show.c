/* SPDX-License-Identifier: MIT */
/*
 * One disk at length: its record and its facts.
 */
#include "cli/show.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/measure.h"

void show_fact(const struct disk_facts *facts, enum fact fact, const char *indent)
{
	char value[FACT_TEXT_MAX] = "", path[ROOT_PATH_MAX];
	const char *quirk = facts_corrected_by(facts, fact);
	bool known = facts_format(facts, fact, value, sizeof(value));
	bool placed = quirk || facts_source(facts, fact, path, sizeof(path));

	cli_line("%s%s %s%s%s%s%s%s", indent, fact_to_string(fact),
		 known ? "= " : "unknown", known ? value : "", placed ? "   (" : "",
		 quirk ? "corrected by " : "", quirk ? quirk : (placed ? path : ""),
		 placed ? ")" : "");
}

static void print_facts(const struct disk_facts *facts)
{
	for (int i = 0; i < _FACT_MAX; i++) {
		if (facts_known(facts, (enum fact)i) ||
		    facts_corrected_by(facts, (enum fact)i))
			show_fact(facts, (enum fact)i, "    ");
	}
}

static void print_record(const struct survey *survey)
{
	char text[RECORD_MAX];

	if (survey_format_record(survey, text, sizeof(text)) < 0) {
		(void)printf("    none: the device has no device number\n");
		return;
	}
	for (char *line = text, *end = NULL; *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		cli_line("    %s", line);
	}
}

static void print_measured(const struct survey *survey)
{
	const struct measured *measured = &survey->measured;

	if (measured->found == -ENOENT)
		return;
	(void)printf("  measured\n");
	measured_print_state(measured, false, "    ");
	if (measured->found == 0)
		measured_print_figures(&measured->kept, measured->stale, "    ");
}

void show_head(const struct survey *survey, bool *first)
{
	if (!*first)
		cli_line("%s", "");
	*first = false;
	cli_line("%s", survey_name(survey));
}

static int show_one(struct cli *cli, struct survey **survey, void *context)
{
	show_head(*survey, context);
	(void)printf("  record\n");
	print_record(*survey);
	print_measured(*survey);
	if (cli->options.verbose) {
		(void)printf("  facts\n");
		print_facts(&(*survey)->disk->facts);
	} else {
		cli_line("  (facts: --verbose; reasons: `blkadvise explain %s`)",
			 survey_name(*survey));
	}
	return EXIT_CODE_OK;
}

int verb_show(struct cli *cli)
{
	bool first = true;

	return cli->options.json ? verb_list(cli) : cli_each_disk(cli, show_one, &first);
}
