/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that rows and links are consistent.  Every row is compared with its
 * newest link, and with what it must have been when it was asked, so that an
 * open row cannot be changed and then closed; every link with the one before.
 * Finding damage is this function's result, not its failure.
 */
#include "store/audit.h"
#include "store/chain.h"
#include "store/chain_anchor.h"
#include "store/internal.h"

struct check {
	struct store *s;
	struct store_chain *out;
	int k;               /* the chain, */
	int64_t least, most; /* and what may be found in its range */
	struct buf *b;       /* scratch space for hashing */
	int64_t oldest;      /* row; INT64_MAX: none */
	int64_t newest;      /* row; 0: none */
	/* Links of rows older than the chain are between these two. */
	int64_t taken_after, taken_last;
	int64_t waiting; /* rows below this may have no link yet */
};

/* A number from the first row, or `none`. */
static int
chain_check_first(const struct check *c, struct stmt *st, int64_t none,
    int64_t *out, struct err *e)
{
	int r = stmt_step(c->s, st, e);

	*out = r == 1 && !stmt_column_is_null(st, 0) ? stmt_column_int(st, 0)
						     : none;
	return r < 0 ? -1 : 0;
}

/* By SQL without parameters. */
static int
chain_check_one(const struct check *c, const char *sql, int64_t none,
    int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	return stmt_prepare(c->s, sql, &st, e) < 0
	    ? -1
	    : chain_check_first(c, st, none, out, e);
}

/* By SQL whose parameters are the chain's range. */
static int
chain_check_of(const struct check *c, const char *sql, int64_t none,
    int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	return stmt_ask(c->s, e, sql, &st, V(c->least), V(c->most)) < 0
	    ? -1
	    : chain_check_first(c, st, none, out, e);
}

static int
chain_check_survey(struct check *c, struct err *e)
{
	int64_t points;

	if (chain_check_of(c,
		"SELECT min(id) FROM audit_log WHERE id BETWEEN ?1 AND ?2",
		INT64_MAX, &c->oldest, e) < 0 ||
	    chain_check_of(c,
		"SELECT max(id) FROM audit_log WHERE id BETWEEN ?1 AND ?2", 0,
		&c->newest, e) < 0 ||
	    chain_check_one(c,
		"SELECT seq FROM audit_checkpoint ORDER BY n LIMIT 1", 0,
		&c->taken_last, e) < 0 ||
	    chain_check_one(c,
		"SELECT seq - taken FROM audit_checkpoint ORDER BY n LIMIT 1",
		0, &c->taken_after, e) < 0 ||
	    chain_given(c->s, "audit_checkpoint", 0, &points, e) < 0)
		return -1;
	/* Until something is signed, rows older than the chain are accepted. */
	if (points > 0 || !c->s->older || c->k > 0)
		return 0;
	return chain_check_one(c,
	    "SELECT audit_id FROM audit_link ORDER BY seq LIMIT 1", INT64_MAX,
	    &c->waiting, e);
}

static int
chain_check_rank(struct str mark)
{
	static const struct str marks[] = { SI("asked"), SI("judged"),
		SI("done") };

	for (int i = 0; i < 3; i++)
		if (str_eq(mark, marks[i]))
			return i + 1;
	return 0;
}

static bool
chain_check_hashes_to(const struct check *c, const struct chain_row *r,
    struct str hex)
{
	char is[CHAIN_HEX];

	chain_row_hash(c->b, r, is);
	return str_eq(hex, (struct str){ is, CHAIN_HEX });
}

/* Did it have this hash when it was asked, and when it was judged allowed? */
static bool
chain_check_was(const struct check *c, const struct chain_row *r,
    const struct chain_link *l)
{
	struct chain_row before = *r;

	before.text[CHAIN_OUTCOME] = (struct str){ 0 };
	before.text[CHAIN_DETAIL] = (struct str){ 0 };
	before.text[CHAIN_STATE] = l->mark;
	if (chain_check_rank(l->mark) == 1) {
		before.text[CHAIN_RESULT] = S("blocked");
		before.text[CHAIN_REASON] = S("interrupted");
		if (chain_check_hashes_to(c, &before, l->row))
			return true;
		/* The judgement may find an account, but never changes it. */
		before.text[CHAIN_ACCOUNT] = (struct str){ 0 };
		return chain_check_hashes_to(c, &before, l->row);
	}
	/*
	 * A row that was allowed and ended blocked got its reason at the end.
	 */
	if (chain_check_rank(l->mark) == 2 &&
	    str_eq(r->text[CHAIN_RESULT], S("allowed"))) {
		before.text[CHAIN_REASON] = (struct str){ 0 };
		return chain_check_hashes_to(c, &before, l->row);
	}
	return true;
}

