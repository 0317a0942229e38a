/* SPDX-License-Identifier: MIT */
/*
 * The entries of a report, in the order in which a person needs them: what is the matter,
 * what it costs, what to do, how to read more; evidence on request.
 */
#include "cli/report.h"

#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "cli/cli.h"
#include "cli/terminal.h"

#define TEXTS_MAX 3 /* different texts of one entry without --verbose */
#define INFO_ROWS_MIN 5 /* a screen of infos is at least this */
#define TAIL_ROWS 3 /* and leaves room for the summary and the shell's prompt */

struct printer {
	const struct report *report;
	struct terminal terminal;
};

static const enum colour colours[] = {
	[SEVERITY_INFO] = COLOUR_CYAN,
	[SEVERITY_WARN] = COLOUR_YELLOW,
	[SEVERITY_ERROR] = COLOUR_RED,
};

static void print(struct printer *printer, const char *head, size_t indent,
		  const char *format, ...) _printf_(4, 5);

static void print(struct printer *printer, const char *head, size_t indent,
		  const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;
	int r = 0;

	va_start(args, format);
	r = vasprintf(&text, format, args);
	va_end(args);
	if (r < 0)
		text = NULL;
	else
		terminal_print(&printer->terminal, COLOUR_NONE, head, indent, text);
}

static bool is_first_with_text(const struct group *group, size_t number)
{
	for (size_t i = 0; i < number; i++) {
		if (strcmp(group->members[i].finding->text,
			   group->members[number].finding->text) == 0)
			return false;
	}
	return true;
}

static size_t count_texts(const struct group *group)
{
	size_t n = 0;

	for (size_t i = 0; i < group->n; i++)
		n += is_first_with_text(group, i);
	return n;
}

/* What is the matter: once if it is the same everywhere, else with the disks. */
static void print_texts(struct printer *printer, const struct group *group)
{
	size_t texts = count_texts(group), shown = 0;
	size_t most = printer->report->verbose ? texts : TEXTS_MAX;

	if (texts == 1) {
		print(printer, "    ", 4, "%s", group_finding(group)->text);
		return;
	}
	for (size_t i = 0; i < group->n && shown < most; i++) {
		const char *text = group->members[i].finding->text;
		_cleanup_free_ char *names = NULL;

		if (!is_first_with_text(group, i))
			continue;
		names = group_names(group, text, printer->report->verbose);
		print(printer, "    ", 6, "%s: %s", names ? names : "?", text);
		shown++;
	}
	if (shown < texts)
		print(printer, "    ", 4, "... and %zu more like these (--verbose)",
		      texts - shown);
}

/* Whether a step reads differently on another disk of the group. */
static bool steps_differ(const struct group *group)
{
	char first[FINDING_TEXT_MAX], other[FINDING_TEXT_MAX];
	const struct member *members = group->members;

	for (size_t i = 0; finding_step(group_finding(group), i); i++) {
		finding_expand(finding_step(members[0].finding, i),
			       members[0].examined->facts, first, sizeof(first));
		for (size_t k = 1; k < group->n; k++) {
			finding_expand(finding_step(members[k].finding, i),
				       members[k].examined->facts, other, sizeof(other));
			if (strcmp(first, other) != 0)
				return true;
		}
	}
	return false;
}

/* A command is not broken either. The remark behind it may have a line of its own. */
static void print_step(struct printer *printer, const char *number, const char *text)
{
	static const char *const programs[] = {
		"blkadvise ", "cat ", "echo ", "grep ", "iscsiadm ", "lspci ",
		"modprobe ", "nvme ", "saptune ", "smartctl ",
	};
	const char *remark = strstr(text, "   # ");
	struct terminal unbroken = printer->terminal;
	size_t len = remark ? (size_t)(remark - text) : strlen(text);
	bool command = false;

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		command |= strncmp(text, programs[i], strlen(programs[i])) == 0;
	if (!command) {
		print(printer, number, 7, "%s", text);
		return;
	}
	unbroken.width = 0;
	if (remark && printer->terminal.width > 0 &&
	    7 + strlen(text) > printer->terminal.width) {
		_cleanup_free_ char *only = strndup(text, len);

		terminal_print(&unbroken, COLOUR_NONE, number, 7, only ? only : "?");
		print(printer, "       ", 9, "%s", remark + 3);
		return;
	}
	terminal_print(&unbroken, COLOUR_NONE, number, 7, text);
}

