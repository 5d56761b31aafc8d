/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * Whole conversations about moving the messages 3 and 5 from F to K: the
 * server's text, the result with the new uids, and what we must have sent, "|"
 * where we waited.  Each is played once for every byte at which the server's
 * text can be cut.
 */
#define PRE(caps) "* PREAUTH [CAPABILITY IMAP4rev1 " caps "] hi\r\n"
#define MOVES PRE("MOVE UIDPLUS")
#define COPIES PRE("UIDPLUS")
#define THERE                                                                  \
	"* STATUS K (UIDNEXT 40 UIDVALIDITY 7)\r\ne1 OK t\r\n" EX(             \
	    9) "* OK "                                                         \
	       "[PERMANENTFLAGS (\\Seen \\Deleted)] p\r\ne2 OK [READ-WRITE] "  \
	       "s\r\n"
#define BOTH(n) "* SEARCH 3 5\r\ne" #n " OK f\r\n"
#define NONE(n) "* SEARCH\r\ne" #n " OK f\r\n"
#define LOOK                                                                   \
	"e1 STATUS \"K\" (UIDNEXT UIDVALIDITY)\r\ne2 SELECT \"F\"\r\n"         \
	"e3 UID SEARCH UID 5,3\r\n"
#define MOVE "|e4 UID MOVE 5,3 \"K\"\r\n"
#define LEFT "|e5 UID SEARCH UID 5,3\r\n"
#define COPYUID(text) "* OK [COPYUID " text "] c\r\n"
#define DONE "* 1 EXPUNGE\r\n* 1 EXPUNGE\r\ne4 OK m\r\n"
#define ABSENT "not_found: no such folder or message"
#define LOST                                                                   \
	"unknown_outcome: the server did not say whether it moved the "        \
	"messages: look where they are before you move them again"
#define PARTLY(n)                                                              \
	"unknown_outcome: the server moved " #n " of 2 messages: look where "  \
	"they are before you move them again"

/* Without MOVE. */
#define KEEPER                                                                 \
	"* 2 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT 40] n\r\n"      \
	"* OK [PERMANENTFLAGS ()] p\r\ne1 OK [READ-ONLY] e\r\n"
#define FOLDER(n)                                                              \
	EX(9)                                                                  \
	"* OK [PERMANENTFLAGS (\\Seen \\Deleted)] p\r\ne" #n                   \
	" OK [READ-WRITE] s\r\n"
#define OPENED KEEPER FOLDER(2)
#define LOOKS "e1 EXAMINE \"K\"\r\ne2 SELECT \"F\"\r\ne3 UID SEARCH UID 5,3\r\n"
#define UNKNOWN                                                                \
	"unsupported: the target keeps no message numbers, so copies could "   \
	"not be recognized there"
#define SUMS                                                                   \
	" (UID FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID DATE FROM "           \
	"SUBJECT)])\r\n"
#define COPY "|e4 UID FETCH 5,3" SUMS "e5 UID COPY 5,3 \"K\"\r\n"
#define SHOW "|e6 EXAMINE \"K\"\r\ne7 UID FETCH 40:41" SUMS
#define BACK "|e8 SELECT \"F\"\r\n"
#define REMOVE                                                                 \
	"|e9 UID STORE 5,3 +FLAGS.SILENT (\\Deleted)\r\n"                      \
	"e10 UID EXPUNGE 5,3\r\n"
#define SUM(seq, uid, flags, id)                                               \
	"* " #seq " FETCH (UID " #uid " FLAGS (" flags                         \
	") BODY[HEADER.FIELDS (SUBJECT)] \"Message-ID: <" id ">\")\r\n"
#define OLD                                                                    \
	SUM(1, 3, "", "a@x")                                                   \
	SUM(2, 5, "\\Deleted", "b@x")                                          \
	"e4 OK f\r\n"
#define COPIED COPYUID("7 3,5 40:41") "e5 OK c\r\n"
#define KEPT(n, validity)                                                      \
	"* 2 EXISTS\r\n* OK [UIDVALIDITY " validity "] v\r\ne" #n " OK e\r\n"
