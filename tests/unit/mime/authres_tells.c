/* SPDX-License-Identifier: Apache-2.0 */
/* Which servers report results, and which ones are candidates for trust. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mime/authres.h"

#define BORDER                                                                 \
	"Received: from mail.e.example (mail.e.example [192.0.2.9])\r\n"       \
	" by mx.us.example (Postfix) with ESMTPS id 4X\r\n"                    \
	" for <me@us.example>; Mon, 1 Jun 2026 10:00:00 +0000\r\n"
#define AR "Authentication-Results: "
#define REST "From: bob@b.example\r\nSubject: x\r\n\r\n"
#define OURS(x) AR "mx.us.example; dmarc=" x " header.from=b.example\r\n"
#define THEIRS AR "mx.e.example; dmarc=pass header.from=b.example\r\n"

static const struct row {
	const char *why;
	struct str head;
	const char *names; /* separated by commas */
	bool ours, theirs; /* do they report results? */
} rows[] = {
	{ "a server that lets it pass", SI(OURS("pass") BORDER REST),
	    "mx.us.example", true, false },
	{ "one that says it is forged", SI(OURS("fail") BORDER REST),
	    "mx.us.example", true, false },
	{ "one that could not tell", SI(OURS("none") BORDER REST),
	    "mx.us.example", true, false },
	{ "one that says nothing of DMARC",
	    SI(AR "mx.us.example; spf=pass\r\n" BORDER REST), "mx.us.example",
	    false, false },
	{ "below the border a stranger writes",
	    SI(BORDER "Received: from a by b; d\r\n" OURS("pass") REST),
	    "mx.us.example", false, false },
	{ "a stranger's is only a name", SI(OURS("pass") BORDER THEIRS REST),
	    "mx.us.example,mx.e.example", true, false },
	{ "each once, whatever its case",
	    SI(OURS("pass") AR "MX.us.example; none\r\n" BORDER REST),
	    "mx.us.example", true, false },
	{ "what is no host name is none",
	    SI(AR "-x; none\r\n" AR ".e; none\r\n" BORDER REST), "", false,
	    false },
	{ "nobody", SI(BORDER REST), "", false, false },
};

static void
tells(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct str all = S("");
	struct strs names;

	authres_names(a, r->head, &names);
	for (size_t i = 0; i < names.n; i++)
		all = str_fmt(a, "%.*s%s%.*s", STR_ARG(all), i > 0 ? "," : "",
		    STR_ARG(names.v[i]));
	assert_string_equal(str_c(a, all), r->names);
	assert_int_equal(authres_tells(a, r->head, S("mx.us.example")),
	    r->ours);
	assert_int_equal(authres_tells(a, r->head, S("mx.e.example")),
	    r->theirs);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tests[i] = (struct CMUnitTest){ rows[i].why, tells, NULL, NULL,
			(void *)&rows[i] };
	return cmocka_run_group_tests_name("mime/authres_tells", tests, NULL,
	    NULL);
}
