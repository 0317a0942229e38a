/* SPDX-License-Identifier: MIT */
/*
 * libata: from the disk's own path to its ata_port, ata_link and ata_device, never by
 * scanning a class. The N of ataN names port and link; the device on it is devN.T, or
 * devN.P.0 behind a port multiplier, where the SCSI channel is the multiplier's port
 * (drivers/ata/libata-transport.c). IDENTIFY is 256 words, of which ATA/ATAPI Command
 * Set says: 10-19 serial number, 23-26 firmware, 27-46 model, 75 queue depth, 76 SATA
 * capabilities, 87 and 108-111 world wide name, 217 nominal media rotation rate.
 */
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "facts/ata-identify.h"
#include "facts/probe.h"

/* Channel and target of the SCSI address in the path. */
static bool scsi_address(const struct probe *probe, unsigned int *ret_channel,
			 unsigned int *ret_target)
{
	char folder[ROOT_PATH_MAX];
	unsigned int host = 0, channel = 0, target = 0;
	int end = 0;

	if (!probe_find_ancestor(probe, "scsi", NULL, folder))
		return false;
	if (sscanf(path_name(folder), "%u:%u:%u:%*u%n", &host, &channel, &target,
		   &end) != 3 ||
	    path_name(folder)[end] != '\0')
		return false;
	*ret_channel = channel;
	*ret_target = target;
	return true;
}

static void set_class_anchor(struct probe *probe, enum anchor anchor, const char *folder,
			     const char *class, const char *name)
{
	char path[ROOT_PATH_MAX], class_folder[ROOT_PATH_MAX];

	if (path_join(class_folder, sizeof(class_folder), folder, class) == 0 &&
	    path_join(path, sizeof(path), class_folder, name) == 0 &&
	    root_exists(probe->root, path))
		facts_set_anchor(probe->facts, anchor, path);
}

static void locate(struct probe *probe)
{
	char port[ROOT_PATH_MAX], folder[ROOT_PATH_MAX], name[64];
	unsigned int channel = 0, target = 0;
	uint64_t n = 0;
	bool pmp = false;

	if (!probe_find_folder(probe, "ata", port, &n))
		return;
	facts_set_number(probe->facts, FACT_LIBATA, 1);
	facts_set_number(probe->facts, FACT_ATA_PORT_ID, n);
	set_class_anchor(probe, ANCHOR_ATA_PORT, port, "ata_port", path_name(port));
	if (!scsi_address(probe, &channel, &target))
		return;
	(void)snprintf(name, sizeof(name), "link%" PRIu64 ".%u", n, channel);
	pmp = probe_exists(probe, port, name);
	if (!pmp)
		(void)snprintf(name, sizeof(name), "link%" PRIu64, n);
	if (path_join(folder, sizeof(folder), port, name) < 0)
		return;
	set_class_anchor(probe, ANCHOR_ATA_LINK, folder, "ata_link", name);
	if (pmp)
		(void)snprintf(name, sizeof(name), "dev%" PRIu64 ".%u.0", n, channel);
	else
		(void)snprintf(name, sizeof(name), "dev%" PRIu64 ".%u", n, target);
	if (path_join(folder, sizeof(folder), folder, name) == 0)
		set_class_anchor(probe, ANCHOR_ATA_DEVICE, folder, "ata_device", name);
}

/* @n words of IDENTIFY text: two characters each, the high byte first. */
static void identify_text(const uint16_t *words, size_t n, char *buf)
{
	for (size_t i = 0; i < n; i++) {
		buf[2 * i] = (char)(words[i] >> 8);
		buf[2 * i + 1] = (char)(words[i] & 0xff);
	}
	buf[2 * n] = '\0';
}

void identify_set_facts(struct probe *probe, const uint16_t words[IDENTIFY_WORDS])
{
	char text[48];

	facts_set_number(probe->facts, FACT_ATA_ID_75, words[75]);
	facts_set_number(probe->facts, FACT_ATA_ID_76, words[76]);
	facts_set_number(probe->facts, FACT_ATA_ID_77, words[77]);
	facts_set_number(probe->facts, FACT_ATA_ID_217, words[217]);
	identify_text(words + 27, 20, text);
	probe_offer(probe, FACT_MODEL, text);
	identify_text(words + 10, 10, text);
	probe_offer(probe, FACT_SERIAL, text);
	identify_text(words + 23, 4, text);
	probe_offer(probe, FACT_FIRMWARE, text);
	if ((words[87] & 0xc100) == 0x4100) {
		(void)snprintf(text, sizeof(text), "0x%04x%04x%04x%04x", words[108],
			       words[109], words[110], words[111]);
		probe_offer(probe, FACT_WWN, text);
	}
}

/* The text of the `id` attribute: 256 groups of four hex digits. */
static bool parse_identify(char *text, uint16_t words[IDENTIFY_WORDS])
{
	char *place = NULL;
	size_t n = 0;

	for (char *word = strtok_r(text, " \n", &place); word;
	     word = strtok_r(NULL, " \n", &place)) {
		uint64_t value = 0;

		if (n == IDENTIFY_WORDS || strlen(word) != 4 ||
		    parse_hex(word, &value) < 0)
			return false;
		words[n++] = (uint16_t)value;
	}
	return n == IDENTIFY_WORDS;
}

/*
 * Lines of the error ring other than "Unknown", of which libata records one for each
 * probe (drivers/ata/libata-eh.c, AC_ERR_OTHER).
 */
static void count_errors(struct probe *probe, char *text)
{
	char *place = NULL;
	uint64_t n = 0;

	for (char *line = strtok_r(text, "\n", &place); line;
	     line = strtok_r(NULL, "\n", &place)) {
		char *names = strchr(line, ']');

		if (names && strcmp(trim(names + 1), "Unknown") != 0)
			n++;
	}
	facts_set_number(probe->facts, FACT_ERING_ERRORS, n);
}

static void derive(struct probe *probe)
{
	const char *folder = facts_anchor(probe->facts, ANCHOR_ATA_DEVICE);
	char text[ROOT_ATTR_MAX + 1];
	uint16_t words[IDENTIFY_WORDS];

	if (!folder)
		return;
	if (probe_read(probe, folder, "id", text, sizeof(text), NULL) &&
	    parse_identify(text, words))
		identify_set_facts(probe, words);
	if (probe_read(probe, folder, "ering", text, sizeof(text), NULL))
		count_errors(probe, text);
}

const struct prober ata_prober = { .locate = locate, .derive = derive };
