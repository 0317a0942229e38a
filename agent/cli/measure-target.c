/* SPDX-License-Identifier: MIT */
/*
 * What is measured, and which disk that is: a disk by its name or number, through its
 * node; a node, a file or a folder by its path, as engines find the disk under it.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "base/sysfs.h"
#include "cli/measure.h"
#include "client/blkadvise.h"

static void close_record(struct blkadvise_record **record)
{
	(void)blkadvise_close(*record);
}

static int set_path(struct measure_target *target, const char *path)
{
	if (strlen(path) >= sizeof(target->path)) {
		cli_error("%s: %s", path, strerror(ENAMETOOLONG));
		return EXIT_CODE_FAILED;
	}
	strcpy(target->path, path);
	return EXIT_CODE_OK;
}

/* The node that devtmpfs makes for the device whose folder in sysfs is @folder. */
static int find_node(const struct cli *cli, const char *folder, char *buf, size_t size)
{
	char path[ROOT_PATH_MAX], uevent[ROOT_ATTR_MAX];
	const char *name = NULL;
	struct stat st = { 0 };
	int r = path_join(path, sizeof(path), folder, "uevent");

	if (r == 0)
		r = root_read(cli->machine, path, uevent, sizeof(uevent), NULL);
	if (r < 0)
		return r;
	name = strstr(uevent, "DEVNAME=");
	if (!name)
		return -ENODATA;
	name += strlen("DEVNAME=");
	(void)snprintf(buf, size, "/dev/%.*s", (int)strcspn(name, "\n"), name);
	if (stat(buf, &st) < 0)
		return -errno;
	return S_ISBLK(st.st_mode) ? 0 : -ENOTBLK;
}

static int node_failed(const char *name, int r)
{
	cli_error("%s: its node cannot be found: %s (a file on it can be measured "
		  "instead)",
		  name, strerror(-r));
	return EXIT_CODE_FAILED;
}

int measure_target_of_disk(const struct cli *cli, const struct survey *survey,
			   struct measure_target *ret)
{
	struct measure_target target = { 0 };
	int r = find_node(cli, survey->disk->syspath, target.path, sizeof(target.path));

	if (r < 0)
		return node_failed(survey_name(survey), r);
	strcpy(target.syspath, survey->disk->syspath);
	*ret = target;
	return EXIT_CODE_OK;
}

/* A name or a number. That of a partition leads to its disk, through its own node. */
static int find_named(const struct cli *cli, const char *word,
		      struct measure_target *target)
{
	unsigned int major = 0, minor = 0;
	char folder[ROOT_PATH_MAX];
	int r = 0;
	int code = cli_find_disk(cli, word, target->syspath, sizeof(target->syspath));

	if (code != EXIT_CODE_OK)
		return code;
	r = path_join(folder, sizeof(folder),
		      parse_devnum(word, &major, &minor) == 0 ? "/sys/dev/block"
							      : "/sys/class/block",
		      word);
	if (r == 0)
		r = find_node(cli, folder, target->path, sizeof(target->path));
	return r < 0 ? node_failed(word, r) : EXIT_CODE_OK;
}

/* The disk under @path, which is there. */
static int find_under(const struct cli *cli, const char *path, char *buf, size_t size)
{
	_cleanup_(close_record) struct blkadvise_record *record = NULL;
	unsigned int major = 0, minor = 0;
	int r = blkadvise_open_path(path, &record);

	if (r < 0 || blkadvise_devnum(record, &major, &minor) != BLKADVISE_OK ||
	    sysfs_block_by_devnum(cli->machine, major, minor, buf, size) < 0) {
		cli_error("%s: %s: nothing to measure", path, blkadvise_strerror(r));
		return r == -EACCES ? EXIT_CODE_NOT_ALLOWED : EXIT_CODE_NO_DISK;
	}
	return EXIT_CODE_OK;
}

static int find_path(const struct cli *cli, const char *word,
		     struct measure_target *target)
{
	struct stat st = { 0 };

	if (stat(word, &st) < 0) {
		cli_error("%s: %s", word,
			  errno == ENOENT ? "no such disk, file or folder (`blkadvise "
					    "list` shows the disks)"
					  : strerror(errno));
		return errno == EACCES ? EXIT_CODE_NOT_ALLOWED : EXIT_CODE_NO_DISK;
	}
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && !S_ISBLK(st.st_mode)) {
		cli_error("%s: neither a disk nor a file nor a folder", word);
		return EXIT_CODE_NO_DISK;
	}
	return find_under(cli, word, target->syspath, sizeof(target->syspath));
}

/* What is written must lie on the disk that is measured, or two would be mixed up. */
static int check_write_folder(const struct cli *cli, const char *what,
			      const struct measure_target *target)
{
	char syspath[ROOT_PATH_MAX];
	struct stat st = { 0 };
	int code = EXIT_CODE_OK;

	if (stat(target->write_folder, &st) < 0 || !S_ISDIR(st.st_mode)) {
		cli_error("--write=%s: not a folder", target->write_folder);
		return EXIT_CODE_USAGE;
	}
	code = find_under(cli, target->write_folder, syspath, sizeof(syspath));
	if (code != EXIT_CODE_OK || strcmp(syspath, target->syspath) == 0)
		return code;
	cli_error("--write=%s: this folder lies on %s, but %s on %s",
		  target->write_folder, path_name(syspath), what,
		  path_name(target->syspath));
	return EXIT_CODE_USAGE;
}

int measure_target_find(const struct cli *cli, const char *word,
			struct measure_target *ret)
{
	struct measure_target target = { .write_folder = cli->options.write };
	const char *what = word ? word : cli->options.write;
	int code = set_path(&target, what);

	if (code != EXIT_CODE_OK)
		return code;
	/* A disk before a file of the same name, whatever the current folder is. */
	if (word && !strchr(word, '/') && cli_has_disk(cli, word))
		code = find_named(cli, word, &target);
	else
		code = find_path(cli, what, &target);
	if (code == EXIT_CODE_OK && target.write_folder)
		code = check_write_folder(cli, what, &target);
	if (code == EXIT_CODE_OK)
		*ret = target;
	return code;
}
