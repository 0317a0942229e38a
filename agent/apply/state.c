/* SPDX-License-Identifier: MIT */
/*
 * KEY=VALUE lines, as in the record: "INODE=", "HELD=1", and for each tunable
 * "<name>.initial=", ".written=", ".asked=", ".answer=", ".held=1", ".told=1", and
 * ".reassert=" once for each round.
 */
#include "apply/state.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/text.h"

#define STATE_MAX 4096

bool state_key(const struct disk *disk, char *buf, size_t size)
{
	const char *dev = facts_text(&disk->facts, FACT_DEV);
	const char *name = facts_text(&disk->facts, FACT_NAME);
	const char *key = dev ? dev : name;

	if (!key || !is_safe_value(key) || strchr(key, '/') || strlen(key) >= size ||
	    key[0] == '.')
		return false;
	strcpy(buf, key);
	return true;
}

static void state_path(const char *key, const char *suffix, char *buf, size_t size)
{
	(void)snprintf(buf, size, PATH_STATE "/%s%s", key, suffix);
}

static bool parse_value(const char *value, char buf[TUNABLE_VALUE_MAX])
{
	if (!is_safe_value(value) || strlen(value) >= TUNABLE_VALUE_MAX)
		return false;
	strcpy(buf, value);
	return true;
}

static bool parse_reassert(struct state_file *file, enum tunable tunable,
			   const char *value)
{
	uint64_t when = 0;

	if (parse_u64(value, &when) < 0)
		return false;
	state_note_reassert(file, tunable, when);
	return true;
}

/* Fields that a version of this program has not known are passed over. */
static void parse_tunable(struct state_file *file, enum tunable tunable,
			  const char *field, const char *value)
{
	struct tunable_state *state = &file->state.tunables[tunable];
	const struct {
		const char *field;
		char *text;
		bool *known;
	} texts[] = {
		{ "initial", state->initial, &state->has_initial },
		{ "written", state->written, &state->has_written },
		{ "pending", state->pending, &state->has_pending },
		{ "asked", state->asked, &state->has_asked },
		{ "answer", state->answer, &state->has_asked },
	};
	const struct {
		const char *field;
		bool *flag;
	} flags[] = {
		{ "held", &state->held },
		{ "told", &state->rival_told },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(field, texts[i].field) == 0)
			*texts[i].known = parse_value(value, texts[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (strcmp(field, flags[i].field) == 0)
			*flags[i].flag = strcmp(value, "1") == 0;
	}
	if (strcmp(field, "reassert") == 0)
		(void)parse_reassert(file, tunable, value);
}

/* False for a line that this program cannot have written, of whatever version. */
static bool parse_line(struct state_file *file, char *line)
{
	char *value = strchr(line, '='), *field = NULL;
	uint64_t number = 0;
	int tunable = 0;

	if (!value || !is_safe_value(value + 1))
		return false;
	*value++ = '\0';
	if (strcmp(line, "INODE") == 0) {
		if (parse_u64(value, &number) < 0)
			return false;
		file->inode = (ino_t)number;
		return true;
	}
	if (strcmp(line, "HELD") == 0)
		file->state.held = strcmp(value, "1") == 0;
	field = strchr(line, '.');
	if (!field)
		return true;
	*field++ = '\0';
	tunable = tunable_from_string(line);
	if (tunable >= 0)
		parse_tunable(file, (enum tunable)tunable, field, value);
	return true;
}

static bool parse_text(struct state_file *file, char *text)
{
	char *place = NULL;

	if (strncmp(text, "INODE=", 6) != 0 || text[strlen(text) - 1] != '\n')
		return false; /* cut off, perhaps to nothing */
	for (char *line = strtok_r(text, "\n", &place); line;
	     line = strtok_r(NULL, "\n", &place)) {
		if (!parse_line(file, line))
			return false;
	}
	return true;
}

/*
 * A writer that was killed could not say what came of its write. If the value that it
 * wanted stands there, it is ours; if not, it has not written. This is settled once: the
 * same value, set later by somebody, is not ours.
 */
static void settle_pending(struct state_file *file, const struct disk *disk)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		struct tunable_state *state = &file->state.tunables[i];
		char current[FACT_TEXT_MAX];

		if (!state->has_pending ||
		    !facts_format(&disk->facts, tunable_fact((enum tunable)i), current,
				  sizeof(current)))
			continue;
		file->settled = true;
		state->has_pending = false;
		if (strcmp(current, state->pending) == 0) {
			state->has_written = true;
			strcpy(state->written, state->pending);
		} else if (!state->has_written) {
			state->has_initial = false;
		}
	}
}

