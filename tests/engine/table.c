/* SPDX-License-Identifier: MIT */
/*
 * Checking must cost much less than reading, or it would be what is measured: a row is
 * made from its number by twelve multiplications, about 10 ns, and compared.
 */
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"

#define ROW_WORDS ((ROW_BYTES + 7) / 8)
#define GOLDEN 0x9e3779b97f4a7c15ULL

uint64_t mix(uint64_t x)
{
	x += GOLDEN;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static void make_row(uint64_t row, uint64_t words[static ROW_WORDS])
{
	uint64_t x = mix(row);

	for (size_t i = 0; i < ROW_WORDS; i++) {
		x += GOLDEN;
		words[i] = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9ULL;
	}
}

/* How many bytes from @offset on are one row's, of at most @length. */
static size_t part_of_row(uint64_t offset, size_t length)
{
	size_t rest = ROW_BYTES - offset % ROW_BYTES;

	return rest < length ? rest : length;
}

void table_fill(uint64_t offset, unsigned char *buf, size_t length)
{
	uint64_t words[ROW_WORDS];

	for (size_t part = 0; length > 0; length -= part, buf += part) {
		part = part_of_row(offset, length);
		make_row(offset / ROW_BYTES, words);
		memcpy(buf, (unsigned char *)words + offset % ROW_BYTES, part);
		offset += part;
	}
}

uint64_t table_check(uint64_t offset, const unsigned char *buf, size_t length)
{
	uint64_t words[ROW_WORDS], bad = 0;

	for (size_t part = 0; length > 0; length -= part, buf += part) {
		const unsigned char *row = (unsigned char *)words + offset % ROW_BYTES;

		part = part_of_row(offset, length);
		make_row(offset / ROW_BYTES, words);
		bad += memcmp(buf, row, part) != 0;
		offset += part;
	}
	return bad;
}

static int write_all(int fd, const unsigned char *buf, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, buf, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf += n;
		length -= (size_t)n;
	}
	return 0;
}

int table_make(const char *path, uint64_t mib, uint64_t *ret_rows)
{
	_cleanup_free_ unsigned char *buf = malloc(MIB);
	int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	_cleanup_close_ int fd = open(path, flags, 0644);
	uint64_t rows = mib * MIB / ROW_BYTES, size = rows * ROW_BYTES;

	if (fd < 0)
		return -errno;
	if (!buf)
		return -ENOMEM;
	for (uint64_t offset = 0; offset < size; offset += MIB) {
		size_t length = size - offset < MIB ? (size_t)(size - offset) : MIB;
		int r = 0;

		table_fill(offset, buf, length);
		r = write_all(fd, buf, length);
		if (r < 0)
			return r;
	}
	if (fdatasync(fd) < 0)
		return -errno;
	*ret_rows = rows;
	return 0;
}
