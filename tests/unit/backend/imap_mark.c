/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/*
 * Whole conversations about flags and labels of the messages 3 and 5: the
 * server's text, the result, and what we must have sent, "|" where we waited.
 * Each is played once for every byte at which the server's text can be cut.
 */
#define PRE "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n"
#define KEEPS(list) "* OK [PERMANENTFLAGS (" list ")] p\r\n"
#define ALL KEEPS("\\Seen \\Flagged \\Answered todo \\*")
#define OPEN(n) "e" #n " OK [READ-WRITE] s\r\n"
#define HAS(seq, uid, flags)                                                   \
	"* " #seq " FETCH (UID " #uid " FLAGS (" flags "))\r\n"
#define LOOK "e1 SELECT \"F\"\r\ne2 UID FETCH 5,3 (UID FLAGS)\r\n"
#define STORE(n, set, what) "e" #n " UID STORE " set " " what "\r\n"
#define AGAIN(n) "e" #n " UID FETCH 5,3 (UID FLAGS)\r\n"
#define SEEN "+FLAGS.SILENT (\\Seen)"
#define UNSEEN "-FLAGS.SILENT (\\Seen)"
#define ABSENT "not_found: no such folder or message"
#define LOST                                                                   \
	"unknown_outcome: the server did not say whether it changed the "      \
	"messages: look at them"

