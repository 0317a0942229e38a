/* SPDX-License-Identifier: MIT */
/*
 * Whether direct reads are direct: the disk's own counters must account for them. This
 * finds what no table of file systems knows: a file that lies on another disk, a copy
 * that answers from memory, a file system that takes O_DIRECT and uses its cache.
 */
#include "measure/plan.h"

#include <errno.h>
#include <string.h>

#include "measure/target.h"

#define PROBE_READS 64
#define PROBE_READS_MIN 8 /* of a slow disk, before the time is up */

struct probe {
	int fd;
	struct blocks blocks;
	void *buffer;
	size_t size;
	uint64_t seed;
	unsigned int done;
};

static void probe_done(struct probe *probe)
{
	blocks_done(&probe->blocks);
}

static int read_one(struct probe *probe)
{
	uint64_t number = random_next(&probe->seed) % probe->blocks.n;
	uint64_t at = blocks_offset(&probe->blocks, number);
	ssize_t n = pread(probe->fd, probe->buffer, probe->size, (off_t)at);

	if (n < 0 && errno == EINTR)
		return 0;
	if (n < 0)
		return -errno;
	if ((size_t)n != probe->size)
		return -EIO;
	probe->done++;
	return 0;
}

static int read_some(struct probe *probe, uint64_t until_us, const atomic_bool *stop)
{
	int r = 0;

	while (r >= 0 && probe->done < PROBE_READS && !(stop && *stop) &&
	       (probe->done < PROBE_READS_MIN || clock_us() < until_us))
		r = read_one(probe);
	return r;
}

static const char *disk_name(const struct watched *watched)
{
	return watched->syspath ? path_name(watched->syspath) : "the disk";
}

static int judge(const struct probe *probe, struct watched *watched,
		 const struct disk_counters *before, struct measure_report *report)
{
	struct disk_counters after = { 0 };
	uint64_t arrived = 0;

	if (watched_counters(watched, &after) < 0 ||
	    (after.reads == 0 && after.read_sectors == 0)) {
		watched->counts = false;
		note(report, "nothing shows that reads reach %s: it does not count them",
		     disk_name(watched));
		return 0;
	}
	arrived = (after.read_sectors - before->read_sectors) * 512 / probe->size;
	if (probe->done == 0 || arrived * 2 >= probe->done)
		return 0;
	return refuse(report, -EOPNOTSUPP,
		      "only %llu of %u reads reached %s: something else answers in its "
		      "place, a cache or another disk", (unsigned long long)arrived,
		      probe->done, disk_name(watched));
}

int probe_direct(const struct target *target, struct watched *watched,
		 unsigned int budget_ms, const atomic_bool *stop,
		 struct measure_report *report, uint64_t *ret_us)
{
	struct disk_counters before = { 0 };
	size_t size = direct_block(target->alignment);
	_cleanup_free_ void *buffer = direct_memory(target->alignment, size);
	_cleanup_(probe_done) struct probe probe = { .fd = target->direct_fd,
						     .buffer = buffer,
						     .size = size,
						     .seed = clock_us() };
	uint64_t started = clock_us();
	int r = buffer ? blocks_count(target, (uint32_t)size, &probe.blocks) : -ENOMEM;

	if (r < 0)
		return refuse(report, r, "no memory");
	if (probe.blocks.n == 0)
		return refuse(report, -EOPNOTSUPP,
			      "it has no stretch of %zu bytes, the smallest that a "
			      "direct read takes", size);
	(void)watched_counters(watched, &before);
	r = read_some(&probe, started + budget_ms * 1000ULL, stop);
	if (r == -EINVAL || r == -EOPNOTSUPP)
		return refuse(report, -EOPNOTSUPP, "direct reads are refused: %s",
			      strerror(-r));
	if (r < 0)
		return refuse(report, r, "a direct read failed: %s", strerror(-r));
	r = judge(&probe, watched, &before, report);
	if (r >= 0)
		*ret_us = (clock_us() - started) / (probe.done > 0 ? probe.done : 1) + 1;
	return r;
}
