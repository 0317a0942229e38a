/* SPDX-License-Identifier: MIT */
/*
 * Which words of other programs' configuration are nobody's own. Sources: profiles and
 * plug-ins of tuned's repository, notes and solutions of saptune's, tlp.conf of TLP's,
 * Documentation/block and Documentation/admin-guide/devices.txt.
 */
#include <errno.h>
#include <regex.h>
#include <string.h>

#include "base/parse.h"
#include "base/snapshot.h"
#include "base/text.h"
#include "cli/capture-words.h"

#define SEPARATORS " \t\n,;\"'"

/* Kernel names of disks and hosts, with the patterns of shells in them. */
#define SETS "[]a-z*?[-]"
#define DEVICE                                                               \
	"(\\*|(sd|hd|vd|xvd)" SETS "{0,6}[0-9*?]{0,3}"                        \
	"|(nvme|mmcblk|dm-|md|loop|sr|zram|nbd|rbd|pmem|bcache|host)[]0-9npc*?[-]*)"
#define NUMBER "[<>=+]*[0-9]+[a-zA-Z]?"
#define SCHEDULER "none|noop|deadline|mq-deadline|kyber|bfq|cfq|adios"
#define POLICY                                                               \
	"min_power|min_power_with_partial|med_power_with_dipm|medium_power|" \
	"max_performance|keep_firmware_settings"
#define WORD "yes|no|true|false|on|off|keep|_|s"
#define PLUG_IN "disk|scsi_host|sysfs"

static bool matches(const char *pattern, const char *text)
{
	regex_t regex;
	bool found = false;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | REG_ICASE) != 0)
		return false;
	found = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return found;
}

bool is_known_word(const char *word)
{
	return matches("^(!?" DEVICE "|" NUMBER "|" SCHEDULER "|" POLICY "|" WORD
		       "|" PLUG_IN ")$",
		       word);
}

bool is_known_path(const char *path)
{
	return matches("^/sys/block/" DEVICE "/(queue|device)/[a-z_]+$", path);
}

/* What tuned and saptune come with, and names of tuned's plug-ins. */
static bool is_program_name(const char *word)
{
	static const char *const names[] = {
		/* profiles */
		"accelerator-performance", "atomic-guest", "atomic-host", "aws",
		"balanced",
		"balanced-battery", "cpu-partitioning", "cpu-partitioning-powersave",
		"default", "desktop", "desktop-powersave", "enterprise-storage",
		"hpc-compute", "intel-sst", "laptop-ac-powersave",
		"laptop-battery-powersave", "latency-performance", "mssql",
		"network-latency", "network-throughput", "openshift",
		"openshift-control-plane", "openshift-node", "optimize-serial-console",
		"oracle", "postgresql", "powersave", "realtime", "realtime-virtual-guest",
		"realtime-virtual-host", "sap-hana", "sap-hana-kvm-guest",
		"sap-netweaver", "server-powersave", "spectrumscale-ece",
		"spindown-disk", "throughput-performance", "virtual-guest",
		"virtual-host",
		/* plug-ins */
		"acpi", "audio", "bootloader", "cgroup", "cpu", "disk", "eeepc_she",
		"function", "irq", "irqbalance", "main", "modules", "mounts", "net",
		"rtentsk", "scheduler", "script", "scsi_host", "selinux", "service",
		"sysctl", "sysfs", "systemd", "uncore", "usb", "variables", "video", "vm",
		/* solutions of saptune */
		"BOBJ", "HANA", "MAXDB", "NETWEAVER", "NETWEAVER+HANA", "NETWEAVER+MAXDB",
		"S4HANA-APP+DB", "S4HANA-APPSERVER", "S4HANA-DBSERVER", "SAP-ASE",
		"SAP_BOBJ", "SAP_ASE",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], word) == 0)
			return true;
	}
	/* numbers of SAP's notes */
	return *word && strspn(word, "0123456789") == strlen(word) && strlen(word) <= 7;
}

/* Calls @replace for each word of @value; what stands between the words stays. */
struct replacer {
	const char *(*replace)(struct replacer *replacer, const char *word);
	const struct root *root;
	struct given_words *given;
	struct names *words;
	char name[256];
	int r;
};

static void replace_words(struct replacer *replacer, const char *value, char *buf,
			  size_t size)
{
	size_t n = 0;
	char quote = *value == '"' || *value == '\'' ? *value : '\0';

	buf[0] = '\0';
	for (const char *p = value; *p && n + 1 < size;) {
		size_t len = strcspn(p, SEPARATORS);
		char word[256];

		if (*p == '#' && !quote && (p == value || p[-1] == ' ' || p[-1] == '\t'))
			break; /* a comment */
		if (len == 0) {
			buf[n++] = *p;
			buf[n] = '\0';
			if (quote && *p++ == quote && p - 1 > value)
				break; /* what follows is no part of the value */
			p += !quote;
			continue;
		}
		(void)snprintf(word, sizeof(word), "%.*s", (int)len, p);
		n += (size_t)snprintf(buf + n, size - n, "%s",
				      replacer->replace(replacer, word));
		p += len;
	}
	trim_end(buf);
}

static const char *replace_known(struct replacer *replacer, const char *word)
{
	char link[ROOT_PATH_MAX];
	const char *syspath = NULL;

	if (strchr(word, '$'))
		return "$";
	if (is_known_word(word))
		return word;
	if (strchr(word, '/'))
		return "?";
	(void)snprintf(link, sizeof(link), "/dev/disk/by-id/%s", word);
	if (root_is_snapshot(replacer->root))
		syspath = snapshot_node(replacer->root, link + strlen("/dev/"));
	if (syspath)
		return path_name(syspath);
	return root_read_link_name(replacer->root, link, replacer->name,
				   sizeof(replacer->name)) == 0
		       ? replacer->name
		       : "?";
}

void known_words_only(const struct root *root, const char *value, char *buf, size_t size)
{
	struct replacer replacer = { .replace = replace_known, .root = root };

	replace_words(&replacer, value, buf, size);
}

const char *given_word(struct given_words *given, const char *word)
{
	size_t i = 0;

	if (is_program_name(word))
		return word;
	while (i < given->names.n && strcmp(given->names.list[i], word) != 0)
		i++;
	if (i == given->names.n && names_add(&given->names, word) < 0)
		return "?";
	(void)snprintf(given->buf, sizeof(given->buf), "name%zu", i + 1);
	return given->buf;
}

static const char *replace_given(struct replacer *replacer, const char *word)
{
	if (strpbrk(word, "/$"))
		return "$"; /* no name, and ignored by whoever reads it */
	if (replacer->r == 0)
		replacer->r = names_add(replacer->words, word);
	return given_word(replacer->given, word);
}

int given_words_replace(struct given_words *given, const char *value, char *buf,
			size_t size, struct names *ret)
{
	struct replacer replacer = { .replace = replace_given,
				     .given = given,
				     .words = ret };

	replace_words(&replacer, value, buf, size);
	return replacer.r;
}

void given_words_done(struct given_words *given)
{
	names_done(&given->names);
}