static void print_cost_and_remedy(struct printer *printer, const struct group *group)
{
	const struct finding *finding = group_finding(group);
	const struct examined *first = group->members[0].examined;
	char text[FINDING_TEXT_MAX], number[16];

	if (finding->cost) {
		finding_expand(finding->cost, first->facts, text, sizeof(text));
		print(printer, "    cost: ", 10, "%s", text);
	}
	if (steps_differ(group))
		print(printer, "    ", 4, "for %s, and likewise for the others:",
		      first->name);
	for (size_t i = 0; finding_step(finding, i); i++) {
		finding_expand(finding_step(finding, i), first->facts, text,
			       sizeof(text));
		(void)snprintf(number, sizeof(number), "    %zu. ", i + 1);
		print_step(printer, number, text);
	}
}

/* A path is not broken: people copy it. */
static void print_evidence(const struct member *member)
{
	for (size_t i = 0; i < member->finding->n_evidence; i++) {
		const struct evidence_item *item = &member->finding->evidence[i];
		const char *name = fact_to_string(item->fact);
		const char *leaf = facts_text(item->facts, FACT_NAME);
		char value[FACT_TEXT_MAX] = "", path[ROOT_PATH_MAX];
		bool own = item->facts == member->examined->facts || !leaf;

		(void)facts_format(item->facts, item->fact, value, sizeof(value));
		if (!facts_origin(item->facts, item->fact, path, sizeof(path)))
			(void)snprintf(path, sizeof(path), "%s", name);
		if (!own)
			cli_line("      %s = %s   (%s of %s)", path, value, name, leaf);
		else if (strcmp(path_name(path), name) != 0)
			cli_line("      %s = %s   (%s)", path, value, name);
		else
			cli_line("      %s = %s", path, value);
	}
}

static void print_details(struct printer *printer, const struct group *group)
{
	print(printer, "    ", 4, "confidence: %s",
	      confidence_to_string(group_finding(group)->confidence));
	for (size_t i = 0; i < group->n; i++) {
		if (group->n == 1)
			print(printer, "    ", 4, "evidence:");
		else
			print(printer, "    ", 4, "evidence, %s:",
			      group->members[i].examined->name);
		print_evidence(&group->members[i]);
	}
}

static void print_entry(struct printer *printer, const struct group *group)
{
	const struct finding *finding = group_finding(group);
	_cleanup_free_ char *names = group_names(group, NULL, printer->report->verbose);
	_cleanup_free_ char *text = NULL;

	if (asprintf(&text, ": %s: %s", finding_id_to_string(finding->id),
		     names ? names : "?") < 0)
		text = NULL;
	terminal_print(&printer->terminal, colours[finding->severity],
		       severity_to_string(finding->severity), 4, text ? text : "");
	print_texts(printer, group);
	print_cost_and_remedy(printer, group);
	if (printer->report->verbose)
		print_details(printer, group);
	print(printer, "    ", 4, "more: blkadvise explain %s",
	      finding_id_to_string(finding->id));
}

/* The line of an info, to be freed. */
static char *info_text(const struct group *group)
{
	const struct finding *finding = group_finding(group);
	_cleanup_free_ char *names = group_names(group, NULL, false);
	bool differ = count_texts(group) > 1;
	char *text = NULL;
	int r = asprintf(&text, ": %s: %s: %s%s%s%s", finding_id_to_string(finding->id),
			 names ? names : "?", finding->text, differ ? " (" : "",
			 differ ? group->members[0].examined->name : "",
			 differ ? "; each differs: --verbose)" : "");

	return r < 0 ? NULL : text;
}

