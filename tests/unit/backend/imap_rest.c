/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * Moving the messages 3 and 5 from F to K on a server without MOVE: what is
 * told between the copies and the removal, and the rest of a move that was cut
 * off there.  Each conversation is played once for every byte at which the
 * server's text can be cut.
 */
#define COPIES "* PREAUTH [CAPABILITY IMAP4rev1 UIDPLUS] hi\r\n"
#define SUMS                                                                   \
	" (UID FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID DATE FROM "           \
	"SUBJECT)])\r\n"
#define SUM(uid, flags, id)                                                    \
	"* 1 FETCH (UID " #uid " FLAGS (" flags                                \
	") BODY[HEADER.FIELDS (SUBJECT)] \"Message-ID: <" id ">\")\r\n"
#define KEPT(n, validity)                                                      \
	"* 2 EXISTS\r\n* OK [UIDVALIDITY " validity "] v\r\n"                  \
	"* OK [UIDNEXT 40] n\r\ne" #n " OK e\r\n"
#define OPEN(n) EX(9) "e" #n " OK [READ-WRITE] s\r\n"
#define THREE SUM(3, "", "a@x")
#define FIVE SUM(5, "\\Deleted", "b@x")

/* -- what is told ---------------------------------------------------------- */

#define LOOKS "e1 EXAMINE \"K\"\r\ne2 SELECT \"F\"\r\ne3 UID SEARCH UID 5,3\r\n"
#define COPY "|e4 UID FETCH 5,3" SUMS "e5 UID COPY 5,3 \"K\"\r\n"
#define SHOW "|e6 EXAMINE \"K\"\r\ne7 UID FETCH 40:41" SUMS
#define REMOVE                                                                 \
	"|e8 SELECT \"F\"\r\n|e9 UID STORE 5,3 +FLAGS.SILENT (\\Deleted)\r\n"  \
	"e10 UID EXPUNGE 5,3\r\n"
#define COPIED                                                                 \
	"* SEARCH 3 5\r\ne3 OK f\r\n" THREE FIVE "e4 OK f\r\n"                 \
	"* OK [COPYUID 7 3,5 40:41] c\r\ne5 OK c\r\n"

static const struct told {
	const char *why;
	const char *says;
	bool stop;
	const char *want, *sent;
} tolds[] = {
	{ "told before one is removed",
	    COPIES KEPT(1, "7") OPEN(2) COPIED KEPT(6, "7") SUM(40, "", "a@x")
		SUM(41, "", "b@x") "e7 OK f\r\n" OPEN(
		    8) "e9 OK s\r\n* 1 EXPUNGE\r\n* 1 EXPUNGE\r\ne10 OK x\r\n",
	    false, "told 7: 41 40; 41 40", LOOKS COPY SHOW REMOVE OUT },
	{ "whoever is told can keep the originals",
	    COPIES KEPT(1, "7") OPEN(2) COPIED, true,
	    "told 7: 41 40; db: it cannot be written down", LOOKS COPY OUT },
	{ "nothing is told of copies that nobody named",
	    COPIES KEPT(1, "7")
		OPEN(2) "* SEARCH 3 5\r\ne3 OK f\r\n" THREE FIVE
			"e4 OK f\r\n* OK [COPYUID 7 3 40] c\r\ne5 OK c\r\n",
	    false,
	    "unknown_outcome: the server did not say where the copies are: no "
	    "original was removed, look before you move them again",
	    LOOKS COPY OUT },
	{ "one that is not shown keeps the originals all the same",
	    COPIES KEPT(1, "7") OPEN(2) COPIED KEPT(6, "7")
		SUM(40, "", "a@x") "e7 OK f\r\n",
	    false,
	    "told 7: 41 40; unknown_outcome: the server does not show the "
	    "copies that it "
	    "made: no original was removed, look before you move them again",
	    LOOKS COPY SHOW OUT },
};

struct teller {
	struct buf *b;
	bool stop;
};

