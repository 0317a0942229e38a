/* SPDX-License-Identifier: MIT */
/*
 * Classification from facts alone. The corpus (tests/disks) holds whole machines; here
 * are the grammar of libata.force, the order in which the reasons for lost NCQ are asked,
 * and the edges of the rules.
 */
#include <string.h>

#include "support.h"

static const struct {
	const char *force;
	uint64_t port, device;
	bool noncq;
} force_rows[] = {
	{ "noncq", 1, 0, true },
	{ "noncq", 7, 3, true },
	{ "ncq", 1, 0, false },
	{ "1:noncq", 1, 0, true },
	{ "1:noncq", 2, 0, false },
	{ "1:noncq", 11, 0, false },
	{ "11:noncq", 1, 0, false },
	{ "1.00:noncq", 1, 0, true },
	{ "1.00:noncq", 1, 1, false },
	{ "1.01:noncq", 1, 1, true },
	{ "1:noncq", 1, 1, true },
	{ "noncq,1:ncq", 1, 0, false },
	{ "noncq,1:ncq", 2, 0, true },
	{ "1:1.5Gbps,noncq", 1, 0, true },
	{ "1:1.5Gbps,noncq", 2, 0, false }, /* the last ID goes on */
	{ "1:noncq,2:noncq", 2, 0, true },
	{ "1:noncq,2:1.5Gbps", 1, 0, true },
	{ "noncq,ncq", 1, 0, false },
	{ "ncq,noncq", 1, 0, true },
	{ "NONCQ", 1, 0, true }, /* the kernel does not look at case */
	{ "noncqtrim", 1, 0, false },
	{ "noncqati", 1, 0, false },
	{ "3.0Gbps", 1, 0, false },
	{ "", 1, 0, false },
	{ ",", 1, 0, false },
	{ ":noncq", 1, 0, false },
	{ "x:noncq", 1, 0, false },
	{ "1:", 1, 0, false },
	{ "1:noncq:noncq", 1, 0, false },
	{ "99999999999999999999:noncq", 1, 0, false },
	{ "1.15:noncq", 1, 0, true }, /* 15 is the host's link, and what hangs on it */
	{ "1.16:noncq", 1, 1, true },
	{ "1.15:noncq", 1, 1, false },
	{ "3.15:noncq", 1, 0, false },
	{ "1.:noncq", 1, 0, false },
	{ "1.x:noncq", 1, 0, false },
	{ "nonc", 1, 0, false }, /* or noncqtrim, or noncqati */
	{ "noncq,nc", 1, 0, true },
	{ "noncqt", 1, 0, false },
	{ "1:bogus,noncq", 2, 0, true }, /* nor does the last ID of a bad entry */
	{ "1:noncq,x:ncq", 1, 0, true },
};

/* A disk at device @device behind port @channel of a multiplier, or at the host. */
static void give_force(struct disk_facts *facts, const char *force, uint64_t port,
		       unsigned int channel, unsigned int device, bool multiplier)
{
	char path[64];

	facts_init(facts);
	(void)snprintf(path, sizeof(path), "/sys/devices/0:%u:%u:0", channel, device);
	facts_set_anchor(facts, ANCHOR_SCSI_DEVICE, path);
	facts_set_text(facts, FACT_LIBATA_FORCE, force);
	facts_set_number(facts, FACT_ATA_PORT_ID, port);
	facts_set_number(facts, FACT_NR_PMP_LINKS, multiplier ? 5 : 0);
}

static void test_libata_force(void **state)
{
	struct disk_facts facts;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(force_rows); i++) {
		give_force(&facts, force_rows[i].force, force_rows[i].port, 0,
			   (unsigned int)force_rows[i].device, false);
		ROW_INT(force_rows[i].force, libata_force_noncq(&facts),
			force_rows[i].noncq);
	}
	facts_clear(&facts, FACT_ATA_PORT_ID);
	facts_set_text(&facts, FACT_LIBATA_FORCE, "noncq");
	assert_false(libata_force_noncq(&facts));
	assert_true(libata_force_noncq_everywhere(&facts));
	facts_set_text(&facts, FACT_LIBATA_FORCE, "1:noncq");
	assert_false(libata_force_noncq_everywhere(&facts));
	facts_clear(&facts, FACT_LIBATA_FORCE);
	assert_false(libata_force_noncq_everywhere(&facts));
}

