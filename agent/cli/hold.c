/* SPDX-License-Identifier: MIT */
/*
 * The verbs that write no tunable: hold keeps events from writing, publish writes
 * records.
 */
#include <errno.h>
#include <string.h>

#include "base/paths.h"
#include "cli/json.h"
#include "cli/writer.h"

static void print_hold(const struct cli *cli, const struct survey *survey)
{
	const char *setting = cli->n_args > 1 ? cli->args[1] : NULL;
	bool dry = cli->options.dry_run, held = !cli->options.release;
	struct json_object *disks = NULL;

	if (cli->options.json) {
		disks = json_object_new_array();
		(void)json_object_array_add(disks, json_from_hold(survey, setting, held));
		json_print_list("disks", disks, dry);
	} else if (!cli->options.quiet) {
		cli_line("%s: %s %s%s", survey_name(survey),
			 setting ? setting : "all settings", dry ? "would be " : "",
			 held ? "held, until the next boot (Apply=no in a policy file "
				"holds for good)" :
				"released");
	}
}

/* What `hold DISK SETTING` names: _TUNABLE_MAX for the whole disk, negative if wrong. */
static int named_tunable(const struct cli *cli)
{
	char known[128] = "";
	size_t len = 0;
	int tunable = (int)_TUNABLE_MAX;

	if (cli->n_args > 1)
		tunable = tunable_from_string(cli->args[1]);
	if (tunable >= 0 && cli->n_args <= 2)
		return tunable;
	for (size_t i = 0; i < _TUNABLE_MAX && len < sizeof(known); i++)
		len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s",
					len ? ", " : "",
					tunable_to_string((enum tunable)i));
	cli_error("hold takes one disk, and one of its settings (%s): %s is none", known,
		  tunable < 0 ? cli->args[1] : cli->args[2]);
	return -EINVAL;
}

int verb_hold(struct cli *cli)
{
	_cleanup_survey_ struct survey *survey = NULL;
	_cleanup_close_ int lock = -1;
	int tunable = named_tunable(cli);
	int code = EXIT_CODE_USAGE, r = 0;

	if (tunable < 0)
		return code;
	code = cli->options.dry_run ? EXIT_CODE_OK : cli_require_root(cli);
	if (code == EXIT_CODE_OK)
		code = cli_survey(cli, cli->args[0], &survey);
	if (code == EXIT_CODE_OK && !cli->options.dry_run)
		code = writer_lock(cli, &survey, &lock);
	if (code != EXIT_CODE_OK)
		return code;
	if (!cli->options.dry_run)
		r = survey_hold(&cli->context, survey, (enum tunable)tunable,
				!cli->options.release);
	if (r < 0)
		return writer_failed(cli, survey, r);
	print_hold(cli, survey);
	return EXIT_CODE_OK;
}

/* Under the disk's lock, so that what was read first does not replace a newer record. */
static int publish_locked(struct cli *cli, struct survey **survey, bool *ret_written)
{
	_cleanup_close_ int lock = -1;
	int code = writer_lock(cli, survey, &lock);

	return code == EXIT_CODE_OK ? writer_publish(cli, *survey, ret_written) : code;
}

static int publish_one(struct cli *cli, struct survey **survey, void *context)
{
	struct json_object *disks = context;
	bool dry = cli->options.dry_run, written = false;
	char text[RECORD_MAX];
	int code = EXIT_CODE_OK;

	if (!facts_known(&(*survey)->disk->facts, FACT_DEV))
		return EXIT_CODE_OK; /* a hidden path device: it has no record */
	if (!dry)
		code = publish_locked(cli, survey, &written);
	if (code != EXIT_CODE_OK ||
	    survey_format_record(*survey, text, sizeof(text)) < 0)
		return code;
	if (disks)
		(void)json_object_array_add(disks,
					    json_from_published(*survey, !dry, written,
								text));
	else if (dry)
		(void)printf("%s\n", text);
	return EXIT_CODE_OK;
}

/* Takes away what disks that are gone have left behind. */
static int withdraw(const struct cli *cli, struct json_object *withdrawn)
{
	_cleanup_names_ struct names gone = { 0 };
	bool dry = cli->options.dry_run;
	int r = survey_sweep_records(&cli->context, dry, &gone);

	for (size_t i = 0; i < gone.n; i++) {
		if (withdrawn)
			(void)json_object_array_add(withdrawn, json_text(gone.list[i]));
		else if (!cli->options.quiet)
			cli_line("%s: the disk is gone, its record %s", gone.list[i],
				 dry ? "would be withdrawn" : "is withdrawn");
	}
	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("%s" PATH_DISKS ": %s", cli->config->prefix, strerror(-r));
	return code_of_error(r);
}

int verb_publish(struct cli *cli)
{
	struct json_object *disks = NULL, *withdrawn = NULL;
	int code = cli->options.dry_run ? EXIT_CODE_OK : cli_require_root(cli);
	int copied = EXIT_CODE_OK;

	if (code != EXIT_CODE_OK)
		return code;
	if (cli->options.json) {
		disks = json_object_new_array();
		withdrawn = json_object_new_array();
	}
	if (!cli->options.dry_run)
		copied = writer_copy_measured(cli);
	code = worse_code(copied, cli_each_disk(cli, publish_one, disks));
	if (cli->n_args == 0)
		code = worse_code(code, withdraw(cli, withdrawn));
	if (disks)
		json_print_published(disks, withdrawn, cli->options.dry_run);
	return code;
}
