/* SPDX-License-Identifier: MIT */
/*
 * Policy files and the configuration: one malformed file a case; then the selection, in
 * which later sections override earlier ones, profiles come and go, switches switch off
 * and depths are capped.
 */
#include <errno.h>
#include <string.h>

#include "base/paths.h"
#include "policy/policy.h"
#include "support.h"

#define NAME "/p/10-test.policy"

static const char *const folders[] = { "/p", NULL };

static const struct {
	const char *text, *problem; /* behind the file's name */
} malformed[] = {
	{ "read_ahead_kb=128\n", ":1: key before the first section" },
	{ "[a]\nnonsense\n", ":2: no Key=Value: nonsense" },
	{ "[a]\nread_ahead=128\n", ":2: unknown key: read_ahead" },
	{ "[a]\nread_ahead_kb=big\n", ":2: read_ahead_kb=big: not a number" },
	{ "[a]\nread_ahead_kb=\n", ":2: read_ahead_kb=: not a number" },
	{ "[a]\nread_ahead_kb=-1\n", ":2: read_ahead_kb=-1: not a number" },
	{ "[a]\nread_ahead_kb=65537\n", ":2: read_ahead_kb=65537: more than 65536" },
	{ "[a]\nread_ahead_kb=device\n", ":2: read_ahead_kb=device: not a number" },
	{ "[a]\nread_ahead_kb=1\nread_ahead_kb=2\n",
	  ":3: read_ahead_kb=2: stands twice in this section" },
	{ "[a]\nnr_requests=0\n", ":2: nr_requests=0: out of bounds" },
	{ "[a]\nnr_requests=1048577\n", ":2: nr_requests=1048577: out of bounds" },
	{ "[a]\nqueue_depth=depth\n", ":2: queue_depth=depth: not a number" },
	{ "[a]\nscheduler=MQ\n", ":2: scheduler=MQ: scheduler names, best first" },
	{ "[a]\nscheduler=none;reboot\n",
	  ":2: scheduler=none;reboot: scheduler names, best first" },
	{ "[a]\nscheduler=\n", ":2: scheduler=: empty or too long" },
	{ "[a]\nrandom_exceeds_io_mode=fast\n",
	  ":2: random_exceeds_io_mode=fast: not a value of this key" },
	{ "[a]\nrandom_exceeds_hint=direct\n",
	  ":2: random_exceeds_hint=direct: not a value of this key" },
	{ "[a]\nrandom_exceeds_depth=0\n",
	  ":2: random_exceeds_depth=0: not a value of this key" },
	{ "[a]\njournal_depth=1\njournal_depth=1\n",
	  ":3: journal_depth=1: stands twice in this section" },
	{ "[a]\nApply=maybe\n", ":2: Apply=maybe: yes or no" },
	{ "[a]\nApply=yes\nApply=no\n", ":3: Apply=no: stands twice in this section" },
	{ "[a]\nMatch.class=sata\n", ":2: Match.class=sata: unknown word" },
	{ "[a]\nMatch.class=\n", ":2: Match.class=: nothing to match" },
	{ "[a]\nMatch.ncq=on maybe\n", ":2: Match.ncq=on maybe: unknown word" },
	{ "[a]\nMatch.remote=maybe\n", ":2: Match.remote=maybe: unknown word" },
	{ "[a]\nMatch.colour=red\n", ":2: Match.colour=red: no such fact" },
	{ "[a]\nMatch.rotational=2\n",
	  ":2: Match.rotational=2: not a value of this fact" },
	{ "[a]\nProfile=x\nUseProfile=y\n",
	  ":1: Profile= and UseProfile= in one section" },
	{ "[a]\nProfile=\n", ":2: Profile=: empty or too long" },
	{ "[a]\napply=no\n", ":2: unknown key: apply" },
};

static void test_malformed(void **state)
{
	struct root *root = *state;

	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
		_cleanup_policy_ struct policy *policy = NULL;
		struct ini_problems problems = { 0 };
		struct disk_class class = sata_ssd_class();
		struct disk_facts facts;
		struct selection selection;
		char text[256];

		(void)snprintf(text, sizeof(text), "%s\n[b]\nmax_sectors_kb=64\n",
			       malformed[i].text);
		folder_put(root, NAME, text);
		ROW_INT(malformed[i].text, policy_load(root, folders, &problems, &policy),
			0);
		(void)snprintf(text, sizeof(text), NAME "%s", malformed[i].problem);
		ROW_TEXT(malformed[i].text, problem_text(&problems, 0), text);
		ROW_INT(malformed[i].text, problems.n, 1);
		/* The file is left out as a whole. */
		give_sata_ssd(&facts);
		policy_select(policy, "balanced", &facts, &class, &selection);
		ROW_INT(malformed[i].text,
			selection.settings[TUNABLE_MAX_SECTORS_KB].present, false);
		ini_problems_done(&problems);
	}
}

