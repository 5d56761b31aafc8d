/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses: above all the strict reading, because a whitelist depends on it.
 */
#include "../rows.h"

#include "mime/address.h"

#define A_E "\xC3\xA4"      /* a with diaeresis, composed */
#define A_E_NFD "a\xCC\x88" /* the same as two characters */
#define U_E "\xC3\xBC"

struct row {
	const char *why;
	struct str in;
	const char *want; /* NULL: refused */
};

static const struct row soles[] = {
	{ "an addr-spec alone", SI("bob@b.example"), "bob@b.example" },
	{ "an addr-spec in brackets", SI("<bob@b.example>"), "bob@b.example" },
	{ "a name before it", SI("Bob <bob@b.example>"), "bob@b.example" },
	{ "a name of two words", SI(" Bob  Bee <bob@b.example> "),
	    "bob@b.example" },
	{ "a name in quotes", SI("\"Bee, Bob\" <bob@b.example>"),
	    "bob@b.example" },
	{ "a name with escapes", SI("\"Bob \\\"B\\\" Bee\" <bob@b.example>"),
	    "bob@b.example" },
	{ "a name with a dot, which moves nothing",
	    SI("B. Bee <bob@b.example>"), "bob@b.example" },
	{ "a name in UTF-8", SI("B" U_E " <bob@b.example>"), "bob@b.example" },
	{ "a name in an encoded word",
	    SI("=?utf-8?q?B=C3=BC?= <bob@b.example>"), "bob@b.example" },
	{ "a comment behind", SI("bob@b.example (Bob)"), "bob@b.example" },
	{ "a comment before", SI("(Bob) bob@b.example"), "bob@b.example" },
	{ "a fold", SI("Bob\r\n <bob@b.example>"), "bob@b.example" },
	{ "a fold of a bare LF", SI("Bob\n\t<bob@b.example>"),
	    "bob@b.example" },
	{ "capitals", SI("Bob@B.EXAMPLE"), "bob@b.example" },
	{ "a plus and other signs", SI("b+o=b/x@b.example"),
	    "b+o=b/x@b.example" },
	{ "a local part quoted for nothing", SI("\"bob\"@b.example"),
	    "bob@b.example" },
	{ "a letter escaped for nothing", SI("\"b\\ob\"@b.example"),
	    "bob@b.example" },
	{ "a local part that needs quotes", SI("\"b b\"@b.example"),
	    "\"b b\"@b.example" },
	{ "the root's dot", SI("bob@b.example."), "bob@b.example" },
	{ "an underscore in a domain", SI("bob@b_b.example"),
	    "bob@b_b.example" },
	{ "a host without a domain", SI("root@localhost"), "root@localhost" },
	{ "an address literal", SI("bob@[192.0.2.1]"), "bob@[192.0.2.1]" },
	{ "a U-label", SI("bob@b" U_E "cher.example"),
	    "bob@xn--bcher-kva.example" },
	{ "its A-label", SI("bob@xn--bcher-kva.example"),
	    "bob@xn--bcher-kva.example" },
	{ "its A-label in capitals", SI("bob@XN--BCHER-KVA.EXAMPLE"),
	    "bob@xn--bcher-kva.example" },
	{ "a U-label of two characters",
	    SI("bob@bu\xCC\x88"
	       "cher.example"),
	    "bob@xn--bcher-kva.example" },
	{ "a local part in UTF-8", SI("b" A_E "r@b.example"),
	    "b" A_E "r@b.example" },
	{ "the same decomposed", SI("b" A_E_NFD "r@b.example"),
	    "b" A_E "r@b.example" },
	{ "the address itself as its name",
	    SI("\"bob@b.example\" <Bob@B.example>"), "bob@b.example" },
	{ "the address itself in quotes in the name",
	    SI("\"'bob@b.example'\" <bob@b.example>"), "bob@b.example" },
	{ "a handle in the name", SI("\"Bob @bob\" <bob@b.example>"),
	    "bob@b.example" },
	{ "an at sign between words", SI("\"Bob @ work\" <bob@b.example>"),
	    "bob@b.example" },

	/* A name or comment never decides (a warning reports it). */
	{ "another address as the quoted name",
	    SI("\"bob@b.example\" <eve@e.example>"), "eve@e.example" },
	{ "another address within the name",
	    SI("\"Bob <bob@b.example>\" <eve@e.example>"), "eve@e.example" },
	{ "another address and words", SI("\"jane@x via Tracker\" <tracker@y>"),
	    "tracker@y" },
	{ "two others and a comma",
	    SI("\"a@x.example, b@y.example\" <eve@e.example>"),
	    "eve@e.example" },
	{ "another address with an at sign escaped",
	    SI("\"bob\\@b.example\" <eve@e.example>"), "eve@e.example" },
	{ "another address with a full-width sign",
	    SI("\"bob\xEF\xBC\xA0"
	       "b.example\" <eve@e.example>"),
	    "eve@e.example" },
	{ "another address in a comment", SI("eve@e.example (bob@b.example)"),
	    "eve@e.example" },
	{ "an address in a comment before", SI("(bob@b.example) eve@e.example"),
	    "eve@e.example" },
	{ "an address in a comment between",
	    SI("Eve (bob@b.example) <eve@e.example>"), "eve@e.example" },
	{ "another address in an encoded word",
	    SI("=?utf-8?q?bob=40b=2Eexample?= <eve@e.example>"),
	    "eve@e.example" },
	{ "the same cut in two",
	    SI("=?utf-8?q?bob=40b?= =?utf-8?q?=2Eexample_via?= Tracker "
	       "<eve@e.example>"),
	    "eve@e.example" },
	{ "the same in quotes",
	    SI("\"=?utf-8?q?bob=40b.example?=\" <eve@e.example>"),
	    "eve@e.example" },
	{ "the same in a comment",
	    SI("eve@e.example (=?utf-8?q?bob=40b.example?=)"),
	    "eve@e.example" },
	{ "a comma in an encoded word",
	    SI("=?utf-8?q?B=C3=BC=2C_Bob?= <bob@b.example>"), "bob@b.example" },

	{ "nothing", SI(""), NULL },
	{ "white space", SI("  "), NULL },
	{ "no domain", SI("bob"), NULL },
	{ "an empty domain", SI("bob@"), NULL },
	{ "an empty local part", SI("@b.example"), NULL },
	{ "an empty local part in quotes", SI("\"\"@b.example"), NULL },
	{ "the null path", SI("<>"), NULL },
	{ "two addresses", SI("bob@b.example, eve@e.example"), NULL },
	{ "the same twice", SI("bob@b.example, bob@b.example"), NULL },
	{ "an empty item behind", SI("bob@b.example,"), NULL },
	{ "an empty item before", SI(",bob@b.example"), NULL },
	{ "two in brackets", SI("<bob@b.example> <eve@e.example>"), NULL },
	{ "an address for a name", SI("bob@b.example <eve@e.example>"), NULL },
	{ "an address behind the brackets", SI("<eve@e.example> bob@b.example"),
	    NULL },
	{ "brackets in an encoded word",
	    SI("=?utf-8?b?PGJvYkBiLmV4YW1wbGU+?= <eve@e.example>"), NULL },
	{ "a NUL in an encoded word",
	    SI("=?utf-8?q?bob=40b=2Eexample=00?= <eve@e.example>"), NULL },
	{ "a line end in an encoded word",
	    SI("=?utf-8?q?bob=40b=2Eexample=0A?= <eve@e.example>"), NULL },
	{ "an escape character in an encoded word",
	    SI("=?utf-8?q?bob=40b=2Eexample=1B?= <eve@e.example>"), NULL },
	{ "a comma and an address in an encoded word",
	    SI("=?utf-8?q?bob=40b=2Eexample=2C?= <eve@e.example>"), NULL },
	{ "the same of two words",
	    SI("=?utf-8?q?bob=40b=2Eex?= =?utf-8?q?ample=2C?= <eve@e.example>"),
	    NULL },
	{ "a group in an encoded word",
	    SI("=?utf-8?q?us=3A_bob=40b=2Eexample=3B?= <eve@e.example>"),
	    NULL },
	{ "a quote in an encoded word in quotes",
	    SI("\"=?utf-8?q?=22_=3Cbob=40b=2Eexample=3E?=\" <eve@e.example>"),
	    NULL },
	{ "the end of a comment in an encoded word in one",
	    SI("(=?utf-8?q?=29_bob=40b=2Eexample_=28?=) eve@e.example"), NULL },
	{ "an address behind an escaped quote",
	    SI("\"Eve\\\" <bob@b.example>\" <eve@e.example>"), NULL },
	{ "an address for a name, with a name",
	    SI("Bob bob@b.example <eve@e.example>"), NULL },
	{ "a handle that is not quoted", SI("@bob <eve@e.example>"), NULL },
	{ "a quote that is never closed before an address",
	    SI("\"bob@b.example <eve@e.example>"), NULL },
	{ "a quote too many", SI("\"bob@b.example\"\" <eve@e.example>"), NULL },
	{ "an address in a nested comment",
	    SI("eve@e.example ((bob@b.example))"), NULL },
	{ "a group around a name that holds an address",
	    SI("us: \"bob@b.example\" <eve@e.example>;"), NULL },
	{ "an encoded word as local part",
	    SI("=?utf-8?q?bob=40b=2Eexample?=@e.example"), NULL },
	{ "an at sign in a quoted local part",
	    SI("\"bob@b.example\"@e.example"), NULL },
	{ "brackets in a quoted local part", SI("\"<bob>\"@e.example"), NULL },
	{ "a quote that hides the end",
	    SI("\"eve@e.example>, <bob\"@b.example"), NULL },
	{ "a group", SI("us: bob@b.example;"), NULL },
	{ "an empty group", SI("us:;"), NULL },
	{ "a route", SI("<@e.example:bob@b.example>"), NULL },
	{ "a route without brackets", SI("@e.example:bob@b.example"), NULL },
	{ "space before the at", SI("bob @b.example"), NULL },
	{ "space behind the at", SI("bob@ b.example"), NULL },
	{ "space round a dot", SI("bob@b . example"), NULL },
	{ "a comment at the at", SI("bob(x)@b.example"), NULL },
	{ "a comment in the domain", SI("bob@b(x).example"), NULL },
	{ "a comment in the brackets", SI("<bob@b.example(x)>"), NULL },
	{ "a nested comment", SI("bob@b.example (a (b))"), NULL },
	{ "an escape in a comment", SI("bob@b.example (a \\) b)"), NULL },
	{ "a comment that does not end", SI("bob@b.example (Bob"), NULL },
	{ "a quote that does not end", SI("\"Bob <bob@b.example>"), NULL },
	{ "a bracket that does not end", SI("Bob <bob@b.example"), NULL },
	{ "a bracket too many", SI("Bob <bob@b.example>>"), NULL },
	{ "brackets in brackets", SI("<<bob@b.example>>"), NULL },
	{ "a dot at the end of a local part", SI("bob.@b.example"), NULL },
	{ "a dot at its beginning", SI(".bob@b.example"), NULL },
	{ "two dots in a local part", SI("b..b@b.example"), NULL },
	{ "two dots in a domain", SI("bob@b..example"), NULL },
	{ "two dots behind a domain", SI("bob@b.example.."), NULL },
	{ "two at signs", SI("bob@e.example@b.example"), NULL },
	{ "a NUL", SI("bob@b.example\0"), NULL },
	{ "a NUL in a name", SI("Bob\0 <bob@b.example>"), NULL },
	{ "a bare CR", SI("Bob\r <bob@b.example>"), NULL },
	{ "a bare LF", SI("Bob\nX <bob@b.example>"), NULL },
	{ "a folded line of nothing", SI("Bob\r\n \r\n <bob@b.example>"),
	    NULL },
	{ "a folded line of nothing at the end", SI("bob@b.example\r\n "),
	    NULL },
	{ "an escape character", SI("Bob\x1b <bob@b.example>"), NULL },
	{ "DEL", SI("bob\x7f@b.example"), NULL },
	{ "a C1 control", SI("bob@b.example (\xC2\x85)"), NULL },
	{ "bytes that are not UTF-8", SI("B\xFC <bob@b.example>"), NULL },
	{ "an overlong at sign",
	    SI("bob\xC1\x80"
	       "b.example"),
	    NULL },
	{ "a full-width at sign in the local part",
	    SI("bob\xEF\xBC\xA0"
	       "b@e.example"),
	    NULL },
	{ "a full-width at sign in the domain",
	    SI("bob@e\xEF\xBC\xA0"
	       "b.example"),
	    NULL },
	{ "a zero-width space in the local part",
	    SI("bo\xE2\x80\x8B"
	       "b@b.example"),
	    NULL },
	{ "a direction mark in the local part",
	    SI("bo\xE2\x80\xAE"
	       "b@b.example"),
	    NULL },
	{ "a no-break space in the local part",
	    SI("bo\xC2\xA0"
	       "b@b.example"),
	    NULL },
	{ "a slash that IDNA would make", SI("bob@e\xE2\x84\x80.example"),
	    NULL },
	{ "an A-label that decodes to nothing", SI("bob@xn--0.example"), NULL },
	{ "a colon in a domain", SI("bob@b.example:25"), NULL },
	{ "a sign in a domain", SI("bob@b%e.example"), NULL },
	{ "an empty address literal", SI("bob@[]"), NULL },
	{ "an address literal with a bracket", SI("bob@[1[2]"), NULL },
	{ "a literal with a domain behind", SI("bob@[1].b.example"), NULL },
};

