/* SPDX-License-Identifier: MIT */
/*
 * Tables of tests for checks: one row is a disk, an id and the answer. Each program
 * test-check-*.c has the rows of some checks and the same properties that hold for all.
 */
#pragma once

#include "diagnose/internal.h"
#include "support.h"

#define GIVEN_MAX 13 /* with the end */
#define ROW_LEAVES_MAX 3

/* A disk with all that diagnose() is given, made from a row. */
struct scene {
	struct disk disk;
	struct disk leaves[ROW_LEAVES_MAX];
	struct disk_class class;
	struct selection selection; /* empty; prepare() may fill it */
	struct disk_state state; /* likewise */
	struct plan plan; /* made from these, after prepare() */
	struct diagnosis diagnosis;
};

struct row {
	const char *name;
	enum finding_id id;
	enum check_result result;
	enum severity severity; /* of CHECK_FOUND */
	struct given given[GIVEN_MAX]; /* over a healthy SATA SSD (give_sata_ssd()) */
	const char *says; /* a part of the text; or NULL */
	bool bare; /* given over nothing instead */
	bool machine; /* the machine is asked, not a disk */
	struct given leaves[ROW_LEAVES_MAX][GIVEN_MAX]; /* over a SATA SSD each */
	size_t n_leaves;
	void (*prepare)(struct scene *scene); /* after the facts; or NULL */
};

/* Answers one row. @missing is taken away before anything is concluded. */
void scene_of_row(const struct row *row, enum fact missing, struct scene *ret);

/* Every row gives its answer; a finding has text, remedy and known evidence. */
void run_rows(const struct row *rows, size_t n);

/*
 * Each id of the rows has rows that are found, ok and could not be checked; and each fact
 * that its check requires, taken away from a row that is found, makes it "could not
 * check". Any other fact taken away leaves no "(null)".
 */
void run_properties(const struct row *rows, size_t n);
