/* SPDX-License-Identifier: MIT */
/*
 * Surveys as JSON. Unknown facts have no member; texts of devices are made valid UTF-8.
 */
#pragma once

#include <json-c/json.h>

#include "survey/survey.h"

/* All parts of a survey. Release with json_object_put(). NULL if memory ran out. */
struct json_object *json_from_survey(const struct survey *survey);

/* Every check of a diagnosis of the disk, or machine, with these facts. */
struct json_object *json_findings(const struct disk_facts *facts,
				  const struct diagnosis *diagnosis);

/* A value that was written, or restored; one that would be if @done is false. */
struct json_object *json_from_applied(const struct survey *survey,
				      const struct applied *applied, bool done);

/* A value that would be written. */
struct json_object *json_from_change(const struct survey *survey,
				     const struct change *change);

/* The keys of the record @text, without prefix, and their values. */
struct json_object *json_from_record(const char *text);

/* A disk of which @setting (NULL: all) is held, or was released. */
struct json_object *json_from_hold(const struct survey *survey, const char *setting,
				   bool held);

/*
 * A disk whose record is @text; whether that stands under /run now, and whether it had to
 * be written for that.
 */
struct json_object *json_from_published(const struct survey *survey, bool published,
					bool written, const char *text);

/* A string of printable ASCII from any bytes. */
struct json_object *json_text(const char *text);

/* Prints {"@key": @array}, with "dry_run": true if @dry_run. Releases @array. */
void json_print_list(const char *key, struct json_object *array, bool dry_run);

/* As json_print_list() for `publish`: disks, and numbers of disks that are gone. */
void json_print_published(struct json_object *disks, struct json_object *withdrawn,
			  bool dry_run);

/* As json_print_list() for `measure --show`: disks, and what is kept of absent ones. */
void json_print_measured(struct json_object *disks, struct json_object *absent);

/* Prints @object and a newline to standard output and releases it. */
void json_print(struct json_object *object);
