/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers that were not given: from the table of providers, or from what the
 * domain says of itself.  Each answer is shown and wants a yes; what was given
 * stays as it was given.
 */
#include "base/clock.h"
#include "base/near.h"
#include "desk/account.h"
#include "desk/picture.h"
#include "gate/rules.h"
#include "source/discover.h"
#include "source/provider.h"
#include "source/source.h"

static void
account_find_tell_server(struct buf *b, const char *what,
    const struct discover_server *s)
{
	if (s->host.n == 0)
		buf_fmt(b, "  %s  unknown\n", what);
	else
		buf_fmt(b, "  %s  %.*s, port %u, %s\n", what, STR_ARG(s->host),
		    (unsigned)s->port, s->starttls ? "STARTTLS" : "TLS");
}

static const char *
account_find_login_words(const struct discover *d)
{
	const struct provider *p = d->provider;

	if (d->oauth)
		return "OAuth 2";
	if (p == NULL || (p->login & PROVIDER_PASSWORD))
		return "password";
	return p->login & PROVIDER_OAUTH2 ? "app password, or --auth oauth2"
					  : "app password";
}

void
account_find_tell(struct buf *b, const struct discover *d)
{
	const struct provider *p = d->provider;

	buf_fmt(b, "Servers found: %.*s\n", STR_ARG(d->origin));
	account_find_tell_server(b, "IMAP", &d->imap);
	account_find_tell_server(b, "SMTP", &d->smtp);
	if (d->username.n > 0)
		buf_fmt(b, "  login as %.*s, by %s\n",
		    STR_ARG(picture_text(b->a, d->username, false)),
		    account_find_login_words(d));
	if (p != NULL && p->id_on)
		buf_text(b, "  ID is sent after the login (--quirk-id on)\n");
	if (p != NULL && p->no_sasl_ir)
		buf_text(b, "  no initial response (--quirk-sasl-ir off)\n");
	if (p != NULL && p->no_sent_copy)
		buf_text(b,
		    "  the server fills Sent itself (--sent-copy off)\n");
	if (p != NULL && p->note != NULL)
		buf_fmt(b, "  note: %s\n", p->note);
	for (size_t i = 0; i < d->warnings.n; i++)
		buf_fmt(b, "  warning: %.*s\n",
		    STR_ARG(picture_text(b->a, d->warnings.v[i], false)));
}

static void
account_find_take_server(const struct discover_server *s, bool port,
    bool security, struct str *host, uint16_t *to_port, struct str *to_security)
{
	bool same;

	*host = s->host;
	if (!security)
		*to_security = s->starttls ? S("starttls") : S("tls");
	/* A port goes with its kind of TLS; for another there is a default. */
	same = str_eq(*to_security, s->starttls ? S("starttls") : S("tls"));
	if (!port && same)
		*to_port = s->port;
}

/* The same as settings that were not given. */
static void
account_find_take(const struct call *c, const struct discover *d,
    struct store_account *v)
{
	const struct provider *p = d->provider;

	/* A port that was given may have told the kind of TLS. */
	account_find_take_server(&d->imap, args_has(c->args, "imap_port"),
	    v->imap_security.n > 0, &v->imap_host, &v->imap_port,
	    &v->imap_security);
	if (!args_has(c->args, "smtp_host") && d->smtp.host.n > 0)
		account_find_take_server(&d->smtp,
		    args_has(c->args, "smtp_port"), v->smtp_security.n > 0,
		    &v->smtp_host, &v->smtp_port, &v->smtp_security);
	if (!args_has(c->args, "username"))
		v->username = d->username.n > 0 ? d->username : v->from_addr;
	if (!args_has(c->args, "auth") && d->oauth)
		v->auth_type = S("oauth2");
	if (p == NULL)
		return;
	if (!args_has(c->args, "quirk_id") && p->id_on)
		v->quirk_id = STORE_ID_ON;
	if (!args_has(c->args, "quirk_sasl_ir"))
		v->quirk_no_sasl_ir = p->no_sasl_ir;
	if (!args_has(c->args, "sent_copy"))
		v->no_sent_copy = p->no_sent_copy;
}

/* Shows an answer: is it to be used? */
static bool
account_find_agreed(struct call *c, const struct discover *d)
{
	struct buf b;

	buf_init(&b, c->arena, 1 << 16);
	account_find_tell(&b, d);
	if (args_has(c->args, "yes")) {
		gate_say_text(c, buf_view(&b));
		return true;
	}
	buf_text(&b, "Use these?  Type yes");
	return operate_door(c)->agree(c->arena, buf_view(&b));
}

