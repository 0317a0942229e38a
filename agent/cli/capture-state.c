/* SPDX-License-Identifier: MIT */
/*
 * What is remembered of each captured disk (apply/state.h): without it nobody could tell
 * elsewhere that a value has drifted. An inode number is that of a folder of this boot's
 * sysfs; in a capture it is 0, as that of every folder there.
 */
#include <string.h>
#include <sys/types.h>

#include "base/parse.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/capture.h"
#include "policy/state.h"

/* "read_ahead_kb.initial=128": names and values of this program and of the kernel's. */
static bool is_known(const char *line)
{
	const char *value = strchr(line, '=');
	size_t len = strcspn(line, ".=");
	char name[64];

	(void)snprintf(name, sizeof(name), "%.*s", (int)len, line);
	return value && strlen(value + 1) < TUNABLE_VALUE_MAX &&
	       (strcmp(name, "HELD") == 0 || tunable_from_string(name) >= 0);
}

/* Whether @text was written of the disk that is there now. */
static bool is_of_inode(const char *text, ino_t inode)
{
	char number[32];
	uint64_t value = 0;
	int len = (int)strcspn(text, "\n") - (int)strlen("INODE=");

	if (strncmp(text, "INODE=", strlen("INODE=")) != 0 || len < 0)
		return true; /* broken, and that is to be told elsewhere, too */
	(void)snprintf(number, sizeof(number), "%.*s", len, text + strlen("INODE="));
	return parse_u64(number, &value) < 0 || value == inode;
}

/* Whether this program can have written it: apply/state.c refuses what it has not. */
static bool is_sound(const char *text)
{
	char copy[ROOT_ATTR_MAX + 1], *place = NULL;

	if (strncmp(text, "INODE=", strlen("INODE=")) != 0 ||
	    text[strlen(text) - 1] != '\n')
		return false;
	strcpy(copy, text);
	for (char *line = strtok_r(copy, "\n", &place); line;
	     line = strtok_r(NULL, "\n", &place)) {
		const char *value = strchr(line, '=');

		if (!value || !is_safe_value(value + 1))
			return false;
	}
	return true;
}

/* When rounds of re-assertion were, counts from the boot: so the time now matters. */
static void write_uptime(const struct capture *capture, FILE *out)
{
	char text[64], *end = NULL;

	if (root_read(capture->root, "/proc/uptime", text, sizeof(text) - 1, NULL) < 0)
		return;
	end = text + strcspn(text, ". \n");
	strcpy(end, "\n");
	capture_write_file("/proc/uptime", text, strlen(text), out);
}

static void write_state(const char *path, char *text, FILE *out)
{
	char kept[ROOT_ATTR_MAX + 16] = "", *place = NULL;
	bool sound = is_sound(text);
	size_t len = (size_t)snprintf(kept, sizeof(kept), "%s",
				      sound ? "INODE=0\n" : "broken\n");

	for (char *line = strtok_r(text, "\n", &place); line && sound;
	     line = strtok_r(NULL, "\n", &place)) {
		if (is_known(line) && len + strlen(line) + 2 <= sizeof(kept))
			len += (size_t)snprintf(kept + len, sizeof(kept) - len, "%s\n",
						line);
	}
	capture_write_file(path, kept, len, out);
}

void capture_write_states(const struct capture *capture, FILE *out)
{
	bool timed = false;

	for (size_t i = 0; capture->memory && i < capture->n; i++) {
		const struct block *block = &capture->blocks[i];
		const char *dev = block_value(block, 'A', "dev");
		char path[ROOT_PATH_MAX], key[64], text[ROOT_ATTR_MAX + 1];
		ino_t inode = 0;

		if (strcmp(block->subsystem, "block") != 0)
			continue;
		(void)snprintf(key, sizeof(key), "%.60s",
			       dev ? dev : path_name(block->syspath));
		trim_end(key);
		if (!is_safe_value(key) || strchr(key, '/') || key[0] == '.' ||
		    root_stat(capture->root, block->syspath, NULL, &inode) < 0)
			continue;
		(void)snprintf(path, sizeof(path), PATH_STATE "/%s", key);
		if (root_read(capture->memory, path, text, sizeof(text), NULL) < 0 ||
		    !is_of_inode(text, inode))
			continue;
		timed |= strstr(text, ".reassert=") != NULL;
		write_state(path, text, out);
	}
	if (timed)
		write_uptime(capture, out);
}
