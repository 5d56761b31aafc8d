/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account add: from options, or a person's answers, to a row that holds
 * together. */
#include "desk/account.h"
#include "desk/desk.h"

static const struct field result[] = {
#include "desk/account_fields_list.h"
	NOTE_FIELD,
	{ "next", FIELD_TEXT, .help = "the command that comes next" },
	{ 0 },
};

/* A token comes from account consent, later, unless one is handed in. */
static bool
account_add_needs_secret(const struct call *c, const struct store_account *v)
{
	if (account_secret_given(c))
		return true;
	if (str_eq(v->auth_type, S("oauth2")))
		return false;
	return v->imap_host.n > 0 || (v->smtp_host.n > 0 && v->username.n > 0);
}

/* From options. */
static int
account_add_given(struct notes *n, struct json *out, struct store_account *v,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *password = NULL;
	struct call *c = n->c;

	if (setting_apply(c->arena, c->args, v, e) < 0 ||
	    account_find(c, v, e) < 0)
		return -1;
	account_new_derive(c->arena, v);
	setting_defaults(v);
	if (setting_check(c->arena, c->args, v, e) < 0 ||
	    account_secret_fits(c, v, e) < 0)
		return -1;
	if (account_add_needs_secret(c, v) &&
	    account_secret_read(c, "Password: ", &password, e) < 0)
		return -1;
	if (store_account_add(operate_store(c), v, password, e) < 0)
		return -1;
	v->has_password = password != NULL;
	account_new_put(n, out, v, 0, 0);
	return 0;
}

static int
account_add_run(struct call *c, struct json *out, struct err *e)
{
	struct store_account v = setting_new(args_text(c->args, "name"));
	struct notes notes = { .c = c };
	int r;

	/* Before anything is asked; store_account_add() says it again. */
	if (setting_check_new(operate_store(c), c->arena, v.name, e) < 0)
		return -1;
	if (account_form_wanted(c->args) && operate_door(c)->person)
		r = account_ask(&notes, out, e);
	else
		r = account_add_given(&notes, out, &v, e);
	json_put_strs(out, "notes", &notes.text);
	return r;
}

const struct op desk_account_add = {
	.name = "account add",
	.shows = "emcli account list",
	.summary = "Add a mailbox and its policy",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = account_args_add,
	.result = result,
	.run = account_add_run,
};