static const struct talk {
	const char *why;
	struct flag_change change;
	const char *add, *drop; /* labels */
	const char *says, *want, *sent;
} talks[] = {
	{ "both become read, and it is looked at", { .set = FLAG_READ }, NULL,
	    NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "") HAS(2, 5,
		"\\Flagged") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "\\Seen")
		HAS(2, 5, "\\Seen \\Flagged") "e4 OK f\r\n",
	    "good", LOOK "|" STORE(3, "5,3", SEEN) AGAIN(4) OUT },
	{ "only those that need it", { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "\\seen")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "\\Seen")
		    HAS(2, 5, "\\Seen") "e4 OK f\r\n",
	    "good", LOOK "|" STORE(3, "5", SEEN) AGAIN(4) OUT },
	{ "none needs it, so nothing is sent", { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) KEEPS("") OPEN(1) HAS(1, 3, "\\Seen")
		HAS(2, 5, "\\Seen") "e2 OK f\r\n",
	    "good", LOOK OUT },
	{ "one flag comes, another goes, and so do labels",
	    { .set = FLAG_ANSWERED, .clear = FLAG_FLAGGED }, "todo", "old",
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "OLD") HAS(2, 5,
		"\\Flagged todo") "e2 OK f\r\ne3 OK s\r\ne4 OK s\r\ne5 OK "
				  "s\r\ne6 OK s\r\n" HAS(1, 3,
				      "\\Answered todo") HAS(2, 5,
				      "\\Answered todo") "e7 OK f\r\n",
	    "good",
	    LOOK "|" STORE(3, "5,3", "+FLAGS.SILENT (\\Answered)")
		STORE(4, "5", "-FLAGS.SILENT (\\Flagged)")
		    STORE(5, "3", "+FLAGS.SILENT (todo)")
			STORE(6, "3", "-FLAGS.SILENT (old)") AGAIN(7) OUT },
	{ "one is not there: nothing is sent", { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "") "e2 OK f\r\n", ABSENT,
	    LOOK OUT },
	{ "flags without a uid, and of others, are no answer",
	    { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3,
		"") "* 2 FETCH (FLAGS ())\r\n" HAS(4, 4, "") "e2 OK f\r\n",
	    ABSENT, LOOK OUT },
	{ "the folder is not there", { .set = FLAG_READ }, NULL, NULL,
	    PRE "e1 NO [NONEXISTENT] s\r\ne2 BAD f\r\n", ABSENT, LOOK OUT },
	{ "the folder is read-only", { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL "e1 OK [READ-ONLY] s\r\n" HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\n",
	    "unsupported: the folder is read-only: its messages cannot be "
	    "changed",
	    LOOK OUT },
	{ "the folder does not keep the flag", { .set = FLAG_FLAGGED }, NULL,
	    NULL,
	    PRE EX(9) KEEPS("\\Seen \\*") OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\n",
	    "unsupported: the folder does not keep that flag", LOOK OUT },
	{ "it takes no new labels", { 0 }, "new", NULL,
	    PRE EX(9) KEEPS("\\Seen todo") OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\n",
	    "unsupported: the folder takes no new labels", LOOK OUT },
	{ "nor lets one go that it does not keep", { 0 }, NULL, "old",
	    PRE EX(9) KEEPS("\\Seen todo") OPEN(1) HAS(1, 3, "old")
		HAS(2, 5, "") "e2 OK f\r\n",
	    "unsupported: the folder does not let that label be removed",
	    LOOK OUT },
	{ "but one that it has", { 0 }, "TODO", NULL,
	    PRE EX(9) KEEPS("\\Seen todo") OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "todo")
		    HAS(2, 5, "todo") "e4 OK f\r\n",
	    "good",
	    LOOK "|" STORE(3, "5,3", "+FLAGS.SILENT (TODO)") AGAIN(4) OUT },
	{ "a server that does not say keeps all", { 0 }, "new", NULL,
	    PRE EX(9) OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "new")
		    HAS(2, 5, "new") "e4 OK f\r\n",
	    "good",
	    LOOK "|" STORE(3, "5,3", "+FLAGS.SILENT (new)") AGAIN(4) OUT },
	{ "it says OK, and then shows no message", { .set = FLAG_READ }, NULL,
	    NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "")
		    HAS(2, 5, "") "e4 OK f\r\ne5 OK f\r\ne6 OK s\r\n",
	    ABSENT,
	    LOOK "|" STORE(3, "5,3", SEEN)
		AGAIN(4) "|" AGAIN(5) "|" STORE(6, "5,3", UNSEEN) OUT },
	{ "nor shows a change when it is asked again", { .set = FLAG_READ },
	    NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "")
		    HAS(2, 5, "") "e4 OK f\r\n" HAS(1, 3, "")
			HAS(2, 5, "") "e5 OK f\r\ne6 OK s\r\n",
	    "unsupported: the server says that it changed the messages, and "
	    "did not",
	    LOOK "|" STORE(3, "5,3", SEEN)
		AGAIN(4) "|" AGAIN(5) "|" STORE(6, "5,3", UNSEEN) OUT },
	{ "it shows the change only when it is asked again",
	    { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3, "")
		    HAS(2, 5, "") "e4 OK f\r\n" HAS(1, 3, "\\Seen")
			HAS(2, 5, "\\Seen") "e5 OK f\r\n",
	    "good", LOOK "|" STORE(3, "5,3", SEEN) AGAIN(4) "|" AGAIN(5) OUT },
	{ "a part is refused: what was changed is changed back",
	    { .set = FLAG_READ | FLAG_FLAGGED }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "") HAS(2, 5,
		"\\Seen") "e2 OK f\r\ne3 OK s\r\ne4 NO [NOPERM] s\r\n" HAS(1, 3,
		"\\Seen")
		HAS(2, 5, "\\Seen") "e5 OK f\r\ne6 OK s\r\ne7 OK s\r\n",
	    "unsupported: the server refused to change the messages",
	    LOOK "|" STORE(3, "3", SEEN) STORE(4, "5,3",
		"+FLAGS.SILENT (\\Flagged)") AGAIN(5) "|" STORE(6, "3", UNSEEN)
		STORE(7, "5,3", "-FLAGS.SILENT (\\Flagged)") OUT },
	{ "and if that is refused, nobody knows", { .set = FLAG_READ }, NULL,
	    NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 NO s\r\ne4 OK f\r\ne5 NO s\r\n",
	    "unknown_outcome: the server may have changed some of the "
	    "messages: look at them",
	    LOOK "|" STORE(3, "5,3", SEEN) AGAIN(4) "|" STORE(5, "5,3", UNSEEN)
		OUT },
	{ "one goes meanwhile: the other is changed back", { .set = FLAG_READ },
	    NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne3 OK s\r\n" HAS(1, 3,
		    "\\Seen") "e4 NO [EXPUNGEISSUED] f\r\n" HAS(1, 3,
		    "\\Seen") "e5 OK f\r\ne6 OK s\r\n",
	    ABSENT,
	    LOOK "|" STORE(3, "5,3", SEEN)
		AGAIN(4) "|" AGAIN(5) "|" STORE(6, "5,3", UNSEEN) OUT },
	{ "the line drops before anything is changed", { .set = FLAG_READ },
	    NULL, NULL, PRE EX(9) ALL OPEN(1),
	    "network: the server closed the connection", LOOK },
	{ "it drops after the change was sent", { .set = FLAG_READ }, NULL,
	    NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "") HAS(2, 5, "") "e2 OK f\r\n",
	    LOST, LOOK "|" STORE(3, "5,3", SEEN) AGAIN(4) },
	{ "an answer that is no answer", { .set = FLAG_READ }, NULL, NULL,
	    PRE EX(9) ALL OPEN(1) HAS(1, 3, "")
		HAS(2, 5, "") "e2 OK f\r\ne9 OK s\r\n",
	    LOST, LOOK "|" STORE(3, "5,3", SEEN) AGAIN(4) },
	{ "a flag of another store", { .set = FLAG_ARCHIVED }, NULL, NULL, PRE,
	    "unsupported: the mail server does not keep that flag", "" },
};

