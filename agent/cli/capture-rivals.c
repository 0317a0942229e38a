/* SPDX-License-Identifier: MIT */
/*
 * Configuration of other programs that write the same attributes: the files that
 * facts/rivals-*.c looks at, if the program is active, with the keys that it knows. Lines
 * keep their numbers. Of a value only words pass that capture-words.c knows.
 */
#include <string.h>

#include "base/ini.h"
#include "base/parse.h"
#include "base/text.h"
#include "cli/capture-words.h"

#define INCLUDES_MAX 16

struct writer {
	const struct capture *capture;
	FILE *out;
	struct given_words given;
	struct names files;  /* profiles of tuned that have been written */
	struct names wanted; /* what the file being read includes, or names */
};

/* A file as it is being reduced. */
struct reduced {
	struct writer *writer;
	const char *const *keys; /* with '*' for what may follow */
	const char *list;	 /* the key whose words are names of profiles or notes */
	const char *(*section)(struct writer *writer, const char *section);
	FILE *text;
	unsigned int line; /* the next one to be written */
};

static bool is_key(const char *const *keys, const char *key)
{
	for (; *keys; keys++) {
		if (glob_match(*keys, key, false) &&
		    (key[0] != '/' || is_known_path(key)))
			return true;
	}
	return false;
}

static int reduce_line(const struct ini_line *line, void *context,
		       struct ini_problems *problems)
{
	struct reduced *reduced = context;
	struct writer *writer = reduced->writer;
	bool list =
		line->key && reduced->list && glob_match(reduced->list, line->key, false);
	char value[1024];
	int r = 0;

	(void)problems;
	if (line->key && !list && !is_key(reduced->keys, line->key))
		return 0;
	for (; reduced->line < line->line; reduced->line++)
		(void)fputc('\n', reduced->text);
	reduced->line++;
	if (!line->key) {
		(void)fprintf(reduced->text, "[%s]\n",
			      reduced->section(writer, line->section));
		return 0;
	}
	if (list)
		r = given_words_replace(&writer->given, line->value, value, sizeof(value),
					&writer->wanted);
	else
		known_words_only(writer->capture->root, line->value, value,
				 sizeof(value));
	(void)fprintf(reduced->text, "%s=%s\n", line->key, value);
	return r;
}

/* Writes the file @path as @name. False if there is none. */
static bool write_reduced(struct reduced *reduced, const char *path, const char *name)
{
	_cleanup_free_ char *text = NULL;
	struct ini_problems problems = { 0 };
	size_t len = 0;
	int r = 0;

	reduced->line = 1;
	reduced->text = open_memstream(&text, &len);
	if (!reduced->text)
		return false;
	r = ini_read(reduced->writer->capture->root, path, reduce_line, reduced,
		     &problems);
	ini_problems_done(&problems);
	if (fclose(reduced->text) != 0 || r < 0)
		return false;
	capture_write_file(name, text, len, reduced->writer->out);
	return true;
}

/* --- tuned ----------------------------------------------------------------------- */

static const char *tuned_section(struct writer *writer, const char *section)
{
	return given_word(&writer->given, section);
}

static void write_profile(struct writer *writer, const char *name)
{
	static const char *const keys[] = {
		"type",		"devices",  "devices_udev_regex", "enabled",
		"replace",	"elevator", "readahead",	  "alpm",
		"/sys/block/*", NULL,
	};
	static const char *const folders[] = { "/etc/tuned/profiles", "/etc/tuned",
					       "/usr/lib/tuned/profiles",
					       "/usr/lib/tuned" };
	struct reduced reduced = { .writer = writer,
				   .keys = keys,
				   .list = "include",
				   .section = tuned_section };
	_cleanup_names_ struct names includes = { 0 };
	char path[ROOT_PATH_MAX], as[ROOT_PATH_MAX];
	bool found = false;

	if (*name == '.' || strpbrk(name, "/$") || strlen(name) >= 100)
		return;
	for (size_t i = 0; !found && i < ARRAY_SIZE(folders); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s/tuned.conf", folders[i], name);
		(void)snprintf(as, sizeof(as), "%s/%s/tuned.conf", folders[i],
			       given_word(&writer->given, name));
		found = root_exists(writer->capture->root, path);
		for (size_t k = 0; k < writer->files.n; k++)
			found &= strcmp(writer->files.list[k], path) != 0;
	}
	if (!found || writer->files.n >= INCLUDES_MAX ||
	    names_add(&writer->files, path) < 0 || !write_reduced(&reduced, path, as))
		return;
	includes = writer->wanted;
	writer->wanted = (struct names){ 0 };
	for (size_t i = 0; i < includes.n; i++)
		write_profile(writer, includes.list[i]);
}

