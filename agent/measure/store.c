/* SPDX-License-Identifier: MIT */
/*
 * Keeping measurements. The names of the files are 16 hexadecimal digits; a temporary
 * file that a run left behind, and whatever else lies there, is not listed.
 */
#include "measure/store.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"

#define NAME_LEN 16

void store_begin(const struct root *root, const struct measurement *now,
		 struct measurement *ret)
{
	_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
	_cleanup_free_ struct measurement *kept = malloc(sizeof(*kept));
	unsigned int stale = 0;

	if (kept && measurement_load(root, now, &problems, kept, &stale) == 0 &&
	    stale == 0) {
		/* What was not known then and is now, is kept from now on. */
		kept->identity = now->identity;
		memcpy(kept->settings, now->settings, sizeof(kept->settings));
		*ret = *kept;
		return;
	}
	*ret = *now;
	ret->n = 0;
}

int store_save(const struct root *root, const struct measurement *measurement)
{
	_cleanup_free_ char *text = malloc(MEASUREMENT_TEXT_MAX);
	char path[MEASUREMENT_PATH_MAX];
	int r = text ? measurement_format(measurement, text, MEASUREMENT_TEXT_MAX)
		     : -ENOMEM;

	if (r == 0)
		r = folder_make(root, PATH_MEASUREMENTS);
	if (r < 0)
		return r;
	measurement_path(&measurement->identity, path);
	return file_replace(root, path, text, strlen(text), 0644);
}

static bool is_ours(const char *name)
{
	return strlen(name) == NAME_LEN && strspn(name, "0123456789abcdef") == NAME_LEN;
}

int store_list(const struct root *root, struct names *ret)
{
	_cleanup_names_ struct names names = { 0 }, paths = { 0 };
	int r = root_list(root, PATH_MEASUREMENTS, &names);

	if (r < 0 && r != -ENOENT && r != -ENOTDIR)
		return r;
	for (size_t i = 0; i < names.n; i++) {
		char path[ROOT_PATH_MAX];

		if (!is_ours(names.list[i]))
			continue;
		r = path_join(path, sizeof(path), PATH_MEASUREMENTS, names.list[i]);
		if (r == 0)
			r = names_add(&paths, path);
		if (r < 0)
			return r;
	}
	*ret = paths;
	paths = (struct names){ 0 };
	return 0;
}
