/* SPDX-License-Identifier: MIT */
/*
 * saptune: notes, of which /etc/sysconfig/saptune names those that are applied, in their
 * order. A note's section [block] sets attributes of all disks, [block:blkpat=...] of
 * some; sections with other tags depend on what we do not know and are left out. Its
 * service ends after it has written, so what tells of it is the state that it saves for
 * each note, to be able to revert it. Sources, in saptune's repository:
 * sap/note/sectBlock.go, actions/ (places of notes), app/state.go (saved state; below
 * /var up to version 2), ospackage/man/saptune-note.5.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "facts/evidence-internal.h"

#define SYSCONFIG "/etc/sysconfig/saptune"

struct sysconfig {
	char notes[FACT_TEXT_MAX], order[FACT_TEXT_MAX];
	bool cut;
};

static int read_sysconfig(const struct ini_line *line, void *context,
			  struct ini_problems *problems)
{
	struct sysconfig *config = context;
	char *field = NULL;

	(void)problems;
	if (!line->key)
		return 0;
	if (strcmp(line->key, "TUNE_FOR_NOTES") == 0)
		field = config->notes;
	else if (strcmp(line->key, "NOTE_APPLY_ORDER") == 0)
		field = config->order;
	if (field &&
	    snprintf(field, FACT_TEXT_MAX, "%s", unquote(line->value)) >= FACT_TEXT_MAX)
		config->cut = true;
	return 0;
}

static bool match_disk(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	const char *name = facts_text(facts, FACT_NAME);

	(void)root;
	return name && !facts_known(facts, FACT_STACK_KIND) &&
	       glob_match(rule->pattern, name, false);
}

/* The pattern of names for which the section is meant; false if we cannot tell. */
static bool section_pattern(const char *section, char *buf, size_t size)
{
	static const char tagged[] = "block:blkpat=";
	size_t len = sizeof(tagged) - 1;

	if (strcmp(section, "block") == 0)
		return (size_t)snprintf(buf, size, "*") < size;
	if (strncmp(section, tagged, len) != 0 || strchr(section + len, ':'))
		return false;
	return (size_t)snprintf(buf, size, "%s", section + len) < size;
}

static int read_note(const struct ini_line *line, void *context,
		     struct ini_problems *problems)
{
	static const struct {
		const char *key;
		enum fact fact;
	} keys[] = {
		{ "IO_SCHEDULER", FACT_RIVAL_SCHEDULER },
		{ "NRREQ", FACT_RIVAL_NR_REQUESTS },
		{ "READ_AHEAD_KB", FACT_RIVAL_READ_AHEAD_KB },
		{ "MAX_SECTORS_KB", FACT_RIVAL_MAX_SECTORS_KB },
	};
	struct rival_rule rule = { .matches = match_disk };
	struct rivals *rivals = context;
	bool knows_disks = false;

	(void)problems;
	if (!line->key || strncmp(line->section, "block", strlen("block")) != 0)
		return 0;
	knows_disks = section_pattern(line->section, rule.pattern, sizeof(rule.pattern));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(line->key, keys[i].key) != 0)
			continue;
		if (!knows_disks) {
			rivals->incomplete = true;
			return 0;
		}
		rule.fact = keys[i].fact;
		rule.first_of = rule.fact == FACT_RIVAL_SCHEDULER;
		(void)snprintf(rule.value, sizeof(rule.value), "%.63s",
			       unquote(line->value));
		for (char *p = rule.value; *p; p++)
			*p = (char)tolower((unsigned char)*p);
		(void)snprintf(rule.where, sizeof(rule.where), "%.140s:%u", line->file,
			       line->line);
		return rivals_add_rule(rivals, &rule);
	}
	return 0;
}

/* The note itself, and what the administrator has changed of it. */
static int load_note(const struct root *root, const char *note, struct rivals *rivals)
{
	static const struct {
		const char *folder, *suffix;
	} places[] = {
		{ "/var/lib/saptune/working/notes", "" },
		{ "/usr/share/saptune/notes", "" },
		{ "/etc/saptune/extra", ".conf" },
	};
	char path[256];
	int r = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && r == -ENOENT; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s%s", places[i].folder, note,
			       places[i].suffix);
		r = read_foreign(root, path, read_note, rivals);
	}
	rivals->incomplete |= r < 0;
	if (r == -ENOMEM)
		return r;
	(void)snprintf(path, sizeof(path), "/etc/saptune/override/%s", note);
	r = read_foreign(root, path, read_note, rivals);
	rivals->incomplete |= r < 0 && r != -ENOENT;
	return r == -ENOMEM ? r : 0;
}

/* A note that is configured and was never applied writes nothing. */
static bool is_applied(const struct root *root, struct rivals *rivals,
		       const char **ret_where)
{
	static const char *const folders[] = { "/run/saptune/saved_state",
					       "/var/lib/saptune/saved_state" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_names_ struct names names = { 0 };
		int r = root_list(root, folders[i], &names);

		*ret_where = folders[i];
		if (r == 0 && names.n > 0)
			return true;
		rivals->incomplete |= r == -EACCES;
	}
	return false;
}

int rivals_load_saptune(const struct root *root, struct rivals *rivals)
{
	struct sysconfig config = { .order = "" };
	char *place = NULL, *notes = config.order;
	const char *where = NULL;
	int r = 0;

	if (!is_applied(root, rivals, &where))
		return 0;
	r = read_foreign(root, SYSCONFIG, read_sysconfig, &config);
	if (r == -ENOMEM)
		return r;
	rivals_note(rivals, "saptune", where);
	if (!*notes)
		notes = config.notes;
	rivals->incomplete |= r < 0 || config.cut || !*notes;
	r = 0;
	for (char *note = strtok_r(notes, " \t", &place); note && r == 0;
	     note = strtok_r(NULL, " \t", &place)) {
		if (*note != '.' && !strchr(note, '/') && strlen(note) < 100)
			r = load_note(root, note, rivals);
		else
			rivals->incomplete = true;
	}
	return r;
}
