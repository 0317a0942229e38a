/* SPDX-License-Identifier: MIT */
/*
 * Between the files of survey/.
 */
#pragma once

#include "survey/survey.h"

/*
 * Fills survey->measured: who the disk is, and what is kept of it below context->memory.
 * A stack without a measurement of its own has that of the one disk below it.
 */
void survey_load_measured(const struct context *context, struct survey *survey);

/* Puts what was measured in the place of the class's advice. */
void survey_advise_measured(struct survey *survey);
