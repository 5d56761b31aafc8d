/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chain of the audit log: how rows and links are hashed, and how a link is
 * added.  Values are concatenated with their lengths, so that no two rows have
 * the same bytes.  emcli(1) describes the format for others.
 */
#include "store/chain.h"
#include "store/internal.h"
#include "store/seal.h"

const char chain_zeros[CHAIN_HEX + 1] =
    "0000000000000000000000000000000000000000000000000000000000000000";

void
chain_put(struct buf *b, struct str s)
{
	if (s.p == NULL) {
		buf_text(b, "-,");
		return;
	}
	buf_fmt(b, "%zu:", s.n);
	buf_str(b, s);
	buf_char(b, ',');
}

void
chain_put_int(struct buf *b, int64_t n)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%lld", (long long)n);
	chain_put(b, str_of(text));
}

/* A text or null unchanged; a value of another type is odd. */
static struct str
chain_column(struct stmt *st, int i, bool may_be_null, bool *odd)
{
	enum stmt_type type = stmt_column_type(st, i);
	struct str s = stmt_column_raw(st, i);

	if (type != STMT_TEXT && (type != STMT_NULL || !may_be_null))
		*odd = true;
	if (type != STMT_NULL && s.p == NULL)
		return (struct str){ "", 0 };
	return s;
}

static int64_t
chain_number(struct stmt *st, int i, bool *odd)
{
	if (stmt_column_type(st, i) != STMT_INT)
		*odd = true;
	return stmt_column_int(st, i);
}

void
chain_row_read(struct stmt *st, struct chain_row *out)
{
	size_t bytes = 0;

	*out = (struct chain_row){ 0 };
	out->id = chain_number(st, 0, &out->odd);
	for (int i = 0; i < CHAIN_TEXTS; i++) {
		out->text[i] = chain_column(st, i + 1, true, &out->odd);
		bytes += out->text[i].n;
	}
	if (bytes > CHAIN_BYTES / 2)
		out->odd = true;
}

void
chain_link_read(struct stmt *st, struct chain_link *out)
{
	*out = (struct chain_link){ 0 };
	out->seq = chain_number(st, 0, &out->odd);
	out->audit_id = chain_number(st, 1, &out->odd);
	out->mark = chain_column(st, 2, false, &out->odd);
	out->row = chain_column(st, 3, false, &out->odd);
	out->prev = chain_column(st, 4, false, &out->odd);
	out->hash = chain_column(st, 5, false, &out->odd);
	if (out->mark.n > CHAIN_HEX || out->row.n != CHAIN_HEX ||
	    out->prev.n != CHAIN_HEX || out->hash.n != CHAIN_HEX)
		out->odd = true;
}

void
chain_point_read(struct stmt *st, struct chain_point *out)
{
	*out = (struct chain_point){ 0 };
	out->n = chain_number(st, 0, &out->odd);
	out->seq = chain_number(st, 1, &out->odd);
	out->hash = chain_column(st, 2, false, &out->odd);
	out->audit_id = chain_number(st, 3, &out->odd);
	out->ts = chain_column(st, 4, false, &out->odd);
	out->days = chain_number(st, 5, &out->odd);
	out->taken = chain_number(st, 6, &out->odd);
	out->mac = chain_column(st, 7, false, &out->odd);
	if (out->hash.n != CHAIN_HEX || out->mac.n != CHAIN_HEX ||
	    out->ts.n > CHAIN_HEX)
		out->odd = true;
}

/* Too large input gets a hash that matches nothing. */
static void
chain_finish(const struct buf *b, char hex[CHAIN_HEX])
{
	unsigned char raw[SEAL_HASH];

	seal_hash(buf_view(b), raw);
	str_hex_put(hex, raw, SEAL_HASH);
}

void
chain_row_hash(struct buf *b, const struct chain_row *r, char hex[CHAIN_HEX])
{
	buf_reset(b);
	chain_put_int(b, r->id);
	for (int i = 0; i < CHAIN_TEXTS; i++)
		chain_put(b, r->text[i]);
	chain_finish(b, hex);
}

