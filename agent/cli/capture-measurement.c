/* SPDX-License-Identifier: MIT */
/*
 * What was measured of the captured disks, so that advice elsewhere is what it is here.
 * A measurement says whose it is, and its file's name is made of that. So both are taken
 * from the capture itself, when all else of it is written: read back, its disks have
 * their pseudonyms, and nothing of the original can get into the file.
 */
#include <errno.h>
#include <string.h>

#include "base/snapshot.h"
#include "cli/capture.h"
#include "survey/survey.h"

/* Whatever machine it is: it stands for one, and is the same if captured again. */
#define PSEUDONYM_OF_MACHINE "00000000000000000000000000000001\n"

struct capture_measured {
	size_t block;
	struct measured measured;
};

static bool is_machine_bound(const struct measured_identity *identity)
{
	return identity->weak || identity->members[0];
}

int capture_find_measured(struct capture *capture, const struct context *context)
{
	for (size_t i = 0; context->measurements && i < capture->n; i++) {
		_cleanup_survey_ struct survey *survey = NULL;
		struct capture_measured *more = NULL;

		if (strcmp(capture->blocks[i].subsystem, "block") != 0 ||
		    survey_disk(context, capture->blocks[i].syspath, &survey) < 0 ||
		    !survey->measured.identified || survey->measured.of_leaf ||
		    (survey->measured.found < 0 && survey->measured.found != -EBADMSG))
			continue;
		more = reallocarray(capture->measured, capture->n_measured + 1,
				    sizeof(*more));
		if (!more)
			return -ENOMEM;
		capture->measured = more;
		more[capture->n_measured].block = i;
		more[capture->n_measured++].measured = survey->measured;
	}
	return 0;
}

void capture_write_machine_id(const struct capture *capture, FILE *out)
{
	for (size_t i = 0; i < capture->n_measured; i++) {
		if (!is_machine_bound(&capture->measured[i].measured.now.identity))
			continue;
		capture_write_file("/etc/machine-id", PSEUDONYM_OF_MACHINE,
				   strlen(PSEUDONYM_OF_MACHINE), out);
		return;
	}
}

static const char *property_of(void *context, const char *syspath, const char *key)
{
	return snapshot_property(context, syspath, key);
}

static void hide(const struct capture *capture, size_t block, char *text)
{
	pseudonym_replace(capture->pseudonyms, block, true, text, strlen(text));
}

/*
 * @kept with the identity that the disk has in the capture. What makes it stale stays:
 * words, a size, settings, and whether the members have changed.
 */
static void rebind(const struct capture *capture, const struct capture_measured *item,
		   const struct measured_identity *now, struct measurement *ret)
{
	const struct measured *measured = &item->measured;
	struct measured_identity *identity = &ret->identity;
	bool same = strcmp(measured->kept.identity.members,
			   measured->now.identity.members) == 0;

	*ret = measured->kept;
	*identity = *now;
	identity->size_kb = measured->kept.identity.size_kb;
	strcpy(identity->firmware, measured->kept.identity.firmware);
	strcpy(identity->attachment, measured->kept.identity.attachment);
	strcpy(identity->class, measured->kept.identity.class);
	if (!same)
		strcpy(identity->members, "others");
	if (!measured->kept.identity.members_state[0])
		identity->members_state[0] = '\0';
	else if (strcmp(measured->kept.identity.members_state,
			measured->now.identity.members_state) != 0)
		strcpy(identity->members_state, "other");
	hide(capture, item->block, identity->firmware);
	hide(capture, item->block, identity->attachment);
	hide(capture, item->block, identity->class);
	hide(capture, item->block, ret->medium);
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		hide(capture, item->block, ret->settings[i]);
}

static void write_one(const struct capture *capture, const struct context *context,
		      const struct capture_measured *item, FILE *out)
{
	_cleanup_free_ struct measurement *bound = calloc(1, sizeof(*bound));
	_cleanup_free_ char *text = malloc(MEASUREMENT_TEXT_MAX);
	_cleanup_survey_ struct survey *survey = NULL;
	const char *syspath = capture->blocks[item->block].syspath;
	char path[MEASUREMENT_PATH_MAX];

	if (!bound || !text || survey_disk(context, syspath, &survey) < 0 ||
	    !survey->measured.identified)
		return;
	measurement_path(&survey->measured.now.identity, path);
	if (item->measured.found < 0) { /* that is to be told elsewhere, too */
		capture_write_file(path, "broken\n", strlen("broken\n"), out);
		return;
	}
	rebind(capture, item, &survey->measured.now.identity, bound);
	if (measurement_format(bound, text, MEASUREMENT_TEXT_MAX) == 0)
		capture_write_file(path, text, strlen(text), out);
}

int capture_write_measured(const struct capture *capture, const struct context *context,
			   const char *text, size_t len, FILE *out)
{
	_cleanup_root_ struct root *root = NULL;
	struct snapshot_error error = { 0 };
	struct context there = *context;
	struct properties properties = { .get = property_of };
	int r = capture->n_measured > 0 ? snapshot_parse(text, len, &root, &error) : 0;

	if (r < 0 || !root)
		return r == -EBADMSG ? 0 : r; /* the caller will see it, too */
	properties.context = root;
	there.machine = there.memory = there.measurements = root;
	there.properties = &properties;
	for (size_t i = 0; i < capture->n_measured; i++)
		write_one(capture, &there, &capture->measured[i], out);
	return 0;
}
