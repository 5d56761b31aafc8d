/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs the chain with a key that only the operator has.  The rows since the
 * last signature are checked before signing.  All signatures are kept, because
 * they also show how far the log was at what time, and so whether rows were
 * purged too early.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/internal.h"
#include "store/seal.h"

int
chain_sign_key(const struct secret *admin, struct secret **out, struct err *e)
{
	return seal_derive(admin, S("emcli audit"), out, e);
}

int
chain_sign_mac(const struct secret *key, const struct chain_point *p,
    char hex[CHAIN_HEX], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	unsigned char raw[SEAL_HASH];
	struct buf b;

	buf_init(&b, a, 1024);
	chain_put_int(&b, p->n);
	chain_put_int(&b, p->seq);
	chain_put(&b, p->hash);
	chain_put_int(&b, p->audit_id);
	chain_put(&b, p->ts);
	chain_put_int(&b, p->days);
	chain_put_int(&b, p->taken);
	if (seal_mac(key, buf_view(&b), raw, e) < 0)
		return -1;
	str_hex_put(hex, raw, SEAL_HASH);
	return 0;
}

static int
store_chain_sign_good(const struct secret *key, const struct chain_point *p,
    bool *out, struct err *e)
{
	char hex[CHAIN_HEX];

	*out = false;
	if (p->odd)
		return 0;
	if (chain_sign_mac(key, p, hex, e) < 0)
		return -1;
	*out = seal_same(p->mac, (struct str){ hex, CHAIN_HEX });
	return 0;
}

int
chain_sign_points(struct store *s, struct arena *a, struct chain_point **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct chain_point *v = NULL, p;
	size_t have = 0;
	int r;

	if (stmt_prepare(s,
		"SELECT " CHAIN_POINT " FROM audit_checkpoint ORDER BY n", &st,
		e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		chain_point_read(st, &p);
		if (p.odd)
			p.hash = p.ts = p.mac = S("");
		p.hash = str_dup(a, p.hash);
		p.ts = str_dup(a, p.ts);
		p.mac = str_dup(a, p.mac);
		v[have++] = p;
	}
	*out = v;
	*n = have;
	return r;
}

int
chain_sign_newest(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct chain_point want;
	int r;

	if (s->older)
		return 0;
	/*
	 * All evidence of signatures can be cut off, except the one number that
	 * is signed elsewhere.
	 */
	r = signed_copy_newest(s, a, &want, e);
	if (r == 0)
		chain_check_fault(c, 0, "the number of signatures is missing");
	else if (r == 1 &&
	    (want.n != p->n || want.seq != p->seq ||
		!str_eq(want.hash, p->hash)))
		chain_check_fault(c, 0, "signatures were cut off at the end");
	return r < 0 ? -1 : 0;
}

/* The signature that is asked for, which must be valid.  1, 0, -1. */
static int
store_chain_sign_read(struct store *s, struct arena *a, struct stmt *st,
    struct chain_point *out, struct store_chain *c, struct err *e)
{
	bool fits;
	int r;

	*out = (struct chain_point){ 0 };
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	chain_point_read(st, out);
	if (store_chain_sign_good(s->audit_key, out, &fits, e) < 0)
		return -1;
	if (!fits)
		chain_check_fault(c, out->audit_id, "a signature was changed");
	out->hash = str_dup(a, out->odd ? S("") : out->hash);
	out->ts = str_dup(a, out->odd ? S("") : out->ts);
	return 1;
}

/* The newest signature, which must be valid: where to begin.  1, 0, -1. */
static int
store_chain_sign_last(struct store *s, struct arena *a, struct chain_point *out,
    struct store_chain *c, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t given;
	int r;

	if (chain_given(s, "audit_checkpoint", 0, &given, e) < 0 ||
	    stmt_prepare(s,
		"SELECT " CHAIN_POINT " FROM audit_checkpoint"
		" ORDER BY n DESC LIMIT 1",
		&st, e) < 0)
		return -1;
	r = store_chain_sign_read(s, a, st, out, c, e);
	if (r < 0)
		return -1;
	if (out->n != given || (r == 0 && !s->older))
		chain_check_fault(c, out->audit_id, "a signature is missing");
	if (chain_sign_newest(s, out, c, e) < 0)
		return -1;
	return r;
}

int
chain_sign_link(struct store *s, const struct chain_point *p,
    struct store_chain *c, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct chain_link l;
	int r;

	/* Itself, or if it was purged the oldest that is left. */
	if (stmt_ask(s, e,
		"SELECT " CHAIN_LINK " FROM audit_link WHERE seq >= ?1"
		" AND seq <= ?2 ORDER BY seq LIMIT 1",
		&st, V(p->seq),
		V(chain_range_most(chain_range_of(p->seq)))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r < 0)
		return -1;
	if (r == 1)
		chain_link_read(st, &l);
	if (r == 0 && p->seq > chain_range_base(chain_range_of(p->seq)))
		chain_check_fault(c, p->audit_id,
		    "rows or links were cut off at the end");
	else if (r == 1 && l.seq == p->seq &&
	    (l.odd || !str_eq(l.hash, p->hash)))
		chain_check_fault(c, l.audit_id,
		    "the link that was signed was changed");
	return r == 1 && l.seq == p->seq;
}

int
chain_sign_row(struct store *s, int k, int64_t id, struct store_chain *c,
    struct err *e)
{
	int64_t given;

	if (chain_given(s, "audit_log", k, &given, e) < 0)
		return -1;
	if (given < id)
		chain_check_fault(c, id,
		    "rows or links were cut off at the end");
	return 0;
}

/* Chains, and how far they are checked and signed. */
struct heads {
	bool there[CHAIN_RANGES];
	struct chain_from from[CHAIN_RANGES];
	int64_t at[CHAIN_RANGES]; /* the link that was signed; -1: none */
};

static void
heads_begin(struct heads *h)
{
	*h = (struct heads){ .there = { true } };
	for (int k = 0; k < CHAIN_RANGES; k++)
		chain_check_begin(k, &h->from[k]);
}

/* The newest signature of that chain, which must be valid.  1, 0, -1. */
static int
heads_point(struct store *s, struct arena *a, int k, struct chain_point *out,
    struct store_chain *c, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT " CHAIN_POINT " FROM audit_checkpoint"
		" WHERE seq BETWEEN ?1 AND ?2 ORDER BY n DESC LIMIT 1",
		&st, V(chain_range_least(k)), V(chain_range_most(k))) < 0)
		return -1;
	return store_chain_sign_read(s, a, st, out, c, e);
}

