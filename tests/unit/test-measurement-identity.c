/* SPDX-License-Identifier: MIT */
/*
 * Whose a measurement is: strong and weak identities of each kind of disk, names that
 * stay.
 */
#include <errno.h>
#include <string.h>

#include "measure/store.h"
#include "measurement-kinds.h"

#define MACHINE_A "0123456789abcdef0123456789abcdef\n"
#define MACHINE_B "fedcba9876543210fedcba9876543210\n"

static void make_disk(struct disk *disk, const struct kind *kind)
{
	memset(disk, 0, sizeof(*disk));
	strcpy(disk->syspath, kind->syspath);
	facts_init(&disk->facts);
	give(&disk->facts, kind->facts);
}

static int identify(const struct kind *kind, const char *machine_id,
		    struct measurement *ret)
{
	struct disk_class class = { .class = kind->class, .transport = kind->transport };
	struct disk disk;

	make_disk(&disk, kind);
	return measurement_identify(&disk, &class, machine_id, ret);
}

static const struct kind *kind_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	}
	fail_msg("no kind %s", name);
	return NULL;
}

static void test_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct kind *kind = &kinds[i];
		struct measurement a = { .n = 77 }, b = { 0 };
		char path_a[MEASUREMENT_PATH_MAX], path_b[MEASUREMENT_PATH_MAX];

		ROW_INT(kind->name, identify(kind, MACHINE_A, &a), kind->r);
		if (kind->r < 0) {
			ROW_INT(kind->name, a.n, 77);
			continue;
		}
		ROW_INT(kind->name, a.n, 0);
		ROW_INT(kind->name, a.identity.weak, kind->weak);
		ROW_TEXT(kind->name, a.identity.wwn, kind->wwn);
		ROW_TEXT(kind->name, a.identity.serial, kind->serial);
		ROW_TEXT(kind->name, a.identity.place, kind->place);
		ROW_INT(kind->name, strlen(a.identity.machine), kind->weak ? 16 : 0);
		assert_int_equal(identify(kind, MACHINE_B, &b), 0);
		measurement_path(&a.identity, path_a);
		measurement_path(&b.identity, path_b);
		ROW_INT(kind->name, measurement_is_of(&a.identity, &b.identity),
			!kind->weak);
		ROW_INT(kind->name, strcmp(path_a, path_b) == 0, !kind->weak);
		ROW_INT(kind->name, measurement_is_of(&a.identity, &a.identity), true);
	}
}

/* All of the table are different disks, and have different names. */
static void test_distinct(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (size_t j = 0; j < i; j++) {
			struct measurement a = { 0 }, b = { 0 };
			char path_a[MEASUREMENT_PATH_MAX], path_b[MEASUREMENT_PATH_MAX];

			if (identify(&kinds[i], MACHINE_A, &a) < 0 ||
			    identify(&kinds[j], MACHINE_A, &b) < 0)
				continue;
			measurement_path(&a.identity, path_a);
			measurement_path(&b.identity, path_b);
			ROW_INT(kinds[i].name,
				measurement_is_of(&a.identity, &b.identity), false);
			ROW_INT(kinds[i].name, strcmp(path_a, path_b) != 0, true);
		}
	}
}

/* Names are those of files that exist: a change here loses them. */
static void test_names_stay(void **state)
{
	struct measurement one = { 0 };
	char path[MEASUREMENT_PATH_MAX];

	(void)state;
	assert_int_equal(identify(kind_of("SATA"), NULL, &one), 0);
	measurement_path(&one.identity, path);
	assert_string_equal(path, PATH_MEASUREMENTS "/0baa9b09ba31a681");
	strcpy(one.identity.firmware, "other");
	one.identity.size_kb = 1;
	strcpy(one.identity.attachment, "ata-ide-mode");
	strcpy(one.identity.class, "sata-ssd-ide");
	strcpy(one.identity.members, "x");
	measurement_path(&one.identity, path);
	assert_string_equal(path, PATH_MEASUREMENTS "/0baa9b09ba31a681");
	assert_int_equal(identify(kind_of("virtio"), MACHINE_A, &one), 0);
	assert_string_equal(one.identity.machine, "b578207e8af53088");
	measurement_path(&one.identity, path);
	assert_string_equal(path, PATH_MEASUREMENTS "/6ab8cf2296f883ec");
}

static void test_machine_id(void **state)
{
	static const char *const none[] = { "", "uninitialized\n", "0123\n", NULL };
	struct measurement one = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		assert_int_equal(identify(kind_of("virtio"), none[i], &one), 0);
		assert_string_equal(one.identity.machine, "");
	}
	assert_int_equal(identify(kind_of("virtio"), MACHINE_A, &one), 0);
	assert_null(strstr(MACHINE_A, one.identity.machine));
}

static void test_generic_serials(void **state)
{
	static const struct {
		const char *serial;
		bool generic;
	} rows[] = {
		{ "QM00001", true },	   { "QM00013", true },
		{ "QM1234X", false },	   { "0QEMU_QEMU_HARDDISK_drive-scsi0", true },
		{ "000000000000", true },  { "0x00000000", true },
		{ "FFFFFFFF", true },	   { "123456789012", true },
		{ "1234567890AB", false }, { "ABCDEF0123", true },
		{ "9876543210", true },	   { "152D00539000", true },
		{ "000000004BA8", true },  { "1", true },
		{ "0x12", true },	   { "S251NSAG400480W", false },
		{ "0x9f3c1d22", false },   { "VMware NVME_0000", true },
		{ "1122", false },
	};
	struct kind kind = *kind_of("USB stick");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct measurement one = { 0 };

		kind.facts[0] = (struct given){ FACT_SERIAL, rows[i].serial };
		assert_int_equal(identify(&kind, NULL, &one), 0);
		ROW_INT(rows[i].serial, one.identity.weak, rows[i].generic);
	}
}

