/* SPDX-License-Identifier: MIT */
/*
 * Keeping measurements in /var/lib/blkadvise/measurements: one file a disk, replaced as a
 * whole, so that a run that is cut short keeps the points it has.
 */
#pragma once

#include "base/root.h"
#include "policy/measurement.h"

/*
 * The measurement to add points to: the one that is kept, if it is of the same disk,
 * nothing has made it stale, and it was read from the same medium and about as large an
 * area as @now says (a factor of 2); else @now, which has no points. What one of them
 * does not say is no difference. A broken file is replaced.
 */
void store_begin(const struct root *root, const struct measurement *now,
		 struct measurement *ret);

/*
 * Adds a point to a measurement in which those of an earlier run may still be. If it is
 * full the oldest one goes.
 */
void store_add(struct measurement *measurement, const struct point *point);

/*
 * At the end of a run: what it has measured stands alone. Of each work and mode that is
 * among @fresh, the points of this run, older ones go, or the deepest of a faster day
 * would be this day's peak. Other works (writes, mostly) stay.
 */
void store_finish(struct measurement *measurement, const struct measurement *fresh);

/*
 * Writes it. With @last the file is on the disk afterwards; before that, waiting for the
 * disk would disturb what is measured, and a crash may take what was written. The errors
 * of measurement_format(), folder_make() and file_replace().
 */
int store_save(const struct root *root, const struct measurement *measurement, bool last);

/*
 * Makes the copies for udev's events what is kept: in PATH_MEASUREMENTS_COPIES. A copy
 * whose original is gone goes, but where /var/lib/blkadvise is not there at all its file
 * system may not be mounted, and the copies stay. 0, or the first error; the others are
 * copied all the same.
 */
int store_copy(const struct root *root);

/* The paths of all that is kept, sorted. An empty list if there is nothing. */
int store_list(const struct root *root, struct names *ret);
