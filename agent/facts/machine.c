/* SPDX-License-Identifier: MIT */
/*
 * Facts of the machine that every disk shares: whether a hypervisor runs us, and what
 * the kernel command line says. The "hypervisor" flag of /proc/cpuinfo is the CPU's own
 * word (CPUID leaf 1, ECX bit 31); DMI names the product, and decides where the CPU
 * says nothing (other architectures).
 */
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "facts/probe.h"

static const struct {
	const char *vendor, *product; /* patterns */
	const char *hypervisor;
} hypervisors[] = {
	{ "QEMU", "*", "qemu" },
	{ "*", "KVM*", "kvm" },
	{ "VMware*", "*", "vmware" },
	{ "Microsoft Corporation", "Virtual Machine*", "hyper-v" },
	{ "Xen", "*", "xen" },
	{ "innotek GmbH", "*", "virtualbox" },
	{ "Oracle Corporation", "VirtualBox*", "virtualbox" },
	{ "Google*", "Google Compute Engine*", "google" },
	{ "OpenStack*", "*", "openstack" },
	{ "Parallels*", "*", "parallels" },
	{ "BHYVE", "*", "bhyve" },
	{ "Bochs", "*", "bochs" },
	{ "Alibaba Cloud", "*", "alibaba" },
	{ "DigitalOcean", "*", "digitalocean" },
};

/* Where it is not the CPU's own word. */
static void set_guest(struct probe *probe, bool guest, const char *source)
{
	facts_set_number(probe->facts, FACT_GUEST, guest);
	facts_set_source(probe->facts, FACT_GUEST, source);
}

/* The flags line of the first CPU, if the first page holds all of it. */
static void read_cpu_flags(struct probe *probe)
{
	char text[ROOT_ATTR_MAX + 1];
	char *flags = NULL, *end = NULL;

	if (root_read_head(probe->root, "/proc/cpuinfo", text, sizeof(text), NULL) < 0)
		return;
	flags = strncmp(text, "flags", 5) == 0 ? text : strstr(text, "\nflags");
	if (!flags)
		return;
	end = strchr(flags + 1, '\n');
	if (!end)
		return;
	*end = '\0';
	facts_set_number(probe->facts, FACT_GUEST, word_in_list("hypervisor", flags));
}

static void read_xen(struct probe *probe)
{
	static const char type_path[] = "/sys/hypervisor/type";
	static const char capabilities_path[] = "/proc/xen/capabilities";
	char type[64], capabilities[256];

	if (root_read(probe->root, type_path, type, sizeof(type), NULL) < 0)
		return;
	/* The first domain owns the hardware: it is no guest. */
	if (root_read_head(probe->root, capabilities_path, capabilities,
			   sizeof(capabilities), NULL) == 0 &&
	    strstr(capabilities, "control_d")) {
		set_guest(probe, false, capabilities_path);
		return;
	}
	if (strcmp(trim(type), "xen") == 0) {
		facts_set_text(probe->facts, FACT_HYPERVISOR, "xen");
		facts_set_source(probe->facts, FACT_HYPERVISOR, type_path);
		set_guest(probe, true, type_path);
	}
}

static void match_dmi(struct probe *probe)
{
	const char *vendor = facts_text(probe->facts, FACT_SYS_VENDOR);
	const char *product = facts_text(probe->facts, FACT_PRODUCT_NAME);

	if (!vendor || facts_known(probe->facts, FACT_HYPERVISOR) ||
	    facts_is_clear(probe->facts, FACT_GUEST))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(hypervisors); i++) {
		if (!glob_match(hypervisors[i].vendor, vendor, false) ||
		    !glob_match(hypervisors[i].product, product ? product : "", false))
			continue;
		facts_set_text(probe->facts, FACT_HYPERVISOR, hypervisors[i].hypervisor);
		if (strcmp(hypervisors[i].vendor, "*") == 0)
			facts_set_source(probe->facts, FACT_HYPERVISOR,
					 "/sys/class/dmi/id/product_name");
		if (!facts_known(probe->facts, FACT_GUEST))
			set_guest(probe, true, "/sys/class/dmi/id/sys_vendor");
		return;
	}
}

static void read_command_line(struct probe *probe)
{
	char text[ROOT_ATTR_MAX + 1], *place = NULL;

	if (root_read_head(probe->root, "/proc/cmdline", text, sizeof(text), NULL) < 0)
		return;
	for (char *word = strtok_r(text, " \n", &place); word;
	     word = strtok_r(NULL, " \n", &place)) {
		bool flag = false;

		if (strncmp(word, "libata.force=", 13) == 0)
			facts_set_text(probe->facts, FACT_LIBATA_FORCE, word + 13);
		else if (strncmp(word, "blkadvise.apply=", 16) == 0 &&
			 parse_bool(word + 16, &flag) == 0)
			facts_set_number(probe->facts, FACT_CMDLINE_APPLY, flag);
		else if (strncmp(word, "elevator=", 9) == 0)
			facts_set_text(probe->facts, FACT_ELEVATOR, word + 9);
	}
}

static void derive(struct probe *probe)
{
	read_cpu_flags(probe);
	read_xen(probe);
	match_dmi(probe);
	read_command_line(probe);
}

const struct prober machine_prober = { .derive = derive };
