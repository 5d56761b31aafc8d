/* SPDX-License-Identifier: Apache-2.0 */
/* Many messages as one parameter of a statement. */
#include <inttypes.h>

#include "store/internal.h"
#include "store/seen_row.h"

enum {
	NUMBER = 21 /* the most bytes of one, with a comma */
};

struct str
seen_list(struct arena *a, const int64_t *v, size_t n)
{
	struct buf b;

	buf_init(&b, a, n * NUMBER + 2);
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b, "%c%" PRId64, i == 0 ? '[' : ',', v[i]);
	buf_text(&b, n == 0 ? "[]" : "]");
	return buf_view(&b);
}

static int
seen_list_ask(struct store *s, const struct store_folder *f, const char *sql,
    bool numbered, struct stmt **out, struct err *e)
{
	if (stmt_ask(s, e, sql, out, OF_FOLDER(f)) < 0)
		return -1;
	if (numbered)
		stmt_int(*out, 5, f->uidvalidity);
	return 0;
}

int
seen_list_run(struct store *s, const struct store_folder *f,
    const struct seen_list *sql, uint32_t least, const uint32_t *uids, size_t n,
    struct err *e)
{
	const bool few = n <= s->driver->few;
	CLEANUP(arena_close) struct arena *a = NULL;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t *v;
	size_t have = 0;

	if (n == 0)
		return 0;
	a = arena_open(64UL << 20);
	v = arena_array(a, n, sizeof(*v));
	for (size_t i = 0; i < n; i++)
		if (uids[i] > least)
			v[have++] = uids[i];
	if (seen_list_ask(s, f, few ? sql->one : sql->all, sql->numbered, &st,
		e) < 0)
		return -1;
	if (!few) {
		stmt_text(st, 4, seen_list(a, v, have));
		return stmt_run(s, st, e);
	}
	for (size_t i = 0; i < have; i++) {
		stmt_int(st, 4, v[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}
