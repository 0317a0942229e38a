/* SPDX-License-Identifier: MIT */
/*
 * Where identities stand: each kind of field has its own syntax around them, which stays
 * readable. Collected from everything that was read before the first line is written,
 * since a serial number may stand in a link long before the attribute that says so.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/capture.h"

#define GUID_LEN 36

/* The block whose lines are looked at. */
struct collector {
	struct pseudonyms *pseudonyms;
	const struct block *block;
	size_t index;
};

static int add(const struct collector *collector, const char *text, size_t len,
	       const char *letters)
{
	return pseudonym_add(collector->pseudonyms, collector->index, text, len, letters);
}

static int add_address(const struct collector *collector, const char *text, size_t len)
{
	return pseudonym_add_address(collector->pseudonyms, collector->index, text, len);
}

static size_t hex_len(const char *text)
{
	return strspn(text, "0123456789abcdefABCDEF");
}

static bool is_guid(const char *text)
{
	for (size_t i = 0; i < GUID_LEN; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return !isalnum((unsigned char)text[GUID_LEN]);
}

/*
 * Digits without punctuation are a number; one of 17 or 33 is udev's: a WWN with its
 * type in front.
 */
static int add_number(const struct collector *collector, const char *text)
{
	size_t len = 0;

	while (isspace((unsigned char)*text))
		text++;
	if (strncmp(text, "0x", 2) == 0)
		text += 2;
	for (len = strlen(text); len > 0 && isspace((unsigned char)text[len - 1]);)
		len--;
	if (hex_len(text) != len)
		return add(collector, text, len, "SERIAL");
	if (len == 17 || len == 33) {
		text++;
		len--;
	}
	return pseudonym_add_hex(collector->pseudonyms, collector->index, text, len);
}

/* A host controller's serial number is its address, which is no secret. */
static bool is_in_path(const char *syspath, const char *text)
{
	size_t len = strcspn(text, "\n");

	for (const char *p = syspath; len > 0 && (p = strstr(p, "/")); p++) {
		if (strncmp(p + 1, text, len) == 0 && (p[len + 1] == '/' || !p[len + 1]))
			return true;
	}
	return false;
}

/* Behind "@value_" in @text, if it begins so. */
static const char *behind(const char *text, const char *value)
{
	size_t len = value ? strlen(value) : 0;

	return len > 0 && strncmp(text, value, len) == 0 && text[len] == '_'
		       ? text + len + 1
		       : text;
}

/* Behind what makers put before every serial number, and quirk files match. */
static const char *behind_maker(const char *text)
{
	static const char ucloud[] = "UCLOUD_DISK_";

	return strncmp(text, ucloud, strlen(ucloud)) == 0 ? text + strlen(ucloud) : text;
}

static int collect_serial(const struct collector *collector, const struct line *line)
{
	const struct block *block = collector->block;
	const char *text = line->value, *part = NULL;

	if (line->letter == 'E' && strcmp(line->name, "ID_SERIAL") == 0)
		part = block_value(block, 'E', "ID_SERIAL_SHORT");
	else if (line->letter == 'E' && strcmp(line->name, "ID_USB_SERIAL") == 0)
		part = block_value(block, 'E', "ID_USB_SERIAL_SHORT");
	if (part && *part && strstr(text, part))
		return 0; /* vendor and model, and what that line says */
	if (is_in_path(block->syspath, text))
		return 0;
	if (line->letter == 'E') {
		text = behind(text, block_value(block, 'E', "ID_VENDOR"));
		text = behind(text, block_value(block, 'E', "ID_MODEL"));
	}
	return add_number(collector, behind_maker(text));
}

/* A name; that of a RAID array begins with its host's. */
static int collect_name(const struct collector *collector, const struct line *line)
{
	int r = is_in_path(collector->block->syspath, line->value)
			? 0
			: add(collector, line->value, line->len, "NAME");

	if (r == 0 && strcmp(line->name, "MD_NAME") == 0 && strchr(line->value, ':'))
		r = add(collector, line->value, strcspn(line->value, ":"), "NAME");
	return r;
}

/* "t10.": a vendor's eight characters, model, serial number. libata pads them all. */
static int collect_t10(const struct collector *collector, const char *text)
{
	const size_t ata_serial = 48;
	size_t len = strlen(text);
	const char *last = NULL;

	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	if (strncmp(text, "ATA     ", 8) == 0 && len > ata_serial)
		return add(collector, text + ata_serial, len - ata_serial, "SERIAL");
	for (last = text + len; last > text && !isspace((unsigned char)last[-1]);)
		last--;
	return add(collector, last, (size_t)(text + len - last), "SERIAL");
}

static int collect_wwn(const struct collector *collector, const struct line *line)
{
	static const char *const prefixes[] = { "naa.", "eui.", "uuid." };
	const char *text = line->value;
	char digits[80];
	size_t n = 0;

	if (strncmp(text, "t10.", 4) == 0)
		return collect_t10(collector, text + 4);
	if (strncmp(text, "nvme.", 5) ==
	    0) { /* vendor-serial-model-namespace in digits */
		text += strcspn(text, "-");
		text += *text == '-';
		return pseudonym_add_encoded(collector->pseudonyms, collector->index,
					     text, hex_len(text));
	}
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			text += strlen(prefixes[i]);
	}
	if (is_guid(text))
		return add(collector, text, GUID_LEN, "");
	for (const char *p = text; hex_len(p) == 2 && n < sizeof(digits) - 2;) {
		memcpy(digits + n, p,
		       2); /* "00 25 38 ...", as attributes called eui have it */
		n += 2;
		p += 2 + (p[2] == ' ');
	}
	digits[n] = '\0';
	return add_number(collector, n == 16 || n == 32 ? digits : text);
}

