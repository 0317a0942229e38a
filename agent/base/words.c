/* SPDX-License-Identifier: MIT */
/*
 * Linear search: the longest table, that of the facts, has some hundred and fifty words,
 * of which few begin with the same letter.
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
		const char *candidate = words->table[i];

		if (candidate && candidate[0] == word[0] && strcmp(candidate, word) == 0)
			return (int)i;
	}
	return -EINVAL;
}