static void
put_refs(struct buf *b, const struct refs *refs)
{
	for (size_t i = 0; i < refs->n; i++)
		buf_fmt(b, " %u", refs->v[i].uid);
}

static int
told_it(void *ctx, const struct refs *copies, uint32_t uidvalidity,
    struct err *e)
{
	const struct teller *t = ctx;

	buf_fmt(t->b, "told %u:", uidvalidity);
	put_refs(t->b, copies);
	buf_str(t->b, S("; "));
	return t->stop ? err_set(e, ERR_DB, "it cannot be written down") : 0;
}

/* The messages are asked for in this order. */
static struct ref originals[] = { { .uid = 5 }, { .uid = 3 } };

static void
move(struct script *t, const struct copying *by, struct buf *b)
{
	const struct refs refs = { originals, 2 };
	struct refs moved = { 0 };
	struct buf got;
	struct err e = { 0 };

	buf_init(&got, t->a, 4096);
	if (imap_backend.move(&t->s->conn, t->a, S("F"), &refs, S("K"), by,
		&moved, &e) < 0)
		buf_fmt(&got, " %s: %s", err_code(e.kind), e.say);
	else
		put_refs(&got, &moved);
	buf_str(b, str_from(buf_view(&got), 1));
}

static void
play_told(void **state)
{
	const struct told *k = *state;

	/* Copies are told of before the cut, or it is another row. */
	for (size_t cut = 0; cut <= strlen(k->says); cut++) {
		struct script t;
		struct buf b;
		struct teller teller = { &b, k->stop };
		const struct copying by = { .copied = told_it, .ctx = &teller };

		script_open(&t, k->says, cut);
		buf_init(&b, t.a, 4096);
		move(&t, &by, &b);
		script_expect(&t, buf_view(&b), k->want, k->sent, cut);
	}
}

/* -- the rest -------------------------------------------------------------- */

#define SHOWS "e1 EXAMINE \"K\"\r\ne2 UID FETCH 40:41" SUMS
#define SHOWN KEPT(1, "7") SUM(40, "", "a@x") SUM(41, "", "b@x") "e2 OK f\r\n"
#define ORIGINALS "|e3 SELECT \"F\"\r\ne4 UID FETCH 5,3" SUMS
#define BOTH OPEN(3) THREE FIVE "e4 OK f\r\n"
#define ENDS(uids)                                                             \
	"|e5 UID STORE " uids " +FLAGS.SILENT (\\Deleted)\r\n"                 \
	"e6 UID EXPUNGE " uids "\r\n"
#define GONE(n) "e5 OK s\r\n" GONE_##n "e6 OK x\r\n"
#define GONE_1 "* 1 EXPUNGE\r\n"
#define GONE_2 GONE_1 GONE_1
#define CHANGED                                                                \
	"not_found: messages or their copies are not as they were: those "     \
	"originals were not removed"
#define UNMARKS "|e2 UID STORE 5,3 -FLAGS.SILENT (\\Deleted)\r\n"

