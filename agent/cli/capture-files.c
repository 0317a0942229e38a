/* SPDX-License-Identifier: MIT */
/*
 * Files outside /sys/devices that say what the machine is and how it was booted. Most of
 * them hold host names, addresses and names given by people: only what is known to matter
 * passes, word by word or line by line.
 */
#include <string.h>

#include "base/parse.h"
#include "base/snapshot.h"
#include "base/text.h"
#include "cli/capture.h"

/* Whole words, with '*' for what may follow. */
static const char *const known_words[] = {
	"acpi=*",	 "ahci.*",	  "amd_iommu=*",
	"ata_piix.*",	 "blkadvise.*",	  "elevator=*",
	"intel_iommu=*", "iommu=*",	  "libahci.*",
	"libata.*",	 "nvme.*",	  "nvme_core.*",
	"nvme-core.*",	 "nvme_tcp.*",	  "pci=*",
	"pcie_aspm=*",	 "pcie_port_pm=*", "quiet",
	"ro",		 "rootwait",	  "rw",
	"scsi_mod.*",	 "sd_mod.*",	  "uas.*",
	"usb-storage.*", "usb_storage.*", "usbcore.*",
	"virtio_blk.*",	 "vmd.*",
};

/* Of root= only the kind of what it names. */
static const char *const root_kinds[] = {
	"root=UUID=",
	"root=PARTUUID=",
	"root=LABEL=",
	"root=PARTLABEL=",
	"root=/dev/mapper/",
	"root=/dev/disk/by-id/",
	"root=/dev/disk/by-uuid/",
	"root=/dev/disk/by-label/",
	"root=/dev/disk/by-partuuid/",
	"root=/dev/nfs",
};

static bool is_known(const char *word)
{
	if (strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			 "_.,:=+-") != strlen(word))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(known_words); i++) {
		if (glob_match(known_words[i], word, false))
			return true;
	}
	return false;
}

static const char *root_kind(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(root_kinds); i++) {
		if (strncmp(word, root_kinds[i], strlen(root_kinds[i])) == 0)
			return root_kinds[i];
	}
	return NULL;
}

void capture_write_file(const char *path, const char *text, size_t len, FILE *out)
{
	(void)fprintf(out, "F: %s=", path);
	capture_write_escaped(text, len, out);
	(void)fputc('\n', out);
}

static void write_command_line(const struct capture *capture, FILE *out)
{
	char text[ROOT_ATTR_MAX + 1], kept[ROOT_ATTR_MAX + 2] = "", *place = NULL;
	size_t n = 0;

	if (root_read_head(capture->root, "/proc/cmdline", text, sizeof(text), NULL) < 0)
		return;
	for (char *word = strtok_r(text, " \n", &place); word;
	     word = strtok_r(NULL, " \n", &place)) {
		const char *shown = root_kind(word);

		if (!shown && is_known(word))
			shown = word;
		if (!shown)
			continue;
		n += (size_t)snprintf(kept + n, sizeof(kept) - n, "%s%s", n ? " " : "",
				      shown);
		pseudonym_replace(capture->pseudonyms, 0, false, kept + n - strlen(shown),
				  strlen(shown));
	}
	kept[n++] = '\n';
	capture_write_file("/proc/cmdline", kept, n, out);
}

/* The flags of the first CPU, if the prober could read them (facts/machine.c). */
static void write_cpu_flags(const struct capture *capture, FILE *out)
{
	char text[ROOT_ATTR_MAX + 1];
	const char *flags = NULL, *end = NULL;

	if (root_read_head(capture->root, "/proc/cpuinfo", text, sizeof(text), NULL) < 0)
		return;
	flags = strncmp(text, "flags", 5) == 0 ? text : strstr(text, "\nflags");
	if (!flags)
		return;
	flags += *flags == '\n';
	end = strchr(flags, '\n');
	if (end)
		capture_write_file("/proc/cpuinfo", flags, (size_t)(end - flags) + 1,
				   out);
}

static void write_whole(const struct capture *capture, const char *path, FILE *out)
{
	char text[ROOT_ATTR_MAX + 1];
	size_t len = 0;

	if (root_read(capture->root, path, text, sizeof(text), &len) == 0)
		capture_write_file(path, text, len, out);
}

/* "152d:0578:u,..." as usb-storage takes it. */
static void write_usb_quirks(const struct capture *capture, FILE *out)
{
	static const char path[] = "/sys/module/usb_storage/parameters/quirks";
	char text[ROOT_ATTR_MAX + 1];
	size_t len = 0;

	if (root_read(capture->root, path, text, sizeof(text), &len) == 0 &&
	    strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEF0123456789:,\n") == len)
		capture_write_file(path, text, len, out);
}

void capture_write_files(const struct capture *capture, FILE *out)
{
	char release[ROOT_ATTR_MAX + 1] = "", safe[SAFE_VALUE_MAX + 1];

	(void)root_read(capture->root, "/proc/sys/kernel/osrelease", release,
			sizeof(release), NULL);
	if (safe_value(release, safe, sizeof(safe)) == 0)
		strcpy(safe, "unknown");
	(void)fprintf(out,
		      "# blkadvise capture, version %s, kernel %s\n"
		      "# Serial numbers, world wide names, UUIDs and names given by "
		      "people are\n"
		      "#   pseudonyms. Of the kernel log, of /proc and /etc only lines "
		      "about storage.\n"
		      "#\n",
		      BLKADVISE_VERSION, safe);
	write_command_line(capture, out);
	write_cpu_flags(capture, out);
	write_whole(capture, "/proc/sys/kernel/osrelease", out);
	write_whole(capture, "/proc/xen/capabilities", out);
	write_whole(capture, "/sys/devices/system/cpu/online", out);
	write_whole(capture, "/sys/firmware/efi/fw_platform_size", out);
	write_whole(capture, "/sys/hypervisor/type", out);
	write_usb_quirks(capture, out);
}
