/* SPDX-License-Identifier: MIT */
/*
 * NVMe. A namespace of a controller that belongs to a multipath subsystem appears as a
 * head below /sys/devices/virtual/nvme-subsystem, without hardware above it; its queues
 * are hidden path devices nvme<S>c<C>n<N> below the controllers (drivers/nvme/host/
 * core.c, nvme_set_disk_name). The number in a head's name is the subsystem's and not a
 * controller's, so nothing here maps names to names.
 */
#include <string.h>

#include "base/parse.h"
#include "facts/probe.h"

/* The head's name "nvme<S>n<N>" split. */
static bool parse_head(const char *name, unsigned int *ret_subsystem,
		       unsigned int *ret_nsid)
{
	int end = 0;

	return sscanf(name, "nvme%un%u%n", ret_subsystem, ret_nsid, &end) == 2 &&
	       name[end] == '\0';
}

/* Adds the hidden path device of the controller in @folder, if it has one. */
static void add_path(struct probe *probe, const char *folder, char *paths, size_t size)
{
	_cleanup_names_ struct names names = { 0 };
	unsigned int subsystem = 0, nsid = 0;

	if (!parse_head(path_name(probe->disk->syspath), &subsystem, &nsid) ||
	    root_list(probe->root, folder, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		unsigned int s = 0, c = 0, n = 0;
		size_t len = strlen(paths);
		int end = 0;

		if (sscanf(names.list[i], "nvme%uc%un%u%n", &s, &c, &n, &end) != 3 ||
		    names.list[i][end] != '\0' || s != subsystem || n != nsid)
			continue;
		if (len + strlen(names.list[i]) + 2 <= size)
			(void)snprintf(paths + len, size - len, "%s%s", len ? " " : "",
				       names.list[i]);
		if (!facts_anchor(probe->facts, ANCHOR_NVME)) {
			facts_set_anchor(probe->facts, ANCHOR_NVME, folder);
			probe_read_chain(probe, folder);
		}
	}
}

static void locate_head(struct probe *probe, const char *subsystem)
{
	_cleanup_names_ struct names names = { 0 };
	char paths[FACT_TEXT_MAX] = "";

	facts_set_number(probe->facts, FACT_NVME_HEAD, 1);
	if (root_list(probe->root, subsystem, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		char link[ROOT_PATH_MAX], target[ROOT_PATH_MAX], folder[ROOT_PATH_MAX];

		if (path_join(link, sizeof(link), subsystem, names.list[i]) < 0 ||
		    strncmp(names.list[i], "nvme", 4) != 0 ||
		    root_read_link(probe->root, link, target, sizeof(target)) < 0 ||
		    root_resolve(probe->root, link, folder, sizeof(folder)) < 0)
			continue;
		add_path(probe, folder, paths, sizeof(paths));
	}
	facts_set_text(probe->facts, FACT_NVME_PATHS, paths);
}

static void locate(struct probe *probe)
{
	char folder[ROOT_PATH_MAX];

	if (probe_find_ancestor(probe, "nvme-subsystem", NULL, folder))
		locate_head(probe, folder);
	else if (probe_find_ancestor(probe, "nvme", NULL, folder))
		facts_set_anchor(probe->facts, ANCHOR_NVME, folder);
}

/* "eui.0025..." and "nvme.1344-..." are wwids; a WWN has digits only. */
static void offer_wwn(struct probe *probe)
{
	const char *wwid = facts_text(probe->facts, FACT_NVME_WWID);
	char text[FACT_TEXT_MAX];

	if (!wwid)
		return;
	(void)snprintf(text, sizeof(text), "%s", wwid);
	probe_offer(probe, FACT_WWN, text);
}

static void derive(struct probe *probe)
{
	if (!facts_anchor(probe->facts, ANCHOR_NVME))
		return;
	probe_offer_fact(probe, FACT_MODEL, FACT_NVME_MODEL);
	probe_offer_fact(probe, FACT_SERIAL, FACT_NVME_SERIAL);
	probe_offer_fact(probe, FACT_FIRMWARE, FACT_NVME_FIRMWARE);
	offer_wwn(probe);
}

const struct prober nvme_prober = { .locate = locate, .derive = derive };
