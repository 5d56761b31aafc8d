/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * What is new above a known uid, on a connection that has seen the folder
 * before: which flights there are, and what comes of each answer.
 */
#define AT(exists, next, validity, tag)                                        \
	"* " #exists " EXISTS\r\n* OK [UIDVALIDITY " #validity "] v\r\n"       \
	"* OK [UIDNEXT " #next "] n\r\n" #tag " OK ex\r\n"
#define FIRST(next) "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n" AT(0, next, 9, e1)
#define ROW(seq, uid, head)                                                    \
	"* " #seq " FETCH (UID " #uid " BODY[HEADER.FIELDS (FROM)] \"" head    \
	"\")\r\n"
#define ONE "e1 EXAMINE \"b\"\r\n|"
#define ASK ONE "e2 EXAMINE \"b\"\r\ne3 UID SEARCH UID 40:*\r\n"
#define AHEAD ASK "e4 UID FETCH 40:42" ITEMS

static const struct ahead {
	const char *why;
	struct query q; /* the second; the first is for the folder alone */
	const char *says, *want, *sent;
} rows[] = {
	{ "what was found has come along", { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41) AT(9, 43, 9, e2) "* SEARCH 40 42\r\ne3 OK s\r\n" ROW(8,
		40, "a") ROW(9, 42, "c") "e4 OK f\r\n",
	    "9/43/9 42:c 40:a", AHEAD OUT },
	{ "rows without a result are none",
	    { .folder = SI("b"), .uid_min = 40 },
	    FIRST(40) AT(9, 43, 9, e2) "* SEARCH 41\r\ne3 OK s\r\n" ROW(7, 40,
		"a") ROW(8, 41, "b") ROW(9, 42, "c") "e4 OK f\r\n",
	    "9/43/9 41:b", AHEAD OUT },
	{ "nothing is new; some servers name the last one",
	    { .folder = SI("b"), .uid_min = 40 },
	    FIRST(40) AT(9, 40, 9, e2) "* SEARCH 39\r\ne3 OK s\r\ne4 OK f\r\n",
	    "9/40/9", AHEAD OUT },
	{ "more than was thought", { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41) AT(9, 44, 9, e2) "* SEARCH 40 42 43\r\ne3 OK s\r\n" ROW(7,
		40, "a") ROW(8, 42, "c") "e4 OK f\r\n" ROW(7, 40, "a")
		ROW(8, 42, "c") ROW(9, 43, "d") "e5 OK f\r\n",
	    "9/44/9 43:d 42:c 40:a", AHEAD "|e5 UID FETCH 42:43,40" ITEMS OUT },
	{ "the guess is refused", { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41)
		AT(9, 41, 9, e2) "* SEARCH 40\r\ne3 OK s\r\n"
				 "e4 NO no\r\n" ROW(9, 40, "a") "e5 OK f\r\n",
	    "9/41/9 40:a", AHEAD "|e5 UID FETCH 40" ITEMS OUT },
	{ "answers in another order, and news between them",
	    { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41) AT(9, 41, 9,
		e2) "* 10 EXISTS\r\n* 1 EXPUNGE\r\n"
		    "* 2 FETCH (UID 3 FLAGS (\\Seen))\r\n" ROW(9, 40,
			"a") "e4 OK f\r\n* SEARCH 40\r\ne3 OK s\r\n",
	    "9/41/9 40:a", AHEAD OUT },
	{ "the folder was renumbered: its new numbers count",
	    { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41) AT(9, 43, 10, e2) "* SEARCH 41\r\ne3 OK s\r\n" ROW(8, 41,
		"x") "e4 OK f\r\n",
	    "10/43/9 41:x", AHEAD OUT },
	{ "the folder is gone", { .folder = SI("b"), .uid_min = 40 },
	    FIRST(41) "e2 NO no\r\ne3 BAD s\r\ne4 BAD f\r\n",
	    "not_found: no such folder or message", AHEAD OUT },
	{ "more than a page was there", { .folder = SI("b"), .uid_min = 40 },
	    FIRST(44) AT(9, 44, 9, e2) "* SEARCH 43\r\ne3 OK s\r\n" ROW(9, 43,
		"d") "e4 OK f\r\n",
	    "9/44/9 43:d", ASK "|e4 UID FETCH 43" ITEMS OUT },
	{ "what is found may be hidden: as many flights as ever",
	    { .folder = SI("b"), .uid_min = 40, .even = true },
	    FIRST(41) AT(9, 41, 9, e2) "* SEARCH 40\r\ne3 OK s\r\n" ROW(9, 40,
		"a") "e4 OK f\r\n",
	    "9/41/9 40:a", ASK "|e4 UID FETCH 40" ITEMS OUT },
	{ "another folder, of which nothing is known",
	    { .folder = SI("c"), .uid_min = 40 },
	    FIRST(41) AT(9, 41, 9, e2) "* SEARCH 40\r\ne3 OK s\r\n" ROW(9, 40,
		"a") "e4 OK f\r\n",
	    "9/41/9 40:a",
	    ONE "e2 EXAMINE \"c\"\r\ne3 UID SEARCH UID 40:*\r\n"
		"|e4 UID FETCH 40" ITEMS OUT },
};

static void
play(const struct ahead *k, size_t cut)
{
	const struct query first = { .folder = S("b") };
	struct folder_state st = { 0 };
	struct rows got = { 0 };
	struct err e = { 0 };
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	assert_int_equal(imap_backend.find(&t.s->conn, t.a, &first, 3, &st,
			     &got, &e),
	    0);
	/* As imap_again() does, which would read ahead in a script. */
	t.s->examined = false;
	if (imap_backend.find(&t.s->conn, t.a, &k->q, 3, &st, &got, &e) < 0) {
		buf_fmt(&b, "%s: %s", err_code(e.kind), e.say);
	} else {
		buf_fmt(&b, "%u/%u/%u", st.uidvalidity, st.uidnext, st.exists);
		for (size_t i = 0; i < got.n; i++)
			buf_fmt(&b, " %u:%.*s", got.v[i].ref.uid,
			    STR_ARG(got.v[i].head));
	}
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

SCRIPT_MAIN("backend/imap_ahead", rows, play)
