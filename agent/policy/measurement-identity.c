/* SPDX-License-Identifier: MIT */
/*
 * Whose a measurement is. A disk that can be told from all others is known wherever it
 * is; any other only at its place on its machine, for the next one that looks the same
 * may be another.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "policy/measurement-internal.h"

#define SERIAL_SHORTEST 4 /* characters that can tell disks apart */

/*
 * Serial numbers that many devices share, as patterns. Those that consist of one
 * character, or count up or down, need no row.
 */
static const char *const generic_serials[] = {
	"QM0????",	/* QEMU's IDE and AHCI disks: hw/ide/core.c, "QM%05d" */
	"*drive-*",	/* QEMU's SCSI disks, named by their place: hw/scsi/scsi-disk.c */
	"152D00539000", /* JMS567 docks: github.com/rockstor/rockstor-core/issues/2318 */
	"00000000????", /* Ewent EW7017: superuser.com/q/1663951 */
	"VMware?NVME_000?", /* VMware's NVMe controller */
};

static bool is_one_character(const char *text)
{
	return text[strspn(text, (char[]){ text[0], '\0' })] == '\0';
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) % 16 : -1;
}

/* "0123456789ABCDEF", "1234567890", "ABCDEF0123": each digit follows the one before. */
static bool counts_by(const char *text, int step)
{
	for (; text[1]; text++) {
		int a = hex_digit(text[0]), b = hex_digit(text[1]);

		if (a < 0 || b < 0 ||
		    (b != (a + step + 16) % 16 && b != (a + step + 10) % 10))
			return false;
	}
	return true;
}

static bool is_generic_serial(const char *serial)
{
	if (strncmp(serial, "0x", 2) == 0)
		serial += 2;
	if (strlen(serial) < SERIAL_SHORTEST || is_one_character(serial) ||
	    counts_by(serial, 1) || counts_by(serial, -1))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(generic_serials); i++) {
		if (glob_match(generic_serials[i], serial, false))
			return true;
	}
	return false;
}

/*
 * "nvme.1d0f-..." is put together from the serial number where the disk has no name of
 * its own (drivers/nvme/host/core.c, wwid_show). QEMU counts its namespaces from a fixed
 * number (hw/nvme/ns.c, NVME_EUI64_DEFAULT), so every machine has the same ones. Zeros
 * behind the maker's part (of NAA 5, 1 + 6 of 16 digits), or one digit all over, name no
 * disk.
 */
static bool is_generic_wwn(const char *wwn)
{
	const char *digits = strrchr(wwn, '.');

	if (strncmp(wwn, "nvme.", 5) == 0 || glob_match("*5254000000??????", wwn, false))
		return true;
	digits = digits ? digits + 1 : wwn;
	if (strncmp(digits, "0x", 2) == 0)
		digits += 2;
	return strlen(digits) < 8 || is_one_character(digits) ||
	       (strlen(digits) == 16 && strcmp(digits + 7, "000000000") == 0);
}

/* The LUN of ".../0:0:0:1/block/sdb", or NULL. */
static const char *lun_of(const char *syspath)
{
	const char *block = strstr(syspath, "/block/");
	const char *p = block;

	while (p && p > syspath && p[-1] != '/' && p[-1] != ':')
		p--;
	return p && p > syspath && p[-1] == ':' ? p : NULL;
}

/*
 * What tells units apart to which their maker gave one serial number: an NVMe namespace
 * beyond the first, a USB device's second disk, an eMMC's boot area. Empty for others.
 */
static void unit_of(const struct disk *disk, const struct disk_class *class, char buf[16])
{
	const char *wwid = facts_text(&disk->facts, FACT_NVME_WWID);
	const char *text = NULL, *first = "0";

	if (class->transport == TRANSPORT_MMC)
		text = strstr(path_name(disk->syspath), "boot");
	else if (class->transport == TRANSPORT_USB)
		text = lun_of(disk->syspath);
	else if (wwid && strncmp(wwid, "nvme.", 5) == 0) {
		text = strrchr(wwid, '-'); /* "nvme.1344-<serial>-<model>-00000002" */
		text = text ? text + 1 : NULL;
		first = "00000001";
	}
	(void)snprintf(buf, 16, "%.*s", text ? (int)strcspn(text, "/") : 0,
		       text ? text : "");
	if (strcmp(buf, first) == 0)
		buf[0] = '\0';
}

