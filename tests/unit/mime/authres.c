/* SPDX-License-Identifier: Apache-2.0 */
/* Authentication-Results: what is trusted, and above all what is not. */
#include "../rows.h"

#include "mime/authres.h"

#define BORDER                                                                 \
	"Received: from mail.e.example (mail.e.example [192.0.2.9])\r\n"       \
	" by mx.us.example (Postfix) with ESMTPS id 4X\r\n"                    \
	" for <me@us.example>; Mon, 1 Jun 2026 10:00:00 +0000\r\n"
#define LMTP                                                                   \
	"Received: from mx.us.example ([192.0.2.1])\r\n"                       \
	" by store.lan with LMTP id 7; Mon, 1 Jun 2026 10:00:01 +0000\r\n"
#define AR "Authentication-Results: "
#define PASS AR "mx.us.example; dmarc=pass header.from=b.example\r\n"
#define FAIL AR "mx.us.example; dmarc=fail header.from=b.example\r\n"
#define REST "From: bob@b.example\r\nSubject: x\r\n\r\n"
/* One field, as written by the border of mx.us.example. */
#define SAID(x) SI(AR x "\r\n" BORDER REST)

struct row {
	const char *why;
	struct str head;
	enum mime_auth want;
};

static const struct row places[] = {
	{ "above the border's Received", SI(PASS BORDER REST), MIME_AUTH_PASS },
	{ "directly below it", SI(BORDER PASS REST), MIME_AUTH_PASS },
	{ "below it, among other fields",
	    SI(BORDER "Received-SPF: pass\r\n" PASS REST), MIME_AUTH_PASS },
	{ "above with a delivery by LMTP on top", SI(LMTP PASS BORDER REST),
	    MIME_AUTH_PASS },
	{ "below with a delivery by LMTP on top", SI(LMTP BORDER PASS REST),
	    MIME_AUTH_PASS },
	{ "above the delivery by LMTP", SI(PASS LMTP BORDER REST),
	    MIME_AUTH_PASS },
	{ "below Gmail's handing on within",
	    SI("Received: by 2002:a05:7208:9a9:b0:1 with SMTP id q; date\r\n"
	       "ARC-Seal: i=1\r\n" BORDER PASS REST),
	    MIME_AUTH_PASS },
	{ "above another's Received: who is on top wrote last",
	    SI(PASS "Received: from e by mx.e.example; date\r\n" REST),
	    MIME_AUTH_PASS },
	{ "no Received at all: nobody took it in", SI(PASS REST),
	    MIME_AUTH_PASS },
	{ "no Received, and a fail", SI(PASS FAIL REST), MIME_AUTH_FAIL },
	{ "only a delivery by LMTP above", SI(LMTP PASS REST), MIME_AUTH_NONE },
	{ "only Gmail's handing on above",
	    SI("Received: by 2002:a05::1 with SMTP id q; date\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "below the next Received",
	    SI(BORDER "Received: from a by mail.e.example; date\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "below the next Received, which says it is ours",
	    SI(BORDER BORDER PASS REST), MIME_AUTH_NONE },
	{ "below the next Received, which says it is by LMTP",
	    SI(BORDER LMTP PASS REST), MIME_AUTH_NONE },
	{ "below a foreign Received",
	    SI("Received: from a by mx.e.example with ESMTP; date\r\n" PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "below a foreign Received and one that says it is ours",
	    SI("Received: from a by mx.e.example with ESMTP; d\r\n" BORDER PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "below one without from by a foreign name",
	    SI("Received: by mx.e.example with SMTP; date\r\n" BORDER PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "below one that cannot be read", SI("Received: x\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "below one with two hosts",
	    SI("Received: from a by e.example by mx.us.example; date\r\n" PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "by our host only in a comment",
	    SI("Received: from a (by mx.us.example) by e.example; d\r\n" PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "by our host only behind the date",
	    SI("Received: from a; date by mx.us.example\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "by a host whose name ends alike",
	    SI("Received: from a by evilmx.us.example; d\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "by a host that begins alike",
	    SI("Received: from a by mx.us.example.evil.example; d\r\n" PASS
		    REST),
	    MIME_AUTH_NONE },
	{ "by a neighbour of our host",
	    SI("Received: from a by mx2.us.example; d\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "by a host within ours, in capitals",
	    SI("Received: from a by IN.MX.us.EXAMPLE. with SMTP; d\r\n" PASS
		    REST),
	    MIME_AUTH_PASS },
	{ "a stranger who calls himself by LMTP",
	    SI("Received: from \"x with LMTP\" by mx.us.example with ESMTP; "
	       "d\r\n"
	       "Received: from a by mx.us.example; d\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "a stranger whose name spoils the field",
	    SI("Received: from x with LMTP by mx.us.example with ESMTP; d\r\n"
	       "Received: from a by mx.us.example; d\r\n" PASS REST),
	    MIME_AUTH_NONE },
	{ "in the body", SI(BORDER REST PASS), MIME_AUTH_NONE },

	{ "forged below, the server says fail above", SI(FAIL BORDER PASS REST),
	    MIME_AUTH_FAIL },
	{ "forged below, the server says only spf above",
	    SI(AR "mx.us.example; spf=pass\r\n" BORDER PASS REST),
	    MIME_AUTH_NONE },
	{ "forged below, the server says none above",
	    SI(AR "mx.us.example; none\r\n" BORDER PASS REST), MIME_AUTH_NONE },
	{ "forged below the server's own", SI(BORDER FAIL PASS REST),
	    MIME_AUTH_FAIL },
	{ "two of the server, both pass", SI(PASS PASS BORDER REST),
	    MIME_AUTH_PASS },
	{ "two of the server, one of another domain",
	    SI(PASS AR
		"mx.us.example; dmarc=pass header.from=c.example\r\n" BORDER
		    REST),
	    MIME_AUTH_FAIL },
	{ "two of the server, one does not know",
	    SI(PASS AR "mx.us.example; dmarc=temperror header.from=b.example"
		       "\r\n" BORDER REST),
	    MIME_AUTH_FAIL },
	{ "two of the server, the other about spf",
	    SI(PASS AR "mx.us.example; spf=fail\r\n" BORDER REST),
	    MIME_AUTH_PASS },
	{ "two of the server, one cannot be read",
	    SI(PASS AR "mx.us.example; spf\r\n" BORDER REST), MIME_AUTH_NONE },
	{ "another's beside it says fail",
	    SI(AR
		"mx.e.example; dmarc=fail header.from=b.example\r\n" PASS BORDER
		    REST),
	    MIME_AUTH_PASS },
	{ "another's beside it cannot be read",
	    SI(AR ";;;\r\n" PASS BORDER REST), MIME_AUTH_PASS },
	{ "an ARC field is none",
	    SI("ARC-Authentication-Results: i=1; mx.us.example; dmarc=pass "
	       "header.from=b.example\r\n" BORDER REST),
	    MIME_AUTH_NONE },
	{ "a renamed field is none",
	    SI("X-Authentication-Results: mx.us.example; dmarc=pass "
	       "header.from=b.example\r\n" BORDER REST),
	    MIME_AUTH_NONE },
};

static const struct row ids[] = {
	{ "the id in capitals",
	    SAID("MX.US.Example; DMARC=Pass Header.From=B.Example"),
	    MIME_AUTH_PASS },
	{ "the id in quotes",
	    SAID("\"mx.us.example\"; dmarc=pass header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "the id behind a comment",
	    SAID("(us) mx.us.example (it is) ; dmarc=pass "
		 "header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "the id with a version",
	    SAID("mx.us.example 1; dmarc=pass header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "a version we do not know",
	    SAID("mx.us.example 2; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "the id only in a comment",
	    SAID("(mx.us.example) e.example; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a host within the id",
	    SAID("a.mx.us.example; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "the id's domain",
	    SAID("us.example; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "an id that ends alike",
	    SAID("evilmx.us.example; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "an id with a dot behind",
	    SAID("mx.us.example.; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "an id cut by a NUL",
	    SAID("mx.us.example\0.e.example; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "no id", SAID("; dmarc=pass header.from=b.example"), MIME_AUTH_NONE },
	{ "no id as Exchange writes it",
	    SAID("spf=pass (sender IP is 192.0.2.9) smtp.mailfrom=b.example; "
		 "dmarc=pass action=none header.from=b.example;"),
	    MIME_AUTH_NONE },
};

static const struct row results[] = {
	{ "a folded field",
	    SAID("mx.us.example;\r\n\tdmarc=pass\r\n header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "a field folded by bare LF",
	    SAID("mx.us.example;\n\tdmarc=pass\n header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "comments in every place",
	    SAID("mx.us.example;(a)dmarc(b)=(c)pass(p=none (d \\) e))"
		 "header(f).(g)from(h)=(i)b.example(j)"),
	    MIME_AUTH_PASS },
	{ "among others, as Gmail writes it",
	    SAID("mx.us.example;\r\n"
		 "       dkim=pass header.i=@b.example header.s=s1 "
		 "header.b=\"AbC/+d\";\r\n"
		 "       spf=pass (mx: domain of x@b.example designates "
		 "192.0.2.9) smtp.mailfrom=\"x=y@b.example\";\r\n"
		 "       dmarc=pass (p=REJECT sp=NONE dis=NONE) "
		 "header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "with signs in values that servers leave bare",
	    SAID("mx.us.example; iprev=pass smtp.remote-ip=2001:db8::1; "
		 "x-tls=pass smtp.bits=256/256; dmarc=pass policy.p_x=none "
		 "header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "a reason and more properties",
	    SAID("mx.us.example; dmarc=pass reason=\"because\" "
		 "policy.dmarc=none header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "a version of the method",
	    SAID("mx.us.example; dmarc/1=pass header.from=b.example"),
	    MIME_AUTH_PASS },
	{ "a version of the method we do not know",
	    SAID("mx.us.example; dmarc/2=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a domain in quotes",
	    SAID("mx.us.example; dmarc=pass header.from=\"b.example\""),
	    MIME_AUTH_PASS },
	{ "fail", SAID("mx.us.example; dmarc=fail header.from=b.example"),
	    MIME_AUTH_FAIL },
	{ "fail of another domain",
	    SAID("mx.us.example; dmarc=fail header.from=c.example"),
	    MIME_AUTH_NONE },
	{ "none", SAID("mx.us.example; dmarc=none header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "an error",
	    SAID("mx.us.example; dmarc=permerror header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a result that begins alike",
	    SAID("mx.us.example; dmarc=passed header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "another method",
	    SAID("mx.us.example; x-dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "dkim is not dmarc",
	    SAID("mx.us.example; dkim=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "no domain", SAID("mx.us.example; dmarc=pass"), MIME_AUTH_NONE },
	{ "a domain in another property",
	    SAID("mx.us.example; dmarc=pass smtp.from=b.example"),
	    MIME_AUTH_NONE },
	{ "the domain above ours",
	    SAID("mx.us.example; dmarc=pass header.from=example"),
	    MIME_AUTH_NONE },
	{ "a domain within",
	    SAID("mx.us.example; dmarc=pass header.from=a.b.example"),
	    MIME_AUTH_NONE },
	{ "an address for a domain",
	    SAID("mx.us.example; dmarc=pass header.from=x@b.example"),
	    MIME_AUTH_NONE },
	{ "two domains",
	    SAID("mx.us.example; dmarc=pass header.from=b.example "
		 "header.from=c.example"),
	    MIME_AUTH_NONE },
	{ "two domains, the other first",
	    SAID("mx.us.example; dmarc=pass header.from=c.example "
		 "header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "two results in one field",
	    SAID("mx.us.example; dmarc=fail header.from=b.example; "
		 "dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a pass in a comment",
	    SAID("mx.us.example; spf=fail (; dmarc=pass "
		 "header.from=b.example)"),
	    MIME_AUTH_NONE },
	{ "a pass in a reason",
	    SAID("mx.us.example; spf=fail reason=\"; dmarc=pass "
		 "header.from=b.example\""),
	    MIME_AUTH_NONE },
	{ "a pass in the quotes of a local part",
	    SAID("mx.us.example; spf=none smtp.mailfrom=\"; dmarc=pass "
		 "header.from=b.example ;\"@e.example"),
	    MIME_AUTH_NONE },
	{ "a comment that does not end",
	    SAID("mx.us.example; dmarc=pass header.from=b.example (x"),
	    MIME_AUTH_NONE },
	{ "a quote that does not end",
	    SAID("mx.us.example; dmarc=pass reason=\"x header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a pass and rubbish",
	    SAID("mx.us.example; dmarc=pass header.from=b.example; ="),
	    MIME_AUTH_NONE },
	{ "nothing between a quote and what follows",
	    SAID("mx.us.example; dmarc=pass reason=\"x\"header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "none and a pass",
	    SAID("mx.us.example; none; dmarc=pass header.from=b.example"),
	    MIME_AUTH_NONE },
	{ "a pass and none",
	    SAID("mx.us.example; dmarc=pass header.from=b.example; none"),
	    MIME_AUTH_NONE },
	{ "no results", SAID("mx.us.example"), MIME_AUTH_NONE },
	{ "a NUL in a value",
	    SAID("mx.us.example; dmarc=pass header.from=b.example\0.e.example"),
	    MIME_AUTH_NONE },
	{ "a bare CR",
	    SAID("mx.us.example; dmarc=pass\r header.from=b.example"),
	    MIME_AUTH_NONE },
};

static void
judge(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);

	assert_int_equal(authres_judge(a, r->head, S("mx.us.example"),
			     S("b.example")),
	    r->want);
}

/* header.from may be written in either spelling of an IDN. */
static void
idn(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	static const struct str heads[] = {
		SAID("mx.us.example; dmarc=pass header.from=xn--bcher-kva."
		     "example"),
		SAID("mx.us.example; dmarc=pass header.from=B\xC3\xBC"
		     "cher.example"),
		SAID("mx.us.example; dmarc=pass header.from=\"b\xC3\xBC"
		     "cher.example\""),
	};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(authres_judge(a, heads[i], S("mx.us.example"),
				     S("xn--bcher-kva.example")),
		    MIME_AUTH_PASS);
	/* An ASCII lookalike is another domain. */
	assert_int_equal(authres_judge(a, heads[1], S("mx.us.example"),
			     S("bucher.example")),
	    MIME_AUTH_NONE);
}

static void
nobody(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);

	(void)state;
	assert_int_equal(authres_judge(a, S(PASS BORDER REST), S(""),
			     S("b.example")),
	    MIME_AUTH_NONE);
	assert_int_equal(authres_judge(a, S(PASS BORDER REST),
			     S("mx.us.example"), S("")),
	    MIME_AUTH_NONE);
}

/* Above a limit nothing is trusted, however much of it was valid. */
static void
limits(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str many = rows_repeat(a, S(PASS), LIMIT_AUTHRES);
	struct str deep = rows_repeat(a, S("("), 200000);
	struct str head;

	(void)state;
	head = str_fmt(a, "%.*s%s", STR_ARG(many), BORDER REST);
	assert_int_equal(authres_judge(a, head, S("mx.us.example"),
			     S("b.example")),
	    MIME_AUTH_PASS);
	head = str_fmt(a, "%s%.*s%s", PASS, STR_ARG(many), BORDER REST);
	assert_int_equal(authres_judge(a, head, S("mx.us.example"),
			     S("b.example")),
	    MIME_AUTH_NONE);
	head = str_fmt(a, AR "mx.us.example %.*s\r\n" PASS BORDER REST,
	    STR_ARG(deep));
	assert_int_equal(authres_judge(a, head, S("mx.us.example"),
			     S("b.example")),
	    MIME_AUTH_NONE);
}

int
main(void)
{
	ROWS(places, judge);
	ROWS(ids, judge);
	ROWS(results, judge);
	rows_add("either spelling of an IDN", idn, NULL);
	rows_add("no server or no domain", nobody, NULL);
	rows_add("over a limit", limits, NULL);
	return cmocka_run_group_tests_name("mime/authres", rows_tests, NULL,
	    NULL);
}
