/* SPDX-License-Identifier: MIT */
/*
 * Putting a survey together. A stack is advised as its leaves are, if they are of one
 * class, or one of them is remote: what an engine's reads meet in the end is a leaf. Its
 * settings are its own.
 */
#include "survey/survey.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/paths.h"
#include "base/sysfs.h"

static int load_files(struct context *context, const struct root *root,
		      const char *const quirk_folders[],
		      const char *const policy_folders[])
{
	int r = quirks_load(root, quirk_folders, &context->problems, &context->quirks);

	return r < 0 ? r
		     : policy_load(root, policy_folders, &context->problems,
				   &context->policy);
}

static int load_rules(struct context *context, const char *rules)
{
	static const char *const quirk_folders[] = PATH_QUIRK_FOLDERS;
	static const char *const policy_folders[] = PATH_POLICY_FOLDERS;
	static const char *const quirks_d[] = { "/quirks.d", NULL };
	static const char *const policy_d[] = { "/policy.d", NULL };
	_cleanup_root_ struct root *root = NULL;
	int r = 0;

	if (!rules)
		return load_files(context, context->config, quirk_folders,
				  policy_folders);
	r = root_new(rules, &root);
	return r < 0 ? r : load_files(context, root, quirks_d, policy_d);
}

int context_load(const struct root *machine, const struct root *config, const char *rules,
		 const struct properties *properties, struct context *ret)
{
	struct context context = {
		.machine = machine,
		.config = config,
		.properties = properties,
		.page_kb = (unsigned int)(sysconf(_SC_PAGESIZE) / 1024),
		.remember = root_is_live(machine) || machine == config,
	};
	int r = config_load(config, &context.problems, &context.settings);

	if (r == 0)
		r = load_rules(&context, rules);
	if (r < 0) {
		context_done(&context);
		return r;
	}
	*ret = context;
	return 0;
}

void context_done(struct context *context)
{
	(void)quirks_free(context->quirks);
	(void)policy_free(context->policy);
	ini_problems_done(&context->problems);
	*context = (struct context){ 0 };
}

static uint64_t seconds_since_boot(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec + 1; /* 0 means "none" in the state */
}

/* The leaf that speaks for a stack: a remote one, else any if all are of one class. */
static const struct disk *speaking_leaf(const struct disk *disk, struct disk_class *ret)
{
	const struct disk *speaker = NULL;
	struct disk_class class = { 0 };

	for (size_t i = 0; i < disk->n_leaves; i++) {
		classify_facts(&disk->leaves[i].facts, &class);
		if (class.remote) {
			*ret = class;
			return &disk->leaves[i];
		}
		if (i > 0 && class.class != ret->class)
			speaker = NULL;
		else if (i == 0)
			speaker = &disk->leaves[i];
		*ret = i == 0 ? class : *ret;
	}
	return disk->leaves_incomplete ? NULL : speaker;
}

static void select_stack_advice(const struct context *context, struct survey *survey)
{
	const struct disk *leaf = NULL;
	struct selection selection = { 0 };
	struct disk_class class = { 0 };

	if (survey->class.attachment != ATTACHMENT_STACKED)
		return;
	leaf = speaking_leaf(survey->disk, &class);
	if (!leaf)
		return;
	policy_select(context->policy, survey->selection.profile, &leaf->facts, &class,
		      &selection);
	survey->selection.advice = selection.advice;
	if (survey->disk->n_leaves > 1) /* how depths add up depends on the geometry */
		advice_drop_depths(&survey->selection.advice);
}

static void complete(const struct context *context, struct survey *survey)
{
	const struct disk_facts *facts = &survey->disk->facts;

	quirks_correct_disk(context->quirks, survey->disk);
	classify(survey->disk, &survey->class);
	policy_select(context->policy, context->settings.profile, facts, &survey->class,
		      &survey->selection);
	select_stack_advice(context, survey);
	if (context->settings.observe && survey->selection.apply) {
		survey->selection.apply = false;
		strcpy(survey->selection.apply_where, PATH_CONFIG ":Mode=observe");
	}
	if (context->remember)
		(void)state_load(context->config, survey->disk, seconds_since_boot(),
				 &survey->memory);
	plan_make(facts, &survey->class, &survey->selection, &survey->memory.state,
		  context->page_kb, &survey->plan);
	diagnose(facts, &survey->class, &survey->diagnosis);
}

/* The hidden path devices of a multipath head have the queues, but no device number. */
static int survey_paths(const struct context *context, struct survey *survey)
{
	const char *paths = facts_text(&survey->disk->facts, FACT_NVME_PATHS);
	char text[FACT_TEXT_MAX], *place = NULL;

	if (!paths)
		return 0;
	(void)snprintf(text, sizeof(text), "%s", paths);
	for (char *name = strtok_r(text, " ", &place); name;
	     name = strtok_r(NULL, " ", &place)) {
		struct survey *more = reallocarray(survey->paths, survey->n_paths + 1,
						   sizeof(*more));
		char syspath[ROOT_PATH_MAX];
		struct survey path = { 0 };
		int r = 0;

		if (!more)
			return -ENOMEM;
		survey->paths = more;
		if (sysfs_block_by_name(context->machine, name, syspath,
					sizeof(syspath)) < 0)
			continue; /* gone meanwhile */
		r = disk_probe(context->machine, syspath, context->properties,
			       &path.disk);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		complete(context, &path);
		survey->paths[survey->n_paths++] = path;
	}
	return 0;
}

