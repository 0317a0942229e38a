/* SPDX-License-Identifier: MIT */
/*
 * What the machine was booted from: the device of the root file system, and whether
 * drivers for other modes of its controller are at hand then. mountinfo names servers,
 * data sets and volumes of people: of all that one line is left, with the kernel's name
 * of the device.
 */
#include <string.h>

#include "base/parse.h"
#include "base/snapshot.h"
#include "base/text.h"
#include "cli/capture.h"

#define MOUNTS_MAX (1U << 20)
#define MODULES_MAX (4U << 20)
#define INITRAMFS_LIST "/boot/initramfs.list"
#define BTRFS "/sys/fs/btrfs"

/* Of a file that may be long; NULL if there is none. To be freed. */
static char *read_long(const struct root *root, const char *path, size_t size)
{
	char *text = malloc(size);

	if (text && root_read_head(root, path, text, size, NULL) < 0) {
		free(text);
		text = NULL;
	}
	return text;
}

/* A word of the kernel's: a file system's type, a module's path. */
static bool is_plain(const char *word)
{
	return *word && strspn(word, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-./") == strlen(word);
}

static bool is_block(const struct root *root, const char *name)
{
	char path[ROOT_PATH_MAX];

	return path_join(path, sizeof(path), "/sys/class/block", name) == 0 &&
	       root_exists(root, path);
}

/* The kernel's name of what device mapper calls @name. */
static const char *mapped_name(const struct capture *capture, const char *name)
{
	for (size_t i = 0; i < capture->n; i++) {
		const char *text = block_value(&capture->blocks[i], 'A', "dm/name");
		size_t len = text ? strcspn(text, "\n") : 0;

		if (text && len == strlen(name) && strncmp(text, name, len) == 0)
			return path_name(capture->blocks[i].syspath);
	}
	return NULL;
}

/*
 * What is mounted, by the kernel's name of the device: links below /dev are named by
 * people, and so are data sets and servers.
 */
static void mount_source(const struct capture *capture, const char *source, char *buf,
			 size_t size)
{
	static const char dev[] = "/dev/", mapper[] = "/dev/mapper/";
	const char *syspath = NULL, *mapped = NULL;
	char name[256] = "";

	(void)snprintf(buf, size, "none");
	if (strcmp(source, "/dev/root") == 0) /* what the kernel calls it itself */
		(void)snprintf(buf, size, "%s", source);
	if (strncmp(source, dev, strlen(dev)) != 0)
		return;
	if (root_is_snapshot(capture->root))
		syspath = snapshot_node(capture->root, source + strlen(dev));
	if (strncmp(source, mapper, strlen(mapper)) == 0)
		mapped = mapped_name(capture, source + strlen(mapper));
	if (syspath || mapped)
		(void)snprintf(name, sizeof(name), "%s",
			       mapped ? mapped : path_name(syspath));
	else if (root_read_link_name(capture->root, source, name, sizeof(name)) < 0)
		(void)snprintf(name, sizeof(name), "%.255s", source + strlen(dev));
	if (is_block(capture->root, name))
		(void)snprintf(buf, size, "%s%s", dev, name);
}

/* "ID PARENT MAJOR:MINOR ROOT MOUNTPOINT OPTIONS [...] - TYPE SOURCE OPTIONS" */
static bool reduce_mount(const struct capture *capture, char *line, char *buf,
			 size_t size)
{
	char *place = NULL, *fields[5] = { 0 }, *behind = strstr(line, " - ");
	char source[ROOT_PATH_MAX];
	unsigned int major = 0, minor = 0;

	if (!behind)
		return false;
	*behind = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		fields[i] = strtok_r(i ? NULL : line, " ", &place);
		if (!fields[i])
			return false;
	}
	if (strcmp(fields[4], "/") != 0 || parse_devnum(fields[2], &major, &minor) < 0)
		return false;
	fields[0] = strtok_r(behind + 3, " ", &place);
	fields[1] = fields[0] ? strtok_r(NULL, " ", &place) : NULL;
	if (!fields[1])
		return false;
	mount_source(capture, fields[1], source, sizeof(source));
	return snprintf(buf, size, "1 0 %u:%u / / rw - %s %s rw\n", major, minor,
			is_plain(fields[0]) ? fields[0] : "none", source) < (int)size;
}

/* Of all mounts the one of "/"; where there are several, the last covers the others. */
static void write_root_mount(const struct capture *capture, FILE *out)
{
	static const char path[] = "/proc/self/mountinfo";
	_cleanup_free_ char *text = read_long(capture->root, path, MOUNTS_MAX);
	char reduced[ROOT_PATH_MAX + 128], last[ROOT_PATH_MAX + 128] = "";

	for (char *line = text, *next = NULL; line && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (reduce_mount(capture, line, reduced, sizeof(reduced)))
			strcpy(last, reduced);
	}
	if (*last)
		capture_write_file(path, last, strlen(last), out);
}

