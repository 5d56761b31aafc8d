/* SPDX-License-Identifier: Apache-2.0 */
/* Roles, their order, and preferred operations. */
#include "store/source.h"

#include "store/internal.h"

static int
store_source_read_ops(struct store *s, struct arena *a, struct store_source *v,
    size_t n, struct err *e)
{
	static const char sql[] =
	    "SELECT op FROM account_op WHERE account_id = ?1 ORDER BY op";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 0;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < n && r == 0; i++) {
		stmt_int(st, 1, v[i].account);
		while ((r = stmt_step(s, st, e)) == 1)
			str_push(a, &v[i].ops, stmt_column(st, 0, a));
		stmt_reset(st);
	}
	return r;
}

int
store_source_list(struct store *s, struct arena *a, struct store_source **out,
    size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT id, name, backend, role, mandatory FROM accounts"
	    " ORDER BY role = 'none', position, name";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_source *v = NULL;
	size_t count = 0;
	int r;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_grow(a, v, count * sizeof(*v),
		    (count + 1) * sizeof(*v));
		v[count].account = stmt_column_int(st, 0);
		v[count].name = stmt_column(st, 1, a);
		v[count].backend = stmt_column(st, 2, a);
		v[count].role = stmt_column(st, 3, a);
		v[count++].mandatory = stmt_column_int(st, 4) != 0;
	}
	if (r < 0 || store_source_read_ops(s, a, v, count, e) < 0)
		return -1;
	*out = v;
	*n = count;
	return 0;
}

static int
store_source_write_ops(struct store *s, const struct store_source *x,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO account_op (op, account_id) VALUES (?1, ?2)";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < x->ops.n; i++) {
		stmt_text(st, 1, x->ops.v[i]);
		stmt_int(st, 2, x->account);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

static int
store_source_write_all(struct store *s, const struct store_source *v, size_t n,
    struct err *e)
{
	/* There is at most one primary at any moment: first there is none. */
	static const char clear[] =
	    "UPDATE accounts SET role = 'none', position = 0, mandatory = 0;"
	    "DELETE FROM account_op";
	static const char sql[] =
	    "UPDATE accounts SET role = ?2, position = ?3, mandatory = ?4"
	    " WHERE id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_exec(s, clear, e) < 0 || stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (str_eq(v[i].role, S("none")))
			continue;
		stmt_int(st, 1, v[i].account);
		stmt_text(st, 2, v[i].role);
		stmt_int(st, 3, (int64_t)i + 1);
		stmt_int(st, 4, v[i].mandatory);
		if (stmt_run(s, st, e) < 0 ||
		    store_source_write_ops(s, &v[i], e) < 0)
			return -1;
	}
	return 0;
}

int
store_source_set(struct store *s, struct arena *a,
    const struct store_source_change *ch, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct store_source *v = NULL;
	size_t n = 0;

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_source_list(s, a, &v, &n, e) < 0 ||
	    ch->change(v, n, ch->ctx, e) < 0 ||
	    store_source_write_all(s, v, n, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