static const struct rest {
	const char *why;
	uint32_t copy; /* of 3, as it was told */
	const char *says, *want, *sent;
} rests[] = {
	{ "both are removed", 40, COPIES SHOWN BOTH GONE(2), "41 40",
	    SHOWS ORIGINALS ENDS("5,3") OUT },
	{ "one that is gone is not asked for again", 40,
	    COPIES SHOWN OPEN(3) THREE "e4 OK f\r\n" GONE(1), "41 40",
	    SHOWS ORIGINALS ENDS("3") OUT },
	{ "both are gone", 40, COPIES SHOWN OPEN(3) "e4 OK f\r\n", "41 40",
	    SHOWS ORIGINALS OUT },
	{ "the folder was made again", 40,
	    COPIES SHOWN KEPT(3, "8") THREE FIVE "e4 OK f\r\n", CHANGED,
	    SHOWS ORIGINALS OUT },
	{ "the folder is gone", 40, COPIES SHOWN "e3 NO s\r\ne4 BAD f\r\n",
	    "not_found: no such folder or message", SHOWS ORIGINALS OUT },
	{ "so was the target", 40,
	    COPIES KEPT(1, "8") SUM(40, "", "a@x")
		SUM(41, "", "b@x") "e2 OK f\r\n" BOTH,
	    CHANGED, SHOWS ORIGINALS OUT },
	{ "the target is gone", 40, COPIES "e1 NO e\r\ne2 BAD f\r\n" BOTH,
	    CHANGED, SHOWS ORIGINALS OUT },
	{ "the copies cannot be shown now", 40,
	    COPIES KEPT(1, "7") "e2 NO [UNAVAILABLE] f\r\n",
	    "network: the server cannot answer now", SHOWS OUT },
	{ "a copy is gone: its original stays", 40,
	    COPIES KEPT(1, "7") SUM(41, "", "b@x") "e2 OK f\r\n" BOTH GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "a copy is another message", 40,
	    COPIES KEPT(1, "7") SUM(40, "", "c@x")
		SUM(41, "", "b@x") "e2 OK f\r\n" BOTH GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "somebody has marked a copy to be removed", 40,
	    COPIES KEPT(1, "7") SUM(40, "\\Deleted", "a@x")
		SUM(41, "", "b@x") "e2 OK f\r\n" BOTH GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "both have the mark: neither is lost", 40,
	    COPIES KEPT(1, "7") SUM(40, "\\Deleted", "a@x")
		SUM(41, "\\Deleted", "b@x") "e2 OK f\r\n" BOTH,
	    CHANGED, SHOWS ORIGINALS OUT },
	{ "a flag was set on an original since: it stays", 40,
	    COPIES KEPT(1, "7") SUM(40, "\\Seen", "a@x")
		SUM(41, "", "b@x") "e2 OK f\r\n" OPEN(3)
		    SUM(3, "\\Seen $Work", "a@x") FIVE "e4 OK f\r\n" GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "and if it is told in a second answer", 40,
	    COPIES SHOWN OPEN(3) THREE FIVE
	    "* 1 FETCH (UID 3 FLAGS ($Work))\r\ne4 OK f\r\n" GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "a flag was set on a copy, and \\Recent is none", 40,
	    COPIES KEPT(1, "7") SUM(40, "$Work \\Seen", "a@x")
		SUM(41, "", "b@x") "e2 OK f\r\n" OPEN(3)
		    SUM(3, "\\Recent $work", "a@x") FIVE "e4 OK f\r\n" GONE(2),
	    "41 40", SHOWS ORIGINALS ENDS("5,3") OUT },
	{ "the flags of a copy are not told: it may have the mark", 40,
	    COPIES KEPT(1, "7") "* 1 FETCH (UID 40 BODY[HEADER.FIELDS "
				"(SUBJECT)] \"Message-ID: <a@x>\")\r\n" SUM(41,
				    "", "b@x") "e2 OK f\r\n" BOTH GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("5") OUT },
	{ "copies change places", 40,
	    COPIES KEPT(1, "7") SUM(40, "", "b@x")
		SUM(41, "", "a@x") "e2 OK f\r\n" BOTH,
	    CHANGED, SHOWS ORIGINALS OUT },
	{ "an original is not told: it may be another", 40,
	    COPIES SHOWN OPEN(3) THREE "* 2 FETCH (UID 5 FLAGS ())\r\n"
				       "e4 OK f\r\n" GONE(1),
	    CHANGED, SHOWS ORIGINALS ENDS("3") OUT },
	{ "two originals with one copy", 41,
	    COPIES KEPT(1, "7") SUM(41, "", "a@x") "e2 OK f\r\n" OPEN(3)
		THREE SUM(5, "", "a@x") "e4 OK f\r\n",
	    CHANGED, "e1 EXAMINE \"K\"\r\ne2 UID FETCH 41" SUMS ORIGINALS OUT },
	{ "the server refuses", 40,
	    COPIES SHOWN BOTH "e5 OK s\r\ne6 NO x\r\n"
			      "* SEARCH 3 5\r\ne7 OK f\r\n",
	    "rejected: the server did not remove all originals: some messages "
	    "are in both folders",
	    SHOWS ORIGINALS ENDS("5,3") "|e7 UID SEARCH UID 5,3\r\n" OUT },
	{ "the line drops before one is removed", 40, COPIES SHOWN BOTH,
	    "unknown_outcome: the server did not say whether it moved the "
	    "messages: look where they are before you move them again",
	    SHOWS ORIGINALS ENDS("5,3") },
	{ "it drops while the originals are shown", 40, COPIES SHOWN,
	    "network: the server closed the connection", SHOWS ORIGINALS },
	{ "no UIDPLUS any more", 40,
	    "* PREAUTH [CAPABILITY IMAP4rev1 MOVE] hi\r\n",
	    "unsupported: the mail server cannot remove single messages "
	    "(UIDPLUS)",
	    &OUT[1] },
},
  given_up[] = {
	{ "given up: nobody knows who marked them", 40,
	    COPIES OPEN(1) "e2 OK s\r\n", "41 40",
	    "e1 SELECT \"F\"\r\n" UNMARKS OUT },
	{ "which the server refuses", 40, COPIES OPEN(1) "e2 NO s\r\n",
	    "rejected: the server refused to take the mark of removal from the "
	    "messages",
	    "e1 SELECT \"F\"\r\n" UNMARKS OUT },
	{ "which it refuses for now", 40,
	    COPIES OPEN(1) "e2 NO [INUSE] s\r\n",
	    "network: the server cannot answer now",
	    "e1 SELECT \"F\"\r\n" UNMARKS OUT },
	{ "which needs no UIDPLUS", 40,
	    "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n" OPEN(1) "e2 OK s\r\n",
	    "41 40", "e1 SELECT \"F\"\r\n" UNMARKS OUT },
	{ "given up where others have these numbers now", 40,
	    COPIES KEPT(1, "8"), "41 40", "e1 SELECT \"F\"\r\n" OUT },
	{ "where the folder is gone", 40, COPIES "e1 NO s\r\n",
	    "not_found: no such folder or message", "e1 SELECT \"F\"\r\n" OUT },
	{ "where it is read-only", 40, COPIES EX(9) "e1 OK [READ-ONLY] s\r\n",
	    "unsupported: the folder is read-only: its messages cannot be "
	    "changed",
	    "e1 SELECT \"F\"\r\n" OUT },
	{ "the line drops", 40, COPIES OPEN(1),
	    "network: the server closed the connection",
	    "e1 SELECT \"F\"\r\n" UNMARKS },
};

static void
play_rest_of(const struct rest *k, bool gives_up)
{
	for (size_t cut = 0; cut <= strlen(k->says); cut++) {
		struct ref copy[] = { { .uid = 41 }, { .uid = k->copy } };
		const struct refs copies = { copy, 2 };
		const struct copying by = { .copies = &copies,
			.uidvalidity = 7,
			.from_uidvalidity = 9,
			.gives_up = gives_up };
		struct script t;
		struct buf b;

		script_open(&t, k->says, cut);
		buf_init(&b, t.a, 4096);
		move(&t, &by, &b);
		script_expect(&t, buf_view(&b), k->want, k->sent, cut);
	}
}

static void
play_rest(void **state)
{
	play_rest_of(*state, false);
}

static void
play_given_up(void **state)
{
	play_rest_of(*state, true);
}

int
main(void)
{
	ROWS(tolds, play_told);
	ROWS(rests, play_rest);
	ROWS(given_up, play_given_up);
	return cmocka_run_group_tests_name("backend/imap_rest", rows_tests,
	    NULL, NULL);
}
