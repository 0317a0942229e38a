/* SPDX-License-Identifier: MIT */
/*
 * Keeping measurements in /var/lib/blkadvise/measurements: one file a disk, replaced as a
 * whole, so that a run that is cut short keeps the points it has.
 */
#pragma once

#include "base/root.h"
#include "policy/measurement.h"

/*
 * The measurement to add points to: the one that is kept, if it is of the same disk and
 * nothing has made it stale, else @now, which has no points. A broken file is replaced.
 */
void store_begin(const struct root *root, const struct measurement *now,
		 struct measurement *ret);

/* Writes it. The errors of measurement_format(), folder_make() and file_replace(). */
int store_save(const struct root *root, const struct measurement *measurement);

/* The paths of all that is kept, sorted. An empty list if there is nothing. */
int store_list(const struct root *root, struct names *ret);
