/* SPDX-License-Identifier: MIT */
/*
 * Other programs that write the same attributes: whether they are active, which disks
 * they mean, and which of several settings counts. Files are made in a folder.
 */
#include <string.h>

#include "facts/evidence-internal.h"
#include "support.h"

#define WANT_MAX 6

static void check_facts(const char *name, const struct disk_facts *facts,
			const struct given *want)
{
	for (size_t i = 0; i < WANT_MAX && want[i].value; i++) {
		char value[FACT_TEXT_MAX] = "?";

		(void)facts_format(facts, want[i].fact, value, sizeof(value));
		if (strcmp(value, want[i].value) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", name,
				 fact_to_string(want[i].fact), value, want[i].value);
	}
}

/* Facts of a disk that rivals are asked about. */
static void give_rival_disk(struct disk_facts *facts, const char *name)
{
	static const struct given list[] = {
		{ FACT_DEVICE_SUBSYSTEM, "scsi" },
		{ FACT_REMOVABLE, "0" },
		{ FACT_SCHEDULER_LIST, "none mq-deadline kyber bfq" },
		{ FACT_READ_AHEAD_KB, "128" },
		{ FACT_LINK_POWER, "max_performance" },
		{ 0 },
	};

	facts_init(facts);
	facts_set_text(facts, FACT_NAME, name);
	facts_set_anchor(facts, ANCHOR_SCSI_HOST, "/sys/devices/x/host1/scsi_host/host1");
	give(facts, list);
}

static void check_rivals(const struct root *root, const char *name,
			 const struct given *want)
{
	struct rivals rivals = { 0 };
	struct disk_facts facts;

	give_rival_disk(&facts, name);
	assert_int_equal(rivals_load(root, &rivals), 0);
	rivals_add(root, &rivals, &facts);
	check_facts(name, &facts, want);
	rivals_done(&rivals);
}

static void check_source(const struct root *root, enum fact fact, const char *want)
{
	struct rivals rivals = { 0 };
	struct disk_facts facts;
	char source[FACT_TEXT_MAX] = "?";

	give_rival_disk(&facts, "sda");
	assert_int_equal(rivals_load(root, &rivals), 0);
	rivals_add(root, &rivals, &facts);
	(void)facts_source(&facts, fact, source, sizeof(source));
	assert_string_equal(source, want);
	rivals_done(&rivals);
}

#define CHECK_RIVALS(root, name, ...) \
	check_rivals(root, name, (const struct given[WANT_MAX]){ __VA_ARGS__ })

/* Folders without which nobody can tell that a program is not there. */
static void put_system(const struct root *root)
{
	folder_put(root, "/etc/x", "");
	folder_put(root, "/usr/x", "");
}

static void test_nobody(void **state)
{
	CHECK_RIVALS(*state, "sda", { FACT_RIVALS, "?" });
	folder_put(*state, "/etc/x", "");
	CHECK_RIVALS(*state, "sda", { FACT_RIVALS, "?" });
	put_system(*state);
	CHECK_RIVALS(*state, "sda", { FACT_RIVALS, "none" },
		     { FACT_RIVAL_SCHEDULER, "?" });
}

static void put_tuned(const struct root *root)
{
	folder_put(root, "/run/tuned/tuned.pid", "812\n");
	folder_put(root, "/etc/tuned/active_profile", "mine\n");
	folder_put(root, "/etc/tuned/mine/tuned.conf",
		   "[main]\ninclude=throughput-performance, no-such\n"
		   "[disk]\nelevator=kyber # not the usual\n"
		   "[slow]\ntype=disk\ndevices=sdx*, !sdxa\nelevator=bfq\n"
		   "[by_name]\ntype=disk\ndevices_udev_regex=ID_MODEL=x\nelevator=none\n"
		   "[off]\ntype=disk\nenabled=0\nelevator=none\n"
		   "[sysfs]\n/sys/block/sd[ab]/queue/nr_requests=64\n"
		   "/sys/block/sda/device/queue_depth=4\n/sys/kernel/x=1\n"
		   "[scsi_host]\nalpm=min_power\n");
	folder_put(root, "/usr/lib/tuned/throughput-performance/tuned.conf",
		   "[main]\nsummary=x\n\n[disk]\nreadahead=>4096\nelevator=deadline\n");
}

