/* SPDX-License-Identifier: MIT */
/*
 * Other programs that write the attributes which we write: which are active, and what
 * they are configured to write to one disk. Each program has a file of its own, which
 * turns its configuration into rules.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "facts/evidence-internal.h"

int read_foreign(const struct root *root, const char *path, ini_handler handler,
		 void *context)
{
	struct ini_problems problems = { 0 };
	int r = ini_read(root, path, handler, context, &problems);

	ini_problems_done(&problems);
	return r;
}

char *unquote(char *text)
{
	char quote = *text, *end = NULL;

	if (quote == '"' || quote == '\'') {
		end = strchr(text + 1, quote);
		if (end) {
			*end = '\0';
			return trim(text + 1);
		}
	}
	for (char *p = text; *p; p++) {
		if (*p == '#' && (p == text || p[-1] == ' ' || p[-1] == '\t')) {
			*p = '\0';
			break;
		}
	}
	return trim(text);
}

void rivals_note(struct rivals *rivals, const char *name, const char *where)
{
	size_t len = strlen(rivals->active);

	(void)snprintf(rivals->active + len, sizeof(rivals->active) - len, "%s%s",
		       len ? ", " : "", name);
	if (!len)
		(void)snprintf(rivals->active_where, sizeof(rivals->active_where), "%s",
			       where);
}

int rivals_add_rule(struct rivals *rivals, const struct rival_rule *rule)
{
	struct rival_rule *rules =
		reallocarray(rivals->rules, rivals->n + 1, sizeof(*rules));

	if (!rules)
		return -ENOMEM;
	rivals->rules = rules;
	rivals->rules[rivals->n++] = *rule;
	return 0;
}

int rivals_load(const struct root *root, struct rivals *ret)
{
	int r = rivals_load_tuned(root, ret);

	if (r == 0)
		r = rivals_load_tlp(root, ret);
	if (r == 0)
		r = rivals_load_saptune(root, ret);
	ret->known = ret->active[0] || carries_evidence(root);
	return r;
}

void rivals_done(struct rivals *rivals)
{
	free(rivals->rules);
	*rivals = (struct rivals){ 0 };
}

/* The first word of a comma separated list that the kernel has, or just the first. */
static void first_possible(const struct disk_facts *facts, const char *list, char *buf,
			   size_t size)
{
	const char *possible = facts_text(facts, FACT_SCHEDULER_LIST);
	char copy[RIVAL_VALUE_MAX], *place = NULL;

	buf[0] = '\0';
	(void)snprintf(copy, sizeof(copy), "%s", list);
	for (char *word = strtok_r(copy, ", ", &place); word;
	     word = strtok_r(NULL, ", ", &place)) {
		if (!possible || word_in_list(word, possible)) {
			(void)snprintf(buf, size, "%s", word);
			return;
		}
	}
}

static void apply_rule(const struct rival_rule *rule, struct disk_facts *facts)
{
	uint64_t wanted = 0, now = 0;
	char value[RIVAL_VALUE_MAX];

	(void)snprintf(value, sizeof(value), "%s", rule->value);
	if (rule->first_of)
		first_possible(facts, rule->value, value, sizeof(value));
	if (rule->only_raise && parse_u64(value, &wanted) == 0 &&
	    facts_number(facts, FACT_READ_AHEAD_KB, &now) && now > wanted)
		return;
	if (!value[0])
		return;
	facts_set_text(facts, rule->fact, value);
	facts_set_source(facts, rule->fact, rule->where);
}

void rivals_add(const struct root *root, const struct rivals *rivals,
		struct disk_facts *facts)
{
	static const enum fact all[] = {
		FACT_RIVAL_SCHEDULER,	  FACT_RIVAL_QUEUE_DEPTH,
		FACT_RIVAL_NR_REQUESTS,	  FACT_RIVAL_MAX_SECTORS_KB,
		FACT_RIVAL_READ_AHEAD_KB, FACT_RIVAL_LINK_POWER,
	};

	if (!rivals->known)
		return;
	facts_set_text(facts, FACT_RIVALS, rivals->active[0] ? rivals->active : "none");
	facts_set_source(facts, FACT_RIVALS,
			 rivals->active[0] ? rivals->active_where : "/run, /etc");
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		size_t k = rivals->n;

		while (k > 0 && (rivals->rules[k - 1].fact != all[i] ||
				 !rivals->rules[k - 1].matches(
					 root, &rivals->rules[k - 1], facts)))
			k--;
		if (k > 0)
			apply_rule(&rivals->rules[k - 1], facts);
	}
}
