/* SPDX-License-Identifier: MIT */
/*
 * Prints for each check of disks or of the machine its scope, its id and the names of the
 * facts that it requires: what test-required.py takes away from captured machines.
 */
#include <stdio.h>

#include "diagnose/internal.h"

static void print(const char *scope, const struct check *check)
{
	(void)printf("%s %s", scope, finding_id_to_string(check->id));
	for (size_t i = 0; i < CHECK_FACTS_MAX && check->requires[i] != _FACT_MAX; i++)
		(void)printf(" %s", fact_to_string(check->requires[i]));
	(void)printf("\n");
}

int main(void)
{
	for (const struct checks *const *table = all_checks(); *table; table++) {
		for (size_t i = 0; i < (*table)->n; i++) {
			const struct check *check = &(*table)->list[i];

			if (check->scope & SCOPE_DISK)
				print("disk", check);
			if (check->scope & SCOPE_MACHINE)
				print("machine", check);
		}
	}
	return 0;
}
