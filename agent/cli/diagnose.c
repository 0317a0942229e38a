/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with the disks and the machine: surveys with evidence, then a report for
 * a person or JSON with every check. The exit code tells a script whether something was
 * found.
 */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/evidence.h"
#include "cli/json.h"
#include "cli/report.h"

struct session {
	struct survey **surveys; /* owned */
	size_t n;
	struct machine_survey machine; /* if no disk was named */
	struct examined *examined;
	size_t n_examined;
};

static void session_done(struct session *session)
{
	for (size_t i = 0; i < session->n; i++)
		(void)survey_free(session->surveys[i]);
	free(session->surveys);
	free(session->examined);
	machine_survey_done(&session->machine);
}

#define _cleanup_session_ _cleanup_(session_done)

/* Takes the survey, unless the disk was named twice. */
static int keep(struct cli *cli, struct survey **survey, void *context)
{
	struct session *session = context;
	struct survey **more = NULL;

	(void)cli;
	for (size_t i = 0; i < session->n; i++) {
		if (strcmp(session->surveys[i]->disk->syspath,
			   (*survey)->disk->syspath) == 0)
			return EXIT_CODE_OK;
	}
	more = reallocarray(session->surveys, session->n + 1, sizeof(*more));
	if (!more) {
		cli_error("%s", strerror(ENOMEM));
		return EXIT_CODE_FAILED;
	}
	session->surveys = more;
	more[session->n++] = steal(*survey);
	return EXIT_CODE_OK;
}

static void examine(struct session *session, const char *name,
		    const struct disk_facts *facts, const struct diagnosis *diagnosis)
{
	session->examined[session->n_examined++] =
		(struct examined){ name, facts, diagnosis };
}

static int examine_all(struct session *session)
{
	size_t most = 1 + session->n;

	for (size_t i = 0; i < session->n; i++)
		most += session->surveys[i]->n_paths;
	session->examined = calloc(most, sizeof(*session->examined));
	if (!session->examined)
		return -ENOMEM;
	for (size_t i = 0; i < session->n; i++) {
		const struct survey *survey = session->surveys[i];

		examine(session, survey_name(survey), &survey->disk->facts,
			&survey->diagnosis);
		for (size_t k = 0; k < survey->n_paths; k++)
			examine(session, survey_name(survey->paths[k]),
				&survey->paths[k]->disk->facts,
				&survey->paths[k]->diagnosis);
	}
	if (session->machine.machine)
		examine(session, "the machine", &session->machine.machine->facts,
			&session->machine.diagnosis);
	return 0;
}

static bool is_found(const struct session *session, enum severity least)
{
	for (size_t i = 0; i < session->n_examined; i++) {
		for (size_t k = 0; k < _FINDING_MAX; k++) {
			const struct finding *finding =
				&session->examined[i].diagnosis->findings[k];

			if (finding->result == CHECK_FOUND && finding->severity >= least)
				return true;
		}
	}
	return false;
}

static void print_json(const struct session *session)
{
	struct json_object *object = json_object_new_object();
	struct json_object *disks = json_object_new_array();

	if (session->machine.machine) {
		struct json_object *machine = json_object_new_object();

		(void)json_object_object_add(
			machine, "findings",
			json_findings(&session->machine.machine->facts,
				      &session->machine.diagnosis));
		(void)json_object_object_add(object, "machine", machine);
	}
	for (size_t i = 0; i < session->n; i++)
		(void)json_object_array_add(disks, json_from_survey(session->surveys[i]));
	(void)json_object_object_add(object, "disks", disks);
	json_print(object);
}

static int print_report(const struct cli *cli, const struct session *session)
{
	const char *least = cli->options.severity;
	const struct report report = {
		.examined = session->examined,
		.n = session->n_examined,
		.n_disks = session->n,
		.machine = session->machine.machine != NULL,
		.least = least ? (enum severity)severity_from_string(least) :
				 SEVERITY_INFO,
		.verbose = cli->options.verbose,
		.quiet = cli->options.quiet,
	};

	if (session->n == 0 && cli->n_args == 0 && !cli->options.quiet)
		(void)printf("no disks (loop, ram and zram devices: --all)\n");
	return session->n_examined > 0 ? report_print(&report) : 0;
}

int verb_diagnose(struct cli *cli)
{
	_cleanup_session_ struct session session = { 0 };
	const char *least = cli->options.severity;
	size_t problems = cli->context.problems.n;
	int code = cli_add_evidence(cli), r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	cli_print_problems(cli, problems);
	code = cli_each_disk(cli, keep, &session);
	if (cli->n_args == 0)
		r = survey_machine(&cli->context, &session.machine);
	if (r == 0)
		r = examine_all(&session);
	if (r == 0 && cli->options.json)
		print_json(&session);
	else if (r == 0)
		r = print_report(cli, &session);
	if (r < 0) {
		cli_error("%s", strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (is_found(&session, least ? (enum severity)severity_from_string(least) :
				       SEVERITY_WARN))
		code = worse_code(code, EXIT_CODE_FOUND);
	return code;
}