static void
sole(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str got = { 0 };
	struct str again = { 0 };
	int n = address_sole(a, r->in, &got);

	assert_int_equal(n, r->want != NULL);
	if (n == 0)
		return;
	rows_same(got, str_of(r->want));
	assert_int_equal(address_sole(a, got, &again), 1);
	rows_same(again, got);
}

/* Lookalikes are other people, and never equal to the original. */
static const struct row others[] = {
	{ "a Cyrillic letter in the domain", SI("bob@b.ex\xD0\xB0mple"), NULL },
	{ "a Cyrillic letter in the local part",
	    SI("b\xD0\xBE"
	       "b@b.example"),
	    NULL },
	{ "a Greek letter",
	    SI("b\xCE\xBF"
	       "b@b.example"),
	    NULL },
	{ "a dotless i",
	    SI("b\xC4\xB1"
	       "b@b.example"),
	    NULL },
	{ "a sub-domain", SI("bob@x.b.example"), NULL },
	{ "a longer name", SI("notbob@b.example"), NULL },
	{ "a name with a tail", SI("bob@b.example.evil.example"), NULL },
	{ "a quoted space", SI("\"bob \"@b.example"), NULL },
};

static void
other(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str got = { 0 };

	if (address_sole(a, r->in, &got) == 1)
		assert_false(str_eq(got, S("bob@b.example")));
}

