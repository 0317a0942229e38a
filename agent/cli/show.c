/* SPDX-License-Identifier: MIT */
/*
 * One disk at length: `show` prints facts and the record, `explain` each decision with
 * the facts behind it and the file and line it comes from.
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

/* "  rotational = 1   (/sys/.../queue/rotational)" */
static void print_fact(const struct disk_facts *facts, enum fact fact, const char *indent)
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
			print_fact(facts, (enum fact)i, "    ");
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

/* The disk's name, behind an empty line for all but the first. */
static void print_head(const struct survey *survey, bool *first)
{
	if (!*first)
		cli_line("%s", "");
	*first = false;
	cli_line("%s", survey_name(survey));
}

static int show_one(struct cli *cli, struct survey **survey, void *context)
{
	print_head(*survey, context);
	(void)printf("  record\n");
	print_record(*survey);
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

static void explain_class(const struct survey *survey)
{
	const struct disk_class *class = &survey->class;

	cli_line("  class %s, transport %s, medium %s, attachment %s, NCQ %s%s",
		 class_to_string(class->class), transport_to_string(class->transport),
		 medium_to_string(class->medium), attachment_to_string(class->attachment),
		 ncq_to_string(class->ncq), class->confident ? "" : " (low confidence)");
	for (size_t i = 0; i < class->n_reasons; i++) {
		const struct reason *reason = &class->reasons[i];

		cli_line("    %s: %s", topic_to_string(reason->topic), reason->text);
		for (size_t k = 0; k < REASON_FACTS && reason->facts[k] != _FACT_MAX; k++)
			print_fact(&survey->disk->facts, reason->facts[k], "      ");
	}
}

static void explain_change(const struct change *change)
{
	bool changes = change->outcome == OUTCOME_CHANGE;

	cli_line("    %s: %s%s%s  [%s; by %s]", tunable_to_string(change->tunable),
		 *change->current ? change->current : "unknown", changes ? " -> " : "",
		 changes ? change->target : "", outcome_to_string(change->outcome),
		 owner_to_string(change->owner));
	if (*change->explanation)
		cli_line("      now: %s", change->explanation);
	if (*change->obstacle)
		cli_line("      not touched: %s", change->obstacle);
	if (!change->setting)
		return;
	cli_line("      wanted: %s (%s)", change->setting->value, change->setting->where);
	if (change->setting->reason)
		cli_line("      because: %s", change->setting->reason);
	if (change->setting->source)
		cli_line("      source: %s", change->setting->source);
}

static void explain_advice(const struct advice *advice)
{
	char text[24];

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		enum advice_key key = (enum advice_key)i;
		const char *value = advice_format(advice, key, text, sizeof(text));

		if (value)
			cli_line("    %s = %s   (%s)", advice_key_to_string(key), value,
				 advice->where[i]);
	}
}

static int explain_one(struct cli *cli, struct survey **survey, void *context)
{
	const struct selection *selection = &(*survey)->selection;

	(void)cli;
	print_head(*survey, context);
	explain_class(*survey);
	cli_line("  settings, profile %s%s%s%s", selection->profile,
		 *selection->profile_where ? " (" : "", selection->profile_where,
		 *selection->profile_where ? ")" : "");
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		explain_change(&(*survey)->plan.changes[i]);
	(void)printf("  advice\n");
	explain_advice(&selection->advice);
	return EXIT_CODE_OK;
}

int verb_explain(struct cli *cli)
{
	bool first = true;

	return cli->options.json ? verb_list(cli)
				 : cli_each_disk(cli, explain_one, &first);
}
