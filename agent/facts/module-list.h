/* SPDX-License-Identifier: MIT */
/*
 * Looking for the module ahci in a list of files, such as that of an initramfs. The list
 * comes in pieces, which may be cut anywhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct module_list {
	bool any; /* there was a module at all */
	bool ahci;
	char tail[8]; /* of the pieces before: a name may be cut */
	size_t tail_len;
};

/* The next @len bytes of the list. @list begins as zeros. */
void module_list_feed(struct module_list *list, const char *text, size_t len);
