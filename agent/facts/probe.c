/* SPDX-License-Identifier: MIT */
/*
 * The loop over the fact table, and the walk along the folders above a disk.
 */
#include "facts/probe.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "base/sysfs.h"

enum parser {
	PARSER_NONE, /* a prober sets it */
	PARSER_TEXT,
	PARSER_DECIMAL,
	PARSER_HEX,
	PARSER_FLAG,
	PARSER_GBPS, /* "6.0 Gbps" */
	PARSER_GTPS, /* "8.0 GT/s PCIe" */
	PARSER_MBPS, /* "480", "1.5" */
	PARSER_LINK, /* the last component of a link */
	PARSER_PRESENT, /* 1 if the attribute exists */
	PARSER_WRITABLE, /* 1 if its mode has w, 0 if not */
};

static const enum parser fact_parsers[] = {
#define FACT(id, name, type, anchor, attr, parser) [FACT_##id] = PARSER_##parser,
#include "facts/fact-table.h"
#undef FACT
};

/* A kernel that has nothing to say says one of these. */
static bool is_nothing(const char *text)
{
	static const char *const nothing[] = { "", "(null)", "<unknown>", "Unknown" };

	for (size_t i = 0; i < ARRAY_SIZE(nothing); i++) {
		if (strcmp(text, nothing[i]) == 0)
			return true;
	}
	return false;
}

/* "6.0 Gbps", "8 GT/s", "480" in thousands of the unit, which must begin with @unit. */
static bool parse_speed(const char *text, const char *unit, uint64_t *ret)
{
	const char *rest = NULL;
	uint64_t value = 0;

	if (parse_milli(text, &value, &rest) < 0 || value == 0)
		return false;
	if (*rest == ' ')
		rest++;
	if (strncmp(rest, unit, strlen(unit)) != 0 || (*unit == '\0' && *rest))
		return false;
	*ret = value;
	return true;
}

static void set_from_text(struct disk_facts *facts, enum fact fact, char *text)
{
	uint64_t value = 0;
	bool ok = false;

	text = trim(text);
	switch (fact_parsers[fact]) {
	case PARSER_TEXT:
		if (!is_nothing(text))
			facts_set_text(facts, fact, text);
		return;
	case PARSER_DECIMAL:
		ok = parse_u64(text, &value) == 0;
		break;
	case PARSER_HEX:
		ok = parse_hex(text, &value) == 0;
		break;
	case PARSER_FLAG:
		ok = parse_u64(text, &value) == 0 && value <= 1;
		break;
	case PARSER_GBPS:
		ok = parse_speed(text, "Gbps", &value);
		break;
	case PARSER_GTPS:
		ok = parse_speed(text, "GT/s", &value);
		break;
	case PARSER_MBPS:
		ok = parse_speed(text, "", &value);
		value /= 1000;
		break;
	case PARSER_NONE:
	case PARSER_LINK:
	case PARSER_PRESENT:
	case PARSER_WRITABLE:
		break;
	}
	if (ok)
		facts_set_number(facts, fact, value);
}

static const char *fact_folder(const struct probe *probe, enum fact fact)
{
	enum anchor anchor = fact_anchor(fact);

	if (anchor == ANCHOR_DMI)
		return "/sys/class/dmi/id";
	if (anchor == ANCHOR_PROC)
		return "/proc";
	return facts_anchor(probe->facts, anchor);
}

static void read_property(struct probe *probe, enum fact fact)
{
	const struct properties *properties = probe->properties;
	const char *value = NULL;
	char text[FACT_TEXT_MAX];

	if (!properties)
		return;
	value = properties->get(properties->context, probe->disk->syspath,
				fact_attribute(fact));
	if (!value)
		return;
	(void)snprintf(text, sizeof(text), "%s", value);
	set_from_text(probe->facts, fact, text);
}

static void read_mode(struct probe *probe, enum fact fact, const char *folder)
{
	char path[ROOT_PATH_MAX];
	mode_t mode = 0;

	if (path_join(path, sizeof(path), folder, fact_attribute(fact)) < 0 ||
	    root_stat(probe->root, path, &mode, NULL) < 0)
		return;
	facts_set_number(probe->facts, fact,
			 fact_parsers[fact] == PARSER_PRESENT || (mode & 0222));
}

