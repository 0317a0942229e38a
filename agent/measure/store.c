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
#define KEPT_BELOW "/var/lib/blkadvise"
#define AREA_FACTOR 2

/* Reads from elsewhere, or from much more or less, are not points of the same curve. */
static bool same_medium(const struct measurement *kept, const struct measurement *now)
{
	if (kept->medium[0] && now->medium[0] && strcmp(kept->medium, now->medium) != 0)
		return false;
	return kept->area_kb == 0 || now->area_kb == 0 ||
	       (kept->area_kb / AREA_FACTOR <= now->area_kb &&
		now->area_kb / AREA_FACTOR <= kept->area_kb);
}

void store_begin(const struct root *root, const struct measurement *now,
		 struct measurement *ret)
{
	_cleanup_(ini_problems_done) struct ini_problems problems = { 0 };
	_cleanup_free_ struct measurement *kept = malloc(sizeof(*kept));
	unsigned int stale = 0;

	int r = kept ? measurement_load(root, PATH_MEASUREMENTS, now, &problems, kept,
					&stale)
		     : -ENOMEM;

	if (r == 0 && stale == 0 && same_medium(kept, now)) {
		/* What was not known then and is now, is kept from now on. */
		kept->identity = now->identity;
		memcpy(kept->settings, now->settings, sizeof(kept->settings));
		if (now->medium[0])
			memcpy(kept->medium, now->medium, sizeof(kept->medium));
		if (now->area_kb > 0)
			kept->area_kb = now->area_kb;
		*ret = *kept;
		return;
	}
	*ret = *now;
	ret->n = 0;
}

static void drop(struct measurement *measurement, size_t at)
{
	measurement->n--;
	memmove(&measurement->points[at], &measurement->points[at + 1],
		(measurement->n - at) * sizeof(measurement->points[0]));
}

void store_add(struct measurement *measurement, const struct point *point)
{
	size_t oldest = 0;

	if (measurement_add(measurement, point) == 0)
		return;
	for (size_t i = 1; i < measurement->n; i++) {
		if (measurement->points[i].measured_at <
		    measurement->points[oldest].measured_at)
			oldest = i;
	}
	drop(measurement, oldest);
	(void)measurement_add(measurement, point);
}

static bool has_work(const struct measurement *measurement, const struct point *like)
{
	for (size_t i = 0; i < measurement->n; i++) {
		if (measurement->points[i].work == like->work &&
		    measurement->points[i].mode == like->mode)
			return true;
	}
	return false;
}

/* By what was measured, not by the time: a clock may have been set back. */
void store_finish(struct measurement *measurement, const struct measurement *fresh)
{
	for (size_t i = measurement->n; i > 0; i--) {
		if (has_work(fresh, &measurement->points[i - 1]))
			drop(measurement, i - 1);
	}
	for (size_t i = 0; i < fresh->n; i++)
		store_add(measurement, &fresh->points[i]);
}

int store_save(const struct root *root, const struct measurement *measurement, bool last)
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
	return (last ? file_replace_durable : file_replace)(root, path, text,
							     strlen(text), 0644);
}

static bool is_ours(const char *name)
{
	return strlen(name) == NAME_LEN && strspn(name, "0123456789abcdef") == NAME_LEN;
}

static int copy_one(const struct root *root, const char *name, const char *from)
{
	_cleanup_free_ char *text = malloc(MEASUREMENT_TEXT_MAX);
	_cleanup_free_ char *there = malloc(MEASUREMENT_TEXT_MAX);
	char to[ROOT_PATH_MAX];
	size_t len = 0, len_there = 0;
	int r = text && there ? path_join(to, sizeof(to), PATH_MEASUREMENTS_COPIES, name)
			      : -ENOMEM;

	if (r == 0)
		r = root_read(root, from, text, MEASUREMENT_TEXT_MAX, &len);
	if (r < 0)
		return r;
	if (root_read(root, to, there, MEASUREMENT_TEXT_MAX, &len_there) == 0 &&
	    len == len_there && memcmp(text, there, len) == 0)
		return 0;
	r = folder_make(root, PATH_MEASUREMENTS_COPIES);
	return r < 0 ? r : file_replace(root, to, text, len, 0644);
}

static int remove_copies(const struct root *root, const struct names *kept)
{
	_cleanup_names_ struct names copies = { 0 };
	int r = root_list(root, PATH_MEASUREMENTS_COPIES, &copies), first = 0;

	for (size_t i = 0; r == 0 && i < copies.n; i++) {
		char path[ROOT_PATH_MAX];
		bool found = !is_ours(copies.list[i]);
		int one = 0;

		for (size_t k = 0; !found && k < kept->n; k++)
			found = strcmp(path_name(kept->list[k]), copies.list[i]) == 0;
		if (found)
			continue;
		one = path_join(path, sizeof(path), PATH_MEASUREMENTS_COPIES,
				copies.list[i]);
		if (one == 0)
			one = file_remove(root, path);
		if (first == 0)
			first = one;
	}
	return r < 0 && r != -ENOENT && r != -ENOTDIR ? r : first;
}

int store_copy(const struct root *root)
{
	_cleanup_names_ struct names kept = { 0 };
	int r = 0, first = 0;

	if (!root_exists(root, KEPT_BELOW))
		return 0;
	r = store_list(root, &kept);
	if (r < 0)
		return r;
	for (size_t i = 0; i < kept.n; i++) {
		r = copy_one(root, path_name(kept.list[i]), kept.list[i]);
		if (first == 0)
			first = r;
	}
	r = remove_copies(root, &kept);
	return first < 0 ? first : r;
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
