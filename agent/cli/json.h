/* SPDX-License-Identifier: MIT */
/*
 * Surveys as JSON. Unknown facts have no member; texts of devices are made valid UTF-8.
 */
#pragma once

#include <json-c/json.h>

#include "survey/survey.h"

/* All parts of a survey. Release with json_object_put(). NULL if memory ran out. */
struct json_object *json_from_survey(const struct survey *survey);

/* One applied or restored value. */
struct json_object *json_from_applied(const struct survey *survey,
				      const struct applied *applied);

/* A string of printable ASCII from any bytes. */
struct json_object *json_text(const char *text);

/* Prints @object and a newline to standard output and releases it. */
void json_print(struct json_object *object);
