/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a change at a server that says what a row wants. */
#include "../net/serve.h"
#include "../rows.h"

#include "backend/internal.h"
#include "backend/watch.h"

#define OK "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: "
#define STREAM OK "text/event-stream\r\n\r\n"
#define CHUNKED                                                                \
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"                    \
	"Content-Type: Text/Event-Stream; charset=utf-8\r\n\r\n"
#define CHANGE                                                                 \
	"event: state\ndata: {\"changed\":{\"A1\":{\"Email\":\"1\"}}}\n\n"
#define OTHERS                                                                 \
	"event: state\ndata: {\"changed\":{\"A2\":{\"Email\":\"1\"}}}\n\n"
#define EMPTY "Content-Length: 0\r\nConnection: close\r\n\r\n"
#define SESSION(events)                                                        \
	OK "application/json\r\n\r\n{\"capabilities\":{"                       \
	   "\"urn:ietf:params:jmap:core\":{}},\"primaryAccounts\":{"           \
	   "\"urn:ietf:params:jmap:mail\":\"A1\"},\"apiUrl\":\"/api\","        \
	   "\"downloadUrl\":\"/d\",\"uploadUrl\":\"/"                          \
	   "u\",\"state\":\"s\"" events "}"
#define OFFERS(url) SESSION(",\"eventSourceUrl\":\"" url "\"")
#define USUAL "/ev?t={types}&c={closeafter}&p={ping}"

static const struct wait {
	const char *why;
	const char *say[2]; /* the session; what the stream's address says */
	enum err_kind kind;
	bool changed, ready;
	const char *words; /* in the error */
} rows[] = {
	{ "a change", { OFFERS(USUAL), STREAM CHANGE }, ERR_NONE, true, true,
	    NULL },
	{ "a change after what is none",
	    { OFFERS("BASE" USUAL), STREAM ":\n\n" OTHERS CHANGE }, ERR_NONE,
	    true, true, NULL },
	{ "a change in pieces",
	    { OFFERS(USUAL),
		CHUNKED "7\r\nevent: \r\n3b\r\nstate\ndata: "
			"{\"changed\":{\"A1\":{\"Email\":\"1\"}}}"
			"\n\n\n\n\n\n\n\n\n\n\n\n\n\r\n" },
	    ERR_NONE, true, true, NULL },
	{ "its end without a change", { OFFERS(USUAL), STREAM OTHERS },
	    ERR_NETWORK, false, true, "ended its event stream" },
	{ "a change without the empty line",
	    { OFFERS(USUAL), STREAM "event: state\ndata: {}" }, ERR_NETWORK,
	    false, true, "ended its event stream" },
	{ "one that is cut off", { OFFERS(USUAL), CHUNKED "7\r\neve" },
	    ERR_NETWORK, false, true, NULL },
	{ "nonsense", { OFFERS(USUAL), STREAM "event: state\ndata: x\n\n" },
	    ERR_NETWORK, false, true, "cannot be understood" },
	{ "a page of another type", { OFFERS(USUAL), OK "text/html\r\n\r\nx" },
	    ERR_NETWORK, false, false, "cannot be understood" },
	{ "a page of no type",
	    { OFFERS(USUAL), "HTTP/1.1 200 OK\r\n\r\n" CHANGE }, ERR_NETWORK,
	    false, false, "cannot be understood" },
	{ "no HTTP", { OFFERS(USUAL), "event: state\r\n\r\n" }, ERR_NETWORK,
	    false, false, NULL },
	{ "no address", { SESSION("") }, ERR_UNSUPPORTED, false, false,
	    "no stream of events" },
	{ "an address that is a number", { SESSION(",\"eventSourceUrl\":7") },
	    ERR_UNSUPPORTED, false, false, NULL },
	{ "an address that is null", { SESSION(",\"eventSourceUrl\":null") },
	    ERR_UNSUPPORTED, false, false, NULL },
	{ "an address that is no template", { OFFERS("/ev?{types") },
	    ERR_CONFIG, false, false, NULL },
	{ "another host's address", { OFFERS("https://other.example" USUAL) },
	    ERR_CONFIG, false, false, "not trusted" },
	{ "another port's address", { OFFERS("http://127.0.0.1:1" USUAL) },
	    ERR_CONFIG, false, false, "not trusted" },
	{ "no content, as Cyrus",
	    { OFFERS(USUAL),
		"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n" },
	    ERR_UNSUPPORTED, false, false, "no stream of events" },
	{ "not found", { OFFERS(USUAL), "HTTP/1.1 404 No\r\n" EMPTY },
	    ERR_UNSUPPORTED, false, false, NULL },
	{ "refused", { OFFERS(USUAL), "HTTP/1.1 401 No\r\n" EMPTY }, ERR_AUTH,
	    false, false, "refused the credentials" },
	{ "too many", { OFFERS(USUAL), "HTTP/1.1 429 No\r\n" EMPTY }, ERR_LIMIT,
	    false, false, NULL },
	{ "a redirect",
	    { OFFERS(USUAL),
		"HTTP/1.1 302 No\r\nLocation: BASE/else\r\n" EMPTY },
	    ERR_NETWORK, false, false, NULL },
	{ "a redirect elsewhere",
	    { OFFERS(USUAL),
		"HTTP/1.1 307 No\r\nLocation: "
		"https://other.example/\r\n" EMPTY },
	    ERR_NETWORK, false, false, NULL },
};

