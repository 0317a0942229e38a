/* SPDX-License-Identifier: MIT */
/*
 * Where a disk is, in words that are the same after the next boot: udev's ID_PATH, else
 * what of its folder in sysfs is no running number. As udev's path_id does, only the last
 * PCI function counts, and USB ports without the number of their bus.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "policy/measurement-internal.h"

/* Folders whose names are running numbers, or say nothing. */
static const char *const unstable[] = {
	"host*",  "target*", "rport-*",	     "session*", "connection*", "expander-*",
	"port-*", "phy-*",   "end_device-*", "virtio*",	 "ata?",	"ata??",
	"ata???", "usb*",    "nvme*",	     "mmc*",	 "block",	"devices",
};

/* Kinds of stacks that are named as somebody has set them up, not by a running number. */
static const char *const named_kinds[] = { "md", "bcache", "drbd" };

struct place {
	char *buf;
	size_t size, len;
	bool cut;
	bool tied; /* to an address of the hardware */
};

static void append(struct place *place, const char *text)
{
	int n = snprintf(place->buf + place->len, place->size - place->len, "%s%s",
			 place->len > 0 ? "/" : "", text);

	if (n < 0 || (size_t)n >= place->size - place->len)
		place->cut = true;
	else
		place->len += (size_t)n;
}

static bool is_unstable(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(unstable); i++) {
		if (glob_match(unstable[i], name, false))
			return true;
	}
	return false;
}

/* "0000:00:1f.2" */
static bool is_pci_address(const char *name)
{
	size_t domain = strspn(name, "0123456789abcdef");

	return domain >= 4 && glob_match(":??:??.?", name + domain, false);
}

/* "2:0:0:1": a SCSI address, of which the number of the host is a running one. */
static bool is_scsi_address(const char *name)
{
	return name[strspn(name, "0123456789:")] == '\0' &&
	       glob_match("*:*:*:*", name, false);
}

/* "1-2.4" and "1-2.4:1.0": the number of the bus goes, the ports stay. */
static bool is_usb_port(const char *name)
{
	size_t bus = strspn(name, "0123456789");

	return bus > 0 && bus < 4 && name[bus] == '-' && name[bus + 1] &&
	       name[strspn(name, "0123456789-.:")] == '\0';
}

static void add_component(struct place *place, const char *name)
{
	if (is_pci_address(name)) {
		place->len = 0;
		append(place, name);
	} else if (is_scsi_address(name)) {
		append(place, strchr(name, ':') + 1);
	} else if (is_usb_port(name)) {
		append(place, strchr(name, '-') + 1);
	} else if (!is_unstable(name)) {
		append(place, name);
	} else {
		return;
	}
	place->tied |= !is_scsi_address(name) && strcmp(name, "platform") != 0;
}

/* A device below nothing: what it stands on, or the name that somebody gave it. */
static bool place_virtual(const struct disk *disk, char *buf, size_t size)
{
	const char *kind = facts_text(&disk->facts, FACT_STACK_KIND);
	const char *name = facts_text(&disk->facts, FACT_DM_NAME);

	if (!kind)
		return false;
	if (strcmp(kind, "loop") == 0)
		name = facts_text(&disk->facts, FACT_BACKING_FILE);
	for (size_t i = 0; !name && i < ARRAY_SIZE(named_kinds); i++) {
		if (strcmp(kind, named_kinds[i]) == 0)
			name = path_name(disk->syspath);
	}
	if (!name)
		return false; /* nbd0 may be any disk of any server */
	return (size_t)snprintf(buf, size, "%s:%s", kind, name) < size;
}

static bool place_in_sysfs(const struct disk *disk, char *buf, size_t size)
{
	char path[ROOT_PATH_MAX], *state = NULL;
	struct place place = { .buf = buf, .size = size };
	uint64_t port = 0;

	(void)snprintf(path, sizeof(path), "%s", disk->syspath);
	if (!path_up(path) || strncmp(path, "/sys/devices/", 13) != 0)
		return false;
	for (char *name = strtok_r(path + 4, "/", &state); name;
	     name = strtok_r(NULL, "/", &state))
		add_component(&place, name);
	if (facts_number(&disk->facts, FACT_ATA_PORT_NO, &port)) {
		char text[32];

		(void)snprintf(text, sizeof(text), "port%u", (unsigned int)port);
		append(&place, text);
	}
	return place.tied && !place.cut && place.len > 0;
}

bool place_of(const struct disk *disk, char *buf, size_t size)
{
	const char *id_path = facts_text(&disk->facts, FACT_ID_PATH);

	if (id_path)
		return (size_t)snprintf(buf, size, "%s", id_path) < size;
	if (facts_is_set(&disk->facts, FACT_VIRTUAL) ||
	    facts_is_text(&disk->facts, FACT_STACK_KIND, "rbd"))
		return place_virtual(disk, buf, size);
	return place_in_sysfs(disk, buf, size);
}
