/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines of a capture into a tree. A line that is not understood makes the
 * whole file invalid, with its number: half a machine would classify wrongly and look
 * right. Values use the escapes of glib's strescape(), as umockdev-record does.
 */
#include "base/snapshot-parse.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

struct parser {
	struct snapshot_tree *tree;
	struct snapshot_error *error;
	unsigned int line;
	size_t properties_room, nodes_room;

	/* the block being read */
	char syspath[ROOT_PATH_MAX];
	char subsystem[64], devtype[64], major[16], minor[16];
	bool in_block;
};

static int fail(struct parser *parser, const char *reason)
{
	*parser->error =
		(struct snapshot_error){ .line = parser->line, .reason = reason };
	return -EBADMSG;
}

static int grow(void **array, size_t *room, size_t n, size_t size)
{
	void *more = NULL;

	if (n < *room)
		return 0;
	*room = *room ? *room * 2 : 64;
	more = reallocarray(*array, *room, size);
	if (!more)
		return -ENOMEM;
	*array = more;
	return 0;
}

static int add_entry(struct parser *parser, const char *path, enum snapshot_type type,
		     const char *content, size_t len)
{
	return snapshot_tree_add(parser->tree, path, type, content, len, parser->line);
}

static int add_link(struct parser *parser, const char *folder, const char *name,
		    const char *target)
{
	char path[ROOT_PATH_MAX];

	if (path_join(path, sizeof(path), folder, name) < 0)
		return fail(parser, "path too long");
	return add_entry(parser, path, SNAPSHOT_LINK, target, strlen(target));
}

/* A relative path without empty, "." or ".." components. */
static bool is_clean_path(const char *path)
{
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len == 0 || len > 255 || strncmp(path, ".", len) == 0 ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
		if (*path == '/' && *++path == '\0')
			return false;
	}
	return true;
}

/* Undoes glib's strescape() in place. False for an escape it would not write. */
static bool unescape(char *text, size_t *ret_len)
{
	static const char from[] = "nrtbfv\\\"", to[] = "\n\r\t\b\f\v\\\"";
	char *out = text;

	for (const char *p = text; *p; p++) {
		const char *known = NULL;
		int value = 0, digits = 0;

		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		p++;
		known = *p ? strchr(from, *p) : NULL;
		if (known) {
			*out++ = to[known - from];
			continue;
		}
		for (; digits < 3 && p[digits] >= '0' && p[digits] <= '7'; digits++)
			value = value * 8 + (p[digits] - '0');
		if (digits == 0)
			return false;
		*out++ = (char)value;
		p += digits - 1;
	}
	*out = '\0';
	*ret_len = (size_t)(out - text);
	return true;
}

/* Hex digits to bytes, in place. */
static bool unhex(char *text, size_t *ret_len)
{
	size_t n = 0;

	for (; text[2 * n]; n++) {
		char pair[3] = { text[2 * n], text[2 * n + 1], '\0' };
		uint64_t byte = 0;

		if (pair[1] == '\0' || pair[1] == '\n' || parse_hex(pair, &byte) < 0)
			return false;
		text[n] = (char)byte;
	}
	*ret_len = n;
	return true;
}

static int line_device(struct parser *parser, char *value)
{
	if (parser->in_block)
		return fail(parser, "P: inside a block (an empty line ends a block)");
	if (strncmp(value, "/devices/", 9) != 0 || !is_clean_path(value + 1))
		return fail(parser, "P: needs a clean path below /devices/");
	if (strlen(value) > ROOT_PATH_MAX - 300)
		return fail(parser, "path too long");
	parser->in_block = true;
	strcpy(parser->syspath, "/sys");
	strcat(parser->syspath, value);
	return 0;
}

