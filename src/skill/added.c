/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's own skills, as read by this process. */
#include "base/err.h"
#include "skill/internal.h"

static struct {
	struct skill v[SKILL_ADDED];
	size_t n;
} added;

const struct skill *
skill_added_at(size_t i)
{
	return i < added.n ? &added.v[i] : NULL;
}

void
skill_added_put(const struct skill *s)
{
	if (added.n == SKILL_ADDED)
		err_bug("too many skills");
	added.v[added.n++] = *s;
}

void
skill_added_clear(void)
{
	added.n = 0;
}
