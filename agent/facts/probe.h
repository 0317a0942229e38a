/* SPDX-License-Identifier: MIT */
/*
 * What the probers share. A prober knows one family of devices: `locate` finds the
 * folders of that family above the disk (anchors) and notes what only a path tells;
 * then one loop reads every attribute of the fact table below the anchors that were
 * found; then `derive` works out facts from what was read. Internal to facts/.
 */
#pragma once

#include "base/root.h"
#include "facts/disk.h"
#include "facts/facts.h"

#define CHAIN_MAX 40 /* folders above a disk that are looked at */

/* One folder above the disk, or the disk itself, nearest first. */
struct ancestor {
	uint16_t len; /* of its path, which is a prefix of the chain's */
	char subsystem[24]; /* "" if it has none */
};

struct probe {
	const struct root *root;
	const struct properties *properties;
	struct disk *disk;
	struct disk_facts *facts; /* = &disk->facts */

	/*
	 * The path whose ancestors are the hardware: the disk's own, or that of a
	 * controller for an NVMe multipath head, which has no hardware above it.
	 */
	char hardware[ROOT_PATH_MAX];
	struct ancestor chain[CHAIN_MAX];
	size_t n_chain;
};

struct prober {
	void (*locate)(struct probe *probe);
	void (*derive)(struct probe *probe);
};

extern const struct prober block_prober, udev_prober, ata_prober, scsi_prober,
	nvme_prober, usb_prober, mmc_prober, virtio_prober, pci_prober, stack_prober,
	machine_prober;

/* (Re)reads the chain above @path and makes it the hardware path. */
void probe_read_chain(struct probe *probe, const char *path);

/*
 * Writes the path of the nearest ancestor with this subsystem to @buf (of
 * ROOT_PATH_MAX bytes); @devtype NULL means any. False if there is none.
 */
bool probe_find_ancestor(const struct probe *probe, const char *subsystem,
			 const char *devtype, char *buf);

/* As above for the nearest folder named @prefix followed by digits only ("ata3"). */
bool probe_find_folder(const struct probe *probe, const char *prefix, char *buf,
		       uint64_t *ret_number);

/* True if @folder, or one above it, is a function driven by @driver. */
bool probe_has_driver_above(const struct probe *probe, const char *folder,
			    const char *driver);

/* Reads "@folder/@name". False if that fails; the content ends with NUL. */
bool probe_read(const struct probe *probe, const char *folder, const char *name,
		char *buf, size_t size, size_t *ret_len);

/* As probe_read() for the last component of a link. */
bool probe_read_link(const struct probe *probe, const char *folder, const char *name,
		     char *buf, size_t size);

bool probe_exists(const struct probe *probe, const char *folder, const char *name);

/* Sets MODEL, SERIAL ... unless a better source has set it, or @text is NULL. */
void probe_offer(struct probe *probe, enum fact fact, const char *text);

/* As probe_offer() with the text of another fact. */
void probe_offer_fact(struct probe *probe, enum fact fact, enum fact source);

/* The fact's attribute read as its row of the table says. */
void probe_read_fact(struct probe *probe, enum fact fact);
