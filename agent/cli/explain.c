/* SPDX-License-Identifier: MIT */
/*
 * `explain` takes disks and findings: of a disk each decision with the facts behind it
 * and the file and line it comes from; of a finding its entry of docs/findings.md.
 */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/finding-page.h"
#include "cli/json.h"
#include "cli/measure.h"
#include "cli/show.h"
#include "cli/terminal.h"

#define PAGE_WIDTH 80 /* of a page that goes into a file or a pager */
#define PAGE_WIDTH_MAX 100 /* longer lines of prose are hard to read */
#define NEAR_DISTANCE 3 /* changed letters of a misspelled id */
#define NEAR_MAX 5

static void explain_class(const struct survey *survey)
{
	const struct disk_class *class = &survey->class;

	cli_line("  class %s, transport %s, medium %s, attachment %s, NCQ %s%s",
		 class_to_string(class->class), transport_to_string(class->transport),
		 medium_to_string(class->medium), attachment_to_string(class->attachment),
		 ncq_to_string(class->ncq), class->confident ? "" : " (low confidence)");
	for (size_t i = 0; i < class->n_reasons; i++) {
		const struct reason *reason = &class->reasons[i];

		cli_line("    %s: %s", topic_to_string(reason->topic), reason->text);
		for (size_t k = 0; k < REASON_FACTS && reason->facts[k] != _FACT_MAX; k++)
			show_fact(&survey->disk->facts, reason->facts[k], "      ");
	}
}

static void explain_change(const struct change *change)
{
	bool changes = change->outcome == OUTCOME_CHANGE;

	cli_line("    %s: %s%s%s  [%s; by %s]", tunable_to_string(change->tunable),
		 *change->current ? change->current : "unknown", changes ? " -> " : "",
		 changes ? change->target : "", outcome_to_string(change->outcome),
		 owner_to_string(change->owner));
	if (*change->explanation)
		cli_line("      now: %s", change->explanation);
	if (*change->obstacle)
		cli_line("      not touched: %s", change->obstacle);
	if (!change->setting)
		return;
	cli_line("      wanted: %s (%s)", change->setting->value, change->setting->where);
	if (change->setting->reason)
		cli_line("      because: %s", change->setting->reason);
	if (change->setting->source)
		cli_line("      source: %s", change->setting->source);
}

static void explain_advice(const struct advice *advice)
{
	char text[24];

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		enum advice_key key = (enum advice_key)i;
		const char *value = advice_format(advice, key, text, sizeof(text));

		if (!value)
			continue;
		cli_line("    %s = %s   (%s)", advice_key_to_string(key), value,
			 advice->where[i]);
		if (*advice->why[i])
			cli_line("      because: %s", advice->why[i]);
	}
}

static int explain_disk(struct cli *cli, struct survey **survey, void *context)
{
	const struct selection *selection = &(*survey)->selection;

	(void)cli;
	show_head(*survey, context);
	explain_class(*survey);
	cli_line("  settings, profile %s%s%s%s", selection->profile,
		 *selection->profile_where ? " (" : "", selection->profile_where,
		 *selection->profile_where ? ")" : "");
	for (size_t i = 0; i < _TUNABLE_MAX; i++)
		explain_change(&(*survey)->plan.changes[i]);
	if ((*survey)->measured.found != -ENOENT) {
		(void)printf("  measured\n");
		measured_print_state(&(*survey)->measured, false, "    ");
	}
	(void)printf("  advice\n");
	explain_advice(&selection->advice);
	return EXIT_CODE_OK;
}

static const struct finding_page *page_of(const char *id)
{
	for (size_t i = 0; i < n_finding_pages; i++) {
		if (strcmp(finding_pages[i].id, id) == 0)
			return &finding_pages[i];
	}
	return NULL;
}

static void print_page(const struct terminal *terminal, const struct finding_page *page)
{
	terminal_print(terminal, COLOUR_BOLD, page->id, 4, "");
	terminal_print(terminal, COLOUR_BOLD, "", 0, page->title);
	(void)putchar('\n');
	for (size_t i = 0; i < page->n_lines; i++) {
		const struct page_line *line = &page->lines[i];
		char head[64];

		(void)snprintf(head, sizeof(head), "%*s", line->indent, "");
		switch (line->kind) {
		case PAGE_TEXT:
			terminal_print(terminal, COLOUR_NONE, *line->text ? head : "",
				       line->indent_rest, line->text);
			break;
		case PAGE_VERBATIM: /* as a head it is not wrapped */
			(void)printf("%s%s\n", *line->text ? head : "", line->text);
			break;
		case PAGE_HEADING:
			terminal_print(terminal, COLOUR_BOLD, line->text, 0, "");
			break;
		}
	}
}

/* The page as one text, a paragraph a line. */
static struct json_object *json_page(const struct finding_page *page)
{
	struct json_object *object = json_object_new_object();
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < page->n_lines; i++)
		(void)fprintf(out, "%*s%s\n",
			      *page->lines[i].text ? page->lines[i].indent : 0, "",
			      page->lines[i].text);
	if (out)
		(void)fclose(out);
	(void)json_object_object_add(object, "id", json_object_new_string(page->id));
	(void)json_object_object_add(object, "title",
				     json_object_new_string(page->title));
	(void)json_object_object_add(object, "text",
				     json_object_new_string(text ? text : ""));
	free(text);
	return object;
}

