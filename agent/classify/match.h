/* SPDX-License-Identifier: MIT */
/*
 * One line "Match.<subject>=<wanted>" of a quirk or policy file. The subject is a fact
 * by its name, or one of the words that classification gives: class, transport, medium,
 * attachment, ncq, and remote (yes or no). A text fact is matched by a pattern with * and
 * ?, regardless of case; a number by any of the numbers listed; a word by any of the
 * words.
 */
#pragma once

#include "classify/class.h"

enum match_subject {
	MATCH_FACT,
	MATCH_CLASS,
	MATCH_TRANSPORT,
	MATCH_MEDIUM,
	MATCH_ATTACHMENT,
	MATCH_NCQ,
	MATCH_REMOTE,
};

struct match {
	enum match_subject subject;
	enum fact fact; /* of MATCH_FACT */
	uint64_t wanted; /* the set of wanted words, one bit each */
	uint64_t *numbers; /* those wanted of a fact that is no text; owned */
	size_t n_numbers;
	char *pattern; /* of a text fact; owned */
};

/*
 * -EINVAL with a static explanation in @ret_why if the subject is none, the value does
 * not fit it, or @facts_only forbids it; -ENOMEM. Release with match_done().
 */
int match_parse(const char *subject, const char *wanted, bool facts_only,
		struct match *ret, const char **ret_why);

void match_done(struct match *match);

/* An unknown fact matches nothing. @class may be NULL if the match is of a fact. */
bool match_test(const struct match *match, const struct disk_facts *facts,
		const struct disk_class *class);