static int line_node(struct parser *parser, char *value)
{
	struct snapshot_tree *tree = parser->tree;
	_cleanup_free_ char *node = NULL;
	_cleanup_free_ char *syspath = strdup(parser->syspath);

	value[strcspn(value, "=")] = '\0';
	if (*value == '\0')
		return fail(parser, "empty node name");
	node = strdup(value);
	if (!node || !syspath ||
	    grow((void **)&tree->nodes, &parser->nodes_room, tree->n_nodes,
		 sizeof(*tree->nodes)) < 0)
		return -ENOMEM;
	tree->nodes[tree->n_nodes++] =
		(struct snapshot_node_entry){ .node = steal(node),
					      .syspath = steal(syspath) };
	return 0;
}

static int split(struct parser *parser, char *value, char **ret_right)
{
	char *equals = strchr(value, '=');

	if (!equals || equals == value)
		return fail(parser, "no NAME=VALUE");
	*equals = '\0';
	*ret_right = equals + 1;
	return 0;
}

/* Keeps what the derived links need. */
static void note_property(struct parser *parser, const char *key, const char *value)
{
	const struct {
		const char *key;
		char *buf;
		size_t size;
	} wanted[] = {
		{ "SUBSYSTEM", parser->subsystem, sizeof(parser->subsystem) },
		{ "DEVTYPE", parser->devtype, sizeof(parser->devtype) },
		{ "MAJOR", parser->major, sizeof(parser->major) },
		{ "MINOR", parser->minor, sizeof(parser->minor) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (strcmp(key, wanted[i].key) == 0 && strlen(value) < wanted[i].size)
			strcpy(wanted[i].buf, value);
	}
}

static int line_property(struct parser *parser, char *key)
{
	struct snapshot_tree *tree = parser->tree;
	char *value = NULL;
	int r = split(parser, key, &value);

	if (r < 0)
		return r;
	for (size_t i = tree->n_properties; i-- > 0;) {
		const struct snapshot_property_entry *p = &tree->properties[i];

		if (strcmp(p->syspath, parser->syspath) != 0)
			break;
		if (strcmp(p->key, key) == 0)
			return fail(parser, "property stands twice in this block");
	}

	_cleanup_free_ char *syspath = strdup(parser->syspath);
	_cleanup_free_ char *key_copy = strdup(key);
	_cleanup_free_ char *value_copy = strdup(value);

	if (!syspath || !key_copy || !value_copy ||
	    grow((void **)&tree->properties, &parser->properties_room, tree->n_properties,
		 sizeof(*tree->properties)) < 0)
		return -ENOMEM;
	note_property(parser, key, value);
	tree->properties[tree->n_properties++] = (struct snapshot_property_entry){
		.syspath = steal(syspath),
		.key = steal(key_copy),
		.value = steal(value_copy),
	};
	return 0;
}

static int attribute_path(struct parser *parser, const char *name, char *path)
{
	if (!is_clean_path(name))
		return fail(parser, "attribute name is no clean relative path");
	if (path_join(path, ROOT_PATH_MAX, parser->syspath, name) < 0)
		return fail(parser, "path too long");
	return 0;
}

static int line_attribute(struct parser *parser, char *name)
{
	char path[ROOT_PATH_MAX], *value = NULL;
	size_t len = 0;
	int r = split(parser, name, &value);

	if (r < 0)
		return r;
	if (!unescape(value, &len))
		return fail(parser, "unknown escape");
	r = attribute_path(parser, name, path);
	return r < 0 ? r : add_entry(parser, path, SNAPSHOT_FILE, value, len);
}

static int line_binary(struct parser *parser, char *name)
{
	char path[ROOT_PATH_MAX], *value = NULL;
	size_t len = 0;
	int r = split(parser, name, &value);

	if (r < 0)
		return r;
	if (!unhex(value, &len))
		return fail(parser, "H: needs an even number of hex digits");
	r = attribute_path(parser, name, path);
	return r < 0 ? r : add_entry(parser, path, SNAPSHOT_FILE, value, len);
}

static int line_link(struct parser *parser, char *name)
{
	char path[ROOT_PATH_MAX], *target = NULL;
	int r = split(parser, name, &target);

	if (r < 0)
		return r;
	if (*target == '\0')
		return fail(parser, "empty link target");
	r = attribute_path(parser, name, path);
	return r < 0 ? r : add_entry(parser, path, SNAPSHOT_LINK, target, strlen(target));
}

static int line_file(struct parser *parser, char *path)
{
	char *value = NULL;
	size_t len = 0;
	int r = split(parser, path, &value);

	if (r < 0)
		return r;
	if (path[0] != '/' || !is_clean_path(path + 1) || strlen(path) >= ROOT_PATH_MAX)
		return fail(parser, "F: needs a clean absolute path");
	if (!unescape(value, &len))
		return fail(parser, "unknown escape");
	return add_entry(parser, path, SNAPSHOT_FILE, value, len);
}

static int line_mode(struct parser *parser, char *name)
{
	struct snapshot_tree *tree = parser->tree;
	char path[ROOT_PATH_MAX], *value = NULL;
	mode_t mode = 0;
	int r = split(parser, name, &value);

	if (r < 0)
		return r;
	r = attribute_path(parser, name, path);
	if (r < 0)
		return r;
	if (strlen(value) < 3 || strlen(value) > 4 ||
	    strspn(value, "01234567") != strlen(value))
		return fail(parser, "M: needs an octal mode");
	for (const char *p = value; *p; p++)
		mode = mode * 8 + (mode_t)(*p - '0');
	for (size_t i = tree->n; i-- > 0;) {
		if (strcmp(tree->entries[i].path, path) == 0) {
			tree->entries[i].mode = mode;
			return 0;
		}
	}
	return fail(parser, "M: names an attribute that this block has not given");
}

/* What sysfs would show besides the block's own lines. */
static int derive_device_files(struct parser *parser)
{
	char path[ROOT_PATH_MAX], text[128];
	bool has_uevent = false, has_dev = false;
	int r = 0;

	for (size_t i = parser->tree->n; i-- > 0;) {
		const char *entry = parser->tree->entries[i].path;
		size_t len = strlen(parser->syspath);

		if (strncmp(entry, parser->syspath, len) != 0)
			break;
		has_uevent |= strcmp(entry + len, "/uevent") == 0;
		has_dev |= strcmp(entry + len, "/dev") == 0;
	}
	if (!has_uevent) {
		(void)snprintf(text, sizeof(text), "%s%s%s",
			       *parser->devtype ? "DEVTYPE=" : "", parser->devtype,
			       *parser->devtype ? "\n" : "");
		(void)path_join(path, sizeof(path), parser->syspath, "uevent");
		r = add_entry(parser, path, SNAPSHOT_FILE, text, strlen(text));
	}
	if (r == 0 && !has_dev && *parser->major && *parser->minor) {
		(void)snprintf(text, sizeof(text), "%s:%s\n", parser->major,
			       parser->minor);
		(void)path_join(path, sizeof(path), parser->syspath, "dev");
		r = add_entry(parser, path, SNAPSHOT_FILE, text, strlen(text));
	}
	return r;
}

/* Of its devices sysfs has links below /sys/bus. */
static bool is_bus(const char *subsystem)
{
	static const char *const buses[] = { "mmc", "nd",     "pci",   "platform", "scsi",
					     "usb", "virtio", "vmbus", "xen" };

	for (size_t i = 0; i < ARRAY_SIZE(buses); i++) {
		if (strcmp(subsystem, buses[i]) == 0)
			return true;
	}
	return false;
}

static int derive_links(struct parser *parser)
{
	const char *name = path_name(parser->syspath);
	bool is_block = strcmp(parser->subsystem, "block") == 0;
	char folder[ROOT_PATH_MAX], devnum[40];
	int r = 0;

	if (*parser->subsystem) {
		(void)snprintf(folder, sizeof(folder), "/sys/class/%s",
			       parser->subsystem);
		r = add_link(parser, parser->syspath, "subsystem", folder);
		if (r == 0)
			r = add_link(parser, folder, name, parser->syspath);
	}
	if (r == 0 && is_bus(parser->subsystem)) {
		(void)snprintf(folder, sizeof(folder), "/sys/bus/%s/devices",
			       parser->subsystem);
		r = add_link(parser, folder, name, parser->syspath);
	}
	if (r == 0 && is_block && strcmp(parser->devtype, "partition") != 0)
		r = add_link(parser, "/sys/block", name, parser->syspath);
	if (r == 0 && is_block && *parser->major && *parser->minor) {
		(void)snprintf(devnum, sizeof(devnum), "%s:%s", parser->major,
			       parser->minor);
		r = add_link(parser, "/sys/dev/block", devnum, parser->syspath);
	}
	return r;
}

static int end_block(struct parser *parser)
{
	int r = 0;

	if (!parser->in_block)
		return 0;
	if ((*parser->subsystem && !is_clean_path(parser->subsystem)) ||
	    strchr(parser->subsystem, '/') ||
	    strspn(parser->major, "0123456789") != strlen(parser->major) ||
	    strspn(parser->minor, "0123456789") != strlen(parser->minor))
		return fail(parser,
			    "SUBSYSTEM, MAJOR or MINOR of this block is not valid");
	r = derive_device_files(parser);
	if (r == 0)
		r = derive_links(parser);
	parser->in_block = false;
	parser->syspath[0] = parser->subsystem[0] = parser->devtype[0] = '\0';
	parser->major[0] = parser->minor[0] = '\0';
	return r;
}

static int parse_line(struct parser *parser, char *line)
{
	static const struct {
		char letter;
		bool in_block;
		int (*parse)(struct parser *parser, char *value);
	} kinds[] = {
		{ 'P', false, line_device },	{ 'N', true, line_node },
		{ 'S', true, line_node },	{ 'E', true, line_property },
		{ 'A', true, line_attribute },	{ 'H', true, line_binary },
		{ 'L', true, line_link },	{ 'M', true, line_mode },
		{ 'F', false, line_file },
	};

	if (*line == '\0')
		return end_block(parser);
	if (*line == '#')
		return 0;
	if (line[1] != ':' || line[2] != ' ')
		return fail(parser, "no line of a capture");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].letter != line[0])
			continue;
		if (kinds[i].in_block && !parser->in_block)
			return fail(parser, "line before the P: of its block");
		return kinds[i].parse(parser, line + 3);
	}
	return fail(parser, "unknown kind of line");
}

