/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the contract: operations and roles. */
#include "source/role.h"

#include "base/buf.h"
#include "base/near.h"

static const char *const ops[ROLE_OPS] = {
	[ROLE_LIST_RECENT_THREADS] = "list_recent_threads",
	[ROLE_READ_THREAD] = "read_thread",
	[ROLE_LIST_DRAFTS] = "list_drafts",
	[ROLE_LIST_SENT_SINCE] = "list_sent_since",
	[ROLE_CREATE_DRAFT] = "create_draft",
	[ROLE_THREAD_URL] = "thread_url",
	[ROLE_SEARCH_THREADS] = "search_threads",
};

static const char *const roles[] = {
	[ROLE_NONE] = "none",
	[ROLE_OPTIONAL] = "optional",
	[ROLE_PREFERRED] = "preferred",
	[ROLE_FALLBACK] = "fallback",
	[ROLE_PRIMARY] = "primary",
};

enum {
	ROLES = sizeof(roles) / sizeof(roles[0]),
	QUOTED = 40
};

const char *
role_op_name(enum role_op op)
{
	return ops[op];
}

static bool
role_is_spelt(struct str word, struct str name)
{
	if (word.n != name.n)
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] != name.p[i] &&
		    !(word.p[i] == '-' && name.p[i] == '_'))
			return false;
	return true;
}

bool
role_op_find(struct str word, enum role_op *out)
{
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		if (role_is_spelt(word, str_of(ops[op]))) {
			*out = op;
			return true;
		}
	}
	return false;
}

int
role_op_read(struct arena *a, struct str word, enum role_op *out, struct err *e)
{
	struct str all[ROLE_OPS], near;
	struct strs known = { all, ROLE_OPS };

	if (role_op_find(word, out))
		return 0;
	for (int i = 0; i < ROLE_OPS; i++)
		all[i] = str_of(ops[i]);
	near = near_pick(word, &known);
	word = str_first(word, QUOTED);
	if (near.n > 0)
		return err_set(e, ERR_USAGE,
		    "unknown operation \"%.*s\": did you mean %.*s?",
		    STR_ARG(word), STR_ARG(near));
	return err_set(e, ERR_USAGE,
	    "unknown operation \"%.*s\": the operations are %.*s",
	    STR_ARG(word), STR_ARG(role_ops_text(a, (1U << ROLE_OPS) - 1)));
}

struct str
role_ops_text(struct arena *a, unsigned wanted)
{
	struct buf b;

	buf_init(&b, a, 256);
	for (int i = 0; i < ROLE_OPS; i++)
		if (wanted & 1U << i)
			buf_fmt(&b, "%s%s", b.n > 0 ? ", " : "", ops[i]);
	return buf_view(&b);
}

const char *
role_name(enum role r)
{
	return roles[r];
}

bool
role_find(struct str word, enum role *out)
{
	for (unsigned i = 0; i < ROLES; i++) {
		if (str_eq_case(word, str_of(roles[i]))) {
			*out = (enum role)i;
			return true;
		}
	}
	return false;
}