/* A disk at ata1: speeds, and both where a multiplier gives each disk a link. */
static void test_libata_force_link(void **state)
{
	static const struct {
		const char *force;
		bool multiplier; /* then behind its port 2 */
		bool noncq;
		uint64_t mbps;
	} rows[] = {
		{ "1.5Gbps", false, false, 1500 },
		{ "1.5", false, false, 1500 },
		{ "1.5G", false, false, 1500 },
		{ "3", false, false, 3000 },
		{ "3.0gbPS", false, false, 3000 },
		{ "3.0Gb/s", false, false, 0 },
		{ "6.0Gbps", false, false, 0 },
		{ "1:1.5", false, false, 1500 },
		{ "2:1.5", false, false, 0 },
		{ "1.15:1.5", false, false, 1500 },
		{ "1.00:1.5", false, false, 0 },
		{ "3.0,1:1.5", false, false, 1500 },
		{ "1:1.5,3.0", false, false, 3000 },
		{ "1.02:3.0,noncq", true, true, 3000 },
		{ "1.15:3.0,noncq", true, false, 0 },
		{ "1.00:3.0,noncq", true, false, 0 },
		{ "1.17:3.0,noncq", true, false, 0 },
		{ "1:1.5,noncq", true, true, 1500 },
	};
	struct disk_facts facts;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		give_force(&facts, rows[i].force, 1, rows[i].multiplier ? 2 : 0, 0,
			   rows[i].multiplier);
		ROW_INT(rows[i].force, libata_force_noncq(&facts), rows[i].noncq);
		ROW_INT(rows[i].force, libata_force_mbps(&facts), rows[i].mbps);
	}
}

/*
 * The causes of lost NCQ, each put on top of all that come behind it: the first is the
 * one that is named.
 */
static const struct {
	enum ncq_reason reason;
	enum ncq ncq;
	struct given given[5];
} causes[] = {
	{ NCQ_REASON_QUEUE_DEPTH_1, NCQ_OFF, { { FACT_QUEUE_DEPTH, "1" } } },
	{ NCQ_REASON_EXCESSIVE_ERRORS, NCQ_OFF, { { FACT_LOG_NCQ_DISABLED, "1" } } },
	{ NCQ_REASON_KERNEL_QUIRK, NCQ_OFF, { { FACT_NCQ_QUIRK, "1" } } },
	{ NCQ_REASON_LIBATA_FORCE, NCQ_OFF, { { FACT_LIBATA_FORCE, "1:noncq" } } },
	{ NCQ_REASON_PORT_MULTIPLIER, NCQ_OFF, { { FACT_NR_PMP_LINKS, "5" } } },
	{ NCQ_REASON_DRIVER_WITHOUT_NCQ,
	  NCQ_UNSUPPORTED,
	  { { FACT_QUEUE_DEPTH_WRITABLE, "0" } } },
	{ NCQ_REASON_DRIVE_WITHOUT_NCQ,
	  NCQ_UNSUPPORTED,
	  { { FACT_ATA_ID_76, "0x0006" } } },
	{ NCQ_REASON_DRIVER_WITHOUT_NCQ, NCQ_UNSUPPORTED, { { FACT_CAN_QUEUE, "1" } } },
	{ NCQ_REASON_HOST_WITHOUT_NCQ,
	  NCQ_UNSUPPORTED,
	  { { FACT_AHCI_HOST_CAPS, "0x0722ff05" } } },
	{ NCQ_REASON_IDE_MODE,
	  NCQ_UNSUPPORTED,
	  { { FACT_HOST_DRIVER, "ata_piix" }, { FACT_PCI_CLASS, "0x01018f" } } },
	{ NCQ_REASON_EMULATED_IDE, NCQ_UNSUPPORTED, { { FACT_GUEST, "1" } } },
};

static void test_ncq_order(void **state)
{
	struct disk_facts facts;
	struct disk_class class;

	(void)state;
	give_sata_ssd(&facts);
	classify_facts(&facts, &class);
	assert_int_equal(class.ncq, NCQ_ON);
	assert_int_equal(class.ncq_reason, NCQ_REASON_NONE);
	for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
		const char *name = ncq_reason_to_string(causes[i].reason);

		give(&facts, causes[i].given);
		classify_facts(&facts, &class);
		ROW_TEXT(name, ncq_reason_to_string(class.ncq_reason), name);
		ROW_TEXT(name, ncq_to_string(class.ncq), ncq_to_string(causes[i].ncq));
	}
}

/* The kernel gives NCQ up without touching queue_depth; behind a log without that word,
 * and with no log at all, the depth is believed. */