int survey_disk(const struct context *context, const char *syspath, struct survey **ret)
{
	_cleanup_survey_ struct survey *survey = calloc(1, sizeof(*survey));
	int r = 0;

	if (!survey)
		return -ENOMEM;
	r = disk_probe(context->machine, syspath, context->properties, &survey->disk);
	if (r < 0)
		return r;
	complete(context, survey);
	r = survey_paths(context, survey);
	if (r < 0)
		return r;
	*ret = steal(survey);
	return 0;
}

struct survey *survey_free(struct survey *survey)
{
	if (survey) {
		for (size_t i = 0; i < survey->n_paths; i++)
			(void)disk_free(survey->paths[i].disk);
		free(survey->paths);
		(void)disk_free(survey->disk);
		free(survey);
	}
	return NULL;
}

/* Reads everything again. */
static int renew(const struct context *context, struct survey **survey)
{
	struct survey *newer = NULL;
	int r = survey_disk(context, (*survey)->disk->syspath, &newer);

	if (r < 0)
		return r;
	(void)survey_free(*survey);
	*survey = newer;
	return 0;
}

static int apply_tunable(const struct context *context, struct survey *survey,
			 enum tunable tunable, applied_handler handler,
			 void *handler_context)
{
	const struct change *change = &survey->plan.changes[tunable];
	struct applied applied = { 0 };
	int r = 0;

	if (change->outcome != OUTCOME_CHANGE)
		return 0;
	r = apply_change(context->machine, survey->disk, change, &survey->memory,
			 seconds_since_boot(), &applied);
	if (r < 0)
		return r;
	if (handler)
		handler(survey, &applied, handler_context);
	return 1;
}

int survey_apply(const struct context *context, struct survey **survey,
		 enum tunable first, enum tunable last, applied_handler handler,
		 void *handler_context)
{
	int writes = 0;

	for (int tunable = (int)first; tunable <= (int)last && tunable < _TUNABLE_MAX;
	     tunable++) {
		int r = apply_tunable(context, *survey, (enum tunable)tunable, handler,
				      handler_context);
		int before = writes;

		if (r < 0)
			return r;
		writes += r;
		for (size_t i = 0; i < (*survey)->n_paths; i++) {
			r = apply_tunable(context, &(*survey)->paths[i],
					  (enum tunable)tunable, handler,
					  handler_context);
			if (r < 0)
				return r;
			writes += r;
		}
		if (writes > before) {
			r = renew(context, survey);
			if (r < 0)
				return r;
		}
	}
	return writes;
}

static int restore_one(const struct context *context, struct survey *survey, bool hold,
		       applied_handler handler, void *handler_context)
{
	int done = 0, r = 0;

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		struct applied applied = { 0 };

		r = apply_restore(context->machine, survey->disk, (enum tunable)i,
				  &survey->memory, &applied);
		if (r < 0)
			return r;
		if (r > 0 && handler)
			handler(survey, &applied, handler_context);
		done += r;
	}
	if (hold && !survey->memory.state.held) {
		survey->memory.state.held = true;
		r = state_save(context->config, &survey->memory);
	}
	return r < 0 ? r : done;
}

int survey_restore(const struct context *context, struct survey **survey, bool hold,
		   applied_handler handler, void *handler_context)
{
	int done = restore_one(context, *survey, hold, handler, handler_context);
	int r = 0;

	if (done < 0)
		return done;
	for (size_t i = 0; i < (*survey)->n_paths; i++) {
		r = restore_one(context, &(*survey)->paths[i], hold, handler,
				handler_context);
		if (r < 0)
			return r;
		done += r;
	}
	r = renew(context, survey);
	return r < 0 ? r : done;
}

void survey_ask_again(const struct context *context, struct survey *survey)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		survey->memory.state.tunables[i].has_asked = false;
	plan_make(&survey->disk->facts, &survey->class, &survey->selection,
		  &survey->memory.state, context->page_kb, &survey->plan);
}

int survey_hold(const struct context *context, struct survey *survey,
		enum tunable tunable, bool held)
{
	struct disk_state *state = &survey->memory.state;

	if (tunable == _TUNABLE_MAX)
		state->held = held;
	else
		state->tunables[tunable].held = held;
	for (size_t i = 0; !held && tunable == _TUNABLE_MAX && i < _TUNABLE_MAX; i++)
		state->tunables[i].held = false;
	for (size_t i = 0; i < survey->n_paths; i++) {
		int r = survey_hold(context, &survey->paths[i], tunable, held);

		if (r < 0)
			return r;
	}
	return state_save(context->config, &survey->memory);
}

int survey_format_record(const struct survey *survey, char *buf, size_t size)
{
	struct record_input input = {
		.disk = survey->disk,
		.class = &survey->class,
		.selection = &survey->selection,
		.state = &survey->memory.state,
		.diagnosis = &survey->diagnosis,
	};

	return record_format(&input, buf, size);
}

int survey_publish(const struct context *context, const struct survey *survey)
{
	const char *devnum = facts_text(&survey->disk->facts, FACT_DEV);
	char text[RECORD_MAX];
	int r = devnum ? survey_format_record(survey, text, sizeof(text)) : -ENODATA;

	if (r < 0)
		return r;
	return record_publish(context->config, devnum, text, (uint64_t)time(NULL));
}