static void test_tuned(void **state)
{
	const struct root *root = *state;

	put_tuned(root);
	CHECK_RIVALS(
		root, "sda", { FACT_RIVALS, "tuned" }, { FACT_RIVAL_SCHEDULER, "kyber" },
		{ FACT_RIVAL_READ_AHEAD_KB, "4096" }, { FACT_RIVAL_NR_REQUESTS, "64" },
		{ FACT_RIVAL_QUEUE_DEPTH, "4" }, { FACT_RIVAL_LINK_POWER, "min_power" });
	CHECK_RIVALS(root, "sdc", { FACT_RIVAL_NR_REQUESTS, "?" },
		     { FACT_RIVAL_QUEUE_DEPTH, "?" });
	check_source(root, FACT_RIVALS, "/run/tuned/tuned.pid");
	check_source(root, FACT_RIVAL_SCHEDULER, "/etc/tuned/mine/tuned.conf:4");
	check_source(root, FACT_RIVAL_READ_AHEAD_KB,
		     "/usr/lib/tuned/throughput-performance/tuned.conf:5");
}

static void test_tuned_devices(void **state)
{
	const struct root *root = *state;

	folder_put(root, "/sys/fs/cgroup/system.slice/tuned.service/cgroup.procs", "1\n");
	folder_put(root, "/etc/tuned/active_profile", "a\n");
	folder_put(root, "/etc/tuned/profiles/a/tuned.conf",
		   "[x]\ntype=disk\ndevices=sdx*, !sdxa\nelevator=bfq\nreadahead=64 s\n"
		   "[y]\ntype=disk\nelevator=${scheduler}\nreadahead=lots\n");
	CHECK_RIVALS(root, "sdxb", { FACT_RIVAL_SCHEDULER, "bfq" },
		     { FACT_RIVAL_READ_AHEAD_KB, "32" });
	CHECK_RIVALS(root, "sdxa", { FACT_RIVALS, "?" }, { FACT_RIVAL_SCHEDULER, "?" },
		     { FACT_RIVAL_READ_AHEAD_KB, "?" });
	CHECK_RIVALS(root, "sda", { FACT_RIVAL_SCHEDULER, "?" });
}

/* A profile may include the one of the same name that it hides; circles end. */
static void test_tuned_circles(void **state)
{
	const struct root *root = *state;

	folder_put(root, "/run/tuned/tuned.pid", "1\n");
	folder_put(root, "/etc/tuned/active_profile", "a ../../x b\n");
	folder_put(root, "/etc/tuned/a/tuned.conf", "[main]\ninclude=a;b\n");
	folder_put(root, "/usr/lib/tuned/a/tuned.conf",
		   "[main]\ninclude=b\n[disk]\nelevator=none\n");
	folder_put(root, "/etc/tuned/b/tuned.conf",
		   "[main]\ninclude=a,../a,${x}\n[disk]\nreadahead=8\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVAL_SCHEDULER, "none" },
		     { FACT_RIVAL_READ_AHEAD_KB, "8" });
}

static void test_tuned_stopped(void **state)
{
	put_system(*state);
	folder_put(*state, "/etc/tuned/active_profile", "a\n");
	folder_put(*state, "/etc/tuned/a/tuned.conf", "[disk]\nelevator=none\n");
	CHECK_RIVALS(*state, "sda", { FACT_RIVALS, "none" },
		     { FACT_RIVAL_SCHEDULER, "?" });
}

