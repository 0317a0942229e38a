/* SPDX-License-Identifier: MIT */
/*
 * Evidence: facts that are too dear to be read in an udev event, and are read for
 * `diagnose` only: what the kernel log says of each disk, other programs that write the
 * same attributes, how the machine was booted. All of it is optional. Whatever cannot be
 * read leaves its facts unknown.
 */
#pragma once

#include "facts/disk.h"
#include "facts/kernel-log.h"

struct evidence;

/* What the root cannot give, and the caller may. */
struct evidence_source {
	/*
	 * A log that has been ended, and is not the root's own. NULL: the root's
	 * /dev/kmsg is read, if the root is not live.
	 */
	struct kernel_log *log;
	/*
	 * Says whether the live machine's initramfs holds ahci: "yes", "no", or NULL for
	 * unknown. May be slow; asked at most once, and only if a disk makes it a
	 * question. NULL: nobody can tell.
	 */
	const char *(*ask_initramfs)(void *context);
	void *context;
};

/*
 * Reads what belongs to the whole machine from @root: a live one, a folder or a capture.
 * Takes the log of @source over, which is NULL then, unless it fails: -ENOMEM. Release
 * with evidence_free(). @root and the context of @source must live as long.
 */
int evidence_load(const struct root *root, struct evidence_source *source,
		  struct evidence **ret);

struct evidence *evidence_free(struct evidence *evidence);

static inline void evidence_freep(struct evidence **evidence)
{
	(void)evidence_free(*evidence);
}

#define _cleanup_evidence_ _cleanup_(evidence_freep)

/* Adds the facts of a disk, and of the leaves below it. */
void evidence_add(struct evidence *evidence, struct disk *disk);

/* Adds the facts of the machine, as machine_probe() gives it. */
void evidence_add_machine(struct evidence *evidence, struct disk *machine);
