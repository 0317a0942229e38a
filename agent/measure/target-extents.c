/* SPDX-License-Identifier: MIT */
/*
 * Where a file has data on the disk. A hole and room that was never written read as
 * zeros without any disk; compressed data is read through the page cache; data among the
 * metadata is there already. All of these would be measured as a wonderful disk.
 */
#include "measure/target.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#define FIEMAP_AT_ONCE 256

/* Extents whose data a direct read does not get from a place of their own. */
#define FIEMAP_NOT_DIRECT                                                            \
	(FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |    \
	 FIEMAP_EXTENT_NOT_ALIGNED | FIEMAP_EXTENT_DATA_INLINE |                     \
	 FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_UNWRITTEN)

int extents_add(struct extents *extents, uint64_t start, uint64_t end)
{
	struct extent *last = extents->n > 0 ? &extents->list[extents->n - 1] : NULL;
	struct extent *list = NULL;

	if (end <= start)
		return 0;
	if (last && last->start + last->length == start) {
		last->length += end - start;
		extents->usable += end - start;
		return 0;
	}
	if (extents->n == EXTENTS_MAX)
		return -ENOSPC;
	if ((extents->n & (extents->n - 1)) == 0) { /* doubles at each power of two */
		list = reallocarray(extents->list, extents->n > 0 ? 2 * extents->n : 1,
				    sizeof(*list));
		if (!list)
			return -ENOMEM;
		extents->list = list;
	}
	extents->list[extents->n++] = (struct extent){ .start = start,
						       .length = end - start,
						       .before = extents->usable };
	extents->usable += end - start;
	return 0;
}

void extents_done(struct extents *extents)
{
	free(extents->list);
}

static void count_left_out(struct extents *extents, const struct fiemap_extent *extent)
{
	if (extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
		extents->unwritten += extent->fe_length;
	else if (extent->fe_flags & FIEMAP_EXTENT_ENCODED)
		extents->encoded += extent->fe_length;
	else
		extents->other += extent->fe_length;
}

static int take_extent(struct extents *extents, const struct fiemap_extent *extent,
		       uint64_t size)
{
	uint64_t end = extent->fe_logical + extent->fe_length;

	if (extent->fe_logical >= size)
		return 0;
	if (extent->fe_flags & FIEMAP_NOT_DIRECT) {
		count_left_out(extents, extent);
		return 0;
	}
	return extents_add(extents, extent->fe_logical, end < size ? end : size);
}

/* -EOPNOTSUPP and -ENOTTY if the file system does not tell. */
static int find_by_fiemap(int fd, uint64_t size, struct extents *ret)
{
	_cleanup_free_ struct fiemap *map =
		malloc(sizeof(*map) + FIEMAP_AT_ONCE * sizeof(struct fiemap_extent));
	uint64_t at = 0;
	bool last = false;
	int r = map ? 0 : -ENOMEM;

	while (r >= 0 && !last && at < size) {
		*map = (struct fiemap){ .fm_start = at,
					.fm_length = size - at,
					.fm_extent_count = FIEMAP_AT_ONCE };
		if (ioctl(fd, FS_IOC_FIEMAP, map) < 0)
			return -errno;
		if (map->fm_mapped_extents == 0)
			break;
		for (uint32_t i = 0; i < map->fm_mapped_extents && r >= 0; i++) {
			const struct fiemap_extent *extent = &map->fm_extents[i];

			r = take_extent(ret, extent, size);
			at = extent->fe_logical + extent->fe_length;
			last = extent->fe_flags & FIEMAP_EXTENT_LAST;
		}
	}
	return r;
}

static int find_by_seek(int fd, uint64_t size, struct extents *ret)
{
	off_t data = lseek(fd, 0, SEEK_DATA);
	int r = 0;

	if (data < 0 && errno != ENXIO) /* one that cannot have holes */
		return extents_add(ret, 0, size);
	while (data >= 0 && (uint64_t)data < size && r >= 0) {
		off_t hole = lseek(fd, data, SEEK_HOLE);

		if (hole < 0)
			return -errno;
		r = extents_add(ret, (uint64_t)data,
				(uint64_t)hole < size ? (uint64_t)hole : size);
		data = lseek(fd, hole, SEEK_DATA);
	}
	return r;
}

/* Whole blocks, and no crumbs unless there is little else. */
static int trim_extents(struct extents *extents, uint64_t block, uint64_t length_min,
			struct extents *ret)
{
	int r = 0;

	for (size_t i = 0; i < extents->n && r >= 0; i++) {
		uint64_t start = round_up(extents->list[i].start, block);
		uint64_t end = round_down(extents->list[i].start +
						  extents->list[i].length,
					  block);

		if (end > start && end - start >= length_min)
			r = extents_add(ret, start, end);
	}
	return r;
}

int extents_find(int fd, uint64_t size, uint32_t alignment, struct extents *ret)
{
	_cleanup_(extents_done) struct extents all = { 0 }, long_ones = { 0 },
					       blocks = { 0 };
	uint64_t block = alignment > BLOCK_BYTES ? alignment : BLOCK_BYTES;
	int r = find_by_fiemap(fd, size, &all);

	if (r == -EOPNOTSUPP || r == -ENOTTY || r == -EINVAL)
		r = find_by_seek(fd, size, &all);
	if (r < 0 && r != -ENOSPC)
		return r;
	r = trim_extents(&all, block, EXTENT_BYTES_MIN, &long_ones);
	if (r >= 0)
		r = trim_extents(&all, block, block, &blocks);
	if (r < 0)
		return r;
	if (long_ones.usable >= TARGET_BYTES_MIN && long_ones.usable * 2 >= blocks.usable)
		*ret = (struct extents){ .list = steal(long_ones.list),
					 .n = long_ones.n,
					 .usable = long_ones.usable };
	else
		*ret = (struct extents){ .list = steal(blocks.list),
					 .n = blocks.n,
					 .usable = blocks.usable };
	ret->unwritten = all.unwritten;
	ret->encoded = all.encoded;
	ret->other = all.other;
	return 0;
}
