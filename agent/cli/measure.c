/* SPDX-License-Identifier: MIT */
/*
 * `measure`: one disk, or all of them one after the other. Each point is kept as soon as
 * there is one; what they come to is shown, and published again, in the end.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "base/sysfs.h"
#include "cli/json.h"
#include "cli/measure.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "measure/outset.h"
#include "measure/store.h"

#define TURN_WAIT_MS 60000U /* for another measurement to end */

static atomic_bool stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = true;
}

/* All disks that are measured, and the JSON of them. */
struct run {
	struct json_object *disks; /* NULL: text */
	size_t shown;
	int code;
};

/* One disk while it is measured. */
struct session {
	struct cli *cli;
	const struct measured *measured;
	const struct measure_report *report; /* as the run fills it */
	struct measurement measurement;
	struct measurement fresh; /* this run's points alone */
	struct progress progress;
	int keep_error;
};

static const struct root *store_of(const struct cli *cli)
{
	return cli->store ? cli->store : cli->config;
}

static void begin(struct session *session)
{
	struct measurement *fresh = &session->fresh;
	struct measurement *measurement = &session->measurement;

	memcpy(fresh->medium, session->report->medium, sizeof(fresh->medium));
	fresh->area_kb = session->report->area_kb;
	if (session->measured->identified) {
		store_begin(store_of(session->cli), fresh, measurement);
	} else {
		*measurement = *fresh;
		measurement->n = 0;
	}
}

/* A run without points leaves what was kept before as it was. */
static void finish(struct session *session)
{
	if (session->fresh.n == 0)
		return;
	store_finish(&session->measurement, &session->fresh);
	if (session->measured->identified)
		session->keep_error =
			store_save(store_of(session->cli), &session->measurement, true);
}

static int keep(const struct point *point, void *context)
{
	struct session *session = context;
	int r = measurement_add(&session->fresh, point);

	if (r < 0)
		return r;
	if (session->fresh.n == 1) /* what is read from is known by now */
		begin(session);
	store_add(&session->measurement, point);
	if (session->measured->identified)
		session->keep_error =
			store_save(store_of(session->cli), &session->measurement, false);
	return 0;
}

static void draw(const struct measure_progress *state, void *context)
{
	struct session *session = context;

	progress_draw(&session->progress, state);
}

static int measure(struct session *session, const struct survey *survey,
		   const struct measure_target *target, struct measure_report *ret)
{
	const struct options *options = &session->cli->options;
	uint64_t depth = 0;
	struct measure_request request = {
		.path = target->path,
		.write_folder = target->write_folder,
		.syspath = target->syspath,
		.class = &survey->class,
		.budget_ms = options->budget_s * 1000,
		.no_io_uring = options->threads,
		.stop = &stopped,
		.keep = keep,
		.show = draw,
		.context = session,
	};
	int r = 0;

	if (policy_device_depth(&survey->disk->facts, &survey->class, &depth) &&
	    depth <= UINT32_MAX)
		request.device_depth = (uint32_t)depth;
	session->report = ret;
	session->fresh = session->measured->now;
	begin(session);
	progress_begin(survey_name(survey), options->quiet, &session->progress);
	r = measure_run(&request, ret);
	progress_clear(&session->progress);
	finish(session);
	return r;
}

static int say_failed(const struct survey *survey, const struct measure_report *report,
		      int r)
{
	cli_error("%s: %s", survey_name(survey),
		  *report->refusal ? report->refusal : strerror(-r));
	return code_of_error(r);
}

static int say_not_kept(const struct cli *cli, const struct measure_outcome *outcome)
{
	const struct measured *measured = &outcome->survey->measured;

	if (!measured->identified) {
		cli_error("%s: not kept: nothing tells this disk from others (no WWN, "
			  "serial number or place)",
			  survey_name(outcome->survey));
		return EXIT_CODE_FAILED;
	}
	if (outcome->keep_error == 0)
		return EXIT_CODE_OK;
	cli_error("%s: not kept: %s%s: %s%s", survey_name(outcome->survey),
		  store_of(cli)->prefix, measured->path, strerror(-outcome->keep_error),
		  code_of_error(outcome->keep_error) == EXIT_CODE_NOT_ALLOWED
			  ? " (keeping needs root; --store=FOLDER keeps elsewhere)"
			  : "");
	return code_of_error(outcome->keep_error);
}

