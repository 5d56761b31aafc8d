/* SPDX-License-Identifier: Apache-2.0 */
/* URLs of JMAP: where they lead, and what may be sent there. */
#include "backend/jmap/url.h"
#include "backend/jmap/internal.h"
#include "base/buf.h"

/* "https://host:port" and the part after it. */
struct parts {
	struct str scheme, host, port; /* host including its brackets */
	struct str origin;             /* as written */
	struct str path;
};

static bool
has_scheme(struct str url)
{
	return str_starts_case(url, S("https://")) ||
	    str_starts_case(url, S("http://"));
}

static size_t
jmap_url_find_any(struct str s, const char *set)
{
	size_t i = 0;

	while (i < s.n && strchr(set, s.p[i]) == NULL)
		i++;
	return i;
}

static bool
jmap_url_take_apart(struct str url, struct parts *p)
{
	struct str rest;
	size_t n, colon;

	if (!has_scheme(url))
		return false;
	n = jmap_url_find_any(url, ":");
	p->scheme = str_first(url, n);
	rest = str_from(url, n + 3);
	n = jmap_url_find_any(rest, "/?#\\");
	p->origin = str_first(url, p->scheme.n + 3 + n);
	p->path = str_from(rest, n);
	p->host = str_first(rest, n);
	if (p->host.n == 0 || str_has_char(p->host, '@'))
		return false;
	colon =
	    str_starts(p->host, S("[")) ? jmap_url_find_any(p->host, "]") : 0;
	colon += jmap_url_find_any(str_from(p->host, colon), ":");
	p->port = str_from(p->host, colon + 1);
	p->host = str_first(p->host, colon);
	if (p->port.n == 0)
		p->port =
		    str_eq_case(p->scheme, S("https")) ? S("443") : S("80");
	return p->host.n > 0;
}

struct str
jmap_url_session(struct arena *a, struct str given)
{
	struct str url = has_scheme(given)
	    ? given
	    : str_fmt(a, "https://%.*s", STR_ARG(given));
	struct parts p;

	if (!jmap_url_take_apart(url, &p) ||
	    (p.path.n > 0 && !str_eq(p.path, S("/"))))
		return str_dup(a, url);
	return jmap_url_well_known(a, url);
}

struct str
jmap_url_well_known(struct arena *a, struct str url)
{
	struct parts p;

	if (!jmap_url_take_apart(url, &p))
		return S("");
	return str_fmt(a, "%.*s/.well-known/jmap", STR_ARG(p.origin));
}

struct str
jmap_url_resolve(struct arena *a, struct str base, struct str ref)
{
	struct parts p;
	size_t n;

	if (has_scheme(ref) || !jmap_url_take_apart(base, &p))
		return str_dup(a, ref);
	if (str_starts(ref, S("//")))
		return str_fmt(a, "%.*s:%.*s", STR_ARG(p.scheme), STR_ARG(ref));
	if (str_starts(ref, S("/")))
		return str_fmt(a, "%.*s%.*s", STR_ARG(p.origin), STR_ARG(ref));
	/* Up to the last slash of the path. */
	p.path = str_first(p.path, jmap_url_find_any(p.path, "?#"));
	for (n = p.path.n; n > 0 && p.path.p[n - 1] != '/'; n--)
		continue;
	return str_fmt(a, "%.*s%.*s%.*s", STR_ARG(p.origin),
	    STR_ARG(n > 0 ? str_first(p.path, n) : S("/")), STR_ARG(ref));
}

bool
jmap_url_trusts(struct str base, struct str url)
{
	struct parts b, u;

	if (!jmap_url_take_apart(base, &b) || !jmap_url_take_apart(url, &u) ||
	    !str_eq_case(b.host, u.host))
		return false;
	/* Never from https to an unencrypted connection. */
	if (str_eq_case(u.scheme, S("https")))
		return true;
	return str_eq_case(b.scheme, u.scheme) && str_eq(b.port, u.port);
}

bool
jmap_url_target(struct arena *a, struct str url, struct wire_target *out)
{
	struct str host;
	struct parts p;
	uint32_t n;

	if (!jmap_url_take_apart(url, &p) || !str_to_u32(p.port, 65535, &n) ||
	    n == 0)
		return false;
	host = p.host;
	if (str_starts(host, S("[")) && host.n > 2)
		host = (struct str){ host.p + 1, host.n - 2 };
	out->host = str_dup(a, host);
	out->port = (uint16_t)n;
	return true;
}

struct str
jmap_url_fill(struct arena *a, struct str template,
    const struct jmap_url_var *v, size_t n)
{
	struct str head, name;
	struct buf b;

	buf_init(&b, a, LIMIT_URL + 1);
	while (str_cut(template, '{', &head, &template)) {
		buf_str(&b, head);
		if (!str_cut(template, '}', &name, &template))
			return S(""); /* no template */
		for (size_t i = 0; i < n; i++)
			if (str_eq(name, str_of(v[i].name)))
				buf_percent(&b, v[i].value, "");
	}
	buf_str(&b, head);
	return b.over ? S("") : buf_view(&b);
}
