/* SPDX-License-Identifier: MIT */
/*
 * The command for people: options, then one verb.
 */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"

enum args {
	ARGS_NONE, /* the verb takes no arguments */
	ARGS_DISKS, /* any number of disks; none means all */
	ARGS_ONE, /* exactly one */
	ARGS_SOME, /* one or more */
	ARGS_ANY,
};

static const struct verb {
	const char *name;
	int (*run)(struct cli *cli);
	enum args args;
	const char *usage, *help;
} verbs[] = {
	{ "list", verb_list, ARGS_DISKS, "[DISK...]",
	  "a table of the disks (the default)" },
	{ "show", verb_show, ARGS_DISKS, "[DISK...]", "what a disk is, and its record" },
	{ "explain", verb_explain, ARGS_DISKS, "[DISK...]",
	  "each decision, the facts behind it, file and line" },
	{ "diagnose", verb_diagnose, ARGS_DISKS, "[DISK...]",
	  "what is wrong, with evidence and remedy" },
	{ "advise", verb_advise, ARGS_ONE, "PATH",
	  "the record for the disk under a file" },
	{ "plan", verb_plan, ARGS_DISKS, "[DISK...]", "what apply would write" },
	{ "apply", verb_apply, ARGS_DISKS, "[DISK...]",
	  "write what differs from the policy, end a hold, publish" },
	{ "restore", verb_restore, ARGS_DISKS, "[DISK...]",
	  "return the values from before blkadvise, and hold the disk" },
	{ "hold", verb_hold, ARGS_SOME, "DISK [SETTING]",
	  "leave a disk or a setting alone" },
	{ "publish", verb_publish, ARGS_DISKS, "[DISK...]",
	  "write records, change nothing" },
	{ "verify", verb_verify, ARGS_ANY, "[FILE...]",
	  "check policy, quirk and other files" },
	{ "capture", verb_capture, ARGS_NONE, "", "this machine as one text file" },
};

enum {
	OPTION_FROM = 256,
	OPTION_ROOT,
	OPTION_RULES,
	OPTION_PREFIX,
	OPTION_WRITE_ENV,
	OPTION_ENV,
	OPTION_RELEASE,
	OPTION_VERSION,
};

static const struct option long_options[] = {
	{ "from", required_argument, NULL, OPTION_FROM },
	{ "root", required_argument, NULL, OPTION_ROOT },
	{ "rules", required_argument, NULL, OPTION_RULES },
	{ "json", no_argument, NULL, 'j' },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "all", no_argument, NULL, 'a' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "output", required_argument, NULL, 'o' },
	{ "env", no_argument, NULL, OPTION_ENV },
	{ "prefix", required_argument, NULL, OPTION_PREFIX },
	{ "write-env", required_argument, NULL, OPTION_WRITE_ENV },
	{ "release", no_argument, NULL, OPTION_RELEASE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ 0 },
};

static void print_help(void)
{
	(void)printf("blkadvise [OPTION...] VERB [ARGUMENT...]\n\n"
		     "Says what a disk is, what it ought to use, and how to read from "
		     "it.\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		char head[48];

		(void)snprintf(head, sizeof(head), "%s %s", verbs[i].name,
			       verbs[i].usage);
		(void)printf("  %-22s %s\n", head, verbs[i].help);
	}
	(void)printf(
		"\nDISK is sda, /dev/sda, /dev/disk/by-id/... or 8:0.\n\n"
		"  -j, --json           print JSON\n"
		"  -n, --dry-run        apply, restore, hold, publish: say it, do not do "
		"it\n"
		"  -a, --all            loop, ram and zram devices too\n"
		"  -q, --quiet          only errors\n"
		"  -v, --verbose        evidence too\n"
		"      --from=CAPTURE   a captured machine instead of this one\n"
		"      --root=FOLDER    a machine's tree below a folder\n"
		"      --rules=FOLDER   policy.d and quirks.d of this folder alone\n"
		"      --env            advise: lines for a shell or systemd\n"
		"      --prefix=TEXT    advise: what variables begin with\n"
		"      --write-env=FILE advise: write them to a file\n"
		"      --release        hold: end the hold\n"
		"  -o, --output=FILE    capture: write to a file\n"
		"  -h, --help   --version\n\n"
		"Exit codes: 0 done, 1 failed, 2 usage, 3 no such disk, 4 needs root,\n"
		"10 diagnose or verify found something. More in blkadvise(8).\n");
}

/* True if the option was one that only sets a value. */
static bool take_value(struct options *options, int option, const char *value)
{
	const struct {
		int option;
		const char **slot;
	} slots[] = {
		{ OPTION_FROM, &options->from },     { OPTION_ROOT, &options->root },
		{ OPTION_RULES, &options->rules },   { OPTION_PREFIX, &options->prefix },
		{ OPTION_WRITE_ENV, &options->write_env }, { 'o', &options->output },
	};

	for (size_t i = 0; i < ARRAY_SIZE(slots); i++) {
		if (slots[i].option == option) {
			*slots[i].slot = value;
			return true;
		}
	}
	return false;
}

static bool take_flag(struct options *options, int option)
{
	const struct {
		int option;
		bool *slot;
	} slots[] = {
		{ 'j', &options->json },    { 'n', &options->dry_run },
		{ 'a', &options->all },	    { 'q', &options->quiet },
		{ 'v', &options->verbose }, { OPTION_ENV, &options->env },
		{ OPTION_RELEASE, &options->release },
	};

	for (size_t i = 0; i < ARRAY_SIZE(slots); i++) {
		if (slots[i].option == option)
			return *slots[i].slot = true;
	}
	return false;
}

/* -1: go on; else the exit code. */
static int parse_options(struct options *options, int argc, char **argv)
{
	for (;;) {
		int option = getopt_long(argc, argv, "jnaqvo:h", long_options, NULL);

		if (option < 0)
			return -1;
		if (take_value(options, option, optarg) || take_flag(options, option))
			continue;
		if (option == 'h') {
			print_help();
			return EXIT_CODE_OK;
		}
		if (option == OPTION_VERSION) {
			(void)printf("blkadvise %s\n", BLKADVISE_VERSION);
			return EXIT_CODE_OK;
		}
		return EXIT_CODE_USAGE;
	}
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

static int run_verb(const struct verb *verb, struct cli *cli)
{
	int code = EXIT_CODE_OK;

	if (!fits(verb->args, cli->n_args)) {
		cli_error("usage: blkadvise %s %s", verb->name, verb->usage);
		return EXIT_CODE_USAGE;
	}
	if (cli->options.from && cli->options.root) {
		cli_error("--from and --root exclude each other");
		return EXIT_CODE_USAGE;
	}
	cli->quiet_problems = verb->run == verb_verify; /* it prints them itself */
	code = cli_open(cli);
	if (code == EXIT_CODE_OK)
		code = verb->run(cli);
	cli_close(cli);
	return code;
}

int main(int argc, char **argv)
{
	struct cli cli = { 0 };
	const char *name = "list";
	int code = parse_options(&cli.options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		name = argv[optind++];
	cli.args = argv + optind;
	cli.n_args = argc - optind;
	if (strcmp(name, "help") == 0) {
		print_help();
		return EXIT_CODE_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(name, verbs[i].name) == 0) {
			code = run_verb(&verbs[i], &cli);
			if (fflush(stdout) != 0 || ferror(stdout)) {
				cli_error("cannot write to standard output");
				return worse_code(code, EXIT_CODE_FAILED);
			}
			return code;
		}
	}
	cli_error("%s: no such verb (`blkadvise --help` lists them)", name);
	return EXIT_CODE_USAGE;
}
