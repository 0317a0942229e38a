/* SPDX-License-Identifier: MIT */
/*
 * The command for people: options, then one verb.
 */
#include <getopt.h>
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

enum args {
	ARGS_NONE, /* the verb takes no arguments */
	ARGS_DISKS, /* any number of disks; none means all */
	ARGS_ONE, /* exactly one */
	ARGS_SOME, /* one or more */
	ARGS_ANY,
};

#define OPTIONS_ANY (OPTION_FROM | OPTION_ROOT | OPTION_RULES | OPTION_QUIET)
#define OPTIONS_LOOK (OPTIONS_ANY | OPTION_JSON | OPTION_ALL)
#define OPTIONS_SHOW (OPTIONS_LOOK | OPTION_STORE)
#define OPTIONS_WRITE (OPTIONS_ANY | OPTION_JSON | OPTION_DRY_RUN)
#define OPTIONS_DIAGNOSE                                           \
	(OPTIONS_LOOK | OPTION_VERBOSE | OPTION_SEVERITY | OPTION_DISK | \
	 OPTION_KERNEL_LOG)
#define OPTIONS_ADVISE \
	(OPTIONS_ANY | OPTION_JSON | OPTION_ENV | OPTION_PREFIX | OPTION_WRITE_ENV | \
	 OPTION_STORE)
#define OPTIONS_MEASURE                                                     \
	(OPTIONS_SHOW | OPTION_DRY_RUN | OPTION_SHOW | OPTION_WRITE | \
	 OPTION_BUDGET | OPTION_THREADS)

static const struct verb {
	const char *name;
	int (*run)(struct cli *cli);
	enum args args;
	unsigned int options; /* those that it knows */
	const char *usage, *help;
} verbs[] = {
	{ "list", verb_list, ARGS_DISKS, OPTIONS_SHOW, "[DISK...]",
	  "a table of the disks (the default)" },
	{ "show", verb_show, ARGS_DISKS, OPTIONS_SHOW | OPTION_VERBOSE, "[DISK...]",
	  "what a disk is, and its record" },
	{ "explain", verb_explain, ARGS_ANY, OPTIONS_SHOW, "[DISK|FINDING]",
	  "each decision, the facts behind it; or a finding at length" },
	{ "diagnose", verb_diagnose, ARGS_DISKS, OPTIONS_DIAGNOSE, "[DISK...]",
	  "what is wrong, what it costs, what to do" },
	{ "advise", verb_advise, ARGS_ONE, OPTIONS_ADVISE, "PATH",
	  "the record for the disk under a file" },
	{ "measure", verb_measure, ARGS_ANY, OPTIONS_MEASURE, "DISK|FILE|FOLDER",
	  "how the disk reads: modes and depths, kept for the advice" },
	{ "plan", verb_plan, ARGS_DISKS, OPTIONS_LOOK | OPTION_VERBOSE, "[DISK...]",
	  "what would be written, and what is left alone" },
	{ "apply", verb_apply, ARGS_DISKS, OPTIONS_WRITE | OPTION_VERBOSE, "[DISK...]",
	  "write what differs from the policy, end a hold, publish" },
	{ "restore", verb_restore, ARGS_DISKS, OPTIONS_WRITE, "[DISK...]",
	  "return the values from before blkadvise, and hold the disk" },
	{ "hold", verb_hold, ARGS_SOME, OPTIONS_WRITE | OPTION_RELEASE, "DISK [SETTING]",
	  "leave a disk or a setting alone" },
	{ "publish", verb_publish, ARGS_DISKS, OPTIONS_WRITE, "[DISK...]",
	  "write records, change nothing" },
	{ "verify", verb_verify, ARGS_ANY, OPTIONS_ANY | OPTION_JSON, "[FILE...]",
	  "check policy, quirk and other files" },
	{ "capture", verb_capture, ARGS_NONE,
	  OPTIONS_ANY | OPTION_OUTPUT | OPTION_KERNEL_LOG, "",
	  "this machine as one text file" },
};