/* How many letters must be put in, left out or replaced to make @b of @a. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64], n = strlen(b);

	if (n >= ARRAY_SIZE(row) || strlen(a) >= ARRAY_SIZE(row))
		return ARRAY_SIZE(row);
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t k = 1; k <= n; k++) {
			size_t best = corner + (a[i] != b[k - 1]);

			corner = row[k];
			if (row[k] + 1 < best)
				best = row[k] + 1;
			if (row[k - 1] + 1 < best)
				best = row[k - 1] + 1;
			row[k] = best;
		}
	}
	return row[n];
}

static bool is_near(const char *word, const char *id)
{
	return distance(word, id) <= NEAR_DISTANCE ||
	       (strlen(word) >= 3 && (strstr(id, word) || strstr(word, id)));
}

static int say_neither(const char *word)
{
	char near[256] = "";
	size_t len = 0, n = 0;

	for (int i = 0; i < _FINDING_MAX && n < NEAR_MAX && len < sizeof(near); i++) {
		const char *id = finding_id_to_string((enum finding_id)i);

		if (is_near(word, id)) {
			len += (size_t)snprintf(near + len, sizeof(near) - len, "%s%s",
						n ? ", " : "", id);
			n++;
		}
	}
	if (n > 0)
		cli_error("%s: neither a disk nor a finding; near: %s", word, near);
	else
		cli_error("%s: neither a disk (`blkadvise list` shows those there are) "
			  "nor a finding (`blkadvise diagnose` names them)",
			  word);
	return EXIT_CODE_NO_DISK;
}

/* What is printed, in the order of the arguments; or JSON of it. */
struct explanation {
	struct terminal terminal;
	bool first;
	struct json_object *disks, *findings; /* NULL unless JSON is wanted */
};

static int explain_finding(const char *id, struct explanation *explanation)
{
	const struct finding_page *page = page_of(id);

	if (!page) {
		cli_error("%s: docs/findings.md had no entry when this was built", id);
		return EXIT_CODE_FAILED;
	}
	if (explanation->findings) {
		(void)json_object_array_add(explanation->findings, json_page(page));
		return EXIT_CODE_OK;
	}
	if (!explanation->first)
		(void)putchar('\n');
	explanation->first = false;
	print_page(&explanation->terminal, page);
	return EXIT_CODE_OK;
}

static int explain_argument(struct cli *cli, const char *word,
			    struct explanation *explanation)
{
	_cleanup_survey_ struct survey *survey = NULL;
	int code = EXIT_CODE_OK;

	if (finding_id_from_string(word) >= 0)
		return explain_finding(word, explanation);
	if (!strpbrk(word, "/:") && !cli_has_disk(cli, word))
		return say_neither(word);
	code = cli_survey(cli, word, &survey);
	if (code != EXIT_CODE_OK)
		return code;
	if (explanation->disks) {
		(void)json_object_array_add(explanation->disks, json_from_survey(survey));
		return EXIT_CODE_OK;
	}
	return explain_disk(cli, &survey, &explanation->first);
}

bool explains_no_disk(const struct cli *cli)
{
	for (int i = 0; i < cli->n_args; i++) {
		if (finding_id_from_string(cli->args[i]) < 0)
			return false;
	}
	return cli->n_args > 0;
}

static void open_page(struct terminal *ret)
{
	terminal_open(ret);
	if (ret->width == 0)
		ret->width = PAGE_WIDTH;
	if (ret->width > PAGE_WIDTH_MAX)
		ret->width = PAGE_WIDTH_MAX;
}

static void print_json(const struct explanation *explanation)
{
	struct json_object *object = json_object_new_object();

	if (json_object_array_length(explanation->disks) > 0 ||
	    json_object_array_length(explanation->findings) == 0)
		(void)json_object_object_add(object, "disks",
					     json_object_get(explanation->disks));
	if (json_object_array_length(explanation->findings) > 0)
		(void)json_object_object_add(object, "findings",
					     json_object_get(explanation->findings));
	json_print(object);
}

int verb_explain(struct cli *cli)
{
	struct explanation explanation = { .first = true };
	int code = EXIT_CODE_OK;

	if (cli->n_args == 0)
		return cli->options.json ?
			       verb_list(cli) :
			       cli_each_disk(cli, explain_disk, &explanation.first);
	open_page(&explanation.terminal);
	if (cli->options.json) {
		explanation.disks = json_object_new_array();
		explanation.findings = json_object_new_array();
	}
	for (int i = 0; i < cli->n_args; i++) {
		int one = explain_argument(cli, cli->args[i], &explanation);

		code = worse_code(code, one);
	}
	if (cli->options.json)
		print_json(&explanation);
	(void)json_object_put(explanation.disks);
	(void)json_object_put(explanation.findings);
	return code;
}
