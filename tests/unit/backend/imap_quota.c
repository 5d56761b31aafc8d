/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/* What a server says of its limit, and what is made of it. */
#define PRE "* PREAUTH [CAPABILITY IMAP4rev1 QUOTA] hi\r\n"
#define OK "e1 OK q\r\n"
#define UNCLEAR "the server does not tell how full it is"

static const struct quota {
	const char *why, *says, *want;
} rows[] = {
	{ "a limit", PRE "* QUOTA \"\" (STORAGE 10 512)\r\n" OK,
	    "10 of 512 KiB are used" },
	{ "of two, the fuller",
	    PRE "* QUOTA \"a\" (STORAGE 1 9)\r\n"
		"* QUOTA \"b\" (MESSAGE 3 4 STORAGE 8 9)\r\n" OK,
	    "8 of 9 KiB are used" },
	{ "nine tenths", PRE "* QUOTA \"\" (STORAGE 18 20)\r\n" OK,
	    "18 of 20 KiB are used: near" },
	{ "a small one that is empty", PRE "* QUOTA \"\" (STORAGE 0 5)\r\n" OK,
	    "0 of 5 KiB are used" },
	{ "a huge one",
	    PRE "* QUOTA \"\" (STORAGE 1 9223372036854775807)\r\n" OK,
	    "1 of 9223372036854775807 KiB are used" },
	{ "none", PRE "* QUOTAROOT INBOX\r\n" OK, "the server sets no limit" },
	{ "a refusal", PRE "e1 NO no\r\n", UNCLEAR },
	{ "no list", PRE "* QUOTA \"\" STORAGE\r\n" OK, UNCLEAR },
	{ "no numbers", PRE "* QUOTA \"\" (STORAGE a b)\r\n" OK, UNCLEAR },
	{ "no end of a list", PRE "* QUOTA \"\" (STORAGE 1 2\r\n" OK, UNCLEAR },
	{ "nothing", PRE "* QUOTA\r\n" OK, UNCLEAR },
};

static void
play(const struct quota *k, size_t cut)
{
	struct imap_quota q;
	struct err e = { 0 };
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	if (imap_session_caps(t.s, &e) < 0 || imap_quota(t.s, &q, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	buf_str(&b, imap_quota_say(&q, t.a));
	buf_text(&b, imap_quota_is_near(&q) ? ": near" : "");
	script_expect(&t, buf_view(&b), k->want,
	    "e1 GETQUOTAROOT INBOX\r\n" OUT, cut);
}

SCRIPT_MAIN("backend/imap_quota", rows, play)
