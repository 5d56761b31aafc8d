/* SPDX-License-Identifier: Apache-2.0 */
/* One request to an endpoint of a provider, and its JSON answer. */
#include "base/clock.h"
#include "net/http.h"
#include "oauth/internal.h"

static int
escape_plain(struct str plain, void *ctx)
{
	oauth_form_escape(ctx, plain);
	return 0;
}

/* RFC 6749 section 2.3.1: both halves are encoded before they are joined. */
static int
oauth_post_basic_of(const struct oauth_client *c, struct secret **out,
    struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };

	(void)secret_lend(c->id, escape_plain, &f);
	oauth_form_raw(&f, S(":"));
	(void)secret_lend(c->secret, escape_plain, &f);
	if (f.over || f.n > LIMIT_SECRET)
		return err_set(e, ERR_CONFIG,
		    "the OAuth client's id or secret is too long");
	*out = secret_new(f.p, f.n);
	return 0;
}

static int
oauth_post_send_form(const struct oauth_client *c, struct str url,
    const struct oauth_form *f, const struct secret *basic, int64_t deadline_ms,
    int *status, struct json_doc **doc, struct err *e)
{
	CLEANUP(http_close) struct http *h = NULL;
	struct http_request q = {
		.url = url,
		.body = oauth_form_view(f),
		.type = S("application/x-www-form-urlencoded"),
		.basic = basic,
		.max = LIMIT_OAUTH_ANSWER,
		.deadline_ms = deadline_ms,
	};
	struct http_reply reply;
	struct err unused = { 0 };

	if (http_open(c->ca_file, &h, e) < 0 || http_send(h, &q, &reply, e) < 0)
		return -1;
	*status = reply.status;
	*doc = NULL;
	/* The parser's error would quote the JSON, and a token with it. */
	(void)json_parse_open(reply.body, LIMIT_OAUTH_ANSWER, doc, &unused);
	return 0;
}

int
oauth_post(const struct oauth_client *c, struct str url, struct oauth_form *f,
    int64_t deadline_ms, int *status, struct json_doc **doc, struct err *e)
{
	CLEANUP(secret_close) struct secret *basic = NULL;
	int64_t step = clock_mono_ms() + LIMIT_OAUTH_STEP_MS;

	if (c->secret != NULL && c->provider->basic) {
		if (oauth_post_basic_of(c, &basic, e) < 0)
			return -1;
	} else {
		oauth_form_secret(f, "client_id", c->id);
		if (c->secret != NULL)
			oauth_form_secret(f, "client_secret", c->secret);
	}
	if (f->over)
		return err_set(e, ERR_LIMIT, "a token is too long to be sent");
	return oauth_post_send_form(c, url, f, basic,
	    step < deadline_ms ? step : deadline_ms, status, doc, e);
}

struct str
oauth_post_text(const struct json_doc *doc, const char *name)
{
	struct str s = { "", 0 };

	if (doc != NULL)
		(void)json_parse_str(json_parse_member(json_parse_root(doc),
					 name),
		    &s);
	return s;
}

int64_t
oauth_post_seconds(const struct json_doc *doc, const char *name, int64_t def)
{
	const int64_t most = 366L * 86400;
	int64_t n = def;
	uint32_t u;

	if (doc == NULL)
		return def;
	if (!json_parse_int(json_parse_member(json_parse_root(doc), name),
		&n) &&
	    str_to_u32(oauth_post_text(doc, name), UINT32_MAX, &u))
		n = u;
	return n < 0 ? 0 : n > most ? most : n;
}

/* -- a client's own JSON --------------------------------------------------- */

struct client_reading {
	struct arena *a;
	struct oauth_client_file *out;
	struct err *e;
};

void
oauth_post_file_done(struct oauth_client_file *x)
{
	secret_close(&x->id);
	secret_close(&x->secret);
}

/* A web client's redirect must be as registered: is it on this machine? */
static struct str
oauth_post_redirect_of(struct arena *a, const struct json_value *v)
{
	const struct json_value *list = json_parse_member(v, "redirect_uris");
	struct oauth_redirect r;
	struct err none = { 0 };
	struct str uri;

	for (size_t i = 0; i < json_parse_count(list); i++)
		if (json_parse_str(json_parse_item(list, i), &uri) &&
		    oauth_redirect_read(uri, &r, &none) == 0)
			return str_dup(a, uri);
	return S("");
}

static int
oauth_post_take_client(const struct client_reading *x,
    const struct json_value *v)
{
	struct str id = { 0 }, secret = { 0 };

	(void)json_parse_str(json_parse_member(v, "client_id"), &id);
	(void)json_parse_str(json_parse_member(v, "client_secret"), &secret);
	if (id.n == 0 || id.n > 1024)
		return err_set(x->e, ERR_USAGE,
		    "the file of --client-secret-file has no client_id");
	x->out->id = secret_new(id.p, id.n);
	if (secret.n > 0)
		x->out->secret = secret_new(secret.p, secret.n);
	x->out->redirect = oauth_post_redirect_of(x->a, v);
	return 0;
}

/* Called with the file, which is lent. */
static int
oauth_post_read_client(struct str text, void *ctx)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct client_reading *x = ctx;
	const struct json_value *root, *v;

	/* A secret does not begin like this. */
	if (!str_starts(str_trim(text), S("{")))
		return 0;
	x->out->is_json = true;
	if (json_parse_open(text, LIMIT_SECRET, &d, x->e) < 0) {
		*x->e = (struct err){ 0 };
		return err_set(x->e, ERR_USAGE,
		    "the file of --client-secret-file is not valid JSON");
	}
	root = json_parse_root(d);
	if ((v = json_parse_member(root, "installed")) != NULL)
		return oauth_post_take_client(x, v);
	x->out->web = true;
	if ((v = json_parse_member(root, "web")) != NULL)
		return oauth_post_take_client(x, v);
	return err_set(x->e, ERR_USAGE,
	    "the file of --client-secret-file has neither `installed` nor "
	    "`web`: download the one of a client of type desktop application");
}

int
oauth_post_file(const struct secret *text, struct arena *a,
    struct oauth_client_file *out, struct err *e)
{
	struct client_reading x = { a, out, e };

	return secret_lend(text, oauth_post_read_client, &x);
}
