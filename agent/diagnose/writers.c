/* SPDX-License-Identifier: MIT */
/*
 * Who else writes here: values that are no longer what we wrote, with the likely writer,
 * and programs that are active and configured to write what the policy sets too. The
 * kernel itself is a writer: it resets nr_requests on a switch of the scheduler, and
 * read_ahead_kb when it sets limits again (block/blk-settings.c).
 */
#include <stdlib.h>

#include "diagnose/readahead.h"

/* What the programs are configured to write; _FACT_MAX: none of them writes it. */
static enum fact rival_fact(enum tunable tunable)
{
	static const enum fact facts[] = {
		[TUNABLE_SCHEDULER] = FACT_RIVAL_SCHEDULER,
		[TUNABLE_QUEUE_DEPTH] = FACT_RIVAL_QUEUE_DEPTH,
		[TUNABLE_NR_REQUESTS] = FACT_RIVAL_NR_REQUESTS,
		[TUNABLE_MAX_SECTORS_KB] = FACT_RIVAL_MAX_SECTORS_KB,
		[TUNABLE_READ_AHEAD_KB] = FACT_RIVAL_READ_AHEAD_KB,
	};

	return facts[tunable];
}

struct rival {
	enum tool tool;
	char where[ROOT_PATH_MAX]; /* file:line, or "" */
	const char *wish;
};

#define OR_HOLD(whose, setting)                                                     \
	"blkadvise hold {name} " setting "   # or: leave the setting to " whose "; for " \
	"good Apply=no for this disk in a file of /etc/blkadvise/policy.d"

/* A remedy for each setting, with a first step in common. */
#define REMEDIES(first, whose)                                                          \
	{                                                                               \
		[TUNABLE_SCHEDULER] = STEPS(first, OR_HOLD(whose, "scheduler")),        \
		[TUNABLE_QUEUE_DEPTH] = STEPS(first, OR_HOLD(whose, "queue_depth")),    \
		[TUNABLE_NR_REQUESTS] = STEPS(first, OR_HOLD(whose, "nr_requests")),    \
		[TUNABLE_MAX_SECTORS_KB] =                                              \
			STEPS(first, OR_HOLD(whose, "max_sectors_kb")),                 \
		[TUNABLE_READ_AHEAD_KB] = STEPS(first, OR_HOLD(whose, "read_ahead_kb")) \
	}

#define QUIET_TUNED                                                                   \
	"take a tuned profile that leaves disks alone (tuned-adm profile balanced), or " \
	"a profile of your own with include= of the present one and enabled=0 in its "  \
	"[disk] section"
#define QUIET_TLP                                                                    \
	"in /etc/tlp.conf or a file of /etc/tlp.d set DISK_IOSCHED=\"keep\" for this " \
	"disk, then run: tlp start"
#define QUIET_SAPTUNE                                                             \
	"saptune note customise NOTE   # overrides the note: leave the parameter of " \
	"its [block] section empty"
#define QUIET_ANY "let one program set it: take it out of the other one's configuration"

static const struct {
	const char *name; /* as fact rivals has it */
	const char *const *remedies[_TUNABLE_MAX];
} tools[_TOOL_MAX] = {
	[TOOL_UNKNOWN] = { "another program", REMEDIES(QUIET_ANY, "the other") },
	[TOOL_TUNED] = { "tuned", REMEDIES(QUIET_TUNED, "tuned") },
	[TOOL_TLP] = { "TLP", REMEDIES(QUIET_TLP, "TLP") },
	[TOOL_SAPTUNE] = { "saptune", REMEDIES(QUIET_SAPTUNE, "saptune") },
};

const char *tool_name(enum tool tool)
{
	return tools[tool].name;
}

