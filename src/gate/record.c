/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit row of an operator's operation: its target, without texts that may
 * be secrets.
 */
#include "base/buf.h"
#include "gate/internal.h"
#include "store/audit.h"

enum {
	NAME_SHOWN = 64,
	VALUE_SHOWN = 320,
	TARGET_MAX = 2000
};

/* "whitelist in add" is recorded as "whitelist.in.add". */
struct str
record_action(struct arena *a, const char *name)
{
	char *p = str_c(a, str_of(name));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == ' ')
			p[i] = '.';
	return str_of(p);
}

/* The account: "account", or "name" if that is the first word. */
static const struct arg *
record_account(const struct args *args)
{
	const struct arg *arg = args_find(args, S("account"));

	return arg != NULL ? arg : args_find(args, S("name"));
}

/* Values of options may be secret: only their names are recorded. */
static bool
record_tells(const struct arg_spec *s)
{
	if (s->flags & ARG_QUIET)
		return false;
	return s->type == ARG_CHOICE || s->type == ARG_COUNT ||
	    s->type == ARG_ADDRESS || s->flags & ARG_POSITIONAL;
}

static void
record_put_value(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n && i < VALUE_SHOWN; i++) {
		unsigned char ch = (unsigned char)s.p[i];
		bool plain = ch >= 0x20 && ch != 0x7f;

		buf_add(b, plain ? s.p + i : " ", 1);
	}
}

static struct str
record_target(struct arena *a, const struct args *args, const struct arg *whose)
{
	struct buf b;

	buf_init(&b, a, TARGET_MAX);
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];
		bool named = !(arg->spec->flags & ARG_POSITIONAL);

		for (size_t k = 0; arg != whose && k < arg->text.n; k++) {
			buf_text(&b, b.n > 0 ? " " : "");
			if (named)
				buf_text(&b, arg->spec->name);
			if (named && record_tells(arg->spec))
				buf_char(&b, '=');
			if (record_tells(arg->spec))
				record_put_value(&b, arg->text.v[k]);
		}
	}
	return buf_view(&b);
}

struct store_audit
record_row(struct arena *a, const char *name, const struct args *args)
{
	const struct arg *whose = record_account(args);
	struct store_audit row = {
		.principal = S("operator"),
		.action = record_action(a, name),
		.target = record_target(a, args, whose),
	};

	if (whose != NULL && whose->text.n > 0)
		row.account = str_first(whose->text.v[0], NAME_SHOWN);
	return row;
}
