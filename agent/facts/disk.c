/* SPDX-License-Identifier: MIT */
/*
 * All disks of the machine, in the order in which people expect them.
 */
#include "facts/disk.h"

#include <string.h>

static int compare_disks(const void *a, const void *b)
{
	const char *x = path_name(*(char *const *)a), *y = path_name(*(char *const *)b);
	size_t x_len = strlen(x), y_len = strlen(y);

	/* Within a prefix shorter names come first: sdb before sdaa, loop2 before loop10.
	 */
	if (strncmp(x, y, 2) == 0 && x_len != y_len)
		return x_len < y_len ? -1 : 1;
	return strcmp(x, y);
}

static bool is_hidden(const struct root *root, const char *folder)
{
	char path[ROOT_PATH_MAX], text[8];

	return path_join(path, sizeof(path), folder, "hidden") == 0 &&
	       root_read(root, path, text, sizeof(text), NULL) == 0 && text[0] == '1';
}

int disk_list(const struct root *root, struct names *ret)
{
	_cleanup_names_ struct names names = { 0 };
	struct names disks = { 0 };
	int r = root_list(root, "/sys/block", &names);

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		char link[ROOT_PATH_MAX], folder[ROOT_PATH_MAX];

		if (path_join(link, sizeof(link), "/sys/block", names.list[i]) < 0 ||
		    root_resolve(root, link, folder, sizeof(folder)) < 0 ||
		    is_hidden(root, folder))
			continue;
		r = names_add(&disks, folder);
	}
	if (r < 0) {
		names_done(&disks);
		return r;
	}
	if (disks.n > 1)
		qsort(disks.list, disks.n, sizeof(*disks.list), compare_disks);
	*ret = disks;
	return 0;
}

bool is_ide_driver(const char *driver)
{
	return strncmp(driver, "pata_", 5) == 0 || strcmp(driver, "ata_piix") == 0 ||
	       strcmp(driver, "ata_generic") == 0;
}

bool disk_is_ignored(const struct disk_facts *facts)
{
	return facts_is_text(facts, FACT_STACK_KIND, "loop") ||
	       facts_is_text(facts, FACT_STACK_KIND, "ram") ||
	       facts_is_text(facts, FACT_STACK_KIND, "zram");
}
