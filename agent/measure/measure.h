/* SPDX-License-Identifier: MIT */
/*
 * Measures a disk by reading from it: through its node, or through a file that lies on
 * it. It changes no setting, writes only where it is told to (a file without a name in
 * the folder @write_folder), and of the page cache it drops only what it has brought in
 * itself. It runs for people and never in a udev event; the helper does not contain it.
 */
#pragma once

#include <stdatomic.h>

#include "policy/advise.h"

#define MEASURE_BUDGET_MS 10000
#define MEASURE_DEPTH_MAX 1024 /* where nothing says what the disk takes */
#define MEASURE_MESSAGE_MAX 320

struct measure_progress {
	double fraction; /* of the work, 0 to 1 */
	const struct point *point; /* the one that was finished last, or NULL */
	const char *what; /* what is being measured, a few words */
};

/* Called for each point as soon as it is finished. Negative ends the run. */
typedef int (*measure_keep)(const struct point *point, void *context);
typedef void (*measure_show)(const struct measure_progress *progress, void *context);

struct measure_request {
	const char *path; /* a disk's node, a file, or a folder with @write_folder NULL */
	const char *write_folder; /* NULL: read only */
	const char *syspath; /* "/sys/devices/.../block/sda", for its counters */
	const struct disk_class *class; /* for bounds */
	unsigned int budget_ms; /* all of it, the preparation too */
	uint32_t device_depth; /* 0: not known */
	bool no_io_uring; /* use the pool of threads */
	const atomic_bool *stop; /* set by a signal handler, looked at all the time */
	measure_keep keep;
	measure_show show; /* may be NULL */
	void *context;
};

/* What became of it. Texts are complete sentences without a full stop. */
struct measure_report {
	char refusal[MEASURE_MESSAGE_MAX]; /* why, with a negative return */
	char notes[12][MEASURE_MESSAGE_MAX]; /* limits, arms left out, and why */
	size_t n_notes;
	char medium[64]; /* "disk node", "file on ext4", "own file on xfs" */
	uint64_t area_kb; /* how much of it was read from */
	bool interrupted; /* by @stop */
	bool complete; /* all planned points were measured */
};

/*
 * Runs the measurement. 0 even if it was interrupted. -EPERM and -EACCES: may not open;
 * -EOPNOTSUPP: reads would not be direct (FUSE, a network file system, a compressed file,
 * one that is mostly holes, data that stays in a cache); -ENOSPC: file or free space too
 * small; -EBUSY: another measurement of the disk does not end (it is waited for 30 s,
 * outside of the budget); -ENOMEDIUM; -EIO and what else reading gives. With each error
 * the refusal says what and where. *@ret is always set.
 */
int measure_run(const struct measure_request *request, struct measure_report *ret);