#define NEW                                                                    \
	SUM(1, 40, "", "a@x")                                                  \
	SUM(2, 41, "", "b@x")                                                  \
	"e7 OK f\r\n"
#define OPEN EX(9) "e8 OK [READ-WRITE] s\r\n"
#define UNTOLD                                                                 \
	"unknown_outcome: the server did not say where the copies are: no "    \
	"original was removed, look before you move them again"
#define UNSEEN                                                                 \
	"unknown_outcome: the server does not show the copies that it made: "  \
	"no original was removed, look before you move them again"
#define STUCK                                                                  \
	"unknown_outcome: the server copied the messages and did not remove "  \
	"all originals: some are in both folders"

static const struct talk {
	const char *why;
	const char *says, *want, *sent;
} talks[] = {
	{ "the server tells where they are",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 41,44") DONE, "41 44",
	    LOOK MOVE OUT },
	{ "with the answer to the command",
	    MOVES THERE BOTH(3) "* 1 EXPUNGE\r\n"
				"e4 OK [COPYUID 7 3,5 40:41] m\r\n" NONE(5),
	    "40 41", LOOK MOVE LEFT OUT },
	{ "twice",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 40:41") COPYUID("7 3,5 40:41")
		DONE,
	    "40 41", LOOK MOVE OUT },
	{ "in another order, each with its copy",
	    MOVES THERE BOTH(3) COPYUID("7 5,3 40:41") DONE, "41 40",
	    LOOK MOVE OUT },
	{ "one by one",
	    MOVES THERE BOTH(3) COPYUID("7 3 40") COPYUID("7 5 41") DONE,
	    "40 41", LOOK MOVE OUT },
	{ "a server of the new kind, whose search answers otherwise",
	    "* PREAUTH [CAPABILITY IMAP4rev2] hi\r\n" THERE
	    "* ESEARCH (TAG \"e3\") UID ALL 3,5\r\ne3 OK f\r\n" COPYUID(
		"7 3,5 40:41") "e4 OK m\r\n* ESEARCH (TAG \"e5\") UID\r\n"
			       "e5 OK f\r\n",
	    "40 41",
	    "e1 STATUS \"K\" (UIDNEXT UIDVALIDITY)\r\ne2 SELECT \"F\"\r\n"
	    "e3 UID SEARCH RETURN (ALL) UID 5,3\r\n|e4 UID MOVE 5,3 \"K\"\r\n"
	    "|e5 UID SEARCH RETURN (ALL) UID 5,3\r\n"
	    "|e6 UNSELECT\r\n" OUT },

	{ "the folder is left, so that nobody loses \\Recent",
	    PRE("MOVE UIDPLUS UNSELECT") THERE BOTH(3) COPYUID("7 3,5 40:41")
		DONE,
	    "40 41", LOOK MOVE "|e5 UNSELECT\r\n" OUT },
	{ "also where nothing was moved",
	    PRE("MOVE UIDPLUS UNSELECT") THERE "* SEARCH 5\r\ne3 OK f\r\n",
	    ABSENT, LOOK "|e4 UNSELECT\r\n" OUT },
	{ "but not where the line dropped",
	    PRE("MOVE UIDPLUS UNSELECT") THERE BOTH(3), LOST, LOOK MOVE },

	{ "it tells nothing", MOVES THERE BOTH(3) DONE, "0 0", LOOK MOVE OUT },
	{ "of one alone", MOVES THERE BOTH(3) COPYUID("7 5 41") DONE, "0 41",
	    LOOK MOVE OUT },
	{ "too few copies", MOVES THERE BOTH(3) COPYUID("7 3,5 41") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "too many", MOVES THERE BOTH(3) COPYUID("7 3,5 40:42") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "a huge set",
	    MOVES THERE BOTH(3) COPYUID("7 1:4294967295 "
					"1:4294967295") DONE,
	    "0 0", LOOK MOVE OUT },
	{ "of another folder", MOVES THERE BOTH(3) COPYUID("8 3,5 40:41") DONE,
	    "0 0", LOOK MOVE OUT },
	{ "downwards", MOVES THERE BOTH(3) COPYUID("7 3,5 41,40") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "the same copy for both",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 40,40") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "the same message twice",
	    MOVES THERE BOTH(3) COPYUID("7 3,3 40:41") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "and again, elsewhere",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 40:41") COPYUID("7 3 42") DONE,
	    "0 0", LOOK MOVE OUT },
	{ "copies that were there before",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 38:39") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "messages that were not asked for",
	    MOVES THERE BOTH(3) COPYUID("7 3,4 40:41") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "no numbers", MOVES THERE BOTH(3) COPYUID("7 3,* 40:41") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "words", MOVES THERE BOTH(3) COPYUID("moved") DONE, "0 0",
	    LOOK MOVE OUT },
	{ "a target without numbers",
	    MOVES "* STATUS K (UIDVALIDITY 0)\r\ne1 OK t\r\n" EX(
		9) "e2 OK s\r\n" BOTH(3) COPYUID("0 3,5 40:41") DONE,
	    "0 0", LOOK MOVE OUT },

	{ "one is not there: nothing is sent",
	    MOVES THERE "* SEARCH 5\r\ne3 OK f\r\n", ABSENT, LOOK OUT },
	{ "the target is not there",
	    MOVES "e1 NO [NONEXISTENT] t\r\n" EX(9) "e2 OK s\r\n" BOTH(3),
	    ABSENT, LOOK OUT },
	{ "the folder is not there", MOVES "e1 OK t\r\ne2 NO s\r\ne3 BAD f\r\n",
	    ABSENT, LOOK OUT },
	{ "the folder is read-only",
	    MOVES "e1 OK t\r\n" EX(9) "e2 OK [READ-ONLY] s\r\n" BOTH(3),
	    "unsupported: the folder is read-only: its messages cannot be "
	    "changed",
	    LOOK OUT },
	{ "the target goes meanwhile",
	    MOVES THERE BOTH(3) "e4 NO [TRYCREATE] m\r\n" BOTH(5), ABSENT,
	    LOOK MOVE LEFT OUT },
	{ "refused", MOVES THERE BOTH(3) "e4 NO [OVERQUOTA] m\r\n" BOTH(5),
	    "unsupported: the server refused to move the messages",
	    LOOK MOVE LEFT OUT },
	{ "refused, while others remove messages",
	    MOVES THERE BOTH(
		3) "* 7 EXPUNGE\r\n* 7 EXPUNGE\r\ne4 NO [OVERQUOTA] "
		   "m\r\n" BOTH(5),
	    "unsupported: the server refused to move the messages",
	    LOOK MOVE LEFT OUT },
	{ "refused when one was moved",
	    MOVES THERE BOTH(3)
		COPYUID("7 3 40") "e4 NO m\r\n* SEARCH 5\r\ne5 OK f\r\n",
	    PARTLY(1), LOOK MOVE LEFT OUT },
	{ "refused, and a copy was told",
	    MOVES THERE BOTH(3) COPYUID("7 3 40") "e4 NO m\r\n" BOTH(5),
	    PARTLY(0), LOOK MOVE LEFT OUT },
	{ "it says OK and does nothing",
	    MOVES THERE BOTH(3) "e4 OK m\r\n" BOTH(5), PARTLY(0),
	    LOOK MOVE LEFT OUT },
	{ "the line drops before anything is moved", MOVES THERE,
	    "network: the server closed the connection", LOOK },
	{ "it drops after MOVE", MOVES THERE BOTH(3), LOST, LOOK MOVE },
	{ "it drops in the middle",
	    MOVES THERE BOTH(3) COPYUID("7 3,5 40:41") "* 1 EXPUNGE\r\n", LOST,
	    LOOK MOVE },
	{ "it cannot say what is left",
	    MOVES THERE BOTH(3) "e4 OK m\r\n"
				"e5 NO f\r\n",
	    LOST, LOOK MOVE LEFT OUT },
	{ "neither MOVE nor UIDPLUS", PRE(""),
	    "unsupported: the mail server can neither move messages (MOVE) "
	    "nor remove single ones (UIDPLUS)",
	    &OUT[1] },

	{ "without MOVE: copied, shown, removed",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW OPEN
	    "e9 OK s\r\n* 1 EXPUNGE\r\n* 1 EXPUNGE\r\ne10 OK x\r\n",
	    "40 41", LOOKS COPY SHOW BACK REMOVE OUT },
	{ "its copies are not told: nothing is removed",
	    COPIES OPENED BOTH(3) OLD "e5 OK c\r\n", UNTOLD, LOOKS COPY OUT },
	{ "nor when one is not told",
	    COPIES OPENED BOTH(3) OLD COPYUID("7 3 40") "e5 OK c\r\n", UNTOLD,
	    LOOKS COPY OUT },
	{ "nor when one has the number of another",
	    COPIES OPENED BOTH(3) OLD COPYUID("7 3,5 40,40") "e5 OK c\r\n",
	    UNTOLD, LOOKS COPY OUT },
	{ "nor when the count is wrong",
	    COPIES OPENED BOTH(3) OLD COPYUID("7 3,5 40:42") "e5 OK c\r\n",
	    UNTOLD, LOOKS COPY OUT },
	{ "nor when a copy is not there",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7")
		SUM(1, 40, "", "a@x") "e7 OK f\r\n",
	    UNSEEN, LOOKS COPY SHOW OUT },
	{ "nor when it is another message",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") SUM(1, 40, "", "b@x")
		SUM(2, 41, "", "a@x") "e7 OK f\r\n",
	    UNSEEN, LOOKS COPY SHOW OUT },
	{ "nor when the target was made again",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "8") NEW, UNSEEN,
	    LOOKS COPY SHOW OUT },
	{ "nor when an original was not shown",
	    COPIES OPENED BOTH(3)
		SUM(1, 3, "", "a@x") "e4 OK f\r\n" COPIED KEPT(6, "7") NEW,
	    UNSEEN, LOOKS COPY SHOW OUT },
	{ "nor when the folder was made again",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW KEPT(8, "8"),
	    "unknown_outcome: the folder was made again while the messages "
	    "were copied: no original was removed",
	    LOOKS COPY SHOW BACK OUT },
	{ "originals that stay lose their mark, unless they had it before",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW OPEN
	    "e9 OK s\r\ne10 NO x\r\n" BOTH(11) "e12 OK s\r\n",
	    STUCK,
	    LOOKS COPY SHOW BACK REMOVE
	    "|e11 UID SEARCH UID 5,3\r\n|e12 UID STORE 3 -FLAGS.SILENT "
	    "(\\Deleted)\r\n" OUT },
	{ "nor are others' messages counted, when theirs are removed meanwhile",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW OPEN
	    "e9 OK s\r\n* 7 EXPUNGE\r\n* 7 EXPUNGE\r\n"
	    "e10 NO x\r\n" BOTH(11) "e12 OK s\r\n",
	    STUCK,
	    LOOKS COPY SHOW BACK REMOVE
	    "|e11 UID SEARCH UID 5,3\r\n|e12 UID STORE 3 -FLAGS.SILENT "
	    "(\\Deleted)\r\n" OUT },
	{ "nor when the mark is refused",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW OPEN
	    "* 7 EXPUNGE\r\n* 7 EXPUNGE\r\ne9 NO s\r\n"
	    "e10 OK x\r\n" BOTH(11) "e12 OK s\r\n",
	    STUCK,
	    LOOKS COPY SHOW BACK REMOVE
	    "|e11 UID SEARCH UID 5,3\r\n|e12 UID STORE 3 -FLAGS.SILENT "
	    "(\\Deleted)\r\n" OUT },
	{ "the copy is refused",
	    COPIES OPENED BOTH(3) OLD "e5 NO [TRYCREATE] c\r\n", ABSENT,
	    LOOKS COPY OUT },
	{ "it drops after COPY", COPIES OPENED BOTH(3) OLD, LOST, LOOKS COPY },
	{ "it drops after EXPUNGE",
	    COPIES OPENED BOTH(3) OLD COPIED KEPT(6, "7") NEW OPEN, LOST,
	    LOOKS COPY SHOW BACK REMOVE },
	{ "nothing can be removed from the folder",
	    COPIES KEEPER EX(9) "* OK [PERMANENTFLAGS (\\Seen)] p\r\n"
				"e2 OK s\r\n" BOTH(3),
	    "unsupported: messages cannot be removed from that folder",
	    LOOKS OUT },
	{ "nor by this account",
	    PRE("UIDPLUS ACL") KEEPER "* MYRIGHTS F lrswid\r\n* MYRIGHTS F "
				      "lrswitd\r\ne2 OK r\r\n" FOLDER(3)
					  BOTH(4),
	    "unsupported: messages cannot be removed from that folder",
	    "e1 EXAMINE \"K\"\r\ne2 MYRIGHTS \"F\"\r\ne3 SELECT \"F\"\r\n"
	    "e4 UID SEARCH UID 5,3\r\n" OUT },
	{ "a server that cannot say is tried",
	    PRE("UIDPLUS ACL") KEEPER "e2 BAD r\r\n" FOLDER(3)
		BOTH(4) "e5 OK f\r\ne6 NO c\r\n",
	    "unsupported: the server refused to move the messages",
	    "e1 EXAMINE \"K\"\r\ne2 MYRIGHTS \"F\"\r\ne3 SELECT \"F\"\r\n"
	    "e4 UID SEARCH UID 5,3\r\n|e5 UID FETCH 5,3" SUMS
	    "e6 UID COPY 5,3 \"K\"\r\n" OUT },
	{ "nothing is copied where it could not be recognized",
	    COPIES "* 2 EXISTS\r\ne1 OK e\r\n" FOLDER(2) BOTH(3), UNKNOWN,
	    LOOKS OUT },
	{ "nor where uids do not stay",
	    COPIES "* NO [UIDNOTSTICKY] u\r\n" KEEPER FOLDER(2) BOTH(3),
	    UNKNOWN, LOOKS OUT },
	{ "the target's numbers are not the folder's",
	    COPIES KEEPER "* 9 EXISTS\r\ne2 OK s\r\n" BOTH(3),
	    "unsupported: the mail server does not keep this folder's message "
	    "numbers (no UIDVALIDITY)",
	    LOOKS OUT },
	{ "the target is not there, and nothing is copied",
	    COPIES "e1 NO e\r\n" FOLDER(2) BOTH(3), ABSENT, LOOKS OUT },
};

