/* SPDX-License-Identifier: MIT */
/*
 * What came of measuring one disk: the points, what they come to, what stood in the way,
 * the advice that follows, and where it is kept.
 */
#include <inttypes.h>
#include <string.h>

#include "base/paths.h"
#include "cli/json.h"
#include "cli/measure.h"
#include "cli/terminal.h"

static const char *kept_file(const struct cli *cli, const struct survey *survey,
			     char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s%s",
		       cli->store ? cli->store->prefix : cli->config->prefix,
		       survey->measured.path);
	return buf;
}

static void print_head(const struct measure_outcome *outcome)
{
	const struct survey *survey = outcome->survey;
	const struct measure_report *report = outcome->report;
	const struct measure_target *target = outcome->target;

	cli_line("%s: %s, read through %s (%s, %" PRIu64 " MB of it)%s%s%s",
		 survey_name(survey), class_to_string(survey->class.class), target->path,
		 report->medium, report->area_kb / 1024,
		 target->write_folder ? ", written in " : "",
		 target->write_folder ? target->write_folder : "",
		 report->interrupted  ? ": interrupted"
		 : outcome->error < 0 ? ": ended by an error"
		 : report->complete   ? ""
				      : ": not all points fitted into the budget");
}

static void print_notes(const struct measure_report *report)
{
	struct terminal terminal = { 0 };

	terminal_open(&terminal);
	for (size_t i = 0; i < report->n_notes; i++) {
		char text[MEASURE_MESSAGE_MAX + 2];

		(void)snprintf(text, sizeof(text), ": %s", report->notes[i]);
		terminal_print(&terminal, COLOUR_YELLOW, "note", 6, text);
	}
}

/* The key has a reason, and the same value and reason as @other if that is not itself. */
static bool is_alike(const struct advice *advice, size_t key, size_t other)
{
	return advice->known[key] && *advice->why[key] &&
	       advice_key_type((enum advice_key)key) ==
		       advice_key_type((enum advice_key)other) &&
	       advice->value[key] == advice->value[other] &&
	       strcmp(advice->why[key], advice->why[other]) == 0;
}

/* What stands on the same ground is one entry, at the first of its keys. */
static void print_alike(const struct advice *advice, size_t key)
{
	char text[24], keys[512] = "";
	const char *value =
		advice_format(advice, (enum advice_key)key, text, sizeof(text));
	size_t len = 0;

	for (size_t i = 0; i < key; i++) {
		if (is_alike(advice, i, key))
			return;
	}
	for (size_t i = key; i < _ADVICE_MAX && len < sizeof(keys); i++) {
		if (is_alike(advice, i, key))
			len += (size_t)snprintf(keys + len, sizeof(keys) - len, "%s%s",
						len ? ", " : "",
						advice_key_to_string((enum advice_key)i));
	}
	cli_line("  %s = %s", keys, value);
	cli_line("    because: %s", advice->why[key]);
}

void measure_print_advice(const struct advice *advice)
{
	size_t n = 0;

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		if (!advice->known[i] || !*advice->why[i])
			continue;
		if (n++ == 0)
			cli_line("advice that follows");
		print_alike(advice, i);
	}
	if (n == 0)
		cli_line("no advice follows: what the class says stays");
}

static void print_end(const struct measure_outcome *outcome)
{
	const struct survey *survey = outcome->survey;
	char file[ROOT_PATH_MAX];

	if (outcome->kept)
		cli_line("kept in %s",
			 kept_file(outcome->cli, survey, file, sizeof(file)));
	if (outcome->published)
		cli_line("published in " PATH_DISKS "/%s",
			 facts_text(&survey->disk->facts, FACT_DEV));
	else if (outcome->kept && !outcome->cli->store)
		cli_line("not published: `blkadvise publish %s` as root does it",
			 survey_name(survey));
}

