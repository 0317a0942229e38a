/* SPDX-License-Identifier: MIT */
/*
 * Lines that `show` and `explain` share.
 */
#pragma once

#include "survey/survey.h"

/* "rotational = 1   (/sys/.../queue/rotational)" behind @indent. */
void show_fact(const struct disk_facts *facts, enum fact fact, const char *indent);

/* The disk's name, behind an empty line for all but the first. */
void show_head(const struct survey *survey, bool *first);