void probe_read_fact(struct probe *probe, enum fact fact)
{
	const char *folder = fact_folder(probe, fact);
	const char *attr = fact_attribute(fact);
	char text[ROOT_ATTR_MAX + 1];
	size_t len = 0;

	if (fact_anchor(fact) == ANCHOR_UDEV) {
		read_property(probe, fact);
		return;
	}
	if (!folder || !attr)
		return;
	switch (fact_parsers[fact]) {
	case PARSER_NONE:
		return;
	case PARSER_PRESENT:
	case PARSER_WRITABLE:
		read_mode(probe, fact, folder);
		return;
	case PARSER_LINK:
		if (probe_read_link(probe, folder, attr, text, FACT_TEXT_MAX))
			facts_set_text(probe->facts, fact, text);
		return;
	case PARSER_TEXT:
	case PARSER_DECIMAL:
	case PARSER_HEX:
	case PARSER_FLAG:
	case PARSER_GBPS:
	case PARSER_GTPS:
	case PARSER_MBPS:
		/* A NUL byte makes it neither a number nor a text. */
		if (probe_read(probe, folder, attr, text, sizeof(text), &len) &&
		    strlen(text) == len)
			set_from_text(probe->facts, fact, text);
		return;
	}
}

void probe_read_chain(struct probe *probe, const char *path)
{
	char folder[ROOT_PATH_MAX];

	probe->n_chain = 0;
	(void)snprintf(probe->hardware, sizeof(probe->hardware), "%s", path);
	strcpy(folder, probe->hardware);
	while (probe->n_chain < CHAIN_MAX && strlen(folder) > strlen("/sys/devices")) {
		struct ancestor *ancestor = &probe->chain[probe->n_chain];

		if (!probe_read_link(probe, folder, "subsystem", ancestor->subsystem,
				     sizeof(ancestor->subsystem)))
			ancestor->subsystem[0] = '\0';
		ancestor->len = (uint16_t)strlen(folder);
		probe->n_chain++;
		if (!path_up(folder))
			break;
	}
}

static void ancestor_path(const struct probe *probe, size_t i, char *buf)
{
	memcpy(buf, probe->hardware, probe->chain[i].len);
	buf[probe->chain[i].len] = '\0';
}

static bool has_devtype(const struct probe *probe, const char *folder,
			const char *devtype)
{
	char uevent[ROOT_ATTR_MAX + 1], wanted[64];
	const char *line = NULL;

	if (!probe_read(probe, folder, "uevent", uevent, sizeof(uevent), NULL))
		return false;
	(void)snprintf(wanted, sizeof(wanted), "DEVTYPE=%s\n", devtype);
	line = strstr(uevent, wanted);
	return line && (line == uevent || line[-1] == '\n');
}

bool probe_find_ancestor(const struct probe *probe, const char *subsystem,
			 const char *devtype, char *buf)
{
	for (size_t i = 1; i < probe->n_chain; i++) {
		if (strcmp(probe->chain[i].subsystem, subsystem) != 0)
			continue;
		ancestor_path(probe, i, buf);
		if (!devtype || has_devtype(probe, buf, devtype))
			return true;
	}
	return false;
}

bool probe_find_folder(const struct probe *probe, const char *prefix, char *buf,
		       uint64_t *ret_number)
{
	size_t len = strlen(prefix);

	for (size_t i = 1; i < probe->n_chain; i++) {
		const char *name = NULL;

		ancestor_path(probe, i, buf);
		name = path_name(buf);
		if (strncmp(name, prefix, len) == 0 &&
		    parse_u64(name + len, ret_number) == 0)
			return true;
	}
	return false;
}

bool probe_has_driver_above(const struct probe *probe, const char *folder,
			    const char *driver)
{
	char path[ROOT_PATH_MAX], name[64];

	(void)snprintf(path, sizeof(path), "%s", folder);
	while (path_up(path)) {
		if (probe_read_link(probe, path, "driver", name, sizeof(name)) &&
		    strcmp(name, driver) == 0)
			return true;
	}
	return false;
}

bool probe_read(const struct probe *probe, const char *folder, const char *name,
		char *buf, size_t size, size_t *ret_len)
{
	char path[ROOT_PATH_MAX];

	return path_join(path, sizeof(path), folder, name) == 0 &&
	       root_read(probe->root, path, buf, size, ret_len) == 0;
}

bool probe_read_link(const struct probe *probe, const char *folder, const char *name,
		     char *buf, size_t size)
{
	char path[ROOT_PATH_MAX];

	return path_join(path, sizeof(path), folder, name) == 0 &&
	       root_read_link_name(probe->root, path, buf, size) == 0;
}

bool probe_exists(const struct probe *probe, const char *folder, const char *name)
{
	char path[ROOT_PATH_MAX];

	return path_join(path, sizeof(path), folder, name) == 0 &&
	       root_exists(probe->root, path);
}

void probe_offer(struct probe *probe, enum fact fact, const char *text)
{
	if (text && !facts_known(probe->facts, fact))
		facts_set_text(probe->facts, fact, text);
}