static void set_text(char *buf, size_t size, const char *text)
{
	(void)canonical_text(text ? text : "", buf, size);
}

static void set_serial(struct measured_identity *identity, const struct disk *disk,
		       const struct disk_class *class)
{
	const char *serial = facts_text(&disk->facts, FACT_SERIAL);
	char unit[16], text[FACT_TEXT_MAX + 32];

	if (!serial)
		return;
	unit_of(disk, class, unit);
	(void)snprintf(text, sizeof(text), "%.100s%s%s", serial, unit[0] ? "+" : "",
		       unit);
	set_text(identity->serial, sizeof(identity->serial), text);
}

static bool is_weak(const struct measured_identity *identity,
		    const struct disk_facts *facts, const struct disk_class *class)
{
	const char *serial = facts_text(facts, FACT_SERIAL);

	if (identity->wwn[0])
		return false;
	return !serial || is_generic_serial(serial) ||
	       class->class == CLASS_VIRTUAL_DISK || class->class == CLASS_CLOUD_VOLUME;
}

static uint64_t hash_bytes(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) /* FNV-1a, 64 bits */
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return hash;
}

/* With its NUL, so that "ab" and "c" is not "a" and "bc". */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text) + 1);
}

#define HASH_BEGIN 0xcbf29ce484222325ULL

/*
 * machine-id(5) asks not to show the id itself. This is half as long as the id, which is
 * random: 2^64 ids have the same hash, so that no skill gets the id back, and no strong
 * hash is needed. It tells machines apart; who knows an id can see that it is this one.
 */
static void set_machine(struct measured_identity *identity, const char *machine_id)
{
	size_t len = machine_id ? strspn(machine_id, "0123456789abcdef") : 0;
	uint64_t hash = hash_text(HASH_BEGIN, "blkadvise measurement");

	if (len != 32) /* "uninitialized" at the first boot */
		return;
	hash = hash_bytes(hash, machine_id, len);
	(void)snprintf(identity->machine, sizeof(identity->machine), "%016" PRIx64, hash);
}

static uint64_t hash_identity(const struct measured_identity *identity)
{
	uint64_t hash = HASH_BEGIN;

	if (identity->wwn[0])
		return hash_text(hash, identity->wwn);
	hash = hash_text(hash, identity->model);
	hash = hash_text(hash, identity->serial);
	if (!identity->weak)
		return hash;
	hash = hash_text(hash, identity->place);
	return hash_text(hash, identity->machine);
}

void measurement_path(const struct measured_identity *identity,
		      char buf[MEASUREMENT_PATH_MAX])
{
	(void)snprintf(buf, MEASUREMENT_PATH_MAX, PATH_MEASUREMENTS "/%016" PRIx64,
		       hash_identity(identity));
}

