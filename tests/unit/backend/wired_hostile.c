/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process at the other end that dies, lies or talks nonsense; and a client
 * that does.
 */
#include "wired_pair.h"

#include <fcntl.h>
#include <sys/mman.h>

/* -- a process that was taken over ----------------------------------------- */

enum step {
	END,   /* it closes its end */
	GONE,  /* it has ended before it is asked */
	LOOKS, /* it asks whether the message may go */
	SENT,  /* it answers that it went */
	ONE,   /* the same, of one recipient of two */
	NO,    /* the server refused it */
	NONSENSE,
	ANOTHER, /* links, of which nobody asked */
	QUIET,   /* a type that there is not */
	SIGNS,   /* it asks for a MAC */
	FITS,    /* it asks whether one is right */
};

/* What it says, before anything is asked of it: the socket holds it. */
static const struct script {
	const char *why;
	enum step step[3];
	bool refuse;
	enum err_kind kind;
} scripts[] = {
	{ "it ended before it was asked", { GONE }, false, ERR_NETWORK },
	{ "it ends before it looks", { END }, false, ERR_NETWORK },
	{ "it ends after it looked", { LOOKS, END }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "it looks, and says nonsense", { LOOKS, NONSENSE }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "it looks, and tells of one of two", { LOOKS, ONE }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "it looks, and tells of links", { LOOKS, ANOTHER }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "it looks twice", { LOOKS, LOOKS, SENT }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "it says nonsense", { NONSENSE }, false, ERR_INTERNAL },
	{ "it tells of links", { ANOTHER }, false, ERR_INTERNAL },
	{ "it says a word that there is not", { QUIET }, false, ERR_INTERNAL },
	{ "it sends without a look", { SENT }, false, ERR_UNKNOWN_OUTCOME },
	{ "the server refuses it", { LOOKS, NO }, false, ERR_REJECTED },
	{ "a look stops it", { LOOKS, NO }, true, ERR_POLICY },
	{ "a look stops it, and it ends", { LOOKS, END }, true, ERR_POLICY },
	{ "a look stops it, and it is sent", { LOOKS, SENT }, true,
	    ERR_UNKNOWN_OUTCOME },
	{ "it signs what may not go yet", { SIGNS }, false, ERR_INTERNAL },
	{ "it looks, and signs two", { LOOKS, SIGNS, SIGNS }, false,
	    ERR_UNKNOWN_OUTCOME },
	{ "a look stops it, and it signs", { LOOKS, SIGNS }, true, ERR_POLICY },
	{ "it looks, signs and sends", { LOOKS, SIGNS, SENT }, false,
	    ERR_NONE },
	{ "it compares a MAC, looks and sends", { FITS, LOOKS, SENT }, false,
	    ERR_NONE },
	{ "it looks and sends", { LOOKS, SENT }, false, ERR_NONE },
};

static void
put_answer(size_t n, const struct err *why)
{
	struct recipient got[2] = { { .code = 250, .status = S("accepted") },
		{ .code = 550, .status = S("no such user") } };
	struct wired_answer answer = { .to = got, .n = n };
	struct wired_put o;
	struct err e = { 0 };

	wired_put_begin(&o, t.a);
	wired_put_number(&o, why != NULL ? 2 : 0);
	if (why != NULL)
		wired_fault_put(&o, why);
	wired_put(&o, &wired_method[WIRED_SUBMIT].answer, &answer);
	assert_int_equal(wired_carry_send(t.other, WIRED_ANSWER, &o, &e), 0);
}

static void
put_text(char type, struct str text)
{
	struct err e = { 0 };

	assert_int_equal(ipc_frame_send(t.other,
			     &(struct ipc_frame){ type, text }, NULL, 0, &e),
	    0);
}

