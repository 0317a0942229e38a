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
#include "cli/evidence.h"

static void capture_done(struct capture *capture)
{
	for (size_t i = 0; i < capture->n; i++)
		block_done(&capture->blocks[i]);
	free(capture->blocks);
	free(capture->measured);
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

#define KERNEL_LOG_MAX (64U << 20)

static void feed(const char *text, size_t len, void *context)
{
	log_filter_feed(context, text, len);
}

/* The log of a folder or a capture. */
static int feed_file(const struct root *root, struct log_filter *filter)
{
	_cleanup_free_ char *text = malloc(KERNEL_LOG_MAX);
	size_t len = 0;

	if (!text)
		return -ENOMEM;
	if (root_read_head(root, "/dev/kmsg", text, KERNEL_LOG_MAX, &len) == 0)
		log_filter_feed(filter, text, len);
	return 0;
}

/* No line if there was no log: that nothing is in it is something else. */
static int write_log(const struct capture *capture, const struct cli *cli, FILE *out)
{
	_cleanup_log_filter_ struct log_filter *filter = NULL;
	const char *text = NULL;
	size_t len = 0;
	int r = log_filter_new(capture->pseudonyms, &filter);

	if (r == 0 && (root_is_live(capture->root) || cli->options.kernel_log))
		r = cli_read_kernel_log(cli, feed, filter) == EXIT_CODE_OK
			    ? 0
			    : -ECANCELED;
	else if (r == 0)
		r = feed_file(capture->root, filter);
	if (r == 0)
		r = log_filter_end(filter, &text, &len);
	if (r == 0 && len > 0)
		capture_write_file("/dev/kmsg", text, len, out);
	return r;
}

static int format_machine(struct capture *capture, const struct cli *cli, char **ret,
			  size_t *ret_len)
{
	FILE *out = open_memstream(ret, ret_len);
	bool failed = false;
	int r = 0;

	if (!out)
		return -ENOMEM;
	capture_write_files(capture, out);
	capture_write_boot(capture, out);
	capture_write_rivals(capture, out);
	capture_write_states(capture, out);
	capture_write_machine_id(capture, out);
	r = write_log(capture, cli, out);
	(void)fputs("#\n", out);
	capture_write_blocks(capture, out);
	failed = ferror(out) != 0;
	if (fclose(out) != 0 || failed)
		return -ENOMEM;
	return r;
}

/* With the other files, once all else says whose the measurements are. */
static int add_measured(const struct capture *capture, const struct cli *cli, char **text,
			size_t *len)
{
	_cleanup_free_ char *more = NULL;
	size_t more_len = 0, at = 0;
	FILE *out = open_memstream(&more, &more_len);
	char *whole = NULL, *blocks = strstr(*text, "\n#\nP: ");
	int r = 0;

	if (!out)
		return -ENOMEM;
	r = capture_write_measured(capture, &cli->context, *text, *len, out);
	if (fclose(out) != 0)
		return -ENOMEM;
	if (r < 0 || more_len == 0 || !blocks)
		return r;
	at = (size_t)(blocks - *text) + 1;
	whole = realloc(*text, *len + more_len + 1);
	if (!whole)
		return -ENOMEM;
	memmove(whole + at + more_len, whole + at, *len + 1 - at);
	memcpy(whole + at, more, more_len);
	*text = whole;
	*len += more_len;
	return 0;
}

static int make_text(struct cli *cli, char **ret, size_t *ret_len)
{
	_cleanup_(capture_done) struct capture capture = {
		.root = cli->machine,
		.memory = cli->context.memory,
		.ask_initramfs = root_is_live(cli->machine) ? cli_ask_initramfs : NULL,
		.context = cli,
		.properties = cli->properties.get ? &cli->properties : NULL,
	};
	int r = read_machine(&capture);

	if (r == 0)
		r = capture_find_measured(&capture, &cli->context);
	if (r == 0)
		r = format_machine(&capture, cli, ret, ret_len);
	return r < 0 ? r : add_measured(&capture, cli, ret, ret_len);
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
		if (r != -ECANCELED) /* then it was said */
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