static bool is_storage_module(const char *path)
{
	static const char *const patterns[] = {
		"*/drivers/ata/*",     "*/drivers/block/*", "*/drivers/md/*",
		"*/drivers/message/*", "*/drivers/mmc/*",   "*/drivers/nvme/*",
		"*/drivers/scsi/*",    "*/drivers/usb/storage/*",
		"*/drivers/pci/controller/*",
	};

	for (size_t i = 0; is_plain(path) && i < ARRAY_SIZE(patterns); i++) {
		if (glob_match(patterns[i], path, false))
			return true;
	}
	return false;
}

/* What of a list of modules, or of the files in an initramfs, is about storage. */
static size_t reduce_modules(char *text)
{
	char *kept = text;

	for (char *line = text, *next = NULL; *line; line = next) {
		size_t len = strcspn(line, "\n");

		next = line + len + (line[len] == '\n');
		line[len] = '\0';
		if (!is_storage_module(line))
			continue;
		memmove(kept, line, len);
		kept += len;
		*kept++ = '\n';
	}
	*kept = '\0';
	return (size_t)(kept - text);
}

static void write_builtin(const struct capture *capture, FILE *out)
{
	static const char *const folders[] = { "/lib", "/usr/lib" };
	char path[ROOT_PATH_MAX], release[128] = "";

	(void)root_read(capture->root, "/proc/sys/kernel/osrelease", release,
			sizeof(release), NULL);
	trim_end(release);
	if (!*release || strchr(release, '/'))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_free_ char *text = NULL;

		(void)snprintf(path, sizeof(path), "%s/modules/%s/modules.builtin",
			       folders[i], release);
		text = read_long(capture->root, path, MODULES_MAX);
		if (!text)
			continue;
		capture_write_file(path, text, reduce_modules(text), out);
		return;
	}
}

/* The only question that an initramfs is asked (facts/evidence.c). */
static bool has_ide_driver(const struct capture *capture)
{
	static const char *const patterns[] = { "*/ata_piix", "*/ata_generic",
						"*/pata_*" };

	for (size_t i = 0; i < capture->n; i++) {
		const char *driver = block_value(&capture->blocks[i], 'L', "driver");

		if (!driver || strcmp(capture->blocks[i].subsystem, "pci") != 0)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(patterns); k++) {
			if (glob_match(patterns[k], driver, false))
				return true;
		}
	}
	return false;
}

/* A list that gives the same answer where it is long or not to be had. */
static void write_initramfs(const struct capture *capture, FILE *out)
{
	static const char has[] = "/ahci.ko is in it\n";
	static const char lacks[] = "ahci.ko is not in it\n";
	_cleanup_free_ char *text = NULL;
	const char *answer = NULL;
	bool any = false;

	if (capture->ask_initramfs && has_ide_driver(capture))
		answer = capture->ask_initramfs(capture->context);
	else if (!capture->ask_initramfs)
		text = read_long(capture->root, INITRAMFS_LIST, MODULES_MAX);
	if (text) {
		answer = strstr(text, "/ahci.ko") ? "yes" : "no";
		any = strstr(text, ".ko") != NULL;
		(void)reduce_modules(text);
	}
	if (!answer || (text && !any))
		return;
	if (!text || !strstr(text, ".ko")) {
		free(text);
		text = strdup(strcmp(answer, "yes") == 0 ? has : lacks);
	}
	if (text)
		capture_write_file(INITRAMFS_LIST, text, strlen(text), out);
}

/* The devices of a btrfs, as files, below a number in place of its UUID. */
static void write_btrfs(const struct capture *capture, FILE *out)
{
	_cleanup_names_ struct names systems = { 0 };
	unsigned int number = 0;

	if (root_list(capture->root, BTRFS, &systems) < 0)
		return;
	for (size_t i = 0; i < systems.n; i++) {
		_cleanup_names_ struct names devices = { 0 };
		char path[ROOT_PATH_MAX];

		(void)snprintf(path, sizeof(path), BTRFS "/%.200s/devices",
			       systems.list[i]);
		if (root_list(capture->root, path, &devices) < 0)
			continue;
		number++;
		for (size_t k = 0; k < devices.n; k++) {
			if (!is_block(capture->root, devices.list[k]))
				continue;
			(void)snprintf(path, sizeof(path), BTRFS "/%04u/devices/%.200s",
				       number, devices.list[k]);
			capture_write_file(path, "", 0, out);
		}
	}
}

void capture_write_boot(const struct capture *capture, FILE *out)
{
	write_root_mount(capture, out);
	write_btrfs(capture, out);
	write_builtin(capture, out);
	write_initramfs(capture, out);
}
