/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent may use: sets of names that exist. */
#include "desk/agent_rights.h"

#include "base/buf.h"
#include "skill/skill.h"
#include "store/store.h"

/* Each checks that a name exists, and returns our spelling of it. */
static int
agent_rights_find_account(struct call *c, struct str name, struct str *out,
    struct err *e)
{
	struct store_account acct;

	*out = name;
	return store_account_get(operate_store(c), c->arena, name, &acct, e);
}

static int
agent_rights_find_skill(struct call *c, struct str name, struct str *out,
    struct err *e)
{
	const struct skill *s = skill_find(name);

	(void)c;
	if (s == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no skill \"%.*s\": see emcli skill list",
		    STR_ARG(name));
	*out = str_of(s->name);
	return 0;
}

/* Returns the table's spelling; "-" and "_" are equal. */
static int
agent_rights_find_op(struct call *c, struct str name, struct str *out,
    struct err *e)
{
	char *p = str_c(c->arena, name);

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == '-')
			p[i] = '_';
	*out = str_of(p);
	if (skill_of_op(*out) != NULL)
		return 0;
	return err_set(e, ERR_NOT_FOUND,
	    "there is no operation on mail \"%.*s\": see emcli help",
	    STR_ARG(name));
}

static const char *
agent_rights_option(enum agent_right right)
{
	static const char *const words[] = {
		[AGENT_RIGHT_ACCOUNTS] = "account",
		[AGENT_RIGHT_SKILLS] = "skill",
		[AGENT_RIGHT_OPS] = "op",
	};

	return words[right];
}

int
agent_rights_set(struct call *c, enum agent_right right,
    const struct strs *given, struct str *out, struct err *e)
{
	static int (*const find[])(struct call * c, struct str name,
	    struct str * out, struct err * e) = {
		[AGENT_RIGHT_ACCOUNTS] = agent_rights_find_account,
		[AGENT_RIGHT_SKILLS] = agent_rights_find_skill,
		[AGENT_RIGHT_OPS] = agent_rights_find_op,
	};
	struct buf b;

	buf_init(&b, c->arena, 1 << 16);
	buf_char(&b, ' ');
	for (size_t i = 0; i < given->n; i++) {
		struct str name = { 0 };

		if (find[right](c, given->v[i], &name, e) < 0)
			return -1;
		buf_str(&b, name);
		buf_char(&b, ' ');
	}
	if (b.over)
		return err_set(e, ERR_LIMIT, "too many of --%s",
		    agent_rights_option(right));
	*out = buf_view(&b);
	return 0;
}
