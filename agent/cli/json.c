/* SPDX-License-Identifier: MIT */
/*
 * The same words as in records and policy files, as members of objects.
 */
#include "cli/json.h"

#include <string.h>

#include "base/text.h"

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

static struct json_object *json_evidence(const struct disk_facts *facts,
					 const struct finding *finding)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < FINDING_FACTS && finding->evidence[i] != _FACT_MAX; i++) {
		enum fact fact = finding->evidence[i];
		struct json_object *object = json_object_new_object();
		char path[ROOT_PATH_MAX];

		add_text(object, "fact", fact_to_string(fact));
		if (facts_source(facts, fact, path, sizeof(path)))
			add_text(object, "path", path);
		if (facts_known(facts, fact))
			(void)json_object_object_add(object, "value",
						     json_fact(facts, fact));
		(void)json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_findings(const struct survey *survey)
{
	static const char *const results[] = {
		[CHECK_OK] = "ok",
		[CHECK_FOUND] = "found",
		[CHECK_UNKNOWN] = "could-not-check",
	};
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const struct finding *finding = &survey->diagnosis.findings[i];
		struct json_object *object = json_object_new_object();

		add_text(object, "id", finding_id_to_string(finding->id));
		add_text(object, "result", results[finding->result]);
		if (finding->result == CHECK_FOUND) {
			add_text(object, "severity",
				 severity_to_string(finding->severity));
			add_text(object, "text", finding->text);
			add_text(object, "remedy", finding->remedy);
		}
		if (finding->result != CHECK_OK)
			(void)json_object_object_add(
				object, "evidence",
				json_evidence(&survey->disk->facts, finding));
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
		{ "findings", json_findings(survey) },
		{ "facts", json_facts(facts) },
		{ "corrected_by", json_corrections(facts) },
	};

	add_text(object, "name", facts_text(facts, FACT_NAME));
	add_text(object, "devnum", facts_text(facts, FACT_DEV));
	add_text(object, "syspath", survey->disk->syspath);
	add_text(object, "profile", survey->selection.profile);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		(void)json_object_object_add(object, parts[i].key, parts[i].value);
	return object;
}

struct json_object *json_from_applied(const struct survey *survey,
				      const struct applied *applied)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "disk", facts_text(&survey->disk->facts, FACT_NAME));
	add_text(object, "tunable", tunable_to_string(applied->tunable));
	add_text(object, "before", applied->before);
	add_text(object, "wanted", applied->wanted);
	add_text(object, "after", applied->after);
	(void)json_object_object_add(object, "took",
				     json_object_new_boolean(applied_took(applied)));
	if (applied->left)
		(void)json_object_object_add(object, "left",
					     json_object_new_boolean(true));
	if (applied->error)
		add_text(object, "error", strerror(-applied->error));
	return object;
}
