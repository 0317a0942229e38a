/* SPDX-License-Identifier: MIT */
/*
 * Words of other programs' configuration, for a capture: those that everybody uses, and
 * those that somebody made up, which get numbers. Internal to the verb.
 */
#pragma once

#include "cli/capture.h"

/* Names of profiles and notes that are no program's own, in the order of appearance. */
struct given_words {
	struct names names;
	char buf[32];
};

/* A device pattern of kernel names, a number, a scheduler, a word for yes or no ... */
bool is_known_word(const char *word);

/* "/sys/block/sd?/queue/scheduler" */
bool is_known_path(const char *path);

/*
 * Copies @value with "?" for each word that is not known. The name of a disk below
 * /dev/disk/by-id becomes the kernel's.
 */
void known_words_only(const struct root *root, const char *value, char *buf, size_t size);

/*
 * What stands for the name @word: itself, if tuned or saptune come with it, else a
 * number. Valid until the next call.
 */
const char *given_word(struct given_words *given, const char *word);

/*
 * Copies @value with each word replaced so, and adds the words as they were to @ret.
 * -ENOMEM.
 */
int given_words_replace(struct given_words *given, const char *value, char *buf,
			size_t size, struct names *ret);

void given_words_done(struct given_words *given);
