/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request and its answer in a trace: never a header, never a body, and of an
 * address's query only the values of the names below.
 */
#include "base/trace.h"

#include "base/buf.h"
#include "base/limits.h"
#include "net/http_trace.h"

/* Parameters of Gmail, Pony Mail and JMAP; without user text and tokens. */
static const char *const shown_values[] = { "alt", "closeafter", "d", "domain",
	"emailsOnly", "fields", "format", "historyTypes", "labelIds", "list",
	"maxResults", "metadataHeaders", "ping", "quick", "startHistoryId",
	"types" };

static bool
http_trace_shows(struct str name)
{
	for (size_t i = 0; i < sizeof(shown_values) / sizeof(shown_values[0]);
	     i++)
		if (str_eq(name, str_of(shown_values[i])))
			return true;
	return false;
}

static void
http_trace_query(struct buf *b, struct str query)
{
	struct str pair, name, value;
	char mark = '?';

	while (query.n > 0) {
		(void)str_cut(query, '&', &pair, &query);
		if (!str_cut(pair, '=', &name, &value)) {
			buf_fmt(b, "%c<%zu bytes>", mark, pair.n);
		} else {
			buf_fmt(b, "%c%.*s=", mark, STR_ARG(name));
			if (http_trace_shows(name))
				buf_str(b, value);
			else
				buf_fmt(b, "<%zu bytes>", value.n);
		}
		mark = '&';
	}
}

void
http_trace_ask(const char *origin, struct str url, const struct http_request *q)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct str place, query;
	struct buf b;

	if (!trace_on())
		return;
	a = arena_open(8 * LIMIT_URL);
	buf_init(&b, a, 2 * LIMIT_URL);
	(void)str_cut(url, '?', &place, &query);
	buf_fmt(&b, "%s %.*s",
	    q->method != NULL       ? q->method
		: q->body.p != NULL ? "POST"
				    : "GET",
	    STR_ARG(place));
	http_trace_query(&b, query);
	if (q->body.p != NULL)
		buf_fmt(&b, " <%zu bytes>", q->body.n);
	trace_line(origin, '>', "%.*s", STR_ARG(buf_view(&b)));
}

void
http_trace_answer(const char *origin, const struct http_reply *r, size_t size)
{
	trace_line(origin, '<', "%d %.*s <%zu bytes>", r->status,
	    STR_ARG(r->type), size);
}

void
http_trace_failed(const char *origin, const struct err *e)
{
	trace_line(origin, '=', "%s", e->say);
}
