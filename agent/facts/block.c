/* SPDX-License-Identifier: MIT */
/*
 * The block device and its queue: what every disk has, whatever it hangs on. The
 * scheduler list is parsed without regard to order, which differs between kernels:
 * "[mq-deadline] bfq none" up to 6.1, "none [mq-deadline] bfq" later. A plain "none"
 * means that the queue cannot have one (bio-based devices; block/elevator.c).
 */
#include <ctype.h>
#include <string.h>

#include "base/parse.h"
#include "facts/probe.h"

static void locate(struct probe *probe)
{
	const char *syspath = probe->disk->syspath;
	char link[ROOT_PATH_MAX], folder[ROOT_PATH_MAX];

	facts_set_text(probe->facts, FACT_NAME, path_name(syspath));
	facts_set_number(probe->facts, FACT_VIRTUAL,
			 strncmp(syspath, "/sys/devices/virtual/", 21) == 0);
	if (path_join(link, sizeof(link), syspath, "device") == 0 &&
	    root_resolve(probe->root, link, folder, sizeof(folder)) == 0)
		facts_set_anchor(probe->facts, ANCHOR_DEVICE, folder);
}

/* A scheduler's name as the kernel has them; anything else is not one. */
static bool is_scheduler_name(const char *word)
{
	size_t len = strlen(word);

	if (len == 0 || len > 15)
		return false;
	for (; *word; word++) {
		if (!islower((unsigned char)*word) && !isdigit((unsigned char)*word) &&
		    *word != '-' && *word != '_')
			return false;
	}
	return true;
}

static void parse_schedulers(struct probe *probe, char *text)
{
	struct disk_facts *facts = probe->facts;
	char list[FACT_TEXT_MAX] = "", *place = NULL;
	const char *active = NULL;
	size_t n = 0;

	for (char *word = strtok_r(text, " \n", &place); word;
	     word = strtok_r(NULL, " \n", &place)) {
		size_t len = strlen(word);
		bool bracketed = len > 2 && word[0] == '[' && word[len - 1] == ']';

		if (bracketed) {
			word[len - 1] = '\0';
			word++;
		}
		if (!is_scheduler_name(word) ||
		    strlen(list) + strlen(word) + 2 > sizeof(list))
			return;
		if (bracketed && active)
			return;
		if (bracketed)
			active = word;
		(void)snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			       *list ? " " : "", word);
		n++;
	}
	if (!active && (n != 1 || strcmp(list, "none") != 0))
		return;
	facts_set_text(facts, FACT_SCHEDULER, active ? active : "none");
	facts_set_text(facts, FACT_SCHEDULER_LIST, list);
	facts_set_number(facts, FACT_SCHEDULER_FIXED, !active);
}

static bool is_number(const char *name)
{
	uint64_t number = 0;

	return parse_u64(name, &number) == 0;
}

/* mq/ has a folder for each hardware queue; bio-based devices have no mq/. */
static void count_hw_queues(struct probe *probe)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX];
	uint64_t n = 0;

	if (path_join(path, sizeof(path), probe->disk->syspath, "mq") < 0 ||
	    root_list(probe->root, path, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		n += is_number(names.list[i]);
	if (n > 0)
		facts_set_number(probe->facts, FACT_HW_QUEUES, n);
}

static bool is_multipath(const struct probe *probe, const char *holders, const char *name)
{
	char folder[ROOT_PATH_MAX], uuid[FACT_TEXT_MAX];

	return path_join(folder, sizeof(folder), holders, name) == 0 &&
	       probe_read(probe, folder, "dm/uuid", uuid, sizeof(uuid), NULL) &&
	       strncmp(uuid, "mpath-", 6) == 0;
}

static void list_holders(struct probe *probe)
{
	_cleanup_names_ struct names names = { 0 };
	char path[ROOT_PATH_MAX], text[FACT_TEXT_MAX] = "";
	bool multipath = false;

	if (path_join(path, sizeof(path), probe->disk->syspath, "holders") < 0 ||
	    root_list(probe->root, path, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		size_t len = strlen(text);

		multipath |= is_multipath(probe, path, names.list[i]);
		if (len + strlen(names.list[i]) + 2 <= sizeof(text))
			(void)snprintf(text + len, sizeof(text) - len, "%s%s",
				       len ? " " : "", names.list[i]);
	}
	facts_set_text(probe->facts, FACT_HOLDERS, text);
	if (names.n > 0)
		facts_set_number(probe->facts, FACT_MULTIPATH_MEMBER, multipath);
}

static void derive(struct probe *probe)
{
	char text[ROOT_ATTR_MAX + 1];

	if (probe_read(probe, probe->disk->syspath, "queue/scheduler", text, sizeof(text),
		       NULL))
		parse_schedulers(probe, text);
	count_hw_queues(probe);
	list_holders(probe);
}

const struct prober block_prober = { .locate = locate, .derive = derive };
