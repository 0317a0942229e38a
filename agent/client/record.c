/* SPDX-License-Identifier: MIT */
/*
 * The text of a record and the getters. A line counts if it is all of
 * "BLKADVISE_KEY=value" in printable ASCII with a newline at its end; any other is
 * passed over, because a later agent may have more to say and half a line may be half
 * a number. Only a FORMAT that is not ours makes the whole text unreadable.
 *
 * Each line and each question is compared to every key, so keys have a tag: a few of
 * their bytes in one number, different for most keys that are different.
 */
#include "client/client.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"

#define PREFIX "BLKADVISE_"
#define PREFIX_LEN (sizeof(PREFIX) - 1)

static bool is_key_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static uint32_t key_tag(const char *key, size_t len)
{
	uint32_t first = (unsigned char)key[0], middle = (unsigned char)key[len / 2];
	uint32_t last = len > 0 ? (unsigned char)key[len - 1] : 0;

	return (uint32_t)len << 24 | first << 16 | middle << 8 | last;
}

static const struct entry *find_entry(const struct blkadvise_record *record,
				      const char *key, uint32_t tag)
{
	for (size_t i = 0; i < record->n_entries; i++) {
		const struct entry *entry = &record->entries[i];

		if (entry->tag == tag && strcmp(entry->key, key) == 0)
			return entry;
	}
	return NULL;
}

static bool is_printable(const char *line, size_t len)
{
	unsigned int others = 0; /* counted to the end, which compilers make fast */

	for (size_t i = 0; i < len; i++)
		others += line[i] < ' ' || line[i] > '~';
	return others == 0;
}

/* Splits @line in place at its '='. */
static bool split_line(char *line, size_t len, struct entry *ret)
{
	char *p = line + PREFIX_LEN;

	if (len <= PREFIX_LEN || memcmp(line, PREFIX, PREFIX_LEN) != 0 ||
	    !is_printable(line, len))
		return false;
	while (is_key_char(*p))
		p++;
	if (p == line + PREFIX_LEN || p[0] != '=' || p[1] == '\0')
		return false;
	/* Such a key could be listed, but not asked for. */
	if (strncmp(line + PREFIX_LEN, PREFIX, PREFIX_LEN) == 0)
		return false;
	*p = '\0';
	*ret = (struct entry){
		.key = line + PREFIX_LEN,
		.value = p + 1,
		.tag = key_tag(line + PREFIX_LEN, (size_t)(p - line) - PREFIX_LEN),
	};
	return true;
}

static size_t count_lines(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n < RECORD_KEYS_MAX ? n : RECORD_KEYS_MAX;
}

static void add_lines(struct blkadvise_record *record, char *text, size_t len,
		      size_t room)
{
	char *end = text + len;
	char *newline = NULL;

	for (; record->n_entries < room; text = newline + 1) {
		struct entry entry = { 0 };

		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			return;
		*newline = '\0';
		if (split_line(text, (size_t)(newline - text), &entry) &&
		    !find_entry(record, entry.key, entry.tag))
			record->entries[record->n_entries++] = entry;
	}
}

int record_parse(struct blkadvise_record *record, char *text, size_t len)
{
	size_t room = count_lines(text, len);
	struct entry *entries = calloc(room + 1, sizeof(*entries));
	const char *format = NULL;

	if (!entries)
		return -ENOMEM;
	record_clear(record);
	record->text = text;
	record->entries = entries;
	add_lines(record, text, len, room);
	format = blkadvise_text(record, "FORMAT");
	if (format && strcmp(format, "1") != 0) {
		record_clear(record);
		return BLKADVISE_UNKNOWN_FORMAT;
	}
	return BLKADVISE_OK;
}

void record_clear(struct blkadvise_record *record)
{
	free(record->entries);
	free(record->text);
	record->entries = NULL;
	record->text = NULL;
	record->n_entries = 0;
}

EXPORT struct blkadvise_record *blkadvise_close(struct blkadvise_record *record)
{
	if (record) {
		record_clear(record);
		free(atomic_load(&record->members));
		(void)root_free(record->root);
		free(record);
	}
	return NULL;
}

EXPORT int blkadvise_devnum(const struct blkadvise_record *record,
			    unsigned int *ret_major, unsigned int *ret_minor)
{
	if (!record || !record->has_device)
		return BLKADVISE_NO_DEVICE;
	*ret_major = record->device.major;
	*ret_minor = record->device.minor;
	return BLKADVISE_OK;
}

EXPORT const char *blkadvise_key(const struct blkadvise_record *record, size_t index)
{
	if (!record || index >= record->n_entries)
		return NULL;
	return record->entries[index].key;
}

EXPORT const char *blkadvise_text(const struct blkadvise_record *record, const char *key)
{
	const struct entry *entry = NULL;

	if (!record || !key)
		return NULL;
	if (strncmp(key, PREFIX, PREFIX_LEN) == 0)
		key += PREFIX_LEN;
	entry = find_entry(record, key, key_tag(key, strlen(key)));
	return entry ? entry->value : NULL;
}

EXPORT int blkadvise_u64(const struct blkadvise_record *record, const char *key,
			 uint64_t *ret)
{
	const char *text = blkadvise_text(record, key);

	return text && parse_u64(text, ret) == 0 ? BLKADVISE_OK : BLKADVISE_NO_VALUE;
}

EXPORT int blkadvise_bool(const struct blkadvise_record *record, const char *key,
			  int *ret)
{
	const char *text = blkadvise_text(record, key);
	bool value = false;

	if (!text || parse_bool(text, &value) < 0)
		return BLKADVISE_NO_VALUE;
	*ret = value;
	return BLKADVISE_OK;
}
