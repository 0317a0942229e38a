/* SPDX-License-Identifier: MIT */
/*
 * Every path of ours, once. BLKADVISE_LIBDIR (/usr/lib/blkadvise) comes from the build.
 */
#pragma once

#define PATH_RUN "/run/blkadvise"
#define PATH_DISKS PATH_RUN "/disks" /* records */
#define PATH_STATE PATH_RUN "/state" /* baselines, holds, locks */
#define PATH_ENV PATH_RUN "/env" /* blkadvise-env@ */
#define PATH_CONFIG "/etc/blkadvise/blkadvise.conf"

/* Highest priority first; a file masks the same name further down. */
#define PATH_POLICY_FOLDERS                                                            \
	{ "/etc/blkadvise/policy.d", PATH_RUN "/policy.d", BLKADVISE_LIBDIR "/policy.d", \
	  NULL }
#define PATH_QUIRK_FOLDERS                                                             \
	{ "/etc/blkadvise/quirks.d", PATH_RUN "/quirks.d", BLKADVISE_LIBDIR "/quirks.d", \
	  NULL }
/* Quirk files about controllers, which only diagnose reads. */
#define PATH_CONTROLLER_FOLDERS                                    \
	{ "/etc/blkadvise/controllers.d", PATH_RUN "/controllers.d", \
	  BLKADVISE_LIBDIR "/controllers.d", NULL }
#define SUFFIX_POLICY ".policy"
#define SUFFIX_QUIRKS ".quirks"
