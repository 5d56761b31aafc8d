/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DKIM signatures: the RFCs' vectors, and signatures that must not be accepted.
 */
#include "../rows.h"

#include "mime/authres.h"
#include "mime/internal.h"

#define NOW 1528638000
#define RSA_P                                                                  \
	"MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkM"     \
	"oGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/R"     \
	"tdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToI"     \
	"MmPSPDdQPNUYckcQ2QIDAQAB"
#define RSA2_P                                                                 \
	"MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6"     \
	"Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/"     \
	"e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G"     \
	"+2kryOTIKT+l/K4w3QIDAQAB"
#define ED_P "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

#define FIELDS                                                                 \
	"From: Joe SixPack <joe@football.example.com>\r\n"                     \
	"To: Suzie Q <suzie@shopping.example.net>\r\n"                         \
	"Subject: Is dinner ready?\r\n"                                        \
	"Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n"                      \
	"Message-ID: <20030712040037.46341.5F8J@football.example.com>\r\n"

/* RFC 6376 appendix A.2: simple/simple, d= above the domain of From. */
#define RFC6376                                                                \
	"DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;\r\n"    \
	"      c=simple/simple; q=dns/txt; i=joe@football.example.com;\r\n"    \
	"      h=Received : From : To : Subject : Date : Message-ID;\r\n"      \
	"      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n"           \
	"      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB\r\n"     \
	"        4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut\r\n"     \
	"        KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV\r\n"     \
	"        4bmp/YzhwvcubU4=;\r\n"                                        \
	"Received: from client1.football.example.com  [192.0.2.1]\r\n"         \
	"      by submitserver.example.com with SUBMISSION;\r\n"               \
	"      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)\r\n" FIELDS "\r\n"        \
	"Hi.\r\n\r\nWe lost the game. Are you hungry yet?\r\n\r\nJoe.\r\n"

/* RFC 8463 appendix A.3: relaxed/relaxed, signed twice and with more. */
#define RFC8463_ED                                                             \
	"DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\r\n"        \
	" d=football.example.com; i=@football.example.com;\r\n"                \
	" q=dns/txt; s=brisbane; t=1528637909; h=from : to :\r\n"              \
	" subject : date : message-id : from : subject : date;\r\n"            \
	" bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n"                \
	" b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\r\n"      \
	" Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\r\n"
#define RFC8463_RSA                                                            \
	"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n"            \
	" d=football.example.com; i=@football.example.com;\r\n"                \
	" q=dns/txt; s=test; t=1528637909; h=from : to : subject :\r\n"        \
	" date : message-id : from : subject : date;\r\n"                      \
	" bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n"                \
	" b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3\r\n"      \
	" DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz\r\n"      \
	" dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=\r\n"
#define BODY "Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n"
#define RFC8463 RFC8463_ED RFC8463_RSA FIELDS "\r\n" BODY

struct vector {
	const char *why;
	struct str raw;
	const char *record; /* the answer to every query */
	bool want;          /* does one of them verify? */
};

#define RSA "v=DKIM1; p=" RSA_P
#define RSA2 "v=DKIM1; k=rsa; p=" RSA2_P
#define ED "v=DKIM1; k=ed25519; p=" ED_P