static void
move_answer(struct buf *b, int r, const struct refs *moved, const struct err *e)
{
	if (r < 0) {
		buf_fmt(b, "%s: %s", err_code(e->kind), e->say);
		return;
	}
	for (size_t i = 0; i < moved->n; i++)
		buf_fmt(b, "%s%u", i > 0 ? " " : "", moved->v[i].uid);
}

static void
play(const struct talk *k, size_t cut)
{
	struct ref ref[] = { { .uid = 3 }, { .uid = 5 } };
	const struct refs refs = { ref, 2 };
	struct refs moved = { 0 };
	struct err e = { 0 };
	struct script t;
	struct buf b;
	int r;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	r = imap_backend.move(&t.s->conn, t.a, S("F"), &refs, S("K"), NULL,
	    &moved, &e);
	move_answer(&b, r, &moved, &e);
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

/* Into the folder where they are: each keeps its uid. */
static void
a_move_to_the_same_folder_moves_nothing(void **state)
{
	struct ref ref[] = { { .uid = 5 }, { .uid = 3 }, { .uid = 5 } };
	const struct refs refs = { ref, 3 };
	struct refs moved = { 0 };
	struct err e = { 0 };
	struct script t;
	struct buf b;
	int r;

	(void)state;
	script_open(&t,
	    MOVES "* STATUS INBOX (UIDNEXT 9 UIDVALIDITY 9)\r\n"
		  "e1 OK t\r\n" EX(9) "e2 OK s\r\n" BOTH(3),
	    0);
	buf_init(&b, t.a, 4096);
	r = imap_backend.move(&t.s->conn, t.a, S("inbox"), &refs, S("INBOX"),
	    NULL, &moved, &e);
	move_answer(&b, r, &moved, &e);
	script_expect(&t, buf_view(&b), "5 3 5",
	    "e1 STATUS \"INBOX\" (UIDNEXT UIDVALIDITY)\r\n"
	    "e2 SELECT \"INBOX\"\r\ne3 UID SEARCH UID 5,3\r\n" OUT,
	    0);
}

#define MANY 1000

/* Every third uid: no two are neighbours. */
static uint32_t
nth_uid(size_t i)
{
	return 100000000 + 3 * (uint32_t)i;
}

static struct str
many_uids(struct arena *a, bool esearch)
{
	struct buf b;

	buf_init(&b, a, 32UL * MANY);
	for (size_t i = 0; i < MANY; i++)
		buf_fmt(&b, "%s%u",
		    i == 0        ? ""
			: esearch ? ","
				  : " ",
		    nth_uid(i));
	return buf_view(&b);
}

/* Two commands each, because a line has a limit, and no more flights. */
static void
a_thousand_take_two_flights(void **state)
{
	struct arena *a = arena_open(64UL << 20);
	struct ref *ref = arena_array(a, MANY, sizeof(*ref));
	const struct refs refs = { ref, MANY };
	struct refs moved = { 0 };
	struct err e = { 0 };
	struct script t;
	int commands = 0, flights = 0;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		ref[i].uid = nth_uid(i);
	script_open(&t,
	    str_fmt(a,
		MOVES THERE "* SEARCH %.*s\r\ne3 OK f\r\ne4 OK f\r\n"
			    "* OK [COPYUID 7 %.*s 40:1039] c\r\n"
			    "%.*se5 OK m\r\ne6 OK m\r\n",
		STR_ARG(many_uids(a, false)), STR_ARG(many_uids(a, true)),
		STR_ARG(rows_repeat(a, S("* 1 EXPUNGE\r\n"), MANY)))
		.p,
	    0);
	assert_int_equal(imap_backend.move(&t.s->conn, t.a, S("F"), &refs,
			     S("K"), NULL, &moved, &e),
	    0);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(moved.v[i].uid, 40 + i);
	imap_backend.close(&t.s->conn);
	script_close(&t);
	for (const char *p = t.sent; *p != '\0'; p++) {
		flights += *p == '|'; /* the last is LOGOUT */
		commands += *p == '\n';
	}
	assert_int_equal(flights, 2);
	assert_int_equal(commands, 7);
	arena_close(&t.a);
	arena_close(&a);
}

/* So many neighbours are one range; every third of them is not. */
static void
more_than_a_call_changes_are_refused(void **state)
{
	struct ref ref[MANY + 1];
	const struct refs refs = { ref, MANY + 1 };
	struct refs moved = { 0 };
	struct err e = { 0 };
	struct script t;
	struct buf b;

	(void)state;
	for (size_t i = 0; i < MANY + 1; i++)
		ref[i] = (struct ref){ .uid = 7 + (uint32_t)i };
	script_open(&t, MOVES, 0);
	buf_init(&b, t.a, 4096);
	move_answer(&b,
	    imap_backend.move(&t.s->conn, t.a, S("F"), &refs, S("K"), NULL,
		&moved, &e),
	    &moved, &e);
	script_expect(&t, buf_view(&b),
	    "limit: that is more messages than are changed at once", "", 0);
}

static void
play_all(void **state)
{
	const struct talk *k = *state;

	for (size_t cut = 0; cut <= strlen(k->says); cut++)
		play(k, cut);
}

int
main(void)
{
	ROWS(talks, play_all);
	rows_add("a move to the same folder moves nothing",
	    a_move_to_the_same_folder_moves_nothing, NULL);
	rows_add("a thousand take two flights", a_thousand_take_two_flights,
	    NULL);
	rows_add("more than a call changes are refused",
	    more_than_a_call_changes_are_refused, NULL);
	return cmocka_run_group_tests_name("backend/imap_move", rows_tests,
	    NULL, NULL);
}
