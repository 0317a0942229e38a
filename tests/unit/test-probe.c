/* SPDX-License-Identifier: MIT */
/*
 * Probing: what each parser of the fact table takes for a value, and the garbage that it
 * leaves unknown. The disk is one SATA disk in a capture whose one attribute is changed.
 */
#include <errno.h>
#include <string.h>

#include "support.h"

#define DISK "/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda"

/* A capture with the line @extra in the block of the path that ends with @at. */
static struct root *machine(const char *at, const char *extra, size_t len)
{
	static const char *const blocks[][2] = {
		{ "/devices/pci0000:00/0000:00:1f.2", "E: SUBSYSTEM=pci" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/ata_port/ata1",
		  "E: SUBSYSTEM=ata_port" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/link1/ata_link/link1",
		  "E: SUBSYSTEM=ata_link" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/link1/dev1.0/ata_device/dev1.0",
		  "E: SUBSYSTEM=ata_device" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/host0", "E: SUBSYSTEM=scsi" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/host0/scsi_host/host0",
		  "E: SUBSYSTEM=scsi_host" },
		{ "/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0",
		  "E: SUBSYSTEM=scsi" },
		{ DISK, "E: SUBSYSTEM=block" },
	};
	char text[16384];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "P: %s\n%s\n",
				      blocks[i][0], blocks[i][1]);
		if (extra && strcmp(path_name(blocks[i][0]), at) == 0) {
			assert_true(n + len + 2 < sizeof(text));
			memcpy(text + n, extra, len);
			n += len;
			text[n++] = '\n';
		}
		text[n++] = '\n';
		text[n] = '\0';
	}
	return capture_of(text);
}

static struct disk *probe(const char *at, const char *extra)
{
	_cleanup_root_ struct root *root = machine(at, extra, extra ? strlen(extra) : 0);
	struct disk *disk = NULL;

	assert_int_equal(disk_probe(root, "/sys" DISK, NULL, &disk), 0);
	return disk;
}

/* One attribute of each parser. */
static const struct attribute {
	enum fact fact;
	const char *at, *name;
	const char *good, *value; /* as text of facts_format() */
} attributes[] = {
	{ FACT_NR_REQUESTS, "sda", "queue/nr_requests", "128\\n", "128" },
	{ FACT_READ_AHEAD_KB, "sda", "queue/read_ahead_kb", "0\\n", "0" },
	{ FACT_DISKSEQ, "sda", "diskseq", "18446744073709551615\\n",
	  "18446744073709551615" },
	{ FACT_CAN_QUEUE, "host0", "can_queue", "32\\n", "32" },
	{ FACT_QUEUE_DEPTH, "0:0:0:0", "queue_depth", "31\\n", "31" },
	{ FACT_ROTATIONAL, "sda", "queue/rotational", "1\\n", "1" },
	{ FACT_PCI_CLASS, "0000:00:1f.2", "class", "0x010601\\n", "0x010601" },
	{ FACT_AHCI_HOST_CAPS, "host0", "ahci_host_caps", "e722ff05\\n", "0xe722ff05" },
	{ FACT_SATA_SPD, "link1", "sata_spd", "6.0 Gbps\\n", "6000" },
	{ FACT_MAX_LINK_SPEED, "0000:00:1f.2", "max_link_speed", "8.0 GT/s PCIe\\n",
	  "8000" },
	{ FACT_SCSI_MODEL, "0:0:0:0", "model", "ATA SSD 860     \\n", "ATA SSD 860" },
	{ FACT_XFER_MODE, "dev1.0", "xfer_mode", "XFER_UDMA_6\\n", "XFER_UDMA_6" },
};

static bool is_text(enum fact fact)
{
	return fact_type(fact) == FACT_TYPE_STRING;
}

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		const struct attribute *attribute = &attributes[i];
		_cleanup_disk_ struct disk *disk = NULL;
		char line[256], value[FACT_TEXT_MAX] = "unknown";

		(void)snprintf(line, sizeof(line), "A: %s=%s", attribute->name,
			       attribute->good);
		disk = probe(attribute->at, line);
		(void)facts_format(&disk->facts, attribute->fact, value, sizeof(value));
		ROW_TEXT(attribute->name, value, attribute->value);
	}
}

