/* SPDX-License-Identifier: MIT */
/*
 * Linear search: the longest table has some forty words.
 */
#include "base/words.h"

#include <errno.h>
#include <string.h>

const char *words_name(const struct words *words, int value)
{
	if (value < 0 || (size_t)value >= words->n)
		return NULL;
	return words->table[value];
}

int words_value(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++) {
		if (words->table[i] && strcmp(words->table[i], word) == 0)
			return (int)i;
	}
	return -EINVAL;
}