static const struct vector vectors[] = {
	{ "RFC 6376 appendix A", SI(RFC6376), RSA, true },
	{ "the same with nothing but a key", SI(RFC6376), "p=" RSA_P, true },
	{ "RFC 8463 appendix A, Ed25519", SI(RFC8463), ED, true },
	{ "RFC 8463 appendix A, RSA", SI(RFC8463), RSA2, true },
	{ "the key of somebody else", SI(RFC6376), RSA2, false },
	{ "replayed with other trace fields on top",
	    SI("Return-Path: <eve@e.example>\r\n"
	       "Received: from a by b; date\r\nX-Y: z\r\n" RFC8463),
	    ED, true },
	{ "relaxed: blanks come and go",
	    SI(RFC8463_ED
		"FROM:  Joe \t SixPack\r\n\t<joe@football.example.com>  \r\n"
		"to : Suzie Q <suzie@shopping.example.net>\r\n"
		"Subject:Is dinner  ready?\r\n"
		"Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n"
		"Message-ID: <20030712040037.46341.5F8J@football.example.com>"
		"\r\n\r\nHi. \r\n\t\r\nWe lost the game. Are\tyou hungry "
		"yet?\r\n\r\nJoe.\r\n \r\n\r\n"),
	    ED, true },
	{ "lines that end in LF alone",
	    SI("DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\n"
	       " d=football.example.com; i=@football.example.com;\n"
	       " q=dns/txt; s=brisbane; t=1528637909; h=from : to :\n"
	       " subject : date : message-id : from : subject : date;\n"
	       " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
	       " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\n"
	       " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\n"
	       "From: Joe SixPack <joe@football.example.com>\n"
	       "To: Suzie Q <suzie@shopping.example.net>\n"
	       "Subject: Is dinner ready?\n"
	       "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\n"
	       "Message-ID: <20030712040037.46341.5F8J@football.example.com>\n"
	       "\nHi.\n\nWe lost the game.  Are you hungry yet?\n\nJoe.\n"),
	    ED, true },
	{ "simple: a blank more", SI(RFC6376 "\r\n \r\n"), RSA, false },
	{ "simple: empty lines more at the end", SI(RFC6376 "\r\n\r\n"), RSA,
	    true },
	{ "a word more in the body", SI(RFC8463 "eve\r\n"), ED, false },
	{ "another From", SI("From: eve@football.example.com\r\n" RFC8463), ED,
	    false },
	{ "another Subject", SI("Subject: eve\r\n" RFC8463), ED, false },
	{ "another To, which was signed but once",
	    SI("To: eve@e.example\r\n" RFC8463), ED, false },
	{ "another Content-Type, twice",
	    SI("Content-Type: text/html\r\nContent-type: "
	       "text/plain\r\n" RFC8463),
	    ED, false },
	{ "revoked", SI(RFC8463), "v=DKIM1; k=ed25519; p=", false },
	{ "no key", SI(RFC8463), "v=DKIM1; k=ed25519", false },
	{ "a key of the other kind", SI(RFC8463), "v=DKIM1; p=" ED_P, false },
	{ "a kind of key that is not there yet", SI(RFC8463),
	    "v=DKIM1; k=pqc; p=" ED_P, false },
	{ "another version", SI(RFC8463), "v=DKIM2; k=ed25519; p=" ED_P,
	    false },
	{ "the version not first", SI(RFC8463), "k=ed25519; v=DKIM1; p=" ED_P,
	    false },
	{ "a tag twice", SI(RFC8463), ED "; p=" ED_P, false },
	{ "what is no tag", SI(RFC8463), ED "; eve", false },
	{ "tags nobody knows, and g=", SI(RFC8463), ED "; g=*; n=a b; zz=1",
	    true },
	{ "for other hashes alone", SI(RFC8463), ED "; h=sha1", false },
	{ "for this hash too", SI(RFC8463), ED "; h=sha1 : sha256", true },
	{ "for other services alone", SI(RFC8463), ED "; s=web", false },
	{ "for mail", SI(RFC8463), ED "; s=web:email", true },
	{ "in a test", SI(RFC8463), ED "; t=y", false },
	{ "for the very domain, as it is", SI(RFC8463), ED "; t=s", true },
	{ "for the very domain, as it is not", SI(RFC6376), RSA "; t=s",
	    false },
	{ "base64 that is none", SI(RFC8463), "k=ed25519; p=" ED_P "=", false },
	{ "bytes that are no key", SI(RFC6376), "p=AAAA", false },
	{ "a key of 512 bits", SI(RFC6376),
	    "p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf"
	    "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==",
	    false },
	{ "no text", SI(RFC8463), "", false },
};

static bool
vouches(struct arena *a, const struct vector *v)
{
	struct str text = str_of(v->record);
	struct strs records = { &text, 1 };
	struct dkim_signature *s;
	bool bad, good = false;
	size_t n;

	s = dkim_read(a, v->raw, S("football.example.com"), NOW, &n, &bad);
	for (size_t i = 0; i < n; i++)
		good = good || dkim_verify(a, &s[i], &records);
	return good;
}

static void
verify(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct vector *v = *state;

	assert_int_equal(vouches(a, v), v->want);
}

/* With any signed byte changed, no signature is valid. */
static void
every_byte(void **state)
{
	static const char raw[] = RFC8463_ED FIELDS "\r\n" BODY;
	static char copy[sizeof(raw)];
	struct vector v = { "", { copy, sizeof(raw) - 1 }, ED, false };
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < v.raw.n; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);

		/* White space may change: that is "relaxed". */
		if (raw[i] <= ' ')
			continue;
		memcpy(copy, raw, sizeof(raw));
		copy[i] = copy[i] == 'x' ? 'y' : 'x';
		same += vouches(a, &v);
	}
	assert_int_equal(same, 0);
}

/* Results that need no key. */
struct row {
	const char *why;
	struct str raw;
	size_t want; /* queries to DNS */
	bool bad;
};

#define SIG(tags)                                                              \
	"DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=k; " tags           \
	" bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; b=AAAA\r\n"
