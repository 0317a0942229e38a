/* SPDX-License-Identifier: MIT */
/*
 * Making a disk, with its leaves, from a row; asking the checks; and the properties that
 * hold for each of them.
 */
#include "check-rows.h"

#include <string.h>

static void facts_of_list(bool bare, const struct given *list, struct disk_facts *facts)
{
	if (bare)
		facts_init(facts);
	else
		give_sata_ssd(facts);
	give(facts, list);
}

void scene_of_row(const struct row *row, enum fact missing, struct scene *ret)
{
	struct subject subject = { .disk = &ret->disk };

	memset(ret, 0, sizeof(*ret));
	facts_of_list(row->bare, row->given, &ret->disk.facts);
	for (size_t i = 0; i < row->n_leaves; i++)
		facts_of_list(false, row->leaves[i], &ret->leaves[i].facts);
	ret->disk.leaves = row->n_leaves ? ret->leaves : NULL;
	ret->disk.n_leaves = row->n_leaves;
	ret->selection.apply = true;
	if (row->prepare)
		row->prepare(ret);
	if (missing != _FACT_MAX)
		facts_clear(&ret->disk.facts, missing);
	if (!row->machine) {
		classify(&ret->disk, &ret->class);
		plan_make(&ret->disk.facts, &ret->class, &ret->selection, &ret->state, 4,
			  &ret->plan);
		subject.class = &ret->class;
		subject.plan = &ret->plan;
		subject.state = &ret->state;
	}
	diagnose(&subject, &ret->diagnosis);
}

static void check_finding(const struct row *row, const struct finding *finding)
{
	ROW_INT(row->name, finding->severity, row->severity);
	ROW_INT(row->name, finding->remedy != NULL && finding->remedy[0] != NULL, true);
	ROW_INT(row->name, finding->text[0] != '\0', true);
	ROW_INT(row->name, finding->n_evidence > 0, true);
	for (size_t i = 0; i < finding->n_evidence; i++) {
		const struct evidence_item *item = &finding->evidence[i];

		ROW_INT(row->name, facts_known(item->facts, item->fact), true);
	}
}

void run_rows(const struct row *rows, size_t n)
{
	struct scene *scene = malloc(sizeof(*scene));

	assert_non_null(scene);
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		const struct finding *finding = &scene->diagnosis.findings[row->id];

		scene_of_row(row, _FACT_MAX, scene);
		ROW_INT(row->name, finding->id, row->id);
		ROW_INT(row->name, finding->result, row->result);
		if (row->result == CHECK_FOUND)
			check_finding(row, finding);
		if (row->result == CHECK_UNKNOWN && finding->missing != _FACT_MAX)
			ROW_INT(row->name,
				facts_known(&scene->disk.facts, finding->missing), false);
		if (row->says && !strstr(finding->text, row->says))
			fail_msg("%s: \"%s\" does not say \"%s\"", row->name,
				 finding->text, row->says);
	}
	free(scene);
}

static void check_complete(const struct row *rows, size_t n)
{
	bool seen[_FINDING_MAX][_CHECK_RESULT_MAX] = { { false } };

	for (size_t i = 0; i < n; i++)
		seen[rows[i].id][rows[i].result] = true;
	for (size_t i = 0; i < n; i++) {
		const char *name = finding_id_to_string(rows[i].id);

		ROW_INT(name, seen[rows[i].id][CHECK_FOUND], true);
		ROW_INT(name, seen[rows[i].id][CHECK_UNKNOWN], true);
		ROW_INT(name, seen[rows[i].id][CHECK_OK], true);
	}
}

static bool is_required(const struct check *check, enum fact fact)
{
	for (size_t i = 0; i < CHECK_FACTS_MAX && check->requires[i] != _FACT_MAX; i++) {
		if (check->requires[i] == fact)
			return true;
	}
	return false;
}

static void take_away(const struct row *row, enum fact fact, struct scene *scene)
{
	const struct finding *finding = &scene->diagnosis.findings[row->id];
	const struct check *check =
		check_of(row->id, row->machine ? SCOPE_MACHINE : SCOPE_DISK);
	char name[128];

	(void)snprintf(name, sizeof(name), "%s, without %s", row->name,
		       fact_to_string(fact));
	scene_of_row(row, fact, scene);
	assert_non_null(check);
	if (is_required(check, fact)) {
		ROW_INT(name, finding->result, CHECK_UNKNOWN);
		ROW_INT(name, finding->missing, fact);
	}
	if (strstr(finding->text, "(null)"))
		fail_msg("%s: \"%s\"", name, finding->text);
}

void run_properties(const struct row *rows, size_t n)
{
	struct scene *scene = malloc(sizeof(*scene));

	assert_non_null(scene);
	check_complete(rows, n);
	for (size_t i = 0; i < n; i++) {
		for (int fact = 0; fact < _FACT_MAX; fact++) {
			if (rows[i].result == CHECK_FOUND)
				take_away(&rows[i], (enum fact)fact, scene);
		}
	}
	free(scene);
}
