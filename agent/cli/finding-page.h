/* SPDX-License-Identifier: MIT */
/*
 * The entries of docs/findings.md as plain text, compiled in: the build makes the table
 * from the page (make-finding-pages), so that page and program say the same.
 */
#pragma once

#include <stddef.h>

enum page_line_kind {
	PAGE_TEXT, /* to be wrapped */
	PAGE_VERBATIM, /* a table, a command */
	PAGE_HEADING,
};

struct page_line {
	enum page_line_kind kind;
	unsigned char indent; /* of the first line, and of a verbatim one */
	unsigned char indent_rest; /* of the lines behind a break */
	const char *text; /* ASCII; "": an empty line */
};

struct finding_page {
	const char *id;
	const char *title; /* one sentence */
	const struct page_line *lines;
	size_t n_lines;
};

extern const struct finding_page finding_pages[];
extern const size_t n_finding_pages;