static void print_infos(struct printer *printer, const struct groups *groups,
			size_t first)
{
	const struct terminal *terminal = &printer->terminal;
	size_t room = INFO_ROWS_MIN, used = 0;

	if (terminal->rows > room + TAIL_ROWS)
		room = terminal->rows - TAIL_ROWS;
	for (size_t i = first; i < groups->n; i++) {
		_cleanup_free_ char *text = info_text(&groups->list[i]);
		const char *word = severity_to_string(SEVERITY_INFO);

		if (!text)
			continue;
		used += terminal_measure(terminal, word, 4, text);
		if (terminal->rows > 0 && used > room) {
			print(printer, "", 0, "... and %zu more of severity info (all: "
			      "--verbose, or pipe this into a pager)",
			      groups->n - i);
			return;
		}
		terminal_print(terminal, colours[SEVERITY_INFO], word, 4, text);
	}
}

/* Returns how many are not shown. */
static size_t print_findings(struct printer *printer, const struct groups *groups)
{
	const struct report *report = printer->report;
	size_t i = 0;

	for (; i < groups->n; i++) {
		enum severity severity = group_finding(&groups->list[i])->severity;

		if (severity < report->least)
			return groups->n - i;
		if (severity == SEVERITY_INFO && !report->verbose)
			break;
		if (i > 0)
			(void)putchar('\n');
		print_entry(printer, &groups->list[i]);
	}
	if (i < groups->n) {
		if (i > 0)
			(void)putchar('\n');
		print_infos(printer, groups, i);
	}
	return 0;
}

static char *reason_of(const struct finding *finding)
{
	char *text = NULL;

	if (*finding->text)
		return strdup(finding->text);
	return asprintf(&text, "%s is not known", fact_to_string(finding->missing)) < 0 ?
		       NULL :
		       text;
}

/* Same reason, same disks: they share a line. */
static bool share_line(const struct group *a, const struct group *b)
{
	const struct finding *x = group_finding(a), *y = group_finding(b);

	if (x->missing != y->missing || strcmp(x->text, y->text) != 0 || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (a->members[i].examined != b->members[i].examined)
			return false;
	}
	return true;
}

static void print_unknown_line(struct printer *printer, const struct groups *groups,
			       size_t first)
{
	const struct group *group = &groups->list[first];
	_cleanup_free_ char *names = group_names(group, NULL, false);
	_cleanup_free_ char *reason = reason_of(group_finding(group));
	char ids[2048];
	size_t len = 0;

	for (size_t i = first; i < groups->n && len < sizeof(ids); i++) {
		const struct finding *finding = group_finding(&groups->list[i]);

		if (share_line(group, &groups->list[i]))
			len += (size_t)snprintf(ids + len, sizeof(ids) - len, "%s%s",
						len ? ", " : "",
						finding_id_to_string(finding->id));
	}
	print(printer, "  ", 4, "%s: %s (%s)", reason ? reason : "?", ids,
	      names ? names : "?");
}

static void print_unknown(struct printer *printer, const struct groups *groups)
{
	if (groups->n > 0)
		print(printer, "", 0, "could not be checked:");
	for (size_t i = 0; i < groups->n; i++) {
		bool shown = false;

		for (size_t k = 0; k < i; k++)
			shown |= share_line(&groups->list[k], &groups->list[i]);
		if (!shown)
			print_unknown_line(printer, groups, i);
	}
}

static size_t count(const struct report *report, enum check_result result)
{
	size_t n = 0;

	for (size_t i = 0; i < report->n; i++) {
		for (size_t k = 0; k < _FINDING_MAX; k++)
			n += report->examined[i].diagnosis->findings[k].result == result;
	}
	return n;
}

