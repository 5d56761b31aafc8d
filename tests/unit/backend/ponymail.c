/* SPDX-License-Identifier: Apache-2.0 */
/* Pony Mail without an archive: dates, escapes, words, threads, the cache. */
#include "../rows.h"

#include <stdlib.h>

#include "backend/ponymail/internal.h"

static const struct date {
	const char *why;
	struct str in;
	bool good;
} dates[] = {
	{ "a month", SI("2026-01"), true },
	{ "a month as the archive writes it", SI("2026-1"), true },
	{ "the last days", SI("lte=30d"), true },
	{ "the last months", SI("lte=1M"), true },
	{ "older than", SI("gte=2y"), true },
	{ "between", SI("dfr=2026-1-31|dto=2026-2-28"), true },
	{ "a leap day", SI("dfr=2024-2-29|dto=2024-03-01"), true },
	{ "joined by a space", SI("dfr=2026-1-31 dto=2026-2-28"), false },
	{ "one end", SI("dfr=2026-1-31"), false },
	{ "a day that is not there", SI("dfr=2026-2-30|dto=2026-3-1"), false },
	{ "no thirteenth month", SI("2026-13"), false },
	{ "no month zero", SI("2026-0"), false },
	{ "a year alone", SI("2026"), false },
	{ "a day", SI("2026-01-01"), false },
	{ "two digits of a year", SI("26-01"), false },
	{ "before the clock", SI("1969-12"), false },
	{ "no unit", SI("lte=30"), false },
	{ "another unit", SI("lte=30h"), false },
	{ "a small m", SI("lte=1m"), false },
	{ "none of them", SI("lte=0d"), false },
	{ "a great many", SI("lte=999999d"), false },
	{ "a sign", SI("lte=-3d"), false },
	{ "something behind it", SI("2026-01&list=*"), false },
	{ "a space in front", SI(" 2026-01"), false },
	{ "a NUL", SI("2026-01\0"), false },
	{ "words", SI("yesterday"), false },
	{ "nothing", SI(""), false },
};

static void
date(void **state)
{
	const struct date *r = *state;

	assert_int_equal(ponymail_date_ok(r->in), r->good);
}

static const struct text {
	const char *why;
	struct str in, want;
} escapes[] = {
	{ "none", SI("{\"a\":1}"), SI("{\"a\":1}") },
	{ "a NUL", SI("\"\\u0000\""), SI("\"\\ufffd\"") },
	{ "a NUL's like", SI("\"\\u0001\""), SI("\"\\u0001\"") },
	{ "an escaped backslash", SI("\"\\\\u0000\""), SI("\"\\\\u0000\"") },
	{ "a pair", SI("\"\\ud83d\\ude00\""), SI("\"\\ud83d\\ude00\"") },
	{ "a pair in capitals", SI("\"\\uD83D\\uDE00\""),
	    SI("\"\\uD83D\\uDE00\"") },
	{ "a first half", SI("\"\\ud83dx\""), SI("\"\\ufffdx\"") },
	{ "a second half", SI("\"\\ude00x\""), SI("\"\\ufffdx\"") },
	{ "two first halves and a second", SI("\"\\ud83d\\ud83d\\ude00\""),
	    SI("\"\\ufffd\\ud83d\\ude00\"") },
	{ "the wrong way round", SI("\"\\ude00\\ud83d\""),
	    SI("\"\\ufffd\\ufffd\"") },
	{ "cut off", SI("\"\\u00"), SI("\"\\u00") },
	{ "cut off behind a backslash", SI("\"\\"), SI("\"\\") },
	{ "a half at the end", SI("\\ud83d"), SI("\\ufffd") },
	{ "nothing", SI(""), SI("") },
};