/* What is the disk's own and does not change, but for the members of a stack. */
static int identify_one(const struct disk *disk, const struct disk_class *class,
			const char *machine_id, struct measured_identity *ret)
{
	const struct disk_facts *facts = &disk->facts;
	struct measured_identity identity = { 0 };
	const char *wwn = facts_text(facts, FACT_WWN);

	if (wwn && !is_generic_wwn(wwn))
		set_text(identity.wwn, sizeof(identity.wwn), wwn);
	set_text(identity.model, sizeof(identity.model), facts_text(facts, FACT_MODEL));
	set_serial(&identity, disk, class);
	identity.weak = is_weak(&identity, facts, class);
	if (identity.weak) {
		char place[FACT_TEXT_MAX];

		if (!place_of(disk, place, sizeof(place)))
			return -ENODATA;
		set_text(identity.place, sizeof(identity.place), place);
		set_machine(&identity, machine_id);
	}
	*ret = identity;
	return 0;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A leaf that nothing identifies counts, too: it is one more. -ENOMEM. */
static int set_members(struct measured_identity *identity, const struct disk *disk,
		       const char *machine_id)
{
	_cleanup_free_ uint64_t *hashes = calloc(disk->n_leaves + 1, sizeof(*hashes));
	uint64_t hash = HASH_BEGIN;

	if (!hashes)
		return -ENOMEM;
	for (size_t i = 0; i < disk->n_leaves; i++) {
		struct measured_identity leaf = { 0 };
		struct disk_class class = { 0 };

		classify_facts(&disk->leaves[i].facts, &class);
		if (identify_one(&disk->leaves[i], &class, machine_id, &leaf) == 0)
			hashes[i] = hash_identity(&leaf);
	}
	qsort(hashes, disk->n_leaves, sizeof(*hashes), compare_hashes);
	for (size_t i = 0; i < disk->n_leaves; i++) {
		char text[24];

		(void)snprintf(text, sizeof(text), "%" PRIx64, hashes[i]);
		hash = hash_text(hash, text);
	}
	if (disk->n_leaves > 0)
		(void)snprintf(identity->members, sizeof(identity->members),
			       "%016" PRIx64, hash);
	return 0;
}

static void add_setting(uint64_t *hash, const struct disk_facts *facts, enum fact fact)
{
	char text[FACT_TEXT_MAX] = "";

	(void)facts_format(facts, fact, text, sizeof(text));
	*hash = hash_text(*hash, text);
}

void measurement_add_part(struct measurement *measurement, const struct disk *part,
			  const struct disk_class *class)
{
	char *state = measurement->identity.members_state;
	uint64_t hash = HASH_BEGIN, sum = 0;

	add_setting(&hash, &part->facts, FACT_FIRMWARE);
	if (class->attachment != ATTACHMENT_UNKNOWN)
		hash = hash_text(hash, attachment_to_string(class->attachment));
	for (int i = 0; i < _TUNABLE_MAX; i++) {
		if (i != TUNABLE_READ_AHEAD_KB)
			add_setting(&hash, &part->facts, tunable_fact((enum tunable)i));
	}
	sum = strtoull(state, NULL, 16) + hash; /* a sum has no order */
	(void)snprintf(state, sizeof(measurement->identity.members_state), "%016" PRIx64,
		       sum);
}

int measurement_identify(const struct disk *disk, const struct disk_class *class,
			 const char *machine_id, struct measurement *ret)
{
	const struct disk_facts *facts = &disk->facts;
	struct measured_identity identity = { 0 };
	uint64_t sectors = 0;
	int r = identify_one(disk, class, machine_id, &identity);

	if (r == 0)
		r = set_members(&identity, disk, machine_id);
	if (r < 0)
		return r;
	set_text(identity.firmware, sizeof(identity.firmware),
		 facts_text(facts, FACT_FIRMWARE));
	set_text(identity.attachment, sizeof(identity.attachment),
		 attachment_to_string(class->attachment));
	set_text(identity.class, sizeof(identity.class), class_to_string(class->class));
	if (facts_number(facts, FACT_SIZE, &sectors))
		identity.size_kb = sectors / 2;
	memset(ret, 0, sizeof(*ret));
	ret->identity = identity;
	for (size_t i = 0; i < disk->n_leaves; i++) {
		struct disk_class leaf = { 0 };

		classify_facts(&disk->leaves[i].facts, &leaf);
		measurement_add_part(ret, &disk->leaves[i], &leaf);
	}
	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		char text[FACT_TEXT_MAX];

		if (facts_format(facts, tunable_fact((enum tunable)i), text,
				 sizeof(text)))
			set_text(ret->settings[i], sizeof(ret->settings[i]), text);
	}
	return 0;
}

bool measurement_is_of(const struct measured_identity *a,
		       const struct measured_identity *b)
{
	if (a->weak != b->weak || strcmp(a->wwn, b->wwn) != 0)
		return false;
	if (a->wwn[0]) /* some makers give one WWN to all disks of a model */
		return !a->serial[0] || !b->serial[0] ||
		       strcmp(a->serial, b->serial) == 0;
	return strcmp(a->model, b->model) == 0 && strcmp(a->serial, b->serial) == 0 &&
	       strcmp(a->place, b->place) == 0 && strcmp(a->machine, b->machine) == 0;
}