static void print_help(void)
{
	(void)printf("blkadvise [OPTION...] VERB [ARGUMENT...]\n\n"
		     "Says what a disk is, what it ought to use, and how to read from "
		     "it.\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		char head[64];

		(void)snprintf(head, sizeof(head), "%s %s", verbs[i].name,
			       verbs[i].usage);
		(void)printf("  %-24s %s\n", head, verbs[i].help);
	}
	(void)printf(
		"\nDISK is sda, /dev/sda, /dev/disk/by-id/... or 8:0.\n\n"
		"  -j, --json           print JSON\n"
		"  -n, --dry-run        apply, restore, hold, publish, measure: say it, "
		"do not do it\n"
		"  -a, --all            loop, ram and zram devices too; measure: all "
		"disks\n"
		"  -q, --quiet          only errors\n"
		"  -v, --verbose        evidence too\n"
		"      --from=CAPTURE   a captured machine instead of this one\n"
		"      --root=FOLDER    a machine's tree below a folder\n"
		"      --rules=FOLDER   policy.d and quirks.d of this folder alone\n"
		"      --severity=LEVEL diagnose: only info, warn or error, and worse\n"
		"      --disk=DISK      diagnose: this disk; may be given again\n"
		"      --kernel-log=LOG diagnose, capture: a saved log instead\n"
		"      --env            advise: lines for a shell or systemd\n"
		"      --prefix=TEXT    advise: what variables begin with\n"
		"      --write-env=FILE advise: write them to a file\n"
		"      --release        hold: end the hold\n"
		"      --show           measure: what was measured, nothing new\n"
		"      --write=FOLDER   measure: writes too, in a file that vanishes\n"
		"      --budget=SECONDS measure: of one disk, 1 to 600 (10)\n"
		"      --threads        measure: a pool of threads, no io_uring\n"
		"      --store=FOLDER   measurements are kept below this folder instead\n"
		"  -o, --output=FILE    capture: write to a file\n"
		"  -h, --help   --version\n\n"
		"Exit codes: 0 done, 1 failed, 2 usage, 3 no such disk, 4 needs root,\n"
		"10 diagnose found a fault (warn, error; or as --severity says) or\n"
		"verify a problem, 130 measure was interrupted. More in blkadvise(8).\n");
}

static bool fits(enum args args, int n)
{
	switch (args) {
	case ARGS_NONE:
		return n == 0;
	case ARGS_ONE:
		return n == 1;
	case ARGS_SOME:
		return n >= 1;
	case ARGS_DISKS:
	case ARGS_ANY:
		break;
	}
	return true;
}

static int check_usage(const struct verb *verb, const struct cli *cli)
{
	const char *stranger = options_stranger(&cli->options, verb->options);

	if (stranger) {
		cli_error("%s does not take %s", verb->name, stranger);
		return EXIT_CODE_USAGE;
	}
	if (!fits(verb->args, cli->n_args)) {
		cli_error("usage: blkadvise %s %s", verb->name, verb->usage);
		return EXIT_CODE_USAGE;
	}
	if (cli->options.from && cli->options.root) {
		cli_error("--from and --root exclude each other");
		return EXIT_CODE_USAGE;
	}
	return EXIT_CODE_OK;
}

static int run_verb(const struct verb *verb, struct cli *cli)
{
	int code = check_usage(verb, cli);

	if (code != EXIT_CODE_OK)
		return code;
	cli->quiet_problems = verb->run == verb_verify || verb->run == verb_capture ||
			      (verb->run == verb_explain && explains_no_disk(cli));
	code = cli_open(cli);
	if (code == EXIT_CODE_OK)
		code = verb->run(cli);
	cli_close(cli);
	return code;
}

static int run_named(const char *name, struct cli *cli)
{
	if (cli->options.help || strcmp(name, "help") == 0) {
		print_help();
		return EXIT_CODE_OK;
	}
	if (cli->options.version) {
		(void)printf("blkadvise %s\n", BLKADVISE_VERSION);
		return EXIT_CODE_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(name, verbs[i].name) == 0)
			return run_verb(&verbs[i], cli);
	}
	cli_error("%s: no such verb (`blkadvise --help` lists them)", name);
	return EXIT_CODE_USAGE;
}

/* The words behind the verb follow the disks of --disk. */
static void join_arguments(struct cli *cli, char **words, size_t n)
{
	struct options *options = &cli->options;

	memcpy(options->disks + options->n_disks, words, n * sizeof(*words));
	cli->args = options->disks;
	cli->n_args = (int)(options->n_disks + n);
}

int main(int argc, char **argv)
{
	struct cli cli = { 0 };
	const char *name = "list";
	int code = options_parse(argc, argv, &cli.options);

	(void)signal(SIGCHLD, SIG_DFL); /* ignored, as some leave it, children are lost */
	if (code == EXIT_CODE_OK) {
		if (optind < argc)
			name = argv[optind++];
		join_arguments(&cli, argv + optind, (size_t)(argc - optind));
		code = run_named(name, &cli);
	}
	options_done(&cli.options);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		cli_error("cannot write to standard output");
		return worse_code(code, EXIT_CODE_FAILED);
	}
	return code;
}
