/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a stream of events, cut as its first byte says. */
#include "check.h"

#include "backend/jmap/event.h"
#include "base/limits.h"

static struct str
read_all(struct arena *a, struct str text, size_t piece)
{
	struct jmap_event s;
	struct err e = { 0 };
	int r = 0;

	jmap_event_init(&s, a, S("A1"));
	while (text.n > 0 && r == 0) {
		r = jmap_event_take(&s, str_first(text, piece), &e);
		text = str_from(text, piece);
	}
	check(s.line.n <= LIMIT_EVENT && s.data.n <= LIMIT_EVENT, "a cap");
	check(s.ping_s >= 0 && s.ping_s <= LIMIT_WATCH_S, "an interval");
	if (r < 0)
		check(e.kind == ERR_NETWORK || e.kind == ERR_LIMIT, "a reason");
	return str_fmt(a, "%s %d %d", err_code(e.kind), s.changed,
	    (int)s.ping_s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str text;

	if (size == 0 || size > 2 * LIMIT_EVENT)
		return 0;
	text = (struct str){ (const char *)data + 1, size - 1 };
	/* However the network cuts it, it tells the same. */
	check(str_eq(read_all(a, text, SIZE_MAX),
		  read_all(a, text, (size_t)data[0] % 64 + 1)),
	    "one reading");
	return 0;
}