static void test_generic_wwns(void **state)
{
	static const struct {
		const char *wwn;
		bool generic;
	} rows[] = {
		{ "0x0000000000000000", true },
		{ "0xffffffffffffffff", true },
		{ "0x5000000000000000", true },
		{ "0x5002538000000000", true },
		{ "0x5002538d4002af71", false },
		{ "eui.0000000000000000", true },
		{ "eui.5254000000000003", true },
		{ "eui.0025388b71b2c3d4", false },
		{ "eui.000000000000000100a0752114d7cd6a", false },
		{ "nvme.1d0f-61-62-00000001", true },
		{ "0x600224801234567890abcdef01234567", false },
		{ "0x50", true },
	};
	struct kind kind = *kind_of("SATA");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct measurement one = { 0 };

		kind.facts[0] = (struct given){ FACT_WWN, rows[i].wwn };
		assert_int_equal(identify(&kind, NULL, &one), 0);
		ROW_INT(rows[i].wwn, one.identity.wwn[0] == '\0', rows[i].generic);
	}
}

static void test_same_disk(void **state)
{
	struct measurement a = { 0 }, b = { 0 };

	(void)state;
	assert_int_equal(identify(kind_of("SATA"), NULL, &a), 0);
	b = a;
	b.identity.model[0] = b.identity.serial[0] = '\0'; /* a path without INQUIRY */
	assert_true(measurement_is_of(&a.identity, &b.identity));
	strcpy(b.identity.serial, "S251OTHER"); /* one WWN for all of a model */
	assert_false(measurement_is_of(&a.identity, &b.identity));
	b = a;
	b.identity.wwn[0] = '\0';
	assert_false(measurement_is_of(&a.identity, &b.identity));
	assert_int_equal(identify(kind_of("old PATA"), NULL, &a), 0);
	b = a;
	b.identity.model[0] = 'x';
	assert_false(measurement_is_of(&a.identity, &b.identity));
	assert_int_equal(identify(kind_of("virtio"), MACHINE_A, &a), 0);
	b = a;
	b.identity.place[0] = 'x';
	assert_false(measurement_is_of(&a.identity, &b.identity));
}

/* A model that is a text of the attacker's is the same disk when read again. */
static void test_hostile_texts(void **state)
{
	static const char *const models[] = {
		"a\nserial=b",
		"[points]",
		"# x",
		"; y",
		"  x  ",
		"a=b",
		"\t\x7f\x01",
		"x\xff\xc3",
		"\r\n",
		"\"'$(id)`\\",
		"x\n[points]\npoint=random-read",
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"012345678901234567890123456789012345678901234567890123456 trailing",
	};
	struct root *root = *state;
	struct kind kind = *kind_of("old PATA");

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		struct ini_problems problems = { 0 };
		struct measurement now = { 0 }, kept = { 0 };
		unsigned int stale = 99;

		kind.facts[0] = (struct given){ FACT_MODEL, models[i] };
		kind.facts[2] = (struct given){ FACT_FIRMWARE, models[i] };
		assert_int_equal(identify(&kind, NULL, &now), 0);
		assert_int_equal(store_save(root, &now, false), 0);
		ROW_INT(models[i],
			measurement_load(root, PATH_MEASUREMENTS, &now, &problems, &kept,
					 &stale),
			0);
		ROW_INT(models[i], stale, 0);
		assert_memory_equal(&now, &kept, sizeof(now));
	}
}

static void members_of(struct disk *leaves, size_t n, char members[40])
{
	const struct kind *md = kind_of("md");
	struct disk_class class = { .class = md->class, .transport = md->transport };
	struct measurement one = { 0 };
	struct disk disk;

	make_disk(&disk, md);
	disk.leaves = leaves;
	disk.n_leaves = n;
	assert_int_equal(measurement_identify(&disk, &class, MACHINE_A, &one), 0);
	strcpy(members, one.identity.members);
}

static void test_members(void **state)
{
	struct disk leaves[3];
	char two[40], swapped[40], three[40], other[40], none[40];

	(void)state;
	make_disk(&leaves[0], kind_of("SATA"));
	make_disk(&leaves[1], kind_of("NVMe"));
	make_disk(&leaves[2], kind_of("nbd"));
	members_of(leaves, 2, two);
	members_of(leaves, 3, three);
	members_of(leaves, 0, none);
	leaves[2] = leaves[0];
	members_of(leaves + 1, 2, swapped);
	make_disk(&leaves[0], kind_of("old PATA"));
	members_of(leaves, 2, other);
	assert_int_equal(strlen(two), 16);
	assert_string_equal(two, swapped);
	assert_string_not_equal(two, three);
	assert_string_not_equal(two, other);
	assert_string_equal(none, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each kind of disk", test_kinds),
		TEST("no two are one", test_distinct),
		TEST("names stay", test_names_stay),
		TEST("machine-id", test_machine_id),
		TEST("serial numbers that many share", test_generic_serials),
		TEST("WWNs that many share", test_generic_wwns),
		TEST("the same disk", test_same_disk),
		FOLDER_TEST("texts of an attacker's", test_hostile_texts),
		TEST("members", test_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