static struct policy *load(const struct root *root, const char *text)
{
	struct ini_problems problems = { 0 };
	struct policy *policy = NULL;

	folder_put(root, NAME, text);
	assert_int_equal(policy_load(root, folders, &problems, &policy), 0);
	assert_string_equal(problem_text(&problems, 0), "");
	return policy;
}

static void select_ssd(const struct policy *policy, const char *profile,
		       const struct given *given, struct selection *ret)
{
	struct disk_class class = sata_ssd_class();
	struct disk_facts facts;

	give_sata_ssd(&facts);
	give(&facts, given);
	policy_select(policy, profile, &facts, &class, ret);
}

static const struct given nothing[] = { { FACT_NAME, NULL } };

static void test_order(void **state)
{
	struct root *root = *state;
	_cleanup_policy_ struct policy *policy = NULL;
	struct selection selection;
	const struct setting *setting = &selection.settings[TUNABLE_READ_AHEAD_KB];

	folder_put(root, "/p/20-later.policy", "[c]\nread_ahead_kb=64\nReason=later\n");
	policy = load(root,
		      "[a]\nread_ahead_kb=128\nscheduler=none mq-deadline\nReason=one\n"
		      "Source=book\n[b]\nMatch.class=nvme-ssd\nread_ahead_kb=1\n"
		      "[c]\nMatch.class=nvme-ssd sata-ssd\nMatch.model=test*\n"
		      "nr_requests=depth\njournal_block_kb=16\n");
	select_ssd(policy, "balanced", nothing, &selection);
	assert_true(selection.apply);
	assert_true(setting->present);
	assert_string_equal(setting->value, "64");
	assert_string_equal(setting->where, "/p/20-later.policy:2");
	assert_string_equal(setting->reason, "later");
	assert_null(setting->source);
	setting = &selection.settings[TUNABLE_SCHEDULER];
	assert_string_equal(setting->value, "none mq-deadline");
	assert_string_equal(setting->where, NAME ":3");
	assert_string_equal(setting->source, "book");
	assert_true(selection.settings[TUNABLE_NR_REQUESTS].present);
	assert_false(selection.settings[TUNABLE_QUEUE_DEPTH].present);
	assert_int_equal(selection.advice.value[ADVICE_JOURNAL_BLOCK_KB], 16);
	assert_string_equal(selection.advice.where[ADVICE_JOURNAL_BLOCK_KB], NAME ":13");
	assert_string_equal(selection.main_where, "/p/20-later.policy:1");
}

static void test_keep(void **state)
{
	_cleanup_policy_ struct policy *policy = load(
		*state,
		"[a]\nread_ahead_kb=128\nscheduler=none\n"
		"[b]\nread_ahead_kb=keep\n[c]\nscheduler=keep\n[d]\nscheduler=bfq\n");
	struct selection selection;

	select_ssd(policy, "balanced", nothing, &selection);
	assert_false(selection.settings[TUNABLE_READ_AHEAD_KB].present);
	assert_true(selection.settings[TUNABLE_SCHEDULER].present);
	assert_string_equal(selection.settings[TUNABLE_SCHEDULER].value, "bfq");
}

static void test_profiles(void **state)
{
	_cleanup_policy_ struct policy *policy =
		load(*state, "[base]\nread_ahead_kb=128\n"
			     "[random]\nProfile=random\nread_ahead_kb=16\n"
			     "[streaming]\nProfile=streaming\nread_ahead_kb=1024\n"
			     "[one-disk]\nMatch.nr_requests=65\nUseProfile=streaming\n");
	static const struct given marked[] = { { FACT_NR_REQUESTS, "65" },
					       { FACT_NAME, NULL } };
	struct selection selection;
	const struct setting *setting = &selection.settings[TUNABLE_READ_AHEAD_KB];

	select_ssd(policy, "balanced", nothing, &selection);
	assert_string_equal(setting->value, "128");
	assert_string_equal(selection.profile, "balanced");
	assert_string_equal(selection.profile_where, "");
	select_ssd(policy, "random", nothing, &selection);
	assert_string_equal(setting->value, "16");
	select_ssd(policy, "no-such-profile", nothing, &selection);
	assert_string_equal(setting->value, "128");
	select_ssd(policy, "random", marked, &selection);
	assert_string_equal(setting->value, "1024");
	assert_string_equal(selection.profile, "streaming");
	assert_string_equal(selection.profile_where, NAME ":11");
}

