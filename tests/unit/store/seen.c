/* SPDX-License-Identifier: Apache-2.0 */
/* The seen-set: floor, acks in any order, compaction, many at once. */
#include <signal.h>
#include <sys/wait.h>

#include "fixture.h"
#include "store/claim.h"

static struct store_folder
folder(struct fx *x)
{
	return (struct store_folder){ fx_account(x, "work"), S("agent"),
		S("INBOX"), 7 };
}

static uint32_t
meet(struct fx *x, const struct store_folder *f, uint32_t baseline)
{
	uint32_t floor = 0;
	bool reset = true;

	assert_ok(x, store_seen_meet(x->s, f, baseline, &floor, &reset, &x->e));
	assert_false(reset);
	return floor;
}

static uint32_t
floor_of(struct fx *x, const struct store_folder *f)
{
	uint32_t validity = 0, floor = 0;

	assert_int_equal(store_seen_state(x->s, f, &validity, &floor, &x->e),
	    1);
	assert_int_equal(validity, f->uidvalidity);
	return floor;
}

#define ACK(x, f, ...)                                                         \
	do {                                                                   \
		const uint32_t u_[] = { __VA_ARGS__ };                         \
		assert_ok((x),                                                 \
		    store_seen_ack((x)->s, (f), u_,                            \
			sizeof(u_) / sizeof(u_[0]), &(x)->e));                 \
	} while (0)

/* The floor, and exactly these acks above it. */
static void
stands(struct fx *x, const struct store_folder *f, uint32_t floor,
    const uint32_t *acks, size_t n)
{
	uint32_t *got = NULL;
	uint32_t at = 0;
	size_t have = 0;

	assert_int_equal(floor_of(x, f), floor);
	assert_ok(x, store_seen_acked(x->s, x->a, f, &at, &got, &have, &x->e));
	assert_int_equal(at, floor);
	assert_int_equal(have, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i], acks[i]);
}

/* The floor first, then the acks. */
#define STANDS(x, f, ...)                                                      \
	do {                                                                   \
		const uint32_t a_[] = { __VA_ARGS__ };                         \
		stands((x), (f), a_[0], a_ + 1,                                \
		    sizeof(a_) / sizeof(a_[0]) - 1);                           \
	} while (0)

static void
unmet(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	uint32_t validity, floor, uid = 1;

	assert_int_equal(store_seen_state(x->s, &f, &validity, &floor, &x->e),
	    0);
	assert_err(x, store_seen_ack(x->s, &f, &uid, 1, &x->e), ERR_NOT_FOUND);
}

static void
baseline_max(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	assert_int_equal(meet(x, &f, 100), 100);
	STANDS(x, &f, 100);
}

static void
baseline_zero(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	assert_int_equal(meet(x, &f, 0), 0);
	ACK(x, &f, 1);
	STANDS(x, &f, 1);
}

static void
met_again(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	assert_int_equal(meet(x, &f, 100), 100);
	assert_int_equal(meet(x, &f, 200), 100);
	ACK(x, &f, 101, 105);
	assert_int_equal(meet(x, &f, 300), 101);
	STANDS(x, &f, 101, 105);
}

static void
any_order(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	(void)meet(x, &f, 10);
	ACK(x, &f, 14);
	STANDS(x, &f, 10, 14);
	ACK(x, &f, 12);
	STANDS(x, &f, 10, 12, 14);
	ACK(x, &f, 11);
	STANDS(x, &f, 12, 14);
	ACK(x, &f, 13);
	STANDS(x, &f, 14);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM acked"), 0);
}

static void
batch(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	(void)meet(x, &f, 10);
	ACK(x, &f, 20, 13, 11, 12, 13, 20, 22);
	STANDS(x, &f, 13, 20, 22);
}

static void
idempotent(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	(void)meet(x, &f, 10);
	ACK(x, &f, 12);
	ACK(x, &f, 12);
	STANDS(x, &f, 10, 12);
	ACK(x, &f, 11);
	ACK(x, &f, 11, 12);
	STANDS(x, &f, 12);
}

