/* SPDX-License-Identifier: MIT */
/*
 * Other programs that write the attributes which we write: which are active, and what
 * they are configured to write to one disk. Each program has a file of its own, which
 * turns its configuration into rules.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/snapshot.h"
#include "base/text.h"
#include "facts/evidence-internal.h"

int read_foreign(const struct root *root, const char *path, ini_handler handler,
		 void *context)
{
	struct ini_problems problems = { 0 };
	int r = ini_read(root, path, handler, context, &problems);

	if (r == 0 && problems.n > 0)
		r = problems.list[0].line == 0 ? -EBADMSG : 1;
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

/* A folder that holds no more than a part of a system cannot tell that nobody writes. */
static bool holds_programs(const struct root *root)
{
	return carries_evidence(root) &&
	       (root_is_snapshot(root) ||
		(root_exists(root, "/etc") && root_exists(root, "/usr")));
}

int rivals_load(const struct root *root, struct rivals *ret)
{
	int r = rivals_load_tuned(root, ret);

	if (r == 0)
		r = rivals_load_tlp(root, ret);
	if (r == 0)
		r = rivals_load_saptune(root, ret);
	ret->known = ret->active[0] || holds_programs(root);
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

/* True if a value was set. */
static bool apply_rule(const struct rival_rule *rule, struct disk_facts *facts)
{
	uint64_t wanted = 0, now = 0;
	char value[RIVAL_VALUE_MAX];

	(void)snprintf(value, sizeof(value), "%s", rule->value);
	if (rule->first_of)
		first_possible(facts, rule->value, value, sizeof(value));
	if (rule->only_raise && parse_u64(value, &wanted) == 0 &&
	    facts_number(facts, FACT_READ_AHEAD_KB, &now) && now > wanted)
		return false;
	if (!value[0])
		return false;
	facts_set_text(facts, rule->fact, value);
	facts_set_source(facts, rule->fact, rule->where);
	return true;
}

/* Of the rules for one fact of one disk the last counts; NULL: there is none. */
static const struct rival_rule *find_rule(const struct root *root,
					  const struct rivals *rivals, enum fact fact,
					  const struct disk_facts *facts)
{
	for (size_t k = rivals->n; k > 0; k--) {
		const struct rival_rule *rule = &rivals->rules[k - 1];

		if (rule->fact == fact && rule->matches(root, rule, facts))
			return rule;
	}
	return NULL;
}

/*
 * Where not all could be read, who writes stays unknown, unless a value was found: that
 * one is worth telling. The link's power is told of by another check than the rest.
 */
void rivals_add(const struct root *root, const struct rivals *rivals,
		struct disk_facts *facts)
{
	static const enum fact all[] = {
		FACT_RIVAL_SCHEDULER,	  FACT_RIVAL_QUEUE_DEPTH,
		FACT_RIVAL_NR_REQUESTS,	  FACT_RIVAL_MAX_SECTORS_KB,
		FACT_RIVAL_READ_AHEAD_KB, FACT_RIVAL_LINK_POWER,
	};

	bool unclear = rivals->incomplete, found = false;

	if (!rivals->known)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct rival_rule *rule = find_rule(root, rivals, all[i], facts);

		if (rule && rule->unclear)
			unclear |= all[i] != FACT_RIVAL_LINK_POWER;
		else if (rule && apply_rule(rule, facts))
			found |= all[i] != FACT_RIVAL_LINK_POWER;
	}
	if (unclear && !found)
		return;
	facts_set_text(facts, FACT_RIVALS, rivals->active[0] ? rivals->active : "none");
	facts_set_source(facts, FACT_RIVALS,
			 rivals->active[0] ? rivals->active_where : "/run, /etc");
}
