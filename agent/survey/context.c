/* SPDX-License-Identifier: MIT */
/*
 * What is read once for all disks: configuration, quirks, policy, and for a diagnosis the
 * table of controllers and the evidence. A broken file never stops the rest; one of the
 * administrator's stops all writing.
 */
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/snapshot.h"
#include "survey/survey.h"

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

int context_add_controllers(struct context *context, const char *rules)
{
	static const char *const folders[] = PATH_CONTROLLER_FOLDERS;
	static const char *const controllers_d[] = { "/controllers.d", NULL };
	_cleanup_root_ struct root *root = NULL;
	int r = 0;

	if (!rules)
		return quirks_load(context->config, folders, &context->problems,
				   &context->controllers);
	r = root_new(rules, &root);
	return r < 0 ? r
		     : quirks_load(root, controllers_d, &context->problems,
				   &context->controllers);
}

/*
 * A file of the administrator's that cannot be understood may be the one that says
 * Apply=no. Rather look on than do what was not meant.
 */
static void be_cautious(struct context *context)
{
	for (size_t i = 0; !context->cautious && i < context->problems.n; i++) {
		const struct ini_problem *problem = &context->problems.list[i];

		if (strncmp(problem->file, "/etc/", 5) != 0 &&
		    strncmp(problem->file, "/run/", 5) != 0)
			continue;
		context->cautious = true;
		(void)snprintf(context->cautious_where, sizeof(context->cautious_where),
			       "%.80s:%u", problem->file, problem->line);
	}
}

/* Baselines stay with the machine that they belong to; a capture has its own. */
static const struct root *memory_root(const struct root *machine,
				      const struct root *config)
{
	if (root_is_live(machine) || machine == config)
		return config;
	return root_is_snapshot(machine) ? machine : NULL;
}

int context_load(const struct root *machine, const struct root *config, const char *rules,
		 const struct properties *properties, struct context *ret)
{
	struct context context = {
		.machine = machine,
		.config = config,
		.properties = properties,
		.page_kb = (unsigned int)(sysconf(_SC_PAGESIZE) / 1024),
		.memory = memory_root(machine, config),
		.measurements = memory_root(machine, config),
		.measured_in = PATH_MEASUREMENTS,
	};
	int r = config_load(config, &context.problems, &context.settings);

	if (r == 0)
		r = load_rules(&context, rules);
	if (r == 0)
		be_cautious(&context);
	if (r < 0) {
		context_done(&context);
		return r;
	}
	*ret = context;
	return 0;
}

int context_add_evidence(struct context *context, const char *rules,
			 struct evidence_source *source)
{
	int r = context_add_controllers(context, rules);

	return r < 0 ? r : evidence_load(context->machine, source, &context->evidence);
}

void context_done(struct context *context)
{
	(void)quirks_free(context->controllers);
	(void)evidence_free(context->evidence);
	(void)quirks_free(context->quirks);
	(void)policy_free(context->policy);
	ini_problems_done(&context->problems);
	*context = (struct context){ 0 };
}