/* "mpath-", "LVM-", "CRYPT-LUKS2-": who made the name stays readable. */
static int collect_dm_uuid(const struct collector *collector, const char *text)
{
	const char *dash = strchr(text, '-');

	if (dash && strncmp(text, "part", 4) == 0 && strchr(dash + 1, '-'))
		dash = strchr(dash + 1, '-');
	if (dash && strncmp(text, "CRYPT-", 6) == 0 && strchr(dash + 1, '-'))
		dash = strchr(dash + 1, '-');
	return add_number(collector, dash ? dash + 1 : text);
}

static bool has_digit(const char *text, size_t len)
{
	return strcspn(text, "0123456789") < len;
}

/* A word of a drive's own NQN that looks like a number, and is not its model. */
static int collect_nqn_word(const struct collector *collector, const char *text,
			    size_t len)
{
	const char *model = block_value(collector->block, 'A', "model");
	char word[64];

	if (len < 8 || len >= sizeof(word) || !has_digit(text, len) ||
	    pseudonym_stands_in(collector->pseudonyms, text, len))
		return 0;
	memcpy(word, text, len);
	word[len] = '\0';
	return model && strstr(model, word) ? 0 : add(collector, word, len, "SERIAL");
}

/* The NQN of a target in a network is its owner's choice, host and all. */
static int collect_nqn(const struct collector *collector, const char *text)
{
	const char *transport = block_value(collector->block, 'A', "transport");
	int r = 0;

	if (strncmp(text, "nqn.", 4) == 0)
		text += 4;
	if (transport && strncmp(transport, "pcie", 4) != 0)
		return add_address(collector, text, strlen(text));
	text += strcspn(text, ":");
	while (r == 0 && *text) {
		size_t len = strcspn(text, ": \n");

		r = is_guid(text) ? add(collector, text, GUID_LEN, "")
				  : collect_nqn_word(collector, text, len);
		text += len + (text[len] != '\0');
	}
	return r;
}

/* "traddr=192.0.2.1,trsvcid=4420,host_traddr=..." */
static int collect_address(const struct collector *collector, const char *text)
{
	int r = 0;

	for (const char *p = text; r == 0 && (p = strstr(p, "addr="));) {
		p += strlen("addr=");
		r = add_address(collector, p, strcspn(p, ",\n"));
	}
	return r;
}

