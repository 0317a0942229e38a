/* SPDX-License-Identifier: MIT */
/*
 * What lies beside a disk: PCI functions that hide NVMe drives, the other ports of its
 * host, and what stands on it. Sources: Documentation/ABI/testing/sysfs-ata,
 * drivers/ata/ahci.c (remapped_nvme), drivers/pci/controller/vmd.c (vmd_ids).
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/sysfs.h"
#include "facts/evidence-internal.h"

#define PCI_DEVICES "/sys/bus/pci/devices"
#define PCI_VENDOR_INTEL 0x8086
#define HOLDERS_MAX 16
#define HOLDERS_DEPTH_MAX 8

static const uint16_t vmd_ids[] = { 0x201d, 0x28c0, 0x9a0b, 0x467f, 0x4c3d,
				    0xa77f, 0x7d0b, 0xad0b, 0xb60b, 0xb06f };

static bool read_attribute(const struct root *root, const char *folder, const char *name,
			   char *buf, size_t size)
{
	char path[ROOT_PATH_MAX];

	return path_join(path, sizeof(path), folder, name) == 0 &&
	       root_read(root, path, buf, size, NULL) == 0;
}

/* Appends "@word" to a list of words in @buf, unless it is full. */
static void append(char *buf, size_t size, const char *word)
{
	size_t len = strlen(buf);

	if (len + strlen(word) + 2 <= size)
		(void)snprintf(buf + len, size - len, "%s%s", len ? " " : "", word);
}

static bool is_unbound_vmd(const struct root *root, const char *folder)
{
	char text[64], path[ROOT_PATH_MAX];
	uint64_t vendor = 0, device = 0;
	bool vmd = false;

	if (!read_attribute(root, folder, "vendor", text, sizeof(text)) ||
	    parse_hex(trim(text), &vendor) < 0 || vendor != PCI_VENDOR_INTEL ||
	    !read_attribute(root, folder, "device", text, sizeof(text)) ||
	    parse_hex(trim(text), &device) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(vmd_ids); i++)
		vmd |= device == vmd_ids[i];
	return vmd && path_join(path, sizeof(path), folder, "driver") == 0 &&
	       root_read_link_name(root, path, text, sizeof(text)) < 0;
}

static bool is_ahci(const struct root *root, const char *folder)
{
	char path[ROOT_PATH_MAX], driver[64];

	return path_join(path, sizeof(path), folder, "driver") == 0 &&
	       root_read_link_name(root, path, driver, sizeof(driver)) == 0 &&
	       strcmp(driver, "ahci") == 0;
}

static void look_at_function(const struct root *root, const char *name,
			     struct functions *functions)
{
	char link[ROOT_PATH_MAX], folder[ROOT_PATH_MAX], text[64];
	uint64_t n = 0;

	if (path_join(link, sizeof(link), PCI_DEVICES, name) < 0 ||
	    root_resolve(root, link, folder, sizeof(folder)) < 0)
		return;
	functions->has_ahci |= is_ahci(root, folder);
	if (read_attribute(root, folder, "remapped_nvme", text, sizeof(text)) &&
	    parse_u64(trim(text), &n) == 0 && n <= AHCI_MAX_REMAP) {
		functions->knows_remapped = true;
		functions->remapped += n;
		if (n > 0)
			append(functions->remapped_at, sizeof(functions->remapped_at),
			       name);
	}
	if (!functions->vmd_unbound[0] && is_unbound_vmd(root, folder))
		append(functions->vmd_unbound, sizeof(functions->vmd_unbound), name);
}

/* A machine without PCI has no such folder, and nothing in it. */
int functions_load(const struct root *root, struct functions *ret)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, PCI_DEVICES, &names);

	if (r < 0 && r != -ENOENT)
		return r == -ENOMEM ? r : 0;
	ret->known = carries_evidence(root);
	for (size_t i = 0; i < names.n; i++)
		look_at_function(root, names.list[i], ret);
	return 0;
}

/* It is ahci that hides NVMe drives: where it drives nothing, none is hidden so. */
static void add_remapped(const struct functions *functions, struct disk_facts *facts)
{
	static const char attribute[] = PCI_DEVICES "/*/remapped_nvme";

	if (functions->knows_remapped) {
		facts_set_number(facts, FACT_REMAPPED_TOTAL, functions->remapped);
		facts_set_source(facts, FACT_REMAPPED_TOTAL, attribute);
		facts_set_text(facts, FACT_REMAPPED_AT, functions->remapped_at);
		facts_set_source(facts, FACT_REMAPPED_AT, attribute);
	} else if (functions->known && !functions->has_ahci) {
		facts_set_number(facts, FACT_REMAPPED_TOTAL, 0);
		facts_set_source(facts, FACT_REMAPPED_TOTAL, PCI_DEVICES "/*/driver");
	}
}

void functions_add_machine(const struct functions *functions, struct disk_facts *facts)
{
	add_remapped(functions, facts);
	if (!functions->known && !functions->vmd_unbound[0])
		return;
	facts_set_text(facts, FACT_VMD_UNBOUND,
		       functions->vmd_unbound[0] ? functions->vmd_unbound : "none");
	facts_set_source(facts, FACT_VMD_UNBOUND, PCI_DEVICES "/*/driver");
}

