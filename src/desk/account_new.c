/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the settings of a new account, and what is said of it. */
#include "desk/account.h"
#include "desk/account_fields.h"
#include "gate/rules.h"

/* Does somebody log in?  To a folder nobody does, and an archive's cookie is
 * whoever's it is. */
static bool
account_new_has_login(const struct store_account *v)
{
	static const struct str in[] = { SI("imap"), SI("jmap"), SI("gmail") };

	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		if (str_eq(v->backend, in[i]))
			return true;
	return false;
}

void
account_new_derive(struct arena *a, struct store_account *v)
{
	struct err none = { 0 };

	/* The login is an address more often than not. */
	if (v->from_addr.n == 0 && v->username.n > 0)
		(void)rules_address(a, v->username, &v->from_addr, &none);
	else if (v->username.n == 0 && account_new_has_login(v))
		v->username = v->from_addr;
}

static void
account_new_note_in(struct notes *n, const struct store_account *v,
    size_t entries)
{
	if (v->in_on && entries == 0)
		note_say(n,
		    "agents see no mail until emcli whitelist in add "
		    "--account %.*s",
		    STR_ARG(v->name));
	else if (!v->in_on && entries > 0)
		note_say(n,
		    "whitelist in is off: agents see mail from anybody, "
		    "listed or not, until emcli whitelist in on --account "
		    "%.*s",
		    STR_ARG(v->name));
	else if (!v->in_on)
		note_say(n,
		    "whitelist in is off: agents see mail from "
		    "anybody");
}

/* What a list is worth is what its From lines are worth. */
static void
account_new_note_from_line(struct notes *n, const struct store_account *v)
{
	if (v->in_on && !v->in_dmarc)
		note_say(n,
		    "only the From line of listed senders is compared, which "
		    "anybody can write: emcli account edit %.*s checks whether "
		    "proof is available",
		    STR_ARG(v->name));
}

void
account_new_note_out(struct notes *n, const struct store_account *v,
    size_t entries)
{
	if (v->imap_host.n > 0 && v->smtp_host.n == 0)
		note_say(n, "no --smtp-host: it cannot send");
	else if (!v->out_on)
		note_say(n,
		    "whitelist out is off: agents may write to "
		    "anybody");
	else if (entries == 0)
		note_say(n,
		    "agents may write to nobody until emcli whitelist "
		    "out add --account %.*s",
		    STR_ARG(v->name));
}

void
account_new_notes(struct notes *n, const struct store_account *v, size_t in,
    size_t out)
{
	account_new_note_in(n, v, in);
	account_new_note_from_line(n, v);
	if (v->mode == MODE_RW)
		account_new_note_out(n, v, out);
}

static const char *
account_new_mode(enum mode m)
{
	return m == MODE_RW ? "RW" : "RO";
}

void
account_new_put(struct notes *n, struct json *out,
    const struct store_account *v, size_t in, size_t listed_out)
{
	bool oauth = str_eq(v->auth_type, S("oauth2")) && v->username.n > 0;
	struct call *c = n->c;
	struct str next;

	gate_say_line(c,
	    str_fmt(c->arena, "added %.*s: %.*s, %s", STR_ARG(v->name),
		STR_ARG(v->backend), account_new_mode(v->mode)));
	account_new_notes(n, v, in, listed_out);
	c->note = str_fmt(c->arena, "%s, imap %.*s, smtp %.*s, path %.*s",
	    account_new_mode(v->mode), STR_ARG(v->imap_host),
	    STR_ARG(v->smtp_host), STR_ARG(v->path));
	if (oauth && v->has_password)
		note_say(n, "the access token will not be refreshed");
	next = str_fmt(c->arena,
	    oauth && !v->has_password ? "emcli account consent %.*s"
				      : "emcli doctor --account %.*s",
	    STR_ARG(v->name));
	gate_say_line(c, str_fmt(c->arena, "Next: %.*s", STR_ARG(next)));
	account_fields_put(out, c->arena, v);
	json_put_str(out, "next", next);
}