static int
account_find_no_provider(struct call *c, struct str name, struct err *e)
{
	struct strs known = { 0 };
	struct str near;

	for (const struct provider *p = provider_table; p->name != NULL; p++)
		str_push(c->arena, &known, str_of(p->name));
	near = near_pick(name, &known);
	name = setting_quote(c->arena, name);
	if (near.n > 0)
		return err_set(e, ERR_USAGE,
		    "unknown provider %.*s: did you mean %.*s?", STR_ARG(name),
		    STR_ARG(near));
	return err_set(e, ERR_USAGE,
	    "unknown provider %.*s: see emcli account providers",
	    STR_ARG(name));
}

static int
account_find_refused(struct err *e)
{
	return err_set(e, ERR_USAGE,
	    "no servers were accepted: give --imap-host and the other server "
	    "options");
}

/* Asks the domain; `address` is the account's. */
static int
account_find_ask_domain(struct call *c, struct str address,
    struct store_account *v, struct err *e)
{
	struct discover_ask ask = { .address = address,
		.ca_file = v->ca_file,
		.ispdb = args_has(c->args, "ispdb") };
	struct err why = { 0 };
	struct discover d;
	bool any = false;
	int64_t timeout;

	if (store_setting_timeout(operate_store(c), &timeout, e) < 0)
		return -1;
	ask.deadline_ms = clock_mono_ms() + timeout;
	while (discover_next(c->arena, &ask, &d, &why) == 1) {
		any = true;
		if (account_find_agreed(c, &d)) {
			account_find_take(c, &d, v);
			return 0;
		}
		/* A person who reads costs the next question no time. */
		ask.deadline_ms = clock_mono_ms() + timeout;
	}
	if (any)
		return account_find_refused(e);
	(void)err_set(e, ERR_USAGE,
	    "no servers were found for this address: give --imap-host and the "
	    "other server options");
	return why.kind == ERR_NONE
	    ? -1
	    : err_because(e, "%s%s%s", why.say, why.detail[0] ? ": " : "",
		  why.detail);
}

/* The address whose domain is asked: canonical, or empty. */
static struct str
account_find_address_of(struct call *c, const struct store_account *v)
{
	struct str address = v->from_addr;
	struct err none = { 0 };

	if (address.n == 0 && v->username.n > 0)
		(void)rules_address(c->arena, v->username, &address, &none);
	return address;
}

struct str
account_find_domain(struct str address)
{
	size_t i = address.n;

	while (i > 0 && address.p[i - 1] != '@')
		i--;
	return str_from(address, i);
}

/* Servers that are given and a place to look for servers contradict each other.
 */
static int
account_find_idle(const struct call *c, const struct store_account *v,
    struct err *e)
{
	static const char *const options[] = { "provider", "ispdb" };
	bool imap = str_eq(v->backend, S("imap"));

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (args_has(c->args, options[i]))
			return err_set(e, ERR_USAGE,
			    "--%s does not go with %s%.*s: leave one out",
			    options[i], imap ? "--imap-host" : "--backend ",
			    STR_ARG(imap ? S("") : v->backend));
	return 0;
}

int
account_find(struct call *c, struct store_account *v, struct err *e)
{
	struct str address = account_find_address_of(c, v), name;
	const struct provider *p = NULL;
	struct discover d;

	if (!str_eq(v->backend, S("imap")) || v->imap_host.n > 0)
		return account_find_idle(c, v, e);
	if (args_has(c->args, "provider")) {
		name = args_text(c->args, "provider");
		p = provider_find(name);
		if (p == NULL)
			return account_find_no_provider(c, name, e);
	}
	/* setting_check() says what is missing. */
	if (address.n == 0 && p == NULL)
		return 0;
	if (!args_has(c->args, "yes") && !operate_door(c)->person)
		return err_set(e, ERR_USAGE,
		    "--imap-host is missing: give it, or --yes to use the "
		    "servers that are known or found for the address");
	if (p == NULL)
		p = provider_of_domain(account_find_domain(address));
	if (p == NULL)
		return account_find_ask_domain(c, address, v, e);
	discover_known(c->arena, p, address, &d);
	if (!account_find_agreed(c, &d))
		return account_find_refused(e);
	account_find_take(c, &d, v);
	return 0;
}
