/* SPDX-License-Identifier: MIT */
/*
 * What diagnose needs and only the live machine, or a file that a person names, can give:
 * the kernel log, and the list of an initramfs. Getting them may mean to run a program,
 * which the layers below never do.
 */
#pragma once

#include "cli/cli.h"
#include "cli/run-program.h"

/*
 * Finds the kernel log (--kernel-log, a root's /dev/kmsg, the live kernel's, the journal)
 * and adds evidence to the context. That there is no log is no error; that the file of
 * --kernel-log cannot be read is one. Prints a message then; an exit code.
 */
int cli_add_evidence(struct cli *cli);

/*
 * Hands on the log that cli_add_evidence() would read, as it is, unless the root has one
 * of its own: for `capture`. Errors likewise; an exit code.
 */
int cli_read_kernel_log(const struct cli *cli, output_handler handler, void *context);

/*
 * Whether the initramfs of the running kernel holds ahci: "yes", "no", or NULL for
 * unknown. @context is a struct cli. Runs a program that may take seconds.
 */
const char *cli_ask_initramfs(void *context);
