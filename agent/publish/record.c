/* SPDX-License-Identifier: MIT */
/*
 * From facts, class, settings and advice to lines of text. What is unknown has no line.
 * Every value passes through safe_value(): it may come from a device.
 */
#include "publish/record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

#define MEMBERS_MAX 6144 /* bytes: SYSFS_LEAVES_MAX numbers of 20 digits and more */

struct writer {
	char *buf;
	size_t size, len;
	bool full;
};

static void put_raw(struct writer *writer, const char *key, const char *value)
{
	int n = 0;

	if (writer->full)
		return;
	n = snprintf(writer->buf + writer->len, writer->size - writer->len,
		     RECORD_PREFIX "%s=%s\n", key, value);
	if (n < 0 || (size_t)n >= writer->size - writer->len)
		writer->full = true;
	else
		writer->len += (size_t)n;
}

static void put(struct writer *writer, const char *key, const char *value)
{
	char safe[SAFE_VALUE_MAX];

	if (value && safe_value(value, safe, sizeof(safe)) > 0)
		put_raw(writer, key, safe);
}

static void put_number(struct writer *writer, const char *key, uint64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	put_raw(writer, key, text);
}

static void put_fact(struct writer *writer, const char *key,
		     const struct disk_facts *facts, enum fact fact)
{
	char text[FACT_TEXT_MAX];

	if (facts_format(facts, fact, text, sizeof(text)))
		put(writer, key, text);
}

static void put_identity(struct writer *writer, const struct disk_facts *facts)
{
	put_fact(writer, "NAME", facts, FACT_NAME);
	put_fact(writer, "MODEL", facts, FACT_MODEL);
	put_fact(writer, "SERIAL", facts, FACT_SERIAL);
	put_fact(writer, "WWN", facts, FACT_WWN);
	put_fact(writer, "FIRMWARE", facts, FACT_FIRMWARE);
	put_fact(writer, "ID_PATH", facts, FACT_ID_PATH);
}

static void put_members(struct writer *writer, const struct disk *disk)
{
	char members[MEMBERS_MAX] = "";
	size_t len = 0;

	for (size_t i = 0; i < disk->n_leaves; i++) {
		const char *dev = facts_text(&disk->leaves[i].facts, FACT_DEV);
		int n = 0;

		if (!dev || !is_safe_value(dev))
			continue;
		n = snprintf(members + len, sizeof(members) - len, "%s%s", len ? "," : "",
			     dev);
		if (n < 0 || (size_t)n >= sizeof(members) - len) {
			members[len] = '\0';
			break;
		}
		len += (size_t)n;
	}
	if (len > 0)
		put_raw(writer, "MEMBERS", members);
}

static void put_class(struct writer *writer, const struct record_input *input)
{
	const struct disk_class *class = input->class;

	put(writer, "CLASS", class_to_string(class->class));
	if (class->transport != TRANSPORT_UNKNOWN)
		put(writer, "TRANSPORT", transport_to_string(class->transport));
	put(writer, "MEDIUM", medium_to_string(class->medium));
	if (class->attachment != ATTACHMENT_UNKNOWN)
		put(writer, "ATTACHMENT", attachment_to_string(class->attachment));
	if (class->ncq != NCQ_UNKNOWN)
		put(writer, "NCQ", ncq_to_string(class->ncq));
	if (class->ncq_reason != NCQ_REASON_NONE)
		put(writer, "NCQ_REASON", ncq_reason_to_string(class->ncq_reason));
	put(writer, "CLASS_CONFIDENCE", class->confident ? "high" : "low");
	put_members(writer, input->disk);
	if (class->remote)
		put_number(writer, "REMOTE", 1);
}

static void upper(const char *text, char *buf, size_t size)
{
	size_t n = 0;

	for (; text[n] && n + 1 < size; n++)
		buf[n] = (char)toupper((unsigned char)text[n]);
	buf[n] = '\0';
}

static void put_in_force(struct writer *writer, const struct record_input *input)
{
	const struct disk_facts *facts = &input->disk->facts;
	char key[48], why[160];

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		enum tunable tunable = (enum tunable)i;
		enum owner owner = value_owner(facts, input->class, input->state, tunable,
					       why, sizeof(why));

		if (owner == OWNER_UNKNOWN)
			continue;
		upper(tunable_to_string(tunable), key, sizeof(key));
		put_fact(writer, key, facts, tunable_fact(tunable));
		if (owner == OWNER_UNDETERMINED)
			continue;
		strcat(key, "_BY");
		put(writer, key, owner_to_string(owner));
	}
}

