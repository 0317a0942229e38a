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

#include "base/parse.h"
#include "base/paths.h"
#include "base/sysfs.h"
#include "survey/internal.h"

/* The clock of the machine whose memory it is: a captured one has stopped. */
static uint64_t seconds_since_boot(const struct context *context)
{
	struct timespec now = { 0 };
	char text[64] = "";
	uint64_t seconds = 0;

	if (context->memory && context->memory != context->config) {
		(void)root_read(context->machine, "/proc/uptime", text, sizeof(text),
				NULL);
		text[strcspn(text, ". \n")] = '\0';
		return parse_u64(text, &seconds) < 0 ? 0 : seconds + 1;
	}
	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec + 1; /* 0 means "none" in the state */
}

static void replan(const struct context *context, struct survey *survey)
{
	plan_make(&survey->disk->facts, &survey->class, &survey->selection,
		  &survey->memory.state, context->page_kb, &survey->plan);
}

static void rediagnose(struct survey *survey)
{
	const struct subject subject = {
		.disk = survey->disk,
		.class = &survey->class,
		.plan = &survey->plan,
		.state = &survey->memory.state,
	};

	diagnose(&subject, &survey->diagnosis);
}

/* Where the whole machine is not to be written to, say so in each selection. */
static void switch_off(const struct context *context, struct selection *selection)
{
	if (context->cautious)
		strcpy(selection->apply_where, context->cautious_where);
	else if (context->settings.observe)
		strcpy(selection->apply_where, PATH_CONFIG ":Mode=observe");
	else
		return;
	selection->apply = false;
}

static void remember(const struct context *context, struct survey *survey)
{
	if (context->memory &&
	    state_load(context->memory, survey->disk, seconds_since_boot(context),
		       &survey->memory) < 0)
		survey->memory.state.unreadable = true;
	survey->measured.found = -ENOENT;
	if (context->measurements)
		survey_load_measured(context, survey);
}

static void complete(const struct context *context, struct survey *survey)
{
	const struct disk_facts *facts = &survey->disk->facts;

	if (context->evidence)
		evidence_add(context->evidence, survey->disk);
	quirks_correct_disk(context->quirks, survey->disk);
	if (context->controllers)
		quirks_correct_disk(context->controllers, survey->disk);
	classify(survey->disk, &survey->class);
	policy_select(context->policy, context->settings.profile, facts, &survey->class,
		      &survey->selection);
	policy_select_stack_advice(context->policy, survey->disk, &survey->class,
				   &survey->selection);
	switch_off(context, &survey->selection);
	remember(context, survey);
	survey_advise_measured(survey);
	replan(context, survey);
	rediagnose(survey);
}

/*
 * A survey of the disk in @syspath, without its paths. It is completed in its final
 * place, since the plan points into the selection.
 */
static int survey_one(const struct context *context, const char *syspath,
		      struct survey **ret)
{
	_cleanup_survey_ struct survey *survey = calloc(1, sizeof(*survey));
	int r = 0;

	if (!survey)
		return -ENOMEM;
	r = disk_probe(context->machine, syspath, context->properties, &survey->disk);
	if (r < 0)
		return r;
	complete(context, survey);
	*ret = steal(survey);
	return 0;
}

/* What holds or switches off a head does so for its paths, which udev never sees. */
static void inherit(const struct context *context, const struct survey *head,
		    struct survey *path)
{
	if (!head->selection.apply) {
		path->selection.apply = false;
		strcpy(path->selection.apply_where, head->selection.apply_where);
	}
	path->memory.state.held |= head->memory.state.held ||
				   head->memory.state.unreadable;
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		path->memory.state.tunables[i].held |=
			head->memory.state.tunables[i].held;
	replan(context, path);
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
		struct survey **more = reallocarray(survey->paths, survey->n_paths + 1,
						    sizeof(*more));
		char syspath[ROOT_PATH_MAX];
		struct survey *path = NULL;
		int r = 0;

		if (!more)
			return -ENOMEM;
		survey->paths = more;
		if (sysfs_block_by_name(context->machine, name, syspath,
					sizeof(syspath)) < 0)
			continue; /* gone meanwhile */
		r = survey_one(context, syspath, &path);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		inherit(context, survey, path);
		survey->paths[survey->n_paths++] = path;
	}
	return 0;
}

int survey_disk(const struct context *context, const char *syspath, struct survey **ret)
{
	_cleanup_survey_ struct survey *survey = NULL;
	int r = survey_one(context, syspath, &survey);

	if (r == 0)
		r = survey_paths(context, survey);
	if (r < 0)
		return r;
	*ret = steal(survey);
	return 0;
}

int survey_machine(const struct context *context, struct machine_survey *ret)
{
	struct machine_survey survey = { 0 };
	struct subject subject = { 0 };
	int r = machine_probe(context->machine, &survey.machine);

	if (r < 0)
		return r;
	if (context->evidence)
		evidence_add_machine(context->evidence, survey.machine);
	subject.disk = survey.machine;
	diagnose(&subject, &survey.diagnosis);
	*ret = survey;
	return 0;
}

