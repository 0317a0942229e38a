/* SPDX-License-Identifier: MIT */
/*
 * `measure --show`: what is kept of each disk, and whether it still counts; and what is
 * kept of disks that are not there.
 */
#include <errno.h>
#include <string.h>

#include "cli/json.h"
#include "cli/measure.h"
#include "measure/store.h"

struct showing {
	struct json_object *disks, *absent; /* NULL: text */
	struct names files;		    /* that belong to a disk which is there */
	size_t shown;
};

static bool has_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (strcmp(names->list[i], name) == 0)
			return true;
	}
	return false;
}

static void add_disk(struct json_object *disks, const struct survey *survey)
{
	struct json_object *object = json_object_new_object();
	struct json_object *measurement = json_from_measured(&survey->measured);

	(void)json_object_object_add(object, "name", json_text(survey_name(survey)));
	(void)json_object_object_add(object, "syspath", json_text(survey->disk->syspath));
	if (measurement)
		(void)json_object_object_add(object, "measurement", measurement);
	(void)json_object_array_add(disks, object);
}

static void print_disk(const struct cli *cli, const struct survey *survey,
		       struct showing *showing)
{
	const struct measured *measured = &survey->measured;

	if (showing->shown++ > 0)
		(void)putchar('\n');
	cli_line("%s: %s", survey_name(survey), class_to_string(survey->class.class));
	if (measured->found == -ENOENT)
		cli_line("  never measured");
	measured_print_state(measured, root_is_live(cli->machine), "  ");
	if (measured->found != 0 || measured->of_leaf)
		return;
	measured_print_figures(&measured->kept, measured->stale, "  ");
	cli_line("  kept in %s%s",
		 cli->context.measurements ? cli->context.measurements->prefix : "",
		 measured->path);
	measured_print_table(&measured->kept, measured->stale);
}

static int show_disk(struct cli *cli, struct survey **survey, void *context)
{
	const struct measured *measured = &(*survey)->measured;
	struct showing *showing = context;

	if (measured->identified && measured->found != -ENOENT && !measured->of_leaf)
		(void)names_add(&showing->files, measured->path);
	/* Without a name given, disks that have nothing would only be noise. */
	if (measured->found == -ENOENT && cli->n_args == 0)
		return EXIT_CODE_OK;
	if (showing->disks)
		add_disk(showing->disks, *survey);
	else
		print_disk(cli, *survey, showing);
	return measured->found == 0 || measured->found == -ENOENT ? EXIT_CODE_OK
								  : EXIT_CODE_FAILED;
}

static int print_broken(const struct ini_problems *problems, const char *path, int r)
{
	for (size_t i = 0; i < problems->n; i++)
		cli_error("%s:%u: %s", problems->list[i].file, problems->list[i].line,
			  problems->list[i].text);
	if (problems->n == 0)
		cli_error("%s: %s", path, strerror(-r));
	return EXIT_CODE_FAILED;
}

static void add_absent(struct json_object *absent, const struct measurement *kept,
		       const char *path)
{
	struct json_object *object = json_from_measurement(kept, NULL, 0);

	(void)json_object_object_add(object, "path", json_text(path));
	(void)json_object_array_add(absent, object);
}

static void print_absent(const struct measurement *kept, const char *path,
			 const char *prefix, struct showing *showing)
{
	const struct measured_identity *identity = &kept->identity;
	bool serial = *identity->serial, wwn = *identity->wwn;

	if (showing->shown++ > 0)
		(void)putchar('\n');
	cli_line("not here now: %s%s%s%s%s%s%s",
		 *identity->model ? identity->model : identity->class,
		 serial ? ", serial " : "", identity->serial, wwn ? ", WWN " : "",
		 identity->wwn, *identity->place ? ", at " : "", identity->place);
	measured_print_figures(kept, 0, "  ");
	cli_line("  kept in %s%s", prefix, path);
	measured_print_table(kept, 0);
}

static int show_absent(const struct root *root, const char *path, struct showing *showing)
{
	_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
	_cleanup_free_ struct measurement *kept = calloc(1, sizeof(*kept));
	int r = kept ? measurement_load_file(root, path, &problems, kept) : -ENOMEM;

	if (r < 0)
		return print_broken(&problems, path, r);
	if (showing->absent)
		add_absent(showing->absent, kept, path);
	else
		print_absent(kept, path, root->prefix, showing);
	return EXIT_CODE_OK;
}

/* The files of disks that are not there: old ones, ones at another place, broken ones. */
static int show_rest(const struct cli *cli, struct showing *showing)
{
	const struct root *root = cli->context.measurements;
	_cleanup_names_ struct names all = { 0 };
	int code = EXIT_CODE_OK;
	int r = root ? store_list(root, &all) : 0;

	if (r < 0) {
		cli_error("%s" PATH_MEASUREMENTS ": %s", root->prefix, strerror(-r));
		return EXIT_CODE_FAILED;
	}
	for (size_t i = 0; i < all.n; i++) {
		if (!has_name(&showing->files, all.list[i]))
			code = worse_code(code, show_absent(root, all.list[i], showing));
	}
	return code;
}

static int check_options(const struct cli *cli)
{
	const unsigned int measuring =
		OPTION_WRITE | OPTION_BUDGET | OPTION_THREADS | OPTION_DRY_RUN;

	if (!(cli->options.given & measuring))
		return EXIT_CODE_OK;
	cli_error("measure --show measures nothing: it takes none of --write, --budget, "
		  "--threads and --dry-run");
	return EXIT_CODE_USAGE;
}

int measure_show_kept(struct cli *cli)
{
	struct showing showing = { 0 };
	int code = check_options(cli);

	if (code != EXIT_CODE_OK)
		return code;
	if (cli->options.json) {
		showing.disks = json_object_new_array();
		showing.absent = json_object_new_array();
	}
	code = cli_each_disk(cli, show_disk, &showing);
	if (cli->n_args == 0)
		code = worse_code(code, show_rest(cli, &showing));
	if (showing.disks)
		json_print_measured(showing.disks, showing.absent);
	else if (showing.shown == 0 && code == EXIT_CODE_OK && !cli->options.quiet)
		cli_line("nothing was measured (`blkadvise measure DISK` does it)");
	names_done(&showing.files);
	return code;
}
