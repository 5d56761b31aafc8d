/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the memory of a worker without the key. */
#include "serve_keys.h"

#include <fcntl.h>
#include <sys/random.h>

#include "store/keeping.h"
#include "store/mark.h"
#include "store/own.h"

/* A text that every label signs for agents. */
#define SIGNED "emcli agentbox 3 agent\n"

#define MASK 0x5a
#define NEEDLE 32

/* Never as it is in this process, but for a byte at a time. */
static size_t
count_in(const unsigned char *p, size_t n, const unsigned char *masked)
{
	size_t found = 0;

	for (size_t i = 0; i + NEEDLE <= n; i++) {
		size_t k = 0;

		while (k < NEEDLE && (p[i + k] ^ MASK) == masked[k])
			k++;
		found += k == NEEDLE;
	}
	return found;
}

/* How often it is in this process's memory. */
static size_t
count_all(const unsigned char *masked)
{
	static unsigned char page[1 << 20];
	FILE *maps = fopen("/proc/self/maps", "re");
	int mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	unsigned long from, to;
	size_t found = 0;
	char line[512];

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%lx-%lx r", &from, &to) != 2 ||
		    to - from > (256UL << 20))
			continue;
		while (from < to) {
			size_t n =
			    to - from < sizeof(page) ? to - from : sizeof(page);
			ssize_t r = pread(mem, page, n, (off_t)from);

			/* What this loop itself reads is not searched again. */
			if (r > 0 &&
			    !(from < (uintptr_t)page + sizeof(page) &&
				from + n > (uintptr_t)page))
				found += count_in(page, (size_t)r, masked);
			from += n;
		}
	}
	if (maps != NULL)
		(void)fclose(maps);
	path_close(&mem);
	return found;
}

/* Uses everything that needs the key; 1: the key is in this process. */
static int
worker(const char *db, bool served)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64UL << 20);
	CLEANUP(secret_close) struct secret *plain = NULL;
	CLEANUP(secret_close) struct secret *key = NULL;
	CLEANUP(store_close) struct store *s = NULL;
	unsigned char masked[2][NEEDLE];
	struct store_own own = { .n = 0 };
	struct store_keys keys = { 0 };
	struct store_keeper way;
	struct err e = { 0 };
	int fd = 3, again;
	struct str mac;

	serve_keys_remote(&fd, &way);
	if (!served)
		keys.agent = key = fx_secret(AGENT_KEY);
	if (served ? store_open_served(db, &way, &s, &e) < 0
		   : store_open(db, STORE_AGENT, &keys, &s, &e) < 0)
		return 4;
	for (int l = 1; l < STORE_LABELS; l++)
		if (l != STORE_LABEL_ISSUER && l != STORE_LABEL_NOTIFY &&
		    store_mark(s, a, (enum store_label)l, S(SIGNED), &mac, &e) <
			0)
			return 5;
	if (store_own_open(s, &keys, 1, a, &own, &e) < 0 ||
	    store_own_within(&own, S("an honest text")))
		return 6;
	again = store_own_settle(&own, &e);
	if (again != 0 ||
	    (store_account_secret(s, 1, STORE_PASSWORD, &plain, &e) == 0) ==
		served)
		return 7;
	if (read(4, masked, sizeof(masked)) != sizeof(masked))
		return 8;
	/* No worker signs what an identity provider said, or which program
	 * tells the operator. */
	if (served &&
	    (store_mark(s, a, STORE_LABEL_ISSUER, S(SIGNED), &mac, &e) == 0 ||
		store_mark(s, a, STORE_LABEL_NOTIFY, S(SIGNED), &mac, &e) == 0))
		return 9;
	again = count_all(masked[0]) > 0 || count_all(masked[1]) > 0;
	store_own_close(&own);
	return again;
}

static int
mask(struct str plain, void *ctx)
{
	unsigned char *out = ctx;

	assert_int_equal(plain.n, NEEDLE);
	for (size_t i = 0; i < NEEDLE; i++)
		out[i] = (unsigned char)plain.p[i] ^ MASK;
	return 0;
}

/* Another program, so that nothing of this one is in its memory. */
static int
run_worker(struct fx *x, int keeper, const unsigned char masked[2][NEEDLE],
    const char *how)
{
	char *const argv[] = { "worker", (char *)(uintptr_t)how, x->path,
		NULL };
	int in[2];
	pid_t pid;

	assert_int_equal(pipe(in), 0);
	assert_int_equal(write(in[1], masked, 2 * NEEDLE), 2 * NEEDLE);
	(void)close(in[1]);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* Out of the way of 3 and 4 first. */
		int k = fcntl(keeper, F_DUPFD, 10);
		int m = fcntl(in[0], F_DUPFD, 10);

		if (dup2(k, 3) < 0 || dup2(m, 4) < 0)
			_exit(9);
		(void)execv("/proc/self/exe", argv);
		_exit(9);
	}
	(void)close(in[0]);
	return ends(pid);
}

static void
a_worker_has_no_key_in_its_memory(void **state)
{
	struct fx *x = *state;
	CLEANUP(secret_close) struct secret *password = NULL;
	struct keeper k;
	unsigned char masked[2][NEEDLE];
	char text[NEEDLE];

	assert_int_equal(getrandom(text, sizeof(text), 0), sizeof(text));
	for (size_t i = 0; i < NEEDLE; i++)
		text[i] = (char)('a' + (text[i] & 15));
	password = secret_new(text, NEEDLE);
	assert_int_equal(fx_account(x, "work"), 1);
	assert_ok(x,
	    store_account_seal(x->s, 1, STORE_PASSWORD, password, &x->e));
	(void)secret_lend(x->s->dek, mask, masked[0]);
	(void)secret_lend(password, mask, masked[1]);
	k = keeper_start(x->path, x->agent);
	assert_int_equal(run_worker(x, k.fd, masked, "served"), 0);
	/* The same search finds it where it is. */
	assert_int_equal(run_worker(x, k.fd, masked, "direct"), 1);
	keeper_ends(&k);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST("a worker has no key in its memory",
		    a_worker_has_no_key_in_its_memory),
	};

	if (argc == 3 && strcmp(argv[0], "worker") == 0)
		return worker(argv[2], strcmp(argv[1], "served") == 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
