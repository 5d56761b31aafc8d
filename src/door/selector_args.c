/* SPDX-License-Identifier: Apache-2.0 */
/* A model's arguments, and the mailbox among them. */
#include "door/selector_args.h"

static struct arg *
selector_args_find_account(const struct args *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i].spec->type == ARG_ACCOUNT)
			return &args->v[i];
	return NULL;
}

/* Models write null for omitted arguments. */
static bool
is_given(const struct json_value *given, const char *name)
{
	const struct json_value *v = json_parse_member(given, name);

	return v != NULL && !json_parse_is_null(v);
}

/* Is it of all accounts, so that no mailbox is meant? */
static bool
is_of_all(const struct op *op, const struct json_value *given)
{
	bool all = false;

	return op->spans != NULL && !is_given(given, "mailbox") &&
	    json_parse_bool(json_parse_member(given, op->spans), &all) && all;
}

/* The account, by the named mailbox or because there is only one. */
static int
selector_args_choose(const struct selector *s, const struct json_value *given,
    struct arena *a, struct arg *account, struct args *out, struct str *say,
    struct err *e)
{
	const struct boxes_row *box;
	struct str value = { 0 };

	if (s->n == 0)
		return err_set(e, ERR_CONFIG, "there is no usable mailbox");
	(void)json_parse_str(json_parse_member(given, "mailbox"), &value);
	box = selector_find(s, a, value, say);
	if (box == NULL)
		return err_set(e, ERR_USAGE, "%.*s", STR_ARG(*say));
	return args_add(out, a, account, box->name, e);
}

int
selector_args_read(const struct selector *s, const struct op *op,
    const struct json_value *given, bool (*ours)(const struct arg_spec *s),
    struct arena *a, struct args *out, struct str *say, struct err *e)
{
	struct arg *account =
	    op->needs & NEED_ACCOUNT ? selector_args_find_account(out) : NULL;
	bool selects = account != NULL && s->shown.labels.n > 0;
	const struct given_own own = { selects ? "mailbox" : NULL, ours };
	bool named = account != NULL &&
	    (ours == NULL || !ours(account->spec)) &&
	    is_given(given, account->spec->name);

	if (named && is_given(given, "mailbox"))
		return err_set(e, ERR_USAGE,
		    "mailbox and account name the same thing: give one");
	if (account != NULL && !named && !is_of_all(op, given) &&
	    selector_args_choose(s, given, a, account, out, say, e) < 0)
		return -1;
	return given_read(given, &own, a, out, e);
}

void
selector_args_tell(struct reply *r, struct str say)
{
	/* The error may have changed: writing the record can fail. */
	if (r->err.kind == ERR_USAGE)
		r->full = say;
}