/* Checks what is new in a chain. */
static int
heads_look(struct store *s, int k, struct heads *h, struct arena *a,
    struct store_chain *c, struct err *e)
{
	struct chain_from *from = &h->from[k];
	struct chain_point p;
	int r = heads_point(s, a, k, &p, c, e);

	h->at[k] = r == 1 ? p.seq : -1;
	if (r == 1 && chain_sign_row(s, k, p.audit_id, c, e) < 0)
		return -1;
	if (r == 1)
		r = chain_sign_link(s, &p, c, e);
	if (r < 0)
		return -1;
	if (c->whole && r == 1 && p.seq > from->seq) {
		from->seq = p.seq;
		from->audit_id = p.audit_id;
		memcpy(from->hash, p.hash.p, CHAIN_HEX);
	}
	return c->whole ? chain_check(s, k, from, c, e) : 0;
}

/* Checks what is new since the last signatures, and moves h->from. */
static int
store_chain_sign_look(struct store *s, struct heads *h, struct chain_point *p,
    struct arena *a, struct store_chain *c, struct err *e)
{
	int64_t n;

	if (store_chain_sign_last(s, a, p, c, e) < 0 ||
	    chain_there(s, h->there, e) < 0 ||
	    chain_there_signed(s, h->there, &n, e) < 0)
		return -1;
	/* The newest of another chain may be gone. */
	if (n != p->n)
		chain_check_fault(c, 0, "a signature is missing");
	for (int k = 0; k < CHAIN_RANGES && c->whole; k++)
		if (h->there[k] && heads_look(s, k, h, a, c, e) < 0)
			return -1;
	return 0;
}

/*
 * Rows older than the chain are linked only when a store without a chain is
 * converted: afterwards a row without a link was inserted by others.
 */
static int
store_chain_sign_adopt(struct store *s, struct chain_from *from, int64_t *n,
    struct err *e)
{
	static const char sql[] =
	    "SELECT id FROM audit_log WHERE id NOT IN"
	    " (SELECT audit_id FROM audit_link) ORDER BY id";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		if (chain_add(s, stmt_column_int(st, 0), &from->seq, from->hash,
			e) < 0)
			return -1;
		(*n)++;
	}
	return r;
}

/* Signs that head of a chain. */
static int
store_chain_sign_put(struct store *s, const struct chain_from *from, int64_t n,
    int64_t taken, uint32_t days, struct str ts, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO audit_checkpoint (" CHAIN_POINT ")"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
	char mac[CHAIN_HEX];
	struct chain_point p = {
		.n = n,
		.seq = from->seq,
		.hash = { from->seq >
			    chain_range_base(chain_range_of(from->seq))
			? from->hash
			: chain_zeros,
		    CHAIN_HEX },
		.audit_id = from->audit_id,
		.ts = ts,
		.days = days,
		.taken = taken,
	};

	if (chain_sign_mac(s->audit_key, &p, mac, e) < 0)
		return -1;
	return stmt_do(s, e, sql, V(p.n), V(p.seq), V(p.hash), V(p.audit_id),
	    V(p.ts), V(p.days), V(p.taken), V((struct str){ mac, CHAIN_HEX }));
}

