/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the columns of a statement's row. */
#include "store/internal.h"
#include "store/stmt.h"

struct str
stmt_column_raw(struct stmt *st, int i)
{
	return st->s->driver->bytes(st, i);
}

struct str
stmt_column(struct stmt *st, int i, struct arena *a)
{
	struct str s = stmt_column_raw(st, i);

	return s.p == NULL ? (struct str){ "", 0 } : str_dup(a, s);
}

int64_t
stmt_column_int(struct stmt *st, int i)
{
	return st->s->driver->number(st, i);
}

uint32_t
stmt_column_u32(struct stmt *st, int i)
{
	int64_t n = stmt_column_int(st, i);

	return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

enum stmt_type
stmt_column_type(struct stmt *st, int i)
{
	return st->s->driver->type(st, i);
}

bool
stmt_column_is_null(struct stmt *st, int i)
{
	return stmt_column_type(st, i) == STMT_NULL;
}

int
stmt_column_count(struct stmt *st)
{
	return st->s->driver->columns(st);
}

const char *
stmt_column_name(struct stmt *st, int i)
{
	return st->s->driver->column_name(st, i);
}
