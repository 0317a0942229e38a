/* SPDX-License-Identifier: MIT */
/*
 * Lines for a person. On a terminal they are wrapped between words to its width and may
 * be coloured; elsewhere a text is one line, so that grep and comparisons find it whole.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum colour {
	COLOUR_NONE,
	COLOUR_RED,
	COLOUR_YELLOW,
	COLOUR_CYAN,
	COLOUR_BOLD,
};

struct terminal {
	bool colour;
	size_t width; /* columns; 0: lines are not wrapped */
	size_t rows; /* 0: not a terminal, without end */
};

/*
 * Looks at standard output. Without colour if NO_COLOR is set, TERM is "dumb" or unset,
 * or it is no terminal. COLUMNS counts before what the terminal says, 80 if neither does.
 */
void terminal_open(struct terminal *ret);

/* The columns of the terminal at @fd, asked anew each time; 0 if it is none. */
size_t terminal_width(int fd);

/*
 * Prints @head in @colour and @text behind it, both made printable. Where the text is
 * wrapped, further lines begin with @indent blanks.
 */
void terminal_print(const struct terminal *terminal, enum colour colour,
		    const char *head, size_t indent, const char *text);

/* The number of lines that this would take. */
size_t terminal_measure(const struct terminal *terminal, const char *head,
			size_t indent, const char *text);
