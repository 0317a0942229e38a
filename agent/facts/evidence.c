/* SPDX-License-Identifier: MIT */
/*
 * Putting the evidence together: one file for each source does the reading.
 */
#include "facts/evidence.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/snapshot.h"
#include "facts/evidence-internal.h"
#include "facts/module-list.h"

#define READ_FIRST (64U << 10)
#define KERNEL_LOG_MAX (64U << 20)
#define MODULES_MAX (4U << 20)

struct evidence {
	const struct root *root;
	struct kernel_log *log;
	struct boot boot;
	struct functions functions;
	struct rivals rivals;

	const char *(*ask_initramfs)(void *context);
	void *context;
	bool asked_initramfs;
	const char *initramfs; /* NULL: unknown */
	char initramfs_where[ROOT_PATH_MAX];
};

int read_all(const struct root *root, const char *path, size_t max, char **ret,
	     size_t *ret_len)
{
	for (size_t size = READ_FIRST;; size *= 8) {
		_cleanup_free_ char *text = NULL;
		size_t len = 0;
		int r = 0;

		size = size < max ? size : max;
		text = malloc(size + 1);
		if (!text)
			return -ENOMEM;
		r = root_read_head(root, path, text, size + 1, &len);
		if (r < 0)
			return r;
		if (len == size && size < max)
			continue;
		*ret = steal(text);
		*ret_len = len;
		return 0;
	}
}

bool carries_evidence(const struct root *root)
{
	return !root_is_snapshot(root) ||
	       root_exists(root, "/sys/devices/system/cpu/online");
}

/* The log that a folder or a capture holds; none is no error. */
static int load_log(struct evidence *evidence)
{
	static const char path[] = "/dev/kmsg";
	_cleanup_kernel_log_ struct kernel_log *log = NULL;
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_all(evidence->root, path, KERNEL_LOG_MAX, &text, &len);

	if (r == 0)
		r = kernel_log_new(path, &log);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	kernel_log_feed(log, text, len);
	if (kernel_log_end(log))
		evidence->log = steal(log);
	return 0;
}

int evidence_load(const struct root *root, struct evidence_source *source,
		  struct evidence **ret)
{
	_cleanup_evidence_ struct evidence *evidence = calloc(1, sizeof(*evidence));
	int r = 0;

	if (!evidence)
		return -ENOMEM;
	evidence->root = root;
	evidence->ask_initramfs = source->ask_initramfs;
	evidence->context = source->context;
	if (!source->log && !root_is_live(root))
		r = load_log(evidence);
	if (r == 0)
		r = boot_load(root, &evidence->boot);
	if (r == 0)
		r = functions_load(root, &evidence->functions);
	if (r == 0)
		r = rivals_load(root, &evidence->rivals);
	if (r < 0)
		return r;
	if (source->log)
		evidence->log = steal(source->log);
	*ret = steal(evidence);
	return 0;
}

struct evidence *evidence_free(struct evidence *evidence)
{
	if (evidence) {
		(void)kernel_log_free(evidence->log);
		boot_done(&evidence->boot);
		rivals_done(&evidence->rivals);
	}
	free(evidence);
	return NULL;
}

/* True if a line of @path names the module ahci ("kernel/drivers/ata/ahci.ko.zst"). */
static bool lists_ahci(const struct root *root, const char *path, bool *ret_any)
{
	struct module_list list = { .any = false };
	_cleanup_free_ char *text = NULL;
	size_t len = 0;

	if (read_all(root, path, MODULES_MAX, &text, &len) == 0)
		module_list_feed(&list, text, len);
	*ret_any = list.any;
	return list.ahci;
}

/* Before firmware is switched to AHCI, the system must be able to boot from it. */
static void find_ahci(struct evidence *evidence)
{
	static const char list[] = "/boot/initramfs.list";
	static const char *const folders[] = { "/lib", "/usr/lib" };
	char *where = evidence->initramfs_where, release[128] = "";
	size_t size = sizeof(evidence->initramfs_where);
	bool any = false;

	(void)root_read(evidence->root, "/proc/sys/kernel/osrelease", release,
			sizeof(release), NULL);
	release[strcspn(release, "\n")] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(folders) && !strchr(release, '/'); i++) {
		(void)snprintf(where, size, "%s/modules/%s/modules.builtin", folders[i],
			       release);
		if (release[0] && lists_ahci(evidence->root, where, &any)) {
			evidence->initramfs = "built-in";
			return;
		}
	}
	if (evidence->ask_initramfs) {
		(void)snprintf(where, size, "the initramfs of %s", release);
		evidence->initramfs = evidence->ask_initramfs(evidence->context);
		return;
	}
	(void)snprintf(where, size, "%s", list);
	if (lists_ahci(evidence->root, list, &any))
		evidence->initramfs = "yes";
	else if (any)
		evidence->initramfs = "no";
}

static void add_initramfs(struct evidence *evidence, struct disk_facts *facts)
{
	const char *driver = facts_text(facts, FACT_PCI_DRIVER);

	if (!driver || !is_ide_driver(driver))
		return;
	if (!evidence->asked_initramfs)
		find_ahci(evidence);
	evidence->asked_initramfs = true;
	if (!evidence->initramfs)
		return;
	facts_set_text(facts, FACT_INITRAMFS_AHCI, evidence->initramfs);
	facts_set_source(facts, FACT_INITRAMFS_AHCI, evidence->initramfs_where);
}

static void add_to(struct evidence *evidence, struct disk_facts *facts)
{
	boot_add(&evidence->boot, facts);
	host_add(evidence->root, facts);
	holders_add(evidence->root, facts);
	rivals_add(evidence->root, &evidence->rivals, facts);
	add_initramfs(evidence, facts);
	if (evidence->log)
		kernel_log_add(evidence->log, facts);
}

void evidence_add(struct evidence *evidence, struct disk *disk)
{
	add_to(evidence, &disk->facts);
	for (size_t i = 0; i < disk->n_leaves; i++)
		add_to(evidence, &disk->leaves[i].facts);
}

void evidence_add_machine(struct evidence *evidence, struct disk *machine)
{
	struct disk_facts *facts = &machine->facts;

	boot_add_machine(&evidence->boot, facts);
	functions_add_machine(&evidence->functions, facts);
	rivals_add(evidence->root, &evidence->rivals, facts);
	if (evidence->log)
		kernel_log_add_machine(evidence->log, facts);
}
