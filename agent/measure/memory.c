/* SPDX-License-Identifier: MIT */
/*
 * How much may be brought into the page cache at once without pushing out what others
 * keep there: a small part of what the machine has to spare, and of what our control
 * groups leave us, since within a group the cache of all its programs has to fit.
 */
#include "measure/internal.h"

#include <string.h>

#include "base/parse.h"

#define PART_OF_MACHINE 8
#define PART_OF_GROUP 4
#define MEMINFO_MAX 8192

/* "max" is no number. */
static bool read_number(const struct root *root, const char *folder, const char *name,
			uint64_t *ret)
{
	char path[ROOT_PATH_MAX] = { 0 }, text[64] = { 0 };

	if (path_join(path, sizeof(path), folder, name) < 0 ||
	    root_read_head(root, path, text, sizeof(text), NULL) < 0)
		return false;
	trim_end(text);
	return parse_u64(text, ret) >= 0;
}

static void lower_to_group(const struct root *root, const char *folder,
			   const char *limit_name, const char *used_name, uint64_t *bytes)
{
	uint64_t limit = 0, used = 0, left = 0;

	if (!read_number(root, folder, limit_name, &limit) ||
	    !read_number(root, folder, used_name, &used))
		return;
	left = limit > used ? (limit - used) / PART_OF_GROUP : 0;
	*bytes = left < *bytes ? left : *bytes;
}

static void lower_to_machine(const struct root *root, uint64_t *bytes)
{
	char text[MEMINFO_MAX] = { 0 };
	const char *at = NULL;
	unsigned long long kb = 0;

	if (root_read_head(root, "/proc/meminfo", text, sizeof(text), NULL) < 0)
		return;
	at = strstr(text, "MemAvailable:");
	if (at && sscanf(at, "MemAvailable: %llu kB", &kb) == 1 &&
	    kb * 1024 / PART_OF_MACHINE < *bytes)
		*bytes = kb * 1024 / PART_OF_MACHINE;
}

uint64_t cache_room(const struct root *root, uint64_t most)
{
	_cleanup_names_ struct names unified = { 0 }, memory = { 0 };
	uint64_t bytes = most;

	lower_to_machine(root, &bytes);
	(void)cgroup_folders(root, NULL, &unified);
	(void)cgroup_folders(root, "memory", &memory);
	for (size_t i = 0; i < unified.n; i++) {
		lower_to_group(root, unified.list[i], "memory.max", "memory.current",
			       &bytes);
		lower_to_group(root, unified.list[i], "memory.high", "memory.current",
			       &bytes);
	}
	for (size_t i = 0; i < memory.n; i++)
		lower_to_group(root, memory.list[i], "memory.limit_in_bytes",
			       "memory.usage_in_bytes", &bytes);
	return bytes;
}
