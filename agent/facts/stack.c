/* SPDX-License-Identifier: MIT */
/*
 * Devices that stand on others, or on nothing: dm, md, bcache, loop, ram, zram and the
 * network ones. Kinds are told by the folders and attributes that only they have, and
 * by major numbers where the kernel assigns a fixed one (Documentation/admin-guide/
 * devices.txt). slaves/ leads down; its entries may be partitions.
 */
#include <string.h>

#include "base/parse.h"
#include "facts/probe.h"

#define MAJOR_RAM 1
#define MAJOR_FLOPPY 2
#define MAJOR_LOOP 7
#define MAJOR_NBD 43
#define MAJOR_DRBD 147

static const struct {
	const char *attr, *kind;
} kinds_by_attr[] = {
	{ "dm", "dm" },
	{ "md", "md" },
	{ "bcache", "bcache" },
	{ "loop", "loop" },
	{ "comp_algorithm", "zram" },
};

static const struct {
	unsigned int major;
	const char *kind;
} kinds_by_major[] = {
	{ MAJOR_RAM, "ram" },	{ MAJOR_FLOPPY, "floppy" }, { MAJOR_LOOP, "loop" },
	{ MAJOR_NBD, "nbd" },	{ MAJOR_DRBD, "drbd" },
};

static const struct {
	const char *subsystem, *kind;
} kinds_by_parent[] = {
	{ "rbd", "rbd" },
	{ "nd", "pmem" },
	{ "xen", "xen" },
	{ "vmbus", "hyperv" },
};

static const char *find_kind(const struct probe *probe)
{
	const char *syspath = probe->disk->syspath;
	char text[64], folder[ROOT_PATH_MAX];
	unsigned int major = 0, minor = 0;

	bool on_pci =
		facts_anchor(probe->facts, ANCHOR_PCI) != NULL; /* Hyper-V's own too */

	for (size_t i = 0; !on_pci && i < ARRAY_SIZE(kinds_by_parent); i++) {
		if (probe_find_ancestor(probe, kinds_by_parent[i].subsystem, NULL,
					folder))
			return kinds_by_parent[i].kind;
	}
	if (!facts_is_set(probe->facts, FACT_VIRTUAL))
		return NULL; /* bcache's folder is on its backing disk as well */
	for (size_t i = 0; i < ARRAY_SIZE(kinds_by_attr); i++) {
		if (probe_exists(probe, syspath, kinds_by_attr[i].attr))
			return kinds_by_attr[i].kind;
	}
	if (!probe_read(probe, syspath, "dev", text, sizeof(text), NULL) ||
	    parse_devnum(text, &major, &minor) < 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds_by_major); i++) {
		if (kinds_by_major[i].major == major)
			return kinds_by_major[i].kind;
	}
	return NULL;
}

static void locate(struct probe *probe)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], text[FACT_TEXT_MAX] = "";
	const char *kind = find_kind(probe);

	if (kind)
		facts_set_text(probe->facts, FACT_STACK_KIND, kind);
	if (facts_is_set(probe->facts, FACT_VIRTUAL))
		facts_set_anchor(probe->facts, ANCHOR_STACK, probe->disk->syspath);
	if (path_join(path, sizeof(path), probe->disk->syspath, "slaves") < 0 ||
	    root_list(probe->root, path, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		size_t len = strlen(text);

		if (len + strlen(names.list[i]) + 2 <= sizeof(text))
			(void)snprintf(text + len, sizeof(text) - len, "%s%s",
				       len ? " " : "", names.list[i]);
	}
	facts_set_text(probe->facts, FACT_SLAVES, text);
}

static void derive(struct probe *probe)
{
	probe_offer_fact(probe, FACT_SERIAL, FACT_DM_UUID);
}

const struct prober stack_prober = { .locate = locate, .derive = derive };
