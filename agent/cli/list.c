/* SPDX-License-Identifier: MIT */
/*
 * The table: one line a disk, what it is, what is in force, what an engine is advised,
 * what was found.
 */
#include <libsmartcols.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/writer.h"

enum column {
	COLUMN_NAME,
	COLUMN_CLASS,
	COLUMN_ATTACHMENT,
	COLUMN_NCQ,
	COLUMN_SCHEDULER,
	COLUMN_READ_AHEAD,
	COLUMN_QUEUE_DEPTH,
	COLUMN_ADVICE,
	COLUMN_FINDINGS,
	_COLUMN_MAX,
};

static const struct {
	const char *name;
	int flags;
} columns[] = {
	[COLUMN_NAME] = { "NAME", 0 },
	[COLUMN_CLASS] = { "CLASS", 0 },
	[COLUMN_ATTACHMENT] = { "ATTACHMENT", 0 },
	[COLUMN_NCQ] = { "NCQ", 0 },
	[COLUMN_SCHEDULER] = { "SCHEDULER", 0 },
	[COLUMN_READ_AHEAD] = { "READ_AHEAD_KB", SCOLS_FL_RIGHT },
	[COLUMN_QUEUE_DEPTH] = { "QUEUE_DEPTH", SCOLS_FL_RIGHT },
	[COLUMN_ADVICE] = { "ADVICE", 0 },
	[COLUMN_FINDINGS] = { "FINDINGS", 0 },
};

/* "direct, depth 32": random reads of what exceeds the cache, the usual question. */
static void format_advice(const struct advice *advice, char *buf, size_t size)
{
	char text[24];
	const char *mode = advice_format(advice, ADVICE_RANDOM_EXCEEDS_IO_MODE, text,
					 sizeof(text));
	char depth[24];

	if (!mode)
		(void)snprintf(buf, size, "-");
	else if (advice_format(advice, ADVICE_RANDOM_EXCEEDS_DEPTH, depth, sizeof(depth)))
		(void)snprintf(buf, size, "%s, depth %s", mode, depth);
	else
		(void)snprintf(buf, size, "%s", mode);
}

/* "ata-ide-mode,+2 info": what explains itself must not hide what is wrong. */
static void format_findings(const struct diagnosis *diagnosis, char *buf, size_t size)
{
	size_t len = 0, infos = 0;

	(void)snprintf(buf, size, "-");
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const struct finding *finding = &diagnosis->findings[i];

		if (finding->result != CHECK_FOUND)
			continue;
		if (finding->severity == SEVERITY_INFO)
			infos++;
		else if (len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s",
						len ? "," : "",
						finding_id_to_string(finding->id));
	}
	if (infos > 0 && len < size)
		(void)snprintf(buf + len, size - len, "%s%zu info", len ? ",+" : "",
			       infos);
}

static void format_cell(const struct survey *survey, enum column column, char *buf,
			size_t size)
{
	const struct disk_facts *facts = &survey->disk->facts;
	char raw[FACT_TEXT_MAX];
	enum fact fact = _FACT_MAX;

	switch (column) {
	case COLUMN_NAME:
		(void)clean(survey_name(survey), buf, size);
		return;
	case COLUMN_CLASS:
		(void)snprintf(buf, size, "%s", class_to_string(survey->class.class));
		return;
	case COLUMN_ATTACHMENT:
		(void)snprintf(buf, size, "%s",
			       attachment_to_string(survey->class.attachment));
		return;
	case COLUMN_NCQ:
		(void)snprintf(buf, size, "%s",
			       survey->class.ncq == NCQ_NONE
				       ? "-"
				       : ncq_to_string(survey->class.ncq));
		return;
	case COLUMN_ADVICE:
		format_advice(&survey->selection.advice, buf, size);
		return;
	case COLUMN_FINDINGS:
		format_findings(&survey->diagnosis, buf, size);
		return;
	case COLUMN_SCHEDULER:
		fact = FACT_SCHEDULER;
		break;
	case COLUMN_READ_AHEAD:
		fact = FACT_READ_AHEAD_KB;
		break;
	case COLUMN_QUEUE_DEPTH:
		fact = FACT_QUEUE_DEPTH;
		break;
	case _COLUMN_MAX:
		return;
	}
	if (facts_format(facts, fact, raw, sizeof(raw)))
		(void)clean(raw, buf, size);
	else
		(void)snprintf(buf, size, "-");
}

