/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: its messages as others send them. */
#include "../rows.h"

#include <stdlib.h>

#include <sys/socket.h>
#include <unistd.h>

#include "door/serve/token.h"

/* -- messages -------------------------------------------------------------- */

#define WORKER "l"
#define WIRE "snNtd"
#define LEND                                                                   \
	{                                                                      \
		.type = 'l', .number = 1, .account = 7, .deadline_ms = 9       \
	}

static const struct message {
	const char *why, *types;
	struct serve_ask ask;
	size_t fds;
	bool good;
} messages[] = {
	{ "a worker asks for a wire", WORKER, LEND, 0, true },
	{ "a worker's message from a wire", WIRE, LEND, 0, false },
	{ "a descriptor that nobody wants", WORKER, LEND, 1, false },
	{ "an account that is none", WORKER,
	    { .type = 'l', .number = 1, .deadline_ms = 9 }, 0, false },
	{ "an account below 0", WORKER,
	    { .type = 'l', .number = 1, .account = -1, .deadline_ms = 9 }, 0,
	    false },
	{ "no deadline", WORKER, { .type = 'l', .number = 1, .account = 7 }, 0,
	    false },
	{ "no number", WORKER, { .type = 'l', .account = 7, .deadline_ms = 9 },
	    0, false },
	{ "an unknown purpose", WORKER,
	    { .type = 'l',
		.number = 1,
		.account = 7,
		.deadline_ms = 9,
		.purpose = SERVE_PURPOSES },
	    0, false },
	{ "a question for names", WORKER,
	    { .type = 'l',
		.number = 1,
		.deadline_ms = 9,
		.purpose = SERVE_ASKS_NAMES },
	    0, true },
	{ "one of an account", WORKER,
	    { .type = 'l',
		.number = 1,
		.account = 7,
		.deadline_ms = 9,
		.purpose = SERVE_ASKS_NAMES },
	    0, false },
	{ "no type", WORKER, { .number = 1 }, 0, false },
	{ "an unknown type", WORKER, { .type = 'x' }, 0, false },
	{ "a worker asks for a password", WORKER, { .type = 's' }, 0, false },
	{ "a wire asks for its password", WIRE, { .type = 's' }, 0, true },
	{ "a wire asks for another account's", WIRE,
	    { .type = 's', .account = 8 }, 0, false },
	{ "a wire asks for another token", WIRE, { .type = 'n' }, 0, true },
	{ "a wire asks for a fresh one", WIRE, { .type = 'N' }, 0, true },
	{ "a worker asks for a fresh one", WORKER, { .type = 'N' }, 0, false },
	{ "a token that came", WIRE, { .type = 't' }, 1, true },
	{ "a token that did not come", WIRE,
	    { .type = 't', .outcome = SERVE_FAILED }, 0, true },
	{ "no token where there is one", WIRE, { .type = 't' }, 0, false },
	{ "a token of a worker's", WORKER, { .type = 't' }, 1, false },
	{ "two secrets", "S", { .type = 'S' }, 2, false },
	{ "a process joins", "j", { .type = 'j', .number = 1 }, 2, true },
	{ "a process of no worker", "j", { .type = 'j' }, 2, false },
	{ "a process that would only ask", "j", { .type = 'j', .number = 1 }, 1,
	    false },
	{ "a worker brings another", WORKER, { .type = 'j', .number = 1 }, 2,
	    false },
	{ "a wire is done", WIRE, { .type = 'd', .number = 3 }, 0, true },
	{ "an outcome that is none", WIRE,
	    { .type = 'd', .number = 3, .outcome = SERVE_OUTCOMES }, 0, false },
	{ "a wire asks to lend", WIRE, { .type = 'L', .deadline_ms = 9 }, 1,
	    false },
	{ "a lease without a socket", "L", { .type = 'L', .deadline_ms = 9 }, 0,
	    false },
	{ "a lease", "L", { .type = 'L', .deadline_ms = 9 }, 1, true },
	{ "a secret", "S", { .type = 'S' }, 1, true },
	{ "no secret, and none is said to be there", "S",
	    { .type = 'S', .outcome = SERVE_UNKEPT }, 0, true },
	{ "no secret where there is one", "S", { .type = 'S' }, 0, false },
	{ "a secret with a refusal", "S",
	    { .type = 'S', .outcome = SERVE_UNKEPT }, 1, false },
	{ "a wire to be started", "fk", { .type = 'f', .number = 1 }, 1, true },
	{ "a wire without a number", "fk", { .type = 'f' }, 1, false },
};