/* A row's links. */
struct marks {
	int n, first, last;
	bool judged, good;
	char row[CHAIN_HEX];
};

static int
chain_check_read_marks(const struct check *c, struct stmt *links,
    const struct chain_row *row, struct marks *m, struct err *e)
{
	struct chain_link l;
	int r;

	*m = (struct marks){ .good = true };
	stmt_int(links, 1, row->id);
	while ((r = stmt_step(c->s, links, e)) == 1) {
		bool taken;
		int mark;

		chain_link_read(links, &l);
		taken = l.seq > c->taken_after && l.seq <= c->taken_last;
		mark = chain_check_rank(l.mark);
		if (l.odd || mark <= m->last || !chain_check_was(c, row, &l)) {
			m->good = false;
			break;
		}
		if (m->n++ == 0)
			m->first = taken ? 1 : mark;
		m->judged = m->judged || mark == 2 || taken;
		m->last = mark;
		memcpy(m->row, l.row.p, CHAIN_HEX);
	}
	stmt_reset(links);
	return r < 0 ? -1 : 0;
}

static int
check_row(const struct check *c, struct stmt *links,
    const struct chain_row *row, struct err *e)
{
	struct marks m;

	c->out->rows++;
	if (row->odd) {
		chain_check_fault(c->out, row->id, "the row was changed");
		return 0;
	}
	if (chain_check_read_marks(c, links, row, &m, e) < 0)
		return -1;
	if (m.n == 0 && m.good && row->id < c->waiting)
		return 0;
	if (m.n == 0 && m.good)
		chain_check_fault(c->out, row->id,
		    "the row was inserted without a link");
	else if (!m.good || m.first != 1 ||
	    m.last != chain_check_rank(row->text[CHAIN_STATE]) ||
	    (!m.judged && !str_eq(row->text[CHAIN_RESULT], S("blocked"))) ||
	    !chain_check_hashes_to(c, row, (struct str){ m.row, CHAIN_HEX }))
		chain_check_fault(c->out, row->id,
		    "the row or one of its links was changed");
	else if (chain_anchor_is(row))
		return chain_anchor_check(c->s, row, c->out, e);
	return 0;
}

static int
check_rows(const struct check *c, const struct chain_from *from, struct err *e)
{
	static const char rows[] =
	    "SELECT " CHAIN_ROW " FROM audit_log WHERE (id > ?1 AND id <= ?3)"
	    " OR id IN (SELECT audit_id FROM audit_link WHERE seq > ?2"
	    " AND seq <= ?3) ORDER BY id";
	static const char all[] =
	    "SELECT " CHAIN_ROW " FROM audit_log WHERE id BETWEEN ?1 AND ?2"
	    " ORDER BY id";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(stmt_done) struct stmt *links = NULL;
	bool some = from->seq > chain_range_base(c->k);
	struct chain_row row;
	int r;

	if (stmt_prepare(c->s, some ? rows : all, &st, e) < 0 ||
	    stmt_prepare(c->s,
		"SELECT " CHAIN_LINK " FROM audit_link WHERE audit_id = ?1"
		" ORDER BY seq LIMIT 4",
		&links, e) < 0)
		return -1;
	stmt_int(st, 1, some ? from->audit_id : c->least);
	stmt_int(st, 2, some ? from->seq : c->most);
	if (some)
		stmt_int(st, 3, c->most);
	while ((r = stmt_step(c->s, st, e)) == 1) {
		chain_row_read(st, &row);
		if (check_row(c, links, &row, e) < 0)
			return -1;
	}
	return r;
}

/* Does the row of a link exist, unless it was purged? */
static int
check_there(const struct check *c, struct stmt *find,
    const struct chain_link *l, struct err *e)
{
	int r;

	if (l->audit_id < c->oldest)
		return 0;
	stmt_int(find, 1, l->audit_id);
	r = stmt_step(c->s, find, e);
	stmt_reset(find);
	if (r == 0)
		chain_check_fault(c->out, l->audit_id, "the row is missing");
	return r < 0 ? -1 : 0;
}