static void write_profiles_of(struct writer *writer, const char *path)
{
	_cleanup_names_ struct names profiles = { 0 };
	char text[512], value[4096];

	if (root_read(writer->capture->root, path, text, sizeof(text), NULL) < 0 ||
	    given_words_replace(&writer->given, trim(text), value, sizeof(value),
				&writer->wanted) < 0)
		return;
	(void)strcat(value, "\n"); /* @text is shorter, and so are the words */
	capture_write_file(path, value, strlen(value), writer->out);
	profiles = writer->wanted;
	writer->wanted = (struct names){ 0 };
	for (size_t i = 0; i < profiles.n; i++)
		write_profile(writer, profiles.list[i]);
}

/* What tells that tuned runs, as facts/rivals-tuned.c asks for it. */
static bool write_tuned_marks(struct writer *writer)
{
	static const char pid_file[] = "/run/tuned/tuned.pid";
	static const char *const groups[] = {
		"/sys/fs/cgroup/system.slice/tuned.service",
		"/sys/fs/cgroup/systemd/system.slice/tuned.service",
	};
	const struct root *root = writer->capture->root;
	char pid[32], path[ROOT_PATH_MAX];
	uint64_t number = 0;

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		if (!root_exists(root, groups[i]))
			continue;
		(void)path_join(path, sizeof(path), groups[i], "cgroup.procs");
		capture_write_file(path, "", 0, writer->out);
		return true;
	}
	if (root_read(root, pid_file, pid, sizeof(pid), NULL) < 0)
		return false;
	if (root_is_live(root) && parse_u64(trim(pid), &number) == 0) {
		(void)snprintf(path, sizeof(path), "/proc/%llu",
			       (unsigned long long)number);
		if (!root_exists(root, path))
			return false;
	}
	capture_write_file(pid_file, "1\n", 2, writer->out);
	return true;
}

static void write_tuned(struct writer *writer)
{
	if (!write_tuned_marks(writer))
		return;
	write_profiles_of(writer, "/etc/tuned/active_profile");
	write_profiles_of(writer, "/etc/tuned/post_loaded_profile");
}

/* --- TLP ------------------------------------------------------------------------- */

static const char *no_section(struct writer *writer, const char *section)
{
	(void)writer;
	(void)section;
	return "x";
}

/* People name the files of /etc/tlp.d; their order is what counts. */
static void write_tlp_folder(struct reduced *reduced)
{
	static const char folder[] = "/etc/tlp.d";
	_cleanup_names_ struct names names = { 0 };
	unsigned int number = 0;

	if (root_list(reduced->writer->capture->root, folder, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		char path[ROOT_PATH_MAX], as[ROOT_PATH_MAX];

		if (!glob_match("?*.conf", names.list[i], false) ||
		    path_join(path, sizeof(path), folder, names.list[i]) < 0)
			continue;
		(void)snprintf(as, sizeof(as), "%s/%03u.conf", folder, number++);
		(void)write_reduced(reduced, path, as);
	}
}

static void write_tlp(struct writer *writer)
{
	static const char *const keys[] = { "TLP_ENABLE*", "DISK_DEVICES*",
					    "DISK_IOSCHED*", "SATA_LINKPWR_*", NULL };
	static const char defaults[] = "/usr/share/tlp/defaults.conf";
	static const char *const files[] = { "/etc/tlp.conf", "/etc/default/tlp" };
	static const char mode[] = "/run/tlp/last_pwr";
	const struct root *root = writer->capture->root;
	struct reduced reduced = { .writer = writer,
				   .keys = keys,
				   .section = no_section };
	char text[16];
	size_t len = 0;

	if (!root_exists(root, "/run/tlp"))
		return;
	if (root_read(root, mode, text, sizeof(text), &len) == 0)
		capture_write_file(mode, text, strspn(text, "01"), writer->out);
	else
		capture_write_file("/run/tlp/lock", "", 0, writer->out);
	(void)write_reduced(&reduced, defaults, defaults);
	write_tlp_folder(&reduced);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (write_reduced(&reduced, files[i], files[i]))
			break;
	}
}

