/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A query in Gmail's syntax, and the same check in ours: Gmail searches for
 * words where the contract has substrings, drops punctuation, and uses the time
 * of arrival.  So the query asks for at least everything that matches, and each
 * row is checked here.
 */
#include "backend/gmail/internal.h"
#include "backend/internal.h"

#define DAY 86400LL
/* A Date may be ahead of the clock, and in any zone. */
#define EARLY (2 * DAY)
/* Mail may arrive late, or be imported years later; then it is not found. */
#define LATE (30 * DAY)
/* URLs are limited, and the rest of the query comes first. */
#define SENDER_BYTES 1200

/* A term in quotes; characters that would end it become spaces. */
static void
gmail_query_put_quoted(struct buf *b, const char *op, struct str text)
{
	bool any = false;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		any = any || c >= 0x80 || (c >= '0' && c <= '9') ||
		    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
	}
	/* Gmail cannot search for this; only emcli can. */
	if (!any)
		return;
	buf_fmt(b, "%s%s\"", b->n > 0 ? " " : "", op);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if ((unsigned char)c < ' ' || c == '"' || c == '\\' ||
		    c == 0x7f)
			c = ' ';
		buf_char(b, c);
	}
	buf_char(b, '"');
}

static void
put_time(struct buf *b, const char *op, int64_t s)
{
	if (s > 0)
		buf_fmt(b, "%s%s%lld", b->n > 0 ? " " : "", op, (long long)s);
}

/* The word after rfc822msgid: and list:, which accept no quotes. */
static void
gmail_query_put_word(struct buf *b, const char *op, struct str word)
{
	for (size_t i = 0; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];

		if (c <= ' ' || c == 0x7f || c == '"' || c == '(' || c == ')' ||
		    c == '{' || c == '}' || c == '\\')
			return;
	}
	if (word.n > 0)
		buf_fmt(b, "%s%s%.*s", b->n > 0 ? " " : "", op, STR_ARG(word));
}

/* By its List-Id, or by its address, in braces. */
static void
gmail_query_put_list(struct buf *b, struct arena *a, struct str list)
{
	struct buf either;

	if (list.n == 0)
		return;
	buf_init(&either, a, LIMIT_URL / 4);
	gmail_query_put_word(&either, "list:", backend_list_id(a, list));
	gmail_query_put_word(&either, "to:", list);
	gmail_query_put_word(&either, "cc:", list);
	if (either.n > 0)
		buf_fmt(b, "%s{%.*s}", b->n > 0 ? " " : "",
		    STR_ARG(buf_view(&either)));
}

static void
gmail_query_put_to(struct buf *b, struct arena *a, struct str text)
{
	struct buf either;

	if (text.n == 0)
		return;
	buf_init(&either, a, LIMIT_URL / 4);
	gmail_query_put_quoted(&either, "to:", text);
	gmail_query_put_quoted(&either, "cc:", text);
	if (either.n > 0)
		buf_fmt(b, "%s{%.*s}", b->n > 0 ? " " : "",
		    STR_ARG(buf_view(&either)));
}

/*
 * Any of these in From.  A hint: omitted if there are too many for a query, or
 * if it would be the only term.
 */
static void
gmail_query_put_senders(struct buf *b, struct arena *a, const struct query *q)
{
	struct buf any;

	if (q->senders.n == 0 || !gmail_query_asks(q))
		return;
	buf_init(&any, a, SENDER_BYTES);
	for (size_t i = 0; i < q->senders.n; i++)
		gmail_query_put_word(&any, "from:", q->senders.v[i]);
	if (any.n > 0 && !any.over)
		buf_fmt(b, "%s{%.*s}", b->n > 0 ? " " : "",
		    STR_ARG(buf_view(&any)));
}

static void
gmail_query_put_flags(struct buf *b, const struct query *q)
{
	static const struct {
		unsigned flag;
		const char *with, *without;
	} flags[] = {
		{ FLAG_READ, "is:read", "is:unread" },
		{ FLAG_FLAGGED, "is:starred", "-is:starred" },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (q->with & flags[i].flag)
			buf_fmt(b, "%s%s", b->n > 0 ? " " : "", flags[i].with);
		if (q->without & flags[i].flag)
			buf_fmt(b, "%s%s", b->n > 0 ? " " : "",
			    flags[i].without);
	}
}

struct str
gmail_query_words(struct arena *a, const struct query *q)
{
	struct str id = q->message_id;
	struct buf b;

	buf_init(&b, a, LIMIT_URL / 4);
	if (id.n > 2 && id.p[0] == '<' && id.p[id.n - 1] == '>')
		gmail_query_put_word(&b,
		    "rfc822msgid:", str_first(str_from(id, 1), id.n - 2));
	if (q->from.n > 0)
		gmail_query_put_quoted(&b, "from:", q->from);
	gmail_query_put_to(&b, a, q->to);
	if (q->subject.n > 0)
		gmail_query_put_quoted(&b, "subject:", q->subject);
	if (q->text.n > 0)
		gmail_query_put_quoted(&b, "", q->text);
	gmail_query_put_list(&b, a, q->list);
	gmail_query_put_senders(&b, a, q);
	gmail_query_put_flags(&b, q);
	if (q->since_s > EARLY)
		put_time(&b, "after:", q->since_s - EARLY);
	if (q->received_s > 0)
		put_time(&b, "after:", q->received_s);
	if (q->before_s > 0)
		put_time(&b, "before:", q->before_s + LATE);
	/*
	 * Includes that second, and some more: the meaning of "before" is not
	 * documented.
	 */
	if (q->behind.n > 0)
		put_time(&b, "before:", q->behind_s + 2);
	return b.over ? S("") : buf_view(&b);
}

bool
gmail_query_asks(const struct query *q)
{
	return (q->with | q->without) != 0 || q->from.n > 0 || q->to.n > 0 ||
	    q->subject.n > 0 || q->text.n > 0 || q->message_id.n > 0 ||
	    q->list.n > 0 || q->since_s != 0 || q->before_s != 0 ||
	    q->received_s != 0;
}

bool
gmail_query_fits(const struct query *q, const struct row *row)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct mime_header h;

	if (!backend_match_flags(row->flags, q))
		return false;
	if (q->received_s != 0 && row->received_s != 0 &&
	    row->received_s <= q->received_s)
		return false;
	mime_header_parse(scratch, row->head, &h);
	return backend_match_date(&h, q) &&
	    (q->list.n == 0 || backend_list_has(scratch, &h, q->list)) &&
	    backend_match_fields(scratch, &h, q);
}
