/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a model's endpoint answers, cut as its first byte says. */
#include <stdint.h>

#include "base/utf8.h"
#include "door/skills/ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool good, const char *what)
{
	if (!good)
		err_bug("fuzz: %s", what);
}

static struct str
read_all(struct arena *a, struct str text, size_t piece)
{
	struct ask_answer *v = arena_new(a, struct ask_answer);
	struct ask_stream s;
	struct err e = { 0 };
	struct buf b;
	int r = 0;

	ask_stream_init(&s, v, a);
	while (text.n > 0 && r == 0) {
		r = ask_stream_take(&s, str_first(text, piece), &e);
		text = str_from(text, piece);
	}
	if (r == 0)
		r = ask_stream_end(&s, &e);
	check(v->calls <= LIMIT_ASK_CALLS, "calls");
	check(utf8_valid(buf_view(&v->text)), "a text");
	buf_init(&b, a, LIMIT_ARENA);
	if (r < 0) {
		check(e.kind == ERR_NETWORK || e.kind == ERR_LIMIT, "a reason");
		return str_of(err_code(e.kind));
	}
	buf_str(&b, buf_view(&v->text));
	for (size_t i = 0; i < v->calls; i++)
		buf_fmt(&b, "|%.*s|%.*s|%.*s", STR_ARG(v->call[i].id),
		    STR_ARG(v->call[i].name), STR_ARG(v->call[i].args));
	return buf_view(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str text = { (const char *)data + 1, size - 1 };

	if (size == 0 || size > 65536)
		return 0;
	/* However the network cuts it, it is the same answer. */
	check(str_eq(read_all(a, text, SIZE_MAX),
		  read_all(a, text, (size_t)data[0] % 64 + 1)),
	    "one answer");
	return 0;
}
