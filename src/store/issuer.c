/* SPDX-License-Identifier: Apache-2.0 */
/* The identity provider as a row, and its client's secret, sealed in it. */
#include "store/issuer.h"

#include "store/issuer_row.h"
#include "store/keeping.h"
#include "store/slot.h"

/*
 * It opens only in the row that it was sealed for: whoever can write the file
 * cannot have it sent to an issuer of his own, or to one that another authority
 * vouches for.
 */
static struct str
store_issuer_where(struct arena *a, const struct store_issuer *x)
{
	return str_fmt(a, "issuer/enc_client_secret/%.*s\n%.*s\n%.*s",
	    STR_ARG(x->issuer), STR_ARG(x->client), STR_ARG(x->ca_file));
}

static int
store_issuer_put_secret(struct store *s, const struct store_issuer *x,
    const struct secret *secret, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str bytes;

	if (secret == NULL)
		return 0;
	if (store_key_current(s, e) < 0 ||
	    keeper_seal(s, store_issuer_where(a, x), secret, a, &bytes, e) < 0)
		return -1;
	return stmt_do(s, e, "UPDATE issuer SET enc_client_secret = ?1",
	    stmt_v_blob(bytes));
}

int
store_issuer_set(struct store *s, const struct store_issuer *x,
    const struct secret *secret, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO issuer (id, issuer, resource, audience, scope,"
	    " any_type, ca_file, client_id) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6,"
	    " ?7)";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_exec(s, "DELETE FROM issuer; DELETE FROM issuer_kept", e) <
		0 ||
	    stmt_do(s, e, sql, V(x->issuer), V(x->resource),
		stmt_v_or_null(x->audience), stmt_v_or_null(x->scope),
		V((int64_t)x->any_type), stmt_v_or_null(x->ca_file),
		stmt_v_or_null(x->client)) < 0 ||
	    store_issuer_put_secret(s, x, secret, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_issuer_remove(struct store *s, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_exec(s, "DELETE FROM issuer_kept; DELETE FROM issuer", e) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "no issuer is set");
	return tx_commit(&t, e);
}

int
store_issuer_get(struct store *s, struct arena *a, struct store_issuer *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_prepare(s,
		"SELECT issuer, resource, audience, scope, any_type, ca_file,"
		" client_id, enc_client_secret IS NOT NULL FROM issuer",
		&st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		*out = (struct store_issuer){
			.issuer = stmt_column(st, 0, a),
			.resource = stmt_column(st, 1, a),
			.audience = stmt_column(st, 2, a),
			.scope = stmt_column(st, 3, a),
			.any_type = stmt_column_int(st, 4) != 0,
			.ca_file = stmt_column(st, 5, a),
			.client = stmt_column(st, 6, a),
			.has_secret = stmt_column_int(st, 7) != 0,
		};
	return r;
}

/* 1 with the sealed bytes, and what they are bound to; 0, -1. */
static int
store_issuer_sealed(struct store *s, struct arena *a, struct str *where,
    struct str *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_issuer x = { 0 };
	int r = store_issuer_get(s, a, &x, e);

	if (r <= 0)
		return r;
	*where = store_issuer_where(a, &x);
	if (stmt_prepare(s,
		"SELECT enc_client_secret FROM issuer"
		" WHERE enc_client_secret IS NOT NULL",
		&st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		*out = stmt_column(st, 0, a);
	return r;
}

int
store_issuer_secret(struct store *s, struct secret **out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str bytes = { 0 }, where;
	int r = store_issuer_sealed(s, a, &where, &bytes, e);

	if (r == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the issuer's client has no secret");
	if (r < 0)
		return -1;
	if (keeper_unseal(s, where, bytes, out, e) == 0)
		return 0;
	if (s->role == STORE_SERVED || store_key_current(s, e) < 0)
		return -1;
	return err_set(e, ERR_CONFIG,
	    "the issuer's client secret cannot be unsealed: emcli issuer set "
	    "again");
}

int
issuer_row_reseal(struct store *s, const struct secret *old,
    const struct secret *fresh, size_t *n, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(secret_close) struct secret *plain = NULL;
	struct str bytes = { 0 }, where;
	int r = store_issuer_sealed(s, a, &where, &bytes, e);

	if (r <= 0)
		return r;
	if (seal_open(old, where, bytes, &plain, e) < 0)
		return err_set(e, ERR_CONFIG,
		    "the issuer's client secret cannot be unsealed: nothing "
		    "was changed");
	if (seal_make(fresh, where, plain, a, &bytes, e) < 0)
		return -1;
	(*n)++;
	return stmt_do(s, e, "UPDATE issuer SET enc_client_secret = ?1",
	    stmt_v_blob(bytes));
}