/* What no parser takes, and what only a text may be. */
static const struct {
	const char *text;
	bool for_texts; /* garbage even as a text */
} garbage[] = {
	{ "", true },
	{ "\\n", true },
	{ "   \\n", true },
	{ "(null)\\n", true },
	{ "<unknown>\\n", true },
	{ "Unknown\\n", true },
	{ "-1\\n", false },
	{ "0x\\n", false },
	{ "128 junk\\n", false },
	{ "junk 128\\n", false },
	{ "1.5.5\\n", false },
	{ "99999999999999999999999999\\n", false },
	{ "0xfffffffffffffffff\\n", false },
	{ "\\0001\\n", true },
	{ "12\\0003\\n", false },
	{ "\\377\\376\\n", false },
	{ "1\\n2\\n", false },
	{ "--\\n", false },
	{ "+5\\n", false },
	{ "5,0 Gbps\\n", false },
	{ "6.0 GHz\\n", false },
	{ "Gbps\\n", false },
};

static void test_garbage(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(garbage); k++) {
			_cleanup_disk_ struct disk *disk = NULL;
			char line[256], value[FACT_TEXT_MAX] = "unknown";

			if (is_text(attributes[i].fact) && !garbage[k].for_texts)
				continue;
			(void)snprintf(line, sizeof(line), "A: %s=%s", attributes[i].name,
				       garbage[k].text);
			disk = probe(attributes[i].at, line);
			(void)facts_format(&disk->facts, attributes[i].fact, value,
					   sizeof(value));
			ROW_TEXT(line, value, "unknown");
		}
	}
}

/* Only 0 and 1 are flags. */
static void test_flags(void **state)
{
	_cleanup_disk_ struct disk *two = probe("sda", "A: queue/rotational=2\\n");
	_cleanup_disk_ struct disk *zero = probe("sda", "A: queue/rotational=0\\n");

	(void)state;
	assert_false(facts_known(&two->facts, FACT_ROTATIONAL));
	assert_true(facts_is_clear(&zero->facts, FACT_ROTATIONAL));
}

static void test_modes(void **state)
{
	_cleanup_disk_ struct disk *writable = probe("0:0:0:0", "A: queue_depth=1\\n");
	_cleanup_disk_ struct disk *fixed =
		probe("0:0:0:0", "A: queue_depth=1\\n\nM: queue_depth=0444");
	_cleanup_disk_ struct disk *none = probe("0:0:0:0", NULL);

	(void)state;
	assert_true(facts_is_set(&writable->facts, FACT_QUEUE_DEPTH_WRITABLE));
	assert_true(facts_is_clear(&fixed->facts, FACT_QUEUE_DEPTH_WRITABLE));
	assert_false(facts_known(&none->facts, FACT_QUEUE_DEPTH_WRITABLE));
	assert_false(facts_known(&none->facts, FACT_NCQ_PRIO));
}

