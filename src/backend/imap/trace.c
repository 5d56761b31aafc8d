/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Responses in a trace.  It shows protocol: the names below, the parts of a
 * FETCH outside strings, and a server's words, but not during a login, because
 * they may repeat what was sent.
 */
#include "base/trace.h"

#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"

enum {
	LINE = LIMIT_TRACE_LINE, /* further text is not examined */
	ROOM = 1 << 20
};

/* Data that contains nothing from a message. */
static const char *const shown_data[] = { "CAPABILITY", "ENABLED", "EXISTS",
	"EXPUNGE", "ESEARCH", "FLAGS", "ID", "LIST", "LSUB", "MYRIGHTS",
	"NAMESPACE", "RECENT", "SEARCH", "STATUS", "VANISHED" };

/* RFC 9051 section 7.1: reasons for refusing a login. */
static const char *const shown_codes[] = { "ALERT", "AUTHENTICATIONFAILED",
	"AUTHORIZATIONFAILED", "CONTACTADMIN", "EXPIRED", "LIMIT",
	"PRIVACYREQUIRED", "SERVERBUG", "UNAVAILABLE" };

static const char *const shown_status[] = {
	[IMAP_NO] = "NO",
	[IMAP_OK] = "OK",
	[IMAP_BAD] = "BAD",
	[IMAP_BYE] = "BYE",
	[IMAP_PREAUTH] = "PREAUTH",
};

static bool
imap_trace_among(const char *const *v, size_t n, struct str word)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_case(word, str_of(v[i])))
			return true;
	return false;
}

#define TRACE_AMONG(v, word)                                                   \
	imap_trace_among(v, sizeof(v) / sizeof((v)[0]), word)

static void
imap_trace_number(struct buf *b, size_t n)
{
	buf_fmt(b, "<%zu bytes>", n);
}

/* A quoted string may be a header or a body. */
static void
imap_trace_unquoted(struct buf *b, struct str text)
{
	size_t i = 0, from;

	while (i < text.n) {
		if (text.p[i] != '"') {
			buf_char(b, text.p[i++]);
			continue;
		}
		for (from = ++i; i < text.n && text.p[i] != '"'; i++)
			i += text.p[i] == '\\';
		i = i < text.n ? i : text.n;
		imap_trace_number(b, i - from);
		i++;
	}
}

static void
imap_trace_data(struct buf *b, const struct imap_resp *r, bool login)
{
	bool fetch = str_eq_case(r->name, S("FETCH"));
	bool shown = TRACE_AMONG(shown_data, r->name) &&
	    (!login || str_eq_case(r->name, S("CAPABILITY")));
	size_t hidden = 0;

	if (shown || fetch)
		buf_fmt(b, "%.*s ", STR_ARG(r->name));
	else
		hidden = r->name.n;
	for (size_t i = 0; i < r->n && b->n < LINE; i++) {
		const struct imap_piece *p = &r->piece[i];

		if (fetch)
			imap_trace_unquoted(b, str_first(p->text, LINE));
		else if (shown)
			buf_str(b, str_first(p->text, LINE));
		else
			hidden += p->text.n;
		if (p->has_literal)
			imap_trace_number(b, p->size);
	}
	if (hidden > 0)
		imap_trace_number(b, hidden);
}

static void
imap_trace_words(struct buf *b, const struct imap_resp *r, bool login)
{
	struct str word, rest;
	bool open;

	(void)str_cut(r->code, ' ', &word, &rest);
	open = !login || TRACE_AMONG(shown_codes, word) ||
	    (r->status == IMAP_OK && str_eq_case(word, S("CAPABILITY")));
	if (r->code.n > 0 && open)
		buf_fmt(b, "[%.*s] ", STR_ARG(str_first(r->code, LINE)));
	else if (r->code.n > 0)
		imap_trace_number(b, r->code.n);
	if (!login)
		buf_str(b, str_first(r->text, LINE));
	else
		imap_trace_number(b, r->text.n);
}

void
imap_trace_response(const struct imap_session *s, const struct imap_resp *r)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	bool login = s->login.tag != 0 && !s->login.done;
	struct buf b;

	if (s->wire == NULL || !trace_on())
		return;
	a = arena_open(ROOM);
	buf_init(&b, a, ROOM / 4);
	switch (r->kind) {
	case IMAP_MORE: /* a challenge, or text */
		buf_text(&b, "+ ");
		imap_trace_number(&b, r->text.n);
		break;
	case IMAP_TAGGED:
		buf_fmt(&b, "e%u %s ", r->tag, shown_status[r->status]);
		imap_trace_words(&b, r, login);
		break;
	case IMAP_NOTICE:
		buf_fmt(&b, "* %s ", shown_status[r->status]);
		imap_trace_words(&b, r, login);
		break;
	case IMAP_DATA:
		buf_text(&b, "* ");
		if (r->number > 0)
			buf_fmt(&b, "%u ", r->number);
		imap_trace_data(&b, r, login);
		break;
	}
	wire_trace_read(s->wire, buf_view(&b), S(""), false);
}
