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

/* Missing rows must have been old enough to purge. */
static int
store_chain_verify_check_purge(struct store *s, const struct chain_point *v,
    size_t n, struct store_chain *out, struct err *e)
{
	int64_t gone = out->first - 1;
	size_t at = n;

	if (out->last == 0 && chain_given(s, "audit_log", &gone, e) < 0)
		return -1;
	/* The newest of them was asked after this signature. */
	for (size_t i = 0; i < n && v[i].audit_id < gone; i++)
		at = i;
	if (gone > 0 && at < n &&
	    !store_chain_verify_in_time(v, n, at, clock_now()))
		chain_check_fault(out, v[at].audit_id + 1,
		    "rows were purged before their time");
	return 0;
}

static int
store_chain_verify_check_points(struct store *s, const struct chain_point *v,
    size_t n, struct store_chain *out, struct err *e)
{
	int64_t given;
	uint32_t days;

	if (chain_given(s, "audit_checkpoint", &given, e) < 0 ||
	    store_setting_days(s, &days, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		bool fits;

		if (chain_sign_good(s, &v[i], &fits, e) < 0)
			return -1;
		if (!fits)
			chain_check_fault(out, v[i].audit_id,
			    "a signature was changed");
		else if (v[i].n != (int64_t)i + 1 ||
		    (i > 0 && v[i].seq < v[i - 1].seq))
			chain_check_fault(out, v[i].audit_id,
			    "a signature is missing");
		else if (chain_sign_link(s, &v[i], out, e) < 0)
			return -1;
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

static int
store_chain_verify_count_unsigned(struct store *s, int64_t after, int64_t *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, "SELECT count(*) FROM audit_log WHERE id > ?1", &st,
		V(after)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_int(st, 0);
	return 0;
}

int
store_chain_verify(struct store *s, struct arena *a, struct store_chain *out,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct chain_from from = { 0 };
	struct chain_point *v = NULL;
	size_t n = 0;

	*out = (struct store_chain){ .whole = true };
	if (store_key_need_admin(s, e) < 0 || tx_begin_read(s, &t, e) < 0 ||
	    chain_check(s, &from, out, e) < 0 ||
	    chain_sign_points(s, a, &v, &n, e) < 0 ||
	    store_chain_verify_check_points(s, v, n, out, e) < 0 ||
	    store_chain_verify_check_purge(s, v, n, out, e) < 0 ||
	    store_chain_verify_count_unsigned(s, n > 0 ? v[n - 1].audit_id : 0,
		&out->unsigned_n, e) < 0)
		return -1;
	out->signatures = (int64_t)n;
	if (n > 0)
		out->signed_ts = v[n - 1].ts;
	return 0;
}