/* Disks and paths, as if they were the members of one group. */
static char *examined_names(const struct report *report)
{
	size_t n = report->n - report->machine;
	struct group all = { 0 };
	char *names = NULL;

	all.members = calloc(n + 1, sizeof(*all.members));
	if (!all.members)
		return NULL;
	for (; all.n < n; all.n++)
		all.members[all.n].examined = &report->examined[all.n];
	names = group_names(&all, NULL, report->verbose);
	free(all.members);
	return names;
}

static void print_none(struct printer *printer, size_t hidden)
{
	const struct report *report = printer->report;
	const char *plural = report->n_disks == 1 ? "" : "s";

	if (report->least == SEVERITY_INFO)
		print(printer, "", 0, "no findings on %zu disk%s", report->n_disks,
		      plural);
	else
		print(printer, "", 0, "no findings of severity %s%s on %zu disk%s",
		      severity_to_string(report->least),
		      report->least == SEVERITY_ERROR ? "" : " or worse", report->n_disks,
		      plural);
	if (hidden > 0)
		print(printer, "", 0, "%zu less severe not shown (--severity=info)",
		      hidden);
}

static void print_looked_at(struct printer *printer, const char *unknown)
{
	const struct report *report = printer->report;
	_cleanup_free_ char *names = examined_names(report);

	print(printer, "", 4, "looked at %s%s%s: %zu checks ok%s%s", names ? names : "?",
	      names && *names && report->machine ? " and " : "",
	      report->machine ? "the machine as a whole" : "", count(report, CHECK_OK),
	      *unknown ? ", " : "", unknown);
}

/* A log that has lost its beginning cannot tell what has not happened. */
static void print_log(struct printer *printer)
{
	const struct report *report = printer->report;

	for (size_t i = 0; i < report->n; i++) {
		const struct disk_facts *facts = report->examined[i].facts;
		const char *log = facts_text(facts, FACT_KERNEL_LOG);

		if (!log || !facts_is_set(facts, FACT_LOG_PARTIAL))
			continue;
		print(printer, "", 4,
		      "the kernel log is not whole (%s): faults from before are not "
		      "in it",
		      log);
		return;
	}
}

/* What could not be checked is told even where nothing was found. */
static void print_summary(struct printer *printer, bool none)
{
	const struct report *report = printer->report;
	size_t n = count(report, CHECK_UNKNOWN);
	char unknown[64] = "", text[128];

	if (n > 0)
		(void)snprintf(unknown, sizeof(unknown), "%zu check%s could not be made",
			       n, n == 1 ? "" : "s");
	(void)snprintf(text, sizeof(text), "%s%s", unknown,
		       n > 0 && !report->verbose ? " (--verbose says why)" : "");
	if (none || report->verbose)
		print_looked_at(printer, text);
	else
		print(printer, "", 4, "%s%s--verbose %sshows evidence", unknown,
		      n > 0 ? "; " : "", n > 0 ? "says why, and " : "");
	print_log(printer);
}

int report_print(const struct report *report)
{
	struct printer printer = { .report = report };
	_cleanup_groups_ struct groups found = { 0 }, unknown = { 0 };
	size_t hidden = 0;
	bool none = false;
	int r = groups_make(report->examined, report->n, CHECK_FOUND, &found);

	if (r == 0)
		r = groups_make(report->examined, report->n, CHECK_UNKNOWN, &unknown);
	if (r < 0)
		return r;
	terminal_open(&printer.terminal);
	hidden = print_findings(&printer, &found);
	none = hidden == found.n;
	if (report->quiet)
		return 0;
	if (!none)
		(void)putchar('\n');
	else if (report->n_disks > 0)
		print_none(&printer, hidden);
	if (report->verbose)
		print_unknown(&printer, &unknown);
	print_summary(&printer, none);
	return 0;
}
