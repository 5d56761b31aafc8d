/* One request to an endpoint of a provider, and the JSON it answers with. */
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
basic_of(const struct oauth_client *c, struct secret **out, struct err *e)
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
send_form(const struct oauth_client *c, struct str url,
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
	/* What is wrong with the JSON would quote it, and a token with it. */
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
		if (basic_of(c, &basic, e) < 0)
			return -1;
	} else {
		oauth_form_secret(f, "client_id", c->id);
		if (c->secret != NULL)
			oauth_form_secret(f, "client_secret", c->secret);
	}
	if (f->over)
		return err_set(e, ERR_LIMIT, "a token is too long to be sent");
	return send_form(c, url, f, basic,
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
