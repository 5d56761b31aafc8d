/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/imap/internal.h"

/* Folder names of RFC 3501 section 5.1.3; an empty side: refused. */
static struct sample {
	const char *why;
	struct str utf8, wire;
	enum {
		BOTH,
		ENCODE,
		DECODE
	} way;
} rows[] = {
	{ "ASCII stands for itself", SI("INBOX/a b"), SI("INBOX/a b"), BOTH },
	{ "the ampersand is marked", SI("A & B"), SI("A &- B"), BOTH },
	{ "nothing stays nothing", SI(""), SI(""), BOTH },
	{ "the RFC's own example", SI("~peter/mail/台北/日本語"),
	    SI("~peter/mail/&U,BTFw-/&ZeVnLIqe-"), BOTH },
	{ "two bytes", SI("Entw\xc3\xbcrfe"), SI("Entw&APw-rfe"), BOTH },
	{ "beyond the first plane", SI("x\xf0\x9f\x93\xaay"), SI("x&2D3c6g-y"),
	    BOTH },
	{ "control characters are encoded", SI("a\tb"), SI("a&AAk-b"), BOTH },
	{ "an ampersand ends the base64", SI("\xc3\xbc&"), SI("&APw-&-"),
	    BOTH },
	{ "bytes that are no UTF-8 are refused", SI("a\xff"), SI(""), ENCODE },
	{ "an open base64 is refused", SI(""), SI("&APw"), DECODE },
	{ "a foreign digit is refused", SI(""), SI("&AP/-"), DECODE },
	{ "ASCII in base64 is a second name and refused", SI(""), SI("&AGE-"),
	    DECODE },
	{ "spare bits are a second name and refused", SI(""), SI("&APx-"),
	    DECODE },
	{ "a needless break is a second name and refused", SI(""),
	    SI("&U,A-&U,A-"), DECODE },
	{ "half a pair is refused", SI(""), SI("&2D0-"), DECODE },
	{ "the wrong half is refused", SI(""), SI("&3Oo-"), DECODE },
	{ "raw 8-bit bytes are refused", SI(""), SI("\xc3\xbc"), DECODE },
	{ "a lone ampersand is refused", SI(""), SI("a&b"), DECODE },
};

static void
convert(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct sample *r = *state;
	struct str got = { 0 };

	if (r->way != DECODE) {
		assert_int_equal(imap_utf7_encode(a, r->utf8, &got),
		    r->way == BOTH);
		if (r->way == BOTH)
			assert_true(str_eq(got, r->wire));
	}
	if (r->way != ENCODE) {
		assert_int_equal(imap_utf7_decode(a, r->wire, &got),
		    r->way == BOTH);
		if (r->way == BOTH)
			assert_true(str_eq(got, r->utf8));
	}
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = convert;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("backend/imap_utf7", tests, NULL,
	    NULL);
}
