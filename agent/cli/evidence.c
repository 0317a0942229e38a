/* SPDX-License-Identifier: MIT */
/*
 * Evidence of the live machine: the kernel's own buffer, which on many systems only root
 * may read (kernel.dmesg_restrict), else the journal; and the list of an initramfs, which
 * only the tools of its maker can print. Programs are run by their full path, without a
 * shell, with a deadline, and what they print is read as it comes and not kept.
 */
#include "cli/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/parse.h"

#define KMSG_RECORD_MAX 8192 /* longest record of /dev/kmsg, CONSOLE_EXT_LOG_MAX */
#define KMSG_RECORDS_MAX                                                    \
	1000000 /* a buffer that fills as fast as it is read ends somewhere \
		 */
#define PIECE 65536
#define PRINTED_MAX (256U << 20)
#define JOURNAL_MS 10000
#define INITRAMFS_MS 30000

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

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In the child. */
static void run(const char *const argv[], int out)
{
	static const char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
						   "LC_ALL=C", NULL };
	int null = open("/dev/null", O_RDWR);

	(void)setpgid(0, 0);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(127);
	(void)execve(argv[0], (char *const *)argv, (char *const *)environment);
	_exit(127);
}

/* Reads until the end, the deadline or the most that we want. 0 at the end. */
static int read_output(int fd, int timeout_ms, output_handler handler, void *context)
{
	_cleanup_free_ char *piece = malloc(PIECE);
	int64_t deadline = now_ms() + timeout_ms;
	size_t total = 0;

	while (piece && total < PRINTED_MAX) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		int64_t left = deadline - now_ms();
		ssize_t n = 0;

		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&wait, 1, (int)left) < 0 && errno != EINTR)
			return -errno;
		if (!(wait.revents & (POLLIN | POLLHUP | POLLERR)))
			continue;
		n = read(fd, piece, PIECE);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return 0;
		if (n < 0)
			continue;
		handler(piece, (size_t)n, context);
		total += (size_t)n;
	}
	return piece ? -EFBIG : -ENOMEM;
}

/*
 * Runs the program @argv[0] and hands on what it prints. 0 if it ended well; -ENOENT if
 * there is no such program. Whatever happens, it and its children are gone afterwards.
 */
static int run_program(const char *const argv[], int timeout_ms, output_handler handler,
		       void *context)
{
	int pipes[2], status = 0, r = 0;
	pid_t pid = 0;

	if (access(argv[0], X_OK) < 0)
		return -ENOENT;
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		run(argv, pipes[1]);
	r = pid < 0 ? -errno : 0;
	(void)close(pipes[1]);
	if (r == 0) {
		(void)setpgid(pid, pid); /* whoever is first */
		r = read_output(pipes[0], timeout_ms, handler, context);
		if (r < 0)
			(void)kill(-pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	(void)close(pipes[0]);
	if (r == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
		r = -EIO;
	return r;
}

/* One record a read(2); EPIPE tells that some were overwritten meanwhile. */
static int read_kmsg(struct sink *sink)
{
	char record[KMSG_RECORD_MAX];
	_cleanup_close_ int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
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

/* The first that can be read and has a line of a kernel. -ENOMEM; no log is no error. */
static int find_live_log(struct sink *sink, struct kernel_log **ret)
{
	static const struct {
		const char *name;
		int (*read)(struct sink *sink);
	} places[] = {
		{ "/dev/kmsg", read_kmsg },
		{ "journalctl -k -b", read_journal },
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_kernel_log_ struct kernel_log *log = NULL;
		int r = kernel_log_new(places[i].name, &log);

		if (r < 0)
			return r;
		sink->log = log;
		r = places[i].read(sink);
		if (kernel_log_end(log) && r == 0) {
			*ret = steal(log);
			return 0;
		}
	}
	return 0;
}

static int read_file(const char *path, struct sink *sink)
{
	_cleanup_free_ char *piece = malloc(PIECE);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	if (!piece)
		return -ENOMEM;
	do {
		n = read(fd, piece, PIECE);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			feed(piece, (size_t)n, sink);
	} while (n != 0);
	return 0;
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
		cli_error("--kernel-log=%s: %s", path, strerror(-r));
		return EXIT_CODE_FAILED;
	}
	if (!kernel_log_end(log)) {
		cli_error("--kernel-log=%s: holds no line of a kernel", path);
		return EXIT_CODE_FAILED;
	}
	*ret = steal(log);
	return EXIT_CODE_OK;
}

#define MODULE "/ahci.ko"
#define TAIL_MAX (sizeof(MODULE) - 2) /* what may be the beginning of it */

struct search {
	char tail[TAIL_MAX]; /* of the pieces before: what is sought may be cut */
	size_t tail_len;
	bool any, ahci; /* modules at all; ahci */
};

static void look_for(struct search *search, const char *text, size_t len)
{
	search->any |= memmem(text, len, ".ko", 3) != NULL;
	search->ahci |= memmem(text, len, MODULE, strlen(MODULE)) != NULL;
}

static void search_list(const char *text, size_t len, void *context)
{
	struct search *search = context;
	char seam[2 * TAIL_MAX];
	size_t part = len < TAIL_MAX ? len : TAIL_MAX;
	size_t total = search->tail_len + part;

	memcpy(seam, search->tail, search->tail_len);
	memcpy(seam + search->tail_len, text, part);
	look_for(search, seam, total);
	look_for(search, text, len);
	if (len >= TAIL_MAX) {
		memcpy(search->tail, text + len - TAIL_MAX, TAIL_MAX);
		search->tail_len = TAIL_MAX;
		return;
	}
	search->tail_len = total < TAIL_MAX ? total : TAIL_MAX;
	memcpy(search->tail, seam + total - search->tail_len, search->tail_len);
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
		struct search search = { .any = false };

		(void)snprintf(image, sizeof(image), "%s%s%s", tools[i].image,
			       trim(release), tools[i].suffix);
		if (access(image, R_OK) < 0 ||
		    run_program(argv, INITRAMFS_MS, search_list, &search) < 0)
			continue;
		if (search.any)
			return search.ahci ? "yes" : "no";
	}
	return NULL;
}

/* NULL if there is none, or if the root has one of its own. An exit code. */
static int find_log(const struct cli *cli, struct sink *sink, struct kernel_log **ret)
{
	int r = 0;

	if (cli->options.kernel_log)
		return load_file(cli->options.kernel_log, sink, ret);
	if (root_is_live(cli->machine))
		r = find_live_log(sink, ret);
	if (r == 0)
		return EXIT_CODE_OK;
	cli_error("cannot read the kernel log: %s", strerror(-r));
	return EXIT_CODE_FAILED;
}

int cli_read_kernel_log(const struct cli *cli, output_handler handler, void *context)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	struct sink sink = { .also = handler, .context = context };

	return find_log(cli, &sink, &log);
}

int cli_add_evidence(struct cli *cli)
{
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	struct evidence_source source = { .context = cli };
	struct sink sink = { .also = NULL };
	int code = find_log(cli, &sink, &log), r = 0;

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
