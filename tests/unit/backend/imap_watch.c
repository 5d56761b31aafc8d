/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

#include "backend/watch.h"

/*
 * Waiting by IDLE: what a server says, what the caller gets, and what we must
 * have sent.  When a script ends, so does the connection.
 */
#define PRE "* PREAUTH [CAPABILITY IMAP4rev1 IDLE] hi\r\n" EX(3) "e1 OK ex\r\n"
#define OPENED "e1 EXAMINE \"b\"\r\n"
#define IDLES OPENED "|e2 IDLE\r\n"
#define DONE IDLES "|DONE\r\n"
#define ODD "network: the server's answer is malformed"
#define ENDED "network: the server closed the connection"
#define NONE "unsupported: the mail server tells of no changes"

static const struct wait {
	const char *why;
	enum {
		PLAIN,
		READ, /* something was read before */
		OVER, /* the caller has found something when it may look */
	} how;
	const char *says, *want, *sent;
} waits[] = {
	{ "a message", PLAIN, PRE "+ idling\r\n* 4 EXISTS\r\ne2 OK d\r\n",
	    "ready changed", DONE OUT },
	{ "one that is gone", PLAIN, PRE "+ \r\n* 2 EXPUNGE\r\ne2 OK d\r\n",
	    "ready changed", DONE OUT },
	{ "flags", PLAIN, PRE "+ \r\n* 2 FETCH (FLAGS (\\Seen))\r\ne2 OK d\r\n",
	    "ready changed", DONE OUT },
	{ "one before the server listens", PLAIN,
	    PRE "* 4 EXISTS\r\n+ \r\ne2 OK d\r\n", "ready changed", DONE OUT },
	{ "more between a change and the end", PLAIN,
	    PRE "+ \r\n* 4 EXISTS\r\n* 5 EXISTS\r\n* OK x\r\ne2 OK d\r\n",
	    "ready changed", DONE OUT },
	{ "one that came while something was read", READ,
	    PRE "* SEARCH\r\n* 4 EXISTS\r\ne2 OK s\r\n", "changed",
	    "e1 EXAMINE \"b\"\r\ne2 UID SEARCH UID 40:*\r\n" OUT },
	{ "a number that is only repeated", PLAIN, PRE "+ \r\n* 3 EXISTS\r\n",
	    ENDED, IDLES },
	{ "words and other data are no change", PLAIN,
	    PRE "+ \r\n* OK Still here\r\n* 0 RECENT\r\n* FLAGS (\\Seen)\r\n",
	    ENDED, IDLES },
	{ "a caller that has found something already", OVER,
	    PRE "+ \r\ne2 OK d\r\n", "ready", DONE OUT },
	{ "a server that cannot", PLAIN,
	    "* PREAUTH [CAPABILITY IMAP4rev1] hi\r\n" EX(3) "e1 OK ex\r\n",
	    NONE, OPENED OUT },
	{ "one that has it built in", PLAIN,
	    "* PREAUTH [CAPABILITY IMAP4rev2] hi\r\n" EX(
		3) "e1 OK ex\r\n+ \r\n* 4 EXISTS\r\ne2 OK d\r\n",
	    "ready changed", DONE OUT },
	{ "capabilities are those after the login", PLAIN,
	    "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] Dovecot\r\ne1 OK "
	    "in\r\n" EX(
		3) "e2 OK ex\r\n* CAPABILITY IMAP4rev1 IDLE\r\ne3 OK c\r\n"
		   "+ \r\n* 4 EXISTS\r\ne4 OK d\r\n",
	    "ready changed",
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\ne2 EXAMINE \"b\"\r\n"
	    "|e3 CAPABILITY\r\n|e4 IDLE\r\n|DONE\r\n" OUT },
	{ "one that refuses", PLAIN, PRE "e2 NO not now\r\n", NONE, IDLES OUT },
	{ "one that has not heard of it", PLAIN, PRE "e2 BAD what\r\n", NONE,
	    IDLES OUT },
	{ "one that is done before it began", PLAIN, PRE "e2 OK d\r\n", ODD,
	    IDLES },
	{ "one that asks twice", PLAIN, PRE "+ \r\n+ \r\n", ODD, IDLES },
	{ "and after a change", PLAIN, PRE "+ \r\n* 4 EXISTS\r\n+ \r\n", ODD,
	    DONE },
	{ "one that ends the wait", PLAIN, PRE "+ \r\ne2 OK d\r\n",
	    "network: the mail server does not wait any longer", IDLES OUT },
	{ "one that says good bye", PLAIN, PRE "+ \r\n* BYE idle too long\r\n",
	    ENDED, IDLES },
	{ "one that hangs up", PLAIN, PRE "+ \r\n", ENDED, IDLES },
	{ "and does not answer the end", PLAIN, PRE "+ \r\n* 4 EXISTS\r\n",
	    ENDED, DONE },
	{ "half a line", PLAIN, PRE "+ \r\n* 4 EXI", ENDED, IDLES },
	{ "an answer to nothing", PLAIN, PRE "+ \r\ne9 OK x\r\n", ODD, IDLES },
	{ "no protocol", PLAIN, PRE "+ \r\nHTTP/1.1 200 OK\r\n", ODD, IDLES },
	{ "an endless literal", PLAIN, PRE "+ \r\n* 4 EXISTS {99999999999}\r\n",
	    "limit: the server's answer is too big", IDLES },
	{ "a folder that is not there", PLAIN,
	    "* PREAUTH [CAPABILITY IMAP4rev1 IDLE] hi\r\ne1 NO no\r\n",
	    "not_found: no such folder or message", OPENED OUT },
};

