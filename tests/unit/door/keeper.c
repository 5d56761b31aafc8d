/* The keeper: its messages as others send them, and the pool of wires. */
#include "../rows.h"

#include <stdlib.h>

#include <sys/socket.h>
#include <unistd.h>

#include "door/serve/token.h"

/* -- messages -------------------------------------------------------------- */

#define WORKER "l"
#define WIRE "sntd"
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
}

/* What comes back is what was put; no other bytes are accepted as more. */
static void
an_account_travels(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct serve_account x = { .backend = S("imap"), .has_password = true },
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

/* -- the pool -------------------------------------------------------------- */

static const char old[SERVE_POOL_PRINT] = "old", new[SERVE_POOL_PRINT] = "new";

static enum serve_pool_what
choose_one(const struct serve_pool *p, int64_t account, const char *print,
    uint32_t worker, bool waits, int64_t now_ms, size_t *at)
{
	const struct serve_pool_ask q = { account, print, worker, waits };
	struct serve_pool_choice c = serve_pool_choose(p, &q, now_ms);

	if (at != NULL)
		*at = c.at;
	return c.what;
}

static enum serve_pool_what
choose(const struct serve_pool *p, int64_t account, const char *print,
    uint32_t worker, int64_t now_ms, size_t *at)
{
	return choose_one(p, account, print, worker, false, now_ms, at);
}

static void
add(struct serve_pool *p, int64_t account, uint32_t worker, int64_t now_ms)
{
	const struct serve_pool_ask q = { account, old, worker, false };
	struct serve_pool_wire *w = serve_pool_add(p, &q, now_ms);

	/* Nobody else gets it meanwhile; it had no lease yet. */
	assert_true(w->lent);
	assert_int_equal(w->leases, 0);
	serve_pool_lend(w, worker, now_ms);
	assert_int_equal(w->leases, 1);
}

static void
a_wire_is_kept_for_the_next_call(void **state)
{
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	assert_int_equal(choose(&p, 1, old, 1, 0, NULL), SERVE_POOL_START);
	add(&p, 1, 1, 0);
	/* The same call: the same wire.  Another one: another. */
	assert_int_equal(choose(&p, 1, old, 1, 0, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 0);
	assert_int_equal(choose(&p, 1, old, 2, 0, NULL), SERVE_POOL_START);
	add(&p, 1, 2, 0);
	/* No third one of an account; another account has its own. */
	assert_int_equal(choose(&p, 1, old, 3, 0, NULL), SERVE_POOL_WAIT);
	assert_int_equal(choose(&p, 2, old, 3, 0, NULL), SERVE_POOL_START);
	assert_true(serve_pool_done(&p, 0, false, 0, 5));
	assert_true(serve_pool_done(&p, 1, false, 0, 6));
	/* The one that was used last. */
	assert_int_equal(choose(&p, 1, old, 3, 7, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 1);
	assert_int_equal(serve_pool_old(&p, 7), -1);
	assert_int_equal(serve_pool_old(&p, 6 + LIMIT_WIRE_IDLE_MS), 0);
}

static void
names_have_some_wires(void **state)
{
	struct serve_pool p = { 0 };
	uint32_t worker = 1;

	(void)state;
	for (; worker <= LIMIT_NAMES_WIRES; worker++) {
		assert_int_equal(choose(&p, 0, old, worker, 0, NULL),
		    SERVE_POOL_START);
		add(&p, 0, worker, 0);
	}
	assert_int_equal(choose(&p, 0, old, worker, 0, NULL), SERVE_POOL_WAIT);
	assert_int_equal(choose(&p, 1, old, worker, 0, NULL), SERVE_POOL_START);
}

/* Whoever waits for a change looks by another wire meanwhile. */
static void
a_wait_has_a_wire_of_its_own(void **state)
{
	const struct serve_pool_ask q = { 1, old, 1, true };
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 1, 2, 0);
	assert_int_equal(choose_one(&p, 1, old, 1, true, 0, NULL),
	    SERVE_POOL_START);
	serve_pool_lend(serve_pool_add(&p, &q, 0), 1, 0);
	assert_int_equal(choose_one(&p, 1, old, 1, true, 0, &at),
	    SERVE_POOL_LEND);
	assert_int_equal(at, 2);
	assert_int_equal(choose(&p, 1, old, 1, 0, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 0);
	/* Idle, too, it is for nothing else. */
	assert_true(serve_pool_done(&p, 2, false, 0, 9));
	assert_int_equal(choose(&p, 1, old, 3, 9, NULL), SERVE_POOL_WAIT);
}

static void
a_changed_account_has_no_old_wire(void **state)
{
	const struct serve_pool_ask q = { 1, new, 3, false };
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 1, 2, 0);
	assert_true(serve_pool_done(&p, 1, false, 0, 0));
	serve_pool_renew(&p, &q);
	/* The idle one is dropped; the other ends when its call does. */
	assert_int_equal(choose(&p, 1, new, 3, 1, &at), SERVE_POOL_DROP);
	assert_int_equal(at, 1);
	serve_pool_take(&p, 1);
	assert_int_equal(choose(&p, 1, new, 3, 1, NULL), SERVE_POOL_START);
	assert_int_equal(choose(&p, 1, new, 1, 1, NULL), SERVE_POOL_START);
	assert_false(serve_pool_done(&p, 0, false, 0, 2));
}

static void
the_least_used_makes_room(void **state)
{
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	for (size_t i = 0; i < LIMIT_WIRES; i++)
		add(&p, (int64_t)i + 1, 1, 0);
	assert_int_equal(choose(&p, 99, old, 2, 0, NULL), SERVE_POOL_WAIT);
	assert_true(serve_pool_done(&p, 8, false, 0, 20));
	assert_true(serve_pool_done(&p, 5, false, 0, 30));
	assert_int_equal(choose(&p, 99, old, 2, 40, &at), SERVE_POOL_DROP);
	assert_int_equal(at, 8);
	serve_pool_take(&p, at);
	assert_int_equal(p.v[8].account, LIMIT_WIRES);
	assert_int_equal(choose(&p, 99, old, 2, 40, NULL), SERVE_POOL_START);
}

static void
a_wire_serves_so_many_calls(void **state)
{
	struct serve_pool p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	for (int i = 1; i < LIMIT_WIRE_LEASES; i++) {
		assert_true(serve_pool_done(&p, 0, false, 0, i));
		serve_pool_lend(&p.v[0], 2, i);
	}
	assert_false(serve_pool_done(&p, 0, false, 0, 0));
}

/* One failure after the other, and then none. */
static void
a_server_that_fails_is_left_alone(void **state)
{
	static const int64_t waits[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 300,
		300 };
	struct serve_pool p = { 0 };
	int64_t now = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		int64_t ms = 1000 * waits[i];

		add(&p, 1, 1, now);
		assert_false(serve_pool_done(&p, 0, true, 0, now));
		serve_pool_take(&p, 0);
		assert_int_equal(choose(&p, 1, old, 1, now + ms - 1, NULL),
		    SERVE_POOL_WAIT);
		assert_int_equal(choose(&p, 2, old, 1, now, NULL),
		    SERVE_POOL_START);
		now += ms;
		assert_int_equal(choose(&p, 1, old, 1, now, NULL),
		    SERVE_POOL_START);
	}
	add(&p, 1, 1, now);
	assert_true(serve_pool_done(&p, 0, false, 0, now));
	assert_int_equal(p.faults, 0);
	/* Chance makes it shorter, by a quarter at most. */
	assert_false(serve_pool_done(&p, 0, true, 250, now));
	assert_int_equal(p.fault[0].not_before_ms, now + 750);
	/* There is no end of accounts. */
	for (int64_t i = 0; i < 3 * LIMIT_WIRES; i++) {
		p.n = 0;
		add(&p, 100 + i, 1, i);
		assert_false(serve_pool_done(&p, 0, true, 0, i));
	}
	assert_int_equal(p.faults, LIMIT_WIRES);
}

int
main(void)
{
	ROWS(messages, a_message);
	rows_add("an account travels", an_account_travels, NULL);
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
		rows_add(tokens[i].why, a_token_travels, &tokens[i]);
	rows_add("a token that lies", a_token_that_lies, NULL);
	rows_add("a wait", a_wait_has_a_wire_of_its_own, NULL);
	rows_add("a wire is kept", a_wire_is_kept_for_the_next_call, NULL);
	rows_add("names have some wires", names_have_some_wires, NULL);
	rows_add("a changed account", a_changed_account_has_no_old_wire, NULL);
	rows_add("the least used", the_least_used_makes_room, NULL);
	rows_add("so many calls", a_wire_serves_so_many_calls, NULL);
	rows_add("a server that fails", a_server_that_fails_is_left_alone,
	    NULL);
	return cmocka_run_group_tests_name("keeper", rows_tests, NULL, NULL);
}
