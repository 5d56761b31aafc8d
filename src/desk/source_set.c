/* SPDX-License-Identifier: Apache-2.0 */
/* emcli source set: the part that one account plays. */
#include "base/buf.h"
#include "desk/desk.h"
#include "desk/source_known.h"
#include "desk/source_rules.h"
#include "store/source.h"

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account that gets the role" },
	{ "role", ARG_CHOICE,
	    .help = "primary: serves all it supports; fallback: if the primary "
		    "cannot or is not available; preferred: only for "
		    "--preferred-for; optional: only when it is named; none: "
		    "not a source",
	    .choices = ROLE_WORDS },
	{ "preferred_for", ARG_TEXT, ARG_MANY,
	    .help = "operations for which it is the first choice; \"\": none" },
	{ "mandatory", ARG_CHOICE,
	    .help = "yes: nothing runs while it is not available",
	    .choices = "yes|no" },
	{ "position", ARG_COUNT,
	    .help = "its place in the order of sources; default: unchanged, or "
		    "last",
	    .min = 1, .max = 1000 },
	{ 0 },
};

struct set {
	struct call *c;
	struct strs ops;
	unsigned prefers;
};

static int
source_set_read_ops(struct set *s, struct err *e)
{
	const struct strs *given = args_list(s->c->args, "preferred_for");

	for (size_t i = 0; i < given->n; i++) {
		enum role_op op;

		if (given->v[i].n == 0 && given->n == 1)
			break;
		if (role_op_read(s->c->arena, given->v[i], &op, e) < 0)
			return -1;
		if (!(s->prefers & 1U << op))
			str_push(s->c->arena, &s->ops,
			    str_of(role_op_name(op)));
		s->prefers |= 1U << op;
	}
	return 0;
}

static void
source_set_apply(const struct set *s, struct store_source *x)
{
	const struct args *given = s->c->args;

	if (args_has(given, "role"))
		x->role = args_text(given, "role");
	if (args_has(given, "preferred_for"))
		x->ops = s->ops;
	else if (str_eq(x->role, S("none")) || str_eq(x->role, S("optional")))
		x->ops = (struct strs){ 0 };
	if (!args_has(given, "role") && x->ops.n > 0 &&
	    str_eq(x->role, S("none")))
		x->role = S("preferred");
	if (args_has(given, "mandatory"))
		x->mandatory = str_eq(args_text(given, "mandatory"), S("yes"));
	else if (str_eq(x->role, S("none")))
		x->mandatory = false;
}

/* Moves it to its place among the sources, which precede the others. */
static void
source_set_move(struct store_source *v, size_t n, size_t at, uint32_t position)
{
	struct store_source x = v[at];
	size_t sources = 0, to = at;

	for (size_t i = 0; i < n; i++)
		sources += i != at && !str_eq(v[i].role, S("none"));
	if (position > 0)
		to = position - 1;
	if (to > sources)
		to = sources;
	memmove(v + at, v + at + 1, (n - at - 1) * sizeof(*v));
	memmove(v + to + 1, v + to, (n - to - 1) * sizeof(*v));
	v[to] = x;
}

/* For the audit log. */
static void
source_set_tell(struct call *c, const struct store_source *x)
{
	struct buf b;

	buf_init(&b, c->arena, 1000);
	buf_fmt(&b, "role %.*s, mandatory %s", STR_ARG(x->role),
	    x->mandatory ? "yes" : "no");
	for (size_t i = 0; i < x->ops.n; i++)
		buf_fmt(&b, "%s%.*s", i == 0 ? ", preferred for " : ", ",
		    STR_ARG(x->ops.v[i]));
	c->note = buf_view(&b);
}

static int
source_set_change(struct store_source *v, size_t n, void *ctx, struct err *e)
{
	const struct set *s = ctx;
	struct str name = args_text(s->c->args, "name");
	size_t at = 0;

	while (at < n && !str_eq(v[at].name, name))
		at++;
	if (at == n)
		return err_set(e, ERR_NOT_FOUND, "no such account");
	source_set_apply(s, &v[at]);
	if (source_rules_check(v, n, at, e) < 0)
		return -1;
	source_set_tell(s->c, &v[at]);
	source_set_move(v, n, at, args_count(s->c->args, "position", 0));
	return 0;
}

static int
source_set_run(struct call *c, struct json *out, struct err *e)
{
	static const char *const any[] = { "role", "preferred_for", "mandatory",
		"position" };
	struct set s = { .c = c };
	struct store_source_change ch = { source_set_change, &s };
	bool some = false;

	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
		some = some || args_has(c->args, any[i]);
	if (!some)
		return err_set(e, ERR_USAGE,
		    "nothing to set: give --role or another option");
	if (source_set_read_ops(&s, e) < 0 ||
	    store_source_set(operate_store(c), c->arena, &ch, e) < 0)
		return -1;
	return source_known_put(c, out, e);
}

const struct op desk_source_set = {
	.name = "source set",
	.summary = "Give an account a role as a source, or none",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = source_known_result,
	.columns = SOURCE_KNOWN_COLUMNS,
	.run = source_set_run,
};
