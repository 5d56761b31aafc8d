/* SPDX-License-Identifier: Apache-2.0 */
/* DNS responses, complete, unusual and cut at every byte. */
#include "source/dns.h"

#include "../rows.h"
#include "base/buf.h"

#define HEAD(answers) "\x00\x01\x81\x80\x00\x01\x00" answers "\x00\x00\x00\x00"
/* _imaps._tcp.b.example SRV IN; "example" is at 28. */
#define ASKED                                                                  \
	"\x06_imaps\x04_tcp\x01"                                               \
	"b\x07"                                                                \
	"example\x00\x00\x21\x00\x01"
#define SRV(length, prio, weight, port, name)                                  \
	"\xc0\x0c\x00\x21\x00\x01\x00\x00\x00\x3c\x00" length "\x00" prio      \
	"\x00" weight port name
#define TEXT(x)                                                                \
	{                                                                      \
		(x), sizeof(x) - 1                                             \
	}

static const struct row {
	const char *why;
	struct str in;
	const char *want;
} rows[] = {
	{ "one record",
	    TEXT(HEAD("\x01") ASKED SRV("\x13", "\x05", "\x00", "\x03\xe1",
		"\x01"
		"a\x01"
		"b\x07"
		"example\x00")),
	    "5/0 a.b.example:993" },
	{ "a compressed name",
	    TEXT(HEAD("\x01") ASKED SRV("\x0a", "\x05", "\x00", "\x03\xe1",
		"\x01"
		"A\xc0\x18")),
	    "5/0 a.b.example:993" },
	{ "the best comes first",
	    TEXT(HEAD("\x03") ASKED SRV("\x0a", "\x05", "\x01", "\x00\x01",
		"\x01"
		"a\xc0\x18") SRV("\x0a", "\x05", "\x09", "\x00\x02",
		"\x01"
		"b\xc0\x18") SRV("\x0a", "\x01", "\x00", "\x00\x03",
		"\x01"
		"c\xc0\x18")),
	    "1/0 c.b.example:3 5/9 b.b.example:2 5/1 a.b.example:1" },
	{ "a service that is not offered",
	    TEXT(HEAD("\x01")
		    ASKED SRV("\x07", "\x00", "\x00", "\x00\x00", "\x00")),
	    "0/0 :0" },
	{ "no record", TEXT(HEAD("\x00") ASKED), "" },
	{ "records of other kinds are passed over",
	    TEXT(HEAD("\x02") ASKED
		"\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x02\xc0"
		"\x18" SRV("\x0a", "\x05", "\x00", "\x03\xe1",
		    "\x01"
		    "a\xc0\x18")),
	    "5/0 a.b.example:993" },
	{ "a name no host has spoils its record alone",
	    TEXT(HEAD("\x02") ASKED SRV("\x0a", "\x01", "\x00", "\x03\xe1",
		"\x01"
		" \xc0\x18") SRV("\x0a", "\x05", "\x00", "\x03\xe1",
		"\x01"
		"a\xc0\x18")),
	    "5/0 a.b.example:993" },
	{ "a pointer to itself",
	    TEXT(HEAD("\x01")
		    ASKED SRV("\x08", "\x05", "\x00", "\x03\xe1", "\xc0\x38")),
	    "!" },
	{ "a pointer forward",
	    TEXT(HEAD("\x01")
		    ASKED SRV("\x08", "\x05", "\x00", "\x03\xe1", "\xc0\xff")),
	    "!" },
	{ "a label longer than allowed",
	    TEXT(HEAD("\x01")
		    ASKED SRV("\x08", "\x05", "\x00", "\x03\xe1", "\x40\x00")),
	    "!" },
	{ "a name that leaves its record",
	    TEXT(HEAD("\x01") ASKED SRV("\x07", "\x05", "\x00", "\x03\xe1",
		"\x05"
		"aaaaa\x00")),
	    "!" },
	{ "a question",
	    TEXT("\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" ASKED),
	    "!" },
	{ "two questions",
	    TEXT("\x00\x01\x81\x80\x00\x02\x00\x00\x00\x00\x00"
		 "\x00" ASKED),
	    "!" },
	{ "nothing", { "", 0 }, "!" },
};

static void
show(struct buf *b, const struct dns_records *all)
{
	for (size_t i = 0; i < all->n; i++)
		buf_fmt(b, "%s%u/%u %.*s:%u", i > 0 ? " " : "",
		    (unsigned)all->v[i].priority, (unsigned)all->v[i].weight,
		    STR_ARG(all->v[i].host), (unsigned)all->v[i].port);
}

static void
read_row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct dns_records all;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 4096);
	if (dns_read(a, r->in, DNS_SRV, &all, &e) == 0)
		show(&b, &all);
	else
		buf_char(&b, '!');
	assert_string_equal(b.n > 0 ? b.p : "", r->want);
	/* A cut response is refused, because the header has the counts. */
	for (size_t n = 0; n < r->in.n && r->want[0] != '!'; n++)
		assert_int_equal(dns_read(a, str_first(r->in, n), DNS_SRV, &all,
				     &e),
		    -1);
}

