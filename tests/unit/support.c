/* SPDX-License-Identifier: MIT */
/*
 * Folders below /tmp stand for a machine's file system; they are removed by walking them,
 * not by a shell.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/snapshot.h"

int folder_setup(void **state)
{
	char folder[] = "/tmp/blkadvise-unit-XXXXXX";
	struct root *root = NULL;

	if (!mkdtemp(folder) || root_new(folder, &root) < 0)
		return -1;
	*state = root;
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int flag,
			struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

int folder_teardown(void **state)
{
	struct root *root = *state;
	int r = nftw(root->prefix, remove_entry, 16, FTW_DEPTH | FTW_PHYS);

	(void)root_free(root);
	return r;
}

const char *folder_path_of(const struct root *root, const char *path)
{
	static char full[ROOT_PATH_MAX];

	(void)snprintf(full, sizeof(full), "%s%s", root->prefix, path);
	return full;
}

void folder_put(const struct root *root, const char *path, const char *text)
{
	char folder[ROOT_PATH_MAX];
	int fd = -1;

	(void)snprintf(folder, sizeof(folder), "%s", path);
	if (path_up(folder) && *folder)
		assert_int_equal(folder_make(root, folder), 0);
	fd = open(folder_path_of(root, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		  0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

const char *folder_get(const struct root *root, const char *path)
{
	static char text[65536];

	if (root_read(root, path, text, sizeof(text), NULL) < 0)
		fail_msg("%s cannot be read", path);
	return text;
}

size_t folder_count(const struct root *root, const char *path)
{
	_cleanup_names_ struct names names = { 0 };

	assert_int_equal(root_list(root, path, &names), 0);
	return names.n;
}

struct root *capture_of(const char *text)
{
	struct snapshot_error error = { 0 };
	struct root *root = NULL;

	if (snapshot_parse(text, strlen(text), &root, &error) < 0)
		fail_msg("capture, line %u: %s", error.line, error.reason);
	return root;
}

void give(struct disk_facts *facts, const struct given *list)
{
	for (; list->value; list++) {
		if (strcmp(list->value, "?") == 0)
			facts_clear(facts, list->fact);
		else if (fact_type(list->fact) == FACT_TYPE_STRING)
			facts_set_text(facts, list->fact, list->value);
		else
			facts_set_number(facts, list->fact,
					 strtoull(list->value, NULL, 0));
	}
}

void give_sata_ssd(struct disk_facts *facts)
{
	static const struct given list[] = {
		{ FACT_NAME, "sda" },
		{ FACT_DEV, "8:0" },
		{ FACT_DISKSEQ, "9" },
		{ FACT_ROTATIONAL, "0" },
		{ FACT_SCHEDULER, "mq-deadline" },
		{ FACT_SCHEDULER_LIST, "mq-deadline none bfq" },
		{ FACT_SCHEDULER_FIXED, "0" },
		{ FACT_NR_REQUESTS, "64" },
		{ FACT_READ_AHEAD_KB, "128" },
		{ FACT_MAX_SECTORS_KB, "1280" },
		{ FACT_MAX_HW_SECTORS_KB, "32767" },
		{ FACT_OPTIMAL_IO_SIZE, "0" },
		{ FACT_HW_QUEUES, "1" },
		{ FACT_NR_TAGS, "32" },
		{ FACT_ZONED, "none" },
		{ FACT_MODEL, "TEST SSD 860" },
		{ FACT_QUEUE_DEPTH, "32" },
		{ FACT_QUEUE_DEPTH_WRITABLE, "1" },
		{ FACT_CAN_QUEUE, "32" },
		{ FACT_LIBATA, "1" },
		{ FACT_ATA_PORT_ID, "1" },
		{ FACT_HOST_DRIVER, "ahci" },
		{ FACT_AHCI_HOST_CAPS, "0xe722ff05" },
		{ FACT_ATA_ID_75, "31" },
		{ FACT_ATA_ID_76, "0x850e" },
		{ FACT_ATA_ID_217, "1" },
		{ FACT_PCI_CLASS, "0x010601" },
		{ FACT_PCI_ADDRESS, "0000:00:1f.2" },
		{ FACT_OSRELEASE, "6.1.0-18-amd64" },
		{ FACT_NAME, NULL },
	};

	facts_init(facts);
	facts_set_anchor(facts, ANCHOR_DISK, "/sys/block/sda");
	facts_set_anchor(facts, ANCHOR_SCSI_DEVICE, "/sys/devices/0:0:0:0");
	give(facts, list);
}

struct disk_class sata_ssd_class(void)
{
	return (struct disk_class){
		.transport = TRANSPORT_SATA,
		.medium = MEDIUM_FLASH,
		.attachment = ATTACHMENT_AHCI,
		.class = CLASS_SATA_SSD,
		.ncq = NCQ_ON,
		.confident = true,
	};
}

const char *problem_text(const struct ini_problems *problems, size_t i)
{
	static char text[512];

	text[0] = '\0';
	if (i < problems->n)
		(void)snprintf(text, sizeof(text), "%s:%u: %s", problems->list[i].file,
			       problems->list[i].line, problems->list[i].text);
	return text;
}
