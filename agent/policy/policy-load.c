/* SPDX-License-Identifier: MIT */
/*
 * Reads policy files and the configuration; the one file of policy/ that does I/O. Each
 * key has a row in a table or is the name of a tunable or of an advice key; each value
 * is checked here, so that what is selected later can be used as it is.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/paths.h"
#include "policy/policy-internal.h"

#define READ_AHEAD_MAX_KB 65536U /* the kernel has no limit of its own */
#define SECTION_NUMBER_MAX 1048576U

static void section_done(struct section *section)
{
	for (size_t i = 0; i < section->n_matches; i++)
		match_done(&section->matches[i]);
	free(section->matches);
	free(section->file);
	free(section->reason);
	free(section->source);
}

struct policy *policy_free(struct policy *policy)
{
	if (policy) {
		for (size_t i = 0; i < policy->n; i++)
			section_done(&policy->list[i]);
		free(policy->list);
		free(policy);
	}
	return NULL;
}

static int begin_section(struct policy *policy, const struct ini_line *line)
{
	struct section *list = reallocarray(policy->list, policy->n + 1, sizeof(*list));
	char *file = strdup(line->file);

	if (list)
		policy->list = list;
	if (!list || !file) {
		free(file);
		return -ENOMEM;
	}
	memset(&policy->list[policy->n], 0, sizeof(*list));
	policy->list[policy->n].file = file;
	policy->list[policy->n++].line = line->line;
	return 0;
}

static int bad_value(const struct ini_line *line, const char *why,
		     struct ini_problems *problems)
{
	return ini_problem_add(problems, line->file, line->line, "%s=%s: %s", line->key,
			       line->value, why);
}

static int add_match(struct section *section, const struct ini_line *line,
		     struct ini_problems *problems)
{
	struct match match = { 0 };
	struct match *matches = NULL;
	const char *why = NULL;
	int r = match_parse(line->key + strlen("Match."), line->value, false, &match,
			    &why);

	if (r == -EINVAL)
		return bad_value(line, why, problems);
	if (r < 0)
		return r;
	matches =
		reallocarray(section->matches, section->n_matches + 1, sizeof(*matches));
	if (!matches) {
		match_done(&match);
		return -ENOMEM;
	}
	section->matches = matches;
	section->matches[section->n_matches++] = match;
	return 0;
}

static int take_line(struct policy_line *slot, const struct ini_line *line,
		     struct ini_problems *problems)
{
	if (slot->present)
		return bad_value(line, "stands twice in this section", problems);
	if (*line->value == '\0' || strlen(line->value) >= sizeof(slot->value))
		return bad_value(line, "empty or too long", problems);
	slot->present = true;
	slot->line = line->line;
	strcpy(slot->value, line->value);
	return 0;
}

static bool is_word(const char *text)
{
	for (; *text; text++) {
		if (!islower((unsigned char)*text) && !isdigit((unsigned char)*text) &&
		    *text != '-' && *text != ' ')
			return false;
	}
	return true;
}

/* A word that this tunable understands besides numbers, or a number within bounds. */
static const char *check_setting(enum tunable tunable, const char *value)
{
	uint64_t number = 0;

	if (strcmp(value, "keep") == 0)
		return NULL;
	if (!tunable_is_number(tunable))
		return is_word(value) ? NULL : "scheduler names, best first";
	if ((tunable == TUNABLE_QUEUE_DEPTH && strcmp(value, "device") == 0) ||
	    (tunable == TUNABLE_NR_REQUESTS && strcmp(value, "depth") == 0))
		return NULL;
	if (parse_u64(value, &number) < 0)
		return "not a number";
	if (tunable == TUNABLE_READ_AHEAD_KB)
		return number <= READ_AHEAD_MAX_KB ? NULL : "more than 65536";
	return number >= 1 && number <= SECTION_NUMBER_MAX ? NULL : "out of bounds";
}

static int take_setting(struct section *section, enum tunable tunable,
			const struct ini_line *line, struct ini_problems *problems)
{
	const char *why = check_setting(tunable, line->value);

	return why ? bad_value(line, why, problems) :
		     take_line(&section->settings[tunable], line, problems);
}

static int take_advice(struct section *section, enum advice_key key,
		       const struct ini_line *line, struct ini_problems *problems)
{
	struct policy_advice *slot = &section->advice[key];
	uint64_t number = 0;
	int value = 0;

	if (slot->present)
		return bad_value(line, "stands twice in this section", problems);
	switch (advice_key_type(key)) {
	case ADVICE_TYPE_IO_MODE:
		value = io_mode_from_string(line->value);
		break;
	case ADVICE_TYPE_HINT:
		value = hint_from_string(line->value);
		break;
	case ADVICE_TYPE_NUMBER:
		value = parse_u64(line->value, &number) == 0 && number >= 1 &&
					number <= SECTION_NUMBER_MAX ?
				(int)number :
				-EINVAL;
		break;
	}
	if (value < 0)
		return bad_value(line, "not a value of this key", problems);
	*slot = (struct policy_advice){
		.present = true, .line = line->line, .value = (uint32_t)value
	};
	return 0;
}

static int take_text(char **slot, const struct ini_line *line)
{
	free(*slot);
	*slot = strdup(line->value);
	return *slot ? 0 : -ENOMEM;
}

static int take_apply(struct section *section, const struct ini_line *line,
		      struct ini_problems *problems)
{
	bool apply = false;
	int r = parse_bool(line->value, &apply);