void probe_offer_fact(struct probe *probe, enum fact fact, enum fact source)
{
	char copy[FACT_TEXT_MAX];
	const char *text = facts_text(probe->facts, source);

	if (!text)
		return;
	/* The pool may not move, but be plain. */
	(void)snprintf(copy, sizeof(copy), "%s", text);
	probe_offer(probe, fact, copy);
}

/*
 * The order is that of trust: a prober that comes first names the model. NVMe comes
 * before all that look at the hardware path, since it may lead that path elsewhere.
 */
static const struct prober *const probers[] = {
	&block_prober, &nvme_prober, &ata_prober, &scsi_prober, &usb_prober,
	&mmc_prober, &virtio_prober, &pci_prober, &stack_prober, &udev_prober,
	&machine_prober,
};

static void probe_facts(struct probe *probe)
{
	for (size_t i = 0; i < ARRAY_SIZE(probers); i++) {
		if (probers[i]->locate)
			probers[i]->locate(probe);
	}
	for (int fact = 0; fact < _FACT_MAX; fact++) {
		if (!facts_known(probe->facts, (enum fact)fact))
			probe_read_fact(probe, (enum fact)fact);
	}
	for (size_t i = 0; i < ARRAY_SIZE(probers); i++) {
		if (probers[i]->derive)
			probers[i]->derive(probe);
	}
}

/* Fills @disk, whose memory is the caller's. */
static int probe_one(const struct root *root, const char *syspath,
		     const struct properties *properties, struct disk *disk)
{
	struct probe *probe = NULL;
	_cleanup_free_ void *owned = NULL;
	char path[ROOT_PATH_MAX];

	if (strlen(syspath) >= sizeof(disk->syspath))
		return -ENAMETOOLONG;
	if (!root_exists(root, syspath))
		return -ENOENT;
	if (path_join(path, sizeof(path), syspath, "partition") < 0)
		return -ENAMETOOLONG;
	if (root_exists(root, path))
		return -ENODEV;
	owned = probe = calloc(1, sizeof(*probe));
	if (!probe)
		return -ENOMEM;
	strcpy(disk->syspath, syspath);
	facts_init(&disk->facts);
	probe->root = root;
	probe->properties = properties;
	probe->disk = disk;
	probe->facts = &disk->facts;
	facts_set_anchor(&disk->facts, ANCHOR_DISK, syspath);
	probe_read_chain(probe, syspath);
	probe_facts(probe);
	return 0;
}

int disk_probe(const struct root *root, const char *syspath,
	       const struct properties *properties, struct disk **ret)
{
	_cleanup_disk_ struct disk *disk = calloc(1, sizeof(*disk));
	_cleanup_names_ struct names leaves = { 0 };
	int r = 0;

	if (!disk)
		return -ENOMEM;
	r = probe_one(root, syspath, properties, disk);
	if (r < 0)
		return r;
	if (facts_known(&disk->facts, FACT_SLAVES))
		r = sysfs_block_leaves(root, syspath, &leaves, &disk->leaves_incomplete);
	if (r < 0)
		return r;
	if (leaves.n > 0) {
		disk->leaves = calloc(leaves.n, sizeof(*disk->leaves));
		if (!disk->leaves)
			return -ENOMEM;
	}
	for (size_t i = 0; i < leaves.n; i++) {
		r = probe_one(root, leaves.list[i], properties,
			      &disk->leaves[disk->n_leaves]);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			disk->leaves_incomplete = true;
		else
			disk->n_leaves++;
	}
	*ret = steal(disk);
	return 0;
}

int machine_probe(const struct root *root, struct disk **ret)
{
	_cleanup_disk_ struct disk *disk = calloc(1, sizeof(*disk));
	struct probe *probe = calloc(1, sizeof(*probe));
	_cleanup_free_ void *owned = probe;

	if (!disk || !probe)
		return -ENOMEM;
	strcpy(disk->syspath, "/sys");
	facts_init(&disk->facts);
	*probe = (struct probe){ .root = root, .disk = disk, .facts = &disk->facts };
	for (int i = 0; i < _FACT_MAX; i++) {
		enum anchor anchor = fact_anchor((enum fact)i);

		if (anchor == ANCHOR_DMI || anchor == ANCHOR_PROC)
			probe_read_fact(probe, (enum fact)i);
	}
	machine_prober.derive(probe);
	*ret = steal(disk);
	return 0;
}

struct disk *disk_free(struct disk *disk)
{
	if (disk) {
		free(disk->leaves);
		free(disk);
	}
	return NULL;
}
