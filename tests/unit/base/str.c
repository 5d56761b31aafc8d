/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/str.h"

static struct find {
	const char *why;
	struct str s, needle;
	ptrdiff_t want, want_case;
} finds[] = {
	{ "nothing is found at the start", SI("abc"), SI(""), 0, 0 },
	{ "nothing is found in nothing", { NULL, 0 }, { NULL, 0 }, 0, 0 },
	{ "something is not in nothing", { NULL, 0 }, SI("a"), -1, -1 },
	{ "a longer needle is not found", SI("abc"), SI("abcd"), -1, -1 },
	{ "a needle at the end", SI("xxabc"), SI("abc"), 2, 2 },
	{ "case counts only when asked", SI("xxABC"), SI("abc"), -1, 2 },
	{ "the first of two", SI("aabaab"), SI("aab"), 0, 0 },
	{ "a periodic needle", SI("abababac"), SI("ababac"), 2, 2 },
	{ "an almost periodic needle", SI("aaaaaab"), SI("aaab"), 3, 3 },
	{ "8-bit bytes have no case", SI("\xC3\x84"), SI("\xC3\xA4"), -1, -1 },
	{ "a NUL is a byte like others", SI("a\0b\0c"), SI("\0C"), -1, 3 },
	{ "the byte before A is no letter", SI("a@b"), SI("`"), -1, -1 },
};

static void
find(void **state)
{
	const struct find *r = *state;

	assert_int_equal(str_find(r->s, r->needle), r->want);
	assert_int_equal(str_find_case(r->s, r->needle), r->want_case);
}

static ptrdiff_t
find_slowly(struct str s, struct str x)
{
	for (size_t i = 0; i + x.n <= s.n; i++)
		if (str_eq_case((struct str){ s.p + i, x.n }, x))
			return (ptrdiff_t)i;
	return -1;
}

/* Every text of two letters up to 10 long, every needle up to 6. */
static void
find_all(void **state)
{
	char s[10], x[6];

	(void)state;
	for (unsigned i = 0; i < 1u << 10; i++) {
		for (size_t k = 0; k < 10; k++)
			s[k] = i >> k & 1 ? 'a' : 'B';
		for (unsigned n = 1; n <= 6; n++) {
			for (unsigned j = 0; j < 1u << n; j++) {
				struct str hay = { s, 10 }, needle = { x, n };

				for (size_t k = 0; k < n; k++)
					x[k] = j >> k & 1 ? 'A' : 'b';
				assert_int_equal(str_find_case(hay, needle),
				    find_slowly(hay, needle));
			}
		}
	}
}

static struct number {
	const char *why;
	struct str s;
	uint64_t max;
	bool ok;
	uint64_t want;
} numbers[] = {
	{ "zero is a number", SI("0"), 9, true, 0 },
	{ "leading zeros are digits too", SI("007"), 9, true, 7 },
	{ "the maximum is allowed", SI("4294967295"), UINT32_MAX, true,
	    UINT32_MAX },
	{ "one more than the maximum is not", SI("4294967296"), UINT32_MAX,
	    false, 0 },
	{ "the greatest of all", SI("18446744073709551615"), UINT64_MAX, true,
	    UINT64_MAX },
	{ "one more than the greatest", SI("18446744073709551616"), UINT64_MAX,
	    false, 0 },
	{ "many digits do not wrap round", SI("99999999999999999999999"),
	    UINT64_MAX, false, 0 },
	{ "a digit above a small maximum", SI("5"), 4, false, 0 },
	{ "a maximum of zero", SI("0"), 0, true, 0 },
	{ "empty is no number", SI(""), 9, false, 0 },
	{ "a sign is refused", SI("+1"), 9, false, 0 },
	{ "a minus is refused", SI("-1"), 9, false, 0 },
	{ "space is refused", SI(" 1"), 9, false, 0 },
	{ "hex is refused", SI("0x1"), 99, false, 0 },
	{ "bytes behind it are refused", SI("1\0"), 99, false, 0 },
};

static void
number(void **state)
{
	const struct number *r = *state;
	uint64_t v = 12345;
	uint32_t w = 12345;

	assert_int_equal(str_to_u64(r->s, r->max, &v), r->ok);
	assert_int_equal(v, r->ok ? r->want : 12345);
	if (r->max > UINT32_MAX)
		return;
	assert_int_equal(str_to_u32(r->s, (uint32_t)r->max, &w), r->ok);
	assert_int_equal(w, r->ok ? r->want : 12345);
}

static struct cut {
	const char *why;
	struct str s, head, tail;
	bool found;
} cuts[] = {
	{ "cut at the first", SI("a=b=c"), SI("a"), SI("b=c"), true },
	{ "no such character: all is head", SI("abc"), SI("abc"), SI(""),
	    false },
	{ "at the start", SI("=b"), SI(""), SI("b"), true },
	{ "at the end", SI("a="), SI("a"), SI(""), true },
	{ "nothing to cut", { NULL, 0 }, SI(""), SI(""), false },
};

static void
cut(void **state)
{
	const struct cut *r = *state;
	struct str head, tail;

	assert_int_equal(str_cut(r->s, '=', &head, &tail), r->found);
	rows_same(head, r->head);
	rows_same(tail, r->tail);
}

