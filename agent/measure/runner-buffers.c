/* SPDX-License-Identifier: MIT */
/*
 * Memory to read into and to write from. It is mapped and not taken from the heap: if a
 * disk hangs and the run is stopped, the kernel still holds these pages when they are
 * given back, and nobody else may get them.
 */
#include "measure/runner.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT_MIN 4096
#define POPULATE_MAX (64U << 20)
#define STAMP_EVERY 4096

/* Some disks and file systems compress, or keep equal blocks once. */
static void fill(unsigned char *memory, size_t size, uint64_t seed)
{
	for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
		uint64_t value = order_mix(seed + at);

		memcpy(memory + at, &value, sizeof(value));
	}
}

int buffers_make(const struct run *run, struct buffers *ret)
{
	uint32_t asked = run->target->alignment;
	size_t alignment = asked > ALIGNMENT_MIN ? asked : ALIGNMENT_MIN;
	size_t block = (size_t)run->block_kb * 1024;
	size_t stride = (block + alignment - 1) / alignment * alignment;
	size_t size = stride * run->depth;
	int populate = size <= POPULATE_MAX ? MAP_POPULATE : 0;
	void *map = NULL;
	size_t skipped = 0;

	map = mmap(NULL, size + alignment, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
	if (map == MAP_FAILED)
		return -ENOMEM;
	skipped = (alignment - (uintptr_t)map % alignment) % alignment;
	ret->map = map;
	ret->map_size = size + alignment;
	ret->first = (unsigned char *)map + skipped;
	ret->stride = stride;
	if (run_writes(run))
		fill(ret->first, size, run->seed);
	return 0;
}

void buffers_free(struct buffers *buffers)
{
	if (buffers->map)
		(void)munmap(buffers->map, buffers->map_size);
	buffers->map = NULL;
}

unsigned char *buffers_at(const struct buffers *buffers, uint32_t slot)
{
	return buffers->first + buffers->stride * slot;
}

void buffers_stamp(unsigned char *buffer, uint32_t size, uint64_t value)
{
	for (size_t at = 0; at + sizeof(value) <= size; at += STAMP_EVERY) {
		uint64_t stamp = order_mix(value + at);

		memcpy(buffer + at, &stamp, sizeof(stamp));
	}
}
