/* SPDX-License-Identifier: MIT */
/*
 * Advice for stacks: of its leaf, of its leaves if they are alike, of a remote one if
 * there is one, else its own. The leaves are SATA SSDs unless a row says otherwise.
 */
#include <string.h>

#include "policy/policy.h"
#include "support.h"

#define LEAVES_MAX 3

static const char policy_text[] =
	"[stack]\nMatch.class=stacked\nread_ahead_kb=64\nscan_exceeds_read_kb=1\n"
	"random_exceeds_depth=1\n"
	"[flash]\nMatch.class=sata-ssd\nread_ahead_kb=128\nscan_exceeds_read_kb=256\n"
	"random_exceeds_depth=64\n"
	"[disk]\nMatch.class=sata-hdd\nscan_exceeds_read_kb=1024\n"
	"random_exceeds_depth=16\n"
	"[remote]\nMatch.remote=yes\nMatch.class=network-disk san-lun\n"
	"scan_exceeds_read_kb=4096\nrandom_exceeds_depth=128\njournal_block_kb=32\n"
	"[profile]\nProfile=streaming\nMatch.class=sata-ssd\nscan_exceeds_read_kb=512\n";

enum leaf { NONE, FLASH, DISK, NETWORK };

static const struct {
	const char *name, *profile;
	enum leaf leaves[LEAVES_MAX];
	bool incomplete;
	uint32_t read_kb;
	uint32_t depth; /* 0: none */
} rows[] = {
	{ "one leaf", "balanced", { FLASH }, false, 256, 32 },
	{ "one leaf with a profile", "streaming", { FLASH }, false, 512, 32 },
	{ "one remote leaf", "balanced", { NETWORK }, false, 4096, 128 },
	{ "two alike: how depths add up is not known",
	  "balanced",
	  { FLASH, FLASH },
	  false,
	  256,
	  0 },
	{ "three alike", "balanced", { DISK, DISK, DISK }, false, 1024, 0 },
	{ "a mixed one has its own", "balanced", { FLASH, DISK }, false, 1, 1 },
	{ "mixed at the end", "balanced", { DISK, DISK, FLASH }, false, 1, 1 },
	{ "a remote leaf at the end",
	  "balanced",
	  { FLASH, FLASH, NETWORK },
	  false,
	  4096,
	  0 },
	{ "a remote leaf at the head", "balanced", { NETWORK, DISK }, false, 4096, 0 },
	{ "leaves that are not all known", "balanced", { FLASH, FLASH }, true, 1, 1 },
	{ "one leaf of those that are not all known", "balanced", { FLASH }, true, 1, 1 },
	{ "a remote leaf, whatever the others",
	  "balanced",
	  { FLASH, NETWORK },
	  true,
	  4096,
	  0 },
	{ "no leaf", "balanced", { NONE }, false, 1, 1 },
};

static void give_leaf(struct disk_facts *facts, enum leaf leaf)
{
	static const struct given disk[] = { { FACT_ATA_ID_217, "7200" },
					     { FACT_NAME, NULL } };
	static const struct given network[] = { { FACT_NAME, "nbd0" },
						{ FACT_STACK_KIND, "nbd" },
						{ FACT_NAME, NULL } };

	give_sata_ssd(facts);
	if (leaf == DISK)
		give(facts, disk);
	if (leaf != NETWORK)
		return;
	facts_init(facts);
	give(facts, network);
}

static struct policy *load(const struct root *root, const char *text)
{
	static const char *const folders[] = { "/p", NULL };
	struct ini_problems problems = { 0 };
	struct policy *policy = NULL;

	folder_put(root, "/p/10-test.policy", text);
	assert_int_equal(policy_load(root, folders, &problems, &policy), 0);
	assert_string_equal(problem_text(&problems, 0), "");
	return policy;
}

