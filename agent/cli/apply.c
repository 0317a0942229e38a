/* SPDX-License-Identifier: MIT */
/*
 * The verbs that change something: plan shows it, apply does it, restore takes it back,
 * hold keeps it from happening, publish writes records only.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/json.h"

#define LOCK_WAIT_MS 10000

static void print_change(const struct survey *survey, const struct change *change)
{
	(void)printf("%s: %s %s -> %s", survey_name(survey),
		     tunable_to_string(change->tunable), change->current, change->target);
	if (change->setting && change->setting->reason)
		(void)printf("  (%s)", change->setting->reason);
	if (change->setting)
		(void)printf(" [%s]", change->setting->where);
	(void)printf("\n");
}

static void print_kept(const struct survey *survey, const struct change *change)
{
	(void)printf("%s: %s stays %s: %s", survey_name(survey),
		     tunable_to_string(change->tunable),
		     *change->current ? change->current : "unknown",
		     outcome_to_string(change->outcome));
	if (*change->obstacle)
		(void)printf(", %s", change->obstacle);
	if (*change->explanation)
		(void)printf(" (now: %s)", change->explanation);
	(void)printf("\n");
}

struct plan_context {
	size_t disks, changes;
};

static size_t print_plan(const struct cli *cli, const struct survey *survey)
{
	size_t n = 0;

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct change *change = &survey->plan.changes[i];

		if (change->outcome == OUTCOME_CHANGE) {
			print_change(survey, change);
			n++;
		} else if (cli->options.verbose || change->outcome == OUTCOME_ADMIN ||
			   change->outcome == OUTCOME_RIVAL) {
			print_kept(survey, change);
		}
	}
	return n;
}

static int plan_one(struct cli *cli, struct survey **survey, void *context)
{
	struct plan_context *plan = context;

	plan->disks++;
	plan->changes += print_plan(cli, *survey);
	for (size_t i = 0; i < (*survey)->n_paths; i++)
		plan->changes += print_plan(cli, &(*survey)->paths[i]);
	return EXIT_CODE_OK;
}

int verb_plan(struct cli *cli)
{
	struct plan_context plan = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.json)
		return verb_list(cli);
	code = cli_each_disk(cli, plan_one, &plan);
	if (plan.changes == 0 && plan.disks > 0)
		(void)printf("nothing to change on %zu disk%s (--verbose says why)\n",
			     plan.disks, plan.disks == 1 ? "" : "s");
	return code;
}

struct apply_context {
	struct cli *cli;
	struct json_object *json; /* array, or NULL */
	int code;
	size_t written;
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

static void report(const struct survey *survey, const struct applied *applied,
		   void *context)
{
	struct apply_context *apply = context;
	const char *name = survey_name(survey);
	const char *tunable = tunable_to_string(applied->tunable);

	apply->written++;
	log_write(apply->cli, survey, applied);
	if (apply->json)
		(void)json_object_array_add(apply->json,
					    json_from_applied(survey, applied));
	if (applied->left) {
		if (!apply->json && !apply->cli->options.quiet)
			(void)printf("%s: %s stays %s: changed by somebody since\n", name,
				     tunable, applied->before);
		return;
	}
	if (applied->error) {
		cli_error("%s: %s: writing %s: %s", name, tunable, applied->wanted,
			  strerror(-applied->error));
		apply->code = worse_code(apply->code, EXIT_CODE_FAILED);
	} else if (!applied_took(applied)) {
		cli_error("%s: %s: wrote %s, the kernel shows %s", name, tunable,
			  applied->wanted, applied->after);
		apply->code = worse_code(apply->code, EXIT_CODE_FAILED);
	} else if (!apply->json && !apply->cli->options.quiet) {
		(void)printf("%s: %s %s -> %s\n", name, tunable, applied->before,
			     applied->after);
	}
}

/* Takes the disk's lock and looks again: what was read before it may be old. */
static int lock_disk(struct cli *cli, struct survey **survey, int *ret_lock)
{
	struct survey *newer = NULL;
	char key[64];
	int r = state_key((*survey)->disk, key, sizeof(key)) ?
			state_lock(cli->config, key, LOCK_WAIT_MS, ret_lock) :
			-ENODATA;

	if (r == 0)
		r = survey_disk(&cli->context, (*survey)->disk->syspath, &newer);
	if (r < 0) {
		cli_error("%s: %s", survey_name(*survey),
			  r == -ETIMEDOUT ? "another writer is at work on this disk" :
					    strerror(-r));
		return r == -EACCES || r == -EPERM ? EXIT_CODE_NOT_ALLOWED
						   : EXIT_CODE_FAILED;
	}
	(void)survey_free(*survey);
	*survey = newer;
	return EXIT_CODE_OK;
}

static int publish_survey(const struct cli *cli, const struct survey *survey)
{
	int r = survey_publish(&cli->context, survey);

	if (r < 0 && r != -ENODATA) {
		cli_error("%s: cannot write the record: %s", survey_name(survey),
			  strerror(-r));
		return r == -EACCES ? EXIT_CODE_NOT_ALLOWED : EXIT_CODE_FAILED;
	}
	return EXIT_CODE_OK;
}

static int failed(const struct survey *survey, int r)
{
	cli_error("%s: %s", survey_name(survey), strerror(-r));
	return EXIT_CODE_FAILED;
}

