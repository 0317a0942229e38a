/* SPDX-License-Identifier: MIT */
/*
 * Quirk files: one malformed file a case, with the problem that is reported; and the
 * correction of facts, in the order of files and lines.
 */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "classify/quirks.h"
#include "support.h"

#define NAME "/q/10-test.quirks"
#define HEAD "[a]\nMatch.model=X*\n"

static const char *const folders[] = { "/q", NULL };

static const struct {
	const char *text, *problem; /* behind the file's name */
} malformed[] = {
	{ "Fact.smr=1\n", ":1: key before the first section" },
	{ "[a]\nFact.smr=1\n", ":1: section without a Match. line" },
	{ HEAD, ":1: section that corrects nothing" },
	{ HEAD "Fact.smr=1\nnonsense\n", ":4: no Key=Value: nonsense" },
	{ HEAD "[b\nFact.smr=1\n", ":3: not a section head: [b" },
	{ HEAD "Fact.none=1\n", ":3: Fact.none: no such fact" },
	{ HEAD "Fact.smr=2\n", ":3: Fact.smr=2: not a value of this fact" },
	{ HEAD "Fact.smr=\n", ":3: Fact.smr=: not a value of this fact" },
	{ HEAD "Fact.model=\n", ":3: Fact.model=: not a value of this fact" },
	{ HEAD "Fact.nr_requests=-1\n",
	  ":3: Fact.nr_requests=-1: not a value of this fact" },
	{ HEAD "Fact.pci_vendor=0x\n",
	  ":3: Fact.pci_vendor=0x: not a value of this fact" },
	{ HEAD "Unknown=smr none\n", ":3: Unknown=: no such fact: none" },
	{ HEAD "Fakt.smr=1\n", ":3: unknown key: Fakt.smr" },
	{ HEAD "fact.smr=1\n", ":3: unknown key: fact.smr" },
	{ "[a]\nMatch.none=1\nFact.smr=1\n", ":2: Match.none=1: no such fact" },
	{ "[a]\nMatch.=1\nFact.smr=1\n", ":2: Match.=1: no such fact" },
	{ "[a]\nMatch.model=\nFact.smr=1\n", ":2: Match.model=: nothing to match" },
	{ "[a]\nMatch.size=big\nFact.smr=1\n",
	  ":2: Match.size=big: not a value of this fact" },
	{ "[a]\nMatch.size=8 big\nFact.smr=1\n",
	  ":2: Match.size=8 big: not a value of this fact" },
	{ "[a]\nMatch.class=sata-ssd\nFact.smr=1\n",
	  ":2: Match.class=sata-ssd: quirks come before classification: only facts can "
	  "be "
	  "matched" },
};

static void test_malformed(void **state)
{
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
		_cleanup_quirks_ struct quirks *quirks = NULL;
		struct ini_problems problems = { 0 };
		struct disk_facts facts;
		char want[256];

		folder_put(root, NAME, malformed[i].text);
		ROW_INT(malformed[i].text, quirks_load(root, folders, &problems, &quirks),
			0);
		(void)snprintf(want, sizeof(want), NAME "%s", malformed[i].problem);
		ROW_TEXT(malformed[i].text, problem_text(&problems, 0), want);
		/* The file is left out as a whole. */
		give_sata_ssd(&facts);
		facts_set_text(&facts, FACT_MODEL, "X1");
		quirks_correct(quirks, &facts);
		ROW_INT(malformed[i].text, facts_known(&facts, FACT_SMR), false);
		ini_problems_done(&problems);
	}
}

static struct quirks *load(const struct root *root)
{
	struct ini_problems problems = { 0 };
	struct quirks *quirks = NULL;

	assert_int_equal(quirks_load(root, folders, &problems, &quirks), 0);
	assert_string_equal(problem_text(&problems, 0), "");
	return quirks;
}

static void test_correction(void **state)
{
	struct root *root = *state;
	_cleanup_quirks_ struct quirks *quirks = NULL;
	struct disk_facts facts;

	folder_put(root, NAME,
		   "# comment\n[a]\nMatch.model=test ssd*\nMatch.nr_requests=32 64\n"
		   "Fact.smr=yes\nFact.model=Better Name\nFact.ata_id_76=0x1f\n"
		   "Fact.nr_requests=7\nUnknown=rotational zoned\n"
		   "Reason=because\nSource=somewhere\n");
	quirks = load(root);
	give_sata_ssd(&facts);
	quirks_correct(quirks, &facts);
	assert_true(facts_is_set(&facts, FACT_SMR));
	assert_string_equal(facts_text(&facts, FACT_MODEL), "Better Name");
	assert_true(facts_is_number(&facts, FACT_ATA_ID_76, 0x1f));
	assert_true(facts_is_number(&facts, FACT_NR_REQUESTS, 7));
	assert_false(facts_known(&facts, FACT_ROTATIONAL));
	assert_false(facts_known(&facts, FACT_ZONED));
	assert_string_equal(facts_corrected_by(&facts, FACT_SMR), NAME ":5");
	assert_string_equal(facts_corrected_by(&facts, FACT_MODEL), NAME ":6");
	assert_string_equal(facts_corrected_by(&facts, FACT_ROTATIONAL), NAME ":9");
	assert_null(facts_corrected_by(&facts, FACT_READ_AHEAD_KB));
}

