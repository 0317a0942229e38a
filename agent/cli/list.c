/* SPDX-License-Identifier: MIT */
/*
 * The table: one line a disk, what it is, what is in force, what an engine is advised,
 * what was found.
 */
#include <libsmartcols.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

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
		diagnosis_list(&survey->diagnosis, raw, sizeof(raw));
		(void)snprintf(buf, size, "%s", *raw ? raw : "-");
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

static int add_line(struct cli *cli, struct survey **survey, void *context)
{
	struct libscols_line *line = scols_table_new_line(context, NULL);
	char text[512];

	(void)cli;
	if (!line)
		return EXIT_CODE_FAILED;
	for (size_t i = 0; i < _COLUMN_MAX; i++) {
		format_cell(*survey, (enum column)i, text, sizeof(text));
		if (scols_line_set_data(line, i, text) < 0)
			return EXIT_CODE_FAILED;
	}
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
	struct json_object *object = json_object_new_object();
	int code = cli_each_disk(cli, add_json, disks);

	(void)json_object_object_add(object, "disks", disks);
	json_print(object);
	return code;
}

int verb_list(struct cli *cli)
{
	struct libscols_table *table = NULL;
	int code = EXIT_CODE_OK;

	if (cli->options.json)
		return list_json(cli);
	scols_init_debug(0);
	table = scols_new_table();
	if (!table)
		return EXIT_CODE_FAILED;
	for (size_t i = 0; i < _COLUMN_MAX; i++)
		(void)scols_table_new_column(table, columns[i].name, 0.1,
					     columns[i].flags);
	code = cli_each_disk(cli, add_line, table);
	if (scols_table_get_nlines(table) > 0)
		(void)scols_print_table(table);
	else if (code == EXIT_CODE_OK)
		(void)printf("no disks (loop, ram and zram devices: --all)\n");
	scols_unref_table(table);
	return code;
}