static int publish(struct cli *cli, struct survey **survey, bool *ret_published)
{
	_cleanup_close_ int lock = -1;
	int code = writer_lock(cli, survey, &lock);

	if (code == EXIT_CODE_OK)
		code = writer_publish(cli, *survey, NULL);
	if (code == EXIT_CODE_OK) /* loop, ram and zram devices have no record */
		*ret_published = !disk_is_ignored(&(*survey)->disk->facts);
	return code;
}

/* What stands on the disk is advised as the disk is: its record changes, too. */
static int publish_holders(struct cli *cli, const char *syspath)
{
	_cleanup_names_ struct names holders = { 0 };
	int code = EXIT_CODE_OK;

	if (sysfs_block_holders(cli->machine, syspath, &holders) < 0)
		return code;
	for (size_t i = 0; i < holders.n; i++) {
		_cleanup_survey_ struct survey *holder = NULL;
		bool published = false;
		int one = cli_survey(cli, holders.list[i], &holder);

		if (one == EXIT_CODE_OK)
			one = publish(cli, &holder, &published);
		code = worse_code(code, one);
	}
	return code;
}

/* Engines see it only in the record. A store of one's own is for looking at. */
static int publish_again(struct cli *cli, struct survey **survey,
			 struct measure_outcome *outcome)
{
	int code = EXIT_CODE_OK;

	if (!outcome->kept || cli->store || geteuid() != 0 || !root_is_live(cli->machine))
		return code;
	code = writer_copy_measured(cli);
	code = worse_code(code, publish(cli, survey, &outcome->published));
	return worse_code(code, publish_holders(cli, (*survey)->disk->syspath));
}

/* The advice that follows: as it is kept, or as it would be. */
static int look_again(struct cli *cli, struct survey **survey,
		      const struct session *session,
		      const struct measure_outcome *outcome)
{
	struct survey *newer = NULL;
	uint64_t depth = 0;

	if (outcome->kept &&
	    survey_disk(&cli->context, (*survey)->disk->syspath, &newer) == 0) {
		(void)survey_free(*survey);
		*survey = newer;
		return EXIT_CODE_OK;
	}
	(void)policy_device_depth(&(*survey)->disk->facts, &(*survey)->class, &depth);
	advise_measured(&(*survey)->class, &session->measurement, 0, depth,
			&(*survey)->selection.advice);
	return EXIT_CODE_OK;
}

static void show(struct run *run, const struct measure_outcome *outcome)
{
	if (run->disks) {
		(void)json_object_array_add(run->disks, json_from_outcome(outcome));
	} else if (!outcome->cli->options.quiet) {
		if (run->shown++ > 0)
			(void)putchar('\n');
		measure_print(outcome);
	}
}

static int measure_disk(struct cli *cli, struct survey **survey,
			const struct measure_target *target, struct run *run)
{
	struct session *session = calloc(1, sizeof(*session));
	struct measure_report report = { 0 };
	struct measure_outcome outcome = { .cli = cli,
					   .target = target,
					   .report = &report };
	int code = EXIT_CODE_OK;

	if (!session) {
		cli_error("%s", strerror(ENOMEM));
		return EXIT_CODE_FAILED;
	}
	session->cli = cli;
	session->measured = &(*survey)->measured;
	outcome.error = measure(session, *survey, target, &report);
	if (outcome.error < 0)
		code = say_failed(*survey, &report, outcome.error);
	outcome.keep_error = session->keep_error;
	outcome.kept = session->fresh.n > 0 && (*survey)->measured.identified &&
		       session->keep_error == 0;
	outcome.measurement = &session->measurement;
	if (session->fresh.n > 0)
		(void)look_again(cli, survey, session, &outcome);
	code = worse_code(code, publish_again(cli, survey, &outcome));
	outcome.survey = *survey;
	if (session->fresh.n > 0 || run->disks)
		show(run, &outcome);
	if (session->fresh.n > 0)
		code = worse_code(code, say_not_kept(cli, &outcome));
	free(session);
	return report.interrupted ? EXIT_CODE_INTERRUPTED : code;
}

static int plan_disk(struct cli *cli, const struct survey *survey,
		     const struct measure_target *target, struct run *run)
{
	if (run->disks)
		(void)json_object_array_add(run->disks,
					    json_from_measure_plan(cli, survey, target));
	else
		measure_print_plan(cli, survey, target);
	return EXIT_CODE_OK;
}

static int measure_or_plan(struct cli *cli, struct survey **survey,
			   const struct measure_target *target, struct run *run)
{
	return cli->options.dry_run ? plan_disk(cli, *survey, target, run)
				    : measure_disk(cli, survey, target, run);
}