static void
mend(void **state)
{
	const struct text *r = *state;
	struct arena *a = arena_open(1 << 20);
	/* The exact size, so that a read past the end is detected. */
	char *p = malloc(r->in.n);

	if (r->in.n > 0)
		memcpy(p, r->in.p, r->in.n);
	rows_same(ponymail_call_mend(a, (struct str){ p, r->in.n }), r->want);
	free(p);
	arena_close(&a);
}

static const struct text searches[] = {
	{ "words", SI("two words"), SI("two words") },
	{ "an address", SI("ann@example.org"), SI("ann@example.org") },
	{ "what begins with a minus means not", SI("-x"), SI("x") },
	{ "and two of them", SI("--x"), SI("x") },
	{ "quotes, colons and backslashes", SI("a\"b':c\\d"), SI("a b  c d") },
	{ "letters beyond ASCII", SI("gr\xc3\xbc\xc3\x9f"),
	    SI("gr\xc3\xbc\xc3\x9f") },
	{ "nothing to look for", SI("\"\\ -@."), SI("") },
};

static void
search(void **state)
{
	const struct text *r = *state;
	struct arena *a = arena_open(1 << 20);

	rows_same(ponymail_stats_words(a, r->in), r->want);
	arena_close(&a);
}

static const struct text args[] = {
	{ "plain", SI("xh68-._~"), SI("?id=xh68-._~") },
	{ "what means something there", SI("a&b=c/../?#%+ "),
	    SI("?id=a%26b%3Dc%2F..%2F%3F%23%25%2B%20") },
	{ "any byte", SI("\n\0\xff"), SI("?id=%0A%00%FF") },
};

static void
arg(void **state)
{
	const struct text *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, 1000);
	ponymail_call_arg(&b, "id", r->in);
	rows_same(buf_view(&b), r->want);
	arena_close(&a);
}

/* "mid id parent epoch" of messages, and the expected root of each. */
static const struct thread {
	const char *why;
	struct {
		const char *mid, *id, *parent;
		int64_t epoch;
		const char *root;
	} v[6];
} threads[] = {
	{ "an answer to an answer",
	    { { "a", "<1>", "", 1, "a" }, { "b", "<2>", "<1>", 2, "a" },
		{ "c", "<3>", "<2>", 3, "a" }, { "d", "<4>", "", 4, "d" } } },
	{ "one that came before what it answers",
	    { { "a", "<1>", "", 5, "a" }, { "b", "<2>", "<1>", 2, "a" } } },
	{ "what is answered is not there",
	    { { "b", "<2>", "<1>", 2, "a" }, { "a", "<1>", "<0>", 1, "a" },
		{ "c", "<3>", "<0>", 3, "a" }, { "d", "<4>", "<00>", 0, "d" },
		{ "f", "<5>", "<00>", 0, "d" } } },
	{ "a copy is where the first is",
	    { { "a", "<1>", "", 1, "a" }, { "b", "<1>", "<9>", 2, "a" },
		{ "c", "<2>", "<1>", 3, "a" } } },
	{ "a ring has its oldest for a root",
	    { { "c", "<3>", "<2>", 3, "a" }, { "a", "<1>", "<3>", 1, "a" },
		{ "b", "<2>", "<1>", 2, "a" },
		{ "d", "<4>", "<3>", 4, "a" } } },
	{ "one that answers itself",
	    { { "a", "<1>", "<1>", 1, "a" }, { "b", "<2>", "<1>", 2, "a" } } },
	{ "those without an id are nobody's copies",
	    { { "a", "", "", 1, "a" }, { "b", "", "", 2, "b" },
		{ "c", "", "<1>", 3, "d" }, { "d", "<1>", "", 4, "d" } } },
};

