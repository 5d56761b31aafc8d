/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMAP (RFC 8620) as the management of Stalwart 0.16 and later speaks it: the
 * session, and calls.  A refusal is in the answer's not... member.
 */
#include "base/limits.h"
#include "runtime/stalwart.h"

#define CORE "urn:ietf:params:jmap:core"
#define STALWART "urn:stalwart:jmap"

/* "https://host:port" of a URL that has a host. */
static struct str
stalwart_jmap_origin(struct str url)
{
	ptrdiff_t at = str_find(url, S("://"));
	size_t n = at < 0 ? url.n : (size_t)at + 3;

	while (
	    n < url.n && url.p[n] != '/' && url.p[n] != '?' && url.p[n] != '#')
		n++;
	return str_first(url, n);
}

/* -- the session, RFC 8620 section 2 ----------------------------------------
 */

static bool
has_stalwart(const struct json_value *capabilities)
{
	return json_parse_member(capabilities, STALWART) != NULL;
}

/* The account of it: named, or the one that can. */
static struct str
stalwart_jmap_account(struct arena *a, const struct json_value *session)
{
	const struct json_value *all = json_parse_member(session, "accounts");
	const struct json_value *v;
	struct str id = { 0 };

	if (json_parse_str(json_parse_member(json_parse_member(session,
						 "primaryAccounts"),
			       STALWART),
		&id) &&
	    id.n <= STALWART_ID)
		return str_dup(a, id);
	id = (struct str){ 0 };
	while ((v = json_parse_next(all, &id)) != NULL)
		if (id.n <= STALWART_ID &&
		    has_stalwart(json_parse_member(v, "accountCapabilities")))
			return str_dup(a, id);
	return S("");
}

/* 0: it is one with this capability, 1: it is not. */
static int
stalwart_jmap_read_session(struct stalwart *s, const struct stalwart_answer *x,
    struct err *e)
{
	const struct json_value *v;
	struct str url, origin;

	if (x->status != 200 || x->doc == NULL)
		return 1;
	v = json_parse_root(x->doc);
	s->account = stalwart_jmap_account(s->a, v);
	if (s->account.n == 0 &&
	    !has_stalwart(json_parse_member(v, "capabilities")))
		return 1;
	if (!json_parse_str(json_parse_member(v, "apiUrl"), &url) ||
	    url.n == 0 || url.n > LIMIT_URL)
		return stalwart_http_nonsense(e, "a session without apiUrl");
	origin = stalwart_jmap_origin(s->jmap_url);
	s->api = str_starts(url, S("/"))
	    ? str_fmt(s->a, "%.*s%.*s", STR_ARG(origin), STR_ARG(url))
	    : str_dup(s->a, url);
	/* No other server gets the credentials. */
	if (str_eq_case(stalwart_jmap_origin(x->url), origin) &&
	    str_eq_case(stalwart_jmap_origin(s->api), origin))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "the mail server's session leads to another server");
	return err_hint(e,
	    "give its own address with --mailbox-stalwart-jmap-url");
}

static int
stalwart_jmap_probe_url(struct stalwart *s, struct str url, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct stalwart_request q = { .url = url, .redirects = 3 };

	if (stalwart_http(s, &q, &x, e) < 0)
		return -1;
	return stalwart_jmap_read_session(s, &x, e);
}

int
stalwart_jmap_probe(struct stalwart *s, struct err *e)
{
	struct str known = str_fmt(s->a, "%.*s/.well-known/jmap",
	    STR_ARG(stalwart_jmap_origin(s->jmap_url)));
	int r = stalwart_jmap_probe_url(s, s->jmap_url, e);

	return r <= 0 ? r : stalwart_jmap_probe_url(s, known, e);
}

/* -- calls ------------------------------------------------------------------
 */

int
stalwart_jmap_read(const struct stalwart_answer *x, const char *method,
    const char *id, const struct json_value **args, struct err *e)
{
	const struct json_value *all;
	struct str name, tag, type = { 0 };

	if (x->status != 200 || x->doc == NULL)
		return stalwart_http_nonsense(e, "no answer of JMAP");
	all = json_parse_member(json_parse_root(x->doc), "methodResponses");
	for (size_t i = 0; i < json_parse_count(all); i++) {
		const struct json_value *v = json_parse_item(all, i);

		if (!json_parse_str(json_parse_item(v, 2), &tag) ||
		    !str_eq(tag, str_of(id)) ||
		    !json_parse_str(json_parse_item(v, 0), &name))
			continue;
		*args = json_parse_item(v, 1);
		if (str_eq(name, str_of(method)))
			return json_parse_is_object(*args)
			    ? 0
			    : stalwart_http_nonsense(e, "a call's arguments");
		if (!str_eq(name, S("error")))
			return stalwart_http_nonsense(e, "another method");
		(void)json_parse_str(json_parse_member(*args, "type"), &type);
		return stalwart_http_refused(e, "do that", type);
	}
	return stalwart_http_nonsense(e, "a call without a response");
}

int
stalwart_jmap_check(const struct json_value *args, const char *done,
    const char *not_done, const char *key, const struct json_value **out,
    struct err *e)
{
	const struct json_value *no = json_parse_member(args, not_done), *v;
	struct str first = { 0 }, why = { 0 };

	v = json_parse_next(no, &first);
	if (v != NULL) {
		(void)json_parse_str(json_parse_member(v, "type"), &why);
		return stalwart_http_refused(e, "do that", why);
	}
	*out = json_parse_member(json_parse_member(args, done), key);
	if (*out == NULL)
		return stalwart_http_nonsense(e, "neither done nor refused");
	return 0;
}

struct json *
stalwart_jmap_begin(struct stalwart *s)
{
	struct json *j = json_new(s->a);

	json_open_object(j, NULL);
	json_open_array(j, "using");
	json_put_text(j, NULL, CORE);
	json_put_text(j, NULL, STALWART);
	json_close_array(j);
	json_open_array(j, "methodCalls");
	return j;
}

void
stalwart_jmap_open(struct stalwart *s, struct json *j, const char *method)
{
	json_open_array(j, NULL);
	json_put_text(j, NULL, method);
	json_open_object(j, NULL);
	if (s->account.n > 0)
		json_put_str(j, "accountId", s->account);
}

void
stalwart_jmap_close(struct json *j, const char *id)
{
	json_close_object(j);
	json_put_text(j, NULL, id);
	json_close_array(j);
}

int
stalwart_jmap_send(struct stalwart *s, struct json *j,
    const struct secret *password, struct stalwart_answer *x, struct err *e)
{
	struct stalwart_request q = { .url = s->api, .password = password };

	json_close_array(j);
	json_close_object(j);
	q.body = json_text(j, s->a);
	return stalwart_http(s, &q, x, e);
}
