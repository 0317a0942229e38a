/* SPDX-License-Identifier: MIT */
/*
 * One folder of /sys/devices, read into the lines of its block. Nothing is an error but
 * lack of memory: what cannot be read is left out, as the probers would do without it.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "base/text.h"
#include "cli/capture.h"

/* The folder being read. */
struct reader {
	const struct capture *capture;
	struct block *block;
	char uevent[ROOT_ATTR_MAX + 1];
};

static void line_done(struct line *line)
{
	free(line->name);
	free(line->value);
}

void block_done(struct block *block)
{
	for (size_t i = 0; i < block->n; i++)
		line_done(&block->lines[i]);
	free(block->lines);
	free(block->syspath);
	free(block->subsystem);
	*block = (struct block){ 0 };
}

int block_add(struct block *block, const struct line *line)
{
	_cleanup_free_ char *name = strdup(line->name);
	_cleanup_free_ char *value = malloc(line->len + 1);
	struct line *more = NULL;

	if (!name || !value)
		return -ENOMEM;
	if ((block->n & (block->n - 1)) == 0) { /* grows by powers of two */
		more = reallocarray(block->lines, block->n ? block->n * 2 : 1,
				    sizeof(*more));
		if (!more)
			return -ENOMEM;
		block->lines = more;
	}
	memcpy(value, line->value, line->len);
	value[line->len] = '\0';
	block->lines[block->n] = *line;
	block->lines[block->n].name = steal(name);
	block->lines[block->n++].value = steal(value);
	return 0;
}

const char *block_value(const struct block *block, char letter, const char *name)
{
	for (size_t i = 0; i < block->n; i++) {
		if (block->lines[i].letter == letter &&
		    strcmp(block->lines[i].name, name) == 0)
			return block->lines[i].value;
	}
	return NULL;
}

/* Lines without escapes end at the first newline and go to terminals. */
static bool is_one_line(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	}
	return true;
}

static int add(struct reader *reader, char letter, const char *name, const char *value,
	       const struct attribute *attribute)
{
	struct line line = {
		.letter = letter,
		.dropped = attribute && attribute->flags & ATTRIBUTE_DROPPED,
		.field = attribute ? attribute->field : FIELD_PLAIN,
		.name = (char *)name,
		.value = (char *)value,
		.len = strlen(value),
	};

	return is_one_line(name) && is_one_line(value) ? block_add(reader->block, &line)
						       : 0;
}

/* Behind a link stands an attribute of another block (a bcache device's bcache/). */
static bool is_behind_link(const struct reader *reader, const char *name)
{
	char folder[ROOT_PATH_MAX], target[ROOT_PATH_MAX];

	if (!strchr(name, '/') ||
	    path_join(folder, sizeof(folder), reader->block->syspath, name) < 0)
		return false;
	(void)path_up(folder);
	return root_read_link(reader->capture->root, folder, target, sizeof(target)) == 0;
}

static int add_link(struct reader *reader, const char *name)
{
	char path[ROOT_PATH_MAX], target[ROOT_PATH_MAX];

	if (strchr(name, '=') || is_behind_link(reader, name) ||
	    path_join(path, sizeof(path), reader->block->syspath, name) < 0 ||
	    root_read_link(reader->capture->root, path, target, sizeof(target)) < 0 ||
	    !*target)
		return 0;
	return add(reader, 'L', name, target, NULL);
}

static int add_attribute(struct reader *reader, const struct attribute *attribute)
{
	const struct root *root = reader->capture->root;
	char path[ROOT_PATH_MAX], text[ROOT_ATTR_MAX + 1];
	struct line line = { .letter = attribute->flags & ATTRIBUTE_BINARY ? 'H' : 'A' };
	mode_t mode = 0;

	if (is_behind_link(reader, attribute->name) ||
	    path_join(path, sizeof(path), reader->block->syspath, attribute->name) < 0 ||
	    root_stat(root, path, &mode, NULL) < 0 || !S_ISREG(mode))
		return 0;
	if (root_read(root, path, text, sizeof(text), &line.len) < 0) {
		if (!(attribute->flags & ATTRIBUTE_PRESENCE))
			return 0;
		line.len = 0;
	}
	if (memchr(text, '\0', line.len) && line.letter == 'A') {
		if (attribute->field != FIELD_PLAIN && attribute->field != FIELD_PUBLIC)
			return 0; /* no identity as the kernel writes them */
		line.letter = 'H'; /* escapes have no NUL */
	}
	mode &= 07777;
	if (attribute->flags & ATTRIBUTE_MODE || (mode != 0644 && mode != 0444))
		line.mode = mode;
	line.dropped = attribute->flags & ATTRIBUTE_DROPPED;
	line.field = attribute->field;
	line.name = (char *)attribute->name;
	line.value = text;
	return block_add(reader->block, &line);
}

