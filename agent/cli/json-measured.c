/* SPDX-License-Identifier: MIT */
/*
 * Measurements as JSON, in the words of their files.
 */
#include <errno.h>
#include <string.h>

#include "cli/json.h"
#include "cli/measure.h"

static void add_number(struct json_object *object, const char *key, uint64_t number)
{
	(void)json_object_object_add(object, key, json_object_new_uint64(number));
}

/* What is not known is 0 there, and has no member here. */
static void add_known(struct json_object *object, const char *key, uint64_t number)
{
	if (number > 0)
		add_number(object, key, number);
}

static void add_text(struct json_object *object, const char *key, const char *text)
{
	if (text && *text)
		(void)json_object_object_add(object, key, json_text(text));
}

static struct json_object *json_limits(unsigned int limits)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < _LIMIT_MAX; i++) {
		if (limits & (1U << i))
			(void)json_object_array_add(
				array, json_text(limit_to_string((enum limit)i)));
	}
	return array;
}

static struct json_object *json_point(const struct point *point, unsigned int stale)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "work", work_to_string(point->work));
	add_text(object, "mode", io_mode_to_string(point->mode));
	add_text(object, "hint", hint_to_string(point->hint));
	add_text(object, "engine", io_engine_to_string(point->engine));
	add_number(object, "block_kb", point->block_kb);
	add_number(object, "depth", point->depth);
	add_number(object, "operations", point->operations);
	add_number(object, "duration_us", point->duration_us);
	add_number(object, "iops", point_iops(point));
	add_number(object, "kbps", point_kbps(point));
	add_number(object, "p50_us", point->p50_us);
	add_number(object, "p99_us", point->p99_us);
	add_number(object, "measured_at", point->measured_at);
	(void)json_object_object_add(object, "limits", json_limits(point->limits));
	(void)json_object_object_add(object, "counts",
				     json_object_new_boolean(point_counts(point, stale)));
	return object;
}

static struct json_object *json_figures(const struct measurement *measurement,
					unsigned int stale)
{
	struct json_object *object = json_object_new_object();
	struct digest digest = { 0 };

	measurement_digest(measurement, stale, &digest);
	add_known(object, "random_read_iops_qd1", digest.random_iops_qd1);
	add_known(object, "random_read_iops_qd16", digest.random_iops_qd16);
	add_known(object, "random_read_iops_peak", digest.random_iops_peak);
	add_known(object, "knee_depth", digest.knee_depth);
	add_known(object, "latency_depth", digest.latency_depth);
	add_known(object, "largest_depth", digest.largest_depth);
	add_known(object, "random_read_p50_us", digest.random_p50_us);
	add_known(object, "random_read_p99_us", digest.random_p99_us);
	add_known(object, "seq_read_kbps", digest.sequential_kbps);
	add_known(object, "random_write_iops", digest.random_write_iops);
	add_known(object, "seq_write_kbps", digest.sequential_write_kbps);
	add_known(object, "sync_write_p99_us", digest.journal_p99_us);
	add_known(object, "measured_at", digest.measured_at);
	(void)json_object_object_add(object, "peak_is_open",
				     json_object_new_boolean(digest.peak_is_open));
	(void)json_object_object_add(object, "limits", json_limits(digest.limits));
	return object;
}

static struct json_object *json_identity(const struct measured_identity *identity)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "wwn", identity->wwn);
	add_text(object, "model", identity->model);
	add_text(object, "serial", identity->serial);
	add_text(object, "firmware", identity->firmware);
	add_text(object, "attachment", identity->attachment);
	add_text(object, "class", identity->class);
	add_text(object, "place", identity->place);
	add_known(object, "size_kb", identity->size_kb);
	(void)json_object_object_add(object, "weak",
				     json_object_new_boolean(identity->weak));
	return object;
}

static void add_stale(struct json_object *object, const struct measurement *measurement,
		      const struct measurement *now, unsigned int stale)
{
	struct json_object *array = json_object_new_array();
	char text[1024];

	for (int i = 0; i < _STALE_MAX; i++) {
		if (stale & (1U << i))
			(void)json_object_array_add(
				array, json_text(stale_to_string((enum stale)i)));
	}
	(void)json_object_object_add(object, "stale", array);
	if (stale && now)
		add_text(object, "stale_why",
			 measurement_describe_stale(measurement, now, stale, text,
						    sizeof(text)));
}

struct json_object *json_from_measurement(const struct measurement *measurement,
					  const struct measurement *now,
					  unsigned int stale)
{
	struct json_object *object = json_object_new_object();
	struct json_object *settings = json_object_new_object();
	struct json_object *points = json_object_new_array();

	for (int i = 0; i < _TUNABLE_MAX; i++)
		add_text(settings, tunable_to_string((enum tunable)i),
			 measurement->settings[i]);
	for (size_t i = 0; i < measurement->n; i++)
		(void)json_object_array_add(points,
					    json_point(&measurement->points[i], stale));
	(void)json_object_object_add(object, "identity",
				     json_identity(&measurement->identity));
	(void)json_object_object_add(object, "settings", settings);
	add_stale(object, measurement, now, stale);
	(void)json_object_object_add(object, "figures", json_figures(measurement, stale));
	(void)json_object_object_add(object, "points", points);
	return object;
}

struct json_object *json_from_measured(const struct measured *measured)
{
	struct json_object *object = NULL;

	if (measured->found != 0)
		return NULL;
	object = json_from_measurement(&measured->kept,
				       measured->of_leaf ? NULL : &measured->now,
				       measured->stale);
	if (!measured->of_leaf)
		add_text(object, "path", measured->path);
	(void)json_object_object_add(object, "of_leaf",
				     json_object_new_boolean(measured->of_leaf));
	return object;
}

struct json_object *json_from_reasoning(const struct advice *advice)
{
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		if (advice->known[i])
			add_text(object, advice_key_to_string((enum advice_key)i),
				 advice->why[i]);
	}
	return object;
}
