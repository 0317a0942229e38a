/* SPDX-License-Identifier: MIT */
/*
 * `verify` reads data files as the agent does and prints every problem with file and
 * line. Without arguments it checks all files that are in force.
 */
#include <errno.h>
#include <string.h>

#include "base/paths.h"
#include "base/snapshot.h"
#include "cli/cli.h"
#include "cli/json.h"

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), suffix_len = strlen(suffix);

	return len > suffix_len && strcmp(name + len - suffix_len, suffix) == 0;
}

static int verify_capture(const char *path, struct ini_problems *problems)
{
	_cleanup_root_ struct root *root = NULL;
	struct snapshot_error error = { 0 };
	int r = snapshot_open(path, &root, &error);

	if (error.reason)
		return ini_problem_add(problems, path, error.line, "%s", error.reason);
	return r;
}

/* The kind of a file is told by its name. */
static int verify_file(const struct root *root, const char *path,
		       struct ini_problems *problems)
{
	if (has_suffix(path, SUFFIX_POLICY)) {
		_cleanup_policy_ struct policy *policy = NULL;

		return policy_load_file(root, path, problems, &policy);
	}
	if (has_suffix(path, SUFFIX_QUIRKS)) {
		_cleanup_quirks_ struct quirks *quirks = NULL;

		return quirks_load_file(root, path, problems, &quirks);
	}
	if (has_suffix(path, ".conf")) {
		struct config config;

		return config_load_file(root, path, problems, &config);
	}
	if (has_suffix(path, ".capture"))
		return verify_capture(path, problems);
	return ini_problem_add(problems, path, 0,
			       "not a .policy, .quirks, .conf or .capture file");
}

static struct json_object *problem_json(const struct ini_problem *problem,
					const char *file)
{
	struct json_object *object = json_object_new_object();

	(void)json_object_object_add(object, "file", json_text(file));
	if (problem->line)
		(void)json_object_object_add(object, "line",
					     json_object_new_int64(problem->line));
	(void)json_object_object_add(object, "text", json_text(problem->text));
	return object;
}

/* @problems are of files that were named, or of those in force. */
static void print_problems(const struct cli *cli, const struct ini_problems *problems)
{
	struct json_object *array = cli->options.json ? json_object_new_array() : NULL;

	for (size_t i = 0; i < problems->n; i++) {
		const struct ini_problem *problem = &problems->list[i];
		const char *file = problem->file;
		char path[ROOT_PATH_MAX], line[16] = "";

		if (cli->n_args == 0)
			file = cli_file(cli, file, path, sizeof(path));
		if (problem->line > 0) /* 0: the whole file */
			(void)snprintf(line, sizeof(line), ":%u", problem->line);
		if (array)
			(void)json_object_array_add(array, problem_json(problem, file));
		else
			cli_line("%s%s: %s", file, line, problem->text);
	}
	if (array)
		json_print(array);
}

int verb_verify(struct cli *cli)
{
	struct ini_problems problems = { 0 };
	_cleanup_root_ struct root *here = NULL;
	const struct ini_problems *found = &problems;
	int code = EXIT_CODE_OK;

	if (root_new("", &here) < 0)
		return EXIT_CODE_FAILED;
	for (int i = 0; i < cli->n_args; i++) {
		int r = verify_file(here, cli->args[i], &problems);

		if (r < 0) {
			cli_error("%s: %s", cli->args[i], strerror(-r));
			code = EXIT_CODE_FAILED;
		}
	}
	if (cli->n_args == 0) {
		if (context_add_controllers(&cli->context, cli->options.rules) < 0)
			return EXIT_CODE_FAILED;
		found = &cli->context.problems;
	}
	print_problems(cli, found);
	if (found->n > 0)
		code = worse_code(code, EXIT_CODE_FOUND);
	else if (code == EXIT_CODE_OK && !cli->options.json && !cli->options.quiet)
		(void)printf("no problems\n");
	ini_problems_done(&problems);
	return code;
}
