/* SPDX-License-Identifier: MIT */
/*
 * Evidence of the live machine: the kernel's own buffer, which on many systems only root
 * may read (kernel.dmesg_restrict) and which forgets its beginning, else the journal; and
 * the list of an initramfs, which only the tools of its maker can print.
 */
#include "cli/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "base/parse.h"
#include "facts/module-list.h"

#define KMSG "/dev/kmsg"
#define KMSG_RECORD_MAX 8192 /* longest record, CONSOLE_EXT_LOG_MAX */
/* A buffer that fills as fast as it is read ends somewhere. */
#define KMSG_RECORDS_MAX 1000000
/* Documentation/admin-guide/devices.txt */
#define KMSG_MAJOR 1
#define KMSG_MINOR 11
#define PIECE 65536
#define JOURNAL_MS 10000
#define INITRAMFS_MS 30000
#define FILE_MS 10000 /* what is no file must come to its end */

/* Where a log goes: to its reader, and as it is to whoever wants it. */
struct sink {
	struct kernel_log *log;
	output_handler also; /* may be NULL */
	void *context;
};

static void feed(const char *text, size_t len, void *context)
{
	const struct sink *sink = context;

	kernel_log_feed(sink->log, text, len);
	if (sink->also)
		sink->also(text, len, sink->context);
}

/* One record a read(2); EPIPE tells that some were overwritten meanwhile. */
static int read_records(int fd, struct sink *sink)
{
	char record[KMSG_RECORD_MAX];

	for (size_t i = 0; i < KMSG_RECORDS_MAX; i++) {
		ssize_t n = read(fd, record, sizeof(record));

		if (n > 0)
			feed(record, (size_t)n, sink);
		else if (n == 0 || errno == EAGAIN)
			return 0;
		else if (errno != EPIPE && errno != EINTR)
			return -errno;
	}
	return 0;
}

static int read_kmsg(struct sink *sink)
{
	_cleanup_close_ int fd = open(KMSG, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : read_records(fd, sink);
}

static int read_journal(struct sink *sink)
{
	static const char *const paths[] = { "/usr/bin/journalctl", "/bin/journalctl" };
	int r = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(paths) && r == -ENOENT; i++) {
		const char *const argv[] = { paths[i],	   "-k", "-b",
					     "-q",	   "-o", "short-monotonic",
					     "--no-pager", NULL };

		r = run_program(argv, JOURNAL_MS, feed, sink);
	}
	return r;
}

static const struct place {
	const char *name;
	int (*read)(struct sink *sink);
} places[] = {
	{ KMSG, read_kmsg },
	{ "journalctl -k -b", read_journal },
};

/* NULL if it cannot be read, or no kernel wrote it. -ENOMEM. */
static int read_place(const struct place *place, output_handler also, void *context,
		      struct kernel_log **ret)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	struct sink sink = { .also = also, .context = context };
	int r = kernel_log_new(place->name, &log);

	if (r < 0)
		return r;
	sink.log = log;
	r = place->read(&sink);
	*ret = kernel_log_end(log) && r == 0 ? steal(log) : NULL;
	return 0;
}

/*
 * The first that reaches back to the boot; if none does, the one that reaches back
 * farthest. -ENOMEM; that there is no log is no error.
 */
static int find_live_log(struct kernel_log **ret, const struct place **ret_place)
{
	_cleanup_kernel_log_ struct kernel_log *best = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_kernel_log_ struct kernel_log *log = NULL;
		int r = read_place(&places[i], NULL, NULL, &log);

		if (r < 0)
			return r;
		if (!log || (best && kernel_log_begin(log) >= kernel_log_begin(best)))
			continue;
		(void)kernel_log_free(best);
		best = steal(log);
		*ret_place = &places[i];
		if (kernel_log_begin(best) == 0)
			break;
	}
	*ret = steal(best);
	return 0;
}

/* Some files never end, though they say that they are regular; they have an EAGAIN. */
static int read_regular(int fd, struct sink *sink)
{
	_cleanup_free_ char *piece = malloc(PIECE);
	ssize_t n = 0;

	if (!piece)
		return -ENOMEM;
	do {
		n = read(fd, piece, PIECE);
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			feed(piece, (size_t)n, sink);
	} while (n != 0);
	return 0;
}