static void find_rivals(struct state_file *file, uint64_t now)
{
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		size_t recent = 0;

		for (size_t k = 0; k < REASSERTS_MAX; k++) {
			uint64_t when = file->reasserts[i][k];

			recent +=
				when > 0 && when <= now && now - when < REASSERT_WINDOW_S;
		}
		file->state.tunables[i].rival = recent == REASSERTS_MAX;
		file->state.tunables[i].rival_told &= recent == REASSERTS_MAX;
	}
}

int state_load(const struct root *root, const struct disk *disk, uint64_t now,
	       struct state_file *ret)
{
	struct state_file empty = { 0 }, file = { 0 };
	char path[128], text[STATE_MAX];
	ino_t inode = 0;
	int r = 0;

	if (!state_key(disk, empty.key, sizeof(empty.key)))
		return -ENODATA;
	(void)root_stat(root, disk->syspath, NULL, &inode);
	empty.inode = inode;
	file = empty;
	*ret = empty;
	state_path(empty.key, "", path, sizeof(path));
	r = root_read(root, path, text, sizeof(text), NULL);
	if (r == -ENOENT || r == -ENOTDIR)
		return 0;
	if (r < 0)
		return r;
	if (!parse_text(&file, text))
		return -EBADMSG;
	if (file.inode != inode)
		return 0;
	find_rivals(&file, now);
	settle_pending(&file, disk);
	*ret = file;
	return 0;
}

static size_t format_tunable(const struct state_file *file, enum tunable tunable,
			     char *buf, size_t size)
{
	const struct tunable_state *state = &file->state.tunables[tunable];
	const char *name = tunable_to_string(tunable);
	size_t len = 0;

	if (state->has_initial)
		len += (size_t)snprintf(buf + len, size - len, "%s.initial=%s\n", name,
					state->initial);
	if (state->has_written)
		len += (size_t)snprintf(buf + len, size - len, "%s.written=%s\n", name,
					state->written);
	if (state->has_pending)
		len += (size_t)snprintf(buf + len, size - len, "%s.pending=%s\n", name,
					state->pending);
	if (state->has_asked)
		len += (size_t)snprintf(buf + len, size - len,
					"%s.asked=%s\n%s.answer=%s\n", name, state->asked,
					name, state->answer);
	if (state->held)
		len += (size_t)snprintf(buf + len, size - len, "%s.held=1\n", name);
	if (state->rival_told)
		len += (size_t)snprintf(buf + len, size - len, "%s.told=1\n", name);
	for (size_t k = 0; k < REASSERTS_MAX; k++) {
		if (file->reasserts[tunable][k] > 0)
			len += (size_t)snprintf(buf + len, size - len,
						"%s.reassert=%" PRIu64 "\n", name,
						file->reasserts[tunable][k]);
	}
	return len;
}

int state_save(const struct root *root, const struct state_file *file)
{
	char path[128], text[STATE_MAX]; /* 5 tunables of at most 10 short lines: fits */
	size_t len = 0;
	int r = folder_make(root, PATH_STATE);

	if (r < 0)
		return r;
	len = (size_t)snprintf(text, sizeof(text), "INODE=%" PRIu64 "\n%s",
			       (uint64_t)file->inode, file->state.held ? "HELD=1\n" : "");
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		len += format_tunable(file, (enum tunable)i, text + len,
				      sizeof(text) - len);
	state_path(file->key, "", path, sizeof(path));
	return file_replace(root, path, text, len, 0644);
}

/* The lock's file stays: whoever waits for it has that very file open. */
int state_remove(const struct root *root, const char *key)
{
	char path[128];

	if (!is_safe_value(key) || strchr(key, '/'))
		return -EINVAL;
	state_path(key, "", path, sizeof(path));
	return file_remove(root, path);
}

int state_lock(const struct root *root, const char *key, unsigned int timeout_ms,
	       int *ret_fd)
{
	char path[128];
	int r = folder_make(root, PATH_STATE);

	if (r < 0)
		return r;
	state_path(key, ".lock", path, sizeof(path));
	return file_lock(root, path, timeout_ms, ret_fd);
}

bool state_is_locked(const struct root *root, const char *key, unsigned int timeout_ms)
{
	char path[128];

	state_path(key, ".lock", path, sizeof(path));
	return file_is_locked(root, path, timeout_ms);
}

void state_note_reassert(struct state_file *file, enum tunable tunable, uint64_t now)
{
	uint64_t *rounds = file->reasserts[tunable];

	memmove(rounds, rounds + 1, (REASSERTS_MAX - 1) * sizeof(*rounds));
	rounds[REASSERTS_MAX - 1] = now;
}