#define MAIL "From: bob@b.example\r\nSubject: x\r\n\r\nHi.\r\n"
#define GOOD SIG("h=from:subject;")

static const struct row rows[] = {
	{ "good", SI(GOOD MAIL), 1, false },
	{ "good, with a time and an end",
	    SI(SIG("h=from:subject; t=1528637900; x=1528639000;") MAIL), 1,
	    false },
	{ "good, tags nobody knows", SI(SIG("h=from:subject; zz=1;") MAIL), 1,
	    false },
	{ "good, d= in capitals",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=B.Example.; s=k; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; "
	       "b=AAAA\r\n" MAIL),
	    1, false },
	{ "not signed", SI(MAIL), 0, false },
	{ "partial", SI(SIG("h=from:subject; l=3;") MAIL), 0, true },
	{ "partial, all of it", SI(SIG("h=from:subject; l=5;") MAIL), 0, true },
	{ "expired", SI(SIG("h=from:subject; x=1528637999;") MAIL), 0, true },
	{ "expires now", SI(SIG("h=from:subject; x=1528638000;") MAIL), 0,
	    true },
	{ "ends before it begins",
	    SI(SIG("h=from:subject; t=1528638100; x=1528638050;") MAIL), 0,
	    true },
	{ "an end that is no number",
	    SI(SIG("h=from:subject; x=99999999999x;") MAIL), 0, true },
	{ "an end beyond numbers",
	    SI(SIG("h=from:subject; x=9999999999999999999999;") MAIL), 0,
	    true },
	{ "of the future", SI(SIG("h=from:subject; t=1528648000;") MAIL), 0,
	    true },
	{ "a clock a little ahead",
	    SI(SIG("h=from:subject; t=1528638200;") MAIL), 1, false },
	{ "From not signed", SI(SIG("h=subject:to;") MAIL), 0, true },
	{ "From in the name of another field",
	    SI(SIG("h=x-from:subject;") MAIL), 0, true },
	{ "Subject not signed", SI(SIG("h=from:to;") MAIL), 0, true },
	{ "no Subject, none signed",
	    SI(SIG("h=from;") "From: bob@b.example\r\n\r\nHi.\r\n"), 1, false },
	{ "no h=", SI(SIG("") MAIL), 0, true },
	{ "an empty name in h=", SI(SIG("h=from::subject;") MAIL), 0, true },
	{ "two From fields", SI(GOOD "From: eve@b.example\r\n" MAIL), 0, true },
	{ "two From fields, both signed",
	    SI(SIG("h=from:from:subject;") "From: eve@b.example\r\n" MAIL), 0,
	    true },
	{ "what others may read as a From",
	    SI(GOOD "From\xA0: eve@b.example\r\n" MAIL), 0, true },
	{ "another body", SI(GOOD MAIL "eve"), 0, true },
	{ "SHA-1",
	    SI("DKIM-Signature: v=1; a=rsa-sha1; d=b.example; s=k; "
	       "h=from:subject; bh=AAAA; b=AAAA\r\n" MAIL),
	    0, true },
	{ "no version",
	    SI("DKIM-Signature: a=rsa-sha256; d=b.example; s=k; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; "
	       "b=AAAA\r\n" MAIL),
	    0, true },
	{ "another form", SI(SIG("h=from:subject; c=nofws;") MAIL), 0, true },
	{ "keys to be had elsewhere",
	    SI(SIG("h=from:subject; q=http/txt;") MAIL), 0, true },
	{ "a selector that leaves its domain",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=a/b; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; "
	       "b=AAAA\r\n" MAIL),
	    0, true },
	{ "a selector with an empty label",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=a..b; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; "
	       "b=AAAA\r\n" MAIL),
	    0, true },
	{ "i= elsewhere", SI(SIG("h=from:subject; i=@e.example;") MAIL), 0,
	    true },
	{ "i= above", SI(SIG("h=from:subject; i=@example;") MAIL), 0, true },
	{ "i= within", SI(SIG("h=from:subject; i=x@a.b.example;") MAIL), 1,
	    false },
	{ "b= that is no base64",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=k; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; "
	       "b=A*A\r\n" MAIL),
	    0, true },
	/* Signatures of nobody, or of somebody else. */
	{ "a tag twice", SI(SIG("h=from:subject; d=e.example;") MAIL), 0,
	    false },
	{ "what is no tag", SI(SIG("h=from:subject; eve;") MAIL), 0, false },
	{ "a neighbour's",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=c.example; s=k; "
	       "h=from:subject; bh=AAAA; b=AAAA\r\n" MAIL),
	    0, false },
	{ "a sub-domain's",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=a.b.example; s=k; "
	       "h=from:subject; bh=AAAA; b=AAAA\r\n" MAIL),
	    0, false },
	{ "of a domain that ends alike",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=.example; s=k; "
	       "h=from:subject; bh=AAAA; b=AAAA\r\n" MAIL),
	    0, false },
	{ "of all of .example",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=example; s=k; "
	       "h=from:subject; bh=AAAA; b=AAAA\r\n" MAIL),
	    0, false },
	{ "of the domain above",
	    SI("DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=k; "
	       "h=from:subject; "
	       "bh=UrA8rmgY3eNBotmDWtzAmHyn5RyZv8Gea45sNGsP0zw=; b=AAAA\r\n"
	       "From: bob@b.example\r\nSubject: x\r\n\r\nHi.\r\n"),
	    1, false },
	{ "in the body", SI(MAIL GOOD), 0, false },
	{ "one bad and one good", SI(SIG("h=subject;") GOOD MAIL), 1, true },
};