static void test_ncq_given_up(void **state)
{
	static const struct {
		const char *disabled;
		enum ncq ncq;
		enum ncq_reason reason;
	} rows[] = {
		{ "1", NCQ_OFF, NCQ_REASON_EXCESSIVE_ERRORS },
		{ "0", NCQ_ON, NCQ_REASON_NONE },
		{ "?", NCQ_ON, NCQ_REASON_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct given list[] = {
			{ FACT_LOG_NCQ_DISABLED, rows[i].disabled },
			{ FACT_NAME, NULL },
		};
		struct disk_facts facts;
		struct disk_class class;

		give_sata_ssd(&facts);
		give(&facts, list);
		classify_facts(&facts, &class);
		ROW_INT(rows[i].disabled, class.ncq, rows[i].ncq);
		ROW_INT(rows[i].disabled, class.ncq_reason, rows[i].reason);
	}
}

static const struct {
	const char *name;
	struct given given[6];
	enum class class;
	enum attachment attachment;
	enum medium medium;
	enum ncq ncq;
} class_rows[] = {
	{ "a SATA SSD",
	  { { 0 } },
	  CLASS_SATA_SSD,
	  ATTACHMENT_AHCI,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "the flag alone backs nothing",
	  { { FACT_ATA_ID_217, "0" }, { FACT_ROTATIONAL, "0" } },
	  CLASS_SATA_DISK,
	  ATTACHMENT_AHCI,
	  MEDIUM_UNKNOWN,
	  NCQ_ON },
	{ "a rate of 2 is reserved",
	  { { FACT_ATA_ID_217, "2" } },
	  CLASS_SATA_DISK,
	  ATTACHMENT_AHCI,
	  MEDIUM_UNKNOWN,
	  NCQ_ON },
	{ "the slowest rate",
	  { { FACT_ATA_ID_217, "0x401" } },
	  CLASS_SATA_HDD,
	  ATTACHMENT_AHCI,
	  MEDIUM_ROTATIONAL,
	  NCQ_ON },
	{ "below the slowest rate",
	  { { FACT_ATA_ID_217, "0x400" } },
	  CLASS_SATA_DISK,
	  ATTACHMENT_AHCI,
	  MEDIUM_UNKNOWN,
	  NCQ_ON },
	{ "a rate of all ones",
	  { { FACT_ATA_ID_217, "0xffff" } },
	  CLASS_SATA_DISK,
	  ATTACHMENT_AHCI,
	  MEDIUM_UNKNOWN,
	  NCQ_ON },
	{ "VPD where IDENTIFY says nothing",
	  { { FACT_ATA_ID_217, "0" }, { FACT_VPD_ROTATION, "7200" } },
	  CLASS_SATA_HDD,
	  ATTACHMENT_AHCI,
	  MEDIUM_ROTATIONAL,
	  NCQ_ON },
	{ "udev's word where neither does",
	  { { FACT_ATA_ID_217, "0" }, { FACT_ID_ROTATION, "0" } },
	  CLASS_SATA_SSD,
	  ATTACHMENT_AHCI,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "AHCI under the IDE class",
	  { { FACT_PCI_CLASS, "0x01018f" } },
	  CLASS_SATA_SSD,
	  ATTACHMENT_AHCI,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "an IDE driver without the IDE class",
	  { { FACT_HOST_DRIVER, "ata_piix" } },
	  CLASS_PATA_DISK,
	  ATTACHMENT_PATA,
	  MEDIUM_FLASH,
	  NCQ_UNSUPPORTED },
	{ "a driver that is not known",
	  { { FACT_HOST_DRIVER, "?" } },
	  CLASS_UNKNOWN,
	  ATTACHMENT_UNKNOWN,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "an emulated disk at AHCI",
	  { { FACT_EMULATED, "1" }, { FACT_GUEST, "1" } },
	  CLASS_VIRTUAL_DISK,
	  ATTACHMENT_EMULATED_AHCI,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "an optical drive",
	  { { FACT_SCSI_TYPE, "5" } },
	  CLASS_OPTICAL,
	  ATTACHMENT_AHCI,
	  MEDIUM_UNKNOWN,
	  NCQ_NONE },
	{ "a zoned disk",
	  { { FACT_ZONED, "host-managed" }, { FACT_ATA_ID_217, "7200" } },
	  CLASS_ZONED_HDD,
	  ATTACHMENT_AHCI,
	  MEDIUM_ROTATIONAL,
	  NCQ_ON },
	{ "a zone type that is none",
	  { { FACT_ZONED, "nonsense" } },
	  CLASS_SATA_SSD,
	  ATTACHMENT_AHCI,
	  MEDIUM_FLASH,
	  NCQ_ON },
	{ "queue_depth unknown",
	  { { FACT_QUEUE_DEPTH, "?" } },
	  CLASS_SATA_SSD,
	  ATTACHMENT_AHCI,
	  MEDIUM_FLASH,
	  NCQ_UNKNOWN },
};

static void test_classes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(class_rows); i++) {
		const char *name = class_rows[i].name;
		struct disk_facts facts;
		struct disk_class class;

		give_sata_ssd(&facts);
		give(&facts, class_rows[i].given);
		classify_facts(&facts, &class);
		ROW_TEXT(name, class_to_string(class.class),
			 class_to_string(class_rows[i].class));
		ROW_TEXT(name, attachment_to_string(class.attachment),
			 attachment_to_string(class_rows[i].attachment));
		ROW_TEXT(name, medium_to_string(class.medium),
			 medium_to_string(class_rows[i].medium));
		ROW_TEXT(name, ncq_to_string(class.ncq),
			 ncq_to_string(class_rows[i].ncq));
	}
}

