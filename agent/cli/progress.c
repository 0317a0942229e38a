/* SPDX-License-Identifier: MIT */
/*
 * Drawn with blanks and carriage returns alone, which any terminal understands.
 */
#include "cli/progress.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/terminal.h"

#define BAR_COLUMNS 20

void progress_begin(const char *name, bool quiet, struct progress *ret)
{
	*ret = (struct progress){
		.name = name,
		.shown = !quiet && terminal_width(STDERR_FILENO) > 0,
	};
}

/* The figure of the point that was finished last. */
static void format_point(const struct point *point, char *buf, size_t size)
{
	if (point->work == WORK_SEQUENTIAL_READ || point->work == WORK_SEQUENTIAL_WRITE)
		(void)snprintf(buf, size, " (last: %" PRIu64 " MB/s)",
			       point_kbps(point) * 1024 / 1000000);
	else
		(void)snprintf(buf, size, " (last: %" PRIu64 "/s)", point_iops(point));
}

void progress_draw(struct progress *progress, const struct measure_progress *state)
{
	static const char full[BAR_COLUMNS + 1] = "####################";
	static const char empty[BAR_COLUMNS + 1] = "....................";
	double fraction = state->fraction < 0	? 0
			  : state->fraction > 1 ? 1
						: state->fraction;
	int done = (int)(fraction * BAR_COLUMNS);
	char point[128] = "", line[512];
	size_t len = 0, width = terminal_width(STDERR_FILENO);

	if (!progress->shown || width == 0)
		return;
	if (state->point)
		format_point(state->point, point, sizeof(point));
	(void)snprintf(line, sizeof(line), "%s [%.*s%.*s] %3d %% %s%s", progress->name,
		       done, full, BAR_COLUMNS - done, empty, (int)(fraction * 100),
		       state->what ? state->what : "", point);
	(void)printable(line, line, sizeof(line));
	if (strlen(line) >= width) /* the last column would begin a new line */
		line[width - 1] = '\0';
	len = strlen(line);
	(void)fprintf(stderr, "\r%s%*s", line,
		      (int)(progress->drawn > len && progress->drawn < width
				    ? progress->drawn - len
				    : 0),
		      "");
	(void)fflush(stderr);
	progress->drawn = len;
}

void progress_clear(struct progress *progress)
{
	size_t width = terminal_width(STDERR_FILENO);

	if (!progress->shown || progress->drawn == 0)
		return;
	if (progress->drawn >= width && width > 0)
		progress->drawn = width - 1;
	(void)fprintf(stderr, "\r%*s\r", (int)progress->drawn, "");
	(void)fflush(stderr);
	progress->drawn = 0;
}
