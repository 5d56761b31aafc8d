/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers for the flow: from the table of providers at once, or from the
 * domain, asked in a process of its own, so that a person who waits can go
 * back.  What comes of it fills the form that is shown next, where it is seen
 * before it is used.
 */
#include "base/clock.h"
#include "desk/account.h"
#include "desk/init.h"
#include "desk/picture.h"
#include "gate/rules.h"
#include "source/discover.h"

enum {
	PATIENCE_MS = 15000
};

static void
init_find_put_server(struct buf *b, const struct discover_server *s,
    enum flow_key host)
{
	/* Host, port and security follow each other in the list. */
	if (s->host.n == 0)
		return;
	buf_fmt(b, "%s\t%.*s\n", flow_step[host].key, STR_ARG(s->host));
	buf_fmt(b, "%s\t%s\n", flow_step[host + 2].key,
	    s->starttls ? "starttls" : "tls");
	buf_fmt(b, "%s\t%u\n", flow_step[host + 1].key, (unsigned)s->port);
}

/* An answer in lines: what is assumed of a question, or text to be shown. */
static void
init_find_put_found(struct buf *b, const struct discover *d)
{
	struct buf text;
	struct str rest, line;

	init_find_put_server(b, &d->imap, FLOW_IMAP_HOST);
	init_find_put_server(b, &d->smtp, FLOW_SMTP_HOST);
	if (d->username.n > 0)
		buf_fmt(b, "%s\t%.*s\n", flow_step[FLOW_USERNAME].key,
		    STR_ARG(picture_text(b->a, d->username, false)));
	if (d->oauth)
		buf_fmt(b, "%s\toauth2\n", flow_step[FLOW_AUTH].key);
	buf_init(&text, b->a, ASIDE_TEXT / 2);
	account_find_tell(&text, d);
	rest = buf_view(&text);
	while (str_cut(rest, '\n', &line, &rest))
		buf_fmt(b, "text\t%.*s\n", STR_ARG(line));
	if (d->provider != NULL)
		buf_fmt(b, "provider\t%s\n", d->provider->name);
}

static void
init_find_take_line(struct init *in, struct str name, struct str v)
{
	struct flow *f = &in->flow;

	if (str_eq(name, S("text")))
		f->found =
		    str_fmt(f->a, "%.*s%.*s\n", STR_ARG(f->found), STR_ARG(v));
	if (str_eq(name, S("provider")))
		in->provider = provider_find(v);
	for (int k = FLOW_USERNAME; k <= FLOW_SMTP_SECURITY; k++)
		if (str_eq(name, str_of(flow_step[k].key)))
			flow_hint(f, (enum flow_key)k, v);
}

static void
init_find_take_found(struct init *in, struct str text)
{
	struct str line, name, v;

	while (str_cut(text, '\n', &line, &text))
		if (str_cut(line, '\t', &name, &v))
			init_find_take_line(in, name, v);
}

void
init_find_known(struct init *in)
{
	struct flow *f = &in->flow;
	struct str address = S("");
	struct err none = { 0 };
	struct discover d;
	struct buf b;

	(void)rules_address(f->a, flow_get(f, FLOW_FROM), &address, &none);
	if (str_eq(address, in->sought))
		return;
	in->sought = address;
	in->provider = NULL;
	flow_hint_none(f);
	/* The password of a server that was named is nobody else's. */
	if (f->set[FLOW_IMAP_HOST])
		return;
	/* Nobody is there to see it, and nobody has said yes. */
	if (!f->person && !args_has(in->c->args, "yes"))
		return;
	in->provider = provider_of_domain(account_find_domain(address));
	if (in->provider == NULL) {
		f->seek = true;
		return;
	}
	discover_known(f->a, in->provider, address, &d);
	buf_init(&b, f->a, ASIDE_TEXT);
	init_find_put_found(&b, &d);
	init_find_take_found(in, buf_view(&b));
}

/* In the child. */
static void
init_find_ask_domain(void *ctx, struct buf *out)
{
	struct init *in = ctx;
	struct flow *f = &in->flow;
	struct discover_ask ask = { .address = in->sought,
		.deadline_ms = clock_mono_ms() + PATIENCE_MS };
	struct err why = { 0 };
	struct discover d;

	if (flow_get(f, FLOW_CA).n > 0)
		ask.ca_file = flow_get(f, FLOW_CA);
	if (discover_next(f->a, &ask, &d, &why) == 1)
		init_find_put_found(out, &d);
}

int
init_find_begin(struct init *in, struct err *e)
{
	return aside_begin(&in->aside, in->flow.a, init_find_ask_domain, in, e);
}

void
init_find_end(struct init *in)
{
	init_find_take_found(in, aside_end(&in->aside));
	if (in->flow.found.n == 0)
		in->flow.found =
		    S("The domain does not publish its servers: see your "
		      "provider's help pages.\n");
	in->flow.seek = false;
}
