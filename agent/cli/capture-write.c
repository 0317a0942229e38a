/* SPDX-License-Identifier: MIT */
/*
 * The text of a capture: every value with its pseudonyms, in the order of the paths.
 */
#include <string.h>

#include "cli/capture.h"

void capture_write_escaped(const char *text, size_t len, FILE *out)
{
	static const char from[] = "\n\r\b\f\v\\", to[] = "nrbfv\\";

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		const char *known = c ? strchr(from, c) : NULL;

		if (known)
			(void)fprintf(out, "\\%c", to[known - from]);
		else if ((c < 0x20 && c != '\t') || c >= 0x7f)
			(void)fprintf(out, "\\%03o", c);
		else
			(void)fputc(c, out);
	}
}

/*
 * A path of sysfs, whole or as a link has it. Only Hyper-V's GUIDs are taken from it:
 * every other component is a name of the kernel's, and may look like a serial number.
 */
static void rewrite_path(const struct capture *capture, char *path)
{
	const size_t guid = 36;

	while (*path) {
		size_t len = strcspn(path, "/");

		if (len == guid && path[8] == '-' && path[13] == '-')
			pseudonym_replace(capture->pseudonyms, 0, false, path, len);
		path += len + (path[len] == '/');
	}
}

/* False if the line must be left out. */
static bool rewrite_identify(const struct capture *capture, size_t index,
			     struct line *line)
{
	char serial[21], wwn[17];

	if (!identify_names(line, serial, wwn))
		return false; /* the probers see nothing in it either */
	pseudonym_replace(capture->pseudonyms, index, true, serial, 20);
	pseudonym_replace(capture->pseudonyms, index, true, wwn, strlen(wwn));
	identify_rename(line, serial, wwn);
	return true;
}

static bool rewrite_line(const struct capture *capture, size_t index, struct line *line)
{
	if (line->letter == 'L') {
		rewrite_path(capture, line->value);
		return true;
	}
	switch (line->field) {
	case FIELD_PLAIN:
		return true;
	case FIELD_PUBLIC:
	case FIELD_PATH:
		pseudonym_replace(capture->pseudonyms, index, false, line->value,
				  line->len);
		return true;
	case FIELD_LINKS:
	case FIELD_SERIAL:
	case FIELD_NAME:
	case FIELD_WWN:
	case FIELD_DM_UUID:
	case FIELD_NQN:
	case FIELD_ADDRESS:
		pseudonym_replace(capture->pseudonyms, index, true, line->value,
				  line->len);
		return true;
	case FIELD_IDENTIFY:
	case FIELD_VPD_89:
		return rewrite_identify(capture, index, line);
	case FIELD_VPD_80:
		return false;
	}
	return false;
}

static void write_line(const struct line *line, FILE *out)
{
	if (line->letter == 'N' || line->letter == 'S') {
		(void)fprintf(out, "%c: %s\n", line->letter, line->value);
		return;
	}
	(void)fprintf(out, "%c: %s=", line->letter, line->name);
	if (line->letter == 'A')
		capture_write_escaped(line->value, line->len, out);
	else if (line->letter == 'H')
		for (size_t i = 0; i < line->len; i++)
			(void)fprintf(out, "%02X", (unsigned char)line->value[i]);
	else
		(void)fputs(line->value, out);
	(void)fputc('\n', out);
	if (line->mode)
		(void)fprintf(out, "M: %s=%04o\n", line->name, (unsigned int)line->mode);
}

/* The property that says again what the S: lines say. */
static void write_devlinks(const struct block *block, FILE *out)
{
	const char *separator = "";

	(void)fputs("E: DEVLINKS=", out);
	for (size_t i = 0; i < block->n; i++) {
		if (block->lines[i].letter != 'S')
			continue;
		(void)fprintf(out, "%s/dev/%s", separator, block->lines[i].value);
		separator = " ";
	}
	(void)fputc('\n', out);
}

static void write_block(const struct capture *capture, size_t index, FILE *out)
{
	struct block *block = &capture->blocks[index];

	for (size_t i = 0; i < block->n; i++) {
		struct line *line = &block->lines[i];

		line->dropped = line->dropped || !rewrite_line(capture, index, line);
	}
	block_sort(block); /* links have other names now */
	(void)fprintf(out, "P: %s\n", block->syspath + strlen("/sys"));
	for (size_t i = 0; i < block->n; i++) {
		const struct line *line = &block->lines[i];

		if (line->letter == 'E' && strcmp(line->name, "DEVLINKS") == 0)
			write_devlinks(block, out);
		else if (!line->dropped)
			write_line(line, out);
	}
}

static int compare_blocks(const void *a, const void *b)
{
	const struct block *const *x = a, *const *y = b;

	return strcmp((*x)->syspath, (*y)->syspath);
}

void capture_write_blocks(struct capture *capture, FILE *out)
{
	_cleanup_free_ const struct block **order =
		calloc(capture->n + 1, sizeof(*order));

	if (!order)
		return;
	for (size_t i = 0; i < capture->n; i++) {
		rewrite_path(capture, capture->blocks[i].syspath);
		order[i] = &capture->blocks[i];
	}
	qsort(order, capture->n, sizeof(*order), compare_blocks);
	for (size_t i = 0; i < capture->n; i++) {
		if (i > 0)
			(void)fputc('\n', out);
		write_block(capture, (size_t)(order[i] - capture->blocks), out);
	}
}
