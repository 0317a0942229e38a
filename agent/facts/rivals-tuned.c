/* SPDX-License-Identifier: MIT */
/*
 * tuned: profiles with sections, which include others. Sources, in tuned's repository:
 * tuned/profiles/locator.py, loader.py and merger.py (places, includes, later over
 * earlier), variables.py and functions/ ("${...}"), tuned/plugins/plugin_disk.py
 * (elevator=, readahead=), plugin_scsi_host.py (alpm=), plugin_sysfs.py,
 * tuned/hardware/device_matcher.py.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/parse.h"
#include "facts/evidence-internal.h"

#define UNITS_MAX 32
#define INCLUDES_MAX 16

struct setting {
	char value[64];
	char where[WHERE_MAX];
};

/* A section: an instance of a plug-in, for some devices. */
struct unit {
	char name[64], type[24], devices[FACT_TEXT_MAX];
	bool disabled;
	bool unclear; /* for which disks, by properties and variables we do not have */
	struct setting elevator, readahead, alpm;
};

struct tuned {
	const struct root *root;
	struct rivals *rivals;
	struct names files;    /* that have been read */
	struct names includes; /* of the file that is being read */
	struct unit units[UNITS_MAX];
	size_t n_units;
};

/* The kernel name as a pattern list of tuned has it: any of, and none of those with "!".
 */
static bool match_devices(const char *patterns, const char *name)
{
	char copy[FACT_TEXT_MAX], *place = NULL;
	bool positive = false, matches = false, excluded = false;

	(void)snprintf(copy, sizeof(copy), "%s", patterns);
	for (char *word = strtok_r(copy, ", \t", &place); word;
	     word = strtok_r(NULL, ", \t", &place)) {
		bool negative = *word == '!';
		bool hit = fnmatch(negative ? word + 1 : word, name, 0) == 0;

		positive |= !negative;
		matches |= hit && !negative;
		excluded |= hit && negative;
	}
	return (matches || !positive) && !excluded;
}

/* What DiskPlugin._device_is_supported() says. */
static bool match_disk(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	static const char *const parents[] = { "scsi", "virtio", "xen", "nvme" };
	const char *parent = facts_text(facts, FACT_DEVICE_SUBSYSTEM);
	const char *name = facts_text(facts, FACT_NAME);
	bool supported = !parent;

	(void)root;
	for (size_t i = 0; parent && i < ARRAY_SIZE(parents); i++)
		supported |= strcmp(parent, parents[i]) == 0;
	return supported && name && !facts_is_set(facts, FACT_REMOVABLE) &&
	       match_devices(rule->pattern, name);
}

static bool match_host(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	const char *host = facts_anchor(facts, ANCHOR_SCSI_HOST);

	(void)root;
	return host && facts_known(facts, FACT_LINK_POWER) &&
	       match_devices(rule->pattern, path_name(host));
}

/* A pattern of a path: "/sys/block/sd?/queue/scheduler". The name is its third part. */
static bool match_path(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	const char *name = facts_text(facts, FACT_NAME);

	(void)root;
	return name && fnmatch(rule->pattern, name, 0) == 0;
}

static struct unit *find_unit(struct tuned *tuned, const char *name)
{
	struct unit *unit = NULL;

	for (size_t i = 0; i < tuned->n_units; i++) {
		if (strcmp(tuned->units[i].name, name) == 0)
			return &tuned->units[i];
	}
	if (tuned->n_units == UNITS_MAX || strlen(name) >= sizeof(unit->name))
		return NULL;
	unit = &tuned->units[tuned->n_units++];
	*unit = (struct unit){ 0 };
	(void)snprintf(unit->name, sizeof(unit->name), "%s", name);
	(void)snprintf(unit->type, sizeof(unit->type), "%.23s", name);
	return unit;
}

static void take(struct setting *setting, const char *value, const char *where)
{
	(void)snprintf(setting->value, sizeof(setting->value), "%.63s", value);
	(void)snprintf(setting->where, sizeof(setting->where), "%s", where);
}

static int take_path(struct tuned *tuned, const char *key, const char *value,
		     const char *where)
{
	static const struct {
		const char *attr;
		enum fact fact;
	} attributes[] = {
		{ "queue/scheduler", FACT_RIVAL_SCHEDULER },
		{ "queue/nr_requests", FACT_RIVAL_NR_REQUESTS },
		{ "queue/max_sectors_kb", FACT_RIVAL_MAX_SECTORS_KB },
		{ "queue/read_ahead_kb", FACT_RIVAL_READ_AHEAD_KB },
		{ "device/queue_depth", FACT_RIVAL_QUEUE_DEPTH },
	};
	static const char folder[] = "/sys/block/";
	struct rival_rule rule = { .matches = match_path };
	const char *slash = NULL;

	if (strchr(key, '$'))
		tuned->rivals->incomplete = true;
	if (strncmp(key, folder, sizeof(folder) - 1) != 0 || strchr(key, '$'))
		return 0;
	rule.unclear = strchr(value, '$') != NULL;
	key += sizeof(folder) - 1;
	slash = strchr(key, '/');
	if (!slash || (size_t)(slash - key) >= sizeof(rule.pattern))
		return 0;
	memcpy(rule.pattern, key, (size_t)(slash - key));
	(void)snprintf(rule.value, sizeof(rule.value), "%.63s", value);
	(void)snprintf(rule.where, sizeof(rule.where), "%s", where);
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		rule.fact = attributes[i].fact;
		if (strcmp(slash + 1, attributes[i].attr) == 0)
			return rivals_add_rule(tuned->rivals, &rule);
	}
	return 0;
}

