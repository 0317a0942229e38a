/* SPDX-License-Identifier: MIT */
/*
 * Grouping. A remedy and a cost are static texts, so that their address tells whether two
 * findings are of one kind; their texts differ by the values that they quote.
 */
#include "cli/groups.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"

#define NAMES_ALL 6 /* up to this many disks are all named */
#define NAMES_FEW 3 /* of more, this many */

static bool is_alike(const struct finding *a, const struct finding *b)
{
	if (a->id != b->id || a->result != b->result)
		return false;
	if (a->result == CHECK_UNKNOWN)
		return a->missing == b->missing && strcmp(a->text, b->text) == 0;
	return a->severity == b->severity && a->confidence == b->confidence &&
	       a->cost == b->cost && a->remedy == b->remedy;
}

static int compare(const void *left, const void *right)
{
	const struct group *a = left, *b = right;
	const struct finding *x = group_finding(a), *y = group_finding(b);

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* The group to which @finding belongs, which may be a new one. */
static struct group *find_group(struct groups *groups, const struct finding *finding)
{
	struct group *more = NULL;

	for (size_t i = 0; i < groups->n; i++) {
		if (is_alike(group_finding(&groups->list[i]), finding))
			return &groups->list[i];
	}
	more = reallocarray(groups->list, groups->n + 1, sizeof(*more));
	if (!more)
		return NULL;
	groups->list = more;
	more[groups->n] = (struct group){ .order = groups->n };
	return &more[groups->n++];
}

static int add(struct groups *groups, const struct examined *examined,
	       const struct finding *finding)
{
	struct group *group = find_group(groups, finding);
	struct member *more = NULL;

	if (group)
		more = reallocarray(group->members, group->n + 1, sizeof(*more));
	if (!more) {
		if (group && group->n == 0) /* a new one must not stay without member */
			groups->n--;
		return -ENOMEM;
	}
	group->members = more;
	more[group->n++] = (struct member){ examined, finding };
	return 0;
}

int groups_make(const struct examined *examined, size_t n, enum check_result result,
		struct groups *ret)
{
	struct groups groups = { 0 };

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < _FINDING_MAX; k++) {
			const struct finding *finding =
				&examined[i].diagnosis->findings[k];

			if (finding->result != result)
				continue;
			if (add(&groups, &examined[i], finding) < 0) {
				groups_done(&groups);
				return -ENOMEM;
			}
		}
	}
	if (groups.n > 0)
		qsort(groups.list, groups.n, sizeof(*groups.list), compare);
	*ret = groups;
	return 0;
}

void groups_done(struct groups *groups)
{
	for (size_t i = 0; i < groups->n; i++)
		free(groups->list[i].members);
	free(groups->list);
	*groups = (struct groups){ 0 };
}

const struct finding *group_finding(const struct group *group)
{
	return group->members[0].finding;
}

static bool counts(const struct member *member, const char *text)
{
	return !text || strcmp(member->finding->text, text) == 0;
}

char *group_names(const struct group *group, const char *text, bool all)
{
	char *names = NULL;
	size_t size = 0, total = 0, shown = 0;
	FILE *out = open_memstream(&names, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < group->n; i++)
		total += counts(&group->members[i], text);
	for (size_t i = 0; i < group->n; i++) {
		if (!counts(&group->members[i], text))
			continue;
		if (!all && total > NAMES_ALL && shown == NAMES_FEW)
			break;
		(void)fprintf(out, "%s%s", shown ? ", " : "",
			      group->members[i].examined->name);
		shown++;
	}
	if (shown < total)
		(void)fprintf(out, ", ... (%zu disks)", total);
	return fclose(out) == 0 ? names : NULL;
}
