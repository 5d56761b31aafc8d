/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli account edit: changes what was given and nothing else, all of it or
 * none, and says what was changed.
 */
#include "desk/account.h"
#include "desk/desk.h"
#include "desk/picture.h"

static const struct field changes[] = {
	{ "setting", FIELD_TEXT, .help = "the setting" },
	{ "was", FIELD_TEXT, .help = "what it was, or empty" },
	{ "is", FIELD_TEXT, .help = "what it is now, or empty" },
	{ 0 },
};

static const struct field result[] = {
	{ "account", FIELD_TEXT, .help = "its name now" },
	{ "changes", FIELD_OBJECTS, .help = "settings that were changed",
	    .sub = changes },
	{ "password", FIELD_TEXT, .nullable = true,
	    .help = "replaced or removed; null: as it was" },
	{ "consent", FIELD_TEXT, .nullable = true,
	    .help = "removed; null: as it was" },
	NOTE_FIELD,
	{ 0 },
};

struct edit {
	struct call *c;
	const struct args *args; /* as given, or what a form became */
	struct store_account old, new;
	bool secret;  /* --password-... was given */
	bool forget;  /* the sealed password goes */
	bool consent; /* there is one */
	struct notes notes;
};

static int
account_edit_apply(struct store_account *v, void *ctx, struct err *e)
{
	struct edit *x = ctx;

	x->old = *v;
	if (account_form_into(x->c->arena, x->args, v, e) < 0)
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
	return value.n > 0 ? picture_text(a, value, false) : S("nothing");
}

/* "list: nothing -> dev@example.org", a line for each difference. */
static void
account_edit_put_changes(struct edit *x, struct json *out, struct buf *said)
{
	struct setting_change v[SETTING_CHANGES];
	struct arena *a = x->c->arena;
	size_t n = setting_edit_changes(a, &x->old, &x->new, v);

	json_open_array(out, "changes");
	for (size_t i = 0; i < n; i++) {
		buf_fmt(said, "%s: %.*s -> %.*s\n", v[i].name,
		    STR_ARG(account_edit_shown(a, v[i].was)),
		    STR_ARG(account_edit_shown(a, v[i].is)));
		json_open_object(out, NULL);
		json_put_text(out, "setting", v[i].name);
		json_put_str(out, "was", v[i].was);
		json_put_str(out, "is", v[i].is);
		json_close_object(out);
	}
	json_close_array(out);
}

static void
account_edit_put_secret(struct json *out, struct buf *said, const char *name,
    const char *became)
{
	if (became == NULL) {
		json_put_null(out, name);
		return;
	}
	json_put_text(out, name, became);
	buf_fmt(said, "%s: %s\n", name, became);
}

/* Says each change, and leaves the same for the audit. */
static void
account_edit_put(struct edit *x, struct json *out,
    const struct secret *password)
{
	bool lost = x->forget && x->old.has_password;
	bool ended = x->consent && !str_eq(x->new.auth_type, S("oauth2"));
	struct buf said;

	buf_init(&said, x->c->arena, 1 << 20);
	json_put_str(out, "account", x->new.name);
	account_edit_put_changes(x, out, &said);
	account_edit_put_secret(out, &said, "password",
	    password != NULL ? "replaced"
		: lost       ? "removed"
			     : NULL);
	account_edit_put_secret(out, &said, "consent",
	    ended ? "removed" : NULL);
	if (said.n == 0)
		buf_text(&said,
		    "nothing changed: the settings have these "
		    "values already\n");
	gate_say_text(x->c, buf_view(&said));
	x->c->note = buf_view(&said);
}

static void
account_edit_note_port(struct edit *x, const char *what, struct str security,
    uint16_t port, uint16_t odd)
{
	if (args_has(x->args, what) && port == odd)
		note_say(&x->notes, "port %u is not the usual one with %.*s",
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
account_edit_has_consent(const struct call *c, int64_t id)
{
	bool set[STORE_SEALED] = { false };
	struct err none = { 0 };

	return store_account_sealed(operate_store(c), id, set, &none) == 0 &&
	    set[STORE_OAUTH_REFRESH_TOKEN];
}

/* How many may be written to; what cannot be read is said elsewhere. */
static size_t
account_edit_listed_out(const struct edit *x)
{
	struct strs entries = { 0 };
	struct err none = { 0 };

	(void)store_list_get(operate_store(x->c), x->c->arena, x->old.id,
	    STORE_LIST_OUT, &entries, &none);
	return entries.n;
}

/* What changed with it, though nothing of it is in the account. */
static void
account_edit_put_notes(struct edit *x, bool kept_password)
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
		note_say(&x->notes,
		    "the password is kept, and is sent to the new server");
	/* Its tokens follow the account. */
	if (account_edit_elsewhere(x) && x->consent &&
	    str_eq(v->auth_type, S("oauth2")))
		note_say(&x->notes,
		    "the consent is kept, and its tokens are sent to the new "
		    "server");
	/* It was asked for the least that the account needed then. */
	if (x->consent && v->mode == MODE_RW && x->old.mode != MODE_RW &&
	    str_eq(v->backend, S("gmail")))
		note_say(&x->notes,
		    "the consent may allow reading only: run emcli account "
		    "consent %.*s",
		    STR_ARG(v->name));
	if (v->mode == MODE_RW && x->old.mode != MODE_RW)
		account_new_note_out(&x->notes, v, account_edit_listed_out(x));
}

static int
account_edit_read(struct edit *x, const struct store_account *found,
    struct args *args, struct secret **password, struct err *e)
{
	struct call *c = x->c;

	if (account_form_wanted(c->args)) {
		if (account_form(c, found, args, password, e) < 0)
			return -1;
		x->args = args;
		x->secret = *password != NULL;
		return 0;
	}
	x->secret = account_secret_given(c);
	if (!x->secret)
		return 0;
	if (account_secret_read(c, "New password: ", password, e) < 0 ||
	    (*password != NULL && account_secret_fits(c, found, e) < 0))
		return -1;
	x->forget = *password == NULL;
	return 0;
}

static int
account_edit_run(struct call *c, struct json *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *password = NULL;
	struct str name = args_text(c->args, "name");
	struct edit x = { .c = c, .args = c->args, .notes = { .c = c } };
	struct store_change change = { account_edit_apply, &x, NULL,
		&x.forget };
	struct store *s = operate_store(c);
	struct store_account found;
	struct args args;

	if (account_form_wanted(c->args) && !operate_door(c)->person)
		return err_set(e, ERR_USAGE,
		    "no change was given: see emcli account edit --help");
	/* Nobody is asked for the password of no account. */
	if (store_account_get(s, c->arena, name, &found, e) < 0)
		return -1;
	x.consent = account_edit_has_consent(c, found.id);
	if (account_edit_read(&x, &found, &args, &password, e) < 0)
		return -1;
	change.password = password;
	if (store_account_change(s, c->arena, name, &change, e) < 0)
		return -1;
	account_edit_put(&x, out, password);
	account_edit_put_notes(&x,
	    x.old.has_password && password == NULL && !x.forget);
	json_put_strs(out, "notes", &x.notes.text);
	return 0;
}

const struct op desk_account_edit = {
	.name = "account edit",
	.shows = "emcli account list",
	.summary = "Change some settings of an account",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = account_args_edit,
	.result = result,
	.run = account_edit_run,
};
