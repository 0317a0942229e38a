/* SPDX-License-Identifier: MIT */
/*
 * One call with WILLNEED reads no more than the larger of the readahead and the largest
 * request of the disk, whatever length it names (mm/readahead.c, force_page_cache_ra()),
 * so a file is asked for in small steps.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "table.h"

#define PREFETCH_STEP (128 * KIB)

const char *const mode_words[_MODE_MAX] = {
	[MODE_DIRECT] = "direct",
	[MODE_BUFFERED] = "buffered",
	[MODE_MMAP] = "mmap",
};

const char *const hint_words[_HINT_MAX] = {
	[HINT_NORMAL] = "normal",
	[HINT_RANDOM] = "random",
	[HINT_SEQUENTIAL] = "sequential",
	[HINT_WILLNEED] = "willneed",
};

const char *const engine_words[_ENGINE_MAX] = {
	[ENGINE_THREADS] = "threads",
	[ENGINE_URING] = "io_uring",
	[ENGINE_AUTO] = "auto",
};

static const int fadvise_values[_HINT_MAX] = {
	[HINT_NORMAL] = POSIX_FADV_NORMAL,
	[HINT_RANDOM] = POSIX_FADV_RANDOM,
	[HINT_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
	[HINT_WILLNEED] = POSIX_FADV_WILLNEED,
};

static const int madvise_values[_HINT_MAX] = {
	[HINT_NORMAL] = MADV_NORMAL,
	[HINT_RANDOM] = MADV_RANDOM,
	[HINT_SEQUENTIAL] = MADV_SEQUENTIAL,
	[HINT_WILLNEED] = MADV_WILLNEED,
};

int word_index(const char *const *words, unsigned int n, const char *word)
{
	for (unsigned int i = 0; i < n; i++) {
		if (strcmp(words[i], word) == 0)
			return (int)i;
	}
	return -EINVAL;
}

/* Hints say nothing to direct reads. */
static int give_hint(const struct source *source, enum hint hint, uint64_t offset,
		     uint64_t length)
{
	switch (source->mode) {
	case MODE_DIRECT:
		return 0;
	case MODE_BUFFERED:
		return -posix_fadvise(source->fd, (off_t)offset, (off_t)length,
				      fadvise_values[hint]);
	case MODE_MMAP:
		return madvise(source->map + offset, length, madvise_values[hint]) < 0 ?
			       -errno :
			       0;
	case _MODE_MAX:
		break;
	}
	return -EINVAL;
}

static int open_file(const char *path, enum io_mode mode, int *ret_fd)
{
	int flags = O_RDONLY | O_CLOEXEC | (mode == MODE_DIRECT ? O_DIRECT : 0);
	int fd = open(path, flags);

	if (fd < 0 && errno == EINVAL && mode == MODE_DIRECT)
		return -EOPNOTSUPP;
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

int source_open(const char *path, enum io_mode mode, enum hint hint, struct source *ret)
{
	_cleanup_(source_close) struct source source = SOURCE_NONE;
	struct stat st;
	void *map = NULL;
	int r = open_file(path, mode, &source.fd);

	source.mode = mode;
	if (r < 0)
		return r;
	if (fstat(source.fd, &st) < 0)
		return -errno;
	source.size = (uint64_t)st.st_size;
	source.rows = source.size / ROW_BYTES;
	if (source.rows == 0)
		return -ENODATA;
	if (mode == MODE_MMAP) {
		map = mmap(NULL, source.size, PROT_READ, MAP_SHARED, source.fd, 0);
		if (map == MAP_FAILED)
			return -errno;
		source.map = map;
	}
	if (hint != HINT_WILLNEED)
		r = give_hint(&source, hint, 0, source.size);
	if (r < 0)
		return r;
	*ret = source;
	source = SOURCE_NONE;
	return 0;
}

void source_close(struct source *source)
{
	if (source->map)
		(void)munmap(source->map, source->size);
	close_p(&source->fd);
	*source = SOURCE_NONE;
}

int source_prefetch(const struct source *source, uint64_t length)
{
	if (length > source->size)
		length = source->size;
	for (uint64_t offset = 0; offset < length; offset += PREFETCH_STEP) {
		uint64_t rest = length - offset;
		int r = give_hint(source, HINT_WILLNEED, offset,
				  rest < PREFETCH_STEP ? rest : PREFETCH_STEP);

		if (r < 0)
			return r;
	}
	return 0;
}

static bool have_uring(void)
{
	struct io_uring ring;

	if (io_uring_queue_init(2, &ring, 0) < 0)
		return false;
	io_uring_queue_exit(&ring);
	return true;
}

enum io_engine source_engine(enum io_mode mode, enum io_engine wanted)
{
	if (mode == MODE_MMAP)
		return ENGINE_THREADS;
	if (wanted != ENGINE_AUTO)
		return wanted;
	return mode == MODE_DIRECT && have_uring() ? ENGINE_URING : ENGINE_THREADS;
}

int file_drop(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (fdatasync(fd) < 0)
		return -errno;
	return -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

int file_warm(const char *path, uint64_t length)
{
	_cleanup_free_ unsigned char *buf = malloc(MIB);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	if (!buf)
		return -ENOMEM;
	for (uint64_t offset = 0; offset < length && n > 0; offset += (uint64_t)n) {
		n = pread(fd, buf, MIB, (off_t)offset);
		if (n < 0)
			return -errno;
	}
	return 0;
}
