/* SPDX-License-Identifier: MIT */
/*
 * The pieces of the classification, one function a question. Each answers from facts
 * alone and notes its reason. Internal to classify/.
 */
#pragma once

#include "classify/class.h"

/* Adds a reason with up to four facts: REASON(class, TOPIC_MEDIUM, "...", FACT_A). */
void reason_add(struct disk_class *class, enum topic topic, const char *text,
		const enum fact facts[REASON_FACTS]);

#define _REASON(class, topic, text, a, b, c, d, ...) \
	reason_add(class, topic, text, (const enum fact[REASON_FACTS]){ a, b, c, d })
#define REASON(class, topic, ...) \
	_REASON(class, topic, __VA_ARGS__, _FACT_MAX, _FACT_MAX, _FACT_MAX, _FACT_MAX, 0)

/* libata disks: transport and attachment. */
void rule_ata(const struct disk_facts *facts, struct disk_class *class);

/* NCQ of any disk, once the attachment is known. */
void rule_ncq(const struct disk_facts *facts, struct disk_class *class);

/* SCSI hosts other than libata and USB: transport and attachment. */
void rule_scsi(const struct disk_facts *facts, struct disk_class *class);

/* The medium of any disk that is no stack, once the attachment is known. */
void rule_medium(const struct disk_facts *facts, struct disk_class *class);

/* The class, once all else is known. */
void rule_class(const struct disk_facts *facts, struct disk_class *class);
