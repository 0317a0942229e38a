/* SPDX-License-Identifier: MIT */
/*
 * A part of the target for reads through the page cache. Those leave pages behind, and a
 * page cache is somebody's work: what was in it is neither read nor dropped, and what we
 * bring in is dropped again. The part is limited, so that a disk of many terabytes can
 * be looked after as well as a small file.
 */
#include "measure/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "measure/target.h"

#define UNKNOWN_USER 65534 /* /proc/sys/kernel/overflowuid, unless it was changed */
#define STRETCHES 64
#define MAP_BYTES (256ULL << 20) /* at once; 32 bits have no room for more */
#define DROP_TRIES 25
#define DROP_PAUSE_NS 20000000L
#define MARGIN_MIN (8ULL << 20) /* beyond a stretch, that readahead may touch */
#define MARGIN_MAX (128ULL << 20)

static bool may_act_as_owner(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capget, &header, data) == 0 &&
	       (data[0].effective & 1U << CAP_FOWNER);
}

/*
 * mincore(2) says "all there" of a file that the caller neither owns, nor may act for its
 * owner (CAP_FOWNER), nor may write (mm/mincore.c, can_do_mincore()). Whether root may
 * write is no question then: it may not on a file system that is mounted read-only. That
 * capability is none over a user that this user name space does not know.
 */
static bool mincore_is_true(int fd)
{
	char path[64] = { 0 };
	struct stat st = { 0 };

	if (fstat(fd, &st) >= 0 &&
	    (st.st_uid == geteuid() ||
	     (st.st_uid != UNKNOWN_USER && may_act_as_owner())))
		return true;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* The bytes from @from to @to of all extents together, as stretches of the file. */
static int add_part(const struct target *whole, uint64_t from, uint64_t to,
		    struct extents *ret)
{
	int r = 0;

	for (size_t i = 0; i < whole->n_extents && r >= 0; i++) {
		const struct extent *extent = &whole->extents[i];
		uint64_t start = extent->before > from ? extent->before : from;
		uint64_t end = extent->before + extent->length;

		end = end < to ? end : to;
		if (start < end)
			r = extents_add(ret, extent->start + start - extent->before,
					extent->start + end - extent->before);
	}
	return r;
}

static int choose_stretches(const struct target *whole, uint64_t max_bytes,
			    struct extents *ret)
{
	uint64_t step = round_down(whole->usable / STRETCHES, page_bytes());
	uint64_t length = round_down(max_bytes / STRETCHES, page_bytes());
	int r = 0;

	if (whole->usable <= max_bytes)
		return add_part(whole, 0, whole->usable, ret);
	for (uint64_t i = 0; i < STRETCHES && r >= 0; i++)
		r = add_part(whole, i * step, i * step + length, ret);
	return r;
}

/* What readahead from within the stretches may reach: with a margin, and joined. */
static int find_areas(const struct extents *stretches, uint64_t margin, uint64_t size,
		      struct extents *ret)
{
	uint64_t start = 0, end = 0;
	int r = 0;

	for (size_t i = 0; i < stretches->n && r >= 0; i++) {
		const struct extent *stretch = &stretches->list[i];
		uint64_t from = stretch->start > margin ? stretch->start - margin : 0;
		uint64_t to = stretch->start + stretch->length + margin;

		if (from > end) {
			r = extents_add(ret, start, end);
			start = round_down(from, page_bytes());
		}
		end = round_up(to < size ? to : size, page_bytes());
	}
	return r < 0 ? r : extents_add(ret, start, end);
}

static int ask_mincore_at(int fd, uint64_t start, size_t length, unsigned char *ret)
{
	void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)start);
	int r = 0;

	if (map == MAP_FAILED)
		return -errno;
	if (mincore(map, length, ret) < 0)
		r = -errno;
	(void)munmap(map, length);
	return r;
}

/* One byte for each page of the area, at @ret. */
static int ask_mincore(int fd, const struct extent *area, unsigned char *ret)
{
	int r = 0;

	for (uint64_t at = 0; at < area->length && r >= 0; at += MAP_BYTES) {
		uint64_t left = area->length - at;

		r = ask_mincore_at(fd, area->start + at,
				   (size_t)(left < MAP_BYTES ? left : MAP_BYTES),
				   ret + at / page_bytes());
	}
	return r;
}

static int ask_mincore_all(const struct target *view, unsigned char *ret)
{
	int r = 0;

	for (size_t i = 0; i < view->n_areas && r >= 0; i++)
		r = ask_mincore(view->cached_fd, &view->areas[i],
				ret + view->areas[i].before / page_bytes());
	return r;
}

/* The page in target->resident, or n_pages if nothing is known of it. */
static size_t page_at(const struct target *target, uint64_t offset)
{
	size_t low = 0, high = target->n_areas;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct extent *area = &target->areas[middle];

		if (offset < area->start)
			high = middle;
		else if (offset >= area->start + area->length)
			low = middle + 1;
		else
			return (size_t)((area->before + offset - area->start) /
					page_bytes());
	}
	return target->n_pages;
}

