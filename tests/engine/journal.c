/* SPDX-License-Identifier: MIT */
/*
 * A journal: each block is on stable storage when its write returns (O_DSYNC), and goes
 * past the page cache. By default the file grows with each block, as a log without
 * preallocation does, so the file system has its own sizes to write too; or it is written
 * beforehand and the blocks go over it, round after round.
 */
#include "gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "flight.h"
#include "table.h"

#define APPEND_MAX (1024 * MIB)

struct writing {
	const struct journal *journal;
	int fd;
	const unsigned char *block;
	struct tally *tallies;
	uint64_t start_ns, limit_ns;
	uint64_t size; /* where the blocks end, or begin anew */
	atomic_ullong taken; /* blocks */
	atomic_bool failed;
};

/* A file that has no name, or loses it at once where that is not to be had. */
static int open_nameless(const char *folder, int *ret_fd)
{
	int flags = O_RDWR | O_DIRECT | O_DSYNC | O_CLOEXEC;
	int fd = open(folder, flags | O_TMPFILE, 0600);
	char path[4096];

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		if (snprintf(path, sizeof(path), "%s/engine-XXXXXX", folder) >=
		    (int)sizeof(path))
			return -ENAMETOOLONG;
		fd = mkostemp(path, flags & ~O_RDWR);
		if (fd >= 0)
			(void)unlink(path);
	}
	if (fd < 0)
		return errno == EINVAL ? -EOPNOTSUPP : -errno;
	*ret_fd = fd;
	return 0;
}

static int write_at(int fd, const unsigned char *buf, size_t length, uint64_t offset)
{
	ssize_t n = pwrite(fd, buf, length, (off_t)offset);

	if (n < 0)
		return -errno;
	return (size_t)n == length ? 0 : -EIO;
}

/* False when the journal is complete. */
static bool next_block(struct writing *writing, uint64_t *ret_offset)
{
	const struct journal *journal = writing->journal;
	uint64_t block = journal->block_kb * KIB, blocks = writing->size / block;
	uint64_t number = atomic_fetch_add(&writing->taken, 1);

	if (journal->writes > 0 && number >= journal->writes)
		return false;
	if (journal->file_mib == 0 && number >= blocks)
		return false;
	*ret_offset = number % blocks * block;
	return true;
}

static int write_blocks(void *context, unsigned int index)
{
	struct writing *writing = context;
	struct tally *tally = &writing->tallies[index];
	uint64_t end_ns = writing->limit_ns ? writing->start_ns + writing->limit_ns :
					      UINT64_MAX;
	uint64_t now = now_ns(), offset = 0;

	while (!writing->failed && (now < end_ns || tally->reads == 0) &&
	       next_block(writing, &offset)) {
		uint64_t before = now;
		int r = write_at(writing->fd, writing->block,
				 writing->journal->block_kb * KIB, offset);

		if (r < 0) {
			writing->failed = true;
			return r;
		}
		now = now_ns();
		tally->reads++;
		latencies_add(&tally->latencies, now - before);
	}
	return 0;
}

/* Written, not only allocated: a block's first write changes more than the block. */
static int fill_file(int fd, uint64_t size)
{
	_cleanup_free_ unsigned char *buf = aligned_buffer(MIB);

	if (!buf)
		return -ENOMEM;
	for (uint64_t offset = 0; offset < size; offset += MIB) {
		int r = 0;

		table_fill(offset, buf, MIB);
		r = write_at(fd, buf, MIB, offset);
		if (r < 0)
			return r;
	}
	return 0;
}

static int run_threads(struct writing *writing, struct journal_figures *ret)
{
	unsigned int depth = writing->journal->depth;
	_cleanup_free_ struct tally *tallies = calloc(depth, sizeof(*tallies));
	struct journal_figures figures = { 0 };
	uint64_t cpu = cpu_ns();
	int r = 0;

	if (!tallies)
		return -ENOMEM;
	writing->tallies = tallies;
	r = threads_run(depth, write_blocks, writing, &writing->start_ns);
	if (r < 0)
		return r;
	figures.seconds = (double)(now_ns() - writing->start_ns) / (double)NS_PER_S;
	figures.cpu_seconds = (double)(cpu_ns() - cpu) / (double)NS_PER_S;
	for (unsigned int i = 0; i < depth; i++) {
		latencies_merge(&figures.latencies, &tallies[i].latencies);
		figures.writes += tallies[i].reads;
	}
	*ret = figures;
	return 0;
}

int journal_run(const char *folder, const struct journal *journal,
		struct journal_figures *ret)
{
	size_t length = journal->block_kb * KIB;
	_cleanup_free_ unsigned char *block = aligned_buffer(length);
	_cleanup_close_ int fd = -1;
	int r = open_nameless(folder, &fd);
	struct writing writing = {
		.journal = journal,
		.fd = fd,
		.block = block,
		.limit_ns = (uint64_t)(journal->seconds * (double)NS_PER_S),
		.size = journal->file_mib > 0 ? journal->file_mib * MIB : APPEND_MAX,
	};

	if (r < 0)
		return r;
	if (!block)
		return -ENOMEM;
	if (length > writing.size)
		return -EINVAL;
	table_fill(0, block, length);
	if (journal->file_mib > 0)
		r = fill_file(fd, writing.size);
	return r < 0 ? r : run_threads(&writing, ret);
}
