/* SPDX-License-Identifier: MIT */
/*
 * Running a program for what it prints, which is handed on as it comes and not kept; and
 * reading what has no end that one could count on.
 */
#pragma once

#include <stddef.h>

/* Takes the next piece of what is read. */
typedef void (*output_handler)(const char *text, size_t len, void *context);

/*
 * Hands on what can be read from @fd, which does not block, until its end. -ETIMEDOUT if
 * that does not come in @timeout_ms, -EFBIG if it comes after too much, or -errno.
 */
int read_until_end(int fd, int timeout_ms, output_handler handler, void *context);

/*
 * Runs the program @argv[0], a full path, without a shell, and hands on what it prints. 0
 * if it ended well in @timeout_ms, and -ENOENT if there is no such program. Whatever
 * happens, it and what it started are gone afterwards, also if a signal ends us; but what
 * has left its process group is not.
 */
int run_program(const char *const argv[], int timeout_ms, output_handler handler,
		void *context);
