/* SPDX-License-Identifier: MIT */
/*
 * A list of modules names them by their files ("kernel/drivers/ata/ahci.ko.zst"). libahci
 * is another one, so that the slash belongs to what is looked for.
 */
#include "facts/module-list.h"

#include <string.h>

#define ANY ".ko"
#define AHCI "/ahci.ko"
#define TAIL_MAX (sizeof(AHCI) - 2) /* as much of a name as may be cut off */

static void look_at(struct module_list *list, const char *text, size_t len)
{
	list->any |= memmem(text, len, ANY, strlen(ANY)) != NULL;
	list->ahci |= memmem(text, len, AHCI, strlen(AHCI)) != NULL;
}

void module_list_feed(struct module_list *list, const char *text, size_t len)
{
	size_t part = len < TAIL_MAX ? len : TAIL_MAX;
	size_t total = list->tail_len + part, keep = total < TAIL_MAX ? total : TAIL_MAX;
	char seam[2 * TAIL_MAX];

	memcpy(seam, list->tail, list->tail_len);
	memcpy(seam + list->tail_len, text, part);
	look_at(list, seam, total);
	look_at(list, text, len);
	if (len >= TAIL_MAX)
		memcpy(list->tail, text + len - TAIL_MAX, TAIL_MAX);
	else
		memcpy(list->tail, seam + total - keep, keep);
	list->tail_len = len >= TAIL_MAX ? TAIL_MAX : keep;
}
