/* SPDX-License-Identifier: MIT */
/*
 * Records as files. A record is replaced only if it would say something new, so that a
 * storm of change events leaves the file and its generation alone.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "base/paths.h"
#include "publish/record.h"

static int record_path(const char *devnum, char *buf, size_t size)
{
	unsigned int major = 0, minor = 0;

	if (parse_devnum(devnum, &major, &minor) < 0)
		return -EINVAL;
	(void)snprintf(buf, size, PATH_DISKS "/%u:%u", major, minor);
	return 0;
}

int record_read(const struct root *root, const char *devnum, char *buf, size_t size)
{
	char path[64];
	int r = record_path(devnum, path, sizeof(path));

	return r < 0 ? r : root_read(root, path, buf, size, NULL);
}

/* The line that begins with "BLKADVISE_<key>=", or NULL. */
static const char *find_line(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line;) {
		const char *name = line + strlen(RECORD_PREFIX);

		if (strncmp(line, RECORD_PREFIX, strlen(RECORD_PREFIX)) == 0 &&
		    strncmp(name, key, len) == 0 && name[len] == '=')
			return line;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

int record_get(const char *text, const char *key, char *buf, size_t size)
{
	const char *line = find_line(text, key);
	const char *value = NULL;
	size_t len = 0;

	if (!line)
		return -ENOENT;
	value = strchr(line, '=') + 1;
	len = strcspn(value, "\n");
	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(buf, value, len);
	buf[len] = '\0';
	return 0;
}

/* Copies @text without the lines that change with each publication. */
static void strip(const char *text, char *buf)
{
	for (const char *line = text; *line;) {
		const char *end = strchr(line, '\n');
		size_t len = end ? (size_t)(end - line) + 1 : strlen(line);

		if (strncmp(line, RECORD_PREFIX "GENERATION=", 21) != 0 &&
		    strncmp(line, RECORD_PREFIX "PUBLISHED_AT=", 23) != 0) {
			memcpy(buf, line, len);
			buf += len;
		}
		line += len;
	}
	*buf = '\0';
}

static uint64_t old_generation(const char *text)
{
	char value[32];
	uint64_t generation = 0;

	if (record_get(text, "GENERATION", value, sizeof(value)) < 0 ||
	    parse_u64(value, &generation) < 0)
		return 0;
	return generation;
}

/* The head lines (FORMAT, DEVNUM, DISKSEQ) come before the two that we add. */
static size_t head_length(const char *text)
{
	const char *line = find_line(text, "NAME");

	return line ? (size_t)(line - text) : strlen(text);
}

int record_publish(const struct root *root, const char *devnum, const char *text,
		   uint64_t now)
{
	char old[RECORD_MAX], stripped[RECORD_MAX], path[64];
	_cleanup_free_ char *whole = NULL;
	uint64_t generation = 0;
	size_t head = head_length(text);
	int r = record_path(devnum, path, sizeof(path));

	if (r < 0)
		return r;
	if (root_read(root, path, old, sizeof(old), NULL) == 0) {
		strip(old, stripped);
		if (strcmp(stripped, text) == 0)
			return 0;
		generation = old_generation(old);
	}
	r = asprintf(&whole,
		     "%.*s" RECORD_PREFIX "GENERATION=%" PRIu64 "\n" RECORD_PREFIX
		     "PUBLISHED_AT=%" PRIu64 "\n%s",
		     (int)head, text, generation + 1, now, text + head);
	if (r < 0) {
		whole = NULL;
		return -ENOMEM;
	}
	r = folder_make(root, PATH_DISKS);
	if (r == 0)
		r = file_replace(root, path, whole, strlen(whole), 0644);
	return r < 0 ? r : 1;
}

int record_withdraw(const struct root *root, const char *devnum, const char *diskseq)
{
	uint64_t published = 0, removed = 0;
	char text[RECORD_MAX], path[64], value[32];
	int r = record_path(devnum, path, sizeof(path));

	if (r < 0)
		return r;
	if (!root_exists(root, path))
		return 0;
	if (diskseq && root_read(root, path, text, sizeof(text), NULL) == 0 &&
	    record_get(text, "DISKSEQ", value, sizeof(value)) == 0 &&
	    parse_u64(value, &published) == 0 && parse_u64(diskseq, &removed) == 0 &&
	    published > removed)
		return 2;
	r = file_remove(root, path);
	return r < 0 ? r : 1;
}
