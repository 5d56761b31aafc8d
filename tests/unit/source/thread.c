/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: which message answers which, for any ids. */
#include "../rows.h"

#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/limits.h"
#include "source/thread.h"

static struct arena *a;

/*
 * One word or two per message: "id<ref,ref" or "id~answered", followed by
 * "@date"; "-" is no id.  The default date is the position in the row; "@?" is
 * none.  Threads are printed as "id: members !missing", with members by their
 * position from 1, the newest thread first.
 */
static const struct row {
	const char *why, *in, *want;
} rows[] = {
	{ "nothing", "", "" },
	{ "one message", "a", "a: 1" },
	{ "two that have nothing to do with each other", "a b", "b: 2|a: 1" },
	{ "an answer", "a b<a", "a: 1 2" },
	{ "an answer to an answer, told in full", "a b<a c<a,b", "a: 1 2 3" },
	{ "answers that tell their parent alone", "a b<a c<b d<c",
	    "a: 1 2 3 4" },
	{ "by In-Reply-To alone", "a b~a c~b", "a: 1 2 3" },
	{ "References go before In-Reply-To", "a b c<a~b", "a: 1 3|b: 2" },
	{ "two answers to one", "a b<a c<a", "a: 1 2 3" },
	{ "an answer that came first", "b<a a", "a: 1 2" },
	{ "a chain that came backwards", "d<c c<b b<a a", "a: 1 2 3 4" },
	{ "members go by date", "a@9 b<a@5 c<b@7", "a: 2 3 1" },
	{ "a date that is missing stands behind its parent", "c<a@? b<a@6 a@5",
	    "a: 3 1 2" },
	{ "no date at all: as they came", "a@? b<a@?", "a: 1 2" },
	{ "threads go by their newest", "a@1 b@5 c<a@9 d@7",
	    "a: 1 3|d: 4|b: 2" },

	{ "a root that is not there", "b<a", "a: 1 !a" },
	{ "its id is the first of References", "d<a,b,c", "a: 1 !a !b !c" },
	{ "answers to one who is not there", "b<a c<a", "a: 1 2 !a" },
	{ "a parent between that is not there", "a c<a,b", "a: 1 2 !b" },
	{ "is filled in when it comes", "a c<a,b b<a", "a: 1 2 3" },
	{ "two halves joined by a third", "b<a d<c e<a,b,c,d",
	    "a: 1 2 3 !a !c" },
	{ "what is not there hangs where it was first put", "c<a,b d<x,b",
	    "a: 1 2 !a !b" },

	{ "without an id, with a parent", "a -<a", "a: 1 2" },
	{ "without an id or a parent", "- -", "sha2: 2|sha1: 1" },
	{ "two copies of one message", "a a", "a: 1 2" },
	{ "a copy of a root, with an answer", "a b<a a", "a: 1 2 3" },
	{ "a copy's References are not looked at", "a x a<x", "a: 1 3|x: 2" },
	{ "a copy of an answer", "a b<a b<a", "a: 1 2 3" },

	{ "one that answers itself", "a<a", "a: 1" },
	{ "and somebody", "a b<a,b", "a: 1 2" },
	{ "itself by In-Reply-To", "a~a", "a: 1" },
	{ "two that answer each other: cut at the newer", "a<b b<a", "b: 1 2" },
	{ "newer by date, not by place", "a<b@9 b<a@5", "a: 2 1" },
	{ "a cycle of three, and one that hangs on it",
	    "a<c@1 b<a@2 c<b@3 d<b@4", "c: 1 2 3 4" },
	{ "References that go in a circle", "x<a,b,a,b", "a: 1 !a !b" },
	{ "References that turn two around", "c<a,b d<b,a", "a: 1 2 !a !b" },
	{ "the same reference many times", "b<a,a,a,a", "a: 1 !a" },
	{ "a message below its own answer", "a<b b<c c<a@9", "c: 1 2 3" },

	/*
	 * RFC 5256, step 1.B: a message that names no parent has none, but
	 * later messages may say that it has.
	 */
	{ "a root is not moved by who was before it", "c<x,a a", "a: 1 2" },
	{ "but by who comes after", "x a c<x,a", "x: 1 2 3" },
	{ "one who answers is moved by nobody", "x y a<y c<x,a",
	    "y: 2 3 4|x: 1" },
};

