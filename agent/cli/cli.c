/* SPDX-License-Identifier: MIT */
/*
 * Roots, properties and names. Live properties come from the udev database by libudev;
 * a capture carries its own.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/parse.h"
#include "base/paths.h"
#include "base/snapshot.h"
#include "base/sysfs.h"
#include "base/text.h"

#define STUCK_MS 5000U

void cli_error(const char *format, ...)
{
	char text[1024], safe[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)fprintf(stderr, "blkadvise: %s\n", clean(text, safe, sizeof(safe)));
}

void cli_line(const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;
	int len = 0;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		text = NULL;
		return;
	}
	(void)printable(text, text, (size_t)len + 1);
	(void)printf("%s\n", text);
}

const char *clean(const char *text, char *buf, size_t size)
{
	(void)printable(text, buf, size);
	return buf;
}

int worse_code(int a, int b)
{
	if (a == EXIT_CODE_OK || (a == EXIT_CODE_FOUND && b != EXIT_CODE_OK))
		return b;
	return a;
}

static const char *live_property(void *context, const char *syspath, const char *key)
{
	struct cli *cli = context;

	if (!cli->udev)
		return NULL;
	if (!cli->device || strcmp(udev_device_get_syspath(cli->device), syspath) != 0) {
		if (cli->device)
			(void)udev_device_unref(cli->device);
		cli->device = udev_device_new_from_syspath(cli->udev, syspath);
	}
	return cli->device ? udev_device_get_property_value(cli->device, key) : NULL;
}

static const char *capture_property(void *context, const char *syspath, const char *key)
{
	const struct cli *cli = context;

	return snapshot_property(cli->machine, syspath, key);
}

static int open_capture(struct cli *cli)
{
	struct snapshot_error error = { 0 };
	int r = snapshot_open(cli->options.from, &cli->machine, &error);

	if (r == 0) {
		cli->properties = (struct properties){ capture_property, cli };
		return EXIT_CODE_OK;
	}
	if (error.reason)
		cli_error("%s:%u: %s", cli->options.from, error.line, error.reason);
	else
		cli_error("%s: %s", cli->options.from, strerror(-r));
	return EXIT_CODE_FAILED;
}

static int open_roots(struct cli *cli)
{
	const char *root = cli->options.root ? cli->options.root : "/";
	int r = root_new(root, &cli->config);

	if (r == 0 && cli->options.store)
		r = root_new(cli->options.store, &cli->store);
	if (r < 0) {
		cli_error("%s", strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (cli->options.from)
		return open_capture(cli);
	cli->machine = cli->config;
	if (root_is_live(cli->machine)) {
		cli->udev = udev_new();
		cli->properties = (struct properties){ live_property, cli };
	}
	return EXIT_CODE_OK;
}

static int check_rules(const struct cli *cli)
{
	const char *rules = cli->options.rules;
	_cleanup_root_ struct root *root = NULL;
	struct stat st = { 0 };
	const char *why = NULL;

	if (!rules)
		return EXIT_CODE_OK;
	if (stat(rules, &st) < 0)
		why = strerror(errno);
	else if (!S_ISDIR(st.st_mode))
		why = "not a folder";
	else if (root_new(rules, &root) < 0)
		why = strerror(ENOMEM);
	else if (!root_exists(root, "/policy.d") && !root_exists(root, "/quirks.d"))
		why = "holds neither policy.d nor quirks.d";
	if (!why)
		return EXIT_CODE_OK;
	cli_error("--rules=%s: %s", rules, why);
	return EXIT_CODE_USAGE;
}

const char *cli_file(const struct cli *cli, const char *file, char *buf, size_t size)
{
	bool of_rules = cli->options.rules && (strncmp(file, "/policy.d/", 10) == 0 ||
					       strncmp(file, "/quirks.d/", 10) == 0 ||
					       strncmp(file, "/controllers.d/", 15) == 0);

	(void)snprintf(buf, size, "%s%s",
		       of_rules ? cli->options.rules : cli->config->prefix, file);
	return buf;
}

/* A file of the administrator's stops all writing, one of ours is as if not there. */
static void print_problem(const struct cli *cli, const struct ini_problem *problem)
{
	bool stops = strncmp(problem->file, "/etc/", 5) == 0 ||
		     strncmp(problem->file, "/run/", 5) == 0;
	char file[ROOT_PATH_MAX], line[16] = "";

	if (problem->line > 0) /* 0: the whole file */
		(void)snprintf(line, sizeof(line), ":%u", problem->line);
	cli_error("%s%s: %s (%s)", cli_file(cli, problem->file, file, sizeof(file)), line,
		  problem->text,
		  cli->context.cautious && stops ?
			  "until this is mended nothing is written" :
			  "this file is ignored");
}

