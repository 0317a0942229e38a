/* SPDX-License-Identifier: MIT */
/*
 * What the unit tests share: a temporary folder as a root, facts written as a short list,
 * captures given as text, and tables whose rows say by name which of them failed.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ini.h"
#include "base/root.h"
#include "classify/class.h"
#include "facts/disk.h"

/* A test with a sentence as its name; the second one with a temporary folder. */
#define TEST(name, function) { name, function, NULL, NULL, NULL }
#define FOLDER_TEST(name, function)                                 \
	{                                                           \
		name, function, folder_setup, folder_teardown, NULL \
	}

/* Checks of a table's row: @row is its name. */
#define ROW_INT(row, got, want)                                                        \
	do {                                                                           \
		long long _got = (long long)(got), _want = (long long)(want);          \
		if (_got != _want)                                                     \
			fail_msg("%s: %s is %lld, not %lld", row, #got, _got, _want);  \
	} while (0)
#define ROW_TEXT(row, got, want)                                                  \
	do {                                                                      \
		const char *_got = (got), *_want = (want);                        \
		if (strcmp(_got, _want) != 0)                                     \
			fail_msg("%s: %s is \"%s\", not \"%s\"", row, #got, _got, \
				 _want);                                          \
	} while (0)

/* *state is the root of an empty folder, which is removed with all that it holds. */
int folder_setup(void **state);
int folder_teardown(void **state);

/* The full path of @path below the root, in a static buffer. */
const char *folder_path_of(const struct root *root, const char *path);

/* Writes a file and makes the folders above it. */
void folder_put(const struct root *root, const char *path, const char *text);

/* The file's content in a static buffer; fails the test if there is none. */
const char *folder_get(const struct root *root, const char *path);

/* Number of entries in the folder @path. */
size_t folder_count(const struct root *root, const char *path);

/* The capture in @text as a root; fails the test if it is malformed. */
struct root *capture_of(const char *text);

/* A fact and its value as text; "?" makes it unknown. A list ends with value NULL. */
struct given {
	enum fact fact;
	const char *value;
};

void give(struct disk_facts *facts, const struct given *list);

/* A SATA SSD at an AHCI host as a 6.1 kernel shows it, and its class. */
void give_sata_ssd(struct disk_facts *facts);
struct disk_class sata_ssd_class(void);

/* "file:line: text" of problem @i, in a static buffer; "" if there is none. */
const char *problem_text(const struct ini_problems *problems, size_t i);
