/* SPDX-License-Identifier: Apache-2.0 */
/* Checks against the signed copy: does all present data still match it? */
#include "store/signed.h"

#include "base/clock.h"
#include "base/limits.h"
#include "store/chain.h"
#include "store/opening.h"
#include "store/signed_rows.h"

static int
store_signed_check_all(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e)
{
	struct signed_set now;
	struct signed_copy c;
	int r = signed_copy_load(s, s->audit_key, a, &c, e);

	if (r < 0)
		return -1;
	if (r == 0) {
		signed_edit_put(out, a, S("accounts, policy and settings"),
		    S("their signature is missing or was changed"));
		return 0;
	}
	out->ts = c.ts;
	if (signed_rows_take(s, a, &now, e) < 0)
		return -1;
	return signed_diff(s, a, &c.rows, &now, out, e);
}

int
store_signed_check(struct store *s, struct arena *a, struct store_signed *out,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	*out = (struct store_signed){ 0 };
	if (store_key_need_admin(s, e) < 0 || tx_begin_read(s, &t, e) < 0)
		return -1;
	return store_signed_check_all(s, a, out, e);
}

/* Do the indexes match the tables? */
static int
store_signed_check_file(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e)
{
	CLEANUP(check_bound_end) struct check_bound b = { 0 };
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str said;

	if (!s->driver->is_file)
		return 0;
	check_bound_begin(s, clock_mono_ms() + LIMIT_STORE_CHECK_MS, &b);
	if (stmt_prepare(s, "PRAGMA integrity_check(1)", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return check_bound_fail(&b, e);
	said = stmt_column(st, 0, a);
	if (!str_eq(said, S("ok")))
		signed_edit_put(out, a, S("the file"), said);
	return 0;
}

int
store_signed_verify(struct store *s, struct arena *a, struct store_signed *out,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	*out = (struct store_signed){ 0 };
	if (store_key_need_admin(s, e) < 0 || tx_begin_read(s, &t, e) < 0 ||
	    store_signed_check_all(s, a, out, e) < 0 ||
	    signed_schema_check(s, a, out, e) < 0)
		return -1;
	return store_signed_check_file(s, a, out, e);
}

int
store_signed_accept(struct store *s, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    signed_copy_first(s, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

bool
store_signed_taken(const struct store *s, struct store_taken *out)
{
	*out = s->took;
	return s->taken;
}
