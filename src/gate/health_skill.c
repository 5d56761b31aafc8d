/* SPDX-License-Identifier: Apache-2.0 */
/* The check of the operator's folder of skills. */
#include "gate/health_report.h"
#include "gate/internal.h"
#include "skill/skill.h"

/*
 * The folder was read when the gate was opened, which would have failed
 * otherwise.
 */
void
health_skill_dir(struct health *h)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("skills_dir") };
	const struct skill_left *l;
	const struct skill *s;
	size_t n = 0;

	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		n += s->added;
	for (size_t i = 0; (l = skill_dir_left(i)) != NULL; i++) {
		line.say = str_fmt(a, "a folder of skills_dir was left out: %s",
		    l->why);
		line.next =
		    S("correct it, or remove it from the folder: see emcli "
		      "skill validate");
		line.detail = str_of(l->name);
		health_line_put(h, &line);
	}
	if (n == 0)
		return;
	line = (struct health_line){ .check = S("skills_dir"), .ok = true };
	line.say = str_fmt(a, "%zu skill%s of the operator's can be loaded", n,
	    n == 1 ? "" : "s");
	health_line_put(h, &line);
}