void measure_print(const struct measure_outcome *outcome)
{
	print_head(outcome);
	measured_print_table(outcome->measurement, 0);
	measured_print_figures(outcome->measurement, 0, "");
	print_notes(outcome->report);
	measure_print_advice(&outcome->survey->selection.advice);
	print_end(outcome);
}

static void add_text(struct json_object *object, const char *key, const char *text)
{
	if (text && *text)
		(void)json_object_object_add(object, key, json_text(text));
}

static void add_flag(struct json_object *object, const char *key, bool value)
{
	(void)json_object_object_add(object, key, json_object_new_boolean(value));
}

static struct json_object *json_head(const struct survey *survey,
				     const struct measure_target *target)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "name", survey_name(survey));
	add_text(object, "devnum", facts_text(&survey->disk->facts, FACT_DEV));
	add_text(object, "syspath", survey->disk->syspath);
	if (!target)
		return object;
	add_text(object, "target", target->path);
	add_text(object, "write_folder", target->write_folder);
	return object;
}

static struct json_object *json_notes(const struct measure_report *report)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < report->n_notes; i++)
		(void)json_object_array_add(array, json_text(report->notes[i]));
	return array;
}

struct json_object *json_from_outcome(const struct measure_outcome *outcome)
{
	const struct measure_report *report = outcome->report;
	struct json_object *object = json_head(outcome->survey, outcome->target);
	char file[ROOT_PATH_MAX];

	add_text(object, "refusal", report->refusal);
	if (outcome->error < 0)
		add_text(object, "error", strerror(-outcome->error));
	add_text(object, "medium", report->medium);
	(void)json_object_object_add(object, "area_kb",
				     json_object_new_uint64(report->area_kb));
	add_flag(object, "interrupted", report->interrupted);
	add_flag(object, "complete", report->complete);
	(void)json_object_object_add(object, "notes", json_notes(report));
	(void)json_object_object_add(
		object, "measurement",
		json_from_measurement(outcome->measurement, NULL, 0));
	(void)json_object_object_add(
		object, "reasoning",
		json_from_reasoning(&outcome->survey->selection.advice));
	add_flag(object, "kept", outcome->kept);
	if (outcome->kept)
		add_text(object, "path",
			 kept_file(outcome->cli, outcome->survey, file, sizeof(file)));
	add_flag(object, "published", outcome->published);
	return object;
}

void measure_print_plan(const struct cli *cli, const struct survey *survey,
			const struct measure_target *target)
{
	const struct measured *measured = &survey->measured;
	char file[ROOT_PATH_MAX];

	cli_line("%s: would be measured for %u s through %s%s%s", survey_name(survey),
		 cli->options.budget_s, target->path,
		 target->write_folder ? ", with writes to a file without a name in "
				      : ", read only",
		 target->write_folder ? target->write_folder : "");
	if (measured->identified)
		cli_line("  kept in %s%s", kept_file(cli, survey, file, sizeof(file)),
			 measured->found == 0 && measured->stale == 0 &&
					 !measured->of_leaf
				 ? ", beside the points that are there"
				 : "");
	else
		cli_line("  not kept: nothing tells this disk from others");
	if (!measured->of_leaf)
		measured_print_state(measured, root_is_live(cli->machine), "  ");
}

struct json_object *json_from_measure_plan(const struct cli *cli,
					   const struct survey *survey,
					   const struct measure_target *target)
{
	struct json_object *object = json_head(survey, target);
	char file[ROOT_PATH_MAX];

	(void)json_object_object_add(object, "budget_s",
				     json_object_new_uint64(cli->options.budget_s));
	if (survey->measured.identified)
		add_text(object, "path", kept_file(cli, survey, file, sizeof(file)));
	return object;
}

struct json_object *json_from_skipped(const struct survey *survey, const char *reason)
{
	struct json_object *object = json_head(survey, NULL);

	add_text(object, "skipped", reason);
	return object;
}
