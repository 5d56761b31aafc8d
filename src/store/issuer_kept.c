/* SPDX-License-Identifier: Apache-2.0 */
/* What the identity provider said last, with a mark: whoever can only write the
 * file cannot put keys of his own there. */
#include "store/internal.h"
#include "store/issuer.h"
#include "store/mark.h"

static int
store_issuer_kept_mark(struct store *s, struct arena *a,
    const struct store_issuer_kept *x, struct str *mark, struct err *e)
{
	return store_mark(s, a, STORE_LABEL_ISSUER,
	    str_fmt(a, "%lld %lld %.*s\n%.*s", (long long)x->got_ms,
		(long long)x->tried_ms, STR_ARG(x->of), STR_ARG(x->says)),
	    mark, e);
}

int
store_issuer_kept_get(struct store *s, struct arena *a,
    struct store_issuer_kept *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str mark;
	int r;

	*out = (struct store_issuer_kept){ 0 };
	if (stmt_prepare(s,
		"SELECT issuer, says, got_ms, tried_ms, mark FROM issuer_kept",
		&st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	*out = (struct store_issuer_kept){
		.of = stmt_column(st, 0, a),
		.says = stmt_column(st, 1, a),
		.got_ms = stmt_column_int(st, 2),
		.tried_ms = stmt_column_int(st, 3),
	};
	if (store_issuer_kept_mark(s, a, out, &mark, e) < 0)
		return -1;
	if (str_eq(mark, stmt_column(st, 4, a)))
		return 1;
	*out = (struct store_issuer_kept){ 0 };
	return 0;
}

int
store_issuer_kept_put(struct store *s, const struct store_issuer_kept *x,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str mark;

	if (store_issuer_kept_mark(s, a, x, &mark, e) < 0)
		return -1;
	return stmt_do(s, e,
	    "INSERT INTO issuer_kept"
	    " (id, issuer, says, got_ms, tried_ms, mark)"
	    " VALUES (1, ?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE"
	    " SET issuer = excluded.issuer, says = excluded.says,"
	    " got_ms = excluded.got_ms, tried_ms = excluded.tried_ms,"
	    " mark = excluded.mark",
	    V(x->of), V(x->says), V(x->got_ms), V(x->tried_ms), V(mark));
}
