/* SPDX-License-Identifier: MIT */
/*
 * The same answer of one check on several disks is one entry for a person: twenty-six
 * disks behind one expander have one fault, not twenty-six.
 */
#pragma once

#include "diagnose/check.h"

/* What was looked at: a disk, a path of one, or the machine. Nothing in it is owned. */
struct examined {
	const char *name;
	const struct disk_facts *facts;
	const struct diagnosis *diagnosis;
};

struct member {
	const struct examined *examined;
	const struct finding *finding;
};

struct group {
	struct member *members; /* in the order in which they were looked at */
	size_t n;
	size_t order; /* of its first member, among the groups */
};

struct groups {
	struct group *list;
	size_t n;
};

/*
 * Groups the checks with @result: those found by id, severity, confidence and remedy,
 * worst first; others by id and reason. -ENOMEM. Release with groups_done().
 */
int groups_make(const struct examined *examined, size_t n, enum check_result result,
		struct groups *ret);
void groups_done(struct groups *groups);

#define _cleanup_groups_ _cleanup_(groups_done)

/* The check of the group's first member, which stands for all. */
const struct finding *group_finding(const struct group *group);

/*
 * The names of the members, of many the first and how many there are unless @all; only of
 * those with the text @text if that is not NULL. To be freed; NULL if memory ran out.
 */
char *group_names(const struct group *group, const char *text, bool all);
