/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the archive.  A closed list of endpoints: `compose` sends mail
 * and `mgmt` changes the archive, and neither is known here.
 */
#include <poll.h>

#include "backend/ponymail/internal.h"
#include "base/clock.h"

#define RETRY_MS 500

/* The JSON of a list with 15000 messages, the archive's own cap. */
#define STATS_MAX (32UL << 20)

static const struct {
	const char *path;
	size_t max;
	bool json;
} endpoints[] = {
	[PONY_STATS] = { "/api/stats.lua", STATS_MAX, true },
	[PONY_THREAD] = { "/api/thread.lua", STATS_MAX, true },
	[PONY_SOURCE] = { "/api/source.lua", LIMIT_MESSAGE, false },
	[PONY_PREFERENCES] = { "/api/preferences.lua", 8UL << 20, true },
};

/* Answers to answers: two levels each, up to the archive's own cap of 250. */
#define JSON_DEPTH 600

void
ponymail_call_arg(struct buf *b, const char *name, struct str value)
{
	buf_char(b, b->n == 0 ? '?' : '&');
	buf_text(b, name);
	buf_char(b, '=');
	buf_percent(b, value, "");
}

/* "\u0000" or half of a pair at the start of s: its length, else 0. */
static size_t
ponymail_call_bad_escape(struct str s)
{
	unsigned long v[2] = { 0 };

	for (size_t k = 0; k < 2; k++) {
		if (s.n < 6 * k + 6 || s.p[6 * k] != '\\' ||
		    s.p[6 * k + 1] != 'u')
			break;
		for (size_t i = 2; i < 6; i++)
			v[k] = v[k] << 4 | (unsigned)str_hex(s.p[6 * k + i]);
	}
	if (s.n < 6 || s.p[1] != 'u')
		return 0;
	if (v[0] >= 0xd800 && v[0] < 0xdc00)
		return v[1] >= 0xdc00 && v[1] < 0xe000 ? 0 : 6;
	return v[0] == 0 || (v[0] >= 0xdc00 && v[0] < 0xe000) ? 6 : 0;
}

/*
 * A NUL or half a surrogate pair in one message's text must not make its whole
 * month unreadable: otherwise anybody who writes to a list could hide mail.
 */
struct str
ponymail_call_mend(struct arena *a, struct str json)
{
	char *p = arena_alloc(a, json.n);
	size_t i = 0, pair;

	if (json.n > 0)
		memcpy(p, json.p, json.n);
	while (i < json.n) {
		if (p[i] != '\\') {
			i++;
		} else if (ponymail_call_bad_escape(
			       (struct str){ p + i, json.n - i }) > 0) {
			memcpy(p + i, "\\ufffd", 6);
			i += 6;
		} else {
			/* Also skips the second half of a valid pair. */
			pair = i + 12 <= json.n && p[i + 1] == 'u' &&
				(p[i + 2] | 0x20) == 'd' &&
				str_hex(p[i + 3]) >= 8
			    ? 12
			    : 2;
			i += pair;
		}
	}
	return (struct str){ p, json.n };
}

static int
ponymail_call_once(struct pony *p, enum pony_endpoint at, struct str url,
    struct http_reply *r, struct err *e)
{
	const struct backend_account *acct = p->conn.acct;
	struct http_request q = {
		.url = url,
		.cookie_name = "ponymail",
		.max = endpoints[at].max,
		.deadline_ms = acct->deadline_ms,
	};

	if (p->inside && backend_token(acct, e) < 0)
		return -1;
	q.cookie = p->inside ? acct->secret : NULL;
	if (p->http == NULL && http_open(acct->ca_file, &p->http, e) < 0)
		return -1;
	if (http_send(p->http, &q, r, e) == 0)
		return 0;
	if (e->kind != ERR_USAGE)
		return -1;
	(void)err_set(e, ERR_AUTH, "the session is not a valid cookie");
	return err_hint(e,
	    "the password is the value of the archive's cookie \"ponymail\": "
	    "emcli account edit --password-file");
}

/* Statuses other than an answer or "not found". */
static int
ponymail_call_refused(const struct http_reply *r, struct err *e)
{
	if (r->status == 401 || r->status == 403)
		(void)err_set(e, ERR_AUTH, "the archive refuses the session");
	else if (r->status == 429)
		(void)err_set(e, ERR_LIMIT,
		    "the archive asks for a pause of %lld seconds",
		    (long long)r->retry_after_s);
	else if (r->status >= 300 && r->status < 400)
		(void)err_set(e, ERR_CONFIG,
		    "the archive has moved to another address");
	else
		(void)err_set(e, ERR_NETWORK,
		    "the archive cannot answer now: status %d", r->status);
	return err_because(e, "ponymail: status %d", r->status);
}

/* An HTML page instead of a message is an error. */
static bool
is_right(enum pony_endpoint at, const struct http_reply *r)
{
	return endpoints[at].json || r->type.n == 0 ||
	    str_starts_case(r->type, S("text/plain"));
}

static int
ponymail_call_in_time(const struct pony *p, struct err *e)
{
	if (backend_in_time(p->conn.acct, "reading the archive took too long",
		e) == 0)
		return 0;
	return err_hint(e, "call again: what was read so far is kept");
}

int
ponymail_call(struct pony *p, enum pony_endpoint at, struct str args,
    struct str *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str url = str_fmt(a, "%.*s%s%.*s", STR_ARG(p->base),
	    endpoints[at].path, STR_ARG(args));
	struct http_reply r = { 0 };

	if (ponymail_call_in_time(p, e) < 0 ||
	    ponymail_call_once(p, at, url, &r, e) < 0)
		return -1;
	/* Once more, after a pause; then it is an error. */
	if (r.status >= 500 &&
	    clock_left_ms(p->conn.acct->deadline_ms) > 2 * RETRY_MS) {
		(void)poll(NULL, 0, RETRY_MS);
		if (ponymail_call_once(p, at, url, &r, e) < 0)
			return -1;
	}
	if (r.status == 404)
		return 0;
	if (r.status != 200)
		return ponymail_call_refused(&r, e);
	if (!is_right(at, &r))
		return err_set(e, ERR_NETWORK,
		    "the archive's answer cannot be understood");
	*out = r.body;
	return 1;
}

int
ponymail_call_json(struct pony *p, enum pony_endpoint at, struct str args,
    struct json_doc **out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct str text = { 0 };
	struct err why = { 0 };
	int found = ponymail_call(p, at, args, &text, e);

	if (found <= 0)
		return found;
	a = arena_open(endpoints[at].max + (1 << 20));
	if (json_parse_deep(ponymail_call_mend(a, text), endpoints[at].max,
		JSON_DEPTH, out, &why) == 0)
		return 1;
	(void)err_set(e, ERR_NETWORK,
	    "the archive's answer cannot be understood");
	return err_because(e, "ponymail: %s: %s", why.say, why.detail);
}