static void test_no_match(void **state)
{
	static const char *const matches[] = {
		"Match.model=OTHER*",
		"Match.model=TEST SSD",
		"Match.nr_requests=63 65",
		"Match.nr_requests=65",
		"Match.scsi_vendor=*", /* unknown matches nothing */
		"Match.virtual=0",
		"Match.model=TEST*\nMatch.nr_requests=65",
	};
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(matches); i++) {
		_cleanup_quirks_ struct quirks *quirks = NULL;
		struct disk_facts facts;
		char text[256];

		(void)snprintf(text, sizeof(text), "[a]\n%s\nFact.smr=1\n", matches[i]);
		folder_put(root, NAME, text);
		quirks = load(root);
		give_sata_ssd(&facts);
		quirks_correct(quirks, &facts);
		ROW_INT(matches[i], facts_known(&facts, FACT_SMR), false);
	}
}

/* Later files and sections win, and see what the earlier ones corrected. */
static void test_order(void **state)
{
	struct root *root = *state;
	_cleanup_quirks_ struct quirks *quirks = NULL;
	struct disk_facts facts;

	folder_put(root, "/q/20-b.quirks", "[b]\nMatch.model=NEW\nFact.nr_requests=2\n");
	folder_put(root, "/q/10-a.quirks",
		   "[a]\nMatch.model=TEST*\nFact.model=NEW\nFact.nr_requests=1\n");
	quirks = load(root);
	give_sata_ssd(&facts);
	quirks_correct(quirks, &facts);
	assert_true(facts_is_number(&facts, FACT_NR_REQUESTS, 2));
	assert_string_equal(facts_corrected_by(&facts, FACT_NR_REQUESTS),
			    "/q/20-b.quirks:3");
}

/* One bad file does not take the others with it. */
static void test_bad_neighbour(void **state)
{
	struct root *root = *state;
	_cleanup_quirks_ struct quirks *quirks = NULL;
	struct ini_problems problems = { 0 };
	struct disk_facts facts;

	folder_put(root, "/q/10-bad.quirks", HEAD "nonsense\n");
	folder_put(root, "/q/20-good.quirks", "[b]\nMatch.model=TEST*\nFact.smr=1\n");
	assert_int_equal(folder_make(root, "/q/30-folder.quirks"), 0);
	assert_int_equal(quirks_load(root, folders, &problems, &quirks), 0);
	assert_int_equal(problems.n,
			 3); /* the line, the section without effect, the folder */
	assert_string_equal(problem_text(&problems, 2),
			    "/q/30-folder.quirks:0: cannot be read: Is a directory");
	give_sata_ssd(&facts);
	quirks_correct(quirks, &facts);
	assert_true(facts_is_set(&facts, FACT_SMR));
	ini_problems_done(&problems);
}

static void test_leaves(void **state)
{
	struct root *root = *state;
	_cleanup_quirks_ struct quirks *quirks = NULL;
	_cleanup_disk_ struct disk *disk = calloc(1, sizeof(*disk));

	folder_put(root, NAME, "[a]\nMatch.model=TEST*\nFact.smr=1\n");
	quirks = load(root);
	assert_non_null(disk);
	facts_init(&disk->facts);
	disk->leaves = calloc(1, sizeof(*disk->leaves));
	assert_non_null(disk->leaves);
	disk->n_leaves = 1;
	give_sata_ssd(&disk->leaves[0].facts);
	quirks_correct_disk(quirks, disk);
	assert_true(facts_is_set(&disk->leaves[0].facts, FACT_SMR));
	assert_false(facts_known(&disk->facts, FACT_SMR));
	assert_null(quirks_free(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("one malformed file a case", test_malformed),
		FOLDER_TEST("facts are corrected, with file and line", test_correction),
		FOLDER_TEST("what does not match", test_no_match),
		FOLDER_TEST("later overrides earlier", test_order),
		FOLDER_TEST("a bad file beside a good one", test_bad_neighbour),
		FOLDER_TEST("leaves of a stack too", test_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
