/* emcli account add: from options to a row that holds together. */
#include "door/admin/account.h"
#include "door/out.h"
#include "door/prompt.h"

/* A token comes from account consent, later, unless one is handed in. */
static bool
account_add_needs_secret(const struct admin_call *c,
    const struct store_account *v)
{
	if (account_secret_given(c))
		return true;
	if (str_eq(v->auth_type, S("oauth2")))
		return false;
	return v->imap_host.n > 0 || (v->smtp_host.n > 0 && v->username.n > 0);
}

static const char *
account_add_mode(enum mode m)
{
	return m == MODE_RW ? "RW" : "RO";
}

void
account_add_tell(struct admin_call *c, const struct store_account *v,
    bool secret, size_t in, size_t out)
{
	struct buf *b = c->out;
	bool oauth = str_eq(v->auth_type, S("oauth2")) && v->username.n > 0;

	buf_fmt(b, "added %.*s: %.*s, %s\n", STR_ARG(v->name),
	    STR_ARG(v->backend), account_add_mode(v->mode));
	account_new_notes(b, v, in, out);
	c->done = str_fmt(c->arena, "%s, imap %.*s, smtp %.*s, path %.*s",
	    account_add_mode(v->mode), STR_ARG(v->imap_host),
	    STR_ARG(v->smtp_host), STR_ARG(v->path));
	if (oauth && secret)
		buf_text(b, "note: the access token is not refreshed\n");
	if (oauth && !secret)
		buf_fmt(b, "Next: emcli account consent %.*s\n",
		    STR_ARG(v->name));
	else
		buf_fmt(b, "Next: emcli doctor --account %.*s\n",
		    STR_ARG(v->name));
}

int
account_add_run(struct admin_call *c, struct err *e)
{
	CLEANUP(secret_close) struct secret *password = NULL;
	struct store_account v = setting_new(args_text(c->args, "name"));

	/* Before anything is asked; store_account_add() says it again. */
	if (setting_check_new(c->store, c->arena, v.name, e) < 0)
		return -1;
	if (account_form_wanted(c) && prompt_possible())
		return account_ask(c, e);
	if (setting_apply(c->arena, c->args, &v, e) < 0 ||
	    account_find(c, &v, e) < 0)
		return -1;
	account_new_derive(c->arena, &v);
	setting_defaults(&v);
	if (setting_check(c->arena, c->args, &v, e) < 0 ||
	    account_secret_fits(c, &v, e) < 0)
		return -1;
	if (account_add_needs_secret(c, &v) &&
	    account_secret_read(c, "Password: ", &password, e) < 0)
		return -1;
	if (store_account_add(c->store, &v, password, e) < 0)
		return -1;
	account_add_tell(c, &v, password != NULL, 0, 0);
	return 0;
}