static void
a_message(void **state)
{
	const struct message *m = *state;
	char raw[sizeof(m->ask) + 1] = { 0 };
	struct serve_ask out;

	memcpy(raw, &m->ask, sizeof(m->ask));
	assert_int_equal(serve_ask_read(raw, sizeof(m->ask), m->fds, m->types,
			     &out),
	    m->good);
	/* One byte too few, one too many. */
	assert_false(
	    serve_ask_read(raw, sizeof(m->ask) - 1, m->fds, m->types, &out));
	assert_false(serve_ask_read(raw, sizeof(raw), m->fds, m->types, &out));
}

static void
account_same(const struct serve_account *x, const struct serve_account *y)
{
	rows_same(x->backend, y->backend);
	rows_same(x->view.username, y->view.username);
	rows_same(x->view.drafts_folder, y->view.drafts_folder);
	rows_same(x->view.url, y->view.url);
	assert_int_equal(x->view.imap_port, y->view.imap_port);
	assert_int_equal(x->view.id, y->view.id);
	assert_int_equal(x->view.smtp_starttls, y->view.smtp_starttls);
	assert_int_equal(x->view.no_sasl_ir, y->view.no_sasl_ir);
	assert_int_equal(x->has_password, y->has_password);
	assert_int_equal(x->files, y->files);
}

/* What comes back is what was put; no other bytes are accepted as more. */
static void
an_account_travels(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct serve_account x = { .backend = S("imap"),
		.has_password = true,
		.files = true },
			     y;
	struct str bytes, longer;

	(void)state;
	x.view.username = S("agent");
	x.view.drafts_folder = S("Drafts");
	x.view.imap_port = 993;
	x.view.smtp_starttls = true;
	x.view.id = BACKEND_ID_OFF;
	bytes = serve_account_put(a, &x);
	assert_true(serve_account_take(bytes, &y));
	account_same(&x, &y);
	for (size_t n = 0; n < bytes.n; n++)
		assert_false(serve_account_take(str_first(bytes, n), &y));
	longer = str_fmt(a, "%.*s.", STR_ARG(bytes));
	longer =
	    (struct str){ memcpy(arena_alloc(a, bytes.n + 1), bytes.p, bytes.n),
		    bytes.n + 1 };
	assert_false(serve_account_take(longer, &y));
	/* Each byte changed: refused, or another account, but never beyond. */
	for (size_t i = 0; i < bytes.n; i++) {
		char *raw = memcpy(malloc(bytes.n), bytes.p, bytes.n);

		raw[i] = (char)~raw[i];
		(void)serve_account_take((struct str){ raw, bytes.n }, &y);
		free(raw);
	}
	x.view.url = rows_repeat(a, S("u"), LIMIT_WIRE_ACCOUNT);
	assert_int_equal(serve_account_put(a, &x).n, 0);
}

/* -- tokens ---------------------------------------------------------------- */

#define ANY                                                                    \
	(1 << SERVE_TOKEN_ACCESS | 1 << SERVE_TOKEN_CONSENT |                  \
	    1 << SERVE_TOKEN_CAME)