void cli_print_problems(const struct cli *cli, size_t first)
{
	for (size_t i = first; !cli->quiet_problems && i < cli->context.problems.n; i++)
		print_problem(cli, &cli->context.problems.list[i]);
}

static void hint_at_policy(const struct cli *cli)
{
	static const char *const folders[] = PATH_POLICY_FOLDERS;
	char text[1024] = "";
	size_t len = 0;

	for (size_t i = 0; !cli->options.rules && folders[i] && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s",
					i ? ", " : "", cli->config->prefix, folders[i]);
	if (cli->options.rules)
		(void)snprintf(text, sizeof(text), "%s/policy.d", cli->options.rules);
	cli_error("no policy files in %s: run install.sh or use --rules", text);
}

int cli_open(struct cli *cli)
{
	const struct context *context = &cli->context;
	int code = check_rules(cli);
	int r = 0;

	if (code == EXIT_CODE_OK)
		code = open_roots(cli);
	if (code != EXIT_CODE_OK)
		return code;
	r = context_load(cli->machine, cli->config, cli->options.rules,
			 cli->properties.get ? &cli->properties : NULL, &cli->context);
	if (r < 0) {
		cli_error("cannot read the configuration: %s", strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (cli->store)
		cli->context.measurements = cli->store;
	cli_print_problems(cli, 0);
	if (!cli->quiet_problems && !cli->options.quiet && context->problems.n == 0 &&
	    policy_is_empty(context->policy))
		hint_at_policy(cli);
	return EXIT_CODE_OK;
}

void cli_close(struct cli *cli)
{
	context_done(&cli->context);
	if (cli->device)
		(void)udev_device_unref(cli->device);
	if (cli->udev)
		(void)udev_unref(cli->udev);
	if (cli->machine != cli->config)
		(void)root_free(cli->machine);
	(void)root_free(cli->store);
	(void)root_free(cli->config);
}

/* A node of the live machine: the device number counts, not the name. */
static int find_by_node(const struct cli *cli, const char *node, char *buf, size_t size)
{
	struct stat st = { 0 };

	if (stat(node, &st) < 0)
		return -errno;
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	return sysfs_block_by_devnum(cli->machine, major(st.st_rdev), minor(st.st_rdev),
				     buf, size);
}

static int find_disk(const struct cli *cli, const char *name, char *buf, size_t size)
{
	unsigned int major_number = 0, minor_number = 0;
	const char *syspath = NULL;

	if (parse_devnum(name, &major_number, &minor_number) == 0)
		return sysfs_block_by_devnum(cli->machine, major_number, minor_number,
					     buf, size);
	if (strncmp(name, "/dev/", 5) != 0)
		return sysfs_block_by_name(cli->machine, name, buf, size);
	if (root_is_live(cli->machine))
		return find_by_node(cli, name, buf, size);
	if (root_is_snapshot(cli->machine))
		syspath = snapshot_node(cli->machine, name + 5);
	return sysfs_block_by_name(cli->machine, syspath ? path_name(syspath) : name + 5,
				   buf, size);
}

bool cli_has_disk(const struct cli *cli, const char *name)
{
	char path[ROOT_PATH_MAX];

	return find_disk(cli, name, path, sizeof(path)) == 0;
}

int cli_find_disk(const struct cli *cli, const char *name, char *buf, size_t size)
{
	int r = find_disk(cli, name, buf, size);

	if (r == 0)
		return EXIT_CODE_OK;
	if (r == -ENOENT || r == -ENODEV)
		cli_error("%s: no such disk (`blkadvise list` shows those there are)",
			  name);
	else if (r == -ENOTBLK)
		cli_error("%s: not a block device (`blkadvise advise FILE` takes a file)",
			  name);
	else
		cli_error("%s: %s", name, strerror(-r));
	return EXIT_CODE_NO_DISK;
}

/*
 * A disk whose queue does not come to rest keeps its writer, and would keep us: so long
 * as the writer holds the disk's lock its attributes are not read.
 */
static bool is_stuck(const struct cli *cli, const char *syspath)
{
	char path[ROOT_PATH_MAX], dev[32];

	return root_is_live(cli->machine) &&
	       path_join(path, sizeof(path), syspath, "dev") == 0 &&
	       root_read(cli->machine, path, dev, sizeof(dev), NULL) == 0 &&
	       state_is_locked(cli->config, trim(dev), STUCK_MS);
}

static int survey_path(const struct cli *cli, const char *syspath, const char *name,
		       struct survey **ret)
{
	int r = 0;

	if (is_stuck(cli, syspath)) {
		cli_error("%s: not looked at: a writer of its settings holds its lock "
			  "for more than %u s. If none is at work, its queue does not "
			  "come to rest: look at the kernel log",
			  name, STUCK_MS / 1000);
		return EXIT_CODE_FAILED;
	}
	r = survey_disk(&cli->context, syspath, ret);
	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("%s: %s", name, strerror(-r));
	return r == -ENOENT || r == -ENODEV ? EXIT_CODE_NO_DISK : EXIT_CODE_FAILED;
}

int cli_survey(const struct cli *cli, const char *name, struct survey **ret)
{
	char syspath[ROOT_PATH_MAX];
	int code = cli_find_disk(cli, name, syspath, sizeof(syspath));

	return code == EXIT_CODE_OK ? survey_path(cli, syspath, name, ret) : code;
}

static int each_of_all(struct cli *cli, survey_handler handler, void *context)
{
	_cleanup_names_ struct names disks = { 0 };
	int code = EXIT_CODE_OK;
	int r = disk_list(cli->machine, &disks);

	if (r < 0) {
		cli_error("/sys/block: %s", strerror(-r));
		return EXIT_CODE_FAILED;
	}
	for (size_t i = 0; i < disks.n; i++) {
		_cleanup_survey_ struct survey *survey = NULL;
		int one = survey_path(cli, disks.list[i], path_name(disks.list[i]),
				      &survey);

		if (one == EXIT_CODE_NO_DISK) /* went away meanwhile */
			continue;
		if (one == EXIT_CODE_OK &&
		    (cli->options.all || !disk_is_ignored(&survey->disk->facts)))
			one = handler(cli, &survey, context);
		code = worse_code(code, one);
	}
	return code;
}

int cli_each_disk(struct cli *cli, survey_handler handler, void *context)
{
	int code = EXIT_CODE_OK;

	if (cli->n_args == 0)
		return each_of_all(cli, handler, context);
	for (int i = 0; i < cli->n_args; i++) {
		_cleanup_survey_ struct survey *survey = NULL;
		int one = cli_survey(cli, cli->args[i], &survey);

		if (one == EXIT_CODE_OK)
			one = handler(cli, &survey, context);
		code = worse_code(code, one);
	}
	return code;
}

int cli_require_root(const struct cli *cli)
{
	if (cli->options.from) {
		cli_error("a capture cannot be changed: leave out --from, or use "
			  "--dry-run");
		return EXIT_CODE_USAGE;
	}
	if (root_is_live(cli->machine) && geteuid() != 0) {
		cli_error("this changes the machine and needs root (--dry-run shows it "
			  "without)");
		return EXIT_CODE_NOT_ALLOWED;
	}
	return EXIT_CODE_OK;
}

const char *survey_name(const struct survey *survey)
{
	const char *name = facts_text(&survey->disk->facts, FACT_NAME);

	return name ? name : path_name(survey->disk->syspath);
}