/* A kernel's attribute name: the folder is listed, so it might be anything. */
static bool is_attribute_name(const char *name)
{
	return *name &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

/* All files of queue/; its folder iosched holds what no prober reads. */
static int add_queue(struct reader *reader)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], name[300];
	int r = 0;

	if (path_join(path, sizeof(path), reader->block->syspath, "queue") < 0 ||
	    root_list(reader->capture->root, path, &names) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		const struct attribute attribute = { name, FIELD_PLAIN, 0 };

		if (!is_attribute_name(names.list[i]))
			continue;
		(void)snprintf(name, sizeof(name), "queue/%s", names.list[i]);
		r = add_attribute(reader, &attribute);
	}
	return r;
}

static int add_hw_queues(struct reader *reader)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], name[64];
	uint64_t number = 0;
	int r = 0;

	if (path_join(path, sizeof(path), reader->block->syspath, "mq") < 0 ||
	    root_list(reader->capture->root, path, &names) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		/* what counts is that the folder exists */
		const struct attribute attribute = { name, FIELD_PLAIN,
						     ATTRIBUTE_PRESENCE };

		if (parse_u64(names.list[i], &number) < 0)
			continue;
		(void)snprintf(name, sizeof(name), "mq/%s/nr_tags", names.list[i]);
		r = add_attribute(reader, &attribute);
	}
	return r;
}

/* The links in the subfolder @folder, or those of the folder itself that begin alike. */
static int add_links(struct reader *reader, const char *folder, const char *prefix)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], name[600];
	int r = 0;

	if (path_join(path, sizeof(path), reader->block->syspath, folder) < 0 ||
	    root_list(reader->capture->root, *folder ? path : reader->block->syspath,
		      &names) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		if (strncmp(names.list[i], prefix, strlen(prefix)) != 0)
			continue;
		(void)snprintf(name, sizeof(name), "%s%s%s", folder, *folder ? "/" : "",
			       names.list[i]);
		r = add_link(reader, name);
	}
	return r;
}

/* The value of a key in the folder's uevent file. */
static bool uevent_value(const struct reader *reader, const char *key, char *buf,
			 size_t size)
{
	size_t len = strlen(key);

	for (const char *line = reader->uevent; *line; line += strcspn(line, "\n")) {
		line += *line == '\n';
		if (strncmp(line, key, len) == 0 && line[len] == '=')
			return snprintf(buf, size, "%.*s",
					(int)strcspn(line + len + 1, "\n"),
					line + len + 1) < (int)size;
	}
	return false;
}

static const char *property(const struct reader *reader, const char *key)
{
	const struct properties *properties = reader->capture->properties;

	if (!properties)
		return NULL;
	return properties->get(properties->context, reader->block->syspath, key);
}

/* From the udev database, or else what the kernel itself said. */
static int add_property(struct reader *reader, const struct attribute *attribute)
{
	char text[ROOT_ATTR_MAX];
	const char *value = property(reader, attribute->name);

	if (!value && uevent_value(reader, attribute->name, text, sizeof(text)))
		value = text;
	return value ? add(reader, 'E', attribute->name, value, attribute) : 0;
}

/* MAJOR and MINOR, for a capture's links in /sys/dev/block. */
static int add_device_number(struct reader *reader)
{
	const char *dev = block_value(reader->block, 'A', "dev");
	unsigned int major = 0, minor = 0;
	char text[ROOT_ATTR_MAX + 1], number[16];
	int r = 0;

	if (!dev || strlen(dev) >= sizeof(text))
		return 0;
	strcpy(text, dev);
	if (parse_devnum(trim(text), &major, &minor) < 0)
		return 0;
	(void)snprintf(number, sizeof(number), "%u", major);
	if (!block_value(reader->block, 'E', "MAJOR"))
		r = add(reader, 'E', "MAJOR", number, NULL);
	(void)snprintf(number, sizeof(number), "%u", minor);
	if (r == 0 && !block_value(reader->block, 'E', "MINOR"))
		r = add(reader, 'E', "MINOR", number, NULL);
	return r;
}

