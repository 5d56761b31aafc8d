/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * Whole conversations: the server's text, the result, and what we must have
 * sent, "|" where we waited.  Each is played once for every byte at which the
 * server's text can be cut.
 */
#define PRE "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n"
#define ROW(seq, uid, head)                                                    \
	"* " #seq " FETCH (UID " #uid " RFC822.SIZE 7"                         \
	" BODY[HEADER.FIELDS (FROM TO)] " head ")\r\n"

/* EXAMINE, answered with this UIDVALIDITY. */
#define GENERATION(n) "* OK [UIDVALIDITY " n "] v\r\ne1 OK ex\r\n"
#define NO_GENERATION                                                          \
	"unsupported: the mail server does not keep this folder's message "    \
	"numbers (no UIDVALIDITY)"

#define LINK_ITEMS                                                             \
	" (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID REFERENCES IN-REPLY-TO)])"  \
	"\r\n"

enum ask {
	FIND,
	HEADERS, /* 5, 3, 5, 8 */
	BODY,    /* uid 5, at most 10 bytes */
	FOLDERS,
	TWICE, /* FIND, then BODY */
	LINKS,
};

static const struct talk {
	const char *why;
	enum ask ask;
	struct query q;
	size_t limit;
	bool oauth;
	const char *says, *want, *sent;
} talks[] = {
	{ "login, EXAMINE and search are one flight", FIND,
	    { .folder = SI("box"), .uid_min = 40 }, 5, false,
	    "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN ID] Dovecot "
	    "ready.\r\n"
	    "e1 OK in\r\n* ID NIL\r\ne2 OK id\r\n" EX(
		3) "e3 OK ex\r\n"
		   "* SEARCH 41 39 44\r\ne4 OK s\r\n" ROW(2, 41, "{1}\r\na")
		       ROW(3, 44, "\"b\"") "e5 OK f\r\n",
	    "9/50/3 44:b 41:a",
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\n"
	    "e2 ID (\"name\" \"emcli\")\r\ne3 EXAMINE \"box\"\r\n"
	    "e4 UID SEARCH UID 40:*\r\n|e5 UID FETCH 44,41" ITEMS OUT },
	{ "the newest need EXISTS and no search", FIND,
	    { .folder = SI("inbox") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1] hi\r\n"
	    "e1 OK [CAPABILITY IMAP4rev1 ESEARCH] in\r\n" EX(
		3) "e2 OK ex\r\n" ROW(2, 7, "NIL")
		ROW(3, 8, "\"x\"") "e3 OK f\r\n",
	    "9/50/3 8:x 7:",
	    "e1 LOGIN \"me\" \"p\\\"w\"\r\ne2 EXAMINE \"INBOX\"\r\n"
	    "|e3 FETCH 2:3" ITEMS OUT },
	{ "flags are searched for", FIND,
	    { .folder = SI("b"),
		.with = FLAG_FLAGGED,
		.without = FLAG_READ | FLAG_ANSWERED },
	    2, false, PRE EX(3) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/3",
	    "e1 EXAMINE \"b\"\r\n"
	    "e2 UID SEARCH ALL UNSEEN UNANSWERED FLAGGED\r\n" OUT },
	{ "a server that is not known is sent nothing behind AUTHENTICATE",
	    FIND, { .folder = SI("b") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] server ready\r\n"
	    "e1 OK in\r\n" EX(0) "e2 OK ex\r\n",
	    "9/50/0",
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\n|e2 EXAMINE \"b\"\r\n" OUT },
	{ "nor is one that asks instead", FIND, { .folder = SI("b") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] server ready\r\n"
	    "+ \r\ne1 BAD in\r\n",
	    "auth: the server refused the credentials",
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\n|*\r\n" },
	{ "Dovecot with a greeting of its operator's", FIND,
	    { .folder = SI("b") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS AUTH=PLAIN] "
	    "mail\r\ne1 OK in\r\n" EX(0) "e2 OK ex\r\n",
	    "9/50/0",
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\ne2 EXAMINE \"b\"\r\n" OUT },
	{ "no capabilities in the greeting: asked first", FIND,
	    { .folder = SI("b") }, 2, false,
	    "* OK hi\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\ne1 OK c\r\n"
	    "+ \r\ne2 OK in\r\n" EX(0) "e3 OK ex\r\n",
	    "9/50/0",
	    "e1 CAPABILITY\r\n|e2 AUTHENTICATE PLAIN\r\n|AG1lAHAidw==\r\n"
	    "|e3 EXAMINE \"b\"\r\n" OUT },
	{ "a refused login is told, whatever the rest is answered", FIND,
	    { .folder = SI("b") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1] hi\r\n"
	    "e1 NO [AUTHENTICATIONFAILED] no\r\ne2 BAD first\r\n",
	    "auth: the server refused the credentials",
	    "e1 LOGIN \"me\" \"p\\\"w\"\r\ne2 EXAMINE \"b\"\r\n" },
	{ "a login that must wait is no refusal", FIND, { .folder = SI("b") },
	    2, false,
	    "* OK [CAPABILITY IMAP4rev1] hi\r\ne1 NO [UNAVAILABLE] no\r\n",
	    "network: the server cannot answer now",
	    "e1 LOGIN \"me\" \"p\\\"w\"\r\ne2 EXAMINE \"b\"\r\n" },
	{ "LOGINDISABLED and nothing else is not tried", FIND,
	    { .folder = SI("b") }, 2, false,
	    "* OK [CAPABILITY IMAP4rev1 LOGINDISABLED] hi\r\n",
	    "auth: the server offers no usable login", "" },
	{ "a refused token is answered with an empty line", FIND,
	    { .folder = SI("b") }, 2, true,
	    "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2] hi\r\n"
	    "+ eyJzdGF0dXMiOiI0MDAifQ==\r\ne1 NO no\r\n",
	    "auth: the server refused the credentials",
	    "e1 AUTHENTICATE XOAUTH2"
	    " dXNlcj1tZQFhdXRoPUJlYXJlciBwIncBAQ==\r\n|\r\n" },
	/* RFC 9051 section 2.3.1.1: nonzero, 32 bits; else no state is kept. */
	{ "a folder without a UIDVALIDITY", FIND, { .folder = SI("b") }, 2,
	    false, PRE "* 1 EXISTS\r\ne1 OK ex\r\n", NO_GENERATION,
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a UIDVALIDITY of 0", FIND, { .folder = SI("b") }, 2, false,
	    PRE GENERATION("0"), NO_GENERATION, "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a negative UIDVALIDITY", FIND, { .folder = SI("b") }, 2, false,
	    PRE GENERATION("-1"), NO_GENERATION, "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a UIDVALIDITY over 32 bits", FIND, { .folder = SI("b") }, 2, false,
	    PRE GENERATION("4294967296"), NO_GENERATION,
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a UIDVALIDITY that is no number", FIND, { .folder = SI("b") }, 2,
	    false, PRE GENERATION("nine"), NO_GENERATION,
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a UIDVALIDITY in quotes", FIND, { .folder = SI("b") }, 2, false,
	    PRE GENERATION("\"9\""), NO_GENERATION,
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a good UIDVALIDITY that is taken back", FIND, { .folder = SI("b") },
	    2, false, PRE EX(0) GENERATION("0"), NO_GENERATION,
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "the highest UIDVALIDITY", FIND, { .folder = SI("b") }, 2, false,
	    PRE EX(0) GENERATION("4294967295"), "4294967295/50/0",
	    "e1 EXAMINE \"b\"\r\n" OUT },
	/* Section 9: numbers are never strings. */
	{ "a uid in quotes", HEADERS, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\n* 1 FETCH (UID \"5\")\r\ne2 OK f\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 8,5,3" ITEMS },
	{ "a body's uid in quotes", BODY, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\n* 1 FETCH (UID \"5\" BODY[] \"x\")\r\n"
		      "e2 OK f\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 5 (UID BODY.PEEK[])\r\n" },
	{ "the ids of a message whose uid is in quotes", LINKS,
	    { .folder = SI("b") }, 0, false,
	    PRE EX(1) "e1 OK ex\r\n* 1 FETCH (UID \"5\" BODY[HEADER.FIELDS"
		      " (MESSAGE-ID)] \"\")\r\ne2 OK f\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\n|e2 FETCH 1:1" LINK_ITEMS },
	{ "the ids of each message", LINKS, { .folder = SI("b") }, 0, false,
	    PRE EX(2) "e1 OK ex\r\n* 1 FETCH (UID 5 BODY[HEADER.FIELDS"
		      " (MESSAGE-ID)] {21}\r\nMessage-ID: <a@b>\r\n\r\n)\r\n"
		      "* 2 FETCH (UID 6)\r\ne2 OK f\r\n",
	    "5<a@b> 6 ", "e1 EXAMINE \"b\"\r\n|e2 FETCH 1:2" LINK_ITEMS OUT },
	{ "a uid of 0", HEADERS, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\n* 1 FETCH (UID 0)\r\ne2 OK f\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 8,5,3" ITEMS },
	{ "a found set in quotes", FIND, { .folder = SI("b"), .from = SI("a") },
	    2, false,
	    "* PREAUTH [CAPABILITY IMAP4rev1 ESEARCH] hi\r\n" EX(
		9) "e1 OK ex\r\n* ESEARCH (TAG \"e2\") UID ALL \"5\"\r\n"
		   "e2 OK s\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\n"
	    "e2 UID SEARCH RETURN (ALL) ALL FROM \"a\"\r\n" },
	{ "a folder that is not there", FIND, { .folder = SI("b") }, 2, false,
	    PRE "e1 NO [NONEXISTENT] no\r\n",
	    "not_found: no such folder or message",
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a folder that cannot be opened now", FIND, { .folder = SI("b") }, 2,
	    false, PRE "e1 NO [INUSE] no\r\n",
	    "network: the server cannot answer now",
	    "e1 EXAMINE \"b\"\r\n" OUT },
	{ "a folder name in two lines is not sent", FIND,
	    { .folder = SI("b\r\ne9 DELETE b") }, 2, false, PRE,
	    "not_found: no such folder or message", "" },
	{ "a folder's name is written in UTF-7", FIND,
	    { .folder = SI("\xc3\xbc\"&") }, 2, false, PRE EX(0) "e1 OK ex\r\n",
	    "9/50/0", "e1 EXAMINE \"&APw-\\\"&-\"\r\n" OUT },
	{ "or in UTF-8 once the server has enabled it", FIND,
	    { .folder = SI("\xc3\xbc") }, 2, false,
	    "* PREAUTH [CAPABILITY IMAP4rev1 ENABLE UTF8=ACCEPT] hi\r\n"
	    "* ENABLED UTF8=ACCEPT\r\ne1 OK en\r\n" EX(0) "e2 OK ex\r\n",
	    "9/50/0",
	    "e1 ENABLE UTF8=ACCEPT\r\n|e2 EXAMINE \"\xc3\xbc\"\r\n" OUT },
	{ "recipients and a Message-ID", FIND,
	    { .folder = SI("b"), .to = SI("a\"b"), .message_id = SI("<i@x>") },
	    2, false, PRE EX(9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/9",
	    "e1 EXAMINE \"b\"\r\n"
	    "e2 UID SEARCH ALL OR TO \"a\\\"b\" CC \"a\\\"b\""
	    " HEADER Message-ID \"<i@x>\"\r\n" OUT },
	{ "the new form of an answer to a search", FIND,
	    { .folder = SI("b"), .uid_max = 20, .from = SI("a\"b") }, 3, false,
	    "* PREAUTH [CAPABILITY IMAP4rev1 ESEARCH] hi\r\n" EX(
		9) "e1 OK ex\r\n* ESEARCH (TAG \"e2\") UID ALL "
		   "1:3,19:4294967295\r\n"
		   "e2 OK s\r\n" ROW(8, 20, "\"b\"") ROW(7, 19,
		       "\"a\"") "e3 OK f\r\n" ROW(2, 2, "\"c\"") "e4 OK f\r\n",
	    "9/50/9 20:b 19:a 2:c",
	    "e1 EXAMINE \"b\"\r\n"
	    "e2 UID SEARCH RETURN (ALL) UID 1:20 FROM \"a\\\"b\"\r\n"
	    "|e3 UID FETCH 19:20,3" ITEMS "|e4 UID FETCH 2" ITEMS OUT },
	{ "dates, senders and text", FIND,
	    { .folder = SI("b"),
		.text = SI("t"),
		.since_s = 1782036000,
		.before_s = 1782122400,
		.senders = { (struct str[]){ SI("a@b"), SI("@c"), SI("d@e") },
		    3 } },
	    3, false, PRE EX(9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/9",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH ALL SENTSINCE 21-Jun-2026"
	    " SENTBEFORE 22-Jun-2026 OR HEADER From \"a@b\""
	    " OR HEADER From \"@c\" HEADER From \"d@e\" TEXT \"t\"\r\n" OUT },
	{ "a day more is asked for, and the time looked at here", FIND,
	    { .folder = SI("b"), .received_s = 1782036000 }, 2, false,
	    PRE EX(9) "e1 OK ex\r\n* SEARCH 4 5 6 7\r\ne2 OK s\r\n" ROW(1, 7,
		"\"d\" INTERNALDATE \"21-Jun-2026 11:59:59 +0200\"") ROW(1, 6,
		"\"c\" INTERNALDATE \"21-Jun-2026 12:00:01 +0200\"") "e3 OK "
								     "f\r"
								     "\n" ROW(1,
									 5,
									 "\"b\""
									 " INTE"
									 "RNALD"
									 "ATE "
									 "\"21-"
									 "Jun-"
									 "2026 "
									 "10:"
									 "00:"
									 "00 "
									 "+0000"
									 "\"")
									 ROW(1,
									     4,
									     "\"a"
									     "\"") "e4 OK f\r\n",
	    "9/50/9 6:c 4:a",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH ALL SINCE 20-Jun-2026\r\n"
	    "|e3 UID FETCH 6:7" ITEMS "|e4 UID FETCH 4:5" ITEMS OUT },
	{ "what is of a list", FIND,
	    { .folder = SI("b"), .list = SI("dev@x.example") }, 3, false,
	    PRE EX(9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/9",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH ALL"
	    " OR HEADER List-Id \"dev.x.example\""
	    " OR HEADER To \"dev@x.example\" OR HEADER Cc \"dev@x.example\""
	    " HEADER List-Post \"dev@x.example\"\r\n" OUT },
	{ "a list nobody could name is not asked for", FIND,
	    { .folder = SI("b"), .list = SI("d\xc3\xa4@x.example") }, 3, false,
	    PRE EX(9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/9",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH ALL\r\n" OUT },
	{ "without UTF-8 an id is looked for here", FIND,
	    { .folder = SI("b"), .message_id = SI("<\xc3\xa4@c>") }, 3, false,
	    PRE EX(9) "e1 OK ex\r\ne2 NO [BADCHARSET (US-ASCII)] no\r\n"
		      "* SEARCH 4 5\r\ne3 OK s\r\n" ROW(1, 4,
			  "{18}\r\nMessage-ID: <\xc3\xa4@c>")
			  ROW(2, 5, "\"Message-ID: <a@c>\"") "e4 OK f\r\n",
	    "9/50/9 4:Message-ID: <\xc3\xa4@c>",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH CHARSET UTF-8 ALL"
	    " HEADER Message-ID {6}\r\n|e3 UID SEARCH ALL\r\n"
	    "|e4 UID FETCH 4:5" ITEMS OUT },
	{ "a draft is one by its flag, however it is told", HEADERS,
	    { .folder = SI("b") }, 0, false,
	    PRE EX(
		9) "e1 OK ex\r\n"
		   "* 1 FETCH (FLAGS (\\Seen \\draft) UID 8 BODY[HEADER.FIELDS "
		   "(TO)] \"h\")\r\n"
		   "* 2 FETCH (UID 5 FLAGS (Draft \\Drafts) BODY[HEADER.FIELDS "
		   "(TO)] \"g\")\r\n"
		   "* 3 FETCH (UID 3 FLAGS NIL BODY[HEADER.FIELDS (TO)] "
		   "\"f\")\r\n"
		   "e2 OK f\r\n",
	    "9/50/9 5:g 3:f 5:g 8:h(draft)",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 8,5,3" ITEMS OUT },
	{ "a literal waits for the server", FIND,
	    { .folder = SI("b"), .text = SI("a\nb") }, 3, false,
	    PRE EX(9) "e1 OK ex\r\n+ go\r\n* SEARCH\r\ne2 OK s\r\n", "9/50/9",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH ALL TEXT {3}\r\n"
	    "|a\nb\r\n" OUT },
	{ "or not, when it need not", FIND,
	    { .folder = SI("b"), .text = SI("\xc3\xa4") }, 3, false,
	    "* PREAUTH [CAPABILITY IMAP4rev1 LITERAL+] hi\r\n" EX(
		9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n",
	    "9/50/9",
	    "e1 EXAMINE \"b\"\r\n"
	    "e2 UID SEARCH CHARSET UTF-8 ALL TEXT {2+}\r\n\xc3\xa4\r\n" OUT },
	{ "a server without UTF-8: headers are read here", FIND,
	    { .folder = SI("b"), .from = SI("x"), .subject = SI("\xc3\xa4") },
	    3, false,
	    PRE EX(9) "e1 OK ex\r\ne2 NO [BADCHARSET (US-ASCII)] no\r\n"
		      "* SEARCH 4 5\r\ne3 OK s\r\n" ROW(1, 4,
			  "\"Subject: =?utf-8?q?=C3=A4?=\"")
			  ROW(2, 5, "\"Subject: a\"") "e4 OK f\r\n",
	    "9/50/9 4:Subject: =?utf-8?q?=C3=A4?=",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH CHARSET UTF-8 ALL FROM \"x\""
	    " SUBJECT {2}\r\n|e3 UID SEARCH ALL FROM \"x\"\r\n"
	    "|e4 UID FETCH 4:5" ITEMS OUT },
	{ "but text cannot be", FIND,
	    { .folder = SI("b"), .text = SI("\xc3\xa4") }, 3, false,
	    PRE EX(9) "e1 OK ex\r\n+ go\r\ne2 BAD charset\r\n",
	    "unsupported: the server cannot search for these characters",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH CHARSET UTF-8 ALL TEXT {2}\r\n"
	    "|\xc3\xa4\r\n" OUT },
	{ "uids nobody asked for are not there", FIND,
	    { .folder = SI("b"), .uid_min = 5 }, 1, false,
	    PRE EX(9) "e1 OK ex\r\n* SEARCH 6\r\ne2 OK s\r\n" ROW(3, 7,
		"\"no\"") "* 4 FETCH (FLAGS (\\Seen))\r\n* 10 EXISTS\r\n"
			  "* FOO bar {3}\r\n)))\r\n" ROW(2, 6,
			      "\"yes\"") "e3 OK f\r\n",
	    "9/50/10 6:yes",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH UID 5:*\r\n|e3 UID FETCH 6" ITEMS
		OUT },
	{ "the last ones vanish: older ones are found", FIND,
	    { .folder = SI("b") }, 1, false,
	    PRE EX(
		2) "e1 OK ex\r\ne2 NO [EXPUNGEISSUED] gone\r\n"
		   "* SEARCH 3\r\ne3 OK s\r\n" ROW(1, 3, "\"x\"") "e4 OK f\r\n",
	    "9/50/2 3:x",
	    "e1 EXAMINE \"b\"\r\n|e2 FETCH 2:2" ITEMS "|e3 UID SEARCH ALL\r\n"
	    "|e4 UID FETCH 3" ITEMS OUT },
	{ "bounds with nothing between", FIND,
	    { .folder = SI("b"), .uid_min = 5, .uid_max = 4 }, 1, false,
	    PRE EX(2) "e1 OK ex\r\n", "9/50/2", "e1 EXAMINE \"b\"\r\n" OUT },
	{ "headers in the order asked", HEADERS, { .folder = SI("b") }, 0,
	    false,
	    PRE EX(9) "e1 OK ex\r\n" ROW(1, 3, "\"c\"")
		ROW(2, 5, "\"e\"") "e2 OK f\r\n",
	    "9/50/9 5:e 3:c 5:e",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 8,5,3" ITEMS OUT },
	{ "an answer in two parts is one row", HEADERS, { .folder = SI("b") },
	    0, false,
	    PRE EX(9) "e1 OK ex\r\n* 1 FETCH (UID 8)\r\n" ROW(1, 8,
		"\"h\"") "e2 OK f\r\n",
	    "9/50/9 8:h", "e1 EXAMINE \"b\"\r\ne2 UID FETCH 8,5,3" ITEMS OUT },
	{ "a message, in one flight", BODY, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\n* 2 FETCH (UID 4 BODY[] {1}\r\nx)\r\n"
		      "* 3 FETCH (BODY[] {4}\r\na\r\nb UID 5)\r\n"
		      "* 4 FETCH (UID 6 BODY[] \"y\")\r\ne2 OK f\r\n",
	    "body a\r\nb",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 5 (UID BODY.PEEK[])\r\n" OUT },
	{ "a message that is not there", BODY, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\ne2 OK f\r\n",
	    "not_found: no such folder or message",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 5 (UID BODY.PEEK[])\r\n" OUT },
	{ "a message in a folder that is not there", BODY,
	    { .folder = SI("b") }, 0, false,
	    PRE "e1 NO no\r\n* 3 FETCH (UID 5 BODY[] {1}\r\nx)\r\n"
		"e2 OK f\r\n",
	    "not_found: no such folder or message",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 5 (UID BODY.PEEK[])\r\n" OUT },
	{ "a message that is too big", BODY, { .folder = SI("b") }, 0, false,
	    PRE EX(9) "e1 OK ex\r\n* 3 FETCH (UID 5 BODY[] {11}\r\n",
	    "limit: the message is too big",
	    "e1 EXAMINE \"b\"\r\ne2 UID FETCH 5 (UID BODY.PEEK[])\r\n" },
	{ "the folder is examined once", TWICE,
	    { .folder = SI("b"), .uid_min = 5 }, 1, false,
	    PRE EX(9) "e1 OK ex\r\n* SEARCH\r\ne2 OK s\r\n"
		      "* 3 FETCH (UID 5 BODY[] \"x\")\r\ne3 OK f\r\n",
	    "body x",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH UID 5:*\r\n"
	    "|e3 UID FETCH 5 (UID BODY.PEEK[])\r\n" OUT },
	{ "folders with their roles", FOLDERS, { .folder = SI("") }, 0, false,
	    "* OK [CAPABILITY IMAP4rev1] hi\r\n"
	    "e1 OK [CAPABILITY IMAP4rev1 LIST-EXTENDED SPECIAL-USE] in\r\n"
	    "* LIST (\\HasNoChildren) \"/\" inbox\r\n"
	    "* LIST (\\sent) \"\\\\\" \"&APw-\"\r\n"
	    "* LIST (\\Noselect) NIL {3}\r\na b\r\n"
	    "* LIST () \"/\" NIL\r\n* LIST () \"/\" \"\xff\"\r\ne2 OK l\r\n",
	    "inbox/inbox \xc3\xbc\\sent a b- NIL/",
	    "e1 LOGIN \"me\" \"p\\\"w\"\r\n"
	    "|e2 LIST \"\" \"*\" RETURN (SPECIAL-USE)\r\n" OUT },
	{ "BYE as a greeting", FIND, { .folder = SI("b") }, 1, false,
	    "* BYE full\r\n", "network: the server refused the connection",
	    "" },
	{ "BYE in the middle", FIND, { .folder = SI("b") }, 1, false,
	    PRE "* BYE shutting down\r\n",
	    "network: the server closed the connection",
	    "e1 EXAMINE \"b\"\r\n" },
	{ "the end in the middle", FIND, { .folder = SI("b") }, 1, false,
	    PRE EX(9), "network: the server closed the connection",
	    "e1 EXAMINE \"b\"\r\n" },
	{ "an answer without a command", FIND, { .folder = SI("b") }, 1, false,
	    PRE "e7 OK ex\r\n", "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\n" },
	{ "a question nobody can answer", FIND, { .folder = SI("b") }, 1, false,
	    PRE "+ more\r\n", "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\n" },
	{ "a bad list of numbers", FIND, { .folder = SI("b"), .uid_min = 3 }, 1,
	    false, PRE EX(9) "e1 OK ex\r\n* SEARCH 1 x\r\n",
	    "network: the server's answer is malformed",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH UID 3:*\r\n" },
};

static int
show_rows(struct buf *b, int r, const struct folder_state *st,
    const struct rows *rows)
{
	if (r < 0)
		return r;
	buf_fmt(b, "%u/%u/%u", st->uidvalidity, st->uidnext, st->exists);
	for (size_t i = 0; i < rows->n; i++)
		buf_fmt(b, " %u:%.*s%s", rows->v[i].ref.uid,
		    STR_ARG(rows->v[i].head),
		    rows->v[i].draft ? "(draft)" : "");
	return 0;
}

static int
show_folders(struct buf *b, int r, const struct folders *f)
{
	for (size_t i = 0; r == 0 && i < f->n; i++) {
		buf_text(b, i > 0 ? " " : "");
		buf_str(b, f->v[i].name);
		buf_char(b, f->v[i].selectable ? f->v[i].delimiter : '-');
		buf_text(b, backend_role_name(f->v[i].role));
	}
	return r;
}

static int
hear_link(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	struct buf *b = ctx;

	(void)e;
	buf_fmt(b, "%u", ref->uid);
	for (size_t i = 0; i < ids->n; i++)
		buf_str(b, ids->v[i]);
	buf_char(b, ' ');
	return 0;
}

static int
ask(struct script *t, const struct talk *k, struct buf *b, struct err *e)
{
	struct ref asked[] = { { .uid = 5 }, { .uid = 3 }, { .uid = 5 },
		{ .uid = 8 } };
	struct refs refs = { asked, 4 };
	struct conn *c = &t->s->conn;
	struct folder_state st = { 0 };
	struct folders folders = { 0 };
	struct rows rows = { 0 };
	struct str raw = { 0 };
	const struct link_sink sink = { hear_link, b };
	bool over = false;
	int r = 0;

	switch (k->ask) {
	case LINKS:
		return imap_backend.links(c, t->a, k->q.folder, &sink, &over,
		    e);
	case FIND:
		return show_rows(b,
		    imap_backend.find(c, t->a, &k->q, k->limit, &st, &rows, e),
		    &st, &rows);
	case HEADERS:
		return show_rows(b,
		    imap_backend.headers(c, t->a, k->q.folder, &refs, &st,
			&rows, e),
		    &st, &rows);
	case FOLDERS:
		return show_folders(b,
		    imap_backend.folders(c, t->a, &folders, e), &folders);
	case TWICE:
		r = imap_backend.find(c, t->a, &k->q, k->limit, &st, &rows, e);
		if (r < 0)
			return r;
		/* fall through */
	case BODY:
		r = imap_backend.body(c, t->a, k->q.folder, asked, 10, &raw, e);
		if (r == 0)
			buf_fmt(b, "body %.*s", STR_ARG(raw));
		return r;
	}
	return r;
}

/* One conversation, with the server's text cut in two at a byte. */
static void
play(const struct talk *k, size_t cut)
{
	struct err e = { 0 };
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	t.acct.oauth = k->oauth;
	buf_init(&b, t.a, 4096);
	if (ask(&t, k, &b, &e) < 0)
		buf_fmt(&b, "%s: %s", err_code(e.kind), e.say);
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

SCRIPT_MAIN("backend/imap_talk", talks, play)
