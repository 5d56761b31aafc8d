/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * Whole conversations about drafts: the server's text, the result, and what we
 * must have sent, "|" where we waited.  Each is played once for every byte at
 * which the server's text can be cut.
 */
#define PRE(caps) "* PREAUTH [CAPABILITY IMAP4rev1 " caps "] hi\r\n"
#define ROW(uid, id)                                                           \
	"* 1 FETCH (UID " #uid " FLAGS (\\Draft) BODY[HEADER.FIELDS (TO)] "    \
	"\"Message-ID: <" id ">\")\r\n"
#define SELECT(n, m) "e" #n " SELECT \"D\"\r\ne" #m " EXAMINE \"D\"\r\n" OUT
#define MESSAGE "Message-ID: <d@x>\r\n\r\nhi\r\n"
#define APPEND "e1 APPEND \"D\" (\\Draft \\Seen) {25+}\r\n" MESSAGE "\r\n|"
#define FIND "UID SEARCH ALL HEADER Message-ID \"<d@x>\"\r\n|"
#define NONE "unsupported: the account has no folder for drafts"
#define CLOSED "unsupported: the account's drafts folder is not writable"
#define AWAY "unsupported: the account's drafts folder does not exist"

enum ask {
	WHERE,
	PUT,
};

static const struct talk {
	const char *why;
	enum ask ask;
	const char *named; /* the folder that the operator named */
	const char *says, *want, *sent;
} talks[] = {
	{ "the folder whose use it is, with the right to insert", WHERE, "",
	    PRE("ACL") "* LIST () \"/\" INBOX\r\n"
		       "* LIST (\\Noselect \\Drafts) \"/\" C\r\n"
		       "* LIST (\\Drafts) \"/\" D\r\ne1 OK l\r\n"
		       "* MYRIGHTS D lrswi\r\ne2 OK m\r\n",
	    "D", "e1 LIST \"\" \"*\"\r\n|e2 MYRIGHTS \"D\"\r\n" OUT },
	{ "nobody's use is drafts", WHERE, "",
	    PRE("ACL") "* LIST () \"/\" Drafts\r\n"
		       "* LIST (\\Drafts \\NonExistent) \"/\" D\r\n"
		       "e1 OK l\r\n",
	    NONE, "e1 LIST \"\" \"*\"\r\n" OUT },
	{ "rights without i", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS D lrswI\r\ne1 OK m\r\n", CLOSED,
	    "e1 MYRIGHTS \"D\"\r\n" OUT },
	{ "no rights at all", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS D \"\"\r\ne1 OK m\r\n", CLOSED,
	    "e1 MYRIGHTS \"D\"\r\n" OUT },
	{ "rights told twice, and not the same", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS {1}\r\nD lr\r\n* MYRIGHTS D li\r\n"
		       "e1 OK m\r\n",
	    CLOSED, "e1 MYRIGHTS \"D\"\r\n" OUT },
	{ "rights to another folder: SELECT must tell", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS E li\r\ne1 OK m\r\n" EX(
		1) "e2 OK [READ-WRITE] s\r\n" EX(1) "e3 OK [READ-ONLY] e\r\n",
	    "D", "e1 MYRIGHTS \"D\"\r\n|" SELECT(2, 3) },
	{ "rights that are then taken back", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS D li\r\ne1 NO m\r\n" EX(
		1) "e2 OK [READ-ONLY] s\r\n" EX(1) "e3 OK [READ-ONLY] e\r\n",
	    CLOSED, "e1 MYRIGHTS \"D\"\r\n|" SELECT(2, 3) },
	{ "rights that are a list", WHERE, "D",
	    PRE("ACL") "* MYRIGHTS D (l i)\r\n",
	    "network: the server's answer is malformed",
	    "e1 MYRIGHTS \"D\"\r\n" },
	{ "no ACL: SELECT, and EXAMINE behind it", WHERE, "D",
	    PRE("") EX(1) "e1 OK [READ-WRITE] s\r\n" EX(
		1) "e2 OK [READ-ONLY] e\r\n",
	    "D", SELECT(1, 2) },
	{ "a folder that is read-only", WHERE, "D",
	    PRE("") EX(1) "* OK [READ-WRITE] no\r\ne1 OK [READ-ONLY] s\r\n" EX(
		1) "e2 OK [READ-ONLY] e\r\n",
	    CLOSED, SELECT(1, 2) },
	{ "a SELECT that does not say is not believed", WHERE, "D",
	    PRE("") EX(1) "e1 OK s\r\n" EX(1) "e2 OK [READ-WRITE] e\r\n",
	    CLOSED, SELECT(1, 2) },
	{ "a folder that is not there", WHERE, "D",
	    PRE("") "e1 NO [NONEXISTENT] s\r\ne2 NO [NONEXISTENT] e\r\n", AWAY,
	    SELECT(1, 2) },
	{ "a folder that cannot be opened now is no reason", WHERE, "D",
	    PRE("") "e1 NO [INUSE] s\r\ne2 NO [INUSE] e\r\n",
	    "network: the server cannot answer now", SELECT(1, 2) },
	{ "the end in the middle", WHERE, "D",
	    PRE("") EX(1) "e1 OK [READ-WRITE] s\r\n",
	    "network: the server closed the connection",
	    "e1 SELECT \"D\"\r\ne2 EXAMINE \"D\"\r\n" },
	{ "a name in UTF-7", WHERE, "Entw\xc3\xbcrfe",
	    PRE("ACL") "* MYRIGHTS Entw&APw-rfe i\r\ne1 OK m\r\n",
	    "Entw\xc3\xbcrfe", "e1 MYRIGHTS \"Entw&APw-rfe\"\r\n" OUT },
	{ "a name in two lines is not sent", WHERE, "D\r\ne9 DELETE D", PRE(""),
	    AWAY, &OUT[1] },

	{ "the server says where it lies, and there it is", PUT, "",
	    PRE("LITERAL+") "e1 OK [APPENDUID 9 44] a\r\n" EX(
		2) "e2 OK e\r\n" ROW(44, "d@x") "e3 OK f\r\n",
	    "9:44 44", APPEND "e2 EXAMINE \"D\"\r\ne3 UID FETCH 44" ITEMS OUT },
	{ "it says where another lies", PUT, "",
	    PRE("LITERAL+") "e1 OK [APPENDUID 9 44] a\r\n" EX(
		2) "e2 OK e\r\n" ROW(44,
		"e@x") "e3 OK f\r\n* SEARCH 40 41\r\ne4 OK s\r\n" ROW(41, "d@x")
		ROW(40, "d@x") "e5 OK f\r\n",
	    "9:41 41",
	    APPEND "e2 EXAMINE \"D\"\r\ne3 UID FETCH 44" ITEMS "|e4 " FIND
		   "e5 UID FETCH 40:41" ITEMS OUT },
	{ "it says a uid of another numbering", PUT, "",
	    PRE("LITERAL+") "e1 OK [APPENDUID 8 44] a\r\n" EX(
		2) "e2 OK e\r\n" ROW(44,
		"d@x") "e3 OK f\r\n"
		       "* SEARCH 45\r\ne4 OK s\r\n" ROW(45,
			   "d@x") "e5 OK f\r\n",
	    "9:45 45",
	    APPEND "e2 EXAMINE \"D\"\r\ne3 UID FETCH 44" ITEMS "|e4 " FIND
		   "e5 UID FETCH 45" ITEMS OUT },
	{ "it says many", PUT, "",
	    PRE("LITERAL+") "e1 OK [APPENDUID 9 44:45] a\r\n" EX(
		2) "e2 OK e\r\n* SEARCH 45\r\ne3 OK s\r\n" ROW(45,
		"d@x") "e4 OK f\r\n",
	    "9:45 45",
	    APPEND "e2 EXAMINE \"D\"\r\ne3 " FIND "e4 UID FETCH 45" ITEMS OUT },
	{ "it says nothing: found by its Message-ID, none other", PUT, "",
	    PRE("LITERAL+") "e1 OK a\r\n" EX(
		2) "e2 OK e\r\n* SEARCH 40 45 46\r\ne3 OK s\r\n" ROW(46, "xd@x")
		ROW(45, "d@x") ROW(40, "d@x") "e4 OK f\r\n",
	    "9:45 45",
	    APPEND "e2 EXAMINE \"D\"\r\ne3 " FIND
		   "e4 UID FETCH 45:46,40" ITEMS OUT },
	{ "kept and not found is kept", PUT, "",
	    PRE("LITERAL+") "e1 OK a\r\n" EX(
		2) "e2 OK e\r\n* SEARCH\r\ne3 OK s\r\n",
	    " 0",
	    APPEND "e2 EXAMINE \"D\"\r\n"
		   "e3 UID SEARCH ALL HEADER Message-ID \"<d@x>\"\r\n" OUT },
	{ "kept and then cut off is kept", PUT, "",
	    PRE("LITERAL+") "e1 OK [APPENDUID 9 44] a\r\n* BYE\r\n", " 0",
	    APPEND "e2 EXAMINE \"D\"\r\ne3 UID FETCH 44" ITEMS },
	{ "refused: there is no such folder", PUT, "",
	    PRE("LITERAL+") "e1 NO [TRYCREATE] a\r\n",
	    "not_found: no such folder or message",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25+}\r\n" MESSAGE "\r\n" OUT },
	{ "refused: no room", PUT, "",
	    PRE("LITERAL+") "e1 NO [OVERQUOTA] a\r\n",
	    "limit: the server did not take the message into the folder",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25+}\r\n" MESSAGE "\r\n" OUT },
	{ "refused before it was sent", PUT, "", PRE("") "e1 NO a\r\n",
	    "limit: the server did not take the message into the folder",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25}\r\n" OUT },
	{ "cut off before it was sent", PUT, "", PRE(""),
	    "network: the server closed the connection",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25}\r\n" },
	{ "cut off after it was sent: nobody knows", PUT, "",
	    PRE("") "+ go\r\n",
	    "unknown_outcome: the server did not say whether it saved the "
	    "draft: look for it before you make another",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25}\r\n|" MESSAGE "\r\n" },
	{ "an answer to something else is none", PUT, "",
	    PRE("LITERAL+") "e2 OK [APPENDUID 9 44] a\r\n",
	    "unknown_outcome: the server did not say whether it saved the "
	    "draft: look for it before you make another",
	    "e1 APPEND \"D\" (\\Draft \\Seen) {25+}\r\n" MESSAGE "\r\n" },
};

static void
ask(struct script *t, const struct talk *k, struct buf *b)
{
	struct drafted d = { 0 };
	struct err e = { 0 };
	struct str folder = { 0 };
	int r;

	if (k->ask == WHERE)
		r = imap_backend.drafts(&t->s->conn, t->a, &folder, &e);
	else
		r = imap_backend.draft(&t->s->conn, t->a, S("D"), S(MESSAGE),
		    S("no thread"), &d, &e);
	if (r < 0)
		buf_fmt(b, "%s: %s", err_code(e.kind), e.say);
	else if (k->ask == WHERE)
		buf_str(b, folder);
	else
		buf_fmt(b, "%.*s %u", STR_ARG(d.id), d.ref.uid);
}

/* One conversation, with the server's text cut in two at a byte. */
static void
play(const struct talk *k, size_t cut)
{
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	/* Nobody answers there on a second attempt. */
	t.acct.imap_host = S("127.0.0.1");
	t.acct.imap_port = 1;
	t.acct.drafts_folder = str_of(k->named);
	buf_init(&b, t.a, 4096);
	ask(&t, k, &b);
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

SCRIPT_MAIN("backend/imap_draft", talks, play)
