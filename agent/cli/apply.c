/* SPDX-License-Identifier: MIT */
/*
 * The verbs that write tunables: apply, and restore, which takes it back.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "cli/json.h"
#include "cli/plan.h"
#include "cli/writer.h"

struct apply_context {
	const struct cli *cli;
	struct json_object *json; /* array, or NULL */
	struct tally tally; /* of what is left after the writes */
	int code;
	size_t reported;
};

/* What a person wrote by hand belongs to the same log as what events wrote. */
static void log_write(const struct cli *cli, const struct survey *survey,
		      const struct applied *applied)
{
	char line[512];

	if (!root_is_live(cli->machine) || applied->left)
		return;
	applied_format(survey->disk, applied, line, sizeof(line));
	log_system(applied_took(applied) ? LOG_LEVEL_INFO : LOG_LEVEL_WARNING, "%s",
		   line);
}

/* A value that was restored, or would be. */
static void print_value(const struct survey *survey, const struct applied *applied)
{
	const char *name = survey_name(survey);
	const char *tunable = tunable_to_string(applied->tunable);

	if (applied->left)
		cli_line("%s: %s stays %s: changed by somebody since", name, tunable,
			 applied->before);
	else if (strcmp(applied->before, applied->wanted) == 0)
		cli_line("%s: %s is %s already", name, tunable, applied->before);
	else
		cli_line("%s: %s %s -> %s", name, tunable, applied->before,
			 applied->wanted);
}

static void report(const struct survey *survey, const struct applied *applied,
		   void *context)
{
	struct apply_context *apply = context;
	const char *name = survey_name(survey);
	const char *tunable = tunable_to_string(applied->tunable);

	apply->reported++;
	log_write(apply->cli, survey, applied);
	if (apply->json)
		(void)json_object_array_add(apply->json,
					    json_from_applied(survey, applied, true));
	if (!applied->left && applied->error)
		cli_error("%s: %s: writing %s: %s", name, tunable, applied->wanted,
			  strerror(-applied->error));
	else if (!applied->left && !applied_took(applied))
		cli_error("%s: %s: wrote %s, the kernel shows %s", name, tunable,
			  applied->wanted, applied->after);
	else if (!apply->json && !apply->cli->options.quiet)
		print_value(survey, applied);
	if (!applied->left && !applied_took(applied))
		apply->code = worse_code(apply->code, EXIT_CODE_FAILED);
}

static bool any_hold(const struct survey *survey)
{
	char settings[128];
	bool held = survey_holds(survey, settings, sizeof(settings));

	for (size_t i = 0; !held && i < survey->n_paths; i++)
		held = survey_holds(survey->paths[i], settings, sizeof(settings));
	return held;
}

/* `apply` by hand is the owner's word: it ends holds. */
static int end_holds(const struct cli *cli, struct survey **survey)
{
	struct survey *newer = NULL;
	int r = 0;

	if (!any_hold(*survey))
		return 0;
	r = survey_hold(&cli->context, *survey, _TUNABLE_MAX, false);
	if (r == 0)
		r = survey_disk(&cli->context, (*survey)->disk->syspath, &newer);
	if (r < 0)
		return r;
	(void)survey_free(*survey);
	*survey = newer;
	return 0;
}

static int apply_one(struct cli *cli, struct survey **survey, void *context)
{
	struct apply_context *apply = context;
	_cleanup_close_ int lock = -1;
	int code = writer_lock(cli, survey, &lock);
	int r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	r = end_holds(cli, survey);
	if (r == 0)
		r = survey_ask_again(&cli->context, *survey);
	if (r == 0)
		r = survey_apply(&cli->context, survey, TUNABLE_SCHEDULER,
				 TUNABLE_READ_AHEAD_KB, report, apply);
	if (r < 0)
		apply->code = worse_code(apply->code, writer_failed(cli, *survey, r));
	else if (!apply->json && !cli->options.quiet)
		plan_print(cli, *survey, &apply->tally);
	return worse_code(apply->code, writer_publish(cli, *survey, NULL));
}

static int restore_one(struct cli *cli, struct survey **survey, void *context)
{
	struct apply_context *apply = context;
	_cleanup_close_ int lock = -1;
	int code = writer_lock(cli, survey, &lock);
	int r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	r = survey_restore(&cli->context, survey, true, report, apply);
	if (r < 0)
		apply->code = worse_code(apply->code, writer_failed(cli, *survey, r));
	return worse_code(apply->code, writer_publish(cli, *survey, NULL));
}

static void dry_restore_tunable(const struct survey *survey, enum tunable tunable,
				struct apply_context *apply)
{
	const struct tunable_state *memory = &survey->memory.state.tunables[tunable];
	struct applied applied = { .tunable = tunable };

	if (!memory->has_initial || !memory->has_written)
		return;
	apply->reported++;
	strcpy(applied.before, survey->plan.changes[tunable].current);
	strcpy(applied.wanted, memory->initial);
	applied.left = strcmp(applied.before, memory->written) != 0 &&
		       strcmp(applied.before, memory->initial) != 0;
	if (apply->json)
		(void)json_object_array_add(apply->json,
					    json_from_applied(survey, &applied, false));
	else
		print_value(survey, &applied);
}

static int dry_restore_one(struct cli *cli, struct survey **survey, void *context)
{
	if ((*survey)->memory.state.unreadable)
		return writer_failed(cli, *survey, -EBADMSG);
	for (int i = 0; i < _TUNABLE_MAX; i++)
		dry_restore_tunable(*survey, (enum tunable)i, context);
	for (size_t k = 0; k < (*survey)->n_paths; k++) {
		for (int i = 0; i < _TUNABLE_MAX; i++)
			dry_restore_tunable((*survey)->paths[k], (enum tunable)i,
					    context);
	}
	return EXIT_CODE_OK;
}

/* With --json prints the changes. */
static int run(struct cli *cli, survey_handler handler, struct apply_context *apply)
{
	int code = cli->options.dry_run ? EXIT_CODE_OK : cli_require_root(cli);

	if (code != EXIT_CODE_OK)
		return code;
	apply->cli = cli;
	if (cli->options.json)
		apply->json = json_object_new_array();
	code = cli_each_disk(cli, handler, apply);
	if (apply->json)
		json_print_list("changes", apply->json, cli->options.dry_run);
	return code;
}

int verb_apply(struct cli *cli)
{
	struct apply_context apply = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.dry_run)
		return plan_dry_apply(cli);
	code = run(cli, apply_one, &apply);
	if (code != EXIT_CODE_NOT_ALLOWED && code != EXIT_CODE_USAGE)
		code = worse_code(code, writer_copy_measured(cli));
	if (!cli->options.json && apply.reported == 0 && code == EXIT_CODE_OK)
		tally_print(cli, &apply.tally);
	return code;
}

int verb_restore(struct cli *cli)
{
	struct apply_context apply = { 0 };
	bool dry = cli->options.dry_run;
	int code = run(cli, dry ? dry_restore_one : restore_one, &apply);

	if (!cli->options.json && !cli->options.quiet && apply.reported == 0 &&
	    code == EXIT_CODE_OK)
		cli_line("nothing to restore; the disks %s held until `apply`",
			 dry ? "would be" : "are");
	return code;
}
