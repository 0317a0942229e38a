/* SPDX-License-Identifier: MIT */
/*
 * The same words as in records and policy files, as members of objects.
 */
#include "cli/json.h"

#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/measure.h"

struct json_object *json_text(const char *text)
{
	char safe[1024];

	(void)printable(text, safe, sizeof(safe));
	return json_object_new_string(safe);
}

void json_print(struct json_object *object)
{
	(void)printf("%s\n",
		     json_object_to_json_string_ext(
			     object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
					     JSON_C_TO_STRING_NOSLASHESCAPE));
	(void)json_object_put(object);
}

static void add_text(struct json_object *object, const char *key, const char *text)
{
	if (text && *text)
		(void)json_object_object_add(object, key, json_text(text));
}

static struct json_object *json_fact(const struct disk_facts *facts, enum fact fact)
{
	uint64_t number = 0;
	char text[FACT_TEXT_MAX];

	switch (fact_type(fact)) {
	case FACT_TYPE_FLAG:
		return json_object_new_boolean(facts_is_set(facts, fact));
	case FACT_TYPE_NUMBER:
	case FACT_TYPE_MBPS:
	case FACT_TYPE_MTPS:
		(void)facts_number(facts, fact, &number);
		return json_object_new_uint64(number);
	case FACT_TYPE_HEX:
	case FACT_TYPE_STRING:
		break;
	}
	(void)facts_format(facts, fact, text, sizeof(text));
	return json_text(text);
}

static struct json_object *json_facts(const struct disk_facts *facts)
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < _FACT_MAX; i++) {
		enum fact fact = (enum fact)i;

		if (facts_known(facts, fact))
			(void)json_object_object_add(object, fact_to_string(fact),
						     json_fact(facts, fact));
	}
	return object;
}

static struct json_object *json_corrections(const struct disk_facts *facts)
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < _FACT_MAX; i++)
		add_text(object, fact_to_string((enum fact)i),
			 facts_corrected_by(facts, (enum fact)i));
	return object;
}

static struct json_object *json_reasons(const struct disk_class *class)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < class->n_reasons; i++) {
		const struct reason *reason = &class->reasons[i];
		struct json_object *object = json_object_new_object();
		struct json_object *facts = json_object_new_array();

		add_text(object, "topic", topic_to_string(reason->topic));
		add_text(object, "text", reason->text);
		for (size_t k = 0; k < REASON_FACTS && reason->facts[k] != _FACT_MAX; k++)
			(void)json_object_array_add(
				facts,
				json_object_new_string(fact_to_string(reason->facts[k])));
		(void)json_object_object_add(object, "facts", facts);
		(void)json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_class(const struct disk_class *class)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "class", class_to_string(class->class));
	add_text(object, "transport", transport_to_string(class->transport));
	add_text(object, "medium", medium_to_string(class->medium));
	add_text(object, "attachment", attachment_to_string(class->attachment));
	add_text(object, "ncq", ncq_to_string(class->ncq));
	if (class->ncq_reason != NCQ_REASON_NONE)
		add_text(object, "ncq_reason", ncq_reason_to_string(class->ncq_reason));
	add_text(object, "confidence", class->confident ? "high" : "low");
	(void)json_object_object_add(object, "remote",
				     json_object_new_boolean(class->remote));
	(void)json_object_object_add(object, "reasons", json_reasons(class));
	return object;
}

static struct json_object *json_plan(const struct plan *plan)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct change *change = &plan->changes[i];
		struct json_object *object = json_object_new_object();

		add_text(object, "tunable", tunable_to_string(change->tunable));
		add_text(object, "outcome", outcome_to_string(change->outcome));
		add_text(object, "current", change->current);
		add_text(object, "by", owner_to_string(change->owner));
		add_text(object, "why", change->explanation);
		add_text(object, "obstacle", change->obstacle);
		add_text(object, "target", change->target);
		if (change->setting) {
			add_text(object, "where", change->setting->where);
			add_text(object, "reason", change->setting->reason);
			add_text(object, "source", change->setting->source);
		}
		(void)json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_advice(const struct advice *advice)
{
	struct json_object *object = json_object_new_object();
	char text[24];

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		enum advice_key key = (enum advice_key)i;
		const char *value = advice_format(advice, key, text, sizeof(text));

		if (!value)
			continue;
		(void)json_object_object_add(
			object, advice_key_to_string(key),
			advice_key_type(key) == ADVICE_TYPE_NUMBER
				? json_object_new_int64(advice->value[key])
				: json_object_new_string(value));
	}
	return object;
}

