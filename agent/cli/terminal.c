/* SPDX-License-Identifier: MIT */
/*
 * Width, colour, and the breaking of lines.
 */
#include "cli/terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/text.h"

#define COLUMNS_DEFAULT 80
#define COLUMNS_MIN 40 /* in less the indents leave no room for words */
#define ROWS_DEFAULT 24

static const char *const colour_codes[] = {
	[COLOUR_NONE] = "",	      [COLOUR_RED] = "\033[1;31m",
	[COLOUR_YELLOW] = "\033[1;33m", [COLOUR_CYAN] = "\033[36m",
	[COLOUR_BOLD] = "\033[1m",
};

static bool wants_colour(void)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return term && *term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

/* A number of the environment that a shell keeps, else what the kernel says. */
static size_t measure(const char *variable, size_t told, size_t otherwise)
{
	const char *text = getenv(variable);
	uint64_t number = 0;

	if (text && parse_u64(text, &number) == 0 && number > 0 && number <= 10000)
		return (size_t)number;
	return told > 0 ? told : otherwise;
}

size_t terminal_width(int fd)
{
	struct winsize size = { 0 };

	if (!isatty(fd))
		return 0;
	(void)ioctl(fd, TIOCGWINSZ, &size);
	return measure("COLUMNS", size.ws_col, COLUMNS_DEFAULT);
}

void terminal_open(struct terminal *ret)
{
	struct terminal terminal = { 0 };
	struct winsize size = { 0 };

	if (isatty(STDOUT_FILENO)) {
		(void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
		terminal.colour = wants_colour();
		terminal.width = measure("COLUMNS", size.ws_col, COLUMNS_DEFAULT);
		terminal.rows = measure("LINES", size.ws_row, ROWS_DEFAULT);
		if (terminal.width < COLUMNS_MIN)
			terminal.width = COLUMNS_MIN;
	}
	*ret = terminal;
}

/* Counts the lines of @text behind @column, and prints them. */
static size_t lay_out(const struct terminal *terminal, size_t column, size_t indent,
		      const char *text, bool print)
{
	size_t lines = 1;

	while (*text) {
		size_t gap = strspn(text, " ");
		size_t word = strcspn(text + gap, " ");

		if (terminal->width > 0 && word > 0 && column > indent &&
		    column + gap + word > terminal->width) {
			if (print)
				(void)printf("\n%*s", (int)indent, "");
			lines++;
			column = indent;
			text += gap;
			gap = 0;
		}
		if (print)
			(void)printf("%.*s", (int)(gap + word), text);
		column += gap + word;
		text += gap + word;
	}
	return lines;
}

static char *make_printable(const char *text)
{
	char *copy = strdup(text);

	if (copy)
		(void)printable(copy, copy, strlen(copy) + 1);
	return copy;
}

void terminal_print(const struct terminal *terminal, enum colour colour, const char *head,
		    size_t indent, const char *text)
{
	_cleanup_free_ char *clean_head = make_printable(head);
	_cleanup_free_ char *clean_text = make_printable(text);
	bool coloured = terminal->colour && colour != COLOUR_NONE;

	if (!clean_head || !clean_text)
		return;
	(void)printf("%s%s%s", coloured ? colour_codes[colour] : "", clean_head,
		     coloured ? "\033[0m" : "");
	(void)lay_out(terminal, strlen(clean_head), indent, clean_text, true);
	(void)putchar('\n');
}

size_t terminal_measure(const struct terminal *terminal, const char *head, size_t indent,
			const char *text)
{
	return lay_out(terminal, strlen(head), indent, text, false);
}