static int parse_lines(struct parser *parser, char *text, size_t len)
{
	char *end = text + len;
	int r = 0;

	for (char *line = text; line < end && r == 0;) {
		char *newline = memchr(line, '\n', (size_t)(end - line));

		parser->line++;
		if (!newline)
			return fail(parser, "the last line has no newline: truncated?");
		if (memchr(line, '\0', (size_t)(newline - line)))
			return fail(parser, "NUL byte");
		if (newline - line > SNAPSHOT_LINE_MAX)
			return fail(parser, "line too long");
		*newline = '\0';
		r = parse_line(parser, line);
		line = newline + 1;
	}
	return r < 0 ? r : end_block(parser);
}

int snapshot_tree_parse(struct snapshot_tree *tree, const char *text, size_t len,
			struct snapshot_error *ret_error)
{
	struct parser parser = { .tree = tree, .error = ret_error };
	_cleanup_free_ char *copy = malloc(len + 1);
	int r = 0;

	*ret_error = (struct snapshot_error){ 0 };
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, len);
	copy[len] = '\0';
	r = parse_lines(&parser, copy, len);
	if (r == 0 && tree->n == 0)
		r = fail(&parser, "no device in this file");
	return r < 0 ? r : snapshot_tree_finish(tree, ret_error);
}