static struct json_object *json_evidence(const struct disk_facts *own,
					 const struct finding *finding)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < finding->n_evidence; i++) {
		const struct evidence_item *item = &finding->evidence[i];
		struct json_object *object = json_object_new_object();
		char path[ROOT_PATH_MAX];

		if (item->facts != own) /* a leaf's */
			add_text(object, "disk", facts_text(item->facts, FACT_NAME));
		add_text(object, "fact", fact_to_string(item->fact));
		if (facts_origin(item->facts, item->fact, path, sizeof(path)))
			add_text(object, "path", path);
		(void)json_object_object_add(object, "value",
					     json_fact(item->facts, item->fact));
		(void)json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_remedy(const struct disk_facts *facts,
				       const struct finding *finding)
{
	struct json_object *array = json_object_new_array();
	char step[FINDING_TEXT_MAX];

	for (size_t i = 0; finding_step(finding, i); i++) {
		finding_expand(finding_step(finding, i), facts, step, sizeof(step));
		(void)json_object_array_add(array, json_text(step));
	}
	return array;
}

static void add_found(struct json_object *object, const struct disk_facts *facts,
		      const struct finding *finding)
{
	char cost[FINDING_TEXT_MAX] = "";

	if (finding->cost)
		finding_expand(finding->cost, facts, cost, sizeof(cost));
	add_text(object, "severity", severity_to_string(finding->severity));
	add_text(object, "confidence", confidence_to_string(finding->confidence));
	add_text(object, "text", finding->text);
	add_text(object, "cost", cost);
	(void)json_object_object_add(object, "evidence", json_evidence(facts, finding));
	(void)json_object_object_add(object, "remedy", json_remedy(facts, finding));
}

/* Relative to the source tree; the page is installed as documentation. */
static void add_link(struct json_object *object, enum finding_id id)
{
	char link[96];

	(void)snprintf(link, sizeof(link), "docs/findings.md#%s",
		       finding_id_to_string(id));
	add_text(object, "link", link);
}

struct json_object *json_findings(const struct disk_facts *facts,
				  const struct diagnosis *diagnosis)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const struct finding *finding = &diagnosis->findings[i];
		struct json_object *object = json_object_new_object();

		add_text(object, "id", finding_id_to_string(finding->id));
		add_text(object, "result", check_result_to_string(finding->result));
		add_link(object, finding->id);
		if (finding->result == CHECK_FOUND)
			add_found(object, facts, finding);
		if (finding->result == CHECK_UNKNOWN) {
			add_text(object, "missing", fact_to_string(finding->missing));
			add_text(object, "text", finding->text);
		}
		(void)json_object_array_add(array, object);
	}
	return array;
}

/* What the checks say of an NVMe multipath head's path devices. */
static struct json_object *json_paths(const struct survey *survey)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < survey->n_paths; i++) {
		const struct survey *path = survey->paths[i];
		struct json_object *object = json_object_new_object();

		add_text(object, "name", facts_text(&path->disk->facts, FACT_NAME));
		add_text(object, "syspath", path->disk->syspath);
		(void)json_object_object_add(
			object, "findings",
			json_findings(&path->disk->facts, &path->diagnosis));
		(void)json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_members(const struct disk *disk)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < disk->n_leaves; i++) {
		const char *dev = facts_text(&disk->leaves[i].facts, FACT_DEV);

		if (dev)
			(void)json_object_array_add(array, json_text(dev));
	}
	return array;
}

static void add_flag(struct json_object *object, const char *key, bool value)
{
	(void)json_object_object_add(object, key, json_object_new_boolean(value));
}

/* What keeps events from writing to the disk. */
static void add_switches(struct json_object *object, const struct survey *survey)
{
	struct json_object *held = json_object_new_array();
	const struct disk_state *state = &survey->memory.state;

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		if (state->held || state->tunables[i].held)
			(void)json_object_array_add(
				held, json_text(tunable_to_string((enum tunable)i)));
	}
	(void)json_object_object_add(object, "held", held);
	if (!survey->selection.apply)
		add_text(object, "off", survey->selection.apply_where);
}