/* "3.0 Gbps" as 3000; 0 for anything else. */
static uint64_t read_limit(const struct root *root, const char *folder, const char *name)
{
	char text[64];
	const char *rest = NULL;
	uint64_t value = 0;

	if (!read_attribute(root, folder, name, text, sizeof(text)) ||
	    parse_milli(text, &value, &rest) < 0 || strncmp(rest, " Gbps", 5) != 0)
		return 0;
	return value;
}

/* Both limits of the port in @folder ("/sys/devices/.../ata3"); 0 if they differ. */
static uint64_t port_limit(const struct root *root, const char *folder,
			   const char *number)
{
	char link[ROOT_PATH_MAX];
	uint64_t now = 0;

	if (snprintf(link, sizeof(link), "%s/link%s/ata_link/link%s", folder, number,
		     number) >= (int)sizeof(link))
		return 0;
	now = read_limit(root, link, "sata_spd_limit");
	return now == read_limit(root, link, "hw_sata_spd_limit") ? now : 0;
}

static bool is_port(const char *name)
{
	uint64_t n = 0;

	return strncmp(name, "ata", 3) == 0 && parse_u64(name + 3, &n) == 0;
}

void host_add(const struct root *root, struct disk_facts *facts)
{
	const char *port = facts_anchor(facts, ANCHOR_ATA_PORT);
	_cleanup_names_ struct names names = { 0 };
	char host[ROOT_PATH_MAX], folder[ROOT_PATH_MAX];
	uint64_t common = 0;
	size_t n = 0;

	if (!port) /* ".../0000:00:1f.2/ata3/ata_port/ata3" */
		return;
	(void)snprintf(host, sizeof(host), "%s", port);
	if (!path_up(host) || !path_up(host) || !path_up(host) ||
	    root_list(root, host, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		uint64_t limit = 0;

		if (!is_port(names.list[i]) ||
		    path_join(folder, sizeof(folder), host, names.list[i]) < 0)
			continue;
		limit = port_limit(root, folder, names.list[i] + 3);
		if (limit == 0 || (n > 0 && limit != common))
			return;
		common = limit;
		n++;
	}
	if (n < 2)
		return;
	facts_set_number(facts, FACT_HOST_SPD_LIMIT, common);
	(void)snprintf(folder, sizeof(folder), "%.900s/*/sata_spd_limit", host);
	facts_set_source(facts, FACT_HOST_SPD_LIMIT, folder);
}

struct climb {
	const struct root *root;
	struct names seen; /* names of holders */
};

static int climb(struct climb *climb, const char *syspath, unsigned int depth);

/* The holders of one disk or partition. */
static int climb_folder(struct climb *up, const char *folder, unsigned int depth)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], syspath[ROOT_PATH_MAX];
	int r = 0;

	if (path_join(path, sizeof(path), folder, "holders") < 0 ||
	    root_list(up->root, path, &names) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		bool seen = up->seen.n >= HOLDERS_MAX;

		for (size_t k = 0; k < up->seen.n; k++)
			seen |= strcmp(up->seen.list[k], names.list[i]) == 0;
		if (seen || sysfs_block_by_name(up->root, names.list[i], syspath,
						sizeof(syspath)) < 0)
			continue;
		r = names_add(&up->seen, names.list[i]);
		if (r == 0)
			r = climb(up, syspath, depth + 1);
	}
	return r;
}

static int climb(struct climb *up, const char *syspath, unsigned int depth)
{
	_cleanup_names_ struct names names = { 0 };
	const char *disk = path_name(syspath);
	char path[ROOT_PATH_MAX];
	int r = climb_folder(up, syspath, depth);

	if (r < 0 || depth >= HOLDERS_DEPTH_MAX ||
	    root_list(up->root, syspath, &names) < 0)
		return r;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		if (strncmp(names.list[i], disk, strlen(disk)) == 0 &&
		    path_join(path, sizeof(path), syspath, names.list[i]) == 0)
			r = climb_folder(up, path, depth);
	}
	return r;
}

void holders_add(const struct root *root, struct disk_facts *facts)
{
	const char *disk = facts_anchor(facts, ANCHOR_DISK);
	struct climb up = { .root = root };
	char list[FACT_TEXT_MAX] = "", word[320], syspath[ROOT_PATH_MAX], text[64];

	if (disk)
		(void)climb(&up, disk, 0);
	for (size_t i = 0; i < up.seen.n; i++) {
		uint64_t value = 0;

		if (sysfs_block_by_name(root, up.seen.list[i], syspath, sizeof(syspath)) <
			    0 ||
		    !read_attribute(root, syspath, "queue/read_ahead_kb", text,
				    sizeof(text)) ||
		    parse_u64(trim(text), &value) < 0)
			continue;
		(void)snprintf(word, sizeof(word), "%.255s=%" PRIu64, up.seen.list[i],
			       value);
		append(list, sizeof(list), word);
	}
	names_done(&up.seen);
	if (!list[0])
		return;
	facts_set_text(facts, FACT_HOLDER_READ_AHEAD_KB, list);
	facts_set_source(facts, FACT_HOLDER_READ_AHEAD_KB,
			 "/sys/block/*/queue/read_ahead_kb");
}