static const struct row canonicals[] = {
	{ "typed as it is compared", SI("bob@b.example"), "bob@b.example" },
	{ "typed in capitals", SI("BOB@B.Example"), "bob@b.example" },
	{ "typed in quotes", SI("\"Bob\"@b.example"), "bob@b.example" },
	{ "typed with a root's dot", SI("bob@b.example."), "bob@b.example" },
	{ "typed with an at sign in quotes", SI("\"a@b\"@c.example"),
	    "\"a@b\"@c.example" },
	{ "quotes and backslashes stay escaped", SI("\"a\\\"\\\\\"@c.example"),
	    "\"a\\\"\\\\\"@c.example" },
	{ "typed as a U-label", SI("bob@B" U_E "CHER.example"),
	    "bob@xn--bcher-kva.example" },
	{ "an ideographic full stop",
	    SI("bob@b\xE3\x80\x82"
	       "example"),
	    NULL },
	{ "sharp s is not ss",
	    SI("bob@stra\xC3\x9F"
	       "e.example"),
	    "bob@xn--strae-oqa.example" },
	{ "an IPv6 literal as written", SI("bob@[IPv6:2001:DB8::1]"),
	    "bob@[IPv6:2001:DB8::1]" },
	{ "the Kelvin sign is not a K", SI("\xE2\x84\xAA@b.example"),
	    "\xE2\x84\xAA@b.example" },
	{ "typed with a name", SI("Bob <bob@b.example>"), NULL },
	{ "typed with brackets", SI("<bob@b.example>"), NULL },
	{ "typed with a space", SI(" bob@b.example"), NULL },
	{ "typed with a line end", SI("bob@b.example\n"), NULL },
	{ "typed with a NUL", SI("bob@b.example\0"), NULL },
	{ "typed without an at", SI("b.example"), NULL },
	{ "two, typed", SI("bob@b.example,eve@e.example"), NULL },
	{ "a domain alone is no address", SI("@b.example"), NULL },
};