void
chain_link_hash(struct buf *b, const struct chain_link *l, char hex[CHAIN_HEX])
{
	buf_reset(b);
	chain_put_int(b, l->seq);
	chain_put_int(b, l->audit_id);
	chain_put(b, l->mark);
	chain_put(b, l->row);
	chain_put(b, l->prev);
	chain_finish(b, hex);
}

struct str
chain_counter(const char *table, int k, char name[CHAIN_COUNTER])
{
	if (k == 0)
		return str_of(table);
	(void)snprintf(name, CHAIN_COUNTER, "%s.%d", table, k);
	return str_of(name);
}

int
chain_given(struct store *s, const char *table, int k, int64_t *out,
    struct err *e)
{
	if (s->driver->given(s, table, k, out, e) < 0)
		return -1;
	if (*out == 0)
		*out = chain_range_base(k);
	return 0;
}

int
chain_head(struct store *s, int k, int64_t *seq, char hash[CHAIN_HEX],
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct chain_link l;
	int r;

	memcpy(hash, chain_zeros, CHAIN_HEX);
	if (stmt_ask(s, e,
		"SELECT " CHAIN_LINK " FROM audit_link"
		" WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq DESC LIMIT 1",
		&st, V(chain_range_least(k)), V(chain_range_most(k))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	chain_link_read(st, &l);
	if (!l.odd)
		memcpy(hash, l.hash.p, CHAIN_HEX);
	*seq = l.seq;
	return 1;
}

/* The number that was given last, and the hash that the next link includes. */
static int
chain_newest(struct store *s, int k, int64_t *seq, char hash[CHAIN_HEX],
    struct err *e)
{
	int64_t newest;
	int r = chain_given(s, "audit_link", k, seq, e);

	if (r == 0)
		r = chain_head(s, k, &newest, hash, e);
	if (r == 1 && newest > *seq)
		*seq = newest;
	return r < 0 ? -1 : 0;
}

static int
chain_put_link(struct store *s, const struct chain_link *l, struct err *e)
{
	static const char sql[] = "INSERT INTO audit_link (" CHAIN_LINK ")"
				  " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

	return stmt_do(s, e, sql, V(l->seq), V(l->audit_id), V(l->mark),
	    V(l->row), V(l->prev), V(l->hash));
}

int
chain_add(struct store *s, int64_t audit_id, int64_t *seq, char hex[CHAIN_HEX],
    struct err *e)
{
	static const char sql[] =
	    "SELECT " CHAIN_ROW " FROM audit_log WHERE id = ?1";
	CLEANUP(arena_close) struct arena *a = arena_open(4UL * CHAIN_BYTES);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	char row[CHAIN_HEX], prev[CHAIN_HEX], hash[CHAIN_HEX];
	struct chain_link l = { .audit_id = audit_id,
		.row = { row, CHAIN_HEX },
		.prev = { prev, CHAIN_HEX } };
	const int k = chain_range_of(audit_id);
	struct chain_row r;
	struct buf b;
	int got;

	buf_init(&b, a, CHAIN_BYTES);
	if (chain_newest(s, k, &l.seq, prev, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(audit_id)) < 0)
		return -1;
	got = stmt_step(s, st, e);
	if (got <= 0)
		return got < 0 ? -1
			       : err_set(e, ERR_DB, "an audit row is missing");
	chain_row_read(st, &r);
	if (r.odd)
		return err_set(e, ERR_DB, "the audit log cannot be written");
	if (l.seq >= chain_range_most(k))
		return driver_fail(s, DRIVER_LAST, e);
	l.seq++;
	l.mark = r.text[CHAIN_STATE];
	chain_row_hash(&b, &r, row);
	chain_link_hash(&b, &l, hash);
	l.hash = (struct str){ hash, CHAIN_HEX };
	if (seq != NULL)
		*seq = l.seq;
	if (hex != NULL)
		memcpy(hex, hash, CHAIN_HEX);
	return chain_put_link(s, &l, e);
}

void
chain_check_fault(struct store_chain *out, int64_t id, const char *why)
{
	if (!out->whole &&
	    (id <= 0 || (out->broken_id > 0 && out->broken_id <= id)))
		return;
	out->whole = false;
	out->broken_id = id;
	out->why = str_of(why);
}
