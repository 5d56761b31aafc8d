/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anchors: rows in a chain of the audit log that name the newest link of each
 * other chain.  A chain that is taken away with all that counts it is missed by
 * the others.  Where there is one chain, there are none.
 */
#include "store/chain_anchor.h"

#include "store/audit_row.h"
#include "store/chain.h"
#include "store/chain_range.h"

enum {
	TARGET_MOST = CHAIN_RANGES * (CHAIN_HEX + 24)
};

/* No agent has that name, and no command that action. */
#define PRINCIPAL S("operator")
#define ACTION S("audit.anchor")

/* The chain's newest link, if it has one. */
static int
anchor_put_head(struct store *s, int k, struct buf *b, struct err *e)
{
	char hash[CHAIN_HEX];
	int64_t seq;
	int r = chain_head(s, k, &seq, hash, e);

	if (r == 1)
		buf_fmt(b, "%s%lld %.*s", b->n > 0 ? ", " : "", (long long)seq,
		    CHAIN_HEX, hash);
	return r < 0 ? -1 : 0;
}

int
chain_anchor(struct store *s, int64_t seq, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	int k = chain_range_of(seq);
	struct store_audit row = { .principal = PRINCIPAL, .action = ACTION };
	struct buf b;

	if (seq % CHAIN_ANCHOR != 0)
		return 0;
	a = arena_open(64 << 10);
	buf_init(&b, a, TARGET_MOST);
	for (int i = 0; i < CHAIN_RANGES; i++)
		if (i != k && anchor_put_head(s, i, &b, e) < 0)
			return -1;
	if (b.n == 0)
		return 0;
	row.target = buf_view(&b);
	if (s->driver->chain(s, k, &k, e) < 0)
		return -1;
	return audit_row_put_done(s, &row, e);
}

/* -- and whether they fit ------------------------------------------------- */

bool
chain_anchor_is(const struct chain_row *r)
{
	return str_eq(r->text[CHAIN_PRINCIPAL], PRINCIPAL) &&
	    str_eq(r->text[CHAIN_ACTION], ACTION);
}

/* Is there a link of its chain that is older? */
static int
anchor_has_older(struct store *s, int64_t seq, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT 1 FROM audit_link WHERE seq >= ?1 AND seq < ?2 LIMIT 1",
		&st, V(chain_range_least(chain_range_of(seq))), V(seq)) < 0)
		return -1;
	return stmt_step(s, st, e);
}

/* 1: it is there, 0: it was purged, so what is left is younger; -1. */
static int
anchor_find(struct store *s, struct stmt *st, int64_t seq,
    struct chain_link *out, bool *missing, struct err *e)
{
	int r = stmt_step(s, st, e);

	*missing = r == 0;
	if (r <= 0)
		return r;
	chain_link_read(st, out);
	if (out->seq == seq)
		return 1;
	r = anchor_has_older(s, seq, e);
	*missing = r == 1;
	return r < 0 ? -1 : 0;
}

static int
anchor_compare(struct store *s, int64_t seq, struct str hash, int64_t id,
    struct store_chain *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct chain_link l;
	bool missing;
	int r;

	if (stmt_ask(s, e,
		"SELECT " CHAIN_LINK " FROM audit_link"
		" WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq LIMIT 1",
		&st, V(seq), V(chain_range_most(chain_range_of(seq)))) < 0)
		return -1;
	r = anchor_find(s, st, seq, &l, &missing, e);
	if (r < 0)
		return -1;
	if (missing)
		chain_check_fault(out, id,
		    "a link of another chain that the row names is missing");
	else if (r == 1 && (l.odd || !str_eq(l.hash, hash)))
		chain_check_fault(out, id,
		    "a link of another chain that the row names was changed");
	return 0;
}

/*
 * One entry.  Of each other chain there is one at the most, in their order:
 * whoever writes more would have others wait for the check.
 */
static bool
anchor_read(struct str part, int own, int *last, int64_t *seq, struct str *hash)
{
	struct str number;
	uint64_t n;
	int k;

	(void)str_cut(str_trim(part), ' ', &number, hash);
	if (hash->n != CHAIN_HEX || !str_to_u64(number, INT64_MAX, &n))
		return false;
	*seq = (int64_t)n;
	k = chain_range_of(*seq);
	if (k == own || k <= *last || *seq <= chain_range_base(k))
		return false;
	*last = k;
	return true;
}

int
chain_anchor_check(struct store *s, const struct chain_row *r,
    struct store_chain *out, struct err *e)
{
	struct str rest = r->text[CHAIN_TARGET], part, hash;
	const int own = chain_range_of(r->id);
	int64_t seq;
	int last = -1;

	while (rest.n > 0) {
		(void)str_cut(rest, ',', &part, &rest);
		if (!anchor_read(part, own, &last, &seq, &hash)) {
			chain_check_fault(out, r->id,
			    "the row or one of its links was changed");
			return 0;
		}
		if (anchor_compare(s, seq, hash, r->id, out, e) < 0)
			return -1;
	}
	return 0;
}
