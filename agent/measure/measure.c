/* SPDX-License-Identifier: MIT */
/*
 * A measurement from its beginning to its end: one at a time for a disk, what is read
 * from opened and proven to be the disk, the phases, and what there is to say of it.
 */
#include "measure/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "measure/target.h"

#define LOCK_WAIT_MS 30000 /* for another measurement of the disk to end */
#define BUDGET_MS_MIN 100
#define RESERVE_PERCENT 3 /* of the budget, for what is in flight at its end */
#define FILL_PERCENT 20
#define PROBE_PERCENT 4
#define WARM_UP_PERCENT 2
#define WAKE_US 1000000 /* a first read of more than that has woken the disk up */
#define SMALL_BYTES (256ULL << 20)

static void nap(void)
{
	(void)nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

static bool is_stopped(const struct measure_request *request)
{
	return request->stop && *request->stop;
}

/*
 * Two measurements of one disk would measure each other. The lock is on the disk's folder
 * in sysfs, which needs no permission and leaves nothing behind. -EINTR.
 */
static int lock_disk(const struct measure_request *request, struct measure_report *report,
		     int *ret_fd)
{
	_cleanup_close_ int fd = -1;

	if (!request->syspath)
		return 0;
	fd = open(request->syspath, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0; /* without it then */
	for (unsigned int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited += 50) {
		if (errno != EWOULDBLOCK)
			return 0;
		if (is_stopped(request))
			return -EINTR;
		if (waited >= LOCK_WAIT_MS)
			return refuse(report, -EBUSY,
				      "another measurement of %s does not end",
				      path_name(request->syspath));
		nap();
	}
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static uint64_t percent_us(const struct session *session, unsigned int percent)
{
	return session->request->budget_ms * 10ULL * percent;
}

static void start_clock(struct session *session, uint64_t now)
{
	session->started_us = now;
	session->deadline_us = now + percent_us(session, 100 - RESERVE_PERCENT);
}

static bool is_folder(const char *path)
{
	struct stat st = { 0 };

	return stat(path, &st) >= 0 && S_ISDIR(st.st_mode);
}

/* --- what is read from and written to --------------------------------------------- */

static int probe(struct session *session, const struct target *target)
{
	uint64_t started = clock_us(), us = percent_us(session, PROBE_PERCENT);
	int r = probe_direct(target, &session->watched, (unsigned int)(us / 1000),
			     session->request->stop, session->report, &session->read_us);

	/* A disk that stood still: the budget is for measuring. */
	if (r >= 0 && clock_us() - started > us + WAKE_US) {
		note(session->report, "the disk took %llu ms to wake up",
		     (unsigned long long)(clock_us() - started) / 1000);
		session->read_us = 1000;
		start_clock(session, clock_us());
	}
	return r;
}

/* Fills our own file, which is a point by itself. */
static int make_own(struct session *session)
{
	struct watch watch = { 0 };
	struct run run = { .target = &session->own,
			   .work = WORK_SEQUENTIAL_WRITE,
			   .depth = 1 };
	struct run_result result = { 0 };
	struct point point = { 0 };
	int r = 0;

	session_show(session, "writing a file of our own");
	watch_begin(&session->watched, &watch);
	r = target_make(session->request,
			(unsigned int)(percent_us(session, FILL_PERCENT) / 1000),
			session->report, &session->own, &point);
	if (r < 0)
		return r;
	session->writes = true;
	run.block_kb = point.block_kb;
	result.operations = point.operations;
	result.duration_us = point.duration_us;
	point.limits = watch_end(&watch, &run, &result);
	r = session_keep(session, &point);
	return r < 0 ? r : probe(session, &session->own);
}

/* The file of our own will do if there is no other, or if we may not open it. */
static int open_targets(struct session *session)
{
	const struct measure_request *request = session->request;
	const char *folder = request->write_folder;
	int r = folder ? make_own(session) : 0;

	if (r < 0)
		return r;
	session->reads = &session->own;
	if (!request->path && !folder)
		return refuse(session->report, -EINVAL, "nothing to measure");
	if (!request->path || (folder && is_folder(request->path)))
		return 0;
	r = target_open(request, session->report, &session->whole);
	if (folder && (r == -EPERM || r == -EACCES)) {
		note(session->report, "%s: the file in %s was read in its place",
		     session->report->refusal, folder);
		session->report->refusal[0] = '\0';
		return 0;
	}
	if (r < 0)
		return r;
	session->reads = &session->whole;
	return probe(session, &session->whole);
}

static uint64_t readahead_kb(const struct session *session)
{
	char path[ROOT_PATH_MAX] = { 0 }, text[32] = { 0 };
	uint64_t value = 0;

	if (!session->request->syspath ||
	    path_join(path, sizeof(path), session->request->syspath,
		      "queue/read_ahead_kb") < 0 ||
	    root_read(session->watched.root, path, text, sizeof(text), NULL) < 0)
		return 0;
	trim_end(text);
	return parse_u64(text, &value) < 0 ? 0 : value;
}

/* Reads through the page cache are left out where we could not clean up after them. */
static void open_view(struct session *session)
{
	uint64_t room = cache_room(session->watched.root, VIEW_BYTES_MAX);
	int r = -ENOBUFS;

	if (room >= TARGET_BYTES_MIN)
		r = target_view(session->reads, room, readahead_kb(session),
				&session->view);
	session->has_view = r >= 0;
	if (r >= 0)
		return;
	session_lacks(session);
	if (r == -ENOBUFS)
		note(session->report, "reads through the page cache are left out: only "
		     "%llu MiB of memory are to spare for them, an eighth of what is "
		     "available or a quarter of what a cgroup leaves",
		     (unsigned long long)room >> 20);
	else if (r == -EPERM)
		note(session->report, "reads through the page cache are left out: of a "
		     "file that we neither own nor may write the kernel does not say "
		     "what is in the cache");
	else if (r == -ENODATA)
		note(session->report, "reads through the page cache are left out: most "
		     "of what would be read is in it already");
	else
		note(session->report, "reads through the page cache are left out: %s",
		     strerror(-r));
}

static void describe_area(struct session *session)
{
	session->report->area_kb = session->reads->usable / 1024;
	session->block_kb = direct_block(session->reads->alignment) / 1024;
	if (session->reads->usable < SMALL_BYTES)
		note(session->report, "only %llu MiB are read from: a drive's own cache "
		     "may answer a part",
		     (unsigned long long)session->reads->usable >> 20);
}

static int run_all(struct session *session)
{
	int r = open_targets(session);

	if (r < 0)
		return r;
	describe_area(session);
	r = session_warm_up(session, percent_us(session, WARM_UP_PERCENT));
	if (r < 0)
		return r;
	open_view(session);
	return phases_run(session);
}

/* --- the whole -------------------------------------------------------------------- */

static void session_done(struct session *session)
{
	/* What an arm left behind when it was stopped. */
	if (session->has_view)
		target_drop_all(&session->view);
	target_close(&session->view);
	target_close(&session->whole);
	target_close(&session->own);
	watched_done(&session->watched);
	free(session->points);
}

static int run_session(struct session *session)
{
	const struct measure_request *request = session->request;
	_cleanup_close_ int lock = -1;
	_cleanup_root_ struct root *root = NULL;
	int r = root_new("/", &root);

	session->points = calloc(POINTS_MAX, sizeof(*session->points));
	if (r < 0 || !session->points)
		return refuse(session->report, -ENOMEM, "no memory");
	r = lock_disk(request, session->report, &lock);
	if (r < 0)
		return r;
	start_clock(session, clock_us());
	session->seed = clock_us();
	watched_find(root, request->syspath, &session->watched);
	r = run_all(session);
	notes_of_limits(session);
	return r;
}

int measure_run(const struct measure_request *request, struct measure_report *ret)
{
	static const struct target closed = { .direct_fd = -1,
					      .cached_fd = -1,
					      .dsync_fd = -1 };
	struct measure_request copy = *request;
	_cleanup_(session_done) struct session session = { .request = &copy,
							   .report = ret,
							   .whole = closed,
							   .view = closed,
							   .own = closed,
							   .engine = IO_ENGINE_IO_URING };
	int r = 0;

	*ret = (struct measure_report){ .complete = true };
	if (copy.budget_ms == 0)
		copy.budget_ms = MEASURE_BUDGET_MS;
	if (copy.budget_ms < BUDGET_MS_MIN)
		copy.budget_ms = BUDGET_MS_MIN;
	if (copy.no_io_uring)
		session.engine = IO_ENGINE_THREADS;
	r = run_session(&session);
	if (r < 0)
		ret->complete = false;
	if (r == -EINTR) {
		ret->interrupted = true;
		ret->refusal[0] = '\0';
	}
	return r == -EINTR || r > 0 ? 0 : r;
}