static void
say(enum step step)
{
	struct err no = { .kind = ERR_REJECTED, .say = "no such user" };

	switch (step) {
	case END:
		assert_int_equal(shutdown(t.other, SHUT_WR), 0);
		break;
	case GONE:
		(void)close(t.other);
		t.other = -1;
		break;
	case LOOKS:
		put_text(WIRED_LOOK, S(""));
		break;
	case SENT:
		put_answer(2, NULL);
		break;
	case ONE:
		put_answer(1, NULL);
		break;
	case NO:
		put_answer(2, &no);
		break;
	case NONSENSE:
		put_text(WIRED_ANSWER, S("\xff\xff\xff"));
		break;
	case ANOTHER:
		put_text(WIRED_TELL_LINKS, S("\x01\0\0"));
		break;
	case QUIET:
		put_text('z', S(""));
		break;
	case SIGNS:
		put_text(WIRED_SIGN, S("\x01t\0"));
		break;
	case FITS:
		put_text(WIRED_SIGN, str_fmt(t.a, "\x01t\x20%032d", 0));
		break;
	}
}

static void
a_script(void **state)
{
	const struct script *row = *state;
	bool keeps = row->kind == ERR_NONE || row->kind == ERR_REJECTED ||
	    (row->refuse && row->step[1] == NO);

	(void)open_pair(state);
	t.refuse = row->refuse;
	for (size_t i = 0; i < 3 && (i == 0 || row->step[i] != END); i++)
		say(row->step[i]);
	if (t.other >= 0)
		say(END);
	assert_int_equal(submit(), row->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(t.e.kind, row->kind);
	assert_int_equal(t.looked,
	    row->step[0] == LOOKS || row->step[0] == FITS);
	assert_int_equal(t.w.fd >= 0, keeps);
	assert_int_equal(t.e.scope == ERR_SCOPE_CONN, !keeps);
	if (row->kind == ERR_REJECTED)
		assert_int_equal(to[1].code, 550);
	/* What is lost stays lost. */
	if (!keeps) {
		assert_int_equal(submit(), -1);
		assert_int_equal(t.e.kind, ERR_NETWORK);
	}
	(void)close_pair();
}

/* What was asked for may have been done; only what reads can be repeated. */
static const struct asked {
	const char *why;
	enum wired_verb verb;
	enum step step;
	enum err_kind kind;
} askeds[] = {
	{ "it ends while it reads", WIRED_FOLDERS, END, ERR_NETWORK },
	{ "it ends while it marks", WIRED_MARK, END, ERR_UNKNOWN_OUTCOME },
	{ "it ends while it moves", WIRED_MOVE, END, ERR_UNKNOWN_OUTCOME },
	{ "it ends while it appends", WIRED_APPEND, END, ERR_UNKNOWN_OUTCOME },
	{ "it ends while it saves", WIRED_DRAFT, END, ERR_UNKNOWN_OUTCOME },
	{ "it marks, and says nonsense", WIRED_MARK, NONSENSE,
	    ERR_UNKNOWN_OUTCOME },
	{ "it ended before it was to mark", WIRED_MARK, GONE, ERR_NETWORK },
};

static void
a_lost_one(void **state)
{
	const struct asked *row = *state;
	struct wired_call call = { .verb = row->verb };

	(void)open_pair(state);
	call.a = t.a;
	say(row->step);
	assert_int_equal(wired_call(&t.w, &call, &t.e), -1);
	assert_int_equal(t.e.kind, row->kind);
	assert_int_equal(t.e.scope, ERR_SCOPE_CONN);
	assert_int_equal(t.w.fd, -1);
	(void)close_pair();
}

/* -- copies of a move ------------------------------------------------------ */

enum tells {
	NOT,    /* no more */
	COPIES, /* of both */
	FEWER,  /* of one */
	MOVED,  /* it answers that they are moved */
	FAILED, /* that it does not know */
	FALLS,  /* it closes its end */
};

static const struct copier {
	const char *why;
	enum tells step[3];
	bool asks, knows,
	    refuse; /* with a callback; with copies; which fails */
	enum err_kind kind;
	unsigned told;
} copiers[] = {
	{ "it tells, and moves", { COPIES, MOVED }, true, false, false,
	    ERR_NONE, 1 },
	{ "it moves without copies", { MOVED }, true, false, false, ERR_NONE,
	    0 },
	{ "it tells, and falls", { COPIES, FALLS }, true, false, false,
	    ERR_UNKNOWN_OUTCOME, 1 },
	{ "it tells twice", { COPIES, COPIES, MOVED }, true, false, false,
	    ERR_UNKNOWN_OUTCOME, 1 },
	{ "it tells of one of two", { FEWER, MOVED }, true, false, false,
	    ERR_UNKNOWN_OUTCOME, 0 },
	{ "nobody asked", { COPIES, MOVED }, false, false, false,
	    ERR_UNKNOWN_OUTCOME, 0 },
	{ "they were known", { COPIES, MOVED }, true, true, false,
	    ERR_UNKNOWN_OUTCOME, 0 },
	{ "it is stopped", { COPIES, FAILED }, true, false, true, ERR_DB, 1 },
	{ "it is stopped, and falls", { COPIES, FALLS }, true, false, true,
	    ERR_UNKNOWN_OUTCOME, 1 },
	{ "it is stopped, and moves", { COPIES, MOVED }, true, false, true,
	    ERR_UNKNOWN_OUTCOME, 1 },
};

static int
copied_it(void *ctx, const struct refs *copies, uint32_t uidvalidity,
    struct err *e)
{
	(void)ctx;
	assert_true(copies->n == 2 && uidvalidity == 7);
	t.looked++;
	return t.refuse ? err_set(e, ERR_DB, "it cannot be written down") : 0;
}

static void
put_fault(enum err_kind kind)
{
	const struct err why = { .kind = kind, .say = "lost" };
	struct wired_put o;
	struct err e = { 0 };

	wired_put_begin(&o, t.a);
	wired_put_number(&o, 2);
	wired_fault_put(&o, &why);
	assert_int_equal(wired_carry_send(t.other, WIRED_ANSWER, &o, &e), 0);
}

static void
tell_of(enum tells step)
{
	switch (step) {
	case NOT:
		break;
	case COPIES:
		put_text(WIRED_COPIED, S("\x02\x03\0\x04\0\x07"));
		break;
	case FEWER:
		put_text(WIRED_COPIED, S("\x01\x03\0\x07"));
		break;
	case MOVED:
		put_text(WIRED_ANSWER, S("\0\x02\x03\0\x04\0"));
		break;
	case FAILED:
		put_fault(ERR_UNKNOWN_OUTCOME);
		break;
	case FALLS:
		assert_int_equal(shutdown(t.other, SHUT_WR), 0);
		break;
	}
}

static void
a_copier(void **state)
{
	const struct copier *row = *state;
	struct copying by = { .copied = copied_it };
	struct refs moved = { 0 };
	int r;

	(void)open_pair(state);
	t.refuse = row->refuse;
	if (row->knows)
		by.copies = &refs;
	for (size_t i = 0; i < 3; i++)
		tell_of(row->step[i]);
	r = be->move(&t.w.conn, t.a, S("INBOX"), &refs, S("Done"),
	    row->asks ? &by : NULL, &moved, &t.e);
	assert_int_equal(r, row->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(t.e.kind, row->kind);
	assert_int_equal(t.looked, row->told);
	(void)close_pair();
}

/* A file that could change, or that is none, is not read. */
static const struct file {
	const char *why;
	int seals;
	size_t n, also;
	bool good;
} files[] = {
	{ "a sealed file",
	    F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, 2, 0,
	    true },
	{ "a file that can be written",
	    F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, 2, 0, false },
	{ "a file that can shrink", F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SEAL, 2,
	    0, false },
	{ "a file of more than the cap",
	    F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL,
	    LIMIT_WIRED + 1, 0, false },
	{ "a file and bytes",
	    F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, 2, 1,
	    false },
};

static void
a_file(void **state)
{
	const struct file *row = *state;
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct str text = S("\0\0");
	struct folders f = { 0 };

	(void)open_pair(state);
	assert_int_equal(write(fd, text.p, text.n), text.n);
	assert_int_equal(ftruncate(fd, (off_t)row->n), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, row->seals), 0);
	assert_int_equal(ipc_frame_send(t.other,
			     &(struct ipc_frame){ WIRED_ANSWER,
				 { "\0", row->also } },
			     &fd, 1, &t.e),
	    0);
	(void)close(fd);
	assert_int_equal(be->folders(&t.w.conn, t.a, &f, &t.e),
	    row->good ? 0 : -1);
	assert_int_equal(t.e.kind, row->good ? ERR_NONE : ERR_INTERNAL);
	(void)close_pair();
}

/* -- a client that was taken over ------------------------------------------ */

static const struct request {
	const char *why;
	char type;
	struct str bytes;
	int r;
} requests[] = {
	{ "none at all", 0, SI(""), 0 },
	{ "the folders", 'Q', SI("\x01\x05\0\0\0"), 1 },
	{ "a method that there is not", 'Q', SI("\x12\x05\0\0\0"), -1 },
	{ "a head without its end", 'Q', SI("\x01\x05\0\0"), -1 },
	{ "more than a head", 'Q', SI("\x01\x05\0\0\0\0"), -1 },
	{ "nothing", 'Q', SI(""), -1 },
	{ "a deadline in two days", 'Q', SI("\x01\x80\xb0\x99\x52\0\0\0"), -1 },
	{ "no request", 'A', SI("\x01\x05\0\0\0"), -1 },
	{ "a page of no rows", 'Q',
	    SI("\x02\x05\0\0\0"
	       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	    -1 },
	{ "a body of over the cap", 'Q',
	    SI("\x04\x05\0\0\0\0\0\x81\x80\x80\x40"), -1 },
};

static void
a_request(void **state)
{
	const struct request *row = *state;
	struct err e = { 0 };

	(void)open_pair(state);
	if (row->type != 0)
		put_text(row->type, row->bytes);
	assert_int_equal(shutdown(t.other, SHUT_WR), 0);
	assert_int_equal(serve_here(t.w.fd, &e), row->r);
	assert_int_equal(e.kind, row->r < 0 ? ERR_USAGE : ERR_NONE);
	(void)close_pair();
}

/* A method that the backend does not have. */
static void
a_slot_that_is_empty_is_not_called(void **state)
{
	struct backend smtp = { .name = "smtp", .submit = fake_submit };
	struct conn *c = &fake_conn;
	struct wired_lease l = { .be = &smtp, .acct = &t.acct, .conn = &c };
	struct err e = { 0 };

	(void)open_pair(state);
	l.fd = t.w.fd;
	put_text(WIRED_ASK, S("\x01\x05\0\0\0"));
	assert_int_equal(wired_serve(&l, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	(void)close_pair();
}

/*
 * One for tests is one more than an account's mail may have, and logs in
 * whatever failed before.
 */
static const struct lease {
	const char *why;
	bool tests;
	struct str bytes;
	int r;
} leases[] = {
	{ "a test reads no mail", true, SI("\x01\x05\0\0\0"), -1 },
	{ "a test opens nothing", true, SI("\0\x05\0\0\0"), -1 },
	{ "a test tests", true, SI("\x11\x05\0\0\0"), 0 },
	{ "a call makes no test", false, SI("\x11\x05\0\0\0"), -1 },
	{ "a call asks for no token", false, SI("\x12\x05\0\0\0"), -1 },
};

static void
a_lease(void **state)
{
	const struct lease *row = *state;
	struct err e = { 0 };

	(void)open_pair(state);
	t.tests = row->tests;
	put_text(WIRED_ASK, row->bytes);
	assert_int_equal(shutdown(t.other, SHUT_WR), 0);
	assert_int_equal(serve_here(t.w.fd, &e), row->r);
	assert_int_equal(e.kind, row->r < 0 ? ERR_USAGE : ERR_NONE);
	(void)close_pair();
}

int
main(void)
{
	ROWS(scripts, a_script);
	ROWS(askeds, a_lost_one);
	ROWS(copiers, a_copier);
	ROWS(leases, a_lease);
	ROWS(files, a_file);
	ROWS(requests, a_request);
	rows_add("a slot that is empty is not called",
	    a_slot_that_is_empty_is_not_called, NULL);
	return cmocka_run_group_tests_name("backend/wired_hostile", rows_tests,
	    NULL, NULL);
}