/* "ip-192.0.2.1:3260-iscsi-iqn.2024-01.example:target-lun-0" */
static int collect_iscsi(const struct collector *collector, const char *text)
{
	const char *ip = strstr(text, "ip-"), *iqn = strstr(text, "-iscsi-"), *end = NULL;
	int r = 0;

	if (!ip || !iqn || ip > iqn || (ip > text && isalnum((unsigned char)ip[-1])))
		return 0;
	for (end = iqn; end > ip + 3 && isdigit((unsigned char)end[-1]);)
		end--;
	r = add_address(collector, ip + 3, (size_t)(end - ip) - 3);
	iqn += strlen("-iscsi-");
	end = strstr(iqn, "-lun-");
	if (r == 0)
		r = add_address(collector, iqn, end ? (size_t)(end - iqn) : strlen(iqn));
	return r;
}

/* GUIDs in the middle of other text; in a path of sysfs they are Hyper-V's channels. */
static int collect_guids(const struct collector *collector, const char *text)
{
	int r = 0;

	for (const char *p = text; r == 0 && *p; p++) {
		if ((p == text || !isalnum((unsigned char)p[-1])) && is_guid(p))
			r = add(collector, p, GUID_LEN, "");
	}
	return r;
}

static int collect_wwns(const struct collector *collector, const char *text)
{
	int r = 0;

	for (const char *p = strstr(text, "0x"); r == 0 && p; p = strstr(p, "0x")) {
		size_t len = hex_len(p + 2);

		p += 2;
		if (len >= 8)
			r = pseudonym_add_hex(collector->pseudonyms, collector->index, p,
					      len);
	}
	return r;
}

static int collect_path(const struct collector *collector, const char *text)
{
	int r = collect_iscsi(collector, text);

	if (r == 0)
		r = collect_wwns(collector, text);
	return r < 0 ? r : collect_guids(collector, text);
}

static int collect_identify(const struct collector *collector, const struct line *line)
{
	char serial[21], wwn[17];
	int r = 0;

	if (!identify_names(line, serial, wwn))
		return 0;
	r = add(collector, serial, strlen(serial), "SERIAL");
	return r < 0 ? r : add_number(collector, wwn);
}

static int collect_line(const struct collector *collector, const struct line *line)
{
	switch (line->field) {
	case FIELD_PLAIN:
	case FIELD_PUBLIC:
		return 0;
	case FIELD_PATH:
		return collect_path(collector, line->value);
	case FIELD_LINKS: /* what others hold stands in a field of its own, too */
		return strncmp(line->value, "disk/by-path/", 13) == 0
			       ? collect_path(collector, line->value)
			       : 0;
	case FIELD_SERIAL:
		return collect_serial(collector, line);
	case FIELD_NAME:
		return collect_name(collector, line);
	case FIELD_WWN:
		return collect_wwn(collector, line);
	case FIELD_DM_UUID:
		return collect_dm_uuid(collector, line->value);
	case FIELD_NQN:
		return collect_nqn(collector, line->value);
	case FIELD_ADDRESS:
		return collect_address(collector, line->value);
	case FIELD_IDENTIFY:
	case FIELD_VPD_89:
		return collect_identify(collector, line);
	case FIELD_VPD_80: /* four bytes of header */
		return line->len > 4
			       ? add(collector, line->value + 4, line->len - 4, "SERIAL")
			       : 0;
	}
	return 0;
}

/*
 * The order gives the numbers, and the capture of a capture must give the same ones:
 * links come last in their block, for their order is that of the names in them, and
 * what is not written comes last of all.
 */
static int rank(const struct line *line)
{
	return line->dropped ? 2 : line->field == FIELD_LINKS;
}

static int collect_block(const struct collector *collector, int wanted)
{
	int r = wanted == 0 ? collect_guids(collector, collector->block->syspath) : 0;

	for (size_t i = 0; r == 0 && i < collector->block->n; i++) {
		if (rank(&collector->block->lines[i]) == wanted)
			r = collect_line(collector, &collector->block->lines[i]);
	}
	return r;
}

int capture_collect(const struct capture *capture)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < 2 * capture->n; i++) {
		const size_t index = i % capture->n;
		const struct collector collector = { capture->pseudonyms,
						     &capture->blocks[index], index };

		r = collect_block(&collector, i < capture->n ? 0 : 2);
		if (r == 0 && i < capture->n)
			r = collect_block(&collector, 1);
	}
	return r;
}
