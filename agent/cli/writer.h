/* SPDX-License-Identifier: MIT */
/*
 * What the verbs that write have in common: the disk's lock, the record, and messages
 * that name the file.
 */
#pragma once

#include "cli/cli.h"

/* Takes the disk's lock, and looks again: what was read may be old. An exit code. */
int writer_lock(struct cli *cli, struct survey **survey, int *ret_lock);

/* Publishes the survey. Sets @ret_written (may be NULL). An exit code. */
int writer_publish(const struct cli *cli, const struct survey *survey, bool *ret_written);

/*
 * Copies what was measured to where udev's events read it (store_copy()); nothing with a
 * store of one's own. An exit code.
 */
int writer_copy_measured(const struct cli *cli);

/* Says that the disk's memory could not be kept because of @r. An exit code. */
int writer_failed(const struct cli *cli, const struct survey *survey, int r);

/* An error's exit code: some are a matter of privileges. */
int code_of_error(int r);

/*
 * Whether anything is held of the disk. @ret_settings: "" for the whole disk, else the
 * names of settings.
 */
bool survey_holds(const struct survey *survey, char *ret_settings, size_t size);
