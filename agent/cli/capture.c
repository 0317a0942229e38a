/* SPDX-License-Identifier: MIT */
/*
 * `capture`: this machine as one text file that every verb and every test can read, and
 * that may be shown to others (base/snapshot.h has the format, design.md 6 the reasons).
 * The text is parsed before anybody gets it: a capture that we cannot read is a bug
 * that should be seen here.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/snapshot.h"
#include "cli/capture.h"
#include "cli/cli.h"

static void capture_done(struct capture *capture)
{
	for (size_t i = 0; i < capture->n; i++)
		block_done(&capture->blocks[i]);
	free(capture->blocks);
	(void)pseudonyms_free(capture->pseudonyms);
}

/* Reads everything; folders that say nothing are no blocks. */
static int read_machine(struct capture *capture)
{
	_cleanup_names_ struct names folders = { 0 };
	int r = capture_find(capture->root, &folders);

	if (r < 0)
		return r;
	capture->blocks = calloc(folders.n + 1, sizeof(*capture->blocks));
	capture->pseudonyms = pseudonyms_new();
	if (!capture->blocks || !capture->pseudonyms)
		return -ENOMEM;
	for (size_t i = 0; i < folders.n; i++) {
		struct block *block = &capture->blocks[capture->n];

		r = capture_read(capture, folders.list[i], block);
		if (r < 0 || block->n == 0)
			block_done(block);
		else
			capture->n++;
		if (r < 0)
			return r;
	}
	return capture_collect(capture);
}

static int format_machine(struct capture *capture, char **ret, size_t *ret_len)
{
	FILE *out = open_memstream(ret, ret_len);
	bool failed = false;

	if (!out)
		return -ENOMEM;
	capture_write_files(capture, out);
	capture_write_blocks(capture, out);
	failed = ferror(out) != 0;
	return fclose(out) != 0 || failed ? -ENOMEM : 0;
}

static int make_text(const struct cli *cli, char **ret, size_t *ret_len)
{
	_cleanup_(capture_done) struct capture capture = {
		.root = cli->machine,
		.properties = cli->properties.get ? &cli->properties : NULL,
	};
	int r = read_machine(&capture);

	return r < 0 ? r : format_machine(&capture, ret, ret_len);
}

static int check_text(const char *text, size_t len)
{
	_cleanup_root_ struct root *root = NULL;
	struct snapshot_error error = { 0 };
	int r = snapshot_parse(text, len, &root, &error);

	if (r == -EBADMSG)
		cli_error("nothing is written: line %u of the capture cannot be read "
			  "back: %s",
			  error.line, error.reason);
	else if (r < 0)
		cli_error("%s", strerror(-r));
	return r;
}

/* A regular file is replaced; anything else that has that name is written to. */
static int write_file(const char *path, const char *text, size_t len)
{
	_cleanup_root_ struct root *here = NULL;
	struct stat st = { 0 };
	int r = 0;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		_cleanup_fclose_ FILE *file = fopen(path, "we");

		if (!file)
			return -errno;
		return fwrite(text, 1, len, file) == len && fflush(file) == 0 ? 0 : -EIO;
	}
	r = root_new("/", &here);
	return r < 0 ? r : file_replace(here, path, text, len, 0644);
}

int verb_capture(struct cli *cli)
{
	_cleanup_free_ char *text = NULL;
	const char *path = cli->options.output;
	size_t len = 0;
	int r = make_text(cli, &text, &len);

	if (r < 0) {
		cli_error("%s", strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (check_text(text, len) < 0)
		return EXIT_CODE_FAILED;
	if (!path || strcmp(path, "-") == 0) /* main() looks at errors of the stream */
		return fwrite(text, 1, len, stdout) == len ? EXIT_CODE_OK
							   : EXIT_CODE_FAILED;
	r = write_file(path, text, len);
	if (r < 0)
		cli_error("%s: %s", path, strerror(-r));
	return r < 0 ? EXIT_CODE_FAILED : EXIT_CODE_OK;
}
