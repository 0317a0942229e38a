/* SPDX-License-Identifier: MIT */
/*
 * Records that outlived their disks. The remove event withdraws a record; where it was
 * missed, because no udevd ran or the helper was killed, the record would speak of a disk
 * that is gone to whoever meets its number again.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/paths.h"
#include "base/sysfs.h"
#include "survey/survey.h"

#define LOCK_WAIT_MS 500

enum fate {
	FATE_HERE,
	FATE_GONE,
	FATE_REPLACED, /* the number has gone to another disk */
};

/* True if both have a DISKSEQ (kernel 5.15 and later) and these differ. */
static bool is_another(const struct context *context, const char *devnum,
		       const char *syspath)
{
	char path[ROOT_PATH_MAX], now[32], text[RECORD_MAX], then[32];

	if (path_join(path, sizeof(path), syspath, "diskseq") < 0 ||
	    root_read(context->machine, path, now, sizeof(now), NULL) < 0 ||
	    record_read(context->config, devnum, text, sizeof(text)) < 0 ||
	    record_get(text, "DISKSEQ", then, sizeof(then)) < 0)
		return false;
	trim_end(now);
	return strcmp(now, then) != 0;
}

/* What became of the disk of which the record @devnum speaks. */
static enum fate find_fate(const struct context *context, const char *devnum)
{
	unsigned int major = 0, minor = 0;
	char syspath[ROOT_PATH_MAX];
	int r = parse_devnum(devnum, &major, &minor);

	if (r < 0) /* no record's name */
		return FATE_HERE;
	r = sysfs_block_by_devnum(context->machine, major, minor, syspath,
				  sizeof(syspath));
	if (r == -ENODEV)
		return FATE_GONE;
	return r == 0 && is_another(context, devnum, syspath) ? FATE_REPLACED : FATE_HERE;
}

/* 1 if the record was withdrawn. */
static int sweep_record(const struct context *context, const char *devnum)
{
	_cleanup_close_ int lock = -1;
	enum fate fate = FATE_HERE;
	int r = state_lock(context->config, devnum, LOCK_WAIT_MS, &lock);

	if (r < 0)
		return r == -ETIMEDOUT ? 0 : r; /* whoever writes there publishes, too */
	fate = find_fate(context, devnum); /* again: it may be back by now */
	if (fate == FATE_HERE)
		return 0;
	r = record_withdraw(context->config, devnum, NULL);
	if (r > 0 && fate == FATE_GONE) {
		int removed = state_remove(context->config, devnum);

		return removed < 0 ? removed : r;
	}
	return r;
}

int survey_sweep_records(const struct context *context, bool dry_run, struct names *ret)
{
	_cleanup_names_ struct names records = { 0 };
	int error = 0;
	int r = 0;

	if (context->memory != context->config) /* records of another machine */
		return 0;
	r = root_list(context->config, PATH_DISKS, &records);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	for (size_t i = 0; i < records.n; i++) {
		const char *devnum = records.list[i];

		if (find_fate(context, devnum) == FATE_HERE)
			continue;
		r = dry_run ? 1 : sweep_record(context, devnum);
		if (r > 0)
			r = names_add(ret, devnum);
		if (r < 0 && error == 0)
			error = r;
	}
	return error;
}
