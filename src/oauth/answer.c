/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider's answer in the browser's request, RFC 6749 section 4.1.2.  A
 * request without our state learns nothing and changes nothing.
 */
#include "base/said.h"
#include "net/http.h"
#include "oauth/internal.h"

void
oauth_answer_done(struct oauth_answer *x)
{
	secret_close(&x->code);
}

/* In a time that does not reveal how much was equal. */
static bool
oauth_answer_same(const char *x, struct str y)
{
	unsigned char diff = 0;

	for (size_t i = 0; i < y.n; i++)
		diff = (unsigned char)(diff | (x[i] ^ y.p[i]));
	return diff == 0;
}

/* "https://host:port" as written */
static struct str
oauth_answer_origin(struct str url)
{
	ptrdiff_t at = str_find(url, S("://"));
	struct str head, rest;

	if (at < 0)
		return (struct str){ "", 0 };
	(void)str_cut(str_from(url, (size_t)at + 3), '/', &head, &rest);
	return str_first(url, (size_t)at + 3 + head.n);
}

/*
 * RFC 9207 section 2.4.  If the issuer cannot be known in advance, as with a
 * provider that names a tenant in it, its origin can.
 */
static int
oauth_answer_check_issuer(struct str query, const struct oauth_provider *p,
    struct err *e)
{
	char iss[1024], shown[200];
	ptrdiff_t n = oauth_form_find(query, "iss", iss, sizeof(iss));
	struct str said = { iss, n > 0 ? (size_t)n : 0 };
	bool good;

	if (n == -1) {
		if (!p->says_iss)
			return 0;
		return err_set(e, ERR_AUTH,
		    "the answer does not name its provider: run the command "
		    "again");
	}
	good = n > 0 &&
	    (p->issuer.n > 0 ? str_eq(said, p->issuer)
			     : str_eq(oauth_answer_origin(said),
				   oauth_answer_origin(p->auth_url)));
	if (good)
		return 0;
	(void)err_set(e, ERR_AUTH,
	    "the answer is from another provider than the one asked: run the "
	    "command again");
	said_clean(shown, sizeof(shown), said);
	return err_because(e, "oauth: iss %s", shown);
}

static int
oauth_answer_refused(struct str query, const char *code, struct err *e)
{
	char words[512] = "";
	ptrdiff_t n =
	    oauth_form_find(query, "error_description", words, sizeof(words));

	(void)oauth_fault_set(e, 0, str_of(code),
	    (struct str){ words, n > 0 ? (size_t)n : 0 });
	return -1;
}

static int
oauth_answer_check_code(struct str query, struct oauth_answer *out,
    struct err *e)
{
	char code[LIMIT_URL];
	ptrdiff_t n = oauth_form_find(query, "code", code, sizeof(code));

	for (ptrdiff_t i = 0; i < n; i++)
		if ((unsigned char)code[i] < 0x20 ||
		    (unsigned char)code[i] > 0x7e)
			n = -2;
	if (n > 0)
		out->code = secret_new(code, (size_t)n);
	secret_wipe(code, sizeof(code));
	if (n > 0)
		return 1;
	return err_set(e, ERR_AUTH,
	    "the provider's answer has no code: run the command again");
}

int
oauth_answer_read(struct str query, struct str state,
    const struct oauth_provider *p, struct oauth_answer *out, struct err *e)
{
	char text[128];
	ptrdiff_t n = oauth_form_find(query, "state", text, sizeof(text));

	if (n < 0 || (size_t)n != state.n || !oauth_answer_same(text, state))
		return 0;
	if (oauth_answer_check_issuer(query, p, e) < 0)
		return -1;
	n = oauth_form_find(query, "error", text, sizeof(text));
	if (n == -2)
		return err_set(e, ERR_AUTH,
		    "the provider's answer is malformed: run the command "
		    "again");
	if (n >= 0)
		return oauth_answer_refused(query, text, e);
	return oauth_answer_check_code(query, out, e);
}

struct str
oauth_answer_query(struct str line)
{
	struct str head, query = { "", 0 };

	line = str_trim(line);
	if (!http_url_ok(line) || !str_cut(line, '?', &head, &query))
		return (struct str){ "", 0 };
	return query;
}
