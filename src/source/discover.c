/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks one place after another for a domain's servers; places that prove with a
 * certificate that they belong to the domain come before DNS.
 */
#include "source/discover.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "net/http.h"
#include "source/provider.h"

enum {
	STEP_OWN,        /* autoconfig.DOMAIN */
	STEP_WELL_KNOWN, /* DOMAIN/.well-known */
	STEP_SRV,
	STEP_ISPDB,
	STEP_MX,
	STEPS
};

enum {
	PAGE_MS = 10000, /* one web server that does not answer */
	REDIRECTS = 3
};

static struct str
discover_domain_of(struct str address)
{
	size_t i = address.n;

	/* A quoted local part may contain an @, a domain may not. */
	while (i > 0 && address.p[i - 1] != '@')
		i--;
	return str_from(address, i);
}

static struct str
discover_escape(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, 3 * s.n);
	buf_percent(&b, s, "");
	return buf_view(&b);
}

static struct str
discover_page_of(struct arena *a, const struct discover_ask *q, unsigned step)
{
	struct str domain = discover_domain_of(q->address);

	if (step == STEP_OWN)
		return str_fmt(a,
		    "https://autoconfig.%.*s/mail/config-v1.1.xml?"
		    "emailaddress=%.*s",
		    STR_ARG(domain), STR_ARG(discover_escape(a, q->address)));
	if (step == STEP_WELL_KNOWN)
		return str_fmt(a,
		    "https://%.*s/.well-known/autoconfig/mail/config-v1.1.xml",
		    STR_ARG(domain));
	/* The database receives the domain, never the address. */
	return str_fmt(a, "https://autoconfig.thunderbird.net/v1.1/%.*s",
	    STR_ARG(domain));
}

static int
discover_ask_page(struct arena *a, const struct discover_ask *q, unsigned step,
    struct discover *out, struct err *e)
{
	struct str url = discover_page_of(a, q, step), shown, rest;
	struct http_request ask = {
		.url = url,
		.redirects = REDIRECTS,
		.max = LIMIT_AUTOCONFIG,
		.deadline_ms = clock_mono_ms() + PAGE_MS,
	};
	struct http_reply reply = { 0 };
	struct http *h = NULL;
	int r = -1;

	if (q->deadline_ms < ask.deadline_ms)
		ask.deadline_ms = q->deadline_ms;
	if (http_open(q->ca_file, &h, e) < 0)
		return -1;
	if (http_send(h, &ask, &reply, e) == 0) {
		r = 0;
		if (reply.status == 200)
			r = autoconfig_read(a, str_dup(a, reply.body),
			    q->address, out, e);
	}
	http_close(&h);
	(void)str_cut(url, '?', &shown, &rest);
	out->origin = shown;
	return r;
}

static int
discover_ask_mx(struct arena *a, const struct discover_ask *q,
    struct discover *out, struct err *e)
{
	struct str domain = discover_domain_of(q->address);
	const struct provider *p =
	    discover_srv_mx(a, domain, q->deadline_ms, e);

	if (p == NULL)
		return e->kind == ERR_NONE ? 0 : -1;
	discover_known(a, p, q->address, out);
	out->origin =
	    str_fmt(a, "%s, where mail for %.*s is delivered (MX record)",
		p->title, STR_ARG(domain));
	return 1;
}

static int
discover_ask_one(struct arena *a, const struct discover_ask *q, unsigned step,
    struct discover *out, struct err *e)
{
	if (step == STEP_SRV)
		return discover_srv(a, discover_domain_of(q->address),
		    q->deadline_ms, out, e);
	if (step == STEP_MX)
		return discover_ask_mx(a, q, out, e);
	if (step == STEP_ISPDB && !q->ispdb)
		return 0;
	return discover_ask_page(a, q, step, out, e);
}

int
discover_next(struct arena *a, struct discover_ask *q, struct discover *out,
    struct err *why)
{
	while (q->step < STEPS) {
		struct err e = { 0 };
		int r;

		*out = (struct discover){ 0 };
		r = discover_ask_one(a, q, q->step++, out, &e);
		if (r == 1)
			return 1;
		if (r < 0)
			*why = e;
	}
	return 0;
}

void
discover_known(struct arena *a, const struct provider *p, struct str address,
    struct discover *out)
{
	*out = (struct discover){
		.origin =
		    str_fmt(a, "%s, as known on %s", p->title, p->checked),
		.imap = { str_of(p->imap_host), p->imap_port,
		    p->imap_starttls },
		.smtp = { str_of(p->smtp_host), p->smtp_port,
		    p->smtp_starttls },
		.username = address,
		.oauth = p->login == PROVIDER_OAUTH2,
		.provider = p,
	};
}