static int take_key(struct tuned *tuned, struct unit *unit, const char *key,
		    const char *value, const char *where)
{
	bool flag = false;

	if (strcmp(key, "type") == 0) {
		(void)snprintf(unit->type, sizeof(unit->type), "%.23s", value);
		tuned->rivals->incomplete |= strchr(value, '$') != NULL;
	} else if (strcmp(key, "devices") == 0) {
		(void)snprintf(unit->devices, sizeof(unit->devices), "%s", value);
		unit->unclear |=
			strchr(value, '$') || strlen(value) >= sizeof(unit->devices);
	} else if (strcmp(key, "devices_udev_regex") == 0) {
		unit->unclear = true;
	} else if (strcmp(key, "enabled") == 0) {
		if (parse_bool(value, &flag) == 0)
			unit->disabled = !flag;
		unit->unclear |= strchr(value, '$') != NULL;
	} else if (strcmp(key, "elevator") == 0) {
		take(&unit->elevator, value, where);
	} else if (strcmp(key, "readahead") == 0) {
		take(&unit->readahead, value, where);
	} else if (strcmp(key, "alpm") == 0) {
		take(&unit->alpm, value, where);
	} else if (strcmp(unit->type, "sysfs") == 0) {
		return take_path(tuned, key, value, where);
	}
	return 0;
}

static int read_setting(const struct ini_line *line, void *context,
			struct ini_problems *problems)
{
	struct tuned *tuned = context;
	struct unit *unit = NULL;
	char where[WHERE_MAX], *value = NULL;
	bool replace = false;

	(void)problems;
	if (!line->key || !line->section[0] || strcmp(line->section, "main") == 0)
		return 0;
	unit = find_unit(tuned, line->section);
	if (!unit) {
		tuned->rivals->incomplete = true;
		return 0;
	}
	value = unquote(line->value);
	if (strcmp(line->key, "replace") == 0) {
		if (parse_bool(value, &replace) == 0 && replace) {
			unit->elevator = unit->readahead = unit->alpm =
				(struct setting){ .value = "" };
			unit->devices[0] = '\0';
			unit->unclear = false;
		}
		return 0;
	}
	(void)snprintf(where, sizeof(where), "%.140s:%u", line->file, line->line);
	return take_key(tuned, unit, line->key, value, where);
}

/* Names of an include=, or of the file active_profile; a variable is none. */
static int add_names(struct tuned *tuned, struct names *names, char *text)
{
	char *place = NULL;
	int r = 0;

	for (char *word = strtok_r(text, ",; \t\n", &place); word && r == 0;
	     word = strtok_r(NULL, ",; \t\n", &place)) {
		if (*word != '.' && !strpbrk(word, "/$") && strlen(word) < 100)
			r = names_add(names, word);
		else
			tuned->rivals->incomplete = true;
	}
	return r;
}

static int read_include(const struct ini_line *line, void *context,
			struct ini_problems *problems)
{
	struct tuned *tuned = context;

	(void)problems;
	if (!line->key || strcmp(line->section, "main") != 0 ||
	    strcmp(line->key, "include") != 0)
		return 0;
	return add_names(tuned, &tuned->includes, unquote(line->value));
}

/* The first place that has the profile and was not read yet: one may include its like. */
static bool find_profile(const struct tuned *tuned, const char *name, char *buf,
			 size_t size, bool *ret_circle)
{
	static const char *const folders[] = { "/etc/tuned/profiles", "/etc/tuned",
					       "/usr/lib/tuned/profiles",
					       "/usr/lib/tuned" };

	*ret_circle = false;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		bool seen = false;

		(void)snprintf(buf, size, "%s/%s/tuned.conf", folders[i], name);
		for (size_t k = 0; k < tuned->files.n; k++)
			seen |= strcmp(tuned->files.list[k], buf) == 0;
		if (!seen && root_exists(tuned->root, buf))
			return true;
		*ret_circle |= seen;
	}
	return false;
}

static int load_profile(struct tuned *tuned, const char *name)
{
	_cleanup_names_ struct names includes = { 0 };
	char path[256];
	bool circle = false;
	int r = 0;

	if (!find_profile(tuned, name, path, sizeof(path), &circle)) {
		tuned->rivals->incomplete |= !circle;
		return 0;
	}
	if (tuned->files.n >= INCLUDES_MAX) {
		tuned->rivals->incomplete = true;
		return 0;
	}
	r = names_add(&tuned->files, path);
	if (r == 0)
		r = read_foreign(tuned->root, path, read_include, tuned);
	if (r != 0)
		tuned->rivals->incomplete = true;
	includes = tuned->includes;
	tuned->includes = (struct names){ 0 };
	for (size_t i = 0; r >= 0 && i < includes.n; i++)
		r = load_profile(tuned, includes.list[i]);
	if (r >= 0)
		r = read_foreign(tuned->root, path, read_setting, tuned);
	return r == -ENOMEM ? r : 0;
}

