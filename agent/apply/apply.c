/* SPDX-License-Identifier: MIT */
/*
 * A value that does not take is data, not a failure: kernel 6.12 accepts a queue_depth
 * that has no effect, 6.1 refuses it, and either may round. What the kernel shows after
 * the write is remembered as ours.
 */
#include "apply/apply.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"

bool applied_took(const struct applied *applied)
{
	return applied->error == 0 && strcmp(applied->after, applied->wanted) == 0;
}

void applied_format(const struct disk *disk, const struct applied *applied, char *buf,
		    size_t size)
{
	const struct setting *setting = applied->setting;
	const char *name = facts_text(&disk->facts, FACT_NAME);
	const char *reason = setting ? setting->reason : "restore";
	int n = snprintf(buf, size, "disk=%s setting=%s old=%s new=%s", name ? name : "?",
			 tunable_to_string(applied->tunable), applied->before,
			 applied->after);

	if (!applied_took(applied) && n > 0 && (size_t)n < size)
		n += snprintf(buf + n, size - (size_t)n, " wanted=%s error=\"%s\"",
			      applied->wanted,
			      applied->error ? strerror(-applied->error) :
					       "the kernel shows another value");
	if (n > 0 && (size_t)n < size)
		(void)snprintf(buf + n, size - (size_t)n, " where=%s reason=\"%s\"",
			       setting ? setting->where : "baseline",
			       reason ? reason : "policy");
}

/* The active word of "none [mq-deadline] bfq", in place. */
static void cut_to_active(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = '\0';
	memmove(text, open + 1, strlen(open + 1) + 1);
}

static void read_back(const struct root *root, const char *path, enum tunable tunable,
		      char after[TUNABLE_VALUE_MAX])
{
	char text[ROOT_ATTR_MAX + 1];

	after[0] = '\0';
	if (root_read(root, path, text, sizeof(text), NULL) < 0)
		return;
	trim_end(text);
	if (tunable == TUNABLE_SCHEDULER)
		cut_to_active(text);
	if (strlen(text) < TUNABLE_VALUE_MAX)
		strcpy(after, text);
}

static int write_value(const struct root *root, const struct disk *disk,
		       struct applied *applied)
{
	char path[ROOT_PATH_MAX];

	if (!facts_source(&disk->facts, tunable_fact(applied->tunable), path,
			  sizeof(path)))
		return -ENOENT;
	applied->error = attribute_write(root, path, applied->wanted);
	read_back(root, path, applied->tunable, applied->after);
	return 0;
}

int apply_change(const struct root *root, const struct disk *disk,
		 const struct change *change, struct state_file *file, uint64_t now,
		 struct applied *ret)
{
	struct tunable_state *memory = &file->state.tunables[change->tunable];
	struct applied applied = { .tunable = change->tunable,
				   .setting = change->setting };
	int r = 0;

	strcpy(applied.before, change->current);
	strcpy(applied.wanted, change->target);
	if (!memory->has_initial || !memory->has_written) {
		memory->has_initial = true;
		strcpy(memory->initial, change->current);
	}
	memory->has_pending = true;
	strcpy(memory->pending, change->target);
	if (change->reassert)
		state_note_reassert(file, change->tunable, now);
	r = state_save(root, file);
	if (r < 0)
		return r;
	r = write_value(root, disk, &applied);
	if (r < 0)
		return r;
	memory->has_pending = applied.error == 0 && *applied.after == '\0';
	if (applied.error == 0 && *applied.after) {
		memory->has_written = true;
		strcpy(memory->written, applied.after);
	}
	memory->has_asked = *applied.after != '\0';
	strcpy(memory->asked, applied.wanted);
	strcpy(memory->answer, applied.after);
	*ret = applied;
	return state_save(root, file);
}

/* The baseline's value is back, or no longer ours to bring back: nothing to remember. */
static void forget(struct state_file *file, enum tunable tunable)
{
	struct tunable_state *memory = &file->state.tunables[tunable];

	memory->has_initial = memory->has_written = memory->has_asked = false;
	memory->has_pending = false;
	memset(file->reasserts[tunable], 0, sizeof(file->reasserts[tunable]));
}

int apply_restore(const struct root *root, const struct disk *disk, enum tunable tunable,
		  struct state_file *file, struct applied *ret)
{
	struct tunable_state *memory = &file->state.tunables[tunable];
	struct applied applied = { .tunable = tunable };
	char path[ROOT_PATH_MAX];
	int r = 0;

	if (!memory->has_initial || !memory->has_written)
		return 0;
	if (facts_source(&disk->facts, tunable_fact(tunable), path, sizeof(path)))
		read_back(root, path, tunable, applied.before);
	if (*applied.before == '\0')
		return -ENODATA;
	strcpy(applied.wanted, memory->initial);
	strcpy(applied.after, applied.before);
	applied.left = strcmp(applied.before, memory->written) != 0 &&
		       strcmp(applied.before, memory->initial) != 0;
	if (!applied.left && !applied_took(&applied)) {
		r = write_value(root, disk, &applied);
		if (r < 0)
			return r;
	}
	*ret = applied;
	if (!applied.left && !applied_took(&applied))
		return 1;
	forget(file, tunable);
	r = state_save(root, file);
	return r < 0 ? r : 1;
}

int apply_announce(const struct root *root, const char *syspath)
{
	char path[ROOT_PATH_MAX];
	int r = path_join(path, sizeof(path), syspath, "uevent");

	return r < 0 ? r : attribute_write(root, path, "change");
}
