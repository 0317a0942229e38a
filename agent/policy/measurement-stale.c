/* SPDX-License-Identifier: MIT */
/*
 * Whether a measurement still counts: what it says of its disk, compared with the disk
 * that is there now.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "policy/measurement-internal.h"

/* Either as text; what one of the two does not say has not changed. */
struct compared {
	const char *was, *is;
	char sizes[2][24];
};

static const char *size_text(uint64_t size_kb, char buf[24])
{
	if (size_kb == 0)
		return "";
	(void)snprintf(buf, 24, "%" PRIu64 " KB", size_kb);
	return buf;
}

static void set_tunable(struct compared *c, const struct measurement *old,
			const struct measurement *now, enum tunable tunable)
{
	c->was = old->settings[tunable];
	c->is = now->settings[tunable];
}

static void look_at(const struct measurement *old, const struct measurement *now,
		    enum stale stale, struct compared *c)
{
	const struct measured_identity *a = &old->identity, *b = &now->identity;

	switch (stale) {
	case STALE_FIRMWARE:
		c->was = a->firmware;
		c->is = b->firmware;
		break;
	case STALE_SIZE:
		c->was = size_text(a->size_kb, c->sizes[0]);
		c->is = size_text(b->size_kb, c->sizes[1]);
		break;
	case STALE_ATTACHMENT:
		c->was = a->attachment;
		c->is = b->attachment;
		break;
	case STALE_CLASS:
		c->was = a->class;
		c->is = b->class;
		break;
	case STALE_MEMBERS:
		c->was = a->members[0] ? a->members : "none";
		c->is = b->members[0] ? b->members : "none";
		break;
	case STALE_MEMBERS_STATE:
		c->was = a->members_state;
		c->is = b->members_state;
		break;
	case STALE_SCHEDULER:
		set_tunable(c, old, now, TUNABLE_SCHEDULER);
		break;
	case STALE_QUEUE_DEPTH:
		set_tunable(c, old, now, TUNABLE_QUEUE_DEPTH);
		break;
	case STALE_NR_REQUESTS:
		set_tunable(c, old, now, TUNABLE_NR_REQUESTS);
		break;
	case STALE_MAX_SECTORS:
		set_tunable(c, old, now, TUNABLE_MAX_SECTORS_KB);
		break;
	case STALE_READ_AHEAD:
		set_tunable(c, old, now, TUNABLE_READ_AHEAD_KB);
		break;
	case _STALE_MAX:
		break;
	}
}

unsigned int measurement_stale(const struct measurement *old,
			       const struct measurement *now)
{
	unsigned int bits = 0;

	for (unsigned int i = 0; i < _STALE_MAX; i++) {
		struct compared c = { .was = "", .is = "" };

		look_at(old, now, (enum stale)i, &c);
		if (c.was[0] && c.is[0] && strcmp(c.was, c.is) != 0)
			bits |= 1U << i;
	}
	return bits;
}

bool point_counts(const struct point *point, unsigned int stale)
{
	return stale == 0 ||
	       (stale == 1U << STALE_READ_AHEAD &&
		(point->mode == IO_MODE_DIRECT || point->hint == HINT_RANDOM));
}

const char *measurement_describe_stale(const struct measurement *old,
				       const struct measurement *now, unsigned int stale,
				       char *buf, size_t size)
{
	size_t len = 0;

	if (size > 0)
		buf[0] = '\0';
	for (unsigned int i = 0; i < _STALE_MAX && len < size; i++) {
		struct compared c = { .was = "", .is = "" };

		if (!(stale & 1U << i))
			continue;
		look_at(old, now, (enum stale)i, &c);
		len += (size_t)snprintf(buf + len, size - len, "%s%s: was %s, is %s",
					len > 0 ? "; " : "",
					stale_to_string((enum stale)i), c.was, c.is);
	}
	return buf;
}
