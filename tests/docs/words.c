/* SPDX-License-Identifier: MIT */
/*
 * Prints every word that the documentation has to know, one a line, as "TABLE WORD":
 * record keys in the order of the file, the words of every enumeration that gets into a
 * record, findings, severities, outcomes, tunables, advice keys, facts. check-docs and
 * update-examples read it, so that neither parses C.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/measurement.h"
#include "publish/record.h"

static void print_word(const char *table, const char *word)
{
	(void)printf("%s %s\n", table, word);
}

static void print_upper(const char *table, const char *word)
{
	(void)printf("%s ", table);
	for (; *word; word++)
		(void)putchar(toupper((unsigned char)*word));
	(void)putchar('\n');
}

#define PRINT_WORDS(table, name, type, max)                       \
	for (int i = 0; i < (max); i++) {                         \
		const char *word = name##_to_string((type)i);     \
		if (word)                                         \
			print_word(table, word);                  \
	}

static void print_keys(void)
{
	static const char *const head[] = {
#define ROW(id) #id,
		RECORD_KEYS_HEAD(ROW)
	};
	static const char *const tail[] = { RECORD_KEYS_TAIL(ROW)
#undef ROW
	};

	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		print_word("key", head[i]);
	for (int i = 0; i < _ADVICE_MAX; i++)
		print_upper("key", advice_key_to_string((enum advice_key)i));
	for (size_t i = 0; i < ARRAY_SIZE(tail); i++)
		print_word("key", tail[i]);
}

static const char *type_word(enum fact_type type)
{
	switch (type) {
	case FACT_TYPE_NUMBER:
		return "number";
	case FACT_TYPE_FLAG:
		return "flag";
	case FACT_TYPE_HEX:
		return "hex";
	case FACT_TYPE_MBPS:
		return "Mbit/s";
	case FACT_TYPE_MTPS:
		return "MT/s";
	case FACT_TYPE_STRING:
		return "text";
	}
	return "?";
}

/* "fact NAME TYPE ATTRIBUTE", with "-" for what no single attribute tells. */
static void print_facts(void)
{
	for (int i = 0; i < _FACT_MAX; i++) {
		enum fact fact = (enum fact)i;
		const char *attribute = fact_attribute(fact);

		(void)printf("fact %s %s %s\n", fact_to_string(fact),
			     type_word(fact_type(fact)), attribute ? attribute : "-");
	}
}

int main(void)
{
	print_keys();
	PRINT_WORDS("class", class, enum class, _CLASS_MAX)
	PRINT_WORDS("transport", transport, enum transport, _TRANSPORT_MAX)
	PRINT_WORDS("medium", medium, enum medium, _MEDIUM_MAX)
	PRINT_WORDS("attachment", attachment, enum attachment, _ATTACHMENT_MAX)
	PRINT_WORDS("ncq", ncq, enum ncq, _NCQ_MAX)
	PRINT_WORDS("ncq_reason", ncq_reason, enum ncq_reason, _NCQ_REASON_MAX)
	PRINT_WORDS("owner", owner, enum owner, _OWNER_MAX)
	PRINT_WORDS("outcome", outcome, enum outcome, _OUTCOME_MAX)
	PRINT_WORDS("io_mode", io_mode, enum io_mode, _IO_MODE_MAX)
	PRINT_WORDS("hint", hint, enum hint, _HINT_MAX)
	PRINT_WORDS("advice_source", advice_source, enum advice_source, _ADVICE_FROM_MAX)
	PRINT_WORDS("finding", finding_id, enum finding_id, _FINDING_MAX)
	PRINT_WORDS("severity", severity, enum severity, _SEVERITY_MAX)
	PRINT_WORDS("confidence", confidence, enum confidence, _CONFIDENCE_MAX)
	PRINT_WORDS("check_result", check_result, enum check_result, _CHECK_RESULT_MAX)
	PRINT_WORDS("topic", topic, enum topic, _TOPIC_MAX)
	PRINT_WORDS("tunable", tunable, enum tunable, _TUNABLE_MAX)
	PRINT_WORDS("work", work, enum work, _WORK_MAX)
	PRINT_WORDS("io_engine", io_engine, enum io_engine, _IO_ENGINE_MAX)
	PRINT_WORDS("limit", limit, enum limit, _LIMIT_MAX)
	PRINT_WORDS("stale", stale, enum stale, _STALE_MAX)
	PRINT_WORDS("advice", advice_key, enum advice_key, _ADVICE_MAX)
	print_facts();
	return 0;
}
