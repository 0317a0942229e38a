/* SPDX-License-Identifier: MIT */
/*
 * A small INI reader. No quoting, no continuation lines, no escapes: the values of
 * our files are words, numbers, patterns and sentences.
 */
#include "base/ini.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/parse.h"

#define INI_FILE_USUAL (16U << 10)

void ini_problems_done(struct ini_problems *problems)
{
	for (size_t i = 0; i < problems->n; i++)
		free(problems->list[i].file);
	free(problems->list);
	*problems = (struct ini_problems){ 0 };
}

int ini_problem_add(struct ini_problems *problems, const char *file, unsigned int line,
		    const char *format, ...)
{
	struct ini_problem *list =
		reallocarray(problems->list, problems->n + 1, sizeof(*list));
	struct ini_problem problem = { .file = strdup(file), .line = line };
	va_list args;

	if (list)
		problems->list = list;
	if (!list || !problem.file) {
		free(problem.file);
		return -ENOMEM;
	}
	va_start(args, format);
	(void)vsnprintf(problem.text, sizeof(problem.text), format, args);
	va_end(args);
	problems->list[problems->n++] = problem;
	return 0;
}

struct reader {
	const char *file;
	unsigned int line;
	char section[128];
	ini_handler handler;
	void *context;
	struct ini_problems *problems;
};

static int read_section(struct reader *reader, char *text)
{
	size_t len = strlen(text);
	struct ini_line line = { .file = reader->file, .line = reader->line };

	if (len < 3 || text[len - 1] != ']' || len - 2 >= sizeof(reader->section))
		return ini_problem_add(reader->problems, reader->file, reader->line,
				       "not a section head: %.60s", text);
	text[len - 1] = '\0';
	strcpy(reader->section, text + 1);
	line.section = reader->section;
	return reader->handler(&line, reader->context, reader->problems);
}

static int read_key(struct reader *reader, char *text)
{
	char *equals = strchr(text, '=');
	struct ini_line line = {
		.file = reader->file,
		.line = reader->line,
		.section = reader->section,
	};

	if (!equals || equals == text)
		return ini_problem_add(reader->problems, reader->file, reader->line,
				       "no Key=Value: %.60s", text);
	*equals = '\0';
	trim_end(text);
	line.key = text;
	line.value = trim(equals + 1);
	return reader->handler(&line, reader->context, reader->problems);
}

static int read_line(struct reader *reader, char *raw)
{
	char *text = trim(raw);

	if (*text == '\0' || *text == '#' || *text == ';')
		return 0;
	return *text == '[' ? read_section(reader, text) : read_key(reader, text);
}

/* Most files fit into little memory, which costs less to get. */
static int read_file(const struct root *root, const char *path, char **ret,
		     size_t *ret_len)
{
	size_t size = INI_FILE_USUAL;

	for (;;) {
		_cleanup_free_ char *text = malloc(size);
		int r = text ? root_read(root, path, text, size, ret_len) : -ENOMEM;

		if (r == -EFBIG && size < INI_FILE_MAX) {
			size = INI_FILE_MAX;
			continue;
		}
		if (r == 0)
			*ret = steal(text);
		return r;
	}
}

int ini_read(const struct root *root, const char *path, ini_handler handler,
	     void *context, struct ini_problems *problems)
{
	struct reader reader = {
		.file = path,
		.handler = handler,
		.context = context,
		.problems = problems,
	};
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_file(root, path, &text, &len);

	if (r == -EFBIG)
		return ini_problem_add(problems, path, 0, "larger than %u bytes",
				       INI_FILE_MAX);
	if (r < 0)
		return r;
	if (memchr(text, '\0', len))
		return ini_problem_add(problems, path, 0, "holds NUL bytes");
	for (char *line = text; line && r == 0;) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		reader.line++;
		r = read_line(&reader, line);
		line = next;
	}
	return r;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), suffix_len = strlen(suffix);

	return len > suffix_len && strcmp(name + len - suffix_len, suffix) == 0;
}

static bool is_masked(const struct root *root, const char *path)
{
	char byte[2];
	size_t len = 0;

	return root_read_head(root, path, byte, sizeof(byte), &len) == 0 && len == 0;
}

static bool is_listed(const struct names *paths, const char *name)
{
	for (size_t i = 0; i < paths->n; i++) {
		if (strcmp(path_name(paths->list[i]), name) == 0)
			return true;
	}
	return false;
}

static int compare_file_names(const void *a, const void *b)
{
	return strcmp(path_name(*(char *const *)a), path_name(*(char *const *)b));
}

static int add_folder(const struct root *root, const char *folder, const char *suffix,
		      struct ini_problems *problems, struct names *paths)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, folder, &names);

	if (r == -ENOENT)
		return 0;
	if (r < 0 && r != -ENOMEM)
		return ini_problem_add(problems, folder, 0, "cannot be read: %s",
				       strerror(-r));
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		char path[ROOT_PATH_MAX];

		if (!has_suffix(names.list[i], suffix) || is_listed(paths, names.list[i]))
			continue;
		r = path_join(path, sizeof(path), folder, names.list[i]);
		if (r == 0)
			r = names_add(paths, path);
	}
	return r;
}

int ini_find_files(const struct root *root, const char *const folders[],
		   const char *suffix, struct ini_problems *problems, struct names *ret)
{
	_cleanup_names_ struct names paths = { 0 };
	size_t kept = 0;

	for (size_t i = 0; folders[i]; i++) {
		int r = add_folder(root, folders[i], suffix, problems, &paths);

		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < paths.n; i++) {
		if (is_masked(root, paths.list[i]))
			free(paths.list[i]);
		else
			paths.list[kept++] = paths.list[i];
	}
	paths.n = kept;
	if (paths.n > 1)
		qsort(paths.list, paths.n, sizeof(*paths.list), compare_file_names);
	*ret = paths;
	paths = (struct names){ 0 };
	return 0;
}

int ini_load_files(const struct root *root, const char *const folders[],
		   const char *suffix, ini_file_loader load, void *context,
		   struct ini_problems *problems)
{
	_cleanup_names_ struct names files = { 0 };
	int r = ini_find_files(root, folders, suffix, problems, &files);

	for (size_t i = 0; r == 0 && i < files.n; i++) {
		r = load(root, files.list[i], context, problems);
		if (r < 0 && r != -ENOMEM)
			r = ini_problem_add(problems, files.list[i], 0,
					    "cannot be read: %s", strerror(-r));
	}
	return r;
}
