/* SPDX-License-Identifier: MIT */
/*
 * Limits that control groups set for us: io.max and cpu.stat of version 2, and what
 * version 1 had in their place. A group is bound by all above it, so each of them is
 * read, from our own up to the one that is mounted.
 */
#include "measure/internal.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

#define MOUNTINFO_MAX (256 * 1024)

/* The @number th word of @line, in place; NULL if there are fewer. */
static char *word_of(char *line, unsigned int number)
{
	char *rest = NULL;
	char *word = strtok_r(line, " ", &rest);

	while (word && number-- > 0)
		word = strtok_r(NULL, " ", &rest);
	return word;
}

/* Whether @word stands in @list, which has commas between its words. */
static bool listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, word, len) == 0 && strchr(",\n", at[len]))
			return true;
	}
	return false;
}

/* "9:blkio:/a/b", "0::/a/b": the path, if the line is of this hierarchy. */
static const char *path_of_line(const char *line, const char *controller)
{
	const char *controllers = strchr(line, ':');
	const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	char list[128] = { 0 };

	if (!path || path - controllers > (ptrdiff_t)sizeof(list))
		return NULL;
	memcpy(list, controllers + 1, (size_t)(path - controllers) - 1);
	if (controller ? !listed(list, controller) : list[0] != '\0')
		return NULL;
	return path + 1;
}

static int find_path(const struct root *root, const char *controller, char *buf,
		     size_t size)
{
	char text[ROOT_ATTR_MAX] = { 0 };
	char *rest = NULL;
	int r = root_read(root, "/proc/self/cgroup", text, sizeof(text), NULL);

	if (r < 0)
		return r;
	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *path = path_of_line(line, controller);

		if (!path)
			continue;
		if (strlen(path) >= size)
			return -ENAMETOOLONG;
		memcpy(buf, path, strlen(path) + 1);
		return 0;
	}
	return -ENOENT;
}

struct mount_place {
	char top[ROOT_PATH_MAX]; /* what of the hierarchy is mounted */
	char at[ROOT_PATH_MAX];
};

/* A line of mountinfo, cut at its " - " into @line and @behind. */
static bool is_hierarchy(const char *behind, const char *controller)
{
	char words[512] = { 0 };
	const char *options = NULL;

	if (!controller)
		return strncmp(behind, "cgroup2 ", 8) == 0;
	if (strncmp(behind, "cgroup ", 7) != 0 || strlen(behind) >= sizeof(words))
		return false;
	memcpy(words, behind, strlen(behind) + 1);
	options = word_of(words, 2);
	return options && listed(options, controller);
}

static bool mount_of_line(char *line, const char *controller, struct mount_place *ret)
{
	char *behind = strstr(line, " - ");
	char copy[2 * ROOT_PATH_MAX] = { 0 };
	const char *top = NULL, *at = NULL;

	if (!behind || !is_hierarchy(behind + 3, controller))
		return false;
	*behind = '\0';
	if (strlen(line) >= sizeof(copy))
		return false;
	memcpy(copy, line, strlen(line) + 1);
	top = word_of(line, 3);
	at = word_of(copy, 4);
	if (!top || !at || strlen(top) >= sizeof(ret->top) ||
	    strlen(at) >= sizeof(ret->at))
		return false;
	memcpy(ret->top, top, strlen(top) + 1);
	memcpy(ret->at, at, strlen(at) + 1);
	return true;
}

static int find_mount(const struct root *root, const char *controller,
		      struct mount_place *ret)
{
	_cleanup_free_ char *text = malloc(MOUNTINFO_MAX);
	char *rest = NULL;
	int r = text ? root_read_head(root, "/proc/self/mountinfo", text, MOUNTINFO_MAX,
				      NULL) :
		       -ENOMEM;

	if (r < 0)
		return r;
	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (mount_of_line(line, controller, ret))
			return 0;
	}
	return -ENOENT;
}

int cgroup_folders(const struct root *root, const char *controller, struct names *ret)
{
	char path[ROOT_PATH_MAX] = { 0 }, folder[ROOT_PATH_MAX] = { 0 };
	struct mount_place mount = { 0 };
	const char *below = path;
	size_t top = 0;
	int r = find_path(root, controller, path, sizeof(path));

	if (r >= 0)
		r = find_mount(root, controller, &mount);
	if (r < 0)
		return r;
	/* In a container the mount may show a part of what the path counts from. */
	top = strcmp(mount.top, "/") == 0 ? 0 : strlen(mount.top);
	if (strncmp(path, mount.top, top) == 0 && strchr("/", path[top]))
		below = path + top;
	else
		below = "";
	if (strstr(below, "/.."))
		below = "";
	r = snprintf(folder, sizeof(folder), "%s%s", mount.at, below);
	if (r < 0 || (size_t)r >= sizeof(folder))
		return -ENAMETOOLONG;
	trim_end(folder);
	for (size_t len = strlen(folder); len > 1 && folder[len - 1] == '/'; len--)
		folder[len - 1] = '\0';
	do {
		r = names_add(ret, folder);
	} while (r >= 0 && strlen(folder) > strlen(mount.at) && path_up(folder));
	return r;
}

