/* SPDX-License-Identifier: MIT */
/*
 * The advice for a file in plain C, without libblkadvise: from the file's device
 * number over sysfs to the disk, from there to the record, from there to three values.
 * Whatever is missing or not understood means: keep your default.
 *
 * usage: reader FILE [ROOT]; ROOT is put before /sys and /run.
 */
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define VALUE_MAX 64

static char text[65536]; /* the file that was read last */

__attribute__((format(printf, 1, 2))) static int load(const char *format, ...)
{
	char path[4096];
	FILE *file = NULL;
	va_list args;
	int failed = 0;

	va_start(args, format);
	(void)vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	file = fopen(path, "re");
	if (!file)
		return 0;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	failed = ferror(file);
	(void)fclose(file);
	return !failed;
}

/* Finds the first whole line of the text that begins with @key. */
static int pick(const char *key, char *value)
{
	const char *end = NULL;

	*value = '\0';
	for (const char *line = text; (end = strchr(line, '\n')); line = end + 1) {
		size_t len = strlen(key), value_len = (size_t)(end - line) - len;

		if (strncmp(line, key, len) == 0 && value_len - 1 < VALUE_MAX - 1)
			return sprintf(value, "%.*s", (int)value_len, line + len) > 0;
	}
	return 0;
}

/* @value if @words, each between blanks, have it. */
static const char *known(const char *value, const char *words)
{
	char word[VALUE_MAX + 2];

	(void)snprintf(word, sizeof(word), " %s ", value);
	return strstr(words, word) ? value : "default";
}

int main(int argc, char *argv[])
{
	const char *root = argc > 2 ? argv[2] : "", *up = "";
	char dev[VALUE_MAX], seq[VALUE_MAX], found[VALUE_MAX], mode[VALUE_MAX];
	struct stat st;

	if (argc < 2 || (stat(argv[1], &st) < 0 && stat(dirname(argv[1]), &st) < 0))
		return 1;
	if (S_ISBLK(st.st_mode))
		st.st_dev = st.st_rdev;
	(void)sprintf(dev, "%u:%u", major(st.st_dev), minor(st.st_dev));

	/* A partition's folder lies in its disk's. */
	if (load("%s/sys/dev/block/%s/partition", root, dev))
		up = "/..";
	if (!load("%s/sys/dev/block/%s%s/diskseq", root, dev, up) || !pick("", seq))
		*seq = '\0';
	if (load("%s/sys/dev/block/%s%s/dev", root, dev, up) && pick("", found))
		strcpy(dev, found);

	/* Another sequence number: left by a disk that was here before. */
	if (!load("%s/run/blkadvise/disks/%s", root, dev) ||
	    (pick("BLKADVISE_FORMAT=", found) && strcmp(found, "1") != 0) ||
	    (pick("BLKADVISE_DISKSEQ=", found) && *seq && strcmp(found, seq) != 0)) {
		puts("mode=default");
		return 0;
	}
	(void)pick("BLKADVISE_RANDOM_EXCEEDS_IO_MODE=", mode);
	(void)pick("BLKADVISE_RANDOM_EXCEEDS_HINT=", found);
	(void)pick("BLKADVISE_RANDOM_EXCEEDS_DEPTH=", dev);
	printf("mode=%s depth=%s hint=%s\n", known(mode, " direct buffered mmap "),
	       dev[0] == '\0' || dev[strspn(dev, "0123456789")] ? "default" : dev,
	       known(found, " normal random sequential willneed "));
	return 0;
}
