/* SPDX-License-Identifier: MIT */
/*
 * Logging for the two programs. Libraries return errors and do not log; whoever
 * decides that nobody further up wants the error logs it, once.
 *
 * Lines go to standard error, and to the system log if log_to_system() says so: udevd
 * shows the standard error of its helpers at debug level only.
 */
#pragma once

#include <stdbool.h>

#include "base/cleanup.h"

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_INFO,
};

/* All messages go to the system log, too. */
void log_to_system(bool system);

void log_line(enum log_level level, const char *format, ...) _printf_(2, 3);

/*
 * To the system log only: /dev/log (the journal or a syslog daemon), and where nobody
 * listens there, early in the boot, the kernel's log. Never waits; a message that
 * finds no taker is lost.
 */
void log_system(enum log_level level, const char *format, ...) _printf_(2, 3);

#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_line(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