/* Those that have one: 'a'ccess, 'r'efresh, 'i'd, 's'ecret. */
static const struct token_row {
	const char *why;
	enum serve_token_what what;
	const char *parts;
	unsigned kinds;
	bool good;
} tokens[] = {
	{ "a token", SERVE_TOKEN_ACCESS, "a", ANY, true },
	{ "a token where a consent is to come", SERVE_TOKEN_ACCESS, "a",
	    1 << SERVE_TOKEN_CONSENT, false },
	{ "no token", SERVE_TOKEN_ACCESS, "", ANY, false },
	{ "a token with more", SERVE_TOKEN_ACCESS, "ar", ANY, false },
	{ "a consent", SERVE_TOKEN_CONSENT, "ris", ANY, true },
	{ "a consent that nobody gave", SERVE_TOKEN_CONSENT, "", ANY, true },
	{ "a consent with a token", SERVE_TOKEN_CONSENT, "aris", ANY, false },
	{ "what came", SERVE_TOKEN_CAME, "a", ANY, true },
	{ "what came, and another to ask with", SERVE_TOKEN_CAME, "ar", ANY,
	    true },
	{ "what came without a token", SERVE_TOKEN_CAME, "r", ANY, false },
	{ "what came with a client", SERVE_TOKEN_CAME, "ai", ANY, false },
};

static struct secret *
token_part(const struct token_row *r, char which)
{
	char text[] = { 't', which };

	return strchr(r->parts, which) != NULL ? secret_new(text, 2) : NULL;
}

static void
token_same(const struct secret *x, const struct secret *y)
{
	assert_int_equal(x == NULL, y == NULL);
	assert_true(x == NULL || secret_eq(x, y));
}

static void
a_token_travels(void **state)
{
	const struct token_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(serve_token_done) struct serve_token out = { 0 };
	CLEANUP(serve_token_done)
	struct serve_token t = { .what = r->what,
		.basic = true,
		.lives_s = 9,
		.token_url = r->what == SERVE_TOKEN_CONSENT ? S("u") : S(""),
		.access = token_part(r, 'a'),
		.refresh = token_part(r, 'r'),
		.id = token_part(r, 'i'),
		.secret = token_part(r, 's') };
	int fd = serve_token_put(&t);

	assert_true(fd >= 0);
	assert_int_equal(serve_token_take(fd, a, r->kinds, &out), r->good);
	(void)close(fd);
	if (!r->good)
		return;
	assert_int_equal(out.what, r->what);
	assert_true(out.basic);
	assert_int_equal(out.lives_s, 9);
	rows_same(out.token_url, t.token_url);
	token_same(out.access, t.access);
	token_same(out.refresh, t.refresh);
	token_same(out.id, t.id);
	token_same(out.secret, t.secret);
}

/* What a wire that was taken over sends: nothing is waited for. */
static void
a_token_that_lies(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct serve_token t = { .what = SERVE_TOKEN_CAME,
		.access = secret_new("t", 1) };
	char raw[2][64];
	ssize_t n[2];
	struct serve_token out;
	int fd = serve_token_put(&t), pair[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		n[i] = read(fd, raw[i], sizeof(raw[i]));
	(void)close(fd);
	assert_int_equal(n[1], 1);
	/* Each bit of the head, no head, no part, a part too many. */
	for (ssize_t bit = -4; bit < 8 * n[0]; bit++) {
		bool good = bit == -1 || (bit >= 64 && bit < 127) ||
		    (bit >= 8 && bit < 9);

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair),
		    0);
		if (bit >= 0)
			raw[0][bit / 8] =
			    (char)(raw[0][bit / 8] ^ 1 << bit % 8);
		if (bit != -2)
			(void)!write(pair[1], raw[0], (size_t)n[0]);
		if (bit != -3)
			(void)!write(pair[1], raw[1], (size_t)n[1]);
		if (bit == -4)
			(void)!write(pair[1], raw[1], (size_t)n[1]);
		if (bit >= 0)
			raw[0][bit / 8] =
			    (char)(raw[0][bit / 8] ^ 1 << bit % 8);
		assert_int_equal(serve_token_take(pair[0], a,
				     1 << SERVE_TOKEN_CAME, &out),
		    good);
		serve_token_done(&out);
		(void)close(pair[0]);
		(void)close(pair[1]);
	}
	serve_token_done(&t);
}
int
main(void)
{
	ROWS(messages, a_message);
	rows_add("an account travels", an_account_travels, NULL);
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
		rows_add(tokens[i].why, a_token_travels, &tokens[i]);
	rows_add("a token that lies", a_token_that_lies, NULL);
	return cmocka_run_group_tests_name("keeper", rows_tests, NULL, NULL);
}