void machine_survey_done(struct machine_survey *survey)
{
	(void)disk_free(survey->machine);
	survey->machine = NULL;
}

struct survey *survey_free(struct survey *survey)
{
	if (survey) {
		for (size_t i = 0; i < survey->n_paths; i++)
			(void)survey_free(survey->paths[i]);
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
			 seconds_since_boot(context), &applied);
	if (handler && *applied.wanted) /* written, whether or not that could be noted */
		handler(survey, &applied, handler_context);
	return r < 0 ? r : 1;
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
			r = apply_tunable(context, (*survey)->paths[i],
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

/*
 * Goes on where the memory cannot be saved: a value that is back is worth more than a
 * note of it. The first error is what is returned in the end.
 */
static int restore_one(const struct context *context, struct survey *survey, bool hold,
		       applied_handler handler, void *handler_context)
{
	int done = 0, error = 0;

	if (survey->memory.state.unreadable)
		return -EBADMSG;
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		struct applied applied = { 0 };
		int r = apply_restore(context->machine, survey->disk, (enum tunable)i,
				      &survey->memory, &applied);

		if (r != 0 && *applied.wanted) {
			done++;
			if (handler)
				handler(survey, &applied, handler_context);
		}
		if (r < 0 && error == 0)
			error = r;
	}
	if (hold && !survey->memory.state.held) {
		int r = 0;

		survey->memory.state.held = true;
		r = state_save(context->config, &survey->memory);
		error = error == 0 ? r : error;
	}
	return error < 0 ? error : done;
}

int survey_restore(const struct context *context, struct survey **survey, bool hold,
		   applied_handler handler, void *handler_context)
{
	int done = restore_one(context, *survey, hold, handler, handler_context);
	int r = 0;

	for (size_t i = 0; i < (*survey)->n_paths; i++) {
		r = restore_one(context, (*survey)->paths[i], hold, handler,
				handler_context);
		if (r < 0 || done < 0)
			done = done < 0 ? done : r;
		else
			done += r;
	}
	r = renew(context, survey);
	return done < 0 ? done : (r < 0 ? r : done);
}

int survey_settle(const struct context *context, struct survey *survey)
{
	int r = survey->memory.settled ? state_save(context->config, &survey->memory) : 0;

	for (size_t i = 0; r == 0 && i < survey->n_paths; i++)
		r = survey_settle(context, survey->paths[i]);
	return r;
}

static void forget_refusals(struct survey *survey)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		survey->memory.state.tunables[i].has_asked = false;
}

int survey_ask_again(const struct context *context, struct survey *survey)
{
	int r = 0;

	if (survey->memory.state.unreadable)
		return -EBADMSG;
	forget_refusals(survey);
	r = state_save(context->config, &survey->memory);
	replan(context, survey);
	for (size_t i = 0; r == 0 && i < survey->n_paths; i++)
		r = survey_ask_again(context, survey->paths[i]);
	return r;
}

void survey_plan_as_if_free(const struct context *context, struct survey *survey)
{
	forget_refusals(survey);
	survey->memory.state.held = false;
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		survey->memory.state.tunables[i].held = false;
	replan(context, survey);
	for (size_t i = 0; i < survey->n_paths; i++)
		survey_plan_as_if_free(context, survey->paths[i]);
}

int survey_hold(const struct context *context, struct survey *survey,
		enum tunable tunable, bool held)
{
	struct disk_state *state = &survey->memory.state;
	int error = 0;

	if (state->unreadable)
		return -EBADMSG;
	if (tunable == _TUNABLE_MAX)
		state->held = held;
	else
		state->tunables[tunable].held = held;
	for (size_t i = 0; !held && tunable == _TUNABLE_MAX && i < _TUNABLE_MAX; i++)
		state->tunables[i].held = false;
	error = state_save(context->config, &survey->memory);
	for (size_t i = 0; i < survey->n_paths; i++) {
		int r = survey_hold(context, survey->paths[i], tunable, held);

		error = error < 0 ? error : r;
	}
	return error;
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
	struct digest digest = { 0 };

	if (survey->measured.found == 0) {
		measurement_digest(&survey->measured.kept, survey->measured.stale,
				   &digest);
		input.measured = &digest;
	}
	return record_format(&input, buf, size);
}

int survey_publish(const struct context *context, const struct survey *survey)
{
	const struct disk_facts *facts = &survey->disk->facts;
	const char *devnum = facts_text(facts, FACT_DEV);
	char text[RECORD_MAX];
	int r = -ENODATA;

	if (devnum && !disk_is_ignored(facts)) /* loop, ram and zram have no record */
		r = survey_format_record(survey, text, sizeof(text));
	if (r < 0)
		return r;
	/* Gone meanwhile, or empty as a reader without a card: nothing to read from. */
	if (!root_exists(context->machine, survey->disk->syspath))
		return -ENODEV;
	if (facts_is_clear(facts, FACT_SIZE)) {
		r = record_withdraw(context->config, devnum, NULL);
		return r < 0 ? r : -ENODATA;
	}
	return record_publish(context->config, devnum, text, (uint64_t)time(NULL));
}
