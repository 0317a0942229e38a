/* SPDX-License-Identifier: MIT */
/*
 * Locks, records, and what went wrong with them.
 */
#include "cli/writer.h"

#include <errno.h>
#include <string.h>

#include "base/paths.h"
#include "measure/store.h"

#define LOCK_WAIT_MS 10000

int code_of_error(int r)
{
	return r == -EACCES || r == -EPERM ? EXIT_CODE_NOT_ALLOWED : EXIT_CODE_FAILED;
}

static const char *error_text(int r)
{
	switch (r) {
	case -ETIMEDOUT:
		return "another writer is at work on this disk";
	case -EBADMSG:
		return "this file makes no sense; without it the values from before "
		       "blkadvise are not known";
	default:
		return strerror(-r);
	}
}

int writer_failed(const struct cli *cli, const struct survey *survey, int r)
{
	char key[64] = "";

	if (r == -ENOENT || r == -ENODEV)
		cli_error("%s: went away", survey_name(survey));
	else if (r == -ENODATA)
		cli_error("%s: a value cannot be read, so it was left as it is",
			  survey_name(survey));
	else if (r == -ENOMEM || !state_key(survey->disk, key, sizeof(key)))
		cli_error("%s: %s", survey_name(survey), strerror(-r));
	else
		cli_error("%s: %s" PATH_STATE "/%s: %s", survey_name(survey),
			  cli->config->prefix, key, error_text(r));
	return code_of_error(r);
}

int writer_lock(struct cli *cli, struct survey **survey, int *ret_lock)
{
	struct survey *newer = NULL;
	char key[64];
	int r = 0;

	if (!state_key((*survey)->disk, key, sizeof(key))) {
		cli_error("%s: has neither a device number nor a usable name",
			  survey_name(*survey));
		return EXIT_CODE_FAILED;
	}
	r = state_lock(cli->config, key, LOCK_WAIT_MS, ret_lock);
	if (r < 0) {
		cli_error("%s: %s" PATH_STATE "/%s.lock: %s", survey_name(*survey),
			  cli->config->prefix, key, error_text(r));
		return code_of_error(r);
	}
	r = survey_disk(&cli->context, (*survey)->disk->syspath, &newer);
	if (r < 0)
		return writer_failed(cli, *survey, r);
	(void)survey_free(*survey);
	*survey = newer;
	r = survey_settle(&cli->context, *survey);
	return r < 0 ? writer_failed(cli, *survey, r) : EXIT_CODE_OK;
}

int writer_copy_measured(const struct cli *cli)
{
	int r = cli->store ? 0 : store_copy(cli->config);

	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("%s" PATH_MEASUREMENTS_COPIES ": %s (the next event of a disk "
		  "publishes without what was measured)",
		  cli->config->prefix, strerror(-r));
	return code_of_error(r);
}

int writer_publish(const struct cli *cli, const struct survey *survey, bool *ret_written)
{
	const char *devnum = facts_text(&survey->disk->facts, FACT_DEV);
	int r = survey_publish(&cli->context, survey);

	if (r < 0 && r != -ENODATA && r != -ENODEV) {
		cli_error("%s: %s" PATH_DISKS "/%s: %s", survey_name(survey),
			  cli->config->prefix, devnum, strerror(-r));
		return code_of_error(r);
	}
	if (ret_written)
		*ret_written = r > 0;
	return EXIT_CODE_OK;
}

bool survey_holds(const struct survey *survey, char *ret_settings, size_t size)
{
	const struct disk_state *state = &survey->memory.state;
	size_t len = 0;

	*ret_settings = '\0';
	for (size_t i = 0; !state->held && i < _TUNABLE_MAX && len < size; i++) {
		if (state->tunables[i].held)
			len += (size_t)snprintf(ret_settings + len, size - len, "%s%s",
						len ? ", " : "",
						tunable_to_string((enum tunable)i));
	}
	return state->held || len > 0;
}
