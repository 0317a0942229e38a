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
	char value[FACT_TEXT_MAX], safe[FACT_TEXT_MAX], path[ROOT_PATH_MAX];
	const char *quirk = facts_corrected_by(facts, fact);
	bool known = facts_format(facts, fact, value, sizeof(value));

	(void)printf("%s%s %s", indent, fact_to_string(fact), known ? "= " : "unknown");
	if (known)
		(void)printf("%s", clean(value, safe, sizeof(safe)));
	if (quirk)
		(void)printf("   (corrected by %s)", quirk);
	else if (facts_source(facts, fact, path, sizeof(path)))
		(void)printf("   (%s)", path);
	(void)printf("\n");
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
		(void)printf("    %s\n", line);
	}
}

static int show_one(struct cli *cli, struct survey **survey, void *context)
{
	bool *first = context;

	(void)printf("%s%s\n", *first ? "" : "\n", survey_name(*survey));
	*first = false;
	(void)printf("  record\n");
	print_record(*survey);
	if (cli->options.verbose) {
		(void)printf("  facts\n");
		print_facts(&(*survey)->disk->facts);
	} else {
		(void)printf("  (facts: --verbose; reasons: `blkadvise explain %s`)\n",
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

	(void)printf("  class %s, transport %s, medium %s, attachment %s, NCQ %s%s\n",
		     class_to_string(class->class), transport_to_string(class->transport),
		     medium_to_string(class->medium),
		     attachment_to_string(class->attachment), ncq_to_string(class->ncq),
		     class->confident ? "" : " (low confidence)");
	for (size_t i = 0; i < class->n_reasons; i++) {
		const struct reason *reason = &class->reasons[i];

		(void)printf("    %s: %s\n", topic_to_string(reason->topic),
			     reason->text);
		for (size_t k = 0; k < REASON_FACTS && reason->facts[k] != _FACT_MAX; k++)
			print_fact(&survey->disk->facts, reason->facts[k], "      ");
	}
}

static void explain_change(const struct change *change)
{
	(void)printf("    %s: %s", tunable_to_string(change->tunable),
		     *change->current ? change->current : "unknown");
	if (change->outcome == OUTCOME_CHANGE)
		(void)printf(" -> %s", change->target);
	(void)printf("  [%s; by %s]\n", outcome_to_string(change->outcome),
		     owner_to_string(change->owner));
	if (*change->explanation)
		(void)printf("      now: %s\n", change->explanation);
	if (*change->obstacle)
		(void)printf("      not touched: %s\n", change->obstacle);
	if (!change->setting)
		return;
	(void)printf("      wanted: %s (%s)\n", change->setting->value,
		     change->setting->where);
	if (change->setting->reason)
		(void)printf("      because: %s\n", change->setting->reason);
	if (change->setting->source)
		(void)printf("      source: %s\n", change->setting->source);
}

static void explain_advice(const struct advice *advice)
{
	char text[24];

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		const char *value =
			advice_format(advice, (enum advice_key)i, text, sizeof(text));

		if (value)
			(void)printf("    %s = %s   (%s)\n",
				     advice_key_to_string((enum advice_key)i), value,
				     advice->where[i]);
	}
}

static int explain_one(struct cli *cli, struct survey **survey, void *context)
{
	bool *first = context;
	const struct selection *selection = &(*survey)->selection;

	(void)cli;
	(void)printf("%s%s\n", *first ? "" : "\n", survey_name(*survey));
	*first = false;
	explain_class(*survey);
	(void)printf("  settings, profile %s%s%s%s\n", selection->profile,
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