static void lower(uint64_t *limit, uint64_t to)
{
	if (*limit == 0 || to < *limit)
		*limit = to > 0 ? to : 1;
}

/* "riops=100" and the like; "max" is no limit. */
static void take_io_max(const char *word, struct io_limits *limits)
{
	const struct {
		const char *key;
		uint64_t *limit;
		unsigned int unit;
	} keys[] = {
		{ "rbps=", &limits->read_kbps, 1024 },
		{ "wbps=", &limits->write_kbps, 1024 },
		{ "riops=", &limits->read_iops, 1 },
		{ "wiops=", &limits->write_iops, 1 },
	};
	uint64_t value = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t len = strlen(keys[i].key);

		if (strncmp(word, keys[i].key, len) == 0 &&
		    parse_u64(word + len, &value) >= 0)
			lower(keys[i].limit, value / keys[i].unit);
	}
}

/* The words behind "major:minor " in the line of this disk, in place; NULL if none. */
static char *line_of_disk(char *text, const char *devnum)
{
	size_t len = strlen(devnum);
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, devnum, len) == 0 && line[len] == ' ')
			return line + len + 1;
	}
	return NULL;
}

static bool read_line(const struct root *root, const char *folder, const char *name,
		      const char *devnum, char *buf, size_t size, char **ret)
{
	char path[ROOT_PATH_MAX] = { 0 };

	if (path_join(path, sizeof(path), folder, name) < 0 ||
	    root_read_head(root, path, buf, size, NULL) < 0)
		return false;
	*ret = line_of_disk(buf, devnum);
	return *ret != NULL;
}

static void take_throttle(const struct root *root, const char *folder, const char *devnum,
			  struct io_limits *limits)
{
	const struct {
		const char *name;
		uint64_t *limit;
		unsigned int unit;
	} files[] = {
		{ "blkio.throttle.read_bps_device", &limits->read_kbps, 1024 },
		{ "blkio.throttle.write_bps_device", &limits->write_kbps, 1024 },
		{ "blkio.throttle.read_iops_device", &limits->read_iops, 1 },
		{ "blkio.throttle.write_iops_device", &limits->write_iops, 1 },
	};
	char text[ROOT_ATTR_MAX] = { 0 };
	char *line = NULL;
	uint64_t value = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (read_line(root, folder, files[i].name, devnum, text, sizeof(text),
			      &line) &&
		    parse_u64(line, &value) >= 0)
			lower(files[i].limit, value / files[i].unit);
	}
}

static void take_io_max_file(const struct root *root, const char *folder,
			     const char *devnum, struct io_limits *limits)
{
	char text[ROOT_ATTR_MAX] = { 0 };
	char *line = NULL, *rest = NULL;

	if (!read_line(root, folder, "io.max", devnum, text, sizeof(text), &line))
		return;
	for (char *word = strtok_r(line, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		take_io_max(word, limits);
}

void cgroup_io_limits(const struct root *root, const char *devnum,
		      struct io_limits *limits)
{
	_cleanup_names_ struct names unified = { 0 }, blkio = { 0 };

	(void)cgroup_folders(root, NULL, &unified);
	(void)cgroup_folders(root, "blkio", &blkio);
	for (size_t i = 0; i < unified.n; i++)
		take_io_max_file(root, unified.list[i], devnum, limits);
	for (size_t i = 0; i < blkio.n; i++)
		take_throttle(root, blkio.list[i], devnum, limits);
}

static uint64_t throttled_in(const char *text)
{
	static const char key[] = "nr_throttled ";
	const char *at = strstr(text, key);
	char number[24] = { 0 };
	uint64_t value = 0;

	if (!at || (at > text && at[-1] != '\n'))
		return 0;
	at += strlen(key);
	(void)snprintf(number, sizeof(number), "%.*s", (int)strcspn(at, "\n"), at);
	return parse_u64(number, &value) < 0 ? 0 : value;
}

uint64_t cgroup_throttled(const struct root *root, const struct names *cpu_stat)
{
	char text[ROOT_ATTR_MAX] = { 0 };
	uint64_t sum = 0;

	for (size_t i = 0; i < cpu_stat->n; i++) {
		if (root_read_head(root, cpu_stat->list[i], text, sizeof(text), NULL) >=
		    0)
			sum += throttled_in(text);
	}
	return sum;
}
