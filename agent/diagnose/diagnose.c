/* SPDX-License-Identifier: MIT */
/*
 * The engine of the checks: for each row, is it a question here, are the facts known,
 * and then what the function says. What the rows share is here too.
 */
#include <stdarg.h>

#include "diagnose/internal.h"

#define SCSI_TYPE_OPTICAL 5

const struct checks *const *all_checks(void)
{
	static const struct checks *const tables[] = {
		&ata_checks,
		&ncq_checks,
		&sata_link_checks,
		&pcie_checks,
		&usb_checks,
		&medium_checks,
		&readahead_checks,
		&readahead_place_checks,
		&transfer_checks,
		&scheduler_checks,
		&writer_checks,
		&stack_checks,
		&remote_checks,
		&guest_checks,
		NULL,
	};

	return tables;
}

uint64_t number_of(const struct subject *subject, enum fact fact)
{
	uint64_t value = 0;

	(void)facts_number(own(subject), fact, &value);
	return value;
}

const char *text_of(const struct subject *subject, enum fact fact)
{
	const char *text = facts_text(own(subject), fact);

	return text ? text : "";
}

void found(struct finding *finding, enum severity severity, enum confidence confidence,
	   const char *format, ...)
{
	va_list args;

	finding->result = CHECK_FOUND;
	finding->severity = severity;
	finding->confidence = confidence;
	va_start(args, format);
	(void)vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

bool lacks(const struct subject *subject, enum fact fact, struct finding *finding)
{
	if (facts_known(own(subject), fact))
		return false;
	finding->result = CHECK_UNKNOWN;
	finding->missing = fact;
	return true;
}

void could_not_check(struct finding *finding, const char *format, ...)
{
	va_list args;

	finding->result = CHECK_UNKNOWN;
	finding->missing = _FACT_MAX;
	va_start(args, format);
	(void)vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

void add_evidence(struct finding *finding, const struct disk_facts *facts, enum fact fact)
{
	if (finding->n_evidence == FINDING_EVIDENCE_MAX || !facts_known(facts, fact))
		return;
	for (size_t i = 0; i < finding->n_evidence; i++) {
		if (finding->evidence[i].facts == facts &&
		    finding->evidence[i].fact == fact)
			return;
	}
	finding->evidence[finding->n_evidence++] =
		(struct evidence_item){ .facts = facts, .fact = fact };
}

bool is_libata_disk(const struct subject *subject)
{
	return facts_is_set(own(subject), FACT_LIBATA) &&
	       !facts_is_number(own(subject), FACT_SCSI_TYPE, SCSI_TYPE_OPTICAL);
}

bool is_no_real_disk(const struct subject *subject)
{
	return disk_is_ignored(own(subject)) ||
	       subject->class->class == CLASS_OPTICAL ||
	       facts_is_number(own(subject), FACT_SCSI_TYPE, SCSI_TYPE_OPTICAL) ||
	       facts_is_clear(own(subject), FACT_SIZE);
}

bool is_single_disk(const struct subject *subject)
{
	return !is_no_real_disk(subject) && subject->class->class != CLASS_MEMORY &&
	       subject->class->attachment != ATTACHMENT_STACKED;
}

bool is_striped_level(const struct subject *subject)
{
	return word_in_list(text_of(subject, FACT_MD_LEVEL),
			    "raid0 raid4 raid5 raid6 raid10");
}

const struct change *planned(const struct subject *subject, enum tunable tunable)
{
	return subject->plan ? &subject->plan->changes[tunable] : NULL;
}

bool is_wished(const struct subject *subject, enum tunable tunable)
{
	const struct change *change = planned(subject, tunable);

	return change &&
	       (change->outcome == OUTCOME_EQUAL || change->owner == OWNER_BLKADVISE);
}

static bool has_required(const struct check *check, const struct subject *subject,
			 struct finding *finding)
{
	for (size_t i = 0; i < CHECK_FACTS_MAX && check->requires[i] != _FACT_MAX; i++) {
		if (lacks(subject, check->requires[i], finding))
			return false;
	}
	return true;
}

static void run_check(const struct check *check, const struct subject *subject,
		      struct finding *finding)
{
	unsigned int scope = subject->class ? SCOPE_DISK : SCOPE_MACHINE;

	if (!(check->scope & scope) || (check->applies && !check->applies(subject)))
		return;
	finding->result = CHECK_OK;
	if (!has_required(check, subject, finding))
		return;
	check->run(subject, finding);
	if (finding->result != CHECK_FOUND)
		return;
	for (size_t i = 0; check->evidence[i] != _FACT_MAX; i++)
		add_evidence(finding, own(subject), check->evidence[i]);
	finding->cost = finding->cost ? finding->cost : check->cost;
	finding->remedy = finding->remedy ? finding->remedy : check->remedy;
}

void diagnose(const struct subject *subject, struct diagnosis *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < _FINDING_MAX; i++)
		ret->findings[i].id = (enum finding_id)i;
	for (const struct checks *const *table = all_checks(); *table; table++) {
		for (size_t i = 0; i < (*table)->n; i++) {
			const struct check *check = &(*table)->list[i];

			run_check(check, subject, &ret->findings[check->id]);
		}
	}
}

const struct check *check_of(enum finding_id id, enum scope scope)
{
	for (const struct checks *const *table = all_checks(); *table; table++) {
		for (size_t i = 0; i < (*table)->n; i++) {
			const struct check *check = &(*table)->list[i];

			if (check->id == id && (check->scope & scope))
				return check;
		}
	}
	return NULL;
}

void diagnosis_list(const struct diagnosis *diagnosis, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < _FINDING_MAX; i++) {
		const char *id = finding_id_to_string((enum finding_id)i);

		if (diagnosis->findings[i].result != CHECK_FOUND)
			continue;
		if (len + (len > 0) + strlen(id) >= size)
			return; /* half an id would be another one */
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "," : "",
					id);
	}
}