static int add_node(struct reader *reader)
{
	char text[ROOT_ATTR_MAX], node[ROOT_ATTR_MAX + 8];
	const char *value = property(reader, "DEVNAME");
	int r = 0;

	if (!value && uevent_value(reader, "DEVNAME", text, sizeof(text)))
		value = text;
	if (!value || !*value)
		return 0;
	if (strncmp(value, "/dev/", 5) == 0)
		value += 5;
	(void)snprintf(node, sizeof(node), "/dev/%s", value);
	r = add(reader, 'E', "DEVNAME", node, NULL);
	return r < 0 || strchr(node, '=') ? r : add(reader, 'N', "", node + 5, NULL);
}

/* What the kernel says of any device, and path_id and its like of block devices. */
static int add_properties(struct reader *reader)
{
	static const struct attribute common[] = {
		{ "DEVTYPE", FIELD_PLAIN, 0 },	     { "MAJOR", FIELD_PLAIN, 0 },
		{ "MINOR", FIELD_PLAIN, 0 },	     { "NVME_TRTYPE", FIELD_PLAIN, 0 },
		{ "PCI_CLASS", FIELD_PLAIN, 0 },     { "PCI_ID", FIELD_PLAIN, 0 },
		{ "PCI_SLOT_NAME", FIELD_PLAIN, 0 },
	};
	bool is_block = strcmp(reader->block->subsystem, "block") == 0;
	size_t n = 0;
	const struct attribute *list = capture_properties(&n);
	int r = add(reader, 'E', "SUBSYSTEM", reader->block->subsystem, NULL);

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(common); i++)
		r = add_property(reader, &common[i]);
	for (size_t i = 0; r == 0 && is_block && i < n; i++)
		r = add_property(reader, &list[i]);
	if (r == 0)
		r = add_device_number(reader);
	return r < 0 ? r : add_node(reader);
}

/* What depends on the subsystem. */
static int add_attributes(struct reader *reader)
{
	const char *subsystem = reader->block->subsystem;
	size_t n = 0;
	const struct attribute *list = capture_attributes(subsystem, &n);
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = list[i].flags & ATTRIBUTE_LINK ? add_link(reader, list[i].name)
						   : add_attribute(reader, &list[i]);
	if (r == 0 && strcmp(subsystem, "nvme-subsystem") == 0)
		r = add_links(reader, "", "nvme");
	if (r < 0 || strcmp(subsystem, "block") != 0)
		return r;
	r = add_queue(reader);
	if (r == 0)
		r = add_hw_queues(reader);
	if (r == 0)
		r = add_links(reader, "slaves", "");
	return r < 0 ? r : add_links(reader, "holders", "");
}

/* Nodes before links, links before properties, then all attributes by name. */
static int rank(char letter)
{
	static const char order[] = "NSE";
	const char *place = strchr(order, letter);

	return place ? (int)(place - order) : (int)sizeof(order);
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = rank(x->letter) - rank(y->letter);

	if (order == 0)
		order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->value, y->value);
}

void block_sort(struct block *block)
{
	if (block->n > 1)
		qsort(block->lines, block->n, sizeof(*block->lines), compare_lines);
}

int capture_read(const struct capture *capture, const char *syspath, struct block *block)
{
	struct reader reader = { .capture = capture, .block = block };
	char path[ROOT_PATH_MAX], subsystem[64] = "";
	int r = 0;

	if (path_join(path, sizeof(path), syspath, "subsystem") < 0 ||
	    root_read_link_name(capture->root, path, subsystem, sizeof(subsystem)) < 0 ||
	    strchr(subsystem, '.'))
		subsystem[0] = '\0';
	if (path_join(path, sizeof(path), syspath, "uevent") < 0 ||
	    root_read(capture->root, path, reader.uevent, sizeof(reader.uevent), NULL) <
		    0)
		reader.uevent[0] = '\0';
	block->syspath = strdup(syspath);
	block->subsystem = strdup(subsystem);
	if (!block->syspath || !block->subsystem)
		return -ENOMEM;
	r = add_link(&reader, "driver");
	if (r == 0 && *subsystem)
		r = add_attributes(&reader);
	if (r == 0 && *subsystem)
		r = add_properties(&reader);
	if (r == 0 && strcmp(subsystem, "block") == 0)
		r = capture_add_links(capture->root, property(&reader, "DEVLINKS"),
				      block);
	block_sort(block);
	return r;
}
