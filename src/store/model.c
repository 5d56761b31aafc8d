/* SPDX-License-Identifier: Apache-2.0 */
/* Models as rows. */
#include "store/model.h"

#include "base/limits.h"
#include "store/internal.h"

static int
store_model_check_free(struct store *s, struct str name, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT count(*), count(CASE WHEN name = ?1 THEN 1 END) FROM "
		"model",
		&st, V(name)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	if (stmt_column_int(st, 1) > 0)
		return err_set(e, ERR_USAGE,
		    "a model with that name exists: remove it first");
	if (stmt_column_int(st, 0) >= LIMIT_MODELS)
		return err_set(e, ERR_LIMIT,
		    "there are already %d models: remove one first",
		    LIMIT_MODELS);
	return 0;
}

int
store_model_add(struct store *s, const struct store_model *m, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO model (name, url, id, key_file, ca_file)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_model_check_free(s, m->name, e) < 0 ||
	    stmt_do(s, e, sql, V(m->name), V(m->url), V(m->id),
		stmt_v_or_null(m->key_file), stmt_v_or_null(m->ca_file)) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_model_change(struct store *s, const struct store_model *m, struct err *e)
{
	static const char sql[] =
	    "UPDATE model SET url = ?2, id = ?3, key_file = ?4, ca_file = ?5"
	    " WHERE name = ?1";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(m->name), V(m->url), V(m->id),
		stmt_v_or_null(m->key_file), stmt_v_or_null(m->ca_file)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such model");
	return tx_commit(&t, e);
}

/* Runs one statement whose only parameter is the name. */
static int
store_model_run_by_name(struct store *s, const char *sql, struct str name,
    struct err *e)
{
	return stmt_do(s, e, sql, V(name));
}

int
store_model_remove(struct store *s, struct str name, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_model_run_by_name(s,
		"DELETE FROM settings WHERE key = '" STORE_MODEL_DEFAULT
		"' AND value = ?1",
		name, e) < 0 ||
	    store_model_run_by_name(s, "DELETE FROM model WHERE name = ?1",
		name, e) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such model");
	return tx_commit(&t, e);
}

int
store_model_list(struct store *s, struct arena *a, struct store_model **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 0;

	*n = 0;
	*out = arena_array(a, LIMIT_MODELS, sizeof(**out));
	if (stmt_prepare(s,
		"SELECT name, url, id, key_file, ca_file FROM model"
		" ORDER BY name",
		&st, e) < 0)
		return -1;
	while (*n < LIMIT_MODELS && (r = stmt_step(s, st, e)) == 1)
		(*out)[(*n)++] = (struct store_model){
			.name = stmt_column(st, 0, a),
			.url = stmt_column(st, 1, a),
			.id = stmt_column(st, 2, a),
			.key_file = stmt_column(st, 3, a),
			.ca_file = stmt_column(st, 4, a),
		};
	return r < 0 ? -1 : 0;
}