static void test_schedulers(void **state)
{
	static const struct {
		const char *text, *active, *list; /* NULL: unknown */
		bool fixed;
	} rows[] = {
		{ "[mq-deadline] bfq none\\n", "mq-deadline", "mq-deadline bfq none",
		  false },
		{ "none [bfq]\\n", "bfq", "none bfq", false },
		{ "[none] mq-deadline kyber bfq \\n", "none",
		  "none mq-deadline kyber bfq", false },
		{ "none\\n", "none", "none", true },
		{ "[none]\\n", "none", "none", false },
		{ "", NULL, NULL, false },
		{ "\\n", NULL, NULL, false },
		{ "mq-deadline\\n", NULL, NULL, false },
		{ "none bfq\\n", NULL, NULL, false },
		{ "[a] [b]\\n", NULL, NULL, false },
		{ "[] none\\n", NULL, NULL, false },
		{ "[mq-deadline none\\n", NULL, NULL, false },
		{ "[../../etc] none\\n", NULL, NULL, false },
		{ "[none] UPPER\\n", NULL, NULL, false },
		{ "[averyveryverylongname]\\n", NULL, NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_disk_ struct disk *disk = NULL;
		const char *active = NULL, *list = NULL;
		char line[128];

		(void)snprintf(line, sizeof(line), "A: queue/scheduler=%s", rows[i].text);
		disk = probe("sda", line);
		active = facts_text(&disk->facts, FACT_SCHEDULER);
		list = facts_text(&disk->facts, FACT_SCHEDULER_LIST);
		ROW_TEXT(line, active ? active : "?",
			 rows[i].active ? rows[i].active : "?");
		ROW_TEXT(line, list ? list : "?", rows[i].list ? rows[i].list : "?");
		ROW_INT(line, facts_is_set(&disk->facts, FACT_SCHEDULER_FIXED),
			rows[i].fixed);
	}
}

/* IDENTIFY of a wrong length, and a page of VPD that is too short. */
static void test_identify(void **state)
{
	static const char *const lines[][2] = {
		{ "dev1.0", "A: id=0040 3fff\\n" },
		{ "dev1.0", "A: id=" },
		{ "dev1.0", "A: id=zzzz\\n" },
		{ "0:0:0:0", "H: vpd_pg89=0089" },
		{ "0:0:0:0", "H: vpd_pg89=" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_disk_ struct disk *disk = probe(lines[i][0], lines[i][1]);

		ROW_INT(lines[i][1], facts_known(&disk->facts, FACT_ATA_ID_76), false);
		ROW_INT(lines[i][1], facts_known(&disk->facts, FACT_SERIAL), false);
	}
}

static void test_rotation_page(void **state)
{
	static const struct {
		const char *line;
		uint64_t rate; /* 0: unknown */
	} rows[] = {
		{ "H: vpd_pgb1=00b1003c0001", 1 },   { "H: vpd_pgb1=00b1003c1c20", 7200 },
		{ "H: vpd_pgb1=00b1003c00", 0 },     { "H: vpd_pgb1=00b0003c0001", 0 },
		{ "H: vpd_pgb1=", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_disk_ struct disk *disk = probe("0:0:0:0", rows[i].line);
		uint64_t rate = 0;

		(void)facts_number(&disk->facts, FACT_VPD_ROTATION, &rate);
		ROW_INT(rows[i].line, rate, rows[i].rate);
	}
}

static const char *property(void *context, const char *syspath, const char *key)
{
	const char *const *pair = context;

	assert_string_equal(syspath, "/sys" DISK);
	return strcmp(key, pair[0]) == 0 ? pair[1] : NULL;
}

static void test_properties(void **state)
{
	static const struct {
		const char *pair[2];
		enum fact fact;
		const char *value;
	} rows[] = {
		{ { "ID_MODEL", "A_MODEL" }, FACT_ID_MODEL, "A_MODEL" },
		{ { "ID_MODEL", "" }, FACT_ID_MODEL, "unknown" },
		{ { "ID_MODEL", "a\nb" },
		  FACT_ID_MODEL,
		  "a\nb" }, /* made safe on the way out */
		{ { "ID_ATA_ROTATION_RATE_RPM", "7200" }, FACT_ID_ROTATION, "7200" },
		{ { "ID_ATA_ROTATION_RATE_RPM", "-1" }, FACT_ID_ROTATION, "unknown" },
		{ { "ID_FS_TYPE", "mpath_member" }, FACT_ID_FS_TYPE, "mpath_member" },
		{ { "DM_MULTIPATH_DEVICE_PATH", "1" }, FACT_DM_MULTIPATH_PATH, "1" },
		{ { "DM_MULTIPATH_DEVICE_PATH", "" }, FACT_DM_MULTIPATH_PATH, "unknown" },
		{ { "BLKADVISE_APPLY", "0" }, FACT_UDEV_APPLY, "0" },
		{ { "BLKADVISE_APPLY", "no" }, FACT_UDEV_APPLY, "unknown" },
	};
	_cleanup_root_ struct root *root = machine("", NULL, 0);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct properties properties = { property,
						 (void *)(uintptr_t)rows[i].pair };
		_cleanup_disk_ struct disk *disk = NULL;
		char value[FACT_TEXT_MAX] = "unknown";

		assert_int_equal(disk_probe(root, "/sys" DISK, &properties, &disk), 0);
		(void)facts_format(&disk->facts, rows[i].fact, value, sizeof(value));
		ROW_TEXT(rows[i].pair[1], value, rows[i].value);
	}
}

/* The first domain of Xen owns the hardware; the others are guests. */
static void test_xen(void **state)
{
	static const struct {
		const char *name, *text;
		const char *guest; /* NULL: unknown */
		const char *hypervisor;
	} rows[] = {
		{ "the first domain",
		  "F: /proc/xen/capabilities=control_d\\n\n"
		  "F: /sys/hypervisor/type=xen\\n\n",
		  "0", NULL },
		{ "the first domain on a CPU that tells of it",
		  "F: /proc/cpuinfo=flags\\t\\t: fpu hypervisor vmx\\n\n"
		  "F: /proc/xen/capabilities=control_d\\n\n"
		  "F: /sys/hypervisor/type=xen\\n\n",
		  "0", NULL },
		{ "a guest",
		  "F: /proc/xen/capabilities=\nF: /sys/hypervisor/type=xen\\n\n", "1",
		  "xen" },
		{ "a guest without xenfs", "F: /sys/hypervisor/type=xen\\n\n", "1",
		  "xen" },
		{ "another hypervisor", "F: /sys/hypervisor/type=other\\n\n", NULL,
		  NULL },
		{ "no Xen", "F: /proc/xen/capabilities=control_d\\n\n", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_disk_ struct disk *disk = NULL;
		char text[1024], guest[8] = "";
		const char *hypervisor = NULL;

		(void)snprintf(text, sizeof(text),
			       "%sP: " DISK "\nE: SUBSYSTEM=block\nA: size=1\n",
			       rows[i].text);

		_cleanup_root_ struct root *root = capture_of(text);

		assert_int_equal(disk_probe(root, "/sys" DISK, NULL, &disk), 0);
		(void)facts_format(&disk->facts, FACT_GUEST, guest, sizeof(guest));
		ROW_TEXT(rows[i].name, guest, rows[i].guest ? rows[i].guest : "");
		hypervisor = facts_text(&disk->facts, FACT_HYPERVISOR);
		ROW_TEXT(rows[i].name, hypervisor ? hypervisor : "",
			 rows[i].hypervisor ? rows[i].hypervisor : "");
	}
}

static void test_errors(void **state)
{
	_cleanup_root_ struct root *root = capture_of("P: /devices/x/block/sda/sda1\n"
						      "E: SUBSYSTEM=block\n"
						      "A: partition=1\\n\n");
	struct disk *disk = NULL;

	(void)state;
	assert_int_equal(disk_probe(root, "/sys/devices/none", NULL, &disk), -ENOENT);
	assert_int_equal(disk_probe(root, "/sys/devices/x/block/sda/sda1", NULL, &disk),
			 -ENODEV);
	assert_null(disk);
	assert_int_equal(disk_probe(root, "/sys/devices/x/block/sda", NULL, &disk), 0);
	assert_null(disk_free(disk));
	assert_null(disk_free(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each parser's values", test_good),
		TEST("garbage is unknown", test_garbage),
		TEST("flags are 0 and 1", test_flags),
		TEST("modes and presence", test_modes),
		TEST("the scheduler's line", test_schedulers),
		TEST("IDENTIFY that is none", test_identify),
		TEST("the page of the rotation rate", test_rotation_page),
		TEST("udev's properties", test_properties),
		TEST("the domains of Xen", test_xen),
		TEST("what is no disk", test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
