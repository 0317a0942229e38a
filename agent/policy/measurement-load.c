/* SPDX-License-Identifier: MIT */
/*
 * Reading measurements. What this version would not have written, and no later one would,
 * is a broken line, and then nothing of the file is taken: half a measurement would be
 * another one.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "policy/measurement-internal.h"

#define POINT_FIELDS 12
#define OPERATIONS_MAX (1ULL << 40)
#define DURATION_MAX (1ULL << 40) /* 12 days */
#define BLOCK_KB_MAX (1ULL << 20)
#define DEPTH_MAX (1ULL << 20)

struct loader {
	const char *path;
	struct measurement *measurement;
	bool has_format, other_format;
	bool has_weak;
};

static int read_format(const struct ini_line *line, struct loader *loader,
		       struct ini_problems *problems)
{
	uint64_t format = 0;

	if (strcmp(line->key, "format") != 0)
		return 0;
	if (loader->has_format)
		return ini_problem_add(problems, line->file, line->line,
				       "a second format");
	loader->has_format = true;
	if (parse_u64(line->value, &format) == 0 && format == MEASUREMENT_FORMAT)
		return 0;
	loader->other_format = true; /* what follows may mean anything */
	return ini_problem_add(problems, line->file, line->line,
			       "format %.20s is not one that this version knows",
			       line->value);
}

static int read_text(const struct ini_line *line, char *buf, size_t size,
		     struct ini_problems *problems)
{
	if (buf[0])
		return ini_problem_add(problems, line->file, line->line, "a second %s",
				       line->key);
	if (line->value[0] == '\0')
		return ini_problem_add(problems, line->file, line->line,
				       "%s has no value", line->key);
	if (strlen(line->value) >= size)
		return ini_problem_add(problems, line->file, line->line,
				       "%s has more than %zu characters", line->key,
				       size - 1);
	if (!is_canonical_text(line->value))
		return ini_problem_add(problems, line->file, line->line,
				       "%s is not printable", line->key);
	strcpy(buf, line->value);
	return 0;
}

static int read_size(const struct ini_line *line, uint64_t *kb,
		     struct ini_problems *problems)
{
	uint64_t value = 0;

	if (*kb > 0)
		return ini_problem_add(problems, line->file, line->line,
				       "a second %s", line->key);
	if (parse_u64(line->value, &value) < 0 || value == 0)
		return ini_problem_add(problems, line->file, line->line,
				       "not a size: %.40s", line->value);
	*kb = value;
	return 0;
}

static int read_disk(const struct ini_line *line, struct loader *loader,
		     struct ini_problems *problems)
{
	static const struct identity_text texts[] = IDENTITY_TEXT_TABLE;
	struct measured_identity *identity = &loader->measurement->identity;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(line->key, texts[i].key) == 0)
			return read_text(line, (char *)identity + texts[i].offset,
					 texts[i].size, problems);
	}
	if (strcmp(line->key, "size_kb") == 0)
		return read_size(line, &identity->size_kb, problems);
	if (strcmp(line->key, "weak") != 0)
		return 0;
	if (loader->has_weak || parse_bool(line->value, &identity->weak) < 0)
		return ini_problem_add(problems, line->file, line->line,
				       "weak is 1 or 0, and given once");
	loader->has_weak = true;
	return 0;
}

static int read_setting(const struct ini_line *line, struct loader *loader,
			struct ini_problems *problems)
{
	int tunable = tunable_from_string(line->key);
	char(*settings)[64] = loader->measurement->settings;

	return tunable < 0
		       ? 0
		       : read_text(line, settings[tunable], sizeof(*settings), problems);
}

static int read_medium(const struct ini_line *line, struct loader *loader,
		       struct ini_problems *problems)
{
	struct measurement *measurement = loader->measurement;

	if (strcmp(line->key, "what") == 0)
		return read_text(line, measurement->medium, sizeof(measurement->medium),
				 problems);
	if (strcmp(line->key, "area_kb") == 0)
		return read_size(line, &measurement->area_kb, problems);
	return 0;
}

/* False if there are too few; more are a later version's. */
static bool split_fields(char *text, char *fields[POINT_FIELDS])
{
	char *state = NULL;

	for (size_t i = 0; i < POINT_FIELDS; i++) {
		fields[i] = strtok_r(i == 0 ? text : NULL, " ", &state);
		if (!fields[i])
			return false;
	}
	return true;
}

/* False for a word that this version does not know. */
static bool read_limits(char *list, unsigned int *ret)
{
	char *state = NULL;
	unsigned int bits = 0;

	if (strcmp(list, "-") == 0)
		return true;
	for (char *word = strtok_r(list, ",", &state); word;
	     word = strtok_r(NULL, ",", &state)) {
		int limit = limit_from_string(word);

		if (limit < 0)
			return false;
		bits |= 1U << limit;
	}
	*ret = bits;
	return true;
}

/* False for a word of a later version, with which nothing can be done here. */
static bool read_point_words(char *fields[POINT_FIELDS], struct point *point)
{
	int work = work_from_string(fields[0]), mode = io_mode_from_string(fields[1]);
	int hint = hint_from_string(fields[2]), engine = io_engine_from_string(fields[3]);

	if (work < 0 || mode < 0 || hint < 0 || engine < 0 ||
	    !read_limits(fields[POINT_FIELDS - 1], &point->limits))
		return false;
	point->work = (enum work)work;
	point->mode = (enum io_mode)mode;
	point->hint = (enum hint)hint;
	point->engine = (enum io_engine)engine;
	return true;
}

