/* SPDX-License-Identifier: MIT */
/*
 * How the machine was booted: CPUs, EFI, quirks of usb-storage that somebody asked for,
 * and the disks that hold the root file system. Sources: Documentation/ABI/testing/
 * sysfs-devices-system-cpu, Documentation/admin-guide/kernel-parameters.txt
 * (usb-storage.quirks=), drivers/usb/storage/usb.c (usb_stor_adjust_quirks()),
 * Documentation/filesystems/proc.rst (mountinfo).
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/sysfs.h"
#include "facts/evidence-internal.h"

#define QUIRKS_PARAMETER "/sys/module/usb_storage/parameters/quirks"
#define CPUS_ONLINE "/sys/devices/system/cpu/online"
#define MOUNTINFO "/proc/self/mountinfo"
#define MOUNTINFO_MAX (1U << 20)
#define CPUS_MAX 65536

/* "0-3,8": how many. False if it is no such list. */
static bool count_cpus(char *list, uint64_t *ret)
{
	char *place = NULL;
	uint64_t n = 0;

	for (char *range = strtok_r(list, ",\n", &place); range;
	     range = strtok_r(NULL, ",\n", &place)) {
		char *dash = strchr(range, '-');
		uint64_t first = 0, last = 0;

		if (dash)
			*dash = '\0';
		if (parse_u64(range, &first) < 0 ||
		    parse_u64(dash ? dash + 1 : range, &last) < 0 || last < first ||
		    last > CPUS_MAX)
			return false;
		n += last - first + 1;
	}
	*ret = n;
	return n > 0;
}

static void read_machine(const struct root *root, struct boot *boot)
{
	char text[ROOT_ATTR_MAX + 1];

	if (root_read(root, CPUS_ONLINE, text, sizeof(text), NULL) == 0)
		boot->knows_cpus = count_cpus(text, &boot->cpus);
	boot->efi = root_exists(root, "/sys/firmware/efi");
	/* That a root lacks the folder means something if it has others that we read. */
	boot->knows_efi = boot->efi || root_exists(root, CPUS_ONLINE);
}

static int read_usb_quirks(const struct root *root, struct boot *boot)
{
	static const char *const keys[] = { "usb-storage.quirks=",
					    "usb_storage.quirks=" };
	char text[ROOT_ATTR_MAX + 1], *place = NULL;

	if (root_read(root, QUIRKS_PARAMETER, text, sizeof(text), NULL) == 0) {
		boot->usb_parameter = strdup(trim(text));
		if (!boot->usb_parameter)
			return -ENOMEM;
	}
	if (root_read_head(root, "/proc/cmdline", text, sizeof(text), NULL) < 0)
		return 0;
	for (char *word = strtok_r(text, " \n", &place); word;
	     word = strtok_r(NULL, " \n", &place)) {
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			if (strncmp(word, keys[i], strlen(keys[i])) != 0)
				continue;
			free(boot->usb_cmdline);
			boot->usb_cmdline = strdup(word + strlen(keys[i]));
			if (!boot->usb_cmdline)
				return -ENOMEM;
		}
	}
	return 0;
}

/* The folder of the disk that mountinfo calls @source: "/dev/sda2", "/dev/mapper/x". */
static bool find_source(const struct root *root, const char *source, char *buf)
{
	static const char mapper[] = "/dev/mapper/";
	_cleanup_names_ struct names names = { 0 };

	if (strncmp(source, "/dev/", 5) != 0)
		return false;
	if (sysfs_block_by_name(root, source + 5, buf, ROOT_PATH_MAX) == 0)
		return true;
	if (strncmp(source, mapper, sizeof(mapper) - 1) != 0 ||
	    root_list(root, "/sys/class/block", &names) < 0)
		return false;
	for (size_t i = 0; i < names.n; i++) {
		char path[ROOT_PATH_MAX], name[256];

		if (strncmp(names.list[i], "dm-", 3) != 0 ||
		    sysfs_block_by_name(root, names.list[i], buf, ROOT_PATH_MAX) < 0 ||
		    path_join(path, sizeof(path), buf, "dm/name") < 0 ||
		    root_read(root, path, name, sizeof(name), NULL) < 0)
			continue;
		if (strcmp(trim(name), source + sizeof(mapper) - 1) == 0)
			return true;
	}
	return false;
}

/* The disk at @folder and those at its bottom. */
static int add_root_disk(const struct root *root, struct boot *boot, const char *folder)
{
	_cleanup_names_ struct names leaves = { 0 };
	bool incomplete = false;
	int r = sysfs_block_leaves(root, folder, &leaves, &incomplete);

	if (r == 0)
		r = names_add(&boot->root_disks, folder);
	for (size_t i = 0; r == 0 && i < leaves.n; i++)
		r = names_add(&boot->root_disks, leaves.list[i]);
	return r == -ENOMEM ? r : 0;
}

/* A btrfs lists all its devices below one folder; mountinfo names only one of them. */
static int add_btrfs_devices(const struct root *root, struct boot *boot,
			     const char *device)
{
	_cleanup_names_ struct names systems = { 0 };
	int r = root_list(root, "/sys/fs/btrfs", &systems);

	for (size_t i = 0; r == 0 && i < systems.n; i++) {
		_cleanup_names_ struct names devices = { 0 };
		char path[ROOT_PATH_MAX];
		bool ours = false;

		(void)snprintf(path, sizeof(path), "/sys/fs/btrfs/%.200s/devices",
			       systems.list[i]);
		if (root_list(root, path, &devices) < 0)
			continue;
		for (size_t k = 0; k < devices.n; k++)
			ours |= strcmp(devices.list[k], device) == 0;
		for (size_t k = 0; ours && r == 0 && k < devices.n; k++) {
			if (sysfs_block_by_name(root, devices.list[k], path,
						sizeof(path)) == 0)
				r = add_root_disk(root, boot, path);
		}
	}
	return r == -ENOMEM ? r : 0;
}

