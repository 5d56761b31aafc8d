/*
 * emcli account edit: changes what was given and nothing else, all of it or
 * none, and says what was changed.
 */
#include "door/admin/account.h"
#include "door/out.h"
#include "door/prompt.h"

struct edit {
	struct admin_call *c;
	struct store_account old, new;
	bool secret;  /* --password-... was given */
	bool forget;  /* the sealed password goes */
	bool consent; /* there is one */
};

int
account_edit_into(const struct admin_call *c, struct store_account *v,
    struct err *e)
{
	if (args_has(c->args, "rename"))
		v->name = args_text(c->args, "rename");
	return setting_edit(c->arena, c->args, v, e);
}

static int
account_edit_apply(struct store_account *v, void *ctx, struct err *e)
{
	struct edit *x = ctx;

	x->old = *v;
	if (account_edit_into(x->c, v, e) < 0)
		return -1;
	/* A password must not be sent as a token, nor a token as a password. */
	if (!str_eq(v->auth_type, x->old.auth_type) && !x->secret)
		x->forget = true;
	x->new = *v;
	return 0;
}

static struct str
account_edit_shown(struct arena *a, struct str value)
{
	return value.n > 0 ? out_line(a, value) : S("nothing");
}

/* "list: nothing -> dev@example.org", a line for each difference. */
static void
account_edit_diff(struct arena *a, const struct store_account *was,
    const struct store_account *is, struct buf *out)
{
	struct setting_change x[SETTING_CHANGES];
	size_t n = setting_edit_changes(a, was, is, x);

	for (size_t i = 0; i < n; i++)
		buf_fmt(out, "%s: %.*s -> %.*s\n", x[i].name,
		    STR_ARG(account_edit_shown(a, x[i].was)),
		    STR_ARG(account_edit_shown(a, x[i].is)));
}

/* Says each change, and leaves the same for the audit. */
static void
account_edit_tell_changes(struct edit *x, const struct secret *password)
{
	struct arena *a = x->c->arena;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	account_edit_diff(a, &x->old, &x->new, &b);
	if (password != NULL)
		buf_text(&b, "password: replaced\n");
	else if (x->forget && x->old.has_password)
		buf_text(&b, "password: taken away\n");
	if (x->consent && !str_eq(x->new.auth_type, S("oauth2")))
		buf_text(&b, "consent: taken away\n");
	if (b.n == 0)
		buf_text(&b, "nothing changed: all of it was so already\n");
	buf_str(x->c->out, buf_view(&b));
	x->c->done = str_dup(a, buf_view(&b));
}

static void
account_edit_note_port(struct edit *x, const char *what, struct str security,
    uint16_t port, uint16_t odd)
{
	if (args_has(x->c->args, what) && port == odd)
		buf_fmt(x->c->out,
		    "note: port %u is not the usual one with "
		    "%.*s\n",
		    (unsigned)port, STR_ARG(security));
}

/* Do the account's credentials go where they did not go before? */
static bool
account_edit_elsewhere(const struct edit *x)
{
	const struct store_account *v = &x->new, *was = &x->old;

	return (v->imap_host.n > 0 && !str_eq(v->imap_host, was->imap_host)) ||
	    (v->smtp_host.n > 0 && !str_eq(v->smtp_host, was->smtp_host));
}

static bool
account_edit_has_consent(struct admin_call *c, int64_t id)
{
	bool set[STORE_SEALED] = { false };
	struct err none = { 0 };

	return store_account_sealed(c->store, id, set, &none) == 0 &&
	    set[STORE_OAUTH_REFRESH_TOKEN];
}

/* How many may be written to; what cannot be read is said elsewhere. */
static size_t
account_edit_listed_out(const struct edit *x)
{
	struct strs entries = { 0 };
	struct err none = { 0 };

	(void)store_list_get(x->c->store, x->c->arena, x->old.id,
	    STORE_LIST_OUT, &entries, &none);
	return entries.n;
}

/* What changed with it, though nothing of it is in the account. */
static void
account_edit_tell_notes(struct edit *x, bool kept_password)
{
	const struct store_account *v = &x->new;
	bool starttls;

	starttls = str_eq(v->imap_security, S("starttls"));
	account_edit_note_port(x, "imap_security", v->imap_security,
	    v->imap_port, starttls ? 993 : 143);
	starttls = str_eq(v->smtp_security, S("starttls"));
	account_edit_note_port(x, "smtp_security", v->smtp_security,
	    v->smtp_port, starttls ? 465 : 587);
	if (kept_password && account_edit_elsewhere(x))
		buf_text(x->c->out,
		    "note: the password stays, and goes to the new server\n");
	/* Its tokens follow the account. */
	if (account_edit_elsewhere(x) && x->consent &&
	    str_eq(v->auth_type, S("oauth2")))
		buf_text(x->c->out,
		    "note: the consent stays, and its tokens go to the new "
		    "server\n");
	/* It was asked for the least that the account needed then. */
	if (x->consent && v->mode == MODE_RW && x->old.mode != MODE_RW &&
	    str_eq(v->backend, S("gmail")))
		buf_fmt(x->c->out,
		    "note: the consent may be for reading alone: emcli account "
		    "consent %.*s\n",
		    STR_ARG(v->name));
	if (v->mode == MODE_RW && x->old.mode != MODE_RW)
		account_new_note_out(x->c->out, v, account_edit_listed_out(x));
}

int
account_edit_run(struct admin_call *c, struct err *e)
{
	CLEANUP(secret_close) struct secret *password = NULL;
	struct str name = args_text(c->args, "name");
	struct edit x = { .c = c, .secret = account_secret_given(c) };
	struct store_change change = { account_edit_apply, &x, NULL,
		&x.forget };
	struct store_account found;
	bool form = account_form_wanted(c);

	if (form && !prompt_possible())
		return err_set(e, ERR_USAGE,
		    "nothing to change was given: see emcli account edit "
		    "--help");
	/* Nobody is asked for the password of no account. */
	if (store_account_get(c->store, c->arena, name, &found, e) < 0)
		return -1;
	x.consent = account_edit_has_consent(c, found.id);
	if (form) {
		if (account_form(c, &found, &password, e) < 0)
			return -1;
		change.password = password;
		x.secret = password != NULL;
	} else if (x.secret) {
		if (account_secret_read(c, "New password: ", &password, e) <
			0 ||
		    (password != NULL && account_secret_fits(c, &found, e) < 0))
			return -1;
		change.password = password;
		x.forget = password == NULL;
	}
	if (store_account_change(c->store, c->arena, name, &change, e) < 0)
		return -1;
	account_edit_tell_changes(&x, password);
	account_edit_tell_notes(&x,
	    x.old.has_password && password == NULL && !x.forget);
	return 0;
}
