/* SPDX-License-Identifier: MIT */
/*
 * A line that says how far a measurement is, on standard error if that is a terminal, and
 * nowhere else. It is redrawn in place and taken away at the end.
 */
#pragma once

#include "measure/measure.h"

struct progress {
	const char *name; /* of the disk */
	bool shown;	  /* false: nothing is drawn */
	size_t drawn;	  /* columns of what stands there */
};

/* @quiet: even on a terminal nothing is drawn. */
void progress_begin(const char *name, bool quiet, struct progress *ret);
void progress_draw(struct progress *progress, const struct measure_progress *state);
void progress_clear(struct progress *progress);