/* A saved log, a pipe that another program fills, or the kernel's own buffer. */
static int read_file(const char *path, struct sink *sink)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct statfs fs;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || fstatfs(fd, &fs) < 0)
		return -errno;
	if (fs.f_type == PROC_SUPER_MAGIC) /* reading /proc/kmsg takes it from others */
		return -EINVAL;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(KMSG_MAJOR, KMSG_MINOR))
		return read_records(fd, sink);
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return read_regular(fd, sink);
	return read_until_end(fd, FILE_MS, feed, sink);
}

/* --kernel-log=FILE. An exit code. */
static int load_file(const char *path, struct sink *sink, struct kernel_log **ret)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	int r = kernel_log_new(path, &log);

	sink->log = log;
	if (r == 0)
		r = read_file(path, sink);
	if (r < 0) {
		cli_error("--kernel-log=%s: %s", path,
			  r == -ETIMEDOUT ? "does not come to its end" :
			  r == -EINVAL	  ? "of /proc; take /dev/kmsg" :
					    strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (!kernel_log_end(log)) {
		cli_error("--kernel-log=%s: holds no line of a kernel (if it is "
			  "compressed, unpack it first)",
			  path);
		return EXIT_CODE_FAILED;
	}
	*ret = steal(log);
	return EXIT_CODE_OK;
}

static void search_list(const char *text, size_t len, void *context)
{
	module_list_feed(context, text, len);
}

const char *cli_ask_initramfs(void *context)
{
	static const struct {
		const char *program, *image; /* before and behind the release */
		const char *suffix;
	} tools[] = {
		{ "/usr/bin/lsinitramfs", "/boot/initrd.img-", "" },
		{ "/usr/bin/lsinitrd", "/boot/initramfs-", ".img" },
		{ "/usr/bin/lsinitrd", "/boot/initrd-", "" },
	};
	const struct cli *cli = context;
	char release[128], image[256];

	if (root_read(cli->machine, "/proc/sys/kernel/osrelease", release,
		      sizeof(release), NULL) < 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		const char *const argv[] = { tools[i].program, image, NULL };
		struct module_list list = { .any = false };

		(void)snprintf(image, sizeof(image), "%s%s%s", tools[i].image,
			       trim(release), tools[i].suffix);
		if (access(image, R_OK) < 0 ||
		    run_program(argv, INITRAMFS_MS, search_list, &list) < 0)
			continue;
		if (list.any)
			return list.ahci ? "yes" : "no";
	}
	return NULL;
}

/*
 * NULL if there is none, or if the root has one of its own. An exit code. Which of the
 * live logs it is, is known only when it has been read: who wants all of it, gets it
 * then.
 */
static int find_log(const struct cli *cli, output_handler also, void *context,
		    struct kernel_log **ret)
{
	struct sink sink = { .also = also, .context = context };
	_cleanup_kernel_log_ struct kernel_log *again = NULL;
	const struct place *place = NULL;
	int r = 0;

	if (cli->options.kernel_log)
		return load_file(cli->options.kernel_log, &sink, ret);
	if (root_is_live(cli->machine))
		r = find_live_log(ret, &place);
	if (r == 0 && also && place)
		r = read_place(place, also, context, &again);
	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("cannot read the kernel log: %s", strerror(-r));
	return EXIT_CODE_FAILED;
}

int cli_read_kernel_log(const struct cli *cli, output_handler handler, void *context)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;

	return find_log(cli, handler, context, &log);
}

int cli_add_evidence(struct cli *cli)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	struct evidence_source source = { .context = cli };
	int code = find_log(cli, NULL, NULL, &log), r = 0;

	if (code != EXIT_CODE_OK)
		return code;
	if (root_is_live(cli->machine))
		source.ask_initramfs = cli_ask_initramfs;
	source.log = log;
	r = context_add_evidence(&cli->context, cli->options.rules, &source);
	log = source.log;
	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("cannot read the evidence: %s", strerror(-r));
	return EXIT_CODE_FAILED;
}