static void test_tlp(void **state)
{
	const struct root *root = *state;

	folder_put(root, "/run/tlp/last_pwr", "1\n");
	folder_put(root, "/usr/share/tlp/defaults.conf",
		   "DISK_DEVICES=\"nvme0n1 sda\"\n"
		   "SATA_LINKPWR_ON_BAT=\"med_power_with_dipm\"\n");
	folder_put(root, "/etc/tlp.d/10-mine.conf",
		   "DISK_DEVICES+=\"ata-PSEUDO sdb\"\nDISK_IOSCHED=\"keep bfq kyber\"\n");
	folder_put(root, "/etc/tlp.conf",
		   "#DISK_IOSCHED=\"none\"\nSATA_LINKPWR_ON_AC=max_performance\n"
		   "SATA_LINKPWR_ON_BAT=min_power # quiet\n"
		   "SATA_LINKPWR_DENYLIST=\"host2\"\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "TLP" }, { FACT_RIVAL_SCHEDULER, "bfq" },
		     { FACT_RIVAL_LINK_POWER,
		       "max_performance on mains, min_power on battery" });
	CHECK_RIVALS(root, "nvme0n1", { FACT_RIVAL_SCHEDULER, "?" });
	CHECK_RIVALS(root, "sdb",
		     { FACT_RIVAL_SCHEDULER, "?" }); /* the list is shorter */
	check_source(root, FACT_RIVAL_SCHEDULER, "/etc/tlp.d/10-mine.conf:2");
	check_source(root, FACT_RIVAL_LINK_POWER, "/etc/tlp.conf:2, /etc/tlp.conf:3");
	folder_put(root, "/etc/tlp.conf",
		   "SATA_LINKPWR_ON_AC=\"min_power min_power\"\n\n"
		   "SATA_LINKPWR_ON_BAT=min_power\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVAL_LINK_POWER, "min_power" });
	check_source(root, FACT_RIVAL_LINK_POWER, "/etc/tlp.conf:3");
	folder_put(root, "/etc/tlp.conf", "SATA_LINKPWR_DENYLIST=\"host1\"\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "TLP" }, { FACT_RIVAL_LINK_POWER, "?" });
	folder_put(root, "/etc/tlp.conf", "TLP_ENABLE=0\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "none" },
		     { FACT_RIVAL_LINK_POWER, "?" });
}

static void test_tlp_by_id(void **state)
{
	_cleanup_root_ struct root *root =
		capture_of("F: /run/tlp/last_pwr=0\\n\nF: "
			   "/etc/tlp.conf=DISK_DEVICES=\"ata-PSEUDO\"\\n"
			   "DISK_IOSCHED=bfq\\n\nP: /devices/x/block/sdb\nN: sdb\n"
			   "S: disk/by-id/ata-PSEUDO\nE: SUBSYSTEM=block\n\n");

	(void)state;
	CHECK_RIVALS(root, "sdb", { FACT_RIVAL_SCHEDULER, "bfq" });
	CHECK_RIVALS(root, "sda", { FACT_RIVAL_SCHEDULER, "?" });
}

static void test_saptune(void **state)
{
	const struct root *root = *state;

	folder_put(root, "/run/saptune/saved_state/1984787", "{}\n");
	folder_put(root, "/etc/sysconfig/saptune",
		   "# saptune\nTUNE_FOR_SOLUTIONS=\"HANA\"\nTUNE_FOR_NOTES=\"\"\n"
		   "NOTE_APPLY_ORDER=\"1984787 mine ../x\"\n");
	folder_put(root, "/var/lib/saptune/working/notes/1984787",
		   "[version]\nVERSION=40\n[rpm]\nsystemd 12-SP2 228\n"
		   "[block]\nIO_SCHEDULER=NoOp, NoNE\nNRREQ=1022\nREAD_AHEAD_KB=256\n"
		   "[block:blkvendor=X:blkmodel=Y]\nREAD_AHEAD_KB=1\n");
	folder_put(root, "/etc/saptune/override/1984787", "[block]\nNRREQ=\n");
	folder_put(root, "/etc/saptune/extra/mine.conf",
		   "[block:blkpat=sdb]\nMAX_SECTORS_KB=1280\nREAD_AHEAD_KB=512\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "saptune" },
		     { FACT_RIVAL_SCHEDULER, "none" }, { FACT_RIVAL_NR_REQUESTS, "?" },
		     { FACT_RIVAL_READ_AHEAD_KB, "256" },
		     { FACT_RIVAL_MAX_SECTORS_KB, "?" });
	CHECK_RIVALS(root, "sdb", { FACT_RIVAL_READ_AHEAD_KB, "512" },
		     { FACT_RIVAL_MAX_SECTORS_KB, "1280" });
	check_source(root, FACT_RIVALS, "/run/saptune/saved_state");
	check_source(root, FACT_RIVAL_SCHEDULER,
		     "/var/lib/saptune/working/notes/1984787:6");
}

/* What is configured and was not applied, or reverted, writes nothing. */
static void test_saptune_idle(void **state)
{
	const struct root *root = *state;

	put_system(root);
	folder_put(root, "/etc/sysconfig/saptune", "TUNE_FOR_NOTES=\"mine\"\n");
	folder_put(root, "/etc/saptune/extra/mine.conf", "[block]\nREAD_AHEAD_KB=512\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "none" },
		     { FACT_RIVAL_READ_AHEAD_KB, "?" });
	folder_put(root, "/var/lib/saptune/saved_state/mine", "{}\n"); /* version 2 */
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "saptune" },
		     { FACT_RIVAL_READ_AHEAD_KB, "512" });
}

