/* SPDX-License-Identifier: Apache-2.0 */
/* The whole chain, from its first link to its last, and every signature. */
#include "base/clock.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/internal.h"

/* A time that is longer than any retention; 0 days keep everything. */
static int64_t
store_chain_verify_seconds(int64_t days)
{
	return days == 0 ? INT64_MAX : days * 86400;
}

static int64_t
store_chain_verify_least(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/*
 * Was there a time when rows of this age could be purged?  The retention is
 * known at every signature, and changes only there.
 */
static bool
store_chain_verify_in_time(const struct chain_point *v, size_t n, size_t at,
    int64_t now_s)
{
	int64_t since = 0, then = 0;

	(void)clock_parse(v[at].ts, &since);
	for (size_t i = at; i < n; i++) {
		int64_t keep = store_chain_verify_seconds(v[i].days);

		then = now_s;
		if (i + 1 < n) {
			(void)clock_parse(v[i + 1].ts, &then);
			keep = store_chain_verify_least(keep,
			    store_chain_verify_seconds(v[i + 1].days));
		}
		if (keep < then - since)
			return true;
	}
	return false;
}

/*
 * The newest signature before which none of the rows up to `gone` was asked in
 * that chain, or n; and the chain's newest row that had been signed then.  A
 * chain that a signature's commands did not sign had nothing new.
 */
static size_t
store_chain_verify_before(int k, const struct chain_point *v, size_t n,
    int64_t gone, int64_t *signed_id)
{
	int64_t id = chain_range_base(k);
	size_t at = n, next = 0;

	*signed_id = id;
	for (size_t i = 0; i < n; i++) {
		/* The first is made with the log, and signs nothing. */
		const bool other = i > 0 && chain_range_of(v[i].seq) != k;

		/* One command signs all chains at one time. */
		for (; next < n &&
		     (next <= i || (other && str_eq(v[next].ts, v[i].ts)));
		     next++)
			if (chain_range_of(v[next].seq) == k &&
			    v[next].audit_id > id)
				id = v[next].audit_id;
		if (id >= gone)
			break;
		at = i;
		*signed_id = id;
	}
	return at;
}

/*
 * The newest row that is gone, or none.  What counts the rows is not signed;
 * but a row has three links at the most, and those before the first that is
 * left were of rows that are gone.
 */
static int
store_chain_verify_gone(struct store *s, int k, const struct chain_from *is,
    int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	const int64_t base = chain_range_base(k);
	int64_t least;
	int r;

	*out = is->oldest - 1;
	if (is->oldest == 0 && chain_given(s, "audit_log", k, out, e) < 0)
		return -1;
	if (stmt_ask(s, e,
		"SELECT min(seq) FROM audit_link WHERE seq BETWEEN ?1 AND ?2",
		&st, V(chain_range_least(k)), V(chain_range_most(k))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0 || stmt_column_is_null(st, 0))
		return r < 0 ? -1 : 0;
	least = base + (stmt_column_int(st, 0) - 1 - base) / 3;
	*out = least > *out ? least : *out;
	return 0;
}

/* Missing rows of a chain must have been old enough to purge. */
static int
store_chain_verify_check_purge(struct store *s, int k,
    const struct chain_from *is, const struct chain_point *v, size_t n,
    struct store_chain *out, struct err *e)
{
	int64_t gone, signed_id;
	size_t at;

	if (store_chain_verify_gone(s, k, is, &gone, e) < 0)
		return -1;
	at = store_chain_verify_before(k, v, n, gone, &signed_id);
	if (gone > chain_range_base(k) && at < n &&
	    !store_chain_verify_in_time(v, n, at, clock_now()))
		chain_check_fault(out, signed_id + 1,
		    "rows were purged before their time");
	return 0;
}

static int
store_chain_verify_check_points(struct store *s, const struct chain_point *v,
    size_t n, struct store_chain *out, struct err *e)
{
	int64_t last[CHAIN_RANGES] = { 0 };
	int64_t given;
	uint32_t days;

	if (chain_given(s, "audit_checkpoint", 0, &given, e) < 0 ||
	    store_setting_days(s, &days, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int64_t *before = &last[chain_range_of(v[i].seq)];
		bool fits;

		if (chain_sign_good(s, &v[i], &fits, e) < 0)
			return -1;
		if (!fits)
			chain_check_fault(out, v[i].audit_id,
			    "a signature was changed");
		else if (v[i].n != (int64_t)i + 1 || v[i].seq < *before)
			chain_check_fault(out, v[i].audit_id,
			    "a signature is missing");
		else if (chain_sign_link(s, &v[i], out, e) < 0)
			return -1;
		*before = v[i].seq;
	}
	if (chain_sign_newest(s, n > 0 ? &v[n - 1] : &(struct chain_point){ 0 },
		out, e) < 0)
		return -1;
	if (given != (int64_t)n || (n == 0 && !s->older))
		chain_check_fault(out, n > 0 ? v[n - 1].audit_id : 0,
		    "a signature is missing");
	if (n > 0 && v[n - 1].days != days)
		chain_check_fault(out, 0,
		    "audit_retention_days was changed without emcli");
	return 0;
}

/* The newest row of a chain that is signed, or what is before the first. */
static int64_t
store_chain_verify_signed(int k, const struct chain_point *v, size_t n)
{
	int64_t id = chain_range_base(k);

	for (size_t i = 0; i < n; i++)
		if (chain_range_of(v[i].seq) == k &&
		    (v[i].audit_id > id || k == 0))
			id = v[i].audit_id;
	return id;
}

/* Rows of a chain after that one. */
static int
store_chain_verify_count_unsigned(struct store *s, int k, int64_t after,
    int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT count(*) FROM audit_log WHERE id > ?1 AND id <= ?2",
		&st, V(after), V(chain_range_most(k))) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	*out += stmt_column_int(st, 0);
	return 0;
}

/* Chains of which only signatures are left are looked for, too. */
static int
store_chain_verify_chains(struct store *s, const struct chain_point *v,
    size_t n, struct store_chain *out, struct err *e)
{
	bool there[CHAIN_RANGES] = { 0 };

	if (chain_there(s, there, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		there[chain_range_of(v[i].seq)] = true;
	for (int k = 0; k < CHAIN_RANGES; k++) {
		const int64_t id = store_chain_verify_signed(k, v, n);
		struct chain_from from;

		if (!there[k])
			continue;
		chain_check_begin(k, &from);
		if (chain_check(s, k, &from, out, e) < 0 ||
		    chain_sign_row(s, k, id, out, e) < 0 ||
		    store_chain_verify_check_purge(s, k, &from, v, n, out, e) <
			0 ||
		    store_chain_verify_count_unsigned(s, k, id,
			&out->unsigned_n, e) < 0)
			return -1;
	}
	return 0;
}

int
store_chain_verify(struct store *s, struct arena *a, struct store_chain *out,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct chain_point *v = NULL;
	size_t n = 0;

	*out = (struct store_chain){ .whole = true };
	if (store_key_need_admin(s, e) < 0 || tx_begin_read(s, &t, e) < 0 ||
	    chain_sign_points(s, a, &v, &n, e) < 0 ||
	    store_chain_verify_chains(s, v, n, out, e) < 0 ||
	    store_chain_verify_check_points(s, v, n, out, e) < 0)
		return -1;
	out->signatures = (int64_t)n;
	if (n > 0)
		out->signed_ts = v[n - 1].ts;
	return 0;
}
