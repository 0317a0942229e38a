/* SPDX-License-Identifier: MIT */
/*
 * Between the files target*.c, which find what is read from.
 */
#pragma once

#include <sys/stat.h>

#include "measure/internal.h"

#define TARGET_BYTES_MIN (16ULL << 20) /* below that a drive's own cache answers */
#define FOLDER_FILE_MIN (64ULL << 20) /* of a file that is chosen in a folder */
#define EXTENT_BYTES_MIN (1ULL << 20) /* shorter ones are left out if others are there */
#define EXTENTS_MAX 65536
#define BLOCK_BYTES 4096ULL /* the smallest one that is read or written */

/* Of the page cache: 4 KiB, or more on other machines than this one's kind. */
static inline uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static inline uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

static inline uint64_t round_down(uint64_t value, uint64_t to)
{
	return value / to * to;
}

/* Sets the text of report->refusal and returns @error. */
_printf_(3, 4) int refuse(struct measure_report *report, int error, const char *format,
			  ...);

/* Adds to report->notes, each text once; too many are left out. */
_printf_(2, 3) void note(struct measure_report *report, const char *format, ...);

/* --- target-fs.c -------------------------------------------------------------------- */

/*
 * The name of the file system that @fd lies on, and whether its direct reads are known
 * not to be direct; then *ret_why says what it is instead.
 */
const char *fs_name(int fd, const char **ret_why);

/*
 * The alignment that direct reads of @fd, which is open for them, need: what is declared,
 * else what is tried. -EOPNOTSUPP if the file system says that it would not read
 * directly.
 */
int direct_alignment(int fd, const struct stat *st, uint32_t *ret);

/* As far as nothing is declared. */
uint32_t tried_alignment(int fd, const struct stat *st);

/* The smallest whole number of KiB, at least BLOCK_BYTES, that @alignment divides. */
uint32_t direct_block(uint32_t alignment);

/* Memory for direct reads of @size bytes; NULL if there is none. */
void *direct_memory(uint32_t alignment, size_t size);

/* --- target-folder.c ---------------------------------------------------------------- */

/*
 * The path of the largest file of @folder and what is below it on the same device, those
 * that we own first, and a descriptor of it (O_PATH): who may write to the folder may put
 * something else in its place at any time. -ENOENT if none has FOLDER_FILE_MIN bytes.
 * -ENOMEM and what opening the folder gives.
 */
int folder_choose(const char *folder, char **ret_path, int *ret_fd);

/* --- target-extents.c --------------------------------------------------------------- */

struct extents {
	struct extent *list;
	size_t n;
	uint64_t usable; /* bytes in them */
	uint64_t unwritten, encoded, other; /* bytes that do not count */
};

/* Appends, or lengthens the last one. -ENOMEM, -ENOSPC (there are EXTENTS_MAX). */
int extents_add(struct extents *extents, uint64_t start, uint64_t end);
void extents_done(struct extents *extents);

/* Where the file has data that a direct read gets from the disk. */
int extents_find(int fd, uint64_t size, uint32_t alignment, struct extents *ret);
