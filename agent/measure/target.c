/* SPDX-License-Identifier: MIT */
/*
 * What is read from: a disk's node, a file, or the largest file of a folder, opened for
 * reading and for nothing else. What would not be read directly from the disk is
 * refused, as far as the file system tells; probe.c looks at the disk for the rest.
 */
#include "measure/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/text.h"

int refuse(struct measure_report *report, int error, const char *format, ...)
{
	char text[sizeof(report->refusal)] = { 0 };
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)printable(text, report->refusal, sizeof(report->refusal));
	return error;
}

void note(struct measure_report *report, const char *format, ...)
{
	char text[sizeof(report->notes[0])] = { 0 };
	char clean[sizeof(text)] = { 0 };
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)printable(text, clean, sizeof(clean));
	for (size_t i = 0; i < report->n_notes; i++) {
		if (strcmp(report->notes[i], clean) == 0)
			return;
	}
	if (report->n_notes < ARRAY_SIZE(report->notes))
		memcpy(report->notes[report->n_notes++], clean, sizeof(clean));
}

void target_close(struct target *target)
{
	if (!target->is_view) {
		close_p(&target->direct_fd);
		close_p(&target->cached_fd);
		close_p(&target->dsync_fd);
	}
	free(target->extents);
	free(target->areas);
	free(target->resident);
	*target = (struct target){ .direct_fd = -1, .cached_fd = -1, .dsync_fd = -1 };
}

/* What was found, and is to be opened more than once, whatever its path says by then. */
struct place {
	char *path; /* owned, for messages */
	int fd; /* O_PATH */
	struct stat st;
};

static void place_done(struct place *place)
{
	free(place->path);
	close_p(&place->fd);
}

static bool is_same(int fd, const struct place *place)
{
	struct stat st = { 0 };

	return fstat(fd, &st) >= 0 && st.st_dev == place->st.st_dev &&
	       st.st_ino == place->st.st_ino;
}

/* Through the descriptor; where there is no /proc by name, and then it is compared. */
static int open_place(const struct place *place, int flags)
{
	char path[64] = { 0 };
	int fd = -1;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", place->fd);
	fd = open(path, flags);
	if (fd >= 0 || errno != ENOENT)
		return fd < 0 ? -errno : fd;
	fd = open(place->path, flags | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (is_same(fd, place))
		return fd;
	(void)close(fd);
	return -ESTALE;
}

/* Reading should leave no trace; only the owner of a file may ask for that. */
static int open_quietly(const struct place *place, int flags)
{
	int usual = O_RDONLY | O_CLOEXEC | O_NOCTTY | flags;
	int r = open_place(place, usual | O_NOATIME);

	return r == -EPERM ? open_place(place, usual) : r;
}

static int choose_place(const struct measure_request *request,
			struct measure_report *report, struct place *ret)
{
	struct stat st = { 0 };
	int r = 0;

	ret->fd = open(request->path, O_PATH | O_CLOEXEC);
	if (ret->fd < 0 || fstat(ret->fd, &st) < 0)
		return refuse(report, -errno, "%s: %s", request->path, strerror(errno));
	ret->st = st;
	if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) {
		ret->path = strdup(request->path);
		return ret->path ? 0 : refuse(report, -ENOMEM, "no memory");
	}
	if (!S_ISDIR(st.st_mode))
		return refuse(report, -EOPNOTSUPP,
			      "%s is neither a disk, nor a file, nor a folder",
			      request->path);
	close_p(&ret->fd);
	ret->fd = -1;
	r = folder_choose(request->path, &ret->path, &ret->fd);
	if (r == -ENOENT)
		return refuse(report, -ENOSPC,
			      "there is no file of at least %llu MiB that we may read in "
			      "%s: name a file, or let one be made with --write %s",
			      FOLDER_FILE_MIN >> 20, request->path, request->path);
	if (r < 0)
		return refuse(report, r, "%s: %s", request->path, strerror(-r));
	if (fstat(ret->fd, &ret->st) < 0)
		return refuse(report, -errno, "%s: %s", ret->path, strerror(errno));
	note(report, "read from %s, the largest file found in %s", ret->path,
	     request->path);
	return 0;
}

static int find_size(const char *path, const struct stat *st,
		     struct measure_report *report, struct target *target)
{
	uint64_t size = (uint64_t)st->st_size;

