/* SPDX-License-Identifier: MIT */
/*
 * The table: rows of 90 bytes without padding, so that some of them lie on two pages.
 * What a row says follows from its number alone; whoever reads one can tell whether it
 * is the right one. The numbers that choose rows come from the same mixing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ROW_BYTES 90
#define KIB 1024ULL
#define MIB (1024ULL * 1024)

/* A number that looks random, the same for the same @x: a step of splitmix64. */
uint64_t mix(uint64_t x);

/* What a table has at @offset. */
void table_fill(uint64_t offset, unsigned char *buf, size_t length);

/* In how many rows, whole or in part, @buf differs from the table at @offset. */
uint64_t table_check(uint64_t offset, const unsigned char *buf, size_t length);

/*
 * Writes a table of as many whole rows as @mib MiB hold, on stable storage when it
 * returns. The errors of open(2), write(2) and fdatasync(2); -ENOMEM.
 */
int table_make(const char *path, uint64_t mib, uint64_t *ret_rows);