static void test_switches(void **state)
{
	_cleanup_policy_ struct policy *policy =
		load(*state, "[a]\nMatch.model=TEST*\nApply=no\nread_ahead_kb=64\n"
			     "[b]\nMatch.nr_requests=65\nApply=yes\n");
	static const struct {
		const char *name;
		struct given given[3];
		bool apply;
		const char *where;
	} rows[] = {
		{ "by model", { { 0 } }, false, NAME ":3" },
		{ "back on by a later section",
		  { { FACT_NR_REQUESTS, "65" } },
		  true,
		  NAME ":7" },
		{ "by a udev rule",
		  { { FACT_NR_REQUESTS, "65" }, { FACT_UDEV_APPLY, "0" } },
		  false,
		  "udev:BLKADVISE_APPLY=0" },
		{ "udev says yes",
		  { { FACT_NR_REQUESTS, "65" }, { FACT_UDEV_APPLY, "1" } },
		  true,
		  NAME ":7" },
		{ "udev cannot switch on",
		  { { FACT_UDEV_APPLY, "1" } },
		  false,
		  NAME ":3" },
		{ "on the command line",
		  { { FACT_NR_REQUESTS, "65" }, { FACT_CMDLINE_APPLY, "0" } },
		  false,
		  "/proc/cmdline:blkadvise.apply=0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct selection selection;

		select_ssd(policy, "balanced", rows[i].given, &selection);
		ROW_INT(rows[i].name, selection.apply, rows[i].apply);
		ROW_TEXT(rows[i].name, selection.apply_where, rows[i].where);
		ROW_INT(rows[i].name, selection.settings[TUNABLE_READ_AHEAD_KB].present,
			true);
	}
}

static const struct {
	const char *name;
	enum transport transport;
	enum attachment attachment;
	struct given given[4]; /* ends with an empty one */
	uint32_t depth, read_kb;
} depth_rows[] = {
	{ "within queue_depth", TRANSPORT_SATA, ATTACHMENT_AHCI, { { FACT_QUEUE_DEPTH,
	  "64" } }, 48, 256 },
	{ "capped by queue_depth", TRANSPORT_SATA, ATTACHMENT_AHCI, { { 0 } }, 32, 256 },
	{ "one", TRANSPORT_SATA, ATTACHMENT_ATA_IDE_MODE, { { FACT_QUEUE_DEPTH, "1" } },
	  1, 256 },
	{ "nothing tells", TRANSPORT_VIRTIO, ATTACHMENT_PARAVIRTUAL, { { FACT_QUEUE_DEPTH,
	  "?" }, { FACT_NR_TAGS, "?" } }, 48, 256 },
	{ "the tags of one queue", TRANSPORT_VIRTIO, ATTACHMENT_PARAVIRTUAL,
	  { { FACT_QUEUE_DEPTH, "?" }, { FACT_NR_TAGS, "8" }, { FACT_HW_QUEUES, "1" } },
	  8, 256 },
	{ "the tags of four", TRANSPORT_VIRTIO, ATTACHMENT_PARAVIRTUAL,
	  { { FACT_QUEUE_DEPTH, "?" }, { FACT_NR_TAGS, "8" }, { FACT_HW_QUEUES, "4" } },
	  32, 256 },
	{ "no depth of 0", TRANSPORT_SATA, ATTACHMENT_AHCI, { { FACT_QUEUE_DEPTH, "0" } },
	  48, 256 },
	{ "bulk-only, whatever the file says", TRANSPORT_USB, ATTACHMENT_USB_BOT,
	  { { 0 } }, 1, 256 },
	/* A queue of 32 entries holds 31 commands; sqsize is 31. */
	{ "an NVMe submission queue", TRANSPORT_NVME, ATTACHMENT_NVME_PCIE,
	  { { FACT_NVME_SQSIZE, "31" } }, 31, 256 },
	{ "an NVMe queue not known", TRANSPORT_NVME, ATTACHMENT_NVME_PCIE, { { 0 } }, 48,
	  256 },
};

static void test_depths(void **state)
{
	_cleanup_policy_ struct policy *policy =
		load(*state, "[a]\nrandom_exceeds_depth=48\nscan_fits_read_kb=256\n");

	for (size_t i = 0; i < ARRAY_SIZE(depth_rows); i++) {
		struct disk_class class = sata_ssd_class();
		struct disk_facts facts;
		struct selection selection;

		give_sata_ssd(&facts);
		give(&facts, depth_rows[i].given);
		class.transport = depth_rows[i].transport;
		class.attachment = depth_rows[i].attachment;
		policy_select(policy, "balanced", &facts, &class, &selection);
		ROW_INT(depth_rows[i].name,
			selection.advice.value[ADVICE_RANDOM_EXCEEDS_DEPTH],
			depth_rows[i].depth);
		ROW_INT(depth_rows[i].name,
			selection.advice.value[ADVICE_SCAN_FITS_READ_KB],
			depth_rows[i].read_kb);
		ROW_INT(depth_rows[i].name,
			selection.advice.known[ADVICE_RANDOM_FITS_DEPTH], false);
	}
}

static void test_nothing(void **state)
{
	_cleanup_policy_ struct policy *policy = load(*state, "");
	struct selection selection;

	select_ssd(policy, "balanced", nothing, &selection);
	assert_true(selection.apply);
	assert_string_equal(selection.main_where, "");
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		assert_false(selection.settings[i].present);
	for (size_t i = 0; i < _ADVICE_MAX; i++)
		assert_false(selection.advice.known[i]);
	assert_null(policy_free(NULL));
}

static void test_config(void **state)
{
	static const struct {
		const char *text;
		bool observe;
		const char *profile, *problem;
	} rows[] = {
		{ "", false, "balanced", "" },
		{ "[blkadvise]\nMode=observe\nProfile=random\n", true, "random", "" },
		{ "[blkadvise]\nMode=apply\n", false, "balanced", "" },
		{ "[blkadvise]\nMode=maybe\n", true, "balanced",
		  ":2: Mode=maybe: apply or observe" },
		{ "[other]\n", true, "balanced", ":1: unknown section: other" },
		{ "[blkadvise]\nProfile=Big One\n", true, "balanced",
		  ":2: Profile=Big One: not a profile's name" },
		{ "[blkadvise]\nProfile=random\nColour=red\n", true, "balanced",
		  ":3: unknown key: Colour" },
	};
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct config config;

	assert_int_equal(config_load(root, &problems, &config), 0);
	assert_false(config.observe);
	assert_int_equal(config_load_file(root, PATH_CONFIG, &problems, &config),
			 -ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char want[128] = "";

		folder_put(root, PATH_CONFIG, rows[i].text);
		assert_int_equal(config_load(root, &problems, &config), 0);
		ROW_INT(rows[i].text, config.observe, rows[i].observe);
		ROW_TEXT(rows[i].text, config.profile, rows[i].profile);
		if (*rows[i].problem)
			(void)snprintf(want, sizeof(want), PATH_CONFIG "%s",
				       rows[i].problem);
		ROW_TEXT(rows[i].text, problem_text(&problems, 0), want);
		ini_problems_done(&problems);
	}
}

/* Neither a reason to give up nor to do what nobody may have meant. */
static void test_config_unreadable(void **state)
{
	struct root *root = *state;
	struct ini_problems problems = { 0 };
	struct config config;

	folder_put(root, PATH_CONFIG "/file", "the configuration is a folder");
	assert_int_equal(config_load(root, &problems, &config), 0);
	assert_true(config.observe);
	assert_string_equal(config.profile, "balanced");
	assert_string_equal(problem_text(&problems, 0),
			    PATH_CONFIG ":0: cannot be read: Is a directory");
	ini_problems_done(&problems);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST("one malformed file a case", test_malformed),
		FOLDER_TEST("later overrides earlier, setting by setting", test_order),
		FOLDER_TEST("keep takes a setting away", test_keep),
		FOLDER_TEST("profiles", test_profiles),
		FOLDER_TEST("off switches", test_switches),
		FOLDER_TEST("depths are capped by the disk", test_depths),
		FOLDER_TEST("an empty policy", test_nothing),
		FOLDER_TEST("the configuration", test_config),
		FOLDER_TEST("a configuration that cannot be read",
			    test_config_unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