	if (S_ISBLK(st->st_mode) && ioctl(target->cached_fd, BLKGETSIZE64, &size) < 0)
		return refuse(report, -errno, "%s has no size: %s", path,
			      strerror(errno));
	if (S_ISBLK(st->st_mode) && size == 0)
		return refuse(report, -ENOMEDIUM, "%s has no medium", path);
	if (size < TARGET_BYTES_MIN)
		return refuse(report, -ENOSPC,
			      "%s is too small: it has %llu KiB, and %llu MiB are needed",
			      path, (unsigned long long)size >> 10,
			      TARGET_BYTES_MIN >> 20);
	target->size = size;
	return 0;
}

/* Says why a file whose data is somewhere else cannot be measured. */
static int judge_extents(const char *path, const struct extents *extents,
			 struct measure_report *report)
{
	if (extents->encoded > extents->usable)
		return refuse(report, -EOPNOTSUPP,
			      "most of %s is compressed or encrypted by the file system, "
			      "so that reads of it are not direct", path);
	if (extents->unwritten > extents->usable)
		return refuse(report, -EOPNOTSUPP,
			      "most of %s was never written: the file system answers "
			      "with zeros, without the disk", path);
	if (extents->other > extents->usable)
		return refuse(report, -EOPNOTSUPP,
			      "most of %s has no place of its own on the disk yet", path);
	if (extents->usable < TARGET_BYTES_MIN)
		return refuse(report, -EOPNOTSUPP,
			      "%s is mostly holes: it has only %llu KiB of data", path,
			      (unsigned long long)extents->usable >> 10);
	return 0;
}

static int find_extents(const char *path, const struct stat *st,
			struct measure_report *report, struct target *target)
{
	_cleanup_(extents_done) struct extents extents = { 0 };
	int r = 0;

	if (S_ISBLK(st->st_mode))
		r = extents_add(&extents, 0, round_down(target->size, EXTENT_BYTES_MIN));
	else
		r = extents_find(target->cached_fd, target->size, target->alignment,
				 &extents);
	if (r < 0)
		return refuse(report, r, "%s: where its data lies cannot be found: %s",
			      path, strerror(-r));
	r = judge_extents(path, &extents, report);
	if (r < 0)
		return r;
	target->extents = steal(extents.list);
	target->n_extents = extents.n;
	target->usable = extents.usable;
	return 0;
}

/* What the file system says about direct reads, and the descriptor for them. */
static int open_direct(const struct place *place, struct measure_report *report,
		       struct target *target)
{
	const char *path = place->path;
	const char *why = NULL;
	const char *name = fs_name(target->cached_fd, &why);
	int r = 0;

	if (S_ISBLK(place->st.st_mode)) {
		(void)snprintf(report->medium, sizeof(report->medium), "disk node");
	} else if (why) {
		return refuse(report, -EOPNOTSUPP,
			      "%s lies on %s: %s, so that this would measure no disk",
			      path, name, why);
	} else {
		(void)snprintf(report->medium, sizeof(report->medium), "file%s%s",
			       *name ? " on " : "", name);
	}
	r = open_quietly(place, O_DIRECT);
	if (r >= 0) {
		target->direct_fd = r;
		r = direct_alignment(r, &place->st, &target->alignment);
	}
	if (r == -EINVAL || r == -EOPNOTSUPP)
		return refuse(report, -EOPNOTSUPP,
			      "%s cannot be read directly: its file system always uses "
			      "the page cache for it", path);
	if (r < 0)
		return refuse(report, r, "%s may not be opened: %s", path, strerror(-r));
	return 0;
}

int target_open(const struct measure_request *request, struct measure_report *report,
		struct target *ret)
{
	_cleanup_(target_close) struct target target = { .direct_fd = -1,
							 .cached_fd = -1,
							 .dsync_fd = -1 };
	_cleanup_(place_done) struct place place = { .fd = -1 };
	int r = choose_place(request, report, &place);

	if (r < 0)
		return r;
	r = open_quietly(&place, 0);
	if (r == -ENOMEDIUM)
		return refuse(report, r, "%s has no medium", place.path);
	if (r < 0)
		return refuse(report, r, "%s may not be opened: %s", place.path,
			      strerror(-r));
	target.cached_fd = r;
	r = open_direct(&place, report, &target);
	if (r >= 0)
		r = find_size(place.path, &place.st, report, &target);
	if (r >= 0)
		r = find_extents(place.path, &place.st, report, &target);
	if (r < 0)
		return r;
	*ret = target;
	target = (struct target){ .direct_fd = -1, .cached_fd = -1, .dsync_fd = -1 };
	return 0;
}