/* A file is its folder's, whatever it is called: /etc/tlp.d/10-tuned.conf is TLP's. */
static enum tool tool_of_path(const char *path)
{
	static const struct {
		const char *beginning;
		enum tool tool;
	} places[] = {
		{ "/usr/lib/tuned/", TOOL_TUNED },
		{ "/etc/tuned/", TOOL_TUNED },
		{ "/run/tuned/", TOOL_TUNED },
		{ "/etc/tlp.conf", TOOL_TLP },
		{ "/etc/tlp.d/", TOOL_TLP },
		{ "/usr/share/tlp/", TOOL_TLP },
		{ "/run/tlp/", TOOL_TLP },
		{ "/etc/sysconfig/saptune", TOOL_SAPTUNE },
		{ "/etc/saptune/", TOOL_SAPTUNE },
		{ "/usr/share/saptune/", TOOL_SAPTUNE },
		{ "/var/lib/saptune/", TOOL_SAPTUNE },
		{ "/run/saptune/", TOOL_SAPTUNE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (strncmp(path, places[i].beginning, strlen(places[i].beginning)) == 0)
			return places[i].tool;
	}
	return TOOL_UNKNOWN;
}

enum tool tool_of(const struct disk_facts *facts, enum fact rival)
{
	char where[ROOT_PATH_MAX] = "";
	enum tool tool = TOOL_UNKNOWN;

	if (facts_source(facts, rival, where, sizeof(where)))
		tool = tool_of_path(where);
	for (int i = 0; tool == TOOL_UNKNOWN && i < _TOOL_MAX; i++) {
		if (facts_is_text(facts, FACT_RIVALS, tools[i].name))
			return (enum tool)i;
	}
	return tool;
}

/* Who is configured to write @tunable; false if nobody is known to be. */
static bool find_rival(const struct disk_facts *facts, enum tunable tunable,
		       struct rival *ret)
{
	const char *wish = facts_text(facts, rival_fact(tunable));
	const char *names = facts_text(facts, FACT_RIVALS);
	struct rival rival = { .wish = wish };

	if (!wish || !names || strcmp(names, "none") == 0)
		return false;
	if (!facts_source(facts, rival_fact(tunable), rival.where, sizeof(rival.where)))
		rival.where[0] = '\0';
	rival.tool = tool_of(facts, rival_fact(tunable));
	*ret = rival;
	return true;
}

/* Values that we wrote and still want, and that are others now. */
static bool has_drifted(const struct subject *subject, enum tunable tunable,
			const char *current)
{
	const struct tunable_state *memory = &subject->state->tunables[tunable];
	const struct change *change = planned(subject, tunable);

	if (subject->state->held || memory->held || !memory->has_written ||
	    strcmp(memory->written, current) == 0)
		return false;
	return !change || change->outcome == OUTCOME_CHANGE ||
	       change->outcome == OUTCOME_ADMIN || change->outcome == OUTCOME_RIVAL;
}

/* True if it is the kernel. */
static bool name_writer(const struct subject *subject, enum tunable tunable,
			const char *current, char *buf, size_t size)
{
	char explanation[160] = "";
	struct rival rival = { 0 };

	if (find_rival(own(subject), tunable, &rival) &&
	    strcmp(rival.wish, current) == 0) {
		(void)snprintf(buf, size, "%s is configured to write it%s%.80s",
			       tool_name(rival.tool), rival.where[0] ? ", " : "",
			       rival.where);
		return false;
	}
	if (value_owner(own(subject), subject->class, subject->state, tunable,
			explanation, sizeof(explanation)) == OWNER_KERNEL) {
		(void)snprintf(buf, size, "likely by the kernel: %s", explanation);
		return true;
	}
	(void)snprintf(buf, size, "by a person or another program");
	return false;
}

static const char *const apply_again[] = {
	"blkadvise apply {name}   # done by itself at the disk's next event, where the "
	"kernel was the writer",
	"blkadvise diagnose --verbose {name}   # if it comes back: as root, shows who "
	"else is configured to write here",
	NULL,
};

/*
 * To apply again does not help here: a value of somebody else is left alone, and restore
 * leaves it, too, and forgets what was applied. So the first step, which is made for the
 * disk (add_to_step()), writes the value by hand.
 */
#define FIND_WRITER                                                                 \
	"grep -rs queue/ /etc/udev/rules.d /usr/lib/udev/rules.d /etc/tuned "       \
	"/etc/tlp.conf /etc/rc.local /etc/systemd/system   # find who else writes " \
	"here, and stop that"
#define OR_ACCEPT(setting)                                                       \
	STEPS(FIND_WRITER, "blkadvise hold {name} " setting "   # or: accept it " \
			   "as it is now")

static const char *const *const whose_wish[_TUNABLE_MAX] = {
	[TUNABLE_SCHEDULER] = OR_ACCEPT("scheduler"),
	[TUNABLE_QUEUE_DEPTH] = OR_ACCEPT("queue_depth"),
	[TUNABLE_NR_REQUESTS] = OR_ACCEPT("nr_requests"),
	[TUNABLE_MAX_SECTORS_KB] = OR_ACCEPT("max_sectors_kb"),
	[TUNABLE_READ_AHEAD_KB] = OR_ACCEPT("read_ahead_kb"),
};

static const char *const several_wishes[] = {
	FIND_WRITER,
	"blkadvise restore {name}   # or: accept it; what others changed stays, the disk "
	"is held",
	NULL,
};

/* What is told of all values together. */
struct drift {
	char text[FINDING_TEXT_MAX];
	size_t len, n;
	enum tunable last;
	bool kernels; /* it took all of them back, and they may be left to us */
};

/* The command that writes what was applied. */
static void add_to_step(enum tunable tunable, const char *value, struct finding *finding)
{
	const char *folder = tunable == TUNABLE_QUEUE_DEPTH ? "device" : "queue";
	size_t len = strlen(finding->first_step);

	(void)snprintf(finding->first_step + len, sizeof(finding->first_step) - len,
		       "%secho %.31s > /sys/block/{name}/%s/%s", len > 0 ? "; " : "",
		       value, folder, tunable_to_string(tunable));
}

/* What the policy wants now; without a plan, what we had written. */
static const char *wanted(const struct subject *subject, enum tunable tunable)
{
	const char *target =
		subject->plan ? subject->plan->changes[tunable].target : "";

	return *target ? target : subject->state->tunables[tunable].written;
}

static void add_drift(const struct subject *subject, enum tunable tunable,
		      struct drift *drift, struct finding *finding)
{
	const struct tunable_state *memory = &subject->state->tunables[tunable];
	char current[FACT_TEXT_MAX], writer[280];