/* The table, and what keeps events from writing to the disks in it. */
struct listing {
	struct libscols_table *table;
	size_t disks, off;
	bool differ; /* not all of those that are off are so for one reason */
	char where[WHERE_MAX];
	struct names held, switches; /* lines below the table */
};

static void note_switch(struct listing *listing, const struct survey *survey)
{
	const char *where = survey->selection.apply_where;
	char line[512];

	listing->disks++;
	if (survey->selection.apply)
		return;
	if (listing->off++ == 0)
		strcpy(listing->where, where);
	listing->differ |= strcmp(listing->where, where) != 0;
	(void)snprintf(line, sizeof(line), "%s: observed, nothing is written (%s)",
		       survey_name(survey), where);
	(void)names_add(&listing->switches, line);
}

static void note_hold(struct listing *listing, const struct survey *survey)
{
	char settings[128], line[512];

	if (!survey_holds(survey, settings, sizeof(settings)))
		return;
	(void)snprintf(line, sizeof(line), "%s: %s%sheld", survey_name(survey), settings,
		       *settings ? " " : "");
	(void)names_add(&listing->held, line);
}

static void print_notes(const struct listing *listing)
{
	bool all = listing->off == listing->disks && !listing->differ;

	for (size_t i = 0; i < listing->held.n; i++)
		cli_line("%s", listing->held.list[i]);
	for (size_t i = 0; !all && i < listing->switches.n; i++)
		cli_line("%s", listing->switches.list[i]);
	if (all && listing->off > 0)
		cli_line("observing: nothing is written (%s)", listing->where);
}

static int add_line(struct cli *cli, struct survey **survey, void *context)
{
	struct listing *listing = context;
	struct libscols_line *line = scols_table_new_line(listing->table, NULL);
	char text[512];

	(void)cli;
	if (!line)
		return EXIT_CODE_FAILED;
	for (size_t i = 0; i < _COLUMN_MAX; i++) {
		format_cell(*survey, (enum column)i, text, sizeof(text));
		if (scols_line_set_data(line, i, text) < 0)
			return EXIT_CODE_FAILED;
	}
	note_hold(listing, *survey);
	note_switch(listing, *survey);
	return EXIT_CODE_OK;
}

static int add_json(struct cli *cli, struct survey **survey, void *context)
{
	(void)cli;
	(void)json_object_array_add(context, json_from_survey(*survey));
	return EXIT_CODE_OK;
}

static int list_json(struct cli *cli)
{
	struct json_object *disks = json_object_new_array();
	int code = cli_each_disk(cli, add_json, disks);

	json_print_list("disks", disks, false);
	return code;
}

int verb_list(struct cli *cli)
{
	struct listing listing = { 0 };
	int code = EXIT_CODE_OK;

	if (cli->options.json)
		return list_json(cli);
	scols_init_debug(0);
	listing.table = scols_new_table();
	if (!listing.table)
		return EXIT_CODE_FAILED;
	for (size_t i = 0; i < _COLUMN_MAX; i++)
		(void)scols_table_new_column(listing.table, columns[i].name, 0.1,
					     columns[i].flags);
	code = cli_each_disk(cli, add_line, &listing);
	if (listing.disks > 0)
		(void)scols_print_table(listing.table);
	else if (code == EXIT_CODE_OK)
		(void)printf("no disks (loop, ram and zram devices: --all)\n");
	print_notes(&listing);
	scols_unref_table(listing.table);
	names_done(&listing.held);
	names_done(&listing.switches);
	return code;
}
