/* SPDX-License-Identifier: MIT */
/*
 * Reads quirk files: sections with Match.<fact>= lines, then Fact.<fact>= corrections
 * or Unknown= lists, and the two keys for people, Reason= and Source=. This is the one
 * file of classify/ that does I/O.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/paths.h"
#include "classify/quirks-internal.h"

static void quirk_done(struct quirk *quirk)
{
	for (size_t i = 0; i < quirk->n_matches; i++)
		match_done(&quirk->matches[i]);
	for (size_t i = 0; i < quirk->n_corrections; i++)
		free(quirk->corrections[i].text);
	free(quirk->matches);
	free(quirk->corrections);
	free(quirk->file);
}

struct quirks *quirks_free(struct quirks *quirks)
{
	if (quirks) {
		for (size_t i = 0; i < quirks->n; i++)
			quirk_done(&quirks->list[i]);
		free(quirks->list);
		free(quirks);
	}
	return NULL;
}

static int begin_quirk(struct quirks *quirks, const struct ini_line *line)
{
	struct quirk *list = reallocarray(quirks->list, quirks->n + 1, sizeof(*list));
	struct quirk quirk = { .file = strdup(line->file), .line = line->line };

	if (list)
		quirks->list = list;
	if (!list || !quirk.file) {
		free(quirk.file);
		return -ENOMEM;
	}
	quirks->list[quirks->n++] = quirk;
	return 0;
}

static int add_match(struct quirk *quirk, const struct ini_line *line,
		     const char *subject, struct ini_problems *problems)
{
	struct match match = { 0 };
	struct match *matches = NULL;
	const char *why = NULL;
	int r = match_parse(subject, line->value, true, &match, &why);

	if (r == -EINVAL)
		return ini_problem_add(problems, line->file, line->line, "%s=%s: %s",
				       line->key, line->value, why);
	if (r < 0)
		return r;
	matches = reallocarray(quirk->matches, quirk->n_matches + 1, sizeof(*matches));
	if (!matches) {
		match_done(&match);
		return -ENOMEM;
	}
	quirk->matches = matches;
	quirk->matches[quirk->n_matches++] = match;
	return 0;
}

static int add_correction(struct quirk *quirk, struct quirk_correction correction)
{
	struct quirk_correction *list =
		reallocarray(quirk->corrections, quirk->n_corrections + 1, sizeof(*list));

	if (!list) {
		free(correction.text);
		return -ENOMEM;
	}
	quirk->corrections = list;
	quirk->corrections[quirk->n_corrections++] = correction;
	return 0;
}

static int add_fact(struct quirk *quirk, const struct ini_line *line, const char *name,
		    struct ini_problems *problems)
{
	int fact = fact_from_string(name);
	struct quirk_correction correction = { .line = line->line };
	bool flag = false;
	int r = 0;

	if (fact < 0)
		return ini_problem_add(problems, line->file, line->line,
				       "%s: no such fact", line->key);
	correction.fact = (enum fact)fact;
	switch (fact_type(correction.fact)) {
	case FACT_TYPE_STRING:
		r = *line->value ? 0 : -EINVAL;
		if (r == 0 && !(correction.text = strdup(line->value)))
			return -ENOMEM;
		break;
	case FACT_TYPE_FLAG:
		r = parse_bool(line->value, &flag);
		correction.number = flag;
		break;
	case FACT_TYPE_HEX:
		r = parse_hex(line->value, &correction.number);
		break;
	case FACT_TYPE_NUMBER:
	case FACT_TYPE_MBPS:
	case FACT_TYPE_MTPS:
		r = parse_u64(line->value, &correction.number);
		break;
	}
	if (r < 0)
		return ini_problem_add(problems, line->file, line->line,
				       "%s=%s: not a value of this fact", line->key,
				       line->value);
	return add_correction(quirk, correction);
}

static int add_unknown(struct quirk *quirk, const struct ini_line *line,
		       struct ini_problems *problems)
{
	char *place = NULL;
	int r = 0;

	for (char *word = strtok_r(line->value, " ", &place); word && r == 0;
	     word = strtok_r(NULL, " ", &place)) {
		int fact = fact_from_string(word);

		if (fact < 0)
			r = ini_problem_add(problems, line->file, line->line,
					    "Unknown=: no such fact: %s", word);
		else
			r = add_correction(quirk, (struct quirk_correction){
							  .fact = (enum fact)fact,
							  .unknown = true,
							  .line = line->line });
	}
	return r;
}

static int handle_line(const struct ini_line *line, void *context,
		       struct ini_problems *problems)
{
	struct quirks *quirks = context;
	struct quirk *quirk = NULL;

	if (!line->key)
		return begin_quirk(quirks, line);
	if (quirks->n == 0)
		return ini_problem_add(problems, line->file, line->line,
				       "key before the first section");
	quirk = &quirks->list[quirks->n - 1];
	if (strncmp(line->key, "Match.", 6) == 0)
		return add_match(quirk, line, line->key + 6, problems);
	if (strncmp(line->key, "Fact.", 5) == 0)
		return add_fact(quirk, line, line->key + 5, problems);
	if (strcmp(line->key, "Unknown") == 0)
		return add_unknown(quirk, line, problems);
	if (strcmp(line->key, "Reason") == 0 || strcmp(line->key, "Source") == 0)
		return 0;
	return ini_problem_add(problems, line->file, line->line, "unknown key: %s",
			       line->key);
}

static int check_whole(const struct quirks *quirks, const char *path,
		       struct ini_problems *problems)
{
	for (size_t i = 0; i < quirks->n; i++) {
		const struct quirk *quirk = &quirks->list[i];
		int r = 0;

		if (quirk->n_matches == 0)
			r = ini_problem_add(problems, path, quirk->line,
					    "section without a Match. line");
		else if (quirk->n_corrections == 0)
			r = ini_problem_add(problems, path, quirk->line,
					    "section that corrects nothing");
		if (r < 0)
			return r;
	}
	return 0;
}

int quirks_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct quirks **ret)
{
	_cleanup_quirks_ struct quirks *quirks = calloc(1, sizeof(*quirks));
	int r = 0;

	if (!quirks)
		return -ENOMEM;
	r = ini_read(root, path, handle_line, quirks, problems);
	if (r == 0)
		r = check_whole(quirks, path, problems);
	if (r < 0)
		return r;
	*ret = steal(quirks);
	return 0;
}

/* Moves the quirks of @more to the end of @quirks. */
static int append(struct quirks *quirks, struct quirks *more)
{
	struct quirk *list = NULL;

	if (more->n == 0)
		return 0;
	list = reallocarray(quirks->list, quirks->n + more->n, sizeof(*list));
	if (!list)
		return -ENOMEM;
	quirks->list = list;
	memcpy(list + quirks->n, more->list, more->n * sizeof(*list));
	quirks->n += more->n;
	more->n = 0;
	return 0;
}

/* A file with a problem is left out as a whole. */
static int load_and_append(const struct root *root, const char *path, void *context,
			   struct ini_problems *problems)
{
	_cleanup_quirks_ struct quirks *more = NULL;
	size_t before = problems->n;
	int r = quirks_load_file(root, path, problems, &more);

	return r < 0 || problems->n > before ? r : append(context, more);
}

int quirks_load(const struct root *root, const char *const folders[],
		struct ini_problems *problems, struct quirks **ret)
{
	_cleanup_quirks_ struct quirks *quirks = calloc(1, sizeof(*quirks));
	int r = 0;

	if (!quirks)
		return -ENOMEM;
	r = ini_load_files(root, folders, SUFFIX_QUIRKS, load_and_append, quirks,
			   problems);
	if (r < 0)
		return r;
	*ret = steal(quirks);
	return 0;
}