static void test_several(void **state)
{
	put_tuned(*state);
	folder_put(*state, "/run/tlp/last_pwr", "0\n");
	CHECK_RIVALS(*state, "sda", { FACT_RIVALS, "tuned, TLP" });
}

/* --- what cannot be read in full -------------------------------------------------- */

/* clang-format off */
#define PROFILE "/etc/tuned/a/tuned.conf"
#define TUNED(text) { "/run/tuned/tuned.pid", "1\n" },             \
	{ "/etc/tuned/active_profile", "a\n" }, { PROFILE, text }
#define TLP(text) { "/run/tlp/last_pwr", "0\n" }, { "/etc/tlp.conf", text }
#define SAPTUNE(notes) { "/run/saptune/saved_state/a", "{}\n" }, \
	{ "/etc/sysconfig/saptune", "NOTE_APPLY_ORDER=\"" notes "\"\n" }
#define NOTE(text) { "/etc/saptune/extra/a.conf", text }

/* Files of a system, and what disk sda gets to know; the scheduler is "?" if NULL. */
static const struct {
	const char *name;
	struct {
		const char *path, *text;
	} files[5];
	const char *rivals, *scheduler;
} partial_rows[] = {
	{ "tuned: all is read", { TUNED("[disk]\nspindown=6\n") }, "tuned", NULL },
	{ "tuned: no such profile",
	  { { "/run/tuned/tuned.pid", "1\n" }, { "/etc/tuned/active_profile", "b\n" } },
	  "?", NULL },
	{ "tuned: no active profile", { { "/run/tuned/tuned.pid", "1\n" } }, "?", NULL },
	{ "tuned: the active profile is empty",
	  { TUNED("[disk]\nelevator=bfq\n"), { "/etc/tuned/active_profile", "\n" } }, "?",
	  NULL },
	{ "tuned: a variable", { TUNED("[disk]\nelevator=${v1}\n") }, "?", NULL },
	{ "tuned: a function", { TUNED("[disk]\nreadahead=${f:exec:echo:64}\n") }, "?",
	  NULL },
	{ "tuned: a variable hides another unit's value",
	  { TUNED("[disk]\nelevator=${v1}\n[x]\ntype=disk\nelevator=bfq\n") }, "?",
	  NULL },
	{ "tuned: a variable for other disks",
	  { TUNED("[disk]\ndevices=sdb\nelevator=${v1}\n") }, "tuned", NULL },
	{ "tuned: a value beside a variable",
	  { TUNED("[disk]\nelevator=bfq\nreadahead=${v1}\n") }, "tuned", "bfq" },
	{ "tuned: a variable in sysfs",
	  { TUNED("[sysfs]\n/sys/block/sd*/queue/scheduler=${v1}\n") }, "?", NULL },
	{ "tuned: a variable in a path",
	  { TUNED("[sysfs]\n/sys/block/${d}/queue/scheduler=bfq\n") }, "?", NULL },
	{ "tuned: a variable for devices",
	  { TUNED("[disk]\ndevices=${d}\nelevator=bfq\n") }, "?", NULL },
	{ "tuned: a variable decides whether",
	  { TUNED("[disk]\nenabled=${d}\nelevator=bfq\n") }, "?", NULL },
	{ "tuned: disks by udev",
	  { TUNED("[disk]\ndevices_udev_regex=ID_X=y\nelevator=bfq\n") }, "?", NULL },
	{ "tuned: disks by udev, for something else",
	  { TUNED("[disk]\ndevices_udev_regex=ID_X=y\nspindown=6\n") }, "tuned", NULL },
	{ "tuned: an include that is not there", { TUNED("[main]\ninclude=b\n") }, "?",
	  NULL },
	{ "tuned: an include by a variable", { TUNED("[main]\ninclude=a-${v1}\n") }, "?",
	  NULL },
	{ "tuned: a value beside it",
	  { TUNED("[main]\ninclude=b\n[disk]\nelevator=bfq\n") }, "tuned", "bfq" },
	{ "tuned: malformed lines", { TUNED("[disk]\n\x01\xff\n") }, "?", NULL },
	{ "TLP: all is read", { TLP("DISK_IOSCHED=\"keep keep\"\n") }, "TLP", NULL },
	{ "TLP: no file at all", { { "/run/tlp/last_pwr", "0\n" } }, "?", NULL },
	{ "TLP: a variable of the shell's",
	  { TLP("DISK_DEVICES=\"$disks\"\nDISK_IOSCHED=bfq\n") }, "?", NULL },
	{ "TLP: the link's power alone",
	  { TLP("SATA_LINKPWR_ON_AC=min_power\nDISK_IOSCHED=\"$x\"\n") }, "?", NULL },
	{ "saptune: all is read", { SAPTUNE("a"), NOTE("[vm]\nX=1\n") }, "saptune",
	  NULL },
	{ "saptune: no such note", { SAPTUNE("b"), NOTE("[vm]\nX=1\n") }, "?", NULL },
	{ "saptune: one of two", { SAPTUNE("a b"), NOTE("[block]\nIO_SCHEDULER=bfq\n") },
	  "saptune", "bfq" },
	{ "saptune: no notes", { SAPTUNE(""), NOTE("[block]\nNRREQ=8\n") }, "?", NULL },
	{ "saptune: disks by vendor",
	  { SAPTUNE("a"), NOTE("[block:blkvendor=X]\nNRREQ=8\n") }, "?", NULL },
	{ "one of two programs",
	  { TUNED("[disk]\nelevator=${v1}\n"), TLP("DISK_IOSCHED=\"keep\"\n") }, "?",
	  NULL },
};
/* clang-format on */

