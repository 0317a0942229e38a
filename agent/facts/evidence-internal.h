/* SPDX-License-Identifier: MIT */
/*
 * The parts of the evidence, one for each file that reads it. Internal to facts/.
 */
#pragma once

#include "base/ini.h"
#include "facts/evidence.h"

#define WHERE_MAX 160	  /* "file:line" */
#define RIVAL_VALUE_MAX 128
#define AHCI_MAX_REMAP 3 /* drivers/ata/ahci.c: NVMe drives that one function hides */

/* How the machine was booted, and from what. */
struct boot {
	uint64_t cpus;
	bool knows_cpus, knows_efi, efi;
	char *usb_parameter, *usb_cmdline; /* quirks; NULL: none */
	struct names root_disks; /* folders of the disks that hold "/"; empty: unknown */
	char root_source[64];	 /* what mountinfo calls it */
};

int boot_load(const struct root *root, struct boot *ret);
void boot_done(struct boot *boot);
void boot_add(const struct boot *boot, struct disk_facts *facts);
void boot_add_machine(const struct boot *boot, struct disk_facts *facts);

/* PCI functions that hide disks. */
struct functions {
	bool known, knows_remapped, has_ahci;
	uint64_t remapped;
	char remapped_at[FACT_TEXT_MAX];
	char vmd_unbound[64]; /* "": none */
};

int functions_load(const struct root *root, struct functions *ret);
void functions_add_machine(const struct functions *functions, struct disk_facts *facts);

/* The speed limit that all ports of the disk's host have in common. */
void host_add(const struct root *root, struct disk_facts *facts);

/* "dm-0=128 dm-1=4096": the readahead of all that stands on the disk. */
void holders_add(const struct root *root, struct disk_facts *facts);

/* One value that another program is configured to write. */
struct rival_rule {
	enum fact fact; /* RIVAL_* */
	/* Whether it is meant for this disk. */
	bool (*matches)(const struct root *root, const struct rival_rule *rule,
			const struct disk_facts *facts);
	char pattern[FACT_TEXT_MAX];
	char value[RIVAL_VALUE_MAX]; /* "": the program leaves it alone */
	char where[WHERE_MAX];
	bool unclear;	 /* something is written, and we cannot tell what */
	bool only_raise; /* a higher value is left alone */
	bool first_of; /* the value is a list, of which the first possible one is written
			*/
};

struct rivals {
	bool known;
	bool incomplete; /* what an active program writes could not be read in full */
	char active[64]; /* "tuned, TLP"; "" for none */
	char active_where[WHERE_MAX];
	struct rival_rule *rules; /* of those for one disk the last counts */
	size_t n;
};

int rivals_load(const struct root *root, struct rivals *ret);
void rivals_done(struct rivals *rivals);
void rivals_add(const struct root *root, const struct rivals *rivals,
		struct disk_facts *facts);

/* Notes that @name is active. */
void rivals_note(struct rivals *rivals, const char *name, const char *where);

/* Adds a copy of @rule. -ENOMEM. */
int rivals_add_rule(struct rivals *rivals, const struct rival_rule *rule);

/* Each reads one program's files, if it is active. -ENOMEM. */
int rivals_load_tuned(const struct root *root, struct rivals *rivals);
int rivals_load_tlp(const struct root *root, struct rivals *rivals);
int rivals_load_saptune(const struct root *root, struct rivals *rivals);

/*
 * ini_read() for files of other programs: what is wrong with one is not our business, but
 * whether all of it was read is. 1 if lines were malformed; -EBADMSG if it is too long or
 * binary; -ENOMEM, or what reading it gave.
 */
int read_foreign(const struct root *root, const char *path, ini_handler handler,
		 void *context);

/* Takes "..." and '...' away, and a comment behind a blank, in place. */
char *unquote(char *text);

/*
 * All of the file @path, or its first @max bytes, ended with NUL; may hold more of them.
 * -ENOMEM, or what reading it gave. The caller frees it.
 */
int read_all(const struct root *root, const char *path, size_t max, char **ret,
	     size_t *ret_len);

/* True if the root carries what evidence is made of; an old capture does not. */
bool carries_evidence(const struct root *root);