#define NO_LABEL                                                               \
	"usage: a label on this server is one word of ASCII without ( ) { % "  \
	"* \" \\ ] and without $ before it"

static void
mark_answer(struct buf *b, int r, const struct err *e)
{
	if (r < 0)
		buf_fmt(b, "%s: %s", err_code(e->kind), e->say);
	else
		buf_text(b, "good");
}

static void
play(const struct talk *k, size_t cut)
{
	struct ref ref[] = { { .uid = 3 }, { .uid = 5 }, { .uid = 3 } };
	const struct refs refs = { ref, 3 };
	struct str add = str_of(k->add), drop = str_of(k->drop);
	struct flag_change change = k->change;
	struct err e = { 0 };
	struct script t;
	struct buf b;
	int r;

	change.add = (struct strs){ &add, k->add != NULL };
	change.drop = (struct strs){ &drop, k->drop != NULL };
	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	r = imap_backend.mark(&t.s->conn, t.a, S("F"), &refs, &change, &e);
	mark_answer(&b, r, &e);
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

/* A label cannot become another command. */
static void
labels_that_are_no_atoms_are_not_sent(void **state)
{
	static const char *const bad[] = { "", "$Junk", "\\Seen", "two words",
		"x\r\ne9 EXPUNGE", "a(b", "a)b", "a{b", "a%b", "a*b", "a\"b",
		"a]b", "\xc3\xbc", "\x7f", "NUL" };
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct str label =
		    strcmp(bad[i], "NUL") == 0 ? S("a\0b") : str_of(bad[i]);
		const struct flag_change change = { .add = { &label, 1 } };
		struct err e = { 0 };
		struct script t;
		struct buf b;

		script_open(&t, PRE, 0);
		buf_init(&b, t.a, 4096);
		mark_answer(&b,
		    imap_backend.mark(&t.s->conn, t.a, S("F"), &refs, &change,
			&e),
		    &e);
		script_expect(&t, buf_view(&b), NO_LABEL, "", i);
	}
}

/* Numbers that were read mean nothing in a folder that was made again. */
static void
a_renumbered_folder_is_not_changed(void **state)
{
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };
	const struct flag_change change = { .set = FLAG_READ };
	const struct query q = { .folder = S("F"), .uid_min = 2, .uid_max = 1 };
	struct folder_state st;
	struct rows rows;
	struct err e = { 0 };
	struct script t;
	struct buf b;

	(void)state;
	script_open(&t,
	    PRE EX(9) "e1 OK e\r\n* 9 EXISTS\r\n* OK [UIDVALIDITY 10] "
		      "v\r\n" OPEN(2) HAS(1, 3, "") "e3 OK f\r\n",
	    0);
	buf_init(&b, t.a, 4096);
	assert_int_equal(imap_backend.find(&t.s->conn, t.a, &q, 1, &st, &rows,
			     &e),
	    0);
	mark_answer(&b,
	    imap_backend.mark(&t.s->conn, t.a, S("F"), &refs, &change, &e), &e);
	script_expect(&t, buf_view(&b), ABSENT,
	    "e1 EXAMINE \"F\"\r\n|e2 SELECT \"F\"\r\n"
	    "e3 UID FETCH 3 (UID FLAGS)\r\n" OUT,
	    0);
}

/* What rows tell of FLAGS. */
static void
rows_tell_flags_and_labels(void **state)
{
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };
	struct folder_state st;
	struct rows rows;
	struct err e = { 0 };
	struct script t;
	struct buf b;

	(void)state;
	script_open(&t,
	    PRE EX(9) "e1 OK e\r\n* 1 FETCH (UID 3 FLAGS (\\Seen todo $Junk "
		      "\\Recent \\answered a[b \"no\") BODY[HEADER.FIELDS "
		      "(TO)] \"A: b\")\r\n"
		      "* 1 FETCH (UID 3 FLAGS (\\Flagged more))\r\n"
		      "e2 OK f\r\n",
	    0);
	buf_init(&b, t.a, 4096);
	assert_int_equal(imap_backend.headers(&t.s->conn, t.a, S("F"), &refs,
			     &st, &rows, &e),
	    0);
	assert_int_equal(rows.n, 1);
	buf_fmt(&b, "%x", rows.v[0].flags);
	for (size_t i = 0; i < rows.v[0].labels.n; i++)
		buf_fmt(&b, " %.*s", STR_ARG(rows.v[0].labels.v[i]));
	/* The flags are the last that were told, the labels the first. */
	script_expect(&t, buf_view(&b), "8 todo a[b",
	    "e1 EXAMINE \"F\"\r\ne2 UID FETCH 3" ITEMS OUT, 0);
}

