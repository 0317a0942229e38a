/* SPDX-License-Identifier: MIT */
/*
 * Calls every public function, linked to the shared library and nothing else. Compiled
 * as C89 and as C++98: the header comes first, so it must stand alone. What the calls
 * return depends on the machine; that they can be made does not.
 */
#include "blkadvise.h"

#include "blkadvise.h"

static int open_all(void)
{
	struct blkadvise_record *record = NULL;
	int n = 0;

	n += blkadvise_open_path("/", &record) >= 0;
	record = blkadvise_close(record);
	n += blkadvise_open_path_at("/nonexistent", "/", &record) >= 0;
	record = blkadvise_close(record);
	n += blkadvise_open_fd(0, &record) >= 0;
	record = blkadvise_close(record);
	n += blkadvise_open_fd_at("/nonexistent", 0, &record) >= 0;
	record = blkadvise_close(record);
	n += blkadvise_open_devnum(8, 0, &record) >= 0;
	record = blkadvise_close(record);
	n += blkadvise_open_devnum_at("/nonexistent", 8, 0, &record) >= 0;
	record = blkadvise_close(record);
	return n;
}

int main(void)
{
	struct blkadvise_record *record = NULL, *member = NULL;
	struct blkadvise_advice advice;
	unsigned int major = 0, minor = 0;
	uint64_t number = 0;
	size_t i = 0;
	int flag = 0;

	if (open_all() < 4)
		return 1;
	if (blkadvise_open_path("/", &record) < 0)
		return 1;
	(void)blkadvise_devnum(record, &major, &minor);
	(void)blkadvise_member(record, 0, &major, &minor);
	if (blkadvise_open_member(record, 0, &member) == BLKADVISE_OK)
		(void)blkadvise_close(member);
	if (blkadvise_kind(record) == BLKADVISE_KIND_DISK &&
	    blkadvise_member_count(record) != 0)
		return 1;
	while (blkadvise_key(record, i))
		i++;
	(void)blkadvise_u64(record, "QUEUE_DEPTH", &number);
	(void)blkadvise_bool(record, "REMOTE", &flag);
	(void)blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS, &advice);
	if (i == 0 && blkadvise_text(record, "CLASS"))
		return 1;
	(void)blkadvise_close(record);
	return blkadvise_strerror(BLKADVISE_NO_RECORD)[0] == 't' ? 0 : 1;
}
