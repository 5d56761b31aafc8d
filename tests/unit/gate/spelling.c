/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No spelling gets an address into a whitelist or out of it: whole headers, as
 * a stranger may write them, read as by the gate and judged by policy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mime/message.h"
#include "policy/policy.h"

#define U_E "\xC3\xBC"
#define EVE "From: eve@e.example\r\n"
#define BOB "From: bob@b.example\r\n"

/* The operator listed bob@b.example, @us.example and @bücher.example. */
static struct str listed[] = { SI("bob@b.example"), SI("@us.example"),
	SI("@xn--bcher-kva.example") };

static const struct row {
	const char *why;
	struct str head;
	bool seen;
} rows[] = {
	/* Spellings of a listed address: all are recognised. */
	{ "as it is", SI(BOB), true },
	{ "with a name", SI("From: Bob <bob@b.example>\r\n"), true },
	{ "with a name in quotes", SI("From: \"B, B\" <bob@b.example>\r\n"),
	    true },
	{ "with an encoded name",
	    SI("From: =?utf-8?q?B=C3=B6b?= <bob@b.example>\r\n"), true },
	{ "with a comment", SI("From: bob@b.example (Bob)\r\n"), true },
	{ "in capitals", SI("FROM: BOB@B.EXAMPLE\r\n"), true },
	{ "with a trailing dot", SI("From: bob@b.example.\r\n"), true },
	{ "with quotes that need not be", SI("From: \"bob\"@b.example\r\n"),
	    true },
	{ "with an escape that need not be",
	    SI("From: \"b\\ob\"@b.example\r\n"), true },
	{ "folded", SI("From:\r\n Bob\r\n\t<bob@b.example>\r\n"), true },
	{ "folded by bare LF", SI("From:\n bob@b.example\n"), true },
	{ "with a space before the colon", SI("From : bob@b.example\r\n"),
	    true },
	{ "any of a listed domain", SI("From: any.one+tag@us.example\r\n"),
	    true },
	{ "a U-label", SI("From: a@b" U_E "cher.example\r\n"), true },
	{ "a U-label in capitals",
	    SI("From: a@B\xC3\x9C"
	       "CHER.example\r\n"),
	    true },
	{ "a U-label of two characters",
	    SI("From: a@bu\xCC\x88"
	       "cher.example\r\n"),
	    true },
	{ "an A-label", SI("From: a@xn--bcher-kva.example\r\n"), true },
	{ "an A-label in capitals", SI("From: a@XN--BCHER-KVA.example\r\n"),
	    true },
	{ "beside any Sender", SI(BOB "Sender: eve@e.example\r\n"), true },
	{ "beside any Reply-To", SI(BOB "Reply-To: eve@e.example\r\n"), true },
	{ "beside any Resent-From", SI("Resent-From: eve@e.example\r\n" BOB),
	    true },

	/* Spellings that must not admit another address. */
	{ "somebody else", SI(EVE), false },
	{ "in the display name", SI("From: bob@b.example <eve@e.example>\r\n"),
	    false },
	{ "in the quoted display name",
	    SI("From: \"bob@b.example\" <eve@e.example>\r\n"), false },
	{ "in brackets in the display name",
	    SI("From: \"Bob <bob@b.example>\" <eve@e.example>\r\n"), false },
	{ "in an encoded display name",
	    SI("From: =?utf-8?q?bob=40b.example?= <eve@e.example>\r\n"),
	    false },
	{ "an encoded address", SI("From: =?utf-8?q?bob=40b.example?=\r\n"),
	    false },
	{ "an encoded address in brackets",
	    SI("From: <=?utf-8?q?bob=40b.example?=>\r\n"), false },
	{ "an encoded comma",
	    SI("From: =?utf-8?q?bob=40b.example=2C?= <eve@e.example>\r\n"),
	    false },
	{ "in a comment", SI("From: eve@e.example (bob@b.example)\r\n"),
	    false },
	{ "in a comment before", SI("From: (bob@b.example) eve@e.example\r\n"),
	    false },
	{ "in a nested comment",
	    SI("From: eve@e.example (a (b) bob@b.example)\r\n"), false },
	{ "a comment in the address", SI("From: bob(x)@b.example\r\n"), false },
	{ "a comment that hides the end",
	    SI("From: bob@b.example(\r\n ,eve@e.example)\r\n"), false },
	{ "a list, listed first", SI("From: bob@b.example, eve@e.example\r\n"),
	    false },
	{ "a list, listed last", SI("From: eve@e.example, bob@b.example\r\n"),
	    false },
	{ "two in brackets", SI("From: <eve@e.example><bob@b.example>\r\n"),
	    false },
	{ "a group", SI("From: us: bob@b.example;\r\n"), false },
	{ "an empty group and another", SI("From: us:; , bob@b.example\r\n"),
	    false },
	{ "a group named like it",
	    SI("From: \"bob@b.example\": eve@e.example;\r\n"), false },
	{ "a source route", SI("From: <@e.example:bob@b.example>\r\n"), false },
	{ "a percent", SI("From: bob%b.example@e.example\r\n"), false },
	{ "a bang", SI("From: b.example!bob@e.example\r\n"), false },
	{ "in a quoted local part", SI("From: \"bob@b.example\"@e.example\r\n"),
	    false },
	{ "a quoted local part that holds brackets",
	    SI("From: \"bob@b.example>\"@e.example\r\n"), false },
	{ "two at signs", SI("From: bob@b.example@e.example\r\n"), false },
	{ "a tag", SI("From: bob+x@b.example\r\n"), false },
	{ "a quoted space", SI("From: \"bob \"@b.example\r\n"), false },
	{ "a local part that differs", SI("From: xbob@b.example\r\n"), false },
	{ "a domain that ends alike", SI("From: x@evilus.example\r\n"), false },
	{ "a domain that begins alike",
	    SI("From: x@us.example.evil.example\r\n"), false },
	{ "a sub-domain", SI("From: x@sub.us.example\r\n"), false },
	{ "a domain with two dots behind", SI("From: x@us.example..\r\n"),
	    false },
	{ "a domain with a dot before", SI("From: x@.us.example\r\n"), false },
	{ "a domain literal", SI("From: x@[us.example]\r\n"), false },
	{ "a lookalike letter", SI("From: bob@\xD0\xB2.example\r\n"), false },
	{ "a lookalike of the dotted kind",
	    SI("From: bob@b\xE2\x80\xA4"
	       "example\r\n"),
	    false },
	{ "a slash the mapping makes",
	    SI("From: x@us.example\xEF\xBC\x8F.evil.example\r\n"), false },
	{ "an at sign the mapping makes",
	    SI("From: x@e.example\xEF\xBC\xA0us.example\r\n"), false },
	/* No mail program writes these, and no server resolves them. */
	{ "a domain in full width", SI("From: bob@\xEF\xBD\x82.example\r\n"),
	    false },
	{ "a soft hyphen in a domain",
	    SI("From: x@u\xC2\xAD"
	       "s.example\r\n"),
	    false },
	{ "a long s in a domain", SI("From: x@u\xC5\xBF.example\r\n"), false },
	{ "a dot the mapping makes, of a listed domain",
	    SI("From: x@us\xE3\x80\x82"
	       "example\r\n"),
	    false },
	{ "a dot the mapping makes, of somebody else's domain",
	    SI("From: x@us.example\xE3\x80\x82"
	       "evil.example\r\n"),
	    false },
	{ "an ASCII lookalike of a U-label", SI("From: a@bucher.example\r\n"),
	    false },
	{ "an A-label that is none", SI("From: a@xn--bcher-kvaa.example\r\n"),
	    false },
	{ "a zero width within",
	    SI("From: bob@b.example\xE2\x80\x8B.evil.example\r\n"), false },
	{ "a direction mark before",
	    SI("From: \xE2\x80\xAE"
	       "bob@b.example\r\n"),
	    false },
	{ "a NUL behind", SI("From: bob@b.example\0.evil.example\r\n"), false },
	{ "a NUL before", SI("From: eve@e.example\0bob@b.example\r\n"), false },
	{ "a bare CR", SI("From: eve@e.example\rFrom: bob@b.example\r\n"),
	    false },
	{ "bytes that are no UTF-8", SI("From: \xFF <bob@b.example>\r\n"),
	    false },
	{ "bytes that are no UTF-8 in the address",
	    SI("From: bob\xE9@b.example\r\n"), false },
	{ "a C1 control", SI("From: bob\xC2\x85@b.example\r\n"), false },
	{ "two From fields, listed first", SI(BOB EVE), false },
	{ "two From fields, listed last", SI(EVE BOB), false },
	{ "two From fields, the same", SI(BOB BOB), false },
	{ "two From fields in other case", SI(EVE "fRoM: bob@b.example\r\n"),
	    false },
	{ "another From with a space before its colon",
	    SI(EVE "From : bob@b.example\r\n"), false },
	{ "a From that other readers may see",
	    SI(BOB "From\xC2\xA0: eve@e.example\r\n"), false },
	{ "a From within a field, behind a bare CR",
	    SI(BOB "X: y\rFrom: eve@e.example\r\n"), false },
	{ "a From in an mbox line", SI("From bob@b.example Mon\r\n" EVE),
	    false },
	{ "a From in the body", SI(EVE "\r\n" BOB), false },
	{ "a From in the body alone", SI("To: x@x.example\r\n\r\n" BOB),
	    false },
	{ "a From that is folded into another field",
	    SI(EVE "X: y\r\n From: bob@b.example\r\n"), false },
	{ "a From folded by lines of nothing",
	    SI("From: eve@e.example\r\n \r\n ,bob@b.example\r\n"), false },
	{ "Sender", SI(EVE "Sender: bob@b.example\r\n"), false },
	{ "Sender alone", SI("Sender: bob@b.example\r\n"), false },
	{ "Reply-To", SI(EVE "Reply-To: bob@b.example\r\n"), false },
	{ "Resent-From", SI(EVE "Resent-From: bob@b.example\r\n"), false },
	{ "Return-Path", SI("Return-Path: <bob@b.example>\r\n" EVE), false },
	{ "X-From", SI("X-From: bob@b.example\r\n" EVE), false },
	{ "Apparently-From", SI("Apparently-From: bob@b.example\r\n"), false },
	{ "an empty From", SI("From:\r\n"), false },
	{ "the null path", SI("From: <>\r\n"), false },
	{ "no domain", SI("From: bob\r\n"), false },
	{ "an entry for an address", SI("From: @us.example\r\n"), false },
	{ "an entry in brackets", SI("From: <@us.example>\r\n"), false },
	{ "no From", SI("To: bob@b.example\r\n"), false },
};

static void
see(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct row *r = *state;
	struct policy_rules plain = { .in_on = true, .in = { listed, 3 } };
	struct policy_rules proof = { .in_on = true,
		.in_dmarc = { listed, 3 } };
	struct mime_envelope env;
	struct policy_mail m;

	mime_envelope_parse(a, r->head, &env);
	m = (struct policy_mail){ .from_fields = env.from_fields,
		.from = env.from_sole };
	assert_int_equal(policy_sees(&plain, &m), r->seen);
	/* With proof the spellings are equal; without, none is accepted. */
	assert_false(policy_sees(&proof, &m));
	m.auth = SENDER_PASS;
	assert_int_equal(policy_sees(&proof, &m), r->seen);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS] = { 0 };

	for (size_t i = 0; i < ROWS; i++)
		tests[i] = (struct CMUnitTest){ rows[i].why, see, NULL, NULL,
			(void *)(uintptr_t)&rows[i] };
	return cmocka_run_group_tests_name("gate/spelling", tests, NULL, NULL);
}
