/* SPDX-License-Identifier: MIT */
/*
 * The engine of the checks: every id has one row that can be followed, no facts, however
 * senseless, bring a check down, and texts with placeholders. What each check says is in
 * the programs test-check-*.c.
 */
#include <string.h>

#include "check-rows.h"

/* A row of a table is found by its id and scope, and only that one. */
static void check_row(const struct check *check, enum scope scope)
{
	const char *name = finding_id_to_string(check->id);

	if (!(check->scope & scope))
		return;
	if (check_of(check->id, scope) != check)
		fail_msg("%s stands twice", name);
	ROW_INT(name, check->run != NULL, true);
	ROW_INT(name, check->requires[0] != _FACT_MAX, true);
}

static void test_every_id(void **state)
{
	size_t n = 0, tables = 0;

	(void)state;
	for (int i = 0; i < _FINDING_MAX; i++) {
		if (!check_of((enum finding_id)i, SCOPE_DISK) &&
		    !check_of((enum finding_id)i, SCOPE_MACHINE))
			fail_msg("%s has no check",
				 finding_id_to_string((enum finding_id)i));
	}
	for (const struct checks *const *table = all_checks(); *table; table++) {
		tables++;
		for (size_t i = 0; i < (*table)->n; i++, n++) {
			assert_int_not_equal((*table)->list[i].scope, 0);
			check_row(&(*table)->list[i], SCOPE_DISK);
			check_row(&(*table)->list[i], SCOPE_MACHINE);
		}
	}
	assert_true(n > _FINDING_MAX); /* vmd has a row for the machine, too */
	assert_int_equal(tables, 14);
}

static void fill_with_garbage(struct disk_facts *facts)
{
	static const uint64_t numbers[] = { 0, 1, 0xffff, UINT32_MAX, UINT64_MAX };
	static const char *const texts[] = { "x", "%s%n", "\xff\xff", "host-managed" };

	facts_init(facts);
	for (int fact = 0; fact < _FACT_MAX; fact++) {
		if (rand() % 2)
			facts_set_number(facts, (enum fact)fact, numbers[rand() % 5]);
		if (rand() % 2)
			facts_set_text(facts, (enum fact)fact, texts[rand() % 4]);
	}
}

/* Numbers that no formula may trust, in any fact, in every class. */
static void test_garbage(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	srand(20240601);
	for (int round = 0; round < 3000; round++) {
		struct subject subject = { .disk = &scene->disk };
		struct disk_class *class = &scene->class;
		char list[1024], text[FINDING_TEXT_MAX];

		fill_with_garbage(&scene->disk.facts);
		fill_with_garbage(&scene->leaves[0].facts);
		scene->disk.leaves = scene->leaves;
		scene->disk.n_leaves = (size_t)(rand() % 2);
		classify(&scene->disk, class);
		if (round % 2) {
			class->attachment = (enum attachment)(rand() % _ATTACHMENT_MAX);
			class->ncq = (enum ncq)(rand() % _NCQ_MAX);
			class->ncq_reason = (enum ncq_reason)(rand() % _NCQ_REASON_MAX);
		}
		plan_make(&scene->disk.facts, class, &scene->selection, &scene->state, 4,
			  &scene->plan);
		if (round % 5) {
			subject.class = class;
			subject.plan = &scene->plan;
			subject.state = &scene->state;
		}
		diagnose(&subject, &scene->diagnosis);
		diagnosis_list(&scene->diagnosis, list, sizeof(list));
		finding_expand("{name} {model} {size}", &scene->disk.facts, text,
			       sizeof(text));
	}
	free(scene);
}

static void test_list(void **state)
{
	struct diagnosis diagnosis = { 0 };
	char text[256], small[16];

	(void)state;
	diagnosis_list(&diagnosis, text, sizeof(text));
	assert_string_equal(text, "");
	diagnosis.findings[FINDING_NCQ_OFF].result = CHECK_FOUND;
	diagnosis.findings[FINDING_IO_OPT_BOGUS].result = CHECK_FOUND;
	diagnosis.findings[FINDING_ATA_IDE_MODE].result = CHECK_UNKNOWN;
	diagnosis_list(&diagnosis, text, sizeof(text));
	assert_string_equal(text, "ncq-off,io-opt-bogus");
	diagnosis_list(&diagnosis, small, sizeof(small)); /* 20 characters do not fit */
	assert_string_equal(small, "ncq-off");
	diagnosis_list(&diagnosis, text, 21);
	assert_string_equal(text, "ncq-off,io-opt-bogus");
	diagnosis_list(&diagnosis, text, 20);
	assert_string_equal(text, "ncq-off");
	diagnosis_list(&diagnosis, text, 7);
	assert_string_equal(text, "");
}

static void test_expand(void **state)
{
	static const struct {
		const char *template, *text;
	} rows[] = {
		{ "plain", "plain" },
		{ "cat /sys/block/{name}/ro", "cat /sys/block/sda/ro" },
		{ "{queue_depth}", "32" },
		{ "{no_such_fact} {name", "{no_such_fact} {name" },
		{ "{libata_force}", "?" },
		{ "{}", "{}" },
		{ "{pci_vendor} {hex:pci_vendor}", "0x8086 8086" },
		{ "{hex:name}", "sda" },
		{ "{path:rotational}", "/sys/block-of-sda/queue/rotational" },
		{ "{path:smr} {other:name}", "? {other:name}" },
	};
	struct disk_facts facts;
	char text[64], small[8];

	(void)state;
	give_sata_ssd(&facts);
	facts_set_number(&facts, FACT_PCI_VENDOR, 0x8086);
	facts_set_anchor(&facts, ANCHOR_DISK, "/sys/block-of-sda");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		finding_expand(rows[i].template, &facts, text, sizeof(text));
		ROW_TEXT(rows[i].template, text, rows[i].text);
	}
	finding_expand("{name}{name}{name}{name}", &facts, small, sizeof(small));
	assert_int_equal(strlen(small), sizeof(small) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every id has a check", test_every_id),
		TEST("garbage brings no check down", test_garbage),
		TEST("the list of ids", test_list),
		TEST("placeholders", test_expand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