static void
thread(void **state)
{
	const struct thread *r = *state;
	struct pony_list l = { .a = arena_open(1 << 20) };

	l.v = arena_array(l.a, 6, sizeof(*l.v));
	for (; l.n < 6 && r->v[l.n].mid != NULL; l.n++)
		l.v[l.n] = (struct pony_entry){ str_of(r->v[l.n].mid),
			str_of(r->v[l.n].id), str_of(r->v[l.n].parent),
			r->v[l.n].epoch, 0 };
	ponymail_links_make(&l);
	for (size_t i = 0; i < 6 && r->v[i].mid != NULL; i++) {
		const struct pony_entry *x =
		    ponymail_list_get(&l, str_of(r->v[i].mid));

		assert_non_null(x);
		rows_same(l.v[x->root].mid, str_of(r->v[i].root));
	}
	assert_null(ponymail_list_get(&l, S("e")));
	ponymail_list_close(&l);
}

/* The messages after a position, existing or not; and a thread's members. */
static void
places(void **state)
{
	struct pony_list l = { .a = arena_open(1 << 20), .n = 4 };
	uint32_t first;

	(void)state;
	l.v = arena_array(l.a, l.n, sizeof(*l.v));
	l.v[0] = (struct pony_entry){ S("d"), S("<4>"), S("<0>"), 9, 0 };
	l.v[1] = (struct pony_entry){ S("a"), S("<1>"), S("<0>"), 5, 0 };
	l.v[2] = (struct pony_entry){ S("c"), S("<3>"), S(""), 5, 0 };
	l.v[3] = (struct pony_entry){ S("b"), S("<2>"), S("<1>"), 5, 0 };
	ponymail_links_make(&l);
	assert_int_equal(ponymail_list_before(&l, 9, S("d")), 3);
	assert_int_equal(ponymail_list_before(&l, 5, S("b")), 1);
	assert_int_equal(ponymail_list_before(&l, 5, S("bb")), 2);
	assert_int_equal(ponymail_list_before(&l, 4, S("z")), 0);
	assert_int_equal(ponymail_list_before(&l, 99, S("")), 4);
	assert_int_equal(ponymail_links_thread(&l, 0, &first), 3);
	rows_same(l.v[l.by_root[first + 1]].mid, S("b"));
	rows_same(l.v[l.by_root[first + 2]].mid, S("d"));
	assert_int_equal(ponymail_links_thread(&l, 2, &first), 1);
	ponymail_list_close(&l);
}

/* One long line of answers, newest first: linear time, no recursion. */
static void
long_thread(void **state)
{
	struct pony_list l = { .a = arena_open(LIMIT_ARENA), .n = 200000 };

	(void)state;
	l.v = arena_array(l.a, l.n, sizeof(*l.v));
	for (uint32_t i = 0; i < l.n; i++)
		l.v[i] = (struct pony_entry){ str_fmt(l.a, "m%u", i),
			str_fmt(l.a, "<%u>", i), str_fmt(l.a, "<%u>", i + 1), i,
			0 };
	ponymail_links_make(&l);
	for (uint32_t i = 0; i < l.n; i++)
		rows_same(l.v[l.v[i].root].mid, S("m199999"));
	ponymail_list_close(&l);
}

static const struct text ids[] = {
	{ "as it is", SI("<a@b>"), SI("<a@b>") },
	{ "folds and white space", SI("\n <a.\t b@c>"), SI("<a.b@c>") },
	{ "something behind it", SI("<a@b>+942C"), SI("<a@b>") },
	{ "the first of several", SI("<a@b> <c@d>"), SI("<a@b>") },
	{ "no brackets", SI(" a@b "), SI("a@b") },
	{ "no end", SI("<a@b"), SI("<a@b>") },
	{ "nothing", SI(""), SI("") },
};

static void
id(void **state)
{
	const struct text *r = *state;
	struct arena *a = arena_open(1 << 20);

	rows_same(ponymail_links_id(a, r->in), r->want);
	arena_close(&a);
}

