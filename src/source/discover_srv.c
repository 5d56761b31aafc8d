/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SRV records of a domain's mail services: RFC 6186, and RFC 8314 section 5.1
 * for submission over TLS.  Implicit TLS is queried first.
 */
#include "source/discover.h"
#include "source/dns.h"
#include "source/provider.h"

bool
discover_srv_host(struct arena *a, struct str text, struct str *out)
{
	struct str low = str_lower(a, text);
	bool dot = false;

	if (low.n == 0 || low.n > 253 || low.p[0] == '-' || low.p[0] == '.' ||
	    low.p[low.n - 1] == '.')
		return false;
	for (size_t i = 0; i < low.n; i++) {
		char c = low.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			c == '-' || c == '.'))
			return false;
		if (c == '.' && dot)
			return false;
		dot = c == '.';
	}
	*out = low;
	return true;
}

/* Is the host the domain itself, or within it? */
static bool
discover_srv_within(struct str host, struct str domain)
{
	return str_eq(host, domain) ||
	    (host.n > domain.n && str_ends(host, domain) &&
		host.p[host.n - domain.n - 1] == '.');
}

/* The best record of a service: 1, 0, -1. */
static int
discover_srv_service(struct arena *a, const char *name, struct str domain,
    int64_t deadline_ms, struct discover_server *out, struct err *e)
{
	struct str full = str_fmt(a, "%s.%.*s", name, STR_ARG(domain));
	struct dns_records found;

	if (dns_ask(a, full, DNS_SRV, deadline_ms, &found, e) < 0)
		return -1;
	/* "." means that the service is not offered, RFC 6186 section 3.4. */
	for (size_t i = 0; i < found.n; i++)
		if (found.v[i].port != 0 &&
		    discover_srv_host(a, found.v[i].host, &out->host)) {
			out->port = found.v[i].port;
			return 1;
		}
	return 0;
}

/* With TLS, or else with STARTTLS: 1, 0, -1. */
static int
discover_srv_either(struct arena *a, const char *tls, const char *starttls,
    struct str domain, int64_t deadline_ms, struct discover_server *out,
    struct err *e)
{
	int r = discover_srv_service(a, tls, domain, deadline_ms, out, e);

	if (r != 0)
		return r;
	r = discover_srv_service(a, starttls, domain, deadline_ms, out, e);
	out->starttls = r == 1;
	return r;
}

/* RFC 6186 section 6: DNS is easily forged, and the password is sent there. */
static void
discover_srv_warn(struct arena *a, struct discover *d, const char *what,
    const struct discover_server *s, struct str domain)
{
	if (s->host.n == 0 || discover_srv_within(s->host, domain))
		return;
	str_push(a, &d->warnings,
	    str_fmt(a,
		"the %s server %.*s is outside %.*s, and DNS answers can be "
		"forged: check that it is your provider's",
		what, STR_ARG(s->host), STR_ARG(domain)));
}

int
discover_srv(struct arena *a, struct str domain, int64_t deadline_ms,
    struct discover *out, struct err *e)
{
	int r = discover_srv_either(a, "_imaps._tcp", "_imap._tcp", domain,
	    deadline_ms, &out->imap, e);
	struct err unsaid = { 0 };

	if (r <= 0)
		return r;
	/* The server for reading is useful even if this query fails. */
	if (discover_srv_either(a, "_submissions._tcp", "_submission._tcp",
		domain, deadline_ms, &out->smtp, &unsaid) < 1)
		out->smtp = (struct discover_server){ 0 };
	out->origin = str_fmt(a, "SRV records of %.*s", STR_ARG(domain));
	discover_srv_warn(a, out, "IMAP", &out->imap, domain);
	discover_srv_warn(a, out, "SMTP", &out->smtp, domain);
	return 1;
}

const struct provider *
discover_srv_mx(struct arena *a, struct str domain, int64_t deadline_ms,
    struct err *e)
{
	struct dns_records found;

	if (dns_ask(a, domain, DNS_MX, deadline_ms, &found, e) < 0 ||
	    found.n == 0)
		return NULL;
	return provider_of_mx(found.v[0].host);
}