/* --- saptune --------------------------------------------------------------------- */

static const char *saptune_section(struct writer *writer, const char *section)
{
	static const char tagged[] = "block:blkpat=";

	(void)writer;
	if (strcmp(section, "block") == 0 ||
	    (strncmp(section, tagged, strlen(tagged)) == 0 &&
	     is_known_word(section + strlen(tagged))))
		return section;
	return "x";
}

static void write_note(struct writer *writer, const char *note)
{
	static const char *const keys[] = { "IO_SCHEDULER", "NRREQ", "READ_AHEAD_KB",
					    "MAX_SECTORS_KB", NULL };
	static const struct {
		const char *folder, *suffix;
	} places[] = {
		{ "/var/lib/saptune/working/notes", "" },
		{ "/usr/share/saptune/notes", "" },
		{ "/etc/saptune/extra", ".conf" },
		{ "/etc/saptune/override", "" },
	};
	struct reduced reduced = { .writer = writer,
				   .keys = keys,
				   .section = saptune_section };
	const size_t last = ARRAY_SIZE(places) - 1;
	bool found = false;

	if (*note == '.' || strchr(note, '/') || strlen(note) >= 100)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char path[ROOT_PATH_MAX], as[ROOT_PATH_MAX];

		(void)snprintf(path, sizeof(path), "%s/%s%s", places[i].folder, note,
			       places[i].suffix);
		(void)snprintf(as, sizeof(as), "%s/%s%s", places[i].folder,
			       given_word(&writer->given, note), places[i].suffix);
		if (!found || i == last)
			found |= write_reduced(&reduced, path, as);
	}
}

/* What tells that notes are applied, as facts/rivals-saptune.c asks for it. */
static bool write_saptune_mark(struct writer *writer)
{
	static const char *const folders[] = { "/run/saptune/saved_state",
					       "/var/lib/saptune/saved_state" };
	char path[ROOT_PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_names_ struct names names = { 0 };

		if (root_list(writer->capture->root, folders[i], &names) < 0 ||
		    names.n == 0)
			continue;
		(void)path_join(path, sizeof(path), folders[i], "1");
		capture_write_file(path, "", 0, writer->out);
		return true;
	}
	return false;
}

static void write_saptune(struct writer *writer)
{
	static const char *const keys[] = { NULL };
	static const char path[] = "/etc/sysconfig/saptune";
	struct reduced reduced = {
		.writer = writer, .keys = keys, .list = "?*_*", .section = no_section
	};
	_cleanup_names_ struct names notes = { 0 };

	if (!write_saptune_mark(writer))
		return;
	(void)write_reduced(&reduced, path, path);
	notes = writer->wanted;
	writer->wanted = (struct names){ 0 };
	for (size_t i = 0; i < notes.n; i++) {
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= strcmp(notes.list[k], notes.list[i]) == 0;
		if (!seen)
			write_note(writer, notes.list[i]);
	}
}

void capture_write_rivals(const struct capture *capture, FILE *out)
{
	struct writer writer = { .capture = capture, .out = out };

	write_tuned(&writer);
	write_tlp(&writer);
	write_saptune(&writer);
	given_words_done(&writer.given);
	names_done(&writer.files);
	names_done(&writer.wanted);
}
