/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values from the store, one a line, for the shells' scripts: `emcli completion
 * accounts`.  Whoever holds a key may name them; without a key or a store there
 * are no values and no error.  No program is asked for a key at each Tab.
 */
#include "door/completion.h"

#include "gate/boxes.h"
#include "gate/grant.h"

static const char *const kinds[] = {
	[COMPLETION_ACCOUNTS] = "accounts",
	[COMPLETION_SKILLS] = "skills",
};

const char *
completion_values_kind(enum completion_value v)
{
	return v < sizeof(kinds) / sizeof(kinds[0]) ? kinds[v] : NULL;
}

/*
 * A shell may expand its input, so a name that emcli would not accept is left
 * out: somebody else wrote it to the database.
 */
static void
completion_values_put_word(struct buf *b, struct str word)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	for (size_t i = 0; i < word.n; i++)
		if (!str_has_char(S(good), word.p[i]))
			return;
	buf_fmt(b, "%.*s\n", STR_ARG(word));
}

static void
completion_values_put_accounts(struct buf *b, struct gate *g)
{
	struct boxes_row *v;
	struct err e = { 0 };
	size_t n;

	if (boxes_list(g, b->a, &v, &n, &e) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		completion_values_put_word(b, v[i].name);
}

/* The program's own skills exist without a store. */
static void
completion_values_put_skills(struct buf *b)
{
	const struct skill *s;

	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		completion_values_put_word(b, str_of(s->name));
}

bool
completion_values_put(struct buf *b, const struct env *env, struct str kind)
{
	bool accounts = str_eq(kind, str_of(kinds[COMPLETION_ACCOUNTS]));
	CLEANUP(gate_close) struct gate *g = NULL;
	struct err e = { 0 };

	if (!accounts && !str_eq(kind, str_of(kinds[COMPLETION_SKILLS])))
		return false;
	if (env != NULL && !env_command_due(env))
		(void)gate_open(env, &g, &e);
	if (!accounts)
		completion_values_put_skills(b);
	else if (g != NULL)
		completion_values_put_accounts(b, g);
	return true;
}
