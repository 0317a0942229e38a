/* SPDX-License-Identifier: MIT */
/*
 * Findings for a person: what is the matter, the evidence, what to do. What could not be
 * checked is said, too, and is not "ok".
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

static void print_evidence(const struct disk_facts *facts, const struct finding *finding)
{
	for (size_t i = 0; i < FINDING_FACTS && finding->evidence[i] != _FACT_MAX; i++) {
		enum fact fact = finding->evidence[i];
		const char *name = fact_to_string(fact);
		char value[FACT_TEXT_MAX], path[ROOT_PATH_MAX];
		bool told = false; /* the path's end is the fact's name */

		if (!facts_format(facts, fact, value, sizeof(value)))
			continue;
		if (!facts_source(facts, fact, path, sizeof(path)))
			(void)snprintf(path, sizeof(path), "%s", name);
		told = strcmp(path_name(path), name) == 0;
		cli_line("      %s = %s%s%s%s", path, value, told ? "" : "   (",
			 told ? "" : name, told ? "" : ")");
	}
}

static void print_finding(const struct survey *survey, const struct finding *finding)
{
	cli_line("%s: %s: %s", survey_name(survey), severity_to_string(finding->severity),
		 finding_id_to_string(finding->id));
	cli_line("    %s", finding->text);
	cli_line("    evidence:");
	print_evidence(&survey->disk->facts, finding);
	cli_line("    remedy: %s", finding->remedy);
}

struct tally {
	size_t disks, found, unknown;
};

static int diagnose_one(struct cli *cli, struct survey **survey, void *context)
{
	struct tally *tally = context;
	int code = EXIT_CODE_OK;

	tally->disks++;
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const struct finding *finding = &(*survey)->diagnosis.findings[i];

		if (finding->result == CHECK_UNKNOWN) {
			tally->unknown++;
			if (cli->options.verbose)
				cli_line("%s: could not check %s: %s is not known",
					 survey_name(*survey),
					 finding_id_to_string(finding->id),
					 fact_to_string(finding->evidence[0]));
		}
		if (finding->result != CHECK_FOUND)
			continue;
		tally->found++;
		print_finding(*survey, finding);
		if (finding->severity != SEVERITY_INFO)
			code = EXIT_CODE_FOUND;
	}
	return code;
}

static int code_of_json(struct cli *cli, struct survey **survey, void *context)
{
	(void)cli;
	(void)json_object_array_add(context, json_from_survey(*survey));
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const struct finding *finding = &(*survey)->diagnosis.findings[i];

		if (finding->result == CHECK_FOUND && finding->severity != SEVERITY_INFO)
			return EXIT_CODE_FOUND;
	}
	return EXIT_CODE_OK;
}

int verb_diagnose(struct cli *cli)
{
	struct tally tally = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.json) {
		struct json_object *disks = json_object_new_array();

		code = cli_each_disk(cli, code_of_json, disks);
		json_print_list("disks", disks, false);
		return code;
	}
	code = cli_each_disk(cli, diagnose_one, &tally);
	if (cli->options.quiet)
		return code;
	if (tally.found == 0 && tally.disks > 0)
		(void)printf("no findings on %zu disk%s\n", tally.disks,
			     tally.disks == 1 ? "" : "s");
	if (tally.unknown > 0 && !cli->options.verbose)
		(void)printf("%zu check%s could not be made (--verbose says why)\n",
			     tally.unknown, tally.unknown == 1 ? "" : "s");
	return code;
}
