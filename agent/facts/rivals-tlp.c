/* SPDX-License-Identifier: MIT */
/*
 * TLP: shell variables, the last assignment counts: its defaults, /etc/tlp.d in order,
 * /etc/tlp.conf. Sources, in TLP's repository: tlp.conf.in, func.d/15-tlp-func-disk
 * (set_disk_iosched(), set_sata_link_power()). Its service ends after it has written, so
 * what tells of it is the state that it leaves in /run/tlp.
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/snapshot.h"
#include "base/text.h"
#include "facts/evidence-internal.h"

#define LAST_MODE "/run/tlp/last_pwr" /* "0" on mains, "1" on battery */

enum variable {
	TLP_ENABLE,
	DISK_DEVICES,
	DISK_IOSCHED,
	SATA_LINKPWR_ON_AC,
	SATA_LINKPWR_ON_BAT,
	SATA_LINKPWR_DENYLIST,
	SATA_LINKPWR_BLACKLIST, /* its older name */
	_VARIABLE_MAX,
};

static const char *const variable_names[_VARIABLE_MAX] = {
	[TLP_ENABLE] = "TLP_ENABLE",
	[DISK_DEVICES] = "DISK_DEVICES",
	[DISK_IOSCHED] = "DISK_IOSCHED",
	[SATA_LINKPWR_ON_AC] = "SATA_LINKPWR_ON_AC",
	[SATA_LINKPWR_ON_BAT] = "SATA_LINKPWR_ON_BAT",
	[SATA_LINKPWR_DENYLIST] = "SATA_LINKPWR_DENYLIST",
	[SATA_LINKPWR_BLACKLIST] = "SATA_LINKPWR_BLACKLIST",
};

struct tlp {
	struct {
		char value[FACT_TEXT_MAX];
		char where[WHERE_MAX];
	} variables[_VARIABLE_MAX];
	size_t n_files;	 /* that were read */
	bool incomplete; /* not all of them, or not in full */
};

/* KEY=value, KEY="a b", KEY+="more". */
static int read_variable(const struct ini_line *line, void *context,
			 struct ini_problems *problems)
{
	struct tlp *tlp = context;
	size_t key_len = line->key ? strlen(line->key) : 0;
	bool more = key_len > 0 && line->key[key_len - 1] == '+';

	(void)problems;
	if (!line->key)
		return 0;
	key_len -= more;
	for (size_t i = 0; i < _VARIABLE_MAX; i++) {
		char *value = tlp->variables[i].value;
		size_t used = more ? strlen(value) : 0, size = FACT_TEXT_MAX;

		if (strlen(variable_names[i]) != key_len ||
		    strncmp(variable_names[i], line->key, key_len) != 0)
			continue;
		if ((size_t)snprintf(value + used, size - used, "%s%s", used ? " " : "",
				     unquote(line->value)) >= size - used ||
		    strpbrk(value, "$`"))
			tlp->incomplete = true;
		(void)snprintf(tlp->variables[i].where, WHERE_MAX, "%.140s:%u",
			       line->file, line->line);
	}
	return 0;
}

/* Lines that are none of its variables are left out by TLP too. */
static int read_file(const struct root *root, const char *path, void *context,
		     struct ini_problems *problems)
{
	struct tlp *tlp = context;
	int r = read_foreign(root, path, read_variable, tlp);

	(void)problems;
	tlp->n_files += r >= 0;
	tlp->incomplete |= r < 0 && r != -ENOENT;
	return r > 0 ? 0 : r;
}

/* Missing files are as usual as others, but one there is. */
static int read_files(const struct root *root, struct tlp *tlp)
{
	static const char *const folders[] = { "/etc/tlp.d", NULL };
	static const char *const before = "/usr/share/tlp/defaults.conf";
	static const char *const after[] = { "/etc/tlp.conf", "/etc/default/tlp" };
	struct ini_problems problems = { 0 };
	int r = read_file(root, before, tlp, &problems);

	if (r != -ENOMEM)
		r = ini_load_files(root, folders, ".conf", read_file, tlp, &problems);
	tlp->incomplete |= problems.n > 0;
	ini_problems_done(&problems);
	for (size_t i = 0; i < ARRAY_SIZE(after) && r != -ENOMEM; i++) {
		r = read_file(root, after[i], tlp, NULL);
		if (r == 0)
			break;
	}
	tlp->incomplete |= tlp->n_files == 0;
	return r == -ENOMEM ? r : 0;
}

/* The disk by its kernel name, or by its name below /dev/disk/by-id. */
static bool match_disk(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	const char *name = facts_text(facts, FACT_NAME), *syspath = NULL;
	char link[ROOT_PATH_MAX], target[256];

	if (!name)
		return false;
	if (strcmp(rule->pattern, name) == 0)
		return true;
	(void)snprintf(link, sizeof(link), "/dev/disk/by-id/%s", rule->pattern);
	if (root_is_snapshot(root))
		syspath = snapshot_node(root, link + strlen("/dev/"));
	if (syspath)
		return strcmp(path_name(syspath), name) == 0;
	return root_read_link_name(root, link, target, sizeof(target)) == 0 &&
	       strcmp(target, name) == 0;
}

