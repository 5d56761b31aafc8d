/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_CHAINED_H
#define TESTS_UNIT_STORE_CHAINED_H

/* Calls in several chains of the audit log, in a file, too. */
#include "fixture.h"

#include "base/clock.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/chain_anchor.h"

#define NUMBERS_SQL (fx_is_file() ? "sqlite_sequence" : "given")

static inline void
counted(struct fx *x, int k, const char *table, const char *id)
{
	if (!fx_is_file() || k == 0)
		return;
	fx_sql(x,
	    str_fmt(x->a,
		"DELETE FROM sqlite_sequence WHERE name = '%s.%d';"
		"INSERT INTO sqlite_sequence SELECT '%s.%d', max(%s) FROM %s"
		" WHERE %s / " CHAIN_RANGE_SQL " = %d;"
		"UPDATE sqlite_sequence SET seq = coalesce((SELECT max(%s)"
		" FROM %s WHERE %s < " CHAIN_RANGE_SQL
		"), 0) WHERE name = '%s'",
		table, k, table, k, id, table, id, k, id, table, id, table)
		.p);
}

/* SQLite numbers no row of such a chain: it is given its number. */
static inline int64_t
put_row(struct fx *x, int k, struct str ts)
{
	int64_t id = fx_number(x,
	    str_fmt(x->a,
		"SELECT coalesce((SELECT seq FROM %s WHERE name ="
		" 'audit_log%s'), %lld) + 1",
		NUMBERS_SQL, k > 0 ? str_fmt(x->a, ".%d", k).p : "",
		(long long)chain_range_base(k))
		.p);

	assert_ok(x,
	    stmt_do(x->s, &x->e,
		"INSERT INTO audit_log (id, ts, principal, action, result,"
		" reason, state) VALUES (?1, ?2, 'agent', 'list', 'blocked',"
		" 'interrupted', 'asked')",
		V(id), V(ts)));
	return id;
}

/* A call in that chain, which began that many days ago. */
static inline int64_t
done_ago(struct fx *x, int k, int days_ago)
{
	int64_t id;
	{
		CLEANUP(tx_done) struct tx t = { 0 };

		assert_ok(x, tx_begin(x->s, &t, &x->e));
		id = put_row(x, k,
		    clock_rfc3339(x->a, clock_now() - days_ago * 86400LL));
		assert_ok(x, chain_add(x->s, id, NULL, NULL, &x->e));
		assert_ok(x, tx_commit(&t, &x->e));
	}
	counted(x, k, "audit_log", "id");
	assert_ok(x, store_audit_judged(x->s, id, true, S(""), &x->e));
	assert_ok(x, store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e));
	counted(x, k, "audit_link", "seq");
	return id;
}

static inline int64_t
done(struct fx *x, int k)
{
	return done_ago(x, k, 0);
}

static inline struct store_chain
verified(struct fx *x)
{
	struct store_chain c;

	assert_ok(x, store_chain_verify(x->s, x->a, &c, &x->e));
	return c;
}

static inline void
signed_now(struct fx *x)
{
	struct store_chain c;

	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	if (!c.whole)
		fail_msg("row %lld: %.*s", (long long)c.broken_id,
		    STR_ARG(c.why));
}

/* Chains 0, 2 and 5, with that many calls each. */
static inline void
three(struct fx *x, int n)
{
	static const int chains[] = { 0, 2, 5 };

	for (int i = 0; i < n; i++)
		for (int c = 0; c < 3; c++)
			(void)done(x, chains[c]);
}

/* The first signature is made again with another time, with our own key. */
static inline void
first_signed(struct fx *x, int days_ago)
{
	struct chain_point p = {
		.n = 1,
		.hash = { chain_zeros, CHAIN_HEX },
		.ts =
		    clock_rfc3339(x->a, clock_now() - days_ago * 86400LL - 60),
		.days = 90,
	};
	char mac[CHAIN_HEX];

	assert_ok(x, chain_sign_mac(x->s->audit_key, &p, mac, &x->e));
	fx_sql(x,
	    str_fmt(x->a,
		"UPDATE audit_checkpoint SET ts = '%.*s', mac = '%.*s'"
		" WHERE n = 1",
		STR_ARG(p.ts), CHAIN_HEX, mac)
		.p);
}

/* With the name that the numbers have in this database. */
static inline char *
of_kind(struct fx *x, const char *text)
{
	const char *at = strstr(text, "NUMBERS");

	if (at == NULL)
		return str_c(x->a, str_of(text));
	return str_c(x->a,
	    str_fmt(x->a, "%.*s%s%s", (int)(at - text), text, NUMBERS_SQL,
		at + strlen("NUMBERS")));
}

/* As if the chain had come to its next anchor. */
static inline int64_t
anchored(struct fx *x, int k)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	assert_ok(x, tx_begin(x->s, &t, &x->e));
	assert_ok(x,
	    chain_anchor(x->s, chain_range_base(k) + CHAIN_ANCHOR, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
	return fx_number(x,
	    "SELECT coalesce(max(id), 0) FROM audit_log"
	    " WHERE action = 'audit.anchor'");
}

#endif
