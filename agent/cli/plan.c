/* SPDX-License-Identifier: MIT */
/*
 * The verb plan, and `apply --dry-run`, which is the same but for holds and refusals:
 * these count for events, and `apply` by hand is the owner's word.
 */
#include "cli/plan.h"

#include "cli/json.h"

static void print_change(const struct survey *survey, const struct change *change)
{
	const struct setting *setting = change->setting;

	cli_line("%s: %s %s -> %s%s%s%s [%s]", survey_name(survey),
		 tunable_to_string(change->tunable), change->current, change->target,
		 setting->reason ? "  (" : "", setting->reason ? setting->reason : "",
		 setting->reason ? ")" : "", setting->where);
}

static void print_kept(const struct survey *survey, const struct change *change)
{
	const char *obstacle = change->obstacle, *now = change->explanation;

	cli_line("%s: %s stays %s: %s%s%s%s%s%s", survey_name(survey),
		 tunable_to_string(change->tunable),
		 *change->current ? change->current : "unknown",
		 outcome_to_string(change->outcome), *obstacle ? ", " : "", obstacle,
		 *now ? " (now: " : "", now, *now ? ")" : "");
}

static void print_one(const struct cli *cli, const struct survey *survey,
		      struct tally *tally)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct change *change = &survey->plan.changes[i];
		enum outcome outcome = change->outcome;

		if (tally->outcomes[outcome]++ == 0)
			(void)snprintf(tally->obstacles[outcome],
				       sizeof(tally->obstacles[outcome]), "%s",
				       change->obstacle);
		if (outcome == OUTCOME_CHANGE) {
			print_change(survey, change);
			tally->changes++;
		} else if (cli->options.verbose || outcome == OUTCOME_ADMIN ||
			   outcome == OUTCOME_RIVAL) {
			print_kept(survey, change);
		}
	}
}

void plan_print(const struct cli *cli, const struct survey *survey, struct tally *tally)
{
	tally->disks++;
	print_one(cli, survey, tally);
	for (size_t i = 0; i < survey->n_paths; i++)
		print_one(cli, survey->paths[i], tally);
}

/* Settings that differ and are left alone are of these. */
static const enum outcome kept[] = {
	OUTCOME_OFF,   OUTCOME_HELD,  OUTCOME_REFUSED,   OUTCOME_UNSUPPORTED,
	OUTCOME_RIVAL, OUTCOME_ADMIN, OUTCOME_HANDS_OFF,
};

static size_t count_kept(const struct tally *tally)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		n += tally->outcomes[kept[i]];
	return n;
}

/* "off (FILE:Mode=observe)"; of several kinds "2 off (FILE:...), 1 held (...)". */
static void format_kept(const struct tally *tally, char *buf, size_t size)
{
	size_t n = count_kept(tally), len = 0;

	*buf = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(kept) && len < size; i++) {
		size_t of_kind = tally->outcomes[kept[i]];
		const char *why = tally->obstacles[kept[i]];
		char count[24] = "";

		if (of_kind == 0)
			continue;
		if (of_kind < n)
			(void)snprintf(count, sizeof(count), "%zu ", of_kind);
		len += (size_t)snprintf(buf + len, size - len, "%s%s%s%s%s%s",
					len ? ", " : "", count,
					outcome_to_string(kept[i]), *why ? " (" : "", why,
					*why ? ")" : "");
	}
}

void tally_print(const struct cli *cli, const struct tally *tally)
{
	size_t n = count_kept(tally);
	bool verbose = cli->options.verbose;
	char text[1024];

	if (cli->options.quiet || tally->disks == 0 || tally->changes > 0)
		return;
	if (n == 0) {
		cli_line("nothing to change on %zu disk%s%s", tally->disks,
			 tally->disks == 1 ? "" : "s",
			 verbose ? "" : " (--verbose says why)");
		return;
	}
	format_kept(tally, text, sizeof(text));
	cli_line("%zu setting%s left alone: %s%s", n,
		 n == 1 ? " differs but is" : "s differ but are", text,
		 verbose ? "" : n == 1 ? "; --verbose shows it" :
					 "; --verbose shows them");
}

static int plan_one(struct cli *cli, struct survey **survey, void *context)
{
	plan_print(cli, *survey, context);
	return EXIT_CODE_OK;
}

int verb_plan(struct cli *cli)
{
	struct tally tally = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.json)
		return verb_list(cli);
	code = cli_each_disk(cli, plan_one, &tally);
	tally_print(cli, &tally);
	return code;
}

static int dry_apply_one(struct cli *cli, struct survey **survey, void *context)
{
	survey_plan_as_if_free(&cli->context, *survey);
	return plan_one(cli, survey, context);
}

static void add_changes(const struct survey *survey, struct json_object *array)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct change *change = &survey->plan.changes[i];

		if (change->outcome == OUTCOME_CHANGE)
			(void)json_object_array_add(array,
						    json_from_change(survey, change));
	}
}

static int dry_apply_json(struct cli *cli, struct survey **survey, void *context)
{
	survey_plan_as_if_free(&cli->context, *survey);
	add_changes(*survey, context);
	for (size_t i = 0; i < (*survey)->n_paths; i++)
		add_changes((*survey)->paths[i], context);
	return EXIT_CODE_OK;
}

int plan_dry_apply(struct cli *cli)
{
	struct tally tally = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.json) {
		struct json_object *changes = json_object_new_array();

		code = cli_each_disk(cli, dry_apply_json, changes);
		json_print_list("changes", changes, true);
		return code;
	}
	code = cli_each_disk(cli, dry_apply_one, &tally);
	tally_print(cli, &tally);
	return code;
}
