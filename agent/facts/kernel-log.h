/* SPDX-License-Identifier: MIT */
/*
 * Reading a kernel log for what it says of disks and their links. The log is fed in
 * pieces and not kept: only counts and a few lines are. It may be dmesg, journalctl -k,
 * a syslog file or records of /dev/kmsg, and it may hold any bytes.
 */
#pragma once

#include "base/cleanup.h"
#include "facts/facts.h"

struct kernel_log;

/* @name is for people: "/dev/kmsg", a file's path. -ENOMEM. */
int kernel_log_new(const char *name, struct kernel_log **ret);

/* Takes NULL. Returns NULL. */
struct kernel_log *kernel_log_free(struct kernel_log *log);

static inline void kernel_log_freep(struct kernel_log **log)
{
	(void)kernel_log_free(*log);
}

#define _cleanup_kernel_log_ _cleanup_(kernel_log_freep)

/* The next @len bytes; a piece may begin and end anywhere. Never fails. */
void kernel_log_feed(struct kernel_log *log, const char *text, size_t len);

/*
 * Ends the last line. True if there was a line of a kernel at all, which a time or the
 * message shows: a text without one is no kernel log, and its silence means nothing. No
 * more may be fed.
 */
bool kernel_log_end(struct kernel_log *log);

/*
 * Seconds after the boot at which the log begins, if it has lost its beginning: records
 * were overwritten, so that its silence proves little. 0 if it reaches back to the boot,
 * or does not tell.
 */
uint64_t kernel_log_begin(const struct kernel_log *log);

/* Adds the facts KERNEL_LOG and LOG_* of a disk. The log has been ended. */
void kernel_log_add(const struct kernel_log *log, struct disk_facts *facts);

/* Adds those of the machine. */
void kernel_log_add_machine(const struct kernel_log *log, struct disk_facts *facts);