static void
read_row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct row *r = *state;
	size_t n;
	bool bad;

	(void)dkim_read(a, r->raw, S("b.example"), NOW, &n, &bad);
	assert_int_equal(n, r->want);
	assert_int_equal(bad, r->bad);
}

static void
question(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct dkim_signature *s;
	size_t n;
	bool bad;

	(void)state;
	s = dkim_read(a, S(GOOD MAIL), S("a.b.example"), NOW, &n, &bad);
	assert_int_equal(n, 1);
	rows_same(s[0].query, S("k._domainkey.b.example"));
	rows_same(s[0].domain, S("b.example"));
	/* A name with only the same ending is not a subdomain. */
	(void)dkim_read(a, S(GOOD MAIL), S("ab.example"), NOW, &n, &bad);
	assert_int_equal(n, 0);
	assert_false(bad);
}

/* A thousand signatures cost as much as eight. */
static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str lots = rows_repeat(a, S(GOOD), 900);
	struct str raw = str_fmt(a, "%.*s%s", STR_ARG(lots), MAIL);
	size_t n;
	bool bad;

	(void)state;
	(void)dkim_read(a, raw, S("b.example"), NOW, &n, &bad);
	assert_int_equal(n, LIMIT_DKIM_SIGNATURES);
}

/* Bodies in canonical form: the hash of the expected result. */
struct body {
	const char *why;
	struct str in;
	bool relaxed;
	struct str same; /* has the same hash as this one, which is canonical */
};

static const struct body bodies[] = {
	{ "RFC 6376 section 3.4.5, simple", SI(" C \r\nD \t E\r\n\r\n\r\n"),
	    false, SI(" C \r\nD \t E\r\n") },
	{ "RFC 6376 section 3.4.5, relaxed", SI(" C \r\nD \t E\r\n\r\n\r\n"),
	    true, SI(" C\r\nD E\r\n") },
	{ "no line end, simple", SI("a"), false, SI("a\r\n") },
	{ "no line end, relaxed", SI("a \t"), true, SI("a\r\n") },
	{ "lines of blanks at the end, relaxed", SI("a\r\n \t\r\n \r\n"), true,
	    SI("a\r\n") },
	{ "bare LF", SI("a\n\nb\n"), false, SI("a\r\n\r\nb\r\n") },
	{ "a lone CR stays", SI("a\rb"), true, SI("a\rb\r\n") },
	{ "a NUL stays", SI("a\0b"), true, SI("a\0b\r\n") },
	{ "nothing, simple", SI(""), false, SI("\r\n") },
	{ "nothing but line ends, simple", SI("\r\n\r\n"), false, SI("\r\n") },
	{ "nothing but blanks, relaxed", SI(" \r\n\t\r\n"), true, SI("") },
};

static void
canon(void **state)
{
	static const unsigned char empty[4] = { 0xe3, 0xb0, 0xc4, 0x42 };
	const struct body *b = *state;
	unsigned char got[DKIM_HASH], want[DKIM_HASH];

	dkim_canon_body(b->in, b->relaxed, got);
	dkim_canon_body(b->same, b->relaxed, want);
	assert_memory_equal(got, want, DKIM_HASH);
	/* SHA-256 of nothing. */
	if (b->same.n == 0)
		assert_memory_equal(got, empty, sizeof(empty));
}

int
main(void)
{
	ROWS(vectors, verify);
	rows_add("whatever byte is another", every_byte, NULL);
	ROWS(rows, read_row);
	ROWS(bodies, canon);
	rows_add("the question to DNS", question, NULL);
	rows_add("a thousand signatures", many, NULL);
	return cmocka_run_group_tests_name("mime/dkim", rows_tests, NULL, NULL);
}