/* One line of mountinfo, if it is that of "/". */
static int read_mount(const struct root *root, struct boot *boot, char *line)
{
	char *fields[5], *place = NULL, folder[ROOT_PATH_MAX];
	char *tail = strstr(line, " - "), *type = NULL, *source = NULL;
	unsigned int major = 0, minor = 0;
	int r = 0;

	if (!tail)
		return 0;
	*tail = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		fields[i] = strtok_r(i == 0 ? line : NULL, " ", &place);
		if (!fields[i])
			return 0;
	}
	type = strtok_r(tail + 3, " ", &place);
	source = strtok_r(NULL, " ", &place);
	if (strcmp(fields[4], "/") != 0 || !source ||
	    parse_devnum(fields[2], &major, &minor) < 0)
		return 0;
	names_done(&boot->root_disks); /* a later mount covers an earlier one */
	if (major != 0 ? sysfs_block_by_devnum(root, major, minor, folder,
					       sizeof(folder)) < 0
		       : !find_source(root, source, folder))
		return 0;
	(void)snprintf(boot->root_source, sizeof(boot->root_source), "%s", source);
	r = add_root_disk(root, boot, folder);
	if (r == 0 && strcmp(type, "btrfs") == 0)
		r = add_btrfs_devices(root, boot, path_name(source));
	return r;
}

static int read_mounts(const struct root *root, struct boot *boot)
{
	_cleanup_free_ char *text = NULL;
	char *place = NULL;
	size_t len = 0;
	int r = read_all(root, MOUNTINFO, MOUNTINFO_MAX, &text, &len);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (char *line = strtok_r(text, "\n", &place); line && r == 0;
	     line = strtok_r(NULL, "\n", &place))
		r = read_mount(root, boot, line);
	return r;
}

int boot_load(const struct root *root, struct boot *ret)
{
	int r = 0;

	read_machine(root, ret);
	r = read_usb_quirks(root, ret);
	return r < 0 ? r : read_mounts(root, ret);
}

void boot_done(struct boot *boot)
{
	free(boot->usb_parameter);
	free(boot->usb_cmdline);
	names_done(&boot->root_disks);
	*boot = (struct boot){ 0 };
}

/*
 * The letters of the entry VID:PID:LETTERS for this device: the first that fits, as
 * usb_stor_adjust_quirks() takes it. Numbers are hexadecimal, with or without zeros.
 */
static bool find_quirk(const char *list, uint64_t vendor, uint64_t product, char *buf,
		       size_t size)
{
	while (list && *list) {
		unsigned long long vid = 0, pid = 0;
		char *end = NULL;
		size_t len = 0;

		vid = strtoull(list, &end, 16);
		if (*end == ':') {
			pid = strtoull(end + 1, &end, 16);
			len = *end == ':' ? strcspn(end + 1, ",") : 0;
			if (len > 0 && len < size && vid == vendor && pid == product) {
				memcpy(buf, end + 1, len);
				buf[len] = '\0';
				return true;
			}
		}
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static void add_usb_quirks(const struct boot *boot, struct disk_facts *facts)
{
	uint64_t vendor = 0, product = 0;
	const char *source = QUIRKS_PARAMETER;
	char letters[64];

	if (!facts_number(facts, FACT_USB_VENDOR, &vendor) ||
	    !facts_number(facts, FACT_USB_PRODUCT, &product))
		return;
	if (!find_quirk(boot->usb_parameter, vendor, product, letters, sizeof(letters))) {
		source = "/proc/cmdline";
		if (!find_quirk(boot->usb_cmdline, vendor, product, letters,
				sizeof(letters)))
			return;
	}
	facts_set_text(facts, FACT_USB_QUIRKS, letters);
	facts_set_source(facts, FACT_USB_QUIRKS, source);
}

void boot_add_machine(const struct boot *boot, struct disk_facts *facts)
{
	if (boot->knows_cpus) {
		facts_set_number(facts, FACT_CPUS, boot->cpus);
		facts_set_source(facts, FACT_CPUS, CPUS_ONLINE);
	}
	if (boot->knows_efi) {
		facts_set_number(facts, FACT_EFI, boot->efi);
		facts_set_source(facts, FACT_EFI, "/sys/firmware/efi");
	}
}

/* What lies between the root file system and its leaves is not followed: unknown. */
static void add_root(const struct boot *boot, struct disk_facts *facts)
{
	const char *folder = facts_anchor(facts, ANCHOR_DISK);
	bool holds = false;

	if (boot->root_disks.n == 0 || !folder)
		return;
	for (size_t i = 0; i < boot->root_disks.n; i++)
		holds |= strcmp(boot->root_disks.list[i], folder) == 0;
	if (!holds && facts_known(facts, FACT_SLAVES))
		return;
	facts_set_number(facts, FACT_HOLDS_ROOT, holds);
	facts_set_source(facts, FACT_HOLDS_ROOT, MOUNTINFO);
}

void boot_add(const struct boot *boot, struct disk_facts *facts)
{
	boot_add_machine(boot, facts);
	add_root(boot, facts);
	add_usb_quirks(boot, facts);
}