static int measure_one(struct cli *cli, const char *word, struct run *run)
{
	_cleanup_survey_ struct survey *survey = NULL;
	struct measure_target target = { 0 };
	int code = measure_target_find(cli, word, &target);

	if (code == EXIT_CODE_OK)
		code = cli_survey(cli, path_name(target.syspath), &survey);
	return code == EXIT_CODE_OK ? measure_or_plan(cli, &survey, &target, run) : code;
}

static int pass_over(const struct cli *cli, const struct survey *survey, struct run *run,
		     const char *reason)
{
	if (run->disks)
		(void)json_object_array_add(run->disks,
					    json_from_skipped(survey, reason));
	else if (!cli->options.quiet)
		cli_line("%s: passed over: %s", survey_name(survey), reason);
	return EXIT_CODE_OK;
}

static int measure_each(struct cli *cli, struct survey **survey, void *context)
{
	struct measure_target target = { 0 };
	struct run *run = context;
	char reason[128];
	int code = EXIT_CODE_OK;

	if (stopped)
		return EXIT_CODE_INTERRUPTED;
	if (measure_passes_over(cli->machine, (*survey)->disk, &(*survey)->class, reason,
				sizeof(reason)))
		return pass_over(cli, *survey, run, reason);
	if (!(*survey)->measured.identified)
		return pass_over(cli, *survey, run, "nothing tells it from other disks");
	code = measure_target_of_disk(cli, *survey, &target);
	return code == EXIT_CODE_OK ? measure_or_plan(cli, survey, &target, run) : code;
}

static int check_arguments(const struct cli *cli)
{
	const struct options *options = &cli->options;
	bool one = cli->n_args == 1 || (cli->n_args == 0 && options->write);

	if (options->from || options->root) {
		cli_error("measure takes --from and --root with --show only "
			  "(--store=FOLDER "
			  "keeps measurements elsewhere)");
		return EXIT_CODE_USAGE;
	}
	if (options->all && (cli->n_args > 0 || options->write)) {
		cli_error("measure --all takes neither a disk nor --write");
		return EXIT_CODE_USAGE;
	}
	if (!options->all && !one) {
		cli_error("usage: blkadvise measure DISK|FILE|FOLDER, or --write=FOLDER, "
			  "or "
			  "--all, or --show [DISK...]");
		return EXIT_CODE_USAGE;
	}
	return EXIT_CODE_OK;
}

/* One at a time. */
static int wait_for_turn(const struct cli *cli, struct measure_turn *ret)
{
	bool is_root = geteuid() == 0;
	int r = measure_lock(cli->config, is_root, 0, &stopped, ret);

	if (r == -EBUSY) {
		if (!cli->options.quiet)
			cli_error("another measurement is at work: waiting for its end, "
				  "for %u s at most",
				  TURN_WAIT_MS / 1000);
		r = measure_lock(cli->config, is_root, TURN_WAIT_MS, &stopped, ret);
		if (r == 0 && ret->shared < 0)
			cli_error("somebody still holds /sys/block: going on without "
				  "it (if another measurement is at work, each sees the "
				  "other's traffic)");
	}
	if (r == -EBUSY)
		cli_error("another measurement is at work and does not end; two at once "
			  "would measure each other");
	if (r == -EINTR)
		return EXIT_CODE_INTERRUPTED;
	return r < 0 ? EXIT_CODE_FAILED : EXIT_CODE_OK;
}

static int check_moment(const struct cli *cli, struct measure_turn *ret_turn)
{
	if (cli->options.dry_run)
		return EXIT_CODE_OK;
	if (measure_in_event()) {
		cli_error("this is a udev event (ACTION, DEVPATH and SEQNUM are in the "
			  "environment), and none waits for a measurement: start it from "
			  "a unit, or by hand");
		return EXIT_CODE_FAILED;
	}
	return wait_for_turn(cli, ret_turn);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
}

int verb_measure(struct cli *cli)
{
	_cleanup_turn_ struct measure_turn turn = { -1, -1 };
	struct run run = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.show)
		return measure_show_kept(cli);
	code = check_arguments(cli);
	catch_signals();
	if (code == EXIT_CODE_OK)
		code = check_moment(cli, &turn);
	if (code != EXIT_CODE_OK)
		return code;
	if (cli->options.json)
		run.disks = json_object_new_array();
	if (cli->options.all)
		code = cli_each_disk(cli, measure_each, &run);
	else
		code = measure_one(cli, cli->n_args ? cli->args[0] : NULL, &run);
	if (run.disks)
		json_print_list("disks", run.disks, cli->options.dry_run);
	return code;
}