static void
check_link(const struct check *c, const struct chain_link *l,
    const struct chain_from *before)
{
	const int64_t base = chain_range_base(c->k);
	bool first = before->seq == base;
	struct str prev = { first ? chain_zeros : before->hash, CHAIN_HEX };
	char hex[CHAIN_HEX];

	if (!first && l->seq != before->seq + 1) {
		chain_check_fault(c->out, l->audit_id,
		    "the row or one before it has lost a link");
		return;
	}
	chain_link_hash(c->b, l, hex);
	/* After a purge, the first link refers to a deleted one. */
	if (!str_eq(l->hash, (struct str){ hex, CHAIN_HEX }) ||
	    ((!first || l->seq == base + 1) && !str_eq(l->prev, prev)) ||
	    chain_range_of(l->audit_id) != c->k)
		chain_check_fault(c->out, l->audit_id,
		    "a link of the row was changed");
}

static int
check_links(const struct check *c, struct chain_from *from, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(stmt_done) struct stmt *find = NULL;
	bool all = from->seq == chain_range_base(c->k);
	struct chain_link l;
	int64_t n = 0;
	int r;

	if (stmt_prepare(c->s,
		"SELECT " CHAIN_LINK " FROM audit_link WHERE seq > ?1"
		" AND seq <= ?2 ORDER BY seq",
		&st, e) < 0 ||
	    stmt_prepare(c->s, "SELECT 1 FROM audit_log WHERE id = ?1", &find,
		e) < 0)
		return -1;
	stmt_int(st, 1, !all ? from->seq : c->k > 0 ? c->least - 1 : INT64_MIN);
	stmt_int(st, 2, c->most);
	while ((r = stmt_step(c->s, st, e)) == 1) {
		chain_link_read(st, &l);
		if (l.odd) {
			chain_check_fault(c->out, l.audit_id,
			    "a link of the row was changed");
			continue;
		}
		check_link(c, &l, from);
		if (check_there(c, find, &l, e) < 0)
			return -1;
		/* A purge of all rows leaves exactly one link. */
		if (all && ++n == 2 && l.audit_id < c->oldest)
			chain_check_fault(c->out, l.audit_id,
			    "the row is missing");
		c->out->links++;
		from->seq = l.seq;
		memcpy(from->hash, l.hash.p, CHAIN_HEX);
	}
	return r;
}

/* Ids that were assigned but are missing: the end was cut off. */
static int
check_end(const struct check *c, const struct chain_from *from, struct err *e)
{
	static const char why[] = "rows or links were cut off at the end";
	int64_t rows, links;

	if (chain_given(c->s, "audit_log", c->k, &rows, e) < 0 ||
	    chain_given(c->s, "audit_link", c->k, &links, e) < 0)
		return -1;
	if (links != from->seq || (c->newest > 0 && rows != c->newest))
		chain_check_fault(c->out,
		    (c->newest > 0 ? c->newest : chain_range_base(c->k)) + 1,
		    why);
	return 0;
}

void
chain_check_begin(int k, struct chain_from *out)
{
	*out = (struct chain_from){ .seq = chain_range_base(k) };
}

int
chain_check(struct store *s, int k, struct chain_from *from,
    struct store_chain *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4UL * CHAIN_BYTES);
	struct buf b;
	struct check c = { .s = s,
		.out = out,
		.k = k,
		.least = chain_range_least(k),
		.most = chain_range_most(k),
		.b = &b,
		.waiting = INT64_MIN };

	buf_init(&b, a, CHAIN_BYTES);
	if (chain_check_survey(&c, e) < 0 || check_rows(&c, from, e) < 0 ||
	    check_links(&c, from, e) < 0 || check_end(&c, from, e) < 0)
		return -1;
	/* Where all were purged, what is new is after those. */
	from->audit_id = c.newest;
	if (c.newest == 0 &&
	    chain_given(s, "audit_log", k, &from->audit_id, e) < 0)
		return -1;
	from->oldest = c.newest > 0 ? c.oldest : 0;
	if (out->first == 0)
		out->first = from->oldest;
	if (c.newest > 0 || k == 0)
		out->last = c.newest;
	return 0;
}