/* Nothing known, nothing concluded; and names decide nothing. */
static void test_nothing_known(void **state)
{
	static const char *const names[] = { "sda", "nvme0n1", "vda", "mmcblk0", "xvda" };
	struct disk_class class;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct disk_facts facts;

		facts_init(&facts);
		facts_set_text(&facts, FACT_NAME, names[i]);
		classify_facts(&facts, &class);
		assert_int_equal(class.class, CLASS_UNKNOWN);
		assert_int_equal(class.transport, TRANSPORT_UNKNOWN);
		assert_int_equal(class.medium, MEDIUM_UNKNOWN);
		assert_false(class.confident);
		assert_true(class.n_reasons > 0);
	}
}

/* The same facts give the same words, and reasons end where they say. */
static void test_garbage(void **state)
{
	static const char *const texts[] = {
		"dm", "loop", "ahci", "ata_piix", "pcie", "x"
	};

	(void)state;
	srand(4711);
	for (int round = 0; round < 3000; round++) {
		struct disk_facts facts;
		struct disk_class a, b;

		facts_init(&facts);
		for (int fact = 0; fact < _FACT_MAX; fact++) {
			facts_set_number(&facts, (enum fact)fact, (uint64_t)rand() % 3);
			if (rand() % 2)
				facts_set_text(&facts, (enum fact)fact,
					       texts[rand() % 6]);
			if (rand() % 2)
				facts_clear(&facts, (enum fact)fact);
		}
		facts_set_anchor(&facts, (enum anchor)(rand() % _ANCHOR_MAX), "/sys/x");
		memset(&a, 0, sizeof(a));
		memset(&b, 0, sizeof(b));
		classify_facts(&facts, &a);
		classify_facts(&facts, &b);
		assert_non_null(class_to_string(a.class));
		assert_int_equal(a.class, b.class);
		assert_int_equal(a.ncq, b.ncq);
		assert_int_equal(a.n_reasons, b.n_reasons);
		assert_true(a.n_reasons <= REASONS_MAX);
	}
}

static void give_stack(struct disk *disk, struct disk *leaves, size_t n)
{
	facts_init(&disk->facts);
	facts_set_text(&disk->facts, FACT_STACK_KIND, "dm");
	disk->leaves = leaves;
	disk->n_leaves = n;
	for (size_t i = 0; i < n; i++)
		give_sata_ssd(&leaves[i].facts);
}

static void test_stack(void **state)
{
	struct disk *disks = calloc(3, sizeof(*disks));
	struct disk_class class;

	(void)state;
	assert_non_null(disks);
	give_stack(&disks[0], &disks[1], 2);
	classify(&disks[0], &class);
	assert_int_equal(class.class, CLASS_STACKED);
	assert_int_equal(class.medium, MEDIUM_FLASH);
	assert_true(class.confident);
	disks[0].leaves_incomplete = true;
	classify(&disks[0], &class);
	assert_int_equal(class.medium, MEDIUM_UNKNOWN);
	assert_false(class.confident);
	facts_set_number(&disks[2].facts, FACT_ATA_ID_217, 7200);
	classify(&disks[0], &class);
	assert_int_equal(class.medium, MEDIUM_ROTATIONAL);
	disks[0].n_leaves = 0;
	classify(&disks[0], &class);
	assert_int_equal(class.medium, MEDIUM_UNKNOWN);
	free(disks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the grammar of libata.force", test_libata_force),
		TEST("libata.force of links and multipliers", test_libata_force_link),
		TEST("why NCQ is lost: the order of the reasons", test_ncq_order),
		TEST("NCQ that the kernel gave up", test_ncq_given_up),
		TEST("classes at the edges of the rules", test_classes),
		TEST("nothing known, nothing concluded", test_nothing_known),
		TEST("garbage facts", test_garbage),
		TEST("a stack is what its leaves are", test_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