/* Returns the name of the first number that makes no sense, or NULL. */
static const char *read_point_numbers(char *fields[POINT_FIELDS], struct point *point)
{
	static const struct {
		const char *name;
		uint64_t min, max;
	} ranges[] = {
		{ "block_kb", 1, BLOCK_KB_MAX },     { "depth", 1, DEPTH_MAX },
		{ "operations", 1, OPERATIONS_MAX }, { "duration_us", 1, DURATION_MAX },
		{ "p50_us", 0, UINT32_MAX },	     { "p99_us", 0, UINT32_MAX },
		{ "measured_at", 0, UINT64_MAX },
	};
	uint64_t values[ARRAY_SIZE(ranges)] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (parse_u64(fields[4 + i], &values[i]) < 0 ||
		    values[i] < ranges[i].min || values[i] > ranges[i].max)
			return ranges[i].name;
	}
	if (values[5] < values[4])
		return "p99_us";
	point->block_kb = (uint32_t)values[0];
	point->depth = (uint32_t)values[1];
	point->operations = values[2];
	point->duration_us = values[3];
	point->p50_us = (uint32_t)values[4];
	point->p99_us = (uint32_t)values[5];
	point->measured_at = values[6];
	return NULL;
}

static int read_point(const struct ini_line *line, struct loader *loader,
		      struct ini_problems *problems)
{
	char *fields[POINT_FIELDS] = { NULL };
	struct point point = { 0 };
	size_t before = loader->measurement->n;
	const char *wrong = NULL;

	if (strcmp(line->key, "point") != 0)
		return 0;
	if (!split_fields(line->value, fields))
		return ini_problem_add(problems, line->file, line->line,
				       "a point has %d fields", POINT_FIELDS);
	wrong = read_point_numbers(fields, &point);
	if (wrong)
		return ini_problem_add(problems, line->file, line->line,
				       "%s of a point makes no sense", wrong);
	if (!read_point_words(fields, &point))
		return 0;
	if (measurement_add(loader->measurement, &point) < 0)
		return ini_problem_add(problems, line->file, line->line,
				       "more than %d points", POINTS_MAX);
	if (loader->measurement->n == before)
		return ini_problem_add(problems, line->file, line->line,
				       "a second point of the same kind");
	return 0;
}

static int read_line(const struct ini_line *line, void *context,
		     struct ini_problems *problems)
{
	static const struct {
		const char *section;
		int (*read)(const struct ini_line *line, struct loader *loader,
			    struct ini_problems *problems);
	} sections[] = {
		{ "", read_format },
		{ "disk", read_disk },
		{ "settings", read_setting },
		{ "medium", read_medium },
		{ "points", read_point },
	};
	struct loader *loader = context;

	if (loader->other_format || !line->key)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (strcmp(line->section, sections[i].section) == 0)
			return sections[i].read(line, loader, problems);
	}
	return 0;
}

static bool says_whose(const struct measured_identity *identity)
{
	return identity->weak ? identity->place[0] != '\0'
			      : identity->wwn[0] || identity->serial[0];
}

/* What no single line shows. */
static int check_whole(const struct loader *loader, bool ends,
		       struct ini_problems *problems)
{
	const char *text = NULL;

	if (!loader->has_format)
		text = "has no format, so it is no measurement";
	else if (!says_whose(&loader->measurement->identity))
		text = "does not say of which disk it is";
	else if (!ends)
		text = "the last line is cut off";
	return text && !loader->other_format
		       ? ini_problem_add(problems, loader->path, 0, "%s", text)
		       : 0;
}

/* 1 if the file's last line ends, 0 if not; or an error. */
static int file_ends(const struct root *root, const char *path)
{
	_cleanup_free_ char *text = malloc(MEASUREMENT_TEXT_MAX);
	size_t len = 0;
	int r = text ? root_read(root, path, text, MEASUREMENT_TEXT_MAX, &len) : -ENOMEM;

	return r < 0 ? r : len > 0 && text[len - 1] == '\n';
}

int measurement_load_file(const struct root *root, const char *path,
			  struct ini_problems *problems, struct measurement *ret)
{
	_cleanup_free_ struct measurement *measurement = calloc(1, sizeof(*measurement));
	struct loader loader = { .path = path, .measurement = measurement };
	size_t before = problems->n;
	int ends = 0, r = 0;

	if (!measurement)
		return -ENOMEM;
	ends = file_ends(root, path);
	if (ends == -EFBIG)
		r = ini_problem_add(problems, path, 0, "larger than %d bytes",
				    MEASUREMENT_TEXT_MAX - 1);
	else
		r = ends < 0 ? ends : ini_read(root, path, read_line, &loader, problems);
	if (r == 0 && ends >= 0 && problems->n == before)
		r = check_whole(&loader, ends > 0, problems);
	if (r < 0)
		return r;
	if (problems->n > before)
		return -EBADMSG;
	*ret = *measurement;
	return 0;
}

int measurement_load(const struct root *root, const char *folder,
		     const struct measurement *now, struct ini_problems *problems,
		     struct measurement *ret, unsigned int *ret_stale)
{
	_cleanup_free_ struct measurement *kept = malloc(sizeof(*kept));
	char kept_at[MEASUREMENT_PATH_MAX], path[ROOT_PATH_MAX];
	int r = 0;

	if (!kept)
		return -ENOMEM;
	measurement_path(&now->identity, kept_at);
	r = path_join(path, sizeof(path), folder, path_name(kept_at));
	if (r < 0)
		return r;
	r = measurement_load_file(root, path, problems, kept);
	if (r == -ENOTDIR)
		return -ENOENT;
	if (r < 0)
		return r;
	if (!measurement_is_of(&kept->identity, &now->identity))
		return -ENOENT;
	*ret_stale = measurement_stale(kept, now);
	*ret = *kept;
	return 0;
}
