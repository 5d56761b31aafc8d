/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signed copy of the operator's rows.  It is renewed at the end of
 * transactions (tx.c), so that no command can forget it, and within them, so
 * that a killed process leaves both or neither.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "store/chain.h"
#include "store/seal.h"
#include "store/signed_rows.h"

static int
signed_copy_mac(const struct secret *key, struct str ts, struct str body,
    char hex[CHAIN_HEX], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	unsigned char raw[SEAL_HASH];
	struct buf b;

	buf_init(&b, a, body.n + 1024);
	/* A prefix that no signature of the audit log has. */
	chain_put(&b, S("emcli signed rows"));
	chain_put(&b, ts);
	chain_put(&b, body);
	if (seal_mac(key, buf_view(&b), raw, e) < 0)
		return -1;
	str_hex_put(hex, raw, SEAL_HASH);
	return 0;
}

int
signed_copy_load(struct store *s, const struct secret *key, struct arena *a,
    struct signed_copy *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	char hex[CHAIN_HEX];
	struct str mac;
	int r;

	*out = (struct signed_copy){ 0 };
	if (stmt_prepare(s, "SELECT ts, body, mac FROM signed WHERE id = 1",
		&st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	if (stmt_column_raw(st, 1).n > SIGNED_BYTES)
		return 0;
	out->ts = stmt_column(st, 0, a);
	out->body = stmt_column(st, 1, a);
	mac = stmt_column(st, 2, a);
	if (out->ts.n > CHAIN_HEX)
		return 0;
	if (signed_copy_mac(key, out->ts, out->body, hex, e) < 0)
		return -1;
	return seal_same(mac, (struct str){ hex, CHAIN_HEX }) &&
	    signed_rows_read(out->body, a, &out->rows);
}

static int
signed_copy_write(struct store *s, const struct secret *key, struct str ts,
    struct str body, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO signed (id, ts, body, mac) VALUES (1, ?1, ?2, ?3)"
	    " ON CONFLICT (id) DO UPDATE SET ts = excluded.ts,"
	    " body = excluded.body, mac = excluded.mac";
	char hex[CHAIN_HEX];

	if (signed_copy_mac(key, ts, body, hex, e) < 0)
		return -1;
	return stmt_do(s, e, sql, V(ts), stmt_v_blob(body),
	    V((struct str){ hex, CHAIN_HEX }));
}

int
signed_copy_put(struct store *s, struct arena *a, const struct signed_set *rows,
    struct err *e)
{
	struct str body = signed_rows_text(rows, a);

	if (body.n >= SIGNED_BYTES - CHAIN_BYTES)
		return err_set(e, ERR_LIMIT,
		    "the whitelists are too long: more than 64 MB");
	return signed_copy_write(s, s->audit_key, clock_rfc3339(a, clock_now()),
	    body, e);
}

int
signed_copy_first(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct signed_set now;

	if (signed_rows_take(s, a, &now, e) < 0)
		return -1;
	return signed_copy_put(s, a, &now, e);
}

int
signed_copy_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct signed_copy c;
	int r = s->older ? 0 : signed_copy_load(s, old, a, &c, e);

	/* A copy that others wrote must not become signed by this. */
	return r == 1 ? signed_copy_write(s, fresh, c.ts, c.body, e) : r;
}

static int64_t
signed_copy_number_of(const struct signed_row *row, struct str name)
{
	struct str v;
	uint64_t n = 0;

	if (signed_rows_cell(row->cells, name, &v))
		(void)str_to_u64(str_from(v, v.n > 0), INT64_MAX, &n);
	return (int64_t)n;
}

int
signed_copy_newest(struct store *s, struct arena *a, struct chain_point *out,
    struct err *e)
{
	struct signed_copy c;
	int r = signed_copy_load(s, s->audit_key, a, &c, e);

	*out = (struct chain_point){ 0 };
	for (size_t i = 0; r == 1 && i < c.rows.n; i++) {
		const struct signed_row *row = &c.rows.v[i];
		struct str hash = { 0 };

		if (!str_eq(row->tab, S("audit_checkpoint")))
			continue;
		(void)signed_rows_cell(row->cells, S("hash"), &hash);
		out->n = signed_copy_number_of(row, S("n"));
		out->seq = signed_copy_number_of(row, S("seq"));
		out->hash = str_from(hash, hash.n > 0);
	}
	return r;
}

int
signed_copy_begin(struct store *s, struct err *e)
{
	struct arena *a;

	if (s->role != STORE_ADMIN || s->audit_key == NULL || s->older)
		return 0;
	a = arena_open(LIMIT_ARENA);
	s->before_in = a;
	s->before = arena_new(a, struct signed_set);
	return signed_rows_take(s, a, s->before, e);
}

int
signed_copy_renew(struct store *s, struct err *e)
{
	struct arena *a = s->before_in;
	struct signed_set after, merged;
	struct signed_copy c;
	int r;

	if (s->before == NULL)
		return 0;
	if (signed_rows_take(s, a, &after, e) < 0)
		return -1;
	if (signed_rows_same(s->before, &after))
		return 0;
	/* A copy that is not valid stays a fault until it is accepted. */
	r = signed_copy_load(s, s->audit_key, a, &c, e);
	if (r <= 0)
		return r;
	signed_merge(a, &c.rows, s->before, &after, &merged);
	return signed_copy_put(s, a, &merged, e);
}

void
signed_copy_drop(struct store *s)
{
	s->before = NULL;
	arena_close(&s->before_in);
}

void
signed_copy_touched(const struct store *s, const char *table)
{
	if (s->before == NULL && !s->older && signed_rows_cover(table))
		err_bug("store: %s was changed outside a transaction", table);
}
