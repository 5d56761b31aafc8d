/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of events, whole and cut at every byte. */
#include "../rows.h"

#include "backend/jmap/event.h"
#include "base/err.h"

#define STATE(account, types)                                                  \
	"event: state\ndata: "                                                 \
	"{\"@type\":\"StateChange\",\"changed\":{\"" account "\":{" types      \
	"}}}\n\n"
#define MINE STATE("A1", "\"Email\":\"s1\"")
#define PING "event: ping\ndata: {\"interval\":300}\n\n"

static const struct row {
	const char *why, *text;
	bool changed;
	int64_t ping_s;
	enum err_kind kind;
} rows[] = {
	{ "a change of mail", MINE, true, 0, ERR_NONE },
	{ "a change of a mailbox", STATE("A1", "\"Mailbox\":\"s1\""), true, 0,
	    ERR_NONE },
	{ "both, and others", STATE("A1", "\"Thread\":\"a\",\"Email\":\"b\""),
	    true, 0, ERR_NONE },
	{ "another type alone", STATE("A1", "\"Thread\":\"a\""), false, 0,
	    ERR_NONE },
	{ "another account's", STATE("A2", "\"Email\":\"s1\""), false, 0,
	    ERR_NONE },
	{ "its account among others",
	    "event: state\ndata: {\"changed\":{\"A0\":{\"Email\":\"1\"},"
	    "\"A1\":{\"Email\":\"2\"},\"A2\":{}}}\n\n",
	    true, 0, ERR_NONE },
	{ "a ping says how often it comes", PING, false, 300, ERR_NONE },
	{ "and a change after it", PING MINE, true, 300, ERR_NONE },
	{ "an interval that is a text",
	    "event: ping\ndata: {\"interval\":\"9\"}\n\n", false, 0, ERR_NONE },
	{ "an interval of less than nothing",
	    "event: ping\ndata: {\"interval\":-9}\n\n", false, 0, ERR_NONE },
	{ "an interval without an end",
	    "event: ping\ndata: {\"interval\":9000000000}\n\n", false, 3600,
	    ERR_NONE },
	{ "lines that end with CR LF",
	    "event: state\r\ndata: "
	    "{\"changed\":{\"A1\":{\"Email\":1}}}\r\n\r\n",
	    true, 0, ERR_NONE },
	{ "lines that end with CR",
	    "event: ping\rdata: {\"interval\":5}\r\rdata: x\r\r", false, 5,
	    ERR_NONE },
	{ "data before its name, without blanks, in two lines",
	    "data:{\"changed\":\ndata:{\"A1\":{\"Email\":1}}}\nevent:state\n\n",
	    true, 0, ERR_NONE },
	{ "a byte order mark", "\xef\xbb\xbf" MINE, true, 0, ERR_NONE },
	{ "two of them", "\xef\xbb\xbf\xef\xbb\xbf" MINE, false, 0, ERR_NONE },
	{ "comments, ids and unknown fields",
	    ": hello\n:\nid: 7\nretry: 1\nwhat\n\n" MINE, true, 0, ERR_NONE },
	{ "events of no name and of other names",
	    "data: x\n\nevent: statex\ndata: {\n\nevent: State\ndata: {\n\n",
	    false, 0, ERR_NONE },
	{ "a name without data is forgotten",
	    "event: state\n\ndata: {\"changed\":{\"A1\":{\"Email\":1}}}\n\n",
	    false, 0, ERR_NONE },
	{ "an event that is not whole",
	    "event: state\ndata: {\"changed\":{}}\n", false, 0, ERR_NONE },
	{ "nothing", "", false, 0, ERR_NONE },
	{ "what comes after a change is not read",
	    MINE "event: state\n"
		 "data: nonsense\n\n",
	    true, 0, ERR_NONE },
	{ "a state that is no JSON", "event: state\ndata: hello\n\n", false, 0,
	    ERR_NETWORK },
	{ "a state that is a list", "event: state\ndata: []\n\n", false, 0,
	    ERR_NETWORK },
	{ "a state without changes", "event: state\ndata: {}\n\n", false, 0,
	    ERR_NETWORK },
	{ "a state of empty data", "event: state\ndata\n\n", false, 0,
	    ERR_NETWORK },
	{ "an account twice",
	    "event: state\ndata: {\"changed\":{\"A1\":{},\"A1\":{}}}\n\n",
	    false, 0, ERR_NETWORK },
	{ "a ping that is no JSON", "event: ping\ndata: pong\n\n", false, 0,
	    ERR_NETWORK },
};

/* The text in pieces; the result is that of the row. */
static void
read_in_pieces(const struct row *r, size_t first, size_t piece)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str rest = str_of(r->text);
	struct jmap_event s;
	struct err e = { 0 };
	int got = 0;

	jmap_event_init(&s, a, S("A1"));
	for (size_t n = first; rest.n > 0 && got == 0; n = piece) {
		got = jmap_event_take(&s, str_first(rest, n), &e);
		rest = str_from(rest, n);
	}
	assert_int_equal(got, r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(s.changed, r->changed);
	assert_int_equal(s.ping_s, r->ping_s);
}

static void
row(void **state)
{
	const struct row *r = *state;

	read_in_pieces(r, 1, 1);
	for (size_t i = 0; i <= strlen(r->text); i++)
		read_in_pieces(r, i, SIZE_MAX);
}

/* Without an end of its own, and however it is cut. */
static const struct flood {
	const char *why, *head, *again;
	size_t n;
	enum err_kind kind;
} floods[] = {
	{ "a line that does not end", "data: ", "x", LIMIT_EVENT, ERR_LIMIT },
	{ "a comment that does not end", ":", "x", LIMIT_EVENT, ERR_LIMIT },
	{ "the longest line", "", "x", LIMIT_EVENT, ERR_NONE },
	{ "an event that does not end", "", "data: 0123456789\n",
	    LIMIT_EVENT / 11 + 1, ERR_LIMIT },
	{ "an event of nothing but lines", "", "data\n", LIMIT_EVENT + 2,
	    ERR_LIMIT },
	{ "as many events as there may be", "", "data: x\n\n", LIMIT_EVENTS,
	    ERR_NONE },
	{ "one too many", "", "data: x\n\n", LIMIT_EVENTS + 1, ERR_LIMIT },
	{ "empty lines are no events", "", "\n", 2 * LIMIT_EVENTS, ERR_NONE },
};

static void
flood(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	const struct flood *f = *state;
	struct jmap_event s;
	struct err e = { 0 };
	int r;

	jmap_event_init(&s, a, S("A1"));
	r = jmap_event_take(&s, str_of(f->head), &e);
	for (size_t i = 0; i < f->n && r == 0; i++)
		r = jmap_event_take(&s, str_of(f->again), &e);
	assert_int_equal(e.kind, f->kind);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(floods, flood);
	return cmocka_run_group_tests_name("backend/jmap_event", rows_tests,
	    NULL, NULL);
}