bool target_was_resident(const struct target *target, uint64_t offset)
{
	size_t page = page_at(target, offset);

	return page < target->n_pages && (target->resident[page] & 1);
}

/* The stretches without what is resident, in pieces that are worth a read. */
static int leave_out_resident(const struct target *view, const struct extents *stretches,
			      uint64_t length_min, struct extents *ret)
{
	int r = 0;

	for (size_t i = 0; i < stretches->n && r >= 0; i++) {
		uint64_t start = stretches->list[i].start, at = start;
		uint64_t end = start + stretches->list[i].length;

		for (; at < end && r >= 0; at += page_bytes()) {
			if (!target_was_resident(view, at))
				continue;
			if (at >= start + length_min)
				r = extents_add(ret, start, at);
			start = at + page_bytes();
		}
		if (r >= 0 && end >= start + length_min)
			r = extents_add(ret, start, end);
	}
	return r;
}

static int make_view(const struct target *whole, const struct extents *stretches,
		     uint64_t margin, struct target *view)
{
	_cleanup_(extents_done) struct extents areas = { 0 }, pieces = { 0 };
	uint64_t least = EXTENT_BYTES_MIN;
	int r = find_areas(stretches, margin, round_up(whole->size, page_bytes()),
			   &areas);

	if (r < 0)
		return r;
	view->n_areas = areas.n;
	view->areas = steal(areas.list);
	view->n_pages = (size_t)(areas.usable / page_bytes());
	view->resident = calloc(view->n_pages, 1);
	if (!view->resident)
		return -ENOMEM;
	r = ask_mincore_all(view, view->resident);
	if (r < 0)
		return r;
	if (whole->n_extents > 0 && whole->usable / whole->n_extents < least)
		least = page_bytes(); /* a file in crumbs */
	r = leave_out_resident(view, stretches, least, &pieces);
	if (r < 0)
		return r;
	view->extents = steal(pieces.list);
	view->n_extents = pieces.n;
	view->usable = pieces.usable;
	return view->usable >= VIEW_BYTES_MIN ? 0 : -ENODATA;
}

int target_view(const struct target *whole, uint64_t max_bytes, uint64_t readahead_kb,
		struct target *ret)
{
	_cleanup_(extents_done) struct extents stretches = { 0 };
	_cleanup_(target_close) struct target view = *whole;
	uint64_t margin = readahead_kb * 1024 * 4;
	int r = 0;

	view.is_view = true;
	view.extents = view.areas = NULL;
	view.resident = NULL;
	view.n_extents = view.n_areas = view.n_pages = 0;
	if (whole->cached_fd < 0 || !mincore_is_true(whole->cached_fd))
		return -EPERM;
	margin = margin < MARGIN_MIN ? MARGIN_MIN : margin;
	margin = margin > MARGIN_MAX ? MARGIN_MAX : margin;
	r = choose_stretches(whole, max_bytes, &stretches);
	if (r >= 0)
		r = make_view(whole, &stretches, margin, &view);
	if (r < 0)
		return r;
	*ret = view;
	view.extents = view.areas = NULL;
	view.resident = NULL;
	return 0;
}

static void drop_area(const struct target *view, const struct extent *area)
{
	const unsigned char *resident = view->resident + area->before / page_bytes();
	size_t n = (size_t)(area->length / page_bytes()), start = 0;

	for (size_t page = 0; page <= n; page++) {
		if (page < n && !(resident[page] & 1))
			continue;
		if (page > start)
			(void)posix_fadvise(view->cached_fd,
					    (off_t)(area->start + start * page_bytes()),
					    (off_t)((page - start) * page_bytes()),
					    POSIX_FADV_DONTNEED);
		start = page + 1;
	}
}

void target_drop(const struct target *target)
{
	for (size_t i = 0; i < target->n_areas; i++)
		drop_area(target, &target->areas[i]);
}

/* Pages that are in the page cache and were not at first. */
static uint64_t pages_brought_in(const struct target *target)
{
	_cleanup_free_ unsigned char *now = calloc(target->n_pages + 1, 1);
	uint64_t n = 0;

	if (!now || ask_mincore_all(target, now) < 0)
		return 0;
	for (size_t i = 0; i < target->n_pages; i++)
		n += (now[i] & 1) && !(target->resident[i] & 1);
	return n;
}

void target_drop_all(const struct target *target)
{
	const struct timespec pause = { .tv_nsec = DROP_PAUSE_NS };

	target_drop(target);
	for (unsigned int tries = 0; tries < DROP_TRIES && pages_brought_in(target) > 0;
	     tries++) {
		(void)nanosleep(&pause, NULL);
		target_drop(target);
	}
}

unsigned int target_filled(const struct target *target)
{
	uint64_t filled = 0, pages = target->usable / page_bytes();

	if (pages == 0)
		return 0;
	filled = pages_brought_in(target);
	filled = filled < pages ? filled : pages;
	return (unsigned int)(filled * 1000 / pages);
}