/* So many that they are one parameter. */
static void
large_batch(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	uint32_t all[1000], want[500];

	(void)meet(x, &f, 10);
	/* Some below the floor, each twice, the newest first. */
	for (uint32_t i = 0; i < 1000; i++)
		all[i] = UINT32_MAX - 10 - 2 * (i / 2);
	all[0] = 0;
	all[2] = 10;
	for (uint32_t i = 0; i < 500; i++)
		want[i] = UINT32_MAX - 10 - 2 * (499 - i);
	assert_ok(x, store_seen_ack(x->s, &f, all, 1000, &x->e));
	stands(x, &f, 10, want, 500);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM acked"), 500);
	/* And back again: only the others stay. */
	assert_ok(x, store_seen_unack(x->s, &f, want + 100, 400, &x->e));
	stands(x, &f, 10, want, 100);
	for (uint32_t i = 0; i < 1000; i++)
		all[i] = 1010 - i;
	assert_ok(x, store_seen_ack(x->s, &f, all, 1000, &x->e));
	stands(x, &f, 1010, want, 100);
}

static void
below_floor(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	(void)meet(x, &f, 10);
	ACK(x, &f, 0, 1, 10);
	STANDS(x, &f, 10);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM acked"), 0);
	assert_ok(x, store_seen_ack(x->s, &f, NULL, 0, &x->e));
}

static void
top(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);

	(void)meet(x, &f, UINT32_MAX - 2);
	ACK(x, &f, UINT32_MAX);
	STANDS(x, &f, UINT32_MAX - 2, UINT32_MAX);
	ACK(x, &f, UINT32_MAX - 1);
	STANDS(x, &f, UINT32_MAX);
	ACK(x, &f, UINT32_MAX, 1);
	STANDS(x, &f, UINT32_MAX);
}

static void
renumbered(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	struct store_folder g = f;
	uint32_t floor = 0, uid = 12;
	uint32_t *v = NULL;
	size_t n = 9;
	bool reset = false;

	(void)meet(x, &f, 10);
	ACK(x, &f, 12, 15);
	g.uidvalidity = 8;
	assert_ok(x, store_seen_meet(x->s, &g, 3, &floor, &reset, &x->e));
	assert_true(reset);
	assert_int_equal(floor, 3);
	STANDS(x, &g, 3);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM acked"), 0);

	/* Reported once; whoever has the old numbers acks nothing. */
	assert_int_equal(meet(x, &g, 99), 3);
	assert_err(x, store_seen_ack(x->s, &f, &uid, 1, &x->e), ERR_NOT_FOUND);
	assert_err(x, store_seen_acked(x->s, x->a, &f, &floor, &v, &n, &x->e),
	    ERR_NOT_FOUND);
	STANDS(x, &g, 3);
}

static void
apart(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	struct store_folder other_agent = f;
	struct store_folder other_folder = f;
	struct store_folder other_account = f;

	other_agent.principal = S("bob");
	other_folder.folder = S("inbox");
	other_account.account = fx_account(x, "home");
	(void)meet(x, &f, 10);
	(void)meet(x, &other_agent, 20);
	(void)meet(x, &other_folder, 30);
	(void)meet(x, &other_account, 40);
	ACK(x, &f, 11, 13);
	ACK(x, &other_agent, 22);
	STANDS(x, &f, 11, 13);
	STANDS(x, &other_agent, 20, 22);
	STANDS(x, &other_folder, 30);
	STANDS(x, &other_account, 40);
}

static void
no_account(void **state)
{
	struct fx *x = *state;
	struct store_folder f = { 99, S("agent"), S("INBOX"), 7 };
	uint32_t floor;
	bool reset;

	assert_err(x, store_seen_meet(x->s, &f, 1, &floor, &reset, &x->e),
	    ERR_NOT_FOUND);
}

#define CHILDREN 16
#define EACH 40

