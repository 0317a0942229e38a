/* SPDX-License-Identifier: MIT */
/*
 * A table that is open for reading in one of the three ways, and what can be told to the
 * page cache about it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum io_mode { MODE_DIRECT, MODE_BUFFERED, MODE_MMAP, _MODE_MAX };

enum hint { HINT_NORMAL, HINT_RANDOM, HINT_SEQUENTIAL, HINT_WILLNEED, _HINT_MAX };

/* Auto: io_uring for direct reads if the kernel lets us, else threads. */
enum io_engine { ENGINE_THREADS, ENGINE_URING, ENGINE_AUTO, _ENGINE_MAX };

extern const char *const mode_words[_MODE_MAX];
extern const char *const hint_words[_HINT_MAX];
extern const char *const engine_words[_ENGINE_MAX];

/* The index of @word, or -EINVAL. */
int word_index(const char *const *words, unsigned int n, const char *word);

struct source {
	enum io_mode mode;
	int fd;
	unsigned char *map; /* of the whole file; NULL unless the mode is mmap */
	uint64_t size; /* bytes */
	uint64_t rows;
};

#define SOURCE_NONE ((struct source){ .fd = -1 })

/*
 * Opens and gives the hint, but for willneed, which is source_prefetch()'s. -EOPNOTSUPP:
 * the file system has no direct I/O; -ENODATA: there is no row; the errors of open(2),
 * mmap(2), posix_fadvise(2) and madvise(2).
 */
int source_open(const char *path, enum io_mode mode, enum hint hint, struct source *ret);

/* Leaves SOURCE_NONE behind, and takes it. */
void source_close(struct source *source);

/* Asks for the first @length bytes with the hint willneed. */
int source_prefetch(const struct source *source, uint64_t length);

/* The engine that reads this mode, if @wanted is what was asked for. */
enum io_engine source_engine(enum io_mode mode, enum io_engine wanted);

/* Takes this file out of the page cache. Dirty pages are written first. */
int file_drop(const char *path);

/* Reads the first @length bytes into the page cache. */
int file_warm(const char *path, uint64_t length);