/* All hosts that can, but those of the list. */
static bool match_host(const struct root *root, const struct rival_rule *rule,
		       const struct disk_facts *facts)
{
	const char *host = facts_anchor(facts, ANCHOR_SCSI_HOST);

	(void)root;
	return host && facts_known(facts, FACT_LINK_POWER) &&
	       !word_in_list(path_name(host), rule->pattern);
}

/* Disks and schedulers are two lists that go side by side. */
static int add_schedulers(const struct tlp *tlp, struct rivals *rivals)
{
	char devices[FACT_TEXT_MAX], schedulers[FACT_TEXT_MAX];
	char *device_place = NULL, *scheduler_place = NULL;
	const char *list = tlp->variables[DISK_DEVICES].value;
	char *scheduler = NULL;
	int r = 0;

	(void)snprintf(devices, sizeof(devices), "%s", *list ? list : "nvme0n1 sda");
	(void)snprintf(schedulers, sizeof(schedulers), "%s",
		       tlp->variables[DISK_IOSCHED].value);
	scheduler = strtok_r(schedulers, " \t", &scheduler_place);
	for (char *device = strtok_r(devices, " \t", &device_place);
	     device && scheduler && r == 0; device = strtok_r(NULL, " \t", &device_place),
		  scheduler = strtok_r(NULL, " \t", &scheduler_place)) {
		struct rival_rule rule = { .fact = FACT_RIVAL_SCHEDULER,
					   .matches = match_disk };

		if (strcmp(scheduler, "keep") == 0 || strcmp(scheduler, "_") == 0)
			continue;
		(void)snprintf(rule.pattern, sizeof(rule.pattern), "%s", device);
		(void)snprintf(rule.value, sizeof(rule.value), "%.63s", scheduler);
		(void)snprintf(rule.where, sizeof(rule.where), "%s",
			       tlp->variables[DISK_IOSCHED].where);
		r = rivals_add_rule(rivals, &rule);
	}
	return r;
}

/* Of several the first that the kernel takes. */
static void link_policy(const struct tlp *tlp, enum variable variable, char *buf,
			size_t size)
{
	const char *value = tlp->variables[variable].value;

	(void)snprintf(buf, size, "%.*s", (int)strcspn(value, " \t"), value);
}

/* Two values mean that the policy changes whenever the power source does. */
static int add_link_power(const struct root *root, const struct tlp *tlp,
			  struct rivals *rivals)
{
	struct rival_rule rule = { .fact = FACT_RIVAL_LINK_POWER, .matches = match_host };
	enum variable now = SATA_LINKPWR_ON_AC, denied = SATA_LINKPWR_DENYLIST;
	char mode[16] = "", mains[48], battery[48];

	if (root_read(root, LAST_MODE, mode, sizeof(mode), NULL) == 0 && mode[0] == '1')
		now = SATA_LINKPWR_ON_BAT;
	if (!tlp->variables[denied].value[0])
		denied = SATA_LINKPWR_BLACKLIST;
	(void)snprintf(rule.pattern, sizeof(rule.pattern), "%s",
		       tlp->variables[denied].value);
	link_policy(tlp, SATA_LINKPWR_ON_AC, mains, sizeof(mains));
	link_policy(tlp, SATA_LINKPWR_ON_BAT, battery, sizeof(battery));
	if (mains[0] && battery[0] && strcmp(mains, battery) != 0) {
		(void)snprintf(rule.value, sizeof(rule.value),
			       "%s on mains, %s on battery", mains, battery);
		(void)snprintf(rule.where, sizeof(rule.where), "%.78s, %.78s",
			       tlp->variables[SATA_LINKPWR_ON_AC].where,
			       tlp->variables[SATA_LINKPWR_ON_BAT].where);
		return rivals_add_rule(rivals, &rule);
	}
	link_policy(tlp, now, rule.value, sizeof(rule.value));
	if (!rule.value[0])
		return 0;
	(void)snprintf(rule.where, sizeof(rule.where), "%s", tlp->variables[now].where);
	return rivals_add_rule(rivals, &rule);
}

int rivals_load_tlp(const struct root *root, struct rivals *rivals)
{
	static const char folder[] = "/run/tlp";
	struct tlp *tlp = NULL;
	_cleanup_free_ void *owned = NULL;
	bool enabled = true;
	int r = 0;

	if (!root_exists(root, folder))
		return 0;
	owned = tlp = calloc(1, sizeof(*tlp));
	if (!tlp)
		return -ENOMEM;
	r = read_files(root, tlp);
	if (r < 0)
		return r;
	if (parse_bool(tlp->variables[TLP_ENABLE].value, &enabled) == 0 && !enabled)
		return 0;
	rivals->incomplete |= tlp->incomplete;
	rivals_note(rivals, "TLP", root_exists(root, LAST_MODE) ? LAST_MODE : folder);
	r = add_schedulers(tlp, rivals);
	return r < 0 ? r : add_link_power(root, tlp, rivals);
}
