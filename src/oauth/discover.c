/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider's own description: OpenID Connect Discovery 1.0 section 4, else
 * RFC 8414 section 3, which puts the well-known part before the path.
 */
#include "base/clock.h"
#include "base/said.h"
#include "net/http.h"
#include "oauth/internal.h"

struct search {
	struct arena *a;
	struct str issuer; /* as given, without a trailing slash */
	struct http *http;
	int64_t deadline_ms;
};

static struct str
no_slash(struct str s)
{
	return str_ends(s, S("/")) ? str_first(s, s.n - 1) : s;
}

/* "https://host" + what + "/path" */
static struct str
oauth_discover_before_path(const struct search *x, const char *what)
{
	ptrdiff_t at = str_find(x->issuer, S("://"));
	struct str rest, host, path;

	if (at < 0)
		return x->issuer;
	rest = str_from(x->issuer, (size_t)at + 3);
	host = str_first(x->issuer, (size_t)at + 3);
	if (!str_cut(rest, '/', &rest, &path))
		return str_fmt(x->a, "%.*s%.*s%s", STR_ARG(host), STR_ARG(rest),
		    what);
	return str_fmt(x->a, "%.*s%.*s%s/%.*s", STR_ARG(host), STR_ARG(rest),
	    what, STR_ARG(path));
}

/* 1 and the document, 0 if there is none, -1. */
static int
oauth_discover_fetch(struct search *x, struct str url, struct json_doc **doc,
    struct err *e)
{
	struct http_request q = { .url = url,
		.redirects = 3,
		.max = LIMIT_OAUTH_ANSWER,
		.deadline_ms = x->deadline_ms };
	struct err unused = { 0 };
	struct http_reply r;

	if (http_send(x->http, &q, &r, e) < 0)
		return -1;
	if (r.status != 200)
		return 0;
	return json_parse_open(r.body, LIMIT_OAUTH_ANSWER, doc, &unused) == 0;
}

/*
 * An endpoint without https could be anybody's, and a remote provider must not
 * make us send codes and secrets to services on this machine.
 */
bool
oauth_discover_leads(struct str issuer, struct str url)
{
	return http_url_ok(url) &&
	    (str_starts_case(url, S("https:")) ||
		!str_starts_case(issuer, S("https:")));
}

int
oauth_discover_endpoint(struct arena *a, struct str issuer,
    const struct json_doc *doc, const char *name, bool needed, struct str *out,
    struct err *e)
{
	struct str s = oauth_post_text(doc, name);

	*out = (struct str){ "", 0 };
	if (s.n == 0 && !needed)
		return 0;
	if (!oauth_discover_leads(issuer, s)) {
		(void)err_set(e, ERR_CONFIG,
		    "the provider's document has no usable %s", name);
		return -1;
	}
	*out = str_dup(a, s);
	return 0;
}

bool
oauth_discover_lists(const struct json_doc *doc, const char *name,
    struct str word, bool *any)
{
	const struct json_value *v =
	    json_parse_member(json_parse_root(doc), name);
	struct str s;

	*any = json_parse_item(v, 0) != NULL;
	for (size_t i = 0; json_parse_item(v, i) != NULL; i++)
		if (json_parse_str(json_parse_item(v, i), &s) &&
		    str_eq(s, word))
			return true;
	return false;
}

/* RFC 8414 section 2. */
static int
oauth_discover_take(struct arena *a, struct str issuer,
    const struct json_doc *doc, struct oauth_provider *io, struct err *e)
{
	bool says = false, any;

	if (oauth_discover_endpoint(a, issuer, doc, "authorization_endpoint",
		true, &io->auth_url, e) < 0 ||
	    oauth_discover_endpoint(a, issuer, doc, "token_endpoint", true,
		&io->token_url, e) < 0 ||
	    oauth_discover_endpoint(a, issuer, doc,
		"device_authorization_endpoint", false, &io->device_url, e) < 0)
		return -1;
	if (oauth_discover_lists(doc, "code_challenge_methods_supported",
		S("plain"), &any) &&
	    !oauth_discover_lists(doc, "code_challenge_methods_supported",
		S("S256"), &any))
		return err_set(e, ERR_CONFIG,
		    "the provider does not support PKCE with S256");
	io->issuer = issuer;
	/* The default is basic; for providers in our table it is known. */
	if (io->name.n == 0)
		io->basic = oauth_discover_lists(doc,
				"token_endpoint_auth_methods_supported",
				S("client_secret_basic"), &any) ||
		    !any;
	(void)json_parse_bool(json_parse_member(json_parse_root(doc),
				  "authorization_response_iss_parameter_"
				  "supported"),
	    &says);
	io->says_iss = says;
	if (io->redirect.n == 0)
		io->redirect = S("127.0.0.1");
	return 0;
}

/* Section 3.3: otherwise one provider could impersonate another. */
static int
oauth_discover_is_own(const struct search *x, const struct json_doc *doc,
    struct err *e)
{
	struct str issuer = oauth_post_text(doc, "issuer");
	char other[160];

	if (str_eq(no_slash(issuer), x->issuer))
		return 0;
	said_clean(other, sizeof(other), issuer);
	return err_set(e, ERR_CONFIG,
	    "the provider's document is for another issuer: %.100s", other);
}

int
oauth_discover_open(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct json_doc **doc, struct err *e)
{
	CLEANUP(http_close) struct http *h = NULL;
	int64_t step = clock_mono_ms() + LIMIT_OAUTH_STEP_MS;
	struct search x = { a, no_slash(issuer), NULL,
		step < deadline_ms ? step : deadline_ms };
	struct str url;
	int r;

	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(x.issuer) || str_has_char(x.issuer, '?'))
		return err_set(e, ERR_USAGE,
		    "the issuer is not an https address");
	if (http_open(ca_file, &h, e) < 0)
		return -1;
	x.http = h;
	url = str_fmt(a, "%.*s/.well-known/openid-configuration",
	    STR_ARG(x.issuer));
	r = oauth_discover_fetch(&x, url, doc, e);
	if (r == 0)
		r = oauth_discover_fetch(&x,
		    oauth_discover_before_path(&x,
			"/.well-known/oauth-authorization-server"),
		    doc, e);
	if (r == 0)
		return err_set(e, ERR_CONFIG,
		    "the issuer has no discovery document: check the address");
	return r < 0 ? -1 : oauth_discover_is_own(&x, *doc, e);
}

int
oauth_discover(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct oauth_provider *io, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;

	if (oauth_discover_open(a, issuer, ca_file, deadline_ms, &doc, e) < 0)
		return -1;
	issuer = str_dup(a, oauth_post_text(doc, "issuer"));
	return oauth_discover_take(a, issuer, doc, io, e);
}
