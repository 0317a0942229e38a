/* SPDX-License-Identifier: MIT */
/*
 * The file format of policies, quirks and the configuration: sections in brackets,
 * Key=Value lines, "#" comments, blank lines. The reader hands each line on with its
 * number and complains about whatever is not one of these, so that a typing error is
 * found where it stands.
 */
#pragma once

#include "base/root.h"

#define INI_FILE_MAX (256U << 10)

/* One problem in a file. Collected, not printed: `verify` shows all of them. */
struct ini_problem {
	char *file;
	unsigned int line;
	char text[160];
};

struct ini_problems {
	struct ini_problem *list;
	size_t n;
};

void ini_problems_done(struct ini_problems *problems);

/* Adds a problem; -ENOMEM. */
int ini_problem_add(struct ini_problems *problems, const char *file, unsigned int line,
		    const char *format, ...) _printf_(4, 5);

struct ini_line {
	const char *file; /* path as given */
	unsigned int line;
	const char *section; /* "" before the first section */
	const char *key; /* NULL: the line begins this section */
	char *value; /* trimmed; the handler may change it */
};

/*
 * Returns 0, or a negative errno that ends the reading. A problem of the line is added
 * to the caller's list and is no failure.
 */
typedef int (*ini_handler)(const struct ini_line *line, void *context,
			   struct ini_problems *problems);

/*
 * Reads @path and calls @handler for each section head and each key. Malformed lines
 * become problems. Returns the errno of reading the file, or of the handler; a file
 * over INI_FILE_MAX or with NUL bytes is a problem.
 */
int ini_read(const struct root *root, const char *path, ini_handler handler,
	     void *context, struct ini_problems *problems);

/*
 * The files "*@suffix" of the folders in @folders (highest priority first, ended by
 * NULL): one path per file name, the first folder's wins; sorted by file name. A
 * missing folder is none, one that cannot be read a problem; a file that is empty or a
 * link to /dev/null masks the name and is left out.
 */
int ini_find_files(const struct root *root, const char *const folders[],
		   const char *suffix, struct ini_problems *problems, struct names *ret);

/* Reads one file; its problems are added to @problems. */
typedef int (*ini_file_loader)(const struct root *root, const char *path, void *context,
			       struct ini_problems *problems);

/*
 * Calls @load for each of the files of ini_find_files(), in their order. A file that
 * cannot be read becomes a problem; -ENOMEM ends the reading.
 */
int ini_load_files(const struct root *root, const char *const folders[],
		   const char *suffix, ini_file_loader load, void *context,
		   struct ini_problems *problems);
