/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * One query of three folders: which flights there are, and what each folder
 * answers when it is asked.  Of the third only uids below 30 are wanted.
 */
#define PRE "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n"
#define OPEN(n) EX(9) "e" #n " OK ex\r\n"
#define FOUND(n, uids) "* SEARCH" uids "\r\ne" #n " OK s\r\n"
#define ROW(uid, head)                                                         \
	"* 1 FETCH (UID " #uid " BODY[HEADER.FIELDS (FROM)] \"" head "\")\r\n"
#define ROWS_END(n) "e" #n " OK f\r\n"
#define EXAMINE(n, name) "e" #n " EXAMINE \"" name "\"\r\n"
#define ASK                                                                    \
	EXAMINE(1, "a")                                                        \
	"e2 UID SEARCH ALL FLAGGED\r\n" EXAMINE(3,                             \
	    "b") "e4 UID SEARCH ALL FLAGGED\r\n" EXAMINE(5,                    \
	    "c") "e6 UID SEARCH UID 1:29 FLAGGED\r\n"
#define FETCH(n, uids) "e" #n " UID FETCH " uids ITEMS
#define NOBODY "4294967295"

/* Nothing but the folder is asked for: of the third there is an end. */
#define ALL                                                                    \
	EXAMINE(1, "a")                                                        \
	EXAMINE(2, "b") EXAMINE(3, "c") "e4 UID SEARCH UID 1:29\r\n"
#define LAST(uid, head)                                                        \
	"* " #uid " FETCH (UID " #uid " BODY[HEADER.FIELDS (FROM)] \"" head    \
	"\")\r\n"
#define LONG "* PREAUTH [CAPABILITY IMAP4rev1 LITERAL+] hi\r\n"
#define TEXT(n, uids, bytes)                                                   \
	"e" #n " UID SEARCH " uids " FLAGGED TEXT {" #bytes "+}\r\nX\r\n"
#define NONE(n) "* 0 EXISTS\r\n* OK [UIDVALIDITY 9] v\r\ne" #n " OK ex\r\n"

static const struct across {
	const char *why;
	bool even, open;
	const char *says, *want, *sent;
	size_t limit;   /* 0: 3 */
	size_t text;    /* its length; shown as one X */
	size_t folders; /* 0: all three */
} rows[] = {
	{ "two flights for all of them, and none for one without results",
	    false, false,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, " 3 29 31") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8)
		    OPEN(9) ROW(3, "z") ROW(29, "w") ROWS_END(10),
	    "9:x 7:y; ; 29:w 3:z; ",
	    .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") EXAMINE(9, "c")
		FETCH(10, "29,3") OUT },
	{ "results may be hidden: none costs as much", true, false,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, "") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8) OPEN(9)
		    ROWS_END(10) OPEN(11) ROWS_END(12),
	    "9:x 7:y; ; ; ",
	    .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") EXAMINE(9, "b")
		FETCH(10, NOBODY) EXAMINE(11, "c") FETCH(12, NOBODY) OUT },
	{ "a folder that is gone is asked alone, and says so", false, false,
	    PRE OPEN(1) FOUND(2, " 9") "e3 NO no\r\ne4 BAD s\r\n" OPEN(5)
		FOUND(6, "") OPEN(7) ROW(9, "x")
		    ROWS_END(8) "e9 NO no\r\ne10 BAD s\r\n",
	    "9:x; not_found; ; ",
	    .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9") "|" EXAMINE(9,
		"b") "e10 UID SEARCH ALL FLAGGED\r\n" OUT },
	{ "a folder that was renumbered meanwhile is asked again", false, false,
	    PRE OPEN(1) FOUND(2, " 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, "") "* 9 EXISTS\r\n* OK [UIDVALIDITY 10] v\r\n"
			     "e7 OK ex\r\n" ROW(9, "x") ROWS_END(8) OPEN(9)
				 FOUND(10, " 4") ROW(4, "n") ROWS_END(11),
	    "4:n; ; ; ",
	    .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9") "|" EXAMINE(9,
		"a") "e10 UID SEARCH ALL FLAGGED\r\n|" FETCH(11, "4") OUT },
	{ "rows are fetched for a flight when its first folder is asked for",
	    false, false,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, " 3") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8)
		    OPEN(9) ROW(3, "z") ROWS_END(10),
	    "9:x 7:y; ; 3:z; ",
	    .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") "|" EXAMINE(9, "c")
		FETCH(10, "3") OUT,
	    .limit = 3000 },
	{ "and not, if it is not asked for", false, false,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, " 3") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8),
	    "9:x 7:y; ; ", .sent = ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") OUT,
	    .limit = 3000, .folders = 2 },
	{ "of whole folders, the last are fetched without a search", false,
	    true,
	    PRE OPEN(1) NONE(2) OPEN(3) FOUND(4, " 3 29") OPEN(5) LAST(7, "x")
		LAST(8, "y") LAST(9, "z") ROWS_END(6) OPEN(7) ROW(3, "v")
		    ROW(29, "w") ROWS_END(8),
	    "9:z 8:y 7:x; ; 29:w 3:v; ",
	    .sent = ALL "|" EXAMINE(5, "a") "e6 FETCH 7:9" ITEMS EXAMINE(7, "c")
		FETCH(8, "29,3") OUT },
	{ "an empty one costs as much, if results may be hidden", true, true,
	    PRE OPEN(1) NONE(2) OPEN(3) FOUND(4, "") OPEN(5) LAST(7, "x")
		LAST(8, "y") LAST(9, "z") ROWS_END(6) NONE(7) ROWS_END(8)
		    OPEN(9) ROWS_END(10),
	    "9:z 8:y 7:x; ; ; ",
	    .sent = ALL "|" EXAMINE(5, "a") "e6 FETCH 7:9" ITEMS EXAMINE(7, "b")
		FETCH(8, NOBODY) EXAMINE(9, "c") FETCH(10, NOBODY) OUT },
	{ "where one came meanwhile, the last are others: asked again", false,
	    true,
	    PRE OPEN(1) NONE(2) NONE(3) FOUND(4, "")
		EX(10) "e5 OK ex\r\n" LAST(7, "x") LAST(8, "y") LAST(9, "z")
		    ROWS_END(6) EX(10) "e7 OK ex\r\n" LAST(8, "y") LAST(9, "z")
			LAST(10, "n") ROWS_END(8),
	    "10:n 9:z 8:y; ; ; ",
	    .sent = ALL "|" EXAMINE(5, "a") "e6 FETCH 7:9" ITEMS "|" EXAMINE(7,
		"a") "|e8 FETCH 8:10" ITEMS OUT },
	{ "long strings: a folder in a flight", false, false,
	    LONG OPEN(1) FOUND(2, "") OPEN(3) FOUND(4, "") OPEN(5) FOUND(6, ""),
	    "; ; ; ",
	    .sent = EXAMINE(1, "a") TEXT(2, "ALL", 17000) "|" EXAMINE(3, "b")
		TEXT(4, "ALL", 17000) "|" EXAMINE(5, "c")
		    TEXT(6, "UID 1:29", 17000) OUT,
	    .text = 17000 },
	{ "too long for a flight: each is asked alone", false, false,
	    LONG OPEN(1) FOUND(2, ""), "; ",
	    .sent = EXAMINE(1, "a") TEXT(2, "ALL", 40000) OUT, .text = 40000,
	    .folders = 1 },
};