struct asked {
	struct arena *a;
	struct secret *secret;
	struct backend_account acct;
	struct conn *c;
	bool ready;
};

static int
be_ready(void *ctx)
{
	struct asked *t = ctx;

	assert_false(t->ready);
	t->ready = true;
	return 0;
}

static void
begin(struct asked *t, const struct serve *s)
{
	struct err e = { 0 };

	*t = (struct asked){ .a = arena_open(1 << 24) };
	t->secret = secret_new("PLANTED", 7);
	t->acct = (struct backend_account){ .name = S("work"),
		.username = S("me"),
		.secret = t->secret,
		.url = str_fmt(t->a, "%s/session", s->base),
		.deadline_ms = clock_mono_ms() + 20000 };
	assert_int_equal(jmap_backend.open(&t->acct, t->a, &t->c, &e), 0);
}

static void
end(struct asked *t)
{
	jmap_backend.close(t->c);
	secret_close(&t->secret);
	arena_close(&t->a);
}

static void
row(void **state)
{
	const struct wait *r = *state;
	struct err e = { 0 };
	bool changed = false;
	struct serve s;
	struct asked t;
	const char *asked;

	serve_start(&s, r->say, r->say[1] != NULL ? 2 : 1);
	begin(&t, &s);
	assert_int_equal(jmap_backend.watch(t.c, t.a,
			     &(struct backend_watch){ .folder = S("Inbox"),
				 .until_ms = clock_mono_ms() + 20000,
				 .ready = be_ready,
				 .ctx = &t },
			     &changed, &e),
	    r->kind == ERR_NONE ? 0 : -1);
	asked = serve_stop(&s);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(changed, r->changed);
	assert_int_equal(t.ready, r->ready);
	if (r->words != NULL)
		assert_non_null(strstr(e.say, r->words));
	assert_null(strstr(e.say, "PLANTED"));
	/* base64 of me:PLANTED, once for each of our requests. */
	assert_non_null(strstr(asked, "Basic bWU6UExBTlRFRA=="));
	assert_null(strstr(asked, "GET /else"));
	if (r->ready) {
		assert_non_null(strstr(asked,
		    "GET /ev?t=Email%2CMailbox&c=state&p=30 HTTP/1.1\r\n"));
		assert_non_null(
		    strstr(asked, "\r\nAccept: text/event-stream\r\n"));
	}
	end(&t);
}

/* An end that the clock brings: none of these waits long. */
static const struct late {
	const char *why;
	const char *stream;
	int64_t begin_ms, until_ms; /* from now on */
	enum err_kind kind;
	const char *words;
} lates[] = {
	{ "its time is over", STREAM "HOLD", 20000, 300, ERR_NONE, NULL },
	{ "no more pings", STREAM "event: ping\ndata: {\"interval\":1}\n\nHOLD",
	    20000, 60000, ERR_NETWORK, "silent" },
	{ "no answer", "", 300, 20000, ERR_NETWORK, "did not answer in time" },
	{ "no answer, and its time is over", "", 300, 200, ERR_NETWORK, NULL },
};

static void
late(void **state)
{
	const struct late *r = *state;
	const char *const say[] = { OFFERS(USUAL), r->stream };
	int64_t now = clock_mono_ms();
	struct err e = { 0 };
	bool changed = true;
	struct serve s;
	struct asked t;
	int got;

	serve_start(&s, say, 2);
	begin(&t, &s);
	t.acct.deadline_ms = now + r->begin_ms;
	got = jmap_backend.watch(t.c, t.a,
	    &(struct backend_watch){ .until_ms = now + r->until_ms }, &changed,
	    &e);
	(void)serve_stop(&s);
	assert_int_equal(got, r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_false(changed);
	if (r->words != NULL)
		assert_non_null(strstr(e.say, r->words));
	assert_true(clock_mono_ms() - now < 15000);
	end(&t);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(lates, late);
	return cmocka_run_group_tests_name("backend/jmap_watch", rows_tests,
	    NULL, NULL);
}
