/* SPDX-License-Identifier: MIT */
/*
 * `advise PATH`: the record for the disk under a file, found by the same library that
 * engines use. Where none is published the advice is worked out on the spot, and said to
 * be. With a capture PATH names a disk.
 */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/snapshot.h"
#include "base/sysfs.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "client/blkadvise.h"

#define ENV_MAX (2 * RECORD_MAX)

static void close_record(struct blkadvise_record **record)
{
	(void)blkadvise_close(*record);
}

/* A prefix that a shell takes as the beginning of a variable's name. */
static bool is_prefix(const char *prefix)
{
	if (*prefix >= '0' && *prefix <= '9')
		return false;
	for (; *prefix; prefix++) {
		bool letter = (*prefix >= 'A' && *prefix <= 'Z') ||
			      (*prefix >= 'a' && *prefix <= 'z');

		if (!letter && *prefix != '_' && !(*prefix >= '0' && *prefix <= '9'))
			return false;
	}
	return true;
}

/* Renames the keys of the record @text to @prefix. */
static int with_prefix(const char *text, const char *prefix, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (const char *line = text; *line;) {
		size_t line_len = strcspn(line, "\n");
		const char *rest = line;
		int n = 0;

		if (strncmp(line, RECORD_PREFIX, strlen(RECORD_PREFIX)) == 0)
			rest += strlen(RECORD_PREFIX);
		n = snprintf(buf + len, size - len, "%s%.*s\n", prefix,
			     (int)(line_len - (size_t)(rest - line)), rest);
		if (n < 0 || (size_t)n >= size - len)
			return -ENOSPC;
		len += (size_t)n;
		line += line_len + (line[line_len] == '\n');
	}
	return 0;
}

static int write_env(const struct cli *cli, const char *text)
{
	const char *path = cli->options.write_env;
	_cleanup_root_ struct root *here = NULL;
	char folder[ROOT_PATH_MAX];
	int r = root_new("", &here);

	if (r == 0 && strlen(path) < sizeof(folder)) {
		strcpy(folder, path);
		if (path_up(folder) && *folder)
			r = folder_make(here, folder);
	}
	if (r == 0)
		r = file_replace(here, path, text, strlen(text), 0644);
	if (r < 0) {
		cli_error("%s: %s", path, strerror(-r));
		return r == -EACCES ? EXIT_CODE_NOT_ALLOWED : EXIT_CODE_FAILED;
	}
	return EXIT_CODE_OK;
}

static int output(const struct cli *cli, const char *text)
{
	const char *prefix = cli->options.prefix ? cli->options.prefix : RECORD_PREFIX;
	char env[ENV_MAX];

	if (!is_prefix(prefix)) {
		cli_error("--prefix=%s: letters, digits and _ only, no digit first",
			  prefix);
		return EXIT_CODE_USAGE;
	}
	if (with_prefix(text, prefix, env, sizeof(env)) < 0) {
		cli_error("--prefix: too long");
		return EXIT_CODE_USAGE;
	}
	if (cli->options.write_env)
		return write_env(cli, env);
	if (cli->options.json)
		json_print(json_from_record(text));
	else
		(void)printf("%s", env);
	return EXIT_CODE_OK;
}

static int advise_computed(const struct cli *cli, const char *syspath)
{
	_cleanup_survey_ struct survey *survey = NULL;
	char text[RECORD_MAX];
	int r = survey_disk(&cli->context, syspath, &survey);

	if (r == 0)
		r = survey_format_record(survey, text, sizeof(text));
	if (r < 0) {
		cli_error("%s: %s", path_name(syspath), strerror(-r));
		return EXIT_CODE_FAILED;
	}
	return output(cli, text);
}

/* A disk without a record: no udev rule, or one that came a moment ago. */
static int advise_unpublished(const struct cli *cli,
			      const struct blkadvise_record *record, int outcome)
{
	unsigned int major = 0, minor = 0;
	char syspath[ROOT_PATH_MAX];

	if (blkadvise_devnum(record, &major, &minor) != BLKADVISE_OK ||
	    sysfs_block_by_devnum(cli->machine, major, minor, syspath,
				  sizeof(syspath)) < 0) {
		cli_error("%s: %s", cli->args[0], blkadvise_strerror(outcome));
		return EXIT_CODE_NO_DISK;
	}
	if (!cli->options.quiet)
		cli_error("%s: %s; worked out just now", path_name(syspath),
			  blkadvise_strerror(outcome));
	return advise_computed(cli, syspath);
}

static int advise_published(const struct cli *cli, const struct blkadvise_record *record)
{
	char devnum[32], text[RECORD_MAX];
	unsigned int major = 0, minor = 0;
	int r = 0;

	(void)blkadvise_devnum(record, &major, &minor);
	(void)snprintf(devnum, sizeof(devnum), "%u:%u", major, minor);
	r = record_read(cli->config, devnum, text, sizeof(text));
	if (r < 0) {
		cli_error("%s" PATH_DISKS "/%s: %s", cli->config->prefix, devnum,
			  strerror(-r));
		return EXIT_CODE_FAILED;
	}
	return output(cli, text);
}

/* No engine starts worse for lack of advice: the file is then empty. */
static int no_advice(const struct cli *cli, int code)
{
	if (cli->options.write_env)
		return worse_code(write_env(cli, ""), EXIT_CODE_OK);
	return code;
}

int verb_advise(struct cli *cli)
{
	_cleanup_(close_record) struct blkadvise_record *record = NULL;
	char syspath[ROOT_PATH_MAX];
	int code = EXIT_CODE_OK;
	int r = 0;

	if (cli->options.json &&
	    (cli->options.given & (OPTION_ENV | OPTION_PREFIX | OPTION_WRITE_ENV))) {
		cli_error("--json excludes --env, --prefix and --write-env");
		return EXIT_CODE_USAGE;
	}
	if (root_is_snapshot(cli->machine)) {
		code = cli_find_disk(cli, cli->args[0], syspath, sizeof(syspath));
		return code == EXIT_CODE_OK ? advise_computed(cli, syspath) : code;
	}
	r = blkadvise_open_path_at(cli->options.root, cli->args[0], &record);
	if (r < 0) {
		cli_error("%s: %s", cli->args[0], strerror(-r));
		return no_advice(cli, EXIT_CODE_NO_DISK);
	}
	if (r == BLKADVISE_OK && !cli->options.store)
		return advise_published(cli, record);
	code = advise_unpublished(cli, record, r);
	return code == EXIT_CODE_NO_DISK ? no_advice(cli, code) : code;
}
