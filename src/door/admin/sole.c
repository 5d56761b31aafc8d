/*
 * The account an operator's command is about: the only one where none is named,
 * and the names there are where a wrong one is.  EMCLI_ACCOUNT says nothing
 * here: whoever may set it (a folder's settings do) must not choose whose rules
 * are changed.
 */
#include "base/near.h"
#include "door/admin/internal.h"
#include "door/out.h"

static int
load_names(struct admin_call *c, struct strs *out, struct err *e)
{
	struct store_account *v;
	size_t n;

	*out = (struct strs){ 0 };
	if (store_account_list(c->store, c->arena, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		str_push(c->arena, out, v[i].name);
	return 0;
}

static int
fill_one(struct admin_call *c, struct arg *arg, struct err *e)
{
	struct strs known;

	if (load_names(c, &known, e) < 0)
		return -1;
	if (known.n == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no account yet: emcli account add NAME");
	if (known.n > 1)
		return err_set(e, ERR_USAGE, "%s is missing: name one of %.*s",
		    arg->shown, STR_ARG(near_names(c->arena, &known)));
	str_push(c->arena, &arg->text, known.v[0]);
	return 0;
}

int
sole_fill(struct admin_call *c, struct args *args, struct err *e)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i].spec->flags & ARG_SOLE &&
		    args->v[i].text.n == 0 && fill_one(c, &args->v[i], e) < 0)
			return -1;
	return 0;
}

/* One that was named, and is not there. */
static bool
find_stranger(const struct args *args, const struct strs *known,
    struct str *name)
{
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (arg->spec->type != ARG_ACCOUNT)
			continue;
		for (size_t k = 0; k < arg->text.n; k++)
			if (!str_among(known, arg->text.v[k])) {
				*name = arg->text.v[k];
				return true;
			}
	}
	return false;
}

/* "outbox show" of what is not there: "outbox list" shows what is. */
static void
hint_list(struct admin_call *c, struct err *e)
{
	const char *name = c->command->name, *last = strrchr(name, ' ');
	struct str list;

	if (last == NULL || e->hint != NULL ||
	    str_find(str_of(e->say), S("emcli ")) >= 0)
		return;
	list = str_fmt(c->arena, "emcli %.*s list", (int)(last - name), name);
	for (size_t i = 0; admin_table[i].name != NULL; i++)
		if (str_eq(str_of(admin_table[i].name), str_from(list, 6)))
			(void)err_hint(e, list.p);
}

void
sole_explain(struct admin_call *c, const struct args *args, struct err *e)
{
	struct strs known;
	struct err unused = { 0 };
	struct str name, tell;

	if (e->kind != ERR_NOT_FOUND || c->store == NULL ||
	    load_names(c, &known, &unused) < 0)
		return;
	if (!find_stranger(args, &known, &name)) {
		hint_list(c, e);
		return;
	}
	tell = near_tell(c->arena, name, &known);
	(void)err_set(e, ERR_NOT_FOUND,
	    "there is no such account as %.*s%s%.*s",
	    STR_ARG(out_quote(c->arena, name)),
	    tell.n > 0 ? ": " : ", and none yet: emcli account add NAME",
	    STR_ARG(tell));
}