/* "4096", ">4096" (only raise), "8192 s" (sectors) as KiB. */
static bool parse_readahead(const char *text, struct rival_rule *rule)
{
	uint64_t value = 0;
	char digits[32];
	size_t len = 0;

	rule->only_raise = *text == '>';
	text += *text == '>' || *text == '<';
	text += strspn(text, " ");
	len = strspn(text, "0123456789");
	if (len == 0 || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (parse_u64(digits, &value) < 0)
		return false;
	text += len + strspn(text + len, " ");
	(void)snprintf(rule->value, sizeof(rule->value), "%llu",
		       (unsigned long long)(*text == 's' ? value / 2 : value));
	return true;
}

static int add_setting(struct tuned *tuned, const struct unit *unit,
		       const struct setting *setting, enum fact fact)
{
	struct rival_rule rule = { .fact = fact, .matches = match_disk };

	if (!setting->value[0])
		return 0;
	if (unit->unclear) {
		tuned->rivals->incomplete = true;
		return 0;
	}
	rule.unclear = strchr(setting->value, '$') != NULL;
	if (fact == FACT_RIVAL_LINK_POWER)
		rule.matches = match_host;
	(void)snprintf(rule.pattern, sizeof(rule.pattern), "%s", unit->devices);
	(void)snprintf(rule.where, sizeof(rule.where), "%s", setting->where);
	(void)snprintf(rule.value, sizeof(rule.value), "%s", setting->value);
	if (fact == FACT_RIVAL_READ_AHEAD_KB && !rule.unclear &&
	    !parse_readahead(setting->value, &rule))
		return 0;
	return rivals_add_rule(tuned->rivals, &rule);
}

/* A disk belongs to the first unit that wants it; of our rules the last one counts. */
static int add_units(struct tuned *tuned)
{
	int r = 0;

	for (size_t i = tuned->n_units; r == 0 && i > 0; i--) {
		const struct unit *unit = &tuned->units[i - 1];

		if (unit->disabled && !unit->unclear)
			continue;
		if (strcmp(unit->type, "scsi_host") == 0)
			r = add_setting(tuned, unit, &unit->alpm, FACT_RIVAL_LINK_POWER);
		if (strcmp(unit->type, "disk") != 0)
			continue;
		r = add_setting(tuned, unit, &unit->elevator, FACT_RIVAL_SCHEDULER);
		if (r == 0)
			r = add_setting(tuned, unit, &unit->readahead,
					FACT_RIVAL_READ_AHEAD_KB);
	}
	return r;
}

/* The pid file stays when the daemon is killed; its control group does not. */
static bool is_active(const struct root *root, const char **ret_where)
{
	static const char pid_file[] = "/run/tuned/tuned.pid";
	static const char *const groups[] = {
		"/sys/fs/cgroup/system.slice/tuned.service",
		"/sys/fs/cgroup/systemd/system.slice/tuned.service",
	};
	char pid[32], path[64];
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		*ret_where = groups[i];
		if (root_exists(root, groups[i]))
			return true;
	}
	*ret_where = pid_file;
	if (root_read(root, pid_file, pid, sizeof(pid), NULL) < 0)
		return false;
	if (!root_is_live(root) || parse_u64(trim(pid), &n) < 0)
		return true;
	(void)snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)n);
	return root_exists(root, path);
}

static int load_named(struct tuned *tuned, const char *path, bool required)
{
	_cleanup_names_ struct names names = { 0 };
	char text[512];
	int r = root_read(tuned->root, path, text, sizeof(text), NULL);

	if (r < 0) {
		tuned->rivals->incomplete |= required || r != -ENOENT;
		return 0;
	}
	r = add_names(tuned, &names, text);
	tuned->rivals->incomplete |= required && names.n == 0;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = load_profile(tuned, names.list[i]);
	return r;
}

int rivals_load_tuned(const struct root *root, struct rivals *rivals)
{
	struct tuned *tuned = NULL;
	_cleanup_free_ void *owned = NULL;
	const char *where = NULL;
	int r = 0;

	if (!is_active(root, &where))
		return 0;
	rivals_note(rivals, "tuned", where);
	owned = tuned = calloc(1, sizeof(*tuned));
	if (!tuned)
		return -ENOMEM;
	tuned->root = root;
	tuned->rivals = rivals;
	r = load_named(tuned, "/etc/tuned/active_profile", true);
	if (r == 0)
		r = load_named(tuned, "/etc/tuned/post_loaded_profile", false);
	if (r == 0)
		r = add_units(tuned);
	names_done(&tuned->files);
	names_done(&tuned->includes);
	return r;
}
