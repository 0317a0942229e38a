/* SPDX-License-Identifier: MIT */
/*
 * An enumeration and its words: one table, both directions. A value without a word
 * is a gap that the round-trip test finds; a word without a value is -EINVAL.
 */
#pragma once

#include <stddef.h>

struct words {
	const char *const *table;
	size_t n;
};

/* The word for @value, or NULL if the table has none. */
const char *words_name(const struct words *words, int value);

/* The value of @word, or -EINVAL. */
int words_value(const struct words *words, const char *word);

/*
 * Declares and defines <name>_to_string() and <name>_from_string() over the table
 * <name>_words[].
 */
#define DECLARE_WORDS(name, type)                   \
	const char *name##_to_string(type value);   \
	int name##_from_string(const char *word)

#define DEFINE_WORDS(name, type)                                             \
	static const struct words name##_list = { name##_words,              \
						  ARRAY_SIZE(name##_words) }; \
	const char *name##_to_string(type value)                             \
	{                                                                    \
		return words_name(&name##_list, (int)value);                 \
	}                                                                    \
	int name##_from_string(const char *word)                             \
	{                                                                    \
		return words_value(&name##_list, word);                      \
	}