int
chain_sign_first(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct chain_from from = { 0 };
	uint32_t days;

	if (store_setting_days(s, &days, e) < 0)
		return -1;
	return store_chain_sign_put(s, &from, 1, 0, days,
	    clock_rfc3339(a, clock_now()), e);
}

/* The head of each chain that has something new; of the first also new days. */
static int
heads_sign(struct store *s, const struct heads *h, const struct chain_point *p,
    int64_t taken, uint32_t days, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const struct str ts = clock_rfc3339(a, clock_now());
	int64_t n = p->n;

	/* All at one time: chain_verify.c depends on it. */
	for (int k = 0; k < CHAIN_RANGES; k++) {
		const int64_t seq = h->from[k].seq;
		const bool fresh = h->at[k] < 0
		    ? k == 0 || seq > chain_range_base(k)
		    : seq != h->at[k] || (k == 0 && p->days != days);

		if (h->there[k] && fresh &&
		    store_chain_sign_put(s, &h->from[k], ++n,
			k == 0 ? taken : 0, days, ts, e) < 0)
			return -1;
	}
	return 0;
}

/* Must be called in a transaction that writes. */
static int
store_chain_sign_sign(struct store *s, struct heads *h, struct store_chain *c,
    const uint32_t *days_were, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct chain_point p;
	int64_t taken = 0;
	uint32_t days;

	if (store_setting_days(s, &days, e) < 0 ||
	    store_chain_sign_look(s, h, &p, a, c, e) < 0)
		return -1;
	if (p.n > 0 && p.days != (days_were != NULL ? *days_were : days))
		chain_check_fault(c, 0,
		    "audit_retention_days was changed without emcli");
	if (!c->whole ||
	    (p.n == 0 && s->older &&
		store_chain_sign_adopt(s, &h->from[0], &taken, e) < 0))
		return c->whole ? -1 : 0;
	return heads_sign(s, h, &p, taken, days, e);
}

int
store_chain_sign(struct store *s, struct store_chain *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct chain_point p;
	struct heads h;

	heads_begin(&h);
	*out = (struct store_chain){ .whole = true };
	if (store_key_need_admin(s, e) < 0)
		return -1;
	/* Does most of the work without a write lock. */
	{
		CLEANUP(tx_done) struct tx t = { 0 };

		if (tx_begin_read(s, &t, e) < 0 ||
		    store_chain_sign_look(s, &h, &p, a, out, e) < 0)
			return -1;
	}
	if (!out->whole)
		return 0;
	{
		CLEANUP(tx_done) struct tx t = { 0 };

		if (tx_begin(s, &t, e) < 0 ||
		    store_chain_sign_sign(s, &h, out, NULL, e) < 0 ||
		    signed_newer(s, e) < 0)
			return -1;
		return tx_commit(&t, e);
	}
}

int
chain_sign_days(struct store *s, uint32_t days_were, struct err *e)
{
	struct store_chain c = { .whole = true };
	struct heads h;

	heads_begin(&h);
	return store_chain_sign_sign(s, &h, &c, &days_were, e);
}

int
chain_sign_older(struct store *s, struct err *e)
{
	struct store_chain c = { .whole = true };
	struct heads h;

	heads_begin(&h);
	return store_chain_sign_sign(s, &h, &c, NULL, e);
}

int
chain_sign_good(struct store *s, const struct chain_point *p, bool *out,
    struct err *e)
{
	return store_chain_sign_good(s->audit_key, p, out, e);
}

int
chain_sign_anew(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e)
{
	static const char sql[] =
	    "UPDATE audit_checkpoint SET mac = ?2 WHERE n = ?1";
	CLEANUP(arena_close) struct arena *a = arena_open(256UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct chain_point *v;
	size_t n;

	if (chain_sign_points(s, a, &v, &n, e) < 0 ||
	    stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		char mac[CHAIN_HEX];
		bool fits;

		if (store_chain_sign_good(old, &v[i], &fits, e) < 0)
			return -1;
		/* A row that others inserted must not become signed by this. */
		if (!fits)
			continue;
		if (chain_sign_mac(fresh, &v[i], mac, e) < 0)
			return -1;
		stmt_int(st, 1, v[i].n);
		stmt_text(st, 2, (struct str){ mac, CHAIN_HEX });
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}
