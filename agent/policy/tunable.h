/* SPDX-License-Identifier: MIT */
/*
 * The five attributes that we may write, in the order in which they are written: a
 * scheduler switch resets nr_requests, and nearly anything may set read_ahead_kb again
 * (block/blk-mq-sched.c, block/blk-settings.c).
 */
#pragma once

#include "facts/facts.h"

enum tunable {
	TUNABLE_SCHEDULER,
	TUNABLE_QUEUE_DEPTH,
	TUNABLE_NR_REQUESTS,
	TUNABLE_MAX_SECTORS_KB,
	TUNABLE_READ_AHEAD_KB,
	_TUNABLE_MAX,
};

#define TUNABLE_VALUE_MAX 32 /* a value's text with its NUL */

/* The kernel's attribute names. */
DECLARE_WORDS(tunable, enum tunable);

/* The fact that holds the tunable's current value. */
enum fact tunable_fact(enum tunable tunable);

/* True if the value is a number (all but the scheduler). */
bool tunable_is_number(enum tunable tunable);
