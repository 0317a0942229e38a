/* SPDX-License-Identifier: MIT */
/*
 * Matches are checked when a file is read, so that a word which can never match is an
 * error with a line number and not a rule that silently does nothing.
 */
#include "classify/match.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

/* The words of MATCH_REMOTE. */
static int remote_from_string(const char *word)
{
	bool remote = false;

	return parse_bool(word, &remote) < 0 ? -EINVAL : remote;
}

static const struct {
	const char *name;
	enum match_subject subject;
	int (*from_string)(const char *word);
} word_subjects[] = {
	{ "class", MATCH_CLASS, class_from_string },
	{ "transport", MATCH_TRANSPORT, transport_from_string },
	{ "medium", MATCH_MEDIUM, medium_from_string },
	{ "attachment", MATCH_ATTACHMENT, attachment_from_string },
	{ "ncq", MATCH_NCQ, ncq_from_string },
	{ "remote", MATCH_REMOTE, remote_from_string },
};

static int parse_words(const char *wanted, int (*from_string)(const char *),
		       uint64_t *ret)
{
	char text[512], *place = NULL;
	uint64_t set = 0;

	if (strlen(wanted) >= sizeof(text))
		return -EINVAL;
	strcpy(text, wanted);
	for (char *word = strtok_r(text, " ", &place); word;
	     word = strtok_r(NULL, " ", &place)) {
		int value = from_string(word);

		if (value < 0)
			return -EINVAL;
		set |= UINT64_C(1) << value;
	}
	if (set == 0)
		return -EINVAL;
	*ret = set;
	return 0;
}

static int parse_number(enum fact fact, const char *word, uint64_t *ret)
{
	bool flag = false;
	int r = 0;

	switch (fact_type(fact)) {
	case FACT_TYPE_FLAG:
		r = parse_bool(word, &flag);
		if (r == 0)
			*ret = flag;
		return r;
	case FACT_TYPE_HEX:
		return parse_hex(word, ret);
	case FACT_TYPE_NUMBER:
	case FACT_TYPE_MBPS:
	case FACT_TYPE_MTPS:
		return parse_u64(word, ret);
	case FACT_TYPE_STRING:
		break;
	}
	return -EINVAL;
}

/* Numbers between blanks. */
static int parse_numbers(enum fact fact, const char *wanted, struct match *match)
{
	char text[512], *place = NULL;

	if (strlen(wanted) >= sizeof(text))
		return -EINVAL;
	strcpy(text, wanted);
	for (char *word = strtok_r(text, " ", &place); word;
	     word = strtok_r(NULL, " ", &place)) {
		uint64_t *more = reallocarray(match->numbers, match->n_numbers + 1,
					      sizeof(*more));
		int r = 0;

		if (!more)
			return -ENOMEM;
		match->numbers = more;
		r = parse_number(fact, word, &more[match->n_numbers]);
		if (r < 0)
			return r;
		match->n_numbers++;
	}
	return match->n_numbers > 0 ? 0 : -EINVAL;
}

static int parse_fact(enum fact fact, const char *wanted, struct match *ret,
		      const char **ret_why)
{
	struct match match = { .subject = MATCH_FACT, .fact = fact };
	int r = 0;

	if (fact_type(fact) == FACT_TYPE_STRING) {
		match.pattern = strdup(wanted);
		r = match.pattern ? 0 : -ENOMEM;
	} else {
		r = parse_numbers(fact, wanted, &match);
	}
	if (r < 0) {
		match_done(&match);
		*ret_why = "not a value of this fact";
		return r == -ENOMEM ? r : -EINVAL;
	}
	*ret = match;
	return 0;
}

int match_parse(const char *subject, const char *wanted, bool facts_only,
		struct match *ret, const char **ret_why)
{
	int fact = fact_from_string(subject);

	if (*wanted == '\0') {
		*ret_why = "nothing to match";
		return -EINVAL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(word_subjects); i++) {
		struct match match = { .subject = word_subjects[i].subject };

		if (strcmp(subject, word_subjects[i].name) != 0)
			continue;
		if (facts_only) {
			*ret_why = "quirks come before classification: only facts can be "
				   "matched";
			return -EINVAL;
		}
		if (parse_words(wanted, word_subjects[i].from_string,
				&match.wanted) < 0) {
			*ret_why = "unknown word";
			return -EINVAL;
		}
		*ret = match;
		return 0;
	}
	if (fact < 0) {
		*ret_why = "no such fact";
		return -EINVAL;
	}
	return parse_fact((enum fact)fact, wanted, ret, ret_why);
}

void match_done(struct match *match)
{
	free(match->pattern);
	free(match->numbers);
	match->pattern = NULL;
	match->numbers = NULL;
	match->n_numbers = 0;
}

static bool has_word(uint64_t set, int word)
{
	return set >> word & 1;
}

static bool has_number(const struct match *match, const struct disk_facts *facts)
{
	for (size_t i = 0; i < match->n_numbers; i++) {
		if (facts_is_number(facts, match->fact, match->numbers[i]))
			return true;
	}
	return false;
}

bool match_test(const struct match *match, const struct disk_facts *facts,
		const struct disk_class *class)
{
	const char *text = NULL;

	switch (match->subject) {
	case MATCH_FACT:
		if (!match->pattern)
			return has_number(match, facts);
		text = facts_text(facts, match->fact);
		return text && glob_match(match->pattern, text, true);
	case MATCH_CLASS:
		return class && has_word(match->wanted, (int)class->class);
	case MATCH_TRANSPORT:
		return class && has_word(match->wanted, (int)class->transport);
	case MATCH_MEDIUM:
		return class && has_word(match->wanted, (int)class->medium);
	case MATCH_ATTACHMENT:
		return class && has_word(match->wanted, (int)class->attachment);
	case MATCH_NCQ:
		return class && has_word(match->wanted, (int)class->ncq);
	case MATCH_REMOTE:
		return class && has_word(match->wanted, class->remote);
	}
	return false;
}
