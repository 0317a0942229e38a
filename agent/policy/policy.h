/* SPDX-License-Identifier: MIT */
/*
 * Policy says what a disk ought to use. It is data: sections that match disks and give
 * settings and advice, later sections over earlier ones, setting by setting. Loading is
 * I/O (policy-load.c); selecting is pure.
 */
#pragma once

#include "base/ini.h"
#include "classify/match.h"
#include "policy/advice.h"
#include "policy/tunable.h"

#define PROFILE_MAX 32
#define WHERE_MAX 96

/* /etc/blkadvise/blkadvise.conf. */
struct config {
	bool observe; /* Mode=observe: publish, write no tunable */
	char profile[PROFILE_MAX]; /* Profile=; default "balanced" */
};

/*
 * The defaults where there is no file. A file with problems gives the defaults as well,
 * but observes: rather look on than do what was not meant.
 */
int config_load(const struct root *root, struct ini_problems *problems,
		struct config *ret);

/* As config_load() for the file @path, which must be there; for `verify`. */
int config_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct config *ret);

struct policy;

/*
 * Reads all policy files in the folders of @root, as ini_find_files() takes them. A file
 * with a problem is left out as a whole and the problems are added to @problems; the
 * others count. Release with policy_free().
 */
int policy_load(const struct root *root, const char *const folders[],
		struct ini_problems *problems, struct policy **ret);

/* As policy_load() for the one file @path; for `verify`. */
int policy_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct policy **ret);

struct policy *policy_free(struct policy *policy);

static inline void policy_freep(struct policy **policy)
{
	(void)policy_free(*policy);
}

#define _cleanup_policy_ _cleanup_(policy_freep)

/* A tunable, its wished value, and where that comes from. */
struct setting {
	bool present;
	char value[64]; /* as written: "128", "none mq-deadline", "device", "depth" */
	char where[WHERE_MAX]; /* file:line */
	const char *reason; /* owned by the policy; NULL if it gives none */
	const char *source;
};

/* What the policy says of one disk. */
struct selection {
	char profile[PROFILE_MAX];
	char profile_where[WHERE_MAX]; /* "" if it is the configuration's */
	bool apply; /* false: Apply=no, or another off switch */
	char apply_where[WHERE_MAX];
	struct setting settings[_TUNABLE_MAX];
	struct advice advice;
	char main_where[WHERE_MAX]; /* the last section that matched */
};

/*
 * Selects for a disk whose facts and class are given. @profile is the configuration's.
 * Never fails; a disk that nothing matches gets no settings and no advice. The reasons
 * in @ret live as long as @policy.
 */
void policy_select(const struct policy *policy, const char *profile,
		   const struct disk_facts *facts, const struct disk_class *class,
		   struct selection *ret);

/*
 * How many commands the disk takes at once, by its own word or its transport's. False if
 * nothing tells; then *@ret is untouched. Pure.
 */
bool policy_device_depth(const struct disk_facts *facts, const struct disk_class *class,
			 uint64_t *ret);

/*
 * Replaces the advice of @selection for a stack by that of its leaves, as far as they
 * agree. Does nothing for a disk that is no stack. Pure.
 */
void policy_select_stack_advice(const struct policy *policy, const struct disk *disk,
				const struct disk_class *class,
				struct selection *selection);

/* True if no policy file gave a section. */
bool policy_is_empty(const struct policy *policy);
