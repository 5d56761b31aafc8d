/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every id of a folder, in order of arrival.  A folder of one page is requested
 * each time; a longer one is read once, and after that only its history.  If
 * the first reading takes longer than a call, the next call continues it.
 */
#include <stdlib.h>

#include "backend/gmail/internal.h"
#include "base/clock.h"

struct place {
	struct str id;
	size_t at;
};

static int
gmail_scan_by_id(const void *x, const void *y)
{
	const struct place *p = x, *q = y;
	int c = str_cmp(p->id, q->id);

	return c != 0 ? c : (p->at > q->at) - (p->at < q->at);
}

/*
 * Reverses newest first to oldest first; a duplicate id keeps its first place,
 * because messages that arrive during paging push others onto the next page.
 */
static void
gmail_scan_turn(struct arena *a, struct strs *ids)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct strs out = { arena_array(a, ids->n, sizeof(*out.v)), 0 };
	struct place *v;
	bool *twice;

	if (ids->n == 0)
		return;
	v = arena_array(scratch, ids->n, sizeof(*v));
	twice = arena_array(scratch, ids->n, sizeof(*twice));
	for (size_t i = 0; i < ids->n; i++)
		v[i] = (struct place){ ids->v[i], i };
	qsort(v, ids->n, sizeof(*v), gmail_scan_by_id);
	for (size_t i = 1; i < ids->n; i++)
		twice[v[i].at] = str_eq(v[i - 1].id, v[i].id);
	for (size_t i = ids->n; i-- > 0;)
		if (!twice[i])
			out.v[out.n++] = ids->v[i];
	*ids = out;
}

/* Reads to the end; keeps what was read if time runs out. */
static int
gmail_scan_read_on(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *k, struct err *e)
{
	struct gmail_list l = {
		.g = g,
		.a = a,
		.label = label,
		.token = k->token,
		.n = k->ids.n,
	};
	struct strs ids = { 0 };

	/* str_push() needs a list that it made itself. */
	for (size_t i = 0; i < k->ids.n; i++)
		str_push(a, &ids, k->ids.v[i]);
	while (!l.ended) {
		if (gmail_list_more(&l, GMAIL_PAGE, &ids, e) == 0)
			continue;
		k->ids = ids;
		k->token = l.token;
		if (clock_left_ms(g->conn.acct->deadline_ms) > 0 ||
		    l.token.n == 0)
			return -1;
		gmail_cache_keep(g, label, k);
		*e = (struct err){ 0 };
		return err_set(e, ERR_LIMIT,
		    "the folder is large and was read in part: call again to "
		    "continue");
	}
	k->ids = ids;
	k->token = S("");
	gmail_scan_turn(a, &k->ids);
	return 0;
}

/*
 * Reads everything.  The position in the history comes first, so that changes
 * meanwhile are reported twice rather than missed.
 */
static int
gmail_scan_read_all(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *k, struct err *e)
{
	struct gmail_list first = { .g = g, .a = a, .label = label };

	*k = (struct gmail_kept){ 0 };
	if (gmail_list_more(&first, GMAIL_PAGE, &k->ids, e) < 0)
		return -1;
	if (first.ended) {
		gmail_scan_turn(a, &k->ids);
		return 0;
	}
	*k = (struct gmail_kept){ .made_s = clock_now() };
	if (gmail_history_now(g, a, &k->cursor, e) < 0 ||
	    gmail_scan_read_on(g, a, label, k, e) < 0)
		return -1;
	gmail_cache_keep(g, label, k);
	return 0;
}

/* Continues from the cache; 0 if that is impossible. */
static int
gmail_scan_from_kept(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *k, struct err *e)
{
	bool whole = k->token.n == 0, changed;
	int r;

	if (!whole && gmail_scan_read_on(g, a, label, k, e) < 0) {
		/*
		 * Limits and network errors are returned; a page that no longer
		 * exists makes it start again.
		 */
		if (e->kind == ERR_LIMIT || e->kind == ERR_AUTH ||
		    clock_left_ms(g->conn.acct->deadline_ms) == 0)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	r = gmail_history(g, a, label, k, &changed, e);
	if (r == 1 && (changed || !whole))
		gmail_cache_keep(g, label, k);
	return r;
}

int
gmail_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct gmail *g = (struct gmail *)c;
	struct gmail_label label;
	struct gmail_kept k;
	int r = 0;

	if (gmail_label_find(g, a, folder, &label, e) < 0)
		return -1;
	if (gmail_cache_load(g, a, &label, &k))
		r = gmail_scan_from_kept(g, a, &label, &k, e);
	if (r == 0)
		r = gmail_scan_read_all(g, a, &label, &k, e);
	if (r < 0)
		return -1;
	g->known = str_dup(g->a, folder);
	g->exists = (uint32_t)k.ids.n;
	*st = (struct folder_state){ .exists = g->exists };
	*ids = k.ids;
	return 0;
}