/* Acks its own uids, and some of its neighbour's, one at a time; 0: success. */
static int
child(struct fx *x, const struct store_folder *f, int which)
{
	struct store *s = NULL;
	uint32_t floor;
	bool reset;

	if (store_open(x->path, STORE_AGENT, &x->keys, &s, &x->e) < 0 ||
	    store_seen_meet(s, f, 0, &floor, &reset, &x->e) < 0)
		return 1;
	for (uint32_t i = 0; i < EACH; i++) {
		/* Spread out, so that runs meet between others. */
		uint32_t uids[2] = { 1 + i * CHILDREN + (uint32_t)which,
			1 + i * CHILDREN + (uint32_t)(which + 1) % CHILDREN };

		if (i % 10 == 9)
			continue; /* left to the neighbour */
		if (store_seen_ack(s, f, uids, 2, &x->e) < 0)
			return 2;
	}
	store_close(&s);
	return 0;
}

static void
many_at_once(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	pid_t pid[CHILDREN];
	uint32_t want[CHILDREN * EACH];
	size_t n = 0;

	store_close(&x->s);
	for (int i = 0; i < CHILDREN; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0)
			_exit(child(x, &f, i));
	}
	for (int i = 0; i < CHILDREN; i++) {
		int status = -1;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	x->s = fx_open(x, STORE_ADMIN);
	/* Rows 9, 19, 29 and 39 were omitted: holes above the floor. */
	for (uint32_t uid = 1; uid <= CHILDREN * EACH; uid++)
		if ((uid - 1) / CHILDREN % 10 != 9 && uid > 9 * CHILDREN)
			want[n++] = uid;
	stands(x, &f, 9 * CHILDREN, want, n);
}

static void
init_at_once(void **state)
{
	struct fx *x = *state;
	int made = 0;
	pid_t pid[8];

	for (int i = 0; i < 8; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			bool created = false;

			if (store_init(x->path, &x->keys, &created, &x->e) < 0)
				_exit(100);
			_exit(created ? 1 : 0);
		}
	}
	for (int i = 0; i < 8; i++) {
		int status = -1;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		made += WEXITSTATUS(status);
	}
	assert_int_equal(made, 1);
	x->s = fx_open(x, STORE_AGENT);
}

/* Killed during acking: everything that was reported is there, complete. */
static void
killed(void **state)
{
	struct fx *x = *state;
	struct store_folder f = folder(x);
	uint32_t last = 0;
	int fd[2];
	pid_t pid;

	(void)meet(x, &f, 0);
	store_close(&x->s);
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct store *s = NULL;

		if (store_open(x->path, STORE_AGENT, &x->keys, &s, &x->e) < 0)
			_exit(1);
		for (uint32_t i = 1;; i += 2) {
			uint32_t uids[2] = { i, i + 1 };

			if (store_seen_ack(s, &f, uids, 2, &x->e) < 0 ||
			    write(fd[1], &i, sizeof(i)) != sizeof(i))
				_exit(1);
		}
	}
	(void)close(fd[1]);
	for (int i = 0; i < 20; i++)
		assert_int_equal(read(fd[0], &last, sizeof(last)),
		    sizeof(last));
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	while (read(fd[0], &last, sizeof(last)) == sizeof(last))
		;
	(void)close(fd[0]);
	x->s = fx_open(x, STORE_ADMIN);
	assert_true(floor_of(x, &f) == last + 1 || floor_of(x, &f) == last + 3);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a folder that was never met has no state", unmet),
		TEST("the floor is the baseline at first contact",
		    baseline_max),
		TEST("a backlog begins at zero", baseline_zero),
		TEST("a later baseline changes nothing", met_again),
		TEST("acks come in any order", any_order),
		TEST("a batch may be unsorted and repeat itself", batch),
		TEST("a large batch, too", large_batch),
		TEST("acking twice is acking once", idempotent),
		TEST("what is below the floor is ignored", below_floor),
		TEST("the highest uid there can be", top),
		TEST("another uidvalidity starts over", renumbered),
		TEST("agents, folders and accounts are apart", apart),
		TEST("a folder needs its account", no_account),
		TEST("16 processes at once lose nothing", many_at_once),
		TEST_EMPTY("8 inits at once make one DEK", init_at_once),
		TEST("a process killed in between leaves whole acks", killed),
	};

	return cmocka_run_group_tests_name("store/seen", tests, NULL, NULL);
}
