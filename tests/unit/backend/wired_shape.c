/* SPDX-License-Identifier: Apache-2.0 */
/* What travels between processes: that all of it does, and what is no struct.
 */
#include "../rows.h"

#include <stdlib.h>

#include "backend/wired/internal.h"

/* Every struct that travels, and what of it stays: callbacks, and padding. */
static const struct kind {
	const char *why;
	const struct wired_shape *shape;
	size_t stays;
} kinds[] = {
	{ "a text", &wired_shape_str, 0 },
	{ "texts", &wired_shape_strs, 0 },
	{ "a ref", &wired_shape_ref, 4 },
	{ "refs", &wired_shape_refs, 0 },
	{ "a folder that is next", &wired_shape_next, 4 },
	{ "a query", &wired_shape_query, 7 + 7 },
	{ "a change of flags", &wired_shape_change, 0 },
	{ "the state of a folder", &wired_shape_state, 4 },
	{ "a folder", &wired_shape_folder, 2 },
	/* and `said`, which no backend may say */
	{ "a row", &wired_shape_row, 4 + 4 + 6 + 16 },
	{ "a draft", &wired_shape_drafted, 0 },
	/* The code and the status come back, and the address does not. */
	{ "an addressee", &wired_shape_addressee, 24 },
	{ "an outcome", &wired_shape_outcome, 16 + 4 },
	/* look and its context */
	{ "a submission", &wired_shape_submission, 7 + 16 },
	{ "a line of a test", &wired_shape_probe, 6 },
	/* copied and its context */
	{ "how a move is made", &wired_shape_copying, 16 + 7 },
	{ "copies", &wired_shape_copied, 4 },
	{ "links", &wired_shape_linked, 0 },
	{ "progress", &wired_shape_progress, 0 },
	{ "an error", &wired_shape_fault, 0 },
	{ "what is to be signed", &wired_shape_sign, 0 },
	{ "the head of a request", &wired_shape_head, 5 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static size_t
field_size(const struct wired_field *f)
{
	switch (f->kind) {
	case WIRED_NUMBER:
	case WIRED_SIGNED:
		return f->size;
	case WIRED_TEXT:
		return sizeof(struct str);
	case WIRED_PART:
		return f->of->size;
	case WIRED_LIST:
	case WIRED_MAYBE:
		return sizeof(void *);
	}
	return 0;
}

/* A member that is added to a struct and not to its shape is seen here. */
static void
all_of_it_travels(void **state)
{
	const struct kind *k = *state;
	unsigned char met[1024] = { 0 };
	size_t stays = 0;

	assert_true(k->shape->size <= sizeof(met));
	for (size_t i = 0; i < k->shape->n; i++) {
		const struct wired_field *f = &k->shape->field[i];

		for (size_t b = 0; b < field_size(f); b++)
			met[f->at + b]++;
		for (size_t b = 0; f->kind == WIRED_LIST && b < 8; b++)
			met[f->n_at + b]++;
	}
	for (size_t b = 0; b < k->shape->size; b++) {
		assert_true(met[b] <= 1);
		stays += met[b] == 0;
	}
	assert_int_equal(stays, k->stays);
}

/* Fills every member; each gets another value. */
static unsigned filled;

static void fill(const struct wired_shape *s, char *to, struct arena *a);

static void
fill_field(const struct wired_field *f, char *to, struct arena *a)
{
	static const uint64_t some[] = { 0, 1, 127, 128, 16383, 16384,
		UINT64_MAX };
	uint64_t n = some[filled++ % 7];
	size_t two = 2;
	struct str s;
	char *p;

	switch (f->kind) {
	case WIRED_NUMBER:
		n = n < f->max ? n : f->max;
		memcpy(to + f->at, &n, f->size);
		break;
	case WIRED_SIGNED:
		n = filled % 2 ? n : (uint64_t)INT64_MIN + n / 2;
		memcpy(to + f->at, &n, f->size);
		break;
	case WIRED_TEXT:
		s = str_fmt(a, "%u\xc3\xbc%c%u", filled, 0, filled);
		memcpy(to + f->at, &s, sizeof(s));
		break;
	case WIRED_PART:
		fill(f->of, to + f->at, a);
		break;
	case WIRED_LIST:
		p = arena_array(a, two, f->of->size);
		fill(f->of, p, a);
		fill(f->of, p + f->of->size, a);
		memcpy(to + f->at, &p, sizeof(p));
		memcpy(to + f->n_at, &two, sizeof(two));
		break;
	case WIRED_MAYBE:
		p = arena_alloc(a, f->of->size);
		fill(f->of, p, a);
		memcpy(to + f->at, &p, sizeof(p));
		break;
	}
}

static void
fill(const struct wired_shape *s, char *to, struct arena *a)
{
	for (size_t i = 0; i < s->n; i++)
		fill_field(&s->field[i], to, a);
}

static void same(const struct wired_shape *s, const char *x, const char *y);

static void
same_field(const struct wired_field *f, const char *x, const char *y)
{
	struct str s, t;
	const char *p, *q;
	size_t n, m;

	p = q = NULL;
	if (f->kind == WIRED_LIST || f->kind == WIRED_MAYBE) {
		memcpy(&p, x + f->at, sizeof(p));
		memcpy(&q, y + f->at, sizeof(q));
	}
	switch (f->kind) {
	case WIRED_NUMBER:
	case WIRED_SIGNED:
		assert_memory_equal(x + f->at, y + f->at, f->size);
		break;
	case WIRED_TEXT:
		memcpy(&s, x + f->at, sizeof(s));
		memcpy(&t, y + f->at, sizeof(t));
		rows_same(t, s);
		break;
	case WIRED_PART:
		same(f->of, x + f->at, y + f->at);
		break;
	case WIRED_LIST:
		memcpy(&n, x + f->n_at, sizeof(n));
		memcpy(&m, y + f->n_at, sizeof(m));
		assert_int_equal(n, m);
		for (size_t i = 0; i < n; i++)
			same(f->of, p + i * f->of->size, q + i * f->of->size);
		break;
	case WIRED_MAYBE:
		assert_int_equal(p == NULL, q == NULL);
		if (p != NULL)
			same(f->of, p, q);
		break;
	}
}

static void
same(const struct wired_shape *s, const char *x, const char *y)
{
	for (size_t i = 0; i < s->n; i++)
		same_field(&s->field[i], x, y);
}

static struct str
bytes_of(const struct wired_shape *shape, const void *from, struct arena *a)
{
	struct wired_put o;

	wired_put_begin(&o, a);
	wired_put(&o, shape, from);
	assert_false(o.bad);
	assert_int_equal(o.fd, -1);
	return buf_view(&o.b);
}

/* Exactly as many bytes as there are, so that a sanitizer sees one too many. */
static bool
taken(const struct wired_shape *shape, struct str bytes, void *to,
    struct arena *a)
{
	char *p = malloc(bytes.n + 1);
	struct wired_take in;

	assert_non_null(p);
	memcpy(p + 1, bytes.p, bytes.n);
	in = wired_take_begin((struct str){ p + 1, bytes.n }, a);
	wired_take(&in, shape, to);
	free(p);
	return wired_take_end(&in);
}

/* Seven times, so that each number has each of the values. */
static void
what_arrives_is_what_was_sent(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct kind *k = *state;

	for (int i = 0; i < 7; i++) {
		char *x = arena_alloc(a, k->shape->size);
		char *y = arena_alloc(a, k->shape->size);
		struct wired_take in;
		struct str bytes;

		filled = (unsigned)i;
		fill(k->shape, x, a);
		bytes = bytes_of(k->shape, x, a);
		assert_true(bytes.n >= k->shape->n);
		in = wired_take_begin(str_dup(a, bytes), a);
		wired_take(&in, k->shape, y);
		assert_true(wired_take_end(&in));
		same(k->shape, x, y);
		rows_same(bytes_of(k->shape, y, a), bytes);
	}
}

/* And of no struct is a part, more than it, or one with another byte. */
static void
what_is_broken_is_refused(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct kind *k = *state;
	char *x = arena_alloc(a, k->shape->size);
	char *y = arena_alloc(a, k->shape->size);
	struct str bytes;
	char *p;

	filled = 3;
	fill(k->shape, x, a);
	bytes = bytes_of(k->shape, x, a);
	for (size_t n = 0; n < bytes.n; n++)
		assert_false(taken(k->shape, str_first(bytes, n), y, a));
	p = arena_alloc(a, bytes.n + 1);
	memcpy(p, bytes.p, bytes.n);
	assert_false(taken(k->shape, (struct str){ p, bytes.n + 1 }, y, a));
	for (size_t i = 0; i < bytes.n; i++) {
		p[i] = (char)~p[i];
		(void)taken(k->shape, (struct str){ p, bytes.n }, y, a);
		p[i] = (char)~p[i];
	}
}

/* Bytes that are no struct. */
static const struct odd {
	const char *why;
	const struct wired_shape *shape;
	struct str bytes;
	bool good;
} odds[] = {
	{ "a ref", &wired_shape_ref, SI("\x07\x01x"), true },
	{ "a uid of 32 bits", &wired_shape_ref, SI("\xff\xff\xff\xff\x0f\0"),
	    true },
	{ "a uid of 33 bits", &wired_shape_ref, SI("\x80\x80\x80\x80\x10\0"),
	    false },
	{ "a number longer than it needs to be", &wired_shape_ref,
	    SI("\x87\0\0"), false },
	{ "a number of 64 bits", &wired_shape_progress,
	    SI("\xff\xff\xff\xff\xff\xff\xff\xff\x7f\0"), true },
	{ "a number of more", &wired_shape_progress,
	    SI("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0"), false },
	{ "a number without an end", &wired_shape_progress,
	    SI("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0"), false },
	{ "a text longer than what is left", &wired_shape_ref, SI("\x07\x02x"),
	    false },
	{ "a text of 2^63", &wired_shape_ref,
	    SI("\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), false },
	{ "a list of two", &wired_shape_refs, SI("\x02\x01\0\x02\0"), true },
	{ "a list with a byte too few", &wired_shape_refs, SI("\x02\x01\0\x02"),
	    false },
	{ "a list of more than its cap", &wired_shape_refs,
	    SI("\xff\xff\xff\xff\x7f\0\0"), false },
	{ "a list of millions, and five bytes", &wired_shape_refs,
	    SI("\xc0\x8d\xb7\x01\x01\0\x02\0\x03"), false },
	{ "a list of 2^64", &wired_shape_refs,
	    SI("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0"), false },
	{ "a folder", &wired_shape_folder, SI("\x01x.\x01\x09"), true },
	{ "a role that is none", &wired_shape_folder, SI("\x01x.\x01\x0a"),
	    false },
	{ "a yes that is neither", &wired_shape_folder, SI("\x01x.\x02\x09"),
	    false },
	{ "flags that are none", &wired_shape_change, SI("\x08\0"), false },
	{ "a code of four digits", &wired_shape_outcome, SI("\xe8\x07\0"),
	    false },
};

static void
an_odd_one(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct odd *row = *state;
	char out[256] = { 0 };

	assert_true(row->shape->size <= sizeof(out));
	assert_int_equal(taken(row->shape, row->bytes, out, a), row->good);
}

/* Errors: reason and hint outlive the bytes, and a few kinds are of the gate.
 */
static void
an_error_travels(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct err x = { 0 }, y = { 0 };
	struct wired_put o;
	struct wired_take in;

	(void)state;
	(void)err_set(&x, ERR_REJECTED, "the server said no to %s", "all");
	(void)err_because(&x, "550 no");
	(void)err_conn(&x);
	x.reason = "not_actionable";
	(void)err_hint(&x, "write to whoever runs it");
	wired_put_begin(&o, a);
	wired_fault_put(&o, &x);
	in = wired_take_begin(buf_view(&o.b), a);
	wired_fault_take(&in, &y);
	assert_true(wired_take_end(&in));
	arena_close(&a);
	assert_int_equal(y.kind, ERR_REJECTED);
	assert_int_equal(y.scope, ERR_SCOPE_CONN);
	assert_string_equal(y.say, x.say);
	assert_string_equal(y.detail, x.detail);
	assert_string_equal(y.reason, x.reason);
	assert_string_equal(y.hint, x.hint);
}

static const struct fault {
	const char *why;
	struct wired_fault f;
	bool good;
} faults[] = {
	{ "an error", { .kind = ERR_LIMIT, .say = SI("x") }, true },
	{ "no error", { .kind = ERR_NONE }, false },
	{ "an approval is the gate's", { .kind = ERR_APPROVAL }, false },
	{ "a skill is the gate's", { .kind = ERR_SKILL }, false },
	{ "a reason is a word", { .kind = ERR_LIMIT, .reason = SI("A b") },
	    false },
};

static void
a_fault(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct fault *row = *state;
	struct wired_take in =
	    wired_take_begin(bytes_of(&wired_shape_fault, &row->f, a), a);
	struct err e = { 0 };

	wired_fault_take(&in, &e);
	assert_int_equal(wired_take_end(&in), row->good);
	assert_int_equal(e.kind, row->good ? row->f.kind : ERR_NONE);
}

/* Many different ones: the first are kept, and the others are left out. */
static void
hints_without_end_are_not_kept(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct err e = { 0 };

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct wired_fault f = { .kind = ERR_LIMIT,
			.hint = str_fmt(a, "hint %d", i) };
		struct wired_take in =
		    wired_take_begin(bytes_of(&wired_shape_fault, &f, a), a);

		wired_fault_take(&in, &e);
		assert_true(wired_take_end(&in));
		assert_true(i > 50 || strcmp(e.hint, str_c(a, f.hint)) == 0);
	}
	assert_null(e.hint);
}

int
main(void)
{
	ROWS(kinds, all_of_it_travels);
	ROWS(kinds, what_arrives_is_what_was_sent);
	ROWS(kinds, what_is_broken_is_refused);
	ROWS(odds, an_odd_one);
	ROWS(faults, a_fault);
	rows_add("an error travels", an_error_travels, NULL);
	rows_add("hints without end are not kept",
	    hints_without_end_are_not_kept, NULL);
	return cmocka_run_group_tests_name("backend/wired_shape", rows_tests,
	    NULL, NULL);
}
