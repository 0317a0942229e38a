/* SPDX-License-Identifier: MIT */
/*
 * Which folders of /sys/devices a capture holds: block devices with all that is above
 * them, the class devices of SCSI hosts, libata and NVMe, which stand beside that chain,
 * and PCI functions of storage even if no disk hangs on them.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "cli/capture.h"

#define PCI_BASE_CLASS_STORAGE 0x01

/*
 * What /sys/class has links to. The folder of a bus is "devices" on a machine; a capture
 * derives a class for it.
 */
static const struct {
	const char *folder;
	bool storage_only; /* PCI functions with that class code */
} folders[] = {
	{ "/sys/class/block", false },	   { "/sys/block", false },
	{ "/sys/class/scsi_host", false }, { "/sys/class/ata_port", false },
	{ "/sys/class/ata_link", false },  { "/sys/class/ata_device", false },
	{ "/sys/class/nvme", false },	   { "/sys/class/nvme-subsystem", false },
	{ "/sys/class/dmi", false },	   { "/sys/bus/pci/devices", true },
	{ "/sys/class/pci", true },
};

static bool is_storage(const struct root *root, const char *syspath)
{
	char path[ROOT_PATH_MAX], text[32];
	uint64_t code = 0;

	return path_join(path, sizeof(path), syspath, "class") == 0 &&
	       root_read(root, path, text, sizeof(text), NULL) == 0 &&
	       parse_hex(trim(text), &code) == 0 && code >> 16 == PCI_BASE_CLASS_STORAGE;
}

/* Adds @syspath and the folders above it; many are added again and again. */
static int add_chain(struct names *found, const char *syspath)
{
	char folder[ROOT_PATH_MAX];
	int r = 0;

	(void)snprintf(folder, sizeof(folder), "%s", syspath);
	while (r == 0 && strlen(folder) > strlen("/sys/devices/")) {
		r = names_add(found, folder);
		(void)path_up(folder);
	}
	return r;
}

static int add_folder(const struct root *root, const char *folder, bool storage_only,
		      struct names *found)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, folder, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0; /* no such class here */
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		char link[ROOT_PATH_MAX], syspath[ROOT_PATH_MAX];

		if (path_join(link, sizeof(link), folder, names.list[i]) < 0 ||
		    root_resolve(root, link, syspath, sizeof(syspath)) < 0 ||
		    strncmp(syspath, "/sys/devices/", 13) != 0)
			continue;
		if (!storage_only || is_storage(root, syspath))
			r = add_chain(found, syspath);
	}
	return r;
}

static void drop_repeated(struct names *names)
{
	size_t kept = 0;

	names_sort(names);
	for (size_t i = 0; i < names->n; i++) {
		if (kept > 0 && strcmp(names->list[kept - 1], names->list[i]) == 0)
			free(names->list[i]);
		else
			names->list[kept++] = names->list[i];
	}
	names->n = kept;
}

int capture_find(const struct root *root, struct names *ret)
{
	struct names found = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(folders); i++)
		r = add_folder(root, folders[i].folder, folders[i].storage_only, &found);
	if (r < 0) {
		names_done(&found);
		return r;
	}
	drop_repeated(&found);
	*ret = found;
	return 0;
}
