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

/* Reading should leave no trace; only the owner of a file may ask for that. */
static int open_quietly(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOATIME | flags);

	if (fd < 0 && errno == EPERM)
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
	return fd < 0 ? -errno : fd;
}

static int choose_path(const struct measure_request *request,
		       struct measure_report *report, char **ret)
{
	struct stat st = { 0 };
	int r = 0;

	if (stat(request->path, &st) < 0)
		return refuse(report, -errno, "%s: %s", request->path, strerror(errno));
	if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) {
		*ret = strdup(request->path);
		return *ret ? 0 : refuse(report, -ENOMEM, "no memory");
	}
	if (!S_ISDIR(st.st_mode))
		return refuse(report, -EOPNOTSUPP,
			      "%s is neither a disk, nor a file, nor a folder",
			      request->path);
	r = folder_choose(request->path, ret);
	if (r == -ENOENT)
		return refuse(report, -ENOSPC,
			      "there is no file of at least %llu MiB that we may read in "
			      "%s: name a file, or let one be made with --write %s",
			      FOLDER_FILE_MIN >> 20, request->path, request->path);
	if (r < 0)
		return refuse(report, r, "%s: %s", request->path, strerror(-r));
	note(report, "read from %s, the largest file found in %s", *ret, request->path);
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
static int open_direct(const char *path, const struct stat *st,
		       struct measure_report *report, struct target *target)
{
	const char *why = NULL;
	const char *name = fs_name(target->cached_fd, &why);
	int r = 0;

	if (S_ISBLK(st->st_mode)) {
		(void)snprintf(report->medium, sizeof(report->medium), "disk node");
	} else if (why) {
		return refuse(report, -EOPNOTSUPP,
			      "%s lies on %s: %s, so that this would measure no disk",
			      path, name, why);
	} else {
		(void)snprintf(report->medium, sizeof(report->medium), "file%s%s",
			       *name ? " on " : "", name);
	}
	r = direct_alignment(target->cached_fd, st, &target->alignment);
	if (r >= 0)
		r = open_quietly(path, O_DIRECT);
	if (r == -EINVAL || r == -EOPNOTSUPP)
		return refuse(report, -EOPNOTSUPP,
			      "%s cannot be read directly: its file system always uses "
			      "the page cache for it", path);
	if (r < 0)
		return refuse(report, r, "%s may not be opened: %s", path, strerror(-r));
	target->direct_fd = r;
	return 0;
}

int target_open(const struct measure_request *request, struct measure_report *report,
		struct target *ret)
{
	_cleanup_(target_close) struct target target = { .direct_fd = -1,
							 .cached_fd = -1,
							 .dsync_fd = -1 };
	_cleanup_free_ char *path = NULL;
	struct stat st = { 0 };
	int r = choose_path(request, report, &path);

	if (r < 0)
		return r;
	r = open_quietly(path, 0);
	if (r == -ENOMEDIUM)
		return refuse(report, r, "%s has no medium", path);
	if (r < 0)
		return refuse(report, r, "%s may not be opened: %s", path, strerror(-r));
	target.cached_fd = r;
	if (fstat(target.cached_fd, &st) < 0)
		return refuse(report, -errno, "%s: %s", path, strerror(errno));
	r = open_direct(path, &st, report, &target);
	if (r >= 0)
		r = find_size(path, &st, report, &target);
	if (r >= 0)
		r = find_extents(path, &st, report, &target);
	if (r < 0)
		return r;
	*ret = target;
	target = (struct target){ .direct_fd = -1, .cached_fd = -1, .dsync_fd = -1 };
	return 0;
}

uint64_t target_blocks(const struct target *target, uint32_t size)
{
	return size > 0 ? target->usable / size : 0;
}

/* The extent that holds the byte @at, counted over all extents. */
static size_t extent_at(const struct target *target, uint64_t at)
{
	size_t low = 0, high = target->n_extents;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (target->extents[middle].before <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t target_offset(const struct target *target, uint32_t size, uint64_t number)
{
	uint64_t at = number * size, within = 0, room = 0;
	size_t first = extent_at(target, at);

	/* A block ends where its extent does; one that does not fit lies in the next. */
	for (size_t i = 0; i < target->n_extents; i++) {
		const struct extent *extent =
			&target->extents[(first + i) % target->n_extents];

		if (extent->length < size)
			continue;
		within = i == 0 ? at - extent->before : 0;
		room = extent->length - size;
		return extent->start + (within < room ? within : room);
	}
	return target->size > size ? round_down(target->size - size, BLOCK_BYTES) : 0;
}