static struct thread_in
message(struct str word, size_t place)
{
	struct thread_in m = { .date_s = (int64_t)place, .has_date = true };
	struct str part, date, refs, ref;

	if (str_cut(word, '@', &word, &date)) {
		uint32_t n = 0;

		m.has_date = str_to_u32(date, 1000, &n);
		m.date_s = n;
	}
	(void)str_cut(word, '~', &word, &m.in_reply_to);
	(void)str_cut(word, '<', &part, &refs);
	if (!str_eq(part, S("-")))
		m.message_id = part;
	else
		m.sha256 = str_fmt(a, "sha%zu", place);
	while (refs.n > 0) {
		(void)str_cut(refs, ',', &ref, &refs);
		str_push(a, &m.references, ref);
	}
	return m;
}

static struct str
text(const struct threads *t)
{
	struct buf b;

	buf_init(&b, a, 1 << 16);
	for (size_t i = 0; i < t->n; i++) {
		const struct thread *v = &t->v[i];

		buf_fmt(&b, "%s%.*s:", i > 0 ? "|" : "", STR_ARG(v->id));
		for (size_t k = 0; k < v->n; k++)
			buf_fmt(&b, " %zu", v->member[k] + 1);
		for (size_t k = 0; k < v->missing.n; k++)
			buf_fmt(&b, " !%.*s", STR_ARG(v->missing.v[k]));
	}
	return buf_view(&b);
}

static size_t
read_row(const char *in, struct thread_in *m)
{
	struct str rest = str_of(in), word;
	size_t n = 0;

	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &word, &rest);
		m[n] = message(word, n + 1);
		n++;
	}
	return n;
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct thread_in m[32];
	size_t n = read_row(r->in, m);
	struct threads t;

	thread_make(a, m, n, &t);
	rows_same(text(&t), str_of(r->want));
	assert_false(t.over);
}

static void
facts(void **state)
{
	struct thread_in m[32];
	size_t n = read_row("a@5 b<a@? d<c@7 -@1", m);
	struct threads t;

	(void)state;
	thread_make(a, m, n, &t);
	assert_int_equal(t.n, 3);
	rows_same(text(&t), S("c: 3 !c|a: 1 2|sha4: 4"));
	assert_int_equal(t.v[0].root, THREAD_NONE);
	assert_int_equal(t.v[1].root, 0);
	assert_int_equal(t.v[1].first_s, 5);
	assert_int_equal(t.v[1].last_s, 5);
	assert_true(t.v[1].date_unknown);
	assert_false(t.v[0].date_unknown);
	assert_int_equal(t.v[0].kind, THREAD_MESSAGE_ID);
	assert_int_equal(t.v[2].kind, THREAD_SHA256);
	assert_string_equal(thread_kind_name(t.v[2].kind), "sha256-raw");
	assert_int_equal(thread_of(&t, S("a")), 1);
	assert_int_equal(thread_of(&t, S("b")), 1);
	assert_int_equal(thread_of(&t, S("c")), 0);
	assert_int_equal(thread_of(&t, S("sha4")), 2);
	assert_int_equal(thread_of(&t, S("e")), THREAD_NONE);
	assert_int_equal(thread_of(&t, S("")), THREAD_NONE);
}

/* -- many ------------------------------------------------------------------ */

enum {
	MANY = 100000
};

static struct str
id(size_t i)
{
	return str_fmt(a, "<%zu.abcdefgh@mail.lab.example>", i);
}