const char *finding_step(const struct finding *finding, size_t i)
{
	size_t own = finding->first_step[0] != '\0';

	if (i < own)
		return finding->first_step;
	for (size_t k = 0; finding->remedy && finding->remedy[k]; k++) {
		if (k == i - own)
			return finding->remedy[k];
	}
	return NULL;
}

/* What a placeholder gives of its fact. */
static void expand_value(const struct disk_facts *facts, enum fact fact,
			 const char *prefix, char *buf, size_t size)
{
	if (strcmp(prefix, "path:") == 0) {
		(void)facts_source(facts, fact, buf, size);
		return;
	}
	if (facts_format(facts, fact, buf, size) && strcmp(prefix, "hex:") == 0 &&
	    strncmp(buf, "0x", 2) == 0)
		memmove(buf, buf + 2, strlen(buf + 2) + 1);
}

/*
 * The placeholder that @text begins with: its value and its own length. False if it
 * begins with none.
 */
static bool placeholder(const char *text, const struct disk_facts *facts, char *buf,
			size_t size, size_t *ret_len)
{
	static const char *const prefixes[] = { "path:", "hex:", "" };
	const char *end = text[0] == '{' ? strchr(text, '}') : NULL;
	char name[64];

	if (!end || (size_t)(end - text) > sizeof(name))
		return false;
	(void)snprintf(name, sizeof(name), "%.*s", (int)(end - text - 1), text + 1);
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = strlen(prefixes[i]);
		int fact = strncmp(name, prefixes[i], len) == 0 ?
				   fact_from_string(name + len) :
				   -1;

		if (fact < 0)
			continue;
		expand_value(facts, (enum fact)fact, prefixes[i], buf, size);
		*ret_len = (size_t)(end - text) + 1;
		return true;
	}
	return false;
}

void finding_expand(const char *template, const struct disk_facts *facts, char *buf,
		    size_t size)
{
	size_t len = 0;

	while (*template && len + 1 < size) {
		char value[ROOT_PATH_MAX] = "?";
		size_t skip = 1;

		if (placeholder(template, facts, value, sizeof(value), &skip))
			len += (size_t)snprintf(buf + len, size - len, "%s", value);
		else
			buf[len++] = *template;
		template += skip;
	}
	buf[len < size ? len : size - 1] = '\0';
}