static void test_partial(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(partial_rows); i++) {
		const char *scheduler = partial_rows[i].scheduler;
		void *root = NULL;

		assert_int_equal(folder_setup(&root), 0);
		put_system(root);
		for (size_t k = 0; k < 5 && partial_rows[i].files[k].path; k++)
			folder_put(root, partial_rows[i].files[k].path,
				   partial_rows[i].files[k].text);
		print_message("%s\n", partial_rows[i].name);
		CHECK_RIVALS(root, "sda", { FACT_RIVALS, partial_rows[i].rivals },
			     { FACT_RIVAL_SCHEDULER, scheduler ? scheduler : "?" });
		assert_int_equal(folder_teardown(&root), 0);
	}
}

/* Files that are longer than any that we read. */
static void test_too_long(void **state)
{
	static char text[INI_FILE_MAX + 100];
	const struct root *root = *state;

	put_system(root);
	memset(text, '\n', sizeof(text) - 1);
	folder_put(root, "/run/tlp/last_pwr", "0\n");
	folder_put(root, "/etc/tlp.conf", text);
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "?" });
	folder_put(root, "/etc/tlp.d/1.conf", "DISK_IOSCHED=\"x bfq\"\n");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "TLP" },
		     { FACT_RIVAL_SCHEDULER, "bfq" });
	folder_put(root, "/etc/tlp.d/1.conf", "");
	folder_put(root, "/etc/tlp.conf", "");
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "TLP" });
	folder_put(root, "/run/tuned/tuned.pid", "1\n");
	folder_put(root, "/etc/tuned/active_profile", "a\n");
	folder_put(root, PROFILE, text);
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "?" });
}

