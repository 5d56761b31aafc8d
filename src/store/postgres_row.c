/* SPDX-License-Identifier: Apache-2.0 */
/* A row as PostgreSQL sends it, in its binary forms. */
#include <inttypes.h>
#include <stdio.h>

#include "store/postgres.h"
#include "store/postgres_text.h"

/* A number of n bytes, the highest first. */
static int64_t
read_number(const unsigned char *p, int n)
{
	uint64_t v = n > 0 && (p[0] & 0x80) != 0 ? UINT64_MAX : 0;

	for (int i = 0; i < n; i++)
		v = v << 8 | p[i];
	return (int64_t)v;
}

/*
 * What sums are: digits to the base of 10000, how many, the first one's weight,
 * the sign, and how many are shown after the point.  emcli's have none there.
 */
static int64_t
read_numeric(const unsigned char *p, int n)
{
	int digits = n >= 8 ? (int)read_number(p, 2) : 0;
	int weight = n >= 8 ? (int)read_number(p + 2, 2) : 0;
	bool negative = n >= 8 && p[4] == 0x40;
	int64_t v = 0;

	for (int i = 0; i <= weight; i++) {
		int64_t d = i < digits && 10 + 2 * i <= n
		    ? read_number(&p[8 + 2 * i], 2)
		    : 0;

		if (v > (INT64_MAX - d) / 10000)
			return negative ? INT64_MIN : INT64_MAX;
		v = v * 10000 + d;
	}
	return negative ? -v : v;
}

/* By the number of their type, which never changes: pg_type.dat. */
static const struct form {
	int64_t (*read)(const unsigned char *p, int n);
	Oid type;
	enum stmt_type is;
} forms[] = {
	{ read_number, 20, STMT_INT },    /* int8 */
	{ read_number, 23, STMT_INT },    /* int4 */
	{ read_number, 21, STMT_INT },    /* int2 */
	{ read_number, 16, STMT_INT },    /* bool: one byte */
	{ read_numeric, 1700, STMT_INT }, /* numeric */
	{ NULL, 17, STMT_BLOB },          /* bytea */
	{ NULL, 0, STMT_TEXT },           /* text and the like */
};

static const struct form *
form_of(Oid type)
{
	const struct form *f = forms;

	while (f->type != 0 && f->type != type)
		f++;
	return f;
}

static void
read_cell(const PGresult *r, int row, int i, struct postgres_cell *out)
{
	const struct form *f = form_of(PQ.ftype(r, i));
	char *p = PQ.getvalue(r, row, i);
	int n = PQ.getlength(r, row, i);

	*out = (struct postgres_cell){ .type = STMT_NULL };
	if (PQ.getisnull(r, row, i) != 0)
		return;
	out->type = f->is;
	if (f->is == STMT_INT) {
		out->n = f->read((const unsigned char *)p, n);
		n = snprintf(out->digits, sizeof(out->digits), "%" PRId64,
		    out->n);
		out->s = (struct str){ out->digits, (size_t)n };
	} else {
		out->s = (struct str){ p, (size_t)n };
		/* In libpq's copy, which is read once. */
		if (f->is == STMT_TEXT)
			out->s.n = postgres_text_back(p, (size_t)n);
	}
}

void
postgres_row_read(struct postgres_stmt *st)
{
	const PGresult *r = st->results[st->at];

	if (st->cells == NULL) {
		st->columns = PQ.nfields(r);
		st->cells = arena_array(st->a, (size_t)st->columns + 1,
		    sizeof(*st->cells));
	}
	for (int i = 0; i < st->columns; i++)
		read_cell(r, st->row, i, &st->cells[i]);
}