static struct order {
	const char *why;
	struct str x, y;
	int sign;
} orders[] = {
	{ "equal", SI("ab"), SI("ab"), 0 },
	{ "a beginning is less", SI("a"), SI("ab"), -1 },
	{ "bytes come before length", SI("b"), SI("ab"), 1 },
	{ "bytes are unsigned", SI("\xff"), SI("a"), 1 },
	{ "nothing equals nothing", { NULL, 0 }, SI(""), 0 },
};

static void
order(void **state)
{
	const struct order *r = *state;
	int c = str_cmp(r->x, r->y);

	assert_int_equal((c > 0) - (c < 0), r->sign);
	assert_int_equal(str_eq(r->x, r->y), r->sign == 0);
}

static void
ends(void **state)
{
	(void)state;
	assert_true(str_starts(S("INBOX"), S("IN")));
	assert_false(str_starts(S("INBOX"), S("in")));
	assert_true(str_starts_case(S("INBOX"), S("in")));
	assert_false(str_starts(S("I"), S("IN")));
	assert_true(str_ends(S("a.eml"), S(".eml")));
	assert_false(str_ends(S("a.EML"), S(".eml")));
	assert_true(str_ends_case(S("a.EML"), S(".eml")));
	assert_false(str_ends_case(S("l"), S(".eml")));
	assert_true(str_has_char(S("a\0b"), '\0'));
	assert_false(str_has_char(S("ab"), '\0'));
	assert_false(str_eq_case(S("ab"), S("abc")));
	assert_true(str_eq_case(S("Ab"), S("aB")));
}

static void
views(void **state)
{
	(void)state;
	rows_same(str_trim(S(" \t\r\n a b \n")), S("a b"));
	rows_same(str_trim(S(" \t")), S(""));
	rows_same(str_trim(S("\v")), S("\v"));
	rows_same(str_trim_end(S(" a \n \n"), S("\n")), S(" a \n "));
	rows_same(str_trim_end(S(" a \n \n"), S(" \n")), S(" a"));
	rows_same(str_trim_end(S("\n "), S(" \n")), S(""));
	rows_same(str_from(S("abc"), 1), S("bc"));
	rows_same(str_from(S("abc"), 9), S(""));
	rows_same(str_from((struct str){ NULL, 0 }, 9), S(""));
	rows_same(str_first(S("abc"), 2), S("ab"));
	rows_same(str_first(S("abc"), 9), S("abc"));
	rows_same(str_of(NULL), S(""));
}

static void
copies(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct strs l = { 0 };
	struct str s;

	(void)state;
	s = str_dup(a, S("a\0b"));
	rows_same(s, S("a\0b"));
	assert_int_equal(s.p[3], 0);
	assert_string_equal(str_c(a, (struct str){ NULL, 0 }), "");
	rows_same(str_lower(a, S("A\xC3\x84Z[@")), S("a\xC3\x84z[@"));
	rows_same(str_fmt(a, "%d-%.*s", 7, STR_ARG(S("xyz"))), S("7-xyz"));
	for (uint32_t i = 0; i < 1000; i++)
		str_push(a, &l, str_fmt(a, "%u", i));
	assert_int_equal(l.n, 1000);
	for (uint32_t i = 0, v; i < 1000; i++) {
		assert_true(str_to_u32(l.v[i], 1000, &v));
		assert_int_equal(v, i);
	}
}

static void
among(void **state)
{
	struct str v[] = { SI("a"), SI("Bc"), SI("") };
	struct strs l = { .v = v, .n = 3 }, none = { 0 };

	(void)state;
	assert_true(str_among(&l, S("Bc")));
	assert_true(str_among(&l, S("")));
	assert_false(str_among(&l, S("bC")));
	assert_false(str_among(&l, S("B")));
	assert_true(str_among_case(&l, S("bC")));
	assert_false(str_among_case(&l, S("b")));
	assert_false(str_among(&none, S("")));
	assert_false(str_among_case(&none, S("")));
}

/* By the vectors of the draft of FNV, draft-eastlake-fnv. */
static void
hash(void **state)
{
	(void)state;
	assert_true(str_hash(STR_HASH, S("")) == STR_HASH);
	assert_true(str_hash(STR_HASH, S("a")) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(
	    str_hash(STR_HASH, S("foobar")) == UINT64_C(0x85944171f73967e8));
	assert_true(str_hash(str_hash(STR_HASH, S("foo")), S("bar")) ==
	    str_hash(STR_HASH, S("foobar")));
}

static void
hex(void **state)
{
	(void)state;
	assert_int_equal(str_hex('0'), 0);
	assert_int_equal(str_hex('9'), 9);
	assert_int_equal(str_hex('a'), 10);
	assert_int_equal(str_hex('F'), 15);
	assert_int_equal(str_hex('g'), -1);
	assert_int_equal(str_hex('@'), -1);
	assert_int_equal(str_hex('\0'), -1);
}

int
main(void)
{
	ROWS(finds, find);
	rows_add("searching agrees with the slow way", find_all, NULL);
	ROWS(numbers, number);
	ROWS(cuts, cut);
	ROWS(orders, order);
	rows_add("beginnings and ends, with and without case", ends, NULL);
	rows_add("views stay within their text", views, NULL);
	rows_add("copies end in a NUL and lists keep order", copies, NULL);
	rows_add("what is among texts, with and without case", among, NULL);
	rows_add("FNV-1a, at once and in pieces", hash, NULL);
	rows_add("a hexadecimal digit of either case", hex, NULL);
	return cmocka_run_group_tests_name("base/str", rows_tests, NULL, NULL);
}
