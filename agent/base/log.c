/* SPDX-License-Identifier: MIT */
/*
 * One line a message, written with a single write(2) or datagram so that the lines of
 * helpers that run side by side do not mix. Control characters are replaced: a message
 * may quote a device. syslog(3) is not used because it may wait.
 */
#include "base/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/text.h"

#define FACILITY_DAEMON (3 << 3) /* RFC 5424 */
#define MESSAGE_MAX 1024

static bool to_system;

void log_to_system(bool system)
{
	to_system = system;
}

/* The severities of RFC 5424. */
static int severity(enum log_level level)
{
	static const int severities[] = { 3, 4, 6 };

	return severities[level];
}

static bool send_to_daemon(const char *line, size_t len)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/dev/log" };
	_cleanup_close_ int fd =
		socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	return fd >= 0 && sendto(fd, line, len, MSG_NOSIGNAL,
				 (const struct sockaddr *)&address,
				 sizeof(address)) == (ssize_t)len;
}

static void write_to_kernel(const char *line, size_t len)
{
	_cleanup_close_ int fd = open("/dev/kmsg", O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || write(fd, line, len) < 0)
		return; /* there is nowhere left to complain */
}

static void send_line(enum log_level level, const char *clean)
{
	char line[MESSAGE_MAX + 64];
	int n = snprintf(line, sizeof(line), "<%d>blkadvise[%ld]: %s",
			 FACILITY_DAEMON | severity(level), (long)getpid(), clean);

	if (n > 0 && !send_to_daemon(line, (size_t)n))
		write_to_kernel(line, (size_t)n);
}

_printf_(2, 0) static void format_clean(char clean[MESSAGE_MAX], const char *format,
					va_list args)
{
	char text[MESSAGE_MAX];

	(void)vsnprintf(text, sizeof(text), format, args);
	(void)printable(text, clean, MESSAGE_MAX);
}

void log_system(enum log_level level, const char *format, ...)
{
	char clean[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	format_clean(clean, format, args);
	va_end(args);
	send_line(level, clean);
}

void log_line(enum log_level level, const char *format, ...)
{
	char clean[MESSAGE_MAX], line[MESSAGE_MAX + 64];
	va_list args;
	int n;

	va_start(args, format);
	format_clean(clean, format, args);
	va_end(args);
	if (to_system)
		send_line(level, clean);
	n = snprintf(line, sizeof(line), "blkadvise: %s\n", clean);
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return; /* there is nowhere left to complain */
}