/*
 * Only the first words of a very long list are read: the server may still keep
 * a label that comes later, and a flag that comes later is not seen.
 */
static void
lists_without_end_are_read_in_part(void **state)
{
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };
	struct arena *a = arena_open(1UL << 20);
	struct str label = S("new"), x = rows_repeat(a, S("x "), 600);
	const struct flag_change change = { .set = FLAG_READ,
		.add = { &label, 1 } };
	struct err e = { 0 };
	struct script t;
	struct buf b;

	(void)state;
	script_open(&t,
	    str_fmt(a,
		PRE EX(9) KEEPS("\\Seen %.*stodo") OPEN(1) HAS(1, 3,
		    "%.*s\\Seen") "e2 OK f\r\ne3 OK s\r\ne4 OK s\r\n" HAS(1, 3,
		    "\\Seen new") "e5 OK f\r\n",
		STR_ARG(x), STR_ARG(x))
		.p,
	    0);
	buf_init(&b, t.a, 4096);
	mark_answer(&b,
	    imap_backend.mark(&t.s->conn, t.a, S("F"), &refs, &change, &e), &e);
	script_expect(&t, buf_view(&b), "good",
	    "e1 SELECT \"F\"\r\ne2 UID FETCH 3 (UID FLAGS)\r\n|" STORE(3, "3",
		SEEN) STORE(4, "3",
		"+FLAGS.SILENT (new)") "e5 UID FETCH 3 (UID FLAGS)\r\n" OUT,
	    0);
	arena_close(&a);
}

/* What earlier calls read is nothing to the next call. */
static void
a_kept_connection_does_not_wear_out(void **state)
{
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };
	struct folder_state st;
	struct rows rows;
	struct err e = { 0 };
	struct script t;

	(void)state;
	script_open(&t,
	    PRE EX(9) "e1 OK e\r\ne2 OK f\r\n"
		      "e3 OK n\r\n" EX(9) "e4 OK e\r\ne5 OK f\r\n",
	    0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(imap_backend.headers(&t.s->conn, t.a, S("F"),
				     &refs, &st, &rows, &e),
		    0);
		t.s->reader.lines = LIMIT_IMAP_LINES;
		t.s->reader.total = LIMIT_IMAP_TOTAL;
		imap_backend.again(&t.s->conn, true);
	}
	imap_backend.close(&t.s->conn);
	script_close(&t);
	arena_close(&t.a);
}

/* The answer to UNSELECT is read by the next call. */
static void
a_folder_that_was_left_is_read_again(void **state)
{
	struct ref ref = { .uid = 3 };
	const struct refs refs = { &ref, 1 };
	const struct flag_change change = { .set = FLAG_READ };
	struct folder_state st;
	struct rows rows;
	struct err e = { 0 };
	struct script t;
	struct buf b;

	(void)state;
	script_open(&t,
	    "* PREAUTH [CAPABILITY IMAP4rev1 UNSELECT] hi\r\n" EX(9) OPEN(1)
		HAS(1, 3, "\\Seen") "e2 OK f\r\ne3 OK u\r\n"
				    "e4 OK n\r\n" EX(7) "e5 OK "
							"e\r\n"
							"e6 OK f\r\n",
	    0);
	buf_init(&b, t.a, 4096);
	mark_answer(&b,
	    imap_backend.mark(&t.s->conn, t.a, S("F"), &refs, &change, &e), &e);
	imap_backend.again(&t.s->conn, false);
	assert_int_equal(imap_backend.headers(&t.s->conn, t.a, S("F"), &refs,
			     &st, &rows, &e),
	    0);
	script_expect(&t, buf_view(&b), "good",
	    "e1 SELECT \"F\"\r\ne2 UID FETCH 3 (UID FLAGS)\r\n|e3 UNSELECT\r\n"
	    "|e4 NOOP\r\n|e5 EXAMINE \"F\"\r\ne6 UID FETCH 3" ITEMS OUT,
	    0);
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
	rows_add("labels that are no atoms are not sent",
	    labels_that_are_no_atoms_are_not_sent, NULL);
	rows_add("a renumbered folder is not changed",
	    a_renumbered_folder_is_not_changed, NULL);
	rows_add("rows tell flags and labels", rows_tell_flags_and_labels,
	    NULL);
	rows_add("lists without end are read in part",
	    lists_without_end_are_read_in_part, NULL);
	rows_add("a kept connection does not wear out",
	    a_kept_connection_does_not_wear_out, NULL);
	rows_add("a folder that was left is read again",
	    a_folder_that_was_left_is_read_again, NULL);
	return cmocka_run_group_tests_name("backend/imap_mark", rows_tests,
	    NULL, NULL);
}