static void
canonical(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct str got = { 0 };
	struct str again = { 0 };
	int n = address_canonical(a, r->in, &got, &e);

	assert_int_equal(n, r->want != NULL ? 0 : -1);
	if (n < 0) {
		assert_int_equal(e.kind, ERR_USAGE);
		return;
	}
	rows_same(got, str_of(r->want));
	assert_int_equal(address_canonical(a, got, &again, &e), 0);
	rows_same(again, got);
}

static const struct row entries[] = {
	{ "an entry may be an address", SI("Bob@B.example"), "bob@b.example" },
	{ "an entry may be a domain", SI("@B.Example."), "@b.example" },
	{ "an entry may be a U-label", SI("@b" U_E "cher.example"),
	    "@xn--bcher-kva.example" },
	{ "an entry is not a bare domain", SI("b.example"), NULL },
	{ "an entry is not an at sign", SI("@"), NULL },
	{ "an entry has no pattern", SI("@*.example"), NULL },
	{ "an entry has no second at", SI("@a@b.example"), NULL },
	{ "an entry has no space", SI("@b.example "), NULL },
};

static void
entry(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct str got = { 0 };
	int n = address_entry(a, r->in, &got, &e);

	assert_int_equal(n, r->want != NULL ? 0 : -1);
	if (n == 0)
		rows_same(got, str_of(r->want));
	else
		assert_int_equal(e.kind, ERR_USAGE);
}