static void test_long_chain(void **state)
{
	const struct root *root = *state;
	char path[64], text[64];

	put_system(root);
	folder_put(root, "/run/tuned/tuned.pid", "1\n");
	folder_put(root, "/etc/tuned/active_profile", "p0\n");
	for (unsigned int i = 0; i < 40; i++) {
		(void)snprintf(path, sizeof(path), "/etc/tuned/p%u/tuned.conf", i);
		(void)snprintf(text, sizeof(text), "[main]\ninclude=p%u\n", i + 1);
		folder_put(root, path, i == 39 ? "[disk]\nelevator=bfq\n" : text);
	}
	CHECK_RIVALS(root, "sda", { FACT_RIVALS, "?" }, { FACT_RIVAL_SCHEDULER, "?" });
}

static const char *const garbage_files[] = {
	"/run/tuned/tuned.pid",
	"/etc/tuned/active_profile",
	"/etc/tuned/a/tuned.conf",
	"/run/tlp/last_pwr",
	"/etc/tlp.conf",
	"/usr/share/tlp/defaults.conf",
	"/etc/tlp.d/1.conf",
	"/etc/sysconfig/saptune",
	"/etc/saptune/extra/a.conf",
	"/etc/saptune/override/a",
	"/run/saptune/saved_state/a",
};

static const char *const garbage_words[] = {
	"[disk]\n",
	"[main]\n",
	"include=a\n",
	"[",
	"]",
	"=",
	"\n",
	"\"",
	"'",
	"#",
	"a ",
	"elevator=",
	"readahead=>",
	"99999999999999999999",
	"type=disk\n",
	"devices=",
	"!*, ",
	"[block]\n",
	"IO_SCHEDULER=",
	"TUNE_FOR_NOTES=a\n",
	"DISK_IOSCHED=\"",
	"DISK_DEVICES=",
	"SATA_LINKPWR_ON_AC=",
	"\xff\x01",
	"+=",
	"/sys/block/",
	"[sysfs]\n/sys/block/*/queue/scheduler=",
	"[block:blkpat=",
};

static uint32_t next_random(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 8;
}

/* Whatever is in their files: nothing is out of bounds, and nothing fails. */
static void test_garbage(void **state)
{
	static char text[8192];
	uint32_t random = 99;

	for (size_t round = 0; round < 60; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(garbage_files); i++) {
			size_t len = 0;

			text[0] = '\0';
			while (len < sizeof(text) - 128 && next_random(&random) % 400) {
				size_t word =
					next_random(&random) % ARRAY_SIZE(garbage_words);

				strcpy(text + len, garbage_words[word]);
				len += strlen(garbage_words[word]);
			}
			folder_put(*state, garbage_files[i], i == 1 ? "a\n" : text);
		}
		check_rivals(*state, "sda", (const struct given[WANT_MAX]){ { 0 } });
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		FOLDER_TEST("nobody else writes", test_nobody),
		FOLDER_TEST("tuned: profiles and includes", test_tuned),
		FOLDER_TEST("tuned: for which disks", test_tuned_devices),
		FOLDER_TEST("tuned: profiles in a circle", test_tuned_circles),
		FOLDER_TEST("tuned: configured and not running", test_tuned_stopped),
		FOLDER_TEST("TLP", test_tlp),
		TEST("TLP: disks by id", test_tlp_by_id),
		FOLDER_TEST("saptune", test_saptune),
		FOLDER_TEST("saptune: configured and not applied", test_saptune_idle),
		FOLDER_TEST("several at once", test_several),
		TEST("what cannot be read in full", test_partial),
		FOLDER_TEST("files that are too long", test_too_long),
		FOLDER_TEST("a long chain of profiles", test_long_chain),
		FOLDER_TEST("garbage in their files", test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
