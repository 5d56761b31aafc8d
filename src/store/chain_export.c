/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, links and signatures in a form for others to verify. */
#include "store/audit.h"
#include "store/chain.h"
#include "store/internal.h"

enum {
	CELLS = 11 /* of a row */
};

/* The run of links about the exported rows. */
struct run {
	int64_t first, last;
};

static const char links_of[] =
    "SELECT min(seq), max(seq) FROM audit_link WHERE audit_id IN"
    " (SELECT id FROM audit_log WHERE (?1 IS NULL OR ts >= ?1)"
    " AND (?2 IS NULL OR ts < ?2) AND id BETWEEN ?3 AND ?4)"
    " AND seq BETWEEN ?3 AND ?4";
/*
 * Everything that is left, including links of purged rows, if no range was
 * given.
 */
static const char links_all[] =
    "SELECT min(seq), max(seq) FROM audit_link WHERE ?1 IS NULL"
    " AND ?2 IS NULL AND seq BETWEEN ?3 AND ?4";

static int
store_chain_export_find_run(struct store *s, int k,
    const struct store_export *x, struct run *out, struct err *e)
{
	bool all = x->since.n == 0 && x->before.n == 0;
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, all ? links_all : links_of, &st, e) < 0)
		return -1;
	stmt_text_or_null(st, 1, x->since);
	stmt_text_or_null(st, 2, x->before);
	stmt_int(st, 3, chain_range_least(k));
	stmt_int(st, 4, chain_range_most(k));
	if (stmt_step(s, st, e) < 0)
		return -1;
	out->first = stmt_column_int(st, 0);
	out->last = stmt_column_int(st, 1);
	/*
	 * No links, no signatures; except an empty log's own, if everything is
	 * exported.
	 */
	if (out->last == 0 && (!all || k > 0))
		out->first = 2;
	return 0;
}

static int
store_chain_export_put(struct store *s, struct stmt *st, const char *kind,
    const struct store_export *x, struct err *e)
{
	struct store_cell v[CELLS];
	int r;

	while ((r = stmt_step(s, st, e)) == 1) {
		/* A driver may know it when there is a row. */
		const int n = stmt_column_count(st);

		for (int i = 0; i < n && i < CELLS; i++) {
			enum stmt_type type = stmt_column_type(st, i);
			struct str is = stmt_column_raw(st, i);

			v[i] = (struct store_cell){
				.name = stmt_column_name(st, i),
				.number = type == STMT_INT,
				.null = type == STMT_NULL,
				.text = { is.p != NULL ? is.p : "", is.n },
			};
			if (v[i].number)
				v[i].n = stmt_column_int(st, i);
		}
		if (x->put(x->ctx, kind, v, (size_t)n, e) < 0)
			return -1;
	}
	return r;
}

static int
store_chain_export_put_rows(struct store *s, const struct store_export *x,
    struct err *e)
{
	static const char sql[] =
	    "SELECT " CHAIN_ROW " FROM audit_log WHERE (?1 IS NULL OR ts >= ?1)"
	    " AND (?2 IS NULL OR ts < ?2) ORDER BY id";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, stmt_v_or_null(x->since),
		stmt_v_or_null(x->before)) < 0)
		return -1;
	return store_chain_export_put(s, st, "row", x, e);
}

static int
store_chain_export_put_run(struct store *s, const char *sql, const char *kind,
    const struct run *run, const struct store_export *x, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(run->first), V(run->last)) < 0)
		return -1;
	return store_chain_export_put(s, st, kind, x, e);
}

int
store_chain_export(struct store *s, const struct store_export *x, struct err *e)
{
	static const char links[] = "SELECT " CHAIN_LINK " FROM audit_link"
				    " WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq";
	static const char points[] =
	    "SELECT " CHAIN_POINT " FROM audit_checkpoint"
	    " WHERE seq BETWEEN ?1 - 1 AND ?2 ORDER BY n";
	CLEANUP(tx_done) struct tx t = { 0 };
	bool there[CHAIN_RANGES] = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin_read(s, &t, e) < 0 ||
	    chain_there(s, there, e) < 0 ||
	    store_chain_export_put_rows(s, x, e) < 0)
		return -1;
	for (int k = 0; k < CHAIN_RANGES; k++) {
		struct run run;

		if (!there[k])
			continue;
		if (store_chain_export_find_run(s, k, x, &run, e) < 0 ||
		    store_chain_export_put_run(s, links, "link", &run, x, e) <
			0 ||
		    store_chain_export_put_run(s, points, "checkpoint", &run, x,
			e) < 0)
			return -1;
	}
	return 0;
}
