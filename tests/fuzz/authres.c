/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a server is taken to say of a sender. */
#include "check.h"

#include "base/limits.h"
#include "mime/authres.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str head = { (const char *)data, size };
	struct str id = S("mx.us.example"), domain = S("b.example");
	struct str forged = S("Received: from a by mx.us.example; d\r\n"
			      "Authentication-Results: mx.us.example; "
			      "dmarc=pass header.from=b.example\r\n"),
		   foreign = S("Received: from a by e.example; d\r\n");
	enum mime_auth said = authres_judge(a, head, id, domain);
	struct str more;

	if (said == MIME_AUTH_PASS) {
		check(str_find_case(head, id) >= 0, "who vouches is named");
		check(str_find_case(head, S("pass")) >= 0, "and says so");
	}
	/* Below a foreign server's trace nothing changes anything. */
	more = str_fmt(a, "%.*s%.*s%.*s", STR_ARG(foreign), STR_ARG(forged),
	    STR_ARG(head));
	check(authres_judge(a, more, id, domain) == MIME_AUTH_NONE,
	    "nothing is believed below a foreign server");
	return 0;
}
