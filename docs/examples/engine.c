/* SPDX-License-Identifier: MIT */
/*
 * What an engine does at boot, with libblkadvise: it asks for the disk under its data,
 * and decides how to open it and how many reads to keep in flight. With no agent, no
 * record or no disk it takes its own defaults and works as it always did.
 *
 * usage: engine FILE [ROOT]; ROOT is put before /sys and /run.
 */
#include <blkadvise.h>

#include <stdio.h>

/* How this engine would open its data. NULL and 0: as it always did. */
struct plan {
	const char *mode, *hint;
	unsigned int depth;
};

static const char *plan_mode(enum blkadvise_io_mode mode)
{
	switch (mode) {
	case BLKADVISE_IO_DIRECT:
		return "direct"; /* open(2) with O_DIRECT */
	case BLKADVISE_IO_BUFFERED:
		return "buffered"; /* read(2), with posix_fadvise(2) for the hint */
	case BLKADVISE_IO_MMAP:
		return "mmap"; /* mmap(2), with madvise(2) for the hint */
	case BLKADVISE_IO_KEEP:
		break;
	}
	return NULL;
}

static const char *plan_hint(enum blkadvise_hint hint)
{
	switch (hint) {
	case BLKADVISE_HINT_NORMAL:
		return "normal";
	case BLKADVISE_HINT_RANDOM:
		return "random";
	case BLKADVISE_HINT_SEQUENTIAL:
		return "sequential";
	case BLKADVISE_HINT_WILLNEED:
		return "willneed";
	case BLKADVISE_HINT_KEEP:
		break;
	}
	return NULL;
}

/*
 * This engine has its own cache, so its reads exceed the page cache by design. One that
 * leaves caching to the kernel compares its working set with the memory it may use and
 * takes BLKADVISE_FITS if that holds it with a margin.
 */
static struct plan plan_make(const struct blkadvise_record *record)
{
	struct blkadvise_advice advice;

	(void)blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS, &advice);
	return (struct plan){
		.mode = plan_mode(advice.io_mode),
		.hint = plan_hint(advice.hint),
		.depth = advice.depth, /* for one engine alone on this disk */
	};
}

int main(int argc, char *argv[])
{
	struct blkadvise_record *record = NULL;
	struct plan plan = { 0 };
	int r = 0;

	if (argc < 2)
		return 1;
	r = blkadvise_open_path_at(argc > 2 ? argv[2] : NULL, argv[1], &record);
	if (r != BLKADVISE_OK) { /* worth a line in the log, no more */
		fprintf(stderr, "%s: %s\n", argv[1], blkadvise_strerror(r));
		puts("mode=default");
		blkadvise_close(record);
		return 0;
	}
	plan = plan_make(record);
	printf("mode=%s ", plan.mode ? plan.mode : "default");
	if (plan.depth > 0)
		printf("depth=%u ", plan.depth);
	else
		printf("depth=default ");
	printf("hint=%s\n", plan.hint ? plan.hint : "default");
	blkadvise_close(record);
	return 0;
}