/* `apply` by hand is the owner's word: it ends a hold. */
static int end_hold(struct cli *cli, struct survey **survey)
{
	int r = 0;

	if (!(*survey)->memory.state.held)
		return 0;
	r = survey_hold(&cli->context, *survey, _TUNABLE_MAX, false);
	if (r == 0) {
		struct survey *newer = NULL;

		r = survey_disk(&cli->context, (*survey)->disk->syspath, &newer);
		if (r == 0) {
			(void)survey_free(*survey);
			*survey = newer;
		}
	}
	return r;
}

static int apply_one(struct cli *cli, struct survey **survey, void *context)
{
	struct apply_context *apply = context;
	_cleanup_close_ int lock = -1;
	int code = lock_disk(cli, survey, &lock);
	int r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	r = end_hold(cli, survey);
	survey_ask_again(&cli->context, *survey);
	if (r == 0)
		r = survey_apply(&cli->context, survey, TUNABLE_SCHEDULER,
				 TUNABLE_READ_AHEAD_KB, report, apply);
	if (r < 0)
		return failed(*survey, r);
	if (!apply->json && !cli->options.quiet)
		(void)print_plan(cli, *survey); /* what was left alone, and why */
	return worse_code(apply->code, publish_survey(cli, *survey));
}

static int restore_one(struct cli *cli, struct survey **survey, void *context)
{
	struct apply_context *apply = context;
	_cleanup_close_ int lock = -1;
	int code = lock_disk(cli, survey, &lock);
	int r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	r = survey_restore(&cli->context, survey, true, report, apply);
	if (r < 0)
		return failed(*survey, r);
	return worse_code(apply->code, publish_survey(cli, *survey));
}

static int dry_restore_one(struct cli *cli, struct survey **survey, void *context)
{
	struct apply_context *apply = context;

	(void)cli;
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct tunable_state *memory = &(*survey)->memory.state.tunables[i];

		if (!memory->has_initial || !memory->has_written)
			continue;
		apply->written++;
		(void)printf("%s: %s %s -> %s\n", survey_name(*survey),
			     tunable_to_string((enum tunable)i), memory->written,
			     memory->initial);
	}
	return EXIT_CODE_OK;
}

static int run_writer(struct cli *cli, survey_handler handler, const char *nothing)
{
	struct apply_context apply = { .cli = cli };
	int code = cli_require_root(cli);

	if (code != EXIT_CODE_OK)
		return code;
	if (cli->options.json)
		apply.json = json_object_new_array();
	code = cli_each_disk(cli, handler, &apply);
	if (apply.json)
		json_print(apply.json);
	else if (apply.written == 0 && code == EXIT_CODE_OK && !cli->options.quiet)
		(void)printf("%s\n", nothing);
	return code;
}

int verb_apply(struct cli *cli)
{
	if (cli->options.dry_run)
		return verb_plan(cli);
	return run_writer(cli, apply_one, "nothing to change");
}

int verb_restore(struct cli *cli)
{
	struct apply_context apply = { .cli = cli };
	int code = EXIT_CODE_OK;

	if (!cli->options.dry_run)
		return run_writer(cli, restore_one,
				  "nothing to restore; the disks are held until `apply`");
	code = cli_each_disk(cli, dry_restore_one, &apply);
	if (apply.written == 0 && code == EXIT_CODE_OK)
		(void)printf("nothing to restore\n");
	return code;
}

int verb_hold(struct cli *cli)
{
	_cleanup_survey_ struct survey *survey = NULL;
	_cleanup_close_ int lock = -1;
	bool held = !cli->options.release;
	int tunable =
		cli->n_args > 1 ? tunable_from_string(cli->args[1]) : (int)_TUNABLE_MAX;
	int code = cli->options.dry_run ? EXIT_CODE_OK : cli_require_root(cli);
	int r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	if (tunable < 0 || cli->n_args > 2) {
		cli_error("usage: blkadvise hold DISK [scheduler | queue_depth | "
			  "nr_requests | "
			  "max_sectors_kb | read_ahead_kb]");
		return EXIT_CODE_USAGE;
	}
	code = cli_survey(cli, cli->args[0], &survey);
	if (code == EXIT_CODE_OK && !cli->options.dry_run)
		code = lock_disk(cli, &survey, &lock);
	if (code != EXIT_CODE_OK)
		return code;
	if (!cli->options.dry_run)
		r = survey_hold(&cli->context, survey, (enum tunable)tunable, held);
	if (r < 0)
		return failed(survey, r);
	if (!cli->options.quiet)
		(void)printf(
			"%s: %s %s%s\n", survey_name(survey),
			cli->n_args > 1 ? cli->args[1] : "all settings",
			cli->options.dry_run ? "would be " : "",
			held ? "held, until the next boot (Apply=no in a policy file "
			       "holds for good)"
			     : "released");
	return EXIT_CODE_OK;
}

static int publish_one(struct cli *cli, struct survey **survey, void *context)
{
	char text[RECORD_MAX];
	bool *any = context;

	*any = true;
	if (!cli->options.dry_run)
		return publish_survey(cli, *survey);
	if (survey_format_record(*survey, text, sizeof(text)) == 0)
		(void)printf("%s\n", text);
	return EXIT_CODE_OK;
}

int verb_publish(struct cli *cli)
{
	bool any = false;
	int code = cli->options.dry_run ? EXIT_CODE_OK : cli_require_root(cli);

	cli->options.all = false; /* loop, ram and zram devices have no record */
	return code == EXIT_CODE_OK ? cli_each_disk(cli, publish_one, &any) : code;
}
