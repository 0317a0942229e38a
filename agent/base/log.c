/* SPDX-License-Identifier: MIT */
/*
 * One line a message, written with a single write(2) so that the lines of helpers
 * that run side by side do not mix. Control characters are replaced: a message may
 * quote a device.
 */
#include "base/log.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

static enum log_level log_max = LOG_LEVEL_INFO;

void log_set_level(enum log_level level)
{
	log_max = level;
}

void log_line(enum log_level level, const char *format, ...)
{
	static const char *const priority[] = { "<3>", "<4>", "<6>", "<7>" };
	char text[1024], clean[1024], line[1100];
	va_list args;
	int n;

	if (level > log_max)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)printable(text, clean, sizeof(clean));
	n = snprintf(line, sizeof(line), "%sblkadvise: %s\n",
		     isatty(STDERR_FILENO) || !getenv("JOURNAL_STREAM") ? "" : priority[level],
		     clean);
	if (n > 0 && (size_t)n >= sizeof(line))
		n = (int)sizeof(line) - 1;
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return; /* there is nowhere left to complain */
}
