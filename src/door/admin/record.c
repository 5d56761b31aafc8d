/*
 * What the operator changes is written down as what agents do is: asked and
 * judged before, done after.  What cannot be recorded is not done.
 */
#include "door/admin/internal.h"
#include "store/audit.h"

enum {
	NAME_SHOWN = 64,
	VALUE_SHOWN = 320,
	TARGET_MAX = 2000
};

/* "whitelist in add" is written as "whitelist.in.add". */
static struct str
action(const struct admin_call *c)
{
	char *p = str_c(c->arena, str_of(c->command->name));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == ' ')
			p[i] = '.';
	return str_of(p);
}

/* Whose account it is: "account", or "name" where that is the first word. */
static const struct arg *
account_arg(const struct admin_call *c)
{
	const struct arg *arg = args_find(c->args, S("account"));

	return arg != NULL ? arg : args_find(c->args, S("name"));
}

/* Texts behind options may be anybody's: of them only the name is kept. */
static bool
tells(const struct arg_spec *s)
{
	if (s->flags & ARG_QUIET)
		return false;
	return s->type == ARG_CHOICE || s->type == ARG_COUNT ||
	    s->type == ARG_ADDRESS || s->flags & ARG_POSITIONAL;
}

static void
put_value(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n && i < VALUE_SHOWN; i++) {
		unsigned char ch = (unsigned char)s.p[i];
		bool plain = ch >= 0x20 && ch != 0x7f;

		buf_add(b, plain ? s.p + i : " ", 1);
	}
}

static struct str
target(const struct admin_call *c)
{
	const struct arg *whose = account_arg(c);
	struct buf b;

	buf_init(&b, c->arena, TARGET_MAX);
	for (size_t i = 0; i < c->args->n; i++) {
		const struct arg *arg = &c->args->v[i];
		bool named = !(arg->spec->flags & ARG_POSITIONAL);

		for (size_t k = 0; arg != whose && k < arg->text.n; k++) {
			buf_text(&b, b.n > 0 ? " " : "");
			if (named)
				buf_text(&b, arg->spec->name);
			if (named && tells(arg->spec))
				buf_char(&b, '=');
			if (tells(arg->spec))
				put_value(&b, arg->text.v[k]);
		}
	}
	return buf_view(&b);
}

int
record_run(struct admin_call *c, struct err *e)
{
	const struct arg *whose = account_arg(c);
	struct store_audit row = {
		.principal = S("operator"),
		.action = action(c),
		.target = target(c),
	};
	struct err late = { 0 };
	const char *outcome;
	int64_t id = 0;
	int r;

	if (whose != NULL && whose->text.n > 0)
		row.account = str_first(whose->text.v[0], NAME_SHOWN);
	if (store_audit_asked(c->store, &row, &id, e) < 0 ||
	    store_audit_judged(c->store, id, true, S(""), e) < 0)
		return -1;
	r = c->command->run(c, e);
	outcome = r == 0 ? "ok" : err_code(e->kind);
	if (store_audit_done(c->store, id, S(""), str_of(outcome),
		r == 0 ? c->done : str_of(e->detail), &late) < 0 &&
	    r == 0) {
		*e = late;
		return -1;
	}
	return r;
}