struct json_object *json_from_survey(const struct survey *survey)
{
	const struct disk_facts *facts = &survey->disk->facts;
	struct json_object *object = json_object_new_object();
	const struct {
		const char *key;
		struct json_object *value;
	} parts[] = {
		{ "classification", json_class(&survey->class) },
		{ "members", json_members(survey->disk) },
		{ "plan", json_plan(&survey->plan) },
		{ "advice", json_advice(&survey->selection.advice) },
		{ "findings", json_findings(facts, &survey->diagnosis) },
		{ "facts", json_facts(facts) },
		{ "corrected_by", json_corrections(facts) },
	};

	add_text(object, "name", facts_text(facts, FACT_NAME));
	add_text(object, "devnum", facts_text(facts, FACT_DEV));
	add_text(object, "syspath", survey->disk->syspath);
	add_text(object, "profile", survey->selection.profile);
	add_switches(object, survey);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		(void)json_object_object_add(object, parts[i].key, parts[i].value);
	if (survey->measured.found == 0) {
		(void)json_object_object_add(object, "measurement",
					     json_from_measured(&survey->measured));
		(void)json_object_object_add(
			object, "reasoning",
			json_from_reasoning(&survey->selection.advice));
	}
	if (survey->n_paths > 0)
		(void)json_object_object_add(object, "paths", json_paths(survey));
	return object;
}

/* The head that all values have which are written, or would be. */
static struct json_object *json_write(const struct survey *survey, enum tunable tunable,
				      const char *before, const char *wanted,
				      const struct setting *setting)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "disk", survey_name(survey));
	add_text(object, "tunable", tunable_to_string(tunable));
	add_text(object, "before", before);
	add_text(object, "wanted", wanted);
	if (setting) {
		add_text(object, "where", setting->where);
		add_text(object, "reason", setting->reason);
	}
	return object;
}

struct json_object *json_from_applied(const struct survey *survey,
				      const struct applied *applied, bool done)
{
	struct json_object *object =
		json_write(survey, applied->tunable, applied->before, applied->wanted,
			   applied->setting);

	add_flag(object, "left", applied->left);
	if (!done)
		return object;
	add_text(object, "after", applied->after);
	add_flag(object, "took", applied_took(applied));
	if (applied->error)
		add_text(object, "error", strerror(-applied->error));
	return object;
}

struct json_object *json_from_change(const struct survey *survey,
				     const struct change *change)
{
	struct json_object *object = json_write(survey, change->tunable, change->current,
						change->target, change->setting);

	add_flag(object, "left", false);
	return object;
}

struct json_object *json_from_record(const char *text)
{
	struct json_object *object = json_object_new_object();

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		const char *equals = memchr(line, '=', len);
		char key[64], value[RECORD_MAX];

		if (equals && strncmp(line, RECORD_PREFIX, strlen(RECORD_PREFIX)) == 0) {
			const char *name = line + strlen(RECORD_PREFIX);

			(void)snprintf(key, sizeof(key), "%.*s", (int)(equals - name),
				       name);
			(void)snprintf(value, sizeof(value), "%.*s",
				       (int)(line + len - equals - 1), equals + 1);
			(void)json_object_object_add(object, key, json_text(value));
		}
		line += len + (line[len] == '\n');
	}
	return object;
}

struct json_object *json_from_hold(const struct survey *survey, const char *setting,
				   bool held)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "name", survey_name(survey));
	add_text(object, "setting", setting);
	add_flag(object, "held", held);
	return object;
}

struct json_object *json_from_published(const struct survey *survey, bool published,
					bool written, const char *text)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "name", survey_name(survey));
	add_text(object, "devnum", facts_text(&survey->disk->facts, FACT_DEV));
	add_flag(object, "published", published);
	add_flag(object, "written", written);
	(void)json_object_object_add(object, "record", json_from_record(text));
	return object;
}

static struct json_object *json_list(const char *key, struct json_object *array,
				     bool dry_run)
{
	struct json_object *object = json_object_new_object();

	if (dry_run)
		add_flag(object, "dry_run", true);
	(void)json_object_object_add(object, key, array);
	return object;
}

void json_print_list(const char *key, struct json_object *array, bool dry_run)
{
	json_print(json_list(key, array, dry_run));
}

void json_print_published(struct json_object *disks, struct json_object *withdrawn,
			  bool dry_run)
{
	struct json_object *object = json_list("disks", disks, dry_run);

	(void)json_object_object_add(object, "withdrawn", withdrawn);
	json_print(object);
}

void json_print_measured(struct json_object *disks, struct json_object *absent)
{
	struct json_object *object = json_list("disks", disks, false);

	(void)json_object_object_add(object, "absent", absent);
	json_print(object);
}
