/* SPDX-License-Identifier: MIT */
/*
 * What the verbs of the command share: options, the roots they read from, disks named by
 * people. A verb shows what the layers below say; it holds no logic of its own.
 */
#pragma once

#include <libudev.h>

#include "survey/survey.h"

/* Exit codes, documented in blkadvise(8). */
enum exit_code {
	EXIT_CODE_OK = 0,
	EXIT_CODE_FAILED = 1, /* something could not be done; the message says what */
	EXIT_CODE_USAGE = 2,
	EXIT_CODE_NO_DISK = 3, /* no such disk, or none under that path */
	EXIT_CODE_NOT_ALLOWED = 4, /* needs root */
	EXIT_CODE_FOUND = 10, /* diagnose, verify: there is something to report */
	EXIT_CODE_INTERRUPTED = 130, /* measure: by a signal; what it had is kept */
};

/* Each option is a bit: for what is given, and for what a verb takes. */
enum {
	OPTION_FROM = 1 << 0,
	OPTION_ROOT = 1 << 1,
	OPTION_RULES = 1 << 2,
	OPTION_JSON = 1 << 3,
	OPTION_DRY_RUN = 1 << 4,
	OPTION_ALL = 1 << 5,
	OPTION_QUIET = 1 << 6,
	OPTION_VERBOSE = 1 << 7,
	OPTION_ENV = 1 << 8,
	OPTION_PREFIX = 1 << 9,
	OPTION_WRITE_ENV = 1 << 10,
	OPTION_RELEASE = 1 << 11,
	OPTION_OUTPUT = 1 << 12,
	OPTION_HELP = 1 << 13,
	OPTION_VERSION = 1 << 14,
	OPTION_SEVERITY = 1 << 15,
	OPTION_DISK = 1 << 16,
	OPTION_KERNEL_LOG = 1 << 17,
	OPTION_SHOW = 1 << 18,
	OPTION_WRITE = 1 << 19,
	OPTION_BUDGET = 1 << 20,
	OPTION_THREADS = 1 << 21,
	OPTION_STORE = 1 << 22,
};

struct options {
	unsigned int given; /* OPTION_* */
	const char *from; /* a capture */
	const char *root; /* a folder that holds a machine's tree */
	const char *rules; /* policy.d and quirks.d of this folder alone */
	const char *output; /* capture */
	const char *prefix; /* advise */
	const char *write_env; /* advise */
	const char *severity; /* diagnose: a word of enum severity, checked */
	const char *kernel_log; /* diagnose: a file */
	const char *write; /* measure: a folder to write in */
	const char *budget; /* measure: seconds, checked */
	const char *store; /* a folder that measurements are kept below instead */
	char **disks; /* --disk; has room for the arguments too; owned */
	size_t n_disks;
	bool json, dry_run, all, quiet, verbose, env, release, show, threads;
	bool help, version;
	unsigned int budget_s; /* of @budget, or the default */
};

/*
 * Fills @ret from the command line; getopt's optind is then at the first word that is no
 * option. EXIT_CODE_OK, or another after a message. Release with options_done(), whatever
 * it returned.
 */
int options_parse(int argc, char **argv, struct options *ret);
void options_done(struct options *options);

/* An option that was given and is not among @known, as "--name"; NULL if none is. */
const char *options_stranger(const struct options *options, unsigned int known);

struct cli {
	struct options options;
	struct root *machine, *config;
	struct root *store; /* of --store, or NULL */
	struct udev *udev;
	struct udev_device *device; /* the last one asked for properties */
	struct properties properties;
	struct context context;
	bool quiet_problems; /* the verb shows them itself, or reads no data files */
	char **args; /* behind the verb; those of --disk before them */
	int n_args;
};

/* Opens roots, reads configuration and data files. Prints what is wrong; an exit code. */
int cli_open(struct cli *cli);
void cli_close(struct cli *cli);

/* Prints the problems of data files from number @first on, unless the verb does it. */
void cli_print_problems(const struct cli *cli, size_t first);

/*
 * Finds the disk that a person named: sda, /dev/sda, /dev/disk/by-id/..., 8:0; a
 * partition leads to its disk. Prints a message if there is none; an exit code.
 */
int cli_find_disk(const struct cli *cli, const char *name, char *buf, size_t size);

/* Whether cli_find_disk() would find it. Prints nothing. */
bool cli_has_disk(const struct cli *cli, const char *name);

/* As cli_find_disk(), and surveys it. */
int cli_survey(const struct cli *cli, const char *name, struct survey **ret);

/*
 * Calls @handler with a survey of each disk named in the arguments, or of all (loop, ram
 * and zram devices only with --all) if none is named. The handler may replace the survey
 * by a newer one, or take it and leave NULL. The worst exit code.
 */
typedef int (*survey_handler)(struct cli *cli, struct survey **survey, void *context);
int cli_each_disk(struct cli *cli, survey_handler handler, void *context);

/* An error to standard error, with the program's name in front. */
void cli_error(const char *format, ...) _printf_(1, 2);

/* A line to standard output, made printable: it may quote a device or a file's name. */
void cli_line(const char *format, ...) _printf_(1, 2);

/* The path of a data or configuration file as a person has to type it. */
const char *cli_file(const struct cli *cli, const char *file, char *buf, size_t size);

/* EXIT_CODE_OK if this verb may change the live machine now, else after a message. */
int cli_require_root(const struct cli *cli);

/* The kernel name of the survey's disk. */
const char *survey_name(const struct survey *survey);

/* Text of a device for a terminal, in a buffer of the caller. */
const char *clean(const char *text, char *buf, size_t size);

/* The worse of two exit codes: failures before findings before success. */
int worse_code(int a, int b);

/* All arguments of `explain` are ids of findings: no disk is looked at. */
bool explains_no_disk(const struct cli *cli);

int verb_list(struct cli *cli);
int verb_show(struct cli *cli);
int verb_explain(struct cli *cli);
int verb_plan(struct cli *cli);
int verb_apply(struct cli *cli);
int verb_restore(struct cli *cli);
int verb_hold(struct cli *cli);
int verb_publish(struct cli *cli);
int verb_advise(struct cli *cli);
int verb_diagnose(struct cli *cli);
int verb_measure(struct cli *cli);
int verb_verify(struct cli *cli);
int verb_capture(struct cli *cli);
