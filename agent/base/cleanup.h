/* SPDX-License-Identifier: MIT */
/*
 * Ownership by construction: a variable marked with one of these attributes is
 * released when it leaves its scope, so that no error path has to remember it.
 * steal() hands the value on. Every such variable is initialised where it is
 * declared.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define _cleanup_(f) __attribute__((cleanup(f)))
#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _pure_ __attribute__((pure))

static inline void free_p(void *p)
{
	free(*(void **)p);
}

static inline void close_p(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void fclose_p(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

#define _cleanup_free_ _cleanup_(free_p)
#define _cleanup_close_ _cleanup_(close_p)
#define _cleanup_fclose_ _cleanup_(fclose_p)

#define steal(p)                              \
	({                                    \
		__typeof__(p) _owned = (p);   \
		(p) = NULL;                   \
		_owned;                       \
	})