/* k._domainkey.b.example TXT IN */
#define ASKED_TXT                                                              \
	"\x01k\x0a_domainkey\x01"                                              \
	"b\x07"                                                                \
	"example\x00\x00\x10\x00\x01"
#define TXT(length, strings)                                                   \
	"\xc0\x0c\x00\x10\x00\x01\x00\x00\x00\x3c\x00" length strings
#define CUT(answers) "\x00\x01\x83\x80\x00\x01\x00" answers "\x00\x00\x00\x00"

static const struct row texts[] = {
	{ "one string", TEXT(HEAD("\x01") ASKED_TXT TXT("\x04", "\x03p=x")),
	    "[p=x]" },
	{ "strings are joined",
	    TEXT(HEAD("\x01") ASKED_TXT TXT("\x08", "\x03p=x\x00\x02yz")),
	    "[p=xyz]" },
	{ "records are not",
	    TEXT(HEAD("\x02") ASKED_TXT TXT("\x02", "\x01x")
		    TXT("\x02", "\x01y")),
	    "[x][y]" },
	{ "no strings", TEXT(HEAD("\x01") ASKED_TXT TXT("\x00", "")), "[]" },
	{ "behind an alias",
	    TEXT(HEAD("\x02") ASKED_TXT
		"\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x02\xc0"
		"\x0c" TXT("\x02", "\x01x")),
	    "[x]" },
	{ "no record", TEXT(HEAD("\x00") ASKED_TXT), "" },
	{ "a string that leaves its record",
	    TEXT(HEAD("\x01") ASKED_TXT TXT("\x04", "\x04p=xy")), "!" },
	{ "half an answer is none",
	    TEXT(CUT("\x01") ASKED_TXT TXT("\x04", "\x03p=x")), "!" },
};

static void
read_texts(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct strs all;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 4096);
	if (dns_read_text(a, r->in, &all, &e) < 0)
		buf_char(&b, '!');
	else
		for (size_t i = 0; i < all.n; i++)
			buf_fmt(&b, "[%.*s]", STR_ARG(all.v[i]));
	assert_string_equal(b.n > 0 ? b.p : "", r->want);
	for (size_t n = 0; n < r->in.n && r->want[0] != '!'; n++)
		assert_int_equal(dns_read_text(a, str_first(r->in, n), &all,
				     &e),
		    -1);
}

/* -- names of keys: no other is asked -------------------------------------- */

#define L63 "a23456789012345678901234567890123456789012345678901234567890123"

static const struct key_name {
	const char *why;
	struct str name;
	bool good;
} key_names[] = {
	{ "a key", SI("k._domainkey.b.example"), true },
	{ "a selector in parts, in capitals",
	    SI("A_1-x.20260621._DOMAINKEY.b.EXAMPLE"), true },
	{ "a domain of one label", SI("k._domainkey.example"), true },
	{ "the longest label", SI(L63 "._domainkey.example"), true },
	{ "a longer one", SI(L63 "4._domainkey.example"), false },
	{ "the longest name",
	    SI(L63 "." L63 "." L63 "._domainkey.a234567890123456789012345678"
		   "90123456789012345678.a"),
	    true },
	{ "a longer one",
	    SI(L63 "." L63 "." L63 "._domainkey.a234567890123456789012345678"
		   "90123456789012345678.ab"),
	    false },
	{ "a host", SI("www.b.example"), false },
	{ "no selector", SI("_domainkey.b.example"), false },
	{ "no domain", SI("k._domainkey"), false },
	{ "the root", SI("k._domainkey."), false },
	{ "a dot at its end", SI("k._domainkey.b.example."), false },
	{ "an empty label", SI("k._domainkey..example"), false },
	{ "a name that only contains it", SI("k._domainkeys.b.example"),
	    false },
	{ "a space", SI("k x._domainkey.b.example"), false },
	{ "a zero", SI("k\0._domainkey.b.example"), false },
	{ "beyond ASCII", SI("k._domainkey.b\303\274cher.example"), false },
	{ "a backslash", SI("k\\046._domainkey.b.example"), false },
	{ "nothing", SI(""), false },
};

static struct str asked;

static int
ask_elsewhere(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e)
{
	(void)deadline_ms;
	asked = name;
	*out = (struct strs){ 0 };
	str_push(a, out, S("told"));
	return e->kind == ERR_NONE ? 0 : -1;
}

static void
a_name_of_a_key(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct key_name *r = *state;
	struct err e = { 0 };
	struct strs out;

	assert_int_equal(dns_key_is_name(r->name), r->good);
	/* Another has no records, and no time is needed to say so. */
	if (!r->good) {
		assert_int_equal(dns_key_ask(a, r->name, 0, &out, &e), 0);
		assert_int_equal(out.n, 0);
	}
	dns_key_elsewhere(ask_elsewhere);
	assert_int_equal(dns_key_ask(a, r->name, 0, &out, &e), 0);
	dns_key_elsewhere(NULL);
	rows_same(asked, r->name);
	rows_same(out.v[0], S("told"));
}

int
main(void)
{
	ROWS(key_names, a_name_of_a_key);
	ROWS(rows, read_row);
	ROWS(texts, read_texts);
	return cmocka_run_group_tests_name("source/dns", rows_tests, NULL,
	    NULL);
}