	if (!facts_format(own(subject), tunable_fact(tunable), current,
			  sizeof(current)) ||
	    !has_drifted(subject, tunable, current))
		return;
	drift->kernels &=
		name_writer(subject, tunable, current, writer, sizeof(writer)) &&
		!memory->rival;
	if (drift->len < sizeof(drift->text))
		drift->len += (size_t)snprintf(
			drift->text + drift->len, sizeof(drift->text) - drift->len,
			"%s%s is %.31s and no longer %s (%.180s)", drift->n ? "; " : "",
			tunable_to_string(tunable), current, memory->written, writer);
	add_evidence(finding, own(subject), tunable_fact(tunable));
	add_evidence(finding, own(subject), rival_fact(tunable));
	add_to_step(tunable, wanted(subject, tunable), finding);
	drift->last = tunable;
	drift->n++;
}

static void check_drift(const struct subject *subject, struct finding *finding)
{
	struct drift drift = { .kernels = true };

	if (subject->state->unreadable) {
		could_not_check(finding,
				"what blkadvise remembers of this disk cannot be read");
		return;
	}
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		add_drift(subject, (enum tunable)i, &drift, finding);
	if (drift.n == 0)
		return;
	found(finding, SEVERITY_WARN, CONFIDENCE_HIGH, "%s", drift.text);
	finding->remedy = drift.n > 1 ? several_wishes : whose_wish[drift.last];
	if (drift.kernels) {
		finding->first_step[0] = '\0';
		finding->remedy = apply_again;
	}
}

static bool is_remembered(const struct subject *subject)
{
	return subject->state && !is_no_real_disk(subject);
}

enum contest {
	CONTEST_NONE,
	CONTEST_SAME, /* two programs write the same value */
	CONTEST_DIFFERENT,
};

/* A setting that is switched off, held or not for this disk is contested by nobody. */
static enum contest judge_contest(const struct change *change, const struct rival *rival)
{
	switch (change->outcome) {
	case OUTCOME_RIVAL:
		return CONTEST_DIFFERENT;
	case OUTCOME_EQUAL:
	case OUTCOME_CHANGE:
	case OUTCOME_ADMIN:
	case OUTCOME_REFUSED:
		return strcmp(rival->wish, change->target) == 0 ? CONTEST_SAME :
								  CONTEST_DIFFERENT;
	case OUTCOME_NO_SETTING:
	case OUTCOME_HELD:
	case OUTCOME_OFF:
	case OUTCOME_HANDS_OFF:
	case OUTCOME_UNSUPPORTED:
	case OUTCOME_UNKNOWN:
	case _OUTCOME_MAX:
		break;
	}
	return CONTEST_NONE;
}

/*
 * Megabytes of readahead are worth a word where the policy says nothing of it: but not
 * for arrays and rotating disks, which they may suit.
 */
static bool is_large_read_ahead(const struct subject *subject,
				const struct change *change, const struct rival *rival)
{
	return change->tunable == TUNABLE_READ_AHEAD_KB &&
	       change->outcome == OUTCOME_NO_SETTING &&
	       subject->class->transport != TRANSPORT_MD &&
	       subject->class->class != CLASS_RAID_VOLUME &&
	       subject->class->medium != MEDIUM_ROTATIONAL &&
	       strtoull(rival->wish, NULL, 10) >= READ_AHEAD_HUGE_KB;
}

static void tell_contest(const struct change *change, const struct rival *rival,
			 enum contest contest, struct finding *finding)
{
	const char *name = tunable_to_string(change->tunable);
	const char *comma = rival->where[0] ? ", " : "";
	const char *tool = tool_name(rival->tool);

