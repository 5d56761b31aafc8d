/* SPDX-License-Identifier: Apache-2.0 */
/* The error if no account serves an operation: why, and how to fix it. */
#include "gate/internal.h"
#include "gate/resolve.h"

enum {
	NAME_MAX_SHOWN = 40 /* bytes: an error has no room for more */
};

static struct str
short_name(const struct role_source *s)
{
	return str_first(s->name, NAME_MAX_SHOWN);
}

/* Nothing is declared, and several can. */
static int
say_ambiguous(const struct choose *c, const struct args *args, struct err *e)
{
	const struct arg *account = args_find(args, S("account"));
	struct str one = S("NAME");

	for (size_t i = c->n; i-- > 0;)
		if (c->skip[i].cause == CHOOSE_ONE_OF_MANY)
			one = short_name(c->skip[i].source);
	return err_set(e, ERR_USAGE,
	    "%.*s: name one (%s), or let the operator choose: "
	    "emcli source set %.*s --role primary",
	    STR_ARG(c->note), account->shown, STR_ARG(one));
}

/* It is temporarily unavailable: its doctor knows more. */
static int
say_unavailable(const struct choose *c, const struct role_source *s,
    struct err *e)
{
	(void)choose_refuse(c, e);
	return err_set(e, e->kind,
	    "%.*s; to see what is wrong: emcli doctor --account %.*s",
	    STR_ARG(c->note), STR_ARG(short_name(s)));
}

/* What it lacks, and the option for it. */
static int
say_unsupported(const struct choose *c, const struct role_source *s,
    struct err *e)
{
	const char *why = roster_why(s, c->op);
	const char *option = matrix_option(s->backend, c->op);
	struct str name = short_name(s);

	if (option == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "%.*s: %.*s: %s; one that can: emcli account add NAME",
		    STR_ARG(c->note), STR_ARG(name),
		    why != NULL ? why : "it said so");
	return err_set(e, ERR_UNSUPPORTED,
	    "%.*s: %.*s: %s: emcli account edit %.*s %s", STR_ARG(c->note),
	    STR_ARG(name), why != NULL ? why : "it said so", STR_ARG(name),
	    option);
}

/* The first that was skipped for that reason, or NULL. */
static const struct choose_skip *
resolve_say_first_skip(const struct choose *c, enum choose_cause cause)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->skip[i].cause == cause)
			return &c->skip[i];
	return NULL;
}

/* A source in the chain that only policy refuses, or NULL. */
static const struct role_source *
resolve_say_barred(const struct choose *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->skip[i].cause == CHOOSE_UNSUPPORTED &&
		    c->skip[i].source->bar[c->op].reason != NULL)
			return c->skip[i].source;
	return NULL;
}

/* Named by the rule: next.c says what to do about each. */
static int
say_barred(const struct choose *c, const struct role_source *s,
    struct str *account, struct err *e)
{
	const char *reason = s->bar[c->op].reason;

	*account = s->name;
	(void)err_set(e, ERR_POLICY, "%.*s: %.*s: refused by policy: %s",
	    STR_ARG(c->note), STR_ARG(short_name(s)), reason);
	e->reason = reason;
	return -1;
}

/* An account that could serve it, but has no place in the chain. */
static const struct role_source *
resolve_say_outside(const struct resolve *r, const struct choose *c)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].role <= ROLE_PREFERRED && !r->v[i].declined &&
		    (r->v[i].supports & 1U << c->op))
			return &r->v[i];
	return NULL;
}

/* Roles are declared, and no source of the chain serves it. */
static int
say_no_place(const struct resolve *r, const struct choose *c, struct err *e)
{
	const struct role_source *other = resolve_say_outside(r, c);
	struct str name;

	if (other == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "%.*s; one that can: emcli account add NAME",
		    STR_ARG(c->note));
	name = short_name(other);
	return err_set(e, ERR_UNSUPPORTED,
	    "%.*s: no role says so, but %.*s can: name it, or emcli source "
	    "set %.*s --role fallback",
	    STR_ARG(c->note), STR_ARG(name), STR_ARG(name));
}

int
resolve_say(const struct resolve *r, const struct args *args,
    struct str *account, struct err *e)
{
	const struct choose *c = &r->choice;
	const struct role_source *may_not = resolve_say_barred(c);
	const struct choose_skip *down =
	    resolve_say_first_skip(c, CHOOSE_UNAVAILABLE);
	const struct choose_skip *cannot =
	    resolve_say_first_skip(c, CHOOSE_UNSUPPORTED);
	const struct choose_skip *kind =
	    resolve_say_first_skip(c, CHOOSE_OTHER_KIND);

	if (r->n == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "%.*s: there is no account yet: emcli account add NAME",
		    STR_ARG(c->note));
	if (c->outcome == CHOOSE_AMBIGUOUS)
		return say_ambiguous(c, args, e);
	if (down != NULL)
		return say_unavailable(c, down->source, e);
	if (kind != NULL && kind->source->elsewhere)
		return err_set(e, ERR_USAGE,
		    "%.*s: no account has a thread at that address: give "
		    "one that thread_url returned, or an id",
		    STR_ARG(c->note));
	if (kind != NULL)
		return err_set(e, ERR_USAGE,
		    "%.*s: no account has threads with ids of that kind "
		    "(%.*s has %s): give an id that list_recent_threads "
		    "returned",
		    STR_ARG(c->note), STR_ARG(short_name(kind->source)),
		    matrix_id_kind(kind->source->backend));
	if (c->declared && resolve_say_outside(r, c) != NULL)
		return say_no_place(r, c, e);
	if (may_not != NULL)
		return say_barred(c, may_not, account, e);
	if (cannot != NULL)
		return say_unsupported(c, cannot->source, e);
	return say_no_place(r, c, e);
}
