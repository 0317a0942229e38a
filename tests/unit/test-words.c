/* SPDX-License-Identifier: MIT */
/*
 * Every enumeration and its words: each value has a word that is its own, the word leads
 * back to the value, and neither what is beyond the end nor a stranger's word is known.
 * A house test counts that no DECLARE_WORDS is missing here.
 */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "classify/class.h"
#include "policy/advice.h"
#include "diagnose/check.h"
#include "policy/measurement.h"
#include "policy/plan.h"
#include "support.h"

struct table {
	const char *name;
	int n;
	const char *(*to_string)(int value);
	int (*from_string)(const char *word);
};

/* Functions that take an int, since enumerations differ in type. */
#define WRAP(name, type)                          \
	static const char *name##_word(int value)     \
	{                                         \
		return name##_to_string((type)value); \
	}

WRAP(transport, enum transport)
WRAP(medium, enum medium)
WRAP(attachment, enum attachment)
WRAP(class, enum class)
WRAP(ncq, enum ncq)
WRAP(ncq_reason, enum ncq_reason)
WRAP(topic, enum topic)
WRAP(fact, enum fact)
WRAP(io_mode, enum io_mode)
WRAP(hint, enum hint)
WRAP(advice_source, enum advice_source)
WRAP(advice_key, enum advice_key)
WRAP(finding_id, enum finding_id)
WRAP(confidence, enum confidence)
WRAP(check_result, enum check_result)
WRAP(severity, enum severity)
WRAP(owner, enum owner)
WRAP(outcome, enum outcome)
WRAP(tunable, enum tunable)
WRAP(work, enum work)
WRAP(io_engine, enum io_engine)
WRAP(limit, enum limit)
WRAP(stale, enum stale)

#define TABLE(name, max) { #name, max, name##_word, name##_from_string }

static const struct table tables[] = {
	TABLE(transport, _TRANSPORT_MAX),
	TABLE(medium, _MEDIUM_MAX),
	TABLE(attachment, _ATTACHMENT_MAX),
	TABLE(class, _CLASS_MAX),
	TABLE(ncq, _NCQ_MAX),
	TABLE(ncq_reason, _NCQ_REASON_MAX),
	TABLE(topic, _TOPIC_MAX),
	TABLE(fact, _FACT_MAX),
	TABLE(io_mode, _IO_MODE_MAX),
	TABLE(hint, _HINT_MAX),
	TABLE(advice_source, _ADVICE_FROM_MAX),
	TABLE(advice_key, _ADVICE_MAX),
	TABLE(finding_id, _FINDING_MAX),
	TABLE(confidence, _CONFIDENCE_MAX),
	TABLE(check_result, _CHECK_RESULT_MAX),
	TABLE(severity, _SEVERITY_MAX),
	TABLE(owner, _OWNER_MAX),
	TABLE(outcome, _OUTCOME_MAX),
	TABLE(tunable, _TUNABLE_MAX),
	TABLE(work, _WORK_MAX),
	TABLE(io_engine, _IO_ENGINE_MAX),
	TABLE(limit, _LIMIT_MAX),
	TABLE(stale, _STALE_MAX),
};

static void test_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		for (int value = 0; value < tables[i].n; value++) {
			const char *word = tables[i].to_string(value);

			if (!word)
				fail_msg("%s: %d has no word", tables[i].name, value);
			ROW_INT(word, tables[i].from_string(word), value);
			ROW_INT(word, is_safe_value(word), true);
		}
	}
}

static void test_strangers(void **state)
{
	static const char *const strangers[] = { "", " ", "no-such-word", "Unknown ",
						 "0" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		assert_null(tables[i].to_string(-1));
		assert_null(tables[i].to_string(tables[i].n));
		assert_null(tables[i].to_string(1 << 20));
		for (size_t k = 0; k < ARRAY_SIZE(strangers); k++)
			ROW_INT(tables[i].name, tables[i].from_string(strangers[k]),
				-EINVAL);
	}
}

/* A set of words is one bit each in match.c. */
static void test_sets_fit(void **state)
{
	(void)state;
	assert_true(_CLASS_MAX <= 64 && _TRANSPORT_MAX <= 64 && _ATTACHMENT_MAX <= 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each value has a word that leads back", test_round_trip),
		TEST("nothing else has a word or a value", test_strangers),
		TEST("sets of words fit into 64 bits", test_sets_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
