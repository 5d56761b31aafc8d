/* SPDX-License-Identifier: Apache-2.0 */
/* The token endpoint: requests, and checks of its answers. */
#include "oauth/internal.h"

void
oauth_token_done(struct oauth_token *t)
{
	secret_close(&t->access);
	secret_close(&t->refresh);
}

static int
oauth_token_nonsense(struct err *e, int status, const char *what)
{
	(void)err_set(e, ERR_NETWORK,
	    "the provider's answer is not valid OAuth 2");
	return err_because(e, "oauth: HTTP %d, %s", status, what);
}

/* RFC 6749 appendix A.12: visible ASCII; it will be in a line of text. */
static struct secret *
take_token(const struct json_doc *doc, const char *name)
{
	struct str s = oauth_post_text(doc, name);

	if (s.n == 0 || s.n > LIMIT_SECRET)
		return NULL;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 ||
		    (unsigned char)s.p[i] > 0x7e)
			return NULL;
	return secret_new(s.p, s.n);
}

/* RFC 6749 section 5.1. */
static int
oauth_token_take_good(const struct json_doc *doc, struct oauth_token *out,
    struct err *e)
{
	struct str type = oauth_post_text(doc, "token_type");
	struct str scope = oauth_post_text(doc, "scope");

	if (!str_eq_case(type, S("Bearer")))
		return oauth_token_nonsense(e, 200, "not a bearer token");
	out->access = take_token(doc, "access_token");
	if (out->access == NULL)
		return oauth_token_nonsense(e, 200, "no usable access token");
	out->refresh = take_token(doc, "refresh_token");
	if (out->refresh == NULL &&
	    oauth_post_text(doc, "refresh_token").n > 0) {
		oauth_token_done(out);
		return oauth_token_nonsense(e, 200, "no usable refresh token");
	}
	out->lives_s = oauth_post_seconds(doc, "expires_in", 0);
	out->scope_told = scope.n > 0 && scope.n < sizeof(out->scope);
	oauth_fault_clean(out->scope, sizeof(out->scope), scope);
	return 0;
}

static int
oauth_token_ask(const struct oauth_client *c, struct oauth_form *f,
    int64_t deadline_ms, struct oauth_token *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct str code;
	int status = 0;

	if (oauth_post(c, c->provider->token_url, f, deadline_ms, &status, &doc,
		e) < 0)
		return -1;
	if (status == 200 && doc != NULL)
		return oauth_token_take_good(doc, out, e);
	code = oauth_post_text(doc, "error");
	if (code.n == 0 && status < 500 && status != 429 && status != 408)
		return oauth_token_nonsense(e, status,
		    "neither a token nor an error");
	return oauth_fault_set(e, status, code,
	    oauth_post_text(doc, "error_description"));
}

int
oauth_token_refresh(const struct oauth_client *c, const struct secret *refresh,
    int64_t deadline_ms, struct oauth_token *out, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };

	oauth_form_put(&f, "grant_type", S("refresh_token"));
	oauth_form_secret(&f, "refresh_token", refresh);
	return oauth_token_ask(c, &f, deadline_ms, out, e);
}

int
oauth_token_exchange(const struct oauth_client *c, const struct secret *code,
    const struct secret *verifier, struct str redirect_uri, int64_t deadline_ms,
    struct oauth_token *out, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };

	oauth_form_put(&f, "grant_type", S("authorization_code"));
	oauth_form_secret(&f, "code", code);
	oauth_form_put(&f, "redirect_uri", redirect_uri);
	oauth_form_secret(&f, "code_verifier", verifier);
	if (oauth_token_ask(c, &f, deadline_ms, out, e) == 0)
		return 0;
	if (e->reason != NULL && strcmp(e->reason, "consent") == 0) {
		char detail[sizeof(e->detail)];

		memcpy(detail, e->detail, sizeof(detail));
		(void)err_set(e, ERR_AUTH,
		    "the provider revoked the consent it just gave: try again");
		return err_because(e, "%s", detail);
	}
	return -1;
}

int
oauth_token_device(const struct oauth_client *c,
    const struct secret *device_code, int64_t deadline_ms, bool *slower,
    struct oauth_token *out, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct str code;
	int status = 0;

	*slower = false;
	oauth_form_put(&f, "grant_type",
	    S("urn:ietf:params:oauth:grant-type:device_code"));
	oauth_form_secret(&f, "device_code", device_code);
	if (oauth_post(c, c->provider->token_url, &f, deadline_ms, &status,
		&doc, e) < 0)
		return -1;
	if (status == 200 && doc != NULL)
		return oauth_token_take_good(doc, out, e) < 0 ? -1 : 1;
	code = oauth_post_text(doc, "error");
	*slower = str_eq(code, S("slow_down"));
	if (*slower || str_eq(code, S("authorization_pending")))
		return 0;
	return oauth_fault_set(e, status, code,
	    oauth_post_text(doc, "error_description"));
}

static bool
oauth_token_has_word(struct str list, struct str word)
{
	struct str one;

	while (list.n > 0) {
		(void)str_cut(list, ' ', &one, &list);
		if (str_eq_case(one, word))
			return true;
	}
	return false;
}

enum oauth_granted
oauth_token_granted(const struct oauth_token *t, struct str asked,
    struct str *missing)
{
	struct str one;
	bool some = false;

	*missing = (struct str){ "", 0 };
	/* RFC 6749 section 5.1: without a scope, it is as requested. */
	if (!t->scope_told)
		return OAUTH_GRANTED_ALL;
	while (asked.n > 0) {
		(void)str_cut(asked, ' ', &one, &asked);
		if (one.n == 0 ||
		    oauth_token_has_word(
			S("openid email profile offline_access"), one))
			continue;
		if (oauth_token_has_word(str_of(t->scope), one))
			some = true;
		else if (missing->n == 0)
			*missing = one;
	}
	if (missing->n == 0)
		return OAUTH_GRANTED_ALL;
	return some ? OAUTH_GRANTED_SOME : OAUTH_GRANTED_NONE;
}