static const struct text parents[] = {
	{ "one", SI(" <a@b>"), SI("<a@b>") },
	{ "words before", SI("Message from Ann <ann@x.example>\n of May <a@b>"),
	    SI("<a@b>") },
	{ "words behind", SI("<a@b>; from Ann <ann@x.example>"), SI("<a@b>") },
	{ "folds", SI("<a.\n b@c>"), SI("<a.b@c>") },
	{ "no brackets", SI("a@b "), SI("<a@b>") },
	{ "nothing", SI(""), SI("") },
};

static void
parent(void **state)
{
	const struct text *r = *state;
	struct arena *a = arena_open(1 << 20);

	char text[80];
	struct str got, in = { text, r->in.n };

	/* The source text disappears. */
	memcpy(text, r->in.p, r->in.n);
	got = ponymail_links_parent(a, in);
	memset(text, 0, sizeof(text));
	rows_same(got, r->want);
	arena_close(&a);
}

static void
cache(void **state)
{
	struct pony_entry v[] = {
		{ S("mid"), S("<a b@c>"), S(""), -5, 0 },
		{ S("\n -%\xff"), S("-"), S("<x>"), INT64_C(9000000000), 0 },
	};
	struct pony_month months[] = {
		{ 2026 * 12, 3, 2, true, v },
		{ 2026 * 12 + 1, 7, 0, false, NULL },
		{ 2026 * 12 + 2, 1, 0, true, NULL },
	};
	struct pony_list l = { .month = months, .months = 3 }, got;
	struct arena *a = arena_open(1 << 20);
	struct str text = ponymail_cache_text(a, &l);

	(void)state;
	got = (struct pony_list){ .a = a };
	assert_true(ponymail_cache_read(text, &got));
	assert_int_equal(got.months, 2);
	assert_int_equal(got.month[0].at, 2026 * 12);
	assert_int_equal(got.month[0].told, 3);
	assert_int_equal(got.month[0].n, 2);
	assert_int_equal(got.month[1].at, 2026 * 12 + 2);
	for (size_t i = 0; i < 2; i++) {
		const struct pony_entry *x = &got.month[0].v[i];

		rows_same(x->mid, v[i].mid);
		rows_same(x->message_id, v[i].message_id);
		rows_same(x->parent, v[i].parent);
		assert_int_equal(x->epoch, v[i].epoch);
	}
	/* A truncated text gives whole months, or nothing. */
	for (size_t i = 0; i < text.n; i++) {
		struct arena *own = arena_open(1 << 20);

		got = (struct pony_list){ .a = own };
		if (ponymail_cache_read(str_first(text, i), &got))
			for (size_t k = 0; k < got.months; k++)
				assert_int_equal(got.month[k].n,
				    k == 0 ? 2 : 0);
		arena_close(&own);
	}
	got = (struct pony_list){ .a = a };
	assert_false(ponymail_cache_read(S("M 24312 1 1000000\n"), &got));
	arena_close(&a);
}

/* Which folders are possible. */
static void
folder(void **state)
{
	static const struct str good[] = { SI("dev@example.org"),
		SI("a-b_c.d+e~@x.org") },
				bad[] = { SI("dev"), SI("@x"), SI("dev@"),
					SI("*@x"), SI("a@b@c"), SI("a b@c"),
					SI("a@b&c"), SI("a\0@b"), SI("") };
	struct str name, domain;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(ponymail_folder_cut(good[i], &name, &domain));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(ponymail_folder_cut(bad[i], &name, &domain));
}

int
main(void)
{
	ROWS(dates, date);
	ROWS(escapes, mend);
	ROWS(searches, search);
	ROWS(args, arg);
	ROWS(threads, thread);
	ROWS(ids, id);
	ROWS(parents, parent);
	rows_add("places and threads", places, NULL);
	rows_add("a long line of answers", long_thread, NULL);
	rows_add("what is kept is what was", cache, NULL);
	rows_add("folders", folder, NULL);
	return cmocka_run_group_tests_name("backend/ponymail", rows_tests, NULL,
	    NULL);
}
