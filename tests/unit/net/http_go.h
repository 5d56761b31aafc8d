/* SPDX-License-Identifier: Apache-2.0 */
/* A request to a server that says what a test wants. */
#include "serve.h"

#include "net/http.h"

static struct http *
open_http(void)
{
	struct http *h = NULL;
	struct err e = { 0 };

	assert_int_equal(http_open(S(""), &h, &e), 0);
	return h;
}

static struct str
at(struct arena *a, const struct serve *s, const char *path)
{
	return str_fmt(a, "%s%s", s->base, path);
}

#define BEGIN(...)                                                             \
	static const char *const say[] = { __VA_ARGS__ };                      \
	struct arena *a = arena_open(1 << 20);                                 \
	struct http *h = open_http();                                          \
	struct http_reply r = { 0 };                                           \
	struct err e = { 0 };                                                  \
	struct serve s;                                                        \
	const char *asked = NULL;                                              \
	(void)state;                                                           \
	(void)asked;                                                           \
	serve_start(&s, say, sizeof(say) / sizeof(say[0]));                    \
	struct http_request q = { .url = at(a, &s, "/go"),                     \
		.max = 1000,                                                   \
		.deadline_ms = clock_mono_ms() + 20000 }

#define END                                                                    \
	http_close(&h);                                                        \
	arena_close(&a)