	if (r < 0)
		return bad_value(line, "yes or no", problems);
	r = take_line(&section->apply, line, problems);
	strcpy(section->apply.value, apply ? "yes" : "no");
	return r;
}

static int take_key(struct section *section, const struct ini_line *line,
		    struct ini_problems *problems)
{
	int tunable = tunable_from_string(line->key);
	int advice = advice_key_from_string(line->key);

	if (tunable >= 0)
		return take_setting(section, (enum tunable)tunable, line, problems);
	if (advice >= 0)
		return take_advice(section, (enum advice_key)advice, line, problems);
	if (strncmp(line->key, "Match.", 6) == 0)
		return add_match(section, line, problems);
	if (strcmp(line->key, "Profile") == 0)
		return take_line(&section->profile, line, problems);
	if (strcmp(line->key, "UseProfile") == 0)
		return take_line(&section->use_profile, line, problems);
	if (strcmp(line->key, "Apply") == 0)
		return take_apply(section, line, problems);
	if (strcmp(line->key, "Reason") == 0)
		return take_text(&section->reason, line);
	if (strcmp(line->key, "Source") == 0)
		return take_text(&section->source, line);
	return ini_problem_add(problems, line->file, line->line, "unknown key: %s",
			       line->key);
}

static int handle_line(const struct ini_line *line, void *context,
		       struct ini_problems *problems)
{
	struct policy *policy = context;

	if (!line->key)
		return begin_section(policy, line);
	if (policy->n == 0)
		return ini_problem_add(problems, line->file, line->line,
				       "key before the first section");
	return take_key(&policy->list[policy->n - 1], line, problems);
}

static int check_whole(const struct policy *policy, const char *path,
		       struct ini_problems *problems)
{
	for (size_t i = 0; i < policy->n; i++) {
		const struct section *section = &policy->list[i];

		if (section->profile.present && section->use_profile.present) {
			int r = ini_problem_add(
				problems, path, section->line,
				"Profile= and UseProfile= in one section");

			if (r < 0)
				return r;
		}
	}
	return 0;
}

int policy_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct policy **ret)
{
	_cleanup_policy_ struct policy *policy = calloc(1, sizeof(*policy));
	int r = 0;

	if (!policy)
		return -ENOMEM;
	r = ini_read(root, path, handle_line, policy, problems);
	if (r == 0)
		r = check_whole(policy, path, problems);
	if (r < 0)
		return r;
	*ret = steal(policy);
	return 0;
}

static int append(struct policy *policy, struct policy *more)
{
	struct section *list = NULL;

	if (more->n == 0)
		return 0;
	list = reallocarray(policy->list, policy->n + more->n, sizeof(*list));
	if (!list)
		return -ENOMEM;
	policy->list = list;
	memcpy(list + policy->n, more->list, more->n * sizeof(*list));
	policy->n += more->n;
	more->n = 0;
	return 0;
}

/* A file with a problem is left out as a whole. */
static int load_and_append(const struct root *root, const char *path, void *context,
			   struct ini_problems *problems)
{
	_cleanup_policy_ struct policy *more = NULL;
	size_t before = problems->n;
	int r = policy_load_file(root, path, problems, &more);

	return r < 0 || problems->n > before ? r : append(context, more);
}

int policy_load(const struct root *root, const char *const folders[],
		struct ini_problems *problems, struct policy **ret)
{
	_cleanup_policy_ struct policy *policy = calloc(1, sizeof(*policy));
	int r = 0;

	if (!policy)
		return -ENOMEM;
	r = ini_load_files(root, folders, SUFFIX_POLICY, load_and_append, policy,
			   problems);
	if (r < 0)
		return r;
	*ret = steal(policy);
	return 0;
}

static int handle_config(const struct ini_line *line, void *context,
			 struct ini_problems *problems)
{
	struct config *config = context;

	if (!line->key)
		return strcmp(line->section, "blkadvise") == 0 ?
			       0 :
			       ini_problem_add(problems, line->file, line->line,
					       "unknown section: %s", line->section);
	if (strcmp(line->key, "Mode") == 0) {
		if (strcmp(line->value, "observe") != 0 &&
		    strcmp(line->value, "apply") != 0)
			return bad_value(line, "apply or observe", problems);
		config->observe = strcmp(line->value, "observe") == 0;
		return 0;
	}
	if (strcmp(line->key, "Profile") == 0) {
		if (*line->value == '\0' || strlen(line->value) >= PROFILE_MAX ||
		    !is_word(line->value) || strchr(line->value, ' '))
			return bad_value(line, "not a profile's name", problems);
		strcpy(config->profile, line->value);
		return 0;
	}
	return ini_problem_add(problems, line->file, line->line, "unknown key: %s",
			       line->key);
}

int config_load(const struct root *root, struct ini_problems *problems,
		struct config *ret)
{
	int r = config_load_file(root, PATH_CONFIG, problems, ret);

	if (r == 0 || r == -ENOMEM)
		return r;
	*ret = (struct config){ .observe = r != -ENOENT, .profile = "balanced" };
	return r == -ENOENT ? 0
			    : ini_problem_add(problems, PATH_CONFIG, 0,
					      "cannot be read: %s", strerror(-r));
}

int config_load_file(const struct root *root, const char *path,
		     struct ini_problems *problems, struct config *ret)
{
	struct config config = { .profile = "balanced" };
	size_t before = problems->n;
	int r = ini_read(root, path, handle_config, &config, problems);

	if (r < 0)
		return r;
	if (problems->n > before) /* rather look on than do what was not meant */
		config = (struct config){ .observe = true, .profile = "balanced" };
	*ret = config;
	return 0;
}