static struct thread_in *
many(void)
{
	struct thread_in *m = arena_array(a, MANY, sizeof(*m));

	for (size_t i = 0; i < MANY; i++)
		m[i] = (struct thread_in){ .message_id = id(i),
			.date_s = (int64_t)i,
			.has_date = true };
	return m;
}

/*
 * In processor time.  Sanitizers are about ten times as slow; a quadratic step
 * would be a thousand times.
 */
static void
in_time(const struct thread_in *m, struct threads *t)
{
	clock_t since = clock();

	thread_make(a, m, MANY, t);
	assert_true(clock() - since < 5 * CLOCKS_PER_SEC);
}

static void
chain(void **state)
{
	bool backwards = *state != NULL;
	struct thread_in *m = many();
	struct threads t;

	for (size_t i = 0; i < MANY; i++)
		if (i != (backwards ? MANY - 1 : 0))
			m[i].in_reply_to =
			    m[backwards ? i + 1 : i - 1].message_id;
	in_time(m, &t);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.v[0].n, MANY);
	assert_int_equal(t.v[0].root, backwards ? MANY - 1 : 0);
}

static void
circle(void **state)
{
	struct thread_in *m = many();
	struct threads t;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		m[i].in_reply_to = m[(i + 1) % MANY].message_id;
	in_time(m, &t);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.v[0].root, MANY - 1);
}

static void
star(void **state)
{
	struct thread_in *m = many();
	struct threads t;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		str_push(a, &m[i].references, S("<nobody@lab.example>"));
	in_time(m, &t);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.v[0].missing.n, 1);
	rows_same(t.v[0].id, S("<nobody@lab.example>"));
}

/* All refer to many unknown messages: there is a limit. */
static void
strangers(void **state)
{
	struct thread_in *m = many();
	struct str *each = arena_array(a, 22UL * MANY, sizeof(*each));
	struct threads t;

	(void)state;
	for (size_t i = 0; i < 22UL * MANY; i++)
		each[i] = str_fmt(a, "<%zu@x>", i);
	for (size_t i = 0; i < MANY; i++)
		m[i].references = (struct strs){ each + 22 * i, 22 };
	thread_make(a, m, MANY, &t);
	assert_true(t.over);
	assert_int_equal(t.n, MANY);
}

/* Random references: fast, and every message is in one thread. */
static void
tangle(void **state)
{
	struct thread_in *m = many();
	bool *seen = arena_array(a, MANY, sizeof(*seen));
	unsigned x = 12345;
	struct threads t;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		for (int k = 0; k < 8; k++) {
			x = x * 1103515245 + 12345;
			str_push(a, &m[i].references,
			    m[(x >> 8) % MANY].message_id);
		}
	}
	in_time(m, &t);
	for (size_t i = 0; i < t.n; i++) {
		for (size_t k = 0; k < t.v[i].n; k++) {
			assert_false(seen[t.v[i].member[k]]);
			seen[t.v[i].member[k]] = true;
		}
	}
	for (size_t i = 0; i < MANY; i++)
		assert_true(seen[i]);
}

/* Each big test has its own arena. */
static int
fresh(void **state)
{
	(void)state;
	arena_close(&a);
	a = arena_open(2 * LIMIT_ARENA);
	return 0;
}

int
main(void)
{
	static char backwards;
	int r;

	a = arena_open(LIMIT_ARENA);
	ROWS(rows, row);
	rows_add("dates, roots, kinds, and where an id is", facts, NULL);
	rows_add("a chain of 100000", chain, NULL);
	rows_add("the same, answers first", chain, &backwards);
	rows_add("a circle of 100000", circle, NULL);
	rows_add("100000 answers to nobody", star, NULL);
	rows_add("ids without end", strangers, NULL);
	rows_add("100000 at random", tangle, NULL);
	for (size_t i = 0; i < rows_n; i++)
		rows_tests[i].setup_func = fresh;
	r = cmocka_run_group_tests_name("source/thread", rows_tests, NULL,
	    NULL);
	arena_close(&a);
	return r;
}