static void put_limits(struct writer *writer, const struct disk_facts *facts)
{
	uint64_t bytes = 0;

	put_fact(writer, "WRITE_CACHE", facts, FACT_WRITE_CACHE);
	put_fact(writer, "FUA", facts, FACT_FUA);
	if (facts_number(facts, FACT_ATOMIC_WRITE_MAX_BYTES, &bytes) && bytes >= 1024)
		put_number(writer, "ATOMIC_WRITE_MAX_KB", bytes / 1024);
	put_fact(writer, "NUMA_NODE", facts, FACT_NVME_NUMA_NODE);
	put_fact(writer, "LOGICAL_BLOCK_SIZE", facts, FACT_LOGICAL_BLOCK_SIZE);
	put_fact(writer, "PHYSICAL_BLOCK_SIZE", facts, FACT_PHYSICAL_BLOCK_SIZE);
}

/* A figure of 0 was not measured. */
static void put_figure(struct writer *writer, const char *key, uint64_t value)
{
	if (value > 0)
		put_number(writer, key, value);
}

static void put_measured(struct writer *writer, const struct digest *digest)
{
	if (!digest)
		return;
	put_figure(writer, "RANDOM_READ_IOPS_QD1", digest->random_iops_qd1);
	put_figure(writer, "RANDOM_READ_IOPS_QD16", digest->random_iops_qd16);
	put_figure(writer, "RANDOM_READ_IOPS_PEAK", digest->random_iops_peak);
	put_figure(writer, "KNEE_DEPTH", digest->knee_depth);
	put_figure(writer, "RANDOM_READ_P50_US", digest->random_p50_us);
	put_figure(writer, "RANDOM_READ_P99_US", digest->random_p99_us);
	put_figure(writer, "SEQ_READ_KBPS", digest->sequential_kbps);
	put_figure(writer, "RANDOM_WRITE_IOPS", digest->random_write_iops);
	put_figure(writer, "SEQ_WRITE_KBPS", digest->sequential_write_kbps);
	put_figure(writer, "SYNC_WRITE_P99_US", digest->journal_p99_us);
	put_figure(writer, "MEASURED_AT", digest->measured_at);
}

/* True if a key of the workload ("random_", "scan_") is known. */
static bool advises(const struct advice *advice, const char *workload)
{
	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		if (advice->known[i] && strncmp(advice_key_to_string((enum advice_key)i),
						workload, strlen(workload)) == 0)
			return true;
	}
	return false;
}

static void put_advice(struct writer *writer, const struct advice *advice)
{
	char key[48], text[24];

	for (size_t i = 0; i < _ADVICE_MAX; i++) {
		const char *value =
			advice_format(advice, (enum advice_key)i, text, sizeof(text));

		if (!value)
			continue;
		upper(advice_key_to_string((enum advice_key)i), key, sizeof(key));
		put(writer, key, value);
	}
	if (advises(advice, "random_")) {
		put(writer, "RANDOM_FROM", advice_source_to_string(advice->random_from));
		put(writer, "RANDOM_CONFIDENCE",
		    advice->random_confident ? "high" : "low");
	}
	if (advises(advice, "scan_")) {
		put(writer, "SCAN_FROM", advice_source_to_string(advice->scan_from));
		put(writer, "SCAN_CONFIDENCE", advice->scan_confident ? "high" : "low");
	}
}

int record_format(const struct record_input *input, char *buf, size_t size)
{
	const struct disk_facts *facts = &input->disk->facts;
	struct writer writer = { .buf = buf, .size = size };
	char findings[1024];

	if (!facts_known(facts, FACT_DEV))
		return -ENODATA;
	put_number(&writer, "FORMAT", RECORD_FORMAT);
	put_fact(&writer, "DEVNUM", facts, FACT_DEV);
	put_fact(&writer, "DISKSEQ", facts, FACT_DISKSEQ);
	put_identity(&writer, facts);
	put_class(&writer, input);
	put_in_force(&writer, input);
	put_limits(&writer, facts);
	put_measured(&writer, input->measured);
	put_advice(&writer, &input->selection->advice);
	put(&writer, "POLICY", input->selection->main_where);
	diagnosis_list(input->diagnosis, findings, sizeof(findings));
	if (*findings)
		put_raw(&writer, "FINDINGS", findings);
	return writer.full ? -ENOSPC : 0;
}