static struct str
a_text(struct arena *a, size_t n)
{
	char *p = arena_array(a, n, 1);

	memset(p, 'X', n);
	return (struct str){ p, n };
}

/* The text that was searched for, as one X. */
static void
shorten(char *sent)
{
	char *to = sent;

	for (const char *p = sent; *p != '\0'; p++)
		if (*p != 'X' || to == sent || to[-1] != 'X')
			*to++ = *p;
	*to = '\0';
}

static void
play(const struct across *k, size_t cut)
{
	struct query_next next[] = { { S("b"), 0 }, { S("c"), 29 } };
	struct query q = { .folder = S("a"),
		.with = k->open ? 0 : FLAG_FLAGGED,
		.even = k->even,
		.next = { next, 2 } };
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	q.text = a_text(t.a, k->text);
	for (size_t i = 0; i < (k->folders > 0 ? k->folders : 3); i++) {
		struct folder_state st = { 0 };
		struct rows got = { 0 };
		struct err e = { 0 };

		if (i > 0) {
			q.folder = next[i - 1].folder;
			q.uid_max = next[i - 1].uid_max;
			q.next.v = next + i;
			q.next.n = 2 - i;
		}
		if (imap_backend.find(&t.s->conn, t.a, &q,
			k->limit > 0 ? k->limit : 3, &st, &got, &e) < 0)
			buf_text(&b, err_code(e.kind));
		for (size_t n = 0; n < got.n; n++)
			buf_fmt(&b, "%s%u:%.*s", n > 0 ? " " : "",
			    got.v[n].ref.uid, STR_ARG(got.v[n].head));
		buf_text(&b, "; ");
	}
	imap_backend.close(&t.s->conn);
	script_close(&t);
	shorten(t.sent);
	if (strcmp(t.sent, k->sent) != 0)
		print_message("cut at %zu\n", cut);
	assert_string_equal(buf_view(&b).p, k->want);
	assert_string_equal(t.sent, k->sent);
	arena_close(&t.a);
}

SCRIPT_MAIN("backend/imap_across", rows, play)
