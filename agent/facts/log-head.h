/* SPDX-License-Identifier: MIT */
/*
 * What stands before the message in a line of a kernel log: the time, the host, who sent
 * it. The forms are those of dmesg(1), of journalctl(1) -o short and its relatives, of
 * syslog files, and of the records of /dev/kmsg (Documentation/ABI/testing/dev-kmsg).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_head {
	const char *text; /* the message; the line itself, if nothing stands before it */
	bool is_kernel;	  /* has a time or a number, and nobody but the kernel wrote it */
	bool is_foreign;  /* a program wrote it */
	bool has_uptime, has_clock; /* both may be there */
	uint64_t uptime_us;	    /* since the boot */
	uint64_t clock_s;  /* for differences within one log: months have 31 days */
	const char *clock; /* the time of day as it stands there, within the line */
	size_t clock_len;
	bool clock_bracketed; /* [...] of dmesg -T; the host does not follow */
};

/* Any text is a line; @line without its newline must live as long as @ret. */
void log_head_read(const char *line, struct log_head *ret);
