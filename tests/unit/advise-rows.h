/* SPDX-License-Identifier: MIT */
/*
 * Made measurements and the advice that they give. A point is a line "work mode hint
 * block depth operations/s p50 p99 limits..."; what is measured stands in the result with
 * its reason, after who gave what.
 */
#pragma once

#include "policy/advise.h"

struct advise_row {
	const char *name;
	enum class class;
	bool remote;
	uint64_t device_depth;
	unsigned int stale;
	const char *given; /* "key=value": the class's; "/etc key=value" */
	const char *points;
	const char *want;
};

#define LOCAL                                                                     \
	"random_fits_io_mode=mmap random_fits_read_kb=4 random_fits_hint=willneed " \
	"random_exceeds_io_mode=direct random_exceeds_read_kb=4 "                   \
	"random_exceeds_hint=random scan_fits_io_mode=buffered "                    \
	"scan_fits_read_kb=256 scan_fits_hint=willneed "                            \
	"scan_exceeds_io_mode=buffered scan_exceeds_read_kb=256 "                   \
	"scan_exceeds_hint=sequential journal_block_kb=4 "
#define REMOTE                                                                        \
	"random_fits_io_mode=buffered random_fits_read_kb=16 random_fits_hint=willneed " \
	"random_exceeds_io_mode=direct random_exceeds_read_kb=4 "                       \
	"random_exceeds_hint=random scan_fits_io_mode=buffered "                        \
	"scan_fits_read_kb=1024 scan_fits_hint=willneed "                               \
	"scan_exceeds_io_mode=buffered scan_exceeds_read_kb=1024 "                      \
	"scan_exceeds_hint=sequential journal_block_kb=16 "
#define DEPTHS(n) "random_fits_depth=" n " random_exceeds_depth=" n " "

/* A disk whose 99th percentile doubles at depth 32. */
#define DIRECT_32                                  \
	"random-read direct normal 4 1 9700 95 150\n"  \
	"random-read direct normal 4 2 19000 97 160\n" \
	"random-read direct normal 4 4 36000 100 180\n" \
	"random-read direct normal 4 8 60000 120 220\n" \
	"random-read direct normal 4 16 81000 180 290\n" \
	"random-read direct normal 4 32 95000 310 640\n"

extern const struct advise_row advise_rows[];
extern const size_t n_advise_rows;
