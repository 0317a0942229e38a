/* SPDX-License-Identifier: MIT */
/*
 * Links below /dev to a block device: from the udev database, or, where there is none
 * (a tree below a folder, a machine without udev), from the folders of /dev. Links named
 * after file systems, partitions and volume groups are left out; so is by-id without
 * udev, whose properties tell which part of such a name is a secret.
 */
#include <errno.h>
#include <string.h>

#include "cli/capture.h"

/* Kinds of links, without /dev/. Those below by-id may be named by anybody's rules. */
static bool is_wanted(const char *link)
{
	static const char *const wanted[] = {
		"disk/by-diskseq/",    "disk/by-id/ata-",
		"disk/by-id/dm-name-", "disk/by-id/dm-uuid-",
		"disk/by-id/md-name-", "disk/by-id/md-uuid-",
		"disk/by-id/mmc-",     "disk/by-id/nvme-",
		"disk/by-id/scsi-",    "disk/by-id/usb-",
		"disk/by-id/virtio-",  "disk/by-id/wwn-",
		"disk/by-path/",       "mapper/",
	};

	for (const char *p = link; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '=')
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (strncmp(link, wanted[i], strlen(wanted[i])) == 0)
			return true;
	}
	return false;
}

static int add(struct block *block, const char *link)
{
	const struct line line = {
		.letter = 'S',
		.field = FIELD_LINKS,
		.name = (char *)"",
		.value = (char *)link,
		.len = strlen(link),
	};

	for (size_t i = 0; i < block->n; i++) {
		if (block->lines[i].letter == 'S' &&
		    strcmp(block->lines[i].value, link) == 0)
			return 0;
	}
	return is_wanted(link) ? block_add(block, &line) : 0;
}

static int add_words(struct block *block, const char *links)
{
	_cleanup_free_ char *copy = strdup(links);
	char *place = NULL;
	int r = 0;

	if (!copy)
		return -ENOMEM;
	for (char *word = strtok_r(copy, " ", &place); word && r == 0;
	     word = strtok_r(NULL, " ", &place))
		r = add(block, strncmp(word, "/dev/", 5) == 0 ? word + 5 : word);
	return r;
}

static int add_folder(const struct root *root, struct block *block, const char *folder,
		      const char *node)
{
	_cleanup_names_ struct names names = { 0 };
	int r = 0;

	if (root_list(root, folder, &names) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		char path[ROOT_PATH_MAX], name[ROOT_PATH_MAX];

		if (path_join(path, sizeof(path), folder, names.list[i]) == 0 &&
		    root_read_link_name(root, path, name, sizeof(name)) == 0 &&
		    strcmp(name, node) == 0)
			r = add(block, path + strlen("/dev/"));
	}
	return r;
}

int capture_add_links(const struct root *root, const char *devlinks, struct block *block)
{
	static const char *const folders[] = { "/dev/disk/by-diskseq",
					       "/dev/disk/by-path", "/dev/mapper" };
	const char *node = block_value(block, 'E', "DEVNAME");
	const struct line line = {
		.letter = 'E',
		.name = (char *)"DEVLINKS", /* its value is that of the S: lines */
		.value = (char *)"",
	};
	int r = devlinks ? add_words(block, devlinks) : 0;

	for (size_t i = 0; r == 0 && !devlinks && node && i < ARRAY_SIZE(folders); i++)
		r = add_folder(root, block, folders[i], path_name(node));
	if (r < 0 || block->n == 0 || block->lines[block->n - 1].letter != 'S')
		return r;
	return block_add(block, &line);
}
