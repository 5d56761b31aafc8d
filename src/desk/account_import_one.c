/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An account of a document.  A credential stays with it only as long as it goes
 * where it went.
 */
#include "desk/account_import.h"
#include "gate/operate.h"

/* An account: as it was, as the file has it, and as it becomes. */
struct one {
	struct account_import *im;
	const struct yaml_node *at;
	struct str name;
	bool there;
	struct store_account was, is;
	struct store_oauth from; /* has_* as it was */
	bool named;              /* the file says whom to ask */
	bool moved;              /* credentials would go elsewhere */
	bool renamed;            /* another is to be asked */
};

/* Do credentials go where they did not go before? */
static bool
account_import_one_is_moved(struct arena *a, const struct store_account *was,
    const struct store_account *is)
{
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];

		if (s->server &&
		    !str_eq(setting_text(a, s, was), setting_text(a, s, is)))
			return true;
	}
	return false;
}

static int
account_import_one_read(struct one *x, struct err *e)
{
	const struct document *d = &x->im->d;
	const struct yaml_node *oauth = document_member(d, x->at, "oauth");
	struct strs keys = { 0 };

	account_text_keys(d->a, false, &keys);
	str_push(d->a, &keys, S("oauth"));
	str_push(d->a, &keys, S("secrets"));
	if (document_check_keys(d, x->at, &keys, e) < 0)
		return -1;
	x->named = oauth != NULL;
	if (oauth != NULL && account_text_take_oauth(d, oauth, &x->from, e) < 0)
		return -1;
	x->is = setting_new(x->name);
	x->is.id = x->was.id;
	x->is.bound = x->was.bound;
	x->is.has_password = x->was.has_password;
	return account_text_take(d, x->at, x->there ? &x->was : NULL, false,
	    &x->is, e);
}

static int
account_import_one_change(struct store_account *v, void *ctx, struct err *e)
{
	struct one *x = ctx;

	(void)e;
	*v = x->is;
	return 0;
}

/* The provider that is asked for a consent, and its scope. */
static struct str
account_import_one_oauth_text(struct arena *a, const struct store_oauth *x)
{
	struct str all = str_fmt(a, "%.*s %.*s %.*s", STR_ARG(x->provider),
	    STR_ARG(x->issuer), STR_ARG(x->scope));

	return str_trim(all);
}

/* The provider; if it is another one, nobody has consented yet. */
static int
account_import_one_put_oauth(struct one *x, struct store *s, struct err *e)
{
	struct store_oauth was;
	struct arena *a = x->im->c->arena;

	if (store_oauth_get(s, a, x->is.id, &was, e) < 0)
		return -1;
	if (!x->named) {
		x->from.provider = was.provider;
		x->from.issuer = was.issuer;
		x->from.scope = was.scope;
	}
	if (!str_eq(x->is.auth_type, S("oauth2")))
		x->from = (struct store_oauth){ 0 };
	plan_value(&x->im->plan, str_fmt(a, "account %.*s", STR_ARG(x->name)),
	    S("oauth"), account_import_one_oauth_text(a, &was),
	    account_import_one_oauth_text(a, &x->from));
	x->renamed = !str_eq(was.provider, x->from.provider) ||
	    !str_eq(was.issuer, x->from.issuer) ||
	    !str_eq(was.scope, x->from.scope);
	x->from.has_refresh = was.has_refresh && !x->moved && !x->renamed;
	if (!x->moved && !x->renamed)
		return 0;
	return store_oauth_name(s, x->is.id, &x->from, e);
}

static int
account_import_one_write(struct one *x, struct store *s, struct err *e)
{
	const struct store_change ch = {
		.change = account_import_one_change,
		.ctx = x,
		.forget = &x->moved,
	};
	struct arena *a = x->im->c->arena;

	if (!x->there) {
		if (store_account_add(s, &x->is, NULL, e) < 0 ||
		    store_account_get(s, a, x->name, &x->is, e) < 0)
			return -1;
	} else if (store_account_change(s, a, x->name, &ch, e) < 0) {
		return -1;
	}
	return account_import_one_put_oauth(x, s, e);
}

static void
account_import_one_plan_values(struct one *x, struct str what,
    const struct store_account *was)
{
	struct setting_change v[SETTING_CHANGES];
	struct plan *p = &x->im->plan;
	size_t n = setting_edit_changes(p->a, was, &x->is, v);

	for (size_t i = 0; i < n; i++) {
		struct str setting = str_of(v[i].name);

		if (!x->there && v[i].was.n == 0)
			plan_given(p, what, setting, v[i].is);
		else
			plan_value(p, what, setting, v[i].was, v[i].is);
	}
}

/*
 * What is different, for people; of a new account, what is not as in every
 * new one.
 */
static void
account_import_one_plan(struct one *x)
{
	struct str what =
	    str_fmt(x->im->c->arena, "account %.*s", STR_ARG(x->name));

	if (!x->there) {
		const struct store_account none = setting_new(x->name);

		plan_added(&x->im->plan, what);
		account_import_one_plan_values(x, what, &none);
		return;
	}
	account_import_one_plan_values(x, what, &x->was);
	if (x->moved && x->was.has_password)
		plan_put(&x->im->plan,
		    &(struct plan_line){ '-', what, S("password"), S("sealed"),
			S(""), false });
}

/* Did it have that secret where the file comes from? */
static int
account_import_one_had(struct one *x, bool *password, bool *consent,
    struct err *e)
{
	const struct document *d = &x->im->d;
	const struct yaml_node *list = document_member(d, x->at, "secrets");
	struct strs had = { 0 };

	if (list != NULL && document_strs(d, list, &had, e) < 0)
		return -1;
	*password = str_among(&had, S("password"));
	*consent = str_among(&had, S("consent"));
	if (had.n > (size_t)*password + (size_t)*consent)
		return document_refuse(list, e,
		    "secrets is a list of password and consent");
	return 0;
}

static int
account_import_one_need(struct one *x, struct err *e)
{
	bool oauth = str_eq(x->is.auth_type, S("oauth2"));
	bool kept = x->there && x->was.has_password && !x->moved;
	bool password, consent;

	if (account_import_one_had(x, &password, &consent, e) < 0)
		return -1;
	password = password ||
	    (!oauth &&
		(x->is.imap_host.n > 0 ||
		    (x->is.smtp_host.n > 0 && x->is.username.n > 0)));
	if (password && !kept)
		str_push(x->im->c->arena, &x->im->passwords, x->name);
	else if (oauth && !x->from.has_refresh && !kept)
		str_push(x->im->c->arena, &x->im->consents, x->name);
	return 0;
}

int
account_import_one(struct account_import *im, struct store *s,
    const struct yaml_node *at, struct err *e)
{
	struct one x = { .im = im, .at = at, .name = at->key };

	x.there = store_account_get(s, im->c->arena, x.name, &x.was, e) == 0;
	if (!x.there && e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	if (x.there && !args_has(im->c->args, "replace"))
		return document_refuse(at, e,
		    "there is an account %.*s already: --replace changes it",
		    STR_ARG(x.name));
	if (x.there && x.was.bound == STORE_BOUND_YES)
		return document_refuse(at, e,
		    "%.*s is the mailbox of an agent's session",
		    STR_ARG(x.name));
	if (account_import_one_read(&x, e) < 0)
		return -1;
	x.moved =
	    x.there && account_import_one_is_moved(im->c->arena, &x.was, &x.is);
	account_import_one_plan(&x);
	if (account_import_one_write(&x, s, e) < 0)
		return document_at(at, e);
	return account_import_one_need(&x, e);
}