/* Its settings stay the stack's own whatever the advice. */
static void test_stacks(void **state)
{
	_cleanup_policy_ struct policy *policy = load(*state, policy_text);
	struct disk *leaves = calloc(LEAVES_MAX, sizeof(*leaves));

	assert_non_null(leaves);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct disk disk = { .leaves = leaves,
				     .leaves_incomplete = rows[i].incomplete };
		struct selection selection;
		struct disk_class class;

		facts_init(&disk.facts);
		facts_set_text(&disk.facts, FACT_STACK_KIND, "dm");
		while (disk.n_leaves < LEAVES_MAX && rows[i].leaves[disk.n_leaves]) {
			give_leaf(&leaves[disk.n_leaves].facts,
				  rows[i].leaves[disk.n_leaves]);
			disk.n_leaves++;
		}
		classify(&disk, &class);
		ROW_INT(rows[i].name, class.class, CLASS_STACKED);
		policy_select(policy, rows[i].profile, &disk.facts, &class, &selection);
		policy_select_stack_advice(policy, &disk, &class, &selection);
		ROW_INT(rows[i].name, selection.advice.value[ADVICE_SCAN_EXCEEDS_READ_KB],
			rows[i].read_kb);
		ROW_INT(rows[i].name, selection.advice.known[ADVICE_RANDOM_EXCEEDS_DEPTH],
			rows[i].depth > 0);
		if (rows[i].depth > 0)
			ROW_INT(rows[i].name,
				selection.advice.value[ADVICE_RANDOM_EXCEEDS_DEPTH],
				rows[i].depth);
		ROW_INT(rows[i].name, selection.advice.known[ADVICE_JOURNAL_BLOCK_KB],
			rows[i].read_kb == 4096);
		ROW_TEXT(rows[i].name, selection.settings[TUNABLE_READ_AHEAD_KB].value,
			 "64");
	}
	free(leaves);
}

/* A disk that is no stack is left as it is, even with leaves. */
static void test_no_stack(void **state)
{
	_cleanup_policy_ struct policy *policy = load(*state, policy_text);
	struct disk *disks = calloc(2, sizeof(*disks));
	struct disk_class class = sata_ssd_class();
	struct selection before, after;

	assert_non_null(disks);
	give_sata_ssd(&disks[0].facts);
	give_leaf(&disks[1].facts, DISK);
	disks[0].leaves = &disks[1];
	disks[0].n_leaves = 1;
	memset(&before, 0, sizeof(before));
	policy_select(policy, "balanced", &disks[0].facts, &class, &before);
	after = before;
	policy_select_stack_advice(policy, &disks[0], &class, &after);
	assert_memory_equal(&before, &after, sizeof(before));
	free(disks);
}

static void test_match_remote(void **state)
{
	static const struct {
		const char *match;
		bool local, remote;
	} words[] = {
		{ "yes", false, true }, { "no", true, false },	  { "1", false, true },
		{ "0", true, false },	{ "yes no", true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char text[96];
		struct disk_class class = sata_ssd_class();
		struct disk_facts facts;
		struct selection selection;

		(void)snprintf(text, sizeof(text),
			       "[a]\nMatch.remote=%s\nread_ahead_kb=1\n", words[i].match);

		_cleanup_policy_ struct policy *policy = load(*state, text);

		give_sata_ssd(&facts);
		policy_select(policy, "balanced", &facts, &class, &selection);
		ROW_INT(words[i].match, selection.settings[TUNABLE_READ_AHEAD_KB].present,
			words[i].local);
		class.remote = true;
		policy_select(policy, "balanced", &facts, &class, &selection);
		ROW_INT(words[i].match, selection.settings[TUNABLE_READ_AHEAD_KB].present,
			words[i].remote);
	}
}

static void test_empty(void **state)
{
	_cleanup_policy_ struct policy *none = load(*state, "");
	_cleanup_policy_ struct policy *one = load(*state, "[a]\n");

	assert_true(policy_is_empty(none));
	assert_false(policy_is_empty(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("whose advice a stack gets", test_stacks),
		FOLDER_TEST("a disk that is no stack keeps its own", test_no_stack),
		FOLDER_TEST("Match.remote", test_match_remote),
		FOLDER_TEST("a policy without a section", test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