struct caller {
	struct buf *b;
	bool over;
};

static int
be_ready(void *ctx)
{
	const struct caller *c = ctx;

	buf_text(c->b, "ready");
	return c->over;
}

static void
look(struct script *t)
{
	const struct query q = { .folder = S("b"), .uid_min = 40 };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct err e = { 0 };

	assert_int_equal(imap_backend.find(&t->s->conn, t->a, &q, 5, &st, &rows,
			     &e),
	    0);
}

static void
await(struct script *t, const struct wait *k, struct buf *b)
{
	struct caller c = { b, k->how == OVER };
	const struct backend_watch w = {
		.folder = S("b"),
		.until_ms = clock_mono_ms() + 60000,
		.ready = be_ready,
		.ctx = &c,
	};
	bool changed = true;
	struct err e = { 0 };

	if (k->how == READ)
		look(t);
	if (imap_backend.watch(&t->s->conn, t->a, &w, &changed, &e) == 0)
		buf_fmt(b, "%s",
		    !changed       ? ""
			: b->n > 0 ? " changed"
				   : "changed");
	else {
		b->n = 0;
		buf_fmt(b, "%s: %s", err_code(e.kind), e.say);
	}
}

static void
play(const struct wait *k, size_t cut)
{
	struct script t;
	struct buf b;

	script_open(&t, k->says, cut);
	buf_init(&b, t.a, 4096);
	await(&t, k, &b);
	script_expect(&t, buf_view(&b), k->want, k->sent, cut);
}

static void
play_all(void **state)
{
	const struct wait *k = *state;

	for (size_t cut = 0; cut <= strlen(k->says); cut++)
		play(k, cut);
}

/* It may say that it is still here, but not all the time. */
static void
talk_without_a_change_ends(void **state)
{
	static char says[128 + 8 * (LIMIT_IDLE_RESPONSES + 1)] = PRE "+ \r\n";
	const struct wait k = { "", PLAIN, says, ODD, IDLES };
	size_t n = strlen(says);

	(void)state;
	for (int i = 0; i <= LIMIT_IDLE_RESPONSES; i++, n += 8)
		memcpy(says + n, "* OK x\r\n", 8);
	says[n] = '\0';
	/* In two packets, of less than a wire takes at once. */
	play(&k, n / 2);
}

int
main(void)
{
	ROWS(waits, play_all);
	rows_add("talk without a change ends", talk_without_a_change_ends,
	    NULL);
	return cmocka_run_group_tests_name("backend/imap_watch", rows_tests,
	    NULL, NULL);
}