static const struct wire_row {
	const char *why;
	struct str in;
	const char *want;
	bool utf8;
} wires[] = {
	{ "a local part keeps its case", SI("Bob@B.Example"), "Bob@b.example",
	    false },
	{ "a U-label goes as A-label", SI("bob@b" U_E "cher.example"),
	    "bob@xn--bcher-kva.example", false },
	{ "a UTF-8 local part takes its domain along",
	    SI("b" U_E "@xn--bcher-kva.example"),
	    "b" U_E "@b" U_E "cher.example", true },
	{ "needless quotes go", SI("\"bob\"@b.example"), "bob@b.example",
	    false },
	{ "a space never goes out", SI("\"b b\"@b.example"), NULL, false },
	{ "a bracket never goes out", SI("\"b>b\"@b.example"), NULL, false },
	{ "CR LF never goes out", SI("bob@b.example>\r\nRCPT TO:<e@e.example"),
	    NULL, false },
	{ "an escaped CR never goes out", SI("\"b\\\rb\"@b.example"), NULL,
	    false },
	{ "a NUL never goes out", SI("bob\0@b.example"), NULL, false },
};

static void
wire(void **state)
{
	const struct wire_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct str got = { 0 };
	bool utf8 = !r->utf8;
	int n = address_wire(a, r->in, &got, &utf8, &e);

	assert_int_equal(n, r->want != NULL ? 0 : -1);
	if (n < 0)
		return;
	rows_same(got, str_of(r->want));
	assert_int_equal(utf8, r->utf8);
}

static void
lengths(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str local = rows_repeat(a, S("a"), LIMIT_ADDRESS - 10);
	struct str got;
	struct err e;

	(void)state;
	assert_int_equal(address_canonical(a,
			     str_fmt(a, "%.*s@b.example", STR_ARG(local)), &got,
			     &e),
	    0);
	assert_int_equal(got.n, LIMIT_ADDRESS);
	assert_int_equal(address_canonical(a,
			     str_fmt(a, "%.*s@bb.example", STR_ARG(local)),
			     &got, &e),
	    -1);
	assert_int_equal(address_sole(a,
			     str_fmt(a, "%.*s@bb.example", STR_ARG(local)),
			     &got),
	    0);
	local = rows_repeat(a, S("a"), 64);
	assert_int_equal(address_canonical(a,
			     str_fmt(a, "b@%.*s.example", STR_ARG(local)), &got,
			     &e),
	    -1);
}

static void
domain(void **state)
{
	(void)state;
	rows_same(address_domain(S("a@b.example")), S("b.example"));
	rows_same(address_domain(S("\"a@x\"@b.example")), S("b.example"));
	rows_same(address_domain(S("a")), S(""));
	rows_same(address_domain(S("")), S(""));
	rows_same(address_domain(S("a@")), S(""));
}

int
main(void)
{
	ROWS(soles, sole);
	ROWS(others, other);
	ROWS(canonicals, canonical);
	ROWS(entries, entry);
	ROWS(wires, wire);
	rows_add("an address has a length", lengths, NULL);
	rows_add("the domain is behind the last at", domain, NULL);
	return cmocka_run_group_tests_name("mime/address", rows_tests, NULL,
	    NULL);
}
