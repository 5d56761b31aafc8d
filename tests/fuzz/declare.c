/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: an adopter's Markdown, and the moments and names beside it. */
#include "check.h"

#include "base/limits.h"
#include "source/declare.h"
#include "source/since.h"

/* What a declaration without errors promises. */
static void
sound(const struct declare *d)
{
	unsigned primaries = 0, prefers = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct declare_row *r = &d->v[i];

		check(r->name.n > 0 && r->line > 0, "a row has its name");
		check(r->role > ROLE_NONE && r->role <= ROLE_PRIMARY, "a role");
		check(r->prefers < 1U << ROLE_OPS, "operations");
		check(r->role != ROLE_OPTIONAL || r->prefers == 0, "optional");
		check((prefers & r->prefers) == 0, "one is preferred");
		prefers |= r->prefers;
		primaries += r->role == ROLE_PRIMARY;
		for (size_t k = 0; k < i; k++)
			check(!str_eq(d->v[k].name, r->name), "names differ");
	}
	check(primaries <= 1, "one is primary");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str file = { (const char *)data, size };
	struct declare d;
	int64_t t = 0;
	size_t *to;

	declare_read(a, file, &d);
	check(d.n <= LIMIT_SOURCES, "number of rows");
	check(d.remarks <= LIMIT_REMARKS, "number of remarks");
	check(d.errors == 0 || d.remarks > 0, "errors are told");
	for (size_t i = 0; i < d.remarks; i++)
		check(d.remark[i].say.n > 0, "a remark says something");
	if (d.errors == 0)
		sound(&d);
	declare_bind(a, &d, NULL, 0, &to);
	check(d.errors > 0 || d.n == 0, "nobody's rows are errors");
	if (since_parse(str_first(file, 40), INT64_C(1782036000), &t))
		check(t > INT64_C(-62167305601) && t < INT64_C(253402387200),
		    "a moment");
	return 0;
}
