/* SPDX-License-Identifier: Apache-2.0 */
/* An answer that is passed on as it arrives, and a request that is aborted. */
#include "http_go.h"

struct taker {
	char text[100];
	size_t n, enough;
};

static int
take(struct str part, void *ctx)
{
	struct taker *t = ctx;

	assert_true(t->n + part.n < sizeof(t->text));
	memcpy(t->text + t->n, part.p, part.n);
	t->n += part.n;
	return t->enough > 0 && t->n >= t->enough ? -1 : 0;
}

static void
taken_as_it_comes(void **state)
{
	BEGIN("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	      "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n",
	    "HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nbad",
	    "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nunread",
	    "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nlonger by far");
	struct taker t = { .n = 0 };

	q.take = take;
	q.ctx = &t;
	q.accept = "text/event-stream";
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_memory_equal(t.text, "onetwo", 6);
	assert_int_equal(r.body.n, 0);
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(t.n == 6 && str_eq(r.body, S("bad")));
	t = (struct taker){ .enough = 1 };
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	e = (struct err){ 0 };
	t = (struct taker){ .n = 0 };
	q.max = 5;
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "Accept: text/event-stream\r\n"));
	END;
}

static void
given_up(void **state)
{
	static volatile sig_atomic_t stop = 1;
	BEGIN("");

	q.stop = &stop;
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_string_equal(e.say, "the request was cancelled");
	(void)serve_stop(&s);
	END;
}

/* Of a stream: when it began, and how it is given up while nothing comes. */
struct stream {
	int status, begun, stop_at; /* the status at which to stop */
	char type[40];
	size_t n;
	int64_t until_ms; /* 0: ticks do not stop it */
};

static int
begins(int status, struct str type, void *ctx)
{
	struct stream *t = ctx;

	assert_int_equal(t->n, 0);
	t->begun++;
	t->status = status;
	(void)snprintf(t->type, sizeof(t->type), "%.*s", STR_ARG(type));
	return status == t->stop_at ? -1 : 0;
}

static int
goes_on(struct str part, void *ctx)
{
	struct stream *t = ctx;

	assert_int_equal(t->begun, 1);
	t->n += part.n;
	return 0;
}

static int
ticks(void *ctx)
{
	const struct stream *t = ctx;

	return t->until_ms != 0 && clock_mono_ms() >= t->until_ms ? -1 : 0;
}

static void
begun_and_given_up(void **state)
{
	BEGIN("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"
	      "HTTP/1.1 200 OK\r\nContent-Type: a/b; c\r\n\r\none",
	    "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n",
	    "HTTP/1.1 204 None\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none",
	    "HTTP/1.1 200 OK\r\n\r\noneHOLD");
	struct stream t = { 0 };

	q.begun = begins;
	q.take = goes_on;
	q.tick = ticks;
	q.ctx = &t;
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(t.begun == 1 && t.status == 200 && t.n == 3);
	assert_string_equal(t.type, "a/b; c");
	t = (struct stream){ 0 };
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(t.begun == 0 && r.status == 404);
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(t.begun == 1 && t.status == 204 && t.type[0] == '\0');
	t = (struct stream){ .stop_at = 200 };
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_true(t.begun == 1 && t.n == 0 && e.kind == ERR_NETWORK);
	t = (struct stream){ .until_ms = clock_mono_ms() + 200 };
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_true(t.n == 3 && clock_mono_ms() < t.until_ms + 10000);
	(void)serve_stop(&s);
	END;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken_as_it_comes),
		cmocka_unit_test(given_up),
		cmocka_unit_test(begun_and_given_up),
	};

	return cmocka_run_group_tests_name("net/http_take", tests, NULL, NULL);
}
