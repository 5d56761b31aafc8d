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

static const struct across {
	const char *why;
	bool even;
	const char *says, *want, *sent;
} rows[] = {
	{ "two flights for all of them, and none for one without results",
	    false,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, " 3 29 31") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8)
		    OPEN(9) ROW(3, "z") ROW(29, "w") ROWS_END(10),
	    "9:x 7:y; ; 29:w 3:z; ",
	    ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") EXAMINE(9, "c")
		FETCH(10, "29,3") OUT },
	{ "results may be hidden: none costs as much", true,
	    PRE OPEN(1) FOUND(2, " 7 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, "") OPEN(7) ROW(9, "x") ROW(7, "y") ROWS_END(8) OPEN(9)
		    ROWS_END(10) OPEN(11) ROWS_END(12),
	    "9:x 7:y; ; ; ",
	    ASK "|" EXAMINE(7, "a") FETCH(8, "9,7") EXAMINE(9, "b")
		FETCH(10, NOBODY) EXAMINE(11, "c") FETCH(12, NOBODY) OUT },
	{ "a folder that is gone is asked alone, and says so", false,
	    PRE OPEN(1) FOUND(2, " 9") "e3 NO no\r\ne4 BAD s\r\n" OPEN(5)
		FOUND(6, "") OPEN(7) ROW(9, "x")
		    ROWS_END(8) "e9 NO no\r\ne10 BAD s\r\n",
	    "9:x; not_found; ; ",
	    ASK "|" EXAMINE(7, "a") FETCH(8, "9") "|" EXAMINE(9,
		"b") "e10 UID SEARCH ALL FLAGGED\r\n" OUT },
	{ "a folder that was renumbered meanwhile is asked again", false,
	    PRE OPEN(1) FOUND(2, " 9") OPEN(3) FOUND(4, "") OPEN(5)
		FOUND(6, "") "* 9 EXISTS\r\n* OK [UIDVALIDITY 10] v\r\n"
			     "e7 OK ex\r\n" ROW(9, "x") ROWS_END(8) OPEN(9)
				 FOUND(10, " 4") ROW(4, "n") ROWS_END(11),
	    "4:n; ; ; ",
	    ASK "|" EXAMINE(7, "a") FETCH(8, "9") "|" EXAMINE(9,
		"a") "e10 UID SEARCH ALL FLAGGED\r\n|" FETCH(11, "4") OUT },
};

static void
play(const struct across *k, size_t cut)
{
	struct query_next next[] = { { S("b"), 0 }, { S("c"), 29 } };
	struct query q = { .folder = S("a"),
		.with = FLAG_FLAGGED,
		.even = k->even,
		.next = { next, 2 } };
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	for (size_t i = 0; i < 3; i++) {
		struct folder_state st = { 0 };
		struct rows got = { 0 };
		struct err e = { 0 };

		if (i > 0) {
			q.folder = next[i - 1].folder;
			q.uid_max = next[i - 1].uid_max;
			q.next.v = next + i;
			q.next.n = 2 - i;
		}
		if (imap_backend.find(&t.s->conn, t.a, &q, 3, &st, &got, &e) <
		    0)
			buf_text(&b, err_code(e.kind));
		for (size_t n = 0; n < got.n; n++)
			buf_fmt(&b, "%s%u:%.*s", n > 0 ? " " : "",
			    got.v[n].ref.uid, STR_ARG(got.v[n].head));
		buf_text(&b, "; ");
	}
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

SCRIPT_MAIN("backend/imap_across", rows, play)