	if (contest == CONTEST_SAME)
		found(finding, SEVERITY_INFO, CONFIDENCE_HIGH,
		      "%s is active and sets %s to %.40s%s%.100s: so does blkadvise, and "
		      "they fight as soon as one of them changes",
		      tool, name, rival->wish, comma, rival->where);
	else if (change->target[0])
		found(finding, SEVERITY_WARN, CONFIDENCE_HIGH,
		      "%s is active and sets %s to %.40s%s%.100s, where the policy wants "
		      "%s%s%.80s",
		      tool, name, rival->wish, comma, rival->where, change->target,
		      change->setting ? ", " : "",
		      change->setting ? change->setting->where : "");
	else
		found(finding, SEVERITY_WARN, CONFIDENCE_MEDIUM,
		      "%s is active and sets %s to %.40s%s%.100s: each page fault of an "
		      "mmap reader may fetch that much",
		      tool, name, rival->wish, comma, rival->where);
	finding->remedy = tools[rival->tool].remedies[change->tunable];
}

/* The worst one is told; the evidence has them all. */
static void check_rivals(const struct subject *subject, struct finding *finding)
{
	enum contest worst = CONTEST_NONE;

	for (size_t i = 0; subject->plan && i < _TUNABLE_MAX; i++) {
		const struct change *change = &subject->plan->changes[i];
		enum contest contest = CONTEST_NONE;
		struct rival rival = { 0 };

		if (!find_rival(own(subject), (enum tunable)i, &rival))
			continue;
		contest = is_large_read_ahead(subject, change, &rival) ?
				  CONTEST_DIFFERENT :
				  judge_contest(change, &rival);
		if (contest == CONTEST_NONE)
			continue;
		add_evidence(finding, own(subject), rival_fact((enum tunable)i));
		add_evidence(finding, own(subject), tunable_fact((enum tunable)i));
		if (contest <= worst)
			continue;
		worst = contest;
		tell_contest(change, &rival, contest, finding);
	}
}

static bool is_tuned_disk(const struct subject *subject)
{
	return !is_no_real_disk(subject) && subject->class->class != CLASS_MEMORY;
}

static const struct check list[] = {
	{
		.id = FINDING_SETTING_DRIFTED,
		.scope = SCOPE_DISK,
		.applies = is_remembered,
		.requires = FACTS(FACT_NAME), /* of whom the memory is */
		.run = check_drift,
		.evidence = NO_FACTS,
	},
	{
		.id = FINDING_RIVAL_WRITER,
		.scope = SCOPE_DISK,
		.applies = is_tuned_disk,
		.requires = FACTS(FACT_RIVALS),
		.run = check_rivals,
		.evidence = FACTS(FACT_RIVALS),
	},
};

const struct checks writer_checks = { list, ARRAY_SIZE(list) };
