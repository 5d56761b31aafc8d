/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of a change to 1,000 messages: written before the first command,
 * then the copies of a server without MOVE, and settled afterwards with new
 * uids; milliseconds of time that passes, best and median of 21, in a store in
 * the folder that is given.  Built and run by bench/journal.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "store/journal.h"
#include "store/store.h"

#define MANY 1000
#define TIMES 21

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int
compare(const void *x, const void *y)
{
	double p = *(const double *)x, q = *(const double *)y;

	return p < q ? -1 : p > q;
}

static void
tell(const char *what, double ms[TIMES])
{
	qsort(ms, TIMES, sizeof(*ms), compare);
	printf("%-28s %6.2f ms, median %6.2f\n", what, ms[0], ms[TIMES / 2]);
}

static void
check(int r, const struct err *e)
{
	if (r == 0)
		return;
	fprintf(stderr, "%s (%s)\n", e->say, e->detail);
	exit(1);
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct secret *key =
	    secret_new("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=", 44);
	struct secret *agent =
	    secret_new("QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI=", 44);
	struct store_keys keys = { key, agent };
	struct str path = str_fmt(a, "%s/emcli.db", argc > 1 ? argv[1] : ".");
	struct store_account acct = { .name = S("work"), .backend = S("imap") };
	struct store_journal row = { .principal = S("agent"),
		.move = true,
		.folder = S("INBOX"),
		.uidvalidity = 7,
		.target = S("Archive"),
		.n = MANY };
	double begin[TIMES], copied[TIMES], end[TIMES], digest[TIMES];
	struct store *s = NULL;
	struct err e = { 0 };
	bool created;

	check(store_init(path.p, &keys, &created, &e), &e);
	check(store_open(path.p, STORE_ADMIN, &keys, &s, &e), &e);
	check(store_account_add(s, &acct, NULL, &e), &e);
	check(store_account_get(s, a, acct.name, &acct, &e), &e);
	row.account = acct.id;
	row.v = arena_array(a, MANY, sizeof(*row.v));
	for (int t = 0; t < TIMES; t++) {
		double from = now();

		for (size_t i = 0; i < MANY; i++) {
			struct store_journal_message *v = &row.v[i];

			*v = (struct store_journal_message){
				.uid = (uint32_t)i + 1,
				.message_id = str_fmt(a,
				    "<20260408.%zu.abcdef@mail.example>", i)
			};
			store_journal_digest(v->message_id,
			    S("someone@mail.example"), 1775643072,
			    S("Minutes of the last meeting"), v->digest);
		}
		digest[t] = now() - from;
		from = now();
		check(store_journal_begin(s, &row, 0, &e), &e);
		begin[t] = now() - from;
		for (size_t i = 0; i < MANY; i++)
			row.v[i].new_uid = (uint32_t)i + 5000;
		row.target_uidvalidity = 8;
		from = now();
		check(store_journal_settle_copied(s, &row, &e), &e);
		copied[t] = now() - from;
		for (size_t i = 0; i < MANY; i++)
			row.v[i].done = true;
		from = now();
		check(store_journal_settle(s, &row, STORE_JOURNAL_DONE, &e),
		    &e);
		end[t] = now() - from;
	}
	tell("digests", digest);
	tell("written", begin);
	tell("copies, without MOVE", copied);
	tell("settled", end);
	store_close(&s);
	secret_close(&key);
	secret_close(&agent);
	arena_close(&a);
	return 0;
}
